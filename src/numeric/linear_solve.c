/* numeric/linear_solve.c - one dense system of equations: equilibrated, factored, refined.
 *
 * It is LAPACK's expert driver dgesvx, number by number, but for the bounds of the forward errors: these nobody reads,
 * and finding them costs four to ten more solutions for every right-hand side. */
#include "linear.h"

#include <float.h>
#include <lapacke.h>
#include <math.h>
#include <string.h>

#define UNIT_ROUNDOFF    (DBL_EPSILON / 2)
#define SCALE_WORTHWHILE 0.1  /* rows or columns whose sizes differ by more are scaled */
#define POORLY           1e-8 /* conditioned: perhaps by units alone */
#define REFINE_MOST      5    /* corrections of one solution */
enum { LANES = 4 };           /* right-hand sides at a time */

/* The matrix and its factors, column by column as LAPACK wants them. */
typedef linear_factors dense;

static void fill(dense *s, const double *A)
{
    for (uint32_t i = 0; i < s->n; i++)
        for (uint32_t j = 0; j < s->n; j++) s->a[(size_t) j * s->n + i] = A[(size_t) i * s->n + j];
}

static dense create(arena *a, uint32_t n, const double *A)
{
    const size_t square = (size_t) n * n;
    double *room = NEW_RAW(a, double, 2 * square + (6 + 4 * LANES) * (size_t) n + 1);
    dense s = {.n = n, .a = room, .factor = room + square};
    s.row = s.factor + square;
    s.column = s.row + n;
    s.b = s.column + n;
    s.x = s.b + LANES * (size_t) n;
    s.residual = s.x + LANES * (size_t) n;
    s.size = s.residual + LANES * (size_t) n;
    s.work = s.size + LANES * (size_t) n;
    s.pivot = NEW_RAW(a, int, 2 * (size_t) n + 1);
    s.iwork = s.pivot + n;
    fill(&s, A);
    return s;
}

/* Rows and columns brought to a largest entry of 1, where they differ much. */
static void equilibrate(dense *s)
{
    const double least = DBL_MIN / DBL_EPSILON;
    const int N = (int) s->n;
    double rows, columns, largest;
    const int zero = LAPACKE_dgeequ_work(LAPACK_COL_MAJOR, N, N, s->a, N, s->row, s->column, &rows,
                                         &columns, &largest);
    const bool extreme = largest < least || largest > 1 / least;
    if (zero || (rows >= SCALE_WORTHWHILE && !extreme)) s->row = NULL;
    if (zero || columns >= SCALE_WORTHWHILE) s->column = NULL;
    for (uint32_t j = 0; j < s->n; j++) {
        double *a = s->a + (size_t) j * s->n;
        const double c = s->column ? s->column[j] : 1;
        for (uint32_t i = 0; i < s->n; i++) a[i] = (s->row ? c * s->row[i] : c) * a[i];
    }
}

/* Symmetric but for signs, as [M Jᵀ; J 0] is? */
static bool is_symmetric(uint32_t n, const double *A)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++)
            if (fabs(A[(size_t) j * n + i]) != fabs(A[(size_t) i * n + j])) return false;
    return true;
}

/* A largest entry of 1 in each row and column leaves the units in which the unknowns are measured: beside J = 1e-9 a mass of
 * 1e-27 is nothing, and J Jᵀ alone no regular matrix. The diagonal knows these units: each becomes 1, and rows without one
 * get a largest entry of 1. Powers of two, so that nothing is rounded. */
static void scale_by_diagonal(dense *s)
{
    const uint32_t n = s->n;
    double *d = s->row;
    for (uint32_t i = 0; i < n; i++) {
        const double m = fabs(s->a[(size_t) i * n + i]);
        d[i] = m > 0 ? exp2(-round(log2(m) / 2)) : 0;
    }
    for (uint32_t i = 0; i < n; i++) {
        double largest = 0;
        if (s->a[(size_t) i * n + i] != 0) continue;
        for (uint32_t j = 0; j < n; j++)
            if (s->a[(size_t) j * n + j] != 0)
                largest = fmax(largest, fabs(s->a[(size_t) j * n + i]) * d[j]);
        d[i] = largest > 0 ? exp2(-round(log2(largest))) : 1;
    }
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) s->a[(size_t) j * n + i] *= d[i] * d[j];
    memcpy(s->column, d, n * sizeof *d);
}

/* The reciprocal condition; 0: singular to working precision. */
static double factorise(dense *s)
{
    const int N = (int) s->n;
    double rcond = 0;
    memcpy(s->factor, s->a, (size_t) s->n * s->n * sizeof *s->a);
    if (LAPACKE_dgetrf_work(LAPACK_COL_MAJOR, N, N, s->factor, N, s->pivot)) return 0;
    const double norm = LAPACKE_dlange_work(LAPACK_COL_MAJOR, '1', N, N, s->a, N, s->work);
    LAPACKE_dgecon_work(LAPACK_COL_MAJOR, '1', N, s->factor, N, norm, &rcond, s->work, s->iwork);
    return rcond < UNIT_ROUNDOFF ? 0 : rcond;
}

