/* lang/elab_unit.c - `unit x, y = "m"`: what numbers are measured in. */
#include "elaborate.h"

#include <string.h>

static const char *refuse(elaborator *e, const syntax *target, const char *why, const char *hint)
{
    diag(e->ctx, A0424, target->span, "%s", why);
    diag_hint(e->ctx, "%s", hint);
    return NULL;
}

/* lambda[label] or lambda[1]: as the columns of a motion are called. */
static const char *multiplier(elaborator *e, const syntax *target)
{
    const syntax *index = target->child[0];
    const bool named =
        index->kind == SYNTAX_NAME || index->kind == SYNTAX_INDEX || index->kind == SYNTAX_ROW;
    derived_ref d = {.what = DERIVED_LAMBDA};
    long number = 0;
    if (!e->complete) return NULL; /* the constraints cannot be counted */
    const name *n = named ? elab_target(e, index) : NULL;
    const size_t count = e->m->constraints.count;
    for (size_t i = 0; n && i < count; i++)
        if (!strcmp(e->m->constraints.at[i].label, n->text)) number = (long) i + 1;
    if (!named && !elab_integer(e, index, &number)) number = 0;
    d.index[0] = (uint32_t) number - 1;
    if (number >= 1 && (size_t) number <= count) return model_derived_label(e->m, &e->ctx->job, d);
    return refuse(e, target, "there is no such multiplier",
                  "multipliers are called by the labels of their constraints: lambda[rod]");
}

/* A name that has numbers; NULL after an error. */
static const char *measured(elaborator *e, const syntax *target)
{
    const char *word = target->name->text;
    if (target->primes)
        return refuse(e, target, "a derivative has no unit of its own",
                      "it follows from the units of the coordinate and of t");
    if (target->kind == SYNTAX_INDEX && !strcmp(word, derived_kinds[DERIVED_LAMBDA].word) &&
        !target->name->family && target->count == 1)
        return multiplier(e, target);
    if (target->kind == SYNTAX_NAME && (target->name->family || target->name->output ||
                                        !strcmp(word, "t") || !strcmp(word, "energy")))
        return word;
    const name *n = elab_target(e, target);
    const model_name *found = n ? model_find(e->m, n->text) : NULL;
    if (!n) return NULL;
    if (!found) {
        elab_unknown(e, target, n, NULL);
        return NULL;
    }
    const bool input =
        found->what == MODEL_FUNCTION && e->m->functions.at[found->index].input != AH_NONE;
    if (input || (found->what != MODEL_PART && found->what != MODEL_FUNCTION)) return n->text;
    return refuse(
        e, target,
        arena_printf(&e->ctx->scratch, "`%s` is %s and has no unit", n->text, elab_what(found)),
        "units belong to t, coordinates, velocity parameters, quasi-velocities, "
        "inputs, parameters, outputs, lets, energy and lambda[label]");
}

void elab_unit(elaborator *e, const syntax *s)
{
    const char *whose = measured(e, s->child[0]);
    if (whose) model_add_unit(e->m, whose, elab_text(e, s->child[1]), s->child[0]->span);
}
