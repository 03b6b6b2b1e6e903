/* answer/answer_stability.c - `anholo stability` in words, as CSV and JSON. */
#include "answer_steady.h"
#include "answers.h"

#include <math.h>

enum { SWEEP_VALUES = 101, CRITICAL_VALUES = 201 };

ah_stability_options ah_stability_defaults(void)
{
    return (ah_stability_options){.size = sizeof(ah_stability_options)};
}

static const char *ascii(const stability_answer *s, ah_expr e)
{
    return expr_text(s->model->ctx, &s->model->ctx->job, e, AH_ASCII);
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

static void json_symbolic(json *j, const stability_answer *s, const ah_characteristic *told)
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
    json_string(j, ascii(s, told->polynomial));
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
    json_key(j, "not_found");
    json_int(j, (long) s->critical_lost);
    json_close(j);
}

static const char *as_json(const stability_answer *s, const ah_stability_values *v)
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
    json_string(&j, ah_stability_word(s->verdict));
    json_key(&j, "symbolic");
    json_symbolic(&j, s, v->characteristic);
    json_key(&j, "sweep");
    json_sweep(&j, s);
    json_key(&j, "critical");
    json_critical(&j, s);
    json_close(&j);
    return json_end(&j);
}

/* ---- Words ----------------------------------------------------------------------------------- */

static void put_eigenvalue(prose *p, double re, double im)
{
    prose_item(p);
    prose_number(p, re, STEADY_DIGITS);
    if (im != 0) {
        prose_add(p, im < 0 ? " - " : " + ");
        prose_number(p, fabs(im), STEADY_DIGITS);
        prose_add(p, " i");
    }
    prose_end(p);
}

static void put_zeros(prose *p, const stability_answer *s)
{
    const uint32_t zeros = s->spectrum.zeros, ignorable = s->m->ignorable;
    if (zeros) {
        prose_printf(p, "%u zero%s", zeros, zeros == 1 ? "" : "s");
        if (s->family_sure && zeros == s->family)
            prose_add(p, ": along the family");
        else if (s->family_sure)
            prose_printf(p, ": %u along the family, %u not explained by it", s->family,
                         zeros - s->family);
        prose_add(p, ".");
    }
    prose_end(p);
    if (ignorable)
        prose_printf(p, "The ignorable coordinates add %u zero%s.", ignorable,
                     ignorable == 1 ? "" : "s");
    prose_end(p);
}

/* The values that were put in, also those of variables that are free along the family. */
static void put_values(prose *p, const stability_answer *s)
{
    bool any = false;
    for (uint32_t i = 0; i < s->m->kept; i++) {
        const ah_expr y = s->m->symbol[s->m->keep[i]], value = s->symbolic->state[i];
        if (value == y) continue;
        prose_add(p, any ? ", " : " where ");
        prose_relation(p, y, "=", value);
        any = true;
    }
}

static void put_symbolic(prose *p, const stability_answer *s, const ah_characteristic *told)
{
    const characteristic *c = s->symbolic;
    if (!c) return;
    prose_add(p, "Characteristic polynomial");
    put_values(p, s);
    prose_add(p, ": ");
    prose_formula(p, told->polynomial);
    prose_end(p);
    if (c->degree == 0) return;
    if (c->conditions == 0 && c->decided) {
        prose_printf(p, "%s for all values that the assumptions allow.",
                     c->even ? "No real part is positive"
                     : s->family_sure && c->zeros == s->family
                         ? "Stable"
                         : "All real parts but those of the zeros are negative");
        prose_end(p);
    } else {
        steady_conditions(p, s);
    }
    for (size_t i = 0; i < c->boundaries; i++) {
        prose_add(p, "The limit: ");
        if (p->format == AH_TEXT) {
            prose_formula(p, c->boundary[i].symbol);
            prose_add(p, "² = ");
            prose_formula(p, c->boundary[i].square);
        } else {
            prose_relation(p, expr_powi(p->ctx, c->boundary[i].symbol, 2), "=",
                           c->boundary[i].square);
        }
        prose_end(p);
    }
}

static void put_critical(prose *p, const stability_answer *s, const char *mark)
{
    if (!s->critical_range) return;
    if (!s->criticals)
        prose_printf(p, "%sNo critical value of %s between %g and %g.", mark,
                     s->critical_range->name, s->critical_range->from, s->critical_range->to);
    prose_end(p);
    for (size_t i = 0; i < s->criticals; i++) {
        const stability_critical *c = &s->critical[i];
        prose_printf(p, "%s%s = ", mark, s->critical_range->name);
        prose_number(p, c->value, c->sharp ? STEADY_DIGITS : 7);
        prose_printf(p, ": %s (%u unstable below, %u above", c->how, c->below, c->above);
        if (c->frequency > 0) prose_printf(p, "; frequency %.6g", c->frequency);
        prose_add(p, ")");
        prose_end(p);
    }
    if (!s->critical_lost) return;
    prose_printf(p, "%sNo steady motion was found at %zu of the %zu values of %s looked at.", mark,
                 s->critical_lost, s->critical_range->count, s->critical_range->name);
    prose_end(p);
}

