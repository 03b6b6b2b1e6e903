/* syntax/lexer.c - text to tokens.
 *
 * Layout is decided here: a statement ends (NEWLINE) at the end of its line, unless a bracket is
 * open or the line ends in a comma, `=` or an operator, or the next one is more indented and begins
 * with an operator; after a line that ends in a colon, more indented lines stand between INDENT and
 * DEDENT. What cannot be read is reported once and leaves a BAD token, at which the parser gives
 * the statement up without a second complaint. */
#include "syntax.h"

#include <string.h>

enum {
    TAB = 8,              /* indentation goes on to the next multiple of this */
    DIGITS_MOST = 10000,  /* of a number */
    EXPONENT_MOST = 4000, /* of a number: as an exact fraction it has so many digits */
};

typedef struct lexer {
    lang *l;
    ah_ctx *ctx;
    const char *text;
    uint32_t length, at;
    uint32_t brackets;      /* open ones */
    LIST(uint32_t) indents; /* of the open blocks, the outermost first */
    uint32_t tolerated;     /* a wrong indentation that was reported already */
    token_list out;
} lexer;

static const struct {
    const char *text;
    bool goes_on;
} kinds[] = {
#define X(code, text, goes_on) {text, goes_on},
    TOKEN_LIST(X)
#undef X
};

const char *token_text(token_kind kind)
{
    return kinds[kind].text;
}

/* ---- Small things ---------------------------------------------------------------------------- */

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

/* The byte `ahead` of the present one; NUL past the end (the source ends in one). */
static char look(const lexer *x, uint32_t ahead)
{
    return ahead < x->length - x->at ? x->text[x->at + ahead] : '\0';
}

static ah_span span(const lexer *x, uint32_t begin, uint32_t end)
{
    return (ah_span){x->out.file, begin, end};
}

static token *push(lexer *x, token_kind kind, uint32_t begin, uint32_t end)
{
    const token t = {.kind = (uint8_t) kind, .begin = begin, .end = end};
    LIST_PUSH(x->l->arena, &x->out, t);
    return &x->out.at[x->out.count - 1];
}

static token_kind last_kind(const lexer *x)
{
    return x->out.count ? x->out.at[x->out.count - 1].kind : TOKEN_NEWLINE;
}

static uint32_t last_end(const lexer *x)
{
    return x->out.count ? x->out.at[x->out.count - 1].end : 0;
}

/* ---- Characters that cannot stand ------------------------------------------------------------ */

static const struct {
    const char *character, *hint;
} misplaced[] = {
    {"²", "write ^2"},
    {"³", "write ^3"},
    {"½", "write 1/2"},
    {"√", "write sqrt(…)"},
    {"÷", "write /"},
    {"“", "a text stands between straight quotes \"…\""},
    {"”", "a text stands between straight quotes \"…\""},
    {"„", "a text stands between straight quotes \"…\""},
    {";", "one statement a line; several of one kind are separated by `,`"},
    {"{", "brackets are ( ) and, for indices, [ ]"},
    {"}", "brackets are ( ) and, for indices, [ ]"},
    {"!", "unequal is written !="},
    {".", "a range is written with two dots: 1 .. n"},
    {"\\", "names are written without a backslash: theta or θ"},
    {"|", "absolute values are written abs(…), lengths of vectors norm(…)"},
    {"&", "several assumptions are separated by `,`"},
    {"\"", "a text ends on the line where it begins"},
};

static void hint_at_character(lexer *x, const char *character, size_t length)
{
    for (size_t i = 0; i < sizeof misplaced / sizeof *misplaced; i++)
        if (strlen(misplaced[i].character) == length &&
            !memcmp(misplaced[i].character, character, length)) {
            diag_hint(x->ctx, "%s", misplaced[i].hint);
            return;
        }
    diag_hint(x->ctx, "names are made of Latin, Greek and Cyrillic letters, digits and `_`; `#` "
                      "starts a comment");
}

/* Reports the bytes at x->at that are no UTF-8, as far as they go, or one character, and skips
 * them. */
