/* real/components.c - see components.h: two stages, coordinates and then velocities over each of
 * their components. */
#include "components.h"
#include "split.h"
#include "unwrap.h"

#include <string.h>

#define SECONDS 1.0 /* that one split may take */

typedef struct finder {
    ah_model *m;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    algebra *free; /* that knows of no assumption e >= 0: where e = 0 it has a gradient */
    components *out;
    LIST(component) found;
    size_t met; /* those left out included */
} finder;

typedef enum rows_kind { ROWS_HOMOGENEOUS, ROWS_AFFINE, ROWS_NONLINEAR } rows_kind;

/* ---- No regular states ----------------------------------------------------------------------- */

/* Exact numbers: d > 0 eliminates, d = 0 needs an empty row. */
static bool is_semidefinite_matrix(ah_ctx *ctx, ah_expr *S, size_t n)
{
    for (size_t k = 0; k < n; k++) {
        const double d = expr_number_double(ctx, S[k * n + k]);
        if (d < 0) return false;
        for (size_t i = k + 1; i < n; i++) {
            if (d == 0 && !expr_is_zero(ctx, S[i * n + k])) return false;
            if (d == 0) continue;
            const ah_expr factor = expr_div(ctx, S[i * n + k], S[k * n + k]);
            for (size_t j = k + 1; j < n; j++)
                S[i * n + j] = expr_sub(ctx, S[i * n + j], expr_mul(ctx, factor, S[k * n + j]));
        }
    }
    return true;
}

/* (x, 1) S (x, 1)ᵀ, numbers as coefficients. */
static bool quadratic_form(finder *w, ah_expr e, const expr_list *x, ah_expr *S)
{
    const size_t n = x->count + 1;
    algebra_poly p;
    if (!algebra_collect(w->alg, e, x->count, x->at, &p)) return false;
    for (size_t i = 0; i < n * n; i++) S[i] = expr_int(w->ctx, 0);
    for (size_t t = 0; t < p.terms; t++) {
        size_t at[2] = {n - 1, n - 1}, count = 0;
        if (expr_get_op(w->ctx, p.coefficient[t]) != EXPR_NUMBER) return false;
        for (size_t k = 0; k < x->count; k++)
            for (uint32_t i = 0; i < p.exponent[t * x->count + k]; i++) {
                if (count == 2) return false;
                at[count++] = k;
            }
        const bool diagonal = at[0] == at[1];
        const ah_expr half =
            expr_mul(w->ctx, p.coefficient[t], expr_rational(w->ctx, 1, diagonal ? 1 : 2));
        S[at[0] * n + at[1]] = half;
        S[at[1] * n + at[0]] = half;
    }
    return true;
}

/* Never negative, or never positive: then its gradient vanishes wherever it does. */
static bool has_one_sign(finder *w, ah_expr e)
{
    expr_list x = {0};
    const expr_list all = expr_symbols(w->ctx, w->arena, &e, 1);
    for (size_t i = 0; i < all.count; i++)
        if (expr_get_kind(w->ctx, all.at[i]) != AH_PARAMETER) LIST_PUSH(w->arena, &x, all.at[i]);
    if (algebra_one_sign(w->free, e)) return true;
    const size_t n = x.count + 1;
    ah_expr *S = NEW_ARRAY(w->arena, ah_expr, n * n);
    for (int sign = -1; sign <= 1; sign += 2)
        if (quadratic_form(w, expr_mul(w->ctx, expr_int(w->ctx, sign), e), &x, S) &&
            is_semidefinite_matrix(w->ctx, S, n))
            return true;
    return false;
}

static bool is_thin(finder *w, size_t count, const ah_expr *relation)
{
    for (size_t i = 0; i < count; i++)
        if (has_one_sign(w, relation[i])) return true;
    return false;
}

/* An assumption e > 0 (e >= 0) that is a number on the component, and no positive one (a negative
 * one). */
static bool is_excluded(finder *w, size_t count, const ah_expr *relation)
{
    bool excluded = false;
    if (!w->m->facts.count || !algebra_set_relations(w->alg, relation, count)) return false;
    for (size_t i = 0; i < w->m->facts.count && !excluded; i++) {
        const algebra_fact *f = &w->m->facts.at[i];
        ah_expr e = f->e, top, below;
        model_put_values(w->m, &e, 1);
        if (!algebra_fraction(w->alg, e, &top, &below)) continue;
        if (expr_get_op(w->ctx, top) != EXPR_NUMBER || expr_get_op(w->ctx, below) != EXPR_NUMBER)
            continue;
        const double value = expr_number_double(w->ctx, expr_div(w->ctx, top, below));
        excluded = f->border ? value < 0 : f->positive ? !(value > 0) : value == 0;
    }
    algebra_set_relations(w->alg, NULL, 0);
    return excluded;
}

