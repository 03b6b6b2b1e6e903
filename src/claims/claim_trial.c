/* claims/claim_trial.c - a claim at random admissible states.
 *
 * Doubles come first: sides that agree but for rounding hold. Where they differ by more, the state
 * is looked at in balls (claim_certain.c), which alone make a counter-example. */
#include "claim.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Sides that differ by more than this share of their terms are looked at in balls; numbers of the
 * motion are trusted to be so exact, at states conditioned like one. */
#define TRIAL_ROUNDING 1e-13
/* By more than this they differ, whatever the balls say. */
#define TRIAL_DIFFERENT 1e-8
/* Of systems that are not enclosed: terms that are larger by this than what comes of them leave no digits to compare. */
#define TRIAL_BLURRED 1e10

enum {
    LOOKS =
        40, /* in balls, for one claim on one component, half of them at states that are suspect alone … */
    LOOKS_SECONDS = 10, /* … or fewer, of a large system, by counted work */
    UNBOUND = 40,       /* states without constraints */
    CLOSELY = 6, /* states at which a claim that holds is looked at in balls all the same … */
    CLOSELY_SECONDS =
        4, /* … or fewer, where one of a large system takes that much of counted work */
    HOPELESS = 60,
    SMALLER = 24 /* more states, in place of a counter-example that is not of ordinary size */
};
/* Nothing of such a state is larger; velocities follow from coordinates of 1e6, times parameters. */
#define ORDINARY 1e9

/* ---- Making ---------------------------------------------------------------------------------- */

static bool is_motion(ah_symbol_kind kind)
{
    return kind == AH_ACCELERATION || kind == AH_SPEED_DOT || kind == AH_DERIVED || kind == AH_JERK;
}

static bool is_speed(ah_symbol_kind kind)
{
    return kind == AH_SPEED || kind == AH_SPEED_DOT;
}

static bool place_derived(verification *v, ah_expr symbol, motion_place *out)
{
    int extra;
    uint32_t row, col, entry;
    if (claim_beta(v, symbol, &entry)) {
        *out = (motion_place){&v->hamel, claim_extra(v->hamel.eq, "beta"), entry, false};
        return true;
    }
    if (claim_object_place(v, symbol, out)) return true;
    if (!claim_locate(v, symbol, &extra, &row, &col)) return false;
    const ah_equations *eq = v->multipliers.eq;
    switch (extra) {
    case MOTION_LAMBDA:
        *out = (motion_place){&v->multipliers, eq ? eq->multipliers : QUANTITY_NONE, row, true};
        return true;
    case MOTION_REACTION:
        *out = (motion_place){&v->multipliers, eq ? eq->reaction : QUANTITY_NONE, row, false};
        return true;
    default: break;
    }
    const bool charted = extra == MOTION_GZ;
    const eval_method *owner = charted ? &v->charted : &v->plain;
    const quantity x = claim_extra(owner->eq, charted ? "Gz" : "G");
    const uint32_t cols = x == QUANTITY_NONE ? 0 : sheet_get(owner->eq->sheet, x)->cols;
    *out = (motion_place){owner, x, row * cols + col, false};
    return true;
}

/* Where the value of one of the motion's symbols is found; false: nowhere. */
static bool find_place(verification *v, ah_expr symbol, motion_place *out)
{
    *out = (motion_place){.x = QUANTITY_NONE};
    switch (expr_get_kind(v->ctx, symbol)) {
    case AH_ACCELERATION:
        out->method = &v->multipliers;
        out->x = v->multipliers.eq ? v->multipliers.eq->qddot : QUANTITY_NONE;
        while (v->model->a.at[out->entry] != symbol) out->entry++;
        break;
    case AH_SPEED_DOT:
        if (!v->model->speeds.count || !v->parametric.eq) return false;
        out->method = &v->parametric;
        out->x = v->parametric.eq->speeds_dot;
        while (mat_get(v->ctx, v->mech->chart.zdot, out->entry, 0) != symbol) out->entry++;
        break;
    case AH_DERIVED:
        if (!place_derived(v, symbol, out)) return false;
        break;
    default: return false;
    }
    return out->x != QUANTITY_NONE && !out->method->refused;
}

