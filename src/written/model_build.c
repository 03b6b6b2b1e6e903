/* written/model_build.c - the statements of a model, one function each: they check what can be
 * checked on the spot and keep the rest for model_finish. */
#include "kind_sets.h"

#include <string.h>

ah_model *model_create(ah_ctx *ctx)
{
    ah_model *m = NEW(&ctx->job, ah_model);
    m->ctx = ctx;
    m->errors_before = ctx->log->errors;
    m->title = "";
    m->t0 = m->t1 = AH_NONE;
    return m;
}

/* Every statement undoes ah_model_finish. Returns the arena of the model's lists. */
static arena *edit(ah_model *m)
{
    m->finished = false;
    return &m->ctx->job;
}

/* ---- Names with values ----------------------------------------------------------------------- */

ah_expr model_add_parameter(ah_model *m, const char *name, ah_expr value, ah_span span)
{
    arena *a = edit(m);
    const ah_expr symbol = expr_symbol(m->ctx, AH_PARAMETER, name);
    name = arena_strdup(a, name);
    if (value != AH_NONE && !model_only(m, value, KIND_PARAMETER, "the value of a parameter", span))
        value = AH_NONE;
    if (model_declare(m, &m->names, name, MODEL_PARAMETER, m->parameters.count, span))
        LIST_PUSH(a, &m->parameters,
                  ((model_parameter){name, symbol, value, span, .drive = AH_NONE}));
    return symbol;
}

/* Earlier parameters only: so there can be no circle. */
static bool is_earlier(ah_model *m, const model_name *parameter, ah_expr value, ah_span span)
{
    const expr_list used = model_symbols_of(m, value, AH_PARAMETER);
    for (size_t i = 0; i < used.count; i++) {
        const char *other = expr_get_name(m->ctx, used.at[i]);
        if (model_find(m, other)->index < parameter->index) continue;
        diag(m->ctx, A0422, span, "the value of `%s` uses `%s`, which is not declared before it",
             parameter->name, other);
        return false;
    }
    return true;
}

void model_set_parameter(ah_model *m, const char *name, ah_expr value, ah_span span)
{
    edit(m);
    const model_name *found = model_find(m, name);
    if (!found || found->what != MODEL_PARAMETER) {
        diag(m->ctx, A0403, span, "there is no parameter `%s`", name);
        return;
    }
    if (!model_only(m, value, KIND_PARAMETER, "the value of a parameter", span) ||
        !is_earlier(m, found, value, span))
        return;
    m->parameters.at[found->index].value = value;
    arena *a = &m->ctx->job;
    const char *set = arena_printf(a, "%s=%s", name, expr_text(m->ctx, a, value, AH_ASCII));
    m->settings = m->settings ? arena_printf(a, "%s,%s", m->settings, set) : set;
}

ah_expr model_add_coordinate(ah_model *m, const char *name, ah_span span)
{
    arena *a = edit(m);
    const ah_expr q = expr_symbol(m->ctx, AH_COORDINATE, name);
    name = arena_strdup(a, name);
    if (!model_declare(m, &m->names, name, MODEL_COORDINATE, m->n, span)) return q;
    const ah_expr v = expr_dot(m->ctx, q);
    LIST_PUSH(a, &m->q, q);
    LIST_PUSH(a, &m->v, v);
    LIST_PUSH(a, &m->a, expr_dot(m->ctx, v));
    LIST_PUSH(a, &m->q_span, span);
    m->n++;
    return q;
}

void model_add_function(ah_model *m, const char *name, size_t count, ah_expr *parameters,
                        ah_expr body, ah_span span)
{
    arena *a = edit(m);
    name = arena_strdup(a, name);
    ah_expr *own = NEW_ARRAY(a, ah_expr, count);
    if (count) memcpy(own, parameters, count * sizeof *own);
    if (model_declare(m, &m->names, name, MODEL_FUNCTION, m->functions.count, span))
        LIST_PUSH(a, &m->functions, ((model_function){name, count, own, body, span}));
}

void model_add_let(ah_model *m, const model_let *let)
{
    arena *a = edit(m);
    model_let own = *let;
    own.name = arena_strdup(a, let->name);
    own.parameters = NEW_ARRAY(a, ah_expr, let->count);
    if (let->count) memcpy(own.parameters, let->parameters, let->count * sizeof(ah_expr));
    if (model_declare(m, &m->names, own.name, MODEL_LET, m->lets.count, let->span))
        LIST_PUSH(a, &m->lets, own);
}

