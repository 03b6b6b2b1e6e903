/* tests/t_contact.c - rolling by calls: the ball on a turntable, without a line of text. */
#include "harness.h"

#include <anholo/anholo.h>
#include <math.h>
#include <string.h>

typedef struct ball {
    ah_ctx *ctx, *own;
    ah_model *model;
    ah_expr q[6];
} ball;

static ball make_ball(void)
{
    static const char *const names[] = {"x", "y", "z", "psi", "theta", "phi"};
    ball b = {.ctx = ah_ctx_create(NULL)};
    b.model = ah_model_create(b.ctx, "ball");
    b.own = ah_model_context(b.model);
    for (int k = 0; k < 6; k++) b.q[k] = ah_model_coordinate(b.model, names[k]);
    const ah_expr I = ah_rational(b.own, 1, 250); /* 2/5 m r², m = 1, r = 1/10 */
    const ah_turn turn[] = {{3, b.q[3]}, {1, b.q[4]}, {3, b.q[5]}};
    const ah_body body = {.name = "ball",
                          .mass = ah_int(b.own, 1),
                          .inertia = {I, I, I},
                          .place = {{b.q[0], b.q[1], b.q[2]}},
                          .turns = 3,
                          .turn = turn};
    CHECK(ah_model_body(b.model, &body) == AH_OK);
    const ah_expr zero = ah_int(b.own, 0);
    CHECK(ah_model_gravity(b.model, (ah_vector){{zero, zero, ah_int(b.own, -10)}}) == AH_OK);
    return b;
}

static void end_ball(ball *b)
{
    ah_model_destroy(b->model);
    ah_ctx_destroy(b->ctx);
}

/* x'' = -2/7 Ω y', y'' = 2/7 Ω x', and the normal force is the weight. */
TEST(turntable_by_calls)
{
    ball b = make_ball();
    const ah_shape_of sphere = {.kind = "sphere", .size = {ah_rational(b.own, 1, 10)}};
    const ah_surface table = {.kind = "plane", .turning = ah_int(b.own, 7)};
    ah_vector place, normal;
    REQUIRE(ah_model_shape(b.model, "ball", &sphere) == AH_OK);
    REQUIRE(ah_model_surface(b.model, "table", &table) == AH_OK);
    REQUIRE(ah_model_touch(b.model, "roll", "ball", "table", AH_ROLLS, &place, &normal) == AH_OK);
    CHECK(normal.c[2] == ah_int(b.own, 1));
    CHECK(place.c[0] == b.q[0]);
    static const double start[] = {0.5, 0, 0.1, 0, 1, 0};
    for (int k = 0; k < 6; k++)
        CHECK(ah_model_start(b.model, b.q[k], ah_rational(b.own, (long) (start[k] * 10), 10)) ==
              AH_OK);
    CHECK(ah_model_start(b.model, ah_model_velocity(b.model, b.q[0]), ah_int(b.own, 3)) == AH_OK);
    CHECK(ah_model_start(b.model, ah_model_velocity(b.model, b.q[1]), ah_int(b.own, 5)) == AH_OK);
    REQUIRE(ah_model_finish(b.model) == AH_OK);
    CHECK_INT(ah_model_constraints(b.model), 3);
    ah_system *s = NULL;
    REQUIRE(ah_system_create(b.model, NULL, &s) == AH_OK);
    ah_work *w = ah_work_create(s);
    double t, y[12], a[6], lambda[3];
    CHECK(ah_system_start(s, &t, y) == AH_OK);
    CHECK(ah_work_evaluate(w, AH_Q_ACCELERATION, t, y, a) == AH_OK);
    CHECK(ah_work_evaluate(w, AH_Q_MULTIPLIER, t, y, lambda) == AH_OK);
    CHECK(fabs(a[0] + 10) < 1e-12); /* -2/7 · 7 · 5 */
    CHECK(fabs(a[1] - 6) < 1e-12);
    CHECK(fabs(lambda[0] - 10) < 1e-12);
    ah_work_destroy(w);
    ah_system_destroy(s);
    end_ball(&b);
}

TEST(refused)
{
    ball b = make_ball();
    const ah_shape_of cube = {.kind = "cube"}, bare = {.kind = "sphere"};
    const ah_shape_of sphere = {.kind = "sphere", .size = {ah_int(b.own, 2)}};
    const ah_surface bowl = {.kind = "sphere", .size = ah_int(b.own, 1), .inside = true};
    const ah_surface sea = {.kind = "sea"};
    CHECK(ah_model_shape(b.model, "ball", &cube) == AH_E_INPUT);
    CHECK(ah_model_shape(b.model, "ball", &bare) == AH_E_INPUT);
    CHECK(ah_model_shape(b.model, "nobody", &sphere) == AH_E_INPUT);
    CHECK(ah_model_surface(b.model, "sea", &sea) == AH_E_INPUT);
    CHECK(ah_model_touch(b.model, "r", "ball", "bowl", AH_ROLLS, NULL, NULL) == AH_E_INPUT);
    CHECK(ah_model_shape(b.model, "ball", &sphere) == AH_OK);
    CHECK(ah_model_surface(b.model, "bowl", &bowl) == AH_OK);
    CHECK(ah_model_touch(b.model, "r", "ball", "bowl", AH_ROLLS, NULL, NULL) == AH_E_INPUT);
    CHECK(ah_model_shape(NULL, "ball", &sphere) == AH_E_INPUT);
    end_ball(&b);
}
