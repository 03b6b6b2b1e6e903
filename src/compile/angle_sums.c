/* compile/angle_sums.c - see angle_sums.h. */
#include "angle_sums.h"

#include <stdlib.h>

/* Longer sums are angles of their own. */
#define MOST_TERMS 8
/* More of them are left alone: every one is compared with all others. */
#define MOST_ANGLES 400
/* Coefficients are multiples of 1/UNIT, and not larger than this. */
#define UNIT             27720L
#define MOST_COEFFICIENT 64L
/* So many additions cost about as much as a sine and a cosine. */
#define MOST_ADDITIONS 4

/* Σ coefficient/UNIT · atom, atoms ascending. */
typedef struct form {
    size_t count;
    ah_expr atom[MOST_TERMS];
    long coefficient[MOST_TERMS];
} form;

typedef struct angle {
    form of;
    ah_expr sine, cosine;
} angle;

typedef struct sharing {
    ah_ctx *ctx;
    arena *arena;
    LIST(angle) known;
    angles_sums sums;
} sharing;

/* ---- Angles as sums -------------------------------------------------------------------------- */

/* The number of a term, in units, and the rest of it; what has none that is simple is an atom as it stands. */
static long split(sharing *w, ah_expr term, ah_expr *atom)
{
    ah_ctx *ctx = w->ctx;
    const ah_expr *factor = expr_get_children(ctx, term);
    long p, q;
    *atom = term;
    if (expr_get_op(ctx, term) != EXPR_PRODUCT || !expr_is_rational(ctx, factor[0], &p, &q) ||
        UNIT % q || labs(p) > MOST_COEFFICIENT)
        return UNIT;
    *atom = expr_product(ctx, expr_get_count(ctx, term) - 1, factor + 1);
    return p * (UNIT / q);
}

static void add_term(form *f, ah_expr atom, long coefficient)
{
    size_t i = f->count++;
    for (; i > 0 && f->atom[i - 1] > atom; i--) {
        f->atom[i] = f->atom[i - 1];
        f->coefficient[i] = f->coefficient[i - 1];
    }
    f->atom[i] = atom;
    f->coefficient[i] = coefficient;
}

static bool read_form(sharing *w, ah_expr argument, form *f)
{
    const bool sum = expr_get_op(w->ctx, argument) == EXPR_SUM;
    const size_t count = sum ? expr_get_count(w->ctx, argument) : 1;
    *f = (form){0};
    if (count > MOST_TERMS) return false;
    for (size_t i = 0; i < count; i++) {
        ah_expr atom;
        const long c = split(w, sum ? expr_get_children(w->ctx, argument)[i] : argument, &atom);
        add_term(f, atom, c);
    }
    return true;
}

/* a − sign · b; false: it has too many terms. */
static bool without(const form *a, const form *b, long sign, form *out)
{
    size_t i = 0, j = 0;
    *out = (form){0};
    while (i < a->count || j < b->count) {
        const bool left = j == b->count || (i < a->count && a->atom[i] <= b->atom[j]);
        const bool right = i == a->count || (j < b->count && b->atom[j] <= a->atom[i]);
        const ah_expr atom = left ? a->atom[i] : b->atom[j];
        long c = 0;
        if (left) c += a->coefficient[i++];
        if (right) c -= sign * b->coefficient[j++];
        if (!c) continue;
        if (out->count == MOST_TERMS) return false;
        out->atom[out->count] = atom;
        out->coefficient[out->count++] = c;
    }
    return true;
}

static bool is_same(const form *a, const form *b, long sign)
{
    if (a->count != b->count) return false;
    for (size_t i = 0; i < a->count; i++)
        if (a->atom[i] != b->atom[i] || a->coefficient[i] != sign * b->coefficient[i]) return false;
    return true;
}

/* Atoms that do not move cost nothing. */
static long size_of(const sharing *w, const form *f)
{
    long sum = 0;
    for (size_t i = 0; i < f->count; i++)
        if (!expr_is_fixed(w->ctx, f->atom[i])) sum += labs(f->coefficient[i]);
    return sum;
}

static ah_expr written(sharing *w, const form *f)
{
    ah_expr term[MOST_TERMS];
    for (size_t i = 0; i < f->count; i++)
        term[i] = expr_mul(w->ctx, expr_rational(w->ctx, f->coefficient[i], UNIT), f->atom[i]);
    return expr_sum(w->ctx, f->count, term);
}

/* ---- What is known --------------------------------------------------------------------------- */

static void know(sharing *w, const form *f, ah_expr argument)
{
    const angle x = {*f, expr_call1(w->ctx, AH_SIN, argument),
                     expr_call1(w->ctx, AH_COS, argument)};
    LIST_PUSH(w->arena, &w->known, x);
}

/* The place of ± the angle; as many as there are: nowhere. What does not move is known. */
static size_t find(sharing *w, const form *f, long *sign)
{
    for (size_t i = 0; i < w->known.count; i++)
        for (*sign = 1; *sign >= -1; *sign -= 2)
            if (is_same(f, &w->known.at[i].of, *sign)) return i;
    *sign = 1;
    if (!size_of(w, f)) know(w, f, written(w, f));
    return w->known.count - !size_of(w, f);
}

