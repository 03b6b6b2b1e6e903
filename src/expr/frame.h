/* expr/frame.h - numbers for the symbols of a context: what a plan is run on (docs/decisions/0015).
 *
 * A frame has a value for every symbol, whether it was made before the frame or after it: what was not
 * set is `absent`. Reading never allocates; setting does for symbols that are younger than the frame. So in
 * a loop that must not allocate the frame is made, or made to reach, before it. */
#ifndef EXPR_FRAME_H
#define EXPR_FRAME_H
#include "expr.h"

struct frame {
    ah_ctx *ctx; /* whose symbols they are */
    arena *arena;
    double *at; /* by slot */
    uint32_t count;
    uint32_t room; /* outside the arena; 0: `at` lies in it */
    double absent;
};

/* All symbols absent. It goes with the arena. */
frame *frame_create(ah_ctx *ctx, arena *a, double absent);
frame *frame_copy(arena *a, const frame *from);
/* `to` is as `from` is. */
void frame_assign(frame *to, const frame *from);
/* From now on no symbol that there is makes it grow. */
void frame_reach(frame *f);
/* Nothing is set any more. */
void frame_forget(frame *f);
/* The same values, bit by bit? */
bool frame_equal(const frame *f, const frame *g);

/* By the slot of a symbol, for those who look it up once. */
static inline double frame_at(const frame *f, uint32_t slot)
{
    return slot < f->count ? f->at[slot] : f->absent;
}

static inline void frame_put(frame *f, uint32_t slot, double value)
{
    if (slot >= f->count) frame_reach(f);
    f->at[slot] = value;
}

/* Where the value is kept, until the frame grows. */
static inline double *frame_ref(frame *f, ah_expr symbol)
{
    const uint32_t slot = expr_slot(f->ctx, symbol);
    if (slot >= f->count) frame_reach(f);
    return &f->at[slot];
}

static inline double frame_get(const frame *f, ah_expr symbol)
{
    return frame_at(f, expr_slot(f->ctx, symbol));
}

static inline void frame_set(frame *f, ah_expr symbol, double value)
{
    frame_put(f, expr_slot(f->ctx, symbol), value);
}

#endif
