/* worksheet/held_calls.c - signs that stay signs, and angles that stay whole.
 *
 * To the algebra sign(x) is |x|/x. On a page that is no friction law any more, fractions grow by x below and above, and at x = 0, where
 * the model says 0, it says nothing. And beside sin(4t/5) the algebra writes cos t as a polynomial in sin(t/5). So while a page is made
 * a letter stands for each sign, and where there are several angles c t of which none is twice another one, for each of these. What such angles
 * have to do with each other is not seen then, which may leave a sum longer than it must be, but never wrong. At the end the letters
 * give their places back. Their names have the handles of what they stand for: pages that share what was worked out need no list. */
#include "page.h"

#include <stdlib.h>
#include <string.h>

static const char prefix[] = "#held";

/* Angles c t, c = p/q: the algebra writes all in the sine and cosine of their greatest common part. */
typedef struct common_part {
    long p, q;    /* of it; 0/1: there are no angles yet */
    long longest; /* the largest multiple of it */
} common_part;

struct holder {
    const ah_equations *eq;
    bool signs, angles;
};

static bool is_sign(const ah_ctx *ctx, ah_expr e)
{
    return expr_get_op(ctx, e) == EXPR_CALL && expr_get_function(ctx, e) == AH_SIGN;
}

/* sin or cos of c t. */
static bool is_of_time(ah_ctx *ctx, ah_expr e, ah_expr t, long *p, long *q)
{
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    if (f != AH_SIN && f != AH_COS) return false;
    const ah_expr factor = expr_div(ctx, expr_get_children(ctx, e)[0], t);
    return expr_is_rational(ctx, factor, p, q) && *p != 0;
}

static long gcd(long a, long b)
{
    while (b) {
        const long r = a % b;
        a = b;
        b = r;
    }
    return labs(a);
}

/* More than what the algebra writes well: numbers this large are nobody's angles. */
enum { PART_LARGEST = 1000000 };

static void add_angle(common_part *c, long p, long q)
{
    p = labs(p);
    if (p > PART_LARGEST || q > PART_LARGEST || c->q > PART_LARGEST || c->longest > PART_LARGEST)
        return;
    const long together = q / gcd(q, c->q) * c->q; /* the common denominator */
    const long now = p * (together / q), before = c->p * (together / c->q);
    const long part = gcd(now, before);
    if (!part) return;
    const long most =
        c->longest * (before / part) > now / part ? c->longest * (before / part) : now / part;
    *c = (common_part){part, together, most};
}

holder *page_holder(const ah_equations *eq)
{
    ah_ctx *ctx = eq->mech->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const ah_expr t = expr_time(ctx);
    LIST(ah_expr) leaves = {0};
    common_part part = {0, 1, 0};
    holder h = {.eq = eq};
    long p, q;
    for (size_t i = 0; i < eq->sheet->nodes.count; i++) {
        const mat leaf = eq->sheet->nodes.at[i].leaf;
        for (uint32_t k = 0; leaf.rows && k < mat_entries(leaf); k++)
            LIST_PUSH(&ctx->scratch, &leaves, leaf.val[k]);
    }
    const expr_list node = expr_reachable(ctx, &ctx->scratch, leaves.at, leaves.count);
    for (size_t i = 0; i < node.count; i++) {
        h.signs = h.signs || is_sign(ctx, node.at[i]);
        if (is_of_time(ctx, node.at[i], t, &p, &q)) add_angle(&part, p, q);
    }
    arena_release(&ctx->scratch, mark);
    h.angles = part.longest > 2;
    if (!h.signs && !h.angles) return NULL;
    holder *out = NEW(eq->mech->arena, holder);
    *out = h;
    return out;
}

static ah_expr letter_for(ah_ctx *ctx, ah_expr e)
{
    char name[sizeof prefix + 12];
    snprintf(name, sizeof name, "%s%lu", prefix, (unsigned long) e);
    return expr_symbol(ctx, AH_LOCAL, name);
}

static ah_expr hold(ah_ctx *ctx, void *user, ah_expr e)
{
    const holder *h = user;
    const ah_equations *eq = h->eq;
    long p, q;
    if (h->angles && is_of_time(ctx, e, expr_time(ctx), &p, &q))
        return expr_call1(ctx, expr_get_function(ctx, e),
                          letter_for(ctx, expr_get_children(ctx, e)[0]));
    if (!is_sign(ctx, e)) return e;
    if (eq->substitutions) e = expr_subst(ctx, e, eq->substitutions, eq->from, eq->to);
    return is_sign(ctx, e) ? letter_for(ctx, e) : e;
}

ah_expr page_hold(holder *h, ah_expr e)
{
    if (h) page_map(h->eq->mech->ctx, h->eq->mech->arena, &e, 1, hold, h);
    return e;
}

static ah_expr keep(void *user, ah_expr e)
{
    return page_hold(user, e);
}

work *worksheet_work(const ah_equations *eq)
{
    const work_options options = {.keep = keep, .user = page_holder(eq)};
    return work_create(eq, options.user ? &options : NULL);
}

/* What stands in the argument of a sign may have a letter, too: so one is put in at a time. */
static ah_expr release(const worksheet *w, ah_expr e)
{
    bool again = e != AH_NONE;
    while (again) {
        const expr_list s = expr_symbols(w->ctx, w->arena, &e, 1);
        again = false;
        for (size_t i = 0; i < s.count && !again; i++) {
            const char *name = expr_get_name(w->ctx, s.at[i]);
            if (strncmp(name, prefix, sizeof prefix - 1) != 0) continue;
            const ah_expr call = (ah_expr) strtoul(name + sizeof prefix - 1, NULL, 10);
            e = expr_subst(w->ctx, e, 1, &s.at[i], &call);
            again = true;
        }
    }
    return e;
}

static ah_expr release_entry(ah_ctx *ctx, void *user, ah_expr e)
{
    (void) ctx;
    return release(user, e);
}

static void release_value(worksheet *w, ws_value *v)
{
    if (!v->known) return;
    v->exact = mat_map(w->ctx, w->arena, v->exact, release_entry, w);
    v->shown = mat_map(w->ctx, w->arena, v->shown, release_entry, w);
    v->factor = release(w, v->factor);
}

void worksheet_release(worksheet *w)
{
    for (size_t i = 0; w->holder && i < w->step.count; i++) {
        release_value(w, &w->step.at[i].q.value);
        release_value(w, &w->step.at[i].left);
    }
    for (size_t i = 0; w->holder && i < w->names.count; i++)
        w->names.at[i].meaning = release(w, w->names.at[i].meaning);
}
