/* kind/classify.c - what kind of system it is: counts, classes of the constraints, ranks,
 * dependences. */
#include "kind.h"

#include "../real/real.h"
#include "../state/state.h"
#include "consistency.h"
#include "nonlinear.h"

#include <math.h>
#include <string.h>

enum {
    STATES = 5,                 /* admissible states at which the rank is taken */
    MASS_LARGEST = 6,           /* rows of a mass matrix whose determinant is worked out, … */
    MASS_LONGEST = 10,          /* … and nodes of a factor that tells something */
    MASS_SWITCHES = 3,          /* in it, each of which has three values */
    EXACT_ENTRIES = 40,         /* rows or columns of a matrix whose rank is also found exactly */
    MASS_STATES = 64,           /* at which such a factor is looked at */
    ENTRIES_LIMIT = 200 * 1000, /* entries of a mass matrix that is not looked at */
    WARNINGS = 20               /* redundant constraints that are reported one by one */
};
#define MASS_SECONDS 0.1  /* that its determinant may take */
#define MASS_APART   1e-6 /* from zero, so that a sign is no rounding error */

typedef struct classifier {
    ah_ctx *ctx;
    ah_model *m;
    arena *a;
    probe *probe;
    const components *parts;
    probe_states states; /* of all of them */
    ah_classification *out;
    ah_constraint_class *c;
} classifier;

/* ---- Constraints ----------------------------------------------------------------------------- */

static ah_form form_of(const model_constraint *c)
{
    if (c->order == MODEL_HOLONOMIC) return AH_FORM_HOLONOMIC;
    if (!c->linear) return AH_FORM_NONLINEAR;
    return c->order == MODEL_VELOCITY && c->affine ? AH_FORM_AFFINE : AH_FORM_LINEAR;
}

/* Degree and homogeneity of a non-linear constraint, with the declared values put in. */
static void find_degree(classifier *k, const model_constraint *c, ah_constraint_class *out)
{
    ah_model *m = k->m;
    const bool velocities = c->order == MODEL_VELOCITY;
    const expr_list *all = velocities ? &m->v : &m->a;
    ah_expr e = c->c;
    model_put_values(m, &e, 1);
    expr_list used = {0};
    for (uint32_t i = 0; i < m->n; i++)
        if (expr_depends(k->ctx, e, all->at[i])) LIST_PUSH(k->a, &used, all->at[i]);
    const int degree = algebra_degree(m->alg, e, used.count, used.at);
    out->degree = degree < 0 ? -1 : degree;
    if (!velocities) return;
    const ah_expr p = algebra_homogeneity(m->alg, e, used.count, used.at);
    if (p == AH_NONE) return;
    out->homogeneity = p;
    if (expr_get_op(k->ctx, p) == EXPR_NUMBER)
        out->homogeneity_value = expr_number_double(k->ctx, p);
}

static void classify_constraint(classifier *k, const model_constraint *c, ah_constraint_class *out)
{
    *out = (ah_constraint_class){.label = c->label, .order = (int) c->order, .form = form_of(c)};
    out->rheonomic = c->rheonomic;
    out->degree = c->linear ? 1 : -1;
    out->homogeneity_value = NAN;
    out->splits = AH_UNKNOWN;
    if (c->order == MODEL_VELOCITY && !c->linear) nonlinear_split(k->m, k->a, c, out);
    if (c->order != MODEL_HOLONOMIC && !c->linear) {
        find_degree(k, c, out);
    } else if (c->order == MODEL_VELOCITY && !c->affine) {
        out->homogeneity = expr_int(k->ctx, 1);
        out->homogeneity_value = 1;
    }
}

/* ---- Rank ------------------------------------------------------------------------------------ */

static bool is_plain(const classifier *k, const model_constraint *c)
{
    const ah_model *m = k->m;
    return c->order == MODEL_HOLONOMIC ? algebra_degree(m->alg, c->c, m->n, m->q.at) == 1
                                       : c->linear;
}

/* Do the others say all that it says? Of linear ones the rows tell. Others may hold by another factor, or have dependent
 * rows where they meet without following, and x' = y' is less than x = y. */
