/* real/split_points.c - proofs of irreducibility from points modulo a prime.
 *
 * Let K be the field of functions on the zeros of a chain, h a polynomial over K, P a point of the
 * chain modulo a prime at which no leading coefficient vanishes and every link has a simple root.
 * The local ring at P is regular, hence factorial, and by Gauss' lemma factors of h over K are
 * factors over it. At P their degrees do not grow; so if h keeps its degree there and does not
 * factor, it does not factor over K. */
#include "split_points.h"
#include <flint/nmod_mpoly_factor.h>
#include <flint/nmod_poly.h>
#include <flint/nmod_poly_factor.h>

enum { ATTEMPTS = 48 }; /* points tried; half of them have a given square root */

typedef struct place {
    ring *r;
    nmod_t mod;
    mp_limb_t *value; /* of the generators */
    bool *open;       /* left as a variable */
} place;

long split_degree(ring *r, poly h, const bool *variable)
{
    ulong *exps = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count + 1);
    ulong degree = 0;
    for (slong i = 0; i < h->length; i++) {
        ulong sum = 0;
        fmpz_mpoly_get_term_exp_ui(exps, h, i, r->mctx);
        for (size_t g = 0; g < r->g->count; g++) sum += variable[g] ? exps[g] : 0;
        if (sum > degree) degree = sum;
    }
    return (long) degree;
}

/* ---- Evaluation ------------------------------------------------------------------------------ */

/* Coefficient times what is not open of term i; exps: its exponents. */
static mp_limb_t term_value(place *p, poly h, slong i, ulong *exps)
{
    fmpz_mpoly_get_term_exp_ui(exps, h, i, p->r->mctx);
    mp_limb_t x = fmpz_fdiv_ui(h->coeffs + i, p->mod.n);
    for (size_t g = 0; g < p->r->g->count; g++)
        if (!p->open[g] && exps[g])
            x = nmod_mul(x, n_powmod2_ui_preinv(p->value[g], exps[g], p->mod.n, p->mod.ninv),
                         p->mod);
    return x;
}

/* As a polynomial in one open generator; the others have values. */
static void univariate(place *p, poly h, size_t main, nmod_poly_t out)
{
    ulong *exps = NEW_ARRAY(&p->r->ctx->scratch, ulong, p->r->g->count + 1);
    nmod_poly_zero(out);
    for (slong i = 0; i < h->length; i++) {
        const mp_limb_t x = term_value(p, h, i, exps);
        const slong k = (slong) exps[main];
        nmod_poly_set_coeff_ui(out, k, nmod_add(nmod_poly_get_coeff_ui(out, k), x, p->mod));
    }
}

/* ---- Points ---------------------------------------------------------------------------------- */

/* A simple root of the polynomial in `main`, of the degree it has in general. */
static bool solve(place *p, poly h, size_t main)
{
    const long degree = fmpz_mpoly_degree_si(h, (slong) main, p->r->mctx);
    bool found = false;
    nmod_poly_t f;
    nmod_poly_factor_t roots;
    nmod_poly_init(f, p->mod.n);
    nmod_poly_factor_init(roots);
    p->open[main] = true;
    univariate(p, h, main, f);
    p->open[main] = false;
    if (nmod_poly_degree(f) == degree && degree > 0) {
        nmod_poly_factor(roots, f);
        for (slong i = 0; i < roots->num && !found; i++) {
            if (nmod_poly_degree(roots->p + i) != 1 || roots->exp[i] != 1) continue;
            const mp_limb_t b = nmod_poly_get_coeff_ui(roots->p + i, 0);
            const mp_limb_t a = nmod_poly_get_coeff_ui(roots->p + i, 1);
            p->value[main] = nmod_neg(nmod_div(b, a, p->mod), p->mod);
            found = true;
        }
    }
    nmod_poly_factor_clear(roots);
    nmod_poly_clear(f);
    return found;
}

static mp_limb_t residue(place *p)
{
    return algebra_random(p->r->alg) % p->mod.n;
}

