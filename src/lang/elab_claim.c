/* lang/elab_claim.c - claims into the model. */
#include "elaborate.h"

#include <string.h>

/* ---- Equations ------------------------------------------------------------------------------- */

/* `kinetic` or `potential` alone, not something of the user's that is called so. */
static bool is_whole_energy(elaborator *e, const syntax *s, const value *v)
{
    if (s->kind != SYNTAX_NAME || v->type != VALUE_SCALAR) return false;
    return (!strcmp(s->name->text, "kinetic") || !strcmp(s->name->text, "potential")) &&
           expr_get_op(e->ctx, v->v.c[0]) != EXPR_SYMBOL;
}

/* What T and V are is said of all velocities: T with the constraints put in is another function. */
static bool is_identity(elaborator *e, const syntax *s, const value *left, const value *right)
{
    return s->name || is_whole_energy(e, s->child[0], left) ||
           is_whole_energy(e, s->child[1], right);
}

/* What it says, as it was written. */
static const char *words_of(elaborator *e, const syntax *s)
{
    const source *from = source_get(e->ctx, s->span.file);
    if (!from || s->words >= s->span.end) return NULL;
    return arena_strndup(&e->ctx->job, from->text + s->words, s->span.end - s->words);
}

/* ---- Conditions ------------------------------------------------------------------------------ */

/* `x = e` and `x' = e` give a coordinate or velocity its value, and `v = e` an input of a kinematic model. */
static bool is_value(elaborator *e, const syntax *s, ah_expr left)
{
    const ah_symbol_kind kind = expr_get_kind(e->ctx, left);
    return (s->kind == SYNTAX_NAME || s->kind == SYNTAX_INDEX) &&
           expr_get_op(e->ctx, left) == EXPR_SYMBOL &&
           (kind == AH_COORDINATE || kind == AH_VELOCITY || (kind == AH_SPEED && e->m->kinematic));
}

/* Velocity parameters are functions of the velocities where these are linear in them; those of a kinematic model are inputs, and
 * stay. */
static bool in_velocities(elaborator *e, const syntax *s, ah_expr *of)
{
    model_put_quasivelocities(e->m, of, 1);
    if (!e->complete)
        return true; /* what is wrong has been told, and a velocity form may lack lines */
    if (e->m->kinematic || model_put_speeds(e->m, of, 1)) return true;
    diag(e->ctx, A0402, s->span,
         "a velocity parameter in which the velocities are not linear cannot stand in a condition");
    diag_hint(e->ctx, "write the condition in coordinates and velocities");
    return false;
}

static bool add_equation(elaborator *e, const syntax *s, model_value *given, ah_expr *equation,
                         model_when *out)
{
    ah_expr left = elab_scalar(e, s->child[0], IN_CONDITION);
    ah_expr right = elab_scalar(e, s->child[1], IN_CONDITION);
    if (left == AH_NONE || right == AH_NONE) return false;
    if (!in_velocities(e, s, &left) || !in_velocities(e, s, &right)) return false;
    if (is_value(e, s->child[0], left)) {
        for (size_t i = 0; i < out->values; i++)
            if (given[i].symbol == left) {
                diag(e->ctx, A0302, s->span, "this condition gives a value for the second time");
                diag_note(e->ctx, given[i].span, "first here");
                diag_hint(e->ctx, "keep one of them");
                return false;
            }
        given[out->values++] =
            (model_value){.symbol = left, .value = right, .span = s->span, .written = AH_NONE};
        return true;
    }
    equation[out->equations++] = expr_sub(e->ctx, left, right);
    if (expr_depends_kind(e->ctx, equation[out->equations - 1], AH_VELOCITY) ||
        expr_depends_kind(e->ctx, equation[out->equations - 1], AH_SPEED))
        return true;
    diag(e->ctx, A0303, s->span, "a condition on coordinates alone gives one of them its value");
    diag_hint(e->ctx, "write: when x = …, with a coordinate or a velocity on the left");
    return false;
}

