/* compile/program.c - from formulas to a list of scalar operations. */
#include "program.h"

#include "angle_sums.h"
#include "pairs.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NO_VALUE UINT32_MAX
/* Beyond this exponent libm's pow is the more exact; as in expr/plan.c. */
#define MOST_EXPONENT 64

typedef struct value {
    double number;
    uint32_t ready; /* how long its longest chain of operations takes, about (in cycles) */
    bool fixed;     /* depends on parameters only … */
    bool variable;  /* … that may change: `number` is for those of the spec */
} value;

typedef struct builder {
    ah_ctx *ctx;
    arena *arena; /* scratch */
    const program_spec *spec;
    program_code *code; /* with the fixed ones, before they become constants */
    value *known;
    size_t count, capacity, known_capacity;
    uint32_t *place;    /* by handle: value + 1 of a node that is done */
    uint32_t *uses;     /* by handle */
    ah_expr *meaning;   /* by slot: what a step's symbol stands for, or AH_NONE */
    ah_expr *turned;    /* by handle: what a sine or cosine is made of, or AH_NONE; NULL: none is */
    uint32_t *input;    /* by slot: index + 1 */
    uint32_t *variable; /* by slot: index + 1 */
    uint32_t slots;
    uint32_t *table; /* value numbering: open hash of value + 1 */
    size_t table_size;
    size_t section_inputs[PROGRAM_SECTIONS];
    bool *moves; /* by handle: depends on inputs … */
    uint32_t *
        shared; /* … and for products: 1 + its place in `product`, factors by handle; NULL: none are */
    pairs_product *product;
    pairs pairs;
    bool failed;
} builder;

/* ---- Values ---------------------------------------------------------------------------------- */

static bool is_leaf(const program_code *c)
{
    return c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT;
}

static uint64_t hash_code(const builder *b, program_code c, double number)
{
    uint64_t bits, h = c.op * 31u + c.function;
    memcpy(&bits, &number, sizeof bits);
    h = (h * 0x9e3779b97f4a7c15u) ^ c.a;
    h = (h * 0x9e3779b97f4a7c15u) ^ c.b;
    h = (h * 0x9e3779b97f4a7c15u) ^ (c.op == PROGRAM_CONSTANT ? bits : 0);
    h *= 0x9e3779b97f4a7c15u;
    return (h >> 20) & (b->table_size - 1);
}

static bool same_code(const builder *b, uint32_t at, program_code c, double number)
{
    const program_code *o = &b->code[at];
    if (o->op != c.op || o->function != c.function || o->a != c.a || o->b != c.b) return false;
    return c.op != PROGRAM_CONSTANT || memcmp(&b->known[at].number, &number, sizeof number) == 0;
}

static void enlarge_table(builder *b, size_t size)
{
    b->table_size = size;
    b->table = NEW_ARRAY(b->arena, uint32_t, b->table_size);
    for (uint32_t i = 0; i < b->count; i++) {
        uint64_t h = hash_code(b, b->code[i], b->known[i].number);
        while (b->table[h]) h = (h + 1) & (b->table_size - 1);
        b->table[h] = i + 1;
    }
}

/* The value of the operation: an old one where it is there already. */
static uint32_t add_code(builder *b, program_code c, value known)
{
    if (2 * b->count >= b->table_size) enlarge_table(b, b->table_size ? 2 * b->table_size : 1024);
    uint64_t h = hash_code(b, c, known.number);
    for (; b->table[h]; h = (h + 1) & (b->table_size - 1))
        if (same_code(b, b->table[h] - 1, c, known.number)) return b->table[h] - 1;
    ctx_tick(b->ctx);
    b->code = arena_grow(b->arena, b->code, sizeof c, b->count, &b->capacity, b->count + 1);
    b->known =
        arena_grow(b->arena, b->known, sizeof known, b->count, &b->known_capacity, b->count + 1);
    b->code[b->count] = c;
    b->known[b->count] = known;
    b->table[h] = (uint32_t) b->count + 1;
    return (uint32_t) b->count++;
}

static uint32_t number(builder *b, double x)
{
    return add_code(b, (program_code){.op = PROGRAM_CONSTANT}, (value){.number = x, .fixed = true});
}

/* Cycles until the result is there, about. Signs and fixed factors do not count: whether a factor is a
 * number (which may be 1) or a parameter that may change must not change the order of terms, so that the
 * results are the same bit for bit. */
