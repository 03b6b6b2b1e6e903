/* expr/print_calls.c - functions as they are written: sin²θ, |x|, f'(t), ∂²V/∂x∂y. */
#include "expr_print.h"
#include <string.h>

/* ---- What may go without brackets ------------------------------------------------------------ */

bool expr_is_bare_function(ah_function f)
{
    return f == AH_SIN || f == AH_COS || f == AH_TAN || f == AH_SINH || f == AH_COSH ||
           f == AH_TANH;
}

bool expr_is_bare_call(const printer *p, ah_expr e)
{
    if (!p->l->reads || expr_op_of(p->ctx, e) != EXPR_CALL) return false;
    expr_op op = expr_op_of(p->ctx, expr_get_children(p->ctx, e)[0]);
    return expr_is_bare_function(expr_get_function(p->ctx, e)) &&
           (op == EXPR_SYMBOL || op == EXPR_PI);
}

bool expr_is_partial(const printer *p, ah_expr e)
{
    size_t n = expr_get_count(p->ctx, e), orders = 0;
    const ah_expr *x = expr_get_children(p->ctx, e);
    if (!p->l->reads || n < 2) return false;
    for (size_t i = 0; i < n; i++) {
        orders += expr_get_orders(p->ctx, e)[i];
        if (expr_op_of(p->ctx, x[i]) != EXPR_SYMBOL) return false;
        for (size_t j = 0; j < i; j++)
            if (x[i] == x[j]) return false;
    }
    return orders > 0;
}

/* ---- Functions ------------------------------------------------------------------------------- */

static const char *function_name(const printer *p, ah_function f)
{
    static const char *const names[] = {
#define X(code, name, arity) name,
        AH_FUNCTION_LIST(X)
#undef X
    };
    static const char *const latex[AH_FUNCTIONS] = {
        [AH_SIN] = "\\sin",
        [AH_COS] = "\\cos",
        [AH_TAN] = "\\tan",
        [AH_ASIN] = "\\arcsin",
        [AH_ACOS] = "\\arccos",
        [AH_ATAN] = "\\arctan",
        [AH_ATAN2] = "\\operatorname{atan2}",
        [AH_SINH] = "\\sinh",
        [AH_COSH] = "\\cosh",
        [AH_TANH] = "\\tanh",
        [AH_EXP] = "\\exp",
        [AH_LOG] = "\\log",
        [AH_SIGN] = "\\operatorname{sgn}",
    };
    if (is(p, AH_LATEX)) return latex[f];
    if (is(p, AH_C) && f == AH_ABS) return "fabs";
    return is(p, AH_TEXT) && f == AH_SIGN ? "sgn" : names[f];
}

static void put_name_of_function(printer *p, ah_function f)
{
    if (is(p, AH_MATHML)) put(p, "<mi>");
    put(p, function_name(p, f));
    if (is(p, AH_MATHML)) put(p, "</mi>");
}

static void print_arguments(printer *p, ah_expr e)
{
    const ah_expr *x = expr_get_children(p->ctx, e);
    const expr_brackets b = expr_open_brackets(p);
    for (size_t i = 0; i < expr_get_count(p->ctx, e); i++) {
        if (i) put(p, p->l->comma);
        expr_print_part(p, x[i], SUM);
    }
    expr_close_brackets(p, b);
}

void expr_put_superscript(printer *p, ah_expr exponent)
{
    const char *digits = expr_number_digits(p->ctx, &p->ctx->scratch, exponent).numerator;
    if (is(p, AH_TEXT))
        expr_put_digits(p->out, digits, strlen(digits), true);
    else if (is(p, AH_LATEX))
        put(p, "^{"), put(p, digits), put(p, "}");
    else
        expr_put_integer(p, digits);
}

/* C has no sign function. */
static void print_c_sign(printer *p, ah_expr x)
{
    put(p, "(((");
    expr_print_part(p, x, SUM);
    put(p, ") > 0.0) - ((");
    expr_print_part(p, x, SUM);
    put(p, ") < 0.0))");
}

void expr_print_call(printer *p, ah_expr e, ah_expr exponent, bool bare)
{
    ah_function f = expr_get_function(p->ctx, e);
    const ah_expr x = expr_get_children(p->ctx, e)[0];
    bool raised = exponent != EXPR_ONE;
    if (is(p, AH_C) && f == AH_SIGN) {
        print_c_sign(p, x);
        return;
    }
    put(p, p->l->row);
    if (raised && is(p, AH_MATHML)) put(p, p->l->power[0]);
    if (f == AH_ABS && p->l->reads) {
        put(p, p->l->bar), expr_print_part(p, x, SUM), put(p, p->l->bar_end), put(p, p->l->row_end);
        return;
    }
    put_name_of_function(p, f);
    if (raised) expr_put_superscript(p, exponent);
    if (raised && is(p, AH_MATHML)) put(p, p->l->power[2]);
    if (bare && expr_is_bare_call(p, e)) {
        put(p, p->l->apply_bare);
        if (is(p, AH_LATEX) || (is(p, AH_TEXT) && !raised)) put(p, " ");
        put(p, p->l->row);
        expr_print_part(p, x, ATOM);
        put(p, p->l->row_end);
    } else {
        put(p, p->l->apply);
        print_arguments(p, e);
    }
    put(p, p->l->row_end);
}

