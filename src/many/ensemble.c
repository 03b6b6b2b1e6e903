/* many/ensemble.c - ensembles: the public calls. */
#include "ensemble_inside.h"

#include "../lang/lang.h"
#include "crew.h"
#include "journal.h"

#include <math.h>
#include <string.h>

/* From so many runs on the system's compiler is worth its time. By count, not by time: a sweep repeats
 * itself. */
#define MANY_RUNS  500
#define LANES_RUNS 5000

ah_ensemble_options ah_ensemble_defaults(void)
{
    return (ah_ensemble_options){
        .size = sizeof(ah_ensemble_options), .rtol = 1e-10, .atol = 1e-12, .seed = 1};
}

ah_ensemble_run_options ah_ensemble_run_defaults(void)
{
    return (ah_ensemble_run_options){.size = sizeof(ah_ensemble_run_options)};
}

/* ---- Life ------------------------------------------------------------------------------------ */

typedef struct creation {
    ah_model *model;
    ah_ensemble_options options;
    ah_ensemble *e;
} creation;

static const char *own(arena *a, const char *words)
{
    return words ? arena_strdup(a, words) : NULL;
}

static void choose_span(ah_ensemble *e)
{
    ah_model *m = e->model;
    if (e->options.to) {
        ah_read_expression(m, "--to", e->options.to, &m->t1);
        if (m->t0 == AH_NONE) m->t0 = expr_int(m->ctx, 0);
    }
    if (m->t1 != AH_NONE) return;
    diag(m->ctx, A0611, NOWHERE, "nothing says how long the motions last");
    diag_hint(m->ctx, "add `simulate t = 0 .. 10` to the model, or use --to");
}

/* "on": the best that there are, or those that are named; e->lanes is NULL for "auto" and "off". */
static void find_lanes(ah_ensemble *e)
{
    const char *wanted = e->options.lanes, *why = NULL;
    if (!wanted || !strcmp(wanted, "auto") || !strcmp(wanted, "off")) return;
    e->lanes = lanes_find(strcmp(wanted, "on") ? wanted : NULL, &why);
    if (e->lanes) return;
    diag(e->model->ctx, A0612, NOWHERE, "lanes `%s`: %s", wanted, why);
    diag_hint(e->model->ctx, "auto, on, off, or of one kind: avx512, avx2, plain, plain8");
}

static void create(ah_ctx *ctx, void *arg)
{
    creation *w = arg;
    ah_model *m = w->model;
    ah_ensemble *e = w->e = ctx_realloc(ctx, NULL, 0, sizeof *e);
    *e = (ah_ensemble){.model = m, .options = w->options};
    arena *a = &e->arena;
    arena_init(a, ctx);
    ah_ensemble_options *o = &e->options;
    o->method = own(a, o->method);
    o->engine = own(a, o->engine);
    o->integrator = own(a, o->integrator);
    o->lanes = own(a, o->lanes);
    o->to = own(a, o->to);
    o->at = own(a, o->at);
    ivp_kind integrator;
    motion_tolerances_make_sense(ctx, o->rtol, o->atol);
    motion_find_integrator(ctx, o->integrator, &integrator);
    find_lanes(e);
    /* a list of our own: that of the model is shared */
    const size_t count = m->start.count;
    const model_value *start = m->start.at;
    memset(&m->start, 0, sizeof m->start);
    for (size_t i = 0; i < count; i++) LIST_PUSH(&ctx->job, &m->start, start[i]);
    if (o->at) varied_start(e, o->at);
    choose_span(e);
}

static void discard(ah_ensemble *e)
{
    ah_model *fork = e->model;
    ah_ctx *ctx = fork->ctx;
    if (e->worker) {
        worker_end(e->worker);
        worker_destroy(e->worker);
    }
    arena_clear(&e->arena);
    ctx_realloc(ctx, e, sizeof *e, 0);
    model_fork_destroy(fork);
}

ah_status ah_ensemble_create(ah_model *m, const ah_ensemble_options *options, ah_ensemble **out)
{
    if (out) *out = NULL;
    if (!m || !out) return AH_E_INPUT;
    creation w = {.options = ah_ensemble_defaults()};
    if (!base_take_options(m->ctx, &w.options, sizeof w.options, options)) return AH_E_INPUT;
    ah_status status = model_fork(m, &w.model);
    if (status != AH_OK) return status;
    status = model_guard(w.model, create, &w);
    if (status == AH_OK) {
        *out = w.e;
    } else if (w.e) {
        discard(w.e);
    } else {
        model_fork_destroy(w.model);
    }
    return status;
}

