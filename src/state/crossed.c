/* state/crossed.c - see crossed.h. */
#include "crossed.h"

#include "independent.h"
#include "slips.h"

#include <math.h>

/* Larger systems keep their velocities: products of as many factors as rows are differentiated. */
#define LARGEST ATTITUDES_LARGEST

typedef struct crossing {
    point *p;
    algebra *alg;
    uint32_t n, r, live;
    mat C_v, rest;            /* of the constraints; rest: C at v = 0 */
    mat NT, d;                /* v = N s + d; NT: N transposed, a row for each of s */
    ah_expr symbol[LARGEST];  /* s … */
    ah_expr through[LARGEST]; /* … by v */
    uint32_t named;           /* variables */
    bool crossed;
    bool done[LARGEST]; /* rows */
} crossing;

static bool depends_on_state(ah_ctx *ctx, ah_expr e)
{
    return expr_depends_kind(ctx, e, AH_COORDINATE) || expr_depends_kind(ctx, e, AH_VELOCITY) ||
           expr_depends_kind(ctx, e, AH_TIME);
}

/* An entry that counts more than this is neither zero nor a number, and its normal form no shorter. */
#define SIMPLIFIED_BELOW 60

static ah_expr shorter_entry(ah_ctx *ctx, void *user, ah_expr e)
{
    const crossing *w = user;
    const size_t before = expr_operations(ctx, &e, 1);
    if (before > SIMPLIFIED_BELOW) return e;
    const ah_expr simple = algebra_simplify(w->alg, e);
    return expr_operations(ctx, &simple, 1) <= before ? simple : e;
}

static mat shorter(crossing *w, mat m)
{
    return mat_map(w->p->ctx, w->p->arena, m, shorter_entry, w);
}

/* On the norms of attitudes, where a row that speaks of bodies' axes is short however long it was written. */
static mat shorter_row(crossing *w, mat m)
{
    const ah_model *model = w->p->model;
    return model->attitudes.count ? attitudes_on_norm(model, w->alg, w->p->arena, m)
                                  : shorter(w, m);
}

/* A row of C in the present variables. */
typedef struct row {
    mat by; /* live × 1 */
    ah_expr rest;
} row;

static row row_of(crossing *w, uint32_t i)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const mat C = mat_rows(ctx, a, w->C_v, &i, 1);
    const mat rest = mat_add(ctx, a, mat_mul(ctx, a, C, w->d), mat_rows(ctx, a, w->rest, &i, 1));
    return (row){shorter_row(w, mat_mul(ctx, a, w->NT, mat_transpose(ctx, a, C))),
                 mat_get(ctx, shorter_row(w, rest), 0, 0)};
}

/* All rows but i and j. */
static mat rows_without(const crossing *w, mat m, uint32_t i, uint32_t j)
{
    uint32_t kept[LARGEST], count = 0;
    for (uint32_t k = 0; k < w->live; k++)
        if (k != i && k != j) kept[count++] = k;
    return mat_rows(w->p->ctx, w->p->arena, m, kept, count);
}

static void forget(crossing *w, uint32_t i)
{
    w->live--;
    for (uint32_t k = i; k < w->live; k++) {
        w->symbol[k] = w->symbol[k + 1];
        w->through[k] = w->through[k + 1];
    }
}

/* a s_i + b s_j = 0; u takes the place of the last. */
static void cross(crossing *w, uint32_t i, uint32_t j, ah_expr a, ah_expr b)
{
    ah_ctx *ctx = w->p->ctx;
    arena *arena_of = w->p->arena;
    const mat first = mat_rows(ctx, arena_of, w->NT, &i, 1);
    const mat second = mat_rows(ctx, arena_of, w->NT, &j, 1);
    const mat both = mat_sub(ctx, arena_of, mat_scale(ctx, arena_of, b, first),
                             mat_scale(ctx, arena_of, a, second));
    const ah_expr square =
        algebra_simplify(w->alg, expr_add(ctx, expr_powi(ctx, a, 2), expr_powi(ctx, b, 2)));
    const ah_expr u = expr_div(
        ctx, expr_sub(ctx, expr_mul(ctx, b, w->through[i]), expr_mul(ctx, a, w->through[j])),
        square);
    w->NT = mat_stack(ctx, arena_of, rows_without(w, w->NT, i, j), shorter(w, both));
    forget(w, j);
    forget(w, i);
    w->symbol[w->live] = attitudes_symbol(w->p, ++w->named);
    w->crossed = true;
    w->through[w->live++] = u;
}

