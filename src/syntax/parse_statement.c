/* syntax/parse_statement.c - tokens to syntax: statements.
 *
 * A statement that lists several things (parameter a = 1, b = 2) becomes one node for each. */
#include "parser.h"

#include <string.h>

enum { UNIT_PRIMES = 2 };     /* are read, for a better complaint */
enum { ARGUMENTS_MOST = 64 }; /* of a function that a model declares */

typedef struct form form;
typedef void parse_fn(parser *p, const form *f, syntax_list *out);

struct form {
    const char *word;
    syntax_kind kind;
    parse_fn *parse; /* after the word; the end of the line is left, unless a block took it */
    const char *usage;
    syntax *(*single)(parser *p, syntax_kind kind); /* of one whose parse is `single` */
};

static void add(parser *p, syntax_list *out, syntax *s)
{
    LIST_PUSH(p->l->arena, out, s);
}

/* ---- Ends of statements, blocks -------------------------------------------------------------- */

static void end_line(parser *p)
{
    if (p->failed || parse_accept(p, TOKEN_NEWLINE)) return;
    const token_kind kind = p->at->kind;
    const bool operand = kind == TOKEN_NAME || kind == TOKEN_NUMBER || kind == TOKEN_OPEN;
    const token *before = p->at - 1; /* there is one: the statement's word */
    const bool choice = before->kind == TOKEN_NAME && !strcmp(before->name->text, "if");
    parse_error(p, "an operator or the end of the line",
                choice    ? "write if(x > 0, a, b)"
                : operand ? "a product needs its sign: 2*x"
                          : NULL);
}

static bool open_block(parser *p)
{
    if (p->failed || p->at[0].kind != TOKEN_NEWLINE || p->at[1].kind != TOKEN_INDENT) return false;
    p->at += 2;
    p->blocks++;
    return true;
}

static bool close_block(parser *p)
{
    if (!parse_accept(p, TOKEN_DEDENT)) return false;
    p->blocks--;
    return true;
}

typedef void item_fn(parser *p, syntax_list *out);

/* block = NEWLINE INDENT { item } DEDENT | item */
static syntax *block(parser *p, item_fn *item)
{
    const token *first = p->at;
    syntax_list list = {0};
    parse_enter(p);
    if (open_block(p)) {
        do item(p, &list);
        while (!p->failed && !close_block(p));
    } else if (p->at->kind == TOKEN_NEWLINE) {
        parse_error(p, "an indented block", "the lines after the `:` begin further right");
    } else {
        item(p, &list);
    }
    parse_leave(p);
    return parse_list(p, SYNTAX_LIST_OF, first, list);
}

#define FOR_USAGE "write: for i = 1 .. n:, and indent what is repeated"

/* for = 'for' name '=' range ':' block , after its first word */
static void repeat(parser *p, syntax_list *out, item_fn *item)
{
    const token *first = p->at;
    const char *usage = p->usage;
    p->usage = FOR_USAGE;
    parse_expect(p, TOKEN_NAME);
    parse_expect(p, TOKEN_EQUAL);
    syntax *range = parse_range(p);
    parse_expect(p, TOKEN_COLON);
    if (p->failed) return;
    p->usage = usage;
    syntax *body = block(p, item);
    syntax *s = PARSE_NODE(p, SYNTAX_FOR, first, range, body);
    s->name = first->name;
    add(p, out, s);
}

/* A coordinate may be called `for`, but no name follows it. */
static bool accept_for(parser *p)
{
    return p->at[1].kind == TOKEN_NAME && parse_accept_word(p, "for");
}

/* ---- Parts ----------------------------------------------------------------------------------- */

static syntax *quoted(parser *p)
{
    const token *first = p->at;
    parse_expect(p, TOKEN_STRING);
    return PARSE_LEAF(p, SYNTAX_TEXT, first);
}

syntax *parse_equation(parser *p)
{
    const token *first = p->at;
    syntax *left = parse_expression(p);
    parse_expect(p, TOKEN_EQUAL);
    syntax *right = parse_expression(p);
    return PARSE_NODE(p, SYNTAX_EQUATION, first, left, right);
}

