/* state/point.c - states of a model as numbers. */
#include "point.h"

#include <anholo/lang.h>

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

double point_get(const point *p, ah_expr symbol)
{
    return p->values[expr_slot(p->ctx, symbol)];
}

void point_set(point *p, ah_expr symbol, double value)
{
    p->values[expr_slot(p->ctx, symbol)] = value;
}

static bool is_given(const point *p, ah_expr symbol)
{
    return p->given[expr_slot(p->ctx, symbol)];
}

double point_eval(point *p, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&p->ctx->scratch);
    double x;
    expr_plan_run(expr_plan_create(p->ctx, &p->ctx->scratch, &e, 1), p->values, &x);
    arena_release(&p->ctx->scratch, mark);
    return x;
}

/* Values of parameters in order: each may use earlier ones. */
static bool put_parameters(point *p)
{
    bool good = true;
    for (size_t i = 0; i < p->model->parameters.count; i++) {
        const model_parameter *a = &p->model->parameters.at[i];
        if (a->value != AH_NONE) {
            point_set(p, a->symbol, point_eval(p, a->value));
            continue;
        }
        diag(p->ctx, A0601, a->span, "the parameter `%s` has no value", a->name);
        diag_hint(p->ctx, "give it one with --set %s=…", a->name);
        good = false;
    }
    for (size_t i = 0; i < p->model->functions.count; i++) {
        const model_function *f = &p->model->functions.at[i];
        if (f->body != AH_NONE) continue;
        diag(p->ctx, A0602, f->span, "the function `%s` is not defined", f->name);
        diag_hint(p->ctx, "define it with --set \"%s(…)=…\"", f->name);
        good = false;
    }
    return good;
}

bool point_create(ah_model *m, arena *a, point *out)
{
    *out = (point){.ctx = m->ctx, .model = m, .mech = derive_mechanics(m), .arena = a};
    const uint32_t slots = expr_slots(m->ctx);
    out->values = NEW_ARRAY(a, double, slots);
    out->given = NEW_ARRAY(a, bool, slots);
    out->span = NEW_ARRAY(a, ah_span, slots);
    out->exact = NEW_ARRAY(a, ah_expr, slots);
    for (uint32_t i = 0; i < slots; i++) {
        out->values[i] = NAN;
        out->exact[i] = AH_NONE;
    }
    if (!put_parameters(out)) return false;
    if (m->t0 != AH_NONE)
        point_set(out, expr_time(m->ctx), point_eval(out, m->t0));
    else
        point_set(out, expr_time(m->ctx), 0);
    return true;
}

/* ---- Reading --------------------------------------------------------------------------------- */

static bool assign(point *p, ah_expr symbol, ah_expr value, ah_span span)
{
    const double x = point_eval(p, value);
    if (!isfinite(x)) {
        diag(p->ctx, A0603, span, "the value of `%s` is not a finite number",
             expr_text(p->ctx, p->arena, symbol, AH_ASCII));
        return false;
    }
    point_set(p, symbol, x);
    p->given[expr_slot(p->ctx, symbol)] = true;
    p->span[expr_slot(p->ctx, symbol)] = span;
    p->exact[expr_slot(p->ctx, symbol)] = value;
    return true;
}

bool point_start(point *p)
{
    bool good = true;
    for (size_t i = 0; i < p->model->start.count; i++) {
        const model_value *v = &p->model->start.at[i];
        good = assign(p, v->symbol, v->value, v->span) && good;
    }
    return good;
}

/* The end of one "name = value" in a list: a comma outside brackets. */
static const char *item_end(const char *s)
{
    int depth = 0;
    for (; *s && (depth > 0 || *s != ','); s++) {
        if (*s == '(' || *s == '[') depth++;
        if (*s == ')' || *s == ']') depth--;
    }
    return s;
}

static bool settable(const point *p, ah_expr e)
{
    if (expr_get_op(p->ctx, e) != EXPR_SYMBOL) return false;
    switch (expr_get_kind(p->ctx, e)) {
    case AH_TIME:
    case AH_COORDINATE:
    case AH_VELOCITY:
    case AH_SPEED: return true;
    default: return false;
    }
}

