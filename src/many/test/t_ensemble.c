/* t_ensemble - many motions: draws of known bits, reductions with closed forms, the same rows for any
 * number of threads, what must be refused. */
#include "harness.h"

#include "many/ensemble_inside.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* y = v t − g t²/2 until it comes down; the second coordinate swings: x = a cos(w t). */
static const char ball[] = "parameter m = 2, g = 10, w = 3, a = 1, twice = 2*w\n"
                           "coordinate x, y\n"
                           "kinetic 1/2*m*(x'^2 + y'^2)\n"
                           "potential m*g*y + m*w^2*x^2/2\n"
                           "start x = a, y = 0, x' = 0, y' = 5\n"
                           "simulate t = 0 .. 30/g\n"
                           "record \"top\" when y' = 0\n"
                           "record \"swings\" when x = 0\n"
                           "stop \"ground\" when y = 0 falling\n";

/* ---- Draws ----------------------------------------------------------------------------------- */

/* The known answers that come with Random123. */
TEST(philox_has_its_published_bits)
{
    static const uint32_t cases[3][10] = {
        {0, 0, 0, 0, 0, 0, 0x6627e8d5, 0xe169c58d, 0xbc57ac4c, 0x9b00dbd8},
        {0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0xffffffff, 0x408f276d,
         0x41c83b0e, 0xa20bc7c6, 0x6d5451fd},
        {0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344, 0xa4093822, 0x299f31d0, 0xd16cfe09,
         0x94fdcceb, 0x5001e420, 0x24126ea1},
    };
    for (size_t i = 0; i < 3; i++) {
        uint32_t out[4];
        draw_bits(cases[i], cases[i] + 4, out);
        for (size_t k = 0; k < 4; k++) CHECK(out[k] == cases[i][6 + k]);
    }
}

/* Of N draws the mean is known to 4 standard errors. */
TEST(draws_have_their_moments)
{
    enum { N = 20000 };
    double u1 = 0, u2 = 0, n1 = 0, n2 = 0, n4 = 0, product = 0;
    for (uint64_t i = 0; i < N; i++) {
        const double u = draw_uniform(7, i, "x"), n = draw_normal(7, i, "x");
        CHECK(u >= 0 && u < 1);
        u1 += u / N, u2 += u * u / N;
        n1 += n / N, n2 += n * n / N, n4 += n * n * n * n / N;
        product += (u - 0.5) * (draw_uniform(7, i, "y") - 0.5) / N;
    }
    CHECK(fabs(u1 - 0.5) < 4 * sqrt(1.0 / 12 / N));
    CHECK(fabs(u2 - 1.0 / 3) < 4 * sqrt(4.0 / 45 / N));
    CHECK(fabs(n1) < 4 * sqrt(1.0 / N));
    CHECK(fabs(n2 - 1) < 4 * sqrt(2.0 / N));
    CHECK(fabs(n4 - 3) < 4 * sqrt(96.0 / N));
    CHECK(fabs(product) < 4 * sqrt(1.0 / 144 / N));
    CHECK(draw_uniform(7, 3, "x") == draw_uniform(7, 3, "x"));
    CHECK(draw_uniform(8, 3, "x") != draw_uniform(7, 3, "x"));
}

/* ---- Rows ------------------------------------------------------------------------------------ */

typedef struct rows {
    size_t columns, count;
    double *values;
    char (*failed)[200];
    uint64_t next;
    bool ordered;
} rows;

static bool take(void *user, const ah_ensemble_part *part)
{
    rows *r = user;
    if (part->first != r->next) r->ordered = false;
    r->next = part->first + part->count;
    memcpy(r->values + part->first * r->columns, part->values,
           part->count * r->columns * sizeof *r->values);
    for (size_t i = 0; i < part->count; i++)
        snprintf(r->failed[part->first + i], 200, "%s", part->failed[i] ? part->failed[i] : "");
    r->count += part->count;
    return true;
}

typedef struct sweep {
    const char *model, *over, *spread, *outputs;
    ah_ensemble_options options;
    size_t threads, chunk;
    ah_ctx *ctx;
    ah_ensemble *e;
    rows rows;
    ah_ensemble_summary summary;
} sweep;

static bool begin(sweep *s)
{
    ah_model *m = NULL;
    s->ctx = ah_ctx_create(NULL);
    if (!s->options.size) s->options = ah_ensemble_defaults();
    if (ah_read(s->ctx, "test", s->model, strlen(s->model), NULL, &m) != AH_OK) return false;
    if (ah_ensemble_create(m, &s->options, &s->e) != AH_OK) return false;
    ah_model_destroy(m); /* the ensemble has a copy */
    return (!s->over || ah_ensemble_over(s->e, s->over) == AH_OK) &&
           (!s->spread || ah_ensemble_spread(s->e, s->spread) == AH_OK) &&
           (!s->outputs || ah_ensemble_outputs(s->e, s->outputs) == AH_OK);
}

