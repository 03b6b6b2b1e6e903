/* tests/t_steps.c - motions driven step by step: against ah_simulate, closed forms, and themselves
 * interrupted and taken up again. */
#include "harness.h"
#include "harness/failing.h"
#include "harness/json_read.h"

#include <anholo/anholo.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 400 };

static ah_model *read_text(ah_ctx *ctx, const char *text)
{
    ah_model *m = NULL;
    return ah_read(ctx, "test", text, strlen(text), NULL, &m) == AH_OK ? m : NULL;
}

/* th'' = −k th, closed form; a stop where th falls through zero the second time is none. */
static const char oscillator[] = "parameter k = 4\ncoordinate x\nkinetic x'^2/2\n"
                                 "potential k*x^2/2\n"
                                 "output twice = 2*x\n"
                                 "unit x = \"m\", t = \"s\"\n"
                                 "record \"through\" when x = 0\n"
                                 "start x = 1, x' = 0\nsimulate t = 0 .. 10\n";

typedef struct subject {
    ah_ctx *ctx;
    ah_model *model;
    ah_system *system;
    ah_motion *motion;
} subject;

static bool begin(subject *s, const char *text, const ah_motion_options *o)
{
    *s = (subject){.ctx = ah_ctx_create(NULL)};
    s->model = read_text(s->ctx, text);
    return CHECK(s->model != NULL) &&
           CHECK(ah_system_create(s->model, NULL, &s->system) == AH_OK) &&
           CHECK(ah_motion_create(s->system, o, &s->motion) == AH_OK);
}

static void end(subject *s)
{
    ah_motion_destroy(s->motion);
    ah_system_destroy(s->system);
    ah_ctx_destroy(s->ctx);
}

TEST(steps_follow_the_closed_form)
{
    static const char *const by[] = {"dop853", "taylor", "adams", "bdf", "auto", NULL};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        subject s;
        double y[2], t = 0;
        uint64_t steps = 0;
        size_t events = 0;
        ah_motion_options o = ah_motion_defaults();
        o.integrator = by[i];
        if (!begin(&s, oscillator, &o)) return;
        CHECK(ah_motion_time(s.motion) == 0 && ah_motion_state(s.motion, y) == AH_OK && y[0] == 1);
        while (!ah_motion_ended(s.motion)) {
            REQUIRE(ah_motion_step(s.motion) == AH_OK);
            const double t0 = ah_motion_time_before(s.motion), t1 = ah_motion_time(s.motion);
            CHECK(t0 == t && t1 > t0);
            t = t1;
            steps++;
            events += ah_motion_events(s.motion);
            for (int k = 0; k <= 4; k++) {
                const double at = k == 4 ? t1 : t0 + (t1 - t0) * k / 4;
                REQUIRE(ah_motion_state_at(s.motion, at, y) == AH_OK);
                CHECK_NEAR(y[0], cos(2 * at), 1, 1e-6 * 0x1p52, "x inside the step");
                CHECK_NEAR(y[1], -2 * sin(2 * at), 2, 1e-6 * 0x1p52, "x' inside the step");
            }
            for (size_t k = 0; k < ah_motion_events(s.motion); k++) {
                ah_event e;
                CHECK(ah_motion_event(s.motion, k, &e) == AH_OK && e.t > t0 && e.t <= t1);
                CHECK_NEAR(cos(2 * e.t), 0, 1, 1e-6 * 0x1p52, "an event");
                CHECK_STR(e.label, "through");
            }
        }
        CHECK_NEAR(t, 10, 10, 4, "the end");
        CHECK_INT(events, 6); /* zeros of cos 2t below 10 */
        CHECK(ah_motion_why(s.motion) == NULL && ah_motion_step(s.motion) == AH_OK);
        ah_statistics st;
        CHECK(ah_motion_statistics(s.motion, &st) == AH_OK && st.steps == steps);
        CHECK(st.evaluations > steps || st.integrator[0] == 't');
        end(&s);
    }
}

/* ---- Against ah_simulate --------------------------------------------------------------------- */

static size_t survey_compared;

