/* state/states.c - see states.h.
 *
 * A state is well determined where these are regular, each with the rows of J that are independent
 * in general:
 *
 *     [M Jᵀ; J 0]    the accelerations and multipliers (unless the velocity form alone states the constraints)
 *     Ψᵀ M Ψ         the derivatives of the velocity parameters
 *     [∂ω/∂v; J]     the velocities that belong to quasi-velocities */
#include "states.h"
#include "../numeric/numeric.h"
#include "../real/real.h"
#include "edges.h"

#include <math.h>
#include <string.h>

enum {
    TRIES = 40,         /* admissible states looked at before the answer is "none" */
    GENERAL_STATES = 3, /* at which the general rank is found */
    EVEN_STATES = 24,   /* at which it is compared, … */
    EVEN_MISSES = 2,    /* … and missed at so many before it is doubted */
    SWITCH_STATES = 12, /* beside switches */
    PATIENCE = 8,       /* states that are drawn for one that is wanted */
    DENSE = 100         /* rows of a matrix whose condition number is computed densely */
};
/* A mark of a component that vanishes up to this share of its terms does. */
#define MARK_ZERO 1e-9
/* A row of J that changes by more than a share NOISE of itself when the state moves by NUDGE is
 * round-off if it is tiny; otherwise (kinks turn signs) if it grows by 1/NOISE. */
#define NOISE 1e-3
#define NUDGE 1e-10
#define TINY  1e-8

struct states {
    ah_model *model;
    arena *arena;
    probe *probe;
    probe_matrix system[3];
    const double
        *unit[3];     /* sizes of the velocities of [M Jᵀ; J 0], whose J may have any factors */
    sparse *large[3]; /* those that are large and sparse, when they are first asked for */
    size_t systems;
    double rcond;
    const expr_plan *marks; /* of the component */
    size_t mark_count;
    bool chooses;      /* among states: Newton's method does not go to the marks */
    probe_matrix rows; /* J */
    edges *switches;   /* of the system; NULL: nothing switches */
    size_t drawn;
};

/* ---- The systems ----------------------------------------------------------------------------- */

static void add_system(states *s, mat K, const double *unit)
{
    if (!K.rows) return;
    s->unit[s->systems] = unit;
    s->system[s->systems++] = probe_matrix_create(s->model, s->arena, K);
}

/* By these a mass matrix is multiplied from both sides to be without units. */
static const double *units_of(states *s, uint32_t count, const ah_expr *velocity)
{
    ah_model *m = s->model;
    double *unit = NEW_ARRAY(s->arena, double, count);
    for (uint32_t i = 0; i < count; i++)
        unit[i] = model_size(m, velocity[i]) / sqrt(model_size(m, m->T));
    return unit;
}

/* ∂ω/∂v, with the constraints on velocities below where they are not among the ω. */
static mat omega_matrix(ah_model *m, arena *a, mat J_low)
{
    const uint32_t count = (uint32_t) m->quasivelocities.count;
    ah_expr *omega = NEW_ARRAY(a, ah_expr, count);
    for (uint32_t i = 0; i < count; i++) omega[i] = m->quasivelocities.at[i].definition;
    const mat column = mat_from_dense(m->ctx, a, count, 1, omega);
    const mat W = mat_jacobian(m->ctx, a, column, m->n, m->v.at);
    return count == m->n ? W : mat_stack(m->ctx, a, W, J_low);
}

static bool has_roots(const ah_model *m, const component *c)
{
    bool any = components_has_root(m->ctx, c->mark, c->marks);
    for (size_t i = 0; i < m->constraints.count; i++)
        any = any || components_has_root(m->ctx, &m->constraints.at[i].c, 1);
    return any;
}

static void make_marks(states *s, const component *c)
{
    ah_expr *mark = NEW_ARRAY(s->arena, ah_expr, c->marks);
    memcpy(mark, c->mark, c->marks * sizeof *mark);
    model_put_samples(s->model, mark, c->marks);
    s->marks = expr_plan_create(s->model->ctx, s->arena, mark, c->marks);
    s->mark_count = c->marks;
}

/* Newton's method goes to the marks of a component. Not where there are roots: to |y'| = y', or to
 * x' = −y' beside x' = |y'|, no step leads from y' > 0; it is a choice among the states. Nor where velocities are drawn by
 * a velocity form, which may give those of one component alone. */
