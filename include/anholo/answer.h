/* anholo/answer.h - answers: made by a question, looked at, written, destroyed.
 *
 * A question (ah_check, ah_integrals, ah_steady, ah_stability, ah_verify, ah_crosscheck, ah_derive, ah_linearise)
 * makes an answer. The status tells whether there is one: "no" is an answer. Each question has a
 * struct with all values; its pointers, the texts of ah_answer_write and the expressions live as
 * long as the answer. Asking again and again leaves the memory where it was, once the answers are
 * destroyed. */
#ifndef ANHOLO_ANSWER_H
#define ANHOLO_ANSWER_H
#include <anholo/model.h>

typedef struct ah_answer ah_answer;

/* One list: code, name of the command. */
#define AH_QUESTION_LIST(X)                                                                        \
    X(AH_CHECK, "check")                                                                           \
    X(AH_INTEGRALS, "integrals")                                                                   \
    X(AH_STEADY, "steady")                                                                         \
    X(AH_STABILITY, "stability")                                                                   \
    X(AH_VERIFY, "verify")                                                                         \
    X(AH_CROSSCHECK, "crosscheck")                                                                 \
    X(AH_DERIVE, "derive")                                                                         \
    X(AH_LINEARISE, "linearise")

typedef enum ah_question {
#define X(code, name) code,
    AH_QUESTION_LIST(X)
#undef X
        AH_QUESTIONS
} ah_question;

/* NULL is fine. The model asked stays until its last answer is gone. */
AH_API void ah_answer_destroy(ah_answer *a);
AH_API ah_question ah_answer_question(const ah_answer *a);
/* False: a claim is not as stated, methods disagree, no steady motion was found. Questions that
 * cannot be answered by "no" are answered by "yes". */
AH_API bool ah_answer_yes(const ah_answer *a);
/* With which the answer's expressions are looked at and printed. A handle of the model is the same
 * expression here; what is new in the answer is not known to the model's context. */
AH_API ah_ctx *ah_answer_context(const ah_answer *a);
/* AH_TEXT, AH_JSON (docs/schema), AH_LATEX: a document that compiles as it stands, AH_MATHML: part
 * of an XHTML page. AH_E_REFUSED: it is not written in this format (A0612). */
AH_API ah_status ah_answer_write(ah_answer *a, ah_format format, const char **out);

/* ---- What several answers have --------------------------------------------------------------- */

/* Numbers of symbols: a state, say. */
typedef struct ah_values {
    size_t count;
    const ah_expr *symbol;
    const double *value;
} ah_values;

/* An irreducible component of the set of admissible states: the equations, expression = 0, that tell
 * it from the others, and these as a text. */
typedef struct ah_component {
    const char *name;
    size_t equations;
    const ah_expr *equation;
} ah_component;

/* One list: code, word. */
#define AH_VERDICT_LIST(X)                                                                         \
    X(AH_VERDICT_PROVED, "proved") /* for all states of which the statement speaks */              \
    X(AH_VERDICT_HOLDS, "holds")   /* at all random states that were tried */                      \
    X(AH_VERDICT_FALSE, "false")   /* there is a counter-example, or a proof that there is one */  \
    X(AH_VERDICT_UNKNOWN, "unknown")

typedef enum ah_verdict {
#define X(code, word) code,
    AH_VERDICT_LIST(X)
#undef X
        AH_VERDICTS
} ah_verdict;
AH_API const char *ah_verdict_word(ah_verdict v);

#endif
