/* anholo/report.h - one page in HTML that tells everything about a model. */
#ifndef ANHOLO_REPORT_H
#define ANHOLO_REPORT_H
#include <anholo/model.h>

typedef struct ah_report_options {
    size_t size; /* of this struct: ah_report_defaults sets it */
    const char
        *methods;      /* "hamel,kane" or "all"; NULL: the default one and others that are short */
    const char *title; /* NULL: the model's */
    const char *command; /* shown at the page's foot: what makes it again; NULL: nothing */
    const char *to;      /* end of the motion, an expression; NULL: the model's `simulate` */
    size_t samples;      /* of the motion, both ends included */
    const char *at;      /* values that replace those of `start`: "x=1,x'=0.5"; NULL: none */
    bool project;        /* the motion begins at the nearest admissible state */
    size_t
        threads; /* that make it, two at most; 0: as many as there are processors, but one where the host gives memory. The
                     * page is the same */
} ah_report_options;

AH_API ah_report_options ah_report_defaults(void);

typedef struct ah_page {
    const char *html; /* self-contained: no other file is needed, nothing is fetched */
    size_t length;    /* bytes */
    size_t methods;   /* whose equations it shows */
    const char *const *method;
    size_t claims, claims_passed;
    const char *no_motion; /* why it shows no motion; NULL: it does */
} ah_page;

/* What cannot be had (a motion without a start, a method that refuses, a search that takes long) is
 * left out, and the page says why. AH_E_INPUT: an option is wrong. */
AH_API ah_status ah_report(ah_model *m, const ah_report_options *options, const ah_page **out);

#endif
