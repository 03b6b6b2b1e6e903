/* claims/claims.h - what a model claims: proved, holding at N states, false with a counter-example, unknown: what other
 * modules see of this one. */
#ifndef CLAIMS_CLAIMS_H
#define CLAIMS_CLAIMS_H
#include "../statement/statement.h"
#include <anholo/answer.h>

typedef struct verify_answer {
    bool known; /* methods and objects that claims name are there; else it was reported */
    size_t count;
    verify_claim *at;
    bool pass;
} verify_answer;

void verify_run(ah_model *m, size_t wanted, uint64_t seed, verify_answer *out);

/* The same for claims that somebody else makes, one after the other: everything they need of the
 * model is made once. */
typedef struct verification verification;
verification *verify_open(ah_model *m, size_t wanted, uint64_t seed);
const struct components *verify_components(const verification *v);
void verify_one(verification *v, const model_claim *claim, verify_claim *out);
/* Is e the energy or Hamilton's function of a long tree of bodies that keeps it, since nothing binds or drives it? */
bool verify_keeps_energy(const verification *v, ah_expr e);
/* At the zeros of what something whose rate vanishes may have two values on one motion; AH_NONE: nowhere. */
ah_expr claim_jump(verification *v, ah_expr e);

#endif
