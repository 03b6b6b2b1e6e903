/* motion/motion_charts.h - equations written in independent velocities (voronets, chaplygin):
 * other velocities take their place when they become a bad choice. The variables of the integration
 * are q and all v, so nobody notices. */
#ifndef MOTION_MOTION_CHARTS_H
#define MOTION_MOTION_CHARTS_H
#include "motion_state.h"

/* A choice is bad when its determinant falls below this part of the best one's. */
#define MOTION_CHART_BAD 0.5

typedef struct motion_charts motion_charts;

/* NULL: the method's equations have no such chart. */
motion_charts *motion_charts_create(motion_state *s);
/* At the state in the point: goes over to better equations where that is needed. */
void motion_charts_look(motion_state *s);

#endif
