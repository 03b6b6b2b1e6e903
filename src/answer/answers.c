/* answer/answers.c - the life of answers. */
#include "answers.h"
#include <anholo/eval.h>

#include <math.h>

typedef struct asking {
    const answer_question *question;
    const void *options;
    ah_model *model;
    ah_answer *answer;
} asking;

static void find(ah_ctx *ctx, void *arg)
{
    asking *k = arg;
    ah_answer *a = k->answer = NEW(&ctx->job, ah_answer);
    *a = (ah_answer){.of = k->question, .model = k->model, .yes = true};
    a->of->find(a, k->options);
}

/* Errors that were reported on the way to an answer (a part of it that has none) do not undo it. */
static ah_status status_of(const asking *k, ah_status raised)
{
    const ah_answer *a = k->answer;
    if (raised != AH_OK && raised != AH_E_INPUT) return raised;
    if (a && a->values) return AH_OK;
    if (a && a->status != AH_OK) return a->status;
    return raised != AH_OK ? raised : AH_E_REFUSED;
}

ah_status answer_ask(ah_model *m, const answer_question *q, const void *options, ah_answer **out)
{
    asking k = {.question = q, .options = options};
    if (out) *out = NULL;
    if (!m || !out) return AH_E_INPUT;
    ah_status status = model_fork(m, &k.model);
    if (status != AH_OK) return status;
    status = status_of(&k, model_guard(k.model, find, &k));
    if (status == AH_OK)
        *out = k.answer;
    else
        model_fork_destroy(k.model);
    return status;
}

void ah_answer_destroy(ah_answer *a)
{
    if (a) model_fork_destroy(a->model);
}

ah_question ah_answer_question(const ah_answer *a)
{
    return a ? a->of->question : AH_QUESTIONS;
}

bool ah_answer_yes(const ah_answer *a)
{
    return a && a->yes;
}

bool answer_wants_states(const ah_answer *a, size_t states)
{
    return (states && states <= AH_STATES_MOST) ||
           diag_wrong_call(a->model->ctx, "the number of states goes from 1 to AH_STATES_MOST");
}

ah_ctx *ah_answer_context(const ah_answer *a)
{
    return a ? a->model->ctx : NULL;
}

const void *answer_values(const ah_answer *a, ah_question question)
{
    return a && a->of->question == question ? a->values : NULL;
}

/* ---- Writing --------------------------------------------------------------------------------- */

typedef struct writing {
    ah_answer *answer;
    ah_format format;
    const char *out;
} writing;

static void write(ah_ctx *ctx, void *arg)
{
    writing *w = arg;
    w->out = w->answer->of->write(w->answer, w->format);
    if (w->out) return;
    diag(ctx, A0612, NOWHERE, "this answer is not written in this format");
    diag_hint(ctx, "text, JSON, LaTeX and MathML are");
}

ah_status ah_answer_write(ah_answer *a, ah_format format, const char **out)
{
    if (out) *out = NULL;
    if (!a || !out) return AH_E_INPUT;
    writing w = {.answer = a, .format = format};
    const bool known = (unsigned) format < ANSWER_FORMATS;
    if (known && a->written[format]) {
        *out = a->written[format];
        return AH_OK;
    }
    const ah_status status = model_guard(a->model, write, &w);
    if (status != AH_OK) return status == AH_E_INPUT ? AH_E_REFUSED : status;
    if (known) a->written[format] = w.out;
    *out = w.out;
    return AH_OK;
}

/* ---- What several answers have --------------------------------------------------------------- */

const char *ah_verdict_word(ah_verdict v)
{
    static const char *const words[] = {
#define X(code, word) word,
        AH_VERDICT_LIST(X)
#undef X
    };
    return (unsigned) v < AH_VERDICTS ? words[v] : NULL;
}

/* ---- States ---------------------------------------------------------------------------------- */

ah_values answer_state(const ah_model *m, const frame *values)
{
    ah_ctx *ctx = m->ctx;
    expr_list symbols = {0};
    LIST_PUSH(&ctx->job, &symbols, expr_time(ctx));
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].value == AH_NONE)
            LIST_PUSH(&ctx->job, &symbols, m->parameters.at[i].symbol);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(&ctx->job, &symbols, m->q.at[i]);
    for (uint32_t i = 0; i < m->n; i++) LIST_PUSH(&ctx->job, &symbols, m->v.at[i]);
    for (size_t i = 0; i < m->speeds.count; i++)
        LIST_PUSH(&ctx->job, &symbols, m->speeds.at[i].symbol);
    for (size_t i = 0; m->kinematic && i < m->speeds.count;
         i++) /* inputs have rates of their own */
        LIST_PUSH(&ctx->job, &symbols, expr_dt(ctx, m->speeds.at[i].symbol));
    double *value = NEW_ARRAY(&ctx->job, double, symbols.count);
    size_t count = 0; /* what has no value there is left out */
    for (size_t i = 0; i < symbols.count; i++) {
        const double x = frame_get(values, symbols.at[i]);
        if (isnan(x)) continue;
        symbols.at[count] = symbols.at[i];
        value[count++] = x;
    }
    return (ah_values){count, symbols.at, value};
}

void answer_json_state(json *j, const ah_answer *a, const ah_values *v)
{
    ah_ctx *ctx = a->model->ctx;
    for (size_t i = 0; i < v->count; i++) {
        json_key(j, expr_text(ctx, &ctx->job, v->symbol[i], AH_ASCII));
        json_number(j, v->value[i]);
    }
}

const char *answer_text_state(const ah_answer *a, const ah_values *v)
{
    ah_ctx *ctx = a->model->ctx;
    text t = text_begin(&ctx->job);
    for (size_t i = 0; i < v->count; i++) {
        text_printf(&t, "%s%s=", i ? ", " : "", expr_text(ctx, &ctx->job, v->symbol[i], AH_ASCII));
        text_double(&t, v->value[i], 17);
    }
    return text_end(&t);
}
