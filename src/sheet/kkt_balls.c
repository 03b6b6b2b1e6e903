/* sheet/kkt_balls.c - see kkt_balls.h. */
#include "kkt_balls.h"

bool balls_solve(const arb_mat_t A, const arb_mat_t B, arb_mat_t X, slong bits)
{
    if (!arb_mat_nrows(A) || !arb_mat_ncols(B)) return true;
    return sparse_balls_solve(A, B, X, bits) || arb_mat_solve(X, A, B, bits);
}

void balls_pick(arb_mat_t out, const arb_mat_t A, const uint32_t *rows, const uint32_t *cols)
{
    for (slong i = 0; i < arb_mat_nrows(out); i++)
        for (slong j = 0; j < arb_mat_ncols(out); j++)
            arb_set(arb_mat_entry(out, i, j),
                    arb_mat_entry(A, rows ? (slong) rows[i] : i, cols ? (slong) cols[j] : j));
}

/* λ = W (WᵀW)⁻¹ μ with J = W J_s, Wᵀ = (J_s J_sᵀ)⁻¹ J_s Jᵀ: run.c's least multipliers. */
static bool least_multipliers(const arb_mat_t J, const arb_mat_t Js, const arb_mat_t mu,
                              arb_mat_t lambda, slong bits)
{
    const slong k = arb_mat_nrows(Js), n = arb_mat_ncols(J), rows = arb_mat_nrows(J);
    arb_mat_t JsT, JT, S, P, WT, W, WW, y;
    arb_mat_init(JsT, n, k);
    arb_mat_init(JT, n, rows);
    arb_mat_init(S, k, k);
    arb_mat_init(P, k, rows);
    arb_mat_init(WT, k, rows);
    arb_mat_init(W, rows, k);
    arb_mat_init(WW, k, k);
    arb_mat_init(y, k, 1);
    arb_mat_transpose(JsT, Js);
    arb_mat_transpose(JT, J);
    arb_mat_mul(S, Js, JsT, bits);
    arb_mat_mul(P, Js, JT, bits);
    bool good = balls_solve(S, P, WT, bits);
    if (good) {
        arb_mat_transpose(W, WT);
        arb_mat_mul(WW, WT, W, bits);
        good = balls_solve(WW, mu, y, bits);
    }
    if (good) arb_mat_mul(lambda, W, y, bits);
    arb_mat_clear(JsT);
    arb_mat_clear(JT);
    arb_mat_clear(S);
    arb_mat_clear(P);
    arb_mat_clear(WT);
    arb_mat_clear(W);
    arb_mat_clear(WW);
    arb_mat_clear(y);
    return good;
}

/* [M −Jᵀ; J 0](a; μ) = (L; −γ) for the k independent rows. */
static void fill_kkt(const kkt_balls *p, const arb_mat_t Js, arb_mat_t A, arb_mat_t b)
{
    const slong n = arb_mat_ncols(Js), k = arb_mat_nrows(Js);
    for (slong i = 0; i < n; i++) {
        for (slong j = 0; j < n; j++) arb_set(arb_mat_entry(A, i, j), arb_mat_entry(p->M, i, j));
        for (slong j = 0; j < k; j++) {
            arb_neg(arb_mat_entry(A, i, n + j), arb_mat_entry(Js, j, i));
            arb_set(arb_mat_entry(A, n + j, i), arb_mat_entry(Js, j, i));
        }
        arb_set(arb_mat_entry(b, i, 0), arb_mat_entry(p->L, i, 0));
    }
    for (slong j = 0; j < k; j++)
        arb_neg(arb_mat_entry(b, n + j, 0), arb_mat_entry(p->gamma, (slong) p->order[j], 0));
}

bool kkt_balls_solve(const kkt_balls *p, arb_mat_t x, slong bits)
{
    const slong n = arb_mat_nrows(p->M), rows = arb_mat_nrows(p->J), k = p->k;
    arb_mat_t Js, A, b, y, mu, lambda;
    arb_mat_init(Js, k, n);
    arb_mat_init(A, n + k, n + k);
    arb_mat_init(b, n + k, 1);
    arb_mat_init(y, n + k, 1);
    arb_mat_init(mu, k, 1);
    arb_mat_init(lambda, rows, 1);
    balls_pick(Js, p->J, p->order, NULL);
    fill_kkt(p, Js, A, b);
    bool good = balls_solve(A, b, y, bits);
    for (slong j = 0; j < k; j++) arb_set(arb_mat_entry(mu, j, 0), arb_mat_entry(y, n + j, 0));
    if (good && k < rows) good = least_multipliers(p->J, Js, mu, lambda, bits);
    for (slong j = 0; k == rows && j < k; j++)
        arb_set(arb_mat_entry(lambda, (slong) p->order[j], 0), arb_mat_entry(mu, j, 0));
    for (slong i = 0; i < n + rows; i++)
        arb_set(arb_mat_entry(x, i, 0),
                i < n ? arb_mat_entry(y, i, 0) : arb_mat_entry(lambda, i - n, 0));
    arb_mat_clear(Js);
    arb_mat_clear(A);
    arb_mat_clear(b);
    arb_mat_clear(y);
    arb_mat_clear(mu);
    arb_mat_clear(lambda);
    return good;
}
