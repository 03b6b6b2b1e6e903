/* lang/elab_declare.c - statements that declare names, and what --set says of them. */
#include "elaborate.h"

#include <string.h>

/* ---- Names, families ------------------------------------------------------------------------- */

void elab_find_definitions(const syntax *statements)
{
    for (size_t i = 0; i < statements->count; i++) {
        const syntax *s = statements->child[i];
        switch (s->kind) {
        case SYNTAX_PARAMETER:
        case SYNTAX_COORDINATE:
        case SYNTAX_INPUT:
        case SYNTAX_LET:
        case SYNTAX_FUNCTION:
        case SYNTAX_POINT:
        case SYNTAX_BODY:
        case SYNTAX_SURFACE:
        case SYNTAX_MARKER:
        case SYNTAX_QUASIVELOCITY:
            if (!s->child[0]->name->definition) s->child[0]->name->definition = s;
            break;
        case SYNTAX_VELOCITY:
            for (size_t k = 0; k < s->child[0]->count; k++) {
                name *z = s->child[0]->child[k]->name;
                z->speed = s->child[0]->child[k]->kind == SYNTAX_NAME;
                if (!z->definition) z->definition = s;
            }
            break;
        case SYNTAX_OUTPUT: s->child[0]->name->output = true; break;
        case SYNTAX_FOR: elab_find_definitions(s->child[1]); break;
        default: break;
        }
    }
}

static bool may_be_declared(elaborator *e, const syntax *target)
{
    const char *word = target->name->text;
    if (strcmp(word, "t") && strcmp(word, "pi")) return true;
    diag(e->ctx, A0204, target->span, "`%s` is built in and cannot be declared", word);
    diag_hint(e->ctx, strcmp(word, "t") ? "pi is the number 3.14159…; choose another name"
                                        : "t is the time; choose another name");
    return false;
}

static bool twice(elaborator *e, const syntax *target, const name *n, ah_span first, const char *as)
{
    diag(e->ctx, A0401, target->span, "`%s` is declared twice", n->text);
    diag_note(e->ctx, first, "the first time here, as %s", as);
    diag_hint(e->ctx, "choose another name for one of them");
    return true;
}

/* Names share one space with labels of constraints, surfaces and names of families; all else is the
 * model's to check. */
static bool is_taken(elaborator *e, const syntax *target, const name *n)
{
    const name *whole = target->name;
    const model_name *found = n != whole ? model_find(e->m, whole->text) : NULL;
    if (found) return twice(e, target, whole, found->span, elab_what(found));
    if (n == whole && n->family) return twice(e, target, n, n->definition->span, "a family");
    const contact_surface *surface = contact_find_surface(e->m, n->text);
    if (surface) return twice(e, target, n, surface->span, "a surface");
    return n->label.file ? twice(e, target, n, n->label, "a constraint") : false;
}

name *elab_new_name(elaborator *e, const syntax *target)
{
    if (!may_be_declared(e, target)) return NULL;
    name *n = elab_target(e, target);
    if (!n || is_taken(e, target, n)) return NULL;
    if (target->kind == SYNTAX_INDEX) target->name->family = true;
    return n;
}

name *elab_name_apart(elaborator *e, const syntax *target)
{
    name *n = elab_new_name(e, target);
    const model_name *found = n ? model_find(e->m, n->text) : NULL;
    return found && twice(e, target, n, found->span, elab_what(found)) ? NULL : n;
}

const char *elab_made_name(elaborator *e, const char *of, const char *what)
{
    const size_t base = strcspn(of, "[");
    return arena_printf(&e->ctx->job, "%.*s%s%s", (int) base, of, what, of + base);
}

bool elab_made_is_taken(elaborator *e, const char *called, const syntax *by)
{
    const size_t base = strcspn(called, "[");
    const bool element = called[base];
    name *n = lang_intern(e->l, called, strlen(called)), *whole = lang_intern(e->l, called, base);
    const syntax target = {
        .kind = element ? SYNTAX_INDEX : SYNTAX_NAME, .span = by->span, .name = whole};
    const model_name *found = model_find(e->m, called);
    if (is_taken(e, &target, n)) return true;
    if (found) return twice(e, &target, n, found->span, elab_what(found));
    whole->family |= element;
    if (element) whole->definition = by;
    return false;
}

