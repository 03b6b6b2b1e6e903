/* answer/answer_check.h - what `anholo check` reports. */
#ifndef ANSWER_ANSWER_CHECK_H
#define ANSWER_ANSWER_CHECK_H
#include "../model/model.h"
#include <anholo/analyse.h>

typedef struct checked {
    ah_model *m;
    ah_format format; /* AH_TEXT, AH_JSON; in a page AH_MATHML: text with formulas in it */
    const ah_classification *k;
    const ah_distribution *distribution;
    const ah_singular *singular;
    const ah_energy *energy;
    const ah_applicability *methods;
    size_t method_count;
    const char *out;
} checked;

/* Fills in everything but the format; false: diagnostics say why. */
bool check_find(ah_ctx *ctx, checked *c);

/* What `check` says, part by part; a part may have nothing to say. Lines that begin with four
 * spaces are items of what stands before them. */
typedef struct check_part {
    const char *title;
    void (*write)(text *t, const checked *c);
} check_part;
extern const check_part check_parts[]; /* up to one without a title */

const char *check_json(const checked *c); /* docs/schema/check.json */

#endif
