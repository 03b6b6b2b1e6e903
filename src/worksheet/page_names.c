/* worksheet/page_names.c - names for what is long and comes again.
 *
 * An author writes Δ for a determinant that stands under every fraction and says once what it is.
 * Which sub-expressions deserve that is a matter of counting characters: a sum of length l that
 * stands c times on the page costs c·l, with a name 2c + l and a line of explanation. A sum of
 * squares of velocities is given the square of a speed, v₁² = ẋ₁² + ẏ₁², as everybody does; what is
 * an entry of a quantity shown before is called by its name, λ₁. */
#include "page.h"

#include <stdlib.h>
#include <string.h>

#define NAMES_MOST 6
/* Characters that a name must save, in all and as a share of the page: readers must look it up. */
#define NAMES_WORTH       20.0
#define NAMES_WORTH_SHARE 0.02
#define NAMES_WORTH_SPEED 10.0
/* Denominators that are longer get a name though they stand only once. */
#define NAMES_DENOMINATOR 50.0
/* The explanation besides the expression itself: "where Δ = ". */
#define NAMES_EXPLAINING 10.0

/* ---- Choosing -------------------------------------------------------------------------------- */

/* A sum of squares of two or three velocities. */
bool page_is_speed(const ah_ctx *ctx, ah_expr e)
{
    const size_t count = expr_get_count(ctx, e);
    long two;
    if (count > 3) return false;
    for (size_t i = 0; i < count; i++) {
        const ah_expr term = expr_get_children(ctx, e)[i];
        if (expr_get_op(ctx, term) != EXPR_POWER) return false;
        const ah_expr *power = expr_get_children(ctx, term);
        if (!expr_is_int(ctx, power[1], &two) || two != 2) return false;
        if (expr_get_op(ctx, power[0]) != EXPR_SYMBOL) return false;
        if (expr_get_kind(ctx, power[0]) != AH_VELOCITY) return false;
    }
    return true;
}

typedef struct candidate {
    ah_expr e, opposite; /* opposite: AH_NONE when the sum with turned signs does not occur */
    double gain;
} candidate;

/* A long sum under a fraction, which no line could be broken in. */
static candidate long_denominator(ah_ctx *ctx, const page_census *c)
{
    candidate best = {.gain = 0};
    for (size_t i = 0; i < c->node.count; i++) {
        long power;
        if (expr_get_op(ctx, c->node.at[i]) != EXPR_POWER || c->times[i] < 1) continue;
        const ah_expr *child = expr_get_children(ctx, c->node.at[i]);
        if (!expr_is_int(ctx, child[1], &power) || power > 0) continue;
        const size_t at = expr_find(&c->node, child[0]);
        if (expr_get_op(ctx, child[0]) != EXPR_SUM || c->length[at] < NAMES_DENOMINATOR) continue;
        if (c->length[at] <= best.gain) continue;
        const ah_expr opposite = page_turned(ctx, child[0]);
        const bool turned = expr_find(&c->node, opposite) != EXPR_NOWHERE;
        best = (candidate){child[0], turned ? opposite : AH_NONE, c->length[at]};
    }
    return best;
}

/* θ + θ₁ and y₀ − y₁ are better read than names for them. */
static bool is_pair(const ah_ctx *ctx, ah_expr sum)
{
    for (size_t i = 0; i < expr_get_count(ctx, sum); i++) {
        ah_expr e = expr_get_children(ctx, sum)[i];
        long sign;
        if (expr_get_op(ctx, e) == EXPR_PRODUCT && expr_get_count(ctx, e) == 2 &&
            expr_is_int(ctx, expr_get_children(ctx, e)[0], &sign) && sign == -1)
            e = expr_get_children(ctx, e)[1];
        if (expr_get_op(ctx, e) != EXPR_SYMBOL) return false;
    }
    return expr_get_count(ctx, sum) == 2;
}

