/* analyse/analyse.h - questions about a system; each gives an answer that others show: what other
 * modules see of this one. */
#ifndef ANALYSE_ANALYSE_H
#define ANALYSE_ANALYSE_H
#include "../kind/kind.h"
#include "crosscheck.h"
#include "energy.h"
#include "integrals.h"
#include <anholo/answer.h>

/* A search of a question's own, search_<code> in a file of this module: it takes the options of the question as
 * its public header has them and fills its values. False: *why not. The prototypes come with the list of
 * questions; one that others answer needs none. */
#define X(code, name)                                                                              \
    bool search_##code(ah_model *m, const void *options, void *values, const char **why);
AH_QUESTION_LIST(X)
#undef X

#endif
