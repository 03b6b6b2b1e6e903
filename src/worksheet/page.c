/* worksheet/page.c - counting characters, and replacing what they say. */
#include "page.h"

#include <math.h>
#include <string.h>

/* What stands in a matrix makes its whole column wide: it counts so many times. */
#define PAGE_TABLE 2.0

ah_expr page_turned(ah_ctx *ctx, ah_expr sum)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const size_t count = expr_get_count(ctx, sum);
    ah_expr *terms = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    for (size_t i = 0; i < count; i++) terms[i] = expr_neg(ctx, expr_get_children(ctx, sum)[i]);
    const ah_expr e = expr_sum(ctx, count, terms);
    arena_release(&ctx->scratch, mark);
    return e;
}

/* Of a root that is the negative of a sum, the sum. */
static ah_expr unsigned_root(ah_ctx *ctx, ah_expr e)
{
    long minus;
    if (expr_get_op(ctx, e) != EXPR_PRODUCT || expr_get_count(ctx, e) != 2) return e;
    const ah_expr *child = expr_get_children(ctx, e);
    return expr_is_int(ctx, child[0], &minus) && minus == -1 ? child[1] : e;
}

bool page_is_negative(const ah_ctx *ctx, ah_expr term)
{
    const ah_expr first =
        expr_get_op(ctx, term) == EXPR_PRODUCT ? expr_get_children(ctx, term)[0] : term;
    return expr_get_op(ctx, first) == EXPR_NUMBER && expr_number_sign(ctx, first) < 0;
}

ah_expr page_signed(ah_ctx *ctx, ah_expr e)
{
    const ah_expr sum = unsigned_root(ctx, e);
    if (sum == e || expr_get_op(ctx, sum) != EXPR_SUM) return e;
    for (size_t i = 0; i < expr_get_count(ctx, sum); i++)
        if (!page_is_negative(ctx, expr_get_children(ctx, sum)[i])) return e;
    return page_turned(ctx, sum);
}

bool page_faces(ah_ctx *ctx, ah_expr sum)
{
    const ah_expr square = expr_powi(ctx, sum, 2);
    return expr_get_op(ctx, square) == EXPR_POWER && expr_get_children(ctx, square)[0] == sum;
}

/* ---- Values at arbitrary states -------------------------------------------------------------- */

#define PAGE_AGREE 1e-9

double page_arbitrary(uint32_t slot, int which)
{
    const double x = (slot + 1) * 0.6180339887498949 + (which + 1) * 0.7548776662466927;
    return 0.4 + 1.2 * (x - floor(x)); /* exact, and quicker than fmod */
}

void page_set_arbitrary(frame *state, const expr_list *symbols, int which)
{
    for (size_t i = 0; i < symbols->count; i++) {
        const uint32_t slot = expr_slot(state->ctx, symbols->at[i]);
        frame_put(state, slot, page_arbitrary(slot, which));
    }
}

double *page_slopes(worksheet *w, ah_expr e, size_t letters, const ah_expr *letter)
{
    arena *scratch = &w->ctx->scratch;
    double *out = NEW_ARRAY(w->arena, double, PAGE_STATES *letters + 1);
    const arena_mark mark = arena_get_mark(scratch);
    ah_expr *slope = NEW_ARRAY(scratch, ah_expr, letters + 1);
    expr_gradient(w->ctx, e, letters, letter, slope);
    const expr_plan *plan = expr_plan_create(w->ctx, scratch, slope, letters);
    frame *state = frame_create(w->ctx, scratch, NAN);
    const expr_list symbols = expr_symbols(w->ctx, scratch, slope, letters);
    for (int k = 0; k < PAGE_STATES; k++) {
        page_set_arbitrary(state, &symbols, k);
        expr_plan_run(plan, state, &out[(size_t) k * letters]);
    }
    arena_release(scratch, mark);
    return out;
}

/* What has no value may be anything. */
bool page_differ(double a, double b)
{
    return fabs(a - b) > PAGE_AGREE * (fabs(a) + fabs(b));
}

/* ---- From the steps and back ----------------------------------------------------------------- */

