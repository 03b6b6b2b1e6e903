/* compile/engine_inside.h - what a compiler has to offer to engine.c. */
#ifndef COMPILE_ENGINE_INSIDE_H
#define COMPILE_ENGINE_INSIDE_H
#include "engine.h"

/* Compiled code outside the arenas. */
typedef struct engine_code {
    void *handle;
    void *(*find)(void *handle, const char *name);
    void (*destroy)(void *handle);
} engine_code;

/* Compiles. `may_compile`: otherwise only what is in the cache, if there is one. */
typedef bool engine_compiler(ah_ctx *ctx, const char *written, bool may_compile, engine_code *out);
engine_compiler engine_tcc, engine_cc;

#endif
