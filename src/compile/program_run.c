/* compile/program_run.c - programs interpreted: their constants, sections that need not run again, values. */
#include "program.h"

#include "sine.h"

#include <math.h>
#include <string.h>

static inline double apply(const program_code *c, double x, double y)
{
    if (c->op == PROGRAM_CALL && c->function == AH_SIN) return sine_sin(x);
    if (c->op == PROGRAM_CALL && c->function == AH_COS) return sine_cos(x);
    switch ((program_op) c->op) {
    case PROGRAM_ADD: return x + y;
    case PROGRAM_SUB: return x - y;
    case PROGRAM_MUL: return x * y;
    case PROGRAM_DIV: return x / y;
    case PROGRAM_NEG: return -x;
    case PROGRAM_SQRT: return sqrt(x);
    case PROGRAM_POW: return pow(x, y);
    case PROGRAM_CALL: return expr_call_value((ah_function) c->function, x, y);
    case PROGRAM_INPUT:
    case PROGRAM_CONSTANT: break;
    }
    return NAN;
}

double program_apply(const program_code *c, double x, double y)
{
    return apply(c, x, y);
}

/* ---- Work spaces ----------------------------------------------------------------------------- */

/* Whether the constants pass the guards that they alone decide. */
static void judge(const program *p, program_work *w)
{
    w->valid = true;
    for (size_t i = 0; i < p->fixed_guards; i++)
        w->valid = w->valid && program_passes(&p->fixed_guard[i], w->constant);
}

/* Constants into the interpreter's values. */
static void settle(const program *p, program_work *w)
{
    memcpy(w->value, w->constant, p->constants.count * sizeof *w->value);
    if (w->memory) w->memory->used = false;
}

program_work *program_work_create(const program *p, arena *a, size_t kept)
{
    program_work *w = NEW(a, program_work);
    w->constant = NEW_ARRAY(a, double, p->constants.count + 1);
    w->value = NEW_RAW(a, double, p->code.count + 1); /* settle, then runs */
    w->kept = NEW_ARRAY(a, double, kept + 1);
    if (p->sections) {
        w->memory = NEW(a, program_memory);
        w->memory->inputs = NEW_ARRAY(a, double, p->inputs + 1);
    }
    if (p->constants.count)
        memcpy(w->constant, p->constants.at, p->constants.count * sizeof *w->constant);
    judge(p, w);
    settle(p, w);
    return w;
}

bool program_is_set(const program *p, const program_work *w, const double *parameter)
{
    for (size_t i = 0; i < p->setup.count; i++) {
        const program_setup *s = &p->setup.at[i];
        if (s->code.op == PROGRAM_INPUT &&
            memcmp(&w->constant[s->to], &parameter[s->code.a], sizeof *parameter) != 0)
            return false;
    }
    return true;
}

bool program_prepare(const program *p, program_work *w, const double *parameter)
{
    double *c = w->constant;
    for (size_t i = 0; i < p->setup.count; i++) {
        const program_setup *s = &p->setup.at[i];
        c[s->to] = s->code.op == PROGRAM_INPUT ? parameter[s->code.a]
                                               : apply(&s->code, c[s->code.a], c[s->code.b]);
    }
    judge(p, w);
    return w->valid;
}

void program_set(const program *p, program_work *w, const double *parameter)
{
    program_prepare(p, w, parameter);
    settle(p, w);
}

/* ---- Sections -------------------------------------------------------------------------------- */

bool program_changed(const program *p, program_memory *m, size_t section, const double *in)
{
    /* bit for bit: −0 is not 0, and NaN is itself */
    const size_t bytes = p->section[section].inputs * sizeof *in;
    if (!m->used || memcmp(m->inputs, in, bytes)) return true;
    m->skipped++;
    return false;
}

void program_done(const program *p, program_memory *m, const double *in)
{
    memcpy(m->inputs, in, p->section[p->sections - 1].inputs * sizeof *in);
    m->used = true;
}

/* ---- Runs ------------------------------------------------------------------------------------ */

static void run_part(const program *p, double *v, const double *in, size_t from, size_t end)
{
    for (size_t i = from; i < end; i++) {
        const program_code *c = &p->code.at[i];
        v[i] = c->op == PROGRAM_INPUT ? in[c->a] : apply(c, v[c->a], v[c->b]);
    }
}

bool program_run_in(const program *p, const program_work *w, const double *in, double *out)
{
    double *v = w->value;
    size_t from = p->constants.count; /* they are in place */
    if (!w->valid) return false;
    for (size_t k = 0; k < p->sections; from = p->section[k++].end)
        if (program_changed(p, w->memory, k, in)) run_part(p, v, in, from, p->section[k].end);
    if (p->sections) program_done(p, w->memory, in);
    run_part(p, v, in, from, p->code.count);
    bool good = true;
    for (size_t i = 0; i < p->guards; i++) good = good && program_passes(&p->guard[i], v);
    for (size_t i = 0; i < p->outputs; i++) out[i] = v[p->output[i]];
    return good;
}

bool program_run(const program *p, const double *in, double *out)
{
    return program_run_in(p, p->own, in, out);
}
