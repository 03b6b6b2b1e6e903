/* tests/t_threads.c - threads that share a system, and threads with motions of their own: the same bits as one alone. */
#include "harness.h"
#include "read_models.h"

#include <anholo/anholo.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 8, ROUNDS = 200, STEPS_TOGETHER = 20 };

typedef struct crew {
    const ah_system *system;
    double t, start[100];
    unsigned number;
    double sum[ROUNDS];
    bool good;
} crew;

/* Evaluations along a crude motion, with parameters of one's own now and then. */
static void *work_hard(void *arg)
{
    crew *c = arg;
    double y[100], dy[100], out[400], p[100];
    const size_t n = ah_system_count(c->system, AH_Q_STATE);
    ah_work *w = ah_work_create(c->system);
    memcpy(y, c->start, n * sizeof *y);
    c->good = w != NULL;
    for (int k = 0; c->good && k < ROUNDS; k++) {
        c->sum[k] = 0;
        ah_system_parameters(c->system, p);
        p[0] *= k % 3 ? 1 : 1.01;
        ah_work_set_parameters(w, p);
        if (k == ROUNDS / 2) memset(y, 0, n * sizeof *y); /* by the worksheet */
        if (k == ROUNDS / 2 + 5) memcpy(y, c->start, n * sizeof *y);
        for (int q = AH_Q_RATE; q < AH_QUANTITIES; q++) {
            const size_t count = ah_system_count(c->system, (ah_quantity) q);
            if (!count || count > 400) continue;
            const ah_status status = ah_work_evaluate(w, (ah_quantity) q, c->t, y, out);
            for (size_t i = 0; status == AH_OK && i < count; i++) c->sum[k] += out[i] / (double) q;
            c->sum[k] += (double) status;
        }
        if (ah_work_evaluate(w, AH_Q_RATE, c->t, y, dy) == AH_OK)
            for (size_t i = 0; i < n; i++) y[i] += 1e-3 * dy[i];
        ah_work_project(w, c->t, y, NULL);
    }
    ah_work_destroy(w);
    return NULL;
}

static void share(const char *name, const char *method, const char *engine)
{
    static crew c[THREADS + 1];
    pthread_t thread[THREADS];
    ah_ctx *ctx = ah_ctx_create(NULL);
    char *text = model_text(name);
    ah_model *m = read_text(ctx, text, NULL);
    ah_system_options o = ah_system_defaults();
    ah_system *s = NULL;
    o.method = method;
    o.engine = engine;
    o.jacobians = true;
    REQUIRE(m && ah_system_create(m, &o, &s) == AH_OK);
    for (unsigned i = 0; i <= THREADS; i++) {
        c[i] = (crew){.system = s, .number = i};
        ah_system_start(s, &c[i].t, c[i].start);
    }
    for (unsigned i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&thread[i], NULL, work_hard, &c[i]) == 0);
    /* in the meantime others of the same derivation come and go */
    o.jacobians = false;
    for (int i = 0; i < 2; i++) {
        ah_system *other = NULL;
        o.lasting = i;
        CHECK(ah_system_create(m, &o, &other) == AH_OK && other != s);
        ah_system_destroy(other);
    }
    for (unsigned i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    work_hard(&c[THREADS]);
    for (unsigned i = 0; i <= THREADS; i++) {
        CHECK(c[i].good);
        CHECK(!memcmp(c[i].sum, c[THREADS].sum, sizeof c[i].sum));
    }
    ah_system_destroy(s);
    free(text);
    ah_ctx_destroy(ctx);
}

/* Under the thread sanitizer, too. */
TEST(threads_share_a_system)
{
    share("tire.ah", NULL, NULL);
    share("double_pendulum.ah", NULL, "interpret");
    share("rolling_disc_pendulum.ah", "gauss", NULL);
    share("trailers.ah", NULL, "interpret");
}

typedef struct walker {
    const char *text, *integrator;
    double y[STEPS_TOGETHER][100];
    bool good;
} walker;

/* A motion belongs to the thread of its context: each has one of its own. */
static void *walk(void *arg)
{
    walker *w = arg;
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx, w->text, NULL);
    ah_motion_options o = ah_motion_defaults();
    ah_system *s = NULL;
    ah_motion *motion = NULL;
    o.integrator = w->integrator;
    memset(w->y, 0, sizeof w->y);
    w->good = m && ah_system_create(m, NULL, &s) == AH_OK &&
              ah_motion_create(s, &o, &motion) == AH_OK && ah_system_count(s, AH_Q_STATE) < 100;
    for (int k = 0; w->good && k < STEPS_TOGETHER; k++) {
        w->good = ah_motion_step(motion) == AH_OK && ah_motion_state(motion, w->y[k]) == AH_OK;
        w->y[k][99] = ah_motion_time(motion);
    }
    ah_motion_destroy(motion);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
    return NULL;
}

