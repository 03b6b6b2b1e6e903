/* compile/emit.c - programs in other languages, and in the C of the engines. */
#include "dialect.h"
#include "cuts.h"

#include <math.h>

/* Programs up to this many operations are inlined wherever they are called: a stepper calls its
 * right-hand side a dozen times, and the time to compile goes with the product. */
#define INLINE_BELOW 500

const dialect dialect_engine = {
    .value = "  const double v",
    .keep = "  w[",
    .end = ";\n",
    .function = DIALECT_FUNCTIONS("", "", "fabs", "sign"),
    .power = "pow",
    .root = "sqrt",
    .pairs = "double",
    .output = "  y[",
    .is = "] = ",
    .good = "  return 1",
    .both = " & ",
};

struct program_writing {
    const program *p;
    text *t; /* the one that is being written */
    const dialect *d;
    dialect_leaf *leaf;
    const void *user;
    const uint32_t *partner;
    program_parts parts;
};
typedef program_writing writing;

static const char *function_of(const dialect *d, const program_code *c)
{
    switch ((program_op) c->op) {
    case PROGRAM_NEG: return "-";
    case PROGRAM_SQRT: return d->root;
    case PROGRAM_POW: return d->power;
    default: return d->function[c->function];
    }
}

const char *program_function_name(const program_code *c)
{
    return function_of(&dialect_engine, c);
}

void program_prelude(text *t)
{
    for (int f = 0; f < AH_FUNCTIONS; f++)
        if (f != AH_SIGN)
            text_printf(t, "double %s(double%s);\n", dialect_engine.function[f],
                        f == AH_ATAN2 ? ", double" : "");
    text_add(t, "double pow(double, double);\n"
                "void sincos(double, double *, double *);\n"
                "static inline double sign(double x) { return x > 0 ? 1 : x < 0 ? -1 : x; }\n");
}

/* For each sine and cosine the number of its partner of the same angle, or its own. */
static uint32_t *partners(const program *p, arena *a)
{
    const size_t count = p->code.count;
    uint32_t *partner = NEW_ARRAY(a, uint32_t, count + 1),
             *first = NEW_ARRAY(a, uint32_t, count + 1);
    for (uint32_t i = 0; i < count; i++) {
        const program_code *c = &p->code.at[i];
        partner[i] = i;
        if (c->op != PROGRAM_CALL || (c->function != AH_SIN && c->function != AH_COS)) continue;
        if (first[c->a]) {
            partner[i] = first[c->a] - 1;
            partner[first[c->a] - 1] = i;
        }
        first[c->a] = i + 1;
    }
    return partner;
}

/* Most of a program is such words: no format is worth it. */
static void indexed(text *t, const char *before, uint32_t index, const char *after)
{
    text_add(t, before);
    text_unsigned(t, index);
    text_add(t, after);
}

/* Constants lie in c, but for small integers; inputs in x. */
static void engine_leaf(const void *user, text *t, const program *p, const program_code *c)
{
    (void) user;
    if (c->op == PROGRAM_INPUT)
        indexed(t, "x[", c->a, "]");
    else if (c->a < p->numbers && p->constants.at[c->a] >= 0 && p->constants.at[c->a] <= 9 &&
             p->constants.at[c->a] == floor(p->constants.at[c->a]))
        indexed(t, "", (uint32_t) p->constants.at[c->a], ".0");
    else
        indexed(t, "c[", c->a, "]");
}

static writing writing_of(const program *p, arena *a, const dialect *d, size_t most, bool sections)
{
    const uint32_t *pairs = d->pairs ? partners(p, a) : NULL;
    return (writing){
        .p = p, .d = d, .partner = pairs, .parts = parts_of(p, a, most, pairs, sections)};
}

/* The name of a value; what goes through the work array lies there. */
static void value_name(const writing *w, uint32_t x)
{
    if (w->parts.place[x])
        indexed(w->t, "w[", w->parts.place[x] - 1, "]");
    else
        indexed(w->t, "v", x, "");
}

static void operand(const writing *w, uint32_t x)
{
    const program_code *c = &w->p->code.at[x];
    if (c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT)
        w->leaf(w->user, w->t, w->p, c);
    else
        value_name(w, x);
}

