/* t_trajectory - motions kept in memory: columns by name, what the motion makes, limits. */
#include "harness.h"
#include "lang/lang.h"

#include "trajectory/trajectory.h"

#include <anholo/anholo.h>
#include <math.h>
#include <string.h>

/* M is not the identity; z, ω, a constraint, outputs of what the state does not hold. */
static const char skate[] = "parameter m = 2, I = 0.3, g = 9.81, alpha = 0.2\n"
                            "coordinate x, y, theta\n"
                            "kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
                            "potential -m*g*sin(alpha)*x\n"
                            "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                            "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n"
                            "quasivelocity u = 2*theta', s = x'*cos(theta) + y'*sin(theta)\n"
                            "start x = 0, y = 0, theta = 0.3, v = 1, w = 0.7\n"
                            "simulate t = 0 .. 2\n"
                            "output pull = v'\n";

typedef struct job {
    ah_model *model;
    const char *const *extra;
    size_t extras;
    ah_simulate_options options;
    trajectory out;
    bool good;
    ah_status status;
} job;

static void run(ah_ctx *ctx, void *arg)
{
    job *j = arg;
    ah_expr e[16];
    (void) ctx;
    for (size_t i = 0; i < j->extras; i++) {
        const ah_status read = ah_read_output(j->model, "test", j->extra[i], &e[i]);
        CHECK_INT(read, AH_OK);
        if (read != AH_OK) return;
    }
    j->good = trajectory_run(j->model, &j->options, e, j->extras, &j->out, &j->status);
}

static ah_status run_job(ah_ctx *ctx, const char *model, job *j)
{
    if (!j->options.rtol) j->options = ah_simulate_defaults();
    if (lang_read(ctx, "test", model, strlen(model), NULL, &j->model) != AH_OK) return AH_E_INPUT;
    return ctx_guard(ctx, run, j);
}

static double at(const trajectory *t, size_t row, const char *name)
{
    const size_t column = trajectory_column(t, name);
    return CHECK(column != SIZE_MAX) ? t->at[row * t->columns + column] : NAN;
}

TEST(columns_hold_what_the_motion_makes)
{
    static const char *const extra[] = {
        "x''",
        "m*g*sin(alpha) + lambda[blade]*sin(theta)",
        "reaction[y] + lambda[1]*cos(theta)",
        "u'",
        "s' - pull",
        "M[1,1] - m",
    };
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {.extra = extra, .extras = 6};
    CHECK_INT(run_job(ctx, skate, &j), AH_OK);
    REQUIRE(j.good);
    const trajectory *t = &j.out;
    CHECK_INT(t->rows, 201);
    CHECK_INT(t->columns, t->extra + 6);
    for (size_t row = 0; row < t->rows; row++) {
        const double *of = t->at + row * t->columns + t->extra, theta = at(t, row, "theta");
        CHECK_NEAR(2 * of[0], of[1], 10, 64, "m x'' = F + lambda dC/dx'");
        CHECK_NEAR(of[2], 0, 10, 64, "the reaction is J^T lambda");
        CHECK_NEAR(of[3], 0, 1, 64, "theta' is constant");
        CHECK_NEAR(of[4], 0, 10, 64, "s is v");
        CHECK_NEAR(of[5], 0, 1, 1, "mass matrix");
        CHECK_NEAR(at(t, row, "pull"), 9.81 * sin(0.2) * cos(theta), 2, 16, "Benenti 9.1");
        CHECK_NEAR(at(t, row, "theta"), 0.3 + 0.7 * at(t, row, "t"), 2, 1e5, "rtol 1e-10");
    }
    ah_ctx_destroy(ctx);
}

TEST(too_much_is_refused_before_it_is_allocated)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {.options = ah_simulate_defaults()};
    j.options.samples = TRAJECTORY_LIMIT;
    CHECK_INT(run_job(ctx, skate, &j), AH_E_LIMIT);
    CHECK(strstr(ah_diagnostics_text(ctx, false), "A0901") != NULL);
    ah_ctx_destroy(ctx);
}

