/* lang/elab_draw.c - what is drawn, into the model.
 *
 * Where a place is wanted, the name of a point or body stands for where it is. Everything may use
 * the whole state of the motion, since drawings only look at it. */
#include "elaborate.h"

#include <string.h>

static const char *const names[] = {
#define X(code, word) word,
    AH_SHAPE_LIST(X)
#undef X
};

/* The point or body that s names; NULL without a report where it is an expression. */
static const model_part *part_of(elaborator *e, const syntax *s)
{
    if ((s->kind != SYNTAX_NAME && s->kind != SYNTAX_INDEX) || s->primes || s->name->local)
        return NULL;
    const name *n = s->kind == SYNTAX_NAME || s->name->family ? elab_target(e, s) : NULL;
    const model_name *found = n ? model_find(e->m, n->text) : NULL;
    return found && found->what == MODEL_PART ? &e->m->parts.at[found->index] : NULL;
}

/* `draw line P (1, 2)` reads as a function P of 1 and 2. */
static bool is_called_part(elaborator *e, const syntax *s)
{
    const model_name *found = s->kind == SYNTAX_CALL ? model_find(e->m, s->name->text) : NULL;
    if (!found || found->what != MODEL_PART) return false;
    diag(e->ctx, A0310, s->span, "`%s` is a point or body, not a function", s->name->text);
    diag_hint(e->ctx, "put a comma between it and the next place: draw line %s, (1, 2)",
              s->name->text);
    return true;
}

static bool place_of(elaborator *e, const syntax *s, ah_vector *out)
{
    const model_part *part = part_of(e, s);
    if (part) *out = part->place;
    return part || (!is_called_part(e, s) && elab_vector(e, s, IN_DRAWING, out));
}

static bool scalar(elaborator *e, const syntax *s, ah_expr *out)
{
    if (!s) return true;
    *out = elab_scalar(e, s, IN_DRAWING);
    return *out != AH_NONE;
}

/* ---- Velocities and reactions ---------------------------------------------------------------- */

static bool velocity(elaborator *e, const syntax *s, ah_drawing *d)
{
    const model_part *part = part_of(e, s);
    if (!place_of(e, s, &d->at)) return false;
    const place outer = e->in;
    e->in = IN_DRAWING;
    const value v =
        part ? elab_from_vector(part->velocity) : elab_derivative(e, s, elab_from_vector(d->at));
    e->in = outer;
    d->to = v.v;
    return v.type == VALUE_VECTOR;
}

/* What `potential` and `force q = e` exert on the coordinate: forces that the model does not place
 * in space. */
static ah_expr unplaced(elaborator *e, size_t i)
{
    const ah_model *m = e->m;
    ah_expr f = m->F_written ? m->F_written[i] : expr_int(e->ctx, 0);
    for (size_t k = 0; k < m->potential_terms.count; k++)
        f = expr_sub(e->ctx, f, expr_diff(e->ctx, m->potential_terms.at[k], m->q.at[i]));
    return f;
}

static bool moves(elaborator *e, const model_part *part, ah_expr q)
{
    for (int c = 0; c < 3; c++) {
        if (expr_depends(e->ctx, part->place.c[c], q)) return true;
        for (int k = 0; k < 3; k++)
            if (expr_depends(e->ctx, part->rotation[c][k], q)) return true;
    }
    return false;
}

/* The component of the place that is this coordinate, if it moves nothing but this part along an
 * axis of space; -1 otherwise. */
static int own_axis(elaborator *e, const model_part *part, ah_expr q)
{
    for (size_t k = 0; k < e->m->parts.count; k++)
        if (&e->m->parts.at[k] != part && moves(e, &e->m->parts.at[k], q)) return -1;
    int axis = -1;
    for (int c = 0; c < 3; c++) {
        if (part->place.c[c] == q)
            axis = c;
        else if (expr_depends(e->ctx, part->place.c[c], q))
            return -1;
    }
    return axis;
}

static bool not_a_vector(elaborator *e, const syntax *s, const model_part *part, ah_expr q)
{
    diag(e->ctx, A0310, s->span, "the reaction on `%s` is not known as a vector", part->name);
    diag_note(e->ctx, NOWHERE, "a force on the coordinate `%s` is known, not where it acts",
              expr_get_name(e->ctx, q));
    diag_hint(e->ctx,
              "give forces by gravity and force on %s, or draw an arrow along a vector with "
              "lambda[1] in it",
              part->name);
    return false;
}

