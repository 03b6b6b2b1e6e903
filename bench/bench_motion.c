/* bench_motion.c - compiled equations of motion against C written by hand for the one system.
 *
 * (a) one evaluation of the right-hand side, in a dependent chain: what one trajectory sees;
 * (b) whole integrations over t = 0 .. 100 to a given error (bench/reference.txt), against DOP853
 * in C with the hand-written right-hand side inlined and against CVODE; the times are written to
 * the file that is given, for bench/scipy_motion.py; (d) from the start of the program to the first
 * sample. */
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC optimize("O3") /* the yardstick as fast as it can be */
#endif
#include "figures.h"
#include "lang/lang.h"
#include "written_systems.h"
#include "yardstick.h"

#include "motion/motion_run.h"
#include "making/motion_code.h"
#include "compile/engine.h"

#include <anholo/lang.h>
#include <anholo/simulate.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#ifdef AH_BENCH_CVODE
#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#undef N_
#endif

/* ---- The systems ----------------------------------------------------------------------------- */

static const char pendulum_text[] = PENDULUM_TEXT("%s"), tire_text[] = TIRE_TEXT;

static const pendulum plain = {1, 0.5, 9.81, 0, 0}, spring = {1, 0.5, 9.81, 1, 0.5};
static tire wheel; /* set by main */
static const double pendulum_start[N] = {1, 0.2, 1.5, -0.4, -0.08, 0.8, -0.25, -0.75};
static const double tire_start[N] = {0, 0, 0, 0.1, 0, 0.2, 0, 2};

YARDSTICK(integrate_pendulum, pendulum, pendulum_rhs)
YARDSTICK(integrate_tire, tire, tire_rhs)

typedef struct system {
    const char *name, *text, *method, *reference; /* its line in reference.txt, or NULL */
    int coordinates;
    const double *start;
    void (*rhs)(const double *y, double *f);
    yardstick_result (*integrate)(double span, double rtol, double *y);
} system_type;

static void rhs_plain(const double *y, double *f)
{
    pendulum_rhs(&plain, y, f);
}

static void rhs_spring(const double *y, double *f)
{
    pendulum_rhs(&spring, y, f);
}

static void rhs_tire(const double *y, double *f)
{
    tire_rhs(&wheel, y, f);
}

static yardstick_result run_plain(double span, double rtol, double *y)
{
    return integrate_pendulum(&plain, span, rtol, rtol, y);
}

static yardstick_result run_spring(double span, double rtol, double *y)
{
    return integrate_pendulum(&spring, span, rtol, rtol, y);
}

static yardstick_result run_tire(double span, double rtol, double *y)
{
    return integrate_tire(&wheel, span, rtol, rtol, y);
}

/* ---- Ours ------------------------------------------------------------------------------------ */

typedef struct ours {
    ah_ctx *ctx;
    ah_model *model;
    const system_type *system;
    eval_method method, reactions;
    point point;
    /* asked */
    engine_kind engine;
    ivp_kind integrator;
    double span, rtol;
    void (*body)(struct ours *o);
    /* answered */
    motion_summary summary;
    double nanoseconds, seconds;
} ours;

static void prepare(ours *o)
{
    o->method = eval_prepare(o->model, derive_find(o->system->method), NULL, &o->ctx->job);
    o->reactions = eval_prepare(o->model, derive_find("multipliers"), NULL, &o->ctx->job);
    if (!point_create(o->model, &o->ctx->job, &o->point) || !point_start(&o->point) ||
        !point_complete(&o->point, true))
        ctx_raise(o->ctx, AH_E_INPUT);
}

static void call(ah_ctx *ctx, void *arg)
{
    ours *o = arg;
    (void) ctx;
    prepare(o);
    o->body(o);
}

static bool run_ours(ours *o)
{
    o->ctx = ah_ctx_create(NULL);
    const char *model = o->system->text;
    const bool good =
        lang_read(o->ctx, o->system->name, model, strlen(model), NULL, &o->model) == AH_OK &&
        ctx_guard(o->ctx, call, o) == AH_OK;
    if (!good) printf("%s: %s\n", o->system->name, ah_diagnostics_text(o->ctx, false));
    return good;
}

