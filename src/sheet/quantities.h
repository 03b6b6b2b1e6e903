/* sheet/quantities.h - the worksheet of a derivation: a small program of matrices.
 *
 * A formalism writes its quantities down in the order of its paper. Leaves are symbolic matrices in
 * t, q, q', z, ω; everything else is an operation on earlier quantities. The same sheet is then
 *   - run in doubles (run.h) or in balls (balls.h): factorisations, never inverses;
 *   - worked out symbolically where it is small (symbolic.h) and typeset.
 * So what is displayed and what is computed cannot drift apart. */
#ifndef SHEET_QUANTITIES_H
#define SHEET_QUANTITIES_H
#include "../expr/expr.h"

typedef uint32_t quantity; /* index into the sheet; QUANTITY_NONE: there is none */
#define QUANTITY_NONE ((quantity) -1)

typedef enum sheet_op {
#define X(operation, word) SHEET_##operation,
#include "operations.def"
#undef X
    SHEET_OPERATIONS
} sheet_op;
const char *sheet_op_name(sheet_op op); /* "mul", for debugging */

typedef struct sheet_node {
    sheet_op op;
    uint32_t rows, cols;
    quantity in[4];
    mat leaf; /* LEAF; CHART…: the same thing symbolically, as displayed (0 × 0: there is none) */
    const uint32_t *index; /* ROWS, COLS: which; CHART…: preferred independent columns, or NULL */
    uint32_t indices;
    bool as_written; /* LEAF: displayed in t, q, v even where the method has other variables */
    const struct sparse_tree
        *tree; /* KKT: of the bodies of a tree (numeric/sparse.h); NULL: none */
    uint32_t
        rank; /* KKT, GAUSS, CHART…: the generic rank of J; less at a state is a singular state */
    /* As displayed: */
    const char *name;    /* TeX subset: "G", "\\Psi", "\\beta_1"; NULL: an intermediate result */
    const char *formula; /* right-hand side in the same subset, "J M^{-1} J^T"; NULL: none    */
    mat belongs; /* symbols that the rows belong to; 0 × 0: it is to be seen from their number */
    const char *meaning; /* the same where the value is not printed and there is no formula */
} sheet_node;

typedef enum sheet_step_kind {
    STEP_SECTION,   /* a heading                                                              */
    STEP_TEXT,      /* a sentence                                                             */
    STEP_QUANTITY,  /* name = formula = value                                                 */
    STEP_EQUATIONS, /* unknown_i = value_i, one a row                                        */
    STEP_IMPLICIT   /* value_i = right_i, one a row                                          */
} sheet_step_kind;

typedef struct sheet_step {
    sheet_step_kind kind;
    const char *text;  /* section, sentence, or a remark to the quantity (TeX in $…$) */
    const char *paper; /* "[B11, eq. 3.21]" or NULL                                    */
    quantity value;
    quantity right; /* STEP_IMPLICIT; QUANTITY_NONE: zero                          */
    mat unknowns;   /* STEP_EQUATIONS: left sides (a column of expressions)          */
    /* STEP_EQUATIONS whose value is too long: the linear system that is shown instead */
    struct {
        mat unknowns; /* a column of symbols, these and perhaps more */
        quantity A, b;
    } system;
    bool final; /* belongs to the result shown without --steps                   */
    bool again; /* other rows say the same: left out where these are long         */
} sheet_step;

typedef struct sheet {
    ah_ctx *ctx;
    arena *arena;
    LIST(sheet_node) nodes;
    LIST(sheet_step) steps;
    /* Of the velocities, and of all variables by their slots: how large they ordinarily are. NULL: all of order one. */
    const double *unit;
    uint32_t units;
    const frame *size;
} sheet;

sheet *sheet_create(ah_ctx *ctx, arena *a);

quantity sheet_leaf(sheet *s, mat m);
quantity sheet_mul(sheet *s, quantity a, quantity b);
quantity sheet_mul3(sheet *s, quantity a, quantity b, quantity c);
quantity sheet_add(sheet *s, quantity a, quantity b);
quantity sheet_sub(sheet *s, quantity a, quantity b);
quantity sheet_neg(sheet *s, quantity a);
quantity sheet_transpose(sheet *s, quantity a);
quantity sheet_stack(sheet *s, quantity top, quantity bottom);
quantity sheet_beside(sheet *s, quantity left, quantity right);
quantity sheet_rows(sheet *s, quantity a, const uint32_t *rows, uint32_t count);
quantity sheet_row_range(sheet *s, quantity a, uint32_t from, uint32_t count);
quantity sheet_cols(sheet *s, quantity a, const uint32_t *cols, uint32_t count);
quantity sheet_col_range(sheet *s, quantity a, uint32_t from, uint32_t count);
const uint32_t *sheet_first_rows(sheet *s, uint32_t count); /* 0, 1, …, count − 1 */
quantity sheet_reshape(sheet *s, quantity a, uint32_t rows, uint32_t cols);
quantity sheet_solve(sheet *s, quantity a, quantity b);
quantity sheet_kkt(sheet *s, quantity M, quantity J, quantity L, quantity gamma, uint32_t rank);
/* The same with the velocities of the bodies of a tree as further unknowns. */
quantity sheet_kkt_tree(sheet *s, quantity M, quantity J, quantity L, quantity gamma, uint32_t rank,
                        const struct sparse_tree *tree);
quantity sheet_gauss(sheet *s, quantity M, quantity J, quantity L, quantity gamma, uint32_t rank);
/* op: SHEET_CHART, SHEET_DRIFT or SHEET_INDEPENDENT; m free directions. */
quantity sheet_local_chart(sheet *s, sheet_op op, quantity J, quantity gamma, uint32_t m,
                           const uint32_t *preferred, mat symbolic);
quantity sheet_annihilator(sheet *s, quantity a);

/* Names a quantity for display; returns it. */
quantity sheet_name(sheet *s, quantity x, const char *name, const char *formula);
/* Its rows belong to these symbols (P_μ to ω_μ); returns it. */
quantity sheet_belongs(sheet *s, quantity x, mat symbols);
/* What a quantity without a formula is, for where its value is too long to be printed; returns it. A name that is a
 * formula itself needs none. */
quantity sheet_meaning(sheet *s, quantity x, const char *meaning);
/* A leaf that is not to be brought to the variables of the display (the definition of ω); returns
 * it. */
quantity sheet_as_written(sheet *s, quantity leaf);
/* Steps of the worksheet, in order. */
void sheet_section(sheet *s, const char *heading, const char *paper);
void sheet_text(sheet *s, const char *format, ...) PRINTF_LIKE(2, 3);
void sheet_show(sheet *s, quantity x, const char *remark, const char *paper);
void sheet_equations(sheet *s, mat unknowns, quantity x, const char *remark, const char *paper);
/* Equations that are left as they stand: left_i = right_i; QUANTITY_NONE: zero. */
void sheet_implicit(sheet *s, quantity left, quantity right, const char *remark, const char *paper);
/* Where the equations just written cannot be solved on paper: A x = b, x a column of symbols. Without it that is
 * the system of a value that is a SOLVE. */
void sheet_otherwise(sheet *s, mat x, quantity A, quantity b);
/* The last step belongs to the result proper. */
void sheet_final(sheet *s);
void sheet_again(sheet *s);

static inline const sheet_node *sheet_get(const sheet *s, quantity x)
{
    return &s->nodes.at[x];
}

#endif
