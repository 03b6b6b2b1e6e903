/* tests/t_derive.c - what is printed of a derivation: it is well-formed in every format, fits the
 * page, and says in numbers what the sheet computes.
 *
 * Two routes: the displayed expressions, worked out by the algebra, are evaluated at states; the
 * same quantities come from the sheet run in doubles by factorisations. */
#include "harness.h"
#include "written.h"
#include "lang/lang.h"
#include "json_read.h"

#include "state/eval.h"
#include "typeset/tex.h"
#include "typeset/writers.h"

#include <anholo/anholo.h>
#include <ctype.h>
#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Of the largest entry: what cancellation in the displayed forms may cost at an ordinary state. */
static const double agreement = 1e-8;
enum { STATES = 2 };
/* Of the methods of a model one in so many, in turn; with AH_ALL set in the environment all of them. */
static size_t share(void)
{
    return (size_t) harness_amount(10, 5, 5);
}

typedef struct bench {
    const char *name;
    ah_ctx *ctx;
    ah_model *model;
    const json_tree *states; /* NULL: random ones */
    FILE *latex, *mathml;    /* everything is collected there */
    size_t files, worksheets, equations, rows, entries, names;
} bench;

static void complain(const bench *b, const worksheet *w, const char *what)
{
    printf("# %s, %s: %s\n", b->name, w->eq->formalism->name, what);
}

/* ---- Form ------------------------------------------------------------------------------------ */

static void check_text(const bench *b, const worksheet *w, const char *s)
{
    while (*s) {
        const size_t n = strcspn(s, "\n");
        char *line = strndup(s, n);
        if (!CHECK(tex_columns(line) <= 100)) complain(b, w, line);
        if (!CHECK(!n || line[n - 1] != ' ')) complain(b, w, line);
        free(line);
        s += n + (s[n] == '\n');
    }
}

/* Braces, \begin and \end, \left and \right: each closed where it was opened, and \left within one
 * cell of an alignment. */
static const char *latex_mistake(const char *s)
{
    enum { MOST = 100 };
    struct {
        const char *name;
        size_t length;
        int left;
    } open[MOST] = {{"", 0, 0}};
    int depth = 0, braces = 0;
    for (; *s; s++) {
        if (*s == '{') braces++;
        if (*s == '}' && --braces < 0) return "a brace too many";
        const bool cell = *s == '&' || !strncmp(s, "\\\\", 2);
        if (cell && open[depth].left && !braces) return "\\left without \\right in a cell";
        if (*s != '\\') continue;
        if (!strncmp(s, "\\left", 5) && !isalpha((unsigned char) s[5])) open[depth].left++;
        if (!strncmp(s, "\\right", 6) && !isalpha((unsigned char) s[6]) && --open[depth].left < 0)
            return "\\right without \\left";
        if (!strncmp(s, "\\begin{", 7)) {
            if (++depth == MOST) return "too deep";
            open[depth].name = s + 7;
            open[depth].length = strcspn(s + 7, "}");
            open[depth].left = 0;
        }
        if (!strncmp(s, "\\end{", 5)) {
            const size_t length = strcspn(s + 5, "}");
            if (!depth || open[depth].left) return "\\end where nothing can end";
            if (length != open[depth].length || strncmp(s + 5, open[depth].name, length))
                return "\\end of another environment";
            depth--;
        }
        if (s[1] == '\\' || s[1] == '{' || s[1] == '}' || s[1] == '&') s++;
    }
    return braces || depth ? "something is left open" : NULL;
}

static void check_latex(bench *b, const worksheet *w, const char *s)
{
    const char *wrong = latex_mistake(s);
    if (!CHECK(!wrong)) complain(b, w, wrong);
    const char *begin = strstr(s, "\\begin{center}"), *end = strstr(s, "\\end{document}");
    if (CHECK(begin && end)) fprintf(b->latex, "%.*s\\clearpage\n", (int) (end - begin), begin);
}

