/* trajectory/trajectory_read.c - the rows of an earlier run, from the table that it left. */
#include "trajectory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CELL = 64 }; /* bytes of a number */

/* ---- Names of what a motion makes ------------------------------------------------------------ */

/* M[i,j], objects of methods and ω' by what they are; the others need the motion. */
static bool definition_of(ah_model *m, ah_expr symbol, ah_expr *out)
{
    derived_ref d;
    if (model_find_derived(m, symbol, &d)) return derive_formula(derive_mechanics(m), symbol, out);
    for (size_t i = 0; i < m->quasivelocities.count; i++) {
        const model_speed *s = &m->quasivelocities.at[i];
        if (expr_dot(m->ctx, s->symbol) != symbol) continue;
        *out = expr_dt(m->ctx, s->definition);
        return true;
    }
    return false;
}

void trajectory_expand(ah_model *m, ah_expr *e, size_t count)
{
    ah_ctx *ctx = m->ctx;
    expr_list from = {0}, to = {0};
    const expr_list used = expr_symbols(ctx, &ctx->job, e, count);
    for (size_t i = 0; i < used.count; i++) {
        const ah_symbol_kind kind = expr_get_kind(ctx, used.at[i]);
        ah_expr value;
        if ((kind != AH_DERIVED && kind != AH_SPEED_DOT) || !definition_of(m, used.at[i], &value))
            continue;
        LIST_PUSH(&ctx->job, &from, used.at[i]);
        LIST_PUSH(&ctx->job, &to, value);
    }
    expr_subst_all(ctx, e, count, from.count, from.at, to.at);
}

bool trajectory_find_part(const ah_model *m, ah_expr symbol, derived_ref *out)
{
    return model_find_derived(m, symbol, out) &&
           (out->what == DERIVED_LAMBDA || out->what == DERIVED_REACTION ||
            out->what == DERIVED_RESIDUAL);
}

/* ---- The table ------------------------------------------------------------------------------- */

typedef struct table {
    ah_model *model;
    ah_ctx *ctx;
    const char *at, *end; /* what is left of the text */
    size_t line, columns;
    LIST(const char *) name;
    ah_expr *symbol; /* of each column: what it gives, or AH_NONE */
} table;

static void complain(const table *t, const char *what)
{
    diag(t->ctx, A0632, NOWHERE, "line %zu of the table: %s", t->line, what);
    diag_hint(t->ctx, "tables are written by `anholo simulate MODEL -o run.csv`");
}

/* ---- Names of columns ------------------------------------------------------------------------ */

/* The end of a name: a comma outside brackets, or the end of the line. */
static const char *name_end(const table *t, const char *s)
{
    int depth = 0;
    for (; s < t->end && *s != '\n' && *s != '\r' && (depth > 0 || *s != ','); s++)
        depth += (*s == '[') - (*s == ']');
    return s;
}

static void skip_line_end(table *t)
{
    if (t->at < t->end && *t->at == '\r') t->at++;
    if (t->at < t->end && *t->at == '\n') t->at++;
    t->line++;
}

static bool read_names(table *t)
{
    while (t->at < t->end) {
        const char *end = name_end(t, t->at);
        const char *name = arena_strndup(&t->ctx->job, t->at, (size_t) (end - t->at));
        ctx_tick(t->ctx);
        LIST_PUSH(&t->ctx->job, &t->name, name);
        t->at = end;
        if (t->at >= t->end || *t->at != ',') break;
        t->at++;
    }
    t->columns = t->name.count;
    if (t->columns && !strcmp(t->name.at[0], "t")) return skip_line_end(t), true;
    complain(t, "the first column is not the time t");
    return false;
}

/* The column of a symbol's own name; SIZE_MAX: there is none. */
static size_t column_named(const table *t, const char *name)
{
    for (size_t i = 0; i < t->columns; i++)
        if (!strcmp(t->name.at[i], name)) return i;
    return SIZE_MAX;
}

static size_t column_of_symbol(const table *t, ah_expr symbol)
{
    derived_ref d;
    arena *a = &t->ctx->job;
    if (expr_get_kind(t->ctx, symbol) != AH_DERIVED)
        return column_named(t, expr_text(t->ctx, a, symbol, AH_ASCII));
    if (!trajectory_find_part(t->model, symbol, &d)) return SIZE_MAX;
    return column_named(t, model_derived_label(t->model, a, d));
}

/* ---- What is asked for ----------------------------------------------------------------------- */

/* An output or the energy is there as it stands, whatever it is made of. */
static size_t column_of_expression(const table *t, ah_expr e)
{
    const ah_model *m = t->model;
    for (size_t i = 0; i < m->outputs.count; i++)
        if (m->outputs.at[i].e == e && column_named(t, m->outputs.at[i].name) != SIZE_MAX)
            return column_named(t, m->outputs.at[i].name);
    if (e == model_energy(t->model)) return column_named(t, "energy");
    return SIZE_MAX;
}