/* ---- Names ----------------------------------------------------------------------------------- */

static const char *name_of(finder *w, const component *c)
{
    text t = text_begin(w->arena);
    for (size_t i = 0; i < c->marks; i++)
        text_printf(&t, "%s%s = 0", i ? ", " : "",
                    expr_text(w->ctx, w->arena, c->mark[i], AH_ASCII));
    return text_end(&t);
}

static void add_component(finder *w, const split_piece *places, const split_piece *speeds)
{
    w->met++;
    const size_t rows = places->count, all = rows + speeds->count;
    ah_expr *relation = NEW_ARRAY(w->arena, ah_expr, all + 1);
    expr_list mark = {0};
    for (size_t i = 0; i < rows; i++) relation[i] = places->relation[i];
    for (size_t i = 0; i < speeds->count; i++) relation[rows + i] = speeds->relation[i];
    for (size_t i = 0; i < rows; i++)
        if (places->split && places->split[i]) LIST_PUSH(w->arena, &mark, places->relation[i]);
    for (size_t i = 0; i < speeds->count; i++)
        if (speeds->split && speeds->split[i]) LIST_PUSH(w->arena, &mark, speeds->relation[i]);
    const component c = {.places = rows,
                         .relations = all,
                         .relation = relation,
                         .marks = mark.count,
                         .mark = mark.at};
    if (is_thin(w, all, relation) || is_excluded(w, all, relation)) return;
    LIST_PUSH(w->arena, &w->found, c);
}

/* ---- Two stages ------------------------------------------------------------------------------ */

static void take_note(finder *w, const split_pieces *p)
{
    w->met += p->flat;
    for (size_t i = 0; i < p->specials; i++) LIST_PUSH(w->arena, &w->out->special, p->special[i]);
    if (p->complete) return;
    if (w->out->complete) w->out->why = p->why;
    w->out->complete = false;
}

bool components_has_root(ah_ctx *ctx, const ah_expr *e, size_t count)
{
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, e, count);
    for (size_t i = 0; i < nodes.count; i++) {
        const expr_op op = expr_get_op(ctx, nodes.at[i]);
        long n;
        if (op == EXPR_POWER && !expr_is_int(ctx, expr_get_children(ctx, nodes.at[i])[1], &n))
            return true;
        if (op == EXPR_CALL && expr_get_function(ctx, nodes.at[i]) == AH_ABS) return true;
    }
    return false;
}

/* Linear rows alone, over all places, have one component: where they are independent their zeros are
 * a bundle over the places. If they have any: those that are homogeneous always do. */
static void add_bundle(finder *w, const expr_list *rows)
{
    const split_piece everywhere = {0};
    const split_piece bundle = {.count = rows->count, .relation = rows->at};
    add_component(w, &everywhere, &bundle);
}

/* sign(u), and all that switches: its square is one, a relation that counts as a row. */
static bool has_sign(ah_ctx *ctx, const ah_expr *e, size_t count)
{
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, e, count);
    for (size_t i = 0; i < nodes.count; i++)
        if (expr_get_op(ctx, nodes.at[i]) == EXPR_CALL &&
            expr_get_function(ctx, nodes.at[i]) == AH_SIGN)
            return true;
    return false;
}

/* The rows' gradients span less than the codimension of the piece, everywhere on it: x'y' = z'w' and
 * x'² = z'² where x' = z' = 0. Then no state of it is regular. */
static bool is_multiple(finder *w, const split_piece *places, const split_piece *speeds,
                        const expr_list *rows)
{
    const uint32_t n = w->m->n, count = (uint32_t) rows->count;
    const size_t all = places->count + speeds->count;
    ah_expr *relation = NEW_ARRAY(w->arena, ah_expr, all + 1);
    ah_expr *J = NEW_ARRAY(w->arena, ah_expr, (size_t) count * n);
    bool proved = false;
    if (components_has_root(w->ctx, rows->at, count) || has_sign(w->ctx, rows->at, count))
        return false; /* it counts as a row, too */
    for (size_t i = 0; i < all; i++)
        relation[i] = i < places->count ? places->relation[i] : speeds->relation[i - places->count];
    for (uint32_t i = 0; i < count; i++)
        expr_gradient(w->ctx, rows->at[i], n, w->m->v.at, J + (size_t) i * n);
    const mat gradients = mat_from_dense(w->ctx, w->arena, count, n, J);
    const bool less = algebra_set_relations(w->alg, relation, all) &&
                      algebra_rank(w->alg, gradients, NULL, &proved) < (int) speeds->count;
    algebra_set_relations(w->alg, NULL, 0);
    return less && proved;
}

