/* tests/t_events.c - events along motions whose times have closed forms; crossings, touches, and
 * what is neither. */
#include "motions.h"
#include "model/model.h"

#include <math.h>
#include <stdio.h>

/* x = cos t, y = sin t. */
static const char circle[] = "coordinate x, y\n"
                             "kinetic (x'^2 + y'^2)/2\n"
                             "potential (x^2 + y^2)/2\n"
                             "start x = 1, y = 0, x' = 0, y' = 1\n"
                             "simulate t = 0 .. 20\n";

/* y = 5 t − 5 t². */
static const char ball[] = "coordinate x, y\n"
                           "kinetic (x'^2 + y'^2)/2\n"
                           "potential 10*y\n"
                           "start x = 0, y = 0, x' = 1, y' = 5\n"
                           "simulate t = 0 .. 3\n";

static answer run(const char *model, const char *events, const ah_simulate_options *options,
                  rows *r)
{
    char words[4000];
    ah_simulate_options o = ah_simulate_defaults();
    o.rtol = 1e-13;
    o.atol = 1e-14;
    snprintf(words, sizeof words, "%s%s", model, events);
    return simulate(words, options ? options : &o, r, NULL);
}

static const json_tree *events_of(const answer *a)
{
    return json_tree_get(a->summary, "events");
}

static double time_of(const answer *a, size_t i)
{
    return json_tree_number(json_tree_get(json_tree_at(events_of(a), i), "t"));
}

static const char *text_of(const answer *a, size_t i, const char *key)
{
    const json_tree *e = json_tree_at(events_of(a), i);
    return e ? json_tree_get(e, key)->text : "";
}

static bool is_touch(const answer *a, size_t i)
{
    return json_tree_get(json_tree_at(events_of(a), i), "tangential")->kind == JSON_TRUE;
}

