/* worksheet/worksheet.c - from a sheet to what stands on the page. */
#include "worksheet.h"

#include "page.h"

#include <math.h>
#include <string.h>

/* An entry longer than this is not printed: the formula, or the linear system, says more. */
#define WORKSHEET_LONGEST 2500.0
/* Rows of equations that are not solved: beyond this they are written in parts, up to the second number only if these are not longer. */
#define WORKSHEET_LONG_ROW    400.0
#define WORKSHEET_LONGEST_ROW 1200.0
/* Multipliers that are longer may be shorter in the velocities, and are written so if they are by so much. */
#define WORKSHEET_LONG_MULTIPLIER 120.0
#define WORKSHEET_IN_VELOCITIES   0.6
/* Entries of columns that are longer are called by their names in products. */
#define WORKSHEET_LONG_ENTRY 60.0
/* A matrix on the way, made of others that are shown, that is longer in all: its formula says more than pages of entries. */
#define WORKSHEET_LONG_TABLE 3000.0
/* Matrices with more columns are mostly listed entry by entry. */
#define WORKSHEET_WIDE 5
/* What is longer without the model's names is not short with them. */
#define WORKSHEET_HOPELESS 10000.0
/* Terms of a polynomial on the way to a display: with fewer, expressions that fit a page are lost;
 * with ten times as many, none is won. */
#define WORKSHEET_TERMS 2000
/* Characters that taking out a factor must save. */
#define WORKSHEET_FACTOR_WORTH 6.0

/* ---- Common factors -------------------------------------------------------------------------- */

/* e as factors with their powers; the number apart. */
typedef struct factors {
    ah_expr number;
    size_t count;
    ah_expr *base;
    long *power;
} factors;

static void add_factor(ah_ctx *ctx, factors *f, ah_expr e)
{
    long power = 1;
    ah_expr base = e;
    if (expr_get_op(ctx, e) == EXPR_NUMBER) {
        f->number = e;
        return;
    }
    if (expr_get_op(ctx, e) == EXPR_POWER && expr_is_int(ctx, expr_get_children(ctx, e)[1], &power))
        base = expr_get_children(ctx, e)[0];
    else
        power = 1;
    f->base[f->count] = base;
    f->power[f->count++] = power;
}

static factors factors_of(ah_ctx *ctx, arena *a, ah_expr e)
{
    const bool product = expr_get_op(ctx, e) == EXPR_PRODUCT;
    const size_t count = product ? expr_get_count(ctx, e) : 1;
    factors f = {.number = expr_int(ctx, 1)};
    f.base = NEW_ARRAY(a, ah_expr, count);
    f.power = NEW_ARRAY(a, long, count);
    for (size_t i = 0; i < count; i++)
        add_factor(ctx, &f, product ? expr_get_children(ctx, e)[i] : e);
    return f;
}

/* The power nearest to zero that both have; 0: they share nothing. */
static long shared_power(long p, long q)
{
    if ((p > 0) != (q > 0)) return 0;
    return (p > 0) == (p < q) ? p : q;
}

static void intersect(factors *common, const factors *f)
{
    size_t kept = 0;
    for (size_t i = 0; i < common->count; i++) {
        long power = 0;
        for (size_t k = 0; k < f->count; k++)
            if (f->base[k] == common->base[i]) power = shared_power(common->power[i], f->power[k]);
        if (!power) continue;
        common->base[kept] = common->base[i];
        common->power[kept++] = power;
    }
    common->count = kept;
}

/* Of the numbers in front of the entries: the sign that all share, and 1/d when all have it. */
static ah_expr shared_number(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    long p, q, r, s;
    if (!expr_is_rational(ctx, a, &p, &q) || !expr_is_rational(ctx, b, &r, &s))
        return expr_int(ctx, 1);
    const long sign = p < 0 && r < 0 ? -1 : 1;
    if (q != s) return expr_int(ctx, sign);
    return expr_rational(ctx, p == r || p == -r ? sign * (p < 0 ? -p : p) : sign, q);
}

static ah_expr product_of(ah_ctx *ctx, const factors *f)
{
    ah_expr e = f->number;
    for (size_t i = 0; i < f->count; i++)
        e = expr_mul(ctx, e, expr_powi(ctx, f->base[i], f->power[i]));
    return e;
}

static ah_expr common_factor(ah_ctx *ctx, mat m)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    factors common = factors_of(ctx, &ctx->scratch, m.val[0]);
    for (uint32_t i = 1; i < mat_entries(m); i++) {
        const factors f = factors_of(ctx, &ctx->scratch, m.val[i]);
        intersect(&common, &f);
        common.number = shared_number(ctx, common.number, f.number);
    }
    const ah_expr e = product_of(ctx, &common);
    arena_release(&ctx->scratch, mark);
    return e;
}

