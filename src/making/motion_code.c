/* making/motion_code.c - the programs of a motion. */
#include "making_steps.h"

#include "../integrate/integrate.h"

#include <math.h>
#include <string.h>

/* The normal form is used where it stays this small: it then finishes in milliseconds. */
#define SIMPLIFY_TERMS   400
#define SIMPLIFY_SECONDS 1.0

/* Equations that count more than these, as they stand, take longer to find in other variables than they save. */
#define INDEPENDENT_BELOW 420
#define BODY_AXES_BELOW   3000
#define CROSSED_BELOW     3000
/* Shorter ones than this have no chain in them. */
#define LINKS_FROM 120

/* Ranks are watched for systems up to this size: the work of a step is that of a Gram matrix, a few parts in ten of the
 * motion of ten trailers with 19 rows. */
#define MOTION_RANK_ROWS    60
#define MOTION_RANK_COLUMNS 120

/* ---- Variables ------------------------------------------------------------------------------- */

/* Of the speeds those on which the velocities depend: quasi-velocities that are bound vanish. */
static uint32_t free_speeds(const ah_equations *eq, mat speeds, arena *a, ah_expr *symbol,
                            uint32_t *row)
{
    ah_ctx *ctx = eq->mech->ctx;
    const expr_list used = expr_symbols(ctx, a, eq->to, eq->substitutions);
    uint32_t count = 0;
    for (uint32_t i = 0; i < speeds.rows; i++) {
        const ah_expr s = mat_get(ctx, speeds, i, 0);
        for (size_t j = 0; j < used.count; j++)
            if (used.at[j] == s) {
                symbol[count] = s;
                row[count++] = i;
            }
    }
    return count;
}

/* Speeds that the model declares; velocities chosen as independent ones would be a chart that may
 * become bad on the way. */
static bool declared(const ah_ctx *ctx, const ah_expr *symbol, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (expr_get_kind(ctx, symbol[i]) != AH_SPEED) return false;
    return count > 0;
}

static bool all_finite(const point *p, const ah_expr *symbol, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++)
        if (!isfinite(point_get(p, symbol[i]))) return false;
    return true;
}

/* z' where the method gives accelerations alone but is written in the model's z (Maggi):
 * a = Ψ z' + drift has one solution, that of least squares. */
static quantity rate_from_acceleration(const ah_equations *eq)
{
    sheet *s = eq->sheet;
    const chart *c = &eq->mech->chart;
    const quantity Psi = sheet_leaf(s, c->Psi), PsiT = sheet_transpose(s, Psi);
    const quantity rest = sheet_sub(s, eq->qddot, sheet_leaf(s, c->drift));
    return sheet_solve(s, sheet_mul(s, PsiT, Psi), sheet_mul(s, PsiT, rest));
}

static void choose_variables(motion_code *c, const eval_method *method, point *p)
{
    const ah_equations *eq = method->eq;
    const ah_model *m = p->model;
    const bool given = eq->uses_given_chart && eq->speeds_dot == QUANTITY_NONE;
    const mat speeds = given ? eq->mech->chart.z : eq->speeds;
    ah_expr *symbol = NEW_ARRAY(p->arena, ah_expr, speeds.rows + 1);
    uint32_t *row = NEW_ARRAY(p->arena, uint32_t, speeds.rows + 1), count = 0;
    c->n = c->m = m->n;
    c->second = m->v.at;
    c->by = method;
    c->rate = eq->qddot;
    c->runner = method->runner;
    if (eq->substitutions == m->n && (given || eq->speeds_dot != QUANTITY_NONE))
        count = free_speeds(eq, speeds, p->arena, symbol, row);
    if (!declared(p->ctx, symbol, count) || !all_finite(p, symbol, count)) return;
    if (p->mech->r && eq->qddot != QUANTITY_NONE && independent_jump(p, eq->to, m->n)) return;
    c->m = count;
    c->second = symbol;
    c->row = row;
    c->psi = eq->to;
    c->rate = given ? rate_from_acceleration(eq) : eq->speeds_dot;
    if (given) c->runner = run_create(p->ctx, p->arena, eq->sheet, &c->rate, 1);
}

