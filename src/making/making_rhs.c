/* making/making_rhs.c - the right-hand side in several writings, of which the one that costs least is run.
 *
 *     the worksheet of the method as it stands,
 *     the same, simplified,
 *     its principle in its own speeds, where v = ψ(q, s, t) is known [MP, eq. 4.9]:
 *         (Ψᵀ M Ψ) s' = Ψᵀ (L − M (ψ_q ψ + ψ_t)),      Ψ = ∂ψ/∂s,
 *
 *     the same by points and bodies (making_parts.c),
 *
 *     the same where velocities follow from one another, link by link (making_links.c), in variables of links.h alone,
 *
 *     in independent accelerations, where velocities are the variables: those of the columns that are best at the sample state
 *         (recipe_least), without multipliers; M in angles is full, and Zᵀ M Z smaller than it,
 *
 *     through frames, in quasi-velocities of their own and independent accelerations (making_frames.c), where equations are long,
 *
 * each with what several products have in common multiplied once (compile/pairs.h),
 *
 * all of them the same equations, so that which of them runs is a matter of counted operations alone. Parameters count as
 * variables then: the choice is the same whether they may change or not. */
#include "making_steps.h"

#include <math.h>

/* Of the sum of its terms' sizes: what is less than this has lost its last digits. */
#define LEAST_DENOMINATOR 0.1

/* Simplified, in a frame of the motion's own on the norms of attitudes, too. */
mat making_shorter(making *w, recipe *r, mat m)
{
    const mat simple = recipe_simplify(r, m);
    if (!w->c->own.rows || !w->p->model->attitudes.count || !mat_entries(m)) return simple;
    return attitudes_on_norm(w->p->model, r->alg, w->p->arena, simple);
}

/* v → ψ, simplified. */
static mat reduced(making *w, recipe *r, mat m)
{
    const motion_code *c = w->c;
    return making_shorter(w, r,
                          mat_subst(w->p->ctx, w->p->arena, m, c->n, w->p->model->v.at, c->psi));
}

static bool lower_projected(making *w, recipe *r, expr_list *out)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const motion_code *c = w->c;
    mat rate;
    const mat psi = making_shorter(w, r, mat_from_dense(ctx, a, c->n, 1, c->psi));
    const mat Psi = mat_jacobian(ctx, a, psi, c->m, c->second);
    const mat PsiT = mat_transpose(ctx, a, Psi);
    const mat by_q = mat_jacobian(ctx, a, psi, c->n, w->p->model->q.at);
    const mat drift =
        mat_add(ctx, a, mat_mul(ctx, a, by_q, psi), mat_jacobian(ctx, a, psi, 1, &w->inputs.at[0]));
    const mat M = reduced(w, r, mechanics_mass(w->mech)), L = reduced(w, r, w->mech->L);
    const mat K = making_shorter(w, r, mat_mul3(ctx, a, PsiT, M, Psi));
    const mat rest = mat_sub(ctx, a, L, mat_mul(ctx, a, M, making_shorter(w, r, drift)));
    if (!recipe_solve(r, K, making_shorter(w, r, mat_mul(ctx, a, PsiT, rest)), &rate)) return false;
    making_push(w, out, psi);
    making_push(w, out, rate);
    return true;
}

/* Other columns are best elsewhere, so that programs have to be changed on the way (motion_pivots.h): tried where equations
 * are as long as this, and taken where they become shorter by so much. */
#define INDEPENDENT_FROM 1000
#define INDEPENDENT_GAIN 0.7
/* What is this much shorter than the worksheet as it stands is not found by simplifying that. */
#define SIMPLIFIED_GAIN 0.6

static bool lower_independently(making *w, recipe *r, expr_list *out)
{
    const mechanics *k = w->mech;
    mat rate;
    if (w->c->psi || w->c->row || !k->r || k->rank != k->r || k->tree || k->second_class)
        return false;
    if (!recipe_least(r, mechanics_mass(w->mech), k->J, k->L, k->gamma, k->rank, &rate))
        return false;
    for (uint32_t i = 0; i < w->c->n; i++) LIST_PUSH(w->p->arena, out, w->p->model->v.at[i]);
    making_push(w, out, rate);
    return true;
}

