/* state/enclosed.c - see enclosed.h. */
#include "enclosed_inside.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

/* ---- Making ---------------------------------------------------------------------------------- */

static enclosed_level make_level(enclosed *s, bool velocities)
{
    const ah_model *m = s->model;
    LIST(ah_expr) equation = {0};
    LIST(uint32_t) constraint = {0};
    const uint32_t *order = model_constraint_order(s->model, s->arena);
    for (uint32_t k = 0; k < m->constraints.count; k++) {
        const uint32_t i = order[k];
        const model_constraint *c = &m->constraints.at[i];
        if (velocities ? c->order == MODEL_ACCELERATION : c->order != MODEL_HOLONOMIC) continue;
        ah_expr e = velocities ? mat_get(s->ctx, s->mech->C, i, 0) : c->c;
        LIST_PUSH(s->arena, &equation, e);
        LIST_PUSH(s->arena, &constraint, i);
    }
    enclosed_level l = {.rows = (uint32_t) equation.count,
                        .equation = equation.at,
                        .constraint = constraint.at,
                        .unknown = velocities ? m->v.at : m->q.at};
    l.jacobian =
        mat_jacobian(s->ctx, s->arena, mat_from_dense(s->ctx, s->arena, l.rows, 1, equation.at),
                     m->n, l.unknown);
    ah_expr *dense = mat_to_dense(s->ctx, s->arena, l.jacobian);
    l.dense = dense;
    l.plan = expr_plan_create(s->ctx, s->arena, dense, (size_t) l.rows * m->n);
    l.J = NEW_ARRAY(s->arena, double, (size_t) l.rows * m->n + 1);
    l.used = NEW_ARRAY(s->arena, bool, l.rows + 1);
    l.open = NEW_ARRAY(s->arena, bool, l.rows + 1);
    return l;
}

enclosed *enclosed_create(ah_model *m, arena *a)
{
    enclosed *s = NEW(a, enclosed);
    *s = (enclosed){.model = m, .ctx = m->ctx, .mech = derive_mechanics(m), .arena = a};
    s->speeds_fit = AH_UNKNOWN;
    s->exact = frame_create(m->ctx, a, 0);
    s->work = ball_array(a, m->n + 2);
    if (m->n > ENCLOSED_COORDINATES) return s;
    s->places = make_level(s, false);
    s->velocities = make_level(s, true);
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_ACCELERATION) s->second_class = true;
    return s;
}

void enclosed_give(enclosed *s, size_t count, const ah_expr *symbol, const ah_expr *value)
{
    s->given = count;
    s->given_symbol = symbol;
    s->given_value = value;
}

void enclosed_trust(enclosed *s, bool trust)
{
    s->trust = trust;
}

/* AH_NONE: the symbol is free. */
static ah_expr given_value(const enclosed *s, ah_expr symbol)
{
    for (size_t i = 0; i < s->given; i++)
        if (s->given_symbol[i] == symbol) return s->given_value[i];
    return AH_NONE;
}

/* ---- Rows that follow ------------------------------------------------------------------------ */

static bool is_multiple(enclosed *s, ah_expr e, ah_expr f)
{
    ah_expr both[] = {e, f};
    model_put_values(s->model, both, 2);
    return algebra_is_multiple(s->mech->alg, both[0], both[1]);
}

/* Of holonomic ones f = w g is asked: f' = w g' + w' g then follows on g = 0. */
static bool is_multiple_of_used(enclosed *s, const enclosed_level *l, uint32_t row)
{
    const model_constraint *c = s->model->constraints.at, *own = &c[l->constraint[row]];
    for (uint32_t i = 0; i < l->rows; i++) {
        const model_constraint *other = &c[l->constraint[i]];
        if (!l->used[i]) continue;
        if (is_multiple(s, l->equation[row], l->equation[i])) return true;
        if (own->order == MODEL_HOLONOMIC && other->order == MODEL_HOLONOMIC &&
            is_multiple(s, own->c, other->c))
            return true;
    }
    return false;
}

