/* flow/linear_symbols.c - see linear_symbols.h.
 *
 * The motion is q' = ψ, R = Gz s' + E = 0 (reduced.h), so that along y and u
 *
 *     δq' = ψ_y δy + ψ_u δu,      δs' = −Gz⁻¹ (R_y δy + R_u δu),     s' fixed in R_y and R_u,
 *
 * dependent coordinates following by the holonomic constraints. In a steady motion s' = 0. */
#include "linear_symbols.h"

#include "reduced.h"

#include <math.h>

typedef struct making_symbols {
    const linear_model *l;
    reduced w;
    bool anywhere;
    linear_symbols *out;
    ah_expr *y, *u; /* the variables and inputs */
    mat rates;      /* ψ of the coordinates among y */
    mat R;          /* with the symbols … */
    ah_expr *s_dot; /* … in the place of s' */
} making_symbols;

/* ---- The state ------------------------------------------------------------------------------- */

static bool is_state(const making_symbols *k, ah_expr symbol)
{
    for (uint32_t i = 0; i < k->l->states; i++)
        if (k->y[i] == symbol) return true;
    return false;
}

/* Times of inputs are now. A steady motion has zeros and angles that are known. */
static void put_state(making_symbols *k)
{
    reduced *w = &k->w;
    const minimal *m = w->m;
    const ah_model *fed = m->flow->model;
    for (size_t i = 0; i < fed->parameters.count; i++) {
        const model_parameter *p = &fed->parameters.at[i];
        if (p->input && p->order == MODEL_CLOCK)
            reduced_put(w, p->symbol, expr_time(w->ctx));
        else if (p->input && !k->anywhere && frame_get(w->values, p->symbol) == 0)
            reduced_put(w, p->symbol, expr_int(w->ctx, 0));
    }
    for (uint32_t y = 0; y < m->count && !k->anywhere; y++) {
        const ah_expr value =
            characteristic_exact(w->ctx, y < m->coordinates, minimal_value(m, y, w->values));
        if (value != AH_NONE) reduced_put(w, m->symbol[y], value);
    }
}

/* What of it concerns the reader: not the clocks, not coordinates that are left out. */
static void tell_state(making_symbols *k)
{
    const reduced *w = &k->w;
    const minimal *m = w->m;
    ah_expr *symbol = NEW_ARRAY(w->arena, ah_expr, w->pairs + 1);
    ah_expr *value = NEW_ARRAY(w->arena, ah_expr, w->pairs + 1);
    for (size_t i = 0; i < w->pairs; i++) {
        bool told = w->to[i] != expr_time(w->ctx);
        for (uint32_t y = 0; y < m->count; y++)
            if (m->symbol[y] == w->from[i]) told = is_state(k, w->from[i]);
        if (!told) continue;
        symbol[k->out->fixed] = w->from[i];
        value[k->out->fixed++] = w->to[i];
    }
    k->out->symbol = symbol;
    k->out->value = value;
}

/* ---- The equations --------------------------------------------------------------------------- */

static void make_residual(making_symbols *k)
{
    reduced *w = &k->w;
    const minimal *m = w->m;
    k->s_dot = NEW_ARRAY(w->arena, ah_expr, m->speeds + 1);
    for (uint32_t i = 0; i < m->speeds; i++)
        k->s_dot[i] = expr_symbol(w->ctx, AH_LOCAL, arena_printf(w->arena, "rate of %u", i));
    const mat s_dot = mat_from_dense(w->ctx, w->arena, m->speeds, 1, k->s_dot);
    k->R = mat_add(w->ctx, w->arena, mat_mul(w->ctx, w->arena, w->Gz, s_dot), w->E);
    uint32_t *places = NEW_ARRAY(w->arena, uint32_t, k->l->states + 1), count = 0;
    for (uint32_t i = 0; i < k->l->states; i++)
        if (k->l->y[i] < m->coordinates) places[count++] = m->place[k->l->y[i]];
    k->rates = mat_rows(w->ctx, w->arena, w->psi, places, count);
}

/* s' = −Gz⁻¹ E, or zero. */
static bool find_rates(making_symbols *k)
{
    reduced *w = &k->w;
    const uint32_t p = w->m->speeds;
    ah_expr *zero = NEW_ARRAY(w->arena, ah_expr, p + 1);
    for (uint32_t i = 0; i < p; i++) zero[i] = expr_int(w->ctx, 0);
    mat s_dot = mat_from_dense(w->ctx, w->arena, p, 1, zero);
    bool singular;
    if (k->anywhere && p &&
        !algebra_solve(w->alg, reduced_at(w, w->Gz), mat_neg(w->ctx, w->arena, reduced_at(w, w->E)),
                       &s_dot, &singular))
        return false;
    k->out->rate = mat_stack(w->ctx, w->arena, reduced_at(w, k->rates), s_dot);
    return true;
}

