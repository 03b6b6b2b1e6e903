/* expr/expr_print.c - expressions as text, model language, LaTeX, MathML and C. One recursion; what
 * differs between the formats is a table of strings and a few leaves. */
#include "expr_print.h"
#include <math.h>
#include <string.h>

/* ---- Formats --------------------------------------------------------------------------------- */

static const layout layouts[] = {
    [AH_TEXT] = {.times = " ",
                 .times_number = "·",
                 .times_word = " ",
                 .times_call = " ",
                 .plus = " + ",
                 .minus = " - ",
                 .sign = "-",
                 .open = "(",
                 .close = ")",
                 .row = "",
                 .row_end = "",
                 .power = {"", "^", ""},
                 .root = {"√", "", ""},
                 .apply = "",
                 .apply_bare = "",
                 .comma = ", ",
                 .bar = "|",
                 .bar_end = "|",
                 .reads = true},
    [AH_LATEX] = {.times = " ",
                  .times_number = " \\cdot ",
                  .times_word = " \\, ",
                  .times_call = " ",
                  .plus = " + ",
                  .minus = " - ",
                  .sign = "-",
                  .open = "\\left(",
                  .close = "\\right)",
                  .row = "",
                  .row_end = "",
                  .fraction = {"\\frac{", "}{", "}"},
                  .power = {"", "^{", "}"},
                  .root = {"\\sqrt{", "}", ""},
                  .apply = "",
                  .apply_bare = "",
                  .comma = ", ",
                  .bar = "\\left|",
                  .bar_end = "\\right|",
                  .reads = true},
    [AH_MATHML] = {.times = "<mo>&#x2062;</mo>",
                   .times_number = "<mo>&#x22C5;</mo>",
                   .times_word = "<mo rspace=\"0.17em\">&#x2062;</mo>",
                   .times_call = "<mo rspace=\"0.17em\">&#x2062;</mo>",
                   .plus = "<mo>+</mo>",
                   .minus = "<mo>&#x2212;</mo>",
                   .sign = "<mo>&#x2212;</mo>",
                   .open = "<mo stretchy=\"false\">(</mo>",
                   .close = "<mo stretchy=\"false\">)</mo>",
                   .row = "<mrow>",
                   .row_end = "</mrow>",
                   .fraction = {"<mfrac>", "", "</mfrac>"},
                   .power = {"<msup>", "", "</msup>"},
                   .root = {"<msqrt>", "</msqrt>", ""},
                   .apply = "<mo>&#x2061;</mo>",
                   .apply_bare = "<mo rspace=\"0.17em\">&#x2061;</mo>",
                   .comma = "<mo>,</mo>",
                   .bar = "<mo>|</mo>",
                   .bar_end = "<mo>|</mo>",
                   .reads = true},
    [AH_ASCII] = {.times = "*",
                  .times_number = "*",
                  .times_word = "*",
                  .times_call = "*",
                  .plus = " + ",
                  .minus = " - ",
                  .sign = "-",
                  .open = "(",
                  .close = ")",
                  .row = "",
                  .row_end = "",
                  .power = {"", "^", ""},
                  .root = {"sqrt", "", ""},
                  .apply = "",
                  .apply_bare = "",
                  .comma = ", "},
    [AH_C] = {.times = "*",
              .times_number = "*",
              .times_word = "*",
              .times_call = "*",
              .plus = " + ",
              .minus = " - ",
              .sign = "-",
              .open = "(",
              .close = ")",
              .row = "",
              .row_end = "",
              .power = {"pow(", ", ", ")"},
              .root = {"sqrt", "", ""},
              .apply = "",
              .apply_bare = "",
              .comma = ", "},
};

/* ---- Numbers --------------------------------------------------------------------------------- */

void expr_put_integer(printer *p, const char *digits)
{
    if (is(p, AH_MATHML)) put(p, "<mn>");
    put(p, digits);
    if (is(p, AH_MATHML)) put(p, "</mn>");
}

static void put_double(printer *p, double x)
{
    char s[40];
    snprintf(s, sizeof s, "%.17g", x);
    put(p, isfinite(x) ? s : isnan(x) ? "NAN" : "HUGE_VAL");
    if (isfinite(x) && !strpbrk(s, ".e")) put(p, ".0");
}

