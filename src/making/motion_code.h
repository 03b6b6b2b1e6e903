/* making/motion_code.h - what a motion evaluates again and again, as programs.
 *
 * The state is y = (q, s): s are the model's velocity parameters z or its free quasi-velocities ω
 * where the method is written in them and v = ψ(q, s, t) is known; angular velocities for
 * unit quaternions (state/attitudes.h), or velocities on which the others depend (state/independent.h), where that is
 * shorter; the velocities v otherwise. All
 * programs take (t, y). A program that fails at a state (guards, compile/program.h), or that does
 * not exist, leaves the work to the worksheet's interpreter. */
#ifndef MAKING_MOTION_CODE_H
#define MAKING_MOTION_CODE_H
#include "../compile/compile.h"
#include "../integrate/integrate.h"
#include "../state/state.h"

typedef enum motion_program {
    MOTION_RHS,        /* y' */
    MOTION_ENERGY,     /* T + V, V */
    MOTION_PLACES,     /* |f|/Σ|terms| of each holonomic constraint, then q moved onto f = 0 (n) */
    MOTION_VELOCITIES, /* the same of the constraints on velocities, and v */
    MOTION_PLACES_LEFT,     /* the residuals of both alone: … */
    MOTION_VELOCITIES_LEFT, /* … what is left after a move */
    MOTION_REACTIONS,       /* λ (r), then Jᵀλ (n) */
    MOTION_CONSTANTS, /* each quantity that a claim calls constant, and the size of its terms */
    /* What must not lose rank (rank_rows × n): J, below ∂ω/∂v where the method rests on declared ω,
     * or ∂ψ/∂s transposed; then M_ii; then det(A W Aᵀ) of all rows, columns measured by M_ii,
     * rows as they are: quick, and good where it is not small; then, where there is a short formula, det A itself. */
    MOTION_RANK,
    MOTION_DETERMINANT, /* the last numbers of MOTION_RANK alone: what every step asks for */
    MOTION_JACOBIAN,    /* ∂y'_i/∂y_j, row-major; made when asked for */
    MOTION_POLES,       /* denominators (state/denominators.h), each with Σ|terms|; of a motion */
    MOTION_QDOT,        /* q'; of a motion where it is ψ(q, s, t) */
    MOTION_KNOWN, /* of (t, y, s'): events that are contact forces, each with Σ|terms| (making_known.c) */
    /* for systems (system.h): */
    MOTION_BY_PARAMETERS, /* ∂y'_i/∂p_j, row-major */
    MOTION_BY_TIME,       /* ∂y'/∂t */
    MOTION_ACCELERATIONS, /* q'' */
    MOTION_RESIDUALS,     /* f of each holonomic constraint, then C of those on velocities */
    MOTION_OUTPUTS,       /* those of the model that are formulas of the state */
    MOTION_SURE,          /* y', then q'', by multipliers: no pivot is chosen at a sample state */
    MOTION_EVENTS,        /* e1 − e2 of the model's events that are formulas of the state */
    MOTION_DRIVE,         /* what the inputs are by themselves, of a fed model (model_fed) */
    /* for code of its own that switches (model_pieces_alone): */
    MOTION_SWITCHES, /* what each side is the sign of, then Σ|terms|; other sides are as they are held */
    MOTION_SIDES,  /* the same without sizes; other sides are as the state says */
    MOTION_BREAKS, /* times at which something changes, of parameters alone */
    MOTION_KINKS, /* what |u| and sign(u) of constraints switch at, where that moves, then Σ|terms| */
    MOTION_PROGRAMS
} motion_program;

/* How the right-hand side is written down (making_rhs.c): the worksheet as it stands, simplified, its principle in the
 * speeds s, the same by points and bodies, in independent accelerations, link by link, or through frames. */
typedef enum motion_writing {
    MOTION_AS_IT_STANDS,
    MOTION_SIMPLIFIED,
    MOTION_IN_SPEEDS,
    MOTION_BY_PARTS,
    MOTION_INDEPENDENTLY,
    MOTION_BY_LINKS,
    MOTION_BY_FRAMES,
    MOTION_WRITINGS
} motion_writing;

/* Projection waits until the residual (relative to the terms) is this large: a few roundings. */
#define MOTION_RESIDUAL 2e-15

/* What the end of a step answers: f is there, on the constraints; it has been moved there. */
enum { MOTION_END_WHOLE = 1, MOTION_END_MOVED = 2 };

/* A contact force that is factor · q'' + rest of one coordinate, both of parameters alone. */
typedef struct motion_bend {
    uint32_t coordinate;
    ah_expr factor, rest; /* factor AH_NONE: it is not so */
} motion_bend;

/* False: a guard failed, or not all of `out` is finite. */
typedef int motion_direct(const double *c, double t, const double *y, double *out);

