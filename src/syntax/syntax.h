/* syntax/syntax.h - from text to a tree: tokens, names, statements (docs/language.md).
 *
 *     text ──lexer──► tokens ──parser──► syntax ──(lang) elaborate──► model
 *
 * Tokens and syntax live in the reader's own arena and end with the reading; the texts of names
 * live in the job arena, for models keep them. */
#ifndef SYNTAX_SYNTAX_H
#define SYNTAX_SYNTAX_H
#include "../written/written.h"

/* ---- Names ----------------------------------------------------------------------------------- */

struct local;
struct syntax;

/* A spelling, Greek letters by their English names; equal names are one pointer. */
typedef struct name {
    const char *text;
    uint32_t length, hash;
    bool poisoned;       /* in a statement that was not understood: never "unknown" */
    bool family;         /* elements text[…] were declared */
    bool output;         /* an output is called so, be it later than here */
    bool speed;          /* a velocity parameter is called so, be it later than here */
    uint16_t kinds;      /* of a let: the kinds of symbols in it, once asked for */
    ah_expr constant;    /* of a parameter: its value, once asked for; or AH_NONE */
    uint32_t visited;    /* last search that came by */
    struct local *local; /* innermost loop variable or argument of this name, or NULL */
    const struct syntax
        *definition;              /* where the text declares it, be it later than here; or NULL */
    ah_span label;                /* where a constraint is called so; file 0: none is */
    const struct syntax *setting; /* what --set says of it, or NULL */
    bool set;                     /* and that was used */
} name;

typedef struct name_table {
    name **slot; /* open addressing, a power of two */
    size_t capacity, count;
} name_table;

/* What one reading shares. */
typedef struct lang {
    ah_ctx *ctx;
    arena *arena; /* of this reading */
    name_table names;
    size_t errors; /* of the context when the reading began */
    ah_span at;    /* what is being worked on: where a limit is hit */
} lang;

#define NAME_LENGTH 200 /* bytes of a name, indices not counted */

name *lang_intern(lang *l, const char *spelling, size_t length);
/* NULL: the text has not had it yet. */
const name *lang_find_name(const lang *l, const char *spelling, size_t length);
/* Of a name the one in the text whose derivative looks like it, or that looks like its own: a and ä. */
const name *lang_dotted_twin(const lang *l, const char *spelling, size_t length);

/* ---- Tokens ---------------------------------------------------------------------------------- */

/* One list: code, how messages call it, whether a line that ends in it goes on. */
#define TOKEN_LIST(X)                                                                              \
    X(TOKEN_END, "the end of the text", false)                                                     \
    X(TOKEN_NEWLINE, "the end of the line", false)                                                 \
    X(TOKEN_INDENT, "an indented block", false)                                                    \
    X(TOKEN_DEDENT, "the end of the block", false)                                                 \
    X(TOKEN_BAD, "what could not be read", false) /* already reported */                           \
    X(TOKEN_NAME, "a name", false)                                                                 \
    X(TOKEN_NUMBER, "a number", false)                                                             \
    X(TOKEN_STRING, "a text in quotes", false)                                                     \
    X(TOKEN_PRIME, "`'`", false)                                                                   \
    X(TOKEN_OPEN, "`(`", false)                                                                    \
    X(TOKEN_CLOSE, "`)`", false)                                                                   \
    X(TOKEN_OPEN_INDEX, "`[`", false)                                                              \
    X(TOKEN_CLOSE_INDEX, "`]`", false)                                                             \
    X(TOKEN_COMMA, "`,`", true)                                                                    \
    X(TOKEN_COLON, "`:`", false)                                                                   \
    X(TOKEN_EQUAL, "`=`", true)                                                                    \
    X(TOKEN_PLUS, "`+`", true)                                                                     \
    X(TOKEN_MINUS, "`-`", true)                                                                    \
    X(TOKEN_TIMES, "`*`", true)                                                                    \
    X(TOKEN_OVER, "`/`", true)                                                                     \
    X(TOKEN_POWER, "`^`", true)                                                                    \
    X(TOKEN_RANGE, "`..`", true)                                                                   \
    X(TOKEN_GREATER, "`>`", true)                                                                  \
    X(TOKEN_LESS, "`<`", true)                                                                     \
    X(TOKEN_GREATER_EQUAL, "`>=`", true)                                                           \
    X(TOKEN_LESS_EQUAL, "`<=`", true)                                                              \
    X(TOKEN_UNEQUAL, "`!=`", true)                                                                 \
    X(TOKEN_ARROW, "`->`", true)

