/* anholo/expr.h - exact symbolic expressions.
 *
 * An ah_expr is a handle to a node of the context's shared graph. Equal expressions (after the
 * cheap local simplifications: flattened sums and products, collected equal terms and powers,
 * folded exact constants) are one node, so equality of handles is equality of structure. Nothing is
 * freed singly. When an operation fails (limit, memory) the result is AH_NONE and the context's
 * status says why; AH_NONE as an argument gives AH_NONE. */
#ifndef ANHOLO_EXPR_H
#define ANHOLO_EXPR_H
#include <anholo/base.h>

typedef uint32_t ah_expr;
#define AH_NONE ((ah_expr) 0)

/* What a symbol stands for. The time derivative of a coordinate x is the velocity x', and so on. */
typedef enum ah_symbol_kind {
    AH_TIME,
    AH_PARAMETER,
    AH_COORDINATE,   /* x    */
    AH_VELOCITY,     /* x'   */
    AH_ACCELERATION, /* x''  */
    AH_JERK,         /* x''' : only inside total derivatives of accelerations */
    AH_SPEED,        /* z: velocity parameter or quasi-velocity */
    AH_SPEED_DOT,    /* z' */
    AH_MULTIPLIER,   /* lambda of a constraint */
    AH_DERIVED,      /* M[i,j], lambda[a], … in a claim */
    AH_LOCAL         /* argument of a let or of an unspecified function */
} ah_symbol_kind;

/* One list: name in the language, number of arguments. */
#define AH_FUNCTION_LIST(X)                                                                        \
    X(AH_SIN, "sin", 1)                                                                            \
    X(AH_COS, "cos", 1)                                                                            \
    X(AH_TAN, "tan", 1)                                                                            \
    X(AH_ASIN, "asin", 1)                                                                          \
    X(AH_ACOS, "acos", 1)                                                                          \
    X(AH_ATAN, "atan", 1)                                                                          \
    X(AH_ATAN2, "atan2", 2)                                                                        \
    X(AH_SINH, "sinh", 1)                                                                          \
    X(AH_COSH, "cosh", 1)                                                                          \
    X(AH_TANH, "tanh", 1)                                                                          \
    X(AH_EXP, "exp", 1)                                                                            \
    X(AH_LOG, "log", 1)                                                                            \
    X(AH_SQRT, "sqrt", 1)                                                                          \
    X(AH_ABS, "abs", 1)                                                                            \
    X(AH_SIGN, "sign", 1) /* derivative of abs */

typedef enum ah_function {
#define X(code, name, arity) code,
    AH_FUNCTION_LIST(X)
#undef X
        AH_FUNCTIONS
} ah_function;

AH_API ah_expr ah_int(ah_ctx *ctx, long value);
AH_API ah_expr ah_rational(ah_ctx *ctx, long numerator, long denominator);
/* "0.1", "1e-3", "12345678901234567890", "2/3": exact. AH_NONE when it is not a number. */
AH_API ah_expr ah_number(ah_ctx *ctx, const char *text);
AH_API ah_expr ah_pi(ah_ctx *ctx);
AH_API ah_expr ah_symbol(ah_ctx *ctx, ah_symbol_kind kind, const char *name);
AH_API ah_expr ah_time(ah_ctx *ctx);

AH_API ah_expr ah_add(ah_ctx *ctx, ah_expr a, ah_expr b);
AH_API ah_expr ah_sub(ah_ctx *ctx, ah_expr a, ah_expr b);
AH_API ah_expr ah_neg(ah_ctx *ctx, ah_expr a);
AH_API ah_expr ah_mul(ah_ctx *ctx, ah_expr a, ah_expr b);
AH_API ah_expr ah_div(ah_ctx *ctx, ah_expr a, ah_expr b);
AH_API ah_expr ah_pow(ah_ctx *ctx, ah_expr base, ah_expr exponent);
AH_API ah_expr ah_sum(ah_ctx *ctx, size_t count, const ah_expr *terms);
AH_API ah_expr ah_product(ah_ctx *ctx, size_t count, const ah_expr *factors);
AH_API ah_expr ah_call(ah_ctx *ctx, ah_function function, const ah_expr *arguments);
/* An unspecified function of `count` arguments. */
AH_API ah_expr ah_unknown(ah_ctx *ctx, const char *name, size_t count, const ah_expr *arguments);

/* Partial derivative by a symbol (all other symbols held), and the total time derivative. */
AH_API ah_expr ah_diff(ah_ctx *ctx, ah_expr e, ah_expr symbol);
AH_API ah_expr ah_total_derivative(ah_ctx *ctx, ah_expr e);
/* Simultaneous substitution of symbols. */
AH_API ah_expr ah_substitute(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols,
                             const ah_expr *values);
/* Value in double precision with the given symbols' values; NaN when a symbol is missing. */
AH_API double ah_evaluate(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols,
                          const double *values);
/* AH_TEXT, AH_ASCII (the model language: reads back as the same expression), AH_LATEX, AH_MATHML,
 * AH_C. NULL on failure. */
AH_API const char *ah_print(ah_ctx *ctx, ah_expr e, ah_format format);

/* ---- Looking at an expression ---------------------------------------------------------------- */

typedef enum ah_node {
    AH_NODE_NONE,   /* not an expression of this context */
    AH_NODE_NUMBER, /* exact rational */
    AH_NODE_PI,
    AH_NODE_SYMBOL,
    AH_NODE_SUM,     /* of its children */
    AH_NODE_PRODUCT, /* of its children */
    AH_NODE_POWER,   /* base, exponent; a square root has the exponent 1/2 */
    AH_NODE_CALL,    /* a function of one or two children */
    AH_NODE_UNKNOWN  /* an unspecified function of its children, or a derivative of one */
} ah_node;

AH_API ah_node ah_expr_kind(const ah_ctx *ctx, ah_expr e);
/* 0 and AH_NONE where there are none. */
AH_API size_t ah_expr_children(const ah_ctx *ctx, ah_expr e);
AH_API ah_expr ah_expr_child(const ah_ctx *ctx, ah_expr e, size_t index);
/* Of a symbol "x" (of x, x' and x''), of an unspecified function "f"; NULL of anything else. */
AH_API const char *ah_expr_name(const ah_ctx *ctx, ah_expr e);
AH_API ah_symbol_kind ah_expr_symbol_kind(const ah_ctx *ctx, ah_expr e); /* of a symbol */
AH_API ah_function ah_expr_function(const ah_ctx *ctx, ah_expr e); /* of a call, or AH_FUNCTIONS */
/* Of a number, rounded; NaN of anything else. Exactly: ah_print. */
AH_API double ah_expr_number(const ah_ctx *ctx, ah_expr e);
/* How often an unspecified function is differentiated by an argument. */
AH_API unsigned ah_expr_order(const ah_ctx *ctx, ah_expr e, size_t argument);

#endif
