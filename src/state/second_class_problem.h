/* state/second_class_problem.h - the second-class problem prepared, and at one state. */
#ifndef STATE_SECOND_CLASS_PROBLEM_H
#define STATE_SECOND_CLASS_PROBLEM_H
#include "second_class.h"

/* Larger systems are refused: second derivatives are dense here. */
#define SECOND_CLASS_COORDINATES 40
/* A state's linear constraints, and what solutions satisfy, are judged by this part of their terms.
 */
#define SECOND_CLASS_RESIDUAL 1e-9

/* One constraint as a polynomial in the accelerations; first[i] is its coefficient's root. */
typedef struct second_class_row {
    bool linear;
    algebra_poly terms;  /* of the numerator; not for linear rows */
    size_t first;        /* of its coefficients among the roots    */
    ah_expr denominator; /* AH_NONE: there is none                 */
} second_class_row;

typedef struct second_class_problem {
    ah_ctx *ctx;
    ah_model *model;
    mechanics *mech;
    uint32_t n, r;
    bool polynomial; /* every row is */
    second_class_row *row;
    /* At the state: M (n × n), L (n), J of linear rows (r × n), γ (r), coefficients of the others. */
    size_t roots, at_M, at_L, at_J, at_gamma;
    ah_expr *root;
    expr_plan *at_state;
    /* At the state and a: c (r), J (r × n), second derivatives (r × n × n), denominators (r). */
    size_t point_roots;
    expr_plan *at_point;
    expr_list symbols; /* of the state */
} second_class_problem;

/* The numbers of one state. */
typedef struct second_class_state {
    second_class_problem *p;
    arena *arena;
    frame *values;       /* a included */
    double *number;      /* the roots */
    const double *M, *L; /* into number */
    double *free;        /* a_f; NULL where M is singular */
    uint32_t used;       /* independent constraints: their indices */
    uint32_t *use;
    /* At a, after second_class_evaluate; scale: of the terms of each c, first of all. */
    double *c, *scale, *J, *second, *denominator;
    double *point;
} second_class_state;

/* c, its terms' size, J, second derivatives and denominators at a. */
void second_class_evaluate(second_class_state *s, const double *a);

/* The numbers at a state, in the arena. False: the energy, the forces or the constraints have none.
 */
bool second_class_enter(second_class_state *s, second_class_problem *p, const frame *values,
                        arena *a);
second_class_problem *second_class_prepare(ah_model *m); /* once per model */

/* Newton's method for M a = L + Jᵀλ, c = 0 at a state. */
typedef struct second_class_newton {
    second_class_state *s;
    uint32_t n, used, N;
    double *x;        /* a, λ                      */
    double *F, *size; /* equations and their terms */
    double *A, *step, *trial;
} second_class_newton;
second_class_newton second_class_newton_create(second_class_state *s); /* in the state's arena */
double second_class_residual(second_class_newton *w, const double *x); /* F, size; the largest */
void second_class_linearise(second_class_newton *w);                   /* A at the last residual */

/* Candidates: rows of n accelerations and `used` multipliers. */
typedef struct second_class_candidates {
    size_t count, capacity;
    double *at;
} second_class_candidates;

typedef enum second_class_system {
    SECOND_CLASS_STATIONARY, /* M a = L + Jᵀλ, c = 0                                        */
    SECOND_CLASS_SINGULAR    /* Jᵀλ = 0, Σ w λ = 1, c = 0: where multipliers may not exist  */
} second_class_system;

/* Exactly. False: infinitely many solutions, or too much work. */
bool second_class_exact(second_class_state *s, second_class_system system,
                        second_class_candidates *out);
/* Newton's method from many starts. */
void second_class_search(second_class_state *s, second_class_candidates *out);

#endif
