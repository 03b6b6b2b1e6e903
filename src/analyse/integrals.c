/* analyse/integrals.c - see integrals.h. */
#include "analyse.h"

#include "../numeric/numeric.h"
#include "../flow/flow.h"
#include "../kind/kind.h"
#include "../real/real.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define SECONDS 0.3 /* that one question to the algebra may take when coefficients are found */

enum { SUPPORT = 12, EXACT_VARIABLES = 12 }; /* of exact combinations: products, variables */
enum { TEST_STATES = 12, GRADIENT_STATES = 2, PROOF_STATES = 20 };

typedef struct hunt {
    ah_model *model;
    ah_ctx *ctx;
    arena *arena;
    flow *flow;
    ansatz_states *states;
    verification *proofs;
    LIST(ah_integral) found;
    /* The motion with symbols, for exact coefficients; NULL: it is not known. */
    reduced *symbols;
    algebra *alg; /* with short bounds */
    mat speeds_dot;
    const double *rate; /* x' at the first state, of long trees */
    /* For each state the gradients of what was found, along the constraints: count × N. */
    LIST(double *) gradients[GRADIENT_STATES];
} hunt;

/* ---- Independence ---------------------------------------------------------------------------- */

/* What is left of g when the earlier gradients are taken away. */
static double independent_part(const hunt *h, size_t state, double *g)
{
    const uint32_t N = h->flow->N;
    for (int pass = 0; pass < 2; pass++)
        for (size_t k = 0; k < h->gradients[state].count; k++) {
            const double *e = h->gradients[state].at[k];
            double dot = 0;
            for (uint32_t i = 0; i < N; i++) dot += e[i] * g[i];
            for (uint32_t i = 0; i < N; i++) g[i] -= dot * e[i];
        }
    double size = 0;
    for (uint32_t i = 0; i < N; i++) size = hypot(size, g[i]);
    for (uint32_t i = 0; size > 1e-6 && i < N; i++) g[i] /= size;
    return size;
}

/* Remembers the gradients of e when it says something new at one of the states. */
static bool is_new(hunt *h, ah_expr e, double **g)
{
    bool fresh = true;
    for (size_t s = 0; s < GRADIENT_STATES; s++) {
        g[s] = ansatz_gradient(h->flow, h->arena, e, h->states->values.at[s]);
        if (!(independent_part(h, s, g[s]) > 1e-6)) fresh = false;
    }
    return fresh;
}

/* Of an integral as it was offered, and as it is shown. */
static verify_claim judge(hunt *h, ah_expr offered, ah_expr e)
{
    verify_claim answer;
    const ah_expr constant =
        verify_keeps_energy(h->proofs, offered) ? offered : ansatz_in_velocities(h->model, e);
    const model_claim claim = {.label = "integral",
                               .constant = constant,
                               .left = expr_dt(h->ctx, constant),
                               .right = expr_int(h->ctx, 0)};
    verify_one(h->proofs, &claim, &answer);
    return answer;
}

/* `always`: also when it is a function of those before it. */
static void accept(hunt *h, const char *name, ah_expr offered, bool always)
{
    double *g[GRADIENT_STATES];
    const ah_expr e = algebra_simplify(h->model->alg, offered);
    const bool fresh = is_new(h, e, g);
    if (!fresh && !always) return;
    const verify_claim answer = judge(h, offered, e);
    if (answer.verdict != AH_VERDICT_PROVED && answer.verdict != AH_VERDICT_HOLDS) return;
    const ah_integral found = {name, e, answer.verdict, fresh};
    LIST_PUSH(h->arena, &h->found, found);
    for (size_t s = 0; fresh && s < GRADIENT_STATES; s++)
        LIST_PUSH(h->arena, &h->gradients[s], g[s]);
}

/* ---- Known kinds ----------------------------------------------------------------------------- */

