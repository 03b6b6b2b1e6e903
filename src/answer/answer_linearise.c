/* answer/answer_linearise.c - `anholo linearise` in words and JSON. */
#include "answer_steady.h"
#include "answers.h"

#include <anholo/lang.h>
#include <anholo/linearise.h>

#include <math.h>
#include <string.h>

enum { OUTPUTS_MOST = 1000, NAME_MOST = 200 };

ah_linearise_options ah_linearise_defaults(void)
{
    return (ah_linearise_options){.size = sizeof(ah_linearise_options)};
}

typedef struct linearised {
    linear_model linear;
    bool any_state;
} linearised;

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_formula(json *j, ah_ctx *ctx, ah_expr e)
{
    json_string(j, expr_text(ctx, &ctx->job, e, AH_ASCII));
}

static void json_formulas(json *j, ah_ctx *ctx, const char *key, size_t rows, size_t columns,
                          const ah_expr *A)
{
    json_key(j, key);
    json_array(j);
    for (size_t i = 0; i < rows; i++) {
        json_array(j);
        for (size_t k = 0; k < columns; k++) json_formula(j, ctx, A[i * columns + k]);
        json_close(j);
    }
    json_close(j);
}

static void json_symbols(json *j, ah_ctx *ctx, const ah_linear_symbols *s)
{
    json_key(j, "symbolic");
    if (!s) {
        json_null(j);
        return;
    }
    json_object(j);
    json_key(j, "where");
    json_object(j);
    for (size_t i = 0; i < s->fixed; i++) {
        json_key(j, expr_text(ctx, &ctx->job, s->fix[i].symbol, AH_ASCII));
        json_formula(j, ctx, s->fix[i].value);
    }
    json_close(j);
    json_key(j, "solved");
    json_bool(j, s->solved);
    json_key(j, "rate");
    json_array(j);
    for (size_t i = 0; i < s->states; i++) json_formula(j, ctx, s->rate[i]);
    json_close(j);
    json_formulas(j, ctx, "A", s->states, s->states, s->A);
    json_formulas(j, ctx, "B", s->states, s->inputs, s->B);
    json_formulas(j, ctx, "C", s->outputs, s->states, s->C);
    json_formulas(j, ctx, "D", s->outputs, s->inputs, s->D);
    json_close(j);
}

static void json_rows(json *j, const char *key, size_t rows, size_t columns, const double *A)
{
    json_key(j, key);
    json_array(j);
    for (size_t i = 0; i < rows; i++) {
        json_array(j);
        for (size_t k = 0; k < columns; k++) json_number(j, A[i * columns + k]);
        json_close(j);
    }
    json_close(j);
}

static void json_named(json *j, const char *name, double value, const char *unit)
{
    json_object(j);
    json_key(j, "name");
    json_string(j, name);
    json_key(j, "value");
    json_number(j, value);
    json_key(j, "unit");
    json_string(j, unit);
    json_close(j);
}

static void json_spectrum(json *j, const char *key, const ah_spectrum *s)
{
    json_key(j, key);
    json_array(j);
    for (size_t i = 0; i < s->count; i++) {
        json_array(j);
        json_number(j, s->re[i]);
        json_number(j, s->im[i]);
        json_close(j);
    }
    json_close(j);
}

static void json_names(json *j, const ah_linearise_values *v)
{
    json_key(j, "inputs");
    json_array(j);
    for (size_t i = 0; i < v->inputs; i++)
        json_named(j, v->input[i].name, v->input[i].value, v->input[i].unit);
    json_close(j);
    json_key(j, "outputs");
    json_array(j);
    for (size_t i = 0; i < v->outputs; i++)
        json_named(j, v->output[i].name, v->output[i].value, v->output[i].unit);
    json_close(j);
    json_key(j, "left_out");
    json_array(j);
    for (size_t i = 0; i < v->left_out; i++) json_string(j, v->left[i]);
    json_close(j);
}