/* ---- Recipes --------------------------------------------------------------------------------- */

/* Parameters that others give are worked out from these. */
static void define_parameters(making *w, recipe *r)
{
    const ah_model *m = w->p->model;
    for (size_t i = 0; w->c->variable && i < m->parameters.count; i++)
        if (motion_parameter_depends(m, i))
            recipe_define(r, m->parameters.at[i].symbol, m->parameters.at[i].value);
}

recipe making_begin(making *w, bool simplify)
{
    recipe r;
    recipe_init(&r, w->p->ctx, w->p->arena, simplify ? w->alg : NULL, w->sample);
    define_parameters(w, &r);
    if (w->c->links && !simplify) making_define_links(w->c->links, &r);
    for (uint32_t i = 0; w->c->psi && !w->c->links && !simplify && i < w->c->n; i++)
        if (w->c->psi[i] != w->p->model->v.at[i]) /* it may be one of s itself */
            recipe_define(&r, w->p->model->v.at[i], w->c->psi[i]);
    return r;
}

/* t stands still in the iterations of an implicit step, q too while velocities are projected. */
program *making_program(making *w, const recipe *r, motion_program which, expr_list outputs,
                        bool adds)
{
    const bool repeats = which != MOTION_ENERGY && which != MOTION_REACTIONS &&
                         which != MOTION_CONSTANTS && which != MOTION_PLACES_LEFT &&
                         which != MOTION_POLES && which != MOTION_VELOCITIES_LEFT &&
                         which != MOTION_KNOWN;
    const expr_list variable = w->c->variable ? w->c->parameters : (expr_list){0};
    const program_spec spec = {.inputs = w->inputs.count,
                               .seldom = {repeats, which == MOTION_VELOCITIES ? 1 + w->c->n : 0},
                               .input = w->inputs.at,
                               .outputs = outputs.count,
                               .output = outputs.at,
                               .recipe = r,
                               .parameter = w->sample,
                               .variables = variable.count,
                               .variable = variable.at,
                               .adds = adds,
                               .shares = which == MOTION_RHS};
    return program_create(w->p->ctx, w->p->arena, &spec);
}

void making_end(making *w, const recipe *r, motion_program which, expr_list outputs)
{
    const bool adds = which == MOTION_RHS || which == MOTION_ENERGY;
    w->c->program[which] = making_program(w, r, which, outputs, adds);
}

void making_push(making *w, expr_list *out, mat column)
{
    for (uint32_t i = 0; i < column.rows; i++)
        LIST_PUSH(w->p->arena, out, mat_get(w->p->ctx, column, i, 0));
}

/* Here ψ is put in, so that the normal form can see what cancels. */
bool making_lower_rhs(making *w, const ah_equations *eq, recipe *r, expr_list *out)
{
    const motion_code *c = w->c;
    mat rate;
    if (!recipe_lower(r, eq->sheet, c->rate, c->psi ? c->n : 0, w->p->model->v.at, c->psi, &rate))
        return false;
    const ah_expr *velocity = c->psi ? c->psi : w->p->model->v.at;
    for (uint32_t i = 0; i < c->n; i++) LIST_PUSH(w->p->arena, out, velocity[i]);
    for (uint32_t i = 0; i < c->m; i++)
        LIST_PUSH(w->p->arena, out, mat_get(w->p->ctx, rate, c->row ? c->row[i] : i, 0));
    return true;
}

static void make_energy(making *w)
{
    ah_ctx *ctx = w->p->ctx;
    const motion_code *c = w->c;
    recipe r = making_begin(w, !c->links && !c->framed);
    expr_list out = {0};
    ah_expr e[2] = {model_energy(w->p->model), w->p->model->V};
    if (c->links)
        e[0] = making_through_links(w, e[0]);
    else if (c->psi && !c->framed)
        expr_subst_all(ctx, e, 2, c->n, w->p->model->v.at, c->psi);
    mat both = recipe_simplify(&r, mat_from_dense(ctx, w->p->arena, 2, 1, e));
    if (c->own.rows && w->p->model->attitudes.count)
        both = attitudes_on_norm(w->p->model, w->alg, w->p->arena, both);
    making_push(w, &out, both);
    making_end(w, &r, MOTION_ENERGY, out);
}

