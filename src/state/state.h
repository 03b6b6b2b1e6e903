/* state/state.h - one state of a model as numbers, and the equations of motion at it: what other
 * modules see of this one. */
#ifndef STATE_STATE_H
#define STATE_STATE_H
#include "attitudes.h"
#include "body_axes.h"
#include "crossed.h"
#include "denominators.h"
#include "digits.h"
#include "edges.h"
#include "eval.h"
#include "independent.h"
#include "point.h"
#include "second_class_motion.h"
#include "states.h"
#include "vanished.h"

#endif