/* s_i = −(the rest of the row)/number. */
static void solve_by_number(crossing *w, uint32_t i, ah_expr number, const row *x)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const ah_expr per = expr_neg(ctx, expr_powi(ctx, number, -1));
    const mat gone = mat_scale(ctx, a, per, mat_rows(ctx, a, w->NT, &i, 1));
    const mat others = mat_mul(ctx, a, rows_without(w, x->by, i, i), gone);
    const mat moved = mat_scale(ctx, a, x->rest, mat_transpose(ctx, a, gone));
    w->d = shorter(w, mat_add(ctx, a, w->d, moved));
    w->NT = shorter(w, mat_add(ctx, a, rows_without(w, w->NT, i, i), others));
    forget(w, i);
}

/* false: the row is neither a pair nor has it a number. One without entries holds by the variables: a norm. */
static bool take_row(crossing *w, uint32_t i, bool pairs)
{
    ah_ctx *ctx = w->p->ctx;
    const row x = row_of(w, i);
    uint32_t entry[LARGEST], count = 0;
    for (uint32_t k = 0; k < w->live; k++)
        if (!expr_is_zero(ctx, mat_get(ctx, x.by, k, 0))) entry[count++] = k;
    if (!count) return expr_is_zero(ctx, x.rest);
    if (pairs && count == 2 && expr_is_zero(ctx, x.rest)) {
        cross(w, entry[0], entry[1], mat_get(ctx, x.by, entry[0], 0),
              mat_get(ctx, x.by, entry[1], 0));
        return true;
    }
    for (uint32_t k = 0; k < count && !pairs; k++) {
        const ah_expr number = mat_get(ctx, x.by, entry[k], 0);
        const double value = depends_on_state(ctx, number) ? NAN : point_eval(w->p, number);
        if (!isfinite(value) || value == 0) continue;
        solve_by_number(w, entry[k], number, &x);
        return true;
    }
    return false;
}

/* Two rows of the same three entries: these are their vector product times u. */
static bool take_two_rows(crossing *w, uint32_t i, uint32_t j)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const row x[] = {row_of(w, i), row_of(w, j)};
    uint32_t entry[LARGEST], count = 0;
    for (uint32_t k = 0; k < w->live; k++)
        if (!expr_is_zero(ctx, mat_get(ctx, x[0].by, k, 0)) ||
            !expr_is_zero(ctx, mat_get(ctx, x[1].by, k, 0)))
            entry[count++] = k;
    if (count != 3 || !expr_is_zero(ctx, x[0].rest) || !expr_is_zero(ctx, x[1].rest)) return false;
    ah_vector side[2], back;
    for (int k = 0; k < 3; k++) {
        for (int l = 0; l < 2; l++) side[l].c[k] = mat_get(ctx, x[l].by, entry[k], 0);
        back.c[k] = w->through[entry[k]];
    }
    const ah_vector across = vector_cross(ctx, side[0], side[1]);
    const mat along = shorter(w, mat_from_dense(ctx, a, 1, 3, across.c));
    const mat old = mat_rows(ctx, a, w->NT, entry, 3);
    uint32_t kept[LARGEST], others = 0;
    for (uint32_t k = 0; k < w->live; k++)
        if (k != entry[0] && k != entry[1] && k != entry[2]) kept[others++] = k;
    w->NT = mat_stack(ctx, a, mat_rows(ctx, a, w->NT, kept, others),
                      shorter(w, mat_mul(ctx, a, along, old)));
    for (int k = 2; k >= 0; k--) forget(w, entry[k]);
    w->symbol[w->live] = attitudes_symbol(w->p, ++w->named);
    w->crossed = true;
    w->through[w->live++] =
        expr_div(ctx, vector_dot(ctx, across, back), vector_dot(ctx, across, across));
    w->done[i] = w->done[j] = true;
    return true;
}

