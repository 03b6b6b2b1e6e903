/* anholo/base.h - contexts, status, limits, diagnostics.
 *
 * A context owns everything the library makes. A model has a context of its own inside: what is made
 * for it (expressions, equations, answers, texts) stays valid until the model is destroyed, or the
 * context around it; systems, motions and trajectories until their own destroy. One context per
 * thread. The library neither prints nor exits: a function that fails returns a status other than
 * AH_OK, and the diagnostics of the context say what happened and where. */
#ifndef ANHOLO_BASE_H
#define ANHOLO_BASE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__GNUC__)
#define AH_API __attribute__((visibility("default")))
#else
#define AH_API
#endif

typedef struct ah_ctx ah_ctx;

/* One list gives the codes and their texts. */
#define AH_STATUS_LIST(X)                                                                          \
    X(AH_OK, "done")                                                                               \
    X(AH_E_INPUT, "the input has errors")                                                          \
    X(AH_E_REFUSED, "an assumption of the method fails")                                           \
    X(AH_E_NUMERIC, "a numeric failure")                                                           \
    X(AH_E_LIMIT, "a resource limit was reached")                                                  \
    X(AH_E_MEMORY, "out of memory")                                                                \
    X(AH_E_INTERRUPTED, "interrupted")

typedef enum ah_status {
#define X(code, text) code,
    AH_STATUS_LIST(X)
#undef X
} ah_status;

AH_API const char *ah_status_text(ah_status status);
/* Of these headers, and of the library in use: "0.2.0". */
#define AH_VERSION_MAJOR 0
#define AH_VERSION_MINOR 2
#define AH_VERSION_PATCH 0
AH_API const char *ah_version(void);

/* Three-valued truth: AH_UNKNOWN is an honest answer, and callers handle it. */
typedef enum ah_truth { AH_FALSE, AH_TRUE, AH_UNKNOWN } ah_truth;

/* How results are written. */
typedef enum ah_format { AH_TEXT, AH_LATEX, AH_MATHML, AH_JSON, AH_C, AH_ASCII } ah_format;

/* ---- Context --------------------------------------------------------------------------------- */

typedef struct ah_limits {
    uint32_t nesting; /* depth of brackets, blocks and expressions                            */
    uint32_t nodes;   /* expression nodes in the context                                      */
    uint32_t terms;   /* terms of one polynomial inside the algebra                           */
    size_t memory;    /* bytes of the context's own allocations                               */
    double seconds;   /* of one public call; 0: no limit                                      */
} ah_limits;

AH_API ah_limits ah_limits_defaults(void);

/* Host memory: new_size 0 frees, ptr NULL allocates; NULL means failure. Several threads may call it at once: those of
 * an ensemble, of a page that was asked for two, and each that makes a work space. */
typedef void *(*ah_realloc_fn)(void *user, void *ptr, size_t old_size, size_t new_size);

/* How far a call is: part from 0 to 1, negative while that is not known. Comes about ten times a
 * second from calls that take that long, and once with `over` when such a call ends. It must not
 * use the context. */
typedef void (*ah_progress_fn)(void *user, double part, bool over);

typedef struct ah_ctx_options {
    size_t size;           /* of this struct: ah_ctx_defaults sets it */
    ah_realloc_fn realloc; /* NULL: the C library's */
    void *user;
    ah_progress_fn progress; /* NULL: nobody wants to know */
    void *progress_user;
    ah_limits limits; /* last: there may be more of them one day */
} ah_ctx_options;

AH_API ah_ctx_options ah_ctx_defaults(void);
/* NULL options: the defaults; so does a limit of 0. Returns NULL when there is no memory, or for options
 * that did not begin as ah_ctx_defaults() (size 0). */
AH_API ah_ctx *ah_ctx_create(const ah_ctx_options *options);
AH_API void ah_ctx_destroy(ah_ctx *ctx);

/* The first failure since the last ah_ctx_reset_status, or AH_OK. */
AH_API ah_status ah_ctx_status(const ah_ctx *ctx);
/* Forgets status and diagnostics, and the texts of these; expressions and models stay. */
AH_API void ah_ctx_reset_status(ah_ctx *ctx);
/* The running call (or else the next one) ends soon with AH_E_INTERRUPTED. For signal handlers and
 * other threads. */
AH_API void ah_ctx_interrupt(ah_ctx *ctx);

/* ---- Sources and diagnostics ----------------------------------------------------------------- */

/* A place: bytes [begin, end) of source `file`; file 0 is "nowhere". */
typedef struct ah_span {
    uint32_t file, begin, end;
} ah_span;

typedef struct ah_place {
    const char *file;
    uint32_t line, column; /* from 1; the column counts characters, not bytes */
} ah_place;

typedef enum ah_severity { AH_ERROR, AH_WARNING, AH_NOTE, AH_HINT } ah_severity;

/* Notes and hints follow the error or warning they belong to, in the same list. */
typedef struct ah_diagnostic {
    ah_severity severity;
    const char *code;    /* "A0207"; NULL for notes and hints */
    const char *message; /* one line, no full stop            */
    const char *label;   /* short text beside the caret, or NULL */
    ah_span span;
} ah_diagnostic;

AH_API size_t ah_diagnostic_count(const ah_ctx *ctx);
AH_API const ah_diagnostic *ah_diagnostic_get(const ah_ctx *ctx, size_t index);
AH_API size_t ah_error_count(const ah_ctx *ctx);
AH_API ah_place ah_span_place(const ah_ctx *ctx, ah_span span);
/* All diagnostics as people read them: place, line, caret, notes, hints. */
AH_API const char *ah_diagnostics_text(ah_ctx *ctx, bool colour);
/* {"error":{"code","message","file","line","column"},"diagnostics":[…]} of the first error. */
AH_API const char *ah_diagnostics_json(ah_ctx *ctx);

/* ---- Texts of others ------------------------------------------------------------------------- */

/* Names of files, titles and the like may hold anything: bytes that are no UTF-8, escape sequences,
 * characters that turn the writing direction. These write at most room bytes, the NUL included, and
 * return the length of all of it, as snprintf does. The first makes one printable line, the second
 * a string in JSON, quotes included. */
AH_API size_t ah_printable(char *to, size_t room, const char *s);
AH_API size_t ah_json_string(char *to, size_t room, const char *s);

#endif
