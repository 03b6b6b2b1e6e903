/* sheet/balls.c - the interpreter of worksheets in Arb balls.
 *
 * The same operations as run.c, with the pivots and ranks that the run in doubles chose there: a
 * ball never proves that a number is zero, so ranks cannot be found here. Where the run in doubles
 * takes orthonormal null spaces, any basis serves as well, and the one from the pivots is exact. */
#include "balls.h"
#include "kkt_balls.h"
#include "tree_balls.h"

#include "../numeric/numeric.h"
#include "enclose.h"

#include <math.h>
#include <string.h>

/* Bits beyond the wanted digits at first; then twice as many bits each time. */
#define BALLS_GUARD_BITS 64
#define BALLS_ATTEMPTS   6
#define SHARPENINGS      8 /* of a box around a root: each doubles the digits */

/* Everything that holds FLINT's memory, so that one call frees it all. */
typedef struct store {
    size_t nodes, scalars;
    arb_ptr scalar;        /* work space */
    arb_mat_struct *value; /* by quantity */
} store;

typedef struct machine {
    ah_ctx *ctx;
    arena *arena;
    const sheet *sheet;
    const runner *run;
    const balls_state *state;
    const bool *needed;
    ball_frame *values; /* the state */
    store *st;
    slong bits;
} machine;

#define NODE(x)     (&m->sheet->nodes.at[x])
#define VALUE(x)    (&m->st->value[x])
#define IN(node, k) VALUE((node)->in[k])

static void destroy_store(void *data)
{
    store *st = data;
    _arb_vec_clear(st->scalar, (slong) st->scalars);
    for (size_t i = 0; i < st->nodes; i++) arb_mat_clear(&st->value[i]);
}

/* ---- The state ------------------------------------------------------------------------------- */

static void evaluate(machine *m, const ah_expr *roots, size_t count, arb_ptr out)
{
    expr_eval_balls(m->values, roots, count, m->bits, out);
}

/* Jacobian and right side of one Newton step, from balls laid out as g, then J by rows. */
static bool newton_solve(slong n, arb_srcptr g, arb_srcptr J, arb_ptr step, slong bits)
{
    arb_mat_t A, b, x;
    arb_mat_init(A, n, n);
    arb_mat_init(b, n, 1);
    arb_mat_init(x, n, 1);
    for (slong i = 0; i < n; i++) {
        arb_set(arb_mat_entry(b, i, 0), g + i);
        for (slong j = 0; j < n; j++) arb_set(arb_mat_entry(A, i, j), J + i * n + j);
    }
    const bool good = arb_mat_solve(x, A, b, bits);
    for (slong i = 0; good && i < n; i++) arb_set(step + i, arb_mat_entry(x, i, 0));
    arb_mat_clear(A);
    arb_mat_clear(b);
    arb_mat_clear(x);
    return good;
}

/* The unknowns' system: g, then its Jacobian by rows. */
static ah_expr *newton_roots(machine *m)
{
    const balls_state *s = m->state;
    const size_t n = s->unknowns;
    ah_expr *roots = NEW_ARRAY(m->arena, ah_expr, n + n * n + 1);
    for (size_t i = 0; i < n; i++) {
        roots[i] = s->equation[i];
        for (size_t j = 0; j < n; j++)
            roots[n + i * n + j] = s->jacobian ? s->jacobian[i * n + j]
                                               : expr_diff(m->ctx, s->equation[i], s->unknown[j]);
    }
    return roots;
}

/* From the guess to a root as good as the precision allows. Work space: g, J, step. */
static bool approach(machine *m, const ah_expr *roots, size_t n, arb_ptr work)
{
    arb_ptr step = work + n + n * n;
    for (size_t i = 0; i < n; i++)
        arb_set_d(ball_frame_ref(m->values, m->state->unknown[i]), m->state->guess[i]);
    for (slong right = 20; right < 4 * m->bits; right *= 2) {
        evaluate(m, roots, n + n * n, work);
        if (!newton_solve((slong) n, work, work + n, step, m->bits)) return false;
        for (size_t i = 0; i < n; i++) {
            arb_ptr z = ball_frame_ref(m->values, m->state->unknown[i]);
            arb_sub(z, z, step + i, m->bits);
            arb_get_mid_arb(z, z);
        }
    }
    return true;
}

