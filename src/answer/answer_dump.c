/* answer/answer_dump.c - the later stages of `anholo dump`: a method's worksheet, a motion's
 * programs. */
#include <anholo/derive.h>

#include "../motion/motion.h"

#include <string.h>

typedef struct dump dump;
struct dump {
    ah_model *model;
    const char *method, *stage, *out;
    void (*write)(dump *d, text *t, const eval_method *method); /* of the stage */
    ah_status status;
};

static const formalism *choose_method(dump *d)
{
    return d->method ? derive_find_or_report(d->model->ctx, d->method)
                     : derive_default(derive_mechanics(d->model));
}

static bool applies(dump *d, const eval_method *m)
{
    if (!m->refused && !m->eq->branches) return true;
    diag(d->model->ctx, A0502, NOWHERE, "%s: %s", m->method->name,
         m->refused ? m->refused : "its accelerations are found by a search, not by a worksheet");
    d->status = AH_E_REFUSED;
    return false;
}

/* ---- The worksheet --------------------------------------------------------------------------- */

static void write_leaf(text *t, ah_ctx *ctx, mat m)
{
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t e = m.start[i]; e < m.start[i + 1]; e++)
            text_printf(t, "    [%u,%u] %s\n", i + 1, m.col[e] + 1,
                        expr_text(ctx, &ctx->job, m.val[e], AH_ASCII));
}

/* What claims call it: "called C[,]". */
static void write_word(text *t, const ah_equations *eq, quantity x)
{
    uint32_t indices = 0;
    const char *word = derive_word(eq, x, &indices);
    if (word) text_printf(t, ", called %s[%s]", word, indices > 1 ? "," : "");
}

static void write_node(text *t, const ah_equations *eq, quantity x)
{
    const sheet_node *node = sheet_get(eq->sheet, x);
    text_printf(t, "s%u = %s", x, sheet_op_name(node->op));
    for (int k = 0; node->op != SHEET_LEAF && k < 4 && node->in[k] != QUANTITY_NONE; k++)
        text_printf(t, "%ss%u", k ? ", " : "(", node->in[k]);
    if (node->op != SHEET_LEAF) text_char(t, ')');
    for (uint32_t i = 0; i < node->indices; i++)
        text_printf(t, "%s%u", i ? "," : " [", node->index[i] + 1);
    if (node->indices) text_char(t, ']');
    text_printf(t, ": %u x %u", node->rows, node->cols);
    if (node->rank) text_printf(t, ", rank %u", node->rank);
    if (node->name) text_printf(t, ", %s", node->name);
    write_word(t, eq, x);
    text_char(t, '\n');
    if (node->op == SHEET_LEAF) write_leaf(t, eq->mech->ctx, node->leaf);
}

/* Operands come before their results, so one backward pass marks everything. */
static bool *needed_nodes(const sheet *s, arena *a, const quantity *wanted, size_t count)
{
    bool *needed = NEW_ARRAY(a, bool, s->nodes.count + 1);
    for (size_t i = 0; i < count; i++)
        if (wanted[i] != QUANTITY_NONE) needed[wanted[i]] = true;
    for (size_t x = s->nodes.count; x-- > 0;) {
        const sheet_node *node = &s->nodes.at[x];
        for (int k = 0; needed[x] && node->op != SHEET_LEAF && k < 4; k++)
            if (node->in[k] != QUANTITY_NONE) needed[node->in[k]] = true;
    }
    return needed;
}

static void write_equations(dump *d, text *t, const ah_equations *eq)
{
    ah_ctx *ctx = d->model->ctx;
    static const char *const label[] = {"q''", "speeds'", "lambda", "reaction"};
    const quantity result[] = {eq->qddot, eq->speeds_dot, eq->multipliers, eq->reaction};
    const bool *needed = needed_nodes(eq->sheet, &ctx->job, result, 4);
    for (quantity x = 0; x < eq->sheet->nodes.count; x++)
        if (needed[x] || sheet_get(eq->sheet, x)->name) write_node(t, eq, x);
    for (int i = 0; i < 4; i++)
        if (result[i] != QUANTITY_NONE) text_printf(t, "%s = s%u\n", label[i], result[i]);
}

/* ---- Programs -------------------------------------------------------------------------------- */

