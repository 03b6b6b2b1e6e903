/* mechanics/mechanics.h - the common ground of all methods: energies, constraints, charts of the velocities. */
#ifndef MECHANICS_MECHANICS_H
#define MECHANICS_MECHANICS_H
#include "../model/model.h"
#include "../sheet/sheet.h"

/* How the admissible velocities are parametrised: v = ψ(q, z, t). */
typedef enum chart_kind {
    CHART_FREE,   /* no constraints: z = v                                              */
    CHART_GIVEN,  /* by the model's `velocity`                                          */
    CHART_LINEAR, /* linear or affine constraints: null space, z = independent velocities */
    CHART_SOLVED, /* non-linear, solved symbolically for velocities of first degree     */
    CHART_NUMERIC /* only locally, at a state: implicit functions                       */
} chart_kind;

typedef struct chart {
    chart_kind kind;
    uint32_t m;
    mat z, zdot; /* m × 1: the model's parameters, or the independent velocities themselves */
    const uint32_t *independent; /* m: z_k = v_{independent[k]}; NULL for CHART_GIVEN        */
    const uint32_t *dependent;   /* n − m others, ascending; NULL for CHART_GIVEN            */
    mat psi;   /* n × 1 in (q, z, t); 0 × 0 for CHART_NUMERIC, like the next two    */
    mat Psi;   /* ∂ψ/∂z                                                              */
    mat drift; /* ψ_q ψ + ψ_t, so that a = Ψ z' + drift                              */
    ah_expr fails_where; /* the chart is bad where this vanishes; AH_NONE: nowhere known       */
    mat J; /* of mechanics_linear_chart: the rows of J v + c0 = 0 it was made from         */
} chart;

/* What sign(u) in the equations makes of a motion that was worked out beside u = 0. */
typedef enum switches {
    SWITCHES_UNKNOWN, /* not yet looked at */
    SWITCHES_NONE,
    SWITCHES_PLAIN,  /* its value at u = 0 can be told by switches_put */
    SWITCHES_SQUARED /* it may be another there */
} switches;

/* The common ground (docs/formalisms/common.md), worked out once per model. All in t, q, v. */
typedef struct mechanics {
    ah_ctx *ctx;
    ah_model *model;
    algebra *alg;
    arena *arena; /* the job arena */
    uint32_t n;   /* coordinates */
    uint32_t r;   /* constraints, all kinds */
    mat q, v, a;  /* columns of symbols */
    ah_expr t;
    ah_expr T, V, Lagrangian; /* L = T − V */
    mat p; /* ∂T/∂v                                                                 */
    struct mass *mass;      /* mechanics_mass */
    const model_tree *tree; /* bodies whose velocities are unknowns besides; NULL: none         */
    mat K;     /* F − ∂V/∂q                                                             */
    mat F;     /* non-potential forces                                                  */
    mat T_q;   /* ∂T/∂q                                                                 */
    mat pdot0; /* (∂p/∂q)v + ∂p/∂t: p' without accelerations                            */
    mat k;     /* pdot0 − ∂T/∂q: M a + k = K + Jᵀλ                                      */
    mat L;     /* K − k                                                                 */
    mat C;     /* velocity-level form of the constraints (holonomic ones differentiated once),
                      r × 1; zero rows for second-class ones                                */
    mat J, gamma;  /* acceleration level: J a + γ = 0 (rows of constraints linear in a)      */
    uint32_t rank; /* generic rank of J on the constraint set                              */
    mat J_rows;    /* J, or where its rank is larger off that set `rank` rows of it         */
    const uint32_t *rows; /* which these are, in their order; NULL: all                     */
    bool firm; /* they serve on all components: none is a product, which may vanish         */
    bool second_class;           /* some constraint is on accelerations                    */
    bool second_class_nonlinear; /* and not linear in them (then J, γ lack its meaning)    */
    bool holonomic;              /* some constraint is holonomic                           */
    bool velocity_constraints;   /* some constraint is on velocities                       */
    bool linear;                 /* all velocity-level constraints are linear or affine in v */
    switches switches;           /* by switches_of */
    const double *unit;          /* sizes of the velocities (model_size); NULL: of order one */
    const frame *size;           /* of all variables; NULL likewise */
    chart chart;
    struct {
        bool tried;
        const struct chart *chart;
    } linear_charts[2]; /* mechanics_linear_chart(k, false), (k, true) */
} mechanics;

/* Made once and kept with the model. */
mechanics *mechanics_of(ah_model *m);
/* Tells a worksheet how large the variables are. */
void mechanics_sizes(const mechanics *k, sheet *s);
/* M = ∂²T/∂v², made when it is first asked for: that of a long tree of bodies is full, and its numbers do without. */
mat mechanics_mass(const mechanics *k);
void mechanics_chart(mechanics *k); /* chart.c */
/* Flags rank(J) velocities as dependent on the others, well conditioned; false: it could not
 * choose. */
bool mechanics_pivots(mechanics *k, bool *dependent);
/* The velocities through independent velocities, v_D = a v_I + a_0, whatever chart the model gives.
 * `cyclic`: dependent are, where possible, coordinates on which nothing depends. `dependent` (NULL:
 * chosen) flags those that should be. NULL: there are no constraints, they are not linear, or the
 * symbolic null space gave up. */
const chart *mechanics_linear_chart(mechanics *k, bool cyclic, const bool *dependent);

/* n flags: whether T, the forces or the constraints depend on the coordinate. */
const bool *mechanics_coordinates_in_use(mechanics *k);
/* Rows of J (and γ) that are independent in general, in their order: k->rank of them. */
const uint32_t *mechanics_independent_rows(mechanics *k);
/* (∂w/∂q) v + ∂w/∂t of a column w(q, v, t): its rate without accelerations. */
mat mechanics_along(mechanics *k, mat w);

/* ---- What switches (switches.c) -------------------------------------------------------------- */

switches switches_of(mechanics *k);
/* A quantity of the motion with sign(u) in place of |u|/u. */
ah_expr switches_put(mechanics *k, ah_expr e);
/* Where u = 0 the row of a constraint jumps by this: J a + γ has no value there. */
typedef struct switches_jump {
    uint32_t constraint;
    ah_expr u, by;
} switches_jump;
size_t switches_jumps(mechanics *k, arena *a, const switches_jump **out);

#endif
