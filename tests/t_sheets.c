/* tests/t_sheets.c - what a derivation says in letters: whether it is refused and why, what is shown without steps, and that
 * signs, angles, factors and names stand as an author would write them. Its numbers are the business of t_derive. */
#include "harness.h"
#include "written.h"

#include <anholo/anholo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ah_status derive(ah_ctx *ctx, const char *content, const ah_derive_options *o,
                        ah_format format, const char **out)
{
    ah_model *m;
    *out = NULL;
    const ah_status status = ah_read(ctx, "test", content, strlen(content), NULL, &m);
    ah_answer *a = NULL;
    return status == AH_OK ? written(ah_derive(m, o, &a), &a, format, out) : status;
}

static const char disc[] = "system \"Disc <&> 100 %\"\n"
                           "parameter m, R, A, g\n"
                           "coordinate x, y, theta, psi\n"
                           "kinetic m*(x'^2 + y'^2)/2 + A*theta'^2/2 + psi'^2\n"
                           "potential -m*g*x*y\n"
                           "constraint x' = R*cos(psi)*theta'\n"
                           "constraint y' = R*sin(psi)*theta'\n";

TEST(derive_refuses_with_a_reason_and_a_hint)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out;
    ah_derive_options o = ah_derive_defaults();
    o.method = "chaplygin";
    CHECK_INT(derive(ctx, disc, &o, AH_TEXT, &out), AH_E_REFUSED);
    CHECK(out == NULL);
    REQUIRE(ah_diagnostic_count(ctx) == 2);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0502");
    CHECK(!strncmp(ah_diagnostic_get(ctx, 0)->message, "chaplygin: ", 11));
    CHECK(!strncmp(ah_diagnostic_get(ctx, 1)->message, "use --method ", 13));
    ah_ctx_destroy(ctx);
}

TEST(derive_knows_no_other_methods)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out;
    ah_derive_options o = ah_derive_defaults();
    o.method = "multipliers_";
    CHECK_INT(derive(ctx, disc, &o, AH_TEXT, &out), AH_E_INPUT);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0501");
    for (size_t i = 0; i < ah_method_count(); i++)
        CHECK(ah_method_name(i)[0] && ah_method_title(i)[0]);
    ah_ctx_destroy(ctx);
}

TEST(derive_without_steps_gives_the_result_alone)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *brief, *whole;
    ah_derive_options o = ah_derive_defaults();
    CHECK_INT(derive(ctx, disc, &o, AH_TEXT, &brief), AH_OK);
    o.steps = true;
    CHECK_INT(derive(ctx, disc, &o, AH_TEXT, &whole), AH_OK);
    REQUIRE(brief && whole);
    CHECK(strlen(brief) < strlen(whole));
    CHECK(strstr(brief, "Disc <&> 100 %") == brief);
    CHECK(!strstr(brief, "Kinetic energy") && strstr(whole, "Kinetic energy"));
    ah_ctx_destroy(ctx);
}

/* A minus before a sum of nothing but negative terms is no minus. The hill's multipliers once began with −(−m r …). */
TEST(a_sign_is_not_written_twice)
{
    static const char hill[] = "parameter m, J, r, g, h\n"
                               "coordinate x, y, th, phi\n"
                               "kinetic 1/2*m*(x'^2 + y'^2) + 1/2*J*th'^2 + 1/5*phi'^2\n"
                               "potential m*g*h*exp(-x^2 - y^2)\n"
                               "constraint x' = r*phi'*cos(th)\n"
                               "constraint y' = r*phi'*sin(th)\n"
                               "input tau = 0\n"
                               "force phi = tau\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out = NULL;
    ah_derive_options o = ah_derive_defaults();
    CHECK_INT(derive(ctx, hill, &o, AH_TEXT, &out), AH_OK);
    REQUIRE(out);
    CHECK(!strstr(out, "-(-"));
    ah_ctx_destroy(ctx);
}

static const char links[] = "parameter m1, m2, l1, l2, g\n"
                            "coordinate a, b\n"
                            "point P mass m1 at (l1*sin(a), -l1*cos(a))\n"
                            "point Q mass m2 at (l1*sin(a) + l2*sin(b), -l1*cos(a) - l2*cos(b))\n"
                            "gravity (0, -g)\n";

/* The double pendulum's accelerations as in every book. */
TEST(differences_of_angles_are_put_together)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out = NULL;
    ah_derive_options o = ah_derive_defaults();
    CHECK_INT(derive(ctx, links, &o, AH_TEXT, &out), AH_OK);
    REQUIRE(out);
    CHECK(strstr(out, "sin(a - b) cos(a - b)") != NULL);
    CHECK(!strstr(out, "sin a cos a"));
    ah_ctx_destroy(ctx);
}

