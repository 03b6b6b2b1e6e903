/* lang/read.c - the public calls: reading models and expressions, printing the stages. */
#include "lang.h"
#include "elaborate.h"

#include <string.h>

/* One reading, whatever it is of. */
typedef struct reading {
    const char *file, *text, *set, *stage;
    size_t length;
    ah_model *model;    /* read, or in whose names an expression is read */
    ah_expr e;          /* the expression read */
    bool of_motion;     /* λ, reactions and outputs may stand in it */
    ah_output *outputs; /* several of them, `most` at most */
    size_t most, count;
    arena *kept; /* where values and ranges go */
    lang_values values;
    lang_varied varied;
    const char *dump; /* the stage printed */
    void (*work)(struct reading *r);
    arena arena;
    lang l;
} reading;

static void clear_arena(void *data)
{
    arena_clear(data);
}

static void work(ah_ctx *ctx, void *arg)
{
    (void) ctx;
    reading *r = arg;
    r->work(r);
}

/* Limits hit below know no place; here it is known what was being read. */
static void read_guarded(ah_ctx *ctx, void *arg)
{
    reading *r = arg;
    ctx_held held;
    arena_init(&r->arena, ctx);
    ctx_hold(ctx, &held, clear_arena, &r->arena);
    r->l = (lang){.ctx = ctx, .arena = &r->arena, .errors = ctx->log->errors};
    const ah_status status = ctx_try(ctx, work, r);
    const ah_span at = r->l.at;
    ctx_drop(ctx, &held);
    if (status == AH_OK || status == AH_E_INPUT) return;
    if (status == AH_E_LIMIT && at.file) {
        diag(ctx, A0901, at, "%s", ctx->log->limit ? ctx->log->limit : ah_status_text(status));
        diag_hint(ctx, "make the model smaller here, or raise the limit");
    }
    ctx_raise(ctx, status);
}

static token_list tokens_of(reading *r, const char *file, const char *bytes, size_t length)
{
    const uint32_t number = source_add(r->l.ctx, file, bytes, length);
    r->l.at = (ah_span){number, 0, 0};
    return lang_tokens(&r->l, number);
}

/* ---- Models ---------------------------------------------------------------------------------- */

static void read_model(reading *r)
{
    lang *l = &r->l;
    const token_list tokens = tokens_of(r, r->file, r->text, r->length);
    const syntax *model = lang_parse_model(l, &tokens), *settings = NULL;
    if (r->set) {
        const token_list given = tokens_of(r, "--set", r->set, strlen(r->set));
        settings = lang_parse_settings(l, &given);
    }
    ah_model *m = model_create(l->ctx);
    m->file = tokens.file;
    if (r->set) m->settings = arena_strdup(&m->ctx->job, r->set);
    lang_elaborate(l, m, model, settings);
    if (l->ctx->log->errors == l->errors) r->model = m;
}

ah_status lang_read(ah_ctx *ctx, const char *file, const char *bytes, size_t length,
                    const char *set, ah_model **model)
{
    reading r = {.file = file, .text = bytes, .length = length, .set = set, .work = read_model};
    const ah_status status = ctx_guard(ctx, read_guarded, &r);
    *model = r.model;
    return status;
}

