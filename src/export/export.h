/* export/export.h - a system as text in other languages: C, JavaScript, Python, Octave, FMU. */
#ifndef EXPORT_EXPORT_H
#define EXPORT_EXPORT_H
#include "../system/system.h"
#include <anholo/export.h>

/* The system's module in JavaScript, for a page: an object called `name` with the right-hand side,
 * outputs, energy, projection and steps (docs/export.md). NULL: its equations are no formulas. */
const char *export_javascript(const ah_system *s, arena *a, const char *name);

#endif
