/* making/links.c - see links.h. */
#include "links.h"

#include <math.h>
#include <stdlib.h>

/* Larger systems keep their velocities: rows are compared with one another. */
#define MOST_VELOCITIES 64
#define MOST_VARIABLES  400
/* A coefficient that counts more than this is not simplified; one that still counts more than that gets a name. */
#define SIMPLIFIED_BELOW 60
#define NAMED_FROM       4
/* Names of new variables, beside those of other frames. */
#define FIRST_NUMBER 101
/* Powers of two: nearer to 1 it is not worth an operation, farther it is an accident of the state. */
#define LEAST_SCALE 4
#define MOST_SCALE  40

typedef struct link_row {
    links_form f;
    uint32_t defined; /* the sum whose row it is; 0: a constraint */
    bool done, opened;
} link_row;

typedef struct linking {
    point *p;
    ah_ctx *ctx;
    arena *a;
    algebra *alg;
    links *l;
    LIST(link_row) rows;
    uint32_t first;            /* of the sums … */
    LIST(links_form) plain;    /* … by v alone */
    expr_list names, meanings; /* coefficients, and what they are by t and q alone */
    uint32_t made;             /* new variables */
} linking;

/* ---- Coefficients ---------------------------------------------------------------------------- */

static bool depends_on_state(ah_ctx *ctx, ah_expr e)
{
    return expr_depends_kind(ctx, e, AH_COORDINATE) || expr_depends_kind(ctx, e, AH_VELOCITY) ||
           expr_depends_kind(ctx, e, AH_TIME) || expr_depends_kind(ctx, e, AH_LOCAL);
}

static bool is_number(const linking *w, ah_expr e)
{
    if (depends_on_state(w->ctx, e)) return false;
    const double value = point_eval(w->p, e);
    return isfinite(value) && value != 0;
}

/* Operations outside of sines and other functions. */
static size_t weight(const linking *w, ah_expr e)
{
    const expr_op op = expr_get_op(w->ctx, e);
    size_t sum = 0;
    if (op != EXPR_SUM && op != EXPR_PRODUCT && op != EXPR_POWER) return 0;
    for (size_t i = 0; i < expr_get_count(w->ctx, e); i++)
        sum += 1 + weight(w, expr_get_children(w->ctx, e)[i]);
    return sum - 1;
}

static ah_expr short_form(linking *w, ah_expr e)
{
    const size_t before = expr_operations(w->ctx, &e, 1);
    if (before > SIMPLIFIED_BELOW) return e;
    const ah_expr simple = links_contracted(w->ctx, algebra_simplify(w->alg, e));
    const ah_expr plain = links_contracted(w->ctx, e);
    return weight(w, simple) <= weight(w, plain) ? simple : plain;
}

/* What counts as much as `from`. */
static ah_expr named(linking *w, ah_expr e, size_t from)
{
    if (weight(w, e) < from || !depends_on_state(w->ctx, e)) return e;
    for (size_t i = 0; i < w->l->coefficients.count; i++)
        if (w->l->coefficients.at[i].value == e) return w->l->coefficients.at[i].symbol;
    const char *name = arena_printf(&w->ctx->scratch, "#k%u", (unsigned) w->l->coefficients.count);
    const recipe_step step = {expr_symbol(w->ctx, AH_LOCAL, name), e};
    const ah_expr meaning = expr_subst(w->ctx, e, w->names.count, w->names.at, w->meanings.at);
    LIST_PUSH(w->a, &w->names, step.symbol);
    LIST_PUSH(w->a, &w->meanings, expr_closed(w->ctx, meaning));
    LIST_PUSH(w->a, &w->l->coefficients, step);
    return step.symbol;
}

/* With names replaced by what they stand for. */
static ah_expr spelt(const linking *w, ah_expr e)
{
    return expr_subst(w->ctx, e, w->names.count, w->names.at, w->meanings.at);
}

typedef struct turn_term { /* k f(a) g(b); f, g: sine or cosine */
    ah_expr k, a, b;
    bool sine_a, sine_b;
} turn_term;

