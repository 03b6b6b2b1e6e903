/* proof/identities.c - the search for identities that prove a claim.
 *
 * The claim N is linear in the unknowns, N = c·u + c_0, and so are the rows, g = K u − w. With
 * y K = c over the fractions and d the common denominator of y,
 *
 *     d N = Σ d y_i g_i + E,        E free of the unknowns.
 *
 * First with the rows of the motion and their own block alone (y = v proves energy laws: what the
 * multipliers do then vanishes on the constraints), then with the rows of the constraints too. d
 * divides a power of the determinant of K, which vanishes at singular states only.
 *
 * E vanishes where the given polynomials h do: by division, E = Σ q h; or the constraints are
 * solved for some velocities, d_s v_s = …, by the same linear algebra, where d_s divides the minor
 * of these columns. At a regular state one of the minors is not zero: a branch for each. */
#include "proof_inside.h"

#include <string.h>

#define BRANCHES_MOST 40
#define NOT_ALONE     100 /* degrees: rather any other generator */

/* ---- Polynomials of the question ------------------------------------------------------------- */

static poly derivative(prover *p, poly a, ah_expr symbol)
{
    poly d = poly_new(p->r);
    const uint32_t at = map_get(&p->r->g->index, symbol);
    if (at) fmpz_mpoly_derivative(d, a, (slong) at - 1, p->r->mctx);
    return d;
}

static bool depends(prover *p, poly a, ah_expr symbol)
{
    const uint32_t at = map_get(&p->r->g->index, symbol);
    return at && fmpz_mpoly_degree_si(a, (slong) at - 1, p->r->mctx) > 0;
}

static void learn(prover *p, const ah_expr *zero, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const frac value = frac_cancel(p->r, ring_value(p->r, zero[i]));
        LIST_PUSH(&p->r->ctx->scratch, &p->known, value.num);
        LIST_PUSH(&p->r->ctx->scratch, &p->cleared, value.den);
    }
}

static poly given(const prover *p, size_t i)
{
    return p->known.at[p->given + i];
}

/* ---- y K = c --------------------------------------------------------------------------------- */

/* Rows and unknowns that are used, as many of the one as of the other. */
typedef struct square {
    size_t n;
    size_t *row;
    ah_expr *unknown;
} square;

static square motion_square(prover *p)
{
    const proof_question *q = p->q;
    square s = {.n = q->motion};
    s.row = NEW_ARRAY(&p->r->ctx->scratch, size_t, q->rows);
    s.unknown = NEW_ARRAY(&p->r->ctx->scratch, ah_expr, q->unknowns + q->rows);
    for (size_t i = 0; i < q->motion; i++) {
        s.row[i] = p->rows + i;
        s.unknown[i] = q->unknown[i];
    }
    return s;
}

static square whole_square(prover *p)
{
    const proof_question *q = p->q;
    square s = motion_square(p);
    for (size_t i = 0; q->rows > q->motion && i < p->kept_count; i++) {
        s.row[s.n] = p->rows + q->motion + p->kept[i];
        s.unknown[s.n++] = q->unknown[q->motion + p->kept[i]];
    }
    return s;
}

/* The common denominator; y becomes d y. */
static poly clear_denominators(prover *p, frac *y, size_t n, poly *out)
{
    ring *r = p->r;
    poly d = poly_int(r, 1);
    for (size_t i = 0; i < n; i++)
        d = poly_mul(r, d, poly_divide(r, y[i].den, poly_gcd(r, d, y[i].den)));
    for (size_t i = 0; i < n; i++) {
        poly quotient;
        /* modulo the relations the product of denominators may have been rewritten */
        if (poly_divides(r, d, y[i].den, &quotient))
            out[i] = poly_mul(r, y[i].num, quotient);
        else
            return NULL;
    }
    return d;
}

/* Does every factor of d divide the determinant? Modulo s² + c² − 1 there are other ways to write a
 * denominator, some of which vanish where the determinant does not. */
