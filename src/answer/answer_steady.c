/* answer/answer_steady.c - `anholo steady` in words and as JSON; steady motions for `stability`,
 * too. */
#include "answer_steady.h"
#include "answers.h"

#include <math.h>
#include <string.h>

/* Rounding of a sum that vanishes is written as zero. */
#define STEADY_DUST 1e-14

/* Bytes of conditions that are still shown. */
enum { CONDITIONS_MOST = 300, SINGULAR_DIGITS = 5 };

/* ---- One motion ------------------------------------------------------------------------------ */

static const char *const verdict_text[] = {
    "Unstable: an eigenvalue has a positive real part",
    "Stable: every motion nearby tends to a steady motion",
    "No real part is positive, some vanish: the linearisation does not decide",
    "No real part is seen to be positive, and the family does not explain all zeros: undecided",
    "An eigenvalue is too near to the imaginary axis to be told from it by numbers: undecided",
    "The linearisation does not decide",
};

const char *ah_stability_word(ah_stability_verdict v)
{
    static const char *const words[] = {
#define X(code, word) word,
        AH_STABILITY_LIST(X)
#undef X
    };
    return (unsigned) v < AH_STABILITY_VERDICTS ? words[v] : NULL;
}

const char *steady_verdict_text(ah_stability_verdict v)
{
    return verdict_text[v];
}

const char *steady_family_verdict(const family_parts *p)
{
    for (size_t i = 1; i < p->count; i++)
        if (p->at[i].verdict != p->at[0].verdict) return "differs";
    return ah_stability_word(p->at[0].verdict);
}

static const char *ascii(const stability_answer *s, ah_expr e)
{
    return expr_text(s->model->ctx, &s->model->ctx->job, e, AH_ASCII);
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
        json_number(j, frame_get(s->values, e));
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

static void put_names(prose *p, const stability_answer *s, uint32_t count, const uint32_t *y)
{
    for (uint32_t i = 0; i < count; i++) {
        prose_add(p, i ? ", " : "");
        prose_formula(p, s->m->symbol[y[i]]);
    }
}

void steady_variables(prose *p, const stability_answer *s)
{
    put_names(p, s, s->m->kept, s->m->keep);
}

/* Where steady motions are singular rates tell no more of a motion's place than some digits. */
static void put_value(prose *p, const stability_answer *s, ah_expr symbol, double x)
{
    const bool regular = s->family == 0 || s->family_sure;
    prose_item(p);
    prose_value(p, symbol, fabs(x) < STEADY_DUST ? 0 : x,
                regular ? STEADY_DIGITS : SINGULAR_DIGITS);
}

/* Coordinates that follow from the others by holonomic constraints. */
static void put_dependent(prose *p, const stability_answer *s)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < s->model->n; i++) {
        const ah_expr q = s->model->q.at[i];
        bool own = false;
        for (uint32_t y = 0; y < m->coordinates; y++) own = own || m->place[y] == i;
        if (own) continue;
        put_value(p, s, q, frame_get(s->values, q));
        prose_add(p, "   (by the constraints)");
        prose_end(p);
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
static void add_example(text *t, const family *f, const frame *values, ah_format format)
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
    if (a->components) text_char(&t, '.');
    return text_end(&t);
}

const char *steady_pole(const families_answer *a, const ah_pole *p, ah_format format)
{
    ah_ctx *ctx = a->model->ctx;
    text t = text_begin(&ctx->job);
    text_printf(&t, "%zu search%s ended at a singular state", p->reached,
                p->reached == 1 ? "" : "es");
    if (p->symbol != AH_NONE) {
        text_printf(&t, ", %s = ", expr_text(ctx, &ctx->job, p->symbol, format));
        text_double(&t, p->value, 6);
    }
    text_printf(&t, ": %s.", p->why);
    return text_end(&t);
}

void steady_words(prose *p, const stability_answer *s)
{
    const minimal *m = s->m;
    for (uint32_t i = 0; i < m->kept; i++) {
        put_value(p, s, m->symbol[m->keep[i]], minimal_value(m, m->keep[i], s->values));
        prose_end(p);
    }
    put_dependent(p, s);
    if (s->family == 0) {
        prose_add(p, "It is isolated.");
    } else if (!s->family_sure) {
        prose_printf(p,
                     "It is singular among the steady motions: their family has at most %u free "
                     "parameter%s.",
                     s->family, s->family == 1 ? "" : "s");
    } else {
        prose_printf(p, "It belongs to a family with %u free parameter%s: ", s->family,
                     s->family == 1 ? "" : "s");
        put_names(p, s, s->family, s->parameter);
        prose_add(p, ".");
    }
    prose_end(p);
}

void steady_ignorable(prose *p, const stability_answer *s)
{
    const minimal *m = s->m;
    if (!m->ignorable) return;
    prose_add(p, "Nothing of this depends on ");
    put_names(p, s, m->ignorable, m->ignored);
    prose_printf(p, "%s.",
                 m->generic ? " (at random states)" : " (at this state; no random one was found)");
    prose_end(p);
}

