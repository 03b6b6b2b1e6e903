/* model/probe.h - random states of a model: questions about the general state asked in numbers.
 *
 * Unspecified functions count as the arbitrary ones of model_put_samples. The same seed gives the
 * same states. */
#ifndef MODEL_PROBE_H
#define MODEL_PROBE_H
#include "model.h"

typedef struct probe_rng {
    uint64_t state;
} probe_rng;
probe_rng probe_seed(uint64_t seed);
double probe_uniform(probe_rng *rng, double low, double high);
/* A number near x with a mantissa of few bits: it reads better, and what is made of it may be exact. */
double probe_shortened(double x);

typedef struct probe probe;

/* For the constraints that m->constraints holds now. */
probe *probe_create(ah_model *m, arena *a);
/* The same on a part of the constraint set: further equations (= 0) on coordinates and velocities
 * that hold there (components.h). */
probe *probe_create_on(ah_model *m, arena *a, const ah_expr *relation, size_t count);
frame *probe_values(const ah_model *m, arena *a); /* zeros */
/* Parameters at their values (symbolic ones at random), t, q, v, a, z at random; assumptions hold,
 * constraints do not. False when the assumptions could not be satisfied. */
bool probe_draw(probe *p, probe_rng *rng, frame *values);
/* The same on the constraints: q on the holonomic ones, v on the rest to round-off (a too where
 * some are not linear in them), through z where the model has velocity parameters; the
 * quasi-velocities follow. False when no such state was found. */
bool probe_admissible(probe *p, probe_rng *rng, frame *values);
/* Is there such a state beside these values? Not where they only come near to a singular one: x'^2 + p*y'^2 = 0 with p > 0. */
bool probe_settled(probe *p, const frame *values);

/* How a state is drawn: of ordinary size; of sizes 1e-6 to 1e6, each variable its own; of sizes 0.1
 * to 100; coordinates and t within some turns; at the model's start. */
typedef enum probe_reach {
    PROBE_NEAR,
    PROBE_FAR,
    PROBE_WIDE,
    PROBE_TURNS,
    PROBE_START
} probe_reach;
typedef struct probe_wish {
    probe_reach reach;
    /* May change what was drawn before the constraints are satisfied; NULL: nothing. */
    void (*bend)(void *user, probe_rng *rng, frame *values);
    void *user;
} probe_wish;
/* As probe_admissible, in few attempts. */
bool probe_wished(probe *p, probe_rng *rng, const probe_wish *wish, frame *values);

/* Only q on the holonomic constraints, v as drawn: for asking whether any v is admissible there. */
bool probe_place(probe *p, probe_rng *rng, frame *values);

/* Velocities beside those of `base`, on the constraints; values has its place and time. */
bool probe_beside(probe *p, probe_rng *rng, const frame *base, frame *values);

/* A few states: admissible ones, or where none was found states that ignore the constraints. */
typedef struct probe_drawing probe_drawing;
typedef struct probe_states {
    frame **at;
    size_t count;
    bool admissible;
    probe_drawing *more; /* NULL: there are no more */
} probe_states;
probe_states probe_some_states(probe *p, arena *a, size_t count, uint64_t seed);
/* The same, but only the first of them is there: the others are made when they are asked for, in the arenas of both, which must
 * not be released to an earlier mark meanwhile. */
probe_states probe_first_state(probe *p, arena *a, size_t count, uint64_t seed);
/* The k-th, or NULL: there are no more. */
const frame *probe_state(const probe_states *s, size_t k);

/* A symbolic matrix to be evaluated at states, with values and samples put in. */
typedef struct probe_matrix {
    mat shape;
    const expr_plan *plan;
    double *value; /* one an entry of `shape` */
    double *size;  /* of each, as what round-off is measured by: probe_matrix_sizes */
    ah_model *model;
    const frame *at; /* the state of the last run */
} probe_matrix;
probe_matrix probe_matrix_create(ah_model *m, arena *a, mat x);
bool probe_matrix_run(probe_matrix *x, const frame *values); /* false: not all finite */
/* After a run: what the round-off of the entries is a part of, their terms and what becomes of them when each variable moves by its
 * own size: on y' = 0 an entry y' (2x' + 1) of 1e-17 is nothing. */
const double *probe_matrix_sizes(const probe_matrix *x);
/* After a run: is the row nothing but round-off? Next to a zero a step of 1e-12 changes all of it. */
bool probe_matrix_noise(ah_ctx *ctx, const probe_matrix *x, uint32_t row);
/* The same whatever the velocities are: that of the constraint sin(x) (y' − z') = 0 where x = π,
 * which binds nothing there. */
bool probe_matrix_empty(const ah_model *m, const probe_matrix *x, uint32_t row);
/* After a run: does the row bind nothing at this state: empty, or that of a product where another
 * factor vanishes, too? */
bool model_row_vanishes(ah_model *m, const probe_matrix *x, uint32_t row, uint32_t constraint);
/* After a run: rank; `dependent` (may be NULL) gets a flag a row: depends on rows above. */
uint32_t probe_matrix_rank(ah_ctx *ctx, const probe_matrix *x, bool *dependent);
/* The rows of x that are independent of those above them, at the state where most of them are. */
uint32_t *probe_independent_rows(ah_model *m, arena *a, const probe_states *states, mat x,
                                 uint32_t *rank);

/* Does e vanish identically, as far as the declared values go? Random states first (they settle
 * nearly all that is not zero), then the algebra; where that gives up, the random states have the
 * word. */
void probe_zeros(probe *p, const ah_expr *e, size_t count, bool *zero);

#endif
