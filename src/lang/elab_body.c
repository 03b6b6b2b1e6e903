/* lang/elab_body.c - rigid bodies: inertia, what they stand on, how they are turned, where they start.
 *
 * `turn free e` is an attitude without poles: the unit quaternion (e0, e1, e2, e3) as four coordinates, with
 * its norm as a constraint. Those of `turn free e[2]` are e0[2], e1[2], … */
#include "elaborate.h"

#include <string.h>

enum { QUATERNION = 4 };

/* (A, B, C), a vector of them, or (A, B, C, D, E, F) with the elements yz, zx, xy */
static bool inertia(elaborator *e, const syntax *s, ah_expr out[6])
{
    if (s->kind != SYNTAX_VECTOR) {
        ah_vector v = {{AH_NONE, AH_NONE, AH_NONE}};
        const bool good = elab_vector(e, s, IN_INERTIA, &v);
        memcpy(out, v.c, sizeof v.c);
        return good;
    }
    if (s->count != 3 && s->count != 6) {
        diag(e->ctx, A0301, s->span, "an inertia of %u numbers", (unsigned) s->count);
        diag_hint(e->ctx, "write the principal moments (A, B, C), or (A, B, C, D, E, F) with the "
                          "elements yz, zx, xy of the inertia matrix");
        return false;
    }
    bool good = true;
    for (size_t k = 0; k < s->count; k++) {
        out[k] = elab_scalar(e, s->child[k], IN_INERTIA);
        good &= out[k] != AH_NONE;
    }
    return good;
}

/* ---- Attitudes ------------------------------------------------------------------------------- */

static bool is_free(const syntax *turn)
{
    return !strcmp(turn->name->text, "free");
}

/* e0 … e3 of e, e0[2] … e3[2] of e[2]. */
static const char *component(elaborator *e, const char *of, int k)
{
    return elab_made_name(e, of, (const char[]){(char) ('0' + k), '\0'});
}

/* The coordinates of `turn free e`, with their norm. */
static bool declare_quaternion(elaborator *e, const syntax *of, ah_expr out[QUATERNION])
{
    ah_expr squares[QUATERNION];
    const name *n = elab_name_apart(e, of);
    if (!n) return false;
    if (of->kind == SYNTAX_INDEX) of->name->definition = of;
    for (int k = 0; k < QUATERNION; k++) {
        const char *own = component(e, n->text, k);
        if (elab_made_is_taken(e, own, of)) {
            diag_hint(e->ctx, "the coordinates of `turn free %s` are called so", n->text);
            return false;
        }
        out[k] = model_add_coordinate(e->m, own, of->span);
        squares[k] = expr_powi(e->ctx, out[k], 2);
    }
    const size_t before = e->m->written.count;
    model_add_constraint(e->m, elab_made_name(e, n->text, "_norm"),
                         expr_sum(e->ctx, QUATERNION, squares), expr_int(e->ctx, 1), of->span);
    elab_made_labels(e, of, before);
    return true;
}

/* e_omega: the angular velocity in body axes, for formulas … */
static void name_omega(elaborator *e, const syntax *of)
{
    const name *n = elab_target(e, of);
    const model_let let = {.name = elab_made_name(e, n->text, "_omega"),
                           .is_vector = true,
                           .value = e->m->attitudes.at[e->m->attitudes.count - 1].omega,
                           .span = of->span};
    if (elab_made_is_taken(e, let.name, of))
        diag_hint(e->ctx, "the angular velocity of `turn free %s` is called so", n->text);
    else
        model_add_let(e->m, &let);
}

/* … and as columns. */
static void show_omega(elaborator *e, const syntax *of)
{
    const name *n = elab_target(e, of);
    const char *called = n ? elab_made_name(e, n->text, "_omega") : "";
    const model_name *found = model_find(e->m, called);
    for (int k = 0; k < 3 && found && found->what == MODEL_LET; k++)
        model_add_output(e->m, arena_printf(&e->ctx->job, "%s[%d]", called, k + 1),
                         e->m->lets.at[found->index].value.c[k], of->span);
}

static bool turns(elaborator *e, const syntax *s, ah_turn *out, size_t *count)
{
    bool good = true;
    for (size_t k = 0; k < s->count && !is_free(s->child[k]); k++) {
        const ah_expr angle = elab_scalar(e, s->child[k]->child[0], IN_ANGLE);
        out[k] = (ah_turn){s->child[k]->name->text[0] - 'x' + 1, angle};
        good &= angle != AH_NONE;
        ++*count;
    }
    return good;
}

