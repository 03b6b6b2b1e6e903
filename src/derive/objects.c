/* derive/objects.c - what a worksheet calls its quantities, as words of the language.
 *
 * The name of a quantity is TeX: "C^a_i", "\\gamma^a", "A_\\Gamma", "\\dot{z}". Its word is the head in
 * English letters: C, gamma, A_Gamma, zdot. Indices are left out; they say how many indices it takes.
 * A derivative is dT_dq. Where two quantities would be called the same and take as many, the later one is
 * called g_up if its indices are all above, or else K_mu by its first one. Names that are formulas have no
 * word. */
#include "derive.h"

#include <ctype.h>
#include <string.h>

typedef struct spelling {
    char word[40];
    size_t length;
    uint32_t indices;
    bool below;        /* one of them is */
    const char *first; /* of them, and its length */
    size_t first_length;
} spelling;

static bool put(spelling *s, const char *more, size_t length)
{
    if (s->length + length >= sizeof s->word) return false;
    memcpy(s->word + s->length, more, length);
    s->word[s->length += length] = 0;
    return true;
}

/* One letter or command at *c, which is moved behind it; its length, 0: there is none. */
static size_t take(const char **c, const char **letters)
{
    *letters = **c == '\\' ? *c + 1 : *c;
    size_t n = 0;
    if (**c == '\\')
        while (isalpha((unsigned char) (*letters)[n])) n++;
    else if (isalnum((unsigned char) **c))
        n = 1;
    *c = *letters + n;
    return n;
}

/* i, j, \mu, … are indices; \Gamma, 0, T belong to the name. */
static bool is_index(const char *letters)
{
    return islower((unsigned char) letters[0]);
}

static bool read_index(const char **c, bool below, spelling *s)
{
    const char *letters;
    const size_t n = take(c, &letters);
    if (!n) return false;
    if (!is_index(letters)) return put(s, "_", 1) && put(s, letters, n);
    if (!s->indices++) s->first = letters, s->first_length = n;
    s->below = s->below || below;
    return true;
}

static bool read_indices(const char **c, spelling *s)
{
    const bool below = *(*c)++ == '_';
    if (**c == '*') return (*c)++, put(s, "_star", 5);
    if (**c != '{') return read_index(c, below, s);
    for ((*c)++; **c != '}';) {
        if (!read_index(c, below, s)) return false;
        while (**c == ' ' || **c == ',') (*c)++;
    }
    (*c)++;
    return true;
}

/* \dot{z}: the z, then dot. */
static bool read_accent(const char **c, const char *accent, size_t length, spelling *s)
{
    const char *letters;
    (*c)++;
    const size_t n = take(c, &letters);
    return n && *(*c)++ == '}' && put(s, letters, n) && put(s, accent, length);
}

static bool read_head(const char **c, spelling *s)
{
    const char *letters;
    const size_t n = take(c, &letters);
    if (!n) return false;
    if (**c == '{' ? !read_accent(c, letters, n, s) : !put(s, letters, n)) return false;
    while (**c == '_' || **c == '^') {
        if ((*c)[0] == '^' && (*c)[1] == '2') return true;
        if (!read_indices(c, s)) return false;
    }
    return true;
}

static bool accept(const char **c, const char *what)
{
    const size_t n = strlen(what);
    if (strncmp(*c, what, n) != 0) return false;
    *c += n;
    while (**c == ' ') (*c)++;
    return true;
}

/* \partial^2 T / \partial q^2 */
static bool read_derivative(const char **c, spelling *s)
{
    const bool second = accept(c, "^2");
    while (**c == ' ') (*c)++;
    if (!put(s, second ? "d2" : "d", second ? 2 : 1) || !read_head(c, s)) return false;
    while (**c == ' ') (*c)++;
    if (!accept(c, "/") || !accept(c, "\\partial") || !put(s, "_d", 2)) return false;
    return read_head(c, s) && (!second || (accept(c, "^2") && put(s, "2", 1)));
}

static bool spell(const char *name, spelling *s)
{
    const char *c = name;
    *s = (spelling){.length = 0};
    const bool bracket = accept(&c, "(");
    if (accept(&c, "\\partial") ? !read_derivative(&c, s) : bracket || !read_head(&c, s))
        return false;
    return (!bracket || accept(&c, ")")) && !*c;
}

/* How many indices it takes: those of its name, or as many as its shape has. */
static uint32_t arity(const sheet_node *node, const spelling *s)
{
    return s->indices ? s->indices : node->cols > 1 ? 2 : 1;
}

/* An earlier quantity of another name that is called the same. */
static bool is_taken(const sheet *sh, quantity x, const spelling *own)
{
    spelling other;
    const char *name = sheet_get(sh, x)->name;
    for (quantity i = 0; i < x; i++) {
        const sheet_node *node = sheet_get(sh, i);
        if (!node->name || !strcmp(node->name, name) || !spell(node->name, &other)) continue;
        if (!strcmp(other.word, own->word) && arity(node, &other) == arity(sheet_get(sh, x), own))
            return true;
    }
    return false;
}

const char *derive_word(const ah_equations *eq, quantity x, uint32_t *indices)
{
    const sheet_node *node = sheet_get(eq->sheet, x);
    spelling s;
    if (!node->name || !spell(node->name, &s)) return NULL;
    *indices = arity(node, &s);
    if (is_taken(eq->sheet, x, &s)) {
        const char *more = s.below ? s.first : "up";
        if (!s.indices || !put(&s, "_", 1) || !put(&s, more, s.below ? s.first_length : 2))
            return NULL;
    }
    return arena_strdup(eq->mech->arena, s.word);
}

/* The first one that is called so: a worksheet may show some rows of it again. */
quantity derive_object(const ah_equations *eq, const char *word, uint32_t indices)
{
    for (quantity x = 0; x < eq->sheet->nodes.count; x++) {
        uint32_t takes;
        const char *own = derive_word(eq, x, &takes);
        const sheet_node *node = sheet_get(eq->sheet, x);
        const bool scalar = node->rows == 1 && node->cols == 1;
        if (own && !strcmp(own, word) && (takes == indices || scalar)) return x;
    }
    return QUANTITY_NONE;
}
