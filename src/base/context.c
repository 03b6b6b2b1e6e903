/* base/context.c - contexts: their life, their memory, what they own. */
#include "base.h"
#include "report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef AH_VERSION
#define AH_VERSION "unknown" /* the build gives it */
#endif

/* ---- Version, status, defaults --------------------------------------------------------------- */

const char *ah_status_text(ah_status status)
{
    switch (status) {
#define X(code, text)                                                                              \
    case code: return text;
        AH_STATUS_LIST(X)
#undef X
    }
    return "unknown status";
}

const char *ah_version(void)
{
    return AH_VERSION;
}

/* nesting: the recursions (reading, elaborating, printing) spend well under 10 kB a level, even
 * under AddressSanitizer, so that 200 levels leave most of a stack of 8 MB alone. */
ah_limits ah_limits_defaults(void)
{
    return (ah_limits){
        .nesting = 200,
        .nodes = 20 * 1000 * 1000,
        .terms = 200 * 1000,
        .memory = (size_t) 1 << 30,
        .seconds = 0,
    };
}

static void *libc_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void) user, (void) old_size;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

ah_ctx_options ah_ctx_defaults(void)
{
    return (ah_ctx_options){
        .size = sizeof(ah_ctx_options), .realloc = libc_realloc, .limits = ah_limits_defaults()};
}

static void wrong_size(ah_ctx *ctx, void *arg)
{
    (void) arg;
    diag_wrong_call(ctx, "options have a wrong `size`: they did not begin as their defaults");
    diag_hint(ctx, "let them begin as ah_…_defaults() of their name");
}

bool base_take_options(ah_ctx *ctx, void *own, size_t size, const void *options)
{
    size_t reaches = size;
    if (options) memcpy(&reaches, options, sizeof reaches);
    if (options) memcpy(own, options, reaches < size ? reaches : size);
    /* of an older version, whose last field is whole */
    if (reaches >= size || (reaches >= sizeof reaches && reaches % sizeof reaches == 0))
        return true;
    if (ctx) ctx_guard(ctx, wrong_size, NULL);
    return false;
}

static ah_limits with_defaults(ah_limits given)
{
    const ah_limits usual = ah_limits_defaults();
    if (!given.nesting) given.nesting = usual.nesting;
    if (!given.nodes) given.nodes = usual.nodes;
    if (!given.terms) given.terms = usual.terms;
    if (!given.memory) given.memory = usual.memory;
    return given;
}

/* ---- Life ------------------------------------------------------------------------------------ */

static void prepare(ah_ctx *ctx, void *unused)
{
    (void) unused;
    diag_reserve(ctx, 0);
}

static void init(ah_ctx *ctx, const ah_ctx *like)
{
    *ctx = (ah_ctx){.limits = like->limits,
                    .realloc = like->realloc,
                    .user = like->user,
                    .progress = like->progress,
                    .progress_user = like->progress_user,
                    .deadline = INFINITY,
                    .share = {INFINITY, INFINITY}};
    arena_init(&ctx->store, ctx);
    arena_init(&ctx->job, ctx);
    arena_init(&ctx->scratch, ctx);
}

/* A root and its log, in one block. */
typedef struct whole {
    ah_ctx ctx;
    ctx_log log;
} whole;

ah_ctx *ah_ctx_create(const ah_ctx_options *options)
{
    ah_ctx_options o = ah_ctx_defaults();
    if (!base_take_options(NULL, &o, sizeof o, options)) return NULL;
    const ah_ctx like = {.limits = with_defaults(o.limits),
                         .realloc = o.realloc ? o.realloc : libc_realloc,
                         .user = o.user,
                         .progress = o.progress,
                         .progress_user = o.progress_user};
    whole *w = like.realloc(like.user, NULL, 0, sizeof *w);
    if (!w) return NULL;
    ah_ctx *ctx = &w->ctx;
    init(ctx, &like);
    w->log = (ctx_log){.status = AH_OK};
    arena_init(&w->log.texts, ctx);
    ctx->root = ctx;
    ctx->log = &w->log;
    ctx->bytes = sizeof *w;
    ctx->locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0);
    if (ctx->locale && ctx_guard(ctx, prepare, NULL) == AH_OK) return ctx;
    ah_ctx_destroy(ctx);
    return NULL;
}

static void clear(ah_ctx *ctx)
{
    assert(!ctx->frame && "destroyed inside a call");
    while (ctx->owned) { /* newest first: what is younger may use what is older */
        const ctx_owned owned = *ctx->owned;
        ctx_disown(ctx, ctx->owned);
        owned.destroy(owned.data);
    }
    arena_clear(&ctx->scratch);
    arena_clear(&ctx->job);
    arena_clear(&ctx->store);
}

void ah_ctx_destroy(ah_ctx *ctx)
{
    if (!ctx) return;
    while (ctx->inside) ctx_destroy_inside(ctx->inside);
    clear(ctx);
    ctx_log *log = ctx->log;
    arena_clear(&log->texts);
    if (log->diagnostics.at)
        ctx_realloc(ctx, log->diagnostics.at, log->diagnostics.capacity * sizeof(ah_diagnostic), 0);
    if (log->sources.at)
        ctx_realloc(ctx, log->sources.at, log->sources.capacity * sizeof(source), 0);
    if (ctx->locale) freelocale(ctx->locale);
    ctx->realloc(ctx->user, ctx, sizeof(whole), 0);
}

