/* written/written.h - a system as it is written: its statements, names, parts and what they say. Whether they make a
 * system, module model finds (model_finish). */
#ifndef WRITTEN_WRITTEN_H
#define WRITTEN_WRITTEN_H
#include "../algebra/algebra.h"
#include "../numeric/numeric.h"
#include <anholo/model.h>

typedef struct model_parameter {
    const char *name;
    ah_expr symbol;
    ah_expr value; /* in numbers, pi and earlier parameters; AH_NONE: symbolic */
    ah_span span;
    /* Of one that stands for an input (model_fed): what it is by itself, in t and parameters;
     * AH_NONE: it is none of them. */
    ah_expr drive;
    const char *input; /* which one … */
    unsigned order;    /* … and how often differentiated; MODEL_CLOCK: the time of the others */
    bool counts;       /* an index or a range was read by its value: another one is another model */
} model_parameter;
enum { MODEL_CLOCK = 3 };

typedef struct model_function { /* unspecified, or defined by --set */
    const char *name;
    size_t count;
    ah_expr *parameters; /* AH_LOCAL symbols */
    ah_expr body;        /* AH_NONE: unspecified */
    ah_span span;
    ah_expr input; /* of an `input`, a function of t: what it is for numbers; AH_NONE: it is none */
} model_function;

typedef struct model_part { /* a point, or a rigid body */
    const char *name;
    bool is_body;
    ah_expr mass;
    ah_vector place, velocity;
    ah_expr inertia[6];      /* xx yy zz yz zx xy, body axes */
    ah_expr rotation[3][3];  /* columns are the body's axes in space */
    ah_expr turning[3][3];   /* d/dt of it */
    ah_vector omega;         /* space axes */
    ah_vector omega_body;    /* body axes */
    ah_vector omega_short;   /* axes in which I is the same and ω shortest: what T is made of */
    ah_vector force, torque; /* applied, gravity not included; torque about the centre of mass */
    uint32_t on;             /* 1 + the number of the body that it stands on; 0: none */
    ah_vector own_place, own_velocity, own_omega; /* relative to that one, in its axes */
    ah_expr own_rotation[3][3];                   /* columns are its axes in those of that one */
    const struct contact_shape *shape; /* where it touches (contact.h); NULL: nobody said */
    ah_span span;
} model_part;

typedef enum model_order {
    MODEL_HOLONOMIC = 0,
    MODEL_VELOCITY = 1,
    MODEL_ACCELERATION = 2
} model_order;

typedef struct model_constraint {
    const char *label;
    ah_expr left, right; /* as written */
    ah_expr c;           /* left − right, = 0 */
    model_order order;
    bool component; /* of a vector constraint: dropped silently where it vanishes */
    const char
        *joint; /* the word of the statement that makes it, as `hinge`; NULL: it is written */
    size_t joint_first; /* of the rows of a joint, as written: the first */
    bool rheonomic;     /* depends on t explicitly */
    /* of a velocity constraint in the velocities, of an acceleration constraint in the
     * accelerations: */
    bool linear; /* c = J v + b; structurally or by algebra */
    bool affine; /* linear with b != 0 */
    ah_span span;
} model_constraint;

typedef struct model_speed { /* a velocity parameter or a quasi-velocity */
    const char *name;
    ah_expr symbol;     /* AH_SPEED */
    ah_expr definition; /* quasi-velocity: ω(q, q', t); AH_NONE for a velocity parameter */
    bool constrained;   /* quasi-velocity: vanishes on the constraints */
    ah_span span;
} model_speed;

/* A partial function in the text of an expression, f(a) or f(a, b); AH_FUNCTIONS is the power a^b.
 * The graph may have simplified it away: 0*sqrt(x) exists where x >= 0. */
typedef struct model_need {
    ah_function f;
    ah_expr a, b; /* b == AH_NONE of a power: too many to be kept, never known to exist */
    bool smooth;  /* it was differentiated: its derivative must exist too */
} model_need;
typedef LIST(model_need) model_needs;

