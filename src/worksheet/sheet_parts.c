/* worksheet/sheet_parts.c - long equations in intermediate quantities, as on an engineer's sheet.
 *
 * What is too long to be multiplied out is written as it was put together: the expressions of the rows are one graph
 * of shared parts. A part gets a name where it stands at several places, or where the model or the geometry has one
 * for it already: its `let`s, the rotations of its bodies, their angular velocities in body axes, the velocities of
 * their centres. Pivots of eliminations (recipe.h) have symbols of their own. Each name is explained before it is
 * used, what is geometry first. */
#include "page.h"

#include <string.h>

/* A part of l characters that stands c times costs c l, with a name 2.5 c and its line l and some more. */
#define PARTS_NAME        2.5
#define PARTS_LINE        6.0
#define PARTS_WORTH       14.0
#define PARTS_SHORTEST    7.0  /* parts that are shorter are written out … */
#define PARTS_OWN         4.0  /* … unless the model has a name for them */
#define PARTS_COEFFICIENT 12.0 /* coefficients of unknowns that are longer get a name */

/* Like terms are collected where no more than this share is left. */
#define PARTS_SHORTER 0.9

/* Denominators that are longer get a name. */
#define PARTS_DENOMINATOR 30.0

typedef enum part_class {
    PART_PLACE, /* lets, entries of rotations */
    PART_SPIN,
    PART_VELOCITY,
    PART_COMMON,
    PART_COEFFICIENT
} part_class;

typedef struct part {
    ah_expr e;
    const char *own; /* the name it has */
    part_class class;
    bool under;     /* stands in a denominator: no line could be broken in it */
    uint32_t uses;  /* places at which it is written */
    double length;  /* as written out, in the names of its parts */
    ah_expr symbol; /* AH_NONE: it has none */
    ah_expr inside; /* in the names of its parts */
} part;

typedef struct parts {
    worksheet *w;
    LIST(recipe_step) step; /* whose symbols the formulas use */
    expr_list there;        /* the formulas' nodes before b − a became −(a − b) */
    LIST(part) all;         /* children before parents, the values of steps before their symbols */
    uint32_t *at;           /* by handle: index + 1 */
    uint32_t handles;
    uint32_t *step_of;                /* by handle of a symbol: index + 1 of the recipe's step */
    const char *letter, *coefficient; /* of names without another meaning */
    uint32_t named;
} parts;

static part *find(const parts *p, ah_expr e)
{
    return &p->all.at[p->at[e] - 1];
}

/* ---- The graph ------------------------------------------------------------------------------- */

typedef LIST(ah_expr) handle_stack;

static void push_children(parts *p, handle_stack *s, ah_expr e)
{
    ah_ctx *ctx = p->w->ctx;
    const ah_expr *child = expr_get_children(ctx, e);
    for (size_t i = 0; child && i < expr_get_count(ctx, e); i++)
        if (!p->at[child[i]]) LIST_PUSH(p->w->arena, s, child[i]);
    if (p->step_of[e]) {
        const ah_expr value = p->step.at[p->step_of[e] - 1].value;
        if (!p->at[value]) LIST_PUSH(p->w->arena, s, value);
    }
}

/* Depth first, without recursion: a node is entered after all that it is made of. */
static void visit(parts *p, ah_expr root)
{
    handle_stack s = {0};
    LIST_PUSH(p->w->arena, &s, root);
    while (s.count) {
        const ah_expr e = s.at[s.count - 1];
        const size_t before = s.count;
        ctx_tick(p->w->ctx);
        if (p->at[e]) {
            s.count--;
            continue;
        }
        push_children(p, &s, e);
        if (s.count > before) continue;
        LIST_PUSH(p->w->arena, &p->all, ((part){.e = e, .class = PART_COMMON}));
        p->at[e] = (uint32_t) p->all.count;
        s.count--;
    }
}

/* How often each is written: inside of others, and by itself in the rows. */
static void count_uses(parts *p)
{
    ah_ctx *ctx = p->w->ctx;
    for (size_t i = 0; i < p->all.count; i++) {
        const ah_expr e = p->all.at[i].e, *child = expr_get_children(ctx, e);
        for (size_t k = 0; child && k < expr_get_count(ctx, e); k++) find(p, child[k])->uses++;
        if (p->step_of[e]) find(p, p->step.at[p->step_of[e] - 1].value)->uses++;
        long power;
        if (expr_get_op(ctx, e) == EXPR_POWER && expr_is_int(ctx, child[1], &power) && power < 0)
            find(p, child[0])->under = true;
    }
}