TEST(a_motion_that_ends_early_keeps_its_rows)
{
    /* x' = 1/(1 - t) by x'' = x'^2: to infinity at t = 1 */
    static const char model[] = "coordinate x\nkinetic x'^2/2\nforce x = x'^2\n"
                                "start x = 0, x' = 1\nsimulate t = 0 .. 2\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {.options = ah_simulate_defaults()};
    j.options.samples = 0;
    j.options.every = 0.15;
    run_job(ctx, model, &j);
    REQUIRE(j.good);
    CHECK_INT(j.status, AH_E_NUMERIC);
    CHECK_INT(j.out.rows, 7);
    for (size_t i = 0; i < j.out.rows; i++)
        CHECK_NEAR(at(&j.out, i, "x'"), 1 / (1 - 0.15 * (double) i), 8, 1e7, "closed form");
    ah_ctx_destroy(ctx);
}

TEST(no_constraints_and_no_span)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {0};
    run_job(ctx, "coordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\n", &j);
    CHECK(!j.good && j.status == AH_E_INPUT);
    CHECK(strstr(ah_diagnostics_text(ctx, false), "A0611") != NULL);
    ah_ctx_destroy(ctx);
}

/* ---- What makes no sense --------------------------------------------------------------------- */

static bool refused(ah_simulate_options o, const char *code)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    job j = {.options = o};
    run_job(ctx, skate, &j);
    const ah_diagnostic *d = ah_diagnostic_get(ctx, 0);
    const bool right = !j.good && !j.out.rows && d && d->code && !strcmp(d->code, code);
    if (!right) printf("# %s", ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
    return right;
}

TEST(choices_that_make_no_sense)
{
    static const struct {
        const char *code;
        ah_simulate_options change;
    } cases[] = {
        {"A0904", {.rtol = -1}},
        {"A0904", {.rtol = 1e-9, .atol = NAN}},
        {"A0904", {.every = -1}},
        {"A0904", {.every = NAN}},
        {"A0904", {.every = INFINITY}},
        {"A0904", {.samples = 1}},
        {"A0611", {.to = "1/0"}},
        {"A0201", {.to = "nobody"}},
        {"A0612", {.integrator = "euler"}},
        {"A0613", {.integrator = "ida", .method = "parametric"}},
        {"A0501", {.method = "nobody"}},
        {"A0615", {.branch = 2}},
        {"A0502", {.method = "lagrange"}},
        {"A0904", {.every = 1e-300}},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ah_simulate_options *c = &cases[i].change;
        ah_simulate_options o = ah_simulate_defaults();
        if (c->rtol) o.rtol = c->rtol;
        if (c->atol) o.atol = c->atol; /* NAN too */
        if (c->every) o.every = c->every;
        if (c->samples) o.samples = c->samples;
        if (c->branch) o.branch = c->branch;
        if (c->to) o.to = c->to;
        if (c->integrator) o.integrator = c->integrator;
        if (c->method) o.method = c->method;
        if (!CHECK(refused(o, cases[i].code))) printf("# case %zu\n", i);
    }
}

/* ---- Tables ---------------------------------------------------------------------------------- */

typedef struct reading {
    ah_model *model;
    const char *csv, *wanted;
    trajectory out;
    bool good;
} reading;

static void read(ah_ctx *ctx, void *arg)
{
    reading *r = arg;
    ah_expr e = AH_NONE;
    (void) ctx;
    if (ah_read_output(r->model, "test", r->wanted, &e) == AH_OK)
        r->good = trajectory_read(r->model, r->csv, strlen(r->csv), &e, 1, &r->out);
}

/* The value of a formula in the last row of a table; NAN: it was refused with `code`, or is not there. */
static double last_of(const char *csv, const char *wanted, const char *code)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    reading r = {.csv = csv, .wanted = wanted};
    double out = NAN;
    if (CHECK(lang_read(ctx, "test", skate, strlen(skate), NULL, &r.model) == AH_OK)) {
        ctx_guard(ctx, read, &r);
        const ah_diagnostic *d = ah_diagnostic_get(ctx, 0);
        CHECK(r.good == !code);
        CHECK_STR(d ? d->code : NULL, code);
        if (r.good && CHECK(r.out.rows > 0)) out = r.out.at[r.out.rows - 1];
    }
    ah_ctx_destroy(ctx);
    return out;
}

