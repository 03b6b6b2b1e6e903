/* export/template.c - templates: text with places to be filled.
 *
 *     $key$                 a value: a name, a number of the system, a block of formulas
 *     $count.outputs$       how many there are; $room.outputs$ is at least 1
 *     $0.9$, $fabs$         a number and a function in the words of the language
 *     $$each outputs        the lines up to $$end, for every one
 *     $$if outputs          the lines up to $$end, where there are any; $$unless: where there are none
 */
#include "../integrate/integrate.h"
#include "exported.h"

#include <assert.h>
#include <math.h>
#include <string.h>

/* Where the filling is. */
typedef struct filling {
    exported *e;
    text *t;
    const exported_item *item; /* of the innermost list; NULL: none */
    const exported_function *function;
    size_t index;
    size_t part; /* of the function */
} filling;

/* ---- Values ---------------------------------------------------------------------------------- */

static const exported_items *list_of(const exported *e, const char *key, size_t length)
{
    const struct {
        const char *name;
        const exported_items *list;
    } lists[] = {{"parameters", &e->parameters},
                 {"states", &e->states},
                 {"velocities", &e->velocities},
                 {"accelerations", &e->accelerations},
                 {"multipliers", &e->multipliers},
                 {"reactions", &e->reactions},
                 {"outputs", &e->outputs},
                 {"residuals", &e->residuals},
                 {"events", &e->events},
                 {"units", &e->units},
                 {"inputs", &e->inputs},
                 {"signals", &e->signals},
                 {"clocks", &e->clocks},
                 {"roots", &e->roots},
                 {"sides", &e->sides},
                 {"corners", &e->corners},
                 {"linear.states", &e->linear_states},
                 {"linear.inputs", &e->linear_inputs},
                 {"linear.outputs", &e->linear_outputs}};
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++)
        if (strlen(lists[i].name) == length && !strncmp(lists[i].name, key, length))
            return lists[i].list;
    return NULL;
}

/* Functions that nobody else calls: steps of projections, and what stands in for others. */
static const char *group_of(size_t which)
{
    if (which == MOTION_PLACES || which == MOTION_VELOCITIES) return "steps";
    if (which == MOTION_DRIVE) return "drive";
    if (which == MOTION_SWITCHES) return "switches";
    if (which == MOTION_SIDES) return "sidesof";
    if (which == MOTION_BREAKS) return "breaks";
    if (which == MOTION_KINKS) return "kinks";
    return which == MOTION_SURE ? "sure" : "functions";
}

/* Where in the numbers of MOTION_SURE those of the function are; SIZE_MAX: nowhere. */
static size_t place_in_sure(const exported *e, const exported_function *f)
{
    if (!f || !e->function[MOTION_SURE].p) return SIZE_MAX;
    if (f == &e->function[MOTION_RHS]) return 0;
    return f == &e->function[MOTION_ACCELERATIONS] ? e->function[MOTION_RHS].count : SIZE_MAX;
}

/* How many: of a list, of a function's numbers, or of what else has a name. */
static size_t count_of(const filling *f, const char *key, size_t length)
{
    const exported *e = f->e;
    const exported_items *list = list_of(e, key, length);
    const char *name = arena_strndup(e->arena, key, length);
    if (list) return list->count;
    if (!strcmp(name, "derived")) return e->prepare->outputs;
    if (!strcmp(name, "coordinates")) return e->code->n;
    if (!strcmp(name, "started")) return e->started;
    if (!strcmp(name, "long")) return export_is_long(e);
    if (!strcmp(name, "title")) return *e->model->title;
    if (!strcmp(name, "linear")) return e->linear != NULL;
    if (!strncmp(name, "linear.", 7)) return export_linear_count(e, name + 7);
    if (!strcmp(name, "source")) return e->model->source != NULL;
    if (!strcmp(name, "file")) return !e->inside;
    if (!strcmp(name, "ends")) return isfinite(e->t1);
    if (!strcmp(name, "residuals.places")) return e->code->residuals[MOTION_PLACES];
    if (!strcmp(name, "residuals.speeds")) return e->code->residuals[MOTION_VELOCITIES];
    if (!strcmp(name, "own.inputs")) return e->driven;
    if (!strcmp(name, "work")) return program_writing_work(f->function->parts);
    if (!strcmp(name, "fed")) return f->function && f->function->fed;
    if (!strcmp(name, "sided")) return f->function && f->function->sided;
    if (!strcmp(name, "indicators")) return e->events.count + e->sides.count + e->corners.count;
    if (!strcmp(name, "piecewise")) return e->sides.count || e->function[MOTION_BREAKS].count;
    if (!strcmp(name, "wrapped")) return place_in_sure(e, f->function) != SIZE_MAX;
    for (int i = 0; i < EXPORT_FUNCTIONS; i++)
        if (e->function[i].name && !strcmp(e->function[i].name, name)) return e->function[i].count;
    return 0;
}

