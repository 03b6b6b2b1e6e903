/* t_errors.c - what model_finish and the statements refuse: each code of A04xx that belongs to this
 * module. */
#include "model_support.h"

typedef void build(ah_model *m);

static void check_codes(build *f, const char *want, int line)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "g = 9.81, k = -1, s");
    add_coordinates(m, "x, y, a");
    f(m);
    ah_model_finish(m);
    if (!harness_check_str(codes(ctx), want, __FILE__, line)) {
        const char *all = ah_diagnostics_text(ctx, false);
        harness_check_str(all, want, __FILE__, line);
    }
    CHECK(m->finished == (ah_error_count(ctx) == 0));
    ah_ctx_destroy(ctx);
}

#define REPORTS(id, want)                                                                          \
    static void build_##id(ah_model *m);                                                           \
    TEST(id)                                                                                       \
    {                                                                                              \
        check_codes(build_##id, want, __LINE__);                                                   \
    }                                                                                              \
    static void build_##id(ah_model *m)

static void plain_kinetic(ah_model *m)
{
    add_kinetic(m, "x'^2 + 2*y'^2 + a'^2");
}

/* ---- Names and places ------------------------------------------------------------------------ */

REPORTS(name_twice, "A0401")
{
    add_coordinates(m, "g");
    plain_kinetic(m);
}

REPORTS(label_twice, "A0401")
{
    plain_kinetic(m);
    add_constraint(m, "c", "x' - y'");
    add_constraint(m, "c", "x' - a'");
}

REPORTS(output_twice, "A0401")
{
    plain_kinetic(m);
    ah_model_output(m, "o", read_expr(m, "x"));
    ah_model_output(m, "o", read_expr(m, "y"));
}

REPORTS(no_name, "A0403")
{
    ah_model_parameter(m, "2x", AH_NONE);
    plain_kinetic(m);
}

REPORTS(undeclared_name, "A0403")
{
    plain_kinetic(m);
    add_potential(m, "nobody*x");
}

REPORTS(velocity_in_the_potential, "A0402")
{
    plain_kinetic(m);
    add_potential(m, "x*y'");
}

REPORTS(acceleration_in_the_kinetic_energy, "A0402")
{
    plain_kinetic(m);
    add_kinetic(m, "x''*x");
}

REPORTS(acceleration_in_a_force, "A0402")
{
    plain_kinetic(m);
    add_force(m, "x", "-y''");
}

REPORTS(force_on_a_parameter, "A0403")
{
    plain_kinetic(m);
    add_force(m, "g", "1");
}

REPORTS(speed_in_a_force, "A0402")
{
    plain_kinetic(m);
    ah_model_speed(m, "z1");
    ah_model_speed(m, "z2");
    ah_model_speed(m, "z3");
    add_velocity(m, "x", "z1");
    add_velocity(m, "y", "z2");
    add_velocity(m, "a", "z3");
    add_force(m, "x", "z1");
}

REPORTS(gravity_that_depends_on_the_place, "A0402")
{
    plain_kinetic(m);
    ah_model_gravity(m, read_vector(m, "0", "-g*x", "0"));
}

REPORTS(velocity_in_a_place, "A0402")
{
    plain_kinetic(m);
    ah_model_point(m, "P", ah_int(m->ctx, 1), read_vector(m, "x'", "0", "0"));
}

REPORTS(mass_that_depends_on_time, "A0402")
{
    plain_kinetic(m);
    ah_model_point(m, "P", read_expr(m, "1 + t"), read_vector(m, "x", "0", "0"));
}

REPORTS(negative_mass, "A0420")
{
    plain_kinetic(m);
    ah_model_point(m, "P", read_expr(m, "k"), read_vector(m, "x", "0", "0"));
}

REPORTS(negative_inertia, "A0420")
{
    plain_kinetic(m);
    const ah_body body = {.name = "B",
                          .mass = ah_int(m->ctx, 1),
                          .inertia = {read_expr(m, "k")},
                          .place = read_vector(m, "x", "0", "0")};
    ah_model_body(m, &body);
}

REPORTS(axis_that_does_not_exist, "A0403")
{
    plain_kinetic(m);
    const ah_turn turn = {4, read_expr(m, "a")};
    const ah_body body = {.name = "B",
                          .mass = ah_int(m->ctx, 1),
                          .place = read_vector(m, "x", "0", "0"),
                          .turns = 1,
                          .turn = &turn};
    ah_model_body(m, &body);
}

REPORTS(torque_on_a_point, "A0403")
{
    plain_kinetic(m);
    ah_model_point(m, "P", ah_int(m->ctx, 1), read_vector(m, "x", "0", "0"));
    ah_model_torque_on(m, "P", read_vector(m, "0", "0", "1"));
}

/* Accelerations, or velocities, where none may be. */
static void put_body(ah_model *m, ah_expr mass, const char *x, const char *inertia,
                     const char *angle)
{
    const ah_turn turn = {3, read_expr(m, angle)};
    const ah_body body = {.name = "B",
                          .mass = mass,
                          .inertia = {read_expr(m, inertia)},
                          .place = read_vector(m, x, "0", "0"),
                          .turns = 1,
                          .turn = &turn};
    ah_model_body(m, &body);
}

REPORTS(velocity_in_the_mass_of_a_body, "A0402")
{
    plain_kinetic(m);
    put_body(m, read_expr(m, "1 + x'^2"), "x", "1", "a");
}

REPORTS(velocity_in_the_place_of_a_body, "A0402")
{
    plain_kinetic(m);
    put_body(m, ah_int(m->ctx, 1), "x'", "1", "a");
}

REPORTS(coordinate_in_the_inertia_of_a_body, "A0402")
{
    plain_kinetic(m);
    put_body(m, ah_int(m->ctx, 1), "x", "1 + y^2", "a");
}

REPORTS(velocity_in_an_angle, "A0402")
{
    plain_kinetic(m);
    put_body(m, ah_int(m->ctx, 1), "x", "1", "a'");
}

REPORTS(acceleration_in_a_force_on_a_body, "A0402")
{
    plain_kinetic(m);
    put_body(m, ah_int(m->ctx, 1), "x", "1", "a");
    ah_model_force_on(m, "B", read_vector(m, "x''", "0", "0"), NULL);
}

REPORTS(velocity_in_the_place_of_a_force, "A0402")
{
    plain_kinetic(m);
    put_body(m, ah_int(m->ctx, 1), "x", "1", "a");
    const ah_vector at = read_vector(m, "0", "y'", "0");
    ah_model_force_on(m, "B", read_vector(m, "1", "0", "0"), &at);
}

REPORTS(acceleration_in_a_torque, "A0402")
{
    plain_kinetic(m);
    put_body(m, ah_int(m->ctx, 1), "x", "1", "a");
    ah_model_torque_on(m, "B", read_vector(m, "0", "0", "a''"));
}

REPORTS(torque_on_nobody, "A0403")
{
    plain_kinetic(m);
    ah_model_torque_on(m, "nobody", read_vector(m, "0", "0", "1"));
}

REPORTS(acceleration_in_an_assumption, "A0402")
{
    plain_kinetic(m);
    ah_model_assume(m, read_expr(m, "x''"), true);
}

REPORTS(quasivelocity_on_the_right_of_a_vector_of_constraints, "A0402")
{
    plain_kinetic(m);
    const ah_expr w = ah_model_quasivelocity(m, "w", read_expr(m, "x' + y'"));
    const ah_expr zero = ah_int(m->ctx, 0);
    ah_model_constraint_vector(m, "c", read_vector(m, "x'", "0", "0"),
                               (ah_vector){{w, zero, zero}});
}

REPORTS(vector_of_constraints_that_says_nothing, "A0409")
{
    plain_kinetic(m);
    ah_model_constraint_vector(m, "c", read_vector(m, "x", "0", "0"),
                               read_vector(m, "x", "0", "0"));
}

REPORTS(force_on_nobody, "A0403")
{
    plain_kinetic(m);
    ah_model_force_on(m, "P", read_vector(m, "0", "0", "1"), NULL);
}

REPORTS(missing_argument, "A0403")
{
    plain_kinetic(m);
    CHECK_INT(ah_model_potential(m, AH_NONE), AH_E_INPUT);
}

/* ---- Values ---------------------------------------------------------------------------------- */

REPORTS(value_that_is_not_constant, "A0402")
{
    plain_kinetic(m);
    ah_model_parameter(m, "p", read_expr(m, "x + 1"));
}

REPORTS(value_in_a_circle, "A0422")
{
    plain_kinetic(m);
    ah_model_set(m, "g", read_expr(m, "s + 1"));
}

REPORTS(value_that_is_not_finite, "A0422 A0422")
{
    plain_kinetic(m);
    add_parameters(m, "p = 1/0, q = sqrt(k), r = s/s");
}

REPORTS(value_of_nothing, "A0403")
{
    plain_kinetic(m);
    ah_model_set(m, "x", ah_int(m->ctx, 1));
}

REPORTS(assumption_against_the_values, "A0419 A0419")
{
    plain_kinetic(m);
    add_assumption(m, "k", true);
    add_assumption(m, "g - 9.81", false);
    add_assumption(m, "g + k", true);
    add_assumption(m, "s", true);
}

REPORTS(start_twice, "A0421")
{
    plain_kinetic(m);
    ah_model_start(m, read_expr(m, "x"), ah_int(m->ctx, 1));
    ah_model_start(m, read_expr(m, "x'"), ah_int(m->ctx, 1));
    ah_model_start(m, read_expr(m, "x"), ah_int(m->ctx, 2));
}

REPORTS(start_of_a_parameter, "A0421")
{
    plain_kinetic(m);
    ah_model_start(m, read_expr(m, "g"), ah_int(m->ctx, 1));
}

/* ---- Inertia --------------------------------------------------------------------------------- */

REPORTS(no_kinetic_energy, "A0405")
{
    add_potential(m, "x");
}

REPORTS(kinetic_energy_without_velocities, "A0405")
{
    add_kinetic(m, "x^2");
}

REPORTS(coordinate_without_inertia, "A0406")
{
    add_kinetic(m, "x'^2 + y'^2");
}

REPORTS(linear_term_is_no_inertia, "A0406")
{
    add_kinetic(m, "x'^2 + y'^2 + a'*x");
}

REPORTS(inertia_through_a_constraint, "")
{
    add_kinetic(m, "x'^2 + y'^2");
    add_constraint(m, "c", "a' - x'");
}

REPORTS(singular_mass_matrix, "A0407")
{
    add_kinetic(m, "(x' + y'*sin(a))^2 + a'^2");
}

REPORTS(singular_by_value, "A0407")
{
    add_kinetic(m, "x'^2 + y'^2 + (k + 1)*a'^2");
}

REPORTS(constraint_in_the_wrong_direction, "A0407")
{
    add_kinetic(m, "(x' - y')^2 + a'^2");
    add_constraint(m, "c", "x' - y'");
}

REPORTS(massless_bodies_may_be_bound, "")
{
    add_kinetic(m, "(x' + y'*sin(a))^2 + a'^2");
    add_constraint(m, "c", "y' - a'");
}

TEST(no_coordinates)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "nothing");
    CHECK_INT(ah_model_finish(m), AH_E_INPUT);
    CHECK_STR(codes(ctx), "A0404");
    ah_ctx_destroy(ctx);
}