enum { ROUNDS = 7 };

/* The next state depends on the last derivative: latency, not throughput. x = (t, y). */
#define CHAIN(evaluate)                                                                            \
    do {                                                                                           \
        double best = INFINITY, x[1 + N] = {0}, *y = x + 1, f[N];                                  \
        for (int round = 0; round < ROUNDS; round++) {                                             \
            const int count = 200000;                                                              \
            memcpy(y, start, sizeof f);                                                            \
            const double begin = figures_clock();                                                  \
            for (int i = 0; i < count; i++) {                                                      \
                evaluate;                                                                          \
                for (int j = 0; j < N; j++) y[j] = start[j] + 1e-9 * f[j];                         \
            }                                                                                      \
            best = fmin(best, (figures_clock() - begin) / count);                                  \
        }                                                                                          \
        nanoseconds = 1e9 * best;                                                                  \
    } while (0)

static double chain_by_hand(const system_type *s)
{
    const double *start = s->start;
    double nanoseconds;
    void (*volatile rhs)(const double *, double *) = s->rhs;
    CHAIN(rhs(y, f));
    return nanoseconds;
}

static void chain_ours(ours *o)
{
    motion_code c;
    double nanoseconds, start[N];
    motion_code_create(&c, &o->method, &o->reactions, &o->point, MOTION_SHORTEST);
    motion_code_start(&c, o->engine);
    for (uint32_t i = 0; i < c.n; i++) start[i] = point_get(&o->point, o->model->q.at[i]);
    for (uint32_t i = 0; i < c.m; i++) start[c.n + i] = point_get(&o->point, c.second[i]);
    CHAIN(engine_call(c.engine, 0, x, f));
    o->nanoseconds = nanoseconds;
}

/* The first sample comes before the first step, when all is made and compiled. */
static bool note_start(void *user, const motion_sample *sample)
{
    double *start = user;
    (void) sample;
    if (*start == 0) *start = figures_clock();
    return true;
}

static void integrate_ours(ours *o)
{
    const motion_options options = {.t1 = o->span,
                                    .tolerance = {.rtol = o->rtol, .atol = o->rtol},
                                    .samples = 2,
                                    .engine = o->engine,
                                    .integrator = o->integrator};
    double start = 0;
    const motion_sinks sinks = {.sample = note_start, .user = &start};
    motion_run(&o->method, &o->reactions, &o->point, &options, &sinks, &o->summary);
    o->seconds = figures_clock() - start;
}

typedef struct timing {
    double seconds, error;
    unsigned long long steps;
} timing;

/* Of the coordinates at the end. */
static double difference(const system_type *s, const double *a, const double *b)
{
    double worst = 0;
    for (int i = 0; i < s->coordinates; i++)
        worst = fmax(worst, fabs(a[i] - b[i]) / fmax(1, fabs(b[i])));
    return worst;
}

/* ---- CVODE ----------------------------------------------------------------------------------- */

#ifdef AH_BENCH_CVODE

static int cvode_rhs(sunrealtype t, N_Vector y, N_Vector f, void *user)
{
    const system_type *s = user;
    (void) t;
    s->rhs(NV_DATA_S(y), NV_DATA_S(f));
    return 0;
}

