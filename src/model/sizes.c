/* model/sizes.c - see model_size.
 *
 * Units are the user's: x may be a million times smaller than z. What a variable's ordinary size is, the
 * text tells: the argument of a sine is of size one, T is of the size of V, and in each sum where a variable occurs one of its terms
 * counts. With u = log₂ of the sizes of t, q and z every node has a size of the form w·u + c, that of a sum being its
 * largest term's, and each such wish is a row w·u + c = 0. Of these the least sum of absolute values, by least squares
 * weighted anew, so that one odd term does not count. The rows of a model in other units are satisfied by the sizes in
 * those; where the text tells nothing the start does, and without one sizes are one. */
#include "model.h"
#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

enum { ROUNDS = 20, MOST_ENTRIES = 1 << 21, MOST_UNKNOWNS = 200 };

/* Where sizes differ from each other and from one by less than 2^ORDINARY, they are one: nothing is gained by others. Beyond
 * 2^FARTHEST it is no choice of units: a term has next to no weight. */
#define ORDINARY 12
#define FARTHEST 64
/* What a wish weighs, beside one: that of a function's argument, of the start, of any term of a sum (it may be a small
 * correction, or keep a root from zero), of nothing at all. */
#define ARGUMENT 10
#define STARTED  0.25
#define ANY_TERM 0.1
#define NOTHING  0.15

static const char sizes_key = 0;

/* w·u + c: few unknowns have a weight, in ascending order. */
typedef struct form {
    uint32_t count;
    const uint32_t *unknown;
    const double *w;
    double c;
} form;

typedef struct row {
    form size;
    double weight;
} row;

typedef struct sizing {
    ah_model *m;
    ah_ctx *ctx;
    arena *a;
    uint32_t unknowns; /* t, q, z */
    LIST(row) rows;
    size_t entries;      /* of all forms */
    const double *u;     /* of the last round */
    const frame *values; /* of the parameters */
} sizing;

/* a + factor b */
static form added(sizing *s, form a, double factor, form b)
{
    uint32_t *unknown = NEW_ARRAY(s->a, uint32_t, a.count + b.count + 1);
    double *w = NEW_ARRAY(s->a, double, a.count + b.count + 1);
    form out = {0, unknown, w, a.c + factor * b.c};
    s->entries += a.count + b.count + 1;
    for (uint32_t i = 0, k = 0; i < a.count || k < b.count; out.count++) {
        const bool first = i < a.count && (k == b.count || a.unknown[i] <= b.unknown[k]);
        const bool second = k < b.count && (i == a.count || b.unknown[k] <= a.unknown[i]);
        unknown[out.count] = first ? a.unknown[i] : b.unknown[k];
        w[out.count] = (first ? a.w[i] : 0) + (second ? factor * b.w[k] : 0);
        i += first;
        k += second;
    }
    return out;
}

static form of_unknown(const sizing *s, uint32_t unknown, double weight)
{
    uint32_t *which = NEW(s->a, uint32_t);
    double *w = NEW(s->a, double);
    *which = unknown;
    *w = weight;
    return (form){1, which, w, 0};
}

/* Wishes that a form is of size one. */
static void wish(sizing *s, double weight, form f)
{
    LIST_PUSH(s->a, &s->rows, ((row){f, weight}));
}

static void wish_alike(sizing *s, double weight, form a, form b)
{
    if (a.w == b.w && a.c == b.c) return; /* they are */
    wish(s, weight, added(s, a, -1, b));
}

/* ---- Sizes of expressions -------------------------------------------------------------------- */

static double log_of(double x)
{
    return x == 0 || !isfinite(x) ? 0 : log2(fabs(x));
}

static form symbol_form(sizing *s, ah_expr e)
{
    const ah_model *m = s->m;
    if (e == expr_time(s->ctx)) return of_unknown(s, 0, 1);
    if (expr_get_kind(s->ctx, e) == AH_PARAMETER)
        return (form){.c = log_of(frame_get(s->values, e))};
    for (uint32_t i = 0; i < m->n; i++) {
        const int dots = e == m->q.at[i] ? 0 : e == m->v.at[i] ? 1 : e == m->a.at[i] ? 2 : -1;
        if (dots < 0) continue;
        const form own = of_unknown(s, 1 + i, 1);
        return dots ? added(s, of_unknown(s, 0, -dots), 1, own) : own;
    }
    for (size_t i = 0; i < m->speeds.count; i++)
        if (e == m->speeds.at[i].symbol) return of_unknown(s, 1 + m->n + (uint32_t) i, 1);
    return (form){0};
}

static double at_present(const sizing *s, form f)
{
    double sum = f.c;
    for (uint32_t k = 0; k < f.count; k++) sum += f.w[k] * s->u[f.unknown[k]];
    return sum;
}

