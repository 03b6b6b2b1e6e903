/* written/model_print.c - the model as it was understood: `anholo dump --stage=model`. */
#include "written.h"

typedef struct printer {
    ah_model *m;
    ah_ctx *ctx;
    text out;
    expr_style style;
} printer;

/* ---- Pieces ---------------------------------------------------------------------------------- */

static void list(printer *p, size_t count, const ah_expr *e)
{
    for (size_t i = 0; i < count; i++) {
        text_add(&p->out, i ? ", " : "(");
        expr_print(p->ctx, &p->out, e[i], &p->style);
    }
    text_add(&p->out, count ? ")" : "()");
}

static void line_vector(printer *p, const char *word, ah_vector v)
{
    text_printf(&p->out, "    %s ", word);
    list(p, 3, v.c);
    text_char(&p->out, '\n');
}

/* "word name = e"; without the second half where e is AH_NONE. */
static void line(printer *p, const char *word, const char *name, ah_expr e)
{
    text_printf(&p->out, "%s%s%s", word, *name ? " " : "", name);
    if (e != AH_NONE) {
        text_add(&p->out, " = ");
        expr_print(p->ctx, &p->out, e, &p->style);
    }
    text_char(&p->out, '\n');
}

static const char *name_of(printer *p, ah_expr symbol)
{
    return expr_text(p->ctx, &p->ctx->job, symbol, AH_ASCII);
}

static void quoted(printer *p, const char *word, const char *s)
{
    if (s && *s) text_printf(&p->out, "%s \"%s\"\n", word, s);
}

static bool is_zero(printer *p, ah_vector v)
{
    return expr_is_zero(p->ctx, v.c[0]) && expr_is_zero(p->ctx, v.c[1]) &&
           expr_is_zero(p->ctx, v.c[2]);
}

/* ---- Sections -------------------------------------------------------------------------------- */

static void print_names(printer *p)
{
    const ah_model *m = p->m;
    for (size_t i = 0; i < m->parameters.count; i++)
        line(p, "parameter", m->parameters.at[i].name, m->parameters.at[i].value);
    for (uint32_t i = 0; i < m->n; i++) line(p, "coordinate", name_of(p, m->q.at[i]), AH_NONE);
    for (size_t i = 0; i < m->functions.count; i++) {
        const model_function *f = &m->functions.at[i];
        if (f->input != AH_NONE) {
            line(p, "input", f->name, f->input);
            continue;
        }
        text_printf(&p->out, "function %s", f->name);
        list(p, f->count, f->parameters);
        line(p, "", f->body == AH_NONE ? "(unspecified)" : "", f->body);
    }
    for (size_t i = 0; i < m->lets.count; i++) {
        const model_let *l = &m->lets.at[i];
        text_printf(&p->out, "let %s", l->name);
        if (l->count) list(p, l->count, l->parameters);
        text_add(&p->out, " = ");
        if (l->is_vector)
            list(p, 3, l->value.c);
        else
            expr_print(p->ctx, &p->out, l->value.c[0], &p->style);
        text_char(&p->out, '\n');
    }
}

static void print_parts(printer *p)
{
    for (size_t i = 0; i < p->m->parts.count; i++) {
        const model_part *b = &p->m->parts.at[i];
        line(p, b->is_body ? "body" : "point", b->name, AH_NONE);
        line(p, "    mass", "", b->mass);
        line_vector(p, "at", b->place);
        line_vector(p, "velocity", b->velocity);
        if (b->is_body) {
            text_add(&p->out, "    inertia ");
            list(p, 6, b->inertia);
            text_char(&p->out, '\n');
            line_vector(p, "omega", b->omega);
            line_vector(p, "omega, body axes", b->omega_body);
        }
        if (!is_zero(p, b->force)) line_vector(p, "force", b->force);
        if (!is_zero(p, b->torque)) line_vector(p, "torque", b->torque);
    }
}

static void print_energies(printer *p)
{
    const ah_model *m = p->m;
    line(p, "kinetic", "T", m->T);
    line(p, "potential", "V", m->V);
    for (uint32_t i = 0; i < m->n; i++)
        if (!expr_is_zero(p->ctx, m->F[i])) line(p, "force", name_of(p, m->q.at[i]), m->F[i]);
}

