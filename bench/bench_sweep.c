/* bench_sweep.c - many motions: trajectories a second and core of a sweep, against DOP853 written by hand in four lanes, the
 * right-hand side inlined. Both to the same tolerance over t = 0 .. 10; the sweep keeps the last value of a coordinate of each
 * run, as the loop by hand does. Then two threads against two such programs. */
#define _GNU_SOURCE
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__)
#define BY_HAND
#pragma GCC optimize("O3,fp-contract=fast") /* the yardstick as fast as it can be */
#pragma GCC target("avx2,fma,tune=znver2")
#endif
#include "figures.h"

#include <anholo/anholo.h>

#include <math.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef BY_HAND
#include "../src/integrate/dop853_table.h"
#include "hand_vectors.h"
#define HAND_NAME pendulum
#define HAND_N    PENDULUM_N
#define HAND_P    PENDULUM_P
#define HAND_RHS  pendulum_lanes
#include "hand_lanes.h"
#define HAND_NAME tire
#define HAND_N    TIRE_N
#define HAND_P    TIRE_P
#define HAND_RHS  tire_lanes
#include "hand_lanes.h"
#define HAND_NAME top
#define HAND_N    TOP_N
#define HAND_P    TOP_P
#define HAND_RHS  top_lanes
#include "hand_lanes.h"
#endif

enum { RUNS = 20000, ROUNDS = 4 };
static const char *lanes = "on"; /* or a kind */
#define SPAN 10.0

/* ---- By hand --------------------------------------------------------------------------------- */

typedef long by_hand(long runs, double span, double tolerance, const double *start,
                     const double *parameter, double *first);

typedef struct bench {
    const char *name, *model, *set, *spread, *output;
    int n, parameters;
    by_hand *hand;
    void (*begin)(double varied, double *start, double *parameter);
} bench;

static void begin_pendulum(double m1, double k, double *start, double *parameter)
{
    static const double y[] = {1, 0.2, 1.5, -0.4, -0.08, 0.8, -0.25, -0.75};
    const double p[] = {1 / m1, 0.5, 9.81, k / m1, k / 2};
    memcpy(start, y, sizeof y);
    memcpy(parameter, p, sizeof p);
}

static void begin_free(double m1, double *start, double *parameter)
{
    begin_pendulum(m1, 0, start, parameter);
}

static void begin_springs(double m1, double *start, double *parameter)
{
    begin_pendulum(m1, 1, start, parameter);
}

/* x first of all, theta' varies. */
static void begin_tire(double turn, double *start, double *parameter)
{
    const double m = 1.5, r = 0.5, A = 0.2, C = 0.35, g = 9.81, F = m * r * r + C;
    const double y[] = {0, 0, 0, 0.1, 0, turn, 0, 2};
    const double p[] = {A,     m * r + C / r, m + C / (r * r),    F, m * r, F - A,
                        1 / r, m * g * r,     1 / (m * r * r + A)};
    memcpy(start, y, sizeof y);
    memcpy(parameter, p, sizeof p);
}

static void begin_top(double spin, double *start, double *parameter)
{
    const double A = 2, B = 3, C = 4.5, fall = 9.81 * 0.4, chi = 0.5, psi = 0.3, turn = 0.5;
    const double y[] = {chi,
                        0,
                        psi,
                        turn * sin(chi) * sin(psi),
                        turn * sin(chi) * cos(psi),
                        turn * cos(chi) + spin};
    const double p[] = {(B - C) / A, (C - A) / B, (A - B) / C, fall / A, fall / B, 0, 0};
    memcpy(start, y, sizeof y);
    memcpy(parameter, p, sizeof p);
}

#ifdef BY_HAND
#define HAND(name) name
#else
#define HAND(name) NULL
#endif
static const bench benches[] = {
    {"double pendulum", "models/double_pendulum_spring.ah", "k=0", "m1=1..1.5", "final.x1", 8, 5,
     HAND(pendulum_run), begin_free},
    {"double pendulum with springs", "models/double_pendulum_spring.ah", "k=1", "m1=1..1.5",
     "final.x1", 8, 5, HAND(pendulum_run), begin_springs},
    {"rolling tire", "models/tire.ah", NULL, "theta'=0.1..0.3", "final.x", 8, 9, HAND(tire_run),
     begin_tire},
    {"heavy top", "bench/models/top.ah", NULL, "psi'=5..7", "final.chi", 6, 7, HAND(top_run),
     begin_top},
};

/* ---- The sweep ------------------------------------------------------------------------------- */

typedef struct kept {
    double varied[RUNS], first[RUNS];
} kept;

static bool take(void *user, const ah_ensemble_part *part)
{
    kept *k = user;
    for (size_t i = 0; i < part->count; i++) {
        k->varied[part->first + i] = part->values[2 * i];
        k->first[part->first + i] = part->values[2 * i + 1];
    }
    return true;
}

typedef struct sweep {
    ah_ctx *ctx;
    ah_ensemble *e;
} sweep;

