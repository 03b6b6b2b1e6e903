/* state/enclosed.h - admissible states that are certain: balls proved to hold one.
 *
 * Parameters have their exact values; t, the free parameters, velocity parameters and all
 * coordinates and velocities but the dependent ones stand at rationals (doubles). The dependent
 * ones are solved for from independent rows of the constraints by Newton's method in intervals,
 * which proves that there is one solution in their balls, and that the rows are independent there.
 * Rows that were not used must follow from the others by algebra; else the state is not certain.
 * Speaks FLINT. */
#ifndef STATE_ENCLOSED_H
#define STATE_ENCLOSED_H
#include "../derive/derive.h"
#include "../sheet/enclose.h"
#include "exact.h"

typedef struct enclosed enclosed;

/* Larger systems are not enclosed: matrices of balls are dense. */
enum { ENCLOSED_COORDINATES = 150 };

/* For a finished model. */
enclosed *enclosed_create(ah_model *m, arena *a);

/* In all states from here on these coordinates and velocities have these values, expressions of
 * parameters. */
void enclosed_give(enclosed *s, size_t count, const ah_expr *symbol, const ah_expr *value);
/* From here on redundant rows need not be proved to follow: it is enough that they may vanish (zero is
 * in their balls). Such states are not certain. */
void enclosed_trust(enclosed *s, bool trust);
/* `values`: near an admissible state; on return inside the balls. `balls` gets parameters, t, q, v, z
 * and ω, everything else is indeterminate. NULL, or why not. */
const char *enclosed_at(enclosed *s, frame *values, ball_frame *balls, slong bits);
/* Does the symbol stand at the rational of `values` in the state enclosed last? */
bool enclosed_is_exact(const enclosed *s, ah_expr symbol);

/* How many constraints on velocities are independent there; not for models with a velocity form. */
uint32_t enclosed_rank(const enclosed *s);

/* Do all assumptions hold there, and does everything exist that the text names? AH_UNKNOWN: the
 * balls do not tell. */
ah_truth enclosed_assumed(enclosed *s, const ball_frame *balls, slong bits);
ah_truth enclosed_exists(enclosed *s, const model_needs *needs, const ball_frame *balls,
                         slong bits);

#endif
