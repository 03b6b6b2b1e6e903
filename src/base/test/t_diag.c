/* Diagnostics: places, the list, how it is shown (texts typed by hand from the layout in
 * base/render.c). */
#include "base/base.h"
#include "harness.h"

#include <stdlib.h>
#include <string.h>

static uint32_t add(ah_ctx *ctx, const char *content)
{
    return source_add(ctx, "sleigh.ah", content, strlen(content));
}

/* The span of the first `what` in the source. */
static ah_span find(const ah_ctx *ctx, uint32_t file, const char *what)
{
    const char *start = source_get(ctx, file)->text, *at = strstr(start, what);
    const uint32_t begin = (uint32_t) (at - start);
    return (ah_span){file, begin, begin + (uint32_t) strlen(what)};
}

TEST(place_counts_characters)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const uint32_t file = add(ctx, "θ = αβγ x\r\n\nlast\xff line");
    const struct {
        const char *what;
        unsigned line, column;
    } cases[] = {{"θ", 1, 1}, {"=", 1, 3}, {"x", 1, 9}, {"\nlast", 2, 1}, {"line", 3, 7}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const ah_place place = ah_span_place(ctx, find(ctx, file, cases[i].what));
        CHECK_STR(place.file, "sleigh.ah");
        CHECK_INT(place.line, cases[i].line);
        CHECK_INT(place.column, cases[i].column);
    }
    const ah_place end = ah_span_place(ctx, (ah_span){file, 1000, 2000});
    CHECK_INT(end.line, 3);
    CHECK_INT(end.column, 11);
    CHECK(!ah_span_place(ctx, NOWHERE).file);
    CHECK(!ah_span_place(ctx, (ah_span){77, 0, 0}).file);
    const uint32_t empty = source_add(ctx, NULL, NULL, 0);
    CHECK_INT(ah_span_place(ctx, (ah_span){empty, 0, 0}).line, 1);
    ah_ctx_destroy(ctx);
}

/* Against counting by hand, for every offset of a random text. */
TEST(place_of_every_offset)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    char content[500];
    for (size_t i = 0; i < sizeof content; i++) content[i] = harness_random() % 5 ? 'x' : '\n';
    const uint32_t file = source_add(ctx, "random", content, sizeof content);
    unsigned line = 1, column = 1;
    bool same = true;
    for (uint32_t i = 0; i < sizeof content; i++) {
        const ah_place place = ah_span_place(ctx, (ah_span){file, i, i});
        same = same && place.line == line && place.column == column;
        column++;
        if (content[i] == '\n') line++, column = 1;
    }
    CHECK(same);
    CHECK_INT(source_get(ctx, file)->line_count, line);
    ah_ctx_destroy(ctx);
}

TEST(diagnostic_is_shown_as_in_the_style_guide)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const uint32_t file = add(ctx, "\n\n\n\n\n\n\n\n"
                                   "constraint knife: cos(th)*y' = sin(th)*x'\n\n\n\n\n"
                                   "constraint blade: sin(th)*x' - cos(th)*y' = 0\n");
    diag(ctx, A0416, find(ctx, file, "blade"), "constraint `%s` depends on the others", "blade");
    diag_label(ctx, "rank %d, expected %d", 1, 2);
    diag_note(ctx, find(ctx, file, "knife"), "proportional to `knife`");
    diag_note(ctx, NOWHERE,
              "the motion is determined all the same; the multipliers of the two are not");
    diag_hint(ctx, "delete one of them");
    CHECK_STR(ah_diagnostics_text(ctx, false),
              "sleigh.ah:14:12: warning[A0416]: constraint `blade` depends on the others\n"
              "   14 | constraint blade: sin(th)*x' - cos(th)*y' = 0\n"
              "      |            ^^^^^ rank 1, expected 2\n"
              " note: proportional to `knife`, sleigh.ah:9:12\n"
              " note: the motion is determined all the same; the multipliers of the two are not\n"
              " hint: delete one of them\n");
    CHECK_STR(
        ah_diagnostics_json(ctx),
        "{\"error\":null,\"diagnostics\":["
        "{\"severity\":\"warning\",\"code\":\"A0416\",\"message\":\"constraint `blade` depends "
        "on the others\",\"label\":\"rank 1, expected 2\",\"file\":\"sleigh.ah\",\"line\":14,"
        "\"column\":12},"
        "{\"severity\":\"note\",\"code\":null,\"message\":\"proportional to `knife`\","
        "\"label\":null,\"file\":\"sleigh.ah\",\"line\":9,\"column\":12},"
        "{\"severity\":\"note\",\"code\":null,\"message\":\"the motion is determined all the "
        "same; the multipliers of the two are not\",\"label\":null,\"file\":null,\"line\":null,"
        "\"column\":null},"
        "{\"severity\":\"hint\",\"code\":null,\"message\":\"delete one of them\",\"label\":null,"
        "\"file\":null,\"line\":null,\"column\":null}]}");
    CHECK_INT(ah_error_count(ctx), 0);
    CHECK_INT(ah_diagnostic_count(ctx), 4);
    CHECK(!ah_diagnostic_get(ctx, 4));
    ah_ctx_destroy(ctx);
}

