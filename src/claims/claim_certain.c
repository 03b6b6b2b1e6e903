/* claims/claim_certain.c - is a state a counter-example for certain?
 *
 * The state is enclosed (enclosed.h), the motion's quantities are worked out there in balls, and so
 * are the two sides. They differ when zero is not in the ball of their difference, provided that
 * the assumptions hold and that everything exists there that the texts of system and claim name.
 * Where all of it is rational the difference is exact, however small. */
#include "claim.h"

#include <math.h>
#include <string.h>

static const slong precisions[] = {128, 512};
enum { PRECISIONS = sizeof precisions / sizeof *precisions };

enum { DECIMALS = 6 /* of the difference */ };
/* A state has ordinary size: nothing is larger, or smaller and not zero. Larger is only what lies at an
 * edge of the claim (state/edges.h). */
#define LARGEST  1e100
#define SMALLEST 1e-100

typedef struct attempt {
    verification *v;
    const trial *t;
    point *p;
    slong bits;
    ball_frame *balls; /* the state */
    arb_ptr room;      /* for a quantity of a sheet */
    arb_ptr sides;     /* left, right and difference */
} attempt;

/* ---- The motion ------------------------------------------------------------------------------ */

static size_t entries_of(const eval_method *method, quantity x)
{
    const sheet_node *node = sheet_get(method->eq->sheet, x);
    return (size_t) node->rows * node->cols;
}

/* The quantity in which the i-th symbol of the motion stands, from the sheet of its method, into a->balls: for all symbols that
 * stand in it, since a sheet of many bodies takes its time. */
static bool enclose_quantity(attempt *a, size_t i, bool *done)
{
    const motion_place *of = &a->t->place[i];
    const enclose_entry wanted = {of->x, a->room};
    if (!enclose_sheet(of->method->eq->sheet, of->method->runner, a->balls, a->bits, &wanted, 1))
        return false;
    for (size_t k = i; k < a->t->motion.count; k++) {
        const motion_place *at = &a->t->place[k];
        if (at->method != of->method || at->x != of->x) continue;
        arb_set(ball_frame_ref(a->balls, a->t->motion.at[k]), a->room + at->entry);
        done[k] = true;
    }
    return true;
}

/* All quantities of the motion, at the state. */
static bool enclose_motion(attempt *a)
{
    bool *done = NEW_ARRAY(&a->v->ctx->scratch, bool, a->t->motion.count + 1);
    for (size_t i = 0; i < a->t->motion.count; i++)
        if (!done[i] && !enclose_quantity(a, i, done)) return false;
    return true;
}

/* The accelerations exist: the state is regular. */
static bool encloses_motion(verification *v, ball_frame *state, arb_ptr room, slong bits)
{
    const eval_method *method = &v->multipliers;
    const enclose_entry wanted = {method->eq->qddot, room};
    return enclose_sheet(method->eq->sheet, method->runner, state, bits, &wanted, 1);
}

bool certain_motion(verification *v, point *p, ball_frame *state, arb_ptr room, slong bits)
{
    when_set(v, p);
    when_enclose(v, state, bits);
    return !eval_at(&v->multipliers, p).refused && encloses_motion(v, state, room, bits);
}

static size_t room_for_motion(const verification *v, const trial *t)
{
    size_t most = entries_of(&v->multipliers, v->multipliers.eq->qddot);
    for (size_t i = 0; i < t->motion.count; i++) {
        const size_t size = entries_of(t->place[i].method, t->place[i].x);
        if (size > most) most = size;
    }
    return most;
}

/* ---- The sides ------------------------------------------------------------------------------- */

/* Is everything in the claim rational and known? Then its difference is, too. */
static bool is_rational(verification *v, const trial *t, const point *p, fmpq_t difference)
{
    ah_expr e = t->difference;
    model_put_values(v->model, &e, 1);
    const expr_list symbols = expr_symbols(v->ctx, &v->ctx->scratch, &e, 1);
    for (size_t i = 0; i < symbols.count; i++)
        if (!enclosed_is_exact(v->enclosed, symbols.at[i])) return false;
    return exact_value(v->model, p->values, e, difference);
}

