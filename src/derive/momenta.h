/* derive/momenta.h - velocities through momenta, for Routh and Hamilton. */
#ifndef DERIVE_MOMENTA_H
#define DERIVE_MOMENTA_H
#include "derive.h"

typedef struct momenta {
    uint32_t count;
    mat symbols; /* p_c, and their derivatives p_c'                            */
    mat dots;
    mat definition; /* ∂L/∂v_c in (q, v, t)                                       */
    mat velocities; /* v_c in (q, the other v, p_c, t)                            */
} momenta;

/* Solves p_c = ∂L/∂v_c for the chosen velocities. NULL, or why that cannot be done in closed form.
 */
const char *derive_solve_momenta(mechanics *k, const uint32_t *which, uint32_t count, momenta *out);

#endif
