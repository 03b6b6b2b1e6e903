/* real/empty.c - see empty.h. */
#include "empty.h"

#include "atoms.h"
#include "positive.h"
#include "real_roots.h"

#include <math.h>
#include <string.h>

#define SECONDS 0.3 /* that one question to the algebra may take */
/* An assumption that fails by less than this share of its size may hold. */
#define CLEARLY 1e-6

enum { SIGNS = 3, UNKNOWNS = 5 }; /* unknowns whose signs are gone through; of systems */

typedef struct emptiness {
    ah_model *m;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    atoms atoms;
    expr_list equation;       /* polynomials in the unknowns */
    LIST(algebra_fact) facts; /* in the unknowns */
    expr_list unknown;
} emptiness;

/* ---- Signs ----------------------------------------------------------------------------------- */

static ah_expr half_derivative(emptiness *w, ah_expr e, ah_expr x, ah_expr y)
{
    return expr_mul(w->ctx, expr_rational(w->ctx, 1, 2),
                    expr_diff(w->ctx, expr_diff(w->ctx, e, x), y));
}

/* ½ (x, 1) S (x, 1)ᵀ of the second degree is positive where S is positive definite: its leading
 * minors are. Also in squares of the unknowns, which is less than all x allow. */
static bool is_definite(emptiness *w, ah_expr e, const expr_list *x)
{
    ah_ctx *ctx = w->ctx;
    const uint32_t n = (uint32_t) x->count + 1;
    ah_expr *S = NEW_ARRAY(w->arena, ah_expr, (size_t) n * n), zero = expr_int(ctx, 0), det;
    if (algebra_degree(w->alg, e, x->count, x->at) != 2) return false;
    ah_expr *origin = NEW_ARRAY(w->arena, ah_expr, n);
    for (uint32_t i = 0; i < n; i++) origin[i] = zero;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < n; j++) {
            const bool last_i = i + 1 == n, last_j = j + 1 == n;
            S[i * n + j] = last_i && last_j   ? e
                           : last_i || last_j ? expr_mul(ctx, expr_rational(ctx, 1, 2),
                                                         expr_diff(ctx, e, x->at[last_i ? j : i]))
                                              : half_derivative(w, e, x->at[i], x->at[j]);
        }
    expr_subst_all(ctx, S, (size_t) n * n, x->count, x->at, origin);
    for (uint32_t k = 1; k <= n; k++) {
        ah_expr *minor = NEW_ARRAY(w->arena, ah_expr, (size_t) k * k);
        for (uint32_t i = 0; i < k; i++)
            for (uint32_t j = 0; j < k; j++) minor[i * k + j] = S[i * n + j];
        if (!algebra_det(w->alg, mat_from_dense(ctx, w->arena, k, k, minor), &det) ||
            algebra_sign(w->alg, det) != 1)
            return false;
    }
    return true;
}

/* The same polynomial in X = x²; false: an odd power occurs. */
static bool in_squares(emptiness *w, ah_expr e, const expr_list *x, expr_list *squares,
                       ah_expr *out)
{
    ah_ctx *ctx = w->ctx;
    algebra_poly p;
    if (!algebra_collect(w->alg, e, x->count, x->at, &p)) return false;
    for (size_t k = 0; k < x->count; k++)
        LIST_PUSH(w->arena, squares,
                  expr_symbol(ctx, AH_LOCAL, arena_printf(w->arena, "square %zu", k)));
    *out = expr_int(ctx, 0);
    for (size_t t = 0; t < p.terms; t++) {
        ah_expr term = p.coefficient[t];
        for (size_t k = 0; k < x->count; k++) {
            const uint32_t power = p.exponent[t * x->count + k];
            if (power % 2) return false;
            term = expr_mul(ctx, term, expr_powi(ctx, squares->at[k], (long) power / 2));
        }
        *out = expr_add(ctx, *out, term);
    }
    return true;
}

/* Positive for both signs of the k-th unknown and those after it, and at zero. */
static bool is_positive(emptiness *w, ah_expr e, const expr_list *x, size_t k)
{
    ah_ctx *ctx = w->ctx;
    while (k < x->count && !expr_depends(ctx, e, x->at[k])) k++;
    if (k == x->count) return positive_prove(ctx, w->arena, w->facts.at, w->facts.count, e);
    const ah_expr symbol = x->at[k], zero = expr_int(ctx, 0);
    bool good = is_positive(w, expr_subst(ctx, e, 1, &symbol, &zero), x, k + 1);
    for (int sign = -1; good && sign <= 1; sign += 2) {
        const algebra_fact fact = {expr_mul(ctx, expr_int(ctx, sign), symbol), true};
        LIST_PUSH(w->arena, &w->facts, fact);
        good = is_positive(w, e, x, k + 1);
        w->facts.count--;
    }
    return good;
}

