/* tests/t_lifetimes.c - models, systems, motions come and go in one context: memory stays where it
 * was; what belongs to one context is not for another. */
#include "harness.h"
#include "harness/failing.h"

#include <anholo/anholo.h>
#include <gmp.h>
#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char sleigh[] = "parameter m = 1, J = 0.5\ncoordinate x, y, th\n"
                             "kinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\n"
                             "constraint blade: x'*sin(th) - y'*cos(th) = 0\n"
                             "quasivelocity u = x'*cos(th) + y'*sin(th), w = th'\n"
                             "claim \"energy\": constant m*(x'^2 + y'^2)/2 + J*th'^2/2\n"
                             "record \"turn\" when th = 1\n"
                             "start x = 0, y = 0, th = 0, x' = 1, y' = 0, th' = 1\n"
                             "simulate t = 0 .. 1\n";
/* Warned of: the second constraint says the same. */
static const char warned[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                             "constraint a: x' = y'\nconstraint b: 2*x' = 2*y'\n"
                             "start x = 0, y = 0, x' = 1, y' = 1\nsimulate t = 0 .. 1\n";

static ah_model *read_text(ah_ctx *ctx, const char *text)
{
    ah_model *m = NULL;
    ah_read(ctx, "test.ah", text, strlen(text), NULL, &m);
    return m;
}

static ah_ctx *counted(failing *memory)
{
    ah_ctx_options o = ah_ctx_defaults();
    o.realloc = failing_realloc;
    o.user = memory;
    return ah_ctx_create(&o);
}

/* All that one does with a model. */
static void use(ah_ctx *ctx, const char *text, bool system)
{
    const char *out = NULL;
    ah_simulate_options o = ah_simulate_defaults();
    o.samples = 3;
    ah_model *m = read_text(ctx, text);
    REQUIRE(m != NULL);
    CHECK(ah_simulate(m, &o, AH_JSON, &out) == AH_OK && out);
    if (system) {
        ah_system *s = NULL;
        ah_motion *motion = NULL;
        CHECK(ah_system_create(m, NULL, &s) == AH_OK);
        CHECK(ah_motion_create(s, NULL, &motion) == AH_OK && ah_motion_step(motion) == AH_OK);
        ah_work *w = ah_work_create(s);
        ah_work_destroy(w);
        ah_motion_destroy(motion);
        ah_system_destroy(s);
    }
    ah_model_destroy(m);
}

/* AH_MODELS sets how many: ten thousand take a minute. */
TEST(models_leave_memory_where_it_was)
{
    failing memory = {0};
    ah_ctx *ctx = counted(&memory);
    const char *wanted = getenv("AH_MODELS");
    const int count = wanted ? atoi(wanted) : 150;
    size_t settled = 0;
    for (int i = 0; i < count; i++) {
        use(ctx, i % 3 ? sleigh : warned, i % 10 == 0);
        ah_ctx_reset_status(ctx);
        if (i == count / 2) settled = memory.bytes;
    }
    printf("# %zu bytes are left after %d models, %zu at the most\n", memory.bytes, count,
           memory.most_bytes);
    CHECK_INT(memory.bytes, settled);
    CHECK(memory.bytes < 100000);
    ah_ctx_destroy(ctx);
    CHECK_INT(memory.bytes, 0);
    CHECK_INT(memory.wrong_sizes, 0);
}

/* A free body: what its speeds are tried with is made and gone when a limit is met, too. */
static void simulate_free_body(ah_ctx *ctx, void *unused)
{
    static const char text[] = "body B mass 1 inertia (1, 2, 3) at (0, 0, 0) turn free e\n"
                               "start e turn z 0.4 turning (0.1, 1, 0.2)\n"
                               "simulate t = 0 .. 0.01\n";
    const char *out = NULL;
    ah_simulate_options o = ah_simulate_defaults();
    (void) unused;
    o.samples = 3;
    o.engine = "interpret";
    ah_model *m = read_text(ctx, text);
    if (m) ah_simulate(m, &o, AH_JSON, &out);
}

TEST(free_bodies_leave_nothing_behind)
{
    size_t tried;
    CHECK(failing_run(simulate_free_body, NULL, &tried));
    printf("# %zu allocations failed in turn\n", tried);
    CHECK(tried > 50);
}

/* ---- One model, asked again and again -------------------------------------------------------- */

typedef struct again {
    ah_model *model;
    ah_system *system; /* for motions */
} again;

static bool simulate_again(again *w)
{
    const char *out = NULL;
    ah_simulate_options o = ah_simulate_defaults();
    o.samples = 3;
    return ah_simulate(w->model, &o, AH_JSON, &out) == AH_OK && out && strlen(out) > 10;
}

static bool eval_again(again *w)
{
    const char *out = NULL;
    ah_eval_options o = ah_eval_defaults();
    o.at = "x=1, y=2, th=0.5, u=1, w=2";
    return ah_eval(w->model, &o, AH_TEXT, &out) == AH_OK && out && strlen(out) > 10;
}

static bool dump_again(again *w)
{
    const char *out = NULL;
    return ah_dump_method(w->model, NULL, "equations", &out) == AH_OK && out;
}

static bool plot_again(again *w)
{
    const char *svg = NULL, *summary = NULL;
    return ah_plot(w->model, NULL, AH_TEXT, &svg, &summary) == AH_OK && svg && summary;
}

static bool system_again(again *w)
{
    ah_system *s = NULL;
    const bool good = ah_system_create(w->model, NULL, &s) == AH_OK;
    ah_system_destroy(s);
    return good;
}

static bool motion_again(again *w)
{
    ah_motion *m = NULL;
    const bool good = ah_motion_create(w->system, NULL, &m) == AH_OK && ah_motion_step(m) == AH_OK;
    ah_motion_destroy(m);
    return good;
}

/* AH_CALLS sets how often. */
static void ask_again(const char *name, bool (*ask)(again *w))
{
    failing memory = {0};
    ah_ctx *ctx = counted(&memory);
    again w = {.model = read_text(ctx, sleigh)};
    const char *wanted = getenv("AH_CALLS");
    const int count = wanted ? atoi(wanted) : 30;
    size_t settled = 0;
    REQUIRE(w.model && ah_system_create(w.model, NULL, &w.system) == AH_OK);
    for (int i = 0; i < count; i++) {
        if (!CHECK(ask(&w))) break;
        if (i == count / 3) settled = memory.bytes;
    }
    printf("# %s: %zu bytes after %d calls\n", name, memory.bytes, count);
    CHECK_INT(memory.bytes, settled);
    ah_system_destroy(w.system);
    ah_model_destroy(w.model);
    ah_ctx_destroy(ctx);
    CHECK_INT(memory.bytes, 0);
}

TEST(calls_leave_a_model_as_large_as_it_was)
{
    ask_again("simulate", simulate_again);
    ask_again("eval", eval_again);
    ask_again("dump", dump_again);
    ask_again("plot", plot_again);
    ask_again("system", system_again);
    ask_again("motion", motion_again);
}

/* A call out of the callback of another one does not take its memory away. */
static bool call_inside(void *user, const char *row, size_t length)
{
    again *w = user;
    (void) row, (void) length;
    return simulate_again(w) && eval_again(w);
}

TEST(calls_inside_calls)
{
    failing memory = {0};
    ah_ctx *ctx = counted(&memory);
    again w = {.model = read_text(ctx, sleigh)};
    ah_simulate_options o = ah_simulate_defaults();
    const char *summary = NULL;
    REQUIRE(w.model != NULL);
    o.samples = 4;
    o.write = call_inside;
    o.user = &w;
    CHECK(ah_simulate(w.model, &o, AH_TEXT, &summary) == AH_OK && summary);
    CHECK(summary && strstr(summary, "energy"));
    ah_model_destroy(w.model);
    ah_ctx_destroy(ctx);
    CHECK_INT(memory.bytes, 0);
}

/* ---- Models ---------------------------------------------------------------------------------- */

/* Whatever the order; two are always alive. */
TEST(models_go_in_any_order)
{
    failing memory = {0};
    ah_ctx *ctx = counted(&memory);
    ah_model *last = read_text(ctx, sleigh);
    size_t settled = 0;
    for (int i = 0; i < 60; i++) {
        ah_model *next = read_text(ctx, i % 2 ? sleigh : warned);
        ah_model_destroy(last);
        ah_ctx_reset_status(ctx);
        last = next;
        if (i == 31) settled = memory.bytes;
    }
    CHECK_INT(memory.bytes, settled);
    ah_ctx_destroy(ctx); /* and the last one */
    CHECK_INT(memory.bytes, 0);
}

/* The diagnostics of a model that is gone still show its lines; after a reset nothing is left. */
TEST(reports_outlive_their_model)
{
    failing memory = {0};
    ah_ctx *ctx = counted(&memory);
    size_t settled = 0;
    for (int i = 0; i < 40; i++) {
        ah_model *m = NULL;
        static const char wrong[] = "coordinate x\nkinetic x'^2/2\nforce z = 1\n";
        CHECK(ah_read(ctx, "wrong.ah", wrong, strlen(wrong), NULL, &m) == AH_E_INPUT && !m);
        const char *text = ah_diagnostics_text(ctx, false);
        CHECK(text && strstr(text, "wrong.ah:3:7") && strstr(text, "force z = 1"));
        ah_ctx_reset_status(ctx);
        ah_model_destroy(read_text(ctx, warned));
        text = ah_diagnostics_text(ctx, false);
        if (ah_diagnostic_count(ctx)) CHECK(text && strstr(text, "test.ah:"));
        ah_ctx_reset_status(ctx);
        if (i == 10) settled = memory.bytes;
    }
    CHECK_INT(memory.bytes, settled);
    ah_ctx_destroy(ctx);
    CHECK_INT(memory.bytes, 0);
}

/* A system keeps its model until it goes itself. */
TEST(a_system_keeps_its_model)
{
    failing memory = {0};
    ah_ctx *ctx = counted(&memory);
    const size_t before = memory.bytes;
    ah_model *m = read_text(ctx, sleigh);
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    REQUIRE(m && ah_system_create(m, NULL, &s) == AH_OK);
    ah_model_destroy(m);
    CHECK(ah_motion_create(s, NULL, &motion) == AH_OK && ah_motion_step(motion) == AH_OK);
    ah_motion_destroy(motion);
    ah_system_destroy(s);
    CHECK(memory.bytes < before + 4096); /* tables of the log */
    ah_model_destroy(NULL);
    ah_ctx_destroy(ctx);
    CHECK_INT(memory.bytes, 0);
}

TEST(what_belongs_to_another_is_refused)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out = NULL;
    ah_model *m = read_text(ctx, sleigh), *none = NULL;
    ah_ctx *inside = ah_model_context(m);
    ah_item x;
    REQUIRE(ah_model_item(m, AH_ITEM_COORDINATE, 2, &x) == AH_OK);
    CHECK(inside != ctx && ah_print(inside, x.symbol, AH_ASCII) != NULL);
    CHECK(ah_expr_kind(ctx, x.symbol) == AH_NODE_NONE); /* the outer context has no such thing */
    CHECK(ah_add(ctx, x.symbol, x.symbol) == AH_NONE);
    ah_ctx_reset_status(ctx);
    CHECK(ah_simulate(NULL, NULL, AH_TEXT, &out) == AH_E_INPUT);
    ah_answer *a;
    CHECK(ah_derive(NULL, NULL, &a) == AH_E_INPUT && !a);
    CHECK(ah_read(ctx, "x", NULL, 3, NULL, &none) == AH_E_INPUT && !none);
    CHECK(ah_read(NULL, "x", "", 0, NULL, &none) == AH_E_INPUT);
    CHECK(ah_model_kinetic(NULL, x.symbol) == AH_E_INPUT && !ah_model_context(NULL));
    ah_model *open = ah_model_create(ctx, "open");
    CHECK(ah_check(open, &a) == AH_E_INPUT && !a);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0904");
    ah_model_destroy(open);
    ah_model_destroy(m);
    ah_ctx_destroy(ctx);
}

