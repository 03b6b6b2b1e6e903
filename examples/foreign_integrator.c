/* examples/foreign_integrator.c - the right-hand side of a model in an integrator of one's own: four
 * lines of Runge and Kutta. Usage: foreign_integrator MODEL.ah */
#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>

enum { MOST = 200, STEPS = 20000 };

static char text[100000];

/* y(t + h) from y(t); k and x are work space. */
static ah_status runge_kutta(ah_work *w, size_t n, double t, double h, double *y)
{
    static const double at[] = {0, 0.5, 0.5, 1}, weight[] = {1, 2, 2, 1};
    double k[MOST] = {0}, sum[MOST] = {0}, x[MOST];
    for (int stage = 0; stage < 4; stage++) {
        for (size_t i = 0; i < n; i++) x[i] = y[i] + at[stage] * h * k[i];
        const ah_status status = ah_work_evaluate(w, AH_Q_RATE, t + at[stage] * h, x, k);
        if (status != AH_OK) return status;
        for (size_t i = 0; i < n; i++) sum[i] += weight[stage] / 6 * k[i];
    }
    for (size_t i = 0; i < n; i++) y[i] += h * sum[i];
    return AH_OK;
}

int main(int count, char **argument)
{
    FILE *file = count > 1 ? fopen(argument[1], "r") : NULL;
    if (!file) return 2;
    const size_t length = fread(text, 1, sizeof text, file);
    fclose(file);

    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *model = NULL;
    ah_system *system = NULL;
    double t = 0, y[MOST], before[3], after[3];
    if (ah_read(ctx, argument[1], text, length, NULL, &model) != AH_OK ||
        ah_system_create(model, NULL, &system) != AH_OK) {
        fputs(ah_diagnostics_text(ctx, false), stderr);
        return 1;
    }
    ah_work *work = ah_work_create(system);
    const size_t n = ah_system_count(system, AH_Q_STATE);
    if (n > MOST || ah_system_start(system, &t, y) != AH_OK) return 1;
    ah_work_evaluate(work, AH_Q_ENERGY, t, y, before);
    for (int i = 0; i < STEPS; i++)
        if (runge_kutta(work, n, t + 1e-4 * i, 1e-4, y) != AH_OK) return 1;
    ah_work_evaluate(work, AH_Q_ENERGY, t + 1e-4 * STEPS, y, after);
    for (size_t i = 0; i < n; i++) printf("%s = %g\n", ah_system_name(system, AH_Q_STATE, i), y[i]);
    printf("energy changed by %.1e\n", after[0] - before[0]);
    ah_work_destroy(work);
    ah_system_destroy(system);
    ah_ctx_destroy(ctx); /* and the model in it */
    return fabs(after[0] - before[0]) < 1e-8 * (1 + fabs(before[0])) ? 0 : 1;
}