/* arguments = '(' name { ',' name } ')' */
static syntax *arguments(parser *p)
{
    const token *first = p->at;
    syntax_list list = {0};
    parse_expect(p, TOKEN_OPEN);
    do add(p, &list, parse_name(p));
    while (list.count < ARGUMENTS_MOST && parse_accept(p, TOKEN_COMMA));
    parse_expect(p, TOKEN_CLOSE);
    return parse_list(p, SYNTAX_ARGUMENTS, first, list);
}

/* ---- Statements that list -------------------------------------------------------------------- */

syntax *parse_definition(parser *p, syntax_kind kind, uint32_t primes)
{
    const token *first = p->at;
    syntax *target = parse_reference(p, primes, false);
    parse_expect(p, TOKEN_EQUAL);
    syntax *value = parse_expression(p);
    return PARSE_NODE(p, kind, first, target, value);
}

static syntax *turns(parser *p);

/* attitude = reference [ 'near' ] 'turn' ( turns | 'about' expression 'angle' expression ) [ 'turning' expression ]
 *          | reference 'turning' expression */
static syntax *attitude(parser *p)
{
    const token *first = p->at;
    syntax *of = parse_reference(p, 0, false), *turned = NULL, *axis = NULL, *angle = NULL;
    const bool guess = parse_accept_word(p, "near");
    const bool turn = parse_accept_word(p, "turn"), about = turn && parse_accept_word(p, "about");
    if (about) {
        axis = parse_expression(p);
        if (!parse_accept_word(p, "angle"))
            parse_error(p, "`angle`", "write: start e turn about (0, 0, 1) angle pi/2");
        angle = parse_expression(p);
    } else if (turn) {
        turned = turns(p);
    }
    syntax *omega = parse_accept_word(p, "turning") ? parse_expression(p) : NULL;
    syntax *s = PARSE_NODE(p, SYNTAX_ATTITUDE, first, of, turned, omega, axis, angle);
    s->direction = guess;
    return s;
}

static bool is_word(const token *t, const char *word)
{
    return t->kind == TOKEN_NAME && !strcmp(t->name->text, word);
}

/* What follows the name `t` and its indices. */
static const token *after_name(const token *t)
{
    if (t[1].kind != TOKEN_OPEN_INDEX) return t + 1;
    for (t++; t->kind != TOKEN_CLOSE_INDEX; t++)
        if (t->kind == TOKEN_NEWLINE || t->kind == TOKEN_END) return t;
    return t + 1;
}

/* A name is followed by what begins an attitude; in `x near turn` turn is a name, too. */
static bool at_attitude(const parser *p)
{
    if (p->at->kind != TOKEN_NAME) return false;
    const token *t = after_name(p->at);
    if (is_word(t, "turn") || is_word(t, "turning")) return true;
    if (!is_word(t, "near") || !is_word(t + 1, "turn")) return false;
    return is_word(t + 2, "x") || is_word(t + 2, "y") || is_word(t + 2, "z") ||
           is_word(t + 2, "about");
}

/* 'start' ( definition | reference 'near' expression | attitude ) { ',' … } */
static void starts(parser *p, const form *f, syntax_list *out)
{
    do {
        if (at_attitude(p)) {
            add(p, out, attitude(p));
            continue;
        }
        const token *first = p->at;
        syntax *target = parse_reference(p, 1, false);
        const bool guess = !p->failed && parse_accept_word(p, "near");
        if (!guess) parse_expect(p, TOKEN_EQUAL);
        syntax *s = PARSE_NODE(p, f->kind, first, target, parse_expression(p));
        s->direction = guess;
        add(p, out, s);
    } while (parse_accept(p, TOKEN_COMMA));
}

/* 'force' | 'output' | … : definition { ',' definition } */
static void definitions(parser *p, const form *f, syntax_list *out)
{
    do add(p, out, parse_definition(p, f->kind, 0));
    while (parse_accept(p, TOKEN_COMMA));
}

