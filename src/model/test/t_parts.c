/* t_parts.c - points and bodies against formulas written by hand and against differences. */
#include "model_support.h"
#include "model/probe.h"

#include <math.h>

/* The rolling disc of the papers: T in Euler-like angles, written out in tire_243 of the reference
 * systems. */
static ah_model *disc(ah_ctx *ctx)
{
    ah_model *m = model_create_in(ctx, "disc");
    add_parameters(m, "m = 1.5, r = 0.5, A = 0.2, C = 0.35, g = 9.81");
    add_coordinates(m, "x, y, theta, psi, phi");
    const ah_turn turn[] = {
        {3, read_expr(m, "theta")}, {1, read_expr(m, "psi")}, {2, read_expr(m, "phi")}};
    const ah_body body = {
        .name = "D",
        .mass = read_expr(m, "m"),
        .inertia = {read_expr(m, "A"), read_expr(m, "C"), read_expr(m, "A")},
        .place =
            read_vector(m, "x + r*sin(psi)*sin(theta)", "y - r*sin(psi)*cos(theta)", "r*cos(psi)"),
        .turns = 3,
        .turn = turn,
    };
    ah_model_body(m, &body);
    ah_model_gravity(m, read_vector(m, "0", "0", "-g"));
    return m;
}

TEST(energies_of_a_rolling_disc)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = disc(ctx);
    CHECK_INT(ah_model_finish(m), AH_OK);
    /* Koenig: v² of the centre and the spins about the disc's axes, from the angles by hand. */
    const ah_expr T =
        read_expr(m, "m/2*((x' + r*(psi'*cos(psi)*sin(theta) + theta'*sin(psi)*cos(theta)))^2"
                     " + (y' - r*(psi'*cos(psi)*cos(theta) - theta'*sin(psi)*sin(theta)))^2"
                     " + (r*psi'*sin(psi))^2)"
                     " + A/2*(psi'^2 + (theta'*cos(psi))^2) + C/2*(phi' + theta'*sin(psi))^2");
    check_same(m, m->T, T, "kinetic energy");
    check_same(m, m->V, read_expr(m, "m*g*r*cos(psi)"), "potential energy");
    CHECK(!m->kinetic_given && !m->potential_given);
    ah_ctx_destroy(ctx);
}

/* ω in body axes is Rᵀ ω, and R' = ω × R. */
TEST(angular_velocity_turns_the_axes)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = disc(ctx);
    const model_part *D = model_find_part(m, "D");
    const ah_vector w = ah_model_omega(m, "D");
    for (int k = 1; k <= 3; k++) {
        const ah_vector axis = ah_model_axis(m, "D", k);
        ah_expr along = ah_int(ctx, 0);
        for (int i = 0; i < 3; i++) {
            const int j = (i + 1) % 3, l = (i + 2) % 3;
            const ah_expr turned =
                ah_sub(ctx, ah_mul(ctx, w.c[j], axis.c[l]), ah_mul(ctx, w.c[l], axis.c[j]));
            check_same(m, ah_total_derivative(ctx, axis.c[i]), turned, "R' = omega x R");
            along = ah_add(ctx, along, ah_mul(ctx, w.c[i], axis.c[i]));
        }
        check_same(m, D->omega_body.c[k - 1], along, "omega in body axes");
    }
    ah_ctx_destroy(ctx);
}

/* The point of contact of the disc is at rest in the vertical direction, and slides as tire_243
 * says. */
TEST(velocity_of_a_point_of_a_body)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = disc(ctx);
    const ah_vector contact = read_vector(m, "x", "y", "0"),
                    v = ah_model_velocity_at(m, "D", contact);
    check_same(m, v.c[2], ah_int(ctx, 0), "the lowest point does not rise");
    check_same(m, v.c[0], read_expr(m, "x' - r*phi'*cos(theta)"), "sliding along x");
    check_same(m, v.c[1], read_expr(m, "y' - r*phi'*sin(theta)"), "sliding along y");
    ah_ctx_destroy(ctx);
}

