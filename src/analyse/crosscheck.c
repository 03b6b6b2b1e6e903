/* analyse/crosscheck.c - every method against Gauss' principle solved through a null space. */
#include "crosscheck.h"
#include "../state/enclosed.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct comparison {
    ah_model *model;
    size_t count;
    eval_method *methods;  /* those that apply; the referee first */
    const char *undefined; /* at a state that was tried; NULL: nothing was */
    enclosed *enclosed;    /* once it was asked for */
    crosscheck_answer *out;
} comparison;

/* ---- Large systems --------------------------------------------------------------------------- */

enum { MANY = 40 };       /* coordinates: of more a method may need more memory than there is */
#define SHARE_OF_ALL 0.75 /* of what is left: for all methods together */

typedef struct attempt {
    ah_model *fork;
    const formalism *method;
} attempt;

static void attempt_method(ah_ctx *ctx, void *arg)
{
    const attempt *t = arg;
    eval_prepare(t->fork, t->method, NULL, &ctx->job);
}

/* The bytes that a method needs, by trying it aside; SIZE_MAX: more than there are. */
static size_t room_for(ah_model *m, const formalism *method)
{
    attempt t = {.method = method};
    size_t room = SIZE_MAX;
    if (model_fork(m, &t.fork) != AH_OK) return room;
    const size_t before = m->ctx->root->bytes;
    if (ctx_try(t.fork->ctx, attempt_method, &t) == AH_OK) room = m->ctx->root->bytes - before;
    model_fork_destroy(t.fork);
    return room;
}

static bool is_referee(const formalism *f)
{
    return !strcmp(f->name, "gauss");
}

/* Which methods find room together: the referee, then those that need least. */
static void choose(ah_model *m, size_t all, bool *fits)
{
    const ah_ctx *root = m->ctx->root;
    size_t *room = NEW_ARRAY(&m->ctx->job, size_t, all);
    size_t left = (size_t) (SHARE_OF_ALL * (double) (root->limits.memory - root->bytes));
    for (size_t i = 0; i < all; i++) {
        ctx_tick(m->ctx);
        room[i] = room_for(m, derive_formalisms[i]);
    }
    for (;;) {
        size_t next = all;
        for (size_t i = 0; i < all; i++)
            if (!fits[i] && room[i] <= left &&
                (next == all || is_referee(derive_formalisms[i]) ||
                 (room[i] < room[next] && !is_referee(derive_formalisms[next]))))
                next = i;
        if (next == all) break;
        fits[next] = true;
        left -= room[next];
    }
}

static void refuse(comparison *c, const char *method, const char *why)
{
    c->out->refused[c->out->refusals] = method;
    c->out->why[c->out->refusals++] = why;
}

static void prepare(comparison *c)
{
    ah_model *m = c->model;
    arena *a = &m->ctx->job;
    size_t all = 0;
    while (derive_formalisms[all]) all++;
    c->methods = NEW_ARRAY(a, eval_method, all);
    c->out->refused = NEW_ARRAY(a, const char *, all);
    c->out->why = NEW_ARRAY(a, const char *, all);
    c->out->method = NEW_ARRAY(a, const char *, all);
    c->out->difference = NEW_ARRAY(a, double, all);
    bool *fits = NEW_ARRAY(a, bool, all);
    if (m->n > MANY) choose(m, all, fits);
    for (size_t i = 0; i < all; i++) {
        if (m->n > MANY && !fits[i]) {
            refuse(c, derive_formalisms[i]->name, "its equations need more memory than there is");
            continue;
        }
        const eval_method e = eval_prepare(m, derive_formalisms[i], NULL, a);
        if (e.refused) {
            refuse(c, e.method->name, e.refused);
            continue;
        }
        c->methods[c->count] = e;
        if (is_referee(e.method) && c->count) { /* the referee leads */
            c->methods[c->count] = c->methods[0];
            c->methods[0] = e;
        }
        c->count++;
    }
    for (size_t i = 0; i < c->count; i++) c->out->method[i] = c->methods[i].method->name;
    c->out->methods = c->count;
}