/* 'output' [ 'by' method ':' ] definition { ',' definition } ; an output may be called `by`. */
static void outputs(parser *p, const form *f, syntax_list *out)
{
    const bool by = parse_at_word(p, "by") && p->at[1].kind == TOKEN_NAME;
    name *method = by ? parse_by_method(p) : NULL;
    if (by) parse_expect(p, TOKEN_COLON);
    do {
        syntax *s = parse_definition(p, f->kind, 0);
        s->name = method;
        add(p, out, s);
    } while (parse_accept(p, TOKEN_COMMA));
}

/* 'unit' reference { ',' reference } '=' text { ',' … } : the text is for all references before it
 */
static void units(parser *p, const form *f, syntax_list *out)
{
    do {
        syntax_list targets = {0};
        const token *first = p->at;
        do LIST_PUSH(p->l->arena, &targets, parse_reference(p, UNIT_PRIMES, false));
        while (parse_accept(p, TOKEN_COMMA));
        parse_expect(p, TOKEN_EQUAL);
        syntax *unit = quoted(p);
        for (size_t i = 0; i < targets.count; i++)
            add(p, out, PARSE_NODE(p, f->kind, first, targets.at[i], unit));
    } while (parse_accept(p, TOKEN_COMMA));
}

/* 'parameter' reference [ '=' expression ] { ',' … } */
static void parameters(parser *p, const form *f, syntax_list *out)
{
    do {
        const token *first = p->at;
        syntax *target = parse_reference(p, 0, true);
        syntax *value = parse_accept(p, TOKEN_EQUAL) ? parse_expression(p) : NULL;
        add(p, out, PARSE_NODE(p, f->kind, first, target, value));
    } while (parse_accept(p, TOKEN_COMMA));
}

/* 'input' name [ '=' expression ] { ',' … } */
static void inputs(parser *p, const form *f, syntax_list *out)
{
    do {
        const token *first = p->at;
        syntax *target = parse_name(p);
        if (p->at->kind == TOKEN_OPEN_INDEX)
            parse_error(p, "a name without an index",
                        "there are no families of inputs: input u1 = 0, u2 = 0");
        syntax *value = parse_accept(p, TOKEN_EQUAL) ? parse_expression(p) : NULL;
        add(p, out, PARSE_NODE(p, f->kind, first, target, value));
    } while (parse_accept(p, TOKEN_COMMA));
}

/* 'coordinate' reference { ',' reference } */
static void coordinates(parser *p, const form *f, syntax_list *out)
{
    do {
        const token *first = p->at;
        syntax *target = parse_reference(p, 0, true);
        add(p, out, PARSE_NODE(p, f->kind, first, target));
    } while (parse_accept(p, TOKEN_COMMA));
}

/* 'let' reference [ arguments ] '=' expression { ',' … } */
static void lets(parser *p, const form *f, syntax_list *out)
{
    do {
        const token *first = p->at;
        syntax *target = parse_reference(p, 0, false);
        syntax *args = !p->failed && p->at->kind == TOKEN_OPEN ? arguments(p) : NULL;
        parse_expect(p, TOKEN_EQUAL);
        syntax *value = parse_expression(p);
        add(p, out, PARSE_NODE(p, f->kind, first, target, args, value));
    } while (parse_accept(p, TOKEN_COMMA));
}

/* 'function' name arguments { ',' … } */
static void functions(parser *p, const form *f, syntax_list *out)
{
    do {
        const token *first = p->at;
        syntax *target = parse_name(p);
        syntax *args = arguments(p);
        add(p, out, PARSE_NODE(p, f->kind, first, target, args));
    } while (parse_accept(p, TOKEN_COMMA));
}

static bool at_relation(const parser *p)
{
    return p->at->kind >= TOKEN_GREATER && p->at->kind <= TOKEN_UNEQUAL;
}

void parse_relation(parser *p, syntax_list *out)
{
    const token *first = p->at;
    syntax *left = parse_expression(p);
    if (!at_relation(p)) parse_error(p, "`>`, `<`, `>=`, `<=` or `!=`", NULL);
    while (!p->failed && at_relation(p)) {
        const token_kind relation = p->at++->kind;
        syntax *right = parse_expression(p);
        syntax *s = PARSE_NODE(p, SYNTAX_ASSUME, first, left, right);
        s->relation = (uint8_t) relation;
        add(p, out, s);
        left = right;
    }
}

