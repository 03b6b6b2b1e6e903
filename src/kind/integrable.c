/* kind/integrable.c - functions that are constant on all admissible curves.
 *
 *     f = Σ c_k φ_k(q, t),      X_i f = Σ c_k X_i φ_k = 0 for all fields X_i
 *
 * with constants c and φ from a finite list: monomials in the coordinates, in sines, cosines and
 * whatever else occurs in the fields, some quotients, logarithms and exponentials. Which φ belong
 * together is found in numbers, at random places, one linear dependence of the rows (X_i φ_k) after
 * the other. The coefficients are then found exactly, parameters as letters: the vectors (X_i
 * φ_k)_k and their derivatives by the coordinates leave one direction, which is constant. Each f is
 * proved by the normal form, so wrong guesses do no harm. */
#include "../numeric/numeric.h"
#include "../real/real.h"
#include "distribution.h"

#include <math.h>
#include <string.h>

/* A coefficient below this share of the largest is none; rounding leaves 1e-10. */
#define COEFFICIENT_ZERO 1e-7
/* An entry below this share of its terms is none. */
#define ENTRY_ZERO 1e-13

#define SECONDS 0.1 /* for all that is looked at exactly: of the models none takes a hundredth */

enum {
    CANDIDATES = 150,
    EXTRA = 10,      /* equations more than unknowns */
    SUPPORT = 10,    /* φ in one function */
    ATTEMPTS = 40,   /* combinations looked at exactly */
    EXPONENTIALS = 4 /* coordinates up to which exp(±x) are tried */
};

typedef struct atom {
    ah_expr e;
    bool cosine; /* cos² = 1 − sin² is left out */
} atom;

typedef struct search {
    const distribution *d;
    ah_ctx *ctx;
    arena *arena;
    probe *probe;
    LIST(atom) atoms;
    expr_list phi;
    const ah_expr *applied; /* X_i φ_k, letters: k · fields + i */
    uint32_t fields;
    frame **places;
    size_t place_count;
    const expr_plan *gradients; /* ∂φ_k/∂x_j: k · n + j */
    double *gradient;           /* at the first place */
    LIST(double *) found_gradient;
    expr_list found;
    size_t wanted;
} search;

/* ---- Candidates ------------------------------------------------------------------------------ */

static bool depends_on_space(search *s, ah_expr e)
{
    for (uint32_t j = 0; j < s->d->n; j++)
        if (expr_depends(s->ctx, e, s->d->x[j])) return true;
    return false;
}

static void add_atom(search *s, ah_expr e, bool cosine)
{
    for (size_t i = 0; i < s->atoms.count; i++)
        if (s->atoms.at[i].e == e) return;
    const atom x = {e, cosine};
    LIST_PUSH(s->arena, &s->atoms, x);
}

/* What is neither sum nor product nor integer power. */
static void add_call(search *s, ah_expr e)
{
    const expr_op op = expr_get_op(s->ctx, e);
    long exponent;
    if (op != EXPR_CALL && op != EXPR_UNKNOWN && op != EXPR_POWER) return;
    if (!depends_on_space(s, e)) return;
    const ah_expr *child = expr_get_children(s->ctx, e);
    if (op == EXPR_POWER && expr_is_int(s->ctx, child[1], &exponent)) return;
    const ah_function f = op == EXPR_CALL ? expr_get_function(s->ctx, e) : AH_FUNCTIONS;
    if (f == AH_SIN || f == AH_COS || f == AH_TAN) {
        add_atom(s, expr_call1(s->ctx, AH_SIN, child[0]), false);
        add_atom(s, expr_call1(s->ctx, AH_COS, child[0]), true);
    } else {
        add_atom(s, e, false);
    }
}

static void find_atoms(search *s)
{
    const mat X = s->d->X;
    for (uint32_t j = 0; j < s->d->n; j++) add_atom(s, s->d->x[j], false);
    const expr_list nodes = expr_reachable(s->ctx, s->arena, X.val, mat_entries(X));
    for (size_t i = 0; i < nodes.count; i++) add_call(s, nodes.at[i]);
}

static void add_candidate(search *s, ah_expr e)
{
    if (s->phi.count < CANDIDATES) LIST_PUSH(s->arena, &s->phi, e);
}