TEST(the_checker_of_latex_can_fail)
{
    CHECK(!latex_mistake(
        "\\begin{align*} a &= \\left(b\\right. \\\\ &\\left.c\\right) \\end{align*}"));
    CHECK(latex_mistake("\\frac{a}{b"));
    CHECK(latex_mistake("a}"));
    CHECK(latex_mistake("\\begin{align*} a \\end{bmatrix}"));
    CHECK(latex_mistake("\\begin{align*} \\left(a &= b\\right) \\end{align*}"));
    CHECK(latex_mistake("\\begin{align*} a \\right) \\end{align*}"));
    CHECK(latex_mistake("\\begin{align*}"));
}

/* ---- Numbers --------------------------------------------------------------------------------- */

static double largest(const double *x, size_t n)
{
    double size = 0;
    for (size_t i = 0; i < n; i++) size = fmax(size, fabs(x[i]));
    return size;
}

static void compare(const bench *b, const worksheet *w, const char *what, double got, double want,
                    double scale)
{
    char why[300];
    snprintf(why, sizeof why, "%s, %s: %s", b->name, w->eq->formalism->name, what ? what : "?");
    CHECK_NEAR(got, want, fmax(scale, 1e-3), agreement * 0x1p52, why);
}

static double value_of(const worksheet *w, ah_expr e, const frame *values)
{
    double x;
    expr_plan_run(expr_plan_create(w->ctx, w->arena, &e, 1), values, &x);
    return x;
}

/* The names of the worksheet get the values of their meanings, which may use names before them. */
static void put_names(const worksheet *w, frame *values)
{
    for (size_t i = 0; i < w->names.count; i++) {
        const ws_name *name = &w->names.at[i];
        const double x = value_of(w, name->meaning, values);
        frame_set(values, name->symbol, name->stands == name->symbol ? x : sqrt(x));
    }
}

/* Exact and shown values against the sheet's. */
static void check_value(bench *b, const worksheet *w, const ws_quantity *q, const double *want,
                        const frame *values)
{
    const ws_value *v = &q->value;
    const uint32_t cols = v->exact.cols;
    const double scale = largest(want, (size_t) v->exact.rows * cols);
    const double factor = v->factor == AH_NONE ? 1 : value_of(w, v->factor, values);
    for (uint32_t i = 0; i < v->exact.rows; i++)
        for (uint32_t j = 0; j < cols; j++) {
            const double x = want[(size_t) i * cols + j];
            compare(b, w, q->name, value_of(w, mat_get(w->ctx, v->exact, i, j), values), x, scale);
            compare(b, w, q->name, factor * value_of(w, mat_get(w->ctx, v->shown, i, j), values), x,
                    scale);
            b->entries++;
        }
}

/* The displayed chart is the symbolic one; at a state where the pivots were exchanged the numbers
 * belong to another chart. */
static bool same_charts(const worksheet *w, const runner *run, const bool *needed)
{
    const sheet *s = w->eq->sheet;
    for (quantity x = 0; x < s->nodes.count; x++) {
        const sheet_node *node = sheet_get(s, x);
        const bool local =
            node->op == SHEET_CHART || node->op == SHEET_DRIFT || node->op == SHEET_INDEPENDENT;
        if (!local || !needed[x] || !node->index) continue;
        if (memcmp(run_independent(run, x), node->index, node->indices * sizeof(uint32_t)))
            return false;
    }
    return true;
}

static bool *needed_by(const worksheet *w, const quantity *wanted, size_t count)
{
    const sheet *s = w->eq->sheet;
    bool *needed = NEW_ARRAY(w->arena, bool, s->nodes.count + 1);
    for (size_t i = 0; i < count; i++) needed[wanted[i]] = true;
    for (size_t x = s->nodes.count; x-- > 0;)
        for (int k = 0; needed[x] && s->nodes.at[x].op != SHEET_LEAF && k < 4; k++)
            if (s->nodes.at[x].in[k] != QUANTITY_NONE) needed[s->nodes.at[x].in[k]] = true;
    return needed;
}

