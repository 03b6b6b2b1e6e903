/* fuzz_commands.c - whole commands on mutated models: read, and then one question, chosen by the bytes.
 *
 * Random bytes are hardly ever a model, so the mutator works on words and lines: what comes out is
 * read to the end often enough to reach derivations, motions and searches. Small limits keep a run
 * short; ending at one is no finding. */
#include <anholo/anholo.h>

#include <ctype.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size_one, const uint8_t *two,
                                 size_t size_two, uint8_t *out, size_t most, unsigned seed);

/* ---- Questions ------------------------------------------------------------------------------- */

/* What the bytes choose: how the answer is written, and one of several ways. */
typedef struct choice {
    ah_format format;
    uint32_t way;
} choice;

static void write_answer(ah_status made, ah_answer **a, choice c)
{
    static const ah_format formats[] = {AH_TEXT, AH_LATEX, AH_MATHML, AH_JSON};
    const char *out;
    if (made == AH_OK) ah_answer_write(*a, formats[c.way >> 10 & 3], &out);
    ah_answer_destroy(*a);
}

static void check(ah_model *m, choice c)
{
    ah_answer *a;
    write_answer(ah_check(m, &a), &a, c);
}

static void derive(ah_model *m, choice c)
{
    ah_answer *a;
    ah_derive_options o = ah_derive_defaults();
    o.steps = true;
    o.orthonormal = c.way >> 2 & 1;
    o.method = c.way >> 3 & 1 ? ah_method_name((c.way >> 4) % ah_method_count()) : NULL;
    write_answer(ah_derive(m, &o, &a), &a, c);
}

static void eval(ah_model *m, choice c)
{
    const char *out;
    ah_eval_options o = ah_eval_defaults();
    o.method = "all";
    o.project = true;
    ah_eval(m, &o, c.format, &out);
}

static void digits(ah_model *m, choice c)
{
    const char *out;
    ah_eval_options o = ah_eval_defaults();
    o.digits = 20;
    ah_eval(m, &o, c.format, &out);
}

static bool swallow(void *user, const char *text, size_t length)
{
    *(size_t *) user += length + (text != NULL);
    return true;
}

static void simulate(ah_model *m, choice c)
{
    static const char *const integrators[] = {"auto", "taylor", "bdf", "ida", "adams"};
    const char *out;
    size_t bytes = 0;
    ah_simulate_options o = ah_simulate_defaults();
    o.samples = 11;
    o.most_steps = 200;
    o.engine = "interpret"; /* compilers are not under test, and slow */
    o.write = o.write_event = swallow;
    o.user = o.event_user = &bytes;
    o.integrator = integrators[c.way % (sizeof integrators / sizeof *integrators)];
    ah_simulate(m, &o, c.format, &out);
}

static void verify(ah_model *m, choice c)
{
    ah_answer *a;
    ah_verify_options o = ah_verify_defaults();
    o.states = 5;
    o.certificate = c.way & 1;
    write_answer(ah_verify(m, &o, &a), &a, c);
}

static void crosscheck(ah_model *m, choice c)
{
    ah_answer *a;
    ah_crosscheck_options o = ah_crosscheck_defaults();
    o.states = 5;
    write_answer(ah_crosscheck(m, &o, &a), &a, c);
}

static void integrals(ah_model *m, choice c)
{
    ah_answer *a;
    ah_integrals_options o = ah_integrals_defaults();
    o.degree = o.coordinates_degree = 1;
    write_answer(ah_integrals(m, &o, &a), &a, c);
}

static void steady(ah_model *m, choice c)
{
    ah_answer *a;
    ah_steady_options o = ah_steady_defaults();
    o.starts = 3;
    write_answer(ah_steady(m, &o, &a), &a, c);
}

static void stability(ah_model *m, choice c)
{
    ah_answer *a;
    ah_stability_options o = ah_stability_defaults();
    write_answer(ah_stability(m, &o, &a), &a, c);
}

