/* t_files.c - the language, file by file: tests/language/good with `# expect KEY = VALUE`,
 * tests/language/bad with `# error CODE line:column`, and all of tests/reference.
 *
 * Keys: title, source; counts (n, parameters, lets, …); coordinates; `parameter a`, `force x`,
 * `constraint label`, `rate x`, `quasi w`, `start x'`, `output n`, `claim label`, `fact i`, `T`,
 * `V`: expressions, equal as functions to the value read by ah_read_expression (constraints and
 * claims: left − right); `class label`; `label i`; `positive i` of a fact; `span`; `equal e1 = e2`;
 * `body f` as text; `says label`: what a
 * claim says, as it is printed; `set` is what the model is read with. */
#include "ah_files.h"
#include "lang/lang.h"
#include "harness.h"
#include "model/model.h"
#include <anholo/lang.h>

#include <math.h>
#include <string.h>

typedef struct checked {
    const ah_file *file;
    ah_model *m;
    bool known; /* the key was understood */
} checked;

/* A failed check names the file and what was expected. */
static bool check(const checked *c, bool good, const char *key, const char *got)
{
    static char message[400];
    snprintf(message, sizeof message, "expect %s%s%s", key, got ? ": got " : "", got ? got : "");
    return harness_check(good, c->file->path, 1, message);
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* At random values of all symbols; unspecified functions cannot be evaluated: those must be the
 * same graph. */
static bool equal(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    if (a == b) return true;
    const ah_expr both[] = {a, b};
    const expr_list symbols = expr_symbols(ctx, &ctx->job, both, 2);
    double *values = NEW_ARRAY(&ctx->job, double, symbols.count);
    for (int trial = 0; trial < 3; trial++) {
        for (size_t i = 0; i < symbols.count; i++) values[i] = harness_uniform(0.3, 1.7);
        const double x = ah_evaluate(ctx, a, symbols.count, symbols.at, values);
        const double y = ah_evaluate(ctx, b, symbols.count, symbols.at, values);
        if (!(fabs(x - y) <= 1e-11 * (1 + fabs(x) + fabs(y)))) return false;
    }
    return true;
}

static void check_expression(checked *c, const char *key, const char *value, ah_expr got)
{
    ah_ctx *ctx = c->m->ctx;
    ah_expr want = AH_NONE;
    c->known = true;
    if (!strcmp(value, "none")) {
        check(c, got == AH_NONE, key, NULL);
        return;
    }
    ah_read_expression(c->m, key, value, &want);
    if (!check(c, want != AH_NONE && got != AH_NONE, key, "nothing")) return;
    check(c, equal(ctx, got, want), key, ah_print(ctx, got, AH_ASCII));
}

/* "symbols M[1,2] lambda[1]": exactly these names of the derivation. */
static void check_symbols(checked *c, const char *key, const char *names, ah_expr e)
{
    ah_ctx *ctx = c->m->ctx;
    const expr_list symbols = expr_symbols(ctx, &ctx->job, &e, 1);
    size_t wanted = 0;
    for (const char *p = names; *p; p += strcspn(p, " "), p += strspn(p, " ")) wanted++;
    c->known = true;
    check(c, wanted == symbols.count, key, "another number of symbols");
    for (size_t i = 0; i < symbols.count; i++) {
        const char *name = expr_get_name(ctx, symbols.at[i]);
        const char *found = strstr(names, name);
        const size_t n = strlen(name);
        check(c, expr_get_kind(ctx, symbols.at[i]) == AH_DERIVED && found && strchr(" ", found[n]),
              key, name);
    }
}

/* ---- Keys ------------------------------------------------------------------------------------ */

static void check_text(checked *c, const char *key, const char *want, const char *got)
{
    c->known = true;
    check(c, got && !strcmp(got, want), key, got ? got : "nothing");
}

static void check_counts(checked *c, const char *key, const char *want)
{
    const ah_model *m = c->m;
    size_t refutes = 0;
    for (size_t i = 0; i < m->claims.count; i++) refutes += m->claims.at[i].refute;
    const struct {
        const char *key;
        size_t count;
    } counts[] = {
        {"n", m->n},
        {"parameters", m->parameters.count},
        {"functions", m->functions.count},
        {"lets", m->lets.count},
        {"parts", m->parts.count},
        {"constraints", m->constraints.count},
        {"speeds", m->speeds.count},
        {"quasivelocities", m->quasivelocities.count},
        {"facts", m->facts.count},
        {"outputs", m->outputs.count},
        {"units", m->units.count},
        {"drawings", m->drawings.count},
        {"events", m->events.count},
        {"claims", m->claims.count - refutes},
        {"refutes", refutes},
    };
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        if (!strcmp(key, counts[i].key))
            check_text(c, key, want, arena_printf(&m->ctx->job, "%zu", counts[i].count));
}

static void check_texts(checked *c, const char *key, const char *want)
{
    ah_ctx *ctx = c->m->ctx;
    text names = text_begin(&ctx->job);
    for (uint32_t i = 0; i < c->m->n; i++)
        text_printf(&names, "%s%s", i ? ", " : "", expr_get_name(ctx, c->m->q.at[i]));
    if (!strcmp(key, "coordinates")) check_text(c, key, want, text_end(&names));
    if (!strcmp(key, "title")) check_text(c, key, want, c->m->title);
    if (!strcmp(key, "source")) check_text(c, key, want, c->m->source);
    if (!strcmp(key, "set")) c->known = true;
}

static const char *class_of(ah_ctx *ctx, const model_constraint *k)
{
    const char *kind = k->order == MODEL_HOLONOMIC      ? "holonomic"
                       : k->order == MODEL_ACCELERATION ? "second class"
                       : !k->linear                     ? "non-linear"
                       : k->affine                      ? "affine"
                                                        : "linear";
    return arena_printf(&ctx->job, "%s%s", kind, k->rheonomic ? " rheonomic" : "");
}

static const char *after(const char *key, const char *word)
{
    const size_t n = strlen(word);
    return !strncmp(key, word, n) && key[n] == ' ' ? key + n + 1 : NULL;
}

static ah_expr minus(ah_ctx *ctx, ah_expr a, ah_expr b)
{
    return ah_sub(ctx, a, b);
}

static void check_constraint(checked *c, const char *key, const char *want)
{
    ah_ctx *ctx = c->m->ctx;
    for (size_t i = 0; i < c->m->constraints.count; i++) {
        const model_constraint *k = &c->m->constraints.at[i];
        const char *label = after(key, "constraint");
        if (label && !strcmp(label, k->label))
            check_expression(c, key, want, minus(ctx, k->left, k->right));
        label = after(key, "class");
        if (label && !strcmp(label, k->label)) check_text(c, key, want, class_of(ctx, k));
        if (!strcmp(key, arena_printf(&ctx->job, "label %zu", i + 1)))
            check_text(c, key, want, k->label);
    }
}

static void check_named(checked *c, const char *key, const char *want)
{
    ah_model *m = c->m;
    ah_ctx *ctx = m->ctx;
    const char *name;
    if ((name = after(key, "parameter")))
        for (size_t i = 0; i < m->parameters.count; i++)
            if (!strcmp(m->parameters.at[i].name, name))
                check_expression(c, key, want, m->parameters.at[i].value);
    for (uint32_t i = 0; i < m->n; i++) {
        const char *q = expr_get_name(ctx, m->q.at[i]);
        if ((name = after(key, "force")) && !strcmp(name, q))
            check_expression(c, key, want, m->F[i]);
        if ((name = after(key, "rate")) && !strcmp(name, q))
            check_expression(c, key, want, m->psi.at[i]);
    }
    if ((name = after(key, "quasi")))
        for (size_t i = 0; i < m->quasivelocities.count; i++)
            if (!strcmp(m->quasivelocities.at[i].name, name))
                check_expression(c, key, want, m->quasivelocities.at[i].definition);
    if ((name = after(key, "start")))
        for (size_t i = 0; i < m->start.count; i++)
            if (!strcmp(ah_print(ctx, m->start.at[i].symbol, AH_ASCII), name))
                check_expression(c, key, want, m->start.at[i].value);
    if ((name = after(key, "output")))
        for (size_t i = 0; i < m->outputs.count; i++)
            if (!strcmp(m->outputs.at[i].name, name))
                check_expression(c, key, want, m->outputs.at[i].e);
    if ((name = after(key, "unit")) && model_unit_of(m, name))
        check_text(c, key, want, model_unit_of(m, name));
    if ((name = after(key, "body")))
        for (size_t i = 0; i < m->functions.count; i++)
            if (!strcmp(m->functions.at[i].name, name))
                check_text(c, key, want, ah_print(ctx, m->functions.at[i].body, AH_ASCII));
}

/* "event N" is the expression, "how N" the label and what happens. */
static void check_event(checked *c, const char *key, const char *want)
{
    ah_ctx *ctx = c->m->ctx;
    for (size_t i = 0; i < c->m->events.count; i++) {
        const model_event *e = &c->m->events.at[i];
        if (!strcmp(key, arena_printf(&ctx->job, "event %zu", i + 1))) {
            if (after(want, "symbols"))
                check_symbols(c, key, after(want, "symbols"), e->e);
            else
                check_expression(c, key, want, e->e);
        }
        if (!strcmp(key, arena_printf(&ctx->job, "how %zu", i + 1)))
            check_text(c, key, want,
                       arena_printf(&ctx->job, "%s %s %d", e->stop ? "stop" : "record", e->label,
                                    e->direction));
    }
}

static void check_claim(checked *c, const char *key, const char *want)
{
    const char *label = after(key, "claim");
    for (size_t i = 0; label && i < c->m->claims.count; i++) {
        const model_claim *k = &c->m->claims.at[i];
        if (strcmp(k->label, label)) continue;
        const ah_expr difference = minus(c->m->ctx, k->left, k->right);
        if (after(want, "symbols"))
            check_symbols(c, key, after(want, "symbols"), difference);
        else
            check_expression(c, key, want, difference);
    }
}

static void check_says(checked *c, const char *key, const char *want)
{
    const char *label = after(key, "says");
    if (!label) return;
    char *all = arena_printf(&c->m->ctx->job, "%s", model_print(c->m, &c->m->ctx->job));
    char *at = strstr(all, arena_printf(&c->m->ctx->job, "\"%s\": ", label));
    if (!at) return;
    at += strlen(label) + strlen("\"\": ");
    at[strcspn(at, "\n")] = 0;
    check_text(c, key, want, at);
}

static void check_rest(checked *c, const char *key, const char *want)
{
    ah_model *m = c->m;
    ah_ctx *ctx = m->ctx;
    if (!strcmp(key, "T")) check_expression(c, key, want, m->T);
    if (!strcmp(key, "V")) check_expression(c, key, want, m->V);
    const char *rest = after(key, "equal");
    ah_expr left = AH_NONE;
    if (rest && ah_read_expression(m, key, rest, &left) == AH_OK)
        check_expression(c, key, want, left);
    for (size_t i = 0; i < m->facts.count; i++)
        if (!strcmp(key, arena_printf(&ctx->job, "fact %zu", i + 1)))
            check_expression(c, key, want, m->facts.at[i].e);
    for (size_t i = 0; i < m->facts.count; i++)
        if (!strcmp(key, arena_printf(&ctx->job, "positive %zu", i + 1)))
            check_text(c, key, want, m->facts.at[i].positive ? "yes" : "no");
    const char *to = strstr(want, " .. ");
    if (!strcmp(key, "span") && to) {
        check_expression(c, key, arena_strndup(&ctx->job, want, (size_t) (to - want)), m->t0);
        check_expression(c, key, to + 4, m->t1);
    }
}

/* ---- Good files ------------------------------------------------------------------------------ */

static const char *setting(const ah_file *file)
{
    for (size_t i = 0; i < file->expects; i++)
        if (!strcmp(file->expect[i].key, "set")) return file->expect[i].value;
    return NULL;
}

static void run_good(const ah_file *file, void *user)
{
    (void) user;
    ah_ctx *ctx = ah_ctx_create(NULL);
    checked c = {.file = file};
    const ah_status status =
        lang_read(ctx, file->path, file->text, file->length, setting(file), &c.m);
    if (!harness_check(status == AH_OK && c.m, file->path, 1, ah_diagnostics_text(ctx, false))) {
        ah_ctx_destroy(ctx);
        return;
    }
    harness_check(c.m->finished, file->path, 1, "the model is finished");
    for (size_t i = 0; i < file->expects; i++) {
        const char *key = file->expect[i].key, *want = file->expect[i].value;
        c.known = false;
        check_counts(&c, key, want);
        check_texts(&c, key, want);
        check_constraint(&c, key, want);
        check_named(&c, key, want);
        check_event(&c, key, want);
        check_claim(&c, key, want);
        check_says(&c, key, want);
        check_rest(&c, key, want);
        check(&c, c.known, key, "nothing of this kind");
        harness_check(ah_ctx_status(ctx) == AH_OK, file->path, 1, ah_diagnostics_text(ctx, false));
        ah_ctx_reset_status(ctx);
    }
    ah_ctx_destroy(ctx);
}

TEST(good_files)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/language/good", harness_source_dir());
    CHECK(ah_files_each(path, run_good, NULL) >= 20);
}

