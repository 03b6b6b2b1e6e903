/* t_algebra_support.c - what the tests of algebra share. */
#include "algebra_support.h"
#include "expr/ball.h"
#include <flint/flint.h>
#include <ctype.h>
#include <string.h>

/* ---- Contexts -------------------------------------------------------------------------------- */

static void with_algebra(ah_ctx *ctx, void *arg)
{
    static const char *const positive[] = {"m", "R", "A", "b", "a-b"};
    algebra_fact facts[5];
    for (size_t i = 0; i < 5; i++) facts[i] = (algebra_fact){read_expr(ctx, positive[i]), true};
    (*(test_body **) arg)(ctx, algebra_create(ctx, facts, 5));
}

void run_with_algebra(test_body *body)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, with_algebra, &body), AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct reader {
    ah_ctx *ctx;
    const char *at;
} reader;

static ah_expr read_sum(reader *r);

static char next(reader *r)
{
    while (*r->at == ' ') r->at++;
    return *r->at;
}

static bool take(reader *r, char c)
{
    if (next(r) != c) return false;
    r->at++;
    return true;
}

static ah_expr read_call(reader *r, const char *name)
{
    static const char *const names[] = {
#define X(code, text, arity) text,
        AH_FUNCTION_LIST(X)
#undef X
    };
    ah_expr args[2] = {AH_NONE, AH_NONE};
    size_t count = 0;
    do args[count++] = read_sum(r);
    while (take(r, ','));
    take(r, ')');
    for (int f = 0; f < AH_FUNCTIONS; f++)
        if (!strcmp(name, names[f])) return expr_call(r->ctx, (ah_function) f, args);
    return expr_unknown(r->ctx, name, count, args, NULL);
}

static ah_expr read_name(reader *r)
{
    char name[32] = {0};
    for (size_t n = 0; (isalnum((unsigned char) *r->at) || *r->at == '_') && n < 31;)
        name[n++] = *r->at++;
    if (take(r, '(')) return read_call(r, name);
    if (!strcmp(name, "pi")) return expr_pi(r->ctx);
    if (!strcmp(name, "t")) return expr_time(r->ctx);
    const bool parameter = isupper((unsigned char) name[0]) || strchr("abgklm", name[0]);
    ah_expr e = expr_symbol(r->ctx, parameter ? AH_PARAMETER : AH_COORDINATE, name);
    while (*r->at == '\'') {
        r->at++;
        e = expr_dot(r->ctx, e);
    }
    return e;
}

static ah_expr read_atom(reader *r)
{
    if (take(r, '(')) {
        const ah_expr e = read_sum(r);
        take(r, ')');
        return e;
    }
    const char *begin = r->at;
    while (isdigit((unsigned char) *r->at) || *r->at == '.') r->at++;
    if (r->at > begin) return expr_number(r->ctx, begin, (size_t) (r->at - begin));
    return read_name(r);
}

static ah_expr read_signed(reader *r)
{
    if (take(r, '-')) return expr_neg(r->ctx, read_signed(r));
    const ah_expr base = read_atom(r);
    return take(r, '^') ? expr_pow(r->ctx, base, read_signed(r)) : base;
}

static ah_expr read_product(reader *r)
{
    ah_expr e = read_signed(r);
    for (;;)
        if (take(r, '*'))
            e = expr_mul(r->ctx, e, read_signed(r));
        else if (take(r, '/'))
            e = expr_div(r->ctx, e, read_signed(r));
        else
            return e;
}

static ah_expr read_sum(reader *r)
{
    ah_expr e = read_product(r);
    for (;;)
        if (take(r, '+'))
            e = expr_add(r->ctx, e, read_product(r));
        else if (take(r, '-'))
            e = expr_sub(r->ctx, e, read_product(r));
        else
            return e;
}

ah_expr read_expr(ah_ctx *ctx, const char *written)
{
    reader r = {ctx, written};
    const ah_expr e = read_sum(&r);
    CHECK_STR(r.at, "");
    return e;
}

mat read_mat(ah_ctx *ctx, const char *written)
{
    reader r = {ctx, written};
    LIST(ah_expr) entries = {0};
    uint32_t rows = 0;
    do {
        rows++;
        do LIST_PUSH(&ctx->job, &entries, read_sum(&r));
        while (take(&r, ','));
    } while (take(&r, ';'));
    CHECK_STR(r.at, "");
    return mat_from_dense(ctx, &ctx->job, rows, (uint32_t) entries.count / rows, entries.at);
}

char *shown(ah_ctx *ctx, ah_expr e)
{
    return expr_text(ctx, &ctx->job, e, AH_ASCII);
}

/* ---- Values ---------------------------------------------------------------------------------- */

bool same_values(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    const ah_expr larger = expr_symbol(ctx, AH_PARAMETER, "a"); /* a > b is a fact */
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const ah_expr both[] = {a, b};
    const expr_list symbols = expr_symbols(ctx, &ctx->scratch, both, 2);
    ball_frame *values = ball_frame_create(ctx, &ctx->scratch);
    arb_ptr out = ball_array(&ctx->scratch, 2);
    int seen = 0;
    bool same = true;
    for (int i = 0; i < 20 && seen < 3 && same; i++) {
        for (size_t k = 0; k < symbols.count; k++) {
            const double x = (double) (1 + harness_random() % 4000) / 2048;
            arb_set_d(ball_frame_ref(values, symbols.at[k]), symbols.at[k] == larger ? 2 + x : x);
        }
        expr_eval_balls(values, both, 2, 200, out);
        if (!arb_is_finite(out) || !arb_is_finite(out + 1)) continue;
        same = arb_overlaps(out, out + 1);
        seen++;
    }
    arena_release(&ctx->scratch, mark);
    return same && seen > 0;
}

bool same_values_mat(ah_ctx *ctx, mat a, mat b)
{
    if (a.rows != b.rows || a.cols != b.cols) return false;
    for (uint32_t i = 0; i < a.rows; i++)
        for (uint32_t j = 0; j < a.cols; j++)
            if (!same_values(ctx, mat_get(ctx, a, i, j), mat_get(ctx, b, i, j))) return false;
    return true;
}
