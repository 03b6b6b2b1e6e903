/* state/second_class_search.c - Newton's method from many starts, for constraints that are not
 * polynomial in the accelerations or whose exact solution is too much work. */
#include "second_class_problem.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

#define SEARCH_STARTS     300
#define SEARCH_ITERATIONS 80
#define SEARCH_SOLUTIONS  50 /* more of them: a curve, of which these are samples */
/* Solutions nearer to each other than this part of their size are one. */
#define SEARCH_SAME 1e-6
/* What remains of the equations at a solution, relative to their terms. */
#define SEARCH_RESIDUAL 1e-11

/* Reproducible numbers in (−1, 1). */
static double random_number(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return (double) (*state >> 11) * 0x1p-52 - 1;
}

/* F = (M a − L − Jᵀλ ; c) and the largest relative residual. */
double second_class_residual(second_class_newton *w, const double *x)
{
    second_class_state *s = w->s;
    const uint32_t n = w->n;
    double worst = 0;
    second_class_evaluate(s, x);
    for (uint32_t j = 0; j < n; j++) {
        w->F[j] = -s->L[j];
        w->size[j] = fabs(s->L[j]);
        for (uint32_t k = 0; k < n; k++) {
            w->F[j] += s->M[(size_t) j * n + k] * x[k];
            w->size[j] += fabs(s->M[(size_t) j * n + k] * x[k]);
        }
        for (uint32_t i = 0; i < w->used; i++) {
            const double term = s->J[(size_t) s->use[i] * n + j] * x[n + i];
            w->F[j] -= term;
            w->size[j] += fabs(term);
        }
    }
    for (uint32_t i = 0; i < w->used; i++) {
        w->F[n + i] = s->c[s->use[i]];
        w->size[n + i] = s->scale[s->use[i]];
    }
    for (uint32_t j = 0; j < w->N; j++) {
        const double part = fabs(w->F[j]) / (w->size[j] > 0 ? w->size[j] : 1);
        if (!(part <= worst)) worst = isfinite(part) ? part : INFINITY;
    }
    return worst;
}

/* The matrix of the linearised equations: [M − Σλ∂²c  −Jᵀ ; J  0]. */
void second_class_linearise(second_class_newton *w)
{
    const second_class_state *s = w->s;
    const uint32_t n = w->n, N = w->N;
    memset(w->A, 0, (size_t) N * N * sizeof *w->A);
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t k = 0; k < n; k++) {
            double sum = s->M[(size_t) j * n + k];
            for (uint32_t i = 0; i < w->used; i++)
                sum -= w->x[n + i] * s->second[((size_t) s->use[i] * n + j) * n + k];
            w->A[(size_t) j * N + k] = sum;
        }
    for (uint32_t i = 0; i < w->used; i++)
        for (uint32_t j = 0; j < n; j++) {
            const double slope = s->J[(size_t) s->use[i] * n + j];
            w->A[(size_t) j * N + n + i] = -slope;
            w->A[(size_t) (n + i) * N + j] = slope;
        }
}

/* Halves the step until the residual falls; a full step is taken when none helps. */
static double damped_step(second_class_newton *w, double before)
{
    double length = 1;
    for (int halving = 0; halving < 10; halving++, length /= 2) {
        for (uint32_t i = 0; i < w->N; i++) w->trial[i] = w->x[i] - length * w->step[i];
        if (second_class_residual(w, w->trial) < before) break;
    }
    if (length < 0x1p-9)
        for (uint32_t i = 0; i < w->N; i++) w->trial[i] = w->x[i] - w->step[i];
    memcpy(w->x, w->trial, w->N * sizeof *w->x);
    return second_class_residual(w, w->x);
}

