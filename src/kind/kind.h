/* kind/kind.h - what kind of system a finished model is: the parts of `check`, each in the model's
 * context. *out is set when the status is AH_OK. */
#ifndef KIND_H
#define KIND_H
#include "../model/model.h"
#include <anholo/analyse.h>

/* Redundant constraints are warnings (A0416), contradictory ones an error (A0417). */
ah_status kind_classify(ah_model *m, const ah_classification **out);
ah_status kind_distribution(ah_model *m, const ah_distribution **out);
/* Where the admissible states fall into several components: of each; none where it cannot be told. */
ah_status kind_distribution_parts(ah_model *m, size_t *count,
                                  const ah_component_distribution **out);
ah_status kind_singular(ah_model *m, const ah_singular **out);
ah_status kind_methods(ah_model *m, size_t *count, const ah_applicability **out);

/* The rest of what other modules see of this one. */
#include "distribution.h"
#include "on_component.h"
#include "uniform.h"

#endif
