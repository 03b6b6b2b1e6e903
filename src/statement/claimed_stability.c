/* statement/claimed_stability.c - claims about the stability of steady motions.
 *
 * `stable` says that no eigenvalue of the linearisation has a positive real part, `attracting` that
 * all others than the family's zeros have negative ones, `unstable` that one has a positive one.
 * Steady motions drawn at random come first, one by one, by their spectra; then the conditions of
 * Routh and Hurwitz for the family with symbols are put to the proof. A condition that fails
 * strictly proves instability: were all real parts ≤ 0, none of the coefficients and determinants
 * could be negative (limits of positive ones). */
#include "claimed_exact.h"

#include "../flow/flow.h"
#include "../real/real.h"

#include <math.h>

enum {
    ATTEMPTS = 6, /* a steady motion that is wanted */
    MOTIONS = 20, /* at most */
    IN_VAIN = 60  /* attempts without any */
};

/* ---- Numbers --------------------------------------------------------------------------------- */

/* 1: the motion is as claimed, −1: it is not, both beyond rounding; 0: numbers do not tell, for an
 * eigenvalue lies on the imaginary axis or next to it. */
static int is_as_claimed(ah_says says, const stability_answer *a)
{
    if (says == AH_SAYS_CHARACTERISTIC) return 1;
    const bool unstable = a->verdict == AH_UNSTABLE;
    const bool attracting = a->verdict == AH_ATTRACTING;
    if (!unstable && !attracting) return 0;
    return (says == AH_SAYS_UNSTABLE ? unstable : attracting) ? 1 : -1;
}

static double largest_real_part(const spectrum *s)
{
    double most = s->zeros ? 0 : -INFINITY;
    for (uint32_t i = 0; i < s->n - s->zeros; i++) most = fmax(most, s->re[i]);
    return most;
}

/* Is there anything to vary? */
static bool is_single(const claimed *c)
{
    if (!c->from_start || c->s->conditions) return false;
    for (size_t i = 0; i < c->model->parameters.count; i++)
        if (c->model->parameters.at[i].value == AH_NONE) return false;
    return true;
}

/* Those of which numbers do not tell are found, too. */
static void try_motions(claimed *c, const statement_question *q, verify_claim *out, motions *found)
{
    const size_t wanted = is_single(c) ? 1 : q->states < MOTIONS ? q->states : MOTIONS;
    const char *why = "no steady motion was found that fits it";
    for (size_t i = 0; i < ATTEMPTS * wanted + IN_VAIN && out->states < wanted; i++) {
        ctx_tick(c->model->ctx);
        if (i > IN_VAIN && out->states == 0) break;
        frame *values = claimed_draw(c);
        if (!values) continue;
        stability_answer a;
        const char *no;
        c->p.fixed = c->fixed;
        if (!stability_settle(&c->p, values, &a, &no)) {
            if (a.values) why = no;
            continue;
        }
        if (!claimed_holds(c, a.values)) continue;
        LIST_PUSH(c->p.arena, found, a);
        if (is_as_claimed(q->s->says, &a) < 0) {
            out->values = a.values;
            out->left = largest_real_part(&a.spectrum);
            break;
        }
        out->states++;
    }
    if (!found->count) out->why = why;
}

/* ---- Proof ----------------------------------------------------------------------------------- */

/* Do all the motions belong to the family? Then what holds for it holds for them. */
static bool is_the_family(claimed *c, const characteristic *f, const motions *found)
{
    const minimal *m = c->p.m;
    for (size_t i = 0; i < found->count; i++)
        for (uint32_t k = 0; k < m->kept; k++) {
            const frame *values = found->at[i].values;
            double want;
            ah_expr e = f->state[k];
            flow_define(c->model, &e, 1);
            expr_plan_run(expr_plan_create(c->model->ctx, c->p.arena, &e, 1), values, &want);
            const double got = minimal_value(m, m->keep[k], values);
            if (!(fabs(got - want) <= 1e-6 * (1 + fabs(want)))) return false;
        }
    return true;
}

ah_expr claimed_put(claimed *c, reduced *w, ah_expr e)
{
    e = reduced_at1(w, reduced_through(w, e));
    model_put_values(c->model, &e, 1);
    return algebra_simplify(w->alg, e);
}

static bool put_named(claimed *c, reduced *w)
{
    ah_expr *e = NEW_ARRAY(w->arena, ah_expr, c->s->values + 1);
    for (size_t i = 0; i < c->s->values; i++)
        e[i] = reduced_through(w, expr_sub(w->ctx, c->s->value[i].symbol, c->s->value[i].value));
    uint32_t count = 0; /* ignorable coordinates make no difference */
    for (size_t i = 0; i < c->s->values; i++) {
        bool ignored = false;
        for (uint32_t k = 0; k < w->m->ignorable; k++)
            ignored = ignored || w->m->symbol[w->m->ignored[k]] == c->s->value[i].symbol;
        if (!ignored) e[count++] = e[i];
    }
    return reduced_solve(w, mat_from_dense(w->ctx, w->arena, count, 1, e));
}

