/* compile/sparse.c - KKT systems by SuiteSparse's KLU. */
#include "sparse.h"

#ifdef AH_WITH_KLU

#include <klu.h>
#include <math.h>
#include <string.h>

struct sparse {
    uint32_t n, rows, size; /* size = n + rows */
    expr_plan *plan;        /* entries of M, J, L, γ, one after the other */
    double *entry;
    size_t matrix_entries;    /* of M and J */
    uint32_t *place, *mirror; /* of each in `value`; of −Jᵀ: NONE for M's */
    uint32_t *right_row;      /* of the entries of L and γ */
    size_t right_entries;
    double *value;
    int *column, *row; /* compressed columns */
    klu_common common;
    klu_symbolic *symbolic;
    klu_numeric *numeric;
};

#define NONE UINT32_MAX

static void destroy(void *data)
{
    sparse *s = data;
    klu_free_numeric(&s->numeric, &s->common);
    klu_free_symbolic(&s->symbolic, &s->common);
}

/* One entry of the KKT matrix: where it is, and which entry of M or J it comes from. */
typedef struct triplet {
    uint32_t row, col;
    size_t source;
    bool mirrored; /* −Jᵀ */
} triplet;

typedef LIST(triplet) triplets;

static void add_entries(arena *a, triplets *t, mat m, size_t first, uint32_t row, bool constraints,
                        uint32_t n)
{
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t p = m.start[i]; p < m.start[i + 1]; p++) {
            LIST_PUSH(a, t, ((triplet){row + i, m.col[p], first + p, false}));
            if (constraints) LIST_PUSH(a, t, ((triplet){m.col[p], n + i, first + p, true}));
        }
}

/* Compressed columns, rows ascending: two passes of counting. */
static void compress(sparse *s, arena *a, const triplets *t)
{
    uint32_t *start = NEW_ARRAY(a, uint32_t, s->size + 2);
    const triplet **by_row = NEW_ARRAY(a, const triplet *, t->count + 1);
    for (size_t i = 0; i < t->count; i++) start[t->at[i].row + 1]++;
    for (uint32_t i = 0; i < s->size; i++) start[i + 1] += start[i];
    for (size_t i = 0; i < t->count; i++) by_row[start[t->at[i].row]++] = &t->at[i];
    s->column = NEW_ARRAY(a, int, s->size + 2);
    s->row = NEW_ARRAY(a, int, t->count + 1);
    s->value = NEW_ARRAY(a, double, t->count + 1);
    int *next = NEW_ARRAY(a, int, s->size + 2);
    for (size_t i = 0; i < t->count; i++) s->column[t->at[i].col + 1]++;
    for (uint32_t i = 0; i < s->size; i++) s->column[i + 1] += s->column[i];
    memcpy(next, s->column, s->size * sizeof *next);
    for (size_t i = 0; i < t->count; i++) {
        const triplet *e = by_row[i];
        const int at = next[e->col]++;
        s->row[at] = (int) e->row;
        if (e->mirrored)
            s->mirror[e->source] = (uint32_t) at;
        else
            s->place[e->source] = (uint32_t) at;
    }
}

static void add_right(sparse *s, arena *a, expr_list *roots, mat column, uint32_t row)
{
    for (uint32_t i = 0; i < column.rows; i++)
        for (uint32_t p = column.start[i]; p < column.start[i + 1]; p++) {
            s->right_row[s->right_entries++] = row + i;
            LIST_PUSH(a, roots, column.val[p]);
        }
}

static void make_plan(sparse *s, ah_ctx *ctx, arena *a, mat M, mat J, mat L, mat gamma)
{
    expr_list roots = {0};
    for (uint32_t i = 0; i < mat_entries(M); i++) LIST_PUSH(a, &roots, M.val[i]);
    for (uint32_t i = 0; i < mat_entries(J); i++) LIST_PUSH(a, &roots, J.val[i]);
    s->matrix_entries = roots.count;
    s->right_row = NEW_ARRAY(a, uint32_t, s->size + 1);
    add_right(s, a, &roots, L, 0);
    add_right(s, a, &roots, gamma, s->n);
    s->plan = expr_plan_create(ctx, a, roots.at, roots.count);
    s->entry = NEW_ARRAY(a, double, roots.count + 1);
}

sparse *sparse_create(ah_ctx *ctx, arena *a, mat M, mat J, mat L, mat gamma)
{
    sparse *s = NEW(a, sparse);
    triplets t = {0};
    s->n = M.rows;
    s->rows = J.rows;
    s->size = s->n + s->rows;
    make_plan(s, ctx, a, M, J, L, gamma);
    s->place = NEW_ARRAY(a, uint32_t, s->matrix_entries + 1);
    s->mirror = NEW_ARRAY(a, uint32_t, s->matrix_entries + 1);
    for (size_t i = 0; i < s->matrix_entries; i++) s->mirror[i] = NONE;
    add_entries(a, &t, M, 0, 0, false, s->n);
    add_entries(a, &t, J, mat_entries(M), s->n, true, s->n);
    compress(s, a, &t);
    klu_defaults(&s->common);
    s->symbolic = klu_analyze((int) s->size, s->column, s->row, &s->common);
    ctx_own(ctx, destroy, s);
    if (!s->symbolic) ctx_raise(ctx, AH_E_MEMORY);
    return s;
}

/* The pivots of the last state serve as long as they are good: no search, half the time. */
static bool factor(sparse *s)
{
    const double least = 1e-8; /* of the smallest pivot to the largest */
    if (s->numeric &&
        klu_refactor(s->column, s->row, s->value, s->symbolic, s->numeric, &s->common) &&
        klu_rcond(s->symbolic, s->numeric, &s->common) && s->common.rcond > least)
        return true;
    klu_free_numeric(&s->numeric, &s->common);
    s->numeric = klu_factor(s->column, s->row, s->value, s->symbolic, &s->common);
    return s->numeric && s->common.status == KLU_OK &&
           klu_rcond(s->symbolic, s->numeric, &s->common);
}

double sparse_run(sparse *s, const double *values, double *out)
{
    expr_plan_run(s->plan, values, s->entry);
    for (size_t i = 0; i < s->matrix_entries; i++) {
        s->value[s->place[i]] = s->entry[i];
        if (s->mirror[i] != NONE) s->value[s->mirror[i]] = -s->entry[i];
    }
    if (!factor(s) || !(s->common.rcond > 0)) return 0;
    memset(out, 0, s->size * sizeof *out);
    for (size_t i = 0; i < s->right_entries; i++) {
        const double x = s->entry[s->matrix_entries + i];
        out[s->right_row[i]] = s->right_row[i] < s->n ? x : -x;
    }
    klu_solve(s->symbolic, s->numeric, (int) s->size, 1, out, &s->common);
    return s->common.rcond;
}

#else

sparse *sparse_create(ah_ctx *ctx, arena *a, mat M, mat J, mat L, mat gamma)
{
    (void) ctx, (void) a, (void) M, (void) J, (void) L, (void) gamma;
    return NULL;
}

double sparse_run(sparse *s, const double *values, double *out)
{
    (void) s, (void) values, (void) out;
    return 0;
}

#endif
