/* base/text.c - growing texts, UTF-8, the nearest name. */
#include "base.h"
#include "report.h"

#include <math.h>
#include <string.h>

/* ---- Growing texts --------------------------------------------------------------------------- */

text text_begin(arena *a)
{
    return (text){.arena = a};
}

char *text_reserve(text *t, size_t n)
{
    if (n > TEXT_LIMIT || t->length > TEXT_LIMIT - n)
        ctx_raise_limit(t->arena->ctx, "a text grew longer than 64 MiB");
    t->at = arena_grow(t->arena, t->at, 1, t->length, &t->capacity, t->length + n + 1);
    return t->at + t->length;
}

void text_add_n(text *t, const char *s, size_t n)
{
    if (n) memcpy(text_reserve(t, n), s, n);
    t->length += n;
}

void text_add(text *t, const char *s)
{
    text_add_n(t, s, strlen(s));
}

void text_char(text *t, char c)
{
    text_add_n(t, &c, 1);
}

/* A point in numbers, whatever the host's: a guard of steps leaves the locale alone (ctx_guard_step). */
static int print_into(const text *t, char *at, size_t room, const char *format, va_list args)
{
    const locale_t host = uselocale(t->arena->ctx->root->locale);
    const int n = vsnprintf(at, room, format, args);
    uselocale(host);
    return n;
}

void text_vprintf(text *t, const char *format, va_list args)
{
    enum { USUAL = 100 }; /* what is longer is formatted twice */
    va_list again;
    va_copy(again, args);
    const int n = print_into(t, text_reserve(t, USUAL), USUAL + 1, format, again);
    va_end(again);
    if (n < 0) ctx_raise(t->arena->ctx, AH_E_MEMORY);
    if (n > USUAL) print_into(t, text_reserve(t, (size_t) n), (size_t) n + 1, format, args);
    t->length += (size_t) n;
}

void text_printf(text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vprintf(t, format, args);
    va_end(args);
}

void text_unsigned(text *t, uint64_t x)
{
    char digits[20];
    size_t n = sizeof digits;
    do digits[--n] = (char) ('0' + x % 10);
    while (x /= 10);
    text_add_n(t, digits + n, sizeof digits - n);
}

void text_double(text *t, double x, int digits)
{
    const size_t quick = digits == 17 ? number_text(x, text_reserve(t, NUMBER_TEXT)) : 0;
    if (quick)
        t->length += quick;
    else if (isfinite(x))
        text_printf(t, "%.*g", digits, x);
    else
        text_add(t, isnan(x) ? "nan" : x > 0 ? "inf" : "-inf");
}

/* Names and labels by the ten thousand take what they need; long texts may go on. */
char *text_end(text *t)
{
    enum { SHORT = 256 };
    *text_reserve(t, 0) = '\0';
    if (t->capacity <= SHORT && arena_trim(t->arena, t->at, t->capacity, t->length + 1))
        t->capacity = t->length + 1;
    return t->at;
}

char *arena_printf(arena *a, const char *format, ...)
{
    text t = text_begin(a);
    va_list args;
    va_start(args, format);
    text_vprintf(&t, format, args);
    va_end(args);
    return text_end(&t);
}

char *arena_strndup(arena *a, const char *s, size_t n)
{
    char *copy = arena_alloc_array(a, 1, n + 1);
    if (n) memcpy(copy, s, n);
    return copy;
}

char *arena_strdup(arena *a, const char *s)
{
    return arena_strndup(a, s, strlen(s));
}

/* ---- UTF-8 ----------------------------------------------------------------------------------- */

/* RFC 3629: no overlong forms, no surrogates, nothing past U+10FFFF. */
size_t utf8_decode(const char *s, size_t n, uint32_t *code)
{
    static const uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
    if (!n) return 0;
    const unsigned char first = (unsigned char) s[0];
    *code = first;
    if (first < 0x80) return 1;

    const size_t length = first < 0xC0   ? 0
                          : first < 0xE0 ? 2
                          : first < 0xF0 ? 3
                          : first < 0xF8 ? 4
                                         : 0;
    if (!length || length > n) return 0;
    uint32_t c = first & (0x7Fu >> length);
    for (size_t i = 1; i < length; i++) {
        const unsigned char next = (unsigned char) s[i];
        if ((next & 0xC0) != 0x80) return 0;
        c = c << 6 | (next & 0x3F);
    }
    if (c < least[length] || c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) return 0;
    *code = c;
    return length;
}

size_t utf8_encode(uint32_t code, char bytes[UTF8_MOST])
{
    const size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    static const unsigned char lead[] = {0, 0, 0xC0, 0xE0, 0xF0};
    for (size_t i = length; --i > 0; code >>= 6) bytes[i] = (char) (0x80 | (code & 0x3F));
    bytes[0] = (char) (lead[length] | code);
    return length;
}

void text_utf8(text *t, uint32_t code)
{
    char bytes[UTF8_MOST];
    text_add_n(t, bytes, utf8_encode(code, bytes));
}

bool utf8_is_harmful(uint32_t code)
{
    return code < 0x20 || (code >= 0x7F && code < 0xA0) || (code >= 0x2028 && code <= 0x202E) ||
           (code >= 0x2066 && code <= 0x2069) || code == 0x200E || code == 0x200F ||
           code == 0x061C || code == 0xFFFE || code == 0xFFFF;
}

