/* algebra_support.h - expressions from text, and comparison of values in balls, for the tests of algebra. */
#ifndef ALGEBRA_TEST_ALGEBRA_SUPPORT_H
#define ALGEBRA_TEST_ALGEBRA_SUPPORT_H
#include "harness.h"
#include "algebra/algebra.h"

/* Runs body with a fresh context and an algebra with the facts m > 0, R > 0, A > 0, b > 0,
 * a - b > 0. */
typedef void test_body(ah_ctx *ctx, algebra *alg);
void run_with_algebra(test_body *body);

/* Names beginning with a capital or one of a b g k l m are parameters, t is time, f and h followed
 * by a bracket unspecified functions, others coordinates; x' is a velocity, x'' an acceleration. */
ah_expr read_expr(ah_ctx *ctx, const char *written);
/* rows separated by ; and entries by , */
mat read_mat(ah_ctx *ctx, const char *written);
char *shown(ah_ctx *ctx, ah_expr e);

/* Do both have the same value (balls of 200 bits that meet) at some random points of positive
 * values? Points where either is not defined do not count; false also when there is no other. */
bool same_values(ah_ctx *ctx, ah_expr a, ah_expr b);
bool same_values_mat(ah_ctx *ctx, mat a, mat b);

#endif