/* Moore's test: with the box Z around the point z, N = z − J(Z)⁻¹ g(z) inside Z proves one root in
 * N.
 */
static bool enclose(machine *m, const ah_expr *roots, size_t n, arb_ptr work, slong exponent)
{
    arb_ptr g = work, J = work + n, step = J + n * n, box = step + n;
    bool inside = true;
    evaluate(m, roots, n, g);
    for (size_t i = 0; i < n; i++) {
        arb_ptr z = ball_frame_ref(m->values, m->state->unknown[i]);
        arb_set(box + i, z);
        arb_add_error_2exp_si(z, exponent);
    }
    evaluate(m, roots, n, step); /* finite on the whole box: no jumps, so that J tells all */
    for (size_t i = 0; i < n; i++) inside = inside && arb_is_finite(step + i);
    evaluate(m, roots + n, n * n, J);
    if (inside && !newton_solve((slong) n, g, J, step, m->bits)) inside = false;
    for (size_t i = 0; i < n; i++) {
        arb_ptr z = ball_frame_ref(m->values, m->state->unknown[i]);
        if (inside) arb_sub(step + i, box + i, step + i, m->bits);
        if (inside && !arb_contains(z, step + i)) inside = false;
    }
    for (size_t i = 0; i < n; i++)
        arb_set(ball_frame_ref(m->values, m->state->unknown[i]), inside ? step + i : box + i);
    return inside;
}

/* Newton's step from the middle of a box that holds a root, with the slopes of the whole box: the root is in both. */
static void sharpen(machine *m, const ah_expr *roots, size_t n, arb_ptr work)
{
    arb_ptr g = work, J = work + n, step = J + n * n, box = step + n;
    evaluate(m, roots + n, n * n, J);
    for (size_t i = 0; i < n; i++) {
        arb_ptr z = ball_frame_ref(m->values, m->state->unknown[i]);
        arb_set(box + i, z);
        arb_get_mid_arb(z, z);
    }
    evaluate(m, roots, n, g);
    const bool good = newton_solve((slong) n, g, J, step, m->bits);
    for (size_t i = 0; i < n; i++) {
        arb_ptr z = ball_frame_ref(m->values, m->state->unknown[i]);
        if (good) arb_sub(step + i, z, step + i, m->bits);
        if (!good || !arb_intersection(z, box + i, step + i, m->bits)) arb_set(z, box + i);
    }
}

/* From a guess that is far off the box around its root is wide. */
static bool is_wide(const machine *m)
{
    for (size_t i = 0; i < m->state->unknowns; i++)
        if (mag_cmp_2exp_si(arb_radref(ball_frame_get(m->values, m->state->unknown[i])),
                            -m->bits / 2) > 0)
            return true;
    return false;
}

static bool find_unknowns(machine *m)
{
    const size_t n = m->state->unknowns;
    arb_ptr work = m->st->scalar;
    if (!n) return true;
    const ah_expr *roots = newton_roots(m);
    if (!approach(m, roots, n, work)) return false;
    bool found = false;
    for (slong exponent = -m->bits + 8; exponent < -8 && !found; exponent += 8)
        found = enclose(m, roots, n, work, exponent);
    for (int k = 0; found && k < SHARPENINGS && is_wide(m); k++) sharpen(m, roots, n, work);
    return found;
}

static bool put_state(machine *m)
{
    const balls_state *s = m->state;
    ball_frame_forget(m->values);
    for (size_t i = 0; i < s->count; i++)
        ball_frame_put(m->values, s->symbol[i], s->value[i], m->bits);
    return find_unknowns(m);
}

/* ---- Operations ------------------------------------------------------------------------------ */

/* Independent rows of the operand first, as the run in doubles found them. */
static uint32_t *row_order(machine *m, quantity J, uint32_t expected)
{
    const sheet_node *node = NODE(J);
    uint32_t *order = NEW_ARRAY(m->arena, uint32_t, node->rows + 1);
    run_rows(m->run, J, expected, order);
    return order;
}