static const char *as_json(const linearised *found, const ah_linearise_values *v)
{
    const stability_answer *s = &found->linear.motion;
    json j = json_begin(&s->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, s->model->title);
    steady_json(&j, s);
    json_key(&j, "any_state");
    json_bool(&j, v->any_state);
    json_key(&j, "constant");
    json_bool(&j, v->constant);
    json_key(&j, "variables");
    steady_json_names(&j, s, found->linear.states, found->linear.y);
    json_key(&j, "units");
    json_array(&j);
    for (size_t i = 0; i < v->states; i++) json_string(&j, v->unit[i]);
    json_close(&j);
    json_key(&j, "rate");
    json_array(&j);
    for (size_t i = 0; i < v->states; i++) json_number(&j, v->rate[i]);
    json_close(&j);
    json_names(&j, v);
    json_rows(&j, "A", v->states, v->states, v->A);
    json_rows(&j, "B", v->states, v->inputs, v->B);
    json_rows(&j, "C", v->outputs, v->states, v->C);
    json_rows(&j, "D", v->outputs, v->inputs, v->D);
    json_spectrum(&j, "eigenvalues", &v->spectrum);
    json_spectrum(&j, "zeros", &v->zeros);
    json_key(&j, "unstable");
    json_int(&j, (long) v->spectrum.unstable);
    json_key(&j, "controllable");
    json_int(&j, (long) v->controllable);
    json_key(&j, "observable");
    json_int(&j, (long) v->observable);
    json_symbols(&j, s->model->ctx, v->symbolic);
    json_close(&j);
    return json_end(&j);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void put_matrix(prose *p, const char *name, size_t rows, size_t columns, const double *A)
{
    if (!rows || !columns) {
        prose_printf(p, "%s has no %s.", name, rows ? "columns" : "rows");
        prose_end(p);
        return;
    }
    prose_printf(p, "%s:", name);
    prose_end(p);
    for (size_t i = 0; i < rows; i++) {
        prose_item(p);
        for (size_t k = 0; k < columns; k++) {
            if (k) prose_add(p, ", ");
            prose_number(p, A[i * columns + k], STEADY_DIGITS);
        }
        prose_end(p);
    }
}

static void put_unit(prose *p, const char *unit)
{
    if (unit) prose_printf(p, " [%s]", unit);
}

static void put_names(prose *p, const ah_linearise_values *v)
{
    prose_add(p, "Variables y: ");
    for (size_t i = 0; i < v->states; i++) {
        prose_add(p, i ? ", " : "");
        prose_formula(p, v->state[i]);
        put_unit(p, v->unit[i]);
    }
    prose_end(p);
    for (size_t i = 0; i < v->inputs; i++) {
        prose_printf(p, "%s%s", i ? ", " : "Inputs u: ", v->input[i].name);
        put_unit(p, v->input[i].unit);
    }
    prose_add(p, v->inputs ? "" : "There are no inputs.");
    prose_end(p);
    for (size_t i = 0; i < v->outputs; i++) {
        prose_printf(p, "%s%s", i ? ", " : "Outputs o: ", v->output[i].name);
        put_unit(p, v->output[i].unit);
    }
    prose_end(p);
    for (size_t i = 0; i < v->left_out; i++)
        prose_printf(p, "%s%s", i ? ", " : "Outputs that are no functions of y: ", v->left[i]);
    prose_end(p);
}

static void put_any_state(prose *p, const stability_answer *s, const ah_linearise_values *v)
{
    prose_add(p, "y' = r + A y + B u, o = C y + D u near the state:");
    prose_end(p);
    for (uint32_t i = 0; i < s->m->count; i++) {
        prose_item(p);
        prose_value(p, s->m->symbol[i], minimal_value(s->m, i, s->values), STEADY_DIGITS);
        prose_end(p);
    }
    put_matrix(p, "r", v->states, 1, v->rate);
}

static void put_zeros(prose *p, const ah_linearise_values *v)
{
    for (size_t i = 0; i < v->zeros.count; i++) {
        prose_add(p, i ? ", " : "Transmission zeros: ");
        prose_number(p, v->zeros.re[i], STEADY_DIGITS);
        if (v->zeros.im[i] == 0) continue;
        prose_add(p, v->zeros.im[i] < 0 ? " - " : " + ");
        prose_number(p, fabs(v->zeros.im[i]), STEADY_DIGITS);
        prose_add(p, " i");
    }
    prose_end(p);
}

static void put_symbols(prose *p, const ah_linear_symbols *s)
{
    if (!s) return;
    const struct {
        const char *name;
        size_t rows, columns;
        const ah_expr *at;
    } all[] = {{"A", s->states, s->states, s->A},
               {"B", s->states, s->inputs, s->B},
               {"C", s->outputs, s->states, s->C},
               {"D", s->outputs, s->inputs, s->D}};
    prose_gap(p);
    prose_add(p, "With symbols");
    for (size_t i = 0; i < s->fixed; i++) {
        prose_add(p, i ? ", " : ", where ");
        prose_relation(p, s->fix[i].symbol, "=", s->fix[i].value);
    }
    prose_add(p, s->solved ? ":" : ", and all others have values of a steady motion:");
    prose_end(p);
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        prose_matrix(p, all[i].name, all[i].rows, all[i].columns, all[i].at);
}

static const char *in_words(const linearised *found, const ah_linearise_values *v, ah_format format)
{
    const stability_answer *s = &found->linear.motion;
    prose p = prose_document(s->model->ctx, format, s->model->title, "Linear model");
    if (format == AH_TEXT && *s->model->title) text_printf(&p.out, "%s\n\n", s->model->title);
    if (v->any_state)
        put_any_state(&p, s, v);
    else
        prose_printf(&p, "y' = A y + B u, o = C y + D u near the %s:",
                     s->rest ? "equilibrium" : "steady motion");
    prose_end(&p);
    if (!v->any_state) steady_words(&p, s);
    if (!v->constant && !v->any_state)
        prose_add(&p, "The matrices change along it: these are of one instant.");
    prose_end(&p);
    prose_gap(&p);
    put_names(&p, v);
    put_matrix(&p, "A", v->states, v->states, v->A);
    put_matrix(&p, "B", v->states, v->inputs, v->B);
    put_matrix(&p, "C", v->outputs, v->states, v->C);
    put_matrix(&p, "D", v->outputs, v->inputs, v->D);
    prose_gap(&p);
    prose_printf(&p, "Controllable: %zu of %zu dimensions; observable: %zu; unstable modes: %zu.",
                 v->controllable, v->states, v->observable, v->spectrum.unstable);
    prose_end(&p);
    put_zeros(&p, v);
    put_symbols(&p, v->symbolic);
    return prose_finish_document(&p);
}

/* ---- What is asked --------------------------------------------------------------------------- */

static bool is_input(const ah_model *m, const char *name)
{
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.at[i].input != AH_NONE && !strcmp(m->functions.at[i].name, name))
            return true;
    diag(m->ctx, A0425, NOWHERE, "there is no input `%s`", name);
    diag_hint(m->ctx, "inputs are declared by input u = 0");
    return false;
}