TEST(diagnostics_in_colour)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const uint32_t file = add(ctx, "x = 08");
    diag(ctx, A0103, find(ctx, file, "08"), "no number");
    diag_hint(ctx, "write 8");
    CHECK_STR(ah_diagnostics_text(ctx, true),
              "sleigh.ah:1:5: \x1b[1;31merror[A0103]\x1b[0m: no number\n"
              "    1 | x = 08\n"
              "      |     \x1b[1;31m^^\x1b[0m\n"
              " \x1b[1;32mhint\x1b[0m: write 8\n");
    ah_ctx_destroy(ctx);
}

TEST(several_diagnostics_and_the_first_error)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const uint32_t file = add(ctx, "let a = 1\nlet β = \"\n");
    diag(ctx, A0409, find(ctx, file, "a = 1"), "always so");
    diag(ctx, A0102, find(ctx, file, "\"\n"), "the string is not closed");
    diag(ctx, A0404, NOWHERE, "no coordinates");
    CHECK_STR(ah_diagnostics_text(ctx, false),
              "sleigh.ah:1:5: warning[A0409]: always so\n"
              "    1 | let a = 1\n"
              "      |     ^^^^^\n"
              "sleigh.ah:2:9: error[A0102]: the string is not closed\n"
              "    2 | let β = \"\n"
              "      |         ^\n"
              "error[A0404]: no coordinates\n");
    const char *j = ah_diagnostics_json(ctx);
    CHECK(strncmp(j,
                  "{\"error\":{\"code\":\"A0102\",\"message\":\"the string is not closed\","
                  "\"file\":\"sleigh.ah\",\"line\":2,\"column\":9},\"diagnostics\":[",
                  strlen("{\"error\":{\"code\":\"A0102\",\"message\":\"the string is not closed\","
                         "\"file\":\"sleigh.ah\",\"line\":2,\"column\":9},\"diagnostics\":[")) ==
          0);
    CHECK_INT(ah_error_count(ctx), 2);
    ah_ctx_reset_status(ctx);
    CHECK_INT(ah_diagnostic_count(ctx), 0);
    CHECK_INT(ah_error_count(ctx), 0);
    CHECK_STR(ah_diagnostics_text(ctx, false), "");
    ah_ctx_destroy(ctx);
}

