/* making/links.h - velocities that follow from one another, link by link.
 *
 * The velocities of the parts that are sums (the place of a link is that of the one before and a bit more) are variables of their own beside v,
 * each with the rows U = U_before + …; with the rows of the constraints these are eliminated as they stand, sparse, by
 *
 *     an entry that is a number: that variable is minus the rest over it;
 *     two entries a, b alone: (x, y) = (b, −a) u, u a new variable, as the speed of a blade is;
 *     two rows with two variables whose determinant is a number: a link that is carried along by the one before;
 *     two rows with three entries: these are the product of the rows, as vectors, times u.
 *
 * A variable that has been found stays in the rows after it (but for one that is c u): nothing is multiplied out, and what it
 * is made of is found before it. The variables that are left determine all others, wherever the constraints keep
 * their rank (state/crossed.h), in a number of operations that grows with the links and not with their square. */
#ifndef MAKING_LINKS_H
#define MAKING_LINKS_H
#include "../state/state.h"

typedef struct links_term {
    uint32_t of; /* a variable */
    ah_expr by;  /* of t, q and coefficients */
} links_term;

typedef LIST(links_term) links_form;

typedef struct links_variable {
    ah_expr symbol;
    ah_expr through; /* what it is by v */
    bool known;
    links_form is; /* once it is known */
} links_variable;

typedef struct links {
    LIST(links_variable) variables; /* the number 1, then v, then sums, then new ones */
    LIST(recipe_step) coefficients; /* long ones under names, in order */
    LIST(uint32_t) order;           /* the known ones, each after those that it is made of */
    LIST(recipe_step) sums;         /* nodes: symbol is the variable's, value the sum */
} links;

/* In the arena of the point; false: the rows cannot be solved so, or nothing follows from anything. */
bool links_frame(point *p, attitude_frame *out);
/* e, linear in velocities, by the variables; false: it is not linear as it is written. */
bool links_form_of(ah_ctx *ctx, arena *a, const links *l, ah_expr e, links_form *out);
/* form += by x, as it stands. */
void links_add(ah_ctx *ctx, arena *a, links_form *form, uint32_t x, ah_expr by);
/* Products of sines and cosines that are those of a sum of angles: cos a cos b + sin a sin b = cos(a − b). */
ah_expr links_contracted(ah_ctx *ctx, ah_expr e);

#endif