static void take(worksheet *w, page *p, const ws_value *v, uint32_t step, bool own)
{
    if (!v->known) return;
    if (v->factor != AH_NONE)
        LIST_PUSH(w->arena, &p->root,
                  ((page_root){v->factor, step, PAGE_ELSEWHERE, PAGE_ELSEWHERE, false}));
    own = own && v->factor == AH_NONE;
    for (uint32_t i = 0; i < v->shown.rows; i++)
        for (uint32_t k = v->shown.start[i]; k < v->shown.start[i + 1]; k++)
            LIST_PUSH(w->arena, &p->root,
                      ((page_root){v->shown.val[k], step, own ? i : PAGE_ELSEWHERE,
                                   own ? v->shown.col[k] : PAGE_ELSEWHERE, v->shown.cols == 1}));
}

static void take_step(worksheet *w, page *p, uint32_t i)
{
    const ws_step *step = &w->step.at[i];
    if (step->in_parts) return; /* they have names of their own */
    take(w, p, &step->left, i, false);
    take(w, p, &step->q.value, i, true);
}

page page_take(worksheet *w)
{
    page p = {{0}};
    for (uint32_t i = 0; i < w->step.count; i++) take_step(w, &p, i);
    return p;
}

page page_of_step(worksheet *w, uint32_t step)
{
    page p = {{0}};
    take_step(w, &p, step);
    return p;
}

const ah_expr *page_expressions(worksheet *w, const page *p)
{
    ah_expr *e = NEW_ARRAY(w->arena, ah_expr, p->root.count + 1);
    for (size_t i = 0; i < p->root.count; i++) e[i] = p->root.at[i].e;
    return e;
}

static const page_root *give(worksheet *w, const page_root *from, ws_value *v)
{
    if (!v->known) return from;
    if (v->factor != AH_NONE) v->factor = (from++)->e;
    const uint32_t entries = mat_entries(v->shown);
    ah_expr *val = NEW_ARRAY(w->arena, ah_expr, entries + 1);
    for (uint32_t i = 0; i < entries; i++) val[i] = page_signed(w->ctx, (from++)->e);
    v->shown.val = val;
    return from;
}

void page_give(worksheet *w, const page *p)
{
    const page_root *from = p->root.at;
    for (size_t i = 0; i < w->step.count; i++) {
        if (w->step.at[i].in_parts) continue;
        from = give(w, from, &w->step.at[i].left);
        from = give(w, from, &w->step.at[i].q.value);
    }
}

/* ---- Counting -------------------------------------------------------------------------------- */

/* Greek letters are one character, dots and indices hardly count. */
static double symbol_length(const char *name)
{
    const size_t n = strcspn(name, "0123456789_[");
    return (n > 2 ? 1.5 : (double) n) + 0.5 * (double) (strlen(name) - n);
}

static double leaf_length(const ah_ctx *ctx, ah_expr e)
{
    long p, q;
    switch (expr_get_op(ctx, e)) {
    case EXPR_SYMBOL: return symbol_length(expr_get_name(ctx, e));
    case EXPR_NUMBER: break;
    default: return 1;
    }
    if (!expr_is_rational(ctx, e, &p, &q)) return 12;
    return q != 1 || p > 9 || p < -9 ? 3 : 1;
}

double page_length(const ah_ctx *ctx, ah_expr e, const double *length)
{
    const ah_expr *child = expr_get_children(ctx, e);
    const size_t count = child ? expr_get_count(ctx, e) : 0;
    double sum = 0;
    if (!count) return leaf_length(ctx, e);
    for (size_t i = 0; i < count; i++)
        sum += length[i] + (expr_get_op(ctx, child[i]) == EXPR_SUM ? 2 : 0);
    switch (expr_get_op(ctx, e)) {
    case EXPR_SUM: return sum + 3 * (double) (count - 1);
    case EXPR_PRODUCT: return sum + 0.5 * (double) (count - 1);
    case EXPR_POWER: return sum;
    default: return sum + 4;
    }
}

enum { MANY_CHILDREN = 100 };

static double length_of(ah_ctx *ctx, const page_census *c, ah_expr e)
{
    const ah_expr *child = expr_get_children(ctx, e);
    const size_t count = child ? expr_get_count(ctx, e) : 0;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    double *length = NEW_ARRAY(&ctx->scratch, double, count + 1);
    if (count > MANY_CHILDREN)
        ctx_tick_now(ctx); /* thousands of products of thousands take seconds */
    for (size_t i = 0; i < count; i++) length[i] = c->length[expr_find(&c->node, child[i])];
    const double sum = page_length(ctx, e, length);
    arena_release(&ctx->scratch, mark);
    return sum;
}

