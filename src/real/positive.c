/* real/positive.c - see positive.h. */
#include "positive.h"

#include "../model/model.h"

#include <math.h>
#include <string.h>

#define SECONDS 0.5 /* that one question to the algebra may take */
/* Share of the size of a sum by which it is surely not zero in doubles. */
#define CLEARLY 1e-6
/* Powers of ten among which values are drawn where there is no bound. */
#define SPREAD 2.0

enum {
    HALVINGS = 9, /* of an interval, one after the other */
    PARTS = 200,  /* of all intervals */
    POINTS = 24   /* at which a counterexample is looked for */
};

typedef struct range {
    ah_expr symbol, low, high; /* AH_NONE: no such bound */
} range;

typedef struct prover {
    ah_ctx *ctx;
    arena *arena;
    LIST(algebra_fact) facts; /* that are no ranges */
    LIST(range) ranges;
    size_t expressions;
    const ah_expr *e;
    size_t parts;
    algebra *alg; /* with the facts, when it is first asked for */
} prover;

/* ---- Facts ----------------------------------------------------------------------------------- */

static bool is_number(const prover *p, ah_expr e)
{
    return expr_get_op(p->ctx, e) == EXPR_NUMBER;
}

static int compare(prover *p, ah_expr a, ah_expr b)
{
    return expr_number_sign(p->ctx, expr_sub(p->ctx, a, b));
}

static void add_bound(prover *p, ah_expr symbol, ah_expr bound, bool low)
{
    size_t i = 0;
    while (i < p->ranges.count && p->ranges.at[i].symbol != symbol) i++;
    if (i == p->ranges.count) {
        const range fresh = {symbol, AH_NONE, AH_NONE};
        LIST_PUSH(p->arena, &p->ranges, fresh);
    }
    ah_expr *now = low ? &p->ranges.at[i].low : &p->ranges.at[i].high;
    if (*now == AH_NONE || compare(p, bound, *now) == (low ? 1 : -1)) *now = bound;
}

/* a sym + b > 0 with numbers a and b. */
static bool take_range(prover *p, const algebra_fact *f)
{
    const expr_list symbols = expr_symbols(p->ctx, p->arena, &f->e, 1);
    if (!f->positive || f->border || symbols.count != 1) return false;
    const ah_expr s = symbols.at[0], slope = expr_diff(p->ctx, f->e, s), zero = expr_int(p->ctx, 0);
    const ah_expr rest = expr_subst(p->ctx, f->e, 1, &s, &zero);
    if (!is_number(p, slope) || !is_number(p, rest) || expr_number_sign(p->ctx, slope) == 0)
        return false;
    add_bound(p, s, expr_neg(p->ctx, expr_div(p->ctx, rest, slope)),
              expr_number_sign(p->ctx, slope) > 0);
    return true;
}

/* ---- Substitution ---------------------------------------------------------------------------- */

/* What is left of the facts once symbols are replaced: all new symbols are positive. */
typedef struct replacement {
    LIST(ah_expr) from, to, fresh;
    LIST(algebra_fact) facts;
    algebra *alg; /* with these facts, when it is first asked for */
} replacement;

static ah_expr fresh_symbol(prover *p, replacement *r)
{
    const ah_expr w =
        expr_symbol(p->ctx, AH_LOCAL, arena_printf(p->arena, "positive %zu", r->fresh.count + 1));
    LIST_PUSH(p->arena, &r->fresh, w);
    const algebra_fact fact = {w, true};
    LIST_PUSH(p->arena, &r->facts, fact);
    return w;
}

static void replace(prover *p, replacement *r, ah_expr symbol, ah_expr value)
{
    expr_subst_all(p->ctx, r->to.at, r->to.count, 1, &symbol, &value);
    LIST_PUSH(p->arena, &r->from, symbol);
    LIST_PUSH(p->arena, &r->to, value);
}

static void replace_ranges(prover *p, replacement *r)
{
    ah_ctx *ctx = p->ctx;
    for (size_t i = 0; i < p->ranges.count; i++) {
        const range *g = &p->ranges.at[i];
        const ah_expr w = fresh_symbol(p, r);
        ah_expr value;
        if (g->low != AH_NONE && g->high != AH_NONE)
            value = expr_div(ctx, expr_add(ctx, g->low, expr_mul(ctx, g->high, w)),
                             expr_add(ctx, expr_int(ctx, 1), w));
        else
            value = g->low != AH_NONE ? expr_add(ctx, g->low, w) : expr_sub(ctx, g->high, w);
        replace(p, r, g->symbol, value);
    }
}

