/* proof/proof.h - proofs as data, and the identities they are made of: what other modules see of
 * this one. */
#ifndef PROOF_PROOF_H
#define PROOF_PROOF_H
#include "certificate.h"

#endif
