/* numeric/brent.h - zeros of a function of one variable. */
#ifndef NUMERIC_BRENT_H
#define NUMERIC_BRENT_H

typedef double root_function(void *user, double x);

/* A zero of f between a and b, where its values fa and fb have different signs; to the rounding of x. Brent's method. */
double root_between(root_function *f, void *user, double a, double fa, double b, double fb);

#endif
