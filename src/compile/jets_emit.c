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
        case 's':
            text_printf(t, "S(%u, %u)", c->product / JETS_BLOCK, c->product % JETS_BLOCK);
            break;
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
                "      const part *x = (const part *)(l + (%s) * W + b);\n"
                "      const part *y = (const part *)(r + (k - (%s)) * W + b);\n",
                i, i);
    for (int p = 0; p < registers; p++)
        text_printf(t, "      %s%d += x[%d] * y[%d];\n", into, p, p, p);
    text_add(t, "    }\n");
}

/* The terms with the newest rows, which are kept: l%d and r%d from `first` on. */
static void emit_newest(text *t, int first, int registers)
{
    text_add(t, "    if (k > 1) {\n      const part *x = (const part *)(l + W + b);\n");
    for (int p = 0; p < registers; p++)
        text_printf(t, "      e%d += x[%d] * r%d;\n", p, p, first + p);
    text_add(t, "    }\n    if (k > 2) {\n      const part *y = (const part *)(r + W + b);\n");
    for (int p = 0; p < registers; p++)
        text_printf(t, "      e%d += l%d * y[%d];\n", p, first + p, p);
    text_add(t, "    }\n");
}

/* Sums of some registers from column b on: two accumulators each, so that additions do not wait for each other; what needs the
 * newest rows comes last. */
static void emit_sums_of(text *t, int first, int registers, bool kept)
{
    text_add(t, "    part ");
    for (int i = 0; i < registers; i++)
        text_printf(t, "%sa%d = {0}, b%d = {0}, e%d = {0}", i ? ", " : "", i, i, i);
    text_add(t, ";\n    int i = 2;\n    for (; i + 1 < k - 1; i += 2) {\n");
    emit_terms(t, "a", "i", registers);
    emit_terms(t, "b", "i + 1", registers);
    text_add(t, "    }\n    if (i < k - 1)\n");
    emit_terms(t, "a", "i", registers);
    if (kept) {
        emit_newest(t, first, registers);
    } else {
        text_add(t, "    if (k > 1)\n");
        emit_terms(t, "e", "1", registers);
        text_add(t, "    if (k > 2)\n");
        emit_terms(t, "e", "k - 1", registers);
    }
    for (int p = 0; p < registers; p++) {
        text_printf(t, kept ? "    s%d = " : "    *(part *)(s + b + LANES * %d) = ", first + p);
        text_printf(t, "(a%d + b%d) + e%d;\n", p, p, p);
    }
}

/* Registers that are summed together. */
enum { TOGETHER = 2 };

/* All sums of order k as a function, through memory. */
static void emit_sums(text *t, const char *name)
{
    text_printf(t,
                "static void %s_sums(double *restrict s, const double *restrict l,"
                " const double *restrict r, int k)\n{\n"
                "  int b = 0;\n  for (; b + %d * LANES <= W; b += %d * LANES) {\n",
                name, TOGETHER, TOGETHER);
    emit_sums_of(t, 0, TOGETHER, false);
    text_add(t, "  }\n  if (b < W) {\n");
    emit_sums_of(t, 0, 1, false);
    text_add(t, "  }\n}\n");
}

/* As many blocks stay in registers from one order to the next: the sums s0, s1, …, and the newest rows l0, …, r0, …: all of an order
 * waits for what they make, and from memory it would come later (5 to 13 % of the time of a jet; with five blocks nothing). */
#define MOST_KEPT 4

static bool is_kept(const jets *j)
{
    return j->width <= MOST_KEPT * JETS_BLOCK;
}

static void emit_kept(const jets *j, text *t)
{
    text_add(t, "#ifdef KEPT\n  row ");
    for (size_t b = 0; b < j->width / JETS_BLOCK; b++)
        text_printf(t, "%ss%zu, l%zu = {0}, r%zu = {0}", b ? ", " : "", b, b, b);
    text_add(t, ";\n#endif\n");
}

/* The sums of order k, for whatever compiler it is. */
static void emit_sums_call(const jets *j, text *t, const char *name)
{
    const int blocks = (int) (j->width / JETS_BLOCK);
    text_add(t, "#if defined(KEPT)\n");
    for (int b = 0; is_kept(j) && b < blocks; b += TOGETHER) {
        text_printf(t, "    {\n    enum { b = %d };\n", b * JETS_BLOCK);
        emit_sums_of(t, b, b + TOGETHER <= blocks ? TOGETHER : 1, true);
        text_add(t, "    }\n");
    }
    text_printf(t,
                "#elif defined(VECTORS)\n    %s_sums(s, l, r, k);\n"
                "#else\n    sums(W, k, s, l, r);\n#endif\n",
                name);
}

/* S: a sum; ROW: a block of a row, stored at once: it is soon loaded so, and would wait until four narrower stores are done (which took a
 * tenth of the time of most jets, two fifths of that of Kepler's problem). Where registers are narrower than a block nothing is kept: made of
 * several of them a block would go through memory all the more. */
static void emit_macros(const jets *j, text *t)
{
    text_printf(
        t,
        "#if defined(__GNUC__) && !defined(__TINYC__)\n"
        "#define VECTORS\n"
        "typedef double row __attribute__((vector_size(32), aligned(8), may_alias));\n"
        "#ifdef __AVX2__\n%stypedef row part;\n#define LANES 4\n"
        "#else\n"
        "typedef double part __attribute__((vector_size(16), aligned(8), may_alias));\n"
        "#define LANES 2\n"
        "#endif\n#endif\n"
        "#if defined(KEPT)\n"
        "#define ROW(x, b, ...) *(row *)(x + k * W + 4 * b) = x##b = (row){__VA_ARGS__};\n"
        "#define S(b, i) s##b[i]\n"
        "#else\n"
        "#define S(b, i) s[4 * b + i]\n"
        "#if defined(VECTORS)\n"
        "#define ROW(x, b, ...) *(row *)(x + k * W + 4 * b) = (row){__VA_ARGS__};\n"
        "#else\n"
        "#define ROW(x, b, i0, i1, i2, i3) "
        "{ double *at = x + k * W + 4 * b; at[0] = i0, at[1] = i1, at[2] = i2, at[3] = i3; }\n"
        "#endif\n#endif\n",
        is_kept(j) ? "#define KEPT\n" : "");
}

/* One factor of all products, block by block: beyond the last they are zero. */
static void emit_factors(const jets *j, text *t, bool left)
{
    for (size_t p = 0; p < j->width; p++) {
        if (p % JETS_BLOCK == 0)
            text_printf(t, "    ROW(%c, %zu", left ? 'l' : 'r', p / JETS_BLOCK);
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
    emit_macros(j, t);
    text_add(t, "#if defined(VECTORS) && !defined(KEPT)\n");
    emit_sums(t, name);
    text_add(t, "#endif\n");
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
    if (is_kept(j) && j->width) emit_kept(j, t);
    text_add(t, "  (void) sums;\n"
                "  for (int k = 1; k < order; k++) {\n"
                "    const double rk = 1.0 / k, next = 1.0 / (k + 1);\n");
    emit_sums_call(j, t, name);
    for (uint32_t i = 0; i < j->code.count; i++) emit_coefficient(j, t, i);
    emit_rows(j, t);
    emit_before(j, t, false);
    text_add(t, "  }\n  return 1;\n}\n#undef N\n#undef W\n#undef ROW\n#undef S\n");
}