static const char *vulgar(const expr_digits *d)
{
    static const struct {
        const char *p, *q, *glyph;
    } glyphs[] = {{"1", "2", "½"}, {"1", "3", "⅓"}, {"2", "3", "⅔"}, {"1", "4", "¼"},
                  {"3", "4", "¾"}, {"1", "5", "⅕"}, {"2", "5", "⅖"}, {"3", "5", "⅗"},
                  {"4", "5", "⅘"}, {"1", "6", "⅙"}, {"5", "6", "⅚"}, {"1", "8", "⅛"},
                  {"3", "8", "⅜"}, {"5", "8", "⅝"}, {"7", "8", "⅞"}};
    for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++)
        if (!strcmp(d->numerator, glyphs[i].p) && !strcmp(d->denominator, glyphs[i].q))
            return glyphs[i].glyph;
    return NULL;
}

static void put_ratio(printer *p, const expr_digits *d)
{
    if (two_dimensional(p)) {
        put(p, p->l->fraction[0]);
        expr_put_integer(p, d->numerator);
        put(p, p->l->fraction[1]);
        expr_put_integer(p, d->denominator);
        put(p, p->l->fraction[2]);
        p->tall = true;
    } else {
        put(p, d->numerator);
        put(p, "/");
        put(p, d->denominator);
    }
}

/* ---- How tight an expression holds together -------------------------------------------------- */

static bool is_half(ah_expr exponent)
{
    return exponent == EXPR_HALF;
}

static tightness number_tightness(const printer *p, ah_expr e)
{
    if (expr_number_sign(p->ctx, e) < 0) return SUM;
    return is(p, AH_C) || expr_number_is_integer(p->ctx, e) ? ATOM : PRODUCT;
}

static tightness power_tightness(const printer *p, ah_expr e)
{
    ah_expr exponent = expr_get_children(p->ctx, e)[1];
    if (expr_op_of(p->ctx, exponent) == EXPR_NUMBER && expr_number_sign(p->ctx, exponent) < 0)
        return PRODUCT;
    return is(p, AH_C) ? ATOM : POWER;
}

static tightness tightness_of(const printer *p, ah_expr e)
{
    ah_expr coefficient, rest;
    switch (expr_op_of(p->ctx, e)) {
    case EXPR_NUMBER: return number_tightness(p, e);
    case EXPR_SUM: return SUM;
    case EXPR_PRODUCT:
        expr_split(p->ctx, e, &coefficient, &rest);
        return expr_number_sign(p->ctx, coefficient) < 0 ? SUM : PRODUCT;
    case EXPR_POWER: return power_tightness(p, e);
    case EXPR_CALL: return expr_is_bare_call(p, e) ? POWER : ATOM;
    case EXPR_UNKNOWN: return expr_is_partial(p, e) ? PRODUCT : ATOM;
    default: return ATOM;
    }
}

/* ---- Powers ---------------------------------------------------------------------------------- */

static void print_root(printer *p, ah_expr base)
{
    expr_op op = expr_op_of(p->ctx, base);
    bool bare = is(p, AH_TEXT) && (op == EXPR_SYMBOL || tightness_of(p, base) == ATOM) &&
                (op == EXPR_SYMBOL || op == EXPR_NUMBER || op == EXPR_PI);
    put(p, p->l->root[0]);
    if (!two_dimensional(p) && !bare) put(p, "(");
    expr_print_part(p, base, SUM);
    if (!two_dimensional(p) && !bare) put(p, ")");
    put(p, p->l->root[1]);
    p->tall = true;
}

/* Symbols by multiplication, anything else by pow. */
static void print_c_power(printer *p, ah_expr base, ah_expr exponent)
{
    long n = 0;
    bool repeat = expr_op_of(p->ctx, base) == EXPR_SYMBOL && expr_is_int(p->ctx, exponent, &n) &&
                  n > 0 && n <= 4;
    put(p, repeat ? "(" : p->l->power[0]);
    expr_print_part(p, base, repeat ? ATOM : SUM);
    for (long i = 1; repeat && i < n; i++) put(p, p->l->times), expr_print_part(p, base, ATOM);
    if (!repeat) put(p, p->l->power[1]), expr_print_part(p, exponent, SUM);
    put(p, ")");
}

