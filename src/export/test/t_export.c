/* t_export.c - exports by the library's calls: files, refusals, names, memory that fails. */
#include "../export.h"
#include "harness.h"
#include "failing.h"

#include <anholo/lang.h>
#include <stdio.h>
#include <string.h>

static const char skate[] = "system \"Skate\"\n"
                            "parameter m = 2, I = 0.3, g = 9.81, alpha = 0.2\n"
                            "coordinate x, y, theta\n"
                            "kinetic m*(x'^2 + y'^2)/2 + I*theta'^2/2\n"
                            "potential -m*g*sin(alpha)*x\n"
                            "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n";

static ah_model *read_text(ah_ctx *ctx, const char *written)
{
    ah_model *m = NULL;
    return ah_read(ctx, "test", written, strlen(written), NULL, &m) == AH_OK ? m : NULL;
}

static bool says(const ah_ctx *ctx, const char *code)
{
    for (size_t i = 0; i < ah_diagnostic_count(ctx); i++)
        if (ah_diagnostic_get(ctx, i)->code && !strcmp(ah_diagnostic_get(ctx, i)->code, code))
            return true;
    return false;
}

TEST(a_model_without_start_has_no_example)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx, skate);
    const ah_export *out = NULL;
    REQUIRE(m != NULL);
    CHECK_INT(ah_export_model(m, "c", NULL, &out), AH_OK);
    REQUIRE(out != NULL);
    CHECK_INT(out->files, 3);
    CHECK_STR(out->file[0].name, "model.h");
    CHECK_STR(out->file[1].name, "model.c");
    CHECK_STR(out->file[2].name, "Makefile");
    for (size_t i = 0; i < out->files; i++) {
        CHECK_INT(strlen(out->file[i].data), out->file[i].length);
        CHECK(!strchr(out->file[i].data, '\r'));
    }
    CHECK(!strstr(out->file[0].data, "model_start"));
    ah_ctx_destroy(ctx);
}

TEST(wrong_options_are_told)
{
    const struct {
        const char *language, *name;
        bool single;
        unsigned fmi;
        const char *code;
    } cases[] = {{"pascal", NULL, false, 3, "A0701"}, {"js", NULL, true, 3, "A0701"},
                 {"fmu", NULL, false, 4, "A0701"},    {"c", "a-b", false, 3, "A0702"},
                 {"fmu", NULL, true, 3, "A0701"},     {"c", "", false, 3, "A0702"},
                 {"c", "double", false, 3, "A0702"},  {"python", "lambda", false, 3, "A0702"},
                 {"octave", "end", false, 3, "A0702"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = read_text(ctx, skate);
        const ah_export *out = NULL;
        ah_export_options o = ah_export_defaults();
        o.name = cases[i].name;
        o.single = cases[i].single;
        o.fmi = cases[i].fmi;
        CHECK_INT(ah_export_model(m, cases[i].language, &o, &out), AH_E_INPUT);
        CHECK(out == NULL);
        CHECK(says(ctx, cases[i].code));
        ah_ctx_destroy(ctx);
    }
}

/* Numbers of a parameter, an input, a start, the end of time that are none of single precision, too. */
TEST(numbers_beyond_single_precision_are_told)
{
    static const char *const models[] = {
        "parameter k = 1e300\ncoordinate x\nkinetic k*x'^2\nstart x = 0, x' = 1\n",
        "coordinate x\ninput u = 1e300\nkinetic x'^2\nforce x = u\nstart x = 0, x' = 1\n",
        "coordinate x\nkinetic x'^2\nstart x = 1e-60, x' = 1\n",
        "coordinate x\nkinetic x'^2\nstart x = 0, x' = 1\nsimulate t = 0 .. 1e300\n"};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = read_text(ctx, models[i]);
        const ah_export *out = NULL;
        ah_export_options o = ah_export_defaults();
        CHECK_INT(ah_export_model(m, "c", &o, &out), AH_OK);
        o.single = true;
        CHECK_INT(ah_export_model(m, "c", &o, &out), AH_E_REFUSED);
        CHECK(out == NULL && says(ctx, "A0502"));
        ah_ctx_destroy(ctx);
    }
}

/* A title made by calls may have ends of lines, in whatever writing: none ends a comment and begins to run. */
TEST(titles_stay_in_their_comments)
{
    static const char *const languages[] = {"c", "js", "python", "octave"};
    static const char *const ends[] = {"\n", "\r", "\u2028", "\u2029", "\xC2\x85", "\v", "\f"};
    for (size_t i = 0; i < sizeof languages / sizeof *languages; i++)
        for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
            ah_ctx *ctx = ah_ctx_create(NULL);
            char title[40];
            snprintf(title, sizeof title, "a%sRUNS(1)", ends[k]);
            ah_model *m = ah_model_create(ctx, title);
            const ah_expr x = ah_model_coordinate(m, "x"), v = ah_model_velocity(m, x);
            ah_model_kinetic(m, ah_mul(ah_model_context(m), v, v));
            const ah_export *out = NULL;
            CHECK_INT(ah_model_finish(m), AH_OK);
            REQUIRE(ah_export_model(m, languages[i], NULL, &out) == AH_OK);
            for (size_t f = 0; f < out->files; f++)
                for (const char *at = out->file[f].data; (at = strstr(at, "RUNS")); at++)
                    CHECK(at[-1] == ' ' || at[-1] == ']'); /* spelled out, [U+2028] */
            ah_ctx_destroy(ctx);
        }
}