static bool divides_determinant(prover *p, poly d, minors *K, uint32_t all)
{
    poly quotient;
    if (proof_never_zero(p, d)) return true;
    const poly_factors f = poly_factor(p->r, d);
    const poly det = minors_get(K, all, all);
    for (size_t i = 0; i < f.count; i++)
        if (!poly_divides(p->r, det, f.factor[i], &quotient)) return false;
    return true;
}

/* Cramer's rule: d = det K, y_i = Σ_j ± (minor without unknown j and row i) c_j; common factors
 * removed. */
static poly by_cramer(prover *p, size_t n, minors *K, const poly *c, poly *y)
{
    ring *r = p->r;
    const uint32_t all = (UINT32_C(1) << n) - 1;
    poly d = minors_get(K, all, all), common = d;
    for (size_t i = 0; i < n; i++) {
        y[i] = poly_int(r, 0);
        for (size_t j = 0; j < n; j++) {
            if (poly_is_zero(r, c[j])) continue;
            const poly minor = minors_get(K, all & ~(UINT32_C(1) << j), all & ~(UINT32_C(1) << i));
            y[i] = poly_add(r, y[i], poly_mul(r, poly_scale(r, minor, (i + j) % 2 ? -1 : 1), c[j]));
        }
        if (!poly_is_zero(r, y[i])) common = poly_gcd(r, common, y[i]);
    }
    for (size_t i = 0; i < n; i++) y[i] = poly_divide(r, y[i], common);
    return poly_divide(r, d, common);
}

/* d e = Σ y g + rest; NULL: no solution. */
static poly combination(prover *p, const square *s, poly e, poly *d, proof_sum *sum)
{
    ring *r = p->r;
    arena *a = &r->ctx->scratch;
    const size_t n = s->n;
    frac *K = NEW_ARRAY(a, frac, n * n), *solved = NEW_ARRAY(a, frac, n * n);
    frac *x = NEW_ARRAY(a, frac, n);
    poly *y = NEW_ARRAY(a, poly, n), *c = NEW_ARRAY(a, poly, n);
    for (size_t j = 0; j < n; j++) {
        c[j] = derivative(p, e, s->unknown[j]);
        x[j] = frac_of(r, c[j]);
        for (size_t i = 0; i < n; i++)
            K[j * n + i] = frac_of(r, derivative(p, p->known.at[s->row[i]], s->unknown[j]));
    }
    if (n) memcpy(solved, K, n * n * sizeof *K);
    if (!proof_solve(p, n, solved, x)) return NULL;
    *d = clear_denominators(p, x, n, y);
    if (n > 1 && n <= MINORS_LARGEST) {
        minors m = minors_of(r, (uint32_t) n, (uint32_t) n, K);
        if (!*d || !divides_determinant(p, *d, &m, (UINT32_C(1) << n) - 1))
            *d = by_cramer(p, n, &m, c, y);
    }
    if (!*d) return NULL;
    poly rest = poly_mul(r, *d, e);
    for (size_t i = 0; i < n; i++) {
        rest = poly_sub(r, rest, poly_mul(r, y[i], p->known.at[s->row[i]]));
        proof_add(p, sum, s->row[i], y[i]);
    }
    return rest;
}

static bool is_linear(prover *p, poly e)
{
    for (size_t j = 0; j < p->q->unknowns; j++) {
        const poly d = derivative(p, e, p->q->unknown[j]);
        for (size_t k = 0; k < p->q->unknowns; k++)
            if (depends(p, d, p->q->unknown[k])) return false;
    }
    return true;
}

/* ---- E on the constraints -------------------------------------------------------------------- */