/* a s + b = w or, for the second degree, a s² + b = w; a of known sign. */
static bool solve_for(prover *p, algebra *alg, replacement *r, ah_expr e, ah_expr s,
                      uint32_t degree)
{
    ah_ctx *ctx = p->ctx;
    algebra_poly c;
    ah_expr slope = AH_NONE, rest = expr_int(ctx, 0);
    if (!algebra_collect(alg, e, 1, &s, &c)) return false;
    for (size_t i = 0; i < c.terms; i++) {
        if (c.exponent[i] == degree)
            slope = c.coefficient[i];
        else if (c.exponent[i] == 0)
            rest = c.coefficient[i];
        else
            return false;
    }
    const int sign = slope == AH_NONE ? 0 : algebra_sign(alg, slope);
    if (sign != 1 && sign != -1) return false;
    const ah_expr value = expr_div(ctx, expr_sub(ctx, fresh_symbol(p, r), rest), slope);
    replace(p, r, s, degree == 1 ? value : expr_call1(ctx, AH_SQRT, value));
    return true;
}

/* Is there a fact about the symbol alone? It would be lost, or become intricate. */
static bool is_bounded(const prover *p, const replacement *r, ah_expr s)
{
    for (size_t i = 0; i < p->facts.count; i++)
        if (p->facts.at[i].e == s) return true;
    for (size_t i = 0; i < r->fresh.count; i++)
        if (r->fresh.at[i] == s) return true;
    return false;
}

static bool solve_fact(prover *p, algebra *alg, replacement *r, ah_expr e)
{
    ah_expr top, bottom;
    if (!algebra_fraction(alg, e, &top, &bottom)) return false;
    const int below = algebra_sign(alg, bottom);
    if (below != 1 && below != -1) return false;
    if (below < 0) top = expr_neg(p->ctx, top);
    const expr_list symbols = expr_symbols(p->ctx, p->arena, &top, 1);
    for (int bounded = 0; bounded < 2; bounded++)
        for (uint32_t degree = 1; degree <= 2; degree++)
            for (size_t i = 0; i < symbols.count; i++)
                if (is_bounded(p, r, symbols.at[i]) == (bool) bounded &&
                    solve_for(p, alg, r, top, symbols.at[i], degree))
                    return true;
    return false;
}

static void replace_facts(prover *p, replacement *r)
{
    for (size_t i = 0; i < p->facts.count; i++) {
        algebra *alg = algebra_create(p->ctx, r->facts.at, r->facts.count);
        const ah_expr e = expr_subst(p->ctx, p->facts.at[i].e, r->from.count, r->from.at, r->to.at);
        const bool bare = expr_get_op(p->ctx, e) == EXPR_SYMBOL;
        algebra_set_bounds(alg, SECONDS, p->ctx->limits.terms);
        algebra_fact fact = p->facts.at[i];
        fact.e = e;
        if (fact.positive && !fact.border && !bare && solve_fact(p, alg, r, e)) continue;
        LIST_PUSH(p->arena, &r->facts, fact);
    }
}

/* All coefficients in the new symbols of one sign: that sign; otherwise 0. */
static int sign_by_coefficients(algebra *alg, const replacement *r, ah_expr e)
{
    algebra_poly c;
    int sign = algebra_sign(alg, e);
    if (sign == 1 || sign == -1) return sign;
    if (!r->fresh.count || !algebra_collect(alg, e, r->fresh.count, r->fresh.at, &c)) return 0;
    sign = 0;
    for (size_t i = 0; i < c.terms; i++) {
        const int here = algebra_sign(alg, c.coefficient[i]);
        if (here == 0) continue;
        if (here == 2 || here == -sign) return 0;
        sign = here;
    }
    return sign;
}

