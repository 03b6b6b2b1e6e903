/* report/html_aside.h - inside the module: answers that another thread may find while the page is written (html_aside.c). */
#ifndef REPORT_HTML_ASIDE_H
#define REPORT_HTML_ASIDE_H
#include "html.h"

#include <pthread.h>

typedef struct aside {
    ah_ctx
        *root; /* of the other thread; NULL: there is none. The memory that is left is divided … */
    ah_ctx *of;      /* … between it and this one, … */
    size_t lent;     /* … which has so many bytes less */
    ah_model *model; /* the user's, in root */
    arena arena;     /* in root: what was found, … */
    html_answers found;
    ah_status status;
    bool started; /* another thread is at it … */
    pthread_t thread;
    atomic_bool over; /* … and has done */
} aside;

/* In the call whose page it is, with the model that is its subject; raises. It begins at once where there may be two threads.
 * The model must not change before aside_destroy, which is called after the call whatever came of that. */
void aside_begin(aside *a, ah_ctx *ctx, ah_model *m, size_t threads);
/* What was found, as long as the aside is there; raises what ended the search. */
const html_answers *aside_end(aside *a, ah_ctx *ctx);
void aside_destroy(aside *a);

#endif
