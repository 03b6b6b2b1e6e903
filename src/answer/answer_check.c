/* answer/answer_check.c - `anholo check`: what kind of system it is, in words. */
#include "answer_check.h"
#include "answers.h"

#include <string.h>

enum {
    LISTED = 20, /* coordinates and constraints that the text names; JSON names all */
    SHORT = 40   /* operations of an expression that the text shows */
};

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void and_more(prose *p, size_t count)
{
    if (count <= LISTED) return;
    prose_item(p);
    prose_printf(p, "… and %zu more", count - LISTED);
    prose_end(p);
}

static void coordinates_text(prose *p, const checked *c)
{
    const uint32_t n = c->m->n;
    prose_printf(p, "%u coordinate%s: ", n, plural(n));
    for (uint32_t i = 0; i < n; i++) {
        if (n > LISTED && i == LISTED - 1) {
            prose_add(p, ", …");
            i = n - 1;
        }
        prose_add(p, i ? ", " : "");
        prose_name(p, expr_get_name(c->m->ctx, c->m->q.at[i]));
    }
    prose_end(p);
    size_t inputs = 0;
    for (size_t i = 0; i < c->m->functions.count; i++) {
        if (c->m->functions.at[i].input == AH_NONE) continue;
        prose_add(p, inputs++ ? ", " : "Inputs, of which all functions of time are meant: ");
        prose_name(p, c->m->functions.at[i].name);
    }
    prose_end(p);
}

/* Is it short enough for a line? */
static bool is_short(const ah_model *m, const ah_expr *e, size_t count)
{
    return expr_operations(m->ctx, e, count) <= SHORT;
}

const char *check_form(ah_form form)
{
    static const char *const words[] = {
#define X(code, word) word,
        AH_FORM_LIST(X)
#undef X
    };
    return words[form];
}

/* ---- Constraints ----------------------------------------------------------------------------- */

static void factors_text(prose *p, const checked *c, const ah_constraint_class *k)
{
    static const char *const says[] = {
        [AH_FALSE] = "; does not split into linear factors",
        [AH_TRUE] = "; splits into linear factors",
        [AH_UNKNOWN] = "",
    };
    prose_add(p, says[k->splits]);
    if (k->factors < 2 || !is_short(c->m, k->factor, k->factors)) return;
    for (size_t i = 0; i < k->factors; i++) {
        prose_add(p, i ? ", " : k->splits == AH_TRUE ? ": " : "; factors: ");
        prose_formula(p, k->factor[i]);
    }
}

static void constraint_text(prose *p, const checked *c, const ah_constraint_class *k)
{
    static const char *const of[] = {"", " in the velocities", " in the accelerations"};
    const bool curved = k->form == AH_FORM_NONLINEAR;
    prose_item(p);
    prose_name(p, k->label);
    prose_printf(p, ": %s%s", curved ? "non-linear" : check_form(k->form), of[k->order]);
    const bool homogeneous = k->homogeneity != AH_NONE;
    if (curved && homogeneous)
        prose_printf(p, ", homogeneous of degree %s",
                     expr_text(c->m->ctx, &c->m->ctx->job, k->homogeneity, AH_ASCII));
    if (curved && !homogeneous && k->degree > 0) prose_printf(p, ", of degree %d", k->degree);
    if (curved && !homogeneous && k->order == 1) prose_add(p, ", not homogeneous");
    prose_printf(p, "; %s", k->rheonomic ? "rheonomic" : "scleronomic");
    if (curved && k->order == 1) factors_text(p, c, k);
    if (k->redundant) prose_add(p, "; redundant");
    for (size_t i = 0; i < k->depends; i++) {
        prose_add(p, i ? ", " : ": depends on ");
        prose_name(p, k->depends_on[i]);
    }
    prose_end(p);
}

/* The velocities that are free on a component; n: it cannot be told. */
static size_t free_on(const checked *c, size_t part)
{
    const ah_distribution *d = &c->parts[part].distribution;
    return d->found && !d->spanned ? c->k->n - d->rank : c->k->n;
}

/* x' y' = 0, y' z' = 0: one velocity is free on x' = z' = 0, two on y' = 0. */
static bool freedom_differs(const checked *c)
{
    for (size_t i = 0; i < c->part_count; i++)
        if (free_on(c, i) != c->k->n && free_on(c, i) != c->k->m) return true;
    return false;
}

