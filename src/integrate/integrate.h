/* integrate/integrate.h - initial value problems y' = f(t, y). Knows no mechanics: it takes
 * callbacks. */
#ifndef INTEGRATE_INTEGRATE_H
#define INTEGRATE_INTEGRATE_H
#include "../base/base.h"

/* A trial step from y at t: k (16 × n) has f(t, y) in its first row and gets those of the other
 * stages, next the new y, lost what rounding took from it, error the error relative to the
 * tolerance (not finite: f does not exist somewhere). Where `whole` was wanted and the error is not too large, next has been
 * brought to the constraints (`moved`: it had to be) and f(t + h, next) is in the row after them, unless `whole` is false then. */
typedef struct ivp_trial {
    double t, h, rtol, atol;
    const double *y, *carry;
    double *k, *next, *lost, error;
    bool whole, moved;
} ivp_trial;

/* What an integrator asks of a problem beyond its right-hand side. */
typedef enum ivp_needs { IVP_NEEDS_NOTHING, IVP_NEEDS_JETS, IVP_NEEDS_DAE } ivp_needs;

/* The rows of integrators.def; IVP_AUTO is DOP853 or Taylor, as their counted costs tell, and BDF
 * where it turns out stiff. */
typedef enum ivp_kind {
    IVP_AUTO,
#define X(kind, name, stepper, library, needs) IVP_##kind,
#include "integrators.def"
#undef X
    IVP_KINDS
} ivp_kind;

/* The same problem as F(t, x, x') = 0 of index one. The first of the n unknowns x are y; the error
 * of the others is not controlled. */
typedef struct ivp_dae {
    uint32_t n;
    void *user;
    /* Consistent x and x' at the state y; false: there are none. */
    bool (*start)(void *user, double t, const double *y, double *x, double *dx);
    bool (*residual)(void *user, double t, const double *x, const double *dx, double *r);
    /* ∂F/∂x + c ∂F/∂x', row-major (may be NULL). */
    bool (*jacobian)(void *user, double t, double c, const double *x, const double *dx, double *J);
    /* After a step that ends in y (may be NULL): whether the form has become a bad one there. Then
     * `start` is called again and may choose another; the n unknowns stay as many. */
    bool (*is_bad)(void *user, double t, const double *y);
} ivp_dae;

/* What evaluations cost, in operations weighted by their time; for the automatic choice. */
typedef struct ivp_cost {
    double rhs;     /* one evaluation of f */
    double order;   /* each order of a jet … */
    double product; /* … and the products of which it takes sums */
} ivp_cost;

typedef struct ivp {
    uint32_t n;
    void *user;
    /* dy = f(t, y); false: f does not exist there. */
    bool (*rhs)(void *user, double t, const double *y, double *dy);
    /* After an accepted step (may be NULL): may move y onto an invariant manifold and sets *moved
     * when it did. */
    void (*project)(void *user, double t, double *y, bool *moved);
    uint32_t
        places; /* the first of y: DOP853 ends no step where the projection moves these far, as beyond a kink */
    /* Does a trial step of DOP853 at once (may be NULL); false: it cannot here, and rhs is to be
     * called stage by stage. See dop853_emit. */
    bool (*trial)(void *user, ivp_trial *trial);
    /* The jet of the solution through y at t (may be NULL): y has order + 1 rows of n, the first is
     * given, row k becomes y⁽ᵏ⁾/k!. False: not at this state. */
    bool (*jet)(void *user, double t, uint32_t order, double *y);
    /* ∂f/∂y, row-major n × n (may be NULL; false: not at this state): differences instead. */
    bool (*jacobian)(void *user, double t, const double *y, double *J);
    const ivp_dae *dae; /* for IDA; may be NULL */
    ivp_cost cost;
} ivp;

typedef enum ivp_end {
    IVP_STEPPED,   /* a step was made */
    IVP_REACHED,   /* the end of the span */
    IVP_STOPPED,   /* the observer said so */
    IVP_UNDEFINED, /* f does not exist, whatever the step */
    IVP_COLLAPSED, /* the step size fell to rounding */
    IVP_TOO_LONG,  /* the number of steps allowed is used up */
    IVP_TOO_TIGHT, /* the integrator cannot be as accurate as that */
} ivp_end;