static ah_status run(sweep *s)
{
    ah_ensemble_run_options o = ah_ensemble_run_defaults();
    const size_t count = (size_t) ah_ensemble_count(s->e), columns = ah_ensemble_columns(s->e);
    s->rows = (rows){.columns = columns, .ordered = true};
    s->rows.values = calloc(count * columns + 1, sizeof *s->rows.values);
    s->rows.failed = calloc(count + 1, sizeof *s->rows.failed);
    o.threads = s->threads ? s->threads : 1;
    o.chunk = s->chunk;
    o.rows = take;
    o.user = &s->rows;
    return ah_ensemble_run(s->e, &o, &s->summary);
}

static void end(sweep *s)
{
    free(s->rows.values);
    free(s->rows.failed);
    ah_ensemble_destroy(s->e);
    ah_ctx_destroy(s->ctx);
}

static double cell(sweep *s, size_t row, const char *name)
{
    for (size_t i = 0; i < s->rows.columns; i++)
        if (!strcmp(ah_ensemble_name(s->e, i), name))
            return s->rows.values[row * s->rows.columns + i];
    CHECK_STR("no such column", name);
    return NAN;
}

/* ---- Against closed forms -------------------------------------------------------------------- */

/* All reductions of x = cos(w t), y = v t − g t²/2 over 0 … T = 2 v/g. */
TEST(reductions_are_those_of_the_closed_form)
{
    sweep s = {.model = ball,
               .over = "g=5..15:3, w=1..4:2",
               .outputs =
                   "final.t, start.x, max(y), min(y), mean(y), integral(y), mean(x^2), "
                   "first(\"top\").t, last(\"ground\").x, count(\"swings\"), max(x'), min(x), "
                   "integral(abs(x')), count(\"ground\"), final(2*x + t)"};
    REQUIRE(begin(&s) && run(&s) == AH_OK);
    CHECK_INT(s.rows.count, 6);
    CHECK_INT(s.summary.failed, 0);
    for (size_t i = 0; i < 6; i++) {
        const double g = 5 + 5.0 * (double) (i / 2), w = i % 2 ? 4 : 1, v = 5, T = 2 * v / g;
        const double swings = floor(w * T / 3.14159265358979323846 + 0.5), rest = cos(w * T);
        CHECK_NEAR(cell(&s, i, "g"), g, g, 1, "a grid");
        CHECK_NEAR(cell(&s, i, "w"), w, w, 1, "its last axis is the fastest");
        const double ulps = 4e6; /* rtol 1e-10 is 5e5 ulps, a few steps */
        CHECK_NEAR(cell(&s, i, "final.t"), T, T, ulps, "event");
        CHECK_NEAR(cell(&s, i, "start.x"), 1, 1, 0, "start");
        CHECK_NEAR(cell(&s, i, "max(y)"), v * v / (2 * g), 1, ulps, "between steps");
        CHECK_NEAR(cell(&s, i, "min(y)"), 0, 1, ulps, "at the ends");
        CHECK_NEAR(cell(&s, i, "mean(y)"), v * v / (3 * g), 1, ulps, "a parabola");
        CHECK_NEAR(cell(&s, i, "integral(y)"), 2 * v * v * v / (3 * g * g), 1, ulps, "a parabola");
        CHECK_NEAR(cell(&s, i, "mean(x^2)"), 0.5 + sin(2 * w * T) / (4 * w * T), 1, ulps, "cos²");
        CHECK_NEAR(cell(&s, i, "first(\"top\").t"), v / g, 1, ulps, "event");
        CHECK_NEAR(cell(&s, i, "last(\"ground\").x"), rest, 1, ulps, "a state at an event");
        CHECK_NEAR(cell(&s, i, "count(\"swings\")"), swings, 1, 0, "zeros of a cosine");
        CHECK_NEAR(cell(&s, i, "count(\"ground\")"), 1, 1, 0, "the stop counts");
        CHECK_NEAR(cell(&s, i, "final(2*x + t)"), 2 * rest + T, 1, ulps, "a formula");
        const double phase = w * T, pi = 3.14159265358979323846;
        CHECK_NEAR(cell(&s, i, "min(x)"), phase >= pi ? -1 : rest, 1, ulps, "an extreme inside");
        const double most = phase >= 1.5 * pi ? w : phase > pi ? -w * sin(phase) : 0;
        CHECK_NEAR(cell(&s, i, "max(x')"), most, w, ulps, "of a velocity");
        /* ∫|x'| is the way: 1 a quarter of a turn; a kink at each turning point */
        const double half = floor(phase / pi), left = phase - half * pi;
        CHECK_NEAR(cell(&s, i, "integral(abs(x'))"), 2 * half + 1 - cos(left), 1, 2e7, "kinks");
    }
    end(&s);
}