/* Is anything with an arbitrary basis on the way to x? */
static bool is_determined(const worksheet *w, quantity x)
{
    const bool *needed = needed_by(w, &x, 1);
    for (quantity y = 0; y <= x; y++)
        if (needed[y] && sheet_get(w->eq->sheet, y)->op == SHEET_ANNIHILATOR) return false;
    return true;
}

static void check_values(bench *b, const worksheet *w, point *p)
{
    LIST(quantity) wanted = {0};
    LIST(const ws_quantity *) shown = {0};
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_quantity *q = &w->step.at[i].q;
        const sheet_step_kind kind = w->step.at[i].kind;
        const bool has = kind == STEP_QUANTITY || (kind == STEP_EQUATIONS && w->step.at[i].solved);
        if (!has || !q->value.known || !is_determined(w, q->id)) continue;
        LIST_PUSH(w->arena, &wanted, q->id);
        LIST_PUSH(w->arena, &shown, q);
    }
    runner *run = run_create(b->ctx, w->arena, w->eq->sheet, wanted.at, wanted.count);
    run_failure failure;
    if (!run_at(run, p->values, &failure)) return;
    if (!same_charts(w, run, needed_by(w, wanted.at, wanted.count))) return;
    for (size_t i = 0; i < shown.count; i++)
        check_value(b, w, shown.at[i], run_get(run, wanted.at[i]), p->values);
}

/* Everything that occurs on the page and is not part of a state: accelerations, derivatives of
 * speeds; quasi-velocities that vanish on the constraints. */
static void put_rest(const worksheet *w, const eval_result *r, point *p)
{
    const ah_model *m = p->model;
    const ah_equations *eq = w->eq;
    for (uint32_t i = 0; i < m->n; i++) point_set(p, m->a.at[i], r->qddot[i]);
    for (uint32_t i = 0; i < r->speeds; i++) {
        point_set(p, mat_get(p->ctx, eq->speeds_dot_symbols, i, 0), r->speed_dot[i]);
        if (eq->speeds_definition.rows)
            point_set(p, mat_get(p->ctx, eq->speeds, i, 0), r->speed[i]);
    }
    for (size_t i = 0; i < w->step.count; i++) {
        const mat value = w->step.at[i].q.value.exact;
        const expr_list s = expr_symbols(p->ctx, w->arena, value.val, mat_entries(value));
        for (size_t k = 0; k < s.count; k++)
            if (expr_get_kind(p->ctx, s.at[k]) == AH_SPEED && isnan(point_get(p, s.at[k])))
                point_set(p, s.at[k], 0);
    }
}

/* The value that an unknown has at the state: from the method's own answer. */
static double unknown_value(const eval_result *r, const point *p, ah_expr unknown)
{
    const ah_model *m = p->model;
    for (uint32_t i = 0; i < m->n; i++) {
        if (unknown == m->a.at[i]) return r->qddot[i];
        if (unknown == m->v.at[i]) return point_get(p, unknown);
    }
    const mat dots = r->eq->speeds_dot_symbols;
    for (uint32_t i = 0; r->speeds && i < dots.rows; i++)
        if (unknown == mat_get(p->ctx, dots, i, 0)) return r->speed_dot[i];
    return NAN;
}

/* Names that the derivation made, such as those of quasi-velocities nobody declared, are not in the
 * language of the model. */
static bool in_language(const bench *b, ah_expr e)
{
    const expr_list s = expr_symbols(b->ctx, &b->ctx->job, &e, 1);
    for (size_t i = 0; i < s.count; i++)
        if (expr_get_kind(b->ctx, s.at[i]) != AH_TIME &&
            !model_find(b->model, expr_get_name(b->ctx, s.at[i])))
            return false;
    return true;
}

static void check_equation(bench *b, const worksheet *w, const json_tree *e, const eval_result *r,
                           point *p)
{
    ah_expr unknown, right;
    const char *left = json_tree_get(e, "unknown")->text, *ascii = json_tree_get(e, "ascii")->text;
    if (!CHECK(ah_read_expression(b->model, "test", left, &unknown) == AH_OK) ||
        !CHECK(ah_read_expression(b->model, "test", ascii, &right) == AH_OK)) {
        complain(b, w, ah_diagnostics_text(b->ctx, false));
        ah_ctx_reset_status(b->ctx);
        return;
    }
    const double want = unknown_value(r, p, unknown);
    if (isnan(want)) return;
    compare(b, w, left, point_eval(p, right), want, largest(r->qddot, b->model->n));
    b->equations++;
}

