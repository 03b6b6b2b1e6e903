/* lang/elab_name.c - names in expressions, elements of families, what the derivation makes. */
#include "elaborate.h"

#include <string.h>

/* ---- What is built in ------------------------------------------------------------------------ */

static ah_expr whole_kinetic(ah_model *m)
{
    return m->T;
}

static ah_expr whole_potential(ah_model *m)
{
    return m->V;
}

/* Known once the whole system is. */
static const struct {
    const char *text;
    ah_expr (*of)(ah_model *m);
} energies[] = {
    {"kinetic", whole_kinetic},
    {"potential", whole_potential},
    {"energy", model_energy},
    {"jacobi", model_jacobi},
};
enum { ENERGIES = sizeof energies / sizeof *energies };

/* Names that count only before `[`; DERIVED_KINDS: none of them. */
static derived_what find_derived(const char *word)
{
    derived_what k = 0;
    while (k < DERIVED_KINDS && (!derived_arity(k) || strcmp(derived_kinds[k].word, word))) k++;
    return k;
}

const char *elab_what(const model_name *found)
{
    switch (found->what) {
    case MODEL_PARAMETER: return "a parameter";
    case MODEL_COORDINATE: return "a coordinate";
    case MODEL_SPEED: return "a velocity parameter";
    case MODEL_QUASIVELOCITY: return "a quasi-velocity";
    case MODEL_LET: return "the name of an expression";
    case MODEL_COUNTED_LET: return "a function";
    case MODEL_FUNCTION: return "a function";
    case MODEL_PART: return "a point or body";
    default: return "something else";
    }
}

/* ---- Names that are not declared ------------------------------------------------------------- */

typedef LIST(name *) name_list;

static void collect_names(elaborator *e, const syntax *s, name_list *out)
{
    if (!s) return;
    if ((s->kind == SYNTAX_NAME || s->kind == SYNTAX_INDEX) && s->name->visited != e->searches) {
        s->name->visited = e->searches;
        LIST_PUSH(&e->ctx->scratch, out, s->name);
    }
    for (size_t i = 0; i < s->count; i++) collect_names(e, s->child[i], out);
}

/* Does the definition of `n` use, directly or not, the parameter whose value is being read? Then a
 * circle is reported, once: the names on the way are poisoned. */
static bool leads_back(elaborator *e, const name *n)
{
    name_list met = {0};
    e->searches++;
    bool back = false;
    for (size_t i = 0; n && !back; n = i < met.count ? met.at[i++] : NULL) {
        ctx_tick(e->ctx);
        back = n == e->parameter;
        if (n->definition && n->definition->kind == SYNTAX_PARAMETER)
            collect_names(e, n->definition->child[1], &met);
    }
    for (size_t i = 0; back && i < met.count; i++) met.at[i]->poisoned = true;
    return back;
}

static void used_too_early(elaborator *e, const syntax *s)
{
    const name *n = s->name;
    const ah_span there = n->definition->span;
    if (e->parameter && leads_back(e, n)) {
        diag(e->ctx, A0203, s->span, "the parameter `%s` is defined through itself",
             e->parameter->text);
        if (n != e->parameter) diag_note(e->ctx, there, "by way of `%s`", n->text);
        diag_hint(e->ctx, "the value of a parameter uses parameters declared before it");
        return;
    }
    if (there.file == s->span.file && there.end <= s->span.begin) { /* a surface */
        diag(e->ctx, A0201, s->span, "`%s` cannot stand here", n->text);
        diag_note(e->ctx, there, "declared here");
        diag_hint(e->ctx, "a quantity, a point or a body is needed");
        return;
    }
    diag(e->ctx, A0202, s->span, "`%s` is used before it is declared", n->text);
    diag_note(e->ctx, there, "declared here");
    diag_hint(e->ctx, "move the declaration before this line");
}

