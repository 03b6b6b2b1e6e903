/* real/kinks.h - where formulas change from region to region. */
#ifndef REAL_KINKS_H
#define REAL_KINKS_H
#include "../model/model.h"

/* Do constraints on velocities hold |u|, sign(u), roots of squares or angles? Then what they leave free may
 * be of one kind here and of another there, whatever random places say. Constraints on places alone are
 * integrable everywhere. */
bool kinks_in_constraints(ah_model *m);

#endif
