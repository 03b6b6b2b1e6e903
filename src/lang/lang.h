/* lang/lang.h - text to model; the public calls are those of anholo/lang.h: what other modules see of
 * this one. */
#ifndef LANG_LANG_H
#define LANG_LANG_H
#include "highlight.h"
#include <anholo/lang.h>

#endif
