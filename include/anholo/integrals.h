/* anholo/integrals.h - first integrals and invariant measures. */
#ifndef ANHOLO_INTEGRALS_H
#define ANHOLO_INTEGRALS_H
#include <anholo/answer.h>

#define AH_DEGREE_MOST 6

typedef struct ah_integrals_options {
    size_t size; /* of this struct: ah_integrals_defaults sets it */
    int degree;  /* in the velocities, 1 to AH_DEGREE_MOST; default 2 */
    /* Of the coefficients in the coordinates, sines and cosines, 0 to AH_DEGREE_MOST; default 2. */
    int coordinates_degree;
    uint64_t seed; /* of the random states; default 1 */
} ah_integrals_options;

AH_API ah_integrals_options ah_integrals_defaults(void);

typedef struct ah_integral {
    const char *name; /* "energy", …; NULL: found by the search */
    ah_expr e;
    ah_verdict verdict; /* proved, or holds at random states */
    bool independent;   /* no function of those before it */
} ah_integral;

/* One list: code, word. */
#define AH_SPEEDS_LIST(X)                                                                          \
    X(AH_SPEEDS_VELOCITIES, "velocities")                                                          \
    X(AH_SPEEDS_PARAMETERS, "velocity parameters")                                                 \
    X(AH_SPEEDS_QUASI, "quasi-velocities")

typedef enum ah_speeds {
#define X(code, word) code,
    AH_SPEEDS_LIST(X)
#undef X
        AH_SPEEDS_KINDS
} ah_speeds;

/* A class of polynomials that was searched. */
typedef struct ah_integral_class {
    ah_speeds speeds;
    int degree;             /* in them */
    int coordinates_degree; /* of the coefficients */
    size_t products;
} ah_integral_class;

typedef struct ah_integrals_values {
    size_t count;
    const ah_integral *at;
    size_t classes;
    const ah_integral_class *searched;
    size_t components; /* on each of which these are constant; 0: there is one alone, or unknown */
    const ah_component *component;
    /* density · dq dz, which the motion preserves. */
    bool measure_searched, measure_found;
    ah_verdict measure; /* unknown: none was found */
    ah_expr density;
    size_t variables; /* of the measure */
    const ah_expr *variable;
} ah_integrals_values;

/* Integrals polynomial in the velocities, found at random states and then proved; a density of an
 * invariant measure. docs/schema/integrals.json. AH_E_REFUSED: they cannot be searched (A0610). */
AH_API ah_status ah_integrals(ah_model *m, const ah_integrals_options *options, ah_answer **out);
/* NULL: the answer is that of another question. */
AH_API const ah_integrals_values *ah_answer_integrals(const ah_answer *a);

#endif