/* Where a caret may stand: an empty span, the end of the text, over several lines, Greek, tabs. */
TEST(caret_in_odd_places)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const uint32_t file = add(ctx, "αβ\t(γ\r\nδ)");
    diag(ctx, A0101, (ah_span){file, 2, 2}, "empty");
    diag(ctx, A0101, find(ctx, file, "(γ\r\nδ)"), "over two lines");
    diag(ctx, A0101, (ah_span){file, 99, 99}, "at the end");
    CHECK_STR(ah_diagnostics_text(ctx, false), "sleigh.ah:1:2: error[A0101]: empty\n"
                                               "    1 | αβ (γ\n"
                                               "      |  ^\n"
                                               "sleigh.ah:1:4: error[A0101]: over two lines\n"
                                               "    1 | αβ (γ\n"
                                               "      |    ^^\n"
                                               "sleigh.ah:2:3: error[A0101]: at the end\n"
                                               "    2 | δ)\n"
                                               "      |   ^\n");
    ah_ctx_destroy(ctx);
}

/* The caret stands under the same characters, however long the line and wherever the place. */
TEST(long_line_shows_a_window)
{
    enum { LENGTH = 3000, WIDTH = 88, GUTTER = 8 };
    char line[LENGTH + 1];
    memset(line, 'a', LENGTH);
    line[LENGTH] = '\0';
    for (uint32_t at = 0; at < LENGTH; at += at < 200 || at > LENGTH - 200 ? 1 : 331) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        line[at] = 'X';
        const uint32_t file = add(ctx, line);
        diag(ctx, A0101, (ah_span){file, at, at + 1}, "here");
        const char *shown = strchr(ah_diagnostics_text(ctx, false), '\n') + 1;
        const char *marked = strchr(shown, '\n') + 1;
        const ptrdiff_t caret = strchr(marked, '^') - marked;
        const char *x = memchr(shown, 'X', (size_t) (marked - shown));
        REQUIRE(x);
        const bool cut = strncmp(shown + GUTTER, "…", 3) == 0; /* one column, three bytes */
        CHECK_INT(x - shown - (cut ? 2 : 0), caret);
        CHECK(marked - shown <= GUTTER + WIDTH + 4 + 1);
        CHECK_INT(cut, at >= 30);
        line[at] = 'a';
        ah_ctx_destroy(ctx);
    }
}

/* A megabyte in one line, an error at every fiftieth letter: shown in a moment. */
TEST(one_enormous_line)
{
    enum { LENGTH = 1 << 20 };
    ah_ctx *ctx = ah_ctx_create(NULL);
    char *content = malloc(LENGTH);
    for (size_t i = 0; i < LENGTH; i += 2) memcpy(content + i, i % 100 ? "ab" : "θ", 2);
    const uint32_t file = source_add(ctx, "long.ah", content, LENGTH);
    free(content);
    for (uint32_t i = LENGTH - 100; i > 100; i -= 100)
        diag(ctx, A0101, (ah_span){file, i, i + 2}, "x");
    const double begin = base_clock();
    const char *shown = ah_diagnostics_text(ctx, false);
    CHECK(strlen(shown) < 100 * 300);
    CHECK(base_clock() - begin < 5); /* 0.1 s, were it not for sanitizers */
    ah_ctx_destroy(ctx);
}

TEST(line_number_past_the_gutter)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    char *content = malloc(1234567);
    memset(content, '\n', 1234567);
    content[1234566] = '?';
    const uint32_t file = source_add(ctx, "long.ah", content, 1234567);
    free(content);
    diag(ctx, A0101, (ah_span){file, 1234566, 1234567}, "here");
    CHECK_STR(ah_diagnostics_text(ctx, false), "long.ah:1234567:1: error[A0101]: here\n"
                                               "1234567 | ?\n"
                                               "        | ^\n");
    ah_ctx_destroy(ctx);
}

TEST(too_many_errors_are_counted)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    for (int i = 0; i < DIAG_LIMIT + 17; i++) {
        diag(ctx, A0103, NOWHERE, "number %d", i);
        diag_hint(ctx, "hint %d", i);
        diag_label(ctx, "label %d", i);
    }
    diag(ctx, A0409, NOWHERE, "a warning still has room");
    diag_note(ctx, NOWHERE, "and its note");
    CHECK_INT(ah_error_count(ctx), DIAG_LIMIT + 17);
    CHECK_INT(ah_diagnostic_count(ctx), 2 * DIAG_LIMIT + 2);
    CHECK_STR(ah_diagnostic_get(ctx, 2 * DIAG_LIMIT - 2)->label, "label 99");
    const char *end = strstr(ah_diagnostics_text(ctx, false), " hint: hint 99\n");
    REQUIRE(end);
    CHECK_STR(end, " hint: hint 99\n"
                   "warning[A0409]: a warning still has room\n"
                   " note: and its note\n"
                   "and 17 more errors\n");
    ah_ctx_destroy(ctx);
}

