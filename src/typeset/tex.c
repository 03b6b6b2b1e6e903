/* typeset/tex.c - a reader of formulas that writes as it reads. */
#include "tex.h"

#include <ctype.h>
#include <string.h>

typedef enum kind {
    NOTHING,
    ORD,
    NABLA,
    WORD,
    FUNC,
    BIN,
    REL,
    OPEN,
    CLOSE,
    SLASH,
    PUNCT,
    SPACE
} kind;

typedef struct symbol {
    const char *command, *utf8;
    kind kind;
} symbol;

static const symbol symbols[] = {
#define SYMBOL(command, utf8, kind) {command, utf8, kind},
#include "symbols.def"
#undef SYMBOL
};
enum { SYMBOLS = sizeof symbols / sizeof symbols[0] };

static const struct {
    const char *command, *above, *mathml;
} accents[] = {{"dot", "\u0307", "&#x02D9;"},   {"ddot", "\u0308", "&#x00A8;"},
               {"dddot", "\u20DB", "&#x20DB;"}, {"hat", "\u0302", "^"},
               {"tilde", "\u0303", "~"},        {"bar", "\u0304", "&#x00AF;"},
               {"vec", "\u20D7", "&#x2192;"}};
enum { ACCENTS = sizeof accents / sizeof accents[0] };

/* Commands that only change the type of their argument. */
static const char *const fonts[] = {"mathrm", "mathit",       "text",   "textrm",
                                    "mathsf", "operatorname", "mathcal"};
enum { FONTS = sizeof fonts / sizeof fonts[0] };

typedef struct reader {
    arena *arena;
    const char *at;
    ah_format format; /* AH_TEXT or AH_MATHML */
    uint32_t depth;
} reader;

/* What was read, ready to be put between its neighbours. */
typedef struct piece {
    kind kind;
    const char *s;
    bool spaced; /* a space stood before it */
} piece;

/* What read_list ends at: a character, or the \\right that belongs to a \\left. */
enum { AT_RIGHT = 1 };
static const char *read_list(reader *r, char until);
static void plain(text *out, const char *s, size_t length, ah_format format);

/* ---- Characters ------------------------------------------------------------------------------ */

size_t tex_columns(const char *s)
{
    size_t columns = 0, n = strlen(s);
    while (n) {
        uint32_t code = 0;
        const size_t length = utf8_decode(s, n, &code);
        const bool combining =
            length && ((code >= 0x300 && code < 0x370) || (code >= 0x20D0 && code < 0x2100));
        if (!combining) columns++;
        s += length ? length : 1;
        n -= length ? length : 1;
    }
    return columns;
}

/* Valid and printable characters alone reach the output, whatever the user wrote. */
static size_t next_character(const char *s, size_t n, uint32_t *code, bool *good)
{
    const size_t length = utf8_decode(s, n, code);
    *good = length && (*code >= ' ' || *code == '\n') && (*code < 0x7F || *code > 0x9F) &&
            *code != 0xFFFE && *code != 0xFFFF;
    return length ? length : 1;
}

static void xml_character(text *out, const char *s, size_t n)
{
    switch (*s) {
    case '<': text_add(out, "&lt;"); break;
    case '>': text_add(out, "&gt;"); break;
    case '&': text_add(out, "&amp;"); break;
    case '"': text_add(out, "&quot;"); break;
    default: text_add_n(out, s, n);
    }
}

/* The raised or lowered form of one character; NULL: there is none. */
static const char *script_form(uint32_t code, bool above)
{
    static const char low[] = "0123456789+-=()aehijklmnoprstuvx,";
    static const char *const low_form[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉", "₊",
                                           "₋", "₌", "₍", "₎", "ₐ", "ₑ", "ₕ", "ᵢ", "ⱼ", "ₖ", "ₗ",
                                           "ₘ", "ₙ", "ₒ", "ₚ", "ᵣ", "ₛ", "ₜ", "ᵤ", "ᵥ", "ₓ", ","};
    static const char high[] = "0123456789+-=()abcdefghijklmnoprstuvwxyzABDEGHIJKLMNOPRTUVW,*";
    static const char *const high_form[] = {
        "⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹", "⁺", "⁻", "⁼", "⁽", "⁾", "ᵃ",
        "ᵇ", "ᶜ", "ᵈ", "ᵉ", "ᶠ", "ᵍ", "ʰ", "ⁱ", "ʲ", "ᵏ", "ˡ", "ᵐ", "ⁿ", "ᵒ", "ᵖ", "ʳ",
        "ˢ", "ᵗ", "ᵘ", "ᵛ", "ʷ", "ˣ", "ʸ", "ᶻ", "ᴬ", "ᴮ", "ᴰ", "ᴱ", "ᴳ", "ᴴ", "ᴵ", "ᴶ",
        "ᴷ", "ᴸ", "ᴹ", "ᴺ", "ᴼ", "ᴾ", "ᴿ", "ᵀ", "ᵁ", "ⱽ", "ᵂ", ",", "*"};
    if (code == 0 || code > 0x7F) return NULL;
    const char *at = strchr(above ? high : low, (int) code);
    return !at ? NULL : above ? high_form[at - high] : low_form[at - low];
}

