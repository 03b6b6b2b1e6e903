/* many/many.h - many motions of one model: what varies, what is kept, threads, the journal: what other
 * modules see of this one. */
#ifndef MANY_MANY_H
#define MANY_MANY_H
#include <anholo/ensemble.h>

#endif
