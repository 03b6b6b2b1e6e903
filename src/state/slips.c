/* state/slips.c - see slips.h. */
#include "slips.h"

#include "states.h"

#include <math.h>
#include <string.h>

/* Admissible states at which a slip is looked at, and what is left of it there beside its terms: the normal component is not
 * the rate of the touch where the material of a surface moves through it. */
#define STATES 6
#define NONE   1e-9

static bool find_row(const ah_model *m, const char *label, uint32_t *row)
{
    for (*row = 0; *row < m->constraints.count; ++*row)
        if (!strcmp(m->constraints.at[*row].label, label)) return true;
    return false;
}

static void clear(void *own)
{
    arena_clear(own);
}

static bool vanishes(point *at, ah_expr e)
{
    return fabs(point_eval(at, e)) <= NONE * point_eval(at, expr_terms(at->ctx, e));
}

/* gone[i]: slip i does not vanish. */
static void try_slips(point *p, bool *gone)
{
    const ah_model *m = p->model;
    arena own;
    ctx_held held;
    states_rng rng = probe_seed(1);
    arena_init(&own, p->ctx);
    ctx_hold(p->ctx, &held, clear, &own);
    states *random = analyse_states_create(p->model, &own);
    for (int s = 0; s < STATES; s++) {
        point at;
        const bool drawn = point_at_random(p->model, random, &rng, &own, &at);
        for (size_t i = 0; i < m->slips.count; i++)
            for (int k = 0; k < 3; k++)
                gone[i] = gone[i] || !drawn || !vanishes(&at, m->slips.at[i].slip.c[k]);
    }
    ctx_drop(p->ctx, &held);
}

mat slips_rows(point *p)
{
    const ah_model *m = p->model;
    const mat C = p->mech->C;
    if (!m->slips.count || p->mech->second_class) return C;
    ah_expr *row = NEW_ARRAY(p->arena, ah_expr, p->mech->r);
    bool *gone = NEW_ARRAY(p->arena, bool, m->slips.count);
    for (uint32_t i = 0; i < p->mech->r; i++) row[i] = mat_get(p->ctx, C, i, 0);
    try_slips(p, gone);
    for (size_t i = 0; i < m->slips.count; i++) {
        uint32_t at[3];
        bool found = !gone[i];
        for (int k = 0; k < 3; k++) found = found && find_row(m, m->slips.at[i].row[k], &at[k]);
        for (int k = 0; k < 3 && found; k++) row[at[k]] = m->slips.at[i].slip.c[k];
    }
    return mat_from_dense(p->ctx, p->arena, p->mech->r, 1, row);
}