typedef struct model_value {
    ah_expr symbol, value;
    ah_span span;
    ah_expr
        written; /* of `start`: with the values before it by their names; AH_NONE: it has none */
} model_value;
/* A unit quaternion as an attitude: its components, and the angular velocity in body axes. */
typedef struct model_attitude {
    ah_expr e[4];
    ah_vector omega;
} model_attitude;
/* A vector of velocities that vanishes by three constraints: by their labels. */
typedef struct model_slip {
    ah_vector slip;
    const char *row[3];
} model_slip;
typedef struct model_range {
    ah_expr symbol, from, along;
    bool apart; /* in other steps than the rest: of two that are sought in a rectangle the second */
} model_range;

typedef struct model_output {
    const char *name;
    ah_expr e;
    ah_span span;
} model_output;

/* A force that changes where e = 0: `side`, a parameter, stands for sign(e). */
typedef struct model_switch {
    ah_expr side, e;
} model_switch;

typedef struct model_event {
    const char *label;
    ah_expr e;     /* happens where e = 0 … */
    int direction; /* … and grows (1), falls (-1), or either (0) */
    bool stop;     /* ends the motion */
    bool presses;  /* e is the normal force of a contact, which cannot be negative from the start */
    ah_span span;
} model_event;

/* Expressions that vanish together. */
typedef struct model_case {
    size_t count;
    const ah_expr *e;
    const ah_span *span;
} model_case;

typedef struct model_statement {
    ah_says says;
    ah_expr e;        /* integral, measure, characteristic … */
    ah_expr variable; /* … a polynomial in it */
    size_t cases;     /* singular: each of them, and nothing else */
    const model_case *at;
    size_t constraints;         /* of all of them where none is named: 0 */
    const uint32_t *constraint; /* index in ah_model.constraints */
    size_t numbers;
    const long *number;
    size_t values; /* in this state … */
    const model_value *value;
    size_t conditions; /* … when all these hold */
    const algebra_fact *condition;
    bool border; /* one of them is ≥ or ≤: equality counts, too */
} model_statement;
typedef struct model_unit {
    const char *name; /* of a quantity or of a family, "t", "energy", "lambda[label]" */
    const char *unit;
    ah_span span;
} model_unit;

/* States at which a claim is made: coordinates and velocities that have values there, equations in the
 * velocities besides, and relations. None of the values and equations holds a symbol that has one. */
typedef struct model_when {
    size_t values, equations, conditions;
    const model_value *value;
    const ah_expr *equation; /* = 0 */
    const algebra_fact *condition;
} model_when;

/* `symbol` (a parameter or t) goes to `value`, or to infinity: at a fixed state, or along the motions from the start. */
typedef struct model_limit {
    ah_expr symbol, value;
    int infinite;     /* 1, -1; 0: to the value */
    ah_expr from, to; /* times of the motions; AH_NONE: at a fixed state */
} model_limit;

typedef struct model_claim {
    const char *label;
    bool refute;
    ah_expr left, right; /* `constant e`, `integral e`: der(e) = 0 */
    ah_expr constant;    /* e, or AH_NONE */
    bool identically;    /* as functions of everything, whatever the constraints are */
    ah_span span;
    const char *words; /* after its label, as they were written; NULL: made by calls */
    const model_statement *statement; /* NULL: an equation */
    model_needs needs;                /* where its text exists, besides the system's own */
    const char *method;               /* whose objects it names; NULL: none */
    const model_when *when;           /* NULL: at all states */
    const model_limit *limit;         /* its sides are meant in this limit; NULL: as they are */
} model_claim;

typedef struct model_drawing {
    ah_drawing what; /* its names are ours */
    int part;        /* of the body, -1 without one */
    int colour;      /* index among model_colours, -1: any */
    ah_span span;
} model_drawing;

/* What a picture shows where nothing is drawn: rods and springs of joints, from end to end, and planes, a place and
 * the normal. */
typedef enum model_seen_kind {
    MODEL_SEEN_ROD,
    MODEL_SEEN_SPRING,
    MODEL_SEEN_PLANE
} model_seen_kind;
typedef struct model_seen {
    model_seen_kind kind;
    ah_vector at, to;
} model_seen;

/* Names of colours that can be told apart with any eyes, NULL at the end; their shades are the
 * page's affair. */
extern const char *const model_colours[];

/* A named expression (let): kept for display and for ah_read_expression. */
typedef struct model_let {
    const char *name;
    size_t count;
    ah_expr *parameters;
    bool is_vector;
    ah_vector value; /* c[0] alone for a scalar */
    model_needs needs;
    ah_span span;
} model_let;

