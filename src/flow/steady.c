/* flow/steady.c - see steady.h. */
#include "steady.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

enum { MOST_STEPS = 100, FOLLOW_STEPS = 6, MOST_HALVINGS = 12, GUESS_STEPS = 12 };

/* A symbol through x: ω by its definition, v by ψ where x = (q, z). */
static ah_expr through_x(const flow *w, ah_expr symbol)
{
    const ah_model *m = w->model;
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        if (m->quasivelocities.at[i].symbol == symbol) symbol = m->quasivelocities.at[i].definition;
    if (!w->charted) return symbol;
    return expr_subst(w->ctx, symbol, m->n, m->v.at, m->psi.at);
}

/* Quantities of a state as functions of x. */
typedef struct quantities {
    uint32_t count;
    expr_plan *value, *slope; /* slope: count × N */
    double *values, *slopes;
    const double *unit; /* their sizes */
} quantities;

static quantities take_quantities(flow *w, arena *a, size_t count, const ah_expr *symbol)
{
    quantities f = {.count = (uint32_t) count};
    ah_expr *e = NEW_ARRAY(a, ah_expr, count + 1);
    double *unit = NEW_ARRAY(a, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        e[i] = through_x(w, symbol[i]);
        unit[i] = model_size(w->model, symbol[i]);
    }
    f.unit = unit;
    flow_define(w->model, e, count);
    const mat slopes =
        mat_jacobian(w->ctx, a, mat_from_dense(w->ctx, a, f.count, 1, e), w->N, w->x);
    f.value = expr_plan_create(w->ctx, a, e, count);
    f.slope = expr_plan_create(w->ctx, a, mat_to_dense(w->ctx, a, slopes), count * w->N);
    f.values = NEW_ARRAY(a, double, count + 1);
    f.slopes = NEW_ARRAY(a, double, count * w->N + 1);
    return f;
}

static void run_quantities(const quantities *f, const frame *values)
{
    expr_plan_run(f->value, values, f->values);
    expr_plan_run(f->slope, values, f->slopes);
}

void steady_guess(flow *w, size_t given, const ah_expr *symbol, const double *want, frame *values)
{
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const uint32_t rows = w->constraints + (uint32_t) given;
    const quantities f = take_quantities(w, a, given, symbol);
    double *A = NEW_ARRAY(a, double, (size_t) rows * w->p + 1), *b = NEW_ARRAY(a, double, rows + 1);
    double *step = NEW_ARRAY(a, double, w->p);
    for (int round = 0; round < GUESS_STEPS; round++) {
        flow_constraints(w, values);
        run_quantities(&f, values);
        for (uint32_t i = 0; i < rows; i++) {
            const bool own = i >= w->constraints;
            const size_t at = own ? i - w->constraints : i;
            const double *slope = own ? f.slopes + at * w->N : w->c_slope + at * (w->N + 1);
            const double size = own ? f.unit[at] : 1;
            b[i] = (own ? want[at] - f.values[at] : -w->c[at]) / size;
            for (uint32_t k = 0; k < w->p; k++)
                A[(size_t) i * w->p + k] = slope[w->n + k] * w->unit[w->n + k] / size;
        }
        linear_least_squares(a, rows, w->p, A, b, STEADY_RANK, step);
        for (uint32_t i = 0; i < w->p; i++)
            *frame_ref(values, w->x[w->n + i]) += w->unit[w->n + i] * step[i];
    }
    arena_release(a, mark);
}

struct steady {
    minimal *m;
    arena *arena;
    uint32_t rows;  /* constraints, fixed quantities, kept rates */
    uint32_t rates; /* the first so many of the kept ones: coordinates come first */
    quantities fixed;
    expr_plan *facts; /* assumptions e > 0 on x and parameters */
    size_t fact_count;
    double *fact, *g, *G;
    double *step, *x; /* in their units */
    double *v;        /* q', where x = (q, z) */
    bool current;     /* g and G are those of x */
    double *last;     /* the step before, if it was taken whole; else 0 */
    double *aim;      /* where steps lead that shrink by the same part … */
    bool aimed;       /* … if some did */
    double slack; /* how far rates whose slopes are small may be from zero, relative to 1 + |x| */
    bool regular; /* the state at which all of them were asked for last is */
};

