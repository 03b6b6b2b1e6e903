/* flow/families.c - see families.h. */
#include "families.h"

#include "twins.h"

#include "../real/real.h"

#include <math.h>
#include <stdlib.h>

/* Poles nearer than this (relative to 1 + |x|) are one. */
#define FAMILIES_POLE 1e-4

typedef LIST(family) family_list;

/* A steady motion, and the problem in whose minimal variables it is told. */
typedef struct motion_in {
    stability_answer motion;
    problem *s;
} motion_in;

typedef struct collection {
    problem *s;
    LIST(problem *) charts; /* the same in other variables, where those of s fail */
    LIST(motion_in) found;
    LIST(ah_pole) poles;
} collection;

static void add_pole(collection *c, const frame *values)
{
    problem *s = c->s;
    uint32_t place;
    double unit = 1;
    ah_pole new = {.symbol = AH_NONE, .reached = 1};
    new.why = problem_pole(s, values, &place);
    if (place != UINT32_MAX) {
        new.symbol = s->flow->x[place];
        new.value = frame_get(values, new.symbol);
        if (s->turn[place] > 0) new.value = angles_reduced(new.value, s->turn[place]);
        unit = s->flow->unit[place];
        if (fabs(new.value) < FAMILIES_POLE * unit) new.value = 0;
    }
    for (size_t i = 0; i < c->poles.count; i++) {
        ah_pole *p = &c->poles.at[i];
        if (p->symbol != new.symbol || p->why != new.why ||
            fabs(p->value - new.value) > FAMILIES_POLE *(unit + fabs(p->value)))
            continue;
        p->reached++;
        return;
    }
    LIST_PUSH(s->arena, &c->poles, new);
}

/* The problem with these variables; members of families keep it. */
static problem *in_chart(collection *c, const problem *like)
{
    if (like->m == c->s->m) return c->s;
    for (size_t i = 0; i < c->charts.count; i++)
        if (c->charts.at[i]->m == like->m) return c->charts.at[i];
    problem *own = NEW(c->s->arena, problem);
    *own = *c->s;
    own->m = like->m;
    LIST_PUSH(c->s->arena, &c->charts, own);
    return own;
}

static void collect(collection *c, const frame *start)
{
    problem s = *c->s;
    motion_in now;
    const char *why;
    if (stability_settle(&s, start, &now.motion, &why)) {
        now.s = in_chart(c, &s);
        LIST_PUSH(s.arena, &c->found, now);
    } else if (now.motion.pole) {
        add_pole(c, now.motion.values);
    }
}

/* ---- Joining --------------------------------------------------------------------------------- */

/* Families that are sure first, the largest of them, by motions at which they are regular if there are any; motions where a family is
 * singular last, for they may belong to one. Otherwise as they were found. */
static size_t rank_of(const stability_answer *a, uint32_t kept)
{
    if (!a->family_sure) return 2 * (size_t) kept + 2 + a->family;
    return 2 * (size_t) (kept - a->family) + !a->regular;
}

static bool same_symbols(const minimal *m, const characteristic *a, const characteristic *b)
{
    for (uint32_t i = 0; a && b && i < m->kept; i++)
        if (a->state[i] != b->state[i]) return false;
    return a && b;
}

typedef struct kin {
    members of;
    size_t first; /* of the motions that were found */
    size_t reached;
} kin;

typedef LIST(kin) kindred;

/* The state in the i-th way to write its configuration (twins.h), 0: as it is. */
static frame *written(const problem *s, size_t i, const frame *values)
{
    if (i) return twins_state(s->twins, s->arena, i - 1, values);
    return frame_copy(s->arena, values);
}

/* Is the state one of the family, in variables that are good there? As it is written there; NULL: it is none. */
static frame *meets(members *f, const frame *values)
{
    for (size_t i = 0; i <= twins_count(f->s->twins); i++) {
        frame *there = written(f->s, i, values);
        if (problem_charts(f->s, there) && members_has(f, there)) return there;
    }
    return NULL;
}