typedef enum token_kind {
#define X(code, text, goes_on) code,
    TOKEN_LIST(X)
#undef X
} token_kind;

typedef struct token {
    uint8_t kind;        /* token_kind */
    uint32_t begin, end; /* bytes of the source */
    union {
        name *name;      /* of a NAME */
        uint32_t primes; /* of a PRIME */
    };
} token;

/* Always ends in END. */
typedef struct token_list {
    uint32_t file;
    token *at;
    size_t count, capacity;
} token_list;

const char *token_text(token_kind kind);
/* Reports what cannot be read and goes on. */
token_list lang_tokens(lang *l, uint32_t file);

/* ---- Syntax ---------------------------------------------------------------------------------- */

/* One list: code, what the dump calls it. Children, in order; optional ones may be NULL. */
#define SYNTAX_LIST(X)                                                                             \
    /* expressions */                                                                              \
    X(SYNTAX_NUMBER, "number")                                                                     \
    X(SYNTAX_NAME, "name")                                                                         \
    X(SYNTAX_INDEX, "element")       /* name[index, …]: indices, RANGEs where it is declared  */ \
    X(SYNTAX_ROW, "row")             /* of a vector's constraint, label.2: target, NUMBER     */   \
    X(SYNTAX_RANGE, "range")         /* from, to                                              */   \
    X(SYNTAX_CALL, "call")           /* arguments                                             */   \
    X(SYNTAX_VECTOR, "vector")       /* components                                            */   \
    X(SYNTAX_COMPONENT, "component") /* vector, index                                       */     \
    X(SYNTAX_SUM, "sum")             /* terms                                                 */   \
    X(SYNTAX_NEGATE, "minus")        /* term                                                  */   \
    X(SYNTAX_PRODUCT, "product")     /* factors                                               */   \
    X(SYNTAX_INVERT, "over")         /* factor                                                */   \
    X(SYNTAX_POWER, "power")         /* base, exponent                                        */   \
    X(SYNTAX_SUM_OVER, "sum over")   /* name = the index; RANGE, term                         */   \
    X(SYNTAX_PRODUCT_OVER, "product over")                                                         \
    /* parts of statements */                                                                      \
    X(SYNTAX_TEXT, "text")                                                                         \
    X(SYNTAX_EQUATION, "equation") /* left, right; of a claim perhaps a LIMIT             */       \
    X(SYNTAX_LIMIT, "limit") /* NAME, where to or NULL, RANGE or NULL; `direction` of infinity */  \
    X(SYNTAX_ARGUMENTS, "arguments") /* NAMEs                                               */     \
    X(SYNTAX_TURN, "turn about")     /* name = the axis; angle                              */     \
    X(SYNTAX_LIST_OF, "list")                                                                      \
    X(SYNTAX_SAYS,                                                                                 \
      "says") /* name = the word; expression or LIST_OF labels, numbers, EQUATIONs, LIST_OFs;   \
                              LIST_OF ASSUMEs or NULL; of a polynomial: it, NAME */  \
    /* statements; a target is a NAME or an INDEX */                                               \
    X(SYNTAX_MODEL, "model")                 /* statements                                  */     \
    X(SYNTAX_SYSTEM, "system")               /* TEXT                                        */     \
    X(SYNTAX_SOURCE, "source")               /* TEXT                                        */     \
    X(SYNTAX_PARAMETER, "parameter")         /* target, value or NULL                       */     \
    X(SYNTAX_COORDINATE, "coordinate")       /* target                                      */     \
    X(SYNTAX_INPUT, "input")                 /* NAME, value or NULL                         */     \
    X(SYNTAX_LET, "let")                     /* target, ARGUMENTS or NULL, value            */     \
    X(SYNTAX_FUNCTION, "function")           /* NAME, ARGUMENTS                             */     \
    X(SYNTAX_POINT, "point")                 /* target, mass, NULL, place, NULL             */     \
    X(SYNTAX_BODY, "body")                   /* target, mass, inertia, place, turns, on     */     \
    X(SYNTAX_ASSUME, "assume")               /* left, right; `relation` between them        */     \
    X(SYNTAX_KINETIC, "kinetic")             /* e                                           */     \
    X(SYNTAX_POTENTIAL, "potential")         /* e                                           */     \
    X(SYNTAX_DISSIPATION, "dissipation")     /* e                                           */     \
    X(SYNTAX_GRAVITY, "gravity")             /* g                                           */     \
    X(SYNTAX_FORCE, "force")                 /* target, e                                   */     \
    X(SYNTAX_FORCE_ON, "force on")           /* target, f, place or NULL                    */     \
    X(SYNTAX_TORQUE_ON, "torque on")         /* target, m, NULL                             */     \
    X(SYNTAX_SHAPE, "shape")                 /* target, CLAUSE_…; name = its kind or NULL   */   \
    X(SYNTAX_SURFACE, "surface")             /* the same                                    */     \
    X(SYNTAX_ROLL, "roll")                   /* label or NULL, part, on, `without` or NULL  */     \
    X(SYNTAX_SLIDE, "slide")                 /* the same                                    */     \
    X(SYNTAX_MARKER, "marker")               /* target, body or NULL, place or NULL         */     \
    X(SYNTAX_JOINT, "joint")                 /* JOINT_…; name = its kind                    */   \
    X(SYNTAX_CONSTRAINT, "constraint")       /* label or NULL, EQUATION                     */     \
    X(SYNTAX_VELOCITY, "velocity")           /* LIST_OF targets, LIST_OF EQUATIONs and FORs */     \
    X(SYNTAX_QUASIVELOCITY, "quasivelocity") /* target, e                                   */     \
    X(SYNTAX_START, "start")                 /* target, e; `direction` 1: a guess           */     \
    X(SYNTAX_ATTITUDE, "attitude")           /* NAME, turns, ω, axis, angle; each or NULL */      \
    X(SYNTAX_SIMULATE, "simulate")           /* RANGE                                       */     \
    X(SYNTAX_UNIT, "unit")                   /* target, TEXT                                */     \
    X(SYNTAX_OUTPUT, "output")               /* name = the method or NULL; target, e        */     \
    X(SYNTAX_STOP, "stop")                   /* TEXT or NULL, EQUATION, `direction`         */     \
    X(SYNTAX_RECORD, "record")               /* the same                                    */     \
    X(SYNTAX_CLAIM,                                                                                \
      "claim") /* name = the method or NULL; TEXT, EQUATION, SAYS or what is constant,      \
                                 LIST_OF EQUATIONs and ASSUMEs or NULL: the conditions */      \
    X(SYNTAX_REFUTE, "refute")     /* the same                                    */               \
    X(SYNTAX_DRAW, "draw")         /* name = the shape; DRAW_… of parse_draw.c    */             \
    X(SYNTAX_FOR, "for")           /* name = the index; RANGE, LIST_OF statements */               \
    X(SYNTAX_SETTINGS, "settings") /* LETs: what --set says                       */

