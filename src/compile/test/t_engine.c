/* compile/test/t_engine.c - operations of programs, hoisting, and the cache of compiled code. */
#include "harness.h"
#include "compile/test/program_scene.h"

#include "compile/engine.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

static program *program_of(scene *s, const recipe *r, size_t count, const ah_expr *output, double m)
{
    const ah_expr input[] = {s->x, s->y};
    frame *parameter = frame_create(s->ctx, &s->ctx->job, NAN);
    frame_set(parameter, s->m, m);
    const program_spec spec = {.inputs = 2,
                               .input = input,
                               .outputs = count,
                               .output = output,
                               .recipe = r,
                               .parameter = parameter};
    return program_create(s->ctx, &s->ctx->job, &spec);
}

/* sin(x) m² + √m, and the same sine again: one sine, one product, one sum. */
static void check_hoisting(scene *s)
{
    ah_ctx *ctx = s->ctx;
    const ah_expr sine = expr_call1(ctx, AH_SIN, s->x);
    const ah_expr out[] = {
        expr_add(ctx, expr_mul(ctx, sine, expr_powi(ctx, s->m, 2)),
                 expr_pow(ctx, s->m, expr_rational(ctx, 1, 2))),
        sine,
    };
    const double in[] = {0.7, 0};
    double got[2];
    const program *p = program_of(s, NULL, 2, out, 1.7);
    REQUIRE(p != NULL);
    CHECK_INT(program_operations(p), 3);
    CHECK(program_run(p, in, got));
    CHECK_NEAR(got[0], sin(0.7) * 1.7 * 1.7 + sqrt(1.7), 3, 4, "by hand");
    CHECK(got[1] == sin(0.7));
}

TEST(parameters_are_worked_out_once)
{
    run_scene(check_hoisting);
}

/* x¹³ by squaring, x⁻², division by what is used once. */
static void check_powers(scene *s)
{
    ah_ctx *ctx = s->ctx;
    const ah_expr out[] = {expr_powi(ctx, s->x, 13), expr_powi(ctx, s->x, -2),
                           expr_div(ctx, s->y, expr_powi(ctx, s->x, 3)), expr_pow(ctx, s->x, s->y)};
    const double in[] = {1.3, 0.4};
    double got[4];
    const program *p = program_of(s, NULL, 4, out, 1);
    REQUIRE(p != NULL && program_run(p, in, got));
    CHECK_NEAR(got[0], pow(1.3, 13), pow(1.3, 13), 8, "power");
    CHECK_NEAR(got[1], 1 / (1.3 * 1.3), 1, 2, "inverse square");
    CHECK_NEAR(got[2], 0.4 / (1.3 * 1.3 * 1.3), 1, 2, "quotient");
    CHECK(got[3] == pow(1.3, 0.4));
}

TEST(powers_by_multiplication)
{
    run_scene(check_powers);
}

/* A pivot below its bound makes the call fail, in every engine. */
static void check_guards(scene *s)
{
    recipe r = {.ctx = s->ctx, .arena = &s->ctx->job};
    LIST_PUSH(r.arena, &r.guards, ((recipe_guard){s->x, s->y, 0.5}));
    const program *p = program_of(s, &r, 1, &s->y, 1);
    const double good[] = {0.6, 1}, bad[] = {0.4, 1}, none[] = {NAN, 1};
    double out;
    REQUIRE(p != NULL);
    for (engine_kind kind = ENGINE_INTERPRET; kind <= ENGINE_TCC; kind++) {
        engine *e = engine_create(s->ctx, &s->ctx->job, kind, &p, 1, NULL);
        if (!e) continue;
        CHECK(engine_call(e, 0, good, &out) && out == 1);
        CHECK(!engine_call(e, 0, bad, &out));
        CHECK(!engine_call(e, 0, none, &out));
    }
}

TEST(small_pivots_are_refused)
{
    run_scene(check_guards);
}

/* ---- Sections -------------------------------------------------------------------------------- */

static double bits_differ(double a, double b)
{
    return memcmp(&a, &b, sizeof a) != 0;
}

