/* worksheet/unify.c - one form for one thing.
 *
 * The algebra writes each entry as short as it can, and so one sum comes out in several forms on a
 * page. Here the shortest of them is taken everywhere, a sum that is a product is written as one,
 * and sums inside products begin with a plus where they can. */
#include "page.h"

#include <math.h>

/* Sums are compared by their values at a few arbitrary states before they are proved equal. */
enum { PRINTS = 3 };
#define PRINTS_AGREE 1e-9
/* Sums longer than this may be worth factoring. */
#define UNIFY_FACTOR 18.0
/* Denominators and what a load is multiplied by are written as products unless they become longer than this. */
#define UNIFY_PRODUCT 1.4
/* Sums of more terms are not searched for multiples of a name. */
#define UNIFY_TERMS 64
/* A difference is written when it is shorter than this part of the sum. */
#define UNIFY_DIFFERENCE 0.6

typedef struct changes {
    LIST(ah_expr) from;
    LIST(ah_expr) to;
} changes;

static void change(worksheet *w, changes *c, ah_expr from, ah_expr to)
{
    LIST_PUSH(w->arena, &c->from, from);
    LIST_PUSH(w->arena, &c->to, to);
}

static void apply(worksheet *w, page *p, const changes *c)
{
    if (c->from.count) page_replace(w, p, c->from.at, c->to.at, c->from.count);
}

/* ---- Products -------------------------------------------------------------------------------- */

/* The sum as a product, if it is one of more than a number and a sum and no longer than `room` characters. */
static ah_expr as_product(worksheet *w, ah_expr e, double room)
{
    ah_ctx *ctx = w->ctx;
    algebra_factors f;
    ah_expr over, under;
    int sums = 0;
    if (!algebra_fraction(w->model->alg, e, &over, &under) || !expr_is_one(ctx, under)) return e;
    if (!algebra_factor(w->model->alg, e, &f)) return e;
    ah_expr product = expr_int(ctx, 1);
    for (size_t i = 0; i < f.count; i++) {
        if (expr_get_op(ctx, f.factor[i]) != EXPR_NUMBER) sums += f.exponent[i];
        product =
            expr_mul(ctx, product,
                     expr_powi(ctx, algebra_simplify(w->model->alg, f.factor[i]), f.exponent[i]));
    }
    return sums > 1 && worksheet_length(ctx, product) < room ? product : e;
}

/* Which sums of the page are denominators: these are better as products, though they get a little longer. */
static bool *find_denominators(worksheet *w, const page_census *c)
{
    bool *under = NEW_ARRAY(w->arena, bool, c->node.count + 1);
    for (size_t i = 0; i < c->node.count; i++) {
        long power;
        if (expr_get_op(w->ctx, c->node.at[i]) != EXPR_POWER) continue;
        const ah_expr *child = expr_get_children(w->ctx, c->node.at[i]);
        if (expr_is_int(w->ctx, child[1], &power) && power < 0)
            under[expr_find(&c->node, child[0])] = true;
    }
    return under;
}

static void find_products(worksheet *w, page *p)
{
    const page_census c = page_count(w, w->arena, p);
    const bool *under = find_denominators(w, &c);
    changes found = {0};
    for (size_t i = 0; i < c.node.count; i++) {
        const ah_expr e = c.node.at[i];
        if (expr_get_op(w->ctx, e) != EXPR_SUM || c.length[i] < UNIFY_FACTOR || c.times[i] < 1)
            continue;
        const ah_expr product = as_product(w, e, c.length[i] * (under[i] ? UNIFY_PRODUCT : 1));
        if (product != e) change(w, &found, e, product);
    }
    apply(w, p, &found);
}

/* ---- Loads ----------------------------------------------------------------------------------- */

