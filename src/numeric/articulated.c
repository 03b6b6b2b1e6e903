/* numeric/articulated.c - see articulated.h. */
#include "articulated.h"

#include <math.h>
#include <string.h>

enum {
    WIDEST = 6,           /* numbers of a body, and its columns */
    MOST_CONSTRAINTS = 64 /* whose full matrix is still less than a search for pivots */
};

/* One entry of M or J and where it goes. */
typedef struct placed {
    uint32_t source; /* entry of M, then of J */
    uint8_t row, col;
} placed;

typedef LIST(placed) placed_list;

typedef struct link { /* a body and what joins it to its parent */
    uint32_t parent, columns;
    uint32_t column[WIDEST]; /* of a */
    placed_list D, N, X, S;  /* X and S with the sign that they have in J */
    double I[WIDEST][WIDEST], U[WIDEST][WIDEST], Q[WIDEST][WIDEST]; /* Q: L and D of it */
    double s[WIDEST][WIDEST];                                       /* S */
    double whole[WIDEST]; /* roots of what the diagonal of I was made of, at most */
    double p[WIDEST], u[WIDEST], w[WIDEST];
} link;

struct articulated {
    ah_ctx *ctx;
    uint32_t bodies, width, first, n, rows, size; /* first: of a, after all w; n numbers a */
    link *body;
    uint32_t *owner; /* of a column of a: 1 + its body */
    double *kept;    /* entries of M, then of J */
    size_t entries;
    struct {
        placed_list *row;       /* columns of a, by row */
        uint32_t **column;      /* of these */
        double *Y, *G, *h, *mu; /* solutions for each row, J M⁻¹ Jᵀ */
    } joint;
    double *right;
};

/* ---- The pattern ----------------------------------------------------------------------------- */

static uint32_t entries_of(sparse_pattern m)
{
    return m.rows ? m.start[m.rows] : 0;
}

static uint32_t index_of(const link *l, uint32_t column)
{
    uint32_t i = 0;
    while (i < l->columns && l->column[i] != column) i++;
    return i;
}

/* Column c of a becomes one of body b; false: it is another's, or it has too many. */
static bool own_column(articulated *s, uint32_t b, uint32_t c)
{
    link *l = &s->body[b];
    if (s->owner[c]) return s->owner[c] == b + 1;
    if (l->columns == WIDEST) return false;
    s->owner[c] = b + 1;
    l->column[l->columns++] = c;
    return true;
}

static bool place_body_row(articulated *s, arena *a, sparse_pattern J, uint32_t row, uint32_t of_M)
{
    const uint32_t b = row / s->width, i = row % s->width;
    link *l = &s->body[b];
    bool own = false;
    for (uint32_t e = J.start[row]; e < J.start[row + 1]; e++) {
        const uint32_t c = J.col[e];
        placed at = {of_M + e, (uint8_t) i, 0};
        if (c == row) {
            own = true;
        } else if (c < s->first) {
            if (c / s->width + 1 != l->parent) return false;
            at.col = (uint8_t) (c % s->width);
            LIST_PUSH(a, &l->X, at);
        } else {
            if (!own_column(s, b, c - s->first)) return false;
            at.col = (uint8_t) index_of(l, c - s->first);
            LIST_PUSH(a, &l->S, at);
        }
    }
    return own;
}

static bool place_inertia(articulated *s, arena *a, sparse_pattern M)
{
    for (uint32_t i = 0; i < M.rows; i++)
        for (uint32_t e = M.start[i]; e < M.start[i + 1]; e++) {
            const uint32_t j = M.col[e];
            if ((i < s->first) != (j < s->first)) return false;
            if (i < s->first) {
                if (i / s->width != j / s->width) return false;
                const placed at = {e, (uint8_t) (i % s->width), (uint8_t) (j % s->width)};
                LIST_PUSH(a, &s->body[i / s->width].D, at);
            } else {
                const uint32_t b = s->owner[i - s->first];
                if (!b || b != s->owner[j - s->first]) return false;
                link *l = &s->body[b - 1];
                const placed at = {e, (uint8_t) index_of(l, i - s->first),
                                   (uint8_t) index_of(l, j - s->first)};
                LIST_PUSH(a, &l->N, at);
            }
        }
    return true;
}

