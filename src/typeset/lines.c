/* typeset/lines.c - widths of formulas in LaTeX, and breaking them. */
#include "lines.h"

#include <ctype.h>
#include <math.h>
#include <string.h>

/* ---- How wide a formula comes out ------------------------------------------------------------ */

static double width_list(const char **s, const char *end);

static double width_argument(const char **s, const char *end)
{
    if (*s >= end || **s != '{') return 0;
    ++*s;
    return width_list(s, end);
}

/* Names of functions are as long as they are written; most other commands make one character. */
static double width_command(const char **s, const char *end)
{
    const char *name = ++*s;
    while (*s < end && isalpha((unsigned char) **s)) ++*s;
    const size_t n = (size_t) (*s - name);
    if (n == 0) {
        ++*s;
        return 0.3;
    }
    if (n == 4 && !strncmp(name, "frac", 4)) {
        const double over = width_argument(s, end), under = width_argument(s, end);
        return 0.6 + (over > under ? over : under);
    }
    if (n == 4 && !strncmp(name, "left", 4)) return 0;
    if (n == 5 && !strncmp(name, "right", 5)) return 0;
    if (n == 5 && !strncmp(name, "begin", 5)) return 0;
    const bool word = (n == 3 && strchr("sctle", name[0])) || !strncmp(name, "operatorname", n);
    return word ? 3.3 : **s == '{' ? 0.3 : 1;
}

static double width_character(char c)
{
    if (c == ' ') return 0.3;
    if (strchr("+-=mM", c)) return 1.6;
    return c == 'w' || (isupper((unsigned char) c) && c != 'I') ? 1.3 : 1;
}

/* To the end, or past the closing brace. */
static double width_list(const char **s, const char *end)
{
    double width = 0;
    while (*s < end && **s != '}') {
        const bool script = **s == '_' || **s == '^';
        if (script) ++*s;
        double one = 1;
        if (*s >= end) break;
        if (**s == '\\')
            one = width_command(s, end);
        else if (**s == '{')
            one = width_argument(s, end);
        else
            one = width_character(**s), ++*s;
        width += script ? 0.7 * one : one;
    }
    if (*s < end) ++*s;
    return width;
}

static double width_of(const char *s, size_t n)
{
    return width_list(&s, s + n);
}

double lines_width(const char *s)
{
    return width_of(s, strlen(s));
}

/* ---- Breaking lines -------------------------------------------------------------------------- */

/* A sign at which a line may end, outside of all braces and bars, and how many \left are open there. */
typedef struct cut {
    size_t at;
    int open;
} cut;

static bool is_command(const char *s, const char *command)
{
    const size_t n = strlen(command);
    return !strncmp(s, command, n) && !isalpha((unsigned char) s[n]);
}

static cut best_cut(const char *s, double room, int open)
{
    cut best = {0};
    double least = 0;
    int braces = 0;
    for (size_t i = 0; s[i]; i++) {
        open += is_command(s + i, "\\left") - is_command(s + i, "\\right");
        braces += (s[i] == '{') - (s[i] == '}');
        braces += !strncmp(s + i, "\\left|", 6) - !strncmp(s + i, "\\right|", 7);
        if (braces || i < 2 || s[i] != ' ' || !strchr("+-", s[i + 1]) || s[i + 2] != ' ') continue;
        const double width = width_of(s, i), score = room - width + 12 * open;
        if (width > room && best.at) break;
        if (!best.at || score < least) best = (cut){i, open}, least = score;
    }
    return best;
}

typedef struct piece {
    const char *s;
    size_t length;
    bool first;
    int open, left_open; /* brackets: at its beginning, at its end */
} piece;

/* Brackets that a line leaves open are closed invisibly, and opened so on the next; an empty atom
 * before its sign makes that a binary one. */
static const char *one_line(arena *a, piece p)
{
    text t = text_begin(a);
    for (int i = 0; i < p.open; i++) text_add(&t, "\\left. ");
    if (!p.first) text_add(&t, "{}");
    text_add_n(&t, p.s, p.length);
    for (int i = 0; i < p.left_open; i++) text_add(&t, " \\right.");
    return text_end(&t);
}

