/* answer/answer_agreement.c - `anholo crosscheck` and `anholo verify` as text and as JSON. */
#include <anholo/eval.h>

#include "../analyse/analyse.h"
#include "answer_certificate.h"

#include <math.h>

ah_crosscheck_options ah_crosscheck_defaults(void)
{
    return (ah_crosscheck_options){.states = 100, .seed = 1};
}

typedef struct agreement {
    ah_model *model;
    ah_crosscheck_options options;
    ah_format format;
    const char *out;
    const char **certificate; /* NULL: none is asked for */
    certificates proofs;
    ah_status status;
} agreement;

/* ---- States ---------------------------------------------------------------------------------- */

/* The symbols that make a state: t, q, q', z; symbolic parameters too. */
static expr_list state_symbols(const ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    expr_list out = {0};
    LIST_PUSH(&ctx->job, &out, expr_time(ctx));
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].value == AH_NONE)
            LIST_PUSH(&ctx->job, &out, m->parameters.at[i].symbol);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(&ctx->job, &out, m->q.at[i]);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(&ctx->job, &out, m->v.at[i]);
    for (size_t i = 0; i < m->speeds.count; i++) LIST_PUSH(&ctx->job, &out, m->speeds.at[i].symbol);
    return out;
}

static void json_state(json *j, const ah_model *m, const double *values)
{
    const expr_list symbols = state_symbols(m);
    for (size_t i = 0; i < symbols.count; i++) {
        json_key(j, expr_text(m->ctx, &m->ctx->job, symbols.at[i], AH_ASCII));
        json_number(j, values[expr_slot(m->ctx, symbols.at[i])]);
    }
}

static void text_state(text *t, const ah_model *m, const double *values)
{
    const expr_list symbols = state_symbols(m);
    for (size_t i = 0; i < symbols.count; i++) {
        text_printf(t, "%s%s=", i ? ", " : "",
                    expr_text(m->ctx, &m->ctx->job, symbols.at[i], AH_ASCII));
        text_double(t, values[expr_slot(m->ctx, symbols.at[i])], 17);
    }
    text_char(t, '\n');
}

/* ---- Crosscheck ------------------------------------------------------------------------------ */

static const char *crosscheck_json(const agreement *g, const crosscheck_answer *a)
{
    json j = json_begin(&g->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, g->model->title);
    json_key(&j, "states");
    json_int(&j, (long long) a->states);
    json_key(&j, "seed");
    json_int(&j, (long long) g->options.seed);
    json_key(&j, "methods");
    json_array(&j);
    for (size_t i = 0; i < a->methods; i++) json_string(&j, a->method[i]);
    json_close(&j);
    json_key(&j, "max_relative_difference");
    json_number(&j, a->worst);
    json_key(&j, "worst");
    json_object(&j);
    json_key(&j, "method");
    json_string(&j, a->worst_method);
    json_key(&j, "state");
    json_object(&j);
    if (a->worst_values) json_state(&j, g->model, a->worst_values);
    json_close(&j);
    json_close(&j);
    json_key(&j, "differences");
    json_object(&j);
    for (size_t i = 0; i < a->methods; i++) {
        json_key(&j, a->method[i]);
        json_number(&j, a->difference[i]);
    }
    json_close(&j);
    json_key(&j, "refused");
    json_object(&j);
    for (size_t i = 0; i < a->refusals; i++) {
        json_key(&j, a->refused[i]);
        json_string(&j, a->why[i]);
    }
    json_close(&j);
    json_key(&j, "discarded");
    json_int(&j, (long long) a->discarded);
    json_key(&j, "pass");
    json_bool(&j, a->pass);
    json_close(&j);
    return json_end(&j);
}

static const char *crosscheck_text(const agreement *g, const crosscheck_answer *a)
{
    text t = text_begin(&g->model->ctx->job);
    text_printf(&t, "%s: %zu random states, seed %llu\n", g->model->title ? g->model->title : "",
                a->states, (unsigned long long) g->options.seed);
    if (a->discarded)
        text_printf(&t, "%zu singular or ill-conditioned states were drawn again\n", a->discarded);
    for (size_t i = 0; i < a->methods; i++)
        text_printf(&t, "  %-18s %s%.2e\n", a->method[i],
                    i ? "differs by at most " : "the referee, ", a->difference[i]);
    for (size_t i = 0; i < a->refusals; i++)
        text_printf(&t, "  %-18s refused: %s\n", a->refused[i], a->why[i]);
    text_printf(&t, "%s: largest relative difference %.2e\n",
                a->pass ? "the methods agree" : "THE METHODS DISAGREE", a->worst);
    if (a->worst_method) {
        text_printf(&t, "  by %s at ", a->worst_method);
        text_state(&t, g->model, a->worst_values);
    }
    return text_end(&t);
}

static void run_crosscheck(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    agreement *g = arg;
    crosscheck_answer a;
    g->model = model_driven(g->model);
    if (!crosscheck_run(g->model, g->options.states, g->options.seed, &a)) {
        g->status = AH_E_NUMERIC;
        return;
    }
    g->out = g->format == AH_JSON ? crosscheck_json(g, &a) : crosscheck_text(g, &a);
    g->status = a.pass ? AH_OK : AH_E_REFUSED;
}

/* ---- Verify ---------------------------------------------------------------------------------- */

static const char *const verdicts[] = {"proved", "holds", "false", "unknown"};

