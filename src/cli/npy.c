/* cli/npy.c - see npy.h. The format is described in NumPy's numpy.lib.format. */
#include "npy.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

npy_columns npy_columns_begin(void)
{
    return (npy_columns){0};
}

/* A string of Python. */
static void put_string(FILE *to, const char *text)
{
    fputc('\'', to);
    for (const char *c = text; *c; c++) {
        if (*c == '\'' || *c == '\\') fputc('\\', to);
        fputc(*c, to);
    }
    fputc('\'', to);
}

void npy_column(npy_columns *c, const char *name, const char *type)
{
    if (!c->to && !c->count) c->to = open_memstream(&c->text, &c->length);
    if (!c->to) return;
    fputs(c->count++ ? ", (" : "[(", c->to);
    put_string(c->to, name);
    fprintf(c->to, ", '%s')", type);
}

char *npy_columns_end(npy_columns *c)
{
    if (!c->to) return NULL;
    fputc(']', c->to);
    if (fclose(c->to) == 0) return c->text;
    free(c->text);
    return NULL;
}

static bool is_ascii(const char *text)
{
    while (*text && (unsigned char) *text < 128) text++;
    return !*text;
}

/* Version 1.0 has ASCII and a length of two bytes, version 3.0 UTF-8 and four. */
size_t npy_begin(output *o, const char *type, const char *shape)
{
    char head[12] = "\x93NUMPY\x01";
    const size_t words = strlen(type) + strlen(shape) + 64;
    char *said = malloc(words);
    if (!said) {
        o->error = ENOMEM;
        return 0;
    }
    const int before =
        snprintf(said, words, "{'descr': %s, 'fortran_order': False, 'shape': ", type);
    snprintf(said + before, words - (size_t) before, "%s, }", shape);
    const bool plain = is_ascii(said) && words < 60000;
    const size_t first = plain ? 10 : 12, blanks = 63 - (first + strlen(said)) % 64;
    const size_t length = strlen(said) + blanks + 1;
    if (!plain) head[6] = 3;
    for (size_t i = 8; i < first; i++) head[i] = (char) (length >> (8 * (i - 8)) & 255);
    cli_write_output(o, head, first);
    cli_write_output(o, said, strlen(said));
    for (size_t i = 0; i < blanks; i++) cli_write_output(o, " ", 1);
    cli_write_output(o, "\n", 1);
    free(said);
    return first + (size_t) before;
}

void npy_integer(output *o, uint64_t bits)
{
    char bytes[8];
    for (int i = 0; i < 8; i++) bytes[i] = (char) (bits >> (8 * i) & 255);
    cli_write_output(o, bytes, sizeof bytes);
}

void npy_number(output *o, double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    npy_integer(o, bits);
}
