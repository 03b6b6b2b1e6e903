/* Arenas: alignment, zeroing, growth, mark and release. */
#include "base/base.h"
#include "failing.h"
#include "harness.h"

#include <stdalign.h>
#include <string.h>

/* A context whose memory is watched. */
static ah_ctx *watched(failing *f)
{
    ah_ctx_options options = ah_ctx_defaults();
    options.realloc = failing_realloc;
    options.user = f;
    return ah_ctx_create(&options);
}

static bool all_zero(const char *at, size_t n)
{
    while (n && !*at) at++, n--;
    return n == 0;
}

TEST(arena_gives_zeroed_aligned_memory)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    arena a;
    arena_init(&a, ctx);
    bool aligned = true, zeroed = true;
    for (int round = 0; round < 2000; round++) {
        const size_t size = (size_t) (harness_random() % 300);
        const arena_mark mark = arena_get_mark(&a);
        char *at = arena_alloc(&a, size);
        aligned = aligned && (uintptr_t) at % alignof(max_align_t) == 0;
        zeroed = zeroed && all_zero(at, size);
        memset(at, 0x5A, size);
        if (round % 3 == 0) arena_release(&a, mark); /* the next one finds dirty memory */
    }
    CHECK(aligned);
    CHECK(zeroed);
    CHECK(arena_alloc(&a, 0) != arena_alloc(&a, 0));
    arena_clear(&a);
    ah_ctx_destroy(ctx);
}

TEST(arena_release_returns_to_the_mark)
{
    failing f = {0};
    ah_ctx *ctx = watched(&f);
    arena *a = &ctx->scratch;
    char *before = arena_strdup(a, "before");
    const arena_mark mark = arena_get_mark(a);
    const size_t bytes = f.bytes;

    char *first = arena_alloc(a, 100);
    for (int i = 0; i < 1000; i++) arena_alloc(a, 10000);
    CHECK(f.bytes > bytes + 1000 * 10000);
    arena_release(a, mark);
    CHECK_INT(f.bytes, bytes);
    CHECK_STR(before, "before");
    CHECK(arena_alloc(a, 100) == first);

    arena_clear(a);
    const arena_mark empty = arena_get_mark(a);
    arena_alloc(a, 1);
    arena_release(a, empty);
    CHECK(!a->last);
    ah_ctx_destroy(ctx);
    CHECK_INT(f.bytes, 0);
    CHECK_INT(f.wrong_sizes, 0);
}

TEST(arena_chunks_double_to_a_mebibyte)
{
    failing f = {0};
    ah_ctx *ctx = watched(&f);
    arena a;
    arena_init(&a, ctx);
    const size_t bytes = f.bytes, blocks = f.blocks;
    enum { PIECE = 64, TOTAL = 32 << 20 };
    for (size_t i = 0; i < TOTAL / PIECE; i++) arena_alloc(&a, PIECE);
    /* 4 KiB + 8 + … + 512 KiB, then 1 MiB each; AddressSanitizer's red zones take a quarter more. */
    CHECK(f.blocks - blocks <= 9 + 42);
    CHECK(f.bytes - bytes <= (size_t) TOTAL / 4 * 5 + (2 << 20));
    arena_clear(&a);
    CHECK_INT(f.bytes, bytes);
    ah_ctx_destroy(ctx);
}

TEST(arena_big_request_gets_its_own_chunk)
{
    failing f = {0};
    ah_ctx *ctx = watched(&f);
    arena a;
    arena_init(&a, ctx);
    arena_alloc(&a, 1);
    const size_t bytes = f.bytes, size = 5 << 20;
    char *big = arena_alloc(&a, size);
    big[size - 1] = 1;
    CHECK(f.bytes - bytes >= size && f.bytes - bytes <= size + 128);
    arena_clear(&a);
    ah_ctx_destroy(ctx);
}

TEST(arena_list_keeps_its_elements)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    LIST(int) list = {0};
    LIST(int) other = {0};
    for (int i = 0; i < 10000; i++) {
        LIST_PUSH(&ctx->job, &list, i);
        if (i % 7 == 0) LIST_PUSH(&ctx->job, &other, -i); /* so that growing in place is not all */
    }
    bool same = list.count == 10000 && other.count == 1429;
    for (int i = 0; i < 10000; i++) same = same && list.at[i] == i;
    for (int i = 0; i < 1429; i++) same = same && other.at[i] == -7 * i;
    CHECK(same);
    CHECK(all_zero((char *) (list.at + list.count), (list.capacity - list.count) * sizeof(int)));
    ah_ctx_destroy(ctx);
}

