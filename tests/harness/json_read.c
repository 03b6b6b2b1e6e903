/* json_read.c - see json_read.h. */
#include "json_read.h"
#include "harness.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DEPTH = 100 };

typedef struct reader {
    const char *at;
    int depth;
} reader;

static json_tree *value(reader *r);

static void skip(reader *r)
{
    r->at += strspn(r->at, " \t\r\n");
}

static bool take(reader *r, char c)
{
    skip(r);
    if (*r->at != c) return false;
    r->at++;
    return true;
}

static json_tree *make(json_kind kind, const char *text, size_t length)
{
    json_tree *t = calloc(1, sizeof *t);
    if (!t) abort();
    t->kind = kind;
    if (text) t->text = strndup(text, length);
    return t;
}

/* Reference data and our own answers escape nothing beyond these; \u stands as it is. */
static char unescaped(char c)
{
    switch (c) {
    case 'n': return '\n';
    case 't': return '\t';
    case 'r': return '\r';
    case 'b': return '\b';
    case 'f': return '\f';
    default: return c;
    }
}

static json_tree *string(reader *r)
{
    const char *end = r->at;
    while (*end && *end != '"') end += *end == '\\' && end[1] ? 2 : 1;
    if (!*end) return NULL;
    json_tree *t = make(JSON_STRING, r->at, (size_t) (end - r->at));
    char *to = t->text;
    for (const char *from = t->text; *from; from++)
        *to++ = *from == '\\' && from[1] != 'u' ? unescaped(*++from) : *from;
    *to = 0;
    r->at = end + 1;
    return t;
}

static json_tree *members(reader *r, json_kind kind, char close)
{
    json_tree *t = make(kind, NULL, 0), **tail = &t->first;
    if (take(r, close)) return t;
    do {
        json_tree *key = NULL;
        skip(r);
        if (kind == JSON_OBJECT && (!take(r, '"') || !(key = string(r)) || !take(r, ':'))) {
            json_tree_free(key);
            json_tree_free(t);
            return NULL;
        }
        *tail = value(r);
        if (*tail && key) (*tail)->key = strdup(key->text);
        json_tree_free(key);
        if (!*tail) {
            json_tree_free(t);
            return NULL;
        }
        tail = &(*tail)->next;
    } while (take(r, ','));
    if (take(r, close)) return t;
    json_tree_free(t);
    return NULL;
}

static json_tree *literal(reader *r)
{
    static const struct {
        const char *word;
        json_kind kind;
    } words[] = {{"null", JSON_NULL}, {"true", JSON_TRUE}, {"false", JSON_FALSE}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (!strncmp(r->at, words[i].word, strlen(words[i].word))) {
            r->at += strlen(words[i].word);
            return make(words[i].kind, NULL, 0);
        }
    char *end;
    strtod(r->at, &end);
    if (end == r->at) return NULL;
    json_tree *t = make(JSON_NUMBER, r->at, (size_t) (end - r->at));
    r->at = end;
    return t;
}

static json_tree *value(reader *r)
{
    if (++r->depth > DEPTH) return NULL;
    json_tree *t;
    if (take(r, '{'))
        t = members(r, JSON_OBJECT, '}');
    else if (take(r, '['))
        t = members(r, JSON_ARRAY, ']');
    else
        t = take(r, '"') ? string(r) : literal(r);
    r->depth--;
    return t;
}

json_tree *json_tree_parse(const char *text)
{
    reader r = {text, 0};
    json_tree *t = value(&r);
    skip(&r);
    if (t && !*r.at) return t;
    json_tree_free(t);
    return NULL;
}

json_tree *json_tree_read(const char *path)
{
    size_t length;
    char *text = harness_read_file(path, &length);
    json_tree *t = text ? json_tree_parse(text) : NULL;
    free(text);
    return t;
}

void json_tree_free(json_tree *t)
{
    while (t) {
        json_tree *next = t->next;
        json_tree_free(t->first);
        free(t->text);
        free(t->key);
        free(t);
        t = next;
    }
}

const json_tree *json_tree_get(const json_tree *object, const char *key)
{
    if (!object || object->kind != JSON_OBJECT) return NULL;
    for (const json_tree *t = object->first; t; t = t->next)
        if (!strcmp(t->key, key)) return t;
    return NULL;
}

const json_tree *json_tree_at(const json_tree *array, size_t index)
{
    const json_tree *t = array ? array->first : NULL;
    while (t && index--) t = t->next;
    return t;
}

size_t json_tree_count(const json_tree *t)
{
    size_t count = 0;
    for (t = t ? t->first : NULL; t; t = t->next) count++;
    return count;
}

double json_tree_number(const json_tree *t)
{
    return t && t->text ? strtod(t->text, NULL) : NAN;
}
