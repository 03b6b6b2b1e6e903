/* sheet/recipe_solve.c - unrolled elimination: LDLᵀ, KKT, LU and exact inverses of formulas. */
#include "../numeric/numeric.h"
#include "recipe.h"

#include <math.h>
#include <string.h>

/* A dense table of formulas; AH_NONE is zero, so that fill shows. */
typedef struct table {
    uint32_t rows, cols;
    ah_expr *at;
} table;

#define AT(t, i, j) ((t).at[(size_t) (i) * (t).cols + (j)])

static table table_of(recipe *r, mat m)
{
    table t = {m.rows, m.cols, NEW_ARRAY(r->arena, ah_expr, (size_t) m.rows * m.cols + 1)};
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t p = m.start[i]; p < m.start[i + 1]; p++)
            if (!expr_is_zero(r->ctx, m.val[p])) AT(t, i, m.col[p]) = recipe_name(r, m.val[p]);
    return t;
}

static mat table_mat(recipe *r, table t)
{
    ah_expr *dense = NEW_ARRAY(r->arena, ah_expr, (size_t) t.rows * t.cols + 1);
    for (size_t i = 0; i < (size_t) t.rows * t.cols; i++)
        dense[i] = t.at[i] == AH_NONE ? expr_int(r->ctx, 0) : t.at[i];
    return mat_from_dense(r->ctx, r->arena, t.rows, t.cols, dense);
}

/* a − b c, where any may be zero; named. */
static ah_expr minus_product(recipe *r, ah_expr a, ah_expr b, ah_expr c)
{
    if (b == AH_NONE || c == AH_NONE) return a;
    const ah_expr product = expr_mul(r->ctx, b, c);
    const ah_expr e = a == AH_NONE ? expr_neg(r->ctx, product) : expr_sub(r->ctx, a, product);
    return expr_is_zero(r->ctx, e) ? AH_NONE : recipe_name(r, e);
}

static double *numbers_of(recipe *r, mat m, const frame *values)
{
    const size_t size = (size_t) m.rows * m.cols;
    double *x = NEW_ARRAY(r->arena, double, size + 1);
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    expr_plan_run(
        expr_plan_create(r->ctx, &r->ctx->scratch, mat_to_dense(r->ctx, r->arena, m), size), values,
        x);
    arena_release(&r->ctx->scratch, mark);
    return x;
}

const double *recipe_numbers(recipe *r, mat m)
{
    return numbers_of(r, m, recipe_sample(r));
}

ah_expr recipe_about(recipe *r, double x)
{
    return expr_powi(r->ctx, expr_int(r->ctx, 2), x > 0 && isfinite(x) ? lround(log2(x)) : 0);
}

uint32_t recipe_rank(recipe *r, mat m, uint32_t *order)
{
    return linear_row_rank(&r->ctx->scratch, m.rows, m.cols, numbers_of(r, m, recipe_sample(r)),
                           order);
}

void recipe_columns(recipe *r, mat m, uint32_t *order)
{
    linear_column_order(&r->ctx->scratch, m.rows, m.cols, numbers_of(r, m, recipe_sample(r)),
                        order);
}

static bool symmetric_at(recipe *r, mat A, const frame *values)
{
    const double tolerance = 1e-12; /* rounding of the entries, relative to the diagonal */
    const uint32_t n = A.rows;
    const double *x = numbers_of(r, A, values);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            const double scale = sqrt(fabs(x[i * n + i] * x[j * n + j]));
            if (!(fabs(x[i * n + j] - x[j * n + i]) <= tolerance * scale)) return false;
        }
    return true;
}

/* Whether A = Aᵀ: as formulas, or else in numbers at two states. */
static bool is_symmetric(recipe *r, mat A)
{
    return mat_equal(A, mat_transpose(r->ctx, r->arena, A)) ||
           (symmetric_at(r, A, recipe_sample(r)) && symmetric_at(r, A, recipe_beside(r)));
}

mat recipe_symmetric(recipe *r, mat A)
{
    if (A.rows != A.cols || !is_symmetric(r, A)) return A;
    ah_expr *dense = mat_to_dense(r->ctx, r->arena, A);
    for (uint32_t i = 0; i < A.rows; i++)
        for (uint32_t j = 0; j < i; j++) dense[i * A.cols + j] = dense[j * A.cols + i];
    return mat_from_dense(r->ctx, r->arena, A.rows, A.cols, dense);
}

/* Whether the symmetric A is positive definite at the sample state; a single number need not be. */
static bool is_definite(recipe *r, mat A)
{
    const uint32_t n = A.rows;
    double *x = numbers_of(r, A, recipe_sample(r));
    for (uint32_t k = 0; n > 1 && k < n; k++) {
        if (!(x[k * n + k] > 0)) return false;
        for (uint32_t i = k + 1; i < n; i++)
            for (uint32_t j = k + 1; j < n; j++)
                x[i * n + j] -= x[i * n + k] * x[k * n + j] / x[k * n + k];
    }
    return true;
}