mat motion_code_holonomic(point *p)
{
    const ah_model *m = p->model;
    expr_list f = {0};
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_HOLONOMIC)
            LIST_PUSH(p->arena, &f, m->constraints.at[i].c);
    return mat_from_dense(p->ctx, p->arena, (uint32_t) f.count, 1, f.at);
}

static void make_reactions(making *w, const eval_method *reactions)
{
    if (reactions->refused || reactions->eq->branches) return;
    const ah_equations *eq = reactions->eq;
    recipe r = making_begin(w, false);
    mat lambda, reaction;
    expr_list out = {0};
    if (eq->multipliers == QUANTITY_NONE || eq->reaction == QUANTITY_NONE) return;
    if (!recipe_lower(&r, eq->sheet, eq->multipliers, 0, NULL, NULL, &lambda)) return;
    if (!recipe_lower(&r, eq->sheet, eq->reaction, 0, NULL, NULL, &reaction)) return;
    making_push(w, &out, lambda);
    making_push(w, &out, reaction);
    making_end(w, &r, MOTION_REACTIONS, out);
}

static bool depends_on(making *w, mat A, size_t count, const ah_symbol_kind *kinds)
{
    for (uint32_t e = 0; e < mat_entries(A); e++)
        for (size_t k = 0; k < count; k++)
            if (expr_depends_kind(w->p->ctx, A.val[e], kinds[k])) return true;
    return false;
}

/* A determinant of more terms than this is left to an elimination. */
#define MOTION_RANK_DETERMINANT 100
/* Nor is a larger matrix made simple for it. */
#define MOTION_RANK_SIMPLE 8

/* det A of a square matrix, where it is short; AH_NONE: it is not. */
static ah_expr signed_determinant(making *w, mat A)
{
    ah_ctx *ctx = w->p->ctx;
    ah_expr det;
    if (A.rows != w->c->n || A.rows > 8 || !algebra_det(w->alg, A, &det)) return AH_NONE;
    det = algebra_simplify(w->alg, det);
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const size_t size = expr_reachable(ctx, &ctx->scratch, &det, 1).count;
    arena_release(&ctx->scratch, mark);
    return size <= MOTION_RANK_DETERMINANT ? det : AH_NONE;
}

/* What measures velocity i: a tree's own M_ii would be as long as the tree. */
static ah_expr measure_of(const making *w, uint32_t i)
{
    return w->mech->tree ? expr_int(w->p->ctx, 1)
                         : mat_get(w->p->ctx, mechanics_mass(w->mech), i, i);
}

static size_t size_of(const making *w, mat m)
{
    ah_ctx *ctx = w->p->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const size_t size = expr_reachable(ctx, &ctx->scratch, m.val, mat_entries(m)).count;
    arena_release(&ctx->scratch, mark);
    return size;
}

/* Rows of wheels have sines and cosines of one angle, and of two that differ by a third: what is left of their products is asked for
 * at every step. */
static mat shortened(making *w, mat m)
{
    if (m.rows > MOTION_RANK_SIMPLE || size_of(w, m) > MOTION_RANK_DETERMINANT) return m;
    const mat simple = algebra_simplify_mat(w->alg, m);
    return size_of(w, simple) < size_of(w, m) ? simple : m;
}

/* det(A W Aᵀ), W what measures the columns: 1/M_ii, or M_ii for ∂ψ/∂s. 0: it has no formula. */
static ah_expr gram_determinant(making *w, recipe *r, mat A, ah_expr det)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const long power = w->c->rank_of_psi ? 1 : -1;
    mat_entry *e = NEW_ARRAY(a, mat_entry, w->c->n + 1);
    ah_expr D = det == AH_NONE ? AH_NONE : expr_powi(ctx, det, 2);
    for (uint32_t i = 0; i < w->c->n; i++) {
        const ah_expr mass = measure_of(w, i);
        if (expr_is_zero(ctx, mass)) return expr_int(ctx, 0);
        e[i] = (mat_entry){i, i, recipe_name(r, expr_powi(ctx, mass, power))};
        if (D != AH_NONE) D = expr_mul(ctx, D, e[i].val);
    }
    if (D != AH_NONE) return D;
    const mat W = mat_from_entries(ctx, a, w->c->n, w->c->n, e, w->c->n);
    const mat G = shortened(w, mat_mul3(ctx, a, A, W, mat_transpose(ctx, a, A)));
    return recipe_determinant(r, G, &D) ? D : expr_int(ctx, 0);
}

