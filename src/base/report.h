/* base/report.h - what the files of base share among themselves: guard, sources, diagnostics. */
#ifndef BASE_REPORT_H
#define BASE_REPORT_H
#include "base.h"

/* Makes room for `more` diagnostics besides those that the guard may have to add. */
void diag_reserve(ah_ctx *ctx, size_t more);
/* Adds A0901, A0902 or A0903 for a raised status, unless the context has it; needs no memory. */
void diag_raised(ah_ctx *ctx, ah_status status);

/* Adds the first `most` characters of s for a terminal, each one column wide: a tab as a space, other
 * control characters as their pictures, what is not UTF-8 as U+FFFD. Returns the bytes it took. */
size_t text_printable(text *t, const char *s, size_t n, size_t most);

/* Room for n more bytes and a NUL, at the end of t. */
char *text_reserve(text *t, size_t n);

/* The last line that starts at or before `offset`, from 0. */
uint32_t source_line(const source *s, uint32_t offset);
/* Characters in [begin, end); a byte that is no UTF-8 counts as one. */
uint32_t source_characters(const source *s, uint32_t begin, uint32_t end);
/* The byte where the character `count` places after that at byte `begin` starts. */
uint32_t source_offset(const source *s, uint32_t begin, uint32_t count);

#endif
