/* compile/jets_emit.c - C of jets: a loop over the order around one straight line of operations.
 *
 * Unrolled over the order a jet is faster by a little and costs gcc seconds. */
#include "jets.h"

#include <math.h>

static void operand(const jets *j, text *t, uint32_t x)
{
    const program_code *o = &j->code.at[x].zero;
    const bool number = o->op == PROGRAM_CONSTANT && (o->a < j->fixed || o->a >= j->of_program);
    const double c = number ? j->constants.at[o->a] : NAN;
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
 * r: its inverse; k: 1/k; p: the coefficient before of b. See jets.h. */
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
    [JET_CLOCKED] = "A * p * k",
};

static void emit_coefficient(const jets *j, text *t, uint32_t i)
{
    const jet_code *c = &j->code.at[i];
    if (c->op == JET_FIXED) return;
    text_printf(t, "    const double v%u = ", i);
    if (c->op == JET_INPUT) {
        if (c->a)
            text_printf(t, "y%u;\n", c->a - 1);
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
        case 'p': text_printf(t, "p%u", i); break;
        default: text_char(t, *f);
        }
    text_add(t, ";\n");
}

/* x and y: rows i of the left and k − i of the right factors. */
static void emit_terms(text *t, const char *into, const char *i, int registers)
{
    text_printf(t,
                "    {\n"
                "      const pack *x = (const pack *)(l + (%s) * W + b);\n"
                "      const pack *y = (const pack *)(r + (k - (%s)) * W + b);\n",
                i, i);
    for (int p = 0; p < registers; p++)
        text_printf(t, "      %s%d += x[%d] * y[%d];\n", into, p, p, p);
    text_add(t, "    }\n");
}

/* One block of sums in registers of `lanes` doubles: two accumulators each, so that additions do
 * not wait for each other; what needs the newest rows comes last. */
static void emit_block(text *t, int block, int lanes)
{
    const int registers = block / lanes;
    text_printf(t,
                "    typedef double pack __attribute__((vector_size(%d), aligned(8), may_alias));\n"
                "    pack *o = (pack *)(s + b);\n    pack ",
                8 * lanes);
    for (int i = 0; i < registers; i++)
        text_printf(t, "%sa%d = {0}, b%d = {0}, e%d = {0}", i ? ", " : "", i, i, i);
    text_add(t, ";\n    int i = 2;\n    for (; i + 1 < k - 1; i += 2) {\n");
    emit_terms(t, "a", "i", registers);
    emit_terms(t, "b", "i + 1", registers);
    text_add(t, "    }\n    if (i < k - 1)\n");
    emit_terms(t, "a", "i", registers);
    text_add(t, "    if (k > 1)\n");
    emit_terms(t, "e", "1", registers);
    text_add(t, "    if (k > 2)\n");
    emit_terms(t, "e", "k - 1", registers);
    for (int p = 0; p < registers; p++)
        text_printf(t, "    o[%d] = (a%d + b%d) + e%d;\n", p, p, p, p);
}

/* Two blocks at a time, and the last one. */
static void emit_sums_by(text *t, const char *name, int lanes)
{
    text_printf(t,
                "%sstatic void %s_sums%d(double *restrict s, const double *restrict l,"
                " const double *restrict r, int k)\n{\n"
                "  int b = 0;\n  for (; b + %d <= W; b += %d) {\n",
                lanes == 4 ? "__attribute__((target(\"avx2\"))) " : "", name, lanes, 2 * JETS_BLOCK,
                2 * JETS_BLOCK);
    emit_block(t, 2 * JETS_BLOCK, lanes);
    text_add(t, "  }\n  if (b < W) {\n");
    emit_block(t, JETS_BLOCK, lanes);
    text_add(t, "  }\n}\n");
}

/* A block of a row is stored at once: it is soon loaded so, and would wait until four narrower stores are done (which took a tenth of
 * the time of most jets, two fifths of that of Kepler's problem). */
static void emit_row_macro(text *t)
{
    text_add(t, "#if defined(__GNUC__) && !defined(__TINYC__)\n"
                "typedef double row __attribute__((vector_size(32), aligned(8), may_alias));\n"
                "#define ROW(at, a, b, c, d) *(row *)(at) = (row){a, b, c, d};\n"
                "#else\n"
                "#define ROW(at, a, b, c, d) "
                "(at)[0] = a, (at)[1] = b, (at)[2] = c, (at)[3] = d;\n"
                "#endif\n");
}

