/* expr/expr.h - the expression graph, for the other modules. All functions raise on failure
 * (base/base.h), so none of them returns AH_NONE; AH_NONE must not be passed in.
 *
 * Children have smaller handles than their parents: ascending handles are a topological order. */
#ifndef EXPR_EXPR_H
#define EXPR_EXPR_H

#include "../base/base.h"
#include <anholo/expr.h>

/* Products inside products are opened up to this many factors. */
#define EXPR_FLAT 64

typedef enum expr_op {
    EXPR_NUMBER, /* exact rational */
    EXPR_PI,
    EXPR_SYMBOL,
    /* n-ary, children ascending by handle, no SUM inside that is not closed (expr_closed), at most one
     * NUMBER, like terms collected (a term's rational factor is its PRODUCT's number) */
    EXPR_SUM,
    /* n-ary, the NUMBER (not 1) first if any, the others ascending, powers of one base collected,
     * no PRODUCT inside unless more than EXPR_FLAT factors would come together */
    EXPR_PRODUCT,
    EXPR_POWER,  /* base, exponent; sqrt is the exponent 1/2 */
    EXPR_CALL,   /* ah_function of 1 or 2 children; never AH_SQRT */
    EXPR_UNKNOWN /* unspecified function, with the orders of its partial derivatives */
} expr_op;

/* ---- Building (the public ah_* functions are guarded forms of these) ------------------------- */

ah_expr expr_int(ah_ctx *ctx, long value);
ah_expr expr_rational(ah_ctx *ctx, long numerator, long denominator);
/* AH_NONE: not a number, or one of more than some 16 000 digits. */
ah_expr expr_number(ah_ctx *ctx, const char *text, size_t length);
ah_expr expr_pi(ah_ctx *ctx);
ah_expr expr_symbol(ah_ctx *ctx, ah_symbol_kind kind, const char *name);
ah_expr expr_time(ah_ctx *ctx);
ah_expr expr_add(ah_ctx *ctx, ah_expr a, ah_expr b);
ah_expr expr_sub(ah_ctx *ctx, ah_expr a, ah_expr b);
ah_expr expr_neg(ah_ctx *ctx, ah_expr a);
ah_expr expr_mul(ah_ctx *ctx, ah_expr a, ah_expr b);
ah_expr expr_div(ah_ctx *ctx, ah_expr a, ah_expr b); /* a/0 stays as a*0^(-1): not folded */
ah_expr expr_pow(ah_ctx *ctx, ah_expr base, ah_expr exponent);
ah_expr expr_powi(ah_ctx *ctx, ah_expr base, long exponent);
ah_expr expr_sum(ah_ctx *ctx, size_t count, const ah_expr *terms);
/* The same sum, but closed: inside another it stays one term. The places of n bodies along a chain are sums of
 * sums; opened they would have n²/2 terms. Derivatives of a closed sum, forward and in reverse, are closed. What is no
 * sum stays as it is. */
ah_expr expr_closed(ah_ctx *ctx, ah_expr e);
ah_expr expr_product(ah_ctx *ctx, size_t count, const ah_expr *factors);
ah_expr expr_call(ah_ctx *ctx, ah_function f, const ah_expr *arguments);
ah_expr expr_call1(ah_ctx *ctx, ah_function f, ah_expr argument);
/* orders: derivative orders per argument, NULL for none. */
ah_expr expr_unknown(ah_ctx *ctx, const char *name, size_t count, const ah_expr *arguments,
                     const uint8_t *orders);

/* ---- Looking --------------------------------------------------------------------------------- */

expr_op expr_get_op(const ah_ctx *ctx, ah_expr e);
size_t expr_get_count(const ah_ctx *ctx, ah_expr e); /* children */
const ah_expr *expr_get_children(const ah_ctx *ctx, ah_expr e);
ah_function expr_get_function(const ah_ctx *ctx, ah_expr e); /* of a CALL */
ah_symbol_kind expr_get_kind(const ah_ctx *ctx, ah_expr e);  /* of a SYMBOL */
const char *expr_get_name(const ah_ctx *ctx,
                          ah_expr e); /* of a SYMBOL or UNKNOWN, "x" for x' too */
