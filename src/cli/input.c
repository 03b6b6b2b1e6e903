/* cli/input.c - the model's text, from a file or standard input. */
#include "cli.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A model of a million bodies written out is smaller than this. */
#define FILE_LIMIT ((size_t) 64 << 20)

/* Bytes of one reading. Between two of them it is looked whether the program is to end: where there is always something to read no
 * signal breaks it off. */
#define PIECE ((size_t) 1 << 16)

/* The whole stream with a NUL behind it, NULL after an error (errno) or when it is too large (errno 0). */
static char *read_all(FILE *stream, size_t *length)
{
    size_t room = 1 << 14, used = 0, got;
    char *text = malloc(room);
    if (!text) return NULL;
    while ((got = fread(text + used, 1, room - used < PIECE ? room - used : PIECE, stream)) > 0) {
        used += got;
        if (cli_stopped() && !feof(stream)) {
            free(text);
            errno = EINTR;
            return NULL;
        }
        if (used < room) continue;
        char *bigger = used > FILE_LIMIT ? NULL : realloc(text, room *= 2);
        if (!bigger) {
            if (used > FILE_LIMIT) errno = 0;
            free(text);
            return NULL;
        }
        text = bigger;
    }
    if (ferror(stream)) {
        free(text);
        return NULL;
    }
    text[used] = '\0'; /* there is room: a full one was doubled */
    *length = used;
    return text;
}

char *cli_read_text(const cli *c, const char *path, size_t *length, int *exit_status)
{
    const bool standard = strcmp(path, "-") == 0;
    FILE *stream = standard ? stdin : fopen(path, "rb");
    char *text = stream ? read_all(stream, length) : NULL;
    const int error = errno;
    if (stream && !standard) fclose(stream);
    if (text && *length <= FILE_LIMIT) return text;
    if (!text && error == EINTR && cli_stopped()) {
        *exit_status = cli_tell_stopped(c);
        return NULL;
    }
    const bool failed = error && !text;
    free(text);
    *exit_status = cli_fail(c->json, failed ? EXIT_NO : EXIT_LIMIT, standard ? "<stdin>" : path,
                            "%s", failed ? strerror(error) : "larger than 64 MiB");
    return NULL;
}

bool cli_read_file(cli *c, int *exit_status)
{
    c->file = strcmp(c->path, "-") == 0 ? "<stdin>" : c->path;
    c->text = cli_read_text(c, c->path, &c->length, exit_status);
    return c->text != NULL;
}

ah_model *cli_read_model(cli *c, int *exit_status)
{
    ah_model *m = NULL;
    const ah_status status = ah_read(c->ctx, c->file, c->text, c->length, cli_get(c, "--set"), &m);
    if (!m) *exit_status = cli_answer(c, status, NULL);
    return m;
}