TEST(crossings_of_a_known_motion)
{
    answer a = run(circle, "record when x = 0\n", NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_INT(json_tree_count(events_of(&a)), 6); /* (k + 1/2) π below 20 */
    for (size_t i = 0; i < json_tree_count(events_of(&a)); i++) {
        CHECK_NEAR(time_of(&a, i), ((double) i + 0.5) * acos(-1), 20, 1e-11 * 0x1p52, "x = 0");
        CHECK_STR(text_of(&a, i, "direction"), i % 2 ? "rising" : "falling");
        CHECK(!is_touch(&a, i));
    }
    forget(&a);
}

TEST(directions_count_as_time_grows)
{
    answer a = run(circle, "record when x = 0 rising\n", NULL, NULL);
    CHECK_INT(json_tree_count(events_of(&a)), 3);
    CHECK_NEAR(time_of(&a, 0), 1.5 * acos(-1), 10, 1e-11 * 0x1p52, "rising");
    forget(&a);
    ah_simulate_options o = ah_simulate_defaults();
    o.to = "-10"; /* x = cos t backwards: grows with t at t = −π/2, −5π/2 */
    a = run(circle, "record when x = 0 rising\n", &o, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_INT(json_tree_count(events_of(&a)), 2);
    CHECK_NEAR(time_of(&a, 0), -0.5 * acos(-1), 10, 1e-8 * 0x1p52, "backwards");
    CHECK_NEAR(time_of(&a, 1), -2.5 * acos(-1), 10, 1e-8 * 0x1p52, "backwards");
    forget(&a);
}

TEST(touching_is_no_crossing)
{
    answer a = run(circle, "stop when x = 1\n", NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_NEAR(number(&a, "final", "t"), 20, 1, 0, "a touch does not stop");
    CHECK_INT(json_tree_count(events_of(&a)), 3);
    for (size_t i = 0; i < json_tree_count(events_of(&a)); i++) {
        CHECK_NEAR(time_of(&a, i), 2 * ((double) i + 1) * acos(-1), 20, 1e-9 * 0x1p52, "x = 1");
        CHECK(is_touch(&a, i));
        CHECK_STR(text_of(&a, i, "direction"), "rising"); /* the way it came */
        const json_tree *e = json_tree_at(events_of(&a), i);
        CHECK_NEAR(json_tree_number(json_tree_get(e, "value")), 0, 1, 1e-11 * 0x1p52, "how near");
    }
    forget(&a);
    a = run(circle, "record when x = 1 + 1e-6\n", NULL, NULL); /* misses */
    CHECK_INT(json_tree_count(events_of(&a)), 0);
    forget(&a);
    a = run(circle, "record when x = 1 - 1e-6\n", NULL, NULL); /* two crossings, close together */
    CHECK_INT(json_tree_count(events_of(&a)), 7); /* one at the start's side, then three pairs */
    const double apart = acos(1 - 1e-6);
    for (int i = 0; i < 7; i++)
        CHECK_NEAR(time_of(&a, (size_t) i), 2 * acos(-1) * ((i + 1) / 2) + (i % 2 ? -apart : apart),
                   20, 1e-9 * 0x1p52, "two roots in one step");
    forget(&a);
}

/* sqrt(|x|) has a tip at x = 0: at the nearest time that a double can tell it is 1e-8. */
TEST(tips_touch_zero)
{
    static const char *const tip[] = {"sqrt(abs(x))", "abs(x)^(1/3)", "sqrt(sqrt(x^2))"};
    for (size_t k = 0; k < sizeof tip / sizeof *tip; k++) {
        char words[100];
        snprintf(words, sizeof words, "record when %s = 0\n", tip[k]);
        answer a = run(circle, words, NULL, NULL);
        CHECK_INT(json_tree_count(events_of(&a)), 6);
        for (size_t i = 0; i < json_tree_count(events_of(&a)); i++) {
            CHECK_NEAR(time_of(&a, i), ((double) i + 0.5) * acos(-1), 20, 1e-9 * 0x1p52, "x = 0");
            CHECK(is_touch(&a, i));
        }
        forget(&a);
        snprintf(words, sizeof words, "record when %s = -1e-3\n", tip[k]);
        a = run(circle, words, NULL, NULL);
        CHECK_INT(json_tree_count(events_of(&a)), 0);
        forget(&a);
    }
}

TEST(many_roots_in_one_step)
{
    answer a = run(circle, "record when sin(40*y) = 0.3\n", NULL, NULL);
    size_t count = 0; /* sin(40 sin t) = 0.3 on (0, 20): count the sign changes finely */
    double before = -0.3;
    for (int i = 1; i <= 4000000; i++) {
        const double g = sin(40 * sin(20.0 * i / 4000000)) - 0.3;
        count += (g > 0) != (before > 0);
        before = g;
    }
    CHECK_INT(json_tree_count(events_of(&a)), count);
    double last = 0;
    for (size_t i = 0; i < json_tree_count(events_of(&a)); i++) {
        const double t = time_of(&a, i);
        CHECK(t > last);
        CHECK_NEAR(sin(40 * sin(t)), 0.3, 1, 1e-9 * 0x1p52, "root");
        last = t;
    }
    forget(&a);
}

TEST(a_stop_ends_the_motion_and_its_rows)
{
    rows r = {0};
    ah_simulate_options o = ah_simulate_defaults();
    o.samples = 8;
    answer a = run(ball,
                   "record \"top\" when y' = 0\nstop \"ground\" when y = 0\n"
                   "record \"later\" when y = -1\nrecord \"also\" when x = 1\n",
                   &o, &r);
    CHECK_INT(a.status, AH_OK);
    const json_tree *stopped = json_tree_get(a.summary, "stopped");
    REQUIRE(stopped != NULL && json_tree_get(stopped, "event") != NULL);
    CHECK_STR(json_tree_get(stopped, "event")->text, "ground");
    CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-12 * 0x1p52, "y = 5 t - 5 t^2");
    const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
    CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), 1, 1, 1e-12 * 0x1p52, "x");
    CHECK_NEAR(json_tree_number(json_tree_at(q, 1)), 0, 1, 1e-12 * 0x1p52, "y");
    CHECK_INT(r.count, 1 + 3 + 1); /* header, t = 0, 3/7, 6/7, and the end */
    CHECK_STR(text_of(&a, 0, "label"), "top");
    free(r.at);
    forget(&a);
}

TEST(the_start_does_not_count)
{
    const char *const begin[] = {"0", "1e-17", "-1e-17"};
    for (int i = 0; i < 3; i++) {
        char words[1000];
        snprintf(words, sizeof words,
                 "coordinate y\nkinetic y'^2/2\npotential 10*y\nstart y = %s, y' = 5\n"
                 "simulate t = 0 .. 3\nstop when y = 0\n",
                 begin[i]);
        answer a = run(words, "", NULL, NULL);
        CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-12 * 0x1p52, "back on the ground");
        forget(&a);
    }
}

