/* state/second_class_solve.c - stationary points of Gauss' function, found, judged and ordered. */
#include "second_class_problem.h"

#include "exact.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

/* An eigenvalue of the second variation counts as zero below this part of its terms: exact
 * solutions are good to rounding, searched ones to about the root of it where they are multiple. */
#define ZERO_EXACT    1e-10
#define ZERO_SEARCHED 1e-6

/* ---- The problem, once a model --------------------------------------------------------------- */

static ah_expr row_expression(const second_class_problem *p, uint32_t i)
{
    const mechanics *k = p->mech;
    ah_expr c = mat_get(p->ctx, k->gamma, i, 0);
    if (!p->row[i].linear) return p->model->constraints.at[i].c;
    for (uint32_t j = 0; j < p->n; j++)
        c = expr_add(p->ctx, c, expr_mul(p->ctx, mat_get(p->ctx, k->J, i, j), p->model->a.at[j]));
    return c;
}

/* The numerator as a polynomial in the accelerations. */
static bool collect_row(second_class_problem *p, uint32_t i)
{
    algebra *alg = p->mech->alg;
    second_class_row *row = &p->row[i];
    const ah_expr c = p->model->constraints.at[i].c, *a = p->model->a.at;
    ah_expr numerator;
    row->denominator = AH_NONE;
    if (row->linear || algebra_collect(alg, c, p->n, a, &row->terms)) return true;
    if (!algebra_fraction(alg, c, &numerator, &row->denominator)) return false;
    return algebra_collect(alg, numerator, p->n, a, &row->terms);
}

/* M, L, J, γ and the coefficients, one after the other. */
static void list_roots(second_class_problem *p)
{
    const mechanics *k = p->mech;
    arena *a = k->arena;
    const size_t n = p->n, r = p->r;
    p->at_L = n * n;
    p->at_J = p->at_L + n;
    p->at_gamma = p->at_J + r * n;
    p->roots = p->at_gamma + r;
    for (uint32_t i = 0; i < p->r; i++) {
        p->row[i].first = p->roots;
        p->roots += p->row[i].terms.terms;
    }
    p->root = NEW_ARRAY(a, ah_expr, p->roots);
    for (size_t i = 0; i < p->roots; i++) p->root[i] = expr_int(p->ctx, 0);
    memcpy(p->root, mat_to_dense(p->ctx, a, mechanics_mass(k)), n * n * sizeof *p->root);
    memcpy(p->root + p->at_L, mat_to_dense(p->ctx, a, k->L), n * sizeof *p->root);
    const ah_expr *J = mat_to_dense(p->ctx, a, k->J), *gamma = mat_to_dense(p->ctx, a, k->gamma);
    for (size_t i = 0; i < r; i++) {
        const second_class_row *row = &p->row[i];
        if (row->linear) {
            memcpy(p->root + p->at_J + i * n, J + i * n, n * sizeof *J);
            p->root[p->at_gamma + i] = gamma[i];
        } else if (row->terms.terms) {
            memcpy(p->root + row->first, row->terms.coefficient,
                   row->terms.terms * sizeof *p->root);
        }
    }
    p->at_state = expr_plan_create(p->ctx, a, p->root, p->roots);
}

/* c, J, second derivatives, denominators as functions of the accelerations. */
static ah_expr *list_point_roots(second_class_problem *p)
{
    ah_ctx *ctx = p->ctx;
    arena *job = p->mech->arena;
    const size_t n = p->n, r = p->r;
    const ah_expr *a = p->model->a.at;
    p->point_roots = r + r * n + r * n * n + r;
    ah_expr *root = NEW_ARRAY(job, ah_expr, p->point_roots);
    for (uint32_t i = 0; i < p->r; i++) {
        const ah_expr c = row_expression(p, i);
        const mat second = mat_hessian(ctx, job, c, n, a);
        root[i] = c;
        expr_gradient(ctx, c, n, a, root + r + i * n);
        memcpy(root + r + r * n + i * n * n, mat_to_dense(ctx, job, second), n * n * sizeof *root);
        root[r + r * n + r * n * n + i] =
            p->row[i].denominator == AH_NONE ? expr_int(ctx, 1) : p->row[i].denominator;
    }
    p->at_point = expr_plan_create(ctx, job, root, p->point_roots);
    return root;
}

