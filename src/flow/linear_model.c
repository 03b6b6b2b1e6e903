/* flow/linear_model.c - see linear_model.h.
 *
 * A = ∂y'/∂x ∂x/∂y with the lift of minimal.h. Inputs are parameters of the fed model (model_fed), and a column of B
 * is the slope of the same motion by one of them, dependent variables along the constraints. */
#include "linear_model.h"

#include "linear_symbols.h"

#include <math.h>
#include <string.h>

typedef struct making_linear {
    ah_model *fed;
    const linear_question *q;
    linear_model *out;
    problem s;
    LIST(const model_parameter *) input; /* a column each */
    minimal *by;                         /* the motion with slopes by each */
    flow **flow;
    arena *arena;
    const char *why;
} making_linear;

/* ---- Inputs ---------------------------------------------------------------------------------- */

/* One that stands in a constraint brings its rates with it. */
static bool open_inputs(making_linear *w)
{
    const linear_question *q = w->q;
    const ah_model *m = w->fed;
    for (size_t j = 0; j < q->inputs; j++)
        for (size_t i = 0; i < m->parameters.count; i++) {
            const model_parameter *p = &m->parameters.at[i];
            if (p->input && !strcmp(p->input, q->input[j]) && p->order != MODEL_CLOCK)
                LIST_PUSH(w->arena, &w->input, p);
        }
    w->flow = NEW_ARRAY(w->arena, flow *, w->input.count + 1);
    for (size_t j = 0; j < w->input.count; j++) {
        w->flow[j] = flow_create_by(w->fed, w->arena, w->input.at[j]->symbol, &w->why);
        if (!w->flow[j]) return false;
    }
    return true;
}

static void find_B(making_linear *w, frame *values)
{
    linear_model *out = w->out;
    double *B = NEW_ARRAY(w->arena, double, (size_t) out->states * out->inputs + 1);
    w->by = NEW_ARRAY(w->arena, minimal, out->inputs + 1);
    for (uint32_t j = 0; j < out->inputs && !w->why; j++) {
        w->by[j] = minimal_by(w->s.m, w->flow[j], w->arena);
        if (!minimal_at(&w->by[j], values))
            w->why = "the derivatives by an input could not be found";
        for (uint32_t i = 0; i < out->states; i++)
            B[(size_t) i * out->inputs + j] = w->by[j].drift[out->y[i]];
    }
    out->B = B;
}

static void tell_inputs(making_linear *w, const frame *values)
{
    double *u = NEW_ARRAY(w->arena, double, w->input.count + 1);
    const char **name = NEW_ARRAY(w->arena, const char *, w->input.count + 1);
    ah_expr *symbol = NEW_ARRAY(w->arena, ah_expr, w->input.count + 1);
    for (size_t j = 0; j < w->input.count; j++) {
        name[j] = w->input.at[j]->name;
        symbol[j] = w->input.at[j]->symbol;
        u[j] = frame_get(values, w->input.at[j]->symbol);
    }
    w->out->input = name;
    w->out->input_symbol = symbol;
    w->out->input_value = u;
}

/* ---- States ---------------------------------------------------------------------------------- */

static void choose_states(making_linear *w)
{
    const minimal *m = w->s.m;
    uint32_t *y = NEW_ARRAY(w->arena, uint32_t, m->count + 1);
    w->out->states = w->q->whole ? m->count : m->kept;
    for (uint32_t i = 0; i < w->out->states; i++) y[i] = w->q->whole ? i : m->keep[i];
    w->out->y = y;
}

/* Rows (in x) times the lift: derivatives by the minimal variable y. */
static double by_state(const minimal *m, const double *row, uint32_t y)
{
    double sum = 0;
    for (uint32_t k = 0; k < m->flow->N; k++) sum += row[k] * m->lift[(size_t) k * m->count + y];
    return sum;
}

