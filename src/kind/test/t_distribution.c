/* t_distribution.c - integrability: systems where looking at one constraint after the other, or
 * forgetting factors, time and values, gives the wrong answer. */
#include "../kind.h"
#include <anholo/lang.h>

#include "own_context.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct want {
    const char *words;
    const char *growth;    /* "2 3"; NULL: there is no distribution */
    int integrable;        /* -1: not looked at */
    const char *functions; /* separated by ";": those found have the same span of differentials */
} want;

static const char *joined_growth(const ah_distribution *d)
{
    static char out[128];
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < d->steps; i++)
        n += (size_t) snprintf(out + n, sizeof out - n, "%s%zu", i ? " " : "", d->growth[i]);
    return out;
}

/* ---- Functions: their differentials must span those of the wanted ones ----------------------- */

enum { SYMBOLS = 8, ROWS = 6 };

/* Rank of rows by elimination with the largest pivot. */
static size_t rank_of(double (*A)[SYMBOLS], size_t rows)
{
    size_t rank = 0;
    for (size_t j = 0; j < SYMBOLS && rank < rows; j++) {
        size_t best = rank;
        for (size_t i = rank; i < rows; i++)
            if (fabs(A[i][j]) > fabs(A[best][j])) best = i;
        if (fabs(A[best][j]) < 1e-9) continue;
        for (size_t k = 0; k < SYMBOLS; k++) {
            const double x = A[best][k];
            A[best][k] = A[rank][k];
            A[rank][k] = x;
        }
        for (size_t i = rank + 1; i < rows; i++) {
            const double f = A[i][j] / A[rank][j];
            for (size_t k = j; k < SYMBOLS; k++) A[i][k] -= f * A[rank][k];
        }
        rank++;
    }
    return rank;
}

/* Time, the coordinates, and parameters at arbitrary values. */
typedef struct place {
    size_t count, space;
    ah_expr symbol[SYMBOLS + 2];
    double value[SYMBOLS + 2];
} place;

static place some_place(ah_ctx *ctx)
{
    static const char *const names[] = {"x", "y", "z", "w"};
    place p = {.symbol = {ah_time(ctx)}, .value = {0.7}, .count = 1};
    for (size_t i = 0; i < 4; i++, p.count++) {
        p.symbol[p.count] = ah_symbol(ctx, AH_COORDINATE, names[i]);
        p.value[p.count] = harness_uniform(0.3, 1.7);
    }
    p.space = p.count;
    for (size_t i = 0; i < 2; i++, p.count++) {
        p.symbol[p.count] = ah_symbol(ctx, AH_PARAMETER, i ? "b" : "a");
        p.value[p.count] = 2;
    }
    return p;
}

static void differential(ah_ctx *ctx, const place *p, ah_expr f, double *out)
{
    for (size_t j = 0; j < SYMBOLS; j++)
        out[j] = j < p->space ? ah_evaluate(ctx, ah_diff(ctx, f, p->symbol[j]), p->count, p->symbol,
                                            p->value)
                              : 0;
}

static bool same_functions(ah_ctx *ctx, ah_model *m, const ah_distribution *d, const char *wanted)
{
    const place p = some_place(ctx);
    double found[ROWS][SYMBOLS], all[ROWS][SYMBOLS];
    size_t count = 0;
    char words[256];
    snprintf(words, sizeof words, "%s", wanted);
    for (; count < d->functions; count++) {
        differential(ctx, &p, d->function[count], found[count]);
        differential(ctx, &p, d->function[count], all[count]);
    }
    for (char *s = strtok(words, ";"); s; s = strtok(NULL, ";")) {
        ah_expr e = AH_NONE;
        if (ah_read_expression(m, "wanted", s, &e) != AH_OK) return false;
        differential(ctx, &p, e, all[count++]);
    }
    return count == 2 * d->functions && rank_of(found, d->functions) == d->functions &&
           rank_of(all, count) == d->functions;
}

/* ---- Cases ----------------------------------------------------------------------------------- */

