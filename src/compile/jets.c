/* compile/jets.c - a program's jets: which recurrences, and their interpreter. */
#include "jets.h"
#include "jets_short.h"

#include <string.h>

/* Of one argument: its sine and cosine need each other. */
typedef struct pair {
    uint32_t first, second; /* values + 1 */
} pair;

typedef struct making {
    jets *j;
    arena *arena;
    uint32_t *at;             /* by value of the program: value of the jets */
    pair *circle, *hyperbola; /* by value of the program */
    const char *why;
} making;

/* ---- Values ---------------------------------------------------------------------------------- */

static uint32_t add(making *m, jet_op op, program_code zero, uint32_t a, uint32_t b)
{
    LIST_PUSH(m->arena, &m->j->code, ((jet_code){.op = op, .zero = zero, .a = a, .b = b}));
    return (uint32_t) m->j->code.count - 1;
}

static uint32_t constant(making *m, double x)
{
    LIST_PUSH(m->arena, &m->j->constants, x);
    const uint32_t index = (uint32_t) m->j->constants.count - 1;
    return add(m, JET_FIXED, (program_code){.op = PROGRAM_CONSTANT, .a = index}, 0, 0);
}

static bool is_fixed(const making *m, uint32_t x)
{
    return m->j->code.at[x].op == JET_FIXED;
}

static program_code basic(program_op op, uint32_t a, uint32_t b)
{
    return (program_code){.op = (uint8_t) op, .function = AH_FUNCTIONS, .a = a, .b = b};
}

static program_code call(ah_function f, uint32_t a, uint32_t b)
{
    return (program_code){.op = PROGRAM_CALL, .function = (uint8_t) f, .a = a, .b = b};
}

static uint32_t add_sum(making *m, program_op op, uint32_t a, uint32_t b)
{
    const program_code zero = basic(op, a, b);
    if (is_fixed(m, a) && is_fixed(m, b)) return add(m, JET_FIXED, zero, a, b);
    if (is_fixed(m, a)) return add(m, op == PROGRAM_ADD ? JET_SAME : JET_NEG, zero, b, b);
    if (is_fixed(m, b)) return add(m, JET_SAME, zero, a, a);
    return add(m, op == PROGRAM_ADD ? JET_ADD : JET_SUB, zero, a, b);
}

/* The other one of the sine and the cosine of one argument; 0: x is neither (the first value is a constant or an input). */
static uint32_t partner_of(const making *m, uint32_t x)
{
    const jet_code *c = &m->j->code.at[x];
    if ((c->op != JET_TIMES_RATE && c->op != JET_CLOCKED) || c->zero.op != PROGRAM_CALL) return 0;
    return c->zero.function == AH_SIN   ? c->b
           : c->zero.function == AH_COS ? m->j->code.at[c->b].a
                                        : 0;
}

/* cos² = 1 − sin²: the square of a where that of its partner is there; 0: it is not. */
static uint32_t square_by_partner(making *m, uint32_t a)
{
    const uint32_t other = partner_of(m, a);
    for (uint32_t i = 0; other && i < m->j->code.count; i++) {
        const jet_code *c = &m->j->code.at[i];
        if (c->op == JET_MUL && c->a == other && c->b == other)
            return add(m, JET_NEG, basic(PROGRAM_MUL, a, a), i, i);
    }
    return 0;
}

static uint32_t add_product(making *m, uint32_t a, uint32_t b)
{
    const program_code zero = basic(PROGRAM_MUL, a, b);
    const uint32_t square = a == b ? square_by_partner(m, a) : 0;
    if (square) return square;
    if (is_fixed(m, a) && is_fixed(m, b)) return add(m, JET_FIXED, zero, a, b);
    if (is_fixed(m, a)) return add(m, JET_SCALE, zero, a, b);
    if (is_fixed(m, b)) return add(m, JET_SCALE, zero, b, a);
    return add(m, JET_MUL, zero, a, b);
}

static uint32_t negative(making *m, uint32_t a)
{
    return add(m, JET_NEG, basic(PROGRAM_NEG, a, a), a, a);
}

static uint32_t root(making *m, uint32_t a)
{
    return add(m, JET_SQRT, basic(PROGRAM_SQRT, a, a), a, a);
}

/* 1 ± a². */
static uint32_t one_and_square(making *m, program_op sign, uint32_t a)
{
    const uint32_t one = constant(m, 1), square = add_product(m, a, a);
    return add_sum(m, sign, one, square);
}

/* ---- Functions ------------------------------------------------------------------------------- */

