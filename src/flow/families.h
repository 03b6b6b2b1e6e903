/* flow/families.h - the steady motions of a model, as families. */
#ifndef FLOW_FAMILIES_H
#define FLOW_FAMILIES_H
#include "verdicts.h"

typedef struct family {
    stability_answer motion; /* one of it, with symbols where there are any */
    const char *component;   /* of the constraint set, "x' - 5 = 0"; NULL: there is one alone */
    const bool *varies; /* kept: differs along it, so that its value is that of `motion` alone */
    bool rest;          /* nothing moves in any of its sampled motions */
    size_t reached;     /* from how many of the starts */
    family_parts stability;
} family;

typedef struct families_answer {
    ah_model *model;
    minimal *m;
    size_t starts; /* states from which was searched */
    size_t count;
    const family *at;
    size_t poles;
    const ah_pole *pole;
    size_t components; /* of the constraint set that were searched; 0: it has but one */
    size_t missed;     /* of which no regular state was found */
} families_answer;

/* From the model's start (with what `at` gives held) and from `starts` random admissible states. */
bool families_run(ah_model *m, const char *at, size_t starts, uint64_t seed, families_answer *out,
                  const char **why);
/* Seconds that it may take, by the size of the equations alone: for who has less than that. */
double families_work(ah_model *m);

#endif
