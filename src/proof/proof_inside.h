/* proof/proof_inside.h - what the files of the proofs share. */
#ifndef PROOF_PROOF_INSIDE_H
#define PROOF_PROOF_INSIDE_H
#include "../algebra/minors.h"
#include "../algebra/ring.h"
#include "identities.h"

typedef struct prover {
    ring *r;
    arena *arena; /* of the answer */
    const proof_question *q;
    proof *out;
    const char *why;
    LIST(poly) known;   /* relations, rows, given polynomials, then the steps of the branch */
    size_t rows, given; /* where they begin */
    poly claim, denominator;
    LIST(poly) cleared; /* denominators of the rows and given polynomials */
    frac *fact;
    frac *slope; /* ∂C/∂v of the constraints, where velocities stand inside of functions; or NULL */
    proof_branch *branch;
    const uint32_t *kept; /* constraint rows of the branch */
    size_t kept_count;
    poly branch_minor; /* that is not zero in it */
    poly minor;        /* the same, where rows may be divided by what divides it; NULL */
} prover;

/* A sum Σ cofactor·known in the making. */
typedef struct proof_sum {
    LIST(struct proof_summand {
        size_t of;
        poly by;
    })
    at;
} proof_sum;
void proof_add(prover *p, proof_sum *s, size_t of, poly by);

/* proof_factors.c: the factors of `multiplier`, with their reasons. NO_REASON: none but those that
 * are found without the model. */
#define NO_REASON ((proof_reason) -1)
bool proof_justify(prover *p, poly multiplier, proof_reason reason, proof_step *step);
bool proof_never_zero(prover *p, poly f);

/* proof_squares.c: k f = Σ c s², integers k, c > 0. */
struct proof_square {
    poly c, s;
};
typedef struct proof_squares {
    poly scale; /* k, or what stands before the whole of a step */
    LIST(struct proof_square) at;
    bool strict; /* the last of them is a number */
} proof_squares;
bool proof_squares_of(prover *p, poly f, proof_squares *out);
/* *h = 0 is known by *of: without the factors that add no real zero. */
void proof_real_part(prover *p, poly *h, size_t *of);

/* proof_steps.c: multiplier · proves = sum, up to multiples of the relations, which are found.
 * *index is the step's place among the known ones. */
bool proof_record(prover *p, poly proves, poly multiplier, proof_reason reason,
                  const proof_sum *sum, size_t *index);
/* scale · (proves² + Σ c s²) = sum: at real points it is zero. */
bool proof_record_real(prover *p, poly proves, const proof_squares *squares, const proof_sum *sum,
                       size_t *index);
proof_square_list proof_export_squares(prover *p, const proof_squares *s, size_t count);
proof_poly proof_export(prover *p, poly a);
/* a − Σ cofactor·relation = rest: the cofactors, of the free polynomial a. */
poly proof_modulo_relations(prover *p, poly a, proof_cofactors *by);
/* y K = c: a is unknowns × rows (square), b the right side and then y. */
bool proof_solve(prover *p, size_t n, frac *a, frac *b);
/* multiplier·e = Σ by·known + rest by division through `link` in the powers of a generator. */
poly proof_divide(prover *p, poly e, poly link, size_t main, poly *multiplier, poly *quotient);

#endif
