/* algebra/zero.c - is it zero? Proofs only: in the ring for yes, by a ball for no. */
#include "ring.h"

typedef struct zero_job {
    algebra *alg;
    ah_expr e;
    ah_truth answer;
    algebra_witness *witness;
} zero_job;

static void in_ring(ah_ctx *ctx, void *arg)
{
    zero_job *job = arg;
    (void) ctx;
    const ah_expr e = algebra_lower(job->alg, job->e);
    ring *r = ring_open_related(job->alg, &e, 1);
    const frac f = ring_value(r, e);
    /* where its denominator vanishes on all that is related nothing is proved */
    const bool defined = !r->links || !poly_is_zero(r, chain_reduce(r, f.den, NULL));
    if (defined && poly_is_zero(r, chain_reduce(r, f.num, NULL))) job->answer = AH_TRUE;
    ring_close(r);
}

static void by_quick_sample(ah_ctx *ctx, void *arg)
{
    zero_job *job = arg;
    (void) ctx;
    if (sample_zero(job->alg, job->e, false, job->witness) == SAMPLE_NONZERO)
        job->answer = AH_FALSE;
}

static void by_samples(ah_ctx *ctx, void *arg)
{
    zero_job *job = arg;
    (void) ctx;
    if (sample_zero(job->alg, job->e, true, job->witness) == SAMPLE_NONZERO) job->answer = AH_FALSE;
}

/* A point at which e is not zero costs one walk over the graph, so it is looked for first. With
 * relations a point would have to satisfy them: then only the ring answers. */
static ah_truth zero_beside_switches(algebra *alg, ah_expr e, algebra_witness *witness)
{
    zero_job job = {alg, e, AH_UNKNOWN, witness};
    if (witness) *witness = (algebra_witness){0};
    if (expr_get_op(alg->ctx, e) == EXPR_NUMBER)
        return expr_is_zero(alg->ctx, e) ? AH_TRUE : AH_FALSE;
    if (!alg->relations) algebra_attempt(alg, by_quick_sample, &job);
    if (job.answer == AH_UNKNOWN) algebra_attempt(alg, in_ring, &job);
    if (job.answer == AH_UNKNOWN && !alg->relations) algebra_attempt(alg, by_samples, &job);
    return job.answer;
}

/* ---- Switches -------------------------------------------------------------------------------- */

/* The ring knows sign(u) as |u|/u, which says nothing of u = 0. There sign(u) and |u| are 0, and the
 * rest must vanish as well: with a variable that u = 0 tells put in where there is one, or as it
 * is. */
enum { SWITCHES = 64 }; /* places that are looked at */

typedef struct switch_walk {
    algebra *alg;
    int left; /* of the places */
} switch_walk;

static bool zero_at_switches(switch_walk *w, ah_expr e);

static bool zero_with(switch_walk *w, ah_expr e)
{
    return zero_beside_switches(w->alg, e, NULL) == AH_TRUE && zero_at_switches(w, e);
}

/* e wherever u = 0. */
static bool zero_where(switch_walk *w, ah_expr e, ah_expr u)
{
    ah_ctx *ctx = w->alg->ctx;
    const ah_expr *child = expr_get_children(ctx, u);
    long power;
    if (--w->left < 0) return false;
    if (abs(algebra_sign(w->alg, u)) == 1) return true;
    if (expr_get_op(ctx, u) == EXPR_PRODUCT) {
        for (uint32_t i = 0; i < expr_get_count(ctx, u); i++)
            if (!zero_where(w, e, child[i])) return false;
        return true;
    }
    if (expr_get_op(ctx, u) == EXPR_POWER && expr_is_int(ctx, child[1], &power))
        return power < 0 || zero_where(w, e, child[0]);
    if (zero_with(w, e)) return true;
    const expr_list symbols = expr_symbols(ctx, &ctx->job, &u, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        const ah_expr slope = expr_diff(ctx, u, symbols.at[i]);
        if (expr_depends(ctx, slope, symbols.at[i]) || abs(algebra_sign(w->alg, slope)) != 1)
            continue;
        const ah_expr there = expr_sub(ctx, symbols.at[i], expr_div(ctx, u, slope));
        return zero_with(
            w, expr_subst(ctx, e, 1, &symbols.at[i], &(ah_expr){algebra_simplify(w->alg, there)}));
    }
    return false;
}