static candidate best_candidate(ah_ctx *ctx, const page_census *c)
{
    candidate best = {.gain = 0};
    for (size_t i = 0; i < c->node.count; i++) {
        const ah_expr e = c->node.at[i];
        if (expr_get_op(ctx, e) != EXPR_SUM || c->length[i] < PAGE_SHORTEST || is_pair(ctx, e))
            continue;
        const ah_expr opposite = page_turned(ctx, e);
        const size_t j = expr_find(&c->node, opposite);
        if (j != EXPR_NOWHERE && opposite < e) continue; /* already seen from its other side */
        const double l = c->length[i], times = c->times[i] + (j == EXPR_NOWHERE ? 0 : c->times[j]);
        const double gain = times * (l - 1.5) - l - NAMES_EXPLAINING;
        double worth = NAMES_WORTH + NAMES_WORTH_SHARE * c->whole;
        if (times < 3) worth *= 2; /* for two uses the explanation is a third reading */
        if (page_is_speed(ctx, e)) worth = NAMES_WORTH_SPEED;
        if (times < 2 || gain < worth || gain <= best.gain) continue;
        best = (candidate){e, j == EXPR_NOWHERE ? AH_NONE : opposite, gain};
    }
    return best;
}

/* ---- Naming ---------------------------------------------------------------------------------- */

static bool occurs_in_sheet(const sheet *s, const char *english)
{
    for (size_t i = 0; i < s->nodes.count; i++) {
        const sheet_node *node = &s->nodes.at[i];
        if (node->name && strstr(node->name, english)) return true;
        if (node->formula && strstr(node->formula, english)) return true;
    }
    for (size_t i = 0; i < s->steps.count; i++)
        if (s->steps.at[i].text && strstr(s->steps.at[i].text, english)) return true;
    return false;
}

static bool is_taken(const worksheet *w, const char *name)
{
    for (size_t i = 0; i < w->names.count; i++)
        if (!strcmp(expr_get_name(w->ctx, w->names.at[i].symbol), name)) return true;
    return model_find(w->model, name) != NULL;
}

static bool is_free(const worksheet *w, const char *name)
{
    return !is_taken(w, name) && !occurs_in_sheet(w->eq->sheet, name);
}

static const char *any_name(const worksheet *w)
{
    static const char *const letters[] = {"Delta", "Theta", "Lambda", "Xi",
                                          "Phi",   "Omega", "Psi",    "Gamma"};
    for (size_t i = 0; i < sizeof letters / sizeof letters[0]; i++)
        if (is_free(w, letters[i])) return letters[i];
    for (uint32_t i = 1;; i++) {
        const char *name = arena_printf(w->arena, "Delta%u", i);
        if (!is_taken(w, name)) return name;
    }
}

