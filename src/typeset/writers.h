/* typeset/writers.h - a worksheet in one of the formats of writers.def. */
#ifndef TYPESET_WRITERS_H
#define TYPESET_WRITERS_H
#include "../worksheet/worksheet.h"

/* Formats of worksheets alone, which callers find by name (ah_find_derive_format). */
#define WORKSHEET_FORMAT(i) ((ah_format) (AH_ASCII + 1 + (i)))
/* In one of the formats of writers.def; NULL: it is none of them. */
const char *worksheet_write(const worksheet *w, ah_format format);
/* Their names, "text|latex|…", and the format of a name; false: there is none. */
const char *worksheet_formats(void);
bool worksheet_find_format(const char *name, ah_format *out);
#define X(format, name, function) const char *function(const worksheet *w);
#include "writers.def"
#undef X
/* The steps for a page of which the worksheet is a part: formulas that can be copied, headings of
 * the given level. */
const char *worksheet_html(const worksheet *w, int heading);
/* The formulas of one step with the names they need, alone. */
const char *worksheet_step_text(const worksheet *w, const ws_step *step);
const char *worksheet_step_latex(const worksheet *w, const ws_step *step);

#endif