/* The rate of what is linear in t, a constant; NOUGHT: it is not. */
#define NOUGHT UINT32_MAX
static uint32_t clock_rate(making *m, uint32_t x)
{
    const jet_code c = m->j->code.at[x];
    if (c.op == JET_INPUT) return c.a ? NOUGHT : constant(m, 1);
    const bool one = c.op == JET_SAME || c.op == JET_NEG || c.op == JET_OVER;
    const uint32_t rate = one                 ? clock_rate(m, c.a)
                          : c.op == JET_SCALE ? clock_rate(m, c.b)
                                              : NOUGHT;
    if (rate == NOUGHT || c.op == JET_SAME) return rate;
    if (c.op == JET_SCALE) return add_product(m, c.a, rate);
    const program_code zero =
        c.op == JET_NEG ? basic(PROGRAM_NEG, rate, rate) : basic(PROGRAM_DIV, rate, c.b);
    return add(m, JET_FIXED, zero, rate, rate);
}

/* c' = b a'; b may be set later. */
static uint32_t add_driven(making *m, program_code zero, uint32_t a, uint32_t b)
{
    const uint32_t rate = clock_rate(m, a);
    return rate == NOUGHT ? add(m, JET_TIMES_RATE, zero, a, b) : add(m, JET_CLOCKED, zero, rate, b);
}

/* sin' = cos a', cos' = −sin a'; sinh' = cosh a', cosh' = sinh a'. */
static pair add_pair(making *m, ah_function first, ah_function second, uint32_t a)
{
    const uint32_t s = add_driven(m, call(first, a, a), a, 0);
    const uint32_t rate = first == AH_SIN ? negative(m, s) : s;
    const uint32_t c = add_driven(m, call(second, a, a), a, rate);
    m->j->code.at[s].b = c;
    return (pair){s + 1, c + 1};
}

/* tan' = (1 + tan²) a', tanh' = (1 − tanh²) a'. */
static uint32_t add_tangent(making *m, ah_function f, uint32_t a)
{
    const uint32_t t = add_driven(m, call(f, a, a), a, 0);
    const uint32_t rate = one_and_square(m, f == AH_TAN ? PROGRAM_ADD : PROGRAM_SUB, t);
    m->j->code.at[t].b = rate;
    return t;
}

static uint32_t add_exponential(making *m, program_code zero, uint32_t a)
{
    const uint32_t e = add_driven(m, zero, a, 0);
    m->j->code.at[e].b = e;
    return e;
}

/* atan2(y, x)' = (x y' − y x') / (x² + y²); the numerator is the rate of d. */
static uint32_t add_angle(making *m, uint32_t y, uint32_t x)
{
    const uint32_t nought = constant(m, 0);
    const program_code zero = basic(PROGRAM_ADD, nought, nought);
    const uint32_t p = add(m, JET_TIMES_RATE, zero, y, x), q = add(m, JET_TIMES_RATE, zero, x, y);
    const uint32_t d = add(m, JET_SUB, zero, p, q);
    const uint32_t xx = add_product(m, x, x), yy = add_product(m, y, y);
    return add(m, JET_OVER_RATE, call(AH_ATAN2, y, x), d, add_sum(m, PROGRAM_ADD, xx, yy));
}

/* a^b: with constant b from a c' = b c a', else exp(b log a). */
static uint32_t add_power(making *m, uint32_t a, uint32_t b)
{
    const program_code zero = basic(PROGRAM_POW, a, b);
    if (!is_fixed(m, b)) {
        const uint32_t log_a =
            add(m, is_fixed(m, a) ? JET_FIXED : JET_OVER_RATE, call(AH_LOG, a, a), a, a);
        return add_exponential(m, zero, add_product(m, log_a, b));
    }
    const uint32_t nought = constant(m, 0);
    const uint32_t p =
        add(m, JET_TIMES_RATE, basic(PROGRAM_ADD, nought, nought), a, 0); /* p' = c a' */
    const uint32_t scaled = add_product(m, b, p);
    const uint32_t c = add(m, JET_OVER_RATE, zero, scaled, a);
    m->j->code.at[p].b = c;
    return c;
}

