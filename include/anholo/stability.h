/* anholo/stability.h - steady motions and their stability.
 *
 * A steady motion (relative equilibrium) is a motion in which everything rests on which the
 * equations of motion depend; an equilibrium is one. */
#ifndef ANHOLO_STABILITY_H
#define ANHOLO_STABILITY_H
#include <anholo/answer.h>

/* What the linearisation says. One list: code, word. */
#define AH_STABILITY_LIST(X)                                                                       \
    X(AH_UNSTABLE, "unstable")           /* an eigenvalue has a positive real part */              \
    X(AH_ATTRACTING, "attracting")       /* every motion nearby tends to a steady one */           \
    X(AH_SPECTRAL, "spectrally stable")  /* none is positive, some vanish: not decided by it */    \
    X(AH_DRIFTING, "undecided")          /* more zeros than the family explains */                 \
    X(AH_DOUBTFUL, "undecided")          /* rounding does not tell one from the axis */            \
    X(AH_STABILITY_UNKNOWN, "undecided") /* where a condition of stability vanishes */

typedef enum ah_stability_verdict {
#define X(code, word) code,
    AH_STABILITY_LIST(X)
#undef X
        AH_STABILITY_VERDICTS
} ah_stability_verdict;
AH_API const char *ah_stability_word(ah_stability_verdict v);

/* The characteristic polynomial λ^zeros (c₀ λ^degree + … ) with symbols, of a small system. */
typedef struct ah_characteristic {
    ah_expr polynomial; /* whole */
    ah_expr lambda;
    size_t zeros, degree;
    const ah_expr *coefficient; /* degree + 1 of them, of λ^degree first */
    bool even;                  /* in λ² alone: never attracting */
    bool complete;              /* the conditions are sufficient, not only necessary */
    size_t conditions;          /* each must be positive (even: not negative) */
    const ah_expr *condition;
    size_t boundaries; /* symbol² = square where stability begins or ends */
    const ah_expr *boundary_symbol, *boundary_square;
} ah_characteristic;

/* One steady motion. */
typedef struct ah_steady_motion {
    ah_values state; /* q, v, then velocity parameters or quasi-velocities */
    bool rest;       /* an equilibrium: nothing moves */
    size_t family;   /* dimension of the family it belongs to; 0: it is isolated */
    bool sure;       /* otherwise at most that */
    size_t parameters;
    const ah_expr *parameter; /* free along the family */
    ah_values variables;      /* of the reduced system, and their values */
    const ah_expr *symbolic;  /* these with symbols, one for each; NULL: not known */
    size_t ignorable;         /* coordinates on which nothing of this depends */
    const ah_expr *ignored;
} ah_steady_motion;

/* ---- All steady motions ---------------------------------------------------------------------- */

typedef struct ah_steady_options {
    size_t size;    /* of this struct: ah_steady_defaults sets it */
    const char *at; /* held, as below */
    size_t starts;  /* random states from which is searched besides the model's start; default 30 */
    uint64_t seed;  /* default 1 */
} ah_steady_options;

AH_API ah_steady_options ah_steady_defaults(void);

/* A part of a family with one verdict: from < symbol < to, or symbol = from = to; AH_NONE: all of
 * it, or sampled motions that no one variable tells apart. Infinite ends are infinite. */
typedef struct ah_family_part {
    ah_stability_verdict verdict;
    ah_expr symbol;
    double from, to;
    size_t sampled; /* motions with that verdict */
} ah_family_part;

typedef struct ah_family {
    ah_steady_motion motion; /* one of it */
    bool rest;               /* nothing moves in any of it */
    const char *component;   /* of the admissible states; NULL: there is one alone */
    size_t reached;          /* from how many of the starts */
    bool proved;             /* the parts are all of the family; otherwise of sampled motions */
    size_t sampled;
    size_t parts;
    const ah_family_part *part;
    const ah_characteristic *characteristic; /* NULL: none with symbols */
} ah_family;

/* Where searches ended without a motion. */
typedef struct ah_pole {
    ah_expr symbol; /* that leads away from it; AH_NONE: none alone */
    double value;
    const char *why;
    size_t reached;
} ah_pole;

typedef struct ah_steady_values {
    size_t starts;
    size_t count;
    const ah_family *at;
    size_t poles;
    const ah_pole *pole;
    size_t components; /* that were searched; 0: there is but one */
    size_t missed;     /* of which no regular state was found */
} ah_steady_values;

/* Steady motions as families: one of each, with the number of free parameters. None found: the
 * answer is "no". docs/schema/steady.json. AH_E_REFUSED: there can be none (A0621). */
AH_API ah_status ah_steady(ah_model *m, const ah_steady_options *options, ah_answer **out);
/* NULL: the answer is that of another question. */
AH_API const ah_steady_values *ah_answer_steady(const ah_answer *a);

/* ---- One of them ----------------------------------------------------------------------------- */

typedef struct ah_stability_options {
    size_t size;          /* of this struct: ah_stability_defaults sets it */
    const char *at;       /* "x'=5, psi=0": held; the rest moves to a steady motion nearby,
                             beginning at the model's start. NULL: nothing is held */
    const char *sweep;    /* "NAME=a..b:N": spectra along a parameter or a quantity of the state */
    const char *critical; /* "NAME=a..b" or "NAME=a..b:N": where stability changes, looked for at N
                             values */
    bool numbers;         /* alone: nothing is worked out with symbols */
} ah_stability_options;

AH_API ah_stability_options ah_stability_defaults(void);

/* Eigenvalues by falling real part, pairs with the positive imaginary part first, zeros last. */
typedef struct ah_spectrum {
    size_t count;
    const double *re, *im;
    size_t zeros;
    size_t unstable; /* with a positive real part, beyond doubt */
} ah_spectrum;

typedef struct ah_sweep_row {
    double value;
    bool found; /* there is a steady motion */
    ah_spectrum spectrum;
} ah_sweep_row;

typedef struct ah_critical {
    double value;
    size_t below, above; /* unstable eigenvalues on either side */
    const char *how;     /* in words */
    bool sharp;          /* by a simple root; otherwise by bisection on their number */
    double frequency;    /* imaginary part of what crosses */
} ah_critical;

typedef struct ah_stability_values {
    ah_steady_motion motion;
    bool moved;             /* the given state was not steady */
    const double *jacobian; /* of the reduced system, row after row: motion.variables squared */
    ah_spectrum spectrum;
    ah_stability_verdict verdict;
    const ah_characteristic *characteristic; /* NULL: none with symbols */
    const char *sweep;                       /* what is swept; NULL: nothing */
    size_t rows;
    const ah_sweep_row *row;
    const char *critical; /* of what critical values were looked for; NULL: of nothing */
    size_t criticals;
    const ah_critical *at;
    size_t not_found; /* values looked at for which no steady motion was found */
} ah_stability_values;

/* Linearisation in minimal variables, spectrum, zeros explained; with symbols where the system is
 * small. AH_TEXT with a sweep: the rows as CSV. AH_JSON: docs/schema/stability.json. AH_E_REFUSED:
 * there is no steady motion (A0621). */
AH_API ah_status ah_stability(ah_model *m, const ah_stability_options *options, ah_answer **out);
/* NULL: the answer is that of another question. */
AH_API const ah_stability_values *ah_answer_stability(const ah_answer *a);

#endif
