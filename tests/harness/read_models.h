/* read_models.h - models from texts and files, for the tests of several programs. */
#ifndef READ_MODELS_H
#define READ_MODELS_H
#include "harness.h"

#include <anholo/anholo.h>
#include <stdio.h>
#include <string.h>

static inline ah_model *read_text(ah_ctx *ctx, const char *text, const char *set)
{
    ah_model *m = NULL;
    return ah_read(ctx, "test", text, strlen(text), set, &m) == AH_OK ? m : NULL;
}

/* The text of a file in models/; free() it. */
static inline char *model_text(const char *name)
{
    char path[1000];
    size_t length;
    snprintf(path, sizeof path, "%s/models/%s", harness_source_dir(), name);
    return harness_read_file(path, &length);
}

#endif
