/* compile/eliminate.h - inside recipes: unrolled elimination. */
#ifndef COMPILE_ELIMINATE_H
#define COMPILE_ELIMINATE_H
#include "recipe.h"

/* Rank of m at the sample state; `order` (room for m.rows) lists independent rows first. */
uint32_t eliminate_sample_rank(recipe *r, mat m, uint32_t *order);

#endif