/* The terms of the sum with the factor, without it, in *with; the others in *rest; the number of the former. */
static size_t split_terms(ah_ctx *ctx, ah_expr e, ah_expr factor, ah_expr *with, ah_expr *rest)
{
    const size_t count = expr_get_count(ctx, e);
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *in = NEW_ARRAY(&ctx->scratch, ah_expr, count + 1);
    ah_expr *out = NEW_ARRAY(&ctx->scratch, ah_expr, count + 1);
    size_t found = 0, others = 0;
    for (size_t i = 0; i < count; i++) {
        const ah_expr term = expr_get_children(ctx, e)[i];
        bool has = false;
        if (expr_get_op(ctx, term) == EXPR_PRODUCT)
            for (size_t k = 0; k < expr_get_count(ctx, term); k++)
                has = has || expr_get_children(ctx, term)[k] == factor;
        if (has)
            in[found++] = expr_div(ctx, term, factor);
        else
            out[others++] = term;
    }
    *with = expr_sum(ctx, found, in);
    *rest = expr_sum(ctx, others, out);
    arena_release(&ctx->scratch, mark);
    return found;
}

/* Forces and torques that the model leaves open: symbols of the forces, of nothing else. */
static expr_list find_loads(worksheet *w)
{
    const ah_model *m = w->model;
    const expr_list inertia = expr_symbols(w->ctx, w->arena, &m->T, 1);
    const expr_list all = expr_symbols(w->ctx, w->arena, m->F, m->n);
    expr_list loads = {NEW_ARRAY(w->arena, ah_expr, all.count + 1), 0, 0};
    for (size_t i = 0; i < all.count; i++)
        if (expr_get_kind(w->ctx, all.at[i]) == AH_PARAMETER &&
            expr_find(&inertia, all.at[i]) == EXPR_NOWHERE)
            loads.at[loads.count++] = all.at[i];
    return loads;
}

/* Each load with all that it is multiplied by: A (b + c + d), not A b + A c + A d. */
static ah_expr by_loads(worksheet *w, const expr_list *load, ah_expr e)
{
    ah_ctx *ctx = w->ctx;
    for (size_t i = 0; i < load->count && expr_get_op(ctx, e) == EXPR_SUM; i++) {
        ah_expr with, rest;
        if (split_terms(ctx, e, load->at[i], &with, &rest) < 2) continue;
        with = expr_get_op(ctx, with) == EXPR_SUM
                   ? as_product(w, with, UNIFY_PRODUCT * worksheet_length(ctx, with))
                   : with;
        const ah_expr now = expr_add(ctx, expr_mul(ctx, load->at[i], with), rest);
        if (worksheet_length(ctx, now) <= worksheet_length(ctx, e)) e = now;
    }
    return e;
}

static void collect_loads(worksheet *w, page *p)
{
    const page_census c = page_count(w, w->arena, p);
    const expr_list load = find_loads(w);
    changes found = {0};
    for (size_t i = 0; load.count && i < c.node.count; i++) {
        const ah_expr e = c.node.at[i];
        if (expr_get_op(w->ctx, e) != EXPR_SUM || c.length[i] < UNIFY_FACTOR || c.times[i] < 1)
            continue;
        const ah_expr now = by_loads(w, &load, e);
        if (now != e) change(w, &found, e, now);
    }
    apply(w, p, &found);
}

/* ---- Velocities through quasi-velocities ------------------------------------------------------ */

/* Collected, they may be this much longer: coefficients are what an author has names for. */
#define UNIFY_COLLECTED 1.15

/* a ω_1 + b ω_2 + c of a sum that is linear in the speeds. */
static ah_expr by_speeds(worksheet *w, ah_expr sum)
{
    ah_ctx *ctx = w->ctx;
    const uint32_t count = w->eq->speeds.rows;
    const ah_expr *speed = mat_to_dense(ctx, w->arena, w->eq->speeds);
    ah_expr *slope = NEW_ARRAY(w->arena, ah_expr, count + 1);
    ah_expr *zero = NEW_ARRAY(w->arena, ah_expr, count + 1), now = expr_int(ctx, 0);
    expr_gradient(ctx, sum, count, speed, slope);
    const expr_list s = expr_symbols(ctx, w->arena, slope, count);
    for (uint32_t i = 0; i < count; i++) {
        if (expr_find(&s, speed[i]) != EXPR_NOWHERE) return sum; /* it is not linear */
        const ah_expr by = algebra_simplify(w->model->alg, slope[i]);
        now = expr_add(ctx, now, expr_mul(ctx, by, speed[i]));
        zero[i] = expr_int(ctx, 0);
    }
    const ah_expr rest = expr_subst(ctx, sum, count, speed, zero);
    now = expr_add(ctx, now, algebra_simplify(w->model->alg, rest));
    return worksheet_length(ctx, now) <= UNIFY_COLLECTED * worksheet_length(ctx, sum) ? now : sum;
}

