/* claims/claim_singular.c - `singular x' = 0, y' = 0 or …`: the states where the constraints lose rank are exactly these.
 *
 * Both ways. Where a case holds, the rank is less: its equations, solved for symbols and put in, leave a J of less rank
 * in general, and so everywhere. Where the rank is less, a case holds: each of the cases that `check` finds
 * (kind/singular.c) makes the equations of one of the claimed cases vanish. Only equations that can be solved with a
 * slope that never vanishes are used, so that no state is lost.
 *
 * A counter-example stands at rational numbers: a state of a case with the full rank, or a singular one of none; ranks
 * and values are exact. */
#include "claim.h"

#include <math.h>
#include <string.h>

enum { SINGULAR_TRIES = 20 };

/* Equations solved one after the other. */
typedef struct solved {
    size_t count;
    ah_expr *from, *to;
    expr_list left; /* of them: what could not be solved, with the rest put in */
} solved;

typedef struct question {
    verification *v;
    ah_ctx *ctx;
    arena *arena;
    algebra *alg;
    const model_statement *s;
    const ah_singular *found;
    mat J;
    int rank;
    bool some;        /* some states are enough: slopes may vanish at others */
    const solved *on; /* what is put into everything that is asked of a state: cos(0) is rational */
} question;

/* ---- Equations put in ------------------------------------------------------------------------ */

static ah_expr put(question *q, const solved *x, ah_expr e)
{
    for (size_t i = 0; i < x->count; i++) e = expr_subst(q->ctx, e, 1, &x->from[i], &x->to[i]);
    return e;
}

/* Of the first degree in the symbol, with a slope that has one sign everywhere. */
static bool solve_for(question *q, ah_expr e, ah_expr symbol, ah_expr *out)
{
    algebra_poly p;
    if (!expr_depends(q->ctx, e, symbol) || !algebra_collect(q->alg, e, 1, &symbol, &p))
        return false;
    ah_expr slope = expr_int(q->ctx, 0), rest = slope;
    for (size_t i = 0; i < p.terms; i++) {
        if (p.exponent[i] > 1) return false;
        *(p.exponent[i] ? &slope : &rest) = p.coefficient[i];
    }
    const int sign = algebra_sign(q->alg, slope);
    if (sign != 1 && sign != -1 && !(q->some && sign == 2)) return false;
    *out = algebra_simplify(q->alg, expr_neg(q->ctx, expr_div(q->ctx, rest, slope)));
    return true;
}

/* Velocities first: places are more often free. */
static bool solve_one(question *q, ah_expr e, solved *x)
{
    const ah_model *m = q->v->model;
    for (uint32_t k = 0; k < 2 * m->n; k++) {
        const ah_expr symbol = k < m->n ? m->v.at[k] : m->q.at[k - m->n];
        ah_expr value;
        if (!solve_for(q, e, symbol, &value)) continue;
        x->from[x->count] = symbol;
        x->to[x->count++] = value;
        return true;
    }
    return false;
}

static solved solve(question *q, const ah_expr *e, size_t count)
{
    solved x = {0};
    x.from = NEW_ARRAY(q->arena, ah_expr, count + 1);
    x.to = NEW_ARRAY(q->arena, ah_expr, count + 1);
    bool *done = NEW_ARRAY(q->arena, bool, count + 1);
    bool again = true;
    while (again) {
        again = false;
        for (size_t i = 0; i < count; i++) {
            if (done[i]) continue;
            ah_expr now = put(q, &x, e[i]);
            model_put_values(q->v->model, &now, 1);
            done[i] = algebra_zero(q->alg, now) == AH_TRUE || solve_one(q, now, &x);
            again = again || done[i];
        }
    }
    for (size_t i = 0; i < count; i++)
        if (!done[i]) LIST_PUSH(q->arena, &x.left, put(q, &x, e[i]));
    return x;
}

/* With what was put in: zero, or a multiple of an equation that is left, by a factor that exists everywhere. */
static bool vanishes(question *q, const solved *x, ah_expr e)
{
    e = put(q, x, e);
    model_put_values(q->v->model, &e, 1);
    if (algebra_zero(q->alg, e) == AH_TRUE) return true;
    for (size_t i = 0; i < x->left.count; i++) {
        ah_expr top, below, ratio = expr_div(q->ctx, e, x->left.at[i]);
        model_put_values(q->v->model, &ratio, 1);
        if (!algebra_fraction(q->alg, ratio, &top, &below)) continue;
        const int sign = algebra_sign(q->alg, below);
        if (sign == 1 || sign == -1) return true;
    }
    return false;
}

/* ---- Both ways ------------------------------------------------------------------------------- */