/* Where outputs that stand before may be used. */
static bool sees_outputs(const elaborator *e)
{
    return e->in == IN_MOTION || e->in == IN_OUTPUT || e->in == IN_EVENT || e->in == IN_DRAWING;
}

/* Points and bodies, of what is rolled on surfaces, too. */
static const char *nearest_part(elaborator *e, const char *wanted, bool surfaces)
{
    const contact_surface *surface;
    LIST(const char *) names = {0};
    arena *a = &e->ctx->scratch;
    for (size_t i = 0; i < e->m->parts.count; i++) LIST_PUSH(a, &names, e->m->parts.at[i].name);
    for (size_t i = 0; surfaces && (surface = contact_get_surface(e->m, i)); i++)
        LIST_PUSH(a, &names, surface->name);
    return text_nearest(a, wanted, names.at, names.count);
}

/* The declared name, or the built-in one, that is nearest. */
static const char *nearest(elaborator *e, const syntax *s, const char *wanted)
{
    const model_table *table = &e->m->names;
    LIST(const char *) names = {0};
    arena *a = &e->ctx->scratch;
    for (size_t i = 0; i < table->capacity; i++)
        if (model_table_at(table, i)) LIST_PUSH(a, &names, model_table_at(table, i)->name);
    for (size_t i = 0; i < ENERGIES; i++) LIST_PUSH(a, &names, energies[i].text);
    for (size_t i = 0; sees_outputs(e) && i < e->m->outputs.count; i++)
        LIST_PUSH(a, &names, e->m->outputs.at[i].name);
    if (e->in == IN_MOTION) LIST_PUSH(a, &names, "residual");
    LIST_PUSH(a, &names, "pi");
    for (size_t k = 0; s->kind == SYNTAX_CALL && elab_function_name(k); k++)
        LIST_PUSH(a, &names, elab_function_name(k));
    return text_nearest(a, wanted, names.at, names.count);
}

/* An element that was not declared, or a family without its index. */
static void not_in_family(elaborator *e, const syntax *s, const name *n)
{
    diag(e->ctx, A0209, s->span, "there is no `%s`", n->text);
    if (s->kind == SYNTAX_INDEX)
        diag_hint(e->ctx, "the index lies outside of what is declared before this line");
    else
        diag_hint(e->ctx, "it is a family; its elements are written %s[1]", n->text);
}

/* `turn free e` names its components, not itself. */
static bool is_attitude(elaborator *e, const syntax *s, const name *n)
{
    const model_name *first = model_find(e->m, elab_made_name(e, n->text, "0"));
    const char *omega = elab_made_name(e, n->text, "_omega");
    if (!first || first->what != MODEL_COORDINATE || !model_find(e->m, omega)) return false;
    diag(e->ctx, A0201, s->span, "`%s` is an attitude, not a quantity", n->text);
    diag_hint(e->ctx, "its components are %s to %s, its angular velocity in body axes is %s",
              first->name, elab_made_name(e, n->text, "3"), omega);
    return true;
}

/* The hint where no better one is known: how what is needed here is declared. */
static void how_to_declare(elaborator *e, const name *n, const char *declared)
{
    if (e->alone)
        diag_hint(e->ctx, "the model has nothing of this name");
    else if (!strncmp(n->text, "roll_", 5) || !strncmp(n->text, "slide_", 6))
        diag_hint(e->ctx, "places and forces of a contact are known after its statement: "
                          "roll_B_place, roll_B_normal; what rolls has roll_B_tangential, too");
    else
        diag_hint(e->ctx, "declare it before this line: %s",
                  declared ? declared : "parameter, coordinate or let");
}

static bool is_output(const elaborator *e, const name *n)
{
    for (size_t k = 0; k < e->m->outputs.count; k++)
        if (!strcmp(n->text, e->m->outputs.at[k].name)) return true;
    return false;
}

