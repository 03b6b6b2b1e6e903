/* many/worker.c - one run after another.
 *
 * Every run has a motion of its own, made from the system and nothing else: what ran before leaves no
 * trace in it, so a run has the same bytes wherever it runs. */
#include "worker.h"

#include "lane_worker.h"

#include <math.h>
#include <string.h>

/* A system whose context has grown by so many bytes (texts of failures, formulas of charts) is made
 * anew. */
#define GROWN ((size_t) 16 << 20)

/* ---- Life ------------------------------------------------------------------------------------ */

bool worker_create(worker *w, ah_ensemble *e, const char *by)
{
    const ah_ctx *like = e->model->ctx->root;
    ah_ctx_options o = ah_ctx_defaults();
    o.limits = like->limits;
    o.limits.seconds = 0; /* the ensemble's call looks at the clock */
    o.realloc = like->realloc;
    o.user = like->user;
    *w = (worker){.e = e, .engine = by, .root = ah_ctx_create(&o)};
    if (!w->root) return false;
    w->values = NEW_ARRAY(&e->arena, double, e->varied.count + 1);
    if (model_fork_into(e->model, w->root, &w->model) == AH_OK) return true;
    ah_ctx_destroy(w->root);
    w->root = NULL;
    return false;
}

void worker_destroy(worker *w)
{
    if (w->model) model_fork_destroy(w->model);
    ah_ctx_destroy(w->root);
    *w = (worker){0};
}

/* The first error that was reported, with its label. */
static void take_reason(worker *w, char reason[REASON])
{
    snprintf(reason, REASON, "it could not be begun");
    for (size_t i = 0; i < ah_diagnostic_count(w->root); i++) {
        const ah_diagnostic *d = ah_diagnostic_get(w->root, i);
        if (d->severity != AH_ERROR) continue;
        snprintf(reason, REASON, d->label ? "%s (%s)" : "%s", d->message, d->label);
        break;
    }
    ah_ctx_reset_status(w->root);
}

/* ---- The system ------------------------------------------------------------------------------ */

static void put_values(ah_ctx *ctx, void *arg)
{
    worker *w = arg;
    const ah_ensemble *e = w->e;
    for (size_t i = 0; i < e->varied.count; i++) {
        const ah_expr x = varied_number(ctx, w->values[i]);
        for (size_t j = 0; j < w->model->parameters.count; j++)
            if (w->model->parameters.at[j].symbol == e->varied.at[i].parameter)
                w->model->parameters.at[j].value = x;
    }
}

/* The model as it is at a run: where its own start is none, or not admissible. */
static bool stand_at(worker *w, uint64_t run)
{
    varied_values(w->e, run, w->values);
    return ctx_guard(w->model->ctx, put_values, w) == AH_OK;
}

static ah_status make_system(worker *w)
{
    ah_system_options o = ah_system_defaults();
    o.method = w->e->options.method;
    o.engine = w->engine;
    o.project = w->e->options.project;
    o.driven = true;
    /* pivots are chosen at the model's own state if it has one, the same for all workers */
    const uint64_t places[] = {0, 0, w->e->runs / 2};
    ah_status status = AH_OK;
    for (int i = 0; i < 3; i++) {
        if (i && !stand_at(w, places[i])) break;
        status = ah_system_create(w->model, &o, &w->system);
        if (status == AH_OK || status == AH_E_INTERRUPTED || status == AH_E_MEMORY) break;
        if (!w->e->varied.count) break;
        if (i < 2) ah_ctx_reset_status(w->root);
    }
    return status;
}

static void not_given(worker *w, size_t formula)
{
    ah_ctx *ctx = system_model(w->system)->ctx;
    diag(ctx, A0633, NOWHERE, "a motion does not give `%s`",
         expr_text(ctx, &w->arena, w->e->formulas.at[formula], AH_ASCII));
    diag_hint(ctx,
              "formulas may use t, the state, accelerations, lambda[a], reaction[q], M[i,j] and "
              "energies");
}

/* All formulas at t, which is in the last step of the motion. */
static void look(void *user, double t, double *formula)
{
    worker *w = user;
    const bool there = ah_motion_state_at(w->motion, t, w->state) == AH_OK &&
                       (!w->e->formulas.count ||
                        ah_work_evaluate(w->work, AH_Q_OUTPUT, t, w->state, w->out) == AH_OK);
    for (size_t i = 0; i < w->e->formulas.count; i++)
        formula[i] = there ? w->out[w->formula[i]] : NAN;
}

