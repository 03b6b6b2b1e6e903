/* answer/answer_integrals.c - `anholo integrals` as text and as JSON. */
#include <anholo/integrals.h>

#include "../analyse/analyse.h"
#include "../real/real.h"

ah_integrals_options ah_integrals_defaults(void)
{
    return (ah_integrals_options){.degree = 2, .coordinates_degree = 2, .seed = 1};
}

typedef struct job {
    ah_model *model;
    ah_integrals_options options;
    ah_format format;
    const char *out;
    ah_status status;
} job;

static const char *written(const integrals_answer *a, ah_expr e, ah_format format)
{
    return expr_text(a->model->ctx, &a->model->ctx->job, e, format);
}

static void json_measure(json *j, const integrals_answer *a)
{
    if (!a->measure_searched) {
        json_null(j);
        return;
    }
    json_object(j);
    json_key(j, "found");
    json_bool(j, a->measure_found);
    json_key(j, "variables");
    json_string(j, a->measure_variables);
    json_key(j, "density");
    if (a->measure_found)
        json_string(j, written(a, a->density, AH_ASCII));
    else
        json_null(j);
    json_key(j, "verdict");
    json_string(j, !a->measure_found ? "unknown" : a->measure_proved ? "proved" : "holds");
    json_close(j);
}

static const char *write_json(const integrals_answer *a)
{
    json j = json_begin(&a->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, a->model->title);
    json_key(&j, "integrals");
    json_array(&j);
    for (size_t i = 0; i < a->count; i++) {
        json_object(&j);
        json_key(&j, "name");
        json_string(&j, a->at[i].name);
        json_key(&j, "expression");
        json_string(&j, written(a, a->at[i].e, AH_ASCII));
        json_key(&j, "verdict");
        json_string(&j, a->at[i].verdict == VERDICT_PROVED ? "proved" : "holds");
        json_key(&j, "independent");
        json_bool(&j, a->at[i].independent);
        json_close(&j);
    }
    json_close(&j);
    json_key(&j, "searched");
    json_array(&j);
    for (size_t i = 0; i < a->classes; i++) {
        json_object(&j);
        json_key(&j, "speeds");
        json_string(&j, a->searched[i].speeds);
        json_key(&j, "degree");
        json_int(&j, a->searched[i].speed_degree);
        json_key(&j, "coordinates_degree");
        json_int(&j, a->searched[i].coordinate_degree);
        json_key(&j, "products");
        json_int(&j, (long long) a->searched[i].products);
        json_close(&j);
    }
    json_close(&j);
    json_key(&j, "components");
    json_array(&j);
    for (size_t i = 0;
         a->components->complete && a->components->count > 1 && i < a->components->count; i++)
        json_string(&j, a->components->at[i].name);
    json_close(&j);
    json_key(&j, "measure");
    json_measure(&j, a);
    json_close(&j);
    return json_end(&j);
}

static const char *write_text(const integrals_answer *a)
{
    text t = text_begin(&a->model->ctx->job);
    if (a->model->title) text_printf(&t, "%s\n\n", a->model->title);
    size_t independent = 0;
    for (size_t i = 0; i < a->count; i++) independent += a->at[i].independent;
    text_printf(&t, "%zu independent first integral%s%s\n", independent,
                independent == 1 ? "" : "s", independent ? ":" : ".");
    for (size_t i = 0; i < a->count; i++) {
        const integral *x = &a->at[i];
        text_printf(&t, "    %s%s%s%s%s\n", x->name ? x->name : "", x->name ? ": " : "",
                    written(a, x->e, AH_TEXT),
                    x->independent ? "" : "   (a function of those above)",
                    x->verdict == VERDICT_PROVED ? "" : "   (at random states, not proved)");
    }
    for (size_t i = 0; i < a->classes; i++)
        text_printf(&t,
                    "Searched: degree %d in the %s, coefficients of degree %d in the coordinates "
                    "(%zu products).\n",
                    a->searched[i].speed_degree, a->searched[i].speeds,
                    a->searched[i].coordinate_degree, a->searched[i].products);
    const components *c = a->components;
    if (c->complete && c->count > 1) {
        text_printf(&t,
                    "These are constant on each of the %zu components of the admissible states:\n",
                    c->count);
        for (size_t i = 0; i < c->count; i++) text_printf(&t, "    %s\n", c->at[i].name);
    }
    if (!a->measure_searched) return text_end(&t);
    if (a->measure_found)
        text_printf(&t, "Invariant measure in (%s), %s: density %s\n", a->measure_variables,
                    a->measure_proved ? "proved" : "at random states",
                    written(a, a->density, AH_TEXT));
    else
        text_printf(&t, "No invariant measure in (%s) was found in the class searched.\n",
                    a->measure_variables);
    return text_end(&t);
}

static void run(ah_ctx *ctx, void *arg)
{
    job *k = arg;
    const integrals_question q = {.speed_degree = k->options.degree,
                                  .coordinate_degree = k->options.coordinates_degree,
                                  .seed = k->options.seed};
    integrals_answer answer;
    const char *why = NULL;
    if (!integrals_run(k->model, &q, &answer, &why)) {
        if (why) diag(ctx, A0610, NOWHERE, "%s", why);
        k->status = AH_E_REFUSED;
        return;
    }
    k->out = k->format == AH_JSON ? write_json(&answer) : write_text(&answer);
}

ah_status ah_integrals(ah_model *m, const ah_integrals_options *options, ah_format format,
                       const char **out)
{
    job k = {.model = m, .format = format};
    k.options = options ? *options : ah_integrals_defaults();
    const ah_status status = model_guard(m, run, &k);
    *out = k.out;
    return k.status != AH_OK ? k.status : status;
}
