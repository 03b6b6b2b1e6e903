/* expr/plan_inside.h - inside the module: a plan as it is run (plan.c, ranges.c). */
#ifndef EXPR_PLAN_INSIDE_H
#define EXPR_PLAN_INSIDE_H
#include "pool.h"

typedef enum plan_op {
    PLAN_LOAD, /* a symbol */
    PLAN_SUM,
    PLAN_PRODUCT,
    PLAN_INTEGER_POWER, /* exponent in `count`, by multiplication */
    PLAN_HALF_POWER,    /* sqrt(x)^count */
    PLAN_POWER,
    PLAN_CALL,
    PLAN_NAN /* unspecified functions */
} plan_op;

/* Steps alike: their results are values target .. target + steps - 1, each has `operands` of its own. */
typedef struct plan_batch {
    uint8_t op, function;
    bool paired;   /* sines, and the next are the cosines of the same */
    int32_t count; /* operands, or the exponent */
    uint32_t operands, steps, target;
    size_t first; /* operands from here; of PLAN_LOAD slots */
} plan_batch;

struct expr_plan {
    size_t batches, roots;
    plan_batch *batch;
    uint32_t *operand;
    uint32_t *root;
    double
        *value; /* constants, there from the start; what is used in its own window only; the rest */
    double *scale;       /* of each value: expr_plan_run_scaled */
    size_t values, made; /* made: by all steps together */
};

/* All positions of the walk in scratch, children first, what uses a node soon after it. */
const uint32_t *expr_plan_order(ah_ctx *ctx, const expr_walk *w, const ah_expr *roots,
                                size_t count);

#endif