static void constraints_text(prose *p, const checked *c)
{
    const ah_classification *k = c->k;
    if (k->r == 0)
        prose_add(p, "No constraints are written");
    else
        prose_printf(p, "%zu constraint%s", k->r, plural(k->r));
    if (k->implied)
        prose_printf(p, "; the velocity form implies %zu", k->velocity_rank);
    else if (freedom_differs(c))
        prose_add(p, ", not as many independent on each component");
    else if (k->rank < k->r)
        prose_printf(p, ", of which %zu %s independent", k->rank, k->rank == 1 ? "is" : "are");
    else if (k->r > 1)
        prose_add(p, ", independent");
    if (!k->rank_exact && k->states) prose_add(p, " (found at random states)");
    prose_add(p, k->r ? ":" : ".");
    prose_end(p);
    for (size_t i = 0; i < k->r && i < LISTED; i++) constraint_text(p, c, &k->constraints[i]);
    and_more(p, k->r);
}

static void components_text(prose *p, const checked *c)
{
    const ah_classification *k = c->k;
    if (k->regular == AH_FALSE)
        prose_add(p, "There are no regular states: where the constraints hold their gradients "
                     "vanish or depend on each other.");
    prose_end(p);
    if (k->components < 2) return;
    prose_printf(p, "The admissible states fall into %zu components:", k->components);
    prose_end(p);
    for (size_t i = 0; i < k->components && i < LISTED; i++) {
        prose_item(p);
        prose_add(p, k->component[i].name);
        prose_end(p);
    }
    and_more(p, k->components);
}

static void free_text(prose *p, size_t free, size_t n)
{
    if (free == n)
        prose_add(p, "All velocities are free");
    else
        prose_printf(p, "%zu of %zu velocities %s free", free, n, free == 1 ? "is" : "are");
}

static void free_on_components_text(prose *p, const checked *c)
{
    for (size_t i = 0; i < c->part_count; i++) {
        if (free_on(c, i) == c->k->n) continue;
        free_text(p, free_on(c, i), c->k->n);
        prose_printf(p, " on the component %s.", c->parts[i].component);
        prose_end(p);
    }
}

/* "2 of 3 velocities are free"; of the accelerations only where constraints on them say something
 * else. */
static void freedom_text(prose *p, const checked *c)
{
    const ah_classification *k = c->k;
    if (k->regular == AH_FALSE) { /* beside the constraints it would be another number */
        components_text(p, c);
        return;
    }
    if (freedom_differs(c)) {
        components_text(p, c);
        free_on_components_text(p, c);
        return;
    }
    free_text(p, k->m, k->n);
    if (k->rank > k->velocity_rank)
        prose_printf(p, ", and %zu of %zu accelerations", k->n - k->rank, k->n);
    prose_add(p, k->generic ? " (for general parameters)." : ".");
    prose_end(p);
    components_text(p, c);
}

static void speeds_text(prose *p, const checked *c)
{
    const ah_model *m = c->m;
    for (size_t i = 0; i < m->speeds.count; i++) {
        prose_add(p, i ? ", " : "Velocity parameters: ");
        prose_name(p, m->speeds.at[i].name);
    }
    if (m->speeds.count) prose_add(p, ".");
    prose_end(p);
    bool constrained = false;
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        const model_speed *w = &m->quasivelocities.at[i];
        prose_add(p, i ? ", " : "Quasi-velocities: ");
        prose_name(p, w->name);
        prose_add(p, w->constrained ? "*" : "");
        constrained = constrained || w->constrained;
    }
    if (m->quasivelocities.count)
        prose_add(p, constrained ? " (* vanishes on the constraints)." : ".");
    prose_end(p);
}

static void text_mass(prose *p, const ah_classification *k)
{
    static const char *const mass[] = {
        [AH_FALSE] = "the mass matrix is singular, regular with the constraints",
        [AH_TRUE] = "the mass matrix is regular",
        [AH_UNKNOWN] = "whether the mass matrix is regular is not known",
    };
    prose_add(p, mass[k->mass_regular]);
    if (k->mass_regular != AH_TRUE || k->mass_singular == AH_FALSE) return;
    prose_add(p, k->mass_singular == AH_TRUE ? " but where " : " at a general place");
    for (size_t i = 0; i < k->mass_zeros; i++) {
        if (i) prose_add(p, " or ");
        prose_formula(p, k->mass_zero[i]);
        prose_add(p, " = 0");
    }
}