/* ---- Looking at a model ---------------------------------------------------------------------- */

TEST(models_can_be_looked_at)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx, sleigh);
    ah_item i;
    REQUIRE(m != NULL);
    ah_ctx *e = ah_model_context(m);
    CHECK_INT(ah_model_count(m, AH_ITEM_PARAMETER), 2);
    REQUIRE(ah_model_item(m, AH_ITEM_PARAMETER, 1, &i) == AH_OK);
    CHECK_STR(i.name, "J");
    CHECK(ah_expr_number(e, i.value) == 0.5 && ah_expr_symbol_kind(e, i.symbol) == AH_PARAMETER);
    REQUIRE(ah_model_item(m, AH_ITEM_COORDINATE, 0, &i) == AH_OK);
    CHECK(ah_expr_number(e, i.start) == 0 && ah_expr_number(e, i.start_rate) == 1);
    CHECK(ah_span_place(ctx, i.span).line == 2);
    REQUIRE(ah_model_item(m, AH_ITEM_CONSTRAINT, 0, &i) == AH_OK);
    CHECK_STR(i.name, "blade");
    CHECK_STR(i.kind, "velocity");
    CHECK(ah_expr_kind(e, i.value) == AH_NODE_SUM && ah_expr_children(e, i.value) == 2);
    const ah_expr product = ah_expr_child(e, i.value, 0);
    CHECK(ah_expr_kind(e, product) == AH_NODE_PRODUCT && ah_expr_child(e, product, 99) == AH_NONE);
    REQUIRE(ah_model_item(m, AH_ITEM_QUASIVELOCITY, 1, &i) == AH_OK);
    CHECK_STR(ah_print(e, i.value, AH_ASCII), "th'");
    REQUIRE(ah_model_item(m, AH_ITEM_EVENT, 0, &i) == AH_OK);
    CHECK_STR(i.kind, "record");
    REQUIRE(ah_model_item(m, AH_ITEM_CLAIM, 0, &i) == AH_OK);
    CHECK_STR(i.name, "energy");
    CHECK(ah_model_item(m, AH_ITEM_PART, 0, &i) == AH_E_INPUT);
    CHECK(ah_model_item(m, AH_ITEM_KINDS, 0, &i) == AH_E_INPUT);
    CHECK(ah_expr_number(e, ah_model_span_to(m)) == 1);
    ah_model_destroy(m);
    ah_ctx_destroy(ctx);
}

