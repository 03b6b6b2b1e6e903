/* real/cases.c - see cases.h.
 *
 * Unknowns are coordinates, velocities and time; a sine and a cosine are unknowns on the unit
 * circle, every other function is one of its own. A branch of the search is a list of equations.
 * Each is factored; factors that cannot vanish go. An equation with one factor left is taken apart
 * if it is a sum of squares, and solved if an unknown stands in it with a factor that cannot
 * vanish. When nothing more can be done for sure, an equation with several factors divides the
 * branch. */
#include "cases.h"

#include "atoms.h"

#define CASES_SECONDS 2.0 /* for one list */
enum {
    BRANCHES = 300, /* that are looked at */
    CASES = 60      /* that are listed */
};

typedef struct branch {
    expr_list open;          /* equations */
    expr_list solved;        /* equations that were solved … */
    expr_list symbol, value; /* … for these, which occur nowhere else */
    bool *round;             /* circles whose relation is among the equations */
} branch;

typedef struct splitter {
    ah_model *m;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    atoms atoms;
    expr_list facts; /* of the model, in the unknowns */
    LIST(branch) done;
    size_t visited;
    double end; /* base_work() at which it gives up */
    bool generic;
} splitter;

static void copy_list(arena *a, expr_list *to, const expr_list *from)
{
    *to = (expr_list){0};
    for (size_t i = 0; i < from->count; i++) LIST_PUSH(a, to, from->at[i]);
}

static void push_new(arena *a, expr_list *list, ah_expr e)
{
    if (!expr_is_among(list, e)) LIST_PUSH(a, list, e);
}

/* ---- Unknowns -------------------------------------------------------------------------------- */

static bool is_variable(const splitter *s, ah_expr symbol)
{
    switch (expr_get_kind(s->ctx, symbol)) {
    case AH_TIME:
    case AH_COORDINATE:
    case AH_VELOCITY:
    case AH_SPEED:
    case AH_LOCAL: return true;
    default: return false;
    }
}

static expr_list variables_of(splitter *s, ah_expr e)
{
    expr_list out = {0};
    const expr_list all = expr_symbols(s->ctx, s->arena, &e, 1);
    for (size_t i = 0; i < all.count; i++)
        if (is_variable(s, all.at[i])) LIST_PUSH(s->arena, &out, all.at[i]);
    return out;
}

/* ---- What cannot vanish ---------------------------------------------------------------------- */

static bool has_sign(const splitter *s, ah_expr e)
{
    const int sign = algebra_sign(s->alg, e);
    return sign == 1 || sign == -1;
}

static bool cannot_vanish(splitter *s, ah_expr e)
{
    ah_expr full = atoms_restored(&s->atoms, e), valued = full;
    model_put_values(s->m, &valued, 1);
    if (expr_get_op(s->ctx, valued) == EXPR_NUMBER) return !expr_is_zero(s->ctx, valued);
    if (has_sign(s, full) || has_sign(s, valued)) return true;
    for (size_t i = 0; i < s->m->facts.count; i++)
        if (!s->m->facts.at[i].border &&
            algebra_equal(s->alg, s->m->facts.at[i].e, full) == AH_TRUE)
            return true;
    if (variables_of(s, e).count) return false;
    if (algebra_zero(s->alg, valued) == AH_TRUE) return false;
    s->generic = true;
    return true;
}

/* The factors of e that can vanish; none and *zero: it vanishes identically. */
static expr_list live_factors(splitter *s, ah_expr e, bool *zero)
{
    expr_list out = {0};
    algebra_factors f;
    ah_expr valued = e;
    model_put_values(s->m, &valued, 1);
    *zero = algebra_zero(s->alg, valued) == AH_TRUE;
    if (*zero) return out;
    if (!algebra_factor(s->alg, e, &f)) {
        LIST_PUSH(s->arena, &out, e);
        return out;
    }
    for (size_t i = 0; i < f.count; i++)
        if (!cannot_vanish(s, f.factor[i])) push_new(s->arena, &out, f.factor[i]);
    return out;
}