/* E = Σ q h by division alone. */
static bool by_division(prover *p, poly e, size_t *index)
{
    ring *r = p->r;
    const size_t count = r->relations + p->q->given;
    poly *divisor = NEW_ARRAY(&r->ctx->scratch, poly, count);
    poly *quotient = NEW_ARRAY(&r->ctx->scratch, poly, count);
    size_t *of = NEW_ARRAY(&r->ctx->scratch, size_t, count), used = 0;
    for (size_t i = 0; i < p->q->given; i++)
        if (!poly_is_zero(r, given(p, i))) of[used] = p->given + i, divisor[used++] = given(p, i);
    for (size_t i = 0; i < r->relations; i++) of[used] = i, divisor[used++] = r->relation[i];
    for (size_t i = 0; i < used; i++) quotient[i] = poly_new(r);
    if (used == 0) return false;
    poly rest = poly_new(r), scale = poly_new(r);
    fmpz_t k;
    fmpz_init(k);
    fmpz_mpoly_quasidivrem_ideal(k, quotient, rest, e, divisor, (slong) used, r->mctx);
    fmpz_mpoly_set_fmpz(scale, k, r->mctx);
    fmpz_clear(k);
    poly_check(r, rest);
    if (!poly_is_zero(r, rest)) return false;
    proof_sum sum = {0};
    for (size_t i = 0; i < used; i++)
        if (of[i] >= r->relations) proof_add(p, &sum, of[i], quotient[i]);
    return proof_record(p, e, scale, NO_REASON, &sum, index);
}

/* A polynomial in which one generator is eliminated from all the rest. */
typedef struct link {
    size_t of, main; /* known polynomial, generator */
    proof_reason reason;
} link;
typedef struct links {
    LIST(link) at;
} links;

/* How the given polynomials are used: the columns of a minor and why that is not zero, or NULL. */
typedef struct solving {
    const uint32_t *column;
    proof_reason reason;
    poly minor;
} solving;
static bool vanishes(prover *p, poly e, const solving *by, size_t *index);

/* e is reduced by each link in turn, what is left is left to the given polynomials (then may be
 * NULL); the steps are told in the order of the proof, last first. */
static bool by_links(prover *p, poly e, const links *l, const solving *then, size_t *index)
{
    ring *r = p->r;
    poly *stage = NEW_ARRAY(&r->ctx->scratch, poly, l->at.count + 1), content;
    poly *m = NEW_ARRAY(&r->ctx->scratch, poly, l->at.count);
    poly *q = NEW_ARRAY(&r->ctx->scratch, poly, l->at.count);
    poly *c = NEW_ARRAY(&r->ctx->scratch, poly, l->at.count);
    size_t last = 0;
    stage[0] = e;
    for (; last < l->at.count && !poly_is_zero(r, stage[last]); last++) {
        const link *k = &l->at.at[last];
        const poly rest =
            proof_divide(p, stage[last], p->known.at[k->of], k->main, &m[last], &q[last]);
        stage[last + 1] = rest;
        c[last] = poly_int(r, 1);
        if (poly_is_zero(r, rest)) continue;
        stage[last + 1] = poly_primitive(r, rest, &content);
        c[last] = content;
    }
    const bool left = !poly_is_zero(r, stage[last]);
    if (left && (!then || !vanishes(p, stage[last], then, index))) return false;
    for (size_t i = last; i-- > 0;) {
        proof_sum sum = {0};
        proof_add(p, &sum, l->at.at[i].of, q[i]);
        if (left || i + 1 < last) proof_add(p, &sum, *index, c[i]);
        if (!proof_record(p, stage[i], m[i], l->at.at[i].reason, &sum, index)) return false;
    }
    return last > 0;
}

/* A generator that occurs inside another is eliminated last: what it stands in remains. */
static bool stands_alone(const ring *r, size_t at)
{
    for (size_t i = 0; i < r->g->count; i++)
        if (i != at && expr_depends(r->ctx, r->g->gen[i].e, r->g->gen[at].e)) return false;
    return true;
}

static poly leading(prover *p, poly a, size_t at)
{
    poly lead = poly_new(p->r);
    const slong x = (slong) at;
    const long degree = fmpz_mpoly_degree_si(a, x, p->r->mctx);
    fmpz_mpoly_get_coeff_vars_ui(lead, a, &x, (ulong[]){(ulong) degree}, 1, p->r->mctx);
    return lead;
}

/* What is assumed says something of it: rather kept. */
static bool is_in_facts(prover *p, size_t at)
{
    for (size_t i = 0; i < p->q->facts; i++)
        if (fmpz_mpoly_degree_si(p->fact[i].num, (slong) at, p->r->mctx) > 0) return true;
    return false;
}

static bool is_root(const gen *g)
{
    return g->kind == GEN_ROOT || g->kind == GEN_ABS;
}

