/* The models: every claim is as stated, nearly all true ones are proved, and all methods agree on
 * each of them. */
#include "harness/harness.h"
#include "harness/written.h"
#include "harness/json_read.h"

#include <anholo/anholo.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct tally {
    size_t models, claims, proved, refutes;
} tally;

static void fails(const char *file, const char *what)
{
    char text[512];
    snprintf(text, sizeof text, "%.100s: %.300s", file, what);
    harness_check(false, __FILE__, __LINE__, text);
}

static void count_claims(const char *file, const json_tree *claims, tally *t)
{
    for (const json_tree *c = claims ? claims->first : NULL; c; c = c->next) {
        const bool refute = !strcmp(json_tree_get(c, "kind")->text, "refute");
        const char *verdict = json_tree_get(c, "verdict")->text;
        if (json_tree_get(c, "pass")->kind != JSON_TRUE)
            fails(file, json_tree_get(c, "label")->text);
        if (refute)
            t->refutes++;
        else
            t->claims++;
        if (!refute && !strcmp(verdict, "proved")) t->proved++;
    }
}

/* `numbers`: it has values for everything; models of models/general hold for all values. */
static void check_model(const char *path, bool numbers, tally *t)
{
    size_t length;
    char *text = harness_read_file(path, &length);
    REQUIRE(text != NULL);
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *model = NULL;
    const char *out = NULL;
    if (ah_read(ctx, path, text, length, NULL, &model) != AH_OK) {
        fails(path, ah_diagnostics_text(ctx, false));
    } else {
        t->models++;
        ah_answer *a = NULL;
        written(ah_verify(model, NULL, &a), &a, AH_JSON, &out);
        json_tree *answer = out ? json_tree_parse(out) : NULL;
        if (CHECK(answer != NULL)) count_claims(path, json_tree_get(answer, "claims"), t);
        json_tree_free(answer);
        if (numbers && ah_eval(model, NULL, AH_JSON, &out) != AH_OK)
            fails(path, ah_diagnostics_text(ctx, false));
        if (numbers && (written(ah_crosscheck(model, NULL, &a), &a, AH_TEXT, &out) != AH_OK ||
                        !ah_answer_yes(a)))
            fails(path, out ? out : "crosscheck");
    }
    ah_ctx_destroy(ctx);
    free(text);
}

static void check_folder(const char *name, bool numbers, tally *t)
{
    char folder[1024], path[2048];
    snprintf(folder, sizeof folder, "%s/%s", harness_source_dir(), name);
    DIR *d = opendir(folder);
    REQUIRE(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        const size_t n = strlen(e->d_name);
        if (n < 4 || strcmp(e->d_name + n - 3, ".ah")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        check_model(path, numbers, t);
    }
    closedir(d);
}

TEST(claims_are_as_stated_and_methods_agree)
{
    tally t = {0};
    check_folder("models", true, &t);
    CHECK(t.models >= 45);
    check_folder("models/general", false, &t);
    CHECK(t.models >= 50);
    CHECK(t.claims >= 440);
    CHECK(t.refutes >= 100);
    CHECK(10 * t.proved >= 9 * t.claims);
}

/* A wrong claim must be found out, and a refute of something true must fail. */
TEST(wrong_claims_are_noticed)
{
    static const char model[] = "parameter m = 2, g = 9.81\n"
                                "coordinate x, y\n"
                                "point P mass m at (x, y)\n"
                                "gravity (0, -g)\n"
                                "claim \"wrong\": y'' = -g*(1 + 1/1000000)\n"
                                "refute \"true\": x'' = 0\n"
                                "claim \"right\": constant x'\n";
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const char *out = NULL;
    REQUIRE(ah_read(ctx, "model", model, sizeof model - 1, NULL, &m) == AH_OK);
    ah_answer *a = NULL;
    CHECK_INT(written(ah_verify(m, NULL, &a), &a, AH_JSON, &out), AH_OK);
    CHECK(a && !ah_answer_yes(a)); /* "no" is an answer */
    json_tree *answer = json_tree_parse(out);
    REQUIRE(answer != NULL);
    static const char *const verdicts[] = {"false", "proved", "proved"};
    static const json_kind passes[] = {JSON_FALSE, JSON_FALSE, JSON_TRUE};
    const json_tree *claims = json_tree_get(answer, "claims");
    for (size_t i = 0; i < 3; i++) {
        const json_tree *c = json_tree_at(claims, i);
        CHECK_STR(json_tree_get(c, "verdict")->text, verdicts[i]);
        CHECK_INT(json_tree_get(c, "pass")->kind, passes[i]);
    }
    CHECK(json_tree_get(json_tree_at(claims, 0), "counterexample")->kind == JSON_OBJECT);
    json_tree_free(answer);
    ah_ctx_destroy(ctx);
}
