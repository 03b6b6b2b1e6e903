/* making/motion_ends.c - the end of a step of DOP853 in compiled code.
 *
 * After the stages the end is brought to the constraints, f is worked out there, and all that every step asks for. In one function
 * the compiler does once what several of these programs begin with, and nothing is copied between them. They do what
 * motion_state_project and its callers do, with the same results; what is not as usual (a second move, one beyond the
 * tolerance, a guard) is left to these. */
#include "making_steps.h"

#include <string.h>

/* What every step asks for, where it is there. */
static const motion_program looks[] = {MOTION_ENERGY, MOTION_POLES, MOTION_DETERMINANT,
                                       MOTION_KNOWN, MOTION_CONSTANTS};
enum { LOOKS = sizeof looks / sizeof *looks };

/* Longer ones are called where they are needed, not once more in a line. */
#define LONGEST_LOOK 400

/* A force that the stages' velocities tell is asked for now and then (motion_events.c). */
static bool is_looked_at(const motion_code *c, motion_program which)
{
    if (which == MOTION_KNOWN && c->known_bends) return false;
    return c->program[which] && program_operations(c->program[which]) <= LONGEST_LOOK;
}

/* Of the residuals with which the numbers in o begin, the largest, relative to its terms. */
static void emit_worst(text *t, uint32_t residuals)
{
    text_printf(t,
                "    worst = 0;\n"
                "    for (int i = 0; i < %u; i++) {\n"
                "      const double r = o[2 * i] / (o[2 * i + 1] > 0 ? o[2 * i + 1] : 1);\n"
                "      worst = r <= worst ? worst : r;\n"
                "    }\n",
                residuals);
}

/* One step of Newton's method, where it is needed and enough. */
static void emit_move(const motion_code *c, text *t, motion_program which, motion_program left,
                      uint32_t from)
{
    const uint32_t residuals = c->residuals[which];
    text_printf(t, "  {\n    double o[%zu], worst;\n", c->program[which]->outputs + 1);
    text_printf(t, "    if (!p%zu(all[%zu], x, o)) return 0;\n", c->index[which], c->index[which]);
    emit_worst(t, residuals);
    text_printf(t,
                "    if (!(worst <= %.17g)) {\n"
                "      for (int i = 0; i < %u; i++) x[%u + i] = o[%u + i];\n"
                "      moved = %d;\n"
                "      if (!p%zu(all[%zu], x, o)) return 0;\n",
                MOTION_RESIDUAL, c->n, 1 + from, 2 * residuals, MOTION_END_MOVED, c->index[left],
                c->index[left]);
    emit_worst(t, residuals);
    text_printf(t,
                "      if (!(worst <= %.17g)) return 0;\n"
                "    }\n"
                "    look[0] = worst > look[0] ? worst : look[0];\n  }\n",
                MOTION_RESIDUAL);
}

static void emit_look(motion_code *c, text *t, motion_program which, uint32_t *from)
{
    const size_t index = c->index[which];
    if (which == MOTION_KNOWN)
        text_printf(t, "  for (int i = 0; i < %u; i++) x[%u + i] = f[%u + i];\n", c->m,
                    1 + c->n + c->m, c->n);
    text_printf(t, "  look[%u] = p%zu(all[%zu], x, look + %u);\n", *from, index, index, *from + 1);
    c->look_from[which] = *from;
    *from += 1 + (uint32_t) c->program[which]->outputs;
}

bool motion_ends_emit(motion_code *c, text *t)
{
    const uint32_t N = c->n + c->m;
    uint32_t from = 1;
    memset(c->look_from, 0, sizeof c->look_from);
    if ((c->moves_places && !c->program[MOTION_PLACES]) ||
        (c->moves_velocities && !c->program[MOTION_VELOCITIES]))
        return false;
    text_printf(t,
                "static __attribute__((noinline)) int end(const double *const *all,"
                " const double *in, double *next, double *restrict f, double *restrict look)\n"
                "{\n"
                "  double x[%u], zero = 0;\n"
                "  int moved = 0;\n"
                "  x[0] = in[0] + in[1];\n"
                "  for (int i = 0; i < %u; i++) x[1 + i] = next[i];\n"
                "  look[0] = 0;\n",
                1 + N + c->m, N);
    if (c->moves_places) emit_move(c, t, MOTION_PLACES, MOTION_PLACES_LEFT, 0);
    if (c->moves_velocities) emit_move(c, t, MOTION_VELOCITIES, MOTION_VELOCITIES_LEFT, c->n);
    text_printf(t,
                "  for (int i = 0; moved && i < %u; i++)\n"
                "    if (!(fabs(x[1 + i] - next[i]) <= in[3] + in[2] * fabs(next[i]))) return 0;\n"
                "  if (!p0(all[0], x, f)) return 0;\n"
                "  for (int i = 0; i < %u; i++) zero += f[i] - f[i];\n"
                "  if (zero != 0) return 0;\n"
                "  for (int i = 0; moved && i < %u; i++) next[i] = x[1 + i];\n",
                N, N, N);
    for (int i = 0; i < LOOKS; i++)
        if (is_looked_at(c, looks[i])) emit_look(c, t, looks[i], &from);
    text_printf(t, "  return %d | moved;\n}\n", MOTION_END_WHOLE);
    return true;
}

/* A program that a parameter forbids is asked by itself. */
void motion_ends_find(motion_code *c)
{
    c->ends = true;
    c->looked = NULL;
    for (int i = 0; i < MOTION_PROGRAMS; i++) {
        if (!c->program[i] || !c->compiled[i]) continue;
        c->constants[c->index[i]] = engine_work_constants(c->work, c->index[i]);
        c->ends = c->ends && engine_work_valid(c->work, c->index[i]);
    }
}

bool motion_ends_take(const motion_code *c, motion_program which, double *out)
{
    const double *from = c->look + c->look_from[which];
    memcpy(out, from + 1, c->program[which]->outputs * sizeof *out);
    return *from != 0;
}