void ah_ensemble_destroy(ah_ensemble *e)
{
    if (e) discard(e);
}

/* ---- What varies, what is kept --------------------------------------------------------------- */

typedef struct saying {
    ah_ensemble *e;
    const char *text;
    size_t columns;
    const char *const *names;
    uint64_t rows;
    const double *values;
    void (*how)(struct saying *w);
    ah_ensemble before; /* and what it changes of the model: */
    ah_model model;
    bool begun;
} saying;

static void copy_bytes(void *to, const void *from, size_t bytes)
{
    if (bytes) memcpy(to, from, bytes);
}

static void *copied(arena *a, const void *at, size_t bytes)
{
    void *copy = arena_alloc(a, bytes + 1);
    copy_bytes(copy, at, bytes);
    return copy;
}

/* Lists whose items are changed, too: the items are copied, and come back into the arrays that there are then. */
#define REMEMBER(a, to, from, list)                                                                \
    ((to)->list.count = (from)->list.count,                                                        \
     (to)->list.at = copied(a, (from)->list.at, (from)->list.count * sizeof *(from)->list.at))
#define PUT_BACK(to, from, list)                                                                   \
    (copy_bytes((to)->list.at, (from)->list.at, (from)->list.count * sizeof *(from)->list.at),     \
     (to)->list.count = (from)->list.count)

static void say(ah_ctx *ctx, void *arg)
{
    saying *w = arg;
    if (w->e->closed) {
        diag_wrong_call(ctx, "the runs of the ensemble have been asked for: it cannot change");
        return;
    }
    w->before = *w->e;
    REMEMBER(&w->e->arena, &w->model, w->e->model, parameters);
    REMEMBER(&w->e->arena, &w->model, w->e->model, functions);
    REMEMBER(&w->e->arena, &w->model, w->e->model, start);
    w->begun = true;
    w->how(w);
}

/* What cannot be done as a whole is not done in part: the next call may say it rightly. */
static void unsay(saying *w)
{
    ah_ensemble *e = w->e;
    e->varied.count = w->before.varied.count;
    e->kept.count = w->before.kept.count;
    e->formulas.count = w->before.formulas.count;
    e->rows = w->before.rows;
    PUT_BACK(e->model, &w->model, parameters);
    PUT_BACK(e->model, &w->model, functions);
    PUT_BACK(e->model, &w->model, start);
}

static ah_status say_with(saying w)
{
    if (!w.e || !(w.text || w.values)) return AH_E_INPUT;
    const ah_status status = ctx_guard(w.e->model->ctx, say, &w);
    if (status != AH_OK && w.begun) unsay(&w);
    return status;
}

static void say_over(saying *w)
{
    varied_read(w->e, "--over", arena_strdup(&w->e->arena, w->text), false);
}

static void say_spread(saying *w)
{
    varied_read(w->e, "--spread", arena_strdup(&w->e->arena, w->text), true);
}

static void say_list(saying *w)
{
    varied_list(w->e, w->columns, w->names, w->rows, w->values);
}

static void say_outputs(saying *w)
{
    kept_read(w->e, arena_strdup(&w->e->arena, w->text));
}

ah_status ah_ensemble_over(ah_ensemble *e, const char *ranges)
{
    return say_with((saying){.e = e, .text = ranges, .how = say_over});
}

ah_status ah_ensemble_spread(ah_ensemble *e, const char *ranges)
{
    return say_with((saying){.e = e, .text = ranges, .how = say_spread});
}

ah_status ah_ensemble_list(ah_ensemble *e, size_t columns, const char *const *names, uint64_t rows,
                           const double *values)
{
    for (size_t i = 0; i < columns; i++)
        if (!names || !names[i]) return AH_E_INPUT;
    return say_with((saying){.e = e,
                             .columns = columns,
                             .names = names,
                             .rows = rows,
                             .values = values,
                             .how = say_list});
}

ah_status ah_ensemble_outputs(ah_ensemble *e, const char *outputs)
{
    return say_with((saying){.e = e, .text = outputs, .how = say_outputs});
}

/* The formulas become the model's outputs, in place of its own. */
static void close_body(ah_ctx *ctx, void *arg)
{
    ah_ensemble *e = arg;
    ah_model *m = e->model;
    if (!e->kept.count) kept_default(e);
    e->runs = varied_count(e);
    memcpy(&e->outputs, &m->outputs, sizeof e->outputs);
    memset(&m->outputs, 0, sizeof m->outputs);
    for (size_t i = 0; i < e->formulas.count; i++) {
        const char *name = arena_printf(&ctx->job, FORMULA_NAME, (unsigned) i);
        LIST_PUSH(&ctx->job, &m->outputs, ((model_output){name, e->formulas.at[i], NOWHERE}));
    }
    e->closed = true;
}

