/* answer/answer_stability.c - `anholo stability` as text, CSV and JSON. */
#include <anholo/stability.h>

#include "../flow/flow.h"
#include "answer_steady.h"

#include <math.h>

enum { SWEEP_VALUES = 101, CRITICAL_VALUES = 201 };

ah_stability_options ah_stability_defaults(void)
{
    return (ah_stability_options){0};
}

typedef struct job {
    ah_model *model;
    ah_stability_options options;
    ah_format format;
    const char *out;
    ah_status status;
} job;

static const char *ascii(const stability_answer *s, ah_expr e)
{
    return expr_text(s->model->ctx, &s->model->ctx->job, e, AH_ASCII);
}

static const char *pretty(const stability_answer *s, ah_expr e)
{
    return expr_text(s->model->ctx, &s->model->ctx->job, e, AH_TEXT);
}

/* λ^zeros (λ^degree + …) as it is written. */
static ah_expr polynomial(const stability_answer *s)
{
    ah_ctx *ctx = s->model->ctx;
    const characteristic *c = s->symbolic;
    ah_expr sum = expr_int(ctx, 0);
    for (uint32_t i = 0; i <= c->degree; i++)
        sum = expr_add(
            ctx, sum,
            expr_mul(ctx, c->coefficient[i], expr_powi(ctx, c->lambda, (long) (c->degree - i))));
    return expr_mul(ctx, expr_powi(ctx, c->lambda, (long) c->zeros), sum);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_spectrum(json *j, const spectrum *s)
{
    json_array(j);
    for (uint32_t i = 0; i < s->n; i++) {
        json_array(j);
        json_number(j, s->re[i]);
        json_number(j, s->im[i]);
        json_close(j);
    }
    json_close(j);
}

static void json_matrix(json *j, const stability_answer *s)
{
    const uint32_t n = s->m->kept;
    json_array(j);
    for (uint32_t i = 0; i < n; i++) {
        json_array(j);
        for (uint32_t k = 0; k < n; k++) json_number(j, s->B[(size_t) i * n + k]);
        json_close(j);
    }
    json_close(j);
}

static void json_expressions(json *j, const stability_answer *s, size_t count, const ah_expr *e)
{
    json_array(j);
    for (size_t i = 0; i < count; i++) json_string(j, ascii(s, e[i]));
    json_close(j);
}

static void json_symbolic(json *j, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    if (!c) {
        json_null(j);
        return;
    }
    json_object(j);
    json_key(j, "state");
    json_object(j);
    for (uint32_t i = 0; i < s->m->kept; i++) {
        json_key(j, ascii(s, s->m->symbol[s->m->keep[i]]));
        json_string(j, ascii(s, c->state[i]));
    }
    json_close(j);
    json_key(j, "polynomial");
    json_string(j, ascii(s, polynomial(s)));
    json_key(j, "zeros");
    json_int(j, c->zeros);
    json_key(j, "coefficients");
    json_expressions(j, s, c->degree + 1, c->coefficient);
    json_key(j, "even");
    json_bool(j, c->even);
    json_key(j, "conditions");
    json_expressions(j, s, c->conditions, c->condition);
    json_key(j, "complete");
    json_bool(j, c->decided);
    json_key(j, "boundaries");
    json_array(j);
    for (size_t i = 0; i < c->boundaries; i++) {
        json_object(j);
        json_key(j, "symbol");
        json_string(j, ascii(s, c->boundary[i].symbol));
        json_key(j, "square");
        json_string(j, ascii(s, c->boundary[i].square));
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static void json_sweep(json *j, const stability_answer *s)
{
    if (!s->range) {
        json_null(j);
        return;
    }
    json_object(j);
    json_key(j, "name");
    json_string(j, s->range->name);
    json_key(j, "rows");
    json_array(j);
    for (size_t i = 0; i < s->range->count; i++) {
        json_object(j);
        json_key(j, "value");
        json_number(j, s->row[i].value);
        json_key(j, "eigenvalues");
        if (s->row[i].found)
            json_spectrum(j, &s->row[i].spectrum);
        else
            json_null(j);
        json_key(j, "unstable");
        if (s->row[i].found)
            json_int(j, s->row[i].spectrum.unstable);
        else
            json_null(j);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static void json_critical(json *j, const stability_answer *s)
{
    if (!s->critical_range) {
        json_null(j);
        return;
    }
    json_object(j);
    json_key(j, "name");
    json_string(j, s->critical_range->name);
    json_key(j, "values");
    json_array(j);
    for (size_t i = 0; i < s->criticals; i++) {
        const stability_critical *c = &s->critical[i];
        json_object(j);
        json_key(j, "value");
        json_number(j, c->value);
        json_key(j, "unstable_below");
        json_int(j, c->below);
        json_key(j, "unstable_above");
        json_int(j, c->above);
        json_key(j, "how");
        json_string(j, c->how);
        json_key(j, "frequency");
        json_number(j, c->frequency);
        json_key(j, "sharp");
        json_bool(j, c->sharp);
        json_close(j);
    }
    json_close(j);
    json_close(j);
}

static const char *write_json(const stability_answer *s)
{
    json j = json_begin(&s->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, s->model->title);
    steady_json(&j, s);
    json_key(&j, "moved");
    json_bool(&j, s->moved);
    json_key(&j, "variables");
    steady_json_names(&j, s, s->m->kept, s->m->keep);
    json_key(&j, "ignorable");
    steady_json_names(&j, s, s->m->ignorable, s->m->ignored);
    json_key(&j, "jacobian");
    json_matrix(&j, s);
    json_key(&j, "eigenvalues");
    json_spectrum(&j, &s->spectrum);
    json_key(&j, "zeros");
    json_int(&j, s->spectrum.zeros);
    json_key(&j, "unstable");
    json_int(&j, s->spectrum.surely);
    json_key(&j, "verdict");
    json_string(&j, steady_verdict(s->verdict));
    json_key(&j, "symbolic");
    json_symbolic(&j, s);
    json_key(&j, "sweep");
    json_sweep(&j, s);
    json_key(&j, "critical");
    json_critical(&j, s);
    json_close(&j);
    return json_end(&j);
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void text_number(text *t, double x)
{
    text_double(t, x, STEADY_DIGITS);
}

static void text_eigenvalue(text *t, double re, double im)
{
    text_number(t, re);
    if (im == 0) return;
    text_add(t, im < 0 ? " - " : " + ");
    text_number(t, fabs(im));
    text_add(t, " i");
}

static void text_zeros(text *t, const stability_answer *s)
{
    const uint32_t zeros = s->spectrum.zeros, ignorable = s->m->ignorable;
    if (zeros) {
        text_printf(t, "%u zero%s", zeros, zeros == 1 ? "" : "s");
        if (s->family_sure && zeros == s->family)
            text_add(t, ": along the family");
        else if (s->family_sure)
            text_printf(t, ": %u along the family, %u not explained by it", s->family,
                        zeros - s->family);
        text_add(t, ".\n");
    }
    if (ignorable)
        text_printf(t, "The ignorable coordinates add %u zero%s.\n", ignorable,
                    ignorable == 1 ? "" : "s");
}

/* The values that were put in, also those of variables that are free along the family. */
static void text_put_in(text *t, const stability_answer *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->m->kept; i++) {
        const ah_expr y = s->m->symbol[s->m->keep[i]], value = s->symbolic->state[i];
        if (value == y) continue;
        text_printf(t, "%s%s = %s", any ? ", " : " where ", pretty(s, y), pretty(s, value));
        any = true;
    }
}

static void text_symbolic(text *t, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    if (!c) return;
    text_add(t, "Characteristic polynomial");
    text_put_in(t, s);
    text_printf(t, ": %s\n", pretty(s, polynomial(s)));
    if (c->degree == 0) return;
    if (c->conditions == 0 && c->decided) {
        text_printf(t, "%s for all values that the assumptions allow.\n",
                    c->even ? "Stable in the first order" : "Stable");
    } else {
        steady_text_conditions(t, s);
    }
    for (size_t i = 0; i < c->boundaries; i++)
        text_printf(t, "The limit: %s² = %s\n", pretty(s, c->boundary[i].symbol),
                    pretty(s, c->boundary[i].square));
}

static void text_critical(text *t, const stability_answer *s, const char *mark)
{
    if (!s->critical_range) return;
    if (!s->criticals)
        text_printf(t, "%sNo critical value of %s between %g and %g.\n", mark,
                    s->critical_range->name, s->critical_range->from, s->critical_range->to);
    for (size_t i = 0; i < s->criticals; i++) {
        const stability_critical *c = &s->critical[i];
        text_printf(t, "%s%s = ", mark, s->critical_range->name);
        text_double(t, c->value, c->sharp ? STEADY_DIGITS : 7);
        text_printf(t, ": %s (%u unstable below, %u above", c->how, c->below, c->above);
        if (c->frequency > 0) text_printf(t, "; frequency %.6g", c->frequency);
        text_add(t, ")\n");
    }
}

static const char *write_csv(const stability_answer *s)
{
    text t = text_begin(&s->model->ctx->job);
    text_add(&t, s->range->name);
    for (uint32_t i = 0; i < s->m->kept; i++) text_printf(&t, ",re%u,im%u", i + 1, i + 1);
    text_add(&t, ",unstable\n");
    for (size_t i = 0; i < s->range->count; i++) {
        const stability_row *r = &s->row[i];
        text_double(&t, r->value, 17);
        for (uint32_t k = 0; k < s->m->kept; k++) {
            text_char(&t, ',');
            if (r->found) text_double(&t, r->spectrum.re[k], 17);
            text_char(&t, ',');
            if (r->found) text_double(&t, r->spectrum.im[k], 17);
        }
        text_char(&t, ',');
        if (r->found) text_printf(&t, "%u", r->spectrum.unstable);
        text_char(&t, '\n');
    }
    text_critical(&t, s, "# ");
    return text_end(&t);
}

static const char *write_text(const stability_answer *s)
{
    text t = text_begin(&s->model->ctx->job);
    if (s->model->title) text_printf(&t, "%s\n\n", s->model->title);
    text_printf(&t, "%s%s:\n", s->rest ? "Equilibrium" : "Steady motion",
                s->moved ? ", reached from the given state" : "");
    steady_text(&t, s);
    steady_text_ignorable(&t, s);
    text_add(&t, "\nEigenvalues of the linearisation in ");
    steady_text_names(&t, s, s->m->kept, s->m->keep);
    text_add(&t, ":\n");
    for (uint32_t i = 0; i < s->spectrum.n; i++) {
        text_add(&t, "    ");
        text_eigenvalue(&t, s->spectrum.re[i], s->spectrum.im[i]);
        text_char(&t, '\n');
    }
    text_zeros(&t, s);
    text_printf(&t, "%s.\n", steady_verdict_text(s->verdict));
    text_symbolic(&t, s);
    text_critical(&t, s, "Critical: ");
    return text_end(&t);
}

/* ---- The call -------------------------------------------------------------------------------- */

static void run(ah_ctx *ctx, void *arg)
{
    job *k = arg;
    stability_answer answer;
    stability_range sweep, critical;
    stability_question q = {.at = k->options.at, .symbolic = true};
    const char *why;
    k->model = model_driven(k->model);
    if (k->options.sweep) {
        if (!stability_read_range(k->model, "--sweep", k->options.sweep, SWEEP_VALUES, &sweep))
            return;
        q.sweep = &sweep;
    }
    if (k->options.critical) {
        if (!stability_read_range(k->model, "--critical", k->options.critical, CRITICAL_VALUES,
                                  &critical))
            return;
        q.critical = &critical;
    }
    q.symbolic = !q.sweep || k->format == AH_JSON;
    if (!stability_run(k->model, &q, &answer, &why)) {
        if (!why) return;
        diag(ctx, A0621, NOWHERE, "%s", why);
        k->status = AH_E_REFUSED;
        return;
    }
    k->out = k->format == AH_JSON ? write_json(&answer)
             : answer.range       ? write_csv(&answer)
                                  : write_text(&answer);
}

ah_status ah_stability(ah_model *m, const ah_stability_options *options, ah_format format,
                       const char **out)
{
    job k = {.model = m, .format = format};
    k.options = options ? *options : ah_stability_defaults();
    const ah_status status = model_guard(m, run, &k);
    *out = k.out;
    return k.status != AH_OK ? k.status : status;
}
