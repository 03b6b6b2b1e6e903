/* derive/derive.h - from a model to its equations of motion; one file a formalism, one table. */
#ifndef DERIVE_DERIVE_H
#define DERIVE_DERIVE_H
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
    mat J; /* of derive_linear_chart: the rows of J v + c0 = 0 it was made from         */
} chart;

/* The common ground (docs/formalisms/common.md), worked out once per model. All in t, q, v. */
/* What sign(u) in the equations makes of a motion that was worked out beside u = 0. */
typedef enum switches {
    SWITCHES_UNKNOWN, /* not yet looked at */
    SWITCHES_NONE,
    SWITCHES_PLAIN,  /* its value at u = 0 can be told by switches_put */
    SWITCHES_SQUARED /* it may be another there */
} switches;

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
    struct mass *mass;      /* derive_mass */
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
    } linear_charts[2]; /* derive_linear_chart(k, false), (k, true) */
    struct {
        bool tried;
        struct quasi *frame;
        const char *why;
    } frames[2];                      /* quasi.h: the quasi-velocities, plain and orthonormal */
    LIST(struct ah_equations *) done; /* derived so far */
    LIST(struct derived_formula {
        ah_expr symbol;
        ah_expr formula; /* AH_NONE: it has none */
    })
    formulas;             /* formulas.c: found so far */
    bool outputs_unknown; /* an output names what no method has: the model cannot be used */
} mechanics;

/* Made once and kept with the model. */
mechanics *derive_mechanics(ah_model *m);
/* Tells a worksheet how large the variables are. */
void derive_sizes(const mechanics *k, sheet *s);
/* M = ∂²T/∂v², made when it is first asked for: that of a long tree of bodies is full, and its numbers do without. */
mat derive_mass(const mechanics *k);
void derive_chart(mechanics *k); /* chart.c */
/* Flags rank(J) velocities as dependent on the others, well conditioned; false: it could not
 * choose. */
bool derive_pivots(mechanics *k, bool *dependent);
/* The velocities through independent velocities, v_D = a v_I + a_0, whatever chart the model gives.
 * `cyclic`: dependent are, where possible, coordinates on which nothing depends. `dependent` (NULL:
 * chosen) flags those that should be. NULL: there are no constraints, they are not linear, or the
 * symbolic null space gave up. */
const chart *derive_linear_chart(mechanics *k, bool cyclic, const bool *dependent);

/* n flags: whether T, the forces or the constraints depend on the coordinate. */
const bool *derive_coordinates_in_use(mechanics *k);

typedef struct derive_options {
    bool orthonormal;     /* --quasi orthonormal */
    bool compare_reduced; /* hamel: the equations of the "T⁺" and their error */
    /* voronets, chaplygin: n flags, the velocities that should depend on the others; NULL: chosen */
    const bool *dependent;
    /* hamel and its kin: of redundant constraints the `rank` ones that complete the frame; NULL:
     * chosen, independent in general but not everywhere */
    const uint32_t *rows;
} derive_options;

