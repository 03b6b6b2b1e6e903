/* algebra/gens.c - which generators a set of lowered expressions needs, and their order. */
#include "internal.h"
#include <assert.h>
#include <stdlib.h>

#define ROOT_LIMIT 64 /* degree */

/* ---- Finding --------------------------------------------------------------------------------- */

static void add_gen(gens *g, gen_kind kind, ah_expr e, ah_expr base, uint32_t degree)
{
    if (map_get(&g->visited, e) == 2) return;
    map_put(&g->visited, e, 2);
    LIST_PUSH(g->arena, &g->found, ((gen){e, base, kind, degree}));
}

family *gens_family(const gens *g, family_kind kind, ah_expr base)
{
    for (size_t i = 0; i < g->families.count; i++)
        if (g->families.at[i].kind == kind && g->families.at[i].base == base)
            return &g->families.at[i];
    return NULL;
}

size_t family_form(const family *f, ah_expr arg)
{
    const uint32_t at = map_get(&f->index, arg);
    assert(at);
    return at - 1;
}

static family *make_family(gens *g, family_kind kind, ah_expr base)
{
    family *f = gens_family(g, kind, base);
    if (f) return f;
    LIST_PUSH(g->arena, &g->families,
              ((family){.kind = kind, .base = base, .index.arena = g->arena}));
    return &g->families.at[g->families.count - 1];
}

static void add_form(gens *g, family *f, ah_expr arg)
{
    static const form_use use[] = {FORM_ANGLE, FORM_PLAIN, FORM_PLAIN, FORM_EXPONENT};
    if (map_get(&f->index, arg)) return;
    LIST_PUSH(g->arena, &f->forms, form_read(g->alg->ctx, g->arena, arg, use[f->kind]));
    map_put(&f->index, arg, (uint32_t) f->forms.count);
}

static long gcd(long a, long b)
{
    return b ? gcd(b, a % b) : a;
}

/* The radicand itself is part of the ring: its relation needs it. */
static void add_root(gens *g, ah_expr base, long q)
{
    LIST_PUSH(g->arena, &g->stack, base);
    const long known = (long) map_get(&g->root_degree, base);
    const long degree = known ? known / gcd(known, q) * q : q;
    if (degree > ROOT_LIMIT) algebra_give_up(g->alg);
    map_put(&g->root_degree, base, (uint32_t) degree);
    g->independent = g->independent && expr_get_op(g->alg->ctx, base) == EXPR_NUMBER;
}

static void add_symbol(gens *g, ah_expr e)
{
    const bool parameter =
        expr_get_op(g->alg->ctx, e) == EXPR_PI || expr_get_kind(g->alg->ctx, e) == AH_PARAMETER;
    add_gen(g, parameter ? GEN_PARAMETER : GEN_SYMBOL, e, AH_NONE, 0);
}

/* Is the argument a rational function of symbols, and not a constant? exp(1), π and their kind may
 * depend on each other, as may roots. */
static bool is_plain_function(gens *g, ah_expr arg)
{
    ah_ctx *ctx = g->alg->ctx;
    const expr_list nodes = expr_reachable(ctx, g->arena, &arg, 1);
    bool symbols = false;
    long n;
    for (size_t i = 0; i < nodes.count; i++) {
        const expr_op op = expr_get_op(ctx, nodes.at[i]);
        if (op == EXPR_CALL || op == EXPR_UNKNOWN) return false;
        if (op == EXPR_POWER && !expr_is_int(ctx, expr_get_children(ctx, nodes.at[i])[1], &n))
            return false;
        symbols = symbols || op == EXPR_SYMBOL;
    }
    return symbols;
}

static void may_be_related(gens *g)
{
    g->independent = false;
    g->related = true;
}

static void add_opaque(gens *g, ah_expr e)
{
    ah_ctx *ctx = g->alg->ctx;
    bool plain = expr_get_op(ctx, e) == EXPR_UNKNOWN;
    for (size_t i = 0; plain && i < expr_get_count(ctx, e); i++)
        plain = is_plain_function(g, expr_get_children(ctx, e)[i]);
    if (!plain) may_be_related(g);
    add_gen(g, GEN_OPAQUE, e, AH_NONE, 0);
}