static void linearise(ah_model *m, choice c)
{
    ah_answer *a;
    ah_linearise_options o = ah_linearise_defaults();
    o.whole = c.way & 1;
    o.outputs = c.way & 2 ? "x, t*x'^2, energy" : NULL;
    write_answer(ah_linearise(m, &o, &a), &a, c);
}

/* Texts alone: compilers are not under test, and slow. */
static void export(ah_model *m, choice c)
{
    static const char *const languages[] = {"c", "js", "python", "octave", "fmu"};
    const ah_export *out;
    ah_export_options o = ah_export_defaults();
    o.sources_only = true;
    o.single = c.way & 1;
    o.fmi = 2 + (c.way >> 1 & 1);
    ah_export_model(m, languages[(c.way >> 2) % (sizeof languages / sizeof *languages)], &o, &out);
}

static void plot(ah_model *m, choice c)
{
    const char *svg, *out;
    ah_plot_options o = ah_plot_defaults();
    o.run.samples = 11;
    o.run.most_steps = 200;
    o.run.engine = "interpret";
    ah_plot(m, &o, c.format, &svg, &out);
}

static void report(ah_model *m, choice c)
{
    (void) c;
    const ah_page *page;
    ah_report_options o = ah_report_defaults();
    o.samples = 11;
    ah_report(m, &o, &page);
}

static bool swallow_rows(void *user, const ah_ensemble_part *part)
{
    *(size_t *) user += part->count;
    return true;
}

/* The first name of a kind; "x": there is none, and what asks for it is refused. */
static const char *first_name(ah_model *m, ah_item_kind kind)
{
    ah_item item;
    const size_t count = ah_model_count(m, kind);
    return ah_model_item(m, kind, count - 1, &item) == AH_OK && item.name ? item.name : "x";
}

static void sweep(ah_model *m, choice c)
{
    static const ah_item_kind kinds[] = {AH_ITEM_PARAMETER, AH_ITEM_COORDINATE, AH_ITEM_SPEED,
                                         AH_ITEM_FUNCTION};
    ah_ensemble *e = NULL;
    ah_ensemble_options o = ah_ensemble_defaults();
    ah_ensemble_run_options run = ah_ensemble_run_defaults();
    size_t rows = 0;
    char over[200], spread[200], outputs[400];
    const char *x = first_name(m, AH_ITEM_COORDINATE), *event = first_name(m, AH_ITEM_EVENT);
    snprintf(over, sizeof over, "%s=0.1..1.5:3", first_name(m, kinds[c.way & 3]));
    snprintf(spread, sizeof spread, "%s=1+-0.1, t=0..1", x);
    snprintf(outputs, sizeof outputs, "final.%s, max(energy), integral(%s'), each(\"%s\", 2).t", x,
             x, event);
    o.engine = "interpret";
    o.most_steps = 100;
    o.random = c.way >> 2 & 1;
    o.project = c.way >> 3 & 1;
    run.threads = 1;
    run.rows = swallow_rows;
    run.user = &rows;
    if (ah_ensemble_create(m, &o, &e) == AH_OK) {
        ah_ensemble_over(e, over);
        if (o.random) ah_ensemble_spread(e, spread);
        if (c.way >> 4 & 1) ah_ensemble_outputs(e, outputs);
        ah_ensemble_run(e, &run, NULL);
    }
    ah_ensemble_destroy(e);
}

/* A motion whose inputs are tables. */
static void driven(ah_model *m, choice c)
{
    static const double t[] = {-1, 0, 0.25, 0.5, 2}, value[] = {0, 1, -2, 1e3, 0};
    for (size_t i = 0; i < ah_model_count(m, AH_ITEM_FUNCTION); i++) {
        ah_item item;
        if (ah_model_item(m, AH_ITEM_FUNCTION, i, &item) == AH_OK)
            ah_model_set_input_rows(m, item.name, 2 + c.way % 4, t, value, c.way >> 2 & 1);
    }
    simulate(m, c);
}

