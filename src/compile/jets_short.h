/* compile/jets_short.h - the same formulas with fewer products of series.
 *
 * What a jet costs is products and quotients of what changes; sums and constant factors are free beside them. Values become sums
 * of terms c a b … / (d e …), reciprocals are not made for their own sake, a sum that is divided by a factor of one of its two
 * terms is divided term by term, √a √a is a, and sines of 2 a come from those of a. Then, as long as products become fewer: the
 * pair of factors that stands in most terms becomes a factor of its own, or what terms of a sum have in common is multiplied
 * once. Counted, never timed. */
#ifndef COMPILE_JETS_SHORT_H
#define COMPILE_JETS_SHORT_H
#include "program.h"

typedef struct jets_source {
    const program_code *code; /* values in order, as in a program */
    size_t count;
    const uint32_t *output;
    const program_guard *guard;
    const double *more; /* constants beyond those of the program */
    size_t more_count;
} jets_source;

/* false: the program is too long for the search. */
bool jets_shorten(arena *a, const program *f, jets_source *out);

#endif