/* Values put into each other; false: one needs itself. */
static bool settle_values(elaborator *e, size_t count, model_value *given)
{
    ah_expr *from = NEW_ARRAY(&e->ctx->job, ah_expr, count + 1);
    ah_expr *to = NEW_ARRAY(&e->ctx->job, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) {
        from[i] = given[i].symbol;
        to[i] = given[i].value;
    }
    for (size_t round = 0; round < count; round++)
        for (size_t i = 0; i < count; i++) to[i] = expr_subst(e->ctx, to[i], count, from, to);
    for (size_t i = 0; i < count; i++)
        for (size_t k = 0; k < count; k++)
            if (expr_depends(e->ctx, to[i], from[k])) {
                diag(e->ctx, A0203, given[i].span, "this gives a value through itself");
                diag_hint(e->ctx, "write what has a value through what has none");
                return false;
            }
    for (size_t i = 0; i < count; i++) given[i].value = to[i];
    return true;
}

/* The same, and into the rest. */
static bool settle(elaborator *e, model_value *given, ah_expr *equation, algebra_fact *fact,
                   const model_when *w)
{
    ah_expr *from = NEW_ARRAY(&e->ctx->job, ah_expr, w->values + 1);
    ah_expr *to = NEW_ARRAY(&e->ctx->job, ah_expr, w->values + 1);
    if (!settle_values(e, w->values, given)) return false;
    for (size_t i = 0; i < w->values; i++) {
        from[i] = given[i].symbol;
        to[i] = given[i].value;
    }
    expr_subst_all(e->ctx, equation, w->equations, w->values, from, to);
    for (size_t i = 0; i < w->conditions; i++)
        fact[i].e = expr_subst(e->ctx, fact[i].e, w->values, from, to);
    return true;
}

/* NULL after an error. */
static const model_when *conditions(elaborator *e, const syntax *list)
{
    model_when *out = NEW(&e->ctx->job, model_when);
    model_value *given = NEW_ARRAY(&e->ctx->job, model_value, list->count + 1);
    ah_expr *equation = NEW_ARRAY(&e->ctx->job, ah_expr, list->count + 1);
    algebra_fact *fact = NEW_ARRAY(&e->ctx->job, algebra_fact, list->count + 1);
    bool good = e->complete;
    for (size_t i = 0; i < list->count; i++) {
        const syntax *s = list->child[i];
        if (s->kind == SYNTAX_EQUATION) {
            good &= add_equation(e, s, given, equation, out);
            continue;
        }
        good &= elab_fact(e, s, IN_CONDITION, &fact[out->conditions]) &&
                in_velocities(e, s, &fact[out->conditions].e);
        out->conditions++;
    }
    if (!good || !settle(e, given, equation, fact, out)) return NULL;
    out->value = given;
    out->equation = equation;
    out->condition = fact;
    return out;
}

/* ---- Limits ---------------------------------------------------------------------------------- */

/* The span of the motions that a limit is about; false after an error. */
static bool along(elaborator *e, const syntax *range, model_limit *out)
{
    out->from = out->to = AH_NONE;
    if (!range) return true;
    if (strcmp(range->name->text, "t") != 0 || expr_get_kind(e->ctx, out->symbol) == AH_TIME) {
        diag(e->ctx, A0303, range->span,
             "motions are compared along t, as a parameter goes to its limit");
        diag_hint(e->ctx, "write: limit rho -> 0 along t = 0.1 .. 2: e1 = e2");
        return false;
    }
    out->from = elab_scalar(e, range->child[0], IN_LIMIT);
    out->to = elab_scalar(e, range->child[1], IN_LIMIT);
    return out->from != AH_NONE && out->to != AH_NONE;
}

