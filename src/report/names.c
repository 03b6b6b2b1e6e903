/* report/names.c - names for what is long and comes again.
 *
 * An author writes Δ for a determinant that stands under every fraction and says once what it is.
 * Which sub-expressions deserve that is a matter of counting characters: a sum of length l that
 * stands c times on the page costs c·l, with a name 2c + l and a line of explanation. A sum of
 * squares of velocities is given the square of a speed, v₁² = ẋ₁² + ẏ₁², as everybody does. */
#include "worksheet.h"

#include <string.h>

#define NAMES_MOST 6
/* Characters that a name must save, in all and as a share of the page: readers must look it up. */
#define NAMES_WORTH       40.0
#define NAMES_WORTH_SHARE 0.03
/* The explanation besides the expression itself: "where Δ = ". */
#define NAMES_EXPLAINING 10.0

/* ---- Counting characters --------------------------------------------------------------------- */

typedef struct census {
    expr_list node; /* ascending: children before parents */
    double *length; /* characters */
    double *times;  /* how often it stands on the page */
} census;

static size_t position(const expr_list *list, ah_expr e)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (list->at[middle] < e)
            low = middle + 1;
        else
            high = middle;
    }
    return low < list->count && list->at[low] == e ? low : SIZE_MAX;
}

/* Greek letters are one character, dots and indices hardly count. */
static double symbol_length(const char *name)
{
    const size_t n = strcspn(name, "0123456789_[");
    return (n > 2 ? 1.5 : (double) n) + 0.5 * (double) (strlen(name) - n);
}

static double length_of(const ah_ctx *ctx, const census *c, ah_expr e)
{
    const ah_expr *child = expr_get_children(ctx, e);
    const size_t count = expr_get_count(ctx, e);
    long p, q;
    double sum = 0;
    switch (expr_get_op(ctx, e)) {
    case EXPR_NUMBER: return !expr_is_rational(ctx, e, &p, &q) ? 12 : q == 1 ? (p < 10 ? 1 : 3) : 3;
    case EXPR_PI: return 1;
    case EXPR_SYMBOL: return symbol_length(expr_get_name(ctx, e));
    default: break;
    }
    for (size_t i = 0; i < count; i++) {
        const bool bracket = expr_get_op(ctx, child[i]) == EXPR_SUM;
        sum += c->length[position(&c->node, child[i])] + (bracket ? 2 : 0);
    }
    switch (expr_get_op(ctx, e)) {
    case EXPR_SUM: return sum + 3 * (double) (count - 1);
    case EXPR_PRODUCT: return sum + 0.5 * (double) (count - 1);
    case EXPR_POWER: return sum;
    default: return sum + 4;
    }
}

static census count_page(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count)
{
    census c = {.node = expr_reachable(ctx, a, roots, count)};
    const size_t n = c.node.count;
    c.length = NEW_ARRAY(a, double, n + 1);
    c.times = NEW_ARRAY(a, double, n + 1);
    for (size_t i = 0; i < n; i++) c.length[i] = length_of(ctx, &c, c.node.at[i]);
    for (size_t i = 0; i < count; i++) c.times[position(&c.node, roots[i])]++;
    for (size_t i = n; i-- > 0;) {
        const ah_expr e = c.node.at[i], *child = expr_get_children(ctx, e);
        for (size_t k = 0; child && k < expr_get_count(ctx, e); k++)
            c.times[position(&c.node, child[k])] += c.times[i];
    }
    return c;
}

double worksheet_length(ah_ctx *ctx, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const census c = count_page(ctx, &ctx->scratch, &e, 1);
    const double length = c.length[c.node.count - 1];
    arena_release(&ctx->scratch, mark);
    return length;
}

/* ---- Choosing -------------------------------------------------------------------------------- */

/* The sum with every term's sign turned: x − y and y − x share a name. */
static ah_expr turned(ah_ctx *ctx, ah_expr sum)
{
    const size_t count = expr_get_count(ctx, sum);
    ah_expr *terms = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    for (size_t i = 0; i < count; i++) terms[i] = expr_neg(ctx, expr_get_children(ctx, sum)[i]);
    return expr_sum(ctx, count, terms);
}

/* A sum of squares of two or three velocities. */
static bool is_speed(const ah_ctx *ctx, ah_expr e)
{
    const size_t count = expr_get_count(ctx, e);
    long two;
    if (count > 3) return false;
    for (size_t i = 0; i < count; i++) {
        const ah_expr term = expr_get_children(ctx, e)[i];
        if (expr_get_op(ctx, term) != EXPR_POWER) return false;
        const ah_expr *power = expr_get_children(ctx, term);
        if (!expr_is_int(ctx, power[1], &two) || two != 2) return false;
        if (expr_get_op(ctx, power[0]) != EXPR_SYMBOL) return false;
        if (expr_get_kind(ctx, power[0]) != AH_VELOCITY) return false;
    }
    return true;
}

