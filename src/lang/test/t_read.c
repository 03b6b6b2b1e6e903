/* t_read.c - the public calls: expressions in the names of a model, settings, stages, messages. */
#include "harness.h"
#include "lang/lang.h"
#include "model/model.h"
#include <anholo/lang.h>

#include <string.h>

static const char skate[] =
    "system \"Skate\"\n"
    "parameter m = 2, I = 0.3, n = 3\n"
    "coordinate x, y, theta, q[1..n]\n"
    "function f(t)\n"
    "let speed2 = x'^2 + y'^2, along(r) = dot(r, (cos(theta), sin(theta)))\n"
    "point P mass m at (x, y)\n"
    "kinetic I*theta'^2/2 + sum(i = 1 .. n, q[i]'^2)\n"
    "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
    "quasivelocity w1 = theta', w2 = x'*cos(theta) + y'*sin(theta), u[1] = q[1]', u[2] = q[2]',\n"
    "    u[3] = q[3]'\n";

static ah_model *model_of(ah_ctx *ctx, const char *input, const char *set)
{
    ah_model *m = NULL;
    lang_read(ctx, "model.ah", input, strlen(input), set, &m);
    return m;
}

/* The expression, printed; NULL after an error. */
static const char *expression(ah_model *m, const char *input)
{
    ah_expr e;
    ah_ctx_reset_status(m->ctx);
    return ah_read_expression(m, "here", input, &e) == AH_OK ? ah_print(m->ctx, e, AH_ASCII) : NULL;
}

static bool refused(ah_model *m, const char *input, const char *code, unsigned column)
{
    ah_expr e;
    ah_ctx_reset_status(m->ctx);
    const ah_status status = ah_read_expression(m, "here", input, &e);
    const ah_diagnostic *d = ah_diagnostic_get(m->ctx, 0);
    return status == AH_E_INPUT && e == AH_NONE && d && !strcmp(d->code, code) &&
           ah_span_place(m->ctx, d->span).column == column &&
           !strcmp(ah_span_place(m->ctx, d->span).file, "here");
}

TEST(expressions_in_the_names_of_a_model)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_of(ctx, skate, NULL);
    REQUIRE(m != NULL);
    CHECK_STR(expression(m, "1.5e0"), "3/2");
    CHECK_STR(expression(m, "q[n]'"), "q[3]'");
    CHECK_STR(expression(m, "θ''"), "theta''");
    CHECK_STR(expression(m, "along(velocity(P))"), expression(m, "x'*cos(theta) + y'*sin(theta)"));
    CHECK_STR(expression(m, "kinetic - m*speed2/2"),
              expression(m, "I*theta'^2/2 + sum(i=1..3, q[i]'^2)"));
    CHECK_STR(expression(m, "w2' + u[2]"), expression(m, "u[2] + w2'"));
    CHECK_STR(expression(m, "f'(t)"), expression(m, "der(f(t))"));
    CHECK(refused(m, "x + z", "A0201", 5));
    CHECK(refused(m, "x +", "A0106", 4));
    CHECK(refused(m, "", "A0106", 1));
    CHECK(refused(m, "x y", "A0106", 3));
    CHECK(refused(m, "position(P)", "A0205", 1));
    CHECK(refused(m, "lambda[1]", "A0402", 1));
    CHECK(refused(m, "q[4]", "A0209", 1));
    CHECK(refused(m, "q", "A0209", 1));
    CHECK(m->finished);
    ah_ctx_destroy(ctx);
}

/* What is printed in ASCII reads back as the same expression. */
TEST(what_is_printed_reads_back)
{
    static const char *const texts[] = {
        "-x^2",     "(-x)^2",      "x^-2",      "(x^y)^2", "x^y^2",        "-(x + y)/2*theta",
        "1/(x*y)",  "x/y/2",       "2/3*x",     "(2/3)^x", "x - (y - 2)",  "exp(-x)*sin(x)^2",
        "q[1]''",   "f''(2*x)",    "sqrt(x)/y", "abs(x)",  "atan2(x, -y)", "(x + 1)^(1/2)",
        "-1^x",     "(x + y)^-1",  "pi*t",      "2^(1/3)", "1e-20",        "x'*w1' - u[1]",
        "der(x*y)", "der(abs(x))", "10^30",     "-(2/3)",  "(-2/3)^x",     "cos(-x)",
    };
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_of(ctx, skate, NULL);
    REQUIRE(m != NULL);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        ah_expr e, again;
        ah_read_expression(m, "text", texts[i], &e);
        const char *printed = ah_print(ctx, e, AH_ASCII);
        ah_read_expression(m, "printed", printed, &again);
        harness_check(e == again && e != AH_NONE, __FILE__, __LINE__, printed ? printed : texts[i]);
    }
    ah_ctx_destroy(ctx);
}

