/* t_flow.c - the motion as a vector field: its slopes against difference quotients, its minimal
 * variables, and spectra with zeros that rounding would smear. */
#include <anholo/lang.h>

#include "flow/minimal.h"
#include "lang/lang.h"
#include "numeric/spectrum.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct question {
    ah_model *m;
    int states;
    bool refused;
} question;

static void ask(const char *model, void (*body)(ah_ctx *, void *), question *k)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(lang_read(ctx, "test", model, strlen(model), NULL, &k->m), AH_OK);
    if (k->m) CHECK_INT(ctx_guard(ctx, body, k), AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- Slopes ---------------------------------------------------------------------------------- */

/* x'(x + h e_j) with the constraints left behind: the field is defined there, too. */
static void shifted(flow *w, const frame *values, uint32_t j, double h, double *rate)
{
    frame *there = frame_copy(w->arena, values);
    *frame_ref(there, w->x[j]) += h;
    CHECK(flow_at(w, there));
    memcpy(rate, w->rate, w->N * sizeof *rate);
}

/* Sixth-order differences: their own error is some 1e-11. */
static void compare_column(flow *w, const frame *values, const double *slope, uint32_t j)
{
    static const double weight[] = {45, -9, 1};
    const double h = 4e-3;
    double *up = NEW_ARRAY(w->arena, double, w->N), *down = NEW_ARRAY(w->arena, double, w->N);
    double *sum = NEW_ARRAY(w->arena, double, w->N), size = 1;
    for (int k = 1; k <= 3; k++) {
        shifted(w, values, j, k * h, up);
        shifted(w, values, j, -k * h, down);
        for (uint32_t i = 0; i < w->N; i++) sum[i] += weight[k - 1] * (up[i] - down[i]) / (60 * h);
    }
    for (uint32_t i = 0; i < w->N; i++) size = fmax(size, fabs(slope[i * (w->N + 1) + j]));
    for (uint32_t i = 0; i < w->N; i++)
        CHECK_NEAR(slope[i * (w->N + 1) + j], sum[i], size, 4e8, "difference quotient");
}

static void compare_slopes(ah_ctx *ctx, void *arg)
{
    question *k = arg;
    arena *a = &ctx->job;
    const char *why;
    flow *w = flow_create(k->m, a, &why);
    k->refused = !w;
    if (!w) return;
    states *random = analyse_states_create(k->m, a);
    frame *values = probe_values(k->m, a);
    states_rng rng = probe_seed(3);
    for (int s = 0; s < 3 && analyse_random_state(random, &rng, values); s++) {
        if (!flow_at(w, values)) continue;
        double *slope = NEW_ARRAY(a, double, (size_t) w->N *(w->N + 1));
        memcpy(slope, w->slope, (size_t) w->N * (w->N + 1) * sizeof *slope);
        for (uint32_t j = 0; j <= w->N; j++) compare_column(w, values, slope, j);
        k->states++;
    }
}

static const char sleigh[] = "parameter m = 2, I = 0.3, a = 0.4\n"
                             "coordinate x, y, theta\n"
                             "body K mass m inertia (I, I, I) at (x + a*cos(theta), y + "
                             "a*sin(theta)) turn z theta\n"
                             "constraint edge: y'*cos(theta) - x'*sin(theta) = 0\n"
                             "quasivelocity u = x'*cos(theta) + y'*sin(theta), w = theta'\n";

TEST(slopes_are_those_of_difference_quotients)
{
    static const char *const models[] = {
        sleigh,
        /* rheonomic, affine, with a force that depends on velocities */
        "parameter m = 1.3\ncoordinate x, y, z\nkinetic 1/2*m*(x'^2 + y'^2*(1 + x^2) + z'^2)\n"
        "potential x^2*z\nforce y = -0.2*y'*x\nconstraint a: z' = y*x' + sin(t)\n",
        /* non-linear constraint by velocity parameters */
        "coordinate x, y, u, v\nkinetic 1/2*(x'^2 + y'^2) + u'^2 + v'^2\npotential x*u^2\n"
        "velocity r, s, th: x' = r*cos(th), y' = r*sin(th), u' = s*cos(th), v' = s*sin(th)\n",
        /* the same by its constraint */
        "coordinate x, y, u, v\nkinetic 1/2*(x'^2 + y'^2) + u'^2 + v'^2\npotential x*u^2\n"
        "constraint p: x'*v' - y'*u' = 0\n",
        /* holonomic, redundant */
        "coordinate x, y, z\nkinetic 1/2*(x'^2 + 2*y'^2 + z'^2)\npotential 3*z\n"
        "constraint f: x^2 + y^2 + z^2 = 1\nconstraint g: 2*x*x' + 2*y*y' + 2*z*z' = 0\n",
        /* second class */
        "coordinate x, y\nkinetic 1/2*(x'^2 + 3*y'^2)\nconstraint c: x'' = y*y'' + x'*y'\n",
        "coordinate q, p\nkinetic 1/2*q'^2*(2 + cos(p)) + 1/2*p'^2\npotential cos(q - p)\n",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        question k = {0};
        ask(models[i], compare_slopes, &k);
        CHECK(!k.refused);
        CHECK_INT(k.states, 3);
    }
    question k = {0};
    ask("coordinate x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\nconstraint c: z'' = x''*y''\n",
        compare_slopes, &k);
    CHECK(k.refused);
}

/* ---- Minimal variables ----------------------------------------------------------------------- */

static void reduce(ah_ctx *ctx, void *arg)
{
    question *k = arg;
    arena *a = &ctx->job;
    const char *why;
    flow *w = flow_create(k->m, a, &why);
    states *random = analyse_states_create(k->m, a);
    frame *values = probe_values(k->m, a);
    states_rng rng = probe_seed(9);
    REQUIRE(w && analyse_random_state(random, &rng, values));
    minimal *m = minimal_create(w, a, values, random);
    REQUIRE(m != NULL);
    CHECK(m->autonomous && m->generic);
    CHECK_INT(m->ignorable, 3); /* x, y, theta */
    CHECK_INT(m->kept, 2);
    k->states = m->omega ? 2 : 1;
    /* u' = a w², w' = −m a u w/(I + m a²) */
    REQUIRE(minimal_at(m, values));
    const double u = minimal_value(m, 3, values), v = minimal_value(m, 4, values);
    const double b = 2 * 0.4 / (0.3 + 2 * 0.4 * 0.4);
    CHECK_NEAR(m->B[0], 0, 1, 100, "du'/du");
    CHECK_NEAR(m->B[1], 2 * 0.4 * v, fabs(v), 100, "du'/dw");
    CHECK_NEAR(m->B[2], -b * v, fabs(v), 100, "dw'/du");
    CHECK_NEAR(m->B[3], -b * u, fabs(u), 100, "dw'/dw");
    /* In two steps: the rates first, B stays that of the state before until it is asked for. */
    const double before = m->B[1], rate = m->rate[4], condition = m->condition;
    for (uint32_t i = w->n; i < w->N; i++) *frame_ref(values, w->x[i]) *= 2;
    REQUIRE(minimal_rates_at(m, values));
    const double now = minimal_value(m, 4, values);
    CHECK_NEAR(m->rate[4], -b * minimal_value(m, 3, values) * now, fabs(rate), 1000, "w'");
    CHECK(m->B[1] == before && m->condition == condition);
    REQUIRE(minimal_finish(m));
    CHECK_NEAR(m->B[1], 2 * 0.4 * now, fabs(now), 100, "du'/dw");
    CHECK(m->condition > 0.01 * condition);
}

TEST(minimal_variables_ignore_what_does_not_matter)
{
    question k = {0};
    ask(sleigh, reduce, &k);
    CHECK_INT(k.states, 2); /* in quasi-velocities: no choice of x', y', theta' forgets theta */
}

/* ---- Spectra --------------------------------------------------------------------------------- */

typedef struct matrix_case {
    uint32_t n, zeros, steps, unstable;
    double B[25];
    double largest; /* the greatest real part of those that are not zero */
} matrix_case;

static void multiply(uint32_t n, const double *X, const double *Y, double *out)
{
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            out[i * n + j] = 0;
            for (uint32_t l = 0; l < n; l++) out[i * n + j] += X[i * n + l] * Y[l * n + j];
        }
}

