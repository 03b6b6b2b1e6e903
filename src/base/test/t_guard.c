/* Contexts: guards, tries and raises, limits, interrupts, ownership, failing memory. */
#include "base/base.h"
#include "failing.h"
#include "harness.h"

#include <math.h>
#include <pthread.h>
#include <stddef.h>
#include <string.h>

/* ---- Guard, try, raise ----------------------------------------------------------------------- */

static void nothing(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    (*(int *) arg)++;
}

static void refuse(ah_ctx *ctx, void *arg)
{
    (*(int *) arg)++;
    arena_alloc(&ctx->scratch, 100000);
    ctx_raise(ctx, AH_E_REFUSED);
}

TEST(guard_returns_what_was_raised)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int calls = 0;
    CHECK_INT(ctx_guard(ctx, nothing, &calls), AH_OK);
    CHECK_INT(ah_ctx_status(ctx), AH_OK);
    const size_t bytes = ctx->bytes;
    CHECK_INT(ctx_guard(ctx, refuse, &calls), AH_E_REFUSED);
    CHECK_INT(ctx->bytes, bytes); /* scratch is released */
    CHECK_INT(calls, 2);
    CHECK(!ctx->frame);
    CHECK_INT(ah_ctx_status(ctx), AH_E_REFUSED);
    CHECK_INT(ctx_guard(ctx, nothing, &calls), AH_OK);
    CHECK_INT(ah_ctx_status(ctx), AH_E_REFUSED); /* the first failure stays */
    ah_ctx_reset_status(ctx);
    CHECK_INT(ah_ctx_status(ctx), AH_OK);
    ah_ctx_destroy(ctx);
}

static void use_scratch(ah_ctx *ctx, void *arg)
{
    (void) arg;
    arena_alloc(&ctx->scratch, 100000);
}

TEST(guard_releases_scratch_when_all_is_well)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const size_t bytes = ctx->bytes;
    CHECK_INT(ctx_guard(ctx, use_scratch, NULL), AH_OK);
    CHECK_INT(ctx->bytes, bytes);
    ah_ctx_destroy(ctx);
}

static void guard_inside(ah_ctx *ctx, void *arg)
{
    ctx_guard(ctx, refuse, arg);
    *(int *) arg = -1; /* never: only the outermost guard catches */
}

TEST(guard_inside_a_guard_does_not_catch)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int calls = 0;
    CHECK_INT(ctx_guard(ctx, guard_inside, &calls), AH_E_REFUSED);
    CHECK_INT(calls, 1);
    ah_ctx_destroy(ctx);
}

static void report_error(ah_ctx *ctx, void *arg)
{
    (void) arg;
    diag(ctx, A0103, NOWHERE, "wrong");
}

static void errors_inside(ah_ctx *ctx, void *arg)
{
    int *status = arg;
    status[0] = (int) ctx_guard(ctx, report_error, NULL);
    status[1] = (int) ctx_guard(ctx, nothing, &status[2]);
}

TEST(guard_turns_errors_into_a_status)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int status[3] = {0};
    CHECK_INT(ctx_guard(ctx, errors_inside, status), AH_E_INPUT);
    CHECK_INT(status[0], AH_E_INPUT);
    CHECK_INT(status[1], AH_OK); /* no error of its own */
    CHECK_INT(ah_ctx_status(ctx), AH_E_INPUT);
    ah_ctx_destroy(ctx);
}

static void try_twice(ah_ctx *ctx, void *arg)
{
    int calls = 0;
    const char *kept = arena_strdup(&ctx->scratch, "kept");
    const double deadline = ctx->deadline;
    const size_t bytes = ctx->bytes;
    CHECK_INT(ctx_try(ctx, refuse, &calls), AH_E_REFUSED);
    CHECK_INT(ctx_try(ctx, nothing, &calls), AH_OK);
    CHECK_INT(calls, 2);
    CHECK_INT(ctx->bytes, bytes);
    CHECK_STR(kept, "kept");
    CHECK(ctx->deadline == deadline);
    *(bool *) arg = true;
}