bool ensemble_close(ah_ensemble *e)
{
    if (!e) return false;
    return e->closed || ctx_guard(e->model->ctx, close_body, e) == AH_OK;
}

uint64_t ah_ensemble_count(ah_ensemble *e)
{
    return ensemble_close(e) ? e->runs : 0;
}

size_t ah_ensemble_columns(ah_ensemble *e)
{
    return ensemble_close(e) ? e->varied.count + e->kept.count : 0;
}

size_t ah_ensemble_varied(ah_ensemble *e)
{
    return ensemble_close(e) ? e->varied.count : 0;
}

const char *ah_ensemble_name(ah_ensemble *e, size_t column)
{
    if (column >= ah_ensemble_columns(e)) return NULL;
    return column < e->varied.count ? e->varied.at[column].name
                                    : e->kept.at[column - e->varied.count].name;
}

static void no_such_run(ah_ctx *ctx, void *arg)
{
    (void) arg;
    diag_wrong_call(ctx, "the ensemble has no such run");
}

static bool has_run(ah_ensemble *e, uint64_t run)
{
    if (!ensemble_close(e)) return false;
    if (run >= e->runs) ctx_guard(e->model->ctx, no_such_run, NULL);
    return run < e->runs;
}

ah_status ah_ensemble_values(ah_ensemble *e, uint64_t run, double *values)
{
    if (!values || !has_run(e, run)) return AH_E_INPUT;
    varied_values(e, run, values);
    return AH_OK;
}

/* ---- Running --------------------------------------------------------------------------------- */

typedef struct running {
    ah_ensemble *e;
    ah_ensemble_run_options options;
    ah_ensemble_summary *summary;
    journal *journal; /* NULL: none */
    bool broken;      /* it cannot be written */
    uint64_t done;    /* now, and before */
    uint64_t next;    /* to be given */
    double start;
    ah_status status;
} running;

static const char *choose_engine(const ah_ensemble *e)
{
    const char *wanted = e->options.engine;
    if (wanted && strcmp(wanted, "auto")) return wanted;
    return e->runs >= MANY_RUNS || e->lanes ? "cc" : NULL;
}

/* Likewise: C for lanes takes a second or two to compile. */
static const lanes_kind *choose_lanes(const ah_ensemble *e)
{
    const char *wanted = e->options.lanes, *by = choose_engine(e), *why;
    const ivp_kind integrator = ivp_find(e->options.integrator);
    if (!by || strcmp(by, "cc") || (integrator != IVP_AUTO && integrator != IVP_DOP853))
        return NULL;
    if (wanted && strcmp(wanted, "auto")) return e->lanes;
    return e->runs >= LANES_RUNS ? lanes_find(NULL, &why) : NULL;
}

/* As a journal has it: they change the last digits, and so does the processor's way of having them. */
static const char *lanes_of(const ah_ensemble *e)
{
    const lanes_kind *lanes = choose_lanes(e);
    return lanes ? lanes->words : "none";
}

static void count_failed(running *w, const ah_ensemble_part *part)
{
    for (size_t i = 0; i < part->count; i++) w->summary->failed += part->failed[i] != NULL;
}

/* Without a journal, straight on; what comes behind a gap (a thread was interrupted) is dropped. */
static bool take_rows(void *user, const ah_ensemble_part *part)
{
    running *w = user;
    w->done += part->count;
    if (w->journal) {
        w->broken = !journal_add(w->journal, part);
        return !w->broken;
    }
    if (part->first != w->next) return true;
    w->next += part->count;
    count_failed(w, part);
    return !w->options.rows || w->options.rows(w->options.user, part);
}

static bool look_around(void *user)
{
    running *w = user;
    const ah_ensemble_run_options *o = &w->options;
    if (w->journal && !journal_commit(w->journal, false)) {
        w->broken = true;
        return false;
    }
    if (ah_ranks_here(o->ranks)) return true;
    ctx_progress(w->e->model->ctx, (double) w->done / (double) w->e->runs);
    if (o->progress) o->progress(o->progress_user, w->done, w->e->runs, base_clock() - w->start);
    return true;
}

