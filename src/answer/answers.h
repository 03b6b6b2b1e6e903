/* answer/answers.h - inside the module: what an answer is made of.
 *
 * A question is a row: how what it finds is found and how it is written. Both work on the fork of the
 * model that the answer has (docs/decisions/0014-answers.md). */
#ifndef ANSWER_ANSWERS_H
#define ANSWER_ANSWERS_H
#include "../model/model.h"
#include <anholo/answer.h>

typedef struct answer_question {
    ah_question question;
    /* Sets values and found, or reports why there is no answer, with a status where that is not
     * AH_E_INPUT. */
    void (*find)(ah_answer *a, const void *options);
    /* NULL: not in this format. */
    const char *(*write)(const ah_answer *a, ah_format format);
} answer_question;

enum { ANSWER_FORMATS = AH_ASCII + 1 };

struct ah_answer {
    const answer_question *of;
    ah_model *model; /* the fork */
    bool yes;
    ah_status status;                    /* of a question that has no answer */
    const void *values;                  /* the public struct; NULL: there is no answer */
    const void *found;                   /* what is written from */
    const char *written[ANSWER_FORMATS]; /* once for all */
};

ah_status answer_ask(ah_model *m, const answer_question *q, const void *options, ah_answer **out);
/* A number of random states that makes sense; A0904 otherwise. */
bool answer_wants_states(const ah_answer *a, size_t states);
/* The values of an answer to this question, or NULL. */
const void *answer_values(const ah_answer *a, ah_question question);
/* The values of the symbols that make a state: t, parameters without a value, q, q', z. */
ah_values answer_state(const ah_model *m, const frame *values);
/* As members of an object; as "t=0, x=1". */
void answer_json_state(json *j, const ah_answer *a, const ah_values *v);
const char *answer_text_state(const ah_answer *a, const ah_values *v);

#endif