static bool read_turns(ah_ctx *ctx, ah_expr e, turn_term *out)
{
    uint32_t found = 0;
    if (expr_get_op(ctx, e) != EXPR_PRODUCT) return false;
    out->k = expr_int(ctx, 1);
    const size_t count = expr_get_count(ctx, e);
    for (size_t i = 0; i < count; i++) {
        const ah_expr c = expr_get_children(ctx, e)[i]; /* they may have moved */
        const bool call =
            expr_get_op(ctx, c) == EXPR_CALL &&
            (expr_get_function(ctx, c) == AH_SIN || expr_get_function(ctx, c) == AH_COS);
        if (!call) {
            out->k = expr_mul(ctx, out->k, c);
            continue;
        }
        if (found == 2) return false;
        *(found ? &out->b : &out->a) = expr_get_children(ctx, c)[0];
        *(found ? &out->sine_b : &out->sine_a) = expr_get_function(ctx, c) == AH_SIN;
        found++;
    }
    if (found < 2) return false;
    if (out->a > out->b) {
        const turn_term x = *out;
        *out = (turn_term){x.k, x.b, x.a, x.sine_b, x.sine_a};
    }
    return true;
}

/* x + y as one sine or cosine; AH_NONE: they are none. */
static ah_expr turned(ah_ctx *ctx, const turn_term *x, const turn_term *y)
{
    const bool same = x->k == y->k, opposite = y->k == expr_neg(ctx, x->k);
    if (x->a != y->a || x->b != y->b || x->sine_a == y->sine_a || x->sine_b == y->sine_b ||
        !(same || opposite))
        return AH_NONE;
    const ah_expr sum = expr_add(ctx, x->a, x->b), difference = expr_sub(ctx, x->a, x->b);
    if (x->sine_a == x->sine_b) { /* of cos cos and sin sin the first, whichever it is */
        const ah_expr k = x->sine_a ? y->k : x->k;
        return expr_mul(ctx, k, expr_call1(ctx, AH_COS, same ? difference : sum));
    }
    const ah_expr k = x->sine_a ? x->k : y->k; /* of sin a cos b */
    return expr_mul(ctx, k, expr_call1(ctx, AH_SIN, same ? sum : difference));
}

ah_expr links_contracted(ah_ctx *ctx, ah_expr e)
{
    if (expr_get_op(ctx, e) != EXPR_SUM) return e;
    const size_t count = expr_get_count(ctx, e);
    for (size_t i = 0; i < count; i++) {
        turn_term x, y;
        if (!read_turns(ctx, expr_get_children(ctx, e)[i], &x)) continue;
        for (size_t j = i + 1; j < count; j++) {
            if (!read_turns(ctx, expr_get_children(ctx, e)[j], &y)) continue;
            const ah_expr both = turned(ctx, &x, &y);
            if (both == AH_NONE) continue;
            const ah_expr first = expr_get_children(ctx, e)[i],
                          second = expr_get_children(ctx, e)[j];
            const ah_expr rest = expr_sub(ctx, expr_sub(ctx, e, first), second);
            return links_contracted(ctx, expr_add(ctx, rest, both));
        }
    }
    return e;
}

/* ---- Forms ----------------------------------------------------------------------------------- */

void links_add(ah_ctx *ctx, arena *a, links_form *form, uint32_t x, ah_expr by)
{
    for (size_t i = 0; i < form->count; i++)
        if (form->at[i].of == x) {
            form->at[i].by = expr_add(ctx, form->at[i].by, by);
            return;
        }
    LIST_PUSH(a, form, ((links_term){x, by}));
}

/* to += by form. */
static void add_form(ah_ctx *ctx, arena *a, links_form *to, ah_expr by, const links_form *form)
{
    for (size_t i = 0; i < form->count; i++)
        links_add(ctx, a, to, form->at[i].of, expr_mul(ctx, by, form->at[i].by));
}

