/* fuzz_commands.c - whole commands on mutated models: read, and then one question, chosen by the bytes.
 *
 * Random bytes are hardly ever a model, so the mutator works on words and lines: what comes out is
 * read to the end often enough to reach derivations, motions and searches. Small limits keep a run
 * short; ending at one is no finding. */
#include <anholo/anholo.h>

#include <ctype.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed);

/* ---- Questions ------------------------------------------------------------------------------- */

static void write_answer(ah_status made, ah_answer **a, ah_format f)
{
    const char *out;
    if (made == AH_OK) ah_answer_write(*a, f, &out);
    ah_answer_destroy(*a);
}

static void check(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    ah_answer *a;
    write_answer(ah_check(m, &a), &a, f);
}

static void derive(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    static const ah_format formats[] = {AH_TEXT, AH_LATEX, AH_MATHML, AH_JSON};
    ah_answer *a;
    ah_derive_options o = ah_derive_defaults();
    o.steps = true;
    for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
        if (formats[i] == f || i % 2) write_answer(ah_derive(m, &o, &a), &a, formats[i]);
}

static void eval(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    const char *out;
    ah_eval_options o = ah_eval_defaults();
    o.method = "all";
    o.project = true;
    ah_eval(m, &o, f, &out);
}

static void digits(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    const char *out;
    ah_eval_options o = ah_eval_defaults();
    o.digits = 20;
    ah_eval(m, &o, f, &out);
}

static bool swallow(void *user, const char *text, size_t length)
{
    *(size_t *) user += length + (text != NULL);
    return true;
}

static void simulate(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    static const char *const integrators[] = {"auto", "taylor", "bdf", "ida", "adams"};
    const char *out;
    size_t bytes = 0;
    ah_simulate_options o = ah_simulate_defaults();
    o.samples = 11;
    o.most_steps = 200;
    o.engine = "interpret"; /* compilers are not under test, and slow */
    o.write = o.write_event = swallow;
    o.user = o.event_user = &bytes;
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        o.integrator = integrators[i];
        ah_simulate(m, &o, f, &out);
        ah_ctx_reset_status(ctx);
    }
}

static void verify(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    ah_answer *a;
    ah_crosscheck_options o = ah_crosscheck_defaults();
    ah_verify_options v = ah_verify_defaults();
    o.states = v.states = 5;
    write_answer(ah_verify(m, &v, &a), &a, f);
    write_answer(ah_crosscheck(m, &o, &a), &a, f);
}

static void integrals(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    ah_answer *a;
    ah_integrals_options o = ah_integrals_defaults();
    o.degree = o.coordinates_degree = 1;
    write_answer(ah_integrals(m, &o, &a), &a, f);
}

static void steady(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    ah_answer *a;
    ah_steady_options o = ah_steady_defaults();
    ah_stability_options s = ah_stability_defaults();
    o.starts = 3;
    write_answer(ah_steady(m, &o, &a), &a, f);
    write_answer(ah_stability(m, &s, &a), &a, f);
}

static void report(ah_ctx *ctx, ah_model *m, ah_format f)
{
    (void) ctx;
    (void) f;
    const ah_page *page;
    ah_report_options o = ah_report_defaults();
    o.samples = 11;
    ah_report(m, &o, &page);
}

typedef void question(ah_ctx *ctx, ah_model *m, ah_format f);
static question *const questions[] = {check,  derive,    eval,   digits, simulate,
                                      verify, integrals, steady, report};

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
    if (ah_read(ctx, "fuzz.ah", (const char *) data, size, NULL, &m) == AH_OK && m)
        questions[h % (sizeof questions / sizeof *questions)](ctx, m,
                                                              h >> 16 & 1 ? AH_JSON : AH_TEXT);
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

static const char *const words[] = {
    "0",   "1",   "-1",      "1e300",  "1e-300",    "2^53",        "1/0",       "x",      "x'",
    "x''", "t",   "sin(x)",  "1/3",    "sqrt(2)",   "abs(x)",      "exp(x)",    "log(x)", "pi",
    "0.1", "x^2", "x^(1/2)", "energy", "lambda[1]", "atan2(x, t)", "(x + t)^3", "x_1",    "f(t)"};

size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size, size_t most, unsigned seed)
{
    static uint8_t copy[1 << 12];
    uint32_t state = seed;
    for (uint32_t times = 1 + draw(&state, 3); size && times > 0; times--) {
        const uint32_t kind = draw(&state, 6);
        const range a = pick(data, size, kind < 3, &state), b = pick(data, size, kind < 3, &state);
        size_t n = b.end - b.begin;
        if (n > sizeof copy - 1) n = sizeof copy - 1;
        memcpy(copy, data + b.begin, n);
        const char *word = words[draw(&state, sizeof words / sizeof *words)];
        if (kind == 0)
            size = splice(data, size, most, a, "", 0); /* a line goes */
        else if (kind == 1)
            size = splice(data, size, most, a, copy, n); /* or is another one */
        else if (kind == 2)
            copy[n++] = '\n', size = splice(data, size, most, (range){a.begin, a.begin}, copy, n);
        else if (kind == 3)
            size = splice(data, size, most, a, copy, n); /* a word is another one */
        else if (kind == 4)
            size = splice(data, size, most, a, word, strlen(word));
        else
            data[draw(&state, size)] = (uint8_t) "+-*/^()=,'.\n 0129xyt"[draw(&state, 20)];
    }
    return size;
}