/* ---- Energies and forces --------------------------------------------------------------------- */

void model_add_kinetic(ah_model *m, ah_expr e, ah_span span)
{
    arena *a = edit(m);
    if (!model_only(m, e, KINDS_STATE, "the kinetic energy", span)) return;
    if (!m->kinetic_terms.count) m->kinetic_span = span;
    LIST_PUSH(a, &m->kinetic_terms, e);
}

void model_add_potential(ah_model *m, ah_expr e, ah_span span)
{
    arena *a = edit(m);
    if (model_only(m, e, KINDS_PLACE, "the potential", span)) LIST_PUSH(a, &m->potential_terms, e);
}

static bool is_coordinate(ah_model *m, ah_expr symbol, ah_span span)
{
    if (expr_get_op(m->ctx, symbol) == EXPR_SYMBOL &&
        expr_get_kind(m->ctx, symbol) == AH_COORDINATE &&
        model_find_coordinate(m, expr_get_name(m->ctx, symbol)) >= 0)
        return true;
    diag(m->ctx, A0403, span, "`%s` is not a coordinate of this model",
         expr_text(m->ctx, &m->ctx->job, symbol, AH_ASCII));
    diag_hint(m->ctx, "name a coordinate: velocities and parameters cannot stand here");
    return false;
}

void model_add_force(ah_model *m, ah_expr coordinate, ah_expr e, ah_span span)
{
    arena *a = edit(m);
    if (is_coordinate(m, coordinate, span) && model_only(m, e, KINDS_STATE, "a force", span))
        LIST_PUSH(a, &m->forces, ((model_value){coordinate, e, span, AH_NONE}));
}

void model_add_dissipation(ah_model *m, ah_expr e, ah_span span)
{
    ah_ctx *ctx = m->ctx;
    arena *a = edit(m);
    if (!model_only(m, e, KINDS_STATE, "the dissipation", span)) return;
    const expr_list v = model_symbols_of(m, e, AH_VELOCITY);
    if (!v.count) {
        diag(ctx, A0426, span, "the dissipation has no velocities");
        diag_hint(ctx, "it is a function whose derivatives by the velocities are the forces: "
                       "dissipation 1/2*c*x'^2");
        return;
    }
    ah_expr *slope = NEW_ARRAY(&ctx->scratch, ah_expr, v.count);
    expr_gradient(ctx, e, v.count, v.at, slope);
    for (size_t i = 0; i < v.count; i++)
        LIST_PUSH(a, &m->forces,
                  ((model_value){m->q.at[model_column(m, v.at[i])], expr_neg(ctx, slope[i]), span,
                                 AH_NONE}));
}

void model_add_gravity(ah_model *m, ah_vector g, ah_span span)
{
    arena *a = edit(m);
    if (model_only_vector(m, g, KIND_PARAMETER | KIND_TIME, "a uniform field", span))
        LIST_PUSH(a, &m->gravity, g);
}

/* ---- Constraints ----------------------------------------------------------------------------- */

static bool push_constraint(ah_model *m, const char *label, ah_expr left, ah_expr right,
                            ah_span span)
{
    arena *a = &m->ctx->job;
    if (!model_declare(m, &m->labels, label, MODEL_LABEL, m->written.count, span)) return false;
    LIST_PUSH(a, &m->written,
              ((model_constraint){.label = label, .left = left, .right = right, .span = span}));
    return true;
}

/* Constraints without a label are called c1, c2, … in order; names that are taken are skipped. */
static const char *own_label(ah_model *m, const char *label)
{
    arena *a = edit(m);
    if (label) return arena_harmless(a, label);
    do label = arena_printf(a, "c%u", (unsigned) ++m->unlabelled);
    while (model_table_find(&m->labels, label));
    return label;
}

void model_add_constraint(ah_model *m, const char *label, ah_expr left, ah_expr right, ah_span span)
{
    label = own_label(m, label);
    if (model_only(m, left, KINDS_MOTION, "a constraint", span) &&
        model_only(m, right, KINDS_MOTION, "a constraint", span))
        push_constraint(m, label, left, right, span);
}

/* A component that is 0 = 0 at sight (the third one of a plane system) is not kept; what vanishes
 * only after a calculation is dropped by model_finish. */
