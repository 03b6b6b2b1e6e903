/* claims/claim_branches.c - claims about systems whose accelerations are the least of several
 * stationary points of Gauss' function (state/second_class.h).
 *
 * A claim must hold at every global minimum. For certain: at a state that is rational, with
 * constraints polynomial in the accelerations, the algebra finds all stationary points. Each of
 * them is enclosed, and so is Gauss' function there. Those that may be the least (a tie cannot be
 * proved by balls) must all be counter-examples. */
#include "claim.h"

#include <math.h>
#include <string.h>

enum { BITS = 192 };

/* ---- Symbols --------------------------------------------------------------------------------- */

bool branches_place(verification *v, ah_expr symbol)
{
    int extra;
    uint32_t row, col;
    const ah_symbol_kind kind = expr_get_kind(v->ctx, symbol);
    if (kind == AH_ACCELERATION) return true;
    return kind == AH_DERIVED && claim_locate(v, symbol, &extra, &row, &col) &&
           extra == MOTION_LAMBDA;
}

/* Of a symbol: its row among the accelerations, or behind them among the multipliers. */
static uint32_t row_of(const verification *v, ah_expr symbol)
{
    int extra;
    uint32_t row = 0, col;
    if (expr_get_kind(v->ctx, symbol) == AH_ACCELERATION) {
        while (v->model->a.at[row] != symbol) row++;
        return row;
    }
    claim_locate(v, symbol, &extra, &row, &col);
    return v->mech->n + row;
}

/* ---- Doubles --------------------------------------------------------------------------------- */

static bool may_be_least(const second_class_answer *a, size_t i)
{
    const double x = a->branch[i].gauss, y = a->branch[0].gauss;
    return fabs(x - y) <= SECOND_CLASS_TIE * fmax(fabs(x), fabs(y));
}

static void put_branch(const verification *v, const trial *t, const second_class_branch *b,
                       point *p)
{
    for (size_t i = 0; i < t->motion.count; i++) {
        const uint32_t row = row_of(v, t->motion.at[i]), n = v->mech->n;
        point_set(p, t->motion.at[i], row < n ? b->qddot[row] : b->multipliers[row - n]);
    }
}

trial_answer branches_judge(verification *v, const trial *t, point *p)
{
    const eval_result r = eval_at(&v->second_class, p);
    trial_answer worst = TRIAL_SKIPPED;
    if (r.refused) return TRIAL_SKIPPED;
    v->rcond = 1;
    for (size_t i = 0; i < r.branches->count && may_be_least(r.branches, i); i++) {
        v->acceleration = 0;
        for (uint32_t k = 0; k < v->mech->n; k++)
            v->acceleration = fmax(v->acceleration, fabs(r.branches->branch[i].qddot[k]));
        put_branch(v, t, &r.branches->branch[i], p);
        const trial_answer answer = trial_judge(v, t, p);
        if (answer == TRIAL_SKIPPED) return answer;
        if (i == 0 || answer > worst) worst = answer;
    }
    return worst;
}

/* ---- Balls ----------------------------------------------------------------------------------- */

/* What is solved for, and Gauss' function up to a constant: ½ aᵀMa − aᵀL. */
void branches_open(verification *v)
{
    ah_ctx *ctx = v->ctx;
    const ah_model *m = v->model;
    const uint32_t n = m->n, N = n + (uint32_t) m->constraints.count;
    ah_expr *unknown = NEW_ARRAY(v->arena, ah_expr, N), *equation = NEW_ARRAY(v->arena, ah_expr, N);
    for (uint32_t i = 0; i < N; i++)
        unknown[i] = i < n ? m->a.at[i] : model_multiplier(m, i - n, false);
    second_class_equations(v->model, v->arena, unknown + n, equation);
    v->gauss = expr_int(ctx, 0);
    for (uint32_t i = 0; i < n; i++) {
        ah_expr row = expr_neg(ctx, mat_get(ctx, v->mech->L, i, 0));
        for (uint32_t j = 0; j < n; j++)
            row = expr_add(
                ctx, row,
                expr_mul(ctx, expr_rational(ctx, 1, 2),
                         expr_mul(ctx, mat_get(ctx, mechanics_mass(v->mech), i, j), m->a.at[j])));
        v->gauss = expr_add(ctx, v->gauss, expr_mul(ctx, m->a.at[i], row));
    }
    v->stationary = (balls_state){.unknowns = N, .unknown = unknown, .equation = equation};
}

typedef struct branch_work {
    verification *v;
    const trial *t;
    point *p;
    ball_frame *ball; /* the state */
    arb_ptr branch;   /* the unknowns of each, then Gauss' function */
    arb_ptr sides;    /* 3 */
} branch_work;

static arb_ptr unknowns_of(const branch_work *w, size_t branch)
{
    return w->branch + branch * (w->v->stationary.unknowns + 1);
}

