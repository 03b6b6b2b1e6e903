/* real/hidden_place.h - what constraints on velocities ask of the place. */
#ifndef REAL_HIDDEN_PLACE_H
#define REAL_HIDDEN_PLACE_H
#include "../model/model.h"

/* A condition on coordinates that these constraints have in common and that no holonomic one states, "y - cos(t) = 0" of x' = y and
 * x = sin(t), in the arena; NULL: none was found. */
const char *hidden_place(ah_model *m, arena *a, size_t count, const uint32_t *constraint);

#endif
