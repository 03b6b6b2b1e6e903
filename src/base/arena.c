/* base/arena.c - memory by chunks, freed all at once or back to a mark.
 *
 * Chunks double from CHUNK_FIRST to CHUNK_MOST; what does not fit gets a chunk of its own size.
 * They are stacked, so that a mark (chunk, used) tells what came later. Under AddressSanitizer what
 * is not handed out is poisoned and things are kept REDZONE apart. */
#include "base.h"

#include <assert.h>
#include <stdalign.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define ARENA_ASAN 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define ARENA_ASAN 1
#endif

#ifdef ARENA_ASAN
#include <sanitizer/asan_interface.h>
#define POISON(at, n)   ASAN_POISON_MEMORY_REGION((at), (n))
#define UNPOISON(at, n) ASAN_UNPOISON_MEMORY_REGION((at), (n))
enum { REDZONE = alignof(max_align_t) };
#else
#define POISON(at, n)   ((void) (at), (void) (n))
#define UNPOISON(at, n) ((void) (at), (void) (n))
enum { REDZONE = 0 };
#endif

enum { CHUNK_FIRST = 4 << 10, CHUNK_MOST = 1 << 20, ALIGNMENT = alignof(max_align_t) };

struct arena_chunk {
    arena_chunk *below;
    size_t size, used; /* bytes of `data` */
    size_t next_size;  /* bytes to ask for when this one is full, header included */
    bool marked;       /* a mark may point here */
    alignas(max_align_t) char data[];
};

struct arena_owned {
    arena_owned *next;
    void (*destroy)(void *data);
    void *data;
};