second_class_problem *second_class_prepare(ah_model *m)
{
    static const char key;
    mechanics *k = derive_mechanics(m);
    if (*model_kept(m, &key)) return *model_kept(m, &key);
    second_class_problem *p = NEW(k->arena, second_class_problem);
    *p = (second_class_problem){
        .ctx = m->ctx, .model = m, .mech = k, .n = k->n, .r = k->r, .polynomial = true};
    p->row = NEW_ARRAY(k->arena, second_class_row, p->r);
    for (uint32_t i = 0; i < p->r; i++) {
        const model_constraint *c = &m->constraints.at[i];
        p->row[i].linear = c->order != MODEL_ACCELERATION || c->linear;
        if (!collect_row(p, i)) {
            p->polynomial = false;
            p->row[i].terms.terms = 0;
        }
    }
    list_roots(p);
    const ah_expr *at_point = list_point_roots(p);
    const size_t count = p->roots + p->point_roots;
    ah_expr *all = NEW_ARRAY(k->arena, ah_expr, count);
    memcpy(all, p->root, p->roots * sizeof *all);
    memcpy(all + p->roots, at_point, p->point_roots * sizeof *all);
    p->symbols = expr_symbols(p->ctx, k->arena, all, count);
    *model_kept(m, &key) = p;
    return p;
}

/* ---- One state ------------------------------------------------------------------------------- */

void second_class_evaluate(second_class_state *s, const double *a)
{
    const second_class_problem *p = s->p;
    for (uint32_t j = 0; j < p->n; j++) frame_set(s->values, p->model->a.at[j], a[j]);
    expr_plan_run_scaled(p->at_point, s->values, s->point, s->scale);
    for (uint32_t i = 0; i < p->r; i++) { /* a constraint need not be written as a sum */
        double terms = s->scale[i] > fabs(s->c[i]) ? s->scale[i] : 0, slopes = 0;
        for (uint32_t j = 0; j < p->n; j++) slopes += fabs(s->J[(size_t) i * p->n + j] * a[j]);
        s->scale[i] = fmax(terms, slopes);
    }
}

static bool finite_numbers(const second_class_state *s)
{
    for (size_t i = 0; i < s->p->roots; i++)
        if (!isfinite(s->number[i])) return false;
    return true;
}

static void set_free_acceleration(second_class_state *s)
{
    s->free = NEW_ARRAY(s->arena, double, s->p->n);
    if (linear_solve(&s->p->ctx->scratch, s->p->n, 1, s->M, s->L, s->free) <= 0) s->free = NULL;
}

/* All non-linear rows, and of the linear ones those that are independent at the state. */
static void choose_rows(second_class_state *s)
{
    const second_class_problem *p = s->p;
    uint32_t *linear = NEW_ARRAY(s->arena, uint32_t, p->r), count = 0;
    uint32_t *order = NEW_ARRAY(s->arena, uint32_t, p->r);
    bool *taken = NEW_ARRAY(s->arena, bool, p->r);
    double *J = NEW_ARRAY(s->arena, double, (size_t) p->r * p->n);
    for (uint32_t i = 0; i < p->r; i++) {
        taken[i] = !p->row[i].linear;
        if (taken[i]) continue;
        memcpy(J + (size_t) count * p->n, s->number + p->at_J + (size_t) i * p->n,
               p->n * sizeof *J);
        linear[count++] = i;
    }
    const uint32_t rank = linear_row_rank(&p->ctx->scratch, count, p->n, J, order);
    for (uint32_t i = 0; i < rank; i++) taken[linear[order[i]]] = true;
    s->use = NEW_ARRAY(s->arena, uint32_t, p->r);
    for (uint32_t i = 0; i < p->r; i++)
        if (taken[i]) s->use[s->used++] = i;
}

bool second_class_enter(second_class_state *s, second_class_problem *p, const frame *values,
                        arena *a)
{
    const size_t n = p->n, r = p->r;
    *s = (second_class_state){.p = p, .arena = a};
    s->values = frame_create(p->ctx, a, 0);
    for (size_t i = 0; i < p->symbols.count; i++) {
        const ah_expr symbol = p->symbols.at[i];
        if (expr_get_kind(p->ctx, symbol) != AH_ACCELERATION)
            frame_set(s->values, symbol, frame_get(values, symbol));
    }
    for (size_t i = 0; i < p->model->parameters.count; i++) { /* exact.c looks at all of them */
        const ah_expr symbol = p->model->parameters.at[i].symbol;
        frame_set(s->values, symbol, frame_get(values, symbol));
    }
    s->number = NEW_ARRAY(a, double, p->roots);
    expr_plan_run(p->at_state, s->values, s->number);
    s->M = s->number;
    s->L = s->number + p->at_L;
    s->point = NEW_ARRAY(a, double, p->point_roots);
    s->scale = NEW_ARRAY(a, double, p->point_roots);
    s->c = s->point;
    s->J = s->c + r;
    s->second = s->J + r * n;
    s->denominator = s->second + r * n * n;
    if (!finite_numbers(s)) return false;
    set_free_acceleration(s);
    choose_rows(s);
    return true;
}

