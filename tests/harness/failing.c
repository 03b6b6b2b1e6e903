/* failing.c - host memory that fails on purpose: see failing.h. */
#include "failing.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>

enum { RUNS_AT_MOST = 1000000 };

/* Stands before each block. */
typedef union header {
    size_t size;
    max_align_t align;
} header;

void *failing_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    failing *f = user;
    header *old = ptr ? (header *) ptr - 1 : NULL;
    if (old_size != (old ? old->size : 0)) f->wrong_sizes++;
    if (new_size && ++f->allocations == f->fail_at) {
        f->failed = true;
        return NULL;
    }
    const size_t was = old ? old->size : 0;
    header *block = NULL;
    if (!new_size)
        free(old);
    else if (!(block = realloc(old, sizeof *block + new_size)))
        return NULL;
    f->bytes += new_size - was;
    f->blocks += (block != NULL) - (size_t) (old != NULL);
    if (f->bytes > f->most_bytes) f->most_bytes = f->bytes;
    if (!block) return NULL;
    block->size = new_size;
    return block + 1;
}

/* One run with the k-th allocation failing; tells whether it did, and whether all was in order. */
static bool run_once(void (*job)(ah_ctx *, void *), void *arg, size_t k, bool *failed)
{
    failing f = {.fail_at = k};
    ah_ctx_options options = ah_ctx_defaults();
    options.realloc = failing_realloc;
    options.user = &f;
    ah_ctx *ctx = ah_ctx_create(&options);
    if (ctx) job(ctx, arg);
    ah_ctx_destroy(ctx);
    *failed = f.failed;
    if (f.blocks || f.bytes || f.wrong_sizes || (!ctx && !f.failed)) {
        printf("# allocation %zu failing: %zu blocks (%zu bytes) left, %zu wrong sizes%s\n", k,
               f.blocks, f.bytes, f.wrong_sizes, ctx ? "" : ", no context");
        return false;
    }
    return true;
}

bool failing_run(void (*job)(ah_ctx *ctx, void *arg), void *arg, size_t *tried)
{
    for (size_t k = 1; k <= RUNS_AT_MOST; k++) {
        bool failed;
        if (!run_once(job, arg, k, &failed)) return false;
        if (!failed) {
            if (tried) *tried = k - 1;
            return true;
        }
    }
    return false;
}