/* Coordinates on which the fields depend may stand in denominators, logarithms, exponents. */
static void add_special(search *s)
{
    ah_ctx *ctx = s->ctx;
    const mat X = s->d->X;
    expr_list inside = {0};
    const expr_list all = expr_symbols(ctx, s->arena, X.val, mat_entries(X));
    for (uint32_t j = 0; j < s->d->n; j++)
        for (size_t i = 0; i < all.count; i++)
            if (all.at[i] == s->d->x[j]) LIST_PUSH(s->arena, &inside, all.at[i]);
    for (size_t i = 0; i < inside.count; i++) {
        const ah_expr inverse = expr_powi(ctx, inside.at[i], -1);
        add_candidate(s, expr_call1(ctx, AH_LOG, inside.at[i]));
        add_candidate(s, inverse);
        for (uint32_t j = 0; j < s->d->n; j++)
            if (s->d->x[j] != inside.at[i]) add_candidate(s, expr_mul(ctx, s->d->x[j], inverse));
        for (size_t k = 0; k < i; k++)
            add_candidate(s, expr_call1(ctx, AH_ATAN, expr_mul(ctx, inside.at[k], inverse)));
        if (s->d->n > EXPONENTIALS) continue;
        add_atom(s, expr_call1(ctx, AH_EXP, inside.at[i]), false);
        add_atom(s, expr_call1(ctx, AH_EXP, expr_neg(ctx, inside.at[i])), false);
    }
}

/* Products of `degree` atoms with numbers not below `from`. */
static void add_monomials(search *s, size_t from, int degree, ah_expr so_far)
{
    if (degree == 0) {
        add_candidate(s, so_far);
        return;
    }
    for (size_t i = from; i < s->atoms.count && s->phi.count < CANDIDATES; i++)
        add_monomials(s, i + s->atoms.at[i].cosine, degree - 1,
                      expr_mul(s->ctx, so_far, s->atoms.at[i].e));
}

