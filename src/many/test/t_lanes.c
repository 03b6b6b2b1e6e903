/* t_lanes - runs on lanes: closed forms, the runs one by one, the same bytes in whatever lane they fall. */
#include "harness.h"

#include "many/ensemble_inside.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

typedef struct table {
    size_t columns, count, failed;
    double values[4000];
    unsigned lanes;
    uint64_t alone;
    char why_not[100];
} table;

static bool take(void *user, const ah_ensemble_part *part)
{
    table *t = user;
    memcpy(t->values + part->first * t->columns, part->values,
           part->count * t->columns * sizeof *t->values);
    for (size_t i = 0; i < part->count; i++) t->failed += part->failed[i] != NULL;
    t->count += part->count;
    return true;
}

typedef struct order {
    const char *model, *over, *outputs, *lanes, *method, *engine;
    size_t threads, chunk;
    double tolerance;
    uint64_t random;
} order;

static table run(const order *o)
{
    table t = {0};
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_ensemble *e = NULL;
    ah_ensemble_summary summary;
    ah_ensemble_options options = ah_ensemble_defaults();
    ah_ensemble_run_options how = ah_ensemble_run_defaults();
    options.engine = o->engine ? o->engine : "cc";
    options.lanes = o->lanes;
    options.method = o->method;
    options.random = o->random;
    options.rtol = options.atol = o->tolerance;
    CHECK(ah_read(ctx, "model", o->model, strlen(o->model), NULL, &m) == AH_OK);
    CHECK(ah_ensemble_create(m, &options, &e) == AH_OK);
    CHECK((o->random ? ah_ensemble_spread : ah_ensemble_over)(e, o->over) == AH_OK);
    CHECK(ah_ensemble_outputs(e, o->outputs) == AH_OK);
    t.columns = ah_ensemble_columns(e);
    CHECK(t.columns * ah_ensemble_count(e) <= sizeof t.values / sizeof *t.values);
    how.threads = o->threads ? o->threads : 1;
    how.chunk = o->chunk;
    how.rows = take;
    how.user = &t;
    CHECK(ah_ensemble_run(e, &how, &summary) == AH_OK);
    t.lanes = summary.lanes;
    t.alone = summary.alone;
    snprintf(t.why_not, sizeof t.why_not, "%s", summary.no_lanes ? summary.no_lanes : "");
    if (!t.lanes && summary.no_lanes) printf("# not on lanes: %s\n", summary.no_lanes);
    ah_ensemble_destroy(e);
    ah_ctx_destroy(ctx);
    return t;
}

/* y = v t − g t²/2 until it comes down at 2 v/g; x = cos(w t): angles of all sizes go through sine and cosine of the
 * forces, which cancel: x'' = −w² x + (sin² + cos² − 1) of large angles. */
static const char ball[] =
    "parameter m = 2, g = 10, w = 3, far = 1e5\n"
    "coordinate x, y\n"
    "kinetic 1/2*m*(x'^2 + y'^2)\n"
    "potential m*g*y + m*w^2*x^2/2\n"
    "force x = sin(far*x)*cos(far*y) - (sin(far*x + far*y) + sin(far*x - far*y))/2\n"
    "start x = 1, y = 0, x' = 0, y' = 5\n"
    "simulate t = 0 .. 30/g\n"
    "record \"top\" when y' = 0\n"
    "record \"swings\" when x = 0 rising\n"
    "stop \"ground\" when y = 0 falling\n";

TEST(lanes_know_closed_forms)
{
    static table t;
    t = run(&(order){.model = ball,
                     .over = "y'=4..6:9,g=8..12:5",
                     .outputs = "first(\"top\").t,first(\"top\").y,final.t,final.x,max(y),min(x),"
                                "integral(y),mean(x),count(\"swings\"),last(\"swings\").t,start.x",
                     .lanes = "on",
                     .tolerance = 1e-11});
    if (!t.lanes) return; /* there is no such compiler */
    CHECK(t.count == 45 && t.failed == 0 && t.alone < 5);
    for (size_t i = 0; i < t.count; i++) {
        const double *r = t.values + i * t.columns, v = r[0], g = r[1], w = 3, T = 2 * v / g;
        const double turns = floor((w * T / PI + 0.5) / 2); /* rising at 3π/2, 7π/2, … */
        const char *why = "tolerance of 1e-11 a step";
        CHECK_NEAR(r[2], v / g, 1, 1e5, why);
        CHECK_NEAR(r[3], v * v / (2 * g), 1, 1e5, why);
        CHECK_NEAR(r[4], T, 1, 1e5, why);
        CHECK_NEAR(r[5], cos(w * T), 1, 1e6, why);
        CHECK_NEAR(r[6], v * v / (2 * g), 1, 1e5, why);
        CHECK_NEAR(r[7], w * T > PI ? -1 : cos(w * T), 1, 1e6, why);
        CHECK_NEAR(r[8], v * T * T / 2 - g * T * T * T / 6, 1, 1e5, why);
        CHECK_NEAR(r[9], sin(w * T) / (w * T), 1, 1e6, why);
        CHECK(r[10] == turns);
        if (turns > 0) CHECK_NEAR(r[11], (2 * turns - 0.5) * PI / w, 1, 1e6, why);
        CHECK(r[12] == 1);
    }
}

