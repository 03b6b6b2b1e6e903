/* algebra/chain.c - relations that hold besides, as a triangular set (Ritt, Wu).
 *
 * From relations p_1 = … = p_k = 0 a chain of polynomials is made, each with a main symbol that
 * does not occur in the later ones. A polynomial is reduced by pseudo-division, link after link:
 *
 *     lc^n · a = q · p + rest          (lc: coefficient of the main symbol's highest power)
 *
 * so rest = 0 proves that a vanishes wherever the relations hold and no leading coefficient does.
 * The main symbols are velocities and their kind where there are some: for linear constraints this
 * is the elimination of the dependent velocities. */
#include "ring.h"

/* ---- Pseudo-division ------------------------------------------------------------------------- */

static poly coefficient(ring *r, poly a, size_t symbol, ulong power)
{
    poly c = poly_new(r);
    fmpz_mpoly_get_coeff_vars_ui(c, a, (slong[]){(slong) symbol}, (ulong[]){power}, 1, r->mctx);
    return c;
}

static long degree_in(ring *r, poly a, size_t symbol)
{
    return fmpz_mpoly_degree_si(a, (slong) symbol, r->mctx);
}

static poly symbol_power(ring *r, size_t symbol, long power)
{
    poly p = poly_new(r);
    fmpz_mpoly_gen(p, (slong) symbol, r->mctx);
    fmpz_mpoly_pow_ui(p, p, (ulong) power, r->mctx);
    return p;
}

poly chain_initial(ring *r, const chain_link *link)
{
    return coefficient(r, link->p, link->main, (ulong) degree_in(r, link->p, link->main));
}

/* *factor (may be NULL) is what a was multiplied by. */
static poly pseudo_remainder(ring *r, poly a, const chain_link *link, poly *factor)
{
    const long degree = degree_in(r, link->p, link->main);
    const poly lead = chain_initial(r, link);
    for (long k; (k = degree_in(r, a, link->main)) >= degree && !poly_is_zero(r, a);) {
        const poly c = coefficient(r, a, link->main, (ulong) k);
        const poly g = poly_gcd(r, c, lead);
        const poly m = poly_divide(r, lead, g);
        const poly shift =
            poly_mul(r, poly_divide(r, c, g), symbol_power(r, link->main, k - degree));
        a = poly_sub(r, poly_mul(r, a, m), poly_mul(r, link->p, shift));
        if (factor) *factor = poly_mul(r, *factor, m);
    }
    return a;
}

bool chain_is_reduced(ring *r, poly a)
{
    for (size_t i = 0; i < r->links; i++) {
        const chain_link *l = &r->link[i];
        if (degree_in(r, a, l->main) >= degree_in(r, l->p, l->main)) return false;
    }
    return true;
}

/* Links of velocities hold coordinates that earlier links are solved for: these come back. */
poly chain_reduce(ring *r, poly a, poly *factor)
{
    enum { PASSES = 4 };
    for (int pass = 0; pass < PASSES && !chain_is_reduced(r, a); pass++)
        for (size_t i = 0; i < r->links; i++) a = pseudo_remainder(r, a, &r->link[i], factor);
    return a;
}

frac chain_reduce_frac(ring *r, frac a)
{
    poly up = poly_int(r, 1), down = poly_int(r, 1);
    if (r->links == 0) return a;
    const poly num = chain_reduce(r, a.num, &up), den = chain_reduce(r, a.den, &down);
    if (poly_is_zero(r, den)) algebra_give_up(r->alg);
    return (frac){poly_mul(r, num, down), poly_mul(r, den, up)};
}

/* ---- Making the chain ------------------------------------------------------------------------ */

/* Prefers speeds to other symbols and low degrees. */
static long preference(ring *r, size_t symbol, long degree)
{
    switch (expr_get_kind(r->ctx, r->g->gen[symbol].e)) {
    case AH_ACCELERATION:
    case AH_JERK:
    case AH_SPEED_DOT: return degree;
    case AH_VELOCITY:
    case AH_SPEED:
    case AH_MULTIPLIER: return degree + 1;
    default: return degree + 1000;
    }
}

static bool is_main(const ring *r, size_t symbol)
{
    for (size_t i = 0; i < r->links; i++)
        if (r->link[i].main == symbol) return true;
    return false;
}

/* A symbol hidden in another generator (x in sin x) cannot be eliminated as if it stood alone,
 * unless that one is eliminated already. */
static bool occurs_inside(ring *r, size_t symbol)
{
    for (size_t i = 0; i < r->g->count; i++)
        if (i != symbol && !is_main(r, i) &&
            expr_depends(r->ctx, r->g->gen[i].e, r->g->gen[symbol].e))
            return true;
    return false;
}

