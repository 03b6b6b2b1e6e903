/* numeric/spectrum.h - eigenvalues of a linearisation, zeros told from small ones.
 *
 * A defective zero spreads to ε^(1/k) in floating point. So zeros are taken out first: with U an
 * orthonormal basis of the range of B, UᵀBU has the eigenvalues of B without one zero a dimension
 * of the kernel; repeated until the matrix is regular. */
#ifndef NUMERIC_SPECTRUM_H
#define NUMERIC_SPECTRUM_H
#include "../base/base.h"

/* Singular values of the balanced matrix below this share of the largest count as zero. */
#define SPECTRUM_ZERO 1e-10
/* Real parts below this share of the largest eigenvalue's modulus count as zero. */
#define SPECTRUM_REAL 1e-9
/* No entry is known better than this share of the matrix's size: sums that cancel. */
#define SPECTRUM_KNOWN 4e-16

/* A matrix without larger entries is zero: rounding, where nothing moves (one over seconds). */
#define SPECTRUM_NOTHING 1e-13
/* And below this they are written as zero: rounding. */
#define SPECTRUM_DUST 1e-14

typedef struct spectrum {
    uint32_t n, zeros;      /* the zeros come last */
    double *re, *im;        /* n; by falling real part, pairs with the positive one first */
    uint32_t steps;         /* kernels taken out one after the other … */
    const uint32_t *kernel; /* … and their dimensions (the Weyr characteristic of zero) */
    double *doubt;          /* n: by how much each may be wrong; a double one by a square root */
    uint32_t unstable;      /* real part positive as it was computed … */
    uint32_t surely;        /* … and beyond doubt */
    bool symmetric;         /* with every λ there is −λ: no eigenvalue can be told stable */
} spectrum;

/* E (may be NULL): by how much each entry of B may be wrong besides rounding. `like` (may be NULL):
 * take out as many zeros as there, whatever the singular values say. False: no eigenvalues were
 * found. */
bool spectrum_of(arena *a, arena *scratch, uint32_t n, const double *B, const double *E,
                 const spectrum *like, spectrum *out);
/* Functions of the non-zero eigenvalues that change sign where one of them crosses the axis
 * simply: Π λ (through zero), Π_{i<j} (λ_i + λ_j) (a pair), and for symmetric spectra
 * Π_{i<j} (μ_i − μ_j)², μ = λ² (two pairs meet and part). Scaled to be of order one. */
typedef enum spectrum_test {
    SPECTRUM_ZERO_CROSSING,
    SPECTRUM_PAIR,
    SPECTRUM_MEETING,
    SPECTRUM_TESTS
} spectrum_test;
double spectrum_measure(const spectrum *s, spectrum_test test);

#endif