void parse_relations(parser *p, syntax_list *out)
{
    do parse_relation(p, out);
    while (parse_accept(p, TOKEN_COMMA));
}

/* 'assume' relations */
static void assumptions(parser *p, const form *f, syntax_list *out)
{
    (void) f;
    parse_relations(p, out);
}

/* ---- Statements of one thing ----------------------------------------------------------------- */

/* 'system' | 'source' : string */
static void title(parser *p, const form *f, syntax_list *out)
{
    const token *first = p->at;
    syntax *what = quoted(p);
    add(p, out, PARSE_NODE(p, f->kind, first, what));
}

/* 'kinetic' | 'potential' | 'gravity' : expression */
static void one_expression(parser *p, const form *f, syntax_list *out)
{
    const token *first = p->at;
    syntax *e = parse_expression(p);
    add(p, out, PARSE_NODE(p, f->kind, first, e));
}

/* In `start e turn z a, y' = 1` the comma ends the turns: y' is no axis. */
static bool at_other_start(const parser *p)
{
    const token *next = p->at + 1;
    if (p->at->kind != TOKEN_COMMA || next->kind != TOKEN_NAME) return false;
    const token *after = after_name(next);
    return after->kind == TOKEN_PRIME || after->kind == TOKEN_EQUAL || is_word(after, "near") ||
           is_word(after, "turn") || is_word(after, "turning");
}

/* turns = turn { ',' turn }, turn = axis expression | 'free' reference */
static syntax *turns(parser *p)
{
    const token *first = p->at;
    syntax_list list = {0};
    do {
        const token *axis = p->at;
        if (parse_at_word(p, "free") && p->at[1].kind == TOKEN_NAME) {
            p->at++;
            syntax *of = parse_reference(p, 0, false);
            syntax *s = PARSE_NODE(p, SYNTAX_TURN, axis, of);
            s->name = axis->name;
            add(p, &list, s);
            break;
        }
        if (!parse_at_word(p, "x") && !parse_at_word(p, "y") && !parse_at_word(p, "z"))
            parse_error(p, "an axis, x, y or z, or `free` and a name",
                        "write: turn z a, x b, y c, or: turn free e, which comes last");
        parse_accept(p, TOKEN_NAME);
        syntax *angle = parse_expression(p);
        syntax *s = PARSE_NODE(p, SYNTAX_TURN, axis, angle);
        s->name = axis->name;
        add(p, &list, s);
    } while (!at_other_start(p) && parse_accept(p, TOKEN_COMMA));
    return parse_list(p, SYNTAX_LIST_OF, first, list);
}

/* What says a clause of `point` or `body`; in the order of their children after the target. */
static const char *const clauses[] = {"mass", "inertia", "at", "turn", "on"};
enum { MASS, INERTIA, PLACE, TURN, ON, CLAUSES };

/* 'point' reference { 'mass' expression | 'at' expression }
 * 'body' reference { 'mass' … | 'inertia' … | 'at' … | 'turn' turns | 'on' reference } : each once, in
 * any order; a point without a mass has none */
static void part(parser *p, const form *f, syntax_list *out)
{
    const token *first = p->at;
    syntax *target = parse_reference(p, 0, false), *given[CLAUSES] = {NULL};
    while (!p->failed && p->at->kind == TOKEN_NAME) {
        size_t k = 0;
        while (k < CLAUSES && !parse_at_word(p, clauses[k])) k++;
        const bool known = k < CLAUSES && (f->kind == SYNTAX_BODY || k == MASS || k == PLACE);
        if (!known || given[k]) {
            parse_error(p, known ? "each clause once" : "a clause or the end of the line", NULL);
            return;
        }
        p->at++;
        given[k] = k == TURN ? turns(p)
                   : k == ON ? parse_reference(p, 0, false)
                             : parse_expression(p);
    }
    for (size_t k = MASS; k < TURN; k++) {
        if (given[k] || (k != PLACE && f->kind == SYNTAX_POINT)) continue;
        parse_error(p, k == MASS ? "`mass`" : k == INERTIA ? "`inertia`" : "`at`", NULL);
    }
    add(p, out,
        PARSE_NODE(p, f->kind, first, target, given[MASS], given[INERTIA], given[PLACE],
                   given[TURN], given[ON]));
}

