/* flow/verdicts.h - what the linearisation says of a family of steady motions, part by part.
 *
 * With symbols, all real parts are negative (in λ² alone: none is positive) exactly where the
 * conditions of Routh and Hurwitz are positive, and one is positive wherever a condition is
 * negative. Along one parameter in which they are rational the line is cut at all their zeros and
 * poles: between the cuts their signs are exact. Otherwise sampled motions have the word, and no
 * more is said than that. */
#ifndef FLOW_VERDICTS_H
#define FLOW_VERDICTS_H
#include "members.h"

typedef struct family_part {
    ah_stability_verdict verdict;
    ah_expr symbol;       /* low < symbol < high, or symbol = low = high; AH_NONE: see `example` */
    double low, high;     /* sampled: the least and the largest value with that verdict */
    size_t members;       /* sampled motions with that verdict in that part */
    const frame *example; /* one of them; NULL: none */
} family_part;

typedef struct family_parts {
    bool proved;    /* all of the family, exactly; otherwise of the sampled motions alone */
    size_t sampled; /* motions at which spectra were computed */
    size_t count;   /* one: all (sampled) motions have that verdict */
    const family_part *at;
} family_parts;

/* What exact signs say of the motion alone, where they do; of->symbolic is known. */
void verdict_by_symbols(problem *s, stability_answer *of);
void parts_find(members *f, family_parts *out);

#endif