static void take_facts(steady *s)
{
    const flow *w = s->m->flow;
    const ah_model *m = w->model;
    LIST(ah_expr) list = {0};
    for (size_t i = 0; i < m->facts.count; i++) {
        const ah_expr e = m->facts.at[i].e;
        const bool own = w->charted || !expr_depends_kind(w->ctx, e, AH_SPEED); /* ω is not in x */
        if (m->facts.at[i].positive && !m->facts.at[i].border && own) LIST_PUSH(s->arena, &list, e);
    }
    flow_define(w->model, list.at, list.count);
    s->facts = expr_plan_create(w->ctx, s->arena, list.at, list.count);
    s->fact_count = list.count;
    s->fact = NEW_ARRAY(s->arena, double, list.count + 1);
}

/* Does the model speak of the state? */
static bool is_inside(const steady *s, const frame *values)
{
    expr_plan_run(s->facts, values, s->fact);
    for (size_t i = 0; i < s->fact_count; i++)
        if (!(s->fact[i] > 0)) return false;
    return true;
}

static steady *create(minimal *m, arena *a, size_t fixed, const ah_expr *symbol, uint32_t rates)
{
    flow *w = m->flow;
    steady *s = NEW(a, steady);
    s->m = m;
    s->arena = a;
    s->fixed = take_quantities(w, a, fixed, symbol);
    s->rates = rates;
    s->slack = STEADY_ASIDE;
    s->rows = w->constraints + s->fixed.count + rates;
    take_facts(s);
    s->g = NEW_ARRAY(a, double, s->rows + 1);
    s->G = NEW_ARRAY(a, double, (size_t) s->rows * w->N + 1);
    s->step = NEW_ARRAY(a, double, w->N);
    s->x = NEW_ARRAY(a, double, w->N);
    s->v = NEW_ARRAY(a, double, w->n);
    s->last = NEW_ARRAY(a, double, w->N);
    s->aim = NEW_ARRAY(a, double, w->N);
    return s;
}

steady *steady_create(minimal *m, arena *a, size_t fixed, const ah_expr *symbol)
{
    return create(m, a, fixed, symbol, m->kept);
}

steady *steady_create_partly(minimal *m, arena *a, size_t fixed, const ah_expr *symbol)
{
    uint32_t coordinates = 0;
    while (coordinates < m->kept && m->keep[coordinates] < m->coordinates) coordinates++;
    return create(m, a, fixed, symbol, coordinates);
}

/* Rows of slope one, so that units do not decide which equation counts; but not of slopes below
 * `least`, which are rounding errors. Without any slope, or with `noise` for one, the value counts in its `unit`. */
static void add_row(steady *s, uint32_t row, double value, const double *slope, double noise,
                    double least, double unit)
{
    const uint32_t N = s->m->flow->N;
    double *to = s->G + (size_t) row * N;
    for (uint32_t k = 0; k < N; k++) to[k] = slope[k] * s->m->flow->unit[k];
    for (uint32_t i = 0; i < s->m->ignorable; i++) to[s->m->place[s->m->ignored[i]]] = 0;
    const double length = linear_norm(N, to), norm = length > noise ? fmax(length, least) : 0;
    for (uint32_t k = 0; k < N; k++) to[k] = norm > 0 ? to[k] / norm : 0;
    s->g[row] = value / (norm > 0 ? norm : unit);
}

/* Of the rate of y, for x and y in their units. */
static double steepness(const minimal *m, uint32_t y)
{
    const flow *w = m->flow;
    const double *slope = m->slope + (size_t) y * (w->N + 1);
    double sum = 0;
    for (uint32_t k = 0; k < w->N; k++)
        if (slope[k] != 0) sum = hypot(sum, slope[k] * w->unit[k]);
    return sum / m->unit[y];
}

static double steepest_acceleration(const steady *s)
{
    const minimal *m = s->m;
    double steepest = 0;
    for (uint32_t i = 0; i < s->rates; i++)
        if (m->keep[i] >= m->coordinates) steepest = fmax(steepest, steepness(m, m->keep[i]));
    return steepest;
}

