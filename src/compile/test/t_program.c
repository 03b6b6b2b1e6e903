/* compile/test/t_program.c - programs against the interpreter of worksheets, and the engines
 * against each other, on every model and every formalism. */
#include "harness.h"
#include "lang/lang.h"

#include "compile/engine.h"
#include "sheet/run.h"
#include "derive/derive.h"
#include "model/probe.h"

#include <anholo/lang.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the largest acceleration and to the condition of the systems solved: the two routes
 * round differently. */
static const double agreement = 1e-12;
/* Central differences of half the digits. */
static const double difference_agreement = 1e-5;
enum { STATES = 4 };

typedef struct subject {
    const char *name;
    ah_ctx *ctx;
    ah_model *model;
    void (*body)(struct subject *s);
    /* how often */
    size_t methods, lowered, compared, engines;
} subject;

static void call_body(ah_ctx *ctx, void *arg)
{
    subject *s = arg;
    (void) ctx;
    s->body(s);
}

static void run_subject(subject *s, const char *path)
{
    size_t length;
    char *content = harness_read_file(path, &length);
    s->name = path;
    s->ctx = ah_ctx_create(NULL);
    if (content && lang_read(s->ctx, path, content, length, NULL, &s->model) == AH_OK)
        CHECK(ctx_guard(s->ctx, call_body, s) == AH_OK);
    ah_ctx_destroy(s->ctx);
    free(content);
}

static void run_folder(subject *s, const char *folder)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/%s", harness_source_dir(), folder);
    DIR *dir = opendir(path);
    REQUIRE(dir != NULL);
    for (struct dirent *entry; (entry = readdir(dir));) {
        const size_t length = strlen(entry->d_name);
        if (length < 4 || strcmp(entry->d_name + length - 3, ".ah")) continue;
        if (entry->d_name[length - 4] % harness_amount(2, 1, 1)) continue; /* half of them */
        char file[2000];
        snprintf(file, sizeof file, "%s/%s", path, entry->d_name);
        run_subject(s, file);
    }
    closedir(dir);
}

/* ---- One method of one model ----------------------------------------------------------------- */

typedef struct trial {
    subject *s;
    const ah_equations *eq;
    probe *probe;
    probe_rng rng;
    expr_list inputs;
    program *program;
    frame *values;
    double *in, *out;
    expr_list variables; /* parameters that the program may change */
} trial;

/* t, q, v, z, ω. */
static void choose_inputs(trial *w)
{
    const ah_model *m = w->s->model;
    arena *a = &w->s->ctx->job;
    LIST_PUSH(a, &w->inputs, expr_time(w->s->ctx));
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &w->inputs, m->q.at[i]);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &w->inputs, m->v.at[i]);
    for (size_t i = 0; i < m->speeds.count; i++) LIST_PUSH(a, &w->inputs, m->speeds.at[i].symbol);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        LIST_PUSH(a, &w->inputs, m->quasivelocities.at[i].symbol);
}

static bool make_program(trial *w, bool jacobian, algebra *alg)
{
    ah_ctx *ctx = w->s->ctx;
    recipe r;
    mat out;
    recipe_init(&r, ctx, &ctx->job, alg, w->values);
    if (!recipe_lower(&r, w->eq->sheet, w->eq->qddot, 0, NULL, NULL, &out)) return false;
    if (jacobian) out = recipe_jacobian(&r, out, w->inputs.count, w->inputs.at);
    const ah_expr *dense = mat_to_dense(ctx, &ctx->job, out);
    const program_spec spec = {.inputs = w->inputs.count,
                               .input = w->inputs.at,
                               .outputs = (size_t) out.rows * out.cols,
                               .output = dense,
                               .recipe = &r,
                               .parameter = w->values,
                               .variables = w->variables.count,
                               .variable = w->variables.at};
    w->program = program_create(ctx, &ctx->job, &spec);
    if (!w->program) return false;
    w->in = NEW_ARRAY(&ctx->job, double, w->inputs.count);
    w->out = NEW_ARRAY(&ctx->job, double, spec.outputs + 1);
    return true;
}

static bool draw(trial *w)
{
    if (!probe_admissible(w->probe, &w->rng, w->values)) return false;
    for (size_t i = 0; i < w->inputs.count; i++) w->in[i] = frame_get(w->values, w->inputs.at[i]);
    return true;
}

