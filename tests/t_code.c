/* tests/t_code.c - the programs of motions: for every model and method they exist and agree with
 * the worksheet's interpreter; their Jacobians agree with differences. */
#include "harness.h"
#include "lang/lang.h"

#include "making/motion_code.h"
#include "numeric/numeric.h"

#include <anholo/anholo.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STATES = 3 };

typedef struct survey {
    ah_model *model;
    const char *name;
    size_t programs, states, given_up, constants, by_parts, known, determinants, determinant;
    size_t through_frames, operations; /* the most */
} survey;

static void take(const motion_code *c, const point *p, double *y)
{
    for (uint32_t i = 0; i < c->n; i++) y[i] = point_get(p, p->model->q.at[i]);
    for (uint32_t i = 0; i < c->m; i++) y[c->n + i] = point_get(p, c->second[i]);
}

static double largest(const double *x, size_t count)
{
    double size = 0;
    for (size_t i = 0; i < count; i++) size = fmax(size, fabs(x[i]));
    return size;
}

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* y' by the program against the worksheet, which pivots. */
static void compare_rhs(survey *s, motion_code *c, const point *p, const char *method)
{
    const uint32_t size = c->n + c->m;
    double *y = NEW_ARRAY(p->arena, double, size), *got = NEW_ARRAY(p->arena, double, size);
    run_failure failure;
    take(c, p, y);
    if (!run_at(c->runner, p->values, &failure)) return;
    s->states++;
    if (!motion_code_run(c, MOTION_RHS, point_get(p, p->mech->t), y, got)) {
        s->given_up++;
        return;
    }
    const double *rate = run_get(c->runner, c->rate);
    const double scale = fmax(1, largest(got, size)) / run_reciprocal_condition(c->runner);
    for (uint32_t i = 0; i < c->m; i++) {
        const double want = rate[c->row ? c->row[i] : i];
        if (!CHECK_NEAR(got[c->n + i], want, scale, 1e4, "program against worksheet"))
            printf("# %s, %s, row %u\n", s->name, method, i);
    }
    for (uint32_t i = 0; i < c->n; i++)
        CHECK_NEAR(got[i], point_get(p, p->model->v.at[i]), largest(got, c->n) + 1, 1e5, "q'");
}

/* What claims call constant, and the size of its terms, against the expressions' own evaluation. */
static void compare_constants(survey *s, motion_code *c, const point *p)
{
    const ah_model *m = p->model;
    arena *a = p->arena;
    expr_list list = {0};
    if (!c->program[MOTION_CONSTANTS]) return;
    for (size_t i = 0; i < m->claims.count; i++)
        if (m->claims.at[i].constant != AH_NONE && !m->claims.at[i].refute)
            LIST_PUSH(a, &list, m->claims.at[i].constant);
    double *y = NEW_ARRAY(a, double, c->n + c->m), *out = NEW_ARRAY(a, double, 2 * list.count);
    double *want = NEW_ARRAY(a, double, list.count), *size = NEW_ARRAY(a, double, list.count);
    expr_plan_run_scaled(expr_plan_create(p->ctx, a, list.at, list.count), p->values, want, size);
    take(c, p, y);
    REQUIRE(motion_code_run(c, MOTION_CONSTANTS, point_get(p, p->mech->t), y, out));
    for (size_t i = 0; i < list.count; i++) {
        CHECK_NEAR(out[2 * i], want[i], size[i], 1e4, "a constant");
        CHECK_NEAR(out[2 * i + 1], size[i], size[i], 1e4, "the size of its terms");
        s->constants++;
    }
}

/* A contact force by the rates, against the multiplier. */
static void compare_known(survey *s, motion_code *c, const point *p)
{
    const ah_model *m = p->model;
    const double t = point_get(p, p->mech->t);
    double *y = NEW_ARRAY(p->arena, double, c->n + c->m);
    double *f = NEW_ARRAY(p->arena, double, c->n + c->m), value, size;
    take(c, p, y);
    if (!motion_code_run(c, MOTION_RHS, t, y, f)) return;
    for (size_t i = 0; i < m->events.count; i++) {
        derived_ref d;
        if (!model_find_derived(m, m->events.at[i].e, &d) || d.what != DERIVED_LAMBDA ||
            !motion_code_known(c, i, t, y, f, &value, &size) ||
            !motion_code_run(c, MOTION_REACTIONS, t, y, NULL))
            continue;
        CHECK_NEAR(value, c->out[d.index[0]], fabs(value) + size, 1e5, "a contact force");
        s->known++;
    }
}

