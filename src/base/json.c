/* base/json.c - writing JSON (RFC 8259). */
#include "base.h"
#include "report.h"

#include <assert.h>
#include <math.h>
#include <string.h>

json json_begin(arena *a)
{
    return (json){.out = text_begin(a), .first = 1};
}

/* The comma before a value or a key, where one is due. */
static void separate(json *j)
{
    const uint64_t here = (uint64_t) 1 << j->depth;
    if (j->after_key)
        j->after_key = false;
    else if (!(j->first & here))
        text_char(&j->out, ',');
    j->first &= ~here;
}

static void open(json *j, char bracket)
{
    separate(j);
    text_char(&j->out, bracket);
    if (j->depth + 1 == JSON_DEPTH)
        ctx_raise_limit(j->out.arena->ctx, "a result is nested too deeply for JSON");
    const uint64_t here = (uint64_t) 1 << ++j->depth;
    j->first |= here;
    j->object = bracket == '{' ? j->object | here : j->object & ~here;
}

void json_object(json *j)
{
    open(j, '{');
}

void json_array(json *j)
{
    open(j, '[');
}

void json_close(json *j)
{
    assert(j->depth > 0 && !j->after_key);
    text_char(&j->out, j->object >> j->depth & 1 ? '}' : ']');
    j->depth--;
}

enum { ESCAPED_MOST = 7 }; /* \u001f and a NUL */

/* Escapes what JSON demands, and what is harmful elsewhere. Returns the length. */
static size_t escaped(uint32_t code, char out[ESCAPED_MOST])
{
    static const char escapes[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *e = escapes; *e; e += 2)
        if (code == (unsigned char) e[0]) {
            out[0] = '\\';
            out[1] = e[1];
            return 2;
        }
    if (utf8_is_harmful(code))
        return (size_t) snprintf(out, ESCAPED_MOST, "\\u%04x", (unsigned) code);
    return utf8_encode(code, out);
}

/* How many bytes at the beginning stay what they are: most texts, all of them. */
static size_t plain(const char *s)
{
    size_t n = 0;
    while (s[n] >= 0x20 && s[n] < 0x7F && s[n] != '"' && s[n] != '\\') n++;
    return n;
}

/* Puts n bytes at to + *length, as far as there is room for them and a NUL; all or none if they are
 * `one`. */
static void put(char *to, size_t room, size_t *length, const char *from, size_t n, bool one)
{
    const size_t left = *length < room ? room - *length - 1 : 0, fits = n <= left ? n
                                                                        : one     ? 0
                                                                                  : left;
    if (fits) memcpy(to + *length, from, fits);
    if (*length < room) to[*length + fits] = '\0';
    *length += n;
}

size_t ah_json_string(char *to, size_t room, const char *s)
{
    if (!to) room = 0;
    if (!s) s = "";
    size_t length = 0, left = strlen(s), step;
    put(to, room, &length, "\"", 1, true);
    for (; left; s += step, left -= step) {
        uint32_t code;
        char bytes[ESCAPED_MOST];
        step = plain(s);
        if (step) {
            put(to, room, &length, s, step, false);
            continue;
        }
        step = utf8_decode(s, left, &code);
        put(to, room, &length, bytes, escaped(step ? code : 0xFFFD, bytes), true);
        if (!step) step = 1;
    }
    put(to, room, &length, "\"", 1, true);
    return length;
}

static void add_quoted(text *t, const char *s)
{
    const size_t length = ah_json_string(NULL, 0, s);
    char *to = text_reserve(t, length);
    ah_json_string(to, length + 1, s);
    t->length += length;
}

void json_key(json *j, const char *key)
{
    assert((j->object >> j->depth & 1) && !j->after_key);
    separate(j);
    add_quoted(&j->out, key);
    text_char(&j->out, ':');
    j->after_key = true;
}

void json_raw(json *j, const char *s)
{
    assert(j->after_key || !(j->object >> j->depth & 1));
    separate(j);
    text_add(&j->out, s);
}

void json_null(json *j)
{
    json_raw(j, "null");
}

void json_string(json *j, const char *s)
{
    if (!s) {
        json_null(j);
        return;
    }
    separate(j);
    add_quoted(&j->out, s);
}

void json_number(json *j, double x)
{
    if (!isfinite(x)) {
        json_null(j);
        return;
    }
    separate(j);
    text_double(&j->out, x, 17);
}

void json_int(json *j, long long i)
{
    separate(j);
    text_printf(&j->out, "%lld", i);
}

void json_bool(json *j, bool b)
{
    json_raw(j, b ? "true" : "false");
}

const char *json_end(json *j)
{
    assert(j->depth == 0);
    return text_end(&j->out);
}
