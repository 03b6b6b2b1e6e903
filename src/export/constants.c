/* export/constants.c - what programs need of the parameters alone, worked out once for all of them.
 *
 * Each program has its own list of constants with the way they come from parameters (program.h).
 * Here they become one program, `prepare`, in which equal values are one. */
#include "exported.h"

#include <string.h>

typedef struct merging {
    ah_ctx *ctx;
    arena *arena;
    program *p;
    uint32_t *table; /* value + 1 */
    size_t size;
    LIST(program_guard) guards;
} merging;

static uint64_t hash_of(const merging *m, const program_code *c, double number)
{
    uint64_t bits = 0, h = c->op * 31u + c->function;
    if (c->op == PROGRAM_CONSTANT) memcpy(&bits, &number, sizeof bits);
    h = (h * 0x9e3779b97f4a7c15u) ^ c->a;
    h = (h * 0x9e3779b97f4a7c15u) ^ c->b;
    h = (h ^ bits) * 0x9e3779b97f4a7c15u;
    return (h >> 20) & (m->size - 1);
}

static double number_of(const program *p, uint32_t x)
{
    const program_code *c = &p->code.at[x];
    return c->op == PROGRAM_CONSTANT ? p->constants.at[c->a] : 0;
}

static bool is_same(const merging *m, uint32_t x, const program_code *c, double number)
{
    const program_code *o = &m->p->code.at[x];
    if (o->op != c->op || o->function != c->function) return false;
    if (c->op != PROGRAM_CONSTANT) return o->a == c->a && o->b == c->b;
    const double other = number_of(m->p, x);
    return memcmp(&other, &number, sizeof number) == 0;
}

static void enlarge(merging *m)
{
    m->size = m->size ? 2 * m->size : 256;
    m->table = NEW_ARRAY(m->arena, uint32_t, m->size);
    for (uint32_t i = 0; i < m->p->code.count; i++) {
        program_code c = m->p->code.at[i];
        const double number = number_of(m->p, i);
        if (c.op == PROGRAM_CONSTANT) c.a = c.b = 0;
        uint64_t h = hash_of(m, &c, number);
        while (m->table[h]) h = (h + 1) & (m->size - 1);
        m->table[h] = i + 1;
    }
}

/* The value of an operation on values, of a parameter, or of a number. */
static uint32_t merge(merging *m, program_code c, double number)
{
    program *p = m->p;
    if (2 * p->code.count >= m->size) enlarge(m);
    if (c.op == PROGRAM_CONSTANT) c.a = c.b = 0;
    uint64_t h = hash_of(m, &c, number);
    for (; m->table[h]; h = (h + 1) & (m->size - 1))
        if (is_same(m, m->table[h] - 1, &c, number)) return m->table[h] - 1;
    ctx_tick(m->ctx);
    if (c.op == PROGRAM_CONSTANT) {
        c.a = (uint32_t) p->constants.count;
        LIST_PUSH(m->arena, &p->constants, number);
    }
    LIST_PUSH(m->arena, &p->code, c);
    m->table[h] = (uint32_t) p->code.count;
    return (uint32_t) p->code.count - 1;
}

/* The constants of one program as values of the common one. */
static uint32_t *merge_program(merging *m, const program *from)
{
    uint32_t *value = NEW_ARRAY(m->arena, uint32_t, from->constants.count + 1);
    const program_code number = {.op = PROGRAM_CONSTANT};
    for (size_t i = 0; i < from->numbers; i++) value[i] = merge(m, number, from->constants.at[i]);
    for (size_t i = 0; i < from->setup.count; i++) {
        program_code c = from->setup.at[i].code;
        if (c.op != PROGRAM_INPUT) {
            c.a = value[c.a];
            c.b = value[c.b];
        }
        value[from->setup.at[i].to] = merge(m, c, 0);
    }
    for (size_t i = 0; i < from->fixed_guards; i++)
        LIST_PUSH(m->arena, &m->guards,
                  ((program_guard){value[from->fixed_guard[i].pivot],
                                   value[from->fixed_guard[i].bound]}));
    return value;
}