bool elab_label(elaborator *e, const syntax *target, name *n)
{
    const model_name *found = model_find(e->m, n->text);
    if (!n->label.file) n->label = target->span;
    return !found || !twice(e, target, n, found->span, elab_what(found));
}

void elab_made_labels(elaborator *e, const syntax *s, size_t before)
{
    for (size_t i = before; i < e->m->written.count; i++) {
        const char *label = e->m->written.at[i].label;
        const model_name *found = label ? model_find(e->m, label) : NULL;
        name *n = label ? lang_intern(e->l, label, strlen(label)) : NULL;
        if (n && !n->label.file) n->label = s->span;
        if (found && found->what != MODEL_OUTPUT) {
            twice(e, s, n, found->span, elab_what(found));
            diag_hint(e->ctx, "one of the constraints that are made here is called so");
        }
    }
}

/* The bounds of every index, from[k] .. to[k]; how many elements lie between. Poisons the name
 * after an error. */
static size_t bounds(elaborator *e, const syntax *target, long *from, long *to)
{
    unsigned long count = 1;
    bool good = true;
    for (size_t k = 0; k < target->count; k++) {
        const syntax *index = target->child[k];
        const bool range = index->kind == SYNTAX_RANGE;
        good &= elab_integer(e, range ? index->child[0] : index, &from[k]);
        good &= elab_integer(e, range ? index->child[1] : index, &to[k]);
        if (good) count = elab_spend(e, target, count, from[k], to[k]);
    }
    target->name->poisoned |= !good;
    return good ? count : 0;
}

/* The next index after this one, the last place counting fastest. */
static void next(size_t count, const long *from, const long *to, long *index)
{
    for (size_t k = count; k-- > 0 && index[k]++ == to[k];) index[k] = from[k];
}

typedef void declare_fn(elaborator *e, const syntax *target, name *n, void *arg);

static void declare_new(elaborator *e, const syntax *target, name *n, declare_fn *declare,
                        void *arg)
{
    ctx_tick(e->ctx);
    if (!is_taken(e, target, n)) declare(e, target, n, arg);
}

/* Calls declare for x, or for each of x[1], x[2], … */
static void each_name(elaborator *e, const syntax *target, declare_fn *declare, void *arg)
{
    if (!may_be_declared(e, target)) return;
    if (target->kind == SYNTAX_NAME) {
        declare_new(e, target, target->name, declare, arg);
        return;
    }
    const size_t count = target->count;
    long *from = NEW_ARRAY(&e->ctx->scratch, long, 3 * count), *to = from + count;
    long *index = to + count;
    target->name->family = true;
    size_t elements = bounds(e, target, from, to);
    memcpy(index, from, count * sizeof *index);
    for (; elements; elements--) {
        declare_new(e, target, elab_spell(e, target, index), declare, arg);
        next(count, from, to, index);
    }
}

/* ---- Settings -------------------------------------------------------------------------------- */

void elab_use_settings(elaborator *e, const syntax *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        name *n = elab_target(e, settings->child[i]->child[0]);
        if (n) n->setting = settings->child[i];
    }
}

/* What --set says of the name, or of its whole family; a definition with arguments for a function
 * only. */
static const syntax *setting(name *n, name *family, bool function)
{
    name *of = n->setting ? n : family;
    if (!of->setting || (of->setting->child[1] != NULL) != function) return NULL;
    of->set = true;
    return of->setting;
}

static const char *nearest_setting(elaborator *e, const char *wanted)
{
    const ah_model *m = e->m;
    const size_t count = m->parameters.count + m->functions.count;
    const char **names = NEW_ARRAY(&e->ctx->scratch, const char *, count);
    for (size_t i = 0; i < m->parameters.count; i++) names[i] = m->parameters.at[i].name;
    for (size_t i = 0; i < m->functions.count; i++)
        names[m->parameters.count + i] = m->functions.at[i].name;
    return text_nearest(&e->ctx->scratch, wanted, names, count);
}

