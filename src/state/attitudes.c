/* state/attitudes.c - see attitudes.h. */
#include "attitudes.h"

#include "slips.h"
#include "states.h"

#include <math.h>

/* Admissible states at which the determinant is looked at, and how far it may differ, relative. */
#define STATES 6
#define SAME   1e-6

bool attitudes_have(const ah_model *m, ah_expr q)
{
    for (size_t a = 0; a < m->attitudes.count; a++)
        for (int k = 0; k < 4; k++)
            if (m->attitudes.at[a].e[k] == q) return true;
    return false;
}

ah_expr attitudes_symbol(const point *p, uint32_t index)
{
    char *name = arena_printf(p->arena, "Omega%u", index);
    while (model_find(p->model, name)) name = arena_printf(p->arena, "%s_", name);
    return expr_symbol(p->ctx, AH_SPEED, name);
}

static bool is_ball(ah_ctx *ctx, const model_part *b)
{
    bool same = b->inertia[0] == b->inertia[1] && b->inertia[1] == b->inertia[2];
    for (int i = 3; i < 6; i++) same = same && expr_is_zero(ctx, b->inertia[i]);
    return same;
}

ah_vector attitudes_axes(ah_ctx *ctx, const model_part *b)
{
    return is_ball(ctx, b) ? b->omega : b->omega_body;
}

ah_vector attitudes_omega(const point *p, const model_attitude *a)
{
    const ah_model *m = p->model;
    for (size_t i = 0; i < m->parts.count; i++) {
        const model_part *b = &m->parts.at[i];
        if (b->is_body && b->omega_body.c[0] == a->omega.c[0]) return attitudes_axes(p->ctx, b);
    }
    return a->omega;
}

void attitudes_add(attitude_draft *d, ah_expr symbol, ah_expr f)
{
    d->symbol[d->free++] = symbol;
    d->f[d->rows++] = f;
}

/* false: the model's constraints and attitudes make none. */
static bool draft(point *p, attitude_draft *d)
{
    const ah_model *m = p->model;
    const mechanics *k = p->mech;
    const size_t turns = m->attitudes.count;
    const bool others = k->r == turns;
    if (!turns || k->n > ATTITUDES_LARGEST || k->rank != k->r || !k->linear || k->second_class)
        return false;
    if (m->speeds.count || m->quasivelocities.count || m->switches.count) return false;
    if (!others && k->n - k->r != 3 * turns) return false;
    for (size_t a = 0; a < turns; a++) {
        const ah_vector omega = attitudes_omega(p, &m->attitudes.at[a]);
        for (int i = 0; i < 3; i++) attitudes_add(d, attitudes_symbol(p, d->free + 1), omega.c[i]);
    }
    for (uint32_t i = 0; i < k->n && others; i++)
        if (!attitudes_have(m, m->q.at[i])) attitudes_add(d, m->v.at[i], m->v.at[i]);
    const mat C = slips_rows(p);
    for (uint32_t i = 0; i < k->r && d->rows < k->n; i++)
        d->f[d->rows++] = mat_get(p->ctx, C, i, 0);
    return d->rows == k->n && d->free == k->n - k->r;
}

static void clear(void *own)
{
    arena_clear(own);
}

/* det at states that the constraints admit: is it one number, and not zero? */
static bool is_constant(point *p, ah_expr det)
{
    arena own;
    ctx_held held;
    states_rng rng = probe_seed(1);
    double least = INFINITY, most = -INFINITY;
    arena_init(&own, p->ctx);
    ctx_hold(p->ctx, &held, clear, &own);
    states *random = analyse_states_create(p->model, &own);
    bool good = true;
    for (int i = 0; good && i < STATES; i++) {
        point at;
        good = point_at_random(p->model, random, &rng, &own, &at);
        if (!good) break;
        for (size_t k = 0; k < p->model->parameters.count; k++)
            point_set(&at, p->model->parameters.at[k].symbol,
                      point_get(p, p->model->parameters.at[k].symbol));
        const double value = point_eval(&at, det);
        least = fmin(least, value);
        most = fmax(most, value);
        good = isfinite(value);
    }
    ctx_drop(p->ctx, &held);
    return good && fabs(most - least) <= SAME * fmin(fabs(most), fabs(least)) && most != 0;
}

/* v of (f; C) = (s; 0), row by row, as it is solved; NULL: no short formula. */
static const ah_expr *solve(point *p, algebra *alg, const attitude_draft *d, mat f, mat f_v)
{
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    const uint32_t n = p->mech->n;
    ah_expr right[ATTITUDES_LARGEST], zero[ATTITUDES_LARGEST];
    for (uint32_t i = 0; i < n; i++) {
        zero[i] = expr_int(ctx, 0);
        right[i] = i < d->free ? d->symbol[i] : zero[i];
    }
    const mat at_rest = mat_subst(ctx, a, f, n, p->model->v.at, zero);
    const mat b = mat_sub(ctx, a, mat_from_dense(ctx, a, n, 1, right), at_rest);
    mat v;
    bool singular;
    if (!algebra_solve(alg, f_v, b, &v, &singular)) return NULL;
    return mat_to_dense(ctx, a, v);
}

