/* compile/jets.h - Taylor coefficients of the solution of y' = f(t, y), where f is a program.
 *
 * Every value x of the program has coefficients x_k = x⁽ᵏ⁾/k!. With S = Σ_{0<j<k} of the product
 * of two earlier rows [HNW, I.8; JorbaZou2005, section 2]:
 *
 *     c = a b        c_k = S(a, b) + a_0 b_k + a_k b_0
 *     c = a / b      c_k = (a_k − S(b, c) − b_k c_0) / b_0
 *     c = √a         c_k = (a_k − S(c, c)) / 2c_0
 *     c' = b a'      c_k = S(j a_j, b)/k + a_k b_0          exp, sin, cos, tan, sinh, cosh, tanh
 *     c' = a' / b    c_k = (a_k − S(j c_j, b)/k) / b_0      log, atan, asin, acos, powers, atan2
 *     c' = b α       c_k = α b_{k−1}/k                      sin, cos, exp … of what is linear in t
 *
 * All sums S of one order need lower orders only. They are taken in one sweep over rows in which
 * the factors of all products lie side by side, so that the processor works on several at once and
 * yet every sum has one order of summation: all engines give the same bits. */
#ifndef COMPILE_JETS_H
#define COMPILE_JETS_H
#include "program.h"

/* Beyond this order the coefficients are rounding errors of doubles. */
#define JETS_MOST_ORDER 40
/* Products are padded to a multiple of this: one register, or two. */
#define JETS_BLOCK 4

typedef enum jet_op {
    JET_FIXED, /* does not change with t, or nothing needs its coefficients */
    JET_ROUGH, /* |a|, sign(a): has a value (guards need it), but no coefficients */
    JET_INPUT, /* t (index 0) or y */
    JET_ADD,
    JET_SUB,
    JET_SAME,  /* a, up to a constant */
    JET_NEG,   /* −a, up to a constant */
    JET_SCALE, /* a_0 b with constant a */
    JET_OVER,  /* a / b_0 with constant b */
    JET_MUL,
    JET_DIV,
    JET_SQRT,
    JET_TIMES_RATE, /* c' = b a'; b may come later */
    JET_OVER_RATE,  /* c' = a' / b; b may come later */
    JET_CLOCKED     /* c' = a b with constant a; b may come later */
} jet_op;

typedef struct jet_code {
    jet_op op;
    program_code zero; /* the value of order 0 */
    uint32_t a, b;     /* values */
    uint32_t product;  /* of S */
} jet_code;

typedef struct jet_product {
    uint32_t left, right;
    bool weighted; /* j left_j */
} jet_product;

typedef struct jets {
    ah_ctx *ctx;
    size_t n; /* of y: outputs of the program; its inputs are (t, y) */
    LIST(jet_code) code;
    LIST(jet_product) products;
    size_t width; /* products, padded */
    LIST(double)
    constants; /* those of f first; `fixed` of these are numbers, the others may change */
    size_t fixed, of_program;
    uint32_t *output;
    size_t guards;
    program_guard *guard;
    double *zero, *now, *before, *inverse, *work; /* of the interpreter */
} jets;

/* NULL: f is not analytic in the formula it has; *why says which function is to blame. */
jets *jets_create(ah_ctx *ctx, arena *a, const program *f, const char **why);
/* y has order + 1 rows of n; row 0 is given, the others are set. false: a guard failed. */
bool jets_run(const jets *j, double t, uint32_t order, double *y);
/* A copy with constants and work space of its own: a jet runs in one thread at a time. */
jets *jets_copy(const jets *j, arena *a);
/* The constants of f, for other parameters (program_work). */
void jets_set(jets *j, const double *constant);
/* Doubles of work space for any order. */
size_t jets_work(const jets *j);
/* Products and other operations at each order, for estimates of cost. */
void jets_count(const jets *j, size_t *products, size_t *others);
/* C of the same, a jets_function NAME. */
void jets_emit(const jets *j, text *t, const char *name);
/* sum = Σ_{0<i<k} left_i right_{k−i} of all products: the inner terms of even and of odd i apart,
 * then the two outer ones, which need the newest rows. Rows of `width`. */
typedef void jets_sums_function(int width, int k, double *sum, const double *left,
                                const double *right);
void jets_sums(int width, int k, double *sum, const double *left, const double *right);
/* c: the constants of the jets; `sums` serves compilers without vectors (libtcc). */
typedef int jets_function(const double *c, double t, int order, double *y, double *work,
                          jets_sums_function *sums);

#endif
