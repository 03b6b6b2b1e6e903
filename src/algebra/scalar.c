/* algebra/scalar.c - simplified forms, fractions, factors and coefficients of one expression. */
#include "ring.h"
#include <stdlib.h>

/* ---- The shortest form ----------------------------------------------------------------------- */

typedef struct simplify_job {
    algebra *alg;
    ah_expr in, out;
} simplify_job;

/* Expanded to many terms it is not going to be shorter than it was: each costs at least this. Small
 * polynomials are looked at all the same, they may have factors. */
#define TERM_COST   4
#define SMALL_TERMS 100
/* What may come up on the way, before something cancels: more for longer input, to a limit. */
#define LEAST_TERMS 1000
#define MOST_TERMS  5000

static bool is_hopeless(ring *r, frac a, ah_expr in)
{
    const size_t terms = poly_terms(a.num) + poly_terms(a.den);
    const size_t each = terms > NEST_TERMS ? 6 * TERM_COST : TERM_COST; /* collected or not */
    return terms > SMALL_TERMS && terms * each > show_cost(r->alg, in);
}

/* In the given bases, if that is shorter than `than`; *single tells whether they were single terms. */
static ah_expr in_bases(algebra *alg, ah_expr lowered, ah_expr than, bool canonical, bool *single)
{
    ring *r = ring_open(alg, &lowered, 1, canonical);
    *single = r->g->single;
    const frac a = frac_cancel(r, ring_value(r, lowered));
    if (!is_hopeless(r, a, lowered))
        than = show_shorter(alg, than, show_frac_below(r, a, show_cost(alg, than)));
    ring_close(r);
    return than;
}

static ah_expr modulo_relations(algebra *alg, ah_expr lowered, ah_expr than)
{
    ring *r = ring_open_related(alg, &lowered, 1);
    const frac a = frac_cancel(r, chain_reduce_frac(r, ring_value(r, lowered)));
    if (!is_hopeless(r, a, lowered))
        than = show_shorter(alg, than, show_frac_below(r, a, show_cost(alg, than)));
    ring_close(r);
    return than;
}

/* Angles as they occur (θ1 − θ2) and each term for itself may cancel differently. */
static void simplify_body(ah_ctx *ctx, void *arg)
{
    simplify_job *job = arg;
    bool single;
    (void) ctx;
    const ah_expr e = algebra_lower(job->alg, job->in);
    const size_t enough = LEAST_TERMS + show_cost(job->alg, e);
    const uint32_t most = enough < MOST_TERMS ? (uint32_t) enough : MOST_TERMS;
    if (most < job->alg->terms) job->alg->terms = most; /* until the attempt ends */
    job->out = in_bases(job->alg, e, job->in, false, &single);
    if (!single) job->out = in_bases(job->alg, e, job->out, true, &single);
    if (job->alg->relations) job->out = modulo_relations(job->alg, e, job->out);
}

/* The normal form knows sign(x) as |x|/x only, which has no value where the sign changes: what
 * switches stays as it is written. */
static bool switches(ah_ctx *ctx, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &e, 1);
    bool found = false;
    for (size_t i = 0; i < nodes.count && !found; i++)
        found = expr_get_op(ctx, nodes.at[i]) == EXPR_CALL &&
                expr_get_function(ctx, nodes.at[i]) == AH_SIGN;
    arena_release(&ctx->scratch, mark);
    return found;
}

ah_expr algebra_simplify(algebra *alg, ah_expr e)
{
    const expr_op op = expr_get_op(alg->ctx, e);
    if (op == EXPR_NUMBER || op == EXPR_PI || (op == EXPR_SYMBOL && !alg->relations)) return e;
    const size_t bounds = alg->current;
    const ah_expr known = map_get(&alg->simplified.at[bounds].of, e);
    if (known) return known;
    simplify_job job = {alg, e, e};
    const bool done = switches(alg->ctx, e) || algebra_attempt(alg, simplify_body, &job);
    /* What ended because the caller's time did says nothing about the next caller. */
    if (done || ctx_time_left(alg->ctx) > 0) map_put(&alg->simplified.at[bounds].of, e, job.out);
    return job.out;
}

mat algebra_simplify_mat(algebra *alg, mat m)
{
    ah_ctx *ctx = alg->ctx;
    const uint32_t count = mat_entries(m);
    mat_entry *entries = NEW_ARRAY(&ctx->job, mat_entry, count);
    for (uint32_t i = 0, k = 0; i < m.rows; i++)
        for (; k < m.start[i + 1]; k++)
            entries[k] = (mat_entry){i, m.col[k], algebra_simplify(alg, m.val[k])};
    return mat_from_entries(ctx, &ctx->job, m.rows, m.cols, entries, count);
}

mat algebra_mul(algebra *alg, mat x, mat y)
{
    return algebra_simplify_mat(alg, mat_mul(alg->ctx, &alg->ctx->job, x, y));
}

/* ---- Numerator and denominator --------------------------------------------------------------- */

