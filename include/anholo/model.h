/* anholo/model.h - a mechanical system: built by these calls or read from text (anholo/lang.h).
 *
 * Calls that add something may come in any order that respects "declare before use";
 * ah_model_finish checks the whole and works out what the geometry implies. Errors go to the
 * context's diagnostics. */
#ifndef ANHOLO_MODEL_H
#define ANHOLO_MODEL_H
#include <anholo/expr.h>

typedef struct ah_model ah_model;

typedef struct ah_vector {
    ah_expr c[3]; /* in space axes */
} ah_vector;

/* A model has a context of its own inside the given one, which is told of errors and sets the
 * limits: all that is made for the model (expressions, equations, answers, texts) lives there and
 * goes with it. */
AH_API ah_model *ah_model_create(ah_ctx *ctx, const char *title);
/* NULL is fine. Where systems of it are left, it stays until the last of them is destroyed. */
AH_API void ah_model_destroy(ah_model *m);
/* With which the model's expressions are made, looked at and printed. */
AH_API ah_ctx *ah_model_context(const ah_model *m);
AH_API void ah_model_set_source(ah_model *m, const char *source);

/* These return the symbol of the new thing (AH_NONE after an error). */
AH_API ah_expr ah_model_parameter(ah_model *m, const char *name, ah_expr value /* or AH_NONE */);
AH_API ah_expr ah_model_coordinate(ah_model *m, const char *name);
AH_API ah_expr ah_model_velocity(ah_model *m, ah_expr coordinate);     /* x'  */
AH_API ah_expr ah_model_acceleration(ah_model *m, ah_expr coordinate); /* x'' */

/* A function of `count` arguments (symbols of kind AH_LOCAL), used through ah_unknown. Body
 * AH_NONE: it stays unspecified. */
AH_API ah_status ah_model_function(ah_model *m, const char *name, size_t count,
                                   const ah_expr *arguments, ah_expr body);

/* An input, a function of time that drives the system: formulas and claims speak of all such functions, numbers
 * of `value`, in t and parameters (AH_NONE: 0). Returns u(t); ah_total_derivative gives its rates. In an ah_system
 * the inputs are parameters "u", and where constraints hold them also "u'", "u''" and "t(u)":
 * u(t) = u + u' (t - t(u)) + u'' (t - t(u))^2/2. */
AH_API ah_expr ah_model_input(ah_model *m, const char *name, ah_expr value);
/* Another value, also after ah_model_finish; and rows of numbers, times ascending: between them straight lines, or
 * `smooth` a cubic with a continuous slope; before the first and after the last the value stays. AH_E_INPUT: there
 * is no such input, a number is not finite, times do not ascend, fewer than 2 rows or more than 5000. */
AH_API ah_status ah_model_set_input(ah_model *m, const char *name, ah_expr value);
AH_API ah_status ah_model_set_input_rows(ah_model *m, const char *name, size_t count,
                                         const double *t, const double *value, bool smooth);
/* The same from a table as text: CSV, a line of names, `t` among them, then rows. `file` is what messages call it. */
AH_API ah_status ah_model_set_input_table(ah_model *m, const char *name, const char *file,
                                          const char *text, size_t length, const char *column,
                                          bool smooth);

AH_API ah_status ah_model_kinetic(ah_model *m, ah_expr e);   /* adds to T */
AH_API ah_status ah_model_potential(ah_model *m, ah_expr e); /* adds to V */
AH_API ah_status ah_model_force(ah_model *m, ah_expr coordinate, ah_expr e);
AH_API ah_status ah_model_gravity(ah_model *m, ah_vector g);
AH_API ah_status ah_model_point(ah_model *m, const char *name, ah_expr mass, ah_vector place);

typedef struct ah_turn {
    int axis; /* 1, 2, 3: about its own x, y, z axis */
    ah_expr angle;
} ah_turn;
typedef struct ah_body {
    const char *name;
    ah_expr mass;
    ah_expr inertia[6]; /* xx, yy, zz, yz, zx, xy; AH_NONE counts as zero */
    ah_vector place;
    size_t turns;
    const ah_turn *turn;
} ah_body;
AH_API ah_status ah_model_body(ah_model *m, const ah_body *body);
AH_API ah_status
ah_model_force_on(ah_model *m, const char *point_or_body, ah_vector f,
                  const ah_vector *at /* or NULL: the point, the centre of mass */);
AH_API ah_status ah_model_torque_on(ah_model *m, const char *body, ah_vector torque);

