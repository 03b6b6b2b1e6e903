/* report/check.c - `anholo check`: what kind of system it is, as text and as JSON
 * (docs/schema/check.json). */
#include <anholo/analyse.h>

#include "../model/model.h"

#include <math.h>
#include <string.h>

typedef struct checked {
    ah_model *m;
    ah_format format;
    const ah_classification *k;
    const char *out;
} checked;

/* ---- JSON ------------------------------------------------------------------------------------ */

static void key_int(json *j, const char *key, size_t value)
{
    json_key(j, key);
    json_int(j, (long long) value);
}

static void key_bool(json *j, const char *key, bool value)
{
    json_key(j, key);
    json_bool(j, value);
}

static void key_truth(json *j, const char *key, ah_truth value)
{
    json_key(j, key);
    if (value == AH_UNKNOWN)
        json_null(j);
    else
        json_bool(j, value == AH_TRUE);
}

static void key_string(json *j, const char *key, const char *value)
{
    json_key(j, key);
    json_string(j, value);
}

static void key_strings(json *j, const char *key, size_t count, const char *const *values)
{
    json_key(j, key);
    json_array(j);
    for (size_t i = 0; i < count; i++) json_string(j, values[i]);
    json_close(j);
}

static void json_constraint(json *j, const ah_constraint_class *c)
{
    static const char *const order[] = {"coordinates", "velocities", "accelerations"};
    json_object(j);
    key_string(j, "label", c->label);
    key_string(j, "order", order[c->order]);
    key_string(j, "class", c->kind);
    key_bool(j, "rheonomic", c->rheonomic);
    json_key(j, "degree");
    if (c->degree < 0)
        json_null(j);
    else
        json_int(j, c->degree);
    json_key(j, "homogeneity");
    if (isnan(c->homogeneity_value))
        json_string(j, c->homogeneity);
    else
        json_number(j, c->homogeneity_value);
    key_bool(j, "redundant", c->redundant);
    key_strings(j, "depends_on", c->depends, c->depends_on);
    json_close(j);
}

static void json_names(json *j, const ah_model *m)
{
    json_key(j, "coordinates");
    json_array(j);
    for (uint32_t i = 0; i < m->n; i++) json_string(j, expr_get_name(m->ctx, m->q.at[i]));
    json_close(j);
    json_key(j, "velocity_parameters");
    json_array(j);
    for (size_t i = 0; i < m->speeds.count; i++) json_string(j, m->speeds.at[i].name);
    json_close(j);
    json_key(j, "quasivelocities");
    json_array(j);
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        json_object(j);
        key_string(j, "name", m->quasivelocities.at[i].name);
        key_bool(j, "constrained", m->quasivelocities.at[i].constrained);
        json_close(j);
    }
    json_close(j);
}

static void json_energy(json *j, const ah_classification *k)
{
    json_key(j, "kinetic");
    json_object(j);
    key_truth(j, "mass_matrix_regular", k->mass_regular);
    key_bool(j, "quadratic", k->kinetic_quadratic);
    key_bool(j, "linear_part", k->kinetic_linear);
    key_bool(j, "free_part", k->kinetic_free);
    json_close(j);
    json_key(j, "forces");
    json_object(j);
    key_bool(j, "present", k->forces);
    key_bool(j, "depend_on_velocities", k->forces_velocity);
    key_bool(j, "depend_on_time", k->forces_time);
    json_close(j);
    key_bool(j, "lagrangian_depends_on_time", k->lagrangian_time);
    json_key(j, "energy");
    json_object(j);
    key_truth(j, "conserved", k->energy_conserved);
    key_strings(j, "reasons", k->energy_reasons, k->energy_reason);
    json_close(j);
}

static const char *as_json(const checked *c)
{
    const ah_classification *k = c->k;
    json j = json_begin(&c->m->ctx->job);
    json_object(&j);
    key_string(&j, "model", c->m->title);
    key_string(&j, "source", c->m->source);
    key_int(&j, "n", k->n);
    key_int(&j, "r", k->r);
    key_int(&j, "m", k->m);
    key_int(&j, "rank", k->rank);
    key_int(&j, "velocity_rank", k->velocity_rank);
    key_bool(&j, "rank_exact", k->rank_exact);
    key_bool(&j, "implied", k->implied);
    key_int(&j, "states", k->states);
    json_names(&j, c->m);
    json_key(&j, "constraints");
    json_array(&j);
    for (size_t i = 0; i < k->r; i++) json_constraint(&j, &k->constraints[i]);
    json_close(&j);
    json_energy(&j, k);
    json_close(&j);
    return json_end(&j);
}

/* ---- Text ------------------------------------------------------------------------------------ */

enum { LISTED = 20 }; /* coordinates and constraints that the text names; JSON names all */

static const char *plural(size_t count)
{
    return count == 1 ? "" : "s";
}