void model_add_constraint_vector(ah_model *m, const char *label, ah_vector left, ah_vector right,
                                 ah_span span)
{
    label = own_label(m, label);
    if (!model_only_vector(m, left, KINDS_MOTION, "a constraint", span) ||
        !model_only_vector(m, right, KINDS_MOTION, "a constraint", span))
        return;
    if (!model_declare(m, &m->labels, label, MODEL_NOTHING, 0, span)) return;
    size_t kept = 0;
    for (int i = 0; i < 3; i++) {
        if (left.c[i] == right.c[i]) continue;
        const char *component = arena_printf(&m->ctx->job, "%s.%d", label, i + 1);
        if (!push_constraint(m, component, left.c[i], right.c[i], span)) return;
        m->written.at[m->written.count - 1].component = true;
        kept++;
    }
    if (!kept) diag(m->ctx, A0409, span, "the constraint `%s` says 0 = 0", label);
}

/* ---- Velocity parameters and quasi-velocities ------------------------------------------------ */

ah_expr model_add_speed(ah_model *m, const char *name, ah_span span)
{
    arena *a = edit(m);
    const ah_expr z = expr_symbol(m->ctx, AH_SPEED, name);
    name = arena_strdup(a, name);
    if (model_declare(m, &m->names, name, MODEL_SPEED, m->speeds.count, span))
        LIST_PUSH(a, &m->speeds, ((model_speed){.name = name, .symbol = z, .span = span}));
    return z;
}

/* psi is in the parameters of the velocity form; quasi-velocities are functions of the velocities.
 */
static bool without_quasivelocities(ah_model *m, ah_expr psi, ah_span span)
{
    const expr_list speeds = model_symbols_of(m, psi, AH_SPEED);
    for (size_t i = 0; i < speeds.count; i++) {
        const char *name = expr_get_name(m->ctx, speeds.at[i]);
        if (model_find(m, name)->what == MODEL_SPEED) continue;
        diag(m->ctx, A0402, span, "`%s` cannot stand in a velocity form: it is a quasi-velocity",
             name);
        return false;
    }
    return true;
}

void model_add_speed_equation(ah_model *m, ah_expr coordinate, ah_expr psi, ah_span span)
{
    arena *a = edit(m);
    if (!is_coordinate(m, coordinate, span) ||
        !model_only(m, psi, KINDS_PLACE | KIND_SPEED, "a velocity form", span) ||
        !without_quasivelocities(m, psi, span))
        return;
    const uint32_t i = model_column(m, coordinate);
    while (m->psi.count <= i) LIST_PUSH(a, &m->psi, AH_NONE);
    if (m->psi.at[i] == AH_NONE) {
        m->psi.at[i] = psi;
        return;
    }
    diag(m->ctx, A0410, span, "the velocity of `%s` is given twice",
         expr_get_name(m->ctx, coordinate));
    diag_hint(m->ctx, "leave one of them out; what binds velocities besides is a constraint");
}

ah_expr model_add_quasivelocity(ah_model *m, const char *name, ah_expr definition, ah_span span)
{
    arena *a = edit(m);
    const ah_expr w = expr_symbol(m->ctx, AH_SPEED, name);
    name = arena_strdup(a, name);
    const bool good = model_only(m, definition, KINDS_STATE, "a quasi-velocity", span);
    if (model_declare(m, &m->names, name, MODEL_QUASIVELOCITY, m->quasivelocities.count, span) &&
        good)
        LIST_PUSH(
            a, &m->quasivelocities,
            ((model_speed){.name = name, .symbol = w, .definition = definition, .span = span}));
    return w;
}

/* ---- Facts, start, outputs, claims ----------------------------------------------------------- */

void model_add_fact(ah_model *m, algebra_fact f, ah_span span)
{
    arena *a = edit(m);
    if (!model_only(m, f.e, KINDS_STATE | KIND_SPEED, "an assumption", span)) return;
    LIST_PUSH(a, &m->facts, f);
    LIST_PUSH(a, &m->fact_span, span);
}

static ah_expr started(const ah_model *m, ah_expr symbol, size_t before)
{
    for (size_t i = 0; i < before; i++)
        if (m->start.at[i].symbol == symbol) return m->start.at[i].value;
    return AH_NONE;
}

