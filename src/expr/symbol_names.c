/* expr/symbol_names.c - names as they are written: Greek letters, subscripts, dots. */
#include "expr_print.h"
#include <string.h>

/* ---- Greek ----------------------------------------------------------------------------------- */

/* name and letter, small and capital; LaTeX of both. What looks like a Latin letter has none and is written as a word:
 * Alpha is not to be taken for A. */
#define GREEK(X)                                                                                   \
    X("alpha", 0x3B1, "Alpha", 0x391, "\\alpha", NULL)                                             \
    X("beta", 0x3B2, "Beta", 0x392, "\\beta", NULL)                                                \
    X("gamma", 0x3B3, "Gamma", 0x393, "\\gamma", "\\Gamma")                                        \
    X("delta", 0x3B4, "Delta", 0x394, "\\delta", "\\Delta")                                        \
    X("epsilon", 0x3B5, "Epsilon", 0x395, "\\varepsilon", NULL)                                    \
    X("zeta", 0x3B6, "Zeta", 0x396, "\\zeta", NULL)                                                \
    X("eta", 0x3B7, "Eta", 0x397, "\\eta", NULL)                                                   \
    X("theta", 0x3B8, "Theta", 0x398, "\\theta", "\\Theta")                                        \
    X("iota", 0x3B9, "Iota", 0x399, "\\iota", NULL)                                                \
    X("kappa", 0x3BA, "Kappa", 0x39A, "\\kappa", NULL)                                             \
    X("lambda", 0x3BB, "Lambda", 0x39B, "\\lambda", "\\Lambda")                                    \
    X("mu", 0x3BC, "Mu", 0x39C, "\\mu", NULL)                                                      \
    X("nu", 0x3BD, "Nu", 0x39D, "\\nu", NULL)                                                      \
    X("xi", 0x3BE, "Xi", 0x39E, "\\xi", "\\Xi")                                                    \
    X("omicron", 0x3BF, "Omicron", 0x39F, NULL, NULL)                                              \
    X("pi", 0x3C0, "Pi", 0x3A0, "\\pi", "\\Pi")                                                    \
    X("rho", 0x3C1, "Rho", 0x3A1, "\\rho", NULL)                                                   \
    X("sigma", 0x3C3, "Sigma", 0x3A3, "\\sigma", "\\Sigma")                                        \
    X("tau", 0x3C4, "Tau", 0x3A4, "\\tau", NULL)                                                   \
    X("upsilon", 0x3C5, "Upsilon", 0x3A5, "\\upsilon", NULL)                                       \
    X("phi", 0x3C6, "Phi", 0x3A6, "\\varphi", "\\Phi")                                             \
    X("chi", 0x3C7, "Chi", 0x3A7, "\\chi", NULL)                                                   \
    X("psi", 0x3C8, "Psi", 0x3A8, "\\psi", "\\Psi")                                                \
    X("omega", 0x3C9, "Omega", 0x3A9, "\\omega", "\\Omega")

typedef struct letter {
    const char *english;
    uint32_t code;
    const char *utf8, *latex;
} letter;

/* Of the two bytes that a Greek letter takes in UTF-8. */
#define UTF8_2(code)                                                                               \
    ((const char[]){(char) (0xC0 | (code) >> 6), (char) (0x80 | ((code) &0x3F)), 0})

static const letter letters[] = {
#define X(lower, code, upper, capital, tex, tex_capital)                                           \
    {lower, code, UTF8_2(code), tex}, {upper, capital, UTF8_2(capital), tex_capital},
    GREEK(X)
#undef X
};
enum { LETTERS = sizeof letters / sizeof letters[0] };

/* Other characters for the same letters, on keyboards and in papers. */
static const struct {
    uint32_t code;
    const char *english;
} variants[] = {{0x3D1, "theta"}, {0x3D5, "phi"},   {0x3F5, "epsilon"}, {0x3C2, "sigma"},
                {0x3F1, "rho"},   {0x3F0, "kappa"}, {0xB5, "mu"},       {0x2126, "Omega"}};
enum { VARIANTS = sizeof variants / sizeof variants[0] };