/* Names in one hashed table: what stands behind a name, and its index in the list of its kind. */
typedef enum model_what {
    MODEL_NOTHING,
    MODEL_PARAMETER,
    MODEL_COORDINATE,
    MODEL_SPEED,
    MODEL_QUASIVELOCITY,
    MODEL_LET,
    MODEL_COUNTED_LET, /* the text alone has its body */
    MODEL_FUNCTION,
    MODEL_PART,
    /* in tables of their own: */
    MODEL_LABEL,
    MODEL_OUTPUT,
    MODEL_START
} model_what;
typedef struct model_name {
    const char *name;
    uint32_t hash;
    model_what what;
    uint32_t index;
    ah_span span;
} model_name;
typedef struct model_table {
    uint32_t *slot;             /* 1 + the number of an entry; 0: empty */
    LIST(model_name *) entries; /* in blocks, which do not move */
    size_t count, capacity;     /* slots: a power of two */
} model_table;

/* A reference to what a derivation makes (derived.h): lambda[2], reaction[x], M[1,2]. Indices count from 0; of β
 * the index of time is n. */
typedef enum derived_what {
#define X(what, word, first, second, third) DERIVED_##what,
#include "derived.def"
#undef X
    DERIVED_KINDS
} derived_what;
typedef struct derived_ref {
    derived_what what;
    uint32_t index[3];
    /* DERIVED_OBJECT: what the worksheet of a method calls so, and how many indices were written */
    const char *method, *word;
    uint32_t indices;
} derived_ref;
typedef struct model_derived {
    ah_expr symbol;
    derived_ref stands_for;
} model_derived;

typedef struct model_kept_entry {
    const void *key;
    void *value;
} model_kept_entry;

/* Calls that give a text back, which the model keeps until the same call is made again. */
typedef enum model_call {
    MODEL_EVAL,
    MODEL_SIMULATE,
    MODEL_PLOT,
    MODEL_REPORT,
    MODEL_DUMP,
    MODEL_CALLS
} model_call;

struct ah_model {
    ah_ctx *ctx;                 /* its own, inside the user's */
    uint32_t users;              /* systems and forks that need it */
    ah_model *fork_of;           /* NULL: it is none */
    ah_model *older;             /* of a fork that the model keeps: those made before it */
    bool busy;                   /* … and its call is not over */
    ah_model *last[MODEL_CALLS]; /* forks that hold what calls gave back */
    bool doomed;                 /* ah_model_destroy was called: it goes with the last of them */
    size_t errors_before;        /* reported in the context when the model was begun */
    const char *title, *source;
    uint32_t file;        /* the source it was read from (base.h); 0: made by calls */
    const char *settings; /* a=1.5,b=2: what was set after it was written; NULL: nothing */
    model_table names, labels, output_names, started;
    LIST(model_parameter) parameters;
    LIST(model_function) functions;
    LIST(model_let) lets;
    uint32_t n;        /* coordinates */
    expr_list q, v, a; /* symbols x, x', x'' in order */
    LIST(ah_span) q_span;
    LIST(model_part) parts;
    LIST(ah_expr) kinetic_terms, potential_terms; /* as written, before finishing */
    ah_span kinetic_span;                         /* of the first of them */
    LIST(ah_vector) gravity;
    LIST(model_value) forces;           /* `force q = e`, as written */
    LIST(model_constraint) written;     /* all constraints, as written */
    LIST(model_constraint) constraints; /* those that say something: made by ah_model_finish */
    uint32_t unlabelled;                /* constraint statements without a label so far */
    LIST(model_speed) speeds;           /* velocity parameters z, in order */
    expr_list psi;                      /* n of them when speeds.count > 0: q' = psi(q, z, t) */
    LIST(model_speed) quasivelocities;
    LIST(model_attitude) attitudes;
    LIST(model_slip) slips;
    LIST(algebra_fact) facts;
    model_needs needs; /* where the text of the system exists */
    LIST(ah_span) fact_span;
    LIST(model_value) start;
    LIST(model_value) guesses; /* of coordinates that the constraints tell */
    LIST(model_range) ranges;  /* where those are sought that have no guess */
    expr_list sides; /* positive where they have a choice: axes that are held look the same way */
    ah_expr t0, t1;  /* simulate; AH_NONE */
    LIST(model_output) outputs;
    LIST(model_unit) units;
    LIST(model_event) events;
    LIST(model_claim) claims;
    LIST(model_drawing) drawings;
    LIST(model_seen) seen;
    LIST(model_derived) derived; /* the references made so far */