/* `only`: one method, or NULL for all of them. */
static void each_method(subject *s, const char *only, void (*check)(trial *w))
{
    const size_t before = s->ctx->log->diagnostics.count;
    for (size_t f = 0; derive_formalisms[f]; f++) {
        const char *why, *instead;
        trial w = {.s = s, .rng = probe_seed(7)};
        if (only && strcmp(derive_formalisms[f]->name, only)) continue;
        w.eq = derive_equations(s->model, derive_formalisms[f], NULL, &why, &instead);
        if (!w.eq || w.eq->branches || w.eq->qddot == QUANTITY_NONE) continue;
        if (s->model->functions.count) continue; /* unspecified functions have no numbers */
        w.probe = probe_create(s->model, &s->ctx->job);
        w.values = probe_values(s->model, &s->ctx->job);
        choose_inputs(&w);
        s->methods++;
        if (probe_admissible(w.probe, &w.rng, w.values)) check(&w);
    }
    CHECK(s->ctx->log->diagnostics.count == before);
}

static double largest(const double *x, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

static void compare_with_run(trial *w)
{
    subject *s = w->s;
    char why[400];
    snprintf(why, sizeof why, "%s: %s", s->name, w->eq->formalism->name);
    algebra *alg = algebra_create(s->ctx, s->model->facts.at, s->model->facts.count);
    algebra_set_bounds(alg, 0.05, 2000);
    if (!make_program(w, false, alg)) return;
    s->lowered++;
    runner *r = run_create(s->ctx, &s->ctx->job, w->eq->sheet, &w->eq->qddot, 1);
    for (int i = 0; i < STATES; i++) {
        run_failure failure;
        if (!draw(w) || !run_at(r, w->values, &failure) || !program_run(w->program, w->in, w->out))
            continue;
        const double *want = run_get(r, w->eq->qddot);
        const double scale = fmax(largest(want, s->model->n), 1e-3);
        s->compared++;
        for (uint32_t j = 0; j < s->model->n; j++)
            CHECK_NEAR(w->out[j], want[j], scale / run_reciprocal_condition(r), agreement * 0x1p52,
                       why);
    }
}

static void compare_models(subject *s)
{
    each_method(s, NULL, compare_with_run);
}

TEST(programs_agree_with_worksheets)
{
    subject s = {.body = compare_models};
    run_folder(&s, "tests/reference");
    printf("# %zu methods, %zu lowered, %zu states\n", s.methods, s.lowered, s.compared);
    CHECK(s.lowered * 10 > s.methods * 7);
    CHECK(s.compared > 3 * s.lowered);
}

/* ---- Parameters ------------------------------------------------------------------------------ */

static void parameters_of(const trial *w, double *out)
{
    for (size_t i = 0; i < w->variables.count; i++)
        out[i] = frame_get(w->values, w->variables.at[i]);
}

/* One program whose parameters change, against one made anew for every choice of them. */
static void change_parameters(trial *w)
{
    subject *s = w->s;
    arena *a = &s->ctx->job;
    char why[400];
    snprintf(why, sizeof why, "%s: %s", s->name, w->eq->formalism->name);
    const expr_list none = {0};
    expr_list all = {0};
    for (size_t i = 0; i < s->model->parameters.count; i++)
        LIST_PUSH(a, &all, s->model->parameters.at[i].symbol);
    w->variables = all;
    if (!all.count || !make_program(w, false, NULL)) return;
    const program *general = w->program;
    program_work *space = program_work_create(general, a, 0);
    double *given = NEW_ARRAY(a, double, all.count), *got = NEW_ARRAY(a, double, s->model->n);
    s->lowered++;
    w->variables = none;
    if (!make_program(w, false, NULL)) return; /* the same pivots, by the same sample */
    for (int change = 0; change < 3; change++) {
        if (!probe_admissible(w->probe, &w->rng, w->values)) return; /* with the model's values */
        for (size_t i = 0; change && i < all.count; i++)
            *frame_ref(w->values, all.at[i]) *= harness_uniform(0.9, 1.2);
        w->variables = none;
        if (change && !make_program(w, false, NULL)) return;
        w->variables = all;
        parameters_of(w, given);
        program_set(general, space, given);
        for (size_t i = 0; i < w->inputs.count; i++)
            w->in[i] = frame_get(w->values, w->inputs.at[i]);
        if (!program_run(w->program, w->in, w->out) || !program_run_in(general, space, w->in, got))
            continue;
        s->compared++;
        const double scale = fmax(largest(w->out, s->model->n), 1e-3);
        for (uint32_t j = 0; j < s->model->n; j++)
            if (!change)
                CHECK(got[j] == w->out[j]); /* the same operations in the same order */
            else
                CHECK_NEAR(got[j], w->out[j], scale, 1e-7 * 0x1p52, why);
    }
}

static void change_all(subject *s)
{
    each_method(s, NULL, change_parameters);
}

TEST(parameters_change_without_a_new_program)
{
    subject s = {.body = change_all};
    run_folder(&s, "tests/reference");
    printf("# %zu programs, %zu states\n", s.lowered, s.compared);
    CHECK(s.compared > s.lowered);
}

/* ---- Engines --------------------------------------------------------------------------------- */

static void compare_engines(trial *w)
{
    subject *s = w->s;
    arena *a = &s->ctx->job;
    if (!make_program(w, false, NULL)) return;
    const program *programs[] = {w->program};
    const engine_kind kinds[] = {ENGINE_TCC, ENGINE_CC};
    double *want = NEW_ARRAY(a, double, w->program->outputs + 1);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (kinds[k] == ENGINE_CC && s->engines > 8) continue; /* slow to compile */
        engine *e = engine_create(s->ctx, a, kinds[k], programs, 1, NULL);
        if (!e) continue;
        s->engines++;
        for (int i = 0; i < STATES && draw(w); i++) {
            const bool good = program_run(w->program, w->in, want);
            CHECK(engine_call(e, 0, w->in, w->out) == good);
            if (good) CHECK(memcmp(w->out, want, w->program->outputs * sizeof *want) == 0);
        }
        engine_destroy(e);
    }
}

