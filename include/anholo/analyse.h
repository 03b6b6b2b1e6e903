/* anholo/analyse.h - what kind of system a model is: the question ah_check and its values. */
#ifndef ANHOLO_ANALYSE_H
#define ANHOLO_ANALYSE_H
#include <anholo/answer.h>

/* What a constraint is as a function of the velocities or accelerations that it binds; one list:
 * code, word. */
#define AH_FORM_LIST(X)                                                                            \
    X(AH_FORM_HOLONOMIC, "holonomic") /* of coordinates alone */                                   \
    X(AH_FORM_LINEAR, "linear")                                                                    \
    X(AH_FORM_AFFINE, "affine")                                                                    \
    X(AH_FORM_NONLINEAR, "nonlinear")

typedef enum ah_form {
#define X(code, word) code,
    AH_FORM_LIST(X)
#undef X
        AH_FORMS
} ah_form;

typedef struct ah_constraint_class {
    const char *label;
    int order; /* 0 of coordinates, 1 of velocities, 2 of accelerations */
    ah_form form;
    bool rheonomic; /* depends on t explicitly; otherwise scleronomic */
    int degree; /* as a polynomial in its velocities or accelerations; -1: it is none, or unknown */
    /* Degree as a homogeneous function of the velocities: AH_NONE where it is none; and as a number,
     * NaN where it is none, or holds symbolic parameters. */
    ah_expr homogeneity;
    double homogeneity_value;
    /* A constraint non-linear in its velocities: its factors that depend on them (one where it does
     * not split), and whether all of them are linear over the reals. AH_FALSE is a proof. */
    ah_truth splits;
    size_t factors;
    const ah_expr *factor;
    bool redundant; /* depends on constraints before it … */
    size_t depends; /* … on these */
    const char *const *depends_on;
} ah_constraint_class;

typedef struct ah_classification {
    size_t n;             /* coordinates */
    size_t r;             /* constraints, as written */
    size_t rank;          /* how many are independent at a general admissible state */
    size_t velocity_rank; /* of these, on velocities (holonomic ones differentiated) */
    size_t m;             /* n − velocity_rank: the velocities that are free */
    bool rank_exact;      /* the ranks are confirmed by exact algebra, otherwise by random states */
    bool
        generic; /* parameters and functions without a value were taken to be general: the ranks may be less for special ones */
    bool implied;  /* no constraint on velocities is written: the velocity form states them */
    size_t states; /* random admissible states that were looked at; 0: none was found */
    const ah_constraint_class *constraints;
    size_t components; /* of the set of admissible states; 0 or 1: they have no names */
    const ah_component *component;
    ah_truth regular; /* are there regular states? AH_FALSE: proved that there are none */

    ah_truth mass_regular;  /* at a general place; … */
    ah_truth mass_singular; /* … is it singular at others? AH_FALSE: proved that there are none */
    size_t mass_zeros;      /* AH_TRUE: only where one of these vanishes */
    const ah_expr *mass_zero;
    bool kinetic_quadratic;            /* T has no higher powers of the velocities */
    bool kinetic_linear, kinetic_free; /* T has terms linear in, free of the velocities */
    bool lagrangian_time, forces_time; /* explicit dependence on t */
    bool forces;                       /* there are forces besides the potential's … */
    bool forces_velocity;              /* … that depend on velocities */
} ah_classification;

/* ---- Integrability --------------------------------------------------------------------------- */

/* The admissible velocities as a distribution D; t is a coordinate where a constraint is affine or
 * rheonomic. All dimensions are those at a general place. */
typedef struct ah_distribution {
    bool found;           /* otherwise: */
    const char *why;      /* constraints whose velocities span less than a known D, or given up */
    bool time;            /* t counts as a coordinate */
    bool spanned;         /* not all constraints are linear: D is what the others leave, and at the
                             random places tried the admissible velocities span it */
    size_t dimension;     /* of the space: coordinates, and t */
    size_t rank;          /* dimension of the space less that of D */
    size_t steps;         /* degree of non-holonomy: 1 where D is integrable */
    const size_t *growth; /* `steps` dimensions: D, D + [D,D], … until it grows no more */
    size_t integrable;    /* of `rank` combinations of the constraints so many are integrable */
    size_t accessible;    /* dimension of the places that can be reached (at a given time) */
    bool exact;           /* `integrable` is proved; otherwise found at random places */
    size_t functions;     /* at most `integrable`: functions of coordinates and time that are … */
    const ah_expr *function; /* … constant on all admissible motions, independent, proved */
    const char *const *function_of; /* label of the holonomic constraint that says so, or NULL */
    bool
        switches; /* the constraints hold |u|, sign, max, roots of squares, angles: D may be another
                      elsewhere than at the random places tried */
    bool
        generic; /* parameters and functions without a value were taken to be general: all of this may be another for special
                     ones */
} ah_distribution;

