/* system/system_work.c - what is asked of a system: numbers in, numbers out.
 *
 * Programs answer first. Where a guard fails, or where there is no program, the worksheet does, by
 * pivoting (sheet/run.h), in the work space's own context: neither the model nor its context are
 * touched here. */
#include "system_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

#ifdef __GNUC__
#define NOT_INLINED __attribute__((noinline))
#else
#define NOT_INLINED
#endif

/* Relative to the terms of a sum: what rounding leaves of it, with some room. */
#define ROUNDING (16 * DBL_EPSILON)

/* A quantity that one compiled function gives. */
typedef struct shortcut {
    motion_direct *function; /* NULL: the long way */
    const double *constant;
} shortcut;

struct ah_work {
    const ah_system *s;
    shortcut direct[AH_QUANTITIES];
    ah_ctx *ctx;
    engine_work *engine;
    double *in;        /* t, y */
    double *out;       /* of a projection */
    double *parameter; /* present values */
    double *before;    /* y of a projection */
    double *terms;     /* of the constraints at its beginning */
    frame *values;     /* for what follows */
    double *room;
    runner *rates, *forces;
    expr_plan **given, *psi, *omega, *omega_dot, *energy, *residual, *mass, *output, *event;
    system_newton places, velocities;
};

static const motion_program program_of[AH_QUANTITIES] = {
    [AH_Q_STATE] = MOTION_PROGRAMS,
    [AH_Q_PARAMETER] = MOTION_PROGRAMS,
    [AH_Q_RATE] = MOTION_RHS,
    [AH_Q_VELOCITY] = MOTION_QDOT,
    [AH_Q_ACCELERATION] = MOTION_ACCELERATIONS,
    [AH_Q_MULTIPLIER] = MOTION_REACTIONS,
    [AH_Q_REACTION] = MOTION_REACTIONS,
    [AH_Q_ENERGY] = MOTION_ENERGY,
    [AH_Q_RESIDUAL] = MOTION_RESIDUALS,
    [AH_Q_OUTPUT] = MOTION_OUTPUTS,
    [AH_Q_BY_STATE] = MOTION_JACOBIAN,
    [AH_Q_BY_PARAMETER] = MOTION_BY_PARAMETERS,
    [AH_Q_BY_TIME] = MOTION_BY_TIME,
    [AH_Q_EVENT] = MOTION_EVENTS,
};

/* ---- Creation -------------------------------------------------------------------------------- */

static expr_plan *copy_plan(ah_work *w, const expr_plan *p)
{
    return p ? expr_plan_copy(&w->ctx->job, p) : NULL;
}

static system_newton copy_newton(ah_work *w, const system_newton *from)
{
    system_newton out = *from;
    if (!from->runner) return out;
    out.runner = run_copy(w->ctx, &w->ctx->job, from->runner);
    out.g = copy_plan(w, from->g);
    return out;
}

/* Linear systems take their room from scratch: once it is there, nothing is allocated. What LAPACK
 * wants for its blocks is within 64 columns. */
static void reserve_scratch(ah_ctx *ctx, void *arg)
{
    const ah_work *w = arg;
    const size_t N = (size_t) w->s->n + w->s->r + 2;
    (void) ctx;
    if (N > 3000) return; /* those are sparse */
    arena_reserve(&w->ctx->scratch,
                  (16 * N * N + 160 * N + w->s->values->count + 4096) * sizeof(double));
}

static size_t room_of(const ah_system *s)
{
    size_t most = s->omegas + s->masses + 2 * (s->places.rows + s->velocities.rows);
    for (int i = 0; i < AH_QUANTITIES; i++)
        if (s->count[i] > most) most = s->count[i];
    return most + s->n + s->r + 3;
}

