/* syntax/parse_draw.c - tokens to syntax: what is drawn.
 *
 *     draw   = 'draw' shape { place [ ',' ] } { clause }
 *     place  = expression : a point, a body, or a vector
 *     clause = word expression | 'axis' ( 'x' | 'y' | 'z' ) | 'z' '=' expression
 *            | 'of' reference | 'for' name '=' range | 'label' string | 'colour' name
 *
 * A name before `(` is a function, so a comma must stand between a point and a vector. */
#include "parser.h"

#include <string.h>

static const char *const words[] = {NULL,
#define X(code, word) word,
                                    DRAW_CLAUSE_LIST(X)
#undef X
};

enum { MANY = 1000 };
#define MAY(clause) (1u << DRAW_##clause)
#define SOLID       (MAY(AT) | MAY(NORMAL) | MAY(TURN))

typedef struct shape {
    size_t least, most; /* places before the clauses */
    unsigned may, must; /* clauses besides label and colour */
    const char *usage;
} shape;

static const shape shapes[] = {
    [AH_DRAW_POINT] = {1, 1, 0, 0, "write: draw point P label \"P\""},
    [AH_DRAW_LINE] = {2, MANY, 0, 0, "write: draw line A B, or: draw line A, (x, y), B"},
    [AH_DRAW_SPRING] = {2, 2, 0, 0, "write: draw spring A B, or: draw spring A, (x, y)"},
    [AH_DRAW_DISC] = {0, 1, SOLID | MAY(RADIUS) | MAY(AXIS), MAY(RADIUS),
                      "write: draw disc B radius r, or: draw disc at p normal n radius r turn a"},
    [AH_DRAW_WHEEL] =
        {0, 1, SOLID | MAY(RADIUS) | MAY(AXIS), MAY(RADIUS),
         "write: draw wheel B radius r, or: draw wheel at p normal n radius r turn a"},
    [AH_DRAW_SPHERE] = {0, 1, SOLID | MAY(RADIUS), MAY(RADIUS),
                        "write: draw sphere B radius r, or: draw sphere at p radius r"},
    [AH_DRAW_BOX] = {0, 1, SOLID | MAY(SIZE), MAY(SIZE),
                     "write: draw box B size (a, b, c), or: draw box at p size (a, b, c)"},
    [AH_DRAW_TRACE] = {1, 1, 0, 0, "write: draw trace P"},
    [AH_DRAW_BLADE] = {0, 0, MAY(AT) | MAY(ALONG) | MAY(LENGTH), MAY(AT) | MAY(ALONG),
                       "write: draw blade at r along (cos(a), sin(a)) length 0.5"},
    [AH_DRAW_ARROW] = {0, 0, MAY(AT) | MAY(ALONG) | MAY(SCALE), MAY(AT) | MAY(ALONG),
                       "write: draw arrow at r along v scale 0.1"},
    [AH_DRAW_VELOCITY] = {1, 1, MAY(SCALE), 0, "write: draw velocity P scale 0.1"},
    [AH_DRAW_REACTION] = {1, 1, MAY(SCALE) | MAY(OF), 0,
                          "write: draw reaction P scale 0.1, or: draw reaction P of label"},
    [AH_DRAW_GROUND] = {0, 0, MAY(AT) | MAY(NORMAL) | MAY(LEVEL), 0,
                        "write: draw ground, draw ground z = 0, or: draw ground at r normal n"},
    [AH_DRAW_CURVE] = {1, 1, MAY(OVER), MAY(OVER),
                       "write: draw curve (cos(s), sin(s)) for s = 0 .. 2*pi"},
    [AH_DRAW_SHAPE] = {1, 1, 0, 0, "write: draw shape B, of a body with a shape of its own"},
};

static const char *const names[] = {
#define X(code, word) word,
    AH_SHAPE_LIST(X)
#undef X
};

/* ---- Clauses --------------------------------------------------------------------------------- */