typedef struct fraction_job {
    algebra *alg;
    ah_expr e, num, den;
} fraction_job;

static frac open_fraction(algebra *alg, ah_expr e, ring **r)
{
    const ah_expr lowered = algebra_lower(alg, e);
    *r = ring_open_related(alg, &lowered, 1);
    return frac_cancel(*r, chain_reduce_frac(*r, ring_value(*r, lowered)));
}

static void fraction_body(ah_ctx *ctx, void *arg)
{
    fraction_job *job = arg;
    ring *r;
    (void) ctx;
    const frac a = open_fraction(job->alg, job->e, &r);
    job->num = show_poly(r, a.num);
    job->den = show_poly(r, a.den);
    ring_close(r);
}

bool algebra_fraction(algebra *alg, ah_expr e, ah_expr *numerator, ah_expr *denominator)
{
    fraction_job job = {alg, e, AH_NONE, AH_NONE};
    if (!algebra_attempt(alg, fraction_body, &job)) return false;
    *numerator = job.num;
    *denominator = job.den;
    return true;
}

bool algebra_is_multiple(algebra *alg, ah_expr e, ah_expr f)
{
    ah_expr numerator, denominator;
    if (!algebra_fraction(alg, expr_div(alg->ctx, e, f), &numerator, &denominator)) return false;
    const int sign = algebra_sign(alg, denominator);
    return sign == 1 || sign == -1;
}

/* ---- Factors --------------------------------------------------------------------------------- */

typedef struct factor_job {
    algebra *alg;
    ah_expr e;
    algebra_factors *out;
} factor_job;

static void factor_body(ah_ctx *ctx, void *arg)
{
    factor_job *job = arg;
    ring *r;
    const frac a = open_fraction(job->alg, job->e, &r);
    const bool zero = poly_is_zero(r, a.num);
    const poly_factors f =
        zero ? (poly_factors){.content = a.num} : poly_factor(r, poly_shorten(r, a.num));
    (void) ctx;
    ah_expr *factor = NEW_ARRAY(job->alg->factored.arena, ah_expr, f.count + 1);
    int *exponent = NEW_ARRAY(job->alg->factored.arena, int, f.count + 1);
    factor[0] = show_expanded(r, f.content, false);
    exponent[0] = 1;
    for (size_t i = 0; i < f.count; i++) {
        factor[i + 1] = show_poly(r, f.factor[i]);
        exponent[i + 1] = (int) f.exponent[i];
    }
    ring_close(r);
    *job->out = (algebra_factors){f.count + 1, factor, exponent};
}

bool algebra_factor(algebra *alg, ah_expr e, algebra_factors *out)
{
    const uint32_t known =
        alg->relations ? 0 : map_get(&alg->factored, e); /* relations come and go */
    if (known) {
        *out = alg->factors.at[known - 1];
        return true;
    }
    if (!algebra_attempt(alg, factor_body, &(factor_job){alg, e, out})) return false;
    if (alg->relations) return true;
    LIST_PUSH(alg->factored.arena, &alg->factors, *out);
    map_put(&alg->factored, e, (uint32_t) alg->factors.count);
    return true;
}

/* ---- Polynomials in some symbols ------------------------------------------------------------- */

typedef struct collect_job {
    algebra *alg;
    ah_expr e;
    size_t count;
    const ah_expr *symbols;
    algebra_poly *out; /* NULL: the degree only */
    int degree;        /* -1: not a polynomial in the symbols */
    /* the work: */
    ring *r;
    size_t *at; /* generator of each symbol, SIZE_MAX where it does not occur */
} collect_job;

static bool is_listed(const collect_job *job, size_t generator)
{
    for (size_t i = 0; i < job->count; i++)
        if (job->at[i] == generator) return true;
    return false;
}

static bool depends(const collect_job *job, ah_expr e)
{
    for (size_t i = 0; i < job->count; i++)
        if (expr_depends(job->alg->ctx, e, job->symbols[i])) return true;
    return false;
}

/* The symbols may stand in the numerator, but in no denominator, root or function. */
static bool is_polynomial(const collect_job *job, frac a)
{
    const gens *g = job->r->g;
    bool *in_num = NEW_ARRAY(&job->alg->ctx->scratch, bool, g->count + 1);
    bool *in_den = NEW_ARRAY(&job->alg->ctx->scratch, bool, g->count + 1);
    poly_used(job->r, a.num, in_num);
    poly_used(job->r, a.den, in_den);
    for (size_t i = 0; i < g->count; i++) {
        if (!in_den[i] && (!in_num[i] || is_listed(job, i))) continue;
        if (depends(job, g->gen[i].e)) return false;
    }
    return true;
}

typedef struct monomial {
    const ulong *exponent; /* of the symbols */
    size_t count, term;
} monomial;

static int higher_first(const void *a, const void *b)
{
    const monomial *x = a, *y = b;
    for (size_t i = 0; i < x->count; i++)
        if (x->exponent[i] != y->exponent[i]) return x->exponent[i] < y->exponent[i] ? 1 : -1;
    return (x->term > y->term) - (x->term < y->term);
}

