/* program_scene.h - a context with a few symbols, in which the tests of programs build their expressions. */
#ifndef PROGRAM_SCENE_H
#define PROGRAM_SCENE_H
#include "harness.h"

#include "compile/engine.h"

typedef struct scene {
    ah_ctx *ctx;
    ah_expr t, x, y, m;
    void (*body)(struct scene *s);
} scene;

static inline void scene_enter(ah_ctx *ctx, void *arg)
{
    scene *s = arg;
    s->ctx = ctx;
    s->t = expr_time(ctx);
    s->x = expr_symbol(ctx, AH_COORDINATE, "x");
    s->y = expr_symbol(ctx, AH_COORDINATE, "y");
    s->m = expr_symbol(ctx, AH_PARAMETER, "m");
    s->body(s);
}

static inline void run_scene(void (*body)(scene *s))
{
    scene s = {.body = body};
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK(ctx_guard(ctx, scene_enter, &s) == AH_OK);
    ah_ctx_destroy(ctx);
}

#endif