/* Is it the motion that stands for the family? */
static bool is_same(const members *f, const frame *values, double near)
{
    bool same = members_same(f->s, f->of->values, values, near);
    for (size_t i = 1; !same && i <= twins_count(f->s->twins); i++)
        same = members_same(f->s, f->of->values, written(f->s, i, values), near);
    return same;
}

static bool one_meets(members *f, const members *of, size_t first)
{
    for (size_t k = first; k < of->at.count; k++)
        if (meets(f, of->at.at[k])) return true;
    return false;
}

/* Takes the motion in where it belongs. */
static bool join(kindred *all, const motion_in *found)
{
    const stability_answer *x = &found->motion;
    for (size_t i = 0; i < all->count; i++) {
        members *f = &all->at[i].of;
        if (f->s != found->s) continue;
        if (x->family_sure && f->of->family_sure && x->family > f->of->family) continue;
        const double near = x->family_sure || f->of->family_sure ? MEMBERS_SAME : STEADY_ASIDE;
        const bool same = is_same(f, x->values, near);
        const bool linked = !same && !x->family_sure && !f->of->family_sure &&
                            members_linked(f->s, f->of->values, x->values);
        frame *there = linked ? x->values : same ? NULL : meets(f, x->values);
        if (!same && !there) continue;
        all->at[i].reached++;
        if (there) LIST_PUSH(f->s->arena, &f->at, there);
        return true;
    }
    return false;
}

/* A family of its own, unless its formulas are known or one of its motions is: in the variables of the other, as well. */
static void open_family(collection *c, kindred *all, motion_in *found, uint64_t seed)
{
    stability_answer *x = &found->motion;
    kin new = {.first = (size_t) (found - c->found.at), .reached = 1};
    members_create(found->s, x, seed, &new.of);
    for (size_t i = 0; i < all->count; i++) {
        members *f = &all->at[i].of;
        bool same = f->s == found->s && same_symbols(f->s->m, f->of->symbolic, x->symbolic) &&
                    (!members_sheets(f->s) || members_has(f, x->values));
        if (!same && f->of->family == x->family)
            same = one_meets(f, &new.of, 1) || (f->s != found->s && one_meets(&new.of, f, 0));
        if (!same) continue;
        all->at[i].reached++;
        for (size_t k = 0; k < new.of.at.count; k++)
            LIST_PUSH(c->s->arena, &f->at, new.of.at.at[k]);
        return;
    }
    LIST_PUSH(c->s->arena, all, new);
}

static bool all_rest(const members *f)
{
    for (size_t k = 0; k < f->at.count; k++)
        if (!problem_rests(f->s, f->at.at[k])) return false;
    return true;
}

static int by_first(const void *x, const void *y)
{
    const kin *a = x, *b = y;
    return (a->first > b->first) - (a->first < b->first);
}

static kindred gather(collection *c, uint64_t seed)
{
    kindred all = {0};
    const uint32_t kept = c->s->flow->N; /* the most there can be */
    for (size_t rank = 0; rank <= 3 * (size_t) kept + 2; rank++)
        for (size_t i = 0; i < c->found.count; i++) {
            motion_in *x = &c->found.at[i];
            ctx_tick(c->s->ctx);
            if (rank_of(&x->motion, kept) == rank && !join(&all, x)) open_family(c, &all, x, seed);
        }
    if (all.count) qsort(all.at, all.count, sizeof *all.at, by_first);
    return all;
}

static void judge(collection *c, kindred *all, family_list *out)
{
    for (size_t i = 0; i < all->count; i++) {
        members *f = &all->at[i].of;
        family new = {.motion = *f->of, .rest = all_rest(f), .reached = all->at[i].reached};
        new.varies = f->varies;
        if (c->s->component) new.component = c->s->component->name;
        parts_find(f, &new.stability);
        LIST_PUSH(c->s->arena, out, new);
    }
}

/* ---- Mirror images --------------------------------------------------------------------------- */

enum { IMAGES = 40, IMAGE_ROUNDS = 3, IMAGE_KEPT = 8 };

/* An image that is as near to a steady motion is one. */
#define FAMILIES_IMAGE 1e-6