/* By the first values alone. Only what occurs is looked for: a family has thousands of values. */
static ah_expr put_started(ah_model *m, ah_expr e, size_t before)
{
    arena *a = &m->ctx->scratch;
    const expr_list found = expr_symbols(m->ctx, a, &e, 1);
    ah_expr *symbols = NEW_ARRAY(a, ah_expr, found.count + 1);
    ah_expr *values = NEW_ARRAY(a, ah_expr, found.count + 1);
    size_t count = 0;
    for (size_t k = 0; k < found.count; k++) {
        if (expr_get_kind(m->ctx, found.at[k]) == AH_PARAMETER) continue;
        const ah_expr known = started(m, found.at[k], before);
        if (known == AH_NONE) continue;
        symbols[count] = found.at[k];
        values[count++] = known;
    }
    return expr_subst(m->ctx, e, count, symbols, values);
}

ah_expr model_put_started(ah_model *m, ah_expr e)
{
    return put_started(m, e, m->start.count);
}

void model_begin_at(ah_model *m, ah_expr symbol, ah_expr value, ah_span span)
{
    size_t i = 0;
    while (i < m->start.count && m->start.at[i].symbol != symbol) i++;
    if (i == m->start.count) LIST_PUSH(&m->ctx->job, &m->start, ((model_value){.symbol = symbol}));
    const ah_expr known = put_started(m, value, i);
    m->start.at[i] = (model_value){symbol, known, span, known == value ? AH_NONE : value};
    for (i++; i < m->start.count; i++) {
        model_value *v = &m->start.at[i];
        if (v->written != AH_NONE) v->value = put_started(m, v->written, i);
    }
}

const model_attitude *model_attitude_of(const ah_model *m, ah_expr omega, int *k)
{
    for (size_t i = 0; i < m->attitudes.count; i++)
        for (*k = 0; *k < 3; ++*k)
            if (m->attitudes.at[i].omega.c[*k] == omega) return &m->attitudes.at[i];
    return NULL;
}

/* e (0, w)/2 of quaternions: the scalar −e·w/2, the vector (e0 w + e × w)/2. */
void model_attitude_rates(ah_model *m, const model_attitude *of, ah_vector omega, ah_expr out[4])
{
    ah_ctx *ctx = m->ctx;
    const ah_vector e = {{of->e[1], of->e[2], of->e[3]}};
    const ah_vector sum =
        vector_add(ctx, vector_scale(ctx, of->e[0], omega), vector_cross(ctx, e, omega));
    out[0] = expr_mul(ctx, expr_rational(ctx, -1, 2), vector_dot(ctx, e, omega));
    for (int k = 0; k < 3; k++) out[k + 1] = expr_mul(ctx, expr_rational(ctx, 1, 2), sum.c[k]);
}

bool model_begin_omega(ah_model *m, ah_expr omega, ah_expr value, ah_span span)
{
    int k;
    ah_expr rate[4];
    const model_attitude *a = model_attitude_of(m, omega, &k);
    if (!a) return false;
    ah_vector w;
    for (int j = 0; j < 3; j++) {
        w.c[j] = j == k ? value : model_put_started(m, a->omega.c[j]);
        if (expr_depends_kind(m->ctx, w.c[j], AH_VELOCITY)) w.c[j] = expr_int(m->ctx, 0);
    }
    model_attitude_rates(m, a, w, rate);
    for (int i = 0; i < 4; i++) model_begin_at(m, expr_dot(m->ctx, a->e[i]), rate[i], span);
    return true;
}

/* A value or a guess besides an earlier value, a guess besides an earlier guess. */
static bool begins_twice(ah_model *m, ah_expr symbol, const model_name *earlier, ah_span span)
{
    ah_span first = earlier ? earlier->span : NOWHERE;
    bool twice = earlier != NULL;
    for (size_t i = 0; i < m->guesses.count && !twice; i++) {
        twice = m->guesses.at[i].symbol == symbol;
        first = m->guesses.at[i].span;
    }
    if (!twice) return false;
    diag(m->ctx, A0421, span, "`%s` has two start values",
         expr_text(m->ctx, &m->ctx->job, symbol, AH_ASCII));
    diag_note(m->ctx, first, "the first one here");
    diag_hint(m->ctx, "leave one of them out; --at gives others for one run");
    return true;
}

