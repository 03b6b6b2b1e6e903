/* contact/contact_api.c - the public calls of anholo/contact.h. */
#include "contact.h"
#include <anholo/contact.h>

#include <string.h>

typedef struct call {
    ah_model *m;
    const char *name, *other, *label;
    const ah_shape_of *shape;
    const ah_surface *surface;
    ah_touch how;
    contact_place found;
    bool made;
} call;

static ah_vector or_zero(ah_ctx *ctx, ah_vector v)
{
    for (int k = 0; k < 3; k++)
        if (v.c[k] == AH_NONE) v.c[k] = expr_int(ctx, 0);
    return v;
}

/* Says so where a handle is of nothing; AH_NONE is left to the caller. */
static bool are_known(ah_ctx *ctx, size_t count, const ah_expr *e)
{
    for (size_t i = 0; i < count; i++)
        if (e[i] != AH_NONE && e[i] >= expr_pool_size(ctx)) {
            diag_wrong_call(ctx, "an argument is no expression of this context");
            return false;
        }
    return true;
}

static void no_such(ah_ctx *ctx, const char *what, const char *word)
{
    diag(ctx, A0427, NOWHERE, "there is no %s `%s`", what, word ? word : "");
}

/* The symbols of formulas. */
static void name_axes(ah_ctx *ctx, ah_expr local[3])
{
    static const char *const names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) local[k] = expr_symbol(ctx, AH_LOCAL, names[k]);
}

static bool has_axes(ah_ctx *ctx, ah_expr level)
{
    ah_expr local[3];
    name_axes(ctx, local);
    for (int k = 0; k < 3 && level != AH_NONE; k++)
        if (expr_depends(ctx, level, local[k])) return true;
    diag(ctx, A0427, NOWHERE, "the formula has none of x, y, z");
    diag_hint(ctx, "they are symbols of kind AH_LOCAL");
    return false;
}

static bool is_given(ah_vector v)
{
    return v.c[0] != AH_NONE || v.c[1] != AH_NONE || v.c[2] != AH_NONE;
}

/* p(u, v) with its ranges. */
static bool take_sheet(ah_ctx *ctx, ah_vector p, const ah_expr u[2], const ah_expr v[2],
                       contact_sheet *out)
{
    *out = (contact_sheet){
        .p = or_zero(ctx, p),
        .parameter = {expr_symbol(ctx, AH_LOCAL, "u"), expr_symbol(ctx, AH_LOCAL, "v")},
        .range = {{u[0], u[1]}, {v[0], v[1]}}};
    const bool good = u[0] != AH_NONE && u[1] != AH_NONE && v[0] != AH_NONE && v[1] != AH_NONE;
    if (!good) diag(ctx, A0427, NOWHERE, "the sheet lacks the range of u or v");
    return good;
}

/* A shape by a formula, or its sizes. */
static bool take_form(ah_ctx *ctx, const ah_shape_of *of, contact_shape *out)
{
    name_axes(ctx, out->local);
    if (out->kind == CONTACT_LEVEL) {
        out->level = of->level;
        return has_axes(ctx, of->level);
    }
    if (out->kind == CONTACT_CURVE) {
        bool moves = false, good = of->range[0] != AH_NONE && of->range[1] != AH_NONE;
        out->local[0] = expr_symbol(ctx, AH_LOCAL, "s");
        out->curve = or_zero(ctx, of->curve);
        memcpy(out->range, of->range, sizeof out->range);
        for (int k = 0; k < 3; k++) moves |= expr_depends(ctx, out->curve.c[k], out->local[0]);
        if (!moves || !good) diag(ctx, A0427, NOWHERE, "the curve lacks s or its range");
        return moves && good;
    }
    if (out->kind == CONTACT_SHEET)
        return take_sheet(ctx, of->curve, of->range, of->second, &out->sheet);
    const int needed = out->kind == CONTACT_ELLIPSOID ? 3
                       : out->kind == CONTACT_TORUS   ? 2
                       : out->kind == CONTACT_CONE    ? 0
                                                      : 1;
    bool good = out->axis >= 1 && out->axis <= 3;
    memcpy(out->size, of->size, sizeof out->size);
    for (int i = 0; i < needed; i++) good &= out->size[i] != AH_NONE;
    if (!good) diag(ctx, A0427, NOWHERE, "a size or the axis of the shape is missing");
    return good;
}

