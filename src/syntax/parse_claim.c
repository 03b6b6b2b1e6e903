/* syntax/parse_claim.c - tokens to syntax: what a claim says.
 *
 * The words of this grammar may also be names. A word is a word where no equation can be meant: a
 * name or the end of the line follows it, or no `=` does. */
#include "parser.h"

#include <string.h>

const claim_word *lang_claim_word(const char *word)
{
    static const claim_word words[] = {
        {AH_SAYS_INTEGRAL, TAKES_EXPRESSION},
        {AH_SAYS_MEASURE, TAKES_EXPRESSION},
        {AH_SAYS_HOLONOMIC, TAKES_LABELS},
        {AH_SAYS_NONHOLONOMIC, TAKES_LABELS},
        {AH_SAYS_RANK, TAKES_NUMBERS},
        {AH_SAYS_ACCESSIBLE, TAKES_NUMBERS},
        {AH_SAYS_GROWTH, TAKES_NUMBERS},
        {AH_SAYS_SINGULAR, TAKES_CASES},
        {AH_SAYS_SOLUTION, TAKES_VALUES},
        {AH_SAYS_EQUILIBRIUM, TAKES_VALUES},
        {AH_SAYS_STEADY, TAKES_VALUES},
        {AH_SAYS_STABLE, TAKES_VALUES},
        {AH_SAYS_ATTRACTING, TAKES_VALUES},
        {AH_SAYS_UNSTABLE, TAKES_VALUES},
        {AH_SAYS_CHARACTERISTIC, TAKES_POLYNOMIAL},
    };
    _Static_assert(sizeof words / sizeof *words == AH_SAYS_KINDS - 1, "all that are no equations");
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strcmp(ah_says_word(words[i].says), word)) return &words[i];
    return NULL;
}

static bool ends_expression(const token *t)
{
    return t->kind == TOKEN_NAME || t->kind == TOKEN_NUMBER || t->kind == TOKEN_PRIME ||
           t->kind == TOKEN_CLOSE || t->kind == TOKEN_CLOSE_INDEX;
}