/* ---- One equation ---------------------------------------------------------------------------- */

static int sign_of_value(splitter *s, ah_expr e)
{
    ah_expr valued = e;
    const int sign = algebra_sign(s->alg, e);
    if (sign == 1 || sign == -1) return sign;
    model_put_values(s->m, &valued, 1);
    return algebra_sign(s->alg, valued);
}

/* Terms of one sign with even powers vanish together: pushes the product of each one's unknowns. */
static bool take_squares_apart(splitter *s, ah_expr e, expr_list *out)
{
    const expr_list x = variables_of(s, e);
    algebra_poly p;
    if (!algebra_collect(s->alg, e, x.count, x.at, &p) || p.terms < 2) return false;
    const int sign = sign_of_value(s, p.coefficient[0]);
    for (size_t k = 0; k < p.terms; k++) {
        const int here = sign_of_value(s, p.coefficient[k]);
        if (here != sign || (sign != 1 && sign != -1)) return false;
        for (size_t j = 0; j < x.count; j++)
            if (p.exponent[k * x.count + j] % 2) return false;
    }
    for (size_t k = 0; k < p.terms; k++) {
        ah_expr term = expr_int(s->ctx, 1);
        for (size_t j = 0; j < x.count; j++)
            if (p.exponent[k * x.count + j]) term = expr_mul(s->ctx, term, x.at[j]);
        LIST_PUSH(s->arena, out, term);
    }
    return true;
}

/* An unknown inside a function cannot be replaced. */
static bool is_hidden(const splitter *s, ah_expr symbol)
{
    for (size_t i = 0; i < s->atoms.node.count; i++)
        if (expr_depends(s->ctx, s->atoms.node.at[i], symbol)) return true;
    return false;
}

static bool solve_for(splitter *s, ah_expr e, ah_expr symbol, ah_expr *value)
{
    algebra_poly p;
    ah_expr factor = AH_NONE, rest = expr_int(s->ctx, 0);
    if (is_hidden(s, symbol) || !algebra_collect(s->alg, e, 1, &symbol, &p)) return false;
    for (size_t k = 0; k < p.terms; k++) {
        if (p.exponent[k] > 1) return false;
        if (p.exponent[k])
            factor = p.coefficient[k];
        else
            rest = p.coefficient[k];
    }
    if (factor == AH_NONE || !cannot_vanish(s, factor)) return false;
    *value = algebra_simplify(s->alg, expr_neg(s->ctx, expr_div(s->ctx, rest, factor)));
    return true;
}

/* ---- One branch ------------------------------------------------------------------------------ */

static void substitute(splitter *s, branch *b, ah_expr symbol, ah_expr value)
{
    expr_subst_all(s->ctx, b->open.at, b->open.count, 1, &symbol, &value);
    expr_subst_all(s->ctx, b->solved.at, b->solved.count, 1, &symbol, &value);
    expr_subst_all(s->ctx, b->value.at, b->value.count, 1, &symbol, &value);
}

static void remove_at(expr_list *list, size_t i)
{
    for (; i + 1 < list->count; i++) list->at[i] = list->at[i + 1];
    list->count--;
}

/* Takes what can vanish of each equation; false: one cannot be satisfied. */
static bool clean(splitter *s, branch *b)
{
    for (size_t i = 0; i < b->open.count;) {
        bool zero;
        ctx_tick(s->ctx);
        const expr_list f = live_factors(s, b->open.at[i], &zero);
        if (!zero && f.count == 0) return false;
        expr_list parts = {0};
        const ah_expr e = zero ? AH_NONE : expr_product(s->ctx, f.count, f.at);
        const bool squares = !zero && f.count == 1 && take_squares_apart(s, e, &parts);
        bool again = zero || squares;
        for (size_t k = 0; k < i && !again; k++) again = b->open.at[k] == e;
        if (again)
            remove_at(&b->open, i);
        else
            b->open.at[i++] = e;
        for (size_t k = 0; k < parts.count; k++) LIST_PUSH(s->arena, &b->open, parts.at[k]);
    }
    return true;
}

