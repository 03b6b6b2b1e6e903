/* system/system_fork.c - see system_fork.h. */
#include "system_inside.h"

#include <string.h>

/* What a system leaves behind (caches of the algebra, expressions) goes with the fork: one that so many were made
 * in is left to them. */
#define MOST_MADE 32

struct system_fork { /* lies in the fork's own context */
    system_fork *next;
    system_fork **first; /* kept with the model */
    ah_model *model;
    const char *method;
    bool driven, failed;
    size_t made;
    size_t users; /* systems, as often as they were created */
    ah_system *systems;
};

typedef struct opening {
    ah_model *of;
    const char *method;
    bool driven;
    ah_model *fork;
    system_fork **first, *out;
} opening;

static bool fits(const system_fork *f, const opening *w)
{
    if (f->failed || f->made >= MOST_MADE) return false;
    const bool same =
        f->method && w->method ? !strcmp(f->method, w->method) : f->method == w->method;
    return same && f->driven == w->driven && model_fork_is_like(f->model);
}

static void find(ah_ctx *ctx, void *arg)
{
    static char key;
    opening *w = arg;
    (void) ctx;
    void **kept = model_kept(w->of, &key);
    if (!*kept) *kept = NEW(&w->of->ctx->job, system_fork *);
    w->first = *kept;
    for (system_fork *f = *w->first; f && !w->out; f = f->next)
        if (fits(f, w)) w->out = f;
}

static void begin(ah_ctx *ctx, void *arg)
{
    opening *w = arg;
    system_fork *f = NEW(&ctx->job, system_fork);
    *f = (system_fork){.model = w->fork, .first = w->first, .driven = w->driven};
    if (w->method) f->method = arena_strdup(&ctx->job, w->method);
    w->out = f;
}

ah_status system_fork_open(ah_model *m, const char *method, bool driven, system_fork **out)
{
    opening w = {.of = m, .method = method, .driven = driven};
    ah_status status = model_guard(m, find, &w);
    if (status == AH_OK && !w.out) {
        status = model_fork(m, &w.fork);
        if (status != AH_OK) return status;
        status = model_guard(w.fork, begin, &w);
        if (status != AH_OK) {
            model_fork_destroy(w.fork);
            return status;
        }
        w.out->next = *w.first;
        *w.first = w.out;
    }
    *out = w.out;
    if (w.out) w.out->users++;
    return status;
}

ah_model *system_fork_model(const system_fork *f)
{
    return f->model;
}

ah_system *system_fork_first(const system_fork *f)
{
    return f->systems;
}

void system_fork_add(system_fork *f, ah_system *s)
{
    f->made++;
    s->fork = f;
    s->next = f->systems;
    f->systems = s;
}

void system_fork_remove(ah_system *s)
{
    ah_system **at = &s->fork->systems;
    while (*at != s) at = &(*at)->next;
    *at = s->next;
}

void system_fork_close(system_fork *f, bool failed)
{
    f->failed = f->failed || failed;
    if (--f->users) return;
    system_fork **at = f->first;
    while (*at != f) at = &(*at)->next;
    *at = f->next;
    model_fork_destroy(f->model);
}
