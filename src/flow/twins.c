/* flow/twins.c - see twins.h. */
#include "twins.h"

#include <math.h>
#include <string.h>

enum {
    STATES = 3, /* at which configurations are compared */
    MOST = 15,  /* twins: three attitudes, and more */
    LOOKS = 20000
};

typedef enum change { KEEP, NEGATE, TURN, REFLECT, CHANGES } change;

typedef LIST(const change *) change_list;

struct twins {
    const problem *s;
    const double *half; /* of a coordinate: half a turn of the bodies; 0: it is no angle */
    change_list found;
};

/* What a twin leaves as it is: a number of a place or a rotation, or a velocity by its parameters. */
typedef struct seen {
    expr_plan *plan;
    bool *of;      /* which variables of x it depends on, … */
    uint32_t rate; /* … of which coordinate it is the velocity; UINT32_MAX: of none */
    uint32_t open; /* of its variables are not chosen yet */
    bool done;
    double want[STATES];
} seen;

typedef struct quest {
    twins *w;
    LIST(seen) all;
    frame *at[STATES], *there[STATES];
    change *how;
    bool *chosen, *shown; /* shown: a place or a rotation depends on it */
    long looks;
} quest;

/* ---- A change of variables ------------------------------------------------------------------- */

static double changed(change how, double half, double x)
{
    switch (how) {
    case NEGATE: return -x;
    case TURN: return x + half;
    case REFLECT: return half - x;
    default: return x;
    }
}

static double sign_of(change how)
{
    return how == NEGATE || how == REFLECT ? -1 : 1;
}

static void put_one(const twins *w, uint32_t k, change how, const frame *from, frame *to)
{
    const flow *x = w->s->flow;
    frame_set(to, x->x[k], changed(how, w->half[k], frame_get(from, x->x[k])));
    if (k >= x->n) return;
    const ah_expr v = w->s->model->v.at[k];
    frame_set(to, v, sign_of(how) * frame_get(from, v));
}

/* Variables of x that are changed by themselves: velocities follow their coordinates. */
static uint32_t variables(const flow *x)
{
    return x->charted ? x->N : x->n;
}

frame *twins_state(const twins *w, arena *a, size_t i, const frame *values)
{
    frame *out = frame_copy(a, values);
    for (uint32_t k = 0; k < variables(w->s->flow); k++)
        put_one(w, k, w->found.at[i][k], values, out);
    return out;
}

size_t twins_count(const twins *w)
{
    return w ? w->found.count : 0;
}

/* ---- What is seen ---------------------------------------------------------------------------- */

static expr_list places_of(ah_model *m, arena *a)
{
    expr_list out = {0};
    for (size_t i = 0; i < m->parts.count; i++) {
        const model_part *p = &m->parts.at[i];
        for (int k = 0; k < 3; k++) LIST_PUSH(a, &out, p->place.c[k]);
        for (int k = 0; k < 9 && p->is_body; k++) LIST_PUSH(a, &out, p->rotation[k / 3][k % 3]);
    }
    flow_define(m, out.at, out.count);
    return out;
}

static bool is_among(const expr_list *all, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (all->at[i] == all->at[before]) return true;
    return false;
}

static void see(quest *q, ah_expr e, uint32_t rate)
{
    const problem *s = q->w->s;
    const uint32_t count = variables(s->flow);
    seen new = {.of = NEW_ARRAY(s->arena, bool, count + 1), .rate = rate};
    for (uint32_t k = 0; k < count; k++) {
        new.of[k] = k == rate || expr_depends(s->ctx, e, s->flow->x[k]);
        new.open += new.of[k];
        if (rate == UINT32_MAX && new.of[k]) q->shown[k] = true;
    }
    if (!new.open) return;
    new.plan = expr_plan_create(s->ctx, s->arena, &e, 1);
    for (int i = 0; i < STATES; i++) expr_plan_run(new.plan, q->at[i], &new.want[i]);
    LIST_PUSH(s->arena, &q->all, new);
}

static bool agrees(quest *q, const seen *x)
{
    for (int i = 0; i < STATES; i++) {
        double now, size;
        expr_plan_run_scaled(x->plan, q->there[i], &now, &size);
        const double want =
            x->rate == UINT32_MAX ? x->want[i] : sign_of(q->how[x->rate]) * x->want[i];
        q->looks--;
        if (!(fabs(now - want) <= TWINS_SAME * size)) return false;
    }
    return true;
}

/* ---- The equations --------------------------------------------------------------------------- */

static bool admits(flow *x, const frame *values)
{
    flow_constraints(x, values);
    for (uint32_t i = 0; i < x->constraints; i++) {
        double size = 0;
        for (uint32_t k = 0; k < x->N; k++)
            size += fabs(x->c_slope[(size_t) i * (x->N + 1) + k]) * x->unit[k];
        if (!(fabs(x->c[i]) <= TWINS_SAME * size)) return false;
    }
    return true;
}

/* The sign with which the rate of the k-th variable of x goes over. */
static double sign_of_rate(const quest *q, uint32_t k)
{
    const flow *x = q->w->s->flow;
    return sign_of(q->how[x->charted || k < x->n ? k : k - x->n]);
}