/* sin(πk/3) and the like are made of sqrt(2) and sqrt(3). */
static void add_turn(gens *g, family *f, ah_expr arg)
{
    const form *x = &f->forms.at[family_form(f, arg)];
    const long q = x->turn_q;
    if (q == 4)
        add_root(g, expr_int(g->alg->ctx, 2), 2);
    else if (q == 3 || q == 6)
        add_root(g, expr_int(g->alg->ctx, 3), 2);
    else if (q > 2) {
        const long known = f->turn ? f->turn : 1;
        f->turn = known / gcd(known, q) * q;
        if (f->turn > MULTIPLE_LIMIT) algebra_give_up(g->alg);
        may_be_related(g);
    }
}

/* What the node is in the ring; returns the children that are to be visited. */
static size_t visit_call(gens *g, ah_expr e)
{
    ah_ctx *ctx = g->alg->ctx;
    const ah_expr arg = expr_get_children(ctx, e)[0];
    family *f;
    switch (expr_get_function(ctx, e)) {
    case AH_SIN:
    case AH_COS:
        f = make_family(g, FAMILY_TRIG, AH_NONE);
        add_form(g, f, arg);
        add_turn(g, f, arg);
        return 0;
    case AH_SINH:
    case AH_COSH: add_form(g, make_family(g, FAMILY_HYPER, AH_NONE), arg); return 0;
    case AH_EXP: add_form(g, make_family(g, FAMILY_EXP, AH_NONE), arg); return 0;
    case AH_ABS:
        g->independent = false;
        add_gen(g, GEN_ABS, e, arg, 2);
        return 1;
    default: add_opaque(g, e); return 0;
    }
}

static size_t visit_power(gens *g, ah_expr e)
{
    ah_ctx *ctx = g->alg->ctx;
    const ah_expr *child = expr_get_children(ctx, e);
    long p, q;
    if (expr_is_rational(ctx, child[1], &p, &q)) {
        if (q > ROOT_LIMIT) algebra_give_up(g->alg);
        if (q == 1) return 1;
        add_root(g, child[0], q);
        return 0;
    }
    if (expr_get_op(ctx, child[1]) == EXPR_NUMBER) algebra_give_up(g->alg);
    family *f = make_family(g, FAMILY_POWER, child[0]);
    add_form(g, f, child[1]);
    may_be_related(g);
    return f->forms.at[family_form(f, child[1])].whole ? 1 : 0;
}

static size_t visit(gens *g, ah_expr e)
{
    switch (expr_get_op(g->alg->ctx, e)) {
    case EXPR_NUMBER: return 0;
    case EXPR_PI:
    case EXPR_SYMBOL: add_symbol(g, e); return 0;
    case EXPR_SUM:
    case EXPR_PRODUCT: return expr_get_count(g->alg->ctx, e);
    case EXPR_POWER: return visit_power(g, e);
    case EXPR_CALL: return visit_call(g, e);
    case EXPR_UNKNOWN: add_opaque(g, e); return 0;
    }
    return 0;
}

static int ascending(const void *a, const void *b)
{
    const ah_expr x = *(const ah_expr *) a, y = *(const ah_expr *) b;
    return (x > y) - (x < y);
}

/* Depth first with a stack of its own: graphs may be deep. */
static void walk(gens *g, const ah_expr *roots, size_t count)
{
    ah_ctx *ctx = g->alg->ctx;
    for (size_t i = 0; i < count; i++) LIST_PUSH(g->arena, &g->stack, roots[i]);
    while (g->stack.count) {
        const ah_expr e = g->stack.at[--g->stack.count];
        if (map_get(&g->visited, e)) continue;
        ctx_tick(ctx);
        map_put(&g->visited, e, 1);
        LIST_PUSH(g->arena, &g->nodes, e);
        const size_t children = visit(g, e);
        for (size_t i = 0; i < children; i++)
            LIST_PUSH(g->arena, &g->stack, expr_get_children(ctx, e)[i]);
    }
    if (g->nodes.count) qsort(g->nodes.at, g->nodes.count, sizeof *g->nodes.at, ascending);
}

