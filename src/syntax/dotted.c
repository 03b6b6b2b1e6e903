/* syntax/dotted.c - letters that wear dots of their own: ä looks like the second derivative of a. */
#include "syntax.h"

#include <string.h>

static const struct {
    uint16_t code;
    char letter;
} dotted[] = {{0xC4, 'A'},  {0xCB, 'E'},  {0xCF, 'I'},  {0xD6, 'O'},  {0xDC, 'U'},
              {0x178, 'Y'}, {0xE4, 'a'},  {0xEB, 'e'},  {0xEF, 'i'},  {0xF6, 'o'},
              {0xFC, 'u'},  {0xFF, 'y'},  {0x226, 'A'}, {0x10A, 'C'}, {0x116, 'E'},
              {0x120, 'G'}, {0x130, 'I'}, {0x22E, 'O'}, {0x17B, 'Z'}, {0x227, 'a'},
              {0x10B, 'c'}, {0x117, 'e'}, {0x121, 'g'}, {0x22F, 'o'}, {0x17C, 'z'}};
enum { DOTTED = sizeof dotted / sizeof *dotted, TWIN_LENGTH = 100 };

/* The name with this letter before the same index, if the text has it. */
static const name *with_letter(const lang *l, const char *letter, size_t n, const char *index,
                               size_t length)
{
    char spelling[TWIN_LENGTH];
    if (n + length > TWIN_LENGTH) return NULL;
    memcpy(spelling, letter, n);
    memcpy(spelling + n, index, length);
    return lang_find_name(l, spelling, n + length);
}

const name *lang_dotted_twin(const lang *l, const char *spelling, size_t length)
{
    uint32_t code;
    const size_t first = utf8_decode(spelling, length, &code);
    const char *index = spelling + first;
    const size_t rest = length - first;
    /* names of several letters have primes instead of dots */
    if (!first || (rest && *index != '_' && !(*index >= '0' && *index <= '9'))) return NULL;
    for (size_t i = 0; i < DOTTED; i++) {
        char letter[UTF8_MOST] = {dotted[i].letter};
        size_t n = 1;
        if (code == (unsigned char) dotted[i].letter)
            n = utf8_encode(dotted[i].code, letter);
        else if (code != dotted[i].code)
            continue;
        const name *twin = with_letter(l, letter, n, index, rest);
        if (twin) return twin;
    }
    return NULL;
}
