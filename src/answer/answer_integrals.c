/* answer/answer_integrals.c - `anholo integrals` in words and as JSON. */
#include "answers.h"

#include "../analyse/analyse.h"
#include "../typeset/typeset.h"

ah_integrals_options ah_integrals_defaults(void)
{
    return (ah_integrals_options){
        .size = sizeof(ah_integrals_options), .degree = 2, .coordinates_degree = 2, .seed = 1};
}

static const char *const speeds_words[] = {
#define X(code, word) word,
    AH_SPEEDS_LIST(X)
#undef X
};

/* ---- JSON ------------------------------------------------------------------------------------ */

static const char *ascii(const ah_answer *a, ah_expr e)
{
    return expr_text(a->model->ctx, &a->model->ctx->job, e, AH_ASCII);
}

/* null where it is too long. */
static void json_formula(json *j, const ah_answer *a, ah_expr e)
{
    json_string(j, prose_instead(a->model->ctx, e) ? NULL : ascii(a, e));
}

/* The variables of the measure, with commas between them. */
static const char *variables(const ah_answer *a)
{
    const ah_integrals_values *v = a->values;
    text t = text_begin(&a->model->ctx->job);
    for (size_t i = 0; i < v->variables; i++)
        text_printf(&t, "%s%s", i ? ", " : "", ascii(a, v->variable[i]));
    return text_end(&t);
}

static void json_measure(json *j, const ah_answer *a)
{
    const ah_integrals_values *v = a->values;
    if (!v->measure_searched) {
        json_null(j);
        return;
    }
    json_object(j);
    json_key(j, "found");
    json_bool(j, v->measure_found);
    json_key(j, "variables");
    json_string(j, variables(a));
    json_key(j, "density");
    if (v->measure_found)
        json_formula(j, a, v->density);
    else
        json_null(j);
    json_key(j, "verdict");
    json_string(j, ah_verdict_word(v->measure));
    json_close(j);
}

static void json_integral(json *j, const ah_answer *a, const ah_integral *x)
{
    json_object(j);
    json_key(j, "name");
    json_string(j, x->name);
    json_key(j, "expression");
    json_formula(j, a, x->e);
    json_key(j, "verdict");
    json_string(j, ah_verdict_word(x->verdict));
    json_key(j, "independent");
    json_bool(j, x->independent);
    json_close(j);
}

static void json_class(json *j, const ah_integral_class *c)
{
    json_object(j);
    json_key(j, "speeds");
    json_string(j, speeds_words[c->speeds]);
    json_key(j, "degree");
    json_int(j, c->degree);
    json_key(j, "coordinates_degree");
    json_int(j, c->coordinates_degree);
    json_key(j, "products");
    json_int(j, (long long) c->products);
    json_close(j);
}

static const char *as_json(const ah_answer *a)
{
    const ah_integrals_values *v = a->values;
    json j = json_begin(&a->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, a->model->title);
    json_key(&j, "integrals");
    json_array(&j);
    for (size_t i = 0; i < v->count; i++) json_integral(&j, a, &v->at[i]);
    json_close(&j);
    json_key(&j, "searched");
    json_array(&j);
    for (size_t i = 0; i < v->classes; i++) json_class(&j, &v->searched[i]);
    json_close(&j);
    json_key(&j, "components");
    json_array(&j);
    for (size_t i = 0; i < v->components; i++) json_string(&j, v->component[i].name);
    json_close(&j);
    json_key(&j, "measure");
    json_measure(&j, a);
    json_close(&j);
    return json_end(&j);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void integral_words(prose *p, const ah_integral *x)
{
    prose_item(p);
    if (x->name) prose_printf(p, "%s: ", x->name);
    prose_formula(p, x->e);
    if (!x->independent) prose_add(p, "   (a function of those above)");
    if (x->verdict != AH_VERDICT_PROVED) prose_add(p, "   (at random states, not proved)");
    prose_end(p);
}

static void measure_words(prose *p, const ah_answer *a)
{
    const ah_integrals_values *v = a->values;
    if (v->measure_found) {
        prose_printf(p, "Invariant measure in (%s), %s: density ", variables(a),
                     v->measure == AH_VERDICT_PROVED ? "proved" : "at random states");
        prose_formula(p, v->density);
    } else if (v->measure_searched) {
        prose_printf(p, "No invariant measure in (%s) was found in the class searched.",
                     variables(a));
    }
    prose_end(p);
}

static const char *in_words(const ah_answer *a, ah_format format)
{
    const ah_integrals_values *v = a->values;
    prose p = prose_document(a->model->ctx, format, a->model->title, "First integrals");
    if (format == AH_TEXT && *a->model->title) text_printf(&p.out, "%s\n\n", a->model->title);
    size_t independent = 0;
    for (size_t i = 0; i < v->count; i++) independent += v->at[i].independent;
    prose_printf(&p, "%zu independent first integral%s%s", independent, independent == 1 ? "" : "s",
                 independent ? ":" : ".");
    prose_end(&p);
    for (size_t i = 0; i < v->count; i++) integral_words(&p, &v->at[i]);
    for (size_t i = 0; i < v->classes; i++) {
        const ah_integral_class *c = &v->searched[i];
        prose_printf(&p,
                     "Searched: degree %d in the %s, coefficients of degree %d in the coordinates "
                     "(%zu products).",
                     c->degree, speeds_words[c->speeds], c->coordinates_degree, c->products);
        prose_end(&p);
    }
    if (v->components)
        prose_printf(&p,
                     "These are constant on each of the %zu components of the admissible states:",
                     v->components);
    prose_end(&p);
    for (size_t i = 0; i < v->components; i++) {
        prose_item(&p);
        prose_add(&p, v->component[i].name);
        prose_end(&p);
    }
    measure_words(&p, a);
    return prose_finish_document(&p);
}

/* ---- The question ---------------------------------------------------------------------------- */

static void find(ah_answer *a, const void *options)
{
    const ah_integrals_options *o = options;
    ah_integrals_values *v = NEW(&a->model->ctx->job, ah_integrals_values);
    const char *why = NULL;
    if (o->degree < 1 || o->degree > AH_DEGREE_MOST || o->coordinates_degree < 0 ||
        o->coordinates_degree > AH_DEGREE_MOST) {
        diag_wrong_call(a->model->ctx,
                        "degrees go up to AH_DEGREE_MOST, that of the velocities from 1");
        return;
    }
    if (search_AH_INTEGRALS(a->model, o, v, &why)) {
        a->values = v;
        return;
    }
    if (why) diag(a->model->ctx, A0610, NOWHERE, "%s", why);
    a->status = AH_E_REFUSED;
}

static const char *write(const ah_answer *a, ah_format format)
{
    if (format == AH_JSON) return as_json(a);
    return prose_writes(format) ? in_words(a, format) : NULL;
}

ah_status ah_integrals(ah_model *m, const ah_integrals_options *options, ah_answer **out)
{
    static const answer_question question = {AH_INTEGRALS, find, write};
    ah_integrals_options o = ah_integrals_defaults();
    if (out) *out = NULL;
    return base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)
               ? answer_ask(m, &question, &o, out)
               : AH_E_INPUT;
}

const ah_integrals_values *ah_answer_integrals(const ah_answer *a)
{
    return answer_values(a, AH_INTEGRALS);
}
