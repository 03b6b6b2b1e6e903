/* claims/claim_special.c - special values of free parameters, and special functions.
 *
 * What is proved with letters for them need not be true of values for which there are fewer constraints (a x' = a y' with a = 0) or
 * other directions. Such a value may refute it, and is then the counter-example. Those are tried at which a
 * part of the constraints or of the claim that holds one parameter alone vanishes, and all of them zero; of kinds also 1 and -1, where
 * z' = a x y' + y x' is integrable; where one is an exponent, those that
 * make it 1, 2, 1/2 and -1, for which x^n exists at other x than for most n. Of unspecified functions and inputs constants are tried.
 *
 * What none of these refutes is proved if the values at which the rank is less can be listed, and it is proved with each of them;
 * else it is not known. */
#include "claim.h"

#include <string.h>

enum {
    SPECIAL_MOST = 8, /* values that are tried for one claim, those of exponents besides */
    SPECIAL_DEPTH = 3 /* special values beside special values */
};

typedef uniform_special special;
typedef uniform_specials specials;

static void add(arena *a, specials *to, ah_expr symbol, ah_expr value)
{
    for (size_t i = 0; i < to->count; i++)
        if (to->at[i].symbol.at[0] == symbol && to->at[i].value.at[0] == value) return;
    special new = {0};
    LIST_PUSH(a, &new.symbol, symbol);
    LIST_PUSH(a, &new.value, value);
    LIST_PUSH(a, to, new);
}

/* Where e, linear in the one parameter that it holds, has this value. */
static void add_root(verification *v, specials *to, ah_expr e, ah_expr value)
{
    ah_ctx *ctx = v->ctx;
    e = expr_sub(ctx, e, value);
    const expr_list symbols = expr_symbols(ctx, v->arena, &e, 1);
    if (symbols.count != 1 || expr_get_kind(ctx, symbols.at[0]) != AH_PARAMETER) return;
    const ah_expr p = symbols.at[0], zero = expr_int(ctx, 0);
    const ah_expr slope = expr_diff(ctx, e, p), rest = expr_subst(ctx, e, 1, &p, &zero);
    const bool linear = expr_get_op(ctx, slope) == EXPR_NUMBER && !expr_is_zero(ctx, slope) &&
                        expr_get_op(ctx, rest) == EXPR_NUMBER;
    if (linear) add(v->arena, to, p, expr_neg(ctx, expr_div(ctx, rest, slope)));
}

/* Everything in the constraints and in the claim, ascending. */
static expr_list parts_of(verification *v, const model_claim *claim)
{
    arena *a = v->arena;
    expr_list all = {0};
    for (size_t i = 0; i < v->model->constraints.count; i++)
        LIST_PUSH(a, &all, v->model->constraints.at[i].c);
    if (claim->left != AH_NONE) LIST_PUSH(a, &all, claim->left);
    if (claim->right != AH_NONE) LIST_PUSH(a, &all, claim->right);
    if (claim->statement && claim->statement->e != AH_NONE) LIST_PUSH(a, &all, claim->statement->e);
    model_put_values(v->model, all.at, all.count);
    return expr_reachable(v->ctx, a, all.at, all.count);
}

/* Exponents of powers in them that hold a parameter, those of the text that simplification took away included. */
static expr_list free_exponents(verification *v, const expr_list *nodes, const model_claim *claim)
{
    expr_list all = {0}, out = {0};
    for (size_t i = nodes->count; i-- > 0;)
        if (expr_get_op(v->ctx, nodes->at[i]) == EXPR_POWER)
            LIST_PUSH(v->arena, &all, expr_get_children(v->ctx, nodes->at[i])[1]);
    for (size_t i = 0; i < claim->needs.count; i++) {
        ah_expr exponent = claim->needs.at[i].b;
        if (claim->needs.at[i].f != AH_FUNCTIONS || exponent == AH_NONE) continue;
        model_put_values(v->model, &exponent, 1);
        LIST_PUSH(v->arena, &all, exponent);
    }
    for (size_t i = 0; i < all.count; i++)
        if (expr_depends_kind(v->ctx, all.at[i], AH_PARAMETER))
            LIST_PUSH(v->arena, &out, all.at[i]);
    return out;
}

bool special_has_exponents(verification *v, const model_claim *claim)
{
    const expr_list nodes = parts_of(v, claim);
    return free_exponents(v, &nodes, claim).count > 0;
}

