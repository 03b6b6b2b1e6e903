/* examples/without_text.c - a model made by calls: the blade (Chaplygin's sleigh without a load) on
 * an incline, its equations, and a motion as columns. */
#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>

int main(void)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = ah_model_create(ctx, "Blade on an incline");
    ah_ctx *e = ah_model_context(m); /* with which its expressions are made */
    const ah_expr mass = ah_model_parameter(m, "m", ah_int(e, 2));
    const ah_expr J = ah_model_parameter(m, "J", ah_number(e, "0.5"));
    const ah_expr g = ah_model_parameter(m, "g", ah_int(e, 10)); /* along the slope */
    const ah_expr x = ah_model_coordinate(m, "x"), y = ah_model_coordinate(m, "y");
    const ah_expr th = ah_model_coordinate(m, "th"), half = ah_rational(e, 1, 2);
    const ah_expr vx = ah_model_velocity(m, x), vy = ah_model_velocity(m, y);
    const ah_expr w = ah_model_velocity(m, th), two = ah_int(e, 2);
    const ah_expr square = ah_add(e, ah_pow(e, vx, two), ah_pow(e, vy, two));
    ah_model_kinetic(m, ah_mul(e, half, ah_mul(e, mass, square)));
    ah_model_kinetic(m, ah_mul(e, half, ah_mul(e, J, ah_pow(e, w, two))));
    ah_model_potential(m, ah_neg(e, ah_mul(e, mass, ah_mul(e, g, x))));
    const ah_expr s = ah_call(e, AH_SIN, &th), c = ah_call(e, AH_COS, &th);
    ah_model_constraint(m, "blade", ah_mul(e, vx, s), ah_mul(e, vy, c));
    const ah_expr zero = ah_int(e, 0), one = ah_int(e, 1);
    const ah_expr start[] = {x, y, th, vx, vy, w};
    for (int i = 0; i < 6; i++) ah_model_start(m, start[i], i == 5 ? one : zero);

    ah_answer *equations = NULL;
    const char *written = NULL;
    ah_system *system = NULL;
    ah_trajectory *motion = NULL;
    ah_motion_options o = ah_motion_defaults();
    o.end = 6.283185307179586;
    if (ah_model_finish(m) != AH_OK || ah_derive(m, NULL, &equations) != AH_OK ||
        ah_answer_write(equations, AH_TEXT, &written) != AH_OK ||
        ah_system_create(m, NULL, &system) != AH_OK ||
        ah_trajectory_create(system, &o, 5, &motion) != AH_OK) {
        fputs(ah_diagnostics_text(ctx, false), stderr);
        return 1;
    }
    puts(written);
    const double *t = ah_trajectory_column(motion, 0);
    const double *down = ah_trajectory_column(motion, (size_t) ah_trajectory_find(motion, "x"));
    for (size_t i = 0; i < ah_trajectory_rows(motion); i++)
        printf("t = %8.5f  x = %8.5f\n", t[i], down[i]);
    /* it does not slide down: x = g/(2w²) sin²(wt), a cycloid */
    const double end = down[ah_trajectory_rows(motion) - 1];
    ah_trajectory_destroy(motion);
    ah_system_destroy(system);
    ah_ctx_destroy(ctx);
    return fabs(end) < 1e-6 ? 0 : 1;
}
