/* written/items.c - what a model says, for those who look at it from outside. */
#include "written.h"

static ah_expr start_of(const ah_model *m, ah_expr symbol)
{
    for (size_t i = 0; symbol != AH_NONE && i < m->start.count; i++)
        if (m->start.at[i].symbol == symbol) return m->start.at[i].value;
    return AH_NONE;
}

static size_t written_constraints(const ah_model *m)
{
    return m->finished ? m->constraints.count : m->written.count;
}

size_t ah_model_count(const ah_model *m, ah_item_kind kind)
{
    if (!m) return 0;
    switch (kind) {
    case AH_ITEM_PARAMETER: return m->parameters.count;
    case AH_ITEM_COORDINATE: return m->n;
    case AH_ITEM_SPEED: return m->speeds.count;
    case AH_ITEM_QUASIVELOCITY: return m->quasivelocities.count;
    case AH_ITEM_CONSTRAINT: return written_constraints(m);
    case AH_ITEM_OUTPUT: return m->outputs.count;
    case AH_ITEM_EVENT: return m->events.count;
    case AH_ITEM_CLAIM: return m->claims.count;
    case AH_ITEM_FUNCTION: return m->functions.count;
    case AH_ITEM_PART: return m->parts.count;
    case AH_ITEM_KINDS: break;
    }
    return 0;
}

static ah_item coordinate(const ah_model *m, size_t i)
{
    return (ah_item){.name = expr_get_name(m->ctx, m->q.at[i]),
                     .kind = "coordinate",
                     .symbol = m->q.at[i],
                     .start = start_of(m, m->q.at[i]),
                     .start_rate = start_of(m, m->v.at[i]),
                     .span = m->q_span.at[i]};
}

static ah_item speed(const ah_model *m, const model_speed *s, const char *kind)
{
    return (ah_item){.name = s->name,
                     .kind = kind,
                     .symbol = s->symbol,
                     .value = s->definition,
                     .start = start_of(m, s->symbol),
                     .span = s->span};
}

static ah_item constraint(const model_constraint *c)
{
    static const char *const kind[] = {[MODEL_HOLONOMIC] = "holonomic",
                                       [MODEL_VELOCITY] = "velocity",
                                       [MODEL_ACCELERATION] = "acceleration"};
    return (ah_item){.name = c->label, .kind = kind[c->order], .value = c->c, .span = c->span};
}

/* What the numbers of `name` are measured in; by the name that the model itself uses. */
static ah_item with_unit(const ah_model *m, ah_item item)
{
    if (item.name) item.unit = model_unit_of(m, item.name);
    return item;
}

static ah_item claim(const model_claim *c)
{
    return (ah_item){.name = c->label,
                     .kind = c->refute ? "refute" : "claim",
                     .value = c->constant,
                     .span = c->span};
}

static ah_item item_of(const ah_model *m, ah_item_kind kind, size_t i)
{
    switch (kind) {
    case AH_ITEM_PARAMETER: {
        const model_parameter *p = &m->parameters.at[i];
        return with_unit(m, (ah_item){.name = p->name,
                                      .kind = "parameter",
                                      .symbol = p->symbol,
                                      .value = p->value,
                                      .span = p->span});
    }
    case AH_ITEM_COORDINATE: return with_unit(m, coordinate(m, i));
    case AH_ITEM_SPEED: return with_unit(m, speed(m, &m->speeds.at[i], "speed"));
    case AH_ITEM_QUASIVELOCITY:
        return with_unit(m, speed(m, &m->quasivelocities.at[i], "quasivelocity"));
    case AH_ITEM_CONSTRAINT:
        return constraint(m->finished ? &m->constraints.at[i] : &m->written.at[i]);
    case AH_ITEM_OUTPUT: {
        const model_output *o = &m->outputs.at[i];
        return with_unit(
            m, (ah_item){.name = o->name, .kind = "output", .value = o->e, .span = o->span});
    }
    case AH_ITEM_EVENT: {
        const model_event *e = &m->events.at[i];
        return (ah_item){
            .name = e->label, .kind = e->stop ? "stop" : "record", .value = e->e, .span = e->span};
    }
    case AH_ITEM_CLAIM: return claim(&m->claims.at[i]);
    case AH_ITEM_FUNCTION: {
        const model_function *f = &m->functions.at[i];
        const bool input = f->input != AH_NONE;
        return with_unit(m, (ah_item){.name = f->name,
                                      .kind = input ? "input" : "function",
                                      .value = input ? f->input : f->body,
                                      .span = f->span});
    }
    case AH_ITEM_PART: {
        const model_part *p = &m->parts.at[i];
        return (ah_item){.name = p->name,
                         .kind = p->is_body ? "body" : "point",
                         .value = p->mass,
                         .span = p->span};
    }
    case AH_ITEM_KINDS: break;
    }
    return (ah_item){0};
}

ah_status ah_model_item(const ah_model *m, ah_item_kind kind, size_t index, ah_item *out)
{
    if (!out || index >= ah_model_count(m, kind)) return AH_E_INPUT;
    *out = item_of(m, kind, index);
    return AH_OK;
}

ah_expr ah_model_span_from(const ah_model *m)
{
    return m ? m->t0 : AH_NONE;
}

ah_expr ah_model_span_to(const ah_model *m)
{
    return m ? m->t1 : AH_NONE;
}
