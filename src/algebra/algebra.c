/* algebra/algebra.c - the algebra's life, and the bounds of a call. */
#include "internal.h"
#include <math.h>

typedef struct facts_job {
    algebra *alg;
} facts_job;

/* Signs of symbols first: they help to take the other facts apart. */
static void learn_facts(ah_ctx *ctx, void *arg)
{
    algebra *alg = ((facts_job *) arg)->alg;
    for (int round = 0; round < 2; round++)
        for (size_t i = 0; i < alg->facts; i++)
            if ((expr_get_op(ctx, alg->fact[i].e) != EXPR_SYMBOL) == (round == 1))
                sign_learn(alg, &alg->fact[i]);
}

/* The forms that were found within these bounds before, or a place for them. */
static void remember(algebra *alg)
{
    const simplified_forms *s = alg->simplified.at;
    alg->current = 0;
    while (alg->current < alg->simplified.count &&
           (s[alg->current].terms != alg->terms || s[alg->current].seconds != alg->seconds))
        alg->current++;
    if (alg->current < alg->simplified.count) return;
    const simplified_forms none = {alg->seconds, alg->terms, {.arena = &alg->ctx->job}};
    LIST_PUSH(&alg->ctx->job, &alg->simplified, none);
}

void algebra_forget(algebra *alg)
{
    alg->simplified.count = 0;
    remember(alg);
}

algebra *algebra_create(ah_ctx *ctx, const algebra_fact *facts, size_t count)
{
    arena *a = &ctx->job;
    algebra *alg = NEW(a, algebra);
    *alg = (algebra){
        .ctx = ctx,
        .seconds = ALGEBRA_SECONDS,
        .terms = ctx->limits.terms,
        .random = UINT64_C(0x2545F4914F6CDD1D),
        .facts = count,
        .fact = NEW_ARRAY(a, algebra_fact, count),
        .lowered.arena = a,
        .canonical.arena = a,
        .shown.arena = a,
        .cost.arena = a,
        .nested = {{.arena = a}, {.arena = a}, {.arena = a}},
        .fact_sign.arena = a,
        .sign.arena = a,
        .found_sign.arena = a,
        .factored.arena = a,
    };
    for (size_t i = 0; i < count; i++) alg->fact[i] = facts[i];
    remember(alg);
    algebra_attempt(alg, learn_facts, &(facts_job){alg});
    /* Roots were lowered while facts were still being learnt. */
    alg->lowered = alg->canonical = alg->found_sign = alg->factored = (map){.arena = a};
    return alg;
}

void algebra_set_bounds(algebra *alg, double seconds, uint32_t terms)
{
    alg->seconds = seconds;
    alg->terms = terms;
    remember(alg);
}

/* ---- Attempts -------------------------------------------------------------------------------- */

typedef struct attempt {
    algebra *alg;
    void (*body)(ah_ctx *ctx, void *arg);
    void *arg;
} attempt;

static void run(ah_ctx *ctx, void *arg)
{
    attempt *a = arg;
    if (a->alg->depth == 0) ctx_share(ctx, a->alg->seconds);
    a->alg->depth++;
    a->body(ctx, a->arg);
}

bool algebra_attempt(algebra *alg, void (*body)(ah_ctx *ctx, void *arg), void *arg)
{
    ah_ctx *ctx = alg->ctx;
    const unsigned depth = alg->depth, lowering = alg->lowering;
    const uint32_t terms = alg->terms;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const ah_status status = ctx_try(ctx, run, &(attempt){alg, body, arg});
    alg->depth = depth;
    alg->lowering = lowering;
    alg->terms = terms;
    arena_release(&ctx->scratch, mark);
    /* Past the caller's own deadline the next tick raises again. */
    if (status != AH_OK && status != AH_E_LIMIT) ctx_raise(ctx, status);
    return status == AH_OK;
}

void algebra_give_up(algebra *alg)
{
    ctx_raise_limit(alg->ctx, NULL);
}

/* xorshift64*: sample points, the same in every run. */
uint64_t algebra_random(algebra *alg)
{
    alg->random ^= alg->random >> 12;
    alg->random ^= alg->random << 25;
    alg->random ^= alg->random >> 27;
    return alg->random * UINT64_C(0x2545F4914F6CDD1D);
}
