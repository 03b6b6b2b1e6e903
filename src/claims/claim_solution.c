/* claims/claim_solution.c - `solution x = f(t), y' = g(t)`: functions of time that solve the equations of motion.
 *
 * Of a coordinate itself or its velocity is given, the latter through t and coordinates: then where it is is free.
 * Put into the constraints, and their second derivatives beside the accelerations that the motion has at the state
 * (f, f', t), they must leave identities in t and the parameters. Times and parameters are drawn first; a state at which
 * something differs is looked at in balls, which alone refute. Of times at which the assumptions do not hold, or
 * something does not exist, nothing is said; nor where every state on the way is singular. */
#include "claim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Beyond this share of its terms a difference is looked at in balls. */
#define SOLUTION_ROUNDING 1e-10

enum { SOLUTION_BITS = 256, SOLUTION_ATTEMPTS = 6, SOLUTION_LOOKS = 10 };

/* One thing that must hold on the way: both sides in t, q, v, z and what the motion makes. */
typedef struct row {
    ah_expr left, right;
    ah_expr motion;   /* of the right: an acceleration or z'; AH_NONE: none */
    const char *says; /* what it is about */
} row;

typedef struct path {
    verification *v;
    const model_statement *s;
    size_t given; /* symbols of q, v, z and their functions of time */
    ah_expr *symbol, *value;
    const eval_method *method;
    quantity rate; /* of its sheet: q'' or z' */
    LIST(row) rows;
    expr_plan
        *plan; /* both sides of every row, the left one twice where the motion is on the right */
    double *out, *scale;
    edges *edges; /* along the time, of all that the way meets; NULL: none */
    bool regular; /* a time was met at which the equations determine the motion */
} path;

/* ---- Making ---------------------------------------------------------------------------------- */

static ah_expr function_of(const path *w, ah_expr symbol)
{
    for (size_t i = 0; i < w->s->values; i++)
        if (w->s->value[i].symbol == symbol) return w->s->value[i].value;
    return AH_NONE;
}

static void give(path *w, ah_expr symbol, ah_expr value)
{
    w->symbol[w->given] = symbol;
    w->value[w->given++] = value;
}

static void add_row(path *w, ah_expr left, ah_expr right, ah_expr motion, const char *says)
{
    const row made = {left, right, motion, says};
    LIST_PUSH(w->v->arena, &w->rows, made);
}

static ah_expr on_way(const path *w, ah_expr e)
{
    return expr_subst(w->v->ctx, e, w->given, w->symbol, w->value);
}

/* d/dt on the way: velocities that are given hold coordinates. */
static ah_expr rate_on_way(const path *w, ah_expr e)
{
    return on_way(w, expr_dt(w->v->ctx, e));
}

static const char *called(const path *w, const char *what, ah_expr symbol)
{
    return arena_printf(w->v->arena, "%s %s", what,
                        expr_text(w->v->ctx, w->v->arena, symbol, AH_TEXT));
}

/* The constraints, and velocities through the velocity form. */
static void add_constraints(path *w)
{
    const ah_model *m = w->v->model;
    ah_ctx *ctx = w->v->ctx;
    const ah_expr zero = expr_int(ctx, 0);
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        add_row(w, on_way(w, c->c), zero, AH_NONE,
                arena_printf(w->v->arena, "the constraint %s", c->label));
    }
    bool all = m->speeds.count > 0;
    for (size_t i = 0; i < m->speeds.count; i++)
        all = all && function_of(w, m->speeds.at[i].symbol) != AH_NONE;
    for (uint32_t i = 0; all && i < m->n; i++)
        add_row(w, on_way(w, m->v.at[i]), on_way(w, m->psi.at[i]), AH_NONE,
                called(w, "the velocity form of", m->q.at[i]));
}

static void add_motion(path *w)
{
    verification *v = w->v;
    const ah_model *m = v->model;
    const bool plain = m->constraints.count || !m->speeds.count;
    w->method = plain ? &v->multipliers : &v->parametric;
    if (w->method->refused) return;
    w->rate = plain ? w->method->eq->qddot : w->method->eq->speeds_dot;
    const size_t count = plain ? m->n : m->speeds.count;
    for (size_t i = 0; i < count; i++) {
        const ah_expr symbol = plain ? m->v.at[i] : m->speeds.at[i].symbol;
        const ah_expr motion =
            plain ? m->a.at[i] : mat_get(v->ctx, v->mech->chart.zdot, (uint32_t) i, 0);
        add_row(w, rate_on_way(w, on_way(w, symbol)), motion, motion,
                called(w, "the rate of", symbol));
    }
}