/* ---- One form for one thing ------------------------------------------------------------------ */

/* b − a, where a − b is there, is −(a − b). */
static ah_expr as_opposite(ah_ctx *ctx, void *user, ah_expr e)
{
    const expr_list *there = user;
    if (expr_get_op(ctx, e) != EXPR_SUM) return e;
    const ah_expr turned = page_turned(ctx, e);
    if (page_faces(ctx, e) || expr_find(there, turned) == EXPR_NOWHERE) return e;
    return expr_neg(ctx, turned);
}

/* ---- Names that there are -------------------------------------------------------------------- */

static void own_name(parts *p, ah_expr e, part_class class, const char *name)
{
    const ah_equations *eq = p->w->eq;
    if (eq->substitutions) e = expr_subst(p->w->ctx, e, eq->substitutions, eq->from, eq->to);
    page_combine(p->w->ctx, p->w->arena, &e, 1);
    page_spread(p->w->ctx, p->w->arena, &e, 1);
    page_map(p->w->ctx, p->w->arena, &e, 1, as_opposite, &p->there);
    const model_name *taken = model_find(p->w->model, name);
    if (e >= p->handles || !p->at[e] || (taken && taken->what != MODEL_LET)) return;
    part *found = find(p, e);
    if (found->own) return;
    found->own = name;
    found->class = class;
}

/* v_P1, v_P2 …, of P[3] and P3 v_P3x, v_P3y. */
static const char *index_name(const parts *p, const char *letter, const char *name, unsigned i)
{
    text t = text_begin(p->w->arena);
    char last = 0;
    text_printf(&t, "%s_", letter);
    for (const char *c = name; *c; c++)
        if (!strchr("[],._", *c)) text_char(&t, last = *c);
    if (last >= '0' && last <= '9')
        text_char(&t, "xyz"[i]);
    else
        text_printf(&t, "%u", i + 1);
    return text_end(&t);
}

static void own_vector(parts *p, ah_vector v, part_class class, const char *letter,
                       const char *name)
{
    for (unsigned i = 0; i < 3; i++) own_name(p, v.c[i], class, index_name(p, letter, name, i));
}

static void own_names(parts *p)
{
    const ah_model *m = p->w->model;
    for (size_t i = 0; i < p->w->names.count; i++) { /* what the page calls Δ is Δ here, too */
        const ws_name *name = &p->w->names.at[i];
        if (name->stands == name->symbol && !name->shown)
            own_name(p, name->meaning, PART_PLACE, expr_get_name(p->w->ctx, name->symbol));
    }
    for (size_t i = 0; i < m->lets.count; i++) {
        const model_let *let = &m->lets.at[i];
        if (let->count) continue;
        if (let->is_vector)
            for (unsigned k = 0; k < 3; k++)
                own_name(p, let->value.c[k], PART_PLACE,
                         arena_printf(p->w->arena, "%s[%u]", let->name, k + 1));
        else
            own_name(p, let->value.c[0], PART_PLACE, let->name);
        const ah_expr kept = page_kept_value(p->w, expr_symbol(p->w->ctx, AH_LOCAL, let->name));
        if (kept != AH_NONE) own_name(p, kept, PART_PLACE, let->name);
    }
    for (size_t i = 0; i < m->parts.count; i++) {
        const model_part *b = &m->parts.at[i];
        own_vector(p, b->velocity, PART_VELOCITY, "v", b->name);
        if (!b->is_body) continue;
        own_vector(p, b->omega_body, PART_SPIN, "Omega", b->name);
        for (unsigned j = 0; j < 9; j++)
            own_name(
                p, b->rotation[j / 3][j % 3], PART_PLACE,
                arena_printf(p->w->arena, "%s%u", index_name(p, "R", b->name, j / 3), j % 3 + 1));
    }
}

/* ---- New names ------------------------------------------------------------------------------- */

/* A letter that with a number behind it is no name of the model; those of quantities of the sheet are avoided. */
static const char *free_letter(const worksheet *w, const char *const *letters, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        bool taken = model_find(w->model, letters[i]) != NULL;
        for (unsigned k = 0; !taken && k < 100; k++)
            taken = model_find(w->model, arena_printf(w->arena, "%s%u", letters[i], k)) != NULL;
        for (size_t k = 0; !taken && k < w->names.count; k++)
            taken = expr_get_name(w->ctx, w->names.at[k].symbol)[0] == letters[i][0];
        if (!taken) return letters[i];
    }
    return "part";
}

