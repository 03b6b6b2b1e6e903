/* t_classify.c - redundant and contradictory constraints, ranks, degrees, kinetic energy. */
#include "../kind.h"
#include <anholo/lang.h>

#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *codes(ah_ctx *ctx)
{
    static char out[256];
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ah_diagnostic_count(ctx); i++) {
        const ah_diagnostic *d = ah_diagnostic_get(ctx, i);
        if (d->code && n + 8 < sizeof out)
            n += (size_t) snprintf(out + n, sizeof out - n, "%s%s", n ? " " : "", d->code);
    }
    return out;
}

static ah_model *read(ah_ctx *ctx, const char *words)
{
    ah_model *m = NULL;
    return ah_read(ctx, "test", words, strlen(words), NULL, &m) == AH_OK ? m : NULL;
}

static const ah_classification *classify(ah_ctx *ctx, const char *words)
{
    const ah_classification *out = NULL;
    ah_model *m = read(ctx, words);
    if (m) kind_classify(m, &out);
    return out;
}

#define PLANE "coordinate x, y, a\nkinetic x'^2 + 2*y'^2 + a'^2\n"

/* ---- Dependence ------------------------------------------------------------------------------ */

typedef struct dependence {
    const char *words, *codes;
    int r, rank, velocity_rank;
} dependence;

static void check_dependence(const dependence *want)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ah_classification *k = classify(ctx, want->words);
    CHECK_STR(codes(ctx), want->codes);
    if (want->rank < 0) {
        CHECK(!k);
    } else if (CHECK(k)) {
        CHECK_INT(k->r, want->r);
        CHECK_INT(k->rank, want->rank);
        CHECK_INT(k->velocity_rank, want->velocity_rank);
        CHECK_INT(k->m, k->n - k->velocity_rank);
    }
    ah_ctx_destroy(ctx);
}

TEST(redundant_and_contradictory)
{
    static const dependence samples[] = {
        {PLANE, "", 0, 0, 0},
        {PLANE "constraint x' = y'*sin(a)\n", "", 1, 1, 1},
        /* On velocities. */
        {PLANE "constraint x' = 2*y'\nconstraint 2*x' = 4*y'\n", "A0416", 2, 1, 1},
        {PLANE "constraint x' = 2*y' + 1\nconstraint 2*x' = 4*y' + 2\n", "A0416", 2, 1, 1},
        {PLANE "constraint x' = 2*y' + 1\nconstraint 2*x' = 4*y' + 3\n", "A0417", 2, -1, 0},
        {PLANE "constraint x' = y\nconstraint x' = 2*y + 1\n", "A0417", 2, -1, 0},
        {PLANE "constraint x' = y'\nconstraint exp(5*x)*(x' - y') = 3\n", "A0417", 2, -1, 0},
        {PLANE "constraint x'*cos(a) = y'*sin(a)\nconstraint a' = x'\n"
               "constraint x'*cos(a) + a' = y'*sin(a) + x'\n",
         "A0416", 3, 2, 2},
        /* Dependent only where they hold. */
        {PLANE "constraint x' = y'\nconstraint x'^2 = y'^2\n", "A0416", 2, 1, 1},
        /* On one factor more rows are independent than on the other. */
        {"coordinate p, f, s, w\nkinetic p'^2 + 2*f'^2 + s'^2 + w'^2\nconstraint s = 3*cos(p)\n"
         "constraint s'*sin(f) = p'*cos(f)\nconstraint (s + 2*p)*(w + 2) = 0\n",
         "", 3, 3, 3},
        /* A product follows from the others; where its factors meet nothing is added. */
        {PLANE "constraint (x' + 2*y')*(y' - a') = 0\nconstraint y' = 0\nconstraint x' = 0\n",
         "A0416", 3, 2, 2},
        {PLANE "constraint x'^2*y' + a'*y'^2 + y'*x' = 0\nconstraint y' = 0\n", "A0416", 2, 1, 1},
        /* 0 = 0 by the other one, but for round-off. */
        {PLANE "constraint x = pi\nconstraint sin(x)*(y' - a') = 0\n", "A0416 A0423", 2, 1, 1},
        /* Squared. */
        {PLANE "constraint (x' - y)^2 = 0\n", "A0423", 1, 1, 1},
        {PLANE "constraint x'^2 - 2*x'*y' + y'^2 = 0\n", "A0423", 1, 1, 1},
        {PLANE "constraint x'^2 + y'^2 = 10^(-18)\n", "", 1, 1, 1},
        /* On coordinates. */
        {PLANE "constraint x^2 + y^2 = 1\nconstraint x*x' + y*y' = 0\n", "A0416", 2, 1, 1},
        {PLANE "constraint x = y\nconstraint x^3 = y^3\n", "A0416", 2, 1, 1},
        {PLANE "constraint x = 1\nconstraint x = 2\n", "A0417", 2, -1, 0},
        {PLANE "constraint x^2 + y^2 = 1\nconstraint x^2 + y^2 = 4\n", "A0417", 2, -1, 0},
        {PLANE "constraint x = y\nconstraint x' = y' + 1\n", "A0417", 2, -1, 0},
        {PLANE "constraint x^2 + y^2 = -1\n", "A0417", 1, -1, 1},
        {PLANE "constraint x'^2 + y'^2 = -1\n", "A0417", 1, -1, 1},
        {PLANE "constraint x^2 + y^2 = 1\nconstraint x + y = 5\n", "A0417", 2, -1, 1},
        {PLANE "constraint x^4 + y^4 - x*y = -1\n", "A0418", 1, 1,
         1}, /* impossible, but not proved */
        /* On accelerations. */
        {PLANE "constraint x'' = y''\n", "", 1, 1, 0},
        {PLANE "constraint x' = 1\nconstraint x'' = 0\n", "A0416", 2, 1, 1},
        {PLANE "constraint x' = 1\nconstraint x'' = 3\n", "A0417", 2, -1, 0},
        {PLANE "constraint x'' = y''*a''\nconstraint x' = y\n", "", 2, 2, 1},
        {PLANE "constraint x''*y'' = 1\nconstraint 2*x''*y'' = 2\n", "A0416", 2, 1, 0},
        {PLANE "constraint x''*y'' = 1\nconstraint x''*y'' = 2\n", "A0417", 2, -1, 0},
        {PLANE "constraint x' = y'\nconstraint x''^2 = y''^2\n", "A0416", 2, 1, 1},
        /* Through the velocity form alone. */
        {PLANE "velocity v, w: x' = v*cos(a), y' = v*sin(a), a' = w\n", "", 0, 1, 1},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) check_dependence(&samples[i]);
}