static uint32_t takes(program_op op, bool by_fixed)
{
    switch (op) {
    case PROGRAM_CALL:
    case PROGRAM_POW: return 60;
    case PROGRAM_DIV:
    case PROGRAM_SQRT: return 14;
    case PROGRAM_NEG: return 0;
    case PROGRAM_MUL: return by_fixed ? 0 : 4;
    default: return 4;
    }
}

/* What depends on parameters only is folded here: it becomes a constant. Where they may change, the
 * operation is kept for program_set; its place is that of a constant all the same. */
static uint32_t operation(builder *b, program_op op, ah_function f, uint32_t x, uint32_t y)
{
    program_code c = {(uint8_t) op, (uint8_t) f, x, y == NO_VALUE ? x : y};
    if ((op == PROGRAM_ADD || op == PROGRAM_MUL) && c.a > c.b) c.a = y, c.b = x;
    const value *u = &b->known[c.a], *v = &b->known[c.b];
    if (!u->fixed || !v->fixed) {
        const uint32_t after = u->ready > v->ready ? u->ready : v->ready;
        return add_code(b, c, (value){.ready = after + takes(op, u->fixed || v->fixed)});
    }
    const double folded = program_apply(&c, u->number, v->number);
    if (!u->variable && !v->variable) return number(b, folded);
    return add_code(b, c, (value){.number = folded, .fixed = true, .variable = true});
}

static uint32_t binary(builder *b, program_op op, uint32_t x, uint32_t y)
{
    return operation(b, op, AH_FUNCTIONS, x, y);
}

static uint32_t unary(builder *b, program_op op, uint32_t x)
{
    return operation(b, op, AH_FUNCTIONS, x, NO_VALUE);
}

/* Whether x is −y, and not fixed: *x becomes y. Rounding is the same for both, so that signs go to where they cost nothing, into
 * differences. */
static bool take_sign(const builder *b, uint32_t *x)
{
    if (*x == NO_VALUE || b->known[*x].fixed || b->code[*x].op != PROGRAM_NEG) return false;
    *x = b->code[*x].a;
    return true;
}

static uint32_t minus(builder *b, uint32_t x)
{
    return take_sign(b, &x) ? x : unary(b, PROGRAM_NEG, x);
}

static bool is_number(const builder *b, uint32_t x, double number)
{
    return b->known[x].fixed && !b->known[x].variable && b->known[x].number == number;
}

static uint32_t negated(builder *b, uint32_t x)
{
    return b->known[x].variable ? unary(b, PROGRAM_NEG, x) : number(b, -b->known[x].number);
}

/* x y where either may be absent. */
static uint32_t times(builder *b, uint32_t x, uint32_t y)
{
    if (x == NO_VALUE || is_number(b, x, 1)) return y == NO_VALUE ? x : y;
    if (y == NO_VALUE || is_number(b, y, 1)) return x;
    if (is_number(b, x, -1)) return minus(b, y);
    if (is_number(b, y, -1)) return minus(b, x);
    const bool left = take_sign(b, &x), right = take_sign(b, &y);
    const uint32_t product = binary(b, PROGRAM_MUL, x, y);
    return left == right ? product : unary(b, PROGRAM_NEG, product);
}

/* ---- Formulas -------------------------------------------------------------------------------- */

static uint32_t value_of(const builder *b, ah_expr e)
{
    return b->place[e] - 1;
}

static uint32_t integer_power(builder *b, uint32_t x, long n)
{
    uint32_t y = NO_VALUE;
    for (unsigned long k = (unsigned long) n; k; k >>= 1) {
        if (k & 1) y = times(b, y, x);
        if (k > 1) x = binary(b, PROGRAM_MUL, x, x);
    }
    return y;
}

/* An integer or half-integer of modest size. */
static bool is_simple(const builder *b, ah_expr exponent, long *p, long *q)
{
    return expr_is_rational(b->ctx, exponent, p, q) && labs(*p) <= MOST_EXPONENT && *q <= 2;
}

/* base^|p| for such an exponent; NO_VALUE: it is none. */
static uint32_t simple_power(builder *b, ah_expr base, ah_expr exponent, bool *inverse)
{
    long p, q;
    if (!is_simple(b, exponent, &p, &q)) return NO_VALUE;
    uint32_t x = value_of(b, base);
    if (q == 2) x = unary(b, PROGRAM_SQRT, x);
    *inverse = p < 0;
    return integer_power(b, x, labs(p));
}

