/* base/render.c - diagnostics as people and as programs read them.
 *
 *     sleigh.ah:14:12: warning[A0207]: constraint `blade` depends on the others
 *        14 | constraint blade: sin(th)*x' - cos(th)*y' = 0
 *           |            ^^^^^ rank 1, expected 2
 *      note: proportional to `knife`, sleigh.ah:9:12
 *      hint: delete one of them
 */
#include "base.h"
#include "report.h"

#include <string.h>

/* Characters of a source line that are shown; of a longer one a window around the caret. */
enum { WINDOW = 88 };

/* What rendering may take beyond the limit of memory: a report of "out of memory" must be possible.
 */
enum { RENDER_RESERVE = 4 << 20 };

static const struct {
    const char *name, *colour;
} severities[] = {
    [AH_ERROR] = {"error", "\x1b[1;31m"},
    [AH_WARNING] = {"warning", "\x1b[1;35m"},
    [AH_NOTE] = {"note", "\x1b[1;36m"},
    [AH_HINT] = {"hint", "\x1b[1;32m"},
};

typedef struct renderer {
    const ah_ctx *ctx;
    text out;
    bool colour;
} renderer;

static void begin_colour(renderer *r, const char *code)
{
    if (r->colour) text_add(&r->out, code);
}

static void end_colour(renderer *r)
{
    if (r->colour) text_add(&r->out, "\x1b[0m");
}

static void add_place(renderer *r, ah_span span)
{
    const ah_place place = ah_span_place(r->ctx, span);
    text_printable(&r->out, place.file, strlen(place.file), SIZE_MAX);
    text_printf(&r->out, ":%u:%u", (unsigned) place.line, (unsigned) place.column);
}

/* ---- The line and the caret ------------------------------------------------------------------ */

/* One line of a source and the part of it that is shown, in characters from 0. */
typedef struct excerpt {
    const source *source;
    uint32_t line, begin, end; /* its number from 0, its bytes                  */
    uint32_t length;           /* its characters                                */
    uint32_t caret, caret_end; /* marked characters [caret, caret_end)          */
    uint32_t shown, shown_end; /* shown characters                              */
} excerpt;

static excerpt find_excerpt(const source *s, ah_span span)
{
    const uint32_t length = (uint32_t) s->length;
    const uint32_t from = span.begin < length ? span.begin : length;
    const uint32_t line = source_line(s, from);
    uint32_t begin = s->line_starts[line];
    uint32_t end = line + 1 < s->line_count ? s->line_starts[line + 1] - 1 : length;
    if (end > begin && s->text[end - 1] == '\r') end--;
    const uint32_t to = span.end < end ? span.end : end; /* a longer span: to the end of the line */

    excerpt e = {.source = s, .line = line, .begin = begin, .end = end};
    e.length = source_characters(s, begin, end);
    e.caret = source_characters(s, begin, from);
    e.caret_end = to > from ? e.caret + source_characters(s, from, to) : e.caret + 1;
    e.shown_end = e.length;
    if (e.length > WINDOW) {
        const uint32_t before = WINDOW / 3, last = e.length - WINDOW;
        e.shown = e.caret < before ? 0 : e.caret - before < last ? e.caret - before : last;
        e.shown_end = e.shown + WINDOW;
    }
    return e;
}

/* Cut ends show as "…", which takes the place of one character. */
static void add_line(text *out, const excerpt *e)
{
    const bool before = e->shown > 0, after = e->shown_end < e->length;
    const uint32_t at = source_offset(e->source, e->begin, e->shown + before);
    if (before) text_add(out, "…");
    text_printable(out, e->source->text + at, e->end - at,
                   e->shown_end - e->shown - before - after);
    if (after) text_add(out, "…");
}

static void add_excerpt(renderer *r, const ah_diagnostic *d)
{
    const excerpt e = find_excerpt(source_get(r->ctx, d->span.file), d->span);
    const size_t numbered = r->out.length;
    text_printf(&r->out, "%5u", (unsigned) e.line + 1);
    const int gutter = (int) (r->out.length - numbered);
    text_add(&r->out, " | ");
    add_line(&r->out, &e);

    text_printf(&r->out, "\n%*s | %*s", gutter, "", (int) (e.caret - e.shown), "");
    begin_colour(r, severities[d->severity].colour);
    const uint32_t room = e.shown + WINDOW > e.caret ? e.shown + WINDOW - e.caret : 1;
    for (uint32_t i = 0; i < e.caret_end - e.caret && i < room; i++) text_char(&r->out, '^');
    if (d->label) text_printf(&r->out, " %s", d->label);
    end_colour(r);
    text_char(&r->out, '\n');
}

/* ---- Text ------------------------------------------------------------------------------------ */

