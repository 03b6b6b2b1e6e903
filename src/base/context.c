/* base/context.c - contexts: their life, their memory, what they own. */
#include "base.h"
#include "report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>

#ifndef AH_VERSION
#define AH_VERSION "unknown" /* the build gives it */
#endif

/* ---- Version, status, defaults ------------------------------------------------------------------
 */

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
    return (ah_ctx_options){.limits = ah_limits_defaults(), .realloc = libc_realloc};
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

/* ---- Life
 * ---------------------------------------------------------------------------------------- */

static void prepare(ah_ctx *ctx, void *unused)
{
    (void) unused;
    diag_reserve(ctx, 0);
}

ah_ctx *ah_ctx_create(const ah_ctx_options *options)
{
    const ah_ctx_options usual = ah_ctx_defaults();
    if (!options) options = &usual;
    const ah_realloc_fn host_realloc = options->realloc ? options->realloc : libc_realloc;

    ah_ctx *ctx = host_realloc(options->user, NULL, 0, sizeof *ctx);
    if (!ctx) return NULL;
    *ctx = (ah_ctx){
        .limits = with_defaults(options->limits),
        .realloc = host_realloc,
        .user = options->user,
        .progress = options->progress,
        .progress_user = options->progress_user,
        .bytes = sizeof *ctx,
        .deadline = INFINITY,
        .share = INFINITY,
        .locale = newlocale(LC_ALL_MASK, "C", (locale_t) 0),
    };
    arena_init(&ctx->store, ctx);
    arena_init(&ctx->job, ctx);
    arena_init(&ctx->scratch, ctx);
    if (ctx->locale && ctx_guard(ctx, prepare, NULL) == AH_OK) return ctx;
    ah_ctx_destroy(ctx);
    return NULL;
}

void ah_ctx_destroy(ah_ctx *ctx)
{
    if (!ctx) return;
    assert(!ctx->frame && "destroyed inside a call");
    while (ctx->owned) { /* newest first: what is younger may use what is older */
        const ctx_owned owned = *ctx->owned;
        ctx_disown(ctx, ctx->owned);
        owned.destroy(owned.data);
    }
    arena_clear(&ctx->scratch);
    arena_clear(&ctx->job);
    arena_clear(&ctx->store);
    if (ctx->locale) freelocale(ctx->locale);
    ctx->realloc(ctx->user, ctx, sizeof *ctx, 0);
}

ah_status ah_ctx_status(const ah_ctx *ctx)
{
    return ctx->status;
}

void ah_ctx_reset_status(ah_ctx *ctx)
{
    ctx->status = AH_OK;
    ctx->interrupted = false;
    ctx->diagnostics.count = 0;
    ctx->errors = ctx->warnings = 0;
    ctx->dropped = false;
}

void ah_ctx_interrupt(ah_ctx *ctx)
{
    ctx->interrupted = true;
}

/* ---- Memory
 * ----------------------------------------------------------------------------------------- */

void *ctx_realloc(ah_ctx *ctx, void *ptr, size_t old_size, size_t new_size)
{
    assert(old_size <= ctx->bytes);
    const size_t others = ctx->bytes - old_size;
    if (new_size > old_size &&
        (others > ctx->limits.memory || new_size > ctx->limits.memory - others))
        ctx_raise_limit(ctx, "more memory is needed than the limit allows");
    void *result = ctx->realloc(ctx->user, ptr, old_size, new_size);
    if (!result && new_size) ctx_raise(ctx, AH_E_MEMORY);
    ctx->bytes = others + new_size;
    return result;
}

/* ---- Ownership
 * --------------------------------------------------------------------------------------- */

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