/* The functions, and what the system is made of with them put in. */
static edges *edges_on_way(const path *w)
{
    verification *v = w->v;
    const ah_model *m = v->model;
    expr_list roots = {0};
    for (size_t i = 0; i < w->given; i++) LIST_PUSH(v->arena, &roots, w->value[i]);
    LIST_PUSH(v->arena, &roots, on_way(w, m->T));
    LIST_PUSH(v->arena, &roots, on_way(w, m->V));
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(v->arena, &roots, on_way(w, m->F[i]));
    for (size_t i = 0; i < m->constraints.count; i++)
        LIST_PUSH(v->arena, &roots, on_way(w, m->constraints.at[i].c));
    return edges_of(v->model, v->arena, roots.at, roots.count);
}

static path path_create(verification *v, const model_statement *s)
{
    const ah_model *m = v->model;
    path w = {.v = v, .s = s, .rate = QUANTITY_NONE};
    w.symbol = NEW_ARRAY(v->arena, ah_expr, 2 * m->n + m->speeds.count + 1);
    w.value = NEW_ARRAY(v->arena, ah_expr, 2 * m->n + m->speeds.count + 1);
    for (uint32_t i = 0; i < m->n; i++) {
        const ah_expr f = function_of(&w, m->q.at[i]);
        if (f == AH_NONE) continue;
        give(&w, m->q.at[i], f);
        give(&w, m->v.at[i], expr_dt(v->ctx, f));
    }
    for (uint32_t i = 0; i < m->n; i++) {
        const ah_expr f = function_of(&w, m->v.at[i]);
        if (f != AH_NONE) give(&w, m->v.at[i], on_way(&w, f));
    }
    for (size_t i = 0; i < m->speeds.count; i++) {
        const ah_expr f = function_of(&w, m->speeds.at[i].symbol);
        if (f != AH_NONE) give(&w, m->speeds.at[i].symbol, f);
    }
    add_constraints(&w);
    add_motion(&w);
    ah_expr *e = NEW_ARRAY(v->arena, ah_expr, 2 * w.rows.count + 1);
    for (size_t i = 0; i < w.rows.count; i++) {
        const row *r = &w.rows.at[i];
        e[2 * i] = r->left;
        e[2 * i + 1] = r->motion == AH_NONE ? r->right : r->left;
    }
    model_put_values(v->model, e, 2 * w.rows.count);
    w.plan = expr_plan_create(v->ctx, v->arena, e, 2 * w.rows.count);
    w.out = NEW_ARRAY(v->arena, double, 2 * w.rows.count + 1);
    w.scale = NEW_ARRAY(v->arena, double, 2 * w.rows.count + 1);
    w.edges = edges_on_way(&w);
    return w;
}

/* Where it is is drawn at random, and would satisfy the constraint but for rounding. */
static bool binds_free(const path *w)
{
    const ah_model *m = w->v->model;
    for (size_t i = 0; i < m->constraints.count; i++)
        for (uint32_t k = 0; m->constraints.at[i].order == MODEL_HOLONOMIC && k < m->n; k++)
            if (function_of(w, m->q.at[k]) == AH_NONE &&
                expr_depends(w->v->ctx, m->constraints.at[i].c, m->q.at[k]))
                return true;
    return false;
}

/* Roots that vanish, absolute values, angles: a function may turn a corner there, or jump, and solve the equations
 * between. */
static bool may_turn(const verification *v, ah_expr e)
{
    ah_ctx *ctx = v->ctx;
    long whole;
    if (!expr_depends(ctx, e, expr_time(ctx))) return false;
    if (expr_get_op(ctx, e) == EXPR_POWER &&
        !expr_is_int(ctx, expr_get_children(ctx, e)[1], &whole)) {
        /* a base that crosses zero ends the function; one that touches it makes a corner */
        const ah_expr base = expr_get_children(ctx, e)[0];
        const int crosses = algebra_sign(v->mech->alg, expr_diff(ctx, base, expr_time(ctx)));
        return algebra_sign(v->mech->alg, base) != 1 && crosses != 1 && crosses != -1;
    }
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    return f == AH_ABS || f == AH_SIGN || f == AH_ASIN || f == AH_ACOS || f == AH_ATAN2;
}