static bool is_bounded(const emptiness *w, ah_expr x)
{
    for (size_t i = 0; i < w->facts.count; i++)
        if (expr_depends(w->ctx, w->facts.at[i].e, x)) return true;
    return false;
}

static bool has_one_sign(emptiness *w, ah_expr e)
{
    expr_list x = {0}, squares = {0}, open = {0};
    for (size_t i = 0; i < w->unknown.count; i++) {
        const ah_expr u = w->unknown.at[i];
        if (!expr_depends(w->ctx, e, u)) continue;
        LIST_PUSH(w->arena, &x, u);
        if (!is_bounded(w, u)) LIST_PUSH(w->arena, &open, u);
    }
    for (int sign = -1; sign <= 1; sign += 2) {
        ah_expr side = sign < 0 ? expr_neg(w->ctx, e) : e, even;
        squares.count = 0;
        if (is_definite(w, side, &x)) return true;
        if (in_squares(w, side, &x, &squares, &even) && is_definite(w, even, &squares)) return true;
        if (open.count <= SIGNS && is_positive(w, side, &open, 0)) return true;
    }
    return false;
}

/* ---- Systems --------------------------------------------------------------------------------- */

typedef struct system {
    slong variables, equations;
    fmpz_mpoly_ctx_t mctx;
    fmpz_mpoly_struct *equation;
    real_roots roots;
} system_of;

static void system_clear(void *data)
{
    system_of *w = data;
    real_roots_clear(&w->roots);
    for (slong i = 0; i < w->equations; i++) fmpz_mpoly_clear(&w->equation[i], w->mctx);
    flint_free(w->equation);
    fmpz_mpoly_ctx_clear(w->mctx);
}

/* Coefficients are rational numbers; multiplied by their common denominator. */
static bool put_polynomial(emptiness *w, system_of *s, slong at, const algebra_poly *p)
{
    const size_t n = (size_t) s->variables;
    ulong *exponent = NEW_ARRAY(w->arena, ulong, n + 1);
    fmpz_t common, number;
    for (size_t t = 0; t < p->terms; t++)
        if (expr_get_op(w->ctx, p->coefficient[t]) != EXPR_NUMBER) return false;
    fmpz_init_set_ui(common, 1);
    fmpz_init(number);
    for (size_t t = 0; t < p->terms; t++)
        fmpz_lcm(common, common, fmpq_denref(expr_get_fmpq(w->ctx, p->coefficient[t])));
    for (size_t t = 0; t < p->terms; t++) {
        const fmpq *c = expr_get_fmpq(w->ctx, p->coefficient[t]);
        fmpz_divexact(number, common, fmpq_denref(c));
        fmpz_mul(number, number, fmpq_numref(c));
        for (size_t k = 0; k < n; k++) exponent[k] = p->exponent[t * n + k];
        fmpz_mpoly_push_term_fmpz_ui(&s->equation[at], number, exponent, s->mctx);
    }
    fmpz_mpoly_sort_terms(&s->equation[at], s->mctx);
    fmpz_mpoly_combine_like_terms(&s->equation[at], s->mctx);
    fmpz_clear(number);
    fmpz_clear(common);
    return true;
}

static bool make_system(emptiness *w, system_of *s)
{
    const expr_list *x = &w->unknown;
    for (slong i = 0; i < s->equations; i++) {
        algebra_poly p;
        if (!algebra_collect(w->alg, w->equation.at[i], x->count, x->at, &p) ||
            !put_polynomial(w, s, i, &p))
            return false;
    }
    return true;
}

/* Does an assumption clearly fail at the solution? */
static bool is_excluded(emptiness *w, const double *root)
{
    frame *values = frame_create(w->ctx, w->arena, 0);
    for (size_t k = 0; k < w->unknown.count; k++) frame_set(values, w->unknown.at[k], root[k]);
    for (size_t i = 0; i < w->facts.count; i++) {
        double x, size;
        const ah_expr e = w->facts.at[i].e;
        const expr_list symbols = expr_symbols(w->ctx, w->arena, &e, 1);
        bool known = w->facts.at[i].positive;
        for (size_t k = 0; k < symbols.count; k++) {
            bool own = false;
            for (size_t j = 0; j < w->unknown.count; j++)
                own = own || w->unknown.at[j] == symbols.at[k];
            known = known && own;
        }
        if (!known) continue;
        expr_plan_run_scaled(expr_plan_create(w->ctx, w->arena, &e, 1), values, &x, &size);
        if (x < -CLEARLY * (size + CLEARLY)) return true;
    }
    return false;
}

