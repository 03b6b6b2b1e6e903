/* written/vector.c - vectors in space axes. */
#include "written.h"

ah_vector vector_zero(ah_ctx *ctx)
{
    const ah_expr zero = expr_int(ctx, 0);
    return (ah_vector){{zero, zero, zero}};
}

ah_vector vector_add(ah_ctx *ctx, ah_vector a, ah_vector b)
{
    for (int i = 0; i < 3; i++) a.c[i] = expr_add(ctx, a.c[i], b.c[i]);
    return a;
}

ah_vector vector_sub(ah_ctx *ctx, ah_vector a, ah_vector b)
{
    for (int i = 0; i < 3; i++) a.c[i] = expr_sub(ctx, a.c[i], b.c[i]);
    return a;
}

ah_vector vector_scale(ah_ctx *ctx, ah_expr s, ah_vector a)
{
    for (int i = 0; i < 3; i++) a.c[i] = expr_mul(ctx, s, a.c[i]);
    return a;
}

ah_vector vector_cross(ah_ctx *ctx, ah_vector a, ah_vector b)
{
    ah_vector out;
    for (int i = 0; i < 3; i++) {
        const int j = (i + 1) % 3, k = (i + 2) % 3;
        out.c[i] = expr_sub(ctx, expr_mul(ctx, a.c[j], b.c[k]), expr_mul(ctx, a.c[k], b.c[j]));
    }
    return out;
}

ah_expr vector_dot(ah_ctx *ctx, ah_vector a, ah_vector b)
{
    ah_expr terms[3];
    for (int i = 0; i < 3; i++) terms[i] = expr_mul(ctx, a.c[i], b.c[i]);
    return expr_sum(ctx, 3, terms);
}

ah_expr vector_norm(ah_ctx *ctx, ah_vector a)
{
    return expr_call1(ctx, AH_SQRT, vector_dot(ctx, a, a));
}

ah_vector vector_dt(ah_ctx *ctx, ah_vector a)
{
    for (int i = 0; i < 3; i++) a.c[i] = expr_dt(ctx, a.c[i]);
    return a;
}
