/* worksheet/same_parts.c - intermediate quantities that are the same have one name.
 *
 * Parts of an elimination come out in forms of their own, so that an angular velocity that the geometry has named may stand there once
 * more as a quotient of pivots. What has the same values at arbitrary states, up to the sign, and is proved to be the same, is
 * called by the name that came first. */
#include "page.h"

#include <math.h>

enum { SAME_STATES = 3 };
#define SAME_AGREE 1e-9
/* More names are not compared: there the proofs are long, too. */
#define SAME_MOST 150

/* Values of the names from `first` on, each after those that it rests on. */
static double *values_of(worksheet *w, size_t first)
{
    const size_t count = w->names.count - first;
    double *value = NEW_ARRAY(w->arena, double, SAME_STATES *count + 1);
    ah_expr *meaning = NEW_ARRAY(w->arena, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) meaning[i] = w->names.at[first + i].meaning;
    const expr_list s = expr_symbols(w->ctx, w->arena, meaning, count);
    frame *state = frame_create(w->ctx, w->arena, NAN);
    for (int k = 0; k < SAME_STATES; k++) {
        page_set_arbitrary(state, &s, k);
        for (size_t i = 0; i < count; i++) {
            double *to = &value[i * SAME_STATES + (size_t) k];
            expr_plan_run(expr_plan_create(w->ctx, w->arena, &meaning[i], 1), state, to);
            const ah_expr symbol = w->names.at[first + i].symbol;
            frame_put(state, expr_slot(w->ctx, symbol), *to);
        }
    }
    return value;
}

/* +1: equal, −1: opposite, 0: neither. */
static int compare(const double *a, const double *b)
{
    for (int sign = 1; sign >= -1; sign -= 2) {
        int same = 0;
        while (same < SAME_STATES &&
               fabs(a[same] - sign * b[same]) <= SAME_AGREE * (fabs(a[same]) + fabs(b[same])))
            same++;
        if (same == SAME_STATES) return sign;
    }
    return 0;
}

/* In what has no name. */
static ah_expr written_out(worksheet *w, size_t first, ah_expr e)
{
    for (size_t i = w->names.count; i-- > first;)
        e = expr_subst(w->ctx, e, 1, &w->names.at[i].symbol, &w->names.at[i].meaning);
    return e;
}

static void rename_in(worksheet *w, ws_value *v, ah_expr from, ah_expr to)
{
    v->shown = mat_subst(w->ctx, w->arena, v->shown, 1, &from, &to);
    v->exact = mat_subst(w->ctx, w->arena, v->exact, 1, &from, &to);
}

/* Takes the name at i away: it is what `to` is. */
static void unite(worksheet *w, size_t i, ah_expr to)
{
    const ah_expr from = w->names.at[i].symbol;
    for (size_t k = i + 1; k < w->names.count; k++) {
        w->names.at[k].meaning = expr_subst(w->ctx, w->names.at[k].meaning, 1, &from, &to);
        w->names.at[k - 1] = w->names.at[k];
    }
    w->names.count--;
    for (size_t k = 0; k < w->step.count; k++) {
        ws_step *step = &w->step.at[k];
        if (!step->in_parts) continue;
        rename_in(w, &step->left, from, to);
        rename_in(w, &step->q.value, from, to);
    }
}

typedef struct known {
    const worksheet *w;
    size_t first, count; /* these names */
} known;

/* (−a − b) c is −(a + b) c. */
static ah_expr with_signs_out(ah_ctx *ctx, ah_expr e)
{
    ah_expr product = expr_int(ctx, 1);
    bool turned = false;
    for (size_t i = 0; i < expr_get_count(ctx, e); i++) {
        const ah_expr factor = expr_get_children(ctx, e)[i], minus = expr_neg(ctx, factor);
        const ah_expr sum = page_signed(ctx, minus);
        turned = turned || sum != minus;
        product = expr_mul(ctx, product, sum != minus ? expr_neg(ctx, sum) : factor);
    }
    return turned ? product : e;
}

