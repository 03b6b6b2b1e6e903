/* compile/jets_short.c - see jets_short.h. */
#include "jets_short.h"

#include <stdlib.h>
#include <string.h>

/* Longer programs are left as they are: the search takes the square of their length. */
#define MOST_VALUES 500
/* A term with more factors becomes a factor itself. */
#define MOST_FACTORS 16
#define NOUGHT       UINT32_MAX

/* A factor: a piece and whether it divides. */
typedef uint32_t factor;

static factor factor_of(uint32_t piece, bool under)
{
    return 2 * piece + under;
}

typedef struct term {
    uint32_t scale;    /* a constant value of the new code; NOUGHT: 1 */
    bool minus, alone; /* alone: no other term has these factors */
    uint32_t count;
    factor at[MOST_FACTORS];
} term;

typedef enum piece_kind { PIECE_LEAF, PIECE_CALL, PIECE_SUM, PIECE_PAIR } piece_kind;

typedef struct piece {
    piece_kind kind;
    program_code code; /* of a leaf or a call, whose a and b are pieces here */
    LIST(term) terms;  /* of a sum */
    factor first, second;
    bool shared, live;
    uint32_t value; /* in the new code, + 1 */
} piece;

typedef struct work {
    arena *arena;
    const program *f;
    LIST(piece) pieces;
    LIST(program_code) code; /* the new one */
    LIST(double) more;
    bool cancels;   /* a/a is 1 */
    uint32_t *uses; /* by old value */
    term *of;       /* by old value */
    uint32_t *root; /* by old value: piece + 1 */
} work;

/* ---- The new code ---------------------------------------------------------------------------- */

static uint32_t put(work *w, program_code c)
{
    for (size_t i = 0; i < w->code.count; i++) {
        const program_code *x = &w->code.at[i];
        if (x->op == c.op && x->function == c.function && x->a == c.a && x->b == c.b)
            return (uint32_t) i;
    }
    LIST_PUSH(w->arena, &w->code, c);
    return (uint32_t) w->code.count - 1;
}

static uint32_t put_op(work *w, program_op op, uint32_t a, uint32_t b)
{
    return put(w, (program_code){(uint8_t) op, AH_FUNCTIONS, a, b});
}

static uint32_t put_number(work *w, double x)
{
    size_t i = 0;
    while (i < w->more.count && w->more.at[i] != x) i++;
    if (i == w->more.count) LIST_PUSH(w->arena, &w->more, x);
    const uint32_t index = (uint32_t) (w->f->constants.count + i);
    return put_op(w, PROGRAM_CONSTANT, index, index);
}

/* ---- Terms ----------------------------------------------------------------------------------- */

static uint32_t add_piece(work *w, piece p)
{
    LIST_PUSH(w->arena, &w->pieces, p);
    return (uint32_t) w->pieces.count - 1;
}

static term term_of_piece(uint32_t p)
{
    return (term){.scale = NOUGHT, .count = 1, .at = {factor_of(p, false)}};
}

static uint32_t piece_of(const term *t)
{
    return t->at[0] / 2;
}

static void remove_factor(term *t, uint32_t i)
{
    memmove(t->at + i, t->at + i + 1, (t->count - i - 1) * sizeof *t->at);
    t->count--;
}

static uint32_t find_factor(const term *t, factor x)
{
    uint32_t i = 0;
    while (i < t->count && t->at[i] != x) i++;
    return i;
}

static void insert_factor(term *t, factor x)
{
    uint32_t i = t->count++;
    for (; i > 0 && t->at[i - 1] > x; i--) t->at[i] = t->at[i - 1];
    t->at[i] = x;
}

static uint32_t scale_with(work *w, program_op op, uint32_t a, uint32_t b)
{
    if (b == NOUGHT) return a;
    if (a == NOUGHT && op == PROGRAM_MUL) return b;
    return put_op(w, op, a == NOUGHT ? put_number(w, 1) : a, b);
}

/* A sum of one term: what is asked for as one value. */
static uint32_t wrap(work *w, const term *t)
{
    piece p = {.kind = PIECE_SUM, .shared = true};
    LIST_PUSH(w->arena, &p.terms, *t);
    return add_piece(w, p);
}