/* All free parameters at one value. */
static void add_together(verification *v, specials *to, long value)
{
    special together = {0};
    for (size_t i = 0; i < v->model->parameters.count; i++) {
        if (v->model->parameters.at[i].value != AH_NONE) continue;
        LIST_PUSH(v->arena, &together.symbol, v->model->parameters.at[i].symbol);
        LIST_PUSH(v->arena, &together.value, expr_int(v->ctx, value));
    }
    if (together.symbol.count > 1) LIST_PUSH(v->arena, to, together);
}

/* (x^p)^q is |x| for p = 2 and q = 1/2. */
static void add_square_and_root(verification *v, specials *to, ah_expr square, ah_expr root)
{
    specials two = {0}, half = {0};
    add_root(v, &two, square, expr_int(v->ctx, 2));
    add_root(v, &half, root, expr_rational(v->ctx, 1, 2));
    if (!two.count || !half.count || two.at[0].symbol.at[0] == half.at[0].symbol.at[0]) return;
    special both = two.at[0];
    LIST_PUSH(v->arena, &both.symbol, half.at[0].symbol.at[0]);
    LIST_PUSH(v->arena, &both.value, half.at[0].value.at[0]);
    LIST_PUSH(v->arena, to, both);
}

static void add_exponents(verification *v, specials *to, const expr_list *exponents)
{
    static const long value[][2] = {{1, 1}, {2, 1}, {1, 2}, {-1, 1}};
    for (size_t k = 0; k < sizeof value / sizeof *value; k++)
        for (size_t i = 0; i < exponents->count; i++)
            add_root(v, to, exponents->at[i], expr_rational(v->ctx, value[k][0], value[k][1]));
    if (exponents->count) add_together(v, to, 1);
    for (size_t i = 0; i < exponents->count && i < SPECIAL_MOST; i++)
        for (size_t k = 0; k < exponents->count && k < SPECIAL_MOST; k++)
            add_square_and_root(v, to, exponents->at[i], exponents->at[k]);
}

/* Sums before the letters in them: a − 1 before a. */
static specials find_specials(verification *v, const model_claim *claim)
{
    specials out = {0};
    const expr_list nodes = parts_of(v, claim);
    const expr_list exponents = free_exponents(v, &nodes, claim);
    add_exponents(v, &out, &exponents);
    const size_t most = SPECIAL_MOST + out.count;
    for (size_t i = nodes.count; i-- > 0 && out.count < most;)
        add_root(v, &out, nodes.at[i], expr_int(v->ctx, 0));
    for (size_t i = nodes.count; claim->statement && i-- > 0 && out.count < most;)
        for (long one = -1; one <= 1; one += 2)
            add_root(v, &out, nodes.at[i], expr_int(v->ctx, one));
    add_together(v, &out, 0);
    return out;
}

/* The model with these values. What has none comes first, for they may name it, and what had one before last. */
static ah_model *with_values(verification *v, ah_model *m, const special *s)
{
    enum { FREE, SPECIAL, DECLARED };
    ah_model *view = model_view(m, v->arena);
    memset(&view->parameters, 0, sizeof view->parameters);
    for (int turn = FREE; turn <= DECLARED; turn++)
        for (size_t i = 0; i < m->parameters.count; i++) {
            model_parameter p = m->parameters.at[i];
            int kind = p.value == AH_NONE ? FREE : DECLARED;
            for (size_t k = 0; k < s->symbol.count; k++)
                if (s->symbol.at[k] == p.symbol) p.value = s->value.at[k], kind = SPECIAL;
            if (kind == turn) LIST_PUSH(v->arena, &view->parameters, p);
        }
    return view;
}

ah_model *special_put(verification *v, const special *s)
{
    return with_values(v, v->model, s);
}

/* Does it name what belongs to constraints by their number? */
static bool names_constraints(verification *v, const model_claim *claim)
{
    const ah_expr e[] = {claim->left, claim->right};
    for (int k = 0; k < 2; k++)
        if (e[k] != AH_NONE && apart_counts_rows(v, e[k])) return true;
    return claim->statement && claim->statement->constraints;
}

static const char *text_of(verification *v, const special *s)
{
    text t = text_begin(v->arena);
    for (size_t i = 0; i < s->symbol.count; i++)
        text_printf(&t, "%s%s = %s", i ? ", " : "",
                    expr_text(v->ctx, v->arena, s->symbol.at[i], AH_TEXT),
                    expr_text(v->ctx, v->arena, s->value.at[i], AH_TEXT));
    return text_end(&t);
}

