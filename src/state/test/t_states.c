/* t_states.c - random states: on the constraints, well conditioned, reproducible, and the same for
 * all who ask. */
#include <anholo/lang.h>

#include "state/states.h"
#include "lang/lang.h"
#include "harness.h"

#include <math.h>
#include <string.h>

enum { STATES = 30 };

typedef struct question {
    ah_model *m;
    int found;
} question;

static void draw(ah_ctx *ctx, void *arg)
{
    question *k = arg;
    ah_model *m = k->m;
    arena *a = &ctx->job;
    const size_t count = m->constraints.count;
    ah_expr *e = NEW_ARRAY(a, ah_expr, count + m->n);
    for (size_t i = 0; i < count; i++)
        e[i] = m->constraints.at[i].order == MODEL_ACCELERATION ? expr_int(ctx, 0)
                                                                : m->constraints.at[i].c;
    for (uint32_t i = 0; i < m->n; i++) /* the velocity form, where there is one */
        e[count + i] = m->speeds.count ? expr_sub(ctx, m->psi.at[i], m->v.at[i]) : expr_int(ctx, 0);
    model_put_samples(m, e, count + m->n);
    const expr_plan *plan = expr_plan_create(ctx, a, e, count + m->n);
    states *s = analyse_states_create(m, a), *other = analyse_states_create(m, a);
    frame *values = probe_values(m, a), *again = probe_values(m, a);
    double *out = NEW_ARRAY(a, double, count + m->n), *scale = NEW_ARRAY(a, double, count + m->n);
    states_rng rng = probe_seed(5), same = probe_seed(5);
    for (int i = 0; i < STATES; i++) {
        if (!analyse_random_state(s, &rng, values)) return;
        CHECK(analyse_random_state(other, &same, again));
        CHECK(frame_equal(values, again));
        CHECK(analyse_state_rcond(s) >= STATES_RCOND);
        expr_plan_run_scaled(plan, values, out, scale);
        for (size_t j = 0; j < count + m->n; j++)
            CHECK_NEAR(out[j], 0, scale[j], 45, "on the constraints");
        k->found++;
    }
}

static int states_of(const char *model)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    question k = {NULL, 0};
    CHECK_INT(lang_read(ctx, "test", model, strlen(model), NULL, &k.m), AH_OK);
    if (k.m) CHECK_INT(ctx_guard(ctx, draw, &k), AH_OK);
    ah_ctx_destroy(ctx);
    return k.found;
}

TEST(states_of_many_kinds)
{
    static const char *const models[] = {
        "coordinate x\nkinetic x'^2\n",
        "coordinate x, y\nkinetic 10^9*x'^2 + y'^2/10^9 + x'*y'\n",
        "coordinate x, y, a\nkinetic x'^2 + y'^2 + a'^2\nconstraint x'*sin(a) = y'*cos(a)\n",
        "coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\nconstraint x^2 + y^2 + z^2 = "
        "4\nconstraint x'^2 + y'^2 = 9*z'^2\n",
        "parameter k\nassume k > 0\ncoordinate x, y\nkinetic x'^2 + y'^2\nconstraint x'^2 + y'^2 = "
        "k*(2 + sin(t))\n",
        "function f(t)\ncoordinate x, y\nkinetic x'^2 + y'^2\nconstraint x' = f(t)*y' + 1\n",
        "coordinate x, y\nkinetic x'^2 + y'^2\nconstraint x'' = y''*x\n",
        "coordinate x, y\nkinetic x'^2\nconstraint y' = x'*x\n",
        "coordinate x, y, a\nkinetic x'^2 + y'^2 + a'^2\nvelocity v, w: x' = v*cos(a) + 1, y' = "
        "v*sin(a), a' = w\n",
        "coordinate x, y, a\nkinetic x'^2 + y'^2 + a'^2\nconstraint x' = a'\nconstraint 2*x' = "
        "2*a'\nquasivelocity p = x', q = y'\n",
    };
    for (size_t i = 0; i < sizeof models / sizeof *models; i++)
        if (!CHECK_INT(states_of(models[i]), STATES)) CHECK_STR(models[i], "has states");
}

/* Where every admissible state is singular there is none to give: x' = 0 twice over, squared. */
TEST(singular_states_are_passed_over)
{
    CHECK_INT(states_of("coordinate x, y\nkinetic x'^2 + y'^2\nconstraint x'^2 + y'^2 = -1\n"), 0);
}

/* M = [1 c; c 1] with c = cos(x/500) has the reciprocal condition number
 * (1 − c)/(1 + c) = tan²(x/1000): about half of the places drawn are too near to x = 0. */
static void near_singular(ah_ctx *ctx, void *arg)
{
    question *k = arg;
    states *s = analyse_states_create(k->m, &ctx->job);
    frame *values = probe_values(k->m, &ctx->job);
    states_rng rng = probe_seed(1);
    for (int i = 0; i < STATES; i++) {
        if (!analyse_random_state(s, &rng, values)) return;
        const double x = frame_get(values, k->m->q.at[0]), rcond = pow(tan(x / 1000), 2);
        CHECK_NEAR(analyse_state_rcond(s), rcond, rcond, 1e10, "condition number");
        CHECK(rcond > 0.99 * STATES_RCOND);
        k->found++;
    }
}

TEST(condition_is_looked_at)
{
    static const char model[] = "coordinate x, y\nkinetic x'^2/2 + y'^2/2 + x'*y'*cos(x/500)\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    question k = {NULL, 0};
    REQUIRE(lang_read(ctx, "test", model, sizeof model - 1, NULL, &k.m) == AH_OK);
    CHECK_INT(ctx_guard(ctx, near_singular, &k), AH_OK);
    CHECK_INT(k.found, STATES);
    ah_ctx_destroy(ctx);
}
