/* flow/minimal.c - see minimal.h. */
#include "minimal.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

/* The share of the largest slope that round-off reaches at one state or another, not at all. */
#define SLIGHT 1e-13

enum {
    RANDOM_STATES = 3,  /* at which "depends" is decided … */
    NEAR_STATES = 2,    /* … and random ones near the state, where its variables do not fail */
    PROJECTIONS = 10,   /* of such a state onto the constraints */
    MOST_CHOICES = 3000 /* of independent velocities that are compared */
};

/* The free quasi-velocities with their rates ω' = ω_q v + ω_t + ω_v a. */
typedef struct minimal_omega {
    uint32_t count;
    const uint32_t *which;        /* of the model's */
    const double *unit;           /* their sizes */
    expr_plan *value, *slope;     /* ω; ∂ω/∂(x, t) */
    expr_plan *rate, *rate_slope; /* ω'; ∂ω'/∂(x, t) at fixed a */
    double *values, *slopes, *rates, *rate_slopes;
} minimal_omega;

/* ---- Quasi-velocities ------------------------------------------------------------------------ */

static expr_plan *plan_of(flow *w, mat m)
{
    const size_t count = (size_t) m.rows * m.cols;
    ah_expr *dense = mat_to_dense(w->ctx, w->arena, m);
    flow_define(w->model, dense, count);
    return expr_plan_create(w->ctx, w->arena, dense, count);
}

static minimal_omega *prepare_omega(flow *w)
{
    const ah_model *m = w->model;
    arena *a = w->arena;
    if (w->charted || !m->quasivelocities.count) return NULL;
    minimal_omega *o = NEW(a, minimal_omega);
    uint32_t *which = NEW_ARRAY(a, uint32_t, m->quasivelocities.count);
    ah_expr *omega = NEW_ARRAY(a, ah_expr, m->quasivelocities.count);
    double *unit = NEW_ARRAY(a, double, m->quasivelocities.count);
    for (uint32_t i = 0; i < m->quasivelocities.count; i++) {
        if (m->quasivelocities.at[i].constrained) continue;
        which[o->count] = i;
        unit[o->count] = model_size(w->model, m->quasivelocities.at[i].symbol);
        omega[o->count++] = m->quasivelocities.at[i].definition;
    }
    const mat value = mat_from_dense(w->ctx, a, o->count, 1, omega);
    const mat rate = mat_dt(w->ctx, a, value);
    const size_t width = w->N + 1;
    o->which = which;
    o->unit = unit;
    o->value = plan_of(w, value);
    o->slope = plan_of(w, mat_jacobian(w->ctx, a, value, width, w->x));
    o->rate = plan_of(w, rate);
    o->rate_slope = plan_of(w, mat_jacobian(w->ctx, a, rate, width, w->x));
    o->values = NEW_ARRAY(a, double, o->count);
    o->rates = NEW_ARRAY(a, double, o->count);
    o->slopes = NEW_ARRAY(a, double, o->count *width);
    o->rate_slopes = NEW_ARRAY(a, double, o->count *width);
    return o;
}

/* ∂ω'/∂x = ∂ω'/∂x|_a + ω_v ∂a/∂x, after flow_at. */
static void omega_at(minimal_omega *o, const flow *w, const frame *values)
{
    const size_t width = w->N + 1;
    expr_plan_run(o->value, values, o->values);
    expr_plan_run(o->slope, values, o->slopes);
    expr_plan_run(o->rate, values, o->rates);
    expr_plan_run(o->rate_slope, values, o->rate_slopes);
    for (uint32_t i = 0; i < o->count; i++)
        for (uint32_t k = w->n; k < w->N; k++)
            for (size_t j = 0; j < width; j++)
                o->rate_slopes[i * width + j] += o->slopes[i * width + k] * w->slope[k * width + j];
}

/* ---- One choice of variables at one state ---------------------------------------------------- */

