/* derive/work.h - a worksheet worked out symbolically, as far as it stays small. */
#ifndef DERIVE_WORK_H
#define DERIVE_WORK_H
#include "derive.h"

typedef struct work work;

typedef struct work_options {
    bool values; /* parameters replaced by their declared values */
    bool
        plain; /* in t, q, v as far as the worksheet is: nothing is brought to the display's variables */
    double seconds; /* for one quantity; 0: the algebra's own bound */
    /* What the entries of the leaves, and of q' in the display's variables, are written as; NULL: as they are. */
    ah_expr (*keep)(void *user, ah_expr e);
    void *user;
} work_options;

/* Quantities appear in the variables of the display: v → ψ(q, z, t) or v(q, ω, t) where the method
 * has own velocities. */
work *work_create(const ah_equations *eq, const work_options *options);
/* The simplified value; false: it grew too large, or something it needs is singular. */
bool work_out(work *w, quantity x, mat *out);
/* An expression in t, q, v brought to the variables of the display, simplified. */
ah_expr work_expression(work *w, ah_expr e);

#endif
