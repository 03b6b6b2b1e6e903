/* Memory runs out inside GMP and FLINT, which cannot bear it: each of their allocations fails in
 * turn, and the call ends with AH_E_MEMORY or with its answer; the context can be used and destroyed
 * afterwards. All of them with AH_FULL=1, otherwise some. */
#include "harness/harness.h"
#include "harness/written.h"

#include "../src/base/reserve.h"

#include <anholo/anholo.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct question {
    const char *model;
    ah_status (*ask)(ah_model *m, const char **out);
} question;

static ah_status check(ah_model *m, const char **out)
{
    ah_answer *a;
    return written(ah_check(m, &a), &a, AH_TEXT, out);
}

static ah_status derive(ah_model *m, const char **out)
{
    ah_derive_options o = ah_derive_defaults();
    o.steps = true;
    ah_answer *a;
    return written(ah_derive(m, &o, &a), &a, AH_TEXT, out);
}

static ah_status digits(ah_model *m, const char **out)
{
    ah_eval_options o = ah_eval_defaults();
    o.digits = 30;
    return ah_eval(m, &o, AH_TEXT, out);
}

/* Reading and asking, with the k-th allocation of GMP and FLINT failing (0: none). Returns the worse
 * status; *left: allocations that were not asked for any more. */
static ah_status run(const question *q, const char *text, size_t length, size_t k, char *answer,
                     size_t room, size_t *left)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const char *out = NULL;
    reserve_fail_at(k);
    ah_status status = ah_read(ctx, q->model, text, length, NULL, &m);
    if (status == AH_OK) status = q->ask(m, &out);
    *left = reserve_fails_in();
    reserve_fail_at(0);
    snprintf(answer, room, "%s", out ? out : "");
    if (status == AH_E_MEMORY) { /* the context is as good as new */
        ah_ctx_reset_status(ctx);
        CHECK_INT(ah_read(ctx, q->model, text, length, NULL, &m), AH_OK);
    }
    ah_ctx_destroy(ctx);
    return status;
}

enum { ROOM = 1 << 16, SOME = 60 };

static void fail_in_turn(const question *q)
{
    static char usual[ROOM], answer[ROOM];
    char path[512];
    size_t length, left;
    snprintf(path, sizeof path, "%s/models/%s", AH_SOURCE_DIR, q->model);
    char *text = harness_read_file(path, &length);
    REQUIRE(text != NULL);
    CHECK_INT(run(q, text, length, SIZE_MAX, usual, ROOM, &left), AH_OK);
    const size_t count = SIZE_MAX - left;
    const bool all = getenv("AH_FULL") && !strcmp(getenv("AH_FULL"), "1");
    const size_t step = all || count < SOME ? 1 : count / SOME;
    size_t memory = 0, answers = 0;
    for (size_t k = 1; k <= count; k += step) {
        const ah_status status = run(q, text, length, k, answer, ROOM, &left);
        memory += status == AH_E_MEMORY;
        answers += status == AH_OK;
        if (!CHECK(status == AH_E_MEMORY || status == AH_OK) || !CHECK(left == 0))
            printf("# allocation %zu of %zu: %s\n", k, count, ah_status_text(status));
    }
    printf("# %s: %zu allocations, %zu answers, %zu times out of memory\n", q->model, count,
           answers, memory);
    CHECK(memory > answers); /* else the failures went unnoticed */
    free(text);
}

TEST(check_of_the_skate)
{
    fail_in_turn(&(question){"skate.ah", check});
}

TEST(equations_of_the_double_pendulum)
{
    fail_in_turn(&(question){"double_pendulum.ah", derive});
}

TEST(digits_of_the_tire)
{
    fail_in_turn(&(question){"tire.ah", digits});
}
