/* integrate/cvode.c - linear multistep methods of variable order and step by CVODE: Adams of order
 * 1 to 12 with functional iteration, BDF of order 1 to 5 with Newton's.
 *
 * A multistep method remembers, so its state cannot simply be moved onto the invariant manifold
 * after a step. BDF has a projection of its own, which corrects what is remembered as well. Adams
 * gets f(t, P(y)) for its right-hand side, P the projection: y then drifts off the manifold by no
 * more than its own error, and P(y), which is what is shown, follows f on it. */
#include "integrate.h"

#ifdef AH_WITH_SUNDIALS
#include "sundials_inside.h"

#include <cvode/cvode.h>
#include <cvode/cvode_ls.h>
#include <cvode/cvode_proj.h>
#include <float.h>
#include <math.h>
#include <string.h>

static int rhs_plain(sunrealtype t, N_Vector y, N_Vector dy, void *user)
{
    return sundials_rhs(user, t, N_VGetArrayPointer(y), N_VGetArrayPointer(dy));
}

static int rhs_projected(sunrealtype t, N_Vector y, N_Vector dy, void *user)
{
    sundials_session *s = user;
    memcpy(s->shown, N_VGetArrayPointer(y), s->problem->n * sizeof *s->shown);
    const int answer = sundials_project(s, t, s->shown);
    return answer ? answer : sundials_rhs(s, t, s->shown, N_VGetArrayPointer(dy));
}

static int project(sunrealtype t, N_Vector y, N_Vector correction, sunrealtype tolerance,
                   N_Vector error, void *user)
{
    sundials_session *s = user;
    double *c = N_VGetArrayPointer(correction);
    const double *from = N_VGetArrayPointer(y);
    (void) tolerance, (void) error;
    memcpy(c, from, s->problem->n * sizeof *c);
    const int answer = sundials_project(s, t, c);
    for (uint32_t i = 0; i < s->problem->n; i++) c[i] -= from[i];
    return answer;
}

typedef struct exact {
    sundials_session *s;
    double t;
    const double *y;
    bool good;
} exact;

static void find_jacobian(ah_ctx *ctx, void *arg)
{
    exact *e = arg;
    const ivp *p = e->s->problem;
    (void) ctx;
    e->good = p->jacobian(p->user, e->t, e->y, e->s->jacobian);
    for (size_t i = 0; i < (size_t) p->n * p->n && e->good; i++)
        e->good = isfinite(e->s->jacobian[i]);
}

/* By differences, where there are no formulas. */
static int differences(sundials_session *s, double t, double *y, const double *f, double *column)
{
    const uint32_t n = s->problem->n;
    for (uint32_t j = 0; j < n; j++) {
        const double kept = y[j], d = sqrt(DBL_EPSILON) * fmax(fabs(kept), 1e-5);
        y[j] = kept + d;
        const int answer = sundials_rhs(s, t, y, column);
        const double width = y[j] - kept;
        y[j] = kept;
        if (answer) return answer;
        for (uint32_t i = 0; i < n; i++)
            s->jacobian[(size_t) i * n + j] = (column[i] - f[i]) / width;
    }
    return 0;
}

static int jacobian(sunrealtype t, N_Vector y, N_Vector f, SUNMatrix J, void *user, N_Vector work,
                    N_Vector b, N_Vector c)
{
    sundials_session *s = user;
    const uint32_t n = s->problem->n;
    exact e = {s, t, N_VGetArrayPointer(y), false};
    (void) b, (void) c;
    if (s->problem->jacobian && !sundials_call(s, find_jacobian, &e)) return SUNDIALS_FATAL;
    if (!e.good) {
        const int answer = differences(s, t, N_VGetArrayPointer(y), N_VGetArrayPointer(f),
                                       N_VGetArrayPointer(work));
        if (answer) return answer;
    }
    for (uint32_t j = 0; j < n; j++)
        for (uint32_t i = 0; i < n; i++) SM_ELEMENT_D(J, i, j) = s->jacobian[(size_t) i * n + j];
    return 0;
}

