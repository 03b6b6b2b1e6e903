/* compile/program.h - straight-line programs: formulas as a list of scalar operations.
 *
 * Every value is computed once (value numbering); powers by multiplication; factors and terms that
 * depend on parameters only are brought together and computed once for all states. The inputs are
 * what changes from call to call: t, q, velocities. What depends on those alone that change seldom
 * (t between the iterations of an implicit step, q while velocities are projected) stands first, in
 * sections, and is done again only when they have changed. */
#ifndef COMPILE_PROGRAM_H
#define COMPILE_PROGRAM_H
#include "../sheet/sheet.h"

#include <float.h>

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
    uint32_t pivot, bound; /* values: fails unless pivot > bound and finite */
} program_guard;

/* Below this products of doubles have lost digits, and become zero later: rows of 1e-155 have squares of 1e-310. The same in single precision. */
#define PROGRAM_LEAST_PIVOT        1e-280
#define PROGRAM_LEAST_PIVOT_SINGLE 1e-30

/* An infinite pivot divides everything to zero: a wrong answer without a word. */
static inline bool program_passes(const program_guard *g, const double *value)
{
    return value[g->pivot] > value[g->bound] && value[g->pivot] <= DBL_MAX;
}

/* The operations up to `end` (and after the section before) need the first `inputs` inputs only. */
enum { PROGRAM_SECTIONS = 2 };
typedef struct program_section {
    size_t inputs, end;
} program_section;

/* What a section left behind, for one way of running a program. */
typedef struct program_memory {
    double *inputs;   /* of the last call */
    uint64_t skipped; /* sections that were not done again */
    bool used;
} program_memory;

/* How a constant comes from parameters that may change: constant[to] = an operation on constants a
 * and b, or (PROGRAM_INPUT) parameter a. */
typedef struct program_setup {
    program_code code;
    uint32_t to;
} program_setup;

/* What one user of a program writes to: programs are shared, work spaces are not. */
typedef struct program_work {
    double *constant; /* for the present parameters */
    double *value;    /* of the interpreter: constants first */
    double *kept;     /* by sections of compiled code */
    program_memory *memory;
    bool valid; /* no guard fails for the parameters alone */
} program_work;

/* Constants are numbers, parameters, and what depends on these alone: worked out once, or whenever
 * the parameters that the spec calls variable change. */
typedef struct program {
    ah_ctx *ctx;
    size_t inputs, outputs, guards;
    bool adds;               /* some angles are sums of others: see the spec */
    LIST(program_code) code; /* in order, constants first; inputs among them */
    size_t sections;         /* that are worth it; most programs have none */
    program_section section[PROGRAM_SECTIONS];
    uint32_t *output; /* values */
    program_guard *guard;
    LIST(double) constants; /* for the parameters of the spec: numbers first, `numbers` of them */
    size_t numbers;
    LIST(program_setup) setup;  /* the other constants, in order */
    program_guard *fixed_guard; /* of constants alone */
    size_t fixed_guards;
    program_work *own; /* of callers that bring none */
} program;

typedef struct program_spec {
    size_t inputs;
    const ah_expr *input; /* symbols; all others must be parameters or steps of the recipe */
    size_t outputs;
    const ah_expr *output;
    const recipe *recipe;   /* steps and guards; may be NULL */
    const frame *parameter; /* their values */
    /* Parameters that may change later (program_set); the others are numbers from here on. */
    size_t variables;
    const ah_expr *variable;
    /* How many of the first inputs change seldom, and how many less seldom; 0: none. */
    size_t seldom[PROGRAM_SECTIONS];
    bool adds; /* sines and cosines of sums of angles from those of the angles (angle_sums.h) */
    bool
        shares; /* pairs of factors that several products have (pairs.h); otherwise in the order of the formula */
} program_spec;

/* NULL: an output depends on a symbol that is neither, or on an unspecified function. */
program *program_create(ah_ctx *ctx, arena *a, const program_spec *spec);
/* Interprets it. false: a guard failed, the outputs are not to be used. */
bool program_run(const program *p, const double *in, double *out);
/* The same in a work space; `kept`: doubles that sections of compiled code keep. */
program_work *program_work_create(const program *p, arena *a, size_t kept);
bool program_run_in(const program *p, const program_work *w, const double *in, double *out);
/* Other values of the parameters that the spec called variable, in its order. */
void program_set(const program *p, program_work *w, const double *parameter);
/* The same for the constants alone, which others take from there: whether they pass the guards that they decide. */
bool program_prepare(const program *p, program_work *w, const double *parameter);
/* Whether these are the values, to the last bit, that the constants were worked out for. */
bool program_is_set(const program *p, const program_work *w, const double *parameter);
/* One operation of x and y (leaves aside). */
double program_apply(const program_code *c, double x, double y);
/* Operations that a call does, sections included. */
size_t program_operations(const program *p);
/* The same, weighted by the time they take in compiled code: one is an addition. */
double program_cost(const program *p);
/* Whether the section is to be done for these inputs; they are then taken as the last ones by
 * program_done, after the last section. */
bool program_changed(const program *p, program_memory *m, size_t section, const double *in);
void program_done(const program *p, program_memory *m, const double *in);

/* C of the program: `static inline int NAME(const double *c, const double *x, double *y)`, c the
 * constants, x the inputs, y the outputs; it answers 0 when a guard fails. Names are generated and
 * numbers are in c: nothing a user wrote gets here. Uses scratch, so `t` must be elsewhere or
 * be released with it. program_prelude declares what it calls. */
void program_prelude(text *t);
const char *program_function_name(const program_code *c); /* sqrt, sin, …, or - */
void program_emit(const program *p, text *t, const char *name);
/* C of a program with sections: `int NAMEs<k>(const double *c, const double *x, double *w)` does
 * section k and leaves in w what is needed later, `int NAMEr(c, x, y, w)` does the rest. Returns
 * the size of w. program_emit_joined: like program_emit, by calls of these. */
size_t program_emit_sections(const program *p, text *t, const char *name);
void program_emit_joined(const program *p, text *t, const char *name, const char *sections,
                         size_t kept);

#endif
