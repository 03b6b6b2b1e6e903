/* trajectory/trajectory_columns.c - a whole motion of a system as columns of numbers. */
#include "trajectory.h"

#include <anholo/motion.h>

#include <float.h>
#include <math.h>
#include <string.h>

/* Of the system, one block of columns after the other; t comes first. */
static const ah_quantity blocks[] = {AH_Q_STATE,    AH_Q_VELOCITY, AH_Q_MULTIPLIER,
                                     AH_Q_REACTION, AH_Q_OUTPUT,   AH_Q_ENERGY};
enum { BLOCKS = sizeof blocks / sizeof *blocks };

struct ah_trajectory {
    ah_system *system;
    arena arena;
    size_t rows, room, columns;
    const char **name, **unit;
    double *at;      /* column after column, `room` numbers each */
    double *row, *y; /* work space */
    const char *why;
    ah_work *work;
    LIST(ah_event) events;
};

/* Rows by distance are as many as the span has room for; more are not kept. */
#define ROWS_MOST 1e9

typedef struct making_columns {
    ah_system *system;
    ah_trajectory *t;
} making_columns;

/* q' is in the state where the system has no speeds of its own. */
static size_t count_of(const ah_system *s, ah_quantity block)
{
    return block == AH_Q_VELOCITY && !system_code(s)->psi ? 0 : ah_system_count(s, block);
}

static void make_columns(ah_ctx *ctx, void *arg)
{
    making_columns *w = arg;
    ah_trajectory *t = w->t = ctx_realloc(ctx, NULL, 0, sizeof *t);
    const ah_system *s = w->system;
    *t = (ah_trajectory){.system = w->system, .columns = 1};
    arena_init(&t->arena, ctx);
    for (int b = 0; b < BLOCKS; b++) t->columns += count_of(s, blocks[b]);
    t->name = NEW_ARRAY(&t->arena, const char *, t->columns);
    t->unit = NEW_ARRAY(&t->arena, const char *, t->columns);
    t->row = NEW_ARRAY(&t->arena, double, t->columns + 1);
    t->y = NEW_ARRAY(&t->arena, double, ah_system_count(s, AH_Q_STATE) + 1);
    t->name[0] = "t";
    t->unit[0] = model_unit_of(system_model(s), "t");
    for (size_t b = 0, column = 1; b < BLOCKS; b++)
        for (size_t i = 0; i < count_of(s, blocks[b]); i++, column++) {
            t->name[column] = arena_strdup(&t->arena, ah_system_name(s, blocks[b], i));
            const char *unit = ah_system_unit(s, blocks[b], i);
            t->unit[column] = unit ? arena_strdup(&t->arena, unit) : NULL;
        }
}

/* For so many rows, and one at a stop. */
static void make_room(ah_ctx *ctx, ah_trajectory *t, size_t rows)
{
    if (rows >= SIZE_MAX / sizeof(double) / t->columns)
        ctx_raise_limit(ctx, "more rows and columns than can be kept");
    t->room = rows + 1;
    t->at = NEW_ARRAY(&t->arena, double, t->columns * t->room);
}

static void keep_row(ah_trajectory *t, double time, const double *y)
{
    double *next = t->row;
    *next++ = time;
    for (int b = 0; b < BLOCKS; b++) {
        const size_t count = count_of(t->system, blocks[b]);
        if (count) ah_work_evaluate(t->work, blocks[b], time, y, next); /* NaN where it is none */
        next += count;
    }
    for (size_t i = 0; i < t->columns; i++) t->at[i * t->room + t->rows] = t->row[i];
    t->rows++;
}

/* Where the rows are: `samples` from t0 to t1, or by distance. */
typedef struct row_times {
    double t0, t1, every;
    size_t samples;
} row_times;

static double time_of(const row_times *r, size_t i)
{
    if (r->every > 0) return r->t0 + copysign(r->every, r->t1 - r->t0) * (double) i;
    return i + 1 == r->samples ? r->t1
                               : r->t0 + (r->t1 - r->t0) * (double) i / (double) (r->samples - 1);
}

/* By distance: how many fit. The last may miss the end by rounding alone. */
static bool count_rows(ah_ctx *ctx, row_times *r)
{
    if (!(r->every > 0)) return true;
    const double fit = floor(fabs(r->t1 - r->t0) / r->every * (1 + 4 * DBL_EPSILON)) + 1;
    if (!(fit <= ROWS_MOST)) return diag_wrong_call(ctx, "the distance of rows is too small");
    r->samples = (size_t) fit;
    return true;
}

typedef struct keeping {
    ah_trajectory *t;
    ah_motion *motion;
    const ah_motion_options *options;
    size_t samples;
    ah_status status;
} keeping;

static void keep_events(keeping *w)
{
    ah_trajectory *t = w->t;
    for (size_t i = 0; i < ah_motion_events(w->motion); i++) {
        ah_event e;
        if (ah_motion_event(w->motion, i, &e) != AH_OK) continue;
        e.label = e.label ? arena_strdup(&t->arena, e.label) : NULL;
        LIST_PUSH(&t->arena, &t->events, e);
    }
}

static ah_status advance(keeping *w, double time)
{
    const ah_status status = ah_motion_advance(w->motion, time);
    keep_events(w);
    return status;
}

