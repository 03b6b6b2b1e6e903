/* real/quotient.c - Gröbner basis, quotient algebra and its representation modulo a prime.
 *
 * Buchberger's algorithm in degree reverse lexicographic order, with the product and the chain
 * criterion. The pairs that gave a new polynomial for the first prime are recorded, and only those
 * are looked at for the next ones. */
#include "real_roots.h"

#include <string.h>

/* ---- Gröbner basis --------------------------------------------------------------------------- */

typedef struct pair {
    slong i, j;
    ulong degree; /* of the lcm of the leading monomials */
    bool done;
} pair;

typedef struct basis {
    ah_ctx *ctx;
    const base_end *end;
    nmod_mpoly_ctx_t mctx;
    slong variables, count, pairs, pairs_room;
    nmod_mpoly_struct g[ROOTS_BASIS];
    nmod_mpoly_struct *pointers[ROOTS_BASIS]; /* what division by the whole basis wants */
    ulong lead[ROOTS_BASIS][ROOTS_VARIABLES];
    pair *pair;
    pair_trace *trace;
} basis;

static ulong lcm_degree(const basis *b, slong i, slong j)
{
    ulong degree = 0;
    for (slong k = 0; k < b->variables; k++) degree += FLINT_MAX(b->lead[i][k], b->lead[j][k]);
    return degree;
}

static bool coprime(const basis *b, slong i, slong j)
{
    for (slong k = 0; k < b->variables; k++)
        if (b->lead[i][k] && b->lead[j][k]) return false;
    return true;
}

static bool divides(slong variables, const ulong *x, const ulong *y)
{
    for (slong k = 0; k < variables; k++)
        if (x[k] > y[k]) return false;
    return true;
}

static void add_pair(basis *b, slong i, slong j)
{
    if (b->pairs == b->pairs_room) {
        b->pairs_room = 2 * b->pairs_room + 64;
        b->pair = flint_realloc(b->pair, (size_t) b->pairs_room * sizeof *b->pair);
    }
    b->pair[b->pairs++] = (pair){i, j, lcm_degree(b, i, j), false};
}

/* Takes the polynomial over (it is swapped away), monic; false: too many or too long. */
static bool add_element(basis *b, nmod_mpoly_t f)
{
    if (b->count == ROOTS_BASIS || nmod_mpoly_length(f, b->mctx) > ROOTS_TERMS) return false;
    const slong n = b->count++;
    nmod_mpoly_init(&b->g[n], b->mctx);
    nmod_mpoly_make_monic(&b->g[n], f, b->mctx);
    b->pointers[n] = &b->g[n];
    nmod_mpoly_get_term_exp_ui(b->lead[n], &b->g[n], 0, b->mctx);
    if (b->trace->complete) return true;
    for (slong i = 0; i < n; i++) add_pair(b, i, n);
    return true;
}

static void reduce(basis *b, nmod_mpoly_t f)
{
    nmod_mpoly_struct quotients[ROOTS_BASIS], *Q[ROOTS_BASIS];
    for (slong i = 0; i < b->count; i++) {
        nmod_mpoly_init(&quotients[i], b->mctx);
        Q[i] = &quotients[i];
    }
    if (b->count) nmod_mpoly_divrem_ideal(Q, f, f, b->pointers, b->count, b->mctx);
    for (slong i = 0; i < b->count; i++) nmod_mpoly_clear(&quotients[i], b->mctx);
}

/* x^{lcm/lead_i} g_i − x^{lcm/lead_j} g_j, both monic. */
static void s_polynomial(basis *b, slong i, slong j, nmod_mpoly_t out)
{
    ulong up[ROOTS_VARIABLES], down[ROOTS_VARIABLES];
    for (slong k = 0; k < b->variables; k++) {
        const ulong lcm = FLINT_MAX(b->lead[i][k], b->lead[j][k]);
        up[k] = lcm - b->lead[i][k];
        down[k] = lcm - b->lead[j][k];
    }
    nmod_mpoly_t x, y;
    nmod_mpoly_init(x, b->mctx);
    nmod_mpoly_init(y, b->mctx);
    nmod_mpoly_set_coeff_ui_ui(x, 1, up, b->mctx);
    nmod_mpoly_set_coeff_ui_ui(y, 1, down, b->mctx);
    nmod_mpoly_mul(x, x, &b->g[i], b->mctx);
    nmod_mpoly_mul(y, y, &b->g[j], b->mctx);
    nmod_mpoly_sub(out, x, y, b->mctx);
    nmod_mpoly_clear(x, b->mctx);
    nmod_mpoly_clear(y, b->mctx);
}

