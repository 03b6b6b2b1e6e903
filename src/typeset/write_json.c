/* typeset/write_json.c - worksheets for machines: docs/schema/derive.json.
 *
 * `ascii` is in the model language and without the worksheet's own names: it reads back as the same
 * expression. `text` and `latex` are for people and may use the names listed under `where`. */
#include "tex.h"
#include "writers.h"

static void put_string(json *j, const char *key, const char *s)
{
    json_key(j, key);
    json_string(j, s);
}

static void put_formula(const worksheet *w, json *j, const char *key, const char *tex,
                        ah_format format)
{
    json_key(j, key);
    if (!tex) {
        json_null(j);
        return;
    }
    text t = text_begin(w->arena);
    tex_formula(&t, tex, format);
    json_string(j, text_end(&t));
}

static void put_expressions(const worksheet *w, json *j, ah_expr shown, ah_expr exact)
{
    put_string(j, "text", worksheet_print(w, shown, AH_TEXT));
    put_string(j, "latex", worksheet_print(w, shown, AH_LATEX));
    put_string(j, "ascii", worksheet_print(w, exact, AH_ASCII));
}

static void put_entries(const worksheet *w, json *j, const ws_value *v)
{
    json_key(j, "entries");
    if (!v->known) {
        json_null(j);
        return;
    }
    json_array(j);
    for (uint32_t i = 0; i < v->exact.rows; i++) {
        json_array(j);
        for (uint32_t k = 0; k < v->exact.cols; k++)
            json_string(j, worksheet_print(w, mat_get(w->ctx, v->exact, i, k), AH_ASCII));
        json_close(j);
    }
    json_close(j);
}

static void put_quantity(const worksheet *w, json *j, const ws_quantity *q)
{
    const sheet_node *node = sheet_get(w->eq->sheet, q->id);
    json_object(j);
    put_formula(w, j, "name", q->name, AH_TEXT);
    put_formula(w, j, "latex", q->name, AH_LATEX);
    put_formula(w, j, "formula", q->formula, AH_LATEX);
    json_key(j, "rows");
    json_int(j, node->rows);
    json_key(j, "cols");
    json_int(j, node->cols);
    put_entries(w, j, &q->value);
    json_close(j);
}

static void put_side(const worksheet *w, json *j, const char *key, ah_expr shown, ah_expr exact)
{
    json_key(j, key);
    json_object(j);
    put_expressions(w, j, shown, exact);
    json_close(j);
}

static void put_equations(const worksheet *w, json *j, const ws_step *step)
{
    for (uint32_t i = 0; i < worksheet_rows(step); i++) {
        const ah_expr left = worksheet_left(w, step, i);
        const bool symbol = expr_get_op(w->ctx, left) == EXPR_SYMBOL;
        json_object(j);
        put_string(j, "unknown", symbol ? worksheet_print(w, left, AH_ASCII) : NULL);
        put_side(w, j, "left", left,
                 step->left.known ? mat_get(w->ctx, step->left.exact, i, 0) : left);
        put_expressions(w, j, mat_get(w->ctx, step->q.value.shown, i, 0),
                        mat_get(w->ctx, step->q.value.exact, i, 0));
        json_close(j);
    }
}

static void put_variables(const worksheet *w, json *j)
{
    const mat speeds = worksheet_speeds(w);
    json_key(j, "variables");
    json_array(j);
    for (uint32_t i = 0; i < w->model->n; i++)
        json_string(j, worksheet_print(w, w->model->q.at[i], AH_ASCII));
    for (uint32_t i = 0; i < speeds.rows; i++)
        json_string(j, worksheet_print(w, mat_get(w->ctx, speeds, i, 0), AH_ASCII));
    json_close(j);
}

static void put_where(const worksheet *w, json *j)
{
    json_key(j, "where");
    json_array(j);
    for (size_t i = 0; i < w->names.count; i++) {
        const ws_name *name = &w->names.at[i];
        json_object(j);
        put_string(j, "name", worksheet_print(w, name->stands, AH_TEXT));
        put_side(w, j, "left", name->stands, name->stands);
        put_expressions(w, j, name->meaning, name->meaning);
        json_close(j);
    }
    json_close(j);
}

static void put_prose(const worksheet *w, json *j, const char *key, const char *prose,
                      ah_format format)
{
    text t = text_begin(w->arena);
    tex_prose(&t, prose ? prose : "", format);
    json_key(j, key);
    json_string(j, prose ? text_end(&t) : NULL);
}

static void put_steps(const worksheet *w, json *j)
{
    static const char *const kinds[] = {"section", "text", "quantity", "equations", "equations"};
    json_key(j, "steps");
    json_array(j);
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *step = &w->step.at[i];
        json_object(j);
        put_string(j, "kind", kinds[step->kind]);
        put_prose(w, j, "text", step->text, AH_TEXT);
        put_prose(w, j, "latex", step->text, AH_LATEX);
        put_string(j, "paper", step->paper);
        if (step->kind == STEP_QUANTITY) {
            json_key(j, "quantity");
            put_quantity(w, j, &step->q);
        } else if (step->kind == STEP_EQUATIONS || step->kind == STEP_IMPLICIT) {
            json_key(j, "equations");
            json_array(j);
            put_equations(w, j, step);
            json_close(j);
        }
        json_close(j);
    }
    json_close(j);
}

static void put_quantities(const worksheet *w, json *j)
{
    json_key(j, "quantities");
    json_array(j);
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *step = &w->step.at[i];
        if (step->kind == STEP_QUANTITY) put_quantity(w, j, &step->q);
    }
    json_close(j);
}

const char *worksheet_json(const worksheet *w)
{
    json j = json_begin(w->arena);
    json_object(&j);
    put_string(&j, "model", w->model->title);
    put_string(&j, "method", w->eq->formalism->name);
    put_string(&j, "title", w->eq->formalism->title);
    put_variables(w, &j);
    json_key(&j, "equations");
    json_array(&j);
    for (size_t i = 0; i < w->step.count; i++)
        if (w->step.at[i].kind == STEP_EQUATIONS || w->step.at[i].kind == STEP_IMPLICIT)
            put_equations(w, &j, &w->step.at[i]);
    json_close(&j);
    put_quantities(w, &j);
    put_where(w, &j);
    if (w->steps) put_steps(w, &j);
    json_close(&j);
    return json_end(&j);
}
