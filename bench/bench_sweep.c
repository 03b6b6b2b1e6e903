/* bench_sweep.c - many motions: trajectories a second and core of a sweep over the masses, against DOP853
 * written by hand in a loop, right-hand side inlined, one trajectory after the other. Both to the same
 * tolerance over t = 0 .. 10; the sweep keeps the last state of each run, as the loop does. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* the yardstick as fast as it can be */
#endif
#include "figures.h"
#include "yardstick.h"

#include <anholo/anholo.h>

enum { RUNS = 2000 };
#define SPAN 10.0

YARDSTICK(integrate_pendulum, pendulum, pendulum_rhs)

static const double start[N] = {1, 0.2, 1.5, -0.4, -0.08, 0.8, -0.25, -0.75};

typedef struct kept {
    double mass[RUNS], x1[RUNS];
} kept;

static bool take(void *user, const ah_ensemble_part *part)
{
    kept *k = user;
    for (size_t i = 0; i < part->count; i++) {
        k->mass[part->first + i] = part->values[2 * i];
        k->x1[part->first + i] = part->values[2 * i + 1];
    }
    return true;
}

/* Seconds a run, equations and code not included: the second of two sweeps less one of a single run. */
static double time_sweep(const char *path, const char *set, double rtol, uint64_t runs, kept *out)
{
    char *text = figures_read(path);
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_ensemble *e = NULL;
    ah_ensemble_options o = ah_ensemble_defaults();
    ah_ensemble_run_options how = ah_ensemble_run_defaults();
    o.rtol = o.atol = rtol;
    o.random = runs;
    o.to = "10";
    o.engine = "cc";
    how.threads = 1;
    how.rows = take;
    how.user = out;
    if (ah_read(ctx, path, text, strlen(text), set, &m) != AH_OK ||
        ah_ensemble_create(m, &o, &e) != AH_OK || ah_ensemble_spread(e, "m1=1..1.5") != AH_OK ||
        ah_ensemble_outputs(e, "final.x1") != AH_OK)
        exit(1);
    const double begun = figures_clock();
    if (ah_ensemble_run(e, &how, NULL) != AH_OK) exit(1);
    const double took = figures_clock() - begun;
    ah_ensemble_destroy(e);
    ah_ctx_destroy(ctx);
    free(text);
    return took;
}

static double time_by_hand(double k, double rtol, const kept *like, double *difference)
{
    *difference = 0;
    const double begun = figures_clock();
    for (size_t i = 0; i < RUNS; i++) {
        const double m1 = like->mass[i], m2 = 2;
        const pendulum p = {.w1 = 1 / m1, .w2 = 1 / m2, .g = 9.81, .k1 = k / m1, .k2 = k / m2};
        double y[N];
        memcpy(y, start, sizeof y);
        integrate_pendulum(&p, SPAN, rtol, rtol, y);
        *difference = fmax(*difference, fabs(y[0] - like->x1[i]));
    }
    return (figures_clock() - begun) / RUNS;
}

static void measure(const char *name, const char *set, double k, double rtol)
{
    static kept rows;
    const char *path = AH_SOURCE_DIR "/models/double_pendulum_spring.ah";
    double difference;
    time_sweep(path, set, rtol, 1, &rows); /* compiles */
    const double once = time_sweep(path, set, rtol, 1, &rows);
    const double ours = (time_sweep(path, set, rtol, RUNS, &rows) - once) / (RUNS - 1);
    const double hand = time_by_hand(k, rtol, &rows, &difference);
    printf("%s, rtol = %g: %.0f a second and core; by hand %.0f; largest difference %.2g\n", name,
           rtol, 1 / ours, 1 / hand, difference);
    figures_at_least("times the loop by hand", hand / ours, 1, "");
}

int main(void)
{
    measure("double pendulum", "k=0", 0, 1e-9);
    measure("double pendulum", "k=0", 0, 1e-12);
    measure("double pendulum with springs", "k=1", 1, 1e-9);
    measure("double pendulum with springs", "k=1", 1, 1e-12);
    return 0;
}
