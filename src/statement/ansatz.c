/* statement/ansatz.c - see ansatz.h. */
#include "ansatz.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

/* ---- States ---------------------------------------------------------------------------------- */

/* The model with values for all its parameters: those of a random state, a regular one if there is any, in thousandths. */
static ah_model *with_values(ah_model *m, arena *a, uint64_t seed)
{
    bool all = true;
    for (size_t i = 0; i < m->parameters.count; i++)
        all = all && m->parameters.at[i].value != AH_NONE;
    probe_rng rng = probe_seed(seed);
    frame *values = probe_values(m, a);
    if (all || (!analyse_random_state(analyse_states_create(m, a), &rng, values) &&
                !probe_draw(probe_create(m, a), &rng, values)))
        return m;
    ah_model *view = model_view(m, a);
    memset(&view->parameters, 0, sizeof view->parameters);
    for (size_t i = 0; i < m->parameters.count; i++) {
        model_parameter p = m->parameters.at[i];
        if (p.value == AH_NONE)
            p.value = expr_rational(m->ctx, lround(1000 * frame_get(values, p.symbol)), 1000);
        LIST_PUSH(a, &view->parameters, p);
    }
    return view;
}

ansatz_states *ansatz_states_create(flow *w, arena *a, uint64_t seed)
{
    ansatz_states *s = NEW(a, ansatz_states);
    s->flow = w;
    s->arena = a;
    s->random = analyse_states_create(with_values(w->model, a, seed), a);
    s->rng = probe_seed(seed);
    return s;
}

bool ansatz_states_want(ansatz_states *s, size_t count)
{
    for (size_t misses = 0; s->count < count && misses < count + 20;) {
        ctx_tick(s->flow->ctx);
        frame *values = probe_values(s->flow->model, s->arena);
        if (!analyse_random_state(s->random, &s->rng, values)) return false;
        if (!flow_at(s->flow, values)) {
            misses++;
            continue;
        }
        LIST_PUSH(s->arena, &s->values, values);
        s->count++;
    }
    return s->count >= count;
}

ah_expr ansatz_in_velocities(const ah_model *m, ah_expr e)
{
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        e = expr_subst(m->ctx, e, 1, &m->quasivelocities.at[i].symbol,
                       &m->quasivelocities.at[i].definition);
    return e;
}

ah_expr ansatz_through_x(const flow *w, ah_expr e)
{
    const ah_model *m = w->model;
    e = ansatz_in_velocities(m, e);
    return w->charted ? expr_subst(w->ctx, e, m->n, m->v.at, m->psi.at) : e;
}

/* ---- Generators ------------------------------------------------------------------------------ */

typedef struct generator {
    ah_expr e;
    bool speed;
    bool alone; /* an angle itself: only by itself, never in products */
    bool sine;  /* its square is expressed by the cosine's */
} generator;

typedef struct generators {
    ah_ctx *ctx;
    arena *arena;
    flow *flow;
    LIST(generator) list;
    expr_list nodes; /* of the model's functions */
} generators;

static void add(generators *g, ah_expr e, bool speed, bool alone, bool sine)
{
    const generator x = {e, speed, alone, sine};
    LIST_PUSH(g->arena, &g->list, x);
}

/* Everything in which the model's functions are written. */
static void look_at_model(generators *g)
{
    const ah_model *m = g->flow->model;
    const mechanics *k = g->flow->mech;
    LIST(ah_expr) roots = {0};
    LIST_PUSH(g->arena, &roots, m->T);
    LIST_PUSH(g->arena, &roots, m->V);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(g->arena, &roots, m->F[i]);
    for (uint32_t i = 0; i < mat_entries(k->C); i++) LIST_PUSH(g->arena, &roots, k->C.val[i]);
    for (size_t i = 0; i < m->psi.count; i++) LIST_PUSH(g->arena, &roots, m->psi.at[i]);
    g->nodes = expr_reachable(g->ctx, g->arena, roots.at, roots.count);
}