/* 'force' 'on' reference expression [ 'at' expression ] | 'torque' 'on' reference expression */
static void applied(parser *p, syntax_kind kind, syntax_list *out)
{
    const token *first = p->at;
    syntax *target = parse_reference(p, 0, false);
    syntax *vector = parse_expression(p);
    const bool placed = kind == SYNTAX_FORCE_ON && parse_accept_word(p, "at");
    syntax *place = placed ? parse_expression(p) : NULL;
    add(p, out, PARSE_NODE(p, kind, first, target, vector, place));
}

/* A coordinate may be called `on`. */
static void force(parser *p, const form *f, syntax_list *out)
{
    if (!parse_at_word(p, "on") || p->at[1].kind != TOKEN_NAME) {
        definitions(p, f, out);
        return;
    }
    p->at++;
    p->usage = "write: force on P (fx, fy, fz), or: force on B (fx, fy, fz) at r";
    applied(p, SYNTAX_FORCE_ON, out);
}

static void torque(parser *p, const form *f, syntax_list *out)
{
    if (!parse_accept_word(p, "on")) parse_error(p, "`on`", NULL);
    applied(p, f->kind, out);
}

bool parse_at_label(const parser *p)
{
    const token *t = p->at;
    if (t->kind != TOKEN_NAME) return false;
    t++;
    if (t->kind == TOKEN_OPEN_INDEX) {
        size_t open = 0;
        do {
            open += t->kind == TOKEN_OPEN_INDEX;
            open -= t->kind == TOKEN_CLOSE_INDEX;
            if (t->kind == TOKEN_NEWLINE) return false;
            t++;
        } while (open);
    }
    return t->kind == TOKEN_COLON;
}

/* Closes a block of one line, if one was opened. */
static void end_indented(parser *p, bool open)
{
    if (!open) return;
    end_line(p);
    if (!p->failed && !close_block(p)) parse_error(p, "the end of the block", NULL);
}

/* 'constraint' [ reference ':' ] equation */
static void constraint(parser *p, const form *f, syntax_list *out)
{
    const token *first = p->at;
    syntax *label = NULL;
    if (parse_at_label(p)) {
        label = parse_reference(p, 0, false);
        parse_expect(p, TOKEN_COLON);
    }
    const bool open = label && open_block(p);
    syntax *e = parse_equation(p);
    add(p, out, PARSE_NODE(p, f->kind, first, label, e));
    end_indented(p, open);
}

/* One node, which the file of its topic reads. */
static void single(parser *p, const form *f, syntax_list *out)
{
    add(p, out, f->single(p, f->kind));
}

/* 'simulate' 't' '=' range */
static void span_of_time(parser *p, const form *f, syntax_list *out)
{
    const token *first = p->at;
    if (!parse_accept_word(p, "t")) parse_error(p, "`t`", NULL);
    parse_expect(p, TOKEN_EQUAL);
    syntax *range = parse_range(p);
    add(p, out, PARSE_NODE(p, f->kind, first, range));
}

static void draw(parser *p, const form *f, syntax_list *out)
{
    (void) f;
    add(p, out, parse_draw(p));
}

/* ( 'stop'' | 'record' ) [ string ] 'when' equation [ 'rising' | 'falling' ] */
static void event(parser *p, const form *f, syntax_list *out)
{
    const token *first = p->at;
    syntax *label = p->at->kind == TOKEN_STRING ? quoted(p) : NULL;
    if (!parse_accept_word(p, "when")) parse_error(p, "`when`", NULL);
    syntax *e = parse_equation(p);
    const int rising = parse_accept_word(p, "rising");
    const int falling = !rising && parse_accept_word(p, "falling");
    if (p->at->kind == TOKEN_NAME)
        parse_error(p, "`rising`, `falling` or the end of the line", NULL);
    syntax *s = PARSE_NODE(p, f->kind, first, label, e);
    s->direction = (int8_t) (rising - falling);
    add(p, out, s);
}

