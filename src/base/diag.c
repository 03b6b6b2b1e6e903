/* base/diag.c - the list of diagnostics. */
#include "base.h"
#include "report.h"

#include <assert.h>

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
    ctx->diagnostics.at = arena_grow(&ctx->store, ctx->diagnostics.at, sizeof *ctx->diagnostics.at,
                                     ctx->diagnostics.count, &ctx->diagnostics.capacity,
                                     ctx->diagnostics.count + more + OF_THE_GUARD);
}

static void append(ah_ctx *ctx, ah_diagnostic d)
{
    ctx->diagnostics.at[ctx->diagnostics.count++] = d;
    ctx->dropped = false;
}

/* A message is one line of bounded length. */
static const char *printable(ah_ctx *ctx, const char *raw, size_t length)
{
    text t = text_begin(&ctx->store);
    while (length && t.length < DIAG_LENGTH) {
        const size_t step = text_printable(&t, raw, length);
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
    size_t *reported = severity == AH_ERROR ? &ctx->errors : &ctx->warnings;
    if (++*reported > DIAG_LIMIT) {
        ctx->dropped = true;
        return;
    }
    va_list args;
    va_start(args, format);
    const char *what = message(ctx, format, args);
    va_end(args);
    diag_reserve(ctx, 1);
    append(ctx, (ah_diagnostic){severity, codes[code].name, what, NULL, span});
}

static void attach(ah_ctx *ctx, ah_severity severity, ah_span span, const char *format,
                   va_list args)
{
    assert(ctx->errors + ctx->warnings && "a note to no report");
    if (ctx->dropped) return;
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
    if (ctx->dropped) return;
    va_list args;
    va_start(args, format);
    const char *what = message(ctx, format, args);
    va_end(args);
    for (size_t i = ctx->diagnostics.count; i-- > 0;)
        if (ctx->diagnostics.at[i].code) {
            ctx->diagnostics.at[i].label = what;
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
    for (size_t i = 0; i < ctx->diagnostics.count; i++)
        if (ctx->diagnostics.at[i].code == codes[code].name) return;
    if (ctx->diagnostics.count == ctx->diagnostics.capacity) return; /* in ah_ctx_create */
    ctx->errors++;
    const char *what = code == A0901 && ctx->limit ? ctx->limit : ah_status_text(status);
    append(ctx, (ah_diagnostic){AH_ERROR, codes[code].name, what, NULL, NOWHERE});
}

diag_mark diag_get_mark(const ah_ctx *ctx)
{
    return (diag_mark){ctx->diagnostics.count, ctx->errors, ctx->warnings, ctx->dropped,
                       ctx->status};
}

const char *diag_take(ah_ctx *ctx, arena *a, diag_mark mark)
{
    text t = text_begin(a);
    bool error = false;
    for (size_t i = mark.count; i < ctx->diagnostics.count; i++) {
        const ah_diagnostic *d = &ctx->diagnostics.at[i];
        if (d->code) error = d->severity == AH_ERROR;
        if (error && d->severity == AH_ERROR)
            text_printf(&t, "%s%s", t.length ? "; " : "", d->message);
        else if (error && d->severity == AH_HINT)
            text_printf(&t, " (%s)", d->message);
    }
    ctx->diagnostics.count = mark.count;
    ctx->errors = mark.errors;
    ctx->warnings = mark.warnings;
    ctx->dropped = mark.dropped;
    ctx->status = mark.status;
    return t.length ? text_end(&t) : NULL;
}

size_t ah_diagnostic_count(const ah_ctx *ctx)
{
    return ctx->diagnostics.count;
}

const ah_diagnostic *ah_diagnostic_get(const ah_ctx *ctx, size_t index)
{
    return index < ctx->diagnostics.count ? &ctx->diagnostics.at[index] : NULL;
}

size_t ah_error_count(const ah_ctx *ctx)
{
    return ctx->errors;
}
