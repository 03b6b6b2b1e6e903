/* compile/engine.c - one interface for all engines. */
#include "engine_inside.h"

typedef int compiled(const double *constants, const double *in, double *out);

struct engine {
    ah_ctx *ctx;
    engine_kind kind;
    size_t count;
    const program *const *programs;
    compiled **function; /* NULL where it is interpreted */
    engine_code code;
    ctx_owned *owned;
};

/* Every program as p<i>, and as f<i> for callers outside. */
static const char *source_of(ah_ctx *ctx, const program *const *programs, size_t count,
                             const char *more)
{
    text t = text_begin(&ctx->scratch);
    program_prelude(&t);
    for (size_t i = 0; i < count; i++) {
        char name[32];
        snprintf(name, sizeof name, "p%zu", i);
        program_emit(programs[i], &t, name);
        text_printf(&t,
                    "int f%zu(const double *c, const double *x, double *y)\n"
                    "{\n  return p%zu(c, x, y);\n}\n",
                    i, i);
    }
    if (more) text_add(&t, more);
    return text_end(&t);
}

static void destroy_code(void *data)
{
    engine_code *code = data;
    code->destroy(code->handle);
}

static engine *adopt(ah_ctx *ctx, arena *a, engine_kind kind, const program *const *programs,
                     size_t count)
{
    engine *e = NEW(a, engine);
    const program **copy = NEW_ARRAY(a, const program *, count + 1);
    for (size_t i = 0; i < count; i++) copy[i] = programs[i];
    e->ctx = ctx;
    e->kind = kind;
    e->count = count;
    e->programs = copy;
    e->function = NEW_ARRAY(a, compiled *, count + 1);
    return e;
}

/* Takes the code over; what it lacks stays interpreted. */
static engine *with_code(engine *e, engine_code code)
{
    e->code = code;
    e->owned = ctx_own(e->ctx, destroy_code, &e->code);
    for (size_t i = 0; i < e->count; i++) {
        char name[32];
        snprintf(name, sizeof name, "f%zu", i);
        /* POSIX lets a function's address come as a void pointer, C does not: through a union */
        union {
            void *object;
            compiled *function;
        } address = {code.find(code.handle, name)};
        e->function[i] = address.function;
    }
    return e;
}

static engine *compile(ah_ctx *ctx, arena *a, engine_kind kind, bool may_compile,
                       const program *const *programs, size_t count, const char *more)
{
    engine_code code;
    engine *e = adopt(ctx, a, kind, programs, count);
    if (kind == ENGINE_INTERPRET) return e;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const char *written = source_of(ctx, programs, count, more);
    const bool good = kind == ENGINE_TCC ? engine_tcc(written, &code)
                                         : engine_cc(ctx, written, may_compile, &code);
    arena_release(&ctx->scratch, mark);
    return good ? with_code(e, code) : NULL;
}

engine *engine_create(ah_ctx *ctx, arena *a, engine_kind kind, const program *const *programs,
                      size_t count, const char *more)
{
    return compile(ctx, a, kind, true, programs, count, more);
}

engine *engine_cached(ah_ctx *ctx, arena *a, const program *const *programs, size_t count,
                      const char *more)
{
    return compile(ctx, a, ENGINE_CC, false, programs, count, more);
}

void engine_destroy(engine *e)
{
    if (!e->owned) return;
    ctx_disown(e->ctx, e->owned);
    destroy_code(&e->code);
    e->owned = NULL;
}

engine_kind engine_get_kind(const engine *e)
{
    return e->kind;
}

bool engine_call(const engine *e, size_t i, const double *in, double *out)
{
    const program *p = e->programs[i];
    if (!e->function[i]) return program_run(p, in, out);
    return p->valid && e->function[i](p->constants.at, in, out);
}

void *engine_find(const engine *e, const char *name)
{
    return e->owned ? e->code.find(e->code.handle, name) : NULL;
}

const double *engine_constants(const engine *e, size_t i)
{
    return e->programs[i]->constants.at;
}