static bool place_constraints(articulated *s, arena *a, sparse_pattern J, uint32_t of_M)
{
    const uint32_t r = s->rows;
    s->joint.row = NEW_ARRAY(a, placed_list, r + 1);
    s->joint.column = NEW_ARRAY(a, uint32_t *, r + 1);
    for (uint32_t i = 0; i < r; i++) {
        const uint32_t from = J.start[s->first + i], to = J.start[s->first + i + 1];
        s->joint.column[i] = NEW_ARRAY(a, uint32_t, to - from + 1);
        for (uint32_t e = from; e < to; e++) {
            const placed at = {of_M + e, 0, 0};
            if (J.col[e] < s->first) return false;
            s->joint.column[i][e - from] = J.col[e];
            LIST_PUSH(a, &s->joint.row[i], at);
        }
    }
    s->joint.Y = NEW_ARRAY(a, double, (size_t) r * s->size + 1);
    s->joint.G = NEW_ARRAY(a, double, (size_t) r *r + 1);
    s->joint.h = NEW_ARRAY(a, double, r + 1);
    s->joint.mu = NEW_ARRAY(a, double, r + 1);
    return true;
}

articulated *articulated_create(ah_ctx *ctx, arena *a, sparse_pattern M, sparse_pattern J,
                                const sparse_tree *tree)
{
    articulated *s = NEW(a, articulated);
    s->ctx = ctx;
    s->bodies = tree->bodies;
    s->width = tree->width;
    s->first = tree->bodies * tree->width;
    s->n = M.rows - s->first;
    s->rows = J.rows - s->first;
    s->size = M.rows + J.rows;
    s->entries = (size_t) entries_of(M) + entries_of(J);
    if (s->width > WIDEST || s->rows > MOST_CONSTRAINTS) return NULL;
    s->body = NEW_ARRAY(a, link, s->bodies + 1);
    s->owner = NEW_ARRAY(a, uint32_t, s->n + 1);
    s->kept = NEW_ARRAY(a, double, s->entries + 1);
    s->right = NEW_ARRAY(a, double, s->size + 1);
    for (uint32_t b = 0; b < s->bodies; b++) s->body[b].parent = tree->parent[b];
    for (uint32_t row = 0; row < s->first; row++)
        if (!place_body_row(s, a, J, row, entries_of(M))) return NULL;
    for (uint32_t c = 0; c < s->n; c++)
        if (!s->owner[c]) return NULL;
    if (!place_inertia(s, a, M) || !place_constraints(s, a, J, entries_of(M))) return NULL;
    return s;
}

/* ---- Elimination ----------------------------------------------------------------------------- */

/* A of `rows` × `cols` from its entries. */
static void spread(const articulated *s, const placed_list *from, double sign,
                   double to[WIDEST][WIDEST])
{
    for (size_t e = 0; e < from->count; e++)
        to[from->at[e].row][from->at[e].col] += sign * s->kept[from->at[e].source];
}

/* L D Lᵀ of Q in place, the unit of L left out. The least pivot as a part of what it was, or 0. */
static double factor_own(const articulated *s, link *l)
{
    double least = 1;
    double most[WIDEST], local[WIDEST];
    for (uint32_t k = 0; k < l->columns; k++) {
        double all = 0;
        for (uint32_t i = 0; i < s->width; i++) all += fabs(l->s[i][k]) * l->whole[i];
        most[k] = all * all;
        local[k] = l->Q[k][k];
    }
    for (uint32_t k = 0; k < l->columns; k++) {
        const double pivot = l->Q[k][k];
        if (!(pivot > ARTICULATED_LEAST * most[k] && pivot > 0 && pivot < INFINITY)) return 0;
        least = fmin(least, pivot / local[k]);
        for (uint32_t i = k + 1; i < l->columns; i++) {
            const double c = l->Q[i][k] / pivot;
            for (uint32_t j = k + 1; j <= i; j++) l->Q[i][j] -= c * l->Q[j][k];
        }
        for (uint32_t i = k + 1; i < l->columns; i++) l->Q[i][k] /= pivot;
    }
    return least;
}

static void solve_own(const link *l, double *u)
{
    for (uint32_t k = 0; k < l->columns; k++)
        for (uint32_t i = k + 1; i < l->columns; i++) u[i] -= l->Q[i][k] * u[k];
    for (uint32_t k = 0; k < l->columns; k++) u[k] /= l->Q[k][k];
    for (uint32_t k = l->columns; k-- > 0;)
        for (uint32_t i = k + 1; i < l->columns; i++) u[k] -= l->Q[i][k] * u[i];
}

