/* written/model_names.c - hashed tables of names: a family of ten thousand bodies is looked up as
 * fast as one. */
#include "written.h"

#include <string.h>

static uint32_t hash(const char *name)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (; *name; name++) h = (h ^ (unsigned char) *name) * 16777619u;
    return h;
}

enum { BLOCK = 64 }; /* entries */

static model_name *entry_of(const model_table *table, size_t number)
{
    return &table->entries.at[number / BLOCK][number % BLOCK];
}

const model_name *model_table_at(const model_table *table, size_t slot)
{
    return table->slot[slot] ? entry_of(table, table->slot[slot] - 1) : NULL;
}

/* The slot that holds the name, or the empty one where it belongs. */
static uint32_t *slot_of(const model_table *table, const char *name, uint32_t h)
{
    size_t i = h & (table->capacity - 1);
    for (const model_name *at; (at = model_table_at(table, i)); i = (i + 1) & (table->capacity - 1))
        if (at->hash == h && !strcmp(at->name, name)) break;
    return &table->slot[i];
}

const model_name *model_table_find(const model_table *table, const char *name)
{
    if (!table->capacity) return NULL;
    const uint32_t number = *slot_of(table, name, hash(name));
    return number ? entry_of(table, number - 1) : NULL;
}

static void make_room(ah_model *m, model_table *table)
{
    arena *a = &m->ctx->job;
    if (table->count % BLOCK == 0) LIST_PUSH(a, &table->entries, NEW_ARRAY(a, model_name, BLOCK));
    if (2 * (table->count + 1) <= table->capacity) return;
    model_table bigger = *table;
    bigger.capacity = table->capacity ? 2 * table->capacity : 32;
    bigger.slot = NEW_ARRAY(a, uint32_t, bigger.capacity);
    for (size_t i = 0; i < table->capacity; i++) {
        const model_name *old = model_table_at(table, i);
        if (old) *slot_of(&bigger, old->name, old->hash) = table->slot[i];
    }
    *table = bigger;
}

static bool is_letter(unsigned char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c >= 0x80;
}

/* A name as the language has it: letters, digits and _, beginning with a letter; then, of a family,
 * [1] or [1,2]; of a constraint's component, .1 */
static bool is_name(const char *s)
{
    if (!is_letter((unsigned char) *s)) return false;
    while (is_letter((unsigned char) *s) || (*s >= '0' && *s <= '9')) s++;
    return s[strspn(s, "[]0123456789,-.")] == '\0';
}

void model_enter(ah_model *m, model_table *table, model_name entry)
{
    make_room(m, table);
    entry.hash = hash(entry.name);
    uint32_t *slot = slot_of(table, entry.name, entry.hash);
    if (!*slot) *slot = (uint32_t) ++table->count;
    *entry_of(table, *slot - 1) = entry;
}

bool model_declare(ah_model *m, model_table *table, const char *name, model_what what, size_t index,
                   ah_span span)
{
    if (!is_name(name)) {
        diag(m->ctx, A0403, span, "`%s` cannot be a name", name);
        diag_hint(m->ctx, "names begin with a letter and go on with letters, digits and _");
        return false;
    }
    const model_name *earlier = model_table_find(table, name);
    if (earlier) {
        diag(m->ctx, A0401, span, "`%s` is declared twice", name);
        if (earlier->span.file) diag_note(m->ctx, earlier->span, "the first time here");
        diag_hint(m->ctx, "choose another name for one of them");
        return false;
    }
    model_enter(m, table, (model_name){name, 0, what, (uint32_t) index, span});
    return true;
}

const model_name *model_find(const ah_model *m, const char *name)
{
    return model_table_find(&m->names, name);
}

int model_find_coordinate(const ah_model *m, const char *name)
{
    const model_name *found = model_find(m, name);
    return found && found->what == MODEL_COORDINATE ? (int) found->index : -1;
}

const model_part *model_find_part(const ah_model *m, const char *name)
{
    const model_name *found = model_find(m, name);
    return found && found->what == MODEL_PART ? &m->parts.at[found->index] : NULL;
}
