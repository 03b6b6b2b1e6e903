/* anholo/derive.h - the equations of motion, written down. */
#ifndef ANHOLO_DERIVE_H
#define ANHOLO_DERIVE_H
#include <anholo/model.h>

typedef struct ah_derive_options {
    const char *method; /* NULL: the model's default                                          */
    bool steps;         /* the whole worksheet, not only the result                           */
    bool orthonormal;   /* quasi-velocities with T = ½Σω²                                     */
    bool compare_reduced; /* hamel: also what putting the constraints in too early would give   */
} ah_derive_options;

AH_API ah_derive_options ah_derive_defaults(void);

/* AH_TEXT: Unicode, at most 100 columns; AH_LATEX: a document that compiles as it stands;
 * AH_MATHML: part of an XHTML page; AH_JSON: docs/schema/derive.json. AH_E_REFUSED: the method does
 * not apply, and the diagnostics say why and which one does. */
AH_API ah_status ah_derive(ah_model *m, const ah_derive_options *options, ah_format format,
                           const char **out);
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
