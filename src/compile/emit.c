/* compile/emit.c - programs in other languages, and in the C of the engines. */
#include "dialect.h"

#include <math.h>

/* Programs up to this many operations are inlined wherever they are called: a stepper calls its
 * right-hand side a dozen times, and the time to compile goes with the product. */
#define INLINE_BELOW 500

const dialect dialect_engine = {
    .value = "  const double v",
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

/* A program on its way into a text. */
typedef struct writing {
    const program *p;
    text *t;
    const dialect *d;
    dialect_leaf *leaf;
    const void *user;
    const uint32_t *partner;
} writing;

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

/* Constants lie in c, but for small integers; inputs in x. */
static void engine_leaf(const void *user, text *t, const program *p, const program_code *c)
{
    (void) user;
    if (c->op == PROGRAM_INPUT)
        text_printf(t, "x[%u]", c->a);
    else if (c->a < p->numbers && p->constants.at[c->a] >= 0 && p->constants.at[c->a] <= 9 &&
             p->constants.at[c->a] == floor(p->constants.at[c->a]))
        text_printf(t, "%d.0", (int) p->constants.at[c->a]);
    else
        text_printf(t, "c[%u]", c->a);
}

static writing writing_of(const program *p, text *t, const dialect *d, dialect_leaf *leaf,
                          const void *user)
{
    const uint32_t *pairs = d->pairs ? partners(p, &p->ctx->scratch) : NULL;
    return (writing){p, t, d, leaf, user, pairs};
}

static void operand(const writing *w, uint32_t x)
{
    const program_code *c = &w->p->code.at[x];
    if (c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT)
        w->leaf(w->user, w->t, w->p, c);
    else
        text_printf(w->t, "v%u", x);
}

static void infix(const writing *w, const program_code *c, const char *sign)
{
    operand(w, c->a);
    text_add(w->t, sign);
    operand(w, c->b);
}

static void prefix(const writing *w, const program_code *c)
{
    text_printf(w->t, "%s(", function_of(w->d, c));
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

static void emit_pair(const writing *w, uint32_t i, uint32_t other)
{
    const program_code *at = w->p->code.at;
    const uint32_t s = at[i].function == AH_SIN ? i : other, c = s == i ? other : i;
    text_printf(w->t, "  %s v%u, v%u;\n  sincos(", w->d->pairs, s, c);
    operand(w, at[i].a);
    text_printf(w->t, ", &v%u, &v%u);\n", s, c);
}

/* Operations from .. end, sines and cosines in pairs. */
static void emit_operations(const writing *w, size_t from, size_t end)
{
    for (uint32_t i = (uint32_t) from; i < end; i++) {
        const program_code *c = &w->p->code.at[i];
        const uint32_t partner = w->partner ? w->partner[i] : i;
        if (c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT || partner < i) continue;
        if (partner > i) {
            emit_pair(w, i, partner);
            continue;
        }
        text_printf(w->t, "%s%u = ", w->d->value, i);
        right_side(w, c);
        text_add(w->t, w->d->end);
    }
}

static void emit_end(const writing *w)
{
    const program *p = w->p;
    for (uint32_t i = 0; i < p->outputs; i++) {
        text_printf(w->t, "%s%u%s", w->d->output, i + w->d->first, w->d->is);
        operand(w, p->output[i]);
        text_add(w->t, w->d->end);
    }
    text_add(w->t, w->d->good);
    for (size_t i = 0; i < p->guards; i++) {
        text_printf(w->t, "%s(", w->d->both);
        operand(w, p->guard[i].pivot);
        text_add(w->t, " > ");
        operand(w, p->guard[i].bound);
        text_char(w->t, ')');
    }
    text_add(w->t, w->d->end);
}

void program_write(const program *p, text *t, const dialect *d, dialect_leaf *leaf,
                   const void *user)
{
    const writing w = writing_of(p, t, d, leaf, user);
    emit_operations(&w, 0, p->code.count);
    emit_end(&w);
}

void program_emit(const program *p, text *t, const char *name)
{
    text_printf(t,
                "static inline %sint %s(const double *restrict c, const double *restrict x, "
                "double *restrict y)\n{\n",
                program_operations(p) <= INLINE_BELOW ? "__attribute__((always_inline)) " : "",
                name);
    program_write(p, t, &dialect_engine, engine_leaf, NULL);
    text_add(t, "}\n");
}

/* ---- Sections -------------------------------------------------------------------------------- */

static size_t section_of(const program *p, uint32_t x)
{
    size_t k = 0;
    while (k < p->sections && x >= p->section[k].end) k++;
    return k;
}

/* By value: 1 + the last section (the rest counts as one) that uses it. */
static uint8_t *last_uses(const program *p, arena *a)
{
    uint8_t *last = NEW_ARRAY(a, uint8_t, p->code.count + 1);
    const uint8_t rest = (uint8_t) (p->sections + 1);
    for (uint32_t i = 0; i < p->code.count; i++) {
        const program_code *c = &p->code.at[i];
        const uint8_t here = (uint8_t) (section_of(p, i) + 1);
        if (c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT) continue;
        if (last[c->a] < here) last[c->a] = here;
        if (last[c->b] < here) last[c->b] = here;
    }
    for (size_t i = 0; i < p->outputs; i++) last[p->output[i]] = rest;
    for (size_t i = 0; i < p->guards; i++) last[p->guard[i].pivot] = last[p->guard[i].bound] = rest;
    return last;
}

/* Whether the value goes through w. */
static bool is_kept(const program *p, const uint8_t *last, uint32_t x)
{
    const program_code *c = &p->code.at[x];
    return c->op != PROGRAM_INPUT && c->op != PROGRAM_CONSTANT && last[x] > section_of(p, x) + 1;
}

size_t program_emit_sections(const program *p, text *t, const char *name)
{
    arena *a = &p->ctx->scratch;
    const writing w = writing_of(p, t, &dialect_engine, engine_leaf, NULL);
    const uint8_t *last = last_uses(p, a);
    uint32_t *place = NEW_ARRAY(a, uint32_t, p->code.count + 1), kept = 0;
    for (uint32_t i = 0; i < p->code.count; i++)
        if (is_kept(p, last, i)) place[i] = kept++;
    size_t from = 0;
    for (size_t k = 0; k <= p->sections; k++) {
        const bool rest = k == p->sections;
        const size_t end = rest ? p->code.count : p->section[k].end;
        if (rest)
            text_printf(t,
                        "int %sr(const double *restrict c, const double *restrict x, "
                        "double *restrict y, const double *restrict w)\n{\n",
                        name);
        else
            text_printf(t,
                        "void %ss%zu(const double *restrict c, const double *restrict x, "
                        "double *restrict w)\n{\n",
                        name, k);
        for (uint32_t i = 0; i < from; i++)
            if (is_kept(p, last, i) && last[i] > k)
                text_printf(t, "  const double v%u = w[%u];\n", i, place[i]);
        emit_operations(&w, from, end);
        for (uint32_t i = (uint32_t) from; !rest && i < end; i++)
            if (is_kept(p, last, i)) text_printf(t, "  w[%u] = v%u;\n", place[i], i);
        if (rest) emit_end(&w);
        text_add(t, "}\n");
        from = end;
    }
    return kept;
}
