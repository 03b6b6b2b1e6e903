/* t_singular.c - the list of singular states: that of the double pendulum, and small ones by hand.
 */
#include "../kind.h"
#include <anholo/lang.h>

#include "own_context.h"
#include "harness.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const ah_singular *singular(ah_ctx *ctx, const char *words)
{
    ah_model *m = NULL;
    const ah_singular *out = NULL;
    if (lang_read(ctx, "test", words, strlen(words), NULL, &m) == AH_OK) kind_singular(m, &out);
    return out;
}

/* ---- By hand --------------------------------------------------------------------------------- */

#define PLANE "coordinate x, y, a\nkinetic x'^2 + 2*y'^2 + a'^2\n"

/* "e, e; e": expressions that vanish in each case. */
static const char *joined(ah_ctx *ctx, const ah_singular *s)
{
    static char out[1024];
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < s->cases; i++)
        for (size_t k = 0; k < s->at[i].equations; k++)
            n += (size_t) snprintf(out + n, sizeof out - n, "%s%s",
                                   k   ? ", "
                                   : i ? "; "
                                       : "",
                                   ah_print(ctx, s->at[i].equation[k], AH_ASCII));
    return out;
}

TEST(small_systems)
{
    static const struct {
        const char *words, *cases;
    } wanted[] = {
        {PLANE, ""},
        {PLANE "constraint x' = y'*sin(a)", ""},
        {PLANE "constraint x'*sin(a) = y'*cos(a)", ""}, /* never both zero */
        {PLANE "constraint x*x' = y*y'", "x, y"},
        {PLANE "constraint x*x' = 1", ""}, /* x = 0 is not admissible */
        {PLANE "constraint x^2 = y^2", "x, y"},
        {PLANE "constraint x^2 + y^2 = 1", ""},
        {PLANE "constraint (x^2 + 3*y^2)*a' = 0", "x, y"}, /* a sum of squares */
        {PLANE "constraint (x^2 + 3*y^2 + 1)*a' = 0", ""},
        {PLANE "constraint x = y\nconstraint x'^2 + y'^2 = 4", ""}, /* x' = −y' does not happen */
        {PLANE "constraint x^2 + y^2 = t^2", "x, y, t"},
        {PLANE "constraint sin(a)*x' + sin(a)*cos(a)*y' = 0", "sin(a)"},
        {PLANE "constraint x'^2 + y'^2 = a'^2", "x', y', a'"},
        {PLANE "constraint x'^2 + y'^2 = 4", ""},
        /* rank 2 on x' = -y', a' = 1, rank 1 on x' = y': both are lost where they meet */
        {PLANE "constraint (x' - y')*(x' + y') = 0\nconstraint (x' - y')*(a' - 1) = 0",
         "x', y', a' - 1"},
        {PLANE "constraint x'*y' = 0\nconstraint y'*a' = 0", "x', y', a'"},
        {PLANE "assume a' > 0\nconstraint x'^2 + y'^2 = a'^2", ""},
        {PLANE "assume x^2 > 1/4\nconstraint x*x' = y*y'", ""},
        {PLANE "constraint x*y' = 0\nconstraint y*a' = 0", "x*y"},
        {PLANE "constraint x' = y'\nconstraint 2*x' = 2*y'", ""}, /* rank 1 everywhere */
        {PLANE "constraint x*x' = x*y'\nconstraint 2*x*x' = 2*x*y'", "x"},
        {"parameter k = 0\n" PLANE "constraint x*x' = k*y'", "x"},
        {"parameter k = 2\n" PLANE "constraint x*x' = k*y'", ""},
        {PLANE "velocity u, v: x' = u*a, y' = v, a' = 0", "a"},
        /* cases without real solutions: a quartic, a circle and a line, incompatible polynomials,
         * a definite form, one in squares, a sine beyond its bounds */
        {PLANE "constraint (x^4 + x + 1)*x' = 0", ""},
        {PLANE "constraint (x^2 + y^2 - 1)*a' + (x + y - 5)*y' = 0", ""},
        {PLANE "constraint (x^3 - 3*x + 1)*a' + (x^2 - 5)*y' = 0", ""},
        {PLANE "constraint (x^2 + x*y + y^2 + 1)*a' = 0", ""},
        {PLANE "constraint (x^4 - 4*x^2*y^2 + 5*y^4 + 1)*a' = 0", ""},
        {PLANE "constraint (sin(x) - 2)*x' = 0", ""},
        {PLANE "constraint (2*sin(x) + cos(y) - 3)*x' + (3*x - 5*y)*y' = 0",
         "2*sin(x) + cos(y) - 3, 3*x - 5*y"}, /* may be empty: not decided */
        {PLANE "constraint (x^4 + y^4 - 3*x*y + 1)*a' = 0", "x^4 + y^4 - 3*x*y + 1"},
    };
    for (size_t i = 0; i < sizeof wanted / sizeof *wanted; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        const ah_singular *s = singular(ctx, wanted[i].words);
        if (CHECK(s && s->listed) && !CHECK_STR(joined(ctx, s), wanted[i].cases))
            CHECK_STR(wanted[i].words, "has other singular states");
        ah_ctx_destroy(ctx);
    }
}

/* ---- The double pendulum --------------------------------------------------------------------- */

typedef struct state {
    double x1, y1, x2, y2, u1, w1, u2, w2; /* u = x', w = y' */
} state;