static void stray(lexer *x)
{
    const uint32_t begin = x->at;
    uint32_t code;
    const size_t step = utf8_decode(x->text + begin, x->length - begin, &code);
    if (step && code >= ' ' && code != 0x7F) {
        x->at += (uint32_t) step;
        diag(x->ctx, A0101, span(x, begin, x->at), "the character `%.*s` cannot stand here",
             (int) step, x->text + begin);
        hint_at_character(x, x->text + begin, step);
    } else if (step) {
        x->at += (uint32_t) step;
        diag(x->ctx, A0101, span(x, begin, x->at), "the control character U+%04X cannot stand here",
             (unsigned) code);
        diag_hint(x->ctx, "a model is plain text: is this the right file?");
    } else {
        while (x->at < x->length && !utf8_decode(x->text + x->at, x->length - x->at, &code)) {
            ctx_tick(x->ctx);
            x->at++;
        }
        diag(x->ctx, A0101, span(x, begin, x->at), "this is not UTF-8 (byte 0x%02X)",
             (unsigned) (unsigned char) x->text[begin]);
        diag_hint(x->ctx, "save the file with the encoding UTF-8");
    }
}

/* Whether the next character may stand in a comment or a text. */
static bool printable(const lexer *x, size_t *step)
{
    uint32_t code;
    *step = utf8_decode(x->text + x->at, x->length - x->at, &code);
    return *step && (code >= ' ' || code == '\t' || code == '\r') && code != 0x7F;
}

static void comment(lexer *x)
{
    while (x->at < x->length && x->text[x->at] != '\n') {
        ctx_tick(x->ctx);
        size_t step;
        if (printable(x, &step))
            x->at += (uint32_t) step;
        else
            stray(x);
    }
}

/* ---- Numbers, texts, names ------------------------------------------------------------------- */

static void bad_number(lexer *x, uint32_t begin, const char *what, const char *hint)
{
    diag(x->ctx, A0103, span(x, begin, x->at), "%s", what);
    diag_hint(x->ctx, "%s", hint);
    push(x, TOKEN_BAD, begin, x->at);
}

static void skip_digits(lexer *x)
{
    while (is_digit(look(x, 0))) x->at++;
}

/* The exponent e[+-]digits, if there is one; its size, cut at EXPONENT_MOST + 1. */
static uint32_t exponent(lexer *x)
{
    const uint32_t sign = look(x, 1) == '+' || look(x, 1) == '-';
    if ((look(x, 0) | 0x20) != 'e' || !is_digit(look(x, 1 + sign))) return 0;
    x->at += 1 + sign;
    uint32_t size = 0;
    for (; is_digit(look(x, 0)); x->at++)
        if (size <= EXPONENT_MOST) size = 10 * size + (uint32_t) (look(x, 0) - '0');
    return size;
}

/* number = digits [ '.' [ digits ] ] [ exponent ] | '.' digits [ exponent ]
 * A point before another point is the range's: 1..n. */
static void number(lexer *x)
{
    const uint32_t begin = x->at;
    skip_digits(x);
    if (look(x, 0) == '.' && look(x, 1) != '.') {
        x->at++;
        skip_digits(x);
    }
    const bool too_long = x->at - begin > DIGITS_MOST;
    const bool too_large = exponent(x) > EXPONENT_MOST;
    if (is_letter(look(x, 0)) || (look(x, 0) == '.' && look(x, 1) != '.')) {
        while (is_letter(look(x, 0)) || is_digit(look(x, 0)) || look(x, 0) == '.') x->at++;
        bad_number(x, begin, "this is neither a number nor a name",
                   "a product needs its sign: 2*x; numbers look like 12, 0.5 or 1e-3");
    } else if (too_long) {
        bad_number(x, begin, "a number of more than 10000 digits", "fewer digits will do");
    } else if (too_large) {
        bad_number(x, begin, "an exponent of more than 4000",
                   "numbers are exact, so that every digit counts: choose other units");
    } else {
        push(x, TOKEN_NUMBER, begin, x->at);
    }
}

