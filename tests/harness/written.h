/* harness/written.h - a question and its answer as text, in a row. The answer goes with the context. */
#ifndef HARNESS_WRITTEN_H
#define HARNESS_WRITTEN_H
#include <anholo/answer.h>

static inline ah_status written(ah_status asked, ah_answer **a, ah_format format, const char **out)
{
    *out = NULL;
    return asked == AH_OK ? ah_answer_write(*a, format, out) : asked;
}

#endif
