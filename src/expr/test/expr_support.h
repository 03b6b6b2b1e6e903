/* expr_support.h - for the tests of expr: a guarded context, random expressions, a reader. */
#ifndef EXPR_TEST_EXPR_SUPPORT_H
#define EXPR_TEST_EXPR_SUPPORT_H
#include "expr/ball.h"
#include "expr/expr.h"
#include "expr/mat.h"
#include "harness.h"

/* A test with a context `ctx`, run under a guard. */
#define EXPR_TEST(id)                                                                              \
    static void body_##id(ah_ctx *ctx, void *arg);                                                 \
    TEST(id)                                                                                       \
    {                                                                                              \
        support_run(body_##id);                                                                    \
    }                                                                                              \
    static void body_##id(ah_ctx *ctx, void *arg)

void support_run(void (*body)(ah_ctx *ctx, void *arg));

/* Reads the model language's expressions (names of one letter with digits, primes; the functions;
 * f(t), f'(t)): a second implementation of what AH_ASCII writes. */
ah_expr support_read(ah_ctx *ctx, const char *s);

/* A plain tree beside the expression built from it, so that building can be checked against
 * evaluating the tree as it stands. */
typedef struct tree {
    char op; /* n number, s symbol, + - * / ^ (small rational exponent), f function */
    int p, q;
    ah_function f;
    ah_expr symbol;
    struct tree *left, *right;
} tree;
tree *support_random_tree(ah_ctx *ctx, int depth, size_t count, const ah_expr *symbols);
ah_expr support_build(ah_ctx *ctx, const tree *t);
void support_tree_ball(const tree *t, const ball_frame *values, slong bits, arb_t out);

/* The numbers of the symbols that there are, in the order in which they were made. */
frame *support_frame(ah_ctx *ctx, arena *a, const double *state);
/* e at a state of doubles, and in balls. */
double support_value(ah_ctx *ctx, ah_expr e, const double *state);
/* Balls of a state: x = k/64 exactly. */
ball_frame *support_balls(ah_ctx *ctx, arena *a, const double *state);
void support_random_state(ah_ctx *ctx, double *state);
void support_ball(ah_ctx *ctx, ah_expr e, const double *state, slong bits, arb_t out);
/* |a - b| <= 2^-bits (1 + |a|), or one of them is not finite. */
bool support_close(const arb_t a, const arb_t b, slong bits);

#endif
