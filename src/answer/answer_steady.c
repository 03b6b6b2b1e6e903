/* answer/answer_steady.c - `anholo steady` as text and as JSON; steady motions for `stability`,
 * too. */
#include "answer_steady.h"

#include <anholo/stability.h>

#include <math.h>
#include <string.h>

/* Rounding of a sum that vanishes is written as zero. */
#define STEADY_DUST 1e-14

/* Bytes of conditions that are still shown. */
enum { CONDITIONS_MOST = 300 };

/* ---- One motion ------------------------------------------------------------------------------ */

static const char *const verdicts[] = {"unstable",  "attracting", "spectrally stable",
                                       "undecided", "undecided",  "undecided"};
static const char *const verdict_text[] = {
    "Unstable: an eigenvalue has a positive real part",
    "Stable: every motion nearby tends to a steady motion",
    "No real part is positive, some vanish: the linearisation does not decide",
    "No real part is positive, but the family does not explain all zeros: undecided",
    "An eigenvalue is too near to the imaginary axis to be told from it by numbers: undecided",
    "The linearisation does not decide",
};

const char *steady_verdict(stability_verdict v)
{
    return verdicts[v];
}

const char *steady_verdict_text(stability_verdict v)
{
    return verdict_text[v];
}

const char *steady_family_verdict(const family_parts *p)
{
    for (size_t i = 1; i < p->count; i++)
        if (p->at[i].verdict != p->at[0].verdict) return "differs";
    return verdicts[p->at[0].verdict];
}

static const char *ascii(const stability_answer *s, ah_expr e)
{
    return expr_text(s->model->ctx, &s->model->ctx->job, e, AH_ASCII);
}

static const char *pretty(const stability_answer *s, ah_expr e)
{
    return expr_text(s->model->ctx, &s->model->ctx->job, e, AH_TEXT);
}

void steady_json_names(json *j, const stability_answer *s, uint32_t count, const uint32_t *y)
{
    json_array(j);
    for (uint32_t i = 0; i < count; i++) json_string(j, ascii(s, s->m->symbol[y[i]]));
    json_close(j);
}

static void json_state(json *j, const stability_answer *s)
{
    const ah_model *m = s->model;
    json_object(j);
    for (uint32_t i = 0; i < 2 * m->n; i++) {
        const ah_expr e = i < m->n ? m->q.at[i] : m->v.at[i - m->n];
        json_key(j, ascii(s, e));
        json_number(j, s->values[expr_slot(m->ctx, e)]);
    }
    for (uint32_t y = s->m->coordinates; y < s->m->count; y++) {
        if (expr_get_kind(m->ctx, s->m->symbol[y]) == AH_VELOCITY) continue;
        json_key(j, ascii(s, s->m->symbol[y]));
        json_number(j, minimal_value(s->m, y, s->values));
    }
    json_close(j);
}

void steady_json(json *j, const stability_answer *s)
{
    json_key(j, "state");
    json_state(j, s);
    json_key(j, "equilibrium");
    json_bool(j, s->rest);
    json_key(j, "family");
    json_object(j);
    json_key(j, "dimension");
    json_int(j, s->family);
    json_key(j, "parameters");
    steady_json_names(j, s, s->family_sure ? s->family : 0, s->parameter);
    json_key(j, "sure");
    json_bool(j, s->family_sure);
    json_close(j);
}

void steady_text_names(text *t, const stability_answer *s, uint32_t count, const uint32_t *y)
{
    for (uint32_t i = 0; i < count; i++)
        text_printf(t, "%s%s", i ? ", " : "", pretty(s, s->m->symbol[y[i]]));
}

static void text_value(text *t, const stability_answer *s, ah_expr symbol, double x)
{
    text_printf(t, "    %s = ", pretty(s, symbol));
    text_double(t, fabs(x) < STEADY_DUST ? 0 : x, STEADY_DIGITS);
}

/* Coordinates that follow from the others by holonomic constraints. */
static void text_dependent(text *t, const stability_answer *s)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < s->model->n; i++) {
        const ah_expr q = s->model->q.at[i];
        bool own = false;
        for (uint32_t y = 0; y < m->coordinates; y++) own = own || m->place[y] == i;
        if (own) continue;
        text_value(t, s, q, s->values[expr_slot(s->model->ctx, q)]);
        text_add(t, "   (by the constraints)\n");
    }
}

static void add_number(text *t, double x)
{
    text_double(t, fabs(x) < STEADY_DUST ? 0 : x, 7);
}

