/* many/kept.c - what is kept of a motion: "final.x, max(energy), first("falls").t". */
#include "ensemble_inside.h"

#include "../lang/lang.h"

#include <ctype.h>
#include <string.h>

/* Columns that `each` may make. */
enum { EACH_MOST = 1000 };

static const struct {
    const char *word;
    bool of_event;
} reductions[] = {
#define X(code, word, of_event) {word, of_event},
    KEPT_LIST(X)
#undef X
};

const char *kept_word(kept_kind kind)
{
    return reductions[kind].word;
}

/* ---- Pieces of the text ---------------------------------------------------------------------- */

static const char *skip_space(const char *s)
{
    while (isspace((unsigned char) *s)) s++;
    return s;
}

static const char *trimmed(arena *a, const char *s, size_t length)
{
    while (length && isspace((unsigned char) *s)) s++, length--;
    while (length && isspace((unsigned char) s[length - 1])) length--;
    return arena_strndup(a, s, length);
}

/* The bracket that closes the one at s; NULL: there is none. */
static const char *closing(const char *s)
{
    int depth = 0;
    bool quoted = false;
    for (; *s; s++) {
        if (*s == '"') quoted = !quoted;
        if (quoted) continue;
        depth += (*s == '(') - (*s == ')');
        if (!depth) return s;
    }
    return NULL;
}

static kept_kind find_kind(const char *word, size_t length)
{
    kept_kind k = 0;
    while (k < KEPT_KINDS &&
           (strlen(reductions[k].word) != length || strncmp(reductions[k].word, word, length)))
        k++;
    return k;
}

/* ---- Complaints ------------------------------------------------------------------------------ */

/* The piece becomes a source, so that the place can be shown. */
static void complain(ah_ensemble *e, const char *piece, const char *at, size_t length,
                     const char *what)
{
    ah_ctx *ctx = e->model->ctx;
    const uint32_t file = source_add(ctx, "--output", piece, strlen(piece));
    const uint32_t begin = (uint32_t) (at - piece);
    diag(ctx, A0642, (ah_span){file, begin, begin + (uint32_t) (length ? length : 1)}, "%s", what);
    diag_hint(ctx,
              "write final.x, start.x, min(x), max(x), mean(x), integral(x), "
              "first(\"label\").x, last(\"label\").x, each(\"label\", N).x or count(\"label\")");
}

static bool find_event(ah_ensemble *e, const char *piece, const char *at, const char *label)
{
    const ah_model *m = e->model;
    ah_ctx *ctx = m->ctx;
    const char **labels = NEW_ARRAY(&e->arena, const char *, m->events.count + 1);
    for (size_t i = 0; i < m->events.count; i++) {
        labels[i] = m->events.at[i].label;
        if (!strcmp(labels[i], label)) return true;
    }
    const uint32_t file = source_add(ctx, "--output", piece, strlen(piece));
    const uint32_t begin = (uint32_t) (at - piece);
    diag(ctx, A0642, (ah_span){file, begin, begin + (uint32_t) strlen(label)},
         "the model has no event \"%s\"", label);
    const char *near = text_nearest(&e->arena, label, labels, m->events.count);
    if (near)
        diag_hint(ctx, "did you mean \"%s\"?", near);
    else
        diag_hint(ctx, "events are declared by `record \"label\" when e1 = e2` and `stop`");
    return false;
}

/* ---- Formulas -------------------------------------------------------------------------------- */

static bool add_formula(ah_ensemble *e, const char *words, uint32_t *out)
{
    ah_expr formula;
    if (ah_read_output(e->model, "--output", words, &formula) != AH_OK) return false;
    for (*out = 0; *out < e->formulas.count; (*out)++)
        if (e->formulas.at[*out] == formula) return true;
    LIST_PUSH(&e->arena, &e->formulas, formula);
    return true;
}

/* final.x, first("falls").x: what stands behind the dot; first("falls") alone is one too few. */
static const char *behind_dot(const char *s)
{
    s = skip_space(s);
    return *s == '.' && *skip_space(s + 1) ? s + 1 : NULL;
}

/* Of `each`, behind the label: ", N". NULL: it is not there; otherwise what follows. */
static const char *read_times(ah_ensemble *e, const char *piece, const char *s, kept *k)
{
    s = skip_space(s);
    const char *from = *s == ',' ? skip_space(s + 1) : s, *at = from;
    for (; isdigit((unsigned char) *at) && k->nth <= EACH_MOST; at++)
        k->nth = 10 * k->nth + (uint64_t) (*at - '0');
    if (*s == ',' && k->nth && k->nth <= EACH_MOST) return skip_space(at);
    complain(e, piece, from, 0,
             "how often it is kept at most is missing: each(\"label\", 100), at most 1000");
    return NULL;
}