/* `when` after the end of an expression. */
static bool is_when(const token *first, const token *t)
{
    return t != first && t->kind == TOKEN_NAME && !strcmp(t->name->text, "when") &&
           ends_expression(t - 1);
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

/* Is there such a name before the end of the line, after the end of an expression? */
static bool word_follows(const parser *p, const char *word)
{
    for (const token *t = p->at + 1; t->kind != TOKEN_NEWLINE && t->kind != TOKEN_END; t++)
        if (t->kind == TOKEN_NAME && !strcmp(t->name->text, word) && ends_expression(t - 1))
            return true;
    return false;
}

static const claim_word *at_claim_word(const parser *p)
{
    if (p->failed || p->at->kind != TOKEN_NAME) return NULL;
    const claim_word *w = lang_claim_word(p->at->name->text);
    if (!w) return NULL;
    const token_kind next = p->at[1].kind;
    const bool listed =
        w->takes == TAKES_LABELS || w->takes == TAKES_VALUES || w->takes == TAKES_CASES;
    if (w->takes == TAKES_POLYNOMIAL) return word_follows(p, "in") ? w : NULL;
    const bool values =
        w->takes == TAKES_VALUES && next == TOKEN_NUMBER; /* wrong, and said there */
    if (listed)
        return next == TOKEN_NAME || next == TOKEN_NEWLINE || next == TOKEN_END || values ? w
                                                                                          : NULL;
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

/* labels = [ label { ',' label } ] ; numbers = expression { ',' expression }
 * values = [ 'at' ] [ definition { ',' definition } ] [ 'when' relations ] */
static syntax *list_after(parser *p, claim_takes takes, syntax **conditions)
{
    const token *first = p->at;
    syntax_list list = {0}, when = {0};
    if (takes == TAKES_VALUES) {
        accept_clause(p, "at");
        p->usage = "values are given to names, x = 0, y' = 1; what else must hold follows `when`";
    }
    bool conditional = takes == TAKES_VALUES && accept_clause(p, "when");
    if (!conditional && !(at_end(p) && takes != TAKES_NUMBERS)) {
        do {
            syntax *item = takes == TAKES_LABELS    ? parse_label(p)
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

/* cases = 'nowhere' | case { 'or' case } ; case = equation { ',' equation } */
static syntax *cases_after(parser *p)
{
    const token *first = p->at;
    syntax_list all = {0};
    if (parse_at_word(p, "nowhere") && !equation_follows(p)) {
        p->at++;
        return parse_list(p, SYNTAX_LIST_OF, first, all);
    }
    do {
        const token *begin = p->at;
        syntax_list one = {0};
        do LIST_PUSH(p->l->arena, &one, parse_equation(p));
        while (parse_accept(p, TOKEN_COMMA));
        LIST_PUSH(p->l->arena, &all, parse_list(p, SYNTAX_LIST_OF, begin, one));
    } while (parse_accept_word(p, "or"));
    return parse_list(p, SYNTAX_LIST_OF, first, all);
}

/* polynomial = expression 'in' name values */
static syntax *polynomial_after(parser *p, const token *first)
{
    syntax *conditions = NULL, *e = parse_expression(p);
    if (!parse_accept_word(p, "in"))
        parse_error(p, "`in` and the name of the variable", "write: characteristic s^2 + k/m in s");
    syntax *variable = parse_name(p);
    syntax *values = list_after(p, TAKES_VALUES, &conditions);
    return PARSE_NODE(p, SYNTAX_SAYS, first, values, conditions, e, variable);
}

/* limit = 'limit' name '->' ( [ '-' ] 'inf' | expression ) [ 'along' 't' '=' range ] ':' equation */
static syntax *parse_limit(parser *p)
{
    const token *first = p->at++;
    syntax *symbol = parse_name(p), *to = NULL;
    p->at++;
    const bool minus = p->at->kind == TOKEN_MINUS && p->at[1].kind == TOKEN_NAME &&
                       !strcmp(p->at[1].name->text, "inf");
    if (minus) p->at++;
    const bool infinite = parse_accept_word(p, "inf");
    if (!infinite) to = parse_expression(p);
    syntax *span = !p->failed && parse_accept_word(p, "along") ? parse_over(p) : NULL;
    syntax *limit = PARSE_NODE(p, SYNTAX_LIMIT, first, symbol, to, span);
    limit->direction = (int8_t) (!infinite ? 0 : minus ? -1 : 1);
    parse_expect(p, TOKEN_COLON);
    syntax *equation = parse_equation(p);
    if (p->failed) return equation;
    return PARSE_NODE(p, SYNTAX_EQUATION, first, equation->child[0], equation->child[1], limit);
}

static bool at_limit(const parser *p)
{
    return !p->failed && parse_at_word(p, "limit") && p->at[1].kind == TOKEN_NAME &&
           p->at[2].kind == TOKEN_ARROW;
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

/* says = [ 'identically' ] equation | limit | 'constant' expression | ( 'integral' | 'measure' ) expression
 *      | ( 'holonomic' | 'nonholonomic' ) labels | ( 'rank' | 'accessible' | 'growth' ) numbers
 *      | ( 'equilibrium' | 'steady' | 'stable' | 'attracting' | 'unstable' | 'solution' ) values
 *      | 'singular' cases | 'characteristic' polynomial */
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
    if (at_limit(p)) return parse_limit(p);
    const claim_word *w = at_claim_word(p);
    if (!w) return parse_equation(p);
    p->at++;
    if (w->takes == TAKES_POLYNOMIAL) {
        syntax *polynomial = polynomial_after(p, first);
        polynomial->name = first->name;
        return polynomial;
    }
    syntax *conditions = NULL;
    syntax *what = w->takes == TAKES_EXPRESSION ? parse_expression(p)
                   : w->takes == TAKES_CASES    ? cases_after(p)
                                                : list_after(p, w->takes, &conditions);
    syntax *s = PARSE_NODE(p, SYNTAX_SAYS, first, what, conditions);
    s->name = first->name;
    return s;
}