/* ---- Judging a solution ---------------------------------------------------------------------- */

/* Eigenvalues of a small symmetric matrix by Jacobi's rotations; A is used up. */
static void eigenvalues(uint32_t m, double *A, double *out)
{
    for (int sweep = 0; sweep < 60; sweep++) {
        double off = 0, all = 0;
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t j = 0; j < m; j++) {
                const double square = A[i * m + j] * A[i * m + j];
                all += square;
                if (i != j) off += square;
            }
        if (off <= 1e-34 * all) break;
        for (uint32_t i = 0; i < m; i++)
            for (uint32_t j = i + 1; j < m; j++) {
                if (A[i * m + j] == 0) continue;
                const double theta = 0.5 * atan2(2 * A[i * m + j], A[i * m + i] - A[j * m + j]);
                const double c = cos(theta), s = sin(theta);
                for (uint32_t k = 0; k < m; k++) {
                    const double x = A[i * m + k], y = A[j * m + k];
                    A[i * m + k] = c * x + s * y;
                    A[j * m + k] = c * y - s * x;
                }
                for (uint32_t k = 0; k < m; k++) {
                    const double x = A[k * m + i], y = A[k * m + j];
                    A[k * m + i] = c * x + s * y;
                    A[k * m + j] = c * y - s * x;
                }
            }
    }
    for (uint32_t i = 0; i < m; i++) out[i] = A[i * m + i];
}

/* B = Nᵀ (M − Σλ ∂²c/∂a²) N, and the size of its terms. */
static double second_variation(const second_class_state *s, const double *lambda, uint32_t m,
                               const double *N, double *B)
{
    const uint32_t n = s->p->n;
    double size = 0;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t k = 0; k < n; k++) {
            double h = s->M[(size_t) j * n + k], terms = fabs(h);
            for (uint32_t i = 0; i < s->p->r; i++) {
                const double part = lambda[i] * s->second[((size_t) i * n + j) * n + k];
                h -= part;
                terms += fabs(part);
            }
            size = fmax(size, terms);
            for (uint32_t x = 0; x < m; x++)
                for (uint32_t y = 0; y < m; y++)
                    B[x * m + y] += N[(size_t) j * m + x] * h * N[(size_t) k * m + y];
        }
    return size;
}

/* At the point evaluated last: the second variation on the tangent space of c = 0. */
static const char *kind_of(second_class_state *s, const double *lambda, double zero)
{
    arena *scratch = &s->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const uint32_t n = s->p->n, r = s->p->r, m = n - s->used;
    const char *kind = "degenerate";
    if (linear_row_rank(scratch, r, n, s->J, NULL) == s->used) {
        double *N = NEW_ARRAY(scratch, double, (size_t) n *m + 1);
        double *none = NEW_ARRAY(scratch, double, r + 1), *x = NEW_ARRAY(scratch, double, n);
        double *B = NEW_ARRAY(scratch, double, (size_t) m *m + 1);
        double *value = NEW_ARRAY(scratch, double, m + 1);
        linear_null_space(scratch, r, n, s->used, s->J, none, N, x);
        const double size = second_variation(s, lambda, m, N, B);
        uint32_t up = 0, down = 0;
        eigenvalues(m, B, value);
        for (uint32_t i = 0; i < m; i++) {
            if (value[i] > zero * size) up++;
            if (value[i] < -zero * size) down++;
        }
        if (up + down == m) kind = !down ? "minimum" : !up ? "maximum" : "saddle";
    }
    arena_release(scratch, mark);
    return kind;
}

/* ½ (a − a_f)ᵀ M (a − a_f); up to a constant where M is singular. */
static double gauss_of(const second_class_state *s, const double *a)
{
    const uint32_t n = s->p->n;
    double sum = 0;
    for (uint32_t j = 0; j < n; j++) {
        for (uint32_t k = 0; k < n; k++) {
            const double M = s->M[(size_t) j * n + k];
            sum +=
                s->free ? (a[j] - s->free[j]) * M * (a[k] - s->free[k]) / 2 : a[j] * M * a[k] / 2;
        }
        if (!s->free) sum -= a[j] * s->L[j];
    }
    return sum;
}