typedef struct motion_code {
    ah_ctx *ctx;
    arena *arena;
    uint32_t n, m; /* q and s */
    /* Parameters that may change (motion_code_take), in the order of the model: those that are not
     * given by others. None: all are numbers. */
    bool variable;
    expr_list parameters;
    bool shared;  /* the engine belongs to a system */
    bool settled; /* with an engine for more than a few steps (motion_run.c) */
    const ah_expr *second;
    const ah_expr *psi;    /* v in terms of q, s, t; NULL: s = v */
    const ah_expr *solved; /* attitude_frame.solved */
    mat own;               /* s = f(q, v, t) of a frame that the motion chose; no rows: none */
    bool own_watched;      /* … which fails where J loses its rank */
    const struct links
        *links; /* … in which velocities follow from one another (links.h); NULL: as psi says */
    bool framed; /* … whose s are speeds of frames, independent near where it was made (frames.h) */
    motion_writing writing; /* of MOTION_RHS, … */
    double cost, plain;     /* … what it counts, and the worksheet in the method's variables */
    const eval_method *by;  /* whose worksheet … */
    const ah_equations
        *rhs_tried; /* of these a right-hand side was asked for: it is there, or has no program */
    quantity rate;  /* … holds s' … */
    const uint32_t *row;                 /* … in these rows; NULL: in order */
    runner *runner;                      /* gives the rate by pivoting */
    program *program[MOTION_PROGRAMS];   /* NULL: none */
    bool moves_places, moves_velocities; /* to the constraints, after a step */
    uint32_t residuals[MOTION_PROGRAMS]; /* how many a projection begins with */
    size_t index[MOTION_PROGRAMS];       /* in the engine … */
    bool compiled[MOTION_PROGRAMS];      /* … where it is there */
    uint32_t rank_rows;                  /* of MOTION_RANK … */
    bool rank_signed;                    /* … which has det A, … */
    bool rank_by_speeds;                 /* … which depend on velocities or speeds, … */
    bool frame;                          /* … and begin with ∂ω/∂v, … */
    bool rank_of_psi;                    /* … or are those of (∂ψ/∂s)ᵀ */
    uint32_t *known;   /* by event of the model: 1 + its place in MOTION_KNOWN … */
    motion_bend *bend; /* … and how it follows from q''; */
    bool known_bends;  /* all of them do */
    engine *engine;
    struct {
        engine_function *function; /* NULL: by the engine */
        const double *constants;
    } quick[MOTION_PROGRAMS];
    /* Of variable parameters, compiled: programs without sections that take (t, y) as they lie. */
    motion_direct *direct[MOTION_PROGRAMS];
    engine_work *work; /* of this motion in the engine */
    /* In the cc engine: the whole step, compiled together with the right-hand side, and its end (motion_ends.c). */
    int (*step)(const double *const *all, const double *in, const double *y, const double *carry,
                double *k, double *next, double *lost, double *error, double *look);
    bool ends;                                /* it may be asked for the end, too */
    const double *constants[MOTION_PROGRAMS]; /* of each program of the engine */
    double *look;                             /* what it found at … */
    const double *looked;                     /* … this state (NULL: none), … */
    double looked_t;                          /* … then, … */
    uint32_t look_from[MOTION_PROGRAMS];      /* … each from here on; 0: not there */
    program *series;     /* MOTION_RHS as jets are made from it; NULL: from itself */
    jets *jets;          /* of MOTION_RHS; NULL: none wanted, or none to be had … */
    const char *no_jets; /* … because of this */
    jets_function *jet;  /* compiled */
    bool jacobian_tried; /* MOTION_JACOBIAN has been asked for */
    double *in, *out;    /* work space */
} motion_code;

typedef enum motion_variables {
    MOTION_OF_METHOD,
    MOTION_SHORTEST,  /* or others, in which the right-hand side is shorter */
    MOTION_OF_FRAMES, /* speeds of frames that are independent at the state (frames.h) */
} motion_variables;

/* Chooses the variables and makes the programs; `p` is a state to judge pivots by. */
void motion_code_create(motion_code *c, const eval_method *method, const eval_method *reactions,
                        point *p, motion_variables of);
/* The same with parameters that may change; none of the programs exists yet. */
void motion_code_begin(motion_code *c, const eval_method *method, point *p);
/* The programs and the engine of another, with work space of one's own for the parameters of the
 * point. */
void motion_code_share(motion_code *c, const motion_code *of, point *p);
/* The values of the parameters in the point, for this motion's work space and jets. */
void motion_code_take(motion_code *c, const point *p);
/* Makes the program of the exact Jacobian of the right-hand side; before the engine is started.
 * false: the right-hand side is no formula (MOTION_RHS is not there). */
bool motion_code_add_jacobian(motion_code *c, point *p);
/* Makes the jets that the Taylor method needs; before the engine is started. false: c->no_jets. */
bool motion_code_add_jets(motion_code *c, arena *a);
/* Chooses and starts the engine; ENGINE_AUTO: a compiled one that is there already, or the quickest
 * to start. Whatever is not to be had is replaced by the next best. */
void motion_code_start(motion_code *c, engine_kind kind);
/* Runs a program at (t, y) into `out` (NULL: c->out); false: it cannot there. */
bool motion_code_run(motion_code *c, motion_program which, double t, const double *y, double *out);
/* The same by the interpreter where the program is not in the engine. */
bool motion_code_interpret(motion_code *c, motion_program which, double t, const double *y,
                           double *out);
/* A contact force that an event of the model is, by the rates dy at (t, y), and Σ|terms|; false: it is not at hand. */
bool motion_code_known(motion_code *c, size_t event, double t, const double *y, const double *dy,
                       double *value, double *size);
/* C of the end of a step, `end`; false: there is none. */
bool motion_ends_emit(motion_code *c, text *t);
/* After the engine, or the parameters, have changed. */
void motion_ends_find(motion_code *c);
/* A program's numbers of the last end; false: it gave up there. */
bool motion_ends_take(const motion_code *c, motion_program which, double *out);
/* Holonomic constraints f, in a column. */
mat motion_code_holonomic(point *p);
ivp_cost motion_code_cost(const motion_code *c);
/* See ivp.jet. */
bool motion_code_jet(const motion_code *c, double t, uint32_t order, double *y);

#endif
