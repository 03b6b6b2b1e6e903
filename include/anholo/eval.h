/* anholo/eval.h - numbers: one state, agreement of the methods, claims.
 *
 * Each function writes its whole answer in the wanted format (AH_TEXT or AH_JSON). The status is
 * AH_OK when the answer is "yes", AH_E_REFUSED when it is "no" (methods disagree, a claim fails:
 * the answer is there all the same), anything else when there is no answer (the diagnostics say
 * why). */
#ifndef ANHOLO_EVAL_H
#define ANHOLO_EVAL_H
#include <anholo/model.h>

typedef struct ah_eval_options {
    const char *at;     /* "t=0, x=1, x'=0.5"; NULL: the model's start */
    const char *method; /* a name, "all", or NULL: the model's default  */
    bool project;       /* move to the nearest admissible state first    */
    int digits;         /* > 0: that many digits by ball arithmetic      */
    bool orthonormal;   /* quasi-velocities with T = ½Σω²                */
} ah_eval_options;

AH_API ah_eval_options ah_eval_defaults(void);
AH_API ah_status ah_eval(ah_model *m, const ah_eval_options *options, ah_format format,
                         const char **out);

/* All methods against each other and against Gauss' principle at random admissible states. */
typedef struct ah_crosscheck_options {
    size_t states; /* default 100 */
    uint64_t seed; /* default 1 */
} ah_crosscheck_options;
AH_API ah_crosscheck_options ah_crosscheck_defaults(void);
AH_API ah_status ah_crosscheck(ah_model *m, const ah_crosscheck_options *options, ah_format format,
                               const char **out);

/* The model's claims: proved, holding at `states` random states, false, or unknown. */
AH_API ah_status ah_verify(ah_model *m, const ah_crosscheck_options *options, ah_format format,
                           const char **out);
/* The same, and the proofs as data (docs/certificates.md): JSON, in the job arena like *out. */
AH_API ah_status ah_certify(ah_model *m, const ah_crosscheck_options *options, ah_format format,
                            const char **out, const char **proofs);

#endif
