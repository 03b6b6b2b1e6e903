/* Memory runs out inside GMP and FLINT, which cannot bear it: each of their allocations fails in
 * turn, and the call ends with AH_E_MEMORY or with its answer; the context can be used and destroyed
 * afterwards. All of them with AH_FULL=1 (or one in AH_STEP, where all take too long), otherwise some.
 *
 * The question is asked once. At an allocation the process is split in two: in the child it fails,
 * and the child goes on to the end and judges; in the parent it does not. So a failure costs what
 * comes after it, not what was before. */
#include "harness/harness.h"
#include "harness/written.h"

#include "../src/base/reserve.h"

#include <anholo/anholo.h>

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct question {
    const char *model;
    ah_status (*ask)(ah_model *m, const char **out);
} question;

static ah_status check(ah_model *m, const char **out)
{
    ah_answer *a;
    return written(ah_check(m, &a), &a, AH_TEXT, out);
}

static ah_status verify(ah_model *m, const char **out)
{
    ah_verify_options o = ah_verify_defaults();
    o.states = 10;
    ah_answer *a;
    return written(ah_verify(m, &o, &a), &a, AH_TEXT, out);
}

static ah_status integrals(ah_model *m, const char **out)
{
    ah_answer *a;
    return written(ah_integrals(m, NULL, &a), &a, AH_TEXT, out);
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

/* How a child ends; what else it says is a signal or the sanitizers' status. */
enum { ENDS_IN_MEMORY, ENDS_IN_ANSWER, ENDS_IN_OTHER_ANSWER, ENDS_IN_OTHER_STATUS, ENDS_USELESS };
static const char *const endings[] = {"out of memory", "its answer", "another answer",
                                      "another status", "a context that cannot be used"};

typedef struct failures {
    size_t count, step; /* allocations so far; one in `step` is let fail */
    size_t memory, answers, bad;
    bool is_child;
} failures;

enum { SECONDS = 60, PATIENCE = 1800 }; /* of a child, the processor's and the clock's: it hangs */

static bool judged_by_a_child(void *user)
{
    failures *f = user;
    if (f->is_child || f->count++ % f->step) return false;
    fflush(stdout);
    const pid_t child = fork();
    if (child == 0) {
        f->is_child = true;
        setrlimit(RLIMIT_CPU, &(struct rlimit){SECONDS, SECONDS});
        alarm(PATIENCE);
        return true;
    }
    int how = -1;
    if (child > 0) waitpid(child, &how, 0);
    const int end = child > 0 && WIFEXITED(how) ? WEXITSTATUS(how) : -1;
    f->memory += end == ENDS_IN_MEMORY;
    f->answers += end == ENDS_IN_ANSWER;
    if (end == ENDS_IN_MEMORY || end == ENDS_IN_ANSWER) return false;
    if (++f->bad > 5) return false;
    printf("# allocation %zu: %s %d\n", f->count,
           end > 0 && end <= ENDS_USELESS ? endings[end] : "status and signal", how);
    return false;
}

/* A small model is read and asked about in the context. */
static bool is_usable(ah_ctx *ctx)
{
    static const char text[] = "coordinate x\nkinetic x'^2/2\nforce x = -x*cos(x)\n";
    ah_model *m;
    const char *out;
    return ah_read(ctx, "small", text, sizeof text - 1, NULL, &m) == AH_OK &&
           check(m, &out) == AH_OK && strstr(out, "1 coordinate: x");
}

/* Reading and asking; `usual`: the answer that it should be, or NULL. */
static ah_status run(const question *q, const char *text, size_t length, failures *f,
                     const char *usual, char **answer)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const char *out = NULL;
    reserve_ask(judged_by_a_child, f);
    ah_status status = ah_read(ctx, q->model, text, length, NULL, &m);
    if (status == AH_OK) status = q->ask(m, &out);
    reserve_ask(NULL, NULL);
    int end = ENDS_IN_OTHER_STATUS;
    if (status == AH_OK)
        end = strcmp(out, usual ? usual : "") ? ENDS_IN_OTHER_ANSWER : ENDS_IN_ANSWER;
    if (status == AH_E_MEMORY) {
        ah_ctx_reset_status(ctx);
        end = is_usable(ctx) ? ENDS_IN_MEMORY : ENDS_USELESS;
    }
    if (answer) *answer = strdup(out ? out : "");
    ah_ctx_destroy(ctx);
    if (f->is_child) harness_leave(end);
    return status;
}

enum { SOME = 60 };

static size_t step_of(size_t count)
{
    const char *step = getenv("AH_STEP");
    if (getenv("AH_FULL") && !strcmp(getenv("AH_FULL"), "1"))
        return step && atol(step) > 0 ? (size_t) atol(step) : 1;
    return count < SOME ? 1 : count / SOME;
}

static void fail_in_turn(const question *q)
{
    char path[512], *usual;
    size_t length;
    snprintf(path, sizeof path, "%s/models/%s", AH_SOURCE_DIR, q->model);
    char *text = harness_read_file(path, &length);
    REQUIRE(text != NULL);
    failures all = {.count = 1, .step = SIZE_MAX};
    CHECK_INT(run(q, text, length, &all, NULL, &usual), AH_OK);
    failures f = {.step = step_of(all.count)};
    CHECK_INT(run(q, text, length, &f, usual, NULL), AH_OK);
    printf("# %s: %zu allocations, %zu answers, %zu times out of memory, %zu times neither\n",
           q->model, f.count, f.answers, f.memory, f.bad);
    CHECK(f.count > SOME && f.memory > f.answers); /* else the failures went unnoticed */
    CHECK(f.bad == 0);
    free(usual);
    free(text);
}

/* Three of different kinds: a linear constraint with quasi-velocities, a holonomic one, and one that
 * is not linear in the velocities. */
TEST(check_of_the_skate)
{
    fail_in_turn(&(question){"skate.ah", check});
}

TEST(check_of_the_tire)
{
    fail_in_turn(&(question){"tire.ah", check});
}

TEST(check_of_the_isokinetic_point)
{
    fail_in_turn(&(question){"isokinetic_point.ah", check});
}

TEST(claims_of_the_skate)
{
    fail_in_turn(&(question){"skate.ah", verify});
}

TEST(claims_of_the_tire)
{
    fail_in_turn(&(question){"tire.ah", verify});
}

TEST(claims_of_the_isokinetic_point)
{
    fail_in_turn(&(question){"isokinetic_point.ah", verify});
}

TEST(integrals_of_the_skate)
{
    fail_in_turn(&(question){"skate.ah", integrals});
}

TEST(integrals_of_the_tire)
{
    fail_in_turn(&(question){"tire.ah", integrals});
}

TEST(integrals_of_the_isokinetic_point)
{
    fail_in_turn(&(question){"isokinetic_point.ah", integrals});
}

TEST(equations_of_the_double_pendulum)
{
    fail_in_turn(&(question){"double_pendulum.ah", derive});
}

TEST(digits_of_the_tire)
{
    fail_in_turn(&(question){"tire.ah", digits});
}