static bool has_no_real_solution(emptiness *w)
{
    system_of s = {.variables = (slong) w->unknown.count, .equations = (slong) w->equation.count};
    ctx_held held;
    bool empty = false;
    if (s.variables > UNKNOWNS || s.equations < s.variables) return false;
    fmpz_mpoly_ctx_init(s.mctx, s.variables, ORD_DEGREVLEX);
    s.equation = flint_malloc((size_t) s.equations * sizeof *s.equation);
    for (slong i = 0; i < s.equations; i++) fmpz_mpoly_init(&s.equation[i], s.mctx);
    ctx_hold(w->ctx, &held, system_clear, &s);
    if (make_system(w, &s) &&
        real_roots_find(w->ctx, s.equation, s.equations, s.mctx, &s.roots) == ROOTS_FOUND) {
        empty = true;
        for (slong i = 0; i < s.roots.count; i++)
            empty = empty && is_excluded(w, s.roots.x + i * s.variables);
    }
    ctx_drop(w->ctx, &held);
    return empty;
}

/* ---- The question ---------------------------------------------------------------------------- */

static bool take_equations(emptiness *w, const expr_list *equations)
{
    for (size_t i = 0; i < equations->count; i++) {
        ah_expr e = equations->at[i], top, bottom;
        model_put_values(w->m, &e, 1);
        if (!algebra_fraction(w->alg, e, &top, &bottom)) return false;
        LIST_PUSH(w->arena, &w->equation, atoms_polynomial(&w->atoms, top));
    }
    for (size_t i = 0; i < w->m->facts.count; i++) {
        ah_expr e = w->m->facts.at[i].e;
        model_put_values(w->m, &e, 1);
        algebra_fact f = w->m->facts.at[i];
        f.e = atoms_polynomial(&w->atoms, e);
        LIST_PUSH(w->arena, &w->facts, f);
    }
    return true;
}

static void add_fact(emptiness *w, ah_expr e)
{
    const algebra_fact f = {e, true};
    LIST_PUSH(w->arena, &w->facts, f);
}

/* |sin|, |cos| < 1.01, a little more than they can be; exp > 0; s² + c² = 1 where both occur. */
static void take_atoms(emptiness *w)
{
    ah_ctx *ctx = w->ctx;
    const ah_expr bound = expr_rational(ctx, 101, 100);
    for (size_t i = 0; i < w->atoms.circles.count; i++) {
        const atoms_circle *o = &w->atoms.circles.at[i];
        for (int k = 0; k < 2; k++) {
            const ah_expr x = k ? o->s : o->c;
            if (x == AH_NONE) continue;
            add_fact(w, expr_add(ctx, bound, x));
            add_fact(w, expr_sub(ctx, bound, x));
        }
        if (o->s == AH_NONE || o->c == AH_NONE) continue;
        const ah_expr squares = expr_add(ctx, expr_powi(ctx, o->s, 2), expr_powi(ctx, o->c, 2));
        LIST_PUSH(w->arena, &w->equation, expr_sub(ctx, squares, expr_int(ctx, 1)));
    }
    for (size_t i = 0; i < w->atoms.node.count; i++)
        if (expr_get_op(ctx, w->atoms.node.at[i]) == EXPR_CALL &&
            expr_get_function(ctx, w->atoms.node.at[i]) == AH_EXP)
            add_fact(w, w->atoms.symbol.at[i]);
    w->unknown = expr_symbols(ctx, w->arena, w->equation.at, w->equation.count);
}

bool empty_prove(ah_model *m, arena *a, const expr_list *equations)
{
    emptiness w = {.m = m, .ctx = m->ctx, .arena = a};
    w.atoms = (atoms){.ctx = m->ctx, .arena = a};
    w.alg = algebra_create(m->ctx, m->facts.at, m->facts.count);
    algebra_set_bounds(w.alg, SECONDS, m->ctx->limits.terms);
    if (!take_equations(&w, equations)) return false;
    take_atoms(&w);
    for (size_t i = 0; i < w.equation.count; i++)
        if (has_one_sign(&w, w.equation.at[i])) return true;
    return has_no_real_solution(&w);
}
