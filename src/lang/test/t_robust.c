/* t_robust.c - whatever is read, the answer comes within a second and 200 MB: a model or a placed
 * error; and when memory runs out, nothing is lost. */
#include "failing.h"
#include "lang/lang.h"
#include "harness.h"
#include "model/model.h"
#include <anholo/lang.h>

#include <stdlib.h>
#include <string.h>
#include <time.h>

#if defined(AH_SANITIZE)
#define SECONDS                                                                                    \
    8.0 /* code with sanitizers is that much slower, and things in arenas are kept apart */
#define BYTES ((size_t) 400 << 20)
#else
#define SECONDS 1.0
#define BYTES   ((size_t) 200 << 20)
#endif

enum { MEGABYTE = 1 << 20 };

/* ---- Any text -------------------------------------------------------------------------------- */

/* Seconds of the processor: others may use it at the same time. */
static double now(void)
{
    return (double) clock() / CLOCKS_PER_SEC;
}

/* Reads; checks time, memory, and that an error has a place. */
static bool ends_well(const char *what, const char *input, size_t length)
{
    failing memory = {0};
    ah_ctx_options options = ah_ctx_defaults();
    options.realloc = failing_realloc;
    options.user = &memory;
    ah_ctx *ctx = ah_ctx_create(&options);
    const double start = now();
    ah_model *m = NULL;
    const ah_status status = lang_read(ctx, "any.ah", input, length, NULL, &m);
    const char *said = ah_diagnostics_text(ctx, false);
    const double seconds = now() - start;
    bool good = seconds < SECONDS && memory.most_bytes < BYTES;
    if (status == AH_OK) good &= m != NULL;
    for (size_t i = 0; i < ah_diagnostic_count(ctx); i++) {
        const ah_diagnostic *d = ah_diagnostic_get(ctx, i);
        if (d->severity == AH_ERROR) good &= d->span.file != 0;
    }
    if (status != AH_OK) good &= ah_error_count(ctx) > 0;
    if (!good)
        printf("# %s: %.2f s, %zu MB, %.500s\n", what, seconds, memory.most_bytes >> 20, said);
    ah_ctx_destroy(ctx);
    return harness_check(good, __FILE__, __LINE__, what);
}

/* head, then `piece` over and over up to a megabyte (or `count` times), then tail. */
static void repeated(const char *head, const char *piece, size_t count, const char *tail)
{
    const size_t n = strlen(piece);
    if (!count) count = MEGABYTE / n;
    char *input = malloc(strlen(head) + count * n + strlen(tail) + 1), *at = input;
    if (!input) abort();
    at += sprintf(at, "%s", head);
    for (size_t i = 0; i < count; i++, at += n) memcpy(at, piece, n);
    at += sprintf(at, "%s", tail);
    char what[100];
    snprintf(what, sizeof what, "%.40s … %zu times", piece, count);
    ends_well(what, input, (size_t) (at - input));
    free(input);
}

#define KINETIC "coordinate x, y\nkinetic x'^2 + y'^2 + "

TEST(deep_nesting)
{
    repeated(KINETIC, "(", 100000, "");
    repeated(KINETIC, "sin(", 100000, "x");
    repeated(KINETIC, "x[", 100000, "");
    repeated(KINETIC "x", "[1]", 100000, "");
    repeated(KINETIC, "(x, y)[1]", 100000, "");
    repeated(KINETIC "(x, y)", "[1]", 100000, "");
    repeated(KINETIC, "2^", 100000, "x");
    repeated(KINETIC, "-", 100000, "x");
    repeated(KINETIC, "2^-", 100000, "x");
    repeated(KINETIC, "(1, ", 100000, "x");
    repeated("", "for i = 1 .. 2: ", 0, "kinetic x\n");
    repeated(KINETIC, "sum(i = 1 .. 2, ", 0, "x");
    repeated(KINETIC, ")", 100000, "");
    repeated("velocity v: ", "for i = 1 .. 2: ", 0, "x' = v\n");
}