/* What a derivation leaves behind. */
typedef struct ah_equations ah_equations;
struct ah_equations {
    const struct formalism *formalism;
    mechanics *mech;
    derive_options options;
    sheet *sheet;
    /* Results; QUANTITY_NONE where the method has none. */
    quantity qddot;       /* n × 1, always                                          */
    quantity multipliers; /* r × 1                                                  */
    quantity reaction;    /* n × 1: Jᵀλ                                             */
    /* The method's own velocities and their derivatives: z of the chart or quasi-velocities ω. */
    bool is_omega;
    mat speeds; /* symbols, or empty                                      */
    mat speeds_dot_symbols;
    mat speeds_definition; /* ω(q, v, t) for quasi-velocities; empty for z           */
    quantity speeds_dot;
    quantity chart_used; /* the SHEET_INDEPENDENT of a local chart whose z are reported      */
    const chart *independent_of; /* voronets, chaplygin: the chart they are written in, or NULL */
    const bool *may_depend;      /* n flags of what else such a chart may solve for; NULL: all */
    mat frame; /* ∂ω/∂v of the free quasi-velocities that the model declares; else no rows */
    bool takes_rows;       /* options.rows says on which of redundant constraints they rest */
    bool uses_given_chart; /* needs the model's z at the state                                 */
    /* Substitution that turns t, q, v into the variables of the display (v → ψ(q,z,t)). */
    size_t substitutions;
    const ah_expr *from, *to;
    /* v → F(q, ω, t), n of them, on the branch that is assumed: for the display alone; NULL: there is none */
    const ah_expr *branch;
    /* Where the equations of this quantity are long: rows A x = b in the velocities, brought to their short form; NULL:
     * there are none. */
    struct {
        quantity of;
        bool (*write)(const ah_equations *eq, mat *A, mat *unknowns, mat *b);
        quantity multipliers; /* what is shown of them, in the accelerations */
        bool (*write_multipliers)(const ah_equations *eq, mat *values);
    } in_velocities;
    /* Non-linear second class: the accelerations are the stationary points of Gauss' function, to
     * be found at a state (state/second_class.h); qddot is then QUANTITY_NONE. */
    bool branches;
    /* By typeset, once it was asked for: whether the accelerations fit a page, and how long the result is, in signs. */
    ah_truth written_out;
    struct {
        bool known;
        double rows, unsolved;
    } length;
    struct work *worked; /* and its quantities, as far as pages that are finished asked for them */
    /* Extra named numbers for eval --json (beta of hamel): name → quantity. */
    LIST(struct equations_extra {
        const char *name;
        quantity value;
    })
    extras;
};

/* One formalism. `accepts` answers NULL, or why not (a sentence without the method's name); then
 * *instead names a method that does apply. */
typedef struct formalism {
    const char *name;
    const char *title; /* "Lagrange's equations with multipliers" */
    const char *paper; /* key in docs/papers.bib */
    const char *(*accepts)(mechanics *mech, const char **instead);
    void (*derive)(ah_equations *eq); /* sheet is there and empty */
} formalism;

/* All formalisms, in the order of formalisms.def; NULL-terminated. */
extern const formalism *const derive_formalisms[];
const formalism *derive_find(const char *name);
const formalism *derive_find_or_report(ah_ctx *ctx,
                                       const char *name); /* A0501, with a suggestion */
/* The default method of a model. */
const formalism *derive_default(mechanics *mech);

/* NULL with *why set when the formalism refuses. Cached per model and options. */
ah_equations *derive_equations(ah_model *m, const formalism *f, const derive_options *options,
                               const char **why, const char **instead);

/* What claims call a quantity of the worksheet (objects.c), and how many indices it takes; NULL: it has no
 * word. And the quantity that is called so with so many indices. */
const char *derive_word(const ah_equations *eq, quantity x, uint32_t *indices);
quantity derive_object(const ah_equations *eq, const char *word, uint32_t indices);
/* Why the method has no such object (formulas.c); NULL: it has, and *f and *x say which. The method exists. The same
 * reported at its place. */
const char *derive_find_by_method(ah_model *m, derived_ref d, const struct formalism **f,
                                  quantity *x);
bool derive_know_by_method(ah_model *m, derived_ref d, ah_span span);
/* M[i,j], G[a,b], Gz[a,b] and objects of methods as a formula in t, q, v, z, ω; false: it is none, or not written
 * out. */
bool derive_formula(mechanics *k, ah_expr symbol, ah_expr *out);
/* Reports what outputs name and no method has. */
bool derive_outputs_known(mechanics *k);

/* L of M a = L, as worksheets explain it. */
#define DERIVE_FREE_FORCES                                                                         \
    "F - \\partial V / \\partial q + \\partial T / \\partial q - \\dot{q} \\partial p / "          \
    "\\partial q - \\partial p / \\partial t"
