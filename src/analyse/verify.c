/* analyse/verify.c - claims about a system, tried at random states and then proved.
 *
 * A claim is left = right for all admissible states, the accelerations in it being those of the
 * motion. Random admissible states come first: one where the sides differ by more than rounding is
 * a counter-example. Otherwise the accelerations, multipliers, … are worked out symbolically, with
 * the declared values of the parameters, and the difference is brought to its normal form: A. with
 * the velocities eliminated, v = ψ(q, z, t), where there is a symbolic chart; B. in q and v modulo
 * the ideal of the constraints otherwise. A is a proof on the closure of the chart's image: all of
 * the constraint set where that is irreducible. */
#include "verify.h"

#include "../derive/work.h"
#include "statements.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Sides that differ by more than this share of their terms differ. */
#define VERIFY_DIFFERENT 1e-8
/* Accuracy that the motion's numbers are trusted to have, at states conditioned better than
 * VERIFY_CONDITION. */
#define VERIFY_MOTION    1e-9
#define VERIFY_CONDITION 1e-7

/* ---- The motion as a sheet ------------------------------------------------------------------ */

/* Extras of the sheet, in this order; G and Gz as matrices. */
enum { MOTION_G, MOTION_GZ, MOTION_LAMBDA, MOTION_REACTION, MOTION_EXTRAS };

static void add_extra(ah_equations *eq, const char *name, quantity x)
{
    const struct equations_extra extra = {name, x};
    LIST_PUSH(eq->mech->arena, &eq->extras, extra);
}

/* Quantities that claims may name, in one sheet: accelerations through the chart, G, λ and R
 * besides. */
static void motion_sheet(ah_equations *eq, bool charted)
{
    mechanics *k = eq->mech;
    sheet *s = eq->sheet;
    const quantity M = sheet_leaf(s, k->M), L = sheet_leaf(s, k->L);
    const quantity J = sheet_leaf(s, k->J), gamma = sheet_leaf(s, k->gamma);
    const quantity F = sheet_solve(s, M, L), X = sheet_solve(s, M, sheet_transpose(s, J));
    const quantity G = sheet_mul(s, J, X);
    const quantity slip = sheet_add(s, sheet_mul(s, J, F), gamma);
    const quantity lambda = sheet_neg(s, sheet_solve(s, G, slip));
    quantity Gz = QUANTITY_NONE;
    if (charted) {
        const chart_quantities c = derive_chart_quantities(eq);
        const quantity PsiT = sheet_transpose(s, c.Psi);
        Gz = sheet_mul3(s, PsiT, M, c.Psi);
        const quantity Z = sheet_mul(s, PsiT, sheet_sub(s, L, sheet_mul(s, M, c.drift)));
        derive_finish_speeds(eq, c, sheet_solve(s, Gz, Z));
    } else {
        eq->qddot = k->r ? sheet_add(s, F, sheet_mul(s, X, lambda)) : F;
    }
    add_extra(eq, "G", G);
    add_extra(eq, "Gz", Gz);
    add_extra(eq, "lambda", lambda);
    add_extra(eq, "reaction", sheet_mul(s, sheet_transpose(s, J), lambda));
}

static void motion_by_chart(ah_equations *eq)
{
    motion_sheet(eq, true);
}

static void motion_by_multipliers(ah_equations *eq)
{
    motion_sheet(eq, false);
}

static const formalism by_chart = {
    .name = "motion through the chart",
    .accepts = derive_needs_velocity_level,
    .derive = motion_by_chart,
};
static const formalism by_multipliers = {
    .name = "motion through multipliers",
    .accepts = derive_needs_acceleration_linear,
    .derive = motion_by_multipliers,
};

/* ---- Names in claims ---------------------------------------------------------------------- */

struct verification {
    ah_model *model;
    ah_ctx *ctx;
    mechanics *mech;
    arena *arena;
    eval_method multipliers, parametric, hamel, second_class; /* refused ones are not used */
    eval_method charted, plain;                               /* the motion sheets: Gz and G */
    work *chart_work, *plain_work;                            /* NULL: that route is closed */
    mat beta;                                                 /* n × (n+1)·n symbolic, or empty */
    bool beta_tried;
    states *random;
    size_t states;
    uint64_t seed;
};

/* "lambda[2]" → head "lambda", indices (2): the parts between commas, "t" as 0. */
typedef struct derived_name {
    char head[16];
    long index[3];
    char text[3][64];
    int count;
} derived_name;