static bool is_composite(const ah_ctx *ctx, ah_expr e)
{
    switch (expr_get_op(ctx, e)) {
    case EXPR_SUM:
    case EXPR_PRODUCT:
    case EXPR_POWER: return true;
    default: return false;
    }
}

static bool deserves_name(const parts *p, const part *x)
{
    if (!is_composite(p->w->ctx, x->inside)) return false;
    if (x->class == PART_COEFFICIENT) return x->length > PARTS_COEFFICIENT;
    if (x->own) return x->length > PARTS_OWN && (x->uses > 1 || x->length > PARTS_WORTH);
    if (x->under && x->length > PARTS_DENOMINATOR) return true;
    if (x->uses < 2 || x->length < PARTS_SHORTEST) return false;
    return (x->uses - 1) * (x->length - PARTS_NAME) - PARTS_LINE > PARTS_WORTH;
}

/* Like terms are collected once the parts have their names, where that is shorter. */
static ah_expr collected(const worksheet *w, ah_expr e)
{
    if (worksheet_length(w->ctx, e) < PARTS_SHORTEST) return e;
    ah_expr now = algebra_simplify(w->model->alg, e);
    page_combine(w->ctx, w->arena, &now, 1);
    if (worksheet_length(w->ctx, now) > PARTS_SHORTER * worksheet_length(w->ctx, e)) return e;
    page_tidy(w->ctx, w->arena, &now, 1);
    return now;
}

/* What would get a name may be short by then: −l, or the negative of another. */
static void settle(const parts *p, part *x)
{
    x->inside = collected(p->w, x->inside);
    x->length = worksheet_length(p->w->ctx, x->inside);
}

static ah_expr new_symbol(parts *p, const char *own)
{
    worksheet *w = p->w;
    const char *name = own ? own : arena_printf(w->arena, "%s%u", p->letter, ++p->named);
    return expr_symbol(w->ctx, AH_LOCAL, name);
}

static ah_expr written(const parts *p, ah_expr e)
{
    const part *x = find(p, e);
    return x->symbol != AH_NONE ? x->symbol : x->inside;
}

/* The value of a step that is written here and there by its symbol. */
static bool deserves_symbol(const parts *p, const part *symbol, const part *value)
{
    if (!is_composite(p->w->ctx, value->inside)) return false;
    return value->length > PARTS_SHORTEST ||
           ((double) symbol->uses - 1) * (value->length - PARTS_NAME) - PARTS_LINE > PARTS_WORTH;
}

/* The length and the form of a part, from its own parts. */
static void write_part(parts *p, part *x)
{
    ah_ctx *ctx = p->w->ctx;
    const ah_expr *child = expr_get_children(ctx, x->e);
    const size_t count = child ? expr_get_count(ctx, x->e) : 0;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    ah_expr *now = NEW_ARRAY(&ctx->scratch, ah_expr, count + 1);
    double *length = NEW_ARRAY(&ctx->scratch, double, count + 1);
    for (size_t i = 0; i < count; i++) {
        const part *c = find(p, child[i]);
        now[i] = written(p, child[i]);
        length[i] = c->symbol != AH_NONE ? PARTS_NAME : c->length;
    }
    /* What is not named stands among the terms now, sin² beside cos². */
    x->inside = count ? page_combined(ctx, expr_rebuild(ctx, x->e, now)) : x->e;
    x->length = page_length(ctx, x->e, length);
    arena_release(&ctx->scratch, mark);
    if (p->step_of[x->e]) { /* the symbol of a step is what its value is called */
        part *value = find(p, p->step.at[p->step_of[x->e] - 1].value);
        if (value->symbol == AH_NONE && deserves_symbol(p, x, value)) {
            settle(p, value);
            if (deserves_symbol(p, x, value)) value->symbol = new_symbol(p, value->own);
        }
        x->inside = value->symbol != AH_NONE ? value->symbol : value->inside;
        x->length = value->symbol != AH_NONE ? PARTS_NAME : value->length;
    } else if (deserves_name(p, x)) {
        settle(p, x);
        if (deserves_name(p, x)) x->symbol = new_symbol(p, x->own);
    }
}

/* ---- Explaining ------------------------------------------------------------------------------ */

typedef struct definition {
    ah_expr symbol, meaning;
    part_class class;
    bool said;
} definition;