/* Both triangles from the lower one. */
static table symmetric_table(recipe *r, mat A)
{
    table t = table_of(r, A);
    for (uint32_t i = 0; i < t.rows; i++)
        for (uint32_t j = 0; j < i; j++) AT(t, j, i) = AT(t, i, j);
    return t;
}

/* ---- LDLᵀ ------------------------------------------------------------------------------------ */

typedef struct ldl {
    uint32_t n;
    uint32_t *order;             /* of elimination */
    table L;                     /* below the diagonal, by original indices */
    ah_expr *pivot, *reciprocal; /* d_k, 1/d_k by original index */
} ldl;

/* The row of the fewest other entries among those not eliminated: the least fill it can make. */
static uint32_t sparsest(const table *A, const bool *eliminated)
{
    uint32_t best = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < A->rows; i++) {
        uint32_t entries = 0;
        for (uint32_t j = 0; j < A->rows; j++) entries += !eliminated[j] && AT(*A, i, j) != AH_NONE;
        if (eliminated[i] || entries >= least) continue;
        least = entries;
        best = i;
    }
    return best;
}

/* A must be full (both triangles filled alike). */
static bool factor_symmetric(recipe *r, table A, double least, ldl *f)
{
    const uint32_t n = A.rows;
    bool *eliminated = NEW_ARRAY(r->arena, bool, n + 1);
    *f = (ldl){.n = n, .order = NEW_ARRAY(r->arena, uint32_t, n + 1)};
    f->L = (table){n, n, NEW_ARRAY(r->arena, ah_expr, (size_t) n * n + 1)};
    f->pivot = NEW_ARRAY(r->arena, ah_expr, n + 1);
    f->reciprocal = NEW_ARRAY(r->arena, ah_expr, n + 1);
    ah_expr *diagonal = NEW_ARRAY(r->arena, ah_expr, n + 1);
    for (uint32_t i = 0; i < n; i++) diagonal[i] = AT(A, i, i);
    for (uint32_t step = 0; step < n; step++) {
        const uint32_t k = f->order[step] = sparsest(&A, eliminated);
        const ah_expr d = AT(A, k, k);
        if (d == AH_NONE || diagonal[k] == AH_NONE) return false;
        LIST_PUSH(r->arena, &r->guards,
                  ((recipe_guard){d, diagonal[k], d == diagonal[k] ? 0 : least}));
        eliminated[k] = true;
        f->pivot[k] = d;
        f->reciprocal[k] = recipe_name(r, expr_powi(r->ctx, d, -1));
        for (uint32_t i = 0; i < n; i++) {
            if (eliminated[i] || AT(A, i, k) == AH_NONE) continue;
            AT(f->L, i, k) = recipe_name(r, expr_mul(r->ctx, AT(A, i, k), f->reciprocal[k]));
            for (uint32_t j = 0; j <= i; j++) {
                if (eliminated[j]) continue;
                AT(A, i, j) = minus_product(r, AT(A, i, j), AT(f->L, i, k), AT(A, j, k));
                AT(A, j, i) = AT(A, i, j);
            }
        }
    }
    return true;
}

/* B ← L⁻¹ B */
static void forward(recipe *r, const ldl *f, table B)
{
    for (uint32_t step = 0; step < f->n; step++)
        for (uint32_t i = 0, k = f->order[step]; i < f->n; i++)
            for (uint32_t c = 0; AT(f->L, i, k) != AH_NONE && c < B.cols; c++)
                AT(B, i, c) = minus_product(r, AT(B, i, c), AT(f->L, i, k), AT(B, k, c));
}

/* (D⁻¹ B)_kc, which may be zero; named. */
static ah_expr scaled(recipe *r, const ldl *f, table B, uint32_t k, uint32_t c)
{
    const ah_expr e = AT(B, k, c);
    return e == AH_NONE ? AH_NONE : recipe_name(r, expr_mul(r->ctx, e, f->reciprocal[k]));
}

/* B ← L⁻ᵀ B */
static void backward_unscaled(recipe *r, const ldl *f, table B)
{
    for (uint32_t step = f->n; step-- > 0;)
        for (uint32_t c = 0, k = f->order[step]; c < B.cols; c++)
            for (uint32_t i = 0; i < f->n; i++)
                AT(B, k, c) = minus_product(r, AT(B, k, c), AT(f->L, i, k), AT(B, i, c));
}