static double largest(const double *x, uint32_t n)
{
    double size = 0;
    for (uint32_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* Identities that a method carries along (extras named "identity …") must vanish, the second routes
 * ("qddot …") agree. */
static bool is_compared(const struct equations_extra *e, bool *identity)
{
    *identity = !strncmp(e->name, "identity", 8);
    return *identity || !strncmp(e->name, "qddot", 5);
}

static double extras_difference(const eval_result *r, const double *reference, double scale,
                                uint32_t n)
{
    double worst = 0;
    bool identity;
    for (size_t i = 0; i < r->eq->extras.count; i++) {
        const struct equations_extra *e = &r->eq->extras.at[i];
        const double *x = run_get(r->runner, e->value);
        const uint32_t rows = sheet_get(r->eq->sheet, e->value)->rows;
        if (!is_compared(e, &identity)) continue;
        for (uint32_t j = 0; j < rows && (identity || j < n); j++)
            worst = fmax(worst, fabs(x[j] - (identity ? 0 : reference[j])) / scale);
    }
    return worst;
}

static double difference(const eval_result *r, const double *reference, double scale, uint32_t n)
{
    double worst = 0;
    for (uint32_t i = 0; i < n; i++) worst = fmax(worst, fabs(r->qddot[i] - reference[i]) / scale);
    return fmax(worst, extras_difference(r, reference, scale, n));
}

enum { BITS = 256, SHARP = -60 /* wider balls than 2^SHARP tell nothing */ };

static uint32_t rows_of(const eval_method *method, quantity x)
{
    return sheet_get(method->eq->sheet, x)->rows;
}

/* A quantity of a method at the state in the balls, one column; NULL: it cannot be enclosed. */
static arb_ptr enclose_column(const eval_method *method, quantity x, ball_frame *state)
{
    arb_ptr out = ball_array(&state->ctx->scratch, rows_of(method, x));
    const enclose_entry wanted = {x, out};
    return enclose_sheet(method->eq->sheet, method->runner, state, BITS, &wanted, 1) ? out : NULL;
}

/* Its accelerations by all routes and its identities. */
static ah_truth agrees(const eval_method *method, ball_frame *state, arb_srcptr reference,
                       uint32_t n)
{
    const ah_equations *eq = method->eq;
    ah_truth same = AH_TRUE;
    for (size_t k = 0; k <= eq->extras.count; k++) {
        bool identity = false;
        if (k && !is_compared(&eq->extras.at[k - 1], &identity)) continue;
        const quantity x = k ? eq->extras.at[k - 1].value : eq->qddot;
        arb_srcptr a = enclose_column(method, x, state);
        if (!a) return AH_UNKNOWN;
        for (uint32_t i = 0; i < rows_of(method, x) && (identity || i < n); i++) {
            if (identity ? !arb_contains_zero(a + i) : !arb_overlaps(a + i, reference + i))
                return AH_FALSE;
            if (mag_cmp_2exp_si(arb_radref(a + i), SHARP) > 0) same = AH_UNKNOWN;
        }
    }
    return same;
}

/* What doubles tell apart may be terms that cancel: is it the same with many digits, at a state near the point that satisfies the
 * constraints for certain? AH_UNKNOWN: that cannot be enclosed. */
static ah_truth same_with_digits(comparison *c, const eval_method *method, const frame *values)
{
    ah_ctx *ctx = c->model->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    if (!c->enclosed) c->enclosed = enclosed_create(c->model, &ctx->job);
    ball_frame *state = ball_frame_create(ctx, &ctx->scratch);
    frame *near = frame_copy(&ctx->scratch, values);
    ah_truth same = AH_UNKNOWN;
    if (!enclosed_at(c->enclosed, near, state, BITS)) {
        point p = point_around(c->model, near, &ctx->scratch);
        arb_srcptr reference = NULL;
        if (!eval_at(&c->methods[0], &p).refused)
            reference = enclose_column(&c->methods[0], c->methods[0].eq->qddot, state);
        if (reference && !eval_at(method, &p).refused)
            same = agrees(method, state, reference, c->model->n);
    }
    arena_release(&ctx->scratch, mark);
    return same;
}

/* Compares all methods at the point; false when the state is no good. */
static bool compare(comparison *c, point *p)
{
    const uint32_t n = c->model->n;
    eval_result *r = NEW_ARRAY(p->arena, eval_result, c->count);
    double *d = NEW_ARRAY(p->arena, double, c->count);
    double rcond = 1;
    for (size_t i = 0; i < c->count; i++) {
        r[i] = eval_at(&c->methods[i], p);
        if (r[i].undefined) c->undefined = r[i].refused;
        if (r[i].refused || r[i].rcond < CROSSCHECK_CONDITION) return false;
        if (r[i].branches) return true; /* non-linear second class stands alone */
        rcond = fmin(rcond, r[i].rcond);
    }
    const double scale = fmax(largest(r[0].qddot, n), 1e-3);
    const double rounding = fmax(CROSSCHECK_TOLERANCE, CROSSCHECK_ROUNDING * DBL_EPSILON / rcond);
    for (size_t i = 1; i < c->count; i++) d[i] = difference(&r[i], r[0].qddot, scale, n);
    for (size_t i = 1; i < c->count; i++) { /* the results are gone after this */
        if (d[i] <= rounding) continue;
        const ah_truth same = same_with_digits(c, &c->methods[i], p->values);
        if (same == AH_UNKNOWN && d[i] <= CROSSCHECK_DOUBT) return false;
        if (same != AH_TRUE) c->out->disagree = true;
    }
    for (size_t i = 1; i < c->count; i++) {
        c->out->difference[i] = fmax(c->out->difference[i], d[i]);
        if (d[i] <= c->out->worst) continue;
        c->out->worst = d[i];
        c->out->worst_method = c->methods[i].method->name;
        frame *values = frame_copy(&c->model->ctx->job, p->values);
        c->out->worst_values = values;
    }
    return true;
}

bool crosscheck_run(ah_model *m, size_t wanted, uint64_t seed, crosscheck_answer *out)
{
    ah_ctx *ctx = m->ctx;
    memset(out, 0, sizeof *out);
    comparison c = {.model = m, .out = out};
    prepare(&c);
    if (!c.count && m->n > MANY) ctx_raise_limit(ctx, "no method finds room in memory");
    states *random = analyse_states_create(m, &ctx->job);
    states_rng rng = probe_seed(seed);
    const size_t attempts = 20 * wanted + 100;
    for (size_t i = 0; i < attempts && out->states < wanted; i++) {
        ctx_progress(ctx, (double) out->states / (double) wanted);
        ctx_tick(ctx);
        const arena_mark mark = arena_get_mark(&ctx->scratch);
        point p;
        if (point_at_random(m, random, &rng, &ctx->scratch, &p) && compare(&c, &p))
            out->states++;
        else
            out->discarded++;
        arena_release(&ctx->scratch, mark);
    }
    out->pass = out->states > 0 && !out->disagree;
    if (out->states) return true;
    diag(ctx, A0610, NOWHERE, "no regular admissible state was found to compare the methods at");
    if (c.undefined) diag_note(ctx, NOWHERE, "%s", c.undefined);
    diag_hint(ctx, "say with `assume` where the coordinates may lie");
    return false;
}