static void run_reference(const ah_file *file, void *user)
{
    (void) user;
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m;
    const ah_status status = lang_read(ctx, file->path, file->text, file->length, NULL, &m);
    harness_check(status == AH_OK && m && ah_diagnostic_count(ctx) == 0, file->path, 1,
                  ah_diagnostics_text(ctx, false));
    ah_ctx_destroy(ctx);
}

TEST(reference_files)
{
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/reference", harness_source_dir());
    CHECK_INT(ah_files_each(path, run_reference, NULL), 66);
}

/* ---- Bad files ------------------------------------------------------------------------------- */

/* The codes of this module that were seen. */
typedef struct seen {
    size_t count;
    char codes[400][8];
} seen;

static bool is_expected(const ah_file *file, const ah_ctx *ctx, const ah_diagnostic *d)
{
    const ah_place at = ah_span_place(ctx, d->span);
    for (size_t i = 0; i < file->errors; i++) {
        const ah_file_expectation *e = &file->error[i];
        if (!strcmp(e->code, d->code) && e->line == at.line && e->column == at.column &&
            e->warning == (d->severity == AH_WARNING))
            return true;
    }
    return false;
}

/* Each error of the language comes with a hint at the repair. */
static bool has_hint(const ah_ctx *ctx, size_t i)
{
    const ah_diagnostic *d;
    while ((d = ah_diagnostic_get(ctx, ++i)) && !d->code)
        if (d->severity == AH_HINT) return true;
    return false;
}