/* What a contact makes (elab_contact.c). */
static bool ends_as_force(const char *called)
{
    static const char *const ends[] = {"_normal", "_tangential", "_friction"};
    const size_t length = strlen(called);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (length > strlen(ends[i]) && !strcmp(called + length - strlen(ends[i]), ends[i]))
            return true;
    return false;
}

void elab_unknown(elaborator *e, const syntax *s, const name *n, const char *declared)
{
    enum { SUGGESTIONS = 20 }; /* after so many errors near names are no longer looked for */
    if (s->name->poisoned || n->poisoned || is_attitude(e, s, n)) return;
    if (s->name->family) {
        not_in_family(e, s, n);
        return;
    }
    s->name->poisoned = true;
    if (s->name->definition) {
        used_too_early(e, s);
        return;
    }
    if (s->name->output && sees_outputs(e)) {
        diag(e->ctx, A0202, s->span, "the output `%s` is used before it is declared", n->text);
        diag_hint(e->ctx, "move the output before this line");
        return;
    }
    if (s->name->output || is_output(e, n)) {
        diag(e->ctx, A0201, s->span, "`%s` is an output: it cannot stand here", n->text);
        diag_hint(e->ctx,
                  s->name->output || !ends_as_force(n->text)
                      ? "name the expression by let, for formulas and for the output"
                      : "forces of a contact are lambda[label_touch], lambda[label_slip1], …");
        return;
    }
    diag(e->ctx, A0201, s->span, "the name `%s` is unknown", n->text);
    const char *near = e->ctx->log->errors >= SUGGESTIONS ? NULL
                       : declared ? nearest_part(e, n->text, !strncmp(declared, "surface", 7))
                                  : nearest(e, s, n->text);
    if (!strcmp(n->text, "d") || !strcmp(n->text, "dt")) /* d/dt e */
        diag_hint(e->ctx, "der(e) is the time derivative of an expression");
    else if (near)
        diag_hint(e->ctx, "did you mean `%s`?", near);
    else if (find_derived(n->text) < DERIVED_KINDS)
        diag_hint(e->ctx, "with an index, as in %s[1], it is what the derivation makes", n->text);
    else if (s->kind == SYNTAX_CALL)
        diag_hint(e->ctx, "a function is declared by let %s(u) = … or function %s(u)", n->text,
                  n->text);
    else
        how_to_declare(e, n, declared);
}

/* ---- Declared names -------------------------------------------------------------------------- */

static value wrong_prime(elaborator *e, const syntax *s, const char *what)
{
    diag(e->ctx, A0208, s->span, "`%s` is %s: it has no such prime", s->name->text, what);
    diag_hint(e->ctx, "x' is a velocity, x'' an acceleration, v' belongs to a velocity parameter; "
                      "der(e) is the time derivative of an expression");
    return elab_poison();
}

/* A symbol with the primes of s on it, if that exists and may stand here. */
static value primed(elaborator *e, const syntax *s, ah_expr symbol, unsigned most, const char *what)
{
    if (s->primes > most) return wrong_prime(e, s, what);
    for (unsigned k = 0; k < s->primes; k++) symbol = expr_dot(e->ctx, symbol);
    const bool allowed = elab_allow(e, s->span, 1u << expr_get_kind(e->ctx, symbol));
    return allowed ? elab_from(symbol) : elab_poison();
}

/* In indices the value counts, elsewhere the symbol. */
static value parameter(elaborator *e, const syntax *s, name *n, const model_name *found)
{
    const ah_expr symbol = e->m->parameters.at[found->index].symbol;
    if (e->in != IN_INDEX || s->primes) return primed(e, s, symbol, 0, "a parameter");
    e->m->parameters.at[found->index].counts = true;
    if (n->constant == AH_NONE) {
        n->constant = symbol;
        model_put_values(e->m, &n->constant, 1);
    }
    if (!expr_depends_kind(e->ctx, n->constant, AH_PARAMETER)) return elab_from(n->constant);
    diag(e->ctx, A0209, s->span, "the parameter `%s` has no value, and is needed as a number here",
         n->text);
    diag_hint(e->ctx, "give it one: parameter %s = 10, or --set %s=10", n->text, n->text);
    return elab_poison();
}