/* Where it depends on the state; large systems are not watched. */
static void make_rank(making *w, mat own)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    motion_code *c = w->c;
    mat A = w->mech->J;
    static const ah_symbol_kind state[] = {AH_VELOCITY, AH_SPEED, AH_TIME, AH_COORDINATE};
    if (w->mech->second_class_nonlinear) return; /* see second_class_follow.c */
    c->frame = own.rows > 0;
    c->rank_of_psi = c->psi && !c->frame && !c->own_watched;
    if (c->frame) {
        A = A.rows ? mat_stack(ctx, a, own, A) : own;
    } else if (c->rank_of_psi) {
        const mat psi = mat_from_dense(ctx, a, c->n, 1, c->psi);
        A = mat_transpose(ctx, a, mat_jacobian(ctx, a, psi, c->m, c->second));
    }
    if (!A.rows || A.rows > MOTION_RANK_ROWS || c->n > MOTION_RANK_COLUMNS) return;
    if (!depends_on(w, A, 4, state)) return;
    c->rank_by_speeds = depends_on(w, A, 2, state);
    recipe r = making_begin(w, false);
    expr_list out = {0};
    const ah_expr *dense = mat_to_dense(ctx, a, A);
    for (size_t i = 0; i < (size_t) A.rows * c->n; i++) LIST_PUSH(a, &out, dense[i]);
    for (uint32_t i = 0; i < c->n; i++) LIST_PUSH(a, &out, measure_of(w, i));
    const ah_expr det = signed_determinant(w, A);
    expr_list last = {0};
    LIST_PUSH(a, &last, gram_determinant(w, &r, A, det));
    if (det != AH_NONE) LIST_PUSH(a, &last, det);
    for (size_t i = 0; i < last.count; i++) LIST_PUSH(a, &out, last.at[i]);
    c->rank_signed = det != AH_NONE;
    c->rank_rows = A.rows;
    making_end(w, &r, MOTION_RANK, out);
    making_end(w, &r, MOTION_DETERMINANT, last);
}

static algebra *algebra_of(point *p)
{
    algebra *alg = algebra_create(p->ctx, p->model->facts.at, p->model->facts.count);
    algebra_set_bounds(alg, SIMPLIFY_SECONDS, SIMPLIFY_TERMS);
    return alg;
}

making making_of(motion_code *c, point *p)
{
    making w = {.c = c, .p = p, .mech = p->mech, .alg = algebra_of(p)};
    w.sample = point_sample(p);
    for (uint32_t i = 0; i < c->m; i++)
        frame_set(w.sample, c->second[i], point_get(p, c->second[i]));
    LIST_PUSH(p->arena, &w.inputs, p->mech->t);
    for (uint32_t i = 0; i < c->n; i++) LIST_PUSH(p->arena, &w.inputs, p->model->q.at[i]);
    for (uint32_t i = 0; i < c->m; i++) LIST_PUSH(p->arena, &w.inputs, c->second[i]);
    return w;
}

void making_room(motion_code *c, arena *a)
{
    size_t most = 0, all = 1;
    for (int i = 0; i < MOTION_PROGRAMS; i++) {
        if (!c->program[i]) continue;
        all += 1 + c->program[i]->outputs;
        if (c->program[i]->outputs > most) most = c->program[i]->outputs;
    }
    c->look = NEW_ARRAY(a, double, all);
    c->looked = NULL;
    c->in = NEW_ARRAY(a, double, 1 + (size_t) c->n + 2 * c->m);
    c->out = NEW_ARRAY(a, double, most + 1);
}

static bool is_state(const motion_code *c, ah_expr symbol)
{
    for (uint32_t i = 0; i < c->m; i++)
        if (c->second[i] == symbol) return true;
    return false;
}