/* A text of the user inside a comment of one line. */
static void plain(text *t, const char *s)
{
    for (; *s; s++) {
        text_char(t, *s == '\n' ? ' ' : *s);
        if ((*s == '<' && (s[1] == '/' || s[1] == '!')) || (*s == '*' && s[1] == '/') ||
            (*s == '/' && s[1] == '*') || (*s == '?' && s[1] == '?'))
            text_char(t, ' ');
    }
}

static void quoted(text *t, const char *s)
{
    text_char(t, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\') text_char(t, '\\');
        if (*s == '<')
            text_add(t, "\\u003c"); /* nothing may end the <script> around it */
        else if (*s == '\n')
            text_add(t, "\\n");
        else
            text_char(t, *s);
    }
    text_char(t, '"');
}

/* The value reference of the item: t, states, rates, parameters, signals, outputs, events, sides,
 * corners (fmu_core.h). */
static size_t reference_of(const exported *e, const char *list, size_t index)
{
    const size_t n = e->states.count;
    if (!strcmp(list, "states")) return 1 + index;
    if (!strcmp(list, "rates")) return 1 + n + index;
    if (!strcmp(list, "parameters")) return 1 + 2 * n + index;
    const size_t given = e->parameters.count + e->signals.count;
    if (!strcmp(list, "signals")) return 1 + 2 * n + e->parameters.count + index;
    if (!strcmp(list, "outputs")) return 1 + 2 * n + given + index;
    if (!strcmp(list, "sides")) index += e->events.count;
    if (!strcmp(list, "corners")) index += e->events.count + e->sides.count;
    return 1 + 2 * n + given + e->outputs.count + index;
}

static void xml(text *t, const char *s)
{
    for (; *s; s++) switch (*s) {
        case '<': text_add(t, "&lt;"); break;
        case '>': text_add(t, "&gt;"); break;
        case '&': text_add(t, "&amp;"); break;
        case '"': text_add(t, "&quot;"); break;
        default: text_char(t, *s);
        }
}

/* Rows of numbers. */
static void table(filling *f, char which, int rows)
{
    const language *l = f->e->language;
    text_add(f->t, l->table);
    for (int i = 0; i < rows; i++) {
        size_t count;
        const double *x = dop853_row(which, i, &count);
        text_printf(f->t, "%s%s", i ? l->next : "", rows > 1 ? l->row : "");
        for (size_t k = 0; k < count; k++) {
            if (k) text_add(f->t, ", ");
            export_number(f->e, f->t, x[k]);
        }
        if (rows > 1) text_add(f->t, l->row_end);
    }
    text_add(f->t, l->table_end);
}

/* ---- Keys ------------------------------------------------------------------------------------ */

/* What an input means that is none of the model's own. */
static void input_doc(filling *f, const exported_item *x)
{
    const char *root = f->e->roots.at[x->root].name;
    if (x->order == MODEL_CLOCK)
        text_printf(f->t, ": when %s and its rates are as they are here", root);
    else if (x->order)
        text_printf(f->t, ": the %s rate of %s", x->order == 1 ? "first" : "second", root);
}