/* Does the rate vanish at a few states? */
static bool seems_constant(hunt *h, ah_expr e)
{
    ah_expr rate = ansatz_through_x(h->flow, e);
    rate = ansatz_through_x(h->flow, expr_dt(h->ctx, rate));
    flow_define(h->model, &rate, 1);
    const arena_mark mark = arena_get_mark(&h->ctx->scratch);
    expr_plan *plan = expr_plan_create(h->ctx, &h->ctx->scratch, &rate, 1);
    bool constant = true;
    for (size_t i = 0; constant && i < h->states->count && i < TEST_STATES; i++) {
        double x, size;
        expr_plan_run_scaled(plan, h->states->values.at[i], &x, &size);
        constant = fabs(x) <= INTEGRALS_RATE * fmax(size, 1e-300) || x == 0;
    }
    arena_release(&h->ctx->scratch, mark);
    return constant;
}

/* Of a long tree the terms that are multiplied out double from body to body, and everything is small beside them: its rate as the sum
 * of slopes times rates, beside the terms of that. */
static bool keeps_its_slope(hunt *h, ah_expr e)
{
    const frame *values = h->states->values.at[0];
    double sum = 0, terms = 0;
    if (!h->flow->mech->tree || expr_depends(h->ctx, e, expr_time(h->ctx))) return true;
    const double *g = ansatz_gradient(h->flow, h->arena, e, values);
    for (uint32_t i = 0; i < h->flow->N; i++) {
        sum += g[i] * h->rate[i];
        terms += fabs(g[i] * h->rate[i]);
    }
    return fabs(sum) <= INTEGRALS_RATE * terms;
}

/* False: not at that state. */
static bool keep_rates(hunt *h)
{
    const uint32_t N = h->flow->N;
    double *rate = NEW_ARRAY(h->arena, double, N);
    h->rate = rate;
    if (!h->flow->mech->tree) return true;
    if (!flow_at(h->flow, h->states->values.at[0])) return false;
    for (uint32_t i = 0; i < N; i++) rate[i] = h->flow->rate[i] / h->flow->unit[i];
    return true;
}

static void offer(hunt *h, const char *name, ah_expr e, bool always)
{
    if (expr_get_op(h->ctx, e) == EXPR_NUMBER || !seems_constant(h, e) || !keeps_its_slope(h, e))
        return;
    accept(h, name, e, always);
}

static bool is_constant(hunt *h, ah_expr e)
{
    const expr_list symbols = expr_symbols(h->ctx, h->arena, &e, 1);
    for (size_t i = 0; i < symbols.count; i++)
        if (expr_get_kind(h->ctx, symbols.at[i]) != AH_PARAMETER) return false;
    return true;
}

/* T + V − Σ F q with the forces that are constant: they have a potential, too. */
static ah_expr whole_energy(hunt *h)
{
    const ah_model *m = h->model;
    ah_expr e = model_energy(h->model);
    for (uint32_t i = 0; i < m->n; i++)
        if (is_constant(h, m->F[i])) e = expr_sub(h->ctx, e, expr_mul(h->ctx, m->F[i], m->q.at[i]));
    return e;
}

