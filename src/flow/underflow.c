/* flow/underflow.c - see underflow.h. */
#include "underflow.h"

#include "steady.h"

bool underflow_moves(minimal *m, frame *values)
{
    flow *w = m->flow;
    arena *a = &w->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    uint32_t count;
    const ah_expr *balance = flow_balance(w, &count);
    double *force = NEW_ARRAY(a, double, count + 1), *rate = NEW_ARRAY(a, double, w->p + 1);
    double *kept = NEW_ARRAY(a, double, m->kept + 1);
    bool moves = vanished_at(w->ctx, balance, count, values, force);
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
