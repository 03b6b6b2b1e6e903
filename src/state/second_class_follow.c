/* state/second_class_follow.c - one branch of the accelerations along a motion. */
#include "../numeric/numeric.h"
#include "second_class_problem.h"

#include <math.h>
#include <string.h>

/* The way between two states is taken in at most so many parts. */
#define FOLLOW_PARTS 256
/* Each correction is at most this part of the one before, or it is not Newton's method that sees
 * one solution near. */
#define FOLLOW_CONTRACTION 0.5
/* Corrections below this part of the accelerations are rounding. */
#define FOLLOW_ROUNDING 1e-13

struct second_class_follower {
    ah_model *model;
    second_class_problem *p;
    frame *base, *between;
    double *a, *lambda; /* there */
    double *a_new, *lambda_new;
    int sign; /* of the determinant on the branch */
};

/* The sign of det A by elimination; A is used up. 0: it is singular as far as can be told. */
static int sign_of_determinant(uint32_t n, double *A)
{
    int sign = 1;
    for (uint32_t k = 0; k < n; k++) {
        uint32_t row = k;
        for (uint32_t i = k + 1; i < n; i++)
            if (fabs(A[(size_t) i * n + k]) > fabs(A[(size_t) row * n + k])) row = i;
        const double pivot = A[(size_t) row * n + k];
        if (!(fabs(pivot) > 0)) return 0;
        if (row != k) sign = -sign;
        if (pivot < 0) sign = -sign;
        for (uint32_t j = k; j < n; j++) {
            const double swap = A[(size_t) k * n + j];
            A[(size_t) k * n + j] = A[(size_t) row * n + j];
            A[(size_t) row * n + j] = swap;
        }
        for (uint32_t i = k + 1; i < n; i++) {
            const double factor = A[(size_t) i * n + k] / A[(size_t) k * n + k];
            for (uint32_t j = k; j < n; j++)
                A[(size_t) i * n + j] -= factor * A[(size_t) k * n + j];
        }
    }
    return sign;
}

static double largest(const double *x, uint32_t n)
{
    double size = 0;
    for (uint32_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* Undamped, and every correction smaller than the one before. */
static bool converge(second_class_newton *w)
{
    arena *scratch = &w->s->p->ctx->scratch;
    double before = INFINITY;
    for (int i = 0; i < 40; i++) {
        if (!isfinite(second_class_residual(w, w->x))) return false;
        second_class_linearise(w);
        const arena_mark mark = arena_get_mark(scratch);
        const double rcond = linear_solve(scratch, w->N, 1, w->A, w->F, w->step);
        arena_release(scratch, mark);
        if (!(rcond > 0)) return false;
        for (uint32_t k = 0; k < w->N; k++) w->x[k] -= w->step[k];
        const double step = largest(w->step, w->N), size = largest(w->x, w->N);
        if (step <= FOLLOW_ROUNDING * size || step == 0) return true;
        if (!(step <= FOLLOW_CONTRACTION * before)) return step <= 1e-9 * size;
        before = step;
    }
    return false;
}

/* From a, λ to the solution at the state f->between. */
static bool correct(second_class_follower *f)
{
    arena *scratch = &f->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    second_class_state s;
    bool good = second_class_enter(&s, f->p, f->between, scratch);
    if (good) {
        second_class_newton w = second_class_newton_create(&s);
        memcpy(w.x, f->a_new, w.n * sizeof *w.x);
        for (uint32_t i = 0; i < w.used; i++) w.x[w.n + i] = f->lambda_new[s.use[i]];
        good = converge(&w);
        second_class_residual(&w, w.x);
        second_class_linearise(&w);
        const int sign = good ? sign_of_determinant(w.N, w.A) : 0;
        if (!f->sign) f->sign = sign; /* the first time */
        good = good && sign != 0 && sign == f->sign;
        if (good) {
            memcpy(f->a_new, w.x, w.n * sizeof *w.x);
            memset(f->lambda_new, 0, f->p->r * sizeof *f->lambda_new);
            for (uint32_t i = 0; i < w.used; i++) f->lambda_new[s.use[i]] = w.x[w.n + i];
        }
    }
    arena_release(scratch, mark);
    return good;
}

second_class_follower *second_class_follow(ah_model *m, const frame *values,
                                           const second_class_branch *begin, arena *a)
{
    second_class_follower *f = NEW(a, second_class_follower);
    f->model = m;
    f->p = second_class_prepare(m);
    f->base = frame_copy(a, values);
    f->between = frame_create(m->ctx, a, 0);
    f->a = NEW_ARRAY(a, double, m->n);
    f->a_new = NEW_ARRAY(a, double, m->n);
    f->lambda = NEW_ARRAY(a, double, f->p->r);
    f->lambda_new = NEW_ARRAY(a, double, f->p->r);
    memcpy(f->a, begin->qddot, m->n * sizeof *f->a);
    for (uint32_t i = 0; i < f->p->r; i++)
        f->lambda[i] = isfinite(begin->multipliers[i]) ? begin->multipliers[i] : 0;
    return f;
}

/* The state at a part of the way. */
static void go_between(second_class_follower *f, const frame *values, double part)
{
    for (size_t i = 0; i < f->p->symbols.count; i++) {
        const ah_expr symbol = f->p->symbols.at[i];
        const double from = frame_get(f->base, symbol), to = frame_get(values, symbol);
        frame_set(f->between, symbol, part == 1 ? to : from + part * (to - from));
    }
    for (size_t i = 0; i < f->model->parameters.count; i++) {
        const ah_expr symbol = f->model->parameters.at[i].symbol;
        frame_set(f->between, symbol, frame_get(values, symbol));
    }
}

bool second_class_next(second_class_follower *f, const frame *values, const double **qddot,
                       const double **multipliers)
{
    memcpy(f->a_new, f->a, f->p->n * sizeof *f->a);
    memcpy(f->lambda_new, f->lambda, f->p->r * sizeof *f->lambda);
    double done = 0, part = 1;
    while (done < 1) {
        const double next = fmin(1, done + part);
        go_between(f, values, next);
        if (correct(f)) {
            done = next;
            part *= 2;
        } else {
            part /= 2;
            if (part < 1.0 / FOLLOW_PARTS) return false;
        }
    }
    memcpy(f->a, f->a_new, f->p->n * sizeof *f->a);
    memcpy(f->lambda, f->lambda_new, f->p->r * sizeof *f->lambda);
    for (size_t i = 0; i < f->p->symbols.count; i++) {
        const ah_expr symbol = f->p->symbols.at[i];
        frame_set(f->base, symbol, frame_get(values, symbol));
    }
    *qddot = f->a;
    *multipliers = f->lambda;
    return true;
}
