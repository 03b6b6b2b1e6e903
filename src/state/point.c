/* state/point.c - states of a model as numbers. */
#include "point_newton.h"

#include "../lang/lang.h"

#include <float.h>
#include <math.h>

double point_get(const point *p, ah_expr symbol)
{
    return frame_get(p->values, symbol);
}

void point_set(point *p, ah_expr symbol, double value)
{
    frame_set(p->values, symbol, value);
}

bool point_is_given(const point *p, ah_expr symbol)
{
    return frame_get(p->given, symbol) > 0;
}

point_told point_get_told(const point *p, ah_expr symbol)
{
    const size_t place = (size_t) frame_get(p->given, symbol);
    return place ? p->told.at[place - 1] : (point_told){NOWHERE, AH_NONE};
}

double point_eval(point *p, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&p->ctx->scratch);
    double x;
    expr_plan_run(expr_plan_create(p->ctx, &p->ctx->scratch, &e, 1), p->values, &x);
    arena_release(&p->ctx->scratch, mark);
    return x;
}

/* Values of parameters in order: each may use earlier ones. */
static bool put_parameters(point *p)
{
    bool good = true;
    for (size_t i = 0; i < p->model->parameters.count; i++) {
        const model_parameter *a = &p->model->parameters.at[i];
        if (a->value != AH_NONE) {
            point_set(p, a->symbol, point_eval(p, a->value));
            continue;
        }
        diag(p->ctx, A0601, a->span, "the parameter `%s` has no value", a->name);
        diag_hint(p->ctx, "give it one with --set %s=…", a->name);
        good = false;
    }
    for (size_t i = 0; i < p->model->functions.count; i++) {
        const model_function *f = &p->model->functions.at[i];
        if (f->body != AH_NONE) continue;
        diag(p->ctx, A0602, f->span, "the function `%s` is not defined", f->name);
        diag_hint(p->ctx, "define it with --set \"%s(…)=…\"", f->name);
        good = false;
    }
    return good;
}

point point_around(ah_model *m, frame *values, arena *a)
{
    point p = {.ctx = m->ctx, .model = m, .mech = derive_mechanics(m), .arena = a};
    p.values = values;
    p.given = frame_create(m->ctx, a, 0);
    LIST_PUSH(a, &p.told, ((point_told){NOWHERE, AH_NONE}));
    return p;
}

static void begin_span(point *p)
{
    const ah_expr t0 = p->model->t0;
    point_set(p, expr_time(p->ctx), t0 == AH_NONE ? 0 : point_eval(p, t0));
}

bool point_create(ah_model *m, arena *a, point *out)
{
    *out = point_around(m, frame_create(m->ctx, a, NAN), a);
    if (!put_parameters(out)) return false;
    begin_span(out);
    return true;
}