void model_add_start(ah_model *m, ah_expr symbol, ah_expr value, ah_span span)
{
    arena *a = edit(m);
    const unsigned kinds = KIND_COORDINATE | KIND_VELOCITY | KIND_SPEED;
    const arena_mark mark = arena_get_mark(&m->ctx->scratch);
    const char *name = arena_strdup(a, expr_text(m->ctx, &m->ctx->scratch, symbol, AH_ASCII));
    const ah_expr written = value;
    arena_release(&m->ctx->scratch, mark);
    value = model_put_started(m, value);
    if (expr_get_op(m->ctx, symbol) != EXPR_SYMBOL ||
        !(kinds >> expr_get_kind(m->ctx, symbol) & 1u)) {
        diag(m->ctx, A0421, span, "`%s` has no start value", name);
        diag_hint(m->ctx, "coordinates, velocities, velocity parameters and quasi-velocities do");
        return;
    }
    if (!model_only(m, symbol, kinds, "a start", span) ||
        !model_only(m, value, KIND_PARAMETER, "a start value", span))
        return;
    const model_name *earlier = model_table_find(&m->started, name);
    if (begins_twice(m, symbol, earlier, span)) return;
    model_enter(m, &m->started, (model_name){.name = name, .what = MODEL_START, .span = span});
    LIST_PUSH(a, &m->start,
              ((model_value){symbol, value, span, written == value ? AH_NONE : written}));
}

void model_add_guess(ah_model *m, ah_expr symbol, ah_expr value, ah_span span)
{
    arena *a = edit(m);
    if (is_coordinate(m, symbol, span) &&
        model_only(m, model_put_started(m, value), KIND_PARAMETER, "a start value", span) &&
        !begins_twice(m, symbol, model_table_find(&m->started, expr_get_name(m->ctx, symbol)),
                      span))
        LIST_PUSH(a, &m->guesses, ((model_value){symbol, value, span, AH_NONE}));
}

void model_add_side(ah_model *m, ah_expr positive)
{
    LIST_PUSH(edit(m), &m->sides, positive);
}

void model_add_range(ah_model *m, model_range range)
{
    LIST_PUSH(edit(m), &m->ranges, range);
}

void model_set_span(ah_model *m, ah_expr t0, ah_expr t1, ah_span span)
{
    if (!model_only(m, t0, KIND_PARAMETER, "the span of time", span) ||
        !model_only(m, t1, KIND_PARAMETER, "the span of time", span))
        return;
    m->t0 = t0;
    m->t1 = t1;
}

void model_add_output(ah_model *m, const char *name, ah_expr e, ah_span span)
{
    arena *a = edit(m);
    name = arena_strdup(a, name);
    if (model_only(m, e, KINDS_MOTION | KINDS_SPEEDS | KIND_DERIVED, "an output", span) &&
        model_declare(m, &m->output_names, name, MODEL_OUTPUT, m->outputs.count, span))
        LIST_PUSH(a, &m->outputs, ((model_output){name, e, span}));
}

void model_add_slip(ah_model *m, model_slip slip)
{
    LIST_PUSH(edit(m), &m->slips, slip);
}

void model_add_event(ah_model *m, const model_event *event)
{
    arena *a = edit(m);
    model_event copy = *event;
    copy.label = arena_harmless(a, event->label);
    if (model_only(m, copy.e, KINDS_MOTION | KINDS_SPEEDS | KIND_DERIVED, "an event", copy.span))
        LIST_PUSH(a, &m->events, copy);
}

void model_add_claim(ah_model *m, const model_claim *claim)
{
    const unsigned kinds = KINDS_MOTION | KINDS_SPEEDS | KIND_DERIVED;
    arena *a = edit(m);
    model_claim copy = *claim;
    copy.label = arena_harmless(a, claim->label);
    if (model_only(m, copy.left, kinds, "a claim", copy.span) &&
        model_only(m, copy.right, kinds, "a claim", copy.span))
        LIST_PUSH(a, &m->claims, copy);
}

const char *ah_says_word(ah_says says)
{
    static const char *const words[] = {
#define X(code, word) word,
        AH_SAYS_LIST(X)
#undef X
    };
    return (unsigned) says < AH_SAYS_KINDS ? words[says] : NULL;
}

void model_add_statement(ah_model *m, const char *label, const model_statement *says, bool refute,
                         ah_span span)
{
    arena *a = edit(m);
    model_statement *own = NEW(a, model_statement);
    const ah_expr zero = expr_int(m->ctx, 0);
    *own = *says;
    const bool integral = says->says == AH_SAYS_INTEGRAL;
    const model_claim claim = {.label = arena_harmless(a, label),
                               .refute = refute,
                               .left = integral ? expr_dt(m->ctx, says->e) : zero,
                               .right = zero,
                               .constant = integral ? says->e : AH_NONE,
                               .span = span,
                               .statement = own};
    LIST_PUSH(a, &m->claims, claim);
}