static bool zero_at_switches(switch_walk *w, ah_expr e)
{
    ah_ctx *ctx = w->alg->ctx;
    const expr_list nodes = expr_reachable(ctx, &ctx->job, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(ctx, nodes.at[i]) != EXPR_CALL ||
            expr_get_function(ctx, nodes.at[i]) != AH_SIGN)
            continue;
        const ah_expr u = expr_get_children(ctx, nodes.at[i])[0], zero = expr_int(ctx, 0);
        const ah_expr from[] = {nodes.at[i], expr_call1(ctx, AH_ABS, u)}, to[] = {zero, zero};
        if (!zero_where(w, expr_subst(ctx, e, 2, from, to), u)) return false;
    }
    return true;
}

bool algebra_zero_where(algebra *alg, ah_expr e, ah_expr u)
{
    switch_walk w = {alg, SWITCHES};
    return zero_where(&w, e, u);
}

ah_truth algebra_zero_witness(algebra *alg, ah_expr e, algebra_witness *witness)
{
    const ah_truth beside = zero_beside_switches(alg, e, witness);
    switch_walk w = {alg, SWITCHES};
    return beside == AH_TRUE && !zero_at_switches(&w, e) ? AH_UNKNOWN : beside;
}

ah_truth algebra_zero(algebra *alg, ah_expr e)
{
    return algebra_zero_witness(alg, e, NULL);
}

ah_truth algebra_equal(algebra *alg, ah_expr a, ah_expr b)
{
    return a == b ? AH_TRUE : algebra_zero(alg, expr_sub(alg->ctx, a, b));
}

/* ---- Signs ----------------------------------------------------------------------------------- */

/* From its factors: each by structure, or because it exceeds a fact f > 0 (f >= 0) by something
 * that is not negative. */
static sign_mask factor_sign(algebra *alg, ah_expr e)
{
    sign_mask m = sign_of(alg, e);
    for (size_t i = 0; i < alg->facts && m == SIGN_ANY; i++) {
        if (!alg->fact[i].positive || expr_get_op(alg->ctx, alg->fact[i].e) == EXPR_SYMBOL)
            continue;
        const ah_expr fact = algebra_lower(alg, alg->fact[i].e);
        const ah_expr over = algebra_canonical(alg, expr_sub(alg->ctx, e, fact));
        const ah_expr under =
            algebra_canonical(alg, expr_neg(alg->ctx, expr_add(alg->ctx, e, fact)));
        const sign_mask above = sign_of(alg, over), below = sign_of(alg, under);
        const bool border = alg->fact[i].border;
        if (!(above & SIGN_NEGATIVE))
            m = SIGN_POSITIVE | (border ? above & SIGN_ZERO : 0);
        else if (!(below & SIGN_NEGATIVE))
            m = SIGN_NEGATIVE | (border ? below & SIGN_ZERO : 0);
    }
    return m;
}

typedef struct sign_job {
    algebra *alg;
    ah_expr e;
    sign_mask answer;
} sign_job;

static void find_sign(ah_ctx *ctx, void *arg)
{
    sign_job *job = arg;
    factored f;
    (void) ctx;
    const ah_expr e = algebra_lower(job->alg, job->e);
    job->answer = sign_of(job->alg, e);
    if (job->answer == SIGN_POSITIVE || job->answer == SIGN_NEGATIVE) return;
    if (!algebra_factored(job->alg, e, &f)) return;
    sign_mask m = sign_of(job->alg, f.content);
    for (size_t i = 0; i < f.count; i++)
        m = sign_product(m, sign_power(factor_sign(job->alg, f.factor[i]), f.exponent[i]));
    job->answer = m;
}

/* The same few are asked for thousands of times where cases are told apart. */
static sign_mask ask_sign(algebra *alg, ah_expr e)
{
    const bool keep = !alg->relations; /* these come and go */
    const uint32_t known = keep ? map_get(&alg->found_sign, e) : 0;
    sign_job job = {alg, e, SIGN_ANY};
    if (known) return (sign_mask) (known - 1);
    if (algebra_attempt(alg, find_sign, &job) && keep)
        map_put(&alg->found_sign, e, 1 + (uint32_t) job.answer);
    return job.answer;
}

bool algebra_one_sign(algebra *alg, ah_expr e)
{
    const sign_mask answer = ask_sign(alg, e);
    return !(answer & SIGN_NEGATIVE) || !(answer & SIGN_POSITIVE);
}

bool algebra_never_zero(algebra *alg, ah_expr e)
{
    return !(ask_sign(alg, e) & SIGN_ZERO);
}

int algebra_sign(algebra *alg, ah_expr e)
{
    const sign_mask answer = ask_sign(alg, e);
    if (answer == SIGN_POSITIVE) return 1;
    if (answer == SIGN_NEGATIVE) return -1;
    if (answer == SIGN_ZERO) return 0;
    return !alg->relations && algebra_zero(alg, e) == AH_TRUE ? 0 : 2;
}