static void compare_with_simulate(const char *path, const char *text, const char *integrator)
{
    subject s = {.ctx = ah_ctx_create(NULL)};
    ah_simulate_options o = ah_simulate_defaults();
    ah_motion_options mo = ah_motion_defaults();
    ah_system_options so = ah_system_defaults();
    const char *summary = NULL;
    double y[MOST], v[MOST];
    o.integrator = mo.integrator = integrator;
    o.samples = 2;
    so.driven = true;
    s.model = read_text(s.ctx, text);
    if (s.model && ah_simulate(s.model, &o, AH_JSON, &summary) == AH_OK &&
        ah_system_create(s.model, &so, &s.system) == AH_OK &&
        ah_motion_create(s.system, &mo, &s.motion) == AH_OK) {
        json_tree *all = json_tree_parse(summary);
        const json_tree *want = json_tree_get(all, "final");
        ah_statistics st;
        ah_status status = AH_OK;
        while (!ah_motion_ended(s.motion) && status == AH_OK) status = ah_motion_step(s.motion);
        if (!CHECK(status == AH_OK)) printf("# %s: %s\n", path, ah_motion_why(s.motion));
        ah_work *w = ah_work_create(s.system);
        CHECK(ah_motion_state(s.motion, y) == AH_OK);
        CHECK(ah_work_evaluate(w, AH_Q_VELOCITY, ah_motion_time(s.motion), y, v) == AH_OK);
        CHECK(ah_motion_statistics(s.motion, &st) == AH_OK);
        const size_t n = ah_system_count(s.system, AH_Q_VELOCITY);
        for (size_t i = 0; i < n; i++) {
            const double q = json_tree_number(json_tree_at(json_tree_get(want, "q"), i));
            const double qdot = json_tree_number(json_tree_at(json_tree_get(want, "qdot"), i));
            if (!CHECK_NEAR(y[i], q, 1 + fabs(q), 1e-5 * 0x1p52, "q at the end") ||
                !CHECK_NEAR(v[i], qdot, 1 + fabs(qdot), 1e-5 * 0x1p52, "q' at the end"))
                printf("# %s, %zu\n", path, i);
        }
        survey_compared++;
        ah_work_destroy(w);
        json_tree_free(all);
    }
    end(&s);
}

TEST(steps_agree_with_simulate)
{
    char path[1000], file[2000];
    size_t length;
    snprintf(path, sizeof path, "%s/models", harness_source_dir());
    DIR *dir = opendir(path);
    REQUIRE(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (!strstr(entry->d_name, ".ah")) continue;
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        char *text = harness_read_file(file, &length);
        compare_with_simulate(entry->d_name, text, NULL);
        free(text);
    }
    closedir(dir);
    printf("# %zu motions\n", survey_compared);
    CHECK(survey_compared > 25);
}

/* ---- From outside ---------------------------------------------------------------------------- */

/* k changes at t = 1 from 4 to 9: two closed forms, joined. */
TEST(parameters_and_states_from_outside)
{
    subject s;
    double y[2], k = 9;
    if (!begin(&s, oscillator, NULL)) return;
    CHECK(ah_motion_advance(s.motion, 1) == AH_OK && ah_motion_time(s.motion) >= 1);
    CHECK(ah_motion_state_at(s.motion, 1, y) == AH_OK);
    REQUIRE(ah_motion_restart(s.motion, 1, y, &k) == AH_OK);
    CHECK(ah_motion_time(s.motion) == 1 && ah_motion_state(s.motion, y) == AH_OK);
    CHECK_NEAR(y[0], cos(2), 1, 1e-8 * 0x1p52, "where it was");
    CHECK(ah_motion_advance(s.motion, 2.5) == AH_OK);
    CHECK(ah_motion_state_at(s.motion, 2.5, y) == AH_OK);
    const double want = cos(2) * cos(3 * 1.5) - 2 * sin(2) / 3 * sin(3 * 1.5);
    CHECK_NEAR(y[0], want, 1, 1e-8 * 0x1p52, "with the other spring");
    y[0] = y[1] = 0;
    REQUIRE(ah_motion_restart(s.motion, 2.5, y, NULL) == AH_OK);
    CHECK(ah_motion_advance(s.motion, 10) == AH_OK && ah_motion_state(s.motion, y) == AH_OK);
    CHECK(y[0] == 0 && y[1] == 0 && ah_motion_ended(s.motion));
    y[0] = 1;
    REQUIRE(ah_motion_restart(s.motion, 0, y, NULL) == AH_OK); /* after the end */
    CHECK(!ah_motion_ended(s.motion) && ah_motion_advance(s.motion, 1) == AH_OK);
    CHECK(ah_motion_state_at(s.motion, 1, y) == AH_OK);
    CHECK_NEAR(y[0], cos(3), 1, 1e-8 * 0x1p52, "once more");
    end(&s);
}

