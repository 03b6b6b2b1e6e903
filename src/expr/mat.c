/* expr/mat.c - sparse symbolic matrices, rows compressed. */
#include "mat.h"
#include "pool.h"
#include <string.h>

/* ---- A matrix being written, row by row ------------------------------------------------------ */

typedef struct writer {
    uint32_t *start, *col;
    ah_expr *val;
    uint32_t rows, row, count;
} writer;

static writer write_begin(arena *a, uint32_t rows, size_t most)
{
    return (writer){.start = NEW_ARRAY(a, uint32_t, (size_t) rows + 1),
                    .col = NEW_ARRAY(a, uint32_t, most),
                    .val = NEW_ARRAY(a, ah_expr, most),
                    .rows = rows};
}

static void write_entry(writer *w, uint32_t col, ah_expr val)
{
    if (val == EXPR_ZERO) return;
    w->col[w->count] = col;
    w->val[w->count++] = val;
}

static void write_row_end(writer *w)
{
    w->start[++w->row] = w->count;
}

static mat write_end(const writer *w, uint32_t cols)
{
    return (mat){w->rows, cols, w->start, w->col, w->val};
}

/* ---- Making and reading ---------------------------------------------------------------------- */

ah_expr mat_get(ah_ctx *ctx, mat m, uint32_t row, uint32_t col)
{
    uint32_t low = m.start[row], high = m.start[row + 1];
    while (low < high) {
        uint32_t middle = low + (high - low) / 2;
        if (m.col[middle] < col)
            low = middle + 1;
        else
            high = middle;
    }
    if (low < m.start[row + 1] && m.col[low] == col) return m.val[low];
    return expr_int(ctx, 0);
}

mat mat_from_dense(ah_ctx *ctx, arena *a, uint32_t rows, uint32_t cols, const ah_expr *dense)
{
    size_t count = 0, size = (size_t) rows * cols;
    expr_pool_of(ctx);
    for (size_t i = 0; i < size; i++) count += dense[i] != EXPR_ZERO;
    writer w = write_begin(a, rows, count);
    for (uint32_t i = 0; i < rows; i++) {
        for (uint32_t j = 0; j < cols; j++) write_entry(&w, j, dense[(size_t) i * cols + j]);
        write_row_end(&w);
    }
    return write_end(&w, cols);
}

ah_expr *mat_to_dense(ah_ctx *ctx, arena *a, mat m)
{
    size_t size = (size_t) m.rows * m.cols;
    ah_expr *dense = NEW_ARRAY(a, ah_expr, size);
    expr_pool_of(ctx);
    for (size_t i = 0; i < size; i++) dense[i] = EXPR_ZERO;
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++)
            dense[(size_t) i * m.cols + m.col[k]] = m.val[k];
    return dense;
}

mat mat_zero(ah_ctx *ctx, arena *a, uint32_t rows, uint32_t cols)
{
    (void) ctx;
    return (mat){rows, cols, NEW_ARRAY(a, uint32_t, (size_t) rows + 1), NULL, NULL};
}

mat mat_identity(ah_ctx *ctx, arena *a, uint32_t n)
{
    expr_pool_of(ctx);
    writer w = write_begin(a, n, n);
    for (uint32_t i = 0; i < n; i++) {
        write_entry(&w, i, EXPR_ONE);
        write_row_end(&w);
    }
    return write_end(&w, n);
}

/* Entry numbers ordered by row, then column, then as they came: two stable sorts of 32 bits. */
static const uint32_t *entry_order(ah_ctx *ctx, const mat_entry *entries, size_t count)
{
    uint64_t *key = NEW_ARRAY(&ctx->scratch, uint64_t, count);
    uint64_t *spare = NEW_ARRAY(&ctx->scratch, uint64_t, count);
    uint32_t *order = NEW_ARRAY(&ctx->scratch, uint32_t, count);
    for (size_t i = 0; i < count; i++) key[i] = (uint64_t) entries[i].col << 32 | i;
    expr_sort(key, spare, count);
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t) key[i];
    for (size_t i = 0; i < count; i++) key[i] = (uint64_t) entries[order[i]].row << 32 | i;
    expr_sort(key, spare, count);
    for (size_t i = 0; i < count; i++) key[i] = order[(uint32_t) key[i]];
    for (size_t i = 0; i < count; i++) order[i] = (uint32_t) key[i];
    return order;
}

