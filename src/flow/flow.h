/* flow/flow.h - the motion as a vector field: at a state, in minimal variables, with symbols, where it rests: what other modules see of this one. */
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H
#include "characteristic.h"
#include "field.h"
#include "minimal.h"
#include "poles.h"
#include "reduced.h"
#include "steady.h"

#endif
