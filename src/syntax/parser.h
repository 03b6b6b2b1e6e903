/* syntax/parser.h - what the two halves of the parser share. */
#ifndef SYNTAX_PARSER_H
#define SYNTAX_PARSER_H
#include "syntax.h"

typedef struct parser {
    lang *l;
    ah_ctx *ctx;
    uint32_t file;
    const token *at;
    uint32_t depth;    /* of brackets, powers and blocks */
    uint32_t blocks;   /* open INDENTs */
    bool failed;       /* this statement was given up: what follows is skipped */
    const char *usage; /* of the statement: the hint of its errors */
} parser;

typedef LIST(syntax *) syntax_list;

/* Gives the statement up: "expected …, found …". Only the first complaint of a statement counts. */
void parse_error(parser *p, const char *expected, const char *hint);
bool parse_accept(parser *p, token_kind kind);
bool parse_expect(parser *p, token_kind kind);
/* A contextual keyword: a name with this text. */
bool parse_at_word(const parser *p, const char *word);
bool parse_accept_word(parser *p, const char *word);
/* Around everything that nests; past the limit the reading ends. */
void parse_enter(parser *p);
static inline void parse_leave(parser *p)
{
    p->depth--;
}

/* A node from the token at `first` to the last one consumed, over a list of children (which it
 * keeps), over the given ones, or without. */
syntax *parse_list(parser *p, syntax_kind kind, const token *first, syntax_list list);
syntax *parse_node(parser *p, syntax_kind kind, const token *first, size_t count,
                   syntax *const *child);
#define PARSE_NODE(p, kind, first, ...)                                                            \
    parse_node((p), (kind), (first), sizeof((syntax *[]){__VA_ARGS__}) / sizeof(syntax *),         \
               (syntax *[]){__VA_ARGS__})
#define PARSE_LEAF(p, kind, first) parse_list((p), (kind), (first), (syntax_list){0})

/* Never NULL; after a failure something without meaning. */
syntax *parse_expression(parser *p);
syntax *parse_name(parser *p);
/* NAME or NAME[…], with primes after it up to the given number; `ranges`: a .. b among the indices.
 */
syntax *parse_reference(parser *p, uint32_t primes, bool ranges);
syntax *parse_label(parser *p); /* a reference, or a row of it: label.2 */
syntax *parse_variable(parser *p, uint32_t primes);
syntax *parse_range(parser *p);
syntax *parse_over(parser *p); /* name '=' range */

/* After the word `draw`: parse_draw.c. */
syntax *parse_draw(parser *p);

/* parse_contact.c: after the words `shape`, `surface`, `roll` and `slide`. */
syntax *parse_shape(parser *p, syntax_kind kind);
syntax *parse_surface(parser *p, syntax_kind kind);
syntax *parse_contact(parser *p, syntax_kind kind);
syntax *parse_marker(parser *p, syntax_kind kind); /* parse_joint.c */
syntax *parse_joint(parser *p, syntax_kind kind);
/* Our word for a statement that papers or other tools call `word`; NULL: none. */
const char *parse_elsewhere(const char *word);

/* A name, perhaps with indices, before a colon. */
bool parse_at_label(const parser *p);

/* equation = expression '=' expression */
syntax *parse_equation(parser *p);
/* definition = reference '=' expression, with primes after the reference up to the given number */
syntax *parse_definition(parser *p, syntax_kind kind, uint32_t primes);
/* relations = expression relation expression { relation expression } { ',' … } , as ASSUMEs */
void parse_relations(parser *p, syntax_list *out);
void parse_relation(parser *p, syntax_list *out); /* one of them */
/* What a claim says, by which method, and under which conditions: parse_claim.c. The last two may be
 * missing: NULL. */
syntax *parse_says(parser *p);
name *parse_by_method(parser *p);
syntax *parse_when(parser *p);

#endif