ah_status ah_read(ah_ctx *ctx, const char *file, const char *bytes, size_t length, const char *set,
                  ah_model **model)
{
    if (!model) return AH_E_INPUT;
    *model = NULL;
    if (!ctx || (!bytes && length)) return AH_E_INPUT;
    ah_ctx *inside = ctx_create_inside(ctx);
    if (!inside) return AH_E_MEMORY;
    const ah_status status = lang_read(inside, file, bytes, length, set, model);
    if (!*model) ctx_destroy_inside(inside);
    return status;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

static reading reading_of(ah_model *m, const char *what, const char *bytes, void (*how)(reading *r))
{
    return (reading){.file = what, .text = bytes, .length = strlen(bytes), .model = m, .work = how};
}

static void read_expression(reading *r)
{
    const token_list tokens = tokens_of(r, r->file, r->text, r->length);
    const syntax *s = lang_parse_expression(&r->l, &tokens);
    if (s) r->e = lang_elaborate_expression(&r->l, r->model, s, r->of_motion);
}

static ah_status read_in(ah_model *m, const char *what, const char *bytes, bool of_motion,
                         ah_expr *out)
{
    if (out) *out = AH_NONE;
    if (!m || !bytes || !out) return AH_E_INPUT;
    reading r = reading_of(m, what, bytes, read_expression);
    r.of_motion = of_motion;
    const ah_status status = ctx_guard(m->ctx, read_guarded, &r);
    *out = status == AH_OK ? r.e : AH_NONE;
    return status;
}

ah_status ah_read_expression(ah_model *m, const char *what, const char *bytes, ah_expr *out)
{
    return read_in(m, what, bytes, false, out);
}

ah_status ah_read_output(ah_model *m, const char *what, const char *bytes, ah_expr *out)
{
    return read_in(m, what, bytes, true, out);
}

static void too_many(reading *r, const syntax *first)
{
    diag(r->l.ctx, A0106, first->span, "more than %zu expressions", r->most);
    diag_hint(r->l.ctx, "take some of them elsewhere");
}

/* change(e) is no function of the language: it speaks of a whole motion. */
static bool is_change(const ah_model *m, const syntax *s)
{
    return s->kind == SYNTAX_CALL && s->count == 1 && !s->primes &&
           !strcmp(s->name->text, "change") && !model_find(m, s->name->text);
}

static void read_outputs(reading *r)
{
    const token_list tokens = tokens_of(r, r->file, r->text, r->length);
    const syntax *list = lang_parse_expressions(&r->l, &tokens);
    for (size_t i = 0; list && i < list->count; i++) {
        if (i == r->most) {
            too_many(r, list->child[i]);
            return;
        }
        ah_output *out = &r->outputs[r->count++];
        const syntax *s = list->child[i];
        out->change = is_change(r->model, s);
        if (out->change) s = s->child[0];
        out->e = lang_elaborate_expression(&r->l, r->model, s, true);
        out->text =
            arena_strndup(&r->l.ctx->job, r->text + s->span.begin, s->span.end - s->span.begin);
    }
}

ah_status ah_read_outputs(ah_model *m, const char *what, const char *bytes, size_t most,
                          ah_output *out, size_t *count)
{
    if (count) *count = 0;
    if (!m || !bytes || !count || (!out && most)) return AH_E_INPUT;
    reading r = reading_of(m, what, bytes, read_outputs);
    r.outputs = out;
    r.most = most;
    const ah_status status = ctx_guard(m->ctx, read_guarded, &r);
    *count = status == AH_OK ? r.count : 0;
    return status;
}

/* ---- States and ranges ----------------------------------------------------------------------- */

static ah_expr elaborated(reading *r, const syntax *s)
{
    return lang_elaborate_expression(&r->l, r->model, s, false);
}

/* Of a state or of inputs one value would be lost, and nobody could tell which was meant. */
static void given_twice(reading *r, diag_code code, const syntax *first, const syntax *again)
{
    const ah_span at = again->child[0]->span;
    diag(r->l.ctx, code, again->span, "`%.*s` is given twice", (int) (at.end - at.begin),
         r->text + at.begin);
    diag_note(r->l.ctx, first->span, "the first one here");
    diag_hint(r->l.ctx, "leave one of them out");
}

static void read_values(reading *r)
{
    const token_list tokens = tokens_of(r, r->file, r->text, r->length);
    const char *usage =
        arena_printf(&r->arena, "write, for example, %s \"t=0, x=1, x'=0.5\"", r->file);
    const syntax *list = lang_parse_values(&r->l, &tokens, usage);
    for (size_t i = 0; list && i < list->count; i++) {
        const syntax *s = list->child[i];
        const ah_expr symbol = elaborated(r, s->child[0]), given = elaborated(r, s->child[1]);
        for (size_t k = 0; k < i && symbol != AH_NONE; k++)
            if (r->values.at[k].symbol == symbol) given_twice(r, A0604, list->child[k], s);
        LIST_PUSH(r->kept, &r->values, ((model_value){symbol, given, s->span, AH_NONE}));
    }
}

bool lang_read_values(ah_model *m, const char *what, const char *bytes, arena *a, lang_values *out)
{
    reading r = reading_of(m, what, bytes, read_values);
    r.kept = a;
    const ah_status status = ctx_guard(m->ctx, read_guarded, &r);
    *out = r.values;
    return status == AH_OK;
}

static void read_inputs(reading *r)
{
    const token_list tokens = tokens_of(r, r->file, r->text, r->length);
    const char *usage = arena_printf(
        &r->arena, "write, for example, %s \"u=sin(t)\" or u=FILE.csv:COLUMN", r->file);
    const syntax *list = lang_parse_values(&r->l, &tokens, usage);
    for (size_t i = 0; list && i < list->count; i++) {
        const syntax *s = list->child[i], *target = s->child[0];
        const bool named = target->kind == SYNTAX_NAME && !target->primes;
        const ah_expr given = named ? elaborated(r, s->child[1]) : AH_NONE;
        if (!named) {
            diag(r->l.ctx, A0425, target->span, "this is no name of an input");
            diag_hint(r->l.ctx, "%s", usage);
        } else if (given != AH_NONE) {
            for (size_t k = 0; k < i; k++)
                if (list->child[k]->child[0]->name == target->name)
                    given_twice(r, A0425, list->child[k], s);
            model_set_input(r->model, target->name->text, given, s->span);
        }
    }
}

ah_status ah_read_inputs(ah_model *m, const char *what, const char *bytes)
{
    if (!m || !what || !bytes) return AH_E_INPUT;
    reading r = reading_of(m, what, bytes, read_inputs);
    return ctx_guard(m->ctx, read_guarded, &r);
}

/* 0: no whole number, or too many. */
static size_t count_of(const reading *r, const syntax *s)
{
    size_t n = 0;
    for (uint32_t i = s->span.begin; i < s->span.end; i++) {
        const char c = r->text[i];
        if (c < '0' || c > '9') return 0;
        n = 10 * n + (size_t) (c - '0');
        if (n > LANG_VARIED_MOST) return 0;
    }
    return n;
}

static void read_varied(reading *r)
{
    const token_list tokens = tokens_of(r, r->file, r->text, r->length);
    const char *usage = arena_printf(&r->arena, "write, for example, %s \"x'=0..10:201\"", r->file);
    const syntax *s = lang_parse_varied(&r->l, &tokens, usage);
    if (!s) return;
    const ah_span at = s->child[0]->span;
    r->varied = (lang_varied){
        .name = arena_strndup(r->kept, r->text + at.begin, at.end - at.begin),
        .symbol = elaborated(r, s->child[0]),
        .from = elaborated(r, s->child[1]),
        .to = elaborated(r, s->child[2]),
        .span = s->span,
        .name_span = at,
    };
    if (!s->child[3]) return;
    r->varied.count = count_of(r, s->child[3]);
    if (r->varied.count) return;
    diag(r->l.ctx, A0622, s->child[3]->span, "this is no number of values from 1 to %d",
         LANG_VARIED_MOST);
    diag_hint(r->l.ctx, "%s", usage);
}

bool lang_read_varied(ah_model *m, const char *what, const char *bytes, arena *a, lang_varied *out)
{
    reading r = reading_of(m, what, bytes, read_varied);
    r.kept = a;
    const ah_status status = ctx_guard(m->ctx, read_guarded, &r);
    *out = r.varied;
    return status == AH_OK;
}

/* ---- Stages ---------------------------------------------------------------------------------- */

static void dump_tokens(reading *r, text *out)
{
    const token_list tokens = tokens_of(r, r->file, r->text, r->length);
    lang_print_tokens(&r->l, out, &tokens);
}

static void dump_syntax(reading *r, text *out)
{
    const token_list tokens = tokens_of(r, r->file, r->text, r->length);
    lang_print_syntax(&r->l, out, lang_parse_model(&r->l, &tokens));
}

static void dump_model(reading *r, text *out)
{
    read_model(r);
    if (r->model) text_add(out, model_print(r->model, &r->arena));
}

static void dump_graph(reading *r, text *out)
{
    read_model(r);
    if (r->model) lang_print_graph(r->model, out);
}

static void dump_names(reading *r, text *out)
{
    read_model(r);
    if (r->model) lang_print_names(r->model, out);
}

static const struct {
    const char *name;
    void (*dump)(reading *r, text *out);
} stages[] = {
#define X(name, function) {name, function},
#include "stages.def"
#undef X
};

const char *ah_reading_stages(void)
{
    static const char names[] =
#define X(name, function) "|" name
#include "stages.def"
#undef X
        ;
    return names + 1; /* without the first bar */
}

static void dump(reading *r)
{
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        if (strcmp(stages[i].name, r->stage)) continue;
        text out = text_begin(&r->l.ctx->job);
        stages[i].dump(r, &out);
        r->dump = text_end(&out);
        return;
    }
    diag(r->l.ctx, A0305, NOWHERE, "there is no stage `%s`", r->stage);
    diag_hint(r->l.ctx, "the stages of reading are %s", ah_reading_stages());
}

ah_status ah_dump(ah_ctx *ctx, const char *file, const char *bytes, size_t length, const char *set,
                  const char *stage, const char **out)
{
    if (out) *out = NULL;
    if (!ctx || !stage || !out || (!bytes && length)) return AH_E_INPUT;
    reading r = {
        .file = file, .text = bytes, .length = length, .set = set, .stage = stage, .work = dump};
    const ah_status status = ctx_guard(ctx, read_guarded, &r);
    *out = r.dump;
    return status;
}
