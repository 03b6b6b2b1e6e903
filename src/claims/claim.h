/* claims/claim.h - inside the verification of claims: what its files share.
 *
 * claim_names.c  names in claims (lambda[1], beta[1,t,2], …) and the sheet that holds their values
 * claim_objects.c  objects of a method's worksheet
 * claim_when.c   claims about some states alone
 * claim_trial.c  a claim at random admissible states
 * claim_certain.c  whether one of them is a counter-example for certain
 * claim_branches.c where the accelerations are one of several
 * claim_proof.c  a claim for all regular states
 * claim_parts.c  the kind of system, component by component
 * claim_apart.c  equations, component by component
 * claim_limit.c  sides in the limit
 * claim_along.c  the same along motions
 * claim_singular.c  which states are singular
 * claim_solution.c  functions of time that solve the equations of motion
 * claim_form.c   claims beside a velocity form that may not give all states
 * claim_inputs.c  claims about kinematic models
 * claim_jumps.c  constants that switch
 * claim_switch.c what holds beside a switch, at the switch
 * claim_regular.c  whether there is a state of which claims can speak
 * verify.c       all claims of a model */
#ifndef CLAIMS_CLAIM_H
#define CLAIMS_CLAIM_H
#include "../derive/derive.h"
#include "../kind/kind.h"
#include "../state/enclosed.h"
#include "../state/state.h"
#include "../real/real.h"
#include "claims.h"

enum { VERIFY_INSTANCES = 2 };

struct verification {
    ah_model *model;
    ah_ctx *ctx;
    mechanics *mech;
    arena *arena;
    eval_method multipliers, parametric, hamel, second_class; /* refused ones are not used */
    eval_method charted, plain;                               /* the motion sheets: Gz and G */
    work *chart_work, *plain_work;                            /* NULL: that route is closed */
    mat beta;                                                 /* n × (n+1)·n symbolic, or empty */
    bool beta_tried;
    struct claim_objects *objects; /* of methods that claims have named, or NULL */
    const model_when *when;        /* the conditions under which they are made, or NULL */
    ah_model *where;               /* whose constraints and assumptions the states satisfy */
    const components *components;
    const struct claim_part *part; /* this is a system on one component of another, or NULL */
    struct verification **apart;   /* the systems on its components, once they were asked for */
    states **parts;                /* on each component; one where nothing is known of them */
    states *random;                /* the one in use */
    bool uneven;      /* they have another rank at some (states.h): nothing is called true */
    ah_truth defined; /* does the text of the system exist at some state? Unknown: not yet asked */
    ah_truth regular; /* has each component a regular state? Unknown: not yet asked */
    ah_truth
        uniform; /* have the constraints one rank for all free parameters? Unknown: not yet asked */
    enclosed *enclosed;
    size_t states;
    uint64_t seed;
    verification *unbound;  /* the same without constraints, once it was asked for */
    verification *formless; /* the same without its velocity form, once it was asked for */
    verification
        *inputs; /* of a kinematic model: whose velocities its inputs are, once it was asked for */
    verification
        *instance[VERIFY_INSTANCES]; /* with unspecified functions: polynomials in their place … */
    const char *says[VERIFY_INSTANCES]; /* … and which */
    ah_expr velocity;                   /* of a motion, a function of time, or AH_NONE */
    int special;                        /* free parameters have special values in it, so often */
    int switches;                       /* its states are at so many switches (claim_switch.c) */
    bool branched;              /* the accelerations are the least of several: claim_branches.c */
    balls_state stationary;     /* equations for them, … */
    ah_expr gauss;              /* … and what is least */
    const char *difference;     /* of the sides in the last counter-example, in decimals */
    double rcond, acceleration; /* of the motion evaluated last: condition, and size of its terms */
};

/* ---- Names (claim_names.c) ------------------------------------------------------------------- */

/* Extras of the sheet, in this order; G and Gz as matrices. */
enum { MOTION_G, MOTION_GZ, MOTION_LAMBDA, MOTION_REACTION, MOTION_EXTRAS };

