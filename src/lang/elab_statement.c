/* lang/elab_statement.c - statements into the model.
 *
 * Two passes over the text: first the system, in order; then, when it is finished and its energies
 * are known, what speaks of it: start, simulate, output, draw, stop, record, claim, refute. Loops
 * are run in both. */
#include "elaborate.h"

#include <string.h>

/* ---- Texts ----------------------------------------------------------------------------------- */

const char *elab_text(elaborator *e, const syntax *s)
{
    const source *file = source_get(e->ctx, s->span.file);
    return arena_harmless(&e->ctx->job, arena_strndup(&e->ctx->job, file->text + s->span.begin + 1,
                                                      s->span.end - s->span.begin - 2));
}

/* A statement that may stand once: remembers where; false the second time. */
static bool once(elaborator *e, const syntax *s, ah_span *seen)
{
    if (!seen->file) {
        *seen = s->span;
        return true;
    }
    diag(e->ctx, A0302, s->span, "`%s` stands twice", syntax_text(s->kind));
    diag_note(e->ctx, *seen, "the first time here");
    diag_hint(e->ctx, "keep one of them");
    return false;
}

static void title(elaborator *e, const syntax *s)
{
    if (once(e, s, &e->system)) e->m->title = elab_text(e, s->child[0]);
}

static void origin(elaborator *e, const syntax *s)
{
    if (once(e, s, &e->source)) e->m->source = elab_text(e, s->child[0]);
}

/* ---- Points and bodies ----------------------------------------------------------------------- */

static void point(elaborator *e, const syntax *s)
{
    name *n = elab_new_name(e, s->child[0]);
    ah_vector r;
    const ah_expr mass = s->child[1] ? elab_scalar(e, s->child[1], IN_MASS) : expr_int(e->ctx, 0);
    const bool placed = elab_vector(e, s->child[3], IN_POSITION, &r);
    if (n && mass != AH_NONE && placed)
        model_add_point(e->m, n->text, mass, r, s->child[0]->span);
    else if (n)
        n->poisoned = true;
}

/* ---- Energies and forces --------------------------------------------------------------------- */

static void kinetic(elaborator *e, const syntax *s)
{
    const ah_expr T = elab_scalar(e, s->child[0], IN_KINETIC);
    if (T != AH_NONE) model_add_kinetic(e->m, T, s->span);
}

static void potential(elaborator *e, const syntax *s)
{
    const ah_expr V = elab_scalar(e, s->child[0], IN_POTENTIAL);
    if (V != AH_NONE) model_add_potential(e->m, V, s->span);
}

static void dissipation(elaborator *e, const syntax *s)
{
    const ah_expr D = elab_scalar(e, s->child[0], IN_DISSIPATION);
    if (D == AH_NONE) return;
    model_add_dissipation(e->m, D, s->span);
    /* Concave along a velocity: it falls where that grows. */
    for (uint32_t i = 0; i < e->m->n; i++) {
        const ah_expr v = e->m->v.at[i];
        const ah_expr bend = expr_diff(e->ctx, expr_diff(e->ctx, D, v), v);
        if (bend != expr_int(e->ctx, 0)) elab_damping(e, s->child[0], bend);
    }
}

static void gravity(elaborator *e, const syntax *s)
{
    ah_vector g;
    if (elab_vector(e, s->child[0], IN_GRAVITY, &g)) model_add_gravity(e->m, g, s->span);
}

/* The coordinate that s names, be it primed; AH_NONE after an error. */
static ah_expr coordinate(elaborator *e, const syntax *s)
{
    const name *n = elab_target(e, s);
    if (!n) return AH_NONE;
    const model_name *found = model_find(e->m, n->text);
    if (found && found->what == MODEL_COORDINATE) return e->m->q.at[found->index];
    if (!found) {
        elab_unknown(e, s, n, NULL);
        return AH_NONE;
    }
    diag(e->ctx, A0303, s->span, "`%s` is %s, and a coordinate is needed here", n->text,
         elab_what(found));
    diag_hint(e->ctx, "coordinates are declared by coordinate x, y");
    return AH_NONE;
}

