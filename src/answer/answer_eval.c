/* answer/answer_eval.c - `anholo eval`: the answer as text and as JSON. */
#include <anholo/eval.h>

#include "answers.h"
#include "../state/state.h"
#include "../base/base.h"
#include "../typeset/typeset.h"

#include <math.h>
#include <string.h>

ah_eval_options ah_eval_defaults(void)
{
    return (ah_eval_options){.size = sizeof(ah_eval_options)};
}

typedef struct evaluation {
    ah_model *model;
    const ah_eval_options *options;
    ah_format format;
    point point; /* its time is just after the one asked for, where something changes at that … */
    double t;    /* … which is shown */
    size_t count;
    eval_result *results;
    const digits_result *digits; /* NULL: doubles are enough */
    const char *out;
    ah_status status;
} evaluation;

/* Doubles, or decimals that are right to their last digit. */
typedef struct numbers {
    const double *x;
    const char **decimal; /* NULL: doubles */
} numbers;

static numbers quantity_numbers(const eval_result *r, const digits_result *d, quantity x)
{
    return (numbers){run_get(r->runner, x), d ? d->balls->value[x] : NULL};
}

/* ---- JSON ------------------------------------------------------------------------------------ */

static void json_one(json *j, numbers v, size_t i)
{
    if (v.decimal)
        json_string(j, v.decimal[i]);
    else
        json_number(j, v.x[i]);
}

static void json_numbers(json *j, const char *key, size_t count, numbers v)
{
    json_key(j, key);
    json_array(j);
    for (size_t i = 0; i < count; i++) json_one(j, v, i);
    json_close(j);
}

static void json_named(json *j, const char *key, const eval_result *r, numbers v)
{
    json_key(j, key);
    json_object(j);
    for (uint32_t i = 0; i < r->speeds; i++) {
        json_key(j, r->speed_name[i]);
        json_one(j, v, i);
    }
    json_close(j);
}

static void json_radius(json *j, const evaluation *e, int radius)
{
    json_key(j, "radius");
    json_string(j, arena_printf(&e->model->ctx->job, "1e%d", radius));
}

/* Accelerations and multipliers with digits, where there are any; Gauss' function in doubles. */
static void json_branches(json *j, const evaluation *e, const second_class_answer *a,
                          const digits_branch *d)
{
    const uint32_t n = e->model->n, r = (uint32_t) e->model->constraints.count;
    json_key(j, "branches");
    json_array(j);
    for (size_t i = 0; i < a->count; i++) {
        const second_class_branch *b = &a->branch[i];
        json_object(j);
        json_numbers(j, "qddot", n, (numbers){b->qddot, d ? d[i].qddot : NULL});
        json_numbers(j, "multipliers", r, (numbers){b->multipliers, d ? d[i].multipliers : NULL});
        json_key(j, "gauss");
        json_number(j, b->gauss);
        json_key(j, "kind");
        json_string(j, b->kind);
        if (d) json_radius(j, e, d[i].radius);
        json_close(j);
    }
    json_close(j);
    json_key(j, "unique");
    json_bool(j, a->unique);
    json_key(j, "complete");
    json_bool(j, a->complete);
    if (a->unique && a->count)
        json_numbers(j, "qddot", n, (numbers){a->branch[0].qddot, d ? d[0].qddot : NULL});
}

/* Transition coefficients are of order one where they are not zero. */
#define BETA_ROUNDING 1e-13

/* β_m^{t,r} as {"m^t,r": value}: the non-zero ones. Entry (m, t, r) of n × (n+1)·n, index n is time
 * (the antisymmetric partners with time last are left out). */
