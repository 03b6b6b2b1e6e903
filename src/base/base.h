/* base/base.h - what every module stands on: memory, failure, text, diagnostics, JSON.
 *
 * Failure. Public functions run their work under ctx_guard; below it nothing returns a null
 * pointer: an allocation that fails, a limit that is hit or an interrupt ends the work by
 * ctx_raise, which unwinds to the guard (docs/decisions/0002). So formulas stay readable.
 * Whoever holds memory that is not in an arena of the context (FLINT objects, above all) must
 * register it with ctx_own before anything that can raise. */
#ifndef BASE_BASE_H
#define BASE_BASE_H

#include "reserve.h"

#include <anholo/base.h>
#include <locale.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>

#if defined(__GNUC__)
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))
#else
#define PRINTF_LIKE(f, a)
#endif

/* ---- Arenas ---------------------------------------------------------------------------------- */

typedef struct arena_chunk arena_chunk;
typedef struct arena_owned arena_owned;
typedef struct arena {
    ah_ctx *ctx;
    arena_chunk *last;  /* newest chunk */
    arena_owned *owned; /* newest first */
} arena;

typedef struct arena_mark {
    arena_chunk *chunk;
    size_t used;
    arena_owned *owned;
} arena_mark;

void arena_init(arena *a, ah_ctx *ctx);
void arena_clear(arena *a);
/* Zeroed, aligned for any type; never NULL (raises). */
void *arena_alloc(arena *a, size_t size);
/* The same, not zeroed: for what is written before it is read. Pages that are never touched are never there. */
void *arena_alloc_raw(arena *a, size_t size);
/* Grows an array of `count` elements to hold at least `need`: in place when it is the newest thing
 * in the arena, else by a copy, the old one staying where it was. What is new is zero. */
void *arena_grow(arena *a, void *old, size_t element, size_t count, size_t *capacity, size_t need);
/* Of the newest block, which has old_size bytes, only new_size are needed. False: it is not the newest, or needs as many. */
bool arena_trim(arena *a, const void *block, size_t old_size, size_t new_size);
/* A thing outside arenas that belongs to one in this arena (compiled code, a factorisation):
 * destroy(data) is called before its memory goes. When there is no memory for the registration,
 * `data` is destroyed before the raise. */
void arena_own(arena *a, void (*destroy)(void *data), void *data);
/* Room for `size` bytes in an arena that is empty, so that no chunk is asked for until then. */
void arena_reserve(arena *a, size_t size);
arena_mark arena_get_mark(const arena *a);
void arena_release(arena *a, arena_mark mark);

#define NEW(a, T)          ((T *) arena_alloc((a), sizeof(T)))
#define NEW_ARRAY(a, T, n) ((T *) arena_alloc_array((a), sizeof(T), (n)))
#define NEW_RAW(a, T, n)   ((T *) arena_alloc_array_raw((a), sizeof(T), (n)))
void *arena_alloc_array(arena *a, size_t element, size_t count); /* raises on overflow */
void *arena_alloc_array_raw(arena *a, size_t element, size_t count);

/* A growing array: struct { T *at; size_t count, capacity; }. */
#define LIST(T)                                                                                    \
    struct {                                                                                       \
        T *at;                                                                                     \
        size_t count, capacity;                                                                    \
    }
#define LIST_PUSH(a, list, value)                                                                  \
    do {                                                                                           \
        if ((list)->count == (list)->capacity)                                                     \
            (list)->at = arena_grow((a), (list)->at, sizeof *(list)->at, (list)->count,            \
                                    &(list)->capacity, (list)->count + 1);                         \
        (list)->at[(list)->count++] = (value);                                                     \
    } while (0)

/* ---- Context --------------------------------------------------------------------------------- */

/* A thing outside the arenas that must be freed with the context: destroy(data). */
typedef struct ctx_owned {
    struct ctx_owned *next, **back;
    void (*destroy)(void *data);
    void *data;
} ctx_owned;

/* A temporary outside the arenas; lives in the frame of the function that made it. */
typedef struct ctx_held {
    struct ctx_held *next;
    void (*destroy)(void *data);
    void *data;
} ctx_held;