static uint32_t build_power(builder *b, ah_expr e)
{
    const ah_expr *c = expr_get_children(b->ctx, e);
    bool inverse = false;
    const uint32_t x = simple_power(b, c[0], c[1], &inverse);
    if (x == NO_VALUE) return binary(b, PROGRAM_POW, value_of(b, c[0]), value_of(b, c[1]));
    return inverse ? binary(b, PROGRAM_DIV, number(b, 1), x) : x;
}

static size_t children_of(const builder *b, ah_expr e, const ah_expr **children)
{
    if (expr_get_op(b->ctx, e) == EXPR_SYMBOL) {
        const uint32_t slot = expr_slot(b->ctx, e);
        *children = slot < b->slots ? &b->meaning[slot] : NULL;
        return *children && **children != AH_NONE;
    }
    if (b->turned && b->turned[e] != AH_NONE) {
        *children = &b->turned[e];
        return 1;
    }
    *children = expr_get_children(b->ctx, e);
    return expr_get_op(b->ctx, e) == EXPR_NUMBER ? 0 : expr_get_count(b->ctx, e);
}

/* x/y; where x is ready late, as x times 1/y, which is there by then. */
static uint32_t divided(builder *b, uint32_t x, uint32_t y)
{
    if (b->known[x].fixed || b->known[y].fixed ||
        b->known[x].ready < b->known[y].ready + takes(PROGRAM_MUL, false)) {
        const bool negative = take_sign(b, &x);
        const uint32_t quotient = binary(b, PROGRAM_DIV, x, y);
        return negative ? unary(b, PROGRAM_NEG, quotient) : quotient;
    }
    return times(b, x, binary(b, PROGRAM_DIV, number(b, 1), y));
}

/* A factor 1/x that nothing else uses is divided by; others are multiplied with. AH_NONE: it is none. */
static ah_expr divisor(const builder *b, ah_expr factor)
{
    const ah_expr *meaning;
    long p, q;
    if (b->uses[factor] == 1 && expr_get_op(b->ctx, factor) == EXPR_SYMBOL &&
        children_of(b, factor, &meaning))
        factor = *meaning; /* a step of the recipe */
    if (expr_get_op(b->ctx, factor) != EXPR_POWER || b->uses[factor] > 1) return AH_NONE;
    return is_simple(b, expr_get_children(b->ctx, factor)[1], &p, &q) && p < 0 ? factor : AH_NONE;
}

static bool divides(builder *b, ah_expr factor, uint32_t *denominator)
{
    bool inverse = false;
    const ah_expr power = divisor(b, factor);
    if (power == AH_NONE) return false;
    const ah_expr *c = expr_get_children(b->ctx, power);
    *denominator = times(b, *denominator, simple_power(b, c[0], c[1], &inverse));
    return true;
}

/* A factor, or a pair of them. */
static uint32_t build_shared(builder *b, uint32_t x)
{
    if (x < b->pairs.first) return value_of(b, x);
    const pairs_pair *p = &b->pairs.made.at[x - b->pairs.first];
    const uint32_t left = build_shared(b, p->a), right = build_shared(b, p->b);
    return times(b, left, right);
}

/* The factors that move, in the order of the pairs. */
static uint32_t build_moving(builder *b, ah_expr e)
{
    const pairs_product *p = &b->product[b->shared[e] - 1];
    uint32_t x = NO_VALUE;
    for (size_t i = 0; i < p->count; i++) x = times(b, x, build_shared(b, p->factor[i]));
    return x;
}

/* Fixed factors first, together; *negative takes their sign, for sums (that of variable ones as it
 * is for the parameters of the spec: it decides the order of terms alone). */
static uint32_t build_product(builder *b, ah_expr e, bool *negative)
{
    const size_t count = expr_get_count(b->ctx, e);
    const ah_expr *factor = expr_get_children(b->ctx, e);
    uint32_t fixed = NO_VALUE, moving = NO_VALUE, below = NO_VALUE;
    for (size_t i = 0; i < count; i++) {
        const uint32_t x = value_of(b, factor[i]);
        if (b->known[x].fixed)
            fixed = times(b, fixed, x);
        else if (!divides(b, factor[i], &below) && !b->shared)
            moving = times(b, moving, x);
    }
    if (b->shared) moving = build_moving(b, e);
    if (negative && fixed != NO_VALUE && b->known[fixed].number < 0) {
        *negative = true;
        fixed = negated(b, fixed);
        if (is_number(b, fixed, 1)) fixed = NO_VALUE;
    }
    uint32_t x = times(b, fixed, moving);
    if (x == NO_VALUE) x = number(b, 1);
    x = below == NO_VALUE ? x : divided(b, x, below);
    if (negative && take_sign(b, &x)) *negative = !*negative;
    return x;
}