static void fill(ah_ctx *ctx, void *arg)
{
    ah_work *w = arg;
    const ah_system *s = w->s;
    arena *a = &ctx->job;
    const size_t size = (size_t) s->n + s->m;
    w->engine = engine_work_create(s->code.engine, a);
    w->in = NEW_ARRAY(a, double, 1 + size);
    w->before = NEW_ARRAY(a, double, size);
    w->terms = NEW_ARRAY(a, double,
                         s->places.rows + s->velocities.rows + s->code.residuals[MOTION_PLACES] +
                             s->code.residuals[MOTION_VELOCITIES] + 1);
    w->out = NEW_ARRAY(a, double, 2 * (size_t) (s->r + s->n) + s->n + 2);
    w->parameter = NEW_ARRAY(a, double, s->count[AH_Q_PARAMETER] + 1);
    w->values = frame_copy(a, s->values);
    w->room = NEW_ARRAY(a, double, room_of(s));
    w->given = NEW_ARRAY(a, expr_plan *, s->givens + 1);
    for (size_t i = 0; i < s->givens; i++) w->given[i] = copy_plan(w, s->given[i]);
    w->psi = copy_plan(w, s->psi);
    w->omega = copy_plan(w, s->omega);
    w->omega_dot = copy_plan(w, s->omega_dot);
    w->energy = copy_plan(w, s->energy);
    w->residual = copy_plan(w, s->residual);
    w->mass = copy_plan(w, s->mass);
    w->output = copy_plan(w, s->output);
    w->event = copy_plan(w, s->event);
    w->rates = run_copy(ctx, a, s->rates);
    if (s->forces) w->forces = run_copy(ctx, a, s->forces);
    w->places = copy_newton(w, &s->places);
    w->velocities = copy_newton(w, &s->velocities);
}

ah_work *ah_work_create(const ah_system *s)
{
    if (!s) return NULL;
    const ah_ctx *host = s->model->ctx;
    ah_ctx_options options = ah_ctx_defaults();
    options.realloc = host->realloc, options.user = host->user;
    ah_ctx *ctx = ah_ctx_create(&options);
    if (!ctx) return NULL;
    ah_work *w = ctx->realloc(ctx->user, NULL, 0, sizeof *w);
    if (w) *w = (ah_work){.s = s, .ctx = ctx};
    /* a guard would give the scratch memory back at its end */
    if (w && ctx_try(ctx, reserve_scratch, w) == AH_OK && ctx_guard(ctx, fill, w) == AH_OK &&
        ah_work_set_parameters(w, s->parameter) == AH_OK)
        return w;
    if (w) ctx->realloc(ctx->user, w, sizeof *w, 0);
    ah_ctx_destroy(ctx);
    return NULL;
}

void ah_work_destroy(ah_work *w)
{
    if (!w) return;
    ah_ctx *ctx = w->ctx;
    ctx->realloc(ctx->user, w, sizeof *w, 0);
    ah_ctx_destroy(ctx);
}

static void put(ah_work *w, const uint32_t *slot, size_t count, const double *x)
{
    for (size_t i = 0; i < count; i++) frame_put(w->values, slot[i], x[i]);
}

/* ---- Parameters ------------------------------------------------------------------------------ */

/* Energies, multipliers and reactions are parts of what their programs give. */
static void find_shortcuts(ah_work *w)
{
    const motion_code *c = &w->s->code;
    for (int what = 0; what < AH_QUANTITIES; what++) {
        const motion_program which = program_of[what];
        const bool part = what == AH_Q_ENERGY || what == AH_Q_MULTIPLIER || what == AH_Q_REACTION;
        w->direct[what] = (shortcut){0};
        if (part || which == MOTION_PROGRAMS || !w->s->count[what] || !c->direct[which]) continue;
        if (!engine_work_valid(w->engine, c->index[which])) continue;
        w->direct[what] =
            (shortcut){c->direct[which], engine_work_constants(w->engine, c->index[which])};
    }
}

ah_status ah_work_set_parameters(ah_work *w, const double *parameters)
{
    if (!w || !parameters) return AH_E_INPUT;
    const ah_system *s = w->s;
    const size_t count = s->count[AH_Q_PARAMETER];
    for (size_t i = 0; i < count; i++)
        if (!isfinite(parameters[i])) return AH_E_INPUT;
    memmove(w->parameter, parameters, count * sizeof *parameters);
    put(w, s->at.parameter, count, w->parameter);
    for (size_t i = 0; i < s->givens; i++) {
        double value;
        expr_plan_run(w->given[i], w->values, &value);
        put(w, &s->at.given[i], 1, &value);
    }
    engine_set(s->code.engine, w->engine, w->parameter);
    find_shortcuts(w);
    return AH_OK;
}

