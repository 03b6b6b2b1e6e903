/* state/projector.c - to the constraints, from a state beside them. */
#include "point_newton.h"

#include <math.h>

struct projector {
    newton places, velocities; /* rows == 0: nothing to do there */
    double *before;
};

projector *projector_create(point *p)
{
    projector *out = NEW(p->arena, projector);
    const mat f = point_places(p);
    if (f.rows) out->places = newton_create(p, p->arena, p->model->n, p->model->q.at, NULL, f);
    if (p->mech->r) {
        out->velocities = newton_create(p, p->arena, p->model->n, p->model->v.at, NULL, p->mech->C);
        out->velocities.most = p->mech->rank;
    }
    out->before = NEW_ARRAY(p->arena, double, 2 * p->model->n);
    return out;
}

static void copy_state(const point *p, double *state)
{
    for (uint32_t i = 0; i < p->model->n; i++) {
        state[i] = point_get(p, p->model->q.at[i]);
        state[p->model->n + i] = point_get(p, p->model->v.at[i]);
    }
}

static void measure_way(const projector *w, point *p)
{
    p->moved = 0;
    for (uint32_t i = 0; i < p->model->n; i++) {
        p->moved = fmax(p->moved, fabs(point_get(p, p->model->q.at[i]) - w->before[i]));
        p->moved =
            fmax(p->moved, fabs(point_get(p, p->model->v.at[i]) - w->before[p->model->n + i]));
    }
}

static bool move(projector *w, point *p, bool (*to)(newton *))
{
    copy_state(p, w->before);
    bool good = !w->places.rows || to(&w->places);
    good = (!w->velocities.rows || to(&w->velocities)) && good;
    measure_way(w, p);
    return good;
}

bool projector_apply(projector *w, point *p)
{
    return move(w, p, newton_project);
}

double projector_residual(projector *w)
{
    const double places = w->places.rows ? newton_residual(&w->places) : 0;
    return fmax(places, w->velocities.rows ? newton_residual(&w->velocities) : 0);
}

bool projector_holds(projector *w, double share, double resting)
{
    return (!w->places.rows || newton_holds(&w->places, share, resting)) &&
           (!w->velocities.rows || newton_holds(&w->velocities, share, resting));
}

static void tell_change(const point *p, ah_expr symbol, double before)
{
    const double now = point_get(p, symbol);
    if (fabs(now - before) <= POINT_ADMISSIBLE * fmax(fabs(now), fabs(before))) return;
    diag_note(p->ctx, NOWHERE, "%s = %.12g became %.12g",
              expr_text(p->ctx, &p->ctx->job, symbol, AH_ASCII), before, now);
}

/* To an admissible state nearby, and a word about what that changed. */
void point_move_to_nearest(point *p)
{
    const ah_model *m = p->model;
    projector *w = projector_create(p);
    const frame *from = frame_copy(p->arena, p->values);
    if (!move(w, p, newton_nearest) && point_onto_component(p, from)) measure_way(w, p);
    if (point_residual(p, NULL) > POINT_ADMISSIBLE) { /* there is none, or it was not found */
        frame_assign(p->values, from);
        p->moved = 0;
    }
    if (p->moved <= POINT_ADMISSIBLE) return;
    /* Under constraints that are linear in the velocities, and fix no places, there is one nearest
     * state where M is a metric, and one step of Newton's method reaches it; otherwise this is the end of a way that
     * began at the state, and another may be nearer. */
    if (!p->mech->holonomic && p->mech->linear && newton_has_metric(&w->velocities))
        diag(p->ctx, A0616, NOWHERE, "the state was moved to the nearest admissible one");
    else
        diag(p->ctx, A0616, NOWHERE, "the state was moved to an admissible one nearby");
    for (uint32_t i = 0; i < m->n; i++) tell_change(p, m->q.at[i], w->before[i]);
    for (uint32_t i = 0; i < m->n; i++) tell_change(p, m->v.at[i], w->before[m->n + i]);
}
