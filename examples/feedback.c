/* examples/feedback.c - a motion driven step by step, with a controller outside: a pendulum on a
 * motor is held upright, where it would fall. */
#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static const char pendulum[] = "parameter m = 0.2, l = 0.5, g = 9.81, u = 0\n"
                               "coordinate th\n"
                               "kinetic m*l^2*th'^2/2\n"
                               "potential m*g*l*cos(th)\n"
                               "force th = u\n"
                               "start th = 0.2, th' = 0\n"
                               "simulate t = 0 .. 5\n";

int main(void)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *model = NULL;
    ah_system *system = NULL;
    ah_motion *motion = NULL;
    double y[2] = {0}, p[4];
    if (ah_read(ctx, "pendulum", pendulum, strlen(pendulum), NULL, &model) != AH_OK ||
        ah_system_create(model, NULL, &system) != AH_OK ||
        ah_motion_create(system, NULL, &motion) != AH_OK) {
        fputs(ah_diagnostics_text(ctx, false), stderr);
        return 1;
    }
    ah_system_parameters(system, p);
    const ptrdiff_t u = ah_system_find(system, AH_Q_PARAMETER, "u");
    for (int tick = 1; tick <= 250; tick++) { /* fifty times a second */
        const double t = 0.02 * tick;
        if (ah_motion_advance(motion, t) != AH_OK || ah_motion_state_at(motion, t, y) != AH_OK) {
            fprintf(stderr, "%s\n", ah_motion_why(motion));
            return 1;
        }
        p[u] = -3 * y[0] - 0.5 * y[1];
        if (tick % 50 == 0) printf("t = %g: th = %.6f, u = %.6f\n", t, y[0], p[u]);
        if (tick < 250 && ah_motion_restart(motion, t, y, p) != AH_OK) return 1;
    }
    ah_statistics done;
    ah_motion_statistics(motion, &done);
    printf("%llu steps by %s\n", (unsigned long long) done.steps, done.integrator);
    ah_motion_destroy(motion);
    ah_system_destroy(system);
    ah_model_destroy(model);
    ah_ctx_destroy(ctx);
    return fabs(y[0]) < 1e-3 ? 0 : 1;
}
