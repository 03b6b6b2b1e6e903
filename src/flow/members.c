/* flow/members.c - see members.h. */
#include "members.h"

#include <math.h>
#include <string.h>

enum {
    ATTEMPTS = 20, /* at another motion of a family */
    STEPS = 240,   /* along it, for all of them together … */
    WAY = 40,      /* … and to see whether a motion belongs to it */
    LINKS = 8      /* parts of a straight way between two motions */
};

/* Shares of the way to it: the first step, the longest, and the shortest before it is given up. */
#define MEMBERS_FIRST    0.05
#define MEMBERS_LONGEST  0.25
#define MEMBERS_SHORTEST 5e-3
/* In each variable a step must end nearer than this share of its length to where the last one
 * pointed, or than this share of 1 + |x|: otherwise it may be on another branch. */
#define MEMBERS_BEND  0.3
#define MEMBERS_ASIDE 0.01

/* ---- One and the same ------------------------------------------------------------------------ */

static bool is_near(const problem *s, uint32_t y, double a, double b, double share)
{
    const double near = share * (s->m->unit[y] + fabs(a));
    return fabs(a - b) <= near ||
           (problem_turns(s, y) && fabs(remainder(a - b, problem_turns(s, y))) <= near);
}

/* Do the kept coordinates leave a choice to those that follow from them? Not where the constraints are linear in
 * these. */
static bool has_sheets(const problem *s, bool *bound)
{
    const ah_model *m = s->model;
    if (!minimal_bound(s->m, bound)) return false;
    for (size_t k = 0; k < m->constraints.count; k++)
        for (uint32_t i = 0; i < m->n; i++) {
            if (m->constraints.at[k].order != MODEL_HOLONOMIC || !bound[i]) continue;
            const ah_expr slope = expr_diff(s->ctx, m->constraints.at[k].c, m->q.at[i]);
            for (uint32_t j = 0; j < m->n; j++)
                if (bound[j] && expr_depends(s->ctx, slope, m->q.at[j])) return true;
        }
    return false;
}

bool members_sheets(const problem *s)
{
    return has_sheets(s, NEW_ARRAY(s->arena, bool, s->model->n));
}

/* x = 0 on the circle x² + z² = 1 is two places. */
static bool same_sheet(const problem *s, const frame *a, const frame *b, double near)
{
    bool *bound = NEW_ARRAY(s->arena, bool, s->model->n);
    if (!has_sheets(s, bound)) return true;
    for (uint32_t i = 0; i < s->model->n; i++) {
        const ah_expr q = s->model->q.at[i];
        const double x = frame_get(a, q), d = x - frame_get(b, q);
        const double apart = fabs(s->turn[i] > 0 ? remainder(d, s->turn[i]) : d);
        if (bound[i] && !(apart <= near * (s->flow->unit[i] + fabs(x)))) return false;
    }
    return true;
}

bool members_same(const problem *s, const frame *a, const frame *b, double near)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < m->kept; i++)
        if (!is_near(s, m->keep[i], minimal_value(m, m->keep[i], a),
                     minimal_value(m, m->keep[i], b), near))
            return false;
    return same_sheet(s, a, b, near);
}

bool members_linked(problem *s, const frame *a, const frame *b)
{
    const flow *x = s->flow;
    frame *drawn = frame_copy(s->arena, a), *found = frame_copy(s->arena, a);
    steady *st = steady_create(s->m, s->arena, s->fixed.symbol.count, s->fixed.symbol.at);
    for (int part = 1; part < LINKS; part++) {
        for (uint32_t k = 0; k < x->N; k++) {
            const double from = frame_get(a, x->x[k]), to = frame_get(b, x->x[k]);
            frame_set(drawn, x->x[k], from + (to - from) * part / LINKS);
        }
        frame_assign(found, drawn);
        if (!steady_find(st, s->fixed.value.at, found) || !problem_assumed(s, found) ||
            !members_same(s, drawn, found, STEADY_ASIDE))
            return false;
    }
    return true;
}

/* y = state for all kept variables, the symbols at their values: 1, 0, or −1 where that is not
 * defined. */
static int satisfies(const problem *s, const characteristic *c, const frame *values)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < m->kept; i++) {
        ah_expr e = c->state[i];
        double want;
        flow_define(s->model, &e, 1);
        expr_plan_run(expr_plan_create(s->ctx, s->arena, &e, 1), values, &want);
        if (!isfinite(want)) return -1;
        if (!is_near(s, m->keep[i], want, minimal_value(m, m->keep[i], values), MEMBERS_SAME))
            return 0;
    }
    return 1;
}

/* ---- Along the family ------------------------------------------------------------------------ */

typedef struct way {
    members *f;
    const frame *from;
    const double *to;
    given held; /* what --at gives, then the parameters */
    size_t first;
    steady *st;
    frame *last, *here, *next;
    double t_last, t_here; /* shares of the way */
} way;