TEST(settings)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_of(ctx, skate, "n=5, m = I*2,\"");
    CHECK(!m && ah_ctx_status(ctx) == AH_E_INPUT);
    ah_ctx_reset_status(ctx);
    m = model_of(ctx, skate, "");
    CHECK(m && m->n == 6);
    m = model_of(ctx, "parameter n = 1\ncoordinate x[1..n]\nkinetic sum(i = 1 .. n, x[i]'^2)\n",
                 "n=2*3");
    CHECK(m && m->n == 6);
    m = model_of(ctx, skate, "f(s)=s^2,m=10");
    REQUIRE(m != NULL);
    ah_expr e;
    ah_read_expression(m, "here", "m*f'(3)", &e);
    model_put_values(m, &e, 1);
    CHECK_STR(ah_print(ctx, e, AH_ASCII), "60");
    ah_ctx_destroy(ctx);
}

/* A name that is not known is answered with the nearest one. */
static bool says(const char *input, const char *set, const char *what)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    model_of(ctx, input, set);
    const bool found = strstr(ah_diagnostics_text(ctx, false), what) != NULL;
    if (!found) printf("# %s", ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
    return found;
}

TEST(messages)
{
    const char *base = "parameter mass = 1, length = 2\ncoordinate theta\nkinetic mass*theta'^2\n";
    char input[300];
#define SAYS(line, what)                                                                           \
    (snprintf(input, sizeof input, "%s%s\n", base, line), says(input, NULL, what))
    CHECK(SAYS("potential lenght*theta", "did you mean `length`?"));
    CHECK(SAYS("potential length*tehta", "did you mean `theta`?"));
    CHECK(SAYS("potential sim(theta)", "did you mean `sin`?"));
    CHECK(SAYS("claim \"a\": enrgy = 0", "did you mean `energy`?"));
    CHECK(SAYS("potental theta", "did you mean `potential`?"));
    CHECK(SAYS("event \"up\": theta = 0", "write: record when e1 = e2"));
    CHECK(SAYS("revolute A, B", "write: hinge P, Q axis z"));
    CHECK(SAYS("initial theta = 0", "write: start x = 0"));
    CHECK(SAYS("event = 3", "let event = …"));
    CHECK(SAYS("parameter mass = 3", "the first time here, model.ah:1:11"));
    CHECK(SAYS("potential theta'", "the potential may hold numbers, parameters, t, coordinates"));
    CHECK(SAYS("potential (theta", "`(` was opened here, model.ah:4:11"));
    CHECK(SAYS("force theta = rho\nparameter rho = 1", "declared here, model.ah:5:11"));
    CHECK(SAYS("point P mass mass", "write: point P mass m at (x, y)"));
    CHECK(says(base, "lenght=3", "did you mean `length`?"));
    CHECK(says(base, "theta=3", "`theta` is a coordinate, not a parameter to be set"));
#undef SAYS
}

/* ---- Stages ---------------------------------------------------------------------------------- */

static const char *stage(ah_ctx *ctx, const char *input, const char *name)
{
    const char *out = NULL;
    ah_dump(ctx, "m.ah", input, strlen(input), NULL, name, &out);
    return out;
}

TEST(stages)
{
    static const char model[] =
        "coordinate θ  # angle\nkinetic 1/2*θ'^2\nfor i = 1 .. 2:\n  force θ = -sin(θ)\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_STR(
        stage(ctx, "let y = x'' .. \"a\"", "tokens"),
        "1:1\ta name\tlet\n1:5\ta name\ty\n1:7\t`=`\n1:9\ta name\tx\n1:10\t`'`\t2\n1:13\t`..`\n"
        "1:16\ta text in quotes\t\"a\"\n1:19\tthe end of the line\n1:19\tthe end of the text\n");
    CHECK_STR(
        stage(ctx, model, "syntax"),
        "model\n  coordinate\n    name theta\n  kinetic\n    product\n      number 1\n      over\n"
        "        number 2\n      power\n        name theta'\n        number 2\n  for i\n    range\n"
        "      number 1\n      number 2\n    list\n      force\n        name theta\n        minus\n"
        "          call sin\n            name theta\n");
    CHECK(strstr(stage(ctx, model, "model"), "force theta = -2*sin(theta)") != NULL);
    const char *graph = stage(ctx, model, "expr");
    CHECK(strstr(graph, "symbol theta'\n") && strstr(graph, "\nT = ") &&
          strstr(graph, "\nF[theta] = "));
    CHECK_INT(ah_error_count(ctx), 0);
    CHECK(stage(ctx, "kinetic", "model") && ah_error_count(ctx) > 0);
    ah_ctx_reset_status(ctx);
    CHECK(stage(ctx, model, "equations") == NULL);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0305");
    ah_ctx_destroy(ctx);
}