/* Towards its end, whichever way that is: a restart beyond it is refused, and the motion stays where it was. */
TEST(a_restart_lies_before_the_end)
{
    for (int way = 1; way >= -1; way -= 2) {
        subject s;
        double y[2], again[2];
        ah_motion_options o = ah_motion_defaults();
        o.end = 3 * way;
        if (!begin(&s, oscillator, &o)) return;
        REQUIRE(ah_motion_advance(s.motion, way) == AH_OK && ah_motion_state(s.motion, y) == AH_OK);
        const double t = ah_motion_time(s.motion);
        CHECK_INT(ah_motion_restart(s.motion, 5 * way, y, NULL), AH_E_INPUT);
        CHECK_STR(ah_diagnostic_get(s.ctx, 0)->code, "A0904");
        CHECK(ah_motion_time(s.motion) == t && ah_motion_state(s.motion, again) == AH_OK);
        CHECK(again[0] == y[0] && again[1] == y[1]);
        CHECK_INT(ah_motion_restart(s.motion, 3 * way, y, NULL), AH_OK);
        CHECK_INT(ah_motion_step(s.motion), AH_OK);
        CHECK(ah_motion_ended(s.motion));
        CHECK_INT(ah_motion_restart(s.motion, -4 * way, y, NULL), AH_OK);
        REQUIRE(ah_motion_advance(s.motion, 3 * way) == AH_OK);
        CHECK(ah_motion_state(s.motion, again) == AH_OK);
        CHECK_NEAR(again[0], y[0] * cos(14) + way * y[1] / 2 * sin(14), 1, 1e-6 * 0x1p52, "x");
        end(&s);
    }
}

/* Charts that are changed on the way do not mind other parameters. */
TEST(charts_and_parameters)
{
    static const char text[] = "parameter m = 2, J = 1, w = 1\ncoordinate x, y, th\n"
                               "kinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\n"
                               "constraint blade: x'*sin(th) - y'*cos(th) = 0\n"
                               "start x = 0, y = 0, th = 0, x' = 1, y' = 0, th' = 1\n"
                               "simulate t = 0 .. 20\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *model = read_text(ctx, text);
    ah_system_options so = ah_system_defaults();
    ah_system *system = NULL;
    ah_motion *m = NULL;
    double y[6], p[3] = {5, 3, 1};
    so.method = "voronets";
    REQUIRE(model && ah_system_create(model, &so, &system) == AH_OK);
    REQUIRE(ah_motion_create(system, NULL, &m) == AH_OK);
    for (int half = 0; half < 2; half++) { /* a circle of radius one, whatever m and J are */
        const double t = 10 * (half + 1) - 0.5;
        CHECK(ah_motion_advance(m, t) == AH_OK && ah_motion_state_at(m, t, y) == AH_OK);
        CHECK_NEAR(y[0], sin(t), 1, 1e-7 * 0x1p52, "x");
        CHECK_NEAR(y[1], 1 - cos(t), 1, 1e-7 * 0x1p52, "y");
        CHECK(ah_motion_restart(m, t, y, p) == AH_OK);
    }
    y[3] += 0.1;
    CHECK(ah_motion_restart(m, 0, y, NULL) == AH_E_INPUT); /* against the blade */
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0608");
    ah_motion_destroy(m);
    ah_system_destroy(system);
    ah_ctx_destroy(ctx);
}

TEST(a_stop_ends_a_motion)
{
    subject s;
    ah_event e;
    double y[2];
    if (!begin(&s,
               "parameter g = 10\ncoordinate z\nkinetic z'^2/2\npotential g*z\n"
               "stop \"ground\" when z = 0 falling\nstart z = 5, z' = 0\nsimulate t = 0 .. 5\n",
               NULL))
        return;
    while (!ah_motion_ended(s.motion)) REQUIRE(ah_motion_step(s.motion) == AH_OK);
    CHECK_NEAR(ah_motion_time(s.motion), 1, 1, 1e-9 * 0x1p52, "√(2 z/g)");
    CHECK_STR(ah_motion_why(s.motion), "event \"ground\"");
    REQUIRE(ah_motion_events(s.motion) == 1 && ah_motion_event(s.motion, 0, &e) == AH_OK);
    CHECK(e.stop && e.direction == -1 && e.t == ah_motion_time(s.motion));
    CHECK(ah_motion_state(s.motion, y) == AH_OK);
    CHECK_NEAR(y[1], -10, 10, 1e-9 * 0x1p52, "the speed at the ground");
    CHECK(ah_motion_state_at(s.motion, 0.999, y) == AH_OK ||
          ah_motion_time_before(s.motion) > 0.999);
    CHECK(ah_motion_advance(s.motion, 3) != AH_OK);
    y[1] = 8; /* bounces */
    y[0] = 0;
    CHECK(ah_motion_restart(s.motion, 1, y, NULL) == AH_OK);
    while (!ah_motion_ended(s.motion)) REQUIRE(ah_motion_step(s.motion) == AH_OK);
    CHECK_NEAR(ah_motion_time(s.motion), 2.6, 1, 1e-9 * 0x1p52, "1 + 2 · 8/10");
    end(&s);
}