static void multiply(work *w, term *t, const term *by, bool under);

static void multiply_factor(work *w, term *t, factor x)
{
    const uint32_t opposite = find_factor(t, x ^ 1), same = find_factor(t, x);
    const piece *p = &w->pieces.at[x / 2];
    if (w->cancels && opposite < t->count) {
        remove_factor(t, opposite);
    } else if (same < t->count && p->kind == PIECE_CALL && p->code.op == PROGRAM_SQRT) {
        const term inside = w->pieces.at[p->code.a].terms.at[0];
        remove_factor(t, same);
        multiply(w, t, &inside, x & 1);
    } else {
        if (t->count == MOST_FACTORS) {
            const uint32_t all = wrap(w, t);
            *t = term_of_piece(all);
        }
        insert_factor(t, x);
    }
}

static void multiply(work *w, term *t, const term *by, bool under)
{
    t->minus ^= by->minus;
    t->scale = scale_with(w, under ? PROGRAM_DIV : PROGRAM_MUL, t->scale, by->scale);
    for (uint32_t i = 0; i < by->count; i++) multiply_factor(w, t, by->at[i] ^ under);
}

/* Products and quotients. */
static int cost_of(const term *t)
{
    int over = 0;
    for (uint32_t i = 0; i < t->count; i++) over += !(t->at[i] & 1);
    return (int) t->count - (over > 0);
}

/* Whether all that divides t divides one of the terms: the jet is to fail where the program does. */
static bool keeps_divisors(const piece *sum, const term *t)
{
    bool all = true;
    for (uint32_t i = 0; i < t->count && all; i++) {
        bool found = !(t->at[i] & 1);
        for (size_t k = 0; k < sum->terms.count && !found; k++)
            found = find_factor(&sum->terms.at[k], t->at[i]) < sum->terms.at[k].count;
        all = found;
    }
    return all;
}

/* The terms of sum x times t, and how many products fewer that is. */
static piece times_terms(work *w, uint32_t x, const term *t, int *gain)
{
    piece sum = {.kind = PIECE_SUM};
    *gain = (int) t->count;
    w->cancels = true;
    for (size_t k = 0; k < w->pieces.at[x].terms.count; k++) {
        term one = w->pieces.at[x].terms.at[k];
        *gain += cost_of(&one);
        multiply(w, &one, t, false);
        *gain -= cost_of(&one);
        LIST_PUSH(w->arena, &sum.terms, one);
    }
    w->cancels = false;
    bool kept = keeps_divisors(&sum, t);
    for (size_t k = 0; k < w->pieces.at[x].terms.count; k++)
        kept = kept && keeps_divisors(&sum, &w->pieces.at[x].terms.at[k]);
    if (!kept) *gain = 0;
    return sum;
}

/* (a c + b)/c is a + b/c, where that has fewer products. */
static void distribute(work *w, term *t)
{
    for (uint32_t i = 0; i < t->count && t->count > 1; i++) {
        const uint32_t x = t->at[i] / 2;
        const bool opens = w->pieces.at[x].kind == PIECE_SUM && !w->pieces.at[x].shared;
        if (t->at[i] & 1 || !opens) continue;
        term rest = *t;
        int gain = 0;
        rest.scale = NOUGHT, rest.minus = false;
        remove_factor(&rest, i);
        const piece sum = times_terms(w, x, &rest, &gain);
        if (gain <= 0) continue;
        term all = term_of_piece(add_piece(w, sum));
        all.scale = t->scale, all.minus = t->minus;
        *t = all;
        return;
    }
}

/* ---- Values of the program as terms ---------------------------------------------------------- */

static uint32_t root_of(work *w, uint32_t old)
{
    if (!w->root[old]) w->root[old] = wrap(w, &w->of[old]) + 1;
    return w->root[old] - 1;
}