/* Of constraints that are fewer with the values: with letters they would be as many as before. */
static void lower_rank(verification *v, ah_model *view)
{
    const mat J = model_rows(view, v->arena);
    ah_expr *e = mat_to_dense(v->ctx, v->arena, J);
    model_put_values(view, e, (size_t) J.rows * J.cols);
    const mat there = mat_from_dense(v->ctx, v->arena, J.rows, J.cols, e);
    const int rank = J.rows ? algebra_rank(view->alg, there, NULL, NULL) : 0;
    if (rank >= 0 && (uint32_t) rank < view->rank) view->rank = (uint32_t) rank;
}

/* The claim about the system that a view is; false: it cannot be put to it. */
static bool ask_view(verification *v, ah_model *view, const model_claim *claim, verify_claim *out)
{
    ctx_tick(v->ctx);
    if (uniform_leave_out_empty(view, v->arena) && names_constraints(v, claim)) return false;
    lower_rank(v, view);
    verification *own = verify_open(view, v->states, v->seed);
    own->special = v->special + 1;
    const model_claim mapped = model_is_general(v->model) ? model_claim_of(view, claim) : *claim;
    verify_one(own, &mapped, out);
    return true;
}

static void keep_refutation(verification *v, const verify_claim *there, const model_claim *claim,
                            const char *with, verify_claim *out)
{
    *out = *there;
    out->claim = claim;
    out->with = there->with ? arena_printf(v->arena, "%s, %s", with, there->with) : with;
    if (v->special) return;
    out->why = there->why ? arena_printf(v->arena, "with %s: %s", out->with, there->why)
                          : arena_printf(v->arena, "with %s", out->with);
}

/* Does the system that a view is refute the claim? Then *out says so, and `with` what. */
static bool view_refutes(verification *v, ah_model *view, const model_claim *claim,
                         const char *with, verify_claim *out)
{
    verify_claim there;
    if (uniform_is_allowed(view, v->model->alg, v->arena) != AH_TRUE ||
        !ask_view(v, view, claim, &there) || there.verdict != AH_VERDICT_FALSE)
        return false;
    keep_refutation(v, &there, claim, with, out);
    return true;
}

static bool constants_refute(verification *v, const model_claim *claim, verify_claim *out)
{
    const char *says;
    ah_model *view;
    for (size_t i = 0; (view = model_constant_instance(v->model, i, &says)); i++)
        if (view_refutes(v, view, claim, says, out)) return true;
    return false;
}

/* Parameters that conditions name are free, whatever value a model gives them. */
static bool is_asked_of_values(const verification *v)
{
    for (size_t i = 0; v->when && i < v->when->conditions; i++)
        if (expr_depends_kind(v->ctx, v->when->condition[i].e, AH_PARAMETER)) return false;
    return true;
}

static bool may_be_asked(const verification *v, const model_claim *claim)
{
    return !v->special && is_asked_of_values(v) && !v->part && !v->model->kinematic &&
           !v->model->speeds.count && !v->model->quasivelocities.count &&
           !(claim->statement && claim->statement->conditions);
}

bool special_refutes_with(verification *v, ah_model *view, ah_expr p, ah_expr value,
                          const model_claim *claim, verify_claim *out)
{
    specials one = {0};
    if (!may_be_asked(v, claim)) return false;
    add(v->arena, &one, p, value);
    return view_refutes(v, with_values(v, view, one.at), claim, text_of(v, one.at), out);
}

bool special_refutes(verification *v, const model_claim *claim, verify_claim *out)
{
    if (!may_be_asked(v, claim)) return false;
    if (model_is_general(v->model)) return constants_refute(v, claim, out);
    const specials all = find_specials(v, claim);
    for (size_t i = 0; i < all.count; i++)
        if (view_refutes(v, with_values(v, v->model, &all.at[i]), claim, text_of(v, &all.at[i]),
                         out))
            return true;
    return false;
}

/* ---- Case by case ---------------------------------------------------------------------------- */