static void string(lexer *x)
{
    const uint32_t begin = x->at++;
    bool bad = false;
    while (x->at < x->length && x->text[x->at] != '"' && x->text[x->at] != '\n') {
        ctx_tick(x->ctx);
        size_t step;
        if (printable(x, &step)) {
            x->at += (uint32_t) step;
        } else {
            stray(x);
            bad = true;
        }
    }
    if (look(x, 0) == '"') {
        x->at++;
    } else {
        diag(x->ctx, A0102, span(x, begin, x->at), "a text without its closing quote");
        diag_hint(x->ctx, "a text ends on the line where it begins: \"…\"");
        bad = true;
    }
    push(x, bad ? TOKEN_BAD : TOKEN_STRING, begin, x->at);
}

static bool is_subscript(uint32_t code)
{
    return code >= 0x2080 && code <= 0x2089;
}

static bool is_cyrillic(uint32_t code)
{
    return code >= 0x400 && code <= 0x481;
}

/* Letters that stay as they are: accented Latin ones, Cyrillic, and those of formulas. */
static bool is_other_letter(uint32_t code)
{
    return (code >= 0xC0 && code <= 0x24F && code != 0xD7 && code != 0xF7) || is_cyrillic(code) ||
           code == 0x210F /* ℏ */ || code == 0x2113 /* ℓ */;
}

/* The next character of a name beyond ASCII, as it is kept: a Greek letter by its English name, a
 * subscript as the digit. Returns the bytes it takes in the text, 0 when it is none. */
static size_t beyond_ascii(const lexer *x, const char **kept, size_t *length)
{
    static const char digits[] = "0123456789";
    uint32_t code;
    const size_t step = utf8_decode(x->text + x->at, x->length - x->at, &code);
    if (!step || code < 0x80) return 0;
    *kept = expr_english(code);
    *length = *kept ? strlen(*kept) : 0;
    if (is_subscript(code)) *kept = digits + (code - 0x2080), *length = 1;
    if (is_other_letter(code)) *kept = x->text + x->at, *length = step;
    return *kept ? step : 0;
}

static bool starts_name(const lexer *x)
{
    const char *kept;
    size_t length;
    return is_letter(look(x, 0)) || (beyond_ascii(x, &kept, &length) && !is_digit(*kept));
}

/* Cyrillic letters that look like Latin or Greek ones. */
static bool is_disguised(uint32_t code)
{
    static const uint16_t letters[] = {
        0x400, 0x401, 0x405, 0x406, 0x407, 0x408, 0x410, 0x412, 0x413, 0x415,
        0x41A, /* ЀЁЅІЇЈАВГЕК */
        0x41C, 0x41D, 0x41E, 0x41F, 0x420, 0x421, 0x422, 0x423, 0x424, 0x425,
        0x430, /* МНОПРСТУФХа */
        0x435, 0x43E, 0x440, 0x441, 0x443, 0x444, 0x445, 0x450, 0x451, 0x455,
        0x456, /* еорсуфхѐёѕі */
        0x457, 0x458, 0x460, 0x461, 0x470, 0x471, 0x472, 0x473, 0x474, 0x475, /* їјѠѡѰѱѲѳѴѵ */
    };
    for (size_t i = 0; i < sizeof letters / sizeof *letters; i++)
        if (letters[i] == code) return true;
    return false;
}

/* Whether a reader can tell the name that begins there from all others. In each of its parts, which `_` separates,
 * Cyrillic letters stand alone, and one of them at least looks like no other letter. */
static bool can_be_told(const lexer *x, uint32_t begin)
{
    bool cyrillic = false, others = false, telling = false;
    uint32_t code;
    for (uint32_t at = begin; at <= x->at;) {
        const size_t step = at < x->at ? utf8_decode(x->text + at, x->length - at, &code) : 1;
        if (at == x->at) code = '_';
        at += (uint32_t) step;
        if (code == '_' && cyrillic && (others || !telling)) return false;
        if (code == '_')
            cyrillic = others = telling = false;
        else if (is_cyrillic(code))
            cyrillic = true, telling = telling || !is_disguised(code);
        else
            others = others || !(is_subscript(code) || (code < 0x80 && is_digit((char) code)));
    }
    return true;
}