/* ---- Bases ----------------------------------------------------------------------------------- */

static ah_expr negated(gens *g, ah_expr e)
{
    ah_ctx *ctx = g->alg->ctx;
    if (expr_get_op(ctx, e) != EXPR_SUM) return expr_neg(ctx, e);
    const size_t count = expr_get_count(ctx, e);
    ah_expr *terms = NEW_ARRAY(g->arena, ah_expr, count);
    for (size_t i = 0; i < count; i++) terms[i] = expr_neg(ctx, expr_get_children(ctx, e)[i]);
    return expr_sum(ctx, count, terms);
}

/* sin of the base must be a node of its own: sin(-x) would become -sin(x). */
static void orient(gens *g, family *f, size_t k, ah_function odd)
{
    ah_ctx *ctx = g->alg->ctx;
    if (expr_get_op(ctx, expr_call1(ctx, odd, f->basis.arg[k])) == EXPR_CALL) return;
    f->basis.arg[k] = negated(g, f->basis.arg[k]);
    for (size_t j = 0; j < f->forms.count; j++)
        for (size_t i = 0; i < f->basis.sum[j].count; i++)
            if (f->basis.sum[j].at[i].base == k) f->basis.sum[j].at[i].times *= -1;
}

static void add_pair(gens *g, gen_kind kind, ah_expr even, ah_expr odd, ah_expr arg)
{
    add_gen(g, kind, even, arg, 2);
    add_gen(g, kind + 1, odd, arg, 0);
}

/* The (first) generator of a base form. */
static ah_expr family_gen(ah_ctx *ctx, const family *f, ah_expr arg)
{
    switch (f->kind) {
    case FAMILY_TRIG: return expr_call1(ctx, AH_COS, arg);
    case FAMILY_HYPER: return expr_call1(ctx, AH_COSH, arg);
    case FAMILY_EXP: return expr_call1(ctx, AH_EXP, arg);
    case FAMILY_POWER: break;
    }
    return expr_pow(ctx, f->base, arg);
}

static ah_expr turn_angle(ah_ctx *ctx, const family *f)
{
    return expr_mul(ctx, expr_rational(ctx, 1, f->turn), expr_pi(ctx));
}

static void choose_bases(gens *g, family *f, bool canonical)
{
    ah_ctx *ctx = g->alg->ctx;
    if (f->by_exp) return;
    f->basis = basis_choose(ctx, g->arena, f->forms.at, f->forms.count, canonical);
    g->single = g->single && f->basis.single;
    if (!f->basis.independent) may_be_related(g);
    for (size_t k = 0; k < f->basis.count; k++) {
        if (!is_plain_function(g, f->basis.arg[k])) may_be_related(g);
        if (f->kind == FAMILY_TRIG) orient(g, f, k, AH_SIN);
        if (f->kind == FAMILY_HYPER) orient(g, f, k, AH_SINH);
        const ah_expr arg = f->basis.arg[k];
        const ah_expr e = family_gen(ctx, f, arg);
        if (f->kind == FAMILY_TRIG)
            add_pair(g, GEN_COS, e, expr_call1(ctx, AH_SIN, arg), arg);
        else if (f->kind == FAMILY_HYPER)
            add_pair(g, GEN_COSH, e, expr_call1(ctx, AH_SINH, arg), arg);
        else
            add_gen(g, GEN_POWER, e, arg, 0);
    }
    if (f->turn) {
        const ah_expr arg = turn_angle(ctx, f);
        add_pair(g, GEN_COS, expr_call1(ctx, AH_COS, arg), expr_call1(ctx, AH_SIN, arg), arg);
    }
}

static bool share_term(const family *a, const family *b)
{
    map bases = a->index;
    bases.item = NULL;
    bases.count = bases.capacity = 0;
    for (size_t i = 0; i < a->forms.count; i++)
        for (size_t k = 0; k < a->forms.at[i].count; k++)
            map_put(&bases, a->forms.at[i].term[k].base, 1);
    for (size_t i = 0; i < b->forms.count; i++)
        for (size_t k = 0; k < b->forms.at[i].count; k++)
            if (map_get(&bases, b->forms.at[i].term[k].base)) return true;
    return false;
}