static void check_one(const want *w)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const ah_distribution *d = NULL;
    lang_read(ctx, "test", w->words, strlen(w->words), NULL, &m);
    if (CHECK(m && kind_distribution(m, &d) == AH_OK)) {
        bool good = CHECK(d->found == (w->growth != NULL));
        if (d->found && w->growth) {
            good = CHECK_STR(joined_growth(d), w->growth) && good;
            good = CHECK_INT(d->integrable, w->integrable) && good;
            good = CHECK(d->functions <= d->integrable && d->integrable <= d->rank) && good;
            good = CHECK(same_functions(ctx, m, d, w->functions)) && good;
            for (size_t i = 0; !good && i < d->functions; i++)
                CHECK_STR(ah_print(ctx, d->function[i], AH_ASCII), w->functions);
        }
        if (!good) CHECK_STR(w->words, "is described otherwise");
    }
    ah_ctx_destroy(ctx);
}

static void check_all(const want *w, size_t count)
{
    for (size_t i = 0; i < count; i++) check_one(&w[i]);
}

#define SPACE "coordinate x, y, z\nkinetic x'^2 + 2*y'^2 + z'^2\n"
#define FOUR  "coordinate x, y, z, w\nkinetic x'^2 + 2*y'^2 + z'^2 + 3*w'^2\n"

