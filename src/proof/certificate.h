/* proof/certificate.h - the proof of a claim as data that an independent program can check
 * (docs/certificates.md). It is made beside the verdict, by another route. */
#ifndef PROOF_CERTIFICATE_H
#define PROOF_CERTIFICATE_H
#include "../claims/claims.h"
#include "identities.h"

/* What a row of a proof says of the model. */
#define CERTIFICATE_ROW_LIST(X)                                                                    \
    X(ROW_MOTION, "motion")             /* M a − L − Jᵀλ, of a coordinate */                \
    X(ROW_REDUCED, "reduced")           /* Ψᵀ(M a − L), of a velocity parameter */            \
    X(ROW_INVERSE, "inverse")           /* M W − Jᵀ, of a coordinate and a constraint */       \
    X(ROW_FRAME, "frame")               /* b B − 1, of a quasi-velocity and a column */          \
    X(ROW_LIFT, "lift")                 /* M X − Jᵀ H, of a coordinate and a constraint */     \
    X(ROW_UNIT, "unit")                 /* J X − 1, of a row and a column */                     \
    X(ROW_ACCELERATION, "acceleration") /* J a + γ, of a constraint */                            \
    X(ROW_VELOCITY, "velocity")         /* C, of a constraint */                                   \
    X(ROW_POSITION, "position")         /* f, of a holonomic one */                                \
    X(ROW_CONDITION, "condition")       /* an equation of the claim's own, by its number */
typedef enum certificate_row_kind {
#define X(code, word) code,
    CERTIFICATE_ROW_LIST(X)
#undef X
} certificate_row_kind;

typedef struct certificate_row {
    certificate_row_kind is;
    const char *of;         /* coordinate, velocity parameter or element "2,3"; NULL */
    const char *constraint; /* label; NULL */
} certificate_row;

typedef struct certificate {
    const verify_claim *claim;
    const char *why; /* NULL: the proof is there; else why it is not */
    bool place;      /* ranks and brackets at a place instead of identities */
    bool chart;      /* v = ψ(q, z, t) is put in; otherwise states are (q, v, t) */
    LIST(certificate_row) rows, given;
    const algebra_fact *fact; /* with the parameters' values */
    proof proof;
} certificate;

typedef struct certificates {
    size_t count, written; /* of the claims that are proved */
    certificate *at;
} certificates;

void certificates_make(ah_model *m, const verify_answer *answer, certificates *out);

#endif