static page_census measure(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count)
{
    page_census c = {.node = expr_reachable(ctx, a, roots, count)};
    c.length = NEW_ARRAY(a, double, c.node.count + 1);
    for (size_t i = 0; i < c.node.count; i++) c.length[i] = length_of(ctx, &c, c.node.at[i]);
    return c;
}

double worksheet_length(ah_ctx *ctx, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const page_census c = measure(ctx, &ctx->scratch, &e, 1);
    const double length = c.length[c.node.count - 1];
    arena_release(&ctx->scratch, mark);
    return length;
}

page_census page_count(worksheet *w, arena *a, const page *p)
{
    ah_ctx *ctx = w->ctx;
    page_census c = measure(ctx, a, page_expressions(w, p), p->root.count);
    c.times = NEW_ARRAY(a, double, c.node.count + 1);
    for (size_t i = 0; i < p->root.count; i++) {
        const size_t at = expr_find(&c.node, p->root.at[i].e);
        const bool in_table = !p->root.at[i].whole && p->root.at[i].row != PAGE_ELSEWHERE;
        c.whole += c.length[at];
        c.times[at] += in_table ? PAGE_TABLE : 1;
    }
    for (size_t i = c.node.count; i-- > 0;) {
        const ah_expr e = c.node.at[i], *child = expr_get_children(ctx, e);
        for (size_t k = 0; child && k < expr_get_count(ctx, e); k++)
            c.times[expr_find(&c.node, child[k])] += c.times[i];
    }
    for (size_t i = 0; i < p->root.count; i++)
        if (p->root.at[i].whole) c.times[expr_find(&c.node, unsigned_root(ctx, p->root.at[i].e))]--;
    return c;
}

/* ---- Replacing ------------------------------------------------------------------------------- */

/* The node with what its children have become. */
static ah_expr changed(ah_ctx *ctx, const expr_list *node, const ah_expr *now, ah_expr e)
{
    const ah_expr *old = expr_get_children(ctx, e);
    const size_t count = old ? expr_get_count(ctx, e) : 0;
    bool differs = false;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *child = NEW_ARRAY(&ctx->scratch, ah_expr, count + 1);
    for (size_t k = 0; k < count; k++) {
        child[k] = now[expr_find(node, old[k])];
        differs = differs || child[k] != old[k];
    }
    const ah_expr out = differs ? expr_rebuild(ctx, e, child) : e;
    arena_release(&ctx->scratch, mark);
    return out;
}

void page_map(ah_ctx *ctx, arena *a, ah_expr *roots, size_t count,
              ah_expr (*f)(ah_ctx *ctx, void *user, ah_expr e), void *user)
{
    const expr_list node = expr_reachable(ctx, a, roots, count);
    ah_expr *now = NEW_ARRAY(a, ah_expr, node.count + 1);
    for (size_t i = 0; i < node.count; i++)
        now[i] = f(ctx, user, changed(ctx, &node, now, node.at[i]));
    for (size_t i = 0; i < count; i++) roots[i] = now[expr_find(&node, roots[i])];
}

void page_replace(worksheet *w, page *p, const ah_expr *from, const ah_expr *to, size_t pairs)
{
    ah_ctx *ctx = w->ctx;
    const expr_list node = expr_reachable(ctx, w->arena, page_expressions(w, p), p->root.count);
    ah_expr *now = NEW_ARRAY(w->arena, ah_expr, node.count + 1);
    ah_expr *inside = NEW_ARRAY(w->arena, ah_expr, node.count + 1); /* all but the whole */
    for (size_t i = 0; i < node.count; i++) {
        ctx_tick(ctx);
        now[i] = inside[i] = changed(ctx, &node, now, node.at[i]);
        for (size_t k = 0; k < pairs; k++)
            if (node.at[i] == from[k]) now[i] = to[k];
    }
    for (size_t i = 0; i < p->root.count; i++) {
        const ah_expr e = p->root.at[i].e, sum = unsigned_root(ctx, e);
        const ah_expr kept = inside[expr_find(&node, sum)];
        if (!p->root.at[i].whole)
            p->root.at[i].e = now[expr_find(&node, e)];
        else
            p->root.at[i].e = sum == e ? kept : expr_neg(ctx, kept);
    }
}