/* Of a name that is new: derivatives are written with dots, so that ä beside a could be either. */
static void check_dots(lexer *x, uint32_t begin, const char *spelling, size_t length)
{
    if (lang_find_name(x->l, spelling, length)) return;
    const name *twin = lang_dotted_twin(x->l, spelling, length);
    if (!twin) return;
    diag(x->ctx, A0108, span(x, begin, x->at),
         "`%.*s` beside `%s`: one looks like a derivative of the other", (int) length, spelling,
         twin->text);
    diag_hint(x->ctx, "derivatives are shown by dots above the letter; choose another letter");
}

/* name = letter { letter | digit } */
static void word(lexer *x)
{
    char canonical[NAME_LENGTH];
    size_t length = 0, step = 1, n = 1;
    bool foreign = false;
    const uint32_t begin = x->at;
    for (;; x->at += (uint32_t) step) {
        const char *kept = x->text + x->at;
        const bool ascii = is_letter(look(x, 0)) || is_digit(look(x, 0));
        step = ascii ? 1 : beyond_ascii(x, &kept, &n);
        if (!step) break;
        if (ascii) n = 1;
        foreign = foreign || !ascii;
        if (length + n <= NAME_LENGTH) memcpy(canonical + length, kept, n);
        length += n;
        ctx_tick(x->ctx);
    }
    if (foreign && !can_be_told(x, begin)) {
        diag(x->ctx, A0108, span(x, begin, x->at),
             "a name with Cyrillic letters that look like others");
        diag_hint(x->ctx, "write it in Latin or Greek letters, or with Cyrillic ones that cannot "
                          "be taken for them");
        push(x, TOKEN_BAD, begin, x->at);
        return;
    }
    if (length <= NAME_LENGTH) {
        check_dots(x, begin, canonical, length);
        push(x, TOKEN_NAME, begin, x->at)->name = lang_intern(x->l, canonical, length);
        return;
    }
    diag(x->ctx, A0104, span(x, begin, x->at), "a name of more than %d letters", NAME_LENGTH);
    diag_hint(x->ctx, "choose a shorter name");
    push(x, TOKEN_BAD, begin, x->at);
}

/* ---- Signs ----------------------------------------------------------------------------------- */

/* One list; longer signs before their beginnings. Typographic forms are welcome. */
static const struct {
    const char *text;
    token_kind kind;
    uint32_t primes;
} signs[] = {
    {"->", TOKEN_ARROW, 0},         {"→", TOKEN_ARROW, 0},       {"..", TOKEN_RANGE, 0},
    {">=", TOKEN_GREATER_EQUAL, 0}, {"<=", TOKEN_LESS_EQUAL, 0}, {"!=", TOKEN_UNEQUAL, 0},
    {"(", TOKEN_OPEN, 0},           {")", TOKEN_CLOSE, 0},       {"[", TOKEN_OPEN_INDEX, 0},
    {"]", TOKEN_CLOSE_INDEX, 0},    {",", TOKEN_COMMA, 0},       {":", TOKEN_COLON, 0},
    {"=", TOKEN_EQUAL, 0},          {"+", TOKEN_PLUS, 0},        {"-", TOKEN_MINUS, 0},
    {"*", TOKEN_TIMES, 0},          {"/", TOKEN_OVER, 0},        {"^", TOKEN_POWER, 0},
    {">", TOKEN_GREATER, 0},        {"<", TOKEN_LESS, 0},        {"'", TOKEN_PRIME, 1},
    {"′", TOKEN_PRIME, 1},          {"’", TOKEN_PRIME, 1},       {"″", TOKEN_PRIME, 2},
    {"‴", TOKEN_PRIME, 3},          {"−", TOKEN_MINUS, 0},       {"·", TOKEN_TIMES, 0},
    {"⋅", TOKEN_TIMES, 0},          {"×", TOKEN_TIMES, 0},       {"≥", TOKEN_GREATER_EQUAL, 0},
    {"≤", TOKEN_LESS_EQUAL, 0},     {"≠", TOKEN_UNEQUAL, 0},
};