static bool is_done(const basis *b, slong i, slong j)
{
    const slong low = FLINT_MIN(i, j), high = FLINT_MAX(i, j);
    return b->pair[high * (high - 1) / 2 + low]
        .done; /* the order in which add_element lists them */
}

/* Chain criterion: some g_k with lead_k | lcm(i, j) whose pairs with both are done. */
static bool superfluous(const basis *b, slong i, slong j)
{
    if (coprime(b, i, j)) return true;
    ulong lcm[ROOTS_VARIABLES];
    for (slong k = 0; k < b->variables; k++) lcm[k] = FLINT_MAX(b->lead[i][k], b->lead[j][k]);
    for (slong k = 0; k < b->count; k++)
        if (k != i && k != j && divides(b->variables, b->lead[k], lcm) && is_done(b, i, k) &&
            is_done(b, j, k))
            return true;
    return false;
}

static void record(pair_trace *trace, slong i, slong j)
{
    if (trace->count == trace->capacity) {
        trace->capacity = 2 * trace->capacity + 32;
        trace->pair = flint_realloc(trace->pair, (size_t) trace->capacity * sizeof *trace->pair);
    }
    trace->pair[trace->count][0] = i;
    trace->pair[trace->count++][1] = j;
}

/* One pair: its S-polynomial's remainder joins the basis. */
static bool treat_pair(basis *b, slong i, slong j)
{
    nmod_mpoly_t s;
    nmod_mpoly_init(s, b->mctx);
    s_polynomial(b, i, j, s);
    reduce(b, s);
    bool good = true;
    if (!nmod_mpoly_is_zero(s, b->mctx)) {
        if (!b->trace->complete) record(b->trace, i, j);
        good = add_element(b, s);
    }
    nmod_mpoly_clear(s, b->mctx);
    return good;
}

/* The pair of least degree that is not done. */
static slong next_pair(const basis *b)
{
    slong best = -1;
    for (slong k = 0; k < b->pairs; k++)
        if (!b->pair[k].done && (best < 0 || b->pair[k].degree < b->pair[best].degree)) best = k;
    return best;
}

static bool complete_basis(basis *b)
{
    if (b->trace->complete) {
        for (slong k = 0; k < b->trace->count; k++)
            if (roots_out_of_time(b->ctx, b->end) ||
                !treat_pair(b, b->trace->pair[k][0], b->trace->pair[k][1]))
                return false;
        return true;
    }
    for (slong k; (k = next_pair(b)) >= 0;) {
        const slong i = b->pair[k].i, j = b->pair[k].j;
        b->pair[k].done = true;
        if (superfluous(b, i, j)) continue;
        if (roots_out_of_time(b->ctx, b->end) || !treat_pair(b, i, j)) return false;
    }
    b->trace->complete = true;
    return true;
}

/* The inputs modulo p, each reduced by the ones before it. */
static bool put_inputs(basis *b, const fmpz_mpoly_struct *f, slong count,
                       const fmpz_mpoly_ctx_t mctx)
{
    bool good = true;
    fmpz_t c;
    nmod_mpoly_t g;
    fmpz_init(c);
    nmod_mpoly_init(g, b->mctx);
    for (slong i = 0; good && i < count; i++) {
        nmod_mpoly_zero(g, b->mctx);
        for (slong t = 0; t < fmpz_mpoly_length(&f[i], mctx); t++) {
            ulong exponent[ROOTS_VARIABLES];
            fmpz_mpoly_get_term_coeff_fmpz(c, &f[i], t, mctx);
            fmpz_mpoly_get_term_exp_ui(exponent, &f[i], t, mctx);
            const ulong reduced = fmpz_fdiv_ui(c, b->mctx->mod.n);
            if (reduced) nmod_mpoly_push_term_ui_ui(g, reduced, exponent, b->mctx);
        }
        nmod_mpoly_sort_terms(g, b->mctx);
        reduce(b, g);
        if (!nmod_mpoly_is_zero(g, b->mctx)) good = add_element(b, g);
    }
    nmod_mpoly_clear(g, b->mctx);
    fmpz_clear(c);
    return good;
}