static void append(work *w, piece *sum, const term *t, bool minus)
{
    const piece *inner = t->count == 1 ? &w->pieces.at[piece_of(t)] : NULL;
    const bool opens = inner && !(t->at[0] & 1) && inner->kind == PIECE_SUM && !inner->shared &&
                       t->scale == NOUGHT;
    if (!opens) {
        term one = *t;
        one.minus ^= minus;
        LIST_PUSH(w->arena, &sum->terms, one);
        return;
    }
    for (size_t i = 0; i < inner->terms.count; i++) {
        term one = inner->terms.at[i];
        one.minus ^= t->minus ^ minus;
        LIST_PUSH(w->arena, &sum->terms, one);
    }
}

static term sum_of(work *w, const term *a, const term *b, bool minus)
{
    piece sum = {.kind = PIECE_SUM};
    append(w, &sum, a, false);
    append(w, &sum, b, minus);
    return term_of_piece(add_piece(w, sum));
}

/* The piece of function f of the term; NOUGHT: there is none. */
static uint32_t find_call(const work *w, ah_function f, const term *argument)
{
    for (uint32_t i = 0; i < w->pieces.count; i++) {
        const piece *p = &w->pieces.at[i];
        if (p->kind != PIECE_CALL || p->code.op != PROGRAM_CALL || p->code.function != f) continue;
        const term *t = &w->pieces.at[p->code.a].terms.at[0];
        if (t->scale == argument->scale && t->minus == argument->minus &&
            t->count == argument->count &&
            memcmp(t->at, argument->at, t->count * sizeof *t->at) == 0)
            return i;
    }
    return NOUGHT;
}

/* sin 2a = 2 sin a cos a, cos 2a = 2 cos² a − 1, where those of a are there. */
static bool double_angle(work *w, const program_code *c, term *out)
{
    term half = w->of[c->a];
    if (c->op != PROGRAM_CALL || (c->function != AH_SIN && c->function != AH_COS)) return false;
    if (half.scale == NOUGHT || w->code.at[half.scale].op != PROGRAM_CONSTANT) return false;
    const uint32_t index = w->code.at[half.scale].a;
    if (index >= w->f->numbers || w->f->constants.at[index] != 2) return false;
    const uint32_t two = half.scale;
    half.scale = NOUGHT;
    const uint32_t s = find_call(w, AH_SIN, &half), k = find_call(w, AH_COS, &half);
    if (s == NOUGHT || k == NOUGHT) return false;
    term product = {.scale = two, .count = 0};
    multiply_factor(w, &product, factor_of(k, false));
    multiply_factor(w, &product, factor_of(c->function == AH_SIN ? s : k, false));
    if (c->function == AH_COS) {
        const term one = {.scale = put_number(w, 1)};
        product = sum_of(w, &product, &one, true);
    }
    *out = product;
    return true;
}

static term call_of(work *w, const program_code *c)
{
    term t;
    if (double_angle(w, c, &t)) return t;
    program_code code = *c;
    code.a = root_of(w, c->a);
    code.b = c->b == c->a ? code.a : root_of(w, c->b);
    return term_of_piece(add_piece(w, (piece){.kind = PIECE_CALL, .code = code}));
}

static bool is_one(const work *w, const program_code *c)
{
    return c->a < w->f->numbers && w->f->constants.at[c->a] == 1;
}

static term take(work *w, const program_code *c)
{
    const bool leaf = c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT;
    const term *a = leaf ? NULL : &w->of[c->a], *b = leaf ? NULL : &w->of[c->b];
    term t;
    switch ((program_op) c->op) {
    case PROGRAM_INPUT: return term_of_piece(add_piece(w, (piece){.kind = PIECE_LEAF, .code = *c}));
    case PROGRAM_CONSTANT: return (term){.scale = is_one(w, c) ? NOUGHT : put(w, *c)};
    case PROGRAM_ADD:
    case PROGRAM_SUB: return sum_of(w, a, b, c->op == PROGRAM_SUB);
    case PROGRAM_MUL:
    case PROGRAM_DIV:
        t = *a;
        multiply(w, &t, b, c->op == PROGRAM_DIV);
        distribute(w, &t);
        return t;
    case PROGRAM_NEG:
        t = *a;
        t.minus = !t.minus;
        return t;
    case PROGRAM_SQRT:
    case PROGRAM_POW:
    case PROGRAM_CALL: break;
    }
    return call_of(w, c);
}