/* ---- Velocity parameters --------------------------------------------------------------------- */

static void two_speeds(ah_model *m)
{
    plain_kinetic(m);
    ah_model_speed(m, "v");
    ah_model_speed(m, "w");
}

REPORTS(velocity_form_that_agrees, "")
{
    two_speeds(m);
    add_constraint(m, "c", "x'*sin(a) - y'*cos(a)");
    add_velocity(m, "x", "v*cos(a)");
    add_velocity(m, "y", "v*sin(a)");
    add_velocity(m, "a", "w");
}

REPORTS(velocity_form_alone, "")
{
    two_speeds(m);
    add_velocity(m, "x", "v*cos(a)");
    add_velocity(m, "y", "v*sin(a)");
    add_velocity(m, "a", "w");
}

REPORTS(velocity_form_of_a_circle, "")
{
    plain_kinetic(m);
    ah_model_speed(m, "v");
    ah_model_speed(m, "w");
    add_constraint(m, "c", "x^2 + y^2 - 1");
    add_velocity(m, "x", "-v*y");
    add_velocity(m, "y", "v*x");
    add_velocity(m, "a", "w");
}

REPORTS(velocity_form_without_a_coordinate, "A0410")
{
    two_speeds(m);
    add_velocity(m, "x", "v*cos(a)");
    add_velocity(m, "a", "w");
}