TEST(names_of_the_dependent)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ah_classification *k =
        classify(ctx, PLANE "constraint one: x' = y'\nconstraint two: a' = x'*y\n"
                            "constraint three: 2*x' - 3*a' = 2*y' - 3*x'*y\n");
    REQUIRE(k);
    CHECK(!k->constraints[0].redundant && !k->constraints[1].redundant &&
          k->constraints[2].redundant);
    CHECK_INT(k->constraints[2].depends, 2);
    CHECK_STR(k->constraints[2].depends_on[0], "one");
    CHECK_STR(k->constraints[2].depends_on[1], "two");
    ah_ctx_destroy(ctx);
}

/* A product follows from its factor, and not the factor from it; what only meets others without following may not go. */
TEST(what_may_be_left_out)
{
    static const struct {
        const char *words;
        int redundant; /* index */
        const char *hint;
    } samples[] = {
        {PLANE "constraint p: a'*(x' - y') = 0\nconstraint q: a' = 0\n", 0, "leave `p` out"},
        {PLANE "constraint q: a' = 0\nconstraint p: a'*(x' - y') = 0\n", 1, "leave `p` out"},
        {PLANE "constraint p: (x - y)*(x - a) = 0\nconstraint q: x = y\n", 0, "leave `p` out"},
        {PLANE "constraint q: x' = y'\nconstraint p: x = y\n", 0, "leave `q` out"},
        {PLANE "constraint p: a'*(x' - y') = 0\nconstraint q: a' = 0\nconstraint u: x' = y'\n", 0,
         "it follows from `q`: leave it out"},
        {PLANE "constraint p: (x' - y')^2 = 0\nconstraint q: 2*(x' - y')^2 = 0\n", -1,
         "write it without the square"},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ah_classification *k = classify(ctx, samples[i].words);
        REQUIRE(k);
        if (samples[i].redundant >= 0)
            for (size_t c = 0; c < k->r; c++)
                CHECK_INT(k->constraints[c].redundant, (int) c == samples[i].redundant);
        if (!CHECK(strstr(ah_diagnostics_text(ctx, false), samples[i].hint)))
            printf("# %s%s\n", samples[i].words, ah_diagnostics_text(ctx, false));
        ah_ctx_destroy(ctx);
    }
}