/* A fraction with its numerator collected. */
static ah_expr collected(worksheet *w, ah_expr e)
{
    ah_ctx *ctx = w->ctx;
    if (expr_get_op(ctx, e) != EXPR_PRODUCT) return e;
    const size_t count = expr_get_count(ctx, e);
    ah_expr *child = NEW_ARRAY(w->arena, ah_expr, count);
    for (size_t i = 0; i < count; i++) {
        child[i] = expr_get_children(ctx, e)[i];
        if (expr_get_op(ctx, child[i]) == EXPR_SUM) child[i] = by_speeds(w, child[i]);
    }
    return expr_rebuild(ctx, e, child);
}

static void collect_speeds(worksheet *w, page *p)
{
    for (size_t i = 0; w->eq->is_omega && i < p->root.count; i++) {
        page_root *r = &p->root.at[i];
        if (r->step == PAGE_MEANING || r->row == PAGE_ELSEWHERE) continue;
        const ws_step *step = &w->step.at[r->step];
        if (step->kind != STEP_EQUATIONS || !step->solved || r->row >= step->unknowns.rows)
            continue;
        const ah_expr left = mat_get(w->ctx, step->unknowns, r->row, 0);
        for (uint32_t k = 0; k < w->model->n; k++)
            if (left == w->model->v.at[k]) r->e = collected(w, r->e);
    }
}

/* ---- Equal sums ------------------------------------------------------------------------------ */

typedef struct fingerprint {
    ah_expr e;
    double length, value[PRINTS];
} fingerprint;

typedef struct fingerprints {
    LIST(fingerprint) of;
} fingerprints;

static fingerprints take_fingerprints(worksheet *w, const page_census *c)
{
    ah_ctx *ctx = w->ctx;
    fingerprints all = {{0}};
    for (size_t i = 0; i < c->node.count; i++)
        if (expr_get_op(ctx, c->node.at[i]) == EXPR_SUM && c->length[i] >= PAGE_SHORTEST)
            LIST_PUSH(w->arena, &all.of, ((fingerprint){c->node.at[i], c->length[i], {0}}));
    const size_t count = all.of.count;
    ah_expr *sum = NEW_ARRAY(w->arena, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) sum[i] = all.of.at[i].e;
    const expr_plan *plan = expr_plan_create(ctx, w->arena, sum, count);
    double *value = NEW_ARRAY(w->arena, double, count + 1);
    frame *state = frame_create(ctx, w->arena, NAN);
    const expr_list symbols = expr_symbols(ctx, w->arena, sum, count);
    for (int k = 0; k < PRINTS; k++) {
        page_set_arbitrary(state, &symbols, k);
        expr_plan_run(plan, state, value);
        for (size_t i = 0; i < count; i++) all.of.at[i].value[k] = value[i];
    }
    return all;
}

/* +1: equal, −1: opposite, 0: neither. */
static int compare(const fingerprint *a, const fingerprint *b)
{
    int sign = 0;
    for (int s = 1; s >= -1 && !sign; s -= 2) {
        sign = s;
        for (int k = 0; k < PRINTS; k++) {
            const double x = a->value[k], y = s * b->value[k];
            if (!(fabs(x - y) <= PRINTS_AGREE * (fabs(x) + fabs(y)))) sign = 0;
        }
    }
    return sign;
}