/* NULL after an error. */
static const model_limit *limit(elaborator *e, const syntax *s)
{
    model_limit *out = NEW(&e->ctx->job, model_limit);
    const value symbol = elab_value_in(e, s->child[0], IN_EXPRESSION);
    if (symbol.type == VALUE_POISON || !e->complete) return NULL;
    out->symbol = symbol.type == VALUE_SCALAR ? symbol.v.c[0] : AH_NONE;
    const bool known = out->symbol != AH_NONE && expr_get_op(e->ctx, out->symbol) == EXPR_SYMBOL;
    const ah_symbol_kind kind = known ? expr_get_kind(e->ctx, out->symbol) : AH_LOCAL;
    if (kind != AH_PARAMETER && kind != AH_TIME) {
        diag(e->ctx, A0303, s->child[0]->span, "what has a limit is a parameter, or t");
        diag_hint(e->ctx, "write: limit rho -> 0: e1 = e2, or: limit t -> inf: e1 = e2");
        return NULL;
    }
    out->infinite = s->direction;
    out->value = s->child[1] ? elab_scalar(e, s->child[1], IN_LIMIT) : expr_int(e->ctx, 0);
    if (out->value == AH_NONE || !along(e, s->child[2], out)) return NULL;
    if (!expr_depends(e->ctx, out->value, out->symbol)) return out;
    diag(e->ctx, A0203, s->child[1]->span, "the limit is named through itself");
    diag_hint(e->ctx, "it is a number or made of other parameters");
    return NULL;
}

/* Vectors: a claim is one for each component, 0 = 0 left out; what is refuted is that all
 * components agree: |left − right|² = 0. */