/* Work of this thread in seconds: not measured but counted, by ticks and by what GMP and FLINT
 * allocate, at what these take on the average. Who gives up after so much of it does so on every
 * machine and under any load. */
double base_work(void);
/* When work is to be over: by base_work(), and for what counts too little by the processor. */
typedef struct base_end {
    double work, processor;
} base_end;
base_end base_end_after(double seconds);
bool base_is_past(const base_end *end);

/* Where a raise goes to, and what is restored then. */
typedef struct ctx_frame {
    struct ctx_frame *outer;
    ah_ctx *outer_active;
    jmp_buf jump;
    ah_status raised;
    arena_mark scratch;
    ctx_held *held;
    double deadline;
    base_end share;
    double share_look;
} ctx_frame;

typedef struct source {
    const char *name,
        *text; /* text is NUL-terminated after `length` bytes; NULL: its place is free */
    size_t length;
    uint32_t *line_starts, line_count;
    const ah_ctx *owner; /* in whose store it lies; NULL: in the log, as long as that tells of it */
} source;

/* What happened: one for a context and those inside it. */
typedef struct ctx_log {
    arena texts; /* until ah_ctx_reset_status */
    ah_status status;
    LIST(source) sources;
    struct {
        ah_diagnostic *at;
        size_t count, capacity;
    } diagnostics;           /* always with room for those of the guard */
    size_t errors, warnings; /* reported; at most DIAG_LIMIT of each are kept */
    bool dropped;            /* the last report was not kept, so neither are its notes */
    const char *limit;       /* which limit was raised last: a constant text */
} ctx_log;

struct expr_pool; /* expr/pool.c */

/* A context may have others inside, one for every model (ctx_create_inside): they have memory and
 * expressions of their own, and go alone or with it. Limits of memory, interrupts and the log are
 * those of the whole. */
struct ah_ctx {
    ah_limits limits;
    ah_realloc_fn realloc;
    void *user;
    size_t bytes;                  /* of the root: own allocations alive */
    ah_ctx *root;                  /* itself, or the one that this is inside of */
    ah_ctx *inside, *next, **back; /* the first one inside; links of those */
    ah_ctx *active;                /* of the root: whose frame is the innermost */
    ctx_log *log;                  /* of the root */

    arena store;   /* lives as long as the context: expressions, names, diagnostics */
    arena job;     /* models and what is derived from them */
    arena scratch; /* temporaries between mark and release */

    locale_t locale;  /* of every public call: numbers have a point, whatever the host's */
    ctx_frame *frame; /* where ctx_raise goes; NULL outside public calls */
    ctx_held *held;
    double deadline;   /* base_clock() of the end of the running call, INFINITY without one */
    base_end share;    /* of what an attempt may use, INFINITY likewise */
    double share_look; /* base_clock() before which the processor cannot have used it up */
    uint32_t ticks;
    ah_progress_fn progress;
    void *progress_user;
    double progress_part;    /* of the running call, negative: not known */
    double progress_next;    /* base_clock() of the next report */
    bool progress_told;      /* in the running call */
    atomic_bool interrupted; /* set by signal handlers and other threads */
    const ah_ctx *beside;    /* of the root: the one whose call it works for; NULL: none */
    ctx_owned *owned;
    struct expr_pool *pool;
};

/* A context inside another (inside its root, that is); NULL: no memory. Destroying the outer one
 * destroys it too. */
ah_ctx *ctx_create_inside(ah_ctx *ctx);
void ctx_destroy_inside(ah_ctx *inside);

/* A context of its own, with memory and a log that another thread may use while the running call of this one goes on: it has so
 * many bytes and the rest of the call's time, and ends when the call is interrupted. For ah_ctx_destroy; NULL: no memory. */
ah_ctx *ctx_create_beside(ah_ctx *ctx, size_t memory);
size_t base_processors(void);

/* Runs body(ctx, arg); a raise inside ends it. Returns the status: AH_OK, or what was raised, or
 * AH_E_INPUT when errors were reported meanwhile. Nested guards only call the body (the outermost
 * one catches), so a public function may call another. */
ah_status ctx_guard(ah_ctx *ctx, void (*body)(ah_ctx *ctx, void *arg), void *arg);
/* The same in fewer instructions, for what is called at every step: the body writes numbers as texts (text_printf) alone, whose
 * locale does not depend on the host's. */