/* p = W t, an angle whose sine does not matter: too large for the sines of lanes it is found so on the way, where a step begins. */
static const char winds[] =
    "parameter W = 1\ncoordinate x, p\nkinetic 1/2*(x'^2 + p'^2)\npotential x^2/2\n"
    "force x = 1e-20*sin(p)\n"
    "start x = 1, x' = 0, p = 0, p' = W\nsimulate t = 0 .. 3\n";

TEST(lanes_leave_large_angles)
{
    static table t;
    t = run(&(order){.model = winds,
                     .over = "W=1..1e14:3",
                     .outputs = "final.x,final.p",
                     .lanes = "on",
                     .tolerance = 1e-10});
    if (!t.lanes) return; /* there is no such compiler */
    CHECK(t.count == 3 && t.failed == 0 && t.alone == 2);
    for (size_t i = 0; i < t.count; i++) {
        const double *r = t.values + i * t.columns;
        CHECK_NEAR(r[1], cos(3), 1, 1e7, "tolerance of 1e-10 a step");
        CHECK_NEAR(r[2], 3 * r[0], r[0], 1e3, "a straight line");
    }
}

/* x and y of a blade that goes round in a circle, x = v/w sin w t, y = v/w (1 − cos w t): nothing reads them, so that not all stages
 * work their derivatives out. What is between the steps is right all the same. */
static const char circle[] = "parameter m = 1, J = 1, V = 2, W = 1\ncoordinate x, y, theta\n"
                             "kinetic m/2*(x'^2 + y'^2) + J/2*theta'^2\n"
                             "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                             "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n"
                             "start x = 0, y = 0, theta = 0, v = V, w = W\nsimulate t = 0 .. 7\n"
                             "record \"aside\" when y = V/W rising\n";

TEST(lanes_know_what_nobody_reads)
{
    static table t;
    t = run(&(order){.model = circle,
                     .over = "W=0.5..2:13,V=1..3:3",
                     .outputs = "final.x,final.y,max(x),mean(y),first(\"aside\").t",
                     .lanes = "on",
                     .tolerance = 1e-11});
    if (!t.lanes) return; /* there is no such compiler */
    CHECK(t.count == 39 && t.failed == 0 && t.alone < 5);
    for (size_t i = 0; i < t.count; i++) {
        const double *r = t.values + i * t.columns, w = r[0], R = r[1] / w, turned = 7 * w;
        CHECK_NEAR(r[2], R * sin(turned), R, 1e6, "tolerance of 1e-11 a step");
        CHECK_NEAR(r[3], R * (1 - cos(turned)), R, 1e6, "tolerance of 1e-11 a step");
        CHECK_NEAR(r[4], R, R, 1e6, "tolerance of 1e-11 a step");
        CHECK_NEAR(r[5], R * (1 - sin(turned) / turned), R, 1e6, "tolerance of 1e-11 a step");
        CHECK_NEAR(r[6], PI / 2 / w, 1, 1e6, "tolerance of 1e-11 a step");
    }
}

/* Constraints that must be projected onto, and ranks that are watched. */
static const char pendulum[] =
    "parameter m1 = 1, m2 = 2, g = 9.81, k = 1\n"
    "coordinate x1, y1, x2, y2\n"
    "point P1 mass m1 at (x1, y1)\npoint P2 mass m2 at (x2, y2)\ngravity (g, 0)\n"
    "potential k/2*(x1^2 + y1^2 + x2^2 + y2^2)\n"
    "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n"
    "start x1 = 1, y1 = 0.2, x2 = 1.5, y2 = -0.4, x1' = -0.08, y1' = 0.8, x2' = -0.25, y2' = "
    "-0.75\n"
    "simulate t = 0 .. 5\n";

