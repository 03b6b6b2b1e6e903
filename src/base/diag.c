/* base/diag.c - the list of diagnostics. */
#include "base.h"
#include "report.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    ah_severity severity;
} codes[] = {
#define X(code, severity, meaning) {#code, severity},
#include "errors.def"
#undef X
};

void diag_reserve(ah_ctx *ctx, size_t more)
{
    enum { OF_THE_GUARD = 3 };
    ctx_log *log = ctx->log;
    const size_t need = log->diagnostics.count + more + OF_THE_GUARD, size = sizeof(ah_diagnostic);
    if (need <= log->diagnostics.capacity) return;
    const size_t room = need + need / 2;
    log->diagnostics.at =
        ctx_realloc(ctx, log->diagnostics.at, log->diagnostics.capacity * size, room * size);
    log->diagnostics.capacity = room;
}

static void append(ah_ctx *ctx, ah_diagnostic d)
{
    ctx->log->diagnostics.at[ctx->log->diagnostics.count++] = d;
    ctx->log->dropped = false;
}

/* A message is one line of bounded length. */
static const char *printable(ah_ctx *ctx, const char *raw, size_t length)
{
    text t = text_begin(&ctx->log->texts);
    while (length && t.length < DIAG_LENGTH) { /* a character has four bytes at most */
        const size_t step =
            text_printable(&t, raw, length, (DIAG_LENGTH - t.length + UTF8_MOST - 1) / UTF8_MOST);
        raw += step;
        length -= step;
    }
    if (length) text_add(&t, "…");
    return text_end(&t);
}

static const char *message(ah_ctx *ctx, const char *format, va_list args)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    text raw = text_begin(&ctx->scratch);
    text_vprintf(&raw, format, args);
    const char *result = printable(ctx, raw.at, raw.length);
    arena_release(&ctx->scratch, mark);
    return result;
}

void diag(ah_ctx *ctx, diag_code code, ah_span span, const char *format, ...)
{
    assert(code < DIAG_CODES);
    const ah_severity severity = codes[code].severity;
    size_t *reported = severity == AH_ERROR ? &ctx->log->errors : &ctx->log->warnings;
    if (++*reported > DIAG_LIMIT) {
        ctx->log->dropped = true;
        return;
    }
    va_list args;
    va_start(args, format);
    const char *what = message(ctx, format, args);
    va_end(args);
    diag_reserve(ctx, 1);
    append(ctx, (ah_diagnostic){severity, codes[code].name, what, NULL, span});
}

bool diag_wrong_call(ah_ctx *ctx, const char *what)
{
    diag(ctx, A0904, NOWHERE, "%s", what);
    return false;
}

static void attach(ah_ctx *ctx, ah_severity severity, ah_span span, const char *format,
                   va_list args)
{
    assert(ctx->log->errors + ctx->log->warnings && "a note to no report");
    if (ctx->log->dropped) return;
    const char *what = message(ctx, format, args);
    diag_reserve(ctx, 1);
    append(ctx, (ah_diagnostic){severity, NULL, what, NULL, span});
}

void diag_note(ah_ctx *ctx, ah_span span, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    attach(ctx, AH_NOTE, span, format, args);
    va_end(args);
}

void diag_hint(ah_ctx *ctx, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    attach(ctx, AH_HINT, NOWHERE, format, args);
    va_end(args);
}

void diag_label(ah_ctx *ctx, const char *format, ...)
{
    if (ctx->log->dropped) return;
    va_list args;
    va_start(args, format);
    const char *what = message(ctx, format, args);
    va_end(args);
    for (size_t i = ctx->log->diagnostics.count; i-- > 0;)
        if (ctx->log->diagnostics.at[i].code) {
            ctx->log->diagnostics.at[i].label = what;
            return;
        }
    assert(!"a label to no report");
}

void diag_raised(ah_ctx *ctx, ah_status status)
{
    const diag_code code = status == AH_E_LIMIT         ? A0901
                           : status == AH_E_MEMORY      ? A0902
                           : status == AH_E_INTERRUPTED ? A0903
                                                        : DIAG_CODES;
    if (code == DIAG_CODES) return;
    for (size_t i = 0; i < ctx->log->diagnostics.count; i++)
        if (ctx->log->diagnostics.at[i].code == codes[code].name) return;
    if (ctx->log->diagnostics.count == ctx->log->diagnostics.capacity)
        return; /* in ah_ctx_create */
    ctx->log->errors++;
    const char *what = code == A0901 && ctx->log->limit ? ctx->log->limit : ah_status_text(status);
    append(ctx, (ah_diagnostic){AH_ERROR, codes[code].name, what, NULL, NOWHERE});
}

diag_mark diag_get_mark(const ah_ctx *ctx)
{
    const ctx_log *log = ctx->log;
    return (diag_mark){log->diagnostics.count, log->errors, log->warnings,
                       log->dropped,           log->status, arena_get_mark(&log->texts)};
}

const char *diag_take(ah_ctx *ctx, arena *a, diag_mark mark)
{
    text t = text_begin(a);
    bool error = false;
    for (size_t i = mark.count; i < ctx->log->diagnostics.count; i++) {
        const ah_diagnostic *d = &ctx->log->diagnostics.at[i];
        if (d->code) error = d->severity == AH_ERROR;
        if (error && d->severity == AH_ERROR)
            text_printf(&t, "%s%s", t.length ? "; " : "", d->message);
        else if (error && d->severity == AH_HINT)
            text_printf(&t, " (%s)", d->message);
    }
    ctx->log->diagnostics.count = mark.count;
    ctx->log->errors = mark.errors;
    ctx->log->warnings = mark.warnings;
    ctx->log->dropped = mark.dropped;
    ctx->log->status = mark.status;
    arena_release(&ctx->log->texts, mark.texts);
    return t.length ? text_end(&t) : NULL;
}

size_t ah_diagnostic_count(const ah_ctx *ctx)
{
    return ctx ? ctx->log->diagnostics.count : 0;
}

const ah_diagnostic *ah_diagnostic_get(const ah_ctx *ctx, size_t index)
{
    return index < ah_diagnostic_count(ctx) ? &ctx->log->diagnostics.at[index] : NULL;
}

size_t ah_error_count(const ah_ctx *ctx)
{
    return ctx ? ctx->log->errors : 0;
}

/* ---- From another context -------------------------------------------------------------------- */

static diag_code code_named(const char *name)
{
    diag_code code = 0;
    while (code < DIAG_CODES && (!name || strcmp(codes[code].name, name))) code++;
    return code;
}

void diag_copy(const ah_ctx *from, ah_ctx *to)
{
    for (size_t i = 0; i < from->log->diagnostics.count; i++) {
        const ah_diagnostic *d = &from->log->diagnostics.at[i];
        const diag_code code = code_named(d->code);
        if (code < DIAG_CODES) diag(to, code, d->span, "%s", d->message);
        if (code < DIAG_CODES && d->label) diag_label(to, "%s", d->label);
        if (d->severity == AH_NOTE) diag_note(to, d->span, "%s", d->message);
        if (d->severity == AH_HINT) diag_hint(to, "%s", d->message);
    }
}