/* A call without what it needs says so by its status and leaves nothing in its outputs. */
TEST(calls_without_what_they_need)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_of(ctx, skate, NULL), *none = m;
    REQUIRE(m != NULL);
    CHECK(ah_read(ctx, "m.ah", skate, strlen(skate), NULL, NULL) == AH_E_INPUT);
    CHECK(ah_read(NULL, "m.ah", skate, strlen(skate), NULL, &none) == AH_E_INPUT && !none);
    CHECK(ah_read(ctx, "m.ah", NULL, 3, NULL, &none) == AH_E_INPUT && !none);
    ah_expr e = m->T;
    CHECK(ah_read_expression(NULL, "here", "x", &e) == AH_E_INPUT && e == AH_NONE);
    e = m->T;
    CHECK(ah_read_expression(m, "here", NULL, &e) == AH_E_INPUT && e == AH_NONE);
    CHECK(ah_read_expression(m, "here", "x", NULL) == AH_E_INPUT);
    ah_output outputs[2];
    size_t count = 7;
    CHECK(ah_read_outputs(NULL, "here", "x", 2, outputs, &count) == AH_E_INPUT && !count);
    count = 7;
    CHECK(ah_read_outputs(m, "here", NULL, 2, outputs, &count) == AH_E_INPUT && !count);
    CHECK(ah_read_outputs(m, "here", "x", 2, outputs, NULL) == AH_E_INPUT);
    CHECK(ah_read_outputs(m, "here", "x", 2, NULL, &count) == AH_E_INPUT);
    const char *out = skate;
    CHECK(ah_dump(NULL, "m.ah", skate, 3, NULL, "tokens", &out) == AH_E_INPUT && !out);
    CHECK(ah_dump(ctx, "m.ah", skate, 3, NULL, NULL, &out) == AH_E_INPUT);
    CHECK(ah_dump(ctx, "m.ah", skate, 3, NULL, "tokens", NULL) == AH_E_INPUT);
    CHECK(ah_dump(ctx, "m.ah", NULL, 3, NULL, "tokens", &out) == AH_E_INPUT);
    CHECK(stage(ctx, "kinetic", "expr") && stage(ctx, "kinetic", "names"));
    ah_ctx_destroy(ctx);
}

/* What a figure or a sweep asks for: change(e) of a whole motion, unless the model has such a name; no more than
 * there is room for. */
TEST(outputs)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_of(ctx, skate, NULL);
    REQUIRE(m != NULL);
    ah_output o[3];
    size_t count;
    CHECK(ah_read_outputs(m, "here", "change(energy), x' , 2*y", 3, o, &count) == AH_OK);
    CHECK_INT(count, 3);
    CHECK(o[0].change && !o[1].change && !o[2].change);
    CHECK_STR(o[0].text, "energy");
    CHECK_STR(o[1].text, "x'");
    CHECK_STR(ah_print(ctx, o[2].e, AH_ASCII), "2*y");
    CHECK(ah_read_outputs(m, "here", "x, y, x, y", 3, o, &count) == AH_E_INPUT && count == 0);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0106");
    CHECK(ah_read_outputs(m, "here", "change(x, y)", 3, o, &count) == AH_E_INPUT);
    CHECK(ah_read_outputs(m, "here", "change'(x)", 3, o, &count) == AH_E_INPUT);
    m = model_of(ctx, "coordinate x\nlet change(u) = u^2\nkinetic x'^2\n", NULL);
    REQUIRE(m != NULL);
    CHECK(ah_read_outputs(m, "here", "change(x)", 3, o, &count) == AH_OK && !o[0].change);
    CHECK_STR(ah_print(ctx, o[0].e, AH_ASCII), "x^2");
    ah_ctx_destroy(ctx);
}

TEST(places_of_tokens)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_STR(stage(ctx, "  θ′ # ψ\r\n\n\tφ\n", "tokens"),
              "1:3\ta name\ttheta\n1:4\t`'`\t1\n1:5\tthe end of the line\n3:2\ta name\tphi\n"
              "3:3\tthe end of the line\n4:1\tthe end of the text\n");
    ah_ctx_destroy(ctx);
}

/* Each shared node once: a tower of squares is as long as it is high. */
TEST(shared_nodes_are_printed_once)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    text t = text_begin(&ctx->job);
    text_add(&t, "coordinate x\nlet a0 = sin(x)\n");
    for (int i = 1; i <= 60; i++) text_printf(&t, "let a%d = sin(a%d + a%d*x)\n", i, i - 1, i - 1);
    text_add(&t, "kinetic x'^2 + a60\n");
    const char *graph = stage(ctx, text_end(&t), "expr");
    REQUIRE(graph != NULL);
    size_t lines = 0;
    for (; *graph; graph++) lines += *graph == '\n';
    CHECK(lines > 180 && lines < 260);
    ah_ctx_destroy(ctx);
}