REPORTS(velocity_form_with_one_twice, "A0410")
{
    two_speeds(m);
    add_velocity(m, "x", "v*cos(a)");
    add_velocity(m, "y", "v*sin(a)");
    add_velocity(m, "y", "v");
    add_velocity(m, "a", "w");
}

REPORTS(velocity_form_that_disagrees, "A0411")
{
    two_speeds(m);
    add_constraint(m, "c", "x'*sin(a) - y'*cos(a)");
    add_velocity(m, "x", "v*cos(a)");
    add_velocity(m, "y", "-v*sin(a)");
    add_velocity(m, "a", "w");
}

REPORTS(velocity_form_off_the_circle, "A0411")
{
    two_speeds(m);
    add_constraint(m, "c", "x^2 + y^2 - 1");
    add_velocity(m, "x", "-v*y");
    add_velocity(m, "y", "v*x + w/10");
    add_velocity(m, "a", "w");
}

REPORTS(too_few_velocity_parameters, "A0412")
{
    plain_kinetic(m);
    ah_model_speed(m, "v");
    add_constraint(m, "c", "x'*sin(a) - y'*cos(a)");
    add_velocity(m, "x", "v*cos(a)");
    add_velocity(m, "y", "v*sin(a)");
    add_velocity(m, "a", "0");
}