static void force(elaborator *e, const syntax *s)
{
    const ah_expr q = coordinate(e, s->child[0]);
    const ah_expr f = elab_scalar(e, s->child[1], IN_FORCE);
    if (q != AH_NONE && f != AH_NONE) model_add_force(e->m, q, f, s->span);
}

static void force_on(elaborator *e, const syntax *s)
{
    ah_vector f, at;
    const model_part *part = elab_part(e, s->child[0]);
    bool good = elab_vector(e, s->child[1], IN_FORCE, &f);
    good &= !s->child[2] || elab_vector(e, s->child[2], IN_POSITION, &at);
    if (part && good) model_add_force_on(e->m, part, f, s->child[2] ? &at : NULL, s->span);
}

static void torque_on(elaborator *e, const syntax *s)
{
    ah_vector torque;
    const model_part *part = elab_part(e, s->child[0]);
    const bool good = elab_vector(e, s->child[1], IN_TORQUE, &torque);
    if (part && good) model_add_torque_on(e->m, part, torque, s->span);
}

/* ---- Equations ------------------------------------------------------------------------------- */

bool elab_sides(elaborator *e, const syntax *s, place in, value *left, value *right)
{
    *left = elab_value_in(e, s->child[0], in);
    *right = elab_value_in(e, s->child[1], in);
    if (left->type == VALUE_POISON || right->type == VALUE_POISON) return false;
    if (left->type == right->type) return true;
    value *scalar = left->type == VALUE_SCALAR ? left : right;
    if (expr_is_zero(e->ctx, scalar->v.c[0])) {
        *scalar = elab_from_vector(vector_zero(e->ctx));
        return true;
    }
    diag(e->ctx, A0205, s->span, "one side is a vector, the other a scalar");
    diag_hint(e->ctx, "components are written u[1], lengths norm(u)");
    return false;
}

static void constraint(elaborator *e, const syntax *s)
{
    const syntax *label = s->child[0], *equation = s->child[1];
    name *n = label ? elab_target(e, label) : NULL;
    const bool labelled = !label || (n && elab_label(e, label, n));
    value left, right;
    if (!elab_sides(e, equation, IN_CONSTRAINT, &left, &right) || !labelled) return;
    const ah_span span = label ? label->span : equation->span;
    const char *called = n ? n->text : NULL;
    if (left.type == VALUE_VECTOR)
        model_add_constraint_vector(e->m, called, left.v, right.v, span);
    else
        model_add_constraint(e->m, called, left.v.c[0], right.v.c[0], span);
}

bool elab_fact(elaborator *e, const syntax *s, place in, algebra_fact *out)
{
    const ah_expr left = elab_scalar(e, s->child[0], in);
    const ah_expr right = elab_scalar(e, s->child[1], in);
    if (left == AH_NONE || right == AH_NONE) return false;
    const bool less = s->relation == TOKEN_LESS || s->relation == TOKEN_LESS_EQUAL;
    out->e = less ? expr_sub(e->ctx, right, left) : expr_sub(e->ctx, left, right);
    out->positive = s->relation != TOKEN_UNEQUAL;
    out->border = s->relation == TOKEN_GREATER_EQUAL || s->relation == TOKEN_LESS_EQUAL;
    return true;
}

static void assume(elaborator *e, const syntax *s)
{
    algebra_fact fact;
    if (elab_fact(e, s, IN_ASSUMPTION, &fact)) model_add_fact(e->m, fact, s->span);
}

static void statements(elaborator *e, const syntax *list);