static bool moves_alike(quest *q)
{
    flow *x = q->w->s->flow;
    arena *a = &x->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *rate = NEW_ARRAY(a, double, x->N + 1);
    bool alike = true;
    for (int i = 0; i < STATES && alike; i++) {
        double fastest = 0;
        alike = admits(x, q->there[i]) && flow_at(x, q->at[i]);
        if (!alike) break;
        memcpy(rate, x->rate, x->N * sizeof *rate);
        for (uint32_t k = 0; k < x->N; k++) fastest = fmax(fastest, fabs(rate[k]) / x->unit[k]);
        alike = flow_at(x, q->there[i]);
        for (uint32_t k = 0; k < x->N && alike; k++)
            alike = fabs(x->rate[k] - sign_of_rate(q, k) * rate[k]) <=
                    sqrt(TWINS_SAME) * (fastest * x->unit[k] + fabs(rate[k]));
    }
    arena_release(a, mark);
    return alike;
}

/* ---- The quest ------------------------------------------------------------------------------- */

static void choose(quest *q, uint32_t k, change how)
{
    if (!q->chosen[k])
        for (size_t i = 0; i < q->all.count; i++) q->all.at[i].open -= q->all.at[i].of[k];
    q->chosen[k] = true;
    q->how[k] = how;
    for (int i = 0; i < STATES; i++) put_one(q->w, k, how, q->at[i], q->there[i]);
}

static void leave_open(quest *q, uint32_t k)
{
    choose(q, k, KEEP);
    for (size_t i = 0; i < q->all.count; i++) q->all.at[i].open += q->all.at[i].of[k];
    q->chosen[k] = false;
}

static bool is_change(change how, double half)
{
    return half > 0 || how == KEEP || how == NEGATE;
}

static void take(quest *q)
{
    twins *w = q->w;
    const uint32_t count = variables(w->s->flow);
    bool any = false;
    for (uint32_t k = 0; k < count; k++) any = any || q->how[k] != KEEP;
    if (!any || !moves_alike(q)) return;
    change *own = NEW_ARRAY(w->s->arena, change, count);
    memcpy(own, q->how, count * sizeof *own);
    LIST_PUSH(w->s->arena, &w->found, own);
}

static seen *next_of(quest *q)
{
    seen *best = NULL;
    for (size_t i = 0; i < q->all.count; i++) {
        seen *x = &q->all.at[i];
        if (!x->done && (!best || x->open < best->open)) best = x;
    }
    return best;
}

/* Variables are chosen one by one, and what depends on chosen ones alone must be seen as before. */
static void extend(quest *q)
{
    twins *w = q->w;
    seen *x = next_of(q);
    ctx_tick(w->s->ctx);
    if (q->looks <= 0 || w->found.count == MOST) return;
    if (!x) {
        take(q);
    } else if (!x->open) {
        x->done = true;
        if (agrees(q, x)) extend(q);
        x->done = false;
    } else {
        uint32_t k = 0;
        while (!x->of[k] || q->chosen[k]) k++;
        for (change how = KEEP; how < CHANGES; how++) {
            if (!is_change(how, w->half[k])) continue;
            choose(q, k, how);
            extend(q);
        }
        leave_open(q, k);
    }
}

static bool draw_states(quest *q)
{
    const problem *s = q->w->s;
    states_rng rng = probe_seed(1);
    for (int i = 0; i < STATES; i++) {
        q->at[i] = probe_values(s->model, s->arena);
        if (!analyse_random_state(s->random, &rng, q->at[i])) return false;
        q->there[i] = frame_copy(s->arena, q->at[i]);
    }
    return true;
}

/* Coordinates that nothing shows stay as they are. */
static void keep_unseen(quest *q)
{
    for (uint32_t k = 0; k < q->w->s->flow->n; k++)
        if (!q->shown[k]) choose(q, k, KEEP);
}

static const double *halves(const problem *s, const expr_list *places)
{
    const flow *x = s->flow;
    const double *turn = angles_of(s->ctx, s->arena, places, x->x, x->n);
    double *half = NEW_ARRAY(s->arena, double, x->N + 1);
    for (uint32_t k = 0; k < x->n; k++) half[k] = turn[k] / 2;
    return half;
}

twins *twins_find(problem *s)
{
    const flow *x = s->flow;
    const uint32_t count = variables(x);
    const expr_list places = places_of(s->model, s->arena);
    if (!places.count) return NULL;
    twins *w = NEW(s->arena, twins);
    *w = (twins){.s = s, .half = halves(s, &places)};
    quest q = {.w = w, .looks = LOOKS};
    q.how = NEW_ARRAY(s->arena, change, count + 1);
    q.chosen = NEW_ARRAY(s->arena, bool, count + 1);
    q.shown = NEW_ARRAY(s->arena, bool, count + 1);
    if (!draw_states(&q)) return NULL;
    for (size_t i = 0; i < places.count; i++)
        if (!is_among(&places, i)) see(&q, places.at[i], UINT32_MAX);
    for (uint32_t i = 0; x->charted && i < x->n; i++) {
        ah_expr psi = s->model->psi.at[i];
        flow_define(s->model, &psi, 1);
        see(&q, psi, i);
    }
    keep_unseen(&q);
    extend(&q);
    return w->found.count ? w : NULL;
}