/* The next row that can be solved; numbers first, which make no product. */
static bool take_some_row(crossing *w)
{
    for (int pairs = 0; pairs < 2; pairs++)
        for (uint32_t i = 0; i < w->r; i++)
            if (!w->done[i] && take_row(w, i, pairs)) return w->done[i] = true;
    for (uint32_t i = 0; i < w->r; i++)
        for (uint32_t j = i + 1; j < w->r; j++)
            if (!w->done[i] && !w->done[j] && take_two_rows(w, i, j)) return true;
    return false;
}

static bool is_done(const crossing *w)
{
    bool done = true;
    for (uint32_t i = 0; i < w->r; i++) done = done && w->done[i];
    return done;
}

static void add(crossing *w, ah_expr symbol, ah_expr through, mat column)
{
    w->symbol[w->live] = symbol;
    w->through[w->live] = through;
    w->NT = w->live++ ? mat_stack(w->p->ctx, w->p->arena, w->NT, column) : column;
}

/* s = v, but for Ω = W e' in place of the velocities of a unit quaternion: e' = ¼ WᵀΩ, for W Wᵀ = 4. */
static void begin(crossing *w)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const ah_model *m = w->p->model;
    const ah_expr quarter = expr_rational(ctx, 1, 4);
    const mat same = mat_identity(ctx, a, w->n);
    for (size_t i = 0; i < m->attitudes.count; i++) {
        const ah_vector omega = attitudes_omega(w->p, &m->attitudes.at[i]);
        for (int k = 0; k < 3; k++) {
            const mat one = mat_from_dense(ctx, a, 1, 1, &omega.c[k]);
            const mat W = mat_jacobian(ctx, a, one, w->n, m->v.at);
            add(w, attitudes_symbol(w->p, ++w->named), omega.c[k],
                shorter(w, mat_scale(ctx, a, quarter, W)));
        }
    }
    for (uint32_t i = 0; i < w->n; i++)
        if (!attitudes_have(m, m->q.at[i]))
            add(w, m->v.at[i], m->v.at[i], mat_rows(ctx, a, same, &i, 1));
}

static attitude_frame frame_of(crossing *w)
{
    ah_ctx *ctx = w->p->ctx;
    arena *a = w->p->arena;
    const ah_model *m = w->p->model;
    ah_expr *symbol = NEW_ARRAY(a, ah_expr, w->live), *psi = NEW_ARRAY(a, ah_expr, w->n);
    uint32_t *order = NEW_ARRAY(a, uint32_t, w->live);
    for (uint32_t i = 0; i < w->live; i++) order[i] = i, symbol[i] = w->symbol[i];
    const mat s = mat_from_dense(ctx, a, w->live, 1, symbol);
    const mat v = mat_add(ctx, a, mat_mul(ctx, a, mat_transpose(ctx, a, w->NT), s), w->d);
    for (uint32_t i = 0; i < w->n; i++) psi[i] = mat_get(ctx, v, i, 0);
    const mat f = mat_from_dense(ctx, a, w->live, 1, w->through);
    return (attitude_frame){.count = w->live,
                            .symbol = symbol,
                            .row = order,
                            .psi = psi,
                            .f = f,
                            .f_v = mat_jacobian(ctx, a, f, w->n, m->v.at),
                            .watched = w->crossed};
}

bool crossed_frame(point *p, attitude_frame *out)
{
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    const mechanics *k = p->mech;
    const ah_model *m = p->model;
    if (!k->r || k->n == k->r || k->n > LARGEST || k->rank != k->r || !k->linear) return false;
    if (k->second_class || k->tree || m->speeds.count || m->switches.count ||
        independent_jump(p, mat_to_dense(ctx, a, k->C), k->r))
        return false;
    ah_expr zero[LARGEST];
    crossing *w = NEW(a, crossing);
    *w = (crossing){.p = p, .alg = k->alg, .n = k->n, .r = k->r};
    for (uint32_t i = 0; i < k->n; i++) zero[i] = expr_int(ctx, 0);
    const mat C = slips_rows(p);
    w->C_v = shorter(w, mat_jacobian(ctx, a, C, k->n, m->v.at));
    w->rest = mat_subst(ctx, a, C, k->n, m->v.at, zero);
    w->d = mat_zero(ctx, a, k->n, 1);
    begin(w);
    while (!is_done(w))
        if (!take_some_row(w)) return false;
    *out = frame_of(w);
    return w->named > 0;
}