mat mat_from_entries(ah_ctx *ctx, arena *a, uint32_t rows, uint32_t cols, const mat_entry *entries,
                     size_t count)
{
    expr_pool_of(ctx);
    arena_mark mark = arena_get_mark(&ctx->scratch);
    writer w = write_begin(a, rows, count);
    if (a == &ctx->scratch) mark = arena_get_mark(&ctx->scratch);
    const uint32_t *order = entry_order(ctx, entries, count);
    ah_expr *same = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    for (size_t i = 0; i < count;) {
        const mat_entry *at = &entries[order[i]];
        size_t n = 0;
        for (; i < count && entries[order[i]].row == at->row && entries[order[i]].col == at->col;
             i++)
            same[n++] = entries[order[i]].val;
        while (w.row < at->row) write_row_end(&w);
        write_entry(&w, at->col, expr_sum(ctx, n, same));
    }
    while (w.row < rows) write_row_end(&w);
    arena_release(&ctx->scratch, mark); /* the matrix is before the mark, or elsewhere */
    return write_end(&w, cols);
}

bool mat_equal(mat x, mat y)
{
    if (x.rows != y.rows || x.cols != y.cols || mat_entries(x) != mat_entries(y)) return false;
    size_t n = mat_entries(x);
    if (!n) return true;
    return !memcmp(x.start, y.start, ((size_t) x.rows + 1) * sizeof *x.start) &&
           !memcmp(x.col, y.col, n * sizeof *x.col) && !memcmp(x.val, y.val, n * sizeof *x.val);
}

/* ---- Shape ----------------------------------------------------------------------------------- */

mat mat_transpose(ah_ctx *ctx, arena *a, mat m)
{
    (void) ctx;
    uint32_t n = mat_entries(m);
    uint32_t *start = NEW_ARRAY(a, uint32_t, (size_t) m.cols + 2), *col = NEW_ARRAY(a, uint32_t, n);
    ah_expr *val = NEW_ARRAY(a, ah_expr, n);
    /* Counting sort: start[j + 2] counts, then start[j + 1] is where the next entry of row j goes. */
    for (uint32_t k = 0; k < n; k++) start[m.col[k] + 2]++;
    for (uint32_t j = 0; j < m.cols; j++) start[j + 2] += start[j + 1];
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++) {
            uint32_t to = start[m.col[k] + 1]++;
            col[to] = i;
            val[to] = m.val[k];
        }
    return (mat){m.cols, m.rows, start, col, val};
}

mat mat_rows(ah_ctx *ctx, arena *a, mat m, const uint32_t *rows, uint32_t count)
{
    (void) ctx;
    size_t n = 0;
    for (uint32_t i = 0; i < count; i++) n += m.start[rows[i] + 1] - m.start[rows[i]];
    writer w = write_begin(a, count, n);
    for (uint32_t i = 0; i < count; i++) {
        for (uint32_t k = m.start[rows[i]]; k < m.start[rows[i] + 1]; k++)
            write_entry(&w, m.col[k], m.val[k]);
        write_row_end(&w);
    }
    return write_end(&w, m.cols);
}

mat mat_cols(ah_ctx *ctx, arena *a, mat m, const uint32_t *cols, uint32_t count)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    mat t = mat_transpose(ctx, &ctx->scratch, m);
    mat chosen = mat_rows(ctx, &ctx->scratch, t, cols, count);
    mat result = mat_transpose(ctx, a, chosen);
    expr_release(ctx, a, mark);
    return result;
}

mat mat_stack(ah_ctx *ctx, arena *a, mat top, mat bottom)
{
    (void) ctx;
    writer w =
        write_begin(a, top.rows + bottom.rows, (size_t) mat_entries(top) + mat_entries(bottom));
    for (int part = 0; part < 2; part++) {
        mat m = part ? bottom : top;
        for (uint32_t i = 0; i < m.rows; i++) {
            for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++)
                write_entry(&w, m.col[k], m.val[k]);
            write_row_end(&w);
        }
    }
    return write_end(&w, top.cols > bottom.cols ? top.cols : bottom.cols);
}