static bool read_item(point *p, const char *item)
{
    const char *equals = strchr(item, '=');
    if (!equals) {
        diag(p->ctx, A0604, NOWHERE, "`%s` is not of the form name = value", item);
        diag_hint(p->ctx, "write, for example, --at \"t=0, x=1, x'=0.5\"");
        return false;
    }
    ah_expr symbol, value;
    const char *name = arena_strndup(p->arena, item, (size_t) (equals - item));
    if (ah_read_expression(p->model, "--at", name, &symbol) != AH_OK) return false;
    if (ah_read_expression(p->model, "--at", equals + 1, &value) != AH_OK) return false;
    if (!settable(p, symbol)) {
        diag(p->ctx, A0604, NOWHERE, "`%s` cannot be set in a state", name);
        diag_hint(p->ctx, "a state gives t, coordinates, velocities and velocity parameters; "
                          "parameters are set with --set");
        return false;
    }
    return assign(p, symbol, value, NOWHERE);
}

bool point_read(point *p, const char *at)
{
    while (*at) {
        const char *end = item_end(at);
        const char *item = arena_strndup(p->arena, at, (size_t) (end - at));
        if (item[strspn(item, " \t")] && !read_item(p, item)) return false;
        at = *end ? end + 1 : end;
    }
    return true;
}

/* ---- Newton in the metric of M --------------------------------------------------------------- */

/* One system g(x) = 0 in n unknowns (coordinates or velocities), some of them fixed. */
typedef struct newton {
    point *p;
    uint32_t n, rows;
    uint32_t most;     /* the rank cannot be larger; 0: not known */
    const ah_expr *x;  /* symbols */
    const bool *fixed; /* NULL: none */
    mat Jm, Mm;        /* ∂g/∂x and the metric */
    expr_plan *g, *J, *M;
    double *gv, *scale, *row, *y, *kept, *h;
    double *Jv, *Mv;  /* entries, as the matrices store them */
    double *extra;    /* added to the diagonal: n, then rows */
    bool large;       /* solved as a sparse system … */
    sparse *kkt[2];   /* … without and with `extra`; made when needed */
    double *solution; /* work space of that: n + rows, and its right side */
} newton;

static double largest_of(const point *p, uint32_t n, const ah_expr *x)
{
    double size = 0;
    for (uint32_t i = 0; i < n; i++)
        if (isfinite(point_get(p, x[i]))) size = fmax(size, fabs(point_get(p, x[i])));
    return size;
}

/* The largest entry of each row of the Jacobian ∂g/∂x at the point. Terms that are smaller than
 * POINT_NOISE times it (and x) are rounding errors of other terms, say of velocities that have just
 * been solved for. */
static double *row_sizes(point *p, uint32_t n, mat g, mat J)
{
    double *row = NEW_ARRAY(p->arena, double, g.rows + 1),
           *v = NEW_ARRAY(p->arena, double, mat_entries(J) + 1);
    expr_plan_run(expr_plan_create(p->ctx, p->arena, J.val, mat_entries(J)), p->values, v);
    for (uint32_t i = 0; i < g.rows && n; i++)
        for (uint32_t e = J.start[i]; e < J.start[i + 1]; e++)
            if (isfinite(v[e])) row[i] = fmax(row[i], fabs(v[e]));
    return row;
}

