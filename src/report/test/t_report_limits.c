/* t_limits - pages whose parts end early, in one thread or in two: the same page, or the same words. */
#include "harness.h"

#include <anholo/anholo.h>

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

static const char point[] = "system \"Point\"\ncoordinate x\nkinetic x'^2/2\nforce x = -x\n"
                            "start x = 1\nsimulate t = 0 .. 0.1\nclaim \"e\": x'' = -x\n";

enum { SAMPLES = 3 };

/* What came of a page, in one call of a context of its own. */
typedef struct outcome {
    ah_status status;
    char *said; /* the page, or the diagnostics */
} outcome;

static outcome page(const ah_ctx_options *limits, size_t threads)
{
    ah_ctx *ctx = ah_ctx_create(limits);
    ah_model *m = NULL;
    const ah_page *out = NULL;
    ah_report_options o = ah_report_defaults();
    o.samples = SAMPLES;
    o.threads = threads;
    outcome x = {.status = ah_read(ctx, "test", point, strlen(point), NULL, &m)};
    if (x.status == AH_OK) x.status = ah_report(m, &o, &out);
    CHECK((x.status == AH_OK) == (out != NULL));
    x.said = strdup(out ? out->html : ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
    return x;
}

/* With more and more memory: none for the model, none for the answers, none for some of them, a whole page. Who is short of
 * memory is told of that and not of time. */
TEST(memory_that_is_not_enough)
{
    enum { LARGE_STEPS = 8, SMALL_STEPS = 40 };
    static const char words[] = "more memory is needed than the limit allows";
    size_t refused = 0, parts = 0, steps = LARGE_STEPS;
    bool whole = false;
    ah_ctx_options o = ah_ctx_defaults();
    outcome all = page(&o, 1);
    REQUIRE(all.status == AH_OK && !strstr(all.said, words));
    size_t *memory = &o.limits.memory;
    for (*memory = 100 << 10; !whole && *memory < 1 << 26; *memory += *memory / steps) {
        outcome one = page(&o, 1), two = page(&o, 2);
        CHECK_INT(one.status, two.status);
        CHECK_STR(one.said, two.said);
        CHECK(one.status == AH_OK || one.status == AH_E_LIMIT);
        whole = strcmp(one.said, all.said) == 0;
        CHECK(whole || strstr(one.said, words));
        refused += one.status != AH_OK;
        parts += one.status == AH_OK && !whole;
        if (one.status == AH_OK && steps == LARGE_STEPS) { /* there again, slowly */
            *memory -= *memory / LARGE_STEPS;
            steps = SMALL_STEPS;
            whole = false;
        }
        free(one.said);
        free(two.said);
    }
    CHECK(refused > 10 && whole);
#ifndef AH_SANITIZE /* blocks of its own size for everything: what the page needs is more than any of its parts */
    CHECK(parts > 0);
#endif
    free(all.said);
}

TEST(time_that_is_over)
{
    ah_ctx_options o = ah_ctx_defaults();
    o.limits.seconds = 1e-3; /* of the processor a page takes twenty times as much */
    for (size_t threads = 1; threads <= 2; threads++) {
        outcome x = page(&o, threads);
        CHECK_INT(x.status, AH_E_LIMIT);
        CHECK(strstr(x.said, "error[A0901]: the time allowed for one call is over\n"));
        free(x.said);
    }
}

/* ---- Interrupts ------------------------------------------------------------------------------ */

typedef struct host {
    _Atomic(ah_ctx *) ctx; /* NULL: nobody interrupts */
    atomic_size_t left;    /* allocations before that */
    atomic_size_t asked;
} host;

static void *give(void *user, void *ptr, size_t old_size, size_t new_size)
{
    host *h = user;
    ah_ctx *ctx = atomic_load(&h->ctx);
    (void) old_size;
    atomic_fetch_add(&h->asked, 1);
    if (ctx && atomic_fetch_sub(&h->left, 1) == 1) ah_ctx_interrupt(ctx);
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

/* At any moment: no page, and the next call has one. */
TEST(interrupts)
{
    enum { TIMES = 12 };
    host h = {.left = 0};
    ah_ctx_options o = ah_ctx_defaults();
    o.realloc = give;
    o.user = &h;
    ah_ctx *ctx = ah_ctx_create(&o);
    ah_model *m = NULL;
    ah_report_options r = ah_report_defaults();
    const ah_page *out = NULL;
    r.samples = SAMPLES;
    REQUIRE(ah_read(ctx, "test", point, strlen(point), NULL, &m) == AH_OK);
    const size_t before = atomic_load(&h.asked);
    REQUIRE(ah_report(m, &r, &out) == AH_OK); /* the host's memory: one thread */
    const size_t count = atomic_load(&h.asked) - before, length = out->length;
    CHECK(count > TIMES);
    for (size_t i = 0; i < TIMES; i++) {
        r.threads = 1 + i % 2;
        atomic_store(&h.left, 1 + i * count / (2 * TIMES)); /* of which the later ones free */
        atomic_store(&h.ctx, ctx);
        CHECK_INT(ah_report(m, &r, &out), AH_E_INTERRUPTED);
        CHECK(!out && strstr(ah_diagnostics_text(ctx, false), "A0903"));
        atomic_store(&h.ctx, NULL);
        ah_ctx_reset_status(ctx);
    }
    CHECK_INT(ah_report(m, &r, &out), AH_OK);
    CHECK(out && out->length == length);
    ah_ctx_destroy(ctx);
}
