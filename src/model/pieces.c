/* model/pieces.c - forces that switch, piece by piece.
 *
 * A motion is smooth as long as every sign(e) and |e| in its forces keeps its side. The same system
 * with these sides as parameters,
 *
 *     sign(e) = s,   |e| = s e,   s = -1, 0, 1,
 *
 * has smooth forces on both sides of e = 0: a step may end beyond the place, which is then located
 * with all digits, and nothing of the other piece is in it. Where e = a + b t, of which the rows of a
 * table have thousands, the times are known beforehand besides; those of constraints, of the velocity form and of the
 * kinetic energy, too, where nothing else is replaced.
 *
 * Exported code (model_pieces_alone) drives its inputs itself: when these change is known, too. Its steps end beside the
 * times, so that sides of time alone that are known beforehand stay as they are. */
#include "inside.h"

#include <string.h>

/* More of them are left to the integrator's steps. */
enum { SWITCHES_MOST = 64 };
/* Of an expression that is part of a name. */
enum { SWITCHES_NODES = 30 };

static bool switches(ah_ctx *ctx, ah_expr e)
{
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    return f == AH_SIGN || f == AH_ABS;
}

static bool is_fed(const ah_model *m, ah_expr symbol)
{
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].symbol == symbol) return m->parameters.at[i].drive != AH_NONE;
    return false;
}

/* A time at which e = a + b t vanishes, or AH_NONE: it is another function. */
static ah_expr time_of(ah_model *m, ah_expr e)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr t = expr_time(ctx), zero = expr_int(ctx, 0);
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list symbols = expr_symbols(ctx, &ctx->scratch, &e, 1);
    bool alone = expr_depends(ctx, e, t);
    for (size_t i = 0; i < symbols.count; i++)
        alone = alone &&
                (symbols.at[i] == t ||
                 (expr_get_kind(ctx, symbols.at[i]) == AH_PARAMETER && !is_fed(m, symbols.at[i])));
    arena_release(&ctx->scratch, mark);
    if (!alone) return AH_NONE;
    const ah_expr slope = expr_diff(ctx, e, t);
    if (expr_depends(ctx, slope, t) || expr_is_zero(ctx, slope)) return AH_NONE;
    return expr_neg(ctx, expr_div(ctx, expr_subst(ctx, e, 1, &t, &zero), slope));
}

/* What is known along a motion: t, coordinates, velocities and their parameters. */
static bool is_known(ah_model *m, ah_expr e)
{
    ah_ctx *ctx = m->ctx;
    static const ah_symbol_kind unknown[] = {AH_ACCELERATION, AH_JERK,  AH_SPEED_DOT,
                                             AH_MULTIPLIER,   AH_LOCAL, AH_DERIVED};
    for (size_t i = 0; i < sizeof unknown / sizeof *unknown; i++)
        if (expr_depends_kind(ctx, e, unknown[i])) return false;
    return true;
}

static bool moves(ah_model *m, ah_expr e)
{
    ah_ctx *ctx = m->ctx;
    static const ah_symbol_kind state[] = {AH_TIME, AH_COORDINATE, AH_VELOCITY, AH_SPEED};
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        if (expr_depends_kind(ctx, e, state[i])) return true;
    return false;
}

/* An input that is handed in as time goes on stands in e. */
static bool is_driven(const ah_model *m, ah_expr e)
{
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].drive != AH_NONE &&
            expr_depends(m->ctx, e, m->parameters.at[i].symbol))
            return true;
    return false;
}

/* sign(e) as it is written: messages may show it. No name of the language has brackets or '#'. */
static const char *name_of(ah_model *out, ah_expr e)
{
    ah_ctx *ctx = out->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const bool brief = expr_reachable(ctx, &ctx->scratch, &e, 1).count <= SWITCHES_NODES;
    arena_release(&ctx->scratch, mark);
    const char *name =
        brief ? arena_printf(&ctx->job, "sign(%s)", expr_text(ctx, &ctx->job, e, AH_ASCII)) : NULL;
    for (size_t i = 0; name && i < out->parameters.count; i++)
        if (!strcmp(out->parameters.at[i].name, name)) name = NULL;
    return name ? name : arena_printf(&ctx->job, "sign#%zu", out->switches.count);
}

/* The parameter that is the side of e; sign(e) and |e| have one. */
static ah_expr side_of(ah_model *out, ah_expr e)
{
    ah_ctx *ctx = out->ctx;
    arena *a = &ctx->job;
    for (size_t i = 0; i < out->switches.count; i++)
        if (out->switches.at[i].e == e) return out->switches.at[i].side;
    const char *name = name_of(out, e);
    const model_parameter p = {name, expr_symbol(ctx, AH_PARAMETER, name), expr_int(ctx, 1),
                               NOWHERE};
    LIST_PUSH(a, &out->parameters, p);
    LIST_PUSH(a, &out->switches, ((model_switch){p.symbol, e}));
    return p.symbol;
}