/* Starts, parameters given by others, the span through a parameter, draws. */
TEST(what_varies_arrives_where_it_belongs)
{
    sweep s = {.model = ball,
               .over = "y'=1..9:5",
               .spread = "twice=3..4, x=2+-0.1",
               .outputs = "final.t, start.x, start.y', start.x, max(twice), max(y)"};
    s.options = ah_ensemble_defaults();
    s.options.random = 3;
    CHECK(!begin(&s)); /* start.x twice */
    end(&s);
    s.outputs = "final.t, start.x, start.y', max(twice), max(y)";
    s.options.at = "y=0";
    REQUIRE(begin(&s));
    CHECK_INT(ah_ensemble_count(s.e), 15);
    REQUIRE(run(&s) == AH_OK);
    for (size_t i = 0; i < 15; i++) {
        const double v = 1 + 2.0 * (double) (i / 3);
        double values[3];
        CHECK_INT(ah_ensemble_values(s.e, i, values), AH_OK);
        CHECK_NEAR(cell(&s, i, "start.y'"), v, 1, 0, "a start");
        CHECK_NEAR(cell(&s, i, "max(y)"), v * v / 20, 1, 1e6, "and its motion");
        CHECK_NEAR(cell(&s, i, "max(twice)"), values[1], 1, 0, "a parameter that others gave");
        CHECK(values[1] >= 3 && values[1] < 4 && fabs(values[2] - 2) < 1);
        CHECK_NEAR(cell(&s, i, "start.x"), values[2], 1, 0, "a normal draw");
        CHECK(values[1] == 3 + draw_uniform(1, i, "twice"));
    }
    end(&s);
}

/* An input is constant where it varies: x'' = u. */
TEST(inputs_vary)
{
    sweep s = {.model = "input u = sin(t)\ncoordinate x\nkinetic x'^2/2\nforce x = u\n"
                        "start x = 0, x' = 0\nsimulate t = 0 .. 2\n",
               .over = "u=-1..1:5",
               .outputs = "final.x"};
    REQUIRE(begin(&s) && run(&s) == AH_OK);
    for (size_t i = 0; i < 5; i++)
        CHECK_NEAR(cell(&s, i, "final.x"), 2 * (-1 + 0.5 * (double) i), 1, 1e4, "u t²/2");
    end(&s);
}

/* ---- The same bytes -------------------------------------------------------------------------- */

/* Velocities that must be solved for, a constraint to project on, failures among the runs. */
#define SKATE(begin)                                                                               \
    "parameter m = 2, I = 0.3, g = 9.81, alpha = 0.2, b = 1, beginning = 0.3\n"                    \
    "coordinate x, y, th\n"                                                                        \
    "kinetic m*(x'^2 + y'^2)/2 + I*th'^2/2\n"                                                      \
    "potential -m*g*sin(alpha)*x\n"                                                                \
    "force th = 1 - sqrt(b - x)\n"                                                                 \
    "constraint blade: x'*sin(th) = y'*cos(th)\n"                                                  \
    "start x = 0, y = 0, th = " begin ", x' = 1, th' = 0.7\n"                                      \
    "simulate t = 0 .. 3\n"                                                                        \
    "record \"turn\" when th = 1\n"
static const char skate[] = SKATE("0.3"), skate_by_parameter[] = SKATE("beginning");

TEST(threads_and_chunks_do_not_matter)
{
    static const size_t how[][2] = {{1, 0}, {2, 1}, {4, 3}, {3, 50}};
    sweep first = {0};
    for (size_t k = 0; k < 4; k++) {
        sweep s = {.model = skate,
                   .over = "th=0.1..1.5:8, b=0.5..6:7",
                   .outputs =
                       "final.x, max(y), mean(energy), max(lambda[blade]), first(\"turn\").t",
                   .threads = how[k][0],
                   .chunk = how[k][1]};
        REQUIRE(begin(&s) && run(&s) == AH_OK);
        CHECK(s.rows.ordered);
        CHECK_INT(s.rows.count, 56);
        CHECK(s.summary.failed > 0 && s.summary.failed < 56);
        for (size_t i = 0; i < 56; i++)
            CHECK((*s.rows.failed[i] != 0) == isnan(cell(&s, i, "final.x")));
        if (!k) {
            first = s;
            continue;
        }
        CHECK(!memcmp(s.rows.values, first.rows.values, 56 * s.rows.columns * sizeof(double)));
        for (size_t i = 0; i < 56; i++) CHECK_STR(s.rows.failed[i], first.rows.failed[i]);
        end(&s);
    }
    end(&first);
}

