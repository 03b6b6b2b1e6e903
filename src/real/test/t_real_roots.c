/* Real solutions of polynomial systems: systems whose solutions are known. */
#include "harness.h"

#include "../real_roots.h"

#include <math.h>
#include <stdlib.h>

enum { MOST = 6 };
static const char *names[MOST] = {"x", "y", "z", "u", "v", "w"};

typedef struct solved {
    roots_status status;
    real_roots roots;
    ah_ctx *ctx;
} solved;

static solved solve_in(ah_ctx *ctx, slong variables, slong count, const char *const *equation)
{
    solved s = {.ctx = ctx};
    fmpq_mpoly_ctx_t q;
    fmpq_mpoly_t f;
    fmpz_mpoly_struct z[MOST];
    fmpq_mpoly_ctx_init(q, variables, ORD_DEGREVLEX);
    fmpq_mpoly_init(f, q);
    for (slong i = 0; i < count; i++) {
        CHECK(fmpq_mpoly_set_str_pretty(f, equation[i], names, q) == 0);
        fmpz_mpoly_init(&z[i], q->zctx);
        fmpz_mpoly_set(&z[i], f->zpoly, q->zctx);
    }
    s.status = real_roots_find(s.ctx, z, count, q->zctx, &s.roots);
    for (slong i = 0; i < count; i++) fmpz_mpoly_clear(&z[i], q->zctx);
    fmpq_mpoly_clear(f, q);
    fmpq_mpoly_ctx_clear(q);
    return s;
}

static solved solve(slong variables, slong count, const char *const *equation)
{
    return solve_in(ah_ctx_create(NULL), variables, count, equation);
}

static void done(solved *s)
{
    real_roots_clear(&s->roots);
    ah_ctx_destroy(s->ctx);
}

static bool has(const solved *s, const double *x)
{
    for (slong i = 0; i < s->roots.count; i++) {
        bool equal = true;
        for (slong k = 0; equal && k < s->roots.variables; k++)
            equal = fabs(s->roots.x[i * s->roots.variables + k] - x[k]) <= 1e-15 * fabs(x[k]);
        if (equal) return true;
    }
    return false;
}

/* Small weights do not separate the points of a grid: other ones must be tried. */
TEST(grid)
{
    const char *const f[] = {"x*(x-1)*(x-2)*(x-3)*(x-4)*(x-5)*(x-6)*(x-7)",
                             "y*(y-1)*(y-2)*(y-3)*(y-4)*(y-5)*(y-6)*(y-7)"};
    solved s = solve(2, 2, f);
    CHECK_INT(s.status, ROOTS_FOUND);
    CHECK_INT(s.roots.count, 64);
    for (int i = 0; i < 8; i++)
        for (int j = 0; j < 8; j++) CHECK(has(&s, (const double[]){i, j}));
    done(&s);
}

/* Triple points, a point at which two curves touch, and complex ones beside. */
TEST(multiple_roots)
{
    const char *const f[] = {"(x-1)^3*(x^2+1)", "(y-x)^2"};
    solved s = solve(2, 2, f);
    CHECK_INT(s.status, ROOTS_FOUND);
    CHECK_INT(s.roots.count, 1);
    CHECK(has(&s, (const double[]){1, 1}));
    done(&s);
    const char *const g[] = {"y-x^2", "y*(y-2*x+1)"};
    s = solve(2, 2, g);
    CHECK_INT(s.roots.count, 2);
    CHECK(has(&s, (const double[]){0, 0}));
    CHECK(has(&s, (const double[]){1, 1}));
    done(&s);
}

/* Roots that differ in the twentieth digit, and one that is tiny but not zero. */
TEST(close_and_tiny)
{
    const char *const f[] = {"(x-1)*(100000000000000000000*(x-1)-1)", "10^40*y-x"};
    solved s = solve(2, 2, f);
    CHECK_INT(s.roots.count, 2);
    for (slong i = 0; i < s.roots.count; i++)
        CHECK_NEAR(s.roots.x[2 * i + 1], 1e-40, 1e-40, 4, "10^40 y = x");
    done(&s);
}

TEST(large_numbers)
{
    const char *const f[] = {"4503599627370497/1125899906842624*x^2+y^2/7-9007199254740993/1048576",
                             "x*y-6755399441055745/4503599627370496"};
    solved s = solve(2, 2, f);
    CHECK_INT(s.status, ROOTS_FOUND);
    CHECK_INT(s.roots.count, 4);
    for (slong i = 0; i < s.roots.count; i++) {
        const double x = s.roots.x[2 * i], y = s.roots.x[2 * i + 1];
        CHECK_NEAR(x * y, 6755399441055745.0 / 4503599627370496.0, 1, 10, "the hyperbola");
    }
    done(&s);
}

TEST(none_and_infinitely_many)
{
    const char *const empty[] = {"x-y", "x-y-1"};
    solved s = solve(2, 2, empty);
    CHECK_INT(s.status, ROOTS_FOUND);
    CHECK_INT(s.roots.count, 0);
    done(&s);
    const char *const complex[] = {"x^2+1", "y-x^2"};
    s = solve(2, 2, complex);
    CHECK_INT(s.status, ROOTS_FOUND);
    CHECK_INT(s.roots.count, 0);
    done(&s);
    const char *const curve[] = {"x*y", "x*z", "x*(x-1)"};
    s = solve(3, 3, curve);
    CHECK_INT(s.status, ROOTS_INFINITE);
    done(&s);
}

/* More solutions than the bound: it gives up, in time. */
TEST(too_much)
{
    const char *const f[] = {"x^5+3*y^2-z*u+1", "y^5-2*z^3+x*u-7", "z^5+x*y*z-u^2+2",
                             "u^5-x^2+y^3+11"};
    solved s = solve(4, 4, f);
    CHECK_INT(s.status, ROOTS_GAVE_UP);
    CHECK_INT(s.roots.count, 0);
    done(&s);
}

/* What takes too long is given up, and nothing is said of its solutions. */
TEST(given_up)
{
    const char *const f[] = {"x^2+y^2+z^2-3", "x*y-z^2", "x^3-y*z+x-1"};
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_ctx_interrupt(ctx);
    solved s = solve_in(ctx, 3, 3, f);
    CHECK_INT(s.status, ROOTS_GAVE_UP);
    CHECK_INT(s.roots.count, 0);
    done(&s);
    s = solve(3, 3, f); /* and not otherwise: (1, 1, 1) is one of them */
    CHECK_INT(s.status, ROOTS_FOUND);
    CHECK(has(&s, (const double[]){1, 1, 1}));
    done(&s);
    fmpz_mpoly_ctx_t many;
    fmpz_mpoly_struct none;
    real_roots out;
    fmpz_mpoly_ctx_init(many, ROOTS_VARIABLES + 1, ORD_DEGREVLEX);
    fmpz_mpoly_init(&none, many);
    ctx = ah_ctx_create(NULL);
    CHECK_INT(real_roots_find(ctx, &none, 1, many, &out), ROOTS_GAVE_UP);
    CHECK_INT(out.count, 0);
    fmpz_mpoly_clear(&none, many);
    fmpz_mpoly_ctx_clear(many);
    ah_ctx_destroy(ctx);
}