/* Dependent columns of the chosen rows first, then the independent ones. */
static uint32_t *column_order(machine *m, quantity J, const uint32_t *rows, uint32_t k)
{
    const uint32_t n = NODE(J)->cols;
    const double *A = run_get(m->run, J);
    double *Js = NEW_ARRAY(m->arena, double, (size_t) k *n + 1);
    uint32_t *order = NEW_ARRAY(m->arena, uint32_t, n + 1);
    for (uint32_t i = 0; i < k; i++)
        memcpy(Js + (size_t) i * n, A + (size_t) rows[i] * n, n * sizeof *Js);
    const double *unit = n == m->sheet->units ? m->sheet->unit : NULL;
    linear_column_order(&m->ctx->scratch, k, n, linear_in_units(m->arena, k, n, Js, unit), order);
    return order;
}

/* Columns D of Y put as rows D of out, with a sign: out_D = −Y. */
static void put_negated_rows(arb_mat_t out, const arb_mat_t Y, const uint32_t *D)
{
    for (slong i = 0; i < arb_mat_nrows(Y); i++)
        for (slong j = 0; j < arb_mat_ncols(Y); j++)
            arb_neg(arb_mat_entry(out, (slong) D[i], j), arb_mat_entry(Y, i, j));
}

/* With D the k dependent columns of the rows R and I the others: Ψ = (1; −J_D⁻¹ J_I) and the drift
 * (0; −J_D⁻¹ γ). Either may be NULL. */
static bool local_chart(machine *m, const arb_mat_t J, const arb_mat_t gamma, uint32_t k,
                        const uint32_t *R, const uint32_t *I, const uint32_t *D,
                        arb_mat_struct *Psi, arb_mat_struct *drift)
{
    const slong free = arb_mat_ncols(J) - (slong) k;
    arb_mat_t JD, JI, g, Y, y;
    arb_mat_init(JD, k, k);
    arb_mat_init(JI, k, free);
    arb_mat_init(g, k, 1);
    arb_mat_init(Y, k, free);
    arb_mat_init(y, k, 1);
    balls_pick(JD, J, R, D);
    balls_pick(JI, J, R, I);
    balls_pick(g, gamma, R, NULL);
    const bool good =
        (!Psi || balls_solve(JD, JI, Y, m->bits)) && (!drift || balls_solve(JD, g, y, m->bits));
    if (Psi && good) {
        arb_mat_zero(Psi);
        put_negated_rows(Psi, Y, D);
        for (slong i = 0; i < free; i++) arb_one(arb_mat_entry(Psi, (slong) I[i], i));
    }
    if (drift && good) {
        arb_mat_zero(drift);
        put_negated_rows(drift, y, D);
    }
    arb_mat_clear(JD);
    arb_mat_clear(JI);
    arb_mat_clear(g);
    arb_mat_clear(Y);
    arb_mat_clear(y);
    return good;
}

static bool run_chart(machine *m, quantity x)
{
    const sheet_node *node = NODE(x);
    const uint32_t n = NODE(node->in[0])->cols, k = node->rank;
    const uint32_t *I = run_independent(m->run, x), *D = I + (n - k);
    if (node->op == SHEET_INDEPENDENT) {
        arb_mat_zero(VALUE(x));
        for (uint32_t i = 0; i < n - k; i++) arb_one(arb_mat_entry(VALUE(x), i, I[i]));
        return true;
    }
    const bool chart = node->op == SHEET_CHART;
    return local_chart(m, IN(node, 0), IN(node, 1), k, row_order(m, node->in[0], k), I, D,
                       chart ? VALUE(x) : NULL, chart ? NULL : VALUE(x));
}