static size_t images_of(const problem *s)
{
    return 2 + 2 * (size_t) s->flow->N;
}

/* x with other signs: of all, of the speeds, of one variable (of a coordinate with its velocity) or of what an angle is short of a quarter
 * of its turn. False: nothing changes. */
static bool put_image(const problem *s, size_t which, frame *values)
{
    const flow *w = s->flow;
    const uint32_t one = (uint32_t) (which / 2) - 1; /* from the third on */
    const bool aside = which >= 2 && which % 2;
    bool any = false;
    if (aside && !(one < w->n && s->turn[one] > 0)) return false;
    for (uint32_t k = 0; k < w->N; k++) {
        const bool own =
            which >= 2 ? k == one || (!w->charted && k == one + w->n) : which == 0 || k >= w->n;
        const double before = frame_get(values, w->x[k]);
        const double after = aside && k == one ? s->turn[one] / 2 - before : -before;
        if (!own || after == before) continue;
        frame_set(values, w->x[k], after);
        any = true;
    }
    return any;
}

static bool is_known(kindred *all, const motion_in *found)
{
    const frame *values = found->motion.values;
    for (size_t i = 0; i < all->count; i++) {
        members *f = &all->at[i].of;
        if (f->s == found->s && is_same(f, values, MEMBERS_SAME)) return true;
        if (meets(f, values)) return true;
    }
    return false;
}

/* Is it worth a search? One from each of a small system's. */
static bool is_promising(const problem *s, frame *values)
{
    double rate;
    return s->m->kept <= IMAGE_KEPT || steady_distance(s->m, values, &rate) < FAMILIES_IMAGE;
}

/* Newton's method from random states may miss a motion whose mirror image it has found: the images of isolated ones are searched from. How
 * many were new. */
static size_t search_images(collection *c, kindred *all, const base_end *end)
{
    size_t tried = 0, before = c->found.count;
    const char *why;
    for (size_t i = 0; i < all->count; i++)
        for (size_t which = 0; !all->at[i].of.of->family && which < images_of(c->s); which++) {
            problem s = *all->at[i].of.s;
            motion_in now;
            frame *there = frame_copy(s.arena, all->at[i].of.of->values);
            ctx_tick(s.ctx);
            if (!put_image(&s, which, there) || !is_promising(&s, there)) continue;
            if (tried++ >= IMAGES || base_is_past(end)) return c->found.count - before;
            if (!stability_settle(&s, there, &now.motion, &why) || now.motion.family) continue;
            now.s = in_chart(c, &s);
            if (!is_known(all, &now)) LIST_PUSH(s.arena, &c->found, now);
        }
    return c->found.count - before;
}

/* ---- The search ------------------------------------------------------------------------------ */

/* Everything at zero, attitudes along the axes: long chains hang there, and from far away none of Newton's steps leads to it. */
static void collect_zero(collection *c)
{
    const problem *s = c->s;
    frame *values = frame_copy(s->arena, s->p.values);
    bool any = false;
    for (uint32_t k = 0; k < s->flow->N; k++) {
        any = any || frame_get(values, s->flow->x[k]) != 0;
        frame_set(values, s->flow->x[k], 0);
    }
    for (size_t i = 0; i < s->model->attitudes.count; i++)
        frame_set(values, s->model->attitudes.at[i].e[0], 1);
    for (size_t i = 0; i < s->fixed.symbol.count; i++)
        frame_set(values, s->fixed.symbol.at[i], s->fixed.value.at[i]);
    if (any) collect(c, values);
}

/* Random states near rest, and farther away: steady motions may be slow or fast, angles go round. */
static void vary(const problem *s, size_t i, frame *values)
{
    static const double speeds[] = {1, 1, 0.1, 6};
    const flow *w = s->flow;
    for (uint32_t k = 0; k < w->N; k++) {
        const double radians = s->turn[k] > 0 ? s->turn[k] / (2 * acos(-1)) / w->unit[k] : 1;
        const double farther = k < w->n ? (i % 3 == 2 ? 3 : 1) : speeds[i % 4];
        *frame_ref(values, w->x[k]) *= radians * farther;
    }
}

