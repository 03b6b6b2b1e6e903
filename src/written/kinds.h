/* written/kinds.h - names, kinds of symbols and parts: for those who make and check a model. */
#ifndef WRITTEN_KINDS_H
#define WRITTEN_KINDS_H
#include "written.h"

/* ---- model_names.c --------------------------------------------------------------------------- */

/* In a slot below table->capacity; NULL: nothing. */
const model_name *model_table_at(const model_table *table, size_t slot);
const model_name *model_table_find(const model_table *table, const char *name);
/* The name is not in the table yet; the hash is worked out. */
void model_enter(ah_model *m, model_table *table, model_name entry);
/* Enters a name; reports A0401 or A0403 and answers false when it is taken or cannot be a name. */
bool model_declare(ah_model *m, model_table *table, const char *name, model_what what, size_t index,
                   ah_span span);

/* ---- kinds.c --------------------------------------------------------------------------------- */

/* Does `e` hold only symbols of these kinds (1u << AH_PARAMETER | …), all of them the model's own? Reports A0402 or A0403:
 * "`x'` cannot stand in the potential". */
bool model_only(ah_model *m, ah_expr e, unsigned kinds, const char *where, ah_span span);
bool model_only_vector(ah_model *m, ah_vector v, unsigned kinds, const char *where, ah_span span);
/* The symbols of one kind in e, ascending, in the scratch arena. */
expr_list model_symbols_of(ah_model *m, ah_expr e, ah_symbol_kind kind);
/* The coordinate to which a symbol x, x' or x'' belongs. */
uint32_t model_column(const ah_model *m, ah_expr symbol);

/* ---- parts.c --------------------------------------------------------------------------------- */

ah_expr model_part_kinetic(ah_ctx *ctx, const model_part *p);
ah_expr model_part_potential(ah_model *m, const model_part *p);
/* Appends the generalised forces f·∂v/∂q' + τ·∂ω/∂q' of the part's force and torque: rows of a
 * column. */
typedef LIST(mat_entry) model_entries;
void model_part_forces(ah_model *m, const model_part *p, model_entries *out);

#endif
