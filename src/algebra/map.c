/* algebra/map.c - hash maps from handles to 32-bit values, open addressing, at most half full. */
#include "internal.h"

static size_t slot_of(const map *m, ah_expr key)
{
    size_t i = (size_t) ((key * UINT64_C(0x9E3779B97F4A7C15)) >> 32) & (m->capacity - 1);
    while (m->item[i] && m->item[i] >> 32 != key) i = (i + 1) & (m->capacity - 1);
    return i;
}

uint32_t map_get(const map *m, ah_expr key)
{
    return m->capacity ? (uint32_t) m->item[slot_of(m, key)] : 0;
}

static void grow(map *m)
{
    map wide = *m;
    wide.capacity = m->capacity ? 2 * m->capacity : 32;
    wide.item = NEW_ARRAY(m->arena, uint64_t, wide.capacity); /* may raise: *m is still whole */
    for (size_t i = 0; i < m->capacity; i++)
        if (m->item[i]) wide.item[slot_of(&wide, (ah_expr) (m->item[i] >> 32))] = m->item[i];
    *m = wide;
}

void map_put(map *m, ah_expr key, uint32_t value)
{
    if (2 * m->count >= m->capacity) grow(m);
    const size_t i = slot_of(m, key);
    if (!m->item[i]) m->count++;
    m->item[i] = (uint64_t) key << 32 | value;
}
