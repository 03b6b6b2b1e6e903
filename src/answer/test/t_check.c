/* t_check.c - the answer of `check` when memory fails, and what the text says. */
#include <anholo/analyse.h>
#include <anholo/anholo.h>
#include <anholo/lang.h>

#include "failing.h"
#include "lang/lang.h"
#include "harness.h"
#include "written.h"

#include <string.h>

static const char model[] = "parameter m = 2, J = 0.3, v0\n"
                            "assume v0 > 0\n"
                            "coordinate x, y, a\n"
                            "body B mass m inertia (0, 0, J) at (x, y) turn z a\n"
                            "force on B (1, 0) at (x + 1, y)\n"
                            "constraint blade: x'*sin(a) - y'*cos(a) = 0\n"
                            "constraint same: 2*x'*sin(a) = 2*y'*cos(a)\n"
                            "constraint speed: x'^2 + y'^2 = v0^2\n"
                            "quasivelocity w = a'\n";

/* Without the search for states where three constraints lose rank, whose many allocations would be
 * failed one by one for minutes. */
static const char small[] = "parameter m = 2, J = 0.3\n"
                            "coordinate x, y, a\n"
                            "body B mass m inertia (0, 0, J) at (x, y) turn z a\n"
                            "force on B (1, 0) at (x + 1, y)\n"
                            "constraint blade: x'*sin(a) - y'*cos(a) = 0\n"
                            "constraint same: 2*x'*sin(a) = 2*y'*cos(a)\n"
                            "quasivelocity w = a'\n";

static void check_model(ah_ctx *ctx, void *arg)
{
    ah_model *m = NULL;
    const char *out = NULL;
    const ah_format *format = arg;
    if (lang_read(ctx, "test", small, sizeof small - 1, NULL, &m) != AH_OK) return;
    ah_answer *a = NULL;
    if (written(ah_check(m, &a), &a, *format, &out) == AH_OK)
        CHECK(out && *out);
    else
        CHECK(!out);
}

TEST(memory_may_fail_anywhere)
{
    ah_format formats[] = {AH_TEXT, AH_JSON};
    for (int i = 0; i < 2; i++) {
        size_t tried = 0;
        CHECK(failing_run(check_model, &formats[i], &tried));
        CHECK(tried > 20);
    }
}

TEST(text_of_a_check)
{
    static const char *const says[] = {
        "3 coordinates: x, y, a\n",
        "3 constraints, of which 2 are independent",
        "blade: linear in the velocities; scleronomic\n",
        "same: linear in the velocities; scleronomic; redundant: depends on blade\n",
        "speed: non-linear in the velocities, of degree 2, not homogeneous; scleronomic; does not "
        "split "
        "into linear factors\n",
        "1 of 3 velocities is free.\n",
        "The energy T + V is constant (found at random states); these powers add up to zero:\n",
        "    the force on x: x'\n",
        "speed: 2 v₀² λ₃\n",
        "hamel, boltzmann-hamel, voronets, chaplygin: the constraint `speed` is not linear",
    };
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const char *out = NULL;
    CHECK_INT(lang_read(ctx, "test", model, sizeof model - 1, NULL, &m), AH_OK);
    ah_answer *a = NULL;
    CHECK_INT(written(ah_check(m, &a), &a, AH_TEXT, &out), AH_OK);
    for (size_t i = 0; out && i < sizeof says / sizeof *says; i++)
        if (!strstr(out, says[i])) CHECK_STR(out, says[i]);
    ah_ctx_destroy(ctx);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* A call without what it needs says so and leaves nothing in its outputs; a number that makes no sense is an error, too. */
TEST(calls_that_make_no_sense)
{
    static const char swing[] = "coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1\n"
                                "claim \"law\": x'' = -x\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const char *out = swing;
    REQUIRE(ah_read(ctx, "test", swing, sizeof swing - 1, NULL, &m) == AH_OK);
    ah_answer *a = (ah_answer *) &m;
    CHECK(ah_check(NULL, &a) == AH_E_INPUT && !a);
    CHECK_INT(ah_check(m, NULL), AH_E_INPUT);
    CHECK(ah_answer_write(NULL, AH_TEXT, &out) == AH_E_INPUT && !out);
    CHECK(!ah_answer_yes(NULL) && !ah_answer_context(NULL) && !ah_answer_check(NULL));
    CHECK_INT(ah_answer_question(NULL), AH_QUESTIONS);
    CHECK(!ah_verdict_word((ah_verdict) 99));
    ah_answer_destroy(NULL);

    REQUIRE(ah_check(m, &a) == AH_OK);
    CHECK_INT(ah_answer_write(a, AH_TEXT, NULL), AH_E_INPUT);
    CHECK(ah_answer_write(a, (ah_format) 99, &out) == AH_E_REFUSED && !out);
    CHECK(!ah_answer_verify(a) && ah_answer_check(a)); /* of another question */
    ah_answer_destroy(a);
    ah_ctx_reset_status(ctx);

    ah_verify_options v = ah_verify_defaults();
    ah_crosscheck_options c = ah_crosscheck_defaults();
    ah_integrals_options i = ah_integrals_defaults();
    v.states = c.states = 0;
    CHECK(ah_verify(m, &v, &a) == AH_E_INPUT && !a);
    v.states = AH_STATES_MOST + 1;
    CHECK(ah_verify(m, &v, &a) == AH_E_INPUT && !a);
    CHECK(ah_crosscheck(m, &c, &a) == AH_E_INPUT && !a);
    static const int degrees[][2] = {
        {0, 2}, {AH_DEGREE_MOST + 1, 2}, {2, -1}, {2, AH_DEGREE_MOST + 1}};
    for (size_t k = 0; k < 4; k++) {
        i.degree = degrees[k][0];
        i.coordinates_degree = degrees[k][1];
        CHECK(ah_integrals(m, &i, &a) == AH_E_INPUT && !a);
    }
    ah_eval_options e = ah_eval_defaults();
    CHECK_INT(ah_eval(m, &e, AH_TEXT, NULL), AH_E_INPUT);
    e.digits = -1;
    CHECK(ah_eval(m, &e, AH_TEXT, &out) == AH_E_INPUT && !out);
    e.digits = AH_DIGITS_MOST + 1;
    CHECK(ah_eval(m, &e, AH_TEXT, &out) == AH_E_INPUT && !out);
    CHECK_INT(ah_simulate(m, NULL, AH_TEXT, NULL), AH_E_INPUT);
    CHECK_INT(ah_dump_method(m, NULL, "program", NULL), AH_E_INPUT);
    CHECK(ah_dump_method(m, NULL, NULL, &out) == AH_E_INPUT && !out);
    CHECK(ah_dump_method(m, NULL, "tokens", &out) == AH_E_INPUT && !out);
    CHECK(ah_dump_method(m, "nobody", "program", &out) == AH_E_INPUT && !out);
    CHECK(ah_dump_method(m, NULL, "equations", &out) == AH_OK && out);
    ah_ctx_destroy(ctx);
}
