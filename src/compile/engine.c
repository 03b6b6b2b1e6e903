/* compile/engine.c - one interface for all engines. */
#include "engine_inside.h"

#include "dialect.h"
#include "sine.h"

#include <assert.h>
#include <string.h>

static const struct {
    const char *name;
    engine_compiler *compiler; /* NULL: none */
} kinds[ENGINE_KINDS] = {
    [ENGINE_AUTO] = {"auto", NULL},
#define X(kind, name, function) [ENGINE_##kind] = {name, function},
#include "engines.def"
#undef X
};

const char *engine_name(engine_kind kind)
{
    return kinds[kind].name;
}

const char *engine_names(void)
{
    return "auto"
#define X(kind, name, function) "|" name
#include "engines.def"
#undef X
        ;
}

engine_kind engine_find_kind(const char *name)
{
    engine_kind kind = ENGINE_AUTO;
    while (name && kind < ENGINE_KINDS && strcmp(kinds[kind].name, name)) kind++;
    return kind;
}

typedef engine_function compiled;
typedef int compiled_section(const double *constants, const double *in, double *kept);
typedef int compiled_rest(const double *constants, const double *in, double *out, double *kept);

/* A program with sections, compiled. */
typedef struct in_sections {
    compiled_section *section[PROGRAM_SECTIONS];
    compiled_rest *rest; /* NULL: there are none, or nothing is compiled */
    size_t kept;         /* doubles that go from one to the next */
} in_sections;

/* By program. */
struct engine_work {
    program_work **of;
};

struct engine {
    ah_ctx *ctx;
    engine_kind kind;
    size_t count;
    const program *const *programs;
    compiled **function; /* NULL where it is interpreted, or has sections */
    in_sections *parts;
    engine_work *own; /* of callers that bring none */
    engine_code code; /* handle NULL: nothing is compiled */
};

/* Every program as p<i>, for callers outside as f<i>, or as f<i>s0, f<i>s1, f<i>r in sections. */
static const char *source_of(engine *e, const char *more)
{
    text t = text_begin(&e->ctx->scratch);
    program_prelude(&t);
    if (e->kind == ENGINE_CC) text_add(&t, sine_source);
    for (size_t i = 0; i < e->count; i++) {
        const program *p = e->programs[i];
        char name[32], sections[32];
        snprintf(name, sizeof name, "p%zu", i);
        snprintf(sections, sizeof sections, "f%zu", i);
        if (p->sections) e->parts[i].kept = program_emit_sections(p, &t, sections);
        if (p->sections && program_is_long(p))
            program_emit_joined(p, &t, name, sections, e->parts[i].kept);
        else
            program_emit(p, &t, name);
        if (p->sections) continue;
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
    if (code->handle) code->destroy(code->handle);
    code->handle = NULL;
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
    e->parts = NEW_ARRAY(a, in_sections, count + 1);
    return e;
}

/* POSIX lets a function's address come as a void pointer, C does not: through a union. */
typedef union address {
    void *object;
    compiled *function;
    compiled_section *section;
    compiled_rest *rest;
} address;

static address find(const engine_code *code, size_t program_index, const char *part)
{
    char name[32];
    snprintf(name, sizeof name, "f%zu%s", program_index, part);
    return (address){code->find(code->handle, name)};
}

/* Takes the code over; what it lacks stays interpreted. */
static void with_code(engine *e, arena *a, engine_code code)
{
    e->code = code;
    arena_own(a, destroy_code, &e->code);
    for (size_t i = 0; i < e->count; i++) {
        static const char *const part[PROGRAM_SECTIONS] = {"s0", "s1"};
        in_sections *x = &e->parts[i];
        if (!e->programs[i]->sections) {
            e->function[i] = find(&code, i, "").function;
            continue;
        }
        assert(e->programs[i]->sections <= PROGRAM_SECTIONS);
        for (size_t k = 0; k < e->programs[i]->sections; k++)
            x->section[k] = find(&code, i, part[k]).section;
        x->rest = find(&code, i, "r").rest;
    }
}

static engine *compile(ah_ctx *ctx, arena *a, engine_kind kind, bool may_compile,
                       const program *const *programs, size_t count, const char *more)
{
    engine_code code;
    engine *e = adopt(ctx, a, kind, programs, count);
    if (kinds[kind].compiler) {
        const arena_mark mark = arena_get_mark(&ctx->scratch);
        const char *written = source_of(e, more);
        const bool good = kinds[kind].compiler(ctx, written, may_compile, &code);
        arena_release(&ctx->scratch, mark);
        if (!good) return NULL;
        with_code(e, a, code);
    }
    e->own = engine_work_create(e, a);
    return e;
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
    destroy_code(&e->code);
}

engine_kind engine_get_kind(const engine *e)
{
    return e->kind;
}

/* ---- Work spaces ----------------------------------------------------------------------------- */

engine_work *engine_work_create(const engine *e, arena *a)
{
    engine_work *w = NEW(a, engine_work);
    w->of = NEW_ARRAY(a, program_work *, e->count + 1);
    for (size_t i = 0; i < e->count; i++)
        w->of[i] = program_work_create(e->programs[i], a, e->parts[i].kept);
    return w;
}

void engine_set(const engine *e, engine_work *w, const double *parameter)
{
    for (size_t i = 0; i < e->count; i++) program_set(e->programs[i], w->of[i], parameter);
}

const double *engine_work_constants(const engine_work *w, size_t i)
{
    return w->of[i]->constant;
}

bool engine_work_valid(const engine_work *w, size_t i)
{
    return w->of[i]->valid;
}

engine_function *engine_get_function(const engine *e, const engine_work *w, size_t i)
{
    return w->of[i]->valid ? e->function[i] : NULL;
}

static bool call_in_sections(const program *p, const in_sections *x, const program_work *w,
                             const double *in, double *out)
{
    if (!w->valid) return false;
    for (size_t k = 0; k < p->sections; k++)
        if (program_changed(p, w->memory, k, in)) x->section[k](w->constant, in, w->kept);
    program_done(p, w->memory, in);
    return x->rest(w->constant, in, out, w->kept);
}

bool engine_call_in(const engine *e, const engine_work *work, size_t i, const double *in,
                    double *out)
{
    const program_work *w = work->of[i];
    if (e->function[i]) return w->valid && e->function[i](w->constant, in, out);
    if (e->parts[i].rest) return call_in_sections(e->programs[i], &e->parts[i], w, in, out);
    return program_run_in(e->programs[i], w, in, out);
}

bool engine_call(const engine *e, size_t i, const double *in, double *out)
{
    return engine_call_in(e, e->own, i, in, out);
}

uint64_t engine_skipped(const engine *e, size_t i)
{
    const program_memory *m = e->own->of[i]->memory;
    return m ? m->skipped : 0;
}

void *engine_find(const engine *e, const char *name)
{
    return e->code.handle ? e->code.find(e->code.handle, name) : NULL;
}

/* ---- C of one's own -------------------------------------------------------------------------- */

struct engine_library {
    engine_code code;
};

engine_library *engine_library_create(ah_ctx *ctx, arena *a, const char *written)
{
    engine_code code;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const bool good = engine_cc(ctx, written, true, &code);
    arena_release(&ctx->scratch, mark);
    if (!good) return NULL;
    engine_library *l = NEW(a, engine_library);
    l->code = code;
    arena_own(a, destroy_code, &l->code);
    return l;
}

void *engine_library_find(const engine_library *l, const char *name)
{
    return l->code.find(l->code.handle, name);
}
