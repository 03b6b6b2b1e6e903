/* t_memory - derivations, digits and pages when memory fails: no crash, nothing left behind. */
#include "failing.h"
#include "lang/lang.h"
#include "harness.h"
#include "written.h"

#include <anholo/anholo.h>
#include <string.h>

static const char skate[] = "system \"Skate\"\n"
                            "parameter m = 2, I = 0.3\n"
                            "coordinate x, y, theta\n"
                            "kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
                            "force x = 0.4\n"
                            "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                            "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n";

static void derive(ah_ctx *ctx, void *arg)
{
    const ah_format *format = arg;
    ah_model *m = NULL;
    const char *out = NULL;
    ah_derive_options o = ah_derive_defaults();
    o.method = "multipliers";
    o.steps = true;
    if (lang_read(ctx, "test", skate, strlen(skate), NULL, &m) != AH_OK) return;
    ah_answer *a = NULL;
    const ah_status status = written(ah_derive(m, &o, &a), &a, *format, &out);
    CHECK((status == AH_OK) == (out != NULL));
    CHECK(status == AH_OK || status == AH_E_MEMORY);
}

TEST(derive_survives_failing_memory)
{
    ah_format formats[] = {AH_LATEX, AH_JSON};
    for (int i = 0; i < harness_amount(1, 2, 2); i++) {
        size_t tried;
        CHECK(failing_run(derive, &formats[i], &tried));
        CHECK(tried > 10);
    }
}

/* z is solved for in intervals, so every holder of balls is met. */
static void digits(ah_ctx *ctx, void *arg)
{
    ah_model *m = NULL;
    const char *out = NULL;
    ah_eval_options o = ah_eval_defaults();
    (void) arg;
    o.at = "x=0, y=0, theta=0, x'=2, y'=0, theta'=1";
    o.method = "parametric";
    o.digits = 30;
    if (lang_read(ctx, "test", skate, strlen(skate), NULL, &m) != AH_OK) return;
    const ah_status status = ah_eval(m, &o, AH_JSON, &out);
    CHECK((status == AH_OK) == (out != NULL));
    CHECK(status == AH_OK || status == AH_E_MEMORY);
}

TEST(digits_survive_failing_memory)
{
    size_t tried;
    CHECK(failing_run(digits, NULL, &tried));
    CHECK(tried > 10);
}

/* A page: attempts that may fail must not swallow the lack of memory. */
static void page(ah_ctx *ctx, void *arg)
{
    (void) arg;
    static const char point[] = "system \"Point\"\ncoordinate x\nkinetic x'^2/2\nforce x = -x\n"
                                "start x = 1\nsimulate t = 0 .. 0.1\nclaim \"e\": x'' = -x\n";
    ah_model *m = NULL;
    const ah_page *out = NULL;
    ah_report_options o = ah_report_defaults();
    o.samples = 3;
    o.methods = "lagrange";
    if (lang_read(ctx, "test", point, strlen(point), NULL, &m) != AH_OK) return;
    const ah_status status = ah_report(m, &o, &out);
    CHECK((status == AH_OK) == (out != NULL));
    CHECK(status == AH_OK || status == AH_E_MEMORY);
}

TEST(page_survives_failing_memory)
{
    size_t tried;
    CHECK(failing_run(page, NULL, &tried));
    CHECK(tried > 10);
}

/* ---- Calls ----------------------------------------------------------------------------------- */

/* A call without what it needs, and options that make no sense, give an error and no page; a model without a text
 * has a page without one. */
TEST(pages_that_cannot_be)
{
    enum { SIZE = sizeof(ah_report_options) };
    static const char point[] = "coordinate x\nkinetic x'^2/2\nforce x = -x\n";
    static const ah_report_options wrong[] = {
        {.size = SIZE, .samples = 1},
        {.size = SIZE, .samples = 5, .to = "nobody"},
        {.size = SIZE, .samples = 5, .methods = "lagrange,nobody"}};
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const ah_page *page = NULL;
    REQUIRE(ah_read(ctx, "test", point, strlen(point), NULL, &m) == AH_OK);
    CHECK_INT(ah_report(m, NULL, NULL), AH_E_INPUT);
    for (size_t i = 0; i < 3; i++) {
        CHECK_INT(ah_report(m, &wrong[i], &page), AH_E_INPUT);
        CHECK(!page && ah_error_count(ctx) > 0);
        ah_ctx_reset_status(ctx);
    }
    REQUIRE(ah_report(m, NULL, &page) == AH_OK);
    CHECK(strstr(page->html, "<h1><bdi>A mechanical system</bdi></h1>") && page->no_motion);
    CHECK(strstr(page->html, "The model as it was written") &&
          !strstr(page->html, "The same page again"));
    ah_model *built = ah_model_create(ctx, "Built");
    const ah_expr x = ah_model_coordinate(built, "x"), v = ah_model_velocity(built, x);
    ah_model_kinetic(built, ah_mul(ah_model_context(built), v, v));
    REQUIRE(ah_model_finish(built) == AH_OK);
    REQUIRE(ah_report(built, NULL, &page) == AH_OK);
    CHECK(strstr(page->html, "<bdi>Built</bdi>") &&
          !strstr(page->html, "The model as it was written"));
    ah_ctx_destroy(ctx);
}