static void list_candidates(search *s)
{
    const ah_expr one = expr_int(s->ctx, 1);
    find_atoms(s);
    add_monomials(s, 0, 1, one);
    add_special(s);
    add_monomials(s, 0, 2, one);
    add_monomials(s, 0, 3, one);
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static const expr_plan *plan_of(search *s, const ah_expr *roots, size_t count)
{
    ah_expr *e = NEW_ARRAY(s->arena, ah_expr, count);
    for (size_t i = 0; i < count; i++) e[i] = roots[i];
    model_put_values(s->d->m, e, count);
    model_put_samples(s->d->m, e, count);
    return expr_plan_create(s->ctx, s->arena, e, count);
}

/* Random places; the parameters are the same at all of them. */
static bool draw_places(search *s)
{
    const ah_model *m = s->d->m;
    const size_t wanted = (s->phi.count + EXTRA) / s->fields + 1;
    probe_rng rng = probe_seed(1);
    s->places = NEW_ARRAY(s->arena, frame *, wanted);
    for (; s->place_count < wanted; s->place_count++) {
        frame *values = probe_values(m, s->arena);
        if (!probe_draw(s->probe, &rng, values)) return false;
        for (size_t i = 0; i < m->parameters.count; i++) {
            const ah_expr symbol = m->parameters.at[i].symbol;
            if (s->place_count) frame_set(values, symbol, frame_get(s->places[0], symbol));
        }
        s->places[s->place_count] = values;
    }
    return true;
}

/* Row k holds X_i φ_k at all places. */
static double *tabulate(search *s, size_t columns)
{
    const size_t count = s->phi.count * s->fields;
    const expr_plan *plan = plan_of(s, s->applied, count);
    double *out = NEW_ARRAY(s->arena, double, count), *scale = NEW_ARRAY(s->arena, double, count);
    double *table = NEW_ARRAY(s->arena, double, s->phi.count *columns);
    for (size_t p = 0; p < s->place_count; p++) {
        ctx_tick(s->ctx);
        expr_plan_run_scaled(plan, s->places[p], out, scale);
        for (size_t k = 0; k < count; k++) {
            const bool none = !isfinite(out[k]) || fabs(out[k]) <= ENTRY_ZERO * scale[k];
            table[k / s->fields * columns + p * s->fields + k % s->fields] = none ? 0 : out[k];
        }
    }
    return table;
}

/* Is the gradient independent of those of the functions found? */
static bool is_new(search *s, const double *gradient)
{
    arena *a = &s->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const uint32_t n = s->d->n;
    uint32_t *columns = NEW_ARRAY(a, uint32_t, n);
    for (uint32_t j = 0; j < n; j++) columns[j] = j;
    eliminate *e = eliminate_create(s->ctx, a, n);
    for (size_t i = 0; i < s->found_gradient.count; i++)
        eliminate_add(e, n, columns, s->found_gradient.at[i], 0);
    const bool answer = eliminate_add(e, n, columns, gradient, 0) == ELIMINATE_INDEPENDENT;
    arena_release(a, mark);
    return answer;
}

static void keep(search *s, ah_expr f)
{
    const uint32_t n = s->d->n;
    ah_expr *roots = NEW_ARRAY(s->arena, ah_expr, n);
    double *gradient = NEW_ARRAY(s->arena, double, n);
    expr_gradient(s->ctx, f, n, s->d->x, roots);
    expr_plan_run(plan_of(s, roots, n), s->places[0], gradient);
    if (!is_new(s, gradient)) return;
    LIST_PUSH(s->arena, &s->found_gradient, gradient);
    LIST_PUSH(s->arena, &s->found, f);
}

/* ---- Exact coefficients ---------------------------------------------------------------------- */

/* Without denominators, the first coefficient positive. */
static void clear_denominators(search *s, ah_expr *c, size_t count)
{
    direction_clear(s->d->alg, s->ctx, s->d->n, s->d->x, c, count);
    ah_expr first = c[0];
    model_put_values(s->d->m, &first, 1);
    if (expr_get_op(s->ctx, first) != EXPR_NUMBER || expr_number_sign(s->ctx, first) > 0) return;
    for (size_t i = 0; i < count; i++) c[i] = expr_neg(s->ctx, c[i]);
}

static bool is_annulled(search *s, ah_expr f, mat X)
{
    const ah_expr *x = mat_to_dense(s->ctx, s->arena, X);
    for (uint32_t i = 0; i < X.rows; i++) {
        const ah_expr e = expr_forward(s->ctx, f, s->d->n, s->d->x, x + (size_t) i * s->d->n);
        if (algebra_zero(s->d->alg, e) != AH_TRUE) return false;
    }
    return true;
}

/* The combination of the φ that all X_i annul, proved; `values`: with the parameters' values. */
static bool combine(search *s, const uint32_t *term, uint32_t count, bool values, ah_expr *f)
{
    ah_expr *e = NEW_ARRAY(s->arena, ah_expr, (size_t) s->fields * count), c[SUPPORT];
    ah_expr phi[SUPPORT];
    mat direction;
    for (uint32_t k = 0; k < count; k++) {
        phi[k] = s->phi.at[term[k]];
        for (uint32_t i = 0; i < s->fields; i++)
            e[i * count + k] = s->applied[term[k] * s->fields + i];
    }
    if (values) {
        model_put_values(s->d->m, e, (size_t) s->fields * count);
        model_put_values(s->d->m, phi, count);
    }
    const mat rows = mat_from_dense(s->ctx, s->arena, s->fields, count, e);
    if (!direction_find(s->d->alg, s->ctx, s->arena, rows, s->d->n, s->d->x, &direction))
        return false;
    for (uint32_t k = 0; k < count; k++) {
        c[k] = algebra_simplify(s->d->alg, mat_get(s->ctx, direction, k, 0));
        if (depends_on_space(s, c[k])) return false;
    }
    clear_denominators(s, c, count);
    for (uint32_t k = 0; k < count; k++) c[k] = expr_mul(s->ctx, c[k], phi[k]);
    *f = algebra_simplify(s->d->alg, expr_sum(s->ctx, count, c));
    return is_annulled(s, *f, values ? s->d->X_value : s->d->X);
}

/* Row k is the combination of the rows before it that has these weights. */
static void look_at(search *s, uint32_t k, const double *weight)
{
    uint32_t term[SUPPORT], count = 0;
    const uint32_t n = s->d->n;
    double largest = 1, *gradient = NEW_ARRAY(s->arena, double, n);
    ah_expr f;
    for (uint32_t i = 0; i < k; i++) largest = fmax(largest, fabs(weight[i]));
    for (uint32_t i = 0; i <= k; i++) {
        const double c = i == k ? 1 : -weight[i];
        if (i < k && fabs(c) <= COEFFICIENT_ZERO * largest) continue;
        if (count == SUPPORT) return;
        term[count++] = i;
        for (uint32_t j = 0; j < n; j++) gradient[j] += c * s->gradient[(size_t) i * n + j];
    }
    for (uint32_t j = 0; j < n; j++)
        if (!isfinite(gradient[j])) return;
    if (!is_new(s, gradient)) return;
    if (combine(s, term, count, false, &f) || combine(s, term, count, true, &f)) keep(s, f);
}

/* ---- The search ------------------------------------------------------------------------------ */

static void apply_fields(search *s)
{
    const uint32_t n = s->d->n;
    const ah_expr *X = mat_to_dense(s->ctx, s->arena, s->d->X);
    ah_expr *applied = NEW_ARRAY(s->arena, ah_expr, s->phi.count * s->fields);
    ah_expr *gradient = NEW_ARRAY(s->arena, ah_expr, s->phi.count * n);
    for (size_t k = 0; k < s->phi.count; k++) {
        ctx_tick(s->ctx);
        for (uint32_t i = 0; i < s->fields; i++)
            applied[k * s->fields + i] =
                expr_forward(s->ctx, s->phi.at[k], n, s->d->x, X + (size_t) i * n);
        expr_gradient(s->ctx, s->phi.at[k], n, s->d->x, gradient + k * n);
    }
    s->applied = applied;
    s->gradient = NEW_ARRAY(s->arena, double, s->phi.count *n);
    s->gradients = plan_of(s, gradient, s->phi.count * n);
}

static void go_through(ah_ctx *ctx, void *arg)
{
    search *s = arg;
    ctx_share(ctx, SECONDS);
    const size_t columns = s->place_count * s->fields;
    const double *table = tabulate(s, columns);
    uint32_t *column = NEW_ARRAY(s->arena, uint32_t, columns);
    double *weight = NEW_ARRAY(s->arena, double, s->phi.count);
    eliminate *e = eliminate_create(s->ctx, s->arena, (uint32_t) columns);
    for (uint32_t j = 0; j < columns; j++) column[j] = j;
    for (uint32_t k = 0, tried = 0; k < s->phi.count && tried < ATTEMPTS; k++) {
        if (s->found.count >= s->wanted) return;
        ctx_tick(s->ctx);
        const eliminate_verdict verdict =
            eliminate_add(e, (uint32_t) columns, column, table + k * columns, 0);
        if (verdict == ELIMINATE_INDEPENDENT) continue;
        eliminate_weights(e, weight);
        look_at(s, k, weight);
        tried++;
    }
}

expr_list distribution_functions(const distribution *d, probe *p, size_t wanted)
{
    search s = {.d = d,
                .ctx = d->m->ctx,
                .arena = d->arena,
                .probe = p,
                .fields = d->X.rows,
                .wanted = wanted};
    if (wanted == 0) return s.found;
    if (s.fields == 0) { /* nothing moves */
        for (uint32_t j = 0; j < d->n; j++) LIST_PUSH(s.arena, &s.found, d->x[j]);
        return s.found;
    }
    list_candidates(&s);
    apply_fields(&s);
    if (!draw_places(&s)) return s.found;
    expr_plan_run(s.gradients, s.places[0], s.gradient);
    for (size_t i = 0; i < d->m->constraints.count; i++)
        if (d->m->constraints.at[i].order == MODEL_HOLONOMIC && distribution_counts(d, i))
            keep(&s, d->m->constraints.at[i].c);
    const ah_status status = ctx_try(s.ctx, go_through, &s);
    if (status != AH_OK && status != AH_E_LIMIT) ctx_raise(s.ctx, status);
    return s.found;
}