/* What makes two texts look the same, or one look like nothing. */
static bool is_invisible(uint32_t code)
{
    return (code >= 0x200B && code <= 0x200D) || (code >= 0x2060 && code <= 0x206F) ||
           code == 0xFEFF;
}

/* What is shown for the first character of s, and in *step the bytes that it took. */
static uint32_t printable(const char *s, size_t n, size_t *step)
{
    uint32_t code;
    *step = utf8_decode(s, n, &code);
    if (!*step) {
        *step = 1;
        return 0xFFFD;
    }
    if (code == '\t') return ' ';
    if (code < 0x20) return code + 0x2400;
    if (code == 0x7F) return 0x2421;
    return utf8_is_harmful(code) || is_invisible(code) ? 0xFFFD : code;
}

/* How many bytes at the beginning are ASCII that shows as it is: most texts, all of them. */
static size_t plain(const char *s, size_t n)
{
    size_t i = 0;
    while (i < n && s[i] >= 0x20 && s[i] < 0x7F) i++;
    return i;
}

size_t text_printable(text *t, const char *s, size_t n, size_t most)
{
    size_t at = 0, step;
    while (at < n && most) {
        const size_t run = plain(s + at, n - at < most ? n - at : most);
        text_add_n(t, s + at, run);
        at += run;
        most -= run;
        if (at == n || !most) break;
        text_utf8(t, printable(s + at, n - at, &step));
        at += step;
        most--;
    }
    return at;
}

size_t ah_printable(char *to, size_t room, const char *s)
{
    if (!to) room = 0;
    if (!s) s = "";
    size_t length = 0, left = strlen(s), step;
    for (; left; s += step, left -= step) {
        char bytes[UTF8_MOST];
        const size_t n = utf8_encode(printable(s, left, &step), bytes);
        if (length + n < room) memcpy(to + length, bytes, n);
        length += n;
        if (length < room) to[length] = '\0';
    }
    if (!length && room) *to = '\0';
    return length;
}

char *arena_harmless(arena *a, const char *s)
{
    text t = text_begin(a);
    size_t left = strlen(s), step;
    for (; left; s += step, left -= step) {
        uint32_t code;
        step = utf8_decode(s, left, &code);
        if (step && utf8_is_harmful(code) && code != '\t' && code != '\n')
            text_printf(&t, "[U+%04X]", (unsigned) code);
        else
            text_add_n(&t, step ? s : "\uFFFD", step ? step : 3);
        if (!step) step = 1;
    }
    return text_end(&t);
}

/* ---- The nearest name ------------------------------------------------------------------------ */

enum { NEAREST_LENGTH = 40 }; /* characters; nobody mistypes longer names in an instructive way */

/* The characters of a name, ASCII letters small; 0 when it is too long or not UTF-8. */
static size_t characters(const char *name, uint32_t out[NEAREST_LENGTH])
{
    size_t n = strnlen(name, 4 * NEAREST_LENGTH + 1), count = 0, step;
    for (; n; name += step, n -= step) {
        if (count == NEAREST_LENGTH) return 0;
        step = utf8_decode(name, n, &out[count]);
        if (!step) return 0;
        if (out[count] >= 'A' && out[count] <= 'Z') out[count] += 'a' - 'A';
        count++;
    }
    return count;
}

static size_t least(size_t a, size_t b)
{
    return a < b ? a : b;
}

/* Insertions, deletions, replacements and swaps of neighbours from a to b ("optimal string
 * alignment": no character is touched twice). Only the last three rows of the table are kept. */
static size_t distance(const uint32_t *a, size_t m, const uint32_t *b, size_t n)
{
    size_t table[3][NEAREST_LENGTH + 1];
    for (size_t j = 0; j <= n; j++) table[0][j] = j;
    for (size_t i = 1; i <= m; i++) {
        size_t *row = table[i % 3];
        const size_t *above = table[(i + 2) % 3], *second = table[(i + 1) % 3];
        row[0] = i;
        for (size_t j = 1; j <= n; j++) {
            row[j] = least(above[j], row[j - 1]) + 1;
            row[j] = least(row[j], above[j - 1] + (a[i - 1] != b[j - 1]));
            if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
                row[j] = least(row[j], second[j - 2] + 1);
        }
    }
    return table[m % 3][n];
}

/* Near: up to a third of the characters differ; one in a name of two; none in a single letter. */
static size_t tolerance(size_t length)
{
    return length == 2 ? 1 : length / 3;
}

const char *text_nearest(arena *scratch, const char *name, const char *const *names, size_t count)
{
    uint32_t wanted[NEAREST_LENGTH], other[NEAREST_LENGTH];
    const size_t m = characters(name, wanted);
    const char *nearest = NULL;
    size_t best = SIZE_MAX;
    for (size_t k = 0; m && k < count; k++) {
        ctx_tick(scratch->ctx);
        const size_t n = characters(names[k], other);
        const size_t most = tolerance(m > n ? m : n);
        if (!n || (m > n ? m - n : n - m) > most) continue;
        const size_t d = distance(wanted, m, other, n);
        if (d > most || d >= best) continue;
        best = d;
        nearest = names[k];
    }
    return nearest;
}