TEST(try_catches_and_leaves_no_trace)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    bool done = false;
    CHECK_INT(ctx_guard(ctx, try_twice, &done), AH_OK);
    CHECK(done);
    CHECK_INT(ah_ctx_status(ctx), AH_OK);
    CHECK_INT(ah_diagnostic_count(ctx), 0);
    ah_ctx_destroy(ctx);
}

static void nested_tries(ah_ctx *ctx, void *arg)
{
    int *depth = arg;
    if ((*depth)++ == 20) ctx_raise(ctx, AH_E_NUMERIC);
    const ah_status status = ctx_try(ctx, nested_tries, depth);
    (*depth)--;
    if (status != AH_OK) ctx_raise(ctx, status);
}

TEST(try_can_pass_the_raise_on)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int depth = 0;
    CHECK_INT(ctx_guard(ctx, nested_tries, &depth), AH_E_NUMERIC);
    CHECK_INT(depth, 1);
    ah_ctx_destroy(ctx);
}

/* ---- Held and owned things ------------------------------------------------------------------- */

/* What was destroyed, in order. */
typedef struct trace {
    char names[16];
    size_t count;
} trace;

typedef struct thing {
    trace *trace;
    char name;
} thing;

static void destroy_thing(void *data)
{
    const thing *t = data;
    t->trace->names[t->trace->count++] = t->name;
}

static void hold_and_raise(ah_ctx *ctx, void *arg)
{
    thing a = {arg, 'a'}, b = {arg, 'b'}, c = {arg, 'c'};
    ctx_held hold_a, hold_b, hold_c;
    ctx_hold(ctx, &hold_a, destroy_thing, &a);
    ctx_hold(ctx, &hold_b, destroy_thing, &b);
    ctx_drop(ctx, &hold_b);
    ctx_hold(ctx, &hold_c, destroy_thing, &c);
    ctx_raise(ctx, AH_E_NUMERIC);
}

static void hold_around_try(ah_ctx *ctx, void *arg)
{
    thing d = {arg, 'd'};
    ctx_held hold_d;
    ctx_hold(ctx, &hold_d, destroy_thing, &d);
    CHECK_INT(ctx_try(ctx, hold_and_raise, arg), AH_E_NUMERIC);
    CHECK_STR(((trace *) arg)->names, "bca");
    ctx_drop(ctx, &hold_d);
}

TEST(held_things_are_destroyed_by_a_raise)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    trace t = {{0}, 0};
    CHECK_INT(ctx_guard(ctx, hold_and_raise, &t), AH_E_NUMERIC);
    CHECK_STR(t.names, "bca");
    t = (trace){{0}, 0};
    CHECK_INT(ctx_guard(ctx, hold_around_try, &t), AH_OK);
    CHECK_STR(t.names, "bcad");
    ah_ctx_destroy(ctx);
}

TEST(owned_things_go_newest_first)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    trace t = {{0}, 0};
    thing a = {&t, 'a'}, b = {&t, 'b'}, c = {&t, 'c'}, d = {&t, 'd'};
    ctx_own(ctx, destroy_thing, &a);
    ctx_owned *owned_b = ctx_own(ctx, destroy_thing, &b);
    ctx_own(ctx, destroy_thing, &c);
    ctx_owned *owned_d = ctx_own(ctx, destroy_thing, &d);
    ctx_disown(ctx, owned_d); /* at the head */
    ctx_disown(ctx, owned_b); /* in the middle */
    CHECK_STR(t.names, "");
    ah_ctx_destroy(ctx);
    CHECK_STR(t.names, "ca");
}

/* ---- Limits ---------------------------------------------------------------------------------- */

static void eat_memory(ah_ctx *ctx, void *arg)
{
    for (;;) {
        arena_alloc(&ctx->job, 1000);
        (*(size_t *) arg) += 1000;
    }
}