/* B ← L⁻ᵀ D⁻¹ B */
static void backward(recipe *r, const ldl *f, table B)
{
    for (uint32_t k = 0; k < f->n; k++)
        for (uint32_t c = 0; c < B.cols; c++) AT(B, k, c) = scaled(r, f, B, k, c);
    backward_unscaled(r, f, B);
}

typedef LIST(ah_expr) term_list;

static void add_product(recipe *r, term_list *terms, ah_expr a, ah_expr b)
{
    if (a != AH_NONE && b != AH_NONE) LIST_PUSH(r->arena, terms, expr_mul(r->ctx, a, b));
}

/* Their sum, which may be zero; named. */
static ah_expr sum_of(recipe *r, const term_list *terms)
{
    if (!terms->count) return AH_NONE;
    const ah_expr sum = expr_sum(r->ctx, terms->count, terms->at);
    return expr_is_zero(r->ctx, sum) ? AH_NONE : recipe_name(r, sum);
}

/* The terms of Σ_k A_ka d_k⁻¹ B_kb. */
static term_list inner(recipe *r, const ldl *f, table A, uint32_t a, table B, uint32_t b)
{
    term_list terms = {0};
    for (uint32_t k = 0; k < f->n; k++)
        if (AT(B, k, b) != AH_NONE) add_product(r, &terms, scaled(r, f, A, k, a), AT(B, k, b));
    return terms;
}

bool recipe_determinant(recipe *r, mat A, ah_expr *out)
{
    ldl f;
    const size_t guards = r->guards.count;
    const bool good = factor_symmetric(r, symmetric_table(r, A), 0, &f);
    r->guards.count = guards; /* a determinant may be zero */
    *out = good ? expr_product(r->ctx, f.n, f.pivot) : AH_NONE;
    return good;
}

/* ---- What an elimination will cost ----------------------------------------------------------- */

/* Which entries there are; n × n or n × cols. */
typedef struct pattern {
    uint32_t rows, cols;
    bool *at;
} pattern;

static pattern pattern_of(recipe *r, mat m)
{
    pattern p = {m.rows, m.cols, NEW_ARRAY(r->arena, bool, (size_t) m.rows *m.cols + 1)};
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t e = m.start[i]; e < m.start[i + 1]; e++) AT(p, i, m.col[e]) = true;
    return p;
}

/* LDLᵀ by least fill, as factor_symmetric does it: A becomes the pattern of L below the pivots, B
 * (may be empty) that of L⁻¹B. Returns the multiplications. */
static double eliminate_pattern(recipe *r, pattern A, pattern B)
{
    bool *eliminated = NEW_ARRAY(r->arena, bool, A.rows + 1);
    double cost = 0;
    for (uint32_t step = 0; step < A.rows; step++) {
        uint32_t k = 0, least = UINT32_MAX, in_B = 0;
        for (uint32_t i = 0; i < A.rows; i++) {
            uint32_t entries = 0;
            for (uint32_t j = 0; !eliminated[i] && j < A.rows; j++)
                entries += !eliminated[j] && AT(A, i, j);
            if (eliminated[i] || entries >= least) continue;
            least = entries;
            k = i;
        }
        eliminated[k] = true;
        for (uint32_t c = 0; c < B.cols; c++) in_B += AT(B, k, c);
        for (uint32_t i = 0; i < A.rows; i++) {
            if (eliminated[i] || !AT(A, i, k)) continue;
            for (uint32_t j = 0; j < A.rows; j++)
                if (!eliminated[j] && AT(A, j, k)) AT(A, i, j) = true;
            for (uint32_t c = 0; c < B.cols; c++) AT(B, i, c) = AT(B, i, c) || AT(B, k, c);
            cost += in_B;
        }
        cost += (double) least * (least + 1) / 2;
    }
    return cost;
}

static double kkt_cost(recipe *r, mat M, mat J)
{
    const pattern W = pattern_of(r, mat_transpose(r->ctx, r->arena, J));
    pattern G = {J.rows, J.rows, NEW_ARRAY(r->arena, bool, (size_t) J.rows *J.rows + 1)};
    double cost = eliminate_pattern(r, pattern_of(r, M), W);
    for (uint32_t k = 0; k < W.rows; k++)
        for (uint32_t i = 0; i < W.cols; i++)
            for (uint32_t j = 0; AT(W, k, i) && j < W.cols; j++)
                if (AT(W, k, j)) {
                    AT(G, i, j) = true;
                    cost += 0.5;
                }
    return cost + eliminate_pattern(r, G, (pattern){0});
}

/* ---- KKT ------------------------------------------------------------------------------------- */

