/* kind/distribution.h - the admissible velocities as a distribution of vector fields.
 *
 * Linear constraints J v + b = 0 leave at each place the velocities Σ z_i X_i (+ a drift). With t
 * as one more coordinate affine and rheonomic constraints are of the same kind: (v, 1) is a
 * combination of fields on the space of (q, t). A function that all fields annul is constant on
 * every motion, and these functions are as many as the brackets of the fields leave free. */
#ifndef KIND_DISTRIBUTION_H
#define KIND_DISTRIBUTION_H
#include "../model/model.h"
#include <anholo/analyse.h>

typedef struct distribution {
    ah_model *m;
    arena *arena;
    algebra *alg;     /* with short bounds */
    bool spanning;    /* constraints that are not linear were left out */
    bool time;        /* t is a coordinate, the last */
    const bool *only; /* the constraints that count, of the model's; NULL: all */
    uint32_t n;       /* dimension of the space */
    uint32_t forms;   /* constraints that define it; 0: the velocity form does */
    const ah_expr *x;
    mat X;       /* one field a row; parameters are letters where that makes no difference */
    mat X_value; /* the same with the declared values */
} distribution;

/* False: *why says why there is none (a constant text). */
bool distribution_create(ah_model *m, arena *a, const bool *only, distribution *out,
                         const char **why);
static inline bool distribution_counts(const distribution *d, size_t constraint)
{
    return !d->only || d->only[constraint];
}

/* The answer of ah_find_distribution for some of the constraints (NULL: for all). */
typedef struct distribution_answer {
    ah_distribution found;
    bool curved; /* dimensions beyond the first were found in numbers, on holonomic constraints */
    bool growth_exact; /* all dimensions are proved; false where that was not asked for */
    bool
        uniform; /* the fields and brackets are as many whatever the free parameters and functions are */
    mat frame; /* these, independent in general */
} distribution_answer;
void distribution_find(ah_model *m, const bool *only, bool prove, distribution_answer *out);

/* integrable.c: functions of the coordinates that the fields annul, functionally independent,
 * beginning with the holonomic constraints; looked for until there are `wanted`. Each is proved. */
expr_list distribution_functions(const distribution *d, probe *p, size_t wanted);

#endif