/* A run is the motion that ah_motion makes of a model with these values written into it. */
TEST(a_run_is_the_motion_of_its_values)
{
    sweep s = {.model = skate,
               .over = "th=0.1..0.5:3, b=5..6:2",
               .outputs = "final.x, final.y, final.th'"};
    REQUIRE(begin(&s) && run(&s) == AH_OK);
    for (size_t i = 0; i < 6; i++) {
        ah_trajectory *t = NULL, *own = NULL;
        REQUIRE(ah_ensemble_trajectory(s.e, i, 11, &t) == AH_OK);
        const double *x = ah_trajectory_column(t, (size_t) ah_trajectory_find(t, "x"));
        const double *rate = ah_trajectory_column(t, (size_t) ah_trajectory_find(t, "th'"));
        CHECK_INT(ah_trajectory_rows(t), 11);
        CHECK_NEAR(x[10], cell(&s, i, "final.x"), 1, 1e5, "the whole motion");
        CHECK_NEAR(rate[10], cell(&s, i, "final.th'"), 1, 1e5, "the whole motion");
        /* by text, another route */
        char set[60];
        ah_model *m = NULL;
        ah_system *system = NULL;
        ah_motion_options o = ah_motion_defaults();
        snprintf(set, sizeof set, "b=%.17g,beginning=%.17g", cell(&s, i, "b"), cell(&s, i, "th"));
        REQUIRE(ah_read(s.ctx, "test", skate_by_parameter, strlen(skate_by_parameter), set, &m) ==
                AH_OK);
        REQUIRE(ah_system_create(m, NULL, &system) == AH_OK);
        REQUIRE(ah_trajectory_create(system, &o, 11, &own) == AH_OK);
        const double *y = ah_trajectory_column(own, (size_t) ah_trajectory_find(own, "y"));
        CHECK_NEAR(y[10], cell(&s, i, "final.y"), 1, 1e5, "another model");
        ah_trajectory_destroy(own);
        ah_system_destroy(system);
        ah_trajectory_destroy(t);
        ah_model_destroy(m);
    }
    end(&s);
}

/* ---- Refusals -------------------------------------------------------------------------------- */

static bool refused(const char *over, const char *spread, const char *outputs, uint64_t random,
                    const char *code)
{
    sweep s = {.model =
                   "parameter n = 2, a = 1\ncoordinate x[1..n]\nkinetic sum(i=1..n, x[i]'^2)\n"
                   "start x[1] = 0, x[2] = 0\nsimulate t = 0 .. 1\nrecord \"one\" when x[1] = 1\n",
               .over = over,
               .spread = spread,
               .outputs = outputs};
    s.options = ah_ensemble_defaults();
    s.options.random = random;
    const bool good = begin(&s) && ah_ensemble_count(s.e) && run(&s) == AH_OK;
    const char *got = NULL;
    for (size_t i = 0; !got && i < ah_diagnostic_count(s.ctx); i++)
        got = ah_diagnostic_get(s.ctx, i)->code;
    const bool right = !good && got && !strcmp(got, code);
    if (!right) CHECK_STR(got ? got : "no diagnostic", code);
    end(&s);
    return right;
}