static value let(elaborator *e, const syntax *s, name *n, const model_name *found)
{
    const model_let *l = &e->m->lets.at[found->index];
    if (l->count) {
        diag(e->ctx, A0207, s->span, "`%s` is a function and needs its arguments", n->text);
        diag_hint(e->ctx, "write %s(…)", n->text);
        return elab_poison();
    }
    if (s->primes) return wrong_prime(e, s, "the name of an expression");
    const value v = {l->is_vector ? VALUE_VECTOR : VALUE_SCALAR, l->value};
    elab_need_let(e, l, NULL);
    if (!n->kinds) n->kinds = (uint16_t) (elab_kinds(e, v) | KIND(LOCAL));
    return elab_allow(e, s->span, n->kinds) ? v : elab_poison();
}

/* u, u', u'': known functions of time to everybody else. */
static value input(elaborator *e, const syntax *s, const name *n)
{
    enum { RATES = 2 };
    if (s->primes > RATES) return wrong_prime(e, s, "an input");
    if (!elab_allow_input(e, s->span)) return elab_poison();
    return elab_from(model_input(e->m, n->text, s->primes));
}

/* Of a kinematic model whose inputs are known: a name that no longer is a part of the state. */
static value driven_speed(elaborator *e, const syntax *s, const name *n)
{
    diag(e->ctx, A0212, s->span, "`%s` is an input, and not a part of the state", n->text);
    diag_hint(e->ctx, "its value is what `input` says in the model, or --input %s=…", n->text);
    return elab_poison();
}

static value declared(elaborator *e, const syntax *s, name *n, const model_name *found)
{
    switch (found->what) {
    case MODEL_PARAMETER: return parameter(e, s, n, found);
    case MODEL_COORDINATE: return primed(e, s, e->m->q.at[found->index], 2, "a coordinate");
    case MODEL_SPEED:
        if (found->index >= e->m->speeds.count) return driven_speed(e, s, n);
        return primed(e, s, e->m->speeds.at[found->index].symbol, 1, "a velocity parameter");
    case MODEL_QUASIVELOCITY:
        return primed(e, s, e->m->quasivelocities.at[found->index].symbol, 1, "a quasi-velocity");
    case MODEL_LET: return let(e, s, n, found);
    case MODEL_COUNTED_LET:
        diag(e->ctx, A0207, s->span, "`%s` is a function and needs its arguments", n->text);
        diag_hint(e->ctx, "write %s(…)", n->text);
        return elab_poison();
    case MODEL_FUNCTION:
        if (e->m->functions.at[found->index].input != AH_NONE) return input(e, s, n);
        diag(e->ctx, A0207, s->span, "`%s` is a function and needs its arguments", n->text);
        diag_hint(e->ctx, "write %s(t), or what it depends on", n->text);
        return elab_poison();
    default:
        diag(e->ctx, A0212, s->span, "`%s` is a point or body, not a quantity", n->text);
        diag_hint(e->ctx, "write position(%s) or velocity(%s)", n->text, n->text);
        return elab_poison();
    }
}

/* What the worksheet of the method calls so. Whether it does, and how many indices there are, is
 * known where methods are. */
static value made_by_method(elaborator *e, const syntax *s, size_t indices)
{
    derived_ref d = {.what = DERIVED_OBJECT, .method = e->method, .indices = (uint32_t) indices};
    if (!elab_allow(e, s->span, KIND(DERIVED))) return elab_poison();
    if (indices > 2 || s->primes) {
        diag(e->ctx, A0211, s->span, "an object of a method has one or two indices and no prime");
        diag_hint(e->ctx, "anholo dump --stage=equations --method %s lists them", e->method);
        return elab_poison();
    }
    for (size_t i = 0; i < indices; i++) {
        long k;
        if (!elab_integer(e, s->child[i], &k)) return elab_poison();
        if (k < 1 || k > UINT32_MAX) {
            diag(e->ctx, A0211, s->child[i]->span, "there is no number %ld", k);
            diag_hint(e->ctx, "indices begin with 1");
            return elab_poison();
        }
        d.index[i] = (uint32_t) k - 1;
    }
    d.word = arena_strdup(&e->ctx->job, s->name->text);
    return elab_from(model_derived_symbol(e->m, d));
}