double minimal_value(const minimal *m, uint32_t y, const frame *values)
{
    if (!m->omega || y < m->coordinates) return frame_get(values, m->flow->x[m->place[y]]);
    double *all = m->of_omega->values;
    expr_plan_run(m->of_omega->value, values, all);
    return all[m->place[y]];
}

/* Row y of ∂y/∂x, and y' with its slopes. */
static void take_rows(minimal *m, double *rows)
{
    const flow *w = m->flow;
    const size_t width = w->N + 1;
    for (uint32_t y = 0; y < m->count; y++) {
        const uint32_t at = m->place[y];
        double *row = rows + y * w->N;
        if (m->omega && y >= m->coordinates) {
            const minimal_omega *o = m->of_omega;
            memcpy(row, o->slopes + at * width, w->N * sizeof *row);
            memcpy(m->slope + y * width, o->rate_slopes + at * width, width * sizeof *row);
            m->rate[y] = o->rates[at];
        } else {
            memset(row, 0, w->N * sizeof *row);
            row[at] = 1;
            memcpy(m->slope + y * width, w->slope + at * width, width * sizeof *row);
            m->rate[y] = w->rate[at];
        }
    }
}

/* To length one: units must not look like ill condition. */
static void scale_rows(uint32_t n, double *S, uint32_t columns, double *rhs)
{
    for (uint32_t i = 0; i < n; i++) {
        double norm = 0;
        for (uint32_t j = 0; j < n; j++)
            if (S[(size_t) i * n + j] != 0) norm = hypot(norm, S[(size_t) i * n + j]);
        if (!(norm > 0)) continue;
        for (uint32_t j = 0; j < n; j++) S[(size_t) i * n + j] /= norm;
        for (uint32_t j = 0; j < columns; j++) rhs[(size_t) i * columns + j] /= norm;
    }
}

/* x along the constraints for unit steps of y, and for a unit step of t in the last column:
 *     [c_x; y_x] ∂x/∂(y, t) = [0 −c_t; 1 0],
 * for x in its units and rows of length one. */
typedef struct lifting {
    double *S, *rhs; /* N × N, N × (count + 1) */
} lifting;

static bool set_up_lift(const minimal *m, const double *rows, lifting *out)
{
    const flow *w = m->flow;
    arena *a = &w->ctx->scratch;
    const uint32_t N = w->N, columns = m->count + 1;
    uint32_t *order = NEW_ARRAY(a, uint32_t, w->constraints + 1);
    double *D = NEW_ARRAY(a, double, (size_t) w->constraints *N + 1);
    for (uint32_t i = 0; i < w->constraints; i++)
        for (uint32_t k = 0; k < N; k++)
            D[(size_t) i * N + k] = w->unit[k] * w->c_slope[(size_t) i * (N + 1) + k];
    const uint32_t rank = linear_row_rank(a, w->constraints, N, D, order);
    if (rank + m->count != N) return false;
    double *S = out->S = NEW_ARRAY(a, double, (size_t) N *N);
    double *rhs = out->rhs = NEW_ARRAY(a, double, (size_t) N *columns);
    for (uint32_t i = 0; i < rank; i++) {
        memcpy(S + (size_t) i * N, D + (size_t) order[i] * N, N * sizeof *S);
        rhs[(size_t) i * columns + m->count] = -w->c_slope[(size_t) order[i] * (N + 1) + N];
    }
    for (uint32_t y = 0; y < m->count; y++)
        for (uint32_t k = 0; k < N; k++)
            S[(size_t) (rank + y) * N + k] = w->unit[k] * rows[(size_t) y * N + k];
    for (uint32_t y = 0; y < m->count; y++) rhs[(size_t) (rank + y) * columns + y] = 1;
    scale_rows(N, S, columns, rhs);
    return true;
}

static bool make_lift(const minimal *m, const lifting *l, double *lift)
{
    const flow *w = m->flow;
    arena *a = &w->ctx->scratch;
    const uint32_t N = w->N, columns = m->count + 1;
    if (!(linear_solve(a, N, columns, l->S, l->rhs, lift) > MINIMAL_CONDITION)) return false;
    for (uint32_t k = 0; k < N; k++)
        for (uint32_t j = 0; j < columns; j++) lift[(size_t) k * columns + j] *= w->unit[k];
    return true;
}