/* Never zero, or not in this branch: its factors divide the minor. */
static bool is_safe(prover *p, poly lead)
{
    poly quotient;
    if (proof_never_zero(p, lead)) return true;
    if (!p->minor) return false;
    const poly_factors all = poly_factor(p->r, lead);
    for (size_t i = 0; i < all.count; i++)
        if (!proof_never_zero(p, all.factor[i]) &&
            !poly_divides(p->r, p->minor, all.factor[i], &quotient))
            return false;
    return true;
}

/* Solved for the symbol (or root) of the lowest degree whose leading coefficient never vanishes. */
static bool safe_main(prover *p, poly a, const bool *taken, size_t *main)
{
    const ring *r = p->r;
    long best = 0;
    for (size_t i = 0; i < r->g->count; i++) {
        const long degree = fmpz_mpoly_degree_si(a, (slong) i, r->mctx);
        const bool root = is_root(&r->g->gen[i]);
        if ((r->g->gen[i].kind != GEN_SYMBOL && !root) || taken[i] || degree < 1) continue;
        const long now =
            2 * degree + (root || is_in_facts(p, i)) + (stands_alone(r, i) ? 0 : NOT_ALONE);
        if (best && now >= best) continue;
        if (!is_safe(p, leading(p, a, i))) continue;
        best = now;
        *main = i;
    }
    return best > 0;
}

/* A given polynomial, reduced by the links found so far. */
typedef struct pending {
    poly a;
    size_t of;
} pending;

/* By one link more; false: the step could not be told. */
static bool reduce_pending(prover *p, const link *by, pending *x)
{
    poly m, q, content;
    const poly rest = proof_divide(p, x->a, p->known.at[by->of], by->main, &m, &q);
    if (fmpz_mpoly_equal(rest, x->a, p->r->mctx)) return true;
    proof_sum sum = {0};
    proof_add(p, &sum, x->of, m);
    proof_add(p, &sum, by->of, poly_scale(p->r, q, -1));
    x->a = poly_primitive(p->r, rest, &content);
    if (poly_is_zero(p->r, x->a)) return true;
    if (!proof_record(p, x->a, content, NO_REASON, &sum, &x->of)) return false;
    proof_real_part(p, &x->a, &x->of);
    return true;
}

/* The shortest that can be solved, those of the velocities first where a minor helps; count: none. */
static size_t choose_pending(prover *p, const pending *x, size_t count, const bool *taken,
                             size_t *main)
{
    size_t best = count, at = 0;
    for (size_t i = 0; i < count; i++) {
        if (p->minor && best < p->q->constraints && i >= p->q->constraints) break;
        if (poly_is_zero(p->r, x[i].a)) continue;
        if (best < count && poly_terms(x[i].a) >= poly_terms(x[best].a)) continue;
        if (safe_main(p, x[i].a, taken, &at)) best = i, *main = at;
    }
    return best;
}

/* (A r + B)(A r − B), where r is a square root: what holds without it. False: there is none. */
static bool add_norm(prover *p, const pending *x, pending *out)
{
    ring *r = p->r;
    *out = *x;
    for (size_t i = 0; i < r->relations; i++) {
        const slong root = (slong) r->leader[i];
        if (!is_root(&r->g->gen[root]) || fmpz_mpoly_degree_si(out->a, root, r->mctx) != 1)
            continue;
        if (fmpz_mpoly_degree_si(r->relation[i], root, r->mctx) != 2) continue;
        poly slope = poly_new(r), content;
        fmpz_mpoly_get_coeff_vars_ui(slope, out->a, &root, (ulong[]){1}, 1, r->mctx);
        const poly line = poly_mul_free(r, slope, frac_gen(r, (size_t) root).num);
        const poly other = poly_sub(r, poly_scale(r, line, 2), out->a);
        const poly norm = poly_mul(r, out->a, other);
        proof_sum sum = {0};
        proof_add(p, &sum, out->of, other);
        if (poly_is_zero(r, norm)) return false;
        out->a = poly_primitive(r, norm, &content);
        if (!proof_record(p, out->a, content, NO_REASON, &sum, &out->of)) return false;
    }
    return out->of != x->of;
}