/* All of them or none: those that need more than the state are left to the worksheet's point. */
static void make_constants(making *w)
{
    const ah_model *m = w->p->model;
    recipe r = making_begin(w, false);
    expr_list out = {0};
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        if (!is_state(w->c, m->quasivelocities.at[i].symbol))
            recipe_define(&r, m->quasivelocities.at[i].symbol, m->quasivelocities.at[i].definition);
    for (size_t i = 0; i < m->claims.count; i++) {
        const ah_expr e = m->claims.at[i].constant;
        if (e == AH_NONE || m->claims.at[i].refute) continue;
        LIST_PUSH(w->p->arena, &out, e);
        LIST_PUSH(w->p->arena, &out, expr_terms(m->ctx, e));
    }
    if (out.count) making_end(w, &r, MOTION_CONSTANTS, out);
}

bool motion_parameter_depends(const ah_model *m, size_t i)
{
    const ah_expr value = m->parameters.at[i].value;
    return value != AH_NONE && expr_depends_kind(m->ctx, value, AH_PARAMETER);
}

void motion_code_begin(motion_code *c, const eval_method *method, point *p)
{
    const ah_model *m = p->model;
    *c = (motion_code){.ctx = p->ctx, .arena = p->arena, .variable = true};
    choose_variables(c, method, p);
    for (size_t i = 0; i < m->parameters.count; i++)
        if (!motion_parameter_depends(m, i))
            LIST_PUSH(p->arena, &c->parameters, m->parameters.at[i].symbol);
}

/* Once, even where it has no program; without a rate there is none: see second_class_motion.h. */
static void make_rhs(making *w)
{
    motion_code *c = w->c;
    if (c->rate == QUANTITY_NONE || c->rhs_tried == c->by->eq) return;
    c->rhs_tried = c->by->eq;
    making_rhs_program(w, c->by->eq);
    making_rhs_shorter(w, c->by->eq);
}

/* ψ, by which a state is put into the point at every step. */
static void make_velocities(making *w)
{
    recipe r = making_begin(w, false);
    expr_list out = {0};
    const ah_expr *v = w->c->links ? w->p->model->v.at : w->c->psi;
    for (uint32_t i = 0; i < w->c->n; i++) LIST_PUSH(w->p->arena, &out, v[i]);
    making_end(w, &r, MOTION_QDOT, out);
}

/* Denominators, which every step looks at; more than these are left to the point. */
#define MOTION_MOST_POLES 64

static void make_poles(making *w)
{
    const denominators *d = denominators_create(w->p);
    const size_t count = d ? denominators_count(d) : 0;
    if (!count || count > MOTION_MOST_POLES) return;
    recipe r = making_begin(w, false);
    expr_list out = {0};
    for (size_t i = 0; i < count; i++) {
        LIST_PUSH(w->p->arena, &out, denominators_get(d, i));
        LIST_PUSH(w->p->arena, &out, expr_terms(w->p->ctx, denominators_get(d, i)));
    }
    making_end(w, &r, MOTION_POLES, out);
}

void making_all(making *w, const eval_method *method, const eval_method *reactions)
{
    motion_code *c = w->c;
    point *p = w->p;
    make_rhs(w);
    make_energy(w);
    c->moves_places = p->mech->holonomic;
    c->moves_velocities = p->mech->r && !c->psi;
    if (c->moves_places)
        making_projection(w, MOTION_PLACES, MOTION_PLACES_LEFT, motion_code_holonomic(p),
                          p->model->q.at);
    if (c->moves_velocities)
        making_projection(w, MOTION_VELOCITIES, MOTION_VELOCITIES_LEFT, p->mech->C, p->model->v.at);
    make_reactions(w, reactions);
    make_constants(w);
    /* a frame of the motion's own keeps the rank of the constraints as long as it is one */
    if (method->eq->frame.rows || !c->own.rows || c->own_watched) make_rank(w, method->eq->frame);
}

static double cost_of_rhs(const motion_code *c)
{
    return c->program[MOTION_RHS] ? program_cost(c->program[MOTION_RHS]) : INFINITY;
}

/* Where velocities follow from the variables no step moves them to their constraints, which costs about as much as half an evaluation
 * of twelve. */
#define UNMOVED_WORTH 1.04

