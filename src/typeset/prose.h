/* typeset/prose.h - sentences with formulas in them, as text, LaTeX or MathML.
 *
 * Lines are data: a line, or an item of the lines before it. What is written between two ends makes one;
 * without words there is none. In text an item is indented, in LaTeX and in a page it stands in a list. */
#ifndef TYPESET_PROSE_H
#define TYPESET_PROSE_H
#include "../expr/expr.h"

typedef struct prose {
    ah_ctx *ctx;
    ah_format format; /* AH_TEXT, AH_LATEX, AH_MATHML */
    text out, line;
    const char *indent; /* of items, in text: four blanks */
    bool item;          /* the line that is being written is one */
    bool list;          /* so was the last */
} prose;

/* Can it be written so? */
bool prose_writes(ah_format format);
/* In the job arena of the context. */
prose prose_begin(ah_ctx *ctx, ah_format format);
const char *prose_finish(prose *p);
/* A whole answer: a document in LaTeX, a section of a page; in text the caller says the title. */
prose prose_document(ah_ctx *ctx, ah_format format, const char *title, const char *about);
const char *prose_finish_document(prose *p);

/* Words, ours or somebody's: characters that mean something to the format are escaped. */
void prose_add(prose *p, const char *words);
void prose_printf(prose *p, const char *words, ...) PRINTF_LIKE(2, 3);
void prose_number(prose *p, double x, int digits);
/* The line that is written is an item; it ends here. */
void prose_item(prose *p);
void prose_end(prose *p);
/* An empty line, in text. */
void prose_gap(prose *p);

/* NULL, or what is said in the place of a formula that is too long to be read: how many parts it has. Those of long chains of
 * bodies double from one to the next. */
const char *prose_instead(ah_ctx *ctx, ah_expr e);
/* Formulas: an expression, a name, left sign right, symbol = number. */
void prose_formula(prose *p, ah_expr e);
void prose_name(prose *p, const char *name);
void prose_relation(prose *p, ah_expr left, const char *sign, ah_expr right);
void prose_value(prose *p, ah_expr symbol, double x, int digits);
/* name = a matrix, given row after row; in text, items. Without entries there is nothing. */
void prose_matrix(prose *p, const char *name, size_t rows, size_t columns, const ah_expr *e);
/* Several symbols with commas between them. */
void prose_formulas(prose *p, size_t count, const ah_expr *e);

#endif
