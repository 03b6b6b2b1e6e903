/* statement/regions.h - what kind of system it is on either side of what switches in its constraints. */
#ifndef STATEMENT_REGIONS_H
#define STATEMENT_REGIONS_H
#include "statements.h"

/* Asks `judge` of the system with |u| = u and with |u| = −u, and so on. True: it says the same of all of them, and *out is the
 * weakest of the answers. Sides that no state has may make it false. */
typedef void (*regions_judge)(const statement_question *q, verify_claim *out);
bool regions_agree(const statement_question *q, regions_judge judge, verify_claim *out);

/* Are the functions that the constraints keep constant the same on both sides of what switches, where it does? With
 * z' = if(x > 0, y', x') they are not, and who crosses x = 0 comes to other places than those of z = x + const. */
bool regions_joined(ah_model *m);

#endif
