/* typeset/writers.c - the formats that a worksheet is written in, by their names. */
#include "writers.h"

#include <string.h>

static const struct writer {
    ah_format format;
    const char *name;
    const char *(*write)(const worksheet *w);
} writers[] = {
#define X(format, name, function) {format, name, function},
#include "writers.def"
#undef X
};
enum { WRITERS = sizeof writers / sizeof *writers };

const char *worksheet_write(const worksheet *w, ah_format format)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (writers[i].format == format) return writers[i].write(w);
    return NULL;
}

const char *worksheet_formats(void)
{
    static const char names[] =
#define X(format, name, function) "|" name
#include "writers.def"
#undef X
        ;
    return names + 1; /* without the first bar */
}

bool worksheet_find_format(const char *name, ah_format *out)
{
    for (size_t i = 0; i < WRITERS; i++)
        if (strcmp(writers[i].name, name) == 0) {
            *out = writers[i].format;
            return true;
        }
    return false;
}