/* ---- Quotient algebra ------------------------------------------------------------------------ */

static bool is_standard(const basis *b, const ulong *monomial)
{
    for (slong i = 0; i < b->count; i++)
        if (divides(b->variables, b->lead[i], monomial)) return false;
    return true;
}

/* Each variable must have a pure power among the leading monomials. */
static bool finite(const basis *b)
{
    for (slong k = 0; k < b->variables; k++) {
        bool pure = false;
        for (slong i = 0; !pure && i < b->count; i++) {
            pure = true;
            for (slong l = 0; pure && l < b->variables; l++) pure = l == k || !b->lead[i][l];
        }
        if (!pure) return false;
    }
    return true;
}

static slong find_monomial(const quotient *A, const ulong *monomial)
{
    for (slong i = 0; i < A->dimension; i++)
        if (!memcmp(A->monomial + i * A->variables, monomial,
                    (size_t) A->variables * sizeof *monomial))
            return i;
    return -1;
}

/* Standard monomials, each after one that it is a variable times of. */
static bool list_monomials(const basis *b, quotient *A)
{
    const size_t row = (size_t) b->variables * sizeof(ulong);
    A->monomial =
        flint_calloc((size_t) (ROOTS_DIMENSION + 1) * (size_t) b->variables, sizeof(ulong));
    A->dimension = is_standard(b, A->monomial) ? 1 : 0; /* 0: the ideal is everything */
    for (slong i = 0; i < A->dimension; i++)
        for (slong k = 0; k < b->variables; k++) {
            ulong *next = A->monomial + A->dimension * b->variables;
            memcpy(next, A->monomial + i * b->variables, row);
            next[k]++;
            if (!is_standard(b, next) || find_monomial(A, next) >= 0) continue;
            if (A->dimension == ROOTS_DIMENSION) return false;
            A->dimension++;
        }
    return true;
}

/* Column j of the multiplication by x_k: the remainder of x_k b_j. */
static void set_column(basis *b, quotient *A, slong k, slong j, nmod_mpoly_t f)
{
    ulong monomial[ROOTS_VARIABLES];
    memcpy(monomial, A->monomial + j * A->variables, (size_t) A->variables * sizeof *monomial);
    monomial[k]++;
    const slong known = find_monomial(A, monomial);
    if (known >= 0) {
        nmod_mat_entry(A->by_x[k], known, j) = 1;
        return;
    }
    nmod_mpoly_zero(f, b->mctx);
    nmod_mpoly_set_coeff_ui_ui(f, 1, monomial, b->mctx);
    reduce(b, f);
    for (slong t = 0; t < nmod_mpoly_length(f, b->mctx); t++) {
        nmod_mpoly_get_term_exp_ui(monomial, f, t, b->mctx);
        nmod_mat_entry(A->by_x[k], find_monomial(A, monomial), j) =
            nmod_mpoly_get_term_coeff_ui(f, t, b->mctx);
    }
}

static void set_multiplications(basis *b, quotient *A)
{
    nmod_mpoly_t f;
    nmod_mpoly_init(f, b->mctx);
    A->by_x = flint_malloc((size_t) A->variables * sizeof *A->by_x);
    for (slong k = 0; k < A->variables; k++) {
        nmod_mat_init(A->by_x[k], A->dimension, A->dimension, A->mod.n);
        for (slong j = 0; j < A->dimension; j++) set_column(b, A, k, j, f);
    }
    nmod_mpoly_clear(f, b->mctx);
}

/* Elements whose leading monomial another one divides are not needed for division. */
static void minimise(basis *b)
{
    slong kept = 0;
    for (slong i = 0; i < b->count; i++) {
        bool needed = true;
        for (slong j = 0; needed && j < b->count; j++)
            needed =
                j == i || !divides(b->variables, b->lead[j], b->lead[i]) ||
                (j > i && !memcmp(b->lead[i], b->lead[j], (size_t) b->variables * sizeof(ulong)));
        if (needed) b->pointers[kept++] = &b->g[i];
    }
    b->count = kept; /* of pointers; the polynomials themselves are cleared by their own count */
}