TEST(what_makes_no_sense_is_refused)
{
    CHECK(refused("a=0..1", NULL, NULL, 0, "A0622"));     /* how many? */
    CHECK(refused("a=0..1/0:3", NULL, NULL, 0, "A0622")); /* where to? */
    CHECK(refused("n=1..2:2", NULL, NULL, 0, "A0622"));   /* another model */
    CHECK(refused("a=0..1:3,a=1..2:2", NULL, NULL, 0, "A0622"));
    CHECK(refused("b=0..1:3", NULL, NULL, 0, "A0201"));
    CHECK(refused("2*a=0..1:3", NULL, NULL, 0, "A0106"));
    CHECK(refused(NULL, "a=0..1", NULL, 0, "A0622"));  /* how many draws? */
    CHECK(refused(NULL, NULL, NULL, 5, "A0622"));      /* of what? */
    CHECK(refused(NULL, "a=1+--1", NULL, 5, "A0622")); /* a negative deviation */
    CHECK(refused(NULL, "a=0..1:3", NULL, 5, "A0622"));
    CHECK(refused("a=0..1:2", NULL, "largest(x[1])", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "max x[1]", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "max(x[1]", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "max(x[1])^2", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "first(\"two\").t", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "first(\"one\")", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "count(\"one\").t", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "final.", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "final.q", 0, "A0201"));
    CHECK(refused("a=0..1:2", NULL, ",", 0, "A0642"));
    CHECK(refused("t=0..1:2,x[1]''=0..1:2", NULL, NULL, 0, "A0106")); /* no state */
    CHECK(refused("pi=0..1:2", NULL, NULL, 0, "A0622"));
    CHECK(refused(NULL, "b=1+-1", NULL, 5, "A0201"));
    CHECK(refused(NULL, "a=1/0+-1", NULL, 5, "A0622"));
    CHECK(refused(NULL, "a=1+-1/0", NULL, 5, "A0622"));
    CHECK(refused(NULL, "a=1+-1:3", NULL, 5, "A0622"));
    CHECK(refused(NULL, "a=1/0..1", NULL, 5, "A0622"));
    CHECK(refused("a=0..1:2", NULL, "first(one).t", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "first(\"one).t", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "first(\"one\" 2).t", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "first.t", 0, "A0642"));
    CHECK(refused("a=0..1:2", NULL, "first(\"onee\").t", 0, "A0642"));
    CHECK(refused("a=0..1:1000000, x[1]=0..1:1000000, x[2]=0..1:1000000", NULL, NULL, 0, "A0901"));
}

TEST(lists_are_rows_of_a_table)
{
    static const char *const names[] = {"y'", "g"};
    static const double values[] = {5, 10, 6, 9, 7, 8};
    static const double bad[] = {5, NAN};
    sweep s = {.model = ball, .outputs = "final.t"};
    REQUIRE(begin(&s));
    CHECK_INT(ah_ensemble_list(s.e, 2, names, 1, bad), AH_E_INPUT);
    ah_ctx_reset_status(s.ctx);
    CHECK_INT(ah_ensemble_list(s.e, 2, names, 3, values), AH_OK);
    REQUIRE(run(&s) == AH_OK);
    CHECK_INT(s.rows.count, 3);
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(cell(&s, i, "final.t"), 2 * values[2 * i] / values[2 * i + 1], 1, 1e6, "2 v/g");
    CHECK_INT(ah_ensemble_list(s.e, 2, names, 3, values), AH_E_INPUT); /* too late */
    end(&s);
}

/* What fails leaves the ensemble as it was: it can be asked again, and it can be run. */
TEST(an_error_leaves_no_half_of_a_list)
{
    static const char *const names[] = {"y'", "nobody"}, *const twice[] = {"y'", "y'"},
                             *const hole[] = {"y'", NULL};
    static const double values[] = {5, 10, 6, 9};
    sweep s = {.model = ball, .over = "g=5..10:2", .outputs = "final.t"};
    REQUIRE(begin(&s));
    CHECK_INT(ah_ensemble_list(s.e, 2, names, 2, values), AH_E_INPUT);
    CHECK_INT(ah_ensemble_list(s.e, 2, twice, 2, values), AH_E_INPUT);
    CHECK_INT(ah_ensemble_list(s.e, 2, hole, 2, values), AH_E_INPUT);
    CHECK_INT(ah_ensemble_list(s.e, 2, NULL, 2, values), AH_E_INPUT);
    CHECK_INT(ah_ensemble_list(s.e, 1, names, 0, values), AH_E_INPUT);
    CHECK_INT(ah_ensemble_list(s.e, 0, names, 2, values), AH_E_INPUT);
    CHECK_INT(ah_ensemble_list(s.e, 1, names, 2, NULL), AH_E_INPUT);
    ah_ctx_reset_status(s.ctx);
    REQUIRE(run(&s) == AH_OK);
    CHECK_INT(s.rows.count, 2);
    CHECK_NEAR(cell(&s, 0, "final.t"), 2, 1, 1e6, "2 v/g");
    CHECK_NEAR(cell(&s, 1, "final.t"), 1, 1, 1e6, "2 v/g");
    end(&s);
}

