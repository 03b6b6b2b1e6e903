/* typeset/tex.h - the small part of TeX in which worksheets are written, brought to each format.
 *
 * Names and formulas: letters, digits, scripts, \dot \ddot \hat \bar \tilde, \frac, \sqrt, Greek
 * letters, \partial, the usual signs and functions, \left and \right, \text; a word between spaces
 * is a word ("\partial S at z = 0"). Also all of what expr prints as LaTeX. Prose holds formulas
 * between dollars and code between backquotes. */
#ifndef TYPESET_TEX_H
#define TYPESET_TEX_H
#include "../base/base.h"

/* The beginning of every formula in a page. */
#define TEX_MATH "<math xmlns=\"http://www.w3.org/1998/Math/MathML\""

/* A formula, for AH_TEXT, AH_LATEX (without dollars) or AH_MATHML (one element, without <math>). */
void tex_formula(text *out, const char *formula, ah_format format);
/* Prose, likewise; in MathML it is XHTML with <math> in it. */
void tex_prose(text *out, const char *prose, ah_format format);
/* Somebody else's text, without any marks: characters that mean something to the format escaped. */
void tex_plain(text *out, const char *s, ah_format format);

/* The beginning of a document in LaTeX, up to its title and a line below; \end{document} ends it. */
void tex_document(text *out, const char *title, const char *below);

/* Columns that a UTF-8 text takes: combining characters take none. */
size_t tex_columns(const char *s);

#endif