REPORTS(dependent_velocity_parameters, "A0413")
{
    two_speeds(m);
    add_velocity(m, "x", "(v + w)*cos(a)");
    add_velocity(m, "y", "(v + w)*sin(a)");
    add_velocity(m, "a", "v + w");
}

REPORTS(velocity_form_with_a_velocity, "A0402")
{
    two_speeds(m);
    add_velocity(m, "x", "y'");
    add_velocity(m, "y", "v");
    add_velocity(m, "a", "w");
}

/* ---- Quasi-velocities ------------------------------------------------------------------------ */

static void skate(ah_model *m)
{
    plain_kinetic(m);
    add_constraint(m, "c", "x'*sin(a) - y'*cos(a)");
}

static const model_speed *quasi(const ah_model *m, size_t i)
{
    return &m->quasivelocities.at[i];
}

REPORTS(free_quasivelocities, "")
{
    skate(m);
    add_quasivelocity(m, "w1", "x'*cos(a) + y'*sin(a)");
    add_quasivelocity(m, "w2", "a'");
}

TEST(vanishing_quasivelocity_is_found)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    add_coordinates(m, "x, y, a");
    skate(m);
    add_quasivelocity(m, "w1", "x'*cos(a) + y'*sin(a)");
    add_quasivelocity(m, "w2", "3*(x'*sin(a) - y'*cos(a))*(1 + x^2)");
    add_quasivelocity(m, "w3", "a'");
    CHECK_INT(ah_model_finish(m), AH_OK);
    CHECK(!quasi(m, 0)->constrained && quasi(m, 1)->constrained && !quasi(m, 2)->constrained);
    CHECK_INT(m->rank, 1);
    ah_ctx_destroy(ctx);
}

REPORTS(wrong_number_of_quasivelocities, "A0414")
{
    skate(m);
    add_quasivelocity(m, "w1", "x'*cos(a) + y'*sin(a)");
}

REPORTS(no_quasivelocity_vanishes, "A0414")
{
    skate(m);
    add_quasivelocity(m, "w1", "x'");
    add_quasivelocity(m, "w2", "y'");
    add_quasivelocity(m, "w3", "a'");
}

REPORTS(dependent_quasivelocities, "A0415")
{
    skate(m);
    add_quasivelocity(m, "w1", "x'*cos(a) + y'*sin(a)");
    add_quasivelocity(m, "w2", "2*x'*cos(a) + 2*y'*sin(a)");
}

REPORTS(quasivelocity_that_repeats_the_constraint, "A0415")
{
    skate(m);
    add_quasivelocity(m, "w1", "x'*sin(a) - y'*cos(a)");
    add_quasivelocity(m, "w2", "a'");
}

REPORTS(nonlinear_quasivelocities, "")
{
    plain_kinetic(m);
    add_constraint(m, "c", "a'^2 - x'^2 - y'^2");
    add_quasivelocity(m, "w1", "a'^2 - x'^2 - y'^2");
    add_quasivelocity(m, "w2", "atan2(y', x')");
    add_quasivelocity(m, "w3", "x'^2 + y'^2 + a'^2");
}