/* Where a derived quantity stands: which extra, row, column. M is an expression already. */
bool claim_locate(const verification *v, ah_expr symbol, int *extra, uint32_t *row, uint32_t *col);
/* β_m^{t,r}: entry of the n × (n+1)·n table, index n is time. */
bool claim_beta(const verification *v, ah_expr symbol, uint32_t *entry);
quantity claim_extra(const ah_equations *eq, const char *name);
/* Quasi-velocities and M[i,j] are expressions of the state: put them in. */
ah_expr claim_expand(verification *v, ah_expr e);
/* The claim with its sides, and what they need to exist, through `map`. */
model_claim claim_mapped(verification *v, const model_claim *claim,
                         ah_expr (*map)(verification *v, ah_expr e));

/* The states that `where` has: components, random ones, enclosures. */
void verify_choose_states(verification *v);

/* ---- Special values (claim_special.c) ---------------------------------------------------------- */

/* Is what holds in general false for special values of the free parameters? Then *out says so. */
bool special_refutes(verification *v, const model_claim *claim, verify_claim *out);
/* What is proved for general values, and refuted by none that was tried: proved for all, or not known. */
void special_settle(verification *v, verify_claim *out);
/* What holds at states with parameters drawn at random: false for special ones, or not known where these cannot be found. */
void special_doubt(verification *v, verify_claim *out);
/* The same of one value, about the system that a view is. */
bool special_refutes_with(verification *v, ah_model *view, ah_expr p, ah_expr value,
                          const model_claim *claim, verify_claim *out);
/* The model with these values. */
ah_model *special_put(verification *v, const uniform_special *s);
/* Is a free parameter an exponent in the claim or in the constraints? */
bool special_has_exponents(verification *v, const model_claim *claim);

/* ---- Velocity forms (claim_form.c) ------------------------------------------------------------ */

/* Whom to ask: the same system without its velocity form, where that may give a part of the velocities alone and the claim does
 * not name it. */
verification *form_forgotten(verification *v, const model_claim *claim);
/* Is a claim that holds without the form proved by it? */
bool form_proves(verification *v, const model_claim *claim);

/* ---- Conditions (claim_when.c) --------------------------------------------------------------- */

/* The same questions about the states at which the conditions hold; NULL: *why not. */
verification *when_open(verification *v, const model_when *w, const char **why);
/* The same system in which these parameters have no value. */
ah_model *when_free(ah_model *m, arena *a, bool (*frees)(const void *, ah_expr), const void *what);
/* The model in which the parameters that relations name are free. */
ah_model *when_model(verification *v, const model_when *w);
/* A view without velocity parameters, quasi-velocities, start, assumptions and needs: its states are others. */
void when_forget(ah_model *m);
/* What has a value under the conditions: put into an expression, into a point, into balls. */
ah_expr when_put(const verification *v, ah_expr e);
void when_set(const verification *v, point *p);
void when_enclose(const verification *v, ball_frame *state, slong bits);

/* ---- At states (claim_trial.c) --------------------------------------------------------------- */

/* A quantity of the motion: an entry of what a method's sheet holds. */
typedef struct motion_place {
    const eval_method *method;
    quantity x;
    uint32_t entry;
    bool multiplier; /* has a value only where the constraints are independent */
} motion_place;

/* ---- Objects of methods (claim_objects.c) ---------------------------------------------------- */

/* Reports A0501 and A0503: methods and objects that claims name and that are not there. */
bool claim_objects_known(ah_model *m);
bool claim_object_place(verification *v, ah_expr symbol, motion_place *out);
/* In t, q, v, or z where the worksheet is written in them. */
bool claim_object_value(verification *v, ah_expr symbol, ah_expr *out);
/* The same of objects that depend on a choice, for which there is no place. */
bool claim_object_shown(verification *v, ah_expr symbol, ah_expr *out);

/* The claim prepared for numbers: difference, its two sides, and its derivatives by the motion's
 * symbols. */
