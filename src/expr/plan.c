/* expr/plan.c - evaluation in double precision: the reachable nodes once, children first, over one array of doubles
 * that belongs to the plan.
 *
 * Steps of one kind that do not need each other are done together, in one loop without a decision in it: a chain of
 * bodies has as many of each kind as bodies. They are looked for among WINDOW steps that follow each other, so that
 * what is made is still at hand when it is used. What is used in its own window only is kept in a place that the other
 * windows use as well: it never leaves the nearest cache. */
#include "plan_inside.h"
#include "pool.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#define WINDOW_BITS 11
#define WINDOW      (1 << WINDOW_BITS)

/* ---- Making ---------------------------------------------------------------------------------- */

/* Beyond this many squarings libm's pow is the more exact. */
#define MOST_EXPONENT 64

/* A step alone, of the node at position `at` of the walk; level: how many steps of its window must come before it. */
typedef struct plan_step {
    uint8_t op, function;
    bool kept; /* for other windows, or a root */
    uint32_t at, level, operands;
    int32_t count;
    size_t first;
} plan_step;

static void set_power(const ah_ctx *ctx, plan_step *s, ah_expr exponent)
{
    long p, q;
    s->op = PLAN_POWER;
    if (!expr_is_rational(ctx, exponent, &p, &q) || labs(p) > MOST_EXPONENT || q > 2) return;
    s->op = q == 1 ? PLAN_INTEGER_POWER : PLAN_HALF_POWER;
    s->count = (int32_t) p;
    s->operands = 1;
}

static plan_step make_step(const ah_ctx *ctx, const expr_walk *w, size_t i)
{
    const expr_node *n = expr_node_of(ctx, w->node[i]);
    plan_step s = {.at = (uint32_t) i,
                   .count = (int32_t) n->count,
                   .operands = (uint32_t) (w->start[i + 1] - w->start[i]),
                   .first = w->start[i]};
    switch ((expr_op) n->op) {
    case EXPR_SYMBOL: s.op = PLAN_LOAD, s.count = 1, s.first = n->aux, s.operands = 1; break;
    case EXPR_SUM: s.op = PLAN_SUM; break;
    case EXPR_PRODUCT: s.op = PLAN_PRODUCT; break;
    case EXPR_POWER: set_power(ctx, &s, n->children[1]); break;
    case EXPR_CALL: s.op = PLAN_CALL, s.function = n->code; break;
    default: s.op = PLAN_NAN, s.operands = 0; break;
    }
    return s;
}

/* Steps of a window in the order of level, kind and operands, those that are alike as they came. A count beyond its bits only
 * makes more batches. */
#define COUNT_BITS 28
static uint64_t key_of(const plan_step *s, size_t in_window)
{
    const uint32_t count = (uint32_t) (s->count + MOST_EXPONENT), most = (1u << COUNT_BITS) - 1;
    const uint64_t kind =
        (uint64_t) s->level << 13 | (uint64_t) s->kept << 12 | (uint64_t) s->op << 8 | s->function;
    return (kind << COUNT_BITS | (count < most ? count : most)) << WINDOW_BITS | in_window;
}

static bool alike(const plan_step *a, const plan_step *b)
{
    return a->level == b->level && a->kept == b->kept && a->op == b->op &&
           a->function == b->function && a->count == b->count;
}

/* In which order steps are taken, and what is kept. */
typedef struct layout {
    const uint32_t *order; /* of positions; NULL: as they are */
    bool *kept;            /* by position: needed beyond its window, or a root … */
    size_t keeps;          /* … how many are, … */
    size_t locals;         /* … and of one window at most are not */
} layout;

/* A plan that is being made. */
typedef struct making {
    ah_ctx *ctx;
    expr_plan *plan;
    const expr_walk *walk;
    uint32_t *place; /* of each position of the walk its value */
    layout layout;
    uint32_t local;         /* where what is used in one window only begins */
    LIST(plan_batch) batch; /* in scratch: they are few */
    size_t operands;
    plan_step *window;
    uint64_t *key, *spare;
} making;