void elab_check_settings(elaborator *e, const syntax *settings)
{
    for (size_t i = 0; i < settings->count; i++) {
        const syntax *target = settings->child[i]->child[0];
        const name *n = elab_target(e, target);
        if (!n || n->set || n->poisoned) continue;
        const model_name *found = model_find(e->m, n->text);
        const bool function = settings->child[i]->child[1] != NULL;
        const char *wanted = function ? "function" : "parameter";
        if (found)
            diag(e->ctx, A0304, target->span, "`%s` is %s, not a %s to be set", n->text,
                 elab_what(found), wanted);
        else
            diag(e->ctx, A0304, target->span, "there is no %s `%s` to be set", wanted, n->text);
        const char *near = found ? NULL : nearest_setting(e, n->text);
        if (near)
            diag_hint(e->ctx, "did you mean `%s`?", near);
        else
            diag_hint(e->ctx, "parameters are set by a=1.5, functions by \"f(t)=sin(t)\"");
    }
}

/* ---- Parameters, coordinates, velocities ----------------------------------------------------- */

static void declare_parameter(elaborator *e, const syntax *target, name *n, void *arg)
{
    const syntax *set = setting(n, target->name, false), *written = arg;
    const syntax *given = set ? set->child[2] : written;
    e->parameter = target->name;
    const ah_expr found = given ? elab_scalar(e, given, IN_PARAMETER) : AH_NONE;
    e->parameter = NULL;
    model_add_parameter(e->m, n->text, found, target->span);
}

void elab_parameter(elaborator *e, const syntax *s)
{
    each_name(e, s->child[0], declare_parameter, s->child[1]);
}

static void declare_coordinate(elaborator *e, const syntax *target, name *n, void *arg)
{
    (void) arg;
    model_add_coordinate(e->m, n->text, target->span);
}

void elab_coordinate(elaborator *e, const syntax *s)
{
    each_name(e, s->child[0], declare_coordinate, NULL);
}

void elab_input(elaborator *e, const syntax *s)
{
    name *n = elab_new_name(e, s->child[0]);
    const ah_expr given = s->child[1] ? elab_scalar(e, s->child[1], IN_INPUT) : AH_NONE;
    if (!n) return;
    model_add_input(e->m, n->text, given, s->child[0]->span);
    if (n->speed) model_input_as_speed(e->m, n->text, s->child[0]->span);
}

static void declare_speed(elaborator *e, const syntax *target, name *n, void *arg)
{
    (void) arg;
    model_add_speed(e->m, n->text, target->span);
}

void elab_speed(elaborator *e, const syntax *target)
{
    each_name(e, target, declare_speed, NULL);
}

void elab_quasivelocity(elaborator *e, const syntax *s)
{
    name *n = elab_new_name(e, s->child[0]);
    const ah_expr definition = elab_scalar(e, s->child[1], IN_QUASIVELOCITY);
    if (n && definition != AH_NONE)
        model_add_quasivelocity(e->m, n->text, definition, s->child[0]->span);
    else if (n)
        n->poisoned = true;
}

/* ---- Lets and functions ---------------------------------------------------------------------- */

/* Arguments of a let are scalars, but for those that stand, in its body, in dot, cross or norm or
 * before an index, or are handed on to an argument of that kind. */
static bool is_vector_in(elaborator *e, const name *n, const syntax *body)
{
    if (!body) return false;
    if (body->kind == SYNTAX_INDEX && body->name == n) return true;
    const model_name *f = body->kind == SYNTAX_CALL ? model_find(e->m, body->name->text) : NULL;
    const model_let *let = f && f->what == MODEL_LET ? &e->m->lets.at[f->index] : NULL;
    const bool vectors = body->kind == SYNTAX_CALL &&
                         (!strcmp(body->name->text, "dot") || !strcmp(body->name->text, "cross") ||
                          !strcmp(body->name->text, "norm"));
    for (size_t i = 0, at = 0; i < body->count; i++) {
        const size_t width = let && at < let->count ? elab_argument_width(e->ctx, let, at) : 1;
        const bool alone =
            body->child[i] && body->child[i]->kind == SYNTAX_NAME && body->child[i]->name == n;
        if ((alone && (vectors || width == 3)) || is_vector_in(e, n, body->child[i])) return true;
        at += width;
    }
    return false;
}