static uint32_t variable_of(const links *l, ah_expr e)
{
    for (size_t i = 0; i < l->sums.count; i++)
        if (l->sums.at[i].value == e) e = l->sums.at[i].symbol;
    for (uint32_t i = 1; i < l->variables.count; i++)
        if (l->variables.at[i].symbol == e) return i;
    return 0;
}

static bool form_of_node(ah_ctx *ctx, arena *a, const links *l, ah_expr e, links_form *out)
{
    const expr_op op = expr_get_op(ctx, e);
    const size_t count = expr_get_count(ctx, e);
    ah_expr by = expr_int(ctx, 1), moving = AH_NONE;
    links_form inner = {0};
    if (op == EXPR_SUM) {
        for (size_t i = 0; i < count; i++) {
            links_form term = {0};
            if (!links_form_of(ctx, a, l, expr_get_children(ctx, e)[i], &term)) return false;
            add_form(ctx, a, out, by, &term);
        }
        return true;
    }
    if (op != EXPR_PRODUCT) return false;
    for (size_t i = 0; i < count; i++) {
        const ah_expr c = expr_get_children(ctx, e)[i];
        if (!expr_depends_kind(ctx, c, AH_VELOCITY))
            by = expr_mul(ctx, by, c);
        else if (moving != AH_NONE)
            return false;
        else
            moving = c;
    }
    if (!links_form_of(ctx, a, l, moving, &inner)) return false;
    add_form(ctx, a, out, by, &inner);
    return true;
}

bool links_form_of(ah_ctx *ctx, arena *a, const links *l, ah_expr e, links_form *out)
{
    *out = (links_form){0};
    if (expr_is_zero(ctx, e)) return true;
    const uint32_t x = variable_of(l, e);
    if (x || !expr_depends_kind(ctx, e, AH_VELOCITY)) {
        links_add(ctx, a, out, x, x ? expr_int(ctx, 1) : e);
        return true;
    }
    return form_of_node(ctx, a, l, e, out);
}

/* Its coefficients short, zeros left out. */
static void tidy(linking *w, links_form *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < f->count; i++) {
        const ah_expr by = named(w, short_form(w, f->at[i].by), NAMED_FROM);
        if (!expr_is_zero(w->ctx, by)) f->at[kept++] = (links_term){f->at[i].of, by};
    }
    f->count = kept;
}

static ah_expr coefficient(const linking *w, const links_form *f, uint32_t x)
{
    for (size_t i = 0; i < f->count; i++)
        if (f->at[i].of == x) return f->at[i].by;
    return expr_int(w->ctx, 0);
}

static links_form without(const linking *w, const links_form *f, uint32_t x)
{
    links_form out = {0};
    for (size_t i = 0; i < f->count; i++)
        if (f->at[i].of != x) LIST_PUSH(w->a, &out, f->at[i]);
    return out;
}

/* ---- Variables ------------------------------------------------------------------------------- */

static uint32_t add_variable(linking *w, ah_expr symbol, ah_expr through)
{
    const links_variable x = {.symbol = symbol, .through = through};
    LIST_PUSH(w->a, &w->l->variables, x);
    return (uint32_t) w->l->variables.count - 1;
}

static bool is_open(const linking *w, uint32_t x)
{
    return x && !w->l->variables.at[x].known;
}

/* Is y made of x? What was seen is not looked at again. */
static bool rests_on(const linking *w, bool *seen, uint32_t y, uint32_t x)
{
    const links_variable *v = &w->l->variables.at[y];
    if (y == x) return true;
    if (seen[y]) return false;
    seen[y] = true;
    for (size_t i = 0; v->known && i < v->is.count; i++)
        if (rests_on(w, seen, v->is.at[i].of, x)) return true;
    return false;
}

/* No variable of the row that is known is made of x: its coefficient is what it seems. */
static bool stands_free(const linking *w, const links_form *f, uint32_t x)
{
    const arena_mark mark = arena_get_mark(&w->ctx->scratch);
    bool *seen = NEW_ARRAY(&w->ctx->scratch, bool, w->l->variables.count), good = true;
    for (size_t i = 0; i < f->count && good; i++)
        good = f->at[i].of == x || is_open(w, f->at[i].of) || !rests_on(w, seen, f->at[i].of, x);
    arena_release(&w->ctx->scratch, mark);
    return good;
}