TEST(single_constraints)
{
    static const want samples[] = {
        {SPACE, "3", 0, ""},
        {SPACE "constraint z' = y*x'", "2 3", 0, ""},
        {SPACE "constraint z' = y*x' + x*y'", "2", 1, "-x*y + z"},
        /* A factor changes nothing, whether it is common or an integrating one. */
        {SPACE "constraint (2 + sin(z) + x^2)*(z' - y*x' - x*y') = 0", "2", 1, "-x*y + z"},
        {SPACE "constraint y*z' = z*y'", "2", 1, "z/y"},
        {SPACE "constraint y' + y*x' = 0", "2", 1, "x + log(y)"},
        {SPACE "constraint y' + (x + y)*x' = 0", "2", 1, "(x + y - 1)*exp(x)"},
        {SPACE "constraint cos(y)*z' - z*sin(y)*y' + 3*x' = 0", "2", 1, "3*x + z*cos(y)"},
        {SPACE "constraint x^2 + y^2 = 1", "2", 1, "x^2 + y^2 - 1"},
        {SPACE "constraint x'^2 = y'*z'", "3", 0, ""},
        /* No constraint where y > 1: neither two fields nor three. */
        {SPACE "constraint max(1 - y, 0)*(z' - x') = 0", NULL, -1, NULL},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* With df and dh the span of both is integrable; df + z dh and w df + dh are not, each alone. */
TEST(integrable_only_together)
{
    static const char one[] = FOUR "constraint a: x*y' + y*x' + z' + z*(w' + 2*x*x') = 0\n";
    static const char two[] = FOUR "constraint b: w*(x*y' + y*x' + z') + w' + 2*x*x' = 0\n";
    static const char both[] = FOUR "constraint a: x*y' + y*x' + z' + z*(w' + 2*x*x') = 0\n"
                                    "constraint b: w*(x*y' + y*x' + z') + w' + 2*x*x' = 0\n";
    static const want samples[] = {
        {one, "3 4", 0, ""},
        {two, "3 4", 0, ""},
        {both, "2", 2, "x^2 + w; x*y + z"},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

TEST(integrable_in_part)
{
    static const want samples[] = {
        {FOUR "constraint z' = y*x'\nconstraint z' + x' + w' = y*x'", "2 3", 1, "w + x"},
        /* Engel: nothing is integrable, and three steps are needed. */
        {FOUR "constraint y' = z*x'\nconstraint z' = w*x'", "2 3 4", 0, ""},
        {FOUR "constraint y' = z*x'\nconstraint 2*y' = 2*z*x'\nconstraint w' = 3*x'", "2 3", 1,
         "w - 3*x"},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* What holds on a holonomic constraint need not hold beside it, and the other way round. */
TEST(with_holonomic_constraints)
{
    static const want samples[] = {
        /* z is constant there alone, which is not looked for. */
        {FOUR "constraint z' = w*y*x'\nconstraint w = 0", "2", 2, "w"},
        {FOUR "constraint z' = w*y*x'\nconstraint w = 1", "2 3", 1, "w"},
        {FOUR "constraint z' = y*x'\nconstraint w = x^2 + z", "2 3", 1, "w - x^2 - z"},
        {FOUR "constraint x^2 + y^2 = 1\nconstraint (x - z)^2 + (y - w)^2 = 1", "2", 2,
         "x^2 + y^2; (x - z)^2 + (y - w)^2"},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* Rounding must not pass for a new direction. */
TEST(chain_of_rods)
{
    char words[2048];
    size_t n = (size_t) snprintf(
        words, sizeof words, "coordinate a0, a1, a2, a3, a4, a5, a6, b0, b1, b2, b3, b4, b5, b6\n");
    for (int i = 0; i < 7; i++)
        n += (size_t) snprintf(words + n, sizeof words - n, "kinetic a%d'^2 + b%d'^2\n", i, i);
    for (int i = 0; i < 6; i++)
        n +=
            (size_t) snprintf(words + n, sizeof words - n,
                              "constraint (a%d - a%d)^2 + (b%d - b%d)^2 = 1\n", i + 1, i, i + 1, i);
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const ah_distribution *d = NULL;
    lang_read(ctx, "test", words, n, NULL, &m);
    REQUIRE(m && kind_distribution(m, &d) == AH_OK && d->found);
    CHECK_INT(d->integrable, 6);
    CHECK_INT(d->functions, 6);
    CHECK_INT(d->steps, 1);
    ah_ctx_destroy(ctx);
}

TEST(depending_on_time)
{
    static const want samples[] = {
        {SPACE "constraint x' = 2", "3", 1, "x - 2*t"},
        {SPACE "constraint x'*sin(t) + x*cos(t) = 0", "3", 1, "x*sin(t)"},
        {SPACE "constraint y' = y", "3", 1, "-t + log(y)"},
        {SPACE "constraint x = cos(3*t)", "3", 1, "x - cos(3*t)"},
        /* Integrable at each instant, but not over time. */
        {SPACE "constraint x' = t*y'", "3 4", 0, ""},
        {SPACE "constraint x' = t*y'\nconstraint y' = 0", "2", 2, "x; y"},
        {SPACE "constraint z' = y*x' + t", "3 4", 0, ""},
        {SPACE "constraint z' = y*x' + x*y' + t", "3", 1, "t^2 + 2*x*y - 2*z"},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* The values of the parameters decide; letters stand in the answer where it holds for all. */
TEST(parameters)
{
    static const want samples[] = {
        {"parameter a, b\n" SPACE "constraint z' = a*y*x' + b*x*y'", "2 3", 0, ""},
        {"parameter a = 2, b = 2\n" SPACE "constraint z' = a*y*x' + b*x*y'", "2", 1, "2*x*y - z"},
        {"parameter a = 2, b = 3\n" SPACE "constraint z' = a*y*x' + b*x*y'", "2 3", 0, ""},
        {"parameter a\n" SPACE "constraint z' = a*y*x' + a*x*y'", "2", 1, "a*x*y - z"},
        {"parameter k = 0\n" SPACE "constraint z' = k*y*x' + y'", "2", 1, "y - z"},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

TEST(velocity_forms)
{
    static const want samples[] = {
        {SPACE "velocity u, v: x' = u*cos(z), y' = u*sin(z), z' = v", "2 3", 0, ""},
        {SPACE "velocity u, v: x' = u, y' = v, z' = x*v + y*u", "2", 1, "x*y - z"},
        {SPACE "velocity u, v: x' = u, y' = v, z' = u + 3", "3", 1, "3*t + x - z"},
        {SPACE "velocity u, v: x' = u^2, y' = v, z' = u", "4", 0, ""}, /* t is one */
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

TEST(nothing_moves)
{
    static const want samples[] = {
        {"coordinate x\nkinetic x'^2\nconstraint x' = 0", "0", 1, "x"},
        {"coordinate x\nkinetic x'^2\nconstraint x' = 1", "1", 1, "t - x"},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* A function that is not in the searched class: the dimension is still known, and
 * proved by Frobenius. */
TEST(function_not_found)
{
    static const char words[] = SPACE "constraint y' = x' * (y^2 + x)\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const ah_distribution *d = NULL;
    lang_read(ctx, "test", words, strlen(words), NULL, &m);
    REQUIRE(m && kind_distribution(m, &d) == AH_OK && d->found);
    CHECK_INT(d->integrable, 1);
    CHECK_INT(d->functions, 0);
    CHECK_INT(d->accessible, 2);
    CHECK(d->exact); /* no bracket leaves the plane */
    ah_ctx_destroy(ctx);
}

TEST(exact_answers)
{
    static const struct {
        const char *words;
        bool exact;
    } samples[] = {
        {SPACE "constraint z' = y*x'", true},
        {SPACE "constraint z' = y*x' + x*y'", true},
        {SPACE "constraint y' = x' * (y^2 + x)",
         true}, /* by Frobenius: its function is not found */
        {SPACE "constraint x^2 + y^2 = 1", true},
        {FOUR "constraint z' = y*x'\nconstraint w = x^2 + z", false}, /* at random places */
    };
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        const ah_distribution *d = NULL;
        lang_read(ctx, "test", samples[i].words, strlen(samples[i].words), NULL, &m);
        if (CHECK(m && kind_distribution(m, &d) == AH_OK)) CHECK_INT(d->exact, samples[i].exact);
        ah_ctx_destroy(ctx);
    }
}

/* Growth vectors from the literature: Engel's and Cartan's distributions and the plate-ball
 * (Montgomery, A Tour of Subriemannian Geometries; Bryant and Hsu 1993), cars with trailers (Jean
 * 1996), the snakeboard (Lewis, Ostrowski, Murray and Burdick 1994). */
#define BALL                                                                                       \
    "coordinate x, y, a, b, c\nassume sin(b) > 0.1\n"                                              \
    "body B mass 1 inertia (0.4, 0.4, 0.4) at (x, y, 1) turn z a, x b, z c\n"
TEST(of_the_literature)
{
    static const want samples[] = {
        {FOUR "constraint y' - z*x' = 0\nconstraint z' - w*x' = 0", "2 3 4", 0, ""},
        {"coordinate x, y, p, q, z\nkinetic x'^2 + y'^2 + p'^2 + q'^2 + z'^2\n"
         "constraint y' - p*x' = 0\nconstraint p' - q*x' = 0\nconstraint z' - q^2*x' = 0",
         "2 3 5", 0, ""},
        {BALL "constraint roll: velocity(B, (x, y, 0)) = (0, 0, 0)", "3 5", 0, ""},
        {BALL "constraint roll: velocity(B, (x, y, 0)) = (0, 0, 0)\nconstraint omega(B)[3] = 0",
         "2 3 5", 0, ""},
        {BALL "constraint roll: velocity(B, (x, y, 0)) = (-2*y, 2*x, 0)", "4 6", 0, ""}, /* t */
        {"coordinate x, y, a, b, c, d\nkinetic x'^2 + y'^2 + a'^2 + b'^2 + c'^2 + d'^2\n"
         "let u = x'*cos(d) + y'*sin(d)\nconstraint x'*sin(d) - y'*cos(d) = 0\n"
         "constraint d' = tan(c - d)*u\nconstraint c' = sin(b - c)*u/cos(b - c)/cos(c - d)\n"
         "constraint b' = sin(a - b)*u/cos(a - b)/cos(b - c)/cos(c - d)",
         "2 3 4 5 6", 0, ""},
        {"coordinate x, y, h, p, f, g\nkinetic x'^2 + y'^2 + h'^2 + p'^2 + f'^2 + g'^2\n"
         "constraint -sin(h + f)*x' + cos(h + f)*y' - cos(f)*h' = 0\n"
         "constraint -sin(h + g)*x' + cos(h + g)*y' + cos(g)*h' = 0",
         "4 6", 0, ""},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* Constraints that are not linear: what the velocities of a place span decides. */
TEST(constraints_that_are_not_linear)
{
    static const want samples[] = {
        {SPACE "constraint x'^2 + y'^2 = z'^2", "3", 0, ""},
        {SPACE "constraint x'^2 + y'^2 + z'^2 = 1", "4", 0, ""}, /* t is a coordinate */
        {FOUR "constraint x'^2 + y'^2 = z'^2\nconstraint w' = y*x'", "3 4", 0, ""},
        {FOUR "constraint x'^2 + y'^2 = z'^2\nconstraint w' = y*x' + x*y'", "3", 1, "w - x*y"},
        {SPACE "constraint x'*y' = 0\nassume x' != 0", NULL, -1, ""}, /* one branch alone */
        /* Planes that no rational factor tells apart: both are integrable, and together they span all. */
        {SPACE "constraint x'^2 = 2*y'^2", NULL, -1, ""},
        {SPACE "constraint x'^4 = 2*y'^4", NULL, -1, ""},
        {SPACE "constraint x'^2 = 2*(1 + x^2)*y'^2", NULL, -1, ""},
        {FOUR "constraint x'^2 = 3*y'^2\nconstraint w' = y*x'", NULL, -1, ""},
        /* x' = y' as a square, whose velocities are off by the root of a rounding error */
        {SPACE "constraint x'^2 - 2*x'*y' + y'^2 = 0", NULL, -1, ""},
        {SPACE "constraint x'^2 - 2*x'*y' + y'^2 = 0\nconstraint z' = y*x'", NULL, -1, ""},
    };
    check_all(samples, sizeof samples / sizeof *samples);
}

/* What is told with letters for parameters may be another for special values: a = 1 makes z' = a x y' + y x' integrable. */
TEST(parameters_without_values)
{
    static const struct {
        const char *words;
        bool rank, all;
    } samples[] = {{"parameter a\nconstraint z' = a*x*y' + y*x'\n", false, true},
                   {"parameter a = 2\nconstraint z' = a*x*y' + y*x'\n", false, false},
                   {"parameter a\nassume a > 1\nconstraint z' = a*x*y' + y*x'\n", false, false},
                   {"parameter a\nconstraint z' = x*y' + a*x'\n", false, false},
                   {"parameter a\nconstraint a*x' = a*y'\n", true, true},
                   {"parameter a\nassume a > 0\nconstraint a*x' = a*y'\n", false, false}};
    for (size_t i = 0; i < sizeof samples / sizeof *samples; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        char words[300];
        snprintf(words, sizeof words, "coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\n%s",
                 samples[i].words);
        ah_model *m = NULL;
        const ah_classification *k = NULL;
        const ah_distribution *d = NULL;
        if (CHECK(ah_read(ctx, "test", words, strlen(words), NULL, &m) == AH_OK) &&
            CHECK(kind_classify(m, &k) == AH_OK && kind_distribution(m, &d) == AH_OK)) {
            CHECK_INT(k->generic, samples[i].rank);
            CHECK_INT(d->found && d->generic, samples[i].all);
        }
        ah_ctx_destroy(ctx);
    }
}

/* In odd units the function is not found; that there is one is certain all the same. */
TEST(integrable_for_certain)
{
    static const char *const words[] = {SPACE "constraint z' = 1e-18*x'",
                                        SPACE "constraint 1e9*z' = 1e-9*x'/5",
                                        SPACE "constraint z' = y*x' + x*y'"};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        const ah_distribution *d = NULL;
        lang_read(ctx, "test", words[i], strlen(words[i]), NULL, &m);
        if (CHECK(m && kind_distribution(m, &d) == AH_OK))
            CHECK(d->found && d->integrable == 1 && d->exact);
        ah_ctx_destroy(ctx);
    }
}