/* Dependent linear rows: multipliers of least norm with the same reaction. */
static void spread_multipliers(second_class_state *s, double *lambda)
{
    const uint32_t n = s->p->n, r = s->p->r;
    arena *scratch = &s->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    double *JT = NEW_ARRAY(scratch, double, (size_t) n *r), *R = NEW_ARRAY(scratch, double, n);
    double *N = NEW_ARRAY(scratch, double, (size_t) r *r);
    for (uint32_t i = 0; i < r; i++)
        for (uint32_t j = 0; j < n; j++) {
            JT[(size_t) j * r + i] = s->J[(size_t) i * n + j];
            R[j] += lambda[i] * s->J[(size_t) i * n + j];
        }
    if (linear_row_rank(scratch, r, n, s->J, NULL) == s->used)
        linear_null_space(scratch, n, r, s->used, JT, R, N, lambda);
    arena_release(scratch, mark);
}

/* Whether the linear constraints that are not in use agree with the others, and no denominator
 * vanishes, at the point evaluated last. */
static bool admissible(const second_class_state *s, const double *a)
{
    const second_class_problem *p = s->p;
    const double *size = s->scale + (s->denominator - s->point);
    double largest = 0;
    for (uint32_t j = 0; j < p->n; j++) largest = fmax(largest, fabs(a[j]));
    for (uint32_t i = 0; i < p->r; i++) {
        if (fabs(s->denominator[i]) <= SECOND_CLASS_RESIDUAL * size[i]) return false;
        if (!p->row[i].linear) continue;
        double terms = fabs(s->number[p->at_gamma + i]);
        for (uint32_t j = 0; j < p->n; j++) terms += fabs(s->J[(size_t) i * p->n + j]) * largest;
        if (!(fabs(s->c[i]) <= SECOND_CLASS_RESIDUAL * terms)) return false;
    }
    return true;
}

/* ---- The answer ------------------------------------------------------------------------------ */

static void add_branch(second_class_state *s, second_class_answer *out, second_class_branch b)
{
    second_class_branch *grown = NEW_ARRAY(s->arena, second_class_branch, out->count + 1);
    if (out->count) memcpy(grown, out->branch, out->count * sizeof *grown);
    grown[out->count++] = b;
    out->branch = grown;
}

/* x: n accelerations and the multipliers of the rows in use. */
static void judge(second_class_state *s, const double *x, bool exact, second_class_answer *out)
{
    const second_class_problem *p = s->p;
    second_class_evaluate(s, x);
    if (!admissible(s, x)) return;
    second_class_branch b = {.qddot = NEW_ARRAY(s->arena, double, p->n),
                             .multipliers = NEW_ARRAY(s->arena, double, p->r)};
    memcpy(b.qddot, x, p->n * sizeof *x);
    for (uint32_t i = 0; i < s->used; i++) /* of the numerator N = D c: λ_c = λ_N D */
        b.multipliers[s->use[i]] = x[p->n + i] * (exact ? s->denominator[s->use[i]] : 1);
    b.gauss = gauss_of(s, x);
    b.kind = kind_of(s, b.multipliers, exact ? ZERO_EXACT : ZERO_SEARCHED);
    if (s->used < p->r) spread_multipliers(s, b.multipliers);
    add_branch(s, out, b);
}

static bool equal_gauss(double x, double y)
{
    return fabs(x - y) <= SECOND_CLASS_TIE * fmax(fabs(x), fabs(y));
}

static bool goes_before(const second_class_branch *x, const second_class_branch *y, uint32_t n)
{
    if (!equal_gauss(x->gauss, y->gauss)) return x->gauss < y->gauss;
    for (uint32_t i = 0; i < n; i++)
        if (x->qddot[i] != y->qddot[i]) return x->qddot[i] < y->qddot[i];
    return false;
}

static void sort_branches(second_class_answer *out, uint32_t n)
{
    for (size_t i = 1; i < out->count; i++)
        for (size_t j = i; j > 0 && goes_before(&out->branch[j], &out->branch[j - 1], n); j--) {
            const second_class_branch swap = out->branch[j];
            out->branch[j] = out->branch[j - 1];
            out->branch[j - 1] = swap;
        }
}

static bool is_least_alone(const second_class_answer *out)
{
    if (!out->count) return false;
    const char *kind = out->branch[0].kind;
    if (!strcmp(kind, "saddle") || !strcmp(kind, "maximum")) return false; /* M is not positive */
    return out->count == 1 || !equal_gauss(out->branch[0].gauss, out->branch[1].gauss);
}

