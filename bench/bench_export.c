/* bench_export.c - exported C against the engine inside: one call of the right-hand side, in a dependent chain, both
 * compiled by cc. */
#include "figures.h"

#include <anholo/anholo.h>
#include <dlfcn.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST = 64, ROUNDS = 15, CALLS = 100000 };

typedef int exported_rhs(const void *p, double t, const double *y, double *out);
typedef void exported_defaults(void *p);

static bool write_files(const ah_export *e, const char *folder)
{
    char path[500];
    for (size_t i = 0; i < e->files; i++) {
        snprintf(path, sizeof path, "%s/%s", folder, e->file[i].name);
        FILE *f = fopen(path, "w");
        if (!f || fwrite(e->file[i].data, 1, e->file[i].length, f) != e->file[i].length)
            return false;
        fclose(f);
    }
    return true;
}

/* The exported functions, compiled; the folder is left to the system. */
static void *compile(const ah_export *e)
{
    char folder[] = "/tmp/bench_export_XXXXXX", command[1000], path[500];
    const char *processor = "";
#if defined(__x86_64__) && defined(__GNUC__)
    /* As the engine does (compile/engine_cc.c): otherwise options are compared, not code. */
    if (__builtin_cpu_supports("avx2")) processor = "-mavx2 -mprefer-vector-width=128";
#endif
    if (!mkdtemp(folder) || !write_files(e, folder)) return NULL;
    snprintf(path, sizeof path, "%s/model.so", folder);
    snprintf(command, sizeof command,
             "cc -std=c99 -O2 -ffp-contract=off -fno-math-errno -fno-trapping-math %s -fPIC "
             "-shared %s/model.c -o %s -lm",
             processor, folder, path);
    void *out = system(command) == 0 ? dlopen(path, RTLD_NOW) : NULL;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command) == 0 ? out : NULL;
}

static void compare(const char *name)
{
    char path[200];
    double start[MOST], y[MOST], f[MOST], best[2] = {INFINITY, INFINITY};
    static double parameters[100000]; /* larger than any struct of them here */
    snprintf(path, sizeof path, "%s/models/%s.ah", AH_SOURCE_DIR, name);
    char *text = figures_read(path);
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_system *s = NULL;
    const ah_export *e = NULL;
    ah_system_options o = ah_system_defaults();
    o.engine = "cc";
    if (ah_read(ctx, path, text, strlen(text), NULL, &m) != AH_OK ||
        ah_system_create(m, &o, &s) != AH_OK || ah_system_start(s, NULL, start) != AH_OK ||
        ah_export_model(m, "c", NULL, &e) != AH_OK) {
        fputs(ah_diagnostics_text(ctx, false), stderr);
        exit(1);
    }
    void *library = compile(e);
    if (!library) exit(1);
    union {
        void *object;
        exported_rhs *rhs;
        exported_defaults *defaults;
    } rhs = {dlsym(library, "model_rhs")}, defaults = {dlsym(library, "model_defaults")};
    defaults.defaults(parameters);
    ah_work *w = ah_work_create(s);
    const size_t count = ah_system_count(s, AH_Q_STATE);
    for (int round = 0; round < 2 * ROUNDS; round++) {
        memcpy(y, start, sizeof y);
        const double begin = figures_clock();
        for (int i = 0; i < CALLS; i++) {
            if (round % 2)
                rhs.rhs(parameters, 0, y, f);
            else
                ah_work_evaluate(w, AH_Q_RATE, 0, y, f);
            for (size_t j = 0; j < count; j++) y[j] = start[j] + 1e-9 * f[j];
        }
        best[round % 2] = fmin(best[round % 2], (figures_clock() - begin) / CALLS);
    }
    printf("%s: the engine %.1f ns, exported %.1f ns\n", name, 1e9 * best[0], 1e9 * best[1]);
    figures_at_most("exported C, times the engine", best[1] / best[0], 1.05, "x");
    ah_work_destroy(w);
    ah_system_destroy(s);
    ah_ctx_destroy(ctx);
    free(text);
}

int main(void)
{
    compare("tire");
    compare("double_pendulum");
    compare("trailers");
    return 0;
}
