/* answer/answer_check_json.c - `anholo check --json` (docs/schema/check.json). */
#include "answer_check.h"

#include <math.h>

/* ---- Pieces ---------------------------------------------------------------------------------- */

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

static void key_expression(json *j, const ah_model *m, const char *key, ah_expr e)
{
    key_string(j, key, e == AH_NONE ? NULL : expr_text(m->ctx, &m->ctx->job, e, AH_ASCII));
}

static void key_expressions(json *j, const ah_model *m, const char *key, const ah_expr *e,
                            size_t count)
{
    json_key(j, key);
    json_array(j);
    for (size_t i = 0; i < count; i++)
        json_string(j, expr_text(m->ctx, &m->ctx->job, e[i], AH_ASCII));
    json_close(j);
}

/* "linear", "acceleration linear" */
static const char *class_of(const ah_model *m, const ah_constraint_class *c)
{
    return arena_printf(&m->ctx->job, "%s%s", c->order == 2 ? "acceleration " : "",
                        check_form(c->form));
}

static void json_constraint(json *j, const ah_model *m, const ah_constraint_class *c)
{
    static const char *const order[] = {"coordinates", "velocities", "accelerations"};
    json_object(j);
    key_string(j, "label", c->label);
    key_string(j, "order", order[c->order]);
    key_string(j, "class", class_of(m, c));
    key_bool(j, "rheonomic", c->rheonomic);
    json_key(j, "degree");
    if (c->degree < 0)
        json_null(j);
    else
        json_int(j, c->degree);
    json_key(j, "homogeneity");
    if (isnan(c->homogeneity_value) && c->homogeneity != AH_NONE)
        json_string(j, expr_text(m->ctx, &m->ctx->job, c->homogeneity, AH_ASCII));
    else if (isnan(c->homogeneity_value))
        json_null(j);
    else
        json_number(j, c->homogeneity_value);
    key_truth(j, "splits", c->splits);
    key_expressions(j, m, "factors", c->factor, c->factors);
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
    json_key(j, "inputs");
    json_array(j);
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.at[i].input != AH_NONE) json_string(j, m->functions.at[i].name);
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

/* ---- What was found -------------------------------------------------------------------------- */

/* The keys of an object that is open. */
static void distribution_keys(json *j, const checked *c, const ah_distribution *d)
{
    key_bool(j, "found", d->found);
    key_string(j, "why", d->why);
    if (d->found) {
        key_bool(j, "time_is_coordinate", d->time);
        key_bool(j, "spanned", d->spanned);
        key_int(j, "dimension", d->dimension);
        key_int(j, "rank", d->rank);
        json_key(j, "growth");
        json_array(j);
        for (size_t i = 0; i < d->steps; i++) json_int(j, (long long) d->growth[i]);
        json_close(j);
        key_int(j, "degree", d->steps);
        key_int(j, "integrable", d->integrable);
        key_int(j, "accessible", d->accessible);
        key_bool(j, "exact", d->exact);
        key_bool(j, "switches", d->switches);
        key_bool(j, "general_parameters", d->generic);
        json_key(j, "functions");
        json_array(j);
        for (size_t i = 0; i < d->functions; i++) {
            json_object(j);
            key_expression(j, c->m, "function", d->function[i]);
            key_string(j, "constraint", d->function_of[i]);
            json_close(j);
        }
        json_close(j);
    }
}

static void json_distribution(json *j, const checked *c)
{
    json_key(j, "integrability");
    json_object(j);
    distribution_keys(j, c, c->distribution);
    json_key(j, "components");
    json_array(j);
    for (size_t i = 0; i < c->part_count; i++) {
        json_object(j);
        key_string(j, "component", c->parts[i].component);
        distribution_keys(j, c, &c->parts[i].distribution);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static void json_singular(json *j, const checked *c)
{
    const ah_singular *s = c->singular;
    json_key(j, "singular");
    json_object(j);
    key_bool(j, "listed", s->listed);
    key_string(j, "why", s->why);
    key_bool(j, "general_parameters", s->generic);
    json_key(j, "cases");
    json_array(j);
    for (size_t i = 0; i < s->cases; i++) {
        json_object(j);
        key_expressions(j, c->m, "vanish", s->at[i].equation, s->at[i].equations);
        key_bool(j, "met", s->at[i].met);
        json_close(j);
    }
    json_close(j);
    key_int(j, "tried", s->tried);
    json_key(j, "state");
    if (s->found.count)
        json_object(j);
    else
        json_null(j);
    for (size_t i = 0; i < s->found.count; i++) {
        json_key(j, expr_text(c->m->ctx, &c->m->ctx->job, s->found.symbol[i], AH_ASCII));
        json_number(j, s->found.value[i]);
    }
    if (s->found.count) json_close(j);
    json_close(j);
}

static void json_kinetic(json *j, const ah_classification *k)
{
    json_key(j, "kinetic");
    json_object(j);
    key_truth(j, "mass_matrix_regular", k->mass_regular);
    key_truth(j, "mass_matrix_singular_somewhere", k->mass_singular);
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
}

static const char *const power_words[] = {
#define X(code, word) word,
    AH_POWER_LIST(X)
#undef X
};

static void json_energy(json *j, const checked *c)
{
    const ah_energy *e = c->energy;
    json_key(j, "energy");
    json_object(j);
    key_truth(j, "conserved", e->conserved);
    key_bool(j, "proved", e->proved);
    key_bool(j, "is_total", e->plain);
    key_expression(j, c->m, "jump", e->jump);
    json_key(j, "powers");
    json_array(j);
    for (size_t i = 0; i < e->powers; i++) {
        json_object(j);
        key_string(j, "kind", power_words[e->at[i].kind]);
        key_string(j, "of", e->at[i].label);
        key_expression(j, c->m, "power", e->at[i].power);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static void json_methods(json *j, const checked *c)
{
    json_key(j, "methods");
    json_array(j);
    for (size_t i = 0; i < c->method_count; i++) {
        const ah_applicability *a = &c->methods[i];
        json_object(j);
        key_string(j, "name", a->name);
        key_bool(j, "applies", a->applies);
        key_string(j, "why", a->why);
        key_string(j, "instead", a->instead);
        json_close(j);
    }
    json_close(j);
}

const char *check_json(const checked *c)
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
    key_bool(&j, "general_parameters", k->generic);
    key_bool(&j, "implied", k->implied);
    key_int(&j, "states", k->states);
    json_names(&j, c->m);
    json_key(&j, "constraints");
    json_array(&j);
    for (size_t i = 0; i < k->r; i++) json_constraint(&j, c->m, &k->constraints[i]);
    json_close(&j);
    json_key(&j, "components");
    json_array(&j);
    for (size_t i = 0; k->components > 1 && i < k->components; i++)
        json_string(&j, k->component[i].name);
    json_close(&j);
    json_distribution(&j, c);
    json_singular(&j, c);
    json_kinetic(&j, k);
    json_energy(&j, c);
    json_methods(&j, c);
    json_close(&j);
    return json_end(&j);
}