static bool is_angle(const generators *g, ah_expr symbol)
{
    for (size_t i = 0; i < g->nodes.count; i++) {
        const ah_expr e = g->nodes.at[i];
        if (expr_get_op(g->ctx, e) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(g->ctx, e);
        if ((f == AH_SIN || f == AH_COS) && expr_depends(g->ctx, e, symbol)) return true;
    }
    return false;
}

static void add_place(generators *g, ah_expr symbol, bool speed)
{
    const bool angle = is_angle(g, symbol);
    if (angle) {
        add(g, expr_call1(g->ctx, AH_COS, symbol), false, false, false);
        add(g, expr_call1(g->ctx, AH_SIN, symbol), false, false, true);
    }
    add(g, symbol, speed && !angle, angle, false);
}

static bool add_speeds(generators *g, ansatz_speeds speeds)
{
    const ah_model *m = g->flow->model;
    const size_t before = g->list.count;
    for (uint32_t i = 0; speeds == ANSATZ_VELOCITIES && i < m->n; i++)
        add(g, m->v.at[i], true, false, false);
    for (size_t i = 0; speeds == ANSATZ_PARAMETERS && i < m->speeds.count; i++)
        add_place(g, m->speeds.at[i].symbol, true);
    for (size_t i = 0; speeds == ANSATZ_QUASI && i < m->quasivelocities.count; i++)
        if (!m->quasivelocities.at[i].constrained)
            add(g, m->quasivelocities.at[i].symbol, true, false, false);
    return g->list.count > before;
}

/* ---- Products -------------------------------------------------------------------------------- */

typedef struct enumeration {
    const generators *g;
    int speed_degree, coordinate_degree;
    arena *arena;
    LIST(uint8_t *) found;
    bool too_many;
} enumeration;

static bool may_stand(const enumeration *k, const uint8_t *e, size_t at, int places)
{
    const generator *x = &k->g->list.at[at];
    if (x->sine && e[at] > 1) return false;
    for (size_t i = 0; i <= at; i++)
        if (e[i] && k->g->list.at[i].alone && places > 1) return false;
    return true;
}

static void enumerate(enumeration *k, uint8_t *e, size_t at, int places, int speeds)
{
    const size_t count = k->g->list.count;
    if (k->too_many) return;
    if (at == count) {
        uint8_t *copy = NEW_ARRAY(k->arena, uint8_t, count);
        memcpy(copy, e, count);
        LIST_PUSH(k->arena, &k->found, copy);
        k->too_many = k->found.count > ANSATZ_MOST;
        return;
    }
    const bool speed = k->g->list.at[at].speed;
    const int left = speed ? k->speed_degree - speeds : k->coordinate_degree - places;
    for (int power = 0; power <= left; power++) {
        e[at] = (uint8_t) power;
        const int now = places + (speed ? 0 : power);
        if (!may_stand(k, e, at, now)) break;
        enumerate(k, e, at + 1, now, speeds + (speed ? power : 0));
    }
    e[at] = 0;
}

static int degree_of(const generators *g, const uint8_t *e, bool speeds)
{
    int sum = 0;
    for (size_t i = 0; i < g->list.count; i++)
        if (g->list.at[i].speed == speeds) sum += e[i];
    return sum;
}

/* Simple ones first; 1 is the first. */
static void sort_products(const generators *g, uint8_t **found, size_t count)
{
    for (size_t i = 1; i < count; i++) {
        uint8_t *e = found[i];
        const int weight = 2 * degree_of(g, e, true) + 3 * degree_of(g, e, false);
        size_t j = i;
        while (j > 0 &&
               2 * degree_of(g, found[j - 1], true) + 3 * degree_of(g, found[j - 1], false) >
                   weight) {
            found[j] = found[j - 1];
            j--;
        }
        found[j] = e;
    }
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Values and rates of the generators at a state. */
typedef struct meter {
    expr_plan *value, *rate;
    double *values, *rates;
} meter;

static meter meter_create(const generators *g)
{
    meter m;
    const size_t count = g->list.count;
    ah_expr *e = NEW_ARRAY(g->arena, ah_expr, count), *d = NEW_ARRAY(g->arena, ah_expr, count);
    for (size_t i = 0; i < count; i++) {
        e[i] = ansatz_through_x(g->flow, g->list.at[i].e);
        d[i] = ansatz_through_x(g->flow, expr_dt(g->ctx, e[i])); /* x' of a z-chart is ψ */
    }
    flow_define(g->flow->model, e, count);
    flow_define(g->flow->model, d, count);
    m.value = expr_plan_create(g->ctx, g->arena, e, count);
    m.rate = expr_plan_create(g->ctx, g->arena, d, count);
    m.values = NEW_ARRAY(g->arena, double, count);
    m.rates = NEW_ARRAY(g->arena, double, count);
    return m;
}

/* Π g^e and its rate Σ e g'/g Π g^e, without the division. */
static void measure(const meter *m, uint32_t count, const uint8_t *e, double *value, double *rate)
{
    double product = 1, slope = 0;
    for (uint32_t i = 0; i < count; i++)
        for (uint8_t k = 0; k < e[i]; k++) {
            slope = slope * m->values[i] + product * m->rates[i];
            product *= m->values[i];
        }
    *value = product;
    *rate = slope;
}

static bool fill(ansatz *s, const generators *g)
{
    const meter m = meter_create(g);
    const size_t rows = s->products + s->products / 4 + 20;
    if (!ansatz_states_want(s->states, rows)) return false;
    s->value = NEW_ARRAY(s->states->arena, double, s->states->count * s->products);
    s->rate = NEW_ARRAY(s->states->arena, double, s->states->count * s->products);
    for (size_t r = 0; r < s->states->count; r++) {
        ctx_tick(g->ctx);
        expr_plan_run(m.value, s->states->values.at[r], m.values);
        expr_plan_run(m.rate, s->states->values.at[r], m.rates);
        for (uint32_t p = 0; p < s->products; p++) {
            const size_t at = r * s->products + p;
            measure(&m, s->generators, s->exponent + (size_t) p * s->generators, &s->value[at],
                    &s->rate[at]);
            if (!isfinite(s->value[at]) || !isfinite(s->rate[at])) return false;
        }
    }
    return true;
}

ah_expr ansatz_product(const ansatz *s, uint32_t product)
{
    ah_ctx *ctx = s->states->flow->ctx;
    ah_expr e = expr_int(ctx, 1);
    for (uint32_t i = 0; i < s->generators; i++)
        e = expr_mul(ctx, e,
                     expr_powi(ctx, s->generator[i], s->exponent[product * s->generators + i]));
    return e;
}

static void take_products(ansatz *s, const generators *g, const enumeration *k)
{
    arena *a = g->arena;
    sort_products(g, k->found.at, k->found.count);
    s->generators = (uint32_t) g->list.count;
    s->products = (uint32_t) k->found.count;
    s->speed_degree = k->speed_degree;
    s->coordinate_degree = k->coordinate_degree;
    ah_expr *generator_of = NEW_ARRAY(a, ah_expr, s->generators);
    uint8_t *exponent = NEW_ARRAY(a, uint8_t, (size_t) s->products * s->generators);
    uint8_t *degree = NEW_ARRAY(a, uint8_t, s->products);
    for (uint32_t i = 0; i < s->generators; i++) generator_of[i] = g->list.at[i].e;
    for (uint32_t p = 0; p < s->products; p++) {
        memcpy(exponent + (size_t) p * s->generators, k->found.at[p], s->generators);
        degree[p] = (uint8_t) degree_of(g, k->found.at[p], true);
    }
    s->generator = generator_of;
    s->exponent = exponent;
    s->degree = degree;
}

ansatz *ansatz_create(ansatz_states *pool, ansatz_speeds speeds, int speed_degree,
                      int coordinate_degree)
{
    flow *w = pool->flow;
    arena *a = pool->arena;
    generators g = {.ctx = w->ctx, .arena = a, .flow = w};
    look_at_model(&g);
    for (uint32_t i = 0; i < w->n; i++) add_place(&g, w->model->q.at[i], false);
    if (!add_speeds(&g, speeds)) return NULL;
    enumeration k;
    do {
        k = (enumeration){.g = &g,
                          .arena = a,
                          .speed_degree = speed_degree,
                          .coordinate_degree = coordinate_degree};
        enumerate(&k, NEW_ARRAY(a, uint8_t, g.list.count), 0, 0, 0);
        if (k.too_many && coordinate_degree > 0)
            coordinate_degree--;
        else if (k.too_many)
            speed_degree--;
    } while (k.too_many && speed_degree > 0);
    if (k.too_many) return NULL;
    ansatz *s = NEW(a, ansatz);
    s->states = pool;
    take_products(s, &g, &k);
    return fill(s, &g) ? s : NULL;
}

double *ansatz_gradient(flow *w, arena *a, ah_expr e, const frame *values)
{
    const uint32_t N = w->N;
    ah_expr *slopes = NEW_ARRAY(a, ah_expr, N);
    double *g = NEW_ARRAY(a, double, N), *x = NEW_ARRAY(a, double, w->constraints + 1);
    expr_gradient(w->ctx, ansatz_through_x(w, e), N, w->x, slopes);
    flow_define(w->model, slopes, N);
    expr_plan_run(expr_plan_create(w->ctx, a, slopes, N), values, g);
    double size = 0;
    for (uint32_t i = 0; i < N; i++) g[i] *= w->unit[i];
    for (uint32_t i = 0; i < N; i++) size = hypot(size, g[i]);
    if (w->constraints) { /* g − Dᵀx with the x of least squares, rows of D of length one */
        flow_constraints(w, values);
        double *Dt = NEW_ARRAY(a, double, (size_t) N * w->constraints);
        for (uint32_t i = 0; i < w->constraints; i++) {
            const double *row = w->c_slope + (size_t) i * (N + 1);
            double length = 0;
            for (uint32_t j = 0; j < N; j++) length = hypot(length, row[j] * w->unit[j]);
            for (uint32_t j = 0; length > 0 && j < N; j++)
                Dt[(size_t) j * w->constraints + i] = row[j] * w->unit[j] / length;
        }
        linear_least_squares(&w->ctx->scratch, N, w->constraints, Dt, g, 1e-12, x);
        for (uint32_t j = 0; j < N; j++)
            for (uint32_t i = 0; i < w->constraints; i++)
                g[j] -= Dt[(size_t) j * w->constraints + i] * x[i];
    }
    for (uint32_t i = 0; size > 0 && i < N; i++) g[i] /= size;
    return g;
}
