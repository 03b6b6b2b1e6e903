/* flow/reduced.h - the motion in minimal variables y = (q_I, s), with symbols.
 *
 * With q' = ψ(q, s, t) and E = Ψᵀ(M(ψ_q ψ + ψ_t) − L) at v = ψ the motion is
 *
 *     q' = ψ,      Gz s' + E = 0,      Gz = ΨᵀMΨ.
 *
 * Holonomic constraints f(q) = 0 stay beside it: they make the coordinates q_D functions of q_I.
 * A state is put in as values of symbols; what is not given stays a symbol. */
#ifndef FLOW_REDUCED_H
#define FLOW_REDUCED_H
#include "minimal.h"

typedef struct reduced {
    minimal *m;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    frame *values; /* the state as numbers */
    mat psi, Gz, E;
    mat f;                     /* holonomic constraints that are independent at the state */
    uint32_t dependents;       /* as many */
    const uint32_t *dependent; /* coordinates q_D */
    size_t pairs;              /* what was put in */
    ah_expr *from, *to;
} reduced;

/* False: there are no such equations (constraints that cannot be solved symbolically). */
bool reduced_create(minimal *m, arena *a, const frame *values, reduced *out);
/* The value may hold symbols; it is put into all that was put in before. */
void reduced_put(reduced *w, ah_expr symbol, ah_expr value);
mat reduced_at(reduced *w, mat m);
ah_expr reduced_at1(reduced *w, ah_expr e);
/* Makes all equations identities by solving them for q_D and for kept variables of y, of the first
 * degree or of the second: the root next to the numbers. False where that fails. */
bool reduced_solve(reduced *w, mat equations);
/* The same, unless it might lose a solution: of the first degree only, with slopes that never vanish.
 * What was put in then has all solutions. */
bool reduced_solve_surely(reduced *w, mat equations);
/* ψ of the kept coordinates. */
mat reduced_rates(const reduced *w);
/* ∂x/∂(kept variables) along the constraints, at what was put in; false: it gave up. And by other symbols that
 * are independent: variables of y, parameters. */
bool reduced_slopes(reduced *w, mat x, mat *out);
bool reduced_slopes_by(reduced *w, mat x, uint32_t count, const ah_expr *by, mat *out);
/* The number that an expression is at the state. */
double reduced_value(reduced *w, ah_expr e);
/* An expression in q, v, z, ω through q and s. */
ah_expr reduced_through(const reduced *w, ah_expr e);
/* Σ ∂y'_i/∂y_i, without holonomic constraints; false: it gave up. */
bool reduced_divergence(reduced *w, ah_expr *out);

#endif
