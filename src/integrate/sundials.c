/* integrate/sundials.c - sessions with SUNDIALS. */
#include "integrate.h"

#ifdef AH_WITH_SUNDIALS
#include "sundials_inside.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* As many steps as small as rounding mean that it does not go on. */
#define TINY_STEPS 5

static void destroy_session(void *data)
{
    sundials_session *s = data;
    if (s->memory) s->free_memory(&s->memory);
    if (s->nonlinear) SUNNonlinSolFree(s->nonlinear);
    if (s->linear) SUNLinSolFree(s->linear);
    if (s->matrix) SUNMatDestroy(s->matrix);
    N_Vector *const vector[] = {&s->y, &s->dy, &s->dense, &s->weights};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        if (*vector[i]) N_VDestroy(*vector[i]);
    if (s->context) SUNContext_Free(&s->context);
}

void sundials_need(sundials_session *s, const void *thing)
{
    if (!thing) ctx_raise(s->ctx, AH_E_MEMORY);
}

void sundials_open(sundials_session *s, ah_ctx *ctx, const ivp *problem, uint32_t n,
                   void (*free_memory)(void **))
{
    *s = (sundials_session){
        .ctx = ctx, .problem = problem, .free_memory = free_memory, .raised = AH_OK};
    s->old = NEW_ARRAY(&ctx->scratch, double, problem->n + 1);
    s->shown = NEW_ARRAY(&ctx->scratch, double, problem->n + 1);
    ctx_hold(ctx, &s->held, destroy_session, s);
#if SUNDIALS_VERSION_MAJOR >= 7
    if (SUNContext_Create(SUN_COMM_NULL, &s->context)) s->context = NULL;
    sundials_need(s, s->context);
    SUNContext_ClearErrHandlers(s->context); /* they print */
#else
    if (SUNContext_Create(NULL, &s->context)) s->context = NULL;
    sundials_need(s, s->context);
#endif
    N_Vector *const vector[] = {&s->y, &s->dy, &s->dense, &s->weights};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        *vector[i] = N_VNew_Serial((sunindextype) n, s->context);
        sundials_need(s, *vector[i]);
        N_VConst(0, *vector[i]);
    }
}

void sundials_close(sundials_session *s)
{
    ctx_drop(s->ctx, &s->held);
}

void sundials_make_linear_solver(sundials_session *s, uint32_t n)
{
    if (n > SUNDIALS_LARGEST_DENSE) {
        s->linear = SUNLinSol_SPGMR(s->y, SUN_PREC_NONE, 0, s->context);
        sundials_need(s, s->linear);
        return;
    }
    s->jacobian = NEW_ARRAY(&s->ctx->scratch, double, (size_t) n *n + 1);
    s->matrix = SUNDenseMatrix((sunindextype) n, (sunindextype) n, s->context);
    sundials_need(s, s->matrix);
    s->linear = SUNLinSol_Dense(s->y, s->matrix, s->context);
    sundials_need(s, s->linear);
}

bool sundials_call(sundials_session *s, void (*body)(ah_ctx *ctx, void *arg), void *arg)
{
    const ah_status status = ctx_try(s->ctx, body, arg);
    if (status != AH_OK) s->raised = status;
    return status == AH_OK;
}

typedef struct evaluation {
    const ivp *problem;
    double t;
    const double *y;
    double *dy;
    bool good;
} evaluation;

static void evaluate(ah_ctx *ctx, void *arg)
{
    evaluation *e = arg;
    (void) ctx;
    e->good = e->problem->rhs(e->problem->user, e->t, e->y, e->dy);
    for (uint32_t i = 0; i < e->problem->n && e->good; i++) e->good = isfinite(e->dy[i]);
}

int sundials_rhs(sundials_session *s, double t, const double *y, double *dy)
{
    evaluation e = {s->problem, t, y, dy, false};
    s->evaluations++;
    if (!sundials_call(s, evaluate, &e)) return SUNDIALS_FATAL;
    return e.good ? 0 : SUNDIALS_RECOVERABLE;
}

typedef struct projection {
    const ivp *problem;
    double t, *y;
} projection;

static void move(ah_ctx *ctx, void *arg)
{
    const projection *p = arg;
    bool moved = false;
    (void) ctx;
    p->problem->project(p->problem->user, p->t, p->y, &moved);
}

int sundials_project(sundials_session *s, double t, double *y)
{
    projection p = {s->problem, t, y};
    return !s->problem->project || sundials_call(s, move, &p) ? 0 : SUNDIALS_FATAL;
}

/* The library interpolates in the last step only: beyond its ends they are repeated. */
static void dense_at(const void *session, double t, double *y)
{
    sundials_session *s = (sundials_session *) session;
    const double inside = fmin(fmax(t, fmin(s->t, s->t1)), fmax(s->t, s->t1));
    const bool good = s->interpolate(s, inside) == 0;
    memcpy(y, good ? N_VGetArrayPointer(s->dense) : s->shown, s->problem->n * sizeof *y);
}

/* Shows the step to the observer; false: stop. */
static bool show(sundials_session *s, double t1, double *y, ivp_observer observer, void *user)
{
    const size_t size = s->problem->n * sizeof *y;
    bool moved;
    memcpy(s->shown, N_VGetArrayPointer(s->y), size);
    if (s->problem->project) s->problem->project(s->problem->user, t1, s->shown, &moved);
    s->t1 = t1;
    const ivp_step step = {s->kind, s->t, t1, s->old, s->shown, s, dense_at};
    const bool go_on = !observer || observer(user, &step);
    memcpy(s->old, s->shown, size);
    memcpy(y, s->shown, size);
    s->t = t1;
    return go_on;
}

ivp_end sundials_run(sundials_session *s, const ivp_options *o, double t1, double *y,
                     ivp_observer observer, void *user, ivp_result *result)
{
    int tiny = 0;
    while (s->t != t1) {
        double t = s->t;
        ctx_tick(s->ctx);
        if (o->most_steps && result->steps >= o->most_steps) return IVP_TOO_LONG;
        const int flag = s->advance(s, t1, &t);
        if (s->raised != AH_OK) ctx_raise(s->ctx, s->raised);
        if (flag < 0) return s->end_of(flag);
        tiny = fabs(t - s->t) <= 10 * DBL_EPSILON * fabs(t) && t != t1 ? tiny + 1 : 0;
        if (tiny >= TINY_STEPS) return IVP_COLLAPSED;
        result->steps++;
        if (!show(s, t, y, observer, user)) return IVP_STOPPED;
    }
    return IVP_REACHED;
}

#endif