typedef struct trial {
    ah_expr left, right, difference;
    expr_list motion;     /* accelerations, z', derived names in it … */
    motion_place *place;  /* … and where they are found */
    expr_list speeds;     /* z and z' in it */
    const char *unplaced; /* why one of them is not */
    model_needs needs;    /* of the claim's text */
    expr_plan *domain;    /* arguments of the partial functions, two for each need */
    double *argument;
    edges *edges;    /* of its sides */
    expr_plan *plan; /* difference, left, right, then ∂difference/∂motion */
    double *out, *scale;
} trial;

trial trial_prepare(verification *v, const model_claim *c);
/* The k-th state to try; false: there is none, or the sides do not exist there. */
bool trial_draw(verification *v, const trial *t, size_t k, bool regular, states_rng *rng, point *p);
/* Was a state found at which everything exists that the text of the claim names, for certain? (claim_defined.c) */
bool claim_is_defined(verification *v, const trial *t);
/* The same of the text of the system alone. */
bool claim_system_is_defined(verification *v);
/* Random states until v->states of them were good, or a counter-example: sets c->verdict. */
void trial_run(verification *v, const trial *t, verify_claim *c);

/* After it held: the same in balls at some states. A difference too small for doubles makes it
 * false. */
void trial_closely(verification *v, const trial *t, verify_claim *c);
/* Puts the motion's quantities at the point into it, in doubles; false: they do not exist there. */
bool trial_motion(verification *v, const trial *t, point *p);

/* In the order of their weight. */
typedef enum trial_answer {
    TRIAL_HOLDS,   /* but for rounding */
    TRIAL_SUSPECT, /* by a little more */
    TRIAL_BLUR,    /* doubles cannot tell, and nothing else can be asked */
    TRIAL_FAILS,
    TRIAL_SKIPPED /* there is no value */
} trial_answer;
/* The sides at the point in doubles, after the motion was put into it. */
trial_answer trial_judge(const verification *v, const trial *t, const point *p);

typedef enum certainty {
    CERTAIN_EQUAL,     /* the balls of the sides overlap */
    CERTAIN_DIFFERENT, /* a counter-example: the point's values, the sides in t->out[1] and [2] */
    CERTAIN_OUTSIDE,   /* not a state of which the claim speaks */
    CERTAIN_NOT        /* the state could not be enclosed, *why */
} certainty;
/* At the point, or near it; `brief`: at the point alone. */
certainty trial_certain(verification *v, const trial *t, point *p, bool brief, const char **why);

/* The rows that the motion is worked out with are as many as the independent ones at the state
 * enclosed last. */
bool certain_full_rank(const verification *v);
/* The accelerations can be enclosed at the state: for certain it is a regular one of the motion. */
bool certain_motion(verification *v, point *p, ball_frame *state, arb_ptr room, slong bits);
/* The sides at a state in balls (difference last), if it is one of which the claim speaks; and
 * their numbers for the answer. */
certainty certain_sides(verification *v, const trial *t, const point *p, const ball_frame *state,
                        arb_ptr sides, slong bits);
void certain_keep(verification *v, const trial *t, arb_srcptr sides);

/* At a state of a system without constraints, accelerations and z as they are drawn. */
certainty certain_unbound(verification *v, const trial *t, point *p);
/* Random states of that kind until one is a counter-example; false: none was. */
bool trial_unbound(verification *v, const trial *t, verify_claim *c);

/* ---- Several stationary points (claim_branches.c) -------------------------------------------- */

void branches_open(verification *v);
bool branches_place(verification *v, ah_expr symbol);
trial_answer branches_judge(verification *v, const trial *t, point *p);
certainty branches_certain(verification *v, const trial *t, point *p, const char **why);

/* ---- For all states (claim_proof.c) ---------------------------------------------------------- */