static void place_motion(verification *v, trial *t)
{
    t->place = NEW_ARRAY(v->arena, motion_place, t->motion.count + 1);
    for (size_t i = 0; i < t->motion.count; i++)
        if (v->branched ? !branches_place(v, t->motion.at[i])
                        : !find_place(v, t->motion.at[i], &t->place[i]))
            t->unplaced = "a name in it has no value in this system";
}

/* The arguments of all partial functions in the texts of system and claim. */
static void prepare_domain(verification *v, trial *t)
{
    const model_needs *own = &v->model->needs, *more = &t->needs;
    const size_t count = own->count + more->count;
    ah_expr *e = NEW_ARRAY(v->arena, ah_expr, 2 * count + 1);
    for (size_t i = 0; i < count; i++) {
        const model_need *n = i < own->count ? &own->at[i] : &more->at[i - own->count];
        e[2 * i] = n->a;
        e[2 * i + 1] = n->b == AH_NONE ? n->a : n->b;
    }
    model_put_values(v->model, e, 2 * count);
    t->domain = expr_plan_create(v->ctx, v->arena, e, 2 * count);
    t->argument = NEW_ARRAY(v->arena, double, 2 * count + 1);
}

trial trial_prepare(verification *v, const model_claim *c)
{
    const model_claim own = claim_mapped(v, c, claim_expand);
    trial t = {.left = own.left, .right = own.right, .needs = own.needs};
    t.difference = expr_sub(v->ctx, t.left, t.right);
    LIST(ah_expr) roots = {0};
    LIST_PUSH(v->arena, &roots, t.left);
    LIST_PUSH(v->arena, &roots, t.right);
    for (size_t i = 0; i < t.needs.count; i++) LIST_PUSH(v->arena, &roots, t.needs.at[i].a);
    const expr_list all = expr_symbols(v->ctx, v->arena, roots.at, roots.count);
    for (size_t i = 0; i < all.count; i++)
        if (is_speed(expr_get_kind(v->ctx, all.at[i]))) LIST_PUSH(v->arena, &t.speeds, all.at[i]);
    for (size_t i = 0; i < all.count; i++)
        if (is_motion(expr_get_kind(v->ctx, all.at[i]))) LIST_PUSH(v->arena, &t.motion, all.at[i]);
    place_motion(v, &t);
    if (v->when && v->model->speeds.count && t.speeds.count)
        t.unplaced =
            "under conditions it must be written in velocities, not in velocity parameters";
    prepare_domain(v, &t);
    ah_expr *e = NEW_ARRAY(v->arena, ah_expr, t.motion.count + 3);
    e[0] = t.difference;
    e[1] = t.left;
    e[2] = t.right;
    expr_gradient(v->ctx, t.difference, t.motion.count, t.motion.at, e + 3);
    t.plan = expr_plan_create(v->ctx, v->arena, e, t.motion.count + 3);
    t.out = NEW_ARRAY(v->arena, double, t.motion.count + 3);
    t.scale = NEW_ARRAY(v->arena, double, t.motion.count + 3);
    t.edges = edges_create(v->model, v->arena, e + 1, 2, t.motion.count > 0, &t.needs,
                           v->where->facts.at, v->where->facts.count);
    return t;
}

/* ---- Doubles --------------------------------------------------------------------------------- */

bool trial_motion(verification *v, const trial *t, point *p)
{
    const eval_method **done =
        NEW_ARRAY(&v->ctx->scratch, const eval_method *, t->motion.count + 2);
    done[0] = &v->multipliers;
    eval_result r = eval_at(&v->multipliers, p);
    if (r.refused) return false;
    v->rcond = r.rcond;
    v->acceleration = 0;
    const double *rows[] = {r.qddot, r.reaction};
    for (uint32_t i = 0; i < v->mech->n; i++)
        for (int k = 0; k < 2; k++)
            if (rows[k]) v->acceleration = fmax(v->acceleration, fabs(rows[k][i]));
    for (size_t i = 0; i < t->motion.count; i++) {
        const motion_place *at = &t->place[i];
        size_t k = 0;
        while (done[k] && done[k] != at->method) k++;
        if (!done[k] && eval_at(at->method, p).refused) return false;
        done[k] = at->method;
        if (at->multiplier && run_redundant(at->method->runner)) return false;
        point_set(p, t->motion.at[i], run_get(at->method->runner, at->x)[at->entry]);
    }
    return true;
}

