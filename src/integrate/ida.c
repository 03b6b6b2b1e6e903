/* integrate/ida.c - a differential-algebraic system F(t, x, x') = 0 of index one by IDA: BDF of
 * order 1 to 5 in x itself. */
#include "integrate.h"

#ifdef AH_WITH_SUNDIALS
#include "sundials_inside.h"

#include <float.h>
#include <ida/ida.h>
#include <ida/ida_ls.h>
#include <math.h>
#include <string.h>

/* Weight of unknowns whose error is of no interest. */
#define NO_TOLERANCE 1e30
/* How small, in units of the error allowed, Newton's iteration leaves its last correction. IDA's
 * own 0.33 lets the unknowns without a tolerance wander: a third more steps, on some motions fifty
 * times as many. */
#define CONVERGED 0.01

typedef struct evaluation {
    const sundials_session *s;
    double t, c;
    const double *x, *dx;
    double *out;
    bool good;
} evaluation;

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

static void find_residual(ah_ctx *ctx, void *arg)
{
    evaluation *e = arg;
    const ivp *p = e->s->problem;
    (void) ctx;
    e->good =
        p->dae->residual(p->dae->user, e->t, e->x, e->dx, e->out) && all_finite(e->out, p->dae->n);
}

static void find_jacobian(ah_ctx *ctx, void *arg)
{
    evaluation *e = arg;
    const ivp *p = e->s->problem;
    (void) ctx;
    e->good = p->dae->jacobian(p->dae->user, e->t, e->c, e->x, e->dx, e->out) &&
              all_finite(e->out, (size_t) p->dae->n * p->dae->n);
}

static int residual(sunrealtype t, N_Vector x, N_Vector dx, N_Vector r, void *user)
{
    sundials_session *s = user;
    evaluation e = {
        s, t, 0, N_VGetArrayPointer(x), N_VGetArrayPointer(dx), N_VGetArrayPointer(r), false};
    s->so_far.evaluations++;
    if (!sundials_call(s, find_residual, &e)) return SUNDIALS_FATAL;
    return e.good ? 0 : SUNDIALS_RECOVERABLE;
}

static int jacobian(sunrealtype t, sunrealtype c, N_Vector x, N_Vector dx, N_Vector r, SUNMatrix J,
                    void *user, N_Vector w1, N_Vector w2, N_Vector w3)
{
    sundials_session *s = user;
    const uint32_t n = s->problem->dae->n;
    evaluation e = {s, t, c, N_VGetArrayPointer(x), N_VGetArrayPointer(dx), s->jacobian, false};
    (void) r, (void) w1, (void) w2, (void) w3;
    if (!sundials_call(s, find_jacobian, &e)) return SUNDIALS_FATAL;
    if (!e.good) return SUNDIALS_RECOVERABLE;
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) SM_ELEMENT_D(J, i, j) = s->jacobian[(size_t) i * n + j];
    return 0;
}

static int interpolate(sundials_session *s, double t)
{
    return IDAGetDky(s->memory, t, 0, s->dense);
}

static void prepare(sundials_session *s, const ivp_options *o, double t0, double t1)
{
    const ivp_dae *dae = s->problem->dae;
    s->memory = IDACreate(s->context);
    sundials_need(s, s->memory);
#if SUNDIALS_VERSION_MAJOR < 7
    IDASetErrFile(s->memory, NULL);
#endif
    sundials_begun(s, IDAInit(s->memory, residual, t0, s->y, s->dy));
    IDASetUserData(s->memory, s);
    for (uint32_t i = 0; i < dae->n; i++)
        N_VGetArrayPointer(s->weights)[i] =
            i < s->problem->n ? o->atol * (o->size ? o->size[i] : 1) : NO_TOLERANCE;
    sundials_done(s, IDASVtolerances(s->memory, o->rtol, s->weights));
    IDASetStopTime(s->memory, t1);
    if (o->first_step > 0) IDASetInitStep(s->memory, copysign(o->first_step, t1 - t0));
    if (o->largest_step > 0) IDASetMaxStep(s->memory, o->largest_step);
    sundials_make_linear_solver(s, dae->n);
    sundials_done(s, IDASetLinearSolver(s->memory, s->linear, s->matrix));
    if (s->matrix && dae->jacobian) IDASetJacFn(s->memory, jacobian);
    IDASetNonlinConvCoef(s->memory, CONVERGED);
}

/* From the present state in another form, where this one has become bad. */
static bool again(sundials_session *s, const double *y)
{
    const ivp_dae *dae = s->problem->dae;
    if (!dae->is_bad(dae->user, s->t, y)) return true;
    return dae->start(dae->user, s->t, y, N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->dy)) &&
           IDAReInit(s->memory, s->t, s->y, s->dy) == IDA_SUCCESS;
}

static int advance(sundials_session *s, double t1, double *t)
{
    return IDASolve(s->memory, t1, t, s->y, s->dy, IDA_ONE_STEP);
}

static ivp_end end_of(int flag)
{
    switch (flag) {
    case IDA_TOO_MUCH_ACC:
    case IDA_BAD_EWT:
    case IDA_ILL_INPUT: return IVP_TOO_TIGHT;
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL: return IVP_UNDEFINED;
    default: return IVP_COLLAPSED;
    }
}

static void *open(ah_ctx *ctx, arena *a, const ivp *problem)
{
    sundials_session *s = sundials_open(ctx, a, problem, problem->dae->n);
    s->so_far.kind = IVP_IDA;
    s->free_memory = IDAFree;
    s->failures = IDAGetNumErrTestFails;
    s->advance = advance;
    s->end_of = end_of;
    s->interpolate = interpolate;
    s->again = problem->dae->is_bad ? again : NULL;
    return s;
}

static ivp_end begin(void *session, const ivp_options *options, double t0, double t1, double *y)
{
    sundials_session *s = session;
    const ivp_dae *dae = s->problem->dae;
    sundials_begin(s, options, t0, t1, y);
    if (!dae->start(dae->user, t0, y, N_VGetArrayPointer(s->y), N_VGetArrayPointer(s->dy)))
        return IVP_UNDEFINED;
    prepare(s, options, t0, t1);
    return IVP_STEPPED;
}

const ivp_stepper ivp_ida = {open, begin, sundials_step, sundials_settle};

#endif