static void json_beta(json *j, numbers beta, uint32_t n)
{
    json_key(j, "beta");
    json_object(j);
    for (uint32_t m = 0; m < n; m++)
        for (uint32_t t = 0; t <= n; t++)
            for (uint32_t s = 0; s < n; s++) {
                const size_t i = ((size_t) m * (n + 1) + t) * n + s;
                char key[48], tau[16];
                if (fabs(beta.x[i]) <= BETA_ROUNDING) continue;
                if (t == n)
                    snprintf(tau, sizeof tau, "t");
                else
                    snprintf(tau, sizeof tau, "%u", t + 1);
                snprintf(key, sizeof key, "%u^%s,%u", m + 1, tau, s + 1);
                json_key(j, key);
                json_one(j, beta, i);
            }
    json_close(j);
}

static void json_extras(json *j, const eval_result *r, const digits_result *d, uint32_t n)
{
    for (size_t i = 0; i < r->eq->extras.count; i++) {
        const struct equations_extra *e = &r->eq->extras.at[i];
        const sheet_node *node = sheet_get(r->eq->sheet, e->value);
        if (!strcmp(e->name, "beta"))
            json_beta(j, quantity_numbers(r, d, e->value), n);
        else if (node->cols == 1)
            json_numbers(j, e->name, node->rows, quantity_numbers(r, d, e->value));
    }
}

static void json_answer(json *j, const evaluation *e, const eval_result *r, const digits_result *d)
{
    const uint32_t n = e->model->n;
    if (r->speeds) {
        const numbers z = {r->speed, d ? d->speed : NULL},
                      dot = {r->speed_dot, d ? d->speed_dot : NULL};
        json_named(j, r->eq->is_omega ? "omega" : "z", r, z);
        json_named(j, r->eq->is_omega ? "omegadot" : "zdot", r, dot);
    }
    json_numbers(j, "qddot", n, (numbers){r->qddot, d ? d->qddot : NULL});
    if (r->multipliers)
        json_numbers(j, "multipliers", e->model->constraints.count,
                     (numbers){r->multipliers, d ? d->multipliers : NULL});
    if (r->multipliers && !r->multipliers_unique) {
        json_key(j, "multipliers_unique");
        json_bool(j, false);
    }
    if (r->reaction) json_numbers(j, "reaction", n, (numbers){r->reaction, d ? d->reaction : NULL});
    json_extras(j, r, d, n);
    if (d) json_radius(j, e, d->balls->radius);
}

static void json_result(json *j, const evaluation *e, size_t i)
{
    const eval_result *r = &e->results[i];
    json_key(j, r->method->name);
    json_object(j);
    if (r->refused) {
        json_key(j, "refused");
        json_string(j, r->refused);
    } else if (r->branches) {
        json_branches(j, e, r->branches, e->digits ? e->digits[i].branch : NULL);
    } else {
        json_answer(j, e, r, e->digits ? &e->digits[i] : NULL);
    }
    json_close(j);
}

static void json_state(json *j, evaluation *e)
{
    ah_ctx *ctx = e->model->ctx;
    const ah_model *m = e->model;
    json_key(j, "model");
    json_string(j, m->title);
    json_key(j, "t");
    json_number(j, e->t);
    json_key(j, "coordinates");
    json_array(j);
    for (uint32_t i = 0; i < m->n; i++) json_string(j, expr_get_name(ctx, m->q.at[i]));
    json_close(j);
    for (int dot = 0; dot < 2; dot++) {
        json_key(j, dot ? "qdot" : "q");
        json_array(j);
        for (uint32_t i = 0; i < m->n; i++)
            json_number(j, point_get(&e->point, dot ? m->v.at[i] : m->q.at[i]));
        json_close(j);
    }
    json_key(j, "parameters");
    json_object(j);
    for (size_t i = 0; i < m->parameters.count; i++) {
        json_key(j, m->parameters.at[i].name);
        json_number(j, point_get(&e->point, m->parameters.at[i].symbol));
    }
    json_close(j);
    json_key(j, "energy");
    json_number(j, point_eval(&e->point, model_energy(e->model)));
    json_key(j, "residual");
    json_number(j, e->point.residual);
    json_key(j, "constraints");
    json_array(j);
    for (size_t i = 0; i < m->constraints.count; i++) json_string(j, m->constraints.at[i].label);
    json_close(j);
}