static bool fill_item(filling *f, const char *key)
{
    const exported_item *x = f->item;
    if (!x) return false;
    if (!strcmp(key, "id")) return text_add(f->t, x->id), true;
    if (!strcmp(key, "label")) return plain(f->t, x->name), true;
    if (!strcmp(key, "quoted")) return quoted(f->t, x->name), true;
    if (!strcmp(key, "quotedunit")) return quoted(f->t, x->unit ? x->unit : ""), true;
    if (!strcmp(key, "unit")) return plain(f->t, x->unit ? x->unit : "-"), true;
    if (!strcmp(key, "xml")) return xml(f->t, x->name), true;
    if (!strcmp(key, "xmlunit")) return xml(f->t, x->unit ? x->unit : ""), true;
    if (!strcmp(key, "xmlvalue")) return text_double(f->t, x->value, 17), true;
    if (!strcmp(key, "variability")) return text_add(f->t, x->tunable ? "tunable" : "fixed"), true;
    if (!strcmp(key, "unitattribute")) {
        if (!x->unit) return true;
        text_add(f->t, " unit=\"");
        xml(f->t, x->unit);
        return text_char(f->t, '"'), true;
    }
    if (!strncmp(key, "vr.", 3))
        return text_printf(f->t, "%zu", reference_of(f->e, key + 3, f->index)), true;
    if (!strcmp(key, "value")) return export_number(f->e, f->t, x->value), true;
    if (!strcmp(key, "direction")) return text_printf(f->t, "%d", (int) x->value), true;
    if (!strcmp(key, "place")) return text_printf(f->t, "%zu", x->place), true;
    if (!strcmp(key, "forced")) return text_printf(f->t, "%d", x->forced), true;
    if (!strcmp(key, "timed")) return text_printf(f->t, "%d", x->timed), true;
    if (!strcmp(key, "root")) return text_printf(f->t, "%zu", x->root), true;
    if (!strcmp(key, "order")) return text_printf(f->t, "%u", x->order), true;
    if (!strcmp(key, "inputdoc")) return input_doc(f, x), true;
    if (!strcmp(key, "stop")) return text_printf(f->t, "%d", x->stop), true;
    if (!strcmp(key, "what")) /* of an event */
        return text_printf(f->t, "%s%s", x->stop ? "stop" : "record",
                           x->value > 0   ? ", rising"
                           : x->value < 0 ? ", falling"
                                          : ""),
               true;
    return false;
}

static void fill_file(filling *f, const template_file *file);
static const template_file *file_of(exported *e, const char *name);

/* The functions of all parts. */
static void fill_parts(filling *f)
{
    filling inner = *f;
    for (size_t k = 0; f->function->parts && k < program_writing_parts(f->function->parts); k++) {
        inner.part = k;
        fill_file(&inner, file_of(f->e, f->e->language->part));
    }
}

static void fill_body(filling *f)
{
    if (f->function->parts)
        fill_file(f, file_of(f->e, f->e->language->whole));
    else
        export_body(f->e, f->t, f->function);
}

static bool fill_function(filling *f, const char *key)
{
    const exported_function *x = f->function;
    if (!x) return false;
    if (!strcmp(key, "parts")) return fill_parts(f), true;
    if (!strcmp(key, "part")) return export_part(x, f->t, f->part), true;
    if (!strcmp(key, "partnumber")) return text_printf(f->t, "%zu", f->part), true;
    if (!strcmp(key, "function")) return text_add(f->t, x->name), true;
    if (!strcmp(key, "given")) /* what a part of it gets besides */
        return text_printf(f->t, "%s%s", x->fed ? ", u" : "", x->sided ? ", s" : ""), true;
    if (!strcmp(key, "doc")) return text_add(f->t, x->doc), true;
    if (!strcmp(key, "count")) return text_printf(f->t, "%zu", x->count), true;
    if (!strcmp(key, "offset"))
        return text_printf(f->t, "%zu", place_in_sure(f->e, x) + f->e->language->dialect.first),
               true;
    if (!strcmp(key, "body")) return fill_body(f), true;
    return false;
}

static const char *first_of(const exported_items *list)
{
    return list->count ? list->at[0].id : "";
}

