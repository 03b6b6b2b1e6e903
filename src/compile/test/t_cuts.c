/* compile/test/t_cuts.c - long programs in parts: what a part needs is there, and all engines agree. */
#include "harness.h"

#include "compile/engine.h"
#include "compile/cuts.h"

#include <math.h>
#include <string.h>

enum { INPUTS = 3, OUTPUTS = 40 };

/* A long program: each value of two earlier ones, with angles whose sine and cosine both are used, far
 * apart; guards among them. With `sections` some of it depends on the first inputs alone. */
static program *long_program(ah_ctx *ctx, size_t length, bool sections)
{
    static const char *const names[INPUTS] = {"x", "y", "z"};
    ah_expr input[INPUTS], out[OUTPUTS], *e = NEW_ARRAY(&ctx->job, ah_expr, length);
    recipe r = {.ctx = ctx, .arena = &ctx->job};
    uint64_t state = 12345;
    for (size_t i = 0; i < INPUTS; i++) input[i] = expr_symbol(ctx, AH_COORDINATE, names[i]);
    for (size_t i = 0; i < length; i++) {
        /* of the inputs that its third of the way may use, or of what is behind */
        const size_t inputs = 1 + 3 * i / length;
        size_t two[2];
        for (int k = 0; k < 2; k++) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            two[k] = i - (size_t) (state >> 33) % (state >> 62 ? i % 40 + 1 : i + 1);
            if (!i || (state >> 60) == 5) two[k] = i + inputs - 1;
        }
        const ah_expr a = two[0] < i ? e[two[0]] : input[two[0] - i];
        const ah_expr b = two[1] < i ? e[two[1]] : input[two[1] - i];
        const ah_expr angle = expr_add(ctx, a, expr_mul(ctx, b, expr_int(ctx, (long) i + 2)));
        e[i] = expr_call1(ctx, i % 3 ? AH_SIN : AH_COS, angle);
        if (i % 7 == 6) /* the other one of an earlier angle */
            e[i] = expr_mul(
                ctx,
                expr_call1(ctx, (i - 5) % 3 ? AH_COS : AH_SIN, expr_get_children(ctx, e[i - 5])[0]),
                b);
        if (i % 50 == 49)
            LIST_PUSH(r.arena, &r.guards,
                      ((recipe_guard){expr_add(ctx, e[i], expr_int(ctx, 2)), e[i / 2], 1e-3}));
    }
    for (size_t i = 0; i < OUTPUTS; i++)
        out[i] = i == 3   ? input[1]
                 : i == 4 ? expr_int(ctx, 5)
                          : e[(i + 1) * (length - 1) / OUTPUTS];
    const program_spec spec = {.inputs = INPUTS,
                               .input = input,
                               .outputs = OUTPUTS,
                               .output = out,
                               .recipe = &r,
                               .parameter = frame_create(ctx, &ctx->job, NAN),
                               .seldom = {sections ? 1 : 0, sections ? 2 : 0}};
    return program_create(ctx, &ctx->job, &spec);
}

/* Sines and cosines of one angle, as in emit.c, found the slow way. */
static uint32_t *partners(const program *p, arena *a)
{
    uint32_t *partner = NEW_ARRAY(a, uint32_t, p->code.count + 1);
    for (uint32_t i = 0; i < p->code.count; i++) {
        const program_code *c = &p->code.at[i];
        partner[i] = i;
        for (uint32_t k = 0; k < i && c->op == PROGRAM_CALL; k++) {
            const program_code *o = &p->code.at[k];
            if (o->op != PROGRAM_CALL || o->a != c->a || o->function == c->function) continue;
            partner[i] = k, partner[k] = i;
        }
    }
    return partner;
}

/* Does a program part by part: what a part leaves outside the work array is gone behind it. */
typedef struct walk {
    const program *p;
    program_parts parts;
    const uint32_t *partner;
    double *work, *local;
} walk;

static double read(const walk *w, const double *in, uint32_t x)
{
    const program_code *c = &w->p->code.at[x];
    if (c->op == PROGRAM_INPUT) return in[c->a];
    if (c->op == PROGRAM_CONSTANT) return w->p->constants.at[c->a];
    return w->parts.place[x] ? w->work[w->parts.place[x] - 1] : w->local[x];
}

static void make(const walk *w, const double *in, uint32_t x)
{
    const program_code *c = &w->p->code.at[x];
    const double value = program_apply(c, read(w, in, c->a), read(w, in, c->b));
    if (w->parts.place[x])
        w->work[w->parts.place[x] - 1] = value;
    else
        w->local[x] = value;
}