/* Every symbol of the formulas is a parameter, or is given to a column. */
static bool find_symbols(table *t, const ah_expr *e, size_t count)
{
    bool good = true;
    const expr_list used = expr_symbols(t->ctx, &t->ctx->job, e, count);
    t->symbol = NEW_ARRAY(&t->ctx->job, ah_expr, t->columns);
    for (size_t i = 0; i < used.count; i++) {
        if (expr_get_kind(t->ctx, used.at[i]) == AH_PARAMETER) continue;
        const size_t column = column_of_symbol(t, used.at[i]);
        if (column != SIZE_MAX) {
            t->symbol[column] = used.at[i];
            continue;
        }
        diag(t->ctx, A0633, NOWHERE, "the table has no column `%s`",
             expr_text(t->ctx, &t->ctx->job, used.at[i], AH_ASCII));
        diag_hint(t->ctx, "declare it as an output before the run, or make the run anew without "
                          "--from");
        good = false;
    }
    return good;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* An empty cell is a value that does not exist. */
static bool read_cell(table *t, double *out)
{
    char cell[CELL + 1];
    size_t n = 0;
    *out = NAN;
    for (; t->at < t->end && !strchr(",\r\n", *t->at) && *t->at; t->at++) {
        if (n >= CELL) return false;
        cell[n++] = *t->at;
    }
    cell[n] = '\0';
    if (!n) return true;
    char *end;
    *out = strtod(cell, &end);
    return !*end && !strpbrk(cell, "xX"); /* 0x10 */
}

static bool read_row(table *t, double *row)
{
    for (size_t i = 0; i < t->columns; i++) {
        if (!read_cell(t, &row[i])) return complain(t, "a cell that is no number"), false;
        const bool comma = t->at < t->end && *t->at == ',';
        if (comma != (i + 1 < t->columns)) return complain(t, "not as many cells as names"), false;
        t->at += comma;
    }
    if (t->at < t->end && *t->at != '\r' && *t->at != '\n')
        return complain(t, "a cell that is no number"), false;
    skip_line_end(t);
    return true;
}

/* ---- The whole ------------------------------------------------------------------------------- */

static size_t count_lines(const table *t)
{
    size_t lines = 1;
    for (const char *s = t->at; s < t->end; s++) lines += *s == '\n';
    return lines;
}

typedef struct formulas {
    size_t count, *column; /* SIZE_MAX: of the plan */
    expr_plan *plan;
    double *value;
} formulas;

static bool read_rows(table *t, point *p, const formulas *f, double *at, size_t *rows)
{
    double *row = NEW_ARRAY(&t->ctx->job, double, t->columns);
    while (t->at < t->end) {
        ctx_tick(t->ctx);
        if (!read_row(t, row)) return false;
        for (size_t i = 0; i < t->columns; i++)
            if (t->symbol[i] != AH_NONE) point_set(p, t->symbol[i], row[i]);
        expr_plan_run(f->plan, p->values, f->value);
        for (size_t i = 0, k = 0; i < f->count; i++) {
            const double x = f->column[i] != SIZE_MAX ? row[f->column[i]] : f->value[k++];
            *at++ = isfinite(x) ? x : NAN;
        }
        ++*rows;
    }
    return true;
}

bool trajectory_read(ah_model *m, const char *csv, size_t length, const ah_expr *extra,
                     size_t extras, trajectory *out)
{
    ah_ctx *ctx = m->ctx;
    arena *a = &ctx->job;
    table t = {.model = m, .ctx = ctx, .at = csv, .end = csv + length, .line = 1};
    expr_list planned = {0};
    point p;
    formulas f = {.count = extras, .column = NEW_ARRAY(a, size_t, extras + 1)};
    *out = (trajectory){.model = m, .columns = extras};
    if (!read_names(&t)) return false;
    for (size_t i = 0; i < extras; i++) {
        f.column[i] = column_of_expression(&t, extra[i]);
        if (f.column[i] == SIZE_MAX) LIST_PUSH(a, &planned, extra[i]);
    }
    trajectory_expand(m, planned.at, planned.count);
    if (!find_symbols(&t, planned.at, planned.count) || !point_create(m, a, &p)) return false;
    f.plan = expr_plan_create(ctx, a, planned.at, planned.count);
    f.value = NEW_ARRAY(a, double, planned.count + 1);
    const size_t lines = count_lines(&t);
    if (lines > TRAJECTORY_LIMIT / (extras + 1))
        ctx_raise_limit(ctx, "a table with more rows than can be kept");
    double *at = NEW_ARRAY(a, double, lines *extras + 1);
    out->at = at;
    return read_rows(&t, &p, &f, at, &out->rows);
}
