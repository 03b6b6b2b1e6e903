/* model_support.h - models in a few words: expressions from text, what was reported, values at states. */
#ifndef MODEL_TEST_MODEL_SUPPORT_H
#define MODEL_TEST_MODEL_SUPPORT_H
#include "harness.h"
#include "model/inside.h"

/* An expression in the names of the model: + - * / ^, brackets, numbers, sin cos sqrt tan exp log
 * abs, x', x''. Unknown names become parameters of the context that the model does not have. */
ah_expr read_expr(ah_model *m, const char *s);
/* "a = 2, b = 0.3, c": parameters; "x, y": coordinates. */
void add_parameters(ah_model *m, const char *list);
void add_coordinates(ah_model *m, const char *list);
void add_kinetic(ah_model *m, const char *e);
void add_potential(ah_model *m, const char *e);
void add_force(ah_model *m, const char *coordinate, const char *e);
void add_constraint(ah_model *m, const char *label, const char *left);
void add_velocity(ah_model *m, const char *coordinate, const char *psi);
void add_quasivelocity(ah_model *m, const char *name, const char *e);
void add_assumption(ah_model *m, const char *e, bool positive);
ah_vector read_vector(ah_model *m, const char *x, const char *y, const char *z);

/* "A0411 A0412": the codes reported so far, in order; "" for none. */
const char *codes(ah_ctx *ctx);
/* Values of the expressions at a random state (the same for the same seed), parameters at their
 * values. */
void evaluate(ah_model *m, size_t count, const ah_expr *e, uint64_t seed, double *out);
/* Checks that two expressions agree at a few random states and are proved equal. */
void check_same(ah_model *m, ah_expr got, ah_expr want, const char *why);

#endif
