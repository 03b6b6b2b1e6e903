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

/* A ball of radius 1/10 at (0.5, 0) with the velocity (3, 5). */
static void start_ball(ball *b)
{
    static const double start[] = {0.5, 0, 0.1, 0, 1, 0};
    for (int k = 0; k < 6; k++)
        CHECK(ah_model_start(b->model, b->q[k], ah_rational(b->own, (long) (start[k] * 10), 10)) ==
              AH_OK);
    CHECK(ah_model_start(b->model, ah_model_velocity(b->model, b->q[0]), ah_int(b->own, 3)) ==
          AH_OK);
    CHECK(ah_model_start(b->model, ah_model_velocity(b->model, b->q[1]), ah_int(b->own, 5)) ==
          AH_OK);
    REQUIRE(ah_model_finish(b->model) == AH_OK);
}

/* a = 2/7 · 7 (−5, 3) on a table that turns by 7, whoever wrote it down. lambda may be NULL. */
static void rolls_as_on_a_turntable(const ball *b, double near, double *lambda)
{
    ah_system *s = NULL;
    REQUIRE(ah_system_create(b->model, NULL, &s) == AH_OK);
    ah_work *w = ah_work_create(s);
    double t, y[32], a[16];
    CHECK(ah_system_start(s, &t, y) == AH_OK);
    CHECK(ah_work_evaluate(w, AH_Q_ACCELERATION, t, y, a) == AH_OK);
    CHECK(fabs(a[0] + 10) < near);
    CHECK(fabs(a[1] - 6) < near);
    CHECK(fabs(a[2]) < near);
    if (lambda) CHECK(ah_work_evaluate(w, AH_Q_MULTIPLIER, t, y, lambda) == AH_OK);
    ah_work_destroy(w);
    ah_system_destroy(s);
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
    start_ball(&b);
    CHECK_INT(ah_model_constraints(b.model), 3);
    double lambda[3];
    rolls_as_on_a_turntable(&b, 1e-12, lambda);
    CHECK(fabs(lambda[0] - 10) < 1e-12);
    end_ball(&b);
}

/* The same ball and table as formulas, F = x² + y² + z² − r² and z, the table's turning as a field of velocities. */
TEST(turntable_by_formulas)
{
    ball b = make_ball();
    ah_expr x[3], squares[4];
    static const char *const names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        x[k] = ah_symbol(b.own, AH_LOCAL, names[k]);
        squares[k] = ah_pow(b.own, x[k], ah_int(b.own, 2));
    }
    squares[3] = ah_rational(b.own, -1, 100);
    ah_expr F = squares[3];
    for (int k = 0; k < 3; k++) F = ah_add(b.own, F, squares[k]);
    const ah_expr seven = ah_int(b.own, 7), zero = ah_int(b.own, 0);
    const ah_shape_of sphere = {.kind = "level", .level = F};
    const ah_surface table = {
        .kind = "level",
        .level = x[2],
        .moving = {{ah_neg(b.own, ah_mul(b.own, seven, x[1])), ah_mul(b.own, seven, x[0]), zero}}};
    REQUIRE(ah_model_shape(b.model, "ball", &sphere) == AH_OK);
    REQUIRE(ah_model_surface(b.model, "table", &table) == AH_OK);
    REQUIRE(ah_model_touch(b.model, "roll", "ball", "table", AH_ROLLS, NULL, NULL) == AH_OK);
    start_ball(&b);
    rolls_as_on_a_turntable(&b, 1e-9, NULL);
    end_ball(&b);
}

/* A cylinder lies on its line by five rows and stands on an edge by three; a cone has a base or an angle, and not both. */
TEST(cylinder_and_cone_by_calls)
{
    for (int lies = 0; lies < 2; lies++) {
        ball b = make_ball();
        const ah_expr tenth = ah_rational(b.own, 1, 10), none = AH_NONE;
        const ah_shape_of bad[] = {{.kind = "cone"},
                                   {.kind = "cone", .size = {tenth}},
                                   {.kind = "cone", .size = {tenth, tenth, tenth}},
                                   {.kind = "cylinder", .size = {none, tenth}}};
        for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
            CHECK_INT(ah_model_shape(b.model, "ball", &bad[i]), AH_E_INPUT);
        const ah_shape_of can = {.kind = "cylinder", .size = {tenth, lies ? none : tenth}};
        const ah_surface floor = {.kind = "plane"};
        ah_vector place, normal;
        REQUIRE(ah_model_shape(b.model, "ball", &can) == AH_OK);
        REQUIRE(ah_model_surface(b.model, "floor", &floor) == AH_OK);
        REQUIRE(ah_model_touch(b.model, "r", "ball", "floor", AH_ROLLS, &place, &normal) == AH_OK);
        CHECK(normal.c[2] == ah_int(b.own, 1));
        CHECK((place.c[0] == b.q[0]) == lies);
        REQUIRE(ah_model_finish(b.model) == AH_OK);
        CHECK_INT(ah_model_constraints(b.model), lies ? 5 : 3);
        end_ball(&b);
    }
}

