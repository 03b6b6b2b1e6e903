/* worksheet/let_times.c - the model's own functions of time.
 *
 * A gear ratio f = r₂ (1 + t/5)/(r₁ (3/2 + ¼ sin t)) and its rate f' stand in the equations as numbers, powers of t and sines in
 * many places, and nothing of them is seen there. But f solved for r₂, and then f' for cos t, put in leave (M₁ f + M₂ − I₁ f f' w)/(I₁ f² + I₂), in
 * which there is no t. For that the functions of t count as letters of their own. Only what is without t in the end is taken. */
#include "page.h"

enum { TIMES_LETS = 4, TIMES_LETTERS = 8 };
/* Longer expressions are left as they are. */
#define TIMES_LONGEST 400.0

typedef struct times {
    worksheet *w;
    expr_list call, letter; /* functions of t, and what stands for them */
    page_let let[TIMES_LETS];
    size_t count;
    ah_expr best;
} times;

static bool is_of_time(const worksheet *w, ah_expr e)
{
    const expr_list s = expr_symbols(w->ctx, w->arena, &e, 1);
    bool time = false;
    for (size_t i = 0; i < s.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(w->ctx, s.at[i]);
        if (kind != AH_TIME && kind != AH_PARAMETER) return false;
        time = time || kind == AH_TIME;
    }
    return time;
}

static bool has_time(const worksheet *w, ah_expr e)
{
    const expr_list s = expr_symbols(w->ctx, w->arena, &e, 1);
    for (size_t i = 0; i < s.count; i++)
        if (expr_get_kind(w->ctx, s.at[i]) == AH_TIME) return true;
    return false;
}

static ah_expr put_letter(ah_ctx *ctx, void *user, ah_expr e)
{
    times *x = user;
    if (expr_get_op(ctx, e) != EXPR_CALL || !is_of_time(x->w, e)) return e;
    for (size_t i = 0; i < x->call.count; i++)
        if (x->call.at[i] == e) return x->letter.at[i];
    const char *name = arena_printf(x->w->arena, "letter of time %zu", x->call.count);
    LIST_PUSH(x->w->arena, &x->call, e);
    LIST_PUSH(x->w->arena, &x->letter, expr_symbol(ctx, AH_LOCAL, name));
    return x->letter.at[x->letter.count - 1];
}

/* Neither t nor a letter of its functions. */
static bool is_free_of_time(const times *x, ah_expr e)
{
    const expr_list s = expr_symbols(x->w->ctx, x->w->arena, &e, 1);
    for (size_t i = 0; i < x->letter.count; i++)
        if (expr_find(&s, x->letter.at[i]) != EXPR_NOWHERE) return false;
    return !has_time(x->w, e);
}

static ah_expr linear_in(ah_ctx *ctx, ah_expr symbol, const page_let *let)
{
    const ah_expr slope = expr_diff(ctx, let->value, symbol), none = expr_int(ctx, 0);
    if (expr_is_zero(ctx, slope) || !expr_is_zero(ctx, expr_diff(ctx, slope, symbol)))
        return AH_NONE;
    const ah_expr rest = expr_subst(ctx, let->value, 1, &symbol, &none);
    return expr_div(ctx, expr_sub(ctx, let->symbol, rest), slope);
}

/* The lets from the i-th on, each solved for one letter or left out; let[i…] have the earlier ones put in. */
static void solve_in_turn(times *x, ah_expr e, const page_let *let, size_t i)
{
    ah_ctx *ctx = x->w->ctx;
    algebra *alg = x->w->model->alg;
    ctx_tick(ctx);
    if (is_free_of_time(x, e)) {
        if (x->best == AH_NONE || worksheet_length(ctx, e) < worksheet_length(ctx, x->best))
            x->best = e;
        return;
    }
    if (i == x->count) return;
    solve_in_turn(x, e, let, i + 1);
    const expr_list s = expr_symbols(ctx, x->w->arena, &let[i].value, 1);
    const expr_list here = expr_symbols(ctx, x->w->arena, &e, 1);
    for (size_t k = 0; k < s.count && s.count <= TIMES_LETTERS; k++) {
        if (expr_find(&here, s.at[k]) == EXPR_NOWHERE) continue;
        const ah_expr by = linear_in(ctx, s.at[k], &let[i]);
        if (by == AH_NONE) continue;
        page_let after[TIMES_LETS] = {0};
        for (size_t j = i + 1; j < x->count; j++) {
            after[j] = let[j];
            after[j].value = algebra_simplify(alg, expr_subst(ctx, let[j].value, 1, &s.at[k], &by));
        }
        solve_in_turn(x, algebra_simplify(alg, expr_subst(ctx, e, 1, &s.at[k], &by)), after, i + 1);
    }
}

ah_expr page_through_times(worksheet *w, ah_expr e, const page_let *let, size_t count)
{
    ah_ctx *ctx = w->ctx;
    times x = {.w = w, .best = AH_NONE};
    ah_expr now = e;
    for (size_t k = 0; k < count; k++) now = expr_subst(ctx, now, 1, &let[k].symbol, &let[k].value);
    if (!has_time(w, now) || worksheet_length(ctx, now) > TIMES_LONGEST) return e;
    page_map(ctx, w->arena, &now, 1, put_letter, &x);
    for (size_t k = 0; k < count && x.count < TIMES_LETS; k++) {
        if (!is_of_time(w, let[k].value)) continue;
        x.let[x.count] = let[k];
        page_map(ctx, w->arena, &x.let[x.count++].value, 1, put_letter, &x);
    }
    solve_in_turn(&x, now, x.let, 0);
    return x.best == AH_NONE ? e : x.best;
}