static double total_length(ah_ctx *ctx, mat m)
{
    double sum = 0;
    for (uint32_t i = 0; i < mat_entries(m); i++) sum += worksheet_length(ctx, m.val[i]);
    return sum;
}

static void take_factor_out(worksheet *w, ws_value *v)
{
    ah_ctx *ctx = w->ctx;
    if (mat_entries(v->shown) < 2) return;
    const ah_expr factor = common_factor(ctx, v->shown);
    if (expr_is_one(ctx, factor)) return;
    const mat rest = mat_scale(ctx, w->arena, expr_div(ctx, expr_int(ctx, 1), factor), v->shown);
    const double saved =
        total_length(ctx, v->shown) - total_length(ctx, rest) - worksheet_length(ctx, factor);
    if (saved < WORKSHEET_FACTOR_WORTH) return;
    v->factor = factor;
    v->shown = rest;
}

/* Names may have come to stand on both sides, 1/(400 R²) before 400 R² x: multiplied in, and taken out once more. */
void worksheet_settle_factor(worksheet *w, ws_value *v)
{
    ah_ctx *ctx = w->ctx;
    if (!v->known || v->factor == AH_NONE) return;
    ws_value now = *v;
    now.factor = AH_NONE;
    now.shown = mat_scale(ctx, w->arena, v->factor, v->shown);
    take_factor_out(w, &now);
    const double factor = now.factor == AH_NONE ? 0 : worksheet_length(ctx, now.factor);
    if (factor + total_length(ctx, now.shown) <
        worksheet_length(ctx, v->factor) + total_length(ctx, v->shown))
        *v = now;
}

/* ---- Values ---------------------------------------------------------------------------------- */

static bool is_diagonal(mat m)
{
    if (m.rows != m.cols || m.rows < 2) return false;
    for (uint32_t i = 0; i < m.rows; i++)
        for (uint32_t k = m.start[i]; k < m.start[i + 1]; k++)
            if (m.col[k] != i) return false;
    return true;
}

static bool is_printable(ah_ctx *ctx, mat m)
{
    for (uint32_t i = 0; i < mat_entries(m); i++)
        if (worksheet_length(ctx, m.val[i]) > WORKSHEET_LONGEST) return false;
    return true;
}

static double longest(worksheet *w, mat m)
{
    double most = 0;
    for (uint32_t i = 0; i < mat_entries(m); i++)
        most = fmax(most, worksheet_length(w->ctx, m.val[i]));
    return most;
}

/* The value as it was worked out, and as it is displayed: with the model's own names, where these are kept. */
static bool work_both(worksheet *w, quantity x, mat *exact, mat *shown)
{
    const bool known = work_out(w->work, x, exact), plain = known && is_printable(w->ctx, *exact);
    mat kept;
    if ((known && longest(w, *exact) > WORKSHEET_HOPELESS) ||
        !worksheet_kept(w, x, plain ? exact : NULL, &kept) ||
        (!plain && longest(w, kept) > WORKSHEET_LONG_ROW)) {
        *shown = *exact;
        return plain;
    }
    *shown = kept;
    if (!known) *exact = worksheet_unkept(w, kept);
    return true;
}

/* A symmetric matrix whose entries came out in two forms gets the shorter of them on both sides; false: it is not symmetric. */
static bool make_symmetric(worksheet *w, mat *m)
{
    const uint32_t n = m->rows;
    if (n < 2 || n != m->cols) return false;
    ah_expr *e = mat_to_dense(w->ctx, w->arena, *m);
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t j = 0; j < i; j++) {
            ah_expr *a = &e[i * n + j], *b = &e[j * n + i];
            if (*a != *b && algebra_equal(w->model->alg, *a, *b) != AH_TRUE) return false;
            *a = *b = worksheet_length(w->ctx, *a) < worksheet_length(w->ctx, *b) ? *a : *b;
        }
    *m = mat_from_dense(w->ctx, w->arena, n, n, e);
    return true;
}

static ws_quantity make_quantity(worksheet *w, quantity id)
{
    const sheet_node *node = sheet_get(w->eq->sheet, id);
    ws_quantity q = {.id = id, .name = node->name, .formula = node->formula};
    ws_value *v = &q.value;
    v->factor = AH_NONE;
    v->belongs = node->belongs;
    v->known = work_both(w, id, &v->exact, &v->shown);
    if (!v->known && !q.formula) q.formula = node->meaning;
    if (!v->known) return q;
    v->diagonal = is_diagonal(v->shown);
    v->symmetric = !v->diagonal && make_symmetric(w, &v->shown);
    return q;
}