/* The same on one component of the admissible states. */
typedef struct ah_component_distribution {
    const char *component;
    ah_distribution distribution;
} ah_component_distribution;

/* ---- Singular states ------------------------------------------------------------------------- */

/* States, admissible ones, where all the equations hold: expression = 0. */
typedef struct ah_singular_case {
    size_t equations;
    const ah_expr *equation;
    bool met; /* such a state was found in numbers; otherwise the case may be empty */
} ah_singular_case;

/* Where the constraints lose rank (those of a velocity form: where its parameters do). */
typedef struct ah_singular {
    bool listed;     /* the cases are all of them; none: there are no singular states. Otherwise: */
    const char *why; /* they could not be listed */
    size_t tried;    /* … and were looked for in numbers from so many states, the start first */
    size_t cases;
    const ah_singular_case *at;
    bool generic;    /* parameters without a value were taken to be general */
    ah_values found; /* not listed: one that was found, the nearest to the start; count 0: none */
} ah_singular;

/* ---- Energy ---------------------------------------------------------------------------------- */

/* What may work. One list: code, word. */
#define AH_POWER_LIST(X)                                                                           \
    X(AH_POWER_TIME, "time")     /* L depends on t */                                              \
    X(AH_POWER_FORCE, "force")   /* a force besides the potential's */                             \
    X(AH_POWER_MOVING, "moving") /* a holonomic constraint that depends on t */                    \
    X(AH_POWER_AFFINE, "affine") /* and below: a constraint whose J·v does not vanish */          \
    X(AH_POWER_INHOMOGENEOUS, "inhomogeneous")                                                     \
    X(AH_POWER_ACCELERATION, "acceleration")                                                       \
    X(AH_POWER_VELOCITY_FORM, "velocity form") /* constraints that it implies */

typedef enum ah_power_kind {
#define X(code, word) code,
    AH_POWER_LIST(X)
#undef X
        AH_POWER_KINDS
} ah_power_kind;

/* Something that works: H' is the sum of the powers, H = v·∂L/∂v − L (`jacobi`). */
typedef struct ah_power {
    ah_power_kind kind;
    const char *label; /* the coordinate of a force, the constraint; NULL */
    ah_expr power; /* with lambda1, lambda2, … for the multipliers; AH_NONE: not written down */
} ah_power;

typedef struct ah_energy {
    bool plain;         /* H is T + V */
    ah_truth conserved; /* AH_FALSE: it changes at a state that was found */
    bool proved;        /* AH_TRUE by algebra, otherwise at random states */
    size_t powers;      /* that do not vanish each; their sum may */
    const ah_power *at;
    ah_expr
        jump; /* T may jump where this vanishes: velocities go on there, momenta and H jump; AH_NONE: it does not */
} ah_energy;

/* ---- Methods --------------------------------------------------------------------------------- */

/* One of the methods of anholo/derive.h. */
typedef struct ah_applicability {
    const char *name, *title;
    bool applies;
    const char *why;     /* it does not; a sentence without the method's name */
    const char *instead; /* a method that does, or NULL */
} ah_applicability;

/* ---- The question ---------------------------------------------------------------------------- */

typedef struct ah_check_values {
    const ah_classification *kind;
    const ah_distribution *distribution; /* not `found` where there are several components: */
    size_t parts;
    const ah_component_distribution *part; /* … but of each, where that could be asked */
    const ah_singular *singular;
    const ah_energy *energy;
    size_t methods;
    const ah_applicability *method;
} ah_check_values;

/* Redundant constraints are warnings (A0416), contradictory ones an error (A0417). */
AH_API ah_status ah_check(ah_model *m, ah_answer **out);
/* NULL: the answer is that of another question. */
AH_API const ah_check_values *ah_answer_check(const ah_answer *a);

#endif
