/* state/second_class_exact.c - the stationary points as a polynomial system over the rationals.
 *
 * The unknowns are all accelerations and multipliers together: eliminating a = (M − λH)⁻¹(…) first
 * would lose the solutions at which that matrix is singular, and Hamel's pair of minima is one. */
#include "exact.h"
#include "../real/real_roots.h"
#include "second_class_problem.h"

#include <string.h>

/* Everything FLINT holds during one solution. */
typedef struct work {
    slong n, used, variables, equations, coefficients;
    fmpq *coefficient; /* of the problem's roots */
    fmpq_mpoly_ctx_t mctx;
    fmpq_mpoly_struct *constraint; /* the used ones */
    fmpz_mpoly_struct *equation;
    real_roots roots;
} work;

static void work_init(work *w, const second_class_state *s)
{
    *w = (work){.n = s->p->n, .used = s->used, .coefficients = (slong) s->p->roots};
    w->variables = w->n + w->used;
    w->equations = w->variables + 1; /* the singular system has one more than unknowns */
    w->coefficient = _fmpq_vec_init(w->coefficients);
    fmpq_mpoly_ctx_init(w->mctx, w->variables, ORD_DEGREVLEX);
    w->constraint = flint_malloc((size_t) w->used * sizeof *w->constraint);
    w->equation = flint_malloc((size_t) w->equations * sizeof *w->equation);
    for (slong i = 0; i < w->used; i++) fmpq_mpoly_init(&w->constraint[i], w->mctx);
    for (slong i = 0; i < w->equations; i++) fmpz_mpoly_init(&w->equation[i], w->mctx->zctx);
}

static void work_clear(void *data)
{
    work *w = data;
    real_roots_clear(&w->roots);
    for (slong i = 0; i < w->equations; i++) fmpz_mpoly_clear(&w->equation[i], w->mctx->zctx);
    for (slong i = 0; i < w->used; i++) fmpq_mpoly_clear(&w->constraint[i], w->mctx);
    flint_free(w->equation);
    flint_free(w->constraint);
    fmpq_mpoly_ctx_clear(w->mctx);
    _fmpq_vec_clear(w->coefficient, w->coefficients);
}

/* ---- Building -------------------------------------------------------------------------------- */

/* f += c x_variable; variable < 0: f += c. */
static void add_linear(work *w, fmpq_mpoly_t f, const fmpq *c, slong variable)
{
    fmpq_mpoly_t term;
    fmpq_mpoly_init(term, w->mctx);
    if (variable < 0)
        fmpq_mpoly_one(term, w->mctx);
    else
        fmpq_mpoly_gen(term, variable, w->mctx);
    fmpq_mpoly_scalar_mul_fmpq(term, term, c, w->mctx);
    fmpq_mpoly_add(f, f, term, w->mctx);
    fmpq_mpoly_clear(term, w->mctx);
}

static void set_linear_row(work *w, const second_class_problem *p, uint32_t row, fmpq_mpoly_t f)
{
    for (slong j = 0; j < w->n; j++)
        add_linear(w, f, &w->coefficient[p->at_J + (size_t) row * p->n + (size_t) j], j);
    add_linear(w, f, &w->coefficient[p->at_gamma + row], -1);
}

static void set_polynomial_row(work *w, const second_class_row *row, ulong *exponent,
                               fmpq_mpoly_t f)
{
    for (size_t t = 0; t < row->terms.terms; t++) {
        memset(exponent, 0, (size_t) w->variables * sizeof *exponent);
        for (slong j = 0; j < w->n; j++)
            exponent[j] = row->terms.exponent[t * row->terms.symbols + (size_t) j];
        fmpq_mpoly_push_term_fmpq_ui(f, &w->coefficient[row->first + t], exponent, w->mctx);
    }
    fmpq_mpoly_sort_terms(f, w->mctx);
    fmpq_mpoly_combine_like_terms(f, w->mctx);
}