static void print_exponent(printer *p, ah_expr exponent)
{
    expr_op op = expr_op_of(p->ctx, exponent);
    if (is(p, AH_TEXT) && op == EXPR_NUMBER && expr_number_is_integer(p->ctx, exponent)) {
        expr_put_superscript(p, exponent);
    } else if (is(p, AH_TEXT) && op == EXPR_SYMBOL &&
               !strcmp(expr_get_name(p->ctx, exponent), "n")) {
        put(p, "ⁿ");
    } else if (is(p, AH_TEXT) && op == EXPR_NUMBER) { /* 1/3 there, not ⅓ */
        expr_digits d = expr_number_digits(p->ctx, &p->ctx->scratch, exponent);
        put(p, "^("), put_ratio(p, &d), put(p, ")");
    } else {
        put(p, p->l->power[1]);
        expr_print_part(p, exponent, two_dimensional(p) ? SUM : ATOM);
    }
}

/* MathML: the index and the exponent of x₁² stand above each other. */
static void print_scripts(printer *p, ah_expr symbol, ah_expr exponent)
{
    static const char open[] = "<msub>", close[] = "</msub>";
    const arena_mark mark = arena_get_mark(&p->ctx->scratch);
    text t = text_begin(&p->ctx->scratch);
    expr_print_symbol(p->ctx, &t, symbol, p->style);
    const char *s = text_end(&t);
    const bool index = !strncmp(s, open, strlen(open));
    put(p, index ? "<msubsup>" : p->l->power[0]);
    text_add_n(p->out, s + (index ? strlen(open) : 0),
               strlen(s) - (index ? strlen(open) + strlen(close) : 0));
    print_exponent(p, exponent);
    put(p, index ? "</msubsup>" : p->l->power[2]);
    expr_release(p->ctx, p->out->arena, mark);
}

/* base^exponent where the exponent is positive or not a number; bare: `sin θ` may stand. */
static void print_power(printer *p, expr_factor f, tightness least, bool bare)
{
    expr_op op = expr_op_of(p->ctx, f.base), exponent = expr_op_of(p->ctx, f.exponent);
    bool call = op == EXPR_CALL;
    if (f.exponent == EXPR_ONE) {
        if (call)
            expr_print_call(p, f.base, EXPR_ONE, bare);
        else
            expr_print_part(p, f.base, least);
    } else if (is_half(f.exponent)) {
        print_root(p, f.base);
    } else if (is(p, AH_C)) {
        print_c_power(p, f.base, f.exponent);
    } else if (call && p->l->reads && exponent == EXPR_NUMBER &&
               expr_is_bare_function(expr_get_function(p->ctx, f.base)) &&
               expr_number_is_integer(p->ctx, f.exponent)) {
        expr_print_call(p, f.base, f.exponent, bare);
    } else if (is(p, AH_MATHML) && op == EXPR_SYMBOL) {
        print_scripts(p, f.base, f.exponent);
    } else {
        put(p, p->l->power[0]);
        if (call)
            expr_print_call(p, f.base, EXPR_ONE, false);
        else
            expr_print_part(p, f.base, ATOM);
        print_exponent(p, f.exponent);
        put(p, p->l->power[2]);
    }
}

/* ---- Products -------------------------------------------------------------------------------- */

/* How the rational coefficient of a product is written: `lead` before the factors (or as a ratio),
 * `below` among the factors under the stroke. */
typedef struct coefficient {
    const char *lead, *below;
    bool ratio;
    expr_digits digits;
} coefficient;

static coefficient place_coefficient(printer *p, const expr_fraction *f)
{
    coefficient c = {.digits = expr_number_digits(p->ctx, &p->ctx->scratch, f->coefficient)};
    const expr_digits *d = &c.digits;
    const char *glyph = is(p, AH_TEXT) ? vulgar(d) : NULL;
    if (f->coefficient == EXPR_ONE)
        c.lead = f->over_count ? NULL : "1";
    else if (!strcmp(d->denominator, "1"))
        c.lead = d->numerator;
    else if (p->l->reads && d->decimal)
        c.lead = d->decimal;
    else if (glyph && (f->over_count || !f->under_count))
        c.lead = glyph;
    else if (f->over_count && (is(p, AH_ASCII) || (two_dimensional(p) && !f->under_count)))
        c.ratio = true;
    else {
        c.lead = f->over_count && !strcmp(d->numerator, "1") ? NULL : d->numerator;
        c.below = d->denominator;
    }
    return c;
}