static int same_monomial(const monomial *x, const monomial *y)
{
    for (size_t i = 0; i < x->count; i++)
        if (x->exponent[i] != y->exponent[i]) return 0;
    return 1;
}

static monomial *monomials_of(collect_job *job, poly a)
{
    const ring *r = job->r;
    arena *scratch = &r->ctx->scratch;
    const size_t n = poly_terms(a);
    monomial *list = NEW_ARRAY(scratch, monomial, n);
    ulong *all = NEW_ARRAY(scratch, ulong, r->g->count + 1);
    for (size_t i = 0; i < n; i++) {
        ulong *own = NEW_ARRAY(scratch, ulong, job->count), degree = 0;
        fmpz_mpoly_get_term_exp_ui(all, a, (slong) i, r->mctx);
        for (size_t k = 0; k < job->count; k++) {
            own[k] = job->at[k] == SIZE_MAX ? 0 : all[job->at[k]];
            degree += own[k];
        }
        if ((int) degree > job->degree) job->degree = (int) degree;
        list[i] = (monomial){own, job->count, i};
    }
    if (n) qsort(list, n, sizeof *list, higher_first);
    return list;
}

/* The terms of one monomial without it. */
static poly coefficient_of(collect_job *job, poly a, const monomial *list, size_t begin, size_t end)
{
    ring *r = job->r;
    ulong *all = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count + 1);
    poly c = poly_new(r);
    for (size_t i = begin; i < end; i++) {
        fmpz_mpoly_get_term_exp_ui(all, a, (slong) list[i].term, r->mctx);
        for (size_t k = 0; k < job->count; k++)
            if (job->at[k] != SIZE_MAX) all[job->at[k]] = 0;
        fmpz_mpoly_push_term_fmpz_ui(c, &a->coeffs[list[i].term], all, r->mctx);
    }
    fmpz_mpoly_sort_terms(c, r->mctx);
    return c;
}

static void collect_terms(ah_ctx *ctx, collect_job *job, frac a, const monomial *list)
{
    const size_t n = poly_terms(a.num);
    uint32_t *exponent = NEW_ARRAY(&ctx->job, uint32_t, n * job->count);
    ah_expr *coefficient = NEW_ARRAY(&ctx->job, ah_expr, n);
    size_t terms = 0;
    for (size_t i = 0, j; i < n; i = j, terms++) {
        for (j = i + 1; j < n && same_monomial(&list[i], &list[j]); j++) continue;
        const frac c = {coefficient_of(job, a.num, list, i, j), a.den};
        coefficient[terms] = show_frac(job->r, c);
        for (size_t k = 0; k < job->count; k++)
            exponent[terms * job->count + k] = (uint32_t) list[i].exponent[k];
    }
    *job->out = (algebra_poly){terms, job->count, exponent, coefficient};
}

static void collect_body(ah_ctx *ctx, void *arg)
{
    collect_job *job = arg;
    const frac a = open_fraction(job->alg, job->e, &job->r);
    job->at = NEW_ARRAY(&ctx->scratch, size_t, job->count);
    for (size_t i = 0; i < job->count; i++)
        job->at[i] = (size_t) map_get(&job->r->g->index, job->symbols[i]) - 1;
    job->degree = -1;
    if (is_polynomial(job, a)) {
        job->degree = 0;
        const monomial *list = monomials_of(job, a.num);
        if (job->out) collect_terms(ctx, job, a, list);
    }
    ring_close(job->r);
}

bool algebra_collect(algebra *alg, ah_expr e, size_t count, const ah_expr *symbols,
                     algebra_poly *out)
{
    collect_job job = {.alg = alg, .e = e, .count = count, .symbols = symbols, .out = out};
    return algebra_attempt(alg, collect_body, &job) && job.degree >= 0;
}

int algebra_degree(algebra *alg, ah_expr e, size_t count, const ah_expr *symbols)
{
    collect_job job = {.alg = alg, .e = e, .count = count, .symbols = symbols};
    return algebra_attempt(alg, collect_body, &job) ? job.degree : -2;
}

/* Euler: Σ s ∂e/∂s = p e. */
ah_expr algebra_homogeneity(algebra *alg, ah_expr e, size_t count, const ah_expr *symbols)
{
    ah_ctx *ctx = alg->ctx;
    const ah_expr radial = expr_forward(ctx, e, count, symbols, symbols);
    if (algebra_zero(alg, radial) == AH_TRUE) return expr_int(ctx, 0);
    if (algebra_zero(alg, e) == AH_TRUE) return AH_NONE;
    const ah_expr p = algebra_simplify(alg, expr_div(ctx, radial, e));
    for (size_t i = 0; i < count; i++)
        if (expr_depends(ctx, p, symbols[i])) return AH_NONE;
    return algebra_equal(alg, radial, expr_mul(ctx, p, e)) == AH_TRUE ? p : AH_NONE;
}
