/* making/making.h - the programs of a motion, made once and run often: rates by one method, energies, constraints, ranks: what other
 * modules see of this one. */
#ifndef MAKING_MAKING_H
#define MAKING_MAKING_H
#include "making_steps.h"
#include "motion_code.h"

#endif
