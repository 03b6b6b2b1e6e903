/* lang/elab_contact.c - shapes, surfaces, rolling and sliding: into src/contact.
 *
 * `roll B on S` adds its constraints where it stands; when the system is finished, the contact's
 * place and forces become outputs. */
#include "elaborate.h"

#include <string.h>

static const syntax *clause(const syntax *s, int k)
{
    return s->child[1 + k];
}

/* ---- Formulas -------------------------------------------------------------------------------- */

/* x, y, z as names of their own while a formula is read. */
typedef struct frame_names {
    name *n[3];
    local bound[3];
} frame_names;

static void bind(elaborator *e, frame_names *f, ah_expr symbol[3])
{
    static const char *const names[] = {"x", "y", "z"};
    for (int k = 0; k < 3; k++) {
        f->n[k] = lang_intern(e->l, names[k], 1);
        symbol[k] = expr_symbol(e->ctx, AH_LOCAL, names[k]);
        f->bound[k] = (local){.v = elab_from(symbol[k]), .outer = f->n[k]->local};
        f->n[k]->local = &f->bound[k];
    }
}

static void unbind(frame_names *f)
{
    for (int k = 0; k < 3; k++) f->n[k]->local = f->bound[k].outer;
}

/* left - right of an equation in x, y, z that must not vanish everywhere; *graph (may be NULL): f
 * where it says z = f(x, y). */
