/* answer/answer_steady.c - `anholo steady` as text and as JSON; steady motions for `stability`,
 * too. */
#include "answer_steady.h"

#include <anholo/stability.h>

#include "../flow/flow.h"
#include "../analyse/analyse.h"

#include <math.h>

/* Rounding of a sum that vanishes is written as zero. */
#define STEADY_DUST 1e-14

/* ---- One motion
 * ---------------------------------------------------------------------------------- */

static const char *const verdicts[] = {"unstable", "attracting", "spectrally stable", "undecided"};
static const char *const verdict_text[] = {
    "Unstable: an eigenvalue has a positive real part",
    "Stable: every motion nearby tends to a steady motion",
    "No real part is positive, some vanish: the linearisation does not decide",
    "No real part is positive, but the family does not explain all zeros: undecided",
};

const char *steady_verdict(stability_verdict v)
{
    return verdicts[v];
}

const char *steady_verdict_text(stability_verdict v)
{
    return verdict_text[v];
}

static const char *ascii(const stability_answer *s, ah_expr e)
{
    return expr_text(s->model->ctx, &s->model->ctx->job, e, AH_ASCII);
}

static const char *pretty(const stability_answer *s, ah_expr e)
{
    return expr_text(s->model->ctx, &s->model->ctx->job, e, AH_TEXT);
}

void steady_json_names(json *j, const stability_answer *s, uint32_t count, const uint32_t *y)
{
    json_array(j);
    for (uint32_t i = 0; i < count; i++) json_string(j, ascii(s, s->m->symbol[y[i]]));
    json_close(j);
}

static void json_state(json *j, const stability_answer *s)
{
    const ah_model *m = s->model;
    json_object(j);
    for (uint32_t i = 0; i < 2 * m->n; i++) {
        const ah_expr e = i < m->n ? m->q.at[i] : m->v.at[i - m->n];
        json_key(j, ascii(s, e));
        json_number(j, s->values[expr_slot(m->ctx, e)]);
    }
    for (uint32_t y = s->m->coordinates; y < s->m->count; y++) {
        if (expr_get_kind(m->ctx, s->m->symbol[y]) == AH_VELOCITY) continue;
        json_key(j, ascii(s, s->m->symbol[y]));
        json_number(j, minimal_value(s->m, y, s->values));
    }
    json_close(j);
}

void steady_json(json *j, const stability_answer *s)
{
    json_key(j, "state");
    json_state(j, s);
    json_key(j, "equilibrium");
    json_bool(j, s->rest);
    json_key(j, "family");
    json_object(j);
    json_key(j, "dimension");
    json_int(j, s->family);
    json_key(j, "parameters");
    steady_json_names(j, s, s->family_sure ? s->family : 0, s->parameter);
    json_key(j, "sure");
    json_bool(j, s->family_sure);
    json_close(j);
}

void steady_text_names(text *t, const stability_answer *s, uint32_t count, const uint32_t *y)
{
    for (uint32_t i = 0; i < count; i++)
        text_printf(t, "%s%s", i ? ", " : "", pretty(s, s->m->symbol[y[i]]));
}

static void text_value(text *t, const stability_answer *s, ah_expr symbol, double x)
{
    text_printf(t, "    %s = ", pretty(s, symbol));
    text_double(t, fabs(x) < STEADY_DUST ? 0 : x, STEADY_DIGITS);
}

/* Coordinates that follow from the others by holonomic constraints. */
static void text_dependent(text *t, const stability_answer *s)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < s->model->n; i++) {
        const ah_expr q = s->model->q.at[i];
        bool own = false;
        for (uint32_t y = 0; y < m->coordinates; y++) own = own || m->place[y] == i;
        if (own) continue;
        text_value(t, s, q, s->values[expr_slot(s->model->ctx, q)]);
        text_add(t, "   (by the constraints)\n");
    }
}

void steady_text(text *t, const stability_answer *s)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < m->kept; i++) {
        text_value(t, s, m->symbol[m->keep[i]], minimal_value(m, m->keep[i], s->values));
        text_char(t, '\n');
    }
    text_dependent(t, s);
    if (s->family == 0) {
        text_add(t, "It is isolated.\n");
        return;
    }
    if (!s->family_sure) {
        text_printf(t,
                    "It is singular among the steady motions: their family has at most %u free "
                    "parameter%s.\n",
                    s->family, s->family == 1 ? "" : "s");
        return;
    }
    text_printf(t, "It belongs to a family with %u free parameter%s: ", s->family,
                s->family == 1 ? "" : "s");
    steady_text_names(t, s, s->family, s->parameter);
    text_add(t, ".\n");
}