static sweep prepare(const bench *b, double tolerance, uint64_t runs, const char *kind)
{
    char path[500];
    snprintf(path, sizeof path, "%s/%s", AH_SOURCE_DIR, b->model);
    char *text = figures_read(path);
    sweep s = {.ctx = ah_ctx_create(NULL)};
    ah_model *m = NULL;
    ah_ensemble_options o = ah_ensemble_defaults();
    o.rtol = o.atol = tolerance;
    o.random = runs;
    o.to = "10";
    o.engine = "cc";
    o.lanes = kind;
    if (ah_read(s.ctx, path, text, strlen(text), b->set, &m) != AH_OK ||
        ah_ensemble_create(m, &o, &s.e) != AH_OK || ah_ensemble_spread(s.e, b->spread) != AH_OK ||
        ah_ensemble_outputs(s.e, b->output) != AH_OK)
        exit(1);
    free(text);
    return s;
}

/* Seconds of processor time, equations and code included; those of the clock into *wall. */
static double time_sweep(const bench *b, double tolerance, uint64_t runs, size_t threads, kept *out,
                         double *wall)
{
    sweep s = prepare(b, tolerance, runs, lanes);
    ah_ensemble_run_options how = ah_ensemble_run_defaults();
    ah_ensemble_summary summary;
    how.threads = threads;
    how.rows = take;
    how.user = out;
    const double begun = figures_clock();
    if (ah_ensemble_run(s.e, &how, &summary) != AH_OK) exit(1);
    const double took = figures_clock() - begun;
    if (wall) *wall = summary.seconds;
    if (!summary.lanes) printf("  not on lanes: %s\n", summary.no_lanes);
    ah_ensemble_destroy(s.e);
    ah_ctx_destroy(s.ctx);
    return took;
}

static double time_by_hand(const bench *b, double tolerance, const kept *like, double *difference)
{
    static double start[RUNS * 8], parameter[RUNS * 9], first[RUNS];
    for (size_t i = 0; i < RUNS; i++)
        b->begin(like->varied[i], start + i * (size_t) b->n,
                 parameter + i * (size_t) b->parameters);
    const double begun = figures_clock();
    b->hand(RUNS, SPAN, tolerance, start, parameter, first);
    const double took = figures_clock() - begun;
    *difference = 0;
    for (size_t i = 0; i < RUNS; i++)
        *difference = fmax(*difference, fabs(first[i] - like->first[i]));
    return took;
}

static void measure(const bench *b, double tolerance)
{
    static kept rows;
    double difference = NAN, ours = INFINITY, hand = INFINITY;
    time_sweep(b, tolerance, 10, 1, &rows, NULL); /* compiles */
    for (int i = 0; i < ROUNDS; i++) {            /* the least of interleaved rounds */
        const double once = time_sweep(b, tolerance, 10, 1, &rows, NULL);
        ours = fmin(ours, (time_sweep(b, tolerance, RUNS, 1, &rows, NULL) - once) / (RUNS - 10));
        if (b->hand) hand = fmin(hand, time_by_hand(b, tolerance, &rows, &difference) / RUNS);
    }
    printf("%s, rtol = %g: %.0f a second and core; by hand %.0f; largest difference %.2g\n",
           b->name, tolerance, 1 / ours, 1 / hand, difference);
    if (b->hand) figures_at_least("times four lanes by hand", hand / ours, 1, "");
}

/* ---- Threads --------------------------------------------------------------------------------- */

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* Seconds of the clock while so many programs by hand run beside each other. */
static double beside_each_other(const bench *b, double tolerance, const kept *like, int programs)
{
    double difference;
    const double begun = now();
    fflush(stdout);
    for (int i = 0; i < programs; i++)
        if (fork() == 0) {
            time_by_hand(b, tolerance, like, &difference);
            _exit(0);
        }
    while (wait(NULL) > 0)
        ;
    return now() - begun;
}

/* Two threads, against two programs by hand started side by side. */
static void measure_threads(const bench *b, double tolerance)
{
    static kept rows;
    double ours = INFINITY, hand = INFINITY, once, all;
    for (int i = 0; i < 2 * ROUNDS; i++) {
        time_sweep(b, tolerance, 10, 2, &rows, &once);
        time_sweep(b, tolerance, RUNS, 2, &rows, &all);
        ours = fmin(ours, (all - once) / (RUNS - 10));
        hand = fmin(hand, beside_each_other(b, tolerance, &rows, 2) / (2 * RUNS));
    }
    printf("%s, rtol = %g, two threads: %.0f a second; two programs by hand %.0f\n", b->name,
           tolerance, 1 / ours, 1 / hand);
    figures_at_least("times two programs by hand side by side", hand / ours, 0.95, "");
}

/* `bench_sweep tire`: those with the word in their name alone; `bench_sweep tire avx2`: in as many lanes as by hand. */
int main(int argc, char **argv)
{
    if (argc > 2) lanes = argv[2];
    for (size_t i = 0; i < sizeof benches / sizeof *benches; i++) {
        if (argc > 1 && !strstr(benches[i].name, argv[1])) continue;
        measure(&benches[i], 1e-9);
        measure(&benches[i], 1e-12);
        if (benches[i].hand && sysconf(_SC_NPROCESSORS_ONLN) > 1)
            measure_threads(&benches[i], 1e-12);
    }
    return 0;
}