    /* Made by ah_model_finish: */
    bool finished;
    ah_expr T, V;       /* whole kinetic and potential energy */
    bool kinematic;     /* no kinetic energy: its velocity parameters are inputs */
    bool kinetic_given; /* a `kinetic` statement contributes (then kane and massa-pagani refuse) */
    bool potential_given; /* a `potential` statement contributes */
    ah_expr *F;           /* n generalised forces besides −∂V/∂q (gravity of parts is in V) */
    ah_expr *F_written;   /* n: of these, what `force q = e` says */
    uint32_t rank; /* of the constraints on velocities, holonomic ones differentiated, at a general
                      state */
    expr_list on;  /* what holds besides (= 0) where only a part of the constraint set is meant
                      (components_view): states are drawn there */
    algebra *alg;  /* with the model's facts */

    /* of model_pieces: */
    LIST(model_switch) switches;
    expr_list breaks; /* times at which a force changes */

    LIST(model_kept_entry) kept; /* model_kept */
};

/* Named as in the language: looks up parameters, coordinates, speeds, lets, functions, parts. */
const model_name *model_find(const ah_model *m, const char *name); /* NULL: unknown */
const model_part *model_find_part(const ah_model *m, const char *name);
/* What a module above has made of the model and keeps with it, under the address of something of its own; NULL
 * until it is made. */
void **model_kept(ah_model *m, const void *key);
/* A copy whose parts may be changed: what was made of the model is not kept with it. */
ah_model *model_view(ah_model *m, arena *a);
int model_find_coordinate(const ah_model *m, const char *name); /* index or -1 */
ah_expr model_energy(ah_model *m);                              /* T + V */
/* All that equations of motion are made of: T, V, forces, constraints, velocity forms. */
expr_list model_equations(const ah_model *m, arena *a);
ah_expr model_jacobi(ah_model *m); /* q'·∂L/∂q' − L */
/* Functions replaced by their bodies, where they have one. */
void model_put_bodies(ah_model *m, ah_expr *roots, size_t count);
/* Quasi-velocities and their rates through the velocities. */
void model_put_quasivelocities(ah_model *m, ah_expr *e, size_t count);
/* All parameters that have values replaced by them (and functions by their bodies): for numbers. */
void model_put_values(ah_model *m, ah_expr *roots, size_t count);
/* The unspecified functions replaced by arbitrary smooth ones, so that questions about a general
 * state can be asked in numbers. */
void model_put_samples(ah_model *m, ah_expr *roots, size_t count);
/* Gives a parameter a value, or another one. */
void model_set_parameter(ah_model *m, const char *name, ah_expr value, ah_span span);
/* Everything understood, readable; in the arena. */
const char *model_print(ah_model *m, arena *a);

/* The builders behind the public ones; with places, for lang. The unguarded forms. */
ah_model *model_create(ah_ctx *ctx);
ah_expr model_add_parameter(ah_model *m, const char *name, ah_expr value, ah_span span);
ah_expr model_add_coordinate(ah_model *m, const char *name, ah_span span);
void model_add_function(ah_model *m, const char *name, size_t count, ah_expr *parameters,
                        ah_expr body, ah_span span);
void model_add_let(ah_model *m, const model_let *let);
void model_add_kinetic(ah_model *m, ah_expr e, ah_span span);
void model_add_potential(ah_model *m, ah_expr e, ah_span span);
void model_add_force(ah_model *m, ah_expr coordinate, ah_expr e, ah_span span);
/* Rayleigh's function D(q, q', t): the forces -∂D/∂q'. */
void model_add_dissipation(ah_model *m, ah_expr e, ah_span span);
void model_add_gravity(ah_model *m, ah_vector g, ah_span span);
model_part *model_add_point(ah_model *m, const char *name, ah_expr mass, ah_vector place,
                            ah_span span);
model_part *model_add_body(ah_model *m, const ah_body *body, ah_span span);
/* On another body, in whose axes its place and its turns count (NULL: those of space); then turned
 * by the unit quaternion (NULL: by none). */