line_list lines_break(arena *a, const char *s, double room)
{
    line_list out = {0};
    piece p = {.s = s, .first = true};
    while (lines_width(p.s) > room) {
        const cut c = best_cut(p.s, room, p.open);
        if (!c.at) break;
        p.length = c.at;
        p.left_open = c.open;
        LIST_PUSH(a, &out, one_line(a, p));
        if (p.first) room -= 2; /* the next ones are indented */
        p = (piece){.s = p.s + c.at + 1, .open = c.open};
    }
    p.length = strlen(p.s);
    LIST_PUSH(a, &out, one_line(a, p));
    return out;
}

/* ---- Expressions ----------------------------------------------------------------------------- */

/* Of a product the longest sum, and what stands before it; AH_NONE: there is no sum. */
static ah_expr longest_sum(const worksheet *w, ah_expr e, ah_expr *rest)
{
    ah_ctx *ctx = w->ctx;
    ah_expr found = AH_NONE;
    double longest = 0;
    for (size_t i = 0; expr_get_op(ctx, e) == EXPR_PRODUCT && i < expr_get_count(ctx, e); i++) {
        const ah_expr child = expr_get_children(ctx, e)[i];
        if (expr_get_op(ctx, child) != EXPR_SUM || worksheet_length(ctx, child) <= longest)
            continue;
        found = child;
        longest = worksheet_length(ctx, child);
    }
    if (found != AH_NONE) *rest = expr_div(ctx, e, found);
    return found;
}

/* The end of the group that begins at s[0] = '{', past its brace. */
static const char *group_end(const char *s)
{
    int depth = 0;
    do {
        if (*s == '\\' && s[1])
            s++;
        else
            depth += (*s == '{') - (*s == '}');
        s++;
    } while (*s && depth);
    return s;
}

/* Signs outside of all braces and brackets, at which a sum could be broken. */
static bool is_sum(const char *s, const char *end)
{
    int depth = 0;
    for (const char *c = s; c < end; c++) {
        depth += (*c == '{') - (*c == '}') + is_command(c, "\\left") - is_command(c, "\\right");
        if (!depth && c > s && c[0] == ' ' && c[1] && strchr("+-", c[1]) && c[2] == ' ')
            return true;
    }
    return false;
}

/* Fractions wider than `room` as one over their denominator before their numerator, which can be broken:
 * \frac{a + b}{c} is \frac{1}{c} \left(a + b\right). */
static const char *open_fractions(arena *a, const char *s, double room)
{
    text t = text_begin(a);
    int braces = 0;
    while (*s) {
        if (braces || !is_command(s, "\\frac")) {
            if (*s == '\\' && s[1])
                text_char(&t, *s++); /* \{ is no brace */
            else
                braces += (*s == '{') - (*s == '}');
            text_char(&t, *s++);
            continue;
        }
        const char *over = s + 5, *under = group_end(over), *end = group_end(under);
        const bool one = !strncmp(over, "{1}", 3); /* nothing to be broken */
        if (one || width_of(s, (size_t) (end - s)) <= room) {
            text_add_n(&t, s, (size_t) (end - s));
            s = end;
            continue;
        }
        const size_t inside = (size_t) (under - over) - 2;
        const char *numerator = open_fractions(a, arena_strndup(a, over + 1, inside), room);
        const bool sum = is_sum(numerator, numerator + strlen(numerator));
        text_printf(&t, "\\frac{1}%.*s ", (int) (end - under), under);
        text_printf(&t, sum ? "\\left(%s\\right)" : "%s", numerator);
        s = end;
    }
    return text_end(&t);
}

/* The widest of its lines. */
static double widest_line(arena *a, const char *s, double room)
{
    double most = 0;
    const line_list lines = lines_break(a, s, room);
    for (size_t i = 0; i < lines.count; i++) most = fmax(most, lines_width(lines.at[i]));
    return most;
}