static void equation(elaborator *e, const syntax *s, const char *label)
{
    const bool refute = s->kind == SYNTAX_REFUTE;
    value left, right, constant = elab_poison();
    if (s->child[1]->kind == SYNTAX_EQUATION) {
        if (!elab_sides(e, s->child[1], IN_CLAIM, &left, &right)) return;
    } else {
        const place outer = e->in;
        e->in = IN_CLAIM;
        e->smooth++;
        constant = elab_value(e, s->child[1]);
        e->smooth--;
        left = elab_derivative(e, s->child[1], constant);
        right = elab_from_vector(vector_zero(e->ctx));
        e->in = outer;
    }
    const model_when *when = NULL;
    const model_limit *in_limit = NULL;
    const syntax *towards = s->child[1]->kind == SYNTAX_EQUATION && s->child[1]->count > 2
                                ? s->child[1]->child[2]
                                : NULL;
    if (s->child[2] && !(when = conditions(e, s->child[2]))) return;
    if (towards && !(in_limit = limit(e, towards))) return;
    if (when && in_limit) {
        diag(e->ctx, A0303, s->child[2]->span, "a limit has no conditions");
        diag_hint(e->ctx, "put the values into the sides");
        return;
    }
    model_claim made = {.label = label,
                        .refute = refute,
                        .constant = AH_NONE,
                        .span = s->span,
                        .needs = *e->needs,
                        .method = e->method,
                        .when = when,
                        .limit = in_limit};
    made.words = words_of(e, s);
    made.identically = s->child[1]->kind == SYNTAX_EQUATION &&
                       is_identity(e, s->child[1], &left, &right) && !towards;
    if (made.identically && when) {
        diag(e->ctx, A0303, s->child[2]->span,
             "an identity holds everywhere: it has no conditions");
        diag_hint(e->ctx, "`kinetic - e = 0` compares the numbers at states alone");
        return;
    }
    if (left.type == VALUE_VECTOR && refute) {
        const ah_vector d = vector_sub(e->ctx, left.v, right.v);
        made.left = vector_dot(e->ctx, d, d);
        made.right = expr_int(e->ctx, 0);
        model_add_claim(e->m, &made);
        return;
    }
    if (when && e->complete &&
        e->m->constraints.count) { /* z was not drawn: what it is through the velocities */
        model_put_speeds(e->m, left.v.c, left.type == VALUE_VECTOR ? 3 : 1);
        model_put_speeds(e->m, right.v.c, right.type == VALUE_VECTOR ? 3 : 1);
    }
    const int components = left.type == VALUE_VECTOR ? 3 : left.type == VALUE_SCALAR;
    for (int k = 0; k < components; k++) {
        made.left = left.v.c[k];
        made.right = right.v.c[k];
        if (constant.type != VALUE_POISON) made.constant = constant.v.c[k];
        if (components > 1) {
            const bool empty = expr_is_zero(e->ctx, made.left) && expr_is_zero(e->ctx, made.right);
            if (k > 0 && empty) continue;
            made.label = arena_printf(&e->ctx->job, "%s.%d", label, k + 1);
        }
        model_add_claim(e->m, &made);
    }
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* The constraint called so, or all components of a vector called so. */
static bool add_constraints(elaborator *e, const syntax *s, model_statement *out, uint32_t *list)
{
    const name *n = elab_target(e, s);
    if (!n || !e->complete) return false;
    const size_t length = strlen(n->text), before = out->constraints;
    for (uint32_t i = 0; i < e->m->constraints.count; i++) {
        const char *label = e->m->constraints.at[i].label;
        if (!strncmp(label, n->text, length) && (label[length] == 0 || label[length] == '.'))
            list[out->constraints++] = i;
    }
    if (out->constraints > before) return true;
    diag(e->ctx, A0214, s->span, "there is no constraint `%s`", n->text);
    const char **labels = NEW_ARRAY(&e->ctx->scratch, const char *, e->m->constraints.count);
    for (size_t i = 0; i < e->m->constraints.count; i++) labels[i] = e->m->constraints.at[i].label;
    const char *near = text_nearest(&e->ctx->scratch, n->text, labels, e->m->constraints.count);
    if (near)
        diag_hint(e->ctx, "did you mean `%s`?", near);
    else
        diag_hint(e->ctx, "constraints get labels by constraint label: e1 = e2");
    return false;
}

static bool labels(elaborator *e, const syntax *list, model_statement *out)
{
    uint32_t *room = NEW_ARRAY(&e->ctx->job, uint32_t, e->m->constraints.count * list->count + 1);
    out->constraint = room;
    for (size_t i = 0; i < list->count; i++)
        if (!add_constraints(e, list->child[i], out, room)) return false;
    return true;
}

/* 2, 3 or (2, 3), as a growth vector is printed. */
static bool numbers(elaborator *e, const syntax *list, model_statement *out)
{
    if (list->count == 1 && list->child[0]->kind == SYNTAX_VECTOR) list = list->child[0];
    long *room = NEW_ARRAY(&e->ctx->job, long, list->count);
    out->number = room;
    for (; out->numbers < list->count; out->numbers++)
        if (!elab_integer(e, list->child[out->numbers], &room[out->numbers])) return false;
    if (list->count == 1 || out->says == AH_SAYS_GROWTH) return true;
    diag(e->ctx, A0215, list->span, "`%s` is one number", ah_says_word(out->says));
    diag_hint(e->ctx, "several numbers are a growth vector: growth 2, 3");
    return false;
}

/* Of each coordinate where it is, or how fast it moves; velocity parameters where nothing else says what they are. */
static bool is_whole_solution(elaborator *e, const syntax *list, const model_value *given)
{
    const ah_model *m = e->m;
    const size_t speeds = m->constraints.count ? 0 : m->speeds.count;
    for (size_t i = 0; i < m->n + speeds; i++) {
        const ah_expr symbol = i < m->n ? m->q.at[i] : m->speeds.at[i - m->n].symbol;
        const ah_expr other = i < m->n ? m->v.at[i] : symbol;
        size_t times = 0;
        for (size_t k = 0; k < list->count; k++)
            times += given[k].symbol == symbol || given[k].symbol == other;
        if (times == 1) continue;
        diag(e->ctx, A0303, list->span, "the solution gives `%s` %s", expr_get_name(e->ctx, symbol),
             times ? "more than once" : "no value");
        diag_hint(e->ctx,
                  "a solution gives every coordinate as a function of time, or its velocity "
                  "through time and coordinates%s",
                  speeds ? ", and every velocity parameter" : "");
        return false;
    }
    return true;
}

static bool is_quasivelocity(const elaborator *e, ah_expr symbol)
{
    for (size_t i = 0; i < e->m->quasivelocities.count; i++)
        if (e->m->quasivelocities.at[i].symbol == symbol) return true;
    return false;
}

static place place_of_value(elaborator *e, const model_statement *out, ah_expr symbol)
{
    if (out->says != AH_SAYS_SOLUTION) return IN_VALUE;
    const bool velocity = symbol != AH_NONE && expr_get_kind(e->ctx, symbol) == AH_VELOCITY;
    return velocity ? IN_RATE_OF_SOLUTION : IN_SOLUTION;
}

/* An equilibrium rests: only its coordinates can be given. */
static bool value_of(elaborator *e, const syntax *s, model_statement *out, model_value *given)
{
    const bool solution = out->says == AH_SAYS_SOLUTION;
    given->symbol = elab_of_state(e, s->child[0], "value");
    if (solution) e->smooth++; /* its derivatives are asked for */
    given->value = elab_scalar(e, s->child[1], place_of_value(e, out, given->symbol));
    if (solution) e->smooth--;
    given->span = s->span;
    if (given->symbol == AH_NONE || given->value == AH_NONE) return false;
    if (solution && is_quasivelocity(e, given->symbol)) {
        diag(e->ctx, A0303, s->child[0]->span, "a solution gives coordinates or velocities");
        diag_hint(e->ctx, "write: solution x = f(t), y' = g(t), …");
        return false;
    }
    if (out->says != AH_SAYS_EQUILIBRIUM || expr_get_kind(e->ctx, given->symbol) == AH_COORDINATE)
        return true;
    diag(e->ctx, A0303, s->child[0]->span, "an equilibrium is at rest: it has no velocities");
    diag_hint(e->ctx, "with velocities it is a steady motion: steady …");
    return false;
}

/* x = 1, x = 2: at no state, of which everything would hold. */
static bool given_once(elaborator *e, const syntax *list, const model_value *given)
{
    for (size_t i = 0; i < list->count; i++)
        for (size_t k = 0; k < i; k++) {
            if (given[i].symbol != given[k].symbol) continue;
            diag(e->ctx, A0302, given[i].span, "`%s` has two values here",
                 expr_text(e->ctx, &e->ctx->scratch, given[i].symbol, AH_ASCII));
            diag_note(e->ctx, given[k].span, "the first one here");
            diag_hint(e->ctx, "keep one of them");
            return false;
        }
    return true;
}

static bool values(elaborator *e, const syntax *s, model_statement *out)
{
    const syntax *list = s->child[0], *when = s->child[1];
    model_value *given = NEW_ARRAY(&e->ctx->job, model_value, list->count + 1);
    algebra_fact *facts = NEW_ARRAY(&e->ctx->job, algebra_fact, when ? when->count : 1);
    bool good = true;
    for (size_t i = 0; i < list->count; i++) good &= value_of(e, list->child[i], out, &given[i]);
    good = good && (out->says == AH_SAYS_SOLUTION ||
                    (given_once(e, list, given) && settle_values(e, list->count, given)));
    for (size_t i = 0; when && i < when->count; i++) {
        good &= elab_fact(e, when->child[i], out->says == AH_SAYS_SOLUTION ? IN_SOLUTION : IN_VALUE,
                          &facts[i]);
        if (!good) continue;
        out->border = out->border || facts[i].border;
        facts[i].border = false; /* statements say what holds there */
    }
    out->values = list->count;
    out->value = given;
    out->conditions = when ? when->count : 0;
    out->condition = facts;
    return good && (out->says != AH_SAYS_SOLUTION || is_whole_solution(e, list, given));
}

/* A polynomial in a name of its own. */
static bool polynomial(elaborator *e, const syntax *s, model_statement *out)
{
    name *n = s->child[3]->name;
    if (model_find(e->m, n->text)) {
        diag(e->ctx, A0401, s->child[3]->span, "`%s` is declared already", n->text);
        diag_hint(e->ctx, "the variable of a polynomial has a name of its own");
        return false;
    }
    out->variable = expr_symbol(e->ctx, AH_LOCAL, n->text);
    local bound = {.v = elab_from(out->variable), .outer = n->local};
    n->local = &bound;
    out->e = elab_scalar(e, s->child[2], IN_VALUE);
    n->local = bound.outer;
    return values(e, s, out) && out->e != AH_NONE;
}

static bool cases(elaborator *e, const syntax *list, model_statement *out)
{
    model_case *at = NEW_ARRAY(&e->ctx->job, model_case, list->count + 1);
    bool good = true;
    for (size_t i = 0; i < list->count; i++) {
        const syntax *s = list->child[i];
        ah_expr *all = NEW_ARRAY(&e->ctx->job, ah_expr, s->count);
        ah_span *span = NEW_ARRAY(&e->ctx->job, ah_span, s->count);
        for (size_t k = 0; k < s->count; k++) {
            const ah_expr left = elab_scalar(e, s->child[k]->child[0], IN_VALUE);
            const ah_expr right = elab_scalar(e, s->child[k]->child[1], IN_VALUE);
            good = good && left != AH_NONE && right != AH_NONE;
            if (good) all[k] = expr_sub(e->ctx, left, right);
            if (good) model_put_quasivelocities(e->m, &all[k], 1);
            span[k] = s->child[k]->span;
        }
        at[i] = (model_case){s->count, all, span};
    }
    out->cases = list->count;
    out->at = at;
    return good && e->complete;
}

static void statement(elaborator *e, const syntax *s, const char *label)
{
    const syntax *says = s->child[1];
    const claim_word *w = lang_claim_word(says->name->text);
    const bool refute = s->kind == SYNTAX_REFUTE;
    model_statement out = {.says = w->says, .e = AH_NONE};
    bool good = false;
    switch (w->takes) {
    case TAKES_LABELS: good = labels(e, says->child[0], &out); break;
    case TAKES_NUMBERS: good = numbers(e, says->child[0], &out); break;
    case TAKES_VALUES: good = values(e, says, &out); break;
    case TAKES_CASES: good = cases(e, says->child[0], &out); break;
    case TAKES_POLYNOMIAL: good = polynomial(e, says, &out); break;
    case TAKES_EXPRESSION:
        e->smooth++;
        out.e =
            elab_scalar(e, says->child[0], out.says == AH_SAYS_INTEGRAL ? IN_INTEGRAL : IN_DENSITY);
        e->smooth--;
        good = out.e != AH_NONE;
        break;
    }
    if (good) model_add_statement(e->m, label, &out, refute, s->span);
    if (good) e->m->claims.at[e->m->claims.count - 1].needs = *e->needs;
    if (good) e->m->claims.at[e->m->claims.count - 1].words = words_of(e, s);
}

/* Methods have objects that equations may name; states that equations may be limited to. */
static bool is_equation_alone(elaborator *e, const syntax *s)
{
    const char *what = s->child[2] ? "when" : s->name ? "by" : NULL;
    if (!what) return true;
    diag(e->ctx, A0303, s->child[1]->span, "`%s` belongs to equations and to `constant`", what);
    diag_hint(e->ctx, "conditions of a stability or of steady motions follow their values");
    return false;
}

void elab_claim(elaborator *e, const syntax *s)
{
    const char *label = elab_label_in_loops(e, elab_text(e, s->child[0]));
    model_needs needs = {0};
    e->needs = &needs;
    e->method = s->name ? arena_strdup(&e->ctx->job, s->name->text) : NULL;
    if (s->child[1]->kind != SYNTAX_SAYS)
        equation(e, s, label);
    else if (is_equation_alone(e, s))
        statement(e, s, label);
    e->method = NULL;
}