/* low < v < high, v > low, v = low. */
static void add_range(text *t, const char *name, double low, double high)
{
    if (low == high) {
        text_printf(t, "%s = ", name);
        add_number(t, low);
        return;
    }
    if (isfinite(low) && isfinite(high)) {
        add_number(t, low);
        text_add(t, " < ");
    }
    text_add(t, name);
    if (isfinite(low) && isfinite(high))
        text_add(t, " < ");
    else
        text_add(t, isfinite(low) ? " > " : " < ");
    add_number(t, isfinite(high) ? high : low);
}

/* The motion's free variables. */
static void add_example(text *t, const family *f, const double *values, ah_format format)
{
    const stability_answer *s = &f->motion;
    for (uint32_t i = 0; i < s->family; i++) {
        const uint32_t y = s->parameter[i];
        text_printf(t, "%s%s = ", i ? ", " : "",
                    expr_text(s->model->ctx, &s->model->ctx->job, s->m->symbol[y], format));
        add_number(t, minimal_value(s->m, y, values));
    }
}

const char *steady_part_where(const family *f, const family_part *p, ah_format format)
{
    const family_parts *all = &f->stability;
    ah_ctx *ctx = f->motion.model->ctx;
    text t = text_begin(&ctx->job);
    const char *name = p->symbol != AH_NONE ? expr_text(ctx, &ctx->job, p->symbol, format) : NULL;
    if (all->proved) {
        if (!name || (!isfinite(p->low) && !isfinite(p->high))) return NULL;
        add_range(&t, name, p->low, p->high);
        return text_end(&t);
    }
    if (all->sampled <= 1) return f->motion.family ? "the motion shown" : NULL;
    if (all->count == 1) {
        text_printf(&t, "all %zu sampled motions", all->sampled);
        return text_end(&t);
    }
    text_printf(&t, "%zu of %zu sampled motions, ", p->members, all->sampled);
    if (name && p->low < p->high) {
        text_printf(&t, "%s from ", name);
        add_number(&t, p->low);
        text_add(&t, " to ");
        add_number(&t, p->high);
    } else if (name) {
        add_range(&t, name, p->low, p->high);
    } else {
        text_add(&t, "one with ");
        add_example(&t, f, p->example, format);
    }
    return text_end(&t);
}

const char *steady_components(const families_answer *a)
{
    text t = text_begin(&a->model->ctx->job);
    if (a->components)
        text_printf(&t,
                    "The admissible states fall into %zu components, each of which was searched",
                    a->components);
    if (a->missed) text_printf(&t, "; no regular state was found on %zu of them", a->missed);
    if (a->components) text_add(&t, ".\n");
    return text_end(&t);
}

const char *steady_poles(const families_answer *a)
{
    ah_ctx *ctx = a->model->ctx;
    text t = text_begin(&ctx->job);
    for (size_t i = 0; i < a->poles; i++) {
        const families_pole *p = &a->pole[i];
        text_printf(&t, "%zu search%s ended at a singular state", p->reached,
                    p->reached == 1 ? "" : "es");
        if (p->symbol != AH_NONE) {
            text_printf(&t, ", %s = ", expr_text(ctx, &ctx->job, p->symbol, AH_TEXT));
            text_double(&t, p->value, 6);
        }
        text_printf(&t, ": %s.\n", p->why);
    }
    return text_end(&t);
}

void steady_text(text *t, const stability_answer *s)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < m->kept; i++) {
        text_value(t, s, m->symbol[m->keep[i]], minimal_value(m, m->keep[i], s->values));
        text_char(t, '\n');
    }
    text_dependent(t, s);
    if (s->family == 0) {
        text_add(t, "It is isolated.\n");
        return;
    }
    if (!s->family_sure) {
        text_printf(t,
                    "It is singular among the steady motions: their family has at most %u free "
                    "parameter%s.\n",
                    s->family, s->family == 1 ? "" : "s");
        return;
    }
    text_printf(t, "It belongs to a family with %u free parameter%s: ", s->family,
                s->family == 1 ? "" : "s");
    steady_text_names(t, s, s->family, s->parameter);
    text_add(t, ".\n");
}

void steady_text_ignorable(text *t, const stability_answer *s)
{
    const minimal *m = s->m;
    if (!m->ignorable) return;
    text_add(t, "Nothing of this depends on ");
    steady_text_names(t, s, m->ignorable, m->ignored);
    text_printf(t, "%s.\n",
                m->generic ? " (at random states)" : " (at this state; no random one was found)");
}

