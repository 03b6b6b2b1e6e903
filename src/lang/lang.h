/* lang/lang.h - text to model; the public calls are those of anholo/lang.h: what other modules see of
 * this one. */
#ifndef LANG_LANG_H
#define LANG_LANG_H
#include "../model/model.h"
#include "highlight.h"
#include <anholo/lang.h>

/* ah_read in the given context itself: for those who have its other expressions in hand. */
ah_status lang_read(ah_ctx *ctx, const char *file, const char *bytes, size_t length,
                    const char *set, ah_model **model);

/* "t=0, x=1, x'=0.5" in the names of a finished model, as --at has it; `what` names it in messages.
 * Which symbols may stand there the caller decides. In the arena `a`; false after an error. */
typedef LIST(model_value) lang_values;
bool lang_read_values(ah_model *m, const char *what, const char *bytes, arena *a, lang_values *out);

/* "x'=0..10:201", as --sweep has it. */
typedef struct lang_varied {
    const char *name; /* as it is written */
    ah_expr symbol, from, to;
    size_t count; /* 0: not given */
    ah_span span, name_span;
} lang_varied;
enum { LANG_VARIED_MOST = 1000000 }; /* values */
bool lang_read_varied(ah_model *m, const char *what, const char *bytes, arena *a, lang_varied *out);

#endif