/* 'claim' | 'refute' : string [ 'by' method ] ':' says [ 'when' conditions ] */
static void claim(parser *p, const form *f, syntax_list *out)
{
    const token *first = p->at;
    syntax *label = quoted(p);
    name *method = parse_by_method(p);
    parse_expect(p, TOKEN_COLON);
    const bool open = open_block(p);
    const uint32_t words = p->at->begin;
    syntax *what = parse_says(p), *when = parse_when(p);
    syntax *s = PARSE_NODE(p, f->kind, first, label, what, when);
    s->words = words;
    s->name = method;
    add(p, out, s);
    end_indented(p, open);
}

/* ---- Velocity parameters --------------------------------------------------------------------- */

/* rates = reference "'" '=' expression { ',' … } | for */
static void rates(parser *p, syntax_list *out)
{
    if (accept_for(p)) {
        repeat(p, out, rates);
        return;
    }
    do add(p, out, parse_definition(p, SYNTAX_EQUATION, 1));
    while (parse_accept(p, TOKEN_COMMA));
    end_line(p);
}

/* 'velocity' reference { ',' reference } ':' rates */
static void velocity(parser *p, const form *f, syntax_list *out)
{
    const token *first = p->at;
    syntax_list list = {0};
    do add(p, &list, parse_reference(p, 0, true));
    while (parse_accept(p, TOKEN_COMMA));
    syntax *names = parse_list(p, SYNTAX_LIST_OF, first, list);
    parse_expect(p, TOKEN_COLON);
    if (p->failed) return;
    syntax *equations = block(p, rates);
    add(p, out, PARSE_NODE(p, f->kind, first, names, equations));
}

/* omegas = definition { ',' definition } | for */
static void omegas(parser *p, syntax_list *out)
{
    if (accept_for(p)) {
        repeat(p, out, omegas);
        return;
    }
    do add(p, out, parse_definition(p, SYNTAX_QUASIVELOCITY, 0));
    while (parse_accept(p, TOKEN_COMMA));
    end_line(p);
}

/* 'quasivelocity' ( omegas | ':' block of omegas ) */
static void quasivelocity(parser *p, const form *f, syntax_list *out)
{
    (void) f;
    if (!parse_accept(p, TOKEN_COLON)) {
        omegas(p, out);
        return;
    }
    const syntax *list = block(p, omegas);
    for (size_t i = 0; i < list->count; i++) add(p, out, list->child[i]);
}

/* ---- All statements -------------------------------------------------------------------------- */

static void repeated_statements(parser *p, const form *f, syntax_list *out);