static newton newton_create(point *p, uint32_t n, const ah_expr *x, const bool *fixed, mat g)
{
    ah_ctx *ctx = p->ctx;
    arena *a = p->arena;
    newton w = {.p = p, .n = n, .rows = g.rows, .x = x, .fixed = fixed, .Mm = p->mech->M};
    w.Jm = mat_jacobian(ctx, a, g, n, x);
    const uint32_t of_J = mat_entries(w.Jm), of_M = mat_entries(w.Mm);
    w.g = expr_plan_create(ctx, a, mat_to_dense(ctx, a, g), g.rows);
    w.J = expr_plan_create(ctx, a, w.Jm.val, of_J);
    w.M = expr_plan_create(ctx, a, w.Mm.val, of_M);
    w.row = row_sizes(p, n, g, w.Jm);
    w.gv = NEW_ARRAY(a, double, g.rows + 1);
    w.scale = NEW_ARRAY(a, double, g.rows + 1);
    w.Mv = NEW_ARRAY(a, double, (size_t) of_M + of_J + 1);
    w.Jv = w.Mv + of_M;
    w.extra = NEW_ARRAY(a, double, (size_t) n + g.rows);
    w.y = NEW_ARRAY(a, double, n);
    w.kept = NEW_ARRAY(a, double, n);
    w.h = NEW_ARRAY(a, double, g.rows + 1);
    w.large = sparse_pays(n + g.rows, of_M + 2 * (size_t) of_J);
    if (w.large) w.solution = NEW_ARRAY(a, double, 2 * ((size_t) n + g.rows));
    return w;
}

/* The largest relative residual, and whose it is. */
static double newton_worst(newton *w, uint32_t *row)
{
    double worst = 0;
    const double noise = POINT_NOISE * largest_of(w->p, w->n, w->x);
    expr_plan_run_scaled(w->g, w->p->values, w->gv, w->scale);
    for (uint32_t i = 0; i < w->rows; i++) {
        const double scale = fmax(w->scale[i], noise * w->row[i]);
        const double r = fabs(w->gv[i]) / (scale > 0 ? scale : 1);
        if (r <= worst) continue;
        worst = isfinite(r) ? r : INFINITY;
        *row = i;
    }
    return worst;
}

static double newton_residual(newton *w)
{
    uint32_t row;
    return newton_worst(w, &row);
}

/* M and J at the point; for M the identity where it does not exist (velocities unknown yet, say).
 * What concerns fixed components is taken out. */
static void newton_matrices(newton *w)
{
    bool finite = true;
    expr_plan_run(w->M, w->p->values, w->Mv);
    expr_plan_run(w->J, w->p->values, w->Jv);
    memset(w->extra, 0, ((size_t) w->n + w->rows) * sizeof *w->extra);
    for (uint32_t e = 0; e < mat_entries(w->Mm); e++) finite = finite && isfinite(w->Mv[e]);
    for (uint32_t i = 0; i < w->n; i++) {
        w->extra[i] = !finite || (w->fixed && w->fixed[i]);
        for (uint32_t e = w->Mm.start[i]; e < w->Mm.start[i + 1]; e++)
            if (!finite || (w->fixed && (w->fixed[i] || w->fixed[w->Mm.col[e]]))) w->Mv[e] = 0;
    }
    for (uint32_t e = 0; w->fixed && e < mat_entries(w->Jm); e++)
        if (w->fixed[w->Jm.col[e]]) w->Jv[e] = 0;
}

/* A singular M is no metric: a trace of the identity makes it one. Dependent rows of J are told
 * apart in the dense arithmetic; in the sparse one −ε of theirs makes the system regular, and the
 * step shorter by ε only. */
static void newton_regularise(newton *w)
{
    double trace = 0, size = 0;
    for (uint32_t i = 0; i < w->n; i++)
        for (uint32_t e = w->Mm.start[i]; e < w->Mm.start[i + 1]; e++)
            if (w->Mm.col[e] == i) trace += fabs(w->Mv[e]);
    for (uint32_t e = 0; e < mat_entries(w->Jm); e++) size = fmax(size, fabs(w->Jv[e]));
    for (uint32_t i = 0; i < w->n; i++) w->extra[i] += trace > 0 ? 1e-12 * trace : 1;
    for (uint32_t i = 0; i < w->rows; i++)
        w->extra[w->n + i] = 1e-10 * size * size * (trace > 0 ? w->n / trace : 1);
}

static bool newton_has_extra(const newton *w)
{
    for (uint32_t i = 0; i < w->n + w->rows; i++)
        if (w->extra[i] != 0) return true;
    return false;
}

