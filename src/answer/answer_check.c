/* answer/answer_check.c - `anholo check`: what kind of system it is, as text. */
#include "answer_check.h"
#include "../typeset/typeset.h"

#include <math.h>
#include <string.h>

enum {
    LISTED = 20, /* coordinates and constraints that the text names; JSON names all */
    SHORT = 40   /* operations of an expression that the text shows */
};

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

/* Somebody's words: what does not apply and why, say. */
static void add_plain(text *t, const checked *c, const char *s)
{
    tex_plain(t, s, c->format);
}

static void begin_formula(text *t, const checked *c)
{
    if (c->format == AH_MATHML) text_add(t, TEX_MATH "><mrow>");
}

static void end_formula(text *t, const checked *c)
{
    if (c->format == AH_MATHML) text_add(t, "</mrow></math>");
}

static void add_name(text *t, const checked *c, const char *name)
{
    const expr_style style = expr_style_defaults(c->format);
    begin_formula(t, c);
    expr_print_name(t, name, &style);
    end_formula(t, c);
}

/* Lines are data (check_line): the next one is an item of those before it; and it ends here. A line without
 * words is none. */
static void begin_item(const checked *c)
{
    c->lines->item = true;
}

static void end_line(text *t, const checked *c)
{
    check_lines *l = c->lines;
    if (t->length > l->from)
        LIST_PUSH(&c->m->ctx->job, &l->at, ((check_line){l->from, t->length, l->item}));
    l->from = t->length;
    l->item = false;
}

static void and_more(text *t, const checked *c, size_t count)
{
    if (count <= LISTED) return;
    begin_item(c);
    text_printf(t, "… and %zu more", count - LISTED);
    end_line(t, c);
}

static void coordinates_text(text *t, const checked *c)
{
    const uint32_t n = c->m->n;
    text_printf(t, "%u coordinate%s: ", n, plural(n));
    for (uint32_t i = 0; i < n; i++) {
        if (n > LISTED && i == LISTED - 1) {
            text_add(t, ", …");
            i = n - 1;
        }
        text_add(t, i ? ", " : "");
        add_name(t, c, expr_get_name(c->m->ctx, c->m->q.at[i]));
    }
    end_line(t, c);
    size_t inputs = 0;
    for (size_t i = 0; i < c->m->functions.count; i++) {
        if (c->m->functions.at[i].input == AH_NONE) continue;
        text_add(t, inputs++ ? ", " : "Inputs, of which all functions of time are meant: ");
        add_name(t, c, c->m->functions.at[i].name);
    }
    if (inputs) end_line(t, c);
}

static void add_expression(text *t, const checked *c, ah_expr e)
{
    const expr_style style = expr_style_defaults(c->format);
    begin_formula(t, c);
    expr_print(c->m->ctx, t, e, &style);
    end_formula(t, c);
}

/* e = 0 as one formula. */
static void add_zero(text *t, const checked *c, ah_expr e)
{
    const expr_style style = expr_style_defaults(c->format);
    begin_formula(t, c);
    expr_print(c->m->ctx, t, e, &style);
    text_add(t, c->format == AH_MATHML ? "<mo>=</mo><mn>0</mn>" : " = 0");
    end_formula(t, c);
}

/* Is it short enough for a line? */
static bool is_short(const ah_model *m, const ah_expr *e, size_t count)
{
    return expr_operations(m->ctx, e, count) <= SHORT;
}

/* ---- Constraints ----------------------------------------------------------------------------- */

static void factors_text(text *t, const checked *c, const ah_constraint_class *k)
{
    static const char *const says[] = {
        [AH_FALSE] = "; does not split into linear factors",
        [AH_TRUE] = "; splits into linear factors",
        [AH_UNKNOWN] = "",
    };
    text_add(t, says[k->splits]);
    if (k->factors < 2 || !is_short(c->m, k->factor, k->factors)) return;
    for (size_t i = 0; i < k->factors; i++) {
        text_add(t, i ? ", " : k->splits == AH_TRUE ? ": " : "; factors: ");
        add_expression(t, c, k->factor[i]);
    }
}

static void constraint_text(text *t, const checked *c, const ah_constraint_class *k)
{
    static const char *const of[] = {"", " in the velocities", " in the accelerations"};
    const bool curved = strcmp(k->form, "nonlinear") == 0;
    begin_item(c);
    add_name(t, c, k->label);
    text_printf(t, ": %s%s", curved ? "non-linear" : k->form, of[k->order]);
    if (curved && k->homogeneity) text_printf(t, ", homogeneous of degree %s", k->homogeneity);
    if (curved && !k->homogeneity && k->degree > 0) text_printf(t, ", of degree %d", k->degree);
    if (curved && !k->homogeneity && k->order == 1) text_add(t, ", not homogeneous");
    text_printf(t, "; %s", k->rheonomic ? "rheonomic" : "scleronomic");
    if (curved && k->order == 1) factors_text(t, c, k);
    if (k->redundant) text_add(t, "; redundant");
    for (size_t i = 0; i < k->depends; i++) {
        text_add(t, i ? ", " : ": depends on ");
        add_name(t, c, k->depends_on[i]);
    }
    end_line(t, c);
}