static void add_name(text *t, const char *name)
{
    const expr_style style = expr_style_defaults(AH_TEXT);
    expr_print_name(t, name, &style);
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
        add_name(t, expr_get_name(c->m->ctx, c->m->q.at[i]));
    }
    text_char(t, '\n');
}

static void constraint_text(text *t, const ah_constraint_class *c)
{
    static const char *const of[] = {"", " in the velocities", " in the accelerations"};
    const char *kind = strrchr(c->kind, ' ') ? strrchr(c->kind, ' ') + 1 : c->kind;
    const bool curved = strcmp(kind, "nonlinear") == 0;
    text_add(t, "    ");
    add_name(t, c->label);
    text_printf(t, ": %s%s", curved ? "non-linear" : kind, of[c->order]);
    if (curved && c->homogeneity) text_printf(t, ", homogeneous of degree %s", c->homogeneity);
    if (curved && !c->homogeneity && c->degree > 0) text_printf(t, ", of degree %d", c->degree);
    if (curved && !c->homogeneity && c->order == 1) text_add(t, ", not homogeneous");
    text_printf(t, "; %s", c->rheonomic ? "rheonomic" : "scleronomic");
    if (c->redundant) text_add(t, "; redundant");
    for (size_t i = 0; i < c->depends; i++) {
        text_add(t, i ? ", " : ": depends on ");
        add_name(t, c->depends_on[i]);
    }
    text_char(t, '\n');
}

static void constraints_text(text *t, const ah_classification *k)
{
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
    text_add(t, k->r ? ":\n" : ".\n");
    for (size_t i = 0; i < k->r && i < LISTED; i++) constraint_text(t, &k->constraints[i]);
    if (k->r > LISTED) text_printf(t, "    … and %zu more\n", k->r - LISTED);
}

/* "2 of 3 velocities are free"; of the accelerations only where constraints on them say something
 * else. */
static void freedom_text(text *t, const ah_classification *k)
{
    if (k->m == k->n)
        text_add(t, "All velocities are free");
    else
        text_printf(t, "%zu of %zu velocities %s free", k->m, k->n, k->m == 1 ? "is" : "are");
    if (k->rank > k->velocity_rank)
        text_printf(t, ", and %zu of %zu accelerations", k->n - k->rank, k->n);
    text_add(t, ".\n");
}

static void speeds_text(text *t, const ah_model *m)
{
    for (size_t i = 0; i < m->speeds.count; i++) {
        text_add(t, i ? ", " : "Velocity parameters: ");
        add_name(t, m->speeds.at[i].name);
    }
    if (m->speeds.count) text_add(t, ".\n");
    bool constrained = false;
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        const model_speed *w = &m->quasivelocities.at[i];
        text_add(t, i ? ", " : "Quasi-velocities: ");
        add_name(t, w->name);
        text_add(t, w->constrained ? "*" : "");
        constrained = constrained || w->constrained;
    }
    if (m->quasivelocities.count)
        text_add(t, constrained ? " (* vanishes on the constraints).\n" : ".\n");
}

static void kinetic_text(text *t, const ah_classification *k)
{
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
    text_printf(t, "; %s.\n", mass[k->mass_regular]);
    if (!k->forces) return;
    text_printf(t, "Forces besides the potential's%s%s.\n",
                k->forces_velocity ? ", depending on velocities" : "",
                k->forces_time ? ", depending on t" : "");
}

static void energy_text(text *t, const ah_classification *k)
{
    const bool plain = k->kinetic_quadratic && !k->kinetic_linear && !k->kinetic_free;
    const char *what = plain ? "The energy T + V" : "Hamilton's function (`jacobi`)";
    if (k->energy_conserved == AH_TRUE) {
        text_printf(
            t, "%s is constant: no force but the potential's works, nothing depends on t.\n", what);
        return;
    }
    text_printf(t, "%s need not be constant:\n", what);
    for (size_t i = 0; i < k->energy_reasons; i++) text_printf(t, "    %s\n", k->energy_reason[i]);
}

static const char *as_text(const checked *c)
{
    text t = text_begin(&c->m->ctx->job);
    if (*c->m->title) text_printf(&t, "%s\n", c->m->title);
    if (c->m->source && *c->m->source) text_printf(&t, "(%s)\n", c->m->source);
    if (t.length) text_char(&t, '\n');
    coordinates_text(&t, c);
    constraints_text(&t, c->k);
    freedom_text(&t, c->k);
    speeds_text(&t, c->m);
    kinetic_text(&t, c->k);
    energy_text(&t, c->k);
    return text_end(&t);
}

static void check(ah_ctx *ctx, void *arg)
{
    checked *c = arg;
    const ah_status status = ah_classify(ctx, c->m, &c->k);
    if (status == AH_OK) c->out = c->format == AH_JSON ? as_json(c) : as_text(c);
}

ah_status ah_check_report(ah_ctx *ctx, ah_model *m, ah_format format, const char **out)
{
    checked c = {.m = m, .format = format};
    const ah_status status = ctx_guard(ctx, check, &c);
    *out = c.out;
    return status;
}