TEST(lanes_agree_with_runs_one_by_one)
{
    static table on, off;
    order o = {.model = pendulum,
               .over = "m1=1..1.5,k=0..2",
               .outputs = "final.x1,final.y2',min(y1),mean(x2),final.energy,start.energy",
               .lanes = "on",
               .tolerance = 1e-11,
               .random = 60};
    on = run(&o);
    o.lanes = "off";
    off = run(&o);
    if (!on.lanes) return;
    CHECK(on.alone < 6);
    CHECK(!off.lanes && on.count == 60 && off.count == 60 && !on.failed && !off.failed);
    for (size_t i = 0; i < on.count * on.columns; i++)
        CHECK_NEAR(on.values[i], off.values[i], 1 + fabs(off.values[i]), 1e7, "tolerance a step");
    for (size_t i = 0; i < on.count; i++)
        CHECK_NEAR(on.values[i * on.columns + 6], on.values[i * on.columns + 7], 20, 1e6,
                   "energy is conserved");
}

/* A run has the same bytes in whatever lane, chunk or thread it falls. */
TEST(lanes_leave_no_trace)
{
    static table one, other;
    order o = {.model = pendulum,
               .over = "m1=1..1.5,k=0..2",
               .outputs = "final.x1,final.y2',min(y1),mean(x2),final.energy,start.energy",
               .lanes = "on",
               .tolerance = 1e-11,
               .random = 60};
    one = run(&o);
    o.chunk = 7;
    o.threads = 3;
    other = run(&o);
    CHECK(!memcmp(one.values, other.values, one.count * one.columns * sizeof *one.values));
}

/* What ends, or is touched, or is not defined, is said as it is of runs one by one. */
TEST(what_troubles_lanes_is_run_by_itself)
{
    static const char wall[] = "parameter a = 1\ncoordinate x\nkinetic 1/2*x'^2\n"
                               "potential -2*log(a - x)\n"
                               "start x = 0, x' = 1\nsimulate t = 0 .. 4\n"
                               "record \"touches\" when x = 0\n";
    static table on, off;
    order o = {.model = wall,
               .over = "a=-1..3:21",
               .outputs = "final.x,count(\"touches\")",
               .lanes = "on",
               .tolerance = 1e-10};
    on = run(&o);
    o.lanes = "off";
    off = run(&o);
    CHECK(on.count == 21 && on.failed == off.failed && on.failed > 0);
    for (size_t i = 0; i < on.count; i++) {
        const double *a = on.values + i * on.columns, *b = off.values + i * off.columns;
        CHECK(isnan(a[1]) == isnan(b[1]));
        if (!isnan(a[1])) CHECK_NEAR(a[1], b[1], 1, 1e8, "tolerance a step");
        CHECK(isnan(a[2]) ? isnan(b[2]) : a[2] == b[2]);
    }
}

/* The two points of Example 4 of [B11], symmetric to the x-axis, come to rest while they rise: all velocities vanish, and the
 * rank of the constraint is lost. In the last runs they start lower, and the time does not suffice. */
TEST(ranks_are_lost_on_lanes_as_in_runs)
{
    static const char mirror[] =
        "parameter m = 1.2, g = 4.9, v = 1\ncoordinate x1, y1, x2, y2\n"
        "point P1 mass m at (x1, y1)\npoint P2 mass m at (x2, y2)\ngravity (g, 0)\n"
        "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n"
        "start x1 = 0.8, y1 = 0.6, x2 = 0.8, y2 = -0.6, x1' = -0.6*v, y1' = 0.8*v, x2' = -0.6*v, "
        "y2' = -0.8*v\nsimulate t = 0 .. 0.25\n";
    static table on, off;
    order o = {.model = mirror,
               .over = "v=0.5..2:16",
               .outputs = "final.x1",
               .lanes = "on",
               .tolerance = 1e-10};
    on = run(&o);
    o.lanes = "off";
    off = run(&o);
    CHECK(on.failed == off.failed && on.failed > 0 && on.failed < on.count);
    if (on.lanes) CHECK(on.alone >= on.failed);
    for (size_t i = 0; i < on.count; i++)
        CHECK(isnan(on.values[i * on.columns + 1]) == isnan(off.values[i * off.columns + 1]));
}

/* ---- Events, beginnings, what cannot be on lanes ---------------------------------------------- */