const uint8_t *expr_get_orders(const ah_ctx *ctx, ah_expr e); /* of an UNKNOWN */
bool expr_is_int(const ah_ctx *ctx, ah_expr e, long *value);  /* an integer that fits */
bool expr_is_rational(const ah_ctx *ctx, ah_expr e, long *p, long *q);
bool expr_is_zero(const ah_ctx *ctx, ah_expr e); /* structurally: the number 0 */
bool expr_is_one(const ah_ctx *ctx, ah_expr e);
int expr_number_sign(const ah_ctx *ctx, ah_expr e); /* of a NUMBER */
size_t expr_pool_size(const ah_ctx *ctx);           /* handles are below this */
/* Into a context that has no expressions yet: all of them, by the same handles. */
void expr_copy_all(const ah_ctx *from, ah_ctx *to);
/* Gives back what walks over the expressions left behind for the next ones: nobody asks for some time. */
void expr_rest(ah_ctx *ctx);
/* The last thing that a thread of the library's own does: what FLINT keeps for a thread goes. A context takes it along
 * with the thread that destroys it, which need not be the only one that made numbers in it. */
void expr_leave_thread(void);
/* Some of another context in this one. */
void expr_copy(const ah_ctx *from, ah_ctx *to, size_t count, const ah_expr *e, ah_expr *out);
/* The coordinate of a velocity or acceleration, the speed of its derivative (and back): x ↔ x' ↔
 * x''. AH_NONE where there is none. */
ah_expr expr_dot(ah_ctx *ctx, ah_expr symbol);
ah_expr expr_undot(ah_ctx *ctx, ah_expr symbol);

/* Symbols, ascending, on which the expressions depend. */
typedef struct expr_list {
    ah_expr *at;
    size_t count, capacity;
} expr_list;
/* The place of e in an ascending list, or EXPR_NOWHERE. */
#define EXPR_NOWHERE SIZE_MAX
size_t expr_find(const expr_list *ascending, ah_expr e);
bool expr_is_among(const expr_list *list, ah_expr e);
expr_list expr_symbols(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count);
bool expr_depends(ah_ctx *ctx, ah_expr e, ah_expr symbol);
bool expr_depends_kind(ah_ctx *ctx, ah_expr e, ah_symbol_kind kind);
/* Of parameters alone, if of anything: the same at all states. */
bool expr_is_fixed(ah_ctx *ctx, ah_expr e);
/* All nodes reachable from the roots, ascending (children first). */
expr_list expr_reachable(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count);
/* Sharing counted once: what it costs. Operations without symbols and numbers. */
size_t expr_operations(ah_ctx *ctx, const ah_expr *roots, size_t count);
/* The degree in which e is homogeneous in the symbols of that kind, as it is written: of each term the same; -1: it is none that
 * can be seen. */
int expr_degree(ah_ctx *ctx, ah_expr e, ah_symbol_kind kind);
/* Nodes of e when it is written down, shared ones as often as they stand there: 2^n, where each of n stands twice in the next. */
double expr_written(ah_ctx *ctx, ah_expr e);
/* The sum of the absolute values of the terms that e would have when multiplied out: see expr_plan_run_scaled. */
ah_expr expr_terms(ah_ctx *ctx, ah_expr e);

/* ---- Calculus -------------------------------------------------------------------------------- */

ah_expr expr_diff(ah_ctx *ctx, ah_expr e, ah_expr symbol);
/* Directional derivative Σ ∂e/∂symbol_i · seed_i: one forward pass over the shared graph. */
ah_expr expr_forward(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols,
                     const ah_expr *seeds);
/* Of several at once: what they share is differentiated once; out may be roots. */
void expr_forward_all(ah_ctx *ctx, const ah_expr *roots, size_t roots_count, size_t count,
                      const ah_expr *symbols, const ah_expr *seeds, ah_expr *out);
/* d/dt with x → x', x' → x'', x'' → x''', z → z', t → 1; parameters, multipliers, derived and local
 * symbols fixed. Raises AH_E_REFUSED where e has an x''' or z': no symbol stands for their rate. */
ah_expr expr_dt(ah_ctx *ctx, ah_expr e);
/* One reverse pass: out[i] = ∂e/∂symbols[i]. */
void expr_gradient(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols, ah_expr *out);
ah_expr expr_subst(ah_ctx *ctx, ah_expr e, size_t count, const ah_expr *symbols,
                   const ah_expr *values);
