/* integrate/sundials_inside.h - what our two users of SUNDIALS share: a session that owns what the
 * library allocates, and calls of a problem's functions out of which nothing unwinds.
 *
 * A raise must not jump over frames of the library (docs/decisions/0002): it is caught in the
 * callback, which answers with an error, and raised again once the library has returned. */
#ifndef INTEGRATE_SUNDIALS_INSIDE_H
#define INTEGRATE_SUNDIALS_INSIDE_H
#include "integrate.h"

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

/* Beyond this many unknowns the linear systems are solved by iteration, without a matrix. */
#define SUNDIALS_LARGEST_DENSE 400
/* Answers of a callback: try a smaller step; give up. */
#define SUNDIALS_RECOVERABLE 1
#define SUNDIALS_FATAL       (-1)

typedef struct sundials_session {
    ivp_result so_far;
    ah_ctx *ctx;
    arena *arena;
    const ivp *problem;
    const ivp_options *options;
    SUNContext context;
    void *memory;                                                     /* of CVODE or IDA … */
    void (*free_memory)(void **);                                     /* … and how it is freed */
    uint32_t n;                                                       /* unknowns */
    int (*advance)(struct sundials_session *s, double t1, double *t); /* one step */
    ivp_end (*end_of)(int flag);                                      /* what failed */
    int (*interpolate)(struct sundials_session *s, double t);         /* into dense; 0: good */
    bool (*again)(struct sundials_session *s, const double *y); /* NULL: never; false: it fails */
    N_Vector y, dy, dense, weights;                             /* weights: absolute tolerances */
    SUNMatrix matrix;
    SUNLinearSolver linear;
    SUNNonlinearSolver nonlinear;
    int (*failures)(void *memory, long *count); /* steps that were rejected */
    double *jacobian;                           /* row-major work space */
    double *old;                                /* the state before the step */
    double *shown;                              /* the state after it, projected */
    double *y_of_user;                          /* kept up to date */
    double t, t1, stop;                         /* the step that is shown; where to stop */
    int tiny;                                   /* steps as small as rounding, in a row */
    ah_status raised;                           /* inside a callback */
} sundials_session;

/* A session for n unknowns in the arena; what the library allocates goes with it. */
sundials_session *sundials_open(ah_ctx *ctx, arena *a, const ivp *problem, uint32_t n);
/* Frees what an earlier beginning left and makes new vectors; y is the state. */
void sundials_begin(sundials_session *s, const ivp_options *options, double t0, double t1,
                    double *y);
/* Dense or iterative, by size; NULL memory anywhere raises. */
void sundials_make_linear_solver(sundials_session *s, uint32_t n);
/* Raises AH_E_MEMORY unless the library gave what was asked for. */
void sundials_need(sundials_session *s, const void *thing);

/* The same for what a call of the set-up returned: with arguments as ours only memory can fail. */
void sundials_done(sundials_session *s, int flag);
void sundials_begun(sundials_session *s, int flag);

/* body(ctx, arg), nothing unwinding out of it; false: something did. */
bool sundials_call(sundials_session *s, void (*body)(ah_ctx *ctx, void *arg), void *arg);
/* dy = f(t, y), 0 or what the callback is to answer. */
int sundials_rhs(sundials_session *s, double t, const double *y, double *dy);
/* Moves y onto the manifold, where the problem has one. */
int sundials_project(sundials_session *s, double t, double *y);

/* See ivp_stepper. */
ivp_end sundials_step(void *session, ivp_step *out);
void sundials_settle(void *session);

#endif
