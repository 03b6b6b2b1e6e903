/* lang/highlight.c - from tokens to marks.
 *
 * Keywords are such at the grammar's places only. One rule finds nearly all of these: a word that
 * follows an operand (`point P mass m at r`) can be nothing else. */
#include "highlight.h"

#include "../syntax/syntax.h"

#include <string.h>

typedef struct highlighter {
    const source *source;
    const token_list *tokens;
    size_t head;    /* the first token of the statement */
    size_t keyword; /* the last one found */
    bool turning;   /* `turn z a, x b`: axes and angles alone follow */
} highlighter;

static bool word_is(const highlighter *h, size_t i, const char *word)
{
    const token *t = &h->tokens->at[i];
    return t->kind == TOKEN_NAME && t->end - t->begin == strlen(word) &&
           !memcmp(h->source->text + t->begin, word, t->end - t->begin);
}

static bool is_operand_end(const token *t)
{
    return t->kind == TOKEN_NAME || t->kind == TOKEN_NUMBER || t->kind == TOKEN_STRING ||
           t->kind == TOKEN_CLOSE || t->kind == TOKEN_CLOSE_INDEX || t->kind == TOKEN_PRIME;
}

static bool is_operand_begin(const token *t)
{
    return t->kind == TOKEN_NAME || t->kind == TOKEN_NUMBER || t->kind == TOKEN_OPEN;
}

static bool is_statement(const highlighter *h, size_t i)
{
    const token *t = &h->tokens->at[i];
    return syntax_is_statement(h->source->text + t->begin, t->end - t->begin);
}

/* The names after `draw` and `force on` say what, not who. */
static bool is_kind_of(const highlighter *h, size_t i)
{
    const bool more = i + 1 < h->tokens->count && is_operand_begin(&h->tokens->at[i + 1]);
    if (word_is(h, i - 1, "force") || word_is(h, i - 1, "torque")) return word_is(h, i, "on");
    if (word_is(h, i - 1, "torsion")) return true;
    return word_is(h, i - 1, "draw") && (more || word_is(h, i, "ground"));
}

/* After the label of a claim: `constant e`, `steady psi = 0`, `nonholonomic`; an equation's first
 * word is followed by a sign, or by the bracket of a function. */
static bool says_what(const highlighter *h, size_t i)
{
    const token *next = &h->tokens->at[i + 1];
    if (next->kind == TOKEN_OPEN) return word_is(h, i, "constant") || word_is(h, i, "integral");
    return (word_is(h, h->head, "claim") || word_is(h, h->head, "refute")) &&
           (is_operand_begin(next) || next->kind == TOKEN_NEWLINE);
}

/* Of a drawing, a shape, a surface: the other words are things, `draw line A B radius r`. */
static bool is_clause(const highlighter *h, size_t i)
{
    static const char *const drawing[] = {
#define X(code, word) word,
        DRAW_CLAUSE_LIST(X) NULL};
    static const char *const contact[] = {CONTACT_CLAUSE_LIST(X) NULL};
#undef X
    const char *const *words = word_is(h, h->head, "draw") ? drawing : contact;
    for (; *words; words++)
        if (word_is(h, i, *words)) return true;
    return false;
}

/* `shape B sphere radius r`, `surface S plane at p`: the third word is the kind. */
static bool is_of_contact(const highlighter *h, size_t i)
{
    return i == h->head + 2 || is_clause(h, i);
}

static bool is_keyword(const highlighter *h, size_t i)
{
    if (i == h->head) return is_statement(h, i);
    const token *before = &h->tokens->at[i - 1];
    if (i == h->head + 1) return is_statement(h, h->head) && is_kind_of(h, i);
    if (before->kind == TOKEN_COLON) return says_what(h, i);
    if (word_is(h, h->head, "force") || word_is(h, h->head, "torque"))
        return is_operand_end(before) && word_is(h, i, "at"); /* `torque on B M at r` */
    if (word_is(h, h->head, "draw")) return is_operand_end(before) && is_clause(h, i);
    if (word_is(h, h->head, "shape") || word_is(h, h->head, "surface"))
        return is_operand_end(before) && is_of_contact(h, i);
    const bool at = word_is(h, i, "at") && h->keyword != SIZE_MAX; /* `stable at psi = 0` */
    return is_operand_end(before) && (h->keyword != i - 1 || at) && !h->turning;
}

static bool is_function(const highlighter *h, size_t i)
{
    static const char *const names[] = {
        "sin",  "cos", "tan",  "asin", "acos",    "atan",  "atan2", "sinh", "cosh",     "tanh",
        "exp",  "log", "sqrt", "abs",  "dot",     "der",   "min",   "max",  "clamp",    "step",
        "sign", "if",  "norm", "sum",  "product", "cross", "omega", "axis", "velocity", "position"};
    if (h->tokens->at[i + 1].kind != TOKEN_OPEN) return false;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (word_is(h, i, names[k])) return true;
    return false;
}

/* Comments are not tokens: they begin at a # between two of them. */
static void mark_comments(const highlighter *h, arena *a, uint32_t from, uint32_t to,
                          lang_marks *out)
{
    const char *s = h->source->text;
    while (from < to) {
        const char *hash = memchr(s + from, '#', to - from);
        if (!hash) return;
        const uint32_t begin = (uint32_t) (hash - s);
        const char *line_end = memchr(hash, '\n', to - begin);
        const uint32_t end = line_end ? (uint32_t) (line_end - s) : to;
        LIST_PUSH(a, out, ((lang_mark){begin, end, LANG_MARK_COMMENT}));
        from = end;
    }
}

static bool kind_of(const highlighter *h, size_t i, lang_mark_kind *kind)
{
    switch (h->tokens->at[i].kind) {
    case TOKEN_NUMBER: *kind = LANG_MARK_NUMBER; return true;
    case TOKEN_STRING: *kind = LANG_MARK_TEXT; return true;
    case TOKEN_NAME:
        *kind = is_function(h, i) ? LANG_MARK_FUNCTION : LANG_MARK_KEYWORD;
        return *kind == LANG_MARK_FUNCTION || is_keyword(h, i);
    default: return false;
    }
}

static lang_marks mark_all(highlighter *h, arena *a)
{
    lang_marks out = {0};
    uint32_t done = 0;
    for (size_t i = 0; i < h->tokens->count; i++) {
        const token *t = &h->tokens->at[i];
        lang_mark_kind kind;
        if (t->kind >= TOKEN_NEWLINE && t->kind <= TOKEN_DEDENT) {
            h->head = i + 1;
            h->turning = false;
            continue;
        }
        mark_comments(h, a, done, t->begin, &out);
        done = t->end;
        if (!kind_of(h, i, &kind)) continue;
        LIST_PUSH(a, &out, ((lang_mark){t->begin, t->end, kind}));
        if (kind != LANG_MARK_KEYWORD) continue;
        h->keyword = i;
        h->turning = h->turning || word_is(h, i, "turn");
    }
    return out;
}

lang_marks lang_highlight(ah_ctx *ctx, arena *a, uint32_t file)
{
    lang l = {.ctx = ctx, .arena = a};
    const diag_mark mark = diag_get_mark(ctx);
    const token_list tokens = lang_tokens(&l, file);
    diag_take(ctx, a, mark); /* warnings were reported when the model was read */
    highlighter h = {.source = source_get(ctx, file), .tokens = &tokens, .keyword = SIZE_MAX};
    return mark_all(&h, a);
}