static const char *class_text(const model_constraint *c)
{
    switch (c->order) {
    case MODEL_HOLONOMIC: return "holonomic";
    case MODEL_VELOCITY: return !c->linear ? "non-linear" : c->affine ? "affine" : "linear";
    default: return c->linear ? "accelerations, linear" : "accelerations, non-linear";
    }
}

static void print_constraints(printer *p)
{
    const ah_model *m = p->m;
    for (size_t i = 0; i < m->constraints.count; i++) {
        const model_constraint *c = &m->constraints.at[i];
        text_printf(&p->out, "constraint %s: ", c->label);
        expr_print(p->ctx, &p->out, c->c, &p->style);
        text_printf(&p->out, " = 0    # %s, %s\n", class_text(c),
                    c->rheonomic ? "rheonomic" : "scleronomic");
    }
    for (uint32_t i = 0; i < m->n && m->speeds.count; i++)
        line(p, "velocity", name_of(p, m->v.at[i]), m->psi.at[i]);
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        const model_speed *w = &m->quasivelocities.at[i];
        line(p, w->constrained ? "quasivelocity (vanishes)" : "quasivelocity", w->name,
             w->definition);
    }
}

static void print_fact(printer *p, const algebra_fact *f)
{
    expr_print(p->ctx, &p->out, f->e, &p->style);
    text_add(&p->out, f->border ? " >= 0" : f->positive ? " > 0" : " != 0");
}

static void print_facts(printer *p)
{
    for (size_t i = 0; i < p->m->facts.count; i++) {
        text_add(&p->out, "assume ");
        print_fact(p, &p->m->facts.at[i]);
        text_char(&p->out, '\n');
    }
}

static void print_list(printer *p, size_t i, const char *first)
{
    text_add(&p->out, i ? ", " : first);
}

static void print_statement(printer *p, const model_statement *s)
{
    text_add(&p->out, ah_says_word(s->says));
    if (s->e != AH_NONE) {
        text_char(&p->out, ' ');
        expr_print(p->ctx, &p->out, s->e, &p->style);
    }
    if (s->says == AH_SAYS_CHARACTERISTIC)
        text_printf(&p->out, " in %s%s", name_of(p, s->variable), s->values ? " at" : "");
    for (size_t i = 0; i < s->cases; i++)
        for (size_t k = 0; k < s->at[i].count; k++) {
            text_add(&p->out, k ? ", " : i ? " or " : " ");
            expr_print(p->ctx, &p->out, s->at[i].e[k], &p->style);
            text_add(&p->out, " = 0");
        }
    if (s->says == AH_SAYS_SINGULAR && !s->cases) text_add(&p->out, " nowhere");
    for (size_t i = 0; i < s->constraints; i++) {
        print_list(p, i, " ");
        text_add(&p->out, p->m->constraints.at[s->constraint[i]].label);
    }
    for (size_t i = 0; i < s->numbers; i++) {
        print_list(p, i, " ");
        text_printf(&p->out, "%ld", s->number[i]);
    }
    for (size_t i = 0; i < s->values; i++) {
        print_list(p, i, " ");
        text_printf(&p->out, "%s = ", name_of(p, s->value[i].symbol));
        expr_print(p->ctx, &p->out, s->value[i].value, &p->style);
    }
    for (size_t i = 0; i < s->conditions; i++) {
        print_list(p, i, " when ");
        print_fact(p, &s->condition[i]);
    }
    if (s->border) text_add(&p->out, ", or with equality");
    text_char(&p->out, '\n');
}

static void print_limit(printer *p, const model_limit *l)
{
    text_printf(&p->out, "limit %s -> ", name_of(p, l->symbol));
    if (l->infinite)
        text_add(&p->out, l->infinite > 0 ? "inf" : "-inf");
    else
        expr_print(p->ctx, &p->out, l->value, &p->style);
    if (l->from != AH_NONE) {
        text_add(&p->out, " along t = ");
        expr_print(p->ctx, &p->out, l->from, &p->style);
        text_add(&p->out, " .. ");
        expr_print(p->ctx, &p->out, l->to, &p->style);
    }
    text_add(&p->out, ": ");
}