/* The steps of one window as batches. */
static void add_batches(making *m, size_t count)
{
    expr_plan *p = m->plan;
    const plan_step *before = NULL;
    uint32_t local = m->local;
    for (size_t i = 0; i < count; i++) m->key[i] = key_of(&m->window[i], i);
    expr_sort(m->key, m->spare, count);
    for (size_t i = 0; i < count; i++) {
        const plan_step *s = &m->window[m->key[i] & (WINDOW - 1)];
        const uint32_t target = s->kept ? (uint32_t) p->values++ : local++;
        if (!before || !alike(s, before))
            LIST_PUSH(&m->ctx->scratch, &m->batch,
                      ((plan_batch){.op = s->op,
                                    .function = s->function,
                                    .count = s->count,
                                    .operands = s->operands,
                                    .target = target,
                                    .first = m->operands}));
        m->batch.at[m->batch.count - 1].steps++;
        m->place[s->at] = target;
        for (uint32_t k = 0; k < s->operands; k++)
            p->operand[m->operands++] =
                s->op == PLAN_LOAD ? (uint32_t) s->first : m->place[m->walk->child[s->first + k]];
        before = s;
    }
}

/* level[i]: of position i, from 1 on; 0: it was made before the window. */
static uint32_t level_of(const expr_walk *w, const plan_step *s, const uint32_t *level)
{
    uint32_t highest = 0;
    for (uint32_t k = 0; s->op != PLAN_LOAD && k < s->operands; k++) {
        const uint32_t of = level[w->child[s->first + k]];
        if (of > highest) highest = of;
    }
    return highest + 1;
}

static size_t position(const layout *l, size_t k)
{
    return l->order ? l->order[k] : k;
}

/* A sine and a cosine of the same that follow each other stay together. */
static bool are_paired(const making *m, size_t i, size_t k)
{
    const expr_walk *w = m->walk;
    const expr_node *s = expr_node_of(m->ctx, w->node[i]), *c = expr_node_of(m->ctx, w->node[k]);
    return s->op == EXPR_CALL && c->op == EXPR_CALL && s->children[0] == c->children[0] &&
           (s->code == AH_SIN || s->code == AH_COS) && (c->code == AH_SIN || c->code == AH_COS);
}

/* Which values are needed beyond their window. */
static layout layout_of(const making *m, const uint32_t *order, const ah_expr *roots, size_t count)
{
    const expr_walk *w = m->walk;
    arena *a = &m->ctx->scratch;
    layout l = {.order = order, .kept = NEW_ARRAY(a, bool, w->count + 1)};
    uint32_t *window = NEW_RAW(a, uint32_t, w->count + 1);
    size_t steps = 0, local = 0;
    for (size_t i = 0; i < count; i++) l.kept[expr_walk_find(w, roots[i])] = true;
    for (size_t k = 0; k < w->count; k++) {
        const size_t i = position(&l, k);
        window[i] = (uint32_t) (steps / WINDOW);
        steps += m->place[i] == UINT32_MAX;
        for (size_t e = w->start[i]; e < w->start[i + 1]; e++)
            if (window[w->child[e]] != window[i]) l.kept[w->child[e]] = true;
    }
    for (size_t k = 0; k < w->count; k++) {
        const size_t i = position(&l, k), next = k + 1 < w->count ? position(&l, k + 1) : i;
        if (are_paired(m, i, next)) l.kept[i] = l.kept[next] = l.kept[i] || l.kept[next];
        if (m->place[i] != UINT32_MAX) continue;
        if (window[i] != window[position(&l, k ? k - 1 : 0)]) local = 0;
        local += !l.kept[i];
        l.keeps += l.kept[i];
        if (local > l.locals) l.locals = local;
    }
    return l;
}

/* The order that is written keeps bodies together where mechanics went from one to the next; else they are brought together. Its batches
 * are longer: the other order is taken where it keeps less than half of the values. */
static void choose_layout(making *m, const ah_expr *roots, size_t count, bool ordered)
{
    m->layout = layout_of(m, NULL, roots, count);
    if (!ordered || m->walk->count <= WINDOW) return;
    const uint32_t *order = expr_plan_order(m->ctx, m->walk, roots, count);
    const layout other = layout_of(m, order, roots, count);
    if (2 * other.keeps < m->layout.keeps) m->layout = other;
}

