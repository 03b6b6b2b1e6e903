/* worksheet/worksheet.h - a derivation as an author would print it: what is shown, worked out and with names.
 *
 * worksheet_make works the shown quantities out, takes common factors out of matrices and gives
 * names to what is long and comes again ("where Δ = …"); the writers of typeset only lay out. */
#ifndef WORKSHEET_WORKSHEET_H
#define WORKSHEET_WORKSHEET_H
#include "../derive/derive.h"

/* A value ready for the page. */
typedef struct ws_value {
    bool known;
    mat exact;      /* as worked out, without names: for numbers */
    ah_expr factor; /* stands in front; AH_NONE: nothing */
    mat shown;      /* what is left, in the worksheet's names */
    bool diagonal, symmetric;
    mat belongs; /* symbols that the rows belong to; 0 × 0: it is to be seen from their number */
} ws_value;

typedef struct ws_quantity {
    quantity id;
    const char *name, *formula; /* TeX subset; NULL: none */
    ws_value value;
} ws_quantity;

typedef struct ws_step {
    sheet_step_kind kind;
    const char *text, *paper;
    ws_quantity q;    /* of equations its value are the right sides */
    mat unknowns;     /* of equations */
    bool solved;      /* the rows are unknown = right side; otherwise left = right side */
    ws_value left;    /* column; known where the rows are not solved for their unknowns */
    bool in_parts;    /* written in the worksheet's own intermediate quantities */
    uint32_t through; /* the step, from 1, of a column whose symbols it is written in; 0: none */
    const uint32_t *given; /* the names that are explained before this step */
    uint32_t givens;
    const uint32_t *where; /* the names that are explained after this step */
    uint32_t wheres;
} ws_step;

/* symbol = meaning, or symbol² = meaning. */
typedef struct ws_name {
    ah_expr stands; /* what is written: Δ, v₁² */
    ah_expr symbol;
    ah_expr meaning; /* may use other names */
    bool shown;      /* an entry of a quantity that the worksheet shows: no explanation is needed */
    bool given;      /* an intermediate quantity: explained before it is used */
} ws_name;
typedef LIST(ws_name) ws_names;

/* Rows that are still to be written in parts: A x = right; without unknowns A = right; without A x = right. */
typedef struct ws_lower {
    uint32_t step;
    quantity A, right;
    mat unknowns;
} ws_lower;

typedef struct worksheet {
    ah_ctx *ctx;
    arena *arena;
    ah_model *model;
    const ah_equations *eq;
    work *work,
        *kept; /* kept: the same in the model's own names (kept_lets.c); NULL: they are not kept */
    struct keeper *keeper; /* of these names */
    struct holder *holder; /* of signs and angles; NULL: there are none */
    double
        longest_row; /* rows that are not solved are written out up to this length, else in parts */
    bool nearly;     /* some that were worked out were not much longer */
    bool steps;      /* everything, not only the result */
    bool fragment;   /* LaTeX without a document around it */
    LIST(ws_step) step;
    ws_names names;
    LIST(ws_lower) lower;
    const formalism
        *shorter; /* the method that writes these rows in fewer words; NULL: there is none */
} worksheet;

typedef enum worksheet_part {
    WORKSHEET_RESULT,   /* what a derivation ends with */
    WORKSHEET_STEPS,    /* everything */
    WORKSHEET_REACTIONS /* of the method `multipliers`: these and the reactive forces alone */
} worksheet_part;
worksheet *worksheet_make(ah_equations *eq, worksheet_part part);
/* The same for the method that nobody asked for by name: one that writes the equations in fewer words takes its place. */
worksheet *worksheet_make_usual(ah_equations *eq, worksheet_part part);

/* What works the equations out for a page: letters stand for signs and angles in it (held_calls.c), until the page is done. */
work *worksheet_work(const ah_equations *eq);
void worksheet_release(worksheet *w);
/* Shortens right sides by the constraints, where these are not linear (on_constraints.c). */
void worksheet_use_constraints(worksheet *w);
/* Finds and puts in the names (page_names.c). */
void worksheet_find_names(worksheet *w);
/* The second page, in the model's own names: `kept` is made anew for the sheet as it is now (kept_lets.c). */
void worksheet_keep_lets(worksheet *w);
/* A quantity in these names, or entries of its plain value (NULL: it is not known) where these are shorter; false: it is not to be had so. */
bool worksheet_kept(worksheet *w, quantity x, const mat *plain, mat *out);
/* The leaves of a sheet that is ours, and the lets as the first steps of a recipe. */
void worksheet_keep_leaves(worksheet *w, ah_equations *eq);
void worksheet_define_lets(const worksheet *w, recipe *r);
/* Entries in the names that are kept, if any are; and without names. */
mat worksheet_in_lets(worksheet *w, mat m);
mat worksheet_unkept(const worksheet *w, mat m);
bool worksheet_is_long(worksheet *w);
bool worksheet_is_better(worksheet *w, worksheet *than);
/* Letters of the method that the model uses, too, become bold (own_letters.c); false: there are none. */
bool worksheet_mark_letters(worksheet *w);
/* Rows A x = right (without unknowns A = right, without A x = right) of a step, as scalar formulas. */
typedef struct ws_rows {
    uint32_t step;
    mat A, unknowns, right;
} ws_rows;
/* Puts these rows into their steps, written in intermediate quantities (sheet_parts.c). The formulas may use the
 * recipe's steps. */
void worksheet_take_parts(worksheet *w, const recipe *r, ws_rows *rows, size_t count);
ws_value worksheet_value(mat m);
/* A symbol for an entry of a column that is shown, λ₁; AH_NONE: it has no letter that is free (page_names.c). */
ah_expr worksheet_entry_symbol(worksheet *w, const ws_quantity *q, uint32_t row);
/* The factor before a matrix, after its entries and it have got names. */
void worksheet_settle_factor(worksheet *w, ws_value *v);
/* The velocities in which it is written. */
mat worksheet_speeds(const worksheet *w);
/* The left side of a row of equations. */
ah_expr worksheet_left(const worksheet *w, const ws_step *step, uint32_t i);
uint32_t worksheet_rows(const ws_step *step); /* of equations */
/* What an expression takes on the page, in characters, roughly. */
double worksheet_length(ah_ctx *ctx, ah_expr e);

/* Label of the i-th row: a quasi-velocity, a coordinate, a constraint, or its number; TeX subset. */
const char *worksheet_row_label(const worksheet *w, const ws_value *v, uint32_t i);
/* One entry of a value, with the factor that stands in front. */
ah_expr worksheet_entry(const worksheet *w, const ws_value *v, uint32_t i, uint32_t j);
/* An expression in a format, as everywhere in worksheets (dots, Greek letters). */
const char *worksheet_print(const worksheet *w, ah_expr e, ah_format format);

#endif