static void velocity(elaborator *e, const syntax *s)
{
    size_t inputs = 0;
    for (size_t i = 0; i < s->child[0]->count; i++) {
        const syntax *target = s->child[0]->child[i];
        const bool input = target->kind == SYNTAX_NAME &&
                           model_input_as_speed(e->m, target->name->text, target->span);
        if (!input) elab_speed(e, target);
        inputs += input;
    }
    if (inputs && inputs < s->child[0]->count) {
        diag(e->ctx, A0429, s->span, "some of the velocity parameters are inputs, others are not");
        diag_hint(e->ctx, "declare all of them by `input`, or none");
    }
    statements(e, s->child[1]);
}

/* x' = psi, in `velocity` */
static void rate(elaborator *e, const syntax *s)
{
    const ah_expr q = coordinate(e, s->child[0]);
    const ah_expr psi = elab_scalar(e, s->child[1], IN_RATE);
    if (q != AH_NONE && s->child[0]->primes != 1) {
        diag(e->ctx, A0303, s->child[0]->span, "the left side is the velocity of a coordinate");
        diag_hint(e->ctx, "write %s' = …", s->child[0]->name->text);
    } else if (q != AH_NONE && psi != AH_NONE) {
        model_add_speed_equation(e->m, q, psi, s->child[0]->span);
    }
}

/* ---- What speaks of the finished system ------------------------------------------------------ */

ah_expr elab_of_state(elaborator *e, const syntax *s, const char *what_for)
{
    const name *n = elab_target(e, s);
    if (!n) return AH_NONE;
    const model_name *found = model_find(e->m, n->text);
    const model_what what = found ? found->what : MODEL_NOTHING;
    const bool speed = what == MODEL_SPEED || what == MODEL_QUASIVELOCITY;
    const bool driven = what == MODEL_FUNCTION && e->m->functions.at[found->index].input != AH_NONE;
    if (!found) {
        elab_unknown(e, s, n, NULL);
        return AH_NONE;
    }
    if (what != MODEL_COORDINATE && (!speed || s->primes)) {
        diag(e->ctx, A0303, s->span, "`%s` is %s: it has no %s", n->text,
             speed    ? "not a velocity but its derivative"
             : driven ? "an input"
                      : elab_what(found),
             what_for);
        diag_hint(e->ctx,
                  "%ss are those of coordinates x, velocities x', velocity parameters and "
                  "quasi-velocities",
                  what_for);
        return AH_NONE;
    }
    return elab_value_in(e, s, IN_EXPRESSION).v.c[0];
}

static void simulate(elaborator *e, const syntax *s)
{
    const ah_expr from = elab_scalar(e, s->child[0]->child[0], IN_SPAN);
    const ah_expr to = elab_scalar(e, s->child[0]->child[1], IN_SPAN);
    if (once(e, s, &e->simulate) && from != AH_NONE && to != AH_NONE)
        model_set_span(e->m, from, to, s->span);
}

/* An output may use one that stands before it. */
static bool is_of_one_method(elaborator *e, const syntax *s, ah_expr x)
{
    bool mixed;
    model_method_of(e->m, x, &mixed);
    if (!mixed) return true;
    diag(e->ctx, A0211, s->span, "an output may name objects of one method");
    diag_hint(e->ctx, "make an output for each method");
    return false;
}

/* Motions have columns of these names in any case. */
static bool is_column(elaborator *e, const syntax *target, const name *n)
{
    static const char *const always[] = {"t", "energy", "residual"};
    const model_name *found = model_find(e->m, n->text);
    const model_what what = found ? found->what : MODEL_NOTHING;
    bool taken = what == MODEL_COORDINATE || what == MODEL_SPEED || what == MODEL_QUASIVELOCITY;
    for (size_t i = 0; i < sizeof always / sizeof *always; i++)
        taken |= !strcmp(n->text, always[i]);
    if (!taken) return false;
    diag(e->ctx, A0401, target->span, "motions have a column `%s` without this output", n->text);
    diag_hint(e->ctx, "choose another name for the output");
    return true;
}

