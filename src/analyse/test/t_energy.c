/* t_energy.c - what changes the energy, by hand and against the motion; which methods apply. */
#include "../analyse.h"
#include <anholo/lang.h>

#include "own_context.h"
#include "harness.h"

#include <stdio.h>
#include <string.h>

static ah_model *read(ah_ctx *ctx, const char *words)
{
    ah_model *m = NULL;
    lang_read(ctx, "test", words, strlen(words), NULL, &m);
    return m;
}

#define PLANE "coordinate x, y, a\nkinetic x'^2 + 2*y'^2 + a'^2\n"

/* "kind of: power; …" */
static const char *joined(ah_ctx *ctx, const ah_energy *e)
{
    static const char *const kinds[] = {
#define X(code, word) word,
        AH_POWER_LIST(X)
#undef X
    };
    static char out[1024];
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < e->powers; i++)
        n += (size_t) snprintf(out + n, sizeof out - n, "%s%s%s%s: %s", i ? "; " : "",
                               kinds[e->at[i].kind], e->at[i].label ? " " : "",
                               e->at[i].label ? e->at[i].label : "",
                               e->at[i].power ? ah_print(ctx, e->at[i].power, AH_ASCII) : "?");
    return out;
}

typedef struct want {
    const char *words;
    ah_truth conserved;
    const char *powers;
} want;

static void check_all(const want *w, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = read(ctx, w[i].words);
        const ah_energy *e = NULL;
        if (CHECK(m && analyse_energy(m, &e) == AH_OK)) {
            bool good = CHECK_INT(e->conserved, w[i].conserved);
            good = CHECK_STR(joined(ctx, e), w[i].powers) && good;
            good = CHECK(e->conserved != AH_TRUE || e->proved) && good;
            if (!good) CHECK_STR(w[i].words, "is described otherwise");
        }
        ah_ctx_destroy(ctx);
    }
}

/* Powers that overflow, or that doubles have no number for, are powers all the same. */
TEST(beyond_the_range_of_doubles)
{
    static const char *const forces[] = {"10^400*x",          "10^(-400)*x", "x*(1/3)^(10^7)",
                                         "x*(1 + x)^1000000", "x^100001",    "x*exp(1000000000)",
                                         "x*exp(-1000)",      "x*10^10^10"};
    for (size_t i = 0; i < sizeof forces / sizeof *forces; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        char words[200];
        snprintf(words, sizeof words, "coordinate x\nkinetic x'^2/2\nforce x = %s\n", forces[i]);
        ah_model *m = read(ctx, words);
        const ah_energy *e = NULL;
        if (CHECK(m && analyse_energy(m, &e) == AH_OK) &&
            !(CHECK(e->conserved != AH_TRUE) && CHECK_INT(e->powers, 1)))
            CHECK_STR(words, "is described otherwise");
        ah_ctx_destroy(ctx);
    }
}

