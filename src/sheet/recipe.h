/* sheet/recipe.h - the wanted quantities of a worksheet as scalar formulas.
 *
 * Matrix operations become expressions entry by entry, so structural zeros cost nothing; linear
 * systems become unrolled eliminations whose intermediate numbers get symbols of their own (steps),
 * or nothing would stop the formulas from growing. The order of elimination is fixed beforehand:
 *
 *     symmetric, positive definite             LDLᵀ, by least fill
 *     KKT with M > 0                           LDLᵀ of M, then of G = J M⁻¹ Jᵀ
 *     a matrix whose determinant is constant   its exact inverse: a rotation has no bad pivots
 *     others                                   LU, pivots as they are good at a sample state
 *
 * Null spaces (Gauss' principle, annihilators) are those of elimination, with the dependent columns
 * that are best at the sample state. A pivot that turns out too small makes the evaluation fail by
 * a guard; run.h then answers for that state, by pivoting. */
#ifndef SHEET_RECIPE_H
#define SHEET_RECIPE_H
#include "../algebra/algebra.h"
#include "quantities.h"

/* Pivots relative to what they were before elimination: below, the state is left to run.h.
 * LDLᵀ of a positive definite M loses no more than its condition takes; G squares the condition of
 * J, so three digits are the most it may lose beyond that; LU without pivoting may grow its entries
 * by the inverse. */
#define RECIPE_LEAST_PIVOT_M      1e-10
#define RECIPE_LEAST_MASSLESS     0.03 /* of what all rows say of a coordinate without mass */
#define RECIPE_SINGULAR           1e-9 /* at a state that is not special: M has no inverse */
#define RECIPE_LEAST_PIVOT_PAIR   1e-5 /* of Cramer's rule: it is not backward stable */
#define RECIPE_LEAST_PIVOT_TRIPLE 1e-4 /* the same of three equations, … */
#define RECIPE_ROOM               1e-2 /* … and at the sample state, if they are to be solved so */
#define RECIPE_LEAST_PIVOT_G      1e-6
#define RECIPE_LEAST_PIVOT_LU     1e-3
/* Systems larger than this are not unrolled, … */
#define RECIPE_LARGEST_SYSTEM 40
/* … but for KKT systems up to this size that are sparse enough for so many multiplications: longer
 * code would not fit the caches and compile slowly. */
#define RECIPE_LARGEST_SPARSE  400
#define RECIPE_MOST_OPERATIONS 3000
/* Matrices with more operations than this are not simplified: it would not pay. */
#define RECIPE_SIMPLIFY_BELOW 3000

typedef struct recipe recipe;

typedef struct recipe_step {
    ah_expr symbol, value; /* the symbol stands for the value from here on */
} recipe_step;

typedef struct recipe_guard {
    ah_expr pivot, scale; /* must hold: pivot > least · scale */
    double least;
} recipe_guard;

/* A linear system that was eliminated, M x + Jᵀμ = B, J x = −γ, its entries under their names, all of them among the first
 * `ready` steps; without J it is M x = B, for every column of B. Solved again with another right-hand side it makes no steps
 * but for this. */
typedef struct recipe_system {
    bool (*eliminate)(recipe *r, struct recipe_system *s);
    mat M, J, B, gamma; /* given */
    mat x, mu;          /* found */
    size_t ready;
} recipe_system;

struct recipe {
    ah_ctx *ctx;
    arena *arena;
    algebra *alg; /* for simplification; NULL: none */
    bool keeps;   /* matrices keep the condition that they have at the sample state, nearly; … */
    bool crossed; /* … so that three equations were solved by Cramer's rule */
    LIST(recipe_step) steps;
    LIST(recipe_guard) guards;
    LIST(recipe_system) systems; /* as they were solved */
    /* Numbers, kept for the steps too, at a sample state (which pivots are good) and beside it (which
     * matrices are symmetric). */
    frame *sample, *beside; /* recipe_sample, recipe_beside: made when they are asked for */
    const frame *given;     /* what they come from: stays as it is as long as there is the recipe */
    uint32_t fresh;         /* symbols made so far */
    recipe_step *place;     /* these by their values; `places` of them, without a symbol: free */
    size_t places;
};