/* The given polynomials from `first` on as links, the shortest first, each reduced by those before
 * it. */
static bool add_safe_links(prover *p, size_t first, proof_reason reason, links *l)
{
    ring *r = p->r;
    size_t count = p->q->given - first;
    bool *taken = NEW_ARRAY(&r->ctx->scratch, bool, r->g->count + 1);
    pending *x = NEW_ARRAY(&r->ctx->scratch, pending, 2 * count + 1);
    size_t open = 0, main = 0;
    for (size_t i = 0; i < count; i++) {
        x[i] = (pending){given(p, first + i), p->given + first + i};
        for (size_t k = 0; k < l->at.count && !poly_is_zero(r, x[i].a); k++)
            if (!reduce_pending(p, &l->at.at[k], &x[i])) return false;
        proof_real_part(p, &x[i].a, &x[i].of);
    }
    for (size_t i = 0, all = count; i < all; i++) count += add_norm(p, &x[i], &x[count]);
    for (size_t i = 0; i < l->at.count; i++) taken[l->at.at[i].main] = true;
    for (size_t at; (at = choose_pending(p, x, count, taken, &main)) < count;) {
        const link now = {x[at].of, main, reason};
        taken[main] = true;
        LIST_PUSH(&r->ctx->scratch, &l->at, now);
        x[at].a = poly_int(r, 0);
        for (size_t i = 0; i < count; i++)
            if (!poly_is_zero(r, x[i].a) && !reduce_pending(p, &now, &x[i])) return false;
    }
    for (size_t i = 0; i < count; i++) open += !poly_is_zero(r, x[i].a);
    return open == 0;
}

/* d_s v_s + … = Σ y C for every column of the minor. */
static bool add_minor_links(prover *p, const uint32_t *column, proof_reason reason, links *l)
{
    ring *r = p->r;
    const size_t n = p->kept_count;
    square s = {n, NEW_ARRAY(&r->ctx->scratch, size_t, n), NEW_ARRAY(&r->ctx->scratch, ah_expr, n)};
    for (size_t i = 0; i < n; i++) {
        s.row[i] = p->given + p->kept[i];
        s.unknown[i] = p->q->velocity[column[i]];
    }
    for (size_t i = 0; i < n; i++) {
        const uint32_t at = map_get(&r->g->index, s.unknown[i]);
        size_t of = s.row[i];
        if (!at) return false;
        if (n > 1) {
            poly d;
            proof_sum sum = {0};
            const poly x = frac_gen(r, at - 1).num;
            const poly rest = combination(p, &s, x, &d, &sum);
            if (!rest) return false;
            /* d v_s − rest = Σ y C */
            const poly solved = poly_sub(r, poly_mul(r, d, x), rest);
            if (!proof_record(p, solved, poly_int(r, 1), NO_REASON, &sum, &of)) return false;
            for (size_t k = 0; k < n; k++)
                if (depends(p, rest, s.unknown[k])) return false; /* not linear in them */
        }
        LIST_PUSH(&r->ctx->scratch, &l->at, ((link){of, at - 1, reason}));
    }
    return true;
}

/* ---- Branches -------------------------------------------------------------------------------- */

/* E = 0 on the constraints. */
static bool vanishes(prover *p, poly e, const solving *by, size_t *index)
{
    links l = {0};
    if (by_division(p, e, index)) return true;
    if (p->q->given == 0) return false;
    const size_t mark = p->known.count, steps = p->branch->steps.count;
    if (!by->column || add_minor_links(p, by->column, by->reason, &l))
        if (add_safe_links(p, by->column ? p->q->constraints : 0, NO_REASON, &l) &&
            by_links(p, e, &l, NULL, index))
            return true;
    if (by->reason != PROOF_MINOR) return false;
    /* not linear in the velocities: each row by itself, divided by what divides the minor */
    p->known.count = mark;
    p->branch->steps.count = steps;
    l = (links){0};
    p->minor = by->minor;
    const bool found = add_safe_links(p, 0, PROOF_MINOR, &l) && by_links(p, e, &l, NULL, index);
    p->minor = NULL;
    return found;
}