typedef struct definitions {
    LIST(definition) all;
} definitions;

static const definition *defined_by(const definitions *d, ah_expr symbol)
{
    for (size_t i = 0; i < d->all.count; i++)
        if (d->all.at[i].symbol == symbol) return &d->all.at[i];
    return NULL;
}

/* All that the meaning rests on has been said. */
static bool is_ready(worksheet *w, const definitions *d, const definition *x)
{
    const arena_mark mark = arena_get_mark(&w->ctx->scratch);
    const expr_list s = expr_symbols(w->ctx, &w->ctx->scratch, &x->meaning, 1);
    bool ready = true;
    for (size_t i = 0; i < s.count && ready; i++) {
        const definition *other = defined_by(d, s.at[i]);
        ready = !other || other->said;
    }
    arena_release(&w->ctx->scratch, mark);
    return ready;
}

/* Whether the page has explained the symbol before that step. What it would explain later is taken from it: here it
 * is needed before. */
static bool is_explained(worksheet *w, ah_expr symbol, uint32_t before)
{
    for (uint32_t i = 0; i < w->step.count; i++) {
        ws_step *s = &w->step.at[i];
        for (uint32_t k = 0; k < s->wheres; k++) {
            if (w->names.at[s->where[k]].symbol != symbol) continue;
            if (i < before) return true;
            uint32_t *left = NEW_ARRAY(w->arena, uint32_t, s->wheres + 1), kept = 0;
            for (uint32_t j = 0; j < s->wheres; j++)
                if (j != k) left[kept++] = s->where[j];
            s->where = left;
            s->wheres = kept;
            return false;
        }
    }
    return false;
}

/* The definitions in an order in which each rests on earlier ones; geometry first. */
static void add_in_order(worksheet *w, definitions *d)
{
    for (size_t done = 0; done < d->all.count; done++) {
        definition *next = NULL;
        for (size_t i = 0; i < d->all.count; i++) {
            definition *x = &d->all.at[i];
            if (x->said || (next && x->class >= next->class) || !is_ready(w, d, x)) continue;
            next = x;
        }
        if (!next) return;
        next->said = true;
        LIST_PUSH(w->arena, &w->names,
                  ((ws_name){.stands = next->symbol,
                             .symbol = next->symbol,
                             .meaning = next->meaning,
                             .given = true}));
    }
}

/* What a step rests on and no step before it, in order. */
static void explain_before(worksheet *w, ws_step *step, bool *said)
{
    const size_t count = w->names.count;
    bool *wanted = NEW_ARRAY(w->arena, bool, count + 1);
    uint32_t *given = NEW_ARRAY(w->arena, uint32_t, count + 1);
    LIST(ah_expr) roots = {0};
    for (uint32_t i = 0; i < mat_entries(step->left.shown); i++)
        LIST_PUSH(w->arena, &roots, step->left.shown.val[i]);
    for (uint32_t i = 0; i < mat_entries(step->q.value.shown); i++)
        LIST_PUSH(w->arena, &roots, step->q.value.shown.val[i]);
    for (size_t k = count + 1; k-- > 0;) { /* later names rest on earlier ones alone */
        const bool own = k < count && wanted[k] && !said[k];
        const expr_list s = k == count ? expr_symbols(w->ctx, w->arena, roots.at, roots.count)
                            : own      ? expr_symbols(w->ctx, w->arena, &w->names.at[k].meaning, 1)
                                       : (expr_list){0};
        for (size_t j = 0; j < k && s.count; j++)
            if (w->names.at[j].given && expr_find(&s, w->names.at[j].symbol) != EXPR_NOWHERE)
                wanted[j] = true;
    }
    for (uint32_t k = 0; k < count; k++) {
        if (!wanted[k] || said[k]) continue;
        said[k] = true;
        given[step->givens++] = k;
    }
    step->given = given;
}

/* ---- All together ---------------------------------------------------------------------------- */

static void take(parts *p, mat m)
{
    for (uint32_t i = 0; i < mat_entries(m); i++) visit(p, m.val[i]);
}

/* −x is called by the name of x. */
static ah_expr without_sign(ah_ctx *ctx, ah_expr e)
{
    long minus;
    if (expr_get_op(ctx, e) != EXPR_PRODUCT) return e;
    const ah_expr *child = expr_get_children(ctx, e);
    const bool negative = expr_is_int(ctx, child[0], &minus) && minus == -1;
    return negative && expr_get_count(ctx, e) == 2 ? child[1] : e;
}

