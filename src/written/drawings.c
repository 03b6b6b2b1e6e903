/* written/drawings.c - what is to be drawn of a system: `draw` and ah_model_draw.
 *
 * Drawings speak of the motion and change nothing of the mechanics. */
#include "kind_sets.h"

#include <string.h>

/* After Okabe and Ito, "Color universal design", with grey and black. */
const char *const model_colours[] = {"blue",   "orange", "green", "red",   "purple",
                                     "yellow", "cyan",   "grey",  "black", NULL};

static const char *const words[] = {
#define X(code, word) word,
    AH_SHAPE_LIST(X)
#undef X
};

static bool is_missing(ah_vector v)
{
    return v.c[0] == AH_NONE || v.c[1] == AH_NONE || v.c[2] == AH_NONE;
}

static int find_colour(const char *name)
{
    int k = 0;
    while (model_colours[k] && strcmp(model_colours[k], name)) k++;
    return model_colours[k] ? k : -1;
}

static bool is_solid(ah_shape shape)
{
    return shape >= AH_DRAW_DISC && shape <= AH_DRAW_BOX;
}

static bool is_of_body(ah_shape shape)
{
    return is_solid(shape) || shape == AH_DRAW_SHAPE;
}

static bool needs_direction(ah_shape shape)
{
    return shape == AH_DRAW_LINE || shape == AH_DRAW_SPRING ||
           (shape >= AH_DRAW_BLADE && shape <= AH_DRAW_GROUND);
}

static bool needs_size(const ah_drawing *d)
{
    return is_solid(d->shape) &&
           (d->size[0] == AH_NONE ||
            (d->shape == AH_DRAW_BOX && (d->size[1] == AH_NONE || d->size[2] == AH_NONE)));
}

static const char *what_lacks(const ah_drawing *d)
{
    if (d->shape == AH_DRAW_SHAPE) return d->body ? NULL : "a body";
    if (!d->body && is_missing(d->at)) return "a place";
    if (needs_direction(d->shape) && is_missing(d->to)) return "its other end or its direction";
    if (needs_size(d)) return "its size";
    if (d->shape == AH_DRAW_CURVE &&
        (d->local == AH_NONE || d->from == AH_NONE || d->until == AH_NONE))
        return "the range of its parameter";
    return NULL;
}

static bool scalars_are_right(ah_model *m, const ah_drawing *d, ah_span span)
{
    const unsigned kinds = KINDS_MOTION | KINDS_SPEEDS | KIND_DERIVED;
    const ah_expr e[] = {d->size[0], d->size[1], d->size[2], d->turn, d->from, d->until};
    for (size_t k = 0; k < sizeof e / sizeof *e; k++)
        if (e[k] != AH_NONE && !model_only(m, e[k], kinds, "a drawing", span)) return false;
    return true;
}

static bool is_right(ah_model *m, const ah_drawing *d, ah_span span)
{
    const unsigned kinds = KINDS_MOTION | KINDS_SPEEDS | KIND_DERIVED |
                           (d->shape == AH_DRAW_CURVE ? 1u << AH_LOCAL : 0);
    const char *lacks = (unsigned) d->shape < AH_SHAPES ? what_lacks(d) : "a shape";
    if (lacks) {
        diag(m->ctx, A0310, span, "a drawing lacks %s", lacks);
        return false;
    }
    const model_part *part = d->body ? model_find_part(m, d->body) : NULL;
    if (d->body && (!is_of_body(d->shape) || !part || !part->is_body)) {
        diag(m->ctx, A0310, span, "a %s cannot be drawn of `%s`: it is no body", words[d->shape],
             d->body);
        if (part) diag_hint(m->ctx, "it is a point: draw point %s", d->body);
        return false;
    }
    if (d->shape == AH_DRAW_SHAPE && !part->shape) {
        diag(m->ctx, A0310, span, "`%s` has no shape", d->body);
        diag_hint(m->ctx,
                  "give it one: shape %s sphere radius r; or draw another solid: draw box %s size "
                  "(a, b, c)",
                  d->body, d->body);
        return false;
    }
    if (d->axis < 0 || d->axis > 3) {
        diag(m->ctx, A0310, span, "a body has no axis %d", d->axis);
        return false;
    }
    return (is_missing(d->at) || model_only_vector(m, d->at, kinds, "a drawing", span)) &&
           (is_missing(d->to) || model_only_vector(m, d->to, kinds, "a drawing", span)) &&
           scalars_are_right(m, d, span);
}

void model_add_drawing(ah_model *m, const ah_drawing *drawing, ah_span span)
{
    arena *a = &m->ctx->job;
    if (!is_right(m, drawing, span)) return;
    model_drawing d = {.what = *drawing, .part = -1, .colour = -1, .span = span};
    if (drawing->body) {
        d.part = (int) model_find(m, drawing->body)->index;
        d.what.body = m->parts.at[d.part].name;
    }
    if (drawing->label) d.what.label = arena_harmless(a, drawing->label);
    if (drawing->colour) {
        d.colour = find_colour(drawing->colour);
        if (d.colour < 0) {
            diag(m->ctx, A0310, span, "there is no colour `%s`", drawing->colour);
            diag_hint(m->ctx, "blue, orange, green, red, purple, yellow, cyan, grey, black");
            return;
        }
        d.what.colour = model_colours[d.colour];
    }
    LIST_PUSH(a, &m->drawings, d);
}

typedef struct call {
    ah_model *m;
    const ah_drawing *drawing;
} call;

/* All expressions of a drawing are AH_NONE or of the model's context. */
static bool are_known(const ah_ctx *ctx, const ah_drawing *d)
{
    const ah_expr all[] = {d->at.c[0], d->at.c[1], d->at.c[2], d->to.c[0], d->to.c[1],
                           d->to.c[2], d->size[0], d->size[1], d->size[2], d->turn,
                           d->local,   d->from,    d->until};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        if (all[i] != AH_NONE && all[i] >= expr_pool_size(ctx)) return false;
    return true;
}

static void draw_body(ah_ctx *ctx, void *arg)
{
    const call *c = arg;
    if (c->drawing && are_known(ctx, c->drawing))
        model_add_drawing(c->m, c->drawing, NOWHERE);
    else
        diag_wrong_call(ctx, "a drawing without a description, or of unknown expressions");
}

ah_status ah_model_draw(ah_model *m, const ah_drawing *drawing)
{
    if (!m) return AH_E_INPUT;
    return ctx_guard(m->ctx, draw_body, &(call){m, drawing});
}