static void constraints_text(text *t, const checked *c)
{
    const ah_classification *k = c->k;
    if (k->r == 0)
        text_add(t, "No constraints are written");
    else
        text_printf(t, "%zu constraint%s", k->r, plural(k->r));
    if (k->implied)
        text_printf(t, "; the velocity form implies %zu", k->velocity_rank);
    else if (k->rank < k->r)
        text_printf(t, ", of which %zu %s independent", k->rank, k->rank == 1 ? "is" : "are");
    else if (k->r > 1)
        text_add(t, ", independent");
    if (!k->rank_exact && k->states) text_add(t, " (found at random states)");
    text_add(t, k->r ? ":" : ".");
    end_line(t, c);
    for (size_t i = 0; i < k->r && i < LISTED; i++) constraint_text(t, c, &k->constraints[i]);
    and_more(t, c, k->r);
}

static void components_text(text *t, const checked *c)
{
    const ah_classification *k = c->k;
    if (k->regular == AH_FALSE)
        text_add(t,
                 "There are no regular states: where the constraints hold their gradients vanish.");
    end_line(t, c);
    if (k->components < 2) return;
    text_printf(t, "The admissible states fall into %zu components:", k->components);
    end_line(t, c);
    for (size_t i = 0; i < k->components && i < LISTED; i++) {
        begin_item(c);
        text_add(t, k->component[i]);
        end_line(t, c);
    }
    and_more(t, c, k->components);
}

/* "2 of 3 velocities are free"; of the accelerations only where constraints on them say something
 * else. */
static void freedom_text(text *t, const checked *c)
{
    const ah_classification *k = c->k;
    if (k->m == k->n)
        text_add(t, "All velocities are free");
    else
        text_printf(t, "%zu of %zu velocities %s free", k->m, k->n, k->m == 1 ? "is" : "are");
    if (k->rank > k->velocity_rank)
        text_printf(t, ", and %zu of %zu accelerations", k->n - k->rank, k->n);
    text_add(t, ".");
    end_line(t, c);
    components_text(t, c);
}

static void speeds_text(text *t, const checked *c)
{
    const ah_model *m = c->m;
    for (size_t i = 0; i < m->speeds.count; i++) {
        text_add(t, i ? ", " : "Velocity parameters: ");
        add_name(t, c, m->speeds.at[i].name);
    }
    if (m->speeds.count) text_add(t, ".");
    end_line(t, c);
    bool constrained = false;
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        const model_speed *w = &m->quasivelocities.at[i];
        text_add(t, i ? ", " : "Quasi-velocities: ");
        add_name(t, c, w->name);
        text_add(t, w->constrained ? "*" : "");
        constrained = constrained || w->constrained;
    }
    if (m->quasivelocities.count)
        text_add(t, constrained ? " (* vanishes on the constraints)." : ".");
    end_line(t, c);
}

static void kinetic_text(text *t, const checked *c)
{
    const ah_classification *k = c->k;
    text_printf(t, "T is %s",
                k->kinetic_quadratic ? "quadratic in the velocities"
                                     : "not quadratic in the velocities");
    if (k->kinetic_linear && k->kinetic_free)
        text_add(t, ", with linear and free terms");
    else if (k->kinetic_linear)
        text_add(t, ", with linear terms");
    else if (k->kinetic_free)
        text_add(t, ", with terms free of them");
    static const char *const mass[] = {
        [AH_FALSE] = "the mass matrix is singular, regular with the constraints",
        [AH_TRUE] = "the mass matrix is regular",
        [AH_UNKNOWN] = "whether the mass matrix is regular is not known",
    };
    text_printf(t, "; %s.", mass[k->mass_regular]);
    end_line(t, c);
    if (!k->forces) return;
    text_printf(t, "Forces besides the potential's%s%s.",
                k->forces_velocity ? ", depending on velocities" : "",
                k->forces_time ? ", depending on t" : "");
    end_line(t, c);
}

/* ---- Integrability --------------------------------------------------------------------------- */

static void growth_text(text *t, const checked *c)
{
    const ah_distribution *d = c->distribution;
    text_add(t, "Growth vector (");
    for (size_t i = 0; i < d->steps; i++) text_printf(t, "%s%zu", i ? ", " : "", d->growth[i]);
    text_printf(t, ") in %zu dimensions%s", d->dimension, d->time ? " (t is one)" : "");
    if (!d->spanned) text_printf(t, ", degree of non-holonomy %zu", d->steps);
    text_add(t, ".");
    end_line(t, c);
}

