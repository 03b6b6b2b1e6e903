/* cli/cli_answer.c - answers to standard output, everything else to standard error, and the exit
 * status. */
#include "cli.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static bool use_colour(void)
{
    const char *no = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return !(no && *no) && !(terminal && strcmp(terminal, "dumb") == 0) && isatty(STDERR_FILENO);
}

static int exit_of(ah_status status)
{
    switch (status) {
    case AH_OK: return EXIT_YES;
    case AH_E_INPUT:
    case AH_E_REFUSED: return EXIT_NO;
    case AH_E_NUMERIC: return EXIT_NUMERIC;
    case AH_E_LIMIT:
    case AH_E_MEMORY: return EXIT_LIMIT;
    case AH_E_INTERRUPTED: return cli_stopped() ? cli_stopped() : EXIT_INTERRUPTED;
    }
    return EXIT_NO;
}

/* ---- JSON ------------------------------------------------------------------------------------ */

/* Writes s as `how` (ah_printable, ah_json_string) puts it. */
static void write_as(FILE *to, size_t (*how)(char *to, size_t room, const char *s), const char *s)
{
    const size_t room = how(NULL, 0, s) + 1;
    char *text = malloc(room);
    if (!text) return;
    how(text, room, s);
    fputs(text, to);
    free(text);
}

void cli_write_json_string(const char *s)
{
    write_as(stdout, ah_json_string, s);
}

void cli_write_printable(FILE *to, const char *s)
{
    write_as(to, ah_printable, s);
}

static void write_json_error(const char *message, const char *file)
{
    fputs("{\"error\":{\"code\":null,\"message\":", stdout);
    cli_write_json_string(message);
    fputs(",\"file\":", stdout);
    if (file)
        cli_write_json_string(file);
    else
        fputs("null", stdout);
    puts(",\"line\":null,\"column\":null}}");
}

/* ---- Errors ---------------------------------------------------------------------------------- */

int cli_fail(bool json, int exit_status, const char *file, const char *format, ...)
{
    char message[1000];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    if (json)
        write_json_error(message, file);
    else
        cli_say("%s%s%s", file ? file : "", file ? ": " : "", message);
    return exit_status;
}

void cli_say(const char *format, ...)
{
    char message[6000];
    va_list args;
    va_start(args, format);
    vsnprintf(message, sizeof message, format, args);
    va_end(args);
    fputs("anholo: ", stderr);
    cli_write_printable(stderr, message);
    fputc('\n', stderr);
}

/* Without an answer the diagnostics are the answer. */
static void write_failure(cli *c, ah_status status)
{
    if (status == AH_E_INTERRUPTED &&
        (cli_stopped() == EXIT_LIMIT || cli_stopped() == EXIT_UNHEARD)) {
        cli_tell_stopped(c); /* by our own clock, or for a pipe: nobody has interrupted it */
    } else if (!ah_diagnostic_count(c->ctx)) {
        cli_fail(c->json, 0, c->file, "%s", ah_status_text(status));
    } else if (c->json) {
        const char *object = ah_diagnostics_json(c->ctx);
        puts(object ? object : "{\"error\":null}");
    } else {
        const char *report = ah_diagnostics_text(c->ctx, use_colour());
        fputs(report ? report : ah_status_text(status), stderr);
    }
}

int cli_flush(const char *what)
{
    fflush(stdout);
    if (!ferror(stdout)) return 0;
    if (cli_stopped()) return cli_abandon_answer();
    cli_say("%s could not be written", what);
    return EXIT_NO;
}

int cli_answer(cli *c, ah_status status, const char *answer)
{
    if (!answer) {
        write_failure(c, status);
        return exit_of(status);
    }
    const size_t length = strlen(answer);
    fputs(answer, stdout);
    if (length && answer[length - 1] != '\n') putchar('\n');
    if (ah_diagnostic_count(c->ctx)) {
        const char *report = ah_diagnostics_text(c->ctx, use_colour());
        if (report) fputs(report, stderr);
    }
    const int lost = cli_flush("the answer");
    return lost ? lost : exit_of(status);
}

int cli_tell(cli *c, ah_status status, ah_answer *answer, ah_format format)
{
    const char *words = NULL;
    if (status == AH_OK) status = ah_answer_write(answer, c->json ? AH_JSON : format, &words);
    const bool no = words && !ah_answer_yes(answer);
    const int end = cli_answer(c, status, words);
    ah_answer_destroy(answer);
    return no && end == EXIT_YES ? EXIT_NO : end;
}

/* ---- Did you mean ---------------------------------------------------------------------------- */

enum { WORD = 40 };

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions and replacements from a to b. */
static size_t distance(const char *a, const char *b)
{
    size_t row[WORD + 1];
    const size_t n = strlen(b);
    if (n > WORD) return WORD;
    for (size_t j = 0; j <= n; j++) row[j] = j;
    for (size_t i = 0; a[i]; i++) {
        size_t diagonal = row[0];
        row[0] = i + 1;
        for (size_t j = 0; j < n; j++) {
            const size_t replace = diagonal + (a[i] != b[j]);
            diagonal = row[j + 1];
            row[j + 1] = least(replace, least(row[j], diagonal) + 1);
        }
    }
    return row[n];
}

const char *cli_nearest(const char *word, const char *const *words)
{
    const char *best = NULL;
    size_t nearest = 3; /* a third mistake makes another word of it */
    for (; *words; words++) {
        const size_t d = distance(word, *words);
        if (d < nearest && d < strlen(*words)) {
            nearest = d;
            best = *words;
        }
    }
    return best;
}
