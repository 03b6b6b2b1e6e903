/* real/split.c - the common zeros of polynomials, taken apart into components.
 *
 * Over the field K of functions on `base` (a component of an earlier stage) the rows are solved one
 * after the other for one of the unknowns (Ritt, Wu):
 *
 *     row  ──pseudo-division by the links so far──►  Π factors,    each opens a piece of its own.
 *
 * A piece is a chain of irreducible links. Pseudo-division is an equivalence where the leading
 * coefficients (initials) of the links do not vanish:
 *
 * - an initial free of unknowns, other than zero in K, is a unit. At a regular state the rows are
 *   independent in the unknowns, so that their zeros lie evenly over those of `base`: what happens
 *   over a thin subset of the base happens on a thin subset of the regular states, and what is
 *   proved beside it holds there by continuity;
 * - the last row needs no division: where all links before it are of first degree with units as
 *   initials, it is one polynomial over an affine space, and an irreducible one has one component;
 * - in all other cases the zeros of the initial are searched for components too. Those of higher
 *   codimension than there are rows hold no regular state besides limits of others.
 *
 * A link of higher degree, y'² = u'² + z'², makes y' algebraic over the field of u' and z', which are
 * tied by it. A later factor is solved for an unknown that is not; where it has none, (y' − x')(y' + 5)
 * reduced to u'² + z'² + 5 y' − x' y' − 5 x', the rows are taken anew with that factor as the first.
 *
 * Every piece that is found is a chain whose field is a domain, or `complete` is not set. */
#include "split.h"
#include "split_points.h"

#include <string.h>

enum {
    PIECES = 64, /* looked at */
    BRANCHES = 4 /* initials that vanish, inside each other */
};

typedef struct found_piece {
    split_piece shown;
    chain_link *link; /* those of the base first */
    size_t links;
} found_piece;

typedef struct splitter {
    ring *r;
    split_pieces *out;
    size_t rows, limit; /* limit: of the codimension */
    poly *row;
    bool *unknown; /* generators that are unknowns … */
    bool *hidden;  /* … and those that depend on some: sin(x) */
    bool *free;    /* that hold parameters or functions without a value */
    expr_list *special;
    const poly *root; /* relations of roots that count as rows */
    size_t roots;
    size_t base;      /* links of the base */
    bool *main;       /* of a link */
    bool *fell_apart; /* by link: its row had several factors */
    unsigned branches;
    LIST(found_piece) pieces;
} splitter;

static void undecided(splitter *s, const char *why)
{
    if (s->out->complete) s->out->why = why;
    s->out->complete = false;
}

/* ---- Questions about one polynomial ---------------------------------------------------------- */

static bool has_any(splitter *s, poly p, const bool *flags)
{
    for (size_t i = 0; i < s->r->g->count; i++)
        if (flags[i] && fmpz_mpoly_degree_si(p, (slong) i, s->r->mctx) > 0) return true;
    return false;
}

/* Free of unknowns: as an element of K it is not zero, since it was reduced. */
static bool is_unit(splitter *s, poly p)
{
    return !has_any(s, p, s->unknown) && !has_any(s, p, s->hidden);
}

/* Not zero for general values. */
static void note_special(splitter *s, poly p)
{
    if (has_any(s, p, s->free))
        LIST_PUSH(&s->r->ctx->job, s->special, show_expanded(s->r, p, true));
}

/* exp(x), x² + 1, l under `assume l > 0` */
static bool never_zero(splitter *s, poly p)
{
    const int sign = algebra_sign(s->r->alg, show_expanded(s->r, p, true));
    return sign == 1 || sign == -1;
}

/* An unknown that also stands inside a generator which is not solved for cannot be. */
static bool stands_inside(splitter *s, size_t symbol)
{
    const ring *r = s->r;
    for (size_t i = 0; i < r->g->count; i++)
        if (i != symbol && s->hidden[i] && !s->main[i] &&
            expr_depends(r->ctx, r->g->gen[i].e, r->g->gen[symbol].e))
            return true;
    return false;
}

