/* motion/motion_pivots.c - programs for other states. */
#include "motion_pivots.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct entry {
    const eval_method *method;
    motion_code code;
    expr_plan *psi, *psi_dot;
    expr_plan
        *own; /* s by (q, v, t), of speeds that are independent near here; NULL: s are others */
    uint32_t *rows; /* of redundant constraints those that count, ascending */
} entry;

struct motion_pivots {
    entry at[MOTION_MOST_PROGRAMS];
    size_t count, now;
    uint64_t seen; /* of s->gave_up */
    /* No program was good for the last state that was looked at: so many looks are left out, eight
     * times as many each time. */
    uint64_t wait, next_wait;
    double *work;
    double *turned; /* a state in the variables of another program … */
    size_t wanted;  /* … which is to take over; `now`: none is */
    /* of redundant constraints */
    uint32_t r, n, rank; /* r == rank: they are not */
    expr_plan *J;
    double *A, *part;
    uint32_t *best;
};

/* ---- Redundant constraints ------------------------------------------------------------------- */

static int ascending(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
    return (x > y) - (x < y);
}

/* J at the point, and the rows that are best there. false: they lose rank. */
static bool look_at_rows(motion_state *s)
{
    motion_pivots *w = s->pivots;
    const double *unit = s->p->mech->unit;
    expr_plan_run(w->J, s->p->values, w->A);
    for (size_t i = 0; unit && i < (size_t) w->r * w->n; i++) w->A[i] *= unit[i % w->n];
    const uint32_t rank = linear_row_rank(&s->p->ctx->scratch, w->r, w->n, w->A, w->best);
    qsort(w->best, w->rank, sizeof *w->best, ascending);
    return rank >= w->rank;
}

static double volume_of(motion_pivots *w, const uint32_t *rows)
{
    for (uint32_t i = 0; i < w->rank; i++)
        memcpy(w->part + (size_t) i * w->n, w->A + (size_t) rows[i] * w->n, w->n * sizeof *w->A);
    return linear_row_volume(w->rank, w->n, w->part);
}

/* Whether the rows in use have become a bad choice at the point. */
static bool has_bad_rows(motion_state *s)
{
    motion_pivots *w = s->pivots;
    return w->rank < w->r && look_at_rows(s) &&
           volume_of(w, w->at[w->now].rows) < MOTION_BAD_ROWS * volume_of(w, w->best);
}

static uint32_t *keep_rows(motion_state *s)
{
    const motion_pivots *w = s->pivots;
    uint32_t *rows = NEW_ARRAY(s->p->arena, uint32_t, w->rank + 1);
    memcpy(rows, w->best, w->rank * sizeof *rows);
    return rows;
}

/* ---- Programs -------------------------------------------------------------------------------- */

static entry present(const motion_state *s)
{
    const motion_pivots *w = s->pivots;
    return (entry){s->method, s->code, s->psi, s->psi_dot, w->at[w->now].own, w->at[w->now].rows};
}

static expr_plan *own_plan(motion_state *s, const motion_code *c)
{
    const point *p = s->p;
    if (!c->framed) return NULL;
    return expr_plan_create(p->ctx, p->arena, mat_to_dense(p->ctx, p->arena, c->own), c->m);
}

motion_pivots *motion_pivots_create(motion_state *s)
{
    const mechanics *k = s->p->mech;
    arena *a = s->p->arena;
    motion_pivots *w = s->pivots = NEW(a, motion_pivots);
    w->next_wait = 1;
    w->work = NEW_ARRAY(a, double, s->code.n + s->code.m);
    w->turned = NEW_ARRAY(a, double, s->code.n + s->code.m);
    w->n = k->n;
    w->r = s->code.psi && !s->method->eq->takes_rows ? k->rank : k->r;
    w->rank = k->rank;
    if (w->rank < w->r) {
        const size_t size = (size_t) w->r * w->n;
        w->J = expr_plan_create(s->p->ctx, a, mat_to_dense(s->p->ctx, a, k->J), size);
        w->A = NEW_ARRAY(a, double, 2 * size);
        w->part = w->A + size;
        w->best = NEW_ARRAY(a, uint32_t, w->r);
        look_at_rows(s);
        w->at[0].rows = keep_rows(s);
    }
    w->at[0] = present(s);
    w->at[0].own = own_plan(s, &s->code);
    w->count = 1;
    return w;
}

/* Are the variables of both the same? */
static bool are_alike(const motion_code *a, const motion_code *b)
{
    return !memcmp(a->second, b->second, a->m * sizeof *a->second);
}