static void count_bracket(lexer *x, token_kind kind)
{
    if (kind == TOKEN_OPEN || kind == TOKEN_OPEN_INDEX) x->brackets++;
    if ((kind == TOKEN_CLOSE || kind == TOKEN_CLOSE_INDEX) && x->brackets) x->brackets--;
}

/* Signs that other languages have and ours has not. */
static bool foreign_sign(lexer *x)
{
    const char *hint = NULL;
    if (look(x, 0) == '*' && look(x, 1) == '*') hint = "powers are written ^";
    if (look(x, 0) == '=' && look(x, 1) == '=') hint = "equality is written with one =";
    if (!hint) return false;
    const uint32_t begin = x->at;
    x->at += 2;
    diag(x->ctx, A0101, span(x, begin, x->at), "`%.2s` is not a sign of the language",
         x->text + begin);
    diag_hint(x->ctx, "%s", hint);
    push(x, TOKEN_BAD, begin, x->at);
    return true;
}

static void sign(lexer *x)
{
    if (foreign_sign(x)) return;
    for (size_t i = 0; i < sizeof signs / sizeof *signs; i++) {
        const size_t n = strlen(signs[i].text);
        if (n > x->length - x->at || memcmp(x->text + x->at, signs[i].text, n)) continue;
        const uint32_t begin = x->at, end = begin + (uint32_t) n;
        x->at = end;
        count_bracket(x, signs[i].kind);
        if (signs[i].kind == TOKEN_PRIME && last_kind(x) == TOKEN_PRIME && last_end(x) == begin) {
            token *primes = &x->out.at[x->out.count - 1];
            primes->primes += signs[i].primes;
            primes->end = end;
        } else {
            push(x, signs[i].kind, begin, end)->primes = signs[i].primes;
        }
        return;
    }
    const uint32_t begin = x->at;
    stray(x);
    push(x, TOKEN_BAD, begin, x->at);
}

/* ---- Lines and layout ------------------------------------------------------------------------ */

/* Blanks: also the no-break and thin spaces that come with copied text. */
static bool skip_blank(lexer *x)
{
    static const char *const blanks[] = {" ", "\t", "\r", "\u00A0", "\u2009", "\u202F"};
    for (size_t i = 0; i < sizeof blanks / sizeof *blanks; i++) {
        const size_t n = strlen(blanks[i]);
        if (n > x->length - x->at || memcmp(x->text + x->at, blanks[i], n)) continue;
        x->at += (uint32_t) n;
        return true;
    }
    return false;
}

static uint32_t indentation(lexer *x)
{
    uint32_t column = 0;
    for (;;) {
        const char c = look(x, 0);
        if (!skip_blank(x)) return column;
        column = c == '\t' ? (column / TAB + 1) * TAB : column + 1;
        ctx_tick(x->ctx);
    }
}

static bool at_line_end(const lexer *x)
{
    return x->at >= x->length || x->text[x->at] == '\n' || x->text[x->at] == '#';
}

/* Inside brackets two operands never follow each other: a line like `force x …` that begins no
 * further right than the statement is the next statement, and a bracket or operand is missing
 * before. */
static bool restarts(const lexer *x, uint32_t indent)
{
    if (x->indents.count && indent > x->indents.at[x->indents.count - 1]) return false;
    uint32_t n = 0;
    while (is_letter(look(x, n)) && n < NAME_LENGTH) n++;
    if (!syntax_is_statement(x->text + x->at, n)) return false;
    if (look(x, n) != ' ' && look(x, n) != '\t') return false;
    while (look(x, n) == ' ' || look(x, n) == '\t') n++;
    return is_letter(look(x, n)) || is_digit(look(x, n)) || look(x, n) == '"' ||
           (unsigned char) look(x, n) >= 0x80;
}

static bool goes_on(const lexer *x)
{
    return x->brackets || kinds[last_kind(x)].goes_on;
}

/* A more indented line goes on with the statement when it cannot be one: it begins with an
 * operator, or the line before was a single word. */