static bool is_word(const printer *p, const expr_factor *f)
{
    const expr_op op = expr_op_of(p->ctx, f->base);
    return (op == EXPR_SYMBOL || op == EXPR_UNKNOWN) &&
           expr_is_word(expr_get_name(p->ctx, f->base));
}

/* Between a factor (NULL: a number) and the next. `kt` beside `phi` would be read as one name. */
static void put_times(printer *p, const expr_factor *left, const expr_factor *right)
{
    const expr_op op = expr_op_of(p->ctx, right->base);
    if (op == EXPR_NUMBER && !is_half(right->exponent))
        put(p, p->l->times_number);
    else if ((left && is_word(p, left)) || is_word(p, right))
        put(p, p->l->times_word);
    else
        put(p, op == EXPR_CALL ? p->l->times_call : p->l->times);
}

static void print_factors(printer *p, const char *lead, const expr_factor *f, size_t count,
                          tightness least, bool bare)
{
    if (lead) expr_put_integer(p, lead);
    for (size_t i = 0; i < count; i++) {
        if (i || lead) put_times(p, i ? &f[i - 1] : NULL, &f[i]);
        print_power(p, f[i], least, bare);
    }
}

static void print_over(printer *p, const expr_fraction *f, const coefficient *c, bool bare)
{
    bool alone = two_dimensional(p) && !c->lead && !c->ratio && f->over_count == 1 &&
                 (f->under_count || c->below);
    if (c->ratio) {
        put_ratio(p, &c->digits);
        if (f->over_count) put_times(p, NULL, &f->over[0]);
    }
    print_factors(p, c->lead, f->over, f->over_count, alone ? SUM : POWER, bare);
}

/* Over and under of a fraction with a stroke between. */
static void print_stacked(printer *p, const expr_fraction *f, const coefficient *c)
{
    const layout *l = p->l;
    put(p, l->fraction[0]);
    put(p, l->row);
    print_over(p, f, c, true);
    put(p, l->row_end);
    put(p, l->fraction[1]);
    put(p, l->row);
    bool alone = !c->below && f->under_count == 1;
    print_factors(p, c->below, f->under, f->under_count, alone ? SUM : POWER, true);
    put(p, l->row_end);
    put(p, l->fraction[2]);
    p->tall = true;
}

/* The fraction on one line: over/(under). A division by 0, the first of the numbers, stays apart:
 * x/(0*y) would be read as x/0. */
static void print_sloped(printer *p, const expr_fraction *f, const coefficient *c)
{
    bool zero = f->under_count && f->under[0].base == EXPR_ZERO;
    size_t count = f->under_count - zero, below = count + (c->below != NULL);
    print_over(p, f, c, !below);
    if (below) {
        put(p, "/");
        if (below > 1) put(p, "(");
        print_factors(p, c->below, f->under + zero, count, POWER, true);
        if (below > 1) put(p, ")");
    }
    if (zero) put(p, is(p, AH_C) ? "/0.0" : "/0");
}

static void print_c_product(printer *p, const expr_fraction *f)
{
    coefficient c = {0};
    if (f->coefficient != EXPR_ONE || !f->over_count) {
        put_double(p, expr_number_double(p->ctx, f->coefficient));
        if (f->over_count) put(p, p->l->times);
    }
    print_sloped(p, f, &c);
}

/* |e|: the sign is the caller's. */
static void print_magnitude(printer *p, const expr_fraction *f)
{
    coefficient c = place_coefficient(p, f);
    if (is(p, AH_C)) {
        print_c_product(p, f);
    } else if (two_dimensional(p) && (f->under_count || c.below)) {
        print_stacked(p, f, &c);
    } else {
        bool row = f->over_count + (c.lead || c.ratio) > 1;
        if (row) put(p, p->l->row);
        print_sloped(p, f, &c);
        if (row) put(p, p->l->row_end);
    }
}

static void print_product(printer *p, ah_expr e)
{
    arena_mark mark = arena_get_mark(&p->ctx->scratch);
    expr_fraction f = expr_display_fraction(p->ctx, &p->ctx->scratch, e);
    if (f.negative) put(p, p->l->row), put(p, p->l->sign);
    print_magnitude(p, &f);
    if (f.negative) put(p, p->l->row_end);
    expr_release(p->ctx, p->out->arena, mark);
}