static const letter *find_letter(const char *name, size_t length)
{
    for (size_t i = 0; i < LETTERS; i++)
        if (letters[i].latex && strlen(letters[i].english) == length &&
            !memcmp(letters[i].english, name, length))
            return &letters[i];
    return NULL;
}

const char *expr_greek(const char *english)
{
    const letter *l = find_letter(english, strlen(english));
    return l ? l->utf8 : NULL;
}

const char *expr_english(uint32_t code)
{
    for (size_t i = 0; i < LETTERS; i++)
        if (letters[i].code == code) return letters[i].english;
    for (size_t i = 0; i < VARIANTS; i++)
        if (variants[i].code == code) return variants[i].english;
    return NULL;
}

/* ---- Parts of a name ------------------------------------------------------------------------- */

/* theta1 → theta, 1; m_a → m, a; x[3] → x, 3; P.2 → P, 2 */
typedef struct parts {
    const char *base, *sub;
    size_t base_length, sub_length;
    bool plain; /* the subscript is digits */
} parts;

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static parts whole(const char *name)
{
    const size_t length = strlen(name);
    return (parts){.base = name, .base_length = length, .sub = name + length};
}

static parts take_apart(const char *name)
{
    size_t length = strlen(name), cut = strcspn(name, "_[.");
    parts p = whole(name);
    if (cut > 0 && cut < length) {
        const size_t close = name[cut] == '[' && name[length - 1] == ']';
        if (cut + 1 + close >= length) return p; /* x_ is not x */
        p.base_length = cut;
        p.sub = name + cut + 1;
        p.sub_length = length - cut - 1 - close;
        p.plain = strspn(p.sub, "0123456789,") >= p.sub_length;
        return p;
    }
    while (p.base_length > 1 && is_digit(name[p.base_length - 1])) p.base_length--;
    p.sub = name + p.base_length;
    p.sub_length = length - p.base_length;
    p.plain = true;
    return p;
}

/* ---- Names that look alike ------------------------------------------------------------------- */

/* x1, x_1, x[1] and x.1 would all be x with an index 1. The symbol that was made first has this
 * look; what comes later is shown as it is written. What claims name of a derivation (lambda[1],
 * AH_DERIVED) takes no look away: the multipliers of a method stay λ₁, whether or not a claim speaks of
 * them. The pool keeps the first symbol of each look among those with an index, in a table that printing
 * brings up to date. */

/* The next character of an index as it is shown, 0 at its end: that of x_a[1].2 is a,1,2. */
static char next_of_index(const parts *p, size_t *i)
{
    while (*i < p->sub_length && p->sub[*i] == ']') ++*i;
    if (*i == p->sub_length) return 0;
    const char c = p->sub[(*i)++];
    return c == '[' || c == '.' ? ',' : c;
}

static uint32_t look_hash(const parts *p)
{
    uint32_t h = 2166136261u; /* FNV-1a */
    for (size_t i = 0; i < p->base_length; i++) h = (h ^ (unsigned char) p->base[i]) * 16777619u;
    h = (h ^ '_') * 16777619u;
    char c;
    for (size_t i = 0; (c = next_of_index(p, &i)) != 0;) h = (h ^ (unsigned char) c) * 16777619u;
    return h;
}

static bool look_alike(const parts *a, const parts *b)
{
    if (a->base_length != b->base_length || memcmp(a->base, b->base, a->base_length) != 0)
        return false;
    for (size_t i = 0, j = 0;;) {
        const char c = next_of_index(a, &i);
        if (c != next_of_index(b, &j)) return false;
        if (!c) return true;
    }
}

/* The place of this look, or where it would go: slots + 1 of the symbols. */
static uint32_t *find_look(const expr_pool *pool, const parts *p)
{
    for (uint32_t i = look_hash(p);; i++) {
        uint32_t *entry = &pool->look[i & (pool->look_size - 1)];
        if (!*entry) return entry;
        const parts other = take_apart(pool->symbol[*entry - 1]);
        if (look_alike(p, &other)) return entry;
    }
}

/* At most half full, as all symbols may come to have indices. */
static void grow_looks(ah_ctx *ctx, expr_pool *pool)
{
    uint32_t size = pool->look_size ? pool->look_size : 64;
    while (size < 2 * pool->symbols) size *= 2;
    if (size == pool->look_size) return;
    pool->look = ctx_realloc(ctx, pool->look, pool->look_size * sizeof *pool->look,
                             size * sizeof *pool->look);
    pool->look_size = size;
    memset(pool->look, 0, size * sizeof *pool->look);
    pool->looked = 1; /* 0 is no node */
}

