/* anholo/analyse.h - what kind of system a model is. */
#ifndef ANHOLO_ANALYSE_H
#define ANHOLO_ANALYSE_H
#include <anholo/model.h>

typedef struct ah_constraint_class {
    const char *label;
    int order;        /* 0 of coordinates, 1 of velocities, 2 of accelerations */
    const char *kind; /* "holonomic", "linear", "affine", "nonlinear", "acceleration linear",
                         "acceleration nonlinear"                                             */
    const char *form; /* "holonomic", "linear", "affine" or "nonlinear", whatever it constrains */
    bool rheonomic;   /* depends on t explicitly; otherwise scleronomic */
    int degree; /* as a polynomial in its velocities or accelerations; -1: it is none, or unknown */
    /* Degree as a homogeneous function of the velocities: as text ("2"; NULL: it is none) and as a
     * number (NaN where it is none, or holds symbolic parameters). */
    const char *homogeneity;
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
    bool implied;  /* no constraint on velocities is written: the velocity form states them */
    size_t states; /* random admissible states that were looked at; 0: none was found */
    const ah_constraint_class *constraints;
    /* Irreducible components of the set of admissible states, by the equations that tell them
     * apart; 0 or 1: no names. */
    size_t components;
    const char *const *component;
    ah_truth regular; /* are there regular states? AH_FALSE: proved that there are none */

    ah_truth mass_regular;
    bool kinetic_quadratic;            /* T has no higher powers of the velocities */
    bool kinetic_linear, kinetic_free; /* T has terms linear in, free of the velocities */
    bool lagrangian_time, forces_time; /* explicit dependence on t */
    bool forces;                       /* there are forces besides the potential's … */
    bool forces_velocity;              /* … that depend on velocities */
} ah_classification;

/* Redundant constraints are warnings (A0416), contradictory ones an error (A0417). *out is set when
 * there are no errors. The model is finished. */
AH_API ah_status ah_classify(ah_model *m, const ah_classification **out);

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
} ah_distribution;
AH_API ah_status ah_find_distribution(ah_model *m, const ah_distribution **out);

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
    bool generic; /* parameters without a value were taken to be general */
    /* Not listed: one that was found, the nearest to the start; values of the symbols. */
    size_t found;
    const ah_expr *symbol;
    const double *value;
} ah_singular;
AH_API ah_status ah_find_singular(ah_model *m, const ah_singular **out);

/* ---- Energy ---------------------------------------------------------------------------------- */

/* Something that works: H' is the sum of the powers, H = v·∂L/∂v − L (`jacobi`). */
typedef struct ah_power {
    const char *kind;  /* "time": L depends on t; "force": a force besides the potential's;
                          "moving": a holonomic constraint that depends on t; "affine",
                          "inhomogeneous", "acceleration": a constraint whose J·v does not vanish;
                          "velocity form": constraints that it implies */
    const char *label; /* the coordinate of a force, the constraint; NULL */
    ah_expr power; /* with lambda1, lambda2, … for the multipliers; AH_NONE: not written down */
} ah_power;

typedef struct ah_energy {
    bool plain;         /* H is T + V */
    ah_truth conserved; /* AH_FALSE: it changes at a state that was found */
    bool proved;        /* AH_TRUE by algebra, otherwise at random states */
    size_t powers;      /* that do not vanish each; their sum may */
    const ah_power *at;
} ah_energy;
AH_API ah_status ah_find_energy(ah_model *m, const ah_energy **out);

/* ---- Methods --------------------------------------------------------------------------------- */

/* One of the methods of anholo/derive.h. */
typedef struct ah_applicability {
    const char *name, *title;
    bool applies;
    const char *why;     /* it does not; a sentence without the method's name */
    const char *instead; /* a method that does, or NULL */
} ah_applicability;
AH_API ah_status ah_find_methods(ah_model *m, size_t *count, const ah_applicability **out);

/* The answer of `anholo check`: AH_TEXT or AH_JSON (docs/schema/check.json). */
AH_API ah_status ah_check_report(ah_model *m, ah_format format, const char **out);

#endif