/* The same by places p(u, v): a sphere of longitude and latitude on the plane (u, v, 0), or a sphere on it. */
static void turntable_by_places(bool as_shape)
{
    ball b = make_ball();
    ah_ctx *c = b.own;
    const ah_expr u = ah_symbol(c, AH_LOCAL, "u"), v = ah_symbol(c, AH_LOCAL, "v");
    const ah_expr r = ah_rational(c, 1, 10), zero = ah_int(c, 0), one = ah_int(c, 1);
    const ah_expr flat = ah_mul(c, r, ah_call(c, AH_COS, &v));
    const ah_shape_of sheet = {
        .kind = "sheet",
        .curve = {{ah_mul(c, flat, ah_call(c, AH_COS, &u)), ah_mul(c, flat, ah_call(c, AH_SIN, &u)),
                   ah_mul(c, r, ah_call(c, AH_SIN, &v))}},
        .range = {zero, ah_int(c, 6)},
        .second = {ah_int(c, -1), one}};
    const ah_shape_of sphere = {.kind = "sphere", .size = {r}};
    const ah_surface table = {.kind = "plane", .turning = ah_int(c, 7)};
    const ah_surface places = {.kind = "sheet",
                               .sheet = {{u, v, zero}},
                               .range = {ah_int(c, -1), one},
                               .second = {ah_int(c, -1), one},
                               .turning = ah_int(c, 7)};
    REQUIRE(ah_model_shape(b.model, "ball", as_shape ? &sheet : &sphere) == AH_OK);
    REQUIRE(ah_model_surface(b.model, "table", as_shape ? &table : &places) == AH_OK);
    REQUIRE(ah_model_touch(b.model, "roll", "ball", "table", AH_ROLLS, NULL, NULL) == AH_OK);
    start_ball(&b);
    rolls_as_on_a_turntable(&b, 1e-9, NULL);
    end_ball(&b);
}

TEST(turntable_by_places_of_the_ball)
{
    turntable_by_places(true);
}

TEST(turntable_by_places_of_the_table)
{
    turntable_by_places(false);
}

