/* motion/motion_narrow.c - see motion_narrow.h. */
#include "motion_narrow.h"

#include <math.h>
#include <string.h>

struct motion_narrow {
    point *p;
    expr_ranges *ranges;
    bool slope;
    size_t count; /* symbols that a motion changes */
    uint32_t *slot;
    expr_range *box;
    double *seen; /* of the last look of the step before, then those of this one */
    size_t looks;
    bool tired;
    unsigned rests, rest; /* steps that are left, and how many there were the last time */
};

static bool moves(ah_ctx *ctx, ah_expr e)
{
    static const ah_symbol_kind kinds[] = {AH_TIME,         AH_COORDINATE, AH_VELOCITY, AH_SPEED,
                                           AH_ACCELERATION, AH_SPEED_DOT,  AH_DERIVED};
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (expr_depends_kind(ctx, e, kinds[i])) return true;
    return false;
}

/* Polynomials of low degree have no narrow places. */
bool motion_narrow_may(ah_ctx *ctx, ah_expr e)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &e, 1);
    bool narrow = false;
    for (size_t i = 0; i < nodes.count && !narrow; i++) {
        const ah_expr x = nodes.at[i];
        const expr_op op = expr_get_op(ctx, x);
        long n = 0;
        if ((op != EXPR_CALL && op != EXPR_POWER) || !moves(ctx, x)) continue;
        narrow = op == EXPR_CALL || !expr_is_int(ctx, expr_get_children(ctx, x)[1], &n) || n < 0 ||
                 n > 2;
    }
    arena_release(&ctx->scratch, mark);
    return narrow;
}

static bool changes(ah_symbol_kind kind)
{
    return kind != AH_PARAMETER;
}

motion_narrow *motion_narrow_create(motion_state *s, ah_expr g, ah_expr slope,
                                    const expr_plan *plan)
{
    ah_ctx *ctx = s->p->ctx;
    arena *a = s->p->arena;
    const ah_expr both[] = {g, slope};
    if (!motion_narrow_may(ctx, g)) return NULL;
    motion_narrow *w = NEW(a, motion_narrow);
    *w = (motion_narrow){.p = s->p, .slope = slope != AH_NONE};
    const expr_list all = expr_symbols(ctx, a, both, w->slope ? 2 : 1);
    expr_list varied = {0};
    for (size_t i = 0; i < all.count; i++)
        if (changes(expr_get_kind(ctx, all.at[i]))) LIST_PUSH(a, &varied, all.at[i]);
    w->count = varied.count;
    w->slot = NEW_ARRAY(a, uint32_t, w->count + 1);
    for (size_t i = 0; i < w->count; i++) w->slot[i] = expr_slot(ctx, varied.at[i]);
    w->box = NEW_ARRAY(a, expr_range, w->count + 1);
    w->seen = NEW_ARRAY(a, double, (NARROW_LOOKS + 1) * (w->count + 1));
    w->ranges = expr_ranges_create(ctx, a, plan, w->count, varied.at);
    return w;
}

const double *motion_narrow_begin(motion_narrow *w, const double *last)
{
    w->looks = w->tired = 0;
    if (w->rests) w->rests--;
    if (!last || w->rests) return NULL;
    return memmove(w->seen, last, w->count * sizeof *last);
}

const double *motion_narrow_see(motion_narrow *w)
{
    if (w->looks == NARROW_LOOKS) return NULL;
    double *at = w->seen + ++w->looks * w->count;
    for (size_t i = 0; i < w->count; i++) at[i] = frame_at(w->p->values, w->slot[i]);
    return at;
}

static void make_box(motion_narrow *w, const double *a, const double *m, const double *b)
{
    for (size_t i = 0; i < w->count; i++) {
        const double bend = NARROW_MARGIN * fabs(a[i] - 2 * m[i] + b[i]);
        w->box[i] =
            (expr_range){fmin(fmin(a[i], b[i]), m[i]) - bend, fmax(fmax(a[i], b[i]), m[i]) + bend};
    }
}

static bool excludes_zero(expr_range x)
{
    return x.low > 0 || x.high < 0;
}

static void get_tired(motion_narrow *w)
{
    w->tired = true;
    w->rest = w->rest < NARROW_REST ? 2 * w->rest + 1 : NARROW_REST;
    w->rests = w->rest;
}

bool motion_narrow_sure(motion_narrow *w, const narrow_look *a, const narrow_look *m,
                        const narrow_look *b)
{
    expr_range g[2];
    if (w->rests) return true;
    if (!a->state || !m->state || !b->state) {
        if (w->looks == NARROW_LOOKS) get_tired(w);
        return true;
    }
    make_box(w, a->state, m->state, b->state);
    const bool whole = expr_ranges_run(w->ranges, w->p->values, w->box, g);
    if (excludes_zero(g[0])) return true;
    if (!w->slope || !whole) return false;
    const double steepest = fmax(fabs(g[1].low), fabs(g[1].high));
    return excludes_zero(g[1]) || fabs(m->g) > steepest * fabs(b->t - a->t) / 2;
}

bool motion_narrow_tired(motion_narrow *w)
{
    const bool was = w->tired;
    w->tired = false;
    return was;
}
