/* compile/cuts.c - where a long program is cut, and what goes through the work array. */
#include "cuts.h"

/* Positions are numbers of operations. */
typedef struct cutting {
    const program *p;
    arena *arena;
    const uint32_t *partner;
    bool sections;
    uint32_t *last;  /* by value: the position that uses it last */
    uint32_t *where; /* by position: its part */
} cutting;

static bool is_leaf(const program *p, uint32_t x)
{
    return p->code.at[x].op == PROGRAM_INPUT || p->code.at[x].op == PROGRAM_CONSTANT;
}

/* The position that makes value x: that of its partner, if it comes first. */
static uint32_t made_at(const cutting *c, uint32_t x)
{
    return c->partner && c->partner[x] < x ? c->partner[x] : x;
}

/* Where the last section ends. */
static size_t rest_of(const cutting *c)
{
    const program *p = c->p;
    return c->sections && p->sections ? p->section[p->sections - 1].end : 0;
}

static void use(cutting *c, uint32_t x, uint32_t position)
{
    if (c->last[x] < position) c->last[x] = position;
}

static void find_last_uses(cutting *c)
{
    const program *p = c->p;
    const uint32_t rest = (uint32_t) rest_of(c);
    c->last = NEW_ARRAY(c->arena, uint32_t, p->code.count + 1);
    for (uint32_t i = 0; i < p->code.count; i++) {
        c->last[i] = made_at(c, i);
        if (is_leaf(p, i)) continue;
        use(c, p->code.at[i].a, made_at(c, i));
        use(c, p->code.at[i].b, made_at(c, i));
    }
    for (size_t i = 0; i < p->outputs; i++) use(c, p->output[i], rest);
    for (size_t i = 0; i < p->guards; i++) {
        const uint32_t two[2] = {p->guard[i].pivot, p->guard[i].bound};
        uint32_t known = rest;
        for (int k = 0; k < 2; k++)
            if (!is_leaf(p, two[k]) && made_at(c, two[k]) > known) known = made_at(c, two[k]);
        for (int k = 0; k < 2; k++) use(c, two[k], known);
    }
}

/* By position: how many values a cut in front of it sends through the work array. */
static uint32_t *widths(const cutting *c)
{
    const size_t count = c->p->code.count;
    uint32_t *width = NEW_ARRAY(c->arena, uint32_t, count + 2);
    int32_t *change = NEW_ARRAY(c->arena, int32_t, count + 2), open = 0;
    for (uint32_t i = 0; i < count; i++)
        if (!is_leaf(c->p, i)) change[made_at(c, i) + 1]++, change[c->last[i] + 1]--;
    for (size_t i = 0; i <= count; i++) {
        open += change[i];
        width[i] = (uint32_t) open;
    }
    return width;
}

/* The narrowest position in the last third of what a part may have, the latest of them; `end` where
 * the part may have all. */
static size_t next_cut(const program *p, const uint32_t *width, size_t from, size_t end,
                       size_t most)
{
    size_t done = 0, best = 0;
    for (size_t i = from; i < end; i++) {
        if (!is_leaf(p, (uint32_t) i) && done++ == most) return best;
        if (3 * done > 2 * most && (!best || width[i + 1] <= width[best])) best = i + 1;
    }
    return end;
}

static void cut(cutting *c, program_parts *w, size_t most)
{
    const program *p = c->p;
    const uint32_t *width = widths(c);
    size_t from = 0;
    w->end = NEW_ARRAY(c->arena, size_t, 3 * p->code.count / (2 * most) + PROGRAM_SECTIONS + 2);
    for (size_t k = c->sections ? 0 : p->sections; k <= p->sections; k++) {
        const size_t end = k < p->sections ? p->section[k].end : p->code.count;
        do w->end[w->count++] = from = next_cut(p, width, from, end, most);
        while (from < end);
        if (k < p->sections) w->section[k] = w->count;
    }
    c->where = NEW_ARRAY(c->arena, uint32_t, p->code.count + 1);
    w->part = NEW_ARRAY(c->arena, uint32_t, p->code.count + 1);
    uint32_t part = 0;
    for (uint32_t i = 0; i <= p->code.count; i++) {
        while (part + 1 < w->count && i >= w->end[part]) part++;
        c->where[i] = part;
        if (i < p->code.count && !is_leaf(p, i)) w->part[i] = c->where[made_at(c, i)];
    }
}

/* ---- Places in the work array ---------------------------------------------------------------- */

typedef struct places {
    uint32_t *spare; /* what is freed last is taken first */
    size_t spares;
    uint32_t *ending, *next; /* by position: 1 + a value that ends there; by value: the next */
} places;

static size_t section_of(const cutting *c, const program_parts *w, size_t part)
{
    size_t k = 0;
    while (c->sections && k < c->p->sections && part >= w->section[k]) k++;
    return k;
}

static void give_place(const cutting *c, program_parts *w, places *f, uint32_t x)
{
    const uint32_t last = c->last[x];
    const size_t from = w->part[x], to = c->where[last];
    if (is_leaf(c->p, x) || from == to) return;
    w->place[x] = f->spares ? f->spare[--f->spares] : (uint32_t) ++w->work;
    if (section_of(c, w, from) != section_of(c, w, to)) return; /* it is kept from call to call */
    f->next[x] = f->ending[last];
    f->ending[last] = x + 1;
}

static void give_places(const cutting *c, program_parts *w)
{
    const size_t count = c->p->code.count;
    places f = {NEW_ARRAY(c->arena, uint32_t, count + 1), 0,
                NEW_ARRAY(c->arena, uint32_t, count + 1), NEW_ARRAY(c->arena, uint32_t, count + 1)};
    w->place = NEW_ARRAY(c->arena, uint32_t, count + 1);
    for (uint32_t i = 0; w->count > 1 && i < count; i++) {
        if (made_at(c, i) == i) give_place(c, w, &f, i);
        if (c->partner && c->partner[i] > i) give_place(c, w, &f, c->partner[i]);
        for (uint32_t x = f.ending[i]; x; x = f.next[x - 1]) f.spare[f.spares++] = w->place[x - 1];
    }
}

program_parts parts_of(const program *p, arena *a, size_t most, const uint32_t *partner,
                       bool sections)
{
    program_parts w = {0};
    cutting c = {p, a, partner, sections, NULL, NULL};
    find_last_uses(&c);
    cut(&c, &w, most);
    give_places(&c, &w);
    return w;
}

/* The first part of the rest. */
static size_t first_of(const program *p, const program_parts *w)
{
    return p->sections ? w->section[p->sections - 1] : 0;
}

size_t parts_output(const program *p, const program_parts *w, size_t i)
{
    const size_t first = first_of(p, w), made = w->part[p->output[i]];
    return made > first ? made : first;
}

size_t parts_guard(const program *p, const program_parts *w, size_t i)
{
    const size_t x = w->part[p->guard[i].pivot], y = w->part[p->guard[i].bound];
    const size_t first = first_of(p, w), known = x > y ? x : y;
    return known > first ? known : first;
}
