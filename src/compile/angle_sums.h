/* compile/angle_sums.h - sines and cosines of angles that are sums of others.
 *
 *     sin(a ± b) = sin a cos b ± cos a sin b,     cos(a ± b) = cos a cos b ∓ sin a sin b
 *
 * take six operations instead of some forty, where the sines and cosines of a and b are there. In equations of chains nearly all are
 * of this kind. Errors are those of three roundings of numbers up to 1; at a = b the sine is 0. */
#ifndef COMPILE_ANGLE_SUMS_H
#define COMPILE_ANGLE_SUMS_H
#include "../sheet/sheet.h"

/* A sine or cosine stands for a formula of others. */
typedef struct angles_sum {
    ah_expr call, meaning;
} angles_sum;

typedef LIST(angles_sum) angles_sums;

/* Of all sines and cosines that are worked out, `calls`, those that can be had from the others. New ones that stand between have
 * a meaning, too. */
angles_sums angles_share(ah_ctx *ctx, arena *a, const expr_list *calls);

#endif