/* Are the motions of the family all steady motions with the named values? Solved anew, without any
 * step that might lose some. */
static bool is_all(claimed *c, const characteristic *f)
{
    const minimal *m = c->p.m;
    reduced *w = f->reduced, own;
    ah_ctx *ctx = w->ctx;
    if (c->from_start) return true; /* one motion is meant */
    if (!reduced_create(c->p.m, c->p.arena, w->values, &own)) return false;
    ah_expr *e = NEW_ARRAY(c->p.arena, ah_expr, c->s->values + 1);
    for (size_t i = 0; i < c->s->values; i++) {
        const model_value *v = &c->s->value[i];
        e[i] = reduced_through(&own, expr_sub(ctx, v->symbol, v->value));
        if (expr_get_kind(ctx, v->symbol) != AH_COORDINATE) continue;
        reduced_put(&own, v->symbol, reduced_at1(&own, reduced_through(&own, v->value)));
        e[i] = expr_int(ctx, 0);
    }
    const mat named = mat_from_dense(ctx, c->p.arena, (uint32_t) c->s->values, 1, e);
    const mat rest = mat_stack(ctx, c->p.arena, reduced_rates(&own), own.E);
    const mat all = mat_stack(ctx, c->p.arena, mat_stack(ctx, c->p.arena, own.f, named), rest);
    if (!reduced_solve_surely(&own, all)) return false;
    for (uint32_t i = 0; i < m->kept; i++) {
        const ah_expr y = m->symbol[m->keep[i]];
        if (algebra_equal(w->alg, claimed_put(c, w, y), claimed_put(c, &own, y)) != AH_TRUE)
            return false;
    }
    return true;
}

static ah_expr put_values(void *arg, ah_expr e)
{
    exact *x = arg;
    return claimed_put(x->c, x->f->reduced, e);
}

/* k + number: where it vanishes is a limit of where it is positive, and what is stable there is so
 * in the limit. */
static bool is_bound(const claimed *c, ah_expr e)
{
    ah_ctx *ctx = c->model->ctx;
    const expr_list symbols = expr_symbols(ctx, c->p.arena, &e, 1);
    return symbols.count == 1 && expr_get_op(ctx, expr_diff(ctx, e, symbols.at[0])) == EXPR_NUMBER;
}

static bool open_exact(claimed *c, const characteristic *f, const motions *found, exact *x)
{
    const ah_model *m = c->model;
    *x = (exact){.c = c, .f = f, .count = m->facts.count, .explained = true};
    if (!put_named(c, f->reduced) || !is_all(c, f)) return false;
    x->facts = NEW_ARRAY(c->p.arena, algebra_fact, m->facts.count + 1);
    for (size_t i = 0; i < m->facts.count; i++) {
        x->facts[i] = m->facts.at[i];
        x->facts[i].e = claimed_put(c, f->reduced, m->facts.at[i].e);
        if (c->s->says == AH_SAYS_STABLE && is_bound(c, m->facts.at[i].e))
            x->facts[i].border = false;
    }
    x->f = characteristic_with(f, c->p.arena, put_values, x);
    for (size_t i = 0; i < found->count; i++)
        if (!found->at[i].family_sure || found->at[i].family != x->f->zeros) x->explained = false;
    return true;
}

/* No real part is positive; attracting: those of all but the zeros are negative. */
static bool is_stable(const exact *x, bool attracting, const char **how)
{
    const characteristic *f = x->f;
    ah_ctx *ctx = x->c->model->ctx;
    *how = f->degree == 0 ? "all eigenvalues are zero"
           : f->even      ? "the roots in the square of λ are real and not positive"
                          : "by the conditions of Routh and Hurwitz";
    if (attracting && (f->even || !x->explained)) return false;
    for (size_t i = 0; i < f->conditions; i++)
        if (!positive_prove(ctx, x->c->p.arena, x->facts, x->count, f->condition[i])) return false;
    return f->decided || f->degree == 0;
}

/* One real part is positive, everywhere. */
static bool is_unstable(const exact *x, const char **how)
{
    const characteristic *f = x->f;
    ah_ctx *ctx = x->c->model->ctx;
    ah_expr *e = NEW_ARRAY(x->c->p.arena, ah_expr, f->conditions + 1);
    for (size_t i = 0; i < f->conditions; i++) e[i] = expr_neg(ctx, f->condition[i]);
    *how = "a condition of Routh and Hurwitz is negative";
    return positive_one_of(ctx, x->c->p.arena, x->facts, x->count, e, f->conditions) >= 0;
}

