/* sheet/tree_balls.c - a tree of bodies in balls: the recursion of composite bodies.
 *
 * With C_b = D_b + Σ_c X_cᵀ C_c X_c, over the bodies c that stand on b, the columns F = C_b S_b go down to the root, F ← X_bᵀ F, and give
 * S_aᵀ F to the rows of every body a on the way [Walker1982]. That is n² instead of the n³ of a general system three times as large. */
#include "tree_balls.h"

typedef arb_mat_struct block;

static slong width_of(const tree_balls *t)
{
    return (slong) t->tree->width;
}

static slong coordinates(const tree_balls *t)
{
    return arb_mat_ncols(t->J) - (slong) t->tree->bodies * width_of(t);
}

/* −J at the rows of a body, from a column on: X_b, or S_b. */
static void rows_of(const tree_balls *t, uint32_t b, slong first, arb_mat_t out)
{
    for (slong i = 0; i < arb_mat_nrows(out); i++)
        for (slong j = 0; j < arb_mat_ncols(out); j++)
            arb_neg(arb_mat_entry(out, i, j),
                    arb_mat_entry(t->J, (slong) b * width_of(t) + i, first + j));
}

static void carry(const tree_balls *t, uint32_t b, arb_mat_t X)
{
    rows_of(t, b, (slong) (t->tree->parent[b] - 1) * width_of(t), X);
}

static void moved(const tree_balls *t, uint32_t b, arb_mat_t S)
{
    rows_of(t, b, (slong) t->tree->bodies * width_of(t), S);
}

/* C += Xᵀ Y. */
static void add_transposed(arb_mat_t C, const arb_mat_t X, const arb_mat_t Y, slong bits)
{
    for (slong i = 0; i < arb_mat_nrows(C); i++)
        for (slong k = 0; k < arb_mat_nrows(X); k++) {
            arb_srcptr x = arb_mat_entry(X, k, i);
            if (arb_is_zero(x)) continue;
            for (slong j = 0; j < arb_mat_ncols(C); j++)
                if (!arb_is_zero(arb_mat_entry(Y, k, j)))
                    arb_addmul(arb_mat_entry(C, i, j), x, arb_mat_entry(Y, k, j), bits);
        }
}

/* The composite inertias, from the last body to the first. */
static block *composites(const tree_balls *t)
{
    const slong w = width_of(t);
    block *C = flint_malloc(t->tree->bodies * sizeof *C);
    arb_mat_t X, CX;
    arb_mat_init(X, w, w);
    arb_mat_init(CX, w, w);
    for (uint32_t b = 0; b < t->tree->bodies; b++) {
        arb_mat_init(&C[b], w, w);
        for (slong i = 0; i < w; i++)
            for (slong j = 0; j < w; j++)
                arb_set(arb_mat_entry(&C[b], i, j),
                        arb_mat_entry(t->D, (slong) b * w + i, (slong) b * w + j));
    }
    for (uint32_t b = t->tree->bodies; b-- > 0;) {
        if (!t->tree->parent[b]) continue;
        carry(t, b, X);
        arb_mat_mul(CX, &C[b], X, t->bits);
        add_transposed(&C[t->tree->parent[b] - 1], X, CX, t->bits);
    }
    arb_mat_clear(X);
    arb_mat_clear(CX);
    return C;
}

/* What S_aᵀ F gives to M: both triangles where a is another body than that of F. */
static void add_pair(arb_mat_t M, const arb_mat_t S, const arb_mat_t F, bool same, slong bits)
{
    for (slong j = 0; j < arb_mat_ncols(F); j++)
        for (slong k = 0; k < arb_mat_nrows(F); k++) {
            arb_srcptr f = arb_mat_entry(F, k, j);
            if (arb_is_zero(f)) continue;
            for (slong i = 0; i < arb_mat_ncols(S); i++) {
                arb_srcptr s = arb_mat_entry(S, k, i);
                if (arb_is_zero(s)) continue;
                arb_addmul(arb_mat_entry(M, i, j), s, f, bits);
                if (!same) arb_addmul(arb_mat_entry(M, j, i), s, f, bits);
            }
        }
}