static void functions_text(text *t, const checked *c)
{
    const ah_distribution *d = c->distribution;
    for (size_t i = 0; i < d->functions; i++) {
        begin_item(c);
        if (d->function_of[i]) {
            text_add(t, "the holonomic constraint ");
            add_name(t, c, d->function_of[i]);
        } else if (is_short(c->m, &d->function[i], 1)) {
            add_expression(t, c, d->function[i]);
            text_add(t, " is constant");
        } else {
            text_add(t, "a long function is constant");
        }
        end_line(t, c);
    }
    const size_t missing = d->integrable - d->functions;
    if (!missing) return;
    begin_item(c);
    text_printf(t, "%zu function%s not found", missing, missing == 1 ? " was" : "s were");
    end_line(t, c);
}

static void distribution_text(text *t, const checked *c)
{
    const ah_distribution *d = c->distribution;
    if (c->k->velocity_rank == 0) return;
    if (!d->found) {
        text_add(t, "Integrability is not decided: ");
        add_plain(t, c, d->why);
        text_add(t, ".");
        end_line(t, c);
        return;
    }
    if (d->spanned)
        text_printf(t,
                    "Constraints that are not linear leave velocities that span %zu dimension%s at "
                    "a place%s.",
                    d->growth[0], plural(d->growth[0]), d->time ? " (t is one)" : "");
    end_line(t, c);
    growth_text(t, c);
    if (d->integrable == 0)
        text_add(t, "No combination of the constraints is integrable: all places can be reached");
    else if (d->integrable == d->rank)
        text_printf(t, "The constraints are integrable: places of %zu dimension%s can be reached",
                    d->accessible, plural(d->accessible));
    else
        text_printf(t,
                    "%zu of %zu combinations of the constraints %s integrable: places of %zu "
                    "dimension%s can be reached",
                    d->integrable, d->rank, d->integrable == 1 ? "is" : "are", d->accessible,
                    plural(d->accessible));
    text_add(t, d->exact ? "" : " (found at random places)");
    text_add(t, d->integrable ? ":" : ".");
    end_line(t, c);
    functions_text(t, c);
}

/* ---- Singular states ------------------------------------------------------------------------- */

static void case_text(text *t, const checked *c, const ah_singular_case *s)
{
    begin_item(c);
    if (!is_short(c->m, s->equation, s->equations)) {
        text_add(t, "a case with long equations (--json shows them)");
    } else {
        for (size_t i = 0; i < s->equations; i++) {
            text_add(t, i ? ", " : "");
            add_zero(t, c, s->equation[i]);
        }
    }
    text_add(t, s->met ? "" : " (none was met: it may be empty)");
    end_line(t, c);
}

static void singular_text(text *t, const checked *c)
{
    const ah_singular *s = c->singular;
    if (c->k->rank == 0) return;
    if (!s->listed) {
        text_add(t, "Singular states are not listed: ");
        add_plain(t, c, s->why);
        text_add(t, ".");
        end_line(t, c);
        begin_item(c);
        if (s->tried)
            text_printf(t, "in numbers, from %zu states, %s", s->tried,
                        s->found ? "one was found:" : "none was found");
        end_line(t, c);
        begin_item(c);
        for (size_t i = 0; i < s->found; i++) {
            text_add(t, i ? ", " : "");
            add_expression(t, c, s->symbol[i]);
            text_add(t, " = ");
            text_double(t, s->value[i], 6);
        }
        end_line(t, c);
        return;
    }
    text_add(t, s->cases ? "The constraints lose rank where" : "The constraints keep their rank");
    text_add(t, s->generic ? " (for general parameters)" : "");
    text_add(t, s->cases ? "" : ": there are no singular states.");
    end_line(t, c);
    for (size_t i = 0; i < s->cases; i++) case_text(t, c, &s->at[i]);
}

/* ---- Energy ---------------------------------------------------------------------------------- */

static void power_text(text *t, const checked *c, const ah_power *p)
{
    static const struct {
        const char *kind, *says;
    } kinds[] = {
        {"time", "T or V depends on t"},
        {"force", "the force on "},
        {"moving", "the moving constraint "},
        {"affine", "the affine constraint "},
        {"inhomogeneous", "the constraint, not homogeneous in the velocities, "},
        {"acceleration", "the constraint on accelerations "},
        {"velocity form", "the constraints that the velocity form implies"},
    };
    begin_item(c);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(kinds[i].kind, p->kind)) text_add(t, kinds[i].says);
    if (p->label) add_name(t, c, p->label);
    if (p->power != AH_NONE && is_short(c->m, &p->power, 1)) {
        text_add(t, ": ");
        add_expression(t, c, p->power);
    }
    end_line(t, c);
}

