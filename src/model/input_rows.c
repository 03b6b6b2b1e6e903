/* model/input_rows.c - inputs from outside, and those given by rows of numbers.
 *
 * Between the rows t_k and t_{k+1} the input is a polynomial p_k; the whole is
 *
 *     u(t) = Σ_k p_k(t) (sign(t - t_k) - sign(t - t_{k+1}))/2  +  the first and the last value outside,
 *
 * exact zeros away from t, so that nothing is lost to rounding, and differentiated piece by piece. */
#include "inside.h"

#include <math.h>

enum { ROWS_MOST = 5000 };

typedef struct call {
    ah_model *m;
    const char *name;
    ah_expr value, out;
    size_t count;
    const double *t, *u;
    bool smooth;
    input_table table;
    ah_span span; /* of the table */
} call;

/* The exact value of a double. */
static ah_expr exact(ah_ctx *ctx, double x)
{
    int e;
    const double part = frexp(x, &e);
    const ah_expr whole = expr_int(ctx, (long) ldexp(part, 53)); /* |…| < 2^53 */
    return expr_mul(ctx, whole, expr_powi(ctx, expr_int(ctx, 2), e - 53));
}

/* (sign(t - a) - sign(t - b))/2: 1 between a and b, 0 elsewhere. */
static ah_expr between(ah_ctx *ctx, ah_expr from, ah_expr to)
{
    return expr_mul(ctx, expr_rational(ctx, 1, 2), expr_sub(ctx, from, to));
}

/* The slope at a row: of the parabola through it and its neighbours, at an end of the line. */
static double slope(const call *c, size_t k)
{
    const double *t = c->t, *u = c->u;
    const size_t a = k ? k - 1 : 0, b = k + 1 < c->count ? k : c->count - 2;
    const double left = (u[a + 1] - u[a]) / (t[a + 1] - t[a]);
    const double right = (u[b + 1] - u[b]) / (t[b + 1] - t[b]);
    if (a == b) return left;
    const double h = t[k] - t[k - 1], g = t[k + 1] - t[k];
    return (g * left + h * right) / (h + g);
}

/* p_k = a0 + a1 s + a2 s^2 + a3 s^3 in s = t - t_k: u + d s, or Hermite's cubic with the slopes m and n at its ends. */
static void coefficients(const call *c, size_t k, double a[4])
{
    const double h = c->t[k + 1] - c->t[k], d = (c->u[k + 1] - c->u[k]) / h;
    a[0] = c->u[k], a[1] = d, a[2] = a[3] = 0;
    if (!c->smooth) return;
    const double m = slope(c, k), n = slope(c, k + 1);
    a[1] = m;
    a[2] = (3 * d - 2 * m - n) / h;
    a[3] = (m + n - 2 * d) / h / h;
}

/* Times and values may be farther apart than a double tells, or too near to each other for a slope. */
static bool is_line(const call *c, size_t k)
{
    double a[4];
    coefficients(c, k, a);
    return isfinite(c->t[k + 1] - c->t[k]) && isfinite(a[1]) && isfinite(a[2]) && isfinite(a[3]);
}

static ah_expr piece(ah_ctx *ctx, const call *c, size_t k, ah_expr time)
{
    double a[4];
    coefficients(c, k, a);
    const ah_expr s = expr_sub(ctx, time, exact(ctx, c->t[k]));
    ah_expr p = exact(ctx, a[3]);
    for (int i = 2; i >= 0; i--) p = expr_add(ctx, expr_mul(ctx, p, s), exact(ctx, a[i]));
    return p;
}

