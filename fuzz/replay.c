/* replay.c - runs the inputs of a corpus through a fuzz target, without libFuzzer.
 *
 *     replay_lang DIRECTORY
 *
 * Prints one TAP line an input; an input that takes longer than a second counts as failed. A crash
 * or a leak ends the program with a status that the test runner sees. */
#include <dirent.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* Seconds of the processor that an input may take; code with sanitizers is several times slower. */
#ifndef AH_REPLAY_LIMIT
#define AH_REPLAY_LIMIT 1.0
#endif
#if defined(AH_SANITIZE)
#define LIMIT (5 * AH_REPLAY_LIMIT)
#else
#define LIMIT AH_REPLAY_LIMIT
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double) t.tv_sec + 1e-9 * (double) t.tv_nsec;
}

/* The whole file, in a block of exactly its size so that a read past the end is seen. */
static uint8_t *read_input(const char *path, size_t *size)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    uint8_t *data = NULL;
    if (fseek(file, 0, SEEK_END) == 0) {
        const long end = ftell(file);
        rewind(file);
        *size = end > 0 ? (size_t) end : 0;
        data = malloc(*size ? *size : 1);
        if (data && fread(data, 1, *size, file) != *size) {
            free(data);
            data = NULL;
        }
    }
    fclose(file);
    return data;
}

static bool replay(const char *path, double *seconds)
{
    size_t size = 0;
    uint8_t *data = read_input(path, &size);
    if (!data) return false;
    const double start = now();
    LLVMFuzzerTestOneInput(data, size);
    *seconds = now() - start;
    free(data);
    return true;
}

int main(int argc, char **argv)
{
    struct dirent **entries = NULL;
    const int found = argc == 2 ? scandir(argv[1], &entries, NULL, alphasort) : -1;
    if (found < 0) {
        fprintf(stderr, "usage: %s DIRECTORY\n", argv[0]);
        return 2;
    }
    int count = 0, failed = 0;
    for (int i = 0; i < found; i++) {
        const char *name = entries[i]->d_name;
        if (name[0] != '.') {
            char path[4096];
            double seconds = 0;
            snprintf(path, sizeof path, "%s/%s", argv[1], name);
            const bool read = replay(path, &seconds);
            const bool ok = read && seconds <= LIMIT;
            if (!read) printf("# cannot be read\n");
            if (read && !ok) printf("# took %.2f s\n", seconds);
            printf("%s %d - replay.%s\n", ok ? "ok" : "not ok", ++count, name);
            failed += !ok;
        }
        free(entries[i]);
    }
    free(entries);
    printf("1..%d\n%d passed, %d failed\n", count, count - failed, failed);
    return failed > 0;
}