static bool newton_try_sparse(newton *w, const double *b, const double *h, double *y)
{
    const bool extra = newton_has_extra(w);
    double *x = w->solution, *right = x + w->n + w->rows;
    if (!w->kkt[extra])
        w->kkt[extra] = sparse_create_kkt(w->p->ctx, w->p->arena, mat_pattern(w->Mm),
                                          mat_pattern(w->Jm), extra);
    for (uint32_t i = 0; i < w->n; i++) right[i] = b && !(w->fixed && w->fixed[i]) ? b[i] : 0;
    memcpy(right + w->n, h, w->rows * sizeof *h);
    if (sparse_factor(w->kkt[extra], w->Mv, w->extra) <= LINEAR_RANK_TOLERANCE ||
        !sparse_solve(w->kkt[extra], right, x))
        return false;
    memcpy(y, x, w->n * sizeof *y);
    return true;
}

static double *newton_spread(arena *a, mat m, const double *entry)
{
    double *dense = NEW_ARRAY(a, double, (size_t) m.rows *m.cols + 1);
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t e = m.start[i]; e < m.start[i + 1]; e++)
            dense[(size_t) i * m.cols + m.col[e]] = entry[e];
    return dense;
}

/* Least ½ yᵀMy − yᵀb with J y = h over the free components; y of the fixed ones is zero. */
static bool newton_try(newton *w, const double *b, const double *h, double *y)
{
    if (w->large) return newton_try_sparse(w, b, h, y);
    arena *a = &w->p->ctx->scratch;
    uint32_t *order = NEW_ARRAY(a, uint32_t, w->rows + 1);
    const double *J = newton_spread(a, w->Jm, w->Jv);
    uint32_t k = linear_row_rank(a, w->rows, w->n, J, order);
    if (w->most && k > w->most) k = w->most; /* rows that vanish here leave rounding errors */
    const uint32_t N = w->n + k;
    double *A = NEW_ARRAY(a, double, (size_t) N *N), *rhs = NEW_ARRAY(a, double, N);
    double *x = NEW_ARRAY(a, double, N);
    for (uint32_t i = 0; i < w->n; i++) {
        for (uint32_t e = w->Mm.start[i]; e < w->Mm.start[i + 1]; e++)
            A[(size_t) i * N + w->Mm.col[e]] = w->Mv[e];
        A[(size_t) i * N + i] += w->extra[i];
        rhs[i] = (w->fixed && w->fixed[i]) || !b ? 0 : b[i];
        for (uint32_t j = 0; j < k; j++) {
            A[(size_t) i * N + w->n + j] = J[(size_t) order[j] * w->n + i];
            A[(size_t) (w->n + j) * N + i] = J[(size_t) order[j] * w->n + i];
        }
    }
    for (uint32_t j = 0; j < k; j++) rhs[w->n + j] = h[order[j]];
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

/* Moves x to g = 0 by the shortest steps in the metric of M; keeps the best point met. */
static bool newton_project(newton *w)
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

/* x = from + d with the least ½ dᵀMd where J d = J (x_now − from) − g: one linearisation. Answers
 * how far x moved, or infinity. */
static double newton_approach(newton *w, const double *from)
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
        moved = fmax(moved, fabs(from[i] + d[i] - point_get(w->p, w->x[i])));
        point_set(w->p, w->x[i], from[i] + d[i]);
    }
    newton_residual(w);
    return moved;
}

/* Moves x to the nearest one with g = 0. The shortest steps of newton_project end near it, not at
 * it; where going on from there does not settle, their end is kept. */
