/* answer/answer_steady.h - a steady motion written down, for `steady` and `stability`. */
#ifndef ANSWER_ANSWER_STEADY_H
#define ANSWER_ANSWER_STEADY_H
#include "../flow/flow.h"

enum { STEADY_DIGITS = 12 };

/* The variables with their values, and of how many parameters the family is. */
void steady_text(text *t, const stability_answer *s);
void steady_text_names(text *t, const stability_answer *s, uint32_t count, const uint32_t *y);
/* What nothing depends on. */
void steady_text_ignorable(text *t, const stability_answer *s);
/* The members "state", "equilibrium" and "family" of an object. */
void steady_json(json *j, const stability_answer *s);
void steady_json_names(json *j, const stability_answer *s, uint32_t count, const uint32_t *y);
const char *steady_verdict(stability_verdict v);
/* "differs" where the parts of a family have several. */
const char *steady_family_verdict(const family_parts *p);
/* Which motions a part is about: "v > 0", "3 of 20 sampled motions, one with th = 1, w = 2"; NULL:
 * all of a family, "all 20 sampled motions". */
const char *steady_part_where(const family *f, const family_part *p, ah_format format);
/* "All real parts negative if and only if:" and the conditions, a line each. */
void steady_text_conditions(text *t, const stability_answer *s);
/* How many components the constraint set has; "" where it is one. */
const char *steady_components(const families_answer *a);
/* Where searches ended without a motion; "" where none did. */
const char *steady_poles(const families_answer *a);
const char *steady_verdict_text(stability_verdict v);

#endif