/* On lanes and one by one: the same failures, the same counts (columns from `counts` on), numbers to the tolerance. */
static bool agree(const order *o, size_t counts, table *on)
{
    static table off;
    order one_by_one = *o;
    one_by_one.lanes = "off";
    *on = run(o);
    off = run(&one_by_one);
    CHECK(on->count == off.count && on->failed == off.failed && on->columns == off.columns);
    for (size_t i = 0; i < on->count * on->columns; i++) {
        const double a = on->values[i], b = off.values[i];
        CHECK(isnan(a) == isnan(b));
        if (isnan(a) || isnan(b)) continue;
        if (i % on->columns >= counts) CHECK(a == b);
        CHECK_NEAR(a, b, 1 + fabs(b), 1e8, "tolerance a step");
    }
    return on->lanes > 0;
}

/* What has the same zeros is 2 x and 4 x: those of x + x³ may lie one rounding error behind a stop.
 *
 * x = cos(w t): zeros at (k + 1/2)π/w, rests at kπ/w, of which the start is one; x = 1 is touched, not crossed; log(x) does not exist
 * half of the time; many zeros of sin(50 x) are in one step; a (x + 2) vanishes identically where a = 0. */
#define COSINE(span)                                                                               \
    "parameter w = 1, a = 1\ncoordinate x\nkinetic x'^2/2\npotential w^2*x^2/2\n"                  \
    "start x = 1, x' = 0\nsimulate t = 0 .. " span "\n"

#define LINE                                                                                       \
    "parameter v = 1\ncoordinate x\nkinetic x'^2/2\n"                                              \
    "start x = 0, x' = v\nsimulate t = 0 .. 10\n"

TEST(lanes_meet_events_as_runs_do)
{
    static const struct {
        const char *model, *over, *outputs;
        size_t counts;
    } cases[] = {
        {COSINE("7") "record \"zero\" when x = 0\nrecord \"rest\" when x' = 0\n"
                     "record \"up\" when x = 0 rising\nrecord \"down\" when x = 0 falling\n",
         "w=0.5..3:21",
         "first(\"zero\").t,last(\"rest\").x,first(\"up\").x',count(\"zero\"),count(\"rest\"),"
         "count(\"up\"),count(\"down\")",
         4},
        {COSINE(
             "-7") "record \"zero\" when x = 0\nrecord \"up\" when x = 0 rising\n"
                   "record \"down\" when x = 0 falling\nstop \"end\" when x + x'/w/8 = -1 rising\n",
         "w=0.5..3:21",
         "final.t,first(\"up\").t,first(\"down\").t,count(\"zero\"),count(\"up\"),count(\"down\"),"
         "count(\"end\")",
         4},
        {COSINE("7") "record \"touched\" when x = 1\nrecord \"grazed\" when x^2 = 0\n", "w=1..2:9",
         "final.x,count(\"touched\"),count(\"grazed\")", 2},
        {COSINE("7") "record \"e\" when log(x) = -1\n", "w=1..2:9", "final.x,count(\"e\")", 2},
        {COSINE("7") "record \"often\" when sin(50*x) = 0\n", "w=1..2:5",
         "final.x,last(\"often\").t,count(\"often\")", 3},
        {COSINE("7") "record \"never\" when a*(x + 2) = 0\n", "a=-1..1:5",
         "final.x,count(\"never\")", 2},
        {COSINE("7") "record \"with\" when 2*x = 0\nstop \"stops\" when x = 0\n"
                     "record \"also\" when 4*x = 0\n",
         "w=0.1..3:15", "final.t,count(\"with\"),count(\"stops\"),count(\"also\")", 2},
        /* straight lines, in few steps: they begin at zero, flatly or to rounding; zeros that are numbers; two at once */
        {LINE "record \"begins\" when x = 0\nrecord \"flat\" when x^3 = 0\n"
              "record \"near\" when x = 1e-18\n",
         "v=0.5..3:6", "final.x,count(\"begins\"),count(\"flat\"),count(\"near\")", 2},
        {LINE "record \"two\" when x = 2\nrecord \"four\" when 2*x = 4\n"
              "stop \"end\" when x = 4\nrecord \"last\" when 8*x = 32\n",
         "v=0.5..4:8",
         "first(\"two\").t,final.t,count(\"two\"),count(\"four\"),count(\"end\"),count(\"last\")",
         3},
        {LINE "record \"later\" when x - 5 = t - 4\nrecord \"rising\" when x = t rising\n",
         "v=-1..3:5", "final.x,count(\"later\"),count(\"rising\")", 2},
    };
    static table t;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        const order o = {.model = cases[k].model,
                         .over = cases[k].over,
                         .outputs = cases[k].outputs,
                         .lanes = "on",
                         .tolerance = 1e-11};
        if (!agree(&o, cases[k].counts, &t)) continue;
        if (k == 0) CHECK(t.alone < t.count / 2); /* most of it without help */
        for (size_t i = 0; k == 0 && i < t.count; i++) {
            const double *r = t.values + i * t.columns, turns = 7 * r[0] / PI;
            CHECK(r[4] == floor(turns + 0.5) && r[5] == floor(turns));
            CHECK_NEAR(r[1], PI / 2 / r[0], 1, 1e6, "closed form");
        }
    }
}

