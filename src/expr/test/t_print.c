/* t_print.c - expressions as they are written. The expected texts are written by hand. */
#include "expr_support.h"
#include <string.h>

static void check_print(ah_ctx *ctx, const char *in, ah_format format, const char *want)
{
    CHECK_STR(expr_text(ctx, &ctx->job, support_read(ctx, in), format), want);
}

/* Symbols in a fixed order of age, so that the texts do not depend on each other. */
static void declare(ah_ctx *ctx)
{
    static const char *const parameters[] = {"m", "g", "k", "R"};
    static const char *const coordinates[] = {"x", "y", "theta", "phi1", "alpha"};
    for (int i = 0; i < 4; i++) expr_symbol(ctx, AH_PARAMETER, parameters[i]);
    expr_time(ctx);
    for (int i = 0; i < 5; i++) expr_dot(ctx, expr_symbol(ctx, AH_COORDINATE, coordinates[i]));
}

EXPR_TEST(text)
{
    (void) arg;
    declare(ctx);
    static const char *const cases[][2] = {
        {"1/2*m*(x'^2 + y'^2)", "½ m (x'² + y'²)"},
        {"-m*g*x*sin(alpha)", "-m g x sin α"},
        {"theta'*x*m", "m x θ'"},
        {"m*x'' + k*x", "m x'' + k x"},
        {"k*x + m*x''", "m x'' + k x"},
        {"3 + x", "x + 3"},
        {"3 + 1/x", "1/x + 3"},
        {"1 - x^2", "1 - x²"},
        {"x - m*g*cos(theta)", "x - m g cos θ"},
        {"-x^2 - y + 1", "1 - x² - y"},
        {"-x - y", "-x - y"},
        {"k + m*R^2", "m R² + k"},
        {"sin(theta)^2*m", "m sin²θ"},
        {"sin(2*theta)^2", "sin²(2 θ)"},
        {"sin(theta)*cos(phi1)", "sin θ cos φ₁"},
        {"sin(theta)/m", "sin(θ)/m"},
        {"m/sin(theta)", "m/sin θ"},
        {"x/(m*g)", "x/(m g)"},
        {"x/2", "½ x"},
        {"(x + y)/2", "½ (x + y)"},
        {"(x + y)/(x - y)", "(x + y)/(x - y)"},
        {"3*x/7", "3 x/7"},
        {"2/(3*x)", "2/(3 x)"},
        {"1/x^2", "1/x²"},
        {"x^(-1/2)", "1/√x"},
        {"sqrt(x^2 + y^2)", "√(x² + y²)"},
        {"2*sqrt(2)*x", "2 √2 x"},
        {"x^(3/2)", "x^(3/2)"},
        {"x^k", "x^k"},
        {"x^(k + 1)", "x^(k + 1)"},
        {"(x + y)^3", "(x + y)³"},
        {"x^12", "x¹²"},
        {"2*3^(1/3)", "2·3^(1/3)"},
        {"exp(-x)", "exp(-x)"},
        {"abs(x - y)*m", "m |x - y|"},
        {"log(x)^2", "log(x)²"},
        {"tan(theta)^(1/3)", "tan(θ)^(1/3)"},
        {"9.81*m", "9.81 m"},
        {"-0.1*theta'", "-0.1 θ'"},
        {"pi*x/4", "¼ π x"},
        {"f(t)*x", "x f(t)"},
        {"f''(t)^2", "f''(t)²"},
        {"-(x + y)", "-(x + y)"},
        {"x - 2*(y + 1)", "x - 2 (y + 1)"},
        {"0", "0"},
        {"-3", "-3"},
        {"-2/3", "-⅔"},
        {"5/7", "5/7"},
        {"1/0", "1/0"},
        {"phi1'^2", "φ₁'²"},
        {"sign(x)", "sgn(x)"},
        {"atan2(y, x)", "atan2(y, x)"},
        {"x/(2*sqrt(x + y))", "½ x/√(x + y)"},
        {"(x*y)^(1/3)", "(x y)^(1/3)"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_print(ctx, cases[i][0], AH_TEXT, cases[i][1]);
}

EXPR_TEST(latex)
{
    (void) arg;
    declare(ctx);
    static const char *const cases[][2] = {
        {"1/2*m*(x'^2 + y'^2)", "\\frac{1}{2} m \\left(\\dot{x}^{2} + \\dot{y}^{2}\\right)"},
        {"phi1''", "\\ddot{\\varphi}_{1}"},
        {"phi1'^2", "\\dot{\\varphi}_{1}^{2}"},
        {"m*sin(theta)^2", "m \\sin^{2} \\theta"},
        {"sin(2*theta)", "\\sin\\left(2 \\theta\\right)"},
        {"(x + y)/(2*m)", "\\frac{x + y}{2 m}"},
        {"x*y/(x + y)", "\\frac{x y}{x + y}"},
        {"3*x/7", "\\frac{3}{7} x"},
        {"sqrt(x + y)", "\\sqrt{x + y}"},
        {"x^(k + 1)", "x^{k + 1}"},
        {"-x/m", "-\\frac{x}{m}"},
        {"f'(t)", "f'\\left(t\\right)"},
        {"2*3^(1/3)", "2 \\cdot 3^{\\frac{1}{3}}"},
        {"abs(x)", "\\left|x\\right|"},
        {"asin(x)*pi", "\\pi \\arcsin\\left(x\\right)"},
        {"9.81*m", "9.81 m"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_print(ctx, cases[i][0], AH_LATEX, cases[i][1]);
}

EXPR_TEST(c_code)
{
    (void) arg;
    ah_expr x = support_read(ctx, "x");
    CHECK_INT(expr_slot(ctx, x), 0);
    static const char *const cases[][2] = {
        {"x^2/2", "0.5*(s0*s0)"},
        {"1/3 + x", "s0 + 0.33333333333333331"},
        {"sqrt(x)", "sqrt(s0)"},
        {"x^9", "pow(s0, 9.0)"},
        {"1/x", "1.0/s0"},
        {"-2/(x + 1)", "-2.0/(s0 + 1.0)"},
        {"x^(-2)", "1.0/(s0*s0)"},
        {"abs(x)*pi", "3.1415926535897931*fabs(s0)"},
        {"sign(x)", "(((s0) > 0.0) - ((s0) < 0.0))"},
        {"f(x)", "NAN"},
        {"10^400*x", "HUGE_VAL*s0"},
        {"atan2(x, 2)", "atan2(s0, 2.0)"},
        {"10^20*x", "1e+20*s0"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        check_print(ctx, cases[i][0], AH_C, cases[i][1]);
}

static const char *own_name(void *user, ah_expr symbol)
{
    (void) symbol;
    return user;
}

EXPR_TEST(styles)
{
    (void) arg;
    ah_expr e = support_read(ctx, "phi1''*theta'*x");
    expr_style style = expr_style_defaults(AH_TEXT);
    style.dots = true;
    text out = text_begin(&ctx->job);
    expr_print(ctx, &out, e, &style);
    CHECK_STR(text_end(&out), "x θ\u0307 φ\u0308₁");
    style = expr_style_defaults(AH_TEXT);
    style.greek = false;
    out = text_begin(&ctx->job);
    expr_print(ctx, &out, e, &style);
    CHECK_STR(text_end(&out), "x theta' phi₁''");
    style = expr_style_defaults(AH_C);
    style.symbol = own_name;
    style.user = "q[3]";
    out = text_begin(&ctx->job);
    expr_print(ctx, &out, support_read(ctx, "2*x"), &style);
    CHECK_STR(text_end(&out), "2.0*q[3]");
}

static char *name_in(ah_ctx *ctx, const char *name, ah_format format)
{
    expr_style style = expr_style_defaults(format);
    text out = text_begin(&ctx->job);
    expr_print_name(&out, name, &style);
    return text_end(&out);
}

/* Different names look different in every format, whichever symbol came first. */
EXPR_TEST(names_that_look_alike)
{
    (void) arg;
    static const char *const name[] = {
        "x",    "x_",      "x1",     "x_1",   "x[1]",   "x.1",   "x__1",   "x1_",   "x_1_",
        "x_a",  "x.a",     "xa",     "theta", "theta1", "o",     "x11",    "x_11",  "theta_1",
        "x1_1", "omicron", "x_a[1]", "x_a.1", "x[1,2]", "x_1.2", "x_1[2]", "x[1].2"};
    enum { COUNT = sizeof name / sizeof *name };
    static const ah_format formats[] = {AH_TEXT, AH_LATEX, AH_MATHML, AH_ASCII};
    for (size_t i = 0; i < COUNT; i++) expr_symbol(ctx, AH_PARAMETER, name[i]);
    for (size_t f = 0; f < sizeof formats / sizeof *formats; f++)
        for (size_t i = 0; i < COUNT; i++)
            for (size_t k = 0; k < i; k++)
                if (!CHECK(strcmp(name_in(ctx, name[i], formats[f]),
                                  name_in(ctx, name[k], formats[f]))))
                    harness_check_str(name[i], name[k], __FILE__, __LINE__);
    static const char *const latin[] = {"Alpha", "Beta",  "Epsilon", "Zeta", "Eta",
                                        "Iota",  "Kappa", "Mu",      "Nu",   "Omicron",
                                        "Rho",   "Tau",   "Upsilon", "Chi",  "omicron"};
    for (size_t i = 0; i < sizeof latin / sizeof *latin;
         i++) /* their letters are those of A, B, E … */
        CHECK_STR(name_in(ctx, latin[i], AH_TEXT), latin[i]);
    CHECK_STR(name_in(ctx, "x1", AH_TEXT), "x₁");
    CHECK_STR(name_in(ctx, "x_1", AH_TEXT), "x_1");
    CHECK_STR(name_in(ctx, "x_1", AH_LATEX), "\\mathit{x\\_1}");
    CHECK_STR(name_in(ctx, "x_2", AH_TEXT), "x₂");    /* nobody else has it */
    CHECK_STR(name_in(ctx, "delta'", AH_TEXT), "δ'"); /* the rate of an input */
    CHECK_STR(name_in(ctx, "delta''", AH_LATEX), "\\ddot{\\delta}");
    CHECK_STR(name_in(ctx, "delta'", AH_ASCII), "delta'");
}

/* Whether a claim speaks of lambda[1] changes nothing in how a method's λ₁ looks. */
EXPR_TEST(claims_take_no_looks)
{
    (void) arg;
    expr_symbol(ctx, AH_DERIVED, "lambda[1]");
    const ah_expr lambda = expr_symbol(ctx, AH_MULTIPLIER, "lambda1");
    CHECK_STR(expr_text(ctx, &ctx->job, lambda, AH_TEXT), "λ₁");
    CHECK_STR(expr_text(ctx, &ctx->job, lambda, AH_LATEX), "\\lambda_{1}");
    const ah_expr family = expr_symbol(ctx, AH_PARAMETER, "lambda_1"); /* names of a model do */
    CHECK_STR(expr_text(ctx, &ctx->job, family, AH_TEXT), "lambda_1");
}

/* Names of several letters stand apart from what they are multiplied with. */
EXPR_TEST(words_stand_apart)
{
    (void) arg;
    const ah_expr e = support_read(ctx, "12*kt*phiL*x*y");
    CHECK_STR(expr_text(ctx, &ctx->job, e, AH_LATEX),
              "12 \\, \\mathit{kt} \\, \\mathit{phiL} \\, x y");
    CHECK_STR(expr_text(ctx, &ctx->job, e, AH_MATHML),
              "<mrow><mn>12</mn><mo rspace=\"0.17em\">&#x2062;</mo><mi>kt</mi>"
              "<mo rspace=\"0.17em\">&#x2062;</mo><mi>phiL</mi><mo rspace=\"0.17em\">&#x2062;</mo>"
              "<mi>x</mi><mo>&#x2062;</mo><mi>y</mi></mrow>");
}

EXPR_TEST(names)
{
    (void) arg;
    static const char *const cases[][4] = {
        {"theta1", "θ₁", "\\theta_{1}", "<msub><mi>θ</mi><mn>1</mn></msub>"},
        {"x[12]", "x₁₂", "x_{12}", "<msub><mi>x</mi><mn>12</mn></msub>"},
        {"m_2", "m₂", "m_{2}", "<msub><mi>m</mi><mn>2</mn></msub>"},
        {"m_a", "m_a", "m_{a}", "<msub><mi>m</mi><mi>a</mi></msub>"},
        {"k_max", "k_max", "k_{\\mathrm{max}}", "<msub><mi>k</mi><mi>max</mi></msub>"},
        {"speed", "speed", "\\mathit{speed}", "<mi>speed</mi>"},
        {"Omega", "Ω", "\\Omega", "<mi>Ω</mi>"},
        {"Alpha", "Alpha", "\\mathit{Alpha}", "<mi>Alpha</mi>"},
        {"omicron2", "omicron₂", "\\mathit{omicron}_{2}",
         "<msub><mi>omicron</mi><mn>2</mn></msub>"},
        {"x_a[1]", "x_a[1]", "x_{\\mathrm{a,1}}", "<msub><mi>x</mi><mi>a,1</mi></msub>"},
        {"x[1].2", "x[1].2", "x_{1,2}", "<msub><mi>x</mi><mi>1,2</mi></msub>"},
        {"lambda_phi", "λ_phi", "\\lambda_{\\varphi}", "<msub><mi>λ</mi><mi>φ</mi></msub>"},
        {"rod.2", "rod₂", "\\mathit{rod}_{2}", "<msub><mi>rod</mi><mn>2</mn></msub>"},
        {"<b>", "<b>", "\\mathit{<b>}", "<mi>&lt;b&gt;</mi>"},
        {"a%", "a%", "\\mathit{a\\%}", "<mi>a%</mi>"},
        {"_", "_", "\\_", "<mi>_</mi>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        CHECK_STR(name_in(ctx, cases[i][0], AH_TEXT), cases[i][1]);
        CHECK_STR(name_in(ctx, cases[i][0], AH_LATEX), cases[i][2]);
        CHECK_STR(name_in(ctx, cases[i][0], AH_MATHML), cases[i][3]);
        CHECK_STR(name_in(ctx, cases[i][0], AH_ASCII), cases[i][0]);
    }
    CHECK_STR(expr_greek("theta"), "θ");
    CHECK(expr_greek("thet") == NULL && expr_greek("") == NULL);
    CHECK_STR(expr_english(0x3D1), "theta");
    CHECK_STR(expr_english(0x3A9), "Omega");
    CHECK(expr_english('x') == NULL);
}

EXPR_TEST(partial_derivatives)
{
    (void) arg;
    declare(ctx);
    ah_expr x = support_read(ctx, "x"), y = support_read(ctx, "y");
    ah_expr V = expr_unknown(ctx, "V", 2, (ah_expr[]){x, y}, NULL);
    ah_expr V_x = expr_diff(ctx, V, x), V_xxy = expr_diff(ctx, expr_diff(ctx, V_x, x), y);
    CHECK_STR(expr_text(ctx, &ctx->job, V, AH_TEXT), "V(x, y)");
    CHECK_STR(expr_text(ctx, &ctx->job, V_x, AH_TEXT), "∂V/∂x");
    CHECK_STR(expr_text(ctx, &ctx->job, V_xxy, AH_TEXT), "∂³V/∂x²∂y");
    CHECK_STR(expr_text(ctx, &ctx->job, V_xxy, AH_LATEX),
              "\\frac{\\partial^{3} V}{\\partial x^{2} \\partial y}");
    CHECK_STR(expr_text(ctx, &ctx->job, V_xxy, AH_ASCII), "V'[2,1](x, y)");
    CHECK_STR(expr_text(ctx, &ctx->job, expr_mul(ctx, V_x, x), AH_TEXT), "x (∂V/∂x)");
    CHECK_STR(expr_text(ctx, &ctx->job, expr_powi(ctx, V_x, 2), AH_TEXT), "(∂V/∂x)²");
    ah_expr moved = expr_subst(ctx, V_x, 1, &y, (ah_expr[]){expr_int(ctx, 1)});
    CHECK_STR(expr_text(ctx, &ctx->job, moved, AH_TEXT), "V⁽¹,⁰⁾(x, 1)");
    CHECK_STR(expr_text(ctx, &ctx->job, moved, AH_LATEX), "V^{(1,0)}\\left(x, 1\\right)");
}

/* What AH_ASCII writes reads back as the same node. */
EXPR_TEST(ascii_reads_back)
{
    (void) arg;
    declare(ctx);
    static const char *const cases[] = {
        "x - (y - 1)",     "2*(x + 1)",    "-(x + y)",
        "x/(y*m)/2",       "(x^y)^k",      "x^(y^k)",
        "(x + 1)^(-3/2)",  "2^1000000000", "sqrt(-2)",
        "(2/3)^(1/3)",     "1/0",          "0/0",
        "f(x)*f''(t)",     "exp(-x^2)/2",  "-x^2",
        "(-x)^k",          "x^(-k)",       "-1/2*x'*y''",
        "pi^2/6",          "2*sqrt(2)/3",  "abs(x - y)^3",
        "atan2(-x, y)",    "-3/7",         "1/(x + y)^2",
        "sign(x)*x^(1/3)", "1/x^k",        "(x*y)^(3/2)",
        "sqrt(x/y)",       "1/sqrt(8)",    "(1/2)^(1/3)*x",
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        ah_expr e = support_read(ctx, cases[i]);
        const char *s = expr_text(ctx, &ctx->job, e, AH_ASCII);
        harness_check(support_read(ctx, s) == e, __FILE__, __LINE__, s);
    }
    const ah_expr symbols[] = {support_read(ctx, "x"), support_read(ctx, "y"),
                               support_read(ctx, "theta'"), support_read(ctx, "k")};
    for (int i = 0; i < 2000; i++) {
        ah_expr e = support_build(ctx, support_random_tree(ctx, 1 + i % 6, 4, symbols));
        const char *s = expr_text(ctx, &ctx->job, e, AH_ASCII);
        harness_check(support_read(ctx, s) == e, __FILE__, __LINE__, s);
    }
}

/* ---- MathML: well formed, with the right number of parts ------------------------------------- */

typedef struct xml {
    const char *at;
    bool good;
} xml;

/* Reads one element and its content; counts its child elements. */
static void read_element(xml *x)
{
    char tag[32] = {0};
    size_t n = strcspn(x->at + 1, " >"), parts = 0;
    if (*x->at != '<' || n == 0 || n >= sizeof tag) {
        x->good = false;
        return;
    }
    memcpy(tag, x->at + 1, n);
    x->at = strchr(x->at, '>') + 1;
    if (x->at[-2] == '/') return; /* <mspace/> */
    while (x->good && strncmp(x->at, "</", 2)) {
        if (*x->at == '<') {
            read_element(x);
            parts++;
        } else if (*x->at == 0 || *x->at == '>') {
            x->good = false;
        } else {
            x->at++;
        }
    }
    if (!x->good) return;
    x->good = !strncmp(x->at + 2, tag, n) && x->at[2 + n] == '>';
    bool pair = !strcmp(tag, "msup") || !strcmp(tag, "mfrac") || !strcmp(tag, "msub") ||
                !strcmp(tag, "mover");
    if (pair && parts != 2) x->good = false;
    x->at += 3 + n;
}

EXPR_TEST(mathml)
{
    (void) arg;
    declare(ctx);
    check_print(ctx, "x/2", AH_MATHML,
                "<mrow><mfrac><mn>1</mn><mn>2</mn></mfrac><mo>&#x2062;</mo><mi>x</mi></mrow>");
    check_print(ctx, "sin(theta)^2", AH_MATHML,
                "<mrow><msup><mi>sin</mi><mn>2</mn></msup><mo rspace=\"0.17em\">&#x2061;</mo>"
                "<mrow><mi>θ</mi></mrow></mrow>");
    check_print(ctx, "x*cos(theta)", AH_MATHML,
                "<mrow><mi>x</mi><mo rspace=\"0.17em\">&#x2062;</mo><mrow><mi>cos</mi>"
                "<mo rspace=\"0.17em\">&#x2061;</mo><mrow><mi>θ</mi></mrow></mrow></mrow>");
    check_print(
        ctx, "phi1'", AH_MATHML,
        "<msub><mover accent=\"true\"><mi>φ</mi><mo>&#x02D9;</mo></mover><mn>1</mn></msub>");
    check_print(
        ctx, "x*(y + 1)", AH_MATHML,
        "<mrow><mi>x</mi><mo>&#x2062;</mo><mrow><mo stretchy=\"false\">(</mo><mrow><mi>y</mi>"
        "<mo>+</mo><mn>1</mn></mrow><mo stretchy=\"false\">)</mo></mrow></mrow>");
    check_print(ctx, "x*(1/y + 1)", AH_MATHML,
                "<mrow><mi>x</mi><mo>&#x2062;</mo><mrow><mo stretchy=\"true\" >(</mo><mrow><mfrac>"
                "<mrow><mn>1</mn></mrow><mrow><mi>y</mi></mrow></mfrac><mo>+</mo><mn>1</mn></mrow>"
                "<mo stretchy=\"true\" >)</mo></mrow></mrow>");
    check_print(ctx, "phi1^2", AH_MATHML, "<msubsup><mi>φ</mi><mn>1</mn><mn>2</mn></msubsup>");
    check_print(ctx, "-sqrt(x)", AH_MATHML,
                "<mrow><mo>&#x2212;</mo><msqrt><mi>x</mi></msqrt></mrow>");
    const ah_expr symbols[] = {
        support_read(ctx, "x"), support_read(ctx, "f''(t)"), support_read(ctx, "phi1'"),
        expr_diff(
            ctx,
            expr_unknown(ctx, "V", 2, (ah_expr[]){expr_time(ctx), support_read(ctx, "x")}, NULL),
            support_read(ctx, "x"))};
    for (int i = 0; i < 1000; i++) {
        ah_expr e = support_build(ctx, support_random_tree(ctx, 1 + i % 5, 4, symbols));
        xml x = {expr_text(ctx, &ctx->job, e, AH_MATHML), true};
        const char *all = x.at;
        read_element(&x);
        harness_check(x.good && *x.at == 0, __FILE__, __LINE__, all);
    }
}

/* LaTeX braces and brackets pair up. */
EXPR_TEST(latex_is_balanced)
{
    (void) arg;
    declare(ctx);
    const ah_expr symbols[] = {support_read(ctx, "x"), support_read(ctx, "f''(t)"),
                               support_read(ctx, "phi1'"), support_read(ctx, "k")};
    for (int i = 0; i < 500; i++) {
        ah_expr e = support_build(ctx, support_random_tree(ctx, 1 + i % 5, 4, symbols));
        const char *s = expr_text(ctx, &ctx->job, e, AH_LATEX);
        int braces = 0, brackets = 0;
        for (const char *c = s; *c; c++) {
            braces += (*c == '{') - (*c == '}');
            brackets += !strncmp(c, "\\left", 5) - !strncmp(c, "\\right", 6);
            if (braces < 0 || brackets < 0) break;
        }
        harness_check(braces == 0 && brackets == 0, __FILE__, __LINE__, s);
    }
}

/* A text may grow in the arena that printing takes its temporaries from. */
EXPR_TEST(texts_in_the_scratch_arena)
{
    (void) arg;
    ah_expr e = support_read(ctx, "x");
    for (long i = 1; i < 200; i++)
        e = expr_add(ctx, e,
                     expr_mul(ctx, expr_int(ctx, i), expr_powi(ctx, support_read(ctx, "y*m"), i)));
    e = expr_call1(ctx, AH_EXP, expr_mul(ctx, e, expr_call1(ctx, AH_SIN, e)));
    for (ah_format f = AH_TEXT; f <= AH_ASCII; f++)
        CHECK_STR(expr_text(ctx, &ctx->scratch, e, f), expr_text(ctx, &ctx->job, e, f));
}

/* The tree of a small graph can be enormous: printing ends in a clean refusal. */
static void print_shared(ah_ctx *ctx, void *arg)
{
    (void) arg;
    ah_expr e = expr_symbol(ctx, AH_COORDINATE, "x");
    for (int i = 0; i < 60; i++)
        e = expr_mul(ctx, expr_call1(ctx, AH_SIN, e), expr_call1(ctx, AH_COS, e));
    expr_text(ctx, &ctx->job, e, AH_TEXT);
}

TEST(printing_a_tree_too_large_is_refused)
{
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.memory = 4 << 20;
    ah_ctx *ctx = ah_ctx_create(&options);
    CHECK_INT(ctx_guard(ctx, print_shared, NULL), AH_E_LIMIT);
    ah_ctx_destroy(ctx);
}