/* Of the constraints proper, which stand below the bodies' rows. */
static uint32_t *order_below(machine *m, const sheet_node *node, uint32_t bodies)
{
    const uint32_t cols = NODE(node->in[1])->cols, r = NODE(node->in[1])->rows - bodies;
    const uint32_t n = cols - bodies;
    double *J = NEW_ARRAY(m->arena, double, (size_t) r *n + 1);
    uint32_t *order = NEW_ARRAY(m->arena, uint32_t, r + 1);
    const double *all = run_get(m->run, node->in[1]);
    for (uint32_t i = 0; i < r; i++)
        memcpy(J + (size_t) i * n, all + (size_t) (bodies + i) * cols + bodies, n * sizeof *J);
    if (r) linear_row_rank(&m->ctx->scratch, r, n, J, order);
    return order;
}

/* The rows and columns behind the bodies'. */
static void window(arb_mat_t out, const arb_mat_t A, slong row, slong col)
{
    for (slong i = 0; i < arb_mat_nrows(out); i++)
        for (slong j = 0; j < arb_mat_ncols(out); j++)
            arb_set(arb_mat_entry(out, i, j), arb_mat_entry(A, row + i, col + j));
}

/* A tree of bodies: q'' and λ by its mass matrix, then w' and what carries the bodies. The order of unknowns is w', q'', f, λ. */
static bool solve_tree(machine *m, const sheet_node *node, arb_mat_t x)
{
    const slong bodies = (slong) node->tree->bodies * node->tree->width;
    const slong n = NODE(node->in[0])->rows - bodies, r = NODE(node->in[1])->rows - bodies;
    const tree_balls t = {node->tree, IN(node, 0), IN(node, 1), m->bits};
    arb_mat_t M, J, L, gamma, y, a, w, f;
    arb_mat_init(M, n, n);
    arb_mat_init(J, r, n);
    arb_mat_init(L, n, 1);
    arb_mat_init(gamma, r, 1);
    arb_mat_init(y, n + r, 1);
    arb_mat_init(a, n, 1);
    arb_mat_init(w, bodies, 1);
    arb_mat_init(f, bodies, 1);
    tree_balls_mass(&t, M);
    window(J, IN(node, 1), bodies, bodies);
    window(L, IN(node, 2), bodies, 0);
    window(gamma, IN(node, 3), bodies, 0);
    const kkt_balls p = {
        M, J, L, gamma, order_below(m, node, (uint32_t) bodies), (slong) node->rank - bodies};
    const bool good = kkt_balls_solve(&p, y, m->bits);
    window(a, y, 0, 0);
    if (good) tree_balls_bodies(&t, a, w, f);
    for (slong i = 0; good && i < bodies; i++) {
        arb_set(arb_mat_entry(x, i, 0), arb_mat_entry(w, i, 0));
        arb_set(arb_mat_entry(x, bodies + n + i, 0), arb_mat_entry(f, i, 0));
    }
    for (slong i = 0; good && i < n + r; i++)
        arb_set(arb_mat_entry(x, i < n ? bodies + i : 2 * bodies + i, 0), arb_mat_entry(y, i, 0));
    arb_mat_clear(M);
    arb_mat_clear(J);
    arb_mat_clear(L);
    arb_mat_clear(gamma);
    arb_mat_clear(y);
    arb_mat_clear(a);
    arb_mat_clear(w);
    arb_mat_clear(f);
    return good;
}

static bool op_kkt(machine *m, quantity x)
{
    const sheet_node *node = NODE(x);
    if (node->tree) return solve_tree(m, node, VALUE(x));
    const kkt_balls p = {IN(node, 0),
                         IN(node, 1),
                         IN(node, 2),
                         IN(node, 3),
                         row_order(m, node->in[1], node->rank),
                         (slong) node->rank};
    return kkt_balls_solve(&p, VALUE(x), m->bits);
}