TEST(memory_limit_is_kept)
{
    failing f = {0};
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.memory = 8 << 20, options.realloc = failing_realloc, options.user = &f;
    ah_ctx *ctx = ah_ctx_create(&options);
    REQUIRE(ctx);
    size_t eaten = 0;
    CHECK_INT(ctx_guard(ctx, eat_memory, &eaten), AH_E_LIMIT);
    CHECK(eaten > 5 << 20);
    CHECK(f.most_bytes <= 8 << 20);
    CHECK_INT(f.bytes, ctx->bytes);
    REQUIRE(ah_diagnostic_count(ctx) == 1);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0901");
    CHECK_INT(ah_error_count(ctx), 1);
    /* The report is possible though nothing is left, and a second failure is not reported twice. */
    CHECK_STR(ah_diagnostics_text(ctx, false),
              "error[A0901]: more memory is needed than the limit allows\n");
    CHECK_INT(ctx_guard(ctx, eat_memory, &eaten), AH_E_LIMIT);
    CHECK_INT(ah_diagnostic_count(ctx), 1);
    ah_ctx_destroy(ctx);
    CHECK_INT(f.blocks, 0);
}

TEST(diagnostics_can_be_shown_when_memory_is_full)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    for (int i = 0; i < DIAG_LIMIT; i++) diag(ctx, A0103, NOWHERE, "number %d: %0500d", i, 0);
    ctx->limits.memory = ctx->bytes;
    CHECK(strstr(ah_diagnostics_text(ctx, false), "number 99"));
    CHECK(strstr(ah_diagnostics_json(ctx), "number 99"));
    CHECK_INT(ctx->limits.memory < ctx->bytes, true);
    ah_ctx_destroy(ctx);
}

TEST(limits_of_zero_are_the_defaults)
{
    const ah_ctx_options options = {.size = sizeof options, .limits.nodes = 7};
    ah_ctx *ctx = ah_ctx_create(&options);
    REQUIRE(ctx);
    const ah_limits usual = ah_limits_defaults();
    CHECK_INT(ctx->limits.nodes, 7);
    CHECK_INT(ctx->limits.nesting, usual.nesting);
    CHECK_INT(ctx->limits.terms, usual.terms);
    CHECK_INT(ctx->limits.memory, usual.memory);
    CHECK(ctx->limits.seconds == 0);
    ah_ctx_destroy(ctx);
}

/* A program compiled before there were limits: what it has not written is not read. */
TEST(options_are_read_as_far_as_they_reach)
{
    failing f = {0};
    ah_ctx_options options = ah_ctx_defaults();
    options.size = offsetof(ah_ctx_options, limits);
    options.realloc = failing_realloc, options.user = &f;
    options.limits.nodes = 7;
    ah_ctx *ctx = ah_ctx_create(&options);
    REQUIRE(ctx);
    CHECK(f.blocks > 0);
    CHECK_INT(ctx->limits.nodes, ah_limits_defaults().nodes);
    ah_ctx_destroy(ctx);
    CHECK_INT(f.blocks, 0);
    options.size += 1000; /* and one compiled with a later header */
    ctx = ah_ctx_create(&options);
    REQUIRE(ctx);
    CHECK_INT(ctx->limits.nodes, 7);
    ah_ctx_destroy(ctx);
    CHECK(!ah_ctx_create(&(ah_ctx_options){.limits.nodes = 7}));
}

static void spin(ah_ctx *ctx, void *arg)
{
    (void) arg;
    for (;;) ctx_tick(ctx);
}

static void spin_briefly(ah_ctx *ctx, void *arg)
{
    ctx->deadline = base_clock() + 0.01;
    spin(ctx, arg);
}

TEST(time_limit_ends_a_call)
{
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.seconds = 0.02;
    ah_ctx *ctx = ah_ctx_create(&options);
    const double begin = base_clock();
    CHECK_INT(ctx_guard(ctx, spin, NULL), AH_E_LIMIT);
    const double took = base_clock() - begin;
    CHECK(took >= 0.02 && took < 2);
    CHECK_STR(ah_diagnostics_text(ctx, false),
              "error[A0901]: the time allowed for one call is over\n");
    CHECK(isinf(ctx_time_left(ctx)));
    CHECK_INT(ctx_guard(ctx, spin, NULL), AH_E_LIMIT); /* each call has its own time */
    ah_ctx_destroy(ctx);
}

static void give_up_soon(ah_ctx *ctx, void *arg)
{
    const double before = ctx->deadline;
    *(ah_status *) arg = ctx_try(ctx, spin_briefly, NULL);
    CHECK(ctx->deadline == before);
    ctx_tick(ctx);
}