static bool may_go(const classifier *k, const model_constraint *c, const consistency_row *row)
{
    const ah_model *m = k->m;
    if (consistency_follows(k->m, c)) return true;
    bool plain = is_plain(k, c);
    for (size_t i = 0; i < (row->depends ? row->depends : m->constraints.count) && plain; i++) {
        const model_constraint *other = &m->constraints.at[row->depends ? row->on[i] : i];
        plain = other == c || (is_plain(k, other) && other->order <= c->order);
    }
    return plain;
}

/* Of a contact, roll_B_touch or w_slip1[2]: the length of roll_B or w, which has a direction by that name; 0: of none. */
static size_t contact_of(const classifier *k, const char *label)
{
    const size_t end = strcspn(label, "[");
    size_t length = end;
    while (length && label[length] != '_') length--;
    const char *direction =
        arena_printf(k->a, "%.*s_direction%s", (int) length, label, label + end);
    const model_name *found = length ? model_find(k->m, direction) : NULL;
    return found && found->what == MODEL_LET ? length : 0;
}

/* Its rows are one statement. */
static const char *how_to_touch(const classifier *k, const model_constraint *c, size_t length,
                                const consistency_row *rows)
{
    bool all = true, touches = false;
    for (size_t i = 0; i < k->m->constraints.count; i++) {
        const char *label = k->m->constraints.at[i].label;
        if (contact_of(k, label) != length || strncmp(label, c->label, length) ||
            strcmp(label + strcspn(label, "["), c->label + strcspn(c->label, "[")))
            continue;
        const bool depends = rows[i].verdict == ELIMINATE_DEPENDENT;
        all = all && depends;
        touches = touches || (depends && !strncmp(label + length, "_touch", 6));
    }
    return all ? "leave out this contact: others hold the body where it touches"
           : touches
               ? "it is a row of a contact: leave out what holds the body at that height besides"
               : "it is a row of a contact: let this body `slide`, if the other contacts keep it "
                 "from slipping";
}

/* A component of a vector, `r.2`, is not written by itself: all of it goes, or the others are written one by one. */
static const char *how_to_leave(const classifier *k, const model_constraint *c,
                                const consistency_row *rows)
{
    const size_t contact = contact_of(k, c->label);
    if (contact) return how_to_touch(k, c, contact, rows);
    const char *dot = strchr(c->label, '.');
    const size_t length = dot ? (size_t) (dot - c->label) : strlen(c->label);
    bool all = true;
    for (size_t i = 0; dot && i < k->m->constraints.count; i++)
        if (!strncmp(k->m->constraints.at[i].label, c->label, length + 1))
            all = all && rows[i].verdict == ELIMINATE_DEPENDENT;
    return arena_printf(k->a,
                        all ? "leave `%.*s` out"
                            : "write the other components of `%.*s` as constraints of their own",
                        (int) length, c->label);
}

/* The rows of a joint are one statement, too, and are told of together: *rest depend, besides the first. false: it is not the first. */
static bool count_of_joint(const classifier *k, const model_constraint *c,
                           const consistency_row *rows, size_t *rest, bool *all)
{
    *rest = 0;
    *all = true;
    for (size_t i = 0; c->joint && i < k->m->constraints.count; i++) {
        const model_constraint *other = &k->m->constraints.at[i];
        if (!other->joint || other->joint_first != c->joint_first) continue;
        const bool depends = rows[i].verdict == ELIMINATE_DEPENDENT;
        if (depends && other < c) return false;
        *all = *all && depends;
        *rest += depends && other > c;
    }
    return true;
}