TEST(a_particle_leaves_the_sphere)
{
    /* λ = 0 where v² = g y; with v²/2 + g y = v0²/2 + g that is y = (v0²/g + 2)/3. */
    answer a = run("parameter g = 9.81, v = 0.3\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential g*y\nconstraint sphere: x^2 + y^2 = 1\n"
                   "start x = 0, y = 1, x' = v, y' = 0\nsimulate t = 0 .. 5\n"
                   "stop \"leaves\" when lambda[sphere] = 0\nrecord when reaction[y] = g/2\n"
                   "record \"quick\" when x'' = 2\n",
                   "", NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
    CHECK_NEAR(json_tree_number(json_tree_at(q, 1)), (0.09 / 9.81 + 2) / 3, 1, 1e-11 * 0x1p52,
               "height");
    CHECK(json_tree_count(events_of(&a)) >= 3);
    forget(&a);
}

TEST(events_of_speeds_by_every_state)
{
    /* The skate turns evenly: theta = 0.3 + 0.7 t; its speed v grows like
     * g sin α (sin θ − sin θ0)/w. */
    static const char skate[] =
        "parameter m = 2, I = 0.3, g = 9.81, alpha = 0.2\ncoordinate x, y, theta\n"
        "kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2\npotential -m*g*sin(alpha)*x\n"
        "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
        "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n"
        "quasivelocity u1 = x'*cos(theta) + y'*sin(theta), u2 = theta'\n"
        "start x = 0, y = 0, theta = 0.3, v = 1, w = 0.7\nsimulate t = 0 .. 10\n"
        "record \"z\" when v = 1.5\nrecord \"omega\" when u1 = 1.5\nrecord \"rate\" when v' = 1\n"
        "record \"omega rate\" when u1' = 1\nrecord \"mass\" when M[1,1]*v = 3\n";
    const char *const method[] = {"parametric", "multipliers", "hamel", "maggi", "gauss"};
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = 1e-12;
        o.method = method[k];
        answer a = run(skate, "", &o, NULL);
        CHECK_INT(a.status, AH_OK);
        const double c = 9.81 * sin(0.2);
        const double first = (asin(0.5 * 0.7 / c + sin(0.3)) - 0.3) / 0.7;
        const double rate = (acos(1 / c) - 0.3) / 0.7;
        for (size_t i = 0; i < json_tree_count(events_of(&a)) && i < 5; i++) {
            const bool is_rate = strstr(text_of(&a, i, "label"), "rate") != NULL;
            CHECK_NEAR(time_of(&a, i), is_rate ? rate : first, 1, 1e-9 * 0x1p52, method[k]);
        }
        CHECK(json_tree_count(events_of(&a)) >= 10);
        forget(&a);
    }
}

TEST(events_by_every_integrator)
{
    const char *const name[] = {"dop853", "taylor", "adams", "bdf", "ida"};
    for (size_t k = 0; k < sizeof name / sizeof *name; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = 1e-9;
        o.atol = 1e-11;
        o.integrator = name[k];
        answer a = run("parameter g = 9.81, v = 0.3\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                       "potential g*y\nconstraint sphere: x^2 + y^2 = 1\n"
                       "start x = 0, y = 1, x' = v, y' = 0\nsimulate t = 0 .. 5\n"
                       "record \"side\" when x = 1/2\nstop \"leaves\" when lambda[sphere] = 0\n",
                       "", &o, NULL);
        if (a.status == AH_OK) {
            const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
            CHECK_INT(json_tree_count(events_of(&a)), 2);
            CHECK_NEAR(json_tree_number(json_tree_at(q, 1)), (0.09 / 9.81 + 2) / 3, 1,
                       1e-6 * 0x1p52, name[k]);
        } else {
            CHECK(a.status == AH_E_INPUT && k >= 2); /* built without SUNDIALS */
        }
        forget(&a);
    }
}

