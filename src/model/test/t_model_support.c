/* t_model_support.c - see model_support.h. */
#include "model_support.h"
#include "model/probe.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- Expressions from text ------------------------------------------------------------------- */

typedef struct reader {
    ah_model *m;
    ah_ctx *ctx;
    const char *at;
} reader;

static ah_expr sum(reader *r);

static bool take(reader *r, char c)
{
    while (isspace((unsigned char) *r->at)) r->at++;
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static ah_expr symbol(reader *r, const char *name)
{
    if (strcmp(name, "t") == 0) return ah_time(r->ctx);
    if (strcmp(name, "pi") == 0) return ah_pi(r->ctx);
    const model_name *found = model_find(r->m, name);
    const model_what what = found ? found->what : MODEL_PARAMETER;
    const ah_symbol_kind kind = what == MODEL_COORDINATE                             ? AH_COORDINATE
                                : what == MODEL_SPEED || what == MODEL_QUASIVELOCITY ? AH_SPEED
                                                                                     : AH_PARAMETER;
    ah_expr e = ah_symbol(r->ctx, kind, name);
    while (*r->at == '\'') {
        e = ah_total_derivative(r->ctx, e);
        r->at++;
    }
    return e;
}

static ah_expr call(reader *r, const char *name)
{
    static const char *const names[] = {
#define X(code, text, arity) text,
        AH_FUNCTION_LIST(X)
#undef X
    };
    ah_expr argument[2] = {sum(r), AH_NONE};
    if (take(r, ',')) argument[1] = sum(r);
    take(r, ')');
    for (int f = 0; f < AH_FUNCTIONS; f++)
        if (strcmp(names[f], name) == 0) return ah_call(r->ctx, (ah_function) f, argument);
    return ah_unknown(r->ctx, name, argument[1] == AH_NONE ? 1 : 2, argument);
}

static ah_expr primary(reader *r)
{
    char word[64];
    size_t n = 0;
    if (take(r, '(')) {
        const ah_expr inner = sum(r);
        take(r, ')');
        return inner;
    }
    const bool number = isdigit((unsigned char) *r->at);
    while (n < 63 &&
           (isalnum((unsigned char) *r->at) || *r->at == '_' || (number && *r->at == '.')))
        word[n++] = *r->at++;
    word[n] = '\0';
    if (number) return ah_number(r->ctx, word);
    return take(r, '(') ? call(r, word) : symbol(r, word);
}

static ah_expr power(reader *r)
{
    if (take(r, '-')) return ah_neg(r->ctx, power(r));
    const ah_expr base = primary(r);
    return take(r, '^') ? ah_pow(r->ctx, base, power(r)) : base;
}

static ah_expr product(reader *r)
{
    ah_expr e = power(r);
    for (;;) {
        if (take(r, '*'))
            e = ah_mul(r->ctx, e, power(r));
        else if (take(r, '/'))
            e = ah_div(r->ctx, e, power(r));
        else
            return e;
    }
}

static ah_expr sum(reader *r)
{
    ah_expr e = product(r);
    for (;;) {
        if (take(r, '+'))
            e = ah_add(r->ctx, e, product(r));
        else if (take(r, '-'))
            e = ah_sub(r->ctx, e, product(r));
        else
            return e;
    }
}

ah_expr read_expr(ah_model *m, const char *s)
{
    reader r = {m, m->ctx, s};
    return sum(&r);
}

ah_vector read_vector(ah_model *m, const char *x, const char *y, const char *z)
{
    return (ah_vector){{read_expr(m, x), read_expr(m, y), read_expr(m, z)}};
}

/* ---- Statements ------------------------------------------------------------------------------ */

/* The next "name" or "name = value" of a list; false at its end. */
static bool next_item(const char **list, char name[64], char value[64])
{
    while (**list == ' ' || **list == ',') ++*list;
    size_t n = strcspn(*list, ",");
    if (!n) return false;
    char item[128];
    snprintf(item, sizeof item, "%.*s", (int) n, *list);
    value[0] = '\0';
    sscanf(item, " %63[^= ] = %63s", name, value);
    *list += n;
    return true;
}

void add_parameters(ah_model *m, const char *list)
{
    char name[64], value[64];
    while (next_item(&list, name, value))
        ah_model_parameter(m, name, *value ? read_expr(m, value) : AH_NONE);
}

void add_coordinates(ah_model *m, const char *list)
{
    char name[64], value[64];
    while (next_item(&list, name, value)) ah_model_coordinate(m, name);
}

void add_kinetic(ah_model *m, const char *e)
{
    ah_model_kinetic(m, read_expr(m, e));
}

void add_potential(ah_model *m, const char *e)
{
    ah_model_potential(m, read_expr(m, e));
}

void add_force(ah_model *m, const char *coordinate, const char *e)
{
    ah_model_force(m, read_expr(m, coordinate), read_expr(m, e));
}

void add_constraint(ah_model *m, const char *label, const char *left)
{
    ah_model_constraint(m, label, read_expr(m, left), ah_int(m->ctx, 0));
}

void add_velocity(ah_model *m, const char *coordinate, const char *psi)
{
    ah_model_speed_equation(m, read_expr(m, coordinate), read_expr(m, psi));
}

void add_quasivelocity(ah_model *m, const char *name, const char *e)
{
    ah_model_quasivelocity(m, name, read_expr(m, e));
}

void add_assumption(ah_model *m, const char *e, bool positive)
{
    ah_model_assume(m, read_expr(m, e), positive);
}

/* ---- Looking --------------------------------------------------------------------------------- */

const char *codes(ah_ctx *ctx)
{
    static char out[256];
    size_t n = 0;
    out[0] = '\0';
    for (size_t i = 0; i < ah_diagnostic_count(ctx); i++) {
        const ah_diagnostic *d = ah_diagnostic_get(ctx, i);
        if (d->code && n + 8 < sizeof out)
            n += (size_t) snprintf(out + n, sizeof out - n, "%s%s", n ? " " : "", d->code);
    }
    return out;
}

typedef struct question {
    ah_model *m;
    size_t count;
    const ah_expr *e;
    uint64_t seed;
    double *out;
} question;

static void evaluate_body(ah_ctx *ctx, void *arg)
{
    question *k = arg;
    ah_expr *roots = NEW_ARRAY(&ctx->scratch, ah_expr, k->count);
    memcpy(roots, k->e, k->count * sizeof *roots);
    model_put_values(k->m, roots, k->count);
    probe *p = probe_create(k->m, &ctx->scratch);
    const expr_plan *plan = expr_plan_create(ctx, &ctx->scratch, roots, k->count);
    frame *values = probe_values(k->m, &ctx->scratch);
    probe_rng rng = probe_seed(k->seed);
    probe_draw(p, &rng, values);
    expr_plan_run(plan, values, k->out);
}

void evaluate(ah_model *m, size_t count, const ah_expr *e, uint64_t seed, double *out)
{
    question k = {m, count, e, seed, out};
    CHECK_INT(ctx_guard(m->ctx, evaluate_body, &k), AH_OK);
}

typedef struct pair {
    ah_model *m;
    ah_expr got, want;
} pair;

static void equal_body(ah_ctx *ctx, void *arg)
{
    const pair *k = arg;
    algebra *alg = algebra_create(ctx, NULL, 0);
    CHECK_INT(algebra_equal(alg, k->got, k->want), AH_TRUE);
}

void check_same(ah_model *m, ah_expr got, ah_expr want, const char *why)
{
    ah_expr both[] = {got, want};
    for (uint64_t seed = 1; seed <= 3; seed++) {
        double value[2];
        evaluate(m, 2, both, seed, value);
        CHECK_NEAR(value[0], value[1], 1 + fabs(value[1]), 256, why);
    }
    CHECK_INT(ctx_guard(m->ctx, equal_body, &(pair){m, got, want}), AH_OK);
}
