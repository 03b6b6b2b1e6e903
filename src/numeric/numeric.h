/* numeric/numeric.h - linear algebra in doubles: dense, sparse, by elimination; spectra; roots: what other
 * modules see of this one. */
#ifndef NUMERIC_NUMERIC_H
#define NUMERIC_NUMERIC_H
#include "eliminate.h"
#include "linear.h"
#include "brent.h"
#include "sparse.h"
#include "spectrum.h"

#endif