void elab_body(elaborator *e, const syntax *s)
{
    const syntax *turned = s->child[4], *on = s->child[5];
    const syntax *last = turned && turned->count ? turned->child[turned->count - 1] : NULL;
    const bool free = last && is_free(last);
    if (e->late) {
        if (free && e->complete) show_omega(e, last->child[0]);
        return;
    }
    name *n = elab_new_name(e, s->child[0]);
    ah_turn *turn = NEW_ARRAY(&e->ctx->scratch, ah_turn, turned ? turned->count : 0);
    ah_expr quaternion[QUATERNION];
    ah_body b = {.mass = elab_scalar(e, s->child[1], IN_MASS), .turn = turn};
    const model_part *parent = on ? elab_part(e, on) : NULL;
    const model_part base = parent ? *parent : (model_part){0}; /* the list may move */
    bool good = n && b.mass != AH_NONE && (!on || parent);
    good &= inertia(e, s->child[2], b.inertia);
    good &= elab_vector(e, s->child[3], IN_POSITION, &b.place);
    good &= !turned || turns(e, turned, turn, &b.turns);
    good &= !free || declare_quaternion(e, last->child[0], quaternion);
    if (good) {
        b.name = n->text;
        model_add_body_on(e->m, &b, parent ? &base : NULL, free ? quaternion : NULL,
                          s->child[0]->span);
        if (free) name_omega(e, last->child[0]);
    } else if (n) {
        n->poisoned = true;
    }
}

/* ---- Where it starts ------------------------------------------------------------------------- */

/* By parameters and what was started before, which it may name; AH_NONE after an error. */
static ah_expr start_value(elaborator *e, const syntax *s)
{
    ah_expr given = elab_scalar(e, s, IN_START);
    if (given == AH_NONE) return given;
    const ah_expr known = model_put_started(e->m, given);
    if (!(elab_kinds(e, elab_from(known)) & ~(unsigned) KINDS_CONSTANT)) return given;
    diag(e->ctx, A0402, s->span, "a start value that is not known here: %s",
         expr_text(e->ctx, &e->ctx->scratch, known, AH_ASCII));
    diag_hint(e->ctx, "it may use parameters and the start values given before it");
    return AH_NONE;
}

/* start t = 1 */
static bool is_time(elaborator *e, const syntax *s)
{
    if (s->kind != SYNTAX_NAME || strcmp(s->name->text, "t") != 0) return false;
    diag(e->ctx, A0402, s->span, "the time of the start is not given here");
    diag_hint(e->ctx, "a motion begins where its span does: simulate t = 1 .. 10");
    return true;
}

/* The velocity parameters of a kinematic model are its inputs. */
static bool is_driven(elaborator *e, const syntax *s, ah_expr symbol)
{
    if (!e->m->kinematic || expr_get_kind(e->ctx, symbol) != AH_SPEED) return false;
    diag(e->ctx, A0303, s->span, "`%s` is an input: it has no start value", s->name->text);
    diag_hint(e->ctx, "its value is what `input` says, or --input %s=…", s->name->text);
    return true;
}

/* start e_omega = (1, 0, 0), start e_omega[1] = 2 */
static bool is_omega(elaborator *e, const syntax *s)
{
    const char *called = s->name->text;
    const size_t length = strlen(called), tail = strlen("_omega");
    if (length <= tail || strcmp(called + length - tail, "_omega") != 0) return false;
    const char *of = arena_strndup(&e->ctx->scratch, called, length - tail);
    if (!model_find(e->m, called) || !model_find(e->m, component(e, of, 0))) return false;
    diag(e->ctx, A0303, s->span, "`%s` begins with its attitude", called);
    diag_hint(e->ctx, "write: start %s turning (w1, w2, w3)", of);
    return true;
}

void elab_start(elaborator *e, const syntax *s)
{
    if (is_time(e, s->child[0]) || is_omega(e, s->child[0])) return;
    const ah_expr given = start_value(e, s->child[1]);
    const ah_expr symbol = elab_of_state(e, s->child[0], "start value");
    if (given == AH_NONE || symbol == AH_NONE || is_driven(e, s->child[0], symbol)) return;
    if (s->direction)
        model_add_guess(e->m, symbol, given, s->span);
    else
        model_add_start(e->m, symbol, given, s->span);
}

/* a b of quaternions. */
static void multiply(ah_ctx *ctx, const ah_expr *a, const ah_expr *b, ah_expr *out)
{
    const ah_vector u = {{a[1], a[2], a[3]}}, v = {{b[1], b[2], b[3]}};
    const ah_expr scalar = expr_sub(ctx, expr_mul(ctx, a[0], b[0]), vector_dot(ctx, u, v));
    const ah_vector sum =
        vector_add(ctx, vector_add(ctx, vector_scale(ctx, a[0], v), vector_scale(ctx, b[0], u)),
                   vector_cross(ctx, u, v));
    out[0] = scalar;
    memcpy(out + 1, sum.c, sizeof sum.c);
}