/* Every state of the claimed case is singular. */
static bool loses_rank(question *q, const model_case *c)
{
    const solved x = solve(q, c->e, c->count);
    bool proved = false;
    ah_expr *e = mat_to_dense(q->ctx, q->arena, q->J);
    const uint32_t rows = q->J.rows, cols = q->J.cols;
    for (size_t i = 0; i < (size_t) rows * cols; i++)
        e[i] = vanishes(q, &x, e[i]) ? expr_int(q->ctx, 0) : put(q, &x, e[i]);
    model_put_values(q->v->model, e, (size_t) rows * cols);
    const mat there = mat_from_dense(q->ctx, q->arena, rows, cols, e);
    return algebra_rank(q->alg, there, NULL, &proved) < q->rank && proved;
}

/* Every state of the found case is one of a claimed case. */
static bool is_claimed(question *q, const ah_singular_case *c)
{
    const solved x = solve(q, c->equation, c->equations);
    for (size_t k = 0; k < q->s->cases; k++) {
        bool all = true;
        for (size_t i = 0; all && i < q->s->at[k].count; i++)
            all = vanishes(q, &x, q->s->at[k].e[i]);
        if (all) return true;
    }
    return false;
}

/* ---- A state that contradicts ---------------------------------------------------------------- */

/* Powers of two, so that quotients are exact. */
static double drawn(states_rng *rng)
{
    const double size = ldexp(1, (int) floor(probe_uniform(rng, -2, 3)));
    return probe_uniform(rng, -1, 1) < 0 ? -size : size;
}

/* Rational numbers for all that is free (at rest: no velocities), the solved ones through them. */
static bool draw_on(question *q, const solved *x, bool rest, states_rng *rng, frame *values)
{
    const ah_model *m = q->v->model;
    if (!analyse_random_state(q->v->parts[0], rng, values)) return false; /* parameters, t */
    frame_set(values, expr_time(q->ctx), drawn(rng));
    for (size_t i = 0; i < m->parameters.count; i++) {
        double *at = frame_ref(values, m->parameters.at[i].symbol);
        if (m->parameters.at[i].value == AH_NONE) *at = ldexp(nearbyint(ldexp(*at, 6)), -6);
    }
    for (uint32_t i = 0; i < m->n; i++) {
        frame_set(values, m->q.at[i], drawn(rng));
        frame_set(values, m->v.at[i], rest ? 0 : drawn(rng));
    }
    for (size_t i = 0; i < m->speeds.count; i++) /* nothing rests on them */
        frame_set(values, m->speeds.at[i].symbol, NAN);
    for (size_t k = x->count; k-- > 0;) {
        fmpq_t value;
        fmpq_init(value);
        ah_expr e = x->to[k];
        const bool exact = exact_value(q->v->model, values, e, value);
        const double y = exact ? fmpq_get_d(value) : NAN;
        fmpq_t back;
        fmpq_init(back);
        if (exact) exact_set_double(back, y);
        const bool same = exact && fmpq_equal(back, value);
        fmpq_clear(back);
        fmpq_clear(value);
        if (!same) return false;
        frame_set(values, x->from[k], y);
    }
    return true;
}

/* 0: it vanishes there, exactly; 1 or -1: its sign; 2: not known. */
static int sign_there(question *q, const frame *values, ah_expr e)
{
    fmpq_t value;
    fmpq_init(value);
    const bool known = exact_value(q->v->model, values, put(q, q->on, e), value);
    const int sign = known ? fmpq_sgn(value) : 2;
    fmpq_clear(value);
    return sign;
}

/* The constraints and the assumptions hold, exactly. */
static bool is_admissible(question *q, const frame *values)
{
    const ah_model *m = q->v->model;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        if (c->order != MODEL_ACCELERATION && sign_there(q, values, c->c)) return false;
        if (c->order == MODEL_HOLONOMIC && sign_there(q, values, expr_dt(q->ctx, c->c)))
            return false;
    }
    for (size_t i = 0; i < m->facts.count; i++) {
        const algebra_fact *f = &m->facts.at[i];
        const int sign = sign_there(q, values, f->e);
        if (sign == 2 || (f->positive ? sign < (f->border ? 0 : 1) : !sign)) return false;
    }
    return true;
}

/* Of J at the state, exactly; -1: not known. */
static int rank_there(question *q, const frame *values)
{
    const uint32_t rows = q->J.rows, cols = q->J.cols;
    ah_expr *e = mat_to_dense(q->ctx, q->arena, q->J);
    bool proved = false;
    for (size_t i = 0; i < (size_t) rows * cols; i++) {
        fmpq_t value;
        fmpq_init(value);
        const bool known = exact_value(q->v->model, values, put(q, q->on, e[i]), value);
        char *digits = known ? fmpq_get_str(NULL, 10, value) : NULL;
        fmpq_clear(value);
        if (!known) return -1;
        e[i] = expr_number(q->ctx, digits, strlen(digits));
        flint_free(digits);
        if (e[i] == AH_NONE) return -1;
    }
    const int rank =
        algebra_rank(q->alg, mat_from_dense(q->ctx, q->arena, rows, cols, e), NULL, &proved);
    return proved ? rank : -1;
}