/* ---- Disproof -------------------------------------------------------------------------------- */

/* The one symbol that is left in the conditions and the assumptions; AH_NONE: there are several. */
static ah_expr only_symbol(const exact *x)
{
    arena *a = x->c->p.arena;
    expr_list all = {0};
    for (size_t i = 0; i < x->f->conditions; i++) LIST_PUSH(a, &all, x->f->condition[i]);
    for (size_t i = 0; i < x->count; i++) LIST_PUSH(a, &all, x->facts[i].e);
    const expr_list symbols = expr_symbols(x->c->model->ctx, a, all.at, all.count);
    return symbols.count == 1 ? symbols.at[0] : AH_NONE;
}

static int sign_at(const exact *x, ah_expr e, ah_expr symbol, ah_expr value)
{
    algebra *alg = x->f->reduced->alg;
    e = expr_subst(x->c->model->ctx, e, 1, &symbol, &value);
    return algebra_sign(alg, algebra_simplify(alg, e));
}

/* Does the claim fail at this value, which the assumptions allow? Signs of numbers are exact. */
static bool fails_at(const exact *x, ah_says says, ah_expr symbol, ah_expr value)
{
    bool all = x->f->decided, one = false;
    for (size_t i = 0; i < x->count; i++) {
        const int sign = sign_at(x, x->facts[i].e, symbol, value);
        if (x->facts[i].positive ? sign != 1 : sign != 1 && sign != -1) return false;
    }
    for (size_t i = 0; i < x->f->conditions; i++) {
        const int sign = sign_at(x, x->f->condition[i], symbol, value);
        one = one || sign == -1;
        all = all && sign == 1;
    }
    return says == AH_SAYS_UNSTABLE ? all : one;
}

/* Between which zeros of conditions and assumptions it fails. */
static ah_expr where_it_fails(const exact *x, ah_says says, ah_expr symbol)
{
    arena *a = x->c->p.arena;
    ah_ctx *ctx = x->c->model->ctx;
    expr_list all = {0};
    line cuts;
    for (size_t i = 0; i < x->f->conditions; i++) LIST_PUSH(a, &all, x->f->condition[i]);
    for (size_t i = 0; i < x->count; i++) LIST_PUSH(a, &all, x->facts[i].e);
    if (!line_cut(ctx, a, x->f->reduced->alg, symbol, all.at, all.count, &cuts)) return AH_NONE;
    for (size_t i = 0; i <= cuts.count; i++) {
        const ah_expr between = line_between(ctx, i ? cuts.cut[i - 1] : -INFINITY,
                                             i < cuts.count ? cuts.cut[i] : INFINITY);
        if (between != AH_NONE && fails_at(x, says, symbol, between)) return between;
    }
    return AH_NONE;
}

/* Is the claim false for some of its motions, by exact signs? *out: one of them, NULL where none was
 * reached. */
static bool disprove(const exact *x, const motions *found, frame **out, const char **how)
{
    const ah_says says = x->c->s->says;
    *out = found->at[0].values;
    if (says == AH_SAYS_UNSTABLE && is_stable(x, false, how)) return true;
    if (says != AH_SAYS_UNSTABLE && is_unstable(x, how)) return true;
    *how = "in λ² alone: with every eigenvalue there is its opposite";
    if (says == AH_SAYS_ATTRACTING && x->f->even) return true;
    const ah_expr symbol = only_symbol(x);
    const ah_expr value = symbol != AH_NONE ? where_it_fails(x, says, symbol) : AH_NONE;
    if (value == AH_NONE) return false;
    ah_ctx *ctx = x->c->model->ctx;
    *how = arena_printf(x->c->p.arena, "by the conditions of Routh and Hurwitz for %s = %s",
                        expr_text(ctx, x->c->p.arena, symbol, AH_TEXT),
                        expr_text(ctx, x->c->p.arena, value, AH_TEXT));
    *out = claimed_at(x->c, found->at[0].values, symbol, expr_number_double(ctx, value));
    return true;
}

/* ---- The claim ------------------------------------------------------------------------------- */

/* What a claim that holds does not say. */
static const char *reservation(ah_says says, const stability_answer *a)
{
    if (says != AH_SAYS_STABLE || a->verdict == AH_ATTRACTING) return NULL;
    return a->verdict == AH_DRIFTING
               ? "spectrally: more zero eigenvalues than the family explains"
               : "spectrally: the linearisation does not decide what motions nearby do";
}

