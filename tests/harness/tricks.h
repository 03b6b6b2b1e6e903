/* harness/tricks.h - points whose constraints play tricks (t_tricks.c, t_tricks_components.c). */
#ifndef HARNESS_TRICKS_H
#define HARNESS_TRICKS_H
#include "verdicts.h"

#define POINTS_2 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential x + y\n"
#define POINTS_3 "coordinate y, x, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x + y\n"
#define POINTS_4 "coordinate x, y, z, w\nkinetic (x'^2 + y'^2 + z'^2 + w'^2)/2\npotential x + y\n"

#endif