/* In doubles, and generously: balls decide. */
static bool may_exist(const verification *v, const trial *t, const point *p)
{
    const size_t own = v->model->needs.count, count = own + t->needs.count;
    expr_plan_run(t->domain, p->values, t->argument);
    for (size_t i = 0; i < count; i++) {
        const model_need *n = i < own ? &v->model->needs.at[i] : &t->needs.at[i - own];
        const double x = t->argument[2 * i], y = t->argument[2 * i + 1];
        if (isnan(x) || (n->f == AH_LOG && x <= 0) || (n->f == AH_SQRT && x < -1e-9) ||
            ((n->f == AH_ASIN || n->f == AH_ACOS) && fabs(x) > 1 + 1e-9) ||
            (n->f == AH_FUNCTIONS && n->b != AH_NONE &&
             (isnan(pow(x, y)) || (v->when && isinf(pow(x, y))))))
            return false;
    }
    return true;
}

/* Where the terms are so much larger than what comes of them, as of rotations along hundreds of bodies, doubles do not tell; smaller
 * systems are enclosed as well. */
static bool is_blurred(const verification *v, const trial *t, double terms, double motion)
{
    const double sides = fabs(t->out[1]) + fabs(t->out[2]) + motion;
    return v->model->n > ENCLOSED_COORDINATES && terms > TRIAL_BLURRED * sides;
}

trial_answer trial_judge(const verification *v, const trial *t, const point *p)
{
    expr_plan_run_scaled(t->plan, p->values, t->out, t->scale);
    double terms = fmax(t->scale[0], fmax(t->scale[1], t->scale[2])), motion = 0;
    for (size_t i = 0; i < t->motion.count; i++) {
        const double size = fmax(v->acceleration, fabs(point_get(p, t->motion.at[i])));
        motion += fabs(t->out[3 + i]) * size;
    }
    const double difference = fabs(t->out[0]);
    if (!isfinite(difference) || !isfinite(terms) || !isfinite(motion)) return TRIAL_SKIPPED;
    if (is_blurred(v, t, terms, motion)) return TRIAL_BLUR;
    if (difference <= TRIAL_ROUNDING * (terms + motion))
        return terms + motion < DBL_MIN ? TRIAL_SUSPECT : TRIAL_HOLDS; /* 0.3^100001 is not 0 */
    const bool clear = difference > TRIAL_DIFFERENT * (terms + motion) && v->rcond > 1e-7;
    return clear ? TRIAL_FAILS : TRIAL_SUSPECT;
}

/* ---- States ---------------------------------------------------------------------------------- */

/* Ordinary states, the first of them such that a reader can follow what is wrong there; far ones, of all magnitudes; angles of
 * several turns; the model's own start; in between, states at the edges of what the claim is made of. */
static probe_wish wish_of(const trial *t, size_t k)
{
    static const probe_reach order[] = {PROBE_NEAR, PROBE_FAR,  PROBE_TURNS, PROBE_NEAR,
                                        PROBE_NEAR, PROBE_WIDE, PROBE_TURNS, PROBE_START};
    enum { ORDER = sizeof order / sizeof *order };
    probe_wish wish = {.reach = order[k % ORDER]};
    if (k >= ORDER && wish.reach == PROBE_START) wish.reach = PROBE_WIDE;
    if (t->edges && k && (k % 3 == 1 || k % 4 == 0)) {
        wish.bend = edges_bend;
        wish.user = t->edges;
    }
    return wish;
}