/* Does a link of higher degree speak of the unknown? */
static bool is_tied(splitter *s, size_t unknown)
{
    const ring *r = s->r;
    for (size_t i = s->base; i < r->links; i++) {
        const chain_link *l = &r->link[i];
        if (fmpz_mpoly_degree_si(l->p, (slong) l->main, r->mctx) > 1 &&
            fmpz_mpoly_degree_si(l->p, (slong) unknown, r->mctx) > 0)
            return true;
    }
    return false;
}

/* What no link speaks of first, then units as initials, then low degrees. */
static bool choose_main(splitter *s, poly h, size_t *main, bool *unit)
{
    long best = -1;
    for (size_t i = 0; i < s->r->g->count; i++) {
        const long degree = fmpz_mpoly_degree_si(h, (slong) i, s->r->mctx);
        if (!s->unknown[i] || s->main[i] || degree < 1 || stands_inside(s, i)) continue;
        const bool here = is_unit(s, chain_initial(s->r, &(chain_link){h, i}));
        const long cost = degree + (here ? 0 : 1000) + (is_tied(s, i) ? 1000000 : 0);
        if (best >= 0 && cost >= best) continue;
        best = cost, *main = i, *unit = here;
    }
    return best >= 0;
}

/* All links of the stage are of first degree with units before the unknown. */
static bool is_affine(splitter *s)
{
    for (size_t i = s->base; i < s->r->links; i++) {
        const chain_link *l = &s->r->link[i];
        if (fmpz_mpoly_degree_si(l->p, (slong) l->main, s->r->mctx) > 1) return false;
        if (!is_unit(s, chain_initial(s->r, l))) return false;
    }
    return true;
}

/* Does a row or a link speak of the generator? (x' − √2 y')(x' + √2 y') does not, multiplied out. */
static bool occurs(const splitter *s, size_t generator)
{
    const ring *r = s->r;
    for (size_t i = 0; i < s->rows; i++)
        if (fmpz_mpoly_degree_si(s->row[i], (slong) generator, r->mctx) > 0) return true;
    for (size_t i = 0; i < r->links; i++)
        if (fmpz_mpoly_degree_si(r->link[i].p, (slong) generator, r->mctx) > 0) return true;
    return false;
}

/* Are all numbers and functions that K is made of independent of each other? Then factors over the
 * rationals are all there are. */
static bool is_plain_field(splitter *s)
{
    const ring *r = s->r;
    for (size_t i = 0; i < r->links; i++)
        if (fmpz_mpoly_degree_si(r->link[i].p, (slong) r->link[i].main, r->mctx) > 1) return false;
    for (size_t i = 0; i < r->relations; i++)
        if (occurs(s, r->leader[i])) return false;
    return true;
}

static bool is_irreducible(splitter *s, poly h, size_t main)
{
    bool *variable = NEW_ARRAY(&s->r->ctx->scratch, bool, s->r->g->count);
    if (fmpz_mpoly_degree_si(h, (slong) main, s->r->mctx) == 1 &&
        is_unit(s, chain_initial(s->r, &(chain_link){h, main})))
        return true; /* a graph */
    if (is_plain_field(s) && poly_factors_fully(s->r, h)) return true;
    for (size_t i = 0; i < s->r->g->count; i++)
        variable[i] = s->unknown[i] && !s->main[i] && !is_tied(s, i);
    return split_irreducible(s->r, h, variable);
}

/* ---- Pieces ---------------------------------------------------------------------------------- */

static bool is_root_relation(splitter *s, poly p)
{
    for (size_t i = 0; i < s->roots; i++)
        if (fmpz_mpoly_equal(p, s->root[i], s->r->mctx)) return true;
    return false;
}

/* Do all relations of b vanish on a, and no initial of theirs, so that it lies inside? Of a chain that is irreducible the
 * remainder tells. */
static bool lies_in(splitter *s, const found_piece *a, const found_piece *b)
{
    ring *r = s->r;
    chain_link *link = r->link;
    const size_t links = r->links;
    bool inside = true;
    r->link = a->link;
    r->links = a->links;
    for (size_t i = s->base; i < b->links && inside; i++)
        inside = poly_is_zero(r, chain_reduce(r, b->link[i].p, NULL)) &&
                 !poly_is_zero(r, chain_reduce(r, chain_initial(r, &b->link[i]), NULL));
    r->link = link;
    r->links = links;
    return inside;
}

