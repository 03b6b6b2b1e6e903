/* Options and arguments that make no sense, for every public call that takes some: each ends with an
 * error that says what is wrong; none loops or crashes. */
#include "harness/harness.h"

#include <anholo/anholo.h>

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static const char SKATE[] =
    "parameter m = 2, J = 1\ncoordinate x, y, th\nkinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\n"
    "constraint blade: sin(th)*x' = cos(th)*y'\nstart x = 0, y = 0, th = 0, x' = 1, th' = 1\n"
    "simulate t = 0 .. 2\nclaim \"c\": constant th'\n";

typedef struct bag {
    ah_ctx *ctx;
    ah_model *m;
    const char *out;
} bag;

typedef enum wish {
    WRONG,   /* AH_E_INPUT, and a diagnostic says why */
    TOLD,    /* AH_E_INPUT; calls without a context, and those on numbers, have no diagnostics */
    REFUSED, /* AH_E_REFUSED */
    LIMITED, /* AH_E_LIMIT: more than can be had */
    ANSWER   /* it is all right */
} wish;

typedef ah_status act(bag *b);

/* The call in a process of its own; what has come of it as a word. */
static const char *outcome(act *f, wish w, char *room, size_t size)
{
    fflush(NULL);
    const pid_t child = fork();
    if (child == 0) {
        alarm(60);
        if (!freopen("/dev/null", "w", stderr)) harness_leave(99);
        ah_ctx_options limits = ah_ctx_defaults();
        /* of one call; what does not look at the clock is killed */
        limits.limits.seconds = w == LIMITED ? 1 : 0;
        bag b = {.ctx = ah_ctx_create(&limits)};
        if (ah_read(b.ctx, "skate.ah", SKATE, sizeof SKATE - 1, NULL, &b.m) != AH_OK)
            harness_leave(98);
        const ah_status status = f(&b);
        if (w == WRONG && status == AH_E_INPUT && !ah_error_count(b.ctx)) harness_leave(97);
        harness_leave((int) status);
    }
    int how = 0;
    if (child < 0 || waitpid(child, &how, 0) != child) return "no process";
    if (WIFSIGNALED(how)) {
        snprintf(room, size, "signal %d", WTERMSIG(how));
        return room;
    }
    if (WEXITSTATUS(how) == 97) return "an error without a diagnostic";
    snprintf(room, size, "%s",
             WEXITSTATUS(how) <= AH_E_INTERRUPTED ? ah_status_text((ah_status) WEXITSTATUS(how))
                                                  : "no model");
    return room;
}

static void expect(act *f, wish w)
{
    char room[100];
    static const ah_status status[] = {[WRONG] = AH_E_INPUT,
                                       [TOLD] = AH_E_INPUT,
                                       [REFUSED] = AH_E_REFUSED,
                                       [LIMITED] = AH_E_LIMIT,
                                       [ANSWER] = AH_OK};
    CHECK_STR(outcome(f, w, room, sizeof room), ah_status_text(status[w]));
}

/* ---- Questions ------------------------------------------------------------------------------- */