static void mean(sharing *w, ah_expr call, ah_expr meaning)
{
    LIST_PUSH(w->arena, &w->sums, ((angles_sum){call, meaning}));
}

static ah_expr signed_product(ah_ctx *ctx, long sign, ah_expr x, ah_expr y)
{
    const ah_expr product = expr_mul(ctx, x, y);
    return sign < 0 ? expr_neg(ctx, product) : product;
}

/* f = s a + t b. */
static void add_up(sharing *w, const form *f, ah_expr argument, angle a, long s, angle b, long t)
{
    ah_ctx *ctx = w->ctx;
    know(w, f, argument);
    const angle *x = &w->known.at[w->known.count - 1];
    mean(w, x->sine,
         expr_add(ctx, signed_product(ctx, s, a.sine, b.cosine),
                  signed_product(ctx, t, a.cosine, b.sine)));
    mean(w, x->cosine,
         expr_add(ctx, signed_product(ctx, 1, a.cosine, b.cosine),
                  signed_product(ctx, -s * t, a.sine, b.sine)));
}

/* Whether sin and cos of the argument are calls as they stand: sin(−x) is none. */
static bool is_plain(sharing *w, ah_expr argument)
{
    return expr_get_op(w->ctx, expr_call1(w->ctx, AH_SIN, argument)) == EXPR_CALL &&
           expr_get_op(w->ctx, expr_call1(w->ctx, AH_COS, argument)) == EXPR_CALL;
}

/* The known angle that leaves least of f; false: none leaves less than f is. */
static bool nearest(sharing *w, const form *f, size_t *at, long *sign, form *rest)
{
    long least = size_of(w, f);
    bool found = false;
    for (size_t i = 0; i < w->known.count; i++)
        for (long s = 1; s >= -1; s -= 2) {
            form left;
            if (!size_of(w, &w->known.at[i].of)) continue;
            if (!without(f, &w->known.at[i].of, s, &left) || size_of(w, &left) >= least) continue;
            least = size_of(w, &left);
            *at = i;
            *sign = s;
            *rest = left;
            found = true;
        }
    return found;
}

/* Makes ± the angle known by at most so many additions; false: it cannot be done. */
static bool reach(sharing *w, const form *f, int additions, size_t *at, long *sign)
{
    size_t i, k;
    long s, t;
    form rest, turned;
    if ((*at = find(w, f, sign)) < w->known.count) return true;
    if (!additions || !nearest(w, f, &i, &s, &rest)) return false;
    if (!reach(w, &rest, additions - 1, &k, &t)) return false;
    *sign = 1;
    turned = *f;
    if (!is_plain(w, written(w, f))) { /* then the other way round */
        without(&(form){0}, f, 1, &turned);
        *sign = -1, s = -s, t = -t;
    }
    if (!is_plain(w, written(w, &turned))) return false;
    *at = w->known.count;
    add_up(w, &turned, written(w, &turned), w->known.at[i], s, w->known.at[k], t);
    return true;
}

/* ---- All of them ----------------------------------------------------------------------------- */

typedef struct asked {
    ah_expr argument;
    form of;
    long size;
} asked;

/* Short ones first: the others are made of them. */
static int by_size(const void *a, const void *b)
{
    const asked *x = a, *y = b;
    if (x->size != y->size) return (x->size > y->size) - (x->size < y->size);
    return (x->argument > y->argument) - (x->argument < y->argument);
}

/* An angle as it is asked for, which is ± one that is known. */
static void say(sharing *w, const asked *x, size_t at, long sign)
{
    const ah_expr sine = expr_call1(w->ctx, AH_SIN, x->argument);
    const ah_expr cosine = expr_call1(w->ctx, AH_COS, x->argument);
    const angle *k = &w->known.at[at];
    if (sine == k->sine) return;
    mean(w, sine, sign < 0 ? expr_neg(w->ctx, k->sine) : k->sine);
    mean(w, cosine, k->cosine);
}

angles_sums angles_share(ah_ctx *ctx, arena *a, const expr_list *calls)
{
    sharing w = {.ctx = ctx, .arena = a};
    asked *all = NEW_ARRAY(a, asked, calls->count + 1);
    size_t count = 0;
    for (size_t i = 0; i < calls->count; i++) {
        asked *x = &all[count];
        x->argument = expr_get_children(ctx, calls->at[i])[0];
        if (expr_is_fixed(ctx, x->argument) || !read_form(&w, x->argument, &x->of)) continue;
        x->size = size_of(&w, &x->of);
        count++;
    }
    if (count > MOST_ANGLES) return w.sums;
    qsort(all, count, sizeof *all, by_size);
    for (size_t i = 0; i < count; i++) {
        size_t at;
        long sign;
        if (i && all[i].argument == all[i - 1].argument) continue;
        if (reach(&w, &all[i].of, MOST_ADDITIONS, &at, &sign))
            say(&w, &all[i], at, sign);
        else
            know(&w, &all[i].of, all[i].argument);
    }
    return w.sums;
}