/* ---- Scripts and accents --------------------------------------------------------------------- */

static bool is_plain_word(const char *s)
{
    return *s && s[strcspn(s, " +-*/=()")] == '\0';
}

/* ᵃ, or ^α, or ^(n + α) where there are no such characters. */
static const char *text_script(arena *a, const char *s, bool above)
{
    text t = text_begin(a);
    for (const char *c = s; *c; c++) {
        if (*c == ' ') continue;
        const char *form = script_form((unsigned char) *c, above);
        if (!form)
            return arena_printf(a, is_plain_word(s) ? "%c%s" : "%c(%s)", above ? '^' : '_', s);
        text_add(&t, form);
    }
    return text_end(&t);
}

static const char *accented(reader *r, size_t which, const char *s)
{
    if (r->format == AH_MATHML)
        return arena_printf(r->arena, "<mover accent=\"true\">%s<mo>%s</mo></mover>", s,
                            accents[which].mathml);
    if (tex_columns(s) == 1) return arena_printf(r->arena, "%s%s", s, accents[which].above);
    static const char *const primes[] = {"'", "''", "'''"};
    if (which < 3) return arena_printf(r->arena, "%s%s", s, primes[which]);
    return arena_printf(r->arena, "%s(%s)", accents[which].command, s);
}

static const char *with_scripts(reader *r, const char *base, const char *sub, const char *super)
{
    if (!sub && !super) return base;
    if (r->format == AH_MATHML) {
        if (sub && super)
            return arena_printf(r->arena, "<msubsup>%s%s%s</msubsup>", base, sub, super);
        return arena_printf(r->arena, sub ? "<msub>%s%s</msub>" : "<msup>%s%s</msup>", base,
                            sub ? sub : super);
    }
    return arena_printf(r->arena, "%s%s%s", base, super ? text_script(r->arena, super, true) : "",
                        sub ? text_script(r->arena, sub, false) : "");
}

/* ---- Reading --------------------------------------------------------------------------------- */

static const char *skip_spaces(const char *s)
{
    while (*s == ' ' || *s == '\n') s++;
    return s;
}

/* The name after a backslash: letters, or one other character. */
static const char *read_command(reader *r)
{
    const char *begin = ++r->at;
    while (isalpha((unsigned char) *r->at)) r->at++;
    if (r->at == begin && *r->at) r->at++;
    return arena_strndup(r->arena, begin, (size_t) (r->at - begin));
}

static const symbol *find_symbol(const char *command)
{
    for (size_t i = 0; i < SYMBOLS; i++)
        if (!strcmp(symbols[i].command, command)) return &symbols[i];
    return NULL;
}

static const char *element(reader *r, const char *tag, const char *s, size_t n)
{
    if (r->format != AH_MATHML) return arena_strndup(r->arena, s, n);
    text t = text_begin(r->arena);
    text_printf(&t, "<%s>", tag);
    plain(&t, s, n, AH_MATHML);
    text_printf(&t, "</%s>", tag);
    return text_end(&t);
}

static piece read_atom(reader *r);

/* An argument in braces, or the next atom. One element in MathML. */
static const char *read_argument(reader *r)
{
    r->at = skip_spaces(r->at);
    if (*r->at != '{') return *r->at ? read_atom(r).s : "";
    r->at++;
    const char *s = read_list(r, '}');
    return r->format == AH_MATHML ? arena_printf(r->arena, "<mrow>%s</mrow>", s) : s;
}