/* ---- NAME ------------------------------------------------------------------------------------ */

static value energy(elaborator *e, const syntax *s, size_t k)
{
    if (!e->late) {
        diag(e->ctx, A0210, s->span, "`%s` is known only when the whole system is",
             energies[k].text);
        diag_hint(e->ctx, "it may stand in claim, refute and output");
        return elab_poison();
    }
    if (!e->complete) return elab_poison(); /* the system has errors */
    if (s->primes) return wrong_prime(e, s, "the name of an expression");
    const value v = elab_from(energies[k].of(e->m));
    return elab_allow(e, s->span, elab_kinds(e, v)) ? v : elab_poison();
}

static value built_in(elaborator *e, const syntax *s)
{
    if (!strcmp(s->name->text, "t")) return primed(e, s, expr_time(e->ctx), 0, "the time");
    if (!strcmp(s->name->text, "pi"))
        return s->primes ? wrong_prime(e, s, "a number") : elab_from(expr_pi(e->ctx));
    for (size_t k = 0; k < ENERGIES; k++)
        if (!strcmp(s->name->text, energies[k].text)) return energy(e, s, k);
    for (size_t k = 0; sees_outputs(e) && k < e->m->outputs.count; k++)
        if (!strcmp(s->name->text, e->m->outputs.at[k].name))
            return s->primes ? wrong_prime(e, s, "an output") : elab_from(e->m->outputs.at[k].e);
    if (e->in == IN_MOTION && !s->primes && !strcmp(s->name->text, "residual"))
        return elab_from(model_derived_symbol(e->m, (derived_ref){.what = DERIVED_RESIDUAL}));
    if (e->method && (e->in == IN_CLAIM || e->in == IN_OUTPUT) && !s->name->definition &&
        !s->name->poisoned)
        return made_by_method(e, s, 0);
    elab_unknown(e, s, s->name, NULL);
    return elab_poison();
}

value elab_name(elaborator *e, const syntax *s)
{
    if (s->name->local && s->primes)
        return wrong_prime(e, s, "an argument, a loop variable or a component of a place");
    if (s->name->local) return s->name->local->v;
    const model_name *found = model_find(e->m, s->name->text);
    return found ? declared(e, s, s->name, found) : built_in(e, s);
}

/* ---- INDEX ----------------------------------------------------------------------------------- */

name *elab_spell(elaborator *e, const syntax *s, const long *index)
{
    const arena_mark mark = arena_get_mark(&e->ctx->scratch);
    text t = text_begin(&e->ctx->scratch);
    text_add(&t, s->name->text);
    for (size_t k = 0; k < s->count; k++) { /* by the ten thousand: not by printf */
        text_char(&t, k ? ',' : '[');
        if (index[k] < 0) text_char(&t, '-');
        text_unsigned(&t, index[k] < 0 ? -(uint64_t) index[k] : (uint64_t) index[k]);
    }
    text_char(&t, ']');
    name *n = lang_intern(e->l, t.at, t.length);
    arena_release(&e->ctx->scratch, mark);
    return n;
}

static name *row(elaborator *e, const syntax *s)
{
    long k;
    const name *n = elab_target(e, s->child[0]);
    if (!n || !elab_integer(e, s->child[1], &k)) return NULL;
    const char *label = arena_printf(&e->ctx->job, "%s.%ld", n->text, k);
    return lang_intern(e->l, label, strlen(label));
}