static bool parse_derived(const char *name, derived_name *out)
{
    const char *open = strchr(name, '[');
    memset(out, 0, sizeof *out);
    if (!open || (size_t) (open - name) >= sizeof out->head) return false;
    memcpy(out->head, name, (size_t) (open - name));
    const char *s = open + 1;
    while (*s && out->count < 3) {
        const size_t n = strcspn(s, ",");
        const bool last = s[n] == 0;
        size_t length = last && n ? n - 1 : n; /* without the closing bracket */
        if (length >= sizeof out->text[0]) return false;
        memcpy(out->text[out->count], s, length);
        out->index[out->count] = strtol(out->text[out->count], NULL, 10);
        out->count++;
        s += n + !last;
        if (last) break;
    }
    return out->count > 0;
}

static bool in_range(long i, uint32_t n)
{
    return i >= 1 && (uint64_t) i <= n;
}

/* Where a derived quantity stands: which extra, row, column. M is an expression already. */
static bool locate(const verification *v, const derived_name *d, int *extra, uint32_t *row,
                   uint32_t *col)
{
    const uint32_t r = v->mech->r, m = v->mech->chart.m;
    *row = (uint32_t) d->index[0] - 1;
    *col = d->count > 1 ? (uint32_t) d->index[1] - 1 : 0;
    if (!strcmp(d->head, "G")) {
        *extra = MOTION_G;
        return d->count == 2 && in_range(d->index[0], r) && in_range(d->index[1], r);
    }
    if (!strcmp(d->head, "Gz")) {
        *extra = MOTION_GZ;
        return d->count == 2 && in_range(d->index[0], m) && in_range(d->index[1], m);
    }
    if (!strcmp(d->head, "lambda")) {
        *extra = MOTION_LAMBDA;
        return d->count == 1 && in_range(d->index[0], r);
    }
    if (!strcmp(d->head, "reaction")) {
        const int i = model_find_coordinate(v->model, d->text[0]);
        *extra = MOTION_REACTION;
        *row = (uint32_t) i;
        return d->count == 1 && i >= 0;
    }
    return false;
}

static bool is_mass(const verification *v, const derived_name *d)
{
    return !strcmp(d->head, "M") && d->count == 2 && in_range(d->index[0], v->mech->n) &&
           in_range(d->index[1], v->mech->n);
}

/* β_m^{t,r}: entry of the n × (n+1)·n table, index n is time. */
static bool beta_entry(const verification *v, const derived_name *d, uint32_t *entry)
{
    const uint32_t n = v->mech->n;
    const bool time = !strcmp(d->text[1], "t");
    if (strcmp(d->head, "beta") || d->count != 3 || !in_range(d->index[0], n) ||
        !in_range(d->index[2], n) || (!time && !in_range(d->index[1], n)))
        return false;
    const uint32_t t = time ? n : (uint32_t) d->index[1] - 1;
    *entry = ((uint32_t) (d->index[0] - 1) * (n + 1) + t) * n + (uint32_t) d->index[2] - 1;
    return true;
}

static quantity find_extra(const ah_equations *eq, const char *name)
{
    for (size_t i = 0; eq && i < eq->extras.count; i++)
        if (!strcmp(eq->extras.at[i].name, name)) return eq->extras.at[i].value;
    return QUANTITY_NONE;
}

/* Quasi-velocities and M[i,j] are expressions of the state: put them in. */
static ah_expr expand(verification *v, ah_expr e)
{
    LIST(ah_expr) from = {0}, to = {0};
    for (size_t i = 0; i < v->model->quasivelocities.count; i++) {
        const model_speed *w = &v->model->quasivelocities.at[i];
        LIST_PUSH(v->arena, &from, w->symbol);
        LIST_PUSH(v->arena, &to, w->definition);
        LIST_PUSH(v->arena, &from, expr_dot(v->ctx, w->symbol));
        LIST_PUSH(v->arena, &to, expr_dt(v->ctx, w->definition));
    }
    const expr_list symbols = expr_symbols(v->ctx, v->arena, &e, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        derived_name d;
        if (expr_get_kind(v->ctx, symbols.at[i]) != AH_DERIVED ||
            !parse_derived(expr_get_name(v->ctx, symbols.at[i]), &d) || !is_mass(v, &d))
            continue;
        LIST_PUSH(v->arena, &from, symbols.at[i]);
        LIST_PUSH(
            v->arena, &to,
            mat_get(v->ctx, v->mech->M, (uint32_t) d.index[0] - 1, (uint32_t) d.index[1] - 1));
    }
    return expr_subst(v->ctx, e, from.count, from.at, to.at);
}

