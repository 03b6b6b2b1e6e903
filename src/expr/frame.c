/* expr/frame.c - see frame.h. */
#include "frame.h"

#include <assert.h>
#include <string.h>

static void give_back(void *data)
{
    frame *f = data;
    if (f->room) ctx_realloc(f->arena->ctx, f->at, f->room * sizeof *f->at, 0);
    f->room = 0;
}

static void fill(frame *f, uint32_t from)
{
    for (uint32_t i = from; i < f->count; i++) f->at[i] = f->absent;
}

static frame *create(ah_ctx *ctx, arena *a, uint32_t count, double absent)
{
    frame *f = NEW(a, frame);
    *f = (frame){.ctx = ctx, .arena = a, .count = count, .absent = absent};
    f->at = NEW_ARRAY(a, double, count);
    arena_own(a, give_back, f);
    return f;
}

frame *frame_create(ah_ctx *ctx, arena *a, double absent)
{
    frame *f = create(ctx, a, expr_slots(ctx), absent);
    fill(f, 0);
    return f;
}

/* Asks nothing of the context: it may belong to another thread. */
frame *frame_copy(arena *a, const frame *from)
{
    frame *f = create(from->ctx, a, from->count, from->absent);
    if (from->count) memcpy(f->at, from->at, from->count * sizeof *f->at);
    return f;
}

/* Not in the arena: one may have been marked since, and be released while the frame lives on. */
static void widen(frame *f, uint32_t count)
{
    const uint32_t before = f->count;
    if (count > f->room) {
        const uint32_t room = count + count / 2;
        double *old = f->room ? f->at : NULL;
        double *at = ctx_realloc(f->arena->ctx, old, f->room * sizeof *at, room * sizeof *at);
        if (!old && before) memcpy(at, f->at, before * sizeof *at);
        f->at = at;
        f->room = room;
    }
    f->count = count;
    fill(f, before);
}

void frame_reach(frame *f)
{
    const uint32_t all = expr_slots(f->ctx);
    if (f->count < all) widen(f, all);
}

void frame_assign(frame *to, const frame *from)
{
    assert(to->ctx == from->ctx);
    if (to->count < from->count) widen(to, from->count);
    to->absent = from->absent;
    if (from->count) memcpy(to->at, from->at, from->count * sizeof *to->at);
    fill(to, from->count);
}

void frame_forget(frame *f)
{
    fill(f, 0);
}

bool frame_equal(const frame *f, const frame *g)
{
    const uint32_t count = f->count > g->count ? f->count : g->count;
    for (uint32_t i = 0; i < count; i++) {
        const double x = frame_at(f, i), y = frame_at(g, i);
        if (memcmp(&x, &y, sizeof x) != 0) return false;
    }
    return true;
}
