/* tests/t_runs.c - runs as such: no memory taken in a step, interrupts, times allowed, spans, wrong words. */
#include "harness.h"
#include "lang/lang.h"
#include "movers.h"
#include "motions.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Memory ---------------------------------------------------------------------------------- */

static void *counting_realloc(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void) old_size;
    ++*(size_t *) user;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

TEST(a_step_takes_no_memory)
{
    const char *const model[] = {tire, blade, pendulum};
    const char *const name_of_engine[] = {"interpret", "tcc"};
    const char *const name_of_integrator[] = {"dop853", "taylor"};
    for (int i = 0; i < 12; i++) {
        size_t calls[2] = {0, 0};
        for (int k = 0; k < 2; k++) {
            ah_ctx_options how = ah_ctx_defaults();
            ah_simulate_options o = ah_simulate_defaults();
            how.realloc = counting_realloc;
            how.user = &calls[k];
            o.samples = 2;
            o.engine = name_of_engine[i % 2];
            o.integrator = name_of_integrator[i / 2 % 2];
            o.to =
                k ? "40" : "10"; /* numbers of two digits: the time itself takes as much to read */
            answer a = simulate(model[i / 4], &o, NULL, &how);
            CHECK_INT(a.status, AH_OK);
            forget(&a);
        }
        CHECK_INT(calls[1], calls[0]);
    }
}

static bool drop(void *user, const char *words, size_t length)
{
    (void) user, (void) words, (void) length;
    return true;
}

/* Rows and events by the thousand: what is kept of them is kept before the shorter run ends. */
TEST(rows_and_events_take_no_memory)
{
    static const char spring[] =
        "coordinate x\nkinetic x'^2/2\npotential 2000*x^2\n"
        "start x = 1, x' = 0\nrecord when x = 0\nrecord when x' = 0.1\n"
        "record when x'' = 3\noutput a = x''\nclaim \"e\": constant energy\n";
    size_t calls[2] = {0, 0};
    for (int k = 0; k < 2; k++) {
        ah_ctx_options how = ah_ctx_defaults();
        ah_simulate_options o = ah_simulate_defaults();
        how.realloc = counting_realloc;
        how.user = &calls[k];
        o.every = 0.01;
        o.engine = "interpret";
        o.integrator = "dop853";
        o.to = k ? "80" : "20";
        o.write = o.write_event = drop;
        answer a = simulate(spring, &o, NULL, &how);
        CHECK_INT(a.status, AH_OK);
        /* x = cos(20 √10 t) meets each value twice a turn */
        const double turns = (k ? 80 : 20) * 20 * sqrt(10) / (2 * acos(-1));
        CHECK_NEAR(number(&a, NULL, "events_happened"), 6 * turns, 1, 4 * 0x1p52, "events");
        CHECK_INT(json_tree_count(json_tree_get(a.summary, "events")), 1000);
        forget(&a);
    }
    CHECK_INT(calls[1], calls[0]);
}

/* ---- Cut short ------------------------------------------------------------------------------- */

TEST(an_interrupt_leaves_whole_rows_and_a_summary)
{
    rows r = {.interrupt_at = 50};
    ah_simulate_options o = ah_simulate_defaults();
    o.to = "1000000";
    o.every = 0.01;
    answer a = simulate(tire, &o, &r, NULL);
    CHECK_INT(a.status, AH_E_INTERRUPTED);
    REQUIRE(a.summary != NULL);
    CHECK_STR(json_tree_get(json_tree_get(a.summary, "stopped"), "reason")->text, "interrupted");
    CHECK(r.count >= 50 && r.at[r.length - 1] == '\n');
    free(r.at);
    forget(&a);
}