static arb_ptr gauss_of(const branch_work *w, size_t branch)
{
    return unknowns_of(w, branch) + w->v->stationary.unknowns;
}

static bool enclose_branch(branch_work *w, const second_class_branch *b, size_t k)
{
    verification *v = w->v;
    const size_t n = v->mech->n, N = v->stationary.unknowns;
    double *guess = NEW_ARRAY(&v->ctx->scratch, double, N);
    for (size_t i = 0; i < N; i++) {
        guess[i] = i < n ? b->qddot[i] : b->multipliers[i - n];
        if (!isfinite(guess[i])) return false;
    }
    balls_state system = v->stationary;
    system.guess = guess;
    if (!enclose_roots(&system, w->ball, BITS)) return false;
    expr_eval_balls(w->ball, &v->gauss, 1, BITS, gauss_of(w, k));
    for (size_t i = 0; i < N; i++)
        arb_set(unknowns_of(w, k) + i, ball_frame_get(w->ball, system.unknown[i]));
    return true;
}

static bool overlap(const branch_work *w, size_t i, size_t k)
{
    for (size_t j = 0; j < w->v->stationary.unknowns; j++)
        if (!arb_overlaps(unknowns_of(w, i) + j, unknowns_of(w, k) + j)) return false;
    return true;
}

/* All of them, and all different: as many as the algebra found. */
static bool enclose_all(branch_work *w, const second_class_answer *a)
{
    for (size_t k = 0; k < a->count; k++) {
        if (!enclose_branch(w, &a->branch[k], k)) return false;
        for (size_t i = 0; i < k; i++)
            if (overlap(w, i, k)) return false;
    }
    return true;
}

static bool is_never_least(const branch_work *w, size_t count, size_t k)
{
    for (size_t i = 0; i < count; i++)
        if (arb_lt(gauss_of(w, i), gauss_of(w, k))) return true;
    return false;
}

/* The claim at one of them, whose numbers go into the state. */
static certainty compare_branch(branch_work *w, size_t k)
{
    verification *v = w->v;
    for (size_t i = 0; i < w->t->motion.count; i++) {
        arb_ptr x = unknowns_of(w, k) + row_of(v, w->t->motion.at[i]);
        arb_set(ball_frame_ref(w->ball, w->t->motion.at[i]), x);
    }
    return certain_sides(v, w->t, w->p, w->ball, w->sides, BITS);
}

static certainty compare_all(branch_work *w, const second_class_answer *a)
{
    size_t different = 0, equal = 0, all = 0, first = 0;
    for (size_t k = 0; k < a->count; k++) {
        if (is_never_least(w, a->count, k)) continue;
        const certainty answer = compare_branch(w, k);
        if (all++ == 0) first = k;
        different += answer == CERTAIN_DIFFERENT;
        equal += answer == CERTAIN_EQUAL;
    }
    if (equal == all) return CERTAIN_EQUAL;
    return different == all ? compare_branch(w, first) : CERTAIN_NOT;
}

static bool is_rational(const branch_work *w)
{
    const ah_model *m = w->v->model;
    for (uint32_t i = 0; i < m->n; i++)
        if (!enclosed_is_exact(w->v->enclosed, m->q.at[i]) ||
            !enclosed_is_exact(w->v->enclosed, m->v.at[i]))
            return false;
    return second_class_rational(w->v->model, w->p->values);
}

static certainty look(branch_work *w, const second_class_answer *a, const char **why)
{
    *why = enclosed_at(w->v->enclosed, w->p->values, w->ball, BITS);
    if (*why) return CERTAIN_NOT;
    *why = "the accelerations are the least of several that are known to be all only where "
           "everything is rational";
    if (!a->complete || !a->singular_known || !is_rational(w)) return CERTAIN_NOT;
    if (strcmp(a->branch[0].kind, "minimum")) return CERTAIN_NOT;
    *why = "the stationary points of Gauss' function could not be enclosed";
    return enclose_all(w, a) ? compare_all(w, a) : CERTAIN_NOT;
}

certainty branches_certain(verification *v, const trial *t, point *p, const char **why)
{
    arena *scratch = &v->ctx->scratch;
    const eval_result r = eval_at(&v->second_class, p);
    if (r.refused) return CERTAIN_OUTSIDE;
    const arena_mark mark = arena_get_mark(scratch);
    branch_work w = {
        .v = v,
        .t = t,
        .p = p,
        .ball = ball_frame_create(v->ctx, scratch),
        .branch = ball_array(scratch, r.branches->count * (v->stationary.unknowns + 1)),
        .sides = ball_array(scratch, 3),
    };
    const certainty answer = look(&w, r.branches, why);
    if (answer == CERTAIN_DIFFERENT) certain_keep(v, t, w.sides);
    arena_release(scratch, mark);
    return answer;
}
