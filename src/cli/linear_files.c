/* cli/linear_files.c - linear models as files of other programs: Python, Octave, NumPy's arrays. */
#include "cli.h"
#include "linear_files.h"

#include "npy.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct matrix {
    const char *name;
    size_t rows, columns;
    const double *at;
} matrix;

static void list_matrices(const ah_linearise_values *v, matrix m[LINEAR_MATRICES])
{
    const matrix all[LINEAR_MATRICES] = {{"A", v->states, v->states, v->A},
                                         {"B", v->states, v->inputs, v->B},
                                         {"C", v->outputs, v->states, v->C},
                                         {"D", v->outputs, v->inputs, v->D}};
    memcpy(m, all, sizeof all);
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* How a language writes a matrix, a list of names, and a number that is none. */
typedef struct words {
    const char *comment, *nan, *infinity;
    const char *open, *row, *row_end, *next, *close; /* of a matrix */
    const char *names, *names_end, *quote;
    const char *begin; /* before everything */
} words;

static const words python = {"#",
                             "nan",
                             "inf",
                             " = array([",
                             "[",
                             "]",
                             ",\n           ",
                             "], float)",
                             " = [",
                             "]",
                             "\"",
                             "from numpy import array, inf, nan\n"};
static const words octave = {"%",        "NaN", "Inf",  " = [", "",   "",
                             ";\n     ", "];",  " = {", "};",   "\"", ""};

static void put_number(FILE *f, const words *w, double x)
{
    char s[40];
    if (isnan(x))
        fputs(w->nan, f);
    else if (isinf(x))
        fprintf(f, "%s%s", x < 0 ? "-" : "", w->infinity);
    else {
        for (int digits = 15; digits <= 17; digits++) {
            snprintf(s, sizeof s, "%.*g", digits, x);
            if (strtod(s, NULL) == x) break;
        }
        fputs(s, f);
    }
}

/* Without rows or columns it still has its shape. */
static void put_matrix(FILE *f, const words *w, const matrix *m)
{
    if (!m->rows || !m->columns) {
        if (w == &python)
            fprintf(f, "%s = array([], float).reshape(%zu, %zu)\n", m->name, m->rows, m->columns);
        else
            fprintf(f, "%s = zeros (%zu, %zu);\n", m->name, m->rows, m->columns);
        return;
    }
    fprintf(f, "%s%s", m->name, w->open);
    for (size_t i = 0; i < m->rows; i++) {
        fprintf(f, "%s%s", i ? w->next : "", w->row);
        for (size_t k = 0; k < m->columns; k++) {
            if (k) fputs(", ", f);
            put_number(f, w, m->at[i * m->columns + k]);
        }
        fputs(w->row_end, f);
    }
    fprintf(f, "%s\n", w->close);
}

static void put_quoted(FILE *f, const char *s)
{
    fputc('"', f);
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') fputc('\\', f);
        fputc(*s, f);
    }
    fputc('"', f);
}

typedef const char *name_of(const ah_linearise_values *v, ah_ctx *ctx, size_t i);

static const char *state_name(const ah_linearise_values *v, ah_ctx *ctx, size_t i)
{
    return ah_print(ctx, v->state[i], AH_ASCII);
}

static const char *input_name(const ah_linearise_values *v, ah_ctx *ctx, size_t i)
{
    (void) ctx;
    return v->input[i].name;
}

static const char *output_name(const ah_linearise_values *v, ah_ctx *ctx, size_t i)
{
    (void) ctx;
    return v->output[i].name;
}

static const char *state_unit(const ah_linearise_values *v, ah_ctx *ctx, size_t i)
{
    (void) ctx;
    return v->unit[i];
}

static const char *input_unit(const ah_linearise_values *v, ah_ctx *ctx, size_t i)
{
    (void) ctx;
    return v->input[i].unit;
}

static const char *output_unit(const ah_linearise_values *v, ah_ctx *ctx, size_t i)
{
    (void) ctx;
    return v->output[i].unit;
}

void linear_write_text(FILE *f, const char *kind, ah_ctx *ctx, const ah_linearise_values *v)
{
    const words *w = !strcmp(kind, "py") ? &python : &octave;
    const struct {
        const char *name;
        size_t count;
        name_of *of;
    } lists[] = {{"states", v->states, state_name},    {"state_units", v->states, state_unit},
                 {"inputs", v->inputs, input_name},    {"input_units", v->inputs, input_unit},
                 {"outputs", v->outputs, output_name}, {"output_units", v->outputs, output_unit}};
    matrix m[LINEAR_MATRICES];
    list_matrices(v, m);
    fprintf(f, "%s y' = %sA y + B u, o = C y + D u: deviations of y, u and o from the %s.\n",
            w->comment, v->any_state ? "rate + " : "", v->any_state ? "state" : "steady motion");
    fprintf(f, "%s Made by anholo %s. This file belongs to you.\n%s", w->comment, ah_version(),
            w->begin);
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) {
        fprintf(f, "%s%s", lists[k].name, w->names);
        for (size_t i = 0; i < lists[k].count; i++) {
            const char *s = lists[k].of(v, ctx, i);
            if (i) fputs(", ", f);
            put_quoted(f, s ? s : "");
        }
        fprintf(f, "%s\n", w->names_end);
    }
    for (size_t k = 0; k < LINEAR_MATRICES; k++) put_matrix(f, w, &m[k]);
    const matrix rate = {"rate", v->states, 1, v->rate};
    put_matrix(f, w, &rate);
}

/* ---- NumPy ----------------------------------------------------------------------------------- */

void linear_write_npy(output *o, const ah_linearise_values *v, size_t which)
{
    matrix m[LINEAR_MATRICES];
    char shape[64];
    list_matrices(v, m);
    snprintf(shape, sizeof shape, "(%zu, %zu)", m[which].rows, m[which].columns);
    npy_begin(o, "'<f8'", shape);
    for (size_t i = 0; i < m[which].rows * m[which].columns; i++) npy_number(o, m[which].at[i]);
}

const char *linear_matrix_name(size_t which)
{
    static const char *const suffix[] = {"_A", "_B", "_C", "_D"};
    return suffix[which];
}