static uint32_t add_call(making *m, const program_code *c)
{
    const ah_function f = (ah_function) c->function;
    const uint32_t a = m->at[c->a], b = m->at[c->b];
    pair *circle = &m->circle[c->a], *hyperbola = &m->hyperbola[c->a];
    switch (f) {
    case AH_SIN:
    case AH_COS:
        if (!circle->first) *circle = add_pair(m, AH_SIN, AH_COS, a);
        return (f == AH_SIN ? circle->first : circle->second) - 1;
    case AH_SINH:
    case AH_COSH:
        if (!hyperbola->first) *hyperbola = add_pair(m, AH_SINH, AH_COSH, a);
        return (f == AH_SINH ? hyperbola->first : hyperbola->second) - 1;
    case AH_TAN:
    case AH_TANH: return add_tangent(m, f, a);
    case AH_EXP: return add_exponential(m, call(f, a, a), a);
    case AH_LOG: return add(m, JET_OVER_RATE, call(f, a, a), a, a);
    case AH_SQRT: return root(m, a);
    case AH_ATAN: return add(m, JET_OVER_RATE, call(f, a, a), a, one_and_square(m, PROGRAM_ADD, a));
    case AH_ASIN:
        return add(m, JET_OVER_RATE, call(f, a, a), a, root(m, one_and_square(m, PROGRAM_SUB, a)));
    case AH_ACOS:
        return add(m, JET_OVER_RATE, call(f, a, a), a,
                   negative(m, root(m, one_and_square(m, PROGRAM_SUB, a))));
    case AH_ATAN2: return add_angle(m, a, b);
    case AH_ABS:
    case AH_SIGN: return add(m, JET_ROUGH, call(f, a, a), a, a);
    case AH_FUNCTIONS: break;
    }
    return constant(m, 0);
}

static uint32_t add_code(making *m, const program_code *c)
{
    const bool leaf = c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT;
    const uint32_t a = leaf ? 0 : m->at[c->a], b = leaf ? 0 : m->at[c->b];
    switch ((program_op) c->op) {
    case PROGRAM_INPUT: return add(m, JET_INPUT, *c, c->a, c->a);
    case PROGRAM_CONSTANT: return add(m, JET_FIXED, *c, 0, 0);
    case PROGRAM_ADD:
    case PROGRAM_SUB: return add_sum(m, (program_op) c->op, a, b);
    case PROGRAM_MUL: return add_product(m, a, b);
    case PROGRAM_DIV:
        return add(m,
                   !is_fixed(m, b)  ? JET_DIV
                   : is_fixed(m, a) ? JET_FIXED
                                    : JET_OVER,
                   basic(PROGRAM_DIV, a, b), a, b);
    case PROGRAM_NEG: return negative(m, a);
    case PROGRAM_SQRT: return root(m, a);
    case PROGRAM_POW: return add_power(m, a, b);
    case PROGRAM_CALL: return add_call(m, c);
    }
    return constant(m, 0);
}

/* ---- What is needed -------------------------------------------------------------------------- */

static bool has_b(const jet_code *c)
{
    return c->op != JET_SAME && c->op != JET_NEG && c->op != JET_SQRT && c->op != JET_SCALE &&
           c->op != JET_OVER;
}

/* Coefficients are needed of what the outputs depend on; of the rest (guards) the value alone. */
static void drop_idle(making *m)
{
    jets *j = m->j;
    bool *live = NEW_ARRAY(m->arena, bool, j->code.count + 1);
    LIST(uint32_t) open = {0};
    for (size_t i = 0; i < j->n; i++) LIST_PUSH(m->arena, &open, j->output[i]);
    while (open.count) {
        const uint32_t x = open.at[--open.count];
        const jet_code *c = &j->code.at[x];
        if (live[x] || c->op == JET_FIXED) continue;
        live[x] = true;
        if (c->op == JET_ROUGH)
            m->why = c->zero.function == AH_ABS ? "|…| is not analytic" : "sign(…) is not analytic";
        if (c->op == JET_INPUT || c->op == JET_ROUGH) continue;
        LIST_PUSH(m->arena, &open, c->op == JET_SCALE ? c->b : c->a);
        if (has_b(c)) LIST_PUSH(m->arena, &open, c->b);
    }
    for (size_t i = 0; i < j->code.count; i++)
        if (!live[i]) j->code.at[i].op = JET_FIXED;
}

static void number_products(making *m)
{
    jets *j = m->j;
    for (uint32_t i = 0; i < j->code.count; i++) {
        jet_code *c = &j->code.at[i];
        jet_product p = {c->a, c->b, false};
        switch (c->op) {
        case JET_MUL: break;
        case JET_DIV: p = (jet_product){c->b, i, false}; break;
        case JET_SQRT: p = (jet_product){i, i, false}; break;
        case JET_TIMES_RATE: p = (jet_product){c->a, c->b, true}; break;
        case JET_OVER_RATE: p = (jet_product){i, c->b, true}; break;
        default: continue;
        }
        c->product = (uint32_t) j->products.count;
        LIST_PUSH(m->arena, &j->products, p);
    }
    j->width = (j->products.count + JETS_BLOCK - 1) / JETS_BLOCK * JETS_BLOCK;
}

