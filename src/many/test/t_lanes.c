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
    const char *model, *over, *outputs, *lanes;
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
    options.engine = "cc";
    options.lanes = o->lanes;
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