/* ---- All of them ----------------------------------------------------------------------------- */

ah_steady_options ah_steady_defaults(void)
{
    return (ah_steady_options){.size = sizeof(ah_steady_options), .starts = 30, .seed = 1};
}

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

/* What stands under roots in the values, unless it is known to be positive. */
static expr_list radicands(const stability_answer *s)
{
    ah_ctx *ctx = s->model->ctx;
    expr_list out = {0};
    const expr_list nodes = expr_reachable(ctx, &ctx->job, s->symbolic->state, s->m->kept);
    for (size_t i = 0; i < nodes.count; i++) {
        const ah_expr e = nodes.at[i];
        long n;
        if (expr_get_op(ctx, e) != EXPR_POWER) continue;
        const ah_expr *of = expr_get_children(ctx, e);
        if (expr_is_int(ctx, of[1], &n) || algebra_sign(s->model->alg, of[0]) == 1) continue;
        bool known = false;
        for (size_t k = 0; k < out.count; k++) known = known || out.at[k] == of[0];
        if (!known) LIST_PUSH(&ctx->job, &out, of[0]);
    }
    return out;
}

/* Is what stands below that of a radicand, but for a factor that is free of the state, so that it does not
 * vanish where the radicand exists? */
static bool is_below(const stability_answer *s, const expr_list *radicand, ah_expr below)
{
    ah_ctx *ctx = s->model->ctx;
    ah_expr top, bottom;
    if (expr_get_op(ctx, below) == EXPR_CALL && expr_get_function(ctx, below) == AH_ABS)
        below = expr_get_children(ctx, below)[0];
    for (size_t i = 0; i < radicand->count; i++) {
        if (!algebra_fraction(s->model->alg, radicand->at[i], &top, &bottom)) continue;
        const ah_expr ratio = algebra_simplify(s->model->alg, expr_div(ctx, bottom, below));
        if (!expr_depends_kind(ctx, ratio, AH_COORDINATE) &&
            !expr_depends_kind(ctx, ratio, AH_VELOCITY) && !expr_depends_kind(ctx, ratio, AH_SPEED))
            return true;
    }
    return false;
}

/* Where the values with symbols exist. */
static void put_domain(prose *p, const stability_answer *s)
{
    ah_ctx *ctx = s->model->ctx;
    const ah_expr below = denominator(s), zero = expr_int(ctx, 0);
    const expr_list radicand = radicands(s);
    const bool divides = !expr_is_one(ctx, below) && !is_below(s, &radicand, below);
    for (size_t i = 0; i < radicand.count; i++) {
        prose_add(p, i ? ", " : " (where ");
        prose_relation(p, radicand.at[i], "≥", zero);
    }
    if (divides) {
        prose_add(p, radicand.count ? ", " : " (where ");
        prose_relation(p, below, "≠", zero);
    }
    if (radicand.count || divides) prose_add(p, ")");
}

/* y = value for every variable that is not free, with symbols. */
static void put_symbolic(prose *p, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    bool any = false;
    for (uint32_t i = 0; c && i < s->m->kept; i++) {
        const ah_expr y = s->m->symbol[s->m->keep[i]];
        if (c->state[i] == y) continue;
        if (!any) prose_item(p);
        prose_add(p, any ? ", " : "with symbols: ");
        prose_relation(p, y, "=", c->state[i]);
        any = true;
    }
    if (!any) return;
    put_domain(p, s);
    prose_end(p);
}

void steady_conditions(prose *p, const stability_answer *s)
{
    const characteristic *c = s->symbolic;
    prose_printf(p, "%s%s:",
                 c->even    ? "In λ² alone; no positive real part"
                 : c->zeros ? "All real parts but those of the zeros negative"
                            : "All real parts negative",
                 c->decided ? " if and only if" : " only if");
    prose_end(p);
    for (size_t i = 0; i < c->conditions; i++) {
        prose_item(p);
        prose_relation(p, c->condition[i], c->even ? "≥" : ">", expr_int(s->model->ctx, 0));
        prose_end(p);
    }
}

/* Not proved part by part, but known as formulas that are short enough to be read. */
static bool has_conditions(const family *f)
{
    const characteristic *c = f->motion.symbolic;
    ah_ctx *ctx = f->motion.model->ctx;
    size_t size = 0;
    if (f->stability.proved || !f->motion.family || !f->motion.family_sure || !c || !c->conditions)
        return false;
    for (size_t i = 0; i < c->conditions; i++)
        size += strlen(expr_text(ctx, &ctx->job, c->condition[i], AH_TEXT));
    return size <= CONDITIONS_MOST;
}

/* Names in sentences that are put together as text. */
static ah_format words_format(const prose *p)
{
    return p->format == AH_LATEX ? AH_ASCII : AH_TEXT;
}