static bool continues(const lexer *x)
{
    const size_t n = x->out.count;
    const bool single = n >= 2 && x->out.at[n - 2].kind == TOKEN_NAME &&
                        (n == 2 || (x->out.at[n - 3].kind >= TOKEN_NEWLINE &&
                                    x->out.at[n - 3].kind <= TOKEN_DEDENT));
    return n && (single || !starts_name(x));
}

static void wrong_indentation(lexer *x, uint32_t indent, uint32_t line, const char *what,
                              const char *hint)
{
    if (indent != x->tolerated) {
        diag(x->ctx, A0105, span(x, line, x->at), "%s", what);
        diag_hint(x->ctx, "%s", hint);
    }
    x->tolerated = indent;
    if (!starts_name(x)) push(x, TOKEN_BAD, x->at, x->at);
}

/* INDENT and DEDENT before the first token of a statement; `line` is where its line begins. */
static void lay_out(lexer *x, uint32_t indent, uint32_t line)
{
    const bool block = x->out.count >= 2 && x->out.at[x->out.count - 2].kind == TOKEN_COLON;
    if (!x->indents.count) LIST_PUSH(x->l->arena, &x->indents, indent);
    uint32_t top = x->indents.at[x->indents.count - 1];
    if (indent > top && block) {
        LIST_PUSH(x->l->arena, &x->indents, indent);
        push(x, TOKEN_INDENT, line, x->at);
        return;
    }
    if (indent > top && continues(x)) {
        x->out.count--; /* the NEWLINE was none */
        return;
    }
    if (indent > top) {
        wrong_indentation(x, indent, line, "this line is indented, but belongs to no block",
                          "a statement goes on where the line before ends in an operator, `,` or "
                          "`=`; a block follows a line that ends in `:`");
        return;
    }
    while (indent < top && x->indents.count > 1) {
        x->indents.count--;
        push(x, TOKEN_DEDENT, line, x->at);
        top = x->indents.at[x->indents.count - 1];
    }
    if (indent != top)
        wrong_indentation(x, indent, line, "this indentation is that of no open block",
                          "the lines of a block begin in the same column");
    else
        x->tolerated = UINT32_MAX;
}

static void end_statement(lexer *x)
{
    push(x, TOKEN_NEWLINE, last_end(x), last_end(x));
    x->brackets = 0;
}

static void one_line(lexer *x)
{
    const uint32_t line = x->at, indent = indentation(x);
    if (!at_line_end(x)) {
        const bool open = x->out.count && last_kind(x) != TOKEN_NEWLINE;
        if (open && restarts(x, indent)) end_statement(x);
        if (last_kind(x) == TOKEN_NEWLINE) lay_out(x, indent, line);
        while (!at_line_end(x)) {
            ctx_tick(x->ctx);
            if (skip_blank(x)) continue;
            if (is_digit(look(x, 0)) || (look(x, 0) == '.' && is_digit(look(x, 1))))
                number(x);
            else if (look(x, 0) == '"')
                string(x);
            else if (starts_name(x))
                word(x);
            else
                sign(x);
        }
        if (!goes_on(x)) end_statement(x);
    }
    if (look(x, 0) == '#') comment(x);
    x->at++; /* the line feed */
}

token_list lang_tokens(lang *l, uint32_t file)
{
    const source *s = source_get(l->ctx, file);
    lexer x = {
        .l = l,
        .ctx = l->ctx,
        .text = s->text,
        .length = (uint32_t) s->length,
        .tolerated = UINT32_MAX,
        .out.file = file,
    };
    x.out.at = arena_grow(l->arena, NULL, sizeof(token), 0, &x.out.capacity, x.length / 4 + 16);
    if (x.length >= 3 && !memcmp(x.text, "\uFEFF", 3)) x.at = 3; /* byte order mark */
    while (x.at < x.length) one_line(&x);
    if (last_kind(&x) != TOKEN_NEWLINE) end_statement(&x);
    for (; x.indents.count > 1; x.indents.count--) push(&x, TOKEN_DEDENT, x.length, x.length);
    push(&x, TOKEN_END, x.length, x.length);
    return x.out;
}