static void infix(const writing *w, const program_code *c, const char *sign)
{
    operand(w, c->a);
    text_add(w->t, sign);
    operand(w, c->b);
}

static void prefix(const writing *w, const program_code *c)
{
    text_add(w->t, function_of(w->d, c));
    text_char(w->t, '(');
    operand(w, c->a);
    if (c->op == PROGRAM_POW || (c->op == PROGRAM_CALL && c->function == AH_ATAN2)) {
        text_add(w->t, ", ");
        operand(w, c->b);
    }
    text_char(w->t, ')');
}

static void right_side(const writing *w, const program_code *c)
{
    switch ((program_op) c->op) {
    case PROGRAM_ADD: infix(w, c, " + "); break;
    case PROGRAM_SUB: infix(w, c, " - "); break;
    case PROGRAM_MUL: infix(w, c, " * "); break;
    case PROGRAM_DIV: infix(w, c, " / "); break;
    case PROGRAM_NEG:
    case PROGRAM_SQRT:
    case PROGRAM_POW:
    case PROGRAM_CALL: prefix(w, c); break;
    case PROGRAM_INPUT:
    case PROGRAM_CONSTANT: break;
    }
}

/* Both or one of them may lie in the work array; what does not is declared. */
static void emit_pair(const writing *w, uint32_t i, uint32_t other)
{
    const program_code *at = w->p->code.at;
    const uint32_t s = at[i].function == AH_SIN ? i : other, c = s == i ? other : i;
    const uint32_t two[2] = {s, c};
    for (int k = 0; k < 2; k++)
        if (!w->parts.place[two[k]]) text_printf(w->t, "  %s v%u;\n", w->d->pairs, two[k]);
    text_add(w->t, "  sincos(");
    operand(w, at[i].a);
    text_add(w->t, ", &");
    value_name(w, s);
    text_add(w->t, ", &");
    value_name(w, c);
    text_add(w->t, ");\n");
}

/* The line of one operation up to its right side. */
static void left_side(const writing *w, uint32_t x)
{
    if (w->parts.place[x])
        indexed(w->t, w->d->keep, w->parts.place[x] - 1, w->d->is);
    else
        indexed(w->t, w->d->value, x, " = ");
}

/* The operations of a part, sines and cosines in pairs. */
static void emit_operations(const writing *w, size_t part)
{
    const size_t from = part ? w->parts.end[part - 1] : 0, end = w->parts.end[part];
    for (uint32_t i = (uint32_t) from; i < end; i++) {
        const program_code *c = &w->p->code.at[i];
        const uint32_t partner = w->partner ? w->partner[i] : i;
        if (c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT || partner < i) continue;
        if (partner > i) {
            emit_pair(w, i, partner);
            continue;
        }
        left_side(w, i);
        right_side(w, c);
        text_add(w->t, w->d->end);
    }
}

/* Outputs and guards of a part. */
static void emit_end(const writing *w, size_t part)
{
    const program *p = w->p;
    for (uint32_t i = 0; i < p->outputs; i++) {
        if (parts_output(p, &w->parts, i) != part) continue;
        indexed(w->t, w->d->output, i + w->d->first, w->d->is);
        operand(w, p->output[i]);
        text_add(w->t, w->d->end);
    }
    text_add(w->t, w->d->good);
    for (size_t i = 0; i < p->guards; i++) {
        if (parts_guard(p, &w->parts, i) != part) continue;
        text_add(w->t, w->d->both);
        text_char(w->t, '(');
        operand(w, p->guard[i].pivot);
        text_add(w->t, " > ");
        operand(w, p->guard[i].bound);
        text_char(w->t, ')');
        text_add(w->t, w->d->both);
        text_char(w->t, '(');
        operand(w, p->guard[i].pivot);
        text_add(w->t, " <= ");
        text_add(w->t, w->d->largest ? w->d->largest : "1.7976931348623157e308");
        text_char(w->t, ')');
    }
    text_add(w->t, w->d->end);
}

static void emit_part(const writing *w, size_t part)
{
    emit_operations(w, part);
    emit_end(w, part);
}

