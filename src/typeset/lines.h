/* typeset/lines.h - how wide a formula in LaTeX comes out, and where its lines end. */
#ifndef TYPESET_LINES_H
#define TYPESET_LINES_H
#include "../worksheet/worksheet.h"

/* Characters of average width in a line. */
#define LINES_WIDTH 80.0
/* What stands beside a fraction at least: wider ones are opened. */
#define LINES_FRACTION 6.0
/* A left side that is wider stands by itself. */
#define LINES_LEFT 14.0

double lines_width(const char *formula);

/* Lines no wider than `room` where that is possible, each a formula of its own. */
typedef LIST(const char *) line_list;
line_list lines_break(arena *a, const char *formula, double room);

/* An expression in LaTeX. A fraction wider than `room` is written as a factor before a bracket,
 * which can be broken. */
const char *lines_print(const worksheet *w, ah_expr e, double room);
const char *lines_diagonal(const worksheet *w, const ws_value *v); /* diag(…) */
const char *lines_matrix(const worksheet *w, const ws_value *v);
double lines_value_width(const worksheet *w, const ws_value *v);

#endif