ws_value worksheet_value(mat m)
{
    return (ws_value){.known = true, .exact = m, .factor = AH_NONE, .shown = m};
}

/* ---- Equations that are not solved ----------------------------------------------------------- */

/* A x as a column. */
static mat left_sides(worksheet *w, mat A, mat unknowns)
{
    return mat_mul(w->ctx, w->arena, A, unknowns);
}

/* What is not worked out in print, or is so long that it is better written in parts. */
static bool is_short(worksheet *w, quantity x, mat *out)
{
    mat exact;
    if (!work_both(w, x, &exact, out)) return false;
    const double length = longest(w, *out);
    w->nearly = w->nearly || (length > w->longest_row && length <= WORKSHEET_LONGEST_ROW);
    return length <= w->longest_row;
}

/* Two columns, left and right: as they are where both are short, otherwise put aside to be lowered together. */
static void set_rows(worksheet *w, ws_step *step, quantity A, mat unknowns, quantity right)
{
    const uint32_t rows = sheet_get(w->eq->sheet, A)->rows;
    mat left, b = mat_zero(w->ctx, w->arena, rows, 1);
    step->solved = false;
    if (is_short(w, A, &left) && (right == QUANTITY_NONE || is_short(w, right, &b))) {
        step->left = worksheet_value(unknowns.rows ? left_sides(w, left, unknowns) : left);
        step->q.value = worksheet_value(b);
        return;
    }
    step->in_parts = true;
    LIST_PUSH(w->arena, &w->lower, ((ws_lower){(uint32_t) w->step.count, A, right, unknowns}));
}

/* Equations of quasi-velocities that would have to be written in parts, in the velocities where these are short. */
static bool set_in_velocities(worksheet *w, const sheet_step *from, ws_step *step, quantity A,
                              quantity b)
{
    const ah_equations *eq = w->eq;
    mat left, unknowns, right;
    if (!eq->in_velocities.write || eq->in_velocities.of != from->value) return false;
    if (is_short(w, A, &left) && is_short(w, b, &right)) return false;
    if (!eq->in_velocities.write(eq, &left, &unknowns, &right)) return false;
    left = worksheet_in_lets(w, left_sides(w, left, unknowns));
    right = worksheet_in_lets(w, right);
    if (fmax(longest(w, left), longest(w, right)) > WORKSHEET_LONG_ROW) return false;
    step->text = "in the velocities: the rows of the quasi-velocities alone are long";
    step->solved = false;
    step->left = worksheet_value(left);
    step->q.value = worksheet_value(right);
    return true;
}

/* Multipliers of vanishing quasi-velocities that are long: in the velocities, where that is short. */
static void set_multipliers(worksheet *w, const sheet_step *from, ws_step *step)
{
    const ah_equations *eq = w->eq;
    mat other;
    const double length =
        step->q.value.known ? longest(w, step->q.value.shown) : WORKSHEET_LONG_ROW;
    if (!eq->in_velocities.write_multipliers || eq->in_velocities.multipliers != from->value)
        return;
    if (length < WORKSHEET_LONG_MULTIPLIER || !eq->in_velocities.write_multipliers(eq, &other))
        return;
    const mat shown = worksheet_in_lets(w, other);
    if (longest(w, shown) > WORKSHEET_IN_VELOCITIES * length) return;
    step->text = "in the velocities";
    step->solved = true;
    step->q.value = worksheet_value(shown);
    step->q.value.exact = other;
}

/* Equations that could not be solved on paper are the linear system that numbers solve. What comes
 * after them may use their unknowns. */
static void leave_unsolved(worksheet *w, const sheet_step *from, ws_step *step)
{
    sheet *s = w->eq->sheet;
    const sheet_node *node = sheet_get(s, from->value);
    const bool solve = node->op == SHEET_SOLVE && from->system.A == QUANTITY_NONE;
    const quantity A = solve ? node->in[0] : from->system.A,
                   b = solve ? node->in[1] : from->system.b;
    if (A == QUANTITY_NONE) { /* a formula, but a long one */
        step->in_parts = true;
        LIST_PUSH(w->arena, &w->lower,
                  ((ws_lower){(uint32_t) w->step.count, A, from->value, from->unknowns}));
        return;
    }
    if (!set_in_velocities(w, from, step, A, b))
        set_rows(w, step, A, solve ? from->unknowns : from->system.unknowns, b);
    sheet_node *solved = &s->nodes.at[from->value];
    solved->op = SHEET_LEAF;
    solved->leaf = from->unknowns;
    solved->as_written = true;
    w->work = worksheet_work(w->eq);
    if (w->kept) worksheet_keep_lets(w);
}

