/* anholo/derive.h - the equations of motion, written down. */
#ifndef ANHOLO_DERIVE_H
#define ANHOLO_DERIVE_H
#include <anholo/answer.h>

typedef struct ah_derive_options {
    size_t size;        /* of this struct: ah_derive_defaults sets it */
    const char *method; /* NULL: the model's default                                          */
    bool steps;         /* the whole worksheet, not only the result                           */
    bool orthonormal;   /* quasi-velocities with T = ½Σω²                                     */
    bool compare_reduced; /* hamel: also what putting the constraints in too early would give   */
    bool fragment;        /* AH_LATEX: without a document around it, for \input; needs amsmath  */
} ah_derive_options;

AH_API ah_derive_options ah_derive_defaults(void);

/* left = value. Solved, left is an acceleration, the rate of a speed, a multiplier, a reaction; also what
 * defines the method's velocities, and the velocities in these. */
typedef struct ah_equation {
    ah_expr unknown; /* AH_NONE: the left side is more than a symbol */
    ah_expr left;
    ah_expr value; /* in the model's symbols alone, but for equations that are written in parts */
    ah_expr shown; /* the same with the names of ah_derive_values.name, as it is displayed */
} ah_equation;

/* A matrix on the way to the equations. */
typedef struct ah_derived {
    const char *name;    /* in text; NULL: it has none */
    const char *latex;   /* the name in LaTeX */
    const char *formula; /* that defines it, in LaTeX; NULL: none */
    size_t rows, columns;
    const ah_expr *entry; /* row after row, in the model's symbols; NULL: known in numbers alone */
} ah_derived;

/* What stands for something long in the display: name = meaning, which may use names before it. */
typedef struct ah_abbreviation {
    ah_expr name, meaning;
} ah_abbreviation;

typedef struct ah_derive_values {
    const char *method, *title;
    size_t variables; /* coordinates, then the method's velocities */
    const ah_expr *variable;
    size_t equations; /* at least one */
    const ah_equation *equation;
    size_t quantities;
    const ah_derived *quantity;
    size_t names;
    const ah_abbreviation *name;
} ah_derive_values;

/* AH_TEXT: Unicode, at most 100 columns; AH_LATEX: a document that compiles as it stands;
 * AH_MATHML: part of an XHTML page; AH_JSON: docs/schema/derive.json. AH_E_REFUSED: the method does
 * not apply, and the diagnostics say why and which one does. */
AH_API ah_status ah_derive(ah_model *m, const ah_derive_options *options, ah_answer **out);
/* NULL: the answer is that of another question. */
AH_API const ah_derive_values *ah_answer_derive(const ah_answer *a);
/* The names of these formats, separated by |, the default first; and the format of a name. */
AH_API const char *ah_derive_formats(void);
AH_API bool ah_find_derive_format(const char *name, ah_format *format);

/* What a method (NULL: the default) makes of the model, for debugging. Stage "equations": its
 * worksheet, matrix by matrix; "program": the C of what a motion evaluates, which needs `start`. */
AH_API ah_status ah_dump_method(ah_model *m, const char *method, const char *stage,
                                const char **out);
AH_API const char *ah_method_stages(void); /* their names, separated by | */

/* The methods there are, in the order in which they are listed. */
AH_API size_t ah_method_count(void);
AH_API const char *ah_method_name(size_t index);  /* "gibbs-appell" */
AH_API const char *ah_method_title(size_t index); /* "The Gibbs-Appell equations" */

#endif