/* Whether there is a lift, without making it. */
static bool can_lift(minimal *m)
{
    arena *a = &m->flow->ctx->scratch;
    const uint32_t N = m->flow->N;
    double *rows = NEW_ARRAY(a, double, (size_t) m->count *N);
    lifting l;
    take_rows(m, rows);
    if (!set_up_lift(m, rows, &l) || !linear_is_finite((size_t) N * (m->count + 1), l.rhs))
        return false;
    return linear_factor(a, N, l.S).rcond > MINIMAL_CONDITION;
}

/* All of ∂y'/∂(y, t): count × (count + 1); the flow has been evaluated. `condition`: that of the choice, if it is asked for. */
static bool whole_slopes(minimal *m, double *B, double *condition)
{
    const flow *w = m->flow;
    arena *a = &w->ctx->scratch;
    const uint32_t N = w->N, columns = m->count + 1;
    double *rows = NEW_ARRAY(a, double, (size_t) m->count *N);
    double *lift = NEW_ARRAY(a, double, (size_t) N *columns);
    lifting l;
    take_rows(m, rows);
    if (condition) *condition = 0;
    if (!set_up_lift(m, rows, &l)) return false;
    if (condition)
        *condition = linear_reciprocal_condition(a, N, l.S); /* linear_solve scales columns */
    if (!make_lift(m, &l, lift)) return false;
    for (uint32_t i = 0; i < m->count; i++) {
        const double *slope = m->slope + (size_t) i * (N + 1);
        double *row = B + (size_t) i * columns;
        for (uint32_t j = 0; j < columns; j++) row[j] = j == m->count ? slope[N] : 0;
        for (uint32_t k = 0; k < N; k++)
            for (uint32_t j = 0; j < columns; j++)
                row[j] += slope[k] * lift[(size_t) k * columns + j];
    }
    for (uint32_t k = 0; k < N; k++) {
        for (uint32_t j = 0; j < m->count; j++)
            m->lift[(size_t) k * m->count + j] = lift[(size_t) k * columns + j];
        m->lift_t[k] = lift[(size_t) k * columns + m->count];
    }
    for (uint32_t i = 0; i < m->count; i++) m->drift[i] = B[(size_t) i * columns + m->count];
    return true;
}

/* A slope of y' by another variable, or by t, for both in their units. */
static double in_units(const minimal *m, uint32_t y, uint32_t by, double slope)
{
    const double time = m->flow->time;
    return slope * time * (by == m->count ? time : m->unit[by]) / m->unit[y];
}

static bool evaluate(minimal *m, frame *values)
{
    if (!flow_at(m->flow, values)) return false;
    if (m->omega) omega_at(m->of_omega, m->flow, values);
    return true;
}

bool minimal_rates_on(minimal *m, frame *values)
{
    arena *a = &m->flow->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    bool good = flow_motion(m->flow, values);
    if (good && m->omega) omega_at(m->of_omega, m->flow, values);
    good = good && can_lift(m);
    arena_release(a, mark);
    return good;
}

bool minimal_rates_at(minimal *m, frame *values)
{
    flow_constraints(m->flow, values);
    return minimal_rates_on(m, values);
}

/* What lies along the constraints, where the flow has been evaluated. */
static bool finish(minimal *m)
{
    arena *a = &m->flow->ctx->scratch;
    double *B = NEW_ARRAY(a, double, (size_t) m->count *(m->count + 1));
    const bool good = whole_slopes(m, B, &m->condition);
    for (uint32_t i = 0; good && i < m->kept; i++)
        for (uint32_t j = 0; j < m->kept; j++) {
            const uint32_t y = m->keep[i], by = m->keep[j];
            const size_t at = (size_t) i * m->kept + j;
            m->B[at] = B[(size_t) y * (m->count + 1) + by];
            m->scaled[at] = in_units(m, y, by, m->B[at]);
        }
    m->divergence = m->divergence_size = 0;
    for (uint32_t y = 0; y < m->count; y++) {
        m->divergence += B[(size_t) y * (m->count + 2)];
        m->divergence_size += fabs(B[(size_t) y * (m->count + 2)]);
    }
    return good;
}

