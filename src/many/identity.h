/* many/identity.h - inside the module: what makes a sweep that sweep, as words.
 *
 * All that a row depends on: the program, the model, what varies, what is kept, how it is integrated.
 * Not the threads, for they do not matter. */
#ifndef MANY_IDENTITY_H
#define MANY_IDENTITY_H
#include "ensemble_inside.h"

typedef struct identity_item {
    const char *key, *value;
} identity_item;
typedef LIST(identity_item) identity;

/* In the arena of the ensemble; `by`: the engine, NULL: as it comes. */
void identity_make(ah_ensemble *e, const char *by, const char *lanes, identity *out);
/* Whether the two are the same; A0641 says what differs. */
bool identity_compare(ah_ensemble *e, const char *file, const identity *there, const identity *own);

#endif