/* ---- At a state ---------------------------------------------------------------------------- */

/* The claim prepared for numbers: difference, its two sides, and its derivatives by the motion's
 * symbols. */
typedef struct trial {
    ah_expr left, right, difference;
    expr_list motion; /* accelerations, z', derived names in it */
    expr_plan *plan;  /* difference, left, right, then ∂difference/∂motion */
    double *out, *scale;
} trial;

static bool is_motion(ah_symbol_kind kind)
{
    return kind == AH_ACCELERATION || kind == AH_SPEED_DOT || kind == AH_DERIVED || kind == AH_JERK;
}

static trial prepare_trial(verification *v, const model_claim *c)
{
    trial t = {.left = expand(v, c->left), .right = expand(v, c->right)};
    t.difference = expr_sub(v->ctx, t.left, t.right);
    const ah_expr sides[2] = {t.left, t.right};
    const expr_list all = expr_symbols(v->ctx, v->arena, sides, 2);
    for (size_t i = 0; i < all.count; i++)
        if (is_motion(expr_get_kind(v->ctx, all.at[i]))) LIST_PUSH(v->arena, &t.motion, all.at[i]);
    ah_expr *roots = NEW_ARRAY(v->arena, ah_expr, t.motion.count + 3);
    roots[0] = t.difference;
    roots[1] = t.left;
    roots[2] = t.right;
    expr_gradient(v->ctx, t.difference, t.motion.count, t.motion.at, roots + 3);
    model_put_samples(v->model, roots, t.motion.count + 3);
    t.plan = expr_plan_create(v->ctx, v->arena, roots, t.motion.count + 3);
    t.out = NEW_ARRAY(v->arena, double, t.motion.count + 3);
    t.scale = NEW_ARRAY(v->arena, double, t.motion.count + 3);
    return t;
}

