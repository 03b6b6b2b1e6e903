/* sheet/enclose.h - states and worksheets as Arb balls. Speaks FLINT, other than balls.h. */
#ifndef SHEET_ENCLOSE_H
#define SHEET_ENCLOSE_H
#include "../expr/ball.h"
#include "balls.h"

/* The unknowns of `state` (its equations, Jacobian and guess; the rest of it is not looked at) as
 * balls: for all values of the other symbols in their balls each holds the component of a root,
 * and there is only one in them. False: that could not be proved. */
bool enclose_roots(const balls_state *state, ball_frame *values, slong bits);

/* A quantity of the sheet, row by row. */
typedef struct enclose_entry {
    quantity x;
    arb_ptr out;
} enclose_entry;
/* `run` must just have run them in doubles inside the balls. False: a matrix may be singular. */
bool enclose_sheet(const sheet *s, const runner *run, ball_frame *values, slong bits,
                   const enclose_entry *wanted, size_t count);

#endif
