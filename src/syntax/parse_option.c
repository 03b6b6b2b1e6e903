/* syntax/parse_option.c - tokens to syntax: what options say in the names of a model. Expressions, states
 * ("x=1, x'=2"), ranges ("x'=0..10:201"). */
#include "parser.h"

#include <string.h>

static parser parser_of(lang *l, const token_list *tokens, const char *usage)
{
    return (parser){.l = l, .ctx = l->ctx, .file = tokens->file, .at = tokens->at, .usage = usage};
}

static bool at_end(parser *p)
{
    if (p->at->kind == TOKEN_NEWLINE) p->at++;
    return p->at->kind == TOKEN_END;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* expressions = expression { ',' expression } */
syntax *lang_parse_expressions(lang *l, const token_list *tokens)
{
    parser p = parser_of(l, tokens, "write expressions with commas between them: t, x, x'^2");
    syntax_list list = {0};
    do LIST_PUSH(l->arena, &list, parse_expression(&p));
    while (parse_accept(&p, TOKEN_COMMA));
    if (!at_end(&p)) parse_error(&p, "a comma or the end of the expressions", NULL);
    return p.failed ? NULL : parse_list(&p, SYNTAX_LIST_OF, tokens->at, list);
}

syntax *lang_parse_expression(lang *l, const token_list *tokens)
{
    parser p = parser_of(l, tokens, "write an expression such as x'^2 + y'^2");
    syntax *s = parse_expression(&p);
    if (!at_end(&p)) parse_error(&p, "the end of the expression", NULL);
    return p.failed ? NULL : s;
}

/* ---- States ---------------------------------------------------------------------------------- */

/* Where the form itself fails the complaint is the option's, not that of an expression. */
static void not_of_the_form(parser *p, diag_code code, const token *first, const char *form)
{
    if (p->failed) return;
    p->failed = true;
    if (p->at->kind == TOKEN_BAD) return; /* already told */
    diag(p->ctx, code, (ah_span){p->file, first->begin, p->at->end}, "this is not of the form %s",
         form);
    diag_hint(p->ctx, "%s", p->usage);
}

/* values = [ value { ',' [ value ] } ]      value = variable '=' expression */
syntax *lang_parse_values(lang *l, const token_list *tokens, const char *usage)
{
    parser p = parser_of(l, tokens, usage);
    syntax_list list = {0};
    do {
        const token *first = p.at;
        if (first->kind == TOKEN_COMMA || at_end(&p)) continue;
        syntax *target = parse_variable(&p, 2);
        if (!parse_accept(&p, TOKEN_EQUAL)) not_of_the_form(&p, A0604, first, "name = value");
        syntax *value = parse_expression(&p);
        LIST_PUSH(l->arena, &list, PARSE_NODE(&p, SYNTAX_EQUATION, first, target, value));
    } while (parse_accept(&p, TOKEN_COMMA));
    if (!at_end(&p)) parse_error(&p, "a comma or the end of the state", NULL);
    return p.failed ? NULL : parse_list(&p, SYNTAX_LIST_OF, tokens->at, list);
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* range = variable '=' expression '..' expression [ ':' number ]      target, from, to, [ number ] */
syntax *lang_parse_varied(lang *l, const token_list *tokens, const char *usage)
{
    static const char form[] = "NAME=a..b:N";
    const token *first = tokens->at;
    parser p = parser_of(l, tokens, usage);
    syntax *target = parse_variable(&p, 1), *number = NULL;
    if (!parse_accept(&p, TOKEN_EQUAL)) not_of_the_form(&p, A0622, first, form);
    syntax *from = parse_expression(&p);
    if (!parse_accept(&p, TOKEN_RANGE)) not_of_the_form(&p, A0622, first, form);
    syntax *to = parse_expression(&p);
    if (parse_accept(&p, TOKEN_COLON)) {
        const token *count = p.at;
        if (!parse_accept(&p, TOKEN_NUMBER)) not_of_the_form(&p, A0622, first, form);
        number = PARSE_LEAF(&p, SYNTAX_NUMBER, count);
    }
    if (!at_end(&p)) not_of_the_form(&p, A0622, first, form);
    return p.failed ? NULL : PARSE_NODE(&p, SYNTAX_RANGE, first, target, from, to, number);
}