static mat shorter_entries(ah_ctx *ctx, arena *a, mat first, mat second)
{
    const uint32_t count = first.rows * first.cols;
    const ah_expr *x = mat_to_dense(ctx, a, first), *y = mat_to_dense(ctx, a, second);
    ah_expr *out = NEW_ARRAY(a, ah_expr, count);
    for (uint32_t i = 0; i < count; i++)
        out[i] = expr_operations(ctx, &x[i], 1) < expr_operations(ctx, &y[i], 1) ? x[i] : y[i];
    return mat_from_dense(ctx, a, first.rows, first.cols, out);
}

/* e₀² = 1 − …, of powers that stand alone. */
static mat without_first(const ah_model *m, algebra *alg, arena *a, mat x)
{
    enum { POWERS = 8 };
    ah_ctx *ctx = m->ctx;
    ah_expr from[POWERS], to[POWERS];
    for (size_t i = 0; i < m->attitudes.count; i++) {
        const ah_expr *e = m->attitudes.at[i].e;
        ah_expr square = expr_int(ctx, 1);
        for (int k = 1; k < 4; k++) square = expr_sub(ctx, square, expr_powi(ctx, e[k], 2));
        for (int k = 0; k < POWERS; k++) {
            const ah_expr even = expr_powi(ctx, square, (k + 2) / 2);
            from[k] = expr_powi(ctx, e[0], k + 2);
            to[k] = k % 2 ? expr_mul(ctx, e[0], even) : even;
        }
        x = algebra_simplify_mat(alg, mat_subst(ctx, a, x, POWERS, from, to));
    }
    return x;
}

/* The norms themselves, as they stand in factors of what is of one degree in e: |e|² = 1, |e|² + 1 = 2, |e|² − 1 = 0. */
static mat without_norms(const ah_model *m, arena *a, mat x)
{
    ah_ctx *ctx = m->ctx;
    for (size_t i = 0; i < m->attitudes.count; i++) {
        ah_expr from[3], to[3];
        for (int k = 0; k < 3; k++) {
            from[k] = expr_int(ctx, k - 1);
            for (int j = 0; j < 4; j++)
                from[k] = expr_add(ctx, from[k], expr_powi(ctx, m->attitudes.at[i].e[j], 2));
            to[k] = expr_int(ctx, k);
        }
        x = mat_subst(ctx, a, x, 3, from, to);
    }
    return x;
}

mat attitudes_on_norm(const ah_model *m, algebra *alg, arena *a, mat x)
{
    const mat simple = algebra_simplify_mat(alg, x);
    const mat first = without_first(m, alg, a, simple), norms = without_norms(m, a, simple);
    const bool fewer = expr_operations(m->ctx, norms.val, mat_entries(norms)) <
                       expr_operations(m->ctx, first.val, mat_entries(first));
    return shorter_entries(m->ctx, a, fewer ? norms : first, x); /* one of them: roots are alike */
}

attitude_frame attitudes_of(point *p, const attitude_draft *d, mat f, mat f_v, const ah_expr *psi)
{
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    uint32_t *row = NEW_ARRAY(a, uint32_t, d->free + 1);
    ah_expr *symbol = NEW_ARRAY(a, ah_expr, d->free + 1);
    for (uint32_t i = 0; i < d->free; i++) {
        row[i] = i;
        symbol[i] = d->symbol[i];
    }
    return (attitude_frame){.count = d->free,
                            .symbol = symbol,
                            .row = row,
                            .psi = psi,
                            .f = mat_rows(ctx, a, f, row, d->free),
                            .f_v = mat_rows(ctx, a, f_v, row, d->free)};
}

bool attitudes_frame(point *p, attitude_frame *out)
{
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    attitude_draft d = {0};
    ah_expr det;
    if (!draft(p, &d)) return false;
    const mat f = mat_from_dense(ctx, a, d.rows, 1, d.f);
    const mat f_v = mat_jacobian(ctx, a, f, d.rows, p->model->v.at);
    if (!algebra_det(p->mech->alg, f_v, &det) || !is_constant(p, det)) return false;
    const ah_expr *solved = solve(p, p->mech->alg, &d, f, f_v);
    if (!solved) return false;
    const mat v = mat_from_dense(ctx, a, p->mech->n, 1, solved);
    const mat psi = attitudes_on_norm(p->model, p->mech->alg, a, v);
    *out = attitudes_of(p, &d, f, f_v, mat_to_dense(ctx, a, psi));
    out->solved = solved;
    return true;
}

quantity attitudes_rate(const ah_equations *eq, point *p, const attitude_frame *own)
{
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    sheet *s = eq->sheet;
    const mat v = mat_from_dense(ctx, a, p->mech->n, 1, p->model->v.at);
    const mat f_q = mat_jacobian(ctx, a, own->f, p->mech->n, p->model->q.at);
    const mat drift =
        mat_add(ctx, a, mat_mul(ctx, a, f_q, v), mat_derivative(ctx, a, own->f, p->mech->t));
    return sheet_add(s, sheet_mul(s, sheet_leaf(s, own->f_v), eq->qddot), sheet_leaf(s, drift));
}
