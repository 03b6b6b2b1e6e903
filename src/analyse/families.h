/* analyse/families.h - the steady motions of a model, as families. */
#ifndef ANALYSE_FAMILIES_H
#define ANALYSE_FAMILIES_H
#include "stability.h"

/* Two motions whose variables differ by less than this (relative to 1 + |y|, angles modulo 2π) are
 * one. */
#define FAMILIES_SAME 1e-6

typedef struct families_answer {
    ah_model *model;
    minimal *m;
    size_t starts; /* states from which was searched */
    size_t count;  /* families: one motion of each, with symbols where there are any */
    const stability_answer *at;
    const size_t *reached; /* from how many of the starts */
} families_answer;

/* From the model's start (with what `at` gives held) and from `starts` random admissible states. */
bool families_run(ah_model *m, const char *at, size_t starts, uint64_t seed, families_answer *out,
                  const char **why);

#endif