static probe *stay_on(states *s, const component *c)
{
    ah_model *m = s->model;
    if (!c || !c->marks) return probe_create(m, s->arena);
    make_marks(s, c);
    if (!has_roots(m, c) && !m->speeds.count)
        return probe_create_on(m, s->arena, c->mark, c->marks);
    s->chooses = true;
    return probe_create(m, s->arena);
}

states *analyse_states_create(ah_model *m, arena *a)
{
    return analyse_states_create_on(m, a, NULL);
}

states *analyse_states_create_on(ah_model *m, arena *a, const component *c)
{
    ah_ctx *ctx = m->ctx;
    states *s = NEW(a, states);
    s->model = m;
    s->arena = a;
    s->probe = stay_on(s, c);
    s->switches = edges_of_switches(m, a);
    const probe_states general = probe_some_states(s->probe, a, GENERAL_STATES, 1);
    const model_tree *tree = model_tree_of(m);
    const mat M = tree ? tree->M : model_mass(m, a), all = model_rows(m, a);
    uint32_t rank, low = 0;
    uint32_t *rows = probe_independent_rows(m, a, &general, all, &rank);
    const mat J = mat_rows(ctx, a, all, rows, rank);
    s->rows = probe_matrix_create(m, a, all);
    if (!m->speeds.count || rank)
        add_system(s, tree ? model_tree_kkt(m, a, tree, J) : model_kkt(ctx, a, M, J),
                   tree ? NULL : units_of(s, m->n, m->v.at));
    if (m->speeds.count) {
        const mat Psi = model_psi_matrix(m, a);
        add_system(s, mat_mul3(ctx, a, mat_transpose(ctx, a, Psi), M, Psi), NULL);
    }
    for (uint32_t i = 0; i < rank; i++)
        if (m->constraints.at[rows[i]].order != MODEL_ACCELERATION) rows[low++] = rows[i];
    if (m->quasivelocities.count && !m->on.count) /* there they are too few (components_view) */
        add_system(s, omega_matrix(m, a, mat_rows(ctx, a, all, rows, low)), NULL);
    return s;
}

/* ---- Condition ------------------------------------------------------------------------------- */

/* Divides rows, then columns, by their largest entry: units must not look like ill condition. */
static void equilibrate(double *A, uint32_t n)
{
    for (int by_column = 0; by_column < 2; by_column++)
        for (uint32_t i = 0; i < n; i++) {
            double *first = by_column ? A + i : A + (size_t) i * n, largest = 0;
            const size_t stride = by_column ? n : 1;
            for (uint32_t j = 0; j < n; j++) largest = fmax(largest, fabs(first[j * stride]));
            for (uint32_t j = 0; j < n && largest > 0; j++) first[j * stride] /= largest;
        }
}

/* [M Jᵀ; J 0] with M without units and rows of J of length one: where M is small beside J, dividing rows and columns
 * would leave it so. */
static void put_units(double *A, uint32_t n, uint32_t velocities, const double *unit, double *scale)
{
    for (uint32_t i = 0; i < n; i++) {
        double largest = 0;
        for (uint32_t k = 0; k < velocities; k++)
            largest = fmax(largest, fabs(A[(size_t) i * n + k] * unit[k]));
        scale[i] = i < velocities ? unit[i] : largest > 0 ? 1 / largest : 1;
    }
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0; k < n; k++) {
            A[(size_t) i * n + k] *= scale[i];
            A[(size_t) i * n + k] *= scale[k]; /* both together may be beyond doubles */
        }
}

static double dense_rcond(states *s, const probe_matrix *x, const double *unit)
{
    arena *a = &s->model->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const uint32_t n = x->shape.rows;
    double *A = NEW_ARRAY(a, double, (size_t) n *n);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = x->shape.start[i]; k < x->shape.start[i + 1]; k++)
            A[(size_t) i * n + x->shape.col[k]] = x->value[k];
    if (unit) put_units(A, n, s->model->n, unit, NEW_ARRAY(a, double, n));
    equilibrate(A, n);
    const double rcond = linear_reciprocal_condition(a, n, A);
    arena_release(a, mark);
    return rcond;
}