AH_API ah_status ah_model_constraint(ah_model *m, const char *label /* or NULL */, ah_expr left,
                                     ah_expr right);
AH_API ah_status ah_model_constraint_vector(ah_model *m, const char *label, ah_vector left,
                                            ah_vector right);

/* Velocity parameters: declare them, then give every coordinate's velocity. */
AH_API ah_expr ah_model_speed(ah_model *m, const char *name);
AH_API ah_status ah_model_speed_equation(ah_model *m, ah_expr coordinate, ah_expr psi);
AH_API ah_expr ah_model_quasivelocity(ah_model *m, const char *name, ah_expr definition);

AH_API ah_status ah_model_assume(ah_model *m, ah_expr e, bool positive /* else: e != 0 */);
AH_API ah_status ah_model_start(ah_model *m, ah_expr symbol, ah_expr value);
AH_API ah_status ah_model_span(ah_model *m, ah_expr from, ah_expr to);
AH_API ah_status ah_model_output(ah_model *m, const char *name, ah_expr e);
/* What the numbers of `name` are measured in, for figures: of time "t", a coordinate, a velocity
 * parameter, a quasi-velocity, a parameter, an output, "energy", "lambda[label]", or a family. */
AH_API ah_status ah_model_unit(ah_model *m, const char *name, const char *unit);
/* Recorded where e = 0, growing (direction > 0), falling (< 0) or either (0); `stop` ends the
 * motion there. */
AH_API ah_status ah_model_event(ah_model *m, const char *label, ah_expr e, int direction,
                                bool stop);
AH_API ah_status ah_model_claim(ah_model *m, const char *label, ah_expr left, ah_expr right,
                                bool refute);

/* How the system is drawn (docs/language.md, Drawing); nothing said: from points and bodies. One
 * list: code, word of the language. */
#define AH_SHAPE_LIST(X)                                                                           \
    X(AH_DRAW_POINT, "point")   /* a dot at `at` */                                                \
    X(AH_DRAW_LINE, "line")     /* from `at` to `to` */                                            \
    X(AH_DRAW_SPRING, "spring") /* from `at` to `to` */                                            \
    X(AH_DRAW_DISC, "disc")     /* solids: of `body`, or at `at` about the axis `to` */            \
    X(AH_DRAW_WHEEL, "wheel")   /*   size[0]: the radius */                                        \
    X(AH_DRAW_SPHERE, "sphere")                                                                    \
    X(AH_DRAW_BOX, "box")           /*   size: three sides */                                      \
    X(AH_DRAW_TRACE, "trace")       /* the path of `at` */                                         \
    X(AH_DRAW_BLADE, "blade")       /* at `at` along `to`; size[0]: length */                      \
    X(AH_DRAW_ARROW, "arrow")       /* at `at`, the vector `to`; size[0]: length of a unit */      \
    X(AH_DRAW_VELOCITY, "velocity") /* the same, of velocities */                                  \
    X(AH_DRAW_REACTION, "reaction") /* the same, of forces */                                      \
    X(AH_DRAW_GROUND, "ground")     /* the plane through `at`, normal `to` */                      \
    X(AH_DRAW_CURVE, "curve")       /* `at` as `local` goes from `from` to `until` */              \
    X(AH_DRAW_SHAPE, "shape")       /* `body` as anholo/contact.h has its shape */

typedef enum ah_shape {
#define X(code, word) code,
    AH_SHAPE_LIST(X)
#undef X
        AH_SHAPES
} ah_shape;

/* Expressions may use all of the state, accelerations and multipliers; AH_NONE: left to us. */
typedef struct ah_drawing {
    ah_shape shape;
    const char *body; /* of a solid; NULL: it stands at `at` */
    ah_vector at, to;
    ah_expr size[3];
    int axis;     /* of a disc or wheel of a body: 1, 2, 3; 0: its axis of symmetry */
    ah_expr turn; /* of a solid without a body: the angle about `to` */
    ah_expr local, from, until;
    const char *label, *colour; /* NULL: none, by turns */
} ah_drawing;
AH_API ah_status ah_model_draw(ah_model *m, const ah_drawing *drawing);

/* Overrides a parameter's value, or gives it one: the command line's --set. Before or after
 * ah_model_finish. */
AH_API ah_status ah_model_set(ah_model *m, const char *parameter, ah_expr value);