/* z = 8 t − 5 t²: on the way up at z = 3 for t = 0.6, at the top for t = 0.8, down again for t = 1, on the ground for t = 1.6.
 * However long the steps are, a call tells what it passed. */
TEST(events_are_told_by_the_call_that_passes_them)
{
    const struct {
        double t;
        const char *labels;
    } calls[] = {{0.5, ""},         {0.55, ""}, {0.9, "through top "}, {0.95, ""},
                 {1.5, "through "}, {1.55, ""}, {2, "ground "}};
    for (int i = 0; i < 2; i++) {
        subject s;
        ah_motion_options o = ah_motion_defaults();
        o.largest_step = i ? 0.03 : 0;
        if (!begin(&s,
                   "parameter g = 10\ncoordinate z\nkinetic z'^2/2\npotential g*z\n"
                   "record \"through\" when z = 3\nrecord \"top\" when z' = 0\n"
                   "stop \"ground\" when z = 0 falling\nstart z = 0, z' = 8\nsimulate t = 0 .. 5\n",
                   &o))
            return;
        for (size_t c = 0; c < sizeof calls / sizeof *calls; c++) {
            char labels[80] = "";
            CHECK_INT(ah_motion_advance(s.motion, calls[c].t),
                      calls[c].t < 1.6 ? AH_OK : AH_E_NUMERIC);
            for (size_t k = 0; k < ah_motion_events(s.motion); k++) {
                ah_event e;
                REQUIRE(ah_motion_event(s.motion, k, &e) == AH_OK);
                CHECK(e.t <= calls[c].t && (c == 0 || e.t > calls[c - 1].t));
                strcat(strcat(labels, e.label), " ");
            }
            CHECK_STR(labels, calls[c].labels);
        }
        end(&s);
    }
}

TEST(a_singular_state_ends_a_motion)
{
    subject s;
    double y[2];
    ah_status status = AH_OK;
    if (!begin(&s,
               "coordinate x\nkinetic x'^2/2\npotential log(x)\nstart x = 1, x' = 0\n"
               "simulate t = 0 .. 100\n",
               NULL))
        return;
    while (!ah_motion_ended(s.motion) && status == AH_OK) status = ah_motion_step(s.motion);
    CHECK(status == AH_E_NUMERIC && ah_motion_ended(s.motion) && ah_motion_why(s.motion));
    CHECK(ah_motion_state(s.motion, y) == AH_OK && isfinite(y[0]) && y[0] > 0);
    CHECK(ah_motion_step(s.motion) == AH_OK); /* nothing is done any more */
    end(&s);
}

/* ---- Columns --------------------------------------------------------------------------------- */

TEST(a_trajectory_has_columns)
{
    subject s;
    ah_trajectory *t = NULL;
    if (!begin(&s, oscillator, NULL)) return;
    REQUIRE(ah_trajectory_create(s.system, NULL, 101, &t) == AH_OK);
    CHECK_INT(ah_trajectory_rows(t), 101);
    const ptrdiff_t twice = ah_trajectory_find(t, "twice"), x = ah_trajectory_find(t, "x");
    REQUIRE(twice > 0 && x == 1 && ah_trajectory_find(t, "energy") > 0);
    CHECK_STR(ah_trajectory_name(t, 0), "t");
    CHECK_STR(ah_trajectory_unit(t, 0), "s");
    CHECK_STR(ah_trajectory_unit(t, (size_t) x), "m");
    for (size_t i = 0; i < 101; i++) {
        const double time = ah_trajectory_column(t, 0)[i];
        CHECK_NEAR(time, 0.1 * (double) i, 10, 4, "evenly");
        CHECK_NEAR(ah_trajectory_column(t, (size_t) twice)[i], 2 * cos(2 * time), 2, 1e-7 * 0x1p52,
                   "an output");
    }
    CHECK(!ah_trajectory_why(t) && !ah_trajectory_column(t, 99) && !ah_trajectory_name(t, 99));
    ah_trajectory_destroy(t);
    CHECK(ah_trajectory_create(s.system, NULL, 1, &t) == AH_E_INPUT && !t);
    end(&s);
}

/* ---- Where motions begin and end --------------------------------------------------------------- */