static bool finish(prover *p, poly d, proof_reason reason, poly rest, proof_sum *sum,
                   const solving *by)
{
    ring *r = p->r;
    size_t index = 0;
    poly content;
    if (!poly_is_zero(r, rest)) {
        const poly e = poly_primitive(r, rest, &content);
        if (!vanishes(p, e, by, &index)) return false;
        proof_add(p, sum, index, content);
    }
    return proof_record(p, p->claim, d, reason, sum, &index);
}

static void begin_branch(prover *p, const uint32_t *column, bool minor)
{
    const size_t base = p->given + p->q->given;
    *p->branch =
        (proof_branch){.kept = p->kept_count, .row = p->kept, .minor = minor, .column = column};
    p->known.count = base;
}

/* d_k u_k − rest = Σ y g: an unknown alone. */
static bool add_unknown_link(prover *p, const square *s, ah_expr unknown, proof_reason reason,
                             links *l)
{
    ring *r = p->r;
    size_t of;
    poly d;
    proof_sum sum = {0};
    const poly x = frac_gen(r, gens_index(r->g, unknown)).num;
    const poly rest = combination(p, s, x, &d, &sum);
    if (!rest) return false;
    const poly solved = poly_sub(r, poly_mul(r, d, x), rest);
    if (!proof_record(p, solved, poly_int(r, 1), NO_REASON, &sum, &of)) return false;
    LIST_PUSH(&r->ctx->scratch, &l->at, ((link){of, gens_index(r->g, unknown), reason}));
    return true;
}

/* Not linear: the unknowns are put in one after the other. */
static bool by_unknowns(prover *p, const square *s, proof_reason reason, const solving *by)
{
    links l = {0};
    size_t index = 0;
    for (size_t j = 0; j < s->n; j++)
        if (depends(p, p->claim, s->unknown[j]) &&
            !add_unknown_link(p, s, s->unknown[j], reason, &l))
            return false;
    return by_links(p, p->claim, &l, by, &index);
}

/* One attempt: with the rows of the motion alone, or all of them. */
static bool attempt(prover *p, const square *s, proof_reason reason, const uint32_t *column,
                    bool minor)
{
    poly d;
    proof_sum sum = {0};
    const solving by = {column, minor ? PROOF_MINOR : NO_REASON, minor ? p->branch_minor : NULL};
    begin_branch(p, column, minor);
    if (!is_linear(p, p->claim)) return by_unknowns(p, s, reason, &by);
    const poly rest = combination(p, s, p->claim, &d, &sum);
    if (!rest) {
        p->why = "the rows do not determine what it names";
        return false;
    }
    return finish(p, d, reason, rest, &sum, &by);
}

static bool prove_branch(prover *p, const uint32_t *column, bool minor)
{
    const square motion = motion_square(p), whole = whole_square(p);
    const bool redundant =
        (p->q->uneven || p->q->constraints > p->q->rank) && p->q->rows > p->q->motion;
    const proof_reason singular = redundant && !minor ? NO_REASON : PROOF_SINGULAR;
    proof_branch branch = {0};
    p->branch = &branch;
    const bool all = whole.n == motion.n;
    if (attempt(p, &motion, all ? singular : NO_REASON, column, minor) ||
        (!all && attempt(p, &whole, singular, column, minor))) {
        LIST_PUSH(p->arena, &p->out->branches, branch);
        return true;
    }
    return false;
}

/* The next k of n in lexicographic order. */
static bool next_choice(uint32_t *c, size_t k, size_t n)
{
    size_t i = k;
    while (i > 0 && c[i - 1] == n - k + i - 1) i--;
    if (i == 0) return false;
    c[i - 1]++;
    for (; i < k; i++) c[i] = c[i - 1] + 1;
    return true;
}

static uint32_t *first_choice(arena *a, size_t k)
{
    uint32_t *c = NEW_ARRAY(a, uint32_t, k + 1);
    for (size_t i = 0; i < k; i++) c[i] = (uint32_t) i;
    return c;
}

static uint32_t *copy_choice(arena *a, const uint32_t *c, size_t k)
{
    uint32_t *copy = NEW_ARRAY(a, uint32_t, k + 1);
    memcpy(copy, c, k * sizeof *c);
    return copy;
}