/* Another name has this look. */
static bool is_taken(ah_ctx *ctx, const parts *p, const char *name)
{
    expr_pool *pool = ctx->pool;
    if (!p->sub_length || !pool) return false;
    grow_looks(ctx, pool);
    if (pool->looked == AH_NONE) pool->looked++; /* no node lies there */
    for (; pool->looked < pool->count; pool->looked++) {
        const expr_node *n = &pool->node[pool->looked];
        if (n->op != EXPR_SYMBOL || n->code == AH_DERIVED) continue;
        const parts own = take_apart(pool->symbol[n->aux]);
        if (!own.sub_length) continue;
        uint32_t *entry = find_look(pool, &own);
        if (!*entry) *entry = n->aux + 1;
    }
    const uint32_t owner = *find_look(pool, p);
    return owner && strcmp(pool->symbol[owner - 1], name) != 0;
}

static const char *shown_index(const text *out, const parts *p)
{
    char *index = arena_strndup(out->arena, p->sub, p->sub_length), *to = index;
    for (size_t i = 0; (*to = next_of_index(p, &i)) != 0;) to++;
    return index;
}

static parts parts_of(const text *out, const char *name)
{
    const parts p = take_apart(name);
    return is_taken(out->arena->ctx, &p, name) ? whole(name) : p;
}

static bool single_letter(const parts *p, const letter *greek)
{
    uint32_t code;
    return greek || utf8_decode(p->base, p->base_length, &code) == p->base_length;
}

/* ---- Text ------------------------------------------------------------------------------------ */

void expr_put_digits(text *out, const char *digits, size_t n, bool above)
{
    static const char *const up[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    static const char *const down[] = {"₀", "₁", "₂", "₃", "₄", "₅", "₆", "₇", "₈", "₉"};
    for (size_t i = 0; i < n; i++) {
        unsigned d = (unsigned) (digits[i] - '0');
        if (d < 10)
            text_add(out, above ? up[d] : down[d]);
        else
            text_char(out, digits[i]);
    }
}

static void text_name(text *out, const char *name, int dots, const expr_style *style)
{
    static const char *const above[] = {"", "\u0307", "\u0308", "\u20DB"};
    static const char *const primes[] = {"", "'", "''", "'''"};
    parts p = parts_of(out, name);
    const letter *greek = style->greek ? find_letter(p.base, p.base_length) : NULL;
    bool dotted = style->dots && single_letter(&p, greek);
    if (greek)
        text_add(out, greek->utf8);
    else
        text_add_n(out, p.base, p.base_length);
    if (dotted) text_add(out, above[dots]);
    if (p.plain)
        expr_put_digits(out, p.sub, p.sub_length, false);
    else
        text_add(out, p.base + p.base_length);
    if (!dotted) text_add(out, primes[dots]);
}

/* ---- LaTeX ----------------------------------------------------------------------------------- */

/* Characters of a name that LaTeX would take as commands. */
static void latex_escaped(text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (strchr("_#$%&{}", s[i]))
            text_char(out, '\\'), text_char(out, s[i]);
        else if (s[i] == '\\' || s[i] == '^' || s[i] == '~')
            text_char(out, ' ');
        else
            text_char(out, s[i]);
    }
}

static void latex_base(text *out, const parts *p, const letter *greek)
{
    bool single = single_letter(p, greek);
    if (greek) {
        text_add(out, greek->latex);
        return;
    }
    if (!single) text_add(out, "\\mathit{");
    latex_escaped(out, p->base, p->base_length);
    if (!single) text_add(out, "}");
}