/* A heading with nothing below it is left out. */
static void drop_heading(worksheet *w)
{
    if (w->step.count && w->step.at[w->step.count - 1].kind == STEP_SECTION) w->step.count--;
}

/* Whether the step before is not written out either and has the same formula: one line says it of both. */
static bool is_said_before(worksheet *w, const ws_step *step)
{
    const ws_step *last = w->step.count ? &w->step.at[w->step.count - 1] : NULL;
    return last && last->kind == STEP_QUANTITY && !last->solved && step->q.formula &&
           last->q.formula == step->q.formula;
}

/* The step that shows a column; NULL: none does. */
static ws_step *shown_column(const worksheet *w, quantity x)
{
    for (size_t i = 0; i < w->step.count; i++) {
        ws_step *s = &w->step.at[i];
        if (s->kind == STEP_QUANTITY && s->solved && s->q.id == x && s->q.value.shown.cols == 1)
            return s;
    }
    return NULL;
}

/* Entries have symbols of their own: no factor stands before them. */
static void put_factor_in(worksheet *w, ws_value *v)
{
    if (v->factor != AH_NONE) v->shown = mat_scale(w->ctx, w->arena, v->factor, v->shown);
    v->factor = AH_NONE;
}

/* A matrix times a long column that is shown, R = J^T λ, in the symbols of its entries. */
static void set_through_column(worksheet *w, ws_step *step)
{
    const sheet_node *node = sheet_get(w->eq->sheet, step->q.id);
    ws_step *column =
        node->op == SHEET_MUL && node->cols == 1 ? shown_column(w, node->in[1]) : NULL;
    mat exact, left;
    if (!column || longest(w, column->q.value.shown) < WORKSHEET_LONG_ENTRY) return;
    const uint32_t rows = column->q.value.shown.rows;
    ah_expr *symbol = NEW_ARRAY(w->arena, ah_expr, rows);
    for (uint32_t i = 0; i < rows; i++) {
        symbol[i] = worksheet_entry_symbol(w, &column->q, i);
        if (symbol[i] == AH_NONE) return;
    }
    if (!work_both(w, node->in[0], &exact, &left)) return;
    const mat symbols = mat_from_dense(w->ctx, w->arena, rows, 1, symbol);
    const mat shown = mat_mul(w->ctx, w->arena, left, symbols);
    ws_value *v = &step->q.value;
    const double room = column->q.value.factor == AH_NONE ? 0 : WORKSHEET_LONGEST_ROW;
    if (v->known && total_length(w->ctx, shown) + room >= total_length(w->ctx, v->shown)) return;
    if (!v->known) v->exact = shown;
    put_factor_in(w, &column->q.value);
    v->shown = shown;
    v->known = step->solved = true;
    step->through = (uint32_t) (column - w->step.at) + 1;
}

static bool is_long_table(worksheet *w, const ws_quantity *q)
{
    const sheet_node *node = sheet_get(w->eq->sheet, q->id);
    return q->value.known && q->formula && node->op != SHEET_LEAF &&
           mat_entries(q->value.shown) > 1 &&
           total_length(w->ctx, q->value.shown) > WORKSHEET_LONG_TABLE;
}

static void add_step(worksheet *w, const sheet_step *from)
{
    ws_step step = {.kind = from->kind, .text = from->text, .paper = from->paper};
    step.unknowns = from->unknowns;
    switch (from->kind) {
    case STEP_SECTION: drop_heading(w); break;
    case STEP_TEXT: break;
    case STEP_QUANTITY:
        step.q = make_quantity(w, from->value);
        if (!from->final && is_long_table(w, &step.q)) step.q.value.known = false;
        step.solved = step.q.value.known;
        if (from->again && step.solved && step.q.value.shown.cols > WORKSHEET_WIDE) return;
        set_through_column(w, &step);
        if (step.solved)
            take_factor_out(w, &step.q.value);
        else if (!step.q.formula && !step.text)
            return; /* a name alone says nothing */
        else if (!step.q.formula)
            step = (ws_step){.kind = STEP_TEXT,
                             .text = arena_printf(w->arena, "$%s$, %s, is not written out.",
                                                  step.q.name, step.text)};
        else if (is_said_before(w, &step)) {
            w->step.at[w->step.count - 1].text = "and so are others that are not written out";
            return;
        }
        break;
    case STEP_EQUATIONS:
        step.q = make_quantity(w, from->value);
        step.solved = step.q.value.known;
        set_multipliers(w, from, &step);
        if (!step.solved && from->again)
            step = (ws_step){.kind = STEP_TEXT,
                             .text = "Its rows are long, and have the same solution."};
        else if (!step.solved)
            leave_unsolved(w, from, &step);
        break;
    case STEP_IMPLICIT:
        if (from->again && !is_short(w, from->value, &(mat){0})) return;
        set_rows(w, &step, from->value, (mat){0}, from->right);
        break;
    }
    LIST_PUSH(w->arena, &w->step, step);
}

