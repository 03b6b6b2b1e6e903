/* algebra/sample.c - evaluation in balls at random points: a ball without zero is a proof.
 *
 * Unspecified functions: where the arguments of f(u), f(w) differ at the point, there is a smooth f
 * with any values and derivatives there. So each f(u) becomes a symbol with a value of its own,
 * provided the balls of u and w do not meet. */
#include "internal.h"
#include "../expr/ball.h"
#include <string.h>

/* Points tried, and digits; those at which e is not defined or a fact fails do not count as seen. */
#define QUICK_POINTS    4
#define QUICK_BITS      64
#define WIDE_BITS       32 /* a ball around zero of more than 2^-32 says nothing */
#define THOROUGH_POINTS 100
#define THOROUGH_BITS   512
#define ZEROS_SEEN      3

typedef struct unknown {
    ah_expr call, symbol; /* lowered; what stands for it */
    size_t first;         /* of its arguments, in roots */
} unknown;

typedef struct sample {
    algebra *alg;
    ah_ctx *ctx;
    LIST(ah_expr) roots; /* what is asked, the facts, the arguments of unspecified functions */
    size_t asked;
    LIST(unknown) unknowns;
    map replaced;
    expr_list symbols;
    ball_frame *values;
    arb_ptr out; /* of the roots */
} sample;

/* ---- Unspecified functions as symbols -------------------------------------------------------- */

static ah_expr symbol_for(sample *s, ah_expr call)
{
    arena *a = &s->ctx->scratch;
    for (size_t i = 0; i < s->unknowns.count; i++)
        if (s->unknowns.at[i].call == call) return s->unknowns.at[i].symbol;
    const char *name = arena_printf(a, "?%zu", s->unknowns.count);
    const ah_expr symbol = expr_symbol(s->ctx, AH_LOCAL, name);
    LIST_PUSH(a, &s->unknowns, ((unknown){call, symbol, 0}));
    return symbol;
}

static ah_expr without_unknowns(sample *s, ah_expr e)
{
    arena *a = &s->ctx->scratch;
    const expr_list nodes = expr_reachable(s->ctx, a, &e, 1);
    for (size_t i = 0; i < nodes.count; i++) {
        const ah_expr x = nodes.at[i];
        if (map_get(&s->replaced, x)) continue;
        const size_t count = expr_get_count(s->ctx, x);
        ah_expr *child = NEW_ARRAY(a, ah_expr, count);
        bool same = true;
        for (size_t j = 0; j < count; j++) {
            child[j] = map_get(&s->replaced, expr_get_children(s->ctx, x)[j]);
            same = same && child[j] == expr_get_children(s->ctx, x)[j];
        }
        const bool is_unknown = expr_get_op(s->ctx, x) == EXPR_UNKNOWN;
        map_put(&s->replaced, x,
                is_unknown ? symbol_for(s, algebra_lower(s->alg, x))
                : same     ? x
                           : expr_rebuild(s->ctx, x, child));
    }
    return map_get(&s->replaced, e);
}

/* The list of unknowns grows while their arguments are looked at: f(g(t)). */
static void add_arguments(sample *s)
{
    for (size_t i = 0; i < s->unknowns.count; i++) {
        const ah_expr call = s->unknowns.at[i].call;
        s->unknowns.at[i].first = s->roots.count;
        for (size_t j = 0; j < expr_get_count(s->ctx, call); j++)
            LIST_PUSH(&s->ctx->scratch, &s->roots,
                      without_unknowns(s, expr_get_children(s->ctx, call)[j]));
    }
}

/* The same function at arguments that are neither the same expressions nor certainly different. */
static bool clash(const sample *s, const unknown *a, const unknown *b)
{
    const ah_ctx *ctx = s->ctx;
    const size_t count = expr_get_count(ctx, a->call);
    bool same = true;
    if (strcmp(expr_get_name(ctx, a->call), expr_get_name(ctx, b->call)) != 0) return false;
    if (count != expr_get_count(ctx, b->call)) return false;
    for (size_t j = 0; j < count; j++) {
        same = same && expr_get_children(ctx, a->call)[j] == expr_get_children(ctx, b->call)[j];
        if (!arb_overlaps(s->out + a->first + j, s->out + b->first + j)) return false;
    }
    return !same;
}

static bool arguments_clash(const sample *s)
{
    for (size_t i = 0; i < s->unknowns.count; i++)
        for (size_t k = 0; k < i; k++)
            if (clash(s, &s->unknowns.at[i], &s->unknowns.at[k])) return true;
    return false;
}

/* ---- Points ---------------------------------------------------------------------------------- */

/* A dyadic number, exact as a double: ±k/512 with 64 ≤ k < 1024; positive where that is known. When
 * points of this size are no good (facts such as a > 10), up to 32 times that. */
static double random_value(algebra *alg, ah_expr symbol, bool wide)
{
    const uint64_t bits = algebra_random(alg) >> 20;
    double size = (double) (64 + (bits & 0xffff) % 960) / 512;
    if (wide) size *= (double) (1u << (bits >> 17) % 6);
    const sign_mask m = sign_of(alg, symbol);
    if (!(m & SIGN_NEGATIVE)) return size;
    if (!(m & SIGN_POSITIVE)) return -size;
    return bits & 0x10000 ? size : -size;
}