ah_status ctx_guard_step(ah_ctx *ctx, void (*body)(ah_ctx *ctx, void *arg), void *arg);
/* Like ctx_guard but catches here even when nested, releasing scratch: for work that may give up.
 * Neither status nor diagnostics of the context tell of the raise: the caller judges it. The body
 * may call ctx_share; what was allowed before is restored. An interrupt stays pending: it is raised
 * again.
 */
ah_status ctx_try(ah_ctx *ctx, void (*body)(ah_ctx *ctx, void *arg), void *arg);
_Noreturn void ctx_raise(ah_ctx *ctx, ah_status status);
/* Raises AH_E_LIMIT; `message` (a constant, not copied) becomes the text of A0901. NULL: a share of the time was too short. */
_Noreturn void ctx_raise_limit(ah_ctx *ctx, const char *message);
/* To be called in every loop whose length a user controls: looks at clock and interrupt now and
 * then. */
void ctx_tick(ah_ctx *ctx);
/* The same for what waits: looks at once. ctx_must_end only says whether it would raise. */
void ctx_tick_now(ah_ctx *ctx);
bool ctx_must_end(ah_ctx *ctx);
/* How far the running call is, 0 to 1; told to the host at the next ticks. */
void ctx_progress(ah_ctx *ctx, double part);
/* The rest of the attempt (ctx_try) may use so many seconds of work as it is counted. */
void ctx_share(ah_ctx *ctx, double seconds);
/* Seconds left before the deadline of the running call and of its share; a large number without. */
double ctx_time_left(ah_ctx *ctx);
double base_clock(void); /* monotonic seconds */

/* `own` has the defaults; what the caller's options reach is taken from them. They begin with their size, as it was when the
 * caller was compiled. False: it is not set, so nothing is known of the rest, and the context (may be NULL) is told. */
bool base_take_options(ah_ctx *ctx, void *own, size_t size, const void *options);

/* Raw memory through the host's function, counted and limited; raises on failure. */
void *ctx_realloc(ah_ctx *ctx, void *ptr, size_t old_size, size_t new_size);

/* Registers `data` to be destroyed with the context; ctx_disown undoes it without destroying. When
 * there is no memory for the registration, `data` is destroyed before the raise. */
ctx_owned *ctx_own(ah_ctx *ctx, void (*destroy)(void *data), void *data);
void ctx_disown(ah_ctx *ctx, ctx_owned *owned);

/* For temporaries such as a FLINT polynomial on the stack: `data` is destroyed by ctx_drop, or when
 * a raise leaves the function. ctx_hold itself never raises. Last held, first dropped. */
void ctx_hold(ah_ctx *ctx, ctx_held *held, void (*destroy)(void *data), void *data);
void ctx_drop(ah_ctx *ctx, ctx_held *held);

/* ---- Text ------------------------------------------------------------------------------------ */

/* A growing text in an arena; text_end gives the NUL-terminated result. Raises AH_E_LIMIT past
 * TEXT_LIMIT bytes: printing a shared graph as a tree may be exponential. */
#define TEXT_LIMIT (64u << 20)
typedef struct text {
    arena *arena;
    char *at;
    size_t length, capacity;
} text;

text text_begin(arena *a);
void text_add(text *t, const char *s);
void text_add_n(text *t, const char *s, size_t n);
void text_char(text *t, char c);
void text_printf(text *t, const char *format, ...) PRINTF_LIKE(2, 3);
void text_vprintf(text *t, const char *format, va_list args);
void text_unsigned(text *t, uint64_t x); /* decimal */
/* A number with so many significant digits; "nan", "inf", "-inf". */
void text_double(text *t, double x, int digits);
/* The bytes of printf("%.17g") without an end, several times as fast; 0: not for numbers of this size. */
enum { NUMBER_TEXT = 32 };
size_t number_text(double x, char *to);
char *text_end(text *t);
char *arena_printf(arena *a, const char *format, ...) PRINTF_LIKE(2, 3);
char *arena_strndup(arena *a, const char *s, size_t n);
char *arena_strdup(arena *a, const char *s);
/* Of `count` names the one nearest to `name` (Damerau-Levenshtein, upper and lower case alike), or
 * NULL when none is near. */