TEST(ends_come_from_the_call_or_the_model)
{
    static const char body[] =
        "parameter a = 0, b = 2\ncoordinate z\nkinetic z'^2/2\npotential 10*z\n";
    const double y[2] = {5, 0};
    const struct {
        const char *rest;
        double end; /* of the options */
        bool start;
        const char *why; /* NULL: it goes, and … */
        double until;    /* … ends there */
    } cases[] = {
        {"start z = 5, z' = 0\n", NAN, true, "nothing says where the motion ends", 0},
        {"start z = 5, z' = 0\nsimulate t = 0 .. 1/a\n", NAN, true,
         "the end of the span is not a number", 0},
        {"start z = 5, z' = 0\nsimulate t = 0 .. 1/a\n", 0.5, true, NULL, 0.5},
        {"simulate t = b .. b + 1\n", NAN, true, "the model has no start", 0},
        {"simulate t = b .. b + 1\n", NAN, false, NULL, 3},
        {"", 1, false, NULL, 1},
        {"", -1, false, NULL, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[400];
        subject s = {.ctx = ah_ctx_create(NULL)};
        ah_motion_options o = ah_motion_defaults();
        snprintf(text, sizeof text, "%s%s", body, cases[i].rest);
        s.model = read_text(s.ctx, text);
        REQUIRE(s.model && ah_system_create(s.model, NULL, &s.system) == AH_OK);
        o.end = cases[i].end;
        o.y = cases[i].start ? NULL : y;
        const ah_status status = ah_motion_create(s.system, &o, &s.motion);
        CHECK_INT(status, cases[i].why ? AH_E_INPUT : AH_OK);
        if (cases[i].why) CHECK(strstr(ah_diagnostics_text(s.ctx, false), cases[i].why) != NULL);
        double now[2], t0 = s.motion ? ah_motion_time(s.motion) : 0;
        while (!ah_motion_ended(s.motion)) REQUIRE(ah_motion_step(s.motion) == AH_OK);
        if (s.motion && CHECK(ah_motion_state(s.motion, now) == AH_OK)) {
            const double t = ah_motion_time(s.motion) - t0;
            CHECK_NEAR(ah_motion_time(s.motion), cases[i].until, 1, 4, "the end");
            CHECK_NEAR(now[0], 5 - 5 * t * t, 5, 1e-9 * 0x1p52, "free fall");
        }
        end(&s);
    }
}

TEST(integrators_that_do_not_apply)
{
    subject s;
    ah_motion *m = NULL;
    ah_motion_options o = ah_motion_defaults();
    if (!begin(&s,
               "coordinate x\nkinetic x'^2/2\nforce x = -atan2(x, 2 + x^2)\nstart x = 1, x' = 0\n"
               "simulate t = 0 .. 1\n",
               NULL))
        return;
    o.integrator = "taylor";
    const ah_status status = ah_motion_create(s.system, &o, &m);
    CHECK((status == AH_OK) == (m != NULL));
    if (status != AH_OK) CHECK(strstr(ah_diagnostics_text(s.ctx, false), "does not apply") != NULL);
    ah_motion_destroy(m);
    o = ah_motion_defaults();
    o.most_steps = 3;
    o.rtol = 1e-13;
    o.end = 1000;
    ah_status last = AH_OK;
    if (CHECK(ah_motion_create(s.system, &o, &m) == AH_OK)) {
        for (int i = 0; i < 10 && last == AH_OK; i++) last = ah_motion_step(m);
        CHECK_INT(last, AH_E_LIMIT);
        CHECK(ah_motion_ended(m) && ah_motion_advance(m, 900) == AH_E_LIMIT);
        const double nothing = NAN, y[2] = {1, 0};
        CHECK(ah_motion_restart(m, 0, y, &nothing) ==
              AH_OK); /* there are no parameters to look at */
        CHECK(ah_motion_restart(m, NAN, y, NULL) == AH_E_INPUT);
    }
    ah_motion_destroy(m);
    end(&s);
}

/* x'' = −sign(x): a period of 4 √(2 a); and back again to where it came from. */
TEST(there_and_back_through_switches)
{
    static const char *const names[] = {"dop853", "bdf", "adams"};
    for (size_t i = 0; i < 3; i++) {
        subject s;
        double y[2];
        ah_motion_options o = ah_motion_defaults();
        o.integrator = names[i];
        o.end = 5;
        if (!begin(&s, "coordinate x\nkinetic x'^2/2\nforce x = -sign(x)\nstart x = 1/2, x' = 0\n",
                   &o))
            return;
        while (!ah_motion_ended(s.motion)) REQUIRE(ah_motion_step(s.motion) == AH_OK);
        CHECK(ah_motion_state(s.motion, y) == AH_OK);
        CHECK_NEAR(y[0], 0, 1, 1e-6 * 0x1p52, "t = 5: a quarter of the second period");
        CHECK_NEAR(y[1], -1, 1, 1e-6 * 0x1p52, "with speed √(2 a)");
        ah_motion_destroy(s.motion);
        o.y = y;
        o.t = 5;
        o.end = 0;
        REQUIRE(ah_motion_create(s.system, &o, &s.motion) == AH_OK);
        while (!ah_motion_ended(s.motion)) REQUIRE(ah_motion_step(s.motion) == AH_OK);
        CHECK(ah_motion_state(s.motion, y) == AH_OK);
        CHECK_NEAR(y[0], 0.5, 1, 1e-5 * 0x1p52, "the start");
        CHECK_NEAR(y[1], 0, 1, 1e-5 * 0x1p52, "the start");
        end(&s);
    }
}

/* z = (t − 1)² touches 0: a stop that is touched does not end the motion. */
TEST(a_stop_that_is_touched)
{
    subject s;
    size_t touched = 0;
    if (!begin(&s,
               "coordinate z\nkinetic z'^2/2\npotential -2*z\nstop \"zero\" when z = 0\n"
               "start z = 1, z' = -2\nsimulate t = 0 .. 3\n",
               NULL))
        return;
    while (!ah_motion_ended(s.motion)) {
        REQUIRE(ah_motion_step(s.motion) == AH_OK);
        for (size_t k = 0; k < ah_motion_events(s.motion); k++) {
            ah_event e;
            CHECK(ah_motion_event(s.motion, k, &e) == AH_OK && e.touched && !e.stop);
            CHECK_NEAR(e.t, 1, 1, 1e-6 * 0x1p52, "where it touches");
            touched++;
        }
    }
    CHECK_INT((int) touched, 1);
    CHECK_NEAR(ah_motion_time(s.motion), 3, 1, 4, "the end");
    end(&s);
}

/* y' = x' |x|: its rate has a jump that no series goes through. */
TEST(series_do_not_go_through_kinks_of_constraints)
{
    subject s;
    ah_motion *m = NULL;
    double p[1];
    ah_motion_options o = ah_motion_defaults();
    if (!begin(&s,
               "parameter k = 1\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential k*y\n"
               "constraint a: y' = x'*abs(x)\nstart x = 1, y = 0, x' = -1/2\nsimulate t = 0 .. 1\n",
               NULL))
        return;
    o.integrator = "taylor";
    CHECK_INT(ah_motion_create(s.system, &o, &m), AH_E_REFUSED);
    CHECK(!m && strstr(ah_diagnostics_text(s.ctx, false), "`taylor` does not apply") != NULL);
    const double y[4] = {1, 0, -0.5, -0.5}, bad = NAN, other = 3;
    CHECK(ah_motion_restart(s.motion, 0, y, &bad) == AH_E_INPUT);
    CHECK(ah_motion_restart(s.motion, 0, y, &other) == AH_OK);
    ah_work *w = ah_work_create(s.system);
    CHECK(ah_work_get_parameters(w, p) == AH_OK && p[0] == 1); /* the motion's are its own */
    CHECK(ah_work_get_parameters(w, NULL) == AH_E_INPUT &&
          ah_work_get_parameters(NULL, p) == AH_E_INPUT);
    ah_work_destroy(w);
    end(&s);
}

TEST(systems_that_have_no_state)
{
    const struct {
        const char *rest, *why;
    } cases[] = {
        {"constraint a: x'^2 + y'^2 + 1 = 0\n", NULL},
        {"constraint a: x' = y'\nstart x = 0, y = 0, x' = 1, y' = 2\n", "contradict"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[300];
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_system *s = NULL;
        snprintf(text, sizeof text, "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n%s", cases[i].rest);
        ah_model *m = read_text(ctx, text);
        REQUIRE(m != NULL);
        ah_system_options o = ah_system_defaults();
        for (int again = 0; again < 3; again++) { /* what failed leaves no trace */
            o.method = again == 2 ? "gauss" : NULL;
            CHECK(ah_system_create(m, &o, &s) != AH_OK && !s);
            const char *said = ah_diagnostics_text(ctx, false);
            CHECK(*said && (!cases[i].why || strstr(said, cases[i].why)));
            ah_ctx_reset_status(ctx);
        }
        ah_ctx_destroy(ctx);
    }
}

TEST(names_beyond_the_last)
{
    subject s;
    if (!begin(&s, oscillator, NULL)) return;
    CHECK(!ah_system_name(s.system, AH_Q_STATE, 2) && !ah_system_unit(s.system, AH_Q_STATE, 2));
    CHECK(!ah_system_name(s.system, AH_Q_BY_STATE, 0) &&
          !ah_system_unit(s.system, AH_Q_BY_STATE, 0));
    CHECK(ah_system_find(s.system, AH_Q_STATE, "nobody") == -1);
    CHECK(ah_system_count(s.system, AH_QUANTITIES) == 0);
    end(&s);
}

/* ---- Wrong calls, memory --------------------------------------------------------------------- */

TEST(wrong_motions_are_refused)
{
    subject s;
    ah_motion *m = NULL;
    double y[2] = {1, NAN}, bad = INFINITY;
    if (!begin(&s, oscillator, NULL)) return;
    struct {
        double rtol, atol, t, end, largest;
        const char *integrator;
        const double *y, *parameters;
    } wrong[] = {{-1, 1e-12, NAN, NAN, 0, NULL, NULL, NULL},
                 {NAN, 1e-12, NAN, NAN, 0, NULL, NULL, NULL},
                 {0, 0, NAN, NAN, 0, NULL, NULL, NULL},
                 {1e-8, INFINITY, NAN, NAN, 0, NULL, NULL, NULL},
                 {1e-8, 1e-8, INFINITY, NAN, 0, NULL, NULL, NULL},
                 {1e-8, 1e-8, NAN, -INFINITY, 0, NULL, NULL, NULL},
                 {1e-8, 1e-8, NAN, NAN, -1, NULL, NULL, NULL},
                 {1e-8, 1e-8, NAN, NAN, NAN, NULL, NULL, NULL},
                 {1e-8, 1e-8, NAN, NAN, 0, "euler", NULL, NULL},
                 {1e-8, 1e-8, NAN, NAN, 0, NULL, y, NULL},
                 {1e-8, 1e-8, NAN, NAN, 0, NULL, NULL, &bad}};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ah_motion_options o = ah_motion_defaults();
        o.rtol = wrong[i].rtol;
        o.atol = wrong[i].atol;
        o.t = wrong[i].t;
        o.end = wrong[i].end;
        o.largest_step = wrong[i].largest;
        o.integrator = wrong[i].integrator;
        o.y = wrong[i].y;
        o.parameters = wrong[i].parameters;
        if (!CHECK(ah_motion_create(s.system, &o, &m) == AH_E_INPUT && !m)) printf("# %zu\n", i);
        CHECK(ah_error_count(s.ctx) == 1);
        ah_ctx_reset_status(s.ctx);
    }
    CHECK(ah_motion_create(NULL, NULL, &m) == AH_E_INPUT);
    CHECK(ah_motion_create(s.system, NULL, NULL) == AH_E_INPUT);
    CHECK(ah_motion_step(NULL) == AH_E_INPUT && ah_motion_ended(NULL));
    CHECK(ah_motion_advance(s.motion, -1) == AH_E_INPUT);
    CHECK(ah_motion_advance(s.motion, 11) == AH_E_INPUT);
    CHECK(ah_motion_advance(s.motion, NAN) == AH_E_INPUT);
    CHECK(ah_motion_state_at(s.motion, 5, y) == AH_E_INPUT); /* not there yet */
    CHECK(ah_motion_state_at(s.motion, NAN, y) == AH_E_INPUT);
    CHECK(ah_motion_restart(s.motion, NAN, y, NULL) == AH_E_INPUT);
    CHECK(ah_motion_event(s.motion, 0, NULL) == AH_E_INPUT);
    end(&s);
}

static void make_motion(ah_ctx *ctx, void *arg)
{
    ah_system *s = NULL;
    ah_motion *m = NULL;
    ah_trajectory *t = NULL;
    (void) arg;
    ah_model *model = read_text(ctx, oscillator);
    if (model && ah_system_create(model, NULL, &s) == AH_OK) {
        if (ah_motion_create(s, NULL, &m) == AH_OK)
            for (int i = 0; i < 5; i++) ah_motion_step(m);
        ah_motion_destroy(m);
        ah_trajectory_create(s, NULL, 5, &t);
        ah_trajectory_destroy(t);
    }
    ah_system_destroy(s);
}

TEST(motions_without_memory)
{
    size_t tried = 0;
    CHECK(failing_run(make_motion, NULL, &tried));
    CHECK(tried > 50);
}

/* Systems and motions come and go: what a model keeps of them does not grow. */
TEST(motions_leave_nothing_behind)
{
    failing memory = {0};
    ah_ctx_options o = ah_ctx_defaults();
    size_t after[2] = {0};
    o.realloc = failing_realloc;
    o.user = &memory;
    ah_ctx *ctx = ah_ctx_create(&o);
    ah_model *model = read_text(ctx, oscillator);
    ah_system *s = NULL;
    REQUIRE(model && ah_system_create(model, NULL, &s) == AH_OK);
    for (int i = 0; i < 300; i++) {
        ah_motion *m = NULL;
        ah_trajectory *t = NULL;
        REQUIRE(ah_motion_create(s, NULL, &m) == AH_OK);
        CHECK(ah_motion_step(m) == AH_OK);
        ah_motion_destroy(m);
        CHECK(ah_trajectory_create(s, NULL, 3, &t) == AH_OK);
        ah_trajectory_destroy(t);
        if (i == 100 || i == 299) after[i > 100] = memory.bytes;
    }
    CHECK_INT(after[1], after[0]);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
    CHECK_INT(memory.bytes, 0);
}

/* A controller that sets the state at every step for days: a motion does not grow by it, with constraints, watched ranks,
 * velocity parameters and events. */
TEST(restarts_leave_nothing_behind)
{
    static const char *const texts[] = {
        "parameter m = 2, J = 1\ncoordinate x, y, th\nkinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\n"
        "constraint blade: x'*sin(th) - y'*cos(th) = 0\nrecord \"half\" when x = 1/2\n"
        "start x = 0, y = 0, th = 0, x' = 1, y' = 0, th' = 1\nsimulate t = 0 .. 20\n",
        "parameter m = 2, J = 1\ncoordinate x, y, th\nkinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\n"
        "constraint blade: x'*sin(th) - y'*cos(th) = 0\n"
        "velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w\n"
        "start x = 0, y = 0, th = 0, v = 1, w = 1\nsimulate t = 0 .. 20\n",
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\nconstraint rod: x^2 + y^2 = "
        "1\n"
        "start x = 0.6, y = -0.8, x' = 0, y' = 0\nsimulate t = 0 .. 20\n"};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        failing memory = {0};
        ah_ctx_options o = ah_ctx_defaults();
        size_t after[2] = {0};
        double y[6];
        ah_system *s = NULL;
        ah_motion *m = NULL;
        o.realloc = failing_realloc;
        o.user = &memory;
        ah_ctx *ctx = ah_ctx_create(&o);
        ah_model *model = read_text(ctx, texts[k]);
        REQUIRE(model && ah_system_create(model, NULL, &s) == AH_OK);
        REQUIRE(ah_motion_create(s, NULL, &m) == AH_OK);
        for (int i = 0; i < 300; i++) {
            CHECK(ah_motion_step(m) == AH_OK && ah_motion_state(m, y) == AH_OK);
            CHECK(ah_motion_restart(m, 0, y, NULL) == AH_OK);
            if (i == 100 || i == 299) after[i > 100] = memory.bytes;
        }
        CHECK_INT(after[1], after[0]);
        ah_motion_destroy(m);
        ah_system_destroy(s);
        ah_ctx_destroy(ctx);
        CHECK_INT(memory.bytes, 0);
    }
}

