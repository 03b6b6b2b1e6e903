/* answer/answer_steady.h - a steady motion written down, for `steady` and `stability`. */
#ifndef ANSWER_ANSWER_STEADY_H
#define ANSWER_ANSWER_STEADY_H
#include "../flow/flow.h"
#include "../typeset/typeset.h"

enum { STEADY_DIGITS = 12 };

/* As values (answer_motion.c); NULL: nothing is known with symbols. */
ah_steady_motion motion_told(const stability_answer *s);
const ah_characteristic *characteristic_told(const stability_answer *s);

/* The variables with their values, and of how many parameters the family is. */
void steady_words(prose *p, const stability_answer *s);
void steady_variables(prose *p, const stability_answer *s);
/* What nothing depends on. */
void steady_ignorable(prose *p, const stability_answer *s);
/* "All real parts negative if and only if:" and the conditions, a line each. */
void steady_conditions(prose *p, const stability_answer *s);
/* The members "state", "equilibrium" and "family" of an object. */
void steady_json(json *j, const stability_answer *s);
void steady_json_names(json *j, const stability_answer *s, uint32_t count, const uint32_t *y);
/* "differs" where the parts of a family have several. */
const char *steady_family_verdict(const family_parts *p);
/* Which motions a part is about: "v > 0", "3 of 20 sampled motions, one with th = 1, w = 2"; NULL:
 * all of a family, "all 20 sampled motions". */
const char *steady_part_where(const family *f, const family_part *p, ah_format format);
/* How many components the constraint set has; "" where it is one. */
const char *steady_components(const families_answer *a);
/* Where searches ended without a motion, a sentence. */
const char *steady_pole(const families_answer *a, const ah_pole *p, ah_format format);
const char *steady_verdict_text(ah_stability_verdict v);

#endif
