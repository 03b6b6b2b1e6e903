/* sheet/quantities.c - writing a worksheet down. */
#include "quantities.h"

#include <assert.h>
#include <string.h>

const char *sheet_op_name(sheet_op op)
{
    static const char *const name[SHEET_OPERATIONS] = {
#define X(operation, word) [SHEET_##operation] = #word,
#include "operations.def"
#undef X
    };
    return name[op];
}

sheet *sheet_create(ah_ctx *ctx, arena *a)
{
    sheet *s = NEW(a, sheet);
    s->ctx = ctx;
    s->arena = a;
    return s;
}

static quantity add_node(sheet *s, sheet_node node)
{
    LIST_PUSH(s->arena, &s->nodes, node);
    return (quantity) (s->nodes.count - 1);
}

static quantity operation(sheet *s, sheet_op op, uint32_t rows, uint32_t cols, quantity a,
                          quantity b)
{
    return add_node(
        s, (sheet_node){
               .op = op, .rows = rows, .cols = cols, .in = {a, b, QUANTITY_NONE, QUANTITY_NONE}});
}

#define ROWS(x) (s->nodes.at[x].rows)
#define COLS(x) (s->nodes.at[x].cols)

quantity sheet_leaf(sheet *s, mat m)
{
    quantity x = operation(s, SHEET_LEAF, m.rows, m.cols, QUANTITY_NONE, QUANTITY_NONE);
    s->nodes.at[x].leaf = m;
    return x;
}

quantity sheet_mul(sheet *s, quantity a, quantity b)
{
    assert(COLS(a) == ROWS(b));
    return operation(s, SHEET_MUL, ROWS(a), COLS(b), a, b);
}

quantity sheet_mul3(sheet *s, quantity a, quantity b, quantity c)
{
    return sheet_mul(s, sheet_mul(s, a, b), c);
}

static quantity entrywise(sheet *s, sheet_op op, quantity a, quantity b)
{
    assert(ROWS(a) == ROWS(b) && COLS(a) == COLS(b));
    return operation(s, op, ROWS(a), COLS(a), a, b);
}

quantity sheet_add(sheet *s, quantity a, quantity b)
{
    return entrywise(s, SHEET_ADD, a, b);
}

quantity sheet_sub(sheet *s, quantity a, quantity b)
{
    return entrywise(s, SHEET_SUB, a, b);
}

quantity sheet_neg(sheet *s, quantity a)
{
    return operation(s, SHEET_NEG, ROWS(a), COLS(a), a, QUANTITY_NONE);
}

quantity sheet_transpose(sheet *s, quantity a)
{
    return operation(s, SHEET_TRANSPOSE, COLS(a), ROWS(a), a, QUANTITY_NONE);
}

quantity sheet_stack(sheet *s, quantity top, quantity bottom)
{
    assert(COLS(top) == COLS(bottom));
    return operation(s, SHEET_STACK, ROWS(top) + ROWS(bottom), COLS(top), top, bottom);
}

quantity sheet_beside(sheet *s, quantity left, quantity right)
{
    assert(ROWS(left) == ROWS(right));
    return operation(s, SHEET_BESIDE, ROWS(left), COLS(left) + COLS(right), left, right);
}

/* The node keeps its own copy of the indices. */
static void set_index(sheet *s, quantity x, const uint32_t *index, uint32_t count)
{
    uint32_t *copy = NEW_ARRAY(s->arena, uint32_t, count);
    if (count) memcpy(copy, index, count * sizeof *index);
    s->nodes.at[x].index = copy;
    s->nodes.at[x].indices = count;
}

quantity sheet_rows(sheet *s, quantity a, const uint32_t *rows, uint32_t count)
{
    quantity x = operation(s, SHEET_ROWS, count, COLS(a), a, QUANTITY_NONE);
    set_index(s, x, rows, count);
    return x;
}

quantity sheet_cols(sheet *s, quantity a, const uint32_t *cols, uint32_t count)
{
    quantity x = operation(s, SHEET_COLS, ROWS(a), count, a, QUANTITY_NONE);
    set_index(s, x, cols, count);
    return x;
}

static uint32_t *range(sheet *s, uint32_t from, uint32_t count)
{
    uint32_t *index = NEW_ARRAY(s->arena, uint32_t, count);
    for (uint32_t i = 0; i < count; i++) index[i] = from + i;
    return index;
}

const uint32_t *sheet_first_rows(sheet *s, uint32_t count)
{
    return range(s, 0, count);
}

quantity sheet_row_range(sheet *s, quantity a, uint32_t from, uint32_t count)
{
    return sheet_rows(s, a, range(s, from, count), count);
}

quantity sheet_col_range(sheet *s, quantity a, uint32_t from, uint32_t count)
{
    return sheet_cols(s, a, range(s, from, count), count);
}

quantity sheet_reshape(sheet *s, quantity a, uint32_t rows, uint32_t cols)
{
    assert((uint64_t) ROWS(a) * COLS(a) == (uint64_t) rows * cols);
    return operation(s, SHEET_RESHAPE, rows, cols, a, QUANTITY_NONE);
}

quantity sheet_solve(sheet *s, quantity a, quantity b)
{
    assert(ROWS(a) == COLS(a) && ROWS(a) == ROWS(b));
    return operation(s, SHEET_SOLVE, ROWS(b), COLS(b), a, b);
}