static bool occurs(splitter *s, const branch *b, ah_expr symbol)
{
    for (size_t i = 0; i < b->open.count; i++)
        if (expr_depends(s->ctx, b->open.at[i], symbol)) return true;
    return false;
}

/* s² + c² = 1 joins the equations once one of the two is known and the other is asked for. */
static void keep_circles(splitter *s, branch *b, bool *changed)
{
    for (size_t i = 0; i < s->atoms.circles.count; i++) {
        const atoms_circle *o = &s->atoms.circles.at[i];
        if (o->s == AH_NONE || o->c == AH_NONE || b->round[i]) continue;
        const bool known[2] = {expr_is_among(&b->symbol, o->s), expr_is_among(&b->symbol, o->c)};
        if (!known[0] && !known[1]) continue;
        if (!(known[0] && known[1]) && !occurs(s, b, known[0] ? o->c : o->s)) continue;
        const ah_expr relation = expr_sub(
            s->ctx, expr_add(s->ctx, expr_powi(s->ctx, o->s, 2), expr_powi(s->ctx, o->c, 2)),
            expr_int(s->ctx, 1));
        LIST_PUSH(s->arena, &b->open,
                  expr_subst(s->ctx, relation, b->symbol.count, b->symbol.at, b->value.at));
        b->round[i] = *changed = true;
    }
}

/* Solves one equation for one unknown. */
static bool solve_one(splitter *s, branch *b)
{
    for (int pass = 0; pass < 2; pass++)
        for (size_t i = 0; i < b->open.count; i++) {
            const ah_expr e = b->open.at[i];
            const bool bare = expr_get_op(s->ctx, e) == EXPR_SYMBOL;
            if (bare != (pass == 0) || expr_get_op(s->ctx, e) == EXPR_PRODUCT) continue;
            const expr_list x = variables_of(s, e);
            for (size_t k = 0; k < x.count && base_work() <= s->end; k++) {
                ah_expr value;
                if (!solve_for(s, e, x.at[k], &value)) continue;
                remove_at(&b->open, i);
                substitute(s, b, x.at[k], value);
                LIST_PUSH(s->arena, &b->solved, e);
                LIST_PUSH(s->arena, &b->symbol, x.at[k]);
                LIST_PUSH(s->arena, &b->value, value);
                return true;
            }
        }
    return false;
}

/* Does an assumption fail on the branch, e > 0 where e ≤ 0 or e != 0 where e = 0? */
static bool violates_facts(splitter *s, const branch *b)
{
    for (size_t i = 0; i < s->facts.count; i++) {
        ah_expr e = expr_subst(s->ctx, s->facts.at[i], b->symbol.count, b->symbol.at, b->value.at);
        if (e == s->facts.at[i]) continue; /* the algebra knows it */
        e = atoms_restored(&s->atoms, e);
        model_put_values(s->m, &e, 1);
        const int sign = algebra_sign(s->alg, e);
        const algebra_fact *f = &s->m->facts.at[i];
        if ((sign == 0 && !f->border) || (sign == -1 && f->positive)) return true;
    }
    return false;
}

/* All that follows for sure; false: the branch is empty. */
static bool settle(splitter *s, branch *b)
{
    for (bool changed = true; changed && base_work() <= s->end;) {
        if (!clean(s, b)) return false;
        changed = solve_one(s, b);
        keep_circles(s, b, &changed);
    }
    return !violates_facts(s, b);
}

/* ---- All branches ---------------------------------------------------------------------------- */