/* a = Ψ y + d with (ΨᵀMΨ) y = Ψᵀ(L − M d). */
static bool least_constraint(arb_mat_t a, const arb_mat_t M, const arb_mat_t L, const arb_mat_t Psi,
                             const arb_mat_t d, slong bits)
{
    const slong n = arb_mat_nrows(Psi), free = arb_mat_ncols(Psi);
    arb_mat_t PsiT, MPsi, S, rest, rhs, y;
    arb_mat_init(PsiT, free, n);
    arb_mat_init(MPsi, n, free);
    arb_mat_init(S, free, free);
    arb_mat_init(rest, n, 1);
    arb_mat_init(rhs, free, 1);
    arb_mat_init(y, free, 1);
    arb_mat_transpose(PsiT, Psi);
    arb_mat_mul(MPsi, M, Psi, bits);
    arb_mat_mul(S, PsiT, MPsi, bits);
    arb_mat_mul(rest, M, d, bits);
    arb_mat_sub(rest, L, rest, bits);
    arb_mat_mul(rhs, PsiT, rest, bits);
    const bool good = balls_solve(S, rhs, y, bits);
    if (good) {
        arb_mat_mul(rest, Psi, y, bits);
        arb_mat_add(a, rest, d, bits);
    }
    arb_mat_clear(PsiT);
    arb_mat_clear(MPsi);
    arb_mat_clear(S);
    arb_mat_clear(rest);
    arb_mat_clear(rhs);
    arb_mat_clear(y);
    return good;
}

static bool op_gauss(machine *m, quantity x)
{
    const sheet_node *node = NODE(x);
    const slong n = NODE(node->in[0])->rows, k = node->rank;
    const uint32_t *R = row_order(m, node->in[1], node->rank);
    const uint32_t *D = column_order(m, node->in[1], R, (uint32_t) k);
    arb_mat_t Psi, d;
    arb_mat_init(Psi, n, n - k);
    arb_mat_init(d, n, 1);
    const bool good = local_chart(m, IN(node, 1), IN(node, 3), (uint32_t) k, R, D + k, D, Psi, d) &&
                      least_constraint(VALUE(x), IN(node, 0), IN(node, 2), Psi, d, m->bits);
    arb_mat_clear(Psi);
    arb_mat_clear(d);
    return good;
}

/* X A = 0 with the rows P of A independent and Q the others: X = (−A_Q A_P⁻¹ at P, 1 at Q). */
static bool op_annihilator(machine *m, quantity x)
{
    const sheet_node *node = NODE(x), *of = NODE(node->in[0]);
    const slong k = of->cols, rest = (slong) of->rows - k;
    const uint32_t *P = row_order(m, node->in[0], of->cols), *Q = P + k;
    arb_mat_t PT, QT, Y;
    arb_mat_init(PT, k, k);
    arb_mat_init(QT, k, rest);
    arb_mat_init(Y, k, rest);
    for (slong j = 0; j < k; j++) {
        for (slong i = 0; i < k; i++)
            arb_set(arb_mat_entry(PT, j, i), arb_mat_entry(IN(node, 0), (slong) P[i], j));
        for (slong i = 0; i < rest; i++)
            arb_set(arb_mat_entry(QT, j, i), arb_mat_entry(IN(node, 0), (slong) Q[i], j));
    }
    const bool good = balls_solve(PT, QT, Y, m->bits);
    arb_mat_zero(VALUE(x));
    for (slong i = 0; i < rest; i++) {
        arb_one(arb_mat_entry(VALUE(x), i, (slong) Q[i]));
        for (slong j = 0; j < k; j++)
            arb_neg(arb_mat_entry(VALUE(x), i, (slong) P[j]), arb_mat_entry(Y, j, i));
    }
    arb_mat_clear(PT);
    arb_mat_clear(QT);
    arb_mat_clear(Y);
    return good;
}

static bool op_leaf(machine *m, quantity x)
{
    const mat leaf = NODE(x)->leaf;
    arb_mat_zero(VALUE(x));
    evaluate(m, leaf.val, mat_entries(leaf), m->st->scalar);
    for (uint32_t i = 0; i < leaf.rows; i++)
        for (uint32_t e = leaf.start[i]; e < leaf.start[i + 1]; e++)
            arb_set(arb_mat_entry(VALUE(x), i, leaf.col[e]), m->st->scalar + e);
    return true;
}

/* The entries of A from (row, col) on, side by side or above each other. */
static void place(arb_mat_t out, const arb_mat_t A, slong row, slong col)
{
    for (slong i = 0; i < arb_mat_nrows(A); i++)
        for (slong j = 0; j < arb_mat_ncols(A); j++)
            arb_set(arb_mat_entry(out, row + i, col + j), arb_mat_entry(A, i, j));
}