/* ---- Unspecified functions ------------------------------------------------------------------- */

/* `^ what`, or in MathML the second part of <msup>. */
static void put_order(printer *p, ah_expr e, bool single)
{
    const uint8_t *orders = expr_get_orders(p->ctx, e);
    arena_mark mark = arena_get_mark(&p->ctx->scratch);
    text list = text_begin(&p->ctx->scratch);
    for (size_t i = 0; i < expr_get_count(p->ctx, e); i++)
        text_printf(&list, i ? ",%u" : "%u", (unsigned) orders[i]);
    const char *s = text_end(&list);
    const int primes = single && orders[0] <= 3 ? orders[0] : 0;
    if (is(p, AH_ASCII) && single)
        for (int i = 0; i < orders[0]; i++) put(p, "'");
    else if (is(p, AH_ASCII))
        put(p, "'["), put(p, s), put(p, "]");
    else if (is(p, AH_MATHML) && primes)
        text_printf(p->out, "<mo>%.*s</mo>", primes * 3, "\u2032\u2032\u2032");
    else if (is(p, AH_MATHML))
        text_printf(p->out,
                    "<mrow><mo stretchy=\"false\">(</mo><mn>%s</mn>"
                    "<mo stretchy=\"false\">)</mo></mrow>",
                    s);
    else if (primes)
        text_printf(p->out, "%.*s", primes, "'''");
    else if (is(p, AH_LATEX))
        text_printf(p->out, "^{(%s)}", s);
    else
        put(p, "⁽"), expr_put_digits(p->out, s, strlen(s), true), put(p, "⁾");
    expr_release(p->ctx, p->out->arena, mark);
}

static size_t total_order(const ah_ctx *ctx, ah_expr e)
{
    size_t total = 0;
    for (size_t i = 0; i < expr_get_count(ctx, e); i++) total += expr_get_orders(ctx, e)[i];
    return total;
}

/* f, or ∂²f: what stands over the stroke; `order` raised on the ∂. */
static void put_differential(printer *p, const char *d, size_t order)
{
    char digits[24];
    int n = snprintf(digits, sizeof digits, "%zu", order);
    if (is(p, AH_MATHML)) {
        text_printf(p->out, order > 1 ? "<msup><mo>%s</mo><mn>%zu</mn></msup>" : "<mo>%s</mo>", d,
                    order);
        return;
    }
    put(p, d);
    if (order > 1 && is(p, AH_LATEX)) text_printf(p->out, "^{%zu}", order);
    if (order > 1 && is(p, AH_TEXT)) expr_put_digits(p->out, digits, (size_t) n, true);
    if (is(p, AH_LATEX)) put(p, " ");
}

/* ∂²V/∂x∂y */
static void print_partial(printer *p, ah_expr e)
{
    const char *d = is(p, AH_LATEX) ? "\\partial" : "∂";
    const ah_expr *x = expr_get_children(p->ctx, e);
    const uint8_t *orders = expr_get_orders(p->ctx, e);
    if (two_dimensional(p)) put(p, p->l->fraction[0]);
    put(p, p->l->row);
    put_differential(p, d, total_order(p->ctx, e));
    expr_print_name(p->out, expr_get_name(p->ctx, e), p->style);
    put(p, p->l->row_end);
    put(p, two_dimensional(p) ? p->l->fraction[1] : "/");
    put(p, p->l->row);
    for (size_t i = 0, shown = 0; i < expr_get_count(p->ctx, e); i++) {
        if (!orders[i]) continue;
        if (shown++ && is(p, AH_LATEX)) put(p, " ");
        put_differential(p, d, 1);
        if (orders[i] > 1) put(p, p->l->power[0]);
        expr_print_symbol(p->ctx, p->out, x[i], p->style);
        if (orders[i] > 1) {
            expr_put_superscript(p, expr_int(p->ctx, orders[i]));
            if (is(p, AH_MATHML)) put(p, p->l->power[2]);
        }
    }
    put(p, p->l->row_end);
    if (two_dimensional(p)) put(p, p->l->fraction[2]);
    p->tall = true;
}

void expr_print_unknown(printer *p, ah_expr e)
{
    size_t order = total_order(p->ctx, e);
    if (is(p, AH_C)) {
        put(p, "NAN");
    } else if (expr_is_partial(p, e)) {
        print_partial(p, e);
    } else {
        put(p, p->l->row);
        if (order && is(p, AH_MATHML)) put(p, p->l->power[0]);
        expr_print_name(p->out, expr_get_name(p->ctx, e), p->style);
        if (order) put_order(p, e, expr_get_count(p->ctx, e) == 1);
        if (order && is(p, AH_MATHML)) put(p, p->l->power[2]);
        put(p, p->l->apply);
        print_arguments(p, e);
        put(p, p->l->row_end);
    }
}