/* It has the size of its largest term; of those that have an unknown one counts. */
static form sum_form(sizing *s, size_t count, const form *term)
{
    double *size = NEW_ARRAY(s->a, double, count);
    size_t all = 0, *own = NEW_ARRAY(s->a, size_t, s->unknowns); /* 1 + the largest term */
    for (size_t i = 0; i < count; i++) {
        size[i] = at_present(s, term[i]);
        if (size[i] > size[all]) all = i;
        for (uint32_t k = 0; k < term[i].count; k++) {
            size_t *best = &own[term[i].unknown[k]];
            if (term[i].w[k] != 0 && (!*best || size[i] > size[*best - 1])) *best = i + 1;
        }
    }
    for (uint32_t k = 0; k < s->unknowns; k++)
        if (own[k]) wish_alike(s, 1, term[own[k] - 1], term[all]);
    for (size_t i = 0; i < count; i++) wish_alike(s, ANY_TERM, term[i], term[all]);
    return term[all];
}

static form call_form(sizing *s, ah_function f, const form *argument)
{
    const form one = {0};
    switch (f) {
    case AH_ABS: return argument[0];
    case AH_SQRT: return added(s, one, 0.5, argument[0]);
    case AH_ATAN2: wish_alike(s, 1, argument[0], argument[1]); break;
    case AH_LOG:
    case AH_SIGN:
    case AH_ATAN:
    case AH_TANH: break; /* the last ones are smooth switches: their width is no size */
    default: wish(s, ARGUMENT, argument[0]);
    }
    return one;
}

static form node_form(sizing *s, ah_expr e, const form *child)
{
    const size_t count = expr_get_count(s->ctx, e);
    form out = {0};
    switch (expr_get_op(s->ctx, e)) {
    case EXPR_NUMBER: out.c = log_of(expr_number_double(s->ctx, e)); break;
    case EXPR_SYMBOL: return symbol_form(s, e);
    case EXPR_SUM: return sum_form(s, count, child);
    case EXPR_PRODUCT:
        for (size_t i = 0; i < count; i++) out = added(s, out, 1, child[i]);
        break;
    case EXPR_POWER: {
        const ah_expr power = expr_get_children(s->ctx, e)[1];
        if (expr_get_op(s->ctx, power) == EXPR_NUMBER)
            out = added(s, out, expr_number_double(s->ctx, power), child[0]);
        break;
    }
    case EXPR_CALL: return call_form(s, expr_get_function(s->ctx, e), child);
    default: break;
    }
    return out;
}

/* The forms of all nodes; false: there is too much. */
static bool forms_of(sizing *s, const expr_list *list, form **out)
{
    const expr_list nodes = *list;
    form *all = NEW_ARRAY(s->a, form, nodes.count + 1);
    for (size_t i = 0; i < nodes.count; i++) {
        if (s->entries > MOST_ENTRIES) return false;
        ctx_tick(s->ctx);
        const size_t children = expr_get_count(s->ctx, nodes.at[i]);
        form *child = NEW_ARRAY(s->a, form, children + 1);
        for (size_t k = 0; k < children; k++)
            child[k] = all[expr_find(&nodes, expr_get_children(s->ctx, nodes.at[i])[k])];
        all[i] = node_form(s, nodes.at[i], child);
    }
    *out = all;
    return true;
}

/* ---- Wishes ---------------------------------------------------------------------------------- */

typedef struct written {
    expr_list roots; /* T, V, F, ψ, constraints */
    expr_list nodes;
} written;

static written text_of(ah_model *m, arena *a)
{
    written x = {0};
    LIST_PUSH(a, &x.roots, m->T);
    LIST_PUSH(a, &x.roots, m->V);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &x.roots, m->F[i]);
    for (uint32_t i = 0; m->speeds.count && i < m->n; i++) LIST_PUSH(a, &x.roots, m->psi.at[i]);
    for (size_t i = 0; i < m->constraints.count; i++)
        LIST_PUSH(a, &x.roots, m->constraints.at[i].c);
    model_put_bodies(m, x.roots.at, x.roots.count);
    x.nodes = expr_reachable(m->ctx, a, x.roots.at, x.roots.count);
    return x;
}

/* The terms of a holonomic constraint are all of like size: one of them is often a number. */
static void read_place(sizing *s, const written *x, ah_expr c, const form *all)
{
    const form whole = all[expr_find(&x->nodes, c)];
    for (size_t k = 0; expr_get_op(s->ctx, c) == EXPR_SUM && k < expr_get_count(s->ctx, c); k++)
        wish_alike(s, 1, all[expr_find(&x->nodes, expr_get_children(s->ctx, c)[k])], whole);
}

/* Besides those within the nodes: T of the size of V and of Q q, q' of that of ψ. */
static bool read_text(sizing *s, const written *x)
{
    const ah_model *m = s->m;
    form *all;
    if (!forms_of(s, &x->nodes, &all)) return false;
    const ah_expr *e = x->roots.at;
    const form T = all[expr_find(&x->nodes, e[0])], V = all[expr_find(&x->nodes, e[1])];
    const bool energetic = !expr_is_zero(s->ctx, e[0]);
    if (energetic && !expr_is_zero(s->ctx, e[1])) wish_alike(s, 1, T, V);
    for (uint32_t i = 0; i < m->n; i++) {
        if (!energetic || expr_is_zero(s->ctx, e[2 + i])) continue;
        const form force = all[expr_find(&x->nodes, e[2 + i])];
        wish_alike(s, 1, T, added(s, force, 1, of_unknown(s, 1 + i, 1)));
    }
    for (uint32_t i = 0; m->speeds.count && i < m->n; i++) {
        const ah_expr psi = e[2 + m->n + i];
        if (!expr_is_zero(s->ctx, psi))
            wish_alike(s, 1, all[expr_find(&x->nodes, psi)], symbol_form(s, m->v.at[i]));
    }
    const size_t first = x->roots.count - m->constraints.count;
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_HOLONOMIC) read_place(s, x, e[first + i], all);
    return true;
}