static certainty compare_rationals(verification *v, const trial *t, const point *p, arb_t out,
                                   slong bits)
{
    fmpq_t difference;
    fmpq_init(difference);
    const bool different = is_rational(v, t, p, difference) && !fmpq_is_zero(difference);
    if (different) arb_set_fmpq(out, difference, bits);
    fmpq_clear(difference);
    return different ? CERTAIN_DIFFERENT : CERTAIN_EQUAL;
}

/* Inside the domain: assumptions, what the system's text names, what the claim's text names. */
static certainty look_inside(verification *v, const trial *t, const ball_frame *state, slong bits)
{
    const ah_truth facts[] = {enclosed_assumed(v->enclosed, state, bits),
                              enclosed_exists(v->enclosed, &v->model->needs, state, bits),
                              enclosed_exists(v->enclosed, &t->needs, state, bits)};
    for (int k = 0; k < 3; k++)
        if (facts[k] != AH_TRUE) return facts[k] == AH_FALSE ? CERTAIN_OUTSIDE : CERTAIN_NOT;
    return CERTAIN_EQUAL;
}

certainty certain_sides(verification *v, const trial *t, const point *p, const ball_frame *state,
                        arb_ptr sides, slong bits)
{
    const ah_expr roots[3] = {t->left, t->right, t->difference};
    const certainty inside = look_inside(v, t, state, bits);
    if (inside != CERTAIN_EQUAL) return inside;
    expr_eval_balls(state, roots, 3, bits, sides);
    for (int k = 0; k < 3; k++)
        if (!arb_is_finite(sides + k)) return CERTAIN_NOT;
    if (arb_is_nonzero(sides + 2) || !arb_overlaps(sides, sides + 1)) return CERTAIN_DIFFERENT;
    return compare_rationals(v, t, p, sides + 2, bits);
}

static void free_text(void *data)
{
    flint_free(data);
}

void certain_keep(verification *v, const trial *t, arb_srcptr sides)
{
    ctx_held held;
    for (int k = 0; k < 2; k++)
        t->out[1 + k] =
            arb_contains_zero(sides + k) ? 0 : arf_get_d(arb_midref(sides + k), ARF_RND_NEAR);
    char *decimals = arb_get_str(sides + 2, DECIMALS, ARB_STR_NO_RADIUS);
    ctx_hold(v->ctx, &held, free_text, decimals);
    v->difference = arena_strdup(v->arena, decimals);
    ctx_drop(v->ctx, &held);
}

/* ---- One attempt ----------------------------------------------------------------------------- */

static bool has_ordinary_size(const attempt *a)
{
    const ah_model *m = a->v->model;
    for (uint32_t i = 0; i < 2 * m->n; i++) {
        const ah_expr symbol = i < m->n ? m->q.at[i] : m->v.at[i - m->n];
        const double x = fabs(point_get(a->p, symbol));
        const bool zero = arb_contains_zero(ball_frame_get(a->balls, symbol));
        if (!(x <= LARGEST) || (x < SMALLEST && !zero)) return false;
    }
    return true;
}

bool certain_full_rank(const verification *v)
{
    uint32_t second_class = 0;
    if (v->where->speeds.count) return true;
    for (size_t i = 0; i < v->where->constraints.count; i++)
        second_class += v->where->constraints.at[i].order == MODEL_ACCELERATION;
    return derive_mechanics(v->where)->rank == enclosed_rank(v->enclosed) + second_class;
}

static certainty attempt_at(attempt *a, const char **why)
{
    verification *v = a->v;
    const char *open = enclosed_at(v->enclosed, a->p->values, a->balls, a->bits);
    if (open) {
        *why = open;
        return CERTAIN_NOT;
    }
    when_set(v, a->p);
    when_enclose(v, a->balls, a->bits);
    *why = "the state is too large or too small";
    if (!has_ordinary_size(a)) return CERTAIN_OUTSIDE;
    *why = "the rank of the constraints is another one in general";
    if (!certain_full_rank(v) || !apart_regular(v, a->p->values, a->balls, a->bits))
        return CERTAIN_NOT;
    *why = "the motion could not be enclosed there";
    if (!trial_motion(v, a->t, a->p) || !encloses_motion(v, a->balls, a->room, a->bits) ||
        !enclose_motion(a))
        return CERTAIN_NOT;
    *why = "the sides could not be told apart there";
    return certain_sides(v, a->t, a->p, a->balls, a->sides, a->bits);
}