static void find_A(making_linear *w)
{
    linear_model *out = w->out;
    const minimal *m = w->s.m;
    const uint32_t n = out->states;
    double *A = NEW_ARRAY(w->arena, double, (size_t) n *n + 1);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++)
            A[(size_t) i * n + j] =
                by_state(m, m->slope + (size_t) out->y[i] * (m->flow->N + 1), out->y[j]);
    out->A = A;
}

/* ---- Outputs --------------------------------------------------------------------------------- */

/* Through x: v = ψ where there are velocity parameters, ω by their definitions; inputs with rates, u + u' (t - t(u)) + …, as they are
 * now. */
static ah_expr through_state(const making_linear *w, ah_expr e)
{
    const flow *f = w->s.flow;
    const ah_model *m = w->fed;
    const ah_expr t = expr_time(m->ctx);
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].order == MODEL_CLOCK)
            e = expr_subst(m->ctx, e, 1, &m->parameters.at[i].symbol, &t);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        e = expr_subst(m->ctx, e, 1, &m->quasivelocities.at[i].symbol,
                       &m->quasivelocities.at[i].definition);
    return f->charted ? expr_subst(m->ctx, e, m->n, m->v.at, m->psi.at) : e;
}

/* Of q, the speeds of x, parameters and nothing else. */
static bool is_of_state(const making_linear *w, ah_expr e)
{
    const flow *f = w->s.flow;
    ah_ctx *ctx = w->fed->ctx;
    const expr_list symbols = expr_symbols(ctx, &ctx->scratch, &e, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        bool known = expr_get_kind(ctx, symbols.at[i]) == AH_PARAMETER;
        for (uint32_t k = 0; k < f->N; k++) known = known || f->x[k] == symbols.at[i];
        if (!known) return false;
    }
    return true;
}

/* value, ∂/∂x, ∂/∂u of one output, one after the other. */
static const double *slopes_of(making_linear *w, ah_expr e, const frame *values)
{
    const flow *f = w->s.flow;
    ah_ctx *ctx = w->fed->ctx;
    const size_t count = 1 + f->N + w->input.count;
    ah_expr *root = NEW_ARRAY(w->arena, ah_expr, count);
    root[0] = e;
    for (uint32_t k = 0; k < f->N; k++) root[1 + k] = expr_diff(ctx, e, f->x[k]);
    for (size_t j = 0; j < w->input.count; j++)
        root[1 + f->N + j] = expr_diff(ctx, e, w->input.at[j]->symbol);
    flow_define(w->fed, root, count);
    double *out = NEW_ARRAY(w->arena, double, count);
    expr_plan_run(expr_plan_create(ctx, w->arena, root, count), values, out);
    return out;
}

/* It changes with a coordinate that is left out. */
static bool needs_ignored(const making_linear *w, const double *slope)
{
    const minimal *m = w->s.m;
    for (uint32_t i = 0; !w->q->whole && i < m->ignorable; i++)
        if (fabs(by_state(m, slope + 1, m->ignored[i])) > 0) return true;
    return false;
}

static bool add_output(making_linear *w, const linear_output *o, const frame *values,
                       const double **slope)
{
    const ah_expr e = through_state(w, o->e);
    const bool known = is_of_state(w, e);
    *slope = known ? slopes_of(w, e, values) : NULL;
    if (known && !needs_ignored(w, *slope)) return true;
    if (!w->q->choose && !known)
        w->why = arena_printf(w->arena, "`%s` is no formula of the state", o->name);
    else if (!w->q->choose)
        w->why = arena_printf(
            w->arena, "`%s` depends on an ignorable coordinate: `--whole` keeps these", o->name);
    return false;
}