ah_status ah_work_set_parameter(ah_work *w, size_t index, double value)
{
    if (!w || index >= w->s->count[AH_Q_PARAMETER] || !isfinite(value)) return AH_E_INPUT;
    w->parameter[index] = value;
    return ah_work_set_parameters(w, w->parameter);
}

ah_status ah_work_get_parameters(const ah_work *w, double *parameters)
{
    if (!w || !parameters) return AH_E_INPUT;
    memcpy(parameters, w->parameter, w->s->count[AH_Q_PARAMETER] * sizeof *parameters);
    return AH_OK;
}

/* ---- By the worksheet ------------------------------------------------------------------------ */

/* t, q, s; v and ω follow. */
static void put_state(ah_work *w, double t, const double *y)
{
    const ah_system *s = w->s;
    put(w, &s->at.t, 1, &t);
    put(w, s->at.q, s->n, y);
    put(w, s->at.s, s->m, y + s->n);
    if (w->psi) {
        expr_plan_run(w->psi, w->values, w->room);
        put(w, s->at.v, s->n, w->room);
    }
    if (!w->omega) return;
    expr_plan_run(w->omega, w->values, w->room);
    put(w, s->at.omega, s->omegas, w->room);
}

static bool find_rates(ah_work *w)
{
    run_failure failure;
    return run_at(w->rates, w->values, &failure);
}

static bool find_forces(ah_work *w)
{
    run_failure failure;
    return w->forces && run_at(w->forces, w->values, &failure);
}

static double rate_of(const ah_work *w, uint32_t i)
{
    const motion_code *c = &w->s->code;
    return run_get(w->rates, c->rate)[c->row ? c->row[i] : i];
}

static void put_rates(ah_work *w)
{
    const ah_system *s = w->s;
    put(w, s->at.a, s->n, run_get(w->rates, s->equations.eq->qddot));
    for (uint32_t i = 0; s->code.psi && i < s->m; i++)
        frame_put(w->values, s->at.s_dot[i], rate_of(w, i));
    if (!w->omega_dot) return;
    expr_plan_run(w->omega_dot, w->values, w->room);
    put(w, s->at.omega_dot, s->omegas, w->room);
}

/* What outputs and events may use; each of it is NaN where it does not exist. */
static void put_everything(ah_work *w)
{
    const ah_system *s = w->s;
    for (uint32_t i = 0; i < s->n; i++) frame_put(w->values, s->at.a[i], NAN);
    for (size_t i = 0; i < s->deriveds; i++) frame_put(w->values, s->derived[i].slot, NAN);
    if (find_rates(w)) put_rates(w);
    if (w->mass) {
        expr_plan_run(w->mass, w->values, w->room);
        put(w, s->at.mass, s->masses, w->room);
    }
    if (!s->deriveds || !find_forces(w)) return;
    const ah_equations *eq = s->reactions.eq;
    for (size_t i = 0; i < s->deriveds; i++) {
        const system_derived *d = &s->derived[i];
        const quantity from = d->reaction ? eq->reaction : eq->multipliers;
        if (from != QUANTITY_NONE)
            frame_put(w->values, d->slot, run_get(w->forces, from)[d->index]);
    }
}

static bool by_forces(ah_work *w, quantity what, size_t count, double *out)
{
    if (what == QUANTITY_NONE || !find_forces(w)) return false;
    if (count) memcpy(out, run_get(w->forces, what), count * sizeof *out);
    return true;
}

static bool by_worksheet(ah_work *w, ah_quantity what, double *out)
{
    const ah_system *s = w->s;
    const ah_equations *eq = s->equations.eq;
    switch (what) {
    case AH_Q_VELOCITY:
        for (uint32_t i = 0; i < s->n; i++) out[i] = frame_at(w->values, s->at.v[i]);
        return true;
    case AH_Q_RATE:
        if (!find_rates(w)) return false;
        for (uint32_t i = 0; i < s->n; i++) out[i] = frame_at(w->values, s->at.v[i]);
        for (uint32_t i = 0; i < s->m; i++) out[s->n + i] = rate_of(w, i);
        return true;
    case AH_Q_ACCELERATION:
        if (!find_rates(w)) return false;
        memcpy(out, run_get(w->rates, eq->qddot), s->n * sizeof *out);
        return true;
    case AH_Q_MULTIPLIER: return by_forces(w, s->reactions.eq->multipliers, s->count[what], out);
    case AH_Q_REACTION: return by_forces(w, s->reactions.eq->reaction, s->n, out);
    case AH_Q_ENERGY: expr_plan_run(w->energy, w->values, out); return true;
    case AH_Q_RESIDUAL: expr_plan_run(w->residual, w->values, out); return true;
    case AH_Q_OUTPUT:
        put_everything(w);
        expr_plan_run(w->output, w->values, out);
        return true;
    case AH_Q_EVENT:
        put_everything(w);
        expr_plan_run(w->event, w->values, out);
        return true;
    default: return false; /* derivatives have their programs alone */
    }
}