static bool has_kind(const bench *b, ah_expr e, ah_symbol_kind kind)
{
    return expr_depends_kind(b->ctx, e, kind);
}

/* Rates of what is no speed of the method: the momenta of Hamel's equations as he writes them. */
static bool has_other_rates(const bench *b, const worksheet *w, ah_expr e)
{
    const expr_list s = expr_symbols(b->ctx, w->arena, &e, 1);
    const mat own = w->eq->speeds_dot_symbols;
    for (size_t i = 0; i < s.count; i++) {
        bool found = expr_get_kind(b->ctx, s.at[i]) != AH_SPEED_DOT;
        for (uint32_t k = 0; k < own.rows; k++)
            found = found || s.at[i] == mat_get(b->ctx, own, k, 0);
        if (!found) return true;
    }
    return false;
}

/* Rows that are not solved: left = right at the state, where no multipliers occur. Returns the first equation of the
 * answer after them. */
static const json_tree *check_rows(bench *b, const worksheet *w, const ws_step *step,
                                   const json_tree *e, const eval_result *r, const point *p)
{
    for (uint32_t k = 0; k < worksheet_rows(step) && CHECK(e != NULL); k++, e = e->next) {
        const ah_expr left = worksheet_left(w, step, k);
        const ah_expr right = worksheet_entry(w, &step->q.value, k, 0);
        if (has_kind(b, left, AH_MULTIPLIER) || has_kind(b, right, AH_MULTIPLIER) ||
            has_other_rates(b, w, left))
            continue;
        const double x = value_of(w, left, p->values), y = value_of(w, right, p->values);
        if (isfinite(x))
            compare(b, w, "a row", x, y, fmax(fabs(y), largest(r->qddot, b->model->n)));
        b->rows++;
    }
    return e;
}

/* The equations as a machine reads them. */
static void check_equations(bench *b, const worksheet *w, const json_tree *answer,
                            const eval_result *r, point *p)
{
    const json_tree *list = json_tree_get(answer, "equations");
    const json_tree *e = list ? list->first : NULL;
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *step = &w->step.at[i];
        const bool rows = step->kind == STEP_EQUATIONS || step->kind == STEP_IMPLICIT;
        if (rows && !step->solved) e = check_rows(b, w, step, e, r, p);
        if (!rows || !step->solved) continue;
        for (uint32_t k = 0; k < step->unknowns.rows && CHECK(e != NULL); k++, e = e->next)
            if (in_language(b, mat_get(b->ctx, step->unknowns, k, 0)) &&
                in_language(b, mat_get(b->ctx, step->q.value.exact, k, 0)))
                check_equation(b, w, e, r, p);
    }
    CHECK(!e);
}

/* A local chart may have exchanged its independent velocities at the state: the numbers then belong
 * to other equations than the displayed ones. */
static bool exchanged(const worksheet *w, const eval_result *r)
{
    const chart *c = &w->eq->mech->chart;
    return w->eq->chart_used != QUANTITY_NONE && c->independent &&
           memcmp(run_independent(r->runner, w->eq->chart_used), c->independent,
                  c->m * sizeof(uint32_t));
}

static void check_state(bench *b, const worksheet *w, const json_tree *answer, point *p)
{
    const eval_method method = eval_prepare(b->model, w->eq->formalism, NULL, w->arena);
    const eval_result r = eval_at(&method, p);
    if (r.refused || r.branches || exchanged(w, &r)) return;
    put_rest(w, &r, p);
    put_names(w, p->values);
    check_values(b, w, p);
    check_equations(b, w, answer, &r, p);
}

/* ---- A model --------------------------------------------------------------------------------- */

