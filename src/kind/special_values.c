/* kind/special_values.c - all values of free parameters at which some equations hold.
 *
 * A factor of an equation is solved for a parameter that it is linear in, or, where it holds no other, of the second degree in; its values are
 * put into the other equations. What cannot be solved has no solution together with these, or the values are not known. */
#include "uniform.h"

#include "../real/real.h"

enum { CASES = 8 }; /* that are listed */

/* Linear in a parameter, with a slope that is a number. */
static bool solve_linear(ah_model *m, ah_expr e, const expr_list *symbols, ah_expr *symbol,
                         uniform_values *out)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr zero = expr_int(ctx, 0);
    for (size_t i = 0; i < symbols->count; i++) {
        const ah_expr p = symbols->at[i], slope = algebra_simplify(m->alg, expr_diff(ctx, e, p));
        if (expr_get_op(ctx, slope) != EXPR_NUMBER || expr_is_zero(ctx, slope)) continue;
        const ah_expr value = expr_neg(ctx, expr_div(ctx, expr_subst(ctx, e, 1, &p, &zero), slope));
        *symbol = p;
        out->value[out->count++] = algebra_simplify(m->alg, value);
        return true;
    }
    return false;
}

/* a p² + b p + c with numbers a, b, c: where 2 a p = −b ± √(b² − 4 a c), if that is real. */
static bool solve_quadratic(ah_model *m, ah_expr e, ah_expr p, uniform_values *out)
{
    ah_ctx *ctx = m->ctx;
    algebra_poly c;
    ah_expr k[] = {expr_int(ctx, 0), expr_int(ctx, 0), expr_int(ctx, 0)};
    if (algebra_degree(m->alg, e, 1, &p) != 2 || !algebra_collect(m->alg, e, 1, &p, &c))
        return false;
    for (size_t i = 0; i < c.terms; i++) k[c.exponent[i]] = c.coefficient[i];
    for (int i = 0; i < 3; i++)
        if (expr_get_op(ctx, k[i]) != EXPR_NUMBER) return false;
    const ah_expr four = expr_mul(ctx, expr_int(ctx, 4), expr_mul(ctx, k[2], k[0]));
    const ah_expr below = expr_sub(ctx, expr_powi(ctx, k[1], 2), four);
    for (long sign = -1; sign <= 1 && expr_number_sign(ctx, below) >= 0; sign += 2) {
        const ah_expr root = expr_mul(ctx, expr_int(ctx, sign), expr_call1(ctx, AH_SQRT, below));
        out->value[out->count++] =
            algebra_simplify(m->alg, expr_div(ctx, expr_sub(ctx, root, k[1]),
                                              expr_mul(ctx, expr_int(ctx, 2), k[2])));
    }
    return true;
}

bool uniform_solve(ah_model *m, ah_expr e, ah_expr *symbol, uniform_values *out)
{
    e = unwrap(m->alg, m->ctx, &m->ctx->job, e);
    const expr_list symbols = expr_symbols(m->ctx, &m->ctx->job, &e, 1);
    out->count = 0;
    if (solve_linear(m, e, &symbols, symbol, out)) return true;
    if (symbols.count != 1) return false;
    *symbol = symbols.at[0];
    return solve_quadratic(m, e, *symbol, out);
}

/* One more value, put into those that were found before. */
static uniform_special with_one_more(ah_model *m, arena *a, const uniform_special *s, ah_expr p,
                                     ah_expr value)
{
    uniform_special out = {0};
    for (size_t i = 0; i < s->symbol.count; i++) {
        LIST_PUSH(a, &out.symbol, s->symbol.at[i]);
        LIST_PUSH(a, &out.value,
                  algebra_simplify(m->alg, expr_subst(m->ctx, s->value.at[i], 1, &p, &value)));
    }
    LIST_PUSH(a, &out.symbol, p);
    LIST_PUSH(a, &out.value, value);
    return out;
}

static bool is_listed(const uniform_specials *list, const uniform_special *s)
{
    bool listed = false;
    for (size_t i = 0; i < list->count && !listed; i++) {
        const uniform_special *other = &list->at[i];
        listed = other->symbol.count == s->symbol.count;
        for (size_t k = 0; k < s->symbol.count && listed; k++)
            listed = other->symbol.at[k] == s->symbol.at[k] && other->value.at[k] == s->value.at[k];
    }
    return listed;
}

static bool list_values(ah_model *m, arena *a, const expr_list *equations, size_t k,
                        uniform_special found, uniform_specials *out);

/* The values at which a factor of the k-th equation vanishes, and the equations after it. */
static bool list_zeros(ah_model *m, arena *a, const expr_list *equations, size_t k, ah_expr factor,
                       const uniform_special *found, uniform_specials *out)
{
    ah_expr p;
    uniform_values values;
    if (!uniform_solve(m, factor, &p, &values)) {
        expr_list all = {0};
        LIST_PUSH(a, &all, factor);
        for (size_t i = k + 1; i < equations->count; i++)
            LIST_PUSH(a, &all,
                      expr_subst(m->ctx, equations->at[i], found->symbol.count, found->symbol.at,
                                 found->value.at));
        return empty_prove(m, a, &all);
    }
    for (size_t i = 0; i < values.count; i++)
        if (!list_values(m, a, equations, k + 1, with_one_more(m, a, found, p, values.value[i]),
                         out))
            return false;
    return true;
}

/* All values of parameters at which the equations from the k-th on vanish, beside those found; false: they could not be listed. */
static bool list_values(ah_model *m, arena *a, const expr_list *equations, size_t k,
                        uniform_special found, uniform_specials *out)
{
    algebra_factors f;
    if (k == equations->count) {
        if (!is_listed(out, &found)) LIST_PUSH(a, out, found);
        return out->count <= CASES;
    }
    ah_expr e =
        expr_subst(m->ctx, equations->at[k], found.symbol.count, found.symbol.at, found.value.at);
    const ah_truth zero = algebra_zero(m->alg, e);
    if (zero == AH_TRUE) return list_values(m, a, equations, k + 1, found, out);
    if (zero == AH_UNKNOWN || !algebra_factor(m->alg, e, &f)) return false;
    for (size_t i = 0; i < f.count; i++)
        if (!algebra_never_zero(m->alg, f.factor[i]) &&
            !list_zeros(m, a, equations, k, f.factor[i], &found, out))
            return false;
    return true;
}

/* The shortest first: p − 1 and q − 1 tell what p q − 1 does not. */
static expr_list shortest_first(ah_model *m, arena *a, const expr_list *equations)
{
    expr_list out = {0};
    for (size_t i = 0; i < equations->count; i++) {
        const ah_expr e = equations->at[i];
        size_t k = out.count;
        LIST_PUSH(a, &out, e);
        for (; k > 0 && expr_operations(m->ctx, &out.at[k - 1], 1) > expr_operations(m->ctx, &e, 1);
             k--)
            out.at[k] = out.at[k - 1];
        out.at[k] = e;
    }
    return out;
}

bool uniform_list_values(ah_model *m, arena *a, const expr_list *equations, uniform_specials *out)
{
    const expr_list sorted = shortest_first(m, a, equations);
    return list_values(m, a, &sorted, 0, (uniform_special){0}, out);
}