TEST(tables_are_read_as_they_are_written)
{
    static const char head[] = "t,x,theta',lambda[blade],pull,energy,u";
    char csv[1000];
#define LAST(row, wanted, code)                                                                    \
    (snprintf(csv, sizeof csv, "%s\n0,0,0,0,0,0,0\n%s", head, row), last_of(csv, wanted, code))
    CHECK(LAST("1,2,3,4,5,6,7", "x", NULL) == 2);
    CHECK(LAST("1,2,3,4,5,6,7\n", "m*x + t", NULL) == 5);
    CHECK(LAST("1,2,3,4,5,6,7\r\n", "lambda[blade]", NULL) == 4);
    CHECK(LAST("1,2,3,4,5,6,7\r", "pull", NULL) ==
          5); /* as it stands, though the state has no v' */
    CHECK(LAST("1,2,3,4,5,6,7\n", "energy", NULL) == 6);
    CHECK(LAST("1,2,3,4,5,6,7\n", "u", NULL) == 7);
    CHECK(LAST("1,2,3,4,5,6,7\n", "M[1,1]*x", NULL) == 4); /* m = 2 */
    CHECK(isnan(LAST("1,,3,4,5,6,7\n", "x", NULL)));
    CHECK(isnan(LAST("1,inf,3,4,5,6,7\n", "x", NULL)));
    LAST("1,2,3,4,5,6,7\n", "y", "A0633");
    LAST("1,2,3,4,5,6,7\n", "u'", "A0633"); /* 2 theta'' */
    CHECK_NEAR(LAST("1,2,3,4,5,6,7\n", "G[1,1]", NULL), 0.5, 1, 4, "1/m");
    LAST("1,2,3,4,5,6\n", "x", "A0632");
    LAST("1,2,3,4,5,6,7,8\n", "x", "A0632");
    LAST("1,2 3,3,4,5,6,7\n", "x", "A0632");
    LAST("1,2,3,4,5,6,seven\n", "x", "A0632");
    char cell[400], row[500];
    memset(cell, '1', sizeof cell - 1);
    cell[sizeof cell - 1] = '\0';
    snprintf(row, sizeof row, "1,%s,3,4,5,6,7\n", cell);
    LAST(row, "x", "A0632"); /* no number has so many digits */
#undef LAST
    last_of("", "x", "A0632");
    last_of("x,t\n1,2\n", "x", "A0632");
}

/* x'' = 1 until t = 2, then −1: a row lies on the very time, and steps end and begin beside it; both ways. */
TEST(rows_lie_on_switches)
{
    static const char *const models[] = {
        "coordinate x\nkinetic x'^2/2\nforce x = if(t < 2, 1, -1)\nstart x = 0, x' = 1\n"
        "simulate t = 0 .. 4\n",
        "coordinate x\nkinetic x'^2/2\nforce x = -sign(t - 2)\nstart x = 8, x' = 1\n"
        "simulate t = 4 .. 0\n"};
    for (size_t k = 0; k < 2; k++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        ah_system *s = NULL;
        ah_trajectory *t = NULL;
        const ah_motion_options o = ah_motion_defaults();
        CHECK_INT(ah_read(ctx, "test", models[k], strlen(models[k]), NULL, &m), AH_OK);
        CHECK_INT(ah_system_create(m, NULL, &s), AH_OK);
        CHECK_INT(ah_trajectory_create(s, &o, 41, &t), AH_OK);
        CHECK_INT(ah_trajectory_rows(t), 41);
        for (size_t i = 0; i < ah_trajectory_rows(t); i++) {
            const double at = ah_trajectory_column(t, 0)[i], x = ah_trajectory_column(t, 1)[i];
            const double past = fmax(at - 2, 0);
            CHECK_NEAR(x, at + at * at / 2 - past * past, 4, 1e5, "tolerance 1e-10");
        }
        ah_trajectory_destroy(t);
        ah_system_destroy(s);
        ah_ctx_destroy(ctx);
    }
}
