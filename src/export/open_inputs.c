/* export/open_inputs.c - inputs of the model, and sides of its switches, as inputs of programs.
 *
 * For a system they are parameters (model_fed, model_pieces_alone): what follows from parameters alone is a constant of
 * a program. In exported code parameters are prepared once, inputs and sides change from call to call: the
 * constants that depend on them become operations. Constants come first among the operations, in the
 * order in which they follow from each other, so each does so in its place. */
#include "exported.h"

#include <string.h>

/* By constant: whether inputs or sides are behind it. */
static bool *fed_constants(const exported *e, const program *p)
{
    bool *fed = NEW_ARRAY(e->arena, bool, p->constants.count + 1);
    for (size_t i = 0; i < p->setup.count; i++) {
        const program_setup *s = &p->setup.at[i];
        fed[s->to] = s->code.op == PROGRAM_INPUT ? s->code.a >= e->parameters.count
                                                 : fed[s->code.a] || fed[s->code.b];
    }
    return fed;
}

/* Guards of constants alone that have become guards of the state. */
static void move_guards(const exported *e, program *p, const bool *fed)
{
    program_guard *all = NEW_ARRAY(e->arena, program_guard, p->guards + p->fixed_guards + 1);
    program_guard *fixed = NEW_ARRAY(e->arena, program_guard, p->fixed_guards + 1);
    const size_t before = p->fixed_guards;
    if (p->guards) memcpy(all, p->guard, p->guards * sizeof *all);
    p->fixed_guards = 0;
    for (size_t i = 0; i < before; i++) {
        const program_guard g = p->fixed_guard[i];
        if (fed[g.pivot] || fed[g.bound])
            all[p->guards++] = g;
        else
            fixed[p->fixed_guards++] = g;
    }
    p->guard = all;
    p->fixed_guard = fixed;
}

/* Which of both the program reads at all. */
static void what_it_reads(const exported *e, const program *p, bool *fed, bool *sided)
{
    *fed = *sided = false;
    for (size_t i = 0; i < p->setup.count; i++) {
        const program_code c = p->setup.at[i].code;
        if (c.op != PROGRAM_INPUT || c.a < e->parameters.count) continue;
        if (c.a < e->parameters.count + e->inputs.count)
            *fed = true;
        else
            *sided = true;
    }
}

const program *export_open_inputs(exported *e, const program *p, bool *of_inputs, bool *of_sides)
{
    const uint32_t inputs = (uint32_t) (1 + e->states.count);
    const bool *fed = fed_constants(e, p);
    what_it_reads(e, p, of_inputs, of_sides);
    if (!*of_inputs && !*of_sides) return p;
    program *out = NEW(e->arena, program);
    *out = *p;
    memset(&out->code, 0, sizeof out->code);
    memset(&out->setup, 0, sizeof out->setup);
    for (size_t i = 0; i < p->code.count; i++) LIST_PUSH(e->arena, &out->code, p->code.at[i]);
    for (size_t i = 0; i < p->setup.count; i++) {
        program_setup s = p->setup.at[i];
        if (!fed[s.to]) {
            LIST_PUSH(e->arena, &out->setup, s);
            continue;
        }
        if (s.code.op == PROGRAM_INPUT) s.code.a += inputs - (uint32_t) e->parameters.count;
        out->code.at[s.to] = s.code;
    }
    move_guards(e, out, fed);
    return out;
}