static const form forms[] = {
    {"system", SYNTAX_SYSTEM, title, "write: system \"title\""},
    {"source", SYNTAX_SOURCE, title, "write: source \"text\""},
    {"parameter", SYNTAX_PARAMETER, parameters, "write: parameter a = 1.5, b"},
    {"coordinate", SYNTAX_COORDINATE, coordinates, "write: coordinate x, y, theta"},
    {"input", SYNTAX_INPUT, inputs, "write: input u = 0, w = sin(t)"},
    {"let", SYNTAX_LET, lets, "write: let f = e, or: let f(u, v) = e"},
    {"function", SYNTAX_FUNCTION, functions, "write: function f(t), or: function V(x, y)"},
    {"point", SYNTAX_POINT, part, "write: point P mass m at (x, y)"},
    {"body", SYNTAX_BODY, part,
     "write: body D mass m inertia (A, B, C) at (x, y, z) turn z a, x b, y c"},
    {"assume", SYNTAX_ASSUME, assumptions, "write: assume e > 0, or: assume e != 0"},
    {"kinetic", SYNTAX_KINETIC, one_expression, "write: kinetic 1/2*m*x'^2"},
    {"potential", SYNTAX_POTENTIAL, one_expression, "write: potential m*g*y"},
    {"dissipation", SYNTAX_DISSIPATION, one_expression, "write: dissipation 1/2*c*x'^2"},
    {"gravity", SYNTAX_GRAVITY, one_expression, "write: gravity (0, -g)"},
    {"force", SYNTAX_FORCE, force, "write: force x = e, or: force on P (fx, fy, fz)"},
    {"torque", SYNTAX_TORQUE_ON, torque, "write: torque on B (mx, my, mz)"},
    {"marker", SYNTAX_MARKER, single, "write: marker M on B at (x, y, z)", parse_marker},
    {"ball", SYNTAX_JOINT, single, "write: ball P, Q", parse_joint},
    {"hinge", SYNTAX_JOINT, single, "write: hinge P, Q axis z", parse_joint},
    {"weld", SYNTAX_JOINT, single, "write: weld P, Q", parse_joint},
    {"slider", SYNTAX_JOINT, single, "write: slider P, Q axis x", parse_joint},
    {"rod", SYNTAX_JOINT, single, "write: rod P, Q length l", parse_joint},
    {"spring", SYNTAX_JOINT, single, "write: spring P, Q stiffness k length l", parse_joint},
    {"damper", SYNTAX_JOINT, single, "write: damper P, Q damping c", parse_joint},
    {"torsion", SYNTAX_JOINT, single,
     "write: torsion spring P, Q stiffness k angle a axis z, or: torsion damper P, Q damping c "
     "axis z",
     parse_joint},
    {"gear", SYNTAX_JOINT, single, "write: gear P, Q ratio n axis z on C", parse_joint},
    {"shape", SYNTAX_SHAPE, single,
     "write: shape B sphere radius r (or disc, torus, ellipsoid, curve), or its equation, shape B: "
     "x^2/4 + y^2 + z^2 = 1",
     parse_shape},
    {"surface", SYNTAX_SURFACE, single,
     "write: surface S plane at p normal n, or: surface S: z = x^2 + y^2", parse_surface},
    {"roll", SYNTAX_ROLL, single, "write: roll B on S, or: roll B on S without spinning",
     parse_contact},
    {"slide", SYNTAX_SLIDE, single, "write: slide B on S", parse_contact},
    {"constraint", SYNTAX_CONSTRAINT, constraint, "write: constraint label: e1 = e2"},
    {"velocity", SYNTAX_VELOCITY, velocity, "write: velocity v, w: x' = v, y' = w"},
    {"quasivelocity", SYNTAX_QUASIVELOCITY, quasivelocity, "write: quasivelocity w1 = e1, w2 = e2"},
    {"start", SYNTAX_START, starts, "write: start x = 0, x' = 1"},
    {"simulate", SYNTAX_SIMULATE, span_of_time, "write: simulate t = 0 .. 20"},
    {"unit", SYNTAX_UNIT, units, "write: unit x, y = \"m\", t = \"s\""},
    {"output", SYNTAX_OUTPUT, outputs, "write: output speed = sqrt(x'^2 + y'^2)"},
    {"draw", SYNTAX_DRAW, draw, "write: draw line A B, draw wheel D radius r, draw trace P, …"},
    {"stop", SYNTAX_STOP, event, "write: stop when e1 = e2, or: stop \"label\" when e = 0 falling"},
    {"record", SYNTAX_RECORD, event, "write: record when e1 = e2, or: record \"label\" when e = 0"},
    {"claim", SYNTAX_CLAIM, claim,
     "write: claim \"label\": e1 = e2, or: claim \"label\": constant e, holonomic, stable …"},
    {"refute", SYNTAX_REFUTE, claim, "write: refute \"label\": e1 = e2"},
    {"for", SYNTAX_FOR, repeated_statements, FOR_USAGE},
};
enum { FORMS = sizeof forms / sizeof *forms };

static const form *find_form(const char *word, size_t length)
{
    for (size_t i = 0; i < FORMS; i++)
        if (strlen(forms[i].word) == length && !memcmp(forms[i].word, word, length))
            return &forms[i];
    return NULL;
}

bool syntax_is_statement(const char *word, size_t length)
{
    return find_form(word, length) != NULL;
}

