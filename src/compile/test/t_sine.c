/* t_sine - sine and cosine of programs and on lanes against libm's of extended precision, in units of the last place, for every
 * kind of lanes that there is; what they call far. */
#include "harness.h"

#include "compile/compile.h"
#include "compile/sine.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

enum { PLACES = 200000 };

typedef void sines(const double *x, double *s, double *c, double *far, int count);

static double place[PLACES], sine[PLACES], cosine[PLACES], far[PLACES];
static uint64_t state = 1;

static double draw(void) /* 0 .. 1 */
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double) (state >> 11) * 0x1p-53;
}

/* In units of the last place of what is right. */
static double error_of(double got, long double right)
{
    int e;
    frexpl(right, &e);
    const long double ulp = ldexpl(1, (e < -1021 ? -1021 : e) - 53);
    return (double) (fabsl((long double) got - right) / ulp);
}

static double worst(void)
{
    double most = 0;
    for (int i = 0; i < PLACES; i++) {
        if (far[i] != 0) continue;
        most = fmax(most, error_of(sine[i], sinl((long double) place[i])));
        most = fmax(most, error_of(cosine[i], cosl((long double) place[i])));
    }
    return most;
}

static sines *compile_sines(ah_ctx *ctx, arena *a, const lanes_kind *kind)
{
    text t = text_begin(a);
    lanes_prelude(&t, kind);
    text_add(&t, "void sines(const double *x, double *s, double *c, double *out, int count)\n{\n"
                 "  for (int i = 0; i < count; i += L) {\n"
                 "    V a, S, C;\n    I far = ~ALL;\n    const int looks = 1;\n"
                 "    for (int l = 0; l < L; l++) a[l] = x[i + l];\n"
                 "    sincos(a, &S, &C);\n"
                 "    for (int l = 0; l < L; l++) s[i + l] = S[l], c[i + l] = C[l], out[i + l] = "
                 "far[l] != 0;\n  }\n}\n");
    const engine_library *l = engine_library_create(ctx, a, text_end(&t));
    union {
        void *object;
        sines *function;
    } found = {l ? engine_library_find(l, "sines") : NULL};
    return found.function;
}

/* Angles below `size`, of all sizes, beside multiples of π/2, and zero. */
static void choose_places(double size)
{
    for (int i = 0; i < PLACES; i++) {
        const double sign = i % 2 ? 1 : -1;
        switch (i % 3) {
        case 0: place[i] = sign * size * draw(); break;
        case 1: place[i] = sign * size * pow(1e-12, draw()); break;
        default: place[i] = sign * floor(size * draw() / 1.5707963267948966) * 1.5707963267948966;
        }
    }
    place[0] = 0;
}

typedef struct asked {
    const char *kind;
    double angles; /* which are not far */
    double most;   /* error in units of the last place: docs/sweep.md */
} asked;

static void measure(ah_ctx *ctx, void *arg)
{
    const asked *k = arg;
    const char *why;
    const lanes_kind *kind = lanes_find(k->kind, &why);
    if (!kind) return; /* not on this processor */
    sines *f = compile_sines(ctx, &ctx->job, kind);
    if (!CHECK(f != NULL)) return;
    const double sizes[] = {0.8, 10, 1e3, 1e6, k->angles};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        choose_places(sizes[i]);
        f(place, sine, cosine, far, PLACES);
        double any_far = 0;
        for (int j = 0; j < PLACES; j++) any_far += far[j];
        CHECK(any_far == 0);
        const double most = worst();
        printf("# %s, angles to %g: %g ulp\n", k->kind, sizes[i], most);
        CHECK(most < k->most);
    }
    const double beyond[] = {1.02 * k->angles, -1e300, INFINITY, NAN,
                             -INFINITY,        1e17,   2e16,     DBL_MAX};
    f(beyond, sine, cosine, far, 8);
    for (int j = 0; j < 8; j++) CHECK(far[j] == 1);
}