/* The motion of a system in memory, evaluated where it is. */
static void motion(ah_model *m, choice c)
{
    ah_system *s = NULL;
    ah_trajectory *rows = NULL;
    ah_system_options o = ah_system_defaults();
    ah_motion_options how = ah_motion_defaults();
    o.engine = "interpret";
    o.driven = c.way & 1;
    how.most_steps = 200;
    if (ah_system_create(m, &o, &s) == AH_OK && ah_trajectory_create(s, &how, 11, &rows) == AH_OK &&
        ah_trajectory_rows(rows))
        ah_trajectory_column(rows, ah_trajectory_columns(rows) - 1);
    ah_trajectory_destroy(rows);
    ah_system_destroy(s);
}

typedef void question(ah_model *m, choice c);
static question *const questions[] = {check,     derive,     eval,      digits, simulate,
                                      verify,    crosscheck, integrals, steady, stability,
                                      linearise, plot,       report,    export};
/* Asked now and then, after one of the others: inputs that were found keep their questions. */
static question *const later_questions[] = {sweep, driven, motion};

static uint32_t hash(const uint8_t *data, size_t size)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < size; i++) h = (h ^ data[i]) * 16777619u;
    return h ^ h >> 15;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.nodes = 200 * 1000;
    options.limits.terms = 2000;
    options.limits.memory = (size_t) 256 << 20;
    options.limits.seconds = 0.3;
    ah_ctx *ctx = ah_ctx_create(&options);
    const uint32_t h = hash(data, size);
    ah_model *m = NULL;
    if (ah_read(ctx, "fuzz.ah", (const char *) data, size, NULL, &m) == AH_OK && m) {
        const size_t count = sizeof questions / sizeof *questions;
        const choice c = {h >> 16 & 1 ? AH_JSON : AH_TEXT, h >> 17};
        questions[h % count](m, c);
        if (h / count % 3 == 0)
            later_questions[h / count / 3 % (sizeof later_questions / sizeof *later_questions)](m,
                                                                                                c);
    }
    ah_diagnostics_text(ctx, false);
    ah_ctx_destroy(ctx);
    return 0;
}

/* ---- Mutations ------------------------------------------------------------------------------- */

typedef struct range {
    size_t begin, end;
} range;

static uint32_t draw(uint32_t *state, size_t below)
{
    *state = *state * 1664525u + 1013904223u;
    return (uint32_t) ((*state >> 8) % (below ? below : 1));
}

/* The line or the word at a random place. */
static range pick(const uint8_t *data, size_t size, bool line, uint32_t *state)
{
    size_t at = draw(state, size);
    range r = {at, at};
    if (line) {
        while (r.begin > 0 && data[r.begin - 1] != '\n') r.begin--;
        while (r.end < size && data[r.end] != '\n') r.end++;
        return r;
    }
    for (size_t i = 0; i < size && !isalnum(data[at]); i++) at = (at + 1) % size;
    r = (range){at, at};
    while (r.begin > 0 && (isalnum(data[r.begin - 1]) || data[r.begin - 1] == '_')) r.begin--;
    while (r.end < size && (isalnum(data[r.end]) || strchr("_'", data[r.end]))) r.end++;
    return r;
}

/* Puts `length` bytes in the place of the range; the new size. */
static size_t splice(uint8_t *data, size_t size, size_t most, range r, const void *with,
                     size_t length)
{
    const size_t rest = size - r.end, grown = r.begin + length + rest;
    if (grown > most) return size;
    memmove(data + r.begin + length, data + r.end, rest);
    memcpy(data + r.begin, with, length);
    return grown;
}