static bool converge(second_class_newton *w)
{
    double r = second_class_residual(w, w->x), best = r;
    for (int i = 0, stalled = 0; i < SEARCH_ITERATIONS && stalled < 12 && isfinite(r); i++) {
        const arena_mark mark = arena_get_mark(&w->s->p->ctx->scratch);
        second_class_linearise(w);
        const double rcond = linear_solve(&w->s->p->ctx->scratch, w->N, 1, w->A, w->F, w->step);
        arena_release(&w->s->p->ctx->scratch, mark);
        if (rcond <= 0) break;
        if (r <= 1e-15) break;
        r = damped_step(w, r);
        stalled = r < best ? 0 : stalled + 1;
        if (r < best) best = r;
        if (best < SEARCH_RESIDUAL && stalled > 1) break;
    }
    return r <= SEARCH_RESIDUAL;
}

/* λ of least norm with Jᵀλ nearest to M a − L. */
static void guess_multipliers(second_class_newton *w)
{
    second_class_state *s = w->s;
    arena *scratch = &s->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const uint32_t n = w->n, used = w->used;
    double *JT = NEW_ARRAY(scratch, double, (size_t) n *used + 1);
    double *none = NEW_ARRAY(scratch, double, (size_t) used *used + 1);
    for (uint32_t i = 0; i < used; i++) w->x[n + i] = 0;
    second_class_residual(w, w->x);
    for (uint32_t i = 0; i < used; i++)
        for (uint32_t j = 0; j < n; j++)
            JT[(size_t) j * used + i] = s->J[(size_t) s->use[i] * n + j];
    if (linear_row_rank(scratch, n, used, JT, NULL) == used)
        linear_null_space(scratch, n, used, used, JT, w->F, none, w->x + n);
    arena_release(scratch, mark);
}

static bool is_known(const second_class_candidates *c, const second_class_newton *w)
{
    for (size_t i = 0; i < c->count; i++) {
        double distance = 0, size = 1e-6;
        for (uint32_t j = 0; j < w->n; j++) {
            distance = fmax(distance, fabs(c->at[i * w->N + j] - w->x[j]));
            size = fmax(size, fabs(w->x[j]));
        }
        if (distance <= SEARCH_SAME * size) return true;
    }
    return false;
}

static void keep(second_class_candidates *c, const second_class_newton *w)
{
    if (is_known(c, w)) return;
    c->at =
        arena_grow(w->s->arena, c->at, w->N * sizeof *c->at, c->count, &c->capacity, c->count + 1);
    memcpy(c->at + c->count++ * w->N, w->x, w->N * sizeof *w->x);
}

/* Starts around the free acceleration, near and far. */
static void start(second_class_newton *w, int number, uint64_t *seed)
{
    static const double spread[] = {0.1, 1, 10};
    const second_class_state *s = w->s;
    double size = 0.1;
    for (uint32_t j = 0; s->free && j < w->n; j++) size = fmax(size, fabs(s->free[j]));
    for (uint32_t j = 0; j < w->n; j++) {
        const double noise = number ? size * spread[number % 3] * random_number(seed) : 0;
        w->x[j] = (s->free ? s->free[j] : 0) + noise;
    }
    guess_multipliers(w);
}

second_class_newton second_class_newton_create(second_class_state *s)
{
    arena *a = s->arena;
    second_class_newton w = {.s = s, .n = s->p->n, .used = s->used, .N = s->p->n + s->used};
    w.x = NEW_ARRAY(a, double, w.N);
    w.F = NEW_ARRAY(a, double, w.N);
    w.size = NEW_ARRAY(a, double, w.N);
    w.step = NEW_ARRAY(a, double, w.N);
    w.trial = NEW_ARRAY(a, double, w.N);
    w.A = NEW_ARRAY(a, double, (size_t) w.N *w.N);
    return w;
}

void second_class_search(second_class_state *s, second_class_candidates *out)
{
    second_class_newton w = second_class_newton_create(s);
    *out = (second_class_candidates){0};
    uint64_t seed = 20;
    for (int i = 0; i < SEARCH_STARTS && out->count < SEARCH_SOLUTIONS; i++) {
        ctx_tick(s->p->ctx);
        start(&w, i, &seed);
        if (converge(&w)) keep(out, &w);
    }
}