/* A symbolic matrix of the sheet with its name (TeX subset) and where it comes from. */
quantity derive_leaf(ah_equations *eq, mat m, const char *name, const char *formula);

/* Whether the model's `source` names this work: remarks on its misprints belong on its own models. */
bool derive_source(const mechanics *k, const char *named);

/* The chart as quantities of the sheet: Ψ and the drift, symbolic for a given `velocity`, by
 * implicit functions (with pivots chosen at the state) otherwise; fills speeds, substitutions and
 * their names. */
typedef struct chart_quantities {
    quantity Psi, drift;
    quantity E; /* z' = E a where z are velocities; QUANTITY_NONE for a given chart */
} chart_quantities;
chart_quantities derive_chart_quantities(ah_equations *eq);
/* The chart in words, and its equations q' = ψ, as steps of the sheet. */
void derive_show_chart(ah_equations *eq);
void derive_show_kinematics(ah_equations *eq);
/* The same for a chart in independent velocities that need not be the model's. */
void derive_show_independent(ah_equations *eq, const chart *c);
void derive_show_dependent(ah_equations *eq, const chart *c);
/* a = Ψ z' + drift from the speeds' derivatives; sets eq->qddot, eq->speeds_dot. */
void derive_finish_speeds(ah_equations *eq, chart_quantities c, quantity zdot);

/* What stands for accelerations that cannot be solved for on paper (systems.c), after sheet_equations:
 *     M q'' = L + Jᵀλ, J q'' = −γ            with multipliers as further unknowns
 *     q'' = Ψ z' + d, Ψᵀ M q'' = Ψᵀ L        where only a chart is given */
void derive_otherwise_multipliers(ah_equations *eq, quantity M, quantity L, quantity J,
                                  quantity gamma);
void derive_otherwise_directions(ah_equations *eq, quantity M, quantity L, chart_quantities c);
/* λ₁ … as symbols, or λ when there is one. */
mat derive_multiplier_symbols(mechanics *k, uint32_t count);
/* Rows of J (and γ) that are independent in general, in their order: k->rank of them. */
const uint32_t *derive_independent_rows(mechanics *k);

/* Reasons to refuse that several formalisms share; NULL when they are satisfied. */
const char *derive_needs_velocity_level(mechanics *k, const char **instead);
const char *derive_needs_linear(mechanics *k, const char **instead);
const char *derive_needs_acceleration_linear(mechanics *k, const char **instead);
const char *derive_needs_geometry(mechanics *k, const char **instead);
const char *derive_needs_no_constraints(mechanics *k, const char **instead);

/* The accelerations and multipliers of a tree of bodies, with the velocities of its bodies as further unknowns (bodies.c);
 * false: the model is none, or M is as good. */
bool derive_by_bodies(ah_equations *eq);
/* Shows the equations of a long tree body by body, in place of the steps from `first` on (carried.c); false: the model is none, or its
 * mass matrix is the shorter form. */
bool derive_carried(ah_equations *eq, size_t first);

/* (∂w/∂q) v + ∂w/∂t of a column w(q, v, t): its rate without accelerations. */
mat derive_along(mechanics *k, mat w);

/* The motion as it stands (motion_rows.c): M a − L − Jᵀλ and J a + γ, for columns a and λ and rows J, γ. */
mat derive_balance(const mechanics *k, arena *to, mat a, mat J, mat lambda);
mat derive_slip_rate(const mechanics *k, arena *to, mat a, mat J, mat gamma);
/* The same as sheets, through the chart and by multipliers, with the extras G, Gz (none without a chart), lambda and
 * reaction: what claims may name. They are no methods that a user can ask for. */
extern const formalism derive_motion_by_chart, derive_motion_by_multipliers;

/* The rest of what other modules see of this one. */
#include "work.h"

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