/* The sheet with its steps, as text, of a model in models/. */
static const char *steps_of(ah_ctx *ctx, const char *model, const char *method)
{
    char path[1000];
    size_t length;
    snprintf(path, sizeof path, "%s/models/%s.ah", harness_source_dir(), model);
    char *content = harness_read_file(path, &length);
    const char *out = NULL;
    ah_derive_options o = ah_derive_defaults();
    o.method = method;
    o.steps = true;
    if (content) CHECK_INT(derive(ctx, content, &o, AH_TEXT, &out), AH_OK);
    free(content);
    return out;
}

/* In a linkage the crank and the rocker turn together, the coupler's angle is counted from the crank's: the determinant, and what the torque does, depend on
 * α − γ and β alone. Multiplied out they have products of five sines. */
TEST(angles_that_turn_together_are_counted_from_one_of_them)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out = steps_of(ctx, "four_bar", "multipliers");
    REQUIRE(out);
    CHECK(strstr(out, "Δ = 5 sin β sin Λ cos(α - γ) + 2 sin²(α - γ)") != NULL);
    CHECK(strstr(out, "3 u(t) sin²Λ") != NULL);
    ah_ctx_destroy(ctx);
}

/* Denominators that were multiplied out left (0.0025/(R₁² Θ)) (400 I₂ R₁², …) of I₂/Θ, and R₂/R₁ beside its own name f. */
TEST(a_factor_is_taken_out_after_names_too)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out = steps_of(ctx, "shaft", "multipliers");
    REQUIRE(out);
    CHECK(!strstr(out, "400"));
    CHECK(strstr(out, "(1/(I₁ f² + I₂)) ⎡ I₂    ⎤") != NULL);
    ah_ctx_destroy(ctx);
}

/* Entries one by one stand beside the name, however wide it is: these rows stuck out by 14 pt. */
TEST(entries_leave_room_for_a_wide_name)
{
    static const char pair[] = "parameter m = 1.2, M = 0.7, g = 9.81, c = 0.5\n"
                               "coordinate x, y, u, v\n"
                               "assume x' > 0, v' > 0\n"
                               "point A mass m at (x, y)\n"
                               "point B mass M at (u, v)\n"
                               "gravity (0, -g)\n"
                               "constraint x'^2 + y'^2 = c^2*(u'^2 + v'^2) + x*u'*v'\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out = NULL;
    ah_derive_options o = ah_derive_defaults();
    o.method = "hamel-nonlinear";
    o.steps = true;
    CHECK_INT(derive(ctx, pair, &o, AH_LATEX, &out), AH_OK);
    REQUIRE(out);
    const char *from =
        strstr(out, "\\sum p_\\nu [\\frac{d}{dt} \\frac{\\partial F_\\nu}{\\partial \\omega_\\mu} "
                    "- (\\partial F_\\nu / \\partial \\vartheta_\\mu)] &");
    const char *broken = from ? strstr(from, "&\\quad") : NULL;
    const char *to = from ? strstr(from, "\\end{align*}") : NULL;
    CHECK(broken && to && broken < to);
    ah_ctx_destroy(ctx);
}

/* B07 9.3: of G^αβ, made of fractions, 2 B R²/a² was left beside its own name s. */
TEST(a_product_that_is_left_of_a_fraction_has_its_name)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out = steps_of(ctx, "coaxial_discs", "parametric");
    REQUIRE(out);
    CHECK(strstr(out, "G^αβ = (1/(p² - s²)) ⎡ p  s ⎤") != NULL);
    ah_ctx_destroy(ctx);
}

/* Talamucci 3.3: Hamel's coefficients in F₁, F₂, v₁, I_D and δ, as the paper has its G; without the names kept they take the
 * masses and lengths of all parts, over several lines. */
TEST(names_of_the_model_are_kept_through_products)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *out = steps_of(ctx, "rolling_disc_pendulum", "hamel");
    REQUIRE(out);
    /* A let with velocities in it, beside others that are kept. */
    CHECK(strstr(out, "s = mD κ n₄ cos θ₁ + v₁ n₃ cos θ") != NULL);
    /* ẋ_C before the constraints are put in: B ω, with B in these names. */
    CHECK(strstr(out, "(ID ω₅ (R F₁ sin²φ sin θ + ID sin²θ - F₂)") != NULL);
    const char *from = strstr(out, "Transition coefficients");
    const char *to = from ? strstr(from, "Equations of motion") : NULL;
    REQUIRE(to != NULL);
    char *table = strndup(from, (size_t) (to - from));
    CHECK(strstr(table, "-ID (F2_theta - (R v₁ + ID) sin θ cos θ)/δ") != NULL);
    CHECK(!strstr(table, "k₁"));
    free(table);
    ah_ctx_destroy(ctx);
}