/* A matrix too large for that, by an elimination in an order that fills little. */
static double sparse_rcond(states *s, size_t k)
{
    const probe_matrix *x = &s->system[k];
    const sparse_pattern A = {x->shape.rows, x->shape.cols, x->shape.start, x->shape.col};
    if (!s->large[k]) s->large[k] = sparse_create(s->model->ctx, s->arena, A);
    return sparse_factor(s->large[k], x->value, NULL);
}

/* One that is too full for that: what the elimination meets, a rough measure. */
static double full_quality(states *s, const probe_matrix *x)
{
    arena *a = &s->model->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    eliminate *e = eliminate_create(s->model->ctx, a, x->shape.cols);
    for (uint32_t i = 0; i < x->shape.rows; i++) {
        const uint32_t at = x->shape.start[i];
        eliminate_add(e, x->shape.start[i + 1] - at, x->shape.col + at, x->value + at, 0);
    }
    const double quality = eliminate_rank(e) == x->shape.rows ? eliminate_quality(e) : 0;
    arena_release(a, mark);
    return quality;
}

static double worst_rcond(states *s, const frame *values)
{
    double worst = 1;
    for (size_t k = 0; k < s->systems; k++) {
        probe_matrix *x = &s->system[k];
        if (x->shape.rows != x->shape.cols || !probe_matrix_run(x, values)) return 0;
        const bool is_sparse = sparse_pays(x->shape.rows, mat_entries(x->shape));
        worst = fmin(worst, x->shape.rows <= DENSE ? dense_rcond(s, x, s->unit[k])
                            : is_sparse            ? sparse_rcond(s, k)
                                                   : full_quality(s, x));
    }
    return worst;
}

bool analyse_is_on_component(states *s, const frame *values)
{
    arena *a = &s->model->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *e = NEW_ARRAY(a, double, s->mark_count), *size = NEW_ARRAY(a, double, s->mark_count);
    bool on = true;
    if (s->marks) expr_plan_run_scaled(s->marks, values, e, size);
    for (size_t i = 0; i < s->mark_count; i++) on = on && fabs(e[i]) <= MARK_ZERO * size[i];
    arena_release(a, mark);
    return on;
}

static bool is_on_component(states *s, const frame *values)
{
    return !s->chooses || analyse_is_on_component(s, values);
}

/* Beside the switches, where there are any. */
static void add_beside(states *s, size_t count, probe_states *all)
{
    const probe_wish beside = {.bend = edges_bend, .user = s->switches};
    probe_rng rng = probe_seed(1);
    for (size_t i = 0; s->switches && i < count; i++) {
        frame *values = probe_values(s->model, s->arena);
        if (probe_wished(s->probe, &rng, &beside, values) && is_on_component(s, values))
            all->at[all->count++] = values;
    }
}

/* Those to which Newton's method came, if there are any: of 12 y'² + 7 z'² = x'² beside x' = 2 y' sin(x) it finds rest at most places, which is
 * singular, and tells nothing. */
static size_t take_states(states *s, size_t each, frame **out)
{
    probe_states some = probe_some_states(s->probe, s->arena, each, 1);
    size_t met = 0, settled = 0;
    for (size_t k = 0; some.admissible && k < some.count; k++)
        settled += probe_settled(s->probe, some.at[k]);
    const bool chosen = settled < some.count;
    if (some.admissible && chosen) some = probe_some_states(s->probe, s->arena, PATIENCE * each, 1);
    for (int any = !chosen; any < 2 && !met; any++)
        for (size_t k = 0; some.admissible && k < some.count && met < each; k++)
            if (is_on_component(s, some.at[k]) && (any || probe_settled(s->probe, some.at[k])))
                out[met++] = some.at[k];
    return met;
}

probe_states analyse_states_of_components(ah_model *m, arena *a, const components *c, size_t each)
{
    const size_t most = (c->count + 1) * (each + SWITCH_STATES);
    probe_states all = {.at = NEW_ARRAY(a, frame *, most), .admissible = true};
    edges *switches = edges_of_switches(m, a);
    for (size_t i = 0; i < (c->count ? c->count : 1); i++) {
        states s = {.model = m, .arena = a, .switches = switches};
        s.probe = stay_on(&s, c->count ? &c->at[i] : NULL);
        const size_t met = take_states(&s, each, all.at + all.count);
        all.count += met;
        all.admissible = all.admissible && (met || !c->complete); /* factors alone may have none */
        if (met) add_beside(&s, SWITCH_STATES, &all);
    }
    return all.count ? all : probe_some_states(probe_create(m, a), a, each, 1);
}