/* A term of a sum, apart from its sign. */
static uint32_t build_term(builder *b, ah_expr term, bool *negative)
{
    *negative = false;
    uint32_t x = value_of(b, term);
    if (b->known[x].fixed) return x;
    if (expr_get_op(b->ctx, term) == EXPR_PRODUCT && b->uses[term] <= 1)
        return build_product(b, term, negative);
    *negative = take_sign(b, &x);
    return x;
}

/* A term of a sum, or the sum of some. */
typedef struct addend {
    uint32_t x;
    bool negative;
} addend;

static uint32_t ready(const builder *b, addend a)
{
    return b->known[a.x].ready;
}

static addend joined(builder *b, addend x, addend y)
{
    if (x.negative == y.negative) return (addend){binary(b, PROGRAM_ADD, x.x, y.x), x.negative};
    const addend plus = x.negative ? y : x, minus = x.negative ? x : y;
    return (addend){binary(b, PROGRAM_SUB, plus.x, minus.x), false};
}

/* By readiness, otherwise as they stood: what is ready first is added first. */
static void sort_addends(builder *b, addend *a, addend *room, size_t count)
{
    if (count < 2) return;
    const size_t half = count / 2;
    sort_addends(b, a, room, half);
    sort_addends(b, a + half, room, count - half);
    memcpy(room, a, half * sizeof *a);
    size_t i = 0, j = half, k = 0;
    while (i < half) a[k++] = j < count && ready(b, a[j]) < ready(b, room[i]) ? a[j++] : room[i++];
}

/* Always the two that are ready first, as in Huffman's tree: the chain that ends last is as short as
 * can be. Sums of two are ready in the order in which they are made, so that they form a queue. */
static addend add_together(builder *b, addend *term, size_t count)
{
    addend *sum = NEW_ARRAY(b->arena, addend, 2 * count);
    sort_addends(b, term, sum, count);
    size_t terms = 0, first = 0, sums = 0;
    for (size_t left = count; left > 1; left--) {
        addend two[2];
        for (int i = 0; i < 2; i++) {
            const bool from_sums =
                terms == count || (first < sums && ready(b, sum[first]) < ready(b, term[terms]));
            two[i] = from_sums ? sum[first++] : term[terms++];
        }
        sum[sums++] = joined(b, two[0], two[1]);
    }
    return sums ? sum[sums - 1] : term[0];
}

/* The fixed terms together are one term. */
static uint32_t build_sum(builder *b, ah_expr e)
{
    const size_t count = expr_get_count(b->ctx, e);
    const ah_expr *term = expr_get_children(b->ctx, e);
    addend *moving = NEW_ARRAY(b->arena, addend, count + 1);
    size_t found = 0;
    uint32_t fixed = NO_VALUE;
    for (size_t i = 0; i < count; i++) {
        addend a;
        a.x = build_term(b, term[i], &a.negative);
        if (b->known[a.x].fixed)
            fixed = fixed == NO_VALUE ? a.x : binary(b, PROGRAM_ADD, fixed, a.x);
        else
            moving[found++] = a;
    }
    if (!found) return fixed;
    if (fixed != NO_VALUE) moving[found++] = (addend){fixed, false};
    const addend sum = add_together(b, moving, found);
    return sum.negative ? minus(b, sum.x) : sum.x;
}

static uint32_t build_symbol(builder *b, ah_expr e)
{
    const uint32_t slot = expr_slot(b->ctx, e);
    if (slot < b->slots && b->meaning[slot] != AH_NONE) return value_of(b, b->meaning[slot]);
    if (slot < b->slots && b->input[slot])
        return add_code(b, (program_code){.op = PROGRAM_INPUT, .a = b->input[slot] - 1},
                        (value){0});
    if (slot < b->slots && b->variable[slot]) /* a tells it from other constants */
        return add_code(
            b, (program_code){.op = PROGRAM_CONSTANT, .a = b->variable[slot]},
            (value){.number = frame_at(b->spec->parameter, slot), .fixed = true, .variable = true});
    if (expr_get_kind(b->ctx, e) == AH_PARAMETER)
        return number(b, frame_at(b->spec->parameter, slot));
    b->failed = true;
    return number(b, NAN);
}

