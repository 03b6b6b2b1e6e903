/* base/json.c - writing JSON (RFC 8259). */
#include "base.h"

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

/* Escapes what JSON demands; DEL and the line separators that break JavaScript besides. */
static void add_character(text *t, uint32_t code)
{
    static const char escapes[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *e = escapes; *e; e += 2)
        if (code == (unsigned char) e[0]) {
            text_char(t, '\\');
            text_char(t, e[1]);
            return;
        }
    if (code < 0x20 || code == 0x7F || code == 0x2028 || code == 0x2029)
        text_printf(t, "\\u%04x", (unsigned) code);
    else
        text_utf8(t, code);
}

static void add_quoted(text *t, const char *s)
{
    size_t left = strlen(s);
    text_char(t, '"');
    while (left) {
        uint32_t code;
        size_t step = utf8_decode(s, left, &code);
        if (!step) code = 0xFFFD, step = 1;
        add_character(t, code);
        s += step;
        left -= step;
    }
    text_char(t, '"');
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