static void take_coefficients(parts *p, mat A)
{
    take(p, A);
    for (uint32_t i = 0; i < A.rows; i++)
        for (uint32_t k = A.start[i]; k < A.start[i + 1]; k++) {
            part *x = find(p, without_sign(p->w->ctx, A.val[k]));
            if (x->own) continue;
            x->own = arena_printf(p->w->arena, "%s[%u,%u]", p->coefficient, i + 1, A.col[k] + 1);
            x->class = PART_COEFFICIENT;
        }
}

static mat in_parts(parts *p, mat m, bool coefficients)
{
    ah_expr *val = NEW_ARRAY(p->w->arena, ah_expr, mat_entries(m) + 1);
    for (uint32_t i = 0; i < mat_entries(m); i++)
        val[i] = coefficients ? written(p, m.val[i]) : collected(p->w, find(p, m.val[i])->inside);
    m.val = val;
    return m;
}

static void put_rows(parts *p, const ws_rows *rows)
{
    worksheet *w = p->w;
    ws_step *step = &w->step.at[rows->step];
    const bool system = rows->A.rows && rows->unknowns.rows;
    const mat A = rows->A.rows ? in_parts(p, rows->A, system) : rows->unknowns;
    step->left = worksheet_value(system ? mat_mul(w->ctx, w->arena, A, rows->unknowns) : A);
    step->q.value = worksheet_value(in_parts(p, rows->right, false));
}

static void define(parts *p, definitions *d, uint32_t first)
{
    for (size_t i = 0; i < p->all.count; i++) {
        const part *x = &p->all.at[i];
        if (x->symbol != AH_NONE && !is_explained(p->w, x->symbol, first))
            LIST_PUSH(p->w->arena, &d->all, ((definition){x->symbol, x->inside, x->class, false}));
    }
}

/* A root that stands as 1/√x, too: then both are written in √x. */
typedef struct roots {
    worksheet *w;
    LIST(ah_expr) base;
    LIST(recipe_step) step; /* symbol = √base */
} roots;

/* k of x^(k/2), k odd and x more than a symbol; 0: it is no such power. */
static long half_power(const ah_ctx *ctx, ah_expr e)
{
    long p, q;
    if (expr_get_op(ctx, e) != EXPR_POWER) return 0;
    const ah_expr *child = expr_get_children(ctx, e);
    if (!is_composite(ctx, child[0]) || !expr_is_rational(ctx, child[1], &p, &q)) return 0;
    return q == 2 ? p : 0;
}

static void find_roots(roots *x, const ah_expr *all, size_t count)
{
    ah_ctx *ctx = x->w->ctx;
    const expr_list node = expr_reachable(ctx, x->w->arena, all, count);
    for (size_t i = 0; i < node.count; i++) {
        const long power = half_power(ctx, node.at[i]);
        if (power >= 0) continue;
        const ah_expr base = expr_get_children(ctx, node.at[i])[0];
        const ah_expr root = expr_call1(ctx, AH_SQRT, base);
        bool known = expr_find(&node, root) == EXPR_NOWHERE;
        for (size_t k = 0; k < x->base.count && !known; k++) known = x->base.at[k] == base;
        if (known) continue;
        const char *name = arena_printf(x->w->arena, "#root%zu", x->base.count);
        LIST_PUSH(x->w->arena, &x->base, base);
        LIST_PUSH(x->w->arena, &x->step, ((recipe_step){expr_symbol(ctx, AH_LOCAL, name), root}));
    }
}

static ah_expr as_root(ah_ctx *ctx, void *user, ah_expr e)
{
    const roots *x = user;
    const long power = half_power(ctx, e);
    for (size_t i = 0; power && i < x->base.count; i++)
        if (expr_get_children(ctx, e)[0] == x->base.at[i])
            return expr_powi(ctx, x->step.at[i].symbol, power);
    return e;
}

typedef LIST(ah_expr) formulas;

static formulas take_formulas(const parts *p, const ws_rows *rows, size_t count)
{
    arena *a = p->w->arena;
    formulas all = {0};
    for (size_t i = 0; i < p->step.count; i++) LIST_PUSH(a, &all, p->step.at[i].value);
    for (size_t i = 0; i < count; i++) {
        for (uint32_t k = 0; k < mat_entries(rows[i].A); k++) LIST_PUSH(a, &all, rows[i].A.val[k]);
        for (uint32_t k = 0; k < mat_entries(rows[i].right); k++)
            LIST_PUSH(a, &all, rows[i].right.val[k]);
    }
    return all;
}