/* A component of a vector is named as it was written. */
TEST(components_that_may_be_left_out)
{
    static const char point_at[] = "coordinate x, y, z\npoint P mass 1 at (x, y, z)\n";
    static const struct {
        const char *words, *hint;
    } samples[] = {
        {"constraint r: velocity(P) = (y*z', z', z')\nconstraint s: velocity(P) = (y*z', z', z')\n",
         "hint: leave `s` out"},
        {"constraint q: x' = y*z'\nconstraint r: velocity(P) = (y*z', z', z')\n",
         "hint: write the other components of `r` as constraints of their own"},
    };
    for (size_t i = 0; i < 2; i++) {
        char words[300];
        ah_ctx *ctx = ah_ctx_create(NULL);
        snprintf(words, sizeof words, "%s%s", point_at, samples[i].words);
        CHECK(classify(ctx, words) != NULL);
        CHECK(strstr(ah_diagnostics_text(ctx, false), samples[i].hint) != NULL);
        ah_ctx_destroy(ctx);
    }
}

/* The same component by other relations counts once, and what lies inside another does not. */
TEST(components_by_other_relations)
{
#define SPACE "coordinate x, y, z, w\nkinetic x'^2 + y'^2 + z'^2 + w'^2\n"
    static const struct {
        const char *words;
        int components;
    } samples[] = {{SPACE "constraint p: (x' - y')*(y' - z') = 0\n"
                          "constraint q: (x' - y')*(w' - 1) = 0\n"
                          "constraint r: (y' - z')*(w' - 1) = 0\n",
                    3},
                   {SPACE "constraint p: (x' - y')*(y' - z') = 0\n"
                          "constraint q: (x' - z')*(w' - y') = 0\n",
                    2} /* where x' = y' = z' the gradient of p vanishes */,
                   {SPACE "constraint p: (w' - 1)*(x' - 5) = 0\n"
                          "constraint q: (w' - y')*(x' - z') = 0\nconstraint u: w' = 1\n",
                    2}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ah_classification *k = classify(ctx, samples[i].words);
        REQUIRE(k);
        CHECK_INT(k->components, samples[i].components);
        ah_ctx_destroy(ctx);
    }
#undef SPACE
}

/* ---- Degrees --------------------------------------------------------------------------------- */

TEST(degrees_of_constraints)
{
    static const struct {
        const char *words;
        ah_form form;
        int order, degree;
        double homogeneity;
    } samples[] = {
        {"constraint x' = y'*sin(a)", AH_FORM_LINEAR, 1, 1, 1},
        {"constraint x' = y'*sin(a) + 1", AH_FORM_AFFINE, 1, 1, NAN},
        {"constraint x'^2 + y'^2 = a'^2", AH_FORM_NONLINEAR, 1, 2, 2},
        {"constraint x'^3 + y'^2 = a'^2", AH_FORM_NONLINEAR, 1, 3, NAN},
        {"constraint sqrt(x'^2 + y'^2) = a'", AH_FORM_NONLINEAR, 1, -1, 1},
        {"constraint x'*y'*a' = x'^3", AH_FORM_NONLINEAR, 1, 3, 3},
        {"constraint x''*y'' = a'", AH_FORM_NONLINEAR, 2, 2, NAN},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        char words[256];
        snprintf(words, sizeof words, PLANE "%s\n", samples[i].words);
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ah_classification *k = classify(ctx, words);
        if (CHECK(k && k->r == 1)) {
            const ah_constraint_class *c = &k->constraints[0];
            CHECK_INT(c->form, samples[i].form);
            CHECK_INT(c->order, samples[i].order);
            CHECK_INT(c->degree, samples[i].degree);
            CHECK(isnan(samples[i].homogeneity) ? isnan(c->homogeneity_value)
                                                : c->homogeneity_value == samples[i].homogeneity);
        }
        ah_ctx_destroy(ctx);
    }
}

/* ---- Factors --------------------------------------------------------------------------------- */

TEST(factors_of_constraints)
{
    static const struct {
        const char *words;
        ah_truth splits;
        size_t factors;
    } samples[] = {
        {PLANE "constraint x'*y' = 0", AH_TRUE, 2},
        {PLANE "constraint (x' - 1)*(y' + a*x') = 0", AH_TRUE, 2},
        {PLANE "constraint x'^2 = (y' + a')^2", AH_TRUE, 2},
        {PLANE "constraint x'^2 = 2*y'^2", AH_TRUE, 1}, /* only over the reals */
        {PLANE "constraint x'^2 + y'^2 = 0", AH_FALSE, 1},
        {PLANE "constraint x'^2 + y'^2 = a'^2", AH_FALSE, 1},
        {PLANE "constraint x'^2 + y'^2 = 4", AH_FALSE, 1},
        {PLANE "constraint x'*y'*a' = x'^3", AH_FALSE, 2},
        {PLANE "constraint x'^3 = y'^3", AH_FALSE, 2},
        {PLANE "constraint sqrt(x'^2 + y'^2) = a'", AH_UNKNOWN, 1},
        {"parameter k\n" PLANE "constraint x'^2 = k^2*y'^2", AH_TRUE, 2},
        {"parameter k = 4\n" PLANE "constraint x'^2 = k*y'^2", AH_TRUE, 2}, /* by its value */
        {"parameter k = 0\n" PLANE "constraint x'*y' = k*a'^2", AH_TRUE, 2},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ah_classification *k = classify(ctx, samples[i].words);
        if (CHECK(k && k->r == 1)) {
            const bool splits = CHECK_INT(k->constraints[0].splits, samples[i].splits);
            const bool factors = CHECK_INT(k->constraints[0].factors, samples[i].factors);
            if (!splits || !factors) CHECK_STR(samples[i].words, "has other factors");
        }
        ah_ctx_destroy(ctx);
    }
}

