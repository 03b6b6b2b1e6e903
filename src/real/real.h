/* real/real.h - what holds over the real numbers: cases, signs, emptiness. real_roots.h stands
 * apart: it brings FLINT: what other modules see of this one. */
#ifndef REAL_REAL_H
#define REAL_REAL_H
#include "across.h"
#include "cases.h"
#include "components.h"
#include "hidden_place.h"
#include "direction.h"
#include "empty.h"
#include "kinks.h"
#include "limit.h"
#include "line.h"
#include "positive.h"
#include "solve_once.h"
#include "unwrap.h"

#endif
