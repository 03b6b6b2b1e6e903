/* syntax/parse_expression.c - tokens to syntax: the tools, and expressions.
 *
 * Sums and products are flat, however long; everything else that can hold itself counts against the
 * limit of nesting, so that neither this recursion nor the later ones can run out of stack. */
#include "parser.h"

#include <string.h>

enum { ORDER_MOST = 9 }; /* primes of a function */

static const char *const codes[] = {
#define X(code, text) text,
    SYNTAX_LIST(X)
#undef X
};

const char *syntax_text(syntax_kind kind)
{
    return codes[kind];
}

/* ---- Tools ----------------------------------------------------------------------------------- */

static ah_span token_span(const parser *p, const token *t)
{
    return (ah_span){p->file, t->begin, t->end};
}

void parse_error(parser *p, const char *expected, const char *hint)
{
    if (p->failed) return;
    p->failed = true;
    if (p->at->kind == TOKEN_BAD) return;
    diag(p->ctx, A0106, token_span(p, p->at), "expected %s", expected);
    if (p->at->kind == TOKEN_NAME)
        diag_label(p->ctx, "found `%s`", p->at->name->text);
    else
        diag_label(p->ctx, "found %s", token_text(p->at->kind));
    diag_hint(p->ctx, "%s", hint ? hint : p->usage);
}

bool parse_accept(parser *p, token_kind kind)
{
    if (p->failed || p->at->kind != kind) return false;
    p->at++;
    return true;
}

bool parse_expect(parser *p, token_kind kind)
{
    if (parse_accept(p, kind)) return true;
    parse_error(p, token_text(kind), NULL);
    return false;
}

bool parse_at_word(const parser *p, const char *word)
{
    return p->at->kind == TOKEN_NAME && !strcmp(p->at->name->text, word);
}

bool parse_accept_word(parser *p, const char *word)
{
    return parse_at_word(p, word) && parse_accept(p, TOKEN_NAME);
}

void parse_enter(parser *p)
{
    ctx_tick(p->ctx);
    if (++p->depth <= p->ctx->limits.nesting) return;
    p->l->at = token_span(p, p->at);
    ctx_raise_limit(p->ctx, "brackets, powers or blocks are nested deeper than the limit allows");
}

syntax *parse_list(parser *p, syntax_kind kind, const token *first, syntax_list list)
{
    syntax *s = NEW(p->l->arena, syntax);
    const uint32_t end = p->at > first ? p->at[-1].end : first->end;
    *s = (syntax){
        .kind = (uint8_t) kind,
        .count = (uint32_t) list.count,
        .span = {p->file, first->begin, end},
        .child = list.at,
    };
    return s;
}

syntax *parse_node(parser *p, syntax_kind kind, const token *first, size_t count,
                   syntax *const *child)
{
    const syntax_list list = {NEW_ARRAY(p->l->arena, syntax *, count), count, count};
    memcpy(list.at, child, count * sizeof *child);
    return parse_list(p, kind, first, list);
}

/* ---- Names, indices, ranges ------------------------------------------------------------------ */

syntax *parse_name(parser *p)
{
    const token *first = p->at;
    const bool named = parse_expect(p, TOKEN_NAME);
    syntax *s = PARSE_LEAF(p, SYNTAX_NAME, first);
    s->name = named ? first->name : NULL;
    return s;
}

/* range = expression '..' expression */
syntax *parse_range(parser *p)
{
    const token *first = p->at;
    syntax *from = parse_expression(p);
    if (!parse_accept(p, TOKEN_RANGE)) parse_error(p, "`..`", "a range is written 1 .. n");
    syntax *to = parse_expression(p);
    return PARSE_NODE(p, SYNTAX_RANGE, first, from, to);
}

/* name '=' range */
syntax *parse_over(parser *p)
{
    const token *first = p->at;
    parse_expect(p, TOKEN_NAME);
    parse_expect(p, TOKEN_EQUAL);
    syntax *range = parse_range(p);
    if (!p->failed) range->name = first->name;
    return range;
}

/* The reference s, or a row of the constraint called so: row = reference '.' digits, without blanks. */
static syntax *row_of(parser *p, const token *first, syntax *s)
{
    const token *number = p->at;
    const bool named = (s->kind == SYNTAX_NAME || s->kind == SYNTAX_INDEX) && !s->primes;
    if (p->failed || !named || number->kind != TOKEN_NUMBER || number->begin != s->span.end)
        return s;
    p->at++;
    syntax *which = PARSE_LEAF(p, SYNTAX_NUMBER, number);
    which->span.begin++; /* a number that follows at once begins with its point */
    syntax *out = PARSE_NODE(p, SYNTAX_ROW, first, s, which);
    out->name = s->name;
    return out;
}

/* index = row | expression [ '..' expression ] */
static syntax *index_or_range(parser *p, bool ranges)
{
    const token *first = p->at;
    syntax *from = row_of(p, first, parse_expression(p));
    if (!ranges || !parse_accept(p, TOKEN_RANGE)) return from;
    syntax *to = parse_expression(p);
    return PARSE_NODE(p, SYNTAX_RANGE, first, from, to);
}