TEST(messages_are_one_printable_line)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    diag(ctx, A0103, NOWHERE, "`%s`", "a\nb\x1b[0m\xff");
    CHECK_STR(ah_diagnostic_get(ctx, 0)->message, "`a␊b␛[0m�`");
    char *name = malloc(3000001);
    for (size_t i = 0; i < 3000000; i += 2) memcpy(name + i, "θ", 2);
    name[3000000] = '\0';
    diag(ctx, A0103, NOWHERE, "%s", name);
    const char *message = ah_diagnostic_get(ctx, 1)->message;
    CHECK_INT(strlen(message), DIAG_LENGTH + strlen("…"));
    CHECK_STR(message + DIAG_LENGTH - 2, "θ…");
    free(name);
    const uint32_t file = source_add(ctx, "\x1b]0;x\n.ah", "y", 1);
    diag(ctx, A0103, (ah_span){file, 0, 1}, "z");
    CHECK(strstr(ah_diagnostics_text(ctx, false), "␛]0;x␊.ah:1:1: error"));
    ah_ctx_destroy(ctx);
}

TEST(status_texts)
{
    CHECK_STR(ah_status_text(AH_OK), "done");
    CHECK_STR(ah_status_text(AH_E_INTERRUPTED), "interrupted");
    CHECK_STR(ah_status_text((ah_status) 99), "unknown status");
    CHECK(strlen(ah_version()) > 0);
}

/* ---- Taken away, and carried over ------------------------------------------------------------ */

static void report(ah_ctx *ctx, void *arg)
{
    (void) arg;
    diag(ctx, A0401, NOWHERE, "one is wrong");
    diag_label(ctx, "here");
    diag_note(ctx, NOWHERE, "seen there");
    diag_hint(ctx, "change it");
    diag(ctx, A0409, NOWHERE, "a warning");
    diag_hint(ctx, "of the warning");
    diag(ctx, A0403, NOWHERE, "two is wrong");
}

/* Errors and their hints as one line; nothing of them stays, nothing of what was before is lost. */
TEST(diagnostics_taken)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ctx_guard(ctx, report, NULL);
    const size_t before = ah_diagnostic_count(ctx);
    const diag_mark mark = diag_get_mark(ctx);
    CHECK(diag_take(ctx, &ctx->job, mark) == NULL);
    report(ctx, NULL);
    CHECK(ah_error_count(ctx) == 4);
    CHECK_STR(diag_take(ctx, &ctx->job, mark), "one is wrong (change it); two is wrong");
    CHECK_INT(ah_diagnostic_count(ctx), before);
    CHECK_INT(ah_error_count(ctx), 2);
    ah_ctx_destroy(ctx);
}

TEST(diagnostics_of_another_context)
{
    ah_ctx *from = ah_ctx_create(NULL), *to = ah_ctx_create(NULL);
    ctx_guard(from, report, NULL);
    diag_copy(from, to);
    CHECK_INT(ah_diagnostic_count(to), ah_diagnostic_count(from));
    CHECK_INT(ah_error_count(to), ah_error_count(from));
    char *first = strdup(ah_diagnostics_text(from, false));
    CHECK_STR(ah_diagnostics_text(to, false), first);
    CHECK_STR(ah_diagnostic_get(to, 0)->label, "here");
    CHECK(ah_diagnostic_get(to, ah_diagnostic_count(to)) == NULL);
    free(first);
    ah_ctx_destroy(from);
    ah_ctx_destroy(to);
}