/* ½ m v² + ½ ω·Iω − (m g + f)·r, f a constant force. */
static ah_expr energy_of_part(hunt *h, const model_part *p)
{
    ah_ctx *ctx = h->ctx;
    ah_expr e = expr_mul(ctx, p->mass, vector_dot(ctx, p->velocity, p->velocity));
    if (p->is_body) {
        static const int index[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
        for (int i = 0; i < 3; i++)
            for (int j = 0; j < 3; j++) {
                const ah_expr w = expr_mul(ctx, p->omega_body.c[i], p->omega_body.c[j]);
                e = expr_add(ctx, e, expr_mul(ctx, p->inertia[index[i][j]], w));
            }
    }
    e = expr_mul(ctx, expr_rational(ctx, 1, 2), e);
    for (int k = 0; k < 3; k++)
        if (is_constant(h, p->force.c[k]))
            e = expr_sub(ctx, e, expr_mul(ctx, p->force.c[k], p->place.c[k]));
    for (size_t k = 0; k < h->model->gravity.count; k++)
        e = expr_sub(ctx, e,
                     expr_mul(ctx, p->mass, vector_dot(ctx, h->model->gravity.at[k], p->place)));
    return e;
}

/* Moment of momentum about the origin, in space axes. */
static ah_vector moment_of_part(hunt *h, const model_part *p)
{
    ah_ctx *ctx = h->ctx;
    ah_vector L = vector_scale(ctx, p->mass, vector_cross(ctx, p->place, p->velocity));
    static const int index[3][3] = {{0, 5, 4}, {5, 1, 3}, {4, 3, 2}};
    for (int i = 0; p->is_body && i < 3; i++) {
        ah_expr own = expr_int(ctx, 0);
        for (int j = 0; j < 3; j++)
            own = expr_add(ctx, own, expr_mul(ctx, p->inertia[index[i][j]], p->omega_body.c[j]));
        for (int k = 0; k < 3; k++)
            L.c[k] = expr_add(ctx, L.c[k], expr_mul(ctx, p->rotation[k][i], own));
    }
    return L;
}

static void offer_parts(hunt *h)
{
    static const char *const axes[] = {"x", "y", "z"};
    ah_ctx *ctx = h->ctx;
    const ah_model *m = h->model;
    ah_vector momentum = vector_zero(ctx), moment = vector_zero(ctx);
    for (size_t i = 0; i < m->parts.count; i++) {
        const model_part *p = &m->parts.at[i];
        if (m->parts.count > 1)
            offer(h, arena_printf(h->arena, "energy of %s", p->name), energy_of_part(h, p), true);
        momentum = vector_add(ctx, momentum, vector_scale(ctx, p->mass, p->velocity));
        moment = vector_add(ctx, moment, moment_of_part(h, p));
    }
    for (int k = 0; m->parts.count && k < 3; k++) {
        offer(h, arena_printf(h->arena, "momentum along %s", axes[k]), momentum.c[k], false);
        offer(h, arena_printf(h->arena, "moment of momentum about %s", axes[k]), moment.c[k],
              false);
    }
    if (m->parts.count)
        offer(h, "square of the moment of momentum", vector_dot(ctx, moment, moment), false);
}

static void offer_known(hunt *h)
{
    const ah_model *m = h->model;
    const mechanics *k = h->flow->mech;
    offer(h, "energy", whole_energy(h), false);
    offer(h, "Jacobi's integral", model_jacobi(h->model), false);
    for (uint32_t i = 0; i < m->n; i++)
        offer(h, arena_printf(h->arena, "momentum of %s", expr_get_name(h->ctx, m->q.at[i])),
              mat_get(h->ctx, k->p, i, 0), false);
    offer_parts(h);
}

/* ---- The search ------------------------------------------------------------------------------ */

/* v without its components along the basis, one after the other. The product with the next vector is gathered while one is
 * taken out: what a sum waits for is then done meanwhile. */
static void take_components_out(size_t rows, double *restrict v, uint32_t count,
                                double *const *basis)
{
    double dot = 0, next;
    for (size_t r = 0; count && r < rows; r++) dot += v[r] * basis[0][r];
    for (uint32_t k = 0; k < count; k++, dot = next) {
        const double *restrict b = basis[k], *restrict c = basis[k + 1 < count ? k + 1 : k];
        next = 0;
        for (size_t r = 0; r < rows; r++) {
            v[r] -= dot * b[r];
            next += v[r] * c[r];
        }
    }
}

/* What keeps this share of its length is orthogonal to the others after one pass. */
#define ORTHOGONAL 0.5

/* Columns that are not combinations of simpler ones on the constraints; the scale of each. */
static uint32_t independent_columns(hunt *h, const ansatz *s, uint32_t *column, double *scale)
{
    const size_t rows = s->states->count;
    uint32_t count = 0;
    double **basis = NEW_ARRAY(h->arena, double *, s->products);
    for (uint32_t p = 0; p < s->products; p++) {
        double *v = NEW_ARRAY(h->arena, double, rows), before = 0, after = 0;
        ctx_tick(h->ctx);
        for (size_t r = 0; r < rows; r++) {
            v[r] = s->value[r * s->products + p];
            before = hypot(before, v[r]);
        }
        take_components_out(rows, v, count, basis);
        after = linear_norm(rows, v);
        if (after < ORTHOGONAL * before) { /* what is left is as inaccurate as it is short */
            take_components_out(rows, v, count, basis);
            after = linear_norm(rows, v);
        }
        if (!(after > 1e-9 * before)) continue;
        for (size_t r = 0; r < rows; r++) v[r] /= after;
        basis[count] = v;
        scale[count] = before / sqrt((double) rows);
        column[count++] = p;
    }
    return count;
}

/* Reduced echelon form, simple columns first: rows of N (k × n), entries with scale. */
static void reduce(double *N, uint32_t k, uint32_t n)
{
    uint32_t row = 0;
    for (uint32_t c = 0; c < n && row < k; c++) {
        uint32_t best = row;
        for (uint32_t i = row; i < k; i++)
            if (fabs(N[(size_t) i * n + c]) > fabs(N[(size_t) best * n + c])) best = i;
        const double pivot = N[(size_t) best * n + c];
        if (fabs(pivot) < 1e-6) continue;
        for (uint32_t j = 0; j < n; j++) {
            const double x = N[(size_t) best * n + j];
            N[(size_t) best * n + j] = N[(size_t) row * n + j];
            N[(size_t) row * n + j] = x / pivot;
        }
        for (uint32_t i = 0; i < k; i++) {
            const double f = N[(size_t) i * n + c];
            for (uint32_t j = 0; i != row && j < n; j++)
                N[(size_t) i * n + j] -= f * N[(size_t) row * n + j];
        }
        row++;
    }
}

/* Values at all states of the combinations that the rows of N (k × n) stand for, and of 1. */
static double *values_of_rows(hunt *h, const ansatz *s, uint32_t k, uint32_t n,
                              const uint32_t *column, const double *scale, const double *N)
{
    const size_t rows = s->states->count;
    double *X = NEW_ARRAY(h->arena, double, rows *(k + 1));
    for (size_t r = 0; r < rows; r++) {
        X[r * (k + 1) + k] = 1;
        for (uint32_t i = 0; i < k; i++)
            for (uint32_t j = 0; j < n; j++)
                X[r * (k + 1) + i] +=
                    N[(size_t) i * n + j] * s->value[r * s->products + column[j]] / scale[j];
    }
    return X;
}

/* The combination of rows that an integral known already is, if it is one; false: it is none. */
static bool known_row(hunt *h, const ansatz *s, ah_expr e, uint32_t k, uint32_t n, const double *X,
                      const double *N, double *row)
{
    const size_t rows = s->states->count;
    double *b = NEW_ARRAY(h->arena, double, rows), *c = NEW_ARRAY(h->arena, double, k + 1);
    double worst = 0, size = 0;
    e = ansatz_through_x(h->flow, e);
    flow_define(h->model, &e, 1);
    expr_plan *plan = expr_plan_create(h->ctx, h->arena, &e, 1);
    for (size_t r = 0; r < rows; r++) expr_plan_run(plan, s->states->values.at[r], &b[r]);
    linear_least_squares(&h->ctx->scratch, (uint32_t) rows, k + 1, X, b, 1e-12, c);
    for (size_t r = 0; r < rows; r++) {
        double sum = 0;
        for (uint32_t i = 0; i <= k; i++) sum += X[r * (k + 1) + i] * c[i];
        worst = fmax(worst, fabs(sum - b[r]));
        size = fmax(size, fabs(b[r]));
    }
    if (!(worst <= 1e-7 * size)) return false;
    memset(row, 0, n * sizeof *row);
    for (uint32_t i = 0; i < k; i++)
        for (uint32_t j = 0; j < n; j++) row[j] += c[i] * N[(size_t) i * n + j];
    return true;
}

/* Takes the known row out of the others, by its most intricate product. */
static void take_out(uint32_t k, uint32_t n, double *N, const double *row)
{
    uint32_t pivot = n;
    double size = 0;
    for (uint32_t j = 0; j < n; j++) size = fmax(size, fabs(row[j]));
    while (pivot > 0 && !(fabs(row[pivot - 1]) > 1e-3 * size)) pivot--;
    if (pivot == 0) return;
    for (uint32_t i = 0; i < k; i++) {
        const double f = N[(size_t) i * n + pivot - 1] / row[pivot - 1];
        for (uint32_t j = 0; j < n; j++) N[(size_t) i * n + j] -= f * row[j];
    }
}

/* What was found before is taken out of the rows, so that the new ones come out short. */
static void forget_known(hunt *h, const ansatz *s, uint32_t k, uint32_t n, const uint32_t *column,
                         const double *scale, double *N)
{
    const double *X = values_of_rows(h, s, k, n, column, scale, N);
    double *whole = NEW_ARRAY(h->arena, double, (size_t) k *n + 1);
    double *row = NEW_ARRAY(h->arena, double, n);
    memcpy(whole, N, (size_t) k * n * sizeof *whole);
    for (size_t i = 0; i < h->found.count; i++)
        if (h->found.at[i].independent && known_row(h, s, h->found.at[i].e, k, n, X, whole, row))
            take_out(k, n, N, row);
}

/* The simplest rational near x. */
static bool rational(double x, long *p, long *q)
{
    long p0 = 0, q0 = 1, p1 = 1, q1 = 0;
    double rest = x;
    for (int i = 0; i < 30; i++) {
        const double whole = floor(rest);
        if (!(fabs(whole) < 1e9)) return false;
        const long a = (long) whole, p2 = a * p1 + p0, q2 = a * q1 + q0;
        if (labs(p2) > 1000000000 || q2 > 1000000) return false;
        p0 = p1;
        q0 = q1;
        p1 = p2;
        q1 = q2;
        if (fabs(x - (double) p1 / (double) q1) <= INTEGRALS_RATIONAL * fmax(1, fabs(x))) break;
        rest = 1 / (rest - whole);
    }
    *p = p1;
    *q = q1;
    return true;
}

/* Σ coefficient · product as an expression; AH_NONE: a coefficient is not rational. */
static ah_expr combination(hunt *h, const ansatz *s, uint32_t count, const uint32_t *column,
                           const double *scale, const double *row)
{
    ah_expr sum = expr_int(h->ctx, 0);
    double unit = 0;
    for (uint32_t j = 0; j < count; j++) {
        if (fabs(row[j]) < 1e-7) continue;
        if (unit == 0) unit = row[j] / scale[j]; /* the first coefficient becomes one */
        long p, q;
        if (!rational(row[j] / scale[j] / unit, &p, &q)) return AH_NONE;
        sum = expr_add(h->ctx, sum,
                       expr_mul(h->ctx, expr_rational(h->ctx, p, q), ansatz_product(s, column[j])));
    }
    return sum;
}

/* ---- Exact coefficients ---------------------------------------------------------------------- */

/* s' = −Gz⁻¹ E, once; without it coefficients are rational numbers for the states' parameters. */
static void prepare_symbols(hunt *h)
{
    bool singular;
    reduced *w = NEW(h->arena, reduced);
    const frame *values = h->states->values.at[0];
    minimal *m = minimal_create(h->flow, h->arena, h->states->values.at[0], NULL);
    if (!m || m->count > EXACT_VARIABLES || !m->autonomous ||
        !reduced_create(m, h->arena, values, w) || w->dependents)
        return;
    h->alg = algebra_create(h->ctx, h->model->facts.at, h->model->facts.count);
    algebra_set_bounds(h->alg, SECONDS, h->ctx->limits.terms);
    if (algebra_solve(h->alg, w->Gz, mat_neg(h->ctx, h->arena, w->E), &h->speeds_dot, &singular))
        h->symbols = w;
}

/* The rate of e along the motion, in the minimal variables. */
static ah_expr exact_rate(hunt *h, ah_expr e)
{
    const reduced *w = h->symbols;
    const minimal *m = w->m;
    ah_expr *rate = NEW_ARRAY(h->arena, ah_expr, m->count);
    for (uint32_t y = 0; y < m->count; y++)
        rate[y] = y < m->coordinates ? mat_get(h->ctx, w->psi, m->place[y], 0)
                                     : mat_get(h->ctx, h->speeds_dot, y - m->coordinates, 0);
    return expr_forward(h->ctx, reduced_through(w, e), m->count, m->symbol, rate);
}

/* Σ c_k φ_k with coefficients that hold for all parameters (`letters`), or for the declared ones. */
static ah_expr exact_sum(hunt *h, uint32_t count, const ah_expr *phi, bool letters)
{
    const minimal *m = h->symbols->m;
    ah_expr *rate = NEW_ARRAY(h->arena, ah_expr, count), *c = NEW_ARRAY(h->arena, ah_expr, count);
    mat direction;
    for (uint32_t k = 0; k < count; k++) rate[k] = exact_rate(h, phi[k]);
    if (!letters) model_put_values(h->model, rate, count);
    const mat rows = mat_from_dense(h->ctx, h->arena, 1, count, rate);
    if (!direction_find(h->alg, h->ctx, h->arena, rows, m->count, m->symbol, &direction))
        return AH_NONE;
    for (uint32_t k = 0; k < count; k++) {
        c[k] = algebra_simplify(h->alg, mat_get(h->ctx, direction, k, 0));
        for (uint32_t y = 0; y < m->count; y++)
            if (expr_depends(h->ctx, c[k], m->symbol[y])) return AH_NONE;
    }
    direction_clear(h->alg, h->ctx, m->count, m->symbol, c, count);
    ah_expr sum = expr_int(h->ctx, 0);
    for (uint32_t k = 0; k < count; k++)
        sum = expr_add(h->ctx, sum, expr_mul(h->ctx, c[k], phi[k]));
    return sum;
}

static bool has_letters(const hunt *h)
{
    for (size_t i = 0; i < h->model->parameters.count; i++)
        if (h->model->parameters.at[i].value == AH_NONE) return true;
    return false;
}

/* The combination that a row stands for, exactly; AH_NONE: by its numbers. */
static ah_expr exact_combination(hunt *h, const ansatz *s, uint32_t count, const uint32_t *column,
                                 const double *row)
{
    ah_expr phi[SUPPORT];
    uint32_t support = 0;
    if (!h->symbols || h->model->functions.count) return AH_NONE;
    for (uint32_t j = 0; j < count; j++) {
        if (fabs(row[j]) < 1e-7) continue;
        if (support == SUPPORT) return AH_NONE;
        phi[support++] = ansatz_product(s, column[j]);
    }
    const ah_expr e = exact_sum(h, support, phi, true);
    return e == AH_NONE && has_letters(h) ? exact_sum(h, support, phi, false) : e;
}

static uint32_t terms_of(const double *row, uint32_t n)
{
    uint32_t count = 0;
    for (uint32_t j = 0; j < n; j++) count += fabs(row[j]) >= 1e-7;
    return count;
}

/* Offers the rows, short ones first. */
static void offer_rows(hunt *h, const ansatz *s, uint32_t k, uint32_t count, const uint32_t *column,
                       const double *scale, const double *N)
{
    bool *done = NEW_ARRAY(h->arena, bool, k + 1);
    for (uint32_t turn = 0; turn < k; turn++) {
        uint32_t best = k;
        for (uint32_t i = 0; i < k; i++)
            if (!done[i] && (best == k || terms_of(N + (size_t) i * count, count) <
                                              terms_of(N + (size_t) best * count, count)))
                best = i;
        done[best] = true;
        ctx_progress(h->ctx, (double) turn / (double) k);
        ctx_tick(h->ctx);
        const double *row = N + (size_t) best * count;
        ah_expr e = exact_combination(h, s, count, column, row);
        if (e == AH_NONE) e = combination(h, s, count, column, scale, row);
        if (e == AH_NONE || expr_get_op(h->ctx, e) == EXPR_NUMBER || !seems_constant(h, e))
            continue;
        accept(h, NULL, e, false);
    }
}

static void search(hunt *h, const ansatz *s)
{
    const size_t rows = s->states->count;
    uint32_t *column = NEW_ARRAY(h->arena, uint32_t, s->products);
    double *scale = NEW_ARRAY(h->arena, double, s->products);
    const uint32_t all = independent_columns(h, s, column, scale);
    const uint32_t count = all - 1; /* without the 1 */
    if (count == 0 || count > rows) return;
    column++;
    scale++;
    double *R = NEW_ARRAY(h->arena, double, rows *count);
    for (size_t r = 0; r < rows; r++)
        for (uint32_t j = 0; j < count; j++)
            R[r * count + j] = s->rate[r * s->products + column[j]] / scale[j];
    double *N = NEW_ARRAY(h->arena, double, (size_t) count *count);
    const uint32_t k =
        linear_null_rows(&h->ctx->scratch, (uint32_t) rows, count, R, INTEGRALS_NULL, N);
    if (k == 0 || k == UINT32_MAX) return;
    forget_known(h, s, k, count, column, scale, N);
    reduce(N, k, count);
    offer_rows(h, s, k, count, column, scale, N);
}

_Static_assert((int) AH_SPEEDS_VELOCITIES == ANSATZ_VELOCITIES &&
                   (int) AH_SPEEDS_PARAMETERS == ANSATZ_PARAMETERS &&
                   (int) AH_SPEEDS_QUASI == ANSATZ_QUASI,
               "one order");

/* Where the set falls into components, the system on the one with most free velocities: its rows are independent, and what is
 * constant on all of them is so there. Proofs speak of all. */
static ah_model *searched_model(ah_model *m, arena *a, const components *c)
{
    size_t best = 0;
    if (c->count < 2 || !kind_has_parts(m, c) || m->quasivelocities.count) return m;
    for (size_t i = 1; i < c->count; i++)
        if (c->at[i].relations < c->at[best].relations) best = i;
    return kind_model_on(m, a, &c->at[best]);
}

/* Where special values of the parameters leave more velocities free, it is proved for general ones alone. */
static void keep_measure(const hunt *h, measure_answer found, ah_integrals_values *out)
{
    if (!found.searched) return;
    out->measure_searched = true;
    out->measure_found = found.found;
    out->measure = found.verdict;
    if (found.verdict == AH_VERDICT_PROVED &&
        !uniform_constraints(h->model, h->arena, derive_mechanics(h->model)->rank))
        out->measure = AH_VERDICT_HOLDS;
    out->density = found.density;
    out->variables = found.variables;
    out->variable = found.variable;
}

bool search_AH_INTEGRALS(ah_model *m, const void *options, void *values, const char **why)
{
    const ah_integrals_options *o = options;
    ah_integrals_values *out = values;
    /* own speeds first: what is simple in them is shown in them */
    static const ansatz_speeds order[] = {ANSATZ_PARAMETERS, ANSATZ_QUASI, ANSATZ_VELOCITIES};
    hunt h = {.model = m, .ctx = m->ctx, .arena = &m->ctx->job};
    *out = (ah_integrals_values){0};
    *why = m->kinematic ? problem_kinematic : NULL;
    if (m->kinematic) return false;
    ah_integral_class *searched = NEW_ARRAY(h.arena, ah_integral_class, AH_SPEEDS_KINDS);
    h.proofs = verify_open(m, PROOF_STATES, o->seed);
    h.flow = flow_create(searched_model(m, h.arena, verify_components(h.proofs)), h.arena, why);
    if (!h.flow) return false;
    if (verify_components(h.proofs)->none) {
        *why = arena_printf(h.arena, "there is no regular state: %s",
                            verify_components(h.proofs)->why);
        return false;
    }
    h.states = ansatz_states_create(h.flow, h.arena, o->seed);
    if (!ansatz_states_want(h.states, TEST_STATES) || !keep_rates(&h)) {
        *why = "no regular admissible states were found";
        return false;
    }
    offer_known(&h);
    prepare_symbols(&h);
    for (int turn = 0; turn < 3; turn++) {
        const ansatz_speeds speeds = order[turn];
        const ansatz *s = ansatz_create(h.states, speeds, o->degree, o->coordinates_degree);
        if (!s) continue;
        search(&h, s);
        searched[out->classes++] = (ah_integral_class){(ah_speeds) speeds, s->speed_degree,
                                                       s->coordinate_degree, s->products};
    }
    out->count = h.found.count;
    out->at = h.found.at;
    out->searched = searched;
    const components *parts = verify_components(h.proofs);
    out->components = parts->complete && parts->count > 1 ? parts->count : 0;
    out->component = components_told(parts, h.arena);
    if (parts->count < 2) keep_measure(&h, measure_search(h.states, o->coordinates_degree), out);
    return true;
}
