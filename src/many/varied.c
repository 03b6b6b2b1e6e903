/* many/varied.c - what varies from run to run, and its values. */
#include "ensemble_inside.h"

#include "../lang/lang.h"

#include <math.h>
#include <string.h>

/* Runs are counted in doubles on the command line and in tables. */
#define RUNS_MOST ((uint64_t) 1 << 53)

/* ---- Lists ----------------------------------------------------------------------------------- */

const char *piece_of_list(arena *a, const char **rest)
{
    int depth = 0;
    bool quoted = false;
    const char *s = *rest;
    if (!s) return NULL;
    for (; *s && (quoted || depth > 0 || *s != ','); s++) {
        if (*s == '"') quoted = !quoted;
        if (!quoted) depth += (*s == '(' || *s == '[') - (*s == ')' || *s == ']');
    }
    const char *piece = arena_strndup(a, *rest, (size_t) (s - *rest));
    *rest = *s ? s + 1 : NULL;
    return piece;
}

/* ---- Symbols --------------------------------------------------------------------------------- */

static size_t parameter_of(const ah_model *m, ah_expr symbol)
{
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].symbol == symbol) return i;
    return SIZE_MAX;
}

/* A parameter that stands for a value at the start, or of an input. */
static ah_expr new_parameter(ah_ensemble *e, const char *name, ah_expr value)
{
    ah_model *m = e->model;
    name = arena_printf(&m->ctx->job, "varied(%s)", name);
    const ah_expr symbol = expr_symbol(m->ctx, AH_PARAMETER, name);
    LIST_PUSH(
        &m->ctx->job, &m->parameters,
        ((model_parameter){.name = name, .symbol = symbol, .value = value, .drive = AH_NONE}));
    return symbol;
}

static bool number_of(ah_ensemble *e, ah_expr x, double *out)
{
    ah_model *m = e->model;
    ah_expr value = x;
    model_put_values(m, &value, 1);
    *out = value == AH_NONE ? NAN : ah_evaluate(m->ctx, value, 0, NULL, NULL);
    return isfinite(*out);
}

ah_expr varied_number(ah_ctx *ctx, double x)
{
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", fabs(x));
    return x < 0 ? ah_neg(ctx, ah_number(ctx, digits)) : ah_number(ctx, digits);
}

/* The number it has now, 0 where nothing is said: the equations are judged there. */
static ah_expr begins_at(ah_ensemble *e, ah_expr symbol)
{
    const ah_model *m = e->model;
    double x = 0;
    for (size_t i = 0; i < m->start.count; i++)
        if (m->start.at[i].symbol == symbol && !number_of(e, m->start.at[i].value, &x)) x = 0;
    return varied_number(m->ctx, x);
}

static model_function *input_of(const ah_model *m, ah_expr e)
{
    const char *name =
        expr_get_op(m->ctx, e) == EXPR_UNKNOWN || expr_get_op(m->ctx, e) == EXPR_SYMBOL
            ? expr_get_name(m->ctx, e)
            : NULL;
    for (size_t i = 0; name && i < m->functions.count; i++)
        if (m->functions.at[i].input != AH_NONE && !strcmp(m->functions.at[i].name, name))
            return &m->functions.at[i];
    return NULL;
}

static ah_expr cannot_vary(ah_ensemble *e, const char *name, ah_span span, const char *why)
{
    diag(e->model->ctx, A0622, span, "`%s` cannot be varied%s", name, why);
    diag_hint(e->model->ctx, "parameters, inputs, and t, coordinates, velocities and velocity "
                             "parameters at the start can be varied");
    return AH_NONE;
}

static ah_expr vary_parameter(ah_ensemble *e, ah_expr symbol, const char *name, ah_span span)
{
    ah_model *m = e->model;
    const size_t i = parameter_of(m, symbol);
    if (i == SIZE_MAX) return cannot_vary(e, name, span, "");
    model_parameter *p = &m->parameters.at[i];
    if (p->counts)
        return cannot_vary(e, name, span, ": indices or ranges of the model are made of it");
    /* its own from now on, not given by others */
    if (p->value == AH_NONE || expr_depends_kind(m->ctx, p->value, AH_PARAMETER))
        p->value = expr_int(m->ctx, 1);
    return symbol;
}