static void find_equals(worksheet *w, page *p)
{
    ah_ctx *ctx = w->ctx;
    const page_census c = page_count(w, w->arena, p);
    const fingerprints all = take_fingerprints(w, &c);
    changes found = {0};
    for (size_t i = 0; i < all.of.count; i++) {
        const fingerprint *a = &all.of.at[i], *best = a;
        int sign = 1;
        ctx_tick(ctx);
        for (size_t k = 0; k < all.of.count; k++) {
            const fingerprint *b = &all.of.at[k];
            const bool shorter =
                b->length < best->length || (b->length == best->length && b < best);
            const int s = shorter ? compare(a, b) : 0;
            if (s) best = b, sign = s;
        }
        const ah_expr same = sign > 0 ? best->e : page_turned(ctx, best->e);
        if (same == a->e || algebra_equal(w->model->alg, a->e, same) != AH_TRUE) continue;
        change(w, &found, a->e, sign > 0 ? best->e : expr_neg(ctx, best->e));
    }
    for (size_t i = found.from.count; i-- > 0;) /* one by one, what contains others first */
        page_replace(w, p, &found.from.at[i], &found.to.at[i], 1);
}

/* A parameter, or what the model calls a combination of some. */
static bool is_constant(const worksheet *w, ah_expr symbol)
{
    const ah_symbol_kind kind = expr_get_kind(w->ctx, symbol);
    const ah_expr value = kind == AH_LOCAL ? page_kept_value(w, symbol) : AH_NONE;
    if (value == AH_NONE) return kind == AH_PARAMETER;
    const expr_list s = expr_symbols(w->ctx, w->arena, &value, 1);
    for (size_t i = 0; i < s.count; i++)
        if (!is_constant(w, s.at[i])) return false;
    return true;
}

/* Whether a/b is the same at states that share their parameters, as far as a few of these tell. */
static bool looks_constant(worksheet *w, ah_expr a, ah_expr b)
{
    const ah_expr pair[2] = {a, b};
    const expr_plan *plan = expr_plan_create(w->ctx, w->arena, pair, 2);
    const expr_list s = expr_symbols(w->ctx, w->arena, pair, 2);
    frame *state = frame_create(w->ctx, w->arena, NAN);
    double value[2], first = 0;
    for (int k = 0; k < PRINTS; k++) {
        for (size_t i = 0; i < s.count; i++) {
            const uint32_t slot = expr_slot(w->ctx, s.at[i]);
            state->at[slot] = page_arbitrary(slot, is_constant(w, s.at[i]) ? 0 : k);
        }
        expr_plan_run(plan, state, value);
        const double ratio = value[0] / value[1];
        if (!k) first = ratio;
        if (!(fabs(ratio - first) <= PRINTS_AGREE * fabs(first))) return false;
    }
    return true;
}

ah_expr page_multiple(worksheet *w, ah_expr a, ah_expr b)
{
    ah_ctx *ctx = w->ctx;
    if (!looks_constant(w, a, b)) return AH_NONE;
    const ah_expr ratio = algebra_simplify(w->model->alg, expr_div(ctx, a, b));
    const expr_list node = expr_reachable(ctx, w->arena, &ratio, 1);
    for (size_t i = 0; i < node.count; i++) {
        const expr_op op = expr_get_op(ctx, node.at[i]);
        if (op == EXPR_SYMBOL ? !is_constant(w, node.at[i])
                              : op != EXPR_NUMBER && op != EXPR_PRODUCT && op != EXPR_POWER)
            return AH_NONE;
    }
    return ratio;
}

/* ---- Signs ----------------------------------------------------------------------------------- */

static bool begins_with_minus(worksheet *w, ah_expr e)
{
    return worksheet_print(w, e, AH_TEXT)[0] == '-';
}

/* −(a − b) as a whole is b − a. */
static void open_brackets(worksheet *w, page *p)
{
    ah_ctx *ctx = w->ctx;
    long minus;
    for (size_t i = 0; i < p->root.count; i++) {
        ah_expr *e = &p->root.at[i].e;
        if (expr_get_op(ctx, *e) != EXPR_PRODUCT || expr_get_count(ctx, *e) != 2) continue;
        const ah_expr *child = expr_get_children(ctx, *e);
        if (expr_is_int(ctx, child[0], &minus) && minus == -1 &&
            expr_get_op(ctx, child[1]) == EXPR_SUM)
            *e = page_turned(ctx, child[1]);
    }
}

/* How the sums of the page stand there. */
typedef struct standing {
    bool *factor; /* in a product */
    bool *other;  /* elsewhere than in a product */
    bool *alone;  /* in a product that is not a term of a sum and has no minus of its own */
} standing;

