/* compile/lanes.h - programs that take several states at once, one in each lane of a vector.
 *
 * The C is for the system's compiler alone: its vector types. Lanes do not touch each other, so what comes
 * out of one depends on what went into it and on nothing else; it differs from what the engines give by
 * rounding: products and sums are fused where the processor can, sine and cosine are ours. */
#ifndef COMPILE_LANES_H
#define COMPILE_LANES_H
#include "program.h"

enum { LANES_MOST = 8 };

/* Instructions for them. "plain" and "plain8" are what the compiler makes of vectors on any processor. */
typedef struct lanes_kind {
    const char *name, *words; /* "avx512", "8 (AVX-512)" */
    const char *target;       /* for the compiler; NULL: the least of its kind */
    unsigned width;           /* lanes of a vector */
} lanes_kind;

/* "avx512", "avx2", "plain", "plain8"; NULL: the best that this processor has. NULL, *why: there is no such kind, or not here. */
const lanes_kind *lanes_find(const char *name, const char **why);
/* Types and functions that the programs use: V, a vector of doubles; I, of integers as wide, as comparisons
 * give them; K(x), x in all lanes; SELECT(i, a, b); any(i). */
void lanes_prelude(text *t, const lanes_kind *k);
/* `static inline I NAME(const V *c, const V *x, V *y)`; the lanes of the answer are 0 where a guard fails. */
void lanes_emit(const program *p, text *t, const char *name);
/* `static inline I NAME_near(const V *c, const V *x, V *y)` after it: the same near a place where NAME has set all lanes of its answer. It
 * does not ask again whether angles are too large for sine and cosine: that costs a fourteenth of a step of the tire. */
void lanes_emit_near(const program *p, text *t, const char *name);
/* Whether it reads an input. */
bool lanes_read(const program *p, size_t input);
/* `static inline I NAME_passing(const V *c, const V *x, V *y)` after NAME_near: the same without the outputs that are `idle`, and without
 * what only these take. */
void lanes_emit_passing(const program *p, text *t, const char *name, const bool *idle);
/* `static inline I NAME_first(const V *c, const V *x, V *y)` after it: its first `count` outputs, and no more work than they take;
 * all lanes of the answer are set. */
void lanes_emit_first(const program *p, text *t, const char *name, size_t count);
/* Whether all that it does is smooth: a step of an integrator may then go over any place. */
bool lanes_are_smooth(const program *p);
/* Whether an output that is not zero in one place is zero nowhere, for the same parameters: a constant over what is finite. */
bool lanes_keep_from_zero(const program *p, size_t output);

#endif