/* ---- Arithmetic ------------------------------------------------------------------------------ */

mat mat_add(ah_ctx *ctx, arena *a, mat x, mat y)
{
    writer w = write_begin(a, x.rows, (size_t) mat_entries(x) + mat_entries(y));
    for (uint32_t i = 0; i < x.rows; i++) {
        uint32_t j = x.start[i], k = y.start[i];
        while (j < x.start[i + 1] || k < y.start[i + 1]) {
            uint32_t cx = j < x.start[i + 1] ? x.col[j] : UINT32_MAX;
            uint32_t cy = k < y.start[i + 1] ? y.col[k] : UINT32_MAX;
            if (cx == cy) {
                write_entry(&w, cx, expr_add(ctx, x.val[j], y.val[k]));
                j++, k++;
            } else if (cx < cy) {
                write_entry(&w, cx, x.val[j++]);
            } else {
                write_entry(&w, cy, y.val[k++]);
            }
        }
        write_row_end(&w);
    }
    return write_end(&w, x.cols);
}

mat mat_map(ah_ctx *ctx, arena *a, mat m, ah_expr (*f)(ah_ctx *ctx, void *user, ah_expr e),
            void *user)
{
    writer w = write_begin(a, m.rows, mat_entries(m));
    for (uint32_t i = 0; i < m.rows; i++) {
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++)
            write_entry(&w, m.col[k], f(ctx, user, m.val[k]));
        write_row_end(&w);
    }
    return write_end(&w, m.cols);
}

static ah_expr negate(ah_ctx *ctx, void *user, ah_expr e)
{
    return (void) user, expr_neg(ctx, e);
}

mat mat_neg(ah_ctx *ctx, arena *a, mat m)
{
    return mat_map(ctx, a, m, negate, NULL);
}

static ah_expr scale(ah_ctx *ctx, void *user, ah_expr e)
{
    return expr_mul(ctx, *(const ah_expr *) user, e);
}

mat mat_scale(ah_ctx *ctx, arena *a, ah_expr s, mat m)
{
    return mat_map(ctx, a, m, scale, &s);
}

mat mat_sub(ah_ctx *ctx, arena *a, mat x, mat y)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    mat result = mat_add(ctx, a, x, mat_neg(ctx, &ctx->scratch, y));
    expr_release(ctx, a, mark);
    return result;
}

/* Row i of the product: Σ_k x_ik (row k of y), each entry one n-ary sum. */
mat mat_mul(ah_ctx *ctx, arena *a, mat x, mat y)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    LIST(mat_entry) terms = {0};
    for (uint32_t i = 0; i < x.rows; i++)
        for (uint32_t j = x.start[i]; j < x.start[i + 1]; j++)
            for (uint32_t k = y.start[x.col[j]]; k < y.start[x.col[j] + 1]; k++) {
                mat_entry e = {i, y.col[k], expr_mul(ctx, x.val[j], y.val[k])};
                LIST_PUSH(&ctx->scratch, &terms, e);
            }
    mat result = mat_from_entries(ctx, a, x.rows, y.cols, terms.at, terms.count);
    expr_release(ctx, a, mark);
    return result;
}

mat mat_mul3(ah_ctx *ctx, arena *a, mat x, mat y, mat z)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    mat result = mat_mul(ctx, a, x, mat_mul(ctx, &ctx->scratch, y, z));
    expr_release(ctx, a, mark);
    return result;
}

/* ---- Entries together ------------------------------------------------------------------------ */

/* The same pattern with new values, less what vanished. */
static mat with_values(arena *a, mat m, const ah_expr *val)
{
    writer w = write_begin(a, m.rows, mat_entries(m));
    for (uint32_t i = 0; i < m.rows; i++) {
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++) write_entry(&w, m.col[k], val[k]);
        write_row_end(&w);
    }
    return write_end(&w, m.cols);
}

mat mat_subst(ah_ctx *ctx, arena *a, mat m, size_t count, const ah_expr *symbols,
              const ah_expr *values)
{
    uint32_t n = mat_entries(m);
    arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *val = NEW_ARRAY(&ctx->scratch, ah_expr, n);
    if (n) memcpy(val, m.val, n * sizeof *val);
    expr_subst_all(ctx, val, n, count, symbols, values);
    mat result = with_values(a, m, val);
    expr_release(ctx, a, mark);
    return result;
}