name *elab_target(elaborator *e, const syntax *s)
{
    if (s->kind == SYNTAX_NAME) return s->name;
    if (s->kind == SYNTAX_ROW) return row(e, s);
    const arena_mark mark = arena_get_mark(&e->ctx->scratch);
    long *index = NEW_ARRAY(&e->ctx->scratch, long, s->count);
    bool good = true;
    for (size_t k = 0; k < s->count; k++) good &= elab_integer(e, s->child[k], &index[k]);
    name *n = good ? elab_spell(e, s, index) : NULL;
    arena_release(&e->ctx->scratch, mark);
    return n;
}

/* output v = (a, b, c) is the outputs v[1], v[2], v[3] */
static value output_of(elaborator *e, const name *n)
{
    for (size_t k = 0; n && sees_outputs(e) && k < e->m->outputs.count; k++)
        if (!strcmp(n->text, e->m->outputs.at[k].name)) return elab_from(e->m->outputs.at[k].e);
    return elab_poison();
}

static value component_of(elaborator *e, const syntax *s, value v)
{
    if (s->primes) return wrong_prime(e, s, "a vector");
    if (s->count == 1) return elab_component(e, v, s->child[0]);
    diag(e->ctx, A0209, s->span, "a component has one index");
    diag_hint(e->ctx, "components are written u[1], u[2], u[3]");
    return elab_poison();
}

/* How many things an index of the derivation's names can number, and what they are called. */
static size_t how_many(const ah_model *m, derived_by by, const char **what)
{
    switch (by) {
    case BY_CONSTRAINT: *what = "constraints"; return m->constraints.count;
    case BY_SPEED: *what = "velocity parameters"; return m->speeds.count;
    case BY_COORDINATE: *what = "coordinates"; return m->n;
    default: *what = "quasi-velocities, one for each coordinate,"; return m->n;
    }
}

/* An index by name: a coordinate, the label of a constraint, a velocity parameter, a
 * quasi-velocity. */
static bool named_index(elaborator *e, const syntax *s, derived_by by, long *out)
{
    if (s->kind != SYNTAX_NAME && s->kind != SYNTAX_INDEX && s->kind != SYNTAX_ROW) return false;
    if (s->name->local || s->primes) return false;
    const name *n = elab_target(e, s);
    if (!n) return false;
    if (by == BY_CONSTRAINT) {
        for (size_t a = 0; a < e->m->constraints.count; a++)
            if (!strcmp(e->m->constraints.at[a].label, n->text)) return *out = (long) a + 1, true;
        return false;
    }
    const model_name *found = model_find(e->m, n->text);
    const model_what want = by == BY_COORDINATE ? MODEL_COORDINATE
                            : by == BY_SPEED    ? MODEL_SPEED
                                                : MODEL_QUASIVELOCITY;
    if (!found || found->what != want) return false;
    *out = (long) found->index + 1;
    return true;
}

/* One index, from 0; that of time is n. */
static bool derived_index(elaborator *e, const syntax *s, derived_by by, uint32_t *out)
{
    long i;
    const bool time = s->kind == SYNTAX_NAME && !s->name->local && !strcmp(s->name->text, "t");
    if (!e->complete)
        return false; /* the system has errors: labels may be missing, or counts wrong */
    if (by == BY_OMEGA_OR_TIME && time) return *out = e->m->n, true;
    if (!named_index(e, s, by, &i) && !elab_integer(e, s, &i)) return false;
    const char *what;
    const size_t count = how_many(e->m, by, &what);
    if (i < 1 || (size_t) i > count) {
        diag(e->ctx, A0211, s->span, "there is no number %ld among the %zu %s of the system", i,
             count, what);
        diag_hint(e->ctx, "indices begin with 1, in the order of the declarations");
        return false;
    }
    *out = (uint32_t) i - 1;
    return true;
}