static bool facts_hold(const sample *s)
{
    for (size_t i = 0; i < s->alg->facts; i++) {
        const arb_struct *v = s->out + s->asked + i;
        if (s->alg->fact[i].positive ? !arb_is_positive(v) : arb_contains_zero(v)) return false;
    }
    return true;
}

static void evaluate(sample *s, long bits)
{
    expr_eval_balls(s->values, s->roots.at, s->roots.count, bits, s->out);
}

/* Whether zero lies in the ball because that is wide, as it is behind the rotations of a long chain, each of which makes it
 * wider: more digits will tell. */
static bool is_wide(const arb_struct *ball)
{
    return arb_contains_zero(ball) && mag_cmp_2exp_si(arb_radref(ball), -WIDE_BITS) > 0;
}

static void draw_point(sample *s, bool wide)
{
    for (size_t i = 0; i < s->symbols.count; i++)
        arb_set_d(ball_frame_ref(s->values, s->symbols.at[i]),
                  random_value(s->alg, s->symbols.at[i], wide));
    evaluate(s, QUICK_BITS);
}

/* More digits until e is told from zero or there are enough. */
static sample_result try_point(sample *s, long most_bits, bool wide)
{
    draw_point(s, wide);
    if (!arb_is_finite(s->out) || !facts_hold(s) || arguments_clash(s)) return SAMPLE_NONE;
    for (long bits = 2 * QUICK_BITS; arb_contains_zero(s->out) && bits <= THOROUGH_BITS;
         bits *= 2) {
        if (bits > most_bits && !is_wide(s->out)) break;
        evaluate(s, bits);
    }
    return arb_contains_zero(s->out) ? SAMPLE_ZERO : SAMPLE_NONZERO;
}

static void keep_witness(const sample *s, algebra_witness *witness)
{
    ah_expr *symbols = NEW_ARRAY(&s->ctx->job, ah_expr, s->symbols.count);
    double *values = NEW_ARRAY(&s->ctx->job, double, s->symbols.count);
    for (size_t i = 0; i < s->symbols.count; i++) {
        symbols[i] = s->symbols.at[i];
        values[i] = arf_get_d(arb_midref(ball_frame_get(s->values, symbols[i])), ARF_RND_NEAR);
    }
    *witness = (algebra_witness){s->symbols.count, symbols, values};
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void prepare(sample *s, size_t count, const ah_expr *e)
{
    arena *a = &s->ctx->scratch;
    s->replaced.arena = a;
    s->asked = count;
    for (size_t i = 0; i < count; i++) LIST_PUSH(a, &s->roots, without_unknowns(s, e[i]));
    for (size_t i = 0; i < s->alg->facts; i++)
        LIST_PUSH(a, &s->roots, without_unknowns(s, s->alg->fact[i].e));
    add_arguments(s);
    s->symbols = expr_symbols(s->ctx, a, s->roots.at, s->roots.count);
    s->values = ball_frame_create(s->ctx, a);
    s->out = ball_array(a, s->roots.count);
}

sample_result sample_zero(algebra *alg, ah_expr e, bool thorough, algebra_witness *witness)
{
    const int points = thorough ? THOROUGH_POINTS : QUICK_POINTS;
    const int enough = thorough ? ZEROS_SEEN : 1;
    sample s = {.alg = alg, .ctx = alg->ctx};
    const arena_mark mark = arena_get_mark(&alg->ctx->scratch);
    int zeros = 0;
    prepare(&s, 1, &e);
    sample_result result = SAMPLE_NONE;
    for (int i = 0; i < points && zeros < enough && result != SAMPLE_NONZERO; i++) {
        const sample_result now = try_point(&s, thorough ? THOROUGH_BITS : QUICK_BITS, i > 10);
        zeros += now == SAMPLE_ZERO;
        if (now != SAMPLE_NONE) result = now;
    }
    if (result == SAMPLE_NONZERO && witness) keep_witness(&s, witness);
    arena_release(&alg->ctx->scratch, mark);
    return result;
}

typedef struct nonzero_job {
    algebra *alg;
    size_t count;
    const ah_expr *e;
    bool *out;
} nonzero_job;

static bool any_wide(const sample *s)
{
    for (size_t i = 0; i < s->asked; i++)
        if (is_wide(s->out + i)) return true;
    return false;
}

static void find_nonzero(ah_ctx *ctx, void *arg)
{
    const nonzero_job *job = arg;
    sample s = {.alg = job->alg, .ctx = ctx};
    prepare(&s, job->count, job->e);
    bool good = false;
    for (int i = 0; i < QUICK_POINTS && !good; i++) {
        draw_point(&s, false);
        good = facts_hold(&s) && !arguments_clash(&s);
    }
    for (long bits = 2 * QUICK_BITS; good && any_wide(&s) && bits <= THOROUGH_BITS; bits *= 2)
        evaluate(&s, bits);
    for (size_t i = 0; i < job->count; i++)
        job->out[i] = good && arb_is_finite(s.out + i) && !arb_contains_zero(s.out + i);
}

void algebra_nonzero(algebra *alg, size_t count, const ah_expr *e, bool *out)
{
    nonzero_job job = {alg, count, e, out};
    for (size_t i = 0; i < count; i++) out[i] = false;
    if (!alg->relations) algebra_attempt(alg, find_nonzero, &job);
}