/* Central differences of two widths, extrapolated: their own error is estimated too. */
static bool difference(motion_code *c, double t, double *y, uint32_t j, double *out, double *error)
{
    const uint32_t size = c->n + c->m;
    const double kept = y[j], h = 1e-4 * fmax(1, fabs(kept));
    double *f = NEW_ARRAY(&c->ctx->scratch, double, 4 * (size_t) size);
    static const double at[] = {-1, 1, -0.5, 0.5};
    bool good = true;
    for (int k = 0; k < 4; k++) {
        y[j] = kept + at[k] * h;
        good = good && motion_code_run(c, MOTION_RHS, t, y, f + k * size);
    }
    y[j] = kept;
    for (uint32_t i = 0; good && i < size; i++) {
        const double wide = (f[size + i] - f[i]) / (2 * h);
        const double narrow = (f[3 * size + i] - f[2 * size + i]) / h;
        out[i] = (4 * narrow - wide) / 3;
        error[i] = fabs(narrow - wide);
    }
    return good;
}

static void compare_jacobian(survey *s, motion_code *c, const point *p, const char *method)
{
    const uint32_t size = c->n + c->m;
    arena *a = p->arena;
    double *y = NEW_ARRAY(a, double, size), *J = NEW_ARRAY(a, double, (size_t) size *size);
    double *column = NEW_ARRAY(a, double, size), *error = NEW_ARRAY(a, double, size);
    const double t = point_get(p, p->mech->t);
    take(c, p, y);
    if (!motion_code_run(c, MOTION_JACOBIAN, t, y, J)) return;
    if (!all_finite(J, (size_t) size * size)) return;
    const double scale = fmax(1, largest(J, (size_t) size * size));
    for (uint32_t j = 0; j < size; j++) {
        if (!difference(c, t, y, j, column, error)) continue;
        for (uint32_t i = 0; i < size; i++)
            if (!CHECK_NEAR(J[(size_t) i * size + j], column[i], 1e6 * scale + 1e16 * error[i], 1,
                            "Jacobian against differences"))
                printf("# %s, %s, row %u, column %u\n", s->name, method, i, j);
    }
}

/* The formula by which ranks are watched against the minors of the rows themselves. */
static void compare_determinant(survey *s, motion_code *c, const point *p)
{
    const uint32_t rows = c->rank_rows, n = c->n;
    double *y = NEW_ARRAY(p->arena, double, n + c->m), D[2], sizes = 1;
    if (!c->program[MOTION_DETERMINANT] || !c->program[MOTION_RANK]) return;
    double *A = NEW_ARRAY(p->arena, double, c->program[MOTION_RANK]->outputs);
    take(c, p, y);
    const double t = point_get(p, p->mech->t);
    if (!motion_code_run(c, MOTION_RANK, t, y, A) ||
        !CHECK(motion_code_run(c, MOTION_DETERMINANT, t, y, D)))
        return;
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < n; j++) {
            const double mass = sqrt(A[(size_t) rows * n + j]);
            A[(size_t) i * n + j] *= c->rank_of_psi ? mass : 1 / mass;
        }
        sizes *= linear_norm(n, A + (size_t) i * n) * linear_norm(n, A + (size_t) i * n);
    }
    if (D[0] == 0 || !isfinite(sizes)) return; /* it has no formula; or it has no rows there */
    const double want = linear_minor_squares(&p->ctx->scratch, rows, n, rows, A);
    CHECK_NEAR(D[0], want, sizes, 1e5, "the determinant against minors");
    s->determinants++;
    s->determinant = program_operations(c->program[MOTION_DETERMINANT]);
}

/* Variables that do not determine the velocities at this state are none. */
static bool has_values(const motion_code *c, const point *p)
{
    for (uint32_t i = 0; i < c->m; i++)
        if (!isfinite(point_get(p, c->second[i]))) return false;
    return true;
}

/* Variables of the motion's own: a random state does not have them. */
static void put_own(const motion_code *c, point *p)
{
    for (uint32_t i = 0; i < c->own.rows; i++)
        point_set(p, c->second[i], point_eval(p, mat_get(p->ctx, c->own, i, 0)));
}

