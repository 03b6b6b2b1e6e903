/* derive/derive.h - from a model to its equations of motion; one file a formalism, one table. */
#ifndef DERIVE_DERIVE_H
#define DERIVE_DERIVE_H
#include "../mechanics/mechanics.h"

/* The common ground of a model whose outputs name nothing that no method has; raises otherwise. */
mechanics *derive_mechanics(ah_model *m);

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

/* The motion as it stands (motion_rows.c): M a − L − Jᵀλ and J a + γ, for columns a and λ and rows J, γ. */
mat derive_balance(const mechanics *k, arena *to, mat a, mat J, mat lambda);
mat derive_slip_rate(const mechanics *k, arena *to, mat a, mat J, mat gamma);
/* The same as sheets, through the chart and by multipliers, with the extras G, Gz (none without a chart), lambda and
 * reaction: what claims may name. They are no methods that a user can ask for. */
extern const formalism derive_motion_by_chart, derive_motion_by_multipliers;

/* The rest of what other modules see of this one. */
#include "work.h"

#endif