/* Adams' method by functional iteration, driven by the hand-written right-hand side. */
static timing time_cvode(const system_type *s, double span, double rtol, const double *exact)
{
    SUNContext context;
    double y[N], t;
    long steps = 0;
    memcpy(y, s->start, sizeof y);
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_Create(SUN_COMM_NULL, &context);
#else
    SUNContext_Create(NULL, &context);
#endif
    N_Vector v = N_VMake_Serial(N, y, context);
    void *cvode = CVodeCreate(CV_ADAMS, context);
    SUNNonlinearSolver solver = SUNNonlinSol_FixedPoint(v, 0, context);
    const double begin = figures_clock();
    CVodeInit(cvode, cvode_rhs, 0, v);
    CVodeSStolerances(cvode, rtol, rtol);
    CVodeSetNonlinearSolver(cvode, solver);
    CVodeSetUserData(cvode, (void *) (uintptr_t) s);
    CVodeSetMaxNumSteps(cvode, 100000000);
    CVode(cvode, span, v, &t, CV_NORMAL);
    const double seconds = figures_clock() - begin;
    CVodeGetNumSteps(cvode, &steps);
    CVodeFree(&cvode);
    SUNNonlinSolFree(solver);
    N_VDestroy(v);
    SUNContext_Free(&context);
    return (timing){seconds, difference(s, y, exact), (unsigned long long) steps};
}

#endif

/* ---- Tables ---------------------------------------------------------------------------------- */

static void evaluations(const system_type *s)
{
    static const char *const name[] = {
        [ENGINE_INTERPRET] = "interpret", [ENGINE_TCC] = "tcc", [ENGINE_CC] = "cc"};
    double ratio[ENGINE_CC + 1] = {0};
    const double hand = chain_by_hand(s);
    printf("%s: by hand %.1f ns", s->name, hand);
    for (engine_kind e = ENGINE_INTERPRET; e <= ENGINE_CC; e++) {
        ours o = {.system = s, .engine = e, .body = chain_ours};
        if (run_ours(&o)) printf(", %s %.1f ns", name[e], o.nanoseconds);
        ratio[e] = o.nanoseconds / hand;
        ah_ctx_destroy(o.ctx);
    }
    puts("");
    figures_at_most("cc, times the time by hand", ratio[ENGINE_CC], 1, "x");
    figures_at_most("tcc, times the time by hand", ratio[ENGINE_TCC], 6, "x");
}

static timing time_by_hand(const system_type *s, double span, double rtol, const double *exact)
{
    timing t = {.seconds = INFINITY};
    for (int round = 0; round < ROUNDS; round++) {
        double y[N];
        const double begin = figures_clock();
        memcpy(y, s->start, sizeof y);
        t.steps = (unsigned long long) s->integrate(span, rtol, y).steps;
        t.seconds = fmin(t.seconds, figures_clock() - begin);
        t.error = difference(s, y, exact);
    }
    return t;
}

static timing time_by(ivp_kind kind, const system_type *s, double span, double rtol,
                      const double *exact)
{
    timing t = {.seconds = INFINITY};
    for (int round = 0; round < ROUNDS; round++) {
        ours o = {.system = s,
                  .engine = ENGINE_CC,
                  .integrator = kind,
                  .span = span,
                  .rtol = rtol,
                  .body = integrate_ours};
        if (run_ours(&o)) {
            t.seconds = fmin(t.seconds, o.seconds);
            t.error = difference(s, o.summary.q, exact);
            t.steps = o.summary.result.steps;
        }
        ah_ctx_destroy(o.ctx);
    }
    return t;
}

static timing time_ours(const system_type *s, double span, double rtol, const double *exact)
{
    return time_by(IVP_AUTO, s, span, rtol, exact);
}

static timing time_dop853(const system_type *s, double span, double rtol, const double *exact)
{
    return time_by(IVP_DOP853, s, span, rtol, exact);
}

static timing time_taylor(const system_type *s, double span, double rtol, const double *exact)
{
    return time_by(IVP_TAYLOR, s, span, rtol, exact);
}

/* Each at the loosest tolerance that reaches the error. */
static timing reach(const system_type *s, double span, double wanted, const double *exact,
                    timing (*run)(const system_type *, double, double, const double *))
{
    timing t = {.seconds = INFINITY};
    for (double rtol = wanted; rtol > 1e-15; rtol /= 2)
        if ((t = run(s, span, rtol, exact)).error <= wanted) return t;
    return t;
}