/* "u, v", or all. */
static bool choose_inputs(ah_model *m, const char *said, linear_question *q)
{
    arena *a = &m->ctx->job;
    LIST(const char *) list = {0};
    for (size_t i = 0; !said && i < m->functions.count; i++)
        if (m->functions.at[i].input != AH_NONE) LIST_PUSH(a, &list, m->functions.at[i].name);
    while (said && *said) {
        const size_t blank = strspn(said, " ,"), length = strcspn(said + blank, " ,");
        if (!length) break;
        const char *name =
            arena_printf(a, "%.*s", (int) (length < NAME_MOST ? length : NAME_MOST), said + blank);
        if (!is_input(m, name)) return false;
        for (size_t i = 0; i < list.count; i++)
            if (!strcmp(list.at[i], name)) {
                diag(m->ctx, A0904, NOWHERE, "the input `%s` is asked for twice", name);
                return false;
            }
        LIST_PUSH(a, &list, name);
        said += blank + length;
    }
    q->inputs = list.count;
    q->input = list.at;
    return true;
}

static bool choose_outputs(ah_model *fed, const char *said, linear_question *q)
{
    arena *a = &fed->ctx->job;
    q->choose = !said;
    linear_output *list;
    if (!said) {
        list = NEW_ARRAY(a, linear_output, fed->outputs.count + 1);
        for (size_t i = 0; i < fed->outputs.count; i++)
            list[q->outputs++] = (linear_output){fed->outputs.at[i].name, fed->outputs.at[i].e};
    } else {
        ah_output *read = NEW_ARRAY(a, ah_output, OUTPUTS_MOST);
        size_t count;
        if (ah_read_outputs(fed, "--outputs", said, OUTPUTS_MOST, read, &count) != AH_OK)
            return false;
        list = NEW_ARRAY(a, linear_output, count + 1);
        for (size_t i = 0; i < count; i++) {
            ah_expr e = read[i].e;
            model_put_bodies(fed, &e, 1);
            list[q->outputs++] = (linear_output){read[i].text, e};
        }
    }
    q->output = list;
    return true;
}

/* ---- The question ---------------------------------------------------------------------------- */