static void prepare(ah_ctx *ctx, void *arg)
{
    worker *w = arg;
    const ah_ensemble *e = w->e;
    ah_system *s = w->system;
    arena *a = &w->arena;
    const size_t parameters = ah_system_count(s, AH_Q_PARAMETER);
    w->place = NEW_ARRAY(a, size_t, e->varied.count + 1);
    w->formula = NEW_ARRAY(a, size_t, e->formulas.count + 1);
    w->parameter = NEW_ARRAY(a, double, parameters + 1);
    w->usual = NEW_ARRAY(a, double, parameters + 1);
    w->y = NEW_ARRAY(a, double, ah_system_count(s, AH_Q_STATE) + 1);
    ah_system_parameters(s, w->usual);
    const expr_list *known = &system_code(s)->parameters;
    for (size_t i = 0; i < e->varied.count; i++)
        for (size_t j = 0; j < known->count; j++)
            if (known->at[j] == e->varied.at[i].parameter) w->place[i] = j;
    for (size_t i = 0; !w->whole && i < e->formulas.count; i++) {
        const char *name = arena_printf(a, FORMULA_NAME, (unsigned) i);
        const ptrdiff_t at = ah_system_find(s, AH_Q_OUTPUT, name);
        if (at < 0) not_given(w, i);
        w->formula[i] = at < 0 ? 0 : (size_t) at;
    }
    w->out = NEW_ARRAY(a, double, ah_system_count(s, AH_Q_OUTPUT) + 1);
    w->state = NEW_ARRAY(a, double, ah_system_count(s, AH_Q_STATE) + 1);
    w->kept = NEW_ARRAY(a, double, e->formulas.count + 1);
    w->reducer = reducer_create(e, a, (reduce_source){w, look, NULL});
    (void) ctx;
}

static void prepare_lanes(ah_ctx *ctx, void *arg)
{
    worker *w = arg;
    w->lanes = lane_worker_create(w, &w->why_not);
    (void) ctx;
}

ah_status worker_begin(worker *w)
{
    ah_status status = make_system(w);
    if (status != AH_OK) return status;
    ah_ctx *ctx = system_model(w->system)->ctx;
    arena_init(&w->arena, ctx);
    arena_init(&w->run, ctx);
    status = ctx_guard(ctx, prepare, w);
    if (status == AH_OK && w->on_lanes) status = ctx_guard(ctx, prepare_lanes, w);
    w->bytes = w->root->bytes;
    return status;
}

void worker_end(worker *w)
{
    if (!w->system) return;
    arena_clear(&w->run);
    arena_clear(&w->arena);
    ah_system_destroy(w->system);
    w->system = NULL;
    w->lanes = NULL;
}

/* ---- One run --------------------------------------------------------------------------------- */

/* The state at the beginning: `start` for these parameters, completed. */
static void find_start(ah_ctx *ctx, void *arg)
{
    worker *w = arg;
    const motion_code *c = system_code(w->system);
    ah_model *m = system_model(w->system);
    point p;
    if (!point_create(m, &w->run, &p)) return;
    point_put_parameters(&p, c->parameters.count, c->parameters.at, w->parameter);
    if (!point_start(&p) || !point_complete(&p, w->e->options.project)) return;
    const char *elsewhere = point_elsewhere(&p);
    if (elsewhere) {
        diag(ctx, A0609, NOWHERE, "%s", elsewhere);
        return;
    }
    w->t = point_get(&p, expr_time(ctx));
    for (uint32_t i = 0; i < c->n; i++) w->y[i] = point_get(&p, m->q.at[i]);
    for (uint32_t i = 0; i < c->m; i++) w->y[c->n + i] = point_get(&p, c->second[i]);
    w->end = m->t1 == AH_NONE ? NAN : point_eval(&p, m->t1);
}

/* Whether the trouble is the run's alone. */
static bool is_own(ah_status status)
{
    return status == AH_E_INPUT || status == AH_E_REFUSED || status == AH_E_NUMERIC;
}

void worker_parameters(worker *w, uint64_t run, double *values)
{
    const ah_ensemble *e = w->e;
    varied_values(e, run, values);
    memcpy(w->parameter, w->usual, ah_system_count(w->system, AH_Q_PARAMETER) * sizeof *w->usual);
    for (size_t i = 0; i < e->varied.count; i++) w->parameter[w->place[i]] = values[i];
}

