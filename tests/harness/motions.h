/* motions.h - motions through the public functions, for the tests of several programs. */
#ifndef MOTIONS_H
#define MOTIONS_H
#include "harness.h"
#include "own_context.h"
#include "json_read.h"

#include <anholo/anholo.h>
#include <stdlib.h>
#include <string.h>

typedef struct rows {
    ah_ctx *ctx;
    char *at;
    size_t length, count, interrupt_at; /* rows; 0: never */
} rows;

static inline bool keep_rows(void *user, const char *words, size_t length)
{
    rows *r = user;
    r->at = realloc(r->at, r->length + length + 1);
    memcpy(r->at + r->length, words, length);
    r->length += length;
    r->at[r->length] = 0;
    if (++r->count == r->interrupt_at) ah_ctx_interrupt(r->ctx);
    return true;
}

typedef struct answer {
    ah_status status;
    json_tree *summary;
    char *diagnostics;
} answer;

static inline answer simulate_model(ah_ctx *ctx, ah_model *m, const ah_simulate_options *options)
{
    answer a = {0};
    const char *summary = NULL;
    a.status = ah_simulate(m, options, AH_JSON, &summary);
    if (summary) a.summary = json_tree_parse(summary);
    if (ah_diagnostic_count(ctx)) a.diagnostics = strdup(ah_diagnostics_text(ctx, false));
    return a;
}

static inline answer simulate(const char *model, const ah_simulate_options *options, rows *r,
                              const ah_ctx_options *how)
{
    answer a = {0};
    ah_simulate_options o = *options;
    ah_model *m = NULL;
    ah_ctx *ctx = ah_ctx_create(how);
    a.status = lang_read(ctx, "model", model, strlen(model), NULL, &m);
    if (r) r->ctx = ctx, o.write = keep_rows, o.user = r;
    if (a.status == AH_OK) a = simulate_model(ctx, m, &o);
    ah_ctx_destroy(ctx);
    return a;
}

static inline void forget(answer *a)
{
    json_tree_free(a->summary);
    free(a->diagnostics);
}

static inline double number(const answer *a, const char *part, const char *key)
{
    const json_tree *t = part ? json_tree_get(a->summary, part) : a->summary;
    return json_tree_number(json_tree_get(t, key));
}

/* A number of the final state: "q", 0 is the first coordinate. */
static inline double final(const answer *a, const char *what, size_t i)
{
    const json_tree *at = json_tree_get(json_tree_get(a->summary, "final"), what);
    return json_tree_number(json_tree_at(at, i));
}

/* Why it stopped or was refused; "": it did not. */
static inline const char *reason(const answer *a)
{
    if (!a->summary) return a->diagnostics ? a->diagnostics : "";
    const json_tree *stopped = json_tree_get(a->summary, "stopped");
    return stopped && stopped->kind == JSON_OBJECT ? json_tree_get(stopped, "reason")->text : "";
}

#endif