static void open_way(members *f, const frame *from, const double *to, way *w)
{
    problem *s = f->s;
    *w = (way){.f = f, .from = from, .to = to};
    for (size_t i = 0; i < s->fixed.symbol.count; i++)
        problem_hold(s, &w->held, s->fixed.symbol.at[i], s->fixed.value.at[i]);
    w->first = w->held.symbol.count;
    for (uint32_t i = 0; i < f->parameters; i++)
        problem_hold(s, &w->held, s->m->symbol[f->parameter[i]], 0);
    if (!f->follows || f->followed != f->parameter)
        f->follows = steady_create(s->m, s->arena, w->held.symbol.count, w->held.symbol.at);
    f->followed = f->parameter;
    w->st = f->follows;
    w->last = frame_copy(s->arena, from);
    w->here = frame_copy(s->arena, from);
    w->next = frame_copy(s->arena, from);
}

/* Along the last step to the share t, then onto the family; false: there is none, or it is not
 * where the way led. */
static bool step_to(way *w, double t)
{
    problem *s = w->f->s;
    const flow *x = s->flow;
    const double ahead = w->t_here > w->t_last ? (t - w->t_here) / (w->t_here - w->t_last) : 0;
    for (uint32_t k = 0; k < x->N; k++) {
        const double here = frame_get(w->here, x->x[k]), last = frame_get(w->last, x->x[k]);
        frame_set(w->next, x->x[k], here + ahead * (here - last));
    }
    for (uint32_t i = 0; i < w->f->parameters; i++) {
        const double start = minimal_value(s->m, w->f->parameter[i], w->from);
        w->held.value.at[w->first + i] = start + (w->to[i] - start) * t;
    }
    if (!steady_follow(w->st, w->held.value.at, w->next)) return false;
    for (uint32_t k = 0; ahead > 0 && k < x->N; k++) {
        const double here = frame_get(w->here, x->x[k]), d = frame_get(w->next, x->x[k]) - here;
        const double want = ahead * (here - frame_get(w->last, x->x[k]));
        if (fabs(d - want) >
            MEMBERS_BEND * fmax(fabs(d), fabs(want)) + MEMBERS_ASIDE * (x->unit[k] + fabs(here)))
            return false;
    }
    return true;
}

static void turn(frame **a, frame **b, frame **c)
{
    frame *const x = *a;
    *a = *b;
    *b = *c;
    *c = x;
}

/* From one motion to the one whose parameters have the values `to`; NULL: none was reached. */
static frame *walk(members *f, const frame *from, const double *to)
{
    way w;
    problem *s = f->s;
    open_way(f, from, to, &w);
    for (double step = MEMBERS_FIRST; w.t_here < 1;) {
        const double t = fmin(1, w.t_here + step);
        ctx_tick(s->ctx);
        if (f->steps-- <= 0) return NULL;
        if (!step_to(&w, t)) {
            step /= 2;
            if (step < MEMBERS_SHORTEST) return NULL;
            continue;
        }
        turn(&w.last, &w.here, &w.next);
        w.t_last = w.t_here;
        w.t_here = t;
        step = fmin(MEMBERS_LONGEST, 2 * step);
        if (!problem_assumed(s, w.here)) return NULL;
    }
    for (uint32_t y = 0; y < s->m->count; y++) /* an ω is not part of x */
        frame_set(w.here, s->m->symbol[y], minimal_value(s->m, y, w.here));
    return w.here;
}

/* Of all sizes, and of the size that it has; both signs. */
static double draw(members *f, states_rng *rng, uint32_t y, int attempt)
{
    const problem *s = f->s;
    const double now = minimal_value(s->m, y, f->of->values);
    const double sign = probe_uniform(rng, -1, 1) < 0 ? -1 : 1;
    const double half = problem_turns(s, y) / 2;
    if (half > 0) return probe_uniform(rng, -half, half);
    if (attempt % 2 && fabs(now) > MEMBERS_SAME * s->m->unit[y])
        return sign * now * exp(probe_uniform(rng, -1.5, 1.5));
    return sign * s->m->unit[y] * exp(probe_uniform(rng, -3, 3));
}

static void sample(members *f, uint64_t seed)
{
    problem *s = f->s;
    states_rng rng = probe_seed(seed);
    double *to = NEW_ARRAY(s->arena, double, f->parameters + 1);
    f->steps = STEPS;
    for (int k = 0; k < ATTEMPTS && f->steps > 0; k++) {
        uint32_t place;
        ctx_tick(s->ctx);
        for (uint32_t i = 0; i < f->parameters; i++) to[i] = draw(f, &rng, f->parameter[i], k);
        frame *values = walk(f, f->of->values, to);
        if (values && !problem_pole(s, values, &place)) LIST_PUSH(s->arena, &f->at, values);
    }
}