roots_status quotient_find(ah_ctx *ctx, const base_end *end, const fmpz_mpoly_struct *f,
                           slong count, const fmpz_mpoly_ctx_t mctx, ulong prime, pair_trace *trace,
                           quotient *out)
{
    roots_status status = ROOTS_GAVE_UP;
    basis *b = flint_calloc(1, sizeof *b);
    b->ctx = ctx;
    b->end = end;
    b->variables = fmpz_mpoly_ctx_nvars(mctx);
    b->trace = trace;
    nmod_mpoly_ctx_init(b->mctx, b->variables, ORD_DEGREVLEX, prime);
    *out = (quotient){.variables = b->variables, .mod = b->mctx->mod};
    bool listed = false;
    if (put_inputs(b, f, count, mctx) && complete_basis(b)) {
        status = finite(b) ? ROOTS_GAVE_UP : ROOTS_INFINITE;
        listed = status != ROOTS_INFINITE && list_monomials(b, out);
    }
    const slong elements = b->count;
    if (listed) {
        minimise(b);
        set_multiplications(b, out);
        status = ROOTS_FOUND;
    } else {
        flint_free(out->monomial);
        out->monomial = NULL;
    }
    for (slong i = 0; i < elements; i++) nmod_mpoly_clear(&b->g[i], b->mctx);
    nmod_mpoly_ctx_clear(b->mctx);
    flint_free(b->pair);
    flint_free(b);
    return status;
}

void quotient_clear(quotient *A)
{
    for (slong k = 0; A->by_x && k < A->variables; k++) nmod_mat_clear(A->by_x[k]);
    flint_free(A->by_x);
    flint_free(A->monomial);
    *A = (quotient){0};
}

/* ---- Traces and the representation ----------------------------------------------------------- */

/* The index of b_j / x_k for the first variable k of b_j. */
static slong predecessor(const quotient *A, slong j, slong *variable)
{
    ulong monomial[ROOTS_VARIABLES];
    memcpy(monomial, A->monomial + j * A->variables, (size_t) A->variables * sizeof *monomial);
    slong k = 0;
    while (!monomial[k]) k++;
    monomial[k]--;
    *variable = k;
    return find_monomial(A, monomial);
}

/* Multiplication by every basis monomial. */
static nmod_mat_t *all_multiplications(const quotient *A)
{
    const slong D = A->dimension;
    nmod_mat_t *by = flint_malloc((size_t) D * sizeof *by);
    for (slong j = 0; j < D; j++) {
        nmod_mat_init(by[j], D, D, A->mod.n);
        if (j == 0) {
            nmod_mat_one(by[j]);
            continue;
        }
        slong k;
        const slong before = predecessor(A, j, &k);
        nmod_mat_mul(by[j], A->by_x[k], by[before]);
    }
    return by;
}

static void clear_multiplications(nmod_mat_t *by, slong count)
{
    for (slong j = 0; j < count; j++) nmod_mat_clear(by[j]);
    flint_free(by);
}

slong quotient_distinct(const quotient *A)
{
    const slong D = A->dimension;
    if (!D) return 0;
    nmod_mat_t *by = all_multiplications(A), form;
    ulong *trace = flint_malloc((size_t) D * sizeof *trace);
    for (slong j = 0; j < D; j++) trace[j] = nmod_mat_trace(by[j]);
    nmod_mat_init(form, D, D, A->mod.n);
    for (slong i = 0; i < D;
         i++) /* Tr(b_i b_j): b_i b_j is column j of the multiplication by b_i */
        for (slong j = 0; j < D; j++) {
            ulong sum = 0;
            for (slong k = 0; k < D; k++)
                sum = nmod_addmul(sum, nmod_mat_entry(by[i], k, j), trace[k], A->mod);
            nmod_mat_entry(form, i, j) = sum;
        }
    const slong rank = nmod_mat_rank(form);
    nmod_mat_clear(form);
    clear_multiplications(by, D);
    flint_free(trace);
    return rank;
}

static ulong dot(const quotient *A, const ulong *x, const ulong *y)
{
    ulong sum = 0;
    for (slong i = 0; i < A->dimension; i++) sum = nmod_addmul(sum, x[i], y[i], A->mod);
    return sum;
}