/* One algebra for a list of facts: it knows what it was asked before. */
static algebra *algebra_of(prover *p, algebra **kept, const algebra_fact *facts, size_t count)
{
    if (*kept) return *kept;
    *kept = algebra_create(p->ctx, facts, count);
    algebra_set_bounds(*kept, SECONDS, p->ctx->limits.terms);
    return *kept;
}

/* A fact times what is positive. */
static bool is_multiple(prover *p, ah_expr e)
{
    algebra *alg = algebra_of(p, &p->alg, p->facts.at, p->facts.count);
    for (size_t i = 0; i < p->facts.count; i++)
        if (p->facts.at[i].positive && !p->facts.at[i].border &&
            algebra_sign(alg, algebra_simplify(alg, expr_div(p->ctx, e, p->facts.at[i].e))) == 1)
            return true;
    return false;
}

static bool is_positive(prover *p, replacement *r, ah_expr e)
{
    if (is_multiple(p, e)) return true;
    algebra *alg = algebra_of(p, &r->alg, r->facts.at, r->facts.count);
    ah_expr top, bottom;
    e = expr_subst(p->ctx, e, r->from.count, r->from.at, r->to.at);
    if (!algebra_fraction(alg, e, &top, &bottom)) return false;
    const int above = sign_by_coefficients(alg, r, top);
    return above != 0 && above == sign_by_coefficients(alg, r, bottom);
}

/* ---- Counterexamples ------------------------------------------------------------------------- */

static double number_of(prover *p, ah_expr e)
{
    double x;
    expr_plan_run(expr_plan_create(p->ctx, &p->ctx->scratch, &e, 1),
                  frame_create(p->ctx, &p->ctx->scratch, 0), &x);
    return x;
}

static double draw(prover *p, probe_rng *rng, ah_expr symbol)
{
    const double size = pow(10, probe_uniform(rng, -SPREAD, SPREAD));
    for (size_t i = 0; i < p->ranges.count; i++) {
        const range *g = &p->ranges.at[i];
        if (g->symbol != symbol) continue;
        if (g->low == AH_NONE) return number_of(p, g->high) - size;
        if (g->high == AH_NONE) return number_of(p, g->low) + size;
        return probe_uniform(rng, number_of(p, g->low), number_of(p, g->high));
    }
    return probe_uniform(rng, -1, 1) < 0 ? -size : size;
}

/* Do the facts clearly hold there, and all expressions clearly fail? x and size: facts first. */
static bool is_counterexample(const prover *p, const double *x, const double *size)
{
    const size_t count = p->facts.count;
    for (size_t i = 0; i < count + p->expressions; i++) {
        const double sure = CLEARLY * size[i];
        const bool wanted = i >= count                ? x[i] < -sure
                            : p->facts.at[i].positive ? x[i] > sure
                                                      : fabs(x[i]) > sure;
        if (!wanted) return false;
    }
    return true;
}

/* What is negative at one place has no proof: a few numbers spare the search for one. */
static bool is_refuted(prover *p)
{
    arena *a = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    expr_list all = {0};
    for (size_t i = 0; i < p->facts.count; i++) LIST_PUSH(a, &all, p->facts.at[i].e);
    for (size_t i = 0; i < p->expressions; i++) LIST_PUSH(a, &all, p->e[i]);
    const expr_list symbols = expr_symbols(p->ctx, a, all.at, all.count);
    expr_plan *plan = expr_plan_create(p->ctx, a, all.at, all.count);
    double *x = NEW_ARRAY(a, double, all.count), *size = NEW_ARRAY(a, double, all.count);
    frame *values = frame_create(p->ctx, a, 0);
    probe_rng rng = probe_seed(1);
    bool refuted = false;
    for (int k = 0; k < POINTS && !refuted; k++) {
        for (size_t i = 0; i < symbols.count; i++)
            frame_set(values, symbols.at[i], draw(p, &rng, symbols.at[i]));
        expr_plan_run_scaled(plan, values, x, size);
        refuted = is_counterexample(p, x, size);
    }
    arena_release(a, mark);
    return refuted;
}

/* ---- Intervals ------------------------------------------------------------------------------- */

static int prove(prover *p, int depth);