/* Outputs of (x, y, z): something of each and of all, a guard on x and y. */
static program *three_inputs(scene *s, bool in_sections)
{
    ah_ctx *ctx = s->ctx;
    const ah_expr z = expr_symbol(ctx, AH_COORDINATE, "z"), input[] = {s->x, s->y, z};
    const ah_expr first =
        expr_add(ctx, expr_call1(ctx, AH_EXP, s->x), expr_call1(ctx, AH_SIN, s->x));
    const ah_expr second = expr_mul(ctx, expr_mul(ctx, expr_call1(ctx, AH_SIN, s->y), first),
                                    expr_call1(ctx, AH_COS, s->y));
    const ah_expr out[] = {first, second,
                           expr_add(ctx, expr_mul(ctx, second, expr_call1(ctx, AH_COS, z)), first),
                           expr_mul(ctx, z, expr_call1(ctx, AH_COS, s->y))};
    recipe r = {.ctx = ctx, .arena = &ctx->job};
    LIST_PUSH(r.arena, &r.guards, ((recipe_guard){first, expr_call1(ctx, AH_COS, s->y), 1}));
    const program_spec spec = {.inputs = 3,
                               .input = input,
                               .outputs = 4,
                               .output = out,
                               .recipe = &r,
                               .parameter = frame_create(ctx, &ctx->job, NAN),
                               .seldom = {in_sections ? 1 : 0, in_sections ? 2 : 0}};
    return program_create(ctx, &ctx->job, &spec);
}

static void check_sections(scene *s)
{
    static const double in[][3] = {{1, 2, 3},    {1, 2, 4},    /* both sections are skipped: 2 */
                                   {1, 3, 4},                  /* the first: 3 */
                                   {2, 3, 4},                  /* none */
                                   {0, 3, 4},    {-0.0, 3, 4}, /* not the same bits */
                                   {NAN, 3, 4},  {NAN, 3, 5},  /* the same bits: 5 */
                                   {-9, 0.1, 0},               /* the guard fails */
                                   {-9, 0.1, 1}, {1, 2, 3}};   /* … also when skipped: 7 */
    const program *plain = three_inputs(s, false), *p = three_inputs(s, true);
    REQUIRE(plain && p);
    CHECK_INT(plain->sections, 0);
    CHECK_INT(p->sections, 2);
    for (engine_kind kind = ENGINE_INTERPRET; kind <= ENGINE_CC; kind++) {
        engine *e = engine_create(s->ctx, &s->ctx->job, kind, &p, 1, NULL);
        for (size_t k = 0; e && k < sizeof in / sizeof *in; k++) {
            double got[4], want[4];
            CHECK(engine_call(e, 0, in[k], got) == program_run(plain, in[k], want));
            for (int i = 0; i < 4; i++) CHECK(!bits_differ(got[i], want[i]));
        }
        if (e) CHECK_INT(engine_skipped(e, 0), 7);
    }
}

TEST(what_did_not_change_is_not_done_again)
{
    run_scene(check_sections);
}

/* ---- The cache ------------------------------------------------------------------------------- */

/* A cache folder of the test's own; forgotten by remove_folder. */
static bool make_folder(char *folder, size_t size)
{
    const char *build = getenv("AH_BUILD_DIR");
    snprintf(folder, size, "%s/cache-XXXXXX", build && *build == '/' ? build : getenv("PWD"));
    if (!CHECK(mkdtemp(folder) != NULL)) return false;
    setenv("XDG_CACHE_HOME", folder, 1);
    return true;
}

static void remove_folder(const char *folder)
{
    char command[600];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    CHECK_INT(system(command), 0);
    setenv("XDG_CACHE_HOME", "/dev/null/nowhere", 1); /* no later test fills it again */
}

static const program *cosine(scene *s)
{
    const ah_expr out = expr_call1(s->ctx, AH_COS, s->x);
    return program_of(s, NULL, 1, &out, 1);
}