static void apply(const quotient *A, const nmod_mat_t M, const ulong *x, ulong *y)
{
    for (slong i = 0; i < A->dimension; i++) y[i] = dot(A, &nmod_mat_entry(M, i, 0), x);
}

/* τ_j = Tr(b_j), the trace as a linear form on A. */
static ulong *trace_form(const quotient *A)
{
    nmod_mat_t *by = all_multiplications(A);
    ulong *trace = flint_malloc((size_t) A->dimension * sizeof *trace);
    for (slong j = 0; j < A->dimension; j++) trace[j] = nmod_mat_trace(by[j]);
    clear_multiplications(by, A->dimension);
    return trace;
}

/* The square-free part of the characteristic polynomial of u. */
static void minimal_part(const nmod_mat_t U, nmod_poly_t f)
{
    nmod_poly_t derivative, common;
    nmod_poly_init(derivative, U->mod.n);
    nmod_poly_init(common, U->mod.n);
    nmod_mat_charpoly(f, U);
    nmod_poly_derivative(derivative, f);
    nmod_poly_gcd(common, f, derivative);
    nmod_poly_div(f, f, common);
    nmod_poly_make_monic(f, f);
    nmod_poly_clear(derivative);
    nmod_poly_clear(common);
}

/* g_v(T) = Σ_i Tr(v uⁱ) H_{d−1−i}(T), H_j the Horner polynomials of f: H_0 = 1,
 * H_j = T H_{j−1} + a_{d−j}. Given the traces t_i, i < d. */
static void add_numerator(const nmod_poly_t f, slong d, const ulong *t, ulong *g, nmod_t mod)
{
    for (slong j = 0; j < d; j++) { /* the coefficient of T^j: Σ_i t_i a_{j+i+1} */
        g[j] = 0;
        for (slong i = 0; i + j < d; i++)
            g[j] = nmod_addmul(g[j], t[i], nmod_poly_get_coeff_ui(f, i + j + 1), mod);
    }
}

static void numerators(const quotient *A, const nmod_mat_t U, const nmod_poly_t f, slong d,
                       ulong *out)
{
    const slong D = A->dimension, rows = A->variables + 1;
    ulong *tau = trace_form(A), *t = flint_calloc((size_t) (rows * d), sizeof *t);
    ulong *power = flint_calloc((size_t) D, sizeof *power);
    ulong *next = flint_malloc((size_t) D * sizeof *next);
    power[0] = 1; /* the monomial 1 */
    for (slong i = 0; i < d; i++) {
        t[i] = dot(A, tau, power);
        for (slong k = 0; k < A->variables; k++) {
            apply(A, A->by_x[k], power, next);
            t[(k + 1) * d + i] = dot(A, tau, next);
        }
        apply(A, U, power, next);
        memcpy(power, next, (size_t) D * sizeof *power);
    }
    for (slong row = 0; row < rows; row++) add_numerator(f, d, t + row * d, out + row * d, A->mod);
    flint_free(tau);
    flint_free(t);
    flint_free(power);
    flint_free(next);
}

bool quotient_represent(const quotient *A, slong d, const slong *weight, ulong *coefficients)
{
    nmod_mat_t U, term;
    nmod_poly_t f;
    nmod_mat_init(U, A->dimension, A->dimension, A->mod.n);
    nmod_mat_init(term, A->dimension, A->dimension, A->mod.n);
    nmod_poly_init(f, A->mod.n);
    for (slong k = 0; k < A->variables; k++) {
        const slong w = weight[k];
        const ulong size = (ulong) (w < 0 ? -w : w);
        nmod_mat_scalar_mul(term, A->by_x[k], w < 0 ? nmod_neg(size, A->mod) : size);
        nmod_mat_add(U, U, term);
    }
    minimal_part(U, f);
    const bool separates = nmod_poly_degree(f) == d;
    if (separates) {
        for (slong i = 0; i < d; i++) coefficients[i] = nmod_poly_get_coeff_ui(f, i);
        numerators(A, U, f, d, coefficients + d);
    }
    nmod_poly_clear(f);
    nmod_mat_clear(term);
    nmod_mat_clear(U);
    return separates;
}
