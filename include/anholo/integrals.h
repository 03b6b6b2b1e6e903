/* anholo/integrals.h - first integrals and invariant measures. */
#ifndef ANHOLO_INTEGRALS_H
#define ANHOLO_INTEGRALS_H
#include <anholo/model.h>

typedef struct ah_integrals_options {
    int degree;             /* in the velocities; default 2 */
    int coordinates_degree; /* of the coefficients in the coordinates, sines and cosines; default 2
                             */
    uint64_t seed;          /* of the random states; default 1 */
} ah_integrals_options;

AH_API ah_integrals_options ah_integrals_defaults(void);
/* Integrals polynomial in the velocities, found at random states and then proved; a density of an
 * invariant measure. AH_TEXT or AH_JSON (docs/schema/integrals.json). */
AH_API ah_status ah_integrals(ah_model *m, const ah_integrals_options *options, ah_format format,
                              const char **out);

#endif