ah_status worker_motion(worker *w, uint64_t run, double *values, ah_motion_options *out,
                        char reason[REASON])
{
    const ah_ensemble *e = w->e;
    *reason = '\0';
    worker_parameters(w, run, values);
    const ah_status status = ctx_guard(system_model(w->system)->ctx, find_start, w);
    arena_clear(&w->run);
    if (is_own(status)) take_reason(w, reason);
    *out = ah_motion_defaults();
    out->integrator = e->options.integrator;
    out->rtol = e->options.rtol;
    out->atol = e->options.atol;
    out->most_steps = e->options.most_steps;
    out->t = w->t;
    out->y = w->y;
    out->parameters = w->parameter;
    return is_own(status) ? AH_OK : status;
}

bool worker_start(worker *w, uint64_t run, double *values, double *out)
{
    ah_motion_options o;
    char reason[REASON];
    const size_t n = ah_system_count(w->system, AH_Q_STATE);
    w->end = NAN;
    if (worker_motion(w, run, values, &o, reason) != AH_OK || *reason) return false;
    if (ah_diagnostic_count(w->root)) ah_ctx_reset_status(w->root); /* warnings */
    out[0] = w->t;
    memcpy(out + 1, w->y, n * sizeof *out);
    out[n + 1] = w->end;
    return isfinite(w->end);
}

/* What the last step of the motion gave. */
static void take_step(worker *w)
{
    const ah_motion *m = w->motion;
    reduce_step(w->reducer, ah_motion_time_before(m), ah_motion_time(m), false);
    for (size_t i = 0; i < ah_motion_events(m); i++) {
        ah_event event;
        if (ah_motion_event(m, i, &event) == AH_OK && !event.touched)
            reduce_event(w->reducer, event.label, event.t);
    }
}

static ah_status follow(worker *w, ah_motion *m, ah_work *by, double *row, char reason[REASON])
{
    ah_status status = AH_OK;
    w->motion = m;
    w->work = by;
    look(w, ah_motion_time(m), w->kept);
    reduce_begin(w->reducer, ah_motion_time(m), w->kept);
    while (!ah_motion_ended(m) && (status = ah_motion_step(m)) == AH_OK) take_step(w);
    ah_statistics counts;
    ah_motion_statistics(m, &counts);
    w->steps += counts.steps;
    if (status == AH_OK) {
        look(w, ah_motion_time(m), w->kept);
        reduce_end(w->reducer, ah_motion_time(m), w->kept, row);
        return AH_OK;
    }
    const char *why = ah_motion_why(m);
    if (!why) return status; /* interrupted, or out of memory */
    snprintf(reason, REASON, "t = %.9g: %s", ah_motion_time(m), why);
    ah_ctx_reset_status(w->root);
    return AH_OK;
}

/* A text that is cut ends with a whole character. */
static void trim(char reason[REASON])
{
    size_t n = strlen(reason);
    if (n + 1 < REASON) return;
    while (n > 0 && ((unsigned char) reason[n - 1] & 0xC0) == 0x80) n--;
    if (n > 0 && ((unsigned char) reason[n - 1] & 0x80)) n--;
    reason[n] = '\0';
}

static ah_status compute(worker *w, uint64_t run, double *row, char reason[REASON])
{
    ah_motion_options o;
    ah_motion *m = NULL;
    ah_status status = worker_motion(w, run, row, &o, reason);
    if (status != AH_OK || *reason) return status;
    status = ah_motion_create(w->system, &o, &m);
    if (status != AH_OK) {
        if (!is_own(status)) return status;
        take_reason(w, reason);
        return AH_OK;
    }
    ah_work *by = ah_work_create(w->system);
    status = by ? ah_work_set_parameters(by, w->parameter) : AH_E_MEMORY;
    if (status == AH_OK) status = follow(w, m, by, row + w->e->varied.count, reason);
    ah_work_destroy(by);
    ah_motion_destroy(m);
    return status;
}

bool worker_is_grown(const worker *w)
{
    return w->root->bytes > w->bytes + GROWN;
}

ah_status worker_run(worker *w, uint64_t run, double *row, char reason[REASON])
{
    const ah_ensemble *e = w->e;
    if (worker_is_grown(w) && !w->lasting) {
        worker_end(w);
        const ah_status status = worker_begin(w);
        if (status != AH_OK) return status;
    }
    for (size_t i = 0; i < e->kept.count; i++) row[e->varied.count + i] = NAN;
    const ah_status status = compute(w, run, row, reason);
    if (status == AH_OK && ah_diagnostic_count(w->root))
        ah_ctx_reset_status(w->root); /* warnings */
    trim(reason);
    if (*reason)
        for (size_t i = 0; i < e->kept.count; i++) row[e->varied.count + i] = NAN;
    return status;
}