static value made_by_derivation(elaborator *e, const syntax *s, derived_what k)
{
    const size_t arity = derived_arity(k);
    derived_ref d = {.what = k};
    if (!elab_allow(e, s->span, KIND(DERIVED))) return elab_poison();
    if (s->count != arity || s->primes) {
        diag(e->ctx, A0211, s->span, "`%s` has %zu %s and no prime", derived_kinds[k].word, arity,
             arity == 1 ? "index" : "indices");
        diag_hint(e->ctx, "there are M[i,j], G[a,b], Gz[a,b], lambda[a], reaction[q], beta[m,t,r]");
        return elab_poison();
    }
    for (size_t i = 0; i < arity; i++)
        if (!derived_index(e, s->child[i], derived_kinds[k].by[i], &d.index[i]))
            return elab_poison();
    return elab_from(model_derived_symbol(e->m, d));
}

/* An element of a family; a component of a vector; or what the derivation makes. */
value elab_element(elaborator *e, const syntax *s)
{
    if (s->name->local && elab_want(e, s, s->name->local->v, VALUE_VECTOR))
        return component_of(e, s, s->name->local->v);
    if (s->name->local) return elab_poison();

    const model_name *whole = model_find(e->m, s->name->text);
    if (whole && whole->what == MODEL_LET && e->m->lets.at[whole->index].is_vector) {
        const syntax of_let = {.kind = SYNTAX_NAME, .span = s->span, .name = s->name};
        return component_of(e, s, let(e, &of_let, s->name, whole));
    }
    const derived_what k = find_derived(s->name->text);
    const bool other = e->method && k < DERIVED_KINDS && s->count != derived_arity(k);
    if (k < DERIVED_KINDS && !other && !s->name->family && !s->name->poisoned)
        return made_by_derivation(e, s, k);
    if (e->method && (e->in == IN_CLAIM || e->in == IN_OUTPUT) && !s->name->family &&
        !s->name->poisoned)
        return made_by_method(e, s, s->count);

    name *n = elab_target(e, s);
    if (!n) return elab_poison();
    const model_name *found = model_find(e->m, n->text);
    if (found) return declared(e, s, n, found);
    const value shown = s->primes ? elab_poison() : output_of(e, n);
    if (shown.type != VALUE_POISON) return shown;
    if (!whole || s->name->family) {
        elab_unknown(e, s, n, NULL);
    } else {
        diag(e->ctx, A0209, s->span, "`%s` is %s and has no index", s->name->text,
             elab_what(whole));
        diag_hint(e->ctx, "a family is declared with its range: coordinate x[1..n]");
    }
    return elab_poison();
}

/* ---- Points and bodies ----------------------------------------------------------------------- */

const model_part *elab_part(elaborator *e, const syntax *s)
{
    if ((s->kind != SYNTAX_NAME && s->kind != SYNTAX_INDEX) || s->primes) {
        diag(e->ctx, A0212, s->span, "the name of a point or body is needed here");
        diag_hint(e->ctx, "declare it: point P mass m at (x, y)");
        return NULL;
    }
    const name *n = elab_target(e, s);
    if (!n) return NULL;
    const model_name *found = model_find(e->m, n->text);
    if (!found && !n->poisoned && contact_find_surface(e->m, n->text)) {
        s->name->poisoned = true;
        diag(e->ctx, A0212, s->span, "`%s` is a surface, not a point or body", n->text);
        diag_hint(e->ctx, "a body touches it: roll B on %s, or: slide B on %s", n->text, n->text);
        return NULL;
    }
    if (!found) {
        elab_unknown(e, s, n, "body B mass m inertia (A, B, C) at r turn z a, or point, or marker");
        return NULL;
    }
    if (found->what == MODEL_PART) return &e->m->parts.at[found->index];
    diag(e->ctx, A0212, s->span, "`%s` is %s, not a point or body", n->text, elab_what(found));
    diag_hint(e->ctx, "declare it: point P mass m at (x, y)");
    return NULL;
}
