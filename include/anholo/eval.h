/* anholo/eval.h - numbers: one state, agreement of the methods, claims.
 *
 * ah_eval writes what it finds in the wanted format (AH_TEXT or AH_JSON); the other two are
 * questions (anholo/answer.h). */
#ifndef ANHOLO_EVAL_H
#define ANHOLO_EVAL_H
#include <anholo/answer.h>

#define AH_DIGITS_MOST 1000

typedef struct ah_eval_options {
    size_t size;        /* of this struct: ah_eval_defaults sets it */
    const char *at;     /* "t=0, x=1, x'=0.5"; NULL: the model's start */
    const char *method; /* a name, "all", or NULL: the model's default  */
    bool project;       /* move to the nearest admissible state first    */
    int digits;         /* > 0: that many (AH_DIGITS_MOST at most) by ball arithmetic */
    bool orthonormal;   /* quasi-velocities with T = ½Σω²                */
} ah_eval_options;

AH_API ah_eval_options ah_eval_defaults(void);
AH_API ah_status ah_eval(ah_model *m, const ah_eval_options *options, ah_format format,
                         const char **out);

/* All methods against each other and against Gauss' principle at random admissible states. */
#define AH_STATES_MOST 1000000000

typedef struct ah_crosscheck_options {
    size_t size;   /* of this struct: ah_crosscheck_defaults sets it */
    size_t states; /* 1 to AH_STATES_MOST; default 100 */
    uint64_t seed; /* default 1 */
} ah_crosscheck_options;
AH_API ah_crosscheck_options ah_crosscheck_defaults(void);

/* One method of all: the largest difference of its accelerations from those of Gauss' principle,
 * relative to the largest acceleration. Of the first, the referee, it is 0. */
typedef struct ah_method_difference {
    const char *method;
    double difference;
} ah_method_difference;

typedef struct ah_method_refusal {
    const char *method;
    const char *why; /* a sentence without the method's name */
} ah_method_refusal;

typedef struct ah_crosscheck_values {
    bool agree;
    size_t states;    /* compared */
    size_t discarded; /* singular or ill-conditioned, drawn again */
    size_t methods;
    const ah_method_difference *at;
    size_t refusals;
    const ah_method_refusal *refused;
    double worst;             /* the largest of all differences … */
    const char *worst_method; /* … by this method, NULL: all are zero … */
    ah_values worst_state;    /* … in this state */
} ah_crosscheck_values;

/* docs/schema/crosscheck.json. AH_E_NUMERIC: no admissible state was found. */
AH_API ah_status ah_crosscheck(ah_model *m, const ah_crosscheck_options *options, ah_answer **out);
/* NULL: the answer is that of another question. */
AH_API const ah_crosscheck_values *ah_answer_crosscheck(const ah_answer *a);

/* ---- Claims ---------------------------------------------------------------------------------- */

typedef struct ah_verify_options {
    size_t size;      /* of this struct: ah_verify_defaults sets it */
    size_t states;    /* random ones, where nothing is proved; default 100 */
    uint64_t seed;    /* default 1 */
    bool certificate; /* the proofs as data are wanted, too */
} ah_verify_options;
AH_API ah_verify_options ah_verify_defaults(void);

typedef struct ah_claim_verdict {
    const char *label;
    bool refute; /* it is said not to hold */
    ah_says says;
    const char *statement; /* as it was written; NULL: it was made by calls */
    ah_span span;          /* where it is written */
    ah_expr left, right;   /* of an equation; AH_NONE */
    ah_verdict verdict;
    bool pass;                /* a claim that is proved or holds, a refutation that is false */
    size_t states;            /* at which it was found to hold */
    const char *why;          /* unknown: why; a statement: how it is known; or NULL */
    bool on_constraints;      /* proved where the constraints hold, not for all velocities */
    const char *component;    /* of the admissible states, on which it is false, of several; NULL */
    ah_values counterexample; /* a state with the parameters that are free; count 0: none */
    double left_value, right_value; /* there */
    const char *difference; /* … left − right in decimals, where it is smaller than doubles tell */
    size_t motions;         /* along which it was found to hold, of limits of motions */
} ah_claim_verdict;

typedef struct ah_verify_values {
    bool pass; /* all of them */
    size_t count;
    const ah_claim_verdict *at;
    const char *certificate; /* docs/certificates.md, JSON; NULL: it was not asked for */
    size_t proofs, proofs_written;
} ah_verify_values;

/* The model's claims. docs/schema/verify.json. */
AH_API ah_status ah_verify(ah_model *m, const ah_verify_options *options, ah_answer **out);
/* NULL: the answer is that of another question. */
AH_API const ah_verify_values *ah_answer_verify(const ah_answer *a);

#endif
