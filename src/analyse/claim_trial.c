/* analyse/claim_trial.c - a claim at random admissible states.
 *
 * One where the sides differ by more than rounding is a counter-example. */
#include "claim.h"

#include <math.h>
#include <string.h>

/* Sides that differ by more than this share of their terms differ. */
#define VERIFY_DIFFERENT 1e-8
/* Accuracy that the motion's numbers are trusted to have, at states conditioned better than
 * VERIFY_CONDITION. */
#define VERIFY_MOTION    1e-9
#define VERIFY_CONDITION 1e-7

static bool is_motion(ah_symbol_kind kind)
{
    return kind == AH_ACCELERATION || kind == AH_SPEED_DOT || kind == AH_DERIVED || kind == AH_JERK;
}

trial trial_prepare(verification *v, const model_claim *c)
{
    trial t = {.left = claim_expand(v, c->left), .right = claim_expand(v, c->right)};
    t.difference = expr_sub(v->ctx, t.left, t.right);
    const ah_expr sides[2] = {t.left, t.right};
    const expr_list all = expr_symbols(v->ctx, v->arena, sides, 2);
    for (size_t i = 0; i < all.count; i++)
        if (is_motion(expr_get_kind(v->ctx, all.at[i]))) LIST_PUSH(v->arena, &t.motion, all.at[i]);
    ah_expr *roots = NEW_ARRAY(v->arena, ah_expr, t.motion.count + 3);
    roots[0] = t.difference;
    roots[1] = t.left;
    roots[2] = t.right;
    expr_gradient(v->ctx, t.difference, t.motion.count, t.motion.at, roots + 3);
    model_put_samples(v->model, roots, t.motion.count + 3);
    t.plan = expr_plan_create(v->ctx, v->arena, roots, t.motion.count + 3);
    t.out = NEW_ARRAY(v->arena, double, t.motion.count + 3);
    t.scale = NEW_ARRAY(v->arena, double, t.motion.count + 3);
    return t;
}

