/* lang/elab_joint.c - markers, joints, springs and dampers: constraints, potentials and dissipation that a
 * drawing of the machine would show.
 *
 * A marker is a massless body fixed to another one, or to space: a place with axes. Joints hold two of them
 * together, P with the axes a and Q with the axes b, d = Q - P:
 *
 *     ball     d = 0
 *     hinge    d = 0, and a_k stays parallel to b_k: a_k·b_i = a_k·b_j = 0
 *     weld     d = 0, a_1·b_2 = a_2·b_3 = a_3·b_1 = 0
 *     slider   a_i·d = a_j·d = 0, and the axes as in weld
 *     rod      (|d|² - l²)/2l = 0: its multiplier is the force in the rod
 *     gear     (ω_P - ω_C)·a_k = n (ω_Q - ω_C)·b_k
 *
 * A torsion spring has the potential k/2 (φ - φ0)², φ the angle by which Q is turned from P about a_k. */
#include "elaborate.h"

#include <string.h>

/* ---- Markers --------------------------------------------------------------------------------- */

void elab_marker(elaborator *e, const syntax *s)
{
    name *n = elab_new_name(e, s->child[0]);
    const model_part *on = s->child[1] ? elab_part(e, s->child[1]) : NULL;
    ah_body b = {.mass = expr_int(e->ctx, 0), .place = vector_zero(e->ctx)};
    bool good = n && (!s->child[1] || on);
    good &= !s->child[2] || elab_vector(e, s->child[2], IN_POSITION, &b.place);
    if (good) {
        b.name = n->text;
        const model_part parent = on ? *on : (model_part){0};
        model_add_body_on(e->m, &b, on ? &parent : NULL, NULL, s->child[0]->span);
    } else if (n) {
        n->poisoned = true;
    }
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* A point, a body, or any place. */
typedef struct end {
    ah_vector place, velocity;
    const model_part *part; /* NULL: a place without axes */
} end;

static bool end_of(elaborator *e, const syntax *s, end *out)
{
    const bool named = s->kind == SYNTAX_NAME || s->kind == SYNTAX_INDEX;
    const name *n = named && !s->name->local ? elab_target(e, s) : NULL;
    const model_name *found = n ? model_find(e->m, n->text) : NULL;
    *out = (end){.part = NULL};
    if (found && found->what == MODEL_PART) {
        out->part = &e->m->parts.at[found->index];
        out->place = out->part->place;
        out->velocity = out->part->velocity;
        return true;
    }
    if (!elab_vector(e, s, IN_POSITION, &out->place)) return false;
    out->velocity = vector_dt(e->ctx, out->place);
    return true;
}

static const char *label_of(elaborator *e, const syntax *s, bool *good)
{
    if (!s->child[JOINT_LABEL]) return NULL;
    name *n = elab_target(e, s->child[JOINT_LABEL]);
    *good = n && elab_label(e, s->child[JOINT_LABEL], n);
    return *good ? n->text : NULL;
}

static bool has_axes(elaborator *e, const syntax *s, const end *x)
{
    if (x->part && x->part->is_body) return true;
    diag(e->ctx, A0212, s->span,
         "a body or a marker is needed here: this joint holds directions too");
    diag_hint(e->ctx, "declare it: marker M on B at r, or without `on` for one that stands still");
    return false;
}

/* ---- Constraints ----------------------------------------------------------------------------- */

typedef struct joint {
    elaborator *e;
    const syntax *s;
    const char *label; /* NULL: none was given */
    end a, b;
    ah_vector d;
    bool holds; /* rows were added */
} joint;

/* What two places of one body do, or an axis about which nothing turns. */
static void warn_idle(const joint *j, const char *why)
{
    diag(j->e->ctx, A0432, j->s->span, "this does nothing: %s", why);
    diag_hint(j->e->ctx, "look at the two ends and the axis, or leave it out");
}

static bool moves(const joint *j, ah_expr e)
{
    return expr_depends_kind(j->e->ctx, e, AH_COORDINATE) ||
           expr_depends_kind(j->e->ctx, e, AH_VELOCITY);
}

/* Rows that vanish, as the third of a plane system, are dropped. */
static void rows(joint *j, const char *what, ah_vector left)
{
    ah_ctx *ctx = j->e->ctx;
    const char *label = j->label ? arena_printf(&ctx->job, "%s_%s", j->label, what) : NULL;
    bool any = false;
    for (int k = 0; k < 3; k++) any |= !expr_is_zero(ctx, left.c[k]);
    j->holds |= any;
    if (any) model_add_constraint_vector(j->e->m, label, left, vector_zero(ctx), j->s->span);
}

static ah_expr between(joint *j, int i, int k)
{
    return vector_dot(j->e->ctx, model_axis(j->a.part, i), model_axis(j->b.part, k));
}

/* The rows of axes hold where two look opposite ways, too. */
static void same_way(joint *j, int k)
{
    const ah_expr e = between(j, k, k);
    if (moves(j, e)) model_add_side(j->e->m, e);
}

static void hold_axes(joint *j)
{
    for (int k = 1; k <= 3; k++) same_way(j, k);
    rows(j, "axes", (ah_vector){{between(j, 1, 2), between(j, 2, 3), between(j, 3, 1)}});
}

static void make_ball(joint *j)
{
    rows(j, "place", j->d);
}

static void make_hinge(joint *j)
{
    const syntax *axis = j->s->child[JOINT_AXIS];
    const int k = axis ? axis->name->text[0] - 'x' + 1 : 3;
    same_way(j, k);
    rows(j, "place", j->d);
    rows(j, "axes",
         (ah_vector){
             {between(j, k, k % 3 + 1), between(j, k, (k + 1) % 3 + 1), expr_int(j->e->ctx, 0)}});
}

static void make_weld(joint *j)
{
    rows(j, "place", j->d);
    hold_axes(j);
}

static void make_slider(joint *j)
{
    ah_ctx *ctx = j->e->ctx;
    const syntax *axis = j->s->child[JOINT_AXIS];
    const int k = axis ? axis->name->text[0] - 'x' + 1 : 1;
    ah_vector off = vector_zero(ctx);
    off.c[0] = vector_dot(ctx, model_axis(j->a.part, k % 3 + 1), j->d);
    off.c[1] = vector_dot(ctx, model_axis(j->a.part, (k + 1) % 3 + 1), j->d);
    rows(j, "place", off);
    hold_axes(j);
}

/* A straight line in pictures. */
static void is_seen(const joint *j, model_seen_kind kind)
{
    const model_seen line = {kind, j->a.place, j->b.place};
    LIST_PUSH(&j->e->ctx->job, &j->e->m->seen, line);
}

static void make_rod(joint *j)
{
    ah_ctx *ctx = j->e->ctx;
    const ah_expr l = elab_scalar(j->e, j->s->child[JOINT_LENGTH], IN_LENGTH);
    if (l == AH_NONE) return;
    const int sign = contact_sign(j->e->m, l);
    if (sign == 0 || sign == -1) {
        diag(ctx, A0427, j->s->child[JOINT_LENGTH]->span, "the length of a rod is not positive");
        diag_hint(ctx, "two places that are one are joined by `ball`");
        return;
    }
    const ah_expr gap = expr_sub(ctx, vector_dot(ctx, j->d, j->d), expr_powi(ctx, l, 2));
    const ah_expr left = expr_div(ctx, gap, expr_mul(ctx, expr_int(ctx, 2), l));
    model_add_constraint(j->e->m, j->label, left, expr_int(ctx, 0), j->s->span);
    is_seen(j, MODEL_SEEN_ROD);
}

/* ---- Springs and dampers --------------------------------------------------------------------- */

/* k/2 (|d| - l)², without a length k/2 d². */
static void make_spring(joint *j)
{
    ah_ctx *ctx = j->e->ctx;
    const ah_expr k = elab_scalar(j->e, j->s->child[JOINT_STIFFNESS], IN_COEFFICIENT);
    const syntax *length = j->s->child[JOINT_LENGTH];
    const ah_expr l = length ? elab_scalar(j->e, length, IN_LENGTH) : expr_int(ctx, 0);
    if (k == AH_NONE || l == AH_NONE) return;
    if (contact_sign(j->e->m, l) == -1) {
        diag(ctx, A0427, length->span, "the length of a spring is negative");
        diag_hint(ctx, "it is the distance of its ends at which there is no force");
        return;
    }
    const ah_expr square = expr_is_zero(ctx, l)
                               ? vector_dot(ctx, j->d, j->d)
                               : expr_powi(ctx, expr_sub(ctx, vector_norm(ctx, j->d), l), 2);
    if (!moves(j, square)) warn_idle(j, "its length does not change");
    model_add_potential(j->e->m, expr_mul(ctx, expr_rational(ctx, 1, 2), expr_mul(ctx, k, square)),
                        j->s->span);
    is_seen(j, MODEL_SEEN_SPRING);
}

void elab_damping(elaborator *e, const syntax *s, ah_expr c)
{
    if (contact_sign(e->m, c) != -1) return;
    diag(e->ctx, A0430, s->span, "this is negative: it gives energy to the system");
    diag_hint(e->ctx,
              "dampers and dissipation take energy out: their forces are minus what they say");
}

/* c/2 (|d|')², |d|' = d·d'/|d|. */
static void make_damper(joint *j)
{
    ah_ctx *ctx = j->e->ctx;
    const ah_expr c = elab_scalar(j->e, j->s->child[JOINT_DAMPING], IN_COEFFICIENT);
    if (c == AH_NONE) return;
    elab_damping(j->e, j->s->child[JOINT_DAMPING], c);
    const ah_vector rate = vector_sub(ctx, j->b.velocity, j->a.velocity);
    const ah_expr along = expr_powi(ctx, vector_dot(ctx, j->d, rate), 2);
    const ah_expr square = expr_div(ctx, along, vector_dot(ctx, j->d, j->d));
    if (!moves(j, along)) {
        warn_idle(j, "its length does not change");
        return;
    }
    model_add_dissipation(
        j->e->m, expr_mul(ctx, expr_rational(ctx, 1, 2), expr_mul(ctx, c, square)), j->s->span);
}

/* ---- Turning --------------------------------------------------------------------------------- */

static int axis_of(const joint *j)
{
    const syntax *axis = j->s->child[JOINT_AXIS];
    return axis ? axis->name->text[0] - 'x' + 1 : 3;
}

/* (ω_of - ω_from)·axis, in short: sines and cosines of turns that do not matter are gone. from may be NULL. */
static ah_expr turning(joint *j, const model_part *of, const model_part *from, ah_vector axis)
{
    ah_ctx *ctx = j->e->ctx;
    const ah_model *m = j->e->m;
    const ah_vector w = from ? vector_sub(ctx, of->omega, from->omega) : of->omega;
    algebra *alg = algebra_create(ctx, m->facts.at, m->facts.count);
    return algebra_simplify(alg, vector_dot(ctx, w, axis));
}

/* φ' = (ω_Q - ω_P)·a_k. */
static ah_expr rate_of(joint *j)
{
    return turning(j, j->b.part, j->a.part, model_axis(j->a.part, axis_of(j)));
}

/* φ of -π to π, from where the axes agree. */
static ah_expr angle_on_circle(joint *j)
{
    const int k = axis_of(j), x = k % 3 + 1, y = (k + 1) % 3 + 1;
    const ah_expr sides[] = {between(j, y, x), between(j, x, x)};
    return expr_call(j->e->ctx, AH_ATAN2, sides);
}

/* φ. Where its rate is Σ c_i q_i' with constant c_i it is counted through all turns: φ = φ(0) + Σ c_i q_i. */
static ah_expr angle_of(joint *j)
{
    ah_ctx *ctx = j->e->ctx;
    const ah_model *m = j->e->m;
    const ah_expr rate = rate_of(j), zero = expr_int(ctx, 0);
    ah_expr sum = zero, rest = rate, start = angle_on_circle(j);
    for (uint32_t i = 0; i < m->n; i++) {
        const ah_expr c = expr_diff(ctx, rate, m->v.at[i]);
        for (uint32_t k = 0; k < m->n; k++)
            if (expr_depends(ctx, c, m->q.at[k]) || expr_depends(ctx, c, m->v.at[k])) return start;
        if (expr_depends(ctx, c, expr_time(ctx))) return start;
        sum = expr_add(ctx, sum, expr_mul(ctx, c, m->q.at[i]));
        rest = expr_sub(ctx, rest, expr_mul(ctx, c, m->v.at[i]));
        start = expr_subst(ctx, start, 1, &m->q.at[i], &zero);
    }
    if (!expr_is_zero(ctx, rest) || expr_depends(ctx, start, expr_time(ctx)))
        return angle_on_circle(j);
    return expr_add(ctx, start, sum);
}

static void make_torsion_spring(joint *j)
{
    ah_ctx *ctx = j->e->ctx;
    const syntax *angle = j->s->child[JOINT_ANGLE];
    const ah_expr k = elab_scalar(j->e, j->s->child[JOINT_STIFFNESS], IN_COEFFICIENT);
    const ah_expr at = angle ? elab_scalar(j->e, angle, IN_REST_ANGLE) : expr_int(ctx, 0);
    if (k == AH_NONE || at == AH_NONE) return;
    const ah_expr square = expr_powi(ctx, expr_sub(ctx, angle_of(j), at), 2);
    if (!moves(j, square)) warn_idle(j, "nothing turns about this axis");
    model_add_potential(j->e->m, expr_mul(ctx, expr_rational(ctx, 1, 2), expr_mul(ctx, k, square)),
                        j->s->span);
}

static void make_torsion_damper(joint *j)
{
    ah_ctx *ctx = j->e->ctx;
    const ah_expr c = elab_scalar(j->e, j->s->child[JOINT_DAMPING], IN_COEFFICIENT);
    if (c == AH_NONE) return;
    elab_damping(j->e, j->s->child[JOINT_DAMPING], c);
    const ah_expr square = expr_powi(ctx, rate_of(j), 2);
    if (!moves(j, square)) {
        warn_idle(j, "nothing turns about this axis");
        return;
    }
    model_add_dissipation(
        j->e->m, expr_mul(ctx, expr_rational(ctx, 1, 2), expr_mul(ctx, c, square)), j->s->span);
}

static void make_torsion(joint *j)
{
    if (j->s->child[JOINT_DAMPING])
        make_torsion_damper(j);
    else
        make_torsion_spring(j);
}

static void make_gear(joint *j)
{
    ah_ctx *ctx = j->e->ctx;
    const syntax *on = j->s->child[JOINT_ON];
    const model_part *carrier = on ? elab_part(j->e, on) : NULL;
    const ah_expr ratio = elab_scalar(j->e, j->s->child[JOINT_RATIO], IN_COEFFICIENT);
    const end seen_from = {.part = carrier};
    if (ratio == AH_NONE || (on && (!carrier || !has_axes(j->e, on, &seen_from)))) return;
    if (contact_sign(j->e->m, ratio) == 0) {
        diag(ctx, A0427, j->s->child[JOINT_RATIO]->span, "the ratio of a gear is zero");
        diag_hint(ctx, "P turns as many times as fast as Q; what does not turn needs no gear");
        return;
    }
    if (carrier && (carrier == j->a.part || carrier == j->b.part)) {
        diag(ctx, A0427, on->span, "seen from `%s` it does not turn itself", carrier->name);
        diag_hint(ctx, "name the arm that carries the wheels, or leave `on` out");
        return;
    }
    ah_expr rate[2];
    for (int i = 0; i < 2; i++) {
        const model_part *p = i ? j->b.part : j->a.part;
        rate[i] = turning(j, p, carrier, model_axis(p, axis_of(j)));
    }
    model_add_constraint(j->e->m, j->label, rate[0], expr_mul(ctx, ratio, rate[1]), j->s->span);
}

/* ---- Ends that are fixed to one another ------------------------------------------------------ */

static bool stands(elaborator *e, ah_expr x)
{
    return !expr_depends_kind(e->ctx, x, AH_COORDINATE) && !expr_depends_kind(e->ctx, x, AH_TIME);
}

static bool place_stands(elaborator *e, ah_vector r)
{
    return stands(e, r.c[0]) && stands(e, r.c[1]) && stands(e, r.c[2]);
}

/* 1 + the number of the body that carries it; 0: it stands still in space; -1: it is on its own. */
static long carrier_of(elaborator *e, const end *x)
{
    if (!x->part) return place_stands(e, x->place) ? 0 : -1;
    const model_part *p = x->part;
    for (;;) {
        bool rigid = place_stands(e, p->own_place);
        for (int i = 0; i < 9; i++) rigid &= stands(e, p->own_rotation[i / 3][i % 3]);
        if (!rigid) return 1 + (long) (p - e->m->parts.at);
        if (!p->on) return 0;
        p = &e->m->parts.at[p->on - 1];
    }
}

/* Between two places of one body a joint says nothing, or what cannot be; so does a row without variables. */
static void look_at_rows(const joint *j, size_t before)
{
    elaborator *e = j->e;
    const long carrier = carrier_of(e, &j->a);
    const bool rigid = carrier >= 0 && carrier == carrier_of(e, &j->b);
    algebra *alg = algebra_create(e->ctx, e->m->facts.at, e->m->facts.count);
    for (size_t i = before; i < e->m->written.count; i++) {
        const model_constraint *c = &e->m->written.at[i];
        ah_expr left = expr_sub(e->ctx, c->left, c->right);
        if (rigid)
            left = algebra_simplify(alg, left);
        else if (moves(j, left) || !stands(e, left))
            continue;
        if (expr_is_zero(e->ctx, left)) continue;
        if (!rigid)
            diag(e->ctx, A0408, j->s->span, "it cannot hold, wherever the two ends are");
        else if (carrier)
            diag(e->ctx, A0408, j->s->span, "both ends are fixed to `%s`: it cannot hold",
                 e->m->parts.at[carrier - 1].name);
        else
            diag(e->ctx, A0408, j->s->span, "both ends stand still: it cannot hold");
        diag_hint(e->ctx, "look at the two ends, or leave it out");
        return;
    }
}

enum { JOINTS_WITH_PLACES = 4 }; /* ball, hinge, weld, slider come first */
static const struct {
    const char *word;
    bool axes;
    void (*make)(joint *j);
} joints[] = {
    {"ball", false, make_ball},     {"hinge", true, make_hinge},     {"weld", true, make_weld},
    {"slider", true, make_slider},  {"rod", false, make_rod},        {"spring", false, make_spring},
    {"damper", false, make_damper}, {"torsion", true, make_torsion}, {"gear", true, make_gear},
};

void elab_joint(elaborator *e, const syntax *s)
{
    bool good = true;
    joint j = {.e = e, .s = s, .label = label_of(e, s, &good)};
    good &= end_of(e, s->child[JOINT_FROM], &j.a);
    good &= end_of(e, s->child[JOINT_TO], &j.b);
    if (!good) return;
    if (j.a.part && j.a.part == j.b.part) {
        diag(e->ctx, A0408, s->child[JOINT_TO]->span, "`%s` is joined to itself: that says nothing",
             j.a.part->name);
        diag_hint(e->ctx, "a joint is between two of them, or to a place");
        return;
    }
    size_t k = 0;
    while (strcmp(joints[k].word, s->name->text)) k++;
    if (joints[k].axes &&
        (!has_axes(e, s->child[JOINT_FROM], &j.a) || !has_axes(e, s->child[JOINT_TO], &j.b)))
        return;
    j.d = vector_sub(e->ctx, j.b.place, j.a.place);
    const size_t before = e->m->written.count;
    joints[k].make(&j);
    for (size_t i = before; i < e->m->written.count; i++) {
        e->m->written.at[i].joint = joints[k].word;
        e->m->written.at[i].joint_first = before;
    }
    look_at_rows(&j, before);
    if (k < JOINTS_WITH_PLACES && !j.holds) warn_idle(&j, "it holds in any case");
}