static bool is_linear(const enclosed *s, const enclosed_level *l, uint32_t row)
{
    const model_constraint *c = &s->model->constraints.at[l->constraint[row]];
    return l->unknown == s->model->v.at && (c->order == MODEL_HOLONOMIC || c->linear);
}

/* C_row from the used rows, or from the linear ones of them: if all minors of [∂C/∂v C] vanish that
 * have more rows than there are used ones, then where those are independent the row of that matrix is
 * a combination of theirs (Cramer), and so is its last entry, C_row = Σ μ_i C_i. */
static bool is_combination(enclosed *s, const enclosed_level *l, uint32_t row, bool of_linear)
{
    const uint32_t n = s->model->n;
    uint32_t *take = NEW_ARRAY(s->arena, uint32_t, l->rows + 1), count = 0;
    for (uint32_t i = 0; i < l->rows; i++)
        if (i == row || (l->used[i] && (!of_linear || is_linear(s, l, i)))) take[count++] = i;
    ah_expr *dense = NEW_ARRAY(s->arena, ah_expr, (size_t) count * (n + 1));
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t j = 0; j < n; j++)
            dense[i * (n + 1) + j] = l->dense[(size_t) take[i] * n + j];
        dense[i * (n + 1) + n] = l->equation[take[i]];
    }
    model_put_values(s->model, dense, (size_t) count * (n + 1));
    bool proved = false;
    const mat both = mat_from_dense(s->ctx, s->arena, count, n + 1, dense);
    return algebra_rank(s->mech->alg, both, NULL, &proved) == (int) count - 1 && proved;
}

/* All rows outside `used`, from the used ones. */
static bool others_follow(enclosed *s, enclosed_level *l)
{
    bool all = true;
    for (uint32_t i = 0; i < l->rows; i++) {
        ctx_tick(s->ctx);
        l->open[i] = !l->used[i] && !(is_linear(s, l, i) && is_combination(s, l, i, true)) &&
                     !is_multiple_of_used(s, l, i) && !is_combination(s, l, i, false);
        all = all && !l->open[i];
    }
    return all;
}

static bool is_nonzero(const enclosed *s, ah_expr e, const ball_frame *ball, slong bits)
{
    expr_eval_balls(ball, &e, 1, bits, s->work);
    return arb_is_finite(s->work) && !arb_contains_zero(s->work);
}

/* Beside x'y' = 0 the row y'z' = 0 follows where x' ≠ 0: a common factor vanishes, for the others of the
 * used row do not. */
static bool shares_zero(enclosed *s, ah_expr row, ah_expr used, const ball_frame *ball, slong bits)
{
    algebra_factors f, g;
    if (!algebra_factor(s->mech->alg, row, &f) || !algebra_factor(s->mech->alg, used, &g))
        return false;
    for (size_t j = 1; j < g.count; j++) {
        bool common = false, alone = true;
        for (size_t i = 1; i < f.count; i++) common = common || f.factor[i] == g.factor[j];
        for (size_t k = 0; common && alone && k < g.count; k++)
            alone = k == j || is_nonzero(s, g.factor[k], ball, bits);
        if (common && alone) return true;
    }
    return false;
}

/* The rows that algebra left open, at the state in the balls: each exists and vanishes. */
static bool open_rows_vanish(enclosed *s, const enclosed_level *l, const ball_frame *ball,
                             slong bits)
{
    for (uint32_t i = 0; i < l->rows; i++) {
        if (!l->open[i]) continue;
        bool follows = false;
        ah_expr row = l->equation[i];
        model_put_values(s->model, &row, 1);
        expr_eval_balls(ball, &row, 1, bits, s->work);
        if (!arb_is_finite(s->work)) return false;
        for (uint32_t k = 0; k < l->rows && !follows; k++) {
            ah_expr used = l->equation[k];
            model_put_values(s->model, &used, 1);
            follows = l->used[k] && shares_zero(s, row, used, ball, bits);
        }
        if (!follows) return false;
    }
    return true;
}