void point_put_parameters(point *p, size_t count, const ah_expr *symbols, const double *values)
{
    const ah_model *m = p->model;
    for (size_t i = 0; i < count; i++) point_set(p, symbols[i], values[i]);
    for (size_t i = 0; i < m->parameters.count; i++)
        if (expr_depends_kind(p->ctx, m->parameters.at[i].value, AH_PARAMETER))
            point_set(p, m->parameters.at[i].symbol, point_eval(p, m->parameters.at[i].value));
    begin_span(p);
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool assign(point *p, ah_expr symbol, ah_expr value, ah_span span)
{
    const double x = point_eval(p, value);
    if (!isfinite(x)) {
        diag(p->ctx, A0603, span, "the value of `%s` is not a finite number",
             expr_text(p->ctx, p->arena, symbol, AH_ASCII));
        const bool early = expr_depends_kind(p->ctx, value, AH_COORDINATE) ||
                           expr_depends_kind(p->ctx, value, AH_VELOCITY);
        diag_hint(p->ctx, early ? "it may use parameters and values that are given before it"
                                : "look for a division by zero, a root or logarithm of a negative "
                                  "number");
        return false;
    }
    point_set(p, symbol, x);
    LIST_PUSH(p->arena, &p->told, ((point_told){span, value}));
    frame_set(p->given, symbol, (double) p->told.count);
    return true;
}

bool point_start(point *p)
{
    bool good = true;
    for (size_t i = 0; i < p->model->start.count; i++) {
        const model_value *v = &p->model->start.at[i];
        good = assign(p, v->symbol, v->value, v->span) && good;
    }
    return good;
}

static bool settable(const point *p, ah_expr e)
{
    if (expr_get_op(p->ctx, e) != EXPR_SYMBOL) return false;
    switch (expr_get_kind(p->ctx, e)) {
    case AH_TIME:
    case AH_COORDINATE:
    case AH_VELOCITY:
    case AH_SPEED: return true;
    default: return false;
    }
}

static void told_again(point *p, ah_expr symbol, double x, ah_span span)
{
    point_set(p, symbol, x);
    LIST_PUSH(p->arena, &p->told, ((point_told){span, AH_NONE}));
    frame_set(p->given, symbol, (double) p->told.count);
}

/* What `start` gives by formulas of values that are others now: y = 2*x after --at x=3. */
static void follow(point *p)
{
    for (size_t i = 0; i < p->model->start.count; i++) {
        const model_value *v = &p->model->start.at[i];
        if (v->written == AH_NONE || point_get_told(p, v->symbol).exact != v->value) continue;
        const double x = point_eval(p, v->written);
        if (x != point_get(p, v->symbol)) told_again(p, v->symbol, x, v->span);
    }
}

/* A component of an angular velocity in body axes, by e' of its attitude; the others stay, or are 0. */
static bool assign_omega(point *p, const model_value *v)
{
    int k;
    ah_expr rate[4];
    double x[4];
    const model_attitude *a = model_attitude_of(p->model, v->symbol, &k);
    if (!a) return false;
    ah_vector w = {{expr_int(p->ctx, 0), expr_int(p->ctx, 0), expr_int(p->ctx, 0)}};
    for (int j = 0; j < 3; j++)
        if (isfinite(point_eval(p, a->omega.c[j]))) w.c[j] = a->omega.c[j];
    w.c[k] = v->value;
    model_attitude_rates(p->model, a, w, rate);
    for (int i = 0; i < 4; i++) x[i] = point_eval(p, rate[i]);
    for (int i = 0; i < 4; i++) told_again(p, expr_dot(p->ctx, a->e[i]), x[i], v->span);
    return true;
}

/* A value is what its formula says of the whole state: what it uses has not changed after it. */
static bool still_holds(point *p, const model_value *v)
{
    int k;
    if (model_attitude_of(p->model, v->symbol, &k) ||
        point_eval(p, v->value) == point_get(p, v->symbol))
        return true;
    diag(p->ctx, A0603, v->span, "the value of `%s` uses what gets its own value after it",
         expr_text(p->ctx, p->arena, v->symbol, AH_ASCII));
    diag_hint(p->ctx, "it may use parameters and values that are given before it");
    return false;
}

bool point_read(point *p, const char *at)
{
    lang_values values;
    if (!lang_read_values(p->model, "--at", at, p->arena, &values)) return false;
    for (size_t i = 0; i < values.count; i++) {
        const model_value *v = &values.at[i];
        int k;
        if (model_attitude_of(p->model, v->symbol, &k)) continue; /* after the attitude */
        if (!settable(p, v->symbol)) {
            diag(p->ctx, A0604, v->span, "`%s` cannot be set in a state",
                 expr_text(p->ctx, p->arena, v->symbol, AH_ASCII));
            diag_hint(p->ctx, "a state gives t, coordinates, velocities and velocity parameters; "
                              "parameters are set with --set");
            return false;
        }
        if (!assign(p, v->symbol, v->value, v->span)) return false;
    }
    follow(p);
    for (size_t i = 0; i < values.count; i++)
        if (!still_holds(p, &values.at[i])) return false;
    for (size_t i = 0; i < values.count; i++) assign_omega(p, &values.at[i]);
    return true;
}

/* ---- Completing ------------------------------------------------------------------------------ */

mat point_places(point *p)
{
    LIST(ah_expr) f = {0};
    for (size_t i = 0; i < p->model->constraints.count; i++)
        if (p->model->constraints.at[i].order == MODEL_HOLONOMIC)
            LIST_PUSH(p->arena, &f, p->model->constraints.at[i].c);
    return mat_from_dense(p->ctx, p->arena, (uint32_t) f.count, 1, f.at);
}

static void clear(void *data)
{
    arena_clear(data);
}

/* An arena for what is done with once it is answered: along a long chain it is large. */
static void own_begin(point *p, arena *own, ctx_held *held)
{
    arena_init(own, p->ctx);
    ctx_hold(p->ctx, held, clear, own);
}

double point_residual(point *p, uint32_t *worst)
{
    const ah_model *m = p->model;
    uint32_t row = 0, holonomic = 0, which = 0;
    arena own;
    ctx_held held;
    own_begin(p, &own, &held);
    newton velocities = newton_create(p, &own, m->n, m->v.at, NULL, p->mech->C);
    newton places = newton_create(p, &own, m->n, m->q.at, NULL, point_places(p));
    const double v = newton_worst(&velocities, &row), q = newton_worst(&places, &holonomic);
    ctx_drop(p->ctx, &held);
    if (q > v) /* the row-th holonomic constraint */
        for (uint32_t i = 0; i < m->constraints.count; i++)
            if (m->constraints.at[i].order == MODEL_HOLONOMIC && which++ == holonomic) row = i;
    if (worst) *worst = row;
    return fmax(v, q);
}

/* Are the unknowns isolated at the point: has ∂f/∂unknown as many independent columns? */
static bool determined(point *p, mat f, const expr_list *unknown)
{
    const uint32_t n = (uint32_t) unknown->count;
    if (!n) return true;
    const mat J =
        mat_transpose(p->ctx, p->arena, mat_jacobian(p->ctx, p->arena, f, n, unknown->at));
    double *A = NEW_ARRAY(p->arena, double, (size_t) n *f.rows + 1);
    const ah_expr *dense = mat_to_dense(p->ctx, p->arena, J);
    expr_plan_run(expr_plan_create(p->ctx, p->arena, dense, (size_t) n * f.rows), p->values, A);
    uint32_t *order = NEW_ARRAY(p->arena, uint32_t, n);
    return linear_row_rank(&p->ctx->scratch, n, f.rows, A, order) == n;
}

/* Sets it to what the model says that it is near. */
static bool guessed(point *p, ah_expr symbol)
{
    for (size_t i = 0; i < p->model->guesses.count; i++)
        if (p->model->guesses.at[i].symbol == symbol) {
            point_set(p, symbol, point_eval(p, p->model->guesses.at[i].value));
            return true;
        }
    return false;
}

/* What is assumed of places and times alone, the side on which a body touches; and what is preferred where no guess says more. */
static bool places_as_assumed(point *p)
{
    const ah_model *m = p->model;
    for (size_t i = 0; i < m->facts.count; i++) {
        const algebra_fact *f = &m->facts.at[i];
        bool moves = false;
        for (uint32_t k = 0; k < m->n && !moves; k++)
            moves = expr_depends(p->ctx, f->e, m->v.at[k]);
        for (size_t k = 0; k < m->speeds.count && !moves; k++)
            moves = expr_depends(p->ctx, f->e, m->speeds.at[k].symbol);
        const double x = moves ? 1 : point_eval(p, f->e);
        if (f->positive ? !(x > 0 || (f->border && x == 0)) : x == 0) return false;
    }
    for (size_t i = 0; i < m->sides.count && !m->guesses.count; i++)
        if (!(point_eval(p, m->sides.at[i]) > 0)) return false;
    return true;
}

/* Sets it to a place of the range in which the model seeks it. */
static bool ranged(point *p, ah_expr symbol, size_t g)
{
    static const double s[] = {0, 0.1, 0.35, 0.6, 0.85, 0.01, 1, 3};
    for (size_t i = 0; i < p->model->ranges.count; i++) {
        const model_range *r = &p->model->ranges.at[i];
        if (r->symbol != symbol) continue;
        const size_t k = r->apart ? 3 * g + 2 + g / 8 : g;
        const double x = point_eval(p, r->from) + s[k % 8] * point_eval(p, r->along);
        point_set(p, symbol, x);
        return isfinite(x);
    }
    return false;
}

/* The g-th first guess of the i-th unknown: 0, some sizes, then the signs of the bits of g too, so that
 * every octant is tried. */
static double first_guess(size_t g, size_t i)
{
    static const double size[] = {0, -0.5, 0.5, -2, 2, 0.1, -0.1};
    const size_t sizes = sizeof size / sizeof *size;
    if (g < sizes) return size[g] * (1 + 0.1 * (double) (g > 0 ? i : 0));
    const size_t bits = (g - sizes) % 8, round = (g - sizes) / 8;
    return (bits >> i % 3 & 1 ? -1 : 1) * (round ? 3 : 0.3) * (1 + 0.1 * (double) i);
}

/* How far the unknowns are from what the model says that they are near; -1: it says nothing of them. *all: of all
 * of them it does. */
static double from_guesses(point *p, const expr_list *unknown, bool *all)
{
    double sum = 0;
    size_t count = 0;
    for (size_t i = 0; i < unknown->count; i++) {
        const double x = point_get(p, unknown->at[i]);
        if (!guessed(p, unknown->at[i])) continue;
        sum += (x - point_get(p, unknown->at[i])) * (x - point_get(p, unknown->at[i]));
        point_set(p, unknown->at[i], x);
        count++;
    }
    *all = count == unknown->count;
    return count ? sum : -1;
}

/* The attitude of which the coordinate is a component, the k-th; NULL: of none. */
static const model_attitude *attitude_with(const point *p, ah_expr q, int *k)
{
    for (size_t i = 0; i < p->model->attitudes.count; i++)
        for (*k = 0; *k < 4; (*k)++)
            if (p->model->attitudes.at[i].e[*k] == q) return &p->model->attitudes.at[i];
    return NULL;
}

/* The g-th first guess of an attitude: along the axes, then turned by an angle about one of them or another direction. */
static double first_attitude(size_t g, int k)
{
    static const double turned[][4] = {
        {1, 0, 0, 0},     {.9, .1, .2, .3}, {.7, .7, 0, .1},   {.7, 0, .7, .1},  {.7, .1, 0, .7},
        {.7, -.7, .1, 0}, {.7, .1, -.7, 0}, {.7, 0, .1, -.7},  {.5, .5, .5, .5}, {.1, 1, 0, 0},
        {.1, 0, 1, 0},    {.1, 0, 0, 1},    {.5, -.5, .5, -.5}};
    return turned[g % (sizeof turned / sizeof *turned)][k];
}

static void guess(point *p, const expr_list *unknown, size_t g, size_t sizes)
{
    int k;
    for (size_t i = 0; i < unknown->count; i++) {
        const ah_expr q = unknown->at[i];
        if (guessed(p, q) || ranged(p, q, g)) continue;
        point_set(p, q, attitude_with(p, q, &k) ? first_attitude(g, k) : first_guess(g % sizes, i));
    }
}

/* Coordinates that are missing from the holonomic constraints: from 0, then from other places, until
 * the assumptions hold; without these where they never do. Where the model says what some of them are
 * near, the solution that is nearest. Attitudes among them may stay free in part: the least change of the first guess
 * tells them. */
/* Why no coordinates were found. */
typedef struct reasons {
    const char
        *pole;  /* the body whose angles are at their pole where the constraints hold; or NULL */
    bool loose; /* they hold, but leave some coordinate free */
} reasons;

static bool find_coordinates(point *p, reasons *why)
{
    enum { GUESSES = 23 };
    const double nearer = 0.999; /* than by rounding */
    const mat f = point_places(p);
    expr_list unknown = {0}, told = {0};
    int k;
    for (uint32_t i = 0; i < p->model->n; i++) {
        const ah_expr q = p->model->q.at[i];
        if (point_is_given(p, q)) continue;
        LIST_PUSH(p->arena, &unknown, q);
        if (!attitude_with(p, q, &k)) LIST_PUSH(p->arena, &told, q);
    }
    if (!unknown.count || f.rows < told.count) return !unknown.count;
    probe_newton *solver = probe_newton_create(p->model, p->arena,
                                               mat_to_dense(p->ctx, p->arena, f), f.rows, &unknown);
    double *best = NEW_ARRAY(p->arena, double, unknown.count), least = -1;
    for (size_t g = 0; g < 2 * GUESSES && (g < GUESSES || least < 0); g++) {
        guess(p, &unknown, g, GUESSES);
        if (!probe_newton_run(solver, p->values)) continue;
        if (!determined(p, f, &told)) {
            why->pole = why->pole ? why->pole : point_pole(p);
            why->loose = true;
            continue;
        }
        if (g < GUESSES && !places_as_assumed(p)) continue;
        bool all;
        const double off = from_guesses(p, &unknown, &all);
        if (least >= 0 && off >= nearer * least) continue;
        for (size_t i = 0; i < unknown.count; i++) best[i] = point_get(p, unknown.at[i]);
        least = fmax(off, 0);
        if (off < 0 || all) break;
    }
    for (size_t i = 0; least >= 0 && i < unknown.count; i++) {
        point_set(p, unknown.at[i], best[i]);
        frame_set(p->given, unknown.at[i], 1);
    }
    return least >= 0;
}

void point_upright(point *p)
{
    for (size_t i = 0; i < p->model->attitudes.count; i++) {
        const ah_expr *e = p->model->attitudes.at[i].e;
        bool given = false;
        for (int k = 0; k < 4; k++) given = given || point_is_given(p, e[k]) || guessed(p, e[k]);
        for (int k = 0; k < 4 && !given; k++) {
            point_set(p, e[k], k == 0);
            frame_set(p->given, e[k], 1);
        }
    }
}

/* Those of which nothing was said (they are told by entry 1, which is nobody's) are unknowns, too. */
static bool find_with_attitudes(point *p, reasons *why)
{
    bool any = false;
    for (size_t i = 0; i < p->model->attitudes.count; i++) {
        const ah_expr *e = p->model->attitudes.at[i].e;
        bool said = false;
        for (int k = 0; k < 4; k++) said = said || frame_get(p->given, e[k]) > 1;
        for (int k = 0; k < 4 && !said; k++) frame_set(p->given, e[k], 0);
        any = any || !said;
    }
    return any && find_coordinates(p, why);
}

static bool has_start(const ah_model *m, ah_expr symbol)
{
    for (size_t i = 0; i < m->start.count; i++)
        if (m->start.at[i].symbol == symbol) return true;
    return false;
}

static bool complete_coordinates(point *p)
{
    bool good = true;
    size_t missing = 0;
    reasons why = {0};
    point_upright(p);
    if (find_coordinates(p, &why) || find_with_attitudes(p, &why)) return true;
    point_upright(p); /* attitudes of which nothing was said are not what is missing */
    for (uint32_t i = 0; i < p->model->n; i++) missing += !point_is_given(p, p->model->q.at[i]);
    const bool enough = point_places(p).rows >= missing;
    const char *hint =
        !enough ? "add it to `start` or to --at: the holonomic constraints do not tell it"
        : why.loose
            ? "add it to `start` or to --at: where the holonomic constraints hold they leave "
              "something free"
            : "the holonomic constraints gave none: what is given may contradict them, or "
              "`start … near …` says where to look";
    for (uint32_t i = 0; i < p->model->n; i++) {
        if (point_is_given(p, p->model->q.at[i])) continue;
        diag(p->ctx, A0605, p->model->q_span.at[i],
             "the state gives no value for the coordinate `%s`",
             expr_get_name(p->ctx, p->model->q.at[i]));
        if (why.pole)
            diag_hint(
                p->ctx,
                "the constraints hold the angles of `%s` at their pole: `turn free e` has none",
                why.pole);
        why.pole = NULL; /* told once */
        diag_hint(p->ctx, "%s",
                  has_start(p->model, p->model->q.at[i])
                      ? "add it to --at, which is the whole state: `start` does not count beside it"
                      : hint);
        good = false;
    }
    return good;
}

/* v = ψ(q, z, t); velocities that were given besides must agree. */
static bool velocities_from_speeds(point *p)
{
    const uint32_t n = p->model->n;
    double *v = NEW_ARRAY(p->arena, double, n), size = 0;
    for (uint32_t i = 0; i < n; i++) {
        v[i] = point_eval(p, p->model->psi.at[i]);
        size = fmax(size, fabs(v[i]));
    }
    for (uint32_t i = 0; i < n; i++) {
        const ah_expr s = p->model->v.at[i];
        if (!point_is_given(p, s)) {
            point_set(p, s, v[i]);
        } else if (!(fabs(v[i] - point_get(p, s)) <= POINT_ADMISSIBLE * fmax(size, 1e-300))) {
            diag(p->ctx, A0606, point_get_told(p, s).span,
                 "the velocity `%s'` = %.17g contradicts the velocity parameters, which give %.17g",
                 expr_get_name(p->ctx, s), point_get(p, s), v[i]);
            diag_hint(p->ctx, "give either the velocities or the parameters");
            return false;
        }
    }
    return true;
}

/* Equations for the velocities: the constraints, and the quasi-velocities that were given. */
static mat velocity_equations(point *p)
{
    LIST(ah_expr) g = {0};
    for (uint32_t i = 0; i < p->mech->r; i++)
        LIST_PUSH(p->arena, &g, mat_get(p->ctx, p->mech->C, i, 0));
    for (size_t i = 0; i < p->model->quasivelocities.count; i++) {
        const model_speed *w = &p->model->quasivelocities.at[i];
        if (!point_is_given(p, w->symbol)) continue;
        const ah_expr value = point_get(p, w->symbol) == 0 ? expr_int(p->ctx, 0) : w->symbol;
        LIST_PUSH(p->arena, &g, expr_sub(p->ctx, w->definition, value));
    }
    return mat_from_dense(p->ctx, p->arena, (uint32_t) g.count, 1, g.at);
}

/* Quasi-velocities that were given besides all velocities must agree with these. */
static bool quasivelocities_agree(point *p)
{
    for (size_t i = 0; i < p->model->quasivelocities.count; i++) {
        const model_speed *w = &p->model->quasivelocities.at[i];
        if (!point_is_given(p, w->symbol)) continue;
        const double given = point_get(p, w->symbol), found = point_eval(p, w->definition);
        if (!isfinite(found)) continue; /* reported elsewhere */
        if (fabs(found - given) <= POINT_ADMISSIBLE * fmax(1, fabs(found) + fabs(given))) continue;
        diag(p->ctx, A0606, point_get_told(p, w->symbol).span,
             "the quasi-velocity `%s` = %.17g contradicts the velocities, which give %.17g",
             expr_get_name(p->ctx, w->symbol), given, found);
        diag_hint(p->ctx, "give fewer velocities, so that some can follow from it");
        return false;
    }
    return true;
}

/* Reports what is not a number at the point, if anything is. */
static bool is_undefined(point *p)
{
    const char *what = point_undefined(p);
    if (!what) return false;
    diag(p->ctx, A0603, NOWHERE, "%s", what);
    diag_hint(p->ctx, "begin at a state where it is defined");
    return true;
}

/* Reports a constraint on velocities whose row is nothing but round-off at the point, if one is. */
static bool is_singular(point *p)
{
    const mat J = p->mech->J;
    probe_matrix x = probe_matrix_create(p->model, p->arena, J);
    if (!probe_matrix_run(&x, p->values)) return false;
    for (uint32_t i = 0; i < J.rows; i++) {
        if (!probe_matrix_noise(p->ctx, &x, i)) continue;
        diag(p->ctx, A0609, NOWHERE,
             "at this place the constraint `%s` binds nothing: a singular state",
             p->model->constraints.at[i].label);
        return true;
    }
    return false;
}

/* By the shortest way from rest; *left is what is left of the constraints. */
static bool find_velocities(point *p, const bool *fixed, double *left)
{
    arena own;
    ctx_held held;
    own_begin(p, &own, &held);
    newton w = newton_create(p, &own, p->model->n, p->model->v.at, fixed, velocity_equations(p));
    /* Zeros that satisfy the constraints, but for rounding, are the nearest to rest. */
    const bool found = newton_residual(&w) <= POINT_RESTING || newton_minimise(&w);
    *left = found ? 0 : newton_residual(&w);
    ctx_drop(p->ctx, &held);
    return found;
}

/* Could they be found if none were given? */
static bool given_velocities_contradict(point *p)
{
    double left;
    uint32_t worst = 0;
    bool any = false;
    for (uint32_t i = 0; i < p->model->n; i++) any |= point_is_given(p, p->model->v.at[i]);
    if (!any) return false;
    point_residual(p, &worst);
    const bool *none = NEW_ARRAY(p->arena, bool, p->model->n);
    if (!find_velocities(p, none, &left)) return false;
    const model_constraint *c = &p->model->constraints.at[worst];
    diag(p->ctx, A0607, c->span, "the velocities that are given contradict the constraints");
    diag_note(p->ctx, NOWHERE, "`%s` is furthest from what it says", c->label);
    diag_hint(p->ctx, "give fewer of them: those that are missing are found from the constraints");
    return true;
}

static bool quasivelocity_given(const point *p)
{
    bool any = false;
    for (size_t i = 0; i < p->model->quasivelocities.count; i++)
        any |= point_is_given(p, p->model->quasivelocities.at[i].symbol);
    return any;
}

/* `project`: those that are given and contradict the constraints are a first guess, beside rest. */
static bool complete_velocities(point *p, bool project)
{
    double left;
    const uint32_t n = p->model->n;
    const ah_expr *v = p->model->v.at;
    if (point_speeds_given(p)) return velocities_from_speeds(p);
    bool *fixed = NEW_ARRAY(p->arena, bool, n), missing = false;
    for (uint32_t i = 0; i < n; i++) {
        fixed[i] = point_is_given(p, v[i]);
        if (fixed[i]) continue;
        missing = true;
        point_set(p, v[i], 0);
    }
    if (!missing) return quasivelocities_agree(p);
    if (find_velocities(p, fixed, &left)) return true;
    if (!isfinite(point_residual(p, NULL)) && is_undefined(p)) return false;
    if (project && !quasivelocity_given(p)) {
        for (uint32_t i = 0; i < n; i++)
            if (!fixed[i]) point_set(p, v[i], 0);
        return true;
    }
    if (is_singular(p) || given_velocities_contradict(p)) return false;
    diag(p->ctx, A0607, NOWHERE, "the missing velocities cannot be found from the constraints");
    diag_note(p->ctx, NOWHERE, "the relative residual stays at %.3g", left);
    const char *pole = point_pole(p);
    if (pole)
        diag_hint(p->ctx,
                  "the angles of `%s` are at their pole: begin elsewhere, or write `turn free e`",
                  pole);
    else
        diag_hint(p->ctx, "give more velocities, or values nearer to an admissible state");
    return false;
}

/* ---- Whole states ---------------------------------------------------------------------------- */

static bool check_admissible(point *p, bool project)
{
    uint32_t worst = 0;
    p->residual = point_residual(p, &worst);
    if (p->residual <= POINT_ADMISSIBLE) return true;
    if (!isfinite(p->residual) && is_undefined(p)) return false;
    const model_constraint *c = &p->model->constraints.at[worst];
    diag(p->ctx, A0608, c->span, "the state contradicts the constraint `%s`", c->label);
    diag_label(p->ctx, "relative residual %.3g", p->residual);
    diag_hint(p->ctx, project ? "change the state: no admissible one was found near it"
                              : "change the state, or let --project find an admissible one nearby");
    return false;
}

double point_beyond_break(const point *p, double t)
{
    const expr_list *breaks = model_breaks(p->model);
    double gap = INFINITY;
    bool at_one = false;
    if (!breaks->count) return t;
    const arena_mark mark = arena_get_mark(&p->ctx->scratch);
    double *time = NEW_ARRAY(&p->ctx->scratch, double, breaks->count);
    expr_plan_run(expr_plan_create(p->ctx, &p->ctx->scratch, breaks->at, breaks->count), p->values,
                  time);
    for (size_t i = 0; i < breaks->count; i++)
        if (time[i] == t)
            at_one = true;
        else
            gap = fmin(gap, fabs(time[i] - t));
    arena_release(&p->ctx->scratch, mark);
    return at_one ? t + POINT_BEYOND * DBL_EPSILON * fmax(fabs(t), isfinite(gap) ? gap : 1) : t;
}

static bool complete_rest(point *p, bool project)
{
    if (!complete_velocities(p, project)) return false;
    if (project && point_residual(p, NULL) > POINT_PROJECTED) {
        point_move_to_nearest(p);
        if (p->moved > 0 &&
            point_speeds_given(p)) /* the z that were given are only a first guess now */
            for (size_t i = 0; i < p->model->speeds.count; i++)
                frame_set(p->given, p->model->speeds.at[i].symbol, 0);
    }
    if (!check_admissible(p, project)) return false;
    if (point_find_speeds(p) || p->mech->r) return true; /* it may be another branch of the form */
    diag(p->ctx, A0608, p->model->speeds.at[0].span,
         "the velocities contradict the `velocity` statement");
    diag_hint(p->ctx, "change them, or give values to the velocity parameters instead");
    return false;
}

bool point_complete(point *p, bool project)
{
    const double t = point_get(p, p->mech->t);
    if (!complete_coordinates(p)) return false;
    point_set(p, p->mech->t, point_beyond_break(p, t));
    const bool good = complete_rest(p, project);
    point_set(p, p->mech->t, t);
    return good;
}

bool point_at_random(ah_model *m, states *random, states_rng *rng, arena *a, point *out)
{
    *out = point_around(m, probe_values(m, a), a);
    return analyse_random_state(random, rng, out->values);
}

bool point_wished(ah_model *m, states *random, states_rng *rng, const probe_wish *wish, arena *a,
                  point *out)
{
    *out = point_around(m, probe_values(m, a), a);
    return analyse_wished_state(random, rng, wish, out->values);
}

frame *point_sample(point *p)
{
    const ah_model *m = p->model;
    expr_list symbols = {0};
    LIST_PUSH(p->arena, &symbols, p->mech->t);
    for (uint32_t i = 0; i < m->n; i++) {
        LIST_PUSH(p->arena, &symbols, m->q.at[i]);
        LIST_PUSH(p->arena, &symbols, m->v.at[i]);
    }
    for (size_t i = 0; i < m->speeds.count; i++)
        LIST_PUSH(p->arena, &symbols, m->speeds.at[i].symbol);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        LIST_PUSH(p->arena, &symbols, m->quasivelocities.at[i].symbol);
    for (size_t i = 0; i < m->parameters.count; i++)
        LIST_PUSH(p->arena, &symbols, m->parameters.at[i].symbol);
    frame *sample = frame_create(m->ctx, p->arena, 0);
    for (size_t i = 0; i < symbols.count; i++)
        frame_set(sample, symbols.at[i], point_get(p, symbols.at[i]));
    return sample;
}