static void set_constraints(work *w, const second_class_state *s)
{
    ulong *exponent = flint_malloc((size_t) w->variables * sizeof *exponent);
    for (slong i = 0; i < w->used; i++) {
        const second_class_row *row = &s->p->row[s->use[i]];
        if (row->linear)
            set_linear_row(w, s->p, s->use[i], &w->constraint[i]);
        else
            set_polynomial_row(w, row, exponent, &w->constraint[i]);
    }
    flint_free(exponent);
}

/* f −= Σ λ_i ∂c_i/∂a_j. */
static void subtract_reaction(work *w, slong j, fmpq_mpoly_t f)
{
    fmpq_mpoly_t slope, lambda;
    fmpq_mpoly_init(slope, w->mctx);
    fmpq_mpoly_init(lambda, w->mctx);
    for (slong i = 0; i < w->used; i++) {
        fmpq_mpoly_derivative(slope, &w->constraint[i], j, w->mctx);
        fmpq_mpoly_gen(lambda, w->n + i, w->mctx);
        fmpq_mpoly_mul(slope, slope, lambda, w->mctx);
        fmpq_mpoly_sub(f, f, slope, w->mctx);
    }
    fmpq_mpoly_clear(slope, w->mctx);
    fmpq_mpoly_clear(lambda, w->mctx);
}

/* An equation keeps the integer polynomial alone: a factor does not matter. */
static void put_equation(work *w, slong at, const fmpq_mpoly_t f)
{
    fmpz_mpoly_set(&w->equation[at], f->zpoly, w->mctx->zctx);
}

static void set_stationarity(work *w, const second_class_problem *p, bool stationary)
{
    fmpq_mpoly_t f;
    fmpq_t minus;
    fmpq_mpoly_init(f, w->mctx);
    fmpq_init(minus);
    for (slong j = 0; j < w->n; j++) {
        fmpq_mpoly_zero(f, w->mctx);
        for (slong k = 0; stationary && k < w->n; k++)
            add_linear(w, f, &w->coefficient[p->at_M + (size_t) (j * w->n + k)], k);
        fmpq_neg(minus, &w->coefficient[p->at_L + (size_t) j]);
        if (stationary) add_linear(w, f, minus, -1);
        subtract_reaction(w, j, f);
        put_equation(w, w->used + j, f);
    }
    fmpq_clear(minus);
    fmpq_mpoly_clear(f, w->mctx);
}

/* Σ w_i λ_i = 1 with weights that no system is likely to know. */
static void set_normalisation(work *w)
{
    fmpq_mpoly_t f;
    fmpq_t weight;
    fmpq_mpoly_init(f, w->mctx);
    fmpq_init(weight);
    for (slong i = 0; i < w->used; i++) {
        fmpq_set_si(weight, 1 + 17 * i * (i + 2), 1);
        add_linear(w, f, weight, w->n + i);
    }
    fmpq_set_si(weight, -1, 1);
    add_linear(w, f, weight, -1);
    put_equation(w, w->variables, f);
    fmpq_clear(weight);
    fmpq_mpoly_clear(f, w->mctx);
}

/* ---- Solving --------------------------------------------------------------------------------- */

bool second_class_exact(second_class_state *s, second_class_system system,
                        second_class_candidates *out)
{
    const second_class_problem *p = s->p;
    const bool stationary = system == SECOND_CLASS_STATIONARY;
    work w;
    ctx_held held;
    work_init(&w, s);
    ctx_hold(p->ctx, &held, work_clear, &w);
    exact_values(p->model, s->values, p->root, p->roots, s->number, w.coefficient);
    set_constraints(&w, s);
    for (slong i = 0; i < w.used; i++) put_equation(&w, i, &w.constraint[i]);
    set_stationarity(&w, p, stationary);
    if (!stationary) set_normalisation(&w);
    const roots_status status =
        real_roots_find(p->ctx, w.equation, w.variables + !stationary, w.mctx->zctx, &w.roots);
    const size_t count = (size_t) w.roots.count, width = (size_t) w.variables;
    out->count = count;
    out->at = NEW_ARRAY(s->arena, double, count *width + 1);
    if (count) memcpy(out->at, w.roots.x, count * width * sizeof *out->at);
    ctx_drop(p->ctx, &held);
    return status == ROOTS_FOUND;
}