/* Other variables, where the right-hand side is shorter in them; false: there are none. A method in speeds of its own has the
 * equations of the multipliers in these. */
static bool try_frame(motion_code *c, const eval_method *by, point *p, making_choice *choose)
{
    motion_code other = {.ctx = c->ctx,
                         .arena = c->arena,
                         .n = c->n,
                         .m = c->n,
                         .variable = c->variable,
                         .parameters = c->parameters,
                         .second = p->model->v.at,
                         .plain = c->plain,
                         .by = by,
                         .rhs_tried = by->eq};
    if (!making_frame(&other, p, choose)) return false;
    making w = making_of(&other, p);
    making_rhs_program(&w, by->eq);
    if (cost_of_rhs(&other) < (other.framed ? UNMOVED_WORTH : 1) * cost_of_rhs(c)) *c = other;
    return true;
}

static void try_frames(motion_code *c, const eval_method *method, const eval_method *reactions,
                       point *p)
{
    const eval_method *by = c->psi ? reactions : method;
    const bool chosen = method->eq->independent_of; /* on the way: motion_charts.h */
    const double before = cost_of_rhs(c);
    if (by->refused || try_frame(c, by, p, attitudes_frame) || chosen) return;
    if (before <= BODY_AXES_BELOW) try_frame(c, by, p, body_axes_frame);
    if (c->own.rows && making_is_short(c)) return;
    const bool independent = before <= INDEPENDENT_BELOW && try_frame(c, by, p, independent_frame);
    if (!independent && before <= CROSSED_BELOW) try_frame(c, by, p, crossed_frame);
    if (cost_of_rhs(c) >= LINKS_FROM) try_frame(c, by, p, links_frame);
}

/* The variables, and the right-hand side in them. That of the method's own is shortened where the others are not much better: it
 * takes longer to do than to find these. */
static void choose_writing(motion_code *c, const eval_method *method, const eval_method *reactions,
                           point *p)
{
    making w = making_of(c, p);
    if (c->rate == QUANTITY_NONE) return;
    c->rhs_tried = method->eq;
    making_rhs_program(&w, method->eq);
    motion_code own = *c;
    try_frames(c, method, reactions, p);
    w.c = &own;
    const bool is_short = c->own.rows && making_is_short(c);
    if (is_short && !making_is_long(c)) return;
    if (is_short)
        making_rhs_by_frames(&w, method->eq);
    else
        making_rhs_shorter(&w, method->eq);
    if (!c->own.rows || cost_of_rhs(&own) < cost_of_rhs(c)) *c = own;
    if (c->writing == MOTION_BY_FRAMES && p->mech->r)
        try_frame(c, method, p, making_speeds_of_frames);
}

void motion_code_create(motion_code *c, const eval_method *method, const eval_method *reactions,
                        point *p, motion_variables of)
{
    const ah_model *m = p->model;
    *c = (motion_code){.ctx = p->ctx, .arena = p->arena, .variable = m->switches.count > 0};
    for (size_t i = 0; i < m->switches.count; i++)
        LIST_PUSH(p->arena, &c->parameters, m->switches.at[i].side);
    choose_variables(c, method, p);
    if (of == MOTION_SHORTEST) choose_writing(c, method, reactions, p);
    if (of == MOTION_OF_FRAMES) try_frame(c, method, p, making_speeds_of_frames);
    making w = making_of(c, p);
    making_all(&w, method, reactions);
    if (c->psi) make_velocities(&w);
    make_poles(&w);
    making_known(&w);
    making_room(c, p->arena);
}

bool motion_code_add_jacobian(motion_code *c, point *p)
{
    making w = making_of(c, p);
    recipe r;
    expr_list f, out = {0};
    if (!making_rhs(&w, c->by->eq, &r, &f)) return false;
    const uint32_t size = c->n + c->m;
    const mat column = mat_from_dense(p->ctx, p->arena, size, 1, f.at);
    const mat J = recipe_jacobian(&r, column, size, w.inputs.at + 1);
    const ah_expr *dense = mat_to_dense(p->ctx, p->arena, J);
    for (size_t i = 0; i < (size_t) size * size; i++) LIST_PUSH(p->arena, &out, dense[i]);
    making_end(&w, &r, MOTION_JACOBIAN, out);
    making_room(c, p->arena);
    return c->program[MOTION_JACOBIAN] != NULL;
}