/* Where the symbol has this value. */
static int prove_at(prover *p, ah_expr symbol, ah_expr value, int depth)
{
    prover inner = {
        .ctx = p->ctx, .arena = p->arena, .expressions = p->expressions, .parts = p->parts};
    ah_expr *e = NEW_ARRAY(p->arena, ah_expr, p->expressions);
    memcpy(e, p->e, p->expressions * sizeof *e);
    expr_subst_all(p->ctx, e, p->expressions, 1, &symbol, &value);
    inner.e = e;
    for (size_t i = 0; i < p->ranges.count; i++)
        if (p->ranges.at[i].symbol != symbol) LIST_PUSH(p->arena, &inner.ranges, p->ranges.at[i]);
    for (size_t i = 0; i < p->facts.count; i++) {
        algebra_fact f = p->facts.at[i];
        f.e = expr_subst(p->ctx, f.e, 1, &symbol, &value);
        LIST_PUSH(p->arena, &inner.facts, f);
    }
    const int found = prove(&inner, depth);
    p->parts = inner.parts;
    return found;
}

/* Squares of symbols are positive but at zero: there another expression may be. */
static bool is_positive_around_zero(prover *p, replacement *r, ah_expr e, int depth)
{
    algebra *alg = algebra_of(p, &p->alg, p->facts.at, p->facts.count);
    algebra_factors f;
    LIST(ah_expr) zero = {0};
    if (depth == 0 || !algebra_factor(alg, e, &f)) return false;
    for (size_t i = 0; i < f.count; i++) {
        if (expr_get_op(p->ctx, f.factor[i]) != EXPR_SYMBOL || f.exponent[i] % 2) continue;
        e = expr_div(p->ctx, e, expr_powi(p->ctx, f.factor[i], f.exponent[i]));
        LIST_PUSH(p->arena, &zero, f.factor[i]);
    }
    if (!zero.count || !is_positive(p, r, e)) return false;
    for (size_t i = 0; i < zero.count; i++)
        if (prove_at(p, zero.at[i], expr_int(p->ctx, 0), depth - 1) < 0) return false;
    return true;
}

/* (a, b) at its middle; what has no end at 1 from the other one, then 2, 4, … */
static ah_expr middle_of(prover *p, const range *g, int depth)
{
    ah_ctx *ctx = p->ctx;
    if (g->low != AH_NONE && g->high != AH_NONE)
        return expr_mul(ctx, expr_rational(ctx, 1, 2), expr_add(ctx, g->low, g->high));
    const ah_expr step = expr_int(ctx, 1L << (HALVINGS - depth));
    return g->low != AH_NONE ? expr_add(ctx, g->low, step) : expr_sub(ctx, g->high, step);
}

static int prove_parts(prover *p, int depth)
{
    int found = -1;
    for (size_t i = 0; i < p->ranges.count && depth > 0; i++) {
        const range whole = p->ranges.at[i];
        const ah_expr middle = middle_of(p, &whole, depth);
        found = prove_at(p, whole.symbol, middle, depth - 1);
        if (found < 0) continue;
        p->ranges.at[i].high = middle;
        int here = prove(p, depth - 1);
        p->ranges.at[i] = whole;
        p->ranges.at[i].low = middle;
        if (here >= 0) here = prove(p, depth - 1);
        p->ranges.at[i] = whole;
        if (here >= 0) return 0;
    }
    return -1;
}

static int prove(prover *p, int depth)
{
    replacement r = {0};
    ctx_tick(p->ctx);
    if (++p->parts > PARTS || is_refuted(p)) return -1;
    replace_ranges(p, &r);
    replace_facts(p, &r);
    for (size_t i = 0; i < p->expressions; i++)
        if (is_positive(p, &r, p->e[i])) return (int) i;
    for (size_t i = 0; i < p->expressions; i++)
        if (is_positive_around_zero(p, &r, p->e[i], depth)) return 0;
    return prove_parts(p, depth);
}

int positive_one_of(ah_ctx *ctx, arena *a, const algebra_fact *facts, size_t count,
                    const ah_expr *e, size_t expressions)
{
    prover p = {.ctx = ctx, .arena = a, .expressions = expressions, .e = e};
    for (size_t i = 0; i < count; i++)
        if (!take_range(&p, &facts[i])) LIST_PUSH(a, &p.facts, facts[i]);
    return prove(&p, HALVINGS);
}