TEST(deep_blocks)
{
    char *input = malloc(2 * MEGABYTE), *at = input;
    if (!input) abort();
    for (int depth = 0; depth < 1000; depth++) at += sprintf(at, "%*sfor i = 1 .. 2:\n", depth, "");
    ends_well("a thousand blocks", input, (size_t) (at - input));
    free(input);
}

TEST(huge_exponents)
{
    static const char *const terms[] = {
        "2^10^9",
        "(x+1)^100000000",
        "2^2^2^2^2^2",
        "10^-10^9",
        "(1/3)^100000000",
        "x^10^9",
        "0^-1",
        "1/0",
        "0^0",
        "(x + y)^(10^6)*(x - y)^(10^6)",
        "(2^1000)^1000^1000",
        "sqrt(2)^100000001",
        "exp(10^9)",
        "1e4000^1000",
        "(-8)^(1/3)^9^9",
        "sin(10^4000)",
        "tan(pi/2)",
        "log(0)",
        "x^(y^(10^9))",
        "abs(-2)^10^7",
    };
    char input[200];
    for (size_t i = 0; i < sizeof terms / sizeof *terms; i++) {
        const int n = snprintf(input, sizeof input, KINETIC "%s\n", terms[i]);
        ends_well(terms[i], input, (size_t) n);
    }
}

TEST(a_megabyte)
{
    repeated(KINETIC, "x + ", 0, "y");
    repeated(KINETIC, "x*", 0, "y");
    repeated(KINETIC, "1/x/", 0, "y");
    repeated(KINETIC "norm((0", ", x", 0, "))");
    repeated("coordinate x, ", "n", 0, "");
    repeated("", "\n", 0, "");
    repeated("", "x\n", 0, "");
    repeated("", "kinetic x\n", 0, "");
    repeated("", " \t", 0, "");
    repeated("# ", "c", 0, "");
    repeated("system \"", "s", 0, "\"");
    repeated("system ", "\"", 0, "");
    repeated(KINETIC, "9", 0, "");
    repeated(KINETIC "x", "'", 0, "");
    repeated("coordinate ", "x, ", 0, "y");
    repeated("parameter a = 1\n", "assume a > 0\n", 0, "");
    repeated(KINETIC "0\n", "let f = 1\n", 0, "");
    repeated("", "#\n", 0, "");
    repeated("", ":\n ", 0, "");
    repeated("", "\xff", 0, "");
    repeated("", "\xce\xb8 ", 0, "");
    repeated(KINETIC "0\n", "constraint x' = y'\n", 300, "");
}

TEST(stages_of_a_megabyte)
{
    static const char *const stages[] = {"tokens", "syntax", "model", "expr"};
    for (size_t k = 0; k < 4; k++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        text t = text_begin(&ctx->job);
        text_add(&t, KINETIC "x");
        while (t.length < MEGABYTE) text_add(&t, " + x");
        const char *out;
        const double start = now();
        CHECK_INT(ah_dump(ctx, "any.ah", t.at, t.length, NULL, stages[k], &out), AH_OK);
        harness_check(now() - start < SECONDS, __FILE__, __LINE__, stages[k]);
        ah_ctx_destroy(ctx);
    }
}

TEST(a_megabyte_of_different_things)
{
    text t;
    ah_ctx *ctx = ah_ctx_create(NULL);
    const arena_mark mark = arena_get_mark(&ctx->job);

    t = text_begin(&ctx->job);
    text_add(&t, KINETIC "0");
    for (int i = 0; t.length < MEGABYTE; i++)
        text_printf(&t, " + %d*x^%d*sin(%d*y)", i % 97, i, i + 1);
    ends_well("a sum of different terms", t.at, t.length);
    arena_release(&ctx->job, mark);

    t = text_begin(&ctx->job);
    for (int i = 0; t.length < MEGABYTE; i++)
        text_printf(&t, "parameter a%d = a%d + 1\n", i + 1, i);
    ends_well("a long row of parameters", t.at, t.length);
    arena_release(&ctx->job, mark);

    t = text_begin(&ctx->job);
    for (int i = 0; t.length < MEGABYTE; i++) text_printf(&t, "let a%d = sin(b%d)\n", i, i);
    ends_well("unknown names", t.at, t.length);
    arena_release(&ctx->job, mark);

    t = text_begin(&ctx->job);
    text_add(&t, KINETIC "0\nlet a0 = x\n");
    for (int i = 0; t.length < MEGABYTE; i++) text_printf(&t, "let a%d = sin(a%d)\n", i + 1, i);
    ends_well("a tower of lets", t.at, t.length);
    ah_ctx_destroy(ctx);
}