/* Where exp and sinh of the same occur, sinh is (exp − 1/exp)/2. */
static void join_hyper(gens *g)
{
    family *hyper = gens_family(g, FAMILY_HYPER, AH_NONE), *e = gens_family(g, FAMILY_EXP, AH_NONE);
    if (!hyper || !e || !share_term(hyper, e)) return;
    hyper->by_exp = true;
    for (size_t i = 0; i < hyper->forms.count; i++) add_form(g, e, hyper->forms.at[i].arg);
}

/* ---- Order ----------------------------------------------------------------------------------- */

/* A root's base has a larger handle than everything inside it: descending bases put outer radicals
 * first. Generators of a pair stay together since they have the same base. */
static int before(const gen *a, const gen *b)
{
    static const int rank[] = {0, 0, 1, 2, 3, 4, 5, 5, 6, 6};
    if (rank[a->kind] != rank[b->kind]) return rank[a->kind] - rank[b->kind];
    if (a->base != b->base) {
        const int order = (a->base > b->base) - (a->base < b->base);
        return rank[a->kind] == 0 ? -order : order;
    }
    if (a->kind != b->kind) return (int) a->kind - (int) b->kind;
    return (a->e > b->e) - (a->e < b->e);
}

static int compare(const void *a, const void *b)
{
    return before(a, b);
}

/* Each base once, with the common multiple of its roots' degrees. */
static void add_roots(gens *g)
{
    ah_ctx *ctx = g->alg->ctx;
    for (size_t i = 0; i < g->root_degree.capacity; i++) {
        const uint64_t item = g->root_degree.item[i];
        if (!item) continue;
        const ah_expr base = (ah_expr) (item >> 32);
        const uint32_t degree = (uint32_t) item;
        const ah_expr e = expr_pow(ctx, base, expr_rational(ctx, 1, (long) degree));
        LIST_PUSH(g->arena, &g->found, ((gen){e, base, GEN_ROOT, degree}));
    }
}

static void set_order(gens *g)
{
    g->gen = g->found.at;
    g->count = g->found.count;
    if (g->count) qsort(g->gen, g->count, sizeof *g->gen, compare);
    for (size_t i = 0; i < g->count; i++) {
        const bool root = g->gen[i].kind == GEN_ROOT;
        map_put(root ? &g->root : &g->index, root ? g->gen[i].base : g->gen[i].e, (uint32_t) i + 1);
    }
    for (size_t i = 0; i < g->families.count; i++) {
        family *f = &g->families.at[i];
        ah_ctx *ctx = g->alg->ctx;
        f->gen = NEW_ARRAY(g->arena, size_t, f->basis.count);
        for (size_t k = 0; k < f->basis.count; k++)
            f->gen[k] = gens_index(g, family_gen(ctx, f, f->basis.arg[k]));
        if (f->turn) f->turn_gen = gens_index(g, expr_call1(ctx, AH_COS, turn_angle(ctx, f)));
    }
}

size_t gens_index(const gens *g, ah_expr e)
{
    const uint32_t at = map_get(&g->index, e);
    assert(at);
    return at - 1;
}

size_t gens_root(const gens *g, ah_expr base)
{
    const uint32_t at = map_get(&g->root, base);
    assert(at);
    return at - 1;
}

gens *gens_find(algebra *alg, const ah_expr *roots, size_t count, bool canonical)
{
    arena *a = &alg->ctx->scratch;
    gens *g = NEW(a, gens);
    *g = (gens){
        .alg = alg, .arena = a, .independent = !alg->loose, .related = alg->loose, .single = true};
    g->index.arena = g->root.arena = g->root_degree.arena = g->visited.arena = a;
    walk(g, roots, count);
    join_hyper(g);
    for (size_t i = 0; i < g->families.count; i++) choose_bases(g, &g->families.at[i], canonical);
    add_roots(g);
    set_order(g);
    return g;
}