bool minimal_finish(minimal *m)
{
    arena *a = &m->flow->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const bool good = finish(m);
    arena_release(a, mark);
    return good;
}

bool minimal_at(minimal *m, frame *values)
{
    return evaluate(m, values) && minimal_finish(m);
}

bool minimal_bound(const minimal *m, bool *bound)
{
    const ah_model *model = m->flow->model;
    if (m->coordinates == model->n) return false;
    for (size_t i = 0; i < model->constraints.count; i++)
        for (uint32_t k = 0; k < m->ignorable; k++)
            if (model->constraints.at[i].order == MODEL_HOLONOMIC &&
                expr_depends(model->ctx, model->constraints.at[i].c, m->symbol[m->ignored[k]]))
                return false;
    for (uint32_t i = 0; i < model->n; i++) bound[i] = true;
    for (uint32_t y = 0; y < m->coordinates; y++) bound[m->place[y]] = false;
    return true;
}

/* ---- What depends on what -------------------------------------------------------------------- */

/* The states at which choices are judged; the first is the one of interest. */
typedef struct judges {
    frame *values[RANDOM_STATES + NEAR_STATES + 1];
    flow at[RANDOM_STATES + NEAR_STATES + 1]; /* the numbers of the flow there */
    size_t count;
    bool generic;
    double
        condition; /* of the choice that pivoting finds at the first: others may be worse, but not by any factor */
} judges;

static double *kept_copy(arena *a, const double *x, size_t count)
{
    double *y = NEW_ARRAY(a, double, count + 1);
    memcpy(y, x, count * sizeof *x);
    return y;
}

/* The flow at the state, with numbers of its own. */
static bool hold(flow *w, arena *a, frame *values, flow *out)
{
    if (!flow_at(w, values)) return false;
    *out = *w;
    out->rate = kept_copy(a, w->rate, w->N);
    out->slope = kept_copy(a, w->slope, (size_t) w->N * (w->N + 1));
    out->c_slope = kept_copy(a, w->c_slope, (size_t) w->constraints * (w->N + 1));
    return true;
}

/* A state near by, on the constraints as well as a few of Newton's steps can put it there. */
static void move_aside(flow *w, states_rng *rng, frame *values)
{
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *D = NEW_ARRAY(a, double, (size_t) w->constraints * w->N + 1);
    double *step = NEW_ARRAY(a, double, w->N);
    for (uint32_t k = 0; k < w->N; k++) {
        double *x = frame_ref(values, w->x[k]);
        *x += MINIMAL_ASIDE * (w->unit[k] + fabs(*x)) * probe_uniform(rng, -1, 1);
    }
    for (int i = 0; w->constraints && i < PROJECTIONS; i++) {
        flow_constraints(w, values);
        for (uint32_t r = 0; r < w->constraints; r++)
            for (uint32_t k = 0; k < w->N; k++)
                D[(size_t) r * w->N + k] = w->unit[k] * w->c_slope[(size_t) r * (w->N + 1) + k];
        linear_least_squares(a, w->constraints, w->N, D, w->c, MINIMAL_DEPENDS, step);
        for (uint32_t k = 0; k < w->N; k++) *frame_ref(values, w->x[k]) -= w->unit[k] * step[k];
    }
    arena_release(a, mark);
}

static judges find_judges(flow *w, arena *a, const frame *values, states *random)
{
    judges j = {.count = 0};
    states_rng rng = probe_seed(7);
    j.values[0] = frame_copy(a, values);
    if (!hold(w, a, j.values[0], &j.at[0])) return j;
    j.count = 1;
    for (int i = 0; random && i < RANDOM_STATES; i++) {
        j.values[j.count] = probe_values(w->model, a);
        if (!analyse_random_state(random, &rng, j.values[j.count])) break;
        if (hold(w, a, j.values[j.count], &j.at[j.count])) j.count++;
    }
    for (int i = 0; random && i < NEAR_STATES; i++) {
        j.values[j.count] = frame_copy(a, values);
        move_aside(w, &rng, j.values[j.count]);
        if (hold(w, a, j.values[j.count], &j.at[j.count])) j.count++;
    }
    j.generic = j.count > 1;
    return j;
}

