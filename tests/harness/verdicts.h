/* harness/verdicts.h - models whose claims say which verdict they must get. Not in harness.c: the
 * tests of the lower modules have no language. */
#ifndef HARNESS_VERDICTS_H
#define HARNESS_VERDICTS_H
#include "harness.h"
#include "written.h"
#include "own_context.h"
#include "json_read.h"

#include <anholo/anholo.h>

#include <string.h>

static inline json_tree *verdicts_of(ah_ctx *ctx, const char *model, const char *set)
{
    ah_model *m = NULL;
    const char *out = NULL;
    CHECK_INT(lang_read(ctx, "test", model, strlen(model), set, &m), AH_OK);
    ah_answer *a = NULL;
    if (m) written(ah_verify(m, NULL, &a), &a, AH_JSON, &out);
    return out ? json_tree_parse(out) : NULL;
}

/* Whether the verdict is what the label begins with; "not proved" and "not false" stand for any other, "not true" for
 * neither proved nor holds. */
static inline bool is_the_verdict(const char *label, const char *verdict)
{
    const bool proved = !strcmp(verdict, "proved"), holds = !strcmp(verdict, "holds");
    if (!strncmp(label, "not proved", 10)) return !proved;
    if (!strncmp(label, "not true", 8)) return !proved && !holds;
    if (!strncmp(label, "not false", 9)) return strcmp(verdict, "false") != 0;
    return !strncmp(label, verdict, strlen(verdict));
}

/* Every claim gets the verdict that its label begins with. */
static inline void check_verdicts(const char *model, const char *set)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    json_tree *answer = verdicts_of(ctx, model, set);
    const json_tree *claims = answer ? json_tree_get(answer, "claims") : NULL;
    CHECK(claims != NULL && claims->first != NULL);
    for (const json_tree *c = claims ? claims->first : NULL; c; c = c->next) {
        const char *label = json_tree_get(c, "label")->text;
        const char *verdict = json_tree_get(c, "verdict")->text;
        const bool same = is_the_verdict(label, verdict);
        harness_check(same, __FILE__, __LINE__, label);
        if (!same) harness_check(false, __FILE__, __LINE__, verdict);
    }
    json_tree_free(answer);
    ah_ctx_destroy(ctx);
}

/* And what is false is said to be so on this component. */
static inline void check_component(const char *model, const char *label, const char *component)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    json_tree *answer = verdicts_of(ctx, model, NULL);
    const json_tree *claims = answer ? json_tree_get(answer, "claims") : NULL;
    bool found = false;
    for (const json_tree *c = claims ? claims->first : NULL; c; c = c->next) {
        const json_tree *where = json_tree_get(c, "component");
        if (strcmp(json_tree_get(c, "label")->text, label)) continue;
        found = true;
        harness_check(where && !strcmp(where->text, component), __FILE__, __LINE__, component);
    }
    CHECK(found);
    json_tree_free(answer);
    ah_ctx_destroy(ctx);
}

/* Claims are proved; those labelled "1" on the constraints alone. */
static inline void check_constraints(const char *model)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    json_tree *answer = verdicts_of(ctx, model, NULL);
    const json_tree *claims = answer ? json_tree_get(answer, "claims") : NULL;
    CHECK(claims != NULL && claims->first != NULL);
    for (const json_tree *c = claims ? claims->first : NULL; c; c = c->next) {
        CHECK_STR(json_tree_get(c, "verdict")->text, "proved");
        CHECK_INT(json_tree_get(c, "on_constraints") != NULL,
                  json_tree_get(c, "label")->text[0] == '1');
    }
    json_tree_free(answer);
    ah_ctx_destroy(ctx);
}

#endif
