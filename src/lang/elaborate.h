/* lang/elaborate.h - syntax to model: what the files of the elaboration share.
 *
 * An expression becomes a value: a scalar, a vector, or nothing (poison) after an error that was
 * reported; what is made of poison is poison, so that one mistake is told once. */
#ifndef LANG_ELABORATE_H
#define LANG_ELABORATE_H
#include "../contact/contact.h"
#include "../model/model.h"
#include "../syntax/syntax.h"
#include <anholo/lang.h>

typedef enum value_type { VALUE_POISON, VALUE_SCALAR, VALUE_VECTOR } value_type;

typedef struct value {
    value_type type;
    ah_vector v; /* a scalar is v.c[0] */
} value;

/* What a name means for a while: a loop variable, or the argument of a let. */
typedef struct local {
    value v;
    struct local *outer;
} local;

/* Where an expression stands, and the kinds of symbols that it may hold there. */
#define KIND(kind) (1u << AH_##kind)
enum {
    KINDS_CONSTANT = KIND(PARAMETER) | KIND(LOCAL),
    KINDS_PLACE = KINDS_CONSTANT | KIND(TIME) | KIND(COORDINATE),
    KINDS_STATE = KINDS_PLACE | KIND(VELOCITY),
    KINDS_MOTION = KINDS_STATE | KIND(ACCELERATION),
    KINDS_ALL = KINDS_MOTION | KIND(SPEED) | KIND(SPEED_DOT),
    KINDS_CLAIM = KINDS_ALL | KIND(DERIVED)
};
#define PLACE_LIST(X)                                                                              \
    X(IN_PARAMETER, "the value of a parameter", KINDS_CONSTANT)                                    \
    X(IN_INPUT, "the value of an input", KINDS_CONSTANT | KIND(TIME))                              \
    X(IN_INDEX, "an index or a bound", KINDS_CONSTANT)                                             \
    X(IN_LET, "a let", KINDS_ALL)                                                                  \
    X(IN_FUNCTION, "the definition of a function", KINDS_CONSTANT)                                 \
    X(IN_MASS, "a mass", KINDS_CONSTANT)                                                           \
    X(IN_INERTIA, "a moment of inertia", KINDS_CONSTANT)                                           \
    X(IN_SHAPE, "a shape or size", KINDS_CONSTANT)                                                 \
    X(IN_COEFFICIENT, "a stiffness, damping or ratio", KINDS_CONSTANT)                             \
    X(IN_LENGTH, "the length of a rod or spring", KINDS_PLACE)                                     \
    X(IN_REST_ANGLE, "the angle of a torsion spring", KINDS_PLACE)                                 \
    X(IN_SURFACE, "a surface", KINDS_CONSTANT | KIND(TIME))                                        \
    X(IN_POSITION, "a place", KINDS_PLACE)                                                         \
    X(IN_ANGLE, "an angle", KINDS_PLACE)                                                           \
    X(IN_GRAVITY, "a uniform field", KINDS_CONSTANT | KIND(TIME))                                  \
    X(IN_KINETIC, "the kinetic energy", KINDS_STATE)                                               \
    X(IN_POTENTIAL, "the potential", KINDS_PLACE)                                                  \
    X(IN_DISSIPATION, "the dissipation", KINDS_STATE)                                              \
    X(IN_FORCE, "a force", KINDS_STATE)                                                            \
    X(IN_TORQUE, "a torque", KINDS_STATE)                                                          \
    X(IN_CONSTRAINT, "a constraint", KINDS_MOTION)                                                 \
    X(IN_RATE, "a velocity form", KINDS_PLACE | KIND(SPEED))                                       \
    X(IN_QUASIVELOCITY, "a quasi-velocity", KINDS_STATE)                                           \
    X(IN_ASSUMPTION, "an assumption", KINDS_STATE | KIND(SPEED))                                   \
    X(IN_START, "a start value", (KINDS_STATE & ~KIND(TIME)) | KIND(SPEED))                        \
    X(IN_SPAN, "the span of time", KINDS_CONSTANT)                                                 \
    X(IN_OUTPUT, "an output", KINDS_CLAIM)                                                         \
    X(IN_DRAWING, "a drawing", KINDS_CLAIM)                                                        \
    X(IN_EVENT, "an event", KINDS_CLAIM)                                                           \
    X(IN_CLAIM, "a claim", KINDS_CLAIM)                                                            \
    X(IN_VALUE, "a value or a condition of a claim", KINDS_STATE | KIND(SPEED))                    \
    X(IN_SOLUTION, "a function of time", KINDS_CONSTANT | KIND(TIME))                              \
    X(IN_RATE_OF_SOLUTION, "a velocity of a solution", KINDS_PLACE)                                \
    X(IN_LIMIT, "a limit", KINDS_CONSTANT)                                                         \
    X(IN_CONDITION, "a condition of an equation", KINDS_STATE | KIND(SPEED))                       \
    X(IN_INTEGRAL, "a first integral", KINDS_STATE | KIND(SPEED))                                  \
    X(IN_DENSITY, "the density of a measure", KINDS_PLACE)                                         \
    X(IN_EXPRESSION, "an expression", KINDS_ALL)                                                   \
    X(IN_MOTION, "an expression of the motion", KINDS_CLAIM)