mat mat_derivative(ah_ctx *ctx, arena *a, mat m, ah_expr symbol)
{
    const ah_expr one = expr_int(ctx, 1);
    arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *val = NEW_ARRAY(&ctx->scratch, ah_expr, mat_entries(m));
    expr_forward_all(ctx, m.val, mat_entries(m), 1, &symbol, &one, val);
    mat result = with_values(a, m, val);
    expr_release(ctx, a, mark);
    return result;
}

mat mat_dt(ah_ctx *ctx, arena *a, mat m)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *val = NEW_ARRAY(&ctx->scratch, ah_expr, mat_entries(m));
    expr_dt_all(ctx, m.val, mat_entries(m), val);
    mat result = with_values(a, m, val);
    expr_release(ctx, a, mark);
    return result;
}

/* ---- Jacobians ------------------------------------------------------------------------------- */

/* Columns of the symbols, found by handle. */
typedef struct columns {
    uint64_t *at; /* handle << 32 | column, ascending */
    size_t count;
} columns;

static columns columns_begin(ah_ctx *ctx, size_t count, const ah_expr *symbols)
{
    columns c = {NEW_ARRAY(&ctx->scratch, uint64_t, count), count};
    for (size_t i = 0; i < count; i++) c.at[i] = (uint64_t) symbols[i] << 32 | i;
    expr_sort(c.at, NEW_ARRAY(&ctx->scratch, uint64_t, count), count);
    return c;
}

static size_t column_of(const columns *c, ah_expr symbol)
{
    size_t low = 0, high = c->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if ((ah_expr) (c->at[middle] >> 32) < symbol)
            low = middle + 1;
        else
            high = middle;
    }
    bool found = low < c->count && (ah_expr) (c->at[low] >> 32) == symbol;
    return found ? (size_t) (uint32_t) c->at[low] : SIZE_MAX;
}

typedef LIST(mat_entry) entry_list;

/* One reverse pass over what the row reaches, by those of the symbols that are there. */
static void jacobian_row(ah_ctx *ctx, const columns *c, uint32_t row, ah_expr e, entry_list *out)
{
    expr_list found = expr_symbols(ctx, &ctx->scratch, &e, 1);
    uint32_t *column = NEW_RAW(&ctx->scratch, uint32_t, found.count);
    ah_expr *d = NEW_RAW(&ctx->scratch, ah_expr, found.count);
    size_t count = 0;
    for (size_t i = 0; i < found.count; i++) {
        size_t at = column_of(c, found.at[i]);
        if (at == SIZE_MAX) continue;
        column[count] = (uint32_t) at;
        found.at[count++] = found.at[i];
    }
    if (!count) return;
    expr_gradient(ctx, e, count, found.at, d);
    for (size_t i = 0; i < count; i++) {
        mat_entry entry = {row, column[i], d[i]};
        if (d[i] != EXPR_ZERO) LIST_PUSH(&ctx->scratch, out, entry);
    }
}

/* A Jacobian that was made, with what it was asked for. Reading a model, its mechanics, the search for a start and the
 * projections of a motion all want those of the constraints. */
struct expr_jacobian {
    uint32_t rows, functions, entries;
    size_t symbols, bytes;
    uint32_t *start, *col; /* of the result */
    ah_expr *val;
    uint32_t *f_start;
    ah_expr *f, *symbol;
    uint32_t room[];
};

/* Those of few rows cost little, full ones much memory. */
enum { KEPT_ROWS = 16, KEPT_SHARE = 16 };

static bool is_kept(const expr_jacobian *k, mat f, size_t count, const ah_expr *symbols)
{
    return k && k->rows == f.rows && k->functions == mat_entries(f) && k->symbols == count &&
           !memcmp(k->f, f.val, k->functions * sizeof *k->f) &&
           !memcmp(k->f_start, f.start, ((size_t) f.rows + 1) * sizeof *k->f_start) &&
           !memcmp(k->symbol, symbols, count * sizeof *symbols);
}