/* The sheet with nodes of its own, to be changed while it is displayed. */
static ah_equations *copy_of(arena *a, const ah_equations *eq)
{
    ah_equations *copy = NEW(a, ah_equations);
    const size_t count = eq->sheet->nodes.count;
    *copy = *eq;
    if (eq->branch) {
        copy->substitutions = eq->mech->n;
        copy->from = eq->mech->model->v.at;
        copy->to = eq->branch;
    }
    copy->sheet = NEW(a, sheet);
    *copy->sheet = *eq->sheet;
    copy->sheet->nodes.at = NEW_ARRAY(a, sheet_node, count + 1);
    copy->sheet->nodes.capacity = count;
    if (count) memcpy(copy->sheet->nodes.at, eq->sheet->nodes.at, count * sizeof(sheet_node));
    return copy;
}

/* ---- In parts -------------------------------------------------------------------------------- */

/* A lowered matrix; NULL: that failed, and the algebra may still have it. */
static bool lowered(worksheet *w, recipe *r, const mat *value, quantity x, mat *out)
{
    if (!value) return work_out(w->work, x, out);
    *out = recipe_simplify(r, *value);
    return true;
}

/* At the model's start, where the pivots should be good, or else at a state that is not special. */
static bool lower_all(worksheet *w, recipe *r, const quantity *x, size_t count, mat *out)
{
    ah_equations *eq = copy_of(w->arena, w->eq);
    const probe_wish at_start = {.reach = PROBE_START};
    probe *states = probe_create(w->model, w->arena);
    probe_rng rng = probe_seed(1);
    if (w->kept) worksheet_keep_leaves(w, eq);
    for (int start = w->model->start.count > 0; start >= 0; start--) {
        frame *sample = probe_values(w->model, w->arena);
        if (start ? !probe_wished(states, &rng, &at_start, sample)
                  : !probe_admissible(states, &rng, sample) && !probe_draw(states, &rng, sample))
            continue;
        recipe_init(r, w->ctx, w->arena, eq->mech->alg, sample);
        if (w->kept) worksheet_define_lets(w, r);
        if (recipe_lower_all(r, eq->sheet, x, count, eq->substitutions, eq->from, eq->to, out))
            return true;
    }
    recipe_init(r, w->ctx, w->arena, eq->mech->alg, NULL);
    return false;
}

/* The rows that were put aside, by the scalar formulas that numbers come from too: nothing is multiplied out. */
static void lower_rows(worksheet *w)
{
    const size_t count = w->lower.count;
    quantity *x = NEW_ARRAY(w->arena, quantity, 2 * count + 1);
    mat *value = NEW_ARRAY(w->arena, mat, 2 * count + 1);
    size_t quantities = 0;
    if (!count) return;
    for (size_t i = 0; i < count; i++) {
        if (w->lower.at[i].A != QUANTITY_NONE) x[quantities++] = w->lower.at[i].A;
        if (w->lower.at[i].right != QUANTITY_NONE) x[quantities++] = w->lower.at[i].right;
    }
    recipe r;
    const bool good = lower_all(w, &r, x, quantities, value);
    ws_rows *rows = NEW_ARRAY(w->arena, ws_rows, count);
    size_t known = 0;
    for (size_t i = 0, k = 0; i < count; i++) {
        const ws_lower *from = &w->lower.at[i];
        ws_rows *to = &rows[known];
        bool got = true;
        *to = (ws_rows){.step = from->step, .unknowns = from->unknowns};
        if (from->A != QUANTITY_NONE)
            got = lowered(w, &r, good ? &value[k++] : NULL, from->A, &to->A);
        if (good && got && to->unknowns.rows && to->A.rows) to->A = recipe_symmetric(&r, to->A);
        if (from->right == QUANTITY_NONE)
            to->right = mat_zero(w->ctx, w->arena, to->A.rows, 1);
        else
            got = lowered(w, &r, good ? &value[k++] : NULL, from->right, &to->right) && got;
        known += got;
        if (!got) w->step.at[from->step].unknowns = (mat){0}; /* no rows: the formula has to do */
    }
    worksheet_take_parts(w, &r, rows, known);
}

static bool begins_with_minus(const worksheet *w, ah_expr e)
{
    return worksheet_print(w, e, AH_TEXT)[0] == '-';
}

/* −λ (−a, b, 0) is λ (a, −b, 0): a factor is better without its sign, unless more entries get one.
 */
