/* t_work.c - the work of whole answers as it is counted (decision 0017), which is the same on every machine: what nobody
 * asked for stays small beside what was asked for. */
#include "harness.h"

#include "base/base.h"

#include <anholo/anholo.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static ah_model *read_model(ah_ctx *ctx, const char *name, const char *set)
{
    char path[400];
    size_t length = 0;
    ah_model *m = NULL;
    snprintf(path, sizeof path, AH_SOURCE_DIR "/models/%s.ah", name);
    char *written = harness_read_file(path, &length);
    CHECK(written && ah_read(ctx, path, written, length, set, &m) == AH_OK);
    free(written);
    return m;
}

/* Whether some other method writes the accelerations out is looked at for a while; of a ball in a bowl Hamel's do not, and finding
 * that out to the end takes three times the work of the equations themselves. */
TEST(other_methods_are_looked_at_shortly)
{
    static const char *const names[] = {"ball_in_bowl", "satellite", "rattleback"};
    static const double most[] = {1.4, 0.65, 0.65};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = read_model(ctx, names[i], NULL);
        ah_answer *answer = NULL;
        const double before = base_work();
        const ah_derive_options o = ah_derive_defaults();
        CHECK_INT(ah_derive(m, &o, &answer), AH_OK);
        const double work = base_work() - before;
        printf("# %s: %.2f\n", names[i], work);
        CHECK(work < most[i]);
        ah_answer_destroy(answer);
        ah_ctx_destroy(ctx);
    }
}

static const char hub[] =
    "system \"Hub\"\nparameter n = 300, m = 1, M = 10, l = 1\ncoordinate X, Y, x[1..n], y[1..n]\n"
    "kinetic 1/2*M*(X'^2 + Y'^2)\nfor i = 1 .. n:\n"
    "    kinetic 1/2*m*(x[i]'^2 + y[i]'^2)\n"
    "    constraint spoke[i]: (x[i] - X)^2 + (y[i] - Y)^2 = l^2\n"
    "claim \"energy\": constant energy\n";

/* Far states are brought to the constraints, and judged, by eliminations in an order: without one a hub and a chain fill up. */
TEST(large_systems_are_verified_in_an_order)
{
    static const double most[] = {1.5, 1.9};
    for (size_t i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        if (i)
            m = read_model(ctx, "trailers", "n=500");
        else
            CHECK_INT(ah_read(ctx, "hub", hub, strlen(hub), NULL, &m), AH_OK);
        REQUIRE(m != NULL);
        ah_verify_options o = ah_verify_defaults();
        ah_answer *answer = NULL;
        o.states = 5;
        const double before = base_work();
        CHECK_INT(ah_verify(m, &o, &answer), AH_OK);
        const double work = base_work() - before;
        printf("# %s: %.3f\n", i ? "trailers" : "hub", work);
        CHECK(work < most[i]);
        ah_answer_destroy(answer);
        ah_ctx_destroy(ctx);
    }
}

/* Whether the equations hold backwards is one question for all steady motions on which a claim of stability is tried; asked of each it was
 * two thirds of the work. */
TEST(what_steady_motions_have_in_common_is_asked_once)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_model(ctx, "bicycle", NULL);
    ah_answer *answer = NULL;
    const ah_verify_options o = ah_verify_defaults();
    const double before = base_work();
    CHECK_INT(ah_verify(m, &o, &answer), AH_OK);
    const double work = base_work() - before;
    printf("# %.2f\n", work);
    CHECK(work < 2);
    ah_answer_destroy(answer);
    ah_ctx_destroy(ctx);
}