static void walk_together(const char *name, const char *integrator)
{
    static walker w[THREADS + 1];
    pthread_t thread[THREADS];
    char *text = model_text(name);
    for (unsigned i = 0; i <= THREADS; i++) w[i].text = text, w[i].integrator = integrator;
    for (unsigned i = 0; i < THREADS; i++)
        REQUIRE(pthread_create(&thread[i], NULL, walk, &w[i]) == 0);
    for (unsigned i = 0; i < THREADS; i++) pthread_join(thread[i], NULL);
    walk(&w[THREADS]);
    for (unsigned i = 0; i <= THREADS; i++) {
        CHECK(w[i].good && w[i].y[STEPS_TOGETHER - 1][99] > 0);
        CHECK(!memcmp(w[i].y, w[THREADS].y, sizeof w[i].y));
    }
    free(text);
}

/* Under the thread sanitizer, too. */
TEST(threads_have_motions)
{
    walk_together("tire.ah", NULL);
    walk_together("double_pendulum.ah", "dop853");
}

/* ---- Pages ----------------------------------------------------------------------------------- */

/* The page by so many threads, to be freed; NULL: there is none, and *status says why. */
static char *page_by(ah_model *m, size_t threads, ah_status *status)
{
    ah_report_options o = ah_report_defaults();
    const ah_page *page = NULL;
    o.threads = threads;
    o.samples = 11;
    *status = ah_report(m, &o, &page);
    CHECK((*status == AH_OK) == (page != NULL));
    return page ? strdup(page->html) : NULL;
}

static void same_page(const char *name, size_t memory)
{
    char *text = model_text(name), *page[3];
    ah_status status[3];
    for (size_t i = 0; i < 3;
         i++) { /* in contexts of their own: what a model has been asked before does not matter */
        ah_ctx_options o = ah_ctx_defaults();
        o.limits.memory = memory;
        ah_ctx *ctx = ah_ctx_create(&o);
        ah_model *m = read_text(ctx, text, NULL);
        REQUIRE(m != NULL);
        page[i] = page_by(m, i, &status[i]);
        ah_ctx_destroy(ctx);
    }
    CHECK(memory || (page[0] && strstr(page[0], "id=\"constants\"")));
    for (size_t i = 1; i < 3; i++) {
        CHECK_INT(status[i], status[0]);
        CHECK(page[0] ? page[i] && !strcmp(page[i], page[0]) : !page[i]);
    }
    for (size_t i = 0; i < 3; i++) free(page[i]);
    free(text);
}

/* Under the thread sanitizer, too. */
TEST(threads_make_the_same_page)
{
    same_page("skate.ah", 0);
    same_page("double_pendulum.ah", 0);
    for (size_t memory = 3 << 20; memory <= (size_t) 12 << 20; memory *= 2)
        same_page("skate.ah", memory);
}

typedef struct caller {
    ah_ctx *ctx;
    double after; /* seconds */
} caller;

static void *interrupt_later(void *arg)
{
    const caller *c = arg;
    const struct timespec pause = {.tv_nsec = (long) (1e9 * c->after)};
    nanosleep(&pause, NULL);
    ah_ctx_interrupt(c->ctx);
    return NULL;
}

/* Interrupts and limits reach both threads, and leave the model as it was. */
TEST(pages_by_two_threads_end)
{
    char *text = model_text("bicycle.ah");
    for (size_t threads = 1; threads <= 2; threads++) {
        ah_ctx_options o = ah_ctx_defaults();
        ah_status status;
        o.limits.seconds = 0.5;
        ah_ctx *hurried = ah_ctx_create(&o), *ctx = ah_ctx_create(NULL);
        ah_model *m = read_text(ctx, text, NULL), *point = NULL;
        REQUIRE(m != NULL);
        for (int i = 0; i < 3; i++) {
            caller c = {ctx, 0.01 + 0.15 * i};
            pthread_t thread;
            REQUIRE(pthread_create(&thread, NULL, interrupt_later, &c) == 0);
            free(page_by(m, threads, &status));
            pthread_join(thread, NULL);
            CHECK_INT(status, AH_E_INTERRUPTED);
            ah_ctx_reset_status(ctx);
        }
        static const char oscillator[] = "coordinate x\nkinetic x'^2/2\npotential x^2/2\n";
        REQUIRE(ah_read(ctx, "test", oscillator, strlen(oscillator), NULL, &point) == AH_OK);
        free(page_by(point, threads, &status));
        CHECK_INT(status, AH_OK);
        m = read_text(hurried, text, NULL);
        if (m) {
            free(page_by(m, threads, &status));
            CHECK_INT(status, AH_E_LIMIT);
        }
        ah_ctx_destroy(hurried);
        ah_ctx_destroy(ctx);
    }
    free(text);
}