TEST(conserved_without_work)
{
    static const want samples[] = {
        {PLANE "potential x^2", AH_TRUE, ""},
        {PLANE "potential log(x)", AH_TRUE, ""},
        {PLANE "potential 1/0", AH_UNKNOWN, ""}, /* exists nowhere */
        /* no rate, and yet a motion through the place changes it */
        {PLANE "potential if(t < 1, x, 2*x)", AH_UNKNOWN, ""},
        {PLANE "potential step(x)", AH_UNKNOWN, ""},
        {PLANE "potential atan(1/x)", AH_UNKNOWN, ""},
        {PLANE "potential tanh(y/x)", AH_UNKNOWN, ""},
        {PLANE "potential step(x)*x + abs(y)", AH_TRUE, ""},
        {PLANE "potential sin(y)/x - atan(x)", AH_TRUE, ""},
        {PLANE "potential x*log(-1 - x^2)", AH_UNKNOWN, ""},
        {PLANE "constraint x' = y'*sin(a)", AH_TRUE, ""},
        {PLANE "constraint x' = t*y'", AH_TRUE, ""}, /* rheonomic, but v is a virtual velocity */
        {PLANE "constraint x'^2 = y'^2 + a'^2", AH_TRUE, ""},
        {PLANE "constraint sqrt(x'^2 + y'^2) = a'", AH_TRUE, ""},
        {PLANE "constraint x = sin(a)", AH_TRUE, ""},
        {PLANE "kinetic x*y' + x^2", AH_TRUE, ""},
        {PLANE "kinetic x'^4", AH_TRUE, ""},
        {PLANE "velocity v, w: x' = v*cos(a), y' = v*sin(a), a' = w", AH_TRUE, ""},
        /* Gyroscopic: each force works, both together do not. */
        {PLANE "force x = a*y'\nforce y = -a*x'", AH_TRUE, ""},
        /* The force is orthogonal to the admissible velocities. */
        {PLANE "constraint x' = 0\nforce x = 3", AH_TRUE, ""},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

TEST(what_works)
{
    static const want samples[] = {
        {PLANE "potential x^2*t", AH_FALSE, "time: x^2"},
        {PLANE "force x = -x'", AH_FALSE, "force x: -x'^2"},
        {PLANE "force x = y\nforce y = 0*x", AH_FALSE, "force x: y*x'"},
        /* 2 x'' = λ, 4 y'' = −λ sin a: λ does not vanish. */
        {PLANE "constraint c: x' = y'*sin(a) + 1", AH_FALSE, "affine c: lambda1"},
        {PLANE "constraint d: x'^2 + y'^2 = 4\npotential x", AH_FALSE,
         "inhomogeneous d: 8*lambda1"},
        /* on y' = sqrt(1 + x^2) alone */
        {PLANE "potential y\nconstraint r: (y' + cos(a)*x')*(y' - sqrt(1 + x^2)) = 0", AH_FALSE,
         "inhomogeneous r: lambda1*sqrt(x^2 + 1)*(x'*cos(a) + y')"},
        {PLANE "constraint f: x = sin(t)", AH_FALSE, "moving f: lambda1*cos(t)"},
        {PLANE "constraint g: x'' = 2*x", AH_FALSE, "acceleration g: lambda1*x'"},
        {PLANE "velocity v, w: x' = v*cos(a) + 1, y' = v*sin(a), a' = w", AH_FALSE,
         "velocity form: ?"},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* A first integral imposed as a constraint has the multiplier 0 (Massa and Pagani): a constraint
 * that could work does not. */
TEST(work_that_cancels)
{
    static const want samples[] = {
        {PLANE "constraint c: x' = 2", AH_TRUE, "affine c: 2*lambda1"},
        {PLANE "constraint c: x'^2 + 2*y'^2 + a'^2 = 4", AH_TRUE, "inhomogeneous c: 8*lambda1"},
        {PLANE "potential x*t\nforce x = t + y\nforce y = x", AH_FALSE,
         "time: x; force x: x'*(y + t); force y: x*y'"},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* What a moving potential gives a force may take; functions that nobody knows work. */
TEST(work_without_constraints)
{
    static const want samples[] = {
        {PLANE "potential x*t\nforce a = -x/a'", AH_TRUE, "time: x; force a: -x"},
        {PLANE "potential x*t\nforce a = -2*x/a'", AH_FALSE, "time: x; force a: -2*x"},
        {PLANE "function f(t)\nforce x = f(t)", AH_FALSE, "force x: x'*f(t)"},
        /* no regular state: nothing is said */
        {PLANE "constraint c: x'^2 + y'^2 = 0", AH_UNKNOWN, ""},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* x' = y' = v² is x' = y' going one way; x' = u + u³ binds nothing; beside the constraint the form says nothing new. None works,
 * though only states show it. */
TEST(curved_velocity_forms)
{
    static const char *const words[] = {
        PLANE "velocity v, w: x' = v^2, y' = v^2, a' = w",
        PLANE "velocity u, v, w: x' = u + u^3, y' = v, a' = w",
        PLANE "constraint c: x' = y'\nvelocity v, w: x' = v + v^3, y' = v + v^3, a' = w",
    };
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = read(ctx, words[i]);
        const ah_energy *e = NULL;
        if (CHECK(m && analyse_energy(m, &e) == AH_OK)) {
            CHECK_INT(e->conserved, AH_TRUE);
            CHECK_STR(joined(ctx, e), "");
        }
        ah_ctx_destroy(ctx);
    }
}

/* Masses that switch are changed without an impulse: momenta and energy jump. max(a, 1) does not jump. */
TEST(masses_that_switch)
{
    static const struct {
        const char *kinetic, *where;
        ah_truth regular; /* no singular mass matrix anywhere, or not known */
    } sample[] = {
        {"(1 + step(x))*x'^2/2 + y'^2/2", "x", AH_FALSE},
        {"(2 + sign(x - y))*x'^2 + y'^2", "x - y", AH_FALSE},
        {"(x'^2 + y'^2)*if(t < 1, 1, 2)", "t - 1", AH_FALSE},
        {"(x'^2 + y'^2 + sign(x)*x'*y')/2", "x", AH_FALSE},
        {"sign(x)*x'^2 + y'^2", "x", AH_UNKNOWN}, /* M = 0 where x = 0 */
        {"(1 + max(x, 1))*x'^2/2 + y'^2/2", NULL, AH_UNKNOWN},
        {"(x'^2 + y'^2)/2", NULL, AH_FALSE},
    };
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        char words[200];
        const ah_energy *e = NULL;
        const ah_classification *k = NULL;
        snprintf(words, sizeof words, "coordinate x, y\nkinetic %s\n", sample[i].kinetic);
        ah_model *m = read(ctx, words);
        if (CHECK(m && analyse_energy(m, &e) == AH_OK) && sample[i].where)
            CHECK_STR(e->jump == AH_NONE ? "none" : ah_print(ctx, e->jump, AH_ASCII),
                      sample[i].where);
        else if (e)
            CHECK(e->jump == AH_NONE);
        if (CHECK(m && kind_classify(m, &k) == AH_OK))
            CHECK_INT(k->mass_singular, sample[i].regular);
        ah_ctx_destroy(ctx);
    }
}

/* ---- Methods --------------------------------------------------------------------------------- */

static const ah_applicability *find(const ah_applicability *list, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(list[i].name, name)) return &list[i];
    return NULL;
}

TEST(methods_that_apply)
{
    static const struct {
        const char *words, *method;
        bool applies;
    } samples[] = {
        {PLANE, "lagrange", true},
        {PLANE "constraint x' = y'*sin(a)", "lagrange", false},
        {PLANE "constraint x' = y'*sin(a)", "multipliers", true},
        {PLANE "constraint x'^2 = y'^2 + a'^2", "voronets", false},
        {PLANE "constraint x'^2 = y'^2 + a'^2", "gauss", true},
        {PLANE, "kane", false},
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = read(ctx, samples[i].words);
        const ah_applicability *list = NULL;
        size_t count = 0;
        if (CHECK(m && kind_methods(m, &count, &list) == AH_OK)) {
            const ah_applicability *a = find(list, count, samples[i].method);
            CHECK(a && a->applies == samples[i].applies && (a->why != NULL) == !a->applies);
        }
        ah_ctx_destroy(ctx);
    }
}