static const ah_linear_symbols *symbols_of(const linear_model *l)
{
    const linear_symbols *s = l->symbols;
    if (!s) return NULL;
    ah_ctx *ctx = l->motion.model->ctx;
    arena *a = &ctx->job;
    ah_linear_symbols *v = NEW(a, ah_linear_symbols);
    ah_linear_fixed *fix = NEW_ARRAY(a, ah_linear_fixed, s->fixed + 1);
    for (size_t i = 0; i < s->fixed; i++) fix[i] = (ah_linear_fixed){s->symbol[i], s->value[i]};
    *v = (ah_linear_symbols){.states = l->states,
                             .inputs = l->inputs,
                             .outputs = l->outputs,
                             .A = mat_to_dense(ctx, a, s->A),
                             .B = mat_to_dense(ctx, a, s->B),
                             .C = mat_to_dense(ctx, a, s->C),
                             .D = mat_to_dense(ctx, a, s->D),
                             .rate = mat_to_dense(ctx, a, s->rate),
                             .solved = s->solved,
                             .fixed = s->fixed,
                             .fix = fix};
    return v;
}

static const ah_linearise_values *values_of(const linearised *found)
{
    const linear_model *l = &found->linear;
    const ah_model *m = l->motion.model;
    arena *a = &m->ctx->job;
    ah_linearise_values *v = NEW(a, ah_linearise_values);
    ah_expr *state = NEW_ARRAY(a, ah_expr, l->states + 1);
    ah_linear_input *input = NEW_ARRAY(a, ah_linear_input, l->inputs + 1);
    ah_linear_output *output = NEW_ARRAY(a, ah_linear_output, l->outputs + 1);
    for (uint32_t i = 0; i < l->states; i++) state[i] = l->motion.m->symbol[l->y[i]];
    for (uint32_t i = 0; i < l->inputs; i++)
        input[i] = (ah_linear_input){l->input[i], l->input_value[i],
                                     model_unit_of_derived(m, l->input[i])};
    for (uint32_t i = 0; i < l->outputs; i++)
        output[i] = (ah_linear_output){l->output[i].name, l->output_value[i],
                                       model_unit_of_derived(m, l->output[i].name)};
    const char **unit = NEW_ARRAY(a, const char *, l->states + 1);
    for (uint32_t i = 0; i < l->states; i++)
        unit[i] = model_unit_of_derived(m, expr_text(m->ctx, a, state[i], AH_ASCII));
    *v = (ah_linearise_values){
        .motion = motion_told(&l->motion),
        .constant = l->constant,
        .states = l->states,
        .state = state,
        .inputs = l->inputs,
        .input = input,
        .outputs = l->outputs,
        .output = output,
        .left_out = l->left_out,
        .left = l->left,
        .A = l->A,
        .B = l->B,
        .C = l->C,
        .D = l->D,
        .spectrum = {l->spectrum.n, l->spectrum.re, l->spectrum.im, l->spectrum.zeros,
                     l->spectrum.surely},
        .controllable = l->controllable,
        .observable = l->observable,
        .any_state = found->any_state,
        .rate = l->rate,
        .unit = unit,
        .zeros = {l->zeros.n, l->zeros.re, l->zeros.im, l->zeros.zeros, l->zeros.surely},
        .symbolic = symbols_of(l)};
    return v;
}

static void find(ah_answer *a, const void *options)
{
    const ah_linearise_options *o = options;
    linearised *found = NEW(&a->model->ctx->job, linearised);
    linear_question q = {.at = o->at, .whole = o->whole || o->any_state, .anywhere = o->any_state};
    const char *why;
    if (!choose_inputs(a->model, o->inputs, &q) ||
        !choose_outputs(model_fed(a->model), o->outputs, &q))
        return;
    if (!linear_run(a->model, &q, &found->linear, &why)) {
        if (!why) return;
        diag(a->model->ctx, A0621, NOWHERE, "%s", why);
        if (!o->any_state)
            diag_hint(a->model->ctx, "steady motions are what `steady` lists, --at says which one; "
                                     "--any-state is about a state as it is");
        a->status = AH_E_REFUSED;
        return;
    }
    found->any_state = o->any_state;
    a->found = found;
    a->values = values_of(found);
}

static const char *write(const ah_answer *a, ah_format format)
{
    if (format == AH_JSON) return as_json(a->found, a->values);
    return prose_writes(format) ? in_words(a->found, a->values, format) : NULL;
}

ah_status ah_linearise(ah_model *m, const ah_linearise_options *options, ah_answer **out)
{
    static const answer_question question = {AH_LINEARISE, find, write};
    ah_linearise_options o = ah_linearise_defaults();
    if (out) *out = NULL;
    return base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)
               ? answer_ask(m, &question, &o, out)
               : AH_E_INPUT;
}

const ah_linearise_values *ah_answer_linearise(const ah_answer *a)
{
    return answer_values(a, AH_LINEARISE);
}