static uint32_t build_node(builder *b, ah_expr e)
{
    const ah_expr *c = expr_get_children(b->ctx, e);
    if (b->turned && b->turned[e] != AH_NONE) return value_of(b, b->turned[e]);
    switch (expr_get_op(b->ctx, e)) {
    case EXPR_NUMBER: return number(b, expr_number_double(b->ctx, e));
    case EXPR_PI: return number(b, 3.14159265358979323846);
    case EXPR_SYMBOL: return build_symbol(b, e);
    case EXPR_SUM: return build_sum(b, e);
    case EXPR_PRODUCT: return build_product(b, e, NULL);
    case EXPR_POWER: return build_power(b, e);
    case EXPR_CALL:
        return operation(b, PROGRAM_CALL, expr_get_function(b->ctx, e), value_of(b, c[0]),
                         expr_get_count(b->ctx, e) > 1 ? value_of(b, c[1]) : NO_VALUE);
    case EXPR_UNKNOWN: b->failed = true; return number(b, NAN);
    }
    return 0;
}

/* ---- Order ----------------------------------------------------------------------------------- */

typedef struct walk {
    LIST(ah_expr) stack;
    expr_list order;
    uint8_t *seen; /* 1: children pushed, 2: in the order */
} walk;

/* Everything that the root needs, children first; counts how often each node is used. */
static void visit(builder *b, walk *w, ah_expr root)
{
    LIST_PUSH(b->arena, &w->stack, root);
    while (w->stack.count) {
        const ah_expr e = w->stack.at[w->stack.count - 1], *child;
        const size_t count = children_of(b, e, &child);
        if (w->seen[e]) {
            w->stack.count--;
            if (w->seen[e] == 1) LIST_PUSH(b->arena, &w->order, e);
            w->seen[e] = 2;
            continue;
        }
        w->seen[e] = 1;
        for (size_t i = count; i-- > 0;) {
            b->uses[child[i]]++;
            if (!w->seen[child[i]]) LIST_PUSH(b->arena, &w->stack, child[i]);
        }
    }
}

static void read_spec(builder *b)
{
    const program_spec *s = b->spec;
    b->slots = expr_slots(b->ctx);
    b->meaning = NEW_ARRAY(b->arena, ah_expr, b->slots + 1);
    b->input = NEW_ARRAY(b->arena, uint32_t, b->slots + 1);
    b->variable = NEW_ARRAY(b->arena, uint32_t, b->slots + 1);
    for (size_t i = 0; i < s->variables; i++)
        b->variable[expr_slot(b->ctx, s->variable[i])] = (uint32_t) i + 1;
    for (size_t i = 0; i < s->inputs; i++)
        b->input[expr_slot(b->ctx, s->input[i])] = (uint32_t) i + 1;
    for (size_t i = 0; s->recipe && i < s->recipe->steps.count; i++)
        b->meaning[expr_slot(b->ctx, s->recipe->steps.at[i].symbol)] = s->recipe->steps.at[i].value;
}

/* Powers up to this one are as many factors: a pair may hold one of them. */
#define MOST_COPIES 3

/* x² and x³ are as many factors x. */
static void add_factor(const builder *b, pairs_product *p, ah_expr e)
{
    const ah_expr *c = expr_get_children(b->ctx, e);
    long copies = 1;
    const bool power = expr_get_op(b->ctx, e) == EXPR_POWER && expr_is_int(b->ctx, c[1], &copies) &&
                       copies > 1 && copies <= MOST_COPIES;
    for (long k = 0; k < (power ? copies : 1); k++) p->factor[p->count++] = power ? c[0] : e;
}

static void list_factors(builder *b, ah_expr e, pairs_product *p)
{
    const size_t count = expr_get_op(b->ctx, e) == EXPR_PRODUCT ? expr_get_count(b->ctx, e) : 1;
    const ah_expr *factor = count > 1 ? expr_get_children(b->ctx, e) : &e;
    p->factor = NEW_ARRAY(b->arena, uint32_t, MOST_COPIES * count);
    for (size_t i = 0; i < count; i++)
        if (b->moves[factor[i]] && divisor(b, factor[i]) == AH_NONE) add_factor(b, p, factor[i]);
}