/* x = v t in a few long steps, in which formulas have many extremes, beside each other and beside a kink; the last one has too many,
 * and the one before it is nothing but rounding errors. */
TEST(what_changes_quickly_is_reduced)
{
    static const char *const kinds[] = {"off", "on"};
    for (int i = 0; i < 2; i++) {
        const order o = {.model = LINE,
                         .over = "v=0.5..3:6",
                         .outputs =
                             "max(sin(7*x)),max(exp(-(x - 1)^2)),integral(sin(200*x)),mean(abs(x - "
                             "2)),max((x + 1)*(x - 1) - x^2),max(sin(1e9*x))",
                         .lanes = kinds[i],
                         .tolerance = 1e-9};
        static table t;
        t = run(&o);
        CHECK(t.count == 6 && t.failed == 0);
        for (size_t k = 0; k < t.count; k++) {
            const double *r = t.values + k * t.columns, v = r[0], X = 10 * v;
            CHECK_NEAR(r[1], 1, 1, 10, "the place of an extreme enters squared");
            CHECK_NEAR(r[2], 1, 1, 10, "the place of an extreme enters squared");
            CHECK_NEAR(r[3], (1 - cos(200 * X)) / (200 * v), 1, 1e5, "nine points a piece");
            CHECK_NEAR(r[4], (4 + (X - 2) * (X - 2)) / (2 * X), 1, 1e6,
                       "a piece of 1e-6 at the kink");
            CHECK_NEAR(r[5], -1, X * X, 4, "rounding errors");
            CHECK(isnan(r[6]));
        }
    }
}

/* More events in one step than are kept of it: x = v t passes 80 places. */
TEST(many_events_in_one_step)
{
    enum { PLACES = 80 };
    static char model[8000] = LINE;
    for (int i = 1; i <= PLACES; i++) {
        char line[80];
        snprintf(line, sizeof line, "record \"e%d\" when 9*x = %d\n", i, i);
        strcat(model, line);
    }
    static table t;
    const order o = {.model = model,
                     .over = "v=1..4:4",
                     .outputs = "first(\"e1\").t,first(\"e80\").t,count(\"e1\"),count(\"e64\"),"
                                "count(\"e65\"),count(\"e80\")",
                     .lanes = "on",
                     .tolerance = 1e-9};
    agree(&o, 3, &t);
    for (size_t i = 0; i < t.count; i++) {
        const double *r = t.values + i * t.columns;
        CHECK_NEAR(r[1], 1 / (9 * r[0]), 1, 1e3, "closed form");
        CHECK_NEAR(r[2], PLACES / (9 * r[0]), 10, 1e3, "closed form");
        CHECK(r[3] == 1 && r[4] == 1 && r[5] == 1 && r[6] == 1);
    }
}

/* A wheel that rolls, by the velocities of all coordinates and by its own; with a time, with values that follow from others. */
#define BLADE_OVER(span, more)                                                                     \
    "parameter m = 2, J = 1, k = 0.3\nlet c = k + 1\ncoordinate x, y, th\n"                        \
    "kinetic m/2*(x'^2 + y'^2) + J/2*th'^2\nforce x = -k*x\n"                                      \
    "constraint blade: sin(th)*x' - cos(th)*y' = 0\n" more "simulate t = " span "\n"
#define BLADE(more) BLADE_OVER("0 .. 3", more)
#define QUASI       "quasivelocity w1 = sin(th)*x' - cos(th)*y', w2 = cos(th)*x' + sin(th)*y', w3 = th'\n"