/* depends: count × (count + 1) flags. False: the variables fail at one of the states. */
static bool find_dependence(minimal *m, const judges *j, bool *depends)
{
    arena *a = &m->flow->ctx->scratch;
    const size_t size = (size_t) m->count * (m->count + 1);
    double *B = NEW_ARRAY(a, double, size);
    bool *always = NEW_ARRAY(a, bool, size); /* a little, at every state: that is no round-off */
    memset(depends, 0, size * sizeof *depends);
    for (size_t i = 0; i < size; i++) always[i] = true;
    size_t good = 0;
    flow *const own = m->flow;
    for (size_t s = 0; s < j->count; s++) {
        flow there = j->at[s];
        double condition;
        m->flow = &there;
        if (m->omega) omega_at(m->of_omega, m->flow, j->values[s]);
        const bool fine = whole_slopes(m, B, s ? NULL : &condition);
        m->flow = own;
        if (s == 0 && (!fine || condition < MINIMAL_CONDITION * j->condition)) return false;
        if (!fine) continue;
        double largest = 0;
        for (size_t i = 0; i < size; i++) {
            const uint32_t y = (uint32_t) (i / (m->count + 1)),
                           by = (uint32_t) (i % (m->count + 1));
            B[i] = in_units(m, y, by, B[i]);
            largest = fmax(largest, fabs(B[i]));
        }
        for (size_t i = 0; i < size; i++) {
            if (fabs(B[i]) > MINIMAL_DEPENDS * largest) depends[i] = true;
            if (!(fabs(B[i]) > SLIGHT * largest)) always[i] = false;
        }
        good++;
    }
    for (size_t i = 0; i < size && good > 1; i++) depends[i] = depends[i] || always[i];
    return good > (j->generic ? 1 : 0);
}

/* Forces depend on what switches them, though their slopes by it vanish on either side. */
static bool is_switched_by(const minimal *m, ah_expr symbol)
{
    const flow *w = m->flow;
    for (size_t i = 0; i < w->switches.count; i++)
        if (expr_depends(w->ctx, w->switches.at[i], symbol)) return true;
    return false;
}

/* The speeds are kept, and whatever the rate of something kept depends on. */
static void find_kept(minimal *m, const bool *depends, bool *kept)
{
    const size_t width = m->count + 1;
    for (uint32_t y = 0; y < m->count; y++)
        kept[y] = y >= m->coordinates || is_switched_by(m, m->symbol[y]);
    for (bool more = true; more;) {
        more = false;
        for (uint32_t i = 0; i < m->count; i++)
            for (uint32_t j = 0; kept[i] && j < m->count; j++)
                if (depends[i * width + j] && !kept[j]) kept[j] = more = true;
    }
    m->autonomous = !is_switched_by(m, expr_time(m->flow->ctx));
    for (uint32_t i = 0; i < m->count; i++)
        if (kept[i] && depends[i * width + m->count]) m->autonomous = false;
}

/* How good a choice is: coordinates ignored first, then kept ones whose velocity is a speed, then
 * the model's own quasi-velocities. Negative: it fails. */