static bool gives_cosine(engine *e)
{
    const double in[] = {0.7, 0};
    double got = 0;
    return e && engine_call(e, 0, in, &got) && got == cos(0.7);
}

static void check_cache(scene *s)
{
    char folder[500], path[600];
    const program *p = cosine(s);
    arena *a = &s->ctx->job;
    if (!make_folder(folder, sizeof folder)) return;
    CHECK(engine_cached(s->ctx, a, &p, 1, NULL) == NULL);
    engine *first = engine_create(s->ctx, a, ENGINE_CC, &p, 1, NULL);
    if (first) {
        CHECK(gives_cosine(first));
        CHECK(engine_cached(s->ctx, a, &p, 1, NULL) != NULL);
        /* what others may write is not run */
        snprintf(path, sizeof path, "%s/anholo", folder);
        chmod(path, 0777);
        CHECK(engine_cached(s->ctx, a, &p, 1, NULL) == NULL);
        chmod(path, 0755); /* who may look may open what a careless umask lets him write */
        CHECK(engine_cached(s->ctx, a, &p, 1, NULL) != NULL);
        struct stat now;
        CHECK(stat(path, &now) == 0 && (now.st_mode & 0777) == 0700);
        chmod(folder, 0777); /* another folder could be put in its place */
        CHECK(engine_cached(s->ctx, a, &p, 1, NULL) == NULL);
        chmod(folder, 01777); /* as /tmp */
        CHECK(engine_cached(s->ctx, a, &p, 1, NULL) != NULL);
        chmod(folder, 0700);
    }
    /* folders that cannot be: no engine, and no harm */
    setenv("XDG_CACHE_HOME", "/dev/null/nowhere", 1);
    CHECK(engine_create(s->ctx, a, ENGINE_CC, &p, 1, NULL) == NULL);
    snprintf(path, sizeof path, "%s/taken", folder);
    mkdir(path, 0700);
    setenv("XDG_CACHE_HOME", path, 1);
    strcat(path, "/anholo");
    fclose(fopen(path, "w"));
    CHECK(engine_create(s->ctx, a, ENGINE_CC, &p, 1, NULL) == NULL);
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    setenv("HOME", "neither", 1);
    CHECK(engine_create(s->ctx, a, ENGINE_CC, &p, 1, NULL) == NULL);
    remove_folder(folder);
}

TEST(compiled_code_is_kept_privately)
{
    run_scene(check_cache);
}

/* Shell: something done to every file of the cache with that ending. */
static void spoil(const char *folder, const char *ending, const char *how)
{
    char command[800];
    snprintf(command, sizeof command, "for f in %s/anholo/*%s; do %s; done", folder, ending, how);
    CHECK_INT(system(command), 0);
}

static void check_damage(scene *s)
{
    static const char *const damage[][2] = {{".so", "truncate -s 5000 $f"},
                                            {".so", "truncate -s 0 $f"},
                                            {".so", "echo nonsense > $f"},
                                            {".so", "rm $f"},
                                            {".c", "echo 'int f0(void);' > $f"},
                                            {".c", "rm $f"},
                                            {".sum", "echo 0 > $f"},
                                            {".sum", "rm $f"},
                                            /* whole, but others could have written it */
                                            {".so", "chmod o+w $f"},
                                            {".so", "chown 65534 $f 2>&- || chmod g+w $f"},
                                            {".so", "cp $f $f.x && ln -sf $f.x $f"}};
    char folder[500];
    const program *p = cosine(s);
    arena *a = &s->ctx->job;
    if (!make_folder(folder, sizeof folder)) return;
    engine *first = engine_create(s->ctx, a, ENGINE_CC, &p, 1, NULL);
    for (size_t i = 0; first && i < sizeof damage / sizeof *damage; i++) {
        engine_destroy(first); /* a file in use must not be cut short under it */
        spoil(folder, damage[i][0], damage[i][1]);
        CHECK(engine_cached(s->ctx, a, &p, 1, NULL) == NULL);
        first = engine_create(s->ctx, a, ENGINE_CC, &p, 1, NULL);
        CHECK(gives_cosine(first));
    }
    remove_folder(folder);
}