static void survey_method(survey *s, const formalism *f, states *random, const eval_method *all)
{
    ah_ctx *ctx = s->model->ctx;
    eval_method method = eval_prepare(s->model, f, NULL, &ctx->job);
    if (method.refused || method.eq->branches) return;
    motion_code c = {0};
    states_rng rng = probe_seed(7);
    for (int k = 0; k < STATES; k++) {
        point p;
        if (!point_at_random(s->model, random, &rng, &ctx->job, &p)) return;
        if (!c.ctx) {
            motion_code_create(&c, &method, all, &p, MOTION_SHORTEST);
            motion_code_add_jacobian(&c, &p);
            motion_code_start(&c, ENGINE_INTERPRET);
            if (!CHECK(c.program[MOTION_RHS] != NULL) || !CHECK(c.program[MOTION_JACOBIAN]))
                printf("# %s has no program for %s\n", s->name, f->name);
            s->programs += c.program[MOTION_RHS] != NULL;
            s->by_parts += c.program[MOTION_RHS] && c.writing == MOTION_BY_PARTS;
            if (c.program[MOTION_RHS] && c.writing == MOTION_BY_FRAMES) {
                const size_t operations = program_operations(c.program[MOTION_RHS]);
                if (operations > s->operations) s->operations = operations;
                s->through_frames++;
            }
        }
        put_own(&c, &p);
        if (!c.program[MOTION_RHS] || !has_values(&c, &p)) return;
        compare_rhs(s, &c, &p, f->name);
        compare_constants(s, &c, &p);
        compare_known(s, &c, &p);
        compare_determinant(s, &c, &p);
        if (c.program[MOTION_JACOBIAN]) compare_jacobian(s, &c, &p, f->name);
    }
}

static void survey_model(ah_ctx *ctx, void *arg)
{
    survey *s = arg;
    s->model = model_driven(s->model);
    const eval_method multipliers =
        eval_prepare(s->model, derive_find("multipliers"), NULL, &ctx->job);
    for (size_t i = 0; derive_formalisms[i]; i++) { /* symbols before states */
        const eval_method m = eval_prepare(s->model, derive_formalisms[i], NULL, &ctx->job);
        (void) m;
    }
    states *random = analyse_states_create(s->model, &ctx->job);
    for (size_t i = 0; derive_formalisms[i]; i++)
        survey_method(s, derive_formalisms[i], random, &multipliers);
}

static void survey_file(survey *s, const char *path)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    size_t length = 0;
    char *model = harness_read_file(path, &length);
    if (model && harness_is_due(s->name, model) &&
        lang_read(ctx, path, model, length, NULL, &s->model) == AH_OK)
        CHECK(ctx_guard(ctx, survey_model, s) == AH_OK);
    ah_ctx_destroy(ctx);
    free(model);
}

TEST(programs_agree_with_worksheets_and_jacobians_with_differences)
{
    char folder[400], path[800];
    survey s = {0};
    snprintf(folder, sizeof folder, "%s/models", harness_source_dir());
    DIR *d = opendir(folder);
    REQUIRE(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        if (!strstr(e->d_name, ".ah")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        s.name = e->d_name;
        survey_file(&s, path);
    }
    closedir(d);
    printf("# %zu programs, %zu states, %zu left to the worksheet, %zu determinants\n", s.programs,
           s.states, s.given_up, s.determinants);
    const size_t least = (size_t) harness_amount(150, 300, 300);
    CHECK(s.programs > least);
    CHECK(s.constants > least);
    CHECK(s.determinants > least / 4);
    CHECK(s.given_up * 20 < s.states);
}

/* A full M in angles: its equations run in independent accelerations (making_rhs.c). */
TEST(long_equations_in_independent_accelerations)
{
    char path[800];
    survey s = {.name = "trailers_angles.ah"};
    snprintf(path, sizeof path, "%s/bench/models/%s", harness_source_dir(), s.name);
    survey_file(&s, path);
    CHECK(s.programs > 0 && s.states > 0);
    CHECK(s.given_up == 0);
}

static void survey_text(survey *s, const char *written)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    REQUIRE(lang_read(ctx, "text", written, strlen(written), NULL, &s->model) == AH_OK);
    CHECK(ctx_guard(ctx, survey_model, s) == AH_OK);
    ah_ctx_destroy(ctx);
}

/* Through frames (making_frames.c, touches.c): a bicycle with a spring, damping and forces, whose wheels roll by rows that are written or
 * by `roll`, as discs and as tori; an arm of six joints, one across the others. By points and bodies bicycles took 2000 and more. */
TEST(machines_through_frames)
{
    static const char *const more = "potential 3*delta^2 + (theta - phi/10)^2/2\n"
                                    "force on frame (3, 0.5, 1)\ntorque on fork (0.2, 0.3, -0.4)\n"
                                    "force delta = -2*delta' + 0.3*sin(3*t)\n";
    static const char *const models[] = {"bicycle.ah", "bicycle_rolling.ah"};
    for (size_t i = 0; i < 2; i++) {
        char path[800], written[8000];
        size_t length = 0;
        survey s = {.name = models[i]};
        snprintf(path, sizeof path, "%s/models/%s", harness_source_dir(), models[i]);
        char *model = harness_read_file(path, &length);
        REQUIRE(model != NULL && length + strlen(more) + 1 < sizeof written);
        snprintf(written, sizeof written, "%s%s", model, more);
        survey_text(&s, written);
        free(model);
        CHECK(s.through_frames > 0 && s.states > 0 && s.given_up == 0);
        CHECK(s.operations < 1250);
        printf("# %s: %zu operations\n", models[i], s.operations);
    }
}