/* Which factors of the products are multiplied first. */
static void share_pairs(builder *b, const ah_expr *order, size_t count, size_t handles)
{
    size_t products = 0;
    b->moves = NEW_ARRAY(b->arena, bool, handles);
    b->shared = NEW_ARRAY(b->arena, uint32_t, handles);
    b->product = NEW_ARRAY(b->arena, pairs_product, count + 1);
    for (size_t i = 0; i < count; i++) {
        const ah_expr e = order[i], *child;
        const size_t children = children_of(b, e, &child);
        const bool symbol = expr_get_op(b->ctx, e) == EXPR_SYMBOL;
        const uint32_t slot = symbol ? expr_slot(b->ctx, e) : 0;
        b->moves[e] = symbol && !children && slot < b->slots && b->input[slot];
        for (size_t k = 0; k < children; k++) b->moves[e] = b->moves[e] || b->moves[child[k]];
    }
    for (size_t i = 0; i < count; i++) {
        const expr_op op = expr_get_op(b->ctx, order[i]);
        if (op != EXPR_PRODUCT && op != EXPR_POWER) continue;
        list_factors(b, order[i], &b->product[products]);
        b->shared[order[i]] = (uint32_t) ++products;
    }
    b->pairs = pairs_share(b->arena, b->product, products, (uint32_t) handles);
}

static void *wider(const builder *b, const void *at, size_t element, size_t most)
{
    void *room = arena_alloc_array_raw(b->arena, element, most);
    if (b->count) memcpy(room, at, b->count * element);
    return room;
}

/* Room for about as many operations as the nodes have operands, which is not touched before it is used: lists that grow in
 * turns leave their memory behind. */
static void expect(builder *b, const expr_list *nodes)
{
    size_t most = b->count, size = 1024;
    for (size_t i = 0; i < nodes->count; i++) most += 1 + expr_get_count(b->ctx, nodes->at[i]);
    while (size < most) size *= 2; /* many of them are there already */
    b->code = wider(b, b->code, sizeof *b->code, most);
    b->known = wider(b, b->known, sizeof *b->known, most);
    b->capacity = b->known_capacity = most;
    enlarge_table(b, size);
}

static void visit_all(builder *b, walk *w)
{
    const program_spec *s = b->spec;
    const size_t handles = expr_pool_size(b->ctx);
    *w = (walk){.seen = NEW_ARRAY(b->arena, uint8_t, handles)};
    b->uses = NEW_ARRAY(b->arena, uint32_t, handles);
    for (size_t i = 0; s->recipe && i < s->recipe->guards.count; i++) {
        visit(b, w, s->recipe->guards.at[i].pivot);
        visit(b, w, s->recipe->guards.at[i].scale);
    }
    for (size_t i = 0; i < s->outputs; i++) visit(b, w, s->output[i]);
    for (size_t i = 0; i < s->outputs; i++) b->uses[s->output[i]]++;
}

/* false: there are none. */
static bool share_angles(builder *b, const expr_list *order)
{
    expr_list calls = {0};
    for (size_t i = 0; i < order->count; i++) {
        if (expr_get_op(b->ctx, order->at[i]) != EXPR_CALL) continue;
        const ah_function f = expr_get_function(b->ctx, order->at[i]);
        if (f == AH_SIN || f == AH_COS) LIST_PUSH(b->arena, &calls, order->at[i]);
    }
    const angles_sums sums = angles_share(b->ctx, b->arena, &calls);
    if (!sums.count) return false;
    b->turned = NEW_ARRAY(b->arena, ah_expr, expr_pool_size(b->ctx));
    for (size_t i = 0; i < sums.count; i++) b->turned[sums.at[i].call] = sums.at[i].meaning;
    return true;
}

static void build_all(builder *b)
{
    const program_spec *s = b->spec;
    walk w;
    visit_all(b, &w);
    if (s->adds && share_angles(b, &w.order)) visit_all(b, &w);
    const size_t handles = expr_pool_size(b->ctx);
    b->place = NEW_ARRAY(b->arena, uint32_t, handles);
    expect(b, &w.order);
    if (s->shares) share_pairs(b, w.order.at, w.order.count, handles);
    for (size_t i = 0; i < w.order.count && !b->failed; i++)
        b->place[w.order.at[i]] = build_node(b, w.order.at[i]) + 1;
}