static void put_numbers(point *p, const ah_expr *symbol, size_t count, const json_tree *numbers)
{
    for (size_t i = 0; i < count; i++)
        point_set(p, symbol[i], json_tree_number(json_tree_at(numbers, i)));
}

static bool put_state(bench *b, size_t i, states *random, states_rng *rng, point *p)
{
    const ah_model *m = b->model;
    if (!b->states) return point_at_random(b->model, random, rng, &b->ctx->job, p);
    const json_tree *state = json_tree_at(b->states, i), *z = json_tree_get(state, "z");
    if (!state || !point_create(b->model, &b->ctx->job, p)) return false;
    point_set(p, expr_time(p->ctx), json_tree_number(json_tree_get(state, "t")));
    put_numbers(p, m->q.at, m->n, json_tree_get(state, "q"));
    put_numbers(p, m->v.at, m->n, json_tree_get(state, "qdot"));
    for (size_t k = 0; z && k < m->speeds.count; k++)
        point_set(p, m->speeds.at[k].symbol, json_tree_number(json_tree_at(z, k)));
    return point_find_speeds(p);
}

/* What is not written out says what it is: by a formula, a name that is one, or a remark. */
static void check_meanings(const bench *b, const worksheet *w)
{
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *s = &w->step.at[i];
        const bool said = s->q.formula || s->text || (s->q.name && strpbrk(s->q.name, "/-( "));
        if (s->kind == STEP_QUANTITY && !s->q.value.known && !CHECK(said))
            complain(b, w, s->q.name ? s->q.name : "a quantity without a name");
        if (s->kind == STEP_EQUATIONS && !CHECK(worksheet_rows(s) > 0))
            complain(b, w, "equations without rows");
    }
}

/* ---- Squares of sines and cosines -------------------------------------------------------------- */

/* A term that has sin²a or cos²a as a factor, and the value of what stands beside it. */
typedef struct squared {
    ah_expr angle;
    bool sine;
    double beside;
} squared;

/* The squares among the factors of a term, at values of all letters that are not special. */
static size_t squares_of(const worksheet *w, ah_expr term, const frame *values, squared *out,
                         size_t most)
{
    const ah_ctx *ctx = w->ctx;
    const bool product = expr_get_op(ctx, term) == EXPR_PRODUCT;
    const size_t count = product ? expr_get_count(ctx, term) : 1;
    size_t found = 0;
    for (size_t i = 0; i < count && found < most; i++) {
        const ah_expr factor = product ? expr_get_children(ctx, term)[i] : term;
        long power;
        if (expr_get_op(ctx, factor) != EXPR_POWER) continue;
        const ah_expr *child = expr_get_children(ctx, factor);
        if (expr_get_op(ctx, child[0]) != EXPR_CALL || !expr_is_int(ctx, child[1], &power))
            continue;
        const ah_function f = expr_get_function(ctx, child[0]);
        if (power != 2 || (f != AH_SIN && f != AH_COS)) continue;
        const double x = value_of(w, term, values) / value_of(w, factor, values);
        out[found++] = (squared){expr_get_children(ctx, child[0])[0], f == AH_SIN, x};
    }
    return found;
}

static bool are_same(double a, double b)
{
    return fabs(a - b) <= 1e-12 * (fabs(a) + fabs(b));
}

/* x sin²a + x cos²a, or x − x sin²a where x is short: what nobody would leave standing. */
static const char *square_mistake(const worksheet *w, ah_expr sum, const frame *values)
{
    enum { MOST = 200, SHORT = 12 };
    squared all[MOST];
    size_t count = 0;
    for (size_t i = 0; i < expr_get_count(w->ctx, sum) && count < MOST; i++)
        count +=
            squares_of(w, expr_get_children(w->ctx, sum)[i], values, all + count, MOST - count);
    for (size_t i = 0; i < count; i++) {
        for (size_t k = 0; k < i; k++)
            if (all[i].angle == all[k].angle && all[i].sine != all[k].sine &&
                are_same(all[i].beside, all[k].beside))
                return "sin² + cos²";
        for (size_t k = 0; k < expr_get_count(w->ctx, sum); k++) {
            const ah_expr term = expr_get_children(w->ctx, sum)[k];
            if (are_same(-all[i].beside, value_of(w, term, values)) &&
                worksheet_length(w->ctx, term) < SHORT && expr_get_count(w->ctx, sum) == 2)
                return "1 - sin² or 1 - cos²";
        }
    }
    return NULL;
}

