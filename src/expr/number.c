/* expr/number.c - exact rational numbers. FLINT keeps numerators and denominators below 2^62
 * inline, so common numbers own no memory. Everything FLINT allocates belongs to the pool: a raise
 * can happen at any time without losing it. */
#include "pool.h"
#include "ball.h"
#include "expr_print.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#define CHUNK_NUMBERS 256

typedef struct number_chunk {
    struct number_chunk *next;
    size_t used;
    fmpq at[CHUNK_NUMBERS];
} number_chunk;

struct expr_numbers {
    number_chunk *chunks;
    fmpq_t acc, aux;
    ah_expr held; /* the accumulator is this number, and acc is not yet; AH_NONE: acc is */
};

/* ---- Memory of GMP and FLINT ----------------------------------------------------------------- */

static void *gmp_realloc(void *ptr, size_t old_size, size_t new_size)
{
    (void) old_size;
    return reserve_realloc(ptr, new_size);
}

static void gmp_free(void *ptr, size_t size)
{
    (void) size;
    reserve_free(ptr);
}

extern void *__gmp_default_allocate(size_t size); /* exported, but in no header */

/* Ours are those of the C library but for the reserve, so what was allocated before can be freed
 * with them. A host that gave GMP functions of its own keeps them. */
static void take_over_memory(void)
{
    void *(*alloc)(size_t);
    mp_get_memory_functions(&alloc, NULL, NULL);
    if (alloc != __gmp_default_allocate) return;
    mp_set_memory_functions(reserve_alloc, gmp_realloc, gmp_free);
    __flint_set_memory_functions(reserve_alloc, reserve_calloc, reserve_realloc, reserve_free);
}

/* ---- Life ------------------------------------------------------------------------------------ */

/* FLINT and Arb keep caches a thread; they go last, after what the context's other arenas own. */
static void clean_caches(void *unused)
{
    (void) unused;
    flint_cleanup();
}

void expr_leave_thread(void)
{
    flint_cleanup();
}

expr_numbers *expr_numbers_create(ah_ctx *ctx)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, take_over_memory);
    arena_own(&ctx->store, clean_caches, NULL);
    expr_numbers *n = NEW(&ctx->store, expr_numbers);
    fmpq_init(n->acc);
    fmpq_init(n->aux);
    return n;
}

void expr_numbers_destroy(ah_ctx *ctx, expr_numbers *n)
{
    while (n->chunks) {
        number_chunk *chunk = n->chunks;
        n->chunks = chunk->next;
        for (size_t i = 0; i < chunk->used; i++) fmpq_clear(&chunk->at[i]);
        ctx_realloc(ctx, chunk, sizeof *chunk, 0);
    }
    fmpq_clear(n->acc);
    fmpq_clear(n->aux);
}

bool expr_numbers_equal(const void *a, const void *b)
{
    return fmpq_equal((const fmpq *) a, (const fmpq *) b);
}

static uint64_t integer_hash(const fmpz_t x)
{
    if (!COEFF_IS_MPZ(*x)) return (uint64_t) *x;
    return fmpz_fdiv_ui(x, UINT64_C(0x1FFFFFFFFFFFFFFF)); /* a Mersenne prime */
}

uint32_t expr_numbers_hash(const void *number)
{
    const fmpq *q = number;
    uint64_t h = integer_hash(fmpq_numref(q)) * UINT64_C(0x9E3779B97F4A7C15);
    h = (h ^ (h >> 29) ^ integer_hash(fmpq_denref(q))) * UINT64_C(0xBF58476D1CE4E5B9);
    return (uint32_t) (h >> 32);
}

void expr_numbers_reserve(ah_ctx *ctx, expr_numbers *n)
{
    if (n->chunks && n->chunks->used < CHUNK_NUMBERS) return;
    number_chunk *chunk = ctx_realloc(ctx, NULL, 0, sizeof *chunk);
    chunk->next = n->chunks;
    chunk->used = 0;
    n->chunks = chunk;
}

