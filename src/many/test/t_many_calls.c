/* t_many_calls - sweeps as they may be asked for: options that are left to the library, values of every kind that varies, runs that
 * fail one by one; rows against closed forms. */
#include "harness.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* x = a + v t + (f + u) t²/2 from t0 on; u is an input, z a velocity parameter. */
static const char thrown[] = "parameter f = -2, twice = 2*f\n"
                             "coordinate x, y\n"
                             "input u\n"
                             "kinetic (x'^2 + y'^2)/2\n"
                             "force x = f + u\n"
                             "velocity z, w:\n"
                             "    x' = z, y' = w\n"
                             "start x = 1, y = 0, z = 0, w = 1\n"
                             "simulate t = 0 .. 1\n"
                             "record \"half\" when x = 1/2\n";

typedef struct seen {
    size_t rows, failed, columns, wrong;
} seen;

/* Columns: f, x, z, u, then final.x, mean(y), count("half"). */
static bool compare(void *user, const ah_ensemble_part *part)
{
    seen *s = user;
    for (size_t i = 0; i < part->count; i++) {
        const double *row = part->values + i * s->columns;
        const double x = row[1] + row[2] + (row[0] + row[3]) / 2;
        s->rows++;
        s->failed += part->failed[i] != NULL;
        if (!part->failed[i] &&
            (fabs(row[4] - x) > 1e-8 * (1 + fabs(x)) || fabs(row[5] - 0.5) > 1e-8))
            s->wrong++;
    }
    return true;
}

static seen sweep(const char *model, ah_ensemble_options o, size_t threads, const char *over)
{
    seen s = {0};
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_ensemble *e = NULL;
    ah_ensemble_run_options how = ah_ensemble_run_defaults();
    how.threads = threads;
    how.rows = compare;
    how.user = &s;
    if (CHECK(ah_read(ctx, "thrown", model, strlen(model), NULL, &m) == AH_OK) &&
        CHECK(ah_ensemble_create(m, &o, &e) == AH_OK) &&
        CHECK(ah_ensemble_over(e, over) == AH_OK) &&
        CHECK(ah_ensemble_spread(e, "z=-1..1, u=0+-1") == AH_OK) &&
        CHECK(ah_ensemble_outputs(e, " final.x ,mean(y) , count(\"half\") ") == AH_OK)) {
        s.columns = ah_ensemble_columns(e);
        CHECK_INT((int) s.columns, 7);
        CHECK_INT(ah_ensemble_run(e, &how, NULL), AH_OK);
        CHECK(s.rows == ah_ensemble_count(e));
    }
    ah_ensemble_destroy(e);
    ah_ctx_destroy(ctx);
    return s;
}

TEST(what_is_left_to_the_library)
{
    static const char *const engines[] = {NULL, "auto", "interpret", "tcc"};
    static const char *const integrators[] = {NULL, "auto", "dop853", "taylor", "bdf"};
    static const char *const lanes[] = {NULL, "auto", "off"};
    for (size_t i = 0; i < 12; i++) {
        ah_ensemble_options o = ah_ensemble_defaults();
        o.random = 2;
        o.engine = engines[i % 4];
        o.integrator = integrators[i % 5];
        o.lanes = lanes[i % 3];
        const seen s = sweep(thrown, o, i % 3, "f=-2..2:3, x=-1..1:2");
        CHECK(s.rows == 12 && !s.failed && !s.wrong);
    }
}

/* So many that they are compiled and put on lanes by themselves. */
TEST(many_runs_are_the_same_runs)
{
    ah_ensemble_options o = ah_ensemble_defaults();
    o.random = 700;
    const seen s = sweep(thrown, o, 2, "f=-2..2:3, x=-1..1:2");
    CHECK(s.rows == 4200 && !s.failed && !s.wrong);
}

