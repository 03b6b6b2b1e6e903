/* compile/lanes.h - programs that take several states at once, one in each lane of a vector.
 *
 * The C is for the system's compiler alone: its vector types. Lanes do not touch each other, so what comes
 * out of one depends on what went into it and on nothing else; it differs from what the engines give by
 * rounding: products and sums are fused where the processor can, sine and cosine are ours. */
#ifndef COMPILE_LANES_H
#define COMPILE_LANES_H
#include "program.h"

enum { LANES_MOST = 8 };

/* How many this processor does at once, and in which words that is told: "8 (AVX-512)". */
unsigned lanes_width(void);
const char *lanes_words(void);
/* Types and functions that the programs use: V, a vector of doubles; I, of integers as wide, as comparisons
 * give them; K(x), x in all lanes; SELECT(i, a, b); any(i). */
void lanes_prelude(text *t, unsigned width);
/* `static inline I NAME(const V *c, const V *x, V *y)`; the lanes of the answer are 0 where a guard fails. */
void lanes_emit(const program *p, text *t, const char *name);
/* Whether all that it does is smooth: a step of an integrator may then go over any place. */
bool lanes_are_smooth(const program *p);

#endif