/* Where something switches every other state lies beside a switch, however far that is: what holds on one side need not hold on
 * the other. */
static bool draw_state(states *s, states_rng *rng, frame *values)
{
    const probe_wish beside = {.bend = edges_bend, .user = s->switches};
    if (s->switches && s->drawn++ % 2 && probe_wished(s->probe, rng, &beside, values)) return true;
    return probe_admissible(s->probe, rng, values);
}

bool analyse_random_state(states *s, states_rng *rng, frame *values)
{
    for (int k = 0; k < TRIES; k++) {
        ctx_tick(s->model->ctx);
        if (!draw_state(s, rng, values)) return false;
        if (!is_on_component(s, values)) continue;
        s->rcond = worst_rcond(s, values);
        if (s->rcond >= STATES_RCOND && probe_settled(s->probe, values)) return true;
    }
    return false;
}

bool analyse_wished_place(states *s, states_rng *rng, const probe_wish *wish, frame *values)
{
    return probe_wished(s->probe, rng, wish, values) && is_on_component(s, values);
}

bool analyse_wished_state(states *s, states_rng *rng, const probe_wish *wish, frame *values)
{
    if (!analyse_wished_place(s, rng, wish, values)) return false;
    s->rcond = worst_rcond(s, values);
    return s->rcond >= (wish->reach == PROBE_NEAR ? STATES_RCOND : STATES_FAR_RCOND);
}

double analyse_state_rcond(const states *s)
{
    return s->rcond;
}

/* ---- The same rank everywhere? --------------------------------------------------------------- */

/* Is one of the rows nothing but round-off: that of sin(x) (y' − z') = 0 where x = π, or of
 * (x − asin(sin x)) y' = 0 at |x| < π/2? Next to a zero a small step changes all of it. */
static bool has_noise(states *s, probe_rng *rng, const frame *values)
{
    ah_ctx *ctx = s->model->ctx;
    const uint32_t count = mat_entries(s->rows.shape);
    double *here = NEW_ARRAY(&ctx->scratch, double, count);
    frame *near = frame_copy(&ctx->scratch, values);
    memcpy(here, s->rows.value, count * sizeof *here);
    for (uint32_t i = 0; i < near->count; i++)
        near->at[i] += NUDGE * (fabs(near->at[i]) + 1) * probe_uniform(rng, -1, 1);
    if (!probe_matrix_run(&s->rows, near)) return false;
    for (uint32_t i = 0; i < s->rows.shape.rows; i++) {
        double size = 0, change = 0;
        for (uint32_t k = s->rows.shape.start[i]; k < s->rows.shape.start[i + 1]; k++) {
            size = fmax(size, fabs(here[k]));
            change = fmax(change, fabs(s->rows.value[k] - here[k]));
        }
        if (size > 0 && change > (size < TINY ? NOISE : 1 / NOISE) * size) return true;
    }
    return false;
}

bool analyse_states_uneven(states *s)
{
    static const probe_reach reach[] = {PROBE_NEAR, PROBE_TURNS};
    ah_ctx *ctx = s->model->ctx;
    probe_rng rng = probe_seed(1);
    frame *values = probe_values(s->model, s->arena);
    uint32_t most = 0, below = 0, seen = 0, noise = 0;
    for (int k = 0; k < EVEN_STATES && s->rows.shape.rows; k++) {
        probe_wish wish = {.reach = reach[k % 2], .user = s->switches};
        if (s->switches && k % 3 == 2) wish.bend = edges_bend;
        if (!probe_wished(s->probe, &rng, &wish, values) || !is_on_component(s, values) ||
            !probe_settled(s->probe, values) || !probe_matrix_run(&s->rows, values))
            continue;
        const arena_mark mark = arena_get_mark(&ctx->scratch);
        const uint32_t rank = probe_matrix_rank(ctx, &s->rows, NULL);
        below = rank > most ? seen : below + (rank < most);
        most = rank > most ? rank : most;
        seen++;
        noise += has_noise(s, &rng, values);
        arena_release(&ctx->scratch, mark);
    }
    return below >= EVEN_MISSES || noise >= EVEN_MISSES;
}