/* Velocities of declared quasi-velocities are fractions. Multiplied out, a denominator of several terms has lost digits
 * where it is small beside them; there the worksheet answers, by pivoting. */
static void guard_denominators(making *w, recipe *r)
{
    ah_ctx *ctx = w->p->ctx;
    expr_list seen = {0};
    for (uint32_t i = 0; i < w->c->n; i++) {
        ah_expr numerator, denominator;
        if (!algebra_fraction(w->alg, w->c->psi[i], &numerator, &denominator)) continue;
        const ah_expr size = expr_call1(ctx, AH_ABS, denominator);
        const ah_expr terms = expr_terms(ctx, denominator);
        bool known = terms == size || expr_get_op(ctx, denominator) == EXPR_NUMBER;
        for (size_t k = 0; k < seen.count; k++) known = known || seen.at[k] == denominator;
        if (known) continue;
        LIST_PUSH(w->p->arena, &seen, denominator);
        LIST_PUSH(w->p->arena, &r->guards, ((recipe_guard){size, terms, LEAST_DENOMINATOR}));
    }
}

/* The recipe of one writing; false: there is none. */
static bool lower_as(making *w, const ah_equations *eq, motion_writing how, bool keeps, recipe *r,
                     expr_list *out)
{
    *r = making_begin(w, how == MOTION_SIMPLIFIED || how == MOTION_IN_SPEEDS ||
                             how == MOTION_BY_PARTS || how == MOTION_BY_LINKS ||
                             how == MOTION_BY_FRAMES);
    *out = (expr_list){0};
    r->keeps = keeps && w->c->own.rows > 0 &&
               !w->c->framed; /* variables that suit the system: no columns are chosen */
    if (how == MOTION_IN_SPEEDS && !w->c->psi) return false;
    if (how != MOTION_AS_IT_STANDS && w->c->psi && eq->frame.rows) guard_denominators(w, r);
    if (how == MOTION_IN_SPEEDS) return lower_projected(w, r, out);
    if (how == MOTION_BY_PARTS) return making_lower_by_parts(w, r, out);
    if (how == MOTION_INDEPENDENTLY) return lower_independently(w, r, out);
    if (how == MOTION_BY_FRAMES) return making_lower_by_frames(w, r, out);
    if (how == MOTION_BY_LINKS) return making_lower_by_links(w, r, out);
    return making_lower_rhs(w, eq, r, out);
}

bool making_rhs(making *w, const ah_equations *eq, recipe *r, expr_list *out)
{
    return lower_as(w, eq, w->c->writing, true, r, out);
}

/* With every parameter a variable; INFINITY: it is no program. */
static double cost_of(making *w, const recipe *r, expr_list out)
{
    const ah_model *m = w->p->model;
    arena *scratch = &w->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    expr_list parameters = {0};
    for (size_t i = 0; i < m->parameters.count; i++)
        LIST_PUSH(w->p->arena, &parameters, m->parameters.at[i].symbol);
    const program_spec spec = {.inputs = w->inputs.count,
                               .input = w->inputs.at,
                               .outputs = out.count,
                               .output = out.at,
                               .recipe = r,
                               .parameter = w->sample,
                               .variables = parameters.count,
                               .variable = parameters.at,
                               .adds = true,
                               .shares = true};
    const program *p = program_create(w->p->ctx, w->p->arena, &spec);
    const double cost = p ? program_cost(p) : INFINITY;
    arena_release(scratch, mark);
    return cost;
}

/* In a frame of the motion's own: where the worksheet counts more than this, and still as much as that by parts, equations are not
 * multiplied out, which takes longer than all else and makes them no shorter (rattleback: 3 · 10⁸ instructions, 895 instead of
 * 367). */
#define MULTIPLIED_BELOW 500
#define MULTIPLIED_PARTS 320
/* … unless v = ψ counts no more than this: then it is soon done, and what turns with a heading is gone (a robot on two wheels with two
 * links: 423 by parts, 241 multiplied out). */
#define MULTIPLIED_PSI 30

/* Cramer's rule has fewer divisions to wait for and more products, which cost a jet more than anything else, and a sine and a cosine
 * cost it two products, their sums four: jets are made from the same writing by elimination, and with all of its angles. */
