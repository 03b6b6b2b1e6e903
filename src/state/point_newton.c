/* state/point_newton.c - see point_newton.h. */
#include "point_newton.h"

#include <math.h>
#include <string.h>

/* The ordinary size of the i-th unknown. */
static double unit_of(const newton *w, uint32_t i)
{
    return w->unit ? w->unit[i] : 1;
}

/* The largest unknown, each in its own size. */
static double largest_of(const newton *w)
{
    double size = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        const double x = point_get(w->p, w->x[i]);
        if (isfinite(x)) size = fmax(size, fabs(x) / unit_of(w, i));
    }
    return size;
}

/* The largest entry of each row of the Jacobian ∂g/∂x at the point, for x in its sizes. Terms that are smaller than
 * POINT_NOISE times it (and x) are rounding errors of other terms, say of velocities that have just
 * been solved for. */
static void measure_rows(newton *w)
{
    const mat J = w->Jm;
    expr_plan_run(w->J, w->p->values, w->Jv);
    memset(w->row, 0, w->rows * sizeof *w->row);
    for (uint32_t i = 0; i < w->rows && w->n; i++)
        for (uint32_t e = J.start[i]; e < J.start[i + 1]; e++)
            if (isfinite(w->Jv[e]))
                w->row[i] = fmax(w->row[i], fabs(w->Jv[e]) * unit_of(w, J.col[e]));
}

/* Unknowns and rows, those of the bodies included. */
static size_t newton_size(const newton *w)
{
    return (size_t) w->n + w->rows + 2 * (size_t) w->bodies;
}

newton newton_create(point *p, arena *a, uint32_t n, const ah_expr *x, const bool *fixed, mat g)
{
    ah_ctx *ctx = p->ctx;
    const model_tree *t = p->mech->tree;
    newton w = {.p = p, .arena = a, .n = n, .rows = g.rows, .x = x, .fixed = fixed, .tree = t};
    double *unit = NEW_ARRAY(a, double, n + 1);
    for (uint32_t i = 0; p->mech->size && i < n; i++) unit[i] = frame_get(p->mech->size, x[i]);
    if (p->mech->size) w.unit = unit;
    w.Mm = t ? t->M : mechanics_mass(p->mech);
    w.Jm = mat_jacobian(ctx, a, g, n, x);
    if (t) w.Km = t->J;
    w.bodies = t ? t->unknowns : 0;
    const uint32_t of_J = mat_entries(w.Jm), of_M = mat_entries(w.Mm);
    const uint32_t of_K = t ? mat_entries(w.Km) : 0;
    w.g = expr_plan_create(ctx, a, mat_to_dense(ctx, a, g), g.rows);
    w.J = expr_plan_create(ctx, a, w.Jm.val, of_J);
    w.row = NEW_ARRAY(a, double, g.rows + 1);
    w.gv = NEW_ARRAY(a, double, g.rows + 1);
    w.scale = NEW_ARRAY(a, double, g.rows + 1);
    w.Mv = NEW_ARRAY(a, double, (size_t) of_M + of_K + of_J + 1);
    w.Kv = w.Mv + of_M;
    w.Jv = w.Kv + of_K;
    w.extra = NEW_ARRAY(a, double, newton_size(&w) + 1);
    w.pull = NEW_ARRAY(a, double, w.bodies + 1);
    w.y = NEW_ARRAY(a, double, n);
    w.kept = NEW_ARRAY(a, double, n);
    w.h = NEW_ARRAY(a, double, g.rows + 1);
    w.large = t || sparse_pays(n + g.rows, of_M + 2 * (size_t) of_J);
    if (w.large) w.solution = NEW_ARRAY(a, double, 2 * newton_size(&w));
    measure_rows(&w);
    return w;
}

double newton_worst(newton *w, uint32_t *row)
{
    double worst = 0;
    bool measured = false;
    const double noise = POINT_NOISE * largest_of(w);
    expr_plan_run_scaled(w->g, w->p->values, w->gv, w->scale);
    for (uint32_t i = 0; i < w->rows; i++) {
        if (!measured && w->scale[i] < noise * w->row[i]) { /* a factor may have become small */
            measure_rows(w);
            measured = true;
        }
        const double scale = fmax(w->scale[i], noise * w->row[i]);
        const double r = fabs(w->gv[i]) / (scale > 0 ? scale : 1);
        if (r <= worst) continue;
        worst = isfinite(r) ? r : INFINITY;
        *row = i;
    }
    return worst;
}

double newton_residual(newton *w)
{
    uint32_t row;
    return newton_worst(w, &row);
}

