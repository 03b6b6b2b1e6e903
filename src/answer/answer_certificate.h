/* answer/answer_certificate.h - proofs as JSON (docs/schema/certificate.json). */
#ifndef ANSWER_CERTIFICATE_H
#define ANSWER_CERTIFICATE_H
#include "../proof/proof.h"

const char *certificate_json(ah_model *m, const certificates *c);

#endif