/* ---- What FLINT keeps for a thread ----------------------------------------------------------- */

static atomic_long blocks;

static void *count_alloc(size_t size)
{
    blocks++;
    return malloc(size);
}

static void *count_realloc(void *ptr, size_t old_size, size_t size)
{
    (void) old_size;
    return realloc(ptr, size);
}

static void count_free(void *ptr, size_t size)
{
    (void) size;
    blocks--;
    free(ptr);
}

static void *read_and_go(void *text)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    read_text(ctx, text);
    ah_ctx_destroy(ctx);
    return NULL;
}

/* Numbers too large for a word, of a model that is finished and of one that is given up before there is an algebra. */
TEST(a_thread_takes_its_numbers_along)
{
    static char whole[] = "coordinate x\nkinetic 123456789012345678901234567890*x'^2\n",
                broken[] =
                    "coordinate x\nkinetic 123456789012345678901234567890*x'^2\nforce y = 1\n";
    char *const text[] = {whole, broken};
    void *(*alloc)(size_t), *(*enlarge)(void *, size_t, size_t);
    void (*release)(void *, size_t);
    mp_get_memory_functions(&alloc, &enlarge, &release);
    mp_set_memory_functions(count_alloc, count_realloc, count_free);
    for (size_t i = 0; i < 2; i++) {
        pthread_t thread;
        blocks = 0;
        REQUIRE(pthread_create(&thread, NULL, read_and_go, text[i]) == 0);
        pthread_join(thread, NULL);
        CHECK_INT(blocks, 0);
    }
    mp_set_memory_functions(alloc, enlarge, release);
}