/* Nor of anything else that is said: x = 2 a + t − sin t still, with u and b as the model has them. */
TEST(an_error_leaves_nothing_of_what_was_said)
{
    static const char *const names[] = {"u", "nobody"};
    static const double values[] = {5, 10, 6, 9};
    sweep s = {.model = "parameter a = 3, b = 2*a\ninput u = sin(t)\ncoordinate x\nkinetic x'^2/2\n"
                        "force x = u\nstart x = b, x' = 0\nsimulate t = 0 .. 2\n"};
    REQUIRE(begin(&s));
    CHECK_INT(ah_ensemble_over(s.e, "b=1..2:2, nobody=1..2:2"), AH_E_INPUT);
    CHECK_INT(ah_ensemble_over(s.e, "x'=1..2:2, x'=1..2:2"), AH_E_INPUT);
    CHECK_INT(ah_ensemble_spread(s.e, "a=1..2, nobody=1..2"), AH_E_INPUT);
    CHECK_INT(ah_ensemble_list(s.e, 2, names, 2, values), AH_E_INPUT);
    CHECK_INT(ah_ensemble_outputs(s.e, "final.x, nobody(x)"), AH_E_INPUT);
    CHECK_INT(ah_ensemble_over(s.e, "a=3..4:2"), AH_OK);
    CHECK_INT(ah_ensemble_outputs(s.e, "final.x"), AH_OK);
    REQUIRE(run(&s) == AH_OK);
    CHECK_INT(s.rows.count, 2);
    CHECK_INT(s.rows.columns, 2);
    CHECK_NEAR(cell(&s, 0, "final.x"), 8 - sin(2), 1, 1e6, "tolerances");
    CHECK_NEAR(cell(&s, 1, "final.x"), 10 - sin(2), 1, 1e6, "tolerances");
    end(&s);
}

TEST(one_list_alone)
{
    static const char *const names[] = {"y'"}, *const others[] = {"x"};
    static const double values[] = {5, 6};
    sweep s = {.model = ball, .outputs = "final.t"};
    REQUIRE(begin(&s));
    CHECK_INT(ah_ensemble_list(s.e, 1, names, 2, values), AH_OK);
    CHECK_INT(ah_ensemble_list(s.e, 1, others, 2, values), AH_E_INPUT);
    ah_ctx_reset_status(s.ctx);
    CHECK_INT(ah_ensemble_count(s.e), 2);
    end(&s);
}

/* A call without what it needs says so and leaves nothing behind. */
TEST(calls_without_what_they_need)
{
    sweep s = {.model = ball, .over = "g=5..10:2", .outputs = "final.t"};
    ah_ensemble *none = (ah_ensemble *) &s;
    ah_trajectory *t = (ah_trajectory *) &s;
    ah_ensemble_summary summary;
    double row[3];
    REQUIRE(begin(&s));
    CHECK(ah_ensemble_create(NULL, NULL, &none) == AH_E_INPUT && !none);
    CHECK_INT(ah_ensemble_over(NULL, "g=1..2:3"), AH_E_INPUT);
    CHECK_INT(ah_ensemble_over(s.e, NULL), AH_E_INPUT);
    CHECK(!ah_ensemble_count(NULL) && !ah_ensemble_columns(NULL) && !ah_ensemble_varied(NULL));
    CHECK(!ah_ensemble_name(s.e, 2) && !ah_ensemble_name(NULL, 0));
    CHECK_INT(ah_ensemble_varied(s.e), 1);
    CHECK_INT(ah_ensemble_values(s.e, 2, row), AH_E_INPUT);
    CHECK(strstr(ah_diagnostics_text(s.ctx, false), "no such run") != NULL);
    CHECK_INT(ah_ensemble_values(s.e, 1, NULL), AH_E_INPUT);
    CHECK_INT(ah_ensemble_values(NULL, 1, row), AH_E_INPUT);
    CHECK(ah_ensemble_trajectory(s.e, 2, 5, &t) == AH_E_INPUT && !t);
    CHECK(ah_ensemble_trajectory(NULL, 0, 5, &t) == AH_E_INPUT && !t);
    CHECK_INT(ah_ensemble_trajectory(s.e, 0, 5, NULL), AH_E_INPUT);
    CHECK_INT(ah_ensemble_run(NULL, NULL, &summary), AH_E_INPUT);
    CHECK_INT(ah_ensemble_run(s.e, NULL, NULL), AH_OK); /* for its journal, or for nothing */
    ah_journal_status status;
    CHECK_INT(ah_journal_look(NULL, "x.db", &status), AH_E_INPUT);
    CHECK_INT(ah_journal_look(s.ctx, NULL, &status), AH_E_INPUT);
    CHECK_INT(ah_journal_look(s.ctx, "x.db", NULL), AH_E_INPUT);
    ah_ensemble_destroy(NULL);
    end(&s);
}

