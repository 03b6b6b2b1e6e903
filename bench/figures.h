/* bench/figures.h - what the benchmarks share: the clock, and lines that say what is wanted. */
#ifndef BENCH_FIGURES_H
#define BENCH_FIGURES_H
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static inline double figures_clock(void) /* seconds of processor time */
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static inline void figures_at_most(const char *what, double got, double wanted, const char *unit)
{
    printf("  %-58s %8.3g %s, wanted at most %g: %s\n", what, got, unit, wanted,
           got <= wanted ? "holds" : "DOES NOT HOLD");
}

static inline void figures_at_least(const char *what, double got, double wanted, const char *unit)
{
    printf("  %-58s %8.3g %s, wanted at least %g: %s\n", what, got, unit, wanted,
           got >= wanted ? "holds" : "DOES NOT HOLD");
}

static inline char *figures_read(const char *path) /* to be freed; ends the program without it */
{
    enum { MOST = 20000 };
    char *content = calloc(MOST, 1);
    FILE *f = fopen(path, "r");
    if (!content || !f) exit(1);
    content[fread(content, 1, MOST - 1, f)] = 0;
    fclose(f);
    return content;
}

#endif