/* ---- Engines --------------------------------------------------------------------------------- */

/* The engine numbers the programs that exist. */
static size_t list_programs(motion_code *c, const program **list)
{
    size_t count = 0;
    for (int i = 0; i < MOTION_PROGRAMS; i++) {
        c->index[i] = count;
        c->compiled[i] = c->program[i] != NULL;
        if (c->program[i]) list[count++] = c->program[i];
    }
    return count;
}

bool motion_code_add_jets(motion_code *c, arena *a)
{
    const program *f = c->series ? c->series : c->program[MOTION_RHS];
    c->no_jets = "the equations have no closed formula here";
    if (f) c->jets = jets_create(c->ctx, a, f, &c->no_jets);
    return c->jets != NULL;
}

bool motion_code_jet(const motion_code *c, double t, uint32_t order, double *y)
{
    if (!c->jets) return false; /* the program that took over has none */
    if (!c->jet) return jets_run(c->jets, t, order, y);
    return c->jet(c->jets->constants.at, t, (int) order, y, c->jets->work, jets_sums);
}

ivp_cost motion_code_cost(const motion_code *c)
{
    const program *f = c->program[MOTION_RHS];
    size_t products = 0, others = 0;
    if (c->jets) jets_count(c->jets, &products, &others);
    return (ivp_cost){f ? program_cost(f) : 0, (double) others, (double) products};
}

static void find_quick(motion_code *c)
{
    for (int i = 0; i < MOTION_PROGRAMS; i++) {
        c->quick[i].function = NULL;
        if (!c->compiled[i]) continue;
        c->quick[i].function = engine_get_function(c->engine, c->work, c->index[i]);
        c->quick[i].constants = engine_work_constants(c->work, c->index[i]);
    }
}

static void find_step(motion_code *c)
{
    find_quick(c);
    /* through a union: see compile/engine.c */
    union {
        void *object;
        int (*function)(const double *const *, const double *, const double *, const double *,
                        double *, double *, double *, double *, double *);
    } address = {engine_find(c->engine, "step")};
    motion_ends_find(c);
    c->step = c->program[MOTION_RHS] && engine_work_valid(c->work, 0) ? address.function : NULL;
    union {
        void *object;
        jets_function *function;
    } jet = {c->jets ? engine_find(c->engine, "jet") : NULL};
    c->jet = jet.function;
}

/* Whether all of f is finite: x - x is 0 for what is, NaN for the rest. In two chains; here, where the
 * numbers still are in registers. */
static void emit_finite(size_t count, text *t)
{
    for (size_t i = 0; i < count; i++)
        text_printf(t,
                    i < 2 ? "  double z%zu = f[%zu] - f[%zu];\n" : "  z%zu += f[%zu] - f[%zu];\n",
                    i % 2, i, i);
    text_add(t, count == 0   ? "  return good;\n"
                : count == 1 ? "  return good & (z0 == 0);\n"
                             : "  return good & (z0 + z1 == 0);\n");
}

/* Nothing is copied where the compiler sees through the array. The state is read number by number
 * (volatile): callers write it so, and a wider load waits until all narrower stores are done, which
 * would take longer than some right-hand sides. */
static void emit_direct(const motion_code *c, text *t)
{
    for (int i = 0; i < MOTION_PROGRAMS; i++) {
        if (!c->program[i] || c->program[i]->sections || i == MOTION_KNOWN) continue;
        text_printf(t,
                    "int d%d(const double *c, double t, const volatile double *y, "
                    "double *restrict f)\n{\n  const double x[] = {t",
                    i);
        for (uint32_t k = 0; k < c->n + c->m; k++) text_printf(t, ", y[%u]", k);
        text_printf(t, "};\n  const int good = p%zu(c, x, f);\n", c->index[i]);
        emit_finite(c->program[i]->outputs, t);
        text_add(t, "}\n");
    }
}