/* Small ones are, larger ones where the elimination fills in little. */
bool recipe_takes_kkt(recipe *r, mat M, mat J)
{
    const uint32_t size = M.rows + J.rows;
    if (size <= RECIPE_LARGEST_SYSTEM) return true;
    return size <= RECIPE_LARGEST_SPARSE && kkt_cost(r, M, J) <= RECIPE_MOST_OPERATIONS;
}

/* How far elimination of M gets at a state that is not special before nothing is left of a row. */
static uint32_t regular_rows(recipe *r, mat M)
{
    const uint32_t n = M.rows;
    double *x = numbers_of(r, M, recipe_beside(r));
    const double *before = numbers_of(r, M, recipe_beside(r));
    for (uint32_t k = 0; k < n; k++) {
        const double d = x[(size_t) k * n + k];
        if (!(fabs(d) > RECIPE_SINGULAR * fabs(before[(size_t) k * n + k]))) return k;
        for (uint32_t i = k + 1; i < n; i++)
            for (uint32_t j = k + 1; j < n; j++)
                x[(size_t) i * n + j] -= x[(size_t) i * n + k] * x[(size_t) k * n + j] / d;
    }
    return n;
}

static bool is_singular(recipe *r, mat M)
{
    return regular_rows(r, M) < M.rows;
}

static uint32_t entries_of_row(mat J, uint32_t row)
{
    return J.start[row + 1] - J.start[row];
}

/* Which rows say enough of the massless coordinate k: beside the others, near the sample state. Of one with a mass all do. */
static const bool *saying(recipe *r, mat M, mat J, uint32_t k)
{
    const double threshold = 0.1; /* of the largest, as of a pivot */
    const double *x = numbers_of(r, J, recipe_beside(r));
    bool *out = NEW_ARRAY(r->arena, bool, J.rows + 1);
    double largest = 0;
    for (uint32_t i = 0; M.start[k] == M.start[k + 1] && i < J.rows; i++)
        largest = fmax(largest, fabs(x[(size_t) i * J.cols + k]));
    for (uint32_t i = 0; i < J.rows; i++)
        out[i] = fabs(x[(size_t) i * J.cols + k]) >= threshold * largest;
    return out;
}

/* Of the rows that are not taken, the one that lets elimination get furthest; of those the shortest, so that little is
 * filled in. */
static uint32_t best_completion(recipe *r, mat M, mat J, const bool *taken)
{
    uint32_t best = J.rows, furthest = regular_rows(r, M);
    const bool *says = saying(r, M, J, furthest);
    for (uint32_t i = 0; i < J.rows; i++) {
        if (taken[i] || !says[i]) continue;
        const mat row = mat_rows(r->ctx, r->arena, J, &i, 1);
        const uint32_t far = regular_rows(
            r, mat_add(r->ctx, r->arena, M,
                       mat_mul(r->ctx, r->arena, mat_transpose(r->ctx, r->arena, row), row)));
        if (far < furthest || (far == furthest &&
                               (best == J.rows || entries_of_row(J, i) >= entries_of_row(J, best))))
            continue;
        best = i;
        furthest = far;
    }
    return best;
}

static ah_expr sum_of_sizes(recipe *r, mat J, const bool *taken, uint32_t k)
{
    ah_expr sum = expr_int(r->ctx, 0);
    for (uint32_t i = 0; i < J.rows; i++)
        if (!taken || taken[i])
            sum = expr_add(r->ctx, sum, expr_call1(r->ctx, AH_ABS, mat_get(r->ctx, J, i, k)));
    return sum;
}

/* A massless coordinate hangs on the rows that were taken; where these say little of it beside the others, digits are lost that
 * those would keep. */
static void guard_massless(recipe *r, mat M, mat J, const bool *taken)
{
    for (uint32_t k = 0; k < M.rows; k++) {
        if (M.start[k] != M.start[k + 1]) continue;
        const ah_expr of = sum_of_sizes(r, J, taken, k), all = sum_of_sizes(r, J, NULL, k);
        if (of != all)
            LIST_PUSH(r->arena, &r->guards, ((recipe_guard){of, all, RECIPE_LEAST_MASSLESS}));
    }
}

/* A singular M (Euler's parameters) is completed by constraints, J a + γ = 0: M + JᵀJ and
 * L − Jᵀγ have the same solution and are regular where the whole is. As few of them as do. */
