/* bench_system.c - systems and motions as values, against C written by hand and against simulate.
 *
 * (a) one call of a system's accelerations and of its right-hand side, in a dependent chain, against
 * hand-written C that is inlined in a function called through a pointer; parameters are variables on
 * both sides; allocations are counted. (b) a motion driven step by step over t = 0 .. 100 against
 * simulate over the same span. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* the yardstick as fast as it can be */
#endif
#include "figures.h"
#include "written_systems.h"
#include "yardstick.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static const char pendulum_text[] = PENDULUM_TEXT("1") "simulate t = 0 .. 100\n",
                  tire_text[] = TIRE_TEXT "simulate t = 0 .. 100\n";

/* Set by main from what the compiler does not see through: the systems' parameters are variables too. */
static pendulum spring;
static tire wheel;

typedef void by_hand(const double *y, double *f);

static void pendulum_rate(const double *y, double *f)
{
    pendulum_rhs(&spring, y, f);
}

static void pendulum_accelerations(const double *y, double *f)
{
    double all[N];
    pendulum_rhs(&spring, y, all);
    for (int i = 0; i < 4; i++) f[i] = all[4 + i];
}

static void tire_rate(const double *y, double *f)
{
    tire_rhs(&wheel, y, f);
}

/* x' = w5 cos theta, y' = w5 sin theta, phi' = w5/r, once more differentiated. */
static void tire_accelerations(const double *y, double *f)
{
    double all[N];
    tire_rhs(&wheel, y, all);
    f[0] = all[7] * cos(y[2]) - all[1] * y[5];
    f[1] = all[7] * sin(y[2]) + all[0] * y[5];
    f[2] = all[5];
    f[3] = all[6];
    f[4] = all[7] * wheel.per_r;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

static size_t allocations;

static void *counting(void *user, void *ptr, size_t old_size, size_t new_size)
{
    (void) user, (void) old_size;
    allocations++;
    if (new_size) return realloc(ptr, new_size);
    free(ptr);
    return NULL;
}

typedef struct subject {
    ah_ctx *ctx;
    ah_model *model;
    ah_system *system;
    double start[N];
} subject;

static subject make(const char *text, const char *method)
{
    subject s = {0};
    ah_ctx_options o = ah_ctx_defaults();
    ah_system_options so = ah_system_defaults();
    o.realloc = counting;
    so.method = method;
    so.engine = "cc";
    s.ctx = ah_ctx_create(&o);
    if (ah_read(s.ctx, "bench", text, strlen(text), NULL, &s.model) != AH_OK ||
        ah_system_create(s.model, &so, &s.system) != AH_OK ||
        ah_system_start(s.system, NULL, s.start) != AH_OK) {
        fputs(ah_diagnostics_text(s.ctx, false), stderr);
        exit(1);
    }
    return s;
}

enum { ROUNDS = 60, CALLS = 50000 }; /* short rounds: the host is noisy */

/* The next state depends on the last answer: latency. Both chains in turn, so that what else the
 * machine does hits both. */
static void compare_calls(const char *name, const subject *s, ah_quantity what, by_hand *hand)
{
    by_hand *volatile indirect = hand;
    ah_work *w = ah_work_create(s->system);
    const size_t count = ah_system_count(s->system, what);
    double best[2] = {INFINITY, INFINITY}, y[N], f[N];
    const size_t before = allocations;
    for (int round = 0; round < 2 * ROUNDS; round++) {
        memcpy(y, s->start, sizeof y);
        const double begin = figures_clock();
        for (int i = 0; i < CALLS; i++) {
            if (round % 2)
                ah_work_evaluate(w, what, 0, y, f);
            else
                indirect(y, f);
            for (size_t j = 0; j < count; j++) y[j] = s->start[j] + 1e-9 * f[j];
        }
        best[round % 2] = fmin(best[round % 2], (figures_clock() - begin) / CALLS);
    }
    const size_t made = allocations - before;
    printf("%s: by hand %.1f ns, a system %.1f ns\n", name, 1e9 * best[0], 1e9 * best[1]);
    figures_at_most("a system, times the time by hand", best[1] / best[0], 1.1, "x");
    figures_at_most("allocations", (double) made, 0, "");
    ah_work_destroy(w);
}

/* ---- Steps ----------------------------------------------------------------------------------- */

static bool note_row(void *user, const char *text, size_t length)
{
    double *first = user;
    (void) text, (void) length;
    if (*first == 0) *first = figures_clock();
    return true;
}

static double time_simulate(const subject *s, const char *method)
{
    double first = 0;
    const char *summary;
    ah_simulate_options o = ah_simulate_defaults();
    o.method = method;
    o.engine = "cc";
    o.samples = 2;
    o.write = note_row;
    o.user = &first;
    ah_simulate(s->model, &o, AH_TEXT, &summary);
    return figures_clock() - first;
}

static double time_steps(const subject *s)
{
    ah_motion *m = NULL;
    if (ah_motion_create(s->system, NULL, &m) != AH_OK) exit(1);
    const double begin = figures_clock();
    while (!ah_motion_ended(m))
        if (ah_motion_step(m) != AH_OK) exit(1);
    const double seconds = figures_clock() - begin;
    ah_motion_destroy(m);
    return seconds;
}

static void compare_steps(const char *name, const subject *s, const char *method)
{
    double best[2] = {INFINITY, INFINITY};
    for (int round = 0; round < ROUNDS; round++) {
        best[0] = fmin(best[0], time_simulate(s, method));
        best[1] = fmin(best[1], time_steps(s));
    }
    printf("%s, t = 0 .. 100: simulate %.0f us, step by step %.0f us\n", name, 1e6 * best[0],
           1e6 * best[1]);
    figures_at_most("step by step, times simulate", best[1] / best[0], 1.05, "x");
}

int main(void)
{
    const volatile double m1 = 1, m2 = 2, g = 9.81, k = 1;
    spring = (pendulum){1 / m1, 1 / m2, g, k / m1, k / m2};
    wheel = tire_of(1.5, 0.5, 0.2, 0.35, g);
    const subject p = make(pendulum_text, "multipliers"), t = make(tire_text, "hamel");
    compare_calls("double pendulum, accelerations", &p, AH_Q_ACCELERATION, pendulum_accelerations);
    compare_calls("double pendulum, right-hand side", &p, AH_Q_RATE, pendulum_rate);
    compare_calls("tire, accelerations", &t, AH_Q_ACCELERATION, tire_accelerations);
    compare_calls("tire, right-hand side", &t, AH_Q_RATE, tire_rate);
    compare_steps("double pendulum", &p, "multipliers");
    compare_steps("tire", &t, "hamel");
    const subject *all[] = {&p, &t};
    for (int i = 0; i < 2; i++) {
        ah_system_destroy(all[i]->system);
        ah_ctx_destroy(all[i]->ctx);
    }
    return 0;
}
