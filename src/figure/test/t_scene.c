/* t_scene.c - pictures of motions: places against formulas by hand, rolling without slipping, what
 * is suggested, what may stand in a page. */
#include "../scene_inside.h"
#include "lang/lang.h"
#include <anholo/lang.h>

#include "ah_files.h"
#include "failing.h"
#include "harness.h"

#include <math.h>
#include <string.h>

/* A model, its scene and its motion; json and svg of the middle row. */
typedef struct stage {
    ah_ctx *ctx;
    ah_model *m;
    size_t samples;
    scene s;
    trajectory tr;
    picture p;
    const char *json, *svg;
    bool moved;
} stage;

static void perform(ah_ctx *ctx, void *arg)
{
    stage *g = arg;
    ah_status status;
    ah_simulate_options o = ah_simulate_defaults();
    o.samples = g->samples;
    g->m = model_driven(g->m);
    scene_plan(g->m, &ctx->job, &g->s);
    g->moved = trajectory_run(g->m, &o, g->s.extras.at, g->s.extras.count, &g->tr, &status);
    if (!g->moved) return;
    g->p = picture_make(&ctx->job, &g->s, &g->tr);
    text data = text_begin(&ctx->job), svg = text_begin(&ctx->job);
    scene_json(&data, &g->s, &g->tr);
    scene_svg(&svg, &g->s, &g->tr, g->tr.rows / 2);
    g->json = text_end(&data);
    g->svg = text_end(&svg);
}

static bool stage_open(stage *g, const char *model, size_t length, size_t samples)
{
    *g = (stage){.ctx = ah_ctx_create(NULL), .samples = samples};
    const bool good = lang_read(g->ctx, "test", model, length, NULL, &g->m) == AH_OK;
    if (good) ctx_guard(g->ctx, perform, g);
    if (!good || !g->moved) harness_check(false, "model", 0, ah_diagnostics_text(g->ctx, false));
    return good && g->moved;
}

#define OPEN(g, model, samples) REQUIRE(stage_open((g), (model), strlen(model), (samples)))

static double column(const stage *g, const char *name, size_t row)
{
    return g->tr.at[row * g->tr.columns + trajectory_column(&g->tr, name)];
}

static const scene_shape *find(const stage *g, scene_kind kind, size_t number)
{
    for (size_t i = 0; i < g->s.shapes.count; i++)
        if (g->s.shapes.at[i].kind == kind && number-- == 0) return &g->s.shapes.at[i];
    return NULL;
}

static size_t count(const stage *g, scene_kind kind)
{
    size_t n = 0;
    for (size_t i = 0; i < g->s.shapes.count; i++) n += g->s.shapes.at[i].kind == kind;
    return n;
}

static void check_place(vec3 got, vec3 want, int line)
{
    for (int k = 0; k < 3; k++)
        harness_check_near(got.x[k], want.x[k], 1, 64, "a place", __FILE__, line);
}
#define CHECK_PLACE(got, ...) check_place((got), vec(__VA_ARGS__), __LINE__)

/* ---- Numbers --------------------------------------------------------------------------------- */

TEST(places_are_those_of_the_formulas)
{
    stage g;
    OPEN(&g,
         "parameter l = 0.7\n"
         "coordinate a, b\n"
         "point P mass 1 at l*(sin(a), -cos(a))\n"
         "point Q mass 2 at position(P) + (l*sin(b), -l*cos(b))\n"
         "gravity (0, -9.81)\n"
         "start a = 0.4, b = -0.3\nsimulate t = 0 .. 2\n"
         "draw line (0, 0), P, Q\ndraw velocity Q scale 2\n"
         "draw wheel at Q normal (0, 0, 2) radius l/2 turn a + b\n",
         41);
    for (size_t row = 0; row < 41; row += 8) {
        const double a = column(&g, "a", row), b = column(&g, "b", row), l = 0.7;
        const double x = l * sin(a) + l * sin(b), y = -l * cos(a) - l * cos(b);
        CHECK_PLACE(picture_place(&g.p, find(&g, SCENE_LINE, 0)->to, row), l * sin(a), -l * cos(a),
                    0);
        CHECK_PLACE(picture_place(&g.p, find(&g, SCENE_LINE, 1)->to, row), x, y, 0);
        const double da = column(&g, "a'", row), db = column(&g, "b'", row);
        CHECK_PLACE(picture_place(&g.p, find(&g, SCENE_ARROW, 0)->to, row),
                    l * cos(a) * da + l * cos(b) * db, l * sin(a) * da + l * sin(b) * db, 0);
        vec3 axis[3];
        picture_frame(&g.p, find(&g, SCENE_WHEEL, 0), row, axis);
        CHECK_PLACE(axis[0], cos(a + b), sin(a + b), 0);
        CHECK_PLACE(axis[2], 0, 0, 1);
    }
    CHECK(g.p.flat);
    ah_ctx_destroy(g.ctx);
}