static bool redundant_rows_follow(enclosed *s, enclosed_level *l, const uint32_t *order,
                                  uint32_t rank)
{
    if (rank == l->rows || s->trust) return true;
    if (s->second_class) return false;
    bool same = l->asked;
    bool *used = NEW_ARRAY(&s->ctx->scratch, bool, l->rows);
    for (uint32_t i = 0; i < rank; i++) used[order[i]] = true;
    for (uint32_t i = 0; i < l->rows; i++) same = same && used[i] == l->used[i];
    if (same) return l->follow;
    memcpy(l->used, used, l->rows * sizeof *used);
    l->asked = true;
    l->follow = others_follow(s, l);
    return l->follow;
}

/* ---- A state --------------------------------------------------------------------------------- */

static double middle(arb_srcptr x)
{
    return arf_get_d(arb_midref(x), ARF_RND_NEAR);
}

static void put_exact(enclosed *s, const frame *values, ball_frame *ball, ah_expr symbol)
{
    arb_set_d(ball_frame_ref(ball, symbol), frame_get(values, symbol));
    frame_set(s->exact, symbol, 1);
}

static void put_parameters(enclosed *s, const frame *values, ball_frame *ball, slong bits)
{
    const ah_model *m = s->model;
    for (size_t i = 0; i < m->parameters.count; i++) {
        const model_parameter *p = &m->parameters.at[i];
        if (p->value == AH_NONE)
            put_exact(s, values, ball, p->symbol);
        else
            ball_frame_put(ball, p->symbol, p->value, bits);
    }
}

/* Of redundant rows those that come first, as long as each is independent of the ones before it: what follows mostly comes
 * after what it follows from. */
static void prefer_first(enclosed *s, const enclosed_level *l, uint32_t *rows, uint32_t rank)
{
    arena *scratch = &s->ctx->scratch;
    const uint32_t n = s->model->n;
    double *A = NEW_ARRAY(scratch, double, (size_t) l->rows *n + 1);
    uint32_t *order = NEW_ARRAY(scratch, uint32_t, l->rows + 1);
    uint32_t *first = NEW_ARRAY(scratch, uint32_t, l->rows + 1), count = 0;
    for (uint32_t i = 0; i < l->rows && count < rank; i++) {
        memcpy(A + (size_t) count * n, l->J + (size_t) i * n, n * sizeof *A);
        if (linear_row_rank(scratch, count + 1, n, A, order) == count + 1) first[count++] = i;
    }
    if (count == rank) memcpy(rows, first, rank * sizeof *rows);
}

/* A given value, or the rational one. */
static void put_free(enclosed *s, frame *values, ball_frame *ball, ah_expr symbol, slong bits)
{
    const ah_expr value = given_value(s, symbol);
    if (value == AH_NONE) {
        put_exact(s, values, ball, symbol);
        return;
    }
    ball_frame_put(ball, symbol, value, bits);
    frame_set(values, symbol, middle(ball_frame_get(ball, symbol)));
}

/* A row of the Jacobian, what is given being no unknown. */
static void copy_free(const enclosed *s, const enclosed_level *l, uint32_t row, double *out)
{
    const uint32_t n = s->model->n;
    for (uint32_t j = 0; j < n; j++)
        out[j] = given_value(s, l->unknown[j]) == AH_NONE ? l->J[(size_t) row * n + j] : 0;
}

/* Of the independent rows those that can be solved for what is not given come first: their number.
 * The others must vanish with the given values; UINT32_MAX: that is not proved. */