static void compute(running *w)
{
    ah_ensemble *e = w->e;
    const crew_order order = {.runs = e->runs,
                              .done = w->journal ? journal_bits(w->journal) : NULL,
                              .threads = w->options.threads ? w->options.threads
                                         : w->options.ranks ? 1
                                                            : crew_processors(),
                              .ranks = w->options.ranks,
                              .chunk = w->options.chunk,
                              .engine = choose_engine(e),
                              .on_lanes = choose_lanes(e),
                              .rows = take_rows,
                              .pause = look_around,
                              .user = w};
    crew_result r;
    w->summary->ranks = ah_ranks_count(order.ranks);
    w->status = crew_work(e, &order, &r);
    w->summary->threads = r.threads;
    w->summary->computed = r.computed;
    w->summary->steps = r.steps;
    w->summary->engine = r.engine;
    w->summary->method = r.method;
    w->summary->lanes = r.lanes;
    w->summary->no_lanes = r.why_not;
    w->summary->alone = r.alone;
    if (r.stopped && w->status == AH_OK && !w->broken) w->status = AH_E_INTERRUPTED;
}

static void run_body(ah_ctx *ctx, void *arg)
{
    running *w = arg;
    ah_ensemble *e = w->e;
    w->start = base_clock();
    w->summary->runs = e->runs;
    if (w->options.journal && !ah_ranks_here(w->options.ranks)) {
        w->journal = journal_open(e, w->options.journal, choose_engine(e), lanes_of(e));
        if (!w->journal) {
            w->status = AH_E_REFUSED;
            return;
        }
        w->done = journal_done(w->journal);
    }
    if (w->done < e->runs || w->options.ranks) compute(w);
    if (w->journal && !w->broken) w->broken = !journal_commit(w->journal, true);
    const bool whole = w->status == AH_OK && !w->broken && w->done == e->runs;
    if (w->journal && whole)
        w->broken =
            !journal_read(w->journal, w->options.rows, w->options.user, &w->summary->failed) &&
            journal_broke(w->journal);
    if (w->broken) journal_complain(w->journal);
    w->summary->seconds = base_clock() - w->start;
    ctx_tick_now(ctx); /* interrupted, or out of time */
}

ah_status ah_ensemble_run(ah_ensemble *e, const ah_ensemble_run_options *options,
                          ah_ensemble_summary *summary)
{
    ah_ensemble_summary own_summary;
    if (!e) return AH_E_INPUT;
    running w = {.e = e,
                 .options = ah_ensemble_run_defaults(),
                 .summary = summary ? summary : &own_summary,
                 .status = AH_OK};
    *w.summary = (ah_ensemble_summary){0};
    if (!base_take_options(e->model->ctx, &w.options, sizeof w.options, options)) return AH_E_INPUT;
    if (!ensemble_close(e)) return AH_E_INPUT;
    const ah_status status = ctx_guard(e->model->ctx, run_body, &w);
    journal_close(w.journal);
    return status == AH_OK || status == AH_E_INPUT ? (w.status != AH_OK ? w.status : status)
                                                   : status;
}

/* ---- One run --------------------------------------------------------------------------------- */

typedef struct showing {
    ah_ensemble *e;
    uint64_t run;
    size_t samples;
    ah_trajectory **out;
    ah_status status;
} showing;

/* Its system has the outputs that the model had. */
static worker *own_worker(ah_ensemble *e)
{
    if (e->worker) return e->worker;
    worker *w = NEW(&e->arena, worker);
    if (!worker_create(w, e, e->options.engine)) ctx_raise(e->model->ctx, AH_E_MEMORY);
    w->whole = true;
    memcpy(&w->model->outputs, &e->outputs, sizeof w->model->outputs);
    return e->worker = w;
}

static void show(ah_ctx *ctx, void *arg)
{
    showing *w = arg;
    char reason[REASON];
    ah_motion_options o;
    worker *by = own_worker(w->e);
    if (!by->system) w->status = worker_begin(by);
    if (w->status == AH_OK) w->status = worker_motion(by, w->run, by->values, &o, reason);
    if (w->status == AH_OK && *reason) {
        diag(ctx, A0644, NOWHERE, "run %llu cannot begin: %s", (unsigned long long) w->run, reason);
        return;
    }
    if (w->status == AH_OK) w->status = ah_trajectory_create(by->system, &o, w->samples, w->out);
    if (w->status != AH_OK && !*w->out) diag_copy(by->root, ctx);
}

ah_status ah_ensemble_trajectory(ah_ensemble *e, uint64_t run, size_t samples, ah_trajectory **out)
{
    if (out) *out = NULL;
    if (!out || !has_run(e, run)) return AH_E_INPUT;
    showing w = {e, run, samples, out, AH_OK};
    const ah_status status = ctx_guard(e->model->ctx, show, &w);
    return w.status != AH_OK ? w.status : status;
}
