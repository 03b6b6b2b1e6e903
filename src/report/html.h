/* report/html.h - inside the module: the page of `anholo report`, put together from sections.
 *
 * Markup is XHTML in its spelling (closed elements, quoted attributes), so that parts of it are
 * XML. Whatever comes from a model goes through html_text, html_math or html_name, never through
 * html_add and html_printf. */
#ifndef REPORT_HTML_H
#define REPORT_HTML_H
#include "../typeset/typeset.h"
#include <anholo/report.h>

typedef struct html_entry {
    const char *id, *title;
} html_entry;

typedef struct html {
    ah_ctx *ctx;
    arena *arena; /* the job arena */
    ah_model *model;
    const ah_report_options *options;
    const char *title;
    struct trajectory *motion;   /* NULL: there is none, page->no_motion says why */
    struct scene *scene;         /* what moves in it … */
    struct plot_requests *plots; /* … and what is drawn of it */
    text out;
    LIST(html_entry) contents;
    LIST(const char *) methods; /* whose equations are shown … */
    LIST(const char *) results; /* … and these, in LaTeX */
    double end;  /* of base_work(): when searches that nobody asked for are to be over */
    bool player; /* something is to be animated */
    const char *live, *live_code,
        *live_hash;    /* the motion can be played with (html_live.c); NULL … */
    const char *still; /* … because of this */
    ah_page *page;     /* what is told about it */
} html;

/* Answers as they stand in the page, and how many claims turn out as stated. */
typedef struct html_answers {
    const char *claims, *constants, *agreement;
    size_t count, passed;
} html_answers;

/* Seconds for each of the two parts of a page, as far as searches are concerned that nobody asked for. */
#define HTML_SECONDS 2.4

/* ---- Writing (html.c) ------------------------------------------------------------------------ */

void html_add(html *h, const char *markup);
void html_printf(html *h, const char *format, ...) PRINTF_LIKE(2, 3);
/* Any text: characters that mean something escaped, those that turn the direction of writing made
 * visible. In attributes too. */
void html_text(html *h, const char *s);
void html_text_n(html *h, const char *s, size_t length);
void html_number(html *h, double x, int digits); /* 1.2 × 10⁻⁵ */
void html_math(html *h, ah_expr e);              /* in a line */
bool html_is_long(const html *h, ah_expr e);     /* a page says how long it is instead */
void html_name(html *h, const char *name);       /* a label, a name of the model: likewise */
void html_equals(html *h, ah_expr left, ah_expr right);
void html_value(html *h, ah_expr symbol, double x, int digits); /* m = 1.5, on one line */

/* A section with a heading, in the list of contents. */
void html_section(html *h, const char *id, const char *title);
void html_section_end(html *h);

/* Runs body(h, arg) for so many seconds at most. NULL: done. Otherwise why not, a sentence without
 * its full stop; what the body wrote and reported is forgotten. */
const char *html_try(html *h, double seconds, void (*body)(html *h, void *arg), void *arg);

/* Of so many seconds what is left for a search that nobody asked for. */
double html_spare(const html *h, double seconds);

/* Equations one below the other, to be copied: left = right. */
typedef struct html_equation {
    const char *left; /* TeX subset */
    ah_expr right;
    const char *label; /* at the margin; NULL: none */
} html_equation;
void html_equations(html *h, size_t count, const html_equation *equation);
/* The frame of what can be copied. */
void html_formula(html *h, const char *latex, const char *plain);
void html_formula_end(html *h);

/* ---- Sections -------------------------------------------------------------------------------- */

void html_system(html *h);  /* html_system.c: the model in formulas and as it was written */
void html_kind(html *h);    /* html_kind.c: what kind of system, which methods apply */
void html_methods(html *h); /* html_methods.c: equations of motion, reactive forces */
/* html_answers.c: what was found beside the page (html_aside.c), each in its section. */
void html_claims(html *h, const html_answers *a);
void html_constants(html *h, const html_answers *a);
void html_agreement(html *h, const html_answers *a); /* which methods apply, and that they agree */
void html_find_claims(html *h);
void html_find_constants(html *h);
void html_find_agreement(html *h);
void html_run_motion(html *h); /* html_motion.c: fills h->motion and h->scene */
void html_make_live(html *h);  /* html_live.c: h->live, or h->still */
void html_scene(html *h);      /* the moving picture */
void html_motion(html *h);

#endif