static standing find_standing(worksheet *w, const page *p, const page_census *c)
{
    ah_ctx *ctx = w->ctx;
    const size_t count = c->node.count;
    standing s = {NEW_ARRAY(w->arena, bool, count + 1), NEW_ARRAY(w->arena, bool, count + 1),
                  NEW_ARRAY(w->arena, bool, count + 1)};
    bool *not_term = NEW_ARRAY(w->arena, bool, count + 1);
    for (size_t i = 0; i < p->root.count; i++)
        not_term[expr_find(&c->node, p->root.at[i].e)] = true;
    for (size_t i = count; i-- > 0;) { /* parents before children */
        const ah_expr e = c->node.at[i], *child = expr_get_children(ctx, e);
        const bool product = expr_get_op(ctx, e) == EXPR_PRODUCT;
        for (size_t k = 0; child && k < expr_get_count(ctx, e); k++) {
            const size_t at = expr_find(&c->node, child[k]);
            (product ? s.factor : s.other)[at] = true;
            if (expr_get_op(ctx, e) != EXPR_SUM) not_term[at] = true;
            if (product && not_term[i] && !page_is_negative(ctx, e)) s.alone[at] = true;
        }
    }
    return s;
}

/* What a sum that is only a factor of products becomes; itself: it stays. */
typedef ah_expr rewriting(worksheet *w, const page_census *c, const standing *s, size_t i);

static void rewrite_factors(worksheet *w, page *p, rewriting *as)
{
    const page_census c = page_count(w, w->arena, p);
    const standing s = find_standing(w, p, &c);
    changes found = {0};
    for (size_t i = 0; i < c.node.count; i++) {
        const ah_expr e = c.node.at[i];
        if (expr_get_op(w->ctx, e) != EXPR_SUM || !s.factor[i] || s.other[i]) continue;
        const ah_expr to = as(w, &c, &s, i);
        if (to != e) change(w, &found, e, to);
    }
    apply(w, p, &found);
}

/* (−a + b) c is −(a − b) c, and x + (b − a) c is x − (a − b) c where a − b stands on the page, too. Only factors of
 * products are turned: elsewhere the minus would stay. */
static ah_expr as_turned(worksheet *w, const page_census *c, const standing *s, size_t i)
{
    const ah_expr e = c->node.at[i], opposite = page_turned(w->ctx, e);
    const bool both = expr_find(&c->node, opposite) != EXPR_NOWHERE;
    const bool better = both ? !s->alone[i] && !page_faces(w->ctx, e)
                             : begins_with_minus(w, e) && !begins_with_minus(w, opposite);
    return better ? expr_neg(w->ctx, opposite) : e;
}

static void find_signs(worksheet *w, page *p)
{
    rewrite_factors(w, p, as_turned);
}