/* ---- All of them ----------------------------------------------------------------------------- */

ah_steady_options ah_steady_defaults(void)
{
    return (ah_steady_options){.starts = 30, .seed = 1};
}

typedef struct job {
    ah_model *model;
    ah_steady_options options;
    ah_format format;
    const char *out;
    ah_status status;
} job;

static bool is_of_state(ah_ctx *ctx, ah_expr e)
{
    return expr_depends_kind(ctx, e, AH_COORDINATE) || expr_depends_kind(ctx, e, AH_VELOCITY) ||
           expr_depends_kind(ctx, e, AH_SPEED);
}

/* The formulas say nothing where a denominator vanishes: the product of its factors in the state's
 * variables, 1 where there are none. */
static ah_expr denominator(const stability_answer *s)
{
    ah_ctx *ctx = s->model->ctx;
    algebra *alg = s->symbolic->reduced->alg;
    ah_expr all = expr_int(ctx, 1), top, bottom;
    algebra_factors f;
    for (uint32_t i = 0; i < s->m->kept; i++)
        if (algebra_fraction(alg, s->symbolic->state[i], &top, &bottom))
            all = expr_mul(ctx, all, bottom);
    if (!is_of_state(ctx, all) || !algebra_factor(alg, all, &f)) return expr_int(ctx, 1);
    all = expr_int(ctx, 1);
    for (size_t i = 0; i < f.count; i++)
        if (is_of_state(ctx, f.factor[i])) all = expr_mul(ctx, all, f.factor[i]);
    return all;
}

/* y = value for every variable that is not free, with symbols. */
static void text_symbolic(text *t, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    bool any = false;
    for (uint32_t i = 0; c && i < s->m->kept; i++) {
        const ah_expr y = s->m->symbol[s->m->keep[i]];
        if (c->state[i] == y) continue;
        text_printf(t, "%s%s = %s", any ? ", " : "    with symbols: ", pretty(s, y),
                    pretty(s, c->state[i]));
        any = true;
    }
    if (!any) return;
    const ah_expr below = denominator(s);
    if (!expr_is_one(s->model->ctx, below)) text_printf(t, " (where %s ≠ 0)", pretty(s, below));
    text_char(t, '\n');
}

void steady_text_conditions(text *t, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    text_printf(t, "%s%s:\n",
                c->even ? "In λ² alone; no positive real part" : "All real parts negative",
                c->decided ? " if and only if" : " only if");
    for (size_t i = 0; i < c->conditions; i++)
        text_printf(t, "    %s %s 0\n", pretty(s, c->condition[i]), c->even ? "≥" : ">");
}

/* Not proved part by part, but known as formulas that are short enough to be read. */
static bool has_conditions(const family *f)
{
    const characteristic *c = f->motion.symbolic;
    size_t size = 0;
    if (f->stability.proved || !f->motion.family || !f->motion.family_sure || !c || !c->conditions)
        return false;
    for (size_t i = 0; i < c->conditions; i++) size += strlen(pretty(&f->motion, c->condition[i]));
    return size <= CONDITIONS_MOST;
}

static void text_stability(text *t, const family *f)
{
    for (size_t i = 0; i < f->stability.count; i++) {
        const family_part *p = &f->stability.at[i];
        const char *where = steady_part_where(f, p, AH_TEXT);
        if (where) text_printf(t, "%s %s: ", f->stability.proved ? "For" : "At", where);
        text_printf(t, "%s.\n", verdict_text[p->verdict]);
    }
    if (has_conditions(f)) steady_text_conditions(t, &f->motion);
}

static const char *write_text(const families_answer *a)
{
    text t = text_begin(&a->model->ctx->job);
    if (a->model->title) text_printf(&t, "%s\n\n", a->model->title);
    text_printf(&t, "%zu famil%s of steady motions found from %zu states%s\n", a->count,
                a->count == 1 ? "y" : "ies", a->starts, a->count ? ":" : ".");
    for (size_t i = 0; i < a->count; i++) {
        const stability_answer *s = &a->at[i].motion;
        text_printf(&t, "\n%zu. %s", i + 1, a->at[i].rest ? "Equilibrium" : "Steady motion");
        if (a->at[i].component) text_printf(&t, " on the component %s", a->at[i].component);
        text_add(&t, ":\n");
        steady_text(&t, s);
        text_symbolic(&t, s);
        text_stability(&t, &a->at[i]);
    }
    if (a->count) text_char(&t, '\n');
    text_add(&t, steady_poles(a));
    text_add(&t, steady_components(a));
    if (a->count && !a->components) steady_text_ignorable(&t, &a->at[0].motion);
    text_add(&t, "There may be others.\n");
    return text_end(&t);
}