/* Doubles of a line of the cache. */
#define LINE 8

size_t jets_work(const jets *j)
{
    return (2 * JETS_MOST_ORDER + 1) * j->width + LINE;
}

static void make_room(jets *j, arena *a)
{
    j->zero = NEW_ARRAY(a, double, j->code.count + 1);
    j->now = NEW_ARRAY(a, double, j->code.count + 1);
    j->before = NEW_ARRAY(a, double, j->code.count + 1);
    j->inverse = NEW_ARRAY(a, double, j->code.count + 1);
    j->work = NEW_ARRAY(a, double, jets_work(j));
    /* A register that is loaded from two lines of the cache takes twice as long. */
    while ((uintptr_t) j->work % (LINE * sizeof *j->work)) j->work++;
}

/* The jets of a source of the program; NULL: *why. */
static jets *create_from(ah_ctx *ctx, arena *a, const program *f, const jets_source *from,
                         const char **why)
{
    jets *j = NEW(a, jets);
    making m = {.j = j, .arena = a};
    const size_t count = from->count + 1;
    j->ctx = ctx;
    j->n = f->outputs;
    m.at = NEW_ARRAY(a, uint32_t, count);
    m.circle = NEW_ARRAY(a, pair, count);
    m.hyperbola = NEW_ARRAY(a, pair, count);
    for (size_t i = 0; i < f->constants.count; i++) LIST_PUSH(a, &j->constants, f->constants.at[i]);
    for (size_t i = 0; i < from->more_count; i++) LIST_PUSH(a, &j->constants, from->more[i]);
    j->fixed = f->numbers;
    j->of_program = f->constants.count;
    for (size_t i = 0; i < from->count; i++) m.at[i] = add_code(&m, &from->code[i]);
    j->output = NEW_ARRAY(a, uint32_t, j->n + 1);
    for (size_t i = 0; i < j->n; i++) j->output[i] = m.at[from->output[i]];
    j->guards = f->guards;
    j->guard = NEW_ARRAY(a, program_guard, f->guards + 1);
    for (size_t i = 0; i < f->guards; i++)
        j->guard[i] = (program_guard){m.at[from->guard[i].pivot], m.at[from->guard[i].bound]};
    drop_idle(&m);
    if (!f->own->valid) m.why = "the linear systems in it are singular";
    *why = m.why;
    if (m.why) return NULL;
    number_products(&m);
    return j;
}

jets *jets_create(ah_ctx *ctx, arena *a, const program *f, const char **why)
{
    const jets_source plain = {f->code.at, f->code.count, f->output, f->guard, NULL, 0};
    jets_source shorter;
    jets *j = create_from(ctx, a, f, &plain, why), *other = NULL;
    if (!j) return NULL;
    if (jets_shorten(a, f, &shorter)) other = create_from(ctx, a, f, &shorter, why);
    if (other && other->products.count < j->products.count) j = other;
    make_room(j, a);
    return j;
}

jets *jets_copy(const jets *j, arena *a)
{
    jets *copy = NEW(a, jets);
    *copy = *j;
    copy->constants.at = NEW_ARRAY(a, double, j->constants.count + 1);
    copy->constants.capacity = j->constants.count;
    if (j->constants.count)
        memcpy(copy->constants.at, j->constants.at, j->constants.count * sizeof(double));
    make_room(copy, a);
    return copy;
}

void jets_set(jets *j, const double *constant)
{
    if (j->of_program) memcpy(j->constants.at, constant, j->of_program * sizeof *constant);
}

void jets_count(const jets *j, size_t *products, size_t *others)
{
    *products = j->products.count;
    *others = 0;
    for (size_t i = 0; i < j->code.count; i++) *others += j->code.at[i].op != JET_FIXED;
}

/* ---- The interpreter ------------------------------------------------------------------------- */

