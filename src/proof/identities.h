/* proof/identities.h - a proof as data: identities between polynomials that anybody can multiply out.
 *
 * Asked: rows g_i = 0, linear in unknowns u (accelerations, multipliers), and relations h_j = 0
 * without them (constraints). Claimed: e = 0. Answered: steps
 *
 *     k · Π f^power · proves = Σ cofactor · (a relation, row, given polynomial or earlier step)
 *
 * or, since only real points count,
 *
 *     k · Π f^power · (proves² + Σ c s²) = Σ …,    integers c > 0,
 *
 * the last of which proves the numerator of e, and for every factor f the reason why it does not
 * vanish. Polynomials have integer coefficients, over generators with their own relations
 * (s² + c² − 1, r² − radicand). Everything is in the job arena. */
#ifndef PROOF_IDENTITIES_H
#define PROOF_IDENTITIES_H
#include "../algebra/algebra.h"

typedef struct proof_poly {
    size_t terms;
    const char *const *coefficient; /* integers, decimal */
    const uint32_t *exponent;       /* terms × generators */
} proof_poly;

typedef struct proof_cofactor {
    size_t of; /* relations, rows, given, then the steps of the branch */
    proof_poly by;
} proof_cofactor;
typedef LIST(proof_cofactor) proof_cofactors;

/* Σ c s², integers c > 0 */
typedef struct proof_square_term {
    const char *c;
    proof_poly s;
} proof_square_term;
typedef LIST(proof_square_term) proof_square_list;

/* Why a factor is not zero: code and word. */
#define PROOF_REASON_LIST(X)                                                                       \
    X(PROOF_POSITIVE, "positive")   /* a sum of positive terms and squares, one never zero */      \
    X(PROOF_ASSUMED, "assumed")     /* an assumption fails where it vanishes */                    \
    X(PROOF_UNDEFINED, "undefined") /* a side of the claim is not defined where it vanishes */     \
    X(PROOF_SINGULAR, "singular")   /* the rows do not determine the unknowns there */             \
    X(PROOF_MINOR, "minor")         /* the branch's minor vanishes with it */
typedef enum proof_reason {
#define X(code, word) code,
    PROOF_REASON_LIST(X)
#undef X
} proof_reason;

typedef struct proof_factor {
    proof_poly f;
    proof_reason because;
    size_t fact;       /* assumed: which */
    proof_poly form;   /* positive: terms of one sign, one of them never zero */
    const char *scale; /* an integer, not 0 */
    proof_square_list squares;
    proof_cofactors by; /* scale·f = form + Σ c s² + Σ cofactor·relation */
} proof_factor;

typedef struct proof_step {
    proof_poly proves;
    const char *scale; /* the integer k */
    size_t factors;
    const size_t *factor; /* of the branch */
    const long *power;
    bool real; /* of proves² + Σ c s² instead of proves */
    proof_square_list squares;
    proof_cofactors by;
} proof_step;

/* At a regular state one of the minors of J (rows × columns) is not zero: one branch for each, or a
 * single one that needs none. */
typedef struct proof_branch {
    size_t kept; /* constraint rows that determine the motion: those of `row` */
    const uint32_t *row;
    bool minor; /* the minor of these rows and columns is not zero */
    const uint32_t *column;
    LIST(proof_factor) factors;
    LIST(proof_step) steps;
} proof_branch;

typedef struct proof {
    size_t generators;
    const ah_expr *generator;
    LIST(proof_poly) relations, rows, given;
    LIST(proof_poly)
    denominator_of; /* of the rows, then of the given ones: what they were
                       multiplied by to be polynomials */
    proof_poly claim, denominator;
    /* Factors of the denominator: `domain` holds them, `denominators` says how they make it. */
    proof_branch domain;
    proof_step denominators;
    LIST(proof_branch) branches;
} proof;

typedef struct proof_question {
    ah_expr claim;
    size_t unknowns;
    const ah_expr *unknown; /* those of the motion first, then `constraints` multipliers or none */
    size_t rows;
    const ah_expr *row; /* `motion` rows of the motion, then those of the constraints */
    size_t motion;
    size_t given;
    const ah_expr *given_zero; /* constraints on velocities, then on positions */
    /* The constraints on velocities as rows of a matrix, for the minors; 0: no branches. */
    size_t constraints, velocities, rank;
    const ah_expr *velocity;
    bool no_minors; /* some velocities are put in: the rows' slopes are not J */
    bool
        uneven; /* on one component fewer rows are independent: regular states may be singular by the general rank */
    size_t facts; /* what is assumed */
    const algebra_fact *fact;
} proof_question;

/* False: *why says what stood in the way. */
bool proof_find(algebra *alg, const proof_question *q, proof *out, const char **why);

#endif