typedef struct ivp_options {
    double rtol, atol;
    const double
        *size;         /* n: BDF, Adams and IDA have atol in these, which are at least 1; NULL: 1 */
    double first_step; /* 0: chosen */
    double largest_step; /* 0: none */
    uint64_t most_steps; /* 0: no limit */
} ivp_options;

/* Parts of a step whose ends a method has looked at anyway. */
enum { IVP_STRETCHES = 4 };

/* One accepted step with its continuous output. */
typedef struct ivp_step {
    ivp_kind kind;
    double t0, t1;
    const double *y0, *y1; /* y1 before a projection that moves it by more than the tolerance */
    const double *f0, *f1; /* y' there; NULL: not at hand */
    const void *stepper;
    void (*at)(const void *stepper, double t, double *y); /* anywhere in [t0, t1] */
    /* The means of y_i'' over its stretches, to the order of the stages or the series, for next to nothing; NULL: not at hand. */
    void (*bends)(const void *stepper, uint32_t i, double *mean);
} ivp_step;

/* Called after each accepted step; false stops. */
typedef bool (*ivp_observer)(void *user, const ivp_step *step);

typedef struct ivp_result {
    ivp_end end;
    ivp_kind kind; /* the integrator at the end */
    double t;
    uint64_t steps, rejected, evaluations;
} ivp_result;

/* An integrator as steps. Its memory, `stepper`, begins with an ivp_result, which counts. */
typedef struct ivp_stepper {
    /* Memory comes from the arena; what is outside of it goes with it. */
    void *(*open)(ah_ctx *ctx, arena *a, const ivp *problem);
    /* At (t0, y), towards t1 (either direction); y is kept up to date by settle. May be called
     * again. IVP_STEPPED: go on. */
    ivp_end (*begin)(void *stepper, const ivp_options *options, double t0, double t1, double *y);
    /* One accepted step: IVP_STEPPED and *out, which settle or the next step ends. */
    ivp_end (*step)(void *stepper, ivp_step *out);
    /* Takes the step over: projects, makes ready for the next. */
    void (*settle)(void *stepper);
} ivp_stepper;
/* ivp_taylor ends with IVP_UNDEFINED where there is no jet; those of SUNDIALS are there where it
 * is. */
#define X(kind, name, stepper, library, needs) extern const ivp_stepper stepper;
#include "integrators.def"
#undef X

/* Integrates from t0 to t1 (either direction); y is the state at t0 and becomes the one at the end.
 * No allocation inside a step of our own integrators. Where the jets of the Taylor series do not exist,
 * DOP853 goes on for a few steps. */
ivp_result ivp_run(ah_ctx *ctx, ivp_kind kind, const ivp *problem, const ivp_options *options,
                   double t0, double t1, double *y, ivp_observer observer, void *user);
/* The same by one integrator alone. */
ivp_result ivp_go(ah_ctx *ctx, const ivp_stepper *by, const ivp *problem,
                  const ivp_options *options, double t0, double t1, double *y,
                  ivp_observer observer, void *user);

/* The same step by step. `problem` and `options` must stay; all of it goes with the arena. */
typedef struct ivp_drive ivp_drive;
ivp_drive *ivp_drive_open(ah_ctx *ctx, arena *a, ivp_kind kind, const ivp *problem,
                          const ivp_options *options);
/* From here on; also in the middle of a motion, whose counts stay. */
void ivp_drive_begin(ivp_drive *d, double t0, double t1, double *y);
ivp_end ivp_drive_step(ivp_drive *d, ivp_step *out);
/* After a step; `more`: another one may follow, and the choice of the integrator is thought over. */
void ivp_drive_settle(ivp_drive *d, const ivp_step *step, bool more);
ivp_result ivp_drive_result(const ivp_drive *d);

uint32_t ivp_taylor_order(double rtol);

typedef struct ivp_integrator {
    const char *name;
    const ivp_stepper *by; /* NULL: this program was built without its library; or IVP_AUTO */
    ivp_needs needs;
} ivp_integrator;
extern const ivp_integrator ivp_integrators[IVP_KINDS];
/* Their names, "auto|dop853|…". */
const char *ivp_names(void);
/* The one of this name (NULL: auto), or IVP_KINDS. */
ivp_kind ivp_find(const char *name);
/* Why this integrator is not to be had at all, or NULL. */
const char *ivp_missing(ivp_kind kind);