/* `sample`: a state of interest, which is not copied until it is needed; NULL: none. */
void recipe_init(recipe *r, ah_ctx *ctx, arena *a, algebra *alg, const frame *sample);
frame *recipe_sample(recipe *r);
frame *recipe_beside(recipe *r);
/* A step: the symbol stands for the value in all that follows. */
void recipe_define(recipe *r, ah_expr symbol, ah_expr value);
/* A number or symbol as it is, anything else under a new symbol. */
ah_expr recipe_name(recipe *r, ah_expr e);
/* The same symbol for e and −e: that of the one which is positive beside the sample state. */
ah_expr recipe_name_either(recipe *r, ah_expr e);
/* All entries by one of these. */
typedef ah_expr recipe_namer(recipe *r, ah_expr e);
mat recipe_name_all(recipe *r, mat m, recipe_namer *name);
/* The quantity, every symbol from[i] replaced by to[i] in its leaves. false: it has no such form. */
bool recipe_lower(recipe *r, const sheet *s, quantity x, size_t count, const ah_expr *from,
                  const ah_expr *to, mat *out);
/* Several quantities, what they share worked out once. */
bool recipe_lower_all(recipe *r, const sheet *s, const quantity *x, size_t quantities, size_t count,
                      const ah_expr *from, const ah_expr *to, mat *out);
/* m at the sample state, row by row. */
const double *recipe_numbers(recipe *r, mat m);
/* The power of two next to x; 1 where x is not positive. */
ah_expr recipe_about(recipe *r, double x);
/* The a with J a = −γ are Z y + d, J Z = 0, y the a of the columns chosen, ascending (NULL: of those that are best at the sample
 * state); γ, and so d, is a column. */
bool recipe_free(recipe *r, mat J, mat gamma, uint32_t rank, const uint32_t *chosen, mat *Z,
                 mat *d);
/* The least ½aᵀMa − aᵀL on J a = −γ:  a = Z y + d,  (Zᵀ M Z) y = Zᵀ (L − M d), of recipe_free. */
bool recipe_least(recipe *r, mat M, mat J, mat L, mat gamma, uint32_t rank, mat *a);
/* a and λ of [M −Jᵀ; J 0][a; λ] = [L; −γ] by LDLᵀ of M and of J M⁻¹ Jᵀ. */
bool recipe_kkt(recipe *r, mat M, mat J, mat L, mat gamma, mat *a, mat *lambda);
/* Whether recipe_kkt would unroll it. */
bool recipe_takes_kkt(recipe *r, mat M, mat J);
/* X with A X = B; see above for the ways. */
bool recipe_solve(recipe *r, mat A, mat B, mat *X);
/* A system of before with another B and γ: x and μ of it, and no new guards. */
bool recipe_solve_again(recipe *r, recipe_system *s);
/* det A of a symmetric A by LDLᵀ in a fixed order: wrong, or not finite, where a pivot on the way is nearly zero. */
bool recipe_determinant(recipe *r, mat A, ah_expr *out);
/* ∂out_i/∂x_j through all steps, through linear systems by themselves: M δx = δB − δM x; the guards stay. */
mat recipe_jacobian(recipe *r, mat out, size_t count, const ah_expr *x);
/* A symmetric A with one formula for both of two entries, any other as it is. */
mat recipe_symmetric(recipe *r, mat A);
/* Rank of m at the sample state; `order` (room for m.rows) lists independent rows first. */
uint32_t recipe_rank(recipe *r, mat m, uint32_t *order);
/* The columns of m, those first that are best conditioned at the sample state. */
void recipe_columns(recipe *r, mat m, uint32_t *order);
/* The shorter of m and its normal form. */
mat recipe_simplify(recipe *r, mat m);
#endif
