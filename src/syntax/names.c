/* syntax/names.c - the table of names: one pointer a spelling. */
#include "syntax.h"

#include <string.h>

/* FNV-1a. */
static uint32_t hash_of(const char *spelling, size_t length)
{
    uint32_t h = 2166136261u;
    for (size_t i = 0; i < length; i++) h = (h ^ (unsigned char) spelling[i]) * 16777619u;
    return h;
}

/* The slot of the name, or the empty one where it belongs. */
static name **find(const name_table *t, const char *spelling, size_t length, uint32_t hash)
{
    size_t i = hash & (t->capacity - 1);
    for (; t->slot[i]; i = (i + 1) & (t->capacity - 1)) {
        const name *n = t->slot[i];
        if (n->hash == hash && n->length == length && !memcmp(n->text, spelling, length)) break;
    }
    return &t->slot[i];
}

static void grow(lang *l)
{
    name_table old = l->names, *t = &l->names;
    t->capacity = old.capacity ? 2 * old.capacity : 256;
    t->slot = NEW_ARRAY(l->arena, name *, t->capacity);
    for (size_t i = 0; i < old.capacity; i++)
        if (old.slot[i])
            *find(t, old.slot[i]->text, old.slot[i]->length, old.slot[i]->hash) = old.slot[i];
}

name *lang_intern(lang *l, const char *spelling, size_t length)
{
    if (4 * (l->names.count + 1) > 3 * l->names.capacity) grow(l);
    const uint32_t hash = hash_of(spelling, length);
    name **slot = find(&l->names, spelling, length, hash);
    if (*slot) return *slot;
    name *n = NEW(l->arena, name);
    n->text = arena_strndup(&l->ctx->job, spelling, length);
    n->length = (uint32_t) length;
    n->hash = hash;
    l->names.count++;
    return *slot = n;
}

const name *lang_find_name(const lang *l, const char *spelling, size_t length)
{
    return l->names.capacity ? *find(&l->names, spelling, length, hash_of(spelling, length)) : NULL;
}
