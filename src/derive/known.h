/* derive/known.h - what has been derived of a model, kept with it. */
#ifndef DERIVE_KNOWN_H
#define DERIVE_KNOWN_H
#include "derive.h"

typedef struct derived {
    LIST(ah_equations *) done;
    struct {
        bool tried;
        struct quasi *frame;
        const char *why;
    } frames[2]; /* quasi.h: the quasi-velocities, plain and orthonormal */
    LIST(struct derived_formula {
        ah_expr symbol;
        ah_expr formula; /* AH_NONE: it has none */
    })
    formulas; /* formulas.c: found so far */
    bool outputs_asked;
    bool outputs_unknown; /* an output names what no method has: the model cannot be used */
} derived;

derived *derived_of(ah_model *m);

#endif