static double judge(minimal *m, const judges *j, bool *kept)
{
    arena *a = &m->flow->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    bool *depends = NEW_ARRAY(a, bool, (size_t) m->count *(m->count + 1));
    double score = -1;
    if (find_dependence(m, j, depends)) {
        find_kept(m, depends, kept);
        score = m->omega ? 0.5 : 0;
        for (uint32_t y = 0; y < m->coordinates; y++) {
            score += kept[y] ? 0 : 1000;
            for (uint32_t s = m->coordinates; kept[y] && !m->omega && s < m->count; s++)
                if (m->place[s] == m->place[y] + m->flow->n) score += 0.01;
        }
    }
    arena_release(a, mark);
    return score;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

static void make_room(minimal *m, arena *a)
{
    const size_t N = m->flow->N, count = m->count;
    m->rate = NEW_ARRAY(a, double, count);
    m->slope = NEW_ARRAY(a, double, count *(N + 1));
    m->lift = NEW_ARRAY(a, double, N *count);
    m->drift = NEW_ARRAY(a, double, count + 1);
    m->lift_t = NEW_ARRAY(a, double, N + 1);
    m->B = NEW_ARRAY(a, double, count *count);
    m->scaled = NEW_ARRAY(a, double, count *count);
}

/* Columns of the flagged constraints' slopes, from `first`, n of them; their order by pivoting. */
static uint32_t pivot_columns(flow *w, bool of_places, uint32_t first, uint32_t n, uint32_t *order)
{
    arena *a = &w->ctx->scratch;
    double *D = NEW_ARRAY(a, double, (size_t) w->constraints *n + 1);
    uint32_t rows = 0;
    for (uint32_t i = 0; i < w->constraints; i++) {
        if (w->of_places[i] != of_places) continue;
        for (uint32_t k = 0; k < n; k++)
            D[(size_t) rows * n + k] =
                w->unit[first + k] * w->c_slope[(size_t) i * (w->N + 1) + first + k];
        rows++;
    }
    linear_column_order(a, rows, n, D, order);
    return linear_row_rank(a, rows, n, D, NULL);
}

static void set_variables(minimal *m, arena *a, const bool *dependent_place,
                          const bool *dependent_speed)
{
    const flow *w = m->flow;
    uint32_t *place = NEW_ARRAY(a, uint32_t, w->N);
    ah_expr *symbol = NEW_ARRAY(a, ah_expr, w->N);
    m->count = 0;
    for (uint32_t i = 0; i < w->n; i++)
        if (!dependent_place[i]) place[m->count++] = i;
    m->coordinates = m->count;
    m->speeds = 0;
    for (uint32_t i = 0; m->omega && i < m->of_omega->count; i++) {
        place[m->count + m->speeds] = i;
        m->speeds++;
    }
    for (uint32_t i = 0; !m->omega && i < w->p; i++)
        if (!dependent_speed[i]) place[m->count + m->speeds++] = w->n + i;
    m->count += m->speeds;
    for (uint32_t y = 0; y < m->count; y++)
        symbol[y] = m->omega && y >= m->coordinates
                        ? w->model->quasivelocities.at[m->of_omega->which[place[y]]].symbol
                        : w->x[place[y]];
    double *unit = NEW_ARRAY(a, double, m->count + 1);
    for (uint32_t y = 0; y < m->count; y++)
        unit[y] = m->omega && y >= m->coordinates ? m->of_omega->unit[place[y]] : w->unit[place[y]];
    m->place = place;
    m->symbol = symbol;
    m->unit = unit;
}

static double combinations(uint32_t n, uint32_t k)
{
    double c = 1;
    for (uint32_t i = 0; i < k; i++) c *= (double) (n - i) / (i + 1);
    return c;
}

/* The next way to flag as many of n; false after the last. */
static bool next_choice(bool *flag, uint32_t n)
{
    uint32_t i = 0, ones = 0;
    while (i < n && !flag[i]) i++;
    while (i < n && flag[i]) {
        i++;
        ones++;
    }
    if (i == n) return false;
    flag[i] = true;
    for (uint32_t k = 0; k < i; k++) flag[k] = k + 1 < ones;
    return true;
}

/* Tries one choice; keeps it in *best when it is better. */
static void try_choice(minimal *trial, arena *a, const judges *j, const bool *dependent_place,
                       const bool *dependent_speed, double *best, minimal *out, bool *kept_of_best)
{
    ctx_tick(trial->flow->ctx);
    arena *scratch = &trial->flow->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    bool *kept = NEW_ARRAY(scratch, bool, trial->flow->N);
    set_variables(trial, scratch, dependent_place, dependent_speed);
    const double score = judge(trial, j, kept);
    if (score > *best) {
        *best = score;
        *out = *trial;
        set_variables(out, a, dependent_place, dependent_speed);
        memcpy(kept_of_best, kept, trial->flow->N * sizeof *kept);
    }
    arena_release(scratch, mark);
}

static void set_kept(minimal *m, arena *a, const bool *kept)
{
    uint32_t *keep = NEW_ARRAY(a, uint32_t, m->count), *rest = NEW_ARRAY(a, uint32_t, m->count);
    m->kept = m->ignorable = 0;
    for (uint32_t y = 0; y < m->count; y++) {
        if (kept[y])
            keep[m->kept++] = y;
        else
            rest[m->ignorable++] = y;
    }
    m->keep = keep;
    m->ignored = rest;
}

/* Of a choice where the flow has been evaluated. */
static double condition_of(minimal *trial, const bool *dependent_place, const bool *dependent_speed)
{
    arena *a = &trial->flow->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double condition;
    set_variables(trial, a, dependent_place, dependent_speed);
    whole_slopes(trial, NEW_ARRAY(a, double, (size_t) trial->count *(trial->count + 1)),
                 &condition);
    arena_release(a, mark);
    return condition;
}

minimal *minimal_create(flow *w, arena *a, const frame *values, states *random)
{
    judges j = find_judges(w, a, values, random);
    if (!j.count) return NULL;
    flow_at(w, j.values[0]);
    minimal *m = NEW(a, minimal), trial = {.flow = w, .of_omega = prepare_omega(w)};
    trial.count = w->N; /* the most there can be */
    make_room(&trial, a);
    trial.generic = j.generic;

    uint32_t *order = NEW_ARRAY(a, uint32_t, w->N);
    bool *place = NEW_ARRAY(a, bool, w->n), *speed = NEW_ARRAY(a, bool, w->p);
    const uint32_t h = pivot_columns(w, true, 0, w->n, order);
    for (uint32_t i = 0; i < h; i++) place[order[i]] = true;
    const uint32_t r = w->charted ? 0 : pivot_columns(w, false, w->n, w->p, order);
    const chart *c = &w->mech->chart; /* the velocities that are shown elsewhere, if they will do */
    const bool shown = !w->charted && c->dependent && c->m + r == w->n;
    for (uint32_t i = 0; i < r; i++) speed[order[i]] = true;
    j.condition = condition_of(&trial, place, speed);
    memset(speed, 0, w->p * sizeof *speed);
    for (uint32_t i = 0; i < r; i++) speed[shown ? c->dependent[i] : order[i]] = true;

    double best = -1;
    bool *kept = NEW_ARRAY(a, bool, w->N);
    if (trial.of_omega && trial.of_omega->count == w->p - r) {
        trial.omega = true;
        try_choice(&trial, a, &j, place, speed, &best, m, kept);
        trial.omega = false;
    }
    try_choice(&trial, a, &j, place, speed, &best, m, kept);
    if (shown && best < 0) { /* they fail here: those that are good here */
        memset(speed, 0, w->p * sizeof *speed);
        for (uint32_t i = 0; i < r; i++) speed[order[i]] = true;
        try_choice(&trial, a, &j, place, speed, &best, m, kept);
    }
    if (r > 0 && combinations(w->p, r) <= MOST_CHOICES) {
        for (uint32_t i = 0; i < w->p; i++) speed[i] = i < r;
        do try_choice(&trial, a, &j, place, speed, &best, m, kept);
        while (next_choice(speed, w->p));
    }
    if (best < 0) return NULL;
    set_kept(m, a, kept);
    minimal_at(m, j.values[0]);
    m->usual = m->condition;
    return m;
}

minimal minimal_by(const minimal *m, flow *w, arena *a)
{
    minimal out = *m;
    out.flow = w;
    if (out.omega) out.of_omega = prepare_omega(w);
    make_room(&out, a);
    return out;
}