void steady_text_ignorable(text *t, const stability_answer *s)
{
    const minimal *m = s->m;
    if (!m->ignorable) return;
    text_add(t, "Nothing of this depends on ");
    steady_text_names(t, s, m->ignorable, m->ignored);
    text_printf(t, "%s.\n",
                m->generic ? " (at random states)" : " (at this state; no random one was found)");
}

/* ---- All of them
 * ---------------------------------------------------------------------------------- */

ah_steady_options ah_steady_defaults(void)
{
    return (ah_steady_options){.starts = 30, .seed = 1};
}

typedef struct job {
    ah_model *model;
    ah_steady_options options;
    ah_format format;
    const char *out;
    ah_status status;
} job;

/* y = value for every variable that is not free, with symbols. */
static void text_symbolic(text *t, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    bool any = false;
    for (uint32_t i = 0; c && i < s->m->kept; i++) {
        const ah_expr y = s->m->symbol[s->m->keep[i]];
        if (c->state[i] == y) continue;
        text_printf(t, "%s%s = %s", any ? ", " : "    with symbols: ", pretty(s, y),
                    pretty(s, c->state[i]));
        any = true;
    }
    if (any) text_char(t, '\n');
}

static const char *write_text(const families_answer *a)
{
    text t = text_begin(&a->model->ctx->job);
    if (a->model->title) text_printf(&t, "%s\n\n", a->model->title);
    text_printf(&t, "%zu famil%s of steady motions found from %zu states%s\n", a->count,
                a->count == 1 ? "y" : "ies", a->starts, a->count ? ":" : ".");
    for (size_t i = 0; i < a->count; i++) {
        const stability_answer *s = &a->at[i];
        text_printf(&t, "\n%zu. %s:\n", i + 1, s->rest ? "Equilibrium" : "Steady motion");
        steady_text(&t, s);
        text_symbolic(&t, s);
        text_printf(&t, "%s.\n", steady_verdict_text(s->verdict));
    }
    if (a->count) text_char(&t, '\n');
    if (a->count) steady_text_ignorable(&t, &a->at[0]);
    text_add(&t, "There may be others.\n");
    return text_end(&t);
}

static void json_symbolic(json *j, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    if (!c) {
        json_null(j);
        return;
    }
    json_object(j);
    for (uint32_t i = 0; i < s->m->kept; i++) {
        json_key(j, ascii(s, s->m->symbol[s->m->keep[i]]));
        json_string(j, ascii(s, c->state[i]));
    }
    json_close(j);
}

static const char *write_json(const families_answer *a)
{
    json j = json_begin(&a->model->ctx->job);
    const stability_answer any = {.model = a->model, .m = a->m};
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, a->model->title);
    json_key(&j, "variables");
    steady_json_names(&j, &any, a->m->kept, a->m->keep);
    json_key(&j, "ignorable");
    steady_json_names(&j, &any, a->m->ignorable, a->m->ignored);
    json_key(&j, "starts");
    json_int(&j, (long long) a->starts);
    json_key(&j, "families");
    json_array(&j);
    for (size_t i = 0; i < a->count; i++) {
        json_object(&j);
        steady_json(&j, &a->at[i]);
        json_key(&j, "symbolic");
        json_symbolic(&j, &a->at[i]);
        json_key(&j, "verdict");
        json_string(&j, steady_verdict(a->at[i].verdict));
        json_key(&j, "reached");
        json_int(&j, (long long) a->reached[i]);
        json_close(&j);
    }
    json_close(&j);
    json_close(&j);
    return json_end(&j);
}

static void run(ah_ctx *ctx, void *arg)
{
    job *k = arg;
    families_answer answer;
    const char *why = NULL;
    if (!families_run(k->model, k->options.at, k->options.starts, k->options.seed, &answer, &why)) {
        if (!why) return;
        diag(ctx, A0621, NOWHERE, "%s", why);
        k->status = AH_E_REFUSED;
        return;
    }
    k->out = k->format == AH_JSON ? write_json(&answer) : write_text(&answer);
    if (!answer.count) k->status = AH_E_REFUSED;
}

ah_status ah_steady(ah_ctx *ctx, ah_model *m, const ah_steady_options *options, ah_format format,
                    const char **out)
{
    job k = {.model = m, .format = format};
    k.options = options ? *options : ah_steady_defaults();
    const ah_status status = ctx_guard(ctx, run, &k);
    *out = k.out;
    return k.status != AH_OK ? k.status : status;
}
