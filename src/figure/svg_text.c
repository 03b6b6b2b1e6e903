/* figure/svg_text.c - labels: mathematical names set in italics, with scripts; escaping; widths.
 *
 * Nobody tells a program without a font how wide a text is: widths are those of a common serif
 * face, on the generous side, and only decide margins and whether labels have room. */
#include "svg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

void svg_number(text *out, double x)
{
    const long n = lround(x * 100);
    if (n < 0) text_char(out, '-');
    text_printf(out, "%ld", labs(n) / 100);
    if (labs(n) % 100)
        text_printf(out, labs(n) % 10 ? ".%02ld" : ".%ld",
                    labs(n) % 10 ? labs(n) % 100 : labs(n) % 100 / 10);
}

/* ---- Escaping -------------------------------------------------------------------------------- */

/* Characters that XML 1.0 allows and that do no harm. */
static bool in_xml(uint32_t c)
{
    if (c == 9 || c == 10 || c == 13) return true;
    return !utf8_is_harmful(c) && (c < 0xD800 || (c >= 0xE000 && c < 0xFFFE) || c >= 0x10000);
}

static void escape_character(text *out, uint32_t c)
{
    switch (c) {
    case '<': text_add(out, "&lt;"); return;
    case '>': text_add(out, "&gt;"); return;
    case '&': text_add(out, "&amp;"); return;
    case '"': text_add(out, "&quot;"); return;
    default: text_utf8(out, in_xml(c) ? c : 0xFFFD);
    }
}

void svg_escape(text *out, const char *s)
{
    size_t left = strlen(s);
    while (left) {
        uint32_t c;
        const size_t n = utf8_decode(s, left, &c);
        escape_character(out, n ? c : 0xFFFD);
        s += n ? n : 1;
        left -= n ? n : 1;
    }
}

/* ---- A label in pieces ----------------------------------------------------------------------- */

typedef enum piece_kind { PIECE_LETTER, PIECE_WORD, PIECE_OTHER } piece_kind;

/* Characters of one kind at one level: -1 below, 1 above the line. */
typedef struct piece {
    piece_kind kind;
    int level;
    int dots; /* above a letter */
    uint32_t *at;
    size_t count, capacity;
} piece;
typedef LIST(piece) pieces;

static bool is_mark(uint32_t c) /* goes onto the character before it */
{
    return (c >= 0x300 && c < 0x370) || (c >= 0x20D0 && c < 0x2100);
}

static bool is_greek(uint32_t c)
{
    return c >= 0x370 && c < 0x400;
}

static bool is_latin(uint32_t c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (c >= 0xC0 && c < 0x250 && c != 0xD7);
}

/* ² → 2 above, ₂ → 2 below. */
static int script_of(uint32_t *c)
{
    if (*c == 0xB9 || *c == 0xB2 || *c == 0xB3) {
        *c = *c == 0xB9 ? '1' : *c == 0xB2 ? '2' : '3';
        return 1;
    }
    if (*c == 0x2070 || (*c >= 0x2074 && *c <= 0x2079)) return *c += '0' - 0x2070, 1;
    if (*c == 0x207B) return *c = 0x2212, 1;
    if (*c >= 0x2080 && *c <= 0x2089) return *c += '0' - 0x2080, -1;
    return 0;
}

typedef struct setter {
    arena *arena;
    pieces out;
    bool upright; /* letters, too */
    bool braced;
    int script; /* of what is between braces, or of the word after `_` */
} setter;

static void set_character(setter *s, uint32_t c, int level)
{
    piece *last = s->out.count ? &s->out.at[s->out.count - 1] : NULL;
    const bool capital = c >= 0x391 && c <= 0x3A9; /* Greek ones stand upright */
    piece_kind kind = (is_greek(c) && !capital) || is_latin(c) ? PIECE_LETTER : PIECE_OTHER;
    if (s->upright) kind = PIECE_OTHER;
    const bool same = last && last->level == level;
    if (last && last->kind == PIECE_LETTER && (c == 0x307 || c == 0x308)) {
        last->dots = c == 0x307 ? 1 : 2;
        return;
    }
    if (last && is_mark(c)) kind = last->kind;
    if (same && is_latin(c) && last->kind != PIECE_OTHER && !is_greek(last->at[0]))
        last->kind = kind = PIECE_WORD;
    if (same && c >= '0' && c <= '9' && last->kind == PIECE_WORD) kind = PIECE_WORD;
    const bool joins =
        last && (is_mark(c) || (same && last->kind == kind && (kind != PIECE_LETTER)));
    if (!joins) {
        LIST_PUSH(s->arena, &s->out, ((piece){.kind = kind, .level = level}));
        last = &s->out.at[s->out.count - 1];
    }
    LIST_PUSH(s->arena, last, c);
}

static void set_text(setter *s, const char *label)
{
    size_t left = strlen(label);
    while (left) {
        uint32_t c;
        size_t n = utf8_decode(label, left, &c);
        if (!n) n = 1, c = 0xFFFD;
        /* x_1 is a name as it is written: an index would be ₁ */
        const bool digit = left > 1 && label[1] >= '0' && label[1] <= '9';
        const bool mark = (c == '^' && left > 1) || (c == '_' && left > 1 && !digit);
        const bool word = is_latin(c) || is_greek(c) || is_mark(c) || (c >= '0' && c <= '9');
        if (!s->braced && s->script && !word) s->script = 0;
        if (mark && !s->braced) {
            s->script = c == '_' ? -1 : 1;
            s->braced = label[1] == '{';
            n += s->braced;
        } else if (s->braced && c == '}') {
            s->braced = false;
            s->script = 0;
        } else {
            const int own = script_of(&c);
            if (c == '-' && !s->upright) c = 0x2212; /* formulas have a minus */
            set_character(s, c, own ? own : s->script);
        }
        label += n;
        left -= n;
    }
    s->braced = false;
    s->script = 0;
}