/* All sums of order k, by the widest registers there are; the sums are the same. */
static void emit_sums(text *t, const char *name)
{
    emit_row_macro(t);
    text_add(t, "#if defined(__GNUC__) && !defined(__TINYC__)\n");
    emit_sums_by(t, name, 2);
    text_add(t, "#if defined(__x86_64__)\n");
    emit_sums_by(t, name, 4);
    text_printf(t,
                "#define SUMS if (wide) %s_sums4(s, l, r, k); else %s_sums2(s, l, r, k);\n"
                "#define WIDE __builtin_cpu_supports(\"avx2\")\n"
                "#else\n#define SUMS %s_sums2(s, l, r, k);\n#define WIDE 0\n#endif\n"
                "#else\n#define SUMS sums(W, k, s, l, r);\n#define WIDE 0\n#endif\n",
                name, name, name);
}

/* One factor of all products, block by block: beyond the last they are zero. */
static void emit_factors(const jets *j, text *t, bool left)
{
    for (size_t p = 0; p < j->width; p++) {
        if (p % JETS_BLOCK == 0) text_printf(t, "    ROW(%c + k * W + %zu", left ? 'l' : 'r', p);
        text_add(t, ", ");
        if (p < j->products.count) {
            const jet_product *x = &j->products.at[p];
            if (left && x->weighted) text_add(t, "k * ");
            rate(j, t, left ? x->left : x->right);
        } else {
            text_add(t, "0.0");
        }
        if (p % JETS_BLOCK == JETS_BLOCK - 1) text_add(t, ")\n");
    }
}

/* Coefficients that the next order reads: first those of order 0. */
static void emit_before(const jets *j, text *t, bool first)
{
    for (uint32_t i = 0; i < j->code.count; i++) {
        const jet_code *c = &j->code.at[i];
        if (c->op != JET_CLOCKED) continue;
        text_printf(t, first ? "  double p%u = " : "    p%u = ", i);
        if (first)
            operand(j, t, c->b);
        else
            rate(j, t, c->b);
        text_add(t, ";\n");
    }
}

static void emit_rows(const jets *j, text *t)
{
    emit_factors(j, t, true);
    emit_factors(j, t, false);
    for (size_t i = 0; i < j->n; i++) {
        text_printf(t, "    y[(k + 1) * N + %zu] = y%zu = ", i, i);
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
        text_add(t, ") & (");
        operand(j, t, j->guard[i].pivot);
        text_add(t, " <= 1.7976931348623157e308)");
    }
    text_add(t, ")) return 0;\n");
}

/* The newest coefficients of y stay in variables y0, y1, …: all of an order waits for them, and from memory they would come later
 * (a tenth of the time of the tire's jet). */
void jets_emit(const jets *j, text *t, const char *name)
{
    text_printf(t, "#define N %zu\n#define W %zu\n", j->n, j->width);
    emit_sums(t, name);
    text_printf(t,
                "int %s(const double *restrict c, double t, int order, double *restrict y,"
                " double *restrict s, void (*sums)(int, int, double *, const double *, const "
                "double *))\n{\n"
                "  double *restrict l = s + W, *restrict r = l + %d * W;\n",
                name, JETS_MOST_ORDER);
    for (uint32_t i = 0; i < j->code.count; i++) emit_zero(j, t, i);
    emit_guards(j, t);
    for (uint32_t i = 0; i < j->code.count; i++) emit_inverse(j, t, i);
    for (size_t i = 0; i < j->n; i++) {
        text_printf(t, "  double y%zu = y[N + %zu] = ", i, i);
        operand(j, t, j->output[i]);
        text_add(t, ";\n");
    }
    emit_before(j, t, true);
    text_add(t, "  const int wide = WIDE;\n  (void) sums, (void) wide;\n"
                "  for (int k = 1; k < order; k++) {\n"
                "    const double rk = 1.0 / k, next = 1.0 / (k + 1);\n"
                "    SUMS\n");
    for (uint32_t i = 0; i < j->code.count; i++) emit_coefficient(j, t, i);
    emit_rows(j, t);
    emit_before(j, t, false);
    text_add(t, "  }\n  return 1;\n}\n#undef N\n#undef W\n");
}