/* The rows that need no motion: constraints, which have been evaluated there, and what is fixed. How many. */
static uint32_t rows_of_places(steady *s, const double *want, const frame *values)
{
    const flow *w = s->m->flow;
    uint32_t row = 0;
    for (uint32_t i = 0; i < w->constraints; i++)
        add_row(s, row++, w->c[i], w->c_slope + (size_t) i * (w->N + 1), 0, 0, 1);
    run_quantities(&s->fixed, values);
    for (uint32_t i = 0; i < s->fixed.count; i++)
        add_row(s, row++, s->fixed.values[i] - want[i], s->fixed.slopes + (size_t) i * w->N, 0, 0,
                s->fixed.unit[i]);
    return row;
}

static double rows_of_rates(steady *s, uint32_t row)
{
    const minimal *m = s->m;
    const flow *w = m->flow;
    const double least = STEADY_SLOPE * steepest_acceleration(s);
    for (uint32_t i = 0; i < s->rates; i++) {
        const uint32_t y = m->keep[i];
        const double unit = m->unit[y] / w->time;
        add_row(s, row++, m->rate[y], m->slope + (size_t) y * (w->N + 1), STEADY_NOISE * unit,
                y < m->coordinates ? 0 : least * m->unit[y], unit);
    }
    const double size = linear_norm(s->rows, s->g);
    return isfinite(size) ? size : INFINITY;
}

/* All equations at the state; their size, infinite at a singular state, where g and G stay what they were. */
static double equations(steady *s, const double *want, frame *values)
{
    s->regular = minimal_rates_at(s->m, values);
    return s->regular ? rows_of_rates(s, rows_of_places(s, want, values)) : INFINITY;
}

/* The same where they are below the limit; where some of them are not, it is over without the others. */
static double equations_below(steady *s, double limit, const double *want, frame *values)
{
    flow_constraints(s->m->flow, values);
    const uint32_t row = rows_of_places(s, want, values);
    s->regular = linear_norm(row, s->g) < limit && minimal_rates_on(s->m, values);
    return s->regular ? rows_of_rates(s, row) : INFINITY;
}

static void take(const steady *s, const frame *values)
{
    const flow *w = s->m->flow;
    for (uint32_t k = 0; k < w->N; k++) s->x[k] = frame_get(values, w->x[k]) / w->unit[k];
}

/* x in the state's slots; v follows where x = (q, z). */
static void put(const steady *s, const double *x, frame *values)
{
    const flow *w = s->m->flow;
    const ah_model *m = w->model;
    for (uint32_t k = 0; k < w->N; k++) frame_set(values, w->x[k], x[k] * w->unit[k]);
    if (!w->charted) return;
    flow_velocities(w, values, s->v);
    for (uint32_t i = 0; i < w->n; i++) frame_set(values, m->v.at[i], s->v[i]);
}

/* At a root of several folds each of Newton's steps is the same part of the one before it, until rates and slopes are lost in rounding
 * errors; the sum of all that would follow leads there (Aitken). `next`: where this one has led. */
static void take_aim(steady *s, bool whole, const double *next)
{
    const uint32_t N = s->m->flow->N;
    const double length = linear_norm(N, s->last);
    double ratio = 0, aside = 0;
    for (uint32_t k = 0; whole && length > 0 && k < N; k++)
        ratio += s->step[k] / length * (s->last[k] / length);
    for (uint32_t k = 0; k < N; k++) aside = hypot(aside, s->step[k] - ratio * s->last[k]);
    if (ratio > STEADY_LINEAR && ratio < 1 - STEADY_LINEAR / 4 &&
        aside < STEADY_LINEAR * linear_norm(N, s->step)) {
        for (uint32_t k = 0; k < N; k++) s->aim[k] = next[k] - ratio / (1 - ratio) * s->step[k];
        s->aimed = true;
    }
    for (uint32_t k = 0; k < N; k++) s->last[k] = whole ? s->step[k] : 0;
}

/* One step, shortened until the equations get better and no assumption is left that held, but not below what ends the
 * search. The size of the step, negative: none helps. */