TEST(lanes_begin_where_runs_do)
{
    static const struct {
        const char *model, *method;
    } cases[] = {
        {BLADE("start x = k, y = 0, th = 0, x' = c, y' = 0, th' = k\n"), NULL},
        {BLADE_OVER("k .. 2 + k", "start x = k, y = 0, th = 0, x' = c, y' = 0, th' = k\n"), NULL},
        {BLADE(QUASI "start x = k, y = 0, th = 0, x' = c, y' = 0, th' = k\n"), "hamel"},
        {BLADE(QUASI "start x = k, y = 0, th = 0, w1 = 0, w2 = c, w3 = k\n"), "hamel"},
        {BLADE(QUASI "start x = k, y = 0, th = 0, w1 = 0, w2 = c, w3 = k, x' = c\n"), "hamel"},
        {BLADE("velocity z1, z2:\n  x' = z1*cos(th)\n  y' = z1*sin(th)\n  th' = z2\n"
               "start x = k, y = 0, th = 0, z1 = c, z2 = k\n"),
         "parametric"},
        {BLADE("velocity z1, z2:\n  x' = z1*cos(th)\n  y' = z1*sin(th)\n  th' = z2\n"
               "start x = k, y = 0, th = 0, x' = c, y' = 0, th' = k\n"),
         "parametric"},
        {BLADE("start x = k, y = 0, th = 0, x' = c, y' = k - 0.3, th' = k\n"),
         NULL},                                                         /* most do not hold */
        {BLADE("start x = k, y = 0, th = 0, x' = c, th' = k\n"), NULL}, /* y' follows */
        {BLADE("velocity z1, z2:\n  x' = z1*cos(th)\n  y' = z1*sin(th)\n  th' = z2\n"
               "start x = k, y = 0, th = 0, x' = c, th' = k\n"),
         "parametric"},
    };
    static table t;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const order o = {.model = cases[i].model,
                         .method = cases[i].method,
                         .over = "k=0.1..0.9:9",
                         .outputs = "final.x,final.y',final.th,start.x',final.energy",
                         .lanes = "on",
                         .tolerance = 1e-11};
        agree(&o, 99, &t);
        CHECK(i == 7 ? t.failed == 8 : t.failed == 0);
        for (size_t k = 0; i != 7 && k < t.count; k++)
            CHECK_NEAR(t.values[k * t.columns + 4], t.values[k * t.columns] + 1, 1, 10,
                       "x' = 1 + k");
    }
}

TEST(what_cannot_be_on_lanes_says_why)
{
#define FREE(more) "parameter k = 1\ncoordinate x, y\nkinetic x'^2/2 + y'^2/2\n" more
#define BEGINS     "start x = 1, y = 0, x' = 0, y' = 1\nsimulate t = 0 .. 1\n"
    static const struct {
        const char *model, *engine, *method, *why;
    } cases[] = {
        {FREE("force x = -k*sign(x')\n" BEGINS), NULL, NULL, "switch"},
        {FREE("force x = -k*x\n" BEGINS), "interpret", NULL, ""},
        {FREE("force x = -k*atan(x)\n" BEGINS), NULL, NULL, ""},
        {FREE("constraint one: x*x' + y*y' = 0\nconstraint two: k*x*x' + k*y*y' = 0\n" BEGINS),
         NULL, "multipliers", "redundant"},
        {FREE("constraint one: x*x' + y*y' = 0\n" BEGINS), NULL, "voronets", "chosen on the way"},
        {FREE("force x = -k*abs(x)*x\n" BEGINS), NULL, NULL, ""},
        {FREE("constraint far: x'' + k*y'' = -x\n" BEGINS), NULL, NULL, "no formula"},
        {FREE("constraint one: x^2 + y^2 = 1\n" BEGINS), NULL, "voronets", "chosen on the way"},
        {FREE("constraint one: x'^2 + y'^2 = 1\n" BEGINS), NULL, NULL, ""},
        {FREE("potential k*x^2\nrecord \"m\" when M[1,1] = x^2 + 1/2\n" BEGINS), NULL, NULL, ""},
    };
    static table t;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const order o = {.model = cases[i].model,
                         .engine = cases[i].engine,
                         .method = cases[i].method,
                         .over = "k=0.5..2:4",
                         .outputs = "final.x,final.y'",
                         .lanes = "on",
                         .tolerance = 1e-11};
        agree(&o, 99, &t);
        printf("# %zu: lanes %u, %s\n", i, t.lanes, t.why_not);
        if (*cases[i].why) CHECK(!t.lanes && strstr(t.why_not, cases[i].why));
    }
}