/* ---- One right-hand side --------------------------------------------------------------------- */

/* y becomes A⁻¹ y by the factors. */
static void back(const dense *s, double *restrict y)
{
    const uint32_t n = s->n;
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t k = (uint32_t) s->pivot[i] - 1;
        const double swap = y[i];
        y[i] = y[k];
        y[k] = swap;
    }
    for (uint32_t k = 0; k < n; k++) {
        const double *l = s->factor + (size_t) k * n, top = y[k];
        if (top != 0)
            for (uint32_t i = k + 1; i < n; i++) y[i] -= top * l[i];
    }
    for (uint32_t k = n; k-- > 0;) {
        const double *u = s->factor + (size_t) k * n;
        if (y[k] == 0) continue;
        const double top = y[k] /= u[k];
        for (uint32_t i = 0; i < k; i++) y[i] -= top * u[i];
    }
}

/* s->residual = b − A x. Returns the largest of its entries relative to those of |b| + |A| |x|: by how much, entry by
 * entry, A and b would have to change for x to be exact. */
static double backward_error(const dense *s, const double *b, const double *x)
{
    const uint32_t n = s->n;
    const double tiny = (n + 1) * DBL_MIN;
    double *restrict r = s->residual, *restrict size = s->size, worst = 0;
    for (uint32_t i = 0; i < n; i++) {
        r[i] = b[i];
        size[i] = fabs(b[i]);
    }
    for (uint32_t k = 0; k < n; k++) { /* where x is 0, too: it settles the sign of a 0 */
        const double *a = s->a + (size_t) k * n, minus = -x[k], absolute = fabs(x[k]);
        for (uint32_t i = 0; i < n; i++) {
            r[i] += minus * a[i];
            size[i] += fabs(a[i]) * absolute;
        }
    }
    for (uint32_t i = 0; i < n; i++) {
        const double safe = size[i] > tiny / UNIT_ROUNDOFF ? 0 : tiny;
        worst = fmax(worst, (fabs(r[i]) + safe) / (size[i] + safe));
    }
    return worst;
}

static void solve_one(const dense *s)
{
    const double *b = s->b;
    double last = 3, now, *x = s->x;
    memcpy(x, b, s->n * sizeof *x);
    back(s, x);
    for (int k = 0; k < REFINE_MOST; k++, last = now) {
        now = backward_error(s, b, x);
        if (!(now > UNIT_ROUNDOFF && 2 * now <= last)) return;
        back(s, s->residual);
        for (uint32_t i = 0; i < s->n; i++) x[i] += s->residual[i];
    }
}

/* ---- Several at a time ----------------------------------------------------------------------- */

/* Entries i of LANES right-hand sides lie side by side, and what is done to one is done to all of them at once, in the same
 * order and so with the same numbers as if they came alone. */
typedef double few __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));
typedef int64_t few_bits
    __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));
#define INLINE static inline __attribute__((always_inline))

/* Macros: a function that takes or gives a vector is called in another way on other processors. */
#define CHOOSE(which, a, b) ((few) (((which) & (few_bits) (a)) | (~(which) & (few_bits) (b))))
#define ABSOLUTE(x)         ((few) ((few_bits) (x) &INT64_MAX))

INLINE bool any_of(const few_bits *b)
{
    int64_t all = 0;
    for (int c = 0; c < LANES; c++) all |= (*b)[c];
    return all != 0;
}

/* y −= y_k column; where y_k is zero nothing is taken off, which keeps the sign of zeros. */
INLINE void take_off(few *restrict y, const double *restrict column, size_t k, size_t from,
                     size_t to)
{
    const few top = y[k];
    const few_bits moves = top != 0, rests = ~moves;
    if (!any_of(&rests))
        for (size_t i = from; i < to; i++) y[i] -= top * column[i];
    else if (any_of(&moves))
        for (size_t i = from; i < to; i++) y[i] = CHOOSE(moves, y[i] - top * column[i], y[i]);
}

INLINE void back_few(const dense *s, few *restrict y)
{
    const size_t n = s->n;
    for (size_t i = 0; i < n; i++) {
        const size_t k = (size_t) s->pivot[i] - 1;
        const few swap = y[i];
        y[i] = y[k];
        y[k] = swap;
    }
    for (size_t k = 0; k < n; k++) take_off(y, s->factor + k * n, k, k + 1, n);
    for (size_t k = n; k-- > 0;) {
        const double *u = s->factor + k * n;
        y[k] = CHOOSE(y[k] != 0, y[k] / u[k], y[k]);
        take_off(y, u, k, 0, k);
    }
}