typedef struct replaced {
    expr_list from, to;
} replaced;

static expr_list forces_of(const ah_model *m)
{
    arena *a = &m->ctx->job;
    expr_list out = {0};
    LIST_PUSH(a, &out, m->V);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(a, &out, m->F[i]);
    for (size_t i = 0; i < m->parts.count; i++)
        for (int k = 0; k < 3; k++) {
            LIST_PUSH(a, &out, m->parts.at[i].force.c[k]);
            LIST_PUSH(a, &out, m->parts.at[i].torque.c[k]);
        }
    return out;
}

/* Roots, logarithms and angles of |u| end where s u is negative: no step could go beyond the place. */
static bool ends(ah_ctx *ctx, ah_expr e)
{
    long n;
    if (expr_get_op(ctx, e) == EXPR_POWER)
        return !expr_is_int(ctx, expr_get_children(ctx, e)[1], &n);
    if (expr_get_op(ctx, e) != EXPR_CALL) return false;
    const ah_function f = expr_get_function(ctx, e);
    return f == AH_SQRT || f == AH_LOG || f == AH_ASIN || f == AH_ACOS;
}

static ah_expr with_sign(ah_ctx *ctx, ah_expr e, ah_expr sign, long value)
{
    const ah_expr number = expr_int(ctx, value);
    return expr_subst(ctx, e, 1, &sign, &number);
}

/* e = 0 wherever u = 0, as far as it is found. */
static bool vanishes_with(ah_model *m, ah_expr e, ah_expr u)
{
    ah_ctx *ctx = m->ctx;
    const ah_expr of[] = {u, expr_neg(ctx, u)}, zero[] = {expr_int(ctx, 0), expr_int(ctx, 0)};
    const ah_expr rest = expr_subst(ctx, e, 2, of, zero);
    return expr_is_zero(ctx, rest) || algebra_zero_where(m->alg, e, u);
}

/* Does e, whose root or logarithm it is, have sides, and come from one to the other without a jump? Of time alone the place is
 * known, and steps end there. */
static bool passes(ah_model *m, ah_expr e)
{
    ah_ctx *ctx = m->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, &e, 1);
    bool found = false, jumps = false;
    for (size_t i = 0; i < nodes.count && !jumps; i++) {
        const ah_expr x = nodes.at[i];
        if (!switches(ctx, x)) continue;
        const ah_expr u = expr_get_children(ctx, x)[0];
        if (time_of(m, u) != AH_NONE) continue;
        found = true;
        if (expr_get_function(ctx, x) == AH_ABS) continue;
        jumps =
            !vanishes_with(m, expr_sub(ctx, with_sign(ctx, e, x, 1), with_sign(ctx, e, x, -1)), u);
    }
    arena_release(&ctx->scratch, mark);
    return found && !jumps;
}

/* Children first, so that what stands inside of another switch is replaced there, too. */
static replaced find_switches(ah_model *out, const expr_list *forces, bool alone)
{
    ah_ctx *ctx = out->ctx;
    arena *a = &ctx->job;
    replaced r = {0};
    const expr_list nodes = expr_reachable(ctx, a, forces->at, forces->count);
    for (size_t i = 0; i < nodes.count; i++) {
        if (ends(ctx, nodes.at[i]) && passes(out, expr_get_children(ctx, nodes.at[i])[0])) {
            LIST_PUSH(a, &r.from, nodes.at[i]);
            LIST_PUSH(a, &r.to, nodes.at[i]);
        }
        if (!switches(ctx, nodes.at[i])) continue;
        ah_expr e = expr_get_children(ctx, nodes.at[i])[0];
        expr_subst_all(ctx, &e, 1, r.from.count, r.from.at, r.to.at);
        const ah_expr t = time_of(out, e);
        if (t != AH_NONE) LIST_PUSH(a, &out->breaks, t);
        if (t != AH_NONE && alone) continue;
        if (!moves(out, e) && !(alone && is_driven(out, e))) continue;
        if (!is_known(out, e) || out->switches.count >= SWITCHES_MOST) continue;
        const ah_expr side = side_of(out, e);
        LIST_PUSH(a, &r.from, nodes.at[i]);
        LIST_PUSH(a, &r.to,
                  expr_get_function(ctx, nodes.at[i]) == AH_SIGN ? side : expr_mul(ctx, side, e));
    }
    return r;
}

