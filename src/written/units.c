/* written/units.c - what numbers are measured in: as the model says, and what follows from it. */
#include "written.h"

#include <string.h>

enum { UNIT_LENGTH = 40 }; /* bytes */

static const model_unit *find_unit(const ah_model *m, const char *name, size_t length)
{
    for (size_t i = 0; i < m->units.count; i++)
        if (strlen(m->units.at[i].name) == length && !memcmp(m->units.at[i].name, name, length))
            return &m->units.at[i];
    return NULL;
}

const char *model_unit_of(const ah_model *m, const char *name)
{
    const model_unit *own = find_unit(m, name, strlen(name));
    const model_unit *family = own ? own : find_unit(m, name, strcspn(name, "["));
    return family ? family->unit : NULL;
}

void model_add_unit(ah_model *m, const char *name, const char *unit, ah_span span)
{
    arena *a = &m->ctx->job;
    m->finished = false;
    const model_unit *before = find_unit(m, name, strlen(name));
    if (before) {
        diag(m->ctx, A0424, span, "`%s` has a unit already", name);
        diag_note(m->ctx, before->span, "the first time here");
        diag_hint(m->ctx, "keep one of them");
        return;
    }
    if (!*unit || strlen(unit) > UNIT_LENGTH) {
        diag(m->ctx, A0424, span, "a unit has 1 to %d bytes", UNIT_LENGTH);
        diag_hint(m->ctx, "leave the statement out where there is no unit");
        return;
    }
    LIST_PUSH(a, &m->units, ((model_unit){arena_strdup(a, name), arena_harmless(a, unit), span}));
}

/* "m" by "s": m/s; m/s by s: m/s². */
const char *model_rate_unit(const ah_model *m, const char *unit)
{
    static const char *const power[] = {"", "²", "³"};
    arena *a = &m->ctx->job;
    const char *time = model_unit_of(m, "t");
    if (!unit || !time) return NULL;
    const char *slash = strrchr(unit, '/');
    for (int k = 0; slash && k < 2; k++)
        if (!strcmp(slash + 1, arena_printf(a, "%s%s", time, power[k])))
            return arena_printf(a, "%.*s/%s%s", (int) (slash - unit), unit, time, power[k + 1]);
    return arena_printf(a, slash || strchr(unit, ' ') ? "(%s)/%s" : "%s/%s", unit, time);
}

/* A generalised force is energy by coordinate; angles have no dimension. */
const char *model_force_unit(const ah_model *m, const char *coordinate)
{
    const char *energy = model_unit_of(m, "energy"), *q = model_unit_of(m, coordinate);
    if (!energy || !q) return NULL;
    if (!strcmp(q, "rad") || !strcmp(q, "1")) return !strcmp(energy, "J") ? "N m" : energy;
    if (!strcmp(energy, "J") && !strcmp(q, "m")) return "N";
    return arena_printf(&m->ctx->job, "%s/%s", energy, q);
}

const char *model_unit_of_derived(const ah_model *m, const char *name)
{
    static const char reaction[] = "reaction[";
    const char *own = model_unit_of(m, name);
    const size_t length = strlen(name), word = strlen(reaction);
    if (own || !length) return own;
    if (name[length - 1] == '\'')
        return model_rate_unit(
            m, model_unit_of_derived(m, arena_strndup(&m->ctx->job, name, length - 1)));
    if (!strncmp(name, reaction, word))
        return model_force_unit(m, arena_strndup(&m->ctx->job, name + word, length - word - 1));
    return !strncmp(name, "t(", 2) ? model_unit_of(m, "t") : NULL;
}
