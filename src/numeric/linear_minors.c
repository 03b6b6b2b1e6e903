/* numeric/linear_minors.c - all k × k minors of a matrix at once, by singular values and eigenvalues. */
#include "numeric.h"

#include <math.h>
#include <string.h>

double linear_minor_squares(arena *scratch, uint32_t rows, uint32_t cols, uint32_t k,
                            const double *A)
{
    const arena_mark mark = arena_get_mark(scratch);
    const size_t size = (size_t) rows * cols;
    double *copy = NEW_ARRAY(scratch, double, size + 6 * ((size_t) rows + cols) + 1);
    double *sigma = copy + size, *work = sigma + rows + cols, product = 1;
    memcpy(copy, A, size * sizeof *A);
    if (k == rows)
        product = linear_row_volume(rows, cols, copy);
    else if (!linear_singular_values(rows, cols, copy, sigma, work))
        product = NAN;
    else
        for (uint32_t i = 0; i < k; i++) product *= sigma[i];
    arena_release(scratch, mark);
    return product * product;
}

/* The product of the k largest eigenvalues of a square matrix of rank k; they are real, or come in
 * pairs. */
static double product_of_largest(arena *scratch, uint32_t r, uint32_t count, const double *square)
{
    double *re = NEW_ARRAY(scratch, double, 2 * (size_t) r), *im = re + r;
    double product = 1, angle = 0;
    if (!linear_eigenvalues(scratch, r, square, NULL, re, im, NULL)) return -1;
    for (uint32_t k = 0; k < count; k++) {
        uint32_t largest = 0;
        for (uint32_t i = 1; i < r; i++)
            if (hypot(re[i], im[i]) > hypot(re[largest], im[largest])) largest = i;
        product *= hypot(re[largest], im[largest]);
        angle += atan2(im[largest], re[largest]);
        re[largest] = im[largest] = 0;
    }
    return product * cos(angle);
}

double linear_minor_products(arena *scratch, uint32_t rows, uint32_t cols, uint32_t k,
                             const double *A, const double *B)
{
    const arena_mark mark = arena_get_mark(scratch);
    double *square = NEW_ARRAY(scratch, double, (size_t) rows *rows + 1);
    for (uint32_t i = 0; i < rows; i++)
        for (uint32_t l = 0; l < rows; l++) {
            double sum = 0;
            for (uint32_t j = 0; j < cols; j++)
                sum += A[(size_t) i * cols + j] * B[(size_t) l * cols + j];
            square[(size_t) i * rows + l] = sum;
        }
    const double product =
        k == rows ? linear_determinant(rows, square) : product_of_largest(scratch, rows, k, square);
    arena_release(scratch, mark);
    return product;
}