static void spectra(ah_ctx *ctx, void *arg)
{
    const matrix_case *c = arg;
    /* in other coordinates, P⁻¹BP with P = 1 + e vᵀ, e·v = 0: P⁻¹ = 1 − e vᵀ */
    double P[25], Q[25], T[25], C[25];
    const uint32_t n = c->n;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const double d = (i % 2 ? 1.0 : 0.0) * (j % 2 ? 0.0 : 0.3 + 0.1 * j);
            P[i * n + j] = (i == j) + d;
            Q[i * n + j] = (i == j) - d;
        }
    multiply(n, c->B, P, T);
    multiply(n, Q, T, C);
    spectrum s;
    CHECK(spectrum_of(&ctx->job, &ctx->scratch, n, C, NULL, NULL, &s));
    CHECK_INT(s.zeros, c->zeros);
    CHECK_INT(s.steps, c->steps);
    CHECK_INT(s.unstable, c->unstable);
    if (s.zeros < n) CHECK_NEAR(s.re[0], c->largest, 1, 1000, "greatest real part");
}

/* λ² = δ: a double zero that an error of δ in the matrix splits. */
static void split_zero(ah_ctx *ctx, void *unused)
{
    (void) unused;
    const double delta[] = {1e-16, 1e-14, 1e-8, 1e-8}, error[] = {0, 0, 0, 1e-7};
    const uint32_t surely[] = {0, 1, 1, 0};
    const spectrum none = {.n = 3}; /* take no zeros out */
    for (int k = 0; k < 4; k++) {
        spectrum s;
        const double B[] = {0, 1, 0, delta[k], 0, 0, 0, 0, -1},
                     E[] = {0, 0, 0, error[k], 0, 0, 0, 0, 0};
        CHECK(spectrum_of(&ctx->job, &ctx->scratch, 3, B, E, &none, &s));
        CHECK_INT(s.unstable, 1);
        CHECK_INT(s.surely, surely[k]);
        CHECK_NEAR(s.re[0], sqrt(delta[k]), sqrt(delta[k]), 1e6, "as it was computed");
    }
}

TEST(rounding_makes_no_eigenvalue_unstable)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, split_zero, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

TEST(zeros_are_told_from_small_eigenvalues)
{
    static matrix_case cases[] = {
        {4, 4, 4, 0, {0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0}, 0}, /* one Jordan block */
        {4, 2, 2, 1, {0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 1e-3, 0, 0, 0, 0, -2}, 1e-3},
        {4, 2, 1, 0, {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 3, 0, 0, -3, 0}, 0},
        {3, 0, 0, 2, {0.25, 5, 0, -5, 0.25, 0, 0, 0, -1e-6}, 0.25},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        CHECK_INT(ctx_guard(ctx, spectra, &cases[i]), AH_OK);
        ah_ctx_destroy(ctx);
    }
}
