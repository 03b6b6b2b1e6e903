/* report/check.h - what `anholo check` reports. */
#ifndef REPORT_CHECK_H
#define REPORT_CHECK_H
#include "../model/model.h"
#include <anholo/analyse.h>

typedef struct checked {
    ah_model *m;
    ah_format format;
    const ah_classification *k;
    const ah_distribution *distribution;
    const ah_singular *singular;
    const ah_energy *energy;
    const ah_applicability *methods;
    size_t method_count;
    const char *out;
} checked;

const char *check_json(const checked *c); /* docs/schema/check.json */

#endif