static void kinetic_text(prose *p, const checked *c)
{
    const ah_classification *k = c->k;
    if (c->m->kinematic) {
        prose_add(p, "A kinematic model: there is no kinetic energy, the velocities are inputs.");
        prose_end(p);
        return;
    }
    prose_printf(p, "T is %s",
                 k->kinetic_quadratic ? "quadratic in the velocities"
                                      : "not quadratic in the velocities");
    if (k->kinetic_linear && k->kinetic_free)
        prose_add(p, ", with linear and free terms");
    else if (k->kinetic_linear)
        prose_add(p, ", with linear terms");
    else if (k->kinetic_free)
        prose_add(p, ", with terms free of them");
    prose_add(p, "; ");
    text_mass(p, k);
    prose_add(p, ".");
    prose_end(p);
    if (!k->forces) return;
    prose_printf(p, "Forces besides the potential's%s%s.",
                 k->forces_velocity ? ", depending on velocities" : "",
                 k->forces_time ? ", depending on t" : "");
    prose_end(p);
}

/* ---- Integrability --------------------------------------------------------------------------- */

static void growth_text(prose *p, const ah_distribution *d)
{
    prose_add(p, "Growth vector (");
    for (size_t i = 0; i < d->steps; i++) prose_printf(p, "%s%zu", i ? ", " : "", d->growth[i]);
    prose_printf(p, ") in %zu dimensions%s", d->dimension, d->time ? " (t is one)" : "");
    if (!d->spanned) prose_printf(p, ", degree of non-holonomy %zu", d->steps);
    if (d->switches)
        prose_add(p, " at the places tried: the constraints switch, elsewhere it may be another");
    if (d->generic) prose_add(p, " (for general parameters)");
    prose_add(p, ".");
    prose_end(p);
}

static void functions_text(prose *p, const checked *c, const ah_distribution *d)
{
    for (size_t i = 0; i < d->functions; i++) {
        prose_item(p);
        if (d->function_of[i]) {
            prose_add(p, "the holonomic constraint ");
            prose_name(p, d->function_of[i]);
        } else if (is_short(c->m, &d->function[i], 1)) {
            prose_formula(p, d->function[i]);
            prose_add(p, " is constant");
        } else {
            prose_add(p, "a long function is constant");
        }
        prose_end(p);
    }
    const size_t missing = d->integrable - d->functions;
    if (!missing) return;
    prose_item(p);
    prose_printf(p, "%zu function%s not found", missing, missing == 1 ? " was" : "s were");
    prose_end(p);
}

static void one_distribution_text(prose *p, const checked *c, const ah_distribution *d)
{
    if (!d->found) {
        prose_add(p, "Integrability is not decided: ");
        prose_add(p, d->why);
        prose_add(p, ".");
        prose_end(p);
        return;
    }
    if (d->spanned)
        prose_printf(
            p,
            "Constraints that are not linear leave velocities that span %zu dimension%s at "
            "a place%s.",
            d->growth[0], plural(d->growth[0]), d->time ? " (t is one)" : "");
    prose_end(p);
    growth_text(p, d);
    if (d->integrable == 0)
        prose_add(p, "No combination of the constraints is integrable: all places can be reached");
    else if (d->integrable == d->rank)
        prose_printf(p, "The constraints are integrable: places of %zu dimension%s can be reached",
                     d->accessible, plural(d->accessible));
    else
        prose_printf(p,
                     "%zu of %zu combinations of the constraints %s integrable: places of %zu "
                     "dimension%s can be reached",
                     d->integrable, d->rank, d->integrable == 1 ? "is" : "are", d->accessible,
                     plural(d->accessible));
    prose_add(p, d->exact ? "" : " (found at random places)");
    if (d->generic) prose_add(p, " (for general parameters)");
    prose_add(p, d->integrable ? ":" : ".");
    prose_end(p);
    functions_text(p, c, d);
}

static void distribution_text(prose *p, const checked *c)
{
    if (c->k->velocity_rank == 0) return;
    if (!c->part_count) one_distribution_text(p, c, c->distribution);
    for (size_t i = 0; i < c->part_count && i < LISTED; i++) {
        prose_printf(p, "On the component %s:", c->parts[i].component);
        prose_end(p);
        one_distribution_text(p, c, &c->parts[i].distribution);
    }
    and_more(p, c->part_count);
}

/* ---- Singular states ------------------------------------------------------------------------- */

