/* integrate/sundials.c - sessions with SUNDIALS. */
#include "integrate.h"

#ifdef AH_WITH_SUNDIALS
#include "sundials_inside.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
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
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++) {
        if (*vector[i]) N_VDestroy(*vector[i]);
        *vector[i] = NULL;
    }
    if (s->context) SUNContext_Free(&s->context);
    s->memory = NULL;
    s->nonlinear = NULL;
    s->linear = NULL;
    s->matrix = NULL;
    s->context = NULL;
}

void sundials_need(sundials_session *s, const void *thing)
{
    if (!thing) ctx_raise(s->ctx, AH_E_MEMORY);
}

void sundials_done(sundials_session *s, int flag)
{
    if (flag < 0) ctx_raise(s->ctx, AH_E_MEMORY);
}

/* SUNDIALS does not look whether a copy of a vector could be made (N_VClone writes into it). */
static N_Vector clone(N_Vector v)
{
    N_Vector copy = N_VClone_Serial(v);
    if (copy) return copy;
    reserve_draw();
    copy = N_VClone_Serial(v);
    if (!copy) abort();
    return copy;
}

/* Likewise of a matrix. */
static SUNMatrix clone_matrix(SUNMatrix A)
{
    SUNMatrix copy = SUNMatClone_Dense(A);
    if (copy) return copy;
    reserve_draw();
    copy = SUNMatClone_Dense(A);
    if (!copy) abort();
    return copy;
}

/* What it could not begin has freed its vectors, and would free them again. */
void sundials_begun(sundials_session *s, int flag)
{
    if (flag < 0) s->memory = NULL;
    sundials_done(s, flag);
}

sundials_session *sundials_open(ah_ctx *ctx, arena *a, const ivp *problem, uint32_t n)
{
    sundials_session *s = NEW(a, sundials_session);
    *s = (sundials_session){.ctx = ctx, .arena = a, .problem = problem, .n = n, .raised = AH_OK};
    s->old = NEW_ARRAY(a, double, problem->n + 1);
    s->shown = NEW_ARRAY(a, double, problem->n + 1);
    if (n <= SUNDIALS_LARGEST_DENSE) s->jacobian = NEW_ARRAY(a, double, (size_t) n *n + 1);
    arena_own(a, destroy_session, s);
    return s;
}

/* A context takes a few blocks, and SUNDIALS 6 does not look at two of them (SUNHashMap_New): here somebody does. Small blocks that
 * a thread has freed the GNU C library keeps for this thread: the two cannot be missing a moment later, whatever others take. */
#define CONTEXT_BYTES ((size_t) 60 << 10)
enum { MAP_BYTES = 16, BUCKETS_BYTES = 64 };

static void make_vectors(sundials_session *s)
{
    destroy_session(s);
    reserve_free(reserve_alloc(CONTEXT_BYTES));
    reserve_free(reserve_alloc(MAP_BYTES));
    reserve_free(reserve_alloc(BUCKETS_BYTES));
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
        *vector[i] = N_VNew_Serial((sunindextype) s->n, s->context);
        sundials_need(s, *vector[i]);
        (*vector[i])->ops->nvclone = clone; /* copies have it too */
        N_VConst(0, *vector[i]);
    }
}

void sundials_begin(sundials_session *s, const ivp_options *options, double t0, double t1,
                    double *y)
{
    s->so_far = (ivp_result){.kind = s->so_far.kind, .t = t0};
    s->options = options;
    s->t = t0;
    s->stop = t1;
    s->tiny = 0;
    s->y_of_user = y;
    make_vectors(s);
    memcpy(s->old, y, s->problem->n * sizeof *y);
}

void sundials_make_linear_solver(sundials_session *s, uint32_t n)
{
    if (n > SUNDIALS_LARGEST_DENSE) {
        s->linear = SUNLinSol_SPGMR(s->y, SUN_PREC_NONE, 0, s->context);
        sundials_need(s, s->linear);
        return;
    }
    s->matrix = SUNDenseMatrix((sunindextype) n, (sunindextype) n, s->context);
    sundials_need(s, s->matrix);
    s->matrix->ops->clone = clone_matrix;
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
    s->so_far.evaluations++;
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

/* The step to be shown. */
static ivp_end show(sundials_session *s, double t1, ivp_step *out)
{
    bool moved;
    memcpy(s->shown, N_VGetArrayPointer(s->y), s->problem->n * sizeof *s->shown);
    if (s->problem->project) s->problem->project(s->problem->user, t1, s->shown, &moved);
    s->t1 = t1;
    *out = (ivp_step){s->so_far.kind, s->t, t1, s->old, s->shown, NULL, NULL, s, dense_at};
    return IVP_STEPPED;
}

ivp_end sundials_step(void *session, ivp_step *out)
{
    sundials_session *s = session;
    const ivp_options *o = s->options;
    double t = s->t;
    long failed = 0;
    if (s->t == s->stop) return IVP_REACHED;
    ctx_tick(s->ctx);
    if (o->most_steps && s->so_far.steps >= o->most_steps) return IVP_TOO_LONG;
    if (s->again && !s->again(s, s->old)) return IVP_UNDEFINED;
    const int flag = s->advance(s, s->stop, &t);
    if (s->failures(s->memory, &failed) == 0) s->so_far.rejected = (uint64_t) failed;
    if (s->raised != AH_OK) {
        const ah_status raised = s->raised;
        s->raised = AH_OK;
        ctx_raise(s->ctx, raised);
    }
    if (flag < 0) return s->end_of(flag);
    s->tiny = fabs(t - s->t) <= 10 * DBL_EPSILON * fabs(t) && t != s->stop ? s->tiny + 1 : 0;
    if (s->tiny >= TINY_STEPS) return IVP_COLLAPSED;
    return show(s, t, out);
}

void sundials_settle(void *session)
{
    sundials_session *s = session;
    const size_t size = s->problem->n * sizeof *s->old;
    memcpy(s->old, s->shown, size);
    memcpy(s->y_of_user, s->shown, size);
    s->t = s->so_far.t = s->t1;
    s->so_far.steps++;
}

#endif