static bool attitude_of(elaborator *e, const syntax *turned, ah_expr out[QUATERNION])
{
    ah_ctx *ctx = e->ctx;
    for (size_t k = 0; k < turned->count; k++) {
        if (is_free(turned->child[k])) {
            diag(ctx, A0421, turned->child[k]->span, "an attitude begins by angles");
            diag_hint(ctx,
                      "write: start e turn z a, x b, or: start e turn about (0, 0, 1) angle a");
            return false;
        }
        const ah_expr angle = start_value(e, turned->child[k]->child[0]);
        if (angle == AH_NONE) return false;
        const ah_expr half = expr_mul(ctx, expr_rational(ctx, 1, 2), angle);
        ah_expr one[QUATERNION], product[QUATERNION];
        for (int i = 1; i < QUATERNION; i++) one[i] = expr_int(ctx, 0);
        one[0] = expr_call1(ctx, AH_COS, half);
        one[turned->child[k]->name->text[0] - 'x' + 1] = expr_call1(ctx, AH_SIN, half);
        multiply(ctx, out, one, product);
        memcpy(out, product, sizeof product);
    }
    return true;
}

static bool is_quaternion(elaborator *e, const syntax *of, ah_expr q[QUATERNION])
{
    const name *n = elab_target(e, of);
    for (int k = 0; n && k < QUATERNION; k++) {
        const model_name *found = model_find(e->m, component(e, n->text, k));
        if (!found || found->what != MODEL_COORDINATE) {
            diag(e->ctx, A0303, of->span, "`%s` is no attitude", n->text);
            diag_hint(e->ctx, "an attitude is declared by body B … turn free %s", n->text);
            return false;
        }
        q[k] = e->m->q.at[found->index];
    }
    return n != NULL;
}

/* cos(a/2), sin(a/2) u/|u|; u is in space axes, which are those of the body before. */
static bool attitude_about(elaborator *e, const syntax *axis, const syntax *turned,
                           ah_expr out[QUATERNION])
{
    ah_ctx *ctx = e->ctx;
    ah_vector u;
    const ah_expr angle = start_value(e, turned);
    if (angle == AH_NONE || !elab_vector(e, axis, IN_START, &u)) return false;
    const ah_expr length = vector_norm(ctx, u),
                  half = expr_mul(ctx, expr_rational(ctx, 1, 2), angle);
    if (expr_is_zero(ctx, length)) {
        diag(ctx, A0402, axis->span, "an axis needs a direction");
        diag_hint(ctx, "write: start e turn about (0, 0, 1) angle pi/2");
        return false;
    }
    out[0] = expr_call1(ctx, AH_COS, half);
    for (int k = 0; k < 3; k++)
        out[k + 1] = expr_mul(ctx, expr_call1(ctx, AH_SIN, half), expr_div(ctx, u.c[k], length));
    return true;
}

static bool is_started(elaborator *e, const ah_expr q[QUATERNION])
{
    for (int k = 0; k < QUATERNION; k++)
        if (model_put_started(e->m, q[k]) != q[k]) return true;
    return false;
}

/* start e turn z a, x b turning (w1, w2, w3): e' = e (0, w)/2, w in body axes. */
void elab_attitude(elaborator *e, const syntax *s)
{
    ah_ctx *ctx = e->ctx;
    model_attitude of;
    ah_expr *q = of.e, now[QUATERNION], rate[QUATERNION];
    if (!is_quaternion(e, s->child[0], q)) return;
    for (int k = 0; k < QUATERNION; k++) now[k] = expr_int(ctx, k == 0);
    if (s->child[1] && !attitude_of(e, s->child[1], now)) return;
    if (s->child[3] && !attitude_about(e, s->child[3], s->child[4], now)) return;
    const bool given = s->child[1] || s->child[3] || !is_started(e, q); /* else along the axes */
    const size_t errors = ctx->log->errors; /* what begins twice is told of one component */
    for (int k = 0; k < QUATERNION && given && ctx->log->errors == errors; k++)
        (s->direction ? model_add_guess : model_add_start)(e->m, q[k], now[k], s->span);
    if (ctx->log->errors > errors || !s->child[2]) return;
    if (!elab_vector(e, s->child[2], IN_START, &of.omega)) return;
    if (s->direction) {
        diag(ctx, A0421, s->child[2]->span, "what turns so must begin at a known attitude");
        diag_hint(ctx, "leave `near` out, or give velocities of coordinates");
        return;
    }
    model_attitude_rates(e->m, &of, of.omega, rate);
    for (int k = 0; k < QUATERNION && ctx->log->errors == errors; k++)
        model_add_start(e->m, expr_dot(ctx, q[k]), rate[k], s->span);
}