/* A fraction too wide for a line is written as a factor before a bracket, which can be broken. */
const char *lines_print(const worksheet *w, ah_expr e, double room)
{
    ah_expr rest = AH_NONE;
    const char *s = worksheet_print(w, e, AH_LATEX);
    if (lines_width(s) <= room) return s;
    const ah_expr sum = longest_sum(w, e, &rest);
    if (sum != AH_NONE) {
        const char *before = worksheet_print(w, rest, AH_LATEX);
        if (!strcmp(before, "-1")) before = "-";
        s = arena_printf(w->arena, "%s \\left(%s\\right)", before,
                         worksheet_print(w, sum, AH_LATEX));
    }
    /* What stands before a fraction in its line needs room, too: then smaller ones are opened. */
    const char *best = open_fractions(w->arena, s, room - LINES_FRACTION);
    double least = widest_line(w->arena, best, room);
    for (double most = room / 2; least > room && most > LINES_FRACTION; most /= 2) {
        const char *other = open_fractions(w->arena, s, most);
        const double widest = widest_line(w->arena, other, room);
        if (widest < least - 1) best = other, least = widest;
    }
    return best;
}

static const char *factor(const worksheet *w, const ws_value *v)
{
    if (v->factor == AH_NONE) return "";
    const char *s = worksheet_print(w, v->factor, AH_LATEX);
    if (!strcmp(s, "-1")) return "-";
    if (expr_get_op(w->ctx, v->factor) == EXPR_SUM)
        return arena_printf(w->arena, "\\left(%s\\right) ", s);
    return arena_printf(w->arena, "%s ", s);
}

const char *lines_diagonal(const worksheet *w, const ws_value *v)
{
    text t = text_begin(w->arena);
    text_printf(&t, "%s\\operatorname{diag} \\left(", factor(w, v));
    for (uint32_t i = 0; i < v->shown.rows; i++)
        text_printf(&t, "%s%s", i ? ", " : "",
                    worksheet_print(w, mat_get(w->ctx, v->shown, i, i), AH_LATEX));
    text_add(&t, "\\right)");
    return text_end(&t);
}

/* Fractions in rows one upon the other need some air. */
const char *lines_matrix(const worksheet *w, const ws_value *v)
{
    text t = text_begin(w->arena);
    const mat m = v->shown;
    bool high = false;
    text_printf(&t, "%s\\begin{bmatrix}", factor(w, v));
    for (uint32_t i = 0; i < m.rows; i++) {
        bool fraction = false;
        for (uint32_t j = 0; j < m.cols; j++) {
            const char *entry = worksheet_print(w, mat_get(w->ctx, m, i, j), AH_LATEX);
            if (!j && i) text_add(&t, high ? " \\\\[4pt] " : " \\\\ ");
            text_printf(&t, "%s%s", j ? " & " : i ? "" : " ", entry);
            fraction = fraction || strstr(entry, "\\frac");
        }
        high = fraction;
    }
    text_add(&t, " \\end{bmatrix}");
    return text_end(&t);
}

static double matrix_width(const worksheet *w, const ws_value *v)
{
    double whole = lines_width(factor(w, v)) + 2;
    for (uint32_t j = 0; j < v->shown.cols; j++) {
        double widest = 0;
        for (uint32_t i = 0; i < v->shown.rows; i++) {
            const char *s = worksheet_print(w, mat_get(w->ctx, v->shown, i, j), AH_LATEX);
            const double width = lines_width(s);
            if (width > widest) widest = width;
        }
        whole += widest + 2;
    }
    return whole;
}

double lines_value_width(const worksheet *w, const ws_value *v)
{
    if (v->shown.rows * v->shown.cols == 1) {
        const char *s = worksheet_print(w, worksheet_entry(w, v, 0, 0), AH_LATEX);
        return lines_width(s);
    }
    const char *s = v->diagonal ? lines_diagonal(w, v) : "";
    return v->diagonal ? lines_width(s) : matrix_width(w, v);
}