static void energy_text(text *t, const checked *c)
{
    const ah_energy *e = c->energy;
    const char *what = e->plain ? "The energy T + V" : "Hamilton's function (`jacobi`)";
    static const char *const says[] = {
        [AH_FALSE] = "is not constant", [AH_TRUE] = "is constant", [AH_UNKNOWN] = "may change"};
    if (c->k->regular == AH_FALSE) {
        text_printf(t, "%s: nothing is said of it without regular states.", what);
        end_line(t, c);
        return;
    }
    text_printf(t, "%s %s", what, says[e->conserved]);
    if (e->conserved == AH_TRUE && !e->proved) text_add(t, " (found at random states)");
    if (e->powers == 0)
        text_add(t, ": no force but the potential's works, and no constraint.");
    else if (e->conserved == AH_TRUE)
        text_add(t, "; these powers add up to zero:");
    else
        text_add(t, "; its rate is the sum of");
    end_line(t, c);
    for (size_t i = 0; i < e->powers && i < LISTED; i++) power_text(t, c, &e->at[i]);
    and_more(t, c, e->powers);
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* Methods for one reason stand in one line. */
static void refusals_text(text *t, const checked *c, size_t from)
{
    const char *why = c->methods[from].why;
    for (size_t i = 0; i < from; i++)
        if (!c->methods[i].applies && !strcmp(c->methods[i].why, why)) return;
    begin_item(c);
    for (size_t i = from; i < c->method_count; i++) {
        if (c->methods[i].applies || strcmp(c->methods[i].why, why) != 0) continue;
        text_printf(t, "%s%s", i == from ? "" : ", ", c->methods[i].name);
    }
    text_add(t, ": ");
    add_plain(t, c, why);
    end_line(t, c);
}

static void methods_text(text *t, const checked *c)
{
    size_t some = 0;
    for (size_t i = 0; i < c->method_count; i++)
        if (c->methods[i].applies)
            text_printf(t, "%s%s", some++ ? ", " : "Methods: ", c->methods[i].name);
    text_add(t, some ? "." : "No method applies.");
    end_line(t, c);
    if (some < c->method_count) text_add(t, "These do not apply:");
    end_line(t, c);
    for (size_t i = 0; i < c->method_count; i++)
        if (!c->methods[i].applies) refusals_text(t, c, i);
}

/* ---- The whole ------------------------------------------------------------------------------- */

bool check_find(checked *c)
{
    return ah_classify(c->m, &c->k) == AH_OK &&
           ah_find_distribution(c->m, &c->distribution) == AH_OK &&
           ah_find_singular(c->m, &c->singular) == AH_OK &&
           ah_find_energy(c->m, &c->energy) == AH_OK &&
           ah_find_methods(c->m, &c->method_count, &c->methods) == AH_OK;
}

const check_part check_parts[] = {
    {"Coordinates", coordinates_text},  {"Constraints", constraints_text},
    {"Freedom", freedom_text},          {"Integrability", distribution_text},
    {"Singular states", singular_text}, {"Speeds", speeds_text},
    {"Kinetic energy", kinetic_text},   {"Energy", energy_text},
    {"Methods", methods_text},          {NULL, NULL},
};

const char *check_write(const check_part *part, checked *c, check_lines *lines)
{
    text t = text_begin(&c->m->ctx->job);
    *lines = (check_lines){0};
    c->lines = lines;
    part->write(&t, c);
    return text_end(&t);
}

static const char *as_text(checked *c)
{
    text t = text_begin(&c->m->ctx->job);
    if (*c->m->title) text_printf(&t, "%s\n", c->m->title);
    if (c->m->source && *c->m->source) text_printf(&t, "(%s)\n", c->m->source);
    if (t.length) text_char(&t, '\n');
    for (const check_part *p = check_parts; p->title; p++) {
        check_lines lines;
        const char *words = check_write(p, c, &lines);
        for (size_t i = 0; i < lines.at.count; i++) {
            const check_line *l = &lines.at.at[i];
            text_add(&t, l->item ? "    " : "");
            text_add_n(&t, words + l->begin, l->end - l->begin);
            text_char(&t, '\n');
        }
    }
    return text_end(&t);
}

static void check(ah_ctx *ctx, void *arg)
{
    checked *c = arg;
    (void) ctx;
    if (check_find(c)) c->out = c->format == AH_JSON ? check_json(c) : as_text(c);
}

ah_status ah_check_report(ah_model *m, ah_format format, const char **out)
{
    checked c = {.m = m, .format = format};
    const ah_status status = model_guard(m, check, &c);
    *out = c.out;
    return status;
}
