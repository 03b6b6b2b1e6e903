/* figure/figure.h - plots and the moving picture: what other modules see of this one. */
#ifndef FIGURE_FIGURE_H
#define FIGURE_FIGURE_H
#include "plot.h"
#include "scene.h"

#endif
