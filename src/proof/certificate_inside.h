/* proof/certificate_inside.h - the question about a claim in the making, for the files of the
 * certificates. */
#ifndef PROOF_CERTIFICATE_INSIDE_H
#define PROOF_CERTIFICATE_INSIDE_H
#include "../derive/derive.h"
#include "certificate.h"

typedef struct builder {
    ah_model *model;
    ah_ctx *ctx;
    arena *arena;
    mechanics *mech;
    certificate *out;
    ah_expr claim;
    bool motion, lambda; /* the claim names accelerations, multipliers */
    bool *inverse;       /* and W_b of these constraints */
    bool *lifted;        /* and these columns of X = M⁻¹ Jᵀ H, H = G⁻¹ */
    bool *column;        /* and these columns of B */
    LIST(ah_expr) unknown, row, given;
    size_t motion_rows;
} builder;

/* Σ_k x_k y_k */
typedef struct sum {
    LIST(ah_expr) terms;
} sum;
void sum_add(builder *b, sum *s, ah_expr x, ah_expr y);
ah_expr sum_end(builder *b, const sum *s);

/* certificate_names.c: what the claim names is put in. NULL, or why that cannot be done. */
const char *certificate_put_names(builder *b);
ah_expr certificate_inverse(builder *b, uint32_t constraint, uint32_t i); /* W[constraint,i] */
/* X and H by M X = Jᵀ H, J X = 1: lift[i,constraint] and gram[row,constraint] */
ah_expr certificate_lift(builder *b, uint32_t i, uint32_t constraint);
ah_expr certificate_gram(builder *b, uint32_t row, uint32_t constraint);
ah_expr certificate_reaction(builder *b, uint32_t i);
/* ω = b v + c, and the unknown B = b⁻¹ */
ah_expr certificate_frame(builder *b, uint32_t mu, uint32_t nu);
ah_expr certificate_frame_inverse(builder *b, uint32_t row, uint32_t col);

#endif