/* The velocity of the material point of a wheel that is at the contact: from frames alone, by
 * central differences of its place. */
static double slip(const stage *g, const scene_shape *wheel, size_t row, double r)
{
    const vec3 down = vec_add(vec(0, 0, 0), -1, g->p.up);
    vec3 axis[3], place[2];
    double arm[3];
    picture_frame(&g->p, wheel, row, axis);
    const vec3 in_plane = vec_add(down, -vec_dot(down, axis[2]), axis[2]);
    const vec3 to_contact = vec_add(vec(0, 0, 0), r, vec_unit(in_plane, down));
    for (int k = 0; k < 3; k++) arm[k] = vec_dot(to_contact, axis[k]);
    for (int side = 0; side < 2; side++) {
        const size_t at = side ? row + 1 : row - 1;
        picture_frame(&g->p, wheel, at, axis);
        place[side] = picture_place(&g->p, wheel->at, at);
        for (int k = 0; k < 3; k++) place[side] = vec_add(place[side], arm[k], axis[k]);
    }
    const double h = column(g, "t", row + 1) - column(g, "t", row - 1);
    return vec_length(vec_add(place[1], -1, place[0])) / h;
}

static void check_rolling(const ah_file *file, void *user)
{
    const char *const *wanted = user;
    if (!strstr(file->path, wanted[0])) return;
    stage g;
    if (stage_open(&g, file->text, file->length, 20001)) {
        const scene_shape *wheel = find(&g, SCENE_WHEEL, 0);
        REQUIRE(wheel);
        const double r = picture_size(&g.p, wheel, 0, 0);
        for (size_t row = 100; row < 20000; row += 2100) {
            const double speed = slip(&g, wheel, row, 0);  /* of the centre */
            CHECK(slip(&g, wheel, row, r) < 1e-4 * speed); /* (h ω)²/6: of the differences */
            CHECK(slip(&g, wheel, row, 0.9 * r) > 0.05 * speed);
        }
    }
    ah_ctx_destroy(g.ctx);
}

TEST(wheels_of_the_models_roll_without_slipping)
{
    static const char *const names[] = {"/vertical_disc", "/tire.ah", "/coaxial_discs.ah"};
    for (size_t i = 0; i < 3; i++)
        CHECK(ah_files_each(AH_SOURCE_DIR "/models", check_rolling, (void *) &names[i]) > 0);
}

/* m a − F against λ ∂C/∂q of the multipliers: for a point in its own coordinates they are one. */
TEST(reactions_are_those_of_the_multipliers)
{
    stage g;
    OPEN(&g,
         "parameter m = 1.3\n"
         "coordinate x, y, z\n"
         "point P mass m at (x, y, z)\n"
         "gravity (0, 0, -9.81)\nforce on P (0.2, -0.1*y', 0)\nforce z = 0.3*x\n"
         "potential x^2/2\n"
         "constraint knife: z' = y*x'\n"
         "start x = 0, y = 0.5, z = 0, x' = 1, y' = 0.7\nsimulate t = 0 .. 1\n"
         "draw reaction P\ndraw reaction P of knife\n",
         21);
    for (size_t row = 0; row < 21; row += 4)
        for (size_t k = 0; k < 2; k++) /* the only constraint is all of it */
            CHECK_PLACE(picture_place(&g.p, find(&g, SCENE_ARROW, k)->to, row),
                        column(&g, "reaction[x]", row), column(&g, "reaction[y]", row),
                        column(&g, "reaction[z]", row));
    CHECK(g.p.unit[SCENE_FORCE] > 0);
    ah_ctx_destroy(g.ctx);
}