static double move(steady *s, const double *want, frame *values, double *size)
{
    const uint32_t N = s->m->flow->N;
    arena *a = &s->m->flow->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *next = NEW_ARRAY(a, double, N);
    linear_least_squares(a, s->rows, N, s->G, s->g, STEADY_RANK, s->step);
    const bool inside = is_inside(s, values);
    const double whole = linear_norm(N, s->step), least = STEADY_STEP * (1 + linear_norm(N, s->x));
    double share = 1, moved = -1;
    for (int k = 0; k < MOST_HALVINGS && (k == 0 || share * whole > least); k++, share /= 2) {
        for (uint32_t i = 0; i < N; i++) next[i] = s->x[i] - share * s->step[i];
        put(s, next, values);
        if (inside && !is_inside(s, values)) continue;
        const double now = equations_below(s, *size, want, values);
        if (!(now < *size)) continue;
        moved = share * whole;
        take_aim(s, k == 0, next);
        memcpy(s->x, next, N * sizeof *next);
        *size = now;
        break;
    }
    s->current = moved >= 0;
    if (moved < 0) put(s, s->x, values);
    arena_release(a, mark);
    return moved;
}

/* To where the steps have led, if the equations hold there no worse. */
static void extrapolate(steady *s, const double *want, frame *values, double *size)
{
    const size_t bytes = s->m->flow->N * sizeof *s->x;
    if (!s->aimed) return;
    put(s, s->aim, values);
    const double now = equations(s, want, values);
    s->current = now <= *size;
    if (s->current) {
        memcpy(s->x, s->aim, bytes);
        *size = now;
    } else {
        put(s, s->x, values);
    }
}

/* Rounding leaves 1e-17 where zero is meant. */
static bool wipe(steady *s)
{
    const uint32_t N = s->m->flow->N;
    const double scale = linear_norm(N, s->x);
    bool any = false;
    for (uint32_t i = 0; i < N; i++)
        if (s->x[i] != 0 && fabs(s->x[i]) < 1e-12 * (1 + scale)) {
            s->x[i] = 0;
            any = true;
        }
    return any;
}

/* Where the state without dust is singular, as at rest where constraints lose rank, the search has ended all the same: by the
 * numbers of the state next to it. `soon`: these are enough in any case. */
static void clear_dust(steady *s, const double *want, frame *values, double *size, bool soon)
{
    if (!wipe(s)) return;
    if (!s->current) equations(s, want, values);
    if (s->regular && !soon) minimal_finish(s->m);
    put(s, s->x, values);
    if (!soon) *size = equations(s, want, values);
    s->current = true;
}

static bool all_small(const double *x, const double *scale, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        if (!(fabs(x[i]) <= STEADY_FOUND * (1 + fabs(scale[i])))) return false;
    return true;
}

/* Where the kept coordinates fail as such, at x = 1 on the circle x² + z² = 1, they rest to the first order and the
 * others do not. */
static bool others_rest(const steady *s)
{
    const flow *w = s->m->flow;
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    bool *bound = NEW_ARRAY(a, bool, w->n), rest = true;
    if (s->rates == s->m->kept && minimal_bound(s->m, bound))
        for (uint32_t i = 0; i < w->n; i++)
            for (uint32_t at = i; bound[i] && at < (w->charted ? w->n : w->N); at += w->n)
                rest = rest && fabs(w->rate[at]) * w->time / w->unit[at] <=
                                   STEADY_REST * (1 + fabs(s->x[at]));
    arena_release(a, mark);
    return rest;
}

/* Do the rates vanish as such, for all in their units? Where a speed runs away, w' = w v + k and v' = k, the rows are divided by slopes
 * that grow without end, and so the equations of a motion that does not exist come to hold. */
static bool rates_vanish(const steady *s, double size)
{
    const minimal *m = s->m;
    const double time = m->flow->time, steepest = time * steepest_acceleration(s);
    for (uint32_t i = 0; i < s->rates; i++) {
        const uint32_t y = m->keep[i];
        const double slack = STEADY_FOUND * time * steepness(m, y) * (1 + size);
        if (!(fabs(m->rate[y]) * time / m->unit[y] <=
              STEADY_RATE + slack + STEADY_ROUNDING * steepest))
            return false;
    }
    return true;
}