/* C of a function that does a trial step with a right-hand side that it can inline:
 *     int NAME(const double *const *all, const double *in, const double *y, const double *carry,
 *              double *k, double *next, double *lost, double *error, double *look)
 * in = t, h, rtol, atol, and whether the end is wanted; RHS(all[0], x, dy) gets x = (t, y) and answers 0 where it gives up, and
 * then so does NAME. error: relative to the tolerance; then, where that is met and the end is wanted, what
 * END(all, in, next, dy, look) answers, 0 otherwise (END NULL: always). The operations and their order are those of ivp_dop853. */
void dop853_emit(text *t, const char *name, const char *rhs, uint32_t n, const char *end);
/* coefficient · k_j[i] of all stages before `count`; false: all are zero, nothing is written. */
bool dop853_emit_sum(text *t, const double *coefficient, int count);

/* The memory of trajectories on the lanes of one vector, in rows of as many doubles as it has lanes: these, then y, what
 * rounding lost of it, y before the step (n rows each), 16 n of stages, 8 n of the continuous output, and what `after` needs.
 * Those that say yes or no have all bits set, or none. Vectors follow one another. */
#define LANE_LIST(X)                                                                               \
    X(T)        /* now … */                                                                      \
    X(H)        /* … and the next step */                                                        \
    X(END)      /* of the span */                                                                  \
    X(FRESH)    /* just filled: h is to be chosen */                                               \
    X(LIVE)     /* there is a trajectory in it */                                                  \
    X(REJECTED) /* the last try was */                                                             \
    X(WISHED)   /* the step before the last had the tolerance been met; 0: none */                 \
    X(STEPS)    /* that were tried */                                                              \
    X(OLD_T)    /* the last step that was accepted … */                                          \
    X(OLD_H)                                                                                       \
    X(ACCEPTED) /* … in this round */                                                            \
    X(DONE)     /* the end of the span is reached */                                               \
    X(TROUBLE)  /* it must be integrated otherwise */                                              \
    X(ROWS)
typedef enum lane_row {
#define X(row) LANE_##row,
    LANE_LIST(X)
#undef X
} lane_row;
#define LANE_VECTORS(n) (3 * (size_t) (n) + 16 * (size_t) (n) + 8 * (size_t) (n))

typedef struct lanes_shape {
    uint32_t n;                    /* of y */
    uint32_t first_read, end_read; /* of it, those that are read at places within a step */
    unsigned vectors;              /* that go together */
    size_t rows;                   /* of the memory of one */
    unsigned programs;             /* whose constants c has, for one vector after the other */
} lanes_shape;

/* C with the vector types of compile/lanes.h: begin, after a function `I f(const V *const *c, const V *x, V *dy)` of
 * x = (t, y), f_near, the same for the stages of a step that begins where f has set all lanes of its answer, and f_passing, which may
 * leave out what neither f nor `after` reads at places within a step, declares
 *     dense_at(s, part, x): x at a part of the last step, after make_dense(s, c);
 * end makes, of all this,
 *     void rounds(double *memory, const double *const *c, const double *par, int most)
 *     void dense(double *memory, const double *const *c, const double *par)
 * rounds until a lane is done or in trouble, `most` of them at most; par[0 .. 2] = rtol, atol, the number of steps allowed,
 * par[6]: whether `dense` will be called. `I after(V *s, const V *const *c, const double *par, I accepted, const V *y, const V
 * *k)` is called after steps of one vector, which began at y; it may move Y and answers which lanes are in trouble; before make_dense it
 * calls keep_step(s, y, k). NULL: none. EACH_VECTOR begins a loop over g, the vectors, whose memory is s + g * SIZE and whose
 * constants are c + g * PROGRAMS. */
void dop853_lanes_begin(text *t, const lanes_shape *w);
void dop853_lanes_end(text *t, const char *after);
/* A row of its coefficients: 'a' (12 rows), 'b', 'c', and '3', '5' of the errors. */
const double *dop853_row(char table, int row, size_t *count);

#endif