static void run_bad(const ah_file *file, void *user)
{
    seen *all = user;
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m;
    const ah_status status =
        lang_read(ctx, file->path, file->text, file->length, setting(file), &m);
    harness_check(status != AH_OK && !m, file->path, 1, "refused");
    size_t found = 0;
    for (size_t i = 0; i < ah_diagnostic_count(ctx); i++) {
        const ah_diagnostic *d = ah_diagnostic_get(ctx, i);
        if (!d->code) continue;
        const bool ours = d->code[1] == '0' && d->code[2] <= '3';
        bool good =
            harness_check(is_expected(file, ctx, d), file->path, 1, "the error is expected");
        if (ours) good &= harness_check(has_hint(ctx, i), file->path, 1, "the error has a hint");
        if (!good) printf("# %s", ah_diagnostics_text(ctx, false));
        if (all->count < 400) snprintf(all->codes[all->count++], 8, "%s", d->code);
        found++;
    }
    harness_check(found == file->errors, file->path, 1, "as many errors as expected");
    ah_ctx_destroy(ctx);
}

static bool was_seen(const seen *all, const char *code)
{
    for (size_t i = 0; i < all->count; i++)
        if (!strcmp(all->codes[i], code)) return true;
    return false;
}

TEST(bad_files)
{
    static const char *const codes[] = {
#define X(code, severity, meaning) #code,
#include "base/errors.def"
#undef X
    };
    static seen all;
    all.count = 0;
    char path[1000];
    snprintf(path, sizeof path, "%s/tests/language/bad", harness_source_dir());
    CHECK(ah_files_each(path, run_bad, &all) >= 60);
    for (size_t i = 0; i < sizeof codes / sizeof *codes; i++) {
        const bool elsewhere = !strcmp(codes[i], "A0305"); /* t_read.c */
        if (codes[i][2] <= '3' && !elsewhere)
            harness_check(was_seen(&all, codes[i]), path, 1, codes[i]);
    }
}
