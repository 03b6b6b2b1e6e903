/* real/kinks.h - where formulas change from region to region. */
#ifndef REAL_KINKS_H
#define REAL_KINKS_H
#include "../model/model.h"

/* Do constraints on velocities hold |u|, sign(u), roots of squares or angles? Then what they leave free may
 * be of one kind here and of another there, whatever random places say. Constraints on places alone are
 * integrable everywhere. */
typedef enum kinks { KINKS_NONE, KINKS_ROOT /* of squares alone */, KINKS_SWITCH } kinks;
kinks kinks_in_constraints(ah_model *m);

/* One of them, and what it is on either side of the place where it changes. AH_FALSE: there is none. AH_UNKNOWN: the sides of
 * this one are not known. */
typedef struct kink {
    ah_expr node, side[2];
} kink;
ah_truth kinks_first(ah_model *m, kink *out);

/* Do their gradients jump, as those of |x'| = y' where x' = 0? There the sets of several formulas meet, and no
 * rank tells. */
bool kinks_in_rows(ah_model *m);

#endif