/* Geometry, for building constraints in C. */
AH_API ah_vector ah_model_position(ah_model *m, const char *point_or_body);
AH_API ah_vector ah_model_velocity_of(ah_model *m, const char *point_or_body);
AH_API ah_vector ah_model_velocity_at(ah_model *m, const char *body, ah_vector place);
AH_API ah_vector ah_model_omega(ah_model *m, const char *body);
AH_API ah_vector ah_model_axis(ah_model *m, const char *body, int axis);

AH_API ah_status ah_model_finish(ah_model *m);

/* Looking at a finished model. AH_NONE and NULL where there is nothing. */
AH_API const char *ah_model_title(const ah_model *m);
AH_API size_t ah_model_coordinates(const ah_model *m);
AH_API size_t ah_model_constraints(const ah_model *m);
AH_API const char *ah_model_label(const ah_model *m, size_t constraint);
AH_API ah_expr ah_model_constraint_left(const ah_model *m, size_t constraint); /* of … = 0 */
AH_API ah_expr ah_model_kinetic_energy(const ah_model *m);
AH_API ah_expr ah_model_potential_energy(const ah_model *m);
/* Besides -dV/dq. */
AH_API ah_expr ah_model_generalised_force(const ah_model *m, size_t coordinate);

/* What a claim says. One list: code, word of the language. */
#define AH_SAYS_LIST(X)                                                                            \
    X(AH_SAYS_EQUATION, "equation") /* left = right */                                             \
    X(AH_SAYS_INTEGRAL, "integral")                                                                \
    X(AH_SAYS_MEASURE, "measure")                                                                  \
    X(AH_SAYS_HOLONOMIC, "holonomic")                                                              \
    X(AH_SAYS_NONHOLONOMIC, "nonholonomic")                                                        \
    X(AH_SAYS_RANK, "rank")                                                                        \
    X(AH_SAYS_ACCESSIBLE, "accessible")                                                            \
    X(AH_SAYS_GROWTH, "growth")                                                                    \
    X(AH_SAYS_SINGULAR, "singular")                                                                \
    X(AH_SAYS_SOLUTION, "solution")                                                                \
    X(AH_SAYS_EQUILIBRIUM, "equilibrium")                                                          \
    X(AH_SAYS_STEADY, "steady")                                                                    \
    X(AH_SAYS_STABLE, "stable")                                                                    \
    X(AH_SAYS_ATTRACTING, "attracting")                                                            \
    X(AH_SAYS_UNSTABLE, "unstable")                                                                \
    X(AH_SAYS_CHARACTERISTIC, "characteristic")

typedef enum ah_says {
#define X(code, word) code,
    AH_SAYS_LIST(X)
#undef X
        AH_SAYS_KINDS
} ah_says;
AH_API const char *ah_says_word(ah_says says);

/* Everything that a model says, by kind and number. */
typedef enum ah_item_kind {
    AH_ITEM_PARAMETER,
    AH_ITEM_COORDINATE,
    AH_ITEM_SPEED, /* velocity parameter */
    AH_ITEM_QUASIVELOCITY,
    AH_ITEM_CONSTRAINT,
    AH_ITEM_OUTPUT,
    AH_ITEM_EVENT,
    AH_ITEM_CLAIM,
    AH_ITEM_FUNCTION, /* unspecified, or defined from outside; and inputs */
    AH_ITEM_PART,     /* a point or a body */
    AH_ITEM_KINDS
} ah_item_kind;

typedef struct ah_item {
    const char *name; /* or label */
    const char *kind; /* "parameter", "holonomic", "velocity", "acceleration" constraint, "record",
                         "stop", "claim", "refute", "point", "body", "function", "input", … */
    const char *unit; /* or NULL */
    ah_expr symbol;   /* where it has one */
    ah_expr value; /* of a parameter; what defines a quasi-velocity; left − right of a constraint
                         or an event; what a claim calls constant; of an output; the mass of a part */
    ah_expr start, start_rate; /* in `start`: of a coordinate and its velocity, of a speed */
    ah_span span;              /* where it is written; file 0: it was made by calls */
} ah_item;
AH_API size_t ah_model_count(const ah_model *m, ah_item_kind kind);
/* AH_E_INPUT: there is none; AH_NONE and NULL for what it does not have. */
AH_API ah_status ah_model_item(const ah_model *m, ah_item_kind kind, size_t index, ah_item *out);
/* The ends of `simulate`, or AH_NONE. */
AH_API ah_expr ah_model_span_from(const ah_model *m);
AH_API ah_expr ah_model_span_to(const ah_model *m);

#endif