/* A free point with a title, an event and a unit as calls may give them. */
static ah_model *called(ah_ctx *ctx, const char *title, const char *label)
{
    ah_model *m = ah_model_create(ctx, title);
    const ah_expr x = ah_model_coordinate(m, "x"), v = ah_model_velocity(m, x);
    ah_model_kinetic(m, ah_mul(ah_model_context(m), v, v));
    ah_model_event(m, label, x, 0, false);
    ah_model_start(m, x, ah_int(ah_model_context(m), 1));
    ah_model_start(m, v, ah_int(ah_model_context(m), 1));
    return ah_model_finish(m) == AH_OK ? m : NULL;
}

static size_t find(const ah_file *f, const char *words)
{
    const size_t length = strlen(words);
    for (size_t i = 0; i + length <= f->length; i++)
        if (!memcmp(f->data + i, words, length)) return i;
    return f->length;
}

/* Of an FMU its description; it is stored as it is. */
static ah_file described(ah_file f)
{
    const size_t from = find(&f, "<fmiModelDescription"), to = find(&f, "</fmiModelDescription>");
    if (from < to) f.data += from, f.length = to - from;
    return f;
}

static bool holds(ah_file f, const char *words)
{
    const ah_file part = described(f);
    return find(&part, words) < part.length;
}

/* What ends a comment, a text or a script where it is written down does not so as a title or a label. */
TEST(words_stay_where_they_are_put)
{
    static const struct {
        const char *language, *words, *never;
    } cases[] = {{"c", "a*/RUNS(1)/*", "*/RUNS"},
                 {"c", "a/*RUNS(1)", "/*RUNS"},
                 {"c",
                  "a?"
                  "?/RUNS(1)",
                  "?"
                  "?/RUNS"},
                 {"js", "a</script>RUNS", "</script"},
                 {"js", "a<!--RUNS", "<!--"},
                 {"js", "a\"RUNS(1)", "\"a\"RUNS"},
                 {"js", "a\\\"RUNS(1)", "\"a\\\"RUNS"},
                 {"python", "a\"RUNS(1)", "\"a\"RUNS"},
                 {"octave", "a\"RUNS(1)", "\"a\"RUNS"},
                 {"fmu", "a<RUNS>", "<RUNS>"},
                 {"fmu", "a\" RUNS=\"1", "\" RUNS="},
                 {"fmu", "a&RUNS;", "&RUNS"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (int label = 0; label < 2; label++) {
            ah_ctx *ctx = ah_ctx_create(NULL);
            const char *words = cases[i].words;
            ah_model *m = called(ctx, label ? "A point" : words, label ? words : "A label");
            const ah_export *out = NULL;
            ah_export_options o = ah_export_defaults();
            o.sources_only = true;
            CHECK(m && ah_export_model(m, cases[i].language, &o, &out) == AH_OK);
            for (size_t f = 0; out && f < out->files; f++)
                if (!CHECK(!holds(out->file[f], cases[i].never)))
                    printf("# %s in %s\n", cases[i].never, out->file[f].name);
            if (!out) puts(ah_diagnostics_text(ctx, false));
            ah_ctx_destroy(ctx);
        }
}

TEST(wrong_calls_are_refused)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx, skate);
    const ah_export *out = NULL;
    ah_export_options o = {.name = "a"}; /* not begun with the defaults */
    CHECK(ah_export_model(NULL, "c", NULL, &out) == AH_E_INPUT && !out);
    CHECK(ah_export_model(m, NULL, NULL, &out) == AH_E_INPUT && !out);
    CHECK(ah_export_model(m, "c", NULL, NULL) == AH_E_INPUT);
    CHECK(ah_export_model(m, "c", &o, &out) == AH_E_INPUT && !out);
    ah_ctx_reset_status(ctx);
    o = ah_export_defaults();
    o.method = "guess";
    CHECK(ah_export_model(m, "c", &o, &out) == AH_E_INPUT && !out);
    ah_ctx_reset_status(ctx);
    o.method = "lagrange";
    CHECK(ah_export_model(m, "c", &o, &out) == AH_E_REFUSED && !out);
    ah_ctx_destroy(ctx);
}

/* What a page embeds is the file of the command without what that says to its readers. */
TEST(pages_get_the_same_text)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = read_text(ctx, skate);
    ah_system *s = NULL;
    const ah_export *out = NULL;
    ah_system_options o = ah_system_defaults();
    o.jacobians = o.lasting = true;
    o.engine = "interpret";
    REQUIRE(ah_system_create(m, &o, &s) == AH_OK);
    REQUIRE(ah_export_model(m, "js", NULL, &out) == AH_OK);
    const char *page = export_javascript(s, &system_model(s)->ctx->job, "model");
    const char *file = out->file[0].data, *code = strstr(file, "\"use strict\"");
    REQUIRE(page && code);
    CHECK_STR(page, code);
    CHECK(!strncmp(file, "// model.js", 11));
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
}

static void whole(ah_ctx *ctx, void *arg)
{
    ah_model *m = read_text(ctx, skate);
    const ah_export *out = NULL;
    if (!m) return;
    const ah_status status = ah_export_model(m, arg, NULL, &out);
    CHECK((status == AH_OK) == (out != NULL));
    CHECK(status == AH_OK || status == AH_E_MEMORY);
}

TEST(exports_survive_failing_memory)
{
    size_t tried;
    CHECK(failing_run(whole, (void *) (uintptr_t) "js", &tried));
    CHECK(tried > 10);
}