static void make_batches(making *m)
{
    arena *scratch = &m->ctx->scratch;
    const expr_walk *w = m->walk;
    const size_t most = w->count < WINDOW ? w->count : WINDOW;
    uint32_t *level = NEW_ARRAY(scratch, uint32_t, w->count + 1);
    size_t count = 0;
    m->window = NEW_RAW(scratch, plan_step, most);
    m->key = NEW_RAW(scratch, uint64_t, most);
    m->spare = NEW_RAW(scratch, uint64_t, most);
    for (size_t n = 0; n <= w->count; n++) {
        if (count == WINDOW || n == w->count) {
            add_batches(m, count);
            for (size_t k = 0; k < count; k++) level[m->window[k].at] = 0;
            count = 0;
        }
        const size_t i = n < w->count ? position(&m->layout, n) : 0;
        if (n == w->count || m->place[i] != UINT32_MAX) continue; /* a constant */
        m->window[count] = make_step(m->ctx, w, i);
        m->window[count].kept = m->layout.kept[i];
        m->window[count].level = level[i] = level_of(w, &m->window[count], level);
        count++;
    }
}

/* Sines and cosines of the same are found together, with the same bits. */
static void pair_circular(expr_plan *p)
{
    for (size_t i = 0; i + 1 < p->batches; i++) {
        const plan_batch *s = &p->batch[i], *c = s + 1;
        p->batch[i].paired =
            s->op == PLAN_CALL && c->op == PLAN_CALL && s->function == AH_SIN &&
            c->function == AH_COS && s->steps == c->steps && c->target == s->target + s->steps &&
            !memcmp(p->operand + s->first, p->operand + c->first, s->steps * sizeof *p->operand);
    }
}

static const double pi = 3.14159265358979323846;

static bool is_constant(const ah_ctx *ctx, ah_expr e)
{
    const expr_op op = expr_op_of(ctx, e);
    return op == EXPR_NUMBER || op == EXPR_PI;
}

/* Constants come first. */
static uint32_t *place_constants(ah_ctx *ctx, expr_plan *p, const expr_walk *w)
{
    uint32_t *place = NEW_RAW(&ctx->scratch, uint32_t, w->count + 1);
    for (size_t i = 0; i < w->count; i++)
        place[i] = is_constant(ctx, w->node[i]) ? (uint32_t) p->values++ : UINT32_MAX;
    return place;
}

/* They have their values from the start. */
static void make_values(making *m, arena *a)
{
    expr_plan *p = m->plan;
    const expr_walk *w = m->walk;
    const size_t values = p->values + m->layout.locals + m->layout.keeps;
    p->value = NEW_RAW(a, double, values);
    p->scale = NEW_RAW(a, double, values);
    for (size_t i = 0; i < w->count; i++) {
        const uint32_t at = m->place[i];
        if (at == UINT32_MAX) continue;
        const bool is_pi = expr_op_of(m->ctx, w->node[i]) == EXPR_PI;
        p->value[at] = is_pi ? pi : expr_number_double(m->ctx, w->node[i]);
        p->scale[at] = fabs(p->value[at]);
    }
    m->local = (uint32_t) p->values;
    p->values += m->layout.locals;
}

static expr_plan *create(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count, bool ordered)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    expr_walk w = expr_walk_begin(ctx, roots, count);
    expr_plan *p = NEW(a, expr_plan);
    p->operand = NEW_RAW(a, uint32_t, w.start[w.count] + w.count);
    p->root = NEW_RAW(a, uint32_t, count);
    p->roots = count;
    making m = {.ctx = ctx, .plan = p, .walk = &w, .place = place_constants(ctx, p, &w)};
    p->made = w.count - p->values;
    choose_layout(&m, roots, count, ordered);
    make_values(&m, a);
    make_batches(&m);
    for (size_t i = 0; i < count; i++) p->root[i] = m.place[expr_walk_find(&w, roots[i])];
    p->batches = m.batch.count;
    p->batch = NEW_ARRAY(a, plan_batch, p->batches);
    if (p->batches) memcpy(p->batch, m.batch.at, p->batches * sizeof *p->batch);
    pair_circular(p);
    expr_release(ctx, a, mark);
    return p;
}

expr_plan *expr_plan_create(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count)
{
    return create(ctx, a, roots, count, false);
}

