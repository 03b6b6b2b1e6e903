/* state/point_undefined.c - what is not a number at a state. */
#include "point.h"

#include <math.h>
#include <string.h>

/* Something that the equations are made of, and what it is called: `%s` stands for `of`. */
typedef struct ingredient {
    ah_expr e;
    const char *name, *of;
} ingredient;

typedef LIST(ingredient) ingredients;

static void add_all(point *p, ingredients *list, const ah_expr *e, size_t count, const char *name,
                    const char *of)
{
    for (size_t i = 0; i < count; i++)
        LIST_PUSH(&p->ctx->scratch, list, ((ingredient){e[i], name, of}));
}

static void add_row(point *p, ingredients *list, mat m, uint32_t row, const char *name,
                    const char *of)
{
    add_all(p, list, m.val + m.start[row], m.start[row + 1] - m.start[row], name, of);
}

/* What the model writes, first, for that is what its author can mend; then what is derived. */
static ingredients list_ingredients(point *p)
{
    const ah_model *m = p->model;
    const mechanics *k = p->mech;
    ingredients list = {0};
    add_all(p, &list, &m->T, 1, "the kinetic energy", NULL);
    add_all(p, &list, &m->V, 1, "the potential energy", NULL);
    for (uint32_t i = 0; i < m->n; i++)
        add_all(p, &list, &m->F[i], 1, "the force on `%s`", expr_get_name(p->ctx, m->q.at[i]));
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order != MODEL_ACCELERATION)
            add_all(p, &list, &m->constraints.at[i].c, 1, "the constraint `%s`",
                    m->constraints.at[i].label);
    add_all(p, &list, m->psi.at, m->psi.count, "the `velocity` statement", NULL);
    const mat M = k->tree ? k->tree->M : mechanics_mass(k);
    add_all(p, &list, M.val, mat_entries(M), "a derivative of the kinetic energy", NULL);
    if (k->tree)
        add_all(p, &list, k->tree->J.val, mat_entries(k->tree->J), "the velocity of a body", NULL);
    add_all(p, &list, k->K.val, mat_entries(k->K), "a derivative of the potential energy", NULL);
    add_all(p, &list, k->k.val, mat_entries(k->k), "a derivative of the kinetic energy", NULL);
    for (uint32_t i = 0; i < k->r; i++) {
        static const char name[] = "a derivative of the constraint `%s`";
        add_row(p, &list, k->J, i, name, m->constraints.at[i].label);
        add_row(p, &list, k->gamma, i, name, m->constraints.at[i].label);
    }
    return list;
}

static const char *name_of(arena *a, const ingredient *x)
{
    const char *hole = x->of ? strstr(x->name, "%s") : NULL;
    if (!hole) return x->name;
    return arena_printf(a, "%.*s%s%s", (int) (hole - x->name), x->name, x->of, hole + 2);
}

/* The innermost part that is no finite number, all its own parts being some. */
static ah_expr innermost(point *p, ah_expr e, double *value)
{
    ah_ctx *ctx = p->ctx;
    arena *s = &ctx->scratch;
    const arena_mark mark = arena_get_mark(s);
    const expr_list all = expr_reachable(ctx, s, &e, 1);
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
    arena *s = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(s);
    ah_expr *e = NEW_ARRAY(s, ah_expr, list->count + 1);
    for (size_t i = 0; i < list->count; i++) e[i] = list->at[i].e;
    const bool finite = expr_plan_is_finite(expr_plan_create(p->ctx, s, e, list->count), p->values);
    arena_release(s, mark);
    return finite;
}

/* Accelerations are what is looked for: a derivative that holds them is not a number until they are found. */
static void leave_accelerations(point *p, ingredients *list)
{
    size_t kept = 0;
    for (size_t i = 0; i < list->count; i++)
        if (!expr_depends_kind(p->ctx, list->at[i].e, AH_ACCELERATION))
            list->at[kept++] = list->at[i];
    list->count = kept;
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
    ingredients list = list_ingredients(p);
    const char *out = NULL;
    bool finite = all_finite(p, &list);
    if (!finite) leave_accelerations(p, &list);
    finite = finite || all_finite(p, &list);
    for (size_t i = 0; i < list.count && !finite && !out; i++) {
        double value = 0;
        const ah_expr e = innermost(p, list.at[i].e, &value);
        if (e == AH_NONE) continue;
        const char *name = name_of(&p->ctx->scratch, &list.at[i]);
        const char *what = isnan(value) ? "not a number" : "infinite";
        const char *culprit = expr_text(p->ctx, &p->ctx->scratch, e, AH_ASCII);
        out = strlen(culprit) > LONGEST ? arena_printf(&p->ctx->job, "%s is %s", name, what)
                                        : arena_printf(&p->ctx->job, "%s is %s: %s%s", name, what,
                                                       culprit, arguments_of(p, e));
    }
    arena_release(&p->ctx->scratch, mark);
    return out;
}