static int interpolate(sundials_session *s, double t)
{
    return CVodeGetDky(s->memory, t, 0, s->dense);
}

static void prepare(sundials_session *s, const ivp_options *o, double t0, double t1)
{
    const bool adams = s->so_far.kind == IVP_ADAMS;
    s->memory = CVodeCreate(adams ? CV_ADAMS : CV_BDF, s->context);
    sundials_need(s, s->memory);
#if SUNDIALS_VERSION_MAJOR < 7
    CVodeSetErrFile(s->memory, NULL);
#endif
    sundials_begun(s, CVodeInit(s->memory, adams && s->problem->project ? rhs_projected : rhs_plain,
                                t0, s->y));
    CVodeSetUserData(s->memory, s);
    for (uint32_t i = 0; i < s->problem->n; i++)
        N_VGetArrayPointer(s->weights)[i] = o->atol * (o->size ? o->size[i] : 1);
    sundials_done(s, CVodeSVtolerances(s->memory, o->rtol, s->weights));
    CVodeSetStopTime(s->memory, t1);
    CVodeSetMaxHnilWarns(s->memory, -1);
    if (o->first_step > 0) CVodeSetInitStep(s->memory, copysign(o->first_step, t1 - t0));
    if (o->largest_step > 0) CVodeSetMaxStep(s->memory, o->largest_step);
    if (adams) {
        s->nonlinear = SUNNonlinSol_FixedPoint(s->y, 0, s->context);
        sundials_need(s, s->nonlinear);
        sundials_done(s, CVodeSetNonlinearSolver(s->memory, s->nonlinear));
        return;
    }
    sundials_make_linear_solver(s, s->problem->n);
    sundials_done(s, CVodeSetLinearSolver(s->memory, s->linear, s->matrix));
    if (s->matrix) CVodeSetJacFn(s->memory, jacobian);
    sundials_done(s, CVodeSetStabLimDet(s->memory, SUNTRUE));
    if (!s->problem->project) return;
    sundials_done(s, CVodeSetProjFn(s->memory, project));
    CVodeSetProjErrEst(s->memory, SUNFALSE);
}

static int advance(sundials_session *s, double t1, double *t)
{
    return CVode(s->memory, t1, s->y, t, CV_ONE_STEP);
}

static ivp_end end_of(int flag)
{
    switch (flag) {
    case CV_TOO_MUCH_ACC:
    case CV_ILL_INPUT: return IVP_TOO_TIGHT; /* a weight is not finite */
    case CV_RHSFUNC_FAIL:
    case CV_FIRST_RHSFUNC_ERR:
    case CV_REPTD_RHSFUNC_ERR:
    case CV_UNREC_RHSFUNC_ERR: return IVP_UNDEFINED;
    default: return IVP_COLLAPSED;
    }
}

static void *open_as(ah_ctx *ctx, arena *a, const ivp *problem, ivp_kind kind)
{
    sundials_session *s = sundials_open(ctx, a, problem, problem->n);
    s->so_far.kind = kind;
    s->free_memory = CVodeFree;
    s->failures = CVodeGetNumErrTestFails;
    s->advance = advance;
    s->end_of = end_of;
    s->interpolate = interpolate;
    return s;
}

static void *open_adams(ah_ctx *ctx, arena *a, const ivp *problem)
{
    return open_as(ctx, a, problem, IVP_ADAMS);
}

static void *open_bdf(ah_ctx *ctx, arena *a, const ivp *problem)
{
    return open_as(ctx, a, problem, IVP_BDF);
}

static ivp_end begin(void *session, const ivp_options *options, double t0, double t1, double *y)
{
    sundials_session *s = session;
    sundials_begin(s, options, t0, t1, y);
    memcpy(N_VGetArrayPointer(s->y), y, s->problem->n * sizeof *y);
    prepare(s, options, t0, t1);
    return IVP_STEPPED;
}

const ivp_stepper ivp_adams = {open_adams, begin, sundials_step, sundials_settle};
const ivp_stepper ivp_bdf = {open_bdf, begin, sundials_step, sundials_settle};

#endif