static void complete(recipe *r, mat *M, mat J, mat *L, mat gamma)
{
    ah_ctx *ctx = r->ctx;
    arena *a = r->arena;
    bool *taken = NEW_ARRAY(a, bool, J.rows + 1);
    uint32_t *rows = NEW_ARRAY(a, uint32_t, J.rows + 1), count = 0;
    mat completed = *M;
    while (is_singular(r, completed)) {
        const uint32_t next = best_completion(r, completed, J, taken);
        if (next == J.rows) break;
        taken[next] = true;
        rows[count++] = next;
        const mat row = mat_rows(ctx, a, J, &next, 1);
        completed = mat_add(ctx, a, completed, mat_mul(ctx, a, mat_transpose(ctx, a, row), row));
    }
    const mat Js = mat_rows(ctx, a, J, rows, count);
    guard_massless(r, *M, J, taken);
    *M = completed;
    *L = mat_sub(ctx, a, *L,
                 mat_mul(ctx, a, mat_transpose(ctx, a, Js), mat_rows(ctx, a, gamma, rows, count)));
}

/* ---- Systems that are kept ------------------------------------------------------------------- */

/* A table as it is before elimination. */
static table kept(recipe *r, table t, mat *as)
{
    *as = table_mat(r, t);
    return t;
}

static bool solve(recipe *r, recipe_system *s)
{
    if (!s->eliminate(r, s)) return false;
    LIST_PUSH(r->arena, &r->systems, *s);
    return true;
}

bool recipe_solve_again(recipe *r, recipe_system *s)
{
    const size_t guards = r->guards.count; /* the same ones */
    const bool good = s->eliminate(r, s);
    r->guards.count = guards;
    return good;
}

/* With M = L D Lᵀ, W = L⁻¹Jᵀ, w = L⁻¹B:  G = Wᵀ D⁻¹ W,  μ = G⁻¹ (Wᵀ D⁻¹ w + γ),
 * x = L⁻ᵀ (D⁻¹ w − (D⁻¹ W) μ). D⁻¹ W is there since G was made; so nothing is left to be scaled after μ,
 * for which everything waits. */
static bool eliminate_kkt(recipe *r, recipe_system *s)
{
    const uint32_t n = s->M.rows, rows = s->J.rows;
    const mat Jt = mat_transpose(r->ctx, r->arena, s->J);
    ldl f, g;
    if (!factor_symmetric(r, kept(r, symmetric_table(r, s->M), &s->M), RECIPE_LEAST_PIVOT_M, &f))
        return false;
    const table W = kept(r, table_of(r, Jt), &s->J);
    s->J = mat_transpose(r->ctx, r->arena, s->J);
    const table w = kept(r, table_of(r, s->B), &s->B);
    const table c = kept(r, table_of(r, s->gamma), &s->gamma);
    s->ready = r->steps.count;
    forward(r, &f, W);
    forward(r, &f, w);
    table G = {rows, rows, NEW_ARRAY(r->arena, ah_expr, (size_t) rows * rows + 1)};
    table slip = {rows, 1, NEW_ARRAY(r->arena, ah_expr, rows + 1)};
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j <= i; j++) {
            const term_list terms = inner(r, &f, W, i, W, j);
            AT(G, i, j) = AT(G, j, i) = sum_of(r, &terms);
        }
        term_list terms = inner(r, &f, W, i, w, 0);
        if (c.at[i] != AH_NONE) LIST_PUSH(r->arena, &terms, c.at[i]);
        slip.at[i] = sum_of(r, &terms);
    }
    if (!factor_symmetric(r, G, RECIPE_LEAST_PIVOT_G, &g)) return false;
    forward(r, &g, slip);
    backward(r, &g, slip);
    s->mu = table_mat(r, slip);
    for (uint32_t i = 0; i < n; i++) {
        term_list terms = {0};
        const ah_expr free = scaled(r, &f, w, i, 0);
        if (free != AH_NONE) LIST_PUSH(r->arena, &terms, free);
        for (uint32_t j = 0; j < rows; j++)
            if (slip.at[j] != AH_NONE)
                add_product(r, &terms, scaled(r, &f, W, i, j), expr_neg(r->ctx, slip.at[j]));
        w.at[i] = sum_of(r, &terms);
    }
    backward_unscaled(r, &f, w);
    s->x = table_mat(r, w);
    return true;
}

bool recipe_kkt(recipe *r, mat M, mat J, mat L, mat gamma, mat *a, mat *lambda)
{
    if (M.rows <= RECIPE_LARGEST_SYSTEM && J.rows && is_singular(r, M))
        complete(r, &M, J, &L, gamma);
    if (!recipe_takes_kkt(r, M, J)) return false;
    recipe_system s = {.eliminate = eliminate_kkt,
                       .M = recipe_simplify(r, M),
                       .J = recipe_simplify(r, J),
                       .B = recipe_simplify(r, L),
                       .gamma = recipe_simplify(r, gamma)};
    if (!solve(r, &s)) return false;
    *a = s.x;
    *lambda = mat_neg(r->ctx, r->arena, s.mu);
    return true;
}

/* ---- General systems ------------------------------------------------------------------------- */