/* ---- Energies -------------------------------------------------------------------------------- */

typedef struct kinetic {
    const char *words;
    bool quadratic, linear, free;
} kinetic;

TEST(parts_of_the_kinetic_energy)
{
    static const kinetic samples[] = {
        {PLANE, true, false, false},
        {PLANE "kinetic x*y' + x^2", true, true, true},
        {PLANE "kinetic x*y'", true, true, false},
        {PLANE "kinetic x'^4", false, false, false},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ah_classification *k = classify(ctx, samples[i].words);
        if (CHECK(k))
            CHECK(k->kinetic_quadratic == samples[i].quadratic &&
                  k->kinetic_linear == samples[i].linear && k->kinetic_free == samples[i].free);
        ah_ctx_destroy(ctx);
    }
}

TEST(singular_mass_matrices)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ah_classification *k =
        classify(ctx, "coordinate x, y\nkinetic x'^2\nconstraint y' = x'*x\n");
    CHECK(k && k->mass_regular == AH_FALSE);
    k = classify(ctx, "coordinate x, y\nkinetic x'^2 + y'^2*(1 + x^2)\n");
    CHECK(k && k->mass_regular == AH_TRUE && k->mass_singular == AH_FALSE);
    k = classify(ctx, "coordinate s, y\nkinetic (12*s^2 + 12*s + 11)*s'^2 + y'^2\n"); /* no zeros */
    CHECK(k && k->mass_regular == AH_TRUE && k->mass_singular != AH_TRUE);
    k = classify(ctx, "coordinate s, y\nkinetic (12*s^2 + 12*s - 11)*s'^2 + y'^2\n");
    CHECK(k && k->mass_regular == AH_TRUE && k->mass_singular == AH_TRUE);
    ah_model *polar = read(ctx, "coordinate r, p\nkinetic r'^2 + r^2*p'^2\n");
    k = NULL;
    if (CHECK(polar)) kind_classify(polar, &k);
    CHECK(k && k->mass_regular == AH_TRUE && k->mass_singular == AH_TRUE && k->mass_zeros == 1);
    if (k && k->mass_zeros == 1)
        CHECK_STR(expr_text(polar->ctx, &ctx->scratch, k->mass_zero[0], AH_ASCII), "r");
    k = classify(ctx, "parameter m\ncoordinate x\nkinetic m*x'^2\n");
    CHECK(k && k->mass_singular == AH_TRUE); /* m = 0 */
    k = classify(ctx, "parameter m = 2\ncoordinate x\nkinetic m*x'^2\n");
    CHECK(k && k->mass_singular == AH_FALSE);
    k = classify(ctx,
                 "coordinate x, y\nkinetic max(80 - x, 0)*x'^2 + y'^2\n"); /* none where x > 80 */
    CHECK(k && k->mass_regular == AH_UNKNOWN);
    k = classify(ctx, "coordinate x, y\nkinetic (1 + abs(x))*x'^2 + y'^2\n");
    CHECK(k && k->mass_regular == AH_TRUE && k->mass_singular == AH_FALSE);
    /* numbers need no determinant, however many they are; of others this is too large a one */
    k = classify(ctx, "parameter a = 1/2\ncoordinate q[1..8]\nkinetic sum(i = 1 .. 8, q[i]'^2) + "
                      "a*q[1]'*q[2]'\n");
    CHECK(k && k->mass_regular == AH_TRUE && k->mass_singular == AH_FALSE);
    k = classify(ctx, "coordinate q[1..8]\nkinetic sum(i = 1 .. 8, q[i]'^2) + "
                      "q[3]*q[1]'*q[2]'\n");
    CHECK(k && k->mass_regular == AH_TRUE && k->mass_singular == AH_UNKNOWN);
    ah_ctx_destroy(ctx);
}