/* U = I S, Q = Sᵀ U + N; what N adds counts as it is. */
static void join(const articulated *s, link *l)
{
    const uint32_t W = s->width;
    memset(l->s, 0, sizeof l->s);
    memset(l->Q, 0, sizeof l->Q);
    spread(s, &l->S, -1, l->s);
    spread(s, &l->N, 1, l->Q);
    for (uint32_t i = 0; i < W; i++)
        for (uint32_t k = 0; k < l->columns; k++) {
            double sum = 0;
            for (uint32_t j = 0; j < W; j++) sum += l->I[i][j] * l->s[j][k];
            l->U[i][k] = sum;
        }
    for (uint32_t k = 0; k < l->columns; k++)
        for (uint32_t m = 0; m <= k; m++) {
            double sum = 0;
            for (uint32_t i = 0; i < W; i++) sum += l->s[i][k] * l->U[i][m];
            l->Q[k][m] += sum;
        }
}

/* I_p += Xᵀ (I − U Q⁻¹ Uᵀ) X. */
static void carry_inertia(const articulated *s, const link *l, link *parent)
{
    const uint32_t W = s->width;
    double A[WIDEST][WIDEST], AX[WIDEST][WIDEST] = {{0}};
    memcpy(A, l->I, sizeof A);
    for (uint32_t j = 0; j < W; j++) {
        double y[WIDEST];
        for (uint32_t k = 0; k < l->columns; k++) y[k] = l->U[j][k];
        solve_own(l, y);
        for (uint32_t i = 0; i < W; i++)
            for (uint32_t k = 0; k < l->columns; k++) A[i][j] -= l->U[i][k] * y[k];
    }
    double roots[WIDEST] = {0};
    for (size_t e = 0; e < l->X.count; e++) {
        const placed at = l->X.at[e];
        const double x = -s->kept[at.source];
        for (uint32_t i = 0; i < W; i++) AX[i][at.col] += A[i][at.row] * x;
        roots[at.col] += fabs(x) * l->whole[at.row];
    }
    for (size_t e = 0; e < l->X.count; e++) {
        const placed at = l->X.at[e];
        const double x = -s->kept[at.source];
        for (uint32_t j = 0; j < W; j++) parent->I[at.col][j] += x * AX[at.row][j];
    }
    for (uint32_t i = 0; i < W; i++) parent->whole[i] = hypot(parent->whole[i], roots[i]);
}

static double factor_constraints(articulated *s);

double articulated_factor(articulated *s, const double *entry)
{
    double least = 1;
    memcpy(s->kept, entry, s->entries * sizeof *entry);
    for (uint32_t b = 0; b < s->bodies; b++) {
        link *l = &s->body[b];
        memset(l->I, 0, sizeof l->I);
        spread(s, &l->D, 1, l->I);
        for (uint32_t i = 0; i < s->width; i++) l->whole[i] = sqrt(fabs(l->I[i][i]));
    }
    for (uint32_t b = s->bodies; b-- > 0;) {
        link *l = &s->body[b];
        join(s, l);
        const double share = factor_own(s, l);
        if (share == 0) return 0;
        least = fmin(least, share);
        if (l->parent) carry_inertia(s, l, &s->body[l->parent - 1]);
    }
    return fmin(least, factor_constraints(s));
}

/* ---- Solution -------------------------------------------------------------------------------- */

/* Without the constraints; the right side and x in the order (w, a, f). */
static void solve_free(articulated *s, const double *b, double *x)
{
    const uint32_t W = s->width;
    const double *r = b, *r_a = b + s->first, *h = b + s->first + s->n;
    for (uint32_t k = 0; k < s->bodies; k++)
        for (uint32_t i = 0; i < W; i++) s->body[k].p[i] = -r[k * W + i];
    for (uint32_t k = s->bodies; k-- > 0;) {
        link *l = &s->body[k];
        double q[WIDEST];
        for (uint32_t i = 0; i < W; i++) { /* p + I h */
            q[i] = l->p[i];
            for (uint32_t j = 0; j < W; j++) q[i] += l->I[i][j] * h[k * W + j];
        }
        for (uint32_t c = 0; c < l->columns; c++) {
            l->u[c] = r_a[l->column[c]];
            for (uint32_t i = 0; i < W; i++) l->u[c] -= l->s[i][c] * q[i];
        }
        solve_own(l, l->u);
        if (!l->parent) continue;
        for (uint32_t i = 0; i < W; i++)
            for (uint32_t c = 0; c < l->columns; c++) q[i] += l->U[i][c] * l->u[c];
        double *to = s->body[l->parent - 1].p;
        for (size_t e = 0; e < l->X.count; e++)
            to[l->X.at[e].col] -= s->kept[l->X.at[e].source] * q[l->X.at[e].row];
    }
    for (uint32_t k = 0; k < s->bodies; k++) {
        link *l = &s->body[k];
        double y[WIDEST] = {0}; /* X w_p, then Q⁻¹ Uᵀ X w_p */
        double *w = l->w;
        for (uint32_t i = 0; i < W; i++) w[i] = 0;
        for (size_t e = 0; l->parent && e < l->X.count; e++)
            w[l->X.at[e].row] -=
                s->kept[l->X.at[e].source] * s->body[l->parent - 1].w[l->X.at[e].col];
        for (uint32_t c = 0; c < l->columns; c++)
            for (uint32_t i = 0; i < W; i++) y[c] += l->U[i][c] * w[i];
        solve_own(l, y);
        for (uint32_t i = 0; i < W; i++) w[i] += h[k * W + i];
        for (uint32_t c = 0; c < l->columns; c++) {
            y[c] = l->u[c] - y[c];
            for (uint32_t i = 0; i < W; i++) w[i] += l->s[i][c] * y[c];
        }
        for (uint32_t c = 0; c < l->columns; c++) s->right[s->first + l->column[c]] = y[c];
        for (uint32_t i = 0; i < W; i++) {
            double f = l->p[i];
            for (uint32_t j = 0; j < W; j++) f += l->I[i][j] * w[j];
            s->right[k * W + i] = w[i];
            s->right[s->first + s->n + k * W + i] = f;
        }
    }
    memcpy(x, s->right, (2 * (size_t) s->first + s->n) * sizeof *x);
}

