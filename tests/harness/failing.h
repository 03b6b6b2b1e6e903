/* failing.h - host memory that fails on purpose.
 *
 * Each allocation is counted and remembered with its size, so that a wrong old_size and memory
 * still alive at the end show; the `fail_at`-th one (from 1; 0: none) fails, once. */
#ifndef FAILING_H
#define FAILING_H
#include <anholo/base.h>

typedef struct failing {
    size_t fail_at;       /* set by the user */
    size_t allocations;   /* asked for so far */
    size_t bytes, blocks; /* alive */
    size_t most_bytes;    /* alive at the worst moment */
    size_t wrong_sizes;   /* calls whose old_size was not the size of the block */
    bool failed;
} failing;

/* An ah_realloc_fn; `user` is a failing. */
void *failing_realloc(void *user, void *ptr, size_t old_size, size_t new_size);

/* Runs the job with a fresh context whose 1st, 2nd, … allocation fails, until none had to fail any
 * more; *tried (may be NULL) is the number of failures that were injected. False when a run left
 * memory behind or gave a wrong old_size. The job calls the public functions (or ctx_guard): a
 * raise must find a guard. It does not run when the context cannot even be created. */
bool failing_run(void (*job)(ah_ctx *ctx, void *arg), void *arg, size_t *tried);

#endif