static void warn_redundant(classifier *k, const model_constraint *c, const consistency_row *rows)
{
    size_t rest;
    bool all;
    if (!count_of_joint(k, c, rows, &rest, &all)) return;
    ah_ctx *ctx = k->ctx;
    const consistency_row *row = &rows[c - k->m->constraints.at];
    if (c->joint)
        diag(ctx, A0416, c->span, "this `%s` says what others say: `%s`%s", c->joint, c->label,
             rest ? arena_printf(k->a, " and %zu more of its constraints depend on them", rest)
                  : " depends on them");
    else
        diag(ctx, A0416, c->span, "the constraint `%s` depends on the others", c->label);
    for (size_t i = 0; i < row->depends; i++) {
        const model_constraint *other = &k->m->constraints.at[row->on[i]];
        diag_note(ctx, other->span,
                  row->depends == 1 ? "it is proportional to `%s`"
                                    : "it is a combination of `%s` and others",
                  other->label);
        if (row->depends > 1) break;
    }
    diag_note(ctx, NOWHERE, "the motion is determined all the same; the multipliers are not");
    diag_hint(
        ctx, "%s%s", may_go(k, c, row) ? "" : "if the others say all that it says, ",
        !c->joint ? how_to_leave(k, c, rows)
        : all     ? arena_printf(k->a, "leave this `%s` out", c->joint)
              : "take a joint that holds less: `ball` less than `hinge`, that less than `weld`");
}

static void mark_redundant(classifier *k, const consistency_row *rows)
{
    size_t warnings =
        k->parts->contradictory ? WARNINGS : 0; /* then nothing depends: there is an error */
    for (size_t i = 0; i < k->out->r; i++) {
        if (rows[i].verdict != ELIMINATE_DEPENDENT) continue;
        const char **labels = NEW_ARRAY(k->a, const char *, rows[i].depends);
        for (size_t j = 0; j < rows[i].depends; j++)
            labels[j] = k->m->constraints.at[rows[i].on[j]].label;
        k->c[i].redundant = true;
        k->c[i].depends = rows[i].depends;
        k->c[i].depends_on = labels;
        if (warnings++ < WARNINGS) warn_redundant(k, &k->m->constraints.at[i], rows);
    }
}

/* Rows that depend on nothing that the constraints bind have the same rank on them and beside. */
static bool is_free_of_constraints(const classifier *k)
{
    bool free = true;
    for (size_t i = 0; i < k->out->r; i++)
        free = free && k->c[i].order > 0 && k->m->constraints.at[i].linear;
    return free;
}

/* The exact rank off the constraints bounds the rank on them from above, a random state from below.
 * Numbers miss what small coefficients add: where the exact rank is that on the constraints it has
 * the word. */
static bool is_exact(classifier *k, uint32_t *rank)
{
    bool proved;
    mat J = model_rows(k->m, k->a);
    if (J.rows > EXACT_ENTRIES || J.cols > EXACT_ENTRIES) return false;
    ah_expr *valued = mat_to_dense(k->ctx, k->a, J);
    model_put_values(k->m, valued, (size_t) J.rows * J.cols);
    J = mat_from_dense(k->ctx, k->a, J.rows, J.cols, valued);
    const int exact = algebra_rank(k->m->alg, J, NULL, &proved);
    if (exact == (int) *rank) return true;
    if (exact < (int) *rank || !proved || !is_free_of_constraints(k)) return false;
    *rank = (uint32_t) exact;
    return true;
}

/* Rods of any lengths, as inputs may make them, fit nowhere: those that are declared may. */
static bool fits_as_declared(classifier *k)
{
    if (!model_has_inputs(k->m) || k->m->kinematic) return false;
    return probe_some_states(probe_create(model_driven(k->m), k->a), k->a, 1, 1).admissible;
}

static uint32_t rank_of_all(classifier *k)
{
    const probe_states met = k->states;
    uint32_t rank = 0;
    k->out->states = met.admissible ? met.count : 0;
    if (!met.admissible && !fits_as_declared(k)) analyse_no_states(k->m, k->a, k->probe);
    if (!k->out->r) return 0;
    if (met.admissible) {
        mark_redundant(k, analyse_consistency(k->m, k->a, &met, &rank));
        analyse_degenerate(k->m, k->a, &met);
    } else {
        probe_independent_rows(k->m, k->a, &met, model_rows(k->m, k->a), &rank);
    }
    return rank;
}