bool newton_holds(newton *w, double share, double resting)
{
    if (newton_residual(w) <= share) return true;
    measure_rows(w); /* they may have grown */
    for (uint32_t i = 0; i < w->rows; i++)
        if (!(fabs(w->gv[i]) <= fmax(share * w->scale[i], resting * w->row[i]))) return false;
    return true;
}

/* Of a column of M: bodies are free. */
static bool is_fixed(const newton *w, uint32_t column)
{
    return w->fixed && column >= w->bodies && w->fixed[column - w->bodies];
}

/* M and the rows of the bodies; false: one of them does not exist. */
static bool newton_inertia(newton *w, double *M, double *K)
{
    arena *a = w->arena;
    bool finite = true;
    if (!w->M) w->M = expr_plan_create(w->p->ctx, a, w->Mm.val, mat_entries(w->Mm));
    if (!w->K && w->tree) w->K = expr_plan_create(w->p->ctx, a, w->Km.val, mat_entries(w->Km));
    expr_plan_run(w->M, w->p->values, M);
    for (uint32_t e = 0; e < mat_entries(w->Mm); e++) finite = finite && isfinite(M[e]);
    if (w->tree) expr_plan_run(w->K, w->p->values, K);
    for (uint32_t e = 0; w->tree && e < mat_entries(w->Km); e++) finite = finite && isfinite(K[e]);
    return finite;
}

static double *newton_spread(arena *a, mat m, const double *entry)
{
    double *dense = NEW_ARRAY(a, double, (size_t) m.rows *m.cols + 1);
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t e = m.start[i]; e < m.start[i + 1]; e++)
            dense[(size_t) i * m.cols + m.col[e]] = entry[e];
    return dense;
}

bool newton_has_metric(newton *w)
{
    if (w->tree) return true;
    for (uint32_t e = 0; e < mat_entries(w->Mm); e++)
        for (uint32_t k = 0; k < w->n; k++)
            if (expr_depends(w->p->ctx, w->Mm.val[e], w->x[k])) return false;
    const arena_mark mark = arena_get_mark(&w->p->ctx->scratch);
    bool good = newton_inertia(w, w->Mv, w->Kv);
    double *L = newton_spread(&w->p->ctx->scratch, w->Mm, w->Mv);
    const size_t n = w->n;
    for (size_t j = 0; j < n && good; j++) { /* Cholesky's factors, in the place of M */
        for (size_t i = j; i < n; i++)
            for (size_t k = 0; k < j; k++) L[i * n + j] -= L[i * n + k] * L[j * n + k];
        good = L[j * n + j] > 0;
        for (size_t i = j + 1; i < n; i++) L[i * n + j] /= sqrt(L[j * n + j]);
        L[j * n + j] = sqrt(L[j * n + j]);
    }
    arena_release(&w->p->ctx->scratch, mark);
    return good;
}

/* M and J at the point; for M the identity where it does not exist (velocities unknown yet, say), the bodies at rest.
 * What concerns fixed components is taken out. */
static void newton_matrices(newton *w)
{
    const bool finite = newton_inertia(w, w->Mv, w->Kv);
    expr_plan_run(w->J, w->p->values, w->Jv);
    memset(w->extra, 0, newton_size(w) * sizeof *w->extra);
    for (uint32_t i = 0; i < w->Mm.rows; i++) {
        w->extra[i] = !finite || is_fixed(w, i);
        for (uint32_t e = w->Mm.start[i]; e < w->Mm.start[i + 1]; e++)
            if (!finite || is_fixed(w, i) || is_fixed(w, w->Mm.col[e])) w->Mv[e] = 0;
    }
    for (uint32_t i = 0; i < w->bodies; i++)
        for (uint32_t e = w->Km.start[i]; e < w->Km.start[i + 1]; e++)
            if (!finite || is_fixed(w, w->Km.col[e])) w->Kv[e] = w->Km.col[e] == i;
    for (uint32_t e = 0; w->fixed && e < mat_entries(w->Jm); e++)
        if (w->fixed[w->Jm.col[e]]) w->Jv[e] = 0;
}

/* Of the size that the metric's i-th unknown has; a body's is one. */
static double square_of(const newton *w, uint32_t i)
{
    const double unit = i < w->bodies ? 1 : unit_of(w, i - w->bodies);
    return unit * unit;
}

/* A singular M is no metric: a trace of the identity makes it one. Dependent rows of J are told
 * apart in the dense arithmetic; in the sparse one −ε of theirs makes the system regular, and the
 * step shorter by ε only. */