/* x (m) */
static pieces set_label(arena *a, svg_words words)
{
    setter s = {.arena = a};
    const bool name = words.label && *words.label;
    if (name) set_text(&s, words.label);
    s.upright = true;
    if (words.unit && *words.unit && name) set_text(&s, " (");
    if (words.unit) set_text(&s, words.unit);
    if (words.unit && *words.unit && name) set_text(&s, ")");
    return s.out;
}

/* ---- Widths ---------------------------------------------------------------------------------- */

static double width_of(uint32_t c)
{
    if (is_mark(c)) return 0;
    if (c < 0x80 && strchr("ijl.,:;'|!", (int) c)) return 0.29;
    if (c < 0x80 && strchr("ftr()[]- ", (int) c)) return 0.36;
    if (c == 'm' || c == 'w' || c == 'W' || c == 'M') return 0.85;
    if (c >= 'A' && c <= 'Z') return 0.7;
    if (c == '+' || c == '=' || c == 0x2212 || c == 0xD7) return 0.6;
    if (c >= 0x2E80) return 1.0;
    return 0.53;
}

#define SCRIPT_SIZE 0.72

double svg_label_width(arena *scratch, const char *label, double size)
{
    const pieces p = set_label(scratch, (svg_words){.label = label});
    double width = 0;
    for (size_t i = 0; i < p.count; i++)
        for (size_t k = 0; k < p.at[i].count; k++)
            width += width_of(p.at[i].at[k]) * size * (p.at[i].level ? SCRIPT_SIZE : 1);
    return width;
}

/* ---- Output ---------------------------------------------------------------------------------- */

/* Few fonts place combining dots on italic Greek letters well, so they are set by hand: the accent
 * as a character of its own, moved back over the letter. Widths of a Times italic, in sizes. */
#define ACCENT_WIDTH 0.333
#define SLANT        0.07 /* by how much an italic leans at the height of its accent */
#define RAISE        0.21 /* for letters that reach above the x */

static double italic_width(uint32_t c)
{
    if (c < 0x80 && strchr("fijlt", (int) c)) return 0.29;
    if (c < 0x80 && strchr("ceszrvxyg", (int) c)) return 0.43;
    if (c == 'm' || c == 'w') return 0.7;
    if (c == 0x3C6 || c == 0x3C8 || c == 0x3C9) return 0.63; /* φ, ψ, ω */
    return c >= 'A' && c <= 'Z' ? 0.65 : 0.49;
}

static bool is_tall(uint32_t c)
{
    static const uint32_t greek[] = {0x3B2, 0x3B4, 0x3B6, 0x3B8, 0x3BB, 0x3BE, 0x3C8}; /* βδζθλξψ */
    for (size_t i = 0; i < sizeof greek / sizeof *greek; i++)
        if (c == greek[i]) return true;
    return (c >= 'A' && c <= 'Z') || (c < 0x80 && strchr("bdfhiklt", (int) c));
}

/* Returns what the pen must go on by to stand behind the letter again. */
static double put_dots(text *out, const piece *w, double size, double *rise)
{
    const double back = -(italic_width(w->at[0]) + ACCENT_WIDTH) / 2 + SLANT;
    *rise = is_tall(w->at[0]) ? -RAISE * size : 0;
    text_add(out, "<tspan dx=\"");
    svg_number(out, back * size);
    if (*rise != 0) {
        text_add(out, "\" dy=\"");
        svg_number(out, *rise);
    }
    text_printf(out, "\">%s</tspan>", w->dots == 1 ? "\u02D9" : "\u00A8");
    return -(back + ACCENT_WIDTH) * size;
}

void svg_label(text *out, arena *scratch, svg_words words, double size)
{
    const pieces p = set_label(scratch, words);
    static const double shift[] = {0.24, 0, -0.38}; /* below, on, above the line, in sizes */
    double at = 0, on = 0; /* where the pen is, and what it must go on by */
    for (size_t i = 0; i < p.count; i++) {
        const piece *w = &p.at[i];
        const double wanted = shift[w->level + 1] * size;
        text_add(out, "<tspan");
        if (w->kind == PIECE_LETTER) text_add(out, " font-style=\"italic\"");
        if (w->level) {
            text_add(out, " font-size=\"");
            svg_number(out, SCRIPT_SIZE * size);
            text_char(out, '"');
        }
        if (on != 0) {
            text_add(out, " dx=\"");
            svg_number(out, on);
            text_char(out, '"');
        }
        on = 0;
        if (wanted != at) {
            text_add(out, " dy=\"");
            svg_number(out, wanted - at);
            text_char(out, '"');
        }
        text_char(out, '>');
        for (size_t k = 0; k < w->count; k++) escape_character(out, w->at[k]);
        text_add(out, "</tspan>");
        at = wanted;
        double rise;
        if (!w->dots) continue;
        on = put_dots(out, w, size * (w->level ? SCRIPT_SIZE : 1), &rise);
        at += rise;
    }
}

void svg_label_plain(text *out, const char *label)
{
    for (; *label; label++) {
        const bool mark = (*label == '_' || *label == '^') && label[1] == '{';
        if (!mark && *label != '}') text_char(out, *label);
        if (mark) {
            if (*label == '_') text_char(out, '_');
            label++;
        }
    }
}
