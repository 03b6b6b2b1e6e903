/* motion/motion_charts.c - the choice of independent velocities along a motion.
 *
 * Constraints J v + c = 0 are solved for v_D, D a choice of rank columns of J; |det J_D|, with
 * columns measured in the metric of M, tells how good the choice is. Complete pivoting finds one
 * that is nearly the best. Equations for each choice are made once and kept. */
#include "motion_charts.h"

#include <math.h>
#include <string.h>

typedef struct entry {
    const bool *wanted, *dependent; /* what was asked for, and what the equations solve for */
    const eval_method *method;
    motion_code code;
} entry;

struct motion_charts {
    uint32_t n, rows, rank;
    expr_plan *J, *M;    /* rows × n; the diagonal of M */
    const bool *allowed; /* to be dependent; NULL: all */
    double *A, *scale;
    bool *better;
    LIST(entry) entries;
    size_t now;
};

static const bool *dependent_of(motion_state *s, const eval_method *method)
{
    const chart *c = method->eq->independent_of;
    const uint32_t n = s->p->model->n;
    bool *out = NEW_ARRAY(s->p->arena, bool, n);
    for (uint32_t i = 0; i < n - c->m; i++) out[c->dependent[i]] = true;
    return out;
}

motion_charts *motion_charts_create(motion_state *s)
{
    point *p = s->p;
    const chart *c = s->method->eq->independent_of;
    const uint32_t n = p->model->n;
    if (!c || s->psi || c->m == n) return NULL;
    motion_charts *w = NEW(p->arena, motion_charts);
    *w = (motion_charts){
        .n = n, .rows = c->J.rows, .rank = n - c->m, .allowed = s->method->eq->may_depend};
    ah_expr *diagonal = NEW_ARRAY(p->arena, ah_expr, n);
    for (uint32_t i = 0; i < n; i++) diagonal[i] = mat_get(p->ctx, mechanics_mass(p->mech), i, i);
    w->J = expr_plan_create(p->ctx, p->arena, mat_to_dense(p->ctx, p->arena, c->J),
                            (size_t) w->rows * n);
    w->M = expr_plan_create(p->ctx, p->arena, diagonal, n);
    w->A = NEW_ARRAY(p->arena, double, (size_t) w->rows *n);
    w->scale = NEW_ARRAY(p->arena, double, n);
    w->better = NEW_ARRAY(p->arena, bool, n);
    const bool *dependent = dependent_of(s, s->method);
    LIST_PUSH(p->arena, &w->entries, ((entry){dependent, dependent, s->method, s->code}));
    return w;
}

/* The product of the pivots of complete pivoting among the columns that are allowed; flags those
 * chosen. */
static double volume(motion_charts *w, const point *p, const bool *allowed, bool *chosen)
{
    const uint32_t n = w->n;
    double product = 1;
    expr_plan_run(w->J, p->values, w->A);
    expr_plan_run(w->M, p->values, w->scale);
    for (uint32_t j = 0; j < n; j++) {
        const double m = w->scale[j] > 0 ? sqrt(w->scale[j]) : 1;
        for (uint32_t i = 0; i < w->rows; i++) w->A[(size_t) i * n + j] /= m;
    }
    memset(chosen, 0, n * sizeof *chosen);
    for (uint32_t k = 0; k < w->rank; k++) {
        uint32_t row = k, col = 0;
        double largest = 0;
        for (uint32_t i = k; i < w->rows; i++)
            for (uint32_t j = 0; j < n; j++)
                if (!chosen[j] && (!allowed || allowed[j]) &&
                    fabs(w->A[(size_t) i * n + j]) > largest) {
                    largest = fabs(w->A[(size_t) i * n + j]);
                    row = i;
                    col = j;
                }
        if (!(largest > 0)) return 0;
        product *= largest;
        chosen[col] = true;
        for (uint32_t j = 0; j < n; j++) {
            const double swap = w->A[(size_t) k * n + j];
            w->A[(size_t) k * n + j] = w->A[(size_t) row * n + j];
            w->A[(size_t) row * n + j] = swap;
        }
        for (uint32_t i = k + 1; i < w->rows; i++) {
            const double factor = w->A[(size_t) i * n + col] / w->A[(size_t) k * n + col];
            for (uint32_t j = 0; j < n; j++)
                w->A[(size_t) i * n + j] -= factor * w->A[(size_t) k * n + j];
        }
    }
    return product;
}

/* The equations that solve for the wanted ones, made if there are none yet. */
static size_t find(motion_state *s, const bool *wanted)
{
    motion_charts *w = s->charts;
    point *p = s->p;
    for (size_t i = 0; i < w->entries.count; i++)
        if (!memcmp(w->entries.at[i].wanted, wanted, w->n * sizeof *wanted)) return i;
    bool *kept = NEW_ARRAY(p->arena, bool, w->n);
    memcpy(kept, wanted, w->n * sizeof *kept);
    const derive_options options = {.dependent = kept};
    eval_method *method = NEW(p->arena, eval_method);
    *method = eval_prepare(p->model, s->method->method, &options, p->arena);
    entry made = {.wanted = kept, .method = method};
    made.dependent = dependent_of(s, method);
    motion_state_make_code(s, method, &made.code);
    LIST_PUSH(p->arena, &w->entries, made);
    return w->entries.count - 1;
}

void motion_charts_look(motion_state *s)
{
    motion_charts *w = s->charts;
    const entry *now = &w->entries.at[w->now];
    const double present = volume(w, s->p, now->dependent, w->better);
    const double best = volume(w, s->p, w->allowed, w->better);
    if (!(present < MOTION_CHART_BAD * best)) return;
    const size_t next = find(s, w->better);
    now = &w->entries.at[w->now]; /* the list may have moved */
    if (!memcmp(w->entries.at[next].dependent, now->dependent, w->n * sizeof *now->dependent))
        return;
    w->entries.at[w->now].code = s->code; /* its engine may have changed */
    s->code = w->entries.at[next].code;
    s->method = w->entries.at[next].method;
    w->now = next;
}