/* Not so far away that rates and their rounding errors cannot be told apart; but where it was asked to be. */
static bool is_far(const steady *s, const double *want, const frame *values)
{
    const minimal *m = s->m;
    double far = STEADY_FAR;
    for (uint32_t i = 0; i < s->fixed.count; i++)
        far = fmax(far, STEADY_FAR * fabs(want[i]) / s->fixed.unit[i]);
    for (uint32_t i = 0; i < m->kept; i++)
        if (!(fabs(minimal_value(m, m->keep[i], values)) <= far * m->unit[m->keep[i]])) return true;
    return false;
}

/* Whether the slopes of a rate, in units and of this length, foretell what it is beside the state: then they are no rounding errors, however small. */
static bool foretells(steady *s, uint32_t y, double rate, const double *slope, double length,
                      frame *values)
{
    static const double part[] = {0.5, -0.5, 1};
    const uint32_t N = s->m->flow->N;
    const double aside =
        STEADY_BESIDE * fabs(rate) / length; /* of the way to where it would vanish */
    double *next = NEW_ARRAY(&s->m->flow->ctx->scratch, double, N);
    bool does = true;
    for (size_t i = 0; does && i < sizeof part / sizeof *part; i++) {
        for (uint32_t k = 0; k < N; k++) next[k] = s->x[k] + part[i] * aside * slope[k] / length;
        put(s, next, values);
        does = minimal_rates_at(s->m, values);
        const double grows = (s->m->rate[y] - rate) / (part[i] * aside * length);
        does = does && grows > 1 / STEADY_ALIKE && grows < STEADY_ALIKE;
    }
    return does;
}

/* A rate that is small together with all its slopes, far out on x exp(-x): its row has none, but it would vanish far away only. */
static bool dies_away(steady *s, const double *want, frame *values)
{
    const minimal *m = s->m;
    const uint32_t N = m->flow->N, others = s->rows - s->rates;
    const double size = linear_norm(N, s->x);
    arena *a = &m->flow->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *slope = NEW_ARRAY(a, double, N);
    bool found = false, moved = false;
    for (uint32_t i = 0; i < s->rates && !found; i++) {
        const uint32_t y = m->keep[i];
        const double rate = m->rate[y];
        if (rate == 0 || linear_norm(N, s->G + (size_t) (others + i) * N) > 0) continue;
        for (uint32_t k = 0; k < N; k++)
            slope[k] = m->slope[(size_t) y * (N + 1) + k] * m->flow->unit[k];
        for (uint32_t k = 0; k < m->ignorable; k++) slope[m->place[m->ignored[k]]] = 0;
        const double length = linear_norm(N, slope);
        if (!(fabs(rate) > s->slack * (1 + size) * length) || length == 0) continue;
        found = foretells(s, y, rate, slope, length, values);
        moved = true;
        put(s, s->x, values);
        equations(s, want, values);
    }
    if (moved) s->current = true;
    arena_release(a, mark);
    return found;
}

/* The equations hold and a step from here would be short, each by its own measure: a root, not the
 * way to infinity. Leaves the numbers of the state behind. */
static bool is_found(steady *s, const double *want, frame *values)
{
    const minimal *m = s->m;
    const uint32_t N = m->flow->N, others = s->rows - s->rates;
    const double size = linear_norm(N, s->x);
    if (!s->current) equations(s, want, values);
    for (uint32_t i = 0; i < s->rates; i++)
        if (!(fabs(s->g[others + i]) <=
              STEADY_FOUND *
                  (1 + fabs(minimal_value(m, m->keep[i], values)) / m->unit[m->keep[i]])))
            return false;
    linear_least_squares(&m->flow->ctx->scratch, s->rows, N, s->G, s->g, STEADY_RANK, s->step);
    return linear_norm(others, s->g) <= STEADY_FOUND * (1 + size) && all_small(s->step, s->x, N) &&
           others_rest(s) && rates_vanish(s, size) && !is_far(s, want, values) &&
           !dies_away(s, want, values);
}

static bool settle(steady *s, const double *want, frame *values, double *size, bool soon)
{
    clear_dust(s, want, values, size, soon);
    return is_found(s, want, values);
}

