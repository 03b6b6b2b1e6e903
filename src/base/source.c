/* base/source.c - source texts and places in them. */
#include "base.h"
#include "report.h"

#include <string.h>

static void find_lines(ah_ctx *ctx, source *s)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < s->length; i++) lines += s->text[i] == '\n';
    s->line_starts = NEW_ARRAY(&ctx->store, uint32_t, lines);
    for (uint32_t i = 0; i < s->length; i++)
        if (s->text[i] == '\n') s->line_starts[++s->line_count] = i + 1;
    s->line_count++;
}

/* Places of sources that are gone are used again. */
static uint32_t place_for(ah_ctx *ctx, source s)
{
    ctx_log *log = ctx->log;
    size_t i = 0;
    while (i < log->sources.count && log->sources.at[i].text) i++;
    if (i == log->sources.capacity) {
        const size_t room = i ? 2 * i : 8;
        log->sources.at =
            ctx_realloc(ctx, log->sources.at, i * sizeof(source), room * sizeof(source));
        log->sources.capacity = room;
    }
    log->sources.at[i] = s;
    if (i == log->sources.count) log->sources.count++;
    return (uint32_t) i + 1;
}

uint32_t source_add(ah_ctx *ctx, const char *name, const char *content, size_t length)
{
    if (length >= UINT32_MAX) ctx_raise_limit(ctx, "a text longer than 4 GiB");
    source s = {
        .name = arena_strdup(&ctx->store, name ? name : ""),
        .text = arena_strndup(&ctx->store, content, length),
        .length = length,
    };
    s.owner = ctx;
    find_lines(ctx, &s);
    return place_for(ctx, s);
}

/* A copy in the log. */
static source keep(ctx_log *log, const source *s)
{
    source copy = *s;
    copy.owner = NULL;
    copy.name = arena_strdup(&log->texts, s->name);
    copy.text = arena_strndup(&log->texts, s->text, s->length);
    copy.line_starts = NEW_ARRAY(&log->texts, uint32_t, s->line_count);
    memcpy(copy.line_starts, s->line_starts, s->line_count * sizeof *s->line_starts);
    return copy;
}

static bool is_told_of(const ctx_log *log, uint32_t file)
{
    for (size_t i = 0; i < log->diagnostics.count; i++)
        if (log->diagnostics.at[i].span.file == file) return true;
    return false;
}

static void forget(ah_ctx *ctx, void *arg)
{
    ctx_log *log = ctx->log;
    (void) arg;
    for (uint32_t i = 0; i < log->sources.count; i++) {
        source *s = &log->sources.at[i];
        if (s->owner == ctx && is_told_of(log, i + 1)) *s = keep(log, s);
    }
}

void source_forget(ah_ctx *ctx)
{
    ctx_log *log = ctx->log;
    ctx_try(ctx, forget, NULL); /* without memory the places of old reports are not shown */
    for (size_t i = 0; i < log->sources.count; i++)
        if (log->sources.at[i].owner == ctx) log->sources.at[i] = (source){0};
}

const source *source_get(const ah_ctx *ctx, uint32_t file)
{
    if (!file || file > ctx->log->sources.count) return NULL;
    const source *s = &ctx->log->sources.at[file - 1];
    return s->text ? s : NULL;
}

uint32_t source_line(const source *s, uint32_t offset)
{
    uint32_t low = 0, high = s->line_count;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (s->line_starts[middle] <= offset)
            low = middle;
        else
            high = middle;
    }
    return low;
}

/* Eight ASCII characters at once? Lines of a megabyte with many errors are walked many times. */
static bool eight_ascii(const char *s)
{
    uint64_t word;
    memcpy(&word, s, sizeof word);
    return !(word & 0x8080808080808080u);
}

/* Passes up to `most` characters of [*at, end); returns how many. A byte that is no UTF-8 counts as
 * one. */
static uint32_t pass_characters(const source *s, uint32_t *at, uint32_t end, uint32_t most)
{
    uint32_t count = 0, code;
    while (*at < end && count < most) {
        if (end - *at >= 8 && most - count >= 8 && eight_ascii(s->text + *at)) {
            count += 8;
            *at += 8;
            continue;
        }
        const size_t step = utf8_decode(s->text + *at, s->length - *at, &code);
        *at += step ? (uint32_t) step : 1;
        count++;
    }
    return count;
}

uint32_t source_characters(const source *s, uint32_t begin, uint32_t end)
{
    return pass_characters(s, &begin, end, UINT32_MAX);
}

uint32_t source_offset(const source *s, uint32_t begin, uint32_t count)
{
    pass_characters(s, &begin, (uint32_t) s->length, count);
    return begin;
}

ah_place ah_span_place(const ah_ctx *ctx, ah_span span)
{
    const source *s = ctx ? source_get(ctx, span.file) : NULL;
    if (!s) return (ah_place){NULL, 0, 0};
    const uint32_t offset = span.begin < s->length ? span.begin : (uint32_t) s->length;
    const uint32_t line = source_line(s, offset);
    return (ah_place){s->name, line + 1, source_characters(s, s->line_starts[line], offset) + 1};
}
