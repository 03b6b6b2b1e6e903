/* bench_tree.c - one evaluation of the accelerations of a chain of n bodies, each `on` the one before, in a plane (n
 * coordinates) and in space (2 n), through the path of `anholo eval` and `simulate`; and from the text to the numbers. */
#include "figures.h"
#include "lang/lang.h"
#include "state/state.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct chain {
    bool spatial;
    uint32_t bodies;
    double whole;      /* seconds from the text to the first accelerations */
    double evaluation; /* microseconds */
} chain;

static const char *write_chain(ah_ctx *ctx, const chain *c)
{
    text t = text_begin(&ctx->job);
    text_printf(&t, "gravity (0, -9.81, 0)\n");
    for (uint32_t i = 1; i <= c->bodies; i++) {
        const char *joint = i > 1 ? "1/2 + " : "";
        text_printf(&t, "coordinate a%u\n", (unsigned) i);
        if (c->spatial) text_printf(&t, "coordinate p%u\n", (unsigned) i);
        text_printf(&t, "body b%u mass 1 inertia (%s)", (unsigned) i,
                    c->spatial ? "0.01, 1/12, 1/12" : "0, 0, 1/12");
        if (i > 1) text_printf(&t, " on b%u", (unsigned) i - 1);
        if (c->spatial)
            text_printf(&t,
                        " at (%scos(a%u)*cos(p%u)/2, sin(a%u)*cos(p%u)/2, -sin(p%u)/2)"
                        " turn z a%u, y p%u\nstart p%u = 0.1, p%u' = 0.2\n",
                        joint, i, i, i, i, i, i, i, i, i);
        else
            text_printf(&t, " at (%scos(a%u)/2, sin(a%u)/2) turn z a%u\n", joint, i, i, i);
        text_printf(&t, "start a%u = %.2f, a%u' = %.2f\n", i, 0.1 * ((int) (i * 7 % 5) - 2), i,
                    0.1 * ((int) (i * 3 % 7) - 3));
    }
    return text_end(&t);
}

static void measure(ah_ctx *ctx, void *arg)
{
    chain *c = arg;
    point p;
    run_failure failure;
    ah_model *m;
    const char *written = write_chain(ctx, c);
    const double start = figures_clock();
    if (lang_read(ctx, "chain.ah", written, strlen(written), NULL, &m) != AH_OK)
        ctx_raise(ctx, AH_E_INPUT);
    const eval_method method = eval_prepare(m, derive_find("multipliers"), NULL, &m->ctx->job);
    if (!point_create(m, &m->ctx->job, &p) || !point_start(&p) || !point_complete(&p, false) ||
        !run_at(method.runner, p.values, &failure))
        ctx_raise(ctx, AH_E_INPUT);
    c->whole = figures_clock() - start;
    const uint32_t count = 20000 / c->bodies + 1;
    c->evaluation = INFINITY;
    for (int round = 0; round < 5; round++) {
        const double begin = figures_clock();
        for (uint32_t i = 0; i < count; i++) run_at(method.runner, p.values, &failure);
        c->evaluation = fmin(c->evaluation, 1e6 * (figures_clock() - begin) / count);
    }
}

static bool run(chain *c)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const bool good = ctx_guard(ctx, measure, c) == AH_OK;
    if (!good) puts(ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
    return good;
}

int main(void)
{
    static const uint32_t sizes[] = {10, 50, 100, 1000};
    puts("accelerations of a chain of n bodies, each `on` the one before, as eval and simulate do "
         "it");
    for (int spatial = 0; spatial < 2; spatial++) {
        chain c = {0};
        double from = 0;
        for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
            c = (chain){.spatial = spatial, .bodies = sizes[i]};
            if (!run(&c)) return 1;
            printf("%s, n = %4u: %8.1f us, %.2f us a body; from the text to the numbers %.3f s\n",
                   spatial ? "in space" : "in a plane", (unsigned) c.bodies, c.evaluation,
                   c.evaluation / c.bodies, c.whole);
            if (c.bodies == 50) {
                from = c.evaluation;
                figures_at_most("from the text of 50 bodies to the numbers", c.whole, 0.5, "s");
            }
        }
        figures_at_most("slope from n = 50 to 1000", log(c.evaluation / from) / log(20), 1.1, "");
    }
    return 0;
}