/* Values of order 0, and what is divided by at every other. */
static bool run_zero(const jets *j, double t, const double *y)
{
    double *z = j->zero;
    for (size_t i = 0; i < j->code.count; i++) {
        const jet_code *c = &j->code.at[i];
        const program_code *o = &c->zero;
        z[i] = o->op == PROGRAM_INPUT      ? (o->a ? y[o->a - 1] : t)
               : o->op == PROGRAM_CONSTANT ? j->constants.at[o->a]
                                           : program_apply(o, z[o->a], z[o->b]);
    }
    for (size_t i = 0; i < j->code.count; i++) {
        const jet_code *c = &j->code.at[i];
        j->now[i] = 0;
        if (c->op == JET_SQRT) j->inverse[i] = 0.5 / z[i];
        if (c->op == JET_OVER || c->op == JET_DIV || c->op == JET_OVER_RATE)
            j->inverse[i] = 1.0 / z[c->b];
    }
    bool good = true;
    for (size_t i = 0; i < j->guards; i++) good = good && program_passes(&j->guard[i], z);
    return good;
}

/* One block in plain C that compilers turn into vector operations. */
static void add_products(double *restrict to, const double *restrict l, const double *restrict r)
{
    for (int p = 0; p < JETS_BLOCK; p++) to[p] += l[p] * r[p];
}

void jets_sums(int w, int k, double *sum, const double *left, const double *right)
{
    for (int b = 0; b < w; b += JETS_BLOCK) {
        double even[JETS_BLOCK] = {0}, odd[JETS_BLOCK] = {0}, outer[JETS_BLOCK] = {0};
        const double *l = left + b, *r = right + k * w + b;
        int i = 2;
        for (; i + 1 < k - 1; i += 2) {
            add_products(even, l + i * w, r - i * w);
            add_products(odd, l + (i + 1) * w, r - (i + 1) * w);
        }
        if (i < k - 1) add_products(even, l + i * w, r - i * w);
        if (k > 1) add_products(outer, l + w, r - w);
        if (k > 2) add_products(outer, l + (k - 1) * w, r - (k - 1) * w);
        for (int p = 0; p < JETS_BLOCK; p++) sum[b + p] = (even[p] + odd[p]) + outer[p];
    }
}

static double coefficient(const jets *j, uint32_t i, double rk, const double *sum)
{
    const jet_code *c = &j->code.at[i];
    const double *z = j->zero, *v = j->now, s = sum[c->product];
    switch (c->op) {
    case JET_ADD: return v[c->a] + v[c->b];
    case JET_SUB: return v[c->a] - v[c->b];
    case JET_SAME: return v[c->a];
    case JET_NEG: return -v[c->a];
    case JET_SCALE: return z[c->a] * v[c->b];
    case JET_OVER: return v[c->a] * j->inverse[i];
    case JET_MUL: return s + (z[c->a] * v[c->b] + v[c->a] * z[c->b]);
    case JET_DIV: return (v[c->a] - (s + z[i] * v[c->b])) * j->inverse[i];
    case JET_SQRT: return (v[c->a] - s) * j->inverse[i];
    case JET_TIMES_RATE: return s * rk + v[c->a] * z[c->b];
    case JET_OVER_RATE: return (v[c->a] - s * rk) * j->inverse[i];
    case JET_CLOCKED: return z[c->a] * j->before[c->b] * rk;
    case JET_FIXED:
    case JET_ROUGH:
    case JET_INPUT: break;
    }
    return 0;
}

bool jets_run(const jets *j, double t, uint32_t order, double *y)
{
    const size_t n = j->n, w = j->width;
    double *sum = j->work, *left = sum + w, *right = left + JETS_MOST_ORDER * w, *v = j->now;
    if (!run_zero(j, t, y)) return false;
    for (size_t i = 0; i < n; i++) y[n + i] = j->zero[j->output[i]];
    for (uint32_t k = 1; k < order; k++) {
        const double rk = 1.0 / k, next = 1.0 / (k + 1);
        jets_sums((int) w, (int) k, sum, left, right);
        memcpy(j->before, k == 1 ? j->zero : v, j->code.count * sizeof *v);
        for (uint32_t i = 0; i < j->code.count; i++) {
            const jet_code *c = &j->code.at[i];
            if (c->op == JET_INPUT)
                v[i] = c->a ? y[k * n + c->a - 1] : k == 1;
            else if (c->op != JET_FIXED)
                v[i] = coefficient(j, i, rk, sum);
        }
        for (size_t p = 0; p < j->products.count; p++) {
            const jet_product *x = &j->products.at[p];
            left[k * w + p] = x->weighted ? k * v[x->left] : v[x->left];
            right[k * w + p] = v[x->right];
        }
        for (size_t i = 0; i < n; i++) y[(k + 1) * n + i] = v[j->output[i]] * next;
    }
    return true;
}
