/* sheet/recipe_derivatives.c - forward mode through the steps of a recipe.
 *
 * Beside every step s_k stands its ∂s_k/∂x_j = Σ ∂value/∂s_i · ∂s_i/∂x_j + ∂value/∂x_j. The unknowns of a linear system
 * are not differentiated through its elimination, which would be done anew for every x_j: with the factors that are there
 *
 *     M δx + Jᵀ δμ = δB − δM x − δJᵀ μ,      J δx = −(δγ + δJ x)
 */
#include "recipe.h"

#include <assert.h>
#include <stdlib.h>

typedef struct numbered {
    ah_expr symbol;
    size_t step;
} numbered;

typedef struct deriving {
    recipe *r;
    size_t steps;     /* those of before */
    ah_expr *symbol;  /* x_j, then those of the steps */
    ah_expr *seed;    /* their derivatives by x_j */
    numbered *number; /* the steps, sorted by their symbols */
    bool *needed;     /* by step */
    size_t *owner;    /* by step: number + 1 of the system of which it is an unknown */
    bool *wanted;     /* by system */
} deriving;

/* ---- What is needed -------------------------------------------------------------------------- */

static int by_symbol(const void *a, const void *b)
{
    const ah_expr x = ((const numbered *) a)->symbol, y = ((const numbered *) b)->symbol;
    return (x > y) - (x < y);
}

/* The step of a symbol; as many as there are: none. */
static size_t step_of(const deriving *w, ah_expr symbol)
{
    const numbered key = {.symbol = symbol};
    const numbered *at = bsearch(&key, w->number, w->steps, sizeof key, by_symbol);
    return at ? at->step : w->steps;
}

static void need(deriving *w, size_t count, const ah_expr *e)
{
    ah_ctx *ctx = w->r->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list symbols = expr_symbols(ctx, &ctx->scratch, e, count);
    for (size_t i = 0; i < symbols.count; i++) {
        const size_t k = step_of(w, symbols.at[i]);
        if (k < w->steps) w->needed[k] = true;
    }
    arena_release(&ctx->scratch, mark);
}

static void need_entries(deriving *w, mat m)
{
    if (m.rows) need(w, m.start[m.rows], m.val);
}

/* Unknowns that are numbers, or steps of before, are none of these. */
static void own_unknowns(deriving *w, size_t system, mat x)
{
    for (uint32_t i = 0; x.rows && i < x.start[x.rows]; i++) {
        const size_t k = step_of(w, x.val[i]);
        if (k < w->steps && k >= w->r->systems.at[system].ready) w->owner[k] = system + 1;
    }
}

static void need_system(deriving *w, size_t system)
{
    const recipe_system *s = &w->r->systems.at[system];
    if (w->wanted[system]) return;
    w->wanted[system] = true;
    need_entries(w, s->M);
    need_entries(w, s->J);
    need_entries(w, s->B);
    need_entries(w, s->gamma);
}

/* Backwards: a step that is needed needs what its value is made of, an unknown the whole system. */
static void find_needed(deriving *w, mat out)
{
    const recipe *r = w->r;
    for (size_t i = 0; i < r->systems.count; i++) {
        own_unknowns(w, i, r->systems.at[i].x);
        own_unknowns(w, i, r->systems.at[i].mu);
    }
    need_entries(w, out);
    for (size_t k = w->steps; k-- > 0;) {
        if (!w->needed[k]) continue;
        if (w->owner[k])
            need_system(w, w->owner[k] - 1);
        else
            need(w, 1, &r->steps.at[k].value);
    }
}

/* ---- By one variable ------------------------------------------------------------------------- */

/* δm, by the steps before `ready`. */
static mat change_of(deriving *w, mat m, size_t ready)
{
    ah_ctx *ctx = w->r->ctx;
    ah_expr *dense = mat_to_dense(ctx, w->r->arena, m);
    const size_t size = (size_t) m.rows * m.cols;
    expr_forward_all(ctx, dense, size, ready + 1, w->symbol, w->seed, dense);
    return mat_from_dense(ctx, w->r->arena, m.rows, m.cols, dense);
}

