/* real/split.h - inside the module: the common zeros of rows, taken apart into irreducible components. */
#ifndef REAL_SPLIT_H
#define REAL_SPLIT_H
#include "../algebra/algebra.h"

/* Rows (= 0) in some unknowns, over the functions on the common zeros of `base`: relations without
 * these unknowns, a piece of an earlier split. */
typedef struct split_rows {
    size_t base, rows, unknowns;
    const ah_expr *base_relation, *row, *unknown;
} split_rows;
/* One irreducible component over the rationals, as many relations as its codimension. */
typedef struct split_piece {
    size_t count;
    const ah_expr *relation;
    const bool *split; /* of each relation: its row fell apart, other pieces have another factor */
} split_piece;
/* complete: every common zero of base and rows at which the rows are independent in the unknowns
 * lies on a piece or is a limit of such; otherwise *why. No pieces at all: the rows contradict each
 * other. Pieces without real points may be among them (split.c). */
typedef struct split_pieces {
    size_t count;
    const split_piece *at;
    bool complete;
    /* Divided by, or left out, though they hold parameters or functions: where one vanishes altogether the pieces may be others. */
    size_t specials;
    const ah_expr *special;
    bool flat; /* pieces on which the rows are dependent everywhere were left out: (x' − y')² = 0 */
    const char *why;
} split_pieces;
void split_components(algebra *alg, const split_rows *q, split_pieces *out);

#endif
