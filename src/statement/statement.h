/* statement/statement.h - claims that are no equations: what kind of system it is, which motions are steady or stable,
 * which measure is kept: what other modules see of this one. */
#ifndef STATEMENT_STATEMENT_H
#define STATEMENT_STATEMENT_H
#include "ansatz.h"
#include "measure.h"
#include "statements.h"
#include "verdict.h"

#endif