static void add_body(const tree_balls *t, uint32_t b, const block *C, arb_mat_t M)
{
    const slong w = width_of(t), n = coordinates(t);
    arb_mat_t S, F, G, X;
    arb_mat_init(S, w, n);
    arb_mat_init(F, w, n);
    arb_mat_init(G, w, n);
    arb_mat_init(X, w, w);
    moved(t, b, S);
    add_transposed(F, &C[b], S, t->bits); /* C is symmetric */
    add_pair(M, S, F, true, t->bits);
    while (t->tree->parent[b]) {
        carry(t, b, X);
        arb_mat_zero(G);
        add_transposed(G, X, F, t->bits);
        arb_mat_swap(F, G);
        b = t->tree->parent[b] - 1;
        moved(t, b, S);
        add_pair(M, S, F, false, t->bits);
    }
    arb_mat_clear(S);
    arb_mat_clear(F);
    arb_mat_clear(G);
    arb_mat_clear(X);
}

void tree_balls_mass(const tree_balls *t, arb_mat_t M)
{
    const slong n = coordinates(t), first = arb_mat_ncols(t->J) - n;
    for (slong i = 0; i < n; i++) /* what `kinetic` statements say */
        for (slong j = 0; j < n; j++)
            arb_set(arb_mat_entry(M, i, j), arb_mat_entry(t->D, first + i, first + j));
    block *C = composites(t);
    for (uint32_t b = 0; b < t->tree->bodies; b++) add_body(t, b, C, M);
    for (uint32_t b = 0; b < t->tree->bodies; b++) arb_mat_clear(&C[b]);
    flint_free(C);
}

/* f_b = D_b w_b + Σ_c X_cᵀ f_c. */
static void find_forces(const tree_balls *t, const arb_mat_t w, arb_mat_t f)
{
    const slong width = width_of(t);
    arb_mat_zero(f);
    for (slong i = 0; i < arb_mat_nrows(w); i++)
        for (slong j = i - i % width; j < i - i % width + width; j++)
            arb_addmul(arb_mat_entry(f, i, 0), arb_mat_entry(t->D, i, j), arb_mat_entry(w, j, 0),
                       t->bits);
    for (uint32_t b = t->tree->bodies; b-- > 0;) {
        if (!t->tree->parent[b]) continue;
        const slong row = (slong) b * width, to = (slong) (t->tree->parent[b] - 1) * width;
        for (slong i = 0; i < width; i++)
            for (slong j = 0; j < width; j++)
                arb_submul(arb_mat_entry(f, to + j, 0), arb_mat_entry(t->J, row + i, to + j),
                           arb_mat_entry(f, row + i, 0), t->bits);
    }
}

void tree_balls_bodies(const tree_balls *t, const arb_mat_t a, arb_mat_t w, arb_mat_t f)
{
    const slong width = width_of(t), n = coordinates(t), first = arb_mat_ncols(t->J) - n;
    arb_mat_zero(w);
    for (uint32_t b = 0; b < t->tree->bodies; b++)
        for (slong i = (slong) b * width; i < (slong) (b + 1) * width; i++) {
            arb_ptr sum = arb_mat_entry(w, i, 0);
            const slong on = t->tree->parent[b] ? (slong) (t->tree->parent[b] - 1) * width : 0;
            for (slong j = 0; t->tree->parent[b] && j < width; j++)
                arb_submul(sum, arb_mat_entry(t->J, i, on + j), arb_mat_entry(w, on + j, 0),
                           t->bits);
            for (slong j = 0; j < n; j++)
                arb_submul(sum, arb_mat_entry(t->J, i, first + j), arb_mat_entry(a, j, 0), t->bits);
        }
    find_forces(t, w, f);
}