static bool newton_nearest(newton *w)
{
    const arena_mark mark = arena_get_mark(&w->p->ctx->scratch);
    double *from = NEW_ARRAY(&w->p->ctx->scratch, double, 2 * (size_t) w->n), *found = from + w->n;
    for (uint32_t i = 0; i < w->n; i++) from[i] = point_get(w->p, w->x[i]);
    bool good = newton_project(w);
    for (uint32_t i = 0; i < w->n; i++) found[i] = point_get(w->p, w->x[i]);
    double moved = INFINITY;
    for (int iteration = 0; good && iteration < 200; iteration++) {
        moved = newton_approach(w, from);
        if (!(moved > POINT_PROJECTED * largest_of(w->p, w->n, w->x)) || !isfinite(moved)) break;
    }
    if (good && !(moved <= POINT_ADMISSIBLE * largest_of(w->p, w->n, w->x)))
        for (uint32_t i = 0; i < w->n; i++) point_set(w->p, w->x[i], found[i]);
    arena_release(&w->p->ctx->scratch, mark);
    return good && newton_project(w);
}

/* b = −M f for the fixed part f; nothing where M does not exist. */
static void newton_pull_of_fixed(newton *w, double *b)
{
    memset(b, 0, w->n * sizeof *b);
    if (!w->fixed) return;
    bool finite = true;
    const arena_mark mark = arena_get_mark(&w->p->ctx->scratch);
    double *M = NEW_ARRAY(&w->p->ctx->scratch, double, mat_entries(w->Mm) + 1);
    expr_plan_run(w->M, w->p->values, M);
    for (uint32_t e = 0; e < mat_entries(w->Mm); e++) finite = finite && isfinite(M[e]);
    for (uint32_t i = 0; finite && i < w->n; i++)
        for (uint32_t e = w->Mm.start[i]; e < w->Mm.start[i + 1]; e++)
            if (w->fixed[w->Mm.col[e]]) b[i] -= M[e] * point_get(w->p, w->x[w->Mm.col[e]]);
    arena_release(&w->p->ctx->scratch, mark);
}

