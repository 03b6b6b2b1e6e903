/* flow/underflow.c - see underflow.h. */
#include "underflow.h"

#include "../expr/ball.h"
#include "steady.h"

/* Forces that are that small, as multiples of the largest of them. false: there are none. */
static bool small_forces(flow *w, const frame *values, double *force)
{
    arena *a = &w->ctx->scratch;
    uint32_t count;
    const ah_expr *of = flow_balance(w, &count);
    const expr_list symbols = expr_symbols(w->ctx, a, of, count);
    ball_frame *b = ball_frame_create(w->ctx, a);
    arb_ptr R = ball_array(a, count);
    arf_t size, most;
    arf_init(size);
    arf_init(most);
    for (size_t i = 0; i < symbols.count; i++)
        arb_set_d(ball_frame_ref(b, symbols.at[i]), frame_get(values, symbols.at[i]));
    expr_eval_balls(b, of, count, UNDERFLOW_BITS, R);
    for (uint32_t i = 0; i < count; i++) {
        arb_get_abs_ubound_arf(size, R + i, UNDERFLOW_BITS);
        if (arf_cmpabs_d(size, UNDERFLOW_SIZE) > 0)
            arb_zero(R + i); /* infinite ones, too */
        else if (arf_cmp(size, most) > 0)
            arf_set(most, size);
    }
    for (uint32_t i = 0; i < count; i++) {
        arb_get_abs_ubound_arf(size, R + i, UNDERFLOW_BITS);
        if (!arf_is_zero(most)) arf_div(size, size, most, UNDERFLOW_BITS, ARF_RND_NEAR);
        force[i] = (arf_sgn(arb_midref(R + i)) < 0 ? -1 : 1) * arf_get_d(size, ARF_RND_NEAR);
    }
    const bool any = !arf_is_zero(most);
    arf_clear(size);
    arf_clear(most);
    return any;
}

bool underflow_moves(minimal *m, frame *values)
{
    flow *w = m->flow;
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    uint32_t count;
    flow_balance(w, &count);
    double *force = NEW_ARRAY(a, double, count + 1), *rate = NEW_ARRAY(a, double, w->p + 1);
    double *kept = NEW_ARRAY(a, double, m->kept + 1);
    bool moves = small_forces(w, values, force);
    if (moves && flow_answers(w, values, force, rate) && !m->omega) {
        for (uint32_t i = 0; i < m->kept; i++) {
            const uint32_t y = m->keep[i], place = m->place[y];
            kept[i] = y < m->coordinates ? 0 : rate[place - w->n] * w->time / m->unit[y];
        }
        moves = !steady_undone(m, kept);
    }
    arena_release(a, mark);
    return moves;
}
