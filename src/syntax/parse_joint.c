/* syntax/parse_joint.c - tokens to syntax: markers, joints, springs and dampers. */
#include "parser.h"

#include <string.h>

static const char *const words[] = {
#define X(code, word) word,
    JOINT_CLAUSE_LIST(X)
#undef X
};

/* 'marker' reference { 'on' reference | 'at' expression } */
syntax *parse_marker(parser *p, syntax_kind kind)
{
    const token *first = p->at;
    syntax *target = parse_reference(p, 0, false), *on = NULL, *at = NULL;
    while (!p->failed && p->at->kind == TOKEN_NAME) {
        if (!on && parse_accept_word(p, "on"))
            on = parse_reference(p, 0, false);
        else if (!at && parse_accept_word(p, "at"))
            at = parse_expression(p);
        else
            parse_error(p, "`on` or `at`, each once", NULL);
    }
    return PARSE_NODE(p, kind, first, target, on, at);
}

#define MAY(clause) (1u << JOINT_##clause)
static const struct {
    const char *word;
    unsigned may, must;
    const char *second; /* a word that follows; NULL: none */
} joints[] = {
    {"ball", 0, 0, NULL},
    {"hinge", MAY(AXIS), 0, NULL},
    {"weld", 0, 0, NULL},
    {"slider", MAY(AXIS), 0, NULL},
    {"rod", MAY(LENGTH), MAY(LENGTH), NULL},
    {"spring", MAY(STIFFNESS) | MAY(LENGTH), MAY(STIFFNESS), NULL},
    {"damper", MAY(DAMPING), MAY(DAMPING), NULL},
    {"torsion", MAY(AXIS) | MAY(STIFFNESS) | MAY(ANGLE), MAY(STIFFNESS), "spring"},
    {"torsion", MAY(AXIS) | MAY(DAMPING), MAY(DAMPING), "damper"},
    {"gear", MAY(AXIS) | MAY(RATIO) | MAY(ON), MAY(RATIO), NULL},
};

/* Its row, the words of it read; the first of that word where the second one is missing. */
static size_t kind_of(parser *p, const char *word)
{
    size_t first = 0, k;
    while (strcmp(joints[first].word, word)) first++;
    if (!joints[first].second) return first;
    for (k = first; k < sizeof joints / sizeof *joints; k++)
        if (!strcmp(joints[k].word, word) && parse_accept_word(p, joints[k].second)) return k;
    parse_error(p, "`spring` or `damper`", NULL);
    return first;
}

static size_t at_clause(const parser *p)
{
    size_t k = JOINT_AXIS;
    while (k < JOINT_CHILDREN && !parse_at_word(p, words[k - JOINT_AXIS])) k++;
    return k;
}

static syntax *clause(parser *p, size_t k)
{
    p->at++;
    if (k == JOINT_ON) return parse_reference(p, 0, false);
    if (k != JOINT_AXIS) return parse_expression(p);
    if (!parse_at_word(p, "x") && !parse_at_word(p, "y") && !parse_at_word(p, "z"))
        parse_error(p, "an axis: x, y or z", NULL);
    return parse_name(p);
}

/* joint [ reference ':' ] expression ',' expression { clause }, after its word */
syntax *parse_joint(parser *p, syntax_kind kind)
{
    const token *word = p->at - 1, *first = p->at;
    syntax *child[JOINT_CHILDREN] = {NULL};
    const size_t which = kind_of(p, word->name->text);
    if (parse_at_label(p)) {
        child[JOINT_LABEL] = parse_reference(p, 0, false);
        parse_expect(p, TOKEN_COLON);
    }
    child[JOINT_FROM] = parse_expression(p);
    parse_expect(p, TOKEN_COMMA);
    child[JOINT_TO] = parse_expression(p);
    while (!p->failed && p->at->kind == TOKEN_NAME) {
        const size_t k = at_clause(p);
        const bool known = k < JOINT_CHILDREN && joints[which].may >> k & 1u;
        if (!known || child[k])
            parse_error(p, known ? "each clause once" : "a clause or the end of the line", NULL);
        else
            child[k] = clause(p, k);
    }
    for (size_t k = JOINT_AXIS; k < JOINT_CHILDREN; k++)
        if (joints[which].must >> k & 1u && !child[k])
            parse_error(p, arena_printf(&p->ctx->scratch, "`%s`", words[k - JOINT_AXIS]), NULL);
    syntax *s = parse_node(p, kind, first, JOINT_CHILDREN, child);
    s->name = word->name;
    return s;
}