static double largest(const double *x, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* Values of the motion's symbols at the point; sizes: how large their kind is, for the rounding. */
typedef struct motion_values {
    eval_result multipliers, parametric, hamel, charted, plain;
} motion_values;

static bool put_derived(verification *v, point *p, const motion_values *mv, ah_expr symbol)
{
    derived_name d;
    int extra;
    uint32_t row, col, entry;
    if (!parse_derived(expr_get_name(v->ctx, symbol), &d)) return false;
    if (beta_entry(v, &d, &entry)) {
        const quantity beta = find_extra(v->hamel.eq, "beta");
        if (beta == QUANTITY_NONE || mv->hamel.refused) return false;
        point_set(p, symbol, run_get(v->hamel.runner, beta)[entry]);
        return true;
    }
    if (!locate(v, &d, &extra, &row, &col)) return false;
    if (extra == MOTION_LAMBDA && mv->multipliers.multipliers) {
        point_set(p, symbol, mv->multipliers.multipliers[row]);
        return mv->multipliers.multipliers_unique;
    }
    if (extra == MOTION_REACTION && mv->multipliers.reaction) {
        point_set(p, symbol, mv->multipliers.reaction[row]);
        return true;
    }
    const bool reduced = extra == MOTION_GZ;
    const eval_result *owner = reduced ? &mv->charted : &mv->plain;
    const quantity x = owner->refused ? QUANTITY_NONE : find_extra(owner->eq, reduced ? "Gz" : "G");
    if (x == QUANTITY_NONE) return false;
    point_set(p, symbol,
              run_get(owner->runner, x)[row * sheet_get(owner->eq->sheet, x)->cols + col]);
    return true;
}

static bool put_motion(verification *v, point *p, const trial *t, const motion_values *mv)
{
    for (uint32_t i = 0; i < v->mech->n; i++)
        point_set(p, v->model->a.at[i], mv->multipliers.qddot[i]);
    for (uint32_t i = 0; v->model->speeds.count && i < mv->parametric.speeds; i++)
        point_set(p, mat_get(v->ctx, v->mech->chart.zdot, i, 0), mv->parametric.speed_dot[i]);
    for (size_t i = 0; i < t->motion.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(v->ctx, t->motion.at[i]);
        if (kind == AH_JERK) return false;
        if (kind == AH_SPEED_DOT && !mv->parametric.speed_dot) return false;
        if (kind == AH_DERIVED && !put_derived(v, p, mv, t->motion.at[i])) return false;
    }
    return true;
}

typedef enum trial_answer { TRIAL_HOLDS, TRIAL_FAILS, TRIAL_SKIPPED } trial_answer;

static trial_answer judge(const trial *t, const point *p, double acceleration)
{
    expr_plan_run_scaled(t->plan, p->values, t->out, t->scale);
    double tolerance = VERIFY_DIFFERENT * fmax(t->scale[0], fmax(t->scale[1], t->scale[2]));
    for (size_t i = 0; i < t->motion.count; i++) {
        const double size = fmax(acceleration, fabs(point_get(p, t->motion.at[i])));
        tolerance += VERIFY_MOTION * fabs(t->out[3 + i]) * size;
    }
    if (!isfinite(t->out[0]) || !isfinite(tolerance)) return TRIAL_SKIPPED;
    return fabs(t->out[0]) <= tolerance ? TRIAL_HOLDS : TRIAL_FAILS;
}

/* Size of what the accelerations are the sum of: free ones and the motion's. */
static double acceleration_size(const motion_values *mv, uint32_t n)
{
    double size = largest(mv->multipliers.qddot, n);
    if (mv->multipliers.reaction) size = fmax(size, largest(mv->multipliers.reaction, n));
    return size;
}

/* All motions at the point: one, or every global minimum of a non-linear second-class system. */
static trial_answer try_at(verification *v, const trial *t, point *p, const char **why)
{
    motion_values mv = {0};
    if (!v->second_class.refused && v->second_class.eq->branches) {
        mv.multipliers = eval_at(&v->second_class, p);
        if (mv.multipliers.refused || !mv.multipliers.branches->unique) {
            *why = "Gauss' principle does not determine the motion";
            return TRIAL_SKIPPED;
        }
        mv.multipliers.qddot = mv.multipliers.branches->branch[0].qddot;
        mv.multipliers.multipliers = mv.multipliers.branches->branch[0].multipliers;
    } else {
        mv.multipliers = eval_at(&v->multipliers, p);
        if (mv.multipliers.refused || mv.multipliers.rcond < VERIFY_CONDITION) return TRIAL_SKIPPED;
    }
    mv.parametric = eval_at(&v->parametric, p);
    mv.hamel = eval_at(&v->hamel, p);
    mv.charted = eval_at(&v->charted, p);
    mv.plain = eval_at(&v->plain, p);
    if (!put_motion(v, p, t, &mv)) {
        *why = "a name in it has no value in this system";
        return TRIAL_SKIPPED;
    }
    return judge(t, p, acceleration_size(&mv, v->mech->n));
}

/* Random states until `states` of them were good, or a counter-example. */
static void try_claim(verification *v, const trial *t, verify_claim *c)
{
    states_rng rng = probe_seed(v->seed);
    const size_t attempts = 10 * v->states + 50;
    const char *why = "no regular admissible state was found at which both sides exist";
    for (size_t i = 0; i < attempts && c->states < v->states; i++) {
        ctx_tick(v->ctx);
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        trial_answer answer = TRIAL_SKIPPED;
        if (point_at_random(v->model, v->random, &rng, &v->ctx->scratch, &p))
            answer = try_at(v, t, &p, &why);
        if (answer == TRIAL_HOLDS) c->states++;
        if (answer == TRIAL_FAILS) {
            double *values = NEW_ARRAY(v->arena, double, expr_slots(v->ctx));
            memcpy(values, p.values, expr_slots(v->ctx) * sizeof *values);
            c->values = values;
            c->left = t->out[1];
            c->right = t->out[2];
        }
        arena_release(&v->ctx->scratch, mark);
        if (answer == TRIAL_FAILS) break;
        if (i > 60 && c->states == 0) break; /* it will not get better */
    }
    c->verdict = c->values ? VERDICT_FALSE : c->states ? VERDICT_HOLDS : VERDICT_UNKNOWN;
    if (c->verdict == VERDICT_UNKNOWN) c->why = why;
}

/* ---- Proofs --------------------------------------------------------------------------------- */

static const char *const extra_names[MOTION_EXTRAS] = {"G", "Gz", "lambda", "reaction"};

/* The symbolic β, once. */
static bool symbolic_beta(verification *v, uint32_t entry, ah_expr *out)
{
    if (!v->beta_tried) {
        v->beta_tried = true;
        const quantity x = v->hamel.refused ? QUANTITY_NONE : find_extra(v->hamel.eq, "beta");
        const work_options options = {.values = true};
        if (x != QUANTITY_NONE && !work_out(work_create(v->hamel.eq, &options), x, &v->beta))
            v->beta = (mat){0};
    }
    if (!v->beta.rows) return false;
    *out = mat_get(v->ctx, v->beta, entry / v->beta.cols, entry % v->beta.cols);
    return true;
}

/* The symbolic value of one of the motion's symbols in the variables of the work. */
static bool symbolic_value(verification *v, work *w, const ah_equations *eq, ah_expr symbol,
                           ah_expr *out)
{
    mat x;
    derived_name d;
    int extra;
    uint32_t row, col, entry;
    switch (expr_get_kind(v->ctx, symbol)) {
    case AH_ACCELERATION:
        for (row = 0; v->model->a.at[row] != symbol;) row++;
        if (!work_out(w, eq->qddot, &x)) return false;
        *out = mat_get(v->ctx, x, row, 0);
        return true;
    case AH_SPEED_DOT:
        if (eq->speeds_dot == QUANTITY_NONE || !work_out(w, eq->speeds_dot, &x)) return false;
        for (row = 0; row < x.rows; row++)
            if (mat_get(v->ctx, v->mech->chart.zdot, row, 0) == symbol) {
                *out = mat_get(v->ctx, x, row, 0);
                return true;
            }
        return false;
    case AH_DERIVED:
        if (!parse_derived(expr_get_name(v->ctx, symbol), &d)) return false;
        if (beta_entry(v, &d, &entry)) return symbolic_beta(v, entry, out);
        if (!locate(v, &d, &extra, &row, &col)) return false;
        const quantity value = find_extra(eq, extra_names[extra]);
        if (value == QUANTITY_NONE || !work_out(w, value, &x)) return false;
        *out = mat_get(v->ctx, x, row, col);
        return true;
    default: return false;
    }
}

/* One irreducible constraint set? Linear constraints always; one non-linear constraint if it does
 * not factor. */
static bool irreducible(verification *v)
{
    size_t nonlinear = 0;
    for (size_t i = 0; i < v->model->constraints.count; i++) {
        const model_constraint *c = &v->model->constraints.at[i];
        if (c->order != MODEL_VELOCITY || c->linear) continue;
        algebra_factors f;
        ah_expr e = c->c;
        model_put_values(v->model, &e, 1);
        if (!algebra_factor(v->mech->alg, e, &f)) return false;
        size_t factors = 0;
        for (size_t j = 0; j < f.count; j++)
            if (expr_depends_kind(v->ctx, f.factor[j], AH_VELOCITY)) factors++;
        if (factors != 1 || ++nonlinear > 1) return false;
    }
    return true;
}

/* Relations that hold beside the chart: holonomic ones; without a chart the velocity constraints
 * too. */
static bool set_relations(verification *v, bool velocities)
{
    LIST(ah_expr) list = {0};
    for (size_t i = 0; i < v->model->constraints.count; i++) {
        const model_constraint *c = &v->model->constraints.at[i];
        if (c->order == MODEL_HOLONOMIC) LIST_PUSH(v->arena, &list, c->c);
        if (velocities && c->order != MODEL_ACCELERATION)
            LIST_PUSH(v->arena, &list, mat_get(v->ctx, v->mech->C, (uint32_t) i, 0));
    }
    model_put_values(v->model, list.at, list.count);
    return algebra_set_relations(v->mech->alg, list.at, list.count) || list.count == 0;
}

static bool prove_by(verification *v, work *w, const formalism *f, const trial *t, bool velocities)
{
    const char *why, *instead;
    const ah_equations *eq = w ? derive_equations(v->model, f, NULL, &why, &instead) : NULL;
    if (!eq) return false;
    ah_expr *value = NEW_ARRAY(v->arena, ah_expr, t->motion.count);
    for (size_t i = 0; i < t->motion.count; i++)
        if (!symbolic_value(v, w, eq, t->motion.at[i], &value[i])) return false;
    ah_expr e = t->difference;
    if (eq->substitutions) e = expr_subst(v->ctx, e, eq->substitutions, eq->from, eq->to);
    e = expr_subst(v->ctx, e, t->motion.count, t->motion.at, value);
    if (eq->substitutions) e = expr_subst(v->ctx, e, eq->substitutions, eq->from, eq->to);
    model_put_values(v->model, &e, 1);
    const bool related = set_relations(v, velocities);
    const ah_truth zero = related || !velocities ? algebra_zero(v->mech->alg, e) : AH_UNKNOWN;
    algebra_set_relations(v->mech->alg, NULL, 0);
    return zero == AH_TRUE;
}

static bool prove(verification *v, const trial *t)
{
    return (irreducible(v) && prove_by(v, v->chart_work, &by_chart, t, false)) ||
           prove_by(v, v->plain_work, &by_multipliers, t, true);
}

/* ---- All claims ------------------------------------------------------------------------------ */

static work *open_route(verification *v, const formalism *f)
{
    const char *why, *instead;
    const work_options options = {.values = true};
    const ah_equations *eq = derive_equations(v->model, f, NULL, &why, &instead);
    return eq ? work_create(eq, &options) : NULL;
}

verification *verify_open(ah_model *m, size_t wanted, uint64_t seed)
{
    verification *v = NEW(&m->ctx->job, verification);
    *v = (verification){
        .model = m, .ctx = m->ctx, .arena = &m->ctx->job, .states = wanted, .seed = seed};
    v->mech = derive_mechanics(v->model);
    v->multipliers = eval_prepare(v->model, derive_find("multipliers"), NULL, v->arena);
    v->parametric = eval_prepare(v->model, derive_find("parametric"), NULL, v->arena);
    v->charted = eval_prepare(v->model, &by_chart, NULL, v->arena);
    v->plain = eval_prepare(v->model, &by_multipliers, NULL, v->arena);
    v->second_class = eval_prepare(v->model, derive_find("second-class"), NULL, v->arena);
    v->hamel = eval_prepare(v->model, derive_find("hamel"), NULL, v->arena);
    if (!v->parametric.refused && v->mech->chart.psi.rows) v->chart_work = open_route(v, &by_chart);
    v->plain_work = open_route(v, &by_multipliers);
    v->random = analyse_states_create(v->model, v->arena);
    return v;
}

static bool has_unspecified(const ah_model *m)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.at[i].body == AH_NONE) return true;
    return false;
}