/* Newton's steps, until none helps; `soon`: or until one was short and the equations hold. */
static bool find(steady *s, const double *want, frame *values, int steps, bool soon)
{
    const flow *w = s->m->flow;
    take(s, values);
    double size = equations(s, want, values);
    s->current = true;
    s->aimed = false;
    memset(s->last, 0, w->N * sizeof *s->last);
    if (!isfinite(size)) return false;
    double moved = size > 0 ? INFINITY : 0;
    for (int i = 0; i < steps && moved > STEADY_STEP * (1 + linear_norm(w->N, s->x)); i++) {
        ctx_tick(w->ctx);
        const double step = move(s, want, values, &size);
        if (step < 0) break;
        moved = step;
        if (!soon || moved > STEADY_NEAR * (1 + linear_norm(w->N, s->x))) continue;
        if (settle(s, want, values, &size, true)) return true;
        soon = false;
    }
    extrapolate(s, want, values, &size);
    return settle(s, want, values, &size, false);
}

bool steady_find(steady *s, const double *want, frame *values)
{
    const bool found = find(s, want, values, MOST_STEPS, false);
    if (found && s->regular) minimal_finish(s->m);
    return found;
}

bool steady_follow(steady *s, const double *want, frame *values)
{
    return find(s, want, values, FOLLOW_STEPS, true);
}

void steady_snap(steady *s, const double *turn, const double *want, frame *values)
{
    const flow *w = s->m->flow;
    take(s, values);
    double size = equations(s, want, values);
    for (uint32_t k = 0; k < w->N; k++) {
        const double quarter = turn[k] / w->unit[k] / 4, before = s->x[k];
        const double near = quarter > 0 ? quarter * round(before / quarter) : 0;
        if (before == near || fabs(before - near) > STEADY_ASIDE * (1 + fabs(near))) continue;
        s->x[k] = near;
        put(s, s->x, values);
        const double now = equations(s, want, values);
        if (now <= size)
            size = now;
        else
            s->x[k] = before;
    }
    put(s, s->x, values);
    equations(s, want, values);
}

double steady_distance(minimal *m, frame *values, double *rate)
{
    const flow *w = m->flow;
    double steepest = 0, size = 0;
    *rate = 0;
    if (!minimal_rates_at(m, values)) return INFINITY;
    for (uint32_t k = 0; k < w->N; k++) size = hypot(size, frame_get(values, w->x[k]) / w->unit[k]);
    double fastest = 0;
    for (uint32_t i = 0; i < m->kept; i++) {
        const uint32_t y = m->keep[i];
        steepest = fmax(steepest, steepness(m, y));
        if (!(fabs(m->rate[y]) / m->unit[y] > fastest)) continue;
        fastest = fabs(m->rate[y]) / m->unit[y];
        *rate = m->rate[y];
    }
    return *rate == 0 ? 0 : fastest / steepest / (1 + size);
}

bool steady_may_round(minimal *m, frame *values)
{
    if (!minimal_rates_at(m, values)) return false;
    for (uint32_t i = 0; i < m->kept; i++) {
        const uint32_t y = m->keep[i];
        const double time = m->flow->time / m->unit[y], size = fabs(minimal_value(m, y, values));
        if (!(time * fabs(m->rate[y]) <= STEADY_NOISE * (1 + size / m->unit[y]))) return false;
    }
    return true;
}

/* What rounding leaves of slopes that vanish, for y and t in their units. */
static double noise_of(const minimal *m)
{
    double steepest = 0;
    for (uint32_t i = 0; i < m->kept; i++) steepest = fmax(steepest, steepness(m, m->keep[i]));
    return STEADY_NOISE * fmax(1, steepest * m->flow->time);
}

/* Singular values that are neither small beside the largest nor rounding errors: where all slopes vanish the largest is one itself. */
static uint32_t rank_of(arena *a, uint32_t rows, uint32_t cols, const double *A, double noise)
{
    const arena_mark mark = arena_get_mark(a);
    const uint32_t least = rows < cols ? rows : cols;
    double *sigma = NEW_ARRAY(a, double, least + 1);
    uint32_t rank = 0;
    if (linear_singular(a, rows, cols, A, sigma, NULL, NULL))
        while (rank < least && sigma[rank] > fmax(noise, STEADY_RANK * sigma[0])) rank++;
    arena_release(a, mark);
    return rank;
}