/* What makes the claim false at the motion: the least of the conditions, where one fails; the
 * largest real part. */
static double reason_at(const exact *x, frame *values)
{
    claimed *c = x->c;
    spectrum s;
    const double *B;
    double least = INFINITY, value;
    for (size_t i = 0; i < x->f->conditions; i++) {
        ah_expr e = x->f->condition[i];
        flow_define(c->model, &e, 1);
        expr_plan_run(expr_plan_create(c->model->ctx, c->p.arena, &e, 1), values, &value);
        least = fmin(least, value);
    }
    if (c->s->says != AH_SAYS_UNSTABLE && least < 0) return least;
    return stability_spectrum(&c->p, values, UINT32_MAX, &B, &s) ? largest_real_part(&s) : NAN;
}

/* Signs are proved inside of the conditions. What is stable inside is so at the border, a limit;
 * `attracting` and `unstable` may end there. */
static void doubt_border(const claimed *c, verify_claim *out)
{
    bool border = c->s->border; /* proofs know of assumptions with >= that they are no more */
    for (size_t i = 0; i < c->model->facts.count; i++)
        border = border || (c->model->facts.at[i].border && out->verdict == AH_VERDICT_HOLDS);
    if (!border || c->s->says == AH_SAYS_STABLE || out->verdict == AH_VERDICT_FALSE) return;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = "where a condition holds with equality it was not decided";
}

/* Motions of which neither signs nor numbers tell. Where the polynomial is one in λ² alone an eigenvalue that is nearer to the
 * imaginary axis than numbers tell lies on it. */
static size_t undecided(ah_says says, const characteristic *f, const motions *found)
{
    size_t count = 0;
    for (size_t i = 0; i < found->count; i++) {
        stability_answer a = found->at[i];
        if (f && f->even && a.mirror == MIRROR_NONE) a.mirror = MIRROR_PAIRS;
        a.verdict = stability_judge(&a.spectrum, &a);
        count +=
            is_as_claimed(says, &a) == 0 && !(says == AH_SAYS_STABLE && a.verdict == AH_SPECTRAL);
    }
    return count;
}

/* By exact signs, else by what the numbers said of the motions that were found. */
static void judge(claimed *c, const motions *found, verify_claim *out)
{
    const ah_says says = c->s->says;
    const characteristic *f = characteristic_create(c->p.m, c->p.arena, found->at[0].values, NULL);
    const char *how = NULL, *but = reservation(says, &found->at[0]);
    exact x;
    frame *witness;
    const bool known = f && is_the_family(c, f, found) && open_exact(c, f, found, &x);
    if (says == AH_SAYS_CHARACTERISTIC) {
        polynomial_judge(c, found, known ? &x : NULL, out);
        return;
    }
    out->verdict = AH_VERDICT_HOLDS;
    out->why = but;
    if (known && (says == AH_SAYS_UNSTABLE ? is_unstable(&x, &how)
                                           : is_stable(&x, says == AH_SAYS_ATTRACTING, &how))) {
        out->verdict = AH_VERDICT_PROVED;
        out->why = but ? arena_printf(c->p.arena, "%s; %s", but, how) : how;
    } else if (known && disprove(&x, found, &witness, &how)) {
        out->verdict = witness ? AH_VERDICT_FALSE : AH_VERDICT_UNKNOWN;
        out->why = witness ? how : arena_printf(c->p.arena, "it fails %s", how);
        out->values = witness;
        out->states = 0;
        if (witness) out->left = reason_at(&x, witness);
    } else if (undecided(says, f, found)) {
        out->verdict = AH_VERDICT_UNKNOWN;
        out->states = 0;
        out->why = "an eigenvalue is too near to the imaginary axis for numbers to decide";
    } else if (known && says != AH_SAYS_STABLE) {
        out->verdict = AH_VERDICT_UNKNOWN;
        out->why = "a condition of Routh and Hurwitz may vanish for some of the motions";
    }
    doubt_border(c, out);
}

void statement_of_stability(const statement_question *q, verify_claim *out)
{
    claimed c;
    motions found = {0};
    out->verdict = AH_VERDICT_UNKNOWN;
    if (!claimed_open(q, &c, &out->why)) return;
    out->model = c.model;
    if (!c.p.m->autonomous) {
        out->why = problem_time_text(c.model);
        return;
    }
    try_motions(&c, q, out, &found);
    if (out->values) {
        out->verdict = AH_VERDICT_FALSE;
        out->why = "the largest real part of an eigenvalue is on the left";
        return;
    }
    if (!found.count) return;
    judge(&c, &found, out);
    claimed_of_one_component(&c, out);
}