/* A name that is also the word of a clause is a place where nothing can follow it as a clause. */
static size_t at_clause(const parser *p)
{
    const token_kind next = p->at->kind == TOKEN_NAME ? p->at[1].kind : TOKEN_END;
    size_t k = DRAW_AT;
    while (k < DRAW_CHILDREN && !parse_at_word(p, words[k])) k++;
    if (k == DRAW_CHILDREN && parse_at_word(p, "color")) k = DRAW_COLOUR;
    if (k == DRAW_CHILDREN) return 0;
    if (k == DRAW_LEVEL) return next == TOKEN_EQUAL ? k : 0;
    return next == TOKEN_NAME || next == TOKEN_NUMBER || next == TOKEN_OPEN ||
                   next == TOKEN_MINUS || next == TOKEN_STRING
               ? k
               : 0;
}

static syntax *axis(parser *p)
{
    if (!parse_at_word(p, "x") && !parse_at_word(p, "y") && !parse_at_word(p, "z"))
        parse_error(p, "an axis: x, y or z", NULL);
    return parse_name(p);
}

static syntax *quoted(parser *p)
{
    const token *first = p->at;
    parse_expect(p, TOKEN_STRING);
    return PARSE_LEAF(p, SYNTAX_TEXT, first);
}

static syntax *clause(parser *p, size_t k)
{
    p->at++;
    switch (k) {
    case DRAW_AXIS: return axis(p);
    case DRAW_LEVEL: parse_expect(p, TOKEN_EQUAL); return parse_expression(p);
    case DRAW_OVER: return parse_over(p);
    case DRAW_OF: return parse_reference(p, 0, false);
    case DRAW_LABEL: return quoted(p);
    case DRAW_COLOUR: return parse_name(p);
    default: return parse_expression(p);
    }
}

static void clauses(parser *p, const shape *s, syntax **child)
{
    const unsigned may = s->may | MAY(LABEL) | MAY(COLOUR);
    for (size_t k = at_clause(p); k && !p->failed; k = at_clause(p)) {
        if (!(may >> k & 1u) || child[k])
            parse_error(p, child[k] ? "each clause once" : "a clause of this shape", NULL);
        else
            child[k] = clause(p, k);
    }
    for (size_t k = DRAW_AT; k < DRAW_CHILDREN; k++)
        if (s->must >> k & 1u && !child[k])
            parse_error(p, arena_printf(&p->ctx->scratch, "`%s`", words[k]), NULL);
}

/* ---- Shapes ---------------------------------------------------------------------------------- */

static bool at_place(const parser *p)
{
    const token_kind kind = p->at->kind;
    return !p->failed && !at_clause(p) &&
           (kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_OPEN ||
            kind == TOKEN_MINUS);
}

static syntax *places(parser *p, const shape *s)
{
    const token *first = p->at;
    syntax_list list = {0};
    while (list.count < s->most && at_place(p)) {
        LIST_PUSH(p->l->arena, &list, parse_expression(p));
        if (list.count < s->most) parse_accept(p, TOKEN_COMMA);
    }
    if (list.count < s->least)
        parse_error(p,
                    list.count ? "another place: a point, a body or a vector"
                               : "a place: a point, a body or a vector",
                    NULL);
    return parse_list(p, SYNTAX_LIST_OF, first, list);
}

syntax *parse_draw(parser *p)
{
    const token *word = p->at;
    syntax *child[DRAW_CHILDREN] = {NULL};
    size_t k = 0;
    while (k < AH_SHAPES && !parse_at_word(p, names[k])) k++;
    if (k == AH_SHAPES) {
        const char *near = word->kind == TOKEN_NAME
                               ? text_nearest(&p->ctx->scratch, word->name->text, names, AH_SHAPES)
                               : NULL;
        parse_error(p, "a shape",
                    near ? arena_printf(&p->ctx->scratch, "did you mean `%s`?", near)
                         : "point, line, spring, disc, wheel, sphere, box, trace, blade, arrow, "
                           "velocity, reaction, ground, curve or shape");
        return PARSE_LEAF(p, SYNTAX_DRAW, word);
    }
    p->at++;
    p->usage = shapes[k].usage;
    child[DRAW_PLACES] = places(p, &shapes[k]);
    if (!p->failed) clauses(p, &shapes[k], child);
    const bool placed = child[DRAW_PLACES]->count || child[DRAW_AT];
    if (!placed && !shapes[k].least && k != AH_DRAW_GROUND)
        parse_error(p, "a body, or `at` and a place", NULL);
    syntax *s = parse_node(p, SYNTAX_DRAW, word, DRAW_CHILDREN, child);
    s->name = word->name;
    return s;
}
