/* cli/progress.c - a bar on a terminal for what takes long. */
#include "cli.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* Calls shorter than this show nothing. */
#define PATIENCE 1.0
enum { WIDTH = 30 };

/* Standard error is a terminal, and nothing else writes there meanwhile. */
bool cli_wants_progress(const cli *c)
{
    const char *terminal = getenv("TERM");
    if (!isatty(STDERR_FILENO) || !terminal || !strcmp(terminal, "dumb")) return false;
    const bool answer_on_terminal = isatty(STDOUT_FILENO);
    if (c->json) return answer_on_terminal;
    return !(c->command->streams && answer_on_terminal && !cli_get(c, "-o"));
}

static double seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

/* What was done before the call, by an earlier one whose journal goes on, tells nothing of the time that is left. */
static void draw(const progress *p, double part, double elapsed)
{
    const char *name = p->of->command->name;
    if (part < 0) {
        fprintf(stderr, "\r\033[K%s: %.0f s", name, elapsed);
        return;
    }
    char bar[WIDTH + 1] = "";
    const double full = fmin(part, 1), now = full - fmax(p->first, 0);
    for (int i = 0; i < WIDTH; i++) bar[i] = i < full * WIDTH ? '#' : '.';
    fprintf(stderr, "\r\033[K%s [%s] %3.0f %%", name, bar, 100 * full);
    if (p->of->runs) fprintf(stderr, ", %.3g runs a second", now * (double) p->of->runs / elapsed);
    if (now > 0.01) fprintf(stderr, ", %.0f s left", elapsed * (1 - full) / now);
}

void cli_show_progress(void *state, double part, bool over)
{
    progress *p = state;
    if (!p->begun) {
        p->start = seconds();
        p->first = -1;
    }
    if (p->first < 0) p->first = part;
    p->begun = !over;
    if (over) {
        if (p->shown) fputs("\r\033[K", stderr);
        p->shown = false;
    } else if (seconds() - p->start >= PATIENCE) {
        p->shown = true;
        draw(p, part, seconds() - p->start);
    }
    fflush(stderr);
}
