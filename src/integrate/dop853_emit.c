/* integrate/dop853_emit.c - a trial step of DOP853 as C, so that it can be compiled together with
 * its right-hand side: the dimension is a constant, zero coefficients are left out, the rest is
 * what dop853.c does. */
#include "dop853_table.h"
#include "integrate.h"

/* From the left; leaving out exact zeros changes no sum. */
bool dop853_emit_sum(text *t, const double *coefficient, int count)
{
    bool first = true;
    for (int j = 0; j < count; j++) {
        if (coefficient[j] == 0) continue;
        if (!first) text_add(t, " + ");
        first = false;
        text_char(t, '(');
        text_double(t, coefficient[j], 17);
        text_printf(t, ") * k[%d * N + i]", j);
    }
    return !first;
}

static void emit_stage(text *t, const char *rhs, int stage)
{
    text_add(t, "  for (int i = 0; i < N; i++) x[1 + i] = y[i] + h * (");
    dop853_emit_sum(t, dop_a[stage], stage);
    text_add(t, ");\n  x[0] = in[0] + (");
    text_double(t, dop_c[stage], 17);
    text_printf(t, ") * h;\n  good &= %s(c, x, k + %d * N);\n", rhs, stage);
}

static void emit_sum(text *t, const char *name, const double *coefficient)
{
    text_printf(t, "    const double %s = ", name);
    dop853_emit_sum(t, coefficient, DOP_STAGES);
    text_add(t, ";\n");
}

void dop853_emit(text *t, const char *name, const char *rhs, uint32_t n, const char *end)
{
    text_printf(
        t,
        "#define N %u\n"
        "int %s(const double *const *all, const double *restrict in, const double *restrict y,"
        " const double *restrict carry, double *restrict k, double *restrict next,"
        " double *restrict lost, double *restrict error, double *restrict look)\n"
        "{\n"
        "  const double *restrict c = all[0];\n"
        "  const double h = in[1], rtol = in[2], atol = in[3];\n"
        "  double x[N + 1], e5 = 0, e3 = 0;\n"
        "  int good = 1;\n",
        n, name);
    for (int stage = 1; stage < DOP_STAGES; stage++) emit_stage(t, rhs, stage);
    text_add(t, "  for (int i = 0; i < N; i++) {\n");
    emit_sum(t, "sum", dop_b);
    emit_sum(t, "d5", dop_e5);
    emit_sum(t, "d3", dop_e3);
    text_add(t, "    const double change = h * sum + carry[i];\n"
                "    next[i] = y[i] + change;\n"
                "    lost[i] = change - (next[i] - y[i]);\n"
                "    const double a = fabs(y[i]), b = fabs(next[i]);\n"
                "    const double scale = atol + rtol * (a > b ? a : b);\n"
                "    e5 += (d5 / scale) * (d5 / scale);\n"
                "    e3 += (d3 / scale) * (d3 / scale);\n"
                "  }\n"
                "  const double mixed = e5 + 0.01 * e3;\n"
                "  error[0] = mixed == 0 ? 0 : fabs(h) * e5 / sqrt(mixed * N);\n"
                "  error[1] = 0;\n");
    if (end)
        text_printf(t,
                    "  if (in[4] != 0 && error[0] <= 1) error[1] = %s(all, in, next, k + %d * N, "
                    "look);\n",
                    end, DOP_STAGES);
    text_add(t, "  return good;\n}\n#undef N\n");
}

const double *dop853_row(char table, int row, size_t *count)
{
    *count = DOP_STAGES;
    switch (table) {
    case 'a': return dop_a[row];
    case 'b': return dop_b;
    case 'c': return dop_c;
    case '3': return dop_e3;
    default: return dop_e5;
    }
}