TEST(random_bytes)
{
    char *input = malloc(MEGABYTE);
    if (!input) abort();
    for (size_t i = 0; i < MEGABYTE; i++) input[i] = (char) (harness_random() >> 32);
    ends_well("random bytes", input, MEGABYTE);
    for (size_t i = 0; i < MEGABYTE; i++) input[i] = (char) (' ' + (harness_random() >> 32) % 95);
    ends_well("random printable characters", input, MEGABYTE);
    memset(input, 0, MEGABYTE);
    ends_well("a megabyte of NUL", input, MEGABYTE);
    free(input);
}

/* Words, signs and ends of lines of the language in any order. */
TEST(random_tokens)
{
    static const char *const pieces[] = {
        "kinetic ",
        "coordinate ",
        "let ",
        "velocity ",
        "x",
        "y",
        "x'",
        "(",
        ")",
        "[",
        "]",
        ",",
        "=",
        "+",
        "-",
        "*",
        "/",
        "^",
        "..",
        ":",
        "\n",
        "\n    ",
        "1",
        "2.5",
        "\"a\"",
        "for i = ",
        "sum(i = 1 .. 3, ",
        "at ",
        "mass ",
        "claim \"a\": ",
        "constraint c: ",
        "t",
    };
    char input[400];
    for (int trial = 0; trial < 2000; trial++) {
        size_t n = 0;
        n += (size_t) sprintf(input, "coordinate x, y\n");
        for (int k = 0; k < 20; k++)
            n += (size_t) sprintf(input + n, "%s",
                                  pieces[harness_random() % (sizeof pieces / sizeof *pieces)]);
        if (!ends_well(input, input, n)) return;
    }
}

/* ---- Families -------------------------------------------------------------------------------- */