/* The parameter that stands for it; AH_NONE after an error. */
static ah_expr vary(ah_ensemble *e, ah_expr symbol, const char *name, ah_span span)
{
    ah_model *m = e->model;
    ah_ctx *ctx = m->ctx;
    if (symbol == AH_NONE) return AH_NONE;
    for (size_t i = 0; i < e->varied.count; i++)
        if (e->varied.at[i].symbol == symbol) {
            diag(ctx, A0622, span, "`%s` varies already", name);
            diag_hint(ctx, "a name stands in one of --over, --spread and --list");
            return AH_NONE;
        }
    model_function *input = input_of(m, symbol);
    if (input) {
        const ah_expr p = new_parameter(e, name, expr_int(ctx, 0));
        input->input = p;
        if (input->body != AH_NONE) input->body = p; /* a velocity parameter */
        return p;
    }
    int k;
    if (model_attitude_of(m, symbol, &k)) {
        const ah_expr p = new_parameter(e, name, begins_at(e, symbol));
        model_begin_omega(e->model, symbol, p, span);
        return p;
    }
    if (expr_get_op(ctx, symbol) != EXPR_SYMBOL) return cannot_vary(e, name, span, "");
    switch (expr_get_kind(ctx, symbol)) {
    case AH_PARAMETER: return vary_parameter(e, symbol, name, span);
    case AH_TIME:
    case AH_COORDINATE:
    case AH_VELOCITY:
    case AH_SPEED: break;
    default: return cannot_vary(e, name, span, "");
    }
    const ah_expr p = new_parameter(e, name, begins_at(e, symbol));
    model_begin_at(e->model, symbol, p, span);
    return p;
}

/* ---- Ranges ---------------------------------------------------------------------------------- */

static void add(ah_ensemble *e, const lang_varied *r, varied v)
{
    v.name = r->name;
    v.symbol = r->symbol;
    v.parameter = vary(e, r->symbol, r->name, r->name_span);
    if (v.parameter != AH_NONE) LIST_PUSH(&e->arena, &e->varied, v);
}

static void not_finite(ah_ensemble *e, const char *option, const lang_varied *r)
{
    diag(e->model->ctx, A0622, r->span, "the ends of the range are not finite numbers");
    diag_hint(e->model->ctx, "write, for example, %s \"%s=0..10:201\"", option, r->name);
}

/* "m=1+-0.1": where the sign begins and its length; NULL: there is none. */
static const char *plus_minus(const char *piece, size_t *length)
{
    const char *ascii = strstr(piece, "+-"), *sign = strstr(piece, "±");
    *length = 2;
    return ascii ? ascii : sign;
}

static void read_normal(ah_ensemble *e, const char *option, const char *piece, const char *sign,
                        size_t length)
{
    lang_varied r;
    varied v = {.kind = VARIED_NORMAL};
    /* the same form as a range: mean and deviation in the place of the ends */
    const char *range =
        arena_printf(&e->arena, "%.*s..%s", (int) (sign - piece), piece, sign + length);
    if (!lang_read_varied(e->model, option, range, &e->arena, &r)) return;
    if (!number_of(e, r.from, &v.a) || !number_of(e, r.to, &v.b)) {
        not_finite(e, option, &r);
    } else if (v.b < 0 || r.count) {
        diag(e->model->ctx, A0622, r.span, "this is no mean and deviation");
        diag_hint(e->model->ctx, "write, for example, %s \"%s=1+-0.1\"", option, r.name);
    } else {
        add(e, &r, v);
    }
}

static void read_range(ah_ensemble *e, const char *option, const char *piece, bool random)
{
    lang_varied r;
    varied v = {.kind = random ? VARIED_UNIFORM : VARIED_GRID};
    if (!lang_read_varied(e->model, option, piece, &e->arena, &r)) return;
    if (!number_of(e, r.from, &v.a) || !number_of(e, r.to, &v.b)) {
        not_finite(e, option, &r);
        return;
    }
    if (random != (r.count == 0)) {
        diag(e->model->ctx, A0622, r.span,
             random ? "draws have no number of values" : "the number of values is missing");
        diag_hint(e->model->ctx,
                  random ? "--random says how many are drawn"
                         : "write, for example, %s \"%s=0..10:201\"",
                  option, r.name);
        return;
    }
    v.count = r.count;
    add(e, &r, v);
}

void varied_read(ah_ensemble *e, const char *option, const char *words, bool random)
{
    for (const char *piece; (piece = piece_of_list(&e->arena, &words));) {
        size_t length;
        const char *sign = random ? plus_minus(piece, &length) : NULL;
        if (sign)
            read_normal(e, option, piece, sign, length);
        else
            read_range(e, option, piece, random);
    }
}

/* ---- Tables and starts ----------------------------------------------------------------------- */

static bool check_table(ah_ensemble *e, size_t columns, const char *const *names, uint64_t rows,
                        const double *values)
{
    ah_ctx *ctx = e->model->ctx;
    if (e->rows) {
        diag(ctx, A0622, NOWHERE, "there is a list already");
        return false;
    }
    if (!rows || !columns) {
        diag(ctx, A0622, NOWHERE, "the list has no rows");
        return false;
    }
    if (rows > RUNS_MOST / columns) ctx_raise_limit(ctx, "the list is too long");
    for (uint64_t i = 0; i < rows * columns; i++) {
        if (isfinite(values[i])) continue;
        diag(ctx, A0622, NOWHERE, "row %llu of the list: `%s` is not a finite number",
             (unsigned long long) (i / columns + 1), names[i % columns]);
        return false;
    }
    return true;
}