/* Row i of the constraints times x. */
static double along(const articulated *s, uint32_t i, const double *x)
{
    double sum = 0;
    for (size_t e = 0; e < s->joint.row[i].count; e++)
        sum += s->kept[s->joint.row[i].at[e].source] * x[s->joint.column[i][e]];
    return sum;
}

/* G = J M⁻¹ Jᵀ, by its solutions Y, as L D Lᵀ in place; the least pivot as a part of what it was. */
static double factor_constraints(articulated *s)
{
    const uint32_t r = s->rows;
    const double least_pivot = 1e-10; /* below, rows depend on each other or nearly */
    double *G = s->joint.G, least = 1;
    for (uint32_t i = 0; i < r; i++) {
        double *Y = s->joint.Y + (size_t) i * s->size;
        memset(Y, 0, s->size * sizeof *Y);
        for (size_t e = 0; e < s->joint.row[i].count; e++)
            Y[s->joint.column[i][e]] += s->kept[s->joint.row[i].at[e].source];
        solve_free(s, Y, Y);
        for (uint32_t j = 0; j <= i; j++) G[(size_t) i * r + j] = along(s, j, Y);
    }
    for (uint32_t i = 0; i < r; i++) s->joint.h[i] = G[(size_t) i * r + i];
    for (uint32_t k = 0; k < r; k++) {
        const double pivot = G[(size_t) k * r + k];
        if (!(pivot > least_pivot * s->joint.h[k] && pivot < INFINITY)) return 0;
        least = fmin(least, pivot / s->joint.h[k]);
        for (uint32_t i = k + 1; i < r; i++) {
            const double c = G[(size_t) i * r + k] / pivot;
            for (uint32_t j = k + 1; j <= i; j++)
                G[(size_t) i * r + j] -= c * G[(size_t) j * r + k];
        }
        for (uint32_t i = k + 1; i < r; i++) G[(size_t) i * r + k] /= pivot;
    }
    return least;
}

/* G μ = h_c − J a in place. */
static void solve_constraints(const articulated *s, double *mu)
{
    const uint32_t r = s->rows;
    const double *G = s->joint.G;
    for (uint32_t k = 0; k < r; k++)
        for (uint32_t i = k + 1; i < r; i++) mu[i] -= G[(size_t) i * r + k] * mu[k];
    for (uint32_t k = 0; k < r; k++) mu[k] /= G[(size_t) k * r + k];
    for (uint32_t k = r; k-- > 0;)
        for (uint32_t i = k + 1; i < r; i++) mu[k] -= G[(size_t) i * r + k] * mu[i];
}

void articulated_solve(articulated *s, const double *b, double *x)
{
    const size_t before = 2 * (size_t) s->first + s->n;
    double *mu = s->joint.mu;
    memcpy(mu, b + before, s->rows * sizeof *mu);
    solve_free(s, b, x);
    for (uint32_t i = 0; i < s->rows; i++) mu[i] -= along(s, i, x);
    solve_constraints(s, mu);
    for (uint32_t i = 0; i < s->rows; i++)
        for (size_t k = 0; k < before; k++) x[k] += mu[i] * s->joint.Y[(size_t) i * s->size + k];
    memcpy(x + before, mu, s->rows * sizeof *mu);
}