/* Spans and states that are none; states that only the runs have. */
TEST(starts_and_spans)
{
    static const char free_point[] =
        "parameter g, k = 1\ncoordinate x\nkinetic x'^2/2\nforce x = -g*k\n";
    sweep s = {
        .model = free_point, .over = "g=1..3:3,x=0..0:1,x'=-2..2:2", .outputs = "final.x, final.t"};
    CHECK(!begin(&s)); /* how long? */
    CHECK_STR(ah_diagnostic_get(s.ctx, 0)->code, "A0611");
    ah_ctx_destroy(s.ctx);
    s.options.to = "2*k";
    REQUIRE(begin(&s)); /* g has no value, x no start but in the runs */
    REQUIRE(run(&s) == AH_OK);
    CHECK_INT(s.rows.count, 6);
    for (size_t i = 0; i < 6; i++) {
        const double g = cell(&s, i, "g"), v = cell(&s, i, "x'");
        CHECK_NEAR(cell(&s, i, "final.x"), 2 * v - 2 * g, 1, 1e4, "v t - g t²/2");
        CHECK_NEAR(cell(&s, i, "final.t"), 2, 1, 0, "the span");
    }
    end(&s);
    static const char *const wrong[][2] = {
        {"g=3", "A0604"}, {"x''=3", "A0604"}, {"x=", "A0106"}, {"nobody=1", "A0201"}};
    for (size_t i = 0; i < 4; i++) {
        s = (sweep){.model = free_point};
        s.options = ah_ensemble_defaults();
        s.options.to = "2";
        s.options.at = wrong[i][0];
        CHECK(!begin(&s) && !s.e);
        CHECK_STR(ah_diagnostic_get(s.ctx, 0)->code, wrong[i][1]);
        ah_ctx_destroy(s.ctx);
    }
    s = (sweep){.model = free_point};
    s.options = ah_ensemble_defaults();
    s.options.to = "2";
    s.options.rtol = -1;
    CHECK(!begin(&s) && !s.e);
    ah_ctx_destroy(s.ctx);
}

/* Reasons of failed runs are texts that end with a whole character, however long. */
TEST(reasons_are_whole)
{
    char model[1500] = "parameter b = 1\ncoordinate x\nkinetic x'^2/2\nforce x = sqrt(b - x)";
    for (int i = 0; i < 40; i++) strcat(model, " + 0*sqrt(b - x - 1)");
    strcat(model, "\nassume b > 0\nstart x = sqrt(b - 2), x' = 1\nsimulate t = 0 .. 1\n");
    sweep s = {.model = model, .over = "b=1..3:2", .outputs = "final.x"};
    REQUIRE(begin(&s) && run(&s) == AH_OK);
    CHECK(*s.rows.failed[0] && isnan(cell(&s, 0, "final.x")));
    CHECK(strlen(s.rows.failed[0]) < 200);
    ah_trajectory *t = NULL;
    CHECK(ah_ensemble_trajectory(s.e, 0, 5, &t) != AH_OK && !t); /* it cannot begin */
    end(&s);
}

/* A constraint may have a name that leaves little room for what is wrong with it. */
TEST(long_reasons_are_cut)
{
    for (int letters = 100; letters <= 200; letters += 50) {
        char model[1500] = "parameter b = 1\ncoordinate x, y\nkinetic x'^2/2 + y'^2/2\nconstraint ";
        for (int i = 0; i < letters; i++) strcat(model, "r");
        strcat(model, ": x = 1\nstart x = b, y = 0, x' = 0, y' = 0\nsimulate t = 0 .. 1\n");
        sweep s = {.model = model, .over = "b=1..3:2", .outputs = "final.y"};
        REQUIRE(begin(&s) && run(&s) == AH_OK);
        const char *why = s.rows.failed[1];
        CHECK(!*s.rows.failed[0] && isnan(cell(&s, 1, "final.y")));
        CHECK(strstr(why, "contradicts the constraint `rrr") != NULL);
        CHECK(letters == 100 ? strstr(why, "residual 0.5)") != NULL : strlen(why) >= 198);
        end(&s);
    }
}