/* 1/f does not exist in the run with f = 0: it alone fails. */
TEST(one_run_fails_alone)
{
    static const char poles[] =
        "parameter f = 1\ncoordinate x, y\ninput u\nkinetic (x'^2 + y'^2)/2\n"
        "force x = f + u + 0/f\nvelocity z, w:\n    x' = z, y' = w\n"
        "start x = 1, y = 0, z = 0, w = 1\nsimulate t = 0 .. 1\n"
        "record \"half\" when x = 1/2\n";
    ah_ensemble_options o = ah_ensemble_defaults();
    o.random = 1;
    o.engine = "interpret";
    const seen s = sweep(poles, o, 1, "f=-1..1:3, x=-1..1:2");
    CHECK(s.rows == 6 && s.failed <= 2 && !s.wrong);
}

/* ---- On lanes and one by one ------------------------------------------------------------------- */

enum { ROWS = 12, WIDE = 40 };

typedef struct table {
    double at[ROWS][WIDE];
    bool failed[ROWS];
    size_t columns, rows;
} table;

static bool keep(void *user, const ah_ensemble_part *part)
{
    table *t = user;
    for (size_t i = 0; i < part->count; i++, t->rows++) {
        memcpy(t->at[t->rows], part->values + i * t->columns, t->columns * sizeof(double));
        t->failed[t->rows] = part->failed[i] != NULL;
    }
    return true;
}

static void run_on(const char *lanes, const char *model, const char *over, const char *outputs,
                   table *t)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_ensemble *e = NULL;
    ah_ensemble_options o = ah_ensemble_defaults();
    ah_ensemble_run_options how = ah_ensemble_run_defaults();
    o.lanes = lanes;
    o.engine = "cc";
    o.integrator = "dop853";
    how.threads = 1;
    how.rows = keep;
    how.user = t;
    *t = (table){.columns = 0};
    if (CHECK(ah_read(ctx, "lanes", model, strlen(model), NULL, &m) == AH_OK) &&
        CHECK(ah_ensemble_create(m, &o, &e) == AH_OK) &&
        CHECK(ah_ensemble_over(e, over) == AH_OK) &&
        CHECK(ah_ensemble_outputs(e, outputs) == AH_OK) &&
        CHECK((t->columns = ah_ensemble_columns(e)) <= WIDE && ah_ensemble_count(e) <= ROWS))
        CHECK_INT(ah_ensemble_run(e, &how, NULL), AH_OK);
    if (ah_diagnostic_count(ctx)) printf("# %s\n", ah_diagnostics_text(ctx, false));
    ah_ensemble_destroy(e);
    ah_ctx_destroy(ctx);
}

/* Rods and rows that are kept by projection, events at the very start, two at a time, touched ones, ones that do not exist
 * everywhere and more of them in a step than are looked for, spans backwards and of no length. */
