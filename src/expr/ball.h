/* expr/ball.h - evaluation in Arb balls. Kept apart so that FLINT's headers stay out of expr.h:
 * included only by files that already speak FLINT. */
#ifndef EXPR_BALL_H
#define EXPR_BALL_H
#include "expr.h"
#if defined(AH_WITH_FLINT3)
#include <flint/arb.h>
#else
#include <arb.h>
#endif
#include <flint/fmpq.h>
#include <flint/fmpq_vec.h>

/* The exact value of a NUMBER; borrowed. */
const fmpq *expr_get_fmpq(const ah_ctx *ctx, ah_expr number);
ah_expr expr_from_fmpq(ah_ctx *ctx, const fmpq_t q);

/* Balls for the symbols of a context, as frame.h has doubles: there is one for every symbol, whether it
 * was made before the frame or after it; what was not set is indeterminate. */
typedef struct ball_frame {
    ah_ctx *ctx;
    arb_ptr *page; /* by slot; outside of arenas */
    uint32_t pages;
    arb_t absent;
} ball_frame;

void ball_frame_init(ball_frame *f, ah_ctx *ctx);
void ball_frame_clear(ball_frame *f);
/* It goes with the arena. */
ball_frame *ball_frame_create(ah_ctx *ctx, arena *a);
/* Nothing is set any more. */
void ball_frame_forget(ball_frame *f);
arb_srcptr ball_frame_get(const ball_frame *f, ah_expr symbol);
/* The ball itself. */
arb_ptr ball_frame_ref(ball_frame *f, ah_expr symbol);
arb_ptr ball_frame_at(ball_frame *f, uint32_t slot);
/* The symbol stands at what the expression is in the frame. */
void ball_frame_put(ball_frame *f, ah_expr symbol, ah_expr value, slong bits);

/* Work space; it goes with the arena. */
arb_ptr ball_array(arena *a, size_t count);

/* out[i] encloses root i in the frame, computed with `bits` of precision. A value that does not exist
 * (division by a ball containing zero, log of a negative) is an infinite or NaN ball. */
void expr_eval_balls(const ball_frame *f, const ah_expr *roots, size_t count, slong bits,
                     arb_ptr out);

#endif
