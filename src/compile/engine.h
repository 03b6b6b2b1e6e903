/* compile/engine.h - programs made to run: interpreted, compiled in memory, or by the system's cc.
 *
 * The results are the same bit for bit: one order of operations, no contraction, one libm. */
#ifndef COMPILE_ENGINE_H
#define COMPILE_ENGINE_H
#include "program.h"

/* The rows of engines.def; ENGINE_AUTO is for callers that choose among them. */
typedef enum engine_kind {
    ENGINE_AUTO,
#define X(kind, name, function) ENGINE_##kind,
#include "engines.def"
#undef X
    ENGINE_KINDS
} engine_kind;

const char *engine_name(engine_kind kind);
/* Their names, "auto|interpret|…". */
const char *engine_names(void);
/* The one of this name (NULL: auto), or ENGINE_KINDS. */
engine_kind engine_find_kind(const char *name);

typedef struct engine engine;

/* Makes `count` programs callable. `more` (NULL: none) is C that comes after them and may call
 * p0, p1, … (signature in program.h); its functions are found by engine_find. NULL: this kind of
 * engine is not to be had here. Freed with the arena, or by engine_destroy. */
engine *engine_create(ah_ctx *ctx, arena *a, engine_kind kind, const program *const *programs,
                      size_t count, const char *more);
void engine_destroy(engine *e);
/* The system's compiler with these words, "cc" first, up to NULL; silent, ended when the call must
 * end. */
bool engine_run_cc(ah_ctx *ctx, const char *const *words);
/* Like ENGINE_CC, but only if it has been compiled before. */
engine *engine_cached(ah_ctx *ctx, arena *a, const program *const *programs, size_t count,
                      const char *more);
engine_kind engine_get_kind(const engine *e);
/* Program i. false: a guard failed. */
bool engine_call(const engine *e, size_t i, const double *in, double *out);

/* An engine does not change: several threads may use it, each with a work space of its own, with
 * values of its own for the parameters that are variable (program.h). */
typedef struct engine_work engine_work;
engine_work *engine_work_create(const engine *e, arena *a);
void engine_set(const engine *e, engine_work *w, const double *parameter);
bool engine_call_in(const engine *e, const engine_work *w, size_t i, const double *in, double *out);
/* What engine_call_in calls where program i is one compiled function, with its constants; NULL: it is not, or is not valid. */
typedef int engine_function(const double *constants, const double *in, double *out);
engine_function *engine_get_function(const engine *e, const engine_work *w, size_t i);
/* Of program i in the work space. */
const double *engine_work_constants(const engine_work *w, size_t i);
bool engine_work_valid(const engine_work *w, size_t i);
/* How many sections of program i (program.h) were not done again, their inputs being the same. */
uint64_t engine_skipped(const engine *e, size_t i);
/* A function of `more`; NULL where nothing is compiled. */
void *engine_find(const engine *e, const char *name);

/* C of one's own by the system's compiler, cached as programs are; NULL: it is not to be had. It goes with
 * the arena. */
typedef struct engine_library engine_library;
engine_library *engine_library_create(ah_ctx *ctx, arena *a, const char *written);
void *engine_library_find(const engine_library *l, const char *name);

#endif