static bool is_leaf(const program_code *c)
{
    return c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT;
}

/* How often values are used on the way to the outputs. */
static void count_uses(work *w)
{
    const program *f = w->f;
    for (size_t i = 0; i < f->outputs; i++) w->uses[f->output[i]]++;
    for (size_t i = f->code.count; i-- > 0;) {
        const program_code *c = &f->code.at[i];
        if (!w->uses[i] || is_leaf(c)) continue;
        w->uses[c->a]++;
        if (c->b != c->a || c->op == PROGRAM_MUL || c->op == PROGRAM_ADD) w->uses[c->b]++;
    }
}

static void take_all(work *w)
{
    for (size_t i = 0; i < w->f->code.count; i++) {
        if (!w->uses[i]) continue;
        const term t = take(w, &w->f->code.at[i]);
        w->of[i] = t;
        for (uint32_t k = 0; w->uses[i] > 1 && k < t.count; k++)
            w->pieces.at[t.at[k] / 2].shared = true;
    }
}

/* ---- Which are needed ------------------------------------------------------------------------ */

static void need(work *w, uint32_t x);

static void need_terms(work *w, uint32_t x)
{
    for (size_t i = 0; i < w->pieces.at[x].terms.count; i++)
        for (uint32_t k = 0; k < w->pieces.at[x].terms.at[i].count; k++)
            need(w, w->pieces.at[x].terms.at[i].at[k] / 2);
}

static void need(work *w, uint32_t x)
{
    piece *p = &w->pieces.at[x];
    if (p->live) return;
    p->live = true;
    if (p->kind == PIECE_CALL) need(w, p->code.a), need(w, p->code.b);
    if (p->kind == PIECE_SUM) need_terms(w, x);
}

static int compare_terms(const void *x, const void *y)
{
    const term *a = x, *b = y;
    if (a->count != b->count) return a->count < b->count ? -1 : 1;
    for (uint32_t i = 0; i < a->count; i++)
        if (a->at[i] != b->at[i]) return a->at[i] < b->at[i] ? -1 : 1;
    if (a->scale != b->scale) return a->scale < b->scale ? -1 : 1;
    return (int) a->minus - (int) b->minus;
}

static bool same_sum(const piece *a, const piece *b)
{
    if (a->terms.count != b->terms.count) return false;
    for (size_t i = 0; i < a->terms.count; i++)
        if (compare_terms(&a->terms.at[i], &b->terms.at[i]) != 0) return false;
    return true;
}

static void sort_terms(piece *p)
{
    if (p->terms.count) qsort(p->terms.at, p->terms.count, sizeof *p->terms.at, compare_terms);
}

/* The earlier piece that is the same sum, or itself. */
static uint32_t first_like(const work *w, uint32_t x)
{
    for (uint32_t i = 0; i < x; i++)
        if (w->pieces.at[i].live && w->pieces.at[i].kind == PIECE_SUM &&
            same_sum(&w->pieces.at[i], &w->pieces.at[x]))
            return i;
    return x;
}

static void rename_factors(piece *p, const uint32_t *name)
{
    for (size_t i = 0; i < p->terms.count; i++) {
        const term old = p->terms.at[i];
        term *t = &p->terms.at[i];
        t->count = 0;
        for (uint32_t k = 0; k < old.count; k++)
            insert_factor(t, factor_of(name[old.at[k] / 2], old.at[k] & 1));
    }
    sort_terms(p);
}

/* Sums that became equal are one; pieces stand after those that they are made of. */
static void join_equal(work *w)
{
    uint32_t *name = NEW_ARRAY(w->arena, uint32_t, w->pieces.count + 1);
    for (uint32_t i = 0; i < w->pieces.count; i++) {
        piece *p = &w->pieces.at[i];
        name[i] = i;
        if (!p->live) continue;
        if (p->kind == PIECE_CALL) p->code.a = name[p->code.a], p->code.b = name[p->code.b];
        if (p->kind != PIECE_SUM) continue;
        rename_factors(p, name);
        name[i] = first_like(w, i);
        p->live = name[i] == i;
    }
    for (size_t i = 0; i < w->f->outputs; i++) {
        uint32_t *root = &w->root[w->f->output[i]];
        *root = name[*root - 1] + 1;
    }
}