static double number_of(const sizing *s, ah_expr e)
{
    double x;
    expr_plan_run(expr_plan_create(s->ctx, s->a, &e, 1), s->values, &x);
    return x;
}

/* Values use earlier parameters only. */
static void read_parameters(sizing *s)
{
    frame *values = frame_create(s->ctx, s->a, 1);
    s->values = values;
    for (size_t i = 0; i < s->m->parameters.count; i++) {
        const model_parameter *p = &s->m->parameters.at[i];
        if (p->value != AH_NONE) frame_set(values, p->symbol, number_of(s, p->value));
    }
}

static void read_start(sizing *s)
{
    const ah_model *m = s->m;
    for (size_t i = 0; i < m->start.count; i++) {
        const double number = number_of(s, m->start.at[i].value);
        if (!(fabs(number) > 0) || !isfinite(number)) continue;
        form f = symbol_form(s, m->start.at[i].symbol);
        f.c = -log_of(number);
        wish(s, STARTED, f);
    }
    for (uint32_t k = 0; k < s->unknowns; k++) wish(s, NOTHING, of_unknown(s, k, 1));
}

/* ---- The least sum --------------------------------------------------------------------------- */

/* One round: the rows weighted by what they were for the last u. */
static bool improve(sizing *s, double *u)
{
    const uint32_t n = s->unknowns;
    double *A = NEW_ARRAY(s->a, double, (size_t) n *n), *b = NEW_ARRAY(s->a, double, n);
    for (size_t i = 0; i < s->rows.count; i++) {
        const form r = s->rows.at[i].size;
        const double w = s->rows.at[i].weight / fmax(1, fabs(at_present(s, r)));
        for (uint32_t k = 0; k < r.count; k++) {
            const size_t at = r.unknown[k];
            b[at] -= w * r.w[k] * r.c;
            for (uint32_t j = 0; j < r.count; j++) A[at * n + r.unknown[j]] += w * r.w[k] * r.w[j];
        }
    }
    return linear_solve(s->a, n, 1, A, b, u) > 0;
}

/* To whole numbers; are they worth to be kept? */
static bool round_sizes(uint32_t count, double *u)
{
    double low = 0, high = 0;
    for (uint32_t k = 0; k < count; k++) {
        u[k] = fabs(u[k]) <= FARTHEST ? round(u[k]) : 0;
        low = fmin(low, u[k]);
        high = fmax(high, u[k]);
    }
    return high - low >= ORDINARY;
}

static void begin(sizing *s, ah_model *m, arena *a)
{
    *s = (sizing){.m = m, .ctx = m->ctx, .a = a};
    s->unknowns = 1 + m->n + (uint32_t) m->speeds.count;
    read_parameters(s);
}

/* u, rounded; NULL where all are zero, or nothing is known. */
typedef const double *sizes;

static bool one_round(sizing *s, const written *x, double *u)
{
    const arena_mark mark = arena_get_mark(s->a);
    s->u = u;
    s->entries = 0;
    memset(&s->rows, 0, sizeof s->rows);
    bool good = read_text(s, x);
    read_start(s);
    good = good && improve(s, u);
    arena_release(s->a, mark);
    return good;
}

static const double *sizes_of(ah_model *m)
{
    sizes *out = *model_kept(m, &sizes_key);
    if (out) return *out;
    *model_kept(m, &sizes_key) = out = NEW(&m->ctx->job, sizes);
    if (m->n + m->speeds.count >= MOST_UNKNOWNS) return NULL;
    arena *a = &m->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    sizing s;
    begin(&s, m, a);
    double *u = NEW_ARRAY(&m->ctx->job, double, s.unknowns);
    const written x = text_of(m, a);
    bool good = true;
    for (int round = 0; good && round < ROUNDS; round++) good = one_round(&s, &x, u);
    if (good && round_sizes(s.unknowns, u)) *out = u;
    arena_release(a, mark);
    return *out;
}

double model_size(ah_model *m, ah_expr e)
{
    const double *u = m->finished ? sizes_of(m) : NULL;
    if (!u) return 1;
    arena *a = &m->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    sizing s;
    double size = 0;
    form *f;
    begin(&s, m, a);
    s.u = u;
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        if (m->quasivelocities.at[i].symbol == e) e = m->quasivelocities.at[i].definition;
    const expr_list nodes = expr_reachable(m->ctx, a, &e, 1);
    if (forms_of(&s, &nodes, &f)) size = at_present(&s, f[nodes.count - 1]);
    arena_release(a, mark);
    return exp2(round(size));
}