static uint32_t as_bits(const uint32_t *c, size_t k)
{
    uint32_t set = 0;
    for (size_t i = 0; i < k; i++) set |= UINT32_C(1) << c[i];
    return set;
}

/* ∂C/∂v, C the given polynomials of the constraints or what these are made of. */
static minors jacobian_minors(prover *p)
{
    const size_t rows = p->q->constraints, cols = p->q->velocities;
    frac *J = NEW_ARRAY(&p->r->ctx->scratch, frac, rows * cols);
    for (size_t i = 0; i < rows; i++)
        for (size_t j = 0; j < cols; j++)
            J[i * cols + j] = p->slope
                                  ? p->slope[i * cols + j]
                                  : frac_of(p->r, derivative(p, given(p, i), p->q->velocity[j]));
    return minors_of(p->r, (uint32_t) rows, (uint32_t) cols, J);
}

typedef struct minor {
    uint32_t *rows, *columns;
    poly det;
} minor;

/* All minors that are not identically zero; one alone that never vanishes is enough. */
static bool find_minors(prover *p, size_t k, minor *out, size_t *count, bool *safe)
{
    arena *a = &p->r->ctx->scratch;
    uint32_t *rows = first_choice(a, k);
    *count = 0;
    *safe = false;
    if (p->q->constraints > MINORS_LARGEST || p->q->velocities > MINORS_LARGEST) return false;
    minors J = jacobian_minors(p);
    do {
        uint32_t *columns = first_choice(a, k);
        do {
            const poly det = minors_get(&J, as_bits(rows, k), as_bits(columns, k));
            if (poly_is_zero(p->r, det)) continue;
            const minor now = {copy_choice(p->arena, rows, k), copy_choice(p->arena, columns, k),
                               det};
            if (proof_never_zero(p, det)) {
                out[0] = now;
                *count = 1;
                *safe = true;
                return true;
            }
            if (*count == BRANCHES_MOST) return false;
            out[(*count)++] = now;
        } while (next_choice(columns, k, p->q->velocities));
    } while (next_choice(rows, k, p->q->constraints));
    return *count > 0;
}

static bool prove_all(prover *p)
{
    const proof_question *q = p->q;
    minor found[BRANCHES_MOST];
    size_t count;
    bool safe;
    p->kept = first_choice(p->arena, q->constraints);
    p->kept_count = q->rank < q->constraints ? 0 : q->constraints;
    if (prove_branch(p, NULL, false)) return true;
    if (q->constraints == 0 || q->rank == 0 || q->no_minors) return false;
    if (!find_minors(p, q->rank, found, &count, &safe)) {
        if (!p->why) p->why = "the constraints have too many minors";
        return false;
    }
    for (size_t i = 0; i < count; i++) {
        p->kept = found[i].rows;
        p->kept_count = q->rank;
        p->branch_minor = found[i].det;
        if (!prove_branch(p, found[i].columns, !safe)) return false;
    }
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

typedef struct prove_job {
    algebra *alg;
    const proof_question *q;
    proof *out;
    const char **why;
    bool proved;
} prove_job;

static ah_expr *lowered(algebra *alg, const ah_expr *e, size_t count)
{
    ah_expr *out = NEW_ARRAY(&alg->ctx->scratch, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) out[i] = algebra_lower(alg, e[i]);
    return out;
}

static void tell_known(prover *p)
{
    const ring *r = p->r;
    ah_expr *g = NEW_ARRAY(p->arena, ah_expr, r->g->count);
    for (size_t i = 0; i < r->g->count; i++) g[i] = r->g->gen[i].e;
    p->out->generators = r->g->count;
    p->out->generator = g;
    for (size_t i = 0; i < p->known.count; i++) {
        const proof_poly a = proof_export(p, p->known.at[i]);
        if (i < p->rows)
            LIST_PUSH(p->arena, &p->out->relations, a);
        else if (i < p->given)
            LIST_PUSH(p->arena, &p->out->rows, a);
        else
            LIST_PUSH(p->arena, &p->out->given, a);
    }
    for (size_t i = 0; i < p->cleared.count; i++)
        LIST_PUSH(p->arena, &p->out->denominator_of, proof_export(p, p->cleared.at[i]));
    p->out->claim = proof_export(p, p->claim);
    p->out->denominator = proof_export(p, p->denominator);
}

/* Does a velocity stand inside of a function, so that a row has slopes that its polynomial does not show? */
static bool hides_velocities(ah_ctx *ctx, const proof_question *q)
{
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, q->given_zero, q->constraints);
    bool found = false;
    long n;
    for (size_t i = 0; i < nodes.count && !found; i++) {
        const expr_op op = expr_get_op(ctx, nodes.at[i]);
        const bool function =
            op == EXPR_CALL || op == EXPR_UNKNOWN ||
            (op == EXPR_POWER && !expr_is_int(ctx, expr_get_children(ctx, nodes.at[i])[1], &n));
        for (size_t j = 0; function && j < q->velocities && !found; j++)
            found = expr_depends(ctx, nodes.at[i], q->velocity[j]);
    }
    return found;
}