static void case_text(prose *p, const checked *c, const ah_singular_case *s)
{
    prose_item(p);
    if (!is_short(c->m, s->equation, s->equations)) {
        prose_add(p, "a case with long equations (--json shows them)");
    } else {
        for (size_t i = 0; i < s->equations; i++) {
            prose_add(p, i ? ", " : "");
            prose_relation(p, s->equation[i], "=", expr_int(c->m->ctx, 0));
        }
    }
    prose_add(p, s->met ? "" : " (none was met: it may be empty)");
    prose_end(p);
}

static void singular_text(prose *p, const checked *c)
{
    const ah_singular *s = c->singular;
    if (c->k->rank == 0) return;
    if (!s->listed) {
        prose_add(p, "Singular states are not listed: ");
        prose_add(p, s->why);
        prose_add(p, ".");
        prose_end(p);
        prose_item(p);
        if (s->tried)
            prose_printf(p, "in numbers, from %zu states, %s", s->tried,
                         s->found.count ? "one was found:" : "none was found");
        prose_end(p);
        prose_item(p);
        for (size_t i = 0; i < s->found.count; i++) {
            prose_add(p, i ? ", " : "");
            prose_value(p, s->found.symbol[i], s->found.value[i], 6);
        }
        prose_end(p);
        return;
    }
    prose_add(p, s->cases ? "The constraints lose rank where" : "The constraints keep their rank");
    prose_add(p, s->generic ? " (for general parameters)" : "");
    prose_add(p, s->cases ? "" : ": there are no singular states.");
    prose_end(p);
    for (size_t i = 0; i < s->cases; i++) case_text(p, c, &s->at[i]);
}

/* ---- Energy ---------------------------------------------------------------------------------- */

static void power_text(prose *p, const checked *c, const ah_power *w)
{
    static const char *const says[] = {
        [AH_POWER_TIME] = "T or V depends on t",
        [AH_POWER_FORCE] = "the force on ",
        [AH_POWER_MOVING] = "the moving constraint ",
        [AH_POWER_AFFINE] = "the affine constraint ",
        [AH_POWER_INHOMOGENEOUS] = "the constraint, not homogeneous in the velocities, ",
        [AH_POWER_ACCELERATION] = "the constraint on accelerations ",
        [AH_POWER_VELOCITY_FORM] = "the constraints that the velocity form implies",
    };
    prose_item(p);
    prose_add(p, says[w->kind]);
    if (w->label) prose_name(p, w->label);
    if (w->power != AH_NONE && is_short(c->m, &w->power, 1)) {
        prose_add(p, ": ");
        prose_formula(p, w->power);
    }
    prose_end(p);
}

static void constant_text(prose *p, const checked *c)
{
    const ah_energy *e = c->energy;
    const char *what = e->plain ? "The energy T + V" : "Hamilton's function (`jacobi`)";
    static const char *const says[] = {
        [AH_FALSE] = "is not constant", [AH_TRUE] = "is constant", [AH_UNKNOWN] = "may change"};
    if (c->m->kinematic) return;
    if (c->k->regular == AH_FALSE) {
        prose_printf(p, "%s: nothing is said of it without regular states.", what);
        prose_end(p);
        return;
    }
    if (e->conserved == AH_UNKNOWN && e->powers == 0) {
        prose_printf(p,
                     "%s is not known to be constant: no force but the potential's works, and no "
                     "constraint, ",
                     what);
        prose_add(p,
                  "but it may exist nowhere, or only on a part, or jump where something switches.");
        prose_end(p);
        return;
    }
    prose_printf(p, "%s %s", what, says[e->conserved]);
    if (e->conserved == AH_TRUE && !e->proved) prose_add(p, " (found at random states)");
    if (e->powers == 0)
        prose_add(p, ": no force but the potential's works, and no constraint.");
    else if (e->conserved == AH_TRUE)
        prose_add(p, "; these powers add up to zero:");
    else
        prose_add(p, "; its rate is the sum of");
    prose_end(p);
    for (size_t i = 0; i < e->powers && i < LISTED; i++) power_text(p, c, &e->at[i]);
    and_more(p, e->powers);
}

/* Masses that switch: by the rule d sign = 0 there is no impulse where they do. */
static void jump_text(prose *p, const ah_energy *e)
{
    if (e->jump == AH_NONE) return;
    prose_add(p, "T may jump, for example where ");
    prose_formula(p, e->jump);
    prose_add(p, " = 0: a switch has the derivative 0, so velocities go on there as they are, and "
                 "momenta or the energy jump.");
    prose_end(p);
}

static void energy_text(prose *p, const checked *c)
{
    constant_text(p, c);
    jump_text(p, c->energy);
}

