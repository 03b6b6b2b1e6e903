/* sheet/sheet.h - the worksheet of a derivation, a small program of matrices, and its interpreters: what other modules see of this one. */
#ifndef SHEET_SHEET_H
#define SHEET_SHEET_H
#include "balls.h"
#include "quantities.h"
#include "recipe.h"
#include "run.h"
#include "symbolic.h"

#endif