/* Every other time one of the speeds is held, in turn: where the equations of rest are homogeneous
 * in the speeds, Newton's steps from everywhere lead to rest alone. */
static void hold_one(problem *s, size_t i, const frame *values)
{
    const minimal *m = s->m;
    uint32_t first = 0;
    while (first < m->kept && m->keep[first] < m->coordinates) first++;
    if (i % 2 == 0 || first == m->kept) return;
    const uint32_t y = m->keep[first + (uint32_t) (i / 2 % (m->kept - first))];
    problem_hold(s, &s->fixed, m->symbol[y], minimal_value(m, y, values));
}

/* Of counted work: from fewer states than were asked for where a state of a large system takes long. */
#define FAMILIES_SECONDS 10

/* From the start and from random states of the problem's component. */
static void search(problem *s, size_t starts, uint64_t seed, family_list *families,
                   families_answer *out)
{
    collection c = {.s = s};
    const base_end end = base_end_after(FAMILIES_SECONDS);
    size_t tried = 1;
    s->twins = twins_find(s);
    collect(&c, s->p.values);
    states_rng rng = probe_seed(seed);
    for (size_t i = 0; i < starts && !base_is_past(&end); i++, tried++) {
        ctx_tick(s->ctx);
        frame *values = probe_values(s->model, s->arena);
        if (!analyse_random_state(s->random, &rng, values)) break;
        vary(s, i, values);
        const given fixed = s->fixed;
        hold_one(s, i, values);
        collect(&c, values);
        s->fixed = fixed;
    }
    collect_zero(&c);
    kindred all = gather(&c, seed);
    for (int round = 0; round < IMAGE_ROUNDS && search_images(&c, &all, &end); round++)
        all = gather(&c, seed);
    judge(&c, &all, families);
    ah_pole *pole = NEW_ARRAY(s->arena, ah_pole, out->poles + c.poles.count + 1);
    for (size_t i = 0; i < out->poles; i++) pole[i] = out->pole[i];
    for (size_t i = 0; i < c.poles.count; i++) pole[out->poles++] = c.poles.at[i];
    out->pole = pole;
    out->starts += tried;
}

/* Seconds for one of the terms below, and how often the equations are asked for in a search, of the order. */
#define FAMILIES_TERM        1e-9
#define FAMILIES_EVALUATIONS 1e4

/* At a state a system of equations is solved for all slopes of its unknowns, and one for x along the constraints. */
double families_work(ah_model *m)
{
    const mechanics *k = derive_mechanics(m);
    const bool charted = m->speeds.count > 0 && !k->second_class;
    const double p = charted ? (double) m->speeds.count : m->n, x = m->n + p;
    const double unknowns = p + (charted ? 0 : k->r);
    return FAMILIES_EVALUATIONS * FAMILIES_TERM * (unknowns * unknowns * (x + 1) + x * x * x);
}

bool families_run(ah_model *m, const char *at, size_t starts, uint64_t seed, families_answer *out,
                  const char **why)
{
    const components *k = components_find(m);
    problem *s = NEW(&m->ctx->job, problem);
    family_list found = {0};
    *why = "there are no regular states";
    if (k->none) return false;
    if (!problem_open(m, at, s, why) && !(k->count > 1 && s->flow && s->random && *why))
        return false;
    *out = (families_answer){.model = m, .m = s->m, .components = k->count > 1 ? k->count : 0};
    if (k->count < 2) search(s, starts, seed, &found, out);
    for (size_t i = 0; k->count > 1 && i < k->count; i++) {
        problem *own = NEW(&m->ctx->job, problem); /* members keep it */
        *own = *s;
        if (!problem_on(own, &k->at[i], seed)) {
            out->missed++;
            continue;
        }
        if (!out->m) out->m = own->m;
        search(own, starts, seed, &found, out);
    }
    if (!out->m) return false;
    *why = NULL;
    out->count = found.count;
    out->at = found.at;
    return true;
}