static quantity constrained(sheet *s, sheet_op op, uint32_t rows, quantity M, quantity J,
                            quantity L, quantity gamma, uint32_t rank)
{
    assert(ROWS(M) == COLS(J) && ROWS(J) == ROWS(gamma) && ROWS(L) == ROWS(M));
    return add_node(
        s, (sheet_node){.op = op, .rows = rows, .cols = 1, .in = {M, J, L, gamma}, .rank = rank});
}

quantity sheet_kkt(sheet *s, quantity M, quantity J, quantity L, quantity gamma, uint32_t rank)
{
    return constrained(s, SHEET_KKT, ROWS(M) + ROWS(J), M, J, L, gamma, rank);
}

quantity sheet_kkt_tree(sheet *s, quantity M, quantity J, quantity L, quantity gamma, uint32_t rank,
                        const struct sparse_tree *tree)
{
    const quantity x = sheet_kkt(s, M, J, L, gamma, rank);
    s->nodes.at[x].tree = tree;
    return x;
}

quantity sheet_gauss(sheet *s, quantity M, quantity J, quantity L, quantity gamma, uint32_t rank)
{
    return constrained(s, SHEET_GAUSS, ROWS(M), M, J, L, gamma, rank);
}

quantity sheet_local_chart(sheet *s, sheet_op op, quantity J, quantity gamma, uint32_t m,
                           const uint32_t *preferred, mat symbolic)
{
    const uint32_t n = COLS(J);
    const uint32_t rows = op == SHEET_INDEPENDENT ? m : n;
    const uint32_t cols = op == SHEET_INDEPENDENT ? n : op == SHEET_CHART ? m : 1;
    quantity x = operation(s, op, rows, cols, J, gamma);
    if (preferred) set_index(s, x, preferred, m);
    s->nodes.at[x].leaf = symbolic;
    s->nodes.at[x].rank = n - m;
    return x;
}

quantity sheet_annihilator(sheet *s, quantity a)
{
    assert(ROWS(a) >= COLS(a));
    return operation(s, SHEET_ANNIHILATOR, ROWS(a) - COLS(a), ROWS(a), a, QUANTITY_NONE);
}

quantity sheet_name(sheet *s, quantity x, const char *name, const char *formula)
{
    s->nodes.at[x].name = arena_strdup(s->arena, name);
    s->nodes.at[x].formula = formula ? arena_strdup(s->arena, formula) : NULL;
    return x;
}

quantity sheet_belongs(sheet *s, quantity x, mat symbols)
{
    s->nodes.at[x].belongs = symbols;
    return x;
}

quantity sheet_meaning(sheet *s, quantity x, const char *meaning)
{
    s->nodes.at[x].meaning = meaning;
    return x;
}

quantity sheet_as_written(sheet *s, quantity leaf)
{
    assert(s->nodes.at[leaf].op == SHEET_LEAF);
    s->nodes.at[leaf].as_written = true;
    return leaf;
}

/* ---- Steps ----------------------------------------------------------------------------------- */

void sheet_section(sheet *s, const char *heading, const char *paper)
{
    LIST_PUSH(s->arena, &s->steps,
              ((sheet_step){
                  .kind = STEP_SECTION, .text = heading, .paper = paper, .value = QUANTITY_NONE}));
}

void sheet_text(sheet *s, const char *format, ...)
{
    text t = text_begin(s->arena);
    va_list args;
    va_start(args, format);
    text_vprintf(&t, format, args);
    va_end(args);
    LIST_PUSH(s->arena, &s->steps,
              ((sheet_step){.kind = STEP_TEXT, .text = text_end(&t), .value = QUANTITY_NONE}));
}

void sheet_show(sheet *s, quantity x, const char *remark, const char *paper)
{
    LIST_PUSH(s->arena, &s->steps,
              ((sheet_step){.kind = STEP_QUANTITY, .text = remark, .paper = paper, .value = x}));
}

void sheet_equations(sheet *s, mat unknowns, quantity x, const char *remark, const char *paper)
{
    assert(unknowns.rows == ROWS(x) && COLS(x) == 1);
    LIST_PUSH(s->arena, &s->steps,
              ((sheet_step){.kind = STEP_EQUATIONS,
                            .text = remark,
                            .paper = paper,
                            .value = x,
                            .right = QUANTITY_NONE,
                            .unknowns = unknowns,
                            .system = {.A = QUANTITY_NONE, .b = QUANTITY_NONE}}));
}

void sheet_implicit(sheet *s, quantity left, quantity right, const char *remark, const char *paper)
{
    assert(COLS(left) == 1 && (right == QUANTITY_NONE || ROWS(right) == ROWS(left)));
    LIST_PUSH(
        s->arena, &s->steps,
        ((sheet_step){
            .kind = STEP_IMPLICIT, .text = remark, .paper = paper, .value = left, .right = right}));
}

void sheet_otherwise(sheet *s, mat x, quantity A, quantity b)
{
    assert(s->steps.count && s->steps.at[s->steps.count - 1].kind == STEP_EQUATIONS);
    assert(COLS(A) == x.rows && ROWS(A) == ROWS(b) && COLS(b) == 1);
    sheet_step *step = &s->steps.at[s->steps.count - 1];
    step->system.unknowns = x;
    step->system.A = A;
    step->system.b = b;
}

void sheet_final(sheet *s)
{
    assert(s->steps.count);
    s->steps.at[s->steps.count - 1].final = true;
}

void sheet_again(sheet *s)
{
    assert(s->steps.count);
    s->steps.at[s->steps.count - 1].again = true;
}