static void reshape(arb_mat_t out, const arb_mat_t A)
{
    const slong cols = arb_mat_ncols(A);
    for (slong i = 0; i < arb_mat_nrows(A); i++)
        for (slong j = 0; j < cols; j++) {
            const slong at = i * cols + j;
            arb_set(arb_mat_entry(out, at / arb_mat_ncols(out), at % arb_mat_ncols(out)),
                    arb_mat_entry(A, i, j));
        }
}

static bool op_mul(machine *m, quantity x)
{
    arb_mat_mul(VALUE(x), IN(NODE(x), 0), IN(NODE(x), 1), m->bits);
    return true;
}

static bool op_add(machine *m, quantity x)
{
    arb_mat_add(VALUE(x), IN(NODE(x), 0), IN(NODE(x), 1), m->bits);
    return true;
}

static bool op_sub(machine *m, quantity x)
{
    arb_mat_sub(VALUE(x), IN(NODE(x), 0), IN(NODE(x), 1), m->bits);
    return true;
}

static bool op_neg(machine *m, quantity x)
{
    arb_mat_neg(VALUE(x), IN(NODE(x), 0));
    return true;
}

static bool op_transpose(machine *m, quantity x)
{
    arb_mat_transpose(VALUE(x), IN(NODE(x), 0));
    return true;
}

static bool op_stack(machine *m, quantity x)
{
    place(VALUE(x), IN(NODE(x), 0), 0, 0);
    place(VALUE(x), IN(NODE(x), 1), arb_mat_nrows(IN(NODE(x), 0)), 0);
    return true;
}

static bool op_beside(machine *m, quantity x)
{
    place(VALUE(x), IN(NODE(x), 0), 0, 0);
    place(VALUE(x), IN(NODE(x), 1), 0, arb_mat_ncols(IN(NODE(x), 0)));
    return true;
}

static bool op_rows(machine *m, quantity x)
{
    balls_pick(VALUE(x), IN(NODE(x), 0), NODE(x)->index, NULL);
    return true;
}

static bool op_cols(machine *m, quantity x)
{
    balls_pick(VALUE(x), IN(NODE(x), 0), NULL, NODE(x)->index);
    return true;
}

static bool op_reshape(machine *m, quantity x)
{
    reshape(VALUE(x), IN(NODE(x), 0));
    return true;
}

static bool op_solve(machine *m, quantity x)
{
    return balls_solve(IN(NODE(x), 0), IN(NODE(x), 1), VALUE(x), m->bits);
}

static bool op_chart(machine *m, quantity x)
{
    return run_chart(m, x);
}

static bool op_drift(machine *m, quantity x)
{
    return run_chart(m, x);
}

static bool op_independent(machine *m, quantity x)
{
    return run_chart(m, x);
}

static bool (*const operation[SHEET_OPERATIONS])(machine *m, quantity x) = {
#define X(op, word) [SHEET_##op] = op_##word,
#include "operations.def"
#undef X
};

static bool run_sheet(machine *m)
{
    for (quantity x = 0; x < m->sheet->nodes.count; x++) {
        ctx_tick(m->ctx);
        if (m->needed[x] && !operation[NODE(x)->op](m, x)) return false;
    }
    return true;
}

static bool run_all(machine *m)
{
    return put_state(m) && run_sheet(m);
}

/* ---- Answers --------------------------------------------------------------------------------- */