/* All else that a motion is made of; where it drives its inputs itself these, too. */
static expr_list rest_of(const ah_model *m, bool alone)
{
    arena *a = &m->ctx->job;
    expr_list out = {0};
    LIST_PUSH(a, &out, m->T);
    for (size_t i = 0; i < m->constraints.count; i++) LIST_PUSH(a, &out, m->constraints.at[i].c);
    for (size_t i = 0; i < m->psi.count; i++) LIST_PUSH(a, &out, m->psi.at[i]);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        LIST_PUSH(a, &out, m->quasivelocities.at[i].definition);
    for (size_t i = 0; alone && i < m->parameters.count; i++)
        if (m->parameters.at[i].drive != AH_NONE) LIST_PUSH(a, &out, m->parameters.at[i].drive);
    return out;
}

/* e depends on t, what is driven, and parameters alone. */
static bool is_of_time(ah_model *m, ah_expr e, bool alone)
{
    static const ah_symbol_kind state[] = {AH_COORDINATE, AH_VELOCITY, AH_SPEED};
    for (size_t i = 0; i < sizeof state / sizeof *state; i++)
        if (expr_depends_kind(m->ctx, e, state[i])) return false;
    return is_known(m, e) &&
           (expr_depends(m->ctx, e, expr_time(m->ctx)) || (alone && is_driven(m, e)));
}

/* Times at which they change; where these are no formulas the argument is watched as that of a force. */
static void find_breaks(ah_model *out, const expr_list *of, bool alone)
{
    ah_ctx *ctx = out->ctx;
    arena *a = &ctx->job;
    const expr_list nodes = expr_reachable(ctx, a, of->at, of->count);
    for (size_t i = 0; i < nodes.count; i++) {
        if (!switches(ctx, nodes.at[i])) continue;
        const ah_expr e = expr_get_children(ctx, nodes.at[i])[0], t = time_of(out, e);
        if (t != AH_NONE)
            LIST_PUSH(a, &out->breaks, t);
        else if (is_of_time(out, e, alone) && out->switches.count < SWITCHES_MOST)
            side_of(out, e);
    }
}

static ah_expr *put_all(ah_model *m, const ah_expr *e, size_t count, const replaced *r)
{
    ah_expr *out = NEW_ARRAY(&m->ctx->job, ah_expr, count + 1);
    if (count) memcpy(out, e, count * sizeof *out);
    expr_subst_all(m->ctx, out, count, r->from.count, r->from.at, r->to.at);
    return out;
}

static void put_in(ah_model *out, const ah_model *m, const replaced *r)
{
    arena *a = &out->ctx->job;
    out->V = *put_all(out, &m->V, 1, r);
    out->F = put_all(out, m->F, m->n, r);
    out->F_written = put_all(out, m->F_written, m->n, r);
    memset(&out->parts, 0, sizeof out->parts);
    for (size_t i = 0; i < m->parts.count; i++) {
        model_part p = m->parts.at[i];
        memcpy(p.force.c, put_all(out, p.force.c, 3, r), sizeof p.force.c);
        memcpy(p.torque.c, put_all(out, p.torque.c, 3, r), sizeof p.torque.c);
        LIST_PUSH(a, &out->parts, p);
    }
}

static ah_model *make_pieces(ah_model *m, bool alone)
{
    ah_model *out = model_view(m, &m->ctx->job);
    memset(&out->parameters, 0, sizeof out->parameters);
    for (size_t i = 0; i < m->parameters.count; i++)
        LIST_PUSH(&m->ctx->job, &out->parameters, m->parameters.at[i]);
    const expr_list forces = forces_of(m);
    const replaced r = find_switches(out, &forces, alone);
    const expr_list rest = rest_of(m, alone);
    find_breaks(out, &rest, alone);
    if (r.from.count)
        put_in(out, m, &r);
    else if (!out->breaks.count && !out->switches.count)
        out = m;
    return out;
}

static char pieces_key, alone_key;

ah_model *model_pieces(ah_model *m)
{
    void **kept = model_kept(m, &pieces_key);
    if (!*kept) {
        ah_model *made = make_pieces(m, false);
        *(kept = model_kept(m, &pieces_key)) = made;
    }
    return *kept;
}

ah_model *model_pieces_alone(ah_model *m)
{
    void **kept = model_kept(m, &alone_key);
    if (!*kept) {
        ah_model *made = make_pieces(m, true);
        *(kept = model_kept(m, &alone_key)) = made;
    }
    return *kept;
}

const expr_list *model_breaks(ah_model *m)
{
    const ah_model *kept = *model_kept(m, &pieces_key);
    return kept ? &kept->breaks : &m->breaks;
}

bool model_follows_forces(ah_ctx *ctx, ah_expr e)
{
    static const ah_symbol_kind kind[] = {AH_ACCELERATION, AH_SPEED_DOT, AH_MULTIPLIER, AH_DERIVED};
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++)
        if (expr_depends_kind(ctx, e, kind[i])) return true;
    return false;
}
