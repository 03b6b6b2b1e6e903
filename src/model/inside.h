/* model/inside.h - what the files of this module share and nobody else needs. */
#ifndef MODEL_INSIDE_H
#define MODEL_INSIDE_H
#include "model.h"
#include "probe.h"

/* ---- names.c --------------------------------------------------------------------------------- */

const model_name *model_table_find(const model_table *table, const char *name);
/* The name is not in the table yet; the hash is worked out. */
void model_enter(ah_model *m, model_table *table, model_name entry);
/* Enters a name; reports A0401 or A0403 and answers false when it is taken or cannot be a name. */
bool model_declare(ah_model *m, model_table *table, const char *name, model_what what, size_t index,
                   ah_span span);

/* ---- kinds.c --------------------------------------------------------------------------------- */

/* Sets of symbol kinds. */
enum {
    KIND_PARAMETER = 1u << AH_PARAMETER,
    KIND_TIME = 1u << AH_TIME,
    KIND_COORDINATE = 1u << AH_COORDINATE,
    KIND_VELOCITY = 1u << AH_VELOCITY,
    KIND_ACCELERATION = 1u << AH_ACCELERATION,
    KIND_SPEED = 1u << AH_SPEED,
    KIND_SPEED_DOT = 1u << AH_SPEED_DOT,
    KIND_DERIVED = 1u << AH_DERIVED | 1u << AH_MULTIPLIER,

    KINDS_PLACE = KIND_PARAMETER | KIND_TIME | KIND_COORDINATE,
    KINDS_STATE = KINDS_PLACE | KIND_VELOCITY,
    KINDS_MOTION = KINDS_STATE | KIND_ACCELERATION,
    KINDS_SPEEDS = KIND_SPEED | KIND_SPEED_DOT
};
/* Does `e` hold only symbols of these kinds, all of them the model's own? Reports A0402 or A0403:
 * "`x'` cannot stand in the potential". */
bool model_only(ah_model *m, ah_expr e, unsigned kinds, const char *where, ah_span span);
bool model_only_vector(ah_model *m, ah_vector v, unsigned kinds, const char *where, ah_span span);
/* The symbols of one kind in e, ascending, in the scratch arena. */
expr_list model_symbols_of(ah_model *m, ah_expr e, ah_symbol_kind kind);
/* The coordinate to which a symbol x, x' or x'' belongs. */
uint32_t model_column(const ah_model *m, ah_expr symbol);

/* ---- instance.c ------------------------------------------------------------------------------ */

/* The finished system with these functions in the place of its own, put in wherever they have a
 * body. */
ah_model *model_with_functions(ah_model *m, const model_function *f);

/* ---- parts.c --------------------------------------------------------------------------------- */

ah_expr model_part_kinetic(ah_ctx *ctx, const model_part *p);
ah_expr model_part_potential(ah_model *m, const model_part *p);
/* Appends the generalised forces f·∂v/∂q' + τ·∂ω/∂q' of the part's force and torque: rows of a
 * column. */
typedef LIST(mat_entry) model_entries;
void model_part_forces(ah_model *m, const model_part *p, model_entries *out);

/* ---- The steps of model_finish --------------------------------------------------------------- */

void model_sort_constraints(ah_model *m);                      /* order.c   */
void model_find_rank(ah_model *m, const probe_states *states); /* inertia.c */
void model_check_inertia(ah_model *m, const probe_states *states);
bool model_velocity_form_is_whole(ah_model *m); /* speeds.c  */
void model_check_speeds(ah_model *m, const probe_states *states);
void model_check_quasivelocities(ah_model *m, const probe_states *states);

#endif
