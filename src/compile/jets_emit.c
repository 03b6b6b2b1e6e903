/* compile/jets_emit.c - C of jets: a loop over the order around one straight line of operations.
 *
 * Unrolled over the order a jet is faster by a little and costs gcc seconds. */
#include "jets.h"

#include <math.h>

static void operand(const jets *j, text *t, uint32_t x)
{
    const program_code *o = &j->code.at[x].zero;
    const double c = o->op == PROGRAM_CONSTANT ? j->constants.at[o->a] : NAN;
    if (o->op != PROGRAM_CONSTANT)
        text_printf(t, "z%u", x);
    else if (c >= 0 && c <= 9 && c == floor(c))
        text_printf(t, "%d.0", (int) c);
    else
        text_printf(t, "c[%u]", o->a);
}

static void emit_input(text *t, const program_code *o)
{
    if (o->a)
        text_printf(t, "y[%u]", o->a - 1);
    else
        text_add(t, "t");
}

static void emit_zero(const jets *j, text *t, uint32_t i)
{
    static const char sign[] = {[PROGRAM_ADD] = '+',
                                [PROGRAM_SUB] = '-',
                                [PROGRAM_MUL] = '*',
                                [PROGRAM_DIV] = '/',
                                [PROGRAM_CALL] = 0};
    const program_code *o = &j->code.at[i].zero;
    if (o->op == PROGRAM_CONSTANT) return;
    text_printf(t, "  const double z%u = ", i);
    if (o->op == PROGRAM_INPUT) {
        emit_input(t, o);
    } else if (sign[o->op]) {
        operand(j, t, o->a);
        text_printf(t, " %c ", sign[o->op]);
        operand(j, t, o->b);
    } else {
        text_printf(t, "%s(", program_function_name(o));
        operand(j, t, o->a);
        if (o->op == PROGRAM_POW || (o->op == PROGRAM_CALL && o->function == AH_ATAN2)) {
            text_add(t, ", ");
            operand(j, t, o->b);
        }
        text_char(t, ')');
    }
    text_add(t, ";\n");
}

/* What is divided by at every order. */
static void emit_inverse(const jets *j, text *t, uint32_t i)
{
    const jet_code *c = &j->code.at[i];
    if (c->op == JET_SQRT) text_printf(t, "  const double r%u = 0.5 / z%u;\n", i, i);
    if (c->op != JET_OVER && c->op != JET_DIV && c->op != JET_OVER_RATE) return;
    text_printf(t, "  const double r%u = 1.0 / ", i);
    operand(j, t, c->b);
    text_add(t, ";\n");
}

/* The coefficient of order k; what is fixed has none. */
static void rate(const jets *j, text *t, uint32_t x)
{
    if (j->code.at[x].op == JET_FIXED)
        text_add(t, "0.0");
    else
        text_printf(t, "v%u", x);
}

/* Pieces: a, b: coefficients; A, B, C: values of order 0 of a, b, and the result; s: its sum;
 * r: its inverse; k: 1/k. See jets.h. */
static const char *const formula[] = {
    [JET_ADD] = "a + b",
    [JET_SUB] = "a - b",
    [JET_SAME] = "a",
    [JET_NEG] = "-a",
    [JET_SCALE] = "A * b",
    [JET_OVER] = "a * r",
    [JET_MUL] = "s + (A * b + a * B)",
    [JET_DIV] = "(a - (s + C * b)) * r",
    [JET_SQRT] = "(a - s) * r",
    [JET_TIMES_RATE] = "s * k + a * B",
    [JET_OVER_RATE] = "(a - s * k) * r",
};

static void emit_coefficient(const jets *j, text *t, uint32_t i)
{
    const jet_code *c = &j->code.at[i];
    if (c->op == JET_FIXED) return;
    text_printf(t, "    const double v%u = ", i);
    if (c->op == JET_INPUT) {
        if (c->a)
            text_printf(t, "y[k * N + %u];\n", c->a - 1);
        else
            text_add(t, "k == 1;\n");
        return;
    }
    for (const char *f = formula[c->op]; *f; f++) switch (*f) {
        case 'a': rate(j, t, c->a); break;
        case 'b': rate(j, t, c->b); break;
        case 'A': operand(j, t, c->a); break;
        case 'B': operand(j, t, c->b); break;
        case 'C': operand(j, t, i); break;
        case 's': text_printf(t, "s[%u]", c->product); break;
        case 'r': text_printf(t, "r%u", i); break;
        case 'k': text_add(t, "rk"); break;
        default: text_char(t, *f);
        }
    text_add(t, ";\n");
}