static const char *const words[] = {"0",
                                    "1",
                                    "-1",
                                    "1e300",
                                    "1e-300",
                                    "2^53",
                                    "1/0",
                                    "x",
                                    "x'",
                                    "x''",
                                    "t",
                                    "sin(x)",
                                    "1/3",
                                    "sqrt(2)",
                                    "0.1",
                                    "x^2",
                                    "x^(1/2)",
                                    "energy",
                                    "lambda[1]",
                                    "atan2(x, t)",
                                    "(x + t)^3",
                                    "x_1",
                                    "f(t)",
                                    "abs(x)",
                                    "exp(x)",
                                    "log(x)",
                                    "pi",
                                    "u",
                                    "u'",
                                    "sign(x)",
                                    "step(x')",
                                    "min(x, t)",
                                    "max(x, 0)",
                                    "clamp(x, 0, 1)",
                                    "if(x > t, x, -x)",
                                    "free",
                                    "inside",
                                    "turning",
                                    "near",
                                    "kinematic",
                                    "identically",
                                    "velocity(B)",
                                    "(0, 0, 1)",
                                    "turn free e",
                                    "without spinning",
                                    "axis(B, 3)",
                                    "omega(B)[2]",
                                    "position(P)",
                                    "on B",
                                    "e0",
                                    "e1'",
                                    "q[2]",
                                    "sum(i = 1 .. 3, i*x)",
                                    "near 0 turn z 1"};

