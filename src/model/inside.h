/* model/inside.h - what the files of this module share and nobody else needs. */
#ifndef MODEL_INSIDE_H
#define MODEL_INSIDE_H
#include "model.h"
#include "probe.h"

/* ---- instance.c ------------------------------------------------------------------------------ */

/* The finished system with these functions in the place of its own, put in wherever they have a
 * body. */
ah_model *model_with_functions(ah_model *m, const model_function *f);

/* ---- input_table.c --------------------------------------------------------------------------- */

/* A column of a table beside its times. Rows lie in the scratch arena; `names` is where the first line stands. */
typedef struct input_table {
    const char *file, *text, *column;
    size_t length, rows;
    const double *t, *value;
    ah_span names;
} input_table;
bool input_table_read(ah_ctx *ctx, input_table *table); /* false: it was told what is wrong */

/* ---- The steps of model_finish --------------------------------------------------------------- */

void model_sort_constraints(ah_model *m);                      /* order.c   */
void model_find_rank(ah_model *m, const probe_states *states); /* inertia.c */
void model_check_inertia(ah_model *m, const probe_states *states);
bool model_velocity_form_is_whole(ah_model *m); /* speeds.c  */
void model_check_speeds(ah_model *m, const probe_states *states);
void model_check_quasivelocities(ah_model *m, const probe_states *states);

#endif
