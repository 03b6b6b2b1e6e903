/* real/real_roots.c - from the representation modulo primes to real solutions. */
#include "real_roots.h"

/* Precisions in bits for the coordinates; a coordinate below 2^−ROOTS_ZERO_BITS at the last one
 * counts as zero. */
#define ROOTS_FIRST_BITS  128
#define ROOTS_LAST_BITS   8192
#define ROOTS_DOUBLE_BITS 60
#define ROOTS_ZERO_BITS   300

bool roots_out_of_time(ah_ctx *ctx, const base_end *end)
{
    return base_is_past(end) || ctx_time_left(ctx) <= 0 || atomic_load(&ctx->root->interrupted);
}

/* The coefficients of f, g_1, g_k, put together from residues. */
typedef struct lifting {
    slong variables, d, count; /* count = (variables + 2) d coefficients */
    slong primes;
    fmpz_t modulus;
    fmpz *residue; /* modulo the product of the primes so far */
    fmpq *value;   /* what was reconstructed */
} lifting;

static void lifting_init(lifting *l, slong variables, slong d)
{
    *l = (lifting){.variables = variables, .d = d, .count = (variables + 2) * d};
    fmpz_init_set_ui(l->modulus, 1);
    l->residue = _fmpz_vec_init(l->count);
    l->value = _fmpq_vec_init(l->count);
}

static void lifting_clear(lifting *l)
{
    fmpz_clear(l->modulus);
    _fmpz_vec_clear(l->residue, l->count);
    _fmpq_vec_clear(l->value, l->count);
}

static void lifting_add(lifting *l, const ulong *image, ulong prime)
{
    for (slong i = 0; i < l->count; i++)
        fmpz_CRT_ui(&l->residue[i], &l->residue[i], l->modulus, image[i], prime, 0);
    fmpz_mul_ui(l->modulus, l->modulus, prime);
    l->primes++;
}

static bool lifting_reconstruct(lifting *l)
{
    for (slong i = 0; i < l->count; i++)
        if (!fmpq_reconstruct_fmpz(&l->value[i], &l->residue[i], l->modulus)) return false;
    return true;
}

/* Whether what was reconstructed is this modulo another prime. */
static bool lifting_agrees(const lifting *l, const ulong *image, ulong prime)
{
    nmod_t mod;
    nmod_init(&mod, prime);
    for (slong i = 0; i < l->count; i++) {
        const ulong denominator = fmpz_fdiv_ui(fmpq_denref(&l->value[i]), prime);
        const ulong numerator = fmpz_fdiv_ui(fmpq_numref(&l->value[i]), prime);
        if (!denominator || nmod_mul(image[i], denominator, mod) != numerator) return false;
    }
    return true;
}

/* ---- Over the primes ------------------------------------------------------------------------- */

typedef struct search {
    ah_ctx *ctx;
    base_end end;
    const fmpz_mpoly_struct *f;
    slong count;
    const fmpz_mpoly_ctx_struct *mctx;
    pair_trace trace;
    slong dimension, d; /* of the algebra; different complex solutions */
    slong weight[ROOTS_VARIABLES];
} search;

/* Small weights, other ones at each attempt; the first are those that often separate. */
static void choose_weights(search *s, slong variables, int attempt)
{
    uint64_t seed = 0x9e3779b97f4a7c15u * (uint64_t) (attempt + 1);
    for (slong k = 0; k < variables; k++) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        s->weight[k] = (slong) ((seed >> 33) % (uint64_t) (7 + 40 * attempt)) + 1;
    }
}

/* A separating form, found with the first prime. */
static bool separate(search *s, const quotient *A, ulong *image)
{
    for (int attempt = 0; attempt < 8; attempt++) {
        choose_weights(s, A->variables, attempt);
        if (quotient_represent(A, s->d, s->weight, image)) return true;
    }
    return false;
}

static bool time_to_reconstruct(slong primes, slong *next)
{
    if (primes < *next) return false;
    *next = primes + 1 + primes / 3;
    return true;
}

/* One more prime's image; unlucky primes are passed over. */
static bool next_image(search *s, ulong *prime, ulong *image)
{
    for (int tries = 0; tries < ROOTS_UNLUCKY_PRIMES; tries++) {
        quotient A;
        *prime = n_nextprime(*prime, 0);
        if (quotient_find(s->ctx, &s->end, s->f, s->count, s->mctx, *prime, &s->trace, &A) !=
            ROOTS_FOUND)
            return false;
        const bool lucky =
            A.dimension == s->dimension && quotient_represent(&A, s->d, s->weight, image);
        quotient_clear(&A);
        if (lucky) return true;
    }
    return false;
}

static roots_status lift(search *s, lifting *l, ulong prime, ulong *image)
{
    slong next = 1;
    while (l->primes < ROOTS_PRIMES) {
        lifting_add(l, image, prime);
        const bool made = time_to_reconstruct(l->primes, &next) && lifting_reconstruct(l);
        if (!next_image(s, &prime, image)) return ROOTS_GAVE_UP;
        if (made && lifting_agrees(l, image, prime)) return ROOTS_FOUND;
    }
    return ROOTS_GAVE_UP;
}