const void *expr_numbers_keep(expr_numbers *n, const void *number)
{
    fmpq *q = &n->chunks->at[n->chunks->used++];
    fmpq_init(q);
    fmpq_set(q, number);
    return q;
}

/* ---- Making and reading ---------------------------------------------------------------------- */

const fmpq *expr_get_fmpq(const ah_ctx *ctx, ah_expr number)
{
    return expr_node_of(ctx, number)->number;
}

static slong bits(const fmpq_t q)
{
    return (slong) (fmpz_bits(fmpq_numref(q)) + fmpz_bits(fmpq_denref(q)));
}

static void check(ah_ctx *ctx, const fmpq *q)
{
    if (bits(q) > EXPR_NUMBER_BITS)
        ctx_raise_limit(ctx, "a number has more digits than the limit allows");
}

/* Small integers, which most are, without the table; a large one is no number between these to FLINT either. */
static ah_expr intern(ah_ctx *ctx, const fmpq *q)
{
    const fmpz p = *fmpq_numref(q);
    const bool small = *fmpq_denref(q) == 1 && p >= -EXPR_SMALL && p <= EXPR_SMALL;
    ah_expr *known = &ctx->pool->small[small ? p + EXPR_SMALL : 0];
    if (small && *known) return *known;
    check(ctx, q);
    const ah_expr e = expr_intern(ctx, &(expr_key){.op = EXPR_NUMBER, .number = q});
    if (small) *known = e;
    return e;
}

ah_expr expr_from_fmpq(ah_ctx *ctx, const fmpq_t q)
{
    expr_pool_of(ctx);
    return intern(ctx, q);
}

static ah_expr ratio(ah_ctx *ctx, long numerator, long denominator)
{
    fmpq *acc = ctx->pool->numbers->acc;
    unsigned long q =
        denominator < 0 ? 0 - (unsigned long) denominator : (unsigned long) denominator;
    fmpq_set_si(acc, numerator, q);
    if (denominator < 0) fmpq_mul_si(acc, acc, -1);
    return intern(ctx, acc);
}

void expr_numbers_seed(ah_ctx *ctx)
{
    ratio(ctx, 0, 1);
    ratio(ctx, 1, 1);
    ratio(ctx, -1, 1);
    ratio(ctx, 1, 2);
}

ah_expr expr_int(ah_ctx *ctx, long value)
{
    const expr_pool *p = expr_pool_of(ctx);
    const bool small = value >= -EXPR_SMALL && value <= EXPR_SMALL;
    return small && p->small[value + EXPR_SMALL] ? p->small[value + EXPR_SMALL]
                                                 : ratio(ctx, value, 1);
}

ah_expr expr_rational(ah_ctx *ctx, long numerator, long denominator)
{
    expr_pool_of(ctx);
    if (denominator == 0) return expr_div(ctx, ratio(ctx, numerator, 1), EXPR_ZERO);
    return ratio(ctx, numerator, denominator);
}

bool expr_is_rational(const ah_ctx *ctx, ah_expr e, long *p, long *q)
{
    if (expr_op_of(ctx, e) != EXPR_NUMBER) return false;
    const fmpq *x = expr_get_fmpq(ctx, e);
    if (!fmpz_fits_si(fmpq_numref(x)) || !fmpz_fits_si(fmpq_denref(x))) return false;
    if (p) *p = fmpz_get_si(fmpq_numref(x));
    if (q) *q = fmpz_get_si(fmpq_denref(x));
    return true;
}

bool expr_is_int(const ah_ctx *ctx, ah_expr e, long *value)
{
    long q;
    return expr_is_rational(ctx, e, value, &q) && q == 1;
}

bool expr_number_is_integer(const ah_ctx *ctx, ah_expr number)
{
    return fmpz_is_one(fmpq_denref(expr_get_fmpq(ctx, number)));
}