/* A list of constants also has those that only others need. */
static bool *used_constants(const program *p, arena *a)
{
    bool *used = NEW_ARRAY(a, bool, p->constants.count + 1);
    for (size_t i = 0; i < p->code.count; i++) {
        const program_code *c = &p->code.at[i];
        if (c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT) continue;
        if (c->a < p->constants.count) used[c->a] = true;
        if (c->b < p->constants.count) used[c->b] = true;
    }
    for (size_t i = 0; i < p->outputs; i++)
        if (p->output[i] < p->constants.count) used[p->output[i]] = true;
    for (size_t i = 0; i < p->guards; i++) {
        if (p->guard[i].pivot < p->constants.count) used[p->guard[i].pivot] = true;
        if (p->guard[i].bound < p->constants.count) used[p->guard[i].bound] = true;
    }
    return used;
}

/* Values that programs use and that are neither numbers nor parameters are its outputs. */
static void mark_used(merging *m, exported *e, const exported_function *f)
{
    const bool *used = used_constants(f->p, m->arena);
    for (size_t i = 0; i < f->p->constants.count; i++) {
        const uint8_t op = m->p->code.at[f->constant[i]].op;
        if (f->p->code.at[i].op != PROGRAM_CONSTANT) continue; /* it depends on inputs */
        if (used[i] && op != PROGRAM_CONSTANT && op != PROGRAM_INPUT)
            e->derived[f->constant[i]] = 1;
    }
}

/* Guards that several programs have are one. */
static void keep_guards(merging *m)
{
    size_t kept = 0;
    program_guard *g = m->guards.at;
    for (size_t i = 0; i < m->guards.count; i++) {
        size_t k = 0;
        while (k < kept && (g[k].pivot != g[i].pivot || g[k].bound != g[i].bound)) k++;
        if (k == kept) g[kept++] = g[i];
    }
    m->p->guard = g;
    m->p->guards = kept;
}

/* Leaves out what neither outputs nor guards need. */
static void compact(merging *m, exported *e)
{
    program *p = m->p;
    bool *needed = NEW_ARRAY(m->arena, bool, p->code.count + 1);
    for (size_t i = 0; i < p->guards; i++)
        needed[p->guard[i].pivot] = needed[p->guard[i].bound] = true;
    for (size_t i = p->code.count; i-- > 0;) {
        const program_code *c = &p->code.at[i];
        needed[i] = needed[i] || e->derived[i];
        if (!needed[i] || c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT) continue;
        needed[c->a] = needed[c->b] = true;
    }
    for (size_t i = 0; i < p->code.count; i++) /* a leaf writes no line */
        if (!needed[i] && p->code.at[i].op != PROGRAM_INPUT)
            p->code.at[i] = (program_code){.op = PROGRAM_CONSTANT, .a = p->code.at[i].a};
}

void export_merge_constants(exported *e)
{
    merging m = {.ctx = e->ctx, .arena = e->arena, .p = NEW(e->arena, program)};
    m.p->ctx = e->ctx;
    m.p->inputs = e->parameters.count;
    for (int i = 0; i < EXPORT_FUNCTIONS; i++)
        if (e->function[i].p) e->function[i].constant = merge_program(&m, e->function[i].p);
    e->derived = NEW_ARRAY(e->arena, uint32_t, m.p->code.count + 1);
    for (int i = 0; i < EXPORT_FUNCTIONS; i++)
        if (e->function[i].p) mark_used(&m, e, &e->function[i]);
    m.p->output = NEW_ARRAY(e->arena, uint32_t, m.p->code.count + 1);
    for (uint32_t i = 0; i < m.p->code.count; i++)
        if (e->derived[i]) {
            m.p->output[m.p->outputs++] = i;
            e->derived[i] = (uint32_t) m.p->outputs;
        }
    keep_guards(&m);
    m.p->numbers = m.p->constants.count;
    compact(&m, e);
    e->prepare = m.p;
}