TEST(damaged_code_is_made_again)
{
    run_scene(check_damage);
}

/* Several processes find the cache empty and fill it at once. */
static void check_crowd(scene *s)
{
    enum { CROWD = 4 };
    pid_t child[CROWD];
    char folder[500], path[600];
    const program *p = cosine(s);
    arena *a = &s->ctx->job;
    if (!make_folder(folder, sizeof folder)) return;
    for (int i = 0; i < CROWD; i++) {
        child[i] = fork();
        if (child[i] == 0) {
            engine *e = engine_create(s->ctx, a, ENGINE_CC, &p, 1, NULL);
            harness_leave(!e || gives_cosine(e) ? 0 : 1);
        }
    }
    for (int i = 0; i < CROWD; i++) {
        int status = -1;
        CHECK(child[i] > 0 && waitpid(child[i], &status, 0) == child[i]);
        CHECK_INT(status, 0);
    }
    engine *e = engine_create(s->ctx, a, ENGINE_CC, &p, 1, NULL);
    CHECK(!e || gives_cosine(e));
    snprintf(path, sizeof path, "test $(ls %s/anholo | wc -l) -eq %d", folder, e ? 3 : 0);
    CHECK_INT(system(path), 0); /* nothing is left lying about */
    remove_folder(folder);
}

TEST(many_may_fill_the_cache_at_once)
{
    run_scene(check_crowd);
}

/* ---- Nothing a user wrote gets into the code ------------------------------------------------- */

static bool is_generated(const char *word, size_t length)
{
    static const char *const known[] = {
        "static", "inline",   "__attribute__", "always_inline", "noinline", "good", "int",  "const",
        "double", "restrict", "return",        "void",          "c",        "x",    "y",    "w",
        "s",      "f",        "sign",          "sin",           "cos",      "tan",  "asin", "acos",
        "atan",   "atan2",    "sinh",          "cosh",          "tanh",     "exp",  "log",  "sqrt",
        "fabs",   "pow",      "sincos"};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strlen(known[i]) == length && strncmp(known[i], word, length) == 0) return true;
    if (!strchr("vpf", *word) || length < 2) return false; /* v12, p0, p0_1, f0, f0s1, f0r */
    return strspn(word + 1, "0123456789sr_") >= length - 1;
}

static void check_words(scene *s)
{
    static const char *const names[] = {"x\"); system(\"true", "*/ int main", "a\nb", "q%s%n",
                                        "\\"};
    ah_ctx *ctx = s->ctx;
    ah_expr symbol[5], sum = expr_int(ctx, 0);
    for (int i = 0; i < 5; i++) {
        symbol[i] = expr_symbol(ctx, i == 4 ? AH_PARAMETER : AH_COORDINATE, names[i]);
        sum = expr_add(ctx, sum, expr_call1(ctx, AH_EXP, symbol[i]));
    }
    const frame *parameter = frame_create(ctx, &ctx->job, NAN);
    const program_spec spec = {.inputs = 4,
                               .input = symbol,
                               .outputs = 1,
                               .output = &sum,
                               .parameter = parameter,
                               .seldom = {2, 0}};
    const program *p = program_create(ctx, &ctx->job, &spec);
    REQUIRE(p != NULL);
    text t = text_begin(&ctx->job);
    program_prelude(&t);
    program_emit(p, &t, "p0");
    program_emit_sections(p, &t, "f0");
    const char *code = text_end(&t);
    CHECK(strspn(code, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789"
                       "(){}[]*+-/=<>&?:;,. \n") == strlen(code));
    for (const char *at = code; *at;) {
        const size_t other = strcspn(at, "abcdefghijklmnopqrstuvwxyz_");
        at += other;
        const size_t length = strspn(at, "abcdefghijklmnopqrstuvwxyz_0123456789");
        if (length && !CHECK(is_generated(at, length))) printf("# %.*s\n", (int) length, at);
        at += length;
    }
}

TEST(names_never_reach_the_code)
{
    run_scene(check_words);
}
