/* syntax/parse_contact.c - tokens to syntax: shapes, surfaces, rolling and sliding. */
#include "parser.h"

#include <string.h>

static const char *const words[] = {
#define X(code, word) word,
    CONTACT_CLAUSE_LIST(X)
#undef X
};

#define MAY(clause) (1u << CLAUSE_##clause)
typedef struct thing {
    const char *word;
    unsigned may, must;
    const char *usage;
} thing;

static const thing shapes[] = {
    {"sphere", MAY(RADIUS) | MAY(AT), MAY(RADIUS), "write: shape B sphere radius r"},
    {"disc", MAY(RADIUS) | MAY(AT) | MAY(AXIS), MAY(RADIUS), "write: shape B disc radius R axis z"},
    {"torus", MAY(RADIUS) | MAY(TUBE) | MAY(AT) | MAY(AXIS), MAY(RADIUS) | MAY(TUBE),
     "write: shape B torus radius R tube r axis z"},
    {"ellipsoid", MAY(SIZE) | MAY(AT), MAY(SIZE), "write: shape B ellipsoid size (a, b, c)"},
    {"curve", MAY(OVER) | MAY(AT), MAY(OVER),
     "write: shape B curve (cos(s), 2*sin(s), 0) for s = 0 .. 2*pi; what needs two parameters is "
     "written shape B: p for u = a .. b, v = c .. d"},
    {"level", MAY(AT) | MAY(OVER), MAY(FORMULA),
     "write: shape B: x^2/4 + y^4 + z^2 = 1, in body axes, or its places: shape B: p for u = a .. "
     "b, "
     "v = c .. d"},
    {"cylinder", MAY(RADIUS) | MAY(LENGTH) | MAY(AT) | MAY(AXIS), MAY(RADIUS),
     "write: shape B cylinder radius R length l axis z, which rolls on an edge, or without length: "
     "it "
     "lies"},
    {"cone", MAY(RADIUS) | MAY(LENGTH) | MAY(ANGLE) | MAY(AT) | MAY(AXIS), 0,
     "write: shape B cone radius R length l at c, which rolls on its edge, or: cone angle alpha at "
     "c, "
     "which lies"},
};
static const thing surfaces[] = {
    {"plane", MAY(AT) | MAY(NORMAL) | MAY(TURNING) | MAY(MOVING) | MAY(ON), 0,
     "write: surface S plane at p normal n"},
    {"sphere",
     MAY(AT) | MAY(RADIUS) | MAY(TURNING) | MAY(MOVING) | MAY(ALONG) | MAY(ON) | MAY(INSIDE),
     MAY(RADIUS), "write: surface S sphere radius R at p, or: … inside"},
    {"cylinder",
     MAY(AT) | MAY(RADIUS) | MAY(ALONG) | MAY(TURNING) | MAY(MOVING) | MAY(ON) | MAY(INSIDE),
     MAY(RADIUS), "write: surface S cylinder radius R along a, or: … inside"},
    {"cone", MAY(AT) | MAY(ANGLE) | MAY(ALONG) | MAY(TURNING) | MAY(MOVING) | MAY(ON) | MAY(INSIDE),
     MAY(ANGLE), "write: surface S cone angle alpha along a, or: … inside"},
    {"level", MAY(AT) | MAY(ALONG) | MAY(TURNING) | MAY(MOVING) | MAY(ON) | MAY(OVER), MAY(FORMULA),
     "write: surface S: z = x^2 + y^2, or: surface S: F = 0, or its places: surface S: p for u = a "
     ".. "
     "b, v = c .. d"},
};

static size_t at_clause(const parser *p)
{
    size_t k = 0;
    while (k < CONTACT_CLAUSES && !parse_at_word(p, words[k])) k++;
    return k;
}

static syntax *axis(parser *p)
{
    if (!parse_at_word(p, "x") && !parse_at_word(p, "y") && !parse_at_word(p, "z"))
        parse_error(p, "an axis: x, y or z", NULL);
    return parse_name(p);
}

/* A parameter of a curve, or two of a sheet. */
static syntax *over(parser *p)
{
    const token *first = p->at;
    syntax_list list = {0};
    do LIST_PUSH(p->l->arena, &list, parse_over(p));
    while (parse_accept(p, TOKEN_COMMA));
    return list.count == 1 ? list.at[0] : parse_list(p, SYNTAX_LIST_OF, first, list);
}

/* An equation, or the places p(u, v). */
static syntax *formula(parser *p)
{
    const token *first = p->at;
    syntax *left = parse_expression(p);
    if (!parse_at_word(p, "for")) {
        parse_expect(p, TOKEN_EQUAL);
        syntax *right = parse_expression(p);
        return PARSE_NODE(p, SYNTAX_EQUATION, first, left, right);
    }
    return left;
}

/* A curve has one parameter, a sheet two, an equation none. */
static void count_parameters(parser *p, const token *at, const char *word, const syntax *const *c)
{
    const syntax *of = c[1 + CLAUSE_FORMULA], *range = c[1 + CLAUSE_OVER];
    if (p->failed || !of || !range) return;
    const size_t given = range->kind == SYNTAX_LIST_OF ? range->count : 1;
    const bool curve = !strcmp(word, "curve"), equation = of->kind == SYNTAX_EQUATION;
    if (given == (curve ? 1u : 2u) && !equation) return;
    p->at = at;
    parse_error(p,
                equation ? "no parameters: an equation in x, y, z needs none"
                : curve  ? "one parameter for a curve"
                         : "two parameters for a surface",
                NULL);
}

