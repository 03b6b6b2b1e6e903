/* analyse/integrals.h - first integrals of a bounded class, and an invariant measure.
 *
 * Known kinds are tried first (energies, momenta, moments of momentum), then all polynomials in the
 * speeds whose coefficients are polynomials in the coordinates and in sines and cosines of angles:
 * those combinations whose rate vanishes at random admissible states, made rational. Each is then
 * put to the proof (claims/claims.h). What follows from the constraints, or is a function of integrals
 * before it, is left out. */
#ifndef ANALYSE_INTEGRALS_H
#define ANALYSE_INTEGRALS_H
#include "../claims/claims.h"
#include <anholo/integrals.h>

/* Singular values below this share of the largest: the rate vanishes. */
#define INTEGRALS_NULL 1e-9
/* Coefficients are the simplest rationals this near. */
#define INTEGRALS_RATIONAL 1e-8
/* A rate that is this share of its terms vanishes. */
#define INTEGRALS_RATE 1e-9

#endif
