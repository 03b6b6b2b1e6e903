/* answer/answer_verify.c - `anholo verify` in words and as JSON. */
#include "answers.h"

#include "../claims/claims.h"
#include "../typeset/typeset.h"
#include "answer_certificate.h"
#include <anholo/eval.h>

#include <math.h>

ah_verify_options ah_verify_defaults(void)
{
    return (ah_verify_options){.size = sizeof(ah_verify_options), .states = 100, .seed = 1};
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_counterexample(json *j, const ah_answer *a, const ah_claim_verdict *c)
{
    if (!c->counterexample.count) {
        json_null(j);
        return;
    }
    json_object(j);
    answer_json_state(j, a, &c->counterexample);
    json_key(j, "left");
    json_number(j, c->left_value);
    json_key(j, "right");
    json_number(j, c->right_value);
    json_close(j);
}

static void json_claim(json *j, const ah_answer *a, const ah_claim_verdict *c)
{
    json_object(j);
    json_key(j, "label");
    json_string(j, c->label);
    json_key(j, "kind");
    json_string(j, c->refute ? "refute" : "claim");
    json_key(j, "says");
    json_string(j, ah_says_word(c->says));
    json_key(j, "verdict");
    json_string(j, ah_verdict_word(c->verdict));
    json_key(j, "pass");
    json_bool(j, c->pass);
    json_key(j, "states");
    json_int(j, (long long) c->states);
    if (c->motions) {
        json_key(j, "motions");
        json_int(j, (long long) c->motions);
    }
    if (c->why) {
        json_key(j, "why");
        json_string(j, c->why);
    }
    if (c->counterexample.count && c->difference) {
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
    json_counterexample(j, a, c);
    json_close(j);
}

static const char *as_json(const ah_answer *a)
{
    const ah_verify_values *v = a->values;
    json j = json_begin(&a->model->ctx->job);
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, a->model->title);
    json_key(&j, "claims");
    json_array(&j);
    for (size_t i = 0; i < v->count; i++) json_claim(&j, a, &v->at[i]);
    json_close(&j);
    json_key(&j, "pass");
    json_bool(&j, v->pass);
    if (v->certificate) {
        json_key(&j, "proofs_written");
        json_int(&j, (long long) v->proofs_written);
        json_key(&j, "proofs_not_written");
        json_int(&j, (long long) (v->proofs - v->proofs_written));
    }
    json_close(&j);
    return json_end(&j);
}

/* ---- Words ----------------------------------------------------------------------------------- */

/* The sides with as many digits as tell them apart, or by how much they differ. */
static void counterexample_words(prose *p, const ah_answer *a, const ah_claim_verdict *c)
{
    const double size = fmax(fabs(c->left_value), fabs(c->right_value));
    const bool near = fabs(c->left_value - c->right_value) < 1e-5 * size;
    const int digits = near ? 17 : 10;
    prose_printf(p, ": %.*g on the left, %.*g on the right", digits, c->left_value, digits,
                 c->right_value);
    if (near && c->difference) prose_printf(p, "; they differ by %s", c->difference);
    prose_printf(p, "\n       at %s", answer_text_state(a, &c->counterexample));
}

static void claim_words(prose *p, const ah_answer *a, const ah_claim_verdict *c)
{
    const char *why = c->why ? c->why : "", *colon = c->why ? ": " : "";
    prose_item(p);
    prose_printf(p, "%-4s %s \"%s\": ", c->pass ? "ok" : "FAIL", c->refute ? "refute" : "claim",
                 c->label);
    switch (c->verdict) {
    case AH_VERDICT_PROVED:
        prose_printf(p, "proved%s%s%s", c->on_constraints ? " on the constraints" : "", colon, why);
        break;
    case AH_VERDICT_HOLDS:
        if (c->motions)
            prose_printf(p, "holds numerically, along %zu motions (not proved)%s%s", c->motions,
                         colon, why);
        else if (c->states)
            prose_printf(p, "holds at %zu random states (not proved)%s%s", c->states, colon, why);
        else
            prose_printf(p, "holds in general (not proved)%s%s", colon, why);
        break;
    case AH_VERDICT_FALSE:
        prose_printf(p, "%s%s%s", c->refute ? "refuted" : "false", colon, why);
        if (c->component) prose_printf(p, " on the component %s", c->component);
        if (c->counterexample.count) counterexample_words(p, a, c);
        break;
    default: prose_printf(p, "unknown: %s", why); break;
    }
    prose_end(p);
}

static const char *in_words(const ah_answer *a, ah_format format)
{
    const ah_verify_values *v = a->values;
    const char *title = a->model->title;
    prose p = prose_document(a->model->ctx, format, title, "Claims");
    p.indent = "  ";
    if (format == AH_TEXT && *title) text_printf(&p.out, "%s\n", title);
    size_t passed = 0;
    for (size_t i = 0; i < v->count; i++) {
        claim_words(&p, a, &v->at[i]);
        passed += v->at[i].pass;
    }
    prose_printf(&p, "%zu of %zu as stated", passed, v->count);
    prose_end(&p);
    if (v->certificate)
        prose_printf(&p, "%zu proofs written, %zu not", v->proofs_written,
                     v->proofs - v->proofs_written);
    prose_end(&p);
    return prose_finish_document(&p);
}

/* ---- The question ---------------------------------------------------------------------------- */

static ah_claim_verdict told(const verify_claim *c)
{
    const model_claim *claim = c->claim;
    ah_claim_verdict out = {.label = claim->label,
                            .refute = claim->refute,
                            .says = claim->statement ? claim->statement->says : AH_SAYS_EQUATION,
                            .statement = claim->words,
                            .span = claim->span,
                            .left = claim->left,
                            .right = claim->right,
                            .verdict = c->verdict,
                            .pass = c->pass,
                            .states = c->states,
                            .why = c->why,
                            .on_constraints = c->on_constraints,
                            .component = c->component,
                            .left_value = c->left,
                            .right_value = c->right,
                            .difference = c->difference,
                            .motions = c->motions};
    if (c->values) out.counterexample = answer_state(c->model, c->values);
    return out;
}

static void find(ah_answer *a, const void *options)
{
    const ah_verify_options *o = options;
    arena *memory = &a->model->ctx->job;
    verify_answer found;
    if (!answer_wants_states(a, o->states)) return;
    verify_run(a->model, o->states, o->seed, &found);
    if (!found.known) { /* it was reported */
        a->status = AH_E_INPUT;
        return;
    }
    ah_verify_values *v = NEW(memory, ah_verify_values);
    ah_claim_verdict *at = NEW_ARRAY(memory, ah_claim_verdict, found.count);
    for (size_t i = 0; i < found.count; i++) at[i] = told(&found.at[i]);
    *v = (ah_verify_values){.pass = found.pass, .count = found.count, .at = at};
    if (o->certificate) {
        certificates proofs = {0};
        certificates_make(a->model, &found, &proofs);
        v->certificate = certificate_json(a->model, &proofs);
        v->proofs = proofs.count;
        v->proofs_written = proofs.written;
    }
    a->yes = found.pass;
    a->values = v;
}

static const char *write(const ah_answer *a, ah_format format)
{
    if (format == AH_JSON) return as_json(a);
    return prose_writes(format) ? in_words(a, format) : NULL;
}

ah_status ah_verify(ah_model *m, const ah_verify_options *options, ah_answer **out)
{
    static const answer_question question = {AH_VERIFY, find, write};
    ah_verify_options o = ah_verify_defaults();
    if (out) *out = NULL;
    return base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)
               ? answer_ask(m, &question, &o, out)
               : AH_E_INPUT;
}

const ah_verify_values *ah_answer_verify(const ah_answer *a)
{
    return answer_values(a, AH_VERIFY);
}