typedef struct candidate {
    ah_expr e, opposite; /* opposite: AH_NONE when −e does not occur */
    double gain;
} candidate;

static candidate best_candidate(ah_ctx *ctx, const census *c, double page)
{
    candidate best = {.gain = 0};
    for (size_t i = 0; i < c->node.count; i++) {
        const ah_expr e = c->node.at[i];
        if (expr_get_op(ctx, e) != EXPR_SUM || c->length[i] < 6) continue;
        const ah_expr opposite = turned(ctx, e);
        const size_t j = position(&c->node, opposite);
        if (j != SIZE_MAX && opposite < e) continue; /* already seen from its other side */
        const double times = c->times[i] + (j == SIZE_MAX ? 0 : c->times[j]), l = c->length[i];
        const double gain = times * (l - 1.5) - l - NAMES_EXPLAINING;
        const double worth = is_speed(ctx, e) ? 10 : NAMES_WORTH + NAMES_WORTH_SHARE * page;
        if (times < 2 || gain < worth || gain <= best.gain) continue;
        best = (candidate){e, j == SIZE_MAX ? AH_NONE : opposite, gain};
    }
    return best;
}

/* ---- Naming ---------------------------------------------------------------------------------- */

static bool occurs_in_sheet(const sheet *s, const char *english)
{
    for (size_t i = 0; i < s->nodes.count; i++) {
        const sheet_node *node = &s->nodes.at[i];
        if (node->name && strstr(node->name, english)) return true;
        if (node->formula && strstr(node->formula, english)) return true;
    }
    return false;
}

static bool is_free(const worksheet *w, const char *name)
{
    for (size_t i = 0; i < w->names.count; i++)
        if (!strcmp(expr_get_name(w->ctx, w->names.at[i].symbol), name)) return false;
    return !model_find(w->model, name) && (!name[1] || !occurs_in_sheet(w->eq->sheet, name));
}

static const char *any_name(const worksheet *w)
{
    static const char *const letters[] = {"Delta", "Theta", "Lambda", "Xi", "Phi",
                                          "Omega", "Sigma", "Pi",     "D"};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (is_free(w, letters[i])) return letters[i];
    for (uint32_t i = 1;; i++) {
        const char *name = arena_printf(w->arena, "Delta%u", i);
        if (is_free(w, name)) return name;
    }
}

/* v, with the index that all the velocities have: v1 of ẋ₁² + ẏ₁². */
static const char *speed_name(const worksheet *w, ah_expr e)
{
    const char *index = NULL;
    for (size_t i = 0; i < expr_get_count(w->ctx, e); i++) {
        const ah_expr power = expr_get_children(w->ctx, e)[i];
        const char *name = expr_get_name(w->ctx, expr_get_children(w->ctx, power)[0]);
        const char *digits = name + strcspn(name, "0123456789");
        if (index && strcmp(index, digits)) return NULL;
        index = digits;
    }
    const char *name = arena_printf(w->arena, "v%s", index);
    return is_free(w, name) ? name : NULL;
}

static ws_name make_name(worksheet *w, ah_expr e)
{
    const char *speed = is_speed(w->ctx, e) ? speed_name(w, e) : NULL;
    const ah_expr symbol = expr_symbol(w->ctx, AH_LOCAL, speed ? speed : any_name(w));
    return (ws_name){
        .symbol = symbol, .stands = speed ? expr_powi(w->ctx, symbol, 2) : symbol, .meaning = e};
}

/* ---- Putting in ------------------------------------------------------------------------------ */

static ah_expr rebuilt(ah_ctx *ctx, ah_expr e, const ah_expr *child)
{
    const size_t count = expr_get_count(ctx, e);
    switch (expr_get_op(ctx, e)) {
    case EXPR_SUM: return expr_sum(ctx, count, child);
    case EXPR_PRODUCT: return expr_product(ctx, count, child);
    case EXPR_POWER: return expr_pow(ctx, child[0], child[1]);
    case EXPR_CALL: return expr_call(ctx, expr_get_function(ctx, e), child);
    case EXPR_UNKNOWN:
        return expr_unknown(ctx, expr_get_name(ctx, e), count, child, expr_get_orders(ctx, e));
    default: return e;
    }
}