TEST(odd_events)
{
    answer a = run(circle, "stop when x^2 + y^2 = 1\nstop when 0*x = 0\n", NULL, NULL);
    CHECK_INT(a.status, AH_OK); /* zero all the time: never happens, and the summary says so */
    CHECK_INT(json_tree_count(events_of(&a)), 0);
    const json_tree *watched = json_tree_get(a.summary, "watched");
    CHECK_STR(json_tree_get(json_tree_at(watched, 0), "remark")->text, "is zero all the time");
    CHECK_STR(json_tree_get(json_tree_at(watched, 1), "remark")->text, "is zero all the time");
    forget(&a);
    a = run(circle, "record when sqrt(x) = 0.5\n", NULL, NULL); /* undefined half of the time */
    CHECK_INT(a.status, AH_OK);
    CHECK_INT(json_tree_count(events_of(&a)), 6); /* cos t = 1/4 */
    for (size_t i = 0; i < json_tree_count(events_of(&a)); i++)
        CHECK_NEAR(cos(time_of(&a, i)), 0.25, 1, 1e-10 * 0x1p52, "sqrt(x) = 1/2");
    forget(&a);
    a = run(circle, "stop when G[1,1] = 0\n", NULL, NULL); /* there are no constraints */
    CHECK_INT(a.status, AH_E_INPUT);
    forget(&a);
    a = run(ball,
            "constraint c: y' = x' + 4\nquasivelocity w1 = y' - x' - 4, w2 = x'\n"
            "record when beta[1,2,1] = 1\n",
            NULL, NULL);
    CHECK(a.diagnostics && strstr(a.diagnostics, "A0614"));
    forget(&a);
}

static bool keep_event(void *user, const char *words, size_t length)
{
    return keep_rows(user, words, length);
}

/* A zero that a step ends at is as good as one within: what lies between the two is on the other side. */
TEST(two_zeros_of_which_one_is_the_end)
{
    static const char free_point[] = "coordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\n"
                                     "simulate t = 0 .. 1.01\n";
    static const char *const by[] = {"dop853", "taylor", "adams", "bdf"};
    for (int i = 0; i < 4; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = by[i];
        answer a = run(free_point, "record when ((x - 1)/1e-2)^2 = 1\n", &o, NULL);
        CHECK_INT(json_tree_count(events_of(&a)), 1);
        CHECK_NEAR(time_of(&a, 0), 0.99, 1, 1e-9 * 0x1p52, by[i]);
        forget(&a);
    }
}

/* The same motion in units a thousand million times larger, or smaller, has the same events. */
TEST(units_do_not_count)
{
    static const char *const size[] = {"1e-15", "1e-12", "1e-6", "1", "1e9"};
    for (int k = 0; k < 5; k++) {
        char words[300];
        ah_simulate_options o = ah_simulate_defaults();
        snprintf(words, sizeof words,
                 "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = %s, x' = 0\n"
                 "simulate t = 0 .. 20\nrecord when x = 0\n",
                 size[k]);
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_NEAR(final(&a, "q", 0) / strtod(size[k], NULL), cos(20), 1, 1e-8 * 0x1p52, size[k]);
        CHECK_INT(json_tree_count(events_of(&a)), 6);
        for (size_t i = 0; i < json_tree_count(events_of(&a)); i++)
            CHECK_NEAR(time_of(&a, i), ((double) i + 0.5) * acos(-1), 1, 1e-8 * 0x1p52, size[k]);
        forget(&a);
    }
}

static const char *remark_of(const answer *a, size_t i)
{
    const json_tree *r =
        json_tree_get(json_tree_at(json_tree_get(a->summary, "watched"), i), "remark");
    return r->kind == JSON_STRING ? r->text : "";
}

static double crossed(const answer *a, size_t i)
{
    return json_tree_number(
        json_tree_get(json_tree_at(json_tree_get(a->summary, "watched"), i), "crossed"));
}

/* 1/x and x/|x| change their signs where x = cos t does, and tan t at (k + 1/2) π: none is zero there. */
TEST(poles_and_jumps_are_no_events)
{
    static const char *const integrator[] = {"dop853", "taylor", "bdf"};
    for (size_t k = 0; k < 3; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = integrator[k];
        answer a = run(circle,
                       "record when 1/x = 0\nrecord when x/sqrt(x^2) = 0\nrecord when tan(t) = 0\n"
                       "stop when 1/(t - 7) = 0\nrecord when atan2(y, x) = 0\nrecord when x = 0\n"
                       "record when (x - 1/2)^3/x = 0\n",
                       &o, NULL);
        CHECK_INT(a.status, AH_OK);
        const double wanted[] = {0, 0, 6, 0, 3, 6, 7};
        for (size_t i = 0; i < 7; i++) CHECK_NEAR(crossed(&a, i), wanted[i], 1, 0, integrator[k]);
        for (size_t i = 0; i < 5; i++) CHECK(strstr(remark_of(&a, i), "pole") != NULL);
        CHECK_STR(remark_of(&a, 5), "");
        forget(&a);
    }
}