static void latex_sub(text *out, const parts *p)
{
    if (!p->sub_length) return;
    const char *index = shown_index(out, p);
    const size_t word_length = strcspn(index, "0123456789");
    const bool numbered =
        word_length && strspn(index + word_length, "0123456789") == strlen(index + word_length);
    const letter *greek = numbered ? find_letter(index, word_length) : NULL;
    bool word = !greek && index[0] && index[1] && !is_digit(index[0]);
    text_add(out, word ? "_{\\mathrm{" : "_{");
    if (greek && index[word_length])
        text_printf(out, "%s_{%s}", greek->latex, index + word_length); /* of theta1 */
    else if (greek)
        text_add(out, greek->latex);
    else
        latex_escaped(out, index, strlen(index));
    text_add(out, word ? "}}" : "}");
}

static void latex_name(text *out, const char *name, int dots)
{
    static const char *const above[] = {"", "\\dot{", "\\ddot{", "\\dddot{"};
    parts p = parts_of(out, name);
    text_add(out, above[dots]);
    latex_base(out, &p, find_letter(p.base, p.base_length));
    if (dots) text_add(out, "}");
    latex_sub(out, &p);
}

/* ---- MathML ---------------------------------------------------------------------------------- */

static void xml_escaped(text *out, const char *s, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        switch (s[i]) {
        case '<': text_add(out, "&lt;"); break;
        case '>': text_add(out, "&gt;"); break;
        case '&': text_add(out, "&amp;"); break;
        case '"': text_add(out, "&quot;"); break;
        default: text_char(out, s[i]);
        }
    }
}

static void mathml_identifier(text *out, const char *s, size_t n)
{
    const letter *greek = find_letter(s, n);
    bool number = n && strspn(s, "0123456789") >= n;
    text_add(out, number ? "<mn>" : "<mi>");
    if (greek)
        text_add(out, greek->utf8);
    else
        xml_escaped(out, s, n);
    text_add(out, number ? "</mn>" : "</mi>");
}

static void mathml_name(text *out, const char *name, int dots)
{
    static const char *const above[] = {"", "&#x02D9;", "&#x00A8;", "&#x20DB;"};
    parts p = parts_of(out, name);
    if (p.sub_length) text_add(out, "<msub>");
    if (dots) text_add(out, "<mover accent=\"true\">");
    mathml_identifier(out, p.base, p.base_length);
    if (dots) text_printf(out, "<mo>%s</mo></mover>", above[dots]);
    if (!p.sub_length) return;
    const char *index = shown_index(out, &p);
    mathml_identifier(out, index, strlen(index));
    text_add(out, "</msub>");
}

/* ---- Any format ------------------------------------------------------------------------------ */

/* The rate of an input is a parameter called u': its primes are dots, too. */
static const char *without_primes(const char *name, char *room, size_t size, int *dots)
{
    size_t length = strlen(name);
    if (!length || length >= size || name[length - 1] != '\'') return name;
    for (; length > 1 && name[length - 1] == '\'' && *dots < 3; length--) ++*dots;
    memcpy(room, name, length);
    room[length] = '\0';
    return room;
}

static void put_name(text *out, const char *name, int dots, const expr_style *style)
{
    static const char *const primes[] = {"", "'", "''", "'''"};
    char room[200];
    name = without_primes(name, room, sizeof room, &dots);
    switch (style->format) {
    case AH_TEXT: text_name(out, name, dots, style); break;
    case AH_LATEX: latex_name(out, name, dots); break;
    case AH_MATHML: mathml_name(out, name, dots); break;
    default: text_add(out, name), text_add(out, primes[dots]);
    }
}

bool expr_is_word(const char *name)
{
    const parts p = take_apart(name);
    return !single_letter(&p, find_letter(p.base, p.base_length));
}

void expr_print_name(text *out, const char *name, const expr_style *style)
{
    put_name(out, name, 0, style);
}

static int dots_of(ah_symbol_kind kind)
{
    switch (kind) {
    case AH_VELOCITY:
    case AH_SPEED_DOT: return 1;
    case AH_ACCELERATION: return 2;
    case AH_JERK: return 3;
    default: return 0;
    }
}

void expr_print_symbol(ah_ctx *ctx, text *out, ah_expr symbol, const expr_style *style)
{
    if (style->format != AH_C)
        put_name(out, expr_get_name(ctx, symbol), dots_of(expr_get_kind(ctx, symbol)), style);
    else if (style->symbol)
        text_add(out, style->symbol(style->user, symbol));
    else
        text_printf(out, "s%u", (unsigned) expr_slot(ctx, symbol));
}