/* (1 − t²)/(1 + t²), 2t/(1 + t²), for cosh and sinh with −t² below. */
static bool solve_pair(place *p, size_t at, bool trig)
{
    const mp_limb_t t = residue(p), tt = nmod_mul(t, t, p->mod);
    const mp_limb_t minus = nmod_sub(1, tt, p->mod), plus = nmod_add(1, tt, p->mod);
    const mp_limb_t below = trig ? plus : minus;
    if (below == 0) return false;
    p->value[at] = nmod_div(trig ? minus : plus, below, p->mod);
    p->value[at + 1] = nmod_div(nmod_add(t, t, p->mod), below, p->mod);
    return true;
}

/* Free generators at random, then those with relations (what these are made of comes later in the
 * ring), then the chain from its end: a link holds its own main generator and those of later links.
 */
static bool find_place(place *p)
{
    ring *r = p->r;
    for (size_t i = 0; i < r->g->count; i++) p->value[i] = residue(p);
    for (size_t i = r->relations; i-- > 0;) {
        const size_t at = r->leader[i];
        const gen_kind kind = r->g->gen[at].kind;
        const bool pair = kind == GEN_COS || kind == GEN_COSH;
        if (pair && !solve_pair(p, at, kind == GEN_COS)) return false;
    }
    for (size_t g = r->g->count; g-- > 0;)
        for (size_t i = 0; i < r->relations; i++) {
            const gen_kind kind = r->g->gen[g].kind;
            if (r->leader[i] != g || p->open[g] || kind == GEN_COS || kind == GEN_COSH) continue;
            if (!solve(p, r->relation[i], g)) return false;
        }
    for (size_t i = r->links; i-- > 0;)
        if (!solve(p, r->link[i].p, r->link[i].main)) return false;
    return true;
}

/* ---- Irreducible there ----------------------------------------------------------------------- */

static bool irreducible_here(place *p, poly h, long degree)
{
    ring *r = p->r;
    ulong *exps = NEW_ARRAY(&r->ctx->scratch, ulong, r->g->count + 1);
    nmod_mpoly_ctx_t ctx;
    nmod_mpoly_t f;
    nmod_mpoly_factor_t factors;
    nmod_mpoly_ctx_init(ctx, (slong) r->g->count, ORD_LEX, p->mod.n);
    nmod_mpoly_init(f, ctx);
    nmod_mpoly_factor_init(factors, ctx);
    for (slong i = 0; i < h->length; i++) {
        const mp_limb_t x = term_value(p, h, i, exps);
        for (size_t g = 0; g < r->g->count; g++)
            if (!p->open[g]) exps[g] = 0;
        nmod_mpoly_push_term_ui_ui(f, x, exps, ctx);
    }
    nmod_mpoly_sort_terms(f, ctx);
    nmod_mpoly_combine_like_terms(f, ctx);
    const bool alone = nmod_mpoly_total_degree_si(f, ctx) == degree &&
                       nmod_mpoly_factor(factors, f, ctx) && factors->num == 1 &&
                       fmpz_is_one(factors->exp);
    nmod_mpoly_factor_clear(factors, ctx);
    nmod_mpoly_clear(f, ctx);
    nmod_mpoly_ctx_clear(ctx);
    return alone;
}

bool split_irreducible(ring *r, poly h, const bool *variable)
{
    arena *a = &r->ctx->scratch;
    place p = {.r = r};
    const long degree = split_degree(r, h, variable);
    p.value = NEW_ARRAY(a, mp_limb_t, r->g->count);
    p.open = NEW_ARRAY(a, bool, r->g->count);
    for (size_t i = 0; i < ATTEMPTS; i++) {
        ctx_tick(r->ctx);
        nmod_init(&p.mod, modp_prime(i));
        for (size_t g = 0; g < r->g->count; g++) p.open[g] = variable[g];
        if (find_place(&p) && irreducible_here(&p, h, degree)) return true;
    }
    return false;
}
