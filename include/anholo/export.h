/* anholo/export.h - a model as source text in other languages, and as an FMU. */
#ifndef ANHOLO_EXPORT_H
#define ANHOLO_EXPORT_H
#include <anholo/linearise.h>

typedef struct ah_export_options {
    size_t size;                       /* of this struct: ah_export_defaults sets it */
    const char *name;                  /* an identifier that all names begin with; NULL: "model" */
    const char *method;                /* NULL: the model's default, that of ah_simulate */
    bool single;                       /* C: float instead of double */
    unsigned fmi;                      /* FMU: 2 or 3 */
    bool sources_only;                 /* FMU: without a binary */
    const ah_linearise_values *linear; /* not for an FMU: it is written down, too; NULL: none */
    ah_ctx *
        linear_of; /* ah_answer_context of its answer: its formulas are, too; NULL: numbers alone */
} ah_export_options;

AH_API ah_export_options ah_export_defaults(void);
/* The languages, "c|js|…". */
AH_API const char *ah_export_languages(void);

typedef struct ah_file {
    const char *name; /* without a folder */
    const char *data;
    size_t length;
} ah_file;

typedef struct ah_export {
    size_t files;
    const ah_file *file;
    const char *remark; /* or NULL: "sources alone, no binary" */
} ah_export;

/* The same model gives the same bytes. *out belongs to the model. AH_E_REFUSED: the method does not
 * apply, or its equations are no formulas that could be written down; AH_E_INPUT: an option is
 * wrong. */
AH_API ah_status ah_export_model(ah_model *m, const char *language,
                                 const ah_export_options *options, const ah_export **out);

#endif