/* At all regular states: on every component of the constraint set. `by_motion`: each has that of the whole. */
bool claim_prove(verification *v, const trial *t, bool by_motion);
/* Is the motion of the general rank that of every component? Under x'y' = x'(x' − 1) = 0 two rows are independent where x' = 1, but
 * one where x' = 0: there y'' is another, and each component is asked by itself (claim_apart.c). */
bool claim_has_one_rank(verification *v);
/* e, a side of the claim, with the motion put in, in q and z of the chart, all of them free; false: not known. */
bool claim_by_chart(verification *v, const trial *t, ah_expr e, ah_expr *out);
/* The same in q and v, which the constraints bind. */
bool claim_by_multipliers(verification *v, const trial *t, ah_expr e, ah_expr *out);

/* ---- Kinematic models (claim_inputs.c) ------------------------------------------------------- */

/* An equation, with or without conditions. */
void claim_of_inputs(verification *v, const model_claim *claim, verify_claim *out);
/* Half the squares of the velocities (verify.c). */
ah_expr claim_unit_energy(ah_model *m);

/* ---- Switches (claim_switch.c) ---------------------------------------------------------------- */

/* What holds is not known, or false, if it does not where something switches: no state drawn need be there. */
void switches_doubt(verification *v, const trial *t, const model_claim *claim, verify_claim *out);

/* ---- Other words (claim_limit.c, claim_along.c, claim_singular.c, claim_solution.c) ---------- */

/* An equation without conditions or limits (verify.c). */
void verify_equation(verification *v, const model_claim *claim, verify_claim *out);
void claim_limit(verification *v, const model_claim *claim, verify_claim *out);
/* Do constraints or the velocity form hold what has a limit? Then the velocities do not stay fixed. */
bool claim_limit_binds(const verification *v, const model_limit *l);
void claim_along(verification *v, const model_claim *claim, verify_claim *out);
void claim_singular(verification *v, const model_claim *claim, verify_claim *out);
void claim_solution(verification *v, const model_claim *claim, verify_claim *out);
/* The i-th system that one with unspecified functions stands for. */
verification *verify_instance(verification *v, size_t i);

/* ---- Several components (claim_parts.c) ------------------------------------------------------ */

/* Is there one, simpler than the constraints as they are written? */
bool parts_simplify(const verification *v);
/* The components that a statement is put to. */
const components *parts_asked(verification *v, const model_statement *s);
/* What kind of system it is, on each of them. */
void parts_judge(verification *v, const components *c, const model_statement *s, verify_claim *out);

/* ---- Each component by itself (claim_apart.c) ------------------------------------------------ */

/* May the claim be put to the systems on the components, each with its equations for constraints? */
bool apart_speaks(verification *v, const model_claim *claim);
/* Then what is true of it on all of them. */
void apart_verify(verification *v, const model_claim *claim, verify_claim *out);
/* Does it name what depends on how the constraints are written and counted: multipliers, G, objects of methods? */
bool apart_counts_rows(verification *v, ah_expr e);
/* Of a system on a component: the state lies on the constraints as they were written, too, and is regular with them. */
bool apart_regular(const verification *v, const frame *values, const ball_frame *state, slong bits);

/* ---- Constants (claim_jumps.c) --------------------------------------------------------------- */

/* Why something whose rate vanishes may have two values on one motion; NULL: it has not. */
const char *claim_jumps(verification *v, ah_expr e);
/* May a function of time jump? One that `ends` where it is infinite: not there. */
bool claim_jump_of_way(verification *v, ah_expr e, bool ends);
/* The pole across which a constraint may be another one, y' = (atan(x) + atan(1/x)) z' at x = 0; AH_NONE: there is none. */
ah_expr claim_row_jump(verification *v);
/* What vanishes at a pole of one of the nodes that is none of the system's own text: u of 1/u; AH_NONE: there is none. */
ah_expr claim_pole_among(verification *v, const expr_list *nodes);

/* ---- Any states (claim_regular.c) ------------------------------------------------------------ */

/* Was a regular state of every component enclosed? Without one nothing is said of it. */
bool claim_has_states(verification *v);

#endif
