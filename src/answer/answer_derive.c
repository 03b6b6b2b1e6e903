/* answer/answer_derive.c - `anholo derive`: a derivation in the format asked for. */
#include <anholo/derive.h>

#include "../typeset/typeset.h"

ah_derive_options ah_derive_defaults(void)
{
    return (ah_derive_options){0};
}

typedef struct request {
    ah_model *model;
    const ah_derive_options *options;
    ah_format format;
    const char *out;
    bool refused;
} request;

static ah_equations *derived(ah_ctx *ctx, request *r, const formalism *f)
{
    const derive_options options = {.orthonormal = r->options->orthonormal,
                                    .compare_reduced = r->options->compare_reduced};
    const char *why = NULL, *instead = NULL;
    ah_equations *eq = derive_equations(r->model, f, &options, &why, &instead);
    if (eq) return eq;
    r->refused = true;
    diag(ctx, A0502, NOWHERE, "%s: %s", f->name, why);
    if (instead) diag_hint(ctx, "use --method %s", instead);
    return NULL;
}

static void run_derive(ah_ctx *ctx, void *arg)
{
    request *r = arg;
    const char *name = r->options->method;
    const formalism *f =
        name ? derive_find_or_report(ctx, name) : derive_default(derive_mechanics(r->model));
    const ah_equations *eq = f ? derived(ctx, r, f) : NULL;
    if (!eq) return;
    const worksheet *w = worksheet_make(eq, r->options->steps ? WORKSHEET_STEPS : WORKSHEET_RESULT);
    r->out = worksheet_write(w, r->format);
    if (r->out) return;
    r->refused = true;
    diag(ctx, A0612, NOWHERE, "a derivation is not written in this format");
    diag_hint(ctx, "one of %s", worksheet_formats());
}

ah_status ah_derive(ah_model *m, const ah_derive_options *options, ah_format format,
                    const char **out)
{
    const ah_derive_options defaults = ah_derive_defaults();
    request r = {.model = m, .options = options ? options : &defaults, .format = format};
    const ah_status status = model_guard(m, run_derive, &r);
    *out = r.out;
    return r.refused ? AH_E_REFUSED : status;
}

const char *ah_derive_formats(void)
{
    return worksheet_formats();
}

bool ah_find_derive_format(const char *name, ah_format *format)
{
    return worksheet_find_format(name, format);
}

size_t ah_method_count(void)
{
    size_t count = 0;
    while (derive_formalisms[count]) count++;
    return count;
}

const char *ah_method_name(size_t index)
{
    return derive_formalisms[index]->name;
}

const char *ah_method_title(size_t index)
{
    return derive_formalisms[index]->title;
}
