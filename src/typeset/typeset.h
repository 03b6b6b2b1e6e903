/* typeset/typeset.h - worksheets and formulas as text, LaTeX, MathML: what other modules see of
 * this one. */
#ifndef TYPESET_TYPESET_H
#define TYPESET_TYPESET_H
#include "lines.h"
#include "prose.h"
#include "tex.h"
#include "writers.h"

#endif