/* Symbols; roots where there is none. A leading coefficient that is a number never vanishes. */
static bool choose_main(ring *r, poly p, size_t *symbol)
{
    long best = -1;
    for (size_t i = 0; i < r->g->count; i++) {
        const gen_kind kind = r->g->gen[i].kind;
        const bool root = kind == GEN_ROOT || kind == GEN_ABS;
        const long degree = degree_in(r, p, i);
        if (degree < 1 || (kind != GEN_SYMBOL && !root) || occurs_inside(r, i)) continue;
        const bool number = poly_is_constant(r, chain_initial(r, &(chain_link){p, i}));
        const long now = 2 * preference(r, i, degree) + !number + (root ? 100000 : 0);
        if (best >= 0 && now >= best) continue;
        best = now, *symbol = i;
    }
    return best >= 0;
}

/* The leading coefficients must not vanish on the rest of the chain, or nothing would be proved. */
static bool leads_regular(ring *r)
{
    for (size_t i = 0; i < r->links; i++) {
        const poly lead = chain_initial(r, &r->link[i]);
        if (poly_is_zero(r, chain_reduce(r, lead, NULL))) return false;
    }
    return true;
}

/* False: the relations contradict each other, or there is no symbol to solve for. */
bool chain_make(ring *r, poly *relation, size_t count)
{
    r->link = NEW_ARRAY(&r->ctx->scratch, chain_link, count);
    for (size_t i = 0; i < count; i++) {
        const poly p = relation[i];
        size_t symbol;
        if (poly_is_zero(r, p)) continue; /* follows from the others */
        if (!choose_main(r, p, &symbol)) return false;
        const chain_link link = {p, symbol};
        for (size_t k = i + 1; k < count; k++) {
            poly content;
            relation[k] =
                poly_primitive(r, pseudo_remainder(r, relation[k], &link, NULL), &content);
        }
        r->link[r->links++] = link;
    }
    return leads_regular(r);
}

ring *ring_open_related(algebra *alg, const ah_expr *roots, size_t count)
{
    arena *a = &alg->ctx->scratch;
    const size_t all = count + alg->relations;
    ah_expr *both = NEW_ARRAY(a, ah_expr, all);
    for (size_t i = 0; i < count; i++) both[i] = roots[i];
    for (size_t i = 0; i < alg->relations; i++) both[count + i] = alg->relation[i];
    ring *r = ring_open(alg, both, all, false);
    poly *p = NEW_ARRAY(a, poly, alg->relations), content;
    for (size_t i = 0; i < alg->relations; i++)
        p[i] = poly_primitive(r, ring_value(r, alg->relation[i]).num, &content);
    if (!chain_make(r, p, alg->relations)) algebra_give_up(alg);
    return r;
}

/* ---- Setting relations ----------------------------------------------------------------------- */

typedef struct relations_job {
    algebra *alg;
    const ah_expr *relations;
    size_t count;
} relations_job;

static void test_relations(ah_ctx *ctx, void *arg)
{
    relations_job *job = arg;
    algebra *alg = job->alg;
    ah_expr *lowered = NEW_ARRAY(&ctx->job, ah_expr, job->count);
    for (size_t i = 0; i < job->count; i++) lowered[i] = algebra_lower(alg, job->relations[i]);
    alg->relation = lowered;
    alg->relations = job->count;
    ring_close(ring_open_related(alg, NULL, 0));
}

bool algebra_set_relations(algebra *alg, const ah_expr *relations, size_t count)
{
    relations_job job = {alg, relations, count};
    alg->relations = 0;
    algebra_forget(alg);
    if (count == 0 || algebra_attempt(alg, test_relations, &job)) return true;
    alg->relations = 0;
    return false;
}

/* ---- Leading coefficients -------------------------------------------------------------------- */

typedef struct leads_job {
    algebra *alg;
    size_t count;
    ah_expr *lead;
} leads_job;

static void find_leads(ah_ctx *ctx, void *arg)
{
    leads_job *job = arg;
    ring *r = ring_open_related(job->alg, NULL, 0);
    job->lead = NEW_ARRAY(&ctx->job, ah_expr, r->links + 1);
    for (size_t i = 0; i < r->links; i++)
        job->lead[job->count++] = show_expanded(r, chain_initial(r, &r->link[i]), true);
    ring_close(r);
}

bool algebra_leads(algebra *alg, size_t *count, const ah_expr **lead)
{
    leads_job job = {.alg = alg};
    const bool found = algebra_attempt(alg, find_leads, &job);
    *count = job.count;
    *lead = job.lead;
    return found;
}