/* Rows of A that are coupled with row `first`, directly or not, first ones first. */
static uint32_t coupled_rows(table A, uint32_t first, bool *taken, uint32_t *rows)
{
    uint32_t count = 1;
    rows[0] = first;
    taken[first] = true;
    for (uint32_t k = 0; k < count; k++)
        for (uint32_t j = 0; j < A.rows; j++)
            if (!taken[j] && AT(A, rows[k], j) != AH_NONE) {
                taken[j] = true;
                rows[count++] = j;
            }
    return count;
}

static table part_of(recipe *r, table A, const uint32_t *rows, const uint32_t *cols, uint32_t count,
                     uint32_t width)
{
    table t = {count, width, NEW_ARRAY(r->arena, ah_expr, (size_t) count * width + 1)};
    for (uint32_t i = 0; i < count; i++)
        for (uint32_t j = 0; j < width; j++) AT(t, i, j) = AT(A, rows[i], cols ? cols[j] : j);
    return t;
}

/* a b − c d, named; any may be zero. */
static ah_expr cross(recipe *r, ah_expr a, ah_expr b, ah_expr c, ah_expr d)
{
    const ah_expr left = a == AH_NONE || b == AH_NONE ? AH_NONE : expr_mul(r->ctx, a, b);
    return minus_product(r, left, c, d);
}

/* Two equations by Cramer's rule: one division, where elimination waits for two in turn. */
static bool solve_pair(recipe *r, table A, table B)
{
    const ah_expr a = AT(A, 0, 0), b = AT(A, 1, 1), c = AT(A, 0, 1);
    if (a == AH_NONE || b == AH_NONE) return false;
    const ah_expr det = cross(r, a, b, c, c);
    if (det == AH_NONE) return false;
    LIST_PUSH(r->arena, &r->guards, ((recipe_guard){a, a, 0}));
    LIST_PUSH(r->arena, &r->guards,
              ((recipe_guard){det, expr_mul(r->ctx, a, b), RECIPE_LEAST_PIVOT_PAIR}));
    const ah_expr reciprocal = recipe_name(r, expr_powi(r->ctx, det, -1));
    for (uint32_t k = 0; k < B.cols; k++) {
        const ah_expr x = cross(r, b, AT(B, 0, k), c, AT(B, 1, k));
        const ah_expr y = cross(r, a, AT(B, 1, k), c, AT(B, 0, k));
        AT(B, 0, k) = x == AH_NONE ? x : recipe_name(r, expr_mul(r->ctx, x, reciprocal));
        AT(B, 1, k) = y == AH_NONE ? y : recipe_name(r, expr_mul(r->ctx, y, reciprocal));
    }
    return true;
}

/* Cofactors of a symmetric matrix of three rows, by row and column. */
static ah_expr cofactor(recipe *r, table A, uint32_t i, uint32_t j)
{
    const uint32_t a = (i + 1) % 3, b = (i + 2) % 3, c = (j + 1) % 3, d = (j + 2) % 3;
    return cross(r, AT(A, a, c), AT(A, b, d), AT(A, a, d), AT(A, b, c));
}

/* Whether Cramer's rule keeps its digits at the sample state, and has some to lose on the way from there. */
static bool has_room(recipe *r, mat A)
{
    const double *x = numbers_of(r, A, recipe_sample(r));
    const double minor = x[0] * x[4] - x[1] * x[1];
    const double det =
        minor * x[8] - x[0] * x[5] * x[5] - x[4] * x[2] * x[2] + 2 * x[1] * x[2] * x[5];
    return x[0] > 0 && minor > RECIPE_ROOM * x[0] * x[4] && det > RECIPE_ROOM * minor * x[8];
}

/* Three equations in the same way. */
static bool solve_triple(recipe *r, table A, table B)
{
    ah_expr C[3][3];
    term_list terms = {0};
    for (uint32_t i = 0; i < 3; i++)
        for (uint32_t j = 0; j <= i; j++) C[i][j] = C[j][i] = cofactor(r, A, j, i);
    for (uint32_t j = 0; j < 3; j++) add_product(r, &terms, AT(A, 0, j), C[0][j]);
    const ah_expr det = sum_of(r, &terms), minor = C[2][2];
    if (det == AH_NONE || minor == AH_NONE) return false;
    LIST_PUSH(r->arena, &r->guards, ((recipe_guard){AT(A, 0, 0), AT(A, 0, 0), 0}));
    LIST_PUSH(r->arena, &r->guards,
              ((recipe_guard){minor, expr_mul(r->ctx, AT(A, 0, 0), AT(A, 1, 1)),
                              RECIPE_LEAST_PIVOT_TRIPLE}));
    LIST_PUSH(
        r->arena, &r->guards,
        ((recipe_guard){det, expr_mul(r->ctx, minor, AT(A, 2, 2)), RECIPE_LEAST_PIVOT_TRIPLE}));
    const ah_expr reciprocal = recipe_name(r, expr_powi(r->ctx, det, -1));
    r->crossed = true;
    for (uint32_t c = 0; c < B.cols; c++) {
        ah_expr x[3];
        for (uint32_t i = 0; i < 3; i++) {
            terms = (term_list){0};
            for (uint32_t j = 0; j < 3; j++) add_product(r, &terms, C[i][j], AT(B, j, c));
            x[i] = sum_of(r, &terms);
        }
        for (uint32_t i = 0; i < 3; i++)
            AT(B, i, c) =
                x[i] == AH_NONE ? x[i] : recipe_name(r, expr_mul(r->ctx, x[i], reciprocal));
    }
    return true;
}