/* Replaces whole sub-expressions in the roots. */
static void replace(ah_ctx *ctx, ah_expr *roots, size_t count, const ah_expr *from,
                    const ah_expr *to, size_t pairs)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list node = expr_reachable(ctx, &ctx->scratch, roots, count);
    ah_expr *now = NEW_ARRAY(&ctx->scratch, ah_expr, node.count + 1);
    for (size_t i = 0; i < node.count; i++) {
        const ah_expr e = node.at[i];
        const size_t children = expr_get_children(ctx, e) ? expr_get_count(ctx, e) : 0;
        ah_expr *child = NEW_ARRAY(&ctx->scratch, ah_expr, children + 1);
        bool changed = false;
        ctx_tick(ctx);
        now[i] = e;
        for (size_t k = 0; k < children; k++) {
            const ah_expr old = expr_get_children(ctx, e)[k];
            child[k] = now[position(&node, old)];
            if (child[k] != old) changed = true;
        }
        if (changed) now[i] = rebuilt(ctx, e, child);
        for (size_t k = 0; k < pairs; k++)
            if (e == from[k]) now[i] = to[k];
    }
    for (size_t i = 0; i < count; i++) roots[i] = now[position(&node, roots[i])];
    arena_release(&ctx->scratch, mark);
}

/* Every expression that stands on the page, in one list, and back. */
typedef struct page {
    LIST(ah_expr) e;
} page;

static void take(worksheet *w, page *p, const ws_value *v)
{
    if (!v->known) return;
    if (v->factor != AH_NONE) LIST_PUSH(w->arena, &p->e, v->factor);
    for (uint32_t i = 0; i < mat_entries(v->shown); i++)
        LIST_PUSH(w->arena, &p->e, v->shown.val[i]);
}

static page take_page(worksheet *w)
{
    page p = {{0}};
    for (size_t i = 0; i < w->step.count; i++) {
        take(w, &p, &w->step.at[i].q.value);
        take(w, &p, &w->step.at[i].A.value);
        take(w, &p, &w->step.at[i].b.value);
    }
    return p;
}

static const ah_expr *give(worksheet *w, const ah_expr *e, ws_value *v)
{
    if (!v->known) return e;
    if (v->factor != AH_NONE) v->factor = *e++;
    const uint32_t entries = mat_entries(v->shown);
    ah_expr *val = NEW_ARRAY(w->arena, ah_expr, entries + 1);
    if (entries) memcpy(val, e, entries * sizeof *val);
    v->shown.val = val;
    return e + entries;
}

static void give_page(worksheet *w, const page *p)
{
    const ah_expr *e = p->e.at;
    for (size_t i = 0; i < w->step.count; i++) {
        e = give(w, e, &w->step.at[i].q.value);
        e = give(w, e, &w->step.at[i].A.value);
        e = give(w, e, &w->step.at[i].b.value);
    }
}

static bool name_one(worksheet *w, page *p)
{
    ah_ctx *ctx = w->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const census c = count_page(ctx, &ctx->scratch, p->e.at, p->e.count);
    double whole = 0;
    for (size_t i = 0; i < p->e.count; i++) whole += c.length[position(&c.node, p->e.at[i])];
    const candidate best = best_candidate(ctx, &c, whole);
    arena_release(&ctx->scratch, mark);
    if (best.gain <= 0) return false;
    const ws_name name = make_name(w, best.e);
    const ah_expr from[2] = {best.e, best.opposite};
    const ah_expr to[2] = {name.stands, expr_neg(ctx, name.stands)};
    replace(ctx, p->e.at, p->e.count, from, to, best.opposite == AH_NONE ? 1 : 2);
    LIST_PUSH(w->arena, &w->names, name);
    LIST_PUSH(w->arena, &p->e, name.meaning); /* may be shortened by later names */
    return true;
}

/* ---- Explaining ------------------------------------------------------------------------------ */

/* The names in the roots that were not explained yet, and those in their meanings. */
static void explain(worksheet *w, ws_step *step, bool *said, const ah_expr *roots, size_t count)
{
    LIST(uint32_t) found = {0};
    for (size_t done = 0;; done++) {
        const expr_list s = expr_symbols(w->ctx, w->arena, roots, count);
        for (uint32_t k = 0; k < w->names.count; k++) {
            if (said[k] || position(&s, w->names.at[k].symbol) == SIZE_MAX) continue;
            said[k] = true;
            LIST_PUSH(w->arena, &found, k);
        }
        if (done == found.count) break;
        roots = &w->names.at[found.at[done]].meaning;
        count = 1;
    }
    step->where = found.at;
    step->wheres = (uint32_t) found.count;
}

static void explain_all(worksheet *w)
{
    bool *said = NEW_ARRAY(w->arena, bool, w->names.count + 1);
    for (size_t i = 0; i < w->step.count; i++) {
        page p = {{0}};
        take(w, &p, &w->step.at[i].q.value);
        take(w, &p, &w->step.at[i].A.value);
        take(w, &p, &w->step.at[i].b.value);
        if (p.e.count) explain(w, &w->step.at[i], said, p.e.at, p.e.count);
    }
}

void worksheet_find_names(worksheet *w)
{
    page p = take_page(w);
    const size_t own = p.e.count;
    while (w->names.count < NAMES_MOST && name_one(w, &p)) {
    }
    for (size_t i = 0; i < w->names.count; i++) w->names.at[i].meaning = p.e.at[own + i];
    give_page(w, &p);
    explain_all(w);
}
