/* compile/test/t_angle_sums.c - sines of sums of angles from those of the angles: the values are libm's, and the angles that are left
 * are those by hand. */
#include "harness.h"

#include "compile/program.h"

#include <math.h>
#include <stdlib.h>

#define ANGLES 4
#define MOST   8

typedef struct angles_case {
    int multiple[MOST][ANGLES + 1]; /* of the angles, then of a parameter; in halves */
    size_t count, left;             /* angles whose sine and cosine are worked out themselves */
} angles_case;

static const double parameter_value = 0.7;

static ah_expr angle_of(ah_ctx *ctx, const int *multiple, const ah_expr *q)
{
    ah_expr term[ANGLES + 1];
    for (int i = 0; i <= ANGLES; i++)
        term[i] = expr_mul(ctx, expr_rational(ctx, multiple[i], 2), q[i]);
    return expr_sum(ctx, ANGLES + 1, term);
}

static double number_of(const int *multiple, const double *q)
{
    double sum = 0;
    for (int i = 0; i <= ANGLES; i++) sum += 0.5 * multiple[i] * q[i];
    return sum;
}

static size_t angles_left(const program *p)
{
    uint32_t seen[2 * MOST];
    size_t count = 0;
    for (size_t i = 0; i < p->code.count; i++) {
        bool known = p->code.at[i].op != PROGRAM_CALL;
        for (size_t k = 0; k < count; k++) known = known || seen[k] == p->code.at[i].a;
        if (!known) seen[count++] = p->code.at[i].a;
    }
    return count;
}

static void check_values(const program *p, const angles_case *c)
{
    for (int round = 0; round < 200; round++) {
        double in[ANGLES + 1], out[2 * MOST];
        for (int i = 0; i < ANGLES; i++) in[i] = 20.0 * rand() / RAND_MAX - 10;
        in[ANGLES] = parameter_value;
        CHECK(program_run(p, in, out));
        for (size_t k = 0; k < c->count; k++) {
            const double x = number_of(c->multiple[k], in);
            CHECK(fabs(out[2 * k] - sin(x)) < 2e-14);
            CHECK(fabs(out[2 * k + 1] - cos(x)) < 2e-14);
        }
    }
}

static void check_case(ah_ctx *ctx, const angles_case *c)
{
    arena a;
    ah_expr q[ANGLES + 1], out[2 * MOST];
    char name[] = "a";
    arena_init(&a, ctx);
    for (int i = 0; i < ANGLES; i++, name[0]++) q[i] = expr_symbol(ctx, AH_COORDINATE, name);
    q[ANGLES] = expr_symbol(ctx, AH_PARAMETER, "p");
    frame *values = frame_create(ctx, &a, 0);
    frame_set(values, q[ANGLES], parameter_value);
    for (size_t k = 0; k < c->count; k++) {
        const ah_expr x = angle_of(ctx, c->multiple[k], q);
        out[2 * k] = expr_call1(ctx, AH_SIN, x);
        out[2 * k + 1] = expr_call1(ctx, AH_COS, x);
    }
    program_spec spec = {.inputs = ANGLES,
                         .input = q,
                         .outputs = 2 * c->count,
                         .output = out,
                         .parameter = values,
                         .adds = true};
    const program *p = program_create(ctx, &a, &spec);
    CHECK(p->adds == (c->left < c->count));
    CHECK(angles_left(p) == c->left);
    check_values(p, c);
    spec.shares = true;
    check_values(program_create(ctx, &a, &spec), c);
    arena_clear(&a);
}

TEST(sums_of_angles)
{
    static const angles_case cases[] = {
        {{{2, 0}, {0, 2}, {2, -2}}, 3, 2},
        {{{2, 0}, {2, -2}}, 2, 2}, /* nothing to be had */
        {{{2, 0}, {-4, 4}, {0, 2}}, 3, 2},
        {{{1, 0}, {2, 0}, {3, 0}, {8, 0}}, 4, 1}, /* halves, and twice what is there */
        {{{2, 0}, {0, 2}, {0, 0, 2}, {2, -4, 2}, {-2, 2}, {2, -2}}, 6, 3},
        {{{2, 0}, {2, 0, 0, 0, 2}, {-2, 0, 0, 0, 6}}, 3, 1}, /* parameters do not move */
        {{{2, 2, 2, 2}, {2, 0}, {0, 2}, {0, 0, 2}, {0, 0, 0, 2}}, 5, 4},
        {{{40, 0}, {2, 0}}, 2, 2}, /* too far */
        {{{2, 4, 0, -2}, {0, 0, 2}}, 2, 2},
    };
    ah_ctx *ctx = ah_ctx_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) check_case(ctx, &cases[i]);
    ah_ctx_destroy(ctx);
}

TEST(equal_angles_have_no_sine_between_them)
{
    static const int difference[] = {2, -2, 0, 0, 0};
    ah_ctx *ctx = ah_ctx_create(NULL);
    arena a;
    arena_init(&a, ctx);
    ah_expr q[ANGLES + 1], out[3];
    char name[] = "a";
    for (int i = 0; i <= ANGLES; i++, name[0]++) q[i] = expr_symbol(ctx, AH_COORDINATE, name);
    out[0] = expr_call1(ctx, AH_SIN, q[0]);
    out[1] = expr_call1(ctx, AH_COS, q[1]);
    out[2] = expr_call1(ctx, AH_SIN, angle_of(ctx, difference, q));
    const program_spec spec = {.inputs = ANGLES,
                               .input = q,
                               .outputs = 3,
                               .output = out,
                               .parameter = frame_create(ctx, &a, 0),
                               .adds = true,
                               .shares = true};
    const program *p = program_create(ctx, &a, &spec);
    CHECK(p->adds);
    for (int i = 1; i < 1000; i++) {
        const double in[ANGLES] = {0.37 * i, 0.37 * i};
        double y[3];
        CHECK(program_run(p, in, y));
        CHECK(y[2] == 0);
    }
    arena_clear(&a);
    ah_ctx_destroy(ctx);
}
