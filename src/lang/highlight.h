/* lang/highlight.h - what the words of a model's text are, for showing it in colours. */
#ifndef LANG_HIGHLIGHT_H
#define LANG_HIGHLIGHT_H
#include "../base/base.h"

typedef enum lang_mark_kind {
    LANG_MARK_COMMENT,
    LANG_MARK_KEYWORD,
    LANG_MARK_FUNCTION,
    LANG_MARK_NUMBER,
    LANG_MARK_TEXT
} lang_mark_kind;

/* Bytes [begin, end) of the source. */
typedef struct lang_mark {
    uint32_t begin, end;
    lang_mark_kind kind;
} lang_mark;
typedef LIST(lang_mark) lang_marks;

/* In order, without overlap; what is not marked is names, signs and spaces. The text must have been
 * read without errors before: nothing is reported. */
lang_marks lang_highlight(ah_ctx *ctx, arena *a, uint32_t file);

#endif