expr_plan *expr_plan_create_ordered(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count)
{
    return create(ctx, a, roots, count, true);
}

size_t expr_plan_size(const expr_plan *plan)
{
    return plan->made;
}

expr_plan *expr_plan_copy(arena *a, const expr_plan *plan)
{
    expr_plan *p = NEW(a, expr_plan);
    *p = *plan;
    p->value = NEW_RAW(a, double, plan->values);
    p->scale = NEW_RAW(a, double, plan->values);
    if (plan->values) memcpy(p->value, plan->value, plan->values * sizeof *p->value);
    if (plan->values) memcpy(p->scale, plan->scale, plan->values * sizeof *p->scale);
    return p;
}

/* ---- Running --------------------------------------------------------------------------------- */

static double integer_power(double x, int32_t n)
{
    double y = 1;
    for (uint32_t k = (uint32_t) (n < 0 ? -n : n); k; k >>= 1, x *= x)
        if (k & 1) y *= x;
    return n < 0 ? 1 / y : y;
}

static double sign(double x)
{
    return x > 0 ? 1 : x < 0 ? -1 : x;
}

double expr_call_value(ah_function f, double x, double y)
{
    switch (f) {
    case AH_SIN: return sin(x);
    case AH_COS: return cos(x);
    case AH_TAN: return tan(x);
    case AH_ASIN: return asin(x);
    case AH_ACOS: return acos(x);
    case AH_ATAN: return atan(x);
    case AH_ATAN2: return atan2(x + 0.0, y); /* −0 is 0: π on the cut */
    case AH_SINH: return sinh(x);
    case AH_COSH: return cosh(x);
    case AH_TANH: return tanh(x);
    case AH_EXP: return exp(x);
    case AH_LOG: return log(x);
    case AH_SQRT: return sqrt(x);
    case AH_ABS: return fabs(x);
    case AH_SIGN: return sign(x);
    case AH_FUNCTIONS: break;
    }
    return NAN;
}

/* Sums begin with 0, so that −0 − 0 is 0 however many terms there are. */
static void run_sums(const double *v, const uint32_t *o, const plan_batch *b, double *out)
{
    switch (b->count) {
    case 2:
        for (uint32_t i = 0; i < b->steps; i++, o += 2) out[i] = 0.0 + v[o[0]] + v[o[1]];
        break;
    case 3:
        for (uint32_t i = 0; i < b->steps; i++, o += 3) out[i] = 0.0 + v[o[0]] + v[o[1]] + v[o[2]];
        break;
    default:
        for (uint32_t i = 0; i < b->steps; i++, o += b->count) {
            double x = 0;
            for (int32_t k = 0; k < b->count; k++) x += v[o[k]];
            out[i] = x;
        }
    }
}

static void run_products(const double *v, const uint32_t *o, const plan_batch *b, double *out)
{
    switch (b->count) {
    case 2:
        for (uint32_t i = 0; i < b->steps; i++, o += 2) out[i] = v[o[0]] * v[o[1]];
        break;
    case 3:
        for (uint32_t i = 0; i < b->steps; i++, o += 3) out[i] = v[o[0]] * v[o[1]] * v[o[2]];
        break;
    default:
        for (uint32_t i = 0; i < b->steps; i++, o += b->count) {
            double x = v[o[0]];
            for (int32_t k = 1; k < b->count; k++) x *= v[o[k]];
            out[i] = x;
        }
    }
}

static void run_calls(const double *v, const uint32_t *o, const plan_batch *b, double *out)
{
    switch ((ah_function) b->function) {
    case AH_SIN:
        for (uint32_t i = 0; i < b->steps; i++) out[i] = sin(v[o[i]]);
        break;
    case AH_COS:
        for (uint32_t i = 0; i < b->steps; i++) out[i] = cos(v[o[i]]);
        break;
    default:
        for (uint32_t i = 0; i < b->steps; i++, o += b->operands)
            out[i] =
                expr_call_value((ah_function) b->function, v[o[0]], b->count > 1 ? v[o[1]] : 0);
    }
}

