/* written/view.c - what others keep with a model, and models that differ from another in a few parts. */
#include "written.h"

#include <string.h>

void **model_kept(ah_model *m, const void *key)
{
    for (size_t i = 0; i < m->kept.count; i++)
        if (m->kept.at[i].key == key) return &m->kept.at[i].value;
    LIST_PUSH(&m->ctx->job, &m->kept, ((model_kept_entry){key, NULL}));
    return &m->kept.at[m->kept.count - 1].value;
}

/* A list that grows in both would overwrite itself: the copy's begins anew. */
ah_model *model_view(ah_model *m, arena *a)
{
    ah_model *view = NEW(a, ah_model);
    *view = *m;
    memset(&view->kept, 0, sizeof view->kept);
    memset(&view->derived, 0, sizeof view->derived);
    for (size_t i = 0; i < m->derived.count; i++) LIST_PUSH(a, &view->derived, m->derived.at[i]);
    return view;
}
