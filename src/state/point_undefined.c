/* state/point_undefined.c - what is not a number at a state. */
#include "point.h"

#include <math.h>
#include <string.h>

/* Something that the equations are made of, and what it is called. */
typedef struct ingredient {
    ah_expr e;
    const char *name;
} ingredient;

typedef LIST(ingredient) ingredients;

/* Accelerations are what is looked for: a derivative that holds them is not a number until they are found. */
static void add(point *p, ingredients *list, ah_expr e, const char *name)
{
    if (expr_depends_kind(p->ctx, e, AH_ACCELERATION)) return;
    LIST_PUSH(&p->ctx->scratch, list, ((ingredient){e, name}));
}

static void add_all(point *p, ingredients *list, const ah_expr *e, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++) add(p, list, e[i], name);
}

/* What the model writes, first, for that is what its author can mend; then what is derived. */
static ingredients list_ingredients(point *p)
{
    const ah_model *m = p->model;
    const mechanics *k = p->mech;
    arena *s = &p->ctx->scratch;
    ingredients list = {0};
    add(p, &list, m->T, "the kinetic energy");
    add(p, &list, m->V, "the potential energy");
    for (uint32_t i = 0; i < m->n; i++)
        add(p, &list, m->F[i],
            arena_printf(s, "the force on `%s`", expr_get_name(p->ctx, m->q.at[i])));
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order != MODEL_ACCELERATION)
            add(p, &list, m->constraints.at[i].c,
                arena_printf(s, "the constraint `%s`", m->constraints.at[i].label));
    add_all(p, &list, m->psi.at, m->psi.count, "the `velocity` statement");
    const mat M = k->tree ? k->tree->M : derive_mass(k);
    add_all(p, &list, M.val, mat_entries(M), "a derivative of the kinetic energy");
    if (k->tree)
        add_all(p, &list, k->tree->J.val, mat_entries(k->tree->J), "the velocity of a body");
    add_all(p, &list, k->K.val, mat_entries(k->K), "a derivative of the potential energy");
    add_all(p, &list, k->k.val, mat_entries(k->k), "a derivative of the kinetic energy");
    for (uint32_t i = 0; i < k->r; i++) {
        const char *name =
            arena_printf(s, "a derivative of the constraint `%s`", m->constraints.at[i].label);
        add_all(p, &list, k->J.val + k->J.start[i], k->J.start[i + 1] - k->J.start[i], name);
        add_all(p, &list, k->gamma.val + k->gamma.start[i],
                k->gamma.start[i + 1] - k->gamma.start[i], name);
    }
    return list;
}

/* The innermost part of these that is no finite number, all its own parts being some. */
static ah_expr innermost(point *p, const ah_expr *e, size_t count, double *value)
{
    ah_ctx *ctx = p->ctx;
    arena *s = &ctx->scratch;
    const arena_mark mark = arena_get_mark(s);
    const expr_list all = expr_reachable(ctx, s, e, count);
    double *x = NEW_ARRAY(s, double, all.count + 1);
    ah_expr found = AH_NONE;
    expr_plan_run(expr_plan_create(ctx, s, all.at, all.count), p->values, x);
    for (size_t i = 0; i < all.count && found == AH_NONE; i++) /* children come first */
        if (!isfinite(x[i])) {
            *value = x[i];
            found = all.at[i];
        }
    arena_release(s, mark);
    return found;
}

/* At once, as nearly always: for each by itself the plans of a long chain take the time to read it. */
static bool all_finite(point *p, const ingredients *list)
{
    double value;
    ah_expr *e = NEW_ARRAY(&p->ctx->scratch, ah_expr, list->count + 1);
    for (size_t i = 0; i < list->count; i++) e[i] = list->at[i].e;
    return innermost(p, e, list->count, &value) == AH_NONE;
}

/* " (x = -1, y = 2)": what e is made of; nothing where there is nothing to tell. */
static const char *arguments_of(point *p, ah_expr e)
{
    enum { MOST = 6 };
    arena *s = &p->ctx->scratch;
    const expr_list symbols = expr_symbols(p->ctx, s, &e, 1);
    if (!symbols.count || symbols.count > MOST || symbols.at[0] == e) return "";
    text t = text_begin(s);
    for (size_t i = 0; i < symbols.count; i++)
        text_printf(&t, "%s%s = %.6g", i ? ", " : " (",
                    expr_text(p->ctx, s, symbols.at[i], AH_ASCII), point_get(p, symbols.at[i]));
    text_char(&t, ')');
    return text_end(&t);
}

const char *point_undefined(point *p)
{
    enum { LONGEST = 60 };
    const arena_mark mark = arena_get_mark(&p->ctx->scratch);
    const ingredients list = list_ingredients(p);
    const char *out = NULL;
    const size_t count = all_finite(p, &list) ? 0 : list.count;
    for (size_t i = 0; i < count && !out; i++) {
        double value = 0;
        const ah_expr e = innermost(p, &list.at[i].e, 1, &value);
        if (e == AH_NONE) continue;
        const char *what = isnan(value) ? "not a number" : "infinite";
        const char *culprit = expr_text(p->ctx, &p->ctx->scratch, e, AH_ASCII);
        out = strlen(culprit) > LONGEST
                  ? arena_printf(&p->ctx->job, "%s is %s", list.at[i].name, what)
                  : arena_printf(&p->ctx->job, "%s is %s: %s%s", list.at[i].name, what, culprit,
                                 arguments_of(p, e));
    }
    arena_release(&p->ctx->scratch, mark);
    return out;
}
