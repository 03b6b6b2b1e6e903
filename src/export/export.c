/* export/export.c - a model's files in a language. */
#include "export.h"

#include "exported.h"
#include "fmu.h"

#include <math.h>
#include <string.h>

ah_export_options ah_export_defaults(void)
{
    return (ah_export_options){.size = sizeof(ah_export_options), .fmi = 3};
}

const char *ah_export_languages(void)
{
    return "c|js|python|octave|fmu";
}

typedef struct exporting {
    ah_model *model;
    const char *language;
    ah_export_options options;
    ah_system *system;
    const language *l;
    ah_export *out;
    ah_status status;
} exporting;

/* ---- What can be written --------------------------------------------------------------------- */

static bool refuse(exporting *w, const char *why)
{
    diag(w->model->ctx, A0502, NOWHERE, "%s: %s", ah_system_method(w->system), why);
    w->status = AH_E_REFUSED;
    return false;
}

static bool has_formulas(exporting *w)
{
    const motion_code *c = system_code(system_in_pieces(w->system));
    if (c->program[MOTION_RHS]) return true;
    return refuse(w, "the equations are too large for formulas: they can be solved by pivoting "
                     "alone, which is not exported");
}

static bool find_language(exporting *w)
{
    ah_ctx *ctx = w->model->ctx;
    const bool fmu = !strcmp(w->language, "fmu");
    const language *l = export_languages;
    while (l->name && strcmp(l->name, fmu ? "c" : w->language)) l++;
    if (!l->name) {
        diag(ctx, A0701, NOWHERE, "there is no export to `%s`", w->language);
        diag_hint(ctx, "it is one of %s", ah_export_languages());
        return false;
    }
    if (w->options.single && (fmu || l != export_languages)) {
        diag(ctx, A0701, NOWHERE, "single precision is for C alone");
        return false;
    }
    if (fmu && w->options.linear) {
        diag(ctx, A0701, NOWHERE, "an FMU has no place for a linear model");
        diag_hint(ctx, "importers ask it for directional derivatives");
        return false;
    }
    if (fmu && w->options.fmi != 2 && w->options.fmi != 3) {
        diag(ctx, A0701, NOWHERE, "there is no version %u of FMI: it is 2 or 3", w->options.fmi);
        return false;
    }
    w->l = w->options.single ? &export_float : l;
    return true;
}

static bool check_name(exporting *w)
{
    ah_ctx *ctx = w->model->ctx;
    const char *name = w->options.name ? w->options.name : "model";
    const char *id = export_identifier(ctx, &ctx->scratch, w->l, name, NULL);
    w->options.name = name;
    const bool used = export_is_among(w->l->used, name);
    if (!strcmp(id, name) && !used) return true;
    if (used)
        diag(ctx, A0702, NOWHERE, "`%s` is what the module itself makes use of", name);
    else if (export_is_among(w->l->reserved, name))
        diag(ctx, A0702, NOWHERE, "`%s` is a word of the language: nothing can be called so", name);
    else
        diag(ctx, A0702, NOWHERE, "`%s` cannot be the name of a module", name);
    diag_hint(ctx, "another one, --name=%s_model", id);
    return false;
}

/* In single precision 1e-50 would be 0, 1e50 infinite. */
static bool is_float(double x)
{
    return !isfinite(x) || (isfinite((float) x) && ((float) x != 0) == (x != 0));
}

static bool fits(exporting *w, const char *name, double x)
{
    if (is_float(x)) return true;
    ah_ctx *ctx = w->model->ctx;
    const char *is = name ? " = " : "";
    diag(ctx, A0502, NOWHERE, "%s%s%g is no number of single precision: 1.4e-45 to 3.4e+38",
         name ? name : "", is, x);
    diag_hint(ctx, "other units, or --real=double");
    w->status = AH_E_REFUSED;
    return false;
}

static bool items_fit(exporting *w, const exported_items *list)
{
    for (size_t i = 0; i < list->count; i++)
        if (!fits(w, list->at[i].name, list->at[i].value)) return false;
    return true;
}