/* Beside a pole other values are not zero: x = t, and the cube root of −1000 is far. */
TEST(a_pole_makes_no_touch)
{
    static const char line[] =
        "coordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\nsimulate t = 0 .. 10\n";
    ah_simulate_options o = ah_simulate_defaults();
    answer a = run(line,
                   "record when 1/(x - 3)^3 + 1/1000 = 0\nrecord when (x - 5)^2 = 0\n"
                   "record when (x - 4)*(x - 6)/(x - 3)^5 = 0\n",
                   &o, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_NEAR(crossed(&a, 0), 0, 1, 0, "never");
    CHECK_NEAR(crossed(&a, 2), 2, 1, 0, "at 4 and 6");
    size_t touches = 0;
    for (size_t i = 0; i < json_tree_count(events_of(&a)); i++) touches += is_touch(&a, i);
    CHECK_INT(touches, 1); /* at 5 */
    forget(&a);
}

/* A fall from rest at the height 0: T + V = 0 is two terms that cancel, which are nothing yet at the start. */
TEST(what_cancels_is_not_undersampled)
{
    static const char fall[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 9.81*y\n"
                               "constraint a: x^2 + y^2 = 1\nstart x = 1, y = 0\n"
                               "simulate t = 0 .. 6\n";
    answer a = run(fall, "record when energy = 0\nrecord when x = 0\n", NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK_STR(remark_of(&a, 0), "is zero all the time");
    CHECK_STR(remark_of(&a, 1), "");
    forget(&a);
}

/* x = t: 2 is reached with the end of the span, 1 and 3/2 before it, 2.001 not at all. */
TEST(zero_at_the_very_end_is_told)
{
    static const char line[] =
        "coordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\nsimulate t = 0 .. 2\n";
    answer a = run(line,
                   "record when x = 2\nrecord when x = 1\nrecord when (x - 3/2)^2 = 0\n"
                   "record when x = 2.001\n",
                   NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK(strstr(remark_of(&a, 0), "at the end") != NULL);
    for (size_t i = 1; i < 4; i++) CHECK_STR(remark_of(&a, i), "");
    forget(&a);
}

TEST(events_that_are_undersampled_are_told)
{
    answer a = run(circle, "record when sin(1e9*x') = 0\nrecord when sin(3*t) = 0\n", NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK(strstr(remark_of(&a, 0), "undersampled") != NULL);
    CHECK_STR(remark_of(&a, 1), "");
    CHECK_NEAR(crossed(&a, 1), 19, 1, 0, "3 t = k π below 60");
    forget(&a);
    a = run(circle, "record when sin(1000*t) = 0\n", NULL, NULL); /* in parts of its steps */
    CHECK_STR(remark_of(&a, 0), "");
    CHECK_NEAR(crossed(&a, 0), 6366, 1, 0, "1000 t = k π below 20000");
    forget(&a);
}

/* Twice within a millionth of a step: e^(−(1e6 (x − 0.3))²) = 1/2 where 1e6 |x − 0.3| = √log 2. */
TEST(narrow_events_are_found)
{
    static const char *const by[] = {"dop853", "taylor", "adams", "bdf"};
    const double w = 1e-6 * sqrt(log(2));
    for (int k = 0; k < 4; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = by[k];
        answer a = run(circle, "record \"x\" when exp(-(1e6*(x - 0.3))^2) = 0.5\n", &o, NULL);
        CHECK_INT(json_tree_count(events_of(&a)), 12); /* x = 0.3 six times below 20 */
        for (size_t i = 0; i < json_tree_count(events_of(&a)); i++) {
            const double x = cos(time_of(&a, i)), near = fmin(fabs(x - 0.3 - w), fabs(x - 0.3 + w));
            CHECK_NEAR(near, 0, 1, (k < 2 ? 2e-9 : 1e-6) * 0x1p52, by[k]);
            CHECK_STR(text_of(&a, i, "direction"), i % 2 ? "falling" : "rising");
        }
        forget(&a);
    }
    answer a = run(circle, "record when exp(-(1e8*(t - 3.3))^2) = 0.5\nstop when t^3 = 1000\n",
                   NULL, NULL);
    CHECK_INT(json_tree_count(events_of(&a)), 3);
    CHECK_NEAR(time_of(&a, 0), 3.3 - 1e-8 * sqrt(log(2)), 1, 1e-14 * 0x1p52, "rises");
    CHECK_NEAR(time_of(&a, 1), 3.3 + 1e-8 * sqrt(log(2)), 1, 1e-14 * 0x1p52, "falls");
    CHECK_NEAR(time_of(&a, 2), 10, 10, 64, "stops");
    forget(&a);
    a = run(circle, "stop when 1/((x - 0.3)^2 + (y + 0.95)^2 + 1e-10) = 2e9\n", NULL, NULL);
    CHECK_INT(json_tree_count(events_of(&a)), 0); /* passes at 0.0039: 65000 at most */
    CHECK_STR(reason(&a), "");
    forget(&a);
}

static const char *const every[] = {"dop853", "taylor", "adams", "bdf", "ida"};

/* (1 + t) e^-t falls to 5e-25 and stays above zero: errors of 1e-17 that went to and fro were events. */
TEST(what_dies_away_does_not_cross)
{
    for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = every[k];
        answer a = simulate("coordinate a\nkinetic a'^2/2\nforce a = -a - 2*a'\n"
                            "start a = 1, a' = 0\nsimulate t = 0 .. 60\nrecord \"z\" when a = 0\n",
                            &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        for (size_t i = 0; i < json_tree_count(events_of(&a)); i++) CHECK(is_touch(&a, i));
        forget(&a);
    }
}

/* Steps as long as the motion: some of infinitely many are found, and that is said. Where g stays zero for a while, the beginning of that is the time. */
TEST(long_steps_over_many_zeros)
{
    for (size_t k = 0; k < sizeof every / sizeof *every; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = every[k];
        answer a =
            simulate("coordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\n"
                     "simulate t = 0 .. 10\nrecord when sin(1/(x - 3)) = 0\n"
                     "record when max(x - 3, 0) + min(x - 2, 0) = 0\nrecord when 1/(x - 3) = 0\n",
                     &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK(strstr(remark_of(&a, 0), "undersampled") != NULL);
        CHECK_NEAR(crossed(&a, 1), 1, 1, 0, every[k]);
        for (size_t i = 0; i < json_tree_count(events_of(&a)); i++)
            if (json_tree_number(json_tree_get(json_tree_at(events_of(&a), i), "event")) == 1)
                CHECK_NEAR(time_of(&a, i), 2, 1, 1e-9 * 0x1p52, every[k]);
        CHECK(strstr(remark_of(&a, 2), "undersampled") == NULL);
        CHECK(strstr(remark_of(&a, 2), "pole") != NULL);
        forget(&a);
    }
}

/* Turns without end in a step are not looked at one by one, and what needs none of them is not spoken of. */
TEST(turns_are_looked_at_for_a_few_seconds)
{
    answer a = run("coordinate x, b\nkinetic (x'^2 + b'^2)/2\npotential x^2/2\n"
                   "start x = 1, x' = 0, b = 0, b' = 1e15\nsimulate t = 0 .. 10\n",
                   "record when sin(b) = 2\nrecord when x = 0\n", NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    CHECK(strstr(remark_of(&a, 0), "undersampled") != NULL);
    CHECK_STR(remark_of(&a, 1), "");
    CHECK_INT(crossed(&a, 1), 3); /* cos t below 10 */
    forget(&a);
}

/* What never comes and is never near is not called undersampled; what may, is. */
TEST(what_may_be_missing_is_told)
{
    static const struct {
        const char *event;
        bool said;
    } of[] = {{"sin(1000*t) = 0.5", false},
              {"sin(1e5*x') = 0.5", true},
              {"sqrt(x^2 + y^2) = 1.0000001", true},
              {"sin(1/(x - 0.002)) = 0.5", true},
              {"sqrt(x^2 + y^2) = 1.01", false},
              {"exp(energy) = exp(1.01)", false},
              {"tan(x) = 1.5", false},
              {"abs(x) + 1e-7 = 0", false},
              {"tanh(1e9*(x - 0.3)) = 0.5", false},
              {"atan2(y, x) = 3.1", false},
              {"1/x^2 = 0", false},
              {"exp(-(x/1e-5)^2) = 1.01", false},
              {"max(x, y) = 0.9", false},
              {"cosh(x)^3 + sin(x*y) = 0", false},
              {"acos(x/2)*asin(y/2) = 1.3", false}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char words[100];
        ah_simulate_options o = ah_simulate_defaults();
        snprintf(words, sizeof words, "record when %s\n", of[i].event);
        answer a = run(circle, words, &o, NULL);
        CHECK_INT(a.status, AH_OK);
        const bool said = strstr(remark_of(&a, 0), "undersampled") != NULL;
        CHECK_STR(said ? of[i].event : "", of[i].said ? of[i].event : "");
        forget(&a);
    }
}

TEST(events_as_rows)
{
    rows r = {0};
    ah_simulate_options o = ah_simulate_defaults();
    o.write_event = keep_event;
    o.event_user = &r;
    answer a = run(ball, "record \"say \"\"when\"\"\" when y = 1\n", &o, NULL);
    CHECK_INT(a.status, AH_E_INPUT); /* no quotes in a label */
    forget(&a);
    a = run(ball, "record \"a, b\" when y = 1\n", &o, NULL);
    CHECK_INT(r.count, 3);
    REQUIRE(r.at != NULL);
    CHECK(strncmp(r.at, "event,direction,value,t,x,y,", 28) == 0);
    CHECK(strstr(r.at, "\n\"a, b\",rising,") && strstr(r.at, "\n\"a, b\",falling,"));
    free(r.at);
    forget(&a);
}

TEST(events_without_a_text)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "spring");
    const ah_expr x = ah_model_coordinate(m, "x"), v = ah_model_velocity(m, x);
    const ah_expr half = ah_rational(ctx, 1, 2), zero = ah_int(ctx, 0), one = ah_int(ctx, 1);
    CHECK_INT(ah_model_kinetic(m, ah_mul(ctx, half, ah_mul(ctx, v, v))), AH_OK);
    CHECK_INT(ah_model_potential(m, ah_mul(ctx, half, ah_mul(ctx, x, x))), AH_OK);
    CHECK_INT(ah_model_start(m, x, one), AH_OK);
    CHECK_INT(ah_model_start(m, v, zero), AH_OK);
    CHECK_INT(ah_model_span(m, zero, ah_int(ctx, 9)), AH_OK);
    CHECK_INT(ah_model_event(m, "middle", x, 1, false), AH_OK); /* 3 π/2, 7 π/2 > 9 */
    CHECK_INT(ah_model_event(m, "rest", v, 0, true), AH_OK);    /* π: the start does not count */
    CHECK_INT(ah_model_finish(m), AH_OK);
    ah_simulate_options o = ah_simulate_defaults();
    answer a = simulate_model(ctx, m, &o);
    CHECK_INT(a.status, AH_OK);
    CHECK_INT(json_tree_count(events_of(&a)), 1);
    CHECK_NEAR(number(&a, "final", "t"), acos(-1), 1, 1e-8 * 0x1p52, "at rest again");
    forget(&a);
    ah_ctx_destroy(ctx);
}

/* Quantities that exist on parts of the way alone: x = cos t is negative between π/2 and 3π/2. Beside those times they are
 * met as any other, by every integrator; where one begins or ceases to exist is no event. */
TEST(what_exists_on_a_part_of_the_way)
{
    static const char *const events[] = {"record when sqrt(x) = 0.5\n",
                                         "record when log(x) = log(0.25)\n",
                                         "record when sqrt(x)*x = 0.125\n", "record when 1/x = 4\n",
                                         "record when asin(4*x) = pi/6 + 0*t\n"};
    static const double x[] = {0.25, 0.25, 0.25, 0.25, 0.125};
    static const char *const integrators[] = {"dop853", "taylor", "adams", "bdf"};
    for (size_t k = 0; k < sizeof events / sizeof *events; k++)
        for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
            ah_simulate_options o = ah_simulate_defaults();
            o.integrator = integrators[i];
            o.to = "6";
            answer a = run(circle, events[k], &o, NULL);
            CHECK_INT(a.status, AH_OK);
            CHECK_INT(json_tree_count(events_of(&a)), 2);
            CHECK_NEAR(time_of(&a, 0), acos(x[k]), 1, 1e-6 * 0x1p52,
                       "falling, by steps of error 1e-10");
            CHECK_NEAR(time_of(&a, 1), 2 * acos(-1) - acos(x[k]), 1, 1e-6 * 0x1p52, "rising again");
            forget(&a);
        }
}