static const char *as_csv(const stability_answer *s)
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
    prose p = prose_begin(s->model->ctx, AH_TEXT);
    put_critical(&p, s, "# ");
    text_add(&t, prose_finish(&p));
    return text_end(&t);
}

static const char *in_words(const stability_answer *s, const ah_stability_values *v,
                            ah_format format)
{
    prose p = prose_document(s->model->ctx, format, s->model->title, "Stability");
    if (format == AH_TEXT && *s->model->title) text_printf(&p.out, "%s\n\n", s->model->title);
    prose_printf(&p, "%s%s:", s->rest ? "Equilibrium" : "Steady motion",
                 s->moved ? ", reached from the given state" : "");
    prose_end(&p);
    steady_words(&p, s);
    steady_ignorable(&p, s);
    prose_gap(&p);
    prose_add(&p, "Eigenvalues of the linearisation in ");
    steady_variables(&p, s);
    prose_add(&p, ":");
    prose_end(&p);
    for (uint32_t i = 0; i < s->spectrum.n; i++)
        put_eigenvalue(&p, s->spectrum.re[i], s->spectrum.im[i]);
    put_zeros(&p, s);
    prose_printf(&p, "%s.", steady_verdict_text(s->verdict));
    prose_end(&p);
    put_symbolic(&p, s, v->characteristic);
    put_critical(&p, s, "Critical: ");
    return prose_finish_document(&p);
}

/* ---- The question ---------------------------------------------------------------------------- */

static ah_spectrum spectrum_told(const spectrum *s, uint32_t unstable)
{
    return (ah_spectrum){s->n, s->re, s->im, s->zeros, unstable};
}

static void take_ranges(const stability_answer *s, arena *a, ah_stability_values *v)
{
    const size_t rows = s->range ? s->range->count : 0;
    ah_sweep_row *row = NEW_ARRAY(a, ah_sweep_row, rows);
    ah_critical *at = NEW_ARRAY(a, ah_critical, s->criticals);
    for (size_t i = 0; i < rows; i++) {
        row[i] = (ah_sweep_row){.value = s->row[i].value, .found = s->row[i].found};
        if (row[i].found)
            row[i].spectrum = spectrum_told(&s->row[i].spectrum, s->row[i].spectrum.unstable);
    }
    for (size_t i = 0; i < s->criticals; i++) {
        const stability_critical *c = &s->critical[i];
        at[i] = (ah_critical){c->value, c->below, c->above, c->how, c->sharp, c->frequency};
    }
    v->sweep = s->range ? s->range->name : NULL;
    v->rows = rows;
    v->row = row;
    v->critical = s->critical_range ? s->critical_range->name : NULL;
    v->criticals = s->criticals;
    v->at = at;
    v->not_found = s->critical_lost;
}

static const ah_stability_values *values_of(const stability_answer *s)
{
    arena *a = &s->model->ctx->job;
    ah_stability_values *v = NEW(a, ah_stability_values);
    *v = (ah_stability_values){.motion = motion_told(s),
                               .moved = s->moved,
                               .jacobian = s->B,
                               .spectrum = spectrum_told(&s->spectrum, s->spectrum.surely),
                               .verdict = s->verdict,
                               .characteristic = characteristic_told(s)};
    take_ranges(s, a, v);
    return v;
}

/* "NAME=a..b:N"; false after an error was reported. */
static bool read_range(ah_model *m, const char *option, const char *words, size_t count,
                       const stability_range **out)
{
    *out = NULL;
    if (!words) return true;
    stability_range *range = NEW(&m->ctx->job, stability_range);
    *out = range;
    return stability_read_range(m, option, words, count, range);
}

static void find(ah_answer *a, const void *options)
{
    const ah_stability_options *o = options;
    stability_answer *found = NEW(&a->model->ctx->job, stability_answer);
    stability_question q = {.at = o->at, .symbolic = !o->numbers};
    const char *why;
    ah_model *m = model_driven(a->model);
    if (!read_range(m, "--sweep", o->sweep, SWEEP_VALUES, &q.sweep) ||
        !read_range(m, "--critical", o->critical, CRITICAL_VALUES, &q.critical))
        return;
    if (!stability_run(m, &q, found, &why)) {
        if (!why) return;
        diag(a->model->ctx, A0621, NOWHERE, "%s", why);
        a->status = AH_E_REFUSED;
        return;
    }
    a->found = found;
    a->values = values_of(found);
}

static const char *write(const ah_answer *a, ah_format format)
{
    const stability_answer *s = a->found;
    if (format == AH_JSON) return as_json(s, a->values);
    if (format == AH_TEXT && s->range) return as_csv(s);
    return prose_writes(format) ? in_words(s, a->values, format) : NULL;
}

ah_status ah_stability(ah_model *m, const ah_stability_options *options, ah_answer **out)
{
    static const answer_question question = {AH_STABILITY, find, write};
    ah_stability_options o = ah_stability_defaults();
    if (out) *out = NULL;
    return base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)
               ? answer_ask(m, &question, &o, out)
               : AH_E_INPUT;
}

const ah_stability_values *ah_answer_stability(const ah_answer *a)
{
    return answer_values(a, AH_STABILITY);
}