static void print_when(printer *p, const model_when *w)
{
    const char *before = " when ";
    for (size_t i = 0; i < w->values; i++, before = ", ") {
        text_add(&p->out, before);
        expr_print(p->ctx, &p->out, w->value[i].symbol, &p->style);
        text_add(&p->out, " = ");
        expr_print(p->ctx, &p->out, w->value[i].value, &p->style);
    }
    for (size_t i = 0; i < w->equations; i++, before = ", ") {
        text_add(&p->out, before);
        expr_print(p->ctx, &p->out, w->equation[i], &p->style);
        text_add(&p->out, " = 0");
    }
    for (size_t i = 0; i < w->conditions; i++, before = ", ") {
        text_add(&p->out, before);
        print_fact(p, &w->condition[i]);
    }
}

static void print_tasks(printer *p)
{
    const ah_model *m = p->m;
    for (size_t i = 0; i < m->start.count; i++)
        line(p, "start", name_of(p, m->start.at[i].symbol), m->start.at[i].value);
    if (m->t0 != AH_NONE) {
        text_add(&p->out, "simulate t = ");
        expr_print(p->ctx, &p->out, m->t0, &p->style);
        text_add(&p->out, " .. ");
        expr_print(p->ctx, &p->out, m->t1, &p->style);
        text_char(&p->out, '\n');
    }
    for (size_t i = 0; i < m->outputs.count; i++) {
        bool mixed;
        const char *by = model_method_of(p->m, m->outputs.at[i].e, &mixed);
        const char *word = by ? arena_printf(&p->ctx->scratch, "output by %s:", by) : "output";
        line(p, word, m->outputs.at[i].name, m->outputs.at[i].e);
    }
    for (size_t i = 0; i < m->units.count; i++)
        text_printf(&p->out, "unit %s = \"%s\"\n", m->units.at[i].name, m->units.at[i].unit);
    for (size_t i = 0; i < m->events.count; i++) {
        const model_event *e = &m->events.at[i];
        text_printf(&p->out, "%s \"%s\" when ", e->stop ? "stop" : "record", e->label);
        expr_print(p->ctx, &p->out, e->e, &p->style);
        text_printf(&p->out, " = 0%s\n",
                    e->direction > 0   ? " rising"
                    : e->direction < 0 ? " falling"
                                       : "");
    }
    for (size_t i = 0; i < m->claims.count; i++) {
        const model_claim *c = &m->claims.at[i];
        text_printf(&p->out, "%s \"%s\"", c->refute ? "refute" : "claim", c->label);
        text_printf(&p->out, "%s%s: ", c->method ? " by " : "", c->method ? c->method : "");
        if (c->statement) {
            print_statement(p, c->statement);
            continue;
        }
        if (c->identically) text_add(&p->out, "identically ");
        if (c->limit) print_limit(p, c->limit);
        expr_print(p->ctx, &p->out, c->left, &p->style);
        text_add(&p->out, " = ");
        expr_print(p->ctx, &p->out, c->right, &p->style);
        if (c->when) print_when(p, c->when);
        text_char(&p->out, '\n');
    }
}

static void print_drawing(printer *p, const model_drawing *d)
{
    static const char *const words[] = {
#define X(code, word) word,
        AH_SHAPE_LIST(X)
#undef X
    };
    const ah_drawing *w = &d->what;
    text_printf(&p->out, "draw %s%s%s\n", words[w->shape], w->body ? " " : "",
                w->body ? w->body : "");
    if (w->at.c[0] != AH_NONE) line_vector(p, "at", w->at);
    if (w->to.c[0] != AH_NONE) line_vector(p, "to", w->to);
    for (int k = 0; k < 3 && w->size[k] != AH_NONE; k++) line(p, "    size", "", w->size[k]);
    if (w->axis) text_printf(&p->out, "    axis %c\n", "xyz"[w->axis - 1]);
    if (w->turn != AH_NONE) line(p, "    turn", "", w->turn);
    if (w->local != AH_NONE) {
        line(p, "    from", name_of(p, w->local), w->from);
        line(p, "    until", name_of(p, w->local), w->until);
    }
    quoted(p, "    label", w->label);
    quoted(p, "    colour", w->colour);
}

const char *model_print(ah_model *m, arena *a)
{
    printer p = {m, m->ctx, text_begin(a), expr_style_defaults(AH_ASCII)};
    quoted(&p, "system", m->title);
    quoted(&p, "source", m->source);
    print_names(&p);
    print_facts(&p);
    print_parts(&p);
    if (m->finished) {
        print_energies(&p);
        print_constraints(&p);
    }
    print_tasks(&p);
    for (size_t i = 0; i < m->drawings.count; i++) print_drawing(&p, &m->drawings.at[i]);
    return text_end(&p.out);
}