/* v, with the index that all the velocities have: v1 of ẋ₁² + ẏ₁². */
static const char *speed_name(const worksheet *w, ah_expr e)
{
    const char *index = NULL;
    for (size_t i = 0; i < expr_get_count(w->ctx, e); i++) {
        const ah_expr power = expr_get_children(w->ctx, e)[i];
        const char *name = expr_get_name(w->ctx, expr_get_children(w->ctx, power)[0]);
        const char *digits = name + strcspn(name, "0123456789");
        if (index && strcmp(index, digits)) return NULL;
        index = digits;
    }
    const char *name = arena_printf(w->arena, "v%s", index);
    return is_taken(w, name) ? NULL : name;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* What follows the indices _a, ^{ij}, _\mu. */
static const char *past_indices(const char *tex)
{
    while (*tex == '_' || *tex == '^') {
        tex++;
        if (*tex == '{')
            tex += strcspn(tex, "}");
        else if (*tex == '\\')
            while (is_letter(tex[1])) tex++;
        tex += *tex != 0;
    }
    return tex;
}

/* The letter of a quantity, as a name in the language: "lambda" of \lambda_a; NULL: it has marks
 * beyond indices, or is a product, \Gamma^T F. */
static const char *letter_of(const worksheet *w, const char *tex)
{
    const bool command = tex[0] == '\\';
    size_t n = 0;
    while (is_letter(tex[command + n])) n++;
    const char *after = tex + command + n;
    if (!n || (!command && n > 1)) return NULL;
    if (*after && *after != '_' && *after != '^') return NULL;
    const char *index = *after ? after + 1 + (after[1] == '{') : "a";
    if (!is_letter(*index) && *index != '\\') return NULL;
    return *past_indices(after) ? NULL : arena_strndup(w->arena, tex + command, n);
}

bool page_contains(const worksheet *w, ah_expr e, ah_expr part)
{
    const arena_mark mark = arena_get_mark(&w->ctx->scratch);
    const expr_list node = expr_reachable(w->ctx, &w->ctx->scratch, &e, 1);
    const bool found = expr_find(&node, part) != EXPR_NOWHERE;
    arena_release(&w->ctx->scratch, mark);
    return found;
}

/* The first root in which the candidate stands, when it is all of it. */
static size_t whole_root(const worksheet *w, const page *p, const candidate *c)
{
    for (size_t i = 0; i < p->root.count; i++) {
        const ah_expr e = p->root.at[i].e;
        if (e == c->e || e == c->opposite || e == expr_neg(w->ctx, c->e))
            return p->root.at[i].whole ? i : EXPR_NOWHERE;
        if (page_contains(w, e, c->e) ||
            (c->opposite != AH_NONE && page_contains(w, e, c->opposite)))
            return EXPR_NOWHERE;
    }
    return EXPR_NOWHERE;
}

/* The number of a row among the symbols that rows belong to, not among those that are shown: K₃ of a column K_μ for w₃ and w₄. */
static uint32_t number_of_row(const worksheet *w, const ws_value *v, uint32_t row)
{
    const sheet *s = w->eq->sheet;
    uint32_t number = row, most = v->belongs.rows;
    for (size_t i = 0; most && i < s->nodes.count; i++) {
        const mat all = s->nodes.at[i].belongs;
        for (uint32_t k = 0; all.rows > most && k < all.rows; k++) {
            if (mat_get(w->ctx, all, k, 0) != mat_get(w->ctx, v->belongs, row, 0)) continue;
            number = k;
            most = all.rows;
        }
    }
    return number + 1;
}

/* Whether another quantity of the sheet has the letter, too: C₁ of C^{ai} would be read as one of C^a_i. */
static bool is_shared(const worksheet *w, const ws_quantity *q, const char *letter)
{
    const sheet *s = w->eq->sheet;
    for (size_t i = 0; i < s->steps.count; i++) {
        const bool other = s->steps.at[i].kind == STEP_QUANTITY && s->steps.at[i].value != q->id;
        const char *name = other ? sheet_get(s, s->steps.at[i].value)->name : NULL;
        const char *its = name ? letter_of(w, name) : NULL;
        if (its && !strcmp(its, letter)) return true;
    }
    return false;
}

/* λ₁ for an entry of a column; NULL: it has no letter that is free. */
static const char *name_of_entry(const worksheet *w, const ws_quantity *q, uint32_t row)
{
    if (!q->name || q->value.shown.cols != 1) return NULL;
    const char *letter = letter_of(w, q->name), *name = letter;
    if (letter && is_shared(w, q, letter)) return NULL;
    if (letter && q->value.shown.rows > 1)
        name = arena_printf(w->arena, "%s%u", letter, number_of_row(w, &q->value, row));
    return name && !is_taken(w, name) ? name : NULL;
}

ah_expr worksheet_entry_symbol(worksheet *w, const ws_quantity *q, uint32_t row)
{
    const char *name = name_of_entry(w, q, row);
    return name ? expr_symbol(w->ctx, AH_LOCAL, name) : AH_NONE;
}

/* The same for one that is shown before anything else uses it; NULL: there is none. */
static const char *entry_name(const worksheet *w, const page_root *r)
{
    if (r->step == PAGE_MEANING || r->row == PAGE_ELSEWHERE) return NULL;
    const ws_step *step = &w->step.at[r->step];
    return step->kind == STEP_QUANTITY ? name_of_entry(w, &step->q, r->row) : NULL;
}

ws_name *page_add_name(worksheet *w, const char *english, size_t root)
{
    const ah_expr symbol = expr_symbol(w->ctx, AH_LOCAL, english);
    LIST_PUSH(w->arena, &w->names,
              ((ws_name){.symbol = symbol, .stands = symbol, .meaning = (ah_expr) root}));
    return &w->names.at[w->names.count - 1];
}

bool page_is_named(const worksheet *w, ah_expr symbol)
{
    for (size_t i = 0; i < w->names.count; i++)
        if (w->names.at[i].symbol == symbol) return true;
    return false;
}

/* ---- In terms of what is shown --------------------------------------------------------------- */

/* The expression without names; their meanings are still numbers of roots. */
static ah_expr expanded(const worksheet *w, const page *p, ah_expr e)
{
    const size_t count = w->names.count;
    ah_expr *symbol = NEW_ARRAY(w->arena, ah_expr, count + 1);
    ah_expr *value = NEW_ARRAY(w->arena, ah_expr, count + 1);
    for (size_t i = 0; i < count; i++) {
        const ws_name *name = &w->names.at[i];
        const ah_expr meaning = p->root.at[name->meaning].e;
        symbol[i] = name->symbol;
        value[i] = name->stands == name->symbol ? meaning : expr_call1(w->ctx, AH_SQRT, meaning);
    }
    for (size_t i = 0; i < count; i++) e = expr_subst(w->ctx, e, count, symbol, value);
    return e;
}

static size_t first_use(const worksheet *w, const page *p, const candidate *c)
{
    size_t i = 0;
    while (!page_contains(w, p->root.at[i].e, c->e) &&
           (c->opposite == AH_NONE || !page_contains(w, p->root.at[i].e, c->opposite)))
        i++;
    return i;
}

static bool is_constant(const worksheet *w, ah_expr e)
{
    const expr_list s = expr_symbols(w->ctx, w->arena, &e, 1);
    for (size_t i = 0; i < s.count; i++)
        if (expr_get_kind(w->ctx, s.at[i]) != AH_PARAMETER) return false;
    return true;
}

/* Δ = m₁ m₂ G, where the scalar G has just been shown: shorter than writing the sum out. Not Δ = h/ẋ², which is 0/0 at rest. */
static ah_expr through_scalar(worksheet *w, page *p, const candidate *c)
{
    ah_ctx *ctx = w->ctx;
    const size_t last = first_use(w, p, c);
    const double long_form = worksheet_length(ctx, c->e);
    for (size_t i = 0; i < last; i++) {
        const page_root *r = &p->root.at[i];
        const bool scalar = r->step != PAGE_MEANING && r->row != PAGE_ELSEWHERE &&
                            w->step.at[r->step].q.value.shown.rows == 1;
        const char *name = scalar ? entry_name(w, r) : NULL;
        if (!name || worksheet_length(ctx, r->e) < long_form / 3) continue;
        const ah_expr ratio = algebra_simplify(
            w->model->alg, expr_div(ctx, expanded(w, p, c->e), expanded(w, p, r->e)));
        if (worksheet_length(ctx, ratio) > long_form / 4 || !is_constant(w, ratio)) continue;
        ws_name *shown = page_add_name(w, name, i);
        shown->shown = true;
        return expr_mul(ctx, ratio, shown->symbol);
    }
    return c->e;
}

/* A name that the page has already, up to parameters: not Φ = a⁴ s² − a⁴ p² beside Δ = p² − s². AH_NONE: there is none. */
static ah_expr multiple_of_name(worksheet *w, const page *p, const candidate *c)
{
    ah_ctx *ctx = w->ctx;
    const ah_expr e = expanded(w, p, c->e);
    for (size_t i = 0; i < w->names.count; i++) {
        const ws_name *name = &w->names.at[i];
        const page_root *r = &p->root.at[name->meaning];
        if (name->shown || name->stands != name->symbol || r->step != PAGE_MEANING) continue;
        if (page_contains(w, r->e, c->e) ||
            worksheet_length(ctx, r->e) > worksheet_length(ctx, c->e))
            continue;
        const ah_expr ratio = page_multiple(w, e, expanded(w, p, r->e));
        if (ratio != AH_NONE) return expr_mul(ctx, ratio, name->symbol);
    }
    return AH_NONE;
}

/* What is written for the candidate itself. */
static ah_expr make_name(worksheet *w, page *p, const candidate *c)
{
    ah_ctx *ctx = w->ctx;
    const size_t whole = whole_root(w, p, c);
    const char *entry = whole == EXPR_NOWHERE ? NULL : entry_name(w, &p->root.at[whole]);
    if (entry) {
        const ah_expr symbol = page_add_name(w, entry, whole)->symbol;
        w->names.at[w->names.count - 1].shown = true;
        return p->root.at[whole].e == c->e ? symbol : expr_neg(ctx, symbol);
    }
    const ah_expr known = multiple_of_name(w, p, c);
    if (known != AH_NONE) return known;
    const char *speed = page_is_speed(ctx, c->e) ? speed_name(w, c->e) : NULL;
    const ah_expr meaning = speed ? c->e : through_scalar(w, p, c);
    ws_name *name = page_add_name(w, speed ? speed : any_name(w), p->root.count);
    if (speed) name->stands = expr_powi(ctx, name->symbol, 2);
    LIST_PUSH(w->arena, &p->root,
              ((page_root){meaning, PAGE_MEANING, PAGE_ELSEWHERE, PAGE_ELSEWHERE, true}));
    return name->stands;
}

/* What is displayed as a whole may have a name as one of its factors. */
void page_replace_factors(worksheet *w, page *p, const ah_expr *from, const ah_expr *to,
                          size_t pairs)
{
    bool *whole = NEW_ARRAY(w->arena, bool, p->root.count + 1);
    for (size_t i = 0; i < p->root.count; i++) {
        page_root *r = &p->root.at[i];
        whole[i] = r->whole;
        for (size_t k = 0; k < pairs; k++)
            if ((from[k] == r->e || expr_neg(w->ctx, from[k]) == r->e) &&
                expr_get_op(w->ctx, to[k]) != EXPR_SYMBOL)
                r->whole = false;
    }
    page_replace(w, p, from, to, pairs);
    for (size_t i = 0; i < p->root.count; i++) p->root.at[i].whole = whole[i];
}

/* A speed whose root stands on the page, too, is that root, v = √(ẋ² + ẏ²): v alone of v² would have two signs. */
static bool put_speed(worksheet *w, page *p, const candidate *c)
{
    ah_ctx *ctx = w->ctx;
    const char *name = page_is_speed(ctx, c->e) ? speed_name(w, c->e) : NULL;
    if (!name) return false;
    const page_census census = page_count(w, w->arena, p);
    const ah_expr v = expr_symbol(ctx, AH_LOCAL, name), root = expr_call1(ctx, AH_SQRT, c->e);
    LIST(ah_expr) from = {0};
    LIST(ah_expr) to = {0};
    for (size_t i = 0; i < census.node.count; i++) {
        const ah_expr e = census.node.at[i];
        long halves = 1;
        const bool power =
            expr_get_op(ctx, e) == EXPR_POWER && expr_get_children(ctx, e)[0] == c->e &&
            expr_is_int(ctx, expr_mul(ctx, expr_int(ctx, 2), expr_get_children(ctx, e)[1]),
                        &halves);
        if ((!power && e != root) || halves % 2 == 0) continue;
        LIST_PUSH(w->arena, &from, e);
        LIST_PUSH(w->arena, &to, expr_powi(ctx, v, (int) halves));
    }
    if (!from.count) return false;
    const ah_expr square = expr_powi(ctx, v, 2), sum[2] = {c->e, c->opposite},
                  as[2] = {square, expr_neg(ctx, square)};
    page_replace_factors(w, p, from.at, to.at, from.count);
    page_replace(w, p, sum, as, c->opposite == AH_NONE ? 1 : 2);
    const ah_expr again = expr_call1(ctx, AH_SQRT, square);
    for (size_t i = 0; i < p->root.count; i++) { /* what is displayed as v, or -v, is written out */
        ah_expr *e = &p->root.at[i].e;
        *e = *e == again ? root : *e == expr_neg(ctx, again) ? expr_neg(ctx, root) : *e;
    }
    page_add_name(w, name, p->root.count);
    LIST_PUSH(w->arena, &p->root,
              ((page_root){root, PAGE_MEANING, PAGE_ELSEWHERE, PAGE_ELSEWHERE, true}));
    return true;
}

/* An entry of a matrix that is all of a sum explained before it, by the name: R = λ (x₁ ẏ₂, Ξ, …). */
static void name_whole_entries(const worksheet *w, page *p, size_t first, const candidate *c,
                               ah_expr stands)
{
    for (size_t i = first + 1; i < p->root.count; i++) {
        page_root *r = &p->root.at[i];
        if (r->step == PAGE_MEANING || w->step.at[r->step].kind != STEP_QUANTITY) continue;
        if (mat_entries(w->step.at[r->step].q.value.shown) < 2) continue;
        if (r->e == c->e) r->e = stands;
        if (r->e == c->opposite || r->e == expr_neg(w->ctx, c->e)) r->e = expr_neg(w->ctx, stands);
    }
}

static void put_name(worksheet *w, page *p, const candidate *c)
{
    if (put_speed(w, p, c)) return;
    const size_t first = first_use(w, p, c);
    const ah_expr stands = make_name(w, p, c);
    const ah_expr from[2] = {c->e, c->opposite}, to[2] = {stands, expr_neg(w->ctx, stands)};
    if (expr_get_op(w->ctx, stands) == EXPR_SYMBOL && !w->names.at[w->names.count - 1].shown)
        name_whole_entries(w, p, first, c, stands);
    page_replace(w, p, from, to, c->opposite == AH_NONE ? 1 : 2);
}

static bool name_one(worksheet *w, page *p, candidate (*choose)(ah_ctx *ctx, const page_census *c))
{
    const page_census census = page_count(w, w->arena, p);
    const candidate best = choose(w->ctx, &census);
    if (best.gain > 0) put_name(w, p, &best);
    return best.gain > 0;
}

/* Is the entry used by later quantities alone? Equations of motion are written out. */
static bool serves_quantities(const worksheet *w, const page *p, size_t i, const candidate *c)
{
    for (size_t k = i + 1; k < p->root.count; k++) {
        const page_root *r = &p->root.at[k];
        const bool used = page_contains(w, r->e, c->e) ||
                          (c->opposite != AH_NONE && page_contains(w, r->e, c->opposite));
        if (used && r->step != PAGE_MEANING && w->step.at[r->step].kind == STEP_EQUATIONS)
            return false;
    }
    return true;
}

/* Entries of columns that come again inside of later quantities: they have a name already, so there
 * is nothing to explain. */
static void name_entries(worksheet *w, page *p)
{
    for (size_t i = 0; i < p->root.count; i++) {
        const ah_expr e = p->root.at[i].e;
        if (expr_get_op(w->ctx, e) != EXPR_SUM || !entry_name(w, &p->root.at[i])) continue;
        const page_census census = page_count(w, w->arena, p);
        const ah_expr opposite = page_turned(w->ctx, e);
        const size_t at = expr_find(&census.node, e), other = expr_find(&census.node, opposite);
        const candidate c = {.e = e, .opposite = other == EXPR_NOWHERE ? AH_NONE : opposite};
        const double times = census.times[at] + (other == EXPR_NOWHERE ? 0 : census.times[other]);
        if (times * (census.length[at] - 2) < NAMES_WORTH || whole_root(w, p, &c) != i) continue;
        if (serves_quantities(w, p, i, &c)) put_name(w, p, &c);
    }
}

/* ---- Explaining ------------------------------------------------------------------------------ */

static int by_number(const void *a, const void *b)
{
    const uint32_t x = *(const uint32_t *) a, y = *(const uint32_t *) b;
    return (x > y) - (x < y);
}

/* The names in the step that were not explained yet, and those in their meanings. */
static void explain(worksheet *w, uint32_t i, bool *said)
{
    const page p = page_of_step(w, i);
    const ah_expr *roots = page_expressions(w, &p);
    size_t count = p.root.count;
    LIST(uint32_t) found = {0};
    for (size_t done = 0; count; done++) {
        const expr_list s = expr_symbols(w->ctx, w->arena, roots, count);
        for (uint32_t k = 0; k < w->names.count; k++) {
            if (said[k] || expr_find(&s, w->names.at[k].symbol) == EXPR_NOWHERE) continue;
            said[k] = true;
            LIST_PUSH(w->arena, &found, k);
        }
        if (done == found.count) break;
        roots = &w->names.at[found.at[done]].meaning;
        count = 1;
    }
    if (found.count) /* in their order: what is used comes first */
        qsort(found.at, found.count, sizeof *found.at, by_number);
    w->step.at[i].where = found.at;
    w->step.at[i].wheres = (uint32_t) found.count;
}

/* v₁² before v₂². */
static void sort_speeds(worksheet *w)
{
    for (size_t i = 0; i < w->names.count; i++)
        for (size_t k = i + 1; k < w->names.count; k++) {
            ws_name *a = &w->names.at[i], *b = &w->names.at[k], swap = *a;
            if (a->stands == a->symbol || b->stands == b->symbol) continue;
            if (strcmp(expr_get_name(w->ctx, a->symbol), expr_get_name(w->ctx, b->symbol)) < 0)
                continue;
            *a = *b;
            *b = swap;
        }
}

/* Each name after those that its meaning uses; otherwise as they were found. */
static void sort_names(worksheet *w)
{
    const size_t count = w->names.count;
    sort_speeds(w);
    ws_name *sorted = NEW_ARRAY(w->arena, ws_name, count + 1);
    bool *done = NEW_ARRAY(w->arena, bool, count + 1);
    for (size_t placed = 0; placed < count;) {
        const size_t before = placed;
        for (size_t i = 0; i < count; i++) {
            const expr_list s = expr_symbols(w->ctx, w->arena, &w->names.at[i].meaning, 1);
            bool ready = !done[i];
            for (size_t k = 0; k < count && ready; k++)
                ready = done[k] || k == i || expr_find(&s, w->names.at[k].symbol) == EXPR_NOWHERE;
            if (!ready) continue;
            done[i] = true;
            sorted[placed++] = w->names.at[i];
        }
        if (placed == before) return; /* they go round in a circle */
    }
    if (count) memcpy(w->names.at, sorted, count * sizeof *sorted);
}

/* Explained by other names, a name may stand for a sum that is left elsewhere: I m − S² beside Ξ = I m − S². */
static void use_everywhere(worksheet *w, page *p)
{
    for (size_t i = 0; i < w->names.count; i++) {
        const ws_name *name = &w->names.at[i];
        const page_root *r = &p->root.at[name->meaning];
        if (name->shown || name->stands != name->symbol || r->step != PAGE_MEANING) continue;
        if (expr_get_op(w->ctx, r->e) != EXPR_SUM) continue;
        const ah_expr from[2] = {r->e, page_turned(w->ctx, r->e)},
                      to[2] = {name->symbol, expr_neg(w->ctx, name->symbol)};
        page_replace(w, p, from, to, 2);
    }
}

/* Names for what no let stands for. */
static void find_others(worksheet *w, page *p)
{
    page_take_contents(w, p);
    use_everywhere(w, p);
    name_entries(w, p);
    for (int i = 0; i < NAMES_MOST && name_one(w, p, best_candidate); i++) continue;
    for (int i = 0; i < NAMES_MOST && name_one(w, p, long_denominator); i++) continue;
    page_use_names(w, p);
    use_everywhere(w, p);
}

static page copy_page(worksheet *w, const page *p)
{
    page copy = {{0}};
    for (size_t i = 0; i < p->root.count; i++) LIST_PUSH(w->arena, &copy.root, p->root.at[i]);
    return copy;
}

/* With lets among other terms, unless the page with all its names is shorter without. */
static page find_names(worksheet *w, page without)
{
    page with = copy_page(w, &without);
    ws_names names = {0};
    for (size_t i = 0; i < w->names.count; i++) LIST_PUSH(w->arena, &names, w->names.at[i]);
    if (!page_use_among_others(w, &with)) return find_others(w, &without), without;
    find_others(w, &with);
    const ws_names named = w->names;
    w->names = names;
    find_others(w, &without);
    const page_census a = page_count(w, w->arena, &without), b = page_count(w, w->arena, &with);
    if (a.whole < b.whole) return without;
    w->names = named;
    return with;
}

/* Columns whose symbols other steps are written in have said what these are. */
static void name_columns(worksheet *w, const page *p)
{
    for (size_t i = 0; i < w->step.count; i++)
        for (size_t k = 0; w->step.at[i].through && k < p->root.count; k++) {
            const page_root *r = &p->root.at[k];
            const char *name = r->step + 1 == w->step.at[i].through ? entry_name(w, r) : NULL;
            if (name) page_add_name(w, name, k)->shown = true;
        }
}

void worksheet_find_names(worksheet *w)
{
    page p = page_take(w);
    page_unify(w, &p);
    name_columns(w, &p);
    page_use_lets(w, &p);
    p = find_names(w, p);
    page_use_products(w, &p);
    bool *said = NEW_ARRAY(w->arena, bool, w->names.count + 1);
    for (size_t i = 0; i < w->names.count; i++)
        w->names.at[i].meaning = p.root.at[w->names.at[i].meaning].e;
    sort_names(w);
    for (size_t i = 0; i < w->names.count; i++) said[i] = w->names.at[i].shown;
    page_give(w, &p);
    for (size_t i = 0; i < w->step.count; i++) worksheet_settle_factor(w, &w->step.at[i].q.value);
    page settled = page_take(w);
    page_use_products(w, &settled);
    page_take_contents(w, &settled);
    page_give(w, &settled);
    for (uint32_t i = 0; i < w->step.count; i++) explain(w, i, said);
}