/* Closes what `open` opened. */
static void close(parser *p, const token *open, token_kind kind)
{
    if (p->failed || parse_accept(p, kind)) return;
    const size_t errors = p->ctx->log->errors;
    parse_error(p, token_text(kind), "close the bracket, or put an operator or `,` before this");
    if (p->ctx->log->errors > errors)
        diag_note(p->ctx, token_span(p, open), "%s was opened here", token_text(open->kind));
}

/* indices = '[' index { ',' index } ']' */
static syntax_list indices(parser *p, bool ranges)
{
    const token *open = p->at++;
    syntax_list list = {0};
    parse_enter(p);
    do LIST_PUSH(p->l->arena, &list, index_or_range(p, ranges));
    while (parse_accept(p, TOKEN_COMMA));
    parse_leave(p);
    close(p, open, TOKEN_CLOSE_INDEX);
    return list;
}

static uint8_t primes(parser *p, uint32_t most)
{
    if (p->failed || p->at->kind != TOKEN_PRIME) return 0;
    if (p->at->primes <= most) return (uint8_t) p->at++->primes;
    parse_error(p,
                most == 2   ? "at most two primes"
                : most == 1 ? "one prime"
                            : "no prime",
                most == 2 ? "x' is a velocity, x'' an acceleration; der(e) differentiates" : NULL);
    return 0;
}

/* reference = name [ indices ] [ primes ] */
syntax *parse_reference(parser *p, uint32_t most_primes, bool ranges)
{
    const token *first = p->at;
    syntax *s = parse_name(p);
    if (!p->failed && p->at->kind == TOKEN_OPEN_INDEX) {
        const syntax_list list = indices(p, ranges);
        s = parse_list(p, SYNTAX_INDEX, first, list);
        s->name = first->name;
    }
    s->primes = primes(p, most_primes);
    if (s->primes) s->span.end = p->at[-1].end;
    return s;
}