/* ---- Real solutions -------------------------------------------------------------------------- */

static void integer_polynomial(const lifting *l, fmpz_poly_t f)
{
    fmpq_poly_t q;
    fmpq_poly_init(q);
    for (slong i = 0; i < l->d; i++) fmpq_poly_set_coeff_fmpq(q, i, &l->value[i]);
    fmpq_poly_set_coeff_si(q, l->d, 1);
    fmpq_poly_get_numerator(f, q);
    fmpq_poly_clear(q);
}

static void evaluate(const lifting *l, slong row, const arb_t x, slong bits, arb_t out)
{
    arb_t c;
    arb_init(c);
    arb_zero(out);
    for (slong i = l->d; i-- > 0;) {
        arb_set_fmpq(c, &l->value[(row + 1) * l->d + i], bits);
        arb_mul(out, out, x, bits);
        arb_add(out, out, c, bits);
    }
    arb_clear(c);
}

/* All coordinates of one solution in doubles; false: more bits are wanted. */
static bool coordinates(const lifting *l, const arb_t root, slong bits, double *x)
{
    bool good = true;
    arb_t below, above;
    arb_init(below);
    arb_init(above);
    evaluate(l, 0, root, bits, below);
    for (slong k = 0; good && k < l->variables; k++) {
        evaluate(l, k + 1, root, bits, above);
        arb_div(above, above, below, bits);
        const bool tiny =
            arb_contains_zero(above) && mag_cmp_2exp_si(arb_radref(above), -ROOTS_ZERO_BITS) < 0;
        good = tiny || arb_rel_accuracy_bits(above) >= ROOTS_DOUBLE_BITS;
        x[k] = tiny ? 0 : arf_get_d(arb_midref(above), ARF_RND_NEAR);
    }
    arb_clear(below);
    arb_clear(above);
    return good;
}

static bool at_precision(const lifting *l, const fmpz_poly_t f, slong bits, real_roots *out)
{
    acb_ptr roots = _acb_vec_init(l->d);
    bool good = true;
    arb_fmpz_poly_complex_roots(roots, f, 0, bits);
    out->count = 0;
    for (slong i = 0; good && i < l->d; i++) {
        if (!acb_is_real(roots + i)) continue;
        good = coordinates(l, acb_realref(roots + i), bits, out->x + out->count * l->variables);
        out->count++;
    }
    _acb_vec_clear(roots, l->d);
    return good;
}

static roots_status isolate(const search *s, const lifting *l, real_roots *out)
{
    roots_status status = ROOTS_GAVE_UP;
    fmpz_poly_t f;
    fmpz_poly_init(f);
    integer_polynomial(l, f);
    out->x = flint_malloc((size_t) (l->d * l->variables) * sizeof *out->x);
    for (slong bits = ROOTS_FIRST_BITS; bits <= ROOTS_LAST_BITS; bits *= 2) {
        if (roots_out_of_time(s->ctx, &s->end)) break;
        if (!at_precision(l, f, bits, out)) continue;
        status = ROOTS_FOUND;
        break;
    }
    fmpz_poly_clear(f);
    return status;
}

static roots_status with_first_prime(search *s, const quotient *A, ulong prime, real_roots *out)
{
    s->dimension = A->dimension;
    s->d = quotient_distinct(A);
    if (!s->d) return ROOTS_FOUND; /* no solutions, not even complex ones */
    lifting l;
    lifting_init(&l, A->variables, s->d);
    ulong *image = flint_malloc((size_t) l.count * sizeof *image);
    roots_status status = ROOTS_GAVE_UP;
    if (separate(s, A, image)) status = lift(s, &l, prime, image);
    if (status == ROOTS_FOUND) status = isolate(s, &l, out);
    flint_free(image);
    lifting_clear(&l);
    return status;
}

roots_status real_roots_find(ah_ctx *ctx, const fmpz_mpoly_struct *f, slong count,
                             const fmpz_mpoly_ctx_t mctx, real_roots *out)
{
    const slong variables = fmpz_mpoly_ctx_nvars(mctx);
    *out = (real_roots){.variables = variables};
    if (variables > ROOTS_VARIABLES) return ROOTS_GAVE_UP;
    search s = {.ctx = ctx, .f = f, .count = count, .mctx = mctx};
    s.end = base_end_after(ROOTS_SECONDS);
    const ulong prime = n_nextprime(UWORD(1) << 61, 0);
    quotient A;
    roots_status status = quotient_find(ctx, &s.end, f, count, mctx, prime, &s.trace, &A);
    if (status == ROOTS_FOUND) {
        status = with_first_prime(&s, &A, prime, out);
        quotient_clear(&A);
    }
    flint_free(s.trace.pair);
    if (status != ROOTS_FOUND) out->count = 0;
    return status;
}

void real_roots_clear(void *roots)
{
    flint_free(((real_roots *) roots)->x);
}
