/* lang/lang.h - text to model; the public calls are those of anholo/lang.h: what other modules see of
 * this one. */
#ifndef LANG_LANG_H
#define LANG_LANG_H
#include "highlight.h"
#include <anholo/lang.h>

/* ah_read in the given context itself: for those who have its other expressions in hand. */
ah_status lang_read(ah_ctx *ctx, const char *file, const char *bytes, size_t length,
                    const char *set, ah_model **model);

#endif