/* ---- Inside ---------------------------------------------------------------------------------- */

/* Of a call that is nearly over: no seconds at all would be no limit. */
#define LEAST_SECONDS 1e-6

typedef struct inner {
    ah_ctx *ctx;
} inner;

static void allocate_inner(ah_ctx *root, void *arg)
{
    ((inner *) arg)->ctx = ctx_realloc(root, NULL, 0, sizeof(ah_ctx));
}

ah_ctx *ctx_create_inside(ah_ctx *ctx)
{
    ah_ctx *root = ctx->root;
    inner w = {NULL};
    if (ctx_guard(root, allocate_inner, &w) != AH_OK || !w.ctx) return NULL;
    init(w.ctx, root);
    w.ctx->root = root;
    w.ctx->log = root->log;
    w.ctx->next = root->inside;
    w.ctx->back = &root->inside;
    if (root->inside) root->inside->back = &w.ctx->next;
    root->inside = w.ctx;
    return w.ctx;
}

void ctx_destroy_inside(ah_ctx *inside)
{
    assert(inside->root != inside);
    source_forget(inside);
    clear(inside);
    *inside->back = inside->next;
    if (inside->next) inside->next->back = inside->back;
    ctx_realloc(inside->root, inside, sizeof *inside, 0);
}

/* Progress is told in the thread of the call alone. */
ah_ctx *ctx_create_beside(ah_ctx *ctx, size_t memory)
{
    const ah_ctx *root = ctx->root;
    ah_ctx_options o = ah_ctx_defaults();
    const double left = ctx->deadline - base_clock();
    o.realloc = root->realloc;
    o.user = root->user;
    o.limits = root->limits;
    o.limits.memory = memory ? memory : 1;
    o.limits.seconds = isinf(left) ? 0 : fmax(left, LEAST_SECONDS);
    ah_ctx *beside = ah_ctx_create(&o);
    if (beside) beside->beside = root;
    return beside;
}

size_t base_processors(void)
{
    const long n = sysconf(_SC_NPROCESSORS_ONLN);
    return n < 1 ? 1 : (size_t) n;
}

ah_status ah_ctx_status(const ah_ctx *ctx)
{
    return ctx ? ctx->log->status : AH_E_INPUT;
}

void ah_ctx_reset_status(ah_ctx *ctx)
{
    if (!ctx) return;
    ctx_log *log = ctx->log;
    log->status = AH_OK;
    ctx->root->interrupted = false;
    log->diagnostics.count = 0;
    log->errors = log->warnings = 0;
    log->dropped = false;
    for (size_t i = 0; i < log->sources.count; i++)
        if (!log->sources.at[i].owner) log->sources.at[i] = (source){0};
    arena_clear(&log->texts);
}

void ah_ctx_interrupt(ah_ctx *ctx)
{
    if (ctx) ctx->root->interrupted = true;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

/* Who takes this much more at once works on it for milliseconds: bytes. */
#define MUCH_MEMORY ((size_t) 1 << 20)

/* Long lists are cleared and walked over between two ticks; asking for them is a place to look at the clock. */
static void look_before_much(ah_ctx *ctx)
{
    ah_ctx *working = ctx->frame ? ctx : ctx->root->active;
    if (working) ctx_tick_now(working);
}

void *ctx_realloc(ah_ctx *ctx, void *ptr, size_t old_size, size_t new_size)
{
    ah_ctx *root = ctx->root;
    assert(old_size <= root->bytes);
    if (new_size > old_size && new_size - old_size >= MUCH_MEMORY) look_before_much(ctx);
    const size_t others = root->bytes - old_size;
    if (new_size > old_size &&
        (others > root->limits.memory || new_size > root->limits.memory - others))
        ctx_raise_limit(ctx, "more memory is needed than the limit allows");
    void *result = ctx->realloc(ctx->user, ptr, old_size, new_size);
    if (!result && new_size) ctx_raise(ctx, AH_E_MEMORY);
    root->bytes = others + new_size;
    return result;
}

/* ---- Ownership ------------------------------------------------------------------------------- */

typedef struct registration {
    ctx_owned *owned;
} registration;

static void allocate_registration(ah_ctx *ctx, void *arg)
{
    ((registration *) arg)->owned = ctx_realloc(ctx, NULL, 0, sizeof(ctx_owned));
}

ctx_owned *ctx_own(ah_ctx *ctx, void (*destroy)(void *data), void *data)
{
    registration r = {NULL};
    const ah_status status = ctx_try(ctx, allocate_registration, &r);
    if (status != AH_OK) {
        destroy(data);
        ctx_raise(ctx, status);
    }
    *r.owned = (ctx_owned){ctx->owned, &ctx->owned, destroy, data};
    if (ctx->owned) ctx->owned->back = &r.owned->next;
    return ctx->owned = r.owned;
}

void ctx_disown(ah_ctx *ctx, ctx_owned *owned)
{
    *owned->back = owned->next;
    if (owned->next) owned->next->back = owned->back;
    ctx_realloc(ctx, owned, sizeof *owned, 0);
}