/* A stop of the model ends the rows with one more. */
static void keep_rows(ah_ctx *ctx, void *arg)
{
    keeping *w = arg;
    ah_trajectory *t = w->t;
    row_times r = {ah_motion_time(w->motion), motion_end_of(w->motion),
                   w->samples ? 0 : w->options->every, w->samples};
    const double way = r.t1 >= r.t0 ? 1 : -1;
    if (!count_rows(ctx, &r)) return;
    make_room(ctx, t, r.samples);
    for (size_t i = 0; i < r.samples; i++) {
        const double time =
            i + 1 == r.samples ? way * fmin(way * time_of(&r, i), way * r.t1) : time_of(&r, i);
        ctx_tick(ctx);
        w->status = advance(w, time);
        if (w->status == AH_OK) w->status = ah_motion_state_at(w->motion, time, t->y);
        if (w->status != AH_OK) break;
        keep_row(t, time, t->y);
    }
    if (w->status == AH_OK) w->status = advance(w, r.t1); /* events after the last row */
    if (w->status == AH_OK || !t->rows) return;
    const double last = ah_motion_time(w->motion);
    if (last != t->at[t->rows - 1] && ah_motion_state(w->motion, t->y) == AH_OK)
        keep_row(t, last, t->y);
    w->status = motion_status_of(w->motion);
}

typedef struct copying {
    ah_trajectory *t;
    const char *why;
} copying;

static void copy_why(ah_ctx *ctx, void *arg)
{
    const copying *w = arg;
    (void) ctx;
    w->t->why = w->why ? arena_strdup(&w->t->arena, w->why) : NULL;
}

static ah_status fill(ah_trajectory *t, const ah_motion_options *options, size_t samples)
{
    ah_motion *m = NULL;
    ah_status status = ah_motion_create(t->system, options, &m);
    t->work = status == AH_OK ? ah_work_create(t->system) : NULL;
    if (status == AH_OK && !t->work) status = AH_E_MEMORY;
    if (status == AH_OK && options && options->parameters)
        status = ah_work_set_parameters(t->work, options->parameters);
    if (status == AH_OK) {
        keeping rows = {.t = t, .motion = m, .options = options, .samples = samples};
        status = ctx_guard(system_model(t->system)->ctx, keep_rows, &rows);
        if (status == AH_OK) status = rows.status;
    }
    copying w = {t, ah_motion_why(m)};
    if (m && ctx_guard(system_model(t->system)->ctx, copy_why, &w) != AH_OK) status = AH_E_MEMORY;
    ah_work_destroy(t->work);
    t->work = NULL;
    ah_motion_destroy(m);
    return status;
}

/* The caller was compiled with an `every`. */
static bool reaches_every(const ah_motion_options *o)
{
    return o && o->size >= offsetof(ah_motion_options, every) + sizeof o->every;
}

static void say_wrong_rows(ah_ctx *ctx, void *arg)
{
    (void) arg;
    diag_wrong_call(ctx, "a trajectory has 2 samples or more, or none and a distance of rows");
}

static ah_status wrong_rows(const ah_system *s)
{
    ctx_guard(system_model(s)->ctx, say_wrong_rows, NULL);
    return AH_E_INPUT;
}

ah_status ah_trajectory_create(ah_system *s, const ah_motion_options *options, size_t samples,
                               ah_trajectory **out)
{
    if (out) *out = NULL;
    if (!s || !out) return AH_E_INPUT;
    const bool every = reaches_every(options) && options->every > 0 && isfinite(options->every);
    if (samples == 1 || (!samples && !every)) return wrong_rows(s);
    making_columns w = {.system = s};
    ah_status status = ctx_guard(system_model(s)->ctx, make_columns, &w);
    if (status == AH_OK) status = fill(w.t, options, samples);
    if (status == AH_OK || (w.t && w.t->rows))
        *out = w.t;
    else
        ah_trajectory_destroy(w.t);
    return status;
}

void ah_trajectory_destroy(ah_trajectory *t)
{
    if (!t) return;
    ah_ctx *ctx = system_model(t->system)->ctx;
    arena_clear(&t->arena);
    ctx_realloc(ctx, t, sizeof *t, 0);
}

/* ---- Looking --------------------------------------------------------------------------------- */

size_t ah_trajectory_rows(const ah_trajectory *t)
{
    return t ? t->rows : 0;
}

size_t ah_trajectory_columns(const ah_trajectory *t)
{
    return t ? t->columns : 0;
}

const char *ah_trajectory_name(const ah_trajectory *t, size_t column)
{
    return t && column < t->columns ? t->name[column] : NULL;
}

const char *ah_trajectory_unit(const ah_trajectory *t, size_t column)
{
    return t && column < t->columns ? t->unit[column] : NULL;
}

const double *ah_trajectory_column(const ah_trajectory *t, size_t column)
{
    return t && column < t->columns ? t->at + column * t->room : NULL;
}

ptrdiff_t ah_trajectory_find(const ah_trajectory *t, const char *name)
{
    for (size_t i = 0; name && i < ah_trajectory_columns(t); i++)
        if (!strcmp(t->name[i], name)) return (ptrdiff_t) i;
    return -1;
}

const char *ah_trajectory_why(const ah_trajectory *t)
{
    return t ? t->why : NULL;
}

size_t ah_trajectory_events(const ah_trajectory *t)
{
    return t ? t->events.count : 0;
}

ah_status ah_trajectory_event(const ah_trajectory *t, size_t index, ah_event *out)
{
    if (!t || !out || index >= t->events.count) return AH_E_INPUT;
    *out = t->events.at[index];
    return AH_OK;
}