/* Or poles that a function hides: atan(tan(t)) jumps, and so does the velocity of t*atan(1/t). Where it is infinite the motion ends. */
static bool has_corners(const path *w)
{
    for (size_t i = 0; i < w->given; i++)
        if (claim_jump_of_way(w->v, on_way(w, w->value[i]),
                              expr_get_kind(w->v->ctx, w->symbol[i]) != AH_COORDINATE))
            return true;
    const expr_list all = expr_reachable(w->v->ctx, w->v->arena, w->value, w->given);
    for (size_t i = 0; i < all.count; i++) {
        ah_expr e = all.at[i];
        model_put_values(w->v->model, &e, 1);
        if (may_turn(w->v, e)) return true;
    }
    return false;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Times before zero and after it, of all sizes, and at the edges of what the way meets. */
static void move_time(const path *w, size_t k, states_rng *rng, point *p)
{
    const ah_expr t = expr_time(w->v->ctx);
    const double sign = k % 4 == 1 || k % 8 == 2 ? -1 : 1;
    const double size = k % 4 == 2 ? pow(10, probe_uniform(rng, -2, 3)) : 1;
    point_set(p, t, sign * size * point_get(p, t));
    if (k % 4 == 3 && w->edges) edges_bend(w->edges, rng, p->values);
}

/* t and the free parameters are those of a random state, t in the k-th way. */
static bool put_time(path *w, size_t k, states_rng *rng, point *p)
{
    verification *v = w->v;
    if (!point_at_random(v->model, v->parts[0], rng, &v->ctx->scratch, p)) return false;
    move_time(w, k, rng, p);
    for (size_t i = 0; i < w->given; i++) {
        const double x = point_eval(p, w->value[i]);
        if (!isfinite(x)) return false;
        point_set(p, w->symbol[i], x);
    }
    for (size_t i = 0; i < v->model->quasivelocities.count; i++) {
        const model_speed *s = &v->model->quasivelocities.at[i];
        point_set(p, s->symbol, point_eval(p, s->definition));
    }
    for (size_t i = 0; i < w->s->conditions + v->model->facts.count; i++) {
        const algebra_fact *f =
            i < w->s->conditions ? &w->s->condition[i] : &v->model->facts.at[i - w->s->conditions];
        const double x = point_eval(p, f->e);
        if (!(f->border ? x >= 0 : f->positive ? x > 0 : x != 0)) return false;
    }
    return true;
}

/* NULL: there is no motion at the state. */
static const double *motion_at(path *w, point *p)
{
    const eval_result r = eval_at(w->method, p);
    if (r.refused) return NULL;
    return run_get(w->method->runner, w->rate);
}

static size_t motion_row(const path *w, size_t i)
{
    size_t k = 0;
    for (size_t j = 0; j < i; j++) k += w->rows.at[j].motion != AH_NONE;
    return k;
}

typedef struct look {
    path *w;
    ball_frame *ball;
    arb_ptr out; /* two sides, then the rates */
} look;

static void put_double(look *l, const point *p, ah_expr symbol)
{
    arb_set_d(ball_frame_ref(l->ball, symbol), point_get(p, symbol));
}

/* The state in balls: t and the free parameters at the doubles that they are, all else through them. */
static void enclose_state(look *l, const point *p)
{
    verification *v = l->w->v;
    const ah_model *m = v->model;
    put_double(l, p, expr_time(v->ctx));
    for (size_t i = 0; i < m->parameters.count; i++) {
        const model_parameter *q = &m->parameters.at[i];
        if (q->value == AH_NONE)
            put_double(l, p, q->symbol);
        else
            ball_frame_put(l->ball, q->symbol, q->value, SOLUTION_BITS);
    }
    for (uint32_t i = 0; i < m->n; i++) /* the free ones; the others are written over */
        put_double(l, p, m->q.at[i]);
    for (size_t i = 0; i < l->w->given; i++)
        ball_frame_put(l->ball, l->w->symbol[i], l->w->value[i], SOLUTION_BITS);
}

static bool inside(look *l)
{
    verification *v = l->w->v;
    for (size_t i = 0; i < l->w->s->conditions; i++) {
        const algebra_fact *f = &l->w->s->condition[i];
        expr_eval_balls(l->ball, &f->e, 1, SOLUTION_BITS, l->out);
        if (!(f->border     ? arb_is_nonnegative(l->out)
              : f->positive ? arb_is_positive(l->out)
                            : arb_is_nonzero(l->out)))
            return false;
    }
    return enclosed_assumed(v->enclosed, l->ball, SOLUTION_BITS) == AH_TRUE &&
           enclosed_exists(v->enclosed, &v->model->needs, l->ball, SOLUTION_BITS) == AH_TRUE;
}

/* Is the row for certain different on both sides? After the motion was run at the point. */
static bool differs(look *l, size_t i)
{
    path *w = l->w;
    const row *r = &w->rows.at[i];
    const enclose_entry wanted = {w->rate, l->out + 2};
    ah_expr sides[] = {r->left, r->motion == AH_NONE ? r->right : r->left};
    expr_eval_balls(l->ball, sides, 2, SOLUTION_BITS, l->out);
    if (r->motion != AH_NONE) {
        if (!enclose_sheet(w->method->eq->sheet, w->method->runner, l->ball, SOLUTION_BITS, &wanted,
                           1))
            return false;
        arb_set(l->out + 1, l->out + 2 + motion_row(w, i));
    }
    return arb_is_finite(l->out) && arb_is_finite(l->out + 1) && !arb_overlaps(l->out, l->out + 1);
}

static bool is_certain(path *w, const point *p, size_t i, verify_claim *out)
{
    verification *v = w->v;
    arena *scratch = &v->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    look l = {.w = w,
              .ball = ball_frame_create(v->ctx, scratch),
              .out = ball_array(scratch, 2 + v->model->n + v->model->speeds.count)};
    enclose_state(&l, p);
    const bool certain = inside(&l) && differs(&l, i);
    if (certain) {
        out->values = frame_copy(v->arena, p->values);
        out->left = arf_get_d(arb_midref(l.out), ARF_RND_NEAR);
        out->right = arf_get_d(arb_midref(l.out + 1), ARF_RND_NEAR);
        out->why = w->rows.at[i].says;
        out->verdict = AH_VERDICT_FALSE;
    }
    arena_release(scratch, mark);
    return certain;
}

/* The row that differs most in doubles, relative to its size; rows.count: none. */
static size_t worst_row(path *w, point *p, const double *motion)
{
    double worst = SOLUTION_ROUNDING;
    size_t at = w->rows.count;
    expr_plan_run_scaled(w->plan, p->values, w->out, w->scale);
    for (size_t i = 0; i < w->rows.count; i++) {
        const bool moves = w->rows.at[i].motion != AH_NONE;
        if (moves && !motion) continue;
        const double left = w->out[2 * i];
        const double right = moves ? motion[motion_row(w, i)] : w->out[2 * i + 1];
        const double size = w->scale[2 * i] + (moves ? fabs(right) : w->scale[2 * i + 1]);
        const double difference = fabs(left - right) / (size + DBL_MIN);
        if (!(difference > worst)) continue;
        worst = difference;
        at = i;
    }
    return at;
}

static void try_times(path *w, verify_claim *out, const char **open)
{
    verification *v = w->v;
    states_rng rng = probe_seed(v->seed);
    size_t looks = 0;
    for (size_t i = 0; i < SOLUTION_ATTEMPTS * v->states && out->states < v->states; i++) {
        ctx_tick(v->ctx);
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        if (put_time(w, i, &rng, &p)) {
            const double *motion = motion_at(w, &p);
            w->regular = w->regular || motion;
            const size_t bad = worst_row(w, &p, motion);
            if (bad == w->rows.count)
                out->states += motion != NULL;
            else if (looks++ < SOLUTION_LOOKS && !is_certain(w, &p, bad, out))
                *open = w->rows.at[bad].says;
        }
        arena_release(&v->ctx->scratch, mark);
        if (out->verdict == AH_VERDICT_FALSE || (i > 60 && !out->states && !looks)) break;
    }
}

/* After it held in doubles, with no proof: every row in balls at some times. */
static void look_closely(path *w, verify_claim *out)
{
    verification *v = w->v;
    states_rng rng = probe_seed(v->seed + 1);
    size_t seen = 0;
    for (size_t i = 0; i < SOLUTION_ATTEMPTS * SOLUTION_LOOKS && seen < SOLUTION_LOOKS; i++) {
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        if (put_time(w, i, &rng, &p) && motion_at(w, &p)) {
            seen++;
            for (size_t k = 0; k < w->rows.count && out->verdict != AH_VERDICT_FALSE; k++)
                is_certain(w, &p, k, out);
        }
        arena_release(&v->ctx->scratch, mark);
    }
}

/* ---- Identities ------------------------------------------------------------------------------ */

static bool vanishes(path *w, ah_expr e)
{
    model_put_values(w->v->model, &e, 1);
    return algebra_zero(w->v->mech->alg, e) == AH_TRUE;
}

static bool prove(path *w)
{
    verification *v = w->v;
    const bool plain = w->method == &v->multipliers;
    const formalism *f = plain ? &derive_motion_by_multipliers : &derive_motion_by_chart;
    work *out = plain ? v->plain_work : v->chart_work;
    const char *why, *instead;
    const ah_equations *eq = out ? derive_equations(v->model, f, NULL, &why, &instead) : NULL;
    mat x;
    if (!eq || switches_of(v->mech) == SWITCHES_SQUARED) return false;
    if (!work_out(out, plain ? eq->qddot : eq->speeds_dot, &x)) return false;
    for (size_t i = 0; i < w->rows.count; i++) {
        const row *r = &w->rows.at[i];
        ah_expr right = r->right;
        if (r->motion != AH_NONE) {
            right = switches_put(v->mech, mat_get(v->ctx, x, (uint32_t) motion_row(w, i), 0));
            if (eq->substitutions)
                right = expr_subst(v->ctx, right, eq->substitutions, eq->from, eq->to);
            right = on_way(w, right);
        }
        if (!vanishes(w, expr_sub(v->ctx, r->left, right))) return false;
    }
    return true;
}

/* ---- The claim ------------------------------------------------------------------------------- */

static void try_instances(verification *v, const model_claim *claim, verify_claim *out)
{
    const char *open = NULL;
    for (size_t i = 0; i < VERIFY_INSTANCES && out->verdict != AH_VERDICT_FALSE; i++) {
        verification *own = verify_instance(v, i);
        const model_claim mapped = model_claim_of(own->model, claim);
        path w = path_create(own, mapped.statement);
        if (w.rate == QUANTITY_NONE) return;
        try_times(&w, out, &open);
        if (out->verdict != AH_VERDICT_FALSE) continue;
        out->model = own->model;
        out->why = arena_printf(v->arena, "%s, with %s", out->why, v->says[i]);
    }
}

static bool is_named(const void *what, ah_expr parameter)
{
    const path *w = what;
    for (size_t i = 0; i < w->s->conditions; i++)
        if (expr_depends(w->v->ctx, w->s->condition[i].e, parameter)) return true;
    return false;
}

void claim_solution(verification *v, const model_claim *claim, verify_claim *out)
{
    const char *open = NULL;
    const path named = {.v = v, .s = claim->statement};
    ah_model *m = when_free(v->model, v->arena, is_named, &named);
    if (m != v->model) v = verify_open(m, v->states, v->seed);
    out->model = m;
    path w = path_create(v, claim->statement);
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = "the equations of motion are not determined by multipliers or a velocity form";
    if (w.rate == QUANTITY_NONE || v->branched) return;
    out->why = "a constraint on coordinates binds one that is not given as a function of time";
    if (binds_free(&w)) return;
    const bool general = model_is_general(v->model);
    if (general)
        try_instances(v, claim, out);
    else
        try_times(&w, out, &open);
    if (out->verdict == AH_VERDICT_FALSE) return;
    if (general ? !out->states : !w.regular) {
        out->why = "no time was found at which everything exists and the state is regular";
    } else if (has_corners(&w)) {
        out->why =
            "the functions may have corners or jumps, at which they would not solve the equations";
    } else if (prove(&w)) {
        out->why = NULL;
        out->verdict = AH_VERDICT_PROVED;
    } else if (open) { /* forces that cancel and were not proved to, too */
        out->why = arena_printf(v->arena, "%s differs in doubles, but no time is certain", open);
    } else {
        out->why = NULL;
        out->verdict = AH_VERDICT_HOLDS;
        if (!general) look_closely(&w, out);
    }
}