static void unknown_statement(parser *p)
{
    const token *t = p->at;
    p->failed = true;
    if (t->kind == TOKEN_BAD) return;
    const ah_span span = {p->file, t->begin, t->end};
    if (t->kind != TOKEN_NAME) {
        diag(p->ctx, A0107, span, "a statement begins with a word, not with %s",
             token_text(t->kind));
        diag_hint(p->ctx, "to go on with a statement, end the line before in an operator or `,`");
        return;
    }
    const char *words[FORMS];
    for (size_t i = 0; i < FORMS; i++) words[i] = forms[i].word;
    const bool kept =
        p->ctx->log->errors < DIAG_LIMIT; /* a million wrong words are not looked up */
    const char *near = kept ? text_nearest(&p->ctx->scratch, t->name->text, words, FORMS) : NULL;
    const char *ours = t[1].kind != TOKEN_EQUAL ? parse_elsewhere(t->name->text) : NULL;
    diag(p->ctx, A0107, span, "`%s` is no statement", t->name->text);
    if (ours)
        diag_hint(p->ctx, "%s", find_form(ours, strlen(ours))->usage);
    else if (near)
        diag_hint(p->ctx, "did you mean `%s`?", near);
    else if (t[1].kind == TOKEN_EQUAL)
        diag_hint(p->ctx, "constants are declared by parameter, other names by let: let %s = …",
                  t->name->text);
    else
        diag_hint(
            p->ctx,
            "statements are: parameter, coordinate, kinetic, potential, force, constraint, …");
}

/* Skips the rest of the statement, its block included. The names in it may be declarations that
 * were lost: they shall not be called unknown later. */
static void recover(parser *p, const token *first, uint32_t blocks)
{
    p->failed = false;
    for (const token *t = first + 1; t < p->at; t++)
        if (t->kind == TOKEN_NAME) t->name->poisoned = true;
    for (; p->at->kind != TOKEN_END; p->at++) {
        ctx_tick(p->ctx);
        const token_kind kind = p->at->kind;
        if (kind == TOKEN_NAME && p->at != first) p->at->name->poisoned = true;
        if (kind == TOKEN_INDENT) p->blocks++;
        if (kind == TOKEN_DEDENT) p->blocks--;
        const bool end =
            kind == TOKEN_DEDENT || (kind == TOKEN_NEWLINE && p->at[1].kind != TOKEN_INDENT);
        if (end && p->blocks == blocks) {
            p->at++;
            return;
        }
    }
}

static void statement(parser *p, syntax_list *out)
{
    const token *first = p->at;
    const uint32_t blocks = p->blocks;
    const size_t before = out->count;
    const form *f =
        first->kind == TOKEN_NAME ? find_form(first->name->text, first->name->length) : NULL;
    ctx_tick(p->ctx);
    p->l->at = (ah_span){p->file, first->begin, first->end};
    if (!f) {
        unknown_statement(p);
    } else {
        p->usage = f->usage;
        p->at++;
        f->parse(p, f, out);
        if (p->at[-1].kind != TOKEN_NEWLINE && p->at[-1].kind != TOKEN_DEDENT) end_line(p);
    }
    if (!p->failed) return;
    out->count = before;
    recover(p, first, blocks);
}

static void repeated_statements(parser *p, const form *f, syntax_list *out)
{
    (void) f;
    repeat(p, out, statement);
}

/* model = { statement } */
syntax *lang_parse_model(lang *l, const token_list *tokens)
{
    parser p = {.l = l, .ctx = l->ctx, .file = tokens->file, .at = tokens->at};
    syntax_list list = {0};
    while (p.at->kind != TOKEN_END) statement(&p, &list);
    return parse_list(&p, SYNTAX_MODEL, tokens->at, list);
}

/* settings = setting { ',' setting }
 * setting = reference '=' expression | name arguments '=' expression */
syntax *lang_parse_settings(lang *l, const token_list *tokens)
{
    static const form let = {"set", SYNTAX_LET, lets, "write: a=1.5,b=2 or f(t)=sin(t)"};
    parser p = {.l = l, .ctx = l->ctx, .file = tokens->file, .at = tokens->at, .usage = let.usage};
    syntax_list list = {0};
    if (p.at->kind != TOKEN_END) {
        lets(&p, &let, &list);
        end_line(&p);
        if (p.at->kind != TOKEN_END) parse_error(&p, "the end of the settings", NULL);
    }
    if (p.failed) list.count = 0;
    return parse_list(&p, SYNTAX_SETTINGS, tokens->at, list);
}