/* What can be chosen: t, parameters without a value, q, v, z. */
static void shorten(const verification *v, point *p)
{
    const ah_model *m = v->model;
    point_set(p, expr_time(v->ctx), probe_shortened(point_get(p, expr_time(v->ctx))));
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].value == AH_NONE)
            point_set(p, m->parameters.at[i].symbol,
                      probe_shortened(point_get(p, m->parameters.at[i].symbol)));
    for (uint32_t i = 0; i < m->n; i++) {
        point_set(p, m->q.at[i], probe_shortened(point_get(p, m->q.at[i])));
        point_set(p, m->v.at[i], probe_shortened(point_get(p, m->v.at[i])));
    }
    for (size_t i = 0; i < m->speeds.count; i++)
        point_set(p, m->speeds.at[i].symbol, probe_shortened(point_get(p, m->speeds.at[i].symbol)));
}

/* Goes with the scratch arena. */
static attempt new_attempt(verification *v, const trial *t, point *p, size_t room)
{
    arena *scratch = &v->ctx->scratch;
    return (attempt){.v = v,
                     .t = t,
                     .p = p,
                     .balls = ball_frame_create(v->ctx, scratch),
                     .room = ball_array(scratch, room),
                     .sides = ball_array(scratch, 3)};
}

certainty trial_certain(verification *v, const trial *t, point *p, bool brief, const char **why)
{
    if (v->branched) return branches_certain(v, t, p, why);
    const arena_mark mark = arena_get_mark(&v->ctx->scratch);
    const frame *drawn = frame_copy(&v->ctx->scratch, p->values);
    attempt a = new_attempt(v, t, p, room_for_motion(v, t));
    certainty answer = CERTAIN_NOT;
    for (int k = brief ? PRECISIONS : 0; k < 2 * PRECISIONS; k++) {
        const bool as_short = k < PRECISIONS;
        a.bits = precisions[k % PRECISIONS];
        frame_assign(p->values, drawn);
        if (as_short) shorten(v, p);
        answer = attempt_at(&a, why);
        if (answer == CERTAIN_DIFFERENT) break;
        if (answer == CERTAIN_OUTSIDE && !as_short) break;
        if (as_short) k = PRECISIONS - 1; /* short numbers have one chance */
    }
    if (answer == CERTAIN_DIFFERENT) certain_keep(v, t, a.sides);
    arena_release(&v->ctx->scratch, mark);
    return answer;
}

/* ---- Without the constraints ----------------------------------------------------------------- */

static certainty attempt_unbound(attempt *a, const char **why)
{
    const ah_model *m = a->v->model;
    *why = enclosed_at(a->v->enclosed, a->p->values, a->balls, a->bits);
    if (*why) return CERTAIN_NOT;
    for (uint32_t i = 0; i < m->n; i++)
        arb_set_d(ball_frame_ref(a->balls, m->a.at[i]), point_get(a->p, m->a.at[i]));
    for (size_t i = 0; i < a->t->speeds.count; i++)
        arb_set_d(ball_frame_ref(a->balls, a->t->speeds.at[i]),
                  point_get(a->p, a->t->speeds.at[i]));
    return certain_sides(a->v, a->t, a->p, a->balls, a->sides, a->bits);
}

certainty certain_unbound(verification *v, const trial *t, point *p)
{
    const char *why;
    const arena_mark mark = arena_get_mark(&v->ctx->scratch);
    attempt a = new_attempt(v, t, p, 0);
    a.bits = precisions[PRECISIONS - 1];
    shorten(v, p);
    const certainty answer = attempt_unbound(&a, &why);
    if (answer == CERTAIN_DIFFERENT) certain_keep(v, t, a.sides);
    arena_release(&v->ctx->scratch, mark);
    return answer;
}