/* What `size` bytes take in a chunk; raises when that is more than fits in a size_t. */
static size_t footprint(ah_ctx *ctx, size_t size)
{
    const size_t extra = ALIGNMENT + REDZONE + sizeof(arena_chunk);
    if (size > SIZE_MAX - extra) ctx_raise(ctx, AH_E_MEMORY);
    return (size + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT + REDZONE;
}

static void push_chunk(arena *a, size_t need)
{
    const size_t normal = a->last ? a->last->next_size : CHUNK_FIRST;
    const bool special = need > normal - sizeof(arena_chunk);
    const size_t bytes = special ? sizeof(arena_chunk) + need : normal;
    arena_chunk *chunk = ctx_realloc(a->ctx, NULL, 0, bytes);
    chunk->below = a->last;
    chunk->size = bytes - sizeof(arena_chunk);
    chunk->used = 0;
    chunk->marked = false;
    chunk->next_size = special || normal == CHUNK_MOST ? normal : 2 * normal;
    POISON(chunk->data, chunk->size);
    a->last = chunk;
}

static void pop_chunk(arena *a)
{
    arena_chunk *chunk = a->last;
    a->last = chunk->below;
    UNPOISON(chunk->data, chunk->size);
    ctx_realloc(a->ctx, chunk, sizeof(arena_chunk) + chunk->size, 0);
}

void arena_init(arena *a, ah_ctx *ctx)
{
    *a = (arena){.ctx = ctx};
}

/* Newest first: what is younger may use what is older. */
static void destroy_owned(arena *a, const arena_owned *until)
{
    while (a->owned != until) {
        const arena_owned *o = a->owned;
        a->owned = o->next;
        o->destroy(o->data);
    }
}

void arena_clear(arena *a)
{
    destroy_owned(a, NULL);
    while (a->last) pop_chunk(a);
}

void *arena_alloc_raw(arena *a, size_t size)
{
    const size_t need = footprint(a->ctx, size ? size : 1);
    if (!a->last || a->last->size - a->last->used < need) push_chunk(a, need);
    void *result = a->last->data + a->last->used;
    a->last->used += need;
    UNPOISON(result, size);
    return result;
}

void *arena_alloc(arena *a, size_t size)
{
    void *result = arena_alloc_raw(a, size);
    return size ? memset(result, 0, size) : result;
}

static size_t array_size(ah_ctx *ctx, size_t element, size_t count)
{
    if (count && element > SIZE_MAX / count) ctx_raise(ctx, AH_E_MEMORY);
    return element * count;
}

void *arena_alloc_array(arena *a, size_t element, size_t count)
{
    return arena_alloc(a, array_size(a->ctx, element, count));
}

void *arena_alloc_array_raw(arena *a, size_t element, size_t count)
{
    return arena_alloc_raw(a, array_size(a->ctx, element, count));
}

/* Extends the newest block of the arena from old_size to new_size bytes, if it can stay there. */
static bool extend_in_place(arena *a, void *old, size_t old_size, size_t new_size)
{
    arena_chunk *chunk = a->last;
    if (!old || !old_size || !chunk) return false;
    const size_t was = footprint(a->ctx, old_size), will = footprint(a->ctx, new_size);
    if ((char *) old + was != chunk->data + chunk->used) return false;
    if (chunk->size - (chunk->used - was) < will) return false;
    chunk->used = chunk->used - was + will;
    UNPOISON(old, new_size);
    return true;
}

bool arena_trim(arena *a, const void *block, size_t old_size, size_t new_size)
{
    arena_chunk *chunk = a->last;
    if (!block || !new_size || !chunk) return false;
    const size_t was = footprint(a->ctx, old_size), will = footprint(a->ctx, new_size);
    if (will >= was || (const char *) block + was != chunk->data + chunk->used) return false;
    chunk->used -= was - will;
    POISON((const char *) block + new_size, was - new_size);
    return true;
}

/* A block that has a chunk for itself grows with it: lists of many things would leave two thirds of their memory behind
 * otherwise. Only large ones have one: the way down to it is short. NULL: it has none. */
static void *extend_chunk(arena *a, const void *old, size_t old_size, size_t new_size)
{
    arena_chunk **link = &a->last;
    const size_t was = footprint(a->ctx, old_size), will = footprint(a->ctx, new_size);
    if (!old || !a->last || sizeof(arena_chunk) + was < a->last->next_size) return NULL;
    while (*link && (const char *) old != (*link)->data) {
        if ((*link)->marked) return NULL; /* what is older than a mark stays where it is */
        link = &(*link)->below;
    }
    arena_chunk *chunk = *link;
    if (!chunk || chunk->marked || was != chunk->used) return NULL;
    UNPOISON(chunk->data, chunk->size);
    chunk =
        ctx_realloc(a->ctx, chunk, sizeof(arena_chunk) + chunk->size, sizeof(arena_chunk) + will);
    chunk->size = chunk->used = will;
    POISON(chunk->data + new_size, will - new_size);
    return (*link = chunk)->data;
}

void *arena_grow(arena *a, void *old, size_t element, size_t count, size_t *capacity, size_t need)
{
    assert(count <= *capacity);
    if (need <= *capacity) return old;
    size_t room = *capacity < 4 ? 8 : *capacity + *capacity / 2;
    if (room < need) room = need;
    const size_t used = count * element, new_size = array_size(a->ctx, element, room);
    void *wider = NULL;
    if (extend_in_place(a, old, *capacity * element, new_size))
        wider = old;
    else
        wider = extend_chunk(a, old, *capacity * element, new_size);
    if (wider) {
        memset((char *) wider + used, 0, new_size - used);
        old = wider;
    } else {
        void *copy = arena_alloc_raw(a, new_size);
        if (used) memcpy(copy, old, used);
        memset((char *) copy + used, 0, new_size - used);
        old = copy;
    }
    *capacity = room;
    return old;
}

typedef struct ownership {
    arena *arena;
    arena_owned *owned;
} ownership;

static void allocate_ownership(ah_ctx *ctx, void *arg)
{
    ownership *w = arg;
    (void) ctx;
    w->owned = NEW(w->arena, arena_owned);
}

void arena_own(arena *a, void (*destroy)(void *data), void *data)
{
    ownership w = {a, NULL};
    const ah_status status = ctx_try(a->ctx, allocate_ownership, &w);
    if (status != AH_OK) {
        destroy(data);
        ctx_raise(a->ctx, status);
    }
    *w.owned = (arena_owned){a->owned, destroy, data};
    a->owned = w.owned;
}

void arena_reserve(arena *a, size_t size)
{
    assert(!a->last);
    arena_alloc(a, size);
    arena_release(a, (arena_mark){.chunk = a->last});
}

arena_mark arena_get_mark(const arena *a)
{
    if (a->last) a->last->marked = true;
    return (arena_mark){a->last, a->last ? a->last->used : 0, a->owned};
}

void arena_release(arena *a, arena_mark mark)
{
    destroy_owned(a, mark.owned);
    while (a->last != mark.chunk) {
        assert(a->last && "the mark is not of this arena, or older than a release");
        pop_chunk(a);
    }
    if (!mark.chunk) return;
    assert(mark.used <= mark.chunk->used);
    POISON(mark.chunk->data + mark.used, mark.chunk->used - mark.used);
    mark.chunk->used = mark.used;
}
