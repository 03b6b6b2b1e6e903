/* anholo/stability.h - steady motions and their stability.
 *
 * A steady motion (relative equilibrium) is a motion in which everything rests on which the
 * equations of motion depend; an equilibrium is one. Answers are written as AH_TEXT or AH_JSON. */
#ifndef ANHOLO_STABILITY_H
#define ANHOLO_STABILITY_H
#include <anholo/model.h>

typedef struct ah_steady_options {
    const char *at; /* held, as below */
    size_t starts;  /* random states from which is searched besides the model's start; default 30 */
    uint64_t seed;  /* default 1 */
} ah_steady_options;

AH_API ah_steady_options ah_steady_defaults(void);
/* Steady motions as families: one of each, with the number of free parameters. AH_TEXT or AH_JSON
 * (docs/schema/steady.json). AH_E_REFUSED with an answer: none was found; without: there can be
 * none (A0621). */
AH_API ah_status ah_steady(ah_model *m, const ah_steady_options *options, ah_format format,
                           const char **out);

typedef struct ah_stability_options {
    const char *at;       /* "x'=5, psi=0": held; the rest moves to a steady motion nearby,
                             beginning at the model's start. NULL: nothing is held */
    const char *sweep;    /* "NAME=a..b:N": spectra along a parameter or a quantity of the state */
    const char *critical; /* "NAME=a..b" or "NAME=a..b:N": where stability changes, looked for at N
                             values */
} ah_stability_options;

AH_API ah_stability_options ah_stability_defaults(void);
/* Linearisation in minimal variables, spectrum, zeros explained; with symbols where the system is
 * small. AH_TEXT with a sweep: the rows as CSV. AH_JSON: docs/schema/stability.json. AH_E_REFUSED:
 * there is no steady motion (A0621). */
AH_API ah_status ah_stability(ah_model *m, const ah_stability_options *options, ah_format format,
                              const char **out);

#endif