static double largest(const double *x, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

/* Values of the motion's symbols at the point; sizes: how large their kind is, for the rounding. */
typedef struct motion_values {
    eval_result multipliers, parametric, hamel, charted, plain;
} motion_values;

static bool put_derived(verification *v, point *p, const motion_values *mv, ah_expr symbol)
{
    derived_name d;
    int extra;
    uint32_t row, col, entry;
    if (!claim_parse(expr_get_name(v->ctx, symbol), &d)) return false;
    if (claim_beta(v, &d, &entry)) {
        const quantity beta = claim_extra(v->hamel.eq, "beta");
        if (beta == QUANTITY_NONE || mv->hamel.refused) return false;
        point_set(p, symbol, run_get(v->hamel.runner, beta)[entry]);
        return true;
    }
    if (!claim_locate(v, &d, &extra, &row, &col)) return false;
    if (extra == MOTION_LAMBDA && mv->multipliers.multipliers) {
        point_set(p, symbol, mv->multipliers.multipliers[row]);
        return mv->multipliers.multipliers_unique;
    }
    if (extra == MOTION_REACTION && mv->multipliers.reaction) {
        point_set(p, symbol, mv->multipliers.reaction[row]);
        return true;
    }
    const bool reduced = extra == MOTION_GZ;
    const eval_result *owner = reduced ? &mv->charted : &mv->plain;
    const quantity x =
        owner->refused ? QUANTITY_NONE : claim_extra(owner->eq, reduced ? "Gz" : "G");
    if (x == QUANTITY_NONE) return false;
    point_set(p, symbol,
              run_get(owner->runner, x)[row * sheet_get(owner->eq->sheet, x)->cols + col]);
    return true;
}

static bool put_motion(verification *v, point *p, const trial *t, const motion_values *mv)
{
    for (uint32_t i = 0; i < v->mech->n; i++)
        point_set(p, v->model->a.at[i], mv->multipliers.qddot[i]);
    for (uint32_t i = 0; v->model->speeds.count && i < mv->parametric.speeds; i++)
        point_set(p, mat_get(v->ctx, v->mech->chart.zdot, i, 0), mv->parametric.speed_dot[i]);
    for (size_t i = 0; i < t->motion.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(v->ctx, t->motion.at[i]);
        if (kind == AH_JERK) return false;
        if (kind == AH_SPEED_DOT && !mv->parametric.speed_dot) return false;
        if (kind == AH_DERIVED && !put_derived(v, p, mv, t->motion.at[i])) return false;
    }
    return true;
}

typedef enum trial_answer { TRIAL_HOLDS, TRIAL_FAILS, TRIAL_SKIPPED } trial_answer;

static trial_answer judge(const trial *t, const point *p, double acceleration)
{
    expr_plan_run_scaled(t->plan, p->values, t->out, t->scale);
    double tolerance = VERIFY_DIFFERENT * fmax(t->scale[0], fmax(t->scale[1], t->scale[2]));
    for (size_t i = 0; i < t->motion.count; i++) {
        const double size = fmax(acceleration, fabs(point_get(p, t->motion.at[i])));
        tolerance += VERIFY_MOTION * fabs(t->out[3 + i]) * size;
    }
    if (!isfinite(t->out[0]) || !isfinite(tolerance)) return TRIAL_SKIPPED;
    return fabs(t->out[0]) <= tolerance ? TRIAL_HOLDS : TRIAL_FAILS;
}

/* Size of what the accelerations are the sum of: free ones and the motion's. */
static double acceleration_size(const motion_values *mv, uint32_t n)
{
    double size = largest(mv->multipliers.qddot, n);
    if (mv->multipliers.reaction) size = fmax(size, largest(mv->multipliers.reaction, n));
    return size;
}

/* All motions at the point: one, or every global minimum of a non-linear second-class system. */
static trial_answer try_at(verification *v, const trial *t, point *p, const char **why)
{
    motion_values mv = {0};
    if (!v->second_class.refused && v->second_class.eq->branches) {
        mv.multipliers = eval_at(&v->second_class, p);
        if (mv.multipliers.refused || !mv.multipliers.branches->unique) {
            *why = "Gauss' principle does not determine the motion";
            return TRIAL_SKIPPED;
        }
        mv.multipliers.qddot = mv.multipliers.branches->branch[0].qddot;
        mv.multipliers.multipliers = mv.multipliers.branches->branch[0].multipliers;
    } else {
        mv.multipliers = eval_at(&v->multipliers, p);
        if (mv.multipliers.refused || mv.multipliers.rcond < VERIFY_CONDITION) return TRIAL_SKIPPED;
    }
    mv.parametric = eval_at(&v->parametric, p);
    mv.hamel = eval_at(&v->hamel, p);
    mv.charted = eval_at(&v->charted, p);
    mv.plain = eval_at(&v->plain, p);
    if (!put_motion(v, p, t, &mv)) {
        *why = "a name in it has no value in this system";
        return TRIAL_SKIPPED;
    }
    return judge(t, p, acceleration_size(&mv, v->mech->n));
}

void trial_run(verification *v, const trial *t, verify_claim *c)
{
    states_rng rng = probe_seed(v->seed);
    const size_t attempts = 10 * v->states + 50;
    const char *why = "no regular admissible state was found at which both sides exist";
    for (size_t i = 0; i < attempts && c->states < v->states; i++) {
        ctx_tick(v->ctx);
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        trial_answer answer = TRIAL_SKIPPED;
        if (point_at_random(v->model, v->random, &rng, &v->ctx->scratch, &p))
            answer = try_at(v, t, &p, &why);
        if (answer == TRIAL_HOLDS) c->states++;
        if (answer == TRIAL_FAILS) {
            double *values = NEW_ARRAY(v->arena, double, expr_slots(v->ctx));
            memcpy(values, p.values, expr_slots(v->ctx) * sizeof *values);
            c->values = values;
            c->left = t->out[1];
            c->right = t->out[2];
        }
        arena_release(&v->ctx->scratch, mark);
        if (answer == TRIAL_FAILS) break;
        if (i > 60 && c->states == 0) break; /* it will not get better */
    }
    c->verdict = c->values ? VERDICT_FALSE : c->states ? VERDICT_HOLDS : VERDICT_UNKNOWN;
    if (c->verdict == VERDICT_UNKNOWN) c->why = why;
}
