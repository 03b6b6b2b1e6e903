/* worksheet/on_constraints.c - right sides shortened by constraints that are not linear in the velocities.
 *
 * What holds on the constraints alone is another function of the velocities: so it is done where it saves much, and
 * said. Not for linear constraints, which are put in by choosing velocities, nor where the set falls apart. */
#include "worksheet.h"

#include "../real/real.h"

/* Of its length an entry must lose this share. */
#define SHORTER 0.35

static const char note[] = "shortened by the constraints";

/* The constraints, one of them not linear; 0: they are not used. */
static size_t relations_of(worksheet *w, ah_expr *out)
{
    const ah_model *m = w->model;
    bool curved = false;
    size_t count = 0;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order == MODEL_ACCELERATION) return 0;
        curved = curved || (c->order == MODEL_VELOCITY && !c->linear);
        out[count++] = c->c;
        if (c->order == MODEL_HOLONOMIC) out[count++] = expr_dt(w->ctx, c->c);
    }
    if (!curved) return 0;
    const components *all = components_find(w->model);
    return all->complete && all->count == 1 ? count : 0;
}

static bool shorten(worksheet *w, mat *m)
{
    ah_expr *dense = mat_to_dense(w->ctx, w->arena, *m);
    double before = 0, after = 0;
    for (uint32_t i = 0; i < m->rows; i++) {
        const ah_expr e = algebra_simplify(w->model->alg, dense[i]);
        const double long_one = worksheet_length(w->ctx, dense[i]);
        const double short_one = worksheet_length(w->ctx, e);
        before += long_one;
        if (short_one < long_one * (1 - SHORTER)) dense[i] = e;
        after += short_one < long_one * (1 - SHORTER) ? short_one : long_one;
    }
    if (!(after < before)) return false;
    *m = mat_from_dense(w->ctx, w->arena, m->rows, 1, dense);
    return true;
}

/* Accelerations, z' or ω': what is defined stays as it is defined. */
static bool are_rates(const worksheet *w, mat unknowns)
{
    for (uint32_t i = 0; i < mat_entries(unknowns); i++) {
        if (expr_get_op(w->ctx, unknowns.val[i]) != EXPR_SYMBOL) return false;
        const ah_symbol_kind kind = expr_get_kind(w->ctx, unknowns.val[i]);
        if (kind != AH_ACCELERATION && kind != AH_SPEED_DOT) return false;
    }
    return true;
}

void worksheet_use_constraints(worksheet *w)
{
    ah_expr *relation = NEW_ARRAY(w->arena, ah_expr, 2 * w->model->constraints.count + 1);
    const size_t count = relations_of(w, relation);
    if (!count || !algebra_set_relations(w->model->alg, relation, count)) return;
    for (size_t i = 0; i < w->step.count; i++) {
        ws_step *step = &w->step.at[i];
        ws_value *v = &step->q.value;
        if (step->kind != STEP_EQUATIONS || !step->solved || v->exact.cols != 1) continue;
        if (!are_rates(w, step->unknowns)) continue;
        mat m = v->exact;
        if (!shorten(w, &m)) continue;
        *v = worksheet_value(m);
        step->text = step->text ? arena_printf(w->arena, "%s; %s", step->text, note) : note;
    }
    algebra_set_relations(w->model->alg, NULL, 0);
}
