/* Texts: growing, UTF-8, numbers, the nearest name. */
#include "base/base.h"
#include "base/report.h"
#include "harness.h"

#include <locale.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(text_grows)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    text t = text_begin(&ctx->job), u = text_begin(&ctx->job);
    CHECK_STR(text_end(&u), "");
    for (int i = 0; i < 1000; i++) {
        text_printf(&t, "%d,", i % 10);
        text_char(&u, 'u');
    }
    text_add(&t, "end");
    text_add_n(&t, "...and more", 3);
    CHECK_INT(t.length, 2006);
    const char *result = text_end(&t);
    CHECK(strncmp(result, "0,1,2,3,4,5,6,7,8,9,0,", 22) == 0);
    CHECK_STR(result + 1998, "9,end...");
    CHECK_INT(strlen(text_end(&u)), 1000);
    CHECK_STR(arena_printf(&ctx->job, "%s-%03d", "a", 7), "a-007");
    CHECK_STR(arena_strndup(&ctx->job, "abcdef", 3), "abc");
    ah_ctx_destroy(ctx);
}

static void endless(ah_ctx *ctx, void *arg)
{
    text t = text_begin(&ctx->scratch);
    for (;;) text_add_n(&t, arg, 1 << 20);
}

TEST(text_has_a_limit)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    char *mebibyte = calloc(1, 1 << 20);
    CHECK_INT(ctx_guard(ctx, endless, mebibyte), AH_E_LIMIT);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->message, "a text grew longer than 64 MiB");
    free(mebibyte);
    ah_ctx_destroy(ctx);
}

/* Every code there and back; the number of bytes by the ranges of RFC 3629. */
TEST(utf8_round_trip)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    bool good = true;
    for (uint32_t code = 0; code <= 0x10FFFF; code += code < 0x3000 ? 1 : 61) {
        if (code >= 0xD800 && code < 0xE000) continue;
        const arena_mark mark = arena_get_mark(&ctx->scratch);
        text t = text_begin(&ctx->scratch);
        text_utf8(&t, code);
        uint32_t back = 1;
        const size_t expected = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        good = good && t.length == expected;
        good = good && utf8_decode(t.at, t.length, &back) == expected && back == code;
        good = good && (expected == 1 || utf8_decode(t.at, expected - 1, &back) == 0);
        arena_release(&ctx->scratch, mark);
    }
    CHECK(good);
    ah_ctx_destroy(ctx);
}

TEST(utf8_refuses_what_is_not)
{
    static const char *const bad[] = {
        "\x80",             /* a continuation alone */
        "\xC0\xAF",         /* overlong */
        "\xE0\x80\xAF",     /* overlong */
        "\xF0\x80\x80\xAF", /* overlong */
        "\xC1\xBF",
        "\xE0\x9F\xBF",
        "\xF0\x8F\xBF\xBF", /* the largest overlong ones */
        "\xED\xA0\x80",
        "\xED\xBF\xBF",     /* surrogates */
        "\xF4\x90\x80\x80", /* past U+10FFFF */
        "\xF8\x88\x80\x80\x80",
        "\xFE",
        "\xFF", /* no such lead byte */
        "\xC3(",
        "\xE2\x82(",
        "\xE2(\xA1", /* broken off */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        uint32_t code;
        CHECK_INT(utf8_decode(bad[i], strlen(bad[i]), &code), 0);
    }
    uint32_t code;
    CHECK_INT(utf8_decode("", 0, &code), 0);
    CHECK_INT(utf8_decode("\xF4\x8F\xBF\xBF", 4, &code), 4);
    CHECK_INT(code, 0x10FFFF);
}

static const char *printable(ah_ctx *ctx, const char *s)
{
    text t = text_begin(&ctx->job);
    CHECK_INT(text_printable(&t, s, strlen(s), SIZE_MAX), strlen(s));
    return text_end(&t);
}