/* The system's line of reference.txt. */
static void read_reference(const system_type *s, double *exact)
{
    char *all = figures_read(AH_SOURCE_DIR "/bench/reference.txt"), *at = strstr(all, s->reference);
    if (!at) exit(1);
    at += strlen(s->reference);
    for (int i = 0; i < N; i++) exact[i] = strtod(at, &at);
    free(all);
}

static void print_timing(const char *name, timing t)
{
    printf("  %-8s %7.0f us, %5llu steps, error %.1e\n", name, 1e6 * t.seconds, t.steps, t.error);
}

/* To the error `wanted` within `most` times the time by hand. */
static void integrations(const system_type *s, double span, double wanted, double most, FILE *times)
{
    double exact[N];
    read_reference(s, exact);
    printf("%s to %.0e\n", s->name, wanted);
    const timing hand = reach(s, span, wanted, exact, time_by_hand);
    print_timing("by hand", hand);
    const timing mine = reach(s, span, wanted, exact, time_ours);
    print_timing("ours", mine);
    print_timing("- dop853", reach(s, span, wanted, exact, time_dop853));
    print_timing("- taylor", reach(s, span, wanted, exact, time_taylor));
    figures_at_most("ours, times the time by hand", mine.seconds / hand.seconds, most, "x");
    if (times) fprintf(times, "%s %.0e %.9g\n", s->reference, wanted, mine.seconds);
#ifdef AH_BENCH_CVODE
    const timing cvode = reach(s, span, wanted, exact, time_cvode);
    if (cvode.error > wanted) {
        puts("  CVODE's Adams method does not reach the error");
        return;
    }
    print_timing("CVODE", cvode);
    figures_at_least("faster than CVODE's Adams method", cvode.seconds / mine.seconds, 25, "x");
#endif
}

/* ---- From the start to the first row --------------------------------------------------------- */

/* Seconds until the program has written the header and the first row. */
static double first_row(const char *model)
{
    char command[600], row[4000];
    snprintf(command, sizeof command, "exec %s simulate %s 2>/dev/null", AH_PROGRAM, model);
    const double begin = base_clock();
    FILE *f = popen(command, "r");
    if (!f || !fgets(row, sizeof row, f) || !fgets(row, sizeof row, f)) return INFINITY;
    const double seconds = base_clock() - begin;
    while (fgets(row, sizeof row, f)) continue;
    pclose(f);
    return seconds;
}

static void first_sample(void)
{
    double best = INFINITY;
    for (int round = 0; round < 3 * ROUNDS; round++)
        best = fmin(best, first_row(AH_SOURCE_DIR "/models/skate.ah"));
    puts("from the start of the program to the first sample, wall-clock time");
    figures_at_most("skate", 1e3 * best, 20, "ms");
}

int main(int argc, char **argv)
{
    wheel = tire_of(1.5, 0.5, 0.2, 0.35, 9.81);
    char pendula[2][2000];
    snprintf(pendula[0], sizeof pendula[0], pendulum_text, "0");
    snprintf(pendula[1], sizeof pendula[1], pendulum_text, "1");
    const system_type systems[] = {
        {"double pendulum", pendula[0], "multipliers", NULL, 4, pendulum_start, rhs_plain,
         run_plain},
        {"double pendulum with springs", pendula[1], "multipliers", "pendulum", 4, pendulum_start,
         rhs_spring, run_spring},
        {"tire", tire_text, "hamel", "tire", 5, tire_start, rhs_tire, run_tire},
    };
    FILE *times = argc > 1 ? fopen(argv[1], "w") : NULL;
    puts("one evaluation of the right-hand side, in a dependent chain");
    for (int i = 0; i < 3; i++) evaluations(&systems[i]);
    puts("integration over t = 0 .. 100, stepper and right-hand side compiled together");
    integrations(&systems[1], 100, 1e-9, 1, times);
    integrations(&systems[2], 100, 1e-9, 1, times);
    integrations(&systems[2], 100, 1e-12, 0.53, times);
    if (times) fclose(times);
    first_sample();
    return 0;
}
