/* compile/emit.c - C of a program. */
#include "program.h"

#include <math.h>

/* Programs up to this many operations are inlined wherever they are called: a stepper calls its
 * right-hand side a dozen times, and the time to compile goes with the product. */
#define INLINE_BELOW 500

/* By ah_function. */
static const char *const function_name[] = {
    [AH_SIN] = "sin",   [AH_COS] = "cos",   [AH_TAN] = "tan",     [AH_ASIN] = "asin",
    [AH_ACOS] = "acos", [AH_ATAN] = "atan", [AH_ATAN2] = "atan2", [AH_SINH] = "sinh",
    [AH_COSH] = "cosh", [AH_TANH] = "tanh", [AH_EXP] = "exp",     [AH_LOG] = "log",
    [AH_SQRT] = "sqrt", [AH_ABS] = "fabs",  [AH_SIGN] = "sign",
};

const char *program_function_name(const program_code *c)
{
    switch ((program_op) c->op) {
    case PROGRAM_NEG: return "-";
    case PROGRAM_SQRT: return "sqrt";
    case PROGRAM_POW: return "pow";
    default: return function_name[c->function];
    }
}

void program_prelude(text *t)
{
    for (int f = 0; f < AH_FUNCTIONS; f++)
        if (f != AH_SIGN)
            text_printf(t, "double %s(double%s);\n", function_name[f],
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

static void operand(const program *p, text *t, uint32_t x)
{
    const program_code *c = &p->code.at[x];
    if (c->op == PROGRAM_INPUT)
        text_printf(t, "x[%u]", c->a);
    else if (c->op != PROGRAM_CONSTANT)
        text_printf(t, "v%u", x);
    else if (c->a < p->numbers && p->constants.at[c->a] >= 0 && p->constants.at[c->a] <= 9 &&
             p->constants.at[c->a] == floor(p->constants.at[c->a]))
        text_printf(t, "%d.0", (int) p->constants.at[c->a]);
    else
        text_printf(t, "c[%u]", c->a);
}

static void infix(const program *p, text *t, const program_code *c, const char *sign)
{
    operand(p, t, c->a);
    text_add(t, sign);
    operand(p, t, c->b);
}

static void prefix(const program *p, text *t, const program_code *c)
{
    text_printf(t, "%s(", program_function_name(c));
    operand(p, t, c->a);
    if (c->op == PROGRAM_POW || (c->op == PROGRAM_CALL && c->function == AH_ATAN2)) {
        text_add(t, ", ");
        operand(p, t, c->b);
    }
    text_char(t, ')');
}

static void right_side(const program *p, text *t, const program_code *c)
{
    switch ((program_op) c->op) {
    case PROGRAM_ADD: infix(p, t, c, " + "); break;
    case PROGRAM_SUB: infix(p, t, c, " - "); break;
    case PROGRAM_MUL: infix(p, t, c, " * "); break;
    case PROGRAM_DIV: infix(p, t, c, " / "); break;
    case PROGRAM_NEG:
    case PROGRAM_SQRT:
    case PROGRAM_POW:
    case PROGRAM_CALL: prefix(p, t, c); break;
    case PROGRAM_INPUT:
    case PROGRAM_CONSTANT: break;
    }
}

static void emit_pair(const program *p, text *t, uint32_t i, uint32_t other)
{
    const uint32_t s = p->code.at[i].function == AH_SIN ? i : other, c = s == i ? other : i;
    text_printf(t, "  double v%u, v%u;\n  sincos(", s, c);
    operand(p, t, p->code.at[i].a);
    text_printf(t, ", &v%u, &v%u);\n", s, c);
}

/* Operations from .. end, sines and cosines in pairs. */
static void emit_operations(const program *p, text *t, const uint32_t *partner, size_t from,
                            size_t end)
{
    for (uint32_t i = (uint32_t) from; i < end; i++) {
        const program_code *c = &p->code.at[i];
        if (c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT || partner[i] < i) continue;
        if (partner[i] > i) {
            emit_pair(p, t, i, partner[i]);
            continue;
        }
        text_printf(t, "  const double v%u = ", i);
        right_side(p, t, c);
        text_add(t, ";\n");
    }
}

static void emit_end(const program *p, text *t)
{
    for (size_t i = 0; i < p->outputs; i++) {
        text_printf(t, "  y[%zu] = ", i);
        operand(p, t, p->output[i]);
        text_add(t, ";\n");
    }
    text_add(t, "  return 1");
    for (size_t i = 0; i < p->guards; i++) {
        text_add(t, " & (");
        operand(p, t, p->guard[i].pivot);
        text_add(t, " > ");
        operand(p, t, p->guard[i].bound);
        text_char(t, ')');
    }
    text_add(t, ";\n}\n");
}

void program_emit(const program *p, text *t, const char *name)
{
    text_printf(t,
                "static inline %sint %s(const double *restrict c, const double *restrict x, "
                "double *restrict y)\n{\n",
                program_operations(p) <= INLINE_BELOW ? "__attribute__((always_inline)) " : "",
                name);
    emit_operations(p, t, partners(p, &p->ctx->scratch), 0, p->code.count);
    emit_end(p, t);
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
    const uint32_t *partner = partners(p, a);
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
        emit_operations(p, t, partner, from, end);
        for (uint32_t i = (uint32_t) from; !rest && i < end; i++)
            if (is_kept(p, last, i)) text_printf(t, "  w[%u] = v%u;\n", place[i], i);
        if (rest)
            emit_end(p, t);
        else
            text_add(t, "}\n");
        from = end;
    }
    return kept;
}
