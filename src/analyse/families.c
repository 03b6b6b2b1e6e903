/* analyse/families.c - see families.h. */
#include "families.h"

#include "../flow/flow.h"

#include <math.h>
#include <string.h>

enum { STEPS = 8 }; /* from one motion of a family to another */

typedef struct collection {
    problem *s;
    LIST(stability_answer) found;
    LIST(size_t) reached;
} collection;

/* Is the coordinate the argument of sines and cosines alone, so that 2π make no difference? */
static bool turns(const problem *s, uint32_t y, double *values)
{
    const double step = 2 * acos(-1);
    minimal *m = s->m;
    if (y >= m->coordinates) return false;
    const uint32_t slot = expr_slot(s->ctx, m->symbol[y]);
    const double before = values[slot];
    bool same = minimal_at(m, values);
    double *rate = NEW_ARRAY(s->arena, double, m->kept);
    for (uint32_t i = 0; i < m->kept; i++) rate[i] = m->rate[m->keep[i]];
    values[slot] = before + step;
    same = same && minimal_at(m, values);
    for (uint32_t i = 0; same && i < m->kept; i++)
        same = fabs(m->rate[m->keep[i]] - rate[i]) <= 1e-9 * (1 + fabs(rate[i]));
    values[slot] = before;
    return same;
}

static bool same_motion(const problem *s, double *a, double *b)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < m->kept; i++) {
        const double x = minimal_value(m, m->keep[i], a), d = minimal_value(m, m->keep[i], b) - x;
        const double near = FAMILIES_SAME * (1 + fabs(x));
        if (fabs(d) <= near) continue;
        if (fabs(remainder(d, 2 * acos(-1))) > near || !turns(s, m->keep[i], a)) return false;
    }
    return true;
}

/* Along its family the second motion is moved, step by step, to where the first stands: do they
 * meet? At once it might land on another branch. */
static bool same_family(problem *s, const stability_answer *a, const stability_answer *b)
{
    const minimal *m = s->m;
    if (a->family != b->family || a->family_sure != b->family_sure) return false;
    if (same_motion(s, a->values, b->values)) return true;
    if (a->family == 0 || !a->family_sure ||
        !steady_parametrised(s->m, b->values, a->family, a->parameter))
        return false;
    double *values = NEW_ARRAY(s->arena, double, expr_slots(s->ctx));
    memcpy(values, b->values, expr_slots(s->ctx) * sizeof *values);
    given fixed = {0};
    for (uint32_t i = 0; i < a->family; i++) problem_hold(s, &fixed, m->symbol[a->parameter[i]], 0);
    steady *st = steady_create(s->m, s->arena, fixed.symbol.count, fixed.symbol.at);
    for (int k = 1; k <= STEPS; k++) {
        for (uint32_t i = 0; i < a->family; i++) {
            const double from = minimal_value(m, a->parameter[i], b->values);
            const double to = minimal_value(m, a->parameter[i], a->values);
            fixed.value.at[i] = from + (to - from) * k / STEPS;
        }
        if (!steady_find(st, fixed.value.at, values) || !problem_assumed(s, values)) return false;
    }
    return same_motion(s, a->values, values);
}

static void collect(collection *c, const double *start)
{
    stability_answer now;
    const char *why;
    if (!stability_settle(c->s, start, &now, &why)) return;
    for (size_t i = 0; i < c->found.count; i++)
        if (same_family(c->s, &c->found.at[i], &now)) {
            c->reached.at[i]++;
            return;
        }
    now.symbolic = characteristic_create(c->s->m, c->s->arena, now.values);
    LIST_PUSH(c->s->arena, &c->found, now);
    LIST_PUSH(c->s->arena, &c->reached, (size_t) 1);
}

/* Random states near rest, and farther away: steady motions may be slow or fast, angles go round.
 */
static void vary(const problem *s, size_t i, double *values)
{
    static const double speeds[] = {1, 1, 0.1, 6};
    const flow *w = s->flow;
    for (uint32_t k = 0; k < w->N; k++)
        values[expr_slot(s->ctx, w->x[k])] *= k < w->n ? (i % 3 == 2 ? 3 : 1) : speeds[i % 4];
}

/* Every other time one of the speeds is held, in turn: where the equations of rest are homogeneous
 * in the speeds, Newton's steps from everywhere lead to rest alone. */
static void hold_one(problem *s, size_t i, const double *values)
{
    const minimal *m = s->m;
    uint32_t first = 0;
    while (first < m->kept && m->keep[first] < m->coordinates) first++;
    if (i % 2 == 0 || first == m->kept) return;
    const uint32_t y = m->keep[first + (uint32_t) (i / 2 % (m->kept - first))];
    problem_hold(s, &s->fixed, m->symbol[y], minimal_value(m, y, values));
}

bool families_run(ah_model *m, const char *at, size_t starts, uint64_t seed, families_answer *out,
                  const char **why)
{
    problem s;
    if (!problem_open(m, at, &s, why)) return false;
    collection c = {.s = &s};
    *out = (families_answer){.model = m, .m = s.m, .starts = starts + 1};
    collect(&c, s.p.values);
    states_rng rng = probe_seed(seed);
    for (size_t i = 0; i < starts; i++) {
        ctx_tick(m->ctx);
        double *values = probe_values(m, s.arena);
        if (!analyse_random_state(s.random, &rng, values)) break;
        vary(&s, i, values);
        const given fixed = s.fixed;
        hold_one(&s, i, values);
        collect(&c, values);
        s.fixed = fixed;
    }
    out->count = c.found.count;
    out->at = c.found.at;
    out->reached = c.reached.at;
    return true;
}
