/* motion/motion_dae.h - the equations of motion as a differential-algebraic system, for IDA.
 *
 *     M (q' − v) − Gᵀ η'      = 0      g(q, t) = 0        holonomic constraints, G = ∂g/∂q
 *     M v' − L(q, v, t) − Jᵀ Λ' = 0    c(q, v, t) = 0     all constraints on velocities
 *                                      J v' + γ = 0       those on accelerations
 *
 * The constraints stand there as they are, on every level, and not their second derivatives, so
 * nothing drifts: the form of [GearGuptaLeimkuhler1985]. The multipliers are λ = Λ' and η'; with
 * their integrals as unknowns the index is one instead of two [Gear1988]. η' is zero on the
 * solution. docs/decisions/0007-integrators.md says why this form. */
#ifndef MOTION_MOTION_DAE_H
#define MOTION_MOTION_DAE_H
#include "../integrate/integrate.h"
#include "../state/state.h"

/* `multipliers` is that method, prepared; it gives the accelerations at the start. The state y is
 * (q, v). NULL: *why. */
const ivp_dae *motion_dae_create(point *p, const eval_method *multipliers, const char **why);

#endif