/* Pieces inside others are left out. */
static void add_piece(splitter *s, const found_piece *piece)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->pieces.count; i++)
        if (lies_in(s, piece, &s->pieces.at[i])) return;
    for (size_t i = 0; i < s->pieces.count; i++)
        if (!lies_in(s, &s->pieces.at[i], piece)) s->pieces.at[kept++] = s->pieces.at[i];
    s->pieces.count = kept;
    LIST_PUSH(&s->r->ctx->job, &s->pieces, *piece);
}

static void emit(splitter *s)
{
    ring *r = s->r;
    arena *a = &r->ctx->job;
    const size_t links = r->links - s->base;
    if (links > s->limit) return;
    if (s->pieces.count >= PIECES) {
        undecided(s, "the constraints fall into too many components");
        return;
    }
    ah_expr *relation = NEW_ARRAY(a, ah_expr, links);
    bool *split = NEW_ARRAY(a, bool, links);
    split_piece piece = {.relation = relation, .split = split};
    for (size_t i = s->base; i < r->links; i++) {
        if (is_root_relation(s, r->link[i].p)) continue; /* known wherever the root occurs */
        split[piece.count] = s->fell_apart[i];
        relation[piece.count++] = show_poly(r, r->link[i].p);
    }
    found_piece found = {piece, NEW_ARRAY(a, chain_link, r->links + 1), r->links};
    memcpy(found.link, r->link, r->links * sizeof *r->link);
    add_piece(s, &found);
}

static void descend(splitter *s, size_t k);

/* The rows anew, with one more as the first of them. */
static void where_it_vanishes(splitter *s, poly first)
{
    ring *r = s->r;
    if (s->branches >= BRANCHES) {
        undecided(s, "leading coefficients vanish in too many ways");
        return;
    }
    splitter t = *s;
    const size_t links = r->links;
    chain_link *kept = r->link;
    arena *a = &r->ctx->scratch;
    t.branches++;
    t.rows = s->rows + 1;
    t.row = NEW_ARRAY(a, poly, t.rows);
    t.row[0] = first;
    for (size_t i = 0; i < s->rows; i++) t.row[i + 1] = s->row[i];
    t.main = NEW_ARRAY(a, bool, r->g->count);
    t.fell_apart = NEW_ARRAY(a, bool, s->base + t.rows);
    r->link = NEW_ARRAY(a, chain_link, s->base + t.rows);
    r->links = s->base;
    for (size_t i = 0; i < s->base; i++) r->link[i] = kept[i], t.main[kept[i].main] = true;
    descend(&t, 0);
    s->pieces = t.pieces;
    r->link = kept;
    r->links = links;
}

/* One factor of row k; apart: one of several. */
static void follow(splitter *s, size_t k, poly h, bool apart)
{
    ring *r = s->r;
    size_t main = 0;
    bool unit = false;
    if (!choose_main(s, h, &main, &unit)) {
        undecided(s, "a constraint cannot be solved for one of its unknowns");
        return;
    }
    if (is_tied(s, main)) {
        where_it_vanishes(s, h);
        return;
    }
    if (!is_irreducible(s, h, main)) {
        undecided(s, "a constraint could neither be factored nor proved irreducible");
        return;
    }
    if (!unit && has_any(s, h, s->hidden)) {
        undecided(s, "a leading coefficient may vanish");
        return;
    }
    const bool last = k + 1 == s->rows;
    const size_t before = s->pieces.count;
    const poly initial = chain_initial(r, &(chain_link){h, main});
    const bool whole = !unit && last && is_affine(s);
    if (unit || whole) note_special(s, whole ? h : initial);
    if (!unit && !whole) where_it_vanishes(s, initial);
    s->fell_apart[r->links] = apart || s->pieces.count > before;
    s->main[main] = true;
    r->link[r->links++] = (chain_link){h, main};
    descend(s, k + 1);
    r->links--;
    s->main[main] = false;
}