typedef enum place {
#define X(code, text, kinds) code,
    PLACE_LIST(X)
#undef X
} place;

typedef struct loop {
    long value; /* of its index */
    struct loop *outer;
} loop;

/* What `roll` has added, for the outputs that follow. */
typedef struct elab_contact {
    const char *label, *part, *on;
    contact_place place;
    const syntax *of; /* the body, where it is named */
    ah_span span;
} elab_contact;

typedef struct elaborator {
    lang *l;
    ah_ctx *ctx;
    ah_model *m;
    place in;              /* of the expression being read */
    bool late;             /* the second pass: start, output, claim */
    bool complete;         /* the system is finished and has no errors */
    bool alone;            /* an expression from elsewhere: it stands in no line of the model */
    unsigned met;          /* kinds of the symbols met so far in this expression */
    const name *parameter; /* the one whose value is being read, or NULL */
    loop *loops;           /* innermost first */
    size_t rounds;         /* of all loops so far */
    model_needs *needs;    /* of what is being read; NULL: nobody asks */
    unsigned smooth;       /* inside so many der(…) */
    unsigned depth;        /* inside so many bodies of lets that count */
    uint32_t searches;     /* so far: see name.visited */
    const char *method;    /* whose objects the claim or output may name, or NULL */
    LIST(elab_contact) contacts;
    ah_span system, source, simulate; /* statements that may stand once */
} elaborator;

/* ---- Expressions: elab_expression.c, elab_name.c, elab_call.c -------------------------------- */

value elab_value(elaborator *e, const syntax *s);
/* In the given place; AH_NONE or false after an error. */
ah_expr elab_scalar(elaborator *e, const syntax *s, place in);
bool elab_vector(elaborator *e, const syntax *s, place in, ah_vector *out);
/* A scalar or a vector, poison after an error. */
value elab_value_in(elaborator *e, const syntax *s, place in);
value elab_component(elaborator *e, value vector, const syntax *index);
value elab_call(elaborator *e, const syntax *s);
/* d/dt of the value of s; reports A0213 where that is not known. */
value elab_derivative(elaborator *e, const syntax *s, value v);
/* elab_counted.c: does one of the arguments stand where an integer must? The use of such a let. */
bool elab_has_counted(const elaborator *e, const syntax *arguments, const syntax *body);
value elab_call_counted(elaborator *e, const syntax *s);
/* The built-in functions, one after the other; NULL after the last. */
const char *elab_function_name(size_t k);
bool elab_is_function(const char *word);

static inline value elab_poison(void)
{
    return (value){.type = VALUE_POISON};
}
static inline value elab_from(ah_expr scalar)
{
    return (value){VALUE_SCALAR, {{scalar, AH_NONE, AH_NONE}}};
}
static inline value elab_from_vector(ah_vector v)
{
    return (value){VALUE_VECTOR, v};
}

/* elab_domain.c: f(a, b) was read, AH_FUNCTIONS being a^b; a let was used. */
void elab_need(elaborator *e, ah_function f, ah_expr a, ah_expr b);
void elab_need_let(elaborator *e, const model_let *let, const ah_expr *values);

/* Reports A0205 unless the value is of the type; poison passes silently as false. */
bool elab_want(elaborator *e, const syntax *s, value v, value_type type);
/* Notes the kinds of symbols that stand here; reports A0402 at the span when one may not. */
bool elab_allow(elaborator *e, ah_span span, unsigned kinds);
bool elab_allow_input(elaborator *e, ah_span span);
unsigned elab_kinds(elaborator *e, value v);

/* ---- Names ----------------------------------------------------------------------------------- */

value elab_name(elaborator *e, const syntax *s);    /* a NAME  */
value elab_element(elaborator *e, const syntax *s); /* an INDEX */
/* The name that a NAME or an INDEX spells (x[i] with i = 3: "x[3]"), NULL after an error. */
name *elab_target(elaborator *e, const syntax *s);
/* The same with these indices. */
name *elab_spell(elaborator *e, const syntax *s, const long *index);
/* Reports a name that is not declared; says which one may be meant, or how such a thing is `declared` (NULL: a quantity). */
void elab_unknown(elaborator *e, const syntax *s, const name *n, const char *declared);
/* The point or body that s names, NULL after an error. */
const model_part *elab_part(elaborator *e, const syntax *s);
const char *elab_what(const model_name *found);
/* An integer from numbers, loop variables and parameters with values. */
bool elab_integer(elaborator *e, const syntax *s, long *out);
/* So many times from .. to: as a number, spent on loops or families; past the limit the reading
 * ends, at s. */