static const char *const program_name[] = {[MOTION_RHS] = "rhs",
                                           [MOTION_ENERGY] = "energy",
                                           [MOTION_PLACES] = "places",
                                           [MOTION_VELOCITIES] = "velocities",
                                           [MOTION_PLACES_LEFT] = "places_left",
                                           [MOTION_VELOCITIES_LEFT] = "velocities_left",
                                           [MOTION_REACTIONS] = "reactions",
                                           [MOTION_CONSTANTS] = "constants",
                                           [MOTION_JACOBIAN] = "jacobian",
                                           [MOTION_BY_PARAMETERS] = "by_parameters",
                                           [MOTION_BY_TIME] = "by_time",
                                           [MOTION_QDOT] = "qdot",
                                           [MOTION_KNOWN] = "known",
                                           [MOTION_POLES] = "poles",
                                           [MOTION_ACCELERATIONS] = "accelerations",
                                           [MOTION_RESIDUALS] = "residuals",
                                           [MOTION_OUTPUTS] = "outputs",
                                           [MOTION_SURE] = "sure",
                                           [MOTION_EVENTS] = "events",
                                           [MOTION_DRIVE] = "drive",
                                           [MOTION_SWITCHES] = "switches",
                                           [MOTION_SIDES] = "sides",
                                           [MOTION_BREAKS] = "breaks",
                                           [MOTION_KINKS] = "kinks",
                                           [MOTION_RANK] = "rank",
                                           [MOTION_DETERMINANT] = "determinant"};

_Static_assert(sizeof program_name / sizeof *program_name == MOTION_PROGRAMS, "all have names");

static void write_program(text *t, const program *p, const char *name)
{
    text_printf(t, "%s: %zu operations, %zu outputs, %zu guards, %zu sections\n", name,
                program_operations(p), p->outputs, p->guards, p->sections);
    for (size_t i = 0; i < p->constants.count; i++) {
        text_printf(t, "c[%zu] = ", i);
        text_double(t, p->constants.at[i], 17);
        text_char(t, '\n');
    }
    program_emit(p, t, name);
}

static void write_programs(dump *d, text *t, const eval_method *method)
{
    ah_ctx *ctx = d->model->ctx;
    const eval_method reactions =
        eval_prepare(d->model, derive_find("multipliers"), NULL, &ctx->job);
    point p;
    motion_code c;
    if (!point_create(d->model, &ctx->job, &p) || !point_start(&p) || !point_complete(&p, false))
        return;
    motion_code_create(&c, method, &reactions, &p, MOTION_SHORTEST);
    motion_code_add_jacobian(&c, &p);
    text_add(t, "x[0] = t\n");
    for (uint32_t i = 0; i < c.n + c.m; i++)
        text_printf(
            t, "x[%u] = %s\n", i + 1,
            expr_text(ctx, &ctx->job, i < c.n ? d->model->q.at[i] : c.second[i - c.n], AH_ASCII));
    for (int i = 0; i < MOTION_PROGRAMS; i++)
        if (c.program[i]) write_program(t, c.program[i], program_name[i]);
    if (!c.program[MOTION_RHS])
        text_add(t, "rhs: none; the worksheet is interpreted at every state\n");
}

static void write_sheet(dump *d, text *t, const eval_method *method)
{
    write_equations(d, t, method->eq);
}

static const struct {
    const char *name;
    void (*write)(dump *d, text *t, const eval_method *method);
} stages[] = {
#define X(name, function) {name, function},
#include "method_stages.def"
#undef X
};

const char *ah_method_stages(void)
{
    static const char names[] =
#define X(name, function) "|" name
#include "method_stages.def"
#undef X
        ;
    return names + 1; /* without the first bar */
}

static bool find_stage(dump *d)
{
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++)
        if (strcmp(stages[i].name, d->stage) == 0) d->write = stages[i].write;
    if (d->write) return true;
    diag(d->model->ctx, A0305, NOWHERE, "there is no stage `%s`", d->stage);
    diag_hint(d->model->ctx, "the stages of a method are %s", ah_method_stages());
    return false;
}

static void make(ah_ctx *ctx, void *arg)
{
    dump *d = arg;
    if (!find_stage(d)) return;
    if (d->write == write_programs) d->model = model_driven(d->model);
    const formalism *f = choose_method(d);
    if (!f) return;
    const eval_method method = eval_prepare(d->model, f, NULL, &ctx->job);
    if (!applies(d, &method)) return;
    text t = text_begin(&ctx->job);
    text_printf(&t, "%s: %s\n", f->name, f->title);
    d->write(d, &t, &method);
    d->out = text_end(&t);
}

ah_status ah_dump_method(ah_model *m, const char *method, const char *stage, const char **out)
{
    if (!out) return AH_E_INPUT;
    dump d = {.method = method, .stage = stage ? stage : ""};
    const ah_status status = model_guard_fork(m, MODEL_DUMP, AH_TEXT, &d.model, make, &d);
    *out = d.out;
    return d.status != AH_OK ? d.status : status;
}