/* One equation: any number but zero will do. */
static bool solve_single(recipe *r, table A, table B)
{
    const ah_expr a = AT(A, 0, 0);
    if (a == AH_NONE) return false;
    LIST_PUSH(r->arena, &r->guards, ((recipe_guard){expr_call1(r->ctx, AH_ABS, a), a, 0}));
    const ah_expr reciprocal = recipe_name(r, expr_powi(r->ctx, a, -1));
    for (uint32_t k = 0; k < B.cols; k++)
        if (AT(B, 0, k) != AH_NONE)
            AT(B, 0, k) = recipe_name(r, expr_mul(r->ctx, AT(B, 0, k), reciprocal));
    return true;
}

static bool solve_block(recipe *r, table A, table B)
{
    ldl f;
    if (A.rows == 1) return solve_single(r, A, B);
    if (A.rows == 2) return solve_pair(r, A, B);
    if (A.rows == 3 && r->keeps && has_room(r, table_mat(r, A))) return solve_triple(r, A, B);
    if (!factor_symmetric(r, A, RECIPE_LEAST_PIVOT_M, &f)) return false;
    forward(r, &f, B);
    backward(r, &f, B);
    return true;
}

/* Equations that are not coupled are solved apart. */
static bool eliminate_symmetric(recipe *r, recipe_system *s)
{
    const table A = kept(r, symmetric_table(r, s->M), &s->M);
    const table B = kept(r, table_of(r, s->B), &s->B);
    s->ready = r->steps.count;
    bool *taken = NEW_ARRAY(r->arena, bool, A.rows + 1);
    uint32_t *rows = NEW_ARRAY(r->arena, uint32_t, A.rows + 1);
    for (uint32_t i = 0; i < A.rows; i++) {
        if (taken[i]) continue;
        const uint32_t count = coupled_rows(A, i, taken, rows);
        const table b = part_of(r, B, rows, NULL, count, B.cols);
        if (!solve_block(r, part_of(r, A, rows, rows, count, count), b)) return false;
        for (uint32_t k = 0; k < count; k++)
            for (uint32_t c = 0; c < B.cols; c++) AT(B, rows[k], c) = AT(b, k, c);
    }
    s->x = table_mat(r, B);
    return true;
}

static bool is_constant(ah_ctx *ctx, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list symbols = expr_symbols(ctx, &ctx->scratch, &e, 1);
    bool constant = true;
    for (size_t i = 0; i < symbols.count; i++)
        constant = constant && expr_get_kind(ctx, symbols.at[i]) == AH_PARAMETER;
    arena_release(&ctx->scratch, mark);
    return constant;
}

static bool solve_exactly(recipe *r, mat A, mat B, mat *X)
{
    ah_expr det;
    mat inverse;
    bool singular = false;
    if (!r->alg || A.rows > 8 || !algebra_det(r->alg, A, &det)) return false;
    det = algebra_simplify(r->alg, det);
    if (expr_is_zero(r->ctx, det) || !is_constant(r->ctx, det)) return false;
    if (!algebra_inverse(r->alg, A, &inverse, &singular) || singular) return false;
    inverse = recipe_simplify(r, inverse);
    *X = mat_mul(r->ctx, r->arena, inverse, B);
    return true;
}