typedef struct question {
    ah_work *w;
    ah_quantity what;
    double t;
    const double *y;
    double *out;
    bool good;
} question;

static void ask_worksheet(ah_ctx *ctx, void *arg)
{
    question *q = arg;
    (void) ctx;
    put_state(q->w, q->t, q->y);
    q->good = by_worksheet(q->w, q->what, q->out);
}

/* ---- Evaluation ------------------------------------------------------------------------------ */

static bool by_program(ah_work *w, motion_program which, double t, const double *y, double *out)
{
    const motion_code *c = &w->s->code;
    if (!c->program[which]) return false;
    w->in[0] = t;
    memcpy(w->in + 1, y, (w->s->n + w->s->m) * sizeof *y);
    return engine_call_in(c->engine, w->engine, c->index[which], w->in, out);
}

/* x − x is 0 for what is finite, NaN for the rest; in two chains. */
static inline bool all_finite(const double *x, size_t count)
{
    double even = 0, odd = 0;
    for (size_t i = 0; i + 1 < count; i += 2) {
        even += x[i] - x[i];
        odd += x[i + 1] - x[i + 1];
    }
    if (count % 2) even += x[count - 1] - x[count - 1];
    return even + odd == 0;
}

/* Multipliers and reactions come from one program, energies want their parts. */
static bool by_part(ah_work *w, ah_quantity what, double t, const double *y, double *out)
{
    const ah_system *s = w->s;
    if (!by_program(w, program_of[what], t, y, w->room)) return false;
    if (what == AH_Q_ENERGY)
        memcpy(out, w->room, 2 * sizeof *out);
    else if (s->count[what])
        memcpy(out, w->room + (what == AH_Q_REACTION ? s->r : 0), s->count[what] * sizeof *out);
    return true;
}

static bool answer(ah_work *w, ah_quantity what, double t, const double *y, double *out)
{
    const bool part = what == AH_Q_ENERGY || what == AH_Q_MULTIPLIER || what == AH_Q_REACTION;
    question q = {w, what, t, y, out, false};
    if (!(part ? by_part(w, what, t, y, out) : by_program(w, program_of[what], t, y, out)) &&
        (ctx_guard(w->ctx, ask_worksheet, &q) != AH_OK || !q.good))
        return false;
    if (what == AH_Q_ENERGY) { /* T + V, V so far */
        out[2] = out[1];
        out[1] = out[0] - out[2];
    }
    return all_finite(out, w->s->count[what]);
}

/* Apart, and not inlined: what it keeps on the stack would cost the short way a tenth of its time. */
NOT_INLINED static ah_status go_the_long_way(ah_work *w, ah_quantity what, double t,
                                             const double *y, double *out)
{
    const ah_system *s = w->s;
    if (!s->count[what]) return AH_E_REFUSED;
    if (what == AH_Q_STATE) memcpy(out, y, s->count[what] * sizeof *out);
    if (what == AH_Q_PARAMETER) return ah_work_get_parameters(w, out);
    if (what == AH_Q_STATE) return AH_OK;
    if (answer(w, what, t, y, out)) return AH_OK;
    for (size_t i = 0; i < s->count[what]; i++) out[i] = NAN;
    return AH_E_NUMERIC;
}

ah_status ah_work_evaluate(ah_work *w, ah_quantity what, double t, const double *y, double *out)
{
    if (!w || !y || !out || (unsigned) what >= AH_QUANTITIES) return AH_E_INPUT;
    const shortcut *d = &w->direct[what];
    if (d->function && d->function(d->constant, t, y, out)) return AH_OK;
    return go_the_long_way(w, what, t, y, out);
}

/* ---- Projection ------------------------------------------------------------------------------ */