/* ---- What is suggested ----------------------------------------------------------------------- */

TEST(a_body_looks_like_its_inertia)
{
    stage g;
    OPEN(&g,
         "parameter m = 3, R = 0.4, h = 0.1, a = 0.5, b = 0.7, c = 0.2\n"
         "coordinate x, p, q\n"
         "body D mass m inertia (m*(3*R^2 + h^2)/12, m*R^2/2, m*(3*R^2 + h^2)/12) at (x, 0, 0)"
         " turn y p\n"
         "body B mass m inertia (m*(b^2 + c^2)/12, m*(c^2 + a^2)/12, m*(a^2 + b^2)/12)"
         " at (0, x, 0) turn x q\n"
         "start x = 0, p = 0, q = 0, p' = 1, q' = 2\nsimulate t = 0 .. 1\n",
         11);
    const scene_shape *disc = find(&g, SCENE_DISC, 0), *block = find(&g, SCENE_BOX, 0);
    REQUIRE(disc && block);
    CHECK_NEAR(picture_size(&g.p, disc, 0, 0), 0.4, 1, 1e10, "radius, to six digits");
    CHECK_NEAR(picture_size(&g.p, disc, 1, 0), 0.1, 1, 1e10, "height");
    const double side[3] = {0.5, 0.7, 0.2};
    for (int k = 0; k < 3; k++)
        CHECK_NEAR(picture_size(&g.p, block, k, 0), side[k], 1, 1e10, "side");
    vec3 axis[3];
    picture_frame(&g.p, disc, 0, axis);
    CHECK_PLACE(axis[2], 0, 1, 0);
    CHECK_PLACE(vec_cross(axis[0], axis[1]), 0, 1, 0);
    CHECK(!g.p.flat && g.s.suggested);
    ah_ctx_destroy(g.ctx);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

#define SHAPED(shape)                                                                              \
    "parameter h = 0.2, R = 0.5\ncoordinate x, y, z, p, q\n"                                       \
    "body B mass 2 inertia (1, 2, 2.5) at (x, y, z) turn z p, x q\n"                               \
    "shape B " shape "\nstart x = 1, y = 2, z = 3, p = 0.3, q = 0.4, q' = 1, x' = 1\n"             \
    "simulate t = 0 .. 1\n"

/* r in the axes of the body that SHAPED makes: turned about x by q, about z by p. */
static vec3 in_space(const stage *g, size_t row, double a, double b, double c)
{
    const double p = column(g, "p", row), q = column(g, "q", row);
    const double y = b * cos(q) - c * sin(q), z = b * sin(q) + c * cos(q);
    return vec(column(g, "x", row) + a * cos(p) - y * sin(p),
               column(g, "y", row) + a * sin(p) + y * cos(p), column(g, "z", row) + z);
}

/* The kind, the middle in body axes, and the sizes; the third axis of what is drawn ends at `top` there. */
static void check_look(const char *model, scene_kind kind, const double at[3], const double top[3],
                       const double size[3])
{
    stage g;
    OPEN(&g, model, 5);
    const scene_shape *shape = find(&g, kind, 0);
    REQUIRE(shape);
    for (size_t row = 0; row < 5; row += 2) {
        vec3 axis[3];
        const vec3 middle = picture_place(&g.p, shape->at, row);
        picture_frame(&g.p, shape, row, axis);
        check_place(middle, in_space(&g, row, at[0], at[1], at[2]), __LINE__);
        const double length = hypot(hypot(top[0] - at[0], top[1] - at[1]), top[2] - at[2]);
        check_place(vec_add(middle, length, axis[2]), in_space(&g, row, top[0], top[1], top[2]),
                    __LINE__);
        CHECK_NEAR(vec_dot(vec_cross(axis[0], axis[1]), axis[2]), 1, 1, 64, "right-handed");
        for (int k = 0; k < 3 && size[k] > 0; k++)
            CHECK_NEAR(picture_size(&g.p, shape, k, row), size[k], 1, 64, "size");
    }
    CHECK(g.svg && strstr(g.svg, "<path") && !strstr(g.svg, "nan"));
    ah_ctx_destroy(g.ctx);
}

TEST(bodies_look_as_their_shapes_say)
{
    const double o[3] = {0}, z[3] = {0, 0, 1}, x[3] = {1, 0, 0}, up[3] = {0, 0, 0.2};
    check_look(SHAPED("ellipsoid size (0.5, 0.3, h) at (0, 0, h)"), SCENE_ELLIPSOID, up,
               (double[]){0, 0, 1}, (double[]){0.5, 0.3, 0.2});
    check_look(SHAPED("torus radius R tube h axis x"), SCENE_TORUS, o, x, (double[]){0.5, 0.2, 0});
    check_look(SHAPED("sphere radius R at (0, 0, h)"), SCENE_SPHERE, up, (double[]){0, 0, 1},
               (double[]){0.5, 0, 0});
    check_look(SHAPED("disc radius R axis x"), SCENE_DISC, o, x, (double[]){0.5, 0, 0});
    check_look(SHAPED("cylinder radius R length h axis x"), SCENE_DISC, o, x,
               (double[]){0.5, 0.2, 0});
    check_look(SHAPED("cylinder radius R"), SCENE_DISC, o, z, (double[]){0.5, 2, 0});
    check_look(SHAPED("cone radius R length 4*h at (0, 0, -h)"), SCENE_CONE, (double[]){0, 0, -0.2},
               (double[]){0, 0, 0.6}, (double[]){0.5, 0.8, 0});
    /* its apex at -h, so that it is 4 h/3 high; the base is h/3 beyond the centre of mass */
    check_look(SHAPED("cone angle pi/4 at (0, -h, 0) axis y"), SCENE_CONE,
               (double[]){0, 0.2 / 3, 0}, (double[]){0, -0.2, 0}, (double[]){0.8 / 3, 0.8 / 3, 0});
    check_look(SHAPED("sphere radius R at (0, 0, h)") "draw shape B colour red\n", SCENE_SPHERE, up,
               (double[]){0, 0, 1}, (double[]){0.5, 0, 0});
    /* an edge of something larger, a formula: by the moments of inertia, whose block is not round */
    check_look(SHAPED("disc radius R at (0, 0, h)"), SCENE_BOX, o, z, o);
    check_look("parameter R = 0.5\ncoordinate x, y, z, p, q\n"
               "body B mass 2 inertia (1, 2, 2.5) at (x, y, z) turn z p, x q\n"
               "shape B: x^2 + y^4 + z^2 = R\nstart x = 1, y = 0, z = 0, p = 0, q = 0\nsimulate t "
               "= 0 .. 1\ndraw shape B\n",
               SCENE_BOX, o, z, o);
}

/* A ground whose place nobody gives is where they touch it. */
TEST(what_rolls_stands_on_the_ground)
{
    static const char *const shapes[] = {
        "cone radius 0.1 length 0.3 at (0, 0, -0.075)", "ellipsoid size (0.2, 0.1, 0.3)",
        "torus radius 0.3 tube 0.1 axis x", "cylinder radius 0.1 length 0.5 axis y"};
    for (size_t i = 0; i < 4; i++) {
        stage g;
        char model[600];
        snprintf(model, sizeof model,
                 "coordinate x, y, z, a, b, c\n"
                 "body B mass 1 inertia (0.02, 0.02, 0.01) at (x, y, z) turn z a, y b, z c\n"
                 "shape B %s\ngravity (0, 0, -9.81)\nsurface S plane at (0, 0, 7)\nroll B on S\n"
                 "start x = 0, y = 0, a = 0.2, b = 0.3, c = 0, c' = 3\nsimulate t = 0 .. 0.1\n",
                 shapes[i]);
        OPEN(&g, model, 5);
        CHECK_NEAR(g.p.ground, 7, 1, 1e6, "the plane; z is solved to rounding");
        ah_ctx_destroy(g.ctx);
    }
}

/* The places of an edge on the body, and the outline of its points in every row. */
TEST(edges_are_curves)
{
    stage g;
    OPEN(&g, SHAPED("curve (R*cos(s), h*sin(s), 0) for s = 0 .. 2*pi"), 5);
    const scene_shape *edge = find(&g, SCENE_CURVE, 0);
    REQUIRE(edge && edge->points.count > 8);
    for (size_t i = 0; i < edge->points.count; i++) {
        const double s = 6.283185307179586 * (double) i / (double) (edge->points.count - 1);
        check_place(picture_place(&g.p, edge->points.at[i], 4),
                    in_space(&g, 4, 0.5 * cos(s), 0.2 * sin(s), 0), __LINE__);
    }
    ah_ctx_destroy(g.ctx);
}

/* Of a surface that bulges everywhere about half of the faces look towards us. */
TEST(half_of_an_ellipsoid_is_seen)
{
    stage g;
    OPEN(&g, SHAPED("ellipsoid size (0.5, 0.3, h)") "draw shape B\n", 5);
    CHECK(count(&g, SCENE_ELLIPSOID) == 1 && !g.s.suggested);
    size_t faces = 0;
    for (const char *at = g.svg; (at = strstr(at, "stroke-width=\"0.7\"")); at++) faces++;
    CHECK(faces >= 24 * 16 * 2 / 5 && faces <= 24 * 16 * 3 / 5);
    ah_ctx_destroy(g.ctx);
}

TEST(rods_are_seen)
{
    stage g;
    OPEN(&g,
         "parameter n = 4, l = 0.3\n"
         "coordinate x[1..n], y[1..n]\n"
         "for i = 1 .. n:\n    point P[i] mass 1 at (x[i], y[i])\n"
         "constraint x[1]^2 + y[1]^2 = l^2\n"
         "constraint norm(position(P[1]) - position(P[2]))^2 = l^2\n"
         "constraint l^2 = x[2]^2 - 2*x[2]*x[3] + x[3]^2 + (y[3] - y[2])^2\n"
         "constraint x[4]*y[4] = l^2*12\n"
         "gravity (0, -9.81)\n"
         "start x[1] = l, y[1] = 0, x[2] = 2*l, y[2] = 0, x[3] = 3*l, y[3] = 0, x[4] = 4*l,"
         " y[4] = 3*l\n"
         "simulate t = 0 .. 0.1\n",
         11);
    CHECK_INT(count(&g, SCENE_LINE), 3);
    CHECK_INT(count(&g, SCENE_POINT), 4);
    CHECK_INT(count(&g, SCENE_TRACE), 4);
    CHECK(g.p.flat);
    ah_ctx_destroy(g.ctx);
}

/* Between the ends that the joint has, whatever these are: a marker, a point without mass, a place. */
TEST(rods_and_springs_of_joints_are_seen)
{
    stage g;
    OPEN(&g,
         "coordinate x, y, a\n"
         "body B mass 1 inertia (0, 0, 1) at (x, y) turn z a\n"
         "marker P on B at (0.2, 0)\n"
         "point Q at (x, y + 1)\n"
         "gravity (0, -9.81)\n"
         "rod P, (0, 1) length 2\n"
         "spring Q, (3, 0) stiffness 2\n"
         "start a = 0.5, x = 1, y near 0\n"
         "simulate t = 0 .. 0.1\n",
         11);
    const scene_shape *rod = find(&g, SCENE_LINE, 0), *spring = find(&g, SCENE_SPRING, 0);
    REQUIRE(rod && spring && count(&g, SCENE_LINE) == 1 && count(&g, SCENE_SPRING) == 1);
    const double x = column(&g, "x", 3), y = column(&g, "y", 3), turn = column(&g, "a", 3);
    CHECK_PLACE(picture_place(&g.p, rod->at, 3), x + 0.2 * cos(turn), y + 0.2 * sin(turn), 0);
    CHECK_PLACE(picture_place(&g.p, rod->to, 3), 0, 1, 0);
    CHECK_PLACE(picture_place(&g.p, spring->at, 3), x, y + 1, 0);
    CHECK_PLACE(picture_place(&g.p, spring->to, 3), 3, 0, 0);
    ah_ctx_destroy(g.ctx);
}

/* The slope on which something rolls, also where all is in one plane; none that is said by `draw ground`. */
TEST(the_plane_that_is_rolled_on_is_the_ground)
{
    const char *const says[] = {"", "draw ground at (0, 5, 0) normal (1, 1, 0)\n"};
    const double at[][3] = {{0, 0.5, 0}, {0, 5, 0}}, normal[][3] = {{0.6, 0.8, 0}, {1, 1, 0}};
    for (int i = 0; i < 2; i++) {
        stage g;
        char model[500];
        snprintf(model, sizeof model,
                 "coordinate x, y, a\nbody B mass 1 inertia (1, 1, 1) at (x, y) turn z a\n"
                 "shape B sphere radius 1\nsurface S plane at (0, 0.5, 0) normal (3, 4, 0)\nroll B "
                 "on S\n"
                 "gravity (0, -9.81)\nstart x = 0.1, a = 0\nsimulate t = 0 .. 0.1\n%s",
                 says[i]);
        OPEN(&g, model, 3);
        const scene_shape *ground = find(&g, SCENE_GROUND, 0);
        REQUIRE(ground && count(&g, SCENE_GROUND) == 1);
        CHECK(g.p.flat);
        CHECK_PLACE(picture_place(&g.p, ground->at, 2), at[i][0], at[i][1], at[i][2]);
        CHECK_PLACE(picture_place(&g.p, ground->to, 2), normal[i][0], normal[i][1], normal[i][2]);
        ah_ctx_destroy(g.ctx);
    }
}

TEST(down_is_where_gravity_points)
{
    stage g;
    OPEN(&g,
         "coordinate x, y\npoint P mass 1 at (x, y)\ngravity (2, 0)\n"
         "start x = 0, y = 0, y' = 1\nsimulate t = 0 .. 1\n",
         11);
    CHECK_PLACE(g.p.up, -1, 0, 0);
    CHECK_PLACE(g.p.right, 0, 1, 0);
    ah_ctx_destroy(g.ctx);
}

TEST(without_geometry_the_coordinates_are_drawn)
{
    stage g;
    OPEN(&g, "coordinate q\nkinetic q'^2/2\nstart q = 0, q' = 2\nsimulate t = 0 .. 3\n", 4);
    CHECK_STR(g.s.axes[0], "t");
    CHECK_STR(g.s.axes[1], "q");
    CHECK(strstr(g.json, "\"axes\":[{\"name\":\"t\""));
    ah_ctx_destroy(g.ctx);

    OPEN(&g,
         "coordinate y, x\nkinetic y'^2 + x'^2\nstart x = 0, y = 0, x' = 2\n"
         "simulate t = 0 .. 3\n",
         4);
    CHECK(!g.s.axes[0] && g.p.flat);
    CHECK_PLACE(picture_place(&g.p, find(&g, SCENE_POINT, 0)->at, 3), 6, 0, 0);
    ah_ctx_destroy(g.ctx);
}

/* Nothing moves, one row, a motion that ends early: a picture all the same. */
TEST(motions_that_are_hardly_one)
{
    stage g;
    OPEN(&g, "coordinate x\npoint P mass 1 at (x, 0)\nstart x = 0\nsimulate t = 0 .. 0\n", 2);
    CHECK(g.p.view > 0 && strstr(g.svg, "<circle"));
    ah_ctx_destroy(g.ctx);
    OPEN(&g,
         "coordinate x\npoint P mass 1 at (x, 1/(x - 1), 0)\nstart x = 1\n"
         "simulate t = 0 .. 1\ndraw point P\ndraw arrow at P along (x'', 0)\n"
         "draw spring (0, 0), P\ndraw sphere at P radius -1\n",
         3);
    CHECK(g.p.view > 0 && !strstr(g.svg, "nan") && !strstr(g.json, "nan"));
    ah_ctx_destroy(g.ctx);
}

TEST(frames_go_forward_in_time)
{
    stage g;
    OPEN(&g, "coordinate x\npoint P mass 1 at (x, 0)\nstart x = 0, x' = 2\nsimulate t = 0 .. -3\n",
         4);
    CHECK_NEAR(column(&g, "t", g.p.row[0]), -3, 1, 4, "first");
    CHECK_NEAR(column(&g, "t", g.p.row[3]), 0, 1, 4, "last");
    CHECK(strstr(g.json, "\"time\":[-3,-2,-1,0]"));
    ah_ctx_destroy(g.ctx);
}

/* Written out as trees, the axes of this body would not fit into any memory. */
TEST(a_body_of_many_turns)
{
    stage g;
    OPEN(&g,
         "coordinate a, b, c\n"
         "body B mass 1 inertia (1, 2, 3) at (0, 0, 0) turn z a, x b, y c, z b, x a, y a, z c, x b,"
         " y a, z a, x b, y c, z b, x a, y a, z c, x b, y a, z a, x b, y c, z b, x a, y a, z c,"
         " x b, y a, z a, x b, y c, z b, x a, y a, z c, x b, y a\n"
         "kinetic 10*(a'^2 + b'^2 + c'^2)\n"
         "start a = 0.1, b = 0.2, c = 0.3, a' = 0.1\nsimulate t = 0 .. 0.1\n",
         3);
    vec3 axis[3];
    picture_frame(&g.p, find(&g, SCENE_BOX, 0), 2, axis);
    const vec3 z = vec_cross(axis[0], axis[1]);
    CHECK_NEAR(vec_dot(z, axis[2]), 1, 1, 64, "axes at right angles");
    ah_ctx_destroy(g.ctx);
}

/* ---- In a page ------------------------------------------------------------------------------- */

/* Every tag closed in its turn; good enough for what has no comments and no other text. */
static bool is_balanced(const char *svg)
{
    int depth = 0;
    for (const char *at = strchr(svg, '<'); at; at = strchr(at + 1, '<')) {
        const char *end = strchr(at, '>');
        if (!end) return false;
        depth += at[1] == '/' ? -1 : end[-1] == '/' ? 0 : 1;
        if (depth < 0) return false;
    }
    return depth == 0;
}

static void check_model(const ah_file *file, void *user)
{
    size_t *drawn = user;
    stage g;
    if (stage_open(&g, file->text, file->length, 601)) {
        size_t bodies = 0;
        for (size_t i = 0; i < g.s.shapes.count; i++)
            bodies += picture_is_body(g.s.shapes.at[i].kind);
        harness_check(bodies > 0, file->path, 1, "something is drawn");
        harness_check(g.p.size > 0, file->path, 1, "and it moves");
        harness_check(strlen(g.json) < 400000, file->path, 1, "the numbers are few");
        harness_check(!strpbrk(g.json, "<>&"), file->path, 1, "the JSON may stand in a page");
        harness_check(is_balanced(g.svg), file->path, 1, "the SVG is balanced");
        harness_check(!strstr(g.svg, "nan") && !strstr(g.svg, "inf"), file->path, 1, "in numbers");
        ++*drawn;
    }
    ah_ctx_destroy(g.ctx);
}

TEST(every_model_has_a_picture)
{
    size_t drawn = 0;
    CHECK(ah_files_each(AH_SOURCE_DIR "/models", check_model, &drawn) > 40);
    CHECK(drawn > 40);
}

TEST(labels_cannot_leave_the_page)
{
    stage g;
    OPEN(&g,
         "system \"</script><script>alert(1)</script>\"\n"
         "coordinate x\npoint P mass 1 at (x, 0)\nstart x = 0, x' = 1\nsimulate t = 0 .. 1\n"
         "draw point P label \"</script><!-- & <img src=x onerror=1>\"\n",
         11);
    CHECK(!strpbrk(g.json, "<>&"));
    CHECK(strstr(g.json, "\\u003c/script\\u003e"));
    CHECK(!strstr(g.svg, "<script") && !strstr(g.svg, "<img"));
    CHECK(strstr(g.svg, "&lt;img src=x"));
    CHECK(is_balanced(g.svg));
    ah_ctx_destroy(g.ctx);
}

static void with_little_memory(ah_ctx *ctx, void *arg)
{
    const char *model = arg;
    stage g = {.ctx = ctx, .samples = 5};
    if (lang_read(ctx, "test", model, strlen(model), NULL, &g.m) != AH_OK) return;
    if (ctx_guard(ctx, perform, &g) == AH_OK) CHECK(g.json && g.svg);
}

TEST(memory_of_pictures_may_fail_anywhere)
{
    size_t tried = 0;
    CHECK(failing_run(with_little_memory,
                      "coordinate x, a\nbody B mass 1 inertia (1, 2, 1) at (x, 0, 0) turn y a\n"
                      "start x = 0, a = 0, a' = 1\nsimulate t = 0 .. 1\n"
                      "draw wheel B radius 1 label \"w\"\ndraw curve (s, s^2) for s = 0 .. 1\n",
                      &tried));
    CHECK(tried > 20);
}