static bool level(elaborator *e, const syntax *equation, place in, ah_expr symbol[3], ah_expr *F,
                  ah_expr *graph)
{
    frame_names names;
    bind(e, &names, symbol);
    const ah_expr left = elab_scalar(e, equation->child[0], in);
    const ah_expr right = elab_scalar(e, equation->child[1], in);
    unbind(&names);
    if (left == AH_NONE || right == AH_NONE) return false;
    *F = expr_sub(e->ctx, left, right);
    if (graph && left == symbol[2] && !expr_depends(e->ctx, right, symbol[2])) *graph = right;
    for (int k = 0; k < 3; k++)
        if (expr_depends(e->ctx, *F, symbol[k])) return true;
    diag(e->ctx, A0427, equation->span, "the equation has none of x, y, z");
    diag_hint(e->ctx, "a surface is an equation between them: z = x^2 + y^2");
    return false;
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static bool vector_or(elaborator *e, const syntax *s, place in, ah_vector otherwise, ah_vector *out)
{
    *out = otherwise;
    return !s || elab_vector(e, s, in, out);
}

static int axis_of(const syntax *s)
{
    return s ? s->name->text[0] - 'x' + 1 : 3;
}

/* s = a .. b, where a contact is looked for. */
static bool range_of(elaborator *e, const syntax *over, ah_expr out[2])
{
    for (int k = 0; k < 2; k++) out[k] = elab_scalar(e, over->child[k], IN_SHAPE);
    if (out[0] == AH_NONE || out[1] == AH_NONE) return false;
    if (out[0] != out[1]) return true;
    diag(e->ctx, A0427, over->span, "the range of `%s` is a single number", over->name->text);
    diag_hint(e->ctx, "write where the contact may lie: for %s = 0 .. 2*pi", over->name->text);
    return false;
}

/* c(s) and its range. */
static bool curve(elaborator *e, const syntax *c, const syntax *over, contact_shape *out)
{
    bool good = range_of(e, over, out->range);
    out->local[0] = expr_symbol(e->ctx, AH_LOCAL, over->name->text);
    local bound = {.v = elab_from(out->local[0]), .outer = over->name->local};
    over->name->local = &bound;
    good &= elab_vector(e, c, IN_SHAPE, &out->curve);
    over->name->local = bound.outer;
    for (int k = 0; good && k < 3; k++)
        if (expr_depends(e->ctx, out->curve.c[k], out->local[0])) return true;
    if (good) {
        diag(e->ctx, A0427, c->span, "the place does not depend on `%s`", over->name->text);
        diag_hint(e->ctx, "write: shape B curve (cos(s), 2*sin(s), 0) for s = 0 .. 2*pi");
    }
    return false;
}

/* p(u, v) and the ranges of its parameters. */
static bool sheet(elaborator *e, const syntax *p, const syntax *over, place in, contact_sheet *out)
{
    bool good = true;
    local bound[2];
    for (int i = 0; i < 2; i++) good &= range_of(e, over->child[i], out->range[i]);
    for (int i = 0; i < 2; i++) {
        name *n = over->child[i]->name;
        out->parameter[i] = expr_symbol(e->ctx, AH_LOCAL, n->text);
        bound[i] = (local){.v = elab_from(out->parameter[i]), .outer = n->local};
        n->local = &bound[i];
    }
    good &= elab_vector(e, p, in, &out->p);
    for (int i = 2; i-- > 0;) over->child[i]->name->local = bound[i].outer;
    return good;
}

static void read_shape(elaborator *e, const syntax *s)
{
    static const char *const names[] = {
#define X(code, word) word,
        CONTACT_SHAPE_LIST(X)
#undef X
    };
    const model_part *part = elab_part(e, s->child[0]);
    contact_shape shape = {.axis = axis_of(clause(s, CLAUSE_AXIS)), .span = s->child[0]->span};
    const syntax *formula = clause(s, CLAUSE_FORMULA), *over = clause(s, CLAUSE_OVER);
    const bool places = over && over->kind == SYNTAX_LIST_OF;
    if (!s->name) shape.kind = places ? CONTACT_SHEET : CONTACT_LEVEL;
    while (s->name && strcmp(names[shape.kind], s->name->text)) shape.kind++;
    bool good = vector_or(e, clause(s, CLAUSE_AT), IN_SHAPE, vector_zero(e->ctx), &shape.centre);
    const syntax *radius = clause(s, CLAUSE_RADIUS), *tube = clause(s, CLAUSE_TUBE);
    const syntax *length = clause(s, CLAUSE_LENGTH), *angle = clause(s, CLAUSE_ANGLE);
    const syntax *size = clause(s, CLAUSE_SIZE);
    if (radius) good &= (shape.size[0] = elab_scalar(e, radius, IN_SHAPE)) != AH_NONE;
    if (tube) good &= (shape.size[1] = elab_scalar(e, tube, IN_SHAPE)) != AH_NONE;
    if (length) good &= (shape.size[1] = elab_scalar(e, length, IN_SHAPE)) != AH_NONE;
    if (angle) good &= (shape.size[2] = elab_scalar(e, angle, IN_SHAPE)) != AH_NONE;
    if (size) {
        ah_vector axes;
        good &= elab_vector(e, size, IN_SHAPE, &axes);
        if (good) memcpy(shape.size, axes.c, sizeof axes.c);
    }
    if (places)
        good &= sheet(e, formula, over, IN_SHAPE, &shape.sheet);
    else if (formula && over)
        good &= curve(e, formula, over, &shape);
    else if (formula)
        good &= level(e, formula, IN_SHAPE, shape.local, &shape.level, NULL);
    if (!part || !good) return;
    if (!part->is_body) {
        diag(e->ctx, A0212, s->child[0]->span, "`%s` is a point, and a body is needed here",
             part->name);
        diag_hint(e->ctx, "declare it: body B mass m inertia (A, B, C) at r turn z a");
        return;
    }
    shape.part = part->name;
    contact_add_shape(e->m, &shape);
}

/* A shape that was not understood is told once: no contact asks for it. */
void elab_shape(elaborator *e, const syntax *s)
{
    const size_t errors = e->ctx->log->errors;
    read_shape(e, s);
    if (e->ctx->log->errors > errors) s->child[0]->name->poisoned = true;
}

/* ---- Surfaces -------------------------------------------------------------------------------- */

static ah_vector along_z(ah_ctx *ctx)
{
    return (ah_vector){{expr_int(ctx, 0), expr_int(ctx, 0), expr_int(ctx, 1)}};
}

static bool described(elaborator *e, const syntax *s, contact_surface *out)
{
    static const char *const names[] = {
#define X(code, word) word,
        CONTACT_SURFACE_LIST(X)
#undef X
    };
    const syntax *over = clause(s, CLAUSE_OVER);
    if (!s->name) out->kind = over ? CONTACT_ON_SHEET : CONTACT_ON_LEVEL;
    while (s->name && strcmp(names[out->kind], s->name->text)) out->kind++;
    const syntax *formula = clause(s, CLAUSE_FORMULA), *moving = clause(s, CLAUSE_MOVING);
    const syntax *axis =
        clause(s, CLAUSE_NORMAL) ? clause(s, CLAUSE_NORMAL) : clause(s, CLAUSE_ALONG);
    const syntax *size =
        clause(s, CLAUSE_RADIUS) ? clause(s, CLAUSE_RADIUS) : clause(s, CLAUSE_ANGLE);
    const syntax *turning = clause(s, CLAUSE_TURNING), *on = clause(s, CLAUSE_ON);
    const model_part *part = on ? elab_part(e, on) : NULL;
    bool good = vector_or(e, clause(s, CLAUSE_AT), IN_SURFACE, vector_zero(e->ctx), &out->place);
    good &= vector_or(e, axis, IN_SURFACE, along_z(e->ctx), &out->axis);
    good &= !size || (out->size = elab_scalar(e, size, IN_SHAPE)) != AH_NONE;
    good &= !turning || (out->turning = elab_scalar(e, turning, IN_SURFACE)) != AH_NONE;
    if (over)
        good &= sheet(e, formula, over, IN_SURFACE, &out->sheet);
    else if (formula)
        good &= level(e, formula, IN_SURFACE, out->local, &out->level, &out->graph);
    if (moving) {
        frame_names bound;
        bind(e, &bound, out->local);
        good &= out->moves = elab_vector(e, moving, IN_SURFACE, &out->moving);
        unbind(&bound);
    }
    out->inside = clause(s, CLAUSE_INSIDE) != NULL;
    if (part) out->on = part->name;
    return good && (!on || part);
}

void elab_surface(elaborator *e, const syntax *s)
{
    name *n = elab_name_apart(e, s->child[0]);
    contact_surface surface = {
        .place = vector_zero(e->ctx), .axis = along_z(e->ctx), .span = s->child[0]->span};
    const bool good = described(e, s, &surface);
    if (!n) return;
    if (!good) {
        n->poisoned = true;
        return;
    }
    surface.name = n->text;
    contact_add_surface(e->m, &surface);
    n->poisoned = !contact_find_surface(e->m, n->text);
}

/* ---- Rolling --------------------------------------------------------------------------------- */

/* "roll_B", of an element B[2] "roll_B[2]". */
static const char *label_of(elaborator *e, const syntax *s, const char *part)
{
    if (!s->child[0])
        return arena_printf(&e->ctx->job, "%s_%s", s->kind == SYNTAX_ROLL ? "roll" : "slide", part);
    name *n = elab_target(e, s->child[0]);
    return n && elab_label(e, s->child[0], n) ? n->text : NULL;
}

/* The place and the normal, for formulas. */
static void name_contact(elaborator *e, const syntax *s, const elab_contact *c)
{
    const model_let made[] = {
        {.name = elab_made_name(e, c->label, "_place"), .is_vector = true, .value = c->place.place},
        {.name = elab_made_name(e, c->label, "_direction"),
         .is_vector = true,
         .value = c->place.normal},
    };
    for (size_t i = 0; i < sizeof made / sizeof *made; i++) {
        model_let let = made[i];
        let.span = s->span;
        if (elab_made_is_taken(e, let.name, s->child[1]))
            diag_hint(e->ctx, "the %s of this contact is called so", i ? "normal" : "place");
        else
            model_add_let(e->m, &let);
    }
}

/* Two statements of one label: the same contact once more, or another one that needs a name. */
static bool touches_already(elaborator *e, const syntax *s, const elab_contact *c)
{
    for (size_t i = 0; i < e->contacts.count; i++) {
        const elab_contact *first = &e->contacts.at[i];
        if (strcmp(first->label, c->label)) continue;
        diag(e->ctx, A0401, s->child[1]->span, "the contact `%s` is declared twice", c->label);
        diag_note(e->ctx, first->of->span, "the first time here");
        if (strcmp(first->on, c->on))
            diag_hint(e->ctx, "give one of them a name: %s other: %s on %s",
                      s->kind == SYNTAX_ROLL ? "roll" : "slide", c->part, c->on);
        else
            diag_hint(e->ctx, "leave one of them out");
        return true;
    }
    return false;
}

/* false: a row has no variable and does not hold, as of a body that moves in a plane beside its table. */
static bool ever_touches(elaborator *e, const contact_pair *pair, size_t before)
{
    enum { VARIABLES = KIND(TIME) | KIND(COORDINATE) | KIND(VELOCITY) };
    for (size_t i = before; i < e->m->written.count; i++) {
        const model_constraint *c = &e->m->written.at[i];
        const ah_expr left = expr_sub(e->ctx, c->left, c->right);
        if (expr_is_zero(e->ctx, left) || elab_kinds(e, elab_from(left)) & VARIABLES) continue;
        diag(e->ctx, A0428, pair->span, "`%s` cannot touch `%s`: nothing moves it there",
             pair->part, pair->on);
        if (elab_kinds(e, elab_from(left)) & KIND(PARAMETER))
            diag_hint(e->ctx,
                      "whatever moves, %s is between them: write its height with the parameters of "
                      "its shape, so that this is zero",
                      expr_text(e->ctx, &e->ctx->scratch, left, AH_ASCII));
        else
            diag_hint(e->ctx, "put it there, or let it move along the normal");
        return false;
    }
    return true;
}

static void touch(elaborator *e, const syntax *s)
{
    const model_part *part = elab_part(e, s->child[1]);
    const name *on = elab_target(e, s->child[2]);
    if (!part || !on || on->poisoned) return;
    const char *label = label_of(e, s, part->name);
    if (!label) return;
    if (!contact_find_surface(e->m, on->text) && !model_find(e->m, on->text)) {
        elab_unknown(e, s->child[2], on, "surface S plane, or a body with its shape");
        return;
    }
    if (s->child[1]->name->poisoned || s->child[2]->name->poisoned) return;
    elab_contact found = {
        .label = label, .part = part->name, .on = on->text, .of = s->child[1], .span = s->span};
    const contact_pair pair = {.label = label,
                               .part = part->name,
                               .on = on->text,
                               .rolls = s->kind == SYNTAX_ROLL,
                               .spins = !s->child[3],
                               .span = s->child[1]->span};
    if (touches_already(e, s, &found)) return;
    const size_t before = e->m->written.count;
    if (!contact_add(e->m, &pair, &found.place)) return;
    if (!ever_touches(e, &pair, before)) return;
    elab_made_labels(e, s->child[1], before);
    LIST_PUSH(e->l->arena, &e->contacts, found);
    name_contact(e, s, &found);
}

/* The multiplier of a constraint; AH_NONE: it was dropped. */
static ah_expr force_of(elaborator *e, const char *label)
{
    const ah_model *m = e->m;
    for (size_t i = 0; label && i < m->constraints.count; i++)
        if (!strcmp(m->constraints.at[i].label, label)) return model_lambda(e->m, (uint32_t) i);
    return AH_NONE;
}

static ah_expr normal_force(elaborator *e, const contact_place *c)
{
    ah_vector lambda = vector_zero(e->ctx);
    for (size_t k = 0; k < c->touches; k++) {
        const ah_expr one = force_of(e, c->touch[k]);
        if (one == AH_NONE && c->touches == 1) return AH_NONE;
        if (one != AH_NONE) lambda.c[k] = one;
    }
    return expr_mul(e->ctx, c->scale,
                    c->touches == 1 ? lambda.c[0] : vector_dot(e->ctx, lambda, c->normal));
}

/* A formula that names it would speak of something else where that is called so, too. */
static void show(elaborator *e, const elab_contact *c, const char *what, ah_expr shown)
{
    const char *called = elab_made_name(e, c->label, what);
    if (elab_made_is_taken(e, called, c->of))
        diag_hint(e->ctx, "an output of this contact is called so");
    else
        model_add_output(e->m, called, shown, c->span);
}

static void show_forces(elaborator *e, const elab_contact *c)
{
    ah_ctx *ctx = e->ctx;
    const ah_expr N = normal_force(e, &c->place);
    if (N == AH_NONE) return;
    show(e, c, "_normal", N);
    const char *label = arena_printf(&ctx->job, "%s leaves %s", c->part, c->on);
    model_add_event(
        e->m,
        &(model_event){.label = label, .e = N, .direction = -1, .presses = true, .span = c->span});
    const ah_expr a = c->place.rolls ? force_of(e, c->place.slip[0]) : AH_NONE;
    const ah_expr b = c->place.rolls ? force_of(e, c->place.slip[1]) : AH_NONE;
    const ah_vector T = {{a == AH_NONE ? expr_int(ctx, 0) : a, b == AH_NONE ? expr_int(ctx, 0) : b,
                          expr_int(ctx, 0)}};
    if (!c->place.rolls) return;
    const ah_expr size = vector_norm(ctx, T);
    show(e, c, "_tangential", size);
    show(e, c, "_friction", expr_div(ctx, size, N));
}

static void show_contact(elaborator *e, const syntax *s)
{
    const model_part *part = e->complete ? elab_part(e, s->child[1]) : NULL;
    const char *label = part ? label_of(e, s, part->name) : NULL;
    for (size_t i = 0; label && i < e->contacts.count; i++) {
        const elab_contact *c = &e->contacts.at[i];
        if (strcmp(c->label, label)) continue;
        const char *where = elab_made_name(e, label, "_place");
        for (int k = 0; k < 3; k++)
            model_add_output(e->m, arena_printf(&e->ctx->scratch, "%s[%d]", where, k + 1),
                             c->place.place.c[k], c->span);
        show_forces(e, c);
    }
}

void elab_roll(elaborator *e, const syntax *s)
{
    if (e->late)
        show_contact(e, s);
    else
        touch(e, s);
}
