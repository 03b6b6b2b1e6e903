/* t_enclosed.c - enclosed states: the balls hold what is known in closed form, and nothing is called
 * enclosed whose redundant rows are not proved to follow. */
#include <anholo/lang.h>

#include "state/enclosed.h"
#include "lang/lang.h"
#include "state/states.h"
#include "harness.h"

#include <string.h>

enum { BITS = 256 };

typedef struct work {
    ah_model *m;
    void (*ask)(struct work *w);
    enclosed *s;
    frame *values;
    ball_frame *ball;
    const char *why;
    int asked;
} work;

/* A random state, enclosed; then the question. */
static void body(ah_ctx *ctx, void *arg)
{
    work *w = arg;
    states *random = analyse_states_create(w->m, &ctx->job);
    states_rng rng = probe_seed(3);
    w->s = enclosed_create(w->m, &ctx->job);
    w->values = probe_values(w->m, &ctx->job);
    w->ball = ball_frame_create(ctx, &ctx->job);
    for (int i = 0; i < 10; i++) {
        if (!analyse_random_state(random, &rng, w->values)) continue;
        w->why = enclosed_at(w->s, w->values, w->ball, BITS);
        w->ask(w);
        w->asked++;
    }
}

static int with_model(const char *model, void (*ask)(work *))
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    work w = {.ask = ask};
    CHECK_INT(lang_read(ctx, "test", model, strlen(model), NULL, &w.m), AH_OK);
    if (w.m) CHECK_INT(ctx_guard(ctx, body, &w), AH_OK);
    ah_ctx_destroy(ctx);
    return w.asked;
}

static arb_srcptr ball_of(const work *w, ah_expr symbol)
{
    return ball_frame_get(w->ball, symbol);
}

/* x = ±sqrt(4 − y²), or y through x; and x x' + y y' = 0. */
static void ask_circle(work *w)
{
    const ah_model *m = w->m;
    arb_t other, sum;
    arb_init(other);
    arb_init(sum);
    CHECK(w->why == NULL);
    const int free = enclosed_is_exact(w->s, m->q.at[0]) ? 0 : 1;
    CHECK(!enclosed_is_exact(w->s, m->q.at[1 - free]));
    arb_set_d(other, frame_get(w->values, m->q.at[free]));
    arb_mul(other, other, other, 2 * BITS);
    arb_sub_ui(other, other, 4, 2 * BITS);
    arb_neg(other, other);
    arb_sqrt(other, other, 2 * BITS);
    arb_srcptr solved = ball_of(w, m->q.at[1 - free]);
    if (arb_is_negative(solved)) arb_neg(other, other);
    CHECK(arb_contains(solved, other));
    CHECK(arb_rel_accuracy_bits(solved) > BITS / 2);
    for (int i = 0; i < 2; i++)
        arb_addmul(sum, ball_of(w, m->q.at[i]), ball_of(w, m->v.at[i]), BITS);
    CHECK(arb_contains_zero(sum));
    CHECK_INT((int) enclosed_rank(w->s), 1);
    arb_clear(other);
    arb_clear(sum);
}

TEST(circle)
{
    static const char circle[] =
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint x^2 + y^2 = 4\n";
    CHECK_INT(with_model(circle, ask_circle), 10);
}

static void ask_good(work *w)
{
    CHECK(w->why == NULL);
}

static void ask_bad(work *w)
{
    CHECK(w->why != NULL);
}

TEST(redundant_rows)
{
    static const char follows[] =
        "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint x^2 + y^2 = 4\n"
        "constraint (2 + x^2)*(x^2 + y^2 - 4) = 0\nconstraint z' = x*y'\n"
        "constraint sin(z)*(z' - x*y') + x*x' + y*y' = 0\n";
    static const char combined[] =
        "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint x' = sqrt(1 + z'^2)\n"
        "constraint 2*y'^2 + z'^2 = 3 + x^2\n"
        "constraint sin(x)*(x' - sqrt(1 + z'^2)) + (1 + y^2)*(2*y'^2 + z'^2 - 3 - x^2) = 0\n";
    static const char unproved[] =
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint y = abs(x)\n"
        "constraint exp(y) = exp(abs(x))\n";
    CHECK_INT(with_model(follows, ask_good), 10);
    CHECK_INT(with_model(combined, ask_good), 10);
    CHECK_INT(with_model(unproved, ask_bad), 10);
}

/* x > 1 is assumed: log(x) exists, asin(x) does not, and of 1/(x − x) nothing is known but that. */
static void ask_domain(work *w)
{
    ah_ctx *ctx = w->m->ctx;
    const ah_expr x = w->m->q.at[0], zero = expr_int(ctx, 0);
    const model_need need[] = {
        {AH_LOG, x, AH_NONE, false},
        {AH_ASIN, x, AH_NONE, false},
        {AH_ATAN2, zero, zero, false},
        {AH_FUNCTIONS, expr_neg(ctx, x), expr_rational(ctx, 1, 3), false},
        {AH_ABS, zero, AH_NONE, false},
        {AH_ABS, expr_sub(ctx, w->m->q.at[1], w->m->q.at[1]), AH_NONE, true},
        {AH_FUNCTIONS, zero, expr_int(ctx, -1), false},
    };
    const ah_truth exists[] = {AH_TRUE, AH_FALSE, AH_FALSE, AH_FALSE, AH_TRUE, AH_TRUE, AH_FALSE};
    CHECK(w->why == NULL);
    CHECK_INT(enclosed_assumed(w->s, w->ball, BITS), AH_TRUE);
    for (size_t i = 0; i < sizeof need / sizeof *need; i++) {
        model_need one = need[i];
        const model_needs list = {.at = &one, .count = 1, .capacity = 1};
        CHECK_INT(enclosed_exists(w->s, &list, w->ball, BITS), exists[i]);
    }
}

TEST(domains)
{
    CHECK_INT(with_model("coordinate x, y\nassume x > 1\nkinetic (x'^2 + y'^2)/2\n", ask_domain),
              10);
}