/* Marks what outputs and guards need: forms that sums made of products may have become idle. */
static bool *needed_values(builder *b, const program *p)
{
    bool *needed = NEW_ARRAY(b->arena, bool, b->count + 1);
    for (size_t i = 0; i < p->outputs; i++) needed[p->output[i]] = true;
    for (size_t i = 0; i < p->guards; i++)
        needed[p->guard[i].pivot] = needed[p->guard[i].bound] = true;
    for (size_t i = 0; i < p->fixed_guards; i++)
        needed[p->fixed_guard[i].pivot] = needed[p->fixed_guard[i].bound] = true;
    for (size_t i = b->count; i-- > 0;)
        if (needed[i] && !is_leaf(&b->code[i])) needed[b->code[i].a] = needed[b->code[i].b] = true;
    return needed;
}

/* ---- Sections -------------------------------------------------------------------------------- */

/* A section that costs less than this (in multiplications) is not worth the comparison of inputs
 * and the memory for its values. */
#define LEAST_SECTION 40

static size_t cost_of(const program_code *c)
{
    switch ((program_op) c->op) {
    case PROGRAM_CALL:
    case PROGRAM_POW: return 30;
    case PROGRAM_DIV:
    case PROGRAM_SQRT: return 5;
    case PROGRAM_INPUT:
    case PROGRAM_CONSTANT: return 0;
    default: return 1;
    }
}

/* For each needed operation the first section in which its operands are known: the number of
 * sections for the rest. Sections that are not worth it are given up. */
static uint8_t *sections_of(builder *b, const bool *needed, size_t *count)
{
    const program_spec *s = b->spec;
    uint8_t *of = NEW_ARRAY(b->arena, uint8_t, b->count + 1), rename[PROGRAM_SECTIONS + 1];
    size_t cost[PROGRAM_SECTIONS + 1] = {0}, kept = 0, carried = 0;
    for (size_t i = 0; i < b->count; i++) {
        const program_code *c = &b->code[i];
        if (b->known[i].fixed) continue;
        if (c->op == PROGRAM_INPUT)
            while (of[i] < PROGRAM_SECTIONS && c->a >= s->seldom[of[i]]) of[i]++;
        else
            of[i] = of[c->a] > of[c->b] ? of[c->a] : of[c->b];
        if (needed[i]) cost[of[i]] += cost_of(c);
    }
    for (size_t k = 0; k < PROGRAM_SECTIONS; k++) { /* what is not worth it joins the next */
        rename[k] = (uint8_t) kept;
        carried += cost[k];
        if (carried < LEAST_SECTION) continue;
        b->section_inputs[kept++] = s->seldom[k];
        carried = 0;
    }
    rename[PROGRAM_SECTIONS] = (uint8_t) kept;
    for (size_t i = 0; i < b->count; i++) of[i] = rename[of[i]];
    *count = kept;
    return of;
}

/* A constant, and how it is worked out again; of operations on constants the operands are there. */
static void keep_constant(const builder *b, program *p, arena *a, uint32_t i, uint32_t *renumber)
{
    const uint32_t to = (uint32_t) p->constants.count; /* of a constant its value has its number */
    program_code c = b->code[i];
    /* −0 + 0 is 0: the engines write small integers out, and all must have the same zero */
    LIST_PUSH(a, &p->constants, b->known[i].number + 0.0);
    LIST_PUSH(a, &p->code, ((program_code){.op = PROGRAM_CONSTANT, .a = to, .b = 0}));
    renumber[i] = to;
    if (!b->known[i].variable) return;
    if (c.op == PROGRAM_CONSTANT)
        c = (program_code){.op = PROGRAM_INPUT, .a = c.a - 1};
    else
        c.a = renumber[c.a], c.b = renumber[c.b];
    LIST_PUSH(a, &p->setup, ((program_setup){c, to}));
}

/* Takes over one operation; its operands have their new numbers. */
static void keep(const builder *b, program *p, arena *a, uint32_t i, uint32_t *renumber)
{
    program_code c = b->code[i];
    if (c.op != PROGRAM_INPUT) {
        c.a = renumber[c.a];
        c.b = renumber[c.b];
    }
    renumber[i] = (uint32_t) p->code.count;
    LIST_PUSH(a, &p->code, c);
}

/* The needed operations, constants first (numbers, then what may change), then section by section;
 * renumber[] gives their new numbers. */
