/* worksheet/own_letters.c - letters of the method that the model uses for something else.
 *
 * A method writes M for the mass matrix, T, L, λ, whatever the model calls its parameters. Different things must look different:
 * where the model has a name that would look the same, the method's own letter is bold, 𝐌, and the sheet says so. What carries an
 * index, λₐ or G_αβ, looks different as it is. Formulas of the model that stand in sentences are in double braces, {{…}}. */
#include "worksheet.h"

#include <ctype.h>
#include <string.h>

typedef struct marker {
    const worksheet *w;
    const char *at;
    text out;
    bool marked;
} marker;

static void copy(marker *m, size_t n)
{
    text_add_n(&m->out, m->at, n);
    m->at += n;
}

static size_t letters_at(const char *s)
{
    size_t n = 0;
    while (isalpha((unsigned char) s[n])) n++;
    return n;
}

/* A group, or what else a script or font is applied to, as it stands. */
static void copy_argument(marker *m)
{
    int depth = 0;
    while (*m->at) {
        depth += (*m->at == '{') - (*m->at == '}');
        copy(m, *m->at == '\\' ? 1 + letters_at(m->at + 1) : 1);
        if (depth <= 0) return;
    }
}

/* An index makes it another thing; a transpose, an inverse or a power does not. */
static bool has_index(const char *after)
{
    after += strspn(after, "}"); /* \dot{x}_i */
    if (*after == '_') return true;
    return *after == '^' && after[1] != 'T' && strncmp(after, "^{-", 3) != 0 &&
           !isdigit((unsigned char) after[1]);
}

/* Does the model show something of this name? Parts and functions of it are no letters. */
static bool is_shown(const worksheet *w, const char *name)
{
    const model_name *found = model_find(w->model, name);
    return found && found->what != MODEL_PART && found->what != MODEL_FUNCTION;
}

static void put_letter(marker *m, size_t n, const char *name, const char *font)
{
    if (has_index(m->at + n) || !is_shown(m->w, name)) {
        copy(m, n);
        return;
    }
    m->marked = true;
    text_printf(&m->out, "\\%s{", font);
    copy(m, n);
    text_add(&m->out, "}");
}

static void put_command(marker *m)
{
    static const char *const fonts[] = {"text",   "mathrm",     "mathit",
                                        "mathbf", "boldsymbol", "operatorname"};
    const size_t n = letters_at(m->at + 1);
    const char *name = arena_strndup(m->w->arena, m->at + 1, n);
    if (expr_greek(name)) {
        put_letter(m, n + 1, name, "boldsymbol");
        return;
    }
    copy(m, n ? n + 1 : strlen(m->at) > 1 ? 2 : 1);
    for (size_t i = 0; i < sizeof fonts / sizeof *fonts; i++)
        if (!strcmp(name, fonts[i])) copy_argument(m);
}

/* Letters side by side are words and differentials. */
static void put_letters(marker *m)
{
    const size_t n = letters_at(m->at);
    if (n > 1 || *m->at == 'd' || *m->at == 't')
        copy(m, n);
    else
        put_letter(m, 1, arena_strndup(m->w->arena, m->at, 1), "mathbf");
}

static void mark_until(marker *m, char end)
{
    while (*m->at && *m->at != end) {
        if (!strncmp(m->at, "{{", 2))
            copy_argument(m);
        else if (*m->at == '\\')
            put_command(m);
        else if (*m->at == '_' || *m->at == '^')
            copy(m, 1), copy_argument(m);
        else if (isalpha((unsigned char) *m->at))
            put_letters(m);
        else
            copy(m, 1);
    }
}

/* Prose has its formulas between dollars. */
static const char *mark(worksheet *w, const char *s, bool prose, bool *marked)
{
    marker m = {.w = w, .at = s};
    if (!s) return NULL;
    m.out = text_begin(w->arena);
    while (*m.at) {
        if (prose) copy(&m, strcspn(m.at, "$"));
        if (prose && *m.at) copy(&m, 1);
        mark_until(&m, prose ? '$' : '\0');
        if (prose && *m.at) copy(&m, 1);
    }
    *marked = *marked || m.marked;
    return text_end(&m.out);
}

bool worksheet_mark_letters(worksheet *w)
{
    bool marked = false;
    for (size_t i = 0; i < w->step.count; i++) {
        ws_step *s = &w->step.at[i];
        if (s->kind == STEP_QUANTITY) {
            s->q.name = mark(w, s->q.name, false, &marked);
            s->q.formula = mark(w, s->q.formula, false, &marked);
        }
        s->text = mark(w, s->text, true, &marked);
    }
    return marked;
}