static void newton_regularise(newton *w)
{
    double trace = 0, size = 0;
    const uint32_t n = w->Mm.rows, first = n + w->bodies;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t e = w->Mm.start[i]; e < w->Mm.start[i + 1]; e++)
            if (w->Mm.col[e] == i) trace += fabs(w->Mv[e]) * square_of(w, i);
    for (uint32_t e = 0; e < mat_entries(w->Jm); e++)
        size = fmax(size, fabs(w->Jv[e]) * unit_of(w, w->Jm.col[e]));
    for (uint32_t i = 0; i < n; i++)
        w->extra[i] += (trace > 0 ? 1e-12 * trace : 1) / square_of(w, i);
    for (uint32_t i = 0; i < w->rows; i++)
        w->extra[first + i] = 1e-10 * size * size * (trace > 0 ? n / trace : 1);
}

static bool newton_has_extra(const newton *w)
{
    for (size_t i = 0; i < newton_size(w); i++)
        if (w->extra[i] != 0) return true;
    return false;
}

static sparse *newton_system(const newton *w, bool extra)
{
    const point *p = w->p;
    if (!w->tree)
        return sparse_create_kkt(p->ctx, w->arena, mat_pattern(w->Mm), mat_pattern(w->Jm), extra);
    const mat all = model_tree_rows(p->model, w->arena, w->tree, w->Jm);
    return sparse_create_tree(p->ctx, w->arena, mat_pattern(w->Mm), mat_pattern(all), extra,
                              &w->tree->shape);
}

static bool newton_try_sparse(newton *w, const double *b, const double *h, double *y)
{
    const bool extra = newton_has_extra(w);
    double *x = w->solution, *right = x + newton_size(w), *of_q = right + w->bodies;
    if (!w->kkt[extra]) w->kkt[extra] = newton_system(w, extra);
    memset(right, 0, newton_size(w) * sizeof *right);
    for (uint32_t i = 0; i < w->n; i++) of_q[i] = b && !(w->fixed && w->fixed[i]) ? b[i] : 0;
    if (b) memcpy(of_q + w->n, w->pull, w->bodies * sizeof *right);
    memcpy(of_q + w->n + w->bodies, h, w->rows * sizeof *h);
    if (sparse_factor(w->kkt[extra], w->Mv, w->extra) <= LINEAR_RANK_TOLERANCE ||
        !sparse_solve(w->kkt[extra], right, x))
        return false;
    memcpy(y, x + w->bodies, w->n * sizeof *y);
    return true;
}

/* Least ½ yᵀMy − yᵀb with J y = h over the free components; y of the fixed ones is zero. */
static bool newton_try(newton *w, const double *b, const double *h, double *y)
{
    if (w->large) return newton_try_sparse(w, b, h, y);
    arena *a = &w->p->ctx->scratch;
    uint32_t *order = NEW_ARRAY(a, uint32_t, w->rows + 1);
    const double *J = newton_spread(a, w->Jm, w->Jv);
    uint32_t k =
        linear_row_rank(a, w->rows, w->n, linear_in_units(a, w->rows, w->n, J, w->unit), order);
    if (w->most && k > w->most) k = w->most; /* rows that vanish here leave rounding errors */
    const uint32_t N = w->n + k;
    double *A = NEW_ARRAY(a, double, (size_t) N *N), *rhs = NEW_ARRAY(a, double, N);
    double *x = NEW_ARRAY(a, double, N);
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t e = w->Mm.start[i]; e < w->Mm.start[i + 1]; e++)
            A[(size_t) i * N + w->Mm.col[e]] = w->Mv[e];
        A[(size_t) i * N + i] += w->extra[i];
        rhs[i] = (w->fixed && w->fixed[i]) || !b ? 0 : b[i];
    }
    for (uint32_t j = 0; j < k;
         j++) { /* a row's factor may be far from one: 1e-170 times a blade */
        const double *row = J + (size_t) order[j] * w->n, length = linear_norm(w->n, row);
        const double unit = length > 0 ? length : 1;
        for (uint32_t i = 0; i < w->n; i++)
            A[(size_t) i * N + w->n + j] = A[(size_t) (w->n + j) * N + i] = row[i] / unit;
        rhs[w->n + j] = h[order[j]] / unit;
    }
    if (linear_solve(a, N, 1, A, rhs, x) <= 0) return false;
    memcpy(y, x, w->n * sizeof *y);
    return true;
}

static bool newton_step(newton *w, const double *b, const double *h, double *y)
{
    if (newton_try(w, b, h, y)) return true;
    newton_regularise(w);
    return newton_try(w, b, h, y);
}