static void make_series(making *w, const ah_equations *eq, motion_writing how, const recipe *by,
                        expr_list out)
{
    const program *f = w->c->program[MOTION_RHS];
    recipe r = *by;
    w->c->series = NULL;
    if (!f || !(by->crossed ? lower_as(w, eq, how, false, &r, &out) : f->adds)) return;
    w->c->series = making_program(w, &r, MOTION_RHS, out, false);
}

/* Takes the writing if it costs less than what is there; INFINITY: it is none. */
static double try_writing(making *w, const ah_equations *eq, motion_writing how)
{
    motion_code *c = w->c;
    recipe r;
    expr_list out;
    if (!lower_as(w, eq, how, true, &r, &out)) return INFINITY;
    const double cost = cost_of(w, &r, out);
    const bool pivots = how == MOTION_INDEPENDENTLY || (how == MOTION_BY_FRAMES && w->mech->r);
    const double gain = pivots ? INDEPENDENT_GAIN : 1;
    if (c->program[MOTION_RHS] && !(cost < gain * c->cost)) return cost;
    c->cost = cost;
    c->writing = how;
    making_end(w, &r, MOTION_RHS, out);
    make_series(w, eq, how, &r, out);
    return cost;
}

/* The principle, in which nothing is solved for that is not needed; false: it is no program. */
static bool try_principle(making *w, const ah_equations *eq)
{
    if (w->c->links) return try_writing(w, eq, MOTION_BY_LINKS) < INFINITY;
    const double parts = try_writing(w, eq, MOTION_BY_PARTS);
    const bool long_psi =
        w->c->psi && expr_operations(w->p->ctx, w->c->psi, w->c->n) > MULTIPLIED_PSI;
    if (w->c->own.rows && w->c->plain > MULTIPLIED_BELOW && parts > MULTIPLIED_PARTS &&
        parts < INFINITY && long_psi)
        return true;
    return try_writing(w, eq, MOTION_IN_SPEEDS) < INFINITY || parts < INFINITY;
}

void making_rhs_program(making *w, const ah_equations *eq)
{
    if (w->c->framed) {
        try_writing(w, eq, MOTION_BY_FRAMES);
        return;
    }
    if (w->c->own.rows && try_principle(w, eq)) return;
    w->c->plain = try_writing(w, eq, MOTION_AS_IT_STANDS);
    if (!w->c->own.rows) try_principle(w, eq);
}

bool making_is_short(const motion_code *c)
{
    return c->cost <= SIMPLIFIED_GAIN * c->plain;
}

bool making_is_long(const motion_code *c)
{
    return c->cost >= INDEPENDENT_FROM;
}

void making_rhs_by_frames(making *w, const ah_equations *eq)
{
    if (making_is_long(w->c)) try_writing(w, eq, MOTION_BY_FRAMES);
}

void making_rhs_shorter(making *w, const ah_equations *eq)
{
    making_rhs_by_frames(w, eq);
    if (!making_is_short(w->c)) try_writing(w, eq, MOTION_SIMPLIFIED);
    if (making_is_long(w->c) && w->c->writing != MOTION_BY_FRAMES)
        try_writing(w, eq, MOTION_INDEPENDENTLY);
}

/* ---- Variables of the motion's own -------------------------------------------------------------- */

bool making_frame(motion_code *c, point *p, making_choice *choose)
{
    const ah_equations *eq = c->by->eq;
    attitude_frame f;
    if (eq->qddot == QUANTITY_NONE || eq->branches || !choose(p, &f)) return false;
    if (p->mech->r && independent_jump(p, f.psi, p->model->n)) return false;
    for (uint32_t i = 0; i < f.count; i++) {
        point_set(p, f.symbol[i], point_eval(p, mat_get(p->ctx, f.f, i, 0)));
        expr_dot(p->ctx, f.symbol[i]);
    }
    c->own = f.f;
    c->own_watched = f.watched;
    c->links = f.links;
    c->framed = f.framed;
    c->m = f.count;
    c->second = f.symbol;
    c->row = f.row;
    c->psi = f.psi;
    c->solved = f.solved;
    c->rate = attitudes_rate(eq, p, &f);
    c->runner = run_create(p->ctx, p->arena, eq->sheet, &c->rate, 1);
    return true;
}