TEST(lanes_do_what_runs_do)
{
    static const struct {
        const char *model, *over, *outputs;
    } cases[] = {
        {"parameter l = 1, g = 10, a = 1\ncoordinate x, y\npoint P mass 1 at (x, y)\ngravity (0, "
         "-g)\n"
         "constraint rod: x^2 + y^2 = 1\nstart x = sin(a), y = -cos(a), x' = 0, y' = 0\n"
         "simulate t = 0 .. 2\nrecord \"through\" when x = 0\nrecord \"side\" when x' = 0\n",
         "a=0.5..2.5:6",
         "final.x, final.y, count(\"through\"), first(\"side\").t, each(\"through\", 3).t, max(y)"},
        {"parameter g = 10, v = 1\ncoordinate x, y, th\nkinetic (x'^2 + y'^2 + th'^2)/2\npotential "
         "g*x/10\n"
         "constraint blade: x'*sin(th) - y'*cos(th) = 0\n"
         "start x = 0, y = 0, th = 0, x' = v, y' = 0, th' = 1\nsimulate t = 1 .. -1\n"
         "record \"zero\" when x = 0\nrecord \"again\" when 2*x = 0\nrecord \"root\" when sqrt(y - "
         "1/10) = 1/2\n",
         "v=0.5..2:5",
         "final.x, final.y, count(\"zero\"), count(\"again\"), last(\"root\").t, mean(x), "
         "integral(y), min(th)"},
        {"parameter w = 50, c = 1\ncoordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = c, x' "
         "= 0\n"
         "simulate t = 0 .. 3\nrecord \"often\" when sin(w*t) = 0\nrecord \"touch\" when (t - 1)^2 "
         "= 0\n"
         "record \"start\" when x = c\noutput r = sqrt(x)\n",
         "w=20..200:4",
         "final.x, count(\"often\"), count(\"touch\"), count(\"start\"), final.r, mean(sqrt(x + "
         "2)), max(x*t)"},
        {"parameter e = 1\ncoordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1, x' = "
         "0\nsimulate t = 0 .. e\n",
         "e=0..1:3", "final.x, mean(x), integral(x), min(x), start.x, final.t"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        static table one, lanes;
        run_on("off", cases[i].model, cases[i].over, cases[i].outputs, &one);
        run_on("plain", cases[i].model, cases[i].over, cases[i].outputs, &lanes);
        CHECK(one.rows == lanes.rows && one.columns == lanes.columns && one.rows > 0);
        for (size_t r = 0; r < one.rows; r++) {
            CHECK(one.failed[r] == lanes.failed[r]);
            for (size_t c = 0; c < one.columns; c++) {
                const double a = one.at[r][c], b = lanes.at[r][c];
                if (!CHECK(isnan(a) ? isnan(b) : fabs(a - b) <= 1e-7 * (1 + fabs(a))))
                    printf("# case %zu, row %zu, column %zu: %.17g, on lanes %.17g\n", i, r, c, a,
                           b);
            }
        }
    }
}

/* x = x0 + v (t − t0), begun at t0 = −1 … by what `at` and the sweep say; the model's own start is another. */
TEST(starts_of_every_kind)
{
    static const char free_point[] = "parameter a = -3, n = 2\ncoordinate x\nkinetic x'^2/2\n"
                                     "start x = a, x' = -1\nsimulate t = -1 .. 2\n";
    static const struct {
        const char *at, *over;
        ah_status wanted;
        double x; /* at t = 2 in the first run */
    } cases[] = {
        {NULL, "x=-5..5:3", AH_OK, -5 - 3},        {NULL, "x'=-2..2:3", AH_OK, -3 - 6},
        {NULL, "t=-2..1:3", AH_OK, -3 - 4},        {"x=-1, x'=-2", "t=0..1:2", AH_OK, -1 - 4},
        {"t=-4, x=1", "a=-7..-6:2", AH_OK, 1 - 6}, {NULL, "a=-7..-6:2", AH_OK, -7 - 3},
        {"a=2", "x=1..2:2", AH_E_INPUT, 0},        {"x'' = 2", "x=1..2:2", AH_E_INPUT, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        table t = {.columns = 2};
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        ah_ensemble *e = NULL;
        ah_ensemble_options o = ah_ensemble_defaults();
        ah_ensemble_run_options how = ah_ensemble_run_defaults();
        o.at = cases[i].at;
        o.engine = "interpret";
        how.threads = 1;
        how.rows = keep;
        how.user = &t;
        REQUIRE(ah_read(ctx, "free", free_point, strlen(free_point), NULL, &m) == AH_OK);
        const ah_status made = ah_ensemble_create(m, &o, &e);
        if (!CHECK_INT(made, cases[i].wanted)) printf("# case %zu\n", i);
        if (made == AH_OK && CHECK(ah_ensemble_over(e, cases[i].over) == AH_OK) &&
            CHECK(ah_ensemble_outputs(e, "final.x") == AH_OK) &&
            CHECK(ah_ensemble_run(e, &how, NULL) == AH_OK))
            CHECK_NEAR(t.at[0][1], cases[i].x, 10, 1e-9 * 0x1p52, "a straight line");
        ah_ensemble_destroy(e);
        ah_ctx_destroy(ctx);
    }
}

/* ---- Wrong ones -------------------------------------------------------------------------------- */

TEST(calls_that_make_no_sense)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_ensemble *e = NULL;
    ah_trajectory *t = NULL;
    ah_journal_rows rows;
    ah_journal_status status;
    ah_ranks *ranks = NULL;
    const ah_ensemble_options unset = {.rtol = 1e-8};
    const ah_ensemble_run_options unset_too = {.threads = 1};
    CHECK(ah_read(ctx, "thrown", thrown, strlen(thrown), NULL, &m) == AH_OK);
    CHECK(ah_ensemble_create(NULL, NULL, &e) == AH_E_INPUT &&
          ah_ensemble_create(m, NULL, NULL) == AH_E_INPUT);
    CHECK(ah_ensemble_create(m, &unset, &e) == AH_E_INPUT && !e);
    const char *const wrong[][3] = {
        {"nothing", NULL, NULL}, {NULL, "euler", NULL}, {NULL, NULL, "wide"}};
    for (size_t i = 0; i < 3; i++) {
        ah_ensemble_options o = ah_ensemble_defaults();
        o.engine = wrong[i][0];
        o.integrator = wrong[i][1];
        o.lanes = wrong[i][2];
        const ah_status made = ah_ensemble_create(m, &o, &e);
        if (made == AH_OK) {
            CHECK(ah_ensemble_over(e, "f=1..2:2") == AH_OK);
            if (!CHECK(ah_ensemble_run(e, NULL, NULL) != AH_OK)) printf("# %zu\n", i);
        }
        CHECK(ah_diagnostic_count(ctx) > 0);
        ah_ctx_reset_status(ctx);
        ah_ensemble_destroy(e);
        e = NULL;
    }
    REQUIRE(ah_ensemble_create(m, NULL, &e) == AH_OK);
    static const char *const unreadable[] = {"f",          "f=1",           "f=1..2",
                                             "f=1..2:0",   "f=1..2:-3",     "f=1..2:1e30",
                                             "f=..:3",     "nobody=1..2:3", "f=1..2:3,f=1..2:3",
                                             "x''=1..2:2", "f=1/0..2:3"};
    for (size_t i = 0; i < sizeof unreadable / sizeof *unreadable; i++)
        if (!CHECK(ah_ensemble_over(e, unreadable[i]) == AH_E_INPUT))
            printf("# %s\n", unreadable[i]);
    CHECK(ah_ensemble_outputs(e, "each(\"half\", 99999999999999999999).x") != AH_OK);
    CHECK(ah_ensemble_outputs(e, "first(\"nobody\").x") != AH_OK &&
          ah_ensemble_outputs(e, "  ") != AH_OK);
    ah_ctx_reset_status(ctx);
    CHECK(ah_ensemble_run(NULL, NULL, NULL) == AH_E_INPUT &&
          ah_ensemble_run(e, &unset_too, NULL) == AH_E_INPUT);
    CHECK(ah_ensemble_trajectory(e, 99, 5, &t) != AH_OK && !t);
    CHECK(ah_journal_read(ctx, NULL, &rows) == AH_E_INPUT &&
          ah_journal_read(NULL, "x", &rows) == AH_E_INPUT);
    CHECK(ah_journal_read(ctx, "x", NULL) == AH_E_INPUT &&
          ah_journal_look(ctx, "nowhere.db", &status) == AH_E_INPUT);
    CHECK(ah_ranks_open(NULL, &ranks) == AH_E_INPUT && ah_ranks_open(ctx, NULL) == AH_E_INPUT);
    ah_ensemble_destroy(e);
    ah_ctx_destroy(ctx);
}
