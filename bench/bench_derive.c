/* bench_derive.c - from text to equations and numbers: all methods of all models, the bicycle, the
 * skate; beside the times, what SymPy needs where it is installed (its own bicycle is far beyond a
 * benchmark's patience; the skate is not). */
#include <anholo/anholo.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

static double cpu_clock(void)
{
    struct timespec now;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

static char *read_file(const char *path, size_t *length)
{
    FILE *f = fopen(path, "rb");
    if (!f) return NULL;
    char *text = malloc(1 << 20);
    *length = text ? fread(text, 1, 1 << 20, f) : 0;
    fclose(f);
    return text;
}

/* Reads a model and evaluates it by the given method at its start; seconds. */
static double text_to_numbers(const char *path, const char *method)
{
    size_t length;
    char *text = read_file(path, &length);
    const double start = cpu_clock();
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const char *out = NULL;
    const ah_eval_options o = {.size = sizeof(ah_eval_options), .method = method, .project = true};
    if (!text || ah_read(ctx, path, text, length, NULL, &m) != AH_OK ||
        ah_eval(m, &o, AH_JSON, &out) != AH_OK)
        printf("  %s: %s", path, ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
    free(text);
    return cpu_clock() - start;
}

/* The displayed equations of motion by the model's own method. */
static double displayed(const char *path, const char *method)
{
    size_t length;
    char *text = read_file(path, &length);
    const double start = cpu_clock();
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    const char *out = NULL;
    ah_answer *a;
    const ah_derive_options o = {.size = sizeof(ah_derive_options), .method = method};
    if (text && ah_read(ctx, path, text, length, NULL, &m) == AH_OK &&
        ah_derive(m, &o, &a) == AH_OK)
        ah_answer_write(a, AH_TEXT, &out);
    ah_ctx_destroy(ctx);
    free(text);
    return cpu_clock() - start;
}

static double best_of(int runs, double (*f)(const char *, const char *), const char *path,
                      const char *method)
{
    double best = 1e9;
    for (int i = 0; i < runs; i++) {
        const double s = f(path, method);
        if (s < best) best = s;
    }
    return best;
}

static void all_models(const char *folder)
{
    double numbers = 0, shown = 0;
    size_t count = 0;
    DIR *d = opendir(folder);
    if (!d) return;
    for (struct dirent *e; (e = readdir(d));) {
        char path[2048];
        if (!strstr(e->d_name, ".ah")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        numbers += text_to_numbers(path, "all");
        shown += displayed(path, NULL);
        count++;
    }
    closedir(d);
    printf("all methods of all %zu models, text to numbers   %8.1f ms   (wanted: under 2000)\n",
           count, 1e3 * numbers);
    printf("their equations displayed by the default method  %8.1f ms\n", 1e3 * shown);
}

int main(void)
{
    const char *source = AH_SOURCE_DIR;
    char models[1024], bicycle[1100], skate[1100];
    struct rusage usage;
    snprintf(models, sizeof models, "%s/models", source);
    snprintf(bicycle, sizeof bicycle, "%s/bicycle.ah", models);
    snprintf(skate, sizeof skate, "%s/skate.ah", models);
    all_models(models);
    printf("Whipple bicycle, Kane's equations, text to numbers %6.1f ms   (wanted: under 500; "
           "SymPy 4450)\n",
           1e3 * best_of(5, text_to_numbers, bicycle, "kane"));
    printf("Whipple bicycle, all methods                       %6.1f ms\n",
           1e3 * best_of(5, text_to_numbers, bicycle, "all"));
    printf("skate, text to numbers                             %6.1f ms   (wanted: under 20)\n",
           1e3 * best_of(20, text_to_numbers, skate, NULL));
    getrusage(RUSAGE_SELF, &usage);
    printf("largest memory                                   %8.1f MB   (wanted: under 500)\n",
           (double) usage.ru_maxrss / 1024);
    return 0;
}