/* The pivot of least fill among those not small in their row and column at the sample state. */
static bool choose_pivot(const double *x, table A, const bool *row_done, const bool *col_done,
                         uint32_t *row, uint32_t *col)
{
    const double threshold = 0.1; /* of the largest in the row: the usual one of sparse LU */
    const uint32_t n = A.rows;
    uint32_t least = UINT32_MAX;
    for (uint32_t i = 0; i < n; i++) {
        double largest = 0;
        uint32_t in_row = 0;
        for (uint32_t j = 0; !row_done[i] && j < n; j++)
            if (!col_done[j] && AT(A, i, j) != AH_NONE) {
                largest = fmax(largest, fabs(x[(size_t) i * n + j]));
                in_row++;
            }
        for (uint32_t j = 0; !row_done[i] && j < n; j++) {
            uint32_t in_col = 0;
            if (col_done[j] || AT(A, i, j) == AH_NONE) continue;
            if (!(fabs(x[(size_t) i * n + j]) >= threshold * largest) || largest == 0) continue;
            for (uint32_t k = 0; k < n; k++) in_col += !row_done[k] && AT(A, k, j) != AH_NONE;
            if ((in_row - 1) * (in_col - 1) >= least) continue;
            least = (in_row - 1) * (in_col - 1);
            *row = i;
            *col = j;
        }
    }
    return least != UINT32_MAX;
}

/* |pivot| must stay comparable to its row; a constant one does. */
static void guard_pivot(recipe *r, table A, const bool *col_done, uint32_t row, uint32_t col)
{
    ah_ctx *ctx = r->ctx;
    const ah_expr pivot = AT(A, row, col);
    ah_expr scale = expr_int(ctx, 0);
    if (is_constant(ctx, pivot)) return;
    for (uint32_t j = 0; j < A.cols; j++)
        if (!col_done[j] && AT(A, row, j) != AH_NONE)
            scale = expr_add(ctx, scale, expr_call1(ctx, AH_ABS, AT(A, row, j)));
    LIST_PUSH(r->arena, &r->guards,
              ((recipe_guard){expr_call1(ctx, AH_ABS, pivot), scale, RECIPE_LEAST_PIVOT_LU}));
}

/* Gauss-Jordan without the part above: rows are eliminated downwards, then solved backwards. */
static bool eliminate_general(recipe *r, recipe_system *s)
{
    const uint32_t n = s->M.rows;
    const table A = kept(r, table_of(r, s->M), &s->M), B = kept(r, table_of(r, s->B), &s->B);
    s->ready = r->steps.count;
    bool *row_done = NEW_ARRAY(r->arena, bool, n + 1), *col_done = NEW_ARRAY(r->arena, bool, n + 1);
    uint32_t *rows = NEW_ARRAY(r->arena, uint32_t, n + 1),
             *cols = NEW_ARRAY(r->arena, uint32_t, n + 1);
    ah_expr *reciprocal = NEW_ARRAY(r->arena, ah_expr, n + 1);
    for (uint32_t step = 0; step < n; step++) {
        uint32_t p = 0, q = 0;
        if (!choose_pivot(numbers_of(r, table_mat(r, A), recipe_sample(r)), A, row_done, col_done,
                          &p, &q))
            return false;
        guard_pivot(r, A, col_done, p, q);
        rows[step] = p;
        cols[step] = q;
        row_done[p] = col_done[q] = true;
        reciprocal[step] = recipe_name(r, expr_powi(r->ctx, AT(A, p, q), -1));
        for (uint32_t i = 0; i < n; i++) {
            if (row_done[i] || AT(A, i, q) == AH_NONE) continue;
            const ah_expr l = recipe_name(r, expr_mul(r->ctx, AT(A, i, q), reciprocal[step]));
            for (uint32_t j = 0; j < n; j++)
                if (!col_done[j]) AT(A, i, j) = minus_product(r, AT(A, i, j), l, AT(A, p, j));
            for (uint32_t c = 0; c < B.cols; c++)
                AT(B, i, c) = minus_product(r, AT(B, i, c), l, AT(B, p, c));
        }
    }
    table x = {n, B.cols, NEW_ARRAY(r->arena, ah_expr, (size_t) n * B.cols + 1)};
    for (uint32_t step = n; step-- > 0;)
        for (uint32_t c = 0, p = rows[step], q = cols[step]; c < B.cols; c++) {
            ah_expr b = AT(B, p, c);
            for (uint32_t later = step + 1; later < n; later++)
                b = minus_product(r, b, AT(A, p, cols[later]), AT(x, cols[later], c));
            if (b != AH_NONE) AT(x, q, c) = recipe_name(r, expr_mul(r->ctx, b, reciprocal[step]));
        }
    s->x = table_mat(r, x);
    return true;
}

bool recipe_solve(recipe *r, mat A, mat B, mat *X)
{
    if (A.rows > RECIPE_LARGEST_SYSTEM) return false;
    recipe_system s = {.eliminate = eliminate_general, .M = recipe_simplify(r, A)};
    if (is_symmetric(r, s.M) && is_definite(r, s.M))
        s.eliminate = eliminate_symmetric;
    else if (solve_exactly(r, s.M, B, X))
        return true;
    s.B = recipe_simplify(r, B);
    if (!solve(r, &s)) return false;
    *X = s.x;
    return true;
}