static void add_shape(ah_ctx *ctx, void *arg)
{
    static const char *const kinds[] = {
#define X(code, word) word,
        CONTACT_SHAPE_LIST(X)
#undef X
    };
    const call *c = arg;
    size_t k = 0;
    if (!are_known(ctx, 3, c->shape->size) || !are_known(ctx, 3, c->shape->centre.c) ||
        !are_known(ctx, 1, &c->shape->level) || !are_known(ctx, 3, c->shape->curve.c) ||
        !are_known(ctx, 2, c->shape->range) || !are_known(ctx, 2, c->shape->second))
        return;
    while (k < CONTACT_SHAPES && (!c->shape->kind || strcmp(kinds[k], c->shape->kind))) k++;
    if (k == CONTACT_SHAPES) {
        no_such(ctx, "shape", c->shape->kind);
        return;
    }
    const model_part *part = model_find_part(c->m, c->name);
    if (!part || !part->is_body) {
        no_such(ctx, "body", c->name);
        return;
    }
    contact_shape shape = {.part = part->name,
                           .kind = (contact_shape_kind) k,
                           .axis = c->shape->axis ? c->shape->axis : 3,
                           .centre = or_zero(ctx, c->shape->centre)};
    if (take_form(ctx, c->shape, &shape)) contact_add_shape(c->m, &shape);
}

static void add_surface(ah_ctx *ctx, void *arg)
{
    static const char *const kinds[] = {
#define X(code, word) word,
        CONTACT_SURFACE_LIST(X)
#undef X
    };
    const call *c = arg;
    const ah_surface *s = c->surface;
    size_t k = 0;
    const ah_expr given[] = {s->size, s->turning, s->level};
    if (!are_known(ctx, 3, given) || !are_known(ctx, 3, s->place.c) ||
        !are_known(ctx, 3, s->axis.c) || !are_known(ctx, 3, s->moving.c) ||
        !are_known(ctx, 3, s->sheet.c) || !are_known(ctx, 2, s->range) ||
        !are_known(ctx, 2, s->second))
        return;
    while (k < CONTACT_SURFACES && (!s->kind || strcmp(kinds[k], s->kind))) k++;
    if (k == CONTACT_SURFACES) {
        no_such(ctx, "surface", s->kind);
        return;
    }
    const bool sized = k != CONTACT_ON_PLANE && k < CONTACT_ON_LEVEL;
    if ((s->on && !model_find_part(c->m, s->on)) || (sized && s->size == AH_NONE)) {
        diag(ctx, A0427, NOWHERE, "the surface `%s` lacks its size or its body", c->name);
        return;
    }
    contact_surface surface = {.name = c->name,
                               .kind = (contact_surface_kind) k,
                               .place = or_zero(ctx, s->place),
                               .axis = or_zero(ctx, s->axis),
                               .size = sized ? s->size : AH_NONE,
                               .inside = s->inside,
                               .turning = s->turning,
                               .on = s->on};
    if (s->axis.c[0] == AH_NONE && s->axis.c[1] == AH_NONE && s->axis.c[2] == AH_NONE)
        surface.axis.c[2] = expr_int(ctx, 1);
    if (s->on) surface.on = arena_strdup(&ctx->job, s->on);
    name_axes(ctx, surface.local);
    if (is_given(s->moving)) {
        surface.moves = true;
        surface.moving = or_zero(ctx, s->moving);
    }
    if (k == CONTACT_ON_SHEET && !take_sheet(ctx, s->sheet, s->range, s->second, &surface.sheet))
        return;
    if (k == CONTACT_ON_LEVEL) { /* F = z − f(x, y) is a graph */
        if (!has_axes(ctx, s->level)) return;
        const ah_expr f = expr_sub(ctx, surface.local[2], s->level);
        surface.level = s->level;
        surface.graph = expr_depends(ctx, f, surface.local[2]) ? AH_NONE : f;
    }
    contact_add_surface(c->m, &surface);
}

static void add_touch(ah_ctx *ctx, void *arg)
{
    call *c = arg;
    if (c->how < AH_SLIDES || c->how > AH_ROLLS_WITHOUT_SPINNING) {
        diag_wrong_call(ctx, "how bodies touch is none of ah_touch");
        return;
    }
    const contact_pair pair = {.label = c->label,
                               .part = c->name,
                               .on = c->other,
                               .rolls = c->how != AH_SLIDES,
                               .spins = c->how != AH_ROLLS_WITHOUT_SPINNING};
    c->made = contact_add(c->m, &pair, &c->found);
}

ah_status ah_model_shape(ah_model *m, const char *body, const ah_shape_of *shape)
{
    call c = {.m = m, .name = body, .shape = shape};
    return m && body && shape ? ctx_guard(m->ctx, add_shape, &c) : AH_E_INPUT;
}

ah_status ah_model_surface(ah_model *m, const char *name, const ah_surface *surface)
{
    call c = {.m = m, .name = name, .surface = surface};
    return m && name && surface ? ctx_guard(m->ctx, add_surface, &c) : AH_E_INPUT;
}

ah_status ah_model_touch(ah_model *m, const char *label, const char *body, const char *on,
                         ah_touch how, ah_vector *place, ah_vector *normal)
{
    call c = {.m = m, .name = body, .other = on, .label = label, .how = how};
    if (!m || !label || !body || !on) return AH_E_INPUT;
    const ah_status status = ctx_guard(m->ctx, add_touch, &c);
    if (status == AH_OK && c.made && place) *place = c.found.place;
    if (status == AH_OK && c.made && normal) *normal = c.found.normal;
    return status;
}