bool trial_draw(verification *v, const trial *t, size_t k, bool regular, states_rng *rng, point *p)
{
    const probe_wish wish = wish_of(t, k);
    *p = point_around(v->model, probe_values(v->model, &v->ctx->scratch), &v->ctx->scratch);
    if (!(regular ? analyse_wished_state : analyse_wished_place)(v->random, rng, &wish, p->values))
        return false;
    when_set(v, p);
    return may_exist(v, t, p);
}

static void keep_counterexample(verification *v, const trial *t, const point *p, verify_claim *c)
{
    frame *values = frame_copy(v->arena, p->values);
    c->values = values;
    c->difference = v->difference;
    c->left = t->out[1];
    c->right = t->out[2];
    c->verdict = AH_VERDICT_FALSE;
}

static bool is_ordinary(const verification *v, const point *p)
{
    const ah_model *m = v->model;
    for (uint32_t i = 0; i < 2 * m->n; i++)
        if (!(fabs(point_get(p, i < m->n ? m->q.at[i] : m->v.at[i - m->n])) <= ORDINARY))
            return false;
    return true;
}

/* Of a counter-example: the component on which it was drawn, unless Newton's method led it from there to another. */
static void name_component(verification *v, size_t drawn, verify_claim *c)
{
    const size_t parts = v->components->count;
    for (size_t i = 0; c->values && parts > 1 && i < parts && !c->component; i++) {
        const size_t k = (drawn + i) % parts;
        if (analyse_is_on_component(v->parts[k], c->values))
            c->component = v->components->at[k].name;
    }
}

/* What has been seen of a claim so far. */
typedef struct record {
    size_t looks;
    base_end end;    /* of the looks */
    bool differs;    /* at a state that is not certain */
    bool blurred;    /* doubles did not tell */
    const char *why; /* it is not */
} record;

static trial_answer try_at(verification *v, const trial *t, point *p, record *r)
{
    const trial_answer answer = v->branched             ? branches_judge(v, t, p)
                                : trial_motion(v, t, p) ? trial_judge(v, t, p)
                                                        : TRIAL_SKIPPED;
    if (answer == TRIAL_HOLDS || answer == TRIAL_SKIPPED) return answer;
    if (answer == TRIAL_BLUR) {
        r->blurred = true;
        return TRIAL_SKIPPED;
    }
    const trial_answer in_doubles = answer == TRIAL_SUSPECT ? TRIAL_HOLDS : TRIAL_SKIPPED;
    const size_t most = answer == TRIAL_FAILS ? LOOKS : LOOKS / 2;
    if (r->looks >= most || (r->looks && base_is_past(&r->end))) {
        r->differs = r->differs || (answer == TRIAL_FAILS && r->looks < LOOKS);
        if (!r->why) r->why = "to enclose more of them would take too long";
        return in_doubles;
    }
    r->looks++;
    const char *why = NULL;
    /* next to a tip, sqrt(y'^2) = z' at 1e-17, Newton's method is content with the wrong sign */
    const bool admissible = answer == TRIAL_FAILS && point_residual(p, NULL) <= POINT_ADMISSIBLE;
    switch (trial_certain(v, t, p, false, &why)) {
    case CERTAIN_DIFFERENT: return TRIAL_FAILS;
    case CERTAIN_EQUAL: return TRIAL_HOLDS;
    case CERTAIN_OUTSIDE: return TRIAL_SKIPPED;
    case CERTAIN_NOT: break;
    }
    if (admissible) {
        r->differs = true;
        r->why = why;
    }
    return in_doubles;
}

/* Random states until v->states of them were good, or a counter-example; one that is large gives way to a smaller one. */
static void try_states(verification *v, const trial *t, verify_claim *c, record *r)
{
    states_rng rng = probe_seed(v->seed);
    size_t attempts = 10 * v->states + 50;
    bool settled = false;
    for (size_t i = 0; i < attempts && c->states < v->states && !settled; i++) {
        ctx_tick(v->ctx);
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        const trial_answer answer =
            trial_draw(v, t, i, true, &rng, &p) ? try_at(v, t, &p, r) : TRIAL_SKIPPED;
        if (answer == TRIAL_HOLDS) c->states++;
        if (answer == TRIAL_FAILS) {
            settled = is_ordinary(v, &p);
            if (!c->values) attempts = i + 1 + SMALLER;
            if (!c->values || settled) keep_counterexample(v, t, &p, c);
        }
        arena_release(&v->ctx->scratch, mark);
        if (i > HOPELESS && c->states == 0) break; /* it will not get better */
    }
}

