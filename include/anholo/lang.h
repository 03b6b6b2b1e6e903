/* anholo/lang.h - models from text. */
#ifndef ANHOLO_LANG_H
#define ANHOLO_LANG_H
#include <anholo/model.h>

/* Reads a model; `file` is the name for messages. *model is set when there were no errors (warnings
 * may be). The text need not be NUL-terminated. `set` (may be NULL): what the command line's --set
 * says, "a=1.5,b=2" or "f(t)=sin(t)", applied before families are unrolled. */
AH_API ah_status ah_read(ah_ctx *ctx, const char *file, const char *text, size_t length,
                         const char *set, ah_model **model);
/* An expression in the names of a finished model (for --at values); `what` names it in messages. */
AH_API ah_status ah_read_expression(ah_model *m, const char *what, const char *text, ah_expr *out);
/* "u=sin(t), w=1": what inputs are for numbers, as ah_model_set_input says. */
AH_API ah_status ah_read_inputs(ah_model *m, const char *what, const char *text);
/* The same of a motion, as in `output`: also lambda[a], reaction[q] and the model's outputs. */
AH_API ah_status ah_read_output(ah_model *m, const char *what, const char *text, ah_expr *out);
/* Several, with commas between them; `change(e)` is e less its value at the beginning. Besides what
 * an output may use there is `residual`, the largest relative residual of the constraints. */
typedef struct ah_output {
    ah_expr e;
    bool change;      /* of `change(e)`; then e is what stands in the brackets */
    const char *text; /* e as it is written */
} ah_output;
AH_API ah_status ah_read_outputs(ah_model *m, const char *what, const char *text, size_t most,
                                 ah_output *out, size_t *count);
/* A stage of reading, printed; their names, separated by |. */
AH_API const char *ah_reading_stages(void);
AH_API ah_status ah_dump(ah_ctx *ctx, const char *file, const char *text, size_t length,
                         const char *set, const char *stage, const char **out);

#endif