static ah_expr square_for(ah_ctx *ctx, void *user, ah_expr e)
{
    const ws_name *name = user;
    return e == expr_powi(ctx, name->symbol, 2) ? expr_get_children(ctx, name->meaning)[0] : e;
}

/* r² + x² is 1 where r = √(1 − x²). */
static ah_expr without_roots(const known *k, ah_expr e)
{
    ah_ctx *ctx = k->w->ctx;
    for (size_t i = k->first; i < k->count; i++) {
        ws_name *name = &k->w->names.at[i];
        const ah_expr m = name->meaning, *of = expr_get_children(ctx, m);
        const bool composite = of && expr_get_op(ctx, of[0]) == EXPR_SUM;
        if (!composite || m != expr_call1(ctx, AH_SQRT, of[0])) continue;
        if (!page_contains(k->w, e, name->symbol)) continue;
        ah_expr other = e;
        page_map(ctx, k->w->arena, &other, 1, square_for, name);
        if (worksheet_length(ctx, other) < worksheet_length(ctx, e)) e = other;
    }
    return e;
}

static ah_expr as_known(ah_ctx *ctx, void *user, ah_expr e)
{
    const known *k = user;
    if (expr_get_op(ctx, e) == EXPR_PRODUCT) return with_signs_out(ctx, e);
    if (expr_get_op(ctx, e) == EXPR_SUM) e = without_roots(k, e);
    if (expr_get_op(ctx, e) != EXPR_SUM) return e;
    const ah_expr turned = page_turned(ctx, e);
    for (size_t i = k->first; i < k->count; i++) {
        const ws_name *name = &k->w->names.at[i];
        if (name->meaning == e) return name->symbol;
        if (name->meaning == turned) return expr_neg(ctx, name->symbol);
    }
    return e;
}

static ah_expr in_known(ah_ctx *ctx, void *user, ah_expr e)
{
    page_map(ctx, ((known *) user)->w->arena, &e, 1, as_known, user);
    return e;
}

/* Like terms that are collected after others have names may bring the meaning of one once more, (b + a) x − h x of h = b + a. */
static void use_known(worksheet *w, size_t first)
{
    known k = {w, first, w->names.count};
    for (size_t i = first; i < w->names.count; i++) {
        k.count = i;
        w->names.at[i].meaning = in_known(w->ctx, &k, w->names.at[i].meaning);
    }
    k.count = w->names.count;
    for (size_t i = 0; i < w->step.count; i++) {
        ws_step *step = &w->step.at[i];
        if (!step->in_parts) continue;
        step->left.shown = mat_map(w->ctx, w->arena, step->left.shown, in_known, &k);
        step->q.value.shown = mat_map(w->ctx, w->arena, step->q.value.shown, in_known, &k);
    }
}

void page_unite_parts(worksheet *w, size_t first)
{
    use_known(w, first);
    if (w->names.count - first > SAME_MOST || w->names.count == first) return;
    double *value = values_of(w, first);
    for (size_t i = 1; first + i < w->names.count; i++) {
        const double *own = &value[i * SAME_STATES];
        for (size_t k = 0; k < i; k++) {
            const int sign = compare(own, &value[k * SAME_STATES]);
            if (!sign) continue;
            const ws_name *a = &w->names.at[first + i], *b = &w->names.at[first + k];
            const ah_expr same = sign > 0 ? b->symbol : expr_neg(w->ctx, b->symbol);
            if (algebra_equal(w->model->alg, written_out(w, first, a->symbol),
                              written_out(w, first, same)) != AH_TRUE)
                continue;
            unite(w, first + i, same);
            for (size_t j = i * SAME_STATES; j < (w->names.count - first) * SAME_STATES; j++)
                value[j] = value[j + SAME_STATES];
            i--;
            break;
        }
    }
}