/* Arguments bound to symbols of their own while a body is read. */
typedef struct binding {
    const syntax *arguments;
    local *local;
    expr_list parameters;
} binding;

static binding bind(elaborator *e, const syntax *arguments, const syntax *body)
{
    arena *a = &e->ctx->scratch;
    binding b = {.arguments = arguments, .local = NEW_ARRAY(a, local, arguments->count)};
    for (size_t i = 0; i < arguments->count; i++) {
        name *n = arguments->child[i]->name;
        const size_t width = body && is_vector_in(e, n, body) ? 3 : 1;
        b.local[i] = (local){.v.type = width == 3 ? VALUE_VECTOR : VALUE_SCALAR, .outer = n->local};
        for (size_t k = 0; k < width; k++) {
            const char *own = width == 1 ? n->text : arena_printf(a, "%s[%zu]", n->text, k + 1);
            b.local[i].v.v.c[k] = expr_symbol(e->ctx, AH_LOCAL, own);
            LIST_PUSH(a, &b.parameters, b.local[i].v.v.c[k]);
        }
    }
    for (size_t i = 0; i < arguments->count; i++) {
        name *n = arguments->child[i]->name;
        if (n->local != b.local[i].outer) {
            diag(e->ctx, A0401, arguments->child[i]->span, "the argument `%s` is declared twice",
                 n->text);
            diag_hint(e->ctx, "choose another name");
        }
        n->local = &b.local[i];
    }
    return b;
}

static void unbind(const binding *b)
{
    for (size_t i = b->arguments->count; i-- > 0;)
        b->arguments->child[i]->name->local = b->local[i].outer;
}

/* A name for a function: not that of a built-in one. */
static name *function_name(elaborator *e, const syntax *target)
{
    if (!elab_is_function(target->name->text)) return elab_new_name(e, target);
    diag(e->ctx, A0204, target->span, "the function `%s` is built in", target->name->text);
    diag_hint(e->ctx, "choose another name");
    return NULL;
}

void elab_let(elaborator *e, const syntax *s)
{
    const syntax *target = s->child[0], *arguments = s->child[1], *body = s->child[2];
    name *n = arguments ? function_name(e, target) : elab_new_name(e, target);
    binding b = {0};
    if (arguments && elab_has_counted(e, arguments, body)) {
        if (n) model_declare(e->m, &e->m->names, n->text, MODEL_COUNTED_LET, 0, target->span);
        return;
    }
    if (arguments) b = bind(e, arguments, body);
    model_needs needs = {0};
    e->needs = &needs;
    e->met = KIND(LOCAL);
    const value v = elab_value_in(e, body, IN_LET);
    if (arguments) unbind(&b);
    if (!n) return;
    if (v.type == VALUE_POISON) {
        n->poisoned = true;
        return;
    }
    const model_let let = {
        .name = n->text,
        .count = b.parameters.count,
        .parameters = b.parameters.at,
        .is_vector = v.type == VALUE_VECTOR,
        .value = v.v,
        .needs = needs,
        .span = target->span,
    };
    n->kinds = (uint16_t) e->met; /* by the text: to look through the graph for each let is dear */
    model_add_let(e->m, &let);
}

/* function f(t), with the body that --set gives it, if any. */
void elab_function(elaborator *e, const syntax *s)
{
    const syntax *target = s->child[0], *arguments = s->child[1];
    name *n = function_name(e, target);
    if (!n) return;
    const syntax *set = setting(n, n, true);
    if (set && set->child[1]->count != arguments->count) {
        diag(e->ctx, A0206, set->child[1]->span, "`%s` has %u argument%s", n->text,
             (unsigned) arguments->count, arguments->count == 1 ? "" : "s");
        diag_note(e->ctx, target->span, "declared here");
        diag_hint(e->ctx, "define it with as many arguments as it is declared");
        set = NULL;
    }
    const binding b = bind(e, set ? set->child[1] : arguments, NULL);
    const ah_expr body = set ? elab_scalar(e, set->child[2], IN_FUNCTION) : AH_NONE;
    unbind(&b);
    model_add_function(e->m, n->text, b.parameters.count, b.parameters.at, body, target->span);
}