TEST(try_may_have_a_nearer_deadline)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_status inner = AH_OK;
    CHECK_INT(ctx_guard(ctx, give_up_soon, &inner), AH_OK);
    CHECK_INT(inner, AH_E_LIMIT);
    ah_ctx_destroy(ctx);
}

static void swallow_interrupt(ah_ctx *ctx, void *arg)
{
    *(ah_status *) arg = ctx_try(ctx, spin, NULL);
    spin(ctx, NULL);
}

TEST(interrupt_ends_a_call_and_only_one)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int calls = 0;
    ah_status inner = AH_OK;
    ah_ctx_interrupt(ctx);
    CHECK_INT(ctx_guard(ctx, swallow_interrupt, &inner), AH_E_INTERRUPTED);
    CHECK_INT(inner, AH_E_INTERRUPTED);
    CHECK_STR(ah_diagnostics_text(ctx, false), "error[A0903]: interrupted\n");
    CHECK(!ctx->interrupted);
    CHECK_INT(ctx_guard(ctx, nothing, &calls), AH_OK);
    ah_ctx_interrupt(ctx);
    ah_ctx_reset_status(ctx);
    CHECK(!ctx->interrupted);
    ah_ctx_destroy(ctx);
}

/* ---- Failing memory -------------------------------------------------------------------------- */

/* A bit of everything that base does with memory. */
static void use_everything(ah_ctx *ctx, void *arg)
{
    static const char *const names[] = {"alpha", "beta", "gamma"};
    trace *t = arg;
    *t = (trace){{0}, 0};
    thing *owned = NEW(&ctx->store, thing);
    *owned = (thing){t, 'o'};
    ctx_own(ctx, destroy_thing, owned);
    const uint32_t file = source_add(ctx, "x.ah", "one\ntwo\n", 8);
    for (uint32_t i = 0; i < 8; i++) {
        diag(ctx, A0103, (ah_span){file, i, i + 1}, "number %u", (unsigned) i);
        diag_label(ctx, "here");
        diag_hint(ctx, "did you mean %s?", text_nearest(&ctx->scratch, "gamm", names, 3));
    }
    json j = json_begin(&ctx->job);
    json_array(&j);
    for (int i = 0; i < 3000; i++) json_number(&j, i);
    json_close(&j);
    json_end(&j);
    arena_alloc(&ctx->scratch, 3 << 20);
}

typedef struct failing_case {
    trace trace;
    size_t runs, memory_failures, bad;
} failing_case;

static void guarded_use(ah_ctx *ctx, void *arg)
{
    failing_case *c = arg;
    const ah_status status = ctx_guard(ctx, use_everything, &c->trace);
    c->runs++;
    c->memory_failures += status == AH_E_MEMORY;
    if (status == AH_E_MEMORY) {
        bool told = false;
        for (size_t i = 0; i < ah_diagnostic_count(ctx); i++) {
            const char *code = ah_diagnostic_get(ctx, i)->code;
            told = told || (code && strcmp(code, "A0902") == 0);
        }
        c->bad += !told;
    } else if (status != AH_E_INPUT) {
        c->bad++;
    }
    c->bad += !strstr(ah_diagnostics_text(ctx, true), "error");
    c->bad += !strstr(ah_diagnostics_json(ctx), "\"code\":\"A0");
}

TEST(every_allocation_may_fail)
{
    failing_case c = {0};
    size_t tried = 0;
    CHECK(failing_run(guarded_use, &c, &tried));
    CHECK(tried >= 10);
    CHECK(c.memory_failures >= 8);
    CHECK(c.runs > c.memory_failures);
    CHECK_INT(c.bad, 0);
}

static void own_only(ah_ctx *ctx, void *arg)
{
    trace *t = arg;
    thing *owned = NEW(&ctx->store, thing);
    *owned = (thing){t, 'o'};
    ctx_own(ctx, destroy_thing, owned);
}

TEST(own_without_memory_destroys)
{
    failing f = {0};
    ah_ctx_options options = ah_ctx_defaults();
    options.realloc = failing_realloc, options.user = &f;
    ah_ctx *ctx = ah_ctx_create(&options);
    REQUIRE(ctx);
    f.fail_at = f.allocations + 2; /* the registration: the thing is the first of the store */
    trace t = {{0}, 0};
    CHECK_INT(ctx_guard(ctx, own_only, &t), AH_E_MEMORY);
    CHECK_STR(t.names, "o");
    ah_ctx_destroy(ctx);
    CHECK_STR(t.names, "o");
    CHECK_INT(f.blocks, 0);
}