/* The characters of an argument as they stand: \text{at rest}. */
static const char *read_raw_argument(reader *r)
{
    r->at = skip_spaces(r->at);
    if (*r->at != '{') return read_argument(r);
    const char *begin = ++r->at;
    r->at += strcspn(r->at, "}");
    const char *s = element(r, "mtext", begin, (size_t) (r->at - begin));
    if (*r->at) r->at++;
    return s;
}

static const char *bracketed(reader *r, const char *s)
{
    return is_plain_word(s) ? s : arena_printf(r->arena, "(%s)", s);
}

/* \frac{d}{dt} is d/dt; what is more than a product gets brackets. */
static const char *fraction(reader *r)
{
    const char *over = read_argument(r), *under = read_argument(r);
    if (r->format == AH_MATHML) return arena_printf(r->arena, "<mfrac>%s%s</mfrac>", over, under);
    if (strpbrk(over, "+-/")) over = bracketed(r, over);
    return arena_printf(r->arena, "%s/%s", over, bracketed(r, under));
}

static const char *square_root(reader *r)
{
    const char *s = read_argument(r);
    if (r->format == AH_MATHML) return arena_printf(r->arena, "<msqrt>%s</msqrt>", s);
    return arena_printf(r->arena, "√%s", bracketed(r, s));
}

static piece symbol_piece(reader *r, const symbol *s)
{
    const bool identifier = s->kind == ORD || s->kind == FUNC;
    if (s->kind == SPACE && r->format == AH_MATHML)
        return (piece){SPACE, *s->utf8 ? "<mspace width=\"1em\"/>" : "", false};
    return (piece){s->kind, element(r, identifier ? "mi" : "mo", s->utf8, strlen(s->utf8)), false};
}

/* After \\left or \\right: a bracket, or none. */
static const char *delimiter(reader *r)
{
    r->at = skip_spaces(r->at);
    if (*r->at != '.') return *r->at ? read_atom(r).s : "";
    r->at++;
    return "";
}

/* A fence round something no taller than a line stays as it is: fonts space grown ones wider. */
static const char *keep_flat(reader *r, const char *fence)
{
    if (strncmp(fence, "<mo>", 4)) return fence;
    return arena_printf(r->arena, "<mo stretchy=\"false\">%s", fence + 4);
}

/* \\left( … \\right) is one thing: a power belongs to all of it. */
static const char *fenced(reader *r)
{
    const char *open = delimiter(r), *inside = read_list(r, AT_RIGHT), *close = delimiter(r);
    if (!strstr(inside, "<mfrac") && !strstr(inside, "<mtable") && !strstr(inside, "<msqrt"))
        open = keep_flat(r, open), close = keep_flat(r, close);
    return arena_printf(r->arena, r->format == AH_MATHML ? "<mrow>%s%s%s</mrow>" : "%s%s%s", open,
                        inside, close);
}