/* Of Newton's method at a state: how large the constraints are relative to their terms, and where to go (NULL: nowhere).
 * `settled` leaves out what is a rounding error of the terms that were there at the beginning: of q = 0 nothing else is left in
 * the end, and that is all of its terms. */
typedef struct newton_look {
    double residual, settled;
    const double *to;
} newton_look;

static newton_look look_at(const double *value, const double *size, size_t stride, size_t count,
                           double *first, bool begins)
{
    newton_look out = {0};
    for (size_t i = 0; i < count; i++) {
        const double terms = size[i * stride], left = fabs(value[i * stride]);
        const double r = left / (terms > 0 ? terms : 1);
        if (begins) first[i] = terms;
        out.residual = r <= out.residual ? out.residual : r;
        if (left <= ROUNDING * first[i]) continue;
        out.settled = r <= out.settled ? out.settled : r;
    }
    return out;
}

static newton_look step_by_program(ah_work *w, motion_program which, double t, const double *y,
                                   bool begins)
{
    const motion_code *c = &w->s->code;
    const size_t rows = c->residuals[which];
    const bool good = by_program(w, which, t, y, w->out);
    newton_look out = look_at(w->out, w->out + 1, 2, rows, w->terms, begins);
    out.to = good ? w->out + 2 * rows : NULL;
    return out;
}

static newton_look step_by_runner(ah_work *w, const system_newton *by, double t, const double *y,
                                  const double *part, bool begins)
{
    run_failure failure;
    double *value = w->room + w->s->n, *size = value + by->rows;
    put_state(w, t, y);
    expr_plan_run_scaled(by->g, w->values, value, size);
    newton_look out = look_at(value, size, 1, by->rows, w->terms, begins);
    if (!run_at(by->runner, w->values, &failure)) return out;
    const double *d = run_get(by->runner, by->step);
    for (uint32_t i = 0; i < w->s->n; i++) w->out[i] = part[i] + d[i];
    out.to = w->out;
    return out;
}

/* Moves `part` of y to g = 0. */
static bool project_part(ah_work *w, motion_program which, const system_newton *by, double t,
                         double *y, double *part, double *residual)
{
    bool compiled = w->s->code.program[which] != NULL;
    newton_look now = {0};
    double before = INFINITY;
    *residual = 0;
    if (!by->runner) return true;
    for (int iteration = 0; iteration < 20; iteration++) {
        const bool begins = isinf(before);
        now = compiled ? step_by_program(w, which, t, y, begins)
                       : step_by_runner(w, by, t, y, part, begins);
        *residual = now.residual;
        if (*residual <= MOTION_RESIDUAL) return true;
        if (compiled && !now.to) { /* by pivoting, then */
            compiled = false;
            continue;
        }
        if (!now.to || !isfinite(*residual)) return false;
        if (*residual > before / 2) break;
        before = *residual;
        memcpy(part, now.to, w->s->n * sizeof *part);
    }
    *residual = now.settled;
    return now.settled <= POINT_ADMISSIBLE;
}

typedef struct projection {
    ah_work *w;
    double t, *y, residual;
    bool good;
} projection;

static void project(ah_ctx *ctx, void *arg)
{
    projection *p = arg;
    ah_work *w = p->w;
    const ah_system *s = w->s;
    double places, speeds = 0;
    (void) ctx;
    p->good = project_part(w, MOTION_PLACES, &w->places, p->t, p->y, p->y, &places);
    if (p->good && !s->code.psi)
        p->good =
            project_part(w, MOTION_VELOCITIES, &w->velocities, p->t, p->y, p->y + s->n, &speeds);
    p->residual = fmax(places, speeds);
}

ah_status ah_work_project(ah_work *w, double t, double *y, double *residual)
{
    if (!w || !y) return AH_E_INPUT;
    const size_t bytes = w->s->count[AH_Q_STATE] * sizeof *y;
    projection p = {.w = w, .t = t, .y = y};
    memcpy(w->before, y, bytes);
    if (ctx_guard(w->ctx, project, &p) != AH_OK) p.good = false;
    if (residual) *residual = p.residual;
    if (p.good && all_finite(y, w->s->count[AH_Q_STATE])) return AH_OK;
    memcpy(y, w->before, bytes);
    return AH_E_NUMERIC;
}
