/* syntax/parse_claim.c - tokens to syntax: what a claim says.
 *
 * The words of this grammar may also be names. A word is a word where no equation can be meant: a
 * name or the end of the line follows it, or no `=` does. */
#include "parser.h"

#include <string.h>

const claim_word *lang_claim_word(const char *word)
{
    static const claim_word words[] = {
#define X(code, text, takes) {code, text, takes},
        MODEL_SAYS_LIST(X)
#undef X
    };
    for (size_t i = 0; i < SAYS_KINDS; i++)
        if (!strcmp(words[i].word, word)) return &words[i];
    return NULL;
}

/* `when` after the end of an expression. */
static bool is_when(const token *first, const token *t)
{
    if (t == first || t->kind != TOKEN_NAME || strcmp(t->name->text, "when") != 0) return false;
    const token_kind last = t[-1].kind;
    return last == TOKEN_NAME || last == TOKEN_NUMBER || last == TOKEN_PRIME ||
           last == TOKEN_CLOSE || last == TOKEN_CLOSE_INDEX;
}

/* Is there a `=` before the end of the line (and before a comma if that ends it), outside of brackets? */
static bool equals_follows(const parser *p, bool comma_ends)
{
    size_t open = 0;
    for (const token *t = p->at; t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END; t++) {
        open += t->kind == TOKEN_OPEN || t->kind == TOKEN_OPEN_INDEX;
        open -= open && (t->kind == TOKEN_CLOSE || t->kind == TOKEN_CLOSE_INDEX);
        if (!open && t->kind == TOKEN_EQUAL) return true;
        if (!open && (is_when(p->at, t) || (comma_ends && t->kind == TOKEN_COMMA))) return false;
    }
    return false;
}

static bool equation_follows(const parser *p)
{
    return equals_follows(p, false);
}

static const claim_word *at_claim_word(const parser *p)
{
    if (p->failed || p->at->kind != TOKEN_NAME) return NULL;
    const claim_word *w = lang_claim_word(p->at->name->text);
    if (!w) return NULL;
    const token_kind next = p->at[1].kind;
    const bool listed = w->takes == TAKES_LABELS || w->takes == TAKES_VALUES;
    if (listed) return next == TOKEN_NAME || next == TOKEN_NEWLINE || next == TOKEN_END ? w : NULL;
    return equation_follows(p) ? NULL : w;
}

/* A word before values or conditions, unless a coordinate is called so. */
static bool accept_clause(parser *p, const char *word)
{
    const token_kind next = p->at->kind == TOKEN_END ? TOKEN_END : p->at[1].kind;
    if (next == TOKEN_EQUAL || next == TOKEN_PRIME || next == TOKEN_OPEN_INDEX) return false;
    return parse_accept_word(p, word);
}

static bool at_end(const parser *p)
{
    return p->at->kind == TOKEN_NEWLINE || p->at->kind == TOKEN_END;
}

/* labels = [ reference { ',' reference } ] ; numbers = expression { ',' expression }
 * values = [ 'at' ] [ definition { ',' definition } ] [ 'when' relations ] */
static syntax *list_after(parser *p, claim_takes takes, syntax **conditions)
{
    const token *first = p->at;
    syntax_list list = {0}, when = {0};
    if (takes == TAKES_VALUES) accept_clause(p, "at");
    bool conditional = takes == TAKES_VALUES && accept_clause(p, "when");
    if (!conditional && !(at_end(p) && takes != TAKES_NUMBERS)) {
        do {
            syntax *item = takes == TAKES_LABELS    ? parse_reference(p, 0, false)
                           : takes == TAKES_NUMBERS ? parse_expression(p)
                                                    : parse_definition(p, SYNTAX_EQUATION, 1);
            LIST_PUSH(p->l->arena, &list, item);
        } while (parse_accept(p, TOKEN_COMMA));
        conditional = takes == TAKES_VALUES && accept_clause(p, "when");
    }
    syntax *out = parse_list(p, SYNTAX_LIST_OF, first, list);
    if (conditional) {
        first = p->at;
        parse_relations(p, &when);
        *conditions = parse_list(p, SYNTAX_LIST_OF, first, when);
    }
    return out;
}

/* Before an equation, unless something is called so. */
static bool accept_identically(parser *p)
{
    if (p->failed || !parse_at_word(p, "identically") || !equation_follows(p)) return false;
    const token_kind next = p->at[1].kind;
    if (next != TOKEN_NAME && next != TOKEN_NUMBER && next != TOKEN_OPEN) return false;
    p->at++;
    return true;
}

/* method = name { '-' name } , as in `by gibbs-appell` */
name *parse_by_method(parser *p)
{
    if (p->failed || !parse_accept_word(p, "by")) return NULL;
    text t = text_begin(p->l->arena);
    do {
        if (p->at->kind != TOKEN_NAME) {
            parse_error(p, "the name of a method", "write: claim \"label\" by hamel: P[1] = …");
            return NULL;
        }
        text_printf(&t, "%s%s", t.length ? "-" : "", p->at++->name->text);
    } while (parse_accept(p, TOKEN_MINUS));
    const char *spelling = text_end(&t);
    return lang_intern(p->l, spelling, strlen(spelling));
}

/* 'when' ( equation | relation ) { ',' … } */
syntax *parse_when(parser *p)
{
    const token *first = p->at;
    syntax_list list = {0};
    if (p->failed || at_end(p) || !parse_accept_word(p, "when")) return NULL;
    do {
        if (equals_follows(p, true))
            LIST_PUSH(p->l->arena, &list, parse_equation(p));
        else
            parse_relation(p, &list);
    } while (parse_accept(p, TOKEN_COMMA));
    return parse_list(p, SYNTAX_LIST_OF, first, list);
}

/* says = [ 'identically' ] equation | 'constant' expression | ( 'integral' | 'measure' ) expression
 *      | ( 'holonomic' | 'nonholonomic' ) labels | ( 'rank' | 'accessible' | 'growth' ) numbers
 *      | ( 'equilibrium' | 'steady' | 'stable' | 'attracting' | 'unstable' ) values */
syntax *parse_says(parser *p)
{
    const token *first = p->at;
    if (!p->failed && parse_at_word(p, "constant") && !equation_follows(p)) {
        p->at++;
        return parse_expression(p);
    }
    if (accept_identically(p)) {
        syntax *equation = parse_equation(p);
        equation->name = first->name;
        return equation;
    }
    const claim_word *w = at_claim_word(p);
    if (!w) return parse_equation(p);
    p->at++;
    syntax *conditions = NULL;
    syntax *what =
        w->takes == TAKES_EXPRESSION ? parse_expression(p) : list_after(p, w->takes, &conditions);
    syntax *s = PARSE_NODE(p, SYNTAX_SAYS, first, what, conditions);
    s->name = first->name;
    return s;
}