/* The one letter in braces, as a character. */
static uint32_t read_letter(reader *r)
{
    uint32_t code = '?';
    const char *s = r->at + (*r->at == '{');
    const size_t n =
        *s == '\\' ? 1 + strspn(s + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") : 1;
    const symbol *greek = *s == '\\' ? find_symbol(arena_strndup(r->arena, s + 1, n - 1)) : NULL;
    if (greek)
        utf8_decode(greek->utf8, strlen(greek->utf8), &code);
    else if (*s)
        utf8_decode(s, strlen(s), &code);
    r->at = *s ? s + n : s;
    if (*r->at == '}') r->at++;
    return code;
}

/* Mathematical bold, where Unicode has it. */
static const char *bold(reader *r, uint32_t code)
{
    static const struct {
        uint32_t first, last, to;
    } range[] = {
        {'A', 'Z', 0x1D400}, {'a', 'z', 0x1D41A}, {0x391, 0x3A9, 0x1D6A8}, {0x3B1, 0x3C9, 0x1D6C2}};
    char bytes[UTF8_MOST];
    for (size_t i = 0; i < sizeof range / sizeof *range; i++)
        if (code >= range[i].first && code <= range[i].last) {
            code += range[i].to - range[i].first;
            break;
        }
    return element(r, "mi", bytes, utf8_encode(code, bytes));
}

static piece read_macro(reader *r)
{
    const char *command = read_command(r);
    if (!strcmp(command, "left")) return (piece){ORD, fenced(r), false};
    if (!strcmp(command, "right")) return (piece){CLOSE, delimiter(r), false}; /* without \\left */
    if (!strcmp(command, "frac")) return (piece){ORD, fraction(r), false};
    if (!strcmp(command, "sqrt")) return (piece){ORD, square_root(r), false};
    for (size_t i = 0; i < ACCENTS; i++)
        if (!strcmp(command, accents[i].command))
            return (piece){ORD, accented(r, i, read_argument(r)), false};
    for (size_t i = 0; i < FONTS; i++)
        if (!strcmp(command, fonts[i]))
            return (piece){strncmp(command, "text", 4) ? ORD : WORD, read_raw_argument(r), false};
    if (!strcmp(command, "mathbf") || !strcmp(command, "boldsymbol"))
        return (piece){ORD, bold(r, read_letter(r)), false};
    const symbol *s = find_symbol(command);
    if (s) return symbol_piece(r, s);
    return (piece){ORD, element(r, "mi", command, strlen(command)), false};
}

static kind kind_of(char c)
{
    if (strchr("+-*", c)) return BIN;
    if (strchr("=<>", c)) return REL;
    if (strchr("([", c)) return OPEN;
    if (strchr(")]|:", c)) return CLOSE;
    if (c == '/') return SLASH;
    return strchr(",;", c) ? PUNCT : ORD;
}

static piece read_number(reader *r)
{
    const char *begin = r->at;
    r->at += strspn(r->at, "0123456789");
    if (*r->at == '.' && isdigit((unsigned char) r->at[1]))
        r->at += 1 + strspn(r->at + 1, "0123456789");
    return (piece){ORD, element(r, "mn", begin, (size_t) (r->at - begin)), false};
}

static piece read_character(reader *r)
{
    uint32_t code;
    const char *begin = r->at;
    const size_t n = utf8_decode(begin, strlen(begin), &code);
    r->at += n ? n : 1;
    if (!n) return (piece){ORD, element(r, "mi", "?", 1), false};
    if (n > 1 || isalpha((unsigned char) *begin))
        return (piece){ORD, element(r, "mi", begin, n), false};
    const kind k = kind_of(*begin);
    if (*begin == '-' && r->format == AH_MATHML) return (piece){k, "<mo>&#x2212;</mo>", false};
    return (piece){k, element(r, "mo", begin, n), false};
}

static piece read_atom(reader *r)
{
    if (*r->at == '\\') return read_macro(r);
    if (*r->at == '{') return (piece){ORD, read_argument(r), false};
    if (isdigit((unsigned char) *r->at)) return read_number(r);
    return read_character(r);
}

/* Two letters or more with spaces around them are a word, unless they are a differential. */
static size_t word_length(const char *before, const char *s)
{
    size_t n = 0;
    while (isalpha((unsigned char) s[n])) n++;
    const bool begins = !before || *before == ' ', ends = s[n] == ' ' || s[n] == '\0';
    return n >= 2 && begins && ends ? n : 0;
}

static piece read_item(reader *r, const char *begin)
{
    const size_t word = word_length(r->at > begin ? r->at - 1 : NULL, r->at);
    if (word) {
        const char *s = r->at;
        r->at += word;
        return (piece){WORD, element(r, "mtext", s, word), false};
    }
    piece p = read_atom(r);
    const char *sub = NULL, *super = NULL;
    for (;;) {
        if (*r->at == '_' && !sub)
            r->at++, sub = read_argument(r);
        else if (*r->at == '^' && !super)
            r->at++, super = read_argument(r);
        else
            break;
    }
    p.s = with_scripts(r, p.s, sub, super);
    return p;
}

/* ---- Putting pieces together ----------------------------------------------------------------- */

static bool ends_operand(kind k)
{
    return k == ORD || k == NABLA || k == CLOSE || k == WORD;
}

static bool begins_operand(kind k)
{
    return k == ORD || k == NABLA || k == FUNC || k == WORD;
}

/* What stands between two neighbours in text. */
static const char *text_gap(kind before, piece p, bool sign_before)
{
    if (before == NOTHING || before == SPACE || p.kind == SPACE) return "";
    if (before == SLASH || p.kind == SLASH) return "";
    if (p.kind == REL || before == REL || p.kind == WORD || before == WORD) return " ";
    if (p.kind == BIN) return ends_operand(before) ? " " : "";
    if (before == BIN) return sign_before ? "" : " ";
    if (before == PUNCT) return p.spaced ? " " : "";
    if (before == FUNC) return begins_operand(p.kind) ? " " : "";
    if (!p.spaced || before == NABLA || before == OPEN) return "";
    return begins_operand(p.kind) || p.kind == OPEN ? " " : "";
}

static const char *mathml_gap(kind before, piece p)
{
    if (before == FUNC && begins_operand(p.kind)) return "<mo rspace=\"0.17em\">&#x2061;</mo>";
    if (p.kind == FUNC && (before == ORD || before == CLOSE))
        return "<mo rspace=\"0.17em\">&#x2062;</mo>";
    if (p.kind == WORD || before == WORD) return "<mspace width=\"0.3em\"/>";
    if (p.spaced && before == ORD && begins_operand(p.kind)) return "<mo>&#x2062;</mo>";
    return "";
}

static bool is_right(const char *s)
{
    const size_t n = strlen("\\right");
    return !strncmp(s, "\\right", n) && !isalpha((unsigned char) s[n]);
}

static const char *read_list(reader *r, char until)
{
    text t = text_begin(r->arena);
    kind before = NOTHING;
    bool sign = false; /* the sign just before stands alone: -x */
    const char *begin = r->at;
    ah_ctx *ctx = r->arena->ctx;
    if (++r->depth > ctx->limits.nesting) ctx_raise_limit(ctx, "a formula is nested too deeply");
    for (;;) {
        const char *next = skip_spaces(r->at);
        const bool spaced = next > r->at;
        r->at = next;
        if (!*r->at || *r->at == until) break;
        if (until == AT_RIGHT && is_right(r->at)) {
            r->at += strlen("\\right");
            r->depth--;
            return text_end(&t);
        }
        piece p = read_item(r, begin);
        p.spaced = spaced;
        text_add(&t, r->format == AH_MATHML ? mathml_gap(before, p) : text_gap(before, p, sign));
        text_add(&t, p.s);
        sign = p.kind == BIN && !ends_operand(before);
        before = p.kind;
    }
    if (*r->at) r->at++;
    r->depth--;
    return text_end(&t);
}

/* ---- LaTeX ----------------------------------------------------------------------------------- */

/* Of a character beyond ASCII the command that makes it; NULL: there is none. */
static const char *command_of(const char *s, size_t n)
{
    for (size_t i = 0; i < SYMBOLS; i++)
        if (strlen(symbols[i].utf8) == n && !memcmp(symbols[i].utf8, s, n))
            return symbols[i].command;
    return NULL;
}

/* Letters that the T1 encoding has, so that pdflatex knows them. */
static bool is_european(uint32_t code)
{
    return (code >= 0xC0 && code <= 0xFF && code != 0xD7 && code != 0xF7) ||
           (code >= 0x2013 && code <= 0x201E && code != 0x2015 && code != 0x201B);
}

static void latex_character(text *out, const char *s, size_t n, uint32_t code)
{
    if (n == 1 && strchr("#$%&_{}", *s))
        text_char(out, '\\'), text_char(out, *s);
    else if (n == 1 && *s == '\\')
        text_add(out, "\\textbackslash{}");
    else if (n == 1 && (*s == '~' || *s == '^'))
        text_printf(out, "\\%c{}", *s);
    else if (n == 1 && (*s == '<' || *s == '>' || *s == '|'))
        text_printf(out, "$%c$", *s);
    else if (n == 1 || is_european(code))
        text_add_n(out, s, n);
    else if (command_of(s, n))
        text_printf(out, "$\\%s$", command_of(s, n));
    else
        text_char(out, '?');
}

/* \text{…}: somebody's label, left_wheel, say. Returns what follows it. */
static const char *latex_text(text *out, const char *s)
{
    const size_t open = strlen("\\text{"), length = strcspn(s + open, "}");
    text_add(out, "\\text{");
    tex_plain(out, arena_strndup(out->arena, s + open, length), AH_LATEX);
    text_char(out, '}');
    return s + open + length + (s[open + length] == '}');
}

/* The formula as it stands; words between spaces become text. */
static void latex_formula(text *out, const char *s)
{
    int depth = 0;
    for (const char *begin = s; *s;) {
        if (!strncmp(s, "\\text{", 6)) {
            s = latex_text(out, s);
            continue;
        }
        const size_t word = depth ? 0 : word_length(s > begin ? s - 1 : NULL, s);
        uint32_t code;
        const size_t n = utf8_decode(s, strlen(s), &code);
        depth += (*s == '{') - (*s == '}');
        if (word) {
            text_printf(out, "\\text{ %.*s }", (int) word, s);
            s += word;
            continue;
        }
        if (n > 1 && command_of(s, n)) {
            text_printf(out, "\\%s ", command_of(s, n));
        } else if (n > 1) { /* a letter that only text knows */
            text_add(out, "\\text{");
            latex_character(out, s, n, code);
            text_char(out, '}');
        } else if (n == 1) {
            text_char(out, *s);
        }
        s += n ? n : 1;
    }
}

/* ---- Any format ------------------------------------------------------------------------------ */

void tex_formula(text *out, const char *formula, ah_format format)
{
    if (format == AH_LATEX) {
        latex_formula(out, formula);
        return;
    }
    arena *scratch = &out->arena->ctx->scratch;
    const bool apart = out->arena != scratch; /* else releasing would take `out` along */
    const arena_mark mark = arena_get_mark(scratch);
    reader r = {.arena = scratch, .at = formula, .format = format};
    const char *s = read_list(&r, '\0');
    if (format == AH_MATHML)
        text_printf(out, "<mrow>%s</mrow>", s);
    else
        text_add(out, s);
    if (apart) arena_release(scratch, mark);
}

static void plain(text *out, const char *s, size_t length, ah_format format)
{
    while (length) {
        uint32_t code = 0;
        bool good;
        const size_t n = next_character(s, length, &code, &good);
        if (good && format == AH_LATEX)
            latex_character(out, s, n, code);
        else if (good && format == AH_MATHML)
            xml_character(out, s, n);
        else if (good)
            text_add_n(out, s, n);
        s += n;
        length -= n;
    }
}

void tex_plain(text *out, const char *s, ah_format format)
{
    plain(out, s, strlen(s), format);
}

static void put_between(text *out, const char *s, char mark, ah_format format)
{
    static const char *const math[][2] = {{"", ""}, {"$", "$"}, {TEX_MATH ">", "</math>"}};
    static const char *const code[][2] = {{"`", "`"}, {"\\texttt{", "}"}, {"<code>", "</code>"}};
    const int which = format == AH_LATEX ? 1 : format == AH_MATHML ? 2 : 0;
    text_add(out, (mark == '$' ? math : code)[which][0]);
    if (mark == '$')
        tex_formula(out, s, format);
    else
        tex_plain(out, s, format);
    text_add(out, (mark == '$' ? math : code)[which][1]);
}

void tex_prose(text *out, const char *prose, ah_format format)
{
    for (const char *s = prose; *s;) {
        const size_t n = strcspn(s, "$`");
        plain(out, s, n, format);
        s += n;
        if (!*s) break;
        const char *end = strchr(s + 1, *s);
        if (!end) { /* a mark without its partner is an ordinary character */
            plain(out, s, 1, format);
            s++;
            continue;
        }
        put_between(out, arena_strndup(&out->arena->ctx->job, s + 1, (size_t) (end - s - 1)), *s,
                    format);
        s = end + 1;
    }
}

void tex_document(text *out, const char *title, const char *below)
{
    static const char *const head[] = {"\\documentclass[a4paper,11pt]{article}",
                                       "\\usepackage[T1]{fontenc}",
                                       "\\usepackage[utf8]{inputenc}",
                                       "\\usepackage{amsmath}",
                                       "\\setlength{\\textwidth}{17cm}",
                                       "\\setlength{\\oddsidemargin}{-5mm}",
                                       "\\setlength{\\textheight}{24cm}",
                                       "\\setlength{\\topmargin}{-15mm}",
                                       "\\setlength{\\parindent}{0pt}",
                                       "\\setcounter{MaxMatrixCols}{24}",
                                       "\\renewcommand{\\arraystretch}{1.3}",
                                       "\\allowdisplaybreaks",
                                       "\\begin{document}"};
    for (size_t i = 0; i < sizeof head / sizeof *head; i++) text_printf(out, "%s\n", head[i]);
    text_add(out, "\\begin{center}\n{\\Large ");
    tex_plain(out, title ? title : "", AH_LATEX);
    text_add(out, "}\\\\[1ex]\n");
    tex_plain(out, below, AH_LATEX);
    text_add(out, "\n\\end{center}\n");
}
