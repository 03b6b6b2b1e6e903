/* harness.c - runs the registered tests: see harness.h. */
#include "harness.h"

#include <float.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifndef AH_SOURCE_DIR
#define AH_SOURCE_DIR "."
#endif

static struct {
    harness_test *first, *last;
    const char *skipped; /* the reason, of the running test */
    bool failed;         /* the running test */
    double tolerance_scale;
    uint64_t random;
} harness = {.tolerance_scale = 1};

void harness_register(harness_test *test)
{
    if (harness.last)
        harness.last->next = test;
    else
        harness.first = test;
    harness.last = test;
}

/* ---- Checks ---------------------------------------------------------------------------------- */

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Begins the line that tells of a failed check. */
static void fail(const char *file, int line)
{
    harness.failed = true;
    printf("# %s:%d: ", base_name(file), line);
}

bool harness_check(bool condition, const char *file, int line, const char *text)
{
    if (condition) return true;
    fail(file, line);
    printf("%s\n", text);
    return false;
}

/* A text of several lines stays within TAP's comments. */
static void print_lines(const char *title, const char *s)
{
    printf("#   %s", title);
    if (!s) printf("(null)");
    for (; s && *s; s++) {
        putchar(*s);
        if (*s == '\n' && s[1]) printf("#   %*s", (int) strlen(title), "");
    }
    if (!s || !*s) putchar('\n');
}

bool harness_check_str(const char *got, const char *want, const char *file, int line)
{
    if (got == want || (got && want && strcmp(got, want) == 0)) return true;
    fail(file, line);
    printf("texts differ\n");
    print_lines("got:    ", got);
    print_lines("wanted: ", want);
    return false;
}

bool harness_check_int(long long got, long long want, const char *file, int line)
{
    if (got == want) return true;
    fail(file, line);
    printf("got %lld, wanted %lld\n", got, want);
    return false;
}

bool harness_check_near(double got, double want, double scale, double ulps, const char *why,
                        const char *file, int line)
{
    const double residual = got == want ? 0 : fabs(got - want) / (DBL_EPSILON * fabs(scale));
    if (residual <= ulps * harness.tolerance_scale) return true; /* false for NaN */
    fail(file, line);
    printf("got %.17g, wanted %.17g: off by %.3g of %g ulps of %.3g (%s)\n", got, want, residual,
           ulps * harness.tolerance_scale, scale, why);
    return false;
}

/* Of gcov, where the program is built for it. */
extern void __gcov_dump(void) __attribute__((weak));

_Noreturn void harness_leave(int status)
{
    if (__gcov_dump) __gcov_dump();
    _exit(status);
}

void harness_skip(const char *reason)
{
    harness.skipped = reason;
}

/* ---- Random numbers -------------------------------------------------------------------------- */

/* splitmix64 */
uint64_t harness_random(void)
{
    uint64_t z = harness.random += 0x9E3779B97F4A7C15u;
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9u;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBu;
    return z ^ (z >> 31);
}

double harness_uniform(double low, double high)
{
    return low + (high - low) * ((double) (harness_random() >> 11) * 0x1p-53);
}

/* FNV-1a over the name, started from the seed. */
static void seed_random(uint64_t seed, const char *name)
{
    uint64_t hash = 0xCBF29CE484222325u ^ seed;
    for (; *name; name++) hash = (hash ^ (unsigned char) *name) * 0x100000001B3u;
    harness.random = hash;
}

/* ---- Files ----------------------------------------------------------------------------------- */

const char *harness_source_dir(void)
{
    return AH_SOURCE_DIR;
}