static void find_outputs(making_linear *w, const frame *values)
{
    linear_model *out = w->out;
    const minimal *m = w->s.m;
    const linear_question *q = w->q;
    const uint32_t n = out->states, k = out->inputs;
    linear_output *kept = NEW_ARRAY(w->arena, linear_output, q->outputs + n + 1);
    double *C = NEW_ARRAY(w->arena, double, (q->outputs + n) * n + 1);
    double *D = NEW_ARRAY(w->arena, double, (q->outputs + n) * k + 1);
    double *value = NEW_ARRAY(w->arena, double, q->outputs + n + 1);
    const char **left = NEW_ARRAY(w->arena, const char *, q->outputs + 1);
    for (size_t i = 0; i < q->outputs && !w->why; i++) {
        const double *slope;
        if (!add_output(w, &q->output[i], values, &slope)) {
            left[out->left_out++] = q->output[i].name;
            continue;
        }
        const uint32_t row = out->outputs++;
        kept[row] = q->output[i];
        value[row] = slope[0];
        for (uint32_t j = 0; j < n; j++)
            C[(size_t) row * n + j] = by_state(m, slope + 1, out->y[j]);
        for (uint32_t j = 0; j < k; j++) {
            double sum = slope[1 + m->flow->N + j];
            for (uint32_t x = 0; x < m->flow->N; x++) sum += slope[1 + x] * w->by[j].lift_t[x];
            D[(size_t) row * k + j] = sum;
        }
    }
    for (uint32_t i = 0; q->choose && !q->outputs && i < n; i++) { /* the variables themselves */
        const uint32_t row = out->outputs++;
        const ah_expr y = m->symbol[out->y[i]];
        kept[row] = (linear_output){expr_text(w->fed->ctx, w->arena, y, AH_ASCII), y};
        value[row] = minimal_value(m, out->y[i], values);
        C[(size_t) row * n + i] = 1;
    }
    out->output = kept;
    out->left = left;
    out->output_value = value;
    out->C = C;
    out->D = D;
}

/* ---- Reach ----------------------------------------------------------------------------------- */

static double norm_of(const double *x, uint32_t n)
{
    double norm = 0;
    for (uint32_t i = 0; i < n; i++) norm = hypot(norm, x[i]);
    return norm;
}

/* What is new in x beside the basis, to length one; false: nothing. */
static bool orthogonalise(uint32_t n, uint32_t count, const double *basis, double *x)
{
    const double size = norm_of(x, n);
    for (int twice = 0; twice < 2; twice++)
        for (uint32_t b = 0; b < count; b++) {
            double dot = 0;
            for (uint32_t i = 0; i < n; i++) dot += basis[(size_t) b * n + i] * x[i];
            for (uint32_t i = 0; i < n; i++) x[i] -= dot * basis[(size_t) b * n + i];
        }
    const double left = norm_of(x, n);
    if (!(left > LINEAR_RANK * size)) return false;
    for (uint32_t i = 0; i < n; i++) x[i] /= left;
    return true;
}

/* Dimension of the least space that has the columns of B (n × k) and goes into itself by A. */
static uint32_t krylov(arena *a, uint32_t n, const double *A, uint32_t k, const double *B)
{
    double *basis = NEW_ARRAY(a, double, (size_t) n *n + 1), *x = NEW_ARRAY(a, double, n + 1);
    uint32_t count = 0;
    for (uint32_t j = 0; j < k && count < n; j++) {
        for (uint32_t i = 0; i < n; i++) x[i] = B[(size_t) i * k + j];
        if (!orthogonalise(n, count, basis, x)) continue;
        memcpy(basis + (size_t) count++ * n, x, n * sizeof *x);
    }
    for (uint32_t next = 0; next < count && count < n; next++) {
        for (uint32_t i = 0; i < n; i++) {
            x[i] = 0;
            for (uint32_t j = 0; j < n; j++)
                x[i] += A[(size_t) i * n + j] * basis[(size_t) next * n + j];
        }
        if (!orthogonalise(n, count, basis, x)) continue;
        memcpy(basis + (size_t) count++ * n, x, n * sizeof *x);
    }
    return count;
}