static void check_squares_in(const bench *b, const worksheet *w, const ah_expr *e, size_t count)
{
    const expr_list node = expr_reachable(w->ctx, w->arena, e, count);
    frame *values = frame_create(w->ctx, w->arena, NAN);
    for (uint32_t i = 0; i < values->count; i++) values->at[i] = 0.3 + 1.1 * fmod(i * 0.618034, 1);
    for (size_t i = 0; i < node.count; i++) {
        if (expr_get_op(w->ctx, node.at[i]) != EXPR_SUM) continue;
        const char *wrong = square_mistake(w, node.at[i], values);
        if (CHECK(!wrong)) continue;
        complain(b, w, wrong);
        complain(b, w, worksheet_print(w, node.at[i], AH_TEXT));
    }
}

/* In everything that is displayed. */
static void check_squares(const bench *b, const worksheet *w)
{
    for (size_t i = 0; i < w->names.count; i++) check_squares_in(b, w, &w->names.at[i].meaning, 1);
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *s = &w->step.at[i];
        if (s->q.value.known)
            check_squares_in(b, w, s->q.value.shown.val, mat_entries(s->q.value.shown));
        if (s->left.known) check_squares_in(b, w, s->left.shown.val, mat_entries(s->left.shown));
    }
}

static void check_worksheet(bench *b, ah_equations *eq, states *random, states_rng *rng)
{
    const worksheet *w = worksheet_make(eq, WORKSHEET_STEPS);
    check_squares(b, w);
    check_text(b, w, worksheet_text(w));
    check_meanings(b, w);
    check_latex(b, w, worksheet_latex(w));
    fputs(worksheet_mathml(w), b->mathml);
    json_tree *answer = json_tree_parse(worksheet_json(w));
    b->worksheets++;
    b->names += w->names.count;
    for (size_t i = 0; CHECK(answer) && i < STATES; i++) {
        point p;
        if (put_state(b, i, random, rng, &p)) check_state(b, w, answer, &p);
    }
    json_tree_free(answer);
}

static void check_model(ah_ctx *ctx, void *arg)
{
    bench *b = arg;
    states *random = b->states ? NULL : analyse_states_create(b->model, &ctx->job);
    states_rng rng = probe_seed(harness_random());
    const bool all = getenv("AH_ALL") != NULL;
    for (size_t i = 0; derive_formalisms[i]; i++) {
        const formalism *f = derive_formalisms[i];
        const char *why, *instead;
        if (!all && (b->files + i) % share()) continue;
        ah_equations *eq = derive_equations(b->model, f, NULL, &why, &instead);
        if (eq) check_worksheet(b, eq, random, &rng);
    }
    b->files++;
}

static void check_file(bench *b, const char *folder, const char *file)
{
    char path[2000];
    size_t length;
    const char *end = strrchr(file, '.');
    if (!end || strcmp(end, ".ah")) return;
    snprintf(path, sizeof path, "%s/%.*s.json", folder, (int) (end - file), file);
    json_tree *reference = json_tree_read(path);
    b->states = json_tree_get(reference, "states");
    snprintf(path, sizeof path, "%s/%s", folder, file);
    char *content = harness_read_file(path, &length);
    b->name = file;
    if (content && harness_is_machine(content) && !getenv("AH_ALL")) {
        free(content);
        json_tree_free(reference);
        return;
    }
    b->ctx = ah_ctx_create(NULL);
    if (!CHECK(content && lang_read(b->ctx, path, content, length, NULL, &b->model) == AH_OK) ||
        !CHECK(ctx_guard(b->ctx, check_model, b) == AH_OK))
        printf("# %s: %s\n", file, ah_diagnostics_text(b->ctx, false));
    ah_ctx_destroy(b->ctx);
    free(content);
    json_tree_free(reference);
}