const char *text_nearest(arena *scratch, const char *name, const char *const *names, size_t count);
/* Decodes one UTF-8 character; returns its length, 0 when invalid or at the end. */
size_t utf8_decode(const char *s, size_t n, uint32_t *code);
#define UTF8_MOST 4
size_t utf8_encode(uint32_t code, char bytes[UTF8_MOST]); /* returns the length */
void text_utf8(text *t, uint32_t code);
/* Control characters, those that turn the writing direction or end a line (U+2028 ends a comment of JavaScript), and
 * those that no XML may have: what would let a text deceive its reader, or command a terminal or a program. */
bool utf8_is_harmful(uint32_t code);
/* A copy of a text of the user with these spelled out, [U+202E]. */
char *arena_harmless(arena *a, const char *s);

/* ---- Sources and diagnostics ----------------------------------------------------------------- */

/* Registers a source (copied); returns its number for spans, from 1. */
uint32_t source_add(ah_ctx *ctx, const char *name, const char *content, size_t length);
/* The context goes: sources that the log still tells of are kept there, the others forgotten. */
void source_forget(ah_ctx *ctx);
const source *source_get(const ah_ctx *ctx, uint32_t file);
static inline ah_span span_join(ah_span a, ah_span b)
{
    if (!a.file) return b;
    if (!b.file) return a;
    return (ah_span){a.file, a.begin < b.begin ? a.begin : b.begin, a.end > b.end ? a.end : b.end};
}
#define NOWHERE ((ah_span){0, 0, 0})

/* Codes: base/errors.def, X(code, severity, what it means). */
typedef enum diag_code {
#define X(code, severity, meaning) code,
#include "errors.def"
#undef X
    DIAG_CODES
} diag_code;

/* Reports; at most DIAG_LIMIT errors and as many warnings are kept. Notes, hints and the label
 * attach to the last report; a note with a place names it at its end. Messages are cut at
 * DIAG_LENGTH bytes and made printable: a user's text in them is harmless. */
#define DIAG_LIMIT  100
#define DIAG_LENGTH 2000
void diag(ah_ctx *ctx, diag_code code, ah_span span, const char *format, ...) PRINTF_LIKE(4, 5);
void diag_label(ah_ctx *ctx, const char *format, ...) PRINTF_LIKE(2, 3);
void diag_note(ah_ctx *ctx, ah_span span, const char *format, ...) PRINTF_LIKE(3, 4);
void diag_hint(ah_ctx *ctx, const char *format, ...) PRINTF_LIKE(2, 3);
/* A0904: options or arguments of a call that make no sense. False. */
bool diag_wrong_call(ah_ctx *ctx, const char *what);
/* All that another context was told, reported here once more. */
void diag_copy(const ah_ctx *from, ah_ctx *to);
/* For work whose failure is an answer of its own: what was reported since the mark, in one line
 * (errors and their hints; NULL: there were none), and forgotten. */
typedef struct diag_mark {
    size_t count, errors, warnings;
    bool dropped;
    ah_status status;
    arena_mark texts;
} diag_mark;
diag_mark diag_get_mark(const ah_ctx *ctx);
const char *diag_take(ah_ctx *ctx, arena *a, diag_mark mark);

/* ---- JSON ------------------------------------------------------------------------------------ */

/* A writer; commas and nesting (JSON_DEPTH at most, else AH_E_LIMIT) are its business. Numbers have
 * 17 digits, what is not finite is null. */
#define JSON_DEPTH 64
typedef struct json {
    text out;
    uint64_t first, object; /* bit per depth: nothing written yet there; an object, not an array */
    int depth;
    bool after_key;
} json;

json json_begin(arena *a);
void json_object(json *j); /* { */
void json_array(json *j);  /* [ */
void json_close(json *j);  /* } or ] */
void json_key(json *j, const char *key);
void json_string(json *j, const char *s); /* NULL: null; invalid UTF-8 is replaced */
void json_number(json *j, double x);
void json_int(json *j, long long i);
void json_bool(json *j, bool b);
void json_null(json *j);
void json_raw(json *j, const char *s); /* already JSON */
const char *json_end(json *j);

#endif