/* Radii at most 10^-digits of the largest entry; of one where every entry may be zero. */
static bool is_sharp(const arb_mat_t A, int digits)
{
    arb_t largest, bound;
    mag_t worst;
    bool sharp = true, zero = true;
    arb_init(largest);
    arb_init(bound);
    mag_init(worst);
    for (slong i = 0; i < arb_mat_nrows(A); i++)
        for (slong j = 0; j < arb_mat_ncols(A); j++) {
            arb_srcptr x = arb_mat_entry(A, i, j);
            if (!arb_is_finite(x)) sharp = false;
            if (!arb_contains_zero(x)) zero = false;
            if (mag_cmp(arb_radref(x), worst) > 0) mag_set(worst, arb_radref(x));
            arb_abs(bound, x);
            arb_get_mid_arb(bound, bound);
            if (arb_gt(bound, largest)) arb_set(largest, bound);
        }
    if (zero) arb_one(largest);
    arb_ui_pow_ui(bound, 10, (ulong) digits, 64);
    arb_div(bound, largest, bound, 64);
    if (sharp && !mag_is_zero(worst)) sharp = arf_cmpabs_mag(arb_midref(bound), worst) >= 0;
    arb_clear(largest);
    arb_clear(bound);
    mag_clear(worst);
    return sharp;
}

static void free_text(void *data)
{
    flint_free(data);
}

/* The exponent of ten above the distance of x from the decimal s. */
static int distance(const arb_t x, const char *s, slong bits)
{
    arb_t y;
    mag_t d;
    arb_init(y);
    mag_init(d);
    arb_set_str(y, s, bits + 32);
    arb_sub(y, x, y, bits);
    arb_get_mag(d, y);
    const double log2 = mag_is_zero(d) ? -INFINITY : mag_get_d_log2_approx(d);
    arb_clear(y);
    mag_clear(d);
    return log2 == -INFINITY ? BALLS_EXACT : (int) ceil(log2 * 0.30103 + 0.01);
}

static const char *decimal(machine *m, const arb_t x, int digits, int *radius)
{
    ctx_held held;
    char *s = arb_get_str(x, digits, ARB_STR_NO_RADIUS);
    ctx_hold(m->ctx, &held, free_text, s);
    const char *copy = arb_contains_zero(x) ? "0" : arena_strdup(m->arena, s);
    ctx_drop(m->ctx, &held);
    const int d = distance(x, copy, m->bits);
    if (d > *radius) *radius = d;
    return copy;
}

static const balls *write_down(machine *m, const quantity *wanted, size_t count, int digits)
{
    balls *out = NEW(m->arena, balls);
    const char ***value = NEW_ARRAY(m->arena, const char **, m->sheet->nodes.count);
    out->radius = BALLS_EXACT;
    for (size_t w = 0; w < count; w++) {
        const quantity x = wanted[w];
        if (x == QUANTITY_NONE) continue;
        const slong cols = arb_mat_ncols(VALUE(x)), size = arb_mat_nrows(VALUE(x)) * cols;
        value[x] = NEW_ARRAY(m->arena, const char *, (size_t) size + 1);
        for (slong i = 0; i < size; i++)
            value[x][i] =
                decimal(m, arb_mat_entry(VALUE(x), i / cols, i % cols), digits, &out->radius);
    }
    out->value = value;
    out->shown = NEW_ARRAY(m->arena, const char *, m->state->shows + 1);
    evaluate(m, m->state->show, m->state->shows, m->st->scalar);
    for (size_t i = 0; i < m->state->shows; i++)
        out->shown[i] = decimal(m, m->st->scalar + i, digits, &out->radius);
    return out;
}

static bool *mark_needed(arena *a, const sheet *s, const quantity *wanted, size_t count)
{
    bool *needed = NEW_ARRAY(a, bool, s->nodes.count + 1);
    for (size_t i = 0; i < count; i++)
        if (wanted[i] != QUANTITY_NONE) needed[wanted[i]] = true;
    for (size_t x = s->nodes.count; x-- > 0;)
        for (int k = 0; needed[x] && s->nodes.at[x].op != SHEET_LEAF && k < 4; k++)
            if (s->nodes.at[x].in[k] != QUANTITY_NONE) needed[s->nodes.at[x].in[k]] = true;
    return needed;
}

static store make_store(machine *m)
{
    const size_t n = m->state->unknowns;
    store st = {.nodes = m->sheet->nodes.count};
    st.value = NEW_ARRAY(m->arena, arb_mat_struct, st.nodes + 1);
    st.scalars = 1 + 3 * n + n * n + m->state->shows;
    for (size_t x = 0; x < st.nodes; x++) {
        const sheet_node *node = NODE(x);
        if (node->op == SHEET_LEAF && mat_entries(node->leaf) > st.scalars)
            st.scalars = mat_entries(node->leaf);
    }
    st.scalar = _arb_vec_init((slong) st.scalars);
    for (size_t x = 0; x < st.nodes; x++) {
        const bool used = m->needed[x];
        arb_mat_init(&st.value[x], used ? NODE(x)->rows : 0, used ? NODE(x)->cols : 0);
    }
    return st;
}