static void verify_claim_json(json *j, const verify_claim *c)
{
    json_object(j);
    json_key(j, "label");
    json_string(j, c->claim->label);
    json_key(j, "kind");
    json_string(j, c->claim->refute ? "refute" : "claim");
    json_key(j, "says");
    json_string(j, c->claim->statement ? model_says_word(c->claim->statement->says) : "equation");
    json_key(j, "verdict");
    json_string(j, verdicts[c->verdict]);
    json_key(j, "pass");
    json_bool(j, c->pass);
    json_key(j, "states");
    json_int(j, (long long) c->states);
    if (c->why) {
        json_key(j, "why");
        json_string(j, c->why);
    }
    if (c->values && c->difference) {
        json_key(j, "difference");
        json_string(j, c->difference);
    }
    if (c->on_constraints) {
        json_key(j, "on_constraints");
        json_bool(j, true);
    }
    if (c->component) {
        json_key(j, "component");
        json_string(j, c->component);
    }
    json_key(j, "counterexample");
    if (c->values) {
        json_object(j);
        json_state(j, c->model, c->values);
        json_key(j, "left");
        json_number(j, c->left);
        json_key(j, "right");
        json_number(j, c->right);
        json_close(j);
    } else {
        json_null(j);
    }
    json_close(j);
}

static const char *verify_json(const agreement *g, const verify_answer *a)
{
    json j = json_begin(&g->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, g->model->title);
    json_key(&j, "claims");
    json_array(&j);
    for (size_t i = 0; i < a->count; i++) verify_claim_json(&j, &a->at[i]);
    json_close(&j);
    json_key(&j, "pass");
    json_bool(&j, a->pass);
    if (g->certificate) {
        json_key(&j, "proofs_written");
        json_int(&j, (long long) g->proofs.written);
        json_key(&j, "proofs_not_written");
        json_int(&j, (long long) (g->proofs.count - g->proofs.written));
    }
    json_close(&j);
    return json_end(&j);
}

/* With as many digits as tell them apart, or by how much they differ. */
static void counterexample_sides(text *t, const verify_claim *c)
{
    const double size = fmax(fabs(c->left), fabs(c->right));
    const bool near = fabs(c->left - c->right) < 1e-5 * size;
    const int digits = near ? 17 : 10;
    text_printf(t, ": %.*g on the left, %.*g on the right", digits, c->left, digits, c->right);
    if (near && c->difference) text_printf(t, "; they differ by %s", c->difference);
    text_add(t, "\n       at ");
}

static void verify_claim_text(text *t, const verify_claim *c)
{
    text_printf(t, "  %-4s %s \"%s\": ", c->pass ? "ok" : "FAIL",
                c->claim->refute ? "refute" : "claim", c->claim->label);
    const char *why = c->why ? c->why : "", *colon = c->why ? ": " : "";
    switch (c->verdict) {
    case VERDICT_PROVED:
        text_printf(t, "proved%s%s%s\n", c->on_constraints ? " on the constraints" : "", colon,
                    why);
        break;
    case VERDICT_HOLDS:
        if (c->states)
            text_printf(t, "holds at %zu random states (not proved)%s%s\n", c->states, colon, why);
        else
            text_printf(t, "holds in general (not proved)%s%s\n", colon, why);
        break;
    case VERDICT_UNKNOWN: text_printf(t, "unknown: %s\n", why); break;
    case VERDICT_FALSE:
        text_printf(t, "%s%s%s", c->claim->refute ? "refuted" : "false", colon, why);
        if (c->component) text_printf(t, " on the component %s", c->component);
        if (!c->values) text_char(t, '\n');
        if (!c->values) break;
        counterexample_sides(t, c);
        text_state(t, c->model, c->values);
        break;
    }
}

static const char *verify_text(const agreement *g, const verify_answer *a)
{
    text t = text_begin(&g->model->ctx->job);
    text_printf(&t, "%s\n", g->model->title ? g->model->title : "");
    size_t passed = 0;
    for (size_t i = 0; i < a->count; i++) {
        verify_claim_text(&t, &a->at[i]);
        passed += a->at[i].pass;
    }
    text_printf(&t, "%zu of %zu as stated\n", passed, a->count);
    if (g->certificate)
        text_printf(&t, "%zu proofs written, %zu not\n", g->proofs.written,
                    g->proofs.count - g->proofs.written);
    return text_end(&t);
}

static void run_verify(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    agreement *g = arg;
    verify_answer a;
    verify_run(g->model, g->options.states, g->options.seed, &a);
    if (g->certificate) {
        certificates_make(g->model, &a, &g->proofs);
        *g->certificate = certificate_json(g->model, &g->proofs);
    }
    g->out = g->format == AH_JSON ? verify_json(g, &a) : verify_text(g, &a);
    g->status = a.pass ? AH_OK : AH_E_REFUSED;
}

static ah_status guarded(agreement g, const ah_crosscheck_options *options,
                         void (*body)(ah_ctx *, void *), const char **out)
{
    g.options = options ? *options : ah_crosscheck_defaults();
    const ah_status status = model_guard(g.model, body, &g);
    *out = g.out;
    return status != AH_OK && g.status == AH_OK ? status : g.status;
}

ah_status ah_crosscheck(ah_model *m, const ah_crosscheck_options *options, ah_format format,
                        const char **out)
{
    return guarded((agreement){.model = m, .format = format}, options, run_crosscheck, out);
}

ah_status ah_verify(ah_model *m, const ah_crosscheck_options *options, ah_format format,
                    const char **out)
{
    return ah_certify(m, options, format, out, NULL);
}

ah_status ah_certify(ah_model *m, const ah_crosscheck_options *options, ah_format format,
                     const char **out, const char **proofs)
{
    if (proofs) *proofs = NULL;
    const agreement g = {.model = m, .format = format, .certificate = proofs};
    return guarded(g, options, run_verify, out);
}
