/* written/kinds.c - which symbols may stand where. */
#include "kind_sets.h"

expr_list model_symbols_of(ah_model *m, ah_expr e, ah_symbol_kind kind)
{
    expr_list all = expr_symbols(m->ctx, &m->ctx->scratch, &e, 1);
    size_t kept = 0;
    for (size_t i = 0; i < all.count; i++)
        if (expr_get_kind(m->ctx, all.at[i]) == kind) all.at[kept++] = all.at[i];
    all.count = kept;
    return all;
}

uint32_t model_column(const ah_model *m, ah_expr symbol)
{
    return (uint32_t) model_find_coordinate(m, expr_get_name(m->ctx, symbol));
}

/* What a symbol must be in the model's table to be the model's own. */
static model_what what_of(ah_symbol_kind kind)
{
    switch (kind) {
    case AH_PARAMETER: return MODEL_PARAMETER;
    case AH_COORDINATE:
    case AH_VELOCITY:
    case AH_ACCELERATION: return MODEL_COORDINATE;
    case AH_SPEED:
    case AH_SPEED_DOT: return MODEL_SPEED;
    default: return MODEL_NOTHING;
    }
}

static bool is_own(const ah_model *m, ah_expr symbol)
{
    const model_what want = what_of(expr_get_kind(m->ctx, symbol));
    if (want == MODEL_NOTHING) return true;
    const model_name *found = model_find(m, expr_get_name(m->ctx, symbol));
    return found &&
           (found->what == want || (want == MODEL_SPEED && found->what == MODEL_QUASIVELOCITY));
}

static const char *kind_text(ah_symbol_kind kind)
{
    switch (kind) {
    case AH_TIME: return "time";
    case AH_PARAMETER: return "a parameter";
    case AH_COORDINATE: return "a coordinate";
    case AH_VELOCITY: return "a velocity";
    case AH_ACCELERATION: return "an acceleration";
    case AH_JERK: return "the derivative of an acceleration";
    case AH_SPEED: return "a velocity parameter";
    case AH_SPEED_DOT: return "the derivative of a velocity parameter";
    case AH_MULTIPLIER: return "a multiplier";
    case AH_DERIVED: return "made by the derivation";
    case AH_LOCAL: return "the argument of a function";
    }
    return "unknown";
}

bool model_only(ah_model *m, ah_expr e, unsigned kinds, const char *where, ah_span span)
{
    ah_ctx *ctx = m->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const expr_list symbols = expr_symbols(ctx, &ctx->scratch, &e, 1);
    bool good = true;
    for (size_t i = 0; i < symbols.count && good; i++) {
        const ah_symbol_kind kind = expr_get_kind(ctx, symbols.at[i]);
        const bool own = is_own(m, symbols.at[i]);
        good = own && (kinds >> kind & 1u);
        if (good) continue;
        const char *name = expr_text(ctx, &ctx->job, symbols.at[i], AH_ASCII);
        if (own)
            diag(ctx, A0402, span, "`%s` cannot stand in %s: it is %s", name, where,
                 kind_text(kind));
        else
            diag(ctx, A0403, span, "`%s` in %s is not declared in this model", name, where);
        if (own && (KINDS_SPEEDS >> kind & 1u) && (kinds & KIND_VELOCITY))
            diag_hint(ctx, "write it in the velocities of the coordinates");
    }
    arena_release(&ctx->scratch, mark);
    return good;
}

bool model_only_vector(ah_model *m, ah_vector v, unsigned kinds, const char *where, ah_span span)
{
    for (int i = 0; i < 3; i++)
        if (!model_only(m, v.c[i], kinds, where, span)) return false;
    return true;
}
