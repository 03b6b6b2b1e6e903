/* expr/ball_frame.c - balls by symbol, and arrays of them in arenas: see ball.h. */
#include "ball.h"

/* ---- Arrays ---------------------------------------------------------------------------------- */

typedef struct ball_list {
    arb_ptr at;
    slong count;
} ball_list;

static void clear_list(void *data)
{
    const ball_list *l = data;
    _arb_vec_clear(l->at, l->count);
}

arb_ptr ball_array(arena *a, size_t count)
{
    ball_list *l = NEW(a, ball_list);
    arena_own(a, clear_list, l); /* before there is anything: it may raise */
    l->at = _arb_vec_init((slong) count);
    l->count = (slong) count;
    return l->at;
}

/* ---- Frames ---------------------------------------------------------------------------------- */

/* In pages, which are made when one of their balls is: a model of many thousands of symbols asks for frames of three. */
enum { PAGE = 64 };

void ball_frame_init(ball_frame *f, ah_ctx *ctx)
{
    *f = (ball_frame){.ctx = ctx};
    arb_init(f->absent);
    arb_indeterminate(f->absent);
}

void ball_frame_clear(ball_frame *f)
{
    for (uint32_t i = 0; i < f->pages; i++)
        if (f->page[i]) _arb_vec_clear(f->page[i], PAGE);
    flint_free(f->page);
    arb_clear(f->absent);
}

static void clear_frame(void *data)
{
    ball_frame_clear(data);
}

ball_frame *ball_frame_create(ah_ctx *ctx, arena *a)
{
    ball_frame *f = NEW(a, ball_frame);
    ball_frame_init(f, ctx);
    arena_own(a, clear_frame, f);
    return f;
}

static void reach(ball_frame *f)
{
    const uint32_t all = expr_slots(f->ctx) / PAGE + 1;
    f->page = flint_realloc(f->page, all * sizeof *f->page);
    while (f->pages < all) f->page[f->pages++] = NULL;
}

static void forget(arb_ptr page)
{
    for (uint32_t i = 0; i < PAGE; i++) arb_indeterminate(page + i);
}

void ball_frame_forget(ball_frame *f)
{
    for (uint32_t i = 0; i < f->pages; i++)
        if (f->page[i]) forget(f->page[i]);
}

arb_srcptr ball_frame_get(const ball_frame *f, ah_expr symbol)
{
    const uint32_t slot = expr_slot(f->ctx, symbol), at = slot / PAGE;
    return at < f->pages && f->page[at] ? f->page[at] + slot % PAGE : f->absent;
}

arb_ptr ball_frame_at(ball_frame *f, uint32_t slot)
{
    const uint32_t at = slot / PAGE;
    if (at >= f->pages) reach(f);
    if (!f->page[at]) {
        f->page[at] = _arb_vec_init(PAGE);
        forget(f->page[at]);
    }
    return f->page[at] + slot % PAGE;
}

arb_ptr ball_frame_ref(ball_frame *f, ah_expr symbol)
{
    return ball_frame_at(f, expr_slot(f->ctx, symbol));
}

void ball_frame_put(ball_frame *f, ah_expr symbol, ah_expr value, slong bits)
{
    expr_eval_balls(f, &value, 1, bits, ball_frame_ref(f, symbol));
}
