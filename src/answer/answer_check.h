/* answer/answer_check.h - what `anholo check` reports. */
#ifndef ANSWER_ANSWER_CHECK_H
#define ANSWER_ANSWER_CHECK_H
#include "../analyse/analyse.h"
#include "../typeset/typeset.h"

typedef struct checked {
    ah_model *m;
    const ah_classification *k;
    const ah_distribution *distribution;
    size_t part_count;
    const ah_component_distribution *parts;
    const ah_singular *singular;
    const ah_energy *energy;
    const ah_applicability *methods;
    size_t method_count;
} checked;

/* Fills in everything; false: diagnostics say why. */
bool check_find(checked *c);

/* What `check` says, part by part; a part may have nothing to say. */
typedef struct check_part {
    const char *title;
    void (*write)(prose *p, const checked *c);
} check_part;
extern const check_part check_parts[]; /* up to one without a title */

const char *check_form(ah_form form);
const char *check_json(const checked *c); /* docs/schema/check.json */

#endif
