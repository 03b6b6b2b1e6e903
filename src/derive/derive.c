/* derive/derive.c - the table of formalisms and what they share. */
#include "known.h"

#include <string.h>

#define FORMALISM(id) extern const formalism formalism_##id;
#include "formalisms.def"
#undef FORMALISM

const formalism *const derive_formalisms[] = {
#define FORMALISM(id) &formalism_##id,
#include "formalisms.def"
#undef FORMALISM
    NULL};

const formalism *derive_find(const char *name)
{
    for (const formalism *const *f = derive_formalisms; *f; f++)
        if (!strcmp((*f)->name, name)) return *f;
    return NULL;
}

const formalism *derive_default(mechanics *k)
{
    if (k->second_class_nonlinear) return derive_find("second-class");
    if (k->model->speeds.count) return derive_find("parametric");
    if (k->model->quasivelocities.count) {
        const formalism *hamel = derive_find("hamel"), *general = derive_find("hamel-nonlinear");
        const char *instead;
        if (!hamel->accepts(k, &instead)) return hamel;
        if (!general->accepts(k, &instead)) return general;
    }
    return derive_find("multipliers");
}

static ah_equations *begin_equations(mechanics *k, const formalism *f,
                                     const derive_options *options)
{
    ah_equations *eq = NEW(k->arena, ah_equations);
    eq->formalism = f;
    eq->mech = k;
    eq->options = *options;
    eq->sheet = sheet_create(k->ctx, k->arena);
    mechanics_sizes(k, eq->sheet);
    eq->qddot = eq->multipliers = eq->reaction = QUANTITY_NONE;
    eq->speeds_dot = eq->chart_used = QUANTITY_NONE;
    eq->written_out = AH_UNKNOWN;
    return eq;
}

static bool same_options(const mechanics *k, const derive_options *a, const derive_options *b)
{
    const bool same_chart = a->dependent && b->dependent
                                ? !memcmp(a->dependent, b->dependent, k->n * sizeof *a->dependent)
                                : a->dependent == b->dependent;
    const bool same_rows = a->rows && b->rows ? !memcmp(a->rows, b->rows, k->rank * sizeof *a->rows)
                                              : a->rows == b->rows;
    return same_chart && same_rows && a->orthonormal == b->orthonormal &&
           a->compare_reduced == b->compare_reduced;
}

derived *derived_of(ah_model *m)
{
    static const char key;
    derived *d = *model_kept(m, &key);
    return d ? d : (*model_kept(m, &key) = NEW(&m->ctx->job, derived));
}

mechanics *derive_mechanics(ah_model *m)
{
    mechanics *k = mechanics_of(m);
    derived *d = derived_of(m);
    if (!d->outputs_asked) {
        d->outputs_asked = true; /* before: outputs that name objects of methods derive them */
        d->outputs_unknown = !derive_outputs_known(k);
    }
    if (d->outputs_unknown) ctx_raise(m->ctx, AH_E_INPUT);
    return k;
}

/* The velocities of a kinematic model are its inputs: only the form in these says anything. */
static const char *accepts(mechanics *k, const formalism *f, const char **instead)
{
    if (!k->model->kinematic || !k->model->speeds.count || !strcmp(f->name, "parametric"))
        return f->accepts(k, instead);
    *instead = "parametric";
    return "a kinematic model has no kinetic energy";
}

ah_equations *derive_equations(ah_model *m, const formalism *f, const derive_options *options,
                               const char **why, const char **instead)
{
    static const derive_options defaults = {0};
    mechanics *k = derive_mechanics(m);
    if (!options) options = &defaults;
    *why = accepts(k, f, instead);
    if (*why) return NULL;
    derived *d = derived_of(m);
    for (size_t i = 0; i < d->done.count; i++) {
        ah_equations *eq = d->done.at[i];
        if (eq->formalism == f && same_options(k, &eq->options, options)) return eq;
    }
    ah_equations *eq = begin_equations(k, f, options);
    f->derive(eq);
    LIST_PUSH(k->arena, &d->done, eq);
    return eq;
}

quantity derive_leaf(ah_equations *eq, mat m, const char *name, const char *formula)
{
    return sheet_name(eq->sheet, sheet_leaf(eq->sheet, m), name, formula);
}

bool derive_source(const mechanics *k, const char *named)
{
    return k->model->source && strstr(k->model->source, named);
}

/* ---- Reasons several formalisms share -------------------------------------------------------- */

const char *derive_needs_linear(mechanics *k, const char **instead)
{
    const char *why = derive_needs_velocity_level(k, instead);
    if (why) return why;
    for (size_t i = 0; i < k->model->constraints.count; i++) {
        const model_constraint *c = &k->model->constraints.at[i];
        if (c->order != MODEL_VELOCITY || c->linear) continue;
        *instead = "multipliers";
        return arena_printf(k->arena, "the constraint `%s` is not linear in the velocities",
                            c->label);
    }
    return NULL;
}

const char *derive_needs_velocity_level(mechanics *k, const char **instead)
{
    for (size_t i = 0; i < k->model->constraints.count; i++) {
        const model_constraint *c = &k->model->constraints.at[i];
        if (c->order != MODEL_ACCELERATION) continue;
        *instead = k->second_class_nonlinear ? "second-class" : "multipliers";
        return arena_printf(k->arena, "the constraint `%s` is on the accelerations", c->label);
    }
    return NULL;
}

const char *derive_needs_acceleration_linear(mechanics *k, const char **instead)
{
    if (!k->second_class_nonlinear) return NULL;
    *instead = "second-class";
    return "a constraint is not linear in the accelerations";
}

const char *derive_needs_geometry(mechanics *k, const char **instead)
{
    const char *why = derive_needs_velocity_level(k, instead);
    if (why) return why;
    *instead = "gibbs-appell";
    if (k->model->kinetic_given)
        return "it works on points and bodies, but a `kinetic` statement contributes to the "
               "kinetic energy";
    if (!k->model->parts.count) return "it works on points and bodies, and the model has none";
    return NULL;
}

const formalism *derive_find_or_report(ah_ctx *ctx, const char *name)
{
    const formalism *f = derive_find(name);
    if (f) return f;
    const char *names[64];
    size_t count = 0;
    for (const formalism *const *g = derive_formalisms; *g && count < 64; g++)
        names[count++] = (*g)->name;
    const char *near = text_nearest(&ctx->scratch, name, names, count);
    diag(ctx, A0501, NOWHERE, "there is no method `%s`", name);
    if (near) diag_hint(ctx, "did you mean `%s`?", near);
    return NULL;
}

const char *derive_needs_no_constraints(mechanics *k, const char **instead)
{
    *instead = "multipliers";
    if (k->model->speeds.count && k->chart.m < k->n)
        return "the `velocity` statement constrains the velocities";
    if (!k->r) return NULL;
    if (k->second_class_nonlinear) *instead = "second-class";
    return arena_printf(k->arena, "the model has constraints (`%s`)",
                        k->model->constraints.at[0].label);
}