/* ---- Sums ------------------------------------------------------------------------------------ */

static void print_sum(printer *p, ah_expr e)
{
    arena_mark mark = arena_get_mark(&p->ctx->scratch);
    const ah_expr *terms = expr_display_terms(p->ctx, &p->ctx->scratch, e);
    put(p, p->l->row);
    for (size_t i = 0; i < expr_get_count(p->ctx, e); i++) {
        arena_mark inner = arena_get_mark(&p->ctx->scratch);
        expr_fraction f = expr_display_fraction(p->ctx, &p->ctx->scratch, terms[i]);
        if (f.negative)
            put(p, i ? p->l->minus : p->l->sign);
        else if (i)
            put(p, p->l->plus);
        print_magnitude(p, &f);
        expr_release(p->ctx, p->out->arena, inner);
    }
    put(p, p->l->row_end);
    expr_release(p->ctx, p->out->arena, mark);
}

/* ---- Everything ------------------------------------------------------------------------------ */

static void print_pi(printer *p)
{
    if (is(p, AH_C))
        put_double(p, 3.14159265358979323846);
    else if (is(p, AH_ASCII))
        put(p, "pi");
    else
        expr_print_name(p->out, "pi", p->style);
}

static void print_inside(printer *p, ah_expr e)
{
    switch (expr_op_of(p->ctx, e)) {
    case EXPR_PI: print_pi(p); break;
    case EXPR_SYMBOL: expr_print_symbol(p->ctx, p->out, e, p->style); break;
    case EXPR_SUM: print_sum(p, e); break;
    case EXPR_CALL: expr_print_call(p, e, EXPR_ONE, true); break;
    case EXPR_UNKNOWN: expr_print_unknown(p, e); break;
    case EXPR_NUMBER:
    case EXPR_PRODUCT:
    case EXPR_POWER: print_product(p, e); break;
    }
}

/* Only round tall things are brackets tall: fonts space the grown ones wider. Both words are
 * equally long, so that the choice can wait until the inside is written. */
static const char flat[] = "stretchy=\"false\"", grown[] = "stretchy=\"true\" ";

static void grow(printer *p, size_t place, const char *bracket)
{
    const char *word = strstr(bracket, flat);
    if (word) memcpy(p->out->at + place + (word - bracket), grown, sizeof grown - 1);
}

expr_brackets expr_open_brackets(printer *p)
{
    put(p, p->l->row);
    const expr_brackets b = {p->out->length, p->tall};
    put(p, p->l->open);
    p->tall = false;
    return b;
}

void expr_close_brackets(printer *p, expr_brackets b)
{
    const size_t end = p->out->length;
    put(p, p->l->close);
    if (p->tall) grow(p, b.place, p->l->open), grow(p, end, p->l->close);
    put(p, p->l->row_end);
    p->tall |= b.outside;
}

/* Depth beyond what a reader or a stack can take. */
static void enter(printer *p)
{
    ctx_tick(p->ctx);
    if (++p->depth > (uint64_t) p->ctx->limits.nesting * 10)
        ctx_raise_limit(p->ctx, "an expression is nested too deeply to be printed");
}

void expr_print_part(printer *p, ah_expr e, tightness least)
{
    enter(p);
    const bool brackets = tightness_of(p, e) < least;
    const expr_brackets b = brackets ? expr_open_brackets(p) : (expr_brackets){0};
    print_inside(p, e);
    if (brackets) expr_close_brackets(p, b);
    p->depth--;
}

expr_style expr_style_defaults(ah_format format)
{
    return (expr_style){.format = format, .greek = true};
}

void expr_print(ah_ctx *ctx, text *out, ah_expr e, const expr_style *style)
{
    expr_style own = *style;
    if (own.format == AH_JSON) own.format = AH_ASCII;
    printer p = {ctx, out, &own, &layouts[own.format], 0, false};
    expr_print_part(&p, e, SUM);
}

char *expr_text(ah_ctx *ctx, arena *a, ah_expr e, ah_format format)
{
    expr_style style = expr_style_defaults(format);
    text out = text_begin(a);
    expr_print(ctx, &out, e, &style);
    return text_end(&out);
}