TEST(printable_text_cannot_deceive)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_STR(printable(ctx, "a\tb θ"), "a b θ");
    CHECK_STR(printable(ctx, "\x1b[31m\n\x7f"), "␛[31m␊␡");
    text t = text_begin(&ctx->job);
    CHECK_INT(text_printable(&t, "θab\xffθ\tc", 8, 5), 7); /* five characters, seven bytes */
    CHECK_STR(text_end(&t), "θab�θ");
    CHECK_INT(text_printable(&t, "ab", 2, 1) + text_printable(&t, "ab", 2, 0), 1);
    CHECK_STR(printable(ctx, "\xff|\xc2\x9b|\xe2\x80\xae|\xef\xbb\xbf"), "�|�|�|�");
    ah_ctx_destroy(ctx);
}

static const char *number(ah_ctx *ctx, double x, int digits)
{
    text t = text_begin(&ctx->job);
    text_add(&t, "<");
    text_double(&t, x, digits);
    text_add(&t, ">");
    return text_end(&t);
}

TEST(text_unsigned_writes_what_printf_does)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const uint64_t x[] = {0, 7, 10, 4294967295u, UINT64_MAX};
    for (size_t i = 0; i < sizeof x / sizeof *x; i++) {
        text t = text_begin(&ctx->job);
        text_unsigned(&t, x[i]);
        CHECK_STR(text_end(&t), arena_printf(&ctx->job, "%" PRIu64, x[i]));
    }
    ah_ctx_destroy(ctx);
}

TEST(text_double_writes_numbers)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_STR(number(ctx, 0.1, 17), "<0.10000000000000001>");
    CHECK_STR(number(ctx, -1e-300, 3), "<-1e-300>");
    CHECK_STR(number(ctx, 3, 6), "<3>");
    CHECK_STR(number(ctx, NAN, 6), "<nan>");
    CHECK_STR(number(ctx, -INFINITY, 6), "<-inf>");
    ah_ctx_destroy(ctx);
}

static void write_number(ah_ctx *ctx, void *arg)
{
    *(const char **) arg = number(ctx, -1.25e100, 5);
}

/* Inside a call: there the C locale holds. */
/* Random bits, numbers of few digits, ties, and both sides of every power of ten. */
TEST(number_text_writes_the_bytes_of_printf)
{
    uint64_t seed = 88172645463325252u;
    int written = 0;
    for (int i = 0; i < 100000; i++) {
        char mine[NUMBER_TEXT + 1], theirs[64];
        double x;
        seed ^= seed << 13, seed ^= seed >> 7, seed ^= seed << 17;
        switch (i % 4) {
        case 0: memcpy(&x, &seed, sizeof x); break;
        case 1: x = ldexp((double) (seed >> 11), -(int) (seed % 130)); break;
        case 2: x = (double) (seed >> 32 & 0xfffff) / 1000; break;
        default: x = nextafter(pow(10, (double) (seed % 40) - 21), (seed >> 40) % 3 * 1e30); break;
        }
        if (i % 8 > 3) x = -x;
        const size_t n = number_text(x, mine);
        if (!n) continue;
        mine[n] = '\0';
        written++;
        snprintf(theirs, sizeof theirs, "%.17g", x);
        CHECK_STR(mine, theirs);
    }
    CHECK(written > 60000);
}

TEST(text_double_ignores_the_locale)
{
    static const char *const comma[] = {"ps_AF.UTF-8", "de_DE.UTF-8", "fr_FR.UTF-8", "de_DE"};
    const char *found = NULL;
    for (size_t i = 0; i < 4 && !found; i++) found = setlocale(LC_NUMERIC, comma[i]);
    if (!found) SKIP("no locale with a decimal comma is installed");
    ah_ctx *ctx = ah_ctx_create(NULL);
    const char *got = NULL;
    CHECK_INT(ctx_guard(ctx, write_number, &got), AH_OK);
    CHECK_STR(got, "<-1.25e+100>");
    setlocale(LC_NUMERIC, "C");
    ah_ctx_destroy(ctx);
}

