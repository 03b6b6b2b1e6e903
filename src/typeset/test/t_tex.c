/* t_tex - formulas of the sheets in each format. */
#include "../tex.h"
#include "harness.h"

#include <string.h>

static ah_ctx *ctx;

static const char *formula(const char *tex, ah_format format)
{
    text t = text_begin(&ctx->job);
    tex_formula(&t, tex, format);
    return text_end(&t);
}

static const char *prose(const char *s, ah_format format)
{
    text t = text_begin(&ctx->job);
    tex_prose(&t, s, format);
    return text_end(&t);
}

static const char *plain(const char *s, ah_format format)
{
    text t = text_begin(&ctx->job);
    tex_plain(&t, s, format);
    return text_end(&t);
}

TEST(tex_formulas_as_text)
{
    static const char *const cases[][2] = {
        {"\\Psi", "Ψ"},
        {"G_{\\alpha\\beta}", "G_αβ"},
        {"\\dot{z}", "z\u0307"},
        {"\\ddot{q}", "q\u0308"},
        {"M^{-1}", "M⁻¹"},
        {"J^T", "Jᵀ"},
        {"J M^{-1} J^T", "J M⁻¹ Jᵀ"},
        {"C^a_i", "Cᵃᵢ"},
        {"g_{ij}", "gᵢⱼ"},
        {"Z_\\alpha", "Z_α"},
        {"\\partial^2 T / \\partial \\dot{q}^2", "∂²T/∂q\u0307²"},
        {"A_i - \\Gamma_{hk,i} \\dot{q}^h \\dot{q}^k", "Aᵢ - Γₕₖ,ᵢ q\u0307ʰ q\u0307ᵏ"},
        {"-G_{ab} (C^b_i F^i + \\gamma^b)", "-G_ab (C\u1d47ᵢ Fⁱ + γ\u1d47)"},
        {"\\frac{d}{dt} \\frac{\\partial T}{\\partial \\dot{q}}", "d/dt ∂T/∂q\u0307"},
        {"\\frac{1}{2} \\ddot{q}^T M \\ddot{q} - \\ddot{q}^T L",
         "1/2 q\u0308ᵀ M q\u0308 - q\u0308ᵀ L"},
        {"\\partial S / \\partial \\ddot{q} at \\ddot{q} = 0", "∂S/∂q\u0308 at q\u0308 = 0"},
        {"\\sin\\theta \\cos^2\\varphi", "sin θ cos² φ"},
        {"\\left(a + b\\right) \\cdot c", "(a + b) · c"},
        {"\\psi(q, z, t)", "ψ(q, z, t)"},
        {"\\sqrt{x}", "√x"},
    };
    ctx = ah_ctx_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK_STR(formula(cases[i][0], AH_TEXT), cases[i][1]);
    ah_ctx_destroy(ctx);
}

TEST(tex_formulas_as_latex_are_left_alone)
{
    ctx = ah_ctx_create(NULL);
    CHECK_STR(formula("\\frac{d}{dt} \\Psi^T g", AH_LATEX), "\\frac{d}{dt} \\Psi^T g");
    CHECK_STR(formula("S at \\ddot{q} = 0", AH_LATEX), "S \\text{ at } \\ddot{q} = 0");
    CHECK_STR(formula("\\text{left_rolls} + x", AH_LATEX), "\\text{left\\_rolls} + x");
    CHECK_STR(formula("ψ", AH_LATEX), "\\psi ");
    ah_ctx_destroy(ctx);
}

TEST(tex_formulas_as_mathml)
{
    ctx = ah_ctx_create(NULL);
    CHECK_STR(formula("M^{-1}", AH_MATHML),
              "<mrow><msup><mi>M</mi><mrow><mo>&#x2212;</mo><mn>1</mn></mrow></msup></mrow>");
    CHECK_STR(formula("C^a_i", AH_MATHML),
              "<mrow><msubsup><mi>C</mi><mi>i</mi><mi>a</mi></msubsup></mrow>");
    CHECK_STR(
        formula("\\dot{z}", AH_MATHML),
        "<mrow><mover accent=\"true\"><mrow><mi>z</mi></mrow><mo>&#x02D9;</mo></mover></mrow>");
    CHECK_STR(formula("a < b", AH_MATHML), "<mrow><mi>a</mi><mo>&lt;</mo><mi>b</mi></mrow>");
    ah_ctx_destroy(ctx);
}

TEST(tex_prose_knows_formulas_and_code)
{
    static const char s[] = "of `x_1 & y`: $J \\ddot{q}$ is 5 % < 6";
    ctx = ah_ctx_create(NULL);
    CHECK_STR(prose(s, AH_TEXT), "of `x_1 & y`: J q\u0308 is 5 % < 6");
    CHECK_STR(prose(s, AH_LATEX), "of \\texttt{x\\_1 \\& y}: $J \\ddot{q}$ is 5 \\% $<$ 6");
    CHECK(strstr(prose(s, AH_MATHML), "<code>x_1 &amp; y</code>") != NULL);
    CHECK(strstr(prose(s, AH_MATHML), "<math xmlns") != NULL);
    CHECK_STR(prose("costs 5 $", AH_LATEX), "costs 5 \\$");
    ah_ctx_destroy(ctx);
}

/* Titles are the user's: nothing in them may break a document. */
TEST(tex_plain_is_harmless)
{
    ctx = ah_ctx_create(NULL);
    CHECK_STR(plain("a\\b {c} ~ ^ # ü – 漢 θ", AH_LATEX),
              "a\\textbackslash{}b \\{c\\} \\~{} \\^{} \\# ü – ? $\\theta$");
    CHECK_STR(plain("<i>&\"\x1b[0m\xff", AH_MATHML), "&lt;i&gt;&amp;&quot;[0m");
    CHECK_STR(plain("a\x1b[31m\xff", AH_TEXT), "a[31m");
    ah_ctx_destroy(ctx);
}

TEST(tex_unfinished_input_ends)
{
    static const char *const cases[] = {"\\",        "{",     "}",      "a_",       "^",
                                        "\\frac{",   "\\dot", "_{",     "\\text{a", "\\left(",
                                        "\\frac{a}", "x^",    "\\sqrt", "$",        "{{{{{{"};
    ctx = ah_ctx_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        CHECK(formula(cases[i], AH_TEXT) && formula(cases[i], AH_MATHML));
    ah_ctx_destroy(ctx);
}

TEST(tex_columns_skip_combining_characters)
{
    CHECK_INT(tex_columns("x\u0308₁ = Ψ"), 6);
    CHECK_INT(tex_columns(""), 0);
    CHECK_INT(tex_columns("\xff"), 1);
}
