/* lang/dump_model.c - the stages of reading, printed: tokens, syntax, the graph of the expressions.
 */
#include "elaborate.h"

static const char *slice(lang *l, ah_span span, int *length)
{
    *length = (int) (span.end - span.begin);
    return source_get(l->ctx, span.file)->text + span.begin;
}

/* A place that only moves on: to ask for each token anew would be quadratic in the length of a
 * line. */
typedef struct cursor {
    uint32_t offset, line, column;
} cursor;

static void move(lang *l, const source *s, cursor *at, uint32_t to)
{
    while (at->offset < to) {
        uint32_t code;
        const size_t step = utf8_decode(s->text + at->offset, s->length - at->offset, &code);
        const bool newline = s->text[at->offset] == '\n';
        ctx_tick(l->ctx);
        at->offset += step ? (uint32_t) step : 1;
        at->line += newline;
        at->column = newline ? 1 : at->column + 1;
    }
}

static void write_as_written(text *out, char before, const char *written, int length)
{
    text_char(out, before);
    text_add(out, arena_harmless(out->arena, arena_strndup(out->arena, written, (size_t) length)));
}

void lang_print_tokens(lang *l, text *out, const token_list *tokens)
{
    cursor at = {0, 1, 1};
    for (size_t i = 0; i < tokens->count; i++) {
        const token *t = &tokens->at[i];
        move(l, source_get(l->ctx, tokens->file), &at, t->begin);
        text_printf(out, "%u:%u\t%s", at.line, at.column, token_text(t->kind));
        int length;
        const char *written = slice(l, (ah_span){tokens->file, t->begin, t->end}, &length);
        if (t->kind == TOKEN_NAME)
            text_printf(out, "\t%s", t->name->text);
        else if (t->kind == TOKEN_NUMBER || t->kind == TOKEN_STRING)
            write_as_written(out, '\t', written, length);
        else if (t->kind == TOKEN_PRIME)
            text_printf(out, "\t%u", t->primes);
        text_char(out, '\n');
    }
}

static void print_node(lang *l, text *out, const syntax *s, unsigned depth)
{
    ctx_tick(l->ctx);
    text_printf(out, "%*s", (int) (2 * depth), "");
    if (!s) {
        text_add(out, "-\n");
        return;
    }
    text_add(out, syntax_text(s->kind));
    int length;
    const char *written = slice(l, s->span, &length);
    if (s->kind == SYNTAX_NUMBER || s->kind == SYNTAX_TEXT)
        write_as_written(out, ' ', written, length);
    if (s->name) text_printf(out, " %s", s->name->text);
    for (unsigned k = 0; k < s->primes; k++) text_char(out, '\'');
    if (s->kind == SYNTAX_ASSUME) text_printf(out, " %s", token_text(s->relation));
    if (s->direction) text_add(out, s->direction > 0 ? " rising" : " falling");
    text_char(out, '\n');
    for (size_t i = 0; i < s->count; i++) print_node(l, out, s->child[i], depth + 1);
}

void lang_print_syntax(lang *l, text *out, const syntax *s)
{
    print_node(l, out, s, 0);
}

/* ---- The graph ------------------------------------------------------------------------------- */

typedef LIST(char *) label_list;

typedef struct roots {
    expr_list e;
    label_list label;
} roots;

static void add_root(ah_ctx *ctx, roots *r, ah_expr e, char *label)
{
    LIST_PUSH(&ctx->scratch, &r->e, e);
    LIST_PUSH(&ctx->scratch, &r->label, label);
}

static roots roots_of(ah_model *m)
{
    ah_ctx *ctx = m->ctx;
    arena *a = &ctx->scratch;
    roots r = {0};
    add_root(ctx, &r, m->T, "T");
    add_root(ctx, &r, m->V, "V");
    for (uint32_t i = 0; i < m->n; i++)
        if (!expr_is_zero(ctx, m->F[i]))
            add_root(ctx, &r, m->F[i], arena_printf(a, "F[%s]", expr_get_name(ctx, m->q.at[i])));
    for (size_t i = 0; i < m->constraints.count; i++)
        add_root(ctx, &r, m->constraints.at[i].c,
                 arena_printf(a, "%s", m->constraints.at[i].label));
    for (size_t i = 0; i < m->psi.count; i++)
        add_root(ctx, &r, m->psi.at[i], arena_printf(a, "%s'", expr_get_name(ctx, m->q.at[i])));
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        add_root(ctx, &r, m->quasivelocities.at[i].definition,
                 arena_printf(a, "%s", m->quasivelocities.at[i].name));
    return r;
}

static void print_graph_node(ah_ctx *ctx, text *out, ah_expr e)
{
    static const char *const functions[] = {
#define X(code, text, arity) text,
        AH_FUNCTION_LIST(X)
#undef X
    };
    static const char *const operations[] = {
        [EXPR_NUMBER] = "number",   [EXPR_PI] = "pi",
        [EXPR_SYMBOL] = "symbol",   [EXPR_SUM] = "sum",
        [EXPR_PRODUCT] = "product", [EXPR_POWER] = "power",
        [EXPR_CALL] = "",           [EXPR_UNKNOWN] = "function",
    };
    const expr_op op = expr_get_op(ctx, e);
    text_printf(out, "%6u  %s", (unsigned) e,
                op == EXPR_CALL ? functions[expr_get_function(ctx, e)] : operations[op]);
    if (op == EXPR_NUMBER || op == EXPR_SYMBOL) {
        const expr_style style = expr_style_defaults(AH_ASCII);
        text_char(out, ' ');
        expr_print(ctx, out, e, &style);
    }
    if (op == EXPR_UNKNOWN) {
        text_printf(out, " %s", expr_get_name(ctx, e));
        for (size_t i = 0; i < expr_get_count(ctx, e); i++)
            text_printf(out, "%c%u", i ? ',' : '^', expr_get_orders(ctx, e)[i]);
    }
    for (size_t i = 0; i < expr_get_count(ctx, e); i++)
        text_printf(out, " %u", (unsigned) expr_get_children(ctx, e)[i]);
    text_char(out, '\n');
}

void lang_print_graph(ah_model *m, text *out)
{
    ah_ctx *ctx = m->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    const roots r = roots_of(m);
    const expr_list nodes = expr_reachable(ctx, &ctx->scratch, r.e.at, r.e.count);
    for (size_t i = 0; i < nodes.count; i++) {
        ctx_tick(ctx);
        print_graph_node(ctx, out, nodes.at[i]);
    }
    for (size_t i = 0; i < r.e.count; i++)
        text_printf(out, "%s = %u\n", r.label.at[i], (unsigned) r.e.at[i]);
    arena_release(&ctx->scratch, mark);
}

/* ---- Names ----------------------------------------------------------------------------------- */

/* A line for each name that other commands take: kind, name, and the unit where there is one. */
void lang_print_names(ah_model *m, text *out)
{
    static const ah_item_kind kinds[] = {
        AH_ITEM_PARAMETER,     AH_ITEM_COORDINATE, AH_ITEM_SPEED,
        AH_ITEM_QUASIVELOCITY, AH_ITEM_FUNCTION,   AH_ITEM_OUTPUT,
    };
    ah_item item;
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
        for (size_t i = 0; ah_model_item(m, kinds[k], i, &item) == AH_OK; i++) {
            const char *space = item.unit ? " " : "", *unit = item.unit ? item.unit : "";
            text_printf(out, "%s %s%s%s\n", item.kind, item.name, space, unit);
            if (kinds[k] == AH_ITEM_COORDINATE) text_printf(out, "velocity %s'\n", item.name);
        }
}