static void output(elaborator *e, const syntax *s)
{
    const name *n = elab_target(e, s->child[0]);
    e->method = s->name ? arena_strdup(&e->ctx->job, s->name->text) : NULL;
    const value v = elab_value_in(e, s->child[1], IN_OUTPUT);
    e->method = NULL;
    const int parts = v.type == VALUE_SCALAR ? 1 : v.type == VALUE_VECTOR ? 3 : 0;
    for (int k = 0; k < parts; k++)
        if (!is_of_one_method(e, s->child[1], v.v.c[k])) return;
    if (!n || is_column(e, s->child[0], n)) return;
    if (v.type == VALUE_SCALAR) model_add_output(e->m, n->text, v.v.c[0], s->child[0]->span);
    for (int k = 0; v.type == VALUE_VECTOR && k < 3; k++)
        model_add_output(e->m, arena_printf(&e->ctx->scratch, "%s[%d]", n->text, k + 1), v.v.c[k],
                         s->child[0]->span);
}

const char *elab_label_in_loops(elaborator *e, const char *label)
{
    const char *indices = "";
    for (const loop *l = e->loops; l; l = l->outer)
        indices = arena_printf(&e->ctx->scratch, "%ld%s%s", l->value, *indices ? "," : "", indices);
    return *indices ? arena_printf(&e->ctx->job, "%s [%s]", label, indices) : label;
}

/* An event is called as it is written where it has no label. */
static void event(elaborator *e, const syntax *s)
{
    value left, right;
    if (!elab_sides(e, s->child[1], IN_EVENT, &left, &right)) return;
    if (!elab_want(e, s->child[1]->child[0], left, VALUE_SCALAR)) return;
    const ah_expr l = left.v.c[0], r = right.v.c[0];
    const char *label = s->child[0]
                            ? elab_label_in_loops(e, elab_text(e, s->child[0]))
                            : arena_printf(&e->ctx->scratch, "%s = %s",
                                           expr_text(e->ctx, &e->ctx->scratch, l, AH_ASCII),
                                           expr_text(e->ctx, &e->ctx->scratch, r, AH_ASCII));
    model_add_event(e->m, &(model_event){.label = label,
                                         .e = expr_sub(e->ctx, l, r),
                                         .direction = s->direction,
                                         .stop = s->kind == SYNTAX_STOP,
                                         .span = s->span});
}

/* ---- All statements -------------------------------------------------------------------------- */

static void repeat(elaborator *e, const syntax *s)
{
    long from, to;
    if (!elab_range(e, s->child[0], &from, &to)) return;
    local bound = {.outer = s->name->local};
    loop here = {.outer = e->loops};
    s->name->local = &bound;
    e->loops = &here;
    for (here.value = from; here.value <= to; here.value++) {
        bound.v = elab_from(expr_int(e->ctx, here.value));
        statements(e, s->child[1]);
    }
    e->loops = here.outer;
    s->name->local = bound.outer;
}