/* Fails the allocation of that number among those of other threads than the one of the test. */
typedef struct fail_elsewhere {
    pthread_t here;
    size_t at;
    atomic_size_t seen;
} fail_elsewhere;

static void *realloc_elsewhere(void *user, void *ptr, size_t old_size, size_t new_size)
{
    fail_elsewhere *f = user;
    (void) old_size;
    if (new_size && !pthread_equal(pthread_self(), f->here) && ++f->seen == f->at) return NULL;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

/* Whether something failed. */
static bool sweep_that_fails(fail_elsewhere *f)
{
    static const char text[] =
        "parameter a = 3\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x' = a*y'\n"
        "start x = 0, y = 0, x' = 1, y' = 1\nsimulate t = 0 .. 1\n";
    ah_ctx_options o = ah_ctx_defaults();
    ah_ensemble_options how = ah_ensemble_defaults();
    ah_ensemble_run_options run = ah_ensemble_run_defaults();
    ah_model *m = NULL;
    ah_ensemble *e = NULL;
    o.realloc = realloc_elsewhere;
    o.user = f;
    how.engine = "interpret";
    run.threads = 1;
    ah_ctx *ctx = ah_ctx_create(&o);
    CHECK(ah_read(ctx, "m", text, strlen(text), NULL, &m) == AH_OK);
    CHECK(ah_ensemble_create(m, &how, &e) == AH_OK);
    CHECK(ah_ensemble_over(e, "a=1e100..2e100:2") ==
          AH_OK); /* numbers that FLINT keeps elsewhere */
    ah_ensemble_run(e, &run, NULL);
    ah_ensemble_destroy(e);
    ah_ctx_destroy(ctx);
    return f->seen >= f->at;
}

/* Whatever fails in a sweep's thread, and whoever destroys what it has begun. */
TEST(a_thread_that_fails_takes_its_numbers_along)
{
    void *(*alloc)(size_t), *(*enlarge)(void *, size_t, size_t);
    void (*release)(void *, size_t);
    fail_elsewhere f = {.here = pthread_self(), .at = 1};
    sweep_that_fails(&f); /* what is made once */
    mp_get_memory_functions(&alloc, &enlarge, &release);
    mp_set_memory_functions(count_alloc, count_realloc, count_free);
    for (bool failed = true; failed; f.at++) {
        f.seen = 0;
        blocks = 0;
        failed = sweep_that_fails(&f);
        CHECK_INT(blocks, 0);
    }
    mp_set_memory_functions(alloc, enlarge, release);
    CHECK(f.at > 20);
}