void varied_list(ah_ensemble *e, size_t columns, const char *const *names, uint64_t rows,
                 const double *values)
{
    if (!check_table(e, columns, names, rows, values)) return;
    for (size_t i = 0; i < columns; i++) {
        ah_expr symbol;
        ah_read_expression(e->model, "--list", names[i], &symbol);
        varied v = {.kind = VARIED_LIST,
                    .name = arena_strdup(&e->arena, names[i]),
                    .symbol = symbol,
                    .column = i};
        v.parameter = vary(e, symbol, v.name, NOWHERE);
        if (v.parameter == AH_NONE) return; /* the table is none */
        LIST_PUSH(&e->arena, &e->varied, v);
    }
    e->table = NEW_ARRAY(&e->arena, double, (size_t) rows *columns);
    memcpy(e->table, values, (size_t) rows * columns * sizeof *values);
    e->rows = rows;
    e->table_columns = columns;
}

void varied_start(ah_ensemble *e, const char *at)
{
    lang_values values;
    ah_ctx *ctx = e->model->ctx;
    if (!lang_read_values(e->model, "--at", at, &e->arena, &values)) return;
    for (size_t i = 0; i < values.count; i++) {
        const model_value *v = &values.at[i];
        const bool symbol = expr_get_op(ctx, v->symbol) == EXPR_SYMBOL;
        const ah_symbol_kind kind = symbol ? expr_get_kind(ctx, v->symbol) : AH_PARAMETER;
        if (kind == AH_TIME || kind == AH_COORDINATE || kind == AH_VELOCITY || kind == AH_SPEED) {
            model_begin_at(e->model, v->symbol, v->value, v->span);
            continue;
        }
        if (model_begin_omega(e->model, v->symbol, v->value, v->span)) continue;
        diag(ctx, A0604, v->span, "`%s` cannot be set in a state",
             expr_text(ctx, &e->arena, v->symbol, AH_ASCII));
        diag_hint(ctx, "a state gives t, coordinates, velocities and velocity parameters; "
                       "parameters are set with --set");
    }
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool has_kind(const ah_ensemble *e, varied_kind a, varied_kind b)
{
    for (size_t i = 0; i < e->varied.count; i++)
        if (e->varied.at[i].kind == a || e->varied.at[i].kind == b) return true;
    return false;
}

static uint64_t draws_of(const ah_ensemble *e)
{
    return e->options.random ? e->options.random : 1;
}

uint64_t varied_count(ah_ensemble *e)
{
    ah_ctx *ctx = e->model->ctx;
    const bool spread = has_kind(e, VARIED_UNIFORM, VARIED_NORMAL);
    uint64_t runs = e->rows ? e->rows : 1;
    if (spread != (e->options.random > 0)) {
        diag(ctx, A0622, NOWHERE,
             spread ? "nothing says how many runs are drawn" : "nothing says what is drawn");
        diag_hint(ctx, spread ? "add --random N" : "add --spread NAME=A..B, or leave --random out");
        return 0;
    }
    for (size_t i = 0; i <= e->varied.count; i++) {
        const bool last = i == e->varied.count;
        if (!last && e->varied.at[i].kind != VARIED_GRID) continue;
        const uint64_t factor = last ? draws_of(e) : e->varied.at[i].count;
        if (runs > RUNS_MOST / factor) ctx_raise_limit(ctx, "there are more than 2^53 runs");
        runs *= factor;
    }
    return runs;
}

static double grid_value(const varied *v, uint64_t i)
{
    if (v->count > 1 && i + 1 == v->count) return v->b;
    return v->a + (v->b - v->a) * (double) i / (double) (v->count > 1 ? v->count - 1 : 1);
}

void varied_values(const ah_ensemble *e, uint64_t run, double *out)
{
    const uint64_t seed = e->options.seed;
    uint64_t place = run / draws_of(e);
    for (size_t i = e->varied.count; i-- > 0;) {
        const varied *v = &e->varied.at[i];
        if (v->kind != VARIED_GRID) continue;
        out[i] = grid_value(v, place % v->count);
        place /= v->count;
    }
    for (size_t i = 0; i < e->varied.count; i++) {
        const varied *v = &e->varied.at[i];
        switch (v->kind) {
        case VARIED_GRID: break;
        case VARIED_UNIFORM:
            out[i] = v->a + (v->b - v->a) * draw_uniform(seed, run, v->name);
            break;
        case VARIED_NORMAL: out[i] = v->a + v->b * draw_normal(seed, run, v->name); break;
        case VARIED_LIST: out[i] = e->table[place * e->table_columns + v->column]; break;
        }
    }
}