static void find_direct(motion_code *c)
{
    for (int i = 0; i < MOTION_PROGRAMS; i++) {
        char name[32];
        union {
            void *object;
            motion_direct *function;
        } address = {NULL};
        snprintf(name, sizeof name, "d%d", i);
        if (c->variable && c->program[i]) address.object = engine_find(c->engine, name);
        c->direct[i] = address.function;
    }
}

static bool try_engine(motion_code *c, engine_kind kind, bool only_cached)
{
    const program *list[MOTION_PROGRAMS];
    const size_t count = list_programs(c, list);
    arena *a = c->arena;
    text t = text_begin(a);
    if (kind == ENGINE_CC && c->program[MOTION_RHS]) { /* MOTION_RHS is the first */
        const bool ends = motion_ends_emit(c, &t);
        dop853_emit(&t, "step", "p0", c->n + c->m, ends ? "end" : NULL);
    }
    if (kind != ENGINE_INTERPRET && c->jets) jets_emit(c->jets, &t, "jet");
    if (kind != ENGINE_INTERPRET && c->variable) emit_direct(c, &t);
    const char *more = text_end(&t);
    engine *e = only_cached ? engine_cached(c->ctx, a, list, count, more)
                            : engine_create(c->ctx, a, kind, list, count, more);
    if (!e) return false;
    if (c->engine && !c->shared) engine_destroy(c->engine);
    c->engine = e;
    c->work = engine_work_create(e, a);
    find_step(c);
    find_direct(c);
    return true;
}

void motion_code_start(motion_code *c, engine_kind kind)
{
    if (kind == ENGINE_AUTO && try_engine(c, ENGINE_CC, true)) return;
    if (kind == ENGINE_CC && try_engine(c, ENGINE_CC, false)) return;
    if (kind != ENGINE_INTERPRET && try_engine(c, ENGINE_TCC, false)) return;
    try_engine(c, ENGINE_INTERPRET, false);
}

void motion_code_share(motion_code *c, const motion_code *of, point *p)
{
    *c = *of;
    c->arena = p->arena;
    c->shared = true;
    c->work = engine_work_create(c->engine, p->arena);
    if (of->jets) c->jets = jets_copy(of->jets, p->arena);
    making_room(c, p->arena);
    motion_code_take(c, p);
}

void motion_code_take(motion_code *c, const point *p)
{
    const arena_mark mark = arena_get_mark(&p->ctx->scratch);
    double *parameter = NEW_ARRAY(&p->ctx->scratch, double, c->parameters.count + 1);
    for (size_t i = 0; i < c->parameters.count; i++)
        parameter[i] = point_get(p, c->parameters.at[i]);
    engine_set(c->engine, c->work, parameter);
    if (c->jets && !c->series)
        jets_set(c->jets, engine_work_constants(c->work, c->index[MOTION_RHS]));
    if (c->jets && c->series) {
        program_work *of = program_work_create(c->series, &p->ctx->scratch, 0);
        program_prepare(c->series, of, parameter);
        jets_set(c->jets, of->constant);
    }
    if (c->program[MOTION_JACOBIAN] && !c->compiled[MOTION_JACOBIAN])
        program_set(c->program[MOTION_JACOBIAN], c->program[MOTION_JACOBIAN]->own, parameter);
    find_step(c);
    arena_release(&p->ctx->scratch, mark);
}

static const double *inputs(motion_code *c, double t, const double *y)
{
    c->in[0] = t;
    memcpy(c->in + 1, y, (c->n + c->m) * sizeof *y);
    return c->in;
}

bool motion_code_run(motion_code *c, motion_program which, double t, const double *y, double *out)
{
    if (!c->program[which]) return false;
    if (!out) out = c->out;
    if (c->looked == y && c->looked_t == t && c->look_from[which])
        return motion_ends_take(c, which, out);
    const double *in = inputs(c, t, y);
    if (c->quick[which].function)
        return c->quick[which].function(c->quick[which].constants, in, out);
    return engine_call_in(c->engine, c->work, c->index[which], in, out);
}

bool motion_code_interpret(motion_code *c, motion_program which, double t, const double *y,
                           double *out)
{
    if (c->compiled[which]) return motion_code_run(c, which, t, y, out);
    if (!c->program[which]) return false;
    return program_run(c->program[which], inputs(c, t, y), out);
}