/* Statements that few models have: of inputs, dissipation, joints, contact, claims. */
static const char *const lines[] = {
    "input u = sin(t)",
    "input v = 1, w",
    "force x = u - x'",
    "dissipation x'^2/2",
    "dissipation abs(x')*y'^2",
    "constraint x = u",
    "velocity v, w: x' = v*cos(t), y' = v*sin(t)",
    "body B mass 1 inertia (1, 2, 3) at (x, y, 0) turn free e",
    "body B mass 1 inertia (1, 2, 3) at (x, y, 1) turn z x, x y",
    "body C mass 2 inertia (1, 1, 1) on B at (1, 0, 0) turn z x",
    "point P at (x, y, 0)",
    "marker P on B at (0, 1, 0)",
    "ball P, (1, 0, 0)",
    "hinge B, C axis y",
    "weld B, P",
    "slider B, C axis x",
    "rod brace: P, B length 2",
    "spring P, B stiffness 3 length 1",
    "damper P, B damping 1/2",
    "torsion spring B, B stiffness 2",
    "gear B, B ratio 2",
    "shape B sphere radius 1",
    "shape B disc radius 1 axis y",
    "shape B torus radius 1 tube 1/5",
    "shape B cylinder radius 1 length 2",
    "shape B cylinder radius 1 axis x",
    "shape B cone radius 1 length 2 at (0, 0, -1/2)",
    "shape B cone angle 1/3 at (0, 0, -1)",
    "shape B ellipsoid size (1, 2, 3) at (0, 0, 1/10)",
    "shape B: x^2 + 2*y^2 + z^4 = 1 at (0, 0, 1/10)",
    "shape B curve (cos(s), 2*sin(s), 0) for s = 0 .. 2*pi",
    "shape B: (cos(u)*cos(v), sin(u)*cos(v), sin(v)) for u = 0 .. 2*pi, v = -pi/2 .. pi/2",
    "surface S: (u, v, u*v) for u = -1 .. 1, v = -1 .. 1",
    "surface S: z = sin(x - t) moving (x, 0, t) on C",
    "surface S plane",
    "surface S plane at (0, 0, sin(t)) normal (0, 1, 1) turning 2",
    "surface S sphere radius 5 inside",
    "surface S cylinder radius 3 along (1, 0, 0)",
    "surface S cone angle 1/2 inside on C",
    "surface S: z = x^2 + y^2",
    "surface S: x^2 + 2*y^2 + z^2 - 9 = 0",
    "roll B on S",
    "roll B on S without spinning",
    "roll B on C",
    "slide edge: B on S",
    "start e turn z 1 turning (0, 1, 2)",
    "start x near 1",
    "potential max(x, 0)^2",
    "constraint step(x)*x' = y'",
    "stop when x = if(t > 1, 1, 2)",
    "claim \"a\": x' = u when x > 0, y' = 0",
    "claim \"b\" by hamel: P[1] = 0",
    "claim \"c\": measure 1",
    "claim \"d\": stable at x = 0 when u > 0",
    "claim \"e\": growth 2, 3",
    "for i = 1 .. 3:\n    constraint c[i]: x' = i*y'",
    "coordinate q[1 .. 3]",
    "body D mass 1 inertia (1, 2, 2) at (x, y, q[1]) turn free f",
    "start f near turn about (1, 1, 0) angle 1/2, x = 1",
    "for i = 1 .. 3:\n    body E[i] mass 1 inertia (1, 2, 2) at (x, y, q[i]) turn free h[i]",
    "start h[2] turn z 1 turning (0, 1, h0[1])",
    "output s = h_omega[1][2]",
    "quasivelocity w1 = x' - y', w2 = x*y' + u",
    "output a = lambda[1]*x', b = reaction[x]",
    "output by hamel: c = P[1]",
    "record \"r\" when x' = 0 rising",
    "unit x, y = \"m\", t = \"s\", energy = \"J\"",
    "draw wheel at (x, y, 0) normal (0, 1, 0) radius 1 turn t label \"w\" colour red",
    "draw reaction P of brace",
    "force on B (0, 0, -1) at position(P)",
    "torque on B (u, 0, 0)",
    "assume x > 0, u != 1",
    "function f(s), h(a, b)",
    "let k(a) = a^2 + u, n = (x, y, 0)",
    "roll B on D without spinning",
    "simulate t = 0 .. 1",
};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static uint8_t copy[1 << 12];
    uint32_t state = seed;
    for (uint32_t times = 1 + draw(&state, 3); size && times > 0; times--) {
        const uint32_t kind = draw(&state, 7);
        const range a = pick(data, size, kind < 4, &state), b = pick(data, size, kind < 4, &state);
        size_t n = b.end - b.begin;
        if (n > sizeof copy - 1) n = sizeof copy - 1;
        memcpy(copy, data + b.begin, n);
        const char *word = words[draw(&state, sizeof words / sizeof *words)];
        const char *statement = lines[draw(&state, sizeof lines / sizeof *lines)];
        if (kind == 0)
            size = splice(data, size, most, a, "", 0); /* a line goes */
        else if (kind == 1)
            size = splice(data, size, most, a, copy, n); /* or is another one */
        else if (kind == 2)
            copy[n++] = '\n', size = splice(data, size, most, (range){a.begin, a.begin}, copy, n);
        else if (kind == 3)
            size = splice(data, size, most, a, statement, strlen(statement));
        else if (kind == 4)
            size = splice(data, size, most, a, copy, n); /* a word is another one */
        else if (kind == 5)
            size = splice(data, size, most, a, word, strlen(word));
        else
            data[draw(&state, size)] = (uint8_t) "+-*/^()=,'.\n 0129xyt"[draw(&state, 20)];
    }
    return size;
}

/* One model with a few lines or words of another. */
size_t LLVMFuzzerCustomCrossOver(const uint8_t *one, size_t size_one, const uint8_t *two,
                                 size_t size_two, uint8_t *out, size_t most, unsigned seed)
{
    uint32_t state = seed;
    size_t size = size_one < most ? size_one : most;
    memcpy(out, one, size);
    for (uint32_t times = 1 + draw(&state, 4); size && size_two && times > 0; times--) {
        const bool line = draw(&state, 3) > 0;
        const range from = pick(two, size_two, line, &state);
        range to = pick(out, size, line, &state);
        if (line && draw(&state, 2)) { /* the line comes to the others */
            to.end = to.begin;
            size = splice(out, size, most, to, "\n", 1);
        }
        size = splice(out, size, most, to, two + from.begin, from.end - from.begin);
    }
    return size;
}
