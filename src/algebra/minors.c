/* algebra/minors.c - determinants by Laplace's expansion with remembered minors: no division, every
 * product reduced. Elimination over fractions takes a hundred times longer already for 4 by 4. */
#include "minors.h"

/* Terms of a determinant written out, before anything cancels. */
#define EXPANSION_LIMIT 400000.0

static poly common_multiple(ring *r, poly a, poly b)
{
    if (poly_is_one(r, b) || fmpz_mpoly_equal(a, b, r->mctx)) return a;
    return poly_mul(r, a, poly_divide(r, b, poly_gcd(r, a, b)));
}

static bool is_symmetric(const minors *m)
{
    if (m->rows != m->cols) return false;
    for (uint32_t i = 0; i < m->rows; i++)
        for (uint32_t j = 0; j < i; j++)
            if (!fmpz_mpoly_equal(m->P[i * m->cols + j], m->P[j * m->cols + i], m->r->mctx))
                return false;
    return true;
}

static void scale_row(ring *r, uint32_t cols, const frac *row, poly scale, poly *out)
{
    for (uint32_t j = 0; j < cols; j++) {
        poly factor;
        if (poly_is_one(r, scale) || poly_is_zero(r, row[j].num))
            out[j] = row[j].num;
        else if (poly_divides(r, scale, row[j].den, &factor))
            out[j] = poly_mul(r, row[j].num, factor);
        else
            algebra_give_up(r->alg); /* the product of denominators was reduced */
    }
}

poly *minors_rows(ring *r, uint32_t rows, uint32_t cols, const frac *M, poly *scale)
{
    poly *P = NEW_ARRAY(&r->ctx->scratch, poly, (size_t) rows * cols);
    for (uint32_t i = 0; i < rows; i++) {
        const frac *row = &M[i * cols];
        poly common = poly_int(r, 1);
        for (uint32_t j = 0; j < cols; j++) common = common_multiple(r, common, row[j].den);
        scale_row(r, cols, row, common, &P[i * cols]);
        if (scale) scale[i] = common;
    }
    return P;
}

minors minors_of(ring *r, uint32_t rows, uint32_t cols, const frac *M)
{
    arena *a = &r->ctx->scratch;
    minors m = {.r = r, .rows = rows, .cols = cols, .known.arena = a};
    if (rows > MINORS_LARGEST || cols > MINORS_LARGEST) algebra_give_up(r->alg);
    m.scale = NEW_ARRAY(a, poly, rows);
    m.P = minors_rows(r, rows, cols, M, m.scale);
    m.symmetric = is_symmetric(&m);
    return m;
}

/* The permanent of the numbers of terms, column sets taken row by row. */
void minors_check(minors *m)
{
    const uint32_t sets = 1u << m->cols;
    double *terms = NEW_ARRAY(&m->r->ctx->scratch, double, sets);
    terms[0] = 1;
    for (uint32_t set = 1; set < sets; set++) {
        const uint32_t row = (uint32_t) __builtin_popcount(set) - 1;
        if (row >= m->rows) continue;
        for (uint32_t j = 0; j < m->cols; j++)
            if (set >> j & 1)
                terms[set] += (double) poly_terms(m->P[row * m->cols + j]) * terms[set ^ 1u << j];
    }
    if (terms[sets - 1] > EXPANSION_LIMIT) algebra_give_up(m->r->alg);
}

static poly expand(minors *m, uint32_t rows, uint32_t cols)
{
    ring *r = m->r;
    const uint32_t i = (uint32_t) __builtin_ctz(rows);
    poly sum = poly_new(r);
    bool minus = false;
    for (uint32_t left = cols; left; left &= left - 1, minus = !minus) {
        const uint32_t j = (uint32_t) __builtin_ctz(left);
        const poly entry = m->P[i * m->cols + j];
        if (poly_is_zero(r, entry)) continue;
        const poly inner = minors_get(m, rows & (rows - 1), cols ^ 1u << j);
        const size_t mark = ring_mark(r);
        const poly product = poly_mul(r, entry, inner);
        if (minus)
            fmpz_mpoly_sub(sum, sum, product, r->mctx);
        else
            fmpz_mpoly_add(sum, sum, product, r->mctx);
        ring_release(r, mark);
    }
    poly_check(r, sum);
    return sum;
}

poly minors_get(minors *m, uint32_t rows, uint32_t cols)
{
    if (rows == 0) return poly_int(m->r, 1);
    if (m->symmetric && rows > cols) {
        const uint32_t keep = rows;
        rows = cols, cols = keep;
    }
    const uint32_t key = rows << 16 | cols, at = map_get(&m->known, key);
    if (at) return m->list.at[at - 1];
    const poly p = expand(m, rows, cols);
    LIST_PUSH(&m->r->ctx->scratch, &m->list, p);
    map_put(&m->known, key, (uint32_t) m->list.count);
    return p;
}