static void descend(splitter *s, size_t k)
{
    ring *r = s->r;
    poly content;
    ctx_tick(r->ctx);
    if (k == s->rows) {
        emit(s);
        return;
    }
    const poly p = poly_primitive(r, chain_reduce(r, s->row[k], NULL), &content);
    if (poly_is_zero(r, p)) { /* it follows from the others */
        descend(s, k + 1);
        return;
    }
    if (!chain_is_reduced(r, p)) {
        undecided(s, "a constraint could not be reduced by the others");
        return;
    }
    const poly_factors f = poly_factor(r, p);
    poly *open = NEW_ARRAY(&r->ctx->scratch, poly, f.count);
    size_t count = 0, left_out = 0;
    for (size_t i = 0; i < f.count; i++) {
        if (never_zero(s, f.factor[i])) continue;
        if (is_unit(s, f.factor[i])) {
            note_special(s, f.factor[i]);
            continue;
        }
        /* the gradient of h² vanishes where h does, and no row follows that could replace it */
        const bool flat = f.exponent[i] > 1 && k + 1 == s->rows;
        left_out += flat;
        if (!flat) open[count++] = f.factor[i];
    }
    if (left_out) s->out->flat = true;
    for (size_t i = 0; i < count; i++)
        follow(s, k, open[i], count + left_out > 1 || (k == 0 && s->branches));
}

/* ---- The ring of the question ---------------------------------------------------------------- */

static void find_unknowns(splitter *s, const split_rows *q)
{
    const gens *g = s->r->g;
    for (size_t i = 0; i < g->count; i++)
        for (size_t k = 0; k < q->unknowns; k++) {
            if (g->gen[i].e == q->unknown[k]) s->unknown[i] = true;
            s->hidden[i] = s->hidden[i] || expr_depends(s->r->ctx, g->gen[i].e, q->unknown[k]);
        }
    for (size_t i = 0; i < g->count; i++)
        s->free[i] = expr_depends_kind(s->r->ctx, g->gen[i].e, AH_PARAMETER) ||
                     expr_get_op(s->r->ctx, g->gen[i].e) == EXPR_UNKNOWN;
    for (size_t i = 0; i < g->count; i++) s->hidden[i] = s->hidden[i] && !s->unknown[i];
}

static bool is_root(const ring *r, size_t at)
{
    return r->g->gen[at].kind == GEN_ROOT || r->g->gen[at].kind == GEN_ABS;
}

/* Roots of unknowns become unknowns themselves, and their relations rows. */
static void free_roots(splitter *s)
{
    ring *r = s->r;
    poly *root = NEW_ARRAY(&r->ctx->scratch, poly, r->relations);
    size_t kept = 0;
    for (size_t i = 0; i < r->relations; i++) {
        const size_t at = r->leader[i];
        if (is_root(r, at) && s->hidden[at]) {
            s->hidden[at] = false;
            s->unknown[at] = true;
            root[s->roots++] = r->relation[i];
            continue;
        }
        r->leader[kept] = at;
        r->relation[kept++] = r->relation[i];
    }
    r->relations = kept;
    s->root = root;
}

/* The roots that K is made of: does each one make it larger? |x| does not: it is x or −x. */
static bool field_is_domain(splitter *s)
{
    ring *r = s->r;
    bool *variable = NEW_ARRAY(&r->ctx->scratch, bool, r->g->count);
    for (size_t i = 0; i < r->relations; i++) {
        const size_t at = r->leader[i];
        if (!is_root(r, at) || s->main[at]) continue;
        variable[at] = true;
        if (!split_irreducible(r, r->relation[i], variable)) return false;
        variable[at] = false;
    }
    return true;
}

/* The degree in the unknowns that is left when the row is taken apart. */
static long degree_of_factors(splitter *s, poly row)
{
    long most = split_degree(s->r, row, s->unknown);
    if (most < 2) return most;
    const poly_factors f = poly_factor(s->r, row);
    most = 0;
    for (size_t i = 0; i < f.count; i++) {
        const long degree = split_degree(s->r, f.factor[i], s->unknown);
        if (degree > most) most = degree;
    }
    return most;
}

