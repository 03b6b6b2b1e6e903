/* sheet/symbolic.h - a worksheet's operations with symbols, as far as they stay small. */
#ifndef SHEET_SYMBOLIC_H
#define SHEET_SYMBOLIC_H
#include "../algebra/algebra.h"
#include "quantities.h"

typedef struct symbolic {
    ah_ctx *ctx;
    algebra *alg;
    arena *arena;
    /* The matrix that a node carries, in the variables of the display. */
    mat (*leaf)(void *user, const sheet_node *node);
    void *user;
} symbolic;

/* Local charts are displayed by their symbolic form where they have one: the J they are made from is not needed then. */
bool symbolic_needs_operands(const sheet_node *node);
/* false: it grew too large, or something it needs is singular. */
bool symbolic_operate(const symbolic *w, const sheet_node *node, const mat *in, mat *out);

#endif