static void json_symbolic(json *j, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    if (!c) {
        json_null(j);
        return;
    }
    json_object(j);
    for (uint32_t i = 0; i < s->m->kept; i++) {
        json_key(j, ascii(s, s->m->symbol[s->m->keep[i]]));
        json_string(j, ascii(s, c->state[i]));
    }
    json_close(j);
}

static void json_finite(json *j, double x)
{
    if (isfinite(x))
        json_number(j, x);
    else
        json_null(j);
}

static void json_part(json *j, const family *f, const family_part *p)
{
    const bool along = p->symbol != AH_NONE;
    json_object(j);
    json_key(j, "where");
    json_string(j, steady_part_where(f, p, AH_ASCII)); /* NULL: null */
    json_key(j, "parameter");
    json_string(j, along ? ascii(&f->motion, p->symbol) : NULL);
    json_key(j, "from");
    json_finite(j, along ? p->low : NAN);
    json_key(j, "to");
    json_finite(j, along ? p->high : NAN);
    json_key(j, "verdict");
    json_string(j, verdicts[p->verdict]);
    json_key(j, "sampled");
    json_int(j, (long long) p->members);
    json_close(j);
}

static void json_family(json *j, const family *f)
{
    json_object(j);
    steady_json(j, &f->motion);
    json_key(j, "component");
    json_string(j, f->component);
    json_key(j, "variables");
    steady_json_names(j, &f->motion, f->motion.m->kept, f->motion.m->keep);
    json_key(j, "symbolic");
    json_symbolic(j, &f->motion);
    json_key(j, "verdict");
    json_string(j, steady_family_verdict(&f->stability));
    json_key(j, "proved");
    json_bool(j, f->stability.proved);
    json_key(j, "parts");
    json_array(j);
    for (size_t i = 0; i < f->stability.count; i++) json_part(j, f, &f->stability.at[i]);
    json_close(j);
    json_key(j, "reached");
    json_int(j, (long long) f->reached);
    json_close(j);
}

static void json_pole(json *j, const stability_answer *any, const families_pole *p)
{
    json_object(j);
    json_key(j, "variable");
    json_string(j, p->symbol != AH_NONE ? ascii(any, p->symbol) : NULL);
    json_key(j, "value");
    json_finite(j, p->symbol != AH_NONE ? p->value : NAN);
    json_key(j, "why");
    json_string(j, p->why);
    json_key(j, "reached");
    json_int(j, (long long) p->reached);
    json_close(j);
}

static const char *write_json(const families_answer *a)
{
    json j = json_begin(&a->model->ctx->job);
    const stability_answer any = {.model = a->model, .m = a->m};
    json_object(&j);
    json_key(&j, "model");
    json_string(&j, a->model->title);
    json_key(&j, "variables");
    steady_json_names(&j, &any, a->m->kept, a->m->keep);
    json_key(&j, "ignorable");
    steady_json_names(&j, &any, a->m->ignorable, a->m->ignored);
    json_key(&j, "starts");
    json_int(&j, (long long) a->starts);
    json_key(&j, "families");
    json_array(&j);
    for (size_t i = 0; i < a->count; i++) json_family(&j, &a->at[i]);
    json_close(&j);
    json_key(&j, "singular");
    json_array(&j);
    for (size_t i = 0; i < a->poles; i++) json_pole(&j, &any, &a->pole[i]);
    json_close(&j);
    json_close(&j);
    return json_end(&j);
}

static void run(ah_ctx *ctx, void *arg)
{
    job *k = arg;
    families_answer answer;
    const char *why = NULL;
    k->model = model_driven(k->model);
    if (!families_run(k->model, k->options.at, k->options.starts, k->options.seed, &answer, &why)) {
        if (!why) return;
        diag(ctx, A0621, NOWHERE, "%s", why);
        k->status = AH_E_REFUSED;
        return;
    }
    k->out = k->format == AH_JSON ? write_json(&answer) : write_text(&answer);
    if (!answer.count) k->status = AH_E_REFUSED;
}

ah_status ah_steady(ah_model *m, const ah_steady_options *options, ah_format format,
                    const char **out)
{
    job k = {.model = m, .format = format};
    k.options = options ? *options : ah_steady_defaults();
    const ah_status status = model_guard(m, run, &k);
    *out = k.out;
    return k.status != AH_OK ? k.status : status;
}