bool newton_project(newton *w)
{
    double best = newton_residual(w), *y = w->y, *kept = w->kept, *h = w->h;
    for (uint32_t i = 0; i < w->n; i++) kept[i] = point_get(w->p, w->x[i]);
    for (int iteration = 0; iteration < 60 && best > POINT_PROJECTED; iteration++) {
        const arena_mark mark = arena_get_mark(&w->p->ctx->scratch);
        newton_matrices(w);
        for (uint32_t i = 0; i < w->rows; i++) h[i] = -w->gv[i];
        const bool good = newton_step(w, NULL, h, y);
        arena_release(&w->p->ctx->scratch, mark);
        if (!good) break;
        for (uint32_t i = 0; i < w->n; i++)
            point_set(w->p, w->x[i], point_get(w->p, w->x[i]) + y[i]);
        const double r = newton_residual(w);
        if (r >= best && iteration > 20) break;
        if (r >= best) continue;
        best = r;
        for (uint32_t i = 0; i < w->n; i++) kept[i] = point_get(w->p, w->x[i]);
    }
    for (uint32_t i = 0; i < w->n; i++) point_set(w->p, w->x[i], kept[i]);
    newton_residual(w);
    return best <= POINT_ADMISSIBLE;
}

/* Towards x = from + d with the least ½ dᵀMd where J d = J (x_now − from) − g, one linearisation: this share of the way. Answers
 * how long that is, or infinity. */
static double newton_approach(newton *w, const double *from, double share)
{
    double *d = w->y, *h = w->h, moved = 0;
    const arena_mark mark = arena_get_mark(&w->p->ctx->scratch);
    newton_matrices(w);
    for (uint32_t i = 0; i < w->rows; i++) {
        h[i] = -w->gv[i];
        for (uint32_t e = w->Jm.start[i]; e < w->Jm.start[i + 1]; e++)
            h[i] += w->Jv[e] * (point_get(w->p, w->x[w->Jm.col[e]]) - from[w->Jm.col[e]]);
    }
    const bool good = newton_step(w, NULL, h, d);
    arena_release(&w->p->ctx->scratch, mark);
    if (!good) return INFINITY;
    for (uint32_t i = 0; i < w->n; i++) {
        const double now = point_get(w->p, w->x[i]), way = from[i] + d[i] - now;
        moved = fmax(moved, fabs(way) / unit_of(w, i));
        point_set(w->p, w->x[i], share < 1 ? now + share * way : from[i] + d[i]);
    }
    newton_residual(w);
    return moved;
}

/* Ways shorter than this change a distance by rounding errors. */
#define POINT_TELLS 1e-5

static void newton_take(const newton *w, double *x)
{
    for (uint32_t i = 0; i < w->n; i++) x[i] = point_get(w->p, w->x[i]);
}

static void newton_put(const newton *w, const double *x)
{
    for (uint32_t i = 0; i < w->n; i++) point_set(w->p, w->x[i], x[i]);
}

/* aᵀMb, M the inertia; of a tree of bodies in units alone. */
static double newton_product(const newton *w, const double *M, const double *a, const double *b)
{
    double sum = 0;
    for (uint32_t i = 0; i < w->n; i++) {
        if (w->bodies) sum += a[i] * b[i] / (unit_of(w, i) * unit_of(w, i));
        for (uint32_t e = w->Mm.start[i]; !w->bodies && e < w->Mm.start[i + 1]; e++)
            sum += a[i] * M[e] * b[w->Mm.col[e]];
    }
    return sum;
}

/* The share of the way from `here` to x that leads nearer to `from`, along the constraints, by as much as it should; there x is then. 0: none. */
static double newton_share(newton *w, const double *from, const double *here, double *to)
{
    arena *a = &w->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const size_t entries = mat_entries(w->Mm);
    double share = 1, *M = NEW_ARRAY(a, double, entries + 1);
    double *way = NEW_ARRAY(a, double, 2 * (size_t) w->n), *off = way + w->n;
    memcpy(M, w->Mv, entries * sizeof *M);
    newton_take(w, to);
    for (uint32_t i = 0; i < w->n; i++) {
        way[i] = to[i] - here[i];
        off[i] = here[i] - from[i];
    }
    const double now = newton_product(w, M, off, off), slope = 2 * newton_product(w, M, off, way);
    for (; share > 1e-6; share /= 2) {
        for (uint32_t i = 0; i < w->n; i++) point_set(w->p, w->x[i], here[i] + share * way[i]);
        const bool good = newton_project(w);
        for (uint32_t i = 0; i < w->n; i++) off[i] = point_get(w->p, w->x[i]) - from[i];
        if (good && newton_product(w, M, off, off) < now + 0.3 * share * slope) break;
    }
    arena_release(a, mark);
    return share > 1e-6 ? share : 0;
}

