/* derive/formulas.c - what claims and outputs name of a derivation, found and as formulas in t, q, v, z, ω:
 * M[1,2], G[1,1], and words of a method's worksheet (objects.c). */
#include "known.h"
#include "work.h"

/* ---- Objects of methods ------------------------------------------------------------------------ */

const char *derive_find_by_method(ah_model *m, derived_ref d, const formalism **f, quantity *x)
{
    const char *why, *instead;
    *f = derive_find(d.method);
    const ah_equations *eq = derive_equations(m, *f, NULL, &why, &instead);
    if (!eq) return why;
    *x = derive_object(eq, d.word, d.indices);
    if (*x == QUANTITY_NONE)
        return arena_printf(&m->ctx->job, "its worksheet calls nothing `%s` with %u %s", d.word,
                            d.indices, d.indices == 1 ? "index" : "indices");
    const sheet_node *node = sheet_get(eq->sheet, *x);
    const uint32_t rows = node->rows, cols = node->cols;
    if (d.index[0] < rows && d.index[1] < cols) return NULL;
    return arena_printf(&m->ctx->job, "`%s` has %u x %u entries", d.word, rows, cols);
}

bool derive_know_by_method(ah_model *m, derived_ref d, ah_span span)
{
    const formalism *f;
    quantity x;
    if (!derive_find(d.method)) {
        diag(m->ctx, A0501, span, "there is no method `%s`", d.method);
        diag_hint(m->ctx, "anholo check lists the methods that apply");
        return false;
    }
    const char *why = derive_find_by_method(m, d, &f, &x);
    if (!why) return true;
    diag(m->ctx, A0503, span, "%s: %s", d.method, why);
    const char *refused, *instead;
    if (derive_equations(m, derive_find(d.method), NULL, &refused, &instead))
        diag_hint(m->ctx, "anholo dump --stage=equations --method %s lists what it has", d.method);
    else
        diag_hint(m->ctx, "say by another method: anholo check lists those that apply");
    return false;
}

static bool object_formula(mechanics *k, derived_ref d, ah_expr *out)
{
    const formalism *f;
    quantity x;
    mat all;
    const char *why, *instead;
    if (!derive_find(d.method) || derive_find_by_method(k->model, d, &f, &x)) return false;
    const work_options options = {.plain = true};
    work *w = work_create(derive_equations(k->model, f, NULL, &why, &instead), &options);
    if (!work_out(w, x, &all)) return false;
    *out = mat_get(k->ctx, all, d.index[0], d.index[1]);
    return !expr_depends_kind(k->ctx, *out, AH_SPEED_DOT) &&
           !expr_depends_kind(k->ctx, *out, AH_ACCELERATION) &&
           !expr_depends_kind(k->ctx, *out, AH_MULTIPLIER);
}

/* ---- All of them ------------------------------------------------------------------------------- */

/* J M⁻¹ Jᵀ */
static bool gram_formula(mechanics *k, uint32_t a, uint32_t b, ah_expr *out)
{
    mat X;
    bool singular;
    if (!algebra_solve(k->alg, mechanics_mass(k), mat_transpose(k->ctx, k->arena, k->J), &X,
                       &singular))
        return false;
    const mat G = mat_mul(k->ctx, k->arena, k->J, X);
    *out = algebra_simplify(k->alg, mat_get(k->ctx, G, a, b));
    return true;
}

static bool find_formula(mechanics *k, derived_ref d, ah_expr *out)
{
    switch (d.what) {
    case DERIVED_MASS:
        *out = mat_get(k->ctx, mechanics_mass(k), d.index[0], d.index[1]);
        return true;
    case DERIVED_G: return gram_formula(k, d.index[0], d.index[1], out);
    case DERIVED_GZ:
        d = (derived_ref){DERIVED_OBJECT, {d.index[0], d.index[1]}, "parametric", "G", 2};
        return object_formula(k, d, out);
    case DERIVED_OBJECT: return object_formula(k, d, out);
    default: return false;
    }
}

bool derive_formula(mechanics *k, ah_expr symbol, ah_expr *out)
{
    derived *known = derived_of(k->model);
    derived_ref d;
    for (size_t i = 0; i < known->formulas.count; i++)
        if (known->formulas.at[i].symbol == symbol) {
            *out = known->formulas.at[i].formula;
            return *out != AH_NONE;
        }
    if (!model_find_derived(k->model, symbol, &d)) return false;
    if (!find_formula(k, d, out)) *out = AH_NONE;
    LIST_PUSH(k->arena, &known->formulas, ((struct derived_formula){symbol, *out}));
    return *out != AH_NONE;
}

/* ---- In outputs -------------------------------------------------------------------------------- */

static bool know_output(mechanics *k, const model_output *o)
{
    ah_model *m = k->model;
    bool known = true;
    const expr_list symbols = expr_symbols(k->ctx, k->arena, &o->e, 1);
    for (size_t i = 0; i < symbols.count; i++) {
        derived_ref d;
        ah_expr formula;
        if (expr_get_kind(k->ctx, symbols.at[i]) != AH_DERIVED ||
            !model_find_derived(m, symbols.at[i], &d) || d.what != DERIVED_OBJECT)
            continue;
        const bool found = derive_know_by_method(m, d, o->span);
        known = known && found;
        if (!found || derive_formula(k, symbols.at[i], &formula)) continue;
        diag(m->ctx, A0503, o->span, "%s: `%s` is not written out as a formula of the state",
             d.method, expr_get_name(k->ctx, symbols.at[i]));
        diag_hint(m->ctx, "an output may use what anholo derive --steps writes out");
        known = false;
    }
    return known;
}

bool derive_outputs_known(mechanics *k)
{
    bool known = true;
    for (size_t i = 0; i < k->model->outputs.count; i++)
        known = know_output(k, &k->model->outputs.at[i]) && known;
    return known;
}