/* The least pivot is another one in single precision. */
static void take_least_pivot(const exporting *w, exported *e)
{
    for (uint32_t i = 0; w->options.single && i < e->prepare->numbers; i++)
        if (e->prepare->constants.at[i] == PROGRAM_LEAST_PIVOT)
            e->prepare->constants.at[i] = PROGRAM_LEAST_PIVOT_SINGLE;
}

/* Every number of the model that the text would have. */
static bool numbers_fit(exporting *w, const exported *e)
{
    const program *p = e->prepare;
    if (!w->options.single) return true;
    if (!items_fit(w, &e->parameters) || !items_fit(w, &e->states) || !items_fit(w, &e->inputs))
        return false;
    if (e->started && !(fits(w, "t", e->t0) && fits(w, "t", e->t1))) return false;
    for (uint32_t i = 0; i < p->numbers; i++)
        if (!fits(w, NULL, p->constants.at[i])) return false;
    return true;
}

/* ---- Files ----------------------------------------------------------------------------------- */

/* NAME.h is skate.h. */
static const char *file_name(arena *a, const char *pattern, const char *name)
{
    return strncmp(pattern, "NAME", 4) ? pattern : arena_printf(a, "%s%s", name, pattern + 4);
}

static void write_files(exporting *w, exported *e)
{
    arena *a = e->arena;
    LIST(ah_file) files = {0};
    for (const char *const *f = w->l->files; *f; f++) {
        const char *written = export_template(e, *f);
        if (!*written) continue; /* the example of a model without a start */
        const ah_file file = {file_name(a, *f, e->name), written, strlen(written)};
        LIST_PUSH(a, &files, file);
    }
    w->out->file = files.at;
    w->out->files = files.count;
}

static void write_all(ah_ctx *ctx, void *arg)
{
    exporting *w = arg;
    exported e = {.ctx = ctx,
                  .arena = &ctx->job,
                  .linear = w->options.linear,
                  .linear_of = w->options.linear_of};
    w->out = NEW(&ctx->job, ah_export);
    export_create(&e, w->system, w->l, w->options.name);
    take_least_pivot(w, &e);
    if (!numbers_fit(w, &e)) return;
    if (strcmp(w->language, "fmu"))
        write_files(w, &e);
    else if (!export_fmu(&e, &w->options, w->out))
        w->status = AH_E_REFUSED;
}

static void choose(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    if (find_language(arg)) check_name(arg);
}

static ah_status make_system(exporting *w)
{
    ah_system_options o = ah_system_defaults();
    o.method = w->options.method;
    o.engine = "interpret";
    o.jacobians = o.lasting = true;
    return ah_system_create(w->model, &o, &w->system);
}

ah_status ah_export_model(ah_model *m, const char *name, const ah_export_options *options,
                          const ah_export **out)
{
    if (out) *out = NULL;
    if (!m || !name || !out) return AH_E_INPUT;
    exporting w = {.model = m, .language = name, .options = ah_export_defaults()};
    if (!base_take_options(m->ctx, &w.options, sizeof w.options, options)) return AH_E_INPUT;
    ah_status status = model_guard(m, choose, &w);
    if (status == AH_OK) status = make_system(&w);
    if (status != AH_OK) return status;
    if (has_formulas(&w)) status = model_guard(m, write_all, &w);
    ah_system_destroy(w.system);
    if (status == AH_OK && w.status == AH_OK) *out = w.out;
    return w.status != AH_OK ? w.status : status;
}

const char *export_javascript(const ah_system *s, arena *a, const char *name)
{
    const language *l = export_languages;
    while (strcmp(l->name, "js")) l++;
    exported e = {.ctx = system_model(s)->ctx, .arena = a, .inside = true};
    if (!system_code(system_in_pieces(s))->program[MOTION_RHS]) return NULL;
    export_create(&e, s, l, name);
    return export_template(&e, "NAME.js");
}