static void tidy_sign(worksheet *w, ws_value *v)
{
    if (!v->known || v->factor == AH_NONE || !begins_with_minus(w, v->factor)) return;
    const uint32_t entries = mat_entries(v->shown);
    ah_expr *turned = NEW_ARRAY(w->arena, ah_expr, entries + 1);
    int before = 1, after = 0;
    for (uint32_t i = 0; i < entries; i++) {
        turned[i] = page_signed(w->ctx, expr_neg(w->ctx, v->shown.val[i]));
        before += begins_with_minus(w, v->shown.val[i]);
        after += begins_with_minus(w, turned[i]);
    }
    if (after > before) return;
    v->shown.val = turned;
    v->factor = expr_neg(w->ctx, v->factor);
    if (expr_is_one(w->ctx, v->factor)) v->factor = AH_NONE;
}

static void restore_bounds(void *model)
{
    const ah_model *m = model;
    algebra_set_bounds(m->alg, ALGEBRA_SECONDS, m->ctx->limits.terms);
}

/* Whether a step of the sheet belongs to the part that is shown. The result of the method
 * `multipliers` has the multipliers and the reactive forces before its equations. */
static bool belongs(const sheet_step *s, worksheet_part part)
{
    switch (part) {
    case WORKSHEET_STEPS: return true;
    case WORKSHEET_RESULT: return s->final;
    case WORKSHEET_REACTIONS: return s->final && s->kind == STEP_QUANTITY;
    }
    return false;
}

/* Methods whose equations are often short, and the seconds that are spent on seeing whether those of one are. */
#define WORKSHEET_OTHERS_SECONDS 0.15
static const char *const others[] = {"parametric", "hamel", "hamel-nonlinear"};

typedef struct question {
    const ah_equations *eq;
    bool all; /* the accelerations are written out */
} question;

static void write_out(ah_ctx *ctx, void *arg)
{
    question *q = arg;
    bool all = true;
    ctx_share(ctx, WORKSHEET_OTHERS_SECONDS);
    work *tried = work_create(q->eq, NULL);
    for (size_t i = 0; i < q->eq->sheet->steps.count && all; i++) {
        const sheet_step *step = &q->eq->sheet->steps.at[i];
        mat value;
        if (step->final && step->kind == STEP_EQUATIONS)
            all = work_out(tried, step->value, &value) && is_printable(ctx, value);
        all = all && !(step->final && step->kind == STEP_IMPLICIT);
    }
    q->all = all;
}

/* Does the method write the accelerations out, as far as is seen in that time? */
static bool writes_out(worksheet *w, const formalism *f)
{
    const char *why = NULL, *instead = NULL;
    ah_equations *eq = derive_equations(w->model, f, NULL, &why, &instead);
    question q = {.eq = eq};
    if (!eq) return false;
    if (eq->written_out != AH_UNKNOWN) return eq->written_out == AH_TRUE;
    algebra_set_bounds(eq->mech->alg, WORKSHEET_OTHERS_SECONDS, WORKSHEET_TERMS);
    const ah_status status = ctx_try(w->ctx, write_out, &q);
    if (status != AH_OK && status != AH_E_LIMIT) ctx_raise(w->ctx, status);
    if (ctx_time_left(w->ctx) > 0) eq->written_out = q.all ? AH_TRUE : AH_FALSE;
    return q.all;
}

/* The rows that are left unsolved, with the names that they are written in. */
static double unsolved_length(const worksheet *w)
{
    double sum = 0;
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *s = &w->step.at[i];
        if (s->kind != STEP_EQUATIONS || s->solved) continue;
        sum += total_length(w->ctx, s->left.shown) + total_length(w->ctx, s->q.value.shown);
        for (uint32_t k = 0; k < s->givens; k++)
            sum += worksheet_length(w->ctx, w->names.at[s->given[k]].meaning);
    }
    return sum;
}

/* Methods that write long equations in fewer words, and how much fewer make them worth a remark. */
#define WORKSHEET_SHORTER 0.75
/* Equations of more coordinates fill pages by every method: the others are not tried. */
#define WORKSHEET_BRIEF_COORDINATES 24
static const char *const brief[] = {"kane", "gibbs-appell"};

static double rows_length(const worksheet *w)
{
    double sum = 0;
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *s = &w->step.at[i];
        if (s->kind != STEP_EQUATIONS && s->kind != STEP_IMPLICIT) continue;
        sum += total_length(w->ctx, s->q.value.shown);
        if (s->left.known) sum += total_length(w->ctx, s->left.shown);
    }
    for (size_t i = 0; i < w->names.count; i++)
        sum += worksheet_length(w->ctx, w->names.at[i].meaning);
    return sum;
}

