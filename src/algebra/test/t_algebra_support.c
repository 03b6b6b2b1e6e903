/* t_algebra_support.c - what the tests of algebra share. */
#include "algebra_support.h"
#include "expr/ball.h"
#include "formulas.h"
#include <flint/flint.h>

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

static bool is_parameter(const char *name)
{
    return isupper((unsigned char) *name) || strchr("abgklm", *name);
}

ah_expr read_expr(ah_ctx *ctx, const char *written)
{
    return formula_read(ctx, written, is_parameter);
}

mat read_mat(ah_ctx *ctx, const char *written)
{
    formula_reader r = {ctx, written, is_parameter};
    LIST(ah_expr) entries = {0};
    uint32_t rows = 0;
    do {
        rows++;
        do LIST_PUSH(&ctx->job, &entries, formula_sum(&r));
        while (formula_take(&r, ','));
    } while (formula_take(&r, ';'));
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
