/* compile/dialect.h - how a language writes the lines of a program: one row of strings each. */
#ifndef COMPILE_DIALECT_H
#define COMPILE_DIALECT_H
#include "program.h"

typedef struct dialect {
    const char *value; /* begins the line that makes a value: its number follows */
    const char *keep;  /* begins one that puts a value into the work array w; NULL: it has none */
    const char *end;   /* of a line */
    const char *function[AH_FUNCTIONS], *power, *root;
    const char *pairs;       /* it has sincos(x, &s, &c) of this type; NULL: it has not */
    const char *output, *is; /* "  y[", "] = ": around the number of an output … */
    unsigned first;          /* … which begins here */
    const char *good, *both; /* "  return 1", " & ": what begins the result, and joins guards */
    const char *largest;     /* number; NULL: that of doubles */
} dialect;

/* The names of functions where they differ by what stands around them alone. */
#define DIALECT_FUNCTIONS(before, after, abs, sign)                                                \
    {                                                                                              \
        [AH_SIN] = before "sin" after, [AH_COS] = before "cos" after,                              \
        [AH_TAN] = before "tan" after, [AH_ASIN] = before "asin" after,                            \
        [AH_ACOS] = before "acos" after, [AH_ATAN] = before "atan" after,                          \
        [AH_ATAN2] = before "atan2" after, [AH_SINH] = before "sinh" after,                        \
        [AH_COSH] = before "cosh" after, [AH_TANH] = before "tanh" after,                          \
        [AH_EXP] = before "exp" after, [AH_LOG] = before "log" after,                              \
        [AH_SQRT] = before "sqrt" after, [AH_ABS] = before abs after, [AH_SIGN] = sign,            \
    }

/* That of the engines. */
extern const dialect dialect_engine;

/* Writes an input or a constant. */
typedef void dialect_leaf(const void *user, text *t, const program *p, const program_code *leaf);

/* The lines of all operations; then those of the outputs and of the result, which says whether the
 * guards hold. Uses scratch, so `t` must be elsewhere or be released with it. */
void program_write(const program *p, text *t, const dialect *d, dialect_leaf *leaf,
                   const void *user);

/* The same in parts (cuts.h), for programs that are long: each the body of a function of its own, which
 * answers for its own guards. They have a work array w in common, of so many numbers. */
typedef struct program_writing program_writing;
bool program_is_long(const program *p);
program_writing *program_writing_create(const program *p, arena *a, const dialect *d,
                                        dialect_leaf *leaf, const void *user);
size_t program_writing_parts(const program_writing *w);
size_t program_writing_work(const program_writing *w);
void program_write_part(program_writing *w, text *t, size_t part);

#endif
