/* export/zip.c - an archive of stored files. */
#include "zip.h"

#include <string.h>

/* 1980-01-01, the earliest there is: the same files give the same bytes. */
#define ZIP_DATE 0x0021

typedef struct zip_entry {
    const char *name;
    uint32_t crc, size, offset;
} zip_entry;

struct zip {
    arena *arena;
    text out;
    LIST(zip_entry) entries;
};

zip *zip_begin(arena *a)
{
    zip *z = NEW(a, zip);
    z->arena = a;
    z->out = text_begin(a);
    return z;
}

static void put(zip *z, uint32_t x, int bytes)
{
    for (int i = 0; i < bytes; i++) text_char(&z->out, (char) (x >> 8 * i & 0xff));
}

static uint32_t crc_of(const char *data, size_t length)
{
    uint32_t crc = 0xffffffffu;
    for (size_t i = 0; i < length; i++) {
        crc ^= (unsigned char) data[i];
        for (int k = 0; k < 8; k++) crc = crc >> 1 ^ (crc & 1 ? 0xedb88320u : 0);
    }
    return ~crc;
}

/* What both headers have: version 2.0, names in UTF-8, stored. */
static void put_common(zip *z, const zip_entry *e)
{
    put(z, 20, 2);
    put(z, 0x0800, 2);
    put(z, 0, 2);
    put(z, 0, 2);
    put(z, ZIP_DATE, 2);
    put(z, e->crc, 4);
    put(z, e->size, 4);
    put(z, e->size, 4);
    put(z, (uint32_t) strlen(e->name), 2);
    put(z, 0, 2);
}

void zip_add(zip *z, const char *name, const char *data, size_t length)
{
    const zip_entry e = {name, crc_of(data, length), (uint32_t) length, (uint32_t) z->out.length};
    LIST_PUSH(z->arena, &z->entries, e);
    put(z, 0x04034b50, 4);
    put_common(z, &e);
    text_add(&z->out, name);
    text_add_n(&z->out, data, length);
}

const char *zip_end(zip *z, size_t *length)
{
    const uint32_t start = (uint32_t) z->out.length, count = (uint32_t) z->entries.count;
    for (size_t i = 0; i < count; i++) {
        const zip_entry *e = &z->entries.at[i];
        put(z, 0x02014b50, 4);
        put(z, 20, 2);
        put_common(z, e);
        put(z, 0, 2); /* comment */
        put(z, 0, 2); /* disk */
        put(z, 0, 2); /* attributes */
        put(z, 0, 4);
        put(z, e->offset, 4);
        text_add(&z->out, e->name);
    }
    const uint32_t size = (uint32_t) z->out.length - start;
    put(z, 0x06054b50, 4);
    put(z, 0, 4);
    put(z, count, 2);
    put(z, count, 2);
    put(z, size, 4);
    put(z, start, 4);
    put(z, 0, 2);
    *length = z->out.length;
    return text_end(&z->out);
}