syntax *parse_label(parser *p)
{
    const token *first = p->at;
    return row_of(p, first, parse_reference(p, 0, false));
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* list = '(' expression { ',' expression } ')' */
static syntax_list bracketed(parser *p)
{
    const token *open = p->at++;
    syntax_list list = {0};
    parse_enter(p);
    do LIST_PUSH(p->l->arena, &list, parse_expression(p));
    while (parse_accept(p, TOKEN_COMMA));
    parse_leave(p);
    close(p, open, TOKEN_CLOSE);
    return list;
}

/* fold = ( 'sum' | 'product' ) '(' name '=' range ',' expression ')' */
static syntax *fold(parser *p)
{
    const token *first = p->at;
    const syntax_kind kind = parse_at_word(p, "sum") ? SYNTAX_SUM_OVER : SYNTAX_PRODUCT_OVER;
    p->at += 4;
    parse_enter(p);
    syntax *range = parse_range(p);
    if (!parse_accept(p, TOKEN_COMMA)) parse_error(p, "`,`", "write sum(i = 1 .. n, e)");
    syntax *term = parse_expression(p);
    parse_leave(p);
    close(p, first + 1, TOKEN_CLOSE);
    syntax *s = PARSE_NODE(p, kind, first, range, term);
    s->name = first[2].name;
    return s;
}

/* choice = 'if' '(' expression relation expression ',' expression ',' expression ')' */
static syntax *choice(parser *p)
{
    static const char usage[] = "write if(x > 0, a, b)";
    const token *first = p->at;
    p->at += 2;
    parse_enter(p);
    syntax *left = parse_expression(p);
    const token_kind relation = p->at->kind;
    if (relation < TOKEN_GREATER || relation > TOKEN_LESS_EQUAL)
        parse_error(p, "`>`, `<`, `>=` or `<=`", usage);
    else
        p->at++;
    syntax *right = parse_expression(p), *value[2];
    for (int k = 0; k < 2; k++) {
        if (!parse_accept(p, TOKEN_COMMA)) parse_error(p, "`,`", usage);
        value[k] = parse_expression(p);
    }
    parse_leave(p);
    close(p, first + 1, TOKEN_CLOSE);
    syntax *s = PARSE_NODE(p, SYNTAX_CALL, first, left, right, value[0], value[1]);
    s->name = first->name;
    s->relation = (uint8_t) relation;
    return s;
}

static bool at_fold(const parser *p)
{
    return (parse_at_word(p, "sum") || parse_at_word(p, "product")) &&
           p->at[1].kind == TOKEN_OPEN && p->at[2].kind == TOKEN_NAME &&
           p->at[3].kind == TOKEN_EQUAL;
}

/* named = fold | choice | name [ primes ] list | reference */
static syntax *named(parser *p)
{
    const token *first = p->at, *next = p->at + 1;
    if (at_fold(p)) return fold(p);
    if (parse_at_word(p, "if") && next->kind == TOKEN_OPEN) return choice(p);
    if (next->kind == TOKEN_PRIME) next++;
    if (next->kind != TOKEN_OPEN) return parse_reference(p, 2, false);
    p->at++;
    const uint8_t order = primes(p, ORDER_MOST);
    const syntax_list list = p->failed ? (syntax_list){0} : bracketed(p);
    syntax *s = parse_list(p, SYNTAX_CALL, first, list);
    s->name = first->name;
    s->primes = order;
    return s;
}

/* bracket = list : one expression, or a vector of several */
static syntax *bracket(parser *p)
{
    const token *first = p->at;
    const syntax_list list = bracketed(p);
    return list.count == 1 ? list.at[0] : parse_list(p, SYNTAX_VECTOR, first, list);
}

/* component = '[' index ']' after an expression; there is none of a component, however many are written */
static syntax *component(parser *p, const token *first, syntax *of)
{
    if (of->kind == SYNTAX_COMPONENT)
        parse_error(p, "no index after a component", "a component is a number, which has none");
    const syntax_list list = indices(p, false);
    if (list.count > 1) parse_error(p, "one index", "components are written u[1], u[2], u[3]");
    return PARSE_NODE(p, SYNTAX_COMPONENT, first, of, list.at[0]);
}

/* variable = reference [ component ] : that of an element, e_omega[2][3] */
syntax *parse_variable(parser *p, uint32_t most_primes)
{
    const token *first = p->at;
    syntax *s = parse_reference(p, most_primes, false);
    return !p->failed && !s->primes && p->at->kind == TOKEN_OPEN_INDEX ? component(p, first, s) : s;
}

/* primary = ( number | named | bracket ) { component } */
static syntax *primary(parser *p)
{
    const token *first = p->at;
    syntax *s;
    if (parse_accept(p, TOKEN_NUMBER)) {
        s = PARSE_LEAF(p, SYNTAX_NUMBER, first);
    } else if (!p->failed && first->kind == TOKEN_NAME) {
        s = named(p);
    } else if (!p->failed && first->kind == TOKEN_OPEN) {
        s = bracket(p);
    } else {
        parse_error(p, "an expression", NULL);
        return PARSE_LEAF(p, SYNTAX_NUMBER, first);
    }
    if (s->primes && p->at->kind == TOKEN_OPEN_INDEX)
        parse_error(p, "the index before the prime", "the velocity of x[i] is written x[i]'");
    while (!p->failed && p->at->kind == TOKEN_OPEN_INDEX) s = component(p, first, s);
    if (!p->failed && p->at->kind == TOKEN_PRIME)
        parse_error(p, "no prime after an expression",
                    "x' is for names of coordinates; write der(e) for the time derivative of e");
    return s;
}

static syntax *factor(parser *p);

/* power = primary [ '^' factor ] : to the right, tighter than the minus before it */
static syntax *power(parser *p)
{
    const token *first = p->at;
    syntax *base = primary(p);
    if (!parse_accept(p, TOKEN_POWER)) return base;
    parse_enter(p);
    syntax *exponent = factor(p);
    parse_leave(p);
    return PARSE_NODE(p, SYNTAX_POWER, first, base, exponent);
}

/* factor = { '+' | '-' } power */
static syntax *factor(parser *p)
{
    const token *first = p->at;
    bool negative = false;
    while (!p->failed && (p->at->kind == TOKEN_MINUS || p->at->kind == TOKEN_PLUS)) {
        ctx_tick(p->ctx);
        negative ^= p->at->kind == TOKEN_MINUS;
        p->at++;
    }
    syntax *s = power(p);
    return negative ? PARSE_NODE(p, SYNTAX_NEGATE, first, s) : s;
}

/* A flat row of operands: `direct` between them leaves an operand as it is, `inverse` wraps it. */
typedef struct operation {
    syntax_kind row, wrap;
    token_kind direct, inverse;
    syntax *(*operand)(parser *p);
} operation;

static syntax *row(parser *p, const operation *op)
{
    const token *first = p->at;
    syntax *operand = op->operand(p);
    if (p->failed || (p->at->kind != op->direct && p->at->kind != op->inverse)) return operand;
    syntax_list list = {0};
    LIST_PUSH(p->l->arena, &list, operand);
    while (!p->failed && (p->at->kind == op->direct || p->at->kind == op->inverse)) {
        ctx_tick(p->ctx);
        const token *sign = p->at++;
        operand = op->operand(p);
        if (sign->kind == op->inverse) operand = PARSE_NODE(p, op->wrap, sign + 1, operand);
        LIST_PUSH(p->l->arena, &list, operand);
    }
    return parse_list(p, op->row, first, list);
}

/* term = factor { ( '*' | '/' ) factor } */
static syntax *term(parser *p)
{
    static const operation product = {SYNTAX_PRODUCT, SYNTAX_INVERT, TOKEN_TIMES, TOKEN_OVER,
                                      factor};
    return row(p, &product);
}

/* expression = term { ( '+' | '-' ) term } */
syntax *parse_expression(parser *p)
{
    static const operation sum = {SYNTAX_SUM, SYNTAX_NEGATE, TOKEN_PLUS, TOKEN_MINUS, term};
    return row(p, &sum);
}