static void put_stability(prose *p, const family *f)
{
    for (size_t i = 0; i < f->stability.count; i++) {
        const family_part *part = &f->stability.at[i];
        const char *where = steady_part_where(f, part, words_format(p));
        if (where) prose_printf(p, "%s %s: ", f->stability.proved ? "For" : "At", where);
        prose_printf(p, "%s.", verdict_text[part->verdict]);
        prose_end(p);
    }
    if (has_conditions(f)) steady_conditions(p, &f->motion);
}

static void put_family(prose *p, const family *f, size_t number)
{
    prose_gap(p);
    prose_printf(p, "%zu. %s", number, f->rest ? "Equilibrium" : "Steady motion");
    if (f->component) prose_printf(p, " on the component %s", f->component);
    prose_add(p, ":");
    prose_end(p);
    steady_words(p, &f->motion);
    put_symbolic(p, &f->motion);
    put_stability(p, f);
}

static const char *in_words(const families_answer *a, ah_format format)
{
    prose p = prose_document(a->model->ctx, format, a->model->title, "Steady motions");
    if (format == AH_TEXT && *a->model->title) text_printf(&p.out, "%s\n\n", a->model->title);
    prose_printf(&p, "%zu famil%s of steady motions found from %zu states%s", a->count,
                 a->count == 1 ? "y" : "ies", a->starts, a->count ? ":" : ".");
    prose_end(&p);
    for (size_t i = 0; i < a->count; i++) put_family(&p, &a->at[i], i + 1);
    if (a->count) prose_gap(&p);
    for (size_t i = 0; i < a->poles; i++) {
        prose_add(&p, steady_pole(a, &a->pole[i], words_format(&p)));
        prose_end(&p);
    }
    prose_add(&p, steady_components(a));
    prose_end(&p);
    if (a->count && !a->components) steady_ignorable(&p, &a->at[0].motion);
    prose_add(&p, "There may be others.");
    return prose_finish_document(&p);
}

/* ---- JSON ------------------------------------------------------------------------------------ */

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
    json_string(j, ah_stability_word(p->verdict));
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

static void json_pole(json *j, const stability_answer *any, const ah_pole *p)
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

static const char *as_json(const families_answer *a)
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

/* ---- The question ---------------------------------------------------------------------------- */

static ah_family told(const family *f)
{
    const family_parts *all = &f->stability;
    arena *memory = &f->motion.model->ctx->job;
    ah_family_part *part = NEW_ARRAY(memory, ah_family_part, all->count);
    for (size_t i = 0; i < all->count; i++)
        part[i] = (ah_family_part){all->at[i].verdict, all->at[i].symbol, all->at[i].low,
                                   all->at[i].high, all->at[i].members};
    return (ah_family){.motion = motion_told(&f->motion),
                       .rest = f->rest,
                       .component = f->component,
                       .reached = f->reached,
                       .proved = all->proved,
                       .sampled = all->sampled,
                       .parts = all->count,
                       .part = part,
                       .characteristic = characteristic_told(&f->motion)};
}

static const ah_steady_values *values_of(const families_answer *a)
{
    arena *memory = &a->model->ctx->job;
    ah_steady_values *v = NEW(memory, ah_steady_values);
    ah_family *at = NEW_ARRAY(memory, ah_family, a->count);
    for (size_t i = 0; i < a->count; i++) at[i] = told(&a->at[i]);
    *v = (ah_steady_values){.starts = a->starts,
                            .count = a->count,
                            .at = at,
                            .poles = a->poles,
                            .pole = a->pole,
                            .components = a->components,
                            .missed = a->missed};
    return v;
}

static void find(ah_answer *a, const void *options)
{
    const ah_steady_options *o = options;
    families_answer *found = NEW(&a->model->ctx->job, families_answer);
    const char *why = NULL;
    if (!families_run(model_driven(a->model), o->at, o->starts, o->seed, found, &why)) {
        if (!why) return;
        diag(a->model->ctx, A0621, NOWHERE, "%s", why);
        a->status = AH_E_REFUSED;
        return;
    }
    a->yes = found->count;
    a->found = found;
    a->values = values_of(found);
}

static const char *write(const ah_answer *a, ah_format format)
{
    if (format == AH_JSON) return as_json(a->found);
    return prose_writes(format) ? in_words(a->found, format) : NULL;
}

ah_status ah_steady(ah_model *m, const ah_steady_options *options, ah_answer **out)
{
    static const answer_question question = {AH_STEADY, find, write};
    ah_steady_options o = ah_steady_defaults();
    if (out) *out = NULL;
    return base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)
               ? answer_ask(m, &question, &o, out)
               : AH_E_INPUT;
}

const ah_steady_values *ah_answer_steady(const ah_answer *a)
{
    return answer_values(a, AH_STEADY);
}
