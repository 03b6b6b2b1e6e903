/* bench_chain.c - (c) one evaluation of the accelerations of models/trailers.ah (particles, rods
 * and blades in Cartesian coordinates, 3 n of them) through the path of `anholo eval` and
 * `simulate`, against an elimination along the chain written by hand; (e) from the text to the
 * first row. */
#include "figures.h"
#include "lang/lang.h"
#include "trailers.h"

#include "making/motion_code.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef struct chain {
    ah_model *model;
    uint32_t bodies;
    double ours, by_hand; /* microseconds of one evaluation */
    double compiled;      /* of the program of a motion, by tcc; 0: there is none */
    double difference;    /* of the accelerations, relative to the largest */
} chain;

static trailers by_hand(point *p)
{
    const size_t n = p->model->n / 3;
    trailers c = {.n = n, .m = 1.3, .I = 0.2, .k = 4};
    trailers_share(&c, NEW_ARRAY(p->arena, double, trailers_room(n)));
    double *place[] = {c.x, c.y, c.theta}, *speed[] = {c.vx, c.vy, c.w};
    for (size_t i = 0; i < 3 * n; i++) {
        place[i / n][i % n] = point_get(p, p->model->q.at[i]);
        speed[i / n][i % n] = point_get(p, p->model->v.at[i]);
    }
    return c;
}

static double difference(const trailers *c, const double *qddot)
{
    const double *parts[] = {c->ax, c->ay, c->aw};
    double worst = 0, size = 0;
    for (size_t i = 0; i < 3 * c->n; i++) {
        size = fmax(size, fabs(qddot[i]));
        worst = fmax(worst, fabs(qddot[i] - parts[i / c->n][i % c->n]));
    }
    return worst / size;
}

/* Small chains are unrolled when they move. */
static double time_program(chain *c, const eval_method *method, point *p)
{
    motion_code code;
    double best = INFINITY;
    motion_code_create(&code, method, method, p, MOTION_SHORTEST);
    motion_code_start(&code, ENGINE_TCC);
    if (!code.program[MOTION_RHS]) return 0;
    double *y = NEW_ARRAY(p->arena, double, code.n + code.m);
    double *f = NEW_ARRAY(p->arena, double, code.n + code.m);
    for (uint32_t i = 0; i < code.n; i++) y[i] = point_get(p, c->model->q.at[i]);
    for (uint32_t i = 0; i < code.m; i++) y[code.n + i] = point_get(p, code.second[i]);
    const uint32_t count = 100000 / c->bodies + 1;
    for (int round = 0; round < 5; round++) {
        const double begin = figures_clock();
        for (uint32_t i = 0; i < count; i++) motion_code_run(&code, MOTION_RHS, 0, y, f);
        best = fmin(best, 1e6 * (figures_clock() - begin) / count);
    }
    return best;
}

static void measure(ah_ctx *ctx, void *arg)
{
    chain *c = arg;
    point p;
    run_failure failure;
    const eval_method method = eval_prepare(c->model, derive_find("multipliers"), NULL, &ctx->job);
    if (!point_create(c->model, &ctx->job, &p) || !point_start(&p) || !point_complete(&p, false))
        ctx_raise(ctx, AH_E_INPUT);
    trailers hand = by_hand(&p);
    const uint32_t count = 100000 / c->bodies + 1;
    c->ours = c->by_hand = INFINITY;
    for (int round = 0; round < 5; round++) {
        double begin = figures_clock();
        for (uint32_t i = 0; i < count; i++) run_at(method.runner, p.values, &failure);
        c->ours = fmin(c->ours, 1e6 * (figures_clock() - begin) / count);
        begin = figures_clock();
        for (uint32_t i = 0; i < count; i++) trailers_accelerations(&hand);
        c->by_hand = fmin(c->by_hand, 1e6 * (figures_clock() - begin) / count);
    }
    c->compiled = time_program(c, &method, &p);
    c->difference = difference(&hand, run_get(method.runner, method.eq->qddot));
}

static bool with_model(const char *model, uint32_t bodies,
                       void (*body)(ah_ctx *ctx, void *chain_to_measure), chain *c)
{
    char set[40];
    snprintf(set, sizeof set, "n=%u", bodies);
    *c = (chain){.bodies = bodies};
    ah_ctx *ctx = ah_ctx_create(NULL);
    const bool good =
        lang_read(ctx, "trailers.ah", model, strlen(model), set, &c->model) == AH_OK &&
        ctx_guard(ctx, body, c) == AH_OK;
    if (!good) puts(ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
    return good;
}

/* ---- The whole way --------------------------------------------------------------------------- */

static bool stop_at_first_row(void *user, const char *row, size_t length)
{
    (void) row, (void) length;
    return ++*(int *) user < 2; /* the header, then the start */
}

static void first_row(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    const chain *c = arg;
    int rows = 0;
    const char *summary;
    ah_simulate_options o = ah_simulate_defaults();
    o.write = stop_at_first_row;
    o.user = &rows;
    ah_simulate(c->model, &o, AH_TEXT, &summary);
}

int main(void)
{
    chain c, first = {0};
    char *model = figures_read(AH_SOURCE_DIR "/models/trailers.ah");
    puts("accelerations of a chain of n trailers (models/trailers.ah), as eval and simulate do it");
    for (uint32_t n = 10; n <= 10000; n *= 10) {
        if (!with_model(model, n, measure, &c)) return 1;
        if (n == 10) first = c;
        printf("n = %5u: %9.1f us, %.2f us a body, by hand %.3f; they differ by %.0e\n", n, c.ours,
               c.ours / n, c.by_hand / n, c.difference);
        if (c.compiled > 0)
            printf("           unrolled and compiled: %.2f us a body\n", c.compiled / n);
    }
    figures_at_most("slope from n = 10 to 10000", log(c.ours / first.ours) / log(1000), 1.05, "");
    figures_at_most("time of a body at n = 10000", c.ours / 10000, 0.2, "us");
    for (uint32_t n = 100; n <= 10000; n *= 10) {
        const double begin = figures_clock();
        if (!with_model(model, n, first_row, &c)) return 1;
        printf("n = %5u: from the text to the first row %.2f s\n", n, figures_clock() - begin);
    }
    free(model);
    return 0;
}
