/* analyse/analyse.h - questions about a system; each gives an answer that others show: what other
 * modules see of this one. */
#ifndef ANALYSE_ANALYSE_H
#define ANALYSE_ANALYSE_H
#include "../kind/kind.h"
#include "crosscheck.h"
#include "energy.h"
#include "integrals.h"
#include "verify.h"

#endif