static void add_severity(renderer *r, const ah_diagnostic *d)
{
    begin_colour(r, severities[d->severity].colour);
    text_add(&r->out, severities[d->severity].name);
    if (d->code) text_printf(&r->out, "[%s]", d->code);
    end_colour(r);
    text_printf(&r->out, ": %s", d->message);
}

static void add_report(renderer *r, const ah_diagnostic *d)
{
    const bool placed = source_get(r->ctx, d->span.file) != NULL;
    if (placed) {
        add_place(r, d->span);
        text_add(&r->out, ": ");
    }
    add_severity(r, d);
    text_char(&r->out, '\n');
    if (placed) add_excerpt(r, d);
}

static void add_remark(renderer *r, const ah_diagnostic *d)
{
    text_char(&r->out, ' ');
    add_severity(r, d);
    if (source_get(r->ctx, d->span.file)) {
        text_add(&r->out, ", ");
        add_place(r, d->span);
    }
    text_char(&r->out, '\n');
}

static size_t kept(const ah_ctx *ctx, ah_severity severity)
{
    size_t count = 0;
    for (size_t i = 0; i < ctx->log->diagnostics.count; i++)
        count += ctx->log->diagnostics.at[i].severity == severity;
    return count;
}

static void add_dropped(renderer *r, size_t reported, ah_severity severity)
{
    const size_t more = reported - kept(r->ctx, severity);
    if (more)
        text_printf(&r->out, "and %zu more %s%s\n", more, severities[severity].name,
                    more > 1 ? "s" : "");
}

typedef struct rendering {
    bool colour;
    const char *result;
} rendering;

static void render_text(ah_ctx *ctx, void *arg)
{
    rendering *task = arg;
    renderer r = {ctx, text_begin(&ctx->log->texts), task->colour};
    for (size_t i = 0; i < ctx->log->diagnostics.count; i++) {
        const ah_diagnostic *d = &ctx->log->diagnostics.at[i];
        (d->code ? add_report : add_remark)(&r, d);
    }
    add_dropped(&r, ctx->log->errors, AH_ERROR);
    add_dropped(&r, ctx->log->warnings, AH_WARNING);
    task->result = text_end(&r.out);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_place(json *j, const ah_ctx *ctx, ah_span span)
{
    const ah_place place = ah_span_place(ctx, span);
    json_key(j, "file");
    json_string(j, place.file);
    json_key(j, "line");
    place.file ? json_int(j, place.line) : json_null(j);
    json_key(j, "column");
    place.file ? json_int(j, place.column) : json_null(j);
}

static void json_diagnostic(json *j, const ah_ctx *ctx, const ah_diagnostic *d, bool whole)
{
    json_object(j);
    if (whole) {
        json_key(j, "severity");
        json_string(j, severities[d->severity].name);
    }
    json_key(j, "code");
    json_string(j, d->code);
    json_key(j, "message");
    json_string(j, d->message);
    if (whole) {
        json_key(j, "label");
        json_string(j, d->label);
    }
    json_place(j, ctx, d->span);
    json_close(j);
}

static void render_json(ah_ctx *ctx, void *arg)
{
    const ah_diagnostic *first = NULL;
    for (size_t i = 0; i < ctx->log->diagnostics.count && !first; i++)
        if (ctx->log->diagnostics.at[i].severity == AH_ERROR) first = &ctx->log->diagnostics.at[i];

    json j = json_begin(&ctx->log->texts);
    json_object(&j);
    json_key(&j, "error");
    first ? json_diagnostic(&j, ctx, first, false) : json_null(&j);
    json_key(&j, "diagnostics");
    json_array(&j);
    for (size_t i = 0; i < ctx->log->diagnostics.count; i++)
        json_diagnostic(&j, ctx, &ctx->log->diagnostics.at[i], true);
    json_close(&j);
    json_close(&j);
    ((rendering *) arg)->result = json_end(&j);
}

static const char *render(ah_ctx *ctx, void (*body)(ah_ctx *, void *), bool colour,
                          const char *without_memory)
{
    if (!ctx) return NULL;
    rendering task = {.colour = colour};
    const size_t limit = ctx->limits.memory;
    if (limit < SIZE_MAX - RENDER_RESERVE) ctx->limits.memory += RENDER_RESERVE;
    const ah_status status = ctx_try(ctx, body, &task);
    ctx->limits.memory = limit;
    return status == AH_OK ? task.result : without_memory;
}

const char *ah_diagnostics_text(ah_ctx *ctx, bool colour)
{
    return render(ctx, render_text, colour, "error[A0902]: out of memory\n");
}

const char *ah_diagnostics_json(ah_ctx *ctx)
{
    return render(ctx, render_json, false,
                  "{\"error\":{\"code\":\"A0902\",\"message\":\"out of memory\",\"file\":null,"
                  "\"line\":null,\"column\":null},\"diagnostics\":[]}");
}
