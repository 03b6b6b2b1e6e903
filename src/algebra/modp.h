/* algebra/modp.h - evaluation of the unexpanded graph at a random point modulo a prime of 62 bits.
 */
#ifndef ALGEBRA_MODP_H
#define ALGEBRA_MODP_H
#include "internal.h"
#if defined(AH_WITH_FLINT3)
#include <flint/nmod.h>
#endif
#include <flint/nmod_vec.h>

/* value[i] of the lowered root i, all at one point on the curve of the generators' relations
 * (s² + c² = 1, r² = radicand, …). False: no point was found at which all of them exist. *independent: a
 * value other than zero proves the expression to be other than zero. */
bool modp_values(algebra *alg, const ah_expr *lowered, size_t count, nmod_t *mod, mp_limb_t *value,
                 bool *independent);

#endif