INLINE void backward_errors(const dense *s, const few *restrict b, const few *restrict x, few *out)
{
    const size_t n = s->n;
    const double tiny = (double) (n + 1) * DBL_MIN;
    few *restrict r = (few *) s->residual, *restrict size = (few *) s->size, worst = {0};
    for (size_t i = 0; i < n; i++) {
        r[i] = b[i];
        size[i] = ABSOLUTE(b[i]);
    }
    for (size_t k = 0; k < n; k++) {
        const double *restrict a = s->a + k * n;
        const few minus = -x[k], absolute = ABSOLUTE(x[k]);
        for (size_t i = 0; i < n; i++) {
            r[i] += minus * a[i];
            size[i] += fabs(a[i]) * absolute;
        }
    }
    for (size_t i = 0; i < n; i++) {
        const few none = {0};
        const few safe = CHOOSE(size[i] > tiny / UNIT_ROUNDOFF, none, none + tiny);
        const few error = (ABSOLUTE(r[i]) + safe) / (size[i] + safe);
        worst = CHOOSE(error > worst, error, worst);
    }
    *out = worst;
}

/* Each is refined as long as that makes it twice as good. */
INLINE void solve_lanes(const dense *s)
{
    const few *b = (const few *) s->b;
    few *x = (few *) s->x, *r = (few *) s->residual, last = {3, 3, 3, 3};
    few_bits going = {-1, -1, -1, -1};
    memcpy(x, b, s->n * sizeof *x);
    back_few(s, x);
    for (int k = 0; k < REFINE_MOST; k++) {
        few now;
        backward_errors(s, b, x, &now);
        going &= (now > UNIT_ROUNDOFF) & (2 * now <= last);
        last = now;
        if (!any_of(&going)) return;
        back_few(s, r);
        for (uint32_t i = 0; i < s->n; i++) x[i] = CHOOSE(going, x[i] + r[i], x[i]);
    }
}

#if defined(__x86_64__)
__attribute__((target("avx2"))) static void solve_widely(const dense *s)
{
    solve_lanes(s);
}

static bool is_wide(void)
{
    return __builtin_cpu_supports("avx2");
}
#else
static bool is_wide(void)
{
    return false;
}
#endif

static void solve_narrowly(const dense *s)
{
    solve_lanes(s);
}

#if !defined(__x86_64__)
#define solve_widely solve_narrowly
#endif

/* By the diagonal, where that is better. */
static void factor_in_units(dense *s, const dense *raw, const double *A)
{
    const double before = s->rcond;
    dense other = *s;
    other.row = raw->row;
    other.column = raw->column;
    fill(&other, A);
    scale_by_diagonal(&other);
    const bool finite = linear_is_finite((size_t) s->n * s->n, other.a);
    other.rcond = finite ? factorise(&other) : 0;
    if (other.rcond > before) {
        *s = other;
        return;
    }
    *s = *raw;
    fill(s, A);
    equilibrate(s);
    s->rcond = factorise(s);
}

linear_factors linear_factor(arena *a, uint32_t n, const double *A)
{
    if (n == 0) return (linear_factors){.rcond = 1};
    if (!linear_is_finite((size_t) n * n, A)) return (linear_factors){.n = n};
    dense s = create(a, n, A);
    const dense raw = s;
    equilibrate(&s);
    s.rcond = factorise(&s);
    if (s.rcond < POORLY && is_symmetric(n, A)) factor_in_units(&s, &raw, A);
    return s;
}

bool linear_solve_by(const linear_factors *s, uint32_t columns, const double *B, double *X)
{
    const uint32_t n = s->n;
    if (!(s->rcond > 0) || !linear_is_finite((size_t) n * columns, B)) return false;
    void (*const several)(const dense *) = is_wide() ? solve_widely : solve_narrowly;
    for (uint32_t j = 0, lanes; j < columns; j += lanes) {
        lanes = columns - j < LANES ? 1 : LANES;
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t c = 0; c < lanes; c++) {
                const double b = B[(size_t) i * columns + j + c];
                s->b[lanes * i + c] = s->row ? b * s->row[i] : b;
            }
        if (lanes == 1)
            solve_one(s);
        else
            several(s);
        for (uint32_t i = 0; i < n; i++)
            for (uint32_t c = 0; c < lanes; c++) {
                const double x = s->x[lanes * i + c];
                X[(size_t) i * columns + j + c] = s->column ? s->column[i] * x : x;
            }
    }
    return true;
}

double linear_solve(arena *scratch, uint32_t n, uint32_t columns, const double *A, const double *B,
                    double *X)
{
    if (n == 0 || columns == 0) return 1;
    const arena_mark mark = arena_get_mark(scratch);
    const linear_factors s = linear_factor(scratch, n, A);
    const bool solved = linear_solve_by(&s, columns, B, X);
    arena_release(scratch, mark);
    return solved ? s.rcond : 0;
}