/* Does e vanish on the branch? */
static bool vanishes_on(splitter *s, const branch *b, ah_expr e)
{
    bool zero;
    e = expr_subst(s->ctx, e, b->symbol.count, b->symbol.at, b->value.at);
    const expr_list f = live_factors(s, e, &zero);
    for (size_t i = 0; i < f.count; i++)
        if (expr_is_among(&b->open, f.at[i])) return true;
    return zero;
}

static bool is_inside(splitter *s, const branch *inner, const branch *outer)
{
    for (size_t i = 0; i < outer->open.count; i++)
        if (!vanishes_on(s, inner, outer->open.at[i])) return false;
    for (size_t i = 0; i < outer->solved.count; i++)
        if (!vanishes_on(s, inner, outer->solved.at[i])) return false;
    return true;
}

static void finish(splitter *s, const branch *b)
{
    size_t kept = 0;
    for (size_t i = 0; i < s->done.count; i++)
        if (is_inside(s, b, &s->done.at[i])) return;
    for (size_t i = 0; i < s->done.count; i++)
        if (!is_inside(s, &s->done.at[i], b)) s->done.at[kept++] = s->done.at[i];
    s->done.count = kept;
    LIST_PUSH(s->arena, &s->done, *b);
}

static branch copied(splitter *s, const branch *b)
{
    branch out;
    copy_list(s->arena, &out.open, &b->open);
    copy_list(s->arena, &out.solved, &b->solved);
    copy_list(s->arena, &out.symbol, &b->symbol);
    copy_list(s->arena, &out.value, &b->value);
    out.round = NEW_ARRAY(s->arena, bool, s->atoms.circles.count);
    for (size_t i = 0; b->round && i < s->atoms.circles.count; i++) out.round[i] = b->round[i];
    return out;
}

/* The equation with fewest factors, at least two. */
static size_t equation_to_split(splitter *s, const branch *b)
{
    size_t best = SIZE_MAX, fewest = SIZE_MAX;
    for (size_t i = 0; i < b->open.count; i++) {
        const ah_expr e = b->open.at[i];
        const size_t count = expr_get_op(s->ctx, e) == EXPR_PRODUCT ? expr_get_count(s->ctx, e) : 1;
        if (count > 1 && count < fewest) best = i, fewest = count;
    }
    return best;
}

static bool split(splitter *s, branch *start)
{
    LIST(branch) waiting = {0};
    LIST_PUSH(s->arena, &waiting, *start);
    while (waiting.count) {
        branch b = waiting.at[--waiting.count];
        if (++s->visited > BRANCHES || s->done.count > CASES || base_work() > s->end) return false;
        const bool lives = settle(s, &b);
        if (base_work() > s->end) return false; /* it may not be settled */
        if (!lives) continue;
        const size_t i = equation_to_split(s, &b);
        if (i == SIZE_MAX) {
            finish(s, &b);
            continue;
        }
        const ah_expr e = b.open.at[i];
        for (size_t k = expr_get_count(s->ctx, e); k-- > 0;) {
            branch next = copied(s, &b);
            next.open.at[i] = expr_get_children(s->ctx, e)[k];
            LIST_PUSH(s->arena, &waiting, next);
        }
    }
    return true;
}

/* ---- The list -------------------------------------------------------------------------------- */

/* Cases that differ in one equation are one, with the product:
 * {a, x = 0}, {a, y = 0} → {a, xy = 0}. */
static bool merge(splitter *s, expr_list *a, const expr_list *b)
{
    size_t odd = SIZE_MAX, other = SIZE_MAX;
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++) {
        if (expr_is_among(b, a->at[i])) continue;
        if (odd != SIZE_MAX) return false;
        odd = i;
    }
    for (size_t i = 0; i < b->count; i++)
        if (!expr_is_among(a, b->at[i])) other = i;
    if (odd == SIZE_MAX || other == SIZE_MAX) return false;
    a->at[odd] = expr_mul(s->ctx, a->at[odd], b->at[other]);
    return true;
}

