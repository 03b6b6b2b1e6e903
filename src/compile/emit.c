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
    else if (p->constants.at[c->a] >= 0 && p->constants.at[c->a] <= 9 &&
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

void program_emit(const program *p, text *t, const char *name)
{
    const uint32_t *partner = partners(p, &p->ctx->scratch);
    text_printf(t,
                "static inline %sint %s(const double *restrict c, const double *restrict x, "
                "double *restrict y)\n{\n",
                program_operations(p) <= INLINE_BELOW ? "__attribute__((always_inline)) " : "",
                name);
    for (uint32_t i = 0; i < p->code.count; i++) {
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