/* ("label").x, ("label", 100).x or ("label") */
static bool read_event(ah_ensemble *e, const char *piece, const char *bracket, kept *k)
{
    const char *end = closing(bracket), *open = skip_space(bracket + 1);
    const char *quote = *open == '"' ? strchr(open + 1, '"') : NULL, *behind = NULL;
    if (end && quote && k->kind == KEPT_EACH) {
        behind = read_times(e, piece, quote + 1, k);
        if (!behind) return false;
    } else if (quote) {
        behind = skip_space(quote + 1);
    }
    if (!end || behind != end) {
        complain(e, piece, bracket, 0, "the label of an event in quotes is missing");
        return false;
    }
    k->event = arena_strndup(&e->arena, open + 1, (size_t) (quote - open - 1));
    if (!find_event(e, piece, open + 1, k->event)) return false;
    const char *formula = behind_dot(end + 1);
    if (k->kind == KEPT_COUNT) {
        if (!*skip_space(end + 1)) return true;
        complain(e, piece, end + 1, strlen(end + 1), "nothing can follow a count");
        return false;
    }
    if (formula) return add_formula(e, formula, &k->formula);
    complain(e, piece, end, 0, "what is kept of the event is missing");
    return false;
}

static bool read_motion(ah_ensemble *e, const char *piece, const char *rest, kept *k)
{
    const bool at_end = k->kind == KEPT_FINAL || k->kind == KEPT_START;
    const char *formula = at_end ? behind_dot(rest) : NULL;
    if (formula) return add_formula(e, formula, &k->formula);
    const char *end = *rest == '(' ? closing(rest) : NULL;
    if (!end || *skip_space(end + 1)) {
        complain(e, piece, end ? end + 1 : rest, 0,
                 end ? "nothing can follow the bracket" : "a formula in brackets is missing");
        return false;
    }
    formula = arena_strndup(&e->arena, rest + 1, (size_t) (end - rest - 1));
    return add_formula(e, formula, &k->formula);
}

/* Columns have names of their own. */
static bool add_kept(ah_ensemble *e, const char *piece, const kept *k)
{
    for (size_t i = 0; i < e->kept.count; i++)
        if (!strcmp(e->kept.at[i].name, k->name)) {
            complain(e, piece, piece, strlen(piece), "this is asked for twice");
            return false;
        }
    LIST_PUSH(&e->arena, &e->kept, *k);
    return true;
}

/* each("label", 3).x is each("label").x[1] to [3]. */
static void add_each(ah_ensemble *e, const kept *each)
{
    const char *dot = closing(strchr(each->name, '(')) + 1;
    for (uint64_t i = 1; i <= each->nth; i++) {
        kept k = *each;
        k.nth = i;
        k.name = arena_printf(&e->arena, "each(\"%s\")%s[%llu]", each->event, skip_space(dot),
                              (unsigned long long) i);
        if (!add_kept(e, each->name, &k)) return;
    }
}

static void read_piece(ah_ensemble *e, const char *piece)
{
    const char *word = piece, *end = word;
    while (isalpha((unsigned char) *end)) end++;
    kept k = {.name = piece, .kind = find_kind(word, (size_t) (end - word))};
    const char *rest = skip_space(end);
    if (k.kind == KEPT_KINDS) {
        complain(e, piece, word, (size_t) (end - word), "this is no reduction of a motion");
        return;
    }
    if (reductions[k.kind].of_event && *rest != '(') {
        complain(e, piece, rest, 0, "the label of an event in quotes is missing");
        return;
    }
    const bool good = reductions[k.kind].of_event ? read_event(e, piece, rest, &k)
                                                  : read_motion(e, piece, rest, &k);
    if (!good) return;
    if (k.kind == KEPT_EACH)
        add_each(e, &k);
    else
        add_kept(e, piece, &k);
}

void kept_read(ah_ensemble *e, const char *words)
{
    for (const char *piece; (piece = piece_of_list(&e->arena, &words));) {
        ctx_tick(e->model->ctx);
        read_piece(e, trimmed(&e->arena, piece, strlen(piece)));
    }
}

/* All coordinates and velocities at the end. */
void kept_default(ah_ensemble *e)
{
    const ah_model *m = e->model;
    kept_read(e, "final.t");
    for (uint32_t i = 0; i < 2 * m->n; i++) {
        const ah_expr x = i < m->n ? m->q.at[i] : m->v.at[i - m->n];
        kept_read(e,
                  arena_printf(&e->arena, "final.%s", expr_text(m->ctx, &e->arena, x, AH_ASCII)));
    }
}