unsigned long elab_spend(elaborator *e, const syntax *s, unsigned long times, long from, long to);
/* From and to; the rounds between them are spent. */
bool elab_range(elaborator *e, const syntax *s, long *from, long *to);

/* ---- Statements: elab_declare.c, elab_statement.c -------------------------------------------- */

/* What stands between the quotes of a TEXT, in the job arena. */
const char *elab_text(elaborator *e, const syntax *s);
void elab_draw(elaborator *e, const syntax *s);  /* elab_draw.c */
void elab_shape(elaborator *e, const syntax *s); /* elab_contact.c */
void elab_surface(elaborator *e, const syntax *s);
void elab_roll(elaborator *e, const syntax *s);
void elab_marker(elaborator *e, const syntax *s); /* elab_joint.c */
void elab_joint(elaborator *e, const syntax *s);
void elab_body(elaborator *e, const syntax *s); /* elab_body.c */
void elab_start(elaborator *e, const syntax *s);
void elab_attitude(elaborator *e, const syntax *s);
void elab_parameter(elaborator *e, const syntax *s);
void elab_coordinate(elaborator *e, const syntax *s);
void elab_input(elaborator *e, const syntax *s);
void elab_speed(elaborator *e, const syntax *target);
void elab_quasivelocity(elaborator *e, const syntax *s);
void elab_let(elaborator *e, const syntax *s);
void elab_function(elaborator *e, const syntax *s);
void elab_unit(elaborator *e, const syntax *s);
/* May this name be declared? Reports A0204. */
name *elab_new_name(elaborator *e, const syntax *target);
/* The same of what is not kept among the model's names: surfaces and attitudes. */
name *elab_name_apart(elaborator *e, const syntax *target);
/* What a statement makes of x is called x_what, of an element x[2] x_what[2]. */
const char *elab_made_name(elaborator *e, const char *of, const char *what);
/* Is it called so already? Then A0401 was reported, and a hint of the caller's follows. */
bool elab_made_is_taken(elaborator *e, const char *called, const syntax *by);
/* May a constraint be called so? Reports A0401. */
bool elab_label(elaborator *e, const syntax *target, name *n);
/* Those of the constraints that a statement has made, from the number `before` on: names, too. */
void elab_made_labels(elaborator *e, const syntax *s, size_t before);
void elab_find_definitions(const syntax *statements);
void elab_use_settings(elaborator *e, const syntax *settings);
void elab_check_settings(elaborator *e, const syntax *settings);

/* Warns where the declared values make a damping negative: A0430. */
void elab_damping(elaborator *e, const syntax *s, ah_expr c);

/* Both sides of an equation, of one type; `u = 0` is meant for vectors too. */
bool elab_sides(elaborator *e, const syntax *s, place in, value *left, value *right);
/* "label", inside loops "label [2,1]" */
const char *elab_label_in_loops(elaborator *e, const char *label);
/* The symbol of a state (coordinate, velocity, z, ω) that s names; AH_NONE after an error. `what`
 * says for what: "start value". */
ah_expr elab_of_state(elaborator *e, const syntax *s, const char *what);
/* e1 > e2 as e1 − e2 > 0; false after an error. */
bool elab_fact(elaborator *e, const syntax *s, place in, algebra_fact *out);
void elab_claim(elaborator *e, const syntax *s); /* elab_claim.c */

/* How many of a let's parameters make its k-th argument: 1, or the 3 components of a vector. */
size_t elab_argument_width(ah_ctx *ctx, const model_let *let, size_t first);

/* ---- The whole: elab_statement.c ------------------------------------------------------------- */

/* Fills and finishes `m`; `settings` may be NULL. Errors are in the diagnostics. */
void lang_elaborate(lang *l, ah_model *m, const syntax *model, const syntax *settings);
/* In the names of a finished model; AH_NONE after an error. `of_motion`: also what the motion makes
 * (λ, reactions) and the model's outputs. */
ah_expr lang_elaborate_expression(lang *l, ah_model *m, const syntax *expression, bool of_motion);

/* ---- Stages, printed ------------------------------------------------------------------------- */

void lang_print_tokens(lang *l, text *out, const token_list *tokens);
void lang_print_syntax(lang *l, text *out, const syntax *s);
void lang_print_graph(ah_model *m, text *out);
void lang_print_names(ah_model *m, text *out);

#endif