/* ---- The search ------------------------------------------------------------------------------ */

typedef struct step {
    int gain;
    factor a, b;  /* a pair: a is above */
    uint32_t sum; /* or the sum whose terms have a in common; NOUGHT */
} step;

typedef LIST(term *) term_list;

static term_list live_terms(work *w)
{
    term_list all = {0};
    for (size_t i = 0; i < w->pieces.count; i++)
        for (size_t k = 0; w->pieces.at[i].live && k < w->pieces.at[i].terms.count; k++)
            LIST_PUSH(w->arena, &all, &w->pieces.at[i].terms.at[k]);
    return all;
}

/* What divides twice is one divisor; what is above comes first. */
static uint64_t key_of(factor x, factor y)
{
    if (x & y & 1) x ^= 1, y ^= 1;
    const bool swap = (x & 1) != (y & 1) ? x & 1 : x > y;
    return swap ? (uint64_t) y << 32 | x : (uint64_t) x << 32 | y;
}

static int compare_keys(const void *x, const void *y)
{
    const uint64_t a = *(const uint64_t *) x, b = *(const uint64_t *) y;
    return a < b ? -1 : a > b;
}

typedef LIST(uint64_t) key_list;

/* The pairs of factors of a term, each once. */
static void list_pairs(work *w, const term *t, key_list *keys)
{
    const size_t first = keys->count;
    for (uint32_t i = 0; i < t->count; i++)
        for (uint32_t k = i + 1; k < t->count; k++) {
            const uint64_t key = key_of(t->at[i], t->at[k]);
            bool known = false;
            for (size_t x = first; x < keys->count; x++) known = known || keys->at[x] == key;
            if (!known) LIST_PUSH(w->arena, keys, key);
        }
}

static step best_pair(work *w, const term_list *all)
{
    key_list keys = {0};
    step best = {.sum = NOUGHT};
    for (size_t i = 0; i < all->count; i++) list_pairs(w, all->at[i], &keys);
    if (keys.count) qsort(keys.at, keys.count, sizeof *keys.at, compare_keys);
    for (size_t i = 0, end; i < keys.count; i = end) {
        for (end = i; end < keys.count && keys.at[end] == keys.at[i];) end++;
        const int gain = (int) (end - i) - 1;
        if (gain > best.gain)
            best = (step){gain, (factor) (keys.at[i] >> 32), (factor) keys.at[i], NOUGHT};
    }
    return best;
}

static bool same_factors(const term *a, const term *b)
{
    return a->count == b->count && memcmp(a->at, b->at, a->count * sizeof *a->at) == 0;
}

static void mark_alone(const term_list *all)
{
    for (size_t i = 0; i < all->count; i++) all->at[i]->alone = true;
    for (size_t i = 0; i < all->count; i++)
        for (size_t k = i + 1; k < all->count; k++)
            if (same_factors(all->at[i], all->at[k])) all->at[i]->alone = all->at[k]->alone = false;
}

static void try_common(const piece *p, uint32_t sum, factor x, step *best)
{
    int count = 0;
    for (size_t i = 0; i < p->terms.count; i++) {
        const term *t = &p->terms.at[i];
        count += t->count > 1 && find_factor(t, x) < t->count && t->alone;
    }
    if (count - 1 > best->gain) *best = (step){count - 1, x, 0, sum};
}

static void best_common(const work *w, step *best)
{
    for (uint32_t s = 0; s < w->pieces.count; s++) {
        const piece *p = &w->pieces.at[s];
        if (!p->live || p->terms.count < 2) continue;
        for (size_t i = 0; i < p->terms.count; i++)
            for (uint32_t k = 0; k < p->terms.at[i].count; k++)
                try_common(p, s, p->terms.at[i].at[k], best);
    }
}

