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

/* Short rounds in turns and the least of each: what else the host does then spares some of both. */
enum { RUNS = 10000, ROUNDS = 24, THREAD_ROUNDS = 16 };
/* Runs of a sweep before the clocks are looked at: equations are there, and all threads at work. */
enum { BEFORE = RUNS / 4 };
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

/* Rows, and the clocks of processor and wall when the first ones from BEFORE on and the last ones came. */
typedef struct kept {
    double varied[RUNS], first[RUNS];
    double processor[2], wall[2];
    size_t since; /* rows that came after the first look */
} kept;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

static bool take(void *user, const ah_ensemble_part *part)
{
    kept *k = user;
    for (size_t i = 0; i < part->count; i++) {
        k->varied[part->first + i] = part->values[2 * i];
        k->first[part->first + i] = part->values[2 * i + 1];
    }
    const size_t end = (size_t) part->first + part->count;
    if (end < BEFORE) return true;
    const int last = k->since > 0;
    k->processor[last] = figures_clock();
    k->wall[last] = now();
    if (!last) k->since = RUNS - end;
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

/* Seconds of processor time of a run; those of the clock into *wall. */
static double time_sweep(const bench *b, double tolerance, size_t threads, kept *out, double *wall)
{
    sweep s = prepare(b, tolerance, RUNS, lanes);
    ah_ensemble_run_options how = ah_ensemble_run_defaults();
    ah_ensemble_summary summary;
    how.threads = threads;
    how.rows = take;
    how.user = out;
    out->since = 0;
    if (ah_ensemble_run(s.e, &how, &summary) != AH_OK) exit(1);
    if (!summary.lanes) printf("  not on lanes: %s\n", summary.no_lanes);
    ah_ensemble_destroy(s.e);
    ah_ctx_destroy(s.ctx);
    const double runs = (double) out->since;
    *wall = (out->wall[1] - out->wall[0]) / runs;
    return (out->processor[1] - out->processor[0]) / runs;
}

static double start[RUNS * 8], parameter[RUNS * 9], first[RUNS];

static void begin_by_hand(const bench *b, const kept *like)
{
    for (size_t i = 0; i < RUNS; i++)
        b->begin(like->varied[i], start + i * (size_t) b->n,
                 parameter + i * (size_t) b->parameters);
}

/* Seconds of processor time of a run. */
static double time_by_hand(const bench *b, double tolerance, const kept *like, double *difference)
{
    begin_by_hand(b, like);
    const double begun = figures_clock();
    b->hand(RUNS, SPAN, tolerance, start, parameter, first);
    const double took = figures_clock() - begun;
    *difference = 0;
    for (size_t i = 0; i < RUNS; i++)
        *difference = fmax(*difference, fabs(first[i] - like->first[i]));
    return took / RUNS;
}

static void measure(const bench *b, double tolerance)
{
    static kept rows;
    double difference = NAN, ours = INFINITY, hand = INFINITY, wall;
    for (int i = 0; i < ROUNDS; i++) {
        ours = fmin(ours, time_sweep(b, tolerance, 1, &rows, &wall));
        if (b->hand) hand = fmin(hand, time_by_hand(b, tolerance, &rows, &difference));
    }
    printf("%s, rtol = %g: %.0f a second and core; by hand %.0f; largest difference %.2g\n",
           b->name, tolerance, 1 / ours, 1 / hand, difference);
    if (b->hand) figures_at_least("times four lanes by hand", hand / ours, 1, "");
}

/* ---- Threads --------------------------------------------------------------------------------- */

/* Seconds of the clock while so many programs by hand run beside each other, each as many trajectories; they begin together. */
static double beside_each_other(const bench *b, double tolerance, const kept *like, int programs)
{
    int go[2], ready[2];
    char byte = 0;
    begin_by_hand(b, like);
    fflush(stdout);
    if (pipe(go) || pipe(ready)) exit(1);
    for (int i = 0; i < programs; i++)
        if (fork() == 0) {
            first[0] = 0; /* pages of its own */
            if (write(ready[1], &byte, 1) != 1 || read(go[0], &byte, 1) != 1) _exit(1);
            b->hand(RUNS, SPAN, tolerance, start, parameter, first);
            _exit(0);
        }
    for (int i = 0; i < programs; i++)
        if (read(ready[0], &byte, 1) != 1) exit(1);
    const double begun = now();
    for (int i = 0; i < programs; i++)
        if (write(go[1], &byte, 1) != 1) exit(1);
    while (wait(NULL) > 0)
        ;
    const double took = now() - begun;
    close(go[0]), close(go[1]), close(ready[0]), close(ready[1]);
    return took / (programs * RUNS);
}

/* Two threads, against two programs by hand started side by side. */
static void measure_threads(const bench *b, double tolerance)
{
    static kept rows;
    double ours = INFINITY, hand = INFINITY, once;
    for (int i = 0; i < THREAD_ROUNDS; i++) {
        time_sweep(b, tolerance, 2, &rows, &once);
        ours = fmin(ours, once);
        hand = fmin(hand, beside_each_other(b, tolerance, &rows, 2));
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
