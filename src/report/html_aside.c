/* report/html_aside.c - answers of the page that need nothing of its other sections: claims, integrals and steady motions, and
 * whether the methods agree.
 *
 * They are found on a fork of their own in a context of their own, by another thread where there may be two, otherwise after the
 * rest. Either way they know nothing of what the rest has done, so that the page has the same bytes. */
#include "html_aside.h"

#include <signal.h>
#include <time.h>

/* Bytes: recursions are as deep as in the thread of the call. */
#define STACK ((size_t) 16 << 20)
/* Bytes with less of which nothing can be begun. */
#define MEMORY_LEAST ((size_t) 1 << 16)
/* Nanoseconds between two looks at the clock and for interrupts while the other thread works. */
#define LOOK_EVERY 2000000

/* ---- The work -------------------------------------------------------------------------------- */

typedef struct finding {
    aside *a;
    ah_model *model;
} finding;

/* What a section has written, where it stays. */
static const char *take(html *h, aside *a)
{
    const char *written = arena_strndup(&a->arena, h->out.at, h->out.length);
    h->out.length = 0;
    return written;
}

static void find(ah_ctx *ctx, void *arg)
{
    const finding *f = arg;
    aside *a = f->a;
    ah_page page = {0};
    html h = {.ctx = ctx, .arena = &ctx->job, .model = f->model, .page = &page};
    h.end = base_work() + HTML_SECONDS;
    h.out = text_begin(h.arena);
    html_find_claims(&h);
    a->found.claims = take(&h, a);
    html_find_constants(&h);
    a->found.constants = take(&h, a);
    html_find_agreement(&h);
    a->found.agreement = take(&h, a);
    a->found.count = page.claims;
    a->found.passed = page.claims_passed;
}

/* On one more fork, which this thread destroys. */
static void find_all(aside *a)
{
    finding f = {.a = a};
    a->status = model_fork(a->model, &f.model);
    if (a->status != AH_OK) return;
    a->status = model_answer(f.model, AH_TEXT, find, &f);
    model_fork_destroy(f.model);
}

static void *toil(void *arg)
{
    aside *a = arg;
    find_all(a);
    expr_leave_thread();
    atomic_store(&a->over, true);
    return NULL;
}

/* ---- The thread ------------------------------------------------------------------------------ */

/* A host that gives memory may give it to one thread alone. */
static bool may_be_two(const aside *a, size_t threads)
{
    if (threads) return threads > 1;
    return a->of->realloc == ah_ctx_defaults().realloc && base_processors() > 1;
}

/* Signals are the affair of the thread of the call. Where no thread can be had, the call does it itself. */
static void start(aside *a)
{
    sigset_t all, before;
    pthread_attr_t attributes;
    sigfillset(&all);
    if (pthread_attr_init(&attributes)) return;
    pthread_attr_setstacksize(&attributes, STACK);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    a->started = pthread_create(&a->thread, &attributes, toil, a) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
}

static void join(aside *a)
{
    if (a->started) pthread_join(a->thread, NULL);
    a->started = false;
}

/* ---- Life ------------------------------------------------------------------------------------ */

/* Half of what is left, so that what fails for want of memory does so with any number of threads. */
static void divide_memory(aside *a)
{
    size_t *limit = &a->of->limits.memory;
    const size_t lent = a->of->bytes < *limit ? (*limit - a->of->bytes) / 2 : 0;
    if (lent < MEMORY_LEAST) ctx_raise_limit(a->of, "more memory is needed than the limit allows");
    a->lent = lent;
    *limit -= lent;
}

void aside_begin(aside *a, ah_ctx *ctx, ah_model *m, size_t threads)
{
    a->of = ctx->root;
    divide_memory(a);
    a->root = ctx_create_beside(ctx, a->lent);
    if (!a->root) ctx_raise(ctx, AH_E_MEMORY);
    arena_init(&a->arena, a->root);
    const ah_status status = model_fork_into(m, a->root, &a->model);
    if (status != AH_OK) ctx_raise(ctx, status);
    if (may_be_two(a, threads)) start(a);
}

const html_answers *aside_end(aside *a, ah_ctx *ctx)
{
    const struct timespec pause = {.tv_nsec = LOOK_EVERY};
    if (!a->started) find_all(a);
    while (a->started && !atomic_load(&a->over)) {
        ctx_tick_now(ctx);
        nanosleep(&pause, NULL);
    }
    join(a);
    if (a->status == AH_E_LIMIT && a->root->log->limit) ctx_raise_limit(ctx, a->root->log->limit);
    if (a->status != AH_OK) ctx_raise(ctx, a->status);
    return &a->found;
}

void aside_destroy(aside *a)
{
    if (a->lent) a->of->limits.memory += a->lent;
    if (!a->root) return;
    ah_ctx_interrupt(a->root); /* the page may have failed before */
    join(a);
    arena_clear(&a->arena);
    if (a->model) model_fork_destroy(a->model);
    ah_ctx_destroy(a->root);
}