static bool fill_system(filling *f, const char *key)
{
    exported *e = f->e;
    if (!strcmp(key, "name")) return text_add(f->t, e->name), true;
    if (!strcmp(key, "NAME")) return text_add(f->t, e->upper), true;
    if (!strcmp(key, "title"))
        return plain(f->t, *e->model->title ? arena_harmless(e->arena, e->model->title) : e->name),
               true;
    if (!strcmp(key, "guid")) return text_add(f->t, e->guid ? e->guid : ""), true;
    if (!strcmp(key, "xmltitle"))
        return xml(f->t, *e->model->title ? arena_harmless(e->arena, e->model->title) : e->name),
               true;
    if (!strcmp(key, "source"))
        return plain(f->t, arena_harmless(e->arena, e->model->source ? e->model->source : "")),
               true;
    if (!strcmp(key, "parameter")) return text_add(f->t, first_of(&e->parameters)), true;
    if (!strcmp(key, "input")) return text_add(f->t, first_of(&e->inputs)), true;
    if (!strcmp(key, "method")) return text_add(f->t, ah_system_method(e->system)), true;
    if (!strcmp(key, "version")) return text_add(f->t, ah_version()), true;
    if (!strcmp(key, "drive")) /* the hook of the defaults */
        return text_printf(f->t, e->driven ? e->language->hook : e->language->no_hook, e->name),
               true;
    if (!strcmp(key, "defaultdrive"))
        return text_add(f->t, e->driven ? " Inputs are functions of t: NAME_drive." : ""), true;
    if (!strcmp(key, "real")) return text_add(f->t, e->language->real), true;
    if (!strcmp(key, "t0")) return export_number(e, f->t, e->started ? e->t0 : 0), true;
    if (!strcmp(key, "t1"))
        return export_number(e, f->t, isfinite(e->t1) ? e->t1 : e->t0 + 10), true;
    if (!strcmp(key, "span")) /* of the motion: what times are measured by */
        return export_number(e, f->t, isfinite(e->t1) && e->started ? fabs(e->t1 - e->t0) : 10),
               true;
    if (!strcmp(key, "prepare")) return export_prepare_body(e, f->t), true;
    if (!strncmp(key, "linear.", 7)) return export_linear_table(e, f->t, key + 7);
    if (!strcmp(key, "linearmotion"))
        return text_add(f->t, !e->linear || e->linear->any_state ? "state"
                              : e->linear->motion.rest           ? "equilibrium"
                                                                 : "steady motion"),
               true;
    if (!strcmp(key, "dop.a")) return table(f, 'a', 12), true;
    if (!strcmp(key, "dop.b")) return table(f, 'b', 1), true;
    if (!strcmp(key, "dop.c")) return table(f, 'c', 1), true;
    if (!strcmp(key, "dop.e3")) return table(f, '3', 1), true;
    if (!strcmp(key, "dop.e5")) return table(f, '5', 1), true;
    return false;
}

/* abs, sqrt, …, pow and numbers, as the language has them. */
static bool fill_word(filling *f, const char *key)
{
    static const struct {
        const char *name;
        ah_function f;
    } functions[] = {{"fabs", AH_ABS}, {"sqrt", AH_SQRT}};
    const language *l = f->e->language;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
        if (!strcmp(key, functions[i].name))
            return text_add(f->t, l->dialect.function[functions[i].f]), true;
    if (!strcmp(key, "epsilon"))
        return export_number(f->e, f->t, l == &export_float ? 0x1p-23 : 0x1p-52), true;
    if (!strcmp(key, "admissible"))
        return export_number(f->e, f->t, l == &export_float ? 1e-4 : 1e-9), true;
    if (!strcmp(key, "pow")) return text_add(f->t, l->dialect.power), true;
    if (*key < '0' || *key > '9') return false;
    return text_printf(f->t, "%s%s", key, l->suffix), true;
}

static void fill_key(filling *f, const char *key)
{
    const unsigned first = f->e->language->dialect.first;
    if (!strcmp(key, "index"))
        text_printf(f->t, "%zu", f->index + first);
    else if (!strcmp(key, "number"))
        text_printf(f->t, "%zu", f->index);
    else if (!strncmp(key, "count.", 6))
        text_printf(f->t, "%zu", count_of(f, key + 6, strlen(key + 6)));
    else if (!strncmp(key, "room.", 5)) {
        const size_t count = count_of(f, key + 5, strlen(key + 5));
        text_printf(f->t, "%zu", count ? count : 1);
    } else if (!fill_item(f, key) && !fill_function(f, key) && !fill_system(f, key) &&
               !fill_word(f, key))
        assert(!"a key that templates do not have");
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool is_key_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '.' ||
           c == '-';
}