static void verify_equation(verification *v, const model_claim *claim, verify_claim *out)
{
    const trial t = prepare_trial(v, claim);
    try_claim(v, &t, out);
    /* with unspecified functions there are no numbers, but there may be a proof */
    const bool open = out->verdict == VERDICT_HOLDS ||
                      (out->verdict == VERDICT_UNKNOWN && has_unspecified(v->model));
    if (open && prove(v, &t)) out->verdict = VERDICT_PROVED;
}

static void verify_statement(verification *v, const model_claim *claim, verify_claim *out)
{
    const statement_question q = {v->model, claim->statement, v->states, v->seed};
    switch (claim->statement->says) {
    case SAYS_INTEGRAL:
        verify_equation(v, claim, out);
        if (out->verdict == VERDICT_FALSE || !statement_is_empty(&q)) return;
        out->verdict = VERDICT_FALSE;
        out->why = "it is constant wherever the constraints hold, whatever the motion is";
        return;
    case SAYS_EQUILIBRIUM:
    case SAYS_STEADY: statement_of_motion(&q, out); return;
    case SAYS_STABLE:
    case SAYS_ATTRACTING:
    case SAYS_UNSTABLE: statement_of_stability(&q, out); return;
    default: statement_of_kind(&q, out);
    }
}

void verify_one(verification *v, const model_claim *claim, verify_claim *out)
{
    *out = (verify_claim){.claim = claim, .model = v->model};
    if (claim->statement)
        verify_statement(v, claim, out);
    else
        verify_equation(v, claim, out);
    out->pass = claim->refute ? out->verdict == VERDICT_FALSE
                              : out->verdict == VERDICT_PROVED || out->verdict == VERDICT_HOLDS;
}

void verify_run(ah_model *m, size_t wanted, uint64_t seed, verify_answer *out)
{
    verification *v = verify_open(m, wanted, seed);
    out->count = m->claims.count;
    out->at = NEW_ARRAY(v->arena, verify_claim, out->count);
    out->pass = true;
    for (size_t i = 0; i < out->count; i++) {
        ctx_progress(m->ctx, (double) i / (double) out->count);
        verify_one(v, &m->claims.at[i], &out->at[i]);
        if (!out->at[i].pass) out->pass = false;
    }
}