/* In this order variables are offered: moving speeds, speeds at rest, coordinates. */
static int preference(const minimal *m, uint32_t y, const frame *values)
{
    return y < m->coordinates ? 2 : minimal_value(m, y, values) == 0;
}

/* Equations along the manifold of y, in units: kept rates, what is fixed, then unit rows of what was taken. */
uint32_t steady_free(steady *s, frame *values, uint32_t *y)
{
    minimal *m = s->m;
    const uint32_t N = m->flow->N, d = m->kept;
    arena *a = &m->flow->ctx->scratch;
    if (!minimal_at(m, values)) return 0;
    run_quantities(&s->fixed, values);
    const arena_mark mark = arena_get_mark(a);
    double *E = NEW_ARRAY(a, double, (size_t) (2 * d + s->fixed.count) * d + 1);
    memcpy(E, m->scaled, (size_t) d * d * sizeof *E);
    uint32_t rows = d, found = 0;
    for (uint32_t i = 0; i < s->fixed.count; i++, rows++)
        for (uint32_t j = 0; j < d; j++)
            for (uint32_t k = 0; k < N; k++)
                E[(size_t) rows * d + j] += s->fixed.slopes[(size_t) i * N + k] *
                                            m->lift[(size_t) k * m->count + m->keep[j]] *
                                            m->unit[m->keep[j]] / s->fixed.unit[i];
    uint32_t rank = rank_of(a, rows, d, E, noise_of(m));
    for (int wave = 0; wave < 3; wave++)
        for (uint32_t j = 0; j < d && rank < d; j++) {
            if (preference(m, m->keep[j], values) != wave) continue;
            E[(size_t) rows * d + j] = 1;
            const uint32_t now = rank_of(a, rows + 1, d, E, noise_of(m));
            if (now > rank) {
                y[found++] = m->keep[j];
                rows++;
            } else {
                E[(size_t) rows * d + j] = 0;
            }
            rank = now;
        }
    arena_release(a, mark);
    return found;
}

bool steady_parametrised(minimal *m, frame *values, uint32_t count, const uint32_t *y)
{
    const uint32_t d = m->kept;
    arena *a = &m->flow->ctx->scratch;
    if (!minimal_at(m, values)) return false;
    const arena_mark mark = arena_get_mark(a);
    double *E = NEW_ARRAY(a, double, (size_t) (d + count) * d + 1);
    memcpy(E, m->scaled, (size_t) d * d * sizeof *E);
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < d; j++) E[(size_t) (d + i) * d + j] = m->keep[j] == y[i];
    const bool answer = rank_of(a, d + count, d, E, noise_of(m)) == d;
    arena_release(a, mark);
    return answer;
}

bool steady_undone(const minimal *m, const double *rate)
{
    const uint32_t d = m->kept;
    arena *a = &m->flow->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *B = NEW_ARRAY(a, double, (size_t) d *(d + 1) + 1), largest = 0, steepest = 0;
    for (uint32_t i = 0; i < d; i++) largest = fmax(largest, fabs(rate[i]));
    for (uint32_t k = 0; k < d * d; k++) steepest = fmax(steepest, fabs(m->scaled[k]));
    if (steepest == 0) steepest = 1;
    for (uint32_t i = 0; i < d; i++) {
        memcpy(B + (size_t) i * (d + 1), m->scaled + (size_t) i * d, d * sizeof *B);
        B[(size_t) i * (d + 1) + d] = largest > 0 ? rate[i] / largest * steepest : 0;
    }
    const bool answer = rank_of(a, d, d + 1, B, noise_of(m)) + steady_kernel(m) == d;
    arena_release(a, mark);
    return answer;
}

uint32_t steady_kernel(const minimal *m)
{
    return m->kept - rank_of(&m->flow->ctx->scratch, m->kept, m->kept, m->scaled, noise_of(m));
}

/* Equations that hold these variables. */
static steady *holding(minimal *m, arena *a, uint32_t count, const uint32_t *y)
{
    ah_expr *symbol = NEW_ARRAY(a, ah_expr, count + 1);
    for (uint32_t i = 0; i < count; i++) symbol[i] = m->symbol[y[i]];
    return steady_create(m, a, count, symbol);
}

