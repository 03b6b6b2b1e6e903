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

bool engine_tcc(const char *written, engine_code *out);
/* `may_compile`: otherwise only what is in the cache. */
bool engine_cc(ah_ctx *ctx, const char *written, bool may_compile, engine_code *out);

#endif
