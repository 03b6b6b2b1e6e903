/* export/identifiers.c - names of the model as identifiers of a language. */
#include "exported.h"

#include <string.h>

bool export_is_among(const char *const *words, const char *word)
{
    for (; *words; words++)
        if (!strcmp(*words, word)) return true;
    return false;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* x[1,2]' is x_1_2_dot; what is no letter of ASCII is spelled by its number. */
static const char *spell(arena *a, const char *name)
{
    text t = text_begin(a);
    for (const char *s = name; *s;) {
        uint32_t code = 0;
        const size_t n = utf8_decode(s, strlen(s), &code);
        if (is_letter(*s) || (is_digit(*s) && s != name))
            text_char(&t, *s);
        else if (*s == '\'')
            text_add(&t, s[1] == '\'' ? "_ddot" : "_dot"), s += s[1] == '\'';
        else if (n > 1)
            text_printf(&t, "u%04x", (unsigned) code);
        else if (*s != ']')
            text_char(&t, '_');
        s += n ? n : 1;
    }
    return text_end(&t);
}

bool export_is_taken(const exported_items *before, const char *id)
{
    for (size_t i = 0; before && i < before->count; i++)
        if (!strcmp(before->at[i].id, id)) return true;
    return false;
}

const char *export_identifier(ah_ctx *ctx, arena *a, const language *l, const char *name,
                              const exported_items *before)
{
    const char *id = spell(a, name);
    (void) ctx;
    while (!*id || export_is_among(l->reserved, id) || export_is_taken(before, id))
        id = arena_printf(a, "%s_", id);
    return id;
}