TEST(refused)
{
    ball o = make_ball();
    const ah_shape_of half = {.kind = "sheet", .range = {ah_int(o.own, 0), ah_int(o.own, 1)}};
    const ah_surface none = {.kind = "sheet"};
    CHECK(ah_model_shape(o.model, "ball", &half) == AH_E_INPUT);
    CHECK(ah_model_surface(o.model, "none", &none) == AH_E_INPUT);
    end_ball(&o);
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

/* What makes no sense is refused, says why, and leaves a model that can be used. */
TEST(wrong_calls)
{
    ball b = make_ball();
    const ah_expr one = ah_int(b.own, 1), zero = ah_int(b.own, 0), none = AH_NONE, wrong = 1u << 30;
    const struct {
        ah_shape_of shape;
        const char *why;
    } shapes[] = {
        {{.kind = NULL, .size = {one}}, "there is no shape"},
        {{.kind = "sphere", .size = {wrong}}, "no expression"},
        {{.kind = "sphere", .size = {one}, .centre = {{none, wrong, none}}}, "no expression"},
        {{.kind = "torus", .size = {one}}, "missing"},
        {{.kind = "level"}, "none of x, y, z"},
        {{.kind = "level", .level = one}, "none of x, y, z"},
        {{.kind = "level", .level = wrong}, "no expression"},
        {{.kind = "curve", .range = {zero, one}}, "lacks s"},
        {{.kind = "ellipsoid", .size = {one, one}}, "missing"},
        {{.kind = "disc", .size = {one}, .axis = 4}, "missing"},
        {{.kind = "disc", .size = {one}, .axis = -1}, "missing"},
        {{.kind = "sphere", .size = {ah_int(b.own, 0)}}, "not positive"},
        {{.kind = "sphere", .size = {ah_int(b.own, -1)}}, "not positive"},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        CHECK_INT(ah_model_shape(b.model, "ball", &shapes[i].shape), AH_E_INPUT);
        CHECK(strstr(ah_diagnostics_text(b.own, false), shapes[i].why) != NULL);
    }
    const struct {
        ah_surface surface;
        const char *why;
    } surfaces[] = {
        {{.kind = NULL}, "there is no surface"},
        {{.kind = "level"}, "there is no surface"},
        {{.kind = "plane", .turning = wrong}, "no expression"},
        {{.kind = "plane", .place = {{wrong, none, none}}}, "no expression"},
        {{.kind = "plane", .axis = {{none, none, wrong}}}, "no expression"},
        {{.kind = "cone"}, "lacks its size or its body"},
        {{.kind = "plane", .on = "nobody"}, "lacks its size or its body"},
        {{.kind = "sphere", .size = ah_int(b.own, -1)}, "not positive"},
        {{.kind = "cylinder", .size = one, .axis = {{zero, zero, zero}}}, "length zero"},
    };
    for (size_t i = 0; i < sizeof surfaces / sizeof *surfaces; i++) {
        CHECK_INT(ah_model_surface(b.model, "floor", &surfaces[i].surface), AH_E_INPUT);
        CHECK(strstr(ah_diagnostics_text(b.own, false), surfaces[i].why) != NULL);
    }
    const ah_shape_of sphere = {.kind = "sphere", .size = {one}};
    const ah_surface floor = {.kind = "plane"};
    CHECK_INT(ah_model_shape(b.model, NULL, &sphere), AH_E_INPUT);
    CHECK_INT(ah_model_shape(b.model, "ball", NULL), AH_E_INPUT);
    CHECK_INT(ah_model_surface(NULL, "floor", &floor), AH_E_INPUT);
    CHECK_INT(ah_model_surface(b.model, NULL, &floor), AH_E_INPUT);
    CHECK_INT(ah_model_surface(b.model, "floor", NULL), AH_E_INPUT);
    CHECK_INT(ah_model_shape(b.model, "ball", &sphere), AH_OK);
    CHECK_INT(ah_model_shape(b.model, "ball", &sphere), AH_E_INPUT);
    CHECK(strstr(ah_diagnostics_text(b.own, false), "has a shape already") != NULL);
    CHECK_INT(ah_model_surface(b.model, "floor", &floor), AH_OK);
    CHECK_INT(ah_model_surface(b.model, "floor", &floor), AH_E_INPUT);
    CHECK(strstr(ah_diagnostics_text(b.own, false), "a surface `floor` already") != NULL);
    CHECK_INT(ah_model_touch(NULL, "r", "ball", "floor", AH_ROLLS, NULL, NULL), AH_E_INPUT);
    CHECK_INT(ah_model_touch(b.model, NULL, "ball", "floor", AH_ROLLS, NULL, NULL), AH_E_INPUT);
    CHECK_INT(ah_model_touch(b.model, "r", NULL, "floor", AH_ROLLS, NULL, NULL), AH_E_INPUT);
    CHECK_INT(ah_model_touch(b.model, "r", "ball", NULL, AH_ROLLS, NULL, NULL), AH_E_INPUT);
    CHECK_INT(ah_model_touch(b.model, "r", "ball", "floor", (ah_touch) 3, NULL, NULL), AH_E_INPUT);
    CHECK_INT(ah_model_touch(b.model, "r", "nobody", "floor", AH_ROLLS, NULL, NULL), AH_E_INPUT);
    CHECK(strstr(ah_diagnostics_text(b.own, false), "it has no shape") != NULL);
    CHECK_INT(ah_model_touch(b.model, "r", "ball", "sea", AH_ROLLS, NULL, NULL), AH_E_INPUT);
    CHECK(strstr(ah_diagnostics_text(b.own, false), "there is no such surface or body") != NULL);
    end_ball(&b);
}

/* Of a plane with normal (0, -3, 4) the unit vector counts, and a ball that may not spin has one constraint
 * more, one that slides two less. */
TEST(ways_to_touch)
{
    static const size_t constraints[] = {1, 3, 4};
    for (int how = AH_SLIDES; how <= AH_ROLLS_WITHOUT_SPINNING; how++) {
        ball b = make_ball();
        const ah_expr three = ah_int(b.own, 3), four = ah_int(b.own, 4);
        const ah_shape_of sphere = {
            .kind = "sphere", .size = {ah_int(b.own, 1)}, .axis = 1, .centre = {{three}}};
        const ah_surface slope = {.kind = "plane", .axis = {{AH_NONE, ah_neg(b.own, three), four}}};
        ah_vector normal;
        CHECK_INT(ah_model_shape(b.model, "ball", &sphere), AH_OK);
        CHECK_INT(ah_model_surface(b.model, "slope", &slope), AH_OK);
        CHECK_INT(ah_model_touch(b.model, "r", "ball", "slope", (ah_touch) how, NULL, &normal),
                  AH_OK);
        CHECK(normal.c[0] == ah_int(b.own, 0) && normal.c[1] == ah_rational(b.own, -3, 5) &&
              normal.c[2] == ah_rational(b.own, 4, 5));
        CHECK_INT(ah_model_finish(b.model), AH_OK);
        CHECK_INT(ah_model_constraints(b.model), constraints[how]);
        end_ball(&b);
    }
}
