/* flow/underflow.h - forces that doubles cannot tell from none: those of V = exp(-x^4) at x = 18. */
#ifndef FLOW_UNDERFLOW_H
#define FLOW_UNDERFLOW_H
#include "minimal.h"

/* At a state at which the reduced system rests in doubles: are there forces too small for them, that no state near by is without? The rates are those that
 * minimal_at has seen last. */
bool underflow_moves(minimal *m, frame *values);

#endif