static worksheet *make(ah_equations *eq, worksheet_part part);

/* Result and steps of a method ask how long others are, and so do those of the next method. */
static void measure(ah_equations *eq)
{
    if (eq->length.known) return;
    const worksheet *w = make(eq, WORKSHEET_RESULT);
    eq->length.rows = rows_length(w);
    eq->length.unsolved = unsolved_length(w);
    eq->length.known = true;
}

static const formalism *shorter_method(worksheet *w, double length)
{
    const formalism *best = NULL;
    double least = WORKSHEET_SHORTER * length;
    if (w->eq->mech->n > WORKSHEET_BRIEF_COORDINATES) return NULL;
    for (size_t i = 0; i < sizeof brief / sizeof *brief; i++) {
        const char *why, *instead;
        const formalism *f = derive_find(brief[i]);
        if (f == w->eq->formalism) return NULL; /* it is one of them */
        ah_equations *eq = derive_equations(w->model, f, NULL, &why, &instead);
        if (!eq) continue;
        measure(eq);
        if (eq->length.unsolved > 0 && eq->length.unsolved < least)
            least = eq->length.unsolved, best = f;
    }
    return best;
}

static void say(worksheet *w, const char *sentence)
{
    LIST_PUSH(w->arena, &w->step, ((ws_step){.kind = STEP_TEXT, .text = sentence}));
}

/* Solved equations of so many characters are compared with Kane's, and with what they are the solution of. */
#define WORKSHEET_LONG_SOLUTION 800.0
#define WORKSHEET_UNSOLVED      0.5

static bool is_shorter(worksheet *w, const char *method, double length)
{
    const char *why, *instead;
    ah_equations *eq = derive_equations(w->model, derive_find(method), NULL, &why, &instead);
    if (!eq) return false;
    measure(eq);
    return eq->length.rows > 0 && eq->length.rows < length;
}

/* Kane's equations have fewer unknowns. The linear system for the accelerations, M q'' = … of a robot, may say in lines what its
 * solution says in pages. */
static void point_from_solution(worksheet *w)
{
    const char *own = w->eq->formalism->name;
    const double length = rows_length(w);
    if (length < WORKSHEET_LONG_SOLUTION || !strcmp(own, "maggi")) return;
    if (strcmp(own, "kane") != 0 && is_shorter(w, "kane", WORKSHEET_SHORTER * length))
        w->shorter = derive_find("kane");
    else if (is_shorter(w, "maggi", WORKSHEET_UNSOLVED * length))
        say(w, "Before they are solved for the accelerations they are shorter: the method `maggi` "
               "has them so.");
}

/* Where these equations are not solved, and another method has them solved, or shorter, that is said. */
static void point_elsewhere(worksheet *w)
{
    bool unsolved = false, in_parts = false;
    if (w->eq->mech->tree) return; /* all others have the whole mass matrix */
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *s = &w->step.at[i];
        if (s->kind != STEP_EQUATIONS || s->solved) continue;
        unsolved = true;
        in_parts = in_parts || s->in_parts;
    }
    for (size_t i = 0; unsolved && i < sizeof others / sizeof *others; i++) {
        const formalism *f = derive_find(others[i]);
        if (!f || f == w->eq->formalism || !writes_out(w, f)) continue;
        say(w, arena_printf(w->arena, "The method `%s` has them solved.", others[i]));
        return;
    }
    if (!unsolved)
        point_from_solution(w);
    else if (in_parts)
        w->shorter = shorter_method(w, unsolved_length(w));
    if (w->shorter)
        say(w,
            arena_printf(w->arena, "A shorter form is that of the method `%s`.", w->shorter->name));
}

/* Result and steps of a method, without and with the model's names, ask for the same quantities. What was found on the way to a page
 * that did not come to its end may be short of time, and is not used. */
static work *take_worked(ah_equations *eq)
{
    work *worked = eq->worked ? eq->worked : worksheet_work(copy_of(eq->mech->arena, eq));
    eq->worked = NULL;
    return worked;
}

