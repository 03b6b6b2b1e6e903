/* compile/pairs.h - products that have pairs of factors in common.
 *
 * a b c, a b d, b c: which factors are multiplied first decides how many multiplications are made once for all. The pair
 * that stands in most products is taken first and becomes a factor of its own; then again, as long as a pair stands in
 * two. Counted, never timed: the same products give the same pairs. */
#ifndef COMPILE_PAIRS_H
#define COMPILE_PAIRS_H
#include "../base/base.h"

typedef struct pairs_product {
    uint32_t *factor; /* repeated for powers */
    size_t count;
} pairs_product;

typedef struct pairs_pair {
    uint32_t a, b; /* factors, or pairs before it: `first` + index */
} pairs_pair;

typedef struct pairs {
    uint32_t first; /* more than all factors */
    LIST(pairs_pair) made;
} pairs;

/* Replaces factors by pairs of them; products of one factor may be left. All in the arena. */
pairs pairs_share(arena *a, pairs_product *product, size_t count, uint32_t first);

#endif