TEST(nearest_name)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    static const char *const names[] = {"theta", "phi",   "mass",   "m1",
                                        "x",     "omega", "λambda", "x_dot"};
    static const struct {
        const char *name, *nearest;
    } cases[] = {
        {"tehta", "theta"},                        /* two neighbours swapped */
        {"thetta", "theta"},                       /* one too many */
        {"teta", "theta"},                         /* one missing */
        {"MASS", "mass"},                          /* another case */
        {"maßs", "mass"},                          /* characters, not bytes */
        {"m2", "m1"},        {"μambda", "λambda"}, /* one character, though several bytes */
        {"xdot", "x_dot"},   {"X", "x"},
        {"y", NULL}, /* any letter is near any other: no help */
        {"velocity", NULL},  {"", NULL},
        {"\xff\xff", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_STR(text_nearest(&ctx->scratch, cases[i].name, names, 8), cases[i].nearest);
    static const char *const alike[] = {"m1", "m2"};
    CHECK_STR(text_nearest(&ctx->scratch, "m3", alike, 2), "m1"); /* the first of equals */
    CHECK_STR(text_nearest(&ctx->scratch, "theta", NULL, 0), NULL);
    char *longest = calloc(1, 1000001);
    memset(longest, 'a', 1000000);
    CHECK_STR(text_nearest(&ctx->scratch, longest, (const char *const *) &longest, 1), NULL);
    free(longest);
    ah_ctx_destroy(ctx);
}

/* ---- What shows nothing, or turns what is around it ------------------------------------------ */

TEST(harmful_characters)
{
    static const struct {
        const char *s, *shown, *harmless;
    } cases[] = {{"a\u202Eb", "a\uFFFDb", "a[U+202E]b"},
                 {"a\u2066b", "a\uFFFDb", "a[U+2066]b"},
                 {"a\u206Ab", "a\uFFFDb", "a\u206Ab"},
                 {"a\u200Eb", "a\uFFFDb", "a[U+200E]b"},
                 {"a\u200Fb", "a\uFFFDb", "a[U+200F]b"},
                 {"a\u061Cb", "a\uFFFDb", "a[U+061C]b"},
                 {"a\u200Bb", "a\uFFFDb", "a\u200Bb"},
                 {"a\u2028b", "a\uFFFDb", "a[U+2028]b"},
                 {"a\u2029b", "a\uFFFDb", "a[U+2029]b"},
                 {"a\xEF\xBF\xBF", "a\uFFFD", "a[U+FFFF]"},
                 {"a\u2060b", "a\uFFFDb", "a\u2060b"},
                 {"a\uFEFFb", "a\uFFFDb", "a\uFEFFb"},
                 {"a\u2010b", "a\u2010b", "a\u2010b"},
                 {"a\u2040b", "a\u2040b", "a\u2040b"},
                 {"a\u2100b", "a\u2100b", "a\u2100b"},
                 {"a\x1B[1mb", "a\u241B[1mb", "a[U+001B][1mb"},
                 {"a\x7F\xC2\x9B", "a\u2421\uFFFD", "a[U+007F][U+009B]"},
                 {"a\tb\nc", "a b\u240Ac", "a\tb\nc"},
                 {"a\xFF", "a\uFFFD", "a\uFFFD"},
                 {"", "", ""}};
    ah_ctx *ctx = ah_ctx_create(NULL);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char room[100] = "full";
        CHECK_INT(ah_printable(room, sizeof room, cases[i].s), strlen(cases[i].shown));
        CHECK_STR(room, cases[i].shown);
        CHECK_STR(arena_harmless(&ctx->job, cases[i].s), cases[i].harmless);
    }
    char narrow[3] = "??";
    CHECK_INT(ah_printable(narrow, sizeof narrow, "a\uFEFF"), 4); /* what it would take */
    CHECK_STR(narrow, "a");
    ah_ctx_destroy(ctx);
}