static void compare_model_engines(subject *s)
{
    each_method(s, "multipliers", compare_engines);
}

/* What is compiled here does not go to the user's cache. */
static void use_own_cache(void)
{
    const char *build = getenv("AH_BUILD_DIR");
    if (build) setenv("XDG_CACHE_HOME", build, 1);
}

TEST(engines_agree_bit_for_bit)
{
    use_own_cache();
    subject s = {.body = compare_model_engines};
    run_folder(&s, "models");
    printf("# %zu compilations\n", s.engines);
#ifdef AH_WITH_TCC
    CHECK(s.engines > 20);
#endif
}

/* ---- Jacobians ------------------------------------------------------------------------------- */

static void compare_jacobian(trial *w)
{
    subject *s = w->s;
    const uint32_t n = s->model->n;
    const size_t inputs = w->inputs.count;
    char why[400];
    snprintf(why, sizeof why, "%s: %s", s->name, w->eq->formalism->name);
    if (!make_program(w, true, NULL)) return;
    const program *jacobian = w->program;
    double *J = w->out, *up = NEW_ARRAY(&s->ctx->job, double, n),
           *down = NEW_ARRAY(&s->ctx->job, double, n);
    if (!make_program(w, false, NULL) || !draw(w) || !program_run(jacobian, w->in, J)) return;
    s->lowered++;
    for (size_t j = 0; j < inputs; j++) {
        const double x = w->in[j], h = 1e-5 * fmax(1, fabs(x));
        w->in[j] = x + h;
        const bool above = program_run(w->program, w->in, up);
        w->in[j] = x - h;
        const bool below = program_run(w->program, w->in, down);
        w->in[j] = x;
        if (!above || !below) continue;
        const double scale = largest(J, n * inputs) + largest(up, n);
        for (uint32_t i = 0; i < n; i++)
            CHECK_NEAR(J[i * inputs + j], (up[i] - down[i]) / (2 * h), scale,
                       difference_agreement * 0x1p52, why);
    }
}

static void compare_jacobians(subject *s)
{
    each_method(s, NULL, compare_jacobian);
}

TEST(jacobians_agree_with_differences)
{
    subject s = {.body = compare_jacobians};
    run_folder(&s, "models");
    printf("# %zu Jacobians\n", s.lowered);
    CHECK(s.lowered > 20);
}

/* Eight pendulums, one on the other: a full mass matrix. */
static const char chain_of_eight[] =
    "coordinate a[1..8]\n"
    "for i = 1 .. 8:\n"
    "    point P[i] mass 1 at (sum(j = 1 .. i, sin(a[j])), -sum(j = 1 .. i, cos(a[j])))\n"
    "gravity (0, -10)\n";

static void weigh_jacobian(trial *w)
{
    if (!make_program(w, false, NULL)) return;
    const size_t once = program_operations(w->program);
    if (!make_program(w, true, NULL)) return;
    w->s->lowered++;
    printf("# %zu operations, with derivatives by 17 variables %zu\n", once,
           program_operations(w->program));
    CHECK(program_operations(w->program) < 6 * once);
}

static void weigh_jacobians(subject *s)
{
    each_method(s, "lagrange", weigh_jacobian);
}

/* By the factors of the system, not through its elimination. */
TEST(derivatives_do_not_eliminate_again)
{
    subject s = {.name = "chain", .body = weigh_jacobians, .ctx = ah_ctx_create(NULL)};
    CHECK(lang_read(s.ctx, s.name, chain_of_eight, strlen(chain_of_eight), NULL, &s.model) ==
          AH_OK);
    CHECK(ctx_guard(s.ctx, call_body, &s) == AH_OK);
    CHECK(s.lowered == 1);
    ah_ctx_destroy(s.ctx);
}