/* The node with other children, simplified anew. */
ah_expr expr_rebuild(ah_ctx *ctx, ah_expr e, const ah_expr *children);
/* Several roots at once, sharing the work. In place. */
void expr_subst_all(ah_ctx *ctx, ah_expr *roots, size_t roots_count, size_t count,
                    const ah_expr *symbols, const ah_expr *values);
/* Replaces the unspecified function `name` and its partial derivatives by `body` of `parameters`
 * (symbols of kind AH_LOCAL). */
ah_expr expr_define(ah_ctx *ctx, ah_expr e, const char *name, size_t count,
                    const ah_expr *parameters, ah_expr body);

/* ---- Numbers --------------------------------------------------------------------------------- */

/* Symbols are numbered densely. Their values are in frames. */
typedef struct frame frame;
uint32_t expr_slot(const ah_ctx *ctx, ah_expr symbol);
uint32_t expr_slots(const ah_ctx *ctx);
double expr_number_double(const ah_ctx *ctx, ah_expr number); /* correctly rounded */

/* f(x), or f(x, y) of two arguments. */
double expr_call_value(ah_function f, double x, double y);
/* Evaluates a fixed set of roots many times. Unspecified functions give NaN. */
typedef struct expr_plan expr_plan;
expr_plan *expr_plan_create(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count);
/* The same numbers, in an order in which large ones stay in the cache; it takes longer to make. */
expr_plan *expr_plan_create_ordered(ah_ctx *ctx, arena *a, const ah_expr *roots, size_t count);
/* A copy that runs beside the original, in another thread if need be: it shares what does not
 * change. */
expr_plan *expr_plan_copy(arena *a, const expr_plan *plan);
void expr_plan_run(const expr_plan *plan, const frame *values, double *out);
/* Whether the roots and all that they are made of are finite numbers. */
bool expr_plan_is_finite(const expr_plan *plan, const frame *values);
/* How many numbers a run works out. */
size_t expr_plan_size(const expr_plan *plan);
/* Also the sum of the absolute values of the terms of each root, multiplied out. */
void expr_plan_run_scaled(const expr_plan *plan, const frame *values, double *out, double *scale);

/* What a plan's values may be while some of its symbols range over intervals and all others are as the frame says. Bounds are those of
 * interval arithmetic in doubles, rounding aside: never too narrow by more, often too wide. What may be undefined or
 * infinite has infinite ones. */
typedef struct expr_ranges expr_ranges;
typedef struct expr_range {
    double low, high;
} expr_range;
expr_ranges *expr_ranges_create(ah_ctx *ctx, arena *a, const expr_plan *plan, size_t count,
                                const ah_expr *varied);
/* False: a sign or an angle may jump within, so that slopes do not tell all of the change. */
bool expr_ranges_run(expr_ranges *r, const frame *values, const expr_range *varied,
                     expr_range *out);

/* ---- Printing -------------------------------------------------------------------------------- */

typedef struct expr_style {
    ah_format format;
    bool dots;  /* ẋ instead of x' in text (LaTeX and MathML always use dots) */
    bool greek; /* θ for theta in text */
    /* C only: how a symbol is written; NULL gives generated names s0, s1, … never the user's. */
    const char *(*symbol)(void *user, ah_expr symbol);
    void *user;
} expr_style;

/* AH_JSON writes what AH_ASCII does. */
expr_style expr_style_defaults(ah_format format);
void expr_print(ah_ctx *ctx, text *out, ah_expr e, const expr_style *style);
char *expr_text(ah_ctx *ctx, arena *a, ah_expr e, ah_format format);
/* A symbol's name alone, in a format: `theta1'` → θ₁', \dot\theta_1, <mover>…. */
void expr_print_symbol(ah_ctx *ctx, text *out, ah_expr symbol, const expr_style *style);
/* The name of a thing that is not an expression (a constraint's label, a matrix) in a format. */
void expr_print_name(text *out, const char *name, const expr_style *style);

/* Greek letters: "theta" → "θ" (NULL: none of them); 0x3B8 → "theta", variants such as ϑ included.
 */
const char *expr_greek(const char *english);
const char *expr_english(uint32_t codepoint);

/* The rest of what other modules see of this one. */
#include "frame.h"
#include "mat.h"

#endif