static worksheet *make_page(ah_equations *eq, worksheet_part part, bool lets, double longest_row)
{
    mechanics *k = eq->mech;
    work *worked = take_worked(eq);
    worksheet *w = NEW(k->arena, worksheet);
    w->ctx = k->ctx;
    w->arena = k->arena;
    w->model = k->model;
    w->eq = copy_of(k->arena, eq);
    w->steps = part == WORKSHEET_STEPS;
    w->work = worked;
    w->holder = page_holder(w->eq);
    w->longest_row = longest_row;
    ctx_held held; /* the algebra is given its own bounds back, whatever happens */
    ctx_hold(w->ctx, &held, restore_bounds, w->model);
    if (WORKSHEET_TERMS < w->ctx->limits.terms)
        algebra_set_bounds(k->alg, ALGEBRA_SECONDS, WORKSHEET_TERMS);
    if (lets) worksheet_keep_lets(w);
    for (size_t i = 0; i < eq->sheet->steps.count; i++) {
        const sheet_step *from = &eq->sheet->steps.at[i];
        const bool none =
            from->kind == STEP_EQUATIONS && !from->unknowns.rows; /* nothing is free */
        if (belongs(from, part) && !none) add_step(w, from);
    }
    drop_heading(w);
    worksheet_use_constraints(w);
    worksheet_find_names(w);
    for (size_t i = 0; i < w->step.count; i++) tidy_sign(w, &w->step.at[i].q.value);
    lower_rows(w);
    worksheet_release(w);
    ctx_drop(w->ctx, &held);
    eq->worked = worked;
    return w;
}

/* A long page once more with the model's own names kept, and one in parts with its rows written out, where that is shorter. */
static worksheet *make(ah_equations *eq, worksheet_part part)
{
    worksheet *w = make_page(eq, part, false, WORKSHEET_LONG_ROW);
    if (w->model->lets.count && worksheet_is_long(w)) {
        worksheet *kept = make_page(eq, part, true, WORKSHEET_LONG_ROW);
        if (kept->kept && worksheet_is_better(kept, w)) w = kept;
    }
    if (!w->nearly) return w;
    worksheet *whole = make_page(eq, part, w->kept != NULL, WORKSHEET_LONGEST_ROW);
    return rows_length(whole) < rows_length(w) ? whole : w;
}

worksheet *worksheet_make(ah_equations *eq, worksheet_part part)
{
    worksheet *w = make(eq, part);
    ctx_held held; /* others change the bounds, too */
    ctx_hold(w->ctx, &held, restore_bounds, w->model);
    point_elsewhere(w);
    ctx_drop(w->ctx, &held);
    if (worksheet_mark_letters(w))
        say(w, "Bold letters are those of the method: the model uses the same ones for something "
               "else.");
    return w;
}

worksheet *worksheet_make_usual(ah_equations *eq, worksheet_part part)
{
    worksheet *w = worksheet_make(eq, part);
    const char *why, *instead;
    ah_equations *brief_eq =
        w->shorter ? derive_equations(w->model, w->shorter, &eq->options, &why, &instead) : NULL;
    if (!brief_eq) return w;
    worksheet *shorter = worksheet_make(brief_eq, part);
    say(shorter, arena_printf(w->arena,
                              "This is the shorter form; the usual one is that of the method `%s`.",
                              eq->formalism->name));
    return shorter;
}

/* ---- What the writers share ------------------------------------------------------------------ */

const char *worksheet_print(const worksheet *w, ah_expr e, ah_format format)
{
    expr_style style = expr_style_defaults(format);
    text t = text_begin(w->arena);
    style.dots = style.greek = true;
    expr_print(w->ctx, &t, e, &style);
    return text_end(&t);
}

mat worksheet_speeds(const worksheet *w)
{
    const ah_equations *eq = w->eq;
    const chart *c = &eq->mech->chart;
    if (eq->speeds.rows) return eq->speeds;
    return eq->substitutions && c->kind == CHART_GIVEN ? c->z : eq->mech->v;
}

uint32_t worksheet_rows(const ws_step *step)
{
    return step->left.known ? step->left.shown.rows : step->unknowns.rows;
}

ah_expr worksheet_left(const worksheet *w, const ws_step *step, uint32_t i)
{
    return mat_get(w->ctx, step->left.known ? step->left.shown : step->unknowns, i, 0);
}

ah_expr worksheet_entry(const worksheet *w, const ws_value *v, uint32_t i, uint32_t j)
{
    const ah_expr e = mat_get(w->ctx, v->shown, i, j);
    return v->factor == AH_NONE ? e : expr_mul(w->ctx, v->factor, e);
}

const char *worksheet_row_label(const worksheet *w, const ws_value *v, uint32_t i)
{
    const uint32_t count = v->shown.rows;
    if (v->belongs.rows == count)
        return worksheet_print(w, mat_get(w->ctx, v->belongs, i, 0), AH_LATEX);
    if (count == w->model->n) return worksheet_print(w, w->model->q.at[i], AH_LATEX);
    if (count == w->eq->speeds.rows)
        return worksheet_print(w, mat_get(w->ctx, w->eq->speeds, i, 0), AH_LATEX);
    if (count == w->model->constraints.count)
        return arena_printf(w->arena, "\\text{%s}", w->model->constraints.at[i].label);
    return arena_printf(w->arena, "%u", i + 1);
}
