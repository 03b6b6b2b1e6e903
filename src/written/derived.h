/* written/derived.h - what a derivation makes, as typed references: M[1,2], lambda[rod], reaction[x], …
 *
 * A symbol of kind AH_DERIVED is made here and nowhere else, and the model remembers what it stands for:
 * nobody takes names apart. */
#ifndef WRITTEN_DERIVED_H
#define WRITTEN_DERIVED_H
#include "written.h"

typedef enum derived_by {
    BY_NOTHING,
    BY_COORDINATE,
    BY_CONSTRAINT,
    BY_SPEED,
    BY_OMEGA,
    BY_OMEGA_OR_TIME
} derived_by;

typedef struct derived_kind {
    const char *word;
    derived_by by[3];
} derived_kind;
extern const derived_kind derived_kinds[DERIVED_KINDS];
size_t derived_arity(derived_what what);

/* The model's symbol of it. Written with numbers, M[1,2], but of a reaction the coordinate's name. */
ah_expr model_derived_symbol(ah_model *m, derived_ref d);
ah_expr model_lambda(ah_model *m, uint32_t constraint);
/* The unknown that stands for a multiplier in equations that are written down or solved: "lambda2"; `alone`: there is
 * no other, "lambda". Where the model calls something else so: "multiplier2", "multiplier". */
ah_expr model_multiplier(const ah_model *m, size_t index, bool alone);
/* What a symbol stands for; false: it is none of these. */
bool model_find_derived(const ah_model *m, ah_expr symbol, derived_ref *out);
/* The method whose objects e names; NULL: none. *mixed: those of several. */
const char *model_method_of(ah_model *m, ah_expr e, bool *mixed);
/* How columns and units call it: lambda[label], reaction[x]. */
const char *model_derived_label(const ah_model *m, arena *a, derived_ref d);

#endif