static void merge_all(splitter *s, expr_list *list, size_t *count)
{
    for (bool again = true; again;) {
        again = false;
        for (size_t i = 0; i < *count && !again; i++)
            for (size_t k = i + 1; k < *count && !again; k++) {
                if (!merge(s, &list[i], &list[k])) continue;
                for (; k + 1 < *count; k++) list[k] = list[k + 1];
                (*count)--;
                again = true;
            }
    }
}

/* On the unit circle anyway? s (c² − 1) = 0 and the like follow from s = 0. */
static bool is_round(splitter *s, const expr_list *list, ah_expr e)
{
    for (size_t i = 0; i < s->atoms.circles.count; i++) {
        const atoms_circle *o = &s->atoms.circles.at[i];
        if (o->s == AH_NONE || o->c == AH_NONE) continue;
        for (int k = 0; k < 2; k++) {
            const ah_expr x = k ? o->s : o->c, zero = k ? o->c : o->s;
            const ah_expr relation = expr_sub(s->ctx, expr_powi(s->ctx, x, 2), expr_int(s->ctx, 1));
            if (expr_is_among(list, zero) && algebra_equal(s->alg, relation, e) == AH_TRUE)
                return true;
        }
    }
    return false;
}

/* Unknowns that are zero first, in their order. */
static void sort_equations(const splitter *s, expr_list *list)
{
    for (size_t i = 1; i < list->count; i++)
        for (size_t k = i; k > 0; k--) {
            const ah_expr a = list->at[k - 1], b = list->at[k];
            const bool bare[2] = {expr_get_op(s->ctx, a) == EXPR_SYMBOL,
                                  expr_get_op(s->ctx, b) == EXPR_SYMBOL};
            if (!bare[1] || (bare[0] && a < b)) break;
            list->at[k - 1] = b;
            list->at[k] = a;
        }
}

static void gather(splitter *s, cases *out)
{
    out->at = NEW_ARRAY(s->arena, expr_list, s->done.count);
    out->count = s->done.count;
    for (size_t i = 0; i < out->count; i++) {
        const branch *b = &s->done.at[i];
        bool zero;
        for (size_t k = 0; k < b->solved.count; k++) {
            const expr_list f = live_factors(s, b->solved.at[k], &zero);
            push_new(s->arena, &out->at[i], f.count == 1 ? f.at[0] : b->solved.at[k]);
        }
        for (size_t k = 0; k < b->open.count; k++) push_new(s->arena, &out->at[i], b->open.at[k]);
    }
    merge_all(s, out->at, &out->count);
    for (size_t i = 0; i < out->count; i++) {
        expr_list *list = &out->at[i];
        for (size_t k = 0; k < list->count;)
            if (is_round(s, list, list->at[k]))
                remove_at(list, k);
            else
                k++;
        sort_equations(s, list);
        for (size_t k = 0; k < list->count; k++)
            list->at[k] = atoms_restored(&s->atoms, list->at[k]);
    }
}

bool cases_split(ah_model *m, arena *a, algebra *alg, const ah_expr *equations, size_t count,
                 cases *out)
{
    splitter s = {
        .m = m, .ctx = m->ctx, .arena = a, .alg = alg, .end = base_work() + CASES_SECONDS};
    s.atoms = (atoms){.ctx = m->ctx, .arena = a};
    branch b = {0};
    for (size_t i = 0; i < count; i++) {
        ah_expr numerator, denominator;
        if (!algebra_fraction(alg, equations[i], &numerator, &denominator)) return false;
        LIST_PUSH(a, &b.open, atoms_polynomial(&s.atoms, numerator));
    }
    for (size_t i = 0; i < m->facts.count; i++)
        LIST_PUSH(a, &s.facts, atoms_polynomial(&s.atoms, m->facts.at[i].e));
    b.round = NEW_ARRAY(a, bool, s.atoms.circles.count);
    *out = (cases){0};
    if (!split(&s, &b)) return false;
    gather(&s, out);
    out->generic = s.generic;
    return true;
}