/* A journal goes on with the sweep it was begun by, and says what another one has otherwise. */
TEST(journals_know_what_differs)
{
    char file[] = "/tmp/anholo_differs_XXXXXX";
    const int fd = mkstemp(file);
    REQUIRE(fd >= 0);
    close(fd);
    static const char line[] =
        "parameter a = 1\ncoordinate x\nkinetic x'^2/2\nstart x = a, x' = 1\n"
        "simulate t = 0 .. 1\n";
    static const char *const differs[] = {"",     "",        "varied",    "outputs",
                                          "seed", "project", "rtol",      "max-steps",
                                          "list", "model",   "integrator"};
    static const char *const column[] = {"x'"};
    for (size_t i = 0; i < sizeof differs / sizeof *differs; i++) {
        sweep s = {.model = line,
                   .spread = i == 2 ? "a=1+-0.25" : "a=1+-0.5",
                   .outputs = i == 3 ? "final.x, final.t" : "final.x",
                   .options = ah_ensemble_defaults()};
        const double values[] = {1, i == 8 ? 3 : 2};
        s.options.random = 3;
        s.options.seed = i == 4 ? 8 : 7;
        s.options.project = i == 5;
        s.options.rtol = i == 6 ? 1e-9 : 1e-10;
        s.options.most_steps = i == 7 ? 1000 : 0;
        s.options.to = i == 9 ? "2" : "1";
        s.options.integrator = i == 10 ? "dop853" : NULL;
        REQUIRE(begin(&s) && ah_ensemble_list(s.e, 1, column, 2, values) == AH_OK);
        ah_ensemble_run_options o = ah_ensemble_run_defaults();
        ah_ensemble_summary summary;
        o.journal = file;
        const ah_status status = ah_ensemble_run(s.e, &o, &summary);
        if (i == 0 && status == AH_E_REFUSED) { /* there is no SQLite */
            end(&s);
            break;
        }
        CHECK_INT(status, *differs[i] ? AH_E_REFUSED : AH_OK);
        if (!*differs[i]) CHECK(summary.runs == 6 && summary.computed == (i == 0 ? 6u : 0u));
        const char *said = ah_diagnostics_text(s.ctx, false);
        if (*differs[i] && !CHECK(strstr(said, "A0641") && strstr(said, differs[i])))
            printf("# %s: %s\n", differs[i], said);
        end(&s);
    }
    remove(file);
}

/* However long the line is in which they differ, the difference is shown, in whole characters. */
TEST(differences_are_shown)
{
    char file[] = "/tmp/anholo_shown_XXXXXX";
    const int fd = mkstemp(file);
    REQUIRE(fd >= 0);
    close(fd);
    for (int i = 0; i < 3; i++) {
        char model[2000] = "parameter a = 1\ncoordinate x\nkinetic x'^2/2\nstart x = a, x' = 1\n"
                           "simulate t = 0 .. 1\nrecord \"";
        for (int k = 0; k < 150; k++) strcat(model, i < 2 || k != 100 ? "é" : "ö");
        strcat(model, i ? "é\" when x = 1.5\n" : "e\" when x = 1.5\n");
        sweep s = {.model = model, .over = "a=1..2:2"};
        REQUIRE(begin(&s));
        ah_ensemble_run_options o = ah_ensemble_run_defaults();
        o.journal = file;
        const ah_status status = ah_ensemble_run(s.e, &o, NULL);
        const char *said = ah_diagnostics_text(s.ctx, false);
        const bool library = i || status == AH_OK; /* SQLite is there */
        if (i) CHECK_INT(status, AH_E_REFUSED);
        if (i == 1 && !CHECK(strstr(said, "ée\" when") && strstr(said, "éé\" when"))) puts(said);
        if (i == 2 && !CHECK(strstr(said, "…é") && strstr(said, "éöé"))) puts(said);
        end(&s);
        if (!library) break;
    }
    remove(file);
}

typedef struct halted {
    uint64_t rows, seen;
    bool stop;
} halted;

static bool count_rows(void *user, const ah_ensemble_part *part)
{
    halted *h = user;
    h->rows += part->count;
    return !h->stop;
}

static void count_progress(void *user, uint64_t done, uint64_t all, double seconds)
{
    halted *h = user;
    CHECK(done <= all && seconds >= 0);
    h->seen++;
}

/* Who takes the rows can stop the work, and is told how far it is. */
TEST(rows_can_be_refused)
{
    sweep s = {.model = ball, .over = "g=5..10:300", .outputs = "final.t"};
    REQUIRE(begin(&s));
    halted all = {0}, some = {.stop = true};
    ah_ensemble_run_options o = ah_ensemble_run_defaults();
    ah_ensemble_summary summary;
    o.threads = 2;
    o.chunk = 7;
    o.rows = count_rows;
    o.progress = count_progress;
    o.progress_user = &all;
    o.user = &all;
    CHECK_INT(ah_ensemble_run(s.e, &o, &summary), AH_OK);
    CHECK(all.rows == 300 && all.seen > 0 && summary.computed == 300 && summary.threads == 2);
    o.user = &some;
    o.threads = 10000;
    CHECK_INT(ah_ensemble_run(s.e, &o, &summary), AH_E_INTERRUPTED);
    CHECK(some.rows > 0 && some.rows < 300);
    CHECK(summary.threads > 2 && summary.threads <= 300); /* more have nothing to do */
    end(&s);
}