static void find_components(classifier *k)
{
    const components *found = k->parts;
    k->out->components = found->complete ? found->count : 0;
    k->out->component = components_told(found, k->a);
    if (found->contradictory && !k->ctx->log->errors) {
        diag(k->ctx, A0417, k->m->constraints.at[0].span, "the constraints contradict each other");
        consistency_hint(k->m, k->a);
    }
    k->out->regular = found->none ? AH_FALSE : k->out->states ? AH_TRUE : AH_UNKNOWN;
}

static void find_ranks(classifier *k)
{
    ah_model *m = k->m;
    ah_classification *out = k->out;
    uint32_t rank = rank_of_all(k);
    out->rank_exact = !out->r || is_exact(k, &rank);
    out->generic = !uniform_constraints(m, k->a, rank);
    bool on_velocities = false;
    for (size_t i = 0; i < out->r; i++) on_velocities = on_velocities || k->c[i].order < 2;
    out->implied = m->speeds.count && !on_velocities;
    out->rank = out->implied ? rank + m->rank : rank;
    out->velocity_rank = m->rank;
    out->m = out->n - m->rank;
}

/* ---- Energies and forces --------------------------------------------------------------------- */

/* Does it vanish somewhere for certain: a symbol, or what has either sign at states? 12 s² + 12 s + 11 does not. */
static bool has_zero(classifier *k, ah_expr e)
{
    bool below = false, above = false;
    probe_rng rng = probe_seed(1);
    const expr_plan *plan = expr_plan_create(k->ctx, k->a, &e, 1);
    if (expr_get_op(k->ctx, e) == EXPR_SYMBOL) return true;
    for (int i = 0; i < MASS_STATES && !(below && above); i++) {
        frame *values = probe_values(k->m, k->a);
        double x = 0;
        if (!probe_draw(k->probe, &rng, values)) continue;
        expr_plan_run(plan, values, &x);
        below = below || x < -MASS_APART;
        above = above || x > MASS_APART;
    }
    return below && above;
}

static algebra *mass_algebra(classifier *k)
{
    algebra *alg = algebra_create(k->ctx, k->m->facts.at, k->m->facts.count);
    algebra_set_bounds(alg, MASS_SECONDS, k->ctx->limits.terms);
    return alg;
}

/* Where a regular mass matrix is singular: at the zeros of its determinant, factor by factor; not known where one of them
 * is not seen to have any. */
static ah_truth find_zeros(classifier *k, uint32_t n, const ah_expr *valued, expr_list *zero)
{
    algebra *alg = mass_algebra(k);
    algebra_factors f;
    ah_expr det;
    if (!algebra_det(alg, mat_from_dense(k->ctx, k->a, n, n, valued), &det) ||
        !algebra_factor(alg, det, &f))
        return AH_UNKNOWN;
    for (size_t i = 0; i < f.count; i++) {
        if (f.exponent[i] <= 0 || algebra_sign(alg, f.factor[i]) != 2) continue;
        if (expr_reachable(k->ctx, k->a, &f.factor[i], 1).count > MASS_LONGEST) return AH_UNKNOWN;
        if (!has_zero(k, f.factor[i])) return AH_UNKNOWN;
        LIST_PUSH(k->a, zero, f.factor[i]);
    }
    return zero->count ? AH_TRUE : AH_FALSE;
}

/* sign(u) is −1, 0 or 1: a matrix that is regular with each of them is so everywhere. As |u|/u the algebra would see zeros at
 * u = 0 where it has none. */
static ah_truth find_switching_zeros(classifier *k, uint32_t n, const ah_expr *valued,
                                     const expr_list *signs)
{
    size_t count = 1;
    for (size_t i = 0; i < signs->count; i++) count *= 3;
    ah_expr *value = NEW_ARRAY(k->a, ah_expr, signs->count),
            *side = NEW_ARRAY(k->a, ah_expr, (size_t) n * n);
    for (size_t c = 0; c < count; c++) {
        expr_list zero = {0};
        size_t digits = c;
        for (size_t i = 0; i < signs->count; i++, digits /= 3)
            value[i] = expr_int(k->ctx, (long) (digits % 3) - 1);
        for (size_t i = 0; i < (size_t) n * n; i++)
            side[i] = expr_subst(k->ctx, valued[i], signs->count, signs->at, value);
        algebra *alg = mass_algebra(k);
        const mat M = mat_from_dense(k->ctx, k->a, n, n, side);
        if (algebra_regular(alg, M) != AH_TRUE || find_zeros(k, n, side, &zero) != AH_FALSE)
            return AH_UNKNOWN;
    }
    return AH_FALSE;
}