static void take_unknowns(deriving *w, const recipe_system *s, mat x, mat change)
{
    for (uint32_t i = 0; i < x.rows; i++)
        for (uint32_t p = x.start[i]; p < x.start[i + 1]; p++) {
            const size_t k = step_of(w, x.val[p]);
            if (k >= w->steps || k < s->ready) continue;
            w->seed[k + 1] = recipe_name(w->r, mat_get(w->r->ctx, change, i, x.col[p]));
        }
}

static void derive_system(deriving *w, const recipe_system *s)
{
    ah_ctx *ctx = w->r->ctx;
    arena *a = w->r->arena;
    recipe_system d = *s;
    d.B = mat_sub(ctx, a, change_of(w, s->B, s->ready),
                  mat_mul(ctx, a, change_of(w, s->M, s->ready), s->x));
    if (s->J.rows) {
        const mat J = change_of(w, s->J, s->ready);
        d.B = mat_sub(ctx, a, d.B, mat_mul(ctx, a, mat_transpose(ctx, a, J), s->mu));
        d.gamma = mat_add(ctx, a, change_of(w, s->gamma, s->ready), mat_mul(ctx, a, J, s->x));
    }
    const bool good = recipe_solve_again(w->r, &d);
    assert(good); /* the elimination looks at M and J alone */
    (void) good;
    take_unknowns(w, s, s->x, d.x);
    if (s->J.rows) take_unknowns(w, s, s->mu, d.mu);
}

static void derive_steps(deriving *w, size_t systems)
{
    recipe *r = w->r;
    size_t system = 0;
    for (size_t k = 0; k < w->steps; k++) {
        for (; system < systems && r->systems.at[system].ready <= k; system++)
            if (w->wanted[system]) derive_system(w, &r->systems.at[system]);
        if (!w->needed[k] || w->owner[k]) continue;
        const ah_expr value = r->steps.at[k].value;
        w->seed[k + 1] = recipe_name(r, expr_forward(r->ctx, value, k + 1, w->symbol, w->seed));
    }
}

mat recipe_jacobian(recipe *r, mat out, size_t count, const ah_expr *x)
{
    ah_ctx *ctx = r->ctx;
    arena *a = r->arena;
    const size_t steps = r->steps.count, systems = r->systems.count;
    deriving w = {r,
                  steps,
                  .symbol = NEW_ARRAY(a, ah_expr, steps + 1),
                  .seed = NEW_ARRAY(a, ah_expr, steps + 1),
                  .number = NEW_ARRAY(a, numbered, steps + 1),
                  .needed = NEW_ARRAY(a, bool, steps + 1),
                  .owner = NEW_ARRAY(a, size_t, steps + 1),
                  .wanted = NEW_ARRAY(a, bool, systems + 1)};
    ah_expr *dense = NEW_ARRAY(a, ah_expr, (size_t) out.rows * count + 1);
    for (size_t k = 0; k < steps; k++) {
        w.symbol[k + 1] = r->steps.at[k].symbol;
        w.seed[k + 1] = expr_int(ctx, 0);
        w.number[k] = (numbered){r->steps.at[k].symbol, k};
    }
    qsort(w.number, steps, sizeof *w.number, by_symbol);
    find_needed(&w, out);
    for (size_t j = 0; j < count; j++) {
        w.symbol[0] = x[j];
        w.seed[0] = expr_int(ctx, 1);
        derive_steps(&w, systems);
        for (uint32_t i = 0; i < out.rows; i++)
            dense[(size_t) i * count + j] =
                expr_forward(ctx, mat_get(ctx, out, i, 0), steps + 1, w.symbol, w.seed);
    }
    return mat_from_dense(ctx, a, out.rows, (uint32_t) count, dense);
}
