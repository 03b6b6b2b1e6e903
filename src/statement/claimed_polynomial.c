/* statement/claimed_polynomial.c - claims about the characteristic polynomial of steady motions.
 *
 * `characteristic p in s` says that p has the same zeros, other than 0, as the characteristic polynomial: both are
 * compared coefficient by coefficient, divided by the first, the zeros at 0 taken out. */
#include "claimed_exact.h"

#include "../flow/flow.h"

#include <math.h>

/* In numbers the coefficients may differ by this share of the largest. */
#define POLYNOMIAL_AGREES 1e-6

typedef struct claimed_polynomial {
    uint32_t degree;      /* without its zeros at 0 */
    ah_expr *coefficient; /* degree + 1 of them, of the highest power first */
} claimed_polynomial;

static bool take_polynomial(claimed *c, algebra *alg, ah_expr e, claimed_polynomial *out)
{
    algebra_poly p;
    if (!algebra_collect(alg, e, 1, &c->s->variable, &p) || !p.terms) return false;
    uint32_t high = p.exponent[0], low = high;
    for (size_t i = 0; i < p.terms; i++) {
        if (p.exponent[i] > high) high = p.exponent[i];
        if (p.exponent[i] < low) low = p.exponent[i];
    }
    out->degree = high - low;
    out->coefficient = NEW_ARRAY(c->p.arena, ah_expr, out->degree + 1);
    for (uint32_t i = 0; i <= out->degree; i++) out->coefficient[i] = expr_int(c->model->ctx, 0);
    for (size_t i = 0; i < p.terms; i++) out->coefficient[high - p.exponent[i]] = p.coefficient[i];
    return true;
}

static double value_at(claimed *c, ah_expr e, const frame *values)
{
    double x;
    flow_define(c->model, &e, 1);
    expr_plan_run(expr_plan_create(c->model->ctx, c->p.arena, &e, 1), values, &x);
    return x;
}

/* With symbols: the first coefficient that differs. */
static ah_truth compare_polynomials(const exact *x, const claimed_polynomial *p, uint32_t *row)
{
    ah_ctx *ctx = x->c->model->ctx;
    ah_truth same = AH_TRUE;
    if (p->degree != x->f->degree) {
        *row = 0;
        const ah_expr ends = expr_mul(ctx, p->coefficient[0], p->coefficient[p->degree]);
        return algebra_zero(x->f->reduced->alg, ends) == AH_FALSE ? AH_FALSE : AH_UNKNOWN;
    }
    for (uint32_t i = 0; i <= p->degree; i++) {
        const ah_expr product = expr_mul(ctx, p->coefficient[0], x->f->coefficient[i]);
        const ah_truth zero =
            algebra_zero(x->f->reduced->alg, expr_sub(ctx, product, p->coefficient[i]));
        if (zero == AH_TRUE) continue;
        same = zero;
        *row = i;
        if (zero == AH_FALSE) break;
    }
    return same;
}

/* From the eigenvalues other than 0, of the highest power first. */
static bool agrees_with_spectrum(claimed *c, const claimed_polynomial *p, stability_answer *a)
{
    const spectrum *s = &a->spectrum;
    const uint32_t degree = s->n - s->zeros;
    if (p->degree != degree) return false;
    double *re = NEW_ARRAY(c->p.arena, double, degree + 2);
    double *im = NEW_ARRAY(c->p.arena, double, degree + 2);
    re[0] = 1;
    for (uint32_t k = 0; k < degree; k++) /* times (s - root) */
        for (uint32_t i = k + 1; i > 0; i--) {
            const double x = re[i - 1], y = im[i - 1];
            re[i] -= s->re[k] * x - s->im[k] * y;
            im[i] -= s->re[k] * y + s->im[k] * x;
        }
    const double first = value_at(c, p->coefficient[0], a->values);
    double size = 0;
    for (uint32_t i = 0; i <= degree; i++) size = fmax(size, fabs(re[i]));
    for (uint32_t i = 0; i <= degree; i++) {
        const double want = value_at(c, p->coefficient[i], a->values) / first;
        if (!(fabs(want - re[i]) <= POLYNOMIAL_AGREES * size)) return false;
    }
    return true;
}

void polynomial_judge(claimed *c, const motions *found, const exact *x, verify_claim *out)
{
    claimed_polynomial p;
    ah_expr e = c->s->e;
    uint32_t row = 0;
    const bool through =
        x && take_polynomial(c, x->f->reduced->alg, claimed_put(c, x->f->reduced, e), &p);
    const ah_truth same = through ? compare_polynomials(x, &p, &row) : AH_UNKNOWN;
    out->verdict = same == AH_TRUE ? AH_VERDICT_PROVED : AH_VERDICT_UNKNOWN;
    out->why = NULL;
    if (same == AH_TRUE) return;
    out->states = 0;
    if (same == AH_FALSE) {
        const bool degree = p.degree != x->f->degree;
        out->verdict = AH_VERDICT_FALSE;
        out->values = found->at[0].values;
        out->why = degree ? "the degrees, without zeros at 0, are on the left and on the right"
                          : arena_printf(c->p.arena, "of the power %u, divided by the first",
                                         p.degree - row);
        out->left = degree
                        ? p.degree
                        : value_at(c, expr_div(c->model->ctx, p.coefficient[row], p.coefficient[0]),
                                   out->values);
        out->right = degree ? x->f->degree : value_at(c, x->f->coefficient[row], out->values);
        return;
    }
    out->why = "it is no polynomial that could be read";
    model_put_values(c->model, &e, 1);
    if (!take_polynomial(c, c->model->alg, e, &p)) return;
    out->why = "the zeros were compared in numbers, and differ";
    for (size_t i = 0; i < found->count; i++)
        if (!agrees_with_spectrum(c, &p, &found->at[i])) return;
    out->verdict = AH_VERDICT_HOLDS;
    out->states = found->count;
    out->why = NULL;
}
