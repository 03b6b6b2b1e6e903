/* trajectory/trajectory.h - whole motions as rows: columns by name, kept in memory or streamed. */
#ifndef TRAJECTORY_TRAJECTORY_H
#define TRAJECTORY_TRAJECTORY_H
#include "../system/system.h"
#include <anholo/simulate.h>

/* Numbers that trajectory_run keeps at most: 512 MiB of them. */
#define TRAJECTORY_LIMIT ((size_t) 1 << 26)

/* Events that are kept with a trajectory; all of them go to the sink. */
#define TRAJECTORY_EVENTS 1000

typedef struct trajectory_event {
    const model_event *event;
    double value;  /* of e1 − e2; of a touch, how near */
    int direction; /* as t grows: 1, -1; of a touch the way it came */
    bool touched;
    const double *row; /* the columns there */
} trajectory_event;

typedef struct trajectory {
    ah_model *model;
    const formalism *method;
    motion_options span;
    motion_summary summary;
    double seconds;
    size_t columns, rows, extra; /* extra: first of the columns asked for */
    /* "t", q, q', z, ω, "lambda[label]", "reaction[q]", outputs, "energy", "residual", then the
     * extras */
    const char *const *name;
    LIST(trajectory_event) events; /* the first ones */
    uint64_t happened;             /* all of them */
    const double *at; /* rows × columns, row after row; NAN where a value does not exist */
} trajectory;

/* Gets every row as it is made, out->rows being the number of those before it; false stops. */
typedef struct trajectory_sinks {
    bool (*row)(void *user, const trajectory *so_far, const double *row);
    bool (*event)(void *user, const trajectory *so_far,
                  const trajectory_event *event); /* or NULL */
    void *user;
} trajectory_sinks;

/* Runs the model as `options` say (their `write` is not called). `extra`: further expressions of
 * what ah_read_output allows. All in the job arena. false: refused or wrong, diagnostics say why,
 * *status AH_E_REFUSED or AH_E_INPUT. A motion that ends early leaves its rows, and *status is
 * AH_E_NUMERIC, AH_E_LIMIT or AH_E_INTERRUPTED. To be called under a guard. */
bool trajectory_stream(ah_model *m, const ah_simulate_options *options, const ah_expr *extra,
                       size_t extras, const trajectory_sinks *sinks, trajectory *out,
                       ah_status *status);
/* The same, with the rows kept; more than TRAJECTORY_LIMIT numbers are refused (A0901). */
bool trajectory_run(ah_model *m, const ah_simulate_options *options, const ah_expr *extra,
                    size_t extras, trajectory *out, ah_status *status);

/* From a table that `simulate` has written: the columns asked for alone, so extra is 0. They follow
 * from the table's columns; what would need the motion itself is refused. */
bool trajectory_read(ah_model *m, const char *csv, size_t length, const ah_expr *extra,
                     size_t extras, trajectory *out);
/* M[i,j] and ω' in the expressions by what they stand for. */
void trajectory_expand(ah_model *m, ah_expr *e, size_t count);
/* λ, a reaction or the residual behind a name that the derivation makes; false: none of these. */
bool trajectory_find_part(const ah_model *m, ah_expr symbol, derived_ref *out);

/* The column of that name, SIZE_MAX: none. */
size_t trajectory_column(const trajectory *t, const char *name);
const char *trajectory_engine(const trajectory *t);

#endif