static long greatest_divisor(long a, long b)
{
    while (b) {
        const long rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

/* The integer that divides all terms, with the sign that they share. */
static long content_of(const ah_ctx *ctx, ah_expr sum)
{
    long content = 0;
    bool negative = true;
    for (size_t i = 0; i < expr_get_count(ctx, sum); i++) {
        ah_expr e = expr_get_children(ctx, sum)[i];
        long p = 1, q = 1;
        if (expr_get_op(ctx, e) == EXPR_PRODUCT) e = expr_get_children(ctx, e)[0];
        if (expr_get_op(ctx, e) == EXPR_NUMBER && !expr_is_rational(ctx, e, &p, &q)) return 1;
        content = q == 1 ? greatest_divisor(content, p) : 1;
        negative = negative && p < 0;
    }
    return negative ? -content : content;
}

static ah_expr as_multiple(worksheet *w, const page_census *c, const standing *s, size_t i)
{
    ah_ctx *ctx = w->ctx;
    const ah_expr e = c->node.at[i];
    const long content = content_of(ctx, e);
    (void) s;
    if (content == 1) return e;
    const size_t terms = expr_get_count(ctx, e);
    ah_expr *part = NEW_ARRAY(w->arena, ah_expr, terms), number = expr_int(ctx, content);
    for (size_t k = 0; k < terms; k++)
        part[k] = expr_div(ctx, expr_get_children(ctx, e)[k], number);
    return expr_mul(ctx, number, expr_sum(ctx, terms, part));
}

void page_take_contents(worksheet *w, page *p)
{
    rewrite_factors(w, p, as_multiple);
}

/* Where it makes the page shorter. */
static void find_angles(worksheet *w, page *p)
{
    for (size_t i = 0; i < p->root.count; i++) {
        ah_expr e = p->root.at[i].e;
        page_count_angles(w, &e);
        page_combine(w->ctx, w->arena, &e, 1);
        if (worksheet_length(w->ctx, e) < worksheet_length(w->ctx, p->root.at[i].e))
            p->root.at[i].e = e;
    }
}

static void tidy(worksheet *w, page *p)
{
    ah_expr *e = NEW_ARRAY(w->arena, ah_expr, p->root.count + 1);
    for (size_t i = 0; i < p->root.count; i++) e[i] = p->root.at[i].e;
    page_tidy(w->ctx, w->arena, e, p->root.count);
    for (size_t i = 0; i < p->root.count; i++) p->root.at[i].e = e[i];
}

void page_unify(worksheet *w, page *p)
{
    find_angles(w, p);
    collect_speeds(w, p);
    find_products(w, p);
    collect_loads(w, p);
    tidy(w, p);
    find_equals(w, p);
    find_signs(w, p);
    open_brackets(w, p);
}

/* ---- Differences ----------------------------------------------------------------------------- */

/* The terms of a that b does not have; *common counts the others. Terms ascend by handle. */
static ah_expr terms_without(ah_ctx *ctx, ah_expr a, ah_expr b, size_t *common)
{
    const size_t count = expr_get_count(ctx, a), others = expr_get_count(ctx, b);
    const ah_expr *x = expr_get_children(ctx, a), *y = expr_get_children(ctx, b);
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *left = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    size_t kept = 0;
    for (size_t i = 0, k = 0; i < count; i++) {
        while (k < others && y[k] < x[i]) k++;
        if (k == others || y[k] != x[i]) left[kept++] = x[i];
    }
    *common = count - kept;
    const ah_expr e = expr_sum(ctx, kept, left);
    arena_release(&ctx->scratch, mark);
    return e;
}

static page meanings_of(worksheet *w, const page *p)
{
    page only = {{0}};
    for (size_t i = 0; i < p->root.count; i++)
        if (p->root.at[i].step == PAGE_MEANING) LIST_PUSH(w->arena, &only.root, p->root.at[i]);
    return only;
}

/* The sum through the name of another, where that is shorter; AH_NONE: it is not. */
static ah_expr as_difference(worksheet *w, ah_expr e, const ws_name *name, ah_expr meaning)
{
    ah_ctx *ctx = w->ctx;
    size_t common = 0, again;
    if (name->shown || expr_get_op(ctx, meaning) != EXPR_SUM) return AH_NONE;
    const ah_expr rest = terms_without(ctx, e, meaning, &common);
    if (common < 2) return AH_NONE;
    const ah_expr lacking = terms_without(ctx, meaning, e, &again);
    const ah_expr shorter =
        expr_add(ctx, name->stands, algebra_simplify(w->model->alg, expr_sub(ctx, rest, lacking)));
    const double room = UNIFY_DIFFERENCE * worksheet_length(ctx, e);
    return worksheet_length(ctx, shorter) > room ? AH_NONE : shorter;
}

/* Terms of a sum that are together a multiple of what a name says: v₁² ẏ for ẋ₁² ẏ + ẏ₁² ẏ; AH_NONE: there are none. */
static ah_expr as_multiples(worksheet *w, ah_expr e, const ws_name *name, ah_expr meaning)
{
    ah_ctx *ctx = w->ctx;
    const size_t terms = expr_get_count(ctx, e);
    if (name->shown || expr_get_op(ctx, meaning) != EXPR_SUM || terms > UNIFY_TERMS) return AH_NONE;
    const size_t parts = expr_get_count(ctx, meaning);
    const ah_expr *part = expr_get_children(ctx, meaning);
    ah_expr *left = NEW_ARRAY(w->arena, ah_expr, terms + 1), now = expr_int(ctx, 0);
    for (size_t i = 0; i < terms; i++) left[i] = expr_get_children(ctx, e)[i];
    for (size_t i = 0; i < terms; i++) {
        if (expr_is_zero(ctx, left[i])) continue;
        const ah_expr by = expr_div(ctx, left[i], part[0]);
        size_t found = 0, *at = NEW_ARRAY(w->arena, size_t, parts + 1);
        for (size_t k = 0; k < parts && found == k; k++)
            for (size_t j = 0; j < terms && found == k; j++)
                if (left[j] == expr_mul(ctx, by, part[k])) at[found++] = j;
        if (found < parts) continue;
        for (size_t k = 0; k < parts; k++) left[at[k]] = expr_int(ctx, 0);
        now = expr_add(ctx, now, expr_mul(ctx, by, name->stands));
    }
    if (expr_is_zero(ctx, now)) return AH_NONE;
    now = expr_add(ctx, now, expr_sum(ctx, terms, left));
    return worksheet_length(ctx, now) < worksheet_length(ctx, e) ? now : AH_NONE;
}

/* By either. */
static ah_expr by_name(worksheet *w, ah_expr e, const ws_name *name, ah_expr meaning)
{
    const ah_expr difference = as_difference(w, e, name, meaning);
    return difference != AH_NONE ? difference : as_multiples(w, e, name, meaning);
}

/* Whether the explanation of one name leads to another. */
static bool leads_to(worksheet *w, const page *p, size_t from, size_t to, size_t most)
{
    const expr_list s = expr_symbols(w->ctx, w->arena, &p->root.at[w->names.at[from].meaning].e, 1);
    if (!most || expr_find(&s, w->names.at[to].symbol) != EXPR_NOWHERE) return true;
    for (size_t i = 0; i < w->names.count; i++)
        if (i != from && expr_find(&s, w->names.at[i].symbol) != EXPR_NOWHERE &&
            leads_to(w, p, i, to, most - 1))
            return true;
    return false;
}

/* A name explained by one that was found before, Δ = F₂ + ρ² M (lets come first), and sums that are all that a name says. */
static void shorten_meanings(worksheet *w, page *p)
{
    ah_ctx *ctx = w->ctx;
    changes whole = {0};
    for (size_t i = 0; i < w->names.count; i++) {
        const size_t root = w->names.at[i].meaning;
        for (size_t k = 0; k < w->names.count; k++) {
            const ah_expr e = p->root.at[root].e;
            const ah_expr meaning = p->root.at[w->names.at[k].meaning].e;
            if (k == i || w->names.at[i].shown || expr_get_op(ctx, e) != EXPR_SUM) continue;
            const ah_expr shorter = k < i ? by_name(w, e, &w->names.at[k], meaning)
                                          : as_multiples(w, e, &w->names.at[k], meaning);
            if (shorter != AH_NONE && !leads_to(w, p, k, i, w->names.count))
                p->root.at[root].e = shorter;
        }
        const ah_expr e = p->root.at[root].e;
        if (expr_get_op(ctx, e) == EXPR_SUM && worksheet_length(ctx, e) >= PAGE_SHORTEST)
            change(w, &whole, e, w->names.at[i].stands);
    }
    apply(w, p, &whole);
}

void page_use_names(worksheet *w, page *p)
{
    ah_ctx *ctx = w->ctx;
    const page only = meanings_of(w, p);
    const page_census c = page_count(w, w->arena, p), inside = page_count(w, w->arena, &only);
    changes found = {0};
    for (size_t i = 0; i < c.node.count; i++) {
        const ah_expr e = c.node.at[i];
        if (expr_get_op(ctx, e) != EXPR_SUM || c.length[i] < UNIFY_FACTOR) continue;
        if (expr_find(&inside.node, e) != EXPR_NOWHERE)
            continue; /* names must not explain themselves */
        for (size_t k = 0; k < w->names.count; k++) {
            const ws_name *name = &w->names.at[k];
            const ah_expr shorter = by_name(w, e, name, p->root.at[name->meaning].e);
            if (shorter == AH_NONE) continue;
            change(w, &found, e, shorter);
            break;
        }
    }
    apply(w, p, &found);
    shorten_meanings(w, p);
}
