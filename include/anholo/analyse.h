/* anholo/analyse.h - what kind of system a model is. */
#ifndef ANHOLO_ANALYSE_H
#define ANHOLO_ANALYSE_H
#include <anholo/model.h>

typedef struct ah_constraint_class {
    const char *label;
    int order;        /* 0 of coordinates, 1 of velocities, 2 of accelerations */
    const char *kind; /* "holonomic", "linear", "affine", "nonlinear", "acceleration linear",
                         "acceleration nonlinear"                                             */
    bool rheonomic;   /* depends on t explicitly; otherwise scleronomic */
    int degree; /* as a polynomial in its velocities or accelerations; -1: it is none, or unknown */
    /* Degree as a homogeneous function of the velocities: as text ("2"; NULL: it is none) and as a
     * number (NaN where it is none, or holds symbolic parameters). */
    const char *homogeneity;
    double homogeneity_value;
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

    ah_truth mass_regular;
    bool kinetic_quadratic;            /* T has no higher powers of the velocities */
    bool kinetic_linear, kinetic_free; /* T has terms linear in, free of the velocities */
    bool lagrangian_time, forces_time; /* explicit dependence on t */
    bool forces;                       /* there are forces besides the potential's … */
    bool forces_velocity;              /* … that depend on velocities */
    ah_truth energy_conserved;         /* AH_TRUE: `jacobi` is constant, for a reason visible in the
                                          statements; AH_UNKNOWN otherwise */
    size_t energy_reasons;             /* why not: one line each */
    const char *const *energy_reason;
} ah_classification;

/* Redundant constraints are warnings (A0416), contradictory ones an error (A0417). *out is set when
 * there are no errors. The model is finished. */
AH_API ah_status ah_classify(ah_ctx *ctx, ah_model *m, const ah_classification **out);

/* The answer of `anholo check`: AH_TEXT or AH_JSON (docs/schema/check.json). */
AH_API ah_status ah_check_report(ah_ctx *ctx, ah_model *m, ah_format format, const char **out);

#endif