TEST(products_of_inertia_carry_their_sign)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "free body");
    add_parameters(m, "A, B, C, D, E, F");
    add_coordinates(m, "a, b, c");
    const ah_turn turn[] = {{1, read_expr(m, "a")}, {2, read_expr(m, "b")}, {3, read_expr(m, "c")}};
    ah_body body = {.name = "K",
                    .mass = ah_int(ctx, 0),
                    .place = read_vector(m, "0", "0", "0"),
                    .turns = 3,
                    .turn = turn};
    const char *const element[] = {"A", "B", "C", "D", "E", "F"};
    for (int i = 0; i < 6; i++) body.inertia[i] = read_expr(m, element[i]);
    ah_model_body(m, &body);
    CHECK_INT(ah_model_finish(m), AH_OK);
    /* Kinematic equations of the angles 1-2-3, by hand. */
    const ah_expr p = read_expr(m, "a'*cos(b)*cos(c) + b'*sin(c)"),
                  q = read_expr(m, "b'*cos(c) - a'*cos(b)*sin(c)"),
                  r = read_expr(m, "c' + a'*sin(b)");
    const ah_expr w[] = {p, q, r}, I[3][3] = {{body.inertia[0], body.inertia[5], body.inertia[4]},
                                              {body.inertia[5], body.inertia[1], body.inertia[3]},
                                              {body.inertia[4], body.inertia[3], body.inertia[2]}};
    ah_expr T = ah_int(ctx, 0);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            T = ah_add(ctx, T, ah_mul(ctx, I[i][j], ah_mul(ctx, w[i], w[j])));
    check_same(m, m->T, ah_div(ctx, T, ah_int(ctx, 2)), "T = 1/2 w.I.w");
    ah_ctx_destroy(ctx);
}

/* Generalised forces from f·δr by differences: Q_i = f · ∂r/∂q_i, the torque through the turning of
 * the axes. */
TEST(forces_on_parts_are_virtual_work)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = disc(ctx);
    /* A force at a material point: r_C + R s with s fixed in the body, so that ∂(r_C + R s)/∂q is
     * what f works on. */
    const ah_vector f = read_vector(m, "1 + x", "-0.4*y'", "0.7*t"),
                    moment = read_vector(m, "0.3", "phi", "-1");
    const ah_vector centre = ah_model_position(m, "D"), s = ah_model_axis(m, "D", 1);
    ah_vector at;
    for (int i = 0; i < 3; i++)
        at.c[i] = ah_add(ctx, centre.c[i], ah_mul(ctx, ah_rational(ctx, 3, 10), s.c[i]));
    CHECK_INT(ah_model_force_on(m, "D", f, &at), AH_OK);
    CHECK_INT(ah_model_torque_on(m, "D", moment), AH_OK);
    add_force(m, "phi", "-0.1*phi'");
    CHECK_INT(ah_model_finish(m), AH_OK);
    const ah_vector w = ah_model_omega(m, "D");
    for (uint32_t i = 0; i < m->n; i++) {
        ah_expr Q = i == 4 ? read_expr(m, "-0.1*phi'") : ah_int(ctx, 0);
        for (int k = 0; k < 3; k++) {
            Q = ah_add(ctx, Q, ah_mul(ctx, f.c[k], ah_diff(ctx, at.c[k], m->q.at[i])));
            Q = ah_add(ctx, Q, ah_mul(ctx, moment.c[k], ah_diff(ctx, w.c[k], m->v.at[i])));
        }
        check_same(m, m->F[i], Q, "generalised force");
        check_same(m, m->F_written[i], i == 4 ? read_expr(m, "-0.1*phi'") : ah_int(ctx, 0),
                   "as written");
    }
    ah_ctx_destroy(ctx);
}

TEST(point_on_a_moving_place)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "bead on a turning wire");
    add_parameters(m, "m = 0.6, w = 1.2, g = 9.81");
    add_coordinates(m, "r");
    ah_model_point(m, "P", read_expr(m, "m"), read_vector(m, "r*cos(w*t)", "r*sin(w*t)", "0"));
    ah_model_gravity(m, read_vector(m, "0", "-g", "0"));
    ah_model_force_on(m, "P", read_vector(m, "-0.2*r'", "0", "0"), NULL);
    CHECK_INT(ah_model_finish(m), AH_OK);
    check_same(m, m->T, read_expr(m, "m/2*(r'^2 + r^2*w^2)"), "T with a term free of velocities");
    check_same(m, m->V, read_expr(m, "m*g*r*sin(w*t)"), "V");
    check_same(m, m->F[0], read_expr(m, "-0.2*r'*cos(w*t)"), "F");
    ah_ctx_destroy(ctx);
}

/* The systems of the papers as a C user builds them, against the expressions of the reference data.
 */
