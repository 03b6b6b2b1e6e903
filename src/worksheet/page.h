/* worksheet/page.h - all expressions that stand on the page of a worksheet, and what they cost there.
 */
#ifndef WORKSHEET_PAGE_H
#define WORKSHEET_PAGE_H
#include "worksheet.h"

/* One expression on the page. */
typedef struct page_root {
    ah_expr e;
    uint32_t step;     /* where it stands; PAGE_MEANING: it explains a name */
    uint32_t row, col; /* of the step's quantity; PAGE_ELSEWHERE: a factor, or a left side */
    bool whole;        /* what is displayed here: it does not become a name as a whole */
} page_root;
#define PAGE_MEANING   UINT32_MAX
#define PAGE_ELSEWHERE UINT32_MAX

typedef struct page {
    LIST(page_root) root; /* in order */
} page;

page page_take(worksheet *w);
void page_give(worksheet *w, const page *p); /* back to the steps */
/* The expressions of one step. */
page page_of_step(worksheet *w, uint32_t step);
const ah_expr *page_expressions(worksheet *w, const page *p); /* root.count of them */

/* Replaces sub-expressions from[k] by to[k], except where they are all of a `whole` root. */
void page_replace(worksheet *w, page *p, const ah_expr *from, const ah_expr *to, size_t pairs);

/* f of every node of the roots, children first: it gets the node with what f made of its children. */
void page_map(ah_ctx *ctx, arena *a, ah_expr *roots, size_t count,
              ah_expr (*f)(ah_ctx *ctx, void *user, ah_expr e), void *user);

/* Every node that is reached from the page, how long it is and how often it is written. */
typedef struct page_census {
    expr_list node; /* ascending: children before parents */
    double *length; /* characters */
    double *times;  /* as all of a `whole` root it does not count */
    double whole;   /* characters of the page */
} page_census;
page_census page_count(worksheet *w, arena *a, const page *p);

/* Characters that an expression takes, from those of its children; for symbols and numbers child is not used. */
double page_length(const ah_ctx *ctx, ah_expr e, const double *child);

/* Values that are not special: between 0.4 and 1.6, by slot. */
double page_arbitrary(uint32_t slot, int which);
void page_set_arbitrary(frame *state, const expr_list *symbols, int which);
/* ∂e/∂letter at PAGE_STATES arbitrary states, a row each: what these do not show is not tried. */
enum { PAGE_STATES = 2 };
double *page_slopes(worksheet *w, ah_expr e, size_t letters, const ah_expr *letter);
/* Whether a and b differ, as far as their values tell. */
bool page_differ(double a, double b);

/* Is it written with a minus before it? A product has its number first. */
bool page_is_negative(const ah_ctx *ctx, ah_expr term);
/* −(−a − b) is a + b. */
ah_expr page_signed(ah_ctx *ctx, ah_expr e);
/* The sum with every term's sign turned. */
ah_expr page_turned(ah_ctx *ctx, ah_expr sum);

/* Of a − b and b − a the one that stands in squares. */
bool page_faces(ah_ctx *ctx, ah_expr sum);

/* Letters for signs, and for angles that have no simple part in common (held_calls.c); NULL: these equations have none. */
typedef struct holder holder;
holder *page_holder(const ah_equations *eq);
ah_expr page_hold(holder *h, ah_expr e);

/* Sines and cosines in a sum, in all sums of some expressions, put together again (sum_angles.c). */
ah_expr page_combined(ah_ctx *ctx, ah_expr sum);
void page_combine(ah_ctx *ctx, arena *a, ah_expr *roots, size_t count);

/* Sums in which they come together when brackets are multiplied out (spread_sums.c). */
void page_spread(ah_ctx *ctx, arena *a, ah_expr *e, size_t count);

/* Sums of the expression that depend on differences of angles alone, in these (difference_angles.c). */
void page_count_angles(worksheet *w, ah_expr *e);

/* Squares of sums and differences put together, numbers as short as they can be (tidy_sums.c). */
void page_tidy(ah_ctx *ctx, arena *a, ah_expr *e, size_t count);

/* Names from `first` on that are the same as one before become that one (same_parts.c). */
void page_unite_parts(worksheet *w, size_t first);

/* Sums shorter than this are neither compared nor named. */
#define PAGE_SHORTEST 6.0
/* Sums that are equal are written alike, and products as products (unify.c). */
void page_unify(worksheet *w, page *p);
/* a/b, where that is proved to be a product of numbers and parameters; AH_NONE: it is not. */
ah_expr page_multiple(worksheet *w, ah_expr a, ah_expr b);
/* What the model calls by a name. */
typedef struct page_let {
    ah_expr symbol, value;
} page_let;
/* The expression with lets in place of parameters, where that makes it much shorter (let_terms.c); `all`: parameters that take no other
 * letter out are tried, too, which takes several times as long. */
ah_expr page_through_lets(worksheet *w, ah_expr e, const page_let *let, size_t count, bool all);
/* The expression with lets that are functions of time alone, where no t is left then (let_times.c). */
ah_expr page_through_times(worksheet *w, ah_expr e, const page_let *let, size_t count);
/* No more than names of lets, numbers and parameters. */
bool page_is_bare(const ah_ctx *ctx, ah_expr e);
/* 4 (a + b), not (4 a + 4 b), where names have left such sums in products. */
void page_take_contents(worksheet *w, page *p);
/* Names that are being found: until all are, `meaning` of a name is the number of the root that says it (page_names.c). */
ws_name *page_add_name(worksheet *w, const char *english, size_t root);
bool page_is_named(const worksheet *w, ah_expr symbol);
bool page_contains(const worksheet *w, ah_expr e, ah_expr part);
/* A sum of squares of two or three velocities. */
bool page_is_speed(const ah_ctx *ctx, ah_expr e);
/* As page_replace; what is displayed as a whole may have a name as one of its factors. */
void page_replace_factors(worksheet *w, page *p, const ah_expr *from, const ah_expr *to,
                          size_t pairs);
/* Sums, and products, of the page that are the value of the let, but for numbers and parameters, become its name; false: there are none. */
bool page_replace_let(worksheet *w, page *p, const page_let *let);
bool page_replace_products(worksheet *w, page *p, const page_let *let);
/* The value of a kept let in those before it; AH_NONE: it is not kept. */
ah_expr page_kept_value(const worksheet *w, ah_expr symbol);
/* The value of a let in the names that are kept; itself: there are none in it. */
ah_expr page_kept(worksheet *w, ah_expr symbol, ah_expr value);
/* The scalars that the model has named, as sums and as factors; then among other terms (page_lets.c). */
void page_use_lets(worksheet *w, page *p);
bool page_use_among_others(worksheet *w, page *p);
void page_use_products(worksheet *w, page *p);
/* Sums that differ from the meaning of a name by little: Δ + what is left. While names are being
 * found, `meaning` of a name is the number of the root that says it. */
void page_use_names(worksheet *w, page *p);

#endif