static void keep_needed(builder *b, program *p, arena *a, const bool *needed, uint32_t *renumber)
{
    const uint8_t *of = sections_of(b, needed, &p->sections);
    size_t kept = 0;
    for (uint32_t i = 0; i < b->count; i++) kept += needed[i] && !b->known[i].fixed;
    p->code.at = arena_grow(a, NULL, sizeof *p->code.at, 0, &p->code.capacity, kept);
    for (int variable = 0; variable < 2; variable++) {
        for (uint32_t i = 0; i < b->count; i++)
            if (needed[i] && b->known[i].fixed && b->known[i].variable == variable)
                keep_constant(b, p, a, i, renumber);
        if (!variable) p->numbers = p->constants.count;
    }
    for (size_t k = 0; k <= p->sections; k++) {
        for (uint32_t i = 0; i < b->count; i++)
            if (needed[i] && of[i] == k && !b->known[i].fixed) keep(b, p, a, i, renumber);
        if (k < p->sections) p->section[k] = (program_section){b->section_inputs[k], p->code.count};
    }
}

/* ---- The program ----------------------------------------------------------------------------- */

/* pivot > least · scale; those of parameters alone are judged by program_set. */
static void build_guards(builder *b, program *p, arena *a)
{
    const recipe *r = b->spec->recipe;
    p->guard = NEW_ARRAY(a, program_guard, (r ? r->guards.count : 0) + 1);
    p->fixed_guard = NEW_ARRAY(a, program_guard, (r ? r->guards.count : 0) + 1);
    for (size_t i = 0; r && i < r->guards.count; i++) {
        const recipe_guard *g = &r->guards.at[i];
        const uint32_t pivot = value_of(b, g->pivot);
        const uint32_t bound = g->least > 0 ? times(b, number(b, g->least), value_of(b, g->scale))
                                            : number(b, PROGRAM_LEAST_PIVOT);
        if (b->known[pivot].fixed && b->known[bound].fixed)
            p->fixed_guard[p->fixed_guards++] = (program_guard){pivot, bound};
        else
            p->guard[p->guards++] = (program_guard){pivot, bound};
    }
}

static void renumber_guards(program_guard *guard, size_t count, const uint32_t *renumber)
{
    for (size_t i = 0; i < count; i++)
        guard[i] = (program_guard){renumber[guard[i].pivot], renumber[guard[i].bound]};
}

program *program_create(ah_ctx *ctx, arena *a, const program_spec *spec)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    builder b = {.ctx = ctx, .arena = &ctx->scratch, .spec = spec};
    read_spec(&b);
    expr_rest(ctx); /* marks of walks are as large as what is made here */
    build_all(&b);
    if (b.failed) {
        arena_release(&ctx->scratch, mark);
        return NULL;
    }
    program *p = NEW(a, program);
    p->ctx = ctx;
    p->inputs = spec->inputs;
    p->outputs = spec->outputs;
    p->adds = b.turned != NULL;
    p->output = NEW_ARRAY(a, uint32_t, spec->outputs + 1);
    for (size_t i = 0; i < spec->outputs; i++) p->output[i] = value_of(&b, spec->output[i]);
    build_guards(&b, p, a);
    uint32_t *renumber = NEW_ARRAY(b.arena, uint32_t, b.count + 1);
    const bool *needed = needed_values(&b, p);
    keep_needed(&b, p, a, needed, renumber);
    for (size_t i = 0; i < p->outputs; i++) p->output[i] = renumber[p->output[i]];
    renumber_guards(p->guard, p->guards, renumber);
    renumber_guards(p->fixed_guard, p->fixed_guards, renumber);
    p->own = program_work_create(p, a, 0);
    arena_release(&ctx->scratch, mark);
    return p;
}

size_t program_operations(const program *p)
{
    size_t count = 0;
    for (size_t i = 0; i < p->code.count; i++) count += !is_leaf(&p->code.at[i]);
    return count;
}

double program_cost(const program *p)
{
    static const double weight[] = {
        [PROGRAM_DIV] = 8, [PROGRAM_SQRT] = 8, [PROGRAM_POW] = 40, [PROGRAM_CALL] = 18};
    double sum = 0;
    for (size_t i = 0; i < p->code.count; i++) {
        const program_code *c = &p->code.at[i];
        if (!is_leaf(c)) sum += c->op >= PROGRAM_DIV && weight[c->op] > 0 ? weight[c->op] : 1;
    }
    return sum;
}