int expr_number_sign(const ah_ctx *ctx, ah_expr e)
{
    return fmpq_sgn(expr_get_fmpq(ctx, e));
}

/* |q| < 2^-1021 in units of the smallest double, 2^-1074, to the nearest, ties to even. Rounding to
 * 53 bits first would round twice. */
static double tiny_double(expr_numbers *n, const fmpq *q)
{
    fmpz *units = fmpq_numref(n->acc), *rest = fmpq_denref(n->acc);
    fmpz_mul_2exp(units, fmpq_numref(q), 1074);
    fmpz_fdiv_qr(units, rest, units, fmpq_denref(q));
    fmpz_mul_2exp(rest, rest, 1);
    int half = fmpz_cmp(rest, fmpq_denref(q));
    if (half > 0 || (half == 0 && fmpz_is_odd(units))) fmpz_add_ui(units, units, 1);
    return ldexp((double) fmpz_get_si(units), -1074);
}

double expr_number_double(const ah_ctx *ctx, ah_expr number)
{
    const fmpq *q = expr_get_fmpq(ctx, number);
    const fmpz exact = (fmpz) 1 << 53;
    if (fmpz_cmpabs(fmpq_numref(q), &exact) <= 0 && fmpz_cmp(fmpq_denref(q), &exact) <= 0)
        return (double) fmpz_get_si(fmpq_numref(q)) / (double) fmpz_get_si(fmpq_denref(q));
    /* 2^(e-1) <= |q| < 2^(e+1) */
    slong e = (slong) fmpz_bits(fmpq_numref(q)) - (slong) fmpz_bits(fmpq_denref(q));
    if (e < -1021) return tiny_double(ctx->pool->numbers, q);
    arf_t x;
    arf_init(x);
    arf_fmpz_div_fmpz(x, fmpq_numref(q), fmpq_denref(q), 53, ARF_RND_NEAR);
    double value = arf_get_d(x, ARF_RND_NEAR);
    arf_clear(x);
    return value;
}

/* ---- Reading text ---------------------------------------------------------------------------- */

/* digits [. digits] [e [sign] digits]; the mantissa without its point goes to `digits`. */
typedef struct decimal {
    const char *end;
    char *digits;
    long exponent;
    bool good;
} decimal;

#define EXPONENT_LIMIT (EXPR_NUMBER_BITS / 4) /* 10^n has more than 3 n bits */

static decimal read_decimal(arena *a, const char *s, const char *end)
{
    decimal d = {.digits = arena_alloc(a, (size_t) (end - s) + 1)};
    size_t n = 0;
    bool point = false;
    for (; s < end && ((*s >= '0' && *s <= '9') || (*s == '.' && !point)); s++) {
        if (*s == '.') {
            point = true;
        } else {
            d.digits[n++] = *s;
            d.exponent -= point;
        }
    }
    d.good = n > 0;
    if (n && s < end && (*s == 'e' || *s == 'E')) {
        s++;
        bool negative = s < end && *s == '-';
        if (s < end && (*s == '-' || *s == '+')) s++;
        d.good = s < end && *s >= '0' && *s <= '9';
        long e = 0;
        for (; s < end && *s >= '0' && *s <= '9'; s++)
            if (e <= EXPONENT_LIMIT) e = e * 10 + (*s - '0');
        d.exponent += negative ? -e : e;
    }
    if (d.exponent > EXPONENT_LIMIT || d.exponent < -EXPONENT_LIMIT || n > EXPONENT_LIMIT)
        d.good = false;
    d.end = s;
    return d;
}

static void set_decimal(fmpq_t q, const decimal *d)
{
    fmpz_set_str(fmpq_numref(q), d->digits, 10);
    const fmpz ten = 10;
    fmpz_pow_ui(fmpq_denref(q), &ten, (ulong) labs(d->exponent));
    if (d->exponent > 0) {
        fmpz_mul(fmpq_numref(q), fmpq_numref(q), fmpq_denref(q));
        fmpz_one(fmpq_denref(q));
    }
    fmpq_canonicalise(q);
}