/* … whatever the integrator; the sanitizer looks for what is left behind. */
TEST(every_integrator_is_interrupted)
{
    const char *const name[] = {"dop853", "taylor", "adams", "bdf", "ida"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        rows r = {.interrupt_at = 50};
        ah_simulate_options o = ah_simulate_defaults();
        o.to = "1000000";
        o.every = 0.01;
        o.integrator = name[i];
        answer a = simulate(blade, &o, &r, NULL);
        CHECK_INT(a.status, AH_E_INTERRUPTED);
        REQUIRE(a.summary != NULL);
        CHECK_STR(json_tree_get(a.summary, "integrator")->text, name[i]);
        CHECK(number(&a, "final", "t") >= 0); /* of the last whole step */
        CHECK(r.count >= 50 && r.at[r.length - 1] == '\n');
        free(r.at);
        forget(&a);
    }
}

/* Rows do not shorten steps, and are the same whoever else is asked for. */
TEST(rows_do_not_change_the_motion)
{
    const char *const name[] = {"dop853", "taylor", "adams", "bdf", "ida", "auto"};
    for (size_t i = 0; i < sizeof name / sizeof *name; i++) {
        double steps[2], x[2];
        for (int k = 0; k < 2; k++) {
            ah_simulate_options o = ah_simulate_defaults();
            o.to = "10";
            o.samples = k ? 1000 : 2;
            o.integrator = name[i];
            o.rtol = 1e-8;
            answer a = simulate(pendulum, &o, NULL, NULL);
            CHECK_INT(a.status, AH_OK);
            steps[k] = number(&a, NULL, "steps");
            x[k] = json_tree_number(
                json_tree_at(json_tree_get(json_tree_get(a.summary, "final"), "q"), 0));
            forget(&a);
        }
        CHECK(steps[0] == steps[1] && x[0] == x[1]);
    }
}

TEST(time_allowed_is_used_up)
{
    ah_ctx_options how = ah_ctx_defaults();
    ah_simulate_options o = ah_simulate_defaults();
    how.limits.seconds = 0.5;
    o.to = "1e9";
    answer a = simulate(tire, &o, NULL, &how);
    CHECK_INT(a.status, AH_E_LIMIT);
    REQUIRE(a.summary != NULL);
    CHECK(number(&a, "final", "t") > 0);
    forget(&a);
}

TEST(endless_rows_end_in_time)
{
    ah_ctx_options how = ah_ctx_defaults();
    ah_simulate_options o = ah_simulate_defaults();
    how.limits.seconds = 0.3;
    o.every = 1e-12;
    o.write = drop;
    answer a = simulate(tire, &o, NULL, &how);
    CHECK_INT(a.status, AH_E_LIMIT);
    forget(&a);
}

TEST(spans_of_every_kind)
{
    const char *const to[] = {"0", "-10", "1e-300", "1e-9"};
    for (int i = 0; i < 4; i++) {
        rows r = {0};
        ah_simulate_options o = ah_simulate_defaults();
        o.to = to[i];
        o.samples = 5;
        answer a = simulate(tire, &o, &r, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(number(&a, "final", "t"), atof(to[i]), 1, 0, "the end");
        CHECK_INT(r.count, i ? 6 : 2);
        free(r.at);
        forget(&a);
    }
}

TEST(unknown_engines_and_integrators)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.engine = "steam";
    answer a = simulate(tire, &o, NULL, NULL);
    CHECK_INT(a.status, AH_E_INPUT);
    CHECK(a.diagnostics && strstr(a.diagnostics, "A0612"));
    forget(&a);
    o.engine = NULL;
    o.integrator = "taylor";
    a = simulate("coordinate x\nkinetic (1 + abs(x))*x'^2/2\nstart x = 1, x' = 0\n"
                 "simulate t = 0 .. 1\n",
                 &o, NULL, NULL);
    CHECK_INT(a.status, AH_E_REFUSED);
    CHECK(a.diagnostics && strstr(a.diagnostics, "A0613"));
    forget(&a);
    o.integrator = "guess";
    a = simulate(tire, &o, NULL, NULL);
    CHECK(a.diagnostics && strstr(a.diagnostics, "A0612"));
    forget(&a);
}
