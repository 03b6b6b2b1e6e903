/* JSON: nesting, escapes, numbers that read back. */
#include "base/base.h"
#include "harness.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

TEST(json_nests)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    json j = json_begin(&ctx->job);
    json_object(&j);
    json_key(&j, "empty");
    json_object(&j);
    json_close(&j);
    json_key(&j, "list");
    json_array(&j);
    json_int(&j, -9223372036854775807LL - 1);
    json_array(&j);
    json_close(&j);
    json_bool(&j, true);
    json_bool(&j, false);
    json_null(&j);
    json_string(&j, NULL);
    json_raw(&j, "[1, 2]");
    json_object(&j);
    json_key(&j, "a");
    json_int(&j, 1);
    json_key(&j, "b");
    json_string(&j, "");
    json_close(&j);
    json_close(&j);
    json_key(&j, "end");
    json_number(&j, 0.5);
    json_close(&j);
    CHECK_STR(json_end(&j), "{\"empty\":{},\"list\":[-9223372036854775808,[],true,false,null,null,"
                            "[1, 2],{\"a\":1,\"b\":\"\"}],\"end\":0.5}");
    ah_ctx_destroy(ctx);
}

static const char *quoted(ah_ctx *ctx, const char *s)
{
    json j = json_begin(&ctx->job);
    json_string(&j, s);
    return json_end(&j);
}

TEST(json_escapes)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_STR(quoted(ctx, "say \"θ\" \\ x'"), "\"say \\\"θ\\\" \\\\ x'\"");
    CHECK_STR(quoted(ctx, "\b\f\n\r\t"), "\"\\b\\f\\n\\r\\t\"");
    CHECK_STR(quoted(ctx, "\x01\x1b\x1f\x7f"), "\"\\u0001\\u001b\\u001f\\u007f\"");
    CHECK_STR(quoted(ctx, "\xe2\x80\xa8\xe2\x80\xa9"), "\"\\u2028\\u2029\"");
    CHECK_STR(quoted(ctx, "a\xff\xc3(\xed\xa0\x80z"), "\"a��(���z\"");
    CHECK_STR(quoted(ctx, "𝛼"), "\"𝛼\"");
    json j = json_begin(&ctx->job);
    json_object(&j);
    json_key(&j, "\"\n");
    json_bool(&j, true);
    json_close(&j);
    CHECK_STR(json_end(&j), "{\"\\\"\\n\":true}");
    ah_ctx_destroy(ctx);
}

TEST(json_numbers_read_back)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    bool same = true;
    for (int i = 0; i < 5000; i++) {
        double x;
        const uint64_t bits = harness_random();
        memcpy(&x, &bits, sizeof x);
        if (i == 0) x = DBL_MIN;
        if (i == 1) x = DBL_TRUE_MIN;
        if (i == 2) x = -DBL_MAX;
        if (!isfinite(x)) continue;
        const arena_mark mark = arena_get_mark(&ctx->scratch);
        json j = json_begin(&ctx->scratch);
        json_number(&j, x);
        same = same && strtod(json_end(&j), NULL) == x;
        arena_release(&ctx->scratch, mark);
    }
    CHECK(same);
    json j = json_begin(&ctx->job);
    json_array(&j);
    json_number(&j, NAN);
    json_number(&j, INFINITY);
    json_number(&j, -INFINITY);
    json_number(&j, -0.0);
    json_close(&j);
    CHECK_STR(json_end(&j), "[null,null,null,-0]");
    ah_ctx_destroy(ctx);
}

static void nest(ah_ctx *ctx, void *arg)
{
    json j = json_begin(&ctx->job);
    for (int i = 0; i < *(int *) arg; i++) json_array(&j);
    for (int i = 0; i < *(int *) arg; i++) json_close(&j);
    json_end(&j);
}

TEST(json_depth_is_limited)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    int depth = JSON_DEPTH - 1;
    CHECK_INT(ctx_guard(ctx, nest, &depth), AH_OK);
    depth = 100000;
    CHECK_INT(ctx_guard(ctx, nest, &depth), AH_E_LIMIT);
    ah_ctx_destroy(ctx);
}

/* As snprintf: whatever the room, the same length, and a beginning of the whole. */
TEST(strings_are_cut_to_the_room)
{
    const char *const texts[] = {"", "plain", "a\"b\\c\nd", "\x1b[1m \xe2\x80\xae θ\xff end",
                                 "ends in \t"};
    const char *const wanted[] = {"\"\"", "\"plain\"", "\"a\\\"b\\\\c\\nd\"",
                                  "\"\\u001b[1m \\u202e θ\uFFFD end\"", "\"ends in \\t\""};
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        const size_t length = strlen(wanted[k]);
        for (size_t room = 0; room <= length + 2; room++) {
            char out[100];
            memset(out, '#', sizeof out);
            CHECK_INT(ah_json_string(out, room, texts[k]), length);
            CHECK(out[room] == '#');
            if (!room) continue;
            CHECK(strlen(out) < room && !strncmp(out, wanted[k], strlen(out)));
            if (room > length) CHECK_STR(out, wanted[k]);
        }
    }
}