static void leak(ah_ctx *ctx, void *arg)
{
    *(void **) arg = failing_realloc(ctx->user, NULL, 0, 10);
}

TEST(failing_run_sees_a_leak)
{
    void *slot = NULL;
    failing scrap = {0};
    CHECK(!failing_run(leak, &slot, NULL));
    if (slot) failing_realloc(&scrap, slot, 10, 0);
}

/* ---- Work ----------------------------------------------------------------------------------- */

static void tick_on(ah_ctx *ctx, void *arg)
{
    ctx_share(ctx, 1e-3);
    for (size_t *done = arg;; ++*done) {
        if (*done % 7 == 0) reserve_free(reserve_alloc(64 + *done % 1000));
        ctx_tick(ctx);
    }
}

static void wait_between(ah_ctx *ctx, void *arg)
{
    const double end = base_clock() + 1e-3;
    while (base_clock() < end) {
    }
    tick_on(ctx, arg);
}

static bool fail_once(void *user)
{
    bool *failed = user, now = !*failed;
    *failed = true;
    return now;
}

static void *run_out(void *arg)
{
    bool failed = false;
    reserve_ask(fail_once, &failed);
    void *made = reserve_alloc(100);
    reserve_ask(NULL, NULL);
    *(bool *) arg = made && failed && reserve_is_drawn();
    reserve_free(made);
    return NULL;
}

/* There is one reserve; the second thread lives on what the first gave back. */
TEST(two_threads_run_out_of_memory)
{
    pthread_t other;
    bool first = false, second = false;
    CHECK(reserve_begin() && !reserve_is_drawn());
    REQUIRE(pthread_create(&other, NULL, run_out, &first) == 0);
    CHECK_INT(pthread_join(other, NULL), 0);
    CHECK(!reserve_is_drawn());
    run_out(&second);
    CHECK(first && second);
    CHECK(reserve_begin() && !reserve_is_drawn());
}

/* The end of a share comes at the same tick, however long things took. */
TEST(work_is_counted)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    size_t first = 0, again = 0, slower = 0;
    CHECK_INT(ctx_guard(ctx, wait_between, &(size_t){0}), AH_E_LIMIT);
    CHECK_INT(ctx_guard(ctx, tick_on, &first), AH_E_LIMIT);
    CHECK_INT(ctx_guard(ctx, tick_on, &again), AH_E_LIMIT);
    CHECK_INT(ctx_guard(ctx, wait_between, &slower), AH_E_LIMIT);
    CHECK(first > 100 && first < 100000);
    CHECK((first > again ? first - again : again - first) <= 32); /* ticks between two looks */
    CHECK((first > slower ? first - slower : slower - first) <= 32);
    ah_ctx_destroy(ctx);
}

/* ---- Progress -------------------------------------------------------------------------------- */

typedef struct told {
    int times, over;
    double part;
} told;

static void hear(void *user, double part, bool over)
{
    told *t = user;
    t->times += !over;
    t->over += over;
    t->part = part;
}

static void work(ah_ctx *ctx, void *arg)
{
    const double seconds = *(double *) arg, start = base_clock();
    for (double now = start; now < start + seconds; now = base_clock()) {
        ctx_progress(ctx, (now - start) / seconds);
        ctx_tick(ctx);
    }
}

TEST(progress_of_long_calls)
{
    told t = {0};
    ah_ctx_options options = ah_ctx_defaults();
    options.progress = hear;
    options.progress_user = &t;
    ah_ctx *ctx = ah_ctx_create(&options);
    double seconds = 0.01;
    CHECK_INT(ctx_guard(ctx, work, &seconds), AH_OK);
    CHECK(t.times == 0 && t.over == 0); /* too short to tell */
    seconds = 0.35;
    CHECK_INT(ctx_guard(ctx, work, &seconds), AH_OK);
    CHECK(t.times >= 1 && t.times <= 4 && t.over == 1 && t.part > 0.2);
    ah_ctx_destroy(ctx);
}