/* Where the constraints curve away more than the state is near, whole ways lead to and fro: shares of them lead nearer from place to place, until
 * the distance does not tell any more; the last digits come by shares as large. */
static bool newton_descend(newton *w, const double *from, double *here, double *to)
{
    double share = 1, moved = INFINITY;
    for (int iteration = 0; iteration < 200; iteration++) {
        newton_take(w, here);
        moved = newton_approach(w, from, 1);
        if (!isfinite(moved) || moved <= POINT_PROJECTED * largest_of(w)) break;
        const double good = newton_share(w, from, here, to);
        if (good == 0) {
            newton_put(w, here);
            break;
        }
        if (moved > POINT_TELLS * largest_of(w)) share = good;
    }
    for (int iteration = 0; iteration < 200 && moved > POINT_PROJECTED * largest_of(w); iteration++)
        moved = newton_approach(w, from, share);
    return moved <= POINT_ADMISSIBLE * largest_of(w);
}

bool newton_nearest(newton *w)
{
    arena *a = &w->p->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    double *from = NEW_ARRAY(a, double, 4 * (size_t) w->n), *found = from + w->n;
    newton_take(w, from);
    const bool good = newton_project(w);
    newton_take(w, found);
    if (good && !newton_descend(w, from, found + w->n, found + 2 * (size_t) w->n))
        newton_put(w, found);
    arena_release(a, mark);
    return good && newton_project(w);
}

/* b = −M f for the fixed part f; nothing where M does not exist. Bodies are moved by it: w − X w_p − S y = S f. */
static void newton_pull_of_fixed(newton *w, double *b)
{
    memset(b, 0, w->n * sizeof *b);
    memset(w->pull, 0, w->bodies * sizeof *w->pull);
    if (!w->fixed) return;
    const arena_mark mark = arena_get_mark(&w->p->ctx->scratch);
    const uint32_t of_K = w->tree ? mat_entries(w->Km) : 0, first = w->bodies;
    double *M = NEW_ARRAY(&w->p->ctx->scratch, double, mat_entries(w->Mm) + of_K + 1);
    const double *K = M + mat_entries(w->Mm);
    const bool finite = newton_inertia(w, M, M + mat_entries(w->Mm));
    for (uint32_t i = first; finite && i < w->Mm.rows; i++)
        for (uint32_t e = w->Mm.start[i]; e < w->Mm.start[i + 1]; e++)
            if (is_fixed(w, w->Mm.col[e]))
                b[i - first] -= M[e] * point_get(w->p, w->x[w->Mm.col[e] - first]);
    for (uint32_t i = 0; finite && i < first; i++)
        for (uint32_t e = w->Km.start[i]; e < w->Km.start[i + 1]; e++)
            if (is_fixed(w, w->Km.col[e]))
                w->pull[i] -= K[e] * point_get(w->p, w->x[w->Km.col[e] - first]);
    arena_release(&w->p->ctx->scratch, mark);
}

bool newton_minimise(newton *w)
{
    double *v = NEW_ARRAY(w->arena, double, w->n), *h = NEW_ARRAY(w->arena, double, w->rows + 1);
    double *b = NEW_ARRAY(w->arena, double, w->n);
    for (int iteration = 0; iteration < 100; iteration++) {
        const double r = newton_residual(w);
        const arena_mark mark = arena_get_mark(&w->p->ctx->scratch);
        newton_matrices(w);
        /* over the free part y of v: least ½(y + f)ᵀM(y + f) with J(y − y_now) = −g; a fixed
         * component is f and has no entries left in J */
        for (uint32_t i = 0; i < w->rows; i++) {
            h[i] = -w->gv[i];
            for (uint32_t e = w->Jm.start[i]; e < w->Jm.start[i + 1]; e++)
                h[i] += w->Jv[e] * point_get(w->p, w->x[w->Jm.col[e]]);
        }
        newton_pull_of_fixed(w, b);
        const bool good = newton_step(w, b, h, v);
        arena_release(&w->p->ctx->scratch, mark);
        if (!good) return false;
        double change = 0, size = 0;
        for (uint32_t i = 0; i < w->n; i++) {
            if (w->fixed[i]) continue;
            change = fmax(change, fabs(v[i] - point_get(w->p, w->x[i])));
            size = fmax(size, fabs(v[i]));
            point_set(w->p, w->x[i], v[i]);
        }
        if (change <= 1e-14 * size || (r <= POINT_PROJECTED && change <= 1e-12 * size)) break;
    }
    return newton_project(w);
}
