/* state/point_rank.c - states on a component of the constraint set that has a lower rank by itself.
 *
 * x'y' = y'z' = 0 has rank 2 on x' = z' = 0 and rank 1 on y' = 0. A state at which the rows have the rank of the component
 * that it lies on is regular there (analyse/claim_apart.c), though the equations of motion, made for the largest rank,
 * cannot be used. */
#include "../real/real.h"
#include "point.h"

#include <math.h>
#include <string.h>

/* Of states that were given or projected. */
#define ON_COMPONENT 1e-9

static bool lies_on(point *p, const component *c)
{
    for (size_t i = 0; i < c->relations; i++)
        if (!(fabs(point_eval(p, c->relation[i])) <= ON_COMPONENT)) return false;
    return c->relations > 0;
}

const char *point_lower_component(point *p, const run_failure *f)
{
    if (f->rank >= f->expected || strncmp(f->what, "the constraints", 15)) return NULL;
    const components *all = components_find(p->model);
    for (size_t i = 0; all->complete && all->count > 1 && i < all->count; i++) {
        const component *c = &all->at[i];
        if (c->relations - c->places != f->rank || !lies_on(p, c)) continue;
        return arena_printf(
            p->arena,
            "the constraints have rank %u on the component %s, elsewhere %u: to move "
            "on it write its equations as the constraints",
            f->rank, c->name, f->expected);
    }
    return NULL;
}