/* The base's links, then the rows by the degree of their factors, those that are no products first: a product that
 * follows from a linear row is then nothing, and no piece of its own. */
static bool make_rows(splitter *s, const split_rows *q, const ah_expr *lowered)
{
    ring *r = s->r;
    arena *a = &r->ctx->scratch;
    poly *base = NEW_ARRAY(a, poly, q->base), content;
    for (size_t i = 0; i < q->base; i++)
        base[i] = poly_primitive(r, ring_value(r, lowered[i]).num, &content);
    if (!chain_make(r, base, q->base) || r->links != q->base) return false;
    s->base = r->links;
    chain_link *link = NEW_ARRAY(a, chain_link, q->base + q->rows + s->roots);
    for (size_t i = 0; i < r->links; i++) {
        link[i] = r->link[i];
        s->main[link[i].main] = true;
    }
    r->link = link;
    s->row = NEW_ARRAY(a, poly, q->rows + s->roots);
    for (size_t i = 0; i < q->rows; i++)
        s->row[s->rows++] = poly_primitive(r, ring_value(r, lowered[q->base + i]).num, &content);
    for (size_t i = 0; i < s->roots; i++) s->row[s->rows++] = s->root[i];
    long *degree = NEW_ARRAY(a, long, s->rows);
    for (size_t i = 0; i < s->rows; i++)
        degree[i] =
            PIECES * degree_of_factors(s, s->row[i]) + split_degree(r, s->row[i], s->unknown);
    for (size_t i = 1; i < s->rows; i++)
        for (size_t j = i; j > 0 && degree[j] < degree[j - 1]; j--) {
            const poly p = s->row[j];
            const long d = degree[j];
            s->row[j] = s->row[j - 1], degree[j] = degree[j - 1];
            s->row[j - 1] = p, degree[j - 1] = d;
        }
    return true;
}

typedef struct split_job {
    algebra *alg;
    const split_rows *q;
    split_pieces *out;
} split_job;

static void split_body(ah_ctx *ctx, void *arg)
{
    split_job *job = arg;
    const split_rows *q = job->q;
    arena *a = &ctx->scratch;
    const size_t count = q->base + q->rows;
    ah_expr *lowered = NEW_ARRAY(a, ah_expr, count);
    for (size_t i = 0; i < count; i++)
        lowered[i] =
            algebra_lower(job->alg, i < q->base ? q->base_relation[i] : q->row[i - q->base]);
    expr_list special = {0};
    splitter s = {.r = ring_open(job->alg, lowered, count, false), .out = job->out};
    const size_t generators = s.r->g->count;
    s.unknown = NEW_ARRAY(a, bool, generators);
    s.hidden = NEW_ARRAY(a, bool, generators);
    s.main = NEW_ARRAY(a, bool, generators);
    s.free = NEW_ARRAY(a, bool, generators);
    s.special = &special;
    find_unknowns(&s, q);
    free_roots(&s);
    s.fell_apart = NEW_ARRAY(a, bool, count + s.roots);
    s.limit = q->rows + s.roots;
    if (!make_rows(&s, q, lowered))
        undecided(&s, "the holonomic constraints bind what stands inside other functions");
    else if (s.r->g->related || !field_is_domain(&s))
        undecided(&s, "functions in the constraints may depend on each other");
    else
        descend(&s, 0);
    split_piece *at = NEW_ARRAY(&ctx->job, split_piece, s.pieces.count + 1);
    for (size_t i = 0; i < s.pieces.count; i++) at[i] = s.pieces.at[i].shown;
    job->out->count = s.pieces.count;
    job->out->at = at;
    job->out->specials = special.count;
    job->out->special = special.at;
    ring_close(s.r);
}

void split_components(algebra *alg, const split_rows *q, split_pieces *out)
{
    *out = (split_pieces){.complete = true};
    if (algebra_attempt(alg, split_body, &(split_job){alg, q, out})) return;
    *out = (split_pieces){.why = "splitting the constraints takes too long"};
}