/* All sums of order k. A compiler with vector types works on two products at once; the sums are the
 * same. */
static void emit_sums(const jets *j, text *t, const char *name)
{
    text_printf(t,
                "static void %s_sums(double *restrict s, const double *restrict l,"
                " const double *restrict r, int k)\n{\n",
                name);
    text_printf(t, "  for (int b = 0; b < %zu; b += %d) {\n", j->width, JETS_BLOCK);
    text_printf(t,
                "#if defined(__GNUC__) && !defined(__TINYC__)\n"
                "    typedef double two __attribute__((vector_size(16), aligned(8), may_alias));\n"
                "    two a = {0, 0}, c = a, d = a, e = a;\n"
                "    for (int i = 1; i < k; i++) {\n"
                "      const two *x = (const two *)(l + i * %zu + b);\n"
                "      const two *y = (const two *)(r + (k - i) * %zu + b);\n"
                "      a += x[0] * y[0]; c += x[1] * y[1]; d += x[2] * y[2]; e += x[3] * y[3];\n"
                "    }\n"
                "    two *o = (two *)(s + b);\n"
                "    o[0] = a; o[1] = c; o[2] = d; o[3] = e;\n"
                "#else\n"
                "    for (int p = b; p < b + %d; p++) {\n"
                "      double a = 0;\n"
                "      for (int i = 1; i < k; i++) a += l[i * %zu + p] * r[(k - i) * %zu + p];\n"
                "      s[p] = a;\n"
                "    }\n"
                "#endif\n  }\n}\n",
                j->width, j->width, JETS_BLOCK, j->width, j->width);
}

static void emit_rows(const jets *j, text *t)
{
    for (size_t p = 0; p < j->products.count; p++) {
        const jet_product *x = &j->products.at[p];
        text_printf(t, "    l[k * W + %zu] = %s", p, x->weighted ? "k * " : "");
        rate(j, t, x->left);
        text_printf(t, ";\n    r[k * W + %zu] = ", p);
        rate(j, t, x->right);
        text_add(t, ";\n");
    }
    for (size_t i = 0; i < j->n; i++) {
        text_printf(t, "    y[(k + 1) * N + %zu] = ", i);
        rate(j, t, j->output[i]);
        text_add(t, " * next;\n");
    }
}

static void emit_guards(const jets *j, text *t)
{
    text_add(t, "  if (!(1");
    for (size_t i = 0; i < j->guards; i++) {
        text_add(t, " & (");
        operand(j, t, j->guard[i].pivot);
        text_add(t, " > ");
        operand(j, t, j->guard[i].bound);
        text_char(t, ')');
    }
    text_add(t, ")) return 0;\n");
}

void jets_emit(const jets *j, text *t, const char *name)
{
    emit_sums(j, t, name);
    text_printf(t,
                "#define N %zu\n#define W %zu\n"
                "int %s(const double *restrict c, double t, int order, double *restrict y,"
                " double *restrict s)\n{\n"
                "  double *restrict l = s + W, *restrict r = l + %d * W;\n",
                j->n, j->width, name, JETS_MOST_ORDER);
    for (uint32_t i = 0; i < j->code.count; i++) emit_zero(j, t, i);
    emit_guards(j, t);
    for (uint32_t i = 0; i < j->code.count; i++) emit_inverse(j, t, i);
    for (size_t i = 0; i < j->n; i++) {
        text_printf(t, "  y[N + %zu] = ", i);
        operand(j, t, j->output[i]);
        text_add(t, ";\n");
    }
    text_printf(t,
                "  for (int k = 1; k < order; k++) {\n"
                "    const double rk = 1.0 / k, next = 1.0 / (k + 1);\n"
                "    %s_sums(s, l, r, k);\n",
                name);
    for (uint32_t i = 0; i < j->code.count; i++) emit_coefficient(j, t, i);
    emit_rows(j, t);
    text_add(t, "  }\n  return 1;\n}\n#undef N\n#undef W\n");
}
