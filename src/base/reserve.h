/* base/reserve.h - memory for libraries that cannot bear a failure (GMP, FLINT).
 *
 * What these functions return is never NULL. One that would be is taken from a reserve, and the
 * running call of the thread ends at its next tick with AH_E_MEMORY. */
#ifndef BASE_RESERVE_H
#define BASE_RESERVE_H
#include <stdbool.h>
#include <stddef.h>

void *reserve_alloc(size_t size);
void *reserve_calloc(size_t items, size_t size);
void *reserve_realloc(void *ptr, size_t size);
void reserve_free(void *ptr);
/* For allocations of others that failed: gives the reserve back to the C library. */
void reserve_draw(void);

/* At the beginning of a public call: puts the reserve aside; false when there is no memory for it.
 */
bool reserve_begin(void);
/* The running call of this thread has used it. */
bool reserve_is_drawn(void);

/* Seconds that the libraries are taken to have worked on what they allocated in this thread. */
double reserve_work(void);

/* For tests: whether the next allocation of this thread fails is asked of `fails`; NULL: none does. */
void reserve_ask(bool (*fails)(void *user), void *user);

#endif