model_part *model_add_body_on(ah_model *m, const ah_body *body, const model_part *on,
                              const ah_expr *quaternion, ah_span span);
void model_add_force_on(ah_model *m, const model_part *part, ah_vector f, const ah_vector *at,
                        ah_span span);
void model_add_torque_on(ah_model *m, const model_part *part, ah_vector torque, ah_span span);
void model_add_constraint(ah_model *m, const char *label, ah_expr left, ah_expr right,
                          ah_span span);
void model_add_constraint_vector(ah_model *m, const char *label, ah_vector left, ah_vector right,
                                 ah_span span);
ah_expr model_add_speed(ah_model *m, const char *name, ah_span span);
void model_add_speed_equation(ah_model *m, ah_expr coordinate, ah_expr psi, ah_span span);
ah_expr model_add_quasivelocity(ah_model *m, const char *name, ah_expr definition, ah_span span);
void model_add_fact(ah_model *m, algebra_fact f, ah_span span);
/* It may use what was started before. */
void model_add_start(ah_model *m, ah_expr symbol, ah_expr value, ah_span span);
/* It begins there, whatever was said; what uses it follows. */
void model_begin_at(ah_model *m, ah_expr symbol, ah_expr value, ah_span span);
/* The same of a component of an attitude's angular velocity in body axes; false: it is none. The others stay. */
bool model_begin_omega(ah_model *m, ah_expr omega, ah_expr value, ah_span span);
/* The attitude that omega is the *k-th component of; NULL: none. And e' = e (0, omega)/2. */
const model_attitude *model_attitude_of(const ah_model *m, ah_expr omega, int *k);
void model_attitude_rates(ah_model *m, const model_attitude *of, ah_vector omega, ah_expr out[4]);
/* e with what was started in its place. */
ah_expr model_put_started(ah_model *m, ah_expr e);
/* Near which a coordinate is that `start` leaves to the holonomic constraints. */
void model_add_guess(ah_model *m, ah_expr symbol, ah_expr value, ah_span span);
/* Where it is sought otherwise: from + s along, s >= 0; both may use coordinates. */
void model_add_range(ah_model *m, model_range range);
void model_add_side(ah_model *m, ah_expr positive);
void model_set_span(ah_model *m, ah_expr t0, ah_expr t1, ah_span span);
void model_add_unit(ah_model *m, const char *name, const char *unit, ah_span span);
/* Of a name, or of the family it belongs to; NULL: none is given. */
const char *model_unit_of(const ah_model *m, const char *name);
/* What follows from it: x' and x'' have the unit of x by that of t, reaction[x] that of the energy
 * by that of x. */
const char *model_unit_of_derived(const ah_model *m, const char *name);
const char *model_rate_unit(const ah_model *m, const char *unit); /* by that of t; NULL: unknown */
const char *model_force_unit(const ah_model *m, const char *coordinate);
void model_add_output(ah_model *m, const char *name, ah_expr e, ah_span span);
void model_add_slip(ah_model *m, model_slip slip);
void model_add_event(ah_model *m, const model_event *event); /* a copy is kept */
void model_add_claim(ah_model *m, const model_claim *claim); /* the same */
void model_add_drawing(ah_model *m, const ah_drawing *drawing, ah_span span);
void model_add_statement(ah_model *m, const char *label, const model_statement *says, bool refute,
                         ah_span span);

/* Geometry. */
ah_vector model_velocity_at(ah_model *m, const model_part *body, ah_vector place);
ah_vector model_axis(const model_part *body, int axis); /* 1, 2, 3 */

/* Vectors. */
ah_vector vector_add(ah_ctx *ctx, ah_vector a, ah_vector b);
ah_vector vector_sub(ah_ctx *ctx, ah_vector a, ah_vector b);
ah_vector vector_scale(ah_ctx *ctx, ah_expr s, ah_vector a);
ah_vector vector_cross(ah_ctx *ctx, ah_vector a, ah_vector b);
ah_expr vector_dot(ah_ctx *ctx, ah_vector a, ah_vector b);
ah_expr vector_norm(ah_ctx *ctx, ah_vector a);
ah_vector vector_dt(ah_ctx *ctx, ah_vector a);
ah_vector vector_zero(ah_ctx *ctx);

/* The rest of what other modules see of this one. */
#include "derived.h"
#include "kinds.h"

#endif
