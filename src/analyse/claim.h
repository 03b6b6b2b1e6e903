/* analyse/claim.h - inside the verification of claims: what its files share.
 *
 * claim_names.c  names in claims (lambda[1], beta[1,t,2], …) and the sheet that holds their values
 * claim_trial.c  a claim at random admissible states: counter-examples
 * claim_proof.c  a claim for all regular states
 * verify.c       all claims of a model */
#ifndef ANALYSE_CLAIM_H
#define ANALYSE_CLAIM_H
#include "../derive/derive.h"
#include "verify.h"

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
    states *random;
    size_t states;
    uint64_t seed;
};

/* ---- Names (claim_names.c) ------------------------------------------------------------------ */

/* The motion as a sheet, through the chart and by multipliers. */
extern const formalism claim_by_chart, claim_by_multipliers;
/* Extras of the sheet, in this order; G and Gz as matrices. */
enum { MOTION_G, MOTION_GZ, MOTION_LAMBDA, MOTION_REACTION, MOTION_EXTRAS };

/* "lambda[2]" → head "lambda", indices (2): the parts between commas, "t" as 0. */
typedef struct derived_name {
    char head[16];
    long index[3];
    char text[3][64];
    int count;
} derived_name;
bool claim_parse(const char *name, derived_name *out);
/* Where a derived quantity stands: which extra, row, column. M is an expression already. */
bool claim_locate(const verification *v, const derived_name *d, int *extra, uint32_t *row,
                  uint32_t *col);
/* β_m^{t,r}: entry of the n × (n+1)·n table, index n is time. */
bool claim_beta(const verification *v, const derived_name *d, uint32_t *entry);
quantity claim_extra(const ah_equations *eq, const char *name);
/* Quasi-velocities and M[i,j] are expressions of the state: put them in. */
ah_expr claim_expand(verification *v, ah_expr e);

/* ---- At states (claim_trial.c) -------------------------------------------------------------- */

/* The claim prepared for numbers: difference, its two sides, and its derivatives by the motion's
 * symbols. */
typedef struct trial {
    ah_expr left, right, difference;
    expr_list motion; /* accelerations, z', derived names in it */
    expr_plan *plan;  /* difference, left, right, then ∂difference/∂motion */
    double *out, *scale;
} trial;

trial trial_prepare(verification *v, const model_claim *c);
/* Random states until v->states of them were good, or a counter-example: sets c->verdict. */
void trial_run(verification *v, const trial *t, verify_claim *c);

/* ---- For all states (claim_proof.c) --------------------------------------------------------- */

bool claim_prove(verification *v, const trial *t);

#endif