typedef enum syntax_kind {
#define X(code, text) code,
    SYNTAX_LIST(X)
#undef X
} syntax_kind;

typedef struct syntax {
    uint8_t kind;     /* syntax_kind */
    uint8_t primes;   /* of a NAME, an INDEX or a CALL */
    uint8_t relation; /* of an ASSUME: the token_kind between its sides */
    int8_t direction; /* of a STOP or RECORD: 1 rising, -1 falling, 0 both */
    uint32_t count;
    ah_span span;
    uint32_t words; /* of a CLAIM or REFUTE: where what it says begins, in bytes of the source */
    name *name;
    struct syntax **child;
} syntax;

/* Children of a DRAW: its places in a LIST_OF, then one for each clause, or NULL. */
#define DRAW_CLAUSE_LIST(X)                                                                        \
    X(DRAW_AT, "at")                                                                               \
    X(DRAW_ALONG, "along")                                                                         \
    X(DRAW_NORMAL, "normal")                                                                       \
    X(DRAW_RADIUS, "radius")                                                                       \
    X(DRAW_SIZE, "size")                                                                           \
    X(DRAW_LENGTH, "length")                                                                       \
    X(DRAW_SCALE, "scale")                                                                         \
    X(DRAW_OF, "of") /* the label of a constraint: NAME or INDEX */                                \
    X(DRAW_TURN, "turn")                                                                           \
    X(DRAW_AXIS, "axis") /* NAME x, y or z */                                                      \
    X(DRAW_LEVEL, "z")   /* z = e */                                                               \
    X(DRAW_OVER, "for")  /* name = the parameter; RANGE */                                         \
    X(DRAW_LABEL, "label")                                                                         \
    X(DRAW_COLOUR, "colour")