static bool are_sharp(const machine *m, const quantity *wanted, size_t count, int digits)
{
    for (size_t i = 0; i < count; i++)
        if (wanted[i] != QUANTITY_NONE && !is_sharp(VALUE(wanted[i]), digits)) return false;
    return true;
}

static void clear_values(void *data)
{
    ball_frame_clear(data);
}

const balls *balls_run(ah_ctx *ctx, arena *a, const sheet *s, const quantity *wanted, size_t count,
                       const runner *run, const balls_state *state, int digits)
{
    if (digits > BALLS_MOST_DIGITS) digits = BALLS_MOST_DIGITS;
    machine m = {.ctx = ctx, .arena = a, .sheet = s, .run = run, .state = state};
    m.needed = mark_needed(a, s, wanted, count);
    store st = make_store(&m);
    ball_frame values;
    ball_frame_init(&values, ctx);
    ctx_held held, held_values;
    ctx_hold(ctx, &held, destroy_store, &st);
    ctx_hold(ctx, &held_values, clear_values, &values);
    m.values = &values;
    m.st = &st;
    const balls *out = NULL;
    m.bits = (slong) (digits * 3.3220) + BALLS_GUARD_BITS;
    for (int attempt = 0; !out && attempt < BALLS_ATTEMPTS; attempt++, m.bits *= 2)
        if (run_all(&m) && are_sharp(&m, wanted, count, digits))
            out = write_down(&m, wanted, count, digits);
    ctx_drop(ctx, &held_values);
    ctx_drop(ctx, &held);
    return out;
}

/* ---- For those who want the balls themselves ------------------------------------------------- */

bool enclose_roots(const balls_state *state, ball_frame *values, slong bits)
{
    ah_ctx *ctx = values->ctx;
    const sheet none = {0};
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    machine m = {.ctx = ctx,
                 .arena = &ctx->scratch,
                 .sheet = &none,
                 .state = state,
                 .values = values,
                 .bits = bits};
    store st = {.scalars = 1 + 3 * state->unknowns + state->unknowns * state->unknowns};
    st.scalar = _arb_vec_init((slong) st.scalars);
    m.st = &st;
    ctx_held held;
    ctx_hold(ctx, &held, destroy_store, &st);
    const bool good = find_unknowns(&m);
    ctx_drop(ctx, &held);
    arena_release(&ctx->scratch, mark);
    return good;
}

bool enclose_sheet(const sheet *s, const runner *run, ball_frame *values, slong bits,
                   const enclose_entry *wanted, size_t count)
{
    ah_ctx *ctx = values->ctx;
    const balls_state none = {0};
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    machine m = {.ctx = ctx,
                 .arena = &ctx->scratch,
                 .sheet = s,
                 .run = run,
                 .state = &none,
                 .values = values,
                 .bits = bits};
    quantity *x = NEW_ARRAY(&ctx->scratch, quantity, count);
    for (size_t i = 0; i < count; i++) x[i] = wanted[i].x;
    m.needed = mark_needed(&ctx->scratch, s, x, count);
    store st = make_store(&m);
    m.st = &st;
    ctx_held held;
    ctx_hold(ctx, &held, destroy_store, &st);
    const bool good = run_sheet(&m);
    for (size_t i = 0; good && i < count; i++) {
        const arb_mat_struct *from = &st.value[wanted[i].x];
        const slong cols = arb_mat_ncols(from);
        for (slong k = 0; k < arb_mat_nrows(from) * cols; k++)
            arb_set(wanted[i].out + k, arb_mat_entry(from, k / cols, k % cols));
    }
    ctx_drop(ctx, &held);
    arena_release(&ctx->scratch, mark);
    return good;
}
