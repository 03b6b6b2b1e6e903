/* worksheet/difference_angles.c - sums that depend on differences of angles.
 *
 * With the base angles a and b the algebra writes sin(a − b) cos(a − b) as sin a cos a − sin b cos b + 2 sin a sin b sin(a − b): nothing of it
 * can be put together term by term (sum_angles.c). But with a = u + b put in, b falls out. In a linkage some angles turn together and others
 * do not; and what gravity does turns with them, a(u) sin b + c(u) cos b. So in a sum with several angles each of them is tried as the one that some
 * of the others are counted from, forwards or backwards, and what becomes shorter is taken. */
#include "page.h"

#include <math.h>

/* Sums of this length are looked at, and must lose this share of it. */
#define ANGLES_SHORTEST 18.0
#define ANGLES_LONGEST  500.0
#define ANGLES_SHORTER  0.15
/* Angles are turned by so much to see what becomes of a sum. */
#define ANGLES_TURN 0.7
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

/* Angles that are counted from one of them: it stands for `from`, the others for themselves and by[i] times it, −1, 0 or 1. */
typedef struct counting {
    size_t from;
    int by[ANGLES_MOST];
} counting;

/* The k-th of 3ⁿ⁻¹ countings from one of n angles; false: none of the others is counted from it. */
static bool kth_counting(const angles *a, size_t from, size_t k, counting *out)
{
    bool any = false;
    *out = (counting){.from = from};
    for (size_t i = 0; i < a->count; i++) {
        if (i == from) continue;
        out->by[i] = k % 3 == 2 ? -1 : (int) (k % 3);
        any = any || out->by[i];
        k /= 3;
    }
    return any;
}

/* The sum with these differences in the place of the angles. */
static ah_expr counted(worksheet *w, ah_expr e, const angles *a, const counting *c)
{
    ah_ctx *ctx = w->ctx;
    ah_expr symbol[ANGLES_MOST], by[ANGLES_MOST], difference[ANGLES_MOST], back[ANGLES_MOST];
    size_t count = 0;
    for (size_t i = 0; i < a->count; i++) {
        if (!c->by[i]) continue;
        const ah_expr u = expr_symbol(ctx, AH_LOCAL, arena_printf(w->arena, "difference %zu", i));
        const ah_expr with = expr_mul(ctx, expr_int(ctx, c->by[i]), a->at[c->from]);
        symbol[count] = a->at[i];
        difference[count] = u;
        by[count] = expr_add(ctx, u, with);
        back[count++] = expr_sub(ctx, a->at[i], with);
    }
    const ah_expr other = algebra_simplify(w->model->alg, expr_subst(ctx, e, count, symbol, by));
    ah_expr out = expr_subst(ctx, other, count, difference, back);
    page_combine(ctx, w->arena, &out, 1);
    return out;
}

/* The values of the sum at some arbitrary states, and with the angles turned to either side. */
typedef struct turned {
    const expr_plan *plan;
    expr_list symbols;
    frame *state;
    uint32_t slot[ANGLES_MOST];
} turned;

static double value_of(const turned *t, const angles *a, const counting *c, double by)
{
    double value;
    for (size_t i = 0; i < a->count; i++)
        t->state->at[t->slot[i]] += by * (i == c->from ? 1 : c->by[i]);
    expr_plan_run(t->plan, t->state, &value);
    for (size_t i = 0; i < a->count; i++)
        t->state->at[t->slot[i]] -= by * (i == c->from ? 1 : c->by[i]);
    return value;
}

/* Where the sum stays the same when the angles turn together, one of them falls out; where it turns like a sine, a sin u + b cos u is left. */
static bool is_worth_trying(const turned *t, const angles *a, const counting *c)
{
    bool stays = true, turns = true;
    for (int k = 0; k < PAGE_STATES; k++) {
        page_set_arbitrary(t->state, &t->symbols, k);
        const double now = value_of(t, a, c, 0), after = value_of(t, a, c, ANGLES_TURN);
        const double before = value_of(t, a, c, -ANGLES_TURN);
        stays = stays && !page_differ(after, now);
        turns = turns && !page_differ(after + before, 2 * cos(ANGLES_TURN) * now);
    }
    return stays || turns;
}

/* The shortest of all these; the sum itself, where it does not become much shorter. */
static ah_expr shortest(worksheet *w, ah_expr e, const angles *a)
{
    ah_ctx *ctx = w->ctx;
    const double length = worksheet_length(ctx, e);
    ah_expr best = e;
    ctx_tick(ctx);
    if (a->count < 2) return e;
    turned t = {.plan = expr_plan_create(ctx, w->arena, &e, 1),
                .symbols = expr_symbols(ctx, w->arena, &e, 1),
                .state = frame_create(ctx, w->arena, NAN)};
    size_t countings = 1;
    for (size_t i = 0; i < a->count; i++) t.slot[i] = expr_slot(ctx, a->at[i]);
    for (size_t i = 1; i < a->count; i++) countings *= 3;
    for (size_t from = 0; from < a->count; from++)
        for (size_t k = 0; k < countings; k++) {
            counting c;
            if (!kth_counting(a, from, k, &c) || !is_worth_trying(&t, a, &c)) continue;
            const ah_expr other = counted(w, e, a, &c);
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
