/* many/identity.c - what makes a sweep that sweep. */
#define _GNU_SOURCE /* dladdr */
#include "identity.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

/* ---- The program ----------------------------------------------------------------------------- */

static uint64_t hash(uint64_t h, const void *data, size_t length) /* FNV-1a */
{
    const unsigned char *byte = data;
    for (size_t i = 0; i < length; i++) h = (h ^ byte[i]) * 0x100000001b3u;
    return h;
}

#define HASH_BEGIN 0xcbf29ce484222325u

/* The file that this code is in, the program or the shared library: another build may give other
 * digits. */
static uint64_t hash_of_program(void)
{
    Dl_info info;
    static const char here;
    uint64_t h = HASH_BEGIN;
    char block[1 << 14];
    FILE *f = dladdr(&here, &info) && info.dli_fname ? fopen(info.dli_fname, "rb") : NULL;
    if (!f) f = fopen("/proc/self/exe", "rb");
    for (size_t got; f && (got = fread(block, 1, sizeof block, f)) > 0;) h = hash(h, block, got);
    if (f) fclose(f);
    return h;
}

/* ---- The sweep ------------------------------------------------------------------------------- */

static void add(ah_ensemble *e, identity *out, const char *key, const char *value)
{
    LIST_PUSH(&e->arena, out, ((identity_item){key, value ? value : "default"}));
}

static void add_number(ah_ensemble *e, identity *out, const char *key, double x)
{
    add(e, out, key, arena_printf(&e->arena, "%.17g", x));
}

/* Without what a motion does not depend on. */
static const char *model_words(ah_ensemble *e)
{
    ah_model *view = model_view(e->model, &e->arena);
    memset(&view->claims, 0, sizeof view->claims);
    memset(&view->drawings, 0, sizeof view->drawings);
    memset(&view->units, 0, sizeof view->units);
    return model_print(view, &e->arena);
}

static const char *varied_words(ah_ensemble *e)
{
    static const char *const kinds[] = {"grid", "uniform", "normal", "list"};
    text t = text_begin(&e->arena);
    for (size_t i = 0; i < e->varied.count; i++) {
        const varied *v = &e->varied.at[i];
        text_printf(&t, "%s%s %s", i ? ", " : "", v->name, kinds[v->kind]);
        if (v->kind != VARIED_LIST) text_printf(&t, " %.17g %.17g", v->a, v->b);
        if (v->kind == VARIED_GRID) text_printf(&t, " %llu", (unsigned long long) v->count);
    }
    return text_end(&t);
}

static const char *kept_words(ah_ensemble *e)
{
    text t = text_begin(&e->arena);
    for (size_t i = 0; i < e->kept.count; i++)
        text_printf(&t, "%s%s", i ? ", " : "", e->kept.at[i].name);
    return text_end(&t);
}

static const char *hex(ah_ensemble *e, uint64_t h)
{
    return arena_printf(&e->arena, "%016llx", (unsigned long long) h);
}

void identity_make(ah_ensemble *e, const char *by, const char *lanes, identity *out)
{
    const ah_ensemble_options *o = &e->options;
    const uint64_t cells = e->rows * e->table_columns;
    memset(out, 0, sizeof *out);
    add(e, out, "version", ah_version());
    add(e, out, "program", hex(e, hash_of_program()));
    add(e, out, "model", model_words(e));
    add(e, out, "runs", arena_printf(&e->arena, "%llu", (unsigned long long) e->runs));
    add(e, out, "varied", varied_words(e));
    add(e, out, "outputs", kept_words(e));
    if (e->rows) add(e, out, "list", hex(e, hash(HASH_BEGIN, e->table, cells * sizeof *e->table)));
    add(e, out, "random", arena_printf(&e->arena, "%llu", (unsigned long long) o->random));
    add(e, out, "seed", arena_printf(&e->arena, "%llu", (unsigned long long) o->seed));
    add(e, out, "method", o->method);
    add(e, out, "integrator", o->integrator);
    add(e, out, "engine", by);
    add(e, out, "lanes", lanes);
    add_number(e, out, "rtol", o->rtol);
    add_number(e, out, "atol", o->atol);
    add(e, out, "project", o->project ? "yes" : "no");
    add(e, out, "max-steps", arena_printf(&e->arena, "%llu", (unsigned long long) o->most_steps));
}

/* ---- Comparing ------------------------------------------------------------------------------- */

static const char *value_of(const identity *id, const char *key)
{
    for (size_t i = 0; i < id->count; i++)
        if (!strcmp(id->at[i].key, key)) return id->at[i].value;
    return "";
}

enum { SHOWN = 100 }; /* bytes of a line */

static bool is_inside(const char *s) /* a character, in UTF-8 */
{
    return ((unsigned char) *s & 0xC0) == 0x80;
}

/* The lines in which two texts begin to differ; where they do so far inside, and that is true, what stands around the place. */
static bool first_difference(const char **a, const char **b)
{
    size_t begin = 0, i = 0;
    for (; (*a)[i] && (*a)[i] == (*b)[i]; i++)
        if ((*a)[i] == '\n') begin = i + 1;
    const bool far = i >= begin + SHOWN / 2;
    if (far) begin = i - SHOWN / 4;
    while (far && is_inside(*a + begin)) begin--;
    *a += begin;
    *b += begin;
    return far;
}

static int line_length(const char *s)
{
    size_t n = strcspn(s, "\n");
    if (n <= SHOWN) return (int) n;
    for (n = SHOWN; is_inside(s + n);) n--;
    return (int) n;
}

bool identity_compare(ah_ensemble *e, const char *file, const identity *there, const identity *own)
{
    ah_ctx *ctx = e->model->ctx;
    bool same = true;
    for (size_t i = 0; i < own->count; i++) {
        const char *a = value_of(there, own->at[i].key), *b = own->at[i].value;
        if (!strcmp(a, b)) continue;
        if (same) diag(ctx, A0641, NOWHERE, "the journal `%s` is of another sweep", file);
        same = false;
        const char *before = first_difference(&a, &b) ? "…" : "";
        diag_note(ctx, NOWHERE, "%s: there `%s%.*s`, now `%s%.*s`", own->at[i].key, before,
                  line_length(a), a, before, line_length(b), b);
    }
    if (!same) diag_hint(ctx, "give the same model and options, or take another file");
    return same;
}