static const char *as_json(evaluation *e)
{
    json j = json_begin(&e->model->ctx->job);
    json_object(&j);
    json_state(&j, e);
    if (e->digits) {
        json_key(&j, "digits");
        json_int(&j, e->options->digits);
    }
    json_key(&j, "methods");
    json_object(&j);
    for (size_t i = 0; i < e->count; i++) json_result(&j, e, i);
    json_close(&j);
    json_close(&j);
    return json_end(&j);
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* Names stand in a column of their own, whatever characters they have. */
static void text_name(text *t, const char *name)
{
    text_printf(t, "    %s", name);
    for (size_t n = tex_columns(name); n < 15; n++) text_char(t, ' ');
}

static void text_row(text *t, const char *name, double x)
{
    text_name(t, name);
    text_printf(t, "% .17g\n", x);
}

static void text_number(text *t, const char *name, numbers v, size_t i)
{
    if (!v.decimal) {
        text_row(t, name, v.x[i]);
        return;
    }
    text_name(t, name);
    text_printf(t, "%s%s\n", v.decimal[i][0] == '-' ? "" : " ", v.decimal[i]);
}

static void text_vector(text *t, const evaluation *e, const expr_list *symbols, numbers v)
{
    for (uint32_t i = 0; i < e->model->n; i++)
        text_number(t, expr_text(e->model->ctx, &e->model->ctx->job, symbols->at[i], AH_TEXT), v,
                    i);
}

static void text_radius(text *t, int radius)
{
    if (radius <= BALLS_EXACT)
        text_add(t, "    all are exact\n");
    else
        text_printf(t, "    all within 1e%d of the true values\n", radius);
}

static void text_branches(text *t, const evaluation *e, const second_class_answer *a,
                          const digits_branch *d)
{
    for (size_t i = 0; i < a->count; i++) {
        const second_class_branch *b = &a->branch[i];
        text_printf(t, "  stationary point %zu: %s, Gauss' function %.17g\n", i + 1, b->kind,
                    b->gauss);
        text_vector(t, e, &e->model->a, (numbers){b->qddot, d ? d[i].qddot : NULL});
        if (d) text_radius(t, d[i].radius);
    }
    text_printf(t, "  %s%s\n",
                a->unique ? "the least one is unique"
                          : "the least one is not unique: the motion is not determined",
                a->complete ? "" : "; there may be further stationary points");
}

static void text_answer(text *t, const evaluation *e, const eval_result *r, const digits_result *d)
{
    ah_ctx *ctx = e->model->ctx;
    const numbers dot = {r->speed_dot, d ? d->speed_dot : NULL},
                  qddot = {r->qddot, d ? d->qddot : NULL},
                  lambda = {r->multipliers, d ? d->multipliers : NULL},
                  reaction = {r->reaction, d ? d->reaction : NULL};
    for (uint32_t i = 0; i < r->speeds; i++)
        text_number(t, arena_printf(&ctx->job, "(%s)'", r->speed_name[i]), dot, i);
    text_vector(t, e, &e->model->a, qddot);
    for (size_t i = 0; r->multipliers && i < e->model->constraints.count; i++)
        text_number(t, arena_printf(&ctx->job, "λ %s", e->model->constraints.at[i].label), lambda,
                    i);
    if (r->multipliers && !r->multipliers_unique)
        text_add(t, "    (redundant constraints: multipliers of least norm)\n");
    for (uint32_t i = 0; r->reaction && i < e->model->n; i++)
        text_number(t, arena_printf(&ctx->job, "R %s", expr_get_name(ctx, e->model->q.at[i])),
                    reaction, i);
    if (d) text_radius(t, d->balls->radius);
}

static void text_result(text *t, const evaluation *e, size_t i)
{
    const eval_result *r = &e->results[i];
    text_printf(t, "\n%s\n", r->method->name);
    if (r->refused)
        text_printf(t, "  refused: %s\n", r->refused);
    else if (r->branches)
        text_branches(t, e, r->branches, e->digits ? e->digits[i].branch : NULL);
    else
        text_answer(t, e, r, e->digits ? &e->digits[i] : NULL);
}

static const char *as_text(evaluation *e)
{
    ah_ctx *ctx = e->model->ctx;
    const ah_model *m = e->model;
    text t = text_begin(&ctx->job);
    if (*m->title) text_printf(&t, "%s\n", m->title);
    text_row(&t, "t", e->t);
    for (uint32_t i = 0; i < m->n; i++)
        text_row(&t, expr_text(ctx, &ctx->job, m->q.at[i], AH_TEXT),
                 point_get(&e->point, m->q.at[i]));
    for (uint32_t i = 0; i < m->n; i++)
        text_row(&t, expr_text(ctx, &ctx->job, m->v.at[i], AH_TEXT),
                 point_get(&e->point, m->v.at[i]));
    text_row(&t, "energy", point_eval(&e->point, model_energy(e->model)));
    text_row(&t, "residual", e->point.residual);
    for (size_t i = 0; i < e->count; i++) text_result(&t, e, i);
    return text_end(&t);
}

/* ---- The command ----------------------------------------------------------------------------- */

/* The methods asked for, prepared; false after an error. */
static bool choose_methods(evaluation *e, eval_method **methods, size_t *count)
{
    ah_model *m = e->model;
    const char *name = e->options->method;
    const derive_options options = {.orthonormal = e->options->orthonormal};
    size_t all = 0;
    while (derive_formalisms[all]) all++;
    *methods = NEW_ARRAY(&m->ctx->job, eval_method, all);
    *count = 0;
    if (name && !strcmp(name, "all")) {
        for (size_t i = 0; i < all; i++)
            (*methods)[(*count)++] = eval_prepare(m, derive_formalisms[i], &options, &m->ctx->job);
        return true;
    }
    const formalism *f =
        name ? derive_find_or_report(m->ctx, name) : derive_default(derive_mechanics(m));
    if (!f) return false;
    (*methods)[(*count)++] = eval_prepare(m, f, &options, &m->ctx->job);
    return true;
}

/* A single method that refuses, or a state at which everything is singular, is no answer. */
static ah_status judge(evaluation *e)
{
    ah_ctx *ctx = e->model->ctx;
    bool any = false, singular = false;
    for (size_t i = 0; i < e->count; i++) {
        if (!e->results[i].refused) any = true;
        if (e->results[i].singular) singular = true;
    }
    if (any) return AH_OK;
    const eval_result *first = &e->results[0];
    const char *beyond = singular ? point_beyond_doubles(&e->point) : NULL;
    if (first->undefined)
        diag(ctx, A0603, NOWHERE, "%s", first->refused);
    else if (beyond)
        diag(ctx, A0609, NOWHERE, "%s", beyond);
    else
        diag(ctx, singular ? A0609 : A0502, NOWHERE, "%s: %s", first->method->name, first->refused);
    return singular ? AH_E_NUMERIC : AH_E_REFUSED;
}

/* At y' = |x'| with x' = 0 the constraint has no derivative: accelerations are none of one state. */
static bool is_at_a_kink(evaluation *e)
{
    const switches_jump *jump;
    ah_ctx *ctx = e->model->ctx;
    const size_t count = switches_jumps(derive_mechanics(e->model), &ctx->job, &jump);
    for (size_t i = 0; i < count; i++) {
        if (point_eval(&e->point, jump[i].u) != 0 || point_eval(&e->point, jump[i].by) == 0)
            continue;
        diag(ctx, A0609, NOWHERE,
             "the constraint `%s` has a kink at this state, where %s = 0: its derivative jumps",
             e->model->constraints.at[jump[i].constraint].label,
             expr_text(ctx, &ctx->job, jump[i].u, AH_TEXT));
        diag_hint(ctx, "the accelerations beside it are those of either side");
        return true;
    }
    return false;
}

/* Many digits, where they can be had: a method that has none refuses. */
static void add_digits(evaluation *e, const eval_method *methods)
{
    arena *a = &e->model->ctx->job;
    digits_result *digits = NEW_ARRAY(a, digits_result, e->count);
    digits_state *state = digits_state_create(&e->point);
    for (size_t i = 0; i < e->count; i++) {
        eval_result *r = &e->results[i];
        eval_method used = methods[i]; /* but for redundant rows that were chosen for the state */
        if (r->eq) used.eq = r->eq, used.runner = r->runner;
        digits[i] = digits_at(&used, r, state, e->options->digits);
        if (digits[i].refused && !r->refused) {
            r->singular = !r->branches;
            r->refused = digits[i].refused;
        }
    }
    e->digits = digits;
}

/* Where a table has a corner, or a switch of time alone its place, the numbers are those of just after it, as in the rows of a
 * motion: at that very time sign(0) = 0 makes a mean of both sides, which is neither. */
static bool go_beyond_a_change(evaluation *e)
{
    ah_ctx *ctx = e->model->ctx;
    e->t = point_get(&e->point, expr_time(ctx));
    const double beyond = point_beyond_break(&e->point, e->t);
    point_set(&e->point, expr_time(ctx), beyond);
    if (beyond == e->t || e->options->digits == 0) return true;
    diag(ctx, A0609, NOWHERE, "something changes at t = %.12g: no digits belong to that very time",
         e->t);
    diag_hint(ctx, "give a time beside it, or leave --digits out for the numbers of just after");
    return false;
}

static void run_eval(ah_ctx *ctx, void *arg)
{
    evaluation *e = arg;
    eval_method *methods;
    if (e->options->digits < 0 || e->options->digits > AH_DIGITS_MOST) {
        diag_wrong_call(ctx, "the number of digits goes up to AH_DIGITS_MOST");
        return;
    }
    e->model = model_driven(e->model);
    model_pieces(e->model); /* knows the times at which something changes */
    if (!choose_methods(e, &methods, &e->count)) return;
    if (!point_create(e->model, &ctx->job, &e->point)) return;
    if (!(e->options->at ? point_read(&e->point, e->options->at) : point_start(&e->point))) return;
    if (!point_complete(&e->point, e->options->project)) return;
    point there;
    if (point_lower(&e->point, &there)) {
        e->model = there.model;
        e->point = there;
        if (!choose_methods(e, &methods, &e->count)) return;
    }
    if (!go_beyond_a_change(e) || is_at_a_kink(e)) {
        e->status = AH_E_NUMERIC;
        return;
    }
    e->results = NEW_ARRAY(&ctx->job, eval_result, e->count);
    for (size_t i = 0; i < e->count; i++) e->results[i] = eval_at(&methods[i], &e->point);
    if (e->options->digits > 0) add_digits(e, methods);
    e->status = judge(e);
    if (e->status == AH_OK) e->out = e->format == AH_JSON ? as_json(e) : as_text(e);
}

ah_status ah_eval(ah_model *m, const ah_eval_options *options, ah_format format, const char **out)
{
    if (!out) return AH_E_INPUT;
    ah_eval_options o = ah_eval_defaults();
    evaluation e = {.options = &o, .format = format};
    *out = NULL;
    if (!base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)) return AH_E_INPUT;
    const ah_status status = model_guard_fork(m, MODEL_EVAL, format, &e.model, run_eval, &e);
    *out = e.out;
    return status != AH_OK && e.status == AH_OK ? status : e.status;
}