static ah_expr *slopes(algebra *alg, const proof_question *q, size_t *count)
{
    ah_ctx *ctx = alg->ctx;
    *count = hides_velocities(ctx, q) ? q->constraints * q->velocities : 0;
    ah_expr *J = NEW_ARRAY(&ctx->scratch, ah_expr, *count + 1);
    for (size_t i = 0; i < *count; i++)
        J[i] = expr_diff(ctx, q->given_zero[i / q->velocities], q->velocity[i % q->velocities]);
    return lowered(alg, J, *count);
}

static void prove_body(ah_ctx *ctx, void *arg)
{
    prove_job *job = arg;
    algebra *alg = job->alg;
    const proof_question *q = job->q;
    arena *a = &ctx->scratch;
    const ah_expr *row_at = lowered(alg, q->row, q->rows);
    const ah_expr *given_at = lowered(alg, q->given_zero, q->given);
    const ah_expr claim = algebra_lower(alg, q->claim);
    size_t hidden;
    const ah_expr *slope_at = slopes(alg, q, &hidden);
    ah_expr *all = NEW_ARRAY(a, ah_expr, q->rows + q->given + q->facts + hidden + 1);
    size_t count = 0;
    for (size_t i = 0; i < q->rows; i++) all[count++] = row_at[i];
    for (size_t i = 0; i < q->given; i++) all[count++] = given_at[i];
    for (size_t i = 0; i < q->facts; i++) all[count++] = algebra_lower(alg, q->fact[i].e);
    all[count++] = claim;
    for (size_t i = 0; i < hidden; i++) all[count++] = slope_at[i];
    prover p = {.q = q, .out = job->out, .arena = &ctx->job, .r = ring_open(alg, all, count, true)};
    p.fact = NEW_ARRAY(a, frac, q->facts);
    for (size_t i = 0; i < q->facts; i++) p.fact[i] = ring_value(p.r, all[q->rows + q->given + i]);
    p.slope = hidden ? NEW_ARRAY(a, frac, hidden) : NULL;
    for (size_t i = 0; i < hidden; i++) p.slope[i] = ring_value(p.r, slope_at[i]);
    for (size_t i = 0; i < p.r->relations; i++) LIST_PUSH(a, &p.known, p.r->relation[i]);
    p.rows = p.known.count;
    learn(&p, row_at, q->rows);
    p.given = p.known.count;
    learn(&p, given_at, q->given);
    const frac value = frac_cancel(p.r, ring_value(p.r, claim));
    p.claim = value.num;
    p.denominator = value.den;
    tell_known(&p);
    p.branch = &p.out->domain;
    job->proved =
        proof_justify(&p, p.denominator, PROOF_UNDEFINED, &p.out->denominators) && prove_all(&p);
    *job->why = p.why ? p.why : "no identity was found";
    ring_close(p.r);
}

bool proof_find(algebra *alg, const proof_question *q, proof *out, const char **why)
{
    *out = (proof){0};
    *why = "it grows too large";
    prove_job job = {.alg = alg, .q = q, .out = out, .why = why};
    return algebra_attempt(alg, prove_body, &job) && job.proved;
}