/* With the declared values the same at all states: regular at one, regular at all. */
static bool is_number(classifier *k, mat M)
{
    const size_t entries = mat_entries(M);
    ah_expr *valued = NEW_ARRAY(k->a, ah_expr, entries + 1);
    memcpy(valued, M.val, entries * sizeof *valued);
    model_put_values(k->m, valued, entries);
    return !expr_symbols(k->ctx, k->a, valued, entries).count;
}

static void find_mass_zeros(classifier *k, mat M)
{
    expr_list zero = {0}, signs = {0};
    k->out->mass_singular = is_number(k, M) ? AH_FALSE : AH_UNKNOWN;
    if (M.rows > MASS_LARGEST || k->out->mass_singular == AH_FALSE) return;
    const size_t entries = (size_t) M.rows * M.cols;
    ah_expr *valued = mat_to_dense(k->ctx, k->a, M);
    model_put_values(k->m, valued, entries);
    const expr_list nodes = expr_reachable(k->ctx, k->a, valued, entries);
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(k->ctx, nodes.at[i]) == EXPR_CALL &&
            expr_get_function(k->ctx, nodes.at[i]) == AH_SIGN)
            LIST_PUSH(k->a, &signs, nodes.at[i]);
    if (signs.count > MASS_SWITCHES) return;
    k->out->mass_singular = signs.count ? find_switching_zeros(k, M.rows, valued, &signs)
                                        : find_zeros(k, M.rows, valued, &zero);
    if (k->out->mass_singular != AH_TRUE) return;
    k->out->mass_zeros = zero.count;
    k->out->mass_zero = zero.at;
}