static void find_reach(making_linear *w)
{
    linear_model *out = w->out;
    arena *a = w->arena;
    const uint32_t n = out->states;
    out->controllable = krylov(a, n, out->A, out->inputs, out->B);
    out->observable = krylov(a, n, linear_transposed(a, n, n, out->A), out->outputs,
                             linear_transposed(a, out->outputs, n, out->C));
}

/* Ignorable coordinates that move take those slopes with them that depend on them. */
static bool is_constant(const making_linear *w)
{
    const minimal *m = w->s.m;
    const linear_model *out = w->out;
    for (uint32_t j = 0; w->q->whole && j < m->ignorable; j++) {
        if (fabs(m->rate[m->ignored[j]]) <= STEADY_FOUND * m->unit[m->ignored[j]] / m->flow->time)
            continue;
        for (uint32_t i = 0; i < out->states; i++)
            if (out->A[(size_t) i * out->states + m->ignored[j]] != 0) return false;
    }
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* About a steady motion. */
static bool settle(making_linear *w)
{
    return problem_open(w->fed, w->q->at, &w->s, &w->why) &&
           stability_settle(&w->s, w->s.p.values, &w->out->motion, &w->why);
}

/* About any state. */
static bool stay(making_linear *w)
{
    problem *s = &w->s;
    if (!problem_open_anywhere(w->fed, w->q->at, s, &w->why)) return false;
    w->out->motion = (stability_answer){
        .model = s->model, .m = s->m, .values = s->p.values, .family_sure = true};
    if (!problem_assumed(s, s->p.values))
        w->why = "the state contradicts an assumption of the model";
    else
        w->why = problem_unsmooth(s, s->p.values);
    return !w->why;
}

static double *rates_of(making_linear *w)
{
    double *rate = NEW_ARRAY(w->arena, double, w->out->states + 1);
    for (uint32_t i = 0; i < w->out->states; i++) rate[i] = w->s.m->rate[w->out->y[i]];
    return rate;
}

static bool run(making_linear *w)
{
    linear_model *out = w->out;
    if (!(w->q->anywhere ? stay(w) : settle(w))) return false;
    frame *values = out->motion.values;
    const ah_expr t = expr_time(w->fed->ctx);
    if (!w->q->anywhere)
        frame_set(values, t, w->fed->t0 == AH_NONE ? 0 : point_eval(&w->s.p, w->fed->t0));
    for (size_t i = 0; i < w->fed->parameters.count; i++) /* their own time: now */
        if (w->fed->parameters.at[i].order == MODEL_CLOCK)
            frame_set(values, w->fed->parameters.at[i].symbol, frame_get(values, t));
    out->inputs = (uint32_t) w->input.count;
    choose_states(w);
    find_B(w, values);
    if (w->why) return false;
    if (!minimal_at(w->s.m, values)) {
        w->why = "the state is singular";
        return false;
    }
    find_A(w);
    out->rate = rates_of(w);
    out->constant = w->q->anywhere ? false : is_constant(w);
    find_outputs(w, values);
    if (w->why) return false;
    tell_inputs(w, values);
    find_reach(w);
    out->zeros = linear_zeros(w->arena, &w->fed->ctx->scratch, out);
    if (spectrum_of(w->arena, &w->fed->ctx->scratch, out->states, out->A, NULL, NULL,
                    &out->spectrum)) {
        out->symbols = linear_symbols_create(out, w->s.m, w->arena, w->q->anywhere);
        return true;
    }
    w->why = "the eigenvalues could not be computed";
    return false;
}

bool linear_run(ah_model *m, const linear_question *q, linear_model *out, const char **why)
{
    *out = (linear_model){0};
    *why = NULL;
    if (m->kinematic && !q->anywhere) {
        *why = "a kinematic model has no motion of its own: its velocities are the inputs; any "
               "state of it can be asked for";
        return false;
    }
    making_linear w = {.fed = model_fed(m), .q = q, .out = out, .arena = &m->ctx->job};
    const bool good = open_inputs(&w) && run(&w);
    *why = w.why;
    return good;
}