/* Least vᵀMv on g(v) = 0: the whole v is chosen anew on each linearisation. */
static bool newton_minimise(newton *w)
{
    double *v = NEW_ARRAY(w->p->arena, double, w->n),
           *h = NEW_ARRAY(w->p->arena, double, w->rows + 1);
    double *b = NEW_ARRAY(w->p->arena, double, w->n);
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

/* ---- Completing ------------------------------------------------------------------------------ */

static mat holonomic_rows(point *p)
{
    LIST(ah_expr) f = {0};
    for (size_t i = 0; i < p->model->constraints.count; i++)
        if (p->model->constraints.at[i].order == MODEL_HOLONOMIC)
            LIST_PUSH(p->arena, &f, p->model->constraints.at[i].c);
    return mat_from_dense(p->ctx, p->arena, (uint32_t) f.count, 1, f.at);
}

double point_residual(point *p, uint32_t *worst)
{
    const ah_model *m = p->model;
    uint32_t row = 0, holonomic = 0, which = 0;
    newton velocities = newton_create(p, m->n, m->v.at, NULL, p->mech->C);
    newton places = newton_create(p, m->n, m->q.at, NULL, holonomic_rows(p));
    const double v = newton_worst(&velocities, &row), q = newton_worst(&places, &holonomic);
    if (q > v) /* the row-th holonomic constraint */
        for (uint32_t i = 0; i < m->constraints.count; i++)
            if (m->constraints.at[i].order == MODEL_HOLONOMIC && which++ == holonomic) row = i;
    if (worst) *worst = row;
    return fmax(v, q);
}

static bool complete_coordinates(point *p)
{
    bool good = true;
    for (uint32_t i = 0; i < p->model->n; i++) {
        if (is_given(p, p->model->q.at[i])) continue;
        diag(p->ctx, A0605, p->model->q_span.at[i],
             "the state gives no value for the coordinate `%s`",
             expr_get_name(p->ctx, p->model->q.at[i]));
        diag_hint(p->ctx, "add it to `start` or to --at");
        good = false;
    }
    return good;
}

/* v = ψ(q, z, t); velocities that were given besides must agree. */
static bool velocities_from_speeds(point *p)
{
    const uint32_t n = p->model->n;
    double *v = NEW_ARRAY(p->arena, double, n), size = 0;
    for (uint32_t i = 0; i < n; i++) {
        v[i] = point_eval(p, p->model->psi.at[i]);
        size = fmax(size, fabs(v[i]));
    }
    for (uint32_t i = 0; i < n; i++) {
        const ah_expr s = p->model->v.at[i];
        if (!is_given(p, s)) {
            point_set(p, s, v[i]);
        } else if (!(fabs(v[i] - point_get(p, s)) <= POINT_ADMISSIBLE * fmax(size, 1e-300))) {
            diag(p->ctx, A0606, p->span[expr_slot(p->ctx, s)],
                 "the velocity `%s'` = %.17g contradicts the velocity parameters, which give %.17g",
                 expr_get_name(p->ctx, s), point_get(p, s), v[i]);
            diag_hint(p->ctx, "give either the velocities or the parameters");
            return false;
        }
    }
    return true;
}

/* Equations for the velocities: the constraints, and the quasi-velocities that were given. */
static mat velocity_equations(point *p)
{
    LIST(ah_expr) g = {0};
    for (uint32_t i = 0; i < p->mech->r; i++)
        LIST_PUSH(p->arena, &g, mat_get(p->ctx, p->mech->C, i, 0));
    for (size_t i = 0; i < p->model->quasivelocities.count; i++) {
        const model_speed *w = &p->model->quasivelocities.at[i];
        if (!is_given(p, w->symbol)) continue;
        const ah_expr value = point_get(p, w->symbol) == 0 ? expr_int(p->ctx, 0) : w->symbol;
        LIST_PUSH(p->arena, &g, expr_sub(p->ctx, w->definition, value));
    }
    return mat_from_dense(p->ctx, p->arena, (uint32_t) g.count, 1, g.at);
}

/* Reports what is not a number at the point, if anything is. */
static bool is_undefined(point *p)
{
    const char *what = point_undefined(p);
    if (!what) return false;
    diag(p->ctx, A0603, NOWHERE, "%s", what);
    diag_hint(p->ctx, "begin at a state where it is defined");
    return true;
}

static bool complete_velocities(point *p)
{
    const uint32_t n = p->model->n;
    const ah_expr *v = p->model->v.at;
    if (point_speeds_given(p)) return velocities_from_speeds(p);
    bool *fixed = NEW_ARRAY(p->arena, bool, n), missing = false;
    for (uint32_t i = 0; i < n; i++) {
        fixed[i] = is_given(p, v[i]);
        if (fixed[i]) continue;
        missing = true;
        point_set(p, v[i], 0);
    }
    if (!missing) return true;
    newton w = newton_create(p, n, v, fixed, velocity_equations(p));
    if (newton_residual(&w) == 0 || newton_minimise(&w)) return true;
    if (is_undefined(p)) return false;
    diag(p->ctx, A0607, NOWHERE, "the missing velocities cannot be found from the constraints");
    diag_note(p->ctx, NOWHERE, "the relative residual stays at %.3g", newton_residual(&w));
    diag_hint(p->ctx, "give more velocities, or values nearer to an admissible state");
    return false;
}

struct projector {
    newton places, velocities; /* rows == 0: nothing to do there */
    double *before;
};

projector *projector_create(point *p)
{
    projector *out = NEW(p->arena, projector);
    const mat f = holonomic_rows(p);
    if (f.rows) out->places = newton_create(p, p->model->n, p->model->q.at, NULL, f);
    if (p->mech->r) {
        out->velocities = newton_create(p, p->model->n, p->model->v.at, NULL, p->mech->C);
        out->velocities.most = p->mech->rank;
    }
    out->before = NEW_ARRAY(p->arena, double, 2 * p->model->n);
    return out;
}

static void copy_state(const point *p, double *state)
{
    for (uint32_t i = 0; i < p->model->n; i++) {
        state[i] = point_get(p, p->model->q.at[i]);
        state[p->model->n + i] = point_get(p, p->model->v.at[i]);
    }
}

static bool move(projector *w, point *p, bool (*to)(newton *))
{
    copy_state(p, w->before);
    bool good = !w->places.rows || to(&w->places);
    good = (!w->velocities.rows || to(&w->velocities)) && good;
    p->moved = 0;
    for (uint32_t i = 0; i < p->model->n; i++) {
        p->moved = fmax(p->moved, fabs(point_get(p, p->model->q.at[i]) - w->before[i]));
        p->moved =
            fmax(p->moved, fabs(point_get(p, p->model->v.at[i]) - w->before[p->model->n + i]));
    }
    return good;
}

bool projector_apply(projector *w, point *p)
{
    return move(w, p, newton_project);
}

double projector_residual(projector *w)
{
    const double places = w->places.rows ? newton_residual(&w->places) : 0;
    return fmax(places, w->velocities.rows ? newton_residual(&w->velocities) : 0);
}

/* ---- Whole states ---------------------------------------------------------------------------- */

static bool check_admissible(point *p)
{
    uint32_t worst = 0;
    p->residual = point_residual(p, &worst);
    if (p->residual <= POINT_ADMISSIBLE) return true;
    if (!isfinite(p->residual) && is_undefined(p)) return false;
    const model_constraint *c = &p->model->constraints.at[worst];
    diag(p->ctx, A0608, c->span, "the state contradicts the constraint `%s`", c->label);
    diag_label(p->ctx, "relative residual %.3g", p->residual);
    diag_hint(p->ctx, "change the state, or let --project find an admissible one nearby");
    return false;
}

static void tell_change(const point *p, ah_expr symbol, double before)
{
    const double now = point_get(p, symbol);
    if (fabs(now - before) <= POINT_ADMISSIBLE * fmax(fabs(now), fabs(before))) return;
    diag_note(p->ctx, NOWHERE, "%s = %.12g became %.12g",
              expr_text(p->ctx, &p->ctx->job, symbol, AH_ASCII), before, now);
}

/* To an admissible state nearby, and a word about what that changed. */
static void move_to_nearest(point *p)
{
    const ah_model *m = p->model;
    projector *w = projector_create(p);
    move(w, p, newton_nearest);
    if (p->moved <= POINT_ADMISSIBLE) return;
    /* Under constraints that are linear in the velocities, and fix no places, there is one nearest
     * state, and one step of Newton's method reaches it; otherwise this is the end of a way that
     * began at the state, and another may be nearer. */
    if (!p->mech->holonomic && p->mech->linear)
        diag(p->ctx, A0616, NOWHERE, "the state was moved to the nearest admissible one");
    else
        diag(p->ctx, A0616, NOWHERE, "the state was moved to an admissible one nearby");
    for (uint32_t i = 0; i < m->n; i++) tell_change(p, m->q.at[i], w->before[i]);
    for (uint32_t i = 0; i < m->n; i++) tell_change(p, m->v.at[i], w->before[m->n + i]);
}

bool point_complete(point *p, bool project)
{
    if (!complete_coordinates(p) || !complete_velocities(p)) return false;
    if (project && point_residual(p, NULL) > POINT_PROJECTED) {
        move_to_nearest(p);
        if (p->moved > 0 &&
            point_speeds_given(p)) /* the z that were given are only a first guess now */
            for (size_t i = 0; i < p->model->speeds.count; i++)
                p->given[expr_slot(p->ctx, p->model->speeds.at[i].symbol)] = false;
    }
    if (!check_admissible(p)) return false;
    point_find_speeds(p);
    return true;
}

static point empty_point(ah_model *m, arena *a)
{
    point p = {.ctx = m->ctx, .model = m, .mech = derive_mechanics(m), .arena = a};
    p.values = probe_values(m, a);
    p.given = NEW_ARRAY(a, bool, expr_slots(m->ctx));
    p.span = NEW_ARRAY(a, ah_span, expr_slots(m->ctx));
    return p;
}

bool point_at_random(ah_model *m, states *random, states_rng *rng, arena *a, point *out)
{
    *out = empty_point(m, a);
    return analyse_random_state(random, rng, out->values);
}

bool point_wished(ah_model *m, states *random, states_rng *rng, const probe_wish *wish, arena *a,
                  point *out)
{
    *out = empty_point(m, a);
    return analyse_wished_state(random, rng, wish, out->values);
}
