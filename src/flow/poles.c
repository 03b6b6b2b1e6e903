/* flow/poles.c - see poles.h. */
#include "poles.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- Angles ---------------------------------------------------------------------------------- */

/* The largest of which all multiples seen so far are multiples: p/q, both positive; 0/1 before the first. */
typedef struct measure {
    long p, q;
    bool degrees; /* of π */
} measure;

#define MEASURE_MOST 1000000000L /* of p and q: products of two fit into a long */

static long common(long a, long b)
{
    while (b) {
        const long rest = a % b;
        a = b;
        b = rest;
    }
    return a;
}

/* gcd(p/q, r/s) = gcd(p s, r q)/(q s). */
static bool take_measure(measure *m, long r, long s)
{
    r = labs(r);
    if (r > MEASURE_MOST || s > MEASURE_MOST) return false;
    const long top = common(m->p * s, r * m->q), below = m->q * s, both = common(top, below);
    m->p = top / both;
    m->q = below / both;
    return m->p <= MEASURE_MOST && m->q <= MEASURE_MOST;
}

/* sin(k q + …) or cos(k q + …), k a rational number. */
static bool is_round(ah_ctx *ctx, ah_expr e, ah_expr q, measure *m)
{
    long r, s;
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    if (f != AH_SIN && f != AH_COS && f != AH_TAN) return false;
    ah_expr slope = expr_diff(ctx, expr_get_children(ctx, e)[0], q);
    const bool degrees = !expr_is_rational(ctx, slope, &r, &s);
    if (m->p && m->degrees != degrees) return false;
    if (degrees) slope = expr_div(ctx, slope, expr_pi(ctx));
    m->degrees = degrees;
    return expr_is_rational(ctx, slope, &r, &s) && take_measure(m, r, s);
}

/* Does q occur outside of sines and cosines? `nodes` ascend: children come first. */
static bool is_exposed(ah_ctx *ctx, const expr_list *nodes, const ah_expr *roots, size_t count,
                       ah_expr q, measure *m)
{
    arena *a = &ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    bool *open = NEW_ARRAY(a, bool, expr_pool_size(ctx));
    for (size_t i = 0; i < nodes->count; i++) {
        const ah_expr e = nodes->at[i];
        bool any = e == q;
        for (size_t k = 0; !any && k < expr_get_count(ctx, e); k++)
            any = open[expr_get_children(ctx, e)[k]];
        open[e] = any;
    }
    for (size_t i = 0; i < nodes->count; i++) { /* again, with the round ones closed */
        const ah_expr e = nodes->at[i];
        if (!open[e] || e == q) continue;
        bool any = false;
        for (size_t k = 0; !any && k < expr_get_count(ctx, e); k++)
            any = open[expr_get_children(ctx, e)[k]];
        open[e] = any && !is_round(ctx, e, q, m);
    }
    bool exposed = false;
    for (size_t i = 0; i < count && !exposed; i++) exposed = open[roots[i]];
    arena_release(a, mark);
    return exposed;
}

static expr_list everything(flow *w, arena *a)
{
    const ah_model *m = w->model;
    const mechanics *of = w->mech; /* of a long tree p tells the same as M, which is full */
    const mat all[] = {of->tree ? of->p : mechanics_mass(of), of->L, of->C, of->J, of->gamma};
    expr_list out = {0};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (uint32_t k = 0; k < mat_entries(all[i]); k++) LIST_PUSH(a, &out, all[i].val[k]);
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &out, m->constraints.at[i].c);
    for (size_t i = 0; w->charted && i < m->n; i++) LIST_PUSH(a, &out, m->psi.at[i]);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        LIST_PUSH(a, &out, m->quasivelocities.at[i].definition);
    for (size_t i = 0; i < m->facts.count; i++) LIST_PUSH(a, &out, m->facts.at[i].e);
    return out;
}

const double *angles_of(ah_ctx *ctx, arena *a, const expr_list *roots, const ah_expr *x,
                        uint32_t count)
{
    double *turn = NEW_ARRAY(a, double, count + 1);
    const expr_list nodes = expr_reachable(ctx, a, roots->at, roots->count);
    for (uint32_t i = 0; i < count; i++) {
        bool there = false;
        for (size_t k = 0; k < nodes.count && !there; k++) there = nodes.at[k] == x[i];
        measure m = {0, 1, false};
        if (there && !is_exposed(ctx, &nodes, roots->at, roots->count, x[i], &m) && m.p)
            turn[i] = (m.degrees ? 2 : 2 * acos(-1)) * (double) m.q / (double) m.p;
    }
    return turn;
}

const double *angles_find(flow *w, arena *a)
{
    const expr_list roots = everything(w, a);
    return angles_of(w->ctx, a, &roots, w->x, w->N);
}

double angles_reduced(double x, double turn)
{
    const double y = remainder(x, turn);
    return fabs(y + turn / 2) < 1e-9 * turn ? turn / 2 : y;
}

/* ---- Poles ----------------------------------------------------------------------------------- */

/* Where both are infinite, nothing changes. */
static bool runs_away(double x)
{
    return fabs(x) > ANGLES_RUNAWAY;
}

static pole_kind kind_of(const double *d)
{
    return runs_away(d[FLOW_PSI])    ? POLE_SPEEDS
           : runs_away(d[FLOW_MASS]) ? POLE_MASS
           : runs_away(d[FLOW_ROWS]) ? POLE_CONSTRAINTS
                                     : POLE_SYSTEM;
}

pole_kind pole_at(flow *w, const frame *values, uint32_t *place)
{
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    frame *there = frame_copy(a, values);
    double here[FLOW_MATRICES];
    double fastest = 0, second = 0; /* of different variables */
    const bool finite = flow_volumes(w, there, here);
    pole_kind found = finite ? POLE_NONE : kind_of(here);
    *place = UINT32_MAX;
    for (uint32_t k = 0; k < 2 * w->N; k++) {
        double d[FLOW_MATRICES];
        if (finite && !w->shapes[k / 2]) continue;
        const ah_expr x = w->x[k / 2];
        const double at = frame_get(values, x), step = ANGLES_ASIDE * (w->unit[k / 2] + fabs(at));
        frame_set(there, x, at + (k % 2 ? step : -step));
        flow_volumes(w, there, d);
        frame_set(there, x, at);
        for (int i = 0; i < FLOW_MATRICES; i++) d[i] -= here[i];
        const double speed = fmax(fabs(d[FLOW_K]), fabs(d[FLOW_PSI]));
        if (k / 2 != *place) second = fmax(second, fmin(speed, fastest));
        if (!runs_away(speed) || !(speed > fastest)) continue;
        fastest = speed;
        *place = k / 2;
        found = kind_of(d);
    }
    if (runs_away(second) && !(fastest > 10 * second)) *place = UINT32_MAX;
    arena_release(a, mark);
    return found;
}