/* Where there may be fewer constraints, other components, or fewer brackets of what the constraints leave; false: there may be more. */
static bool find_cases(verification *v, const verify_claim *claim, specials *out)
{
    expr_list equations = {0};
    uniform_sets sets = {0};
    const bool ranks = claim->general & VERDICT_RANK, parts = claim->general & VERDICT_PARTS;
    bool all = true;
    if (ranks) all = uniform_constraint_exceptions(v->model, v->arena, v->mech->rank, &sets);
    if (parts && !ranks) all = uniform_component_exceptions(v->model, v->arena, &sets);
    for (size_t i = 0; i < claim->sets; i++) LIST_PUSH(v->arena, &sets, claim->set[i]);
    for (size_t i = 0; i < sets.count; i++)
        all = uniform_list_values(v->model, v->arena, &sets.at[i], out) && all;
    if (claim->general & VERDICT_BRACKETS) {
        distribution_answer d;
        const model_statement *s = claim->claim->statement;
        if (!s || s->constraints) return false;
        distribution_find(v->model, NULL, s->says == AH_SAYS_GROWTH, &d);
        if (!d.found.found ||
            !uniform_exceptions(v->model, v->arena, d.frame, d.frame.rows, &(expr_list){0},
                                &equations) ||
            !uniform_list_values(v->model, v->arena, &equations, out))
            return false;
    }
    return all;
}

static bool may_ask(const verification *v)
{
    return v->special < SPECIAL_DEPTH && !v->when && !v->part && !v->model->kinematic &&
           !v->model->speeds.count && !v->model->quasivelocities.count &&
           !model_is_general(v->model);
}

static void leave_open(verification *v, const char *but, verify_claim *out)
{
    const char *known = out->verdict == AH_VERDICT_PROVED ? "proved" : "found to hold";
    out->verdict = AH_VERDICT_UNKNOWN;
    out->on_constraints = false;
    out->why = but ? arena_printf(v->arena, "%s for general values of the parameters, not with %s",
                                  known, but)
                   : arena_printf(v->arena,
                                  "%s for general parameters and functions alone: special ones, "
                                  "which `assume` could leave out, may make fewer constraints or "
                                  "other directions",
                                  known);
}

void special_settle(verification *v, verify_claim *out)
{
    specials all = {0};
    const bool listed = out->general & (VERDICT_PARTS | VERDICT_NAMED);
    if ((out->verdict != AH_VERDICT_PROVED && !listed) || (out->general & VERDICT_ANYTHING) ||
        !may_ask(v)) {
        leave_open(v, NULL, out);
        return;
    }
    bool open = !find_cases(v, out, &all);
    const char *but = NULL, *why = out->why;
    for (size_t i = 0; i < all.count; i++) {
        ah_model *view = with_values(v, v->model, &all.at[i]);
        const char *with = text_of(v, &all.at[i]);
        verify_claim there;
        const ah_truth allowed = uniform_is_allowed(view, v->model->alg, v->arena);
        if (allowed == AH_FALSE) continue;
        const bool asked = ask_view(v, view, out->claim, &there);
        if (asked && there.verdict == AH_VERDICT_FALSE && allowed == AH_TRUE) {
            keep_refutation(v, &there, out->claim, with, out);
            return;
        }
        const bool as_well =
            asked && (there.verdict == AH_VERDICT_PROVED || there.verdict == out->verdict);
        if (!as_well && !open) but = with;
        open = open || !as_well;
        why = arena_printf(v->arena, "%s%salso with %s", why ? why : "", why ? "; " : "", with);
    }
    if (open)
        leave_open(v, but, out);
    else {
        out->why = why;
        out->by_values = true;
    }
}

/* Values at which there may be fewer rows, or of them and the conditions: may one refute it, for all that is known? */
static bool suspects_refute(verification *v, const expr_list *suspects, verify_claim *out,
                            bool *open)
{
    for (size_t i = 0; i < suspects->count; i++) {
        ah_expr p;
        uniform_values values;
        if (algebra_never_zero(v->mech->alg, suspects->at[i])) continue;
        *open = *open || i >= SPECIAL_MOST || !is_asked_of_values(v);
        if (i >= SPECIAL_MOST || !uniform_solve(v->model, suspects->at[i], &p, &values)) {
            *open = true;
            continue;
        }
        for (size_t k = 0; k < values.count; k++)
            if (special_refutes_with(v, v->model, p, values.value[k], out->claim, out)) return true;
    }
    return false;
}

void special_doubt(verification *v, verify_claim *out)
{
    expr_list suspects = {0};
    bool open = false;
    if (!(out->general & VERDICT_RANK)) return;
    if (!model_is_general(v->model)) uniform_suspects(v->model, v->arena, v->mech->rank, &suspects);
    if (v->when) uniform_suspects(v->where, v->arena, derive_mechanics(v->where)->rank, &suspects);
    if (suspects_refute(v, &suspects, out, &open)) return;
    if (open || uniform_hides_values(v->model, v->arena)) leave_open(v, NULL, out);
}