ah_expr expr_number(ah_ctx *ctx, const char *s, size_t length)
{
    if (length == 1 && *s >= '0' && *s <= '9') return expr_int(ctx, *s - '0'); /* most are */
    expr_numbers *n = expr_pool_of(ctx)->numbers;
    arena_mark mark = arena_get_mark(&ctx->scratch);
    const char *end = s + length;
    bool negative = length && *s == '-';
    decimal over = {.digits = "1", .good = true};
    decimal d = read_decimal(&ctx->scratch, s + negative, end);
    if (d.good && d.end < end && *d.end == '/') {
        over = read_decimal(&ctx->scratch, d.end + 1, end);
        d.end = over.end;
    }
    ah_expr e = AH_NONE;
    if (d.good && over.good && d.end == end) {
        set_decimal(n->acc, &d);
        set_decimal(n->aux, &over);
        if (negative) fmpq_mul_si(n->acc, n->acc, -1);
        if (!fmpq_is_zero(n->aux)) {
            fmpq_div(n->acc, n->acc, n->aux);
            e = intern(ctx, n->acc);
        }
    }
    arena_release(&ctx->scratch, mark);
    return e;
}

/* ---- Writing text ---------------------------------------------------------------------------- */

static char *integer_digits(arena *a, const fmpz_t x)
{
    char *s = arena_alloc(a, fmpz_sizeinbase(x, 10) + 3);
    fmpz_get_str(s, 10, x);
    return s[0] == '-' ? s + 1 : s;
}

/* |q| = p/10^k with k > 0 and few digits, when the reduced denominator has both 2 and 5 in it:
 * 981/100 is 9.81, but 1/2 stays. */
static char *decimal_digits(arena *a, long p, long q)
{
    int places = 0;
    long power = 1;
    while (places < 9 && (places == 0 || power % q)) power *= 10, places++;
    if (q % 10 || power % q || labs(p) > 1000000000) return NULL;
    long long scaled = labs(p) * (power / q);
    return arena_printf(a, "%lld.%0*lld", scaled / power, places, scaled % power);
}