/* Velocities over one component of the coordinates. */
static void split_velocities(finder *w, const split_piece *places, const expr_list *rows,
                             rows_kind kind)
{
    expr_list all = {0};
    for (size_t i = 0; i < places->count; i++)
        LIST_PUSH(w->arena, &all, expr_dt(w->ctx, places->relation[i]));
    for (size_t i = 0; i < rows->count; i++) LIST_PUSH(w->arena, &all, rows->at[i]);
    const bool bundle =
        !places->count && kind != ROWS_NONLINEAR && !components_has_root(w->ctx, all.at, all.count);
    if (bundle && (kind == ROWS_HOMOGENEOUS || rows->count == 1)) {
        add_bundle(w, &all);
        return;
    }
    const split_rows q = {.base = places->count,
                          .rows = all.count,
                          .unknowns = w->m->n,
                          .base_relation = places->relation,
                          .row = all.at,
                          .unknown = w->m->v.at};
    split_pieces pieces;
    split_components(w->alg, &q, &pieces);
    if (bundle && (!pieces.complete || pieces.count)) {
        add_bundle(w, &all);
        return;
    }
    take_note(w, &pieces);
    for (size_t i = 0; i < pieces.count; i++)
        if (pieces.count > 1 && is_multiple(w, places, &pieces.at[i], &all))
            w->met++;
        else
            add_component(w, places, &pieces.at[i]);
}

static void split_all(finder *w, const expr_list *f, const expr_list *C, rows_kind kind)
{
    const split_piece everywhere = {0};
    if (!f->count) {
        split_velocities(w, &everywhere, C, kind);
        return;
    }
    const split_rows q = {
        .rows = f->count, .unknowns = w->m->n, .row = f->at, .unknown = w->m->q.at};
    split_pieces places;
    split_components(w->alg, &q, &places);
    take_note(w, &places);
    for (size_t i = 0; i < places.count; i++)
        if (is_thin(w, places.at[i].count, places.at[i].relation))
            w->met++;
        else
            split_velocities(w, &places.at[i], C, kind);
}

/* Where the set could not be taken apart: the factors of single rows, for states to be drawn on
 * each. */
static void add_factors(finder *w, const expr_list *rows, ah_symbol_kind kind)
{
    for (size_t i = 0; i < rows->count; i++) {
        algebra_factors f;
        expr_list open = {0};
        if (!algebra_factor(w->alg, rows->at[i], &f)) continue;
        for (size_t k = 0; k < f.count; k++)
            if (expr_depends_kind(w->ctx, f.factor[k], kind) && !has_one_sign(w, f.factor[k]))
                LIST_PUSH(w->arena, &open, f.factor[k]);
        for (size_t k = 0; open.count > 1 && k < open.count; k++)
            LIST_PUSH(w->arena, &w->found, ((component){.marks = 1, .mark = &open.at[k]}));
    }
}