static void check_folder(bench *b, const char *name)
{
    char folder[1000];
    struct dirent **files;
    snprintf(folder, sizeof folder, "%s/%s", harness_source_dir(), name);
    const int count = scandir(folder, &files, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        check_file(b, folder, files[i]->d_name);
        free(files[i]);
    }
    if (count >= 0) free(files);
}

/* ---- Other people's parsers ------------------------------------------------------------------ */

static bool is_installed(const char *program)
{
    char command[200];
    snprintf(command, sizeof command, "command -v %s >/dev/null 2>&1", program);
    return system(command) == 0;
}

static void run_python(const char *folder)
{
    char command[1000];
    if (!is_installed("python3")) {
        puts("# python3 is missing: MathML was not parsed");
        return;
    }
    snprintf(command, sizeof command,
             "python3 -c 'import sys, xml.etree.ElementTree as e; "
             "n = len(e.parse(sys.argv[1]).getroot()); sys.exit(n == 0)' %s/all.xml",
             folder);
    CHECK_INT(system(command), 0);
}

static void run_latex(const char *folder)
{
    char command[1000];
    if (!is_installed("pdflatex")) {
        puts("# pdflatex is missing: LaTeX was checked for brackets and environments only");
        return;
    }
    snprintf(command, sizeof command,
             "cd %s && pdflatex -interaction=nonstopmode -halt-on-error all.tex >log.txt 2>&1",
             folder);
    CHECK_INT(system(command), 0);
    snprintf(command, sizeof command,
             "awk -F'[(]|pt too wide' '/^Overfull .hbox/ && $2 > 10 {print \"# \" $0; n++} END "
             "{exit n > 0}' "
             "%s/log.txt",
             folder);
    CHECK_INT(system(command), 0);
}

/* The head of a real document before everything that was collected. */
static void begin_latex(FILE *f)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m;
    const char *least = "coordinate x\nkinetic x'^2\n", *out = NULL;
    ah_answer *a = NULL;
    if (CHECK(lang_read(ctx, "head", least, strlen(least), NULL, &m) == AH_OK) &&
        CHECK(written(ah_derive(m, NULL, &a), &a, AH_LATEX, &out) == AH_OK))
        fprintf(f, "%.*s", (int) (strstr(out, "\\begin{center}") - out), out);
    ah_ctx_destroy(ctx);
}

TEST(worksheets_of_all_models)
{
    char folder[500], path[600], command[600];
    const char *build = getenv("AH_BUILD_DIR");
    snprintf(folder, sizeof folder, "%s/t_derive-XXXXXX", build ? build : "/tmp");
    REQUIRE(mkdtemp(folder) != NULL);
    bench b = {0};
    snprintf(path, sizeof path, "%s/all.tex", folder);
    REQUIRE((b.latex = fopen(path, "w")) != NULL);
    snprintf(path, sizeof path, "%s/all.xml", folder);
    REQUIRE((b.mathml = fopen(path, "w")) != NULL);
    begin_latex(b.latex);
    fputs("<body>\n", b.mathml);
    check_folder(&b, "tests/reference");
    check_folder(&b, "models");
    check_folder(&b, "tests/redundant");
    fputs("</body>\n", b.mathml);
    fputs("\\end{document}\n", b.latex);
    fclose(b.latex);
    fclose(b.mathml);
    run_python(folder);
    run_latex(folder);
    printf("# %zu worksheets, %zu equations, %zu rows and %zu entries compared, %zu names\n",
           b.worksheets, b.equations, b.rows, b.entries, b.names);
    const size_t part = 2 / (size_t) harness_amount(1, 2, 2); /* of what .ci/run has */
    CHECK(b.worksheets * part > 150 && b.equations * part > 1000 && b.entries * part > 5000);
    CHECK(b.names * part > 100 && b.rows * part > 100);
    snprintf(command, sizeof command, "rm -r %s", folder);
    CHECK_INT(system(command), 0);
}