static ah_expr value_of_rows(ah_ctx *ctx, const call *c)
{
    arena *a = &ctx->scratch;
    const ah_expr time = expr_time(ctx), one = expr_int(ctx, 1), minus = expr_int(ctx, -1);
    ah_expr *sign = NEW_ARRAY(a, ah_expr, c->count);
    expr_list terms = {0};
    for (size_t k = 0; k < c->count; k++)
        sign[k] = expr_call1(ctx, AH_SIGN, expr_sub(ctx, time, exact(ctx, c->t[k])));
    LIST_PUSH(a, &terms, expr_mul(ctx, exact(ctx, c->u[0]), between(ctx, one, sign[0])));
    for (size_t k = 0; k + 1 < c->count; k++) {
        ctx_tick(ctx);
        LIST_PUSH(a, &terms,
                  expr_mul(ctx, piece(ctx, c, k, time), between(ctx, sign[k], sign[k + 1])));
    }
    LIST_PUSH(
        a, &terms,
        expr_mul(ctx, exact(ctx, c->u[c->count - 1]), between(ctx, sign[c->count - 1], minus)));
    return expr_sum(ctx, terms.count, terms.at);
}

/* Something to say, or NULL. */
static const char *complaint(const call *c)
{
    if (c->count < 2) return "an input needs two rows at least";
    if (c->count > ROWS_MOST) return "more than 5000 rows of an input";
    for (size_t k = 0; k < c->count; k++) {
        if (!isfinite(c->t[k]) || !isfinite(c->u[k])) return "a row that is not a finite number";
        if (k && c->t[k] <= c->t[k - 1]) return "the times of the rows do not ascend";
    }
    for (size_t k = 0; k + 1 < c->count; k++)
        if (!is_line(c, k)) return "the line between two rows is beyond the range of numbers";
    return NULL;
}

static void set_rows(ah_ctx *ctx, void *arg)
{
    const call *c = arg;
    const char *why = complaint(c);
    if (!why) {
        model_set_input(c->m, c->name, value_of_rows(ctx, c), NOWHERE);
        return;
    }
    diag(ctx, A0425, c->span, "the input `%s`: %s", c->name, why);
    diag_hint(ctx, c->count > ROWS_MOST ? "give every second row, or as many as the curve needs"
                                        : "rows have a time and a value, the times ascend");
}

ah_status ah_model_set_input_rows(ah_model *m, const char *name, size_t count, const double *t,
                                  const double *value, bool smooth)
{
    if (!m || !name || !t || !value) return AH_E_INPUT;
    call c = {.m = m, .name = name, .count = count, .t = t, .u = value, .smooth = smooth};
    return ctx_guard(m->ctx, set_rows, &c);
}

static void set_table(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    if (input_table_read(ctx, &c->table)) {
        c->count = c->table.rows, c->t = c->table.t, c->u = c->table.value;
        c->span = c->table.names;
        set_rows(ctx, c);
    }
    arena_release(&ctx->scratch, mark);
}

ah_status ah_model_set_input_table(ah_model *m, const char *name, const char *file,
                                   const char *bytes, size_t length, const char *column,
                                   bool smooth)
{
    if (!m || !name || !column || (!bytes && length)) return AH_E_INPUT;
    call c = {.m = m, .name = name, .smooth = smooth};
    c.table = (input_table){.file = file, .text = bytes, .length = length, .column = column};
    return ctx_guard(m->ctx, set_table, &c);
}

static void set_value(ah_ctx *ctx, void *arg)
{
    const call *c = arg;
    if (c->value == AH_NONE || c->value >= expr_pool_size(ctx))
        diag(ctx, A0403, NOWHERE, "an argument is missing: it is AH_NONE");
    else
        model_set_input(c->m, c->name, c->value, NOWHERE);
}

ah_status ah_model_set_input(ah_model *m, const char *name, ah_expr value)
{
    call c = {.m = m, .name = name, .value = value};
    return m && name ? ctx_guard(m->ctx, set_value, &c) : AH_E_INPUT;
}

static void add_input(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    if (c->value != AH_NONE && c->value >= expr_pool_size(ctx))
        diag_wrong_call(ctx, "the value of an input is no expression of this context");
    else
        c->out = model_add_input(c->m, c->name, c->value, NOWHERE);
}

ah_expr ah_model_input(ah_model *m, const char *name, ah_expr value)
{
    call c = {.m = m, .name = name, .value = value};
    return m && name && ctx_guard(m->ctx, add_input, &c) == AH_OK ? c.out : AH_NONE;
}
