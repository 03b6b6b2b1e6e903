/* base/reserve.c - memory for libraries that cannot bear a failure: docs/decisions/0012.
 *
 * GMP and FLINT end the program when an allocation fails, and cannot be left by a jump. So theirs
 * does not fail: when the C library has nothing more, a block that was put aside beforehand is
 * given back to it, the allocation is tried again, and the thread is marked; the running call ends
 * at its next tick with AH_E_MEMORY. The next call puts a block aside anew, or does not begin. The
 * block is never touched, so it takes addresses, not memory. */
#include "reserve.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* Bytes: what the libraries may ask for between two ticks. A polynomial at the limit of terms
 * (200 000, a dozen generators) takes some 20 MB, its product with another as much again. */
enum { RESERVE_MOST = 64 << 20, RESERVE_LEAST = 4 << 20 };

/* The one thing of the process: these libraries' functions have no argument for a context. */
static _Atomic(void *) block;
static _Thread_local bool drawn;
static _Thread_local double work;
static _Thread_local bool (*ask)(void *user); /* for tests */
static _Thread_local void *ask_user;

static void *put_aside(void)
{
    void *made = NULL;
    for (size_t size = RESERVE_MOST; !made && size >= RESERVE_LEAST; size /= 2) made = malloc(size);
    return made;
}

bool reserve_begin(void)
{
    drawn = false;
    if (atomic_load_explicit(&block, memory_order_relaxed)) return true;
    void *made = put_aside(), *none = NULL;
    if (!made) return false;
    if (!atomic_compare_exchange_strong(&block, &none, made)) free(made); /* another thread did */
    return true;
}

bool reserve_is_drawn(void)
{
    return drawn;
}

void reserve_ask(bool (*fails)(void *user), void *user)
{
    ask = fails;
    ask_user = user;
}

static bool fails_on_purpose(void)
{
    return ask && ask(ask_user);
}

/* Another thread may have given it back a moment ago: then there is enough for both. */
void reserve_draw(void)
{
    free(atomic_exchange(&block, NULL));
    drawn = true;
}

/* Of 5900 calls of the algebra on the models, compared with the processor: nine in ten within 0.6
 * and 1.3, one in a hundred beyond 0.4 and 1.7. The bytes are large products. */
#define ALLOCATION_SECONDS 7e-8
#define BYTE_SECONDS       1e-9

static void count(size_t size)
{
    work += ALLOCATION_SECONDS + BYTE_SECONDS * (double) size;
}

double reserve_work(void)
{
    return work;
}

void *reserve_realloc(void *ptr, size_t size)
{
    if (!size) size = 1;
    count(size);
    void *result = fails_on_purpose() ? NULL : realloc(ptr, size);
    if (result) return result;
    reserve_draw();
    result = realloc(ptr, size);
    if (!result) abort(); /* the library's own end is the only one left */
    return result;
}

void *reserve_alloc(size_t size)
{
    return reserve_realloc(NULL, size);
}

/* The C library keeps small blocks at hand for malloc, but not for calloc. */
#define SMALL_BYTES 1024

static void *zeroed(size_t items, size_t size)
{
    if (items && size && items <= SMALL_BYTES / size) {
        void *result = malloc(items * size);
        if (result) memset(result, 0, items * size);
        return result;
    }
    return calloc(items ? items : 1, size ? size : 1);
}

void *reserve_calloc(size_t items, size_t size)
{
    count(items * size);
    void *result = fails_on_purpose() ? NULL : zeroed(items, size);
    if (result) return result;
    reserve_draw();
    result = calloc(items ? items : 1, size ? size : 1);
    if (!result) abort();
    return result;
}

void reserve_free(void *ptr)
{
    free(ptr);
}