static double seconds_to_read(int bodies)
{
    char input[1000];
    const int n = snprintf(input, sizeof input,
                           "parameter n = %d, m = 1/5, l = 3/10, g = 9.81\n"
                           "coordinate x[1..n], y[1..n]\n"
                           "for i = 1 .. n:\n"
                           "    point P[i] mass m at (x[i], y[i])\n"
                           "for i = 2 .. n:\n"
                           "    constraint rod[i]: (x[i] - x[i-1])^2 + (y[i] - y[i-1])^2 = l^2\n"
                           "gravity (0, -g)\n"
                           "output height = sum(i = 1 .. n, y[i])/n\n",
                           bodies);
    ah_ctx *ctx = ah_ctx_create(NULL);
    const double start = now();
    ah_model *m = NULL;
    const ah_status status = lang_read(ctx, "chain.ah", input, (size_t) n, NULL, &m);
    const double seconds = now() - start;
    harness_check(status == AH_OK && m && m->n == 2 * (uint32_t) bodies, __FILE__, __LINE__,
                  ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
    return seconds;
}

/* Ten times the bodies take some ten times as long, not a hundred times. */
TEST(a_long_chain)
{
    const double small = seconds_to_read(200), large = seconds_to_read(2000);
    CHECK(large < 0.05 + 30 * small);
}

/* ---- No memory ------------------------------------------------------------------------------- */

static void read_rich_model(ah_ctx *ctx, void *arg)
{
    static const char input[] =
        "system \"all\"\nparameter m = 2, g = 9.81, n = 2\ncoordinate x, y, theta, q[1..n]\n"
        "function f(t)\nlet r = (x, y), len(u) = norm(u)\nassume m > 0\n"
        "point P mass m at r\nbody B mass m inertia (1, 1, 1) at (0, 0, x) turn z theta\n"
        "gravity (0, -g)\nkinetic sum(i = 1 .. n, q[i]'^2)\npotential len(r)\n"
        "force x = -x' + f(t)\nforce on P (0, m*g)\ntorque on B (0, 0, 1)\n"
        "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
        "for i = 1 .. n:\n    start q[i] = i\n"
        "quasivelocity w1 = theta', w2 = x'*cos(theta) + y'*sin(theta), w3 = q[1]', w4 = q[2]'\n"
        "start x = 0, w1 = 1\nsimulate t = 0 .. 1\noutput speed = norm(velocity(P))\n"
        "claim \"energy\": constant energy\nclaim \"M\": M[1,1] = lambda[1]\nrefute \"r\": w1' = "
        "0\n";
    const char *broken = arg;
    ah_model *m;
    ah_status status = lang_read(ctx, "rich.ah", input, sizeof input - 1, "m=3,f(s)=sin(s)", &m);
    if (status != AH_OK && status != AH_E_MEMORY) CHECK(!"a model, or no memory");
    if (m) {
        const char *out;
        ah_expr e;
        ah_read_expression(m, "e", "len(position(P)) + energy", &e);
        ah_dump(ctx, "rich.ah", input, sizeof input - 1, NULL, "expr", &out);
    }
    lang_read(ctx, "broken.ah", broken, strlen(broken), NULL, &m);
    ah_diagnostics_text(ctx, false);
}

TEST(no_memory)
{
    char *broken = "parameter a = b, b = a\ncoordinate x, x\nkinetic (x'^2\npotential "
                   "xx'\nfoo\nlet u = x + (1, 2)\n";
    size_t tried = 0;
    CHECK(failing_run(read_rich_model, broken, &tried));
    CHECK(tried > 20);
}

/* ---- Other limits ---------------------------------------------------------------------------- */

TEST(limits_of_the_context)
{
    const char *input =
        "coordinate x\nlet a(u) = sin(u) + 1\nlet b(u) = a(a(u))\nlet c(u) = b(b(b(b(u))))\n"
        "let d(u) = c(c(c(c(u))))\nlet e(u) = d(d(d(d(d(u)))))\nkinetic x'^2 + e(e(x))\n";
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.nodes = 300;
    ah_ctx *ctx = ah_ctx_create(&options);
    ah_model *m;
    CHECK_INT(lang_read(ctx, "a.ah", input, strlen(input), NULL, &m), AH_E_LIMIT);
    CHECK(m == NULL);
    REQUIRE(ah_diagnostic_count(ctx) > 0);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0901");
    CHECK_INT(ah_span_place(ctx, ah_diagnostic_get(ctx, 0)->span).line, 6);
    ah_ctx_destroy(ctx);

    options = ah_ctx_defaults();
    options.limits.nesting = 10;
    ctx = ah_ctx_create(&options);
    input = "coordinate x\nkinetic ((((((((((x'))))))))))^2\n";
    CHECK_INT(lang_read(ctx, "a.ah", input, strlen(input), NULL, &m), AH_OK);
    input = "coordinate x\nkinetic (((((((((((x')))))))))))^2\n";
    CHECK_INT(lang_read(ctx, "a.ah", input, strlen(input), NULL, &m), AH_E_LIMIT);
    ah_ctx_destroy(ctx);
}

TEST(interrupted)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m;
    ah_ctx_interrupt(ctx);
    CHECK_INT(lang_read(ctx, "a.ah", "coordinate x\nkinetic x'^2\n", 27, NULL, &m),
              AH_E_INTERRUPTED);
    CHECK(m == NULL);
    ah_ctx_destroy(ctx);
}
