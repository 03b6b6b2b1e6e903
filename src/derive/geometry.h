/* derive/geometry.h - forces as the methods that work on points and bodies see them. */
#ifndef DERIVE_GEOMETRY_H
#define DERIVE_GEOMETRY_H
#include "derive.h"

/* On a point or on the centre of mass of a body: what is applied there, and gravity. */
ah_vector derive_applied_force(mechanics *k, const model_part *part);
/* A point or marker without mass that nothing acts on: sums over the parts leave it out. */
bool derive_is_place(mechanics *k, const model_part *part);
/* n × 1: generalised forces that no part carries, from `force q = e` and `potential`. */
mat derive_written_forces(mechanics *k);

#endif