TEST(skate_and_double_pendulum_from_points)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *skate = model_create_in(ctx, "skate");
    add_parameters(skate, "m = 1.5, J = 0.7");
    add_coordinates(skate, "x, y, theta");
    const ah_turn turn = {3, read_expr(skate, "theta")};
    ah_body body = {.name = "S", .mass = read_expr(skate, "m"), .turns = 1, .turn = &turn};
    body.inertia[2] = read_expr(skate, "J");
    body.place = read_vector(skate, "x", "y", "0");
    ah_model_body(skate, &body);
    const ah_vector v = ah_model_velocity_of(skate, "S"), across = ah_model_axis(skate, "S", 2);
    ah_expr slip = ah_int(ctx, 0);
    for (int i = 0; i < 3; i++) slip = ah_add(ctx, slip, ah_mul(ctx, v.c[i], across.c[i]));
    ah_model_constraint(skate, "blade", ah_neg(ctx, slip), ah_int(ctx, 0));
    CHECK_INT(ah_model_finish(skate), AH_OK);
    check_same(skate, ah_model_kinetic_energy(skate),
               read_expr(skate, "m*(x'^2+y'^2)/2 + J*theta'^2/2"), "T");
    check_same(skate, ah_model_constraint_left(skate, 0),
               read_expr(skate, "x'*sin(theta) - y'*cos(theta)"), "c");
    CHECK_STR(ah_model_label(skate, 0), "blade");
    CHECK(skate->constraints.at[0].linear && !skate->constraints.at[0].affine);

    ah_model *pendulum = model_create_in(ctx, "double pendulum");
    add_parameters(pendulum, "m1 = 1, m2 = 1.6, g = 4.9");
    add_coordinates(pendulum, "x1, y1, x2, y2");
    ah_model_point(pendulum, "P1", read_expr(pendulum, "m1"),
                   read_vector(pendulum, "x1", "y1", "0"));
    ah_model_point(pendulum, "P2", read_expr(pendulum, "m2"),
                   read_vector(pendulum, "x2", "y2", "0"));
    ah_model_gravity(pendulum, read_vector(pendulum, "g", "0", "0"));
    add_constraint(pendulum, NULL, "x1*x1'*y2' - x2*x2'*y1' + (y1-y2)*y1'*y2'");
    CHECK_INT(ah_model_finish(pendulum), AH_OK);
    check_same(pendulum, ah_model_kinetic_energy(pendulum),
               read_expr(pendulum, "m1*(x1'^2+y1'^2)/2 + m2*(x2'^2+y2'^2)/2"), "T");
    check_same(pendulum, ah_model_potential_energy(pendulum),
               read_expr(pendulum, "-m1*g*x1 - m2*g*x2"), "V");
    CHECK(pendulum->constraints.at[0].order == MODEL_VELOCITY &&
          !pendulum->constraints.at[0].linear);
    ah_ctx_destroy(ctx);
}

/* A body of revolution: T as short as on paper, and the same as with ω in body axes. */
TEST(symmetric_body)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "top");
    add_parameters(m, "A, C");
    add_coordinates(m, "phi, theta, psi");
    const ah_turn turn[] = {
        {3, read_expr(m, "phi")}, {1, read_expr(m, "theta")}, {3, read_expr(m, "psi")}};
    const ah_expr A = read_expr(m, "A"), C = read_expr(m, "C");
    const ah_body body = {.name = "K",
                          .mass = ah_int(ctx, 0),
                          .inertia = {A, A, C},
                          .place = read_vector(m, "0", "0", "0"),
                          .turns = 3,
                          .turn = turn};
    ah_model_body(m, &body);
    CHECK_INT(ah_model_finish(m), AH_OK);
    check_same(
        m, m->T,
        read_expr(m, "A/2*(theta'^2 + (phi'*sin(theta))^2) + C/2*(psi' + phi'*cos(theta))^2"), "T");
    CHECK(!expr_depends(ctx, m->T, read_expr(m, "psi")));
    const ah_vector w = model_find_part(m, "K")->omega_body;
    const ah_expr across = ah_add(ctx, ah_mul(ctx, w.c[0], w.c[0]), ah_mul(ctx, w.c[1], w.c[1]));
    const ah_expr twice =
        ah_add(ctx, ah_mul(ctx, A, across), ah_mul(ctx, C, ah_mul(ctx, w.c[2], w.c[2])));
    check_same(m, m->T, ah_div(ctx, twice, ah_int(ctx, 2)), "body axes");
    ah_ctx_destroy(ctx);
}
