/* flow/flow.h - the motion as a vector field: at a state, in minimal variables, with symbols; its steady motions: what other modules see of this one. */
#ifndef FLOW_FLOW_H
#define FLOW_FLOW_H
#include "characteristic.h"
#include "families.h"
#include "field.h"
#include "linear_model.h"
#include "linear_symbols.h"
#include "minimal.h"
#include "poles.h"
#include "problem.h"
#include "reduced.h"
#include "stability.h"
#include "steady.h"

#endif