/* Is the state in one of the claimed cases? 2: not known. */
static int is_in_case(question *q, const frame *values)
{
    int answer = 0;
    for (size_t k = 0; k < q->s->cases; k++) {
        bool out = false, known = true;
        for (size_t i = 0; i < q->s->at[k].count; i++) {
            const int sign = sign_there(q, values, q->s->at[k].e[i]);
            out = out || sign == 1 || sign == -1;
            known = known && sign != 2;
        }
        if (!out && known) return 1;
        if (!out) answer = 2;
    }
    return answer;
}

/* A state on the equations at which it fails. */
static bool contradict(question *q, const ah_expr *e, size_t count, bool singular,
                       verify_claim *out)
{
    const ah_model *m = q->v->model;
    expr_list all = {0};
    for (size_t i = 0; i < count; i++) LIST_PUSH(q->arena, &all, e[i]);
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order != MODEL_ACCELERATION)
            LIST_PUSH(q->arena, &all, m->constraints.at[i].c);
    q->some = true;
    const solved x = solve(q, all.at, all.count);
    q->some = false;
    q->on = &x;
    states_rng rng = probe_seed(q->v->seed);
    frame *values = probe_values(q->v->model, q->arena);
    bool found = false;
    for (int k = 0; k < SINGULAR_TRIES && !found; k++) {
        if (!draw_on(q, &x, k % 2, &rng, values) || !is_admissible(q, values)) continue;
        const int rank = rank_there(q, values);
        if (rank < 0 || (rank < q->rank) != singular || is_in_case(q, values) != !singular)
            continue;
        out->values = values;
        out->left = rank;
        out->right = q->rank;
        out->verdict = AH_VERDICT_FALSE;
        out->why = singular ? "a singular state that is not among them; its rank and that of others"
                            : "a state among them that is regular; its rank and that of others";
        found = true;
    }
    q->on = NULL;
    return found;
}

/* ---- The claim ------------------------------------------------------------------------------- */

static void judge(question *q, verify_claim *out)
{
    const ah_singular *f = q->found;
    size_t open = 0;
    for (size_t i = 0; i < q->s->cases; i++) {
        if (loses_rank(q, &q->s->at[i])) continue;
        if (contradict(q, q->s->at[i].e, q->s->at[i].count, false, out)) return;
        out->why = "not every state of the cases was proved to be singular";
        open++;
    }
    for (size_t i = 0; f->listed && i < f->cases; i++) {
        if (is_claimed(q, &f->at[i])) continue;
        if (contradict(q, f->at[i].equation, f->at[i].equations, true, out)) return;
        out->why = "not every singular state was proved to be among the cases";
        open++;
    }
    if (!f->listed) out->why = f->why ? f->why : "the singular states could not be listed";
    if (open || !f->listed) return;
    out->verdict = AH_VERDICT_PROVED;
    out->why = NULL;
    if (f->generic) out->general |= VERDICT_ANYTHING;
}

/* On x'y' = 0, y'z' = 0 the rows have rank 1 wherever y' = 0, and rank 2 on x' = z' = 0: what one rank is lost
 * where? */
static bool has_one_rank(const verification *v)
{
    const components *c = v->components;
    for (size_t i = 0; c->complete && c->count > 1 && i < c->count; i++)
        if (c->at[i].relations - c->at[i].places != v->model->rank) return false;
    return true;
}

/* Where sqrt(x'^2 + y'^2) = z' has its tip there is no gradient, and no rank; NULL: there is one everywhere. */
static const char *without_gradient(question *q)
{
    const expr_list nodes = expr_reachable(q->ctx, q->arena, q->J.val, mat_entries(q->J));
    const ah_expr u = claim_pole_among(q->v, &nodes);
    if (u == AH_NONE) return NULL;
    return arena_printf(q->arena, "the gradients of the constraints may not exist where %s = 0",
                        expr_text(q->ctx, q->arena, u, AH_ASCII));
}

void claim_singular(verification *v, const model_claim *claim, verify_claim *out)
{
    question q = {.v = v, .ctx = v->ctx, .arena = v->arena, .s = claim->statement};
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = "the constraints are in the velocity form alone";
    if (v->model->speeds.count && !v->model->constraints.count) return;
    out->why = "the singular states could not be listed";
    if (kind_singular(v->model, &q.found) != AH_OK) return;
    q.alg = v->mech->alg;
    q.J = model_rows(v->model, v->arena);
    q.rank = (int) v->mech->rank; /* rows of constraints on accelerations included */
    if (v->mech->second_class_nonlinear || kinks_in_rows(v->model))
        out->why = q.found->why;
    else if ((out->why = without_gradient(&q)) != NULL)
        return;
    else if (!has_one_rank(v))
        out->why = "the constraints have another rank on a component than elsewhere";
    else
        judge(&q, out);
}