/* Rows by distance, events with them; a stop after the last of the rows has one of its own. */
TEST(a_trajectory_by_distance)
{
    subject s;
    ah_trajectory *t = NULL;
    REQUIRE(begin(&s, oscillator, NULL));
    ah_motion_options o = ah_motion_defaults();
    CHECK(ah_trajectory_create(s.system, &o, 0, &t) == AH_E_INPUT && !t); /* no distance */
    o.every = 0.3;
    o.end = -1;
    REQUIRE(ah_trajectory_create(s.system, &o, 0, &t) == AH_OK);
    REQUIRE(ah_trajectory_rows(t) == 4);
    for (size_t i = 0; i < 4; i++) {
        CHECK(fabs(ah_trajectory_column(t, 0)[i] + 0.3 * (double) i) < 1e-15);
        CHECK(fabs(ah_trajectory_column(t, 1)[i] - cos(0.6 * (double) i)) < 1e-8);
    }
    ah_event e;
    REQUIRE(ah_trajectory_events(t) == 1); /* at −π/4, between the rows; it grows with t */
    REQUIRE(ah_trajectory_event(t, 0, &e) == AH_OK && ah_trajectory_event(t, 1, &e) == AH_E_INPUT);
    CHECK(fabs(e.t + 0.7853981633974483) < 1e-9 && e.direction == 1 && !strcmp(e.label, "through"));
    ah_trajectory_destroy(t);
    o.every = 1e-300;
    CHECK(ah_trajectory_create(s.system, &o, 0, &t) == AH_E_INPUT && !t);
    end(&s);
}