static bool holds(ah_ctx *ctx, const ah_singular_case *c, const state *at)
{
    static const char *const names[] = {"x1", "y1", "x2", "y2"};
    const double q[] = {at->x1, at->y1, at->x2, at->y2}, v[] = {at->u1, at->w1, at->u2, at->w2};
    ah_expr symbol[8];
    double value[8];
    for (int i = 0; i < 4; i++) {
        symbol[i] = ah_symbol(ctx, AH_COORDINATE, names[i]);
        symbol[4 + i] = ah_symbol(ctx, AH_VELOCITY, names[i]);
        value[i] = q[i];
        value[4 + i] = v[i];
    }
    for (size_t k = 0; k < c->equations; k++)
        if (!(fabs(ah_evaluate(ctx, c->equation[k], 8, symbol, value)) < 1e-12)) return false;
    return true;
}

static bool is_listed(ah_ctx *ctx, const ah_singular *s, const state *at)
{
    for (size_t i = 0; i < s->cases; i++)
        if (holds(ctx, &s->at[i], at)) return true;
    return false;
}

/* Does the gradient of the constraint by the velocities vanish? */
static bool is_singular(const state *s)
{
    const double J[] = {s->x1 * s->w2, (s->y1 - s->y2) * s->w2 - s->x2 * s->u2, s->x2 * s->w1,
                        s->x1 * s->u1 + (s->y1 - s->y2) * s->w1};
    for (int i = 0; i < 4; i++)
        if (fabs(J[i]) > 1e-12) return false;
    return true;
}

static double some(void)
{
    return harness_uniform(0.2, 1.5);
}

/* Benenti 2011 lists others; these are right: y1'=y2'=0 with x1x1'=x2x2'=0; x1=x2=0 with y1=y2;
 * x2=0, y2'=0, x1x1'+(y1−y2)y1'=0, and its mirror. */
static size_t singular_states(state *out)
{
    size_t n = 0;
    for (int k = 0; k < 4; k++) {
        state s = {some(), some(), some(), some(), some(), 0, some(), 0};
        *(k & 1 ? &s.x1 : &s.u1) = 0;
        *(k & 2 ? &s.x2 : &s.u2) = 0;
        out[n++] = s;
    }
    const double y = some();
    out[n++] = (state){0, y, 0, y, some(), some(), some(), some()};
    state one = {some(), some(), 0, some(), 0, some(), some(), 0};
    one.u1 = -(one.y1 - one.y2) * one.w1 / one.x1;
    out[n++] = one;
    state two = {0, some(), some(), some(), some(), 0, 0, some()};
    two.u2 = (two.y1 - two.y2) * two.w2 / two.x2;
    out[n++] = two;
    return n;
}

/* Regular ones, near misses: a point at rest; both on the axis with one y' zero; y1'=y2'=0. */
static size_t regular_states(state *out)
{
    size_t n = 0;
    out[n++] = (state){some(), some(), some(), some(), some(), some(), 0, 0};
    out[n++] = (state){0, 0.3, 0, 0.9, some(), some(), some(), 0};
    out[n++] = (state){some(), some(), some(), some(), some(), 0, some(), 0};
    out[n++] = (state){some(), some(), 0, some(), some(), some(), some(), 0};
    return n;
}

TEST(double_pendulum_list)
{
    char path[512];
    snprintf(path, sizeof path, "%s/models/double_pendulum.ah", harness_source_dir());
    char *words = harness_read_file(path, NULL);
    REQUIRE(words);
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ah_singular *s = singular(ctx, words);
    free(words);
    if (CHECK(s && s->listed)) {
        state list[16];
        size_t n = singular_states(list);
        for (size_t i = 0; i < n; i++) CHECK(is_singular(&list[i]) && is_listed(ctx, s, &list[i]));
        n = regular_states(list);
        for (size_t i = 0; i < n; i++)
            CHECK(!is_singular(&list[i]) && !is_listed(ctx, s, &list[i]));
        CHECK_INT(s->cases, 4); /* what is contained in another is not listed */
        for (size_t i = 0; i < s->cases; i++) CHECK(s->at[i].met);
    }
    ah_ctx_destroy(ctx);
}

/* Too long to be listed; there is a singular place, x = y = 0. */
TEST(found_in_numbers)
{
    char words[8192];
    size_t n = (size_t) snprintf(words, sizeof words, PLANE "constraint x*x'*(1 + a^2");
    for (int i = 0; i < 200; i++)
        n += (size_t) snprintf(words + n, sizeof words - n, " + %d*(a + x*y)^2*exp(a/%d)", i + 1,
                               i + 7);
    snprintf(words + n, sizeof words - n,
             ") = y*y'\nstart x = 0.1, y = 0.2, a = 0, x' = 0, y' = 0");
    ah_ctx *ctx = ah_ctx_create(NULL);
    const ah_singular *s = singular(ctx, words);
    if (CHECK(s && !s->listed && s->found.count)) {
        for (size_t i = 0; i < s->found.count; i++) {
            const char *name = ah_print(ctx, s->found.symbol[i], AH_ASCII);
            if (!strcmp(name, "x") || !strcmp(name, "y"))
                CHECK_NEAR(s->found.value[i], 0, 1, 1e6, "the rank is lost there");
        }
    }
    ah_ctx_destroy(ctx);
}
