/* kind/methods.c - which methods apply, and why not. */
#include "../derive/derive.h"
#include "kind.h"

typedef struct question {
    ah_model *m;
    size_t count;
    ah_applicability *out;
} question;

static void ask_all(ah_ctx *ctx, void *arg)
{
    question *q = arg;
    if (!q->m->finished) ctx_raise(ctx, AH_E_INPUT); /* its errors are reported */
    mechanics *k = derive_mechanics(q->m);
    while (derive_formalisms[q->count]) q->count++;
    q->out = NEW_ARRAY(&ctx->job, ah_applicability, q->count);
    for (size_t i = 0; i < q->count; i++) {
        const formalism *f = derive_formalisms[i];
        const char *instead = NULL, *why = f->accepts(k, &instead);
        q->out[i] = (ah_applicability){f->name, f->title, !why, why, why ? instead : NULL};
    }
}

ah_status kind_methods(ah_model *m, size_t *count, const ah_applicability **out)
{
    question q = {.m = m};
    const ah_status status = model_guard(m, ask_all, &q);
    *count = status == AH_OK ? q.count : 0;
    *out = status == AH_OK ? q.out : NULL;
    return status;
}