enum {
    DRAW_PLACES,
#define X(code, word) code,
    DRAW_CLAUSE_LIST(X)
#undef X
        DRAW_CHILDREN
};

/* Children of a SHAPE and a SURFACE after the target. */
#define CONTACT_CLAUSE_LIST(X)                                                                     \
    X(CLAUSE_AT, "at")                                                                             \
    X(CLAUSE_RADIUS, "radius")                                                                     \
    X(CLAUSE_TUBE, "tube")                                                                         \
    X(CLAUSE_LENGTH, "length")                                                                     \
    X(CLAUSE_SIZE, "size")                                                                         \
    X(CLAUSE_AXIS, "axis") /* NAME x, y or z */                                                    \
    X(CLAUSE_NORMAL, "normal")                                                                     \
    X(CLAUSE_ALONG, "along")                                                                       \
    X(CLAUSE_ANGLE, "angle")                                                                       \
    X(CLAUSE_TURNING, "turning")                                                                   \
    X(CLAUSE_MOVING, "moving")                                                                     \
    X(CLAUSE_OVER, "for") /* RANGE, name = its parameter; of a sheet a LIST_OF two */              \
    X(CLAUSE_ON, "on")    /* a body: NAME or INDEX */                                              \
    X(CLAUSE_INSIDE, "inside")                                                                     \
    X(CLAUSE_FORMULA, ":") /* EQUATION, or the place on a curve or sheet */
enum {
#define X(code, word) code,
    CONTACT_CLAUSE_LIST(X)
#undef X
        CONTACT_CLAUSES
};

/* Children of a JOINT. */
#define JOINT_CLAUSE_LIST(X)                                                                       \
    X(JOINT_AXIS, "axis") /* NAME x, y or z */                                                     \
    X(JOINT_LENGTH, "length")                                                                      \
    X(JOINT_STIFFNESS, "stiffness")                                                                \
    X(JOINT_DAMPING, "damping")                                                                    \
    X(JOINT_ANGLE, "angle")                                                                        \
    X(JOINT_RATIO, "ratio")                                                                        \
    X(JOINT_ON, "on") /* reference */
enum {
    JOINT_LABEL, /* or NULL */
    JOINT_FROM,
    JOINT_TO,
#define X(code, word) code,
    JOINT_CLAUSE_LIST(X)
#undef X
        JOINT_CHILDREN
};

/* Words of claims that are no equations (ah_says), and what follows them. */
typedef enum claim_takes {
    TAKES_EXPRESSION,
    TAKES_LABELS,
    TAKES_NUMBERS,
    TAKES_VALUES,
    TAKES_CASES,
    TAKES_POLYNOMIAL
} claim_takes;
typedef struct claim_word {
    ah_says says;
    claim_takes takes;
} claim_word;
const claim_word *lang_claim_word(const char *word); /* NULL: it is none */

const char *syntax_text(syntax_kind kind);
bool syntax_is_statement(const char *word, size_t length);

/* The parser reports what it does not understand and goes on with the next statement. */
syntax *lang_parse_model(lang *l, const token_list *tokens);
syntax *lang_parse_settings(lang *l, const token_list *tokens);
syntax *lang_parse_expression(lang *l, const token_list *tokens);
syntax *lang_parse_expressions(lang *l, const token_list *tokens); /* a LIST_OF */
/* A LIST_OF EQUATIONs; a RANGE of target, from, to, number or NULL. `usage`: the hint of errors. */
syntax *lang_parse_values(lang *l, const token_list *tokens, const char *usage);
syntax *lang_parse_varied(lang *l, const token_list *tokens, const char *usage);

#endif