TEST(arms_through_frames)
{
    survey s = {.name = "arm"};
    survey_text(
        &s, "parameter g = 9.81\ncoordinate a, b, c, d, e, f\n"
            "body base mass 10 inertia (0.3, 0.4, 0.2, 0.01, 0, 0.02) at (0, 0, 0.2) turn z a\n"
            "body upper mass 8 inertia (0.5, 0.4, 0.1) on base at "
            "(0.1 + 0.2*sin(b), 0, 0.3 + 0.2*cos(b)) turn y b\n"
            "body fore mass 5 inertia (0.2, 0.25, 0.05, 0, 0.01, 0) on upper at "
            "(0.15*sin(c), 0.05, 0.2 + 0.15*cos(c)) turn y c\n"
            "body wrist mass 2 inertia (0.02, 0.02, 0.01) on fore at (0, 0, 0.25) turn z d\n"
            "body palm mass 1 inertia (0.01, 0.015, 0.02) on wrist at (0, 0.02, 0.1) turn x e\n"
            "body tool mass 0.7 inertia (0.003, 0.002, 0.004) on palm at (0.05, 0, 0.08) turn z f\n"
            "gravity (0, 0, -g)\ntorque on tool (0.1, 0.2*cos(t), -0.1*f')\n"
            "start a = 0.1, b = 0.3, c = -0.4, d = 0.5, e = 0.6, f = 0.1, a' = 1, b' = -0.4, "
            "c' = 0.6, d' = 1, e' = 0.2, f' = 3\nsimulate t = 0 .. 1\n");
    CHECK(s.through_frames > 0 && s.states > 0 && s.given_up == 0);
    printf("# arm: %zu operations\n", s.operations);
    CHECK(s.operations < 1400);
}

/* Two wheels of a car: sin² + cos² and the cosine of a difference are not left to every step. */
TEST(ranks_are_watched_by_short_formulas)
{
    static const char *const car =
        "parameter m = 1.5, I = 0.8, J = 0.5, l = 1.1\ncoordinate x, y, heading, steering\n"
        "point rear mass m at (x, y)\nkinetic I*heading'^2/2 + J*steering'^2/2\n"
        "constraint y'*cos(heading) - x'*sin(heading) = 0\n"
        "constraint y'*cos(heading + steering) - x'*sin(heading + steering) + "
        "l*heading'*cos(steering) = 0\n";
    survey s = {.name = "car"};
    survey_text(&s, car);
    CHECK(s.determinants > 0);
    CHECK(s.determinant < 12); /* 25 by the rows as they are written */
}

/* By points and bodies (making_parts.c): on a slope, driven and damped; on what moves; two bodies; a body and a point that it
 * carries. */
TEST(bodies_by_their_parts)
{
    static const char *const stone = "parameter m = 1.3, a = 0.7, b = 0.5, c = 0.3, A = 0.2, B = "
                                     "0.4, C = 0.5, D = 0.03, g = 9.81\n"
                                     "coordinate x, y, z, alpha, beta, gamma\n"
                                     "body S mass m inertia (A, B, C, 0.01, 0.02, D) at (x, y, z) "
                                     "turn z alpha, y beta, x gamma\n"
                                     "shape S ellipsoid size (a, b, c) at (0.02, 0.01, 0.05)\n";
    static const char *const more[] = {
        "gravity (3, 0, -g)\nsurface table plane\nroll S on table\n"
        "force on S (sin(x), 0, 0.3*cos(t))\ntorque on S (0, 0, -0.1*alpha')\n",
        "gravity (0, 0, -g)\nsurface table plane moving (0.4*sin(2*t), 0.1*x, 0)\nroll S on "
        "table\n",
        "gravity (0, 0, -g)\nsurface table plane\nroll S on table\n"
        "point P mass 0.2 at (x, y, z) + 0.1*axis(S, 1) + 0.2*axis(S, 2) + 0.3*axis(S, 3)\n",
    };
    for (size_t i = 0; i < sizeof more / sizeof *more; i++) {
        char written[2000];
        survey s = {.name = more[i]};
        snprintf(written, sizeof written,
                 "%s%sstart x = 0, y = 0, alpha = 0.1, beta = 0.2, gamma = 0.1, alpha' = 1, beta' "
                 "= 0.2, "
                 "gamma' = 0.3\nsimulate t = 0 .. 1\n",
                 stone, more[i]);
        survey_text(&s, written);
        CHECK(s.by_parts > 0 && s.states > 0 && s.given_up == 0);
        printf("# %zu by parts, %zu states, %zu contact forces\n", s.by_parts, s.states, s.known);
    }
}
