/* algebra/coprime.c - polynomials that have only numbers in common, seen at one point modulo a prime.
 *
 * With x_i = r_i y, x_k = r_k for all other generators, two polynomials become polynomials in y over F_p, and so does what they have in
 * common: its image divides both images, and has its degree in x_i wherever one of the two keeps its own. So if for no generator the
 * images have a common root, nothing but numbers is in common, for sure; of most pairs that fractions ask about this is so,
 * and FLINT takes a hundred allocations to say it. b x + c is irreducible if b and c have only numbers in common. */
#include "modp.h"
#include "ring.h"

/* Degrees beyond this, and terms, are left to FLINT. */
#define LINE_DEGREE 31
#define LINE_TERMS  2000

/* A polynomial at the point. */
typedef struct image {
    const ring *r;
    poly a;
    slong words;
    ulong mask;
    nmod_t mod;
    mp_limb_t *value; /* of each term */
} image;

/* The terms that have this power of one generator; none is named: all. */
typedef struct part {
    const image *of;
    size_t by;
    ulong power;
} part;
#define ALL_TERMS SIZE_MAX

typedef struct line {
    mp_limb_t c[LINE_DEGREE + 1];
    size_t degree; /* of the part; c[degree] may have become zero */
} line;

static ulong exponent_of(const image *f, size_t term, slong offset, slong shift)
{
    return f->a->exps[(slong) term * f->words + offset] >> shift & f->mask;
}

/* The point: one residue a generator, always the same. */
static mp_limb_t place_of(size_t generator, nmod_t mod)
{
    uint64_t x = (generator + 1) * UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return (x ^ x >> 31) % (mod.n - 1) + 1;
}

/* False: a degree is too high. */
static bool put_place(image *f, size_t generator)
{
    mp_limb_t power[LINE_DEGREE + 1] = {1};
    slong offset, shift;
    size_t known = 0;
    const mp_limb_t at = place_of(generator, f->mod);
    mpoly_gen_offset_shift_sp(&offset, &shift, (slong) generator, f->a->bits, f->r->mctx->minfo);
    for (size_t i = 0; i < poly_terms(f->a); i++) {
        const ulong k = exponent_of(f, i, offset, shift);
        if (k > LINE_DEGREE) return false;
        for (; known < k; known++) power[known + 1] = nmod_mul(power[known], at, f->mod);
        if (k) f->value[i] = nmod_mul(f->value[i], power[k], f->mod);
    }
    return true;
}

static bool open_image(const ring *r, poly a, image *f)
{
    if (a->bits > FLINT_BITS || poly_terms(a) > LINE_TERMS) return false;
    *f = (image){.r = r, .a = a, .words = mpoly_words_per_exp_sp(a->bits, r->mctx->minfo)};
    f->mask = (~(ulong) 0) >> (FLINT_BITS - a->bits);
    nmod_init(&f->mod, modp_prime(0));
    f->value = NEW_ARRAY(&r->ctx->scratch, mp_limb_t, poly_terms(a));
    for (size_t i = 0; i < poly_terms(a); i++) f->value[i] = fmpz_fdiv_ui(&a->coeffs[i], f->mod.n);
    for (size_t i = 0; i < r->g->count; i++)
        if (!put_place(f, i)) return false;
    return true;
}

static line line_along(const part *p, size_t generator)
{
    const image *f = p->of;
    line out = {{0}, 0};
    slong offset, shift, by_offset = 0, by_shift = 0;
    mpoly_gen_offset_shift_sp(&offset, &shift, (slong) generator, f->a->bits, f->r->mctx->minfo);
    if (p->by != ALL_TERMS)
        mpoly_gen_offset_shift_sp(&by_offset, &by_shift, (slong) p->by, f->a->bits,
                                  f->r->mctx->minfo);
    for (size_t i = 0; i < poly_terms(f->a); i++) {
        if (p->by != ALL_TERMS && exponent_of(f, i, by_offset, by_shift) != p->power) continue;
        const ulong k = exponent_of(f, i, offset, shift);
        out.c[k] = nmod_add(out.c[k], f->value[i], f->mod);
        if (k > out.degree) out.degree = k;
    }
    return out;
}

static void drop_zeros(line *f)
{
    while (f->degree && !f->c[f->degree]) f->degree--;
}

/* Euclid's algorithm: does it end with a number that is not zero? */
static bool have_no_root_in_common(line f, line g, nmod_t mod)
{
    drop_zeros(&f);
    drop_zeros(&g);
    while (g.degree) {
        if (f.degree < g.degree) {
            const line other = f;
            f = g, g = other;
            continue;
        }
        const mp_limb_t top = f.c[f.degree], lead = g.c[g.degree];
        const size_t shift = f.degree - g.degree;
        for (size_t i = 0; i <= f.degree; i++) f.c[i] = nmod_mul(f.c[i], lead, mod);
        for (size_t i = 0; i <= g.degree; i++)
            f.c[i + shift] = nmod_sub(f.c[i + shift], nmod_mul(g.c[i], top, mod), mod);
        drop_zeros(&f);
    }
    return g.c[0] != 0;
}

static bool parts_are_coprime(const part *a, const part *b)
{
    for (size_t i = 0; i < a->of->r->g->count; i++) {
        const line f = line_along(a, i), g = line_along(b, i);
        if (!f.degree || !g.degree) continue; /* it does not occur in both */
        if (!f.c[f.degree] && !g.c[g.degree]) return false;
        if (!have_no_root_in_common(f, g, a->of->mod)) return false;
    }
    return true;
}

bool poly_are_coprime(const ring *r, poly a, poly b)
{
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    image f, g;
    const bool coprime = open_image(r, a, &f) && open_image(r, b, &g) &&
                         parts_are_coprime(&(part){&f, ALL_TERMS, 0}, &(part){&g, ALL_TERMS, 0});
    arena_release(&r->ctx->scratch, mark);
    return coprime;
}

static bool is_linear_and_irreducible(const image *f, size_t generator)
{
    const line along = line_along(&(part){f, ALL_TERMS, 0}, generator);
    const part b = {f, generator, 1}, c = {f, generator, 0};
    if (along.degree != 1 || !along.c[0] || !along.c[1]) return false;
    return parts_are_coprime(&b, &c);
}

bool poly_is_surely_irreducible(const ring *r, poly a)
{
    const arena_mark mark = arena_get_mark(&r->ctx->scratch);
    image f;
    bool sure = false;
    if (open_image(r, a, &f))
        for (size_t i = 0; i < r->g->count && !sure; i++) sure = is_linear_and_irreducible(&f, i);
    arena_release(&r->ctx->scratch, mark);
    return sure;
}