static void replace_pair(term *t, uint64_t key, uint32_t by)
{
    for (uint32_t i = 0; i < t->count; i++)
        for (uint32_t k = i + 1; k < t->count; k++) {
            if (key_of(t->at[i], t->at[k]) != key) continue;
            const bool under = t->at[i] & t->at[k] & 1;
            remove_factor(t, k);
            remove_factor(t, i);
            insert_factor(t, factor_of(by, under));
            return;
        }
}

static void make_pair(work *w, const term_list *all, const step *s)
{
    const piece pair = {.kind = PIECE_PAIR, .first = s->a, .second = s->b, .live = true};
    const uint32_t by = add_piece(w, pair);
    for (size_t i = 0; i < all->count; i++) replace_pair(all->at[i], key_of(s->a, s->b), by);
}

/* a b + a c + d: a (b + c) + d. */
static void make_common(work *w, const step *s)
{
    piece inner = {.kind = PIECE_SUM, .live = true};
    piece *p = &w->pieces.at[s->sum];
    size_t kept = 0;
    for (size_t i = 0; i < p->terms.count; i++) {
        term *t = &p->terms.at[i];
        const uint32_t at = find_factor(t, s->a);
        if (t->count > 1 && at < t->count && t->alone) {
            term one = *t;
            remove_factor(&one, at);
            LIST_PUSH(w->arena, &inner.terms, one);
            t->count = NOUGHT; /* to be left out below */
        }
    }
    for (size_t i = 0; i < p->terms.count; i++)
        if (p->terms.at[i].count != NOUGHT) p->terms.at[kept++] = p->terms.at[i];
    p->terms.count = kept;
    sort_terms(&inner);
    uint32_t x = add_piece(w, inner);
    const uint32_t like = first_like(w, x);
    if (like != x) w->pieces.at[x].live = false, x = like;
    term one = {.scale = NOUGHT};
    insert_factor(&one, s->a);
    insert_factor(&one, factor_of(x, false));
    p = &w->pieces.at[s->sum];
    LIST_PUSH(w->arena, &p->terms, one);
    sort_terms(p);
}

static void search(work *w)
{
    for (;;) {
        ctx_tick(w->f->ctx);
        const term_list all = live_terms(w);
        step best = best_pair(w, &all);
        mark_alone(&all);
        best_common(w, &best);
        if (best.gain <= 0) return;
        if (best.sum == NOUGHT)
            make_pair(w, &all, &best);
        else
            make_common(w, &best);
    }
}

/* ---- Back to code ---------------------------------------------------------------------------- */

static uint32_t value_of(work *w, uint32_t x);

static uint32_t value_of_factors(work *w, const term *t, bool under)
{
    uint32_t v = NOUGHT;
    for (uint32_t i = 0; i < t->count; i++) {
        if ((t->at[i] & 1) != under) continue;
        const uint32_t x = value_of(w, t->at[i] / 2);
        v = v == NOUGHT ? x : put_op(w, PROGRAM_MUL, v, x);
    }
    return v;
}

static uint32_t value_of_term(work *w, const term *t, uint32_t scale)
{
    const uint32_t over = value_of_factors(w, t, false), under = value_of_factors(w, t, true);
    if (over == NOUGHT && scale == NOUGHT) scale = put_number(w, 1);
    if (over == NOUGHT) return under == NOUGHT ? scale : put_op(w, PROGRAM_DIV, scale, under);
    const uint32_t v = under == NOUGHT ? over : put_op(w, PROGRAM_DIV, over, under);
    return scale == NOUGHT ? v : put_op(w, PROGRAM_MUL, scale, v);
}

typedef struct signed_value {
    uint32_t value;
    bool minus;
} signed_value;

/* Of terms first … end − 1, by halves. */
static signed_value value_of_terms(work *w, uint32_t x, size_t first, size_t end, bool scaled)
{
    const term t = w->pieces.at[x].terms.at[first];
    if (end - first == 1)
        return (signed_value){value_of_term(w, &t, scaled ? t.scale : NOUGHT), t.minus};
    const size_t middle = first + (end - first) / 2;
    const signed_value a = value_of_terms(w, x, first, middle, scaled),
                       b = value_of_terms(w, x, middle, end, scaled);
    if (a.minus == b.minus)
        return (signed_value){put_op(w, PROGRAM_ADD, a.value, b.value), a.minus};
    return (signed_value){a.minus ? put_op(w, PROGRAM_SUB, b.value, a.value)
                                  : put_op(w, PROGRAM_SUB, a.value, b.value),
                          false};
}