static const components *find(ah_model *m, arena *a)
{
    finder w = {.m = m, .ctx = m->ctx, .arena = a};
    expr_list f = {0}, C = {0};
    rows_kind kind = ROWS_HOMOGENEOUS;
    LIST(algebra_fact) strict = {0};
    for (size_t i = 0; i < m->facts.count; i++)
        if (!m->facts.at[i].border) LIST_PUSH(a, &strict, m->facts.at[i]);
    w.alg = algebra_create(m->ctx, m->facts.at, m->facts.count);
    w.free = algebra_create(m->ctx, strict.at, strict.count);
    algebra_set_bounds(w.alg, SECONDS, m->ctx->limits.terms);
    algebra_set_bounds(w.free, SECONDS, m->ctx->limits.terms);
    w.out = NEW(a, components);
    w.out->of = m;
    w.out->complete = true;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order == MODEL_HOLONOMIC) LIST_PUSH(a, &f, c->c);
        if (c->order == MODEL_VELOCITY) LIST_PUSH(a, &C, c->c);
        if (c->order != MODEL_VELOCITY) continue;
        const rows_kind own = !c->linear  ? ROWS_NONLINEAR
                              : c->affine ? ROWS_AFFINE
                                          : ROWS_HOMOGENEOUS;
        if (own > kind) kind = own;
    }
    model_put_values(m, f.at, f.count);
    model_put_values(m, C.at, C.count);
    for (size_t i = 0; i < f.count; i++) f.at[i] = unwrap(w.alg, m->ctx, a, f.at[i]);
    for (size_t i = 0; i < C.count; i++) C.at[i] = unwrap(w.alg, m->ctx, a, C.at[i]);
    /* f² = 0 alone; beside others it may only repeat them. */
    if (f.count + C.count == 1 && is_thin(&w, 1, f.count ? f.at : C.at))
        w.met = true;
    else
        split_all(&w, &f, &C, kind);
    if (!w.out->complete) {
        w.found.count = 0;
        add_factors(&w, &f, AH_COORDINATE);
        add_factors(&w, &C, AH_VELOCITY);
    }
    for (size_t i = 0; i < w.found.count; i++) {
        component *c = &w.found.at[i];
        c->name = w.found.count > 1 ? name_of(&w, c) : "";
    }
    w.out->count = w.found.count;
    w.out->at = w.found.at;
    w.out->none = w.out->complete && !w.found.count;
    w.out->contradictory = w.out->none && !w.met;
    if (w.out->none)
        w.out->why = w.met ? "where the constraints hold their gradients vanish or depend on "
                             "each other"
                           : "the constraints contradict each other, but for special places";
    return w.out;
}

/* What is asked for again and again; m->constraints and the facts may have changed meanwhile. */
typedef struct known {
    expr_list of; /* the constraints, then the facts */
    const components *found;
} known;

static bool same_list(const expr_list *a, const expr_list *b)
{
    bool same = a->count == b->count;
    for (size_t i = 0; same && i < a->count; i++) same = a->at[i] == b->at[i];
    return same;
}

const components *components_find(ah_model *m)
{
    static const char key;
    arena *a = &m->ctx->job;
    known *k = *model_kept(m, &key);
    expr_list of = {0};
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &of, m->constraints.at[i].c);
    for (size_t i = 0; i < m->facts.count; i++) LIST_PUSH(a, &of, m->facts.at[i].e);
    if (k && same_list(&k->of, &of)) return k->found;
    if (!k) k = NEW(a, known);
    *k = (known){of, find(m, a)};
    *model_kept(m, &key) = k;
    return k->found;
}

/* Zero on the closure of what pseudo-division covers is zero on the component, which is irreducible
 * and on which no leading coefficient vanishes (algebra_set_relations has looked). */
bool components_vanish_beside(const components *c, algebra *alg, ah_expr e)
{
    bool zero = c->complete && c->count > 0;
    for (size_t i = 0; i < c->count && zero; i++) {
        const component *k = &c->at[i];
        zero = algebra_set_relations(alg, k->relation, k->relations) &&
               algebra_zero(alg, e) == AH_TRUE;
    }
    algebra_set_relations(alg, NULL, 0);
    return zero;
}

bool components_vanish(const components *c, algebra *alg, ah_expr e)
{
    return components_vanish_beside(c, alg, e) && components_vanish_at_switches(c->of, alg, e);
}

ah_model *components_view(ah_model *m, const component *c)
{
    if (!c->relations) return NULL;
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_ACCELERATION) return NULL;
    if (components_has_root(m->ctx, c->relation, c->relations)) return NULL;
    ah_model *view = model_view(m, &m->ctx->job);
    view->rank = (uint32_t) (c->relations - c->places);
    /* z are as many as the largest rank leaves; ω keep their meaning */
    memset(&view->speeds, 0, sizeof view->speeds);
    memset(&view->psi, 0, sizeof view->psi);
    memset(&view->on, 0, sizeof view->on);
    for (size_t i = 0; i < c->marks; i++) LIST_PUSH(&m->ctx->job, &view->on, c->mark[i]);
    return view;
}

const ah_component *components_told(const components *c, arena *a)
{
    ah_component *out = NEW_ARRAY(a, ah_component, c->count);
    for (size_t i = 0; i < c->count; i++)
        out[i] = (ah_component){c->at[i].name, c->at[i].marks, c->at[i].mark};
    return out;
}
