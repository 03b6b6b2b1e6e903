/* own_context.h - models in the test's own context, beside expressions that the test makes there: the
 * public calls give every model a context of its own. For tests of the public headers; others have
 * lang/lang.h and model/model.h. */
#ifndef HARNESS_OWN_CONTEXT_H
#define HARNESS_OWN_CONTEXT_H
#include <anholo/lang.h>

ah_status lang_read(ah_ctx *ctx, const char *file, const char *bytes, size_t length,
                    const char *set, ah_model **model);
ah_model *model_create_in(ah_ctx *ctx, const char *title);

#endif