static void find_varying(members *f)
{
    const minimal *m = f->s->m;
    f->varies = NEW_ARRAY(f->s->arena, bool, m->kept + 1);
    for (uint32_t i = 0; i < m->kept; i++) {
        for (uint32_t k = 0; k < f->parameters; k++)
            f->varies[i] = f->varies[i] || f->parameter[k] == m->keep[i];
        for (size_t k = 1; k < f->at.count; k++)
            f->varies[i] = f->varies[i] ||
                           !is_near(f->s, m->keep[i], minimal_value(m, m->keep[i], f->at.at[0]),
                                    minimal_value(m, m->keep[i], f->at.at[k]), MEMBERS_SAME);
    }
}

/* ---- Symbols --------------------------------------------------------------------------------- */

/* The variables that stayed symbols parametrise the family: as many as it has dimensions, or the
 * formulas are of a part of it only. */
static bool take_parameters(members *f, const characteristic *c)
{
    const minimal *m = f->s->m;
    uint32_t *y = NEW_ARRAY(f->s->arena, uint32_t, m->kept + 1), count = 0;
    for (uint32_t i = 0; i < m->kept; i++)
        if (c->state[i] == m->symbol[m->keep[i]]) y[count++] = m->keep[i];
    if (count != f->of->family) return false;
    f->of->parameter = y;
    if (f->s->fixed.symbol.count) return true;
    f->parameter = y;
    f->parameters = count;
    return true;
}

/* Of a general motion of the family, not one where a variable happens to be zero; but the one that
 * stands for it must satisfy the formulas. Others that do not are on another branch. */
static void make_symbols(members *f)
{
    const problem *s = f->s;
    const characteristic *c = NULL;
    for (size_t k = f->at.count > 1 ? 1 : 0; k < 3 && k < f->at.count; k++) {
        c = characteristic_create(s->m, s->arena, f->at.at[k], f->of->family ? f->varies : NULL);
        if (c && satisfies(s, c, f->at.at[0]) == 1) break;
        c = NULL;
    }
    if (!c || (f->of->family_sure && !take_parameters(f, c))) return;
    f->of->symbolic = c;
    size_t kept = 0;
    for (size_t i = 0; i < f->at.count; i++)
        if (satisfies(s, c, f->at.at[i]) == 1) f->at.at[kept++] = f->at.at[i];
    f->at.count = kept;
}

void members_create(problem *s, stability_answer *of, uint64_t seed, members *out)
{
    *out = (members){.s = s, .of = of};
    LIST_PUSH(s->arena, &out->at, of->values);
    if (of->family && of->family_sure && !s->fixed.symbol.count) {
        out->parameters = of->family;
        out->parameter = NEW_ARRAY(s->arena, uint32_t, s->m->kept + 1);
        memcpy(out->parameter, of->parameter, of->family * sizeof *of->parameter);
    } else if (of->family && of->family_sure) {
        steady *st = steady_create(s->m, s->arena, s->fixed.symbol.count, s->fixed.symbol.at);
        out->parameter = NEW_ARRAY(s->arena, uint32_t, s->m->kept + 1);
        out->parameters = steady_free(st, of->values, out->parameter);
    }
    if (out->parameters) sample(out, seed);
    find_varying(out);
    make_symbols(out);
}

bool members_has(members *f, const frame *values)
{
    const problem *s = f->s;
    int answer = -1;
    if (members_same(s, f->of->values, values, MEMBERS_SAME)) return true;
    if (f->of->symbolic && f->of->family_sure) {
        answer = satisfies(s, f->of->symbolic, values);
        if (answer == 0 || (answer > 0 && !members_sheets(s))) return answer;
    }
    if (!f->parameters) return false;
    double *to = NEW_ARRAY(s->arena, double, f->parameters), least = INFINITY;
    const frame *nearest = f->of->values;
    for (uint32_t i = 0; i < f->parameters; i++)
        to[i] = minimal_value(s->m, f->parameter[i], values);
    for (size_t k = 0; k < f->at.count; k++) {
        double d = 0;
        for (uint32_t i = 0; i < s->m->kept; i++)
            d = hypot(d, (minimal_value(s->m, s->m->keep[i], f->at.at[k]) -
                          minimal_value(s->m, s->m->keep[i], values)) /
                             s->m->unit[s->m->keep[i]]);
        if (d < least) least = d, nearest = f->at.at[k];
    }
    f->steps = WAY;
    const frame *reached = walk(f, nearest, to);
    if (!reached && nearest != f->of->values) reached = walk(f, f->of->values, to);
    return reached ? members_same(s, reached, values, MEMBERS_SAME) : answer > 0;
}