char *harness_read_file(const char *path, size_t *length)
{
    FILE *file = fopen(path, "rb");
    if (!file) return NULL;
    size_t capacity = 4096, used = 0, got;
    char *text = malloc(capacity);
    while (text && (got = fread(text + used, 1, capacity - 1 - used, file)) > 0) {
        used += got;
        if (used < capacity - 1) continue;
        char *larger = realloc(text, capacity *= 2);
        if (!larger) free(text);
        text = larger;
    }
    const bool bad = ferror(file) != 0; /* a folder opens, but cannot be read */
    fclose(file);
    if (bad || !text) {
        free(text);
        return NULL;
    }
    text[used] = '\0';
    if (length) *length = used;
    return text;
}

/* ---- Running --------------------------------------------------------------------------------- */

/* "expr.name" of a test in src/expr/test/t_x.c; "agreement.name" in tests/agreement/x.c. */
static void full_name(const harness_test *test, char *out, size_t size)
{
    char path[1024], *folder = path;
    snprintf(path, sizeof path, "/%s", test->file);
    for (int up = 0; up < 2; up++) {
        char *slash = strrchr(path, '/');
        if (slash) *slash = '\0';
        folder = strrchr(path, '/');
        if (folder && strcmp(folder, "/test") != 0) break;
    }
    snprintf(out, size, "%s.%s", folder ? folder + 1 : "test", test->name);
}

static bool selected(const char *name, int filters, char **filter)
{
    for (int i = 0; i < filters; i++)
        if (strstr(name, filter[i])) return true;
    return filters == 0;
}

/* Returns whether it passed; a skipped test passes. */
static bool run_test(const harness_test *test, const char *name, unsigned number, uint64_t seed)
{
    harness.failed = false;
    harness.skipped = NULL;
    seed_random(seed, test->name);
    fflush(stdout);
    test->run();
    printf("%s %u - %s", harness.failed ? "not ok" : "ok", number, name);
    if (harness.skipped) printf(" # SKIP %s", harness.skipped);
    putchar('\n');
    return !harness.failed;
}

typedef struct options {
    bool list;
    uint64_t seed;
    int filters;
    char **filter;
} options;

static bool read_options(int argc, char **argv, options *o)
{
    *o = (options){.seed = 1, .filter = argv + 1};
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "-l") == 0)
            o->list = true;
        else if (strcmp(argv[i], "-s") == 0 && i + 1 < argc)
            o->seed = strtoull(argv[++i], NULL, 0);
        else if (argv[i][0] == '-')
            return false;
        else
            o->filter[o->filters++] = argv[i];
    }
    const char *scale = getenv("AH_TOL_SCALE");
    if (scale && *scale) harness.tolerance_scale = strtod(scale, NULL);
    return true;
}

int main(int argc, char **argv)
{
    options o;
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: %s [-l] [-s SEED] [NAME...]\n", base_name(argv[0]));
        return 2;
    }
    unsigned run = 0, passed = 0;
    for (const harness_test *test = harness.first; test; test = test->next) {
        char name[256];
        full_name(test, name, sizeof name);
        if (!selected(name, o.filters, o.filter)) continue;
        if (o.list)
            puts(name);
        else
            passed += run_test(test, name, ++run, o.seed);
    }
    if (o.list) return 0;
    printf("1..%u\n# %u passed, %u failed\n", run, passed, run - passed);
    return passed == run ? 0 : 1;
}

static bool is_asked(const char *variable)
{
    const char *value = getenv(variable);
    return value && !strcmp(value, "1");
}

int harness_amount(int some, int more, int all)
{
    return is_asked("AH_FULL") ? all : is_asked("AH_MORE") ? more : some;
}

bool harness_is_machine(const char *text)
{
    static const char *const words[] = {"\nroll ", "\nslide ", "\nhinge ",   "\nball ",
                                        "\nweld ", "\ninput ", " turn free "};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (strstr(text, words[i])) return true;
    return false;
}

bool harness_is_due(const char *name, const char *text)
{
    unsigned sum = 0;
    for (; *name; name++) sum += (unsigned char) *name;
    return sum % (unsigned) (harness_is_machine(text) ? harness_amount(6, 3, 1)
                                                      : harness_amount(2, 1, 1)) ==
           0;
}