/* R = m a − F − m g, with a from the motion. */
static bool reaction(elaborator *e, const syntax *s, ah_drawing *d)
{
    const model_part *part = elab_part(e, s);
    if (!part) return false;
    ah_vector R = vector_scale(e->ctx, part->mass, vector_dt(e->ctx, part->velocity));
    R = vector_sub(e->ctx, R, part->force);
    for (size_t k = 0; k < e->m->gravity.count; k++)
        R = vector_sub(e->ctx, R, vector_scale(e->ctx, part->mass, e->m->gravity.at[k]));
    for (size_t i = 0; i < e->m->n; i++) {
        const ah_expr q = e->m->q.at[i], f = unplaced(e, i);
        if (expr_is_zero(e->ctx, f) || !moves(e, part, q)) continue;
        const int c = own_axis(e, part, q);
        if (c < 0) return not_a_vector(e, s, part, q);
        R.c[c] = expr_sub(e->ctx, R.c[c], f);
    }
    d->at = part->place;
    d->to = R;
    return true;
}

/* Is this the constraint, or a component of the vector constraint, of that label? */
static bool is_called(const model_constraint *c, const char *label)
{
    const size_t length = strlen(label);
    return !strncmp(c->label, label, length) &&
           (!c->label[length] || (c->component && c->label[length] == '.'));
}

/* The share of one constraint, λ ∂C/∂q' along the part's own coordinates. */
static bool reaction_of(elaborator *e, const syntax *s, const syntax *label, ah_drawing *d)
{
    const model_part *part = elab_part(e, s);
    const name *n = elab_target(e, label);
    if (!part || !n || !e->complete) return false;
    const ah_model *m = e->m;
    const mat J = model_rows(e->m, &e->ctx->scratch);
    bool found = false;
    d->at = part->place;
    d->to = vector_zero(e->ctx);
    for (uint32_t a = 0; a < m->constraints.count; a++) {
        if (!is_called(&m->constraints.at[a], n->text)) continue;
        found = true;
        const ah_expr lambda = model_lambda(e->m, a);
        for (uint32_t i = 0; i < m->n; i++) {
            const ah_expr slope = mat_get(e->ctx, J, a, i);
            if (expr_is_zero(e->ctx, slope) || !moves(e, part, m->q.at[i])) continue;
            const int c = own_axis(e, part, m->q.at[i]);
            if (c < 0) return not_a_vector(e, s, part, m->q.at[i]);
            d->to.c[c] = expr_add(e->ctx, d->to.c[c], expr_mul(e->ctx, lambda, slope));
        }
    }
    if (found) return true;
    diag(e->ctx, A0310, label->span, "there is no constraint `%s`", n->text);
    diag_hint(e->ctx, "a constraint is named by its label: constraint %s: e1 = e2", n->text);
    return false;
}

/* velocity, reaction: of the place that s names */
static bool moving(elaborator *e, const syntax *drawing, const syntax *s, ah_drawing *d)
{
    const syntax *label = drawing->child[DRAW_OF];
    const bool good = d->shape == AH_DRAW_VELOCITY ? velocity(e, s, d)
                      : label                      ? reaction_of(e, s, label, d)
                                                   : reaction(e, s, d);
    return scalar(e, drawing->child[DRAW_SCALE], &d->size[0]) && good;
}

/* ---- The others ------------------------------------------------------------------------------ */

/* disc, wheel, sphere, box: of a body, or somewhere about an axis. */
static bool solid(elaborator *e, const syntax *s, ah_drawing *d)
{
    const syntax *const *c = (const syntax *const *) s->child;
    ah_vector sides = {{AH_NONE, AH_NONE, AH_NONE}};
    bool good = true;
    if (c[DRAW_PLACES]->count) {
        const syntax *of = c[DRAW_PLACES]->child[0];
        const model_part *part = elab_part(e, of);
        const syntax *other = c[DRAW_AT]       ? c[DRAW_AT]
                              : c[DRAW_NORMAL] ? c[DRAW_NORMAL]
                                               : c[DRAW_TURN];
        if (part && (!part->is_body || other)) {
            diag(e->ctx, A0310, other ? other->span : of->span,
                 other ? "the body `%s` says itself where it is and how it is turned"
                       : "`%s` is a point, and a body is needed here",
                 part->name);
            diag_hint(e->ctx, "without a body: draw %s at position(%s) …", s->name->text,
                      part->name);
            return false;
        }
        good = part != NULL;
        d->body = part ? part->name : NULL;
        if (c[DRAW_AXIS]) d->axis = c[DRAW_AXIS]->name->text[0] - 'x' + 1;
    } else {
        good &= place_of(e, c[DRAW_AT], &d->at);
        if (c[DRAW_NORMAL]) good &= elab_vector(e, c[DRAW_NORMAL], IN_DRAWING, &d->to);
        if (c[DRAW_AXIS]) {
            d->to = vector_zero(e->ctx);
            d->to.c[c[DRAW_AXIS]->name->text[0] - 'x'] = expr_int(e->ctx, 1);
        }
        good &= scalar(e, c[DRAW_TURN], &d->turn);
    }
    good &= scalar(e, c[DRAW_RADIUS], &d->size[0]);
    if (c[DRAW_SIZE]) {
        good &= elab_vector(e, c[DRAW_SIZE], IN_DRAWING, &sides);
        memcpy(d->size, sides.c, sizeof d->size);
    }
    return good;
}