static void run_powers(const double *v, const uint32_t *o, const plan_batch *b, double *out)
{
    switch ((plan_op) b->op) {
    case PLAN_INTEGER_POWER:
        for (uint32_t i = 0; i < b->steps; i++) out[i] = integer_power(v[o[i]], b->count);
        break;
    case PLAN_HALF_POWER:
        for (uint32_t i = 0; i < b->steps; i++) out[i] = integer_power(sqrt(v[o[i]]), b->count);
        break;
    default:
        for (uint32_t i = 0; i < b->steps; i++, o += 2) out[i] = pow(v[o[0]], v[o[1]]);
    }
}

static void run_batch(const expr_plan *p, const plan_batch *b, const frame *values)
{
    const double *v = p->value;
    const uint32_t *o = p->operand + b->first;
    double *out = p->value + b->target;
    switch ((plan_op) b->op) {
    case PLAN_LOAD:
        for (uint32_t i = 0; i < b->steps; i++) out[i] = frame_at(values, o[i]);
        break;
    case PLAN_SUM: run_sums(v, o, b, out); break;
    case PLAN_PRODUCT: run_products(v, o, b, out); break;
    case PLAN_INTEGER_POWER:
    case PLAN_HALF_POWER:
    case PLAN_POWER: run_powers(v, o, b, out); break;
    case PLAN_CALL: run_calls(v, o, b, out); break;
    case PLAN_NAN:
        for (uint32_t i = 0; i < b->steps; i++) out[i] = NAN;
        break;
    }
}

static void run_pair(const expr_plan *p, const plan_batch *b)
{
    const uint32_t *o = p->operand + b->first;
    double *s = p->value + b->target, *c = s + b->steps;
    for (uint32_t i = 0; i < b->steps; i++) {
        const double x = p->value[o[i]];
        s[i] = sin(x);
        c[i] = cos(x);
    }
}

/* The i-th batch, and the next where they are a pair; returns the one after. */
static size_t run_some(const expr_plan *p, size_t i, const frame *values)
{
    if (p->batch[i].paired) {
        run_pair(p, &p->batch[i]);
        return i + 2;
    }
    run_batch(p, &p->batch[i], values);
    return i + 1;
}

static void run_batches(const expr_plan *p, const frame *values)
{
    for (size_t i = 0; i < p->batches;) i = run_some(p, i, values);
}

bool expr_plan_is_finite(const expr_plan *p, const frame *values)
{
    for (size_t i = 0, next; i < p->batches; i = next) {
        next = run_some(p, i, values);
        for (const plan_batch *b = &p->batch[i]; b < &p->batch[next]; b++)
            for (uint32_t k = 0; k < b->steps; k++)
                if (!isfinite(p->value[b->target + k])) return false;
    }
    return true;
}

void expr_plan_run(const expr_plan *p, const frame *values, double *out)
{
    run_batches(p, values);
    for (size_t i = 0; i < p->roots; i++) out[i] = p->value[p->root[i]];
}

/* The sum of the absolute values of the terms that a value would have when multiplied out: sums inside
 * products and powers count by their terms too, ½(a − b) like ½a − ½b. */
static double scale_of(const expr_plan *p, const plan_batch *b, uint32_t step)
{
    const uint32_t *o = p->operand + b->first + (size_t) step * b->operands;
    double x = 0;
    switch ((plan_op) b->op) {
    case PLAN_SUM:
        for (int32_t i = 0; i < b->count; i++) x += p->scale[o[i]];
        return x;
    case PLAN_PRODUCT:
        x = 1;
        for (int32_t i = 0; i < b->count; i++) x *= p->scale[o[i]];
        return x;
    case PLAN_INTEGER_POWER:
        if (b->count > 0) return integer_power(p->scale[o[0]], b->count);
        break;
    default: break;
    }
    return fabs(p->value[b->target + step]);
}

void expr_plan_run_scaled(const expr_plan *p, const frame *values, double *out, double *scale)
{
    for (size_t i = 0, next; i < p->batches; i = next) {
        next = run_some(p, i, values);
        for (const plan_batch *b = &p->batch[i]; b < &p->batch[next]; b++)
            for (uint32_t k = 0; k < b->steps; k++) p->scale[b->target + k] = scale_of(p, b, k);
    }
    for (size_t i = 0; i < p->roots; i++) {
        out[i] = p->value[p->root[i]];
        scale[i] = p->scale[p->root[i]];
    }
}