static bool holds_switches(classifier *k, mat M)
{
    const expr_list nodes = expr_reachable(k->ctx, k->a, M.val, mat_entries(M));
    for (size_t i = 0; i < nodes.count; i++) {
        if (expr_get_op(k->ctx, nodes.at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(k->ctx, nodes.at[i]);
        if (f == AH_ABS || f == AH_SIGN) return true;
    }
    return false;
}

static void find_mass_regular(classifier *k)
{
    const model_tree *tree = model_tree_of(k->m); /* M is regular where [D Kᵀ; K 0] is */
    const mat none = mat_zero(k->ctx, k->a, 0, k->m->n);
    mat M = tree ? model_tree_kkt(k->m, k->a, tree, none) : model_mass(k->m, k->a);
    k->out->mass_regular = k->out->mass_singular = AH_UNKNOWN;
    if (mat_entries(M) > ENTRIES_LIMIT) return;
    uint32_t rank;
    probe_independent_rows(k->m, k->a, &k->states, M, &rank);
    if (rank == M.rows) k->out->mass_regular = AH_TRUE;
    if (rank == M.rows) find_mass_zeros(k, M);
    /* max(x, 0)*x'^2: regular places on one side alone */
    if (k->out->mass_singular == AH_UNKNOWN && holds_switches(k, M))
        k->out->mass_regular = AH_UNKNOWN;
    if (rank == M.rows || M.rows > EXACT_ENTRIES) return;
    ah_expr *valued = mat_to_dense(k->ctx, k->a, M);
    model_put_values(k->m, valued, (size_t) M.rows * M.cols);
    M = mat_from_dense(k->ctx, k->a, M.rows, M.cols, valued);
    k->out->mass_regular = algebra_regular(k->m->alg, M);
}

static bool some_nonzero(classifier *k, const expr_list *e)
{
    bool *zero = NEW_ARRAY(k->a, bool, e->count);
    probe_zeros(k->probe, e->at, e->count, zero);
    for (size_t i = 0; i < e->count; i++)
        if (!zero[i]) return true;
    return false;
}

/* T = T2 + T1 + T0 by powers of the velocities: T1 from ∂T/∂v at v = 0, T0 from T there; no higher
 * powers where the mass matrix is free of v. */
static void find_kinetic_parts(classifier *k)
{
    ah_ctx *ctx = k->ctx;
    ah_model *m = k->m;
    expr_list curved = {0}, linear = {0}, free = {0};
    ah_expr *zero = NEW_ARRAY(k->a, ah_expr, m->n), *p = NEW_ARRAY(k->a, ah_expr, m->n + 1);
    for (uint32_t i = 0; i < m->n; i++) zero[i] = expr_int(ctx, 0);
    const model_tree *tree = model_tree_of(m);
    const mat M = tree ? tree->M : model_mass(m, k->a);
    for (uint32_t i = 0; i < mat_entries(M); i++) {
        const expr_list v = expr_symbols(ctx, k->a, &M.val[i], 1);
        for (size_t j = 0; j < v.count; j++)
            if (expr_get_kind(ctx, v.at[j]) == AH_VELOCITY)
                LIST_PUSH(k->a, &curved, expr_diff(ctx, M.val[i], v.at[j]));
    }
    expr_gradient(ctx, m->T, m->n, m->v.at, p);
    p[m->n] = m->T;
    expr_subst_all(ctx, p, m->n + 1, m->n, m->v.at, zero);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(k->a, &linear, p[i]);
    LIST_PUSH(k->a, &free, p[m->n]);
    k->out->kinetic_quadratic = !some_nonzero(k, &curved);
    k->out->kinetic_linear = some_nonzero(k, &linear);
    k->out->kinetic_free = some_nonzero(k, &free);
}

static void find_dependences(classifier *k)
{
    ah_ctx *ctx = k->ctx;
    ah_model *m = k->m;
    const ah_expr t = expr_time(ctx);
    expr_list lagrangian = {0}, force = {0}, time = {0};
    LIST_PUSH(k->a, &lagrangian, expr_diff(ctx, expr_sub(ctx, m->T, m->V), t));
    for (uint32_t i = 0; i < m->n; i++) {
        if (expr_is_zero(ctx, m->F[i])) continue;
        LIST_PUSH(k->a, &force, m->F[i]);
        LIST_PUSH(k->a, &time, expr_diff(ctx, m->F[i], t));
        if (expr_depends_kind(ctx, m->F[i], AH_VELOCITY)) k->out->forces_velocity = true;
    }
    k->out->lagrangian_time = some_nonzero(k, &lagrangian);
    k->out->forces_time = some_nonzero(k, &time);
    k->out->forces = some_nonzero(k, &force);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static void classify(ah_ctx *ctx, void *arg)
{
    classifier *k = arg;
    if (!k->m->finished) ctx_raise(ctx, AH_E_INPUT); /* its errors are reported */
    k->m = model_of_all_velocities(k->m, false);
    k->ctx = ctx;
    k->a = &ctx->job;
    k->probe = probe_create(k->m, k->a);
    k->parts = components_find(k->m);
    k->states = analyse_states_of_components(k->m, k->a, k->parts, STATES);
    k->out = NEW(k->a, ah_classification);
    k->out->n = k->m->n;
    k->out->r = k->m->constraints.count;
    k->c = NEW_ARRAY(k->a, ah_constraint_class, k->out->r);
    k->out->constraints = k->c;
    for (size_t i = 0; i < k->out->r; i++)
        classify_constraint(k, &k->m->constraints.at[i], &k->c[i]);
    find_ranks(k);
    find_components(k);
    find_mass_regular(k);
    find_kinetic_parts(k);
    find_dependences(k);
}

ah_status kind_classify(ah_model *m, const ah_classification **out)
{
    classifier k = {.m = m};
    const ah_status status = model_guard(m, classify, &k);
    *out = status == AH_OK ? k.out : NULL;
    return status;
}