static bool do_part(const walk *w, size_t part, const double *in, double *out, size_t *operations)
{
    const program *p = w->p;
    bool good = true;
    for (size_t i = 0; i < p->code.count; i++) w->local[i] = NAN;
    *operations = 0;
    for (uint32_t i = part ? (uint32_t) w->parts.end[part - 1] : 0; i < w->parts.end[part]; i++) {
        if (p->code.at[i].op == PROGRAM_INPUT || p->code.at[i].op == PROGRAM_CONSTANT) continue;
        ++*operations;
        if (w->partner[i] < i) continue;
        make(w, in, i);
        if (w->partner[i] > i) make(w, in, w->partner[i]);
    }
    for (size_t i = 0; i < p->outputs; i++)
        if (parts_output(p, &w->parts, i) == part) out[i] = read(w, in, p->output[i]);
    for (size_t i = 0; i < p->guards; i++)
        if (parts_guard(p, &w->parts, i) == part &&
            !(read(w, in, p->guard[i].pivot) > read(w, in, p->guard[i].bound)))
            good = false;
    return good;
}

static const double points[][INPUTS] = {{0.3, 0.7, -1.1}, {0.3, 0.7, 2.5}, {0.3, -4, 2.5},
                                        {9, -4, 2.5},     {9, -4, 0},      {9, 1, 0}};
enum { POINTS = sizeof points / sizeof *points };

/* Parts of one section are left out while the inputs that it needs are the same. */
static void walk_parts(ah_ctx *ctx, size_t most, bool sections)
{
    walk w = {.p = long_program(ctx, 600, sections)};
    REQUIRE(w.p != NULL && (w.p->sections == 2) == sections && w.p->guards > 5);
    w.partner = partners(w.p, &ctx->job);
    w.parts = parts_of(w.p, &ctx->job, most, w.partner, sections);
    w.work = NEW_ARRAY(&ctx->job, double, w.parts.work + 1);
    w.local = NEW_ARRAY(&ctx->job, double, w.p->code.count);
    CHECK(w.parts.count >= program_operations(w.p) / most);
    CHECK(w.parts.work < program_operations(w.p) / 2);
    for (size_t k = 0; k < POINTS; k++) {
        double got[OUTPUTS], want[OUTPUTS];
        bool good = true;
        size_t part = 0, operations;
        for (size_t s = 0; sections && s < 2; part = w.parts.section[s++]) {
            if (k && !memcmp(points[k], points[k - 1], w.p->section[s].inputs * sizeof *got))
                continue;
            for (; part < w.parts.section[s]; part++)
                do_part(&w, part, points[k], got, &operations);
        }
        for (; part < w.parts.count; part++) {
            good = do_part(&w, part, points[k], got, &operations) && good;
            CHECK(operations <= most);
        }
        CHECK(program_run(w.p, points[k], want) == good);
        CHECK(!memcmp(got, want, sizeof got));
    }
}

static void check_parts(ah_ctx *ctx, void *arg)
{
    (void) arg;
    static const size_t most[] = {2, 7, 60, 500};
    for (size_t i = 0; i < sizeof most / sizeof *most; i++) {
        walk_parts(ctx, most[i], false);
        walk_parts(ctx, most[i], true);
    }
}

TEST(parts_have_what_they_need)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK(ctx_guard(ctx, check_parts, NULL) == AH_OK);
    ah_ctx_destroy(ctx);
}

/* No function of the code has more lines than a part and what is around it. */
static size_t longest_function(const char *code)
{
    size_t longest = 0, lines = 0;
    for (; *code; code++) {
        if (*code != '\n') continue;
        lines++;
        if (code[1] == '}') {
            if (lines > longest) longest = lines;
            lines = 0;
        }
    }
    return longest;
}

static void check_engines(ah_ctx *ctx, void *arg)
{
    (void) arg;
    for (int sections = 0; sections < 2; sections++) {
        const program *p = long_program(ctx, 4000, sections),
                      *small = long_program(ctx, 40, sections);
        REQUIRE(p != NULL && program_operations(p) > 3 * PROGRAM_PART);
        text t = text_begin(&ctx->job);
        program_emit(p, &t, "p0");
        CHECK(longest_function(text_end(&t)) < PROGRAM_PART + PROGRAM_PART / 2);
        for (engine_kind kind = ENGINE_INTERPRET; kind <= ENGINE_CC; kind++) {
            engine *e = engine_create(ctx, &ctx->job, kind, &p, 1, NULL);
            CHECK(e || !engine_create(ctx, &ctx->job, kind, &small, 1, NULL));
            for (size_t k = 0; e && k < POINTS; k++) {
                double got[OUTPUTS], want[OUTPUTS];
                CHECK(engine_call(e, 0, points[k], got) == program_run(p, points[k], want));
                CHECK(!memcmp(got, want, sizeof got));
            }
        }
    }
}

TEST(long_programs_give_the_same_bits_in_all_engines)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK(ctx_guard(ctx, check_engines, NULL) == AH_OK);
    ah_ctx_destroy(ctx);
}