/* A scale that all terms have is applied to their sum. */
static uint32_t value_of_sum(work *w, uint32_t x)
{
    const size_t count = w->pieces.at[x].terms.count;
    const uint32_t scale = w->pieces.at[x].terms.at[0].scale;
    bool common = count > 1 && scale != NOUGHT;
    for (size_t i = 0; i < count; i++) {
        const term *t = &w->pieces.at[x].terms.at[i];
        common = common && t->scale == scale && t->count > 0;
    }
    const signed_value v = value_of_terms(w, x, 0, count, !common);
    const uint32_t all = common ? put_op(w, PROGRAM_MUL, scale, v.value) : v.value;
    return v.minus ? put_op(w, PROGRAM_NEG, all, all) : all;
}

static uint32_t value_of(work *w, uint32_t x)
{
    const piece p = w->pieces.at[x];
    if (p.value) return p.value - 1;
    program_code c = p.code;
    uint32_t v = 0;
    switch (p.kind) {
    case PIECE_LEAF: v = put(w, c); break;
    case PIECE_CALL:
        c.a = value_of(w, p.code.a);
        c.b = value_of(w, p.code.b);
        v = put(w, c);
        break;
    case PIECE_SUM: v = value_of_sum(w, x); break;
    case PIECE_PAIR:
        c.a = value_of(w, p.first / 2);
        c.b = value_of(w, p.second / 2);
        v = put_op(w, p.second & 1 ? PROGRAM_DIV : PROGRAM_MUL, c.a, c.b);
        break;
    }
    w->pieces.at[x].value = v + 1;
    return v;
}

/* What guards compare is worked out as the program does it. */
static const program_guard *put_guards(work *w)
{
    const program *f = w->f;
    program_guard *guard = NEW_ARRAY(w->arena, program_guard, f->guards + 1);
    bool *needed = NEW_ARRAY(w->arena, bool, f->code.count + 1);
    uint32_t *at = NEW_ARRAY(w->arena, uint32_t, f->code.count + 1);
    for (size_t i = 0; i < f->guards; i++)
        needed[f->guard[i].pivot] = needed[f->guard[i].bound] = true;
    for (size_t i = f->code.count; i-- > 0;)
        if (needed[i] && !is_leaf(&f->code.at[i]))
            needed[f->code.at[i].a] = needed[f->code.at[i].b] = true;
    for (size_t i = 0; i < f->code.count; i++) {
        program_code c = f->code.at[i];
        if (!needed[i]) continue;
        if (!is_leaf(&c)) c.a = at[c.a], c.b = at[c.b];
        at[i] = put(w, c);
    }
    for (size_t i = 0; i < f->guards; i++)
        guard[i] = (program_guard){at[f->guard[i].pivot], at[f->guard[i].bound]};
    return guard;
}

bool jets_shorten(arena *a, const program *f, jets_source *out)
{
    if (f->code.count > MOST_VALUES) return false;
    const size_t count = f->code.count + 1;
    work w = {.arena = a, .f = f};
    w.uses = NEW_ARRAY(a, uint32_t, count);
    w.of = NEW_ARRAY(a, term, count);
    w.root = NEW_ARRAY(a, uint32_t, count);
    count_uses(&w);
    take_all(&w);
    for (size_t i = 0; i < f->outputs; i++) need(&w, root_of(&w, f->output[i]));
    join_equal(&w);
    search(&w);
    uint32_t *output = NEW_ARRAY(a, uint32_t, f->outputs + 1);
    for (size_t i = 0; i < f->outputs; i++) output[i] = value_of(&w, root_of(&w, f->output[i]));
    const program_guard *guard = put_guards(&w);
    *out = (jets_source){w.code.at, w.code.count, output, guard, w.more.at, w.more.count};
    return true;
}
