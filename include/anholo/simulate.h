/* anholo/simulate.h - the motion of a model. */
#ifndef ANHOLO_SIMULATE_H
#define ANHOLO_SIMULATE_H
#include <anholo/model.h>

typedef struct ah_simulate_options {
    size_t size;            /* of this struct: ah_simulate_defaults sets it */
    const char *method;     /* NULL: the model's default */
    const char *integrator; /* one of ah_integrators(); NULL: chosen */
    const char *engine;     /* one of ah_engines(): how the equations run; NULL: chosen */
    double rtol, atol;
    const char *to;      /* end of the span, an expression; NULL: the model's `simulate` */
    size_t samples;      /* rows, both ends included; 0: use every */
    double every;        /* distance of rows */
    bool project;        /* move to the nearest admissible state first */
    uint64_t most_steps; /* 0: no limit */
    size_t branch; /* of accelerations that Gauss' principle does not determine; 0: the least one */
    bool json;     /* the rows as {"columns": […], "rows": [[…], …]} instead of CSV */
    /* Gets the rows as text, header first; false stops the run. NULL: no rows. */
    bool (*write)(void *user, const char *text, size_t length);
    void *user;
    /* Gets the events as CSV text likewise: label, direction (rising, falling, touched), what is
     * left of zero, and then the columns of a row. NULL: they are in the summary alone. */
    bool (*write_event)(void *event_user, const char *text, size_t length);
    void *event_user;
    const char *at; /* values that replace those of `start`: "x=1,x'=0.5"; NULL: none */
    /* Gets the rows as numbers; NaN: it does not exist there. False stops the run. NULL: nothing. */
    bool (*write_values)(void *user, const char *const *names, const double *row, size_t columns);
} ah_simulate_options;

AH_API ah_simulate_options ah_simulate_defaults(void);
/* The words that `integrator` and `engine` take, separated by |, the default first. */
AH_API const char *ah_integrators(void);
AH_API const char *ah_engines(void);
/* The summary as AH_TEXT or AH_JSON. AH_E_NUMERIC when the motion ended before its time, AH_E_LIMIT
 * and AH_E_INTERRUPTED when it was cut short: the summary says where and why, and the rows so far
 * are valid. It stays until the next call for this model. */
AH_API ah_status ah_simulate(ah_model *m, const ah_simulate_options *options, ah_format format,
                             const char **summary);

#endif
