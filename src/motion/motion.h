/* motion/motion.h - runs: the equations of one method integrated, and their rows: what other
 * modules see of this one. */
#ifndef MOTION_MOTION_H
#define MOTION_MOTION_H
#include "../making/making.h"
#include "motion_narrow.h"
#include "motion_pulses.h"
#include "motion_run.h"
#include "motion_state.h"
#include "motion_switches.h"

#endif