/* Copied at each growth by half, it would leave twice its size behind; where a mark may point to its chunk it must be. */
TEST(arena_long_list_grows_with_its_chunk)
{
    failing f = {0};
    ah_ctx *ctx = watched(&f);
    arena a;
    arena_init(&a, ctx);
    LIST(int) list = {0};
    const size_t bytes = f.bytes;
    enum { MANY = 4 << 20 };
    for (int i = 0; i < MANY; i++) LIST_PUSH(&a, &list, i);
    CHECK(f.bytes - bytes <= list.capacity * sizeof(int) + (5 << 20));
    const arena_mark mark = arena_get_mark(&a);
    const int *before = list.at;
    for (int i = MANY; list.at == before; i++) LIST_PUSH(&a, &list, i);
    bool same = before[MANY - 1] == MANY - 1;
    for (size_t i = 0; i < list.count; i++) same = same && list.at[i] == (int) i;
    CHECK(same);
    arena_release(&a, mark);
    arena_clear(&a);
    CHECK_INT(f.bytes, bytes);
    ah_ctx_destroy(ctx);
    CHECK_INT(f.wrong_sizes, 0);
}

TEST(arena_newest_array_grows_in_place)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    size_t capacity = 0;
    char *at = arena_grow(&ctx->job, NULL, 1, 0, &capacity, 10);
    memset(at, 'x', capacity);
    const size_t count = capacity;
    char *again = arena_grow(&ctx->job, at, 1, count, &capacity, 1000);
    CHECK(again == at);
    CHECK(capacity >= 1000);
    CHECK(again[count - 1] == 'x' && all_zero(again + count, capacity - count));
    arena_alloc(&ctx->job, 1);
    const size_t full = capacity;
    char *moved = arena_grow(&ctx->job, at, 1, count, &capacity, full + 1);
    CHECK(moved != at && moved[0] == 'x' && at[0] == 'x');
    CHECK(all_zero(moved + count, capacity - count));
    ah_ctx_destroy(ctx);
}

TEST(arena_newest_block_gives_back_what_it_does_not_need)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    char *older = arena_alloc_raw(&ctx->job, 100), *at = arena_alloc_raw(&ctx->job, 200);
    CHECK(!arena_trim(&ctx->job, older, 100, 10)); /* not the newest */
    CHECK(!arena_trim(&ctx->job, at, 200, 200));
    CHECK(arena_trim(&ctx->job, at, 200, 16));
    const char *next = arena_alloc(&ctx->job, 64);
    CHECK(next >= at + 16 && next < at + 200 && all_zero(next, 64));
    text t = text_begin(&ctx->job);
    text_add(&t, "name");
    const char *name = text_end(&t), *after = text_end(&(text){.arena = &ctx->job});
    CHECK(after - name <= 2 * (ptrdiff_t) sizeof(max_align_t));
    text_add(&t, "s"); /* it may go on */
    CHECK_STR(text_end(&t), "names");
    ah_ctx_destroy(ctx);
}

static void overflow_array(ah_ctx *ctx, void *arg)
{
    (void) arg;
    arena_alloc_array(&ctx->job, 16, SIZE_MAX / 16 + 2); /* 16 bytes, were it not seen */
}

static void overflow_size(ah_ctx *ctx, void *arg)
{
    (void) arg;
    arena_alloc(&ctx->job, SIZE_MAX - 8);
}

TEST(arena_sizes_that_overflow_raise)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, overflow_array, NULL), AH_E_MEMORY);
    CHECK_INT(ctx_guard(ctx, overflow_size, NULL), AH_E_MEMORY);
    ah_ctx_destroy(ctx);
}

#ifdef AH_SANITIZE
#include <sanitizer/asan_interface.h>

TEST(arena_poisons_what_is_not_handed_out)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    const arena_mark mark = arena_get_mark(&ctx->job);
    arena_alloc(&ctx->job, 8);
    const arena_mark inside = arena_get_mark(&ctx->job);
    char *at = arena_alloc(&ctx->job, 100);
    CHECK(!__asan_address_is_poisoned(at + 99));
    CHECK(__asan_address_is_poisoned(at + 100));
    arena_release(&ctx->job, inside);
    CHECK(__asan_address_is_poisoned(at));
    arena_release(&ctx->job, mark);
    ah_ctx_destroy(ctx);
}
#endif