/* A question with its options changed: one test. */
#define ASK(question, id, wanted, change)                                                          \
    static ah_status question##_##id(bag *b)                                                       \
    {                                                                                              \
        question##_OPTIONS;                                                                        \
        change;                                                                                    \
        return question##_CALL;                                                                    \
    }                                                                                              \
    TEST(question##_##id)                                                                          \
    {                                                                                              \
        expect(question##_##id, wanted);                                                           \
    }

static const char *const panels[] = {"t, nobody", NULL};

#define simulate_OPTIONS                                                                           \
    ah_simulate_options o = ah_simulate_defaults();                                                \
    const ah_simulate_options *p = &o;                                                             \
    ah_format f = AH_TEXT;                                                                         \
    const char **out = &b->out;                                                                    \
    ah_model *m = b->m;                                                                            \
    o.engine = "interpret"
#define simulate_CALL ah_simulate(m, p, f, out)
ASK(simulate, rtol_nan, WRONG, o.rtol = NAN)
ASK(simulate, rtol_negative, WRONG, o.rtol = -1e-6)
ASK(simulate, rtol_infinite, WRONG, o.rtol = INFINITY)
ASK(simulate, atol_nan, WRONG, o.atol = NAN)
ASK(simulate, atol_negative, WRONG, o.atol = -1)
ASK(simulate, atol_infinite, WRONG, o.atol = INFINITY)
ASK(simulate, no_tolerance, WRONG, o.rtol = o.atol = 0)
ASK(simulate, every_nothing, WRONG, o.samples = 0; o.every = 0)
ASK(simulate, every_nan, WRONG, o.every = NAN)
ASK(simulate, every_negative, WRONG, o.every = -1)
ASK(simulate, every_infinite, WRONG, o.every = INFINITY)
ASK(simulate, every_too_close, WRONG, o.every = 1e-300)
ASK(simulate, one_sample, WRONG, o.samples = 1)
ASK(simulate, samples_too_close, WRONG, o.samples = SIZE_MAX)
ASK(simulate, many_samples, LIMITED, o.samples = (size_t) 1 << 50)
ASK(simulate, method, WRONG, o.method = "nonsense")
ASK(simulate, integrator, WRONG, o.integrator = "nonsense")
ASK(simulate, engine, WRONG, o.engine = "nonsense")
ASK(simulate, empty_method, WRONG, o.method = "")
ASK(simulate, empty_integrator, WRONG, o.integrator = "")
ASK(simulate, empty_engine, WRONG, o.engine = "")
ASK(simulate, to_nonsense, WRONG, o.to = "nonsense")
ASK(simulate, to_nothing, WRONG, o.to = "")
ASK(simulate, to_infinite, WRONG, o.to = "1e400")
ASK(simulate, to_undefined, WRONG, o.to = "log(-1)")
ASK(simulate, to_the_start, ANSWER, o.to = "0")
ASK(simulate, backwards, ANSWER, o.to = "-1")
ASK(simulate, branch, WRONG, o.branch = SIZE_MAX)
ASK(simulate, defaults, ANSWER, p = NULL)
ASK(simulate, no_model, TOLD, m = NULL)
ASK(simulate, unsized, WRONG, o.size = 0)
ASK(simulate, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(simulate, no_out, TOLD, out = NULL)
ASK(simulate, format, WRONG, f = (ah_format) 99)
ASK(simulate, negative_format, WRONG, f = (ah_format) -1)

#define crosscheck_OPTIONS                                                                         \
    ah_crosscheck_options o = ah_crosscheck_defaults();                                            \
    const ah_crosscheck_options *p = &o;                                                           \
    ah_answer *a = NULL, **out = &a;                                                               \
    ah_model *m = b->m
#define crosscheck_CALL ah_crosscheck(m, p, out)
ASK(crosscheck, no_states, WRONG, o.states = 0)
ASK(crosscheck, all_states, WRONG, o.states = SIZE_MAX)
ASK(crosscheck, seed, ANSWER, o.seed = UINT64_MAX)
ASK(crosscheck, defaults, ANSWER, p = NULL)
ASK(crosscheck, no_model, TOLD, m = NULL)
ASK(crosscheck, unsized, WRONG, o.size = 0)
ASK(crosscheck, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(crosscheck, no_out, TOLD, out = NULL)

#define verify_OPTIONS                                                                             \
    ah_verify_options o = ah_verify_defaults();                                                    \
    const ah_verify_options *p = &o;                                                               \
    ah_answer *a = NULL, **out = &a;                                                               \
    ah_model *m = b->m
#define verify_CALL ah_verify(m, p, out)
ASK(verify, no_states, WRONG, o.states = 0)
ASK(verify, all_states, WRONG, o.states = SIZE_MAX)
ASK(verify, seed, ANSWER, o.seed = UINT64_MAX)
ASK(verify, defaults, ANSWER, p = NULL)
ASK(verify, no_model, TOLD, m = NULL)
ASK(verify, unsized, WRONG, o.size = 0)
ASK(verify, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(verify, no_out, TOLD, out = NULL)

#define eval_OPTIONS                                                                               \
    ah_eval_options o = ah_eval_defaults();                                                        \
    const ah_eval_options *p = &o;                                                                 \
    ah_format f = AH_TEXT;                                                                         \
    const char **out = &b->out;                                                                    \
    ah_model *m = b->m
#define eval_CALL ah_eval(m, p, f, out)
ASK(eval, digits_negative, WRONG, o.digits = -1)
ASK(eval, digits_many, WRONG, o.digits = INT_MAX)
ASK(eval, at_nonsense, WRONG, o.at = "nonsense")
ASK(eval, at_nothing, WRONG, o.at = "")
ASK(eval, at_nan, WRONG, o.at = "x=log(-1)")
ASK(eval, method, WRONG, o.method = "nonsense")
ASK(eval, empty_method, WRONG, o.method = "")
ASK(eval, defaults, ANSWER, p = NULL)
ASK(eval, no_model, TOLD, m = NULL)
ASK(eval, unsized, WRONG, o.size = 0)
ASK(eval, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(eval, no_out, TOLD, out = NULL)
ASK(eval, format, WRONG, f = (ah_format) 99)
ASK(eval, negative_format, WRONG, f = (ah_format) -1)

#define integrals_OPTIONS                                                                          \
    ah_integrals_options o = ah_integrals_defaults();                                              \
    const ah_integrals_options *p = &o;                                                            \
    ah_answer *a = NULL, **out = &a;                                                               \
    ah_model *m = b->m
#define integrals_CALL ah_integrals(m, p, out)
ASK(integrals, degree_negative, WRONG, o.degree = -1)
ASK(integrals, degree_large, WRONG, o.degree = INT_MAX)
ASK(integrals, coordinates_negative, WRONG, o.coordinates_degree = -1)
ASK(integrals, coordinates_large, WRONG, o.coordinates_degree = INT_MAX)
ASK(integrals, defaults, ANSWER, p = NULL)
ASK(integrals, no_model, TOLD, m = NULL)
ASK(integrals, unsized, WRONG, o.size = 0)
ASK(integrals, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(integrals, no_out, TOLD, out = NULL)

#define steady_OPTIONS                                                                             \
    ah_steady_options o = ah_steady_defaults();                                                    \
    const ah_steady_options *p = &o;                                                               \
    ah_answer *a = NULL, **out = &a;                                                               \
    ah_model *m = b->m
#define steady_CALL ah_steady(m, p, out)
ASK(steady, all_starts, LIMITED, o.starts = SIZE_MAX)
ASK(steady, no_starts, ANSWER, o.starts = 0)
ASK(steady, at_nonsense, WRONG, o.at = "nonsense")
ASK(steady, at_nan, WRONG, o.at = "th'=log(-1)")
ASK(steady, defaults, ANSWER, p = NULL)
ASK(steady, no_model, TOLD, m = NULL)
ASK(steady, unsized, WRONG, o.size = 0)
ASK(steady, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(steady, no_out, TOLD, out = NULL)

#define linearise_OPTIONS                                                                          \
    ah_linearise_options o = ah_linearise_defaults();                                              \
    const ah_linearise_options *p = &o;                                                            \
    ah_answer *a = NULL, **out = &a;                                                               \
    ah_model *m = b->m
#define linearise_CALL ah_linearise(m, p, out)
ASK(linearise, at_nonsense, WRONG, o.at = "nonsense")
ASK(linearise, inputs_nobody, WRONG, o.inputs = "nobody")
ASK(linearise, inputs_none, ANSWER, o.inputs = "")
ASK(linearise, outputs_nonsense, WRONG, o.outputs = "1 +")
ASK(linearise, defaults, ANSWER, p = NULL)
ASK(linearise, no_model, TOLD, m = NULL)
ASK(linearise, no_out, TOLD, out = NULL)

#define stability_OPTIONS                                                                          \
    ah_stability_options o = ah_stability_defaults();                                              \
    const ah_stability_options *p = &o;                                                            \
    ah_answer *a = NULL, **out = &a;                                                               \
    ah_model *m = b->m
#define stability_CALL ah_stability(m, p, out)
ASK(stability, sweep_nonsense, WRONG, o.sweep = "nonsense")
ASK(stability, sweep_nothing, WRONG, o.sweep = "")
ASK(stability, sweep_nobody, WRONG, o.sweep = "nobody=1..2:3")
ASK(stability, sweep_nan, WRONG, o.sweep = "m=log(-1)..2:3")
ASK(stability, sweep_infinite, WRONG, o.sweep = "m=1..1e400:3")
ASK(stability, sweep_none, WRONG, o.sweep = "m=1..2:0")
ASK(stability, sweep_negative, WRONG, o.sweep = "m=1..2:-3")
ASK(stability, sweep_many, WRONG, o.sweep = "m=1..2:99999999999999999999")
ASK(stability, critical_nonsense, WRONG, o.critical = "nonsense")
ASK(stability, critical_nothing, WRONG, o.critical = "")
ASK(stability, critical_nobody, WRONG, o.critical = "nobody=1..2:3")
ASK(stability, critical_nan, WRONG, o.critical = "m=log(-1)..2:3")
ASK(stability, critical_infinite, WRONG, o.critical = "m=1..1e400:3")
ASK(stability, critical_none, WRONG, o.critical = "m=1..2:0")
ASK(stability, critical_negative, WRONG, o.critical = "m=1..2:-3")
ASK(stability, critical_many, WRONG, o.critical = "m=1..2:99999999999999999999")
ASK(stability, at_nonsense, WRONG, o.at = "nonsense")
ASK(stability, defaults, ANSWER, p = NULL)
ASK(stability, no_model, TOLD, m = NULL)
ASK(stability, unsized, WRONG, o.size = 0)
ASK(stability, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(stability, no_out, TOLD, out = NULL)

#define plot_OPTIONS                                                                               \
    ah_plot_options o = ah_plot_defaults();                                                        \
    const ah_plot_options *p = &o;                                                                 \
    ah_format f = AH_TEXT;                                                                         \
    const char **out = &b->out;                                                                    \
    ah_model *m = b->m;                                                                            \
    const char **svg = &b->out;                                                                    \
    o.run.engine = "interpret"
#define plot_CALL ah_plot(m, p, f, svg, out)
ASK(plot, panel, WRONG, o.panels = panels; o.panel_count = 1)
ASK(plot, panel_null, WRONG, o.panels = panels + 1; o.panel_count = 1)
ASK(plot, panels_null, WRONG, o.panels = NULL; o.panel_count = 3)
ASK(plot, width_nan, WRONG, o.width = NAN)
ASK(plot, width_negative, WRONG, o.width = -1)
ASK(plot, width_infinite, WRONG, o.width = INFINITY)
ASK(plot, height_nan, WRONG, o.height = NAN)
ASK(plot, height_large, WRONG, o.height = 1e300)
ASK(plot, from, WRONG, o.from = "a,b\n1"; o.from_length = 5)
ASK(plot, from_empty, WRONG, o.from = ""; o.from_length = 0)
ASK(plot, columns, ANSWER, o.columns = SIZE_MAX)
ASK(plot, no_svg, TOLD, svg = NULL)
ASK(plot, rtol, WRONG, o.run.rtol = NAN)
ASK(plot, samples, WRONG, o.run.samples = SIZE_MAX)
ASK(plot, one_sample, WRONG, o.run.samples = 1)
ASK(plot, defaults, ANSWER, p = NULL)
ASK(plot, no_model, TOLD, m = NULL)
ASK(plot, unsized, WRONG, o.size = 0)
ASK(plot, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(plot, no_out, TOLD, out = NULL)
ASK(plot, format, WRONG, f = (ah_format) 99)
ASK(plot, negative_format, WRONG, f = (ah_format) -1)

#define report_OPTIONS                                                                             \
    ah_report_options o = ah_report_defaults();                                                    \
    const ah_report_options *p = &o;                                                               \
    const ah_page *page, **out = &page;                                                            \
    ah_model *m = b->m
#define report_CALL ah_report(m, p, out)
ASK(report, no_samples, WRONG, o.samples = 0)
ASK(report, one_sample, WRONG, o.samples = 1)
ASK(report, all_samples, ANSWER, o.samples = SIZE_MAX)
ASK(report, method, WRONG, o.methods = "nonsense")
ASK(report, methods, WRONG, o.methods = "hamel,,nonsense")
ASK(report, empty_methods, ANSWER, o.methods = "")
ASK(report, to, WRONG, o.to = "nonsense")
ASK(report, no_model, TOLD, m = NULL)
ASK(report, unsized, WRONG, o.size = 0)
ASK(report, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(report, no_out, TOLD, out = NULL)

#define derive_OPTIONS                                                                             \
    ah_derive_options o = ah_derive_defaults();                                                    \
    const ah_derive_options *p = &o;                                                               \
    ah_answer *a = NULL, **out = &a;                                                               \
    ah_model *m = b->m
#define derive_CALL ah_derive(m, p, out)
ASK(derive, method, WRONG, o.method = "nonsense")
ASK(derive, empty_method, WRONG, o.method = "")
ASK(derive, defaults, ANSWER, p = NULL)
ASK(derive, no_model, TOLD, m = NULL)
ASK(derive, unsized, WRONG, o.size = 0)
ASK(derive, of_an_older_library, ANSWER, o.size = sizeof o.size)
ASK(derive, no_out, TOLD, out = NULL)

#define dump_method_OPTIONS                                                                        \
    const char **out = &b->out, *method = NULL, *stage = "equations";                              \
    ah_model *m = b->m
#define dump_method_CALL ah_dump_method(m, method, stage, out)
ASK(dump_method, method, WRONG, method = "nonsense")
ASK(dump_method, stage, WRONG, stage = "nonsense")
ASK(dump_method, no_stage, WRONG, stage = NULL)
ASK(dump_method, no_model, TOLD, m = NULL)
ASK(dump_method, no_out, TOLD, out = NULL)

#define read_OPTIONS                                                                               \
    const char *text = "coordinate x\nkinetic x'^2\n", *file = "f", *set = NULL;                   \
    size_t n = strlen(text);                                                                       \
    ah_model *m, **out = &m
#define read_CALL ah_read(b->ctx, file, text, n, set, out)
ASK(read, no_text, WRONG, text = NULL; n = 0)
ASK(read, no_file, ANSWER, file = NULL)
ASK(read, set, WRONG, set = "nonsense")
ASK(read, set_nothing, ANSWER, set = "")
ASK(read, set_nobody, WRONG, set = "nobody=1")
ASK(read, too_long, LIMITED, n = SIZE_MAX)
ASK(read, no_out, TOLD, out = NULL)

#define read_expression_OPTIONS                                                                    \
    const char *text = "x", *what = "it";                                                          \
    ah_expr e, *out = &e;                                                                          \
    ah_model *m = b->m
#define read_expression_CALL ah_read_expression(m, what, text, out)
ASK(read_expression, nothing, WRONG, text = "")
ASK(read_expression, no_text, TOLD, text = NULL)
ASK(read_expression, no_what, ANSWER, what = NULL)
ASK(read_expression, nonsense, WRONG, text = "x +")
ASK(read_expression, no_model, TOLD, m = NULL)
ASK(read_expression, no_out, TOLD, out = NULL)

#define read_outputs_OPTIONS                                                                       \
    const char *text = "x, y";                                                                     \
    ah_output e[2], *out = e;                                                                      \
    ah_model *m = b->m;                                                                            \
    size_t most = 2, n, *count = &n
#define read_outputs_CALL ah_read_outputs(m, "it", text, most, out, count)
ASK(read_outputs, too_many, WRONG, most = 1)
ASK(read_outputs, no_room, WRONG, most = 0)
ASK(read_outputs, nothing, WRONG, text = "")
ASK(read_outputs, no_text, TOLD, text = NULL)
ASK(read_outputs, no_model, TOLD, m = NULL)
ASK(read_outputs, no_count, TOLD, count = NULL)

#define answer_OPTIONS                                                                             \
    ah_answer *a = NULL;                                                                           \
    ah_format f = AH_TEXT;                                                                         \
    const char **out = &b->out;                                                                    \
    ah_check(b->m, &a)
#define answer_CALL ah_answer_write(a, f, out)
ASK(answer, format, REFUSED, f = (ah_format) 99)
ASK(answer, negative_format, REFUSED, f = (ah_format) -1)
ASK(answer, c, REFUSED, f = AH_C)
ASK(answer, no_answer, TOLD, a = NULL)
ASK(answer, no_out, TOLD, out = NULL)
ASK(answer, of_another_question, TOLD, a = ah_answer_integrals(a) || ah_answer_yes(NULL) ? a : NULL)

/* ---- Systems, motions, trajectories ---------------------------------------------------------- */

/* What is asked of a system of the skate: x, y, th, then the velocities. */
#define system_OPTIONS                                                                             \
    ah_system_options o = ah_system_defaults();                                                    \
    const ah_system_options *p = &o;                                                               \
    ah_model *m = b->m;                                                                            \
    ah_system *s = NULL, **out = &s;                                                               \
    o.engine = "interpret"
#define system_CALL ah_system_create(m, p, out)
ASK(system, method, WRONG, o.method = "nonsense")
ASK(system, engine, WRONG, o.engine = "nonsense")
ASK(system, no_size, WRONG, o.size = 0)
ASK(system, large_size, ANSWER, o.size = SIZE_MAX)
ASK(system, cut_size, WRONG, o.size = sizeof(size_t) + 4)
ASK(system, no_model, TOLD, m = NULL)
ASK(system, no_out, TOLD, out = NULL)

static ah_system *made(const bag *b)
{
    ah_system *s = NULL;
    ah_system_options o = ah_system_defaults();
    o.engine = "interpret";
    ah_system_create(b->m, &o, &s);
    return s;
}

#define motion_OPTIONS                                                                             \
    static const double far[] = {0, 0, 0, 0, 1, 0}, wild[] = {0, 0, NAN, 1, 0, 0};                 \
    ah_motion_options o = ah_motion_defaults();                                                    \
    const ah_motion_options *p = &o;                                                               \
    ah_system *s = made(b);                                                                        \
    ah_motion *motion = NULL, **out = &motion;                                                     \
    (void) far, (void) wild
#define motion_CALL ah_motion_create(s, p, out)
ASK(motion, rtol_nan, WRONG, o.rtol = NAN)
ASK(motion, atol_negative, WRONG, o.atol = -1)
ASK(motion, no_tolerance, WRONG, o.rtol = o.atol = 0)
ASK(motion, integrator, WRONG, o.integrator = "nonsense")
ASK(motion, begins_nowhere, WRONG, o.t = INFINITY)
ASK(motion, ends_nowhere, WRONG, o.end = -INFINITY)
ASK(motion, contradicting_state, WRONG, o.y = far)
ASK(motion, wild_state, WRONG, o.y = wild)
ASK(motion, wild_parameters, WRONG, o.parameters = wild + 2)
ASK(motion, largest_step_nan, WRONG, o.largest_step = NAN)
ASK(motion, largest_step_negative, WRONG, o.largest_step = -1)
ASK(motion, defaults, ANSWER, p = NULL)
ASK(motion, no_size, WRONG, o.size = 0)
ASK(motion, cut_size, WRONG, o.size = 20)
ASK(motion, atol_infinite, WRONG, o.atol = INFINITY)
ASK(motion, rtol_infinite, WRONG, o.rtol = INFINITY)
ASK(motion, rtol_negative, WRONG, o.rtol = -1)
ASK(motion, no_system, TOLD, s = NULL)
ASK(motion, no_out, TOLD, out = NULL)

#define going_OPTIONS                                                                              \
    ah_motion *motion = NULL;                                                                      \
    ah_system *s = made(b);                                                                        \
    ah_event event;                                                                                \
    double y[6] = {0};                                                                             \
    ah_status status = ah_motion_create(s, NULL, &motion);                                         \
    (void) event, (void) y
#define going_CALL status
ASK(going, to_nan, WRONG, status = ah_motion_advance(motion, NAN))
ASK(going, back, WRONG, status = ah_motion_advance(motion, -1))
ASK(going, beyond, WRONG, status = ah_motion_advance(motion, 1e300))
ASK(going, looks_at_nan, WRONG, status = ah_motion_state_at(motion, NAN, y))
ASK(going, looks_elsewhere, WRONG, status = ah_motion_state_at(motion, 5, y))
ASK(going, nowhere_to_look, TOLD, status = ah_motion_state_at(motion, 0, NULL))
ASK(going, no_such_event, TOLD, status = ah_motion_event(motion, 7, &event))
ASK(going, again_from_nan, WRONG, status = ah_motion_restart(motion, NAN, y, NULL))
ASK(going, again_from_nothing, WRONG, status = ah_motion_restart(motion, 0, NULL, NULL))
ASK(going, without_a_motion, TOLD, status = ah_motion_step(NULL))

#define trajectory_OPTIONS                                                                         \
    ah_trajectory *t = NULL, **out = &t;                                                           \
    ah_system *s = made(b);                                                                        \
    size_t samples = 11;                                                                           \
    ah_status more = AH_OK
#define trajectory_CALL more != AH_OK ? more : ah_trajectory_create(s, NULL, samples, out)
ASK(trajectory, no_samples, WRONG, samples = 0)
ASK(trajectory, one_sample, WRONG, samples = 1)
ASK(trajectory, all_samples, LIMITED, samples = SIZE_MAX)
ASK(trajectory, too_many_samples, LIMITED, samples = (size_t) 1 << 50)
ASK(trajectory, no_system, TOLD, s = NULL)
ASK(trajectory, no_out, TOLD, out = NULL)
ASK(trajectory, indices, TOLD, ah_trajectory_create(s, NULL, samples, out);
    if (!ah_trajectory_name(t, 999) && !ah_trajectory_unit(t, 999) &&
        !ah_trajectory_column(t, 999) && ah_trajectory_find(t, "nobody") == -1 &&
        ah_trajectory_find(t, NULL) == -1) more = AH_E_INPUT)

#define work_OPTIONS                                                                               \
    ah_system *s = made(b);                                                                        \
    ah_work *w = ah_work_create(s);                                                                \
    double y[6] = {0}, out[64];                                                                    \
    ah_status status = AH_OK;                                                                      \
    (void) y, (void) out, (void) w
#define work_CALL status
ASK(work, parameter_index, TOLD, status = ah_work_set_parameter(w, 99, 1))
ASK(work, parameter_nan, TOLD, status = ah_work_set_parameter(w, 0, NAN))
ASK(work, no_parameters, TOLD, status = ah_work_set_parameters(w, NULL))
ASK(work, quantity, TOLD, status = ah_work_evaluate(w, (ah_quantity) 99, 0, y, out))
ASK(work, quantity_negative, TOLD, status = ah_work_evaluate(w, (ah_quantity) -1, 0, y, out))
ASK(work, not_asked_for, REFUSED, status = ah_work_evaluate(w, AH_Q_BY_STATE, 0, y, out))
ASK(work, no_state, TOLD, status = ah_work_evaluate(w, AH_Q_RATE, 0, NULL, out))
ASK(work, no_room, TOLD, status = ah_work_evaluate(w, AH_Q_RATE, 0, y, NULL))
ASK(work, projected_nothing, TOLD, status = ah_work_project(w, 0, NULL, NULL))
ASK(work, names, TOLD,
    if (!ah_system_count(s, (ah_quantity) 99) && !ah_system_name(s, AH_Q_STATE, 99) &&
        !ah_system_name(s, (ah_quantity) 99, 0) && !ah_system_unit(s, AH_Q_STATE, SIZE_MAX) &&
        ah_system_find(s, AH_Q_STATE, NULL) == -1 && ah_system_find(s, (ah_quantity) -1, "x") == -1)
        status = AH_E_INPUT)

/* ---- Expressions and models by calls --------------------------------------------------------- */

enum { NOBODY = 123456789 }; /* a handle of nothing */

/* Each of them gives nothing; then the case is as it should be. */
#define expr_OPTIONS                                                                               \
    ah_ctx *c = ah_model_context(b->m);                                                            \
    const ah_expr one = ah_int(c, 1);                                                              \
    const ah_expr bad[2] = {NOBODY, NOBODY};                                                       \
    bool nothing = false;                                                                          \
    (void) one, (void) bad
#define expr_CALL nothing ? AH_E_INPUT : AH_OK
ASK(expr, by_zero, TOLD, nothing = !isfinite(ah_evaluate(c, ah_rational(c, 1, 0), 0, NULL, NULL)))
ASK(expr, no_number, TOLD,
    nothing = ah_number(c, NULL) == AH_NONE && ah_number(c, "x") == AH_NONE &&
              ah_number(c, "1/0") == AH_NONE && ah_number(c, "") == AH_NONE)
ASK(expr, no_name, TOLD, nothing = ah_symbol(c, AH_PARAMETER, NULL) == AH_NONE)
ASK(expr, no_kind, TOLD, nothing = ah_symbol(c, (ah_symbol_kind) 99, "x") == AH_NONE)
ASK(expr, no_function, TOLD, nothing = ah_call(c, (ah_function) 99, bad) == AH_NONE)
ASK(expr, no_arguments, TOLD, nothing = ah_call(c, AH_SIN, NULL) == AH_NONE)
ASK(expr, sum_of_nobody, TOLD,
    nothing = ah_add(c, one, NOBODY) == AH_NONE && ah_sum(c, 2, bad) == AH_NONE &&
              ah_product(c, 2, bad) == AH_NONE && ah_pow(c, NOBODY, one) == AH_NONE &&
              ah_neg(c, NOBODY) == AH_NONE)
ASK(expr, sum_of_nothing, TOLD, nothing = ah_sum(c, 2, NULL) == AH_NONE)
ASK(expr, derivatives, TOLD,
    nothing = ah_diff(c, NOBODY, one) == AH_NONE && ah_diff(c, one, NOBODY) == AH_NONE &&
              ah_diff(c, one, one) == AH_NONE && ah_total_derivative(c, NOBODY) == AH_NONE)
ASK(expr, substitution, TOLD,
    nothing = ah_substitute(c, NOBODY, 0, NULL, NULL) == AH_NONE &&
              ah_substitute(c, one, 2, bad, bad) == AH_NONE &&
              ah_substitute(c, one, 2, NULL, NULL) == AH_NONE)
ASK(expr, values, TOLD,
    nothing = isnan(ah_evaluate(c, NOBODY, 0, NULL, NULL)) && !ah_print(c, NOBODY, AH_TEXT) &&
              !ah_print(c, one, (ah_format) 99))
ASK(expr, looked_at, TOLD,
    nothing = ah_expr_kind(c, NOBODY) == AH_NODE_NONE && ah_expr_children(c, NOBODY) == 0 &&
              ah_expr_child(c, one, 7) == AH_NONE && !ah_expr_name(c, NOBODY) &&
              ah_expr_function(c, NOBODY) == AH_FUNCTIONS && isnan(ah_expr_number(c, NOBODY)) &&
              ah_expr_order(c, NOBODY, 3) == 0)

#define model_OPTIONS                                                                              \
    ah_model *m = ah_model_create(b->ctx, NULL);                                                   \
    const ah_expr x = ah_model_coordinate(m, "x");                                                 \
    const ah_vector place = {{x, AH_NONE, NOBODY}};                                                \
    ah_status status = AH_OK;                                                                      \
    (void) x, (void) place
#define model_CALL status
ASK(model, no_name, WRONG, ah_model_coordinate(m, NULL); status = ah_ctx_status(b->ctx))
ASK(model, empty_name, WRONG, ah_model_parameter(m, "", AH_NONE); status = ah_ctx_status(b->ctx))
ASK(model, velocity_of_nobody, WRONG, ah_model_velocity(m, NOBODY); status = ah_ctx_status(b->ctx))
ASK(model, parameter_of_nobody, WRONG, ah_model_parameter(m, "p", NOBODY);
    status = ah_ctx_status(b->ctx))
ASK(model, kinetic, WRONG, status = ah_model_kinetic(m, NOBODY))
ASK(model, kinetic_none, WRONG, status = ah_model_kinetic(m, AH_NONE))
ASK(model, force_on_nobody, WRONG, status = ah_model_force(m, NOBODY, x))
ASK(model, point, WRONG, status = ah_model_point(m, "P", x, place))
ASK(model, body, WRONG, status = ah_model_body(m, NULL))
ASK(model, turns, WRONG,
    status = ah_model_body(m, &(ah_body){.name = "B", .mass = x, .turns = 3, .turn = NULL}))
ASK(model, axis, WRONG,
    status = ah_model_body(
        m, &(ah_body){.name = "B", .mass = x, .turns = 1, .turn = &(ah_turn){.axis = 9}}))
ASK(model, force_on, WRONG, status = ah_model_force_on(m, NULL, place, NULL))
ASK(model, constraint, WRONG, status = ah_model_constraint(m, NULL, NOBODY, x))
ASK(model, draw, WRONG, status = ah_model_draw(m, NULL))
ASK(model, shape, WRONG, status = ah_model_draw(m, &(ah_drawing){.shape = (ah_shape) 99}))
ASK(model, drawn_nobody, WRONG,
    status = ah_model_draw(m, &(ah_drawing){.at = {{NOBODY, NOBODY, NOBODY}}}))
ASK(model, inertia, WRONG,
    status = ah_model_body(
        m, &(ah_body){.name = "B", .mass = x, .inertia = {NOBODY}, .place = {{x, x, x}}}))
ASK(model, unit, WRONG, status = ah_model_unit(m, NULL, NULL))
ASK(model, set, WRONG, status = ah_model_set(m, NULL, x))
ASK(model, function, WRONG, status = ah_model_function(m, "f", 2, NULL, AH_NONE))
ASK(model, event, WRONG, status = ah_model_event(m, NULL, NOBODY, 0, false))
ASK(model, input_of_nobody, WRONG, ah_model_input(m, "u", NOBODY); status = ah_ctx_status(b->ctx))
ASK(model, input_unknown, WRONG, status = ah_model_set_input(b->m, "nobody", AH_NONE))
ASK(model, input_nothing, TOLD, status = ah_model_set_input(b->m, NULL, AH_NONE))
ASK(model, input_value, WRONG, ah_model_input(m, "u", AH_NONE);
    status = ah_model_set_input(m, "u", NOBODY))
#define ROWS(count, ...)                                                                           \
    ah_model_input(m, "u", AH_NONE);                                                               \
    status =                                                                                       \
        ah_model_set_input_rows(m, "u", count, (double[]){__VA_ARGS__}, (double[]){1, 2, 3}, true)
ASK(model, rows_none, WRONG, ROWS(0, 0))
ASK(model, rows_nan, WRONG, ROWS(2, 0, NAN))
ASK(model, rows_infinite, WRONG, ROWS(2, 0, INFINITY))
ASK(model, rows_descend, WRONG, ROWS(3, 0, 1, 0.5))
ASK(model, rows_value_nan, WRONG, ah_model_input(m, "u", AH_NONE);
    status = ah_model_set_input_rows(m, "u", 2, (double[]){0, 1}, (double[]){0, NAN}, false))
ASK(model, rows_null, TOLD, status = ah_model_set_input_rows(m, "u", 2, NULL, NULL, false))
ASK(model, rows_ascend, ANSWER, ROWS(3, 0, 1, 2))
ASK(model, item, TOLD, status = ah_model_item(m, (ah_item_kind) 99, 0, &(ah_item){0}))
ASK(model, item_index, TOLD, status = ah_model_item(b->m, AH_ITEM_COORDINATE, 99, &(ah_item){0}))
ASK(model, unfinished, WRONG, ah_answer *a; status = ah_derive(m, NULL, &a))

/* ---- Contact --------------------------------------------------------------------------------- */

#define contact_OPTIONS                                                                            \
    ah_model *m = ah_model_create(b->ctx, NULL);                                                   \
    const ah_expr x = ah_model_coordinate(m, "x"), one = ah_int(b->ctx, 1);                        \
    ah_status status = ah_model_body(                                                              \
        m,                                                                                         \
        &(ah_body){.name = "B", .mass = one, .inertia = {one, one, one}, .place = {{x, x, x}}});   \
    ah_shape_of s = {.kind = "sphere", .size = {one}};                                             \
    ah_surface f = {.kind = "plane"};                                                              \
    (void) s, (void) f, (void) status
#define contact_CALL status
#define SHAPE(...)   __VA_ARGS__, status = ah_model_shape(m, "B", &s)
#define SURFACE(...) __VA_ARGS__, status = ah_model_surface(m, "S", &f)
ASK(contact, sphere, ANSWER, SHAPE(s.axis = 0))
ASK(contact, no_kind, WRONG, SHAPE(s.kind = NULL))
ASK(contact, kind, WRONG, SHAPE(s.kind = "cube"))
ASK(contact, size_of_nobody, WRONG, SHAPE(s.size[0] = NOBODY))
ASK(contact, no_size, WRONG, SHAPE(s.size[0] = AH_NONE))
ASK(contact, no_tube, WRONG, SHAPE(s.kind = "torus"))
ASK(contact, axis, WRONG, SHAPE(s.axis = 4))
ASK(contact, axis_negative, WRONG, SHAPE(s.kind = "disc", s.axis = -1))
ASK(contact, centre_of_nobody, WRONG, SHAPE(s.centre.c[1] = NOBODY))
ASK(contact, negative_radius, WRONG, SHAPE(s.size[0] = ah_int(b->ctx, -1)))
ASK(contact, body_of_nobody, WRONG, status = ah_model_shape(m, "C", &s))
ASK(contact, shape_null, TOLD, status = ah_model_shape(m, "B", NULL))
ASK(contact, plane, ANSWER, SURFACE(f.inside = false))
ASK(contact, surface_kind, WRONG, SURFACE(f.kind = "sea"))
ASK(contact, surface_no_kind, WRONG, SURFACE(f.kind = NULL))
ASK(contact, surface_no_size, WRONG, SURFACE(f.kind = "cylinder"))
ASK(contact, surface_size, WRONG, SURFACE(f.kind = "cone", f.size = NOBODY))
ASK(contact, surface_place, WRONG, SURFACE(f.place.c[0] = NOBODY))
ASK(contact, surface_axis, WRONG, SURFACE(f.axis.c[2] = NOBODY))
ASK(contact, surface_turning, WRONG, SURFACE(f.turning = NOBODY))
ASK(contact, surface_on, WRONG, SURFACE(f.on = "C"))
ASK(contact, surface_null, TOLD, status = ah_model_surface(m, NULL, &f))
#define TOUCH(label, body, on, how)                                                                \
    ah_model_shape(m, "B", &s), ah_model_surface(m, "S", &f),                                      \
        status = ah_model_touch(m, label, body, on, how, NULL, NULL)
ASK(contact, slides, ANSWER, TOUCH("l", "B", "S", AH_SLIDES))
ASK(contact, how, WRONG, TOUCH("l", "B", "S", (ah_touch) 99))
ASK(contact, how_negative, WRONG, TOUCH("l", "B", "S", (ah_touch) -1))
ASK(contact, no_such_body, WRONG, TOUCH("l", "C", "S", AH_ROLLS))
ASK(contact, no_such_surface, WRONG, TOUCH("l", "B", "T", AH_ROLLS))
ASK(contact, itself, WRONG, TOUCH("l", "B", "B", AH_ROLLS))
ASK(contact, no_label, TOLD, TOUCH(NULL, "B", "S", AH_ROLLS))

/* ---- Export ---------------------------------------------------------------------------------- */

#define export_OPTIONS                                                                             \
    ah_export_options o = ah_export_defaults();                                                    \
    const ah_export_options *p = &o;                                                               \
    const ah_export *e = NULL, **out = &e;                                                         \
    const char *language = "c";                                                                    \
    ah_model *m = b->m;                                                                            \
    o.sources_only = true
#define export_CALL ah_export_model(m, language, p, out)
ASK(export, defaults, ANSWER, p = NULL)
ASK(export, no_language, TOLD, language = NULL)
ASK(export, language, WRONG, language = "cobol")
ASK(export, languages, WRONG, language = "c|js")
ASK(export, name, WRONG, o.name = "a b")
ASK(export, empty_name, WRONG, o.name = "")
ASK(export, word, WRONG, o.name = "while")
ASK(export, method, WRONG, o.method = "nonsense")
ASK(export, fmi, WRONG, (language = "fmu", o.fmi = 4))
ASK(export, no_model, TOLD, m = NULL)
ASK(export, no_out, TOLD, out = NULL)

/* ---- Contexts -------------------------------------------------------------------------------- */

#define context_OPTIONS                                                                            \
    ah_ctx_options o = ah_ctx_defaults();                                                          \
    (void) b;                                                                                      \
    ah_model *m = NULL
#define context_CALL ah_read(ah_ctx_create(&o), "f", SKATE, sizeof SKATE - 1, NULL, &m)
ASK(context, seconds_nan, ANSWER, o.limits.seconds = NAN)
ASK(context, seconds_negative, ANSWER, o.limits.seconds = -1)
ASK(context, no_time, LIMITED, o.limits.seconds = 1e-300)
ASK(context, no_nodes, LIMITED, o.limits.nodes = 1)
ASK(context, no_nesting, LIMITED, o.limits.nesting = 1)