/* ---- Methods --------------------------------------------------------------------------------- */

/* Methods for one reason stand in one line. */
static void refusals_text(prose *p, const checked *c, size_t from)
{
    const char *why = c->methods[from].why;
    for (size_t i = 0; i < from; i++)
        if (!c->methods[i].applies && !strcmp(c->methods[i].why, why)) return;
    prose_item(p);
    for (size_t i = from; i < c->method_count; i++) {
        if (c->methods[i].applies || strcmp(c->methods[i].why, why) != 0) continue;
        prose_printf(p, "%s%s", i == from ? "" : ", ", c->methods[i].name);
    }
    prose_add(p, ": ");
    prose_add(p, why);
    prose_end(p);
}

static void methods_text(prose *p, const checked *c)
{
    size_t some = 0;
    if (c->m->kinematic) return;
    for (size_t i = 0; i < c->method_count; i++)
        if (c->methods[i].applies)
            prose_printf(p, "%s%s", some++ ? ", " : "Methods: ", c->methods[i].name);
    prose_add(p, some ? "." : "No method applies.");
    prose_end(p);
    if (some < c->method_count) prose_add(p, "These do not apply:");
    prose_end(p);
    for (size_t i = 0; i < c->method_count; i++)
        if (!c->methods[i].applies) refusals_text(p, c, i);
}

/* ---- The whole ------------------------------------------------------------------------------- */

/* Of several components each has its own, and none speaks for all. */
static bool find_distributions(checked *c)
{
    if (c->k->components < 2) {
        if (kind_distribution(c->m, &c->distribution) != AH_OK) return false;
        if (c->distribution->found) return true;
        if (kind_distribution_parts(c->m, &c->part_count, &c->parts) != AH_OK) return false;
        if (c->part_count < 2) c->part_count = 0; /* planes with irrational equations */
        return true;
    }
    ah_distribution *none = NEW(&c->m->ctx->job, ah_distribution);
    if (kind_distribution_parts(c->m, &c->part_count, &c->parts) != AH_OK) return false;
    none->why = c->part_count ? "it is another one on each component"
                              : "it was not found for each component";
    c->distribution = none;
    return true;
}

bool check_find(checked *c)
{
    return kind_classify(c->m, &c->k) == AH_OK && find_distributions(c) &&
           kind_singular(c->m, &c->singular) == AH_OK &&
           analyse_energy(c->m, &c->energy) == AH_OK &&
           kind_methods(c->m, &c->method_count, &c->methods) == AH_OK;
}

const check_part check_parts[] = {
    {"Coordinates", coordinates_text},  {"Constraints", constraints_text},
    {"Freedom", freedom_text},          {"Integrability", distribution_text},
    {"Singular states", singular_text}, {"Speeds", speeds_text},
    {"Kinetic energy", kinetic_text},   {"Energy", energy_text},
    {"Methods", methods_text},          {NULL, NULL},
};

static const char *in_words(const checked *c, ah_format format)
{
    const char *title = c->m->title, *where_from = c->m->source;
    prose p = prose_document(c->m->ctx, format, title, "What kind of system it is");
    const bool heading = format == AH_TEXT;
    if (heading && *title) prose_add(&p, title);
    prose_end(&p);
    if (where_from && *where_from) prose_printf(&p, "(%s)", where_from);
    prose_end(&p);
    if (p.out.length) prose_gap(&p);
    for (const check_part *part = check_parts; part->title; part++) {
        part->write(&p, c);
        prose_end(&p);
    }
    return prose_finish_document(&p);
}

static void find(ah_answer *a, const void *unused)
{
    (void) unused;
    arena *memory = &a->model->ctx->job;
    checked *c = NEW(memory, checked);
    c->m = a->model;
    if (!check_find(c)) return;
    ah_check_values *v = NEW(memory, ah_check_values);
    *v = (ah_check_values){c->k,        c->distribution, c->part_count,   c->parts,
                           c->singular, c->energy,       c->method_count, c->methods};
    a->values = v;
    a->found = c;
}

static const char *write(const ah_answer *a, ah_format format)
{
    if (format == AH_JSON) return check_json(a->found);
    return prose_writes(format) ? in_words(a->found, format) : NULL;
}

ah_status ah_check(ah_model *m, ah_answer **out)
{
    static const answer_question question = {AH_CHECK, find, write};
    return answer_ask(m, &question, NULL, out);
}

const ah_check_values *ah_answer_check(const ah_answer *a)
{
    return answer_values(a, AH_CHECK);
}