/* shape: of a body, which needs no more words. */
static bool own_shape(elaborator *e, const syntax *of, ah_drawing *d)
{
    const model_part *part = elab_part(e, of);
    if (part) d->body = part->name;
    return part != NULL;
}

/* blade, arrow */
static bool directed(elaborator *e, const syntax *s, ah_drawing *d)
{
    const syntax *size = s->child[d->shape == AH_DRAW_BLADE ? DRAW_LENGTH : DRAW_SCALE];
    bool good = place_of(e, s->child[DRAW_AT], &d->at);
    good &= elab_vector(e, s->child[DRAW_ALONG], IN_DRAWING, &d->to);
    return good & scalar(e, size, &d->size[0]);
}

static bool ground(elaborator *e, const syntax *s, ah_drawing *d)
{
    bool good = true;
    d->at = d->to = vector_zero(e->ctx);
    d->to.c[2] = expr_int(e->ctx, 1);
    if (s->child[DRAW_LEVEL]) good &= scalar(e, s->child[DRAW_LEVEL], &d->at.c[2]);
    if (s->child[DRAW_AT]) good &= place_of(e, s->child[DRAW_AT], &d->at);
    if (s->child[DRAW_NORMAL]) good &= elab_vector(e, s->child[DRAW_NORMAL], IN_DRAWING, &d->to);
    return good;
}

static bool curve(elaborator *e, const syntax *s, ah_drawing *d)
{
    const syntax *range = s->child[DRAW_OVER];
    bool good = scalar(e, range->child[0], &d->from);
    good &= scalar(e, range->child[1], &d->until);
    d->local = expr_symbol(e->ctx, AH_LOCAL, range->name->text);
    local bound = {.v = elab_from(d->local), .outer = range->name->local};
    range->name->local = &bound;
    good &= elab_vector(e, s->child[DRAW_PLACES]->child[0], IN_DRAWING, &d->at);
    range->name->local = bound.outer;
    return good;
}

/* Of two places; a line of several is drawn piece by piece. */
static bool stretch(elaborator *e, const syntax *s, size_t k, ah_drawing *d)
{
    bool good = place_of(e, s->child[DRAW_PLACES]->child[k], &d->at);
    return good & place_of(e, s->child[DRAW_PLACES]->child[k + 1], &d->to);
}

static bool shape(elaborator *e, const syntax *s, ah_drawing *d)
{
    const syntax *first = s->child[DRAW_PLACES]->count ? s->child[DRAW_PLACES]->child[0] : NULL;
    switch (d->shape) {
    case AH_DRAW_DISC:
    case AH_DRAW_WHEEL:
    case AH_DRAW_SPHERE:
    case AH_DRAW_BOX: return solid(e, s, d);
    case AH_DRAW_BLADE:
    case AH_DRAW_ARROW: return directed(e, s, d);
    case AH_DRAW_VELOCITY:
    case AH_DRAW_REACTION: return moving(e, s, first, d);
    case AH_DRAW_GROUND: return ground(e, s, d);
    case AH_DRAW_CURVE: return curve(e, s, d);
    case AH_DRAW_SHAPE: return own_shape(e, first, d);
    default: return place_of(e, first, &d->at);
    }
}

static bool colour(elaborator *e, const syntax *s, ah_drawing *d)
{
    if (!s) return true;
    size_t count = 0;
    d->colour = strcmp(s->name->text, "gray") ? s->name->text : "grey";
    while (model_colours[count] && strcmp(model_colours[count], d->colour)) count++;
    if (model_colours[count]) return true;
    const char *near = text_nearest(&e->ctx->scratch, d->colour, model_colours, count);
    diag(e->ctx, A0310, s->span, "there is no colour `%s`", d->colour);
    if (near)
        diag_hint(e->ctx, "did you mean `%s`?", near);
    else
        diag_hint(e->ctx, "blue, orange, green, red, purple, yellow, cyan, grey or black");
    return false;
}

void elab_draw(elaborator *e, const syntax *s)
{
    ah_drawing d = {.shape = AH_DRAW_POINT};
    while (strcmp(names[d.shape], s->name->text)) d.shape++;
    if (!colour(e, s->child[DRAW_COLOUR], &d)) return;
    if (s->child[DRAW_LABEL]) d.label = elab_text(e, s->child[DRAW_LABEL]);
    if (d.shape != AH_DRAW_LINE && d.shape != AH_DRAW_SPRING) {
        if (shape(e, s, &d)) model_add_drawing(e->m, &d, s->span);
        return;
    }
    for (size_t k = 0; k + 1 < s->child[DRAW_PLACES]->count; k++) {
        if (!stretch(e, s, k, &d)) return;
        model_add_drawing(e->m, &d, s->span);
        d.label = NULL;
    }
}