TEST(sines_on_lanes_err_by_the_last_place)
{
    static const asked kinds[] = {{"avx512", 0.99e13, 1.6},
                                  {"avx2", 0.99e13, 1.6},
                                  {"plain", 1.59e6, 2.5},
                                  {"plain8", 1.59e6, 2.5}};
    char folder[] = "/tmp/anholo_sine_XXXXXX", remove[60]; /* not the user's */
    if (LDBL_MANT_DIG < 64 || system("cc --version >/dev/null 2>&1") != 0) return;
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    setenv("XDG_CACHE_HOME", folder, 1);
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        asked k = kinds[i];
        ah_ctx *ctx = ah_ctx_create(NULL);
        CHECK(ctx_guard(ctx, measure, &k) == AH_OK);
        ah_ctx_destroy(ctx);
    }
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    CHECK(system(remove) == 0);
    setenv("XDG_CACHE_HOME", "/dev/null/nowhere", 1);
}

/* ---- Of programs: the interpreter's and tcc's functions, and cc's text of them ------------------- */

static void sines_of_programs(const double *x, double *s, double *c, double *beyond, int count)
{
    for (int i = 0; i < count; i++) {
        sine_sincos(x[i], &s[i], &c[i]);
        beyond[i] = !(fabs(x[i]) < SINE_ANGLES);
    }
}

TEST(sines_of_programs_err_by_less_than_the_last_place)
{
    const double sizes[] = {0.8, 10, 1e3, 0.99 * SINE_ANGLES};
    if (LDBL_MANT_DIG < 64) return;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        choose_places(sizes[i]);
        sines_of_programs(place, sine, cosine, far, PLACES);
        const double most = worst();
        printf("# programs, angles to %g: %g ulp\n", sizes[i], most);
        CHECK(most < 1);
    }
    for (int i = 0; i < PLACES; i++) {
        double s, c;
        sine_sincos(place[i], &s, &c);
        CHECK(s == sine_sin(place[i]) && c == sine_cos(place[i]));
    }
}

TEST(sines_of_programs_beyond_are_those_of_libm)
{
    const double beyond[] = {SINE_ANGLES, -1.3e6, 1e22, -1e300, DBL_MAX};
    for (size_t i = 0; i < sizeof beyond / sizeof *beyond; i++)
        CHECK(sine_sin(beyond[i]) == sin(beyond[i]) && sine_cos(beyond[i]) == cos(beyond[i]));
    CHECK(isnan(sine_sin(INFINITY)) && isnan(sine_cos(-INFINITY)) && isnan(sine_sin(NAN)));
}

static void compare_engines(ah_ctx *ctx, void *arg)
{
    (void) arg;
    const ah_expr x = expr_symbol(ctx, AH_COORDINATE, "x");
    const ah_expr both[] = {expr_call1(ctx, AH_SIN, x), expr_call1(ctx, AH_COS, x)};
    const frame *parameter = frame_create(ctx, &ctx->job, NAN);
    for (size_t outputs = 1; outputs <= 2; outputs++) {
        const program_spec spec = {
            .inputs = 1, .input = &x, .outputs = outputs, .output = both, .parameter = parameter};
        const program *p = program_create(ctx, &ctx->job, &spec);
        engine *e[ENGINE_KINDS] = {NULL};
        for (engine_kind k = ENGINE_AUTO + 1; k < ENGINE_KINDS; k++)
            e[k] = engine_create(ctx, &ctx->job, k, &p, 1, NULL);
        choose_places(1.1 * SINE_ANGLES);
        for (int i = 0; i < PLACES; i++)
            for (engine_kind k = ENGINE_AUTO + 1; k < ENGINE_KINDS; k++) {
                double out[2] = {0};
                if (!e[k]) continue;
                CHECK(engine_call(e[k], 0, &place[i], out));
                CHECK(out[0] == sine_sin(place[i]));
                CHECK(outputs == 1 || out[1] == sine_cos(place[i]));
            }
    }
}

TEST(sines_of_programs_are_the_same_in_every_engine)
{
    char folder[] = "/tmp/anholo_sine_XXXXXX", remove[60];
    if (!CHECK(mkdtemp(folder) != NULL)) return;
    setenv("XDG_CACHE_HOME", folder, 1);
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK(ctx_guard(ctx, compare_engines, NULL) == AH_OK);
    ah_ctx_destroy(ctx);
    snprintf(remove, sizeof remove, "rm -r %s", folder);
    CHECK(system(remove) == 0);
    setenv("XDG_CACHE_HOME", "/dev/null/nowhere", 1);
}