/* y, which is in the point, in the variables of the entry. */
static const double *state_in(motion_state *s, const entry *e, const double *y)
{
    motion_pivots *w = s->pivots;
    if (are_alike(&e->code, &s->code)) return y;
    memcpy(w->turned, y, s->code.n * sizeof *y);
    expr_plan_run(e->own, s->p->values, w->turned + s->code.n);
    return w->turned;
}

/* Whether the programs of the code that has them do not give up at y. */
static bool runs(motion_pivots *w, motion_code *c, double t, const double *y)
{
    static const motion_program projections[] = {MOTION_PLACES, MOTION_VELOCITIES};
    if (!motion_code_run(c, MOTION_RHS, t, y, w->work)) return false;
    for (uint32_t i = 0; i < c->n + c->m; i++)
        if (!isfinite(w->work[i])) return false;
    for (int i = 0; i < 2; i++)
        if (c->program[projections[i]] && !motion_code_run(c, projections[i], t, y, NULL))
            return false;
    return true;
}

static void take(motion_state *s, size_t next)
{
    motion_pivots *w = s->pivots;
    w->at[w->now] = present(s); /* its engine may have changed */
    s->method = w->at[next].method;
    s->code = w->at[next].code;
    s->psi = w->at[next].psi;
    s->psi_dot = w->at[next].psi_dot;
    w->now = w->wanted = next;
}

void motion_pivots_forget(motion_state *s)
{
    motion_pivots *w = s->pivots;
    if (w->now) take(s, 0);
    w->count = 1;
    w->wait = 0;
    w->next_wait = 1;
}

/* Equations and programs for the state in the point, as the last entry. */
static bool make(motion_state *s)
{
    motion_pivots *w = s->pivots;
    if (w->count == MOTION_MOST_PROGRAMS) return false;
    entry *e = &w->at[w->count];
    eval_method *chosen = NEW(s->p->arena, eval_method);
    e->method = eval_choose_rows(s->method, s->p, chosen) ? chosen : s->method;
    if (motion_state_make_code(s, e->method, &e->code)) return false;
    if (e->code.n != s->code.n || e->code.m != s->code.m || !e->code.psi != !s->code.psi ||
        e->code.framed != s->code.framed || (!e->code.framed && !are_alike(&e->code, &s->code)))
        return false; /* other variables */
    motion_state_make_plans(s, &e->code, &e->psi, &e->psi_dot);
    e->own = own_plan(s, &e->code);
    if (w->rank < w->r) e->rows = keep_rows(s);
    w->count++;
    return true;
}

/* Whether the program rests on rows that are nearly as good as the best at the point. */
static bool has_good_rows(motion_pivots *w, const entry *e)
{
    return w->rank == w->r || volume_of(w, e->rows) >= 3 * MOTION_BAD_ROWS * volume_of(w, w->best);
}

/* In other variables not before the step is over. */
static void change_to(motion_state *s, size_t next)
{
    if (are_alike(&s->pivots->at[next].code, &s->code))
        take(s, next);
    else
        s->pivots->wanted = next;
}

bool motion_pivots_turn(motion_state *s, double t, double *y)
{
    motion_pivots *w = s->pivots;
    if (w->wanted == w->now) return false;
    motion_state_put(s, MOTION_AT_STATE, t, y);
    memcpy(y, state_in(s, &w->at[w->wanted], y), (s->code.n + s->code.m) * sizeof *y);
    take(s, w->wanted);
    return true;
}

void motion_pivots_look(motion_state *s, double t, const double *y)
{
    motion_pivots *w = s->pivots;
    const bool gave_up = s->gave_up != w->seen;
    if (!gave_up && w->rank == w->r) return;
    w->seen = s->gave_up;
    motion_state_put(s, MOTION_AT_SPEEDS, t, y);
    if (!has_bad_rows(s) && (!gave_up || runs(w, &s->code, t, y))) return;
    if (w->wait) {
        w->wait--;
        return;
    }
    for (size_t i = 0; i < w->count; i++)
        if (i != w->now && has_good_rows(w, &w->at[i]) &&
            runs(w, &w->at[i].code, t, state_in(s, &w->at[i], y))) {
            change_to(s, i);
            return;
        }
    if (make(s)) {
        entry *made = &w->at[w->count - 1];
        motion_state_put(s, MOTION_AT_STATE, t, y); /* made at states nearby */
        if (runs(w, &made->code, t, state_in(s, made, y))) {
            change_to(s, w->count - 1);
            return;
        }
    }
    w->wait = w->next_wait;
    w->next_wait *= 8;
}