/* One line with its end. */
static void fill_line(filling *f, const char *s, const char *end)
{
    while (s < end) {
        const char *k = s + 1;
        while (*s == '$' && k < end && is_key_letter(*k)) k++;
        if (*s == '$' && k < end && k > s + 1 && *k == '$') {
            fill_key(f, arena_strndup(f->e->arena, s + 1, (size_t) (k - s - 1)));
            s = k + 1;
        } else {
            text_char(f->t, *s++);
        }
    }
}

static const char *line_end(const char *s, const char *end)
{
    while (s < end && *s != '\n') s++;
    return s < end ? s + 1 : end;
}

/* "$$each outputs\n": whether the line is the command, and the word behind it. */
static bool is_command(const char *line, const char *end, const char *command, const char **word,
                       size_t *length)
{
    const size_t n = strlen(command);
    if ((size_t) (end - line) < n + 2 || strncmp(line, "$$", 2) || strncmp(line + 2, command, n))
        return false;
    *word = line + 2 + n;
    while (*word < end && **word == ' ') (*word)++;
    *length = (size_t) (end - *word);
    while (*length && ((*word)[*length - 1] == '\n' || (*word)[*length - 1] == ' ')) (*length)--;
    return true;
}

static bool opens(const char *line, const char *end)
{
    const char *word;
    size_t length;
    return is_command(line, end, "each", &word, &length) ||
           is_command(line, end, "if", &word, &length) ||
           is_command(line, end, "unless", &word, &length);
}

/* The line of the $$end that closes a block that begins at s. */
static const char *block_end(const char *s, const char *end)
{
    int depth = 1;
    for (; s < end; s = line_end(s, end)) {
        const char *word;
        size_t length;
        const char *next = line_end(s, end);
        if (opens(s, next)) depth++;
        if (is_command(s, next, "end", &word, &length) && --depth == 0) return s;
    }
    return end;
}

static void fill(filling *f, const char *s, const char *end);

static void fill_functions(filling *f, const char *group, size_t length, const char *s,
                           const char *end)
{
    for (size_t i = 0; i < EXPORT_FUNCTIONS; i++) {
        const char *own = group_of(i);
        if (!f->e->function[i].p || strlen(own) != length || strncmp(own, group, length)) continue;
        filling inner = *f;
        inner.function = &f->e->function[i];
        fill(&inner, s, end);
    }
}

static void fill_each(filling *f, const char *word, size_t length, const char *s, const char *end)
{
    const exported_items *list = list_of(f->e, word, length);
    if (length == 5 && !strncmp(word, "parts", length)) {
        filling inner = *f;
        for (; inner.part < program_writing_parts(f->function->parts); inner.part++)
            fill(&inner, s, end);
        return;
    }
    if (!list) fill_functions(f, word, length, s, end);
    for (size_t i = 0; list && i < list->count; i++) {
        filling inner = *f;
        inner.item = &list->at[i];
        inner.index = i;
        fill(&inner, s, end);
    }
}

static void fill(filling *f, const char *s, const char *end)
{
    while (s < end) {
        const char *next = line_end(s, end), *word;
        size_t length;
        ctx_tick(f->e->ctx);
        if (!opens(s, next)) {
            fill_line(f, s, next);
            s = next;
            continue;
        }
        const char *close = block_end(next, end);
        if (is_command(s, next, "each", &word, &length))
            fill_each(f, word, length, next, close);
        else if (is_command(s, next, "if", &word, &length)) {
            if (count_of(f, word, length)) fill(f, next, close);
        } else if (is_command(s, next, "unless", &word, &length)) {
            if (!count_of(f, word, length)) fill(f, next, close);
        }
        s = line_end(close, end);
    }
}

static const template_file *file_of(exported *e, const char *name)
{
    const template_file *file = export_templates;
    const char *wanted = arena_printf(e->arena, "%s.in", name);
    while (file->name && strcmp(file->name, wanted)) file++;
    return file->name ? file : NULL;
}

static void fill_file(filling *f, const template_file *file)
{
    fill(f, file->text, file->text + file->length);
}

const char *export_template(exported *e, const char *name)
{
    const template_file *file = file_of(e, name);
    if (!file) return NULL;
    text t = text_begin(e->arena);
    filling f = {.e = e, .t = &t};
    fill_file(&f, file);
    return text_end(&t);
}