/* Where the derivatives of the constraints are dependent, Gauss' function may be least without
 * being stationary (a cusp). Such a point counts only when nothing stationary is as good. */
static bool add_singular(second_class_state *s, second_class_answer *out)
{
    second_class_candidates singular;
    if (!second_class_exact(s, SECOND_CLASS_SINGULAR, &singular)) return false;
    const uint32_t n = s->p->n, r = s->p->r;
    for (size_t i = 0; i < singular.count; i++) {
        const double *x = singular.at + i * (n + s->used), gauss = gauss_of(s, x);
        second_class_evaluate(s, x);
        if (!admissible(s, x)) continue;
        bool best = true;
        for (size_t k = 0; best && k < out->count; k++)
            best = gauss < out->branch[k].gauss && !equal_gauss(gauss, out->branch[k].gauss);
        if (!best) continue;
        second_class_branch b = {.qddot = NEW_ARRAY(s->arena, double, n),
                                 .multipliers = NEW_ARRAY(s->arena, double, r),
                                 .gauss = gauss,
                                 .kind = "degenerate"};
        memcpy(b.qddot, x, n * sizeof *x);
        for (uint32_t j = 0; j < r; j++) b.multipliers[j] = NAN;
        add_branch(s, out, b);
    }
    return true;
}

static const char *why_none(const second_class_answer *out, bool singular_known)
{
    if (!out->complete)
        return "no accelerations were found that satisfy the constraints and stand alone in making "
               "Gauss' function stationary";
    if (!singular_known) return "the derivatives of the constraints vanish where they hold";
    return "no accelerations satisfy the constraints";
}

bool second_class_solve(ah_model *m, const frame *values, arena *a, second_class_answer *out,
                        const char **why)
{
    *out = (second_class_answer){0};
    if (m->n > SECOND_CLASS_COORDINATES) {
        *why = "constraints that are not linear in the accelerations are solved for at most 40 "
               "coordinates";
        return false;
    }
    second_class_state s;
    if (!second_class_enter(&s, second_class_prepare(m), values, a)) {
        *why = "the energy, the forces or the constraints have no finite value";
        return false;
    }
    second_class_candidates found;
    bool singular_known = true;
    out->complete = s.p->polynomial && second_class_exact(&s, SECOND_CLASS_STATIONARY, &found);
    if (!out->complete) second_class_search(&s, &found);
    for (size_t i = 0; i < found.count; i++)
        judge(&s, found.at + i * (s.p->n + s.used), out->complete, out);
    if (out->complete) singular_known = add_singular(&s, out);
    out->singular_known = singular_known;
    sort_branches(out, s.p->n);
    out->unique = is_least_alone(out);
    if (!out->count) *why = why_none(out, singular_known);
    return out->count > 0;
}

bool second_class_rational(ah_model *m, const frame *values)
{
    const second_class_problem *p = second_class_prepare(m);
    bool rational = true;
    fmpq_t x;
    fmpq_init(x);
    for (size_t i = 0; i < p->roots && rational; i++) {
        ah_expr e = p->root[i];
        model_put_values(m, &e, 1);
        rational = exact_value(m, values, e, x);
    }
    fmpq_clear(x);
    return rational;
}

void second_class_equations(ah_model *m, arena *a, const ah_expr *lambda, ah_expr *equation)
{
    ah_ctx *ctx = m->ctx;
    const mechanics *k = derive_mechanics(m);
    const uint32_t n = m->n, r = (uint32_t) m->constraints.count;
    const mat acceleration = mat_from_dense(ctx, a, n, 1, m->a.at);
    const mat inertia = mat_sub(ctx, a, mat_mul(ctx, a, mechanics_mass(k), acceleration), k->L);
    const mat linear = mat_add(ctx, a, mat_mul(ctx, a, k->J, acceleration), k->gamma);
    for (uint32_t i = 0; i < n; i++) equation[i] = mat_get(ctx, inertia, i, 0);
    for (uint32_t c = 0; c < r; c++) {
        const model_constraint *own = &m->constraints.at[c];
        const bool curved = own->order == MODEL_ACCELERATION && !own->linear;
        equation[n + c] = curved ? own->c : mat_get(ctx, linear, c, 0);
        for (uint32_t i = 0; i < n; i++)
            equation[i] =
                expr_sub(ctx, equation[i],
                         expr_mul(ctx, lambda[c], expr_diff(ctx, equation[n + c], m->a.at[i])));
    }
}