void program_write(const program *p, text *t, const dialect *d, dialect_leaf *leaf,
                   const void *user)
{
    writing w = writing_of(p, &p->ctx->scratch, d, SIZE_MAX, false);
    w.t = t, w.leaf = leaf, w.user = user;
    emit_part(&w, 0);
}

bool program_is_long(const program *p)
{
    return program_operations(p) > PROGRAM_PART;
}

program_writing *program_writing_create(const program *p, arena *a, const dialect *d,
                                        dialect_leaf *leaf, const void *user)
{
    writing *w = NEW(a, writing);
    *w = writing_of(p, a, d, PROGRAM_PART, false);
    w->leaf = leaf, w->user = user;
    return w;
}

size_t program_writing_parts(const program_writing *w)
{
    return w->parts.count;
}

size_t program_writing_work(const program_writing *w)
{
    return w->parts.work;
}

void program_write_part(program_writing *w, text *t, size_t part)
{
    w->t = t;
    emit_part(w, part);
}

/* ---- The C of the engines -------------------------------------------------------------------- */

#define ENGINE_ARGUMENTS "const double *restrict c, const double *restrict x, double *restrict "

static writing engine_writing(const program *p, text *t, bool sections)
{
    writing w = writing_of(p, &p->ctx->scratch, &dialect_engine, PROGRAM_PART, sections);
    w.t = t, w.leaf = engine_leaf;
    return w;
}

/* Parts from .. end as functions of their own, NAME_k: where they are several, nobody may put them
 * together again. */
static void emit_functions(const writing *w, const char *name, size_t from, size_t end)
{
    const char *kind = end - from > 1 ? "__attribute__((noinline)) " : "";
    for (size_t k = from; k < end; k++) {
        text_printf(w->t, "static %sint %s_%zu(" ENGINE_ARGUMENTS "y, double *restrict w)\n{\n",
                    kind, name, k);
        emit_part(w, k);
        text_add(w->t, "}\n");
    }
}

/* Calls of parts from .. end, whose arguments are called c, x, y, w. */
static void emit_calls(const writing *w, const char *name, size_t from, size_t end)
{
    for (size_t k = from; k < end; k++)
        text_printf(w->t, "  %s%s_%zu(c, x, y, w);\n", k > from ? "good &= " : "int good = ", name,
                    k);
    text_add(w->t, "  return good;\n}\n");
}

void program_emit_joined(const program *p, text *t, const char *name, const char *sections,
                         size_t kept)
{
    text_printf(t, "static int %s(" ENGINE_ARGUMENTS "y)\n{\n  double w[%zu];\n", name, kept + 1);
    for (size_t k = 0; k < p->sections; k++) text_printf(t, "  %ss%zu(c, x, w);\n", sections, k);
    text_printf(t, "  return %sr(c, x, y, w);\n}\n", sections);
}

void program_emit(const program *p, text *t, const char *name)
{
    const writing w = engine_writing(p, t, false);
    const bool whole = w.parts.count == 1, small = program_operations(p) <= INLINE_BELOW;
    if (!whole) emit_functions(&w, name, 0, w.parts.count);
    text_printf(t, "static inline %sint %s(" ENGINE_ARGUMENTS "y)\n{\n",
                small ? "__attribute__((always_inline)) " : "", name);
    if (whole) {
        emit_part(&w, 0);
        text_add(t, "}\n");
    } else {
        text_printf(t, "  double w[%zu];\n", w.parts.work + 1);
        emit_calls(&w, name, 0, w.parts.count);
    }
}

/* Parts that are not the last of the sections have neither outputs nor guards. */
size_t program_emit_sections(const program *p, text *t, const char *name)
{
    const writing w = engine_writing(p, t, true);
    size_t from = 0;
    for (size_t k = 0; k < p->sections; from = w.parts.section[k++]) {
        emit_functions(&w, name, from, w.parts.section[k]);
        text_printf(t, "int %ss%zu(" ENGINE_ARGUMENTS "w)\n{\n  double *const y = 0;\n", name, k);
        emit_calls(&w, name, from, w.parts.section[k]);
    }
    emit_functions(&w, name, from, w.parts.count);
    text_printf(t, "int %sr(" ENGINE_ARGUMENTS "y, double *restrict w)\n{\n", name);
    emit_calls(&w, name, from, w.parts.count);
    return w.parts.work;
}
