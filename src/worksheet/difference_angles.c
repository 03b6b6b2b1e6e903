/* worksheet/difference_angles.c - sums that depend on differences of angles alone.
 *
 * With the base angles a and b the algebra writes sin(a − b) cos(a − b) as sin a cos a − sin b cos b + 2 sin a sin b sin(a − b): nothing of it
 * can be put together term by term (sum_angles.c). But with a = u + b put in, b falls out. So in a sum with several angles each of them is tried as the one
 * that the others are counted from, and what becomes shorter is taken. */
#include "page.h"

/* Sums of this length are looked at, and must lose this share of it. */
#define ANGLES_SHORTEST 18.0
#define ANGLES_LONGEST  500.0
#define ANGLES_SHORTER  0.15
enum { ANGLES_MOST = 4 };

typedef struct angles {
    ah_expr at[ANGLES_MOST];
    size_t count;
} angles;

static bool is_circular(const ah_ctx *ctx, ah_expr e)
{
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    return f == AH_SIN || f == AH_COS;
}

/* The coordinates in sines and cosines; none, where there are more than are tried. */
static angles find_angles(const worksheet *w, ah_expr e)
{
    ah_ctx *ctx = w->ctx;
    const expr_list node = expr_reachable(ctx, w->arena, &e, 1);
    angles found = {.count = 0};
    for (size_t i = 0; i < node.count; i++) {
        if (!is_circular(ctx, node.at[i])) continue;
        const expr_list s = expr_symbols(ctx, w->arena, expr_get_children(ctx, node.at[i]), 1);
        for (size_t k = 0; k < s.count; k++) {
            if (expr_get_kind(ctx, s.at[k]) != AH_COORDINATE) continue;
            size_t at = 0;
            while (at < found.count && found.at[at] != s.at[k]) at++;
            if (at < found.count) continue;
            if (found.count == ANGLES_MOST) return (angles){.count = 0};
            found.at[found.count++] = s.at[k];
        }
    }
    return found;
}

/* The sum with all other angles as this one and what they differ from it by, or (turned) as what they lack to its opposite. */
static ah_expr counted_from(worksheet *w, ah_expr e, const angles *a, size_t from, bool turned)
{
    ah_ctx *ctx = w->ctx;
    ah_expr symbol[ANGLES_MOST], by[ANGLES_MOST], difference[ANGLES_MOST], back[ANGLES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (i == from) continue;
        const ah_expr u = expr_symbol(ctx, AH_LOCAL, arena_printf(w->arena, "difference %zu", i));
        symbol[count] = a->at[i];
        difference[count] = u;
        by[count] = turned ? expr_sub(ctx, u, a->at[from]) : expr_add(ctx, u, a->at[from]);
        back[count++] =
            turned ? expr_add(ctx, a->at[i], a->at[from]) : expr_sub(ctx, a->at[i], a->at[from]);
    }
    const ah_expr other = algebra_simplify(w->model->alg, expr_subst(ctx, e, count, symbol, by));
    if (expr_depends(ctx, other, a->at[from])) return e;
    return expr_subst(ctx, other, count, difference, back);
}

/* Whether it stays the same when all angles grow alike, or (turned) one as much as the others shrink: otherwise none falls out. */
static bool may_fall_out(const double *slope, const angles *a, size_t from, bool turned)
{
    for (size_t k = 0; k < PAGE_STATES; k++) {
        double others = 0;
        for (size_t i = 0; i < a->count; i++) others += i == from ? 0 : slope[k * a->count + i];
        if (page_differ(slope[k * a->count + from], turned ? others : -others)) return false;
    }
    return true;
}

/* The shortest of all these; the sum itself, where it does not become much shorter. */
static ah_expr shortest(worksheet *w, ah_expr e, const angles *a)
{
    ah_ctx *ctx = w->ctx;
    const double length = worksheet_length(ctx, e);
    ah_expr best = e;
    ctx_tick(ctx);
    if (a->count < 2) return e;
    const double *slope = page_slopes(w, e, a->count, a->at);
    for (size_t from = 0; from < a->count; from++)
        for (int turned = 0; turned < (a->count == 2 ? 2 : 1); turned++) {
            if (!may_fall_out(slope, a, from, turned)) continue;
            const ah_expr other = counted_from(w, e, a, from, turned);
            if (worksheet_length(ctx, other) < worksheet_length(ctx, best)) best = other;
        }
    return worksheet_length(ctx, best) <= (1 - ANGLES_SHORTER) * length ? best : e;
}

/* The terms of a sum that have these two angles and no others, shortened. */
static ah_expr shorten_pair(worksheet *w, ah_expr sum, ah_expr a, ah_expr b)
{
    ah_ctx *ctx = w->ctx;
    ah_expr with = expr_int(ctx, 0), rest = with;
    angles pair = {.count = 0};
    for (size_t i = 0; i < expr_get_count(ctx, sum); i++) {
        const ah_expr term = expr_get_children(ctx, sum)[i];
        const angles own = find_angles(w, term);
        bool fits = own.count > 0;
        for (size_t k = 0; k < own.count; k++) fits = fits && (own.at[k] == a || own.at[k] == b);
        *(fits ? &with : &rest) = expr_add(ctx, fits ? with : rest, term);
    }
    if (expr_get_op(ctx, with) == EXPR_SUM) pair = find_angles(w, with);
    if (pair.count != 2 || worksheet_length(ctx, with) < ANGLES_SHORTEST) return sum;
    const ah_expr other = shortest(w, with, &pair);
    return other == with ? sum : expr_add(ctx, rest, other);
}

static ah_expr shorten(ah_ctx *ctx, void *user, ah_expr e)
{
    worksheet *w = user;
    if (expr_get_op(ctx, e) != EXPR_SUM) return e;
    const double length = worksheet_length(ctx, e);
    if (length < ANGLES_SHORTEST || length > ANGLES_LONGEST) return e;
    const angles a = find_angles(w, e);
    ah_expr now = shortest(w, e, &a);
    for (size_t i = 0; now == e && a.count > 2 && i < a.count; i++)
        for (size_t k = 0; now == e && k < i; k++) now = shorten_pair(w, e, a.at[i], a.at[k]);
    return now;
}

void page_count_angles(worksheet *w, ah_expr *e)
{
    page_map(w->ctx, w->arena, e, 1, shorten, w);
}
