/* answer/answer_check.h - what `anholo check` reports. */
#ifndef ANSWER_ANSWER_CHECK_H
#define ANSWER_ANSWER_CHECK_H
#include "../model/model.h"
#include <anholo/analyse.h>

/* Of what a part says: characters begin .. end; an item belongs to the line before it. */
typedef struct check_line {
    size_t begin, end;
    bool item;
} check_line;
typedef struct check_lines {
    LIST(check_line) at;
    size_t from; /* of the line that is being written */
    bool item;   /* it is one */
} check_lines;

typedef struct checked {
    ah_model *m;
    ah_format format; /* AH_TEXT, AH_JSON; in a page AH_MATHML: text with formulas in it */
    const ah_classification *k;
    const ah_distribution *distribution;
    const ah_singular *singular;
    const ah_energy *energy;
    const ah_applicability *methods;
    size_t method_count;
    check_lines *lines; /* of the part that is being written */
    const char *out;
} checked;

/* Fills in everything but the format; false: diagnostics say why. */
bool check_find(checked *c);

/* What `check` says, part by part; a part may have nothing to say. */
typedef struct check_part {
    const char *title;
    void (*write)(text *t, const checked *c);
} check_part;
extern const check_part check_parts[]; /* up to one without a title */
/* The words of a part, and where its lines are in them. */
const char *check_write(const check_part *part, checked *c, check_lines *lines);

const char *check_json(const checked *c); /* docs/schema/check.json */

#endif