static uint32_t rows_to_solve(enclosed *s, const enclosed_level *l, uint32_t *rows, uint32_t count)
{
    arena *scratch = &s->ctx->scratch;
    const uint32_t n = s->model->n;
    double *A = NEW_ARRAY(scratch, double, (size_t) count *n + 1);
    uint32_t *order = NEW_ARRAY(scratch, uint32_t, count + 1);
    uint32_t *sorted = NEW_ARRAY(scratch, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) copy_free(s, l, rows[i], A + (size_t) i * n);
    const uint32_t k = count ? linear_row_rank(scratch, count, n, A, order) : 0;
    for (uint32_t i = 0; i < count; i++) sorted[i] = rows[order[i]];
    memcpy(rows, sorted, count * sizeof *rows);
    for (uint32_t i = k; i < count; i++) {
        ah_expr e =
            expr_subst(s->ctx, l->equation[rows[i]], s->given, s->given_symbol, s->given_value);
        model_put_values(s->model, &e, 1);
        if (algebra_zero(s->mech->alg, e) != AH_TRUE) return UINT32_MAX;
    }
    return k;
}

static const char not_proved[] =
    "constraints that depend on others at the states could not be proved to follow from them";

/* Independent rows and the columns they are solved for; the rest of the unknowns stays as it is. */
static const char *settle(enclosed *s, enclosed_level *l, frame *values, ball_frame *ball,
                          slong bits)
{
    arena *scratch = &s->ctx->scratch;
    const uint32_t n = s->model->n;
    uint32_t *rows = NEW_ARRAY(scratch, uint32_t, l->rows + 1);
    uint32_t *cols = NEW_ARRAY(scratch, uint32_t, n + 1);
    expr_plan_run(l->plan, values, l->J);
    for (size_t i = 0; i < (size_t) l->rows * n; i++)
        if (!isfinite(l->J[i])) return "the constraints have no finite derivatives there";
    uint32_t k = l->rows ? linear_row_rank(scratch, l->rows, n, l->J, rows) : 0;
    if (k < l->rows) prefer_first(s, l, rows, k);
    if (l == &s->velocities) s->rank = k;
    const bool follow = redundant_rows_follow(s, l, rows, k);
    if (!follow && (s->second_class || !k || s->given)) return not_proved;
    const uint32_t used = s->given ? rows_to_solve(s, l, rows, k) : k;
    if (used == UINT32_MAX) return "what is given could not be proved to satisfy the constraints";
    k = used;
    double *A = NEW_ARRAY(scratch, double, (size_t) k *n + 1);
    for (uint32_t i = 0; i < k; i++) copy_free(s, l, rows[i], A + (size_t) i * n);
    if (k) linear_column_order(scratch, k, n, A, cols);
    bool *solved = NEW_ARRAY(scratch, bool, n + 1);
    for (uint32_t i = 0; i < k; i++) solved[cols[i]] = true;
    for (uint32_t i = 0; i < n; i++)
        if (!solved[i]) put_free(s, values, ball, l->unknown[i], bits);
    if (!k) return NULL;

    ah_expr *unknown = NEW_ARRAY(scratch, ah_expr, k), *equation = NEW_ARRAY(scratch, ah_expr, k);
    ah_expr *jacobian = NEW_ARRAY(scratch, ah_expr, (size_t) k * k);
    double *guess = NEW_ARRAY(scratch, double, k);
    for (uint32_t i = 0; i < k; i++) {
        unknown[i] = l->unknown[cols[i]];
        equation[i] = l->equation[rows[i]];
        guess[i] = frame_get(values, unknown[i]);
        for (uint32_t j = 0; j < k; j++)
            jacobian[i * k + j] = l->dense[(size_t) rows[i] * n + cols[j]];
    }
    const balls_state system = {.unknowns = k,
                                .unknown = unknown,
                                .equation = equation,
                                .jacobian = jacobian,
                                .guess = guess};
    if (!enclose_roots(&system, ball, bits))
        return "no enclosure of a state on the constraints was found";
    for (uint32_t i = 0; i < k; i++)
        frame_set(values, unknown[i], middle(ball_frame_get(ball, unknown[i])));
    return follow || open_rows_vanish(s, l, ball, bits) ? NULL : not_proved;
}