static syntax *clause(parser *p, size_t k)
{
    const token *word = p->at++;
    switch (k) {
    case CLAUSE_AXIS: return axis(p);
    case CLAUSE_OVER: return over(p);
    case CLAUSE_ON: return parse_reference(p, 0, false);
    case CLAUSE_INSIDE: return PARSE_LEAF(p, SYNTAX_NUMBER, word);
    default: return parse_expression(p);
    }
}

/* Which of the things stands here; one with a formula is named by its colon. */
static size_t at_thing(parser *p, syntax_kind kind, const thing *things, size_t count)
{
    const token *word = p->at;
    const char *names[8];
    size_t k = 0, known = 0;
    const bool formula = word->kind == TOKEN_COLON;
    for (size_t i = 0; i < count; i++)
        if (!(things[i].must & MAY(FORMULA))) names[known++] = things[i].word;
    while (k < count &&
           (formula ? !(things[k].must & MAY(FORMULA))
                    : things[k].must & MAY(FORMULA) || !parse_at_word(p, things[k].word)))
        k++;
    if (k < count) return k;
    const char *near = word->kind == TOKEN_NAME && !p->failed
                           ? text_nearest(&p->ctx->scratch, word->name->text, names, known)
                           : NULL;
    parse_error(p,
                kind == SYNTAX_SHAPE ? "a shape, or `:` and an equation"
                                     : "a surface, or `:` and an equation",
                near ? arena_printf(&p->ctx->scratch, "did you mean `%s`?", near) : NULL);
    return k;
}

/* The word after the target, and its clauses, each once and in any order. */
static syntax *described(parser *p, syntax_kind kind, const thing *things, size_t count)
{
    const token *first = p->at;
    syntax *child[1 + CONTACT_CLAUSES] = {parse_reference(p, 0, false)};
    const token *word = p->at;
    const size_t k = at_thing(p, kind, things, count);
    if (k == count) return PARSE_LEAF(p, kind, first);
    p->at++;
    p->usage = things[k].usage;
    const token *over = p->at;
    if (things[k].must & MAY(FORMULA)) child[1 + CLAUSE_FORMULA] = formula(p);
    if (!strcmp(things[k].word, "curve")) child[1 + CLAUSE_FORMULA] = parse_expression(p);
    while (!p->failed && p->at->kind == TOKEN_NAME) {
        const size_t c = at_clause(p);
        const bool known = c < CONTACT_CLAUSES && things[k].may >> c & 1u;
        if (!known || child[1 + c])
            parse_error(p, known ? "each clause once" : "a clause or the end of the line", NULL);
        else
            over = c == CLAUSE_OVER ? p->at : over, child[1 + c] = clause(p, c);
    }
    count_parameters(p, over, things[k].word, (const syntax *const *) child);
    for (size_t c = 0; c < CONTACT_CLAUSES; c++)
        if (things[k].must >> c & 1u && !child[1 + c])
            parse_error(p, arena_printf(&p->ctx->scratch, "`%s`", words[c]), NULL);
    syntax *s = parse_node(p, kind, first, 1 + CONTACT_CLAUSES, child);
    if (word->kind == TOKEN_NAME) s->name = word->name; /* NULL: a formula */
    return s;
}

/* 'shape' reference ( kind { clause } | 'curve' expr 'for' name '=' range
 *                   | ':' ( equation | expr 'for' name '=' range ',' name '=' range ) ) */
syntax *parse_shape(parser *p, syntax_kind kind)
{
    return described(p, kind, shapes, sizeof shapes / sizeof *shapes);
}

/* 'surface' name ( kind | ':' equation | ':' expr 'for' name '=' range ',' name '=' range ) { clause } */
syntax *parse_surface(parser *p, syntax_kind kind)
{
    return described(p, kind, surfaces, sizeof surfaces / sizeof *surfaces);
}

/* ( 'roll' | 'slide' ) [ reference ':' ] reference 'on' reference [ 'without' 'spinning' ] */
syntax *parse_contact(parser *p, syntax_kind kind)
{
    const token *first = p->at;
    syntax *label = NULL;
    if (parse_at_label(p)) {
        label = parse_reference(p, 0, false);
        parse_expect(p, TOKEN_COLON);
    }
    syntax *part = parse_reference(p, 0, false);
    if (!parse_accept_word(p, "on")) parse_error(p, "`on`", NULL);
    syntax *on = parse_reference(p, 0, false), *still = NULL;
    const token *without = p->at;
    if (kind == SYNTAX_ROLL && parse_accept_word(p, "without")) {
        if (!parse_accept_word(p, "spinning")) parse_error(p, "`spinning`", NULL);
        still = PARSE_LEAF(p, SYNTAX_NUMBER, without);
    } else if (p->at->kind == TOKEN_NAME) {
        parse_error(p,
                    kind == SYNTAX_ROLL ? "`without spinning` or the end of the line"
                                        : "the end of the line: what slides may spin",
                    NULL);
    }
    return PARSE_NODE(p, kind, first, label, part, on, still);
}