/* The same on every component: c->states counts those of all. */
static void try_components(verification *v, const trial *t, verify_claim *c, record *r)
{
    const size_t parts = v->components->count > 1 ? v->components->count : 1;
    size_t seen = 0;
    for (size_t k = 0; k < parts && !c->values; k++) {
        c->states = r->looks = 0;
        v->random = v->parts[k];
        try_states(v, t, c, r);
        seen += c->states;
        if (c->states < v->states / 2 && parts > 1) c->unseen = v->components->at[k].name;
        name_component(v, k, c);
    }
    c->states = seen;
}

void trial_run(verification *v, const trial *t, verify_claim *c)
{
    record r = {.end = base_end_after(LOOKS_SECONDS)};
    c->verdict = AH_VERDICT_UNKNOWN;
    c->why = t->unplaced;
    if (t->unplaced) return;
    try_components(v, t, c, &r);
    if (c->values) return;
    if (r.differs) {
        c->why = arena_printf(v->arena, "the sides differ in doubles, but no state is certain: %s",
                              r.why);
    } else if (!c->states && r.blurred) {
        c->why = "doubles do not tell the sides apart, and the system is too large to be enclosed";
    } else if (!c->states) {
        c->why = "no regular admissible state was found at which both sides exist";
    } else {
        c->verdict = AH_VERDICT_HOLDS;
    }
}

/* Where all that a counter-example lacks is a proof that redundant rows follow from the others. */
static bool differs_on_trust(verification *v, const trial *t, point *p)
{
    const char *why;
    if (v->branched) return false;
    enclosed_trust(v->enclosed, true);
    const certainty answer = trial_certain(v, t, p, true, &why);
    enclosed_trust(v->enclosed, false);
    return answer == CERTAIN_DIFFERENT;
}

void trial_closely(verification *v, const trial *t, verify_claim *c)
{
    states_rng rng = probe_seed(v->seed + 1);
    const char *why;
    size_t seen = 0;
    const size_t parts = v->components->count > 1 ? v->components->count : 1;
    const base_end end = base_end_after(CLOSELY_SECONDS);
    for (size_t i = 0; i < 4 * CLOSELY && seen < CLOSELY && !c->values; i++) {
        if (seen >= parts && base_is_past(&end)) break;
        v->random = v->parts[i % parts];
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        if (trial_draw(v, t, i, true, &rng, &p)) {
            const certainty answer = trial_certain(v, t, &p, true, &why);
            if (answer == CERTAIN_DIFFERENT) keep_counterexample(v, t, &p, c);
            if (answer == CERTAIN_NOT && differs_on_trust(v, t, &p)) {
                c->verdict = AH_VERDICT_UNKNOWN;
                c->why = arena_printf(v->arena,
                                      "the sides differ by little, but no state is "
                                      "certain: %s",
                                      why);
            }
            name_component(v, i % parts, c);
            seen++;
        }
        arena_release(&v->ctx->scratch, mark);
    }
}

bool trial_unbound(verification *v, const trial *t, verify_claim *c)
{
    states_rng rng = probe_seed(v->seed);
    for (size_t i = 0; i < UNBOUND && !c->values; i++) {
        ctx_tick(v->ctx);
        const arena_mark mark = arena_get_mark(&v->ctx->scratch);
        point p;
        const bool drawn = trial_draw(v, t, i, true, &rng, &p);
        for (size_t k = 0; k < t->speeds.count; k++)
            point_set(&p, t->speeds.at[k], probe_uniform(&rng, -2, 2));
        if (drawn && certain_unbound(v, t, &p) == CERTAIN_DIFFERENT)
            keep_counterexample(v, t, &p, c);
        arena_release(&v->ctx->scratch, mark);
    }
    return c->values != NULL;
}