/* Velocities through the velocity form must satisfy constraints that stand beside it. */
static bool speeds_fit(enclosed *s)
{
    const ah_model *m = s->model;
    const enclosed_level *l = &s->velocities;
    if (s->speeds_fit != AH_UNKNOWN) return s->speeds_fit == AH_TRUE;
    s->speeds_fit = AH_TRUE;
    for (uint32_t i = 0; i < l->rows && s->speeds_fit == AH_TRUE; i++) {
        ah_expr e = expr_subst(s->ctx, l->equation[i], m->n, m->v.at, m->psi.at);
        model_put_values(s->model, &e, 1);
        if (algebra_zero(s->mech->alg, e) != AH_TRUE) s->speeds_fit = AH_FALSE;
    }
    return s->speeds_fit == AH_TRUE;
}

static void put_expressions(enclosed *s, frame *values, ball_frame *ball, slong bits,
                            const ah_expr *symbol, const ah_expr *e, size_t count)
{
    arb_ptr out = s->work;
    expr_eval_balls(ball, e, count, bits, out);
    for (size_t i = 0; i < count; i++) {
        arb_set(ball_frame_ref(ball, symbol[i]), out + i);
        frame_set(values, symbol[i], middle(out + i));
    }
}

static const char *settle_velocities(enclosed *s, frame *values, ball_frame *ball, slong bits)
{
    const ah_model *m = s->model;
    if (!m->speeds.count) return settle(s, &s->velocities, values, ball, bits);
    if (s->given) return "velocities are given through a velocity form";
    if (!s->trust && !speeds_fit(s))
        return "the velocity form could not be proved to satisfy the constraints beside it";
    for (size_t i = 0; i < m->speeds.count; i++) put_exact(s, values, ball, m->speeds.at[i].symbol);
    put_expressions(s, values, ball, bits, m->v.at, m->psi.at, m->n);
    return NULL;
}

static void put_quasivelocities(enclosed *s, frame *values, ball_frame *ball, slong bits)
{
    const ah_model *m = s->model;
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        put_expressions(s, values, ball, bits, &m->quasivelocities.at[i].symbol,
                        &m->quasivelocities.at[i].definition, 1);
}

/* What was taken on trust: that all rows vanish. */
static bool may_vanish(enclosed *s, const enclosed_level *l, const ball_frame *ball, slong bits)
{
    bool zero = true;
    arb_ptr x = s->work;
    for (uint32_t i = 0; i < l->rows && zero; i++) {
        expr_eval_balls(ball, &l->equation[i], 1, bits, x);
        zero = arb_is_finite(x) && arb_contains_zero(x);
    }
    return zero;
}

const char *enclosed_at(enclosed *s, frame *values, ball_frame *ball, slong bits)
{
    if (s->model->n > ENCLOSED_COORDINATES) return "the system is too large to be enclosed";
    const arena_mark mark = arena_get_mark(&s->ctx->scratch);
    frame_forget(s->exact);
    ball_frame_forget(ball);
    put_exact(s, values, ball, expr_time(s->ctx));
    put_parameters(s, values, ball, bits);
    const char *why = settle(s, &s->places, values, ball, bits);
    if (!why) why = settle_velocities(s, values, ball, bits);
    if (!why) put_quasivelocities(s, values, ball, bits);
    if (!why && s->trust &&
        !(may_vanish(s, &s->places, ball, bits) && may_vanish(s, &s->velocities, ball, bits)))
        why = "constraints that seem to depend on others do not follow from them";
    arena_release(&s->ctx->scratch, mark);
    return why;
}

uint32_t enclosed_rank(const enclosed *s)
{
    return s->rank;
}

bool enclosed_is_exact(const enclosed *s, ah_expr symbol)
{
    return frame_get(s->exact, symbol) != 0;
}