static uint32_t *copied(uint32_t **room, const uint32_t *from, size_t count)
{
    uint32_t *to = *room;
    if (count) memcpy(to, from, count * sizeof *to);
    *room += count;
    return to;
}

static void keep_jacobian(ah_ctx *ctx, mat f, size_t count, const ah_expr *symbols, mat J)
{
    expr_pool *p = ctx->pool;
    const size_t rows = (size_t) f.rows + 1, functions = mat_entries(f), entries = mat_entries(J);
    if (f.rows < KEPT_ROWS || entries > KEPT_SHARE * (rows + count)) return;
    const size_t room = 2 * rows + functions + count + 2 * entries;
    const size_t bytes = sizeof(expr_jacobian) + room * sizeof(uint32_t);
    expr_jacobian *k = ctx_realloc(ctx, NULL, 0, bytes);
    uint32_t *at = k->room;
    *k = (expr_jacobian){.rows = f.rows,
                         .functions = (uint32_t) functions,
                         .entries = (uint32_t) entries,
                         .symbols = count,
                         .bytes = bytes};
    k->start = copied(&at, J.start, rows);
    k->col = copied(&at, J.col, entries);
    k->val = copied(&at, J.val, entries);
    k->f_start = copied(&at, f.start, rows);
    k->f = copied(&at, f.val, functions);
    k->symbol = copied(&at, symbols, count);
    expr_jacobian **place = &p->jacobian[p->jacobians++ % EXPR_JACOBIANS];
    if (*place) expr_jacobian_destroy(ctx, *place);
    *place = k;
}

void expr_jacobian_destroy(ah_ctx *ctx, expr_jacobian *k)
{
    ctx_realloc(ctx, k, k->bytes, 0);
}

/* The kept one in the arena of who asks; false: there is none. */
static bool find_jacobian(const ah_ctx *ctx, arena *a, mat f, size_t count, const ah_expr *symbols,
                          mat *out)
{
    for (int i = 0; i < EXPR_JACOBIANS && f.rows >= KEPT_ROWS; i++) {
        const expr_jacobian *k = ctx->pool->jacobian[i];
        if (!is_kept(k, f, count, symbols)) continue;
        writer w = write_begin(a, f.rows, k->entries);
        memcpy(w.start, k->start, ((size_t) f.rows + 1) * sizeof *w.start);
        memcpy(w.col, k->col, k->entries * sizeof *w.col);
        memcpy(w.val, k->val, k->entries * sizeof *w.val);
        *out = write_end(&w, (uint32_t) count);
        return true;
    }
    return false;
}

mat mat_jacobian(ah_ctx *ctx, arena *a, mat f, size_t count, const ah_expr *symbols)
{
    mat result;
    expr_pool_of(ctx);
    if (find_jacobian(ctx, a, f, count, symbols, &result)) return result;
    arena_mark mark = arena_get_mark(&ctx->scratch);
    columns c = columns_begin(ctx, count, symbols);
    entry_list entries = {0};
    for (uint32_t i = 0; i < f.rows; i++)
        for (uint32_t k = f.start[i]; k < f.start[i + 1]; k++)
            jacobian_row(ctx, &c, i, f.val[k], &entries);
    result = mat_from_entries(ctx, a, f.rows, (uint32_t) count, entries.at, entries.count);
    expr_release(ctx, a, mark);
    keep_jacobian(ctx, f, count, symbols, result);
    return result;
}

mat mat_gradient(ah_ctx *ctx, arena *a, ah_expr e, size_t count, const ah_expr *symbols)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *d = NEW_ARRAY(&ctx->scratch, ah_expr, count);
    expr_gradient(ctx, e, count, symbols, d);
    mat result = mat_from_dense(ctx, a, (uint32_t) count, 1, d);
    expr_release(ctx, a, mark);
    return result;
}

mat mat_hessian(ah_ctx *ctx, arena *a, ah_expr e, size_t count, const ah_expr *symbols)
{
    arena_mark mark = arena_get_mark(&ctx->scratch);
    mat g = mat_gradient(ctx, &ctx->scratch, e, count, symbols);
    mat result = mat_jacobian(ctx, a, g, count, symbols);
    expr_release(ctx, a, mark);
    return result;
}
