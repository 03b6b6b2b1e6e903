/* state/body_axes.h - angular velocities in body axes as variables where bodies are turned by three angles.
 *
 * T has constant coefficients in Ω, not in the rates of angles: with
 *
 *     s = (Ω of these bodies, all other velocities or none),   (s; 0) = (f; C)(q, v, t),
 *
 * the equations are shorter (asymmetric top 82 → 29 operations, Chaplygin's sphere 176 → 81). The frame fails where the
 * angles themselves do, at det ∂Ω/∂v = 0; it is taken where that is no loss:
 *
 *     M with the columns of the angles is K ∂Ω/∂v, K without a pole: at such a place M is singular, and nothing goes on;
 *     det ∂(f; C)/∂v is a number times these determinants: nowhere else does it vanish, and C keeps its rank. */
#ifndef STATE_BODY_AXES_H
#define STATE_BODY_AXES_H
#include "attitudes.h"

/* In the arena of the point; false: the model has no such frame. */
bool body_axes_frame(point *p, attitude_frame *out);

#endif