expr_digits expr_number_digits(ah_ctx *ctx, arena *a, ah_expr number)
{
    const fmpq *x = expr_get_fmpq(ctx, number);
    long p, q;
    return (expr_digits){
        .negative = fmpq_sgn(x) < 0,
        .numerator = integer_digits(a, fmpq_numref(x)),
        .denominator = integer_digits(a, fmpq_denref(x)),
        .decimal = expr_is_rational(ctx, number, &p, &q) ? decimal_digits(a, p, q) : NULL,
    };
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

/* Most products have no number but 1, −1 or one other: that one is held, and nothing is multiplied or looked for. */
void expr_acc_set(ah_ctx *ctx, ah_expr number)
{
    ctx->pool->numbers->held = number;
}

static void put_held(ah_ctx *ctx)
{
    expr_numbers *n = ctx->pool->numbers;
    if (n->held != AH_NONE) fmpq_set(n->acc, expr_get_fmpq(ctx, n->held));
    n->held = AH_NONE;
}

void expr_acc_add(ah_ctx *ctx, ah_expr number)
{
    fmpq *acc = ctx->pool->numbers->acc;
    put_held(ctx);
    fmpq_add(acc, acc, expr_get_fmpq(ctx, number));
    check(ctx, acc);
}

void expr_acc_mul(ah_ctx *ctx, ah_expr number)
{
    expr_numbers *n = ctx->pool->numbers;
    if (number == EXPR_ONE) return;
    if (n->held == EXPR_ONE) {
        n->held = number;
    } else if (n->held == EXPR_MINUS_ONE && number == EXPR_MINUS_ONE) {
        n->held = EXPR_ONE;
    } else {
        fmpq *acc = ctx->pool->numbers->acc;
        put_held(ctx);
        fmpq_mul(acc, acc, expr_get_fmpq(ctx, number));
        check(ctx, acc);
    }
}

ah_expr expr_acc_get(ah_ctx *ctx)
{
    const expr_numbers *n = ctx->pool->numbers;
    if (n->held != AH_NONE) return n->held;
    return fmpq_is_one(n->acc) ? EXPR_ONE : intern(ctx, n->acc);
}

ah_expr expr_number_neg(ah_ctx *ctx, ah_expr number)
{
    if (number == EXPR_ONE) return EXPR_MINUS_ONE;
    if (number == EXPR_MINUS_ONE) return EXPR_ONE;
    fmpq *acc = ctx->pool->numbers->acc;
    fmpq_mul_si(acc, expr_get_fmpq(ctx, number), -1);
    return intern(ctx, acc);
}

ah_expr expr_number_add(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    expr_acc_set(ctx, a);
    expr_acc_add(ctx, b);
    return expr_acc_get(ctx);
}

ah_expr expr_number_mul(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    if (a == EXPR_ONE) return b;
    if (b == EXPR_ONE) return a;
    expr_acc_set(ctx, a);
    expr_acc_mul(ctx, b);
    return expr_acc_get(ctx);
}

ah_expr expr_number_mod2(ah_ctx *ctx, ah_expr number)
{
    /* p/q mod 2 = (p mod 2q)/q */
    fmpq *acc = ctx->pool->numbers->acc, *aux = ctx->pool->numbers->aux;
    const fmpq *x = expr_get_fmpq(ctx, number);
    fmpz_mul_2exp(fmpq_numref(aux), fmpq_denref(x), 1);
    fmpz_fdiv_r(fmpq_numref(acc), fmpq_numref(x), fmpq_numref(aux));
    fmpz_set(fmpq_denref(acc), fmpq_denref(x));
    fmpq_canonicalise(acc);
    return intern(ctx, acc);
}

/* ---- Powers ---------------------------------------------------------------------------------- */

/* acc = base^n, unless it would be long. */
static bool pow_integer(ah_ctx *ctx, const fmpq *base, const fmpz_t n)
{
    fmpq *acc = ctx->pool->numbers->acc;
    if (fmpz_is_one(fmpq_denref(base)) && fmpz_is_pm1(fmpq_numref(base))) {
        fmpq_set_si(acc, fmpz_is_even(n) ? 1 : fmpz_get_si(fmpq_numref(base)), 1);
        return true;
    }
    if (fmpq_is_zero(base)) {
        fmpq_zero(acc);
        return fmpz_sgn(n) > 0;
    }
    if (fmpz_cmpabs(n, &(slong){EXPR_POWER_BITS}) > 0) return false;
    slong k = fmpz_get_si(n);
    if (bits(base) * labs(k) > EXPR_POWER_BITS && labs(k) != 1) return false;
    fmpq_pow_si(acc, base, k);
    return true;
}

/* acc = base^(p/q) when base is the q-th power of a rational. */
static bool pow_root(ah_ctx *ctx, const fmpq *base, const fmpq *exponent)
{
    expr_numbers *n = ctx->pool->numbers;
    const slong most = 64;
    if (fmpz_cmp(fmpq_denref(exponent), &most) > 0) return false;
    slong q = fmpz_get_si(fmpq_denref(exponent));
    bool exact = fmpz_root(fmpq_numref(n->aux), fmpq_numref(base), q);
    exact = fmpz_root(fmpq_denref(n->aux), fmpq_denref(base), q) && exact;
    return exact && pow_integer(ctx, n->aux, fmpq_numref(exponent));
}

/* N = s^2 m: takes the squares of small primes out of aux's numerator N, s into its denominator. */
static void take_squares(fmpq_t aux)
{
    fmpz *N = fmpq_numref(aux), *s = fmpq_denref(aux);
    fmpz_one(s);
    for (ulong p = 2; p < 1000; p += 1 + (p > 2)) {
        if (fmpz_cmp_ui(N, p * p) < 0) return;
        while (fmpz_fdiv_ui(N, p * p) == 0) {
            fmpz_divexact_ui(N, N, p * p);
            fmpz_mul_ui(s, s, p);
        }
    }
    if (fmpz_is_square(N) && !fmpz_is_one(N)) {
        fmpz_sqrt(N, N);
        fmpz_mul(s, s, N);
        fmpz_one(N);
    }
}

/* (a/b)^(1/2) = (s/b) m^(1/2) with a b = s^2 m; the odd power p/2 gives another (a/b)^((p-1)/2). */
static expr_split_power pow_half(ah_ctx *ctx, ah_expr base, const fmpq *exponent)
{
    fmpq *acc = ctx->pool->numbers->acc, *aux = ctx->pool->numbers->aux;
    const fmpq *b = expr_get_fmpq(ctx, base);
    fmpz_fdiv_q_2exp(fmpq_numref(aux), fmpq_numref(exponent), 1);
    if (!pow_integer(ctx, b, fmpq_numref(aux))) return (expr_split_power){.part = AH_NONE};
    fmpz_mul(fmpq_numref(aux), fmpq_numref(b), fmpq_denref(b));
    take_squares(aux);
    fmpz_mul(fmpq_numref(acc), fmpq_numref(acc), fmpq_denref(aux));
    fmpz_mul(fmpq_denref(acc), fmpq_denref(acc), fmpq_denref(b));
    fmpq_canonicalise(acc);
    fmpz_one(fmpq_denref(aux));
    ah_expr factor = intern(ctx, acc);
    return (expr_split_power){factor, intern(ctx, aux), EXPR_HALF};
}

/* base^(p/q) = base^k base^(f/q), 0 < f < q. */
static expr_split_power pow_fraction(ah_ctx *ctx, ah_expr base, const fmpq *exponent)
{
    fmpq *acc = ctx->pool->numbers->acc, *aux = ctx->pool->numbers->aux;
    fmpz_fdiv_q(fmpq_numref(aux), fmpq_numref(exponent), fmpq_denref(exponent));
    if (!pow_integer(ctx, expr_get_fmpq(ctx, base), fmpq_numref(aux)))
        return (expr_split_power){.part = AH_NONE};
    fmpz_one(fmpq_denref(aux));
    fmpq_sub(aux, exponent, aux);
    ah_expr factor = intern(ctx, acc);
    return (expr_split_power){factor, base, intern(ctx, aux)};
}

expr_split_power expr_number_pow(ah_ctx *ctx, ah_expr base, ah_expr exponent)
{
    const fmpq *b = expr_get_fmpq(ctx, base), *e = expr_get_fmpq(ctx, exponent);
    const expr_split_power stays = {EXPR_ONE, base, exponent};
    if (base == EXPR_ZERO && fmpq_sgn(e) < 0) /* there is one way not to exist */
        return (expr_split_power){EXPR_ONE, base, EXPR_MINUS_ONE};
    if (fmpz_is_one(fmpq_denref(e))) {
        if (!pow_integer(ctx, b, fmpq_numref(e))) return stays;
        return (expr_split_power){intern(ctx, ctx->pool->numbers->acc), EXPR_ONE, EXPR_ZERO};
    }
    if (fmpq_sgn(b) == 0 && fmpq_sgn(e) > 0)
        return (expr_split_power){EXPR_ZERO, EXPR_ONE, EXPR_ZERO};
    if (fmpq_sgn(b) <= 0) return stays;
    if (pow_root(ctx, b, e))
        return (expr_split_power){intern(ctx, ctx->pool->numbers->acc), EXPR_ONE, EXPR_ZERO};
    expr_split_power split = !fmpz_cmp_ui(fmpq_denref(e), 2) && bits(b) <= 512
                                 ? pow_half(ctx, base, e)
                                 : pow_fraction(ctx, base, e);
    return split.part == AH_NONE ? stays : split;
}
