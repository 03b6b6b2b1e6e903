/* derive/geometry.c - forces on parts and forces on coordinates. */
#include "geometry.h"

ah_vector derive_applied_force(mechanics *k, const model_part *part)
{
    ah_vector f = part->force;
    for (size_t i = 0; i < k->model->gravity.count; i++)
        f = vector_add(k->ctx, f, vector_scale(k->ctx, part->mass, k->model->gravity.at[i]));
    return f;
}

bool derive_is_place(mechanics *k, const model_part *part)
{
    const ah_vector f = derive_applied_force(k, part);
    bool empty = expr_is_zero(k->ctx, part->mass);
    for (int i = 0; i < 6 && part->is_body; i++) empty &= expr_is_zero(k->ctx, part->inertia[i]);
    for (int i = 0; i < 3; i++)
        empty &= expr_is_zero(k->ctx, f.c[i]) &&
                 (!part->is_body || expr_is_zero(k->ctx, part->torque.c[i]));
    return empty;
}

mat derive_written_forces(mechanics *k)
{
    const ah_model *m = k->model;
    const ah_expr V = expr_sum(k->ctx, m->potential_terms.count, m->potential_terms.at);
    return mat_sub(k->ctx, k->arena, mat_from_dense(k->ctx, k->arena, k->n, 1, m->F_written),
                   mat_gradient(k->ctx, k->arena, V, k->n, m->q.at));
}