static const struct {
    void (*elaborate)(elaborator *e, const syntax *s);
    bool early, late;
} table[] = {
    [SYNTAX_SYSTEM] = {title, true, false},
    [SYNTAX_SOURCE] = {origin, true, false},
    [SYNTAX_PARAMETER] = {elab_parameter, true, false},
    [SYNTAX_COORDINATE] = {elab_coordinate, true, false},
    [SYNTAX_INPUT] = {elab_input, true, false},
    [SYNTAX_LET] = {elab_let, true, false},
    [SYNTAX_FUNCTION] = {elab_function, true, false},
    [SYNTAX_POINT] = {point, true, false},
    [SYNTAX_BODY] = {elab_body, true, true},
    [SYNTAX_ASSUME] = {assume, true, false},
    [SYNTAX_KINETIC] = {kinetic, true, false},
    [SYNTAX_POTENTIAL] = {potential, true, false},
    [SYNTAX_DISSIPATION] = {dissipation, true, false},
    [SYNTAX_GRAVITY] = {gravity, true, false},
    [SYNTAX_FORCE] = {force, true, false},
    [SYNTAX_FORCE_ON] = {force_on, true, false},
    [SYNTAX_TORQUE_ON] = {torque_on, true, false},
    [SYNTAX_MARKER] = {elab_marker, true, false},
    [SYNTAX_JOINT] = {elab_joint, true, false},
    [SYNTAX_ATTITUDE] = {elab_attitude, false, true},
    [SYNTAX_SHAPE] = {elab_shape, true, false},
    [SYNTAX_SURFACE] = {elab_surface, true, false},
    [SYNTAX_ROLL] = {elab_roll, true, true},
    [SYNTAX_SLIDE] = {elab_roll, true, true},
    [SYNTAX_CONSTRAINT] = {constraint, true, false},
    [SYNTAX_VELOCITY] = {velocity, true, false},
    [SYNTAX_EQUATION] = {rate, true, false},
    [SYNTAX_QUASIVELOCITY] = {elab_quasivelocity, true, false},
    [SYNTAX_START] = {elab_start, false, true},
    [SYNTAX_SIMULATE] = {simulate, false, true},
    [SYNTAX_OUTPUT] = {output, false, true},
    [SYNTAX_UNIT] = {elab_unit, false, true},
    [SYNTAX_DRAW] = {elab_draw, false, true},
    [SYNTAX_STOP] = {event, false, true},
    [SYNTAX_RECORD] = {event, false, true},
    [SYNTAX_CLAIM] = {elab_claim, false, true},
    [SYNTAX_REFUTE] = {elab_claim, false, true},
    [SYNTAX_FOR] = {repeat, true, true},
};

static void statements(elaborator *e, const syntax *list)
{
    for (size_t i = 0; i < list->count; i++) {
        const syntax *s = list->child[i];
        if (!(e->late ? table[s->kind].late : table[s->kind].early)) continue;
        const arena_mark mark = arena_get_mark(&e->ctx->scratch);
        ctx_tick(e->ctx);
        e->l->at = s->span;
        e->needs = e->late ? NULL : &e->m->needs; /* lets and claims have their own */
        table[s->kind].elaborate(e, s);
        arena_release(&e->ctx->scratch, mark);
    }
}

/* T, V and all else that model_finish works out; false after an error. */
static bool finish(elaborator *e)
{
    if (!e->m->n) {
        diag(e->ctx, A0404, e->l->at, "the system has no coordinates");
        diag_hint(e->ctx, "declare them: coordinate x, y");
        return false;
    }
    model_finish(e->m);
    return e->m->finished;
}

void lang_elaborate(lang *l, ah_model *m, const syntax *model, const syntax *settings)
{
    elaborator e = {.l = l, .ctx = l->ctx, .m = m};
    elab_find_definitions(model);
    if (settings) elab_use_settings(&e, settings);
    statements(&e, model);
    if (settings) elab_check_settings(&e, settings);

    l->at = model->span;
    e.complete = l->ctx->log->errors == l->errors && finish(&e);
    e.late = true;
    statements(&e, model);
    m->finished = e.complete; /* what was added since changes nothing of what was worked out */
}

/* Which names are families is read off the names of their elements. */
static void find_families(lang *l, const ah_model *m)
{
    for (size_t i = 0; i < m->names.capacity; i++) {
        const model_name *element = model_table_at(&m->names, i);
        const char *bracket = element ? strchr(element->name, '[') : NULL;
        if (bracket)
            lang_intern(l, element->name, (size_t) (bracket - element->name))->family = true;
    }
}

ah_expr lang_elaborate_expression(lang *l, ah_model *m, const syntax *expression, bool of_motion)
{
    elaborator e = {
        .l = l, .ctx = l->ctx, .m = m, .late = true, .complete = m->finished, .alone = true};
    find_families(l, m);
    return elab_scalar(&e, expression, of_motion ? IN_MOTION : IN_EXPRESSION);
}