/* Derivatives of y' by the symbols. */
static bool slopes_of_rates(making_symbols *k, uint32_t count, const ah_expr *by, mat *out)
{
    reduced *w = &k->w;
    const uint32_t p = w->m->speeds, above = k->rates.rows;
    mat top, R_y, bottom;
    bool singular;
    ah_expr *s_dot = NEW_ARRAY(w->arena, ah_expr, p + 1);
    for (uint32_t i = 0; i < p; i++) s_dot[i] = mat_get(w->ctx, k->out->rate, above + i, 0);
    if (!reduced_slopes_by(w, k->rates, count, by, &top) ||
        !reduced_slopes_by(w, k->R, count, by, &R_y))
        return false;
    R_y = algebra_simplify_mat(w->alg, mat_subst(w->ctx, w->arena, R_y, p, k->s_dot, s_dot));
    if (!algebra_solve(w->alg, reduced_at(w, w->Gz), mat_neg(w->ctx, w->arena, R_y), &bottom,
                       &singular))
        return false;
    *out = algebra_simplify_mat(w->alg, mat_stack(w->ctx, w->arena, top, bottom));
    return true;
}

static bool find_matrices(making_symbols *k)
{
    reduced *w = &k->w;
    const linear_model *l = k->l;
    ah_expr *o = NEW_ARRAY(w->arena, ah_expr, l->outputs + 1);
    for (uint32_t i = 0; i < l->outputs; i++) o[i] = reduced_through(w, l->output[i].e);
    const mat outputs = mat_from_dense(w->ctx, w->arena, l->outputs, 1, o);
    return slopes_of_rates(k, l->states, k->y, &k->out->A) &&
           slopes_of_rates(k, l->inputs, k->u, &k->out->B) &&
           reduced_slopes_by(w, outputs, l->states, k->y, &k->out->C) &&
           reduced_slopes_by(w, outputs, l->inputs, k->u, &k->out->D);
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Symbols and numbers are two routes to one matrix. */
static bool agrees(making_symbols *k, mat m, const double *number)
{
    reduced *w = &k->w;
    const arena_mark mark = arena_get_mark(&w->ctx->scratch);
    double largest = 0, worst = 0;
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t j = 0; j < m.cols; j++) {
            const double x = number[(size_t) i * m.cols + j];
            const double d = fabs(reduced_value(w, mat_get(w->ctx, m, i, j)) - x);
            largest = fmax(largest, fabs(x));
            worst = d >= worst ? d : isnan(d) ? INFINITY : worst;
        }
    arena_release(&w->ctx->scratch, mark);
    return worst <= LINEAR_SYMBOLS_AGREE * fmax(largest, 1);
}

static bool is_small(making_symbols *k)
{
    const mat all[] = {k->out->A, k->out->B, k->out->C, k->out->D};
    size_t operations = 0;
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        operations += expr_operations(k->w.ctx, all[i].val, mat_entries(all[i]));
    return operations <= LINEAR_SYMBOLS_OPERATIONS;
}

static void name_columns(making_symbols *k)
{
    const linear_model *l = k->l;
    const minimal *m = k->w.m;
    k->y = NEW_ARRAY(k->w.arena, ah_expr, l->states + 1);
    k->u = NEW_ARRAY(k->w.arena, ah_expr, l->inputs + 1);
    for (uint32_t i = 0; i < l->states; i++) k->y[i] = m->symbol[l->y[i]];
    for (uint32_t i = 0; i < l->inputs; i++) k->u[i] = l->input_symbol[i];
}

const linear_symbols *linear_symbols_create(const linear_model *l, minimal *m, arena *a,
                                            bool anywhere)
{
    making_symbols k = {.l = l, .anywhere = anywhere, .out = NEW(a, linear_symbols)};
    frame *values = frame_copy(a, l->motion.values);
    if (l->states > LINEAR_SYMBOLS_LARGEST) return NULL;
    for (uint32_t y = 0; y < m->count; y++)
        frame_set(values, m->symbol[y], minimal_value(m, y, values));
    if (!reduced_create(m, a, values, &k.w)) return NULL;
    name_columns(&k);
    make_residual(&k);
    put_state(&k);
    const mat rest = mat_stack(k.w.ctx, a, reduced_rates(&k.w), k.w.E);
    k.out->solved = anywhere || (reduced_solve(&k.w, k.w.f) && reduced_solve(&k.w, rest));
    if (!find_rates(&k) || !find_matrices(&k) || !is_small(&k)) return NULL;
    if (!agrees(&k, k.out->A, l->A) || !agrees(&k, k.out->B, l->B) || !agrees(&k, k.out->C, l->C) ||
        !agrees(&k, k.out->D, l->D) || !agrees(&k, k.out->rate, l->rate))
        return NULL;
    tell_state(&k);
    return k.out;
}