/* Looks for one with slightly other values of the variables that are held: from `there`, where it then is. */
static bool nudged(steady *st, arena *a, uint32_t count, const uint32_t *y, const frame *values,
                   int turn, double nudge, frame *there)
{
    const minimal *m = st->m;
    double *want = NEW_ARRAY(a, double, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const double now = minimal_value(m, y[i], values);
        const double sign = (turn >> (i % 2)) & 1 ? 1 : -1;
        want[i] = now + sign * nudge * (1 + 0.37 * i) * (m->unit[y[i]] + fabs(now));
    }
    st->slack = STEADY_SHARE * nudge; /* a root of folds is as far away as the nudge is large */
    const bool found = steady_find(st, want, there);
    if (!st->current) equations(st, want, there);
    return found;
}

/* Steady motions with slightly other values of the free variables. */
static bool continues(minimal *m, arena *a, uint32_t count, const uint32_t *y, const frame *values,
                      int turn, double nudge)
{
    return nudged(holding(m, a, count, y), a, count, y, values, turn, nudge, frame_copy(a, values));
}

/* In how many of the two directions, by a nudge or by a smaller one; `whole`: as a family of so many dimensions. */
static int goes_on(minimal *m, arena *a, uint32_t count, const uint32_t *y, const frame *values,
                   bool whole)
{
    static const double nudge[] = {STEADY_NUDGE, STEADY_NUDGE_LESS};
    int ways = 0;
    for (int turn = 0; turn < 2; turn++)
        for (int k = 0; k < 2; k++) {
            if (!continues(m, a, count, y, values, turn, nudge[k])) continue;
            if (whole && steady_kernel(m) != count) continue;
            ways++;
            break;
        }
    return ways;
}

/* How much of the equations is left, relative to 1 + |x|. */
static double left_of(const steady *st)
{
    return linear_norm(st->rows, st->g) / (1 + linear_norm(st->m->flow->N, st->x));
}

/* A root of many folds, x⁶ = 0, is flat: what is left of the equations beside it counts as nothing, and looks like a family. Farther away it grows,
 * little by little, where along a family it is rounding errors, to its end. */
static bool is_flat(minimal *m, arena *a, uint32_t count, const uint32_t *y, const frame *values)
{
    steady *st = holding(m, a, count, y);
    if (nudged(st, a, count, y, values, 0, STEADY_FAR_NUDGE, frame_copy(a, values)) &&
        left_of(st) <= STEADY_EXACT)
        return false;
    frame *there = frame_copy(a, values);
    double before = 0;
    for (double nudge = STEADY_NUDGE / 8; nudge < STEADY_FAR_NUDGE; nudge *= 2) {
        nudged(st, a, count, y, values, 0, nudge, there);
        if (!(left_of(st) <= STEADY_EXACT)) return left_of(st) < STEADY_GROWS * before;
        before = left_of(st);
    }
    return false;
}

/* Of the free variables those along which there is a family, where it is singular across: each of them goes on, and none of the others in any
 * direction. How many; they come first then. 0: it cannot be told. */
static uint32_t family_within(minimal *m, arena *a, frame *values, uint32_t count, uint32_t *y)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < count; i++) {
        const uint32_t own = y[i];
        const int ways = goes_on(m, a, 1, &own, values, false);
        if (ways == 1 || (ways && is_flat(m, a, 1, &own, values))) return 0;
        if (!ways) continue;
        memmove(y + found + 1, y + found, (i - found) * sizeof *y);
        y[found++] = own;
    }
    return found && found < count && goes_on(m, a, found, y, values, false) == 2 ? found : 0;
}

uint32_t steady_family(minimal *m, arena *a, frame *values, uint32_t *y, bool *sure)
{
    steady *whole = steady_create(m, a, 0, NULL);
    const uint32_t count = steady_free(whole, values, y);
    uint32_t family = steady_kernel(m);
    *sure = count == family;
    if (*sure && count)
        *sure = goes_on(m, a, count, y, values, true) == 2 && !is_flat(m, a, count, y, values);
    const uint32_t within = *sure || count < 2 ? 0 : family_within(m, a, values, count, y);
    if (within) {
        family = within;
        *sure = true;
    }
    minimal_at(m, values);
    return family;
}