static void put_in(linking *w, link_row *r, uint32_t x)
{
    const ah_expr by = coefficient(w, &r->f, x);
    if (expr_is_zero(w->ctx, by)) return;
    r->f = without(w, &r->f, x);
    add_form(w->ctx, w->a, &r->f, by, &w->l->variables.at[x].is);
    tidy(w, &r->f);
}

static void find(linking *w, uint32_t x, links_form is)
{
    links_variable *v = &w->l->variables.at[x];
    tidy(w, &is);
    v->known = true;
    v->is = is;
    for (size_t i = 0; is.count < 2 && i < w->rows.count; i++)
        if (!w->rows.at[i].done) put_in(w, &w->rows.at[i], x);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

static bool by_number(linking *w, link_row *r, bool defining)
{
    if (r->done || (r->defined != 0) != defining) return false;
    for (size_t i = 0; i < r->f.count; i++) {
        const links_term t = r->f.at[i];
        if (!is_open(w, t.of) || (defining && t.of != r->defined) || !is_number(w, t.by) ||
            !stands_free(w, &r->f, t.of))
            continue;
        links_form is = {0};
        const links_form rest = without(w, &r->f, t.of);
        add_form(w->ctx, w->a, &is, expr_neg(w->ctx, expr_powi(w->ctx, t.by, -1)), &rest);
        r->done = true;
        find(w, t.of, is);
        return true;
    }
    return false;
}

/* What makes a vector of this length, here, one of about 1: a power of two. Along a chain lengths would multiply, and the new
 * variable be far from the sizes of velocities, which tolerances are meant for. */
static ah_expr scale_of(const linking *w, ah_expr square)
{
    const double size = point_eval(w->p, square);
    int power = 0;
    if (isfinite(size) && size > 0) frexp(size, &power);
    power /= 2;
    if (abs(power) < LEAST_SCALE || abs(power) > MOST_SCALE) power = 0;
    return expr_powi(w->ctx, expr_int(w->ctx, 2), -power);
}

/* Variables x are the vector `along` times a new one. A direction stays as it is: its products with others become short. */
static void cross(linking *w, uint32_t count, const uint32_t *x, ah_expr *along)
{
    ah_ctx *ctx = w->ctx;
    ah_expr square = expr_int(ctx, 0), through = expr_int(ctx, 0), by[3];
    for (uint32_t i = 0; i < count; i++)
        square = expr_add(ctx, square, expr_powi(ctx, spelt(w, along[i]), 2));
    const ah_expr scale = scale_of(w, square);
    square = expr_int(ctx, 0);
    for (uint32_t i = 0; i < count; i++) {
        along[i] = expr_mul(ctx, scale, along[i]);
        by[i] = spelt(w, along[i]);
        square = expr_add(ctx, square, expr_powi(ctx, by[i], 2));
        through = expr_add(ctx, through, expr_mul(ctx, by[i], w->l->variables.at[x[i]].through));
    }
    square = short_form(w, square);
    const uint32_t u =
        add_variable(w, attitudes_symbol(w->p, FIRST_NUMBER + w->made++),
                     expr_div(ctx, expr_closed(ctx, through), expr_closed(ctx, square)));
    const bool direction = expr_is_fixed(ctx, square);
    for (uint32_t i = 0; i < count; i++) {
        links_form is = {0};
        links_add(ctx, w->a, &is, u, direction ? along[i] : named(w, along[i], 1));
        find(w, x[i], is);
    }
}

static bool by_pair(linking *w, link_row *r)
{
    if (r->done || r->f.count != 2) return false;
    const uint32_t x[] = {r->f.at[0].of, r->f.at[1].of};
    if (!is_open(w, x[0]) || !is_open(w, x[1])) return false;
    ah_expr along[] = {r->f.at[1].by, expr_neg(w->ctx, r->f.at[0].by)};
    r->done = true;
    cross(w, 2, x, along);
    return true;
}

/* x and y from two rows whose determinant in them is a number. */
static bool solve_two(linking *w, link_row *r, link_row *s, uint32_t x, uint32_t y)
{
    ah_ctx *ctx = w->ctx;
    const ah_expr a = coefficient(w, &r->f, x), b = coefficient(w, &r->f, y);
    const ah_expr c = coefficient(w, &s->f, x), d = coefficient(w, &s->f, y);
    const ah_expr det = short_form(w, expr_sub(ctx, expr_mul(ctx, a, d), expr_mul(ctx, b, c)));
    links_form first = {0}, second = {0};
    if (!is_number(w, det)) return false;
    const ah_expr per = expr_powi(ctx, det, -1), minus = expr_neg(ctx, per);
    const links_form rest = without(w, &r->f, x), rest_r = without(w, &rest, y);
    const links_form other = without(w, &s->f, x), rest_s = without(w, &other, y);
    add_form(ctx, w->a, &first, expr_mul(ctx, minus, d), &rest_r);
    add_form(ctx, w->a, &first, expr_mul(ctx, per, b), &rest_s);
    add_form(ctx, w->a, &second, expr_mul(ctx, per, c), &rest_r);
    add_form(ctx, w->a, &second, expr_mul(ctx, minus, a), &rest_s);
    r->done = s->done = true;
    find(w, x, first);
    find(w, y, second);
    return true;
}

/* A variable of both rows below another one, as large as possible, that both might be solved for; 0: none. */
static uint32_t next_common(const linking *w, const link_row *r, const link_row *s, uint32_t below)
{
    uint32_t found = 0;
    for (size_t i = 0; i < r->f.count; i++) {
        const uint32_t x = r->f.at[i].of;
        if (x > found && x < below && is_open(w, x) &&
            !expr_is_zero(w->ctx, coefficient(w, &s->f, x)) && stands_free(w, &r->f, x) &&
            stands_free(w, &s->f, x))
            found = x;
    }
    return found;
}

/* The last of the variables first: what comes later in a chain follows from what comes before. */
static bool by_determinant(linking *w, link_row *r, link_row *s)
{
    if (r->done || s->done) return false;
    for (uint32_t x = next_common(w, r, s, UINT32_MAX); x; x = next_common(w, r, s, x))
        for (uint32_t y = next_common(w, r, s, x); y; y = next_common(w, r, s, y))
            if (solve_two(w, r, s, x, y)) return true;
    return false;
}

static bool by_three(linking *w, link_row *r, link_row *s)
{
    uint32_t x[3], count = 0;
    if (r->done || s->done) return false;
    for (int i = 0; i < 2; i++) {
        const links_form *f = i ? &s->f : &r->f;
        for (size_t k = 0; k < f->count; k++) {
            bool seen = false;
            for (uint32_t j = 0; j < count; j++) seen = seen || x[j] == f->at[k].of;
            if (seen) continue;
            if (count == 3 || !is_open(w, f->at[k].of)) return false;
            x[count++] = f->at[k].of;
        }
    }
    if (count != 3) return false;
    ah_vector side[2];
    for (int k = 0; k < 3; k++) {
        side[0].c[k] = coefficient(w, &r->f, x[k]);
        side[1].c[k] = coefficient(w, &s->f, x[k]);
    }
    const ah_vector across = vector_cross(w->ctx, side[0], side[1]);
    ah_expr along[3];
    for (int k = 0; k < 3; k++) along[k] = short_form(w, across.c[k]);
    r->done = s->done = true;
    cross(w, 3, x, along);
    return true;
}

/* Known variables of a row replaced by what they are: multiplied out, where nothing else is left. */
static bool by_opening(linking *w, link_row *r)
{
    if (r->done || r->opened) return false;
    for (uint32_t x = (uint32_t) w->l->variables.count; x-- > 1;)
        if (!is_open(w, x)) put_in(w, r, x);
    r->opened = true;
    return true;
}

static bool take_rows(linking *w)
{
    const size_t count = w->rows.count;
    link_row *r = w->rows.at;
    for (size_t i = 0; i < count; i++)
        if (by_number(w, &r[i], false)) return true;
    for (size_t i = 0; i < count; i++)
        if (!r[i].defined && by_pair(w, &r[i])) return true;
    for (int how = 0; how < 2; how++)
        for (size_t i = 0; i < count; i++)
            for (size_t j = i + 1; j < count; j++)
                if (how ? by_three(w, &r[i], &r[j]) : by_determinant(w, &r[i], &r[j])) return true;
    for (size_t i = 0; i < count; i++)
        if (by_number(w, &r[i], true) || by_pair(w, &r[i])) return true;
    for (size_t i = 0; i < count; i++)
        if (by_opening(w, &r[i])) return true;
    return false;
}

static bool is_done(const linking *w)
{
    bool done = true;
    for (size_t i = 0; i < w->rows.count; i++) done = done && w->rows.at[i].done;
    return done;
}

/* ---- Rows ------------------------------------------------------------------------------------ */

/* Of a sum, by v alone: what it is without another one. */
static links_form less(linking *w, const links_form *f, const links_form *before)
{
    links_form out = {0};
    size_t kept = 0;
    add_form(w->ctx, w->a, &out, expr_int(w->ctx, 1), f);
    add_form(w->ctx, w->a, &out, expr_int(w->ctx, -1), before);
    for (size_t i = 0; i < out.count; i++)
        if (!expr_is_zero(w->ctx, out.at[i].by)) out.at[kept++] = out.at[i];
    out.count = kept;
    return out;
}

/* The sum itself, or through the one before it that has most of its terms. */
static bool sum_row(linking *w, ah_expr e, uint32_t x)
{
    link_row r = {.defined = x};
    const links none = {.variables = w->l->variables};
    uint32_t before = 0;
    links_form plain;
    if (!links_form_of(w->ctx, w->a, &none, e, &plain)) return false;
    r.f = plain;
    for (uint32_t i = 0; i < w->plain.count; i++) {
        const links_form rest = less(w, &plain, &w->plain.at[i]);
        if (rest.count + 1 >= r.f.count + (before != 0)) continue;
        r.f = rest;
        before = w->first + i;
    }
    LIST_PUSH(w->a, &w->plain, plain);
    if (before) links_add(w->ctx, w->a, &r.f, before, expr_int(w->ctx, 1));
    links_add(w->ctx, w->a, &r.f, x, expr_int(w->ctx, -1));
    tidy(w, &r.f);
    LIST_PUSH(w->a, &w->rows, r);
    return true;
}

static bool add_sum(linking *w, ah_expr e)
{
    ah_ctx *ctx = w->ctx;
    if (expr_get_op(ctx, e) != EXPR_SUM || !expr_depends_kind(ctx, e, AH_VELOCITY)) return true;
    if (variable_of(w->l, e)) return true;
    const char *name = arena_printf(&ctx->scratch, "#u%u", (unsigned) w->l->variables.count);
    const ah_expr symbol = expr_symbol(ctx, AH_LOCAL, name);
    const uint32_t x = add_variable(w, symbol, e);
    if (!sum_row(w, e, x)) return false;
    LIST_PUSH(w->a, &w->l->sums, ((recipe_step){symbol, e}));
    const ah_expr closed = expr_closed(ctx, e);
    if (closed != e) LIST_PUSH(w->a, &w->l->sums, ((recipe_step){symbol, closed}));
    return true;
}

static bool make_rows(linking *w)
{
    const ah_model *m = w->p->model;
    const mechanics *k = w->p->mech;
    for (size_t i = 0; i < m->parts.count; i++)
        for (int c = 0; c < 3; c++)
            if (!add_sum(w, m->parts.at[i].velocity.c[c])) return false;
    for (uint32_t i = 0; i < k->r; i++) {
        link_row r = {0};
        if (!links_form_of(w->ctx, w->a, w->l, mat_get(w->ctx, k->C, i, 0), &r.f)) return false;
        tidy(w, &r.f);
        LIST_PUSH(w->a, &w->rows, r);
    }
    return w->l->variables.count <= MOST_VARIABLES;
}

/* ---- The frame ------------------------------------------------------------------------------- */

static void put_in_order(linking *w, bool *placed, uint32_t x)
{
    const links_variable *v = &w->l->variables.at[x];
    if (!x || !v->known || placed[x]) return;
    placed[x] = true;
    for (size_t i = 0; i < v->is.count; i++) put_in_order(w, placed, v->is.at[i].of);
    LIST_PUSH(w->a, &w->l->order, x);
}

/* All variables by those that are left, sums closed: the graph is as long as the chain. */
static ah_expr *spell_all(linking *w)
{
    ah_expr *value = NEW_ARRAY(w->a, ah_expr, w->l->variables.count);
    for (uint32_t i = 0; i < w->l->variables.count; i++) value[i] = w->l->variables.at[i].symbol;
    for (size_t i = 0; i < w->l->order.count; i++) {
        const links_form *f = &w->l->variables.at[w->l->order.at[i]].is;
        ah_expr sum = expr_int(w->ctx, 0);
        for (size_t k = 0; k < f->count; k++)
            sum = expr_add(
                w->ctx, sum,
                expr_mul(w->ctx, expr_closed(w->ctx, spelt(w, f->at[k].by)), value[f->at[k].of]));
        value[w->l->order.at[i]] = expr_closed(w->ctx, sum);
    }
    return value;
}

static attitude_frame frame_of(linking *w)
{
    ah_ctx *ctx = w->ctx;
    const uint32_t n = w->p->mech->n, all = (uint32_t) w->l->variables.count;
    bool *placed = NEW_ARRAY(w->a, bool, all);
    ah_expr *symbol = NEW_ARRAY(w->a, ah_expr, all), *f = NEW_ARRAY(w->a, ah_expr, all);
    uint32_t *row = NEW_ARRAY(w->a, uint32_t, all), count = 0;
    for (uint32_t i = 1; i < all; i++) put_in_order(w, placed, i);
    for (uint32_t i = 1; i < all; i++) {
        if (w->l->variables.at[i].known) continue;
        row[count] = count;
        f[count] = w->l->variables.at[i].through;
        symbol[count++] = w->l->variables.at[i].symbol;
    }
    const mat column = mat_from_dense(ctx, w->a, count, 1, f);
    return (attitude_frame){.count = count,
                            .symbol = symbol,
                            .row = row,
                            .psi = spell_all(w) + 1,
                            .f = column,
                            .f_v = mat_jacobian(ctx, w->a, column, n, w->p->model->v.at),
                            .links = w->l,
                            .watched = true};
}

static bool applies(const point *p)
{
    const mechanics *k = p->mech;
    const ah_model *m = p->model;
    return k->r && k->r < k->n && k->n <= MOST_VELOCITIES && k->rank == k->r && k->linear &&
           !k->second_class && !k->tree && !m->speeds.count && !m->switches.count &&
           !m->attitudes.count && !independent_jump(p, mat_to_dense(p->ctx, p->arena, k->C), k->r);
}

bool links_frame(point *p, attitude_frame *out)
{
    if (!applies(p)) return false;
    linking w = {.p = p, .ctx = p->ctx, .a = p->arena, .alg = p->mech->alg};
    w.l = NEW(w.a, links);
    add_variable(&w, expr_int(p->ctx, 1), expr_int(p->ctx, 1));
    w.l->variables.at[0].known = true; /* of nothing */
    for (uint32_t i = 0; i < p->mech->n; i++)
        add_variable(&w, p->model->v.at[i], p->model->v.at[i]);
    w.first = (uint32_t) w.l->variables.count;
    if (!make_rows(&w)) return false;
    while (!is_done(&w))
        if (!take_rows(&w)) return false;
    *out = frame_of(&w);
    return out->count == p->mech->n - p->mech->r;
}
