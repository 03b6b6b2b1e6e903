/* compile/program.h - straight-line programs: formulas as a list of scalar operations.
 *
 * Every value is computed once (value numbering); powers by multiplication; factors and terms that
 * depend on parameters only are brought together and computed once for all states. The inputs are
 * what changes from call to call: t, q, velocities. */
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H
#include "recipe.h"

typedef enum program_op {
    PROGRAM_INPUT,    /* a: index of the input */
    PROGRAM_CONSTANT, /* a: index into constants */
    PROGRAM_ADD,
    PROGRAM_SUB,
    PROGRAM_MUL,
    PROGRAM_DIV,
    PROGRAM_NEG,
    PROGRAM_SQRT,
    PROGRAM_POW,
    PROGRAM_CALL /* function of a, or of a and b */
} program_op;

typedef struct program_code {
    uint8_t op, function;
    uint32_t a, b; /* numbers of earlier values */
} program_code;

typedef struct program_guard {
    uint32_t pivot, bound; /* values: fails unless pivot > bound */
} program_guard;

/* Constants are numbers, parameters, and what depends on these alone: worked out once. */
typedef struct program {
    ah_ctx *ctx;
    size_t inputs, outputs, guards;
    LIST(program_code) code; /* in order; constants and inputs among them */
    uint32_t *output;        /* values */
    program_guard *guard;
    LIST(double) constants;
    bool valid;    /* no guard fails for the parameters alone */
    double *value; /* of the interpreter */
} program;

typedef struct program_spec {
    size_t inputs;
    const ah_expr *input; /* symbols; all others must be parameters or steps of the recipe */
    size_t outputs;
    const ah_expr *output;
    const recipe *recipe;    /* steps and guards; may be NULL */
    const double *parameter; /* values by slot */
} program_spec;

/* NULL: an output depends on a symbol that is neither, or on an unspecified function. */
program *program_create(ah_ctx *ctx, arena *a, const program_spec *spec);
/* Interprets it. false: a guard failed, the outputs are not to be used. */
bool program_run(const program *p, const double *in, double *out);
/* One operation of x and y (leaves aside). */
double program_apply(const program_code *c, double x, double y);
/* Operations that every call does. */
size_t program_operations(const program *p);

/* C of the program: `static inline int NAME(const double *c, const double *x, double *y)`, c the
 * constants, x the inputs, y the outputs; it answers 0 when a guard fails. Names are generated and
 * numbers are in c: nothing a user wrote gets here. Uses scratch, so `t` must be elsewhere or
 * be released with it. program_prelude declares what it calls. */
void program_prelude(text *t);
const char *program_function_name(const program_code *c); /* sqrt, sin, …, or - */
void program_emit(const program *p, text *t, const char *name);

#endif
