/* anholo/system.h - a model by one method, ready for numbers.
 *
 * A system is made once: equations derived, formulas compiled. It does not change after that, and
 * any number of threads may use it at a time, each with a work space of its own. What is asked with
 * a work space takes numbers and gives numbers: no text, no context, no allocation. Parameters may
 * be changed in a work space at any time; nothing is derived or compiled anew.
 *
 * The state is y = (q, s): the coordinates, then the velocities, or the model's velocity parameters
 * z or free quasi-velocities ω where the method is written in them. The context of the model is
 * needed to make and to destroy a system, not to use it. A model stays until its last system is
 * gone.
 *
 * Systems of one model by one method have one derivation; with equal options they are one object, which is
 * gone when it was destroyed as often as it was created. */
#ifndef ANHOLO_SYSTEM_H
#define ANHOLO_SYSTEM_H
#include <anholo/model.h>

typedef struct ah_system ah_system;
typedef struct ah_work ah_work;

typedef struct ah_system_options {
    size_t size;        /* of this struct: ah_system_defaults sets it */
    const char *method; /* NULL: the model's default, that of ah_simulate */
    const char *engine; /* "interpret", "tcc", "cc"; NULL, "auto": as ah_simulate chooses */
    bool jacobians;     /* the derivatives of y' are wanted too */
    bool project;       /* the model's start is moved to the nearest admissible state */
    bool lasting;       /* formulas for states far from the start too, where those of the method may
                           need pivoting: for exports, which cannot */
    bool driven;        /* inputs are the functions of time that the model says, as in ah_simulate,
                           not parameters */
} ah_system_options;

AH_API ah_system_options ah_system_defaults(void);

/* All parameters need values. A model without `start` is welcome: the order of eliminations is then
 * chosen at a random admissible state. AH_E_REFUSED: the method does not apply, or the
 * accelerations are no function of the state (constraints not linear in them). */
AH_API ah_status ah_system_create(ah_model *m, const ah_system_options *options, ah_system **out);
/* NULL is fine. Its work spaces and motions must be gone. */
AH_API void ah_system_destroy(ah_system *s);

/* ---- What there is --------------------------------------------------------------------------- */

/* One list: code, name. */
#define AH_QUANTITY_LIST(X)                                                                        \
    X(AH_Q_STATE, "state")               /* y */                                                   \
    X(AH_Q_PARAMETER, "parameter")       /* those that the model does not give by others */        \
    X(AH_Q_RATE, "rate")                 /* y' */                                                  \
    X(AH_Q_VELOCITY, "velocity")         /* q' */                                                  \
    X(AH_Q_ACCELERATION, "acceleration") /* q'' */                                                 \
    X(AH_Q_MULTIPLIER, "multiplier")     /* of each constraint */                                  \
    X(AH_Q_REACTION, "reaction")         /* of the constraints, on each coordinate */              \
    X(AH_Q_ENERGY, "energy")             /* T + V, T, V */                                         \
    X(AH_Q_RESIDUAL, "residual") /* left − right: of holonomic constraints, then of all  \
                                            on velocities (holonomic ones differentiated) */       \
    X(AH_Q_OUTPUT, "output")     /* those of the model that are formulas of the state */           \
    X(AH_Q_BY_STATE, "by state") /* ∂y'_i/∂y_j, row after row */                               \
    X(AH_Q_BY_PARAMETER, "by parameter") /* ∂y'_i/∂p_j, row after row */                       \
    X(AH_Q_BY_TIME, "by time")           /* ∂y'_i/∂t */                                        \
    X(AH_Q_EVENT, "event") /* zero at the model's events; those that are formulas of the state */

typedef enum ah_quantity {
#define X(code, name) code,
    AH_QUANTITY_LIST(X)
#undef X
        AH_QUANTITIES
} ah_quantity;

/* How many numbers it has; 0: the system does not have it. Derivatives are there when `jacobians` asked for them, but not
 * where (states + parameters + 1) times the operations of y' are more than 200 000, as for the 42 states of ten trailers:
 * compilers take minutes for such formulas. Differences of y' serve then. */
AH_API size_t ah_system_count(const ah_system *s, ah_quantity what);
/* As in the language: "x", "x'", "x''", "w3", "lambda[label]", …; NULL beyond the last, and of
 * derivatives. */
AH_API const char *ah_system_name(const ah_system *s, ah_quantity what, size_t index);
/* What the model says it is measured in, or NULL. */
AH_API const char *ah_system_unit(const ah_system *s, ah_quantity what, size_t index);
/* The index of a name, or -1. */
AH_API ptrdiff_t ah_system_find(const ah_system *s, ah_quantity what, const char *name);
/* Of AH_Q_EVENT: the event counts where its number grows (1), falls (-1), or either way (0). */
AH_API int ah_system_event_direction(const ah_system *s, size_t index);
AH_API const char *ah_system_method(const ah_system *s);
AH_API const char *ah_system_engine(const ah_system *s); /* in use */
/* The model's start, completed; AH_E_REFUSED: it has none. */
AH_API ah_status ah_system_start(const ah_system *s, double *t, double *y);
/* The model's values. */
AH_API ah_status ah_system_parameters(const ah_system *s, double *parameters);

/* ---- Work spaces ----------------------------------------------------------------------------- */

/* From any thread; used by one at a time. NULL: no memory. Parameters have the model's values. */
AH_API ah_work *ah_work_create(const ah_system *s);
AH_API void ah_work_destroy(ah_work *w);

/* All parameters, in order. AH_E_INPUT: one is not finite; nothing has changed. */
AH_API ah_status ah_work_set_parameters(ah_work *w, const double *parameters);
AH_API ah_status ah_work_set_parameter(ah_work *w, size_t index, double value);
AH_API ah_status ah_work_get_parameters(const ah_work *w, double *parameters);

/* The quantity at (t, y), ah_system_count numbers. AH_E_NUMERIC: it does not exist at this state (a
 * singular one, or a function outside its domain), and the numbers are NaN. AH_E_REFUSED: the
 * system does not have it. `y` and `out` must not overlap. */
AH_API ah_status ah_work_evaluate(ah_work *w, ah_quantity what, double t, const double *y,
                                  double *out);
/* Moves y to the constraints (q first, then the velocities), along the shortest way in the metric
 * of the mass matrix as far as Newton's method takes it. *residual (may be NULL): the largest that
 * is left, relative to the terms of the constraint. AH_E_NUMERIC: it stays larger than 1e-9; y is
 * as it was. */
AH_API ah_status ah_work_project(ah_work *w, double t, double *y, double *residual);

#endif
