/* answer/answer_crosscheck.c - `anholo crosscheck` in words and as JSON. */
#include "answers.h"

#include "../analyse/analyse.h"
#include "../typeset/typeset.h"
#include <anholo/eval.h>

ah_crosscheck_options ah_crosscheck_defaults(void)
{
    return (ah_crosscheck_options){.size = sizeof(ah_crosscheck_options), .states = 100, .seed = 1};
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static const char *as_json(const ah_answer *a)
{
    const ah_crosscheck_values *v = a->values;
    const ah_crosscheck_options *o = a->found;
    json j = json_begin(&a->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, a->model->title);
    json_key(&j, "states");
    json_int(&j, (long long) v->states);
    json_key(&j, "seed");
    json_int(&j, (long long) o->seed);
    json_key(&j, "methods");
    json_array(&j);
    for (size_t i = 0; i < v->methods; i++) json_string(&j, v->at[i].method);
    json_close(&j);
    json_key(&j, "max_relative_difference");
    json_number(&j, v->worst);
    json_key(&j, "worst");
    json_object(&j);
    json_key(&j, "method");
    json_string(&j, v->worst_method);
    json_key(&j, "state");
    json_object(&j);
    answer_json_state(&j, a, &v->worst_state);
    json_close(&j);
    json_close(&j);
    json_key(&j, "differences");
    json_object(&j);
    for (size_t i = 0; i < v->methods; i++) {
        json_key(&j, v->at[i].method);
        json_number(&j, v->at[i].difference);
    }
    json_close(&j);
    json_key(&j, "refused");
    json_object(&j);
    for (size_t i = 0; i < v->refusals; i++) {
        json_key(&j, v->refused[i].method);
        json_string(&j, v->refused[i].why);
    }
    json_close(&j);
    json_key(&j, "discarded");
    json_int(&j, (long long) v->discarded);
    json_key(&j, "pass");
    json_bool(&j, v->agree);
    json_close(&j);
    return json_end(&j);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void methods_words(prose *p, const ah_crosscheck_values *v)
{
    for (size_t i = 0; i < v->methods; i++) {
        prose_item(p);
        prose_printf(p, "%-18s %s%.2e", v->at[i].method,
                     i ? "differs by at most " : "the referee, ", v->at[i].difference);
        prose_end(p);
    }
    for (size_t i = 0; i < v->refusals; i++) {
        prose_item(p);
        prose_printf(p, "%-18s refused: %s", v->refused[i].method, v->refused[i].why);
        prose_end(p);
    }
}

static const char *in_words(const ah_answer *a, ah_format format)
{
    const ah_crosscheck_values *v = a->values;
    const ah_crosscheck_options *o = a->found;
    const char *title = a->model->title;
    prose p = prose_document(a->model->ctx, format, title, "Do the methods agree?");
    p.indent = "  ";
    if (!v->states) {
        prose_printf(&p, "%s%snothing to compare: the velocities of a kinematic model are inputs",
                     title, *title ? ": " : "");
        prose_end(&p);
        return prose_finish_document(&p);
    }
    prose_printf(&p, "%s%s%zu random states, seed %llu", title, *title ? ": " : "", v->states,
                 (unsigned long long) o->seed);
    prose_end(&p);
    if (v->discarded)
        prose_printf(&p, "%zu singular or ill-conditioned states were drawn again", v->discarded);
    prose_end(&p);
    methods_words(&p, v);
    prose_printf(&p, "%s: largest relative difference %.2e",
                 v->agree ? "the methods agree" : "THE METHODS DISAGREE", v->worst);
    prose_end(&p);
    if (v->worst_method) {
        prose_item(&p);
        prose_printf(&p, "by %s at %s", v->worst_method, answer_text_state(a, &v->worst_state));
        prose_end(&p);
    }
    return prose_finish_document(&p);
}

/* ---- The question ---------------------------------------------------------------------------- */

static const ah_crosscheck_values *values_of(const ah_model *m, const crosscheck_answer *found)
{
    arena *memory = &m->ctx->job;
    ah_crosscheck_values *v = NEW(memory, ah_crosscheck_values);
    ah_method_difference *at = NEW_ARRAY(memory, ah_method_difference, found->methods);
    ah_method_refusal *refused = NEW_ARRAY(memory, ah_method_refusal, found->refusals);
    for (size_t i = 0; i < found->methods; i++)
        at[i] = (ah_method_difference){found->method[i], found->difference[i]};
    for (size_t i = 0; i < found->refusals; i++)
        refused[i] = (ah_method_refusal){found->refused[i], found->why[i]};
    *v = (ah_crosscheck_values){.agree = found->pass,
                                .states = found->states,
                                .discarded = found->discarded,
                                .methods = found->methods,
                                .at = at,
                                .refusals = found->refusals,
                                .refused = refused,
                                .worst = found->worst,
                                .worst_method = found->worst_method};
    if (found->worst_values) v->worst_state = answer_state(m, found->worst_values);
    return v;
}

static void find(ah_answer *a, const void *options)
{
    ah_crosscheck_options *o = NEW(&a->model->ctx->job, ah_crosscheck_options);
    crosscheck_answer found;
    *o = *(const ah_crosscheck_options *) options;
    a->found = o;
    if (!answer_wants_states(a, o->states)) return;
    if (a->model->kinematic) { /* its velocities are the inputs, by every method */
        ah_crosscheck_values *none = NEW(&a->model->ctx->job, ah_crosscheck_values);
        none->agree = a->yes = true;
        a->values = none;
        return;
    }
    ah_model *m = model_driven(a->model);
    if (!crosscheck_run(m, o->states, o->seed, &found)) {
        a->status = AH_E_NUMERIC;
        return;
    }
    a->yes = found.pass;
    a->values = values_of(m, &found);
}

static const char *write(const ah_answer *a, ah_format format)
{
    if (format == AH_JSON) return as_json(a);
    return prose_writes(format) ? in_words(a, format) : NULL;
}

ah_status ah_crosscheck(ah_model *m, const ah_crosscheck_options *options, ah_answer **out)
{
    static const answer_question question = {AH_CROSSCHECK, find, write};
    ah_crosscheck_options o = ah_crosscheck_defaults();
    if (out) *out = NULL;
    return base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)
               ? answer_ask(m, &question, &o, out)
               : AH_E_INPUT;
}

const ah_crosscheck_values *ah_answer_crosscheck(const ah_answer *a)
{
    return answer_values(a, AH_CROSSCHECK);
}