static void give_formulas(parts *p, ah_expr *next, ws_rows *rows, size_t count)
{
    for (size_t i = 0; i < p->step.count; i++) p->step.at[i].value = *next++;
    for (size_t i = 0; i < count; i++) {
        rows[i].A.val = next;
        next += mat_entries(rows[i].A);
        rows[i].right.val = next;
        next += mat_entries(rows[i].right);
    }
}

/* √(x²) is |x|, and so in powers of it. */
static ah_expr root_of_square(ah_ctx *ctx, void *user, ah_expr e)
{
    (void) user;
    const bool root = expr_get_op(ctx, e) == EXPR_CALL && expr_get_function(ctx, e) == AH_SQRT;
    const long power = root ? 1 : half_power(ctx, e);
    if (!power) return e;
    const ah_expr square = expr_get_children(ctx, e)[0];
    long two;
    if (expr_get_op(ctx, square) != EXPR_POWER ||
        !expr_is_int(ctx, expr_get_children(ctx, square)[1], &two) || two != 2)
        return e;
    return expr_powi(ctx, expr_call1(ctx, AH_ABS, expr_get_children(ctx, square)[0]), power);
}

/* All formulas with their sines and cosines put together, and one form for one thing, in copies. */
static void combine(parts *p, ws_rows *rows, size_t count)
{
    ah_ctx *ctx = p->w->ctx;
    arena *a = p->w->arena;
    roots x = {.w = p->w};
    const formulas all = take_formulas(p, rows, count);
    for (size_t i = 0; i < all.count; i++) all.at[i] = page_hold(p->w->holder, all.at[i]);
    page_combine(ctx, a, all.at, all.count);
    page_spread(ctx, a, all.at, all.count);
    page_tidy(ctx, a, all.at, all.count);
    p->there = expr_reachable(ctx, a, all.at, all.count);
    page_map(ctx, a, all.at, all.count, as_opposite, &p->there);
    page_map(ctx, a, all.at, all.count, root_of_square, NULL);
    find_roots(&x, all.at, all.count);
    page_map(ctx, a, all.at, all.count, as_root, &x);
    give_formulas(p, all.at, rows, count);
    for (size_t i = 0; i < x.step.count; i++) LIST_PUSH(a, &p->step, x.step.at[i]);
}

void worksheet_take_parts(worksheet *w, const recipe *r, ws_rows *rows, size_t count)
{
    static const char *const common[] = {"k", "c", "s", "h", "e", "u", "d"};
    static const char *const table[] = {"A", "M", "N", "U", "E", "H"};
    parts p = {.w = w};
    definitions d = {{0}};
    for (size_t i = 0; i < r->steps.count; i++) LIST_PUSH(w->arena, &p.step, r->steps.at[i]);
    combine(&p, rows, count);
    p.handles = (uint32_t) expr_pool_size(w->ctx);
    p.at = NEW_ARRAY(w->arena, uint32_t, p.handles);
    p.step_of = NEW_ARRAY(w->arena, uint32_t, p.handles);
    p.letter = free_letter(w, common, sizeof common / sizeof *common);
    p.coefficient = free_letter(w, table, sizeof table / sizeof *table);
    for (size_t i = 0; i < p.step.count; i++) p.step_of[p.step.at[i].symbol] = (uint32_t) i + 1;
    for (size_t i = 0; i < count; i++) {
        take(&p, rows[i].A);
        take(&p, rows[i].right);
    }
    own_names(&p);
    for (size_t i = 0; i < count; i++)
        if (rows[i].unknowns.rows) take_coefficients(&p, rows[i].A);
    count_uses(&p);
    for (size_t i = 0; i < p.all.count; i++) write_part(&p, &p.all.at[i]);
    for (size_t i = 0; i < count; i++) put_rows(&p, &rows[i]);
    uint32_t first = UINT32_MAX;
    for (size_t i = 0; i < count; i++) first = rows[i].step < first ? rows[i].step : first;
    define(&p, &d, first);
    const size_t before = w->names.count;
    add_in_order(w, &d);
    page_unite_parts(w, before);
    bool *said = NEW_ARRAY(w->arena, bool, w->names.count + 1);
    for (size_t i = 0; i < w->step.count; i++)
        if (w->step.at[i].in_parts) explain_before(w, &w->step.at[i], said);
}
