/* flow/verdicts.c - see verdicts.h. */
#include "verdicts.h"

#include "../real/real.h"
#include "reduced.h"

#include <math.h>
#include <stdlib.h>

/* Two doubles this near (relatively) are the same zero. */
#define PARTS_SAME 1e-12

/* ---- Sampled --------------------------------------------------------------------------------- */

typedef struct sampled {
    double at; /* of the one parameter */
    frame *values;
    ah_stability_verdict verdict;
} sampled;

typedef LIST(sampled) samples;

static int by_parameter(const void *x, const void *y)
{
    const sampled *a = x, *b = y;
    return (a->at > b->at) - (a->at < b->at);
}

/* By what kind of system it is, or by its polynomial. */
static problem_mirror mirror_of(const problem *s, const stability_answer *of, const frame *values)
{
    const problem_mirror known = problem_mirrors(s, values);
    return known == MIRROR_NONE && of->symbolic && of->symbolic->even ? MIRROR_PAIRS : known;
}

static ah_stability_verdict judged_like(const members *f, const spectrum *now, const frame *values)
{
    stability_answer like = *f->of;
    like.mirror = mirror_of(f->s, f->of, values);
    return stability_judge(now, &like);
}

static samples judge_members(members *f)
{
    problem *s = f->s;
    samples out = {0};
    const uint32_t family = f->of->family_sure ? f->of->family : 0;
    for (size_t i = 0; i < f->at.count; i++) {
        spectrum now;
        const double *B;
        sampled x = {.values = f->at.at[i]};
        ctx_tick(s->ctx);
        if (i == 0)
            x.verdict = f->of->verdict;
        else if (stability_spectrum(s, x.values, family, &B, &now))
            x.verdict = judged_like(f, &now, x.values);
        else
            continue;
        if (f->parameters == 1) x.at = minimal_value(s->m, f->parameter[0], x.values);
        LIST_PUSH(s->arena, &out, x);
    }
    if (out.count) qsort(out.at, out.count, sizeof *out.at, by_parameter);
    return out;
}

/* Neighbours of one verdict along one parameter; without such, all of one verdict. */
static void group(members *f, const samples *list, family_parts *out)
{
    const bool along = f->parameters == 1;
    LIST(family_part) found = {0};
    for (size_t i = 0; i < list->count; i++) {
        const sampled *x = &list->at[i];
        family_part *into = NULL;
        for (size_t k = along && found.count ? found.count - 1 : 0; k < found.count && !into; k++)
            if (found.at[k].verdict == x->verdict) into = &found.at[k];
        if (!into) {
            const family_part new = {.verdict = x->verdict,
                                     .symbol = along ? f->s->m->symbol[f->parameter[0]] : AH_NONE,
                                     .low = x->at,
                                     .example = x->values};
            LIST_PUSH(f->s->arena, &found, new);
            into = &found.at[found.count - 1];
        }
        into->high = x->at;
        into->members++;
    }
    out->sampled = list->count;
    out->count = found.count;
    out->at = found.at;
}

/* ---- Exact ----------------------------------------------------------------------------------- */

typedef struct conditions {
    members *f;
    const characteristic *c;
    algebra *alg;
    ah_expr symbol;
    size_t count;
    ah_expr *e; /* with the parameters' values */
    line *own;  /* the cuts of each */
} conditions;

/* Where all conditions are positive. */
static ah_stability_verdict best_verdict(const conditions *w)
{
    if (w->c->even) return AH_SPECTRAL;
    return w->c->zeros == w->f->of->family && w->f->of->family_sure ? AH_ATTRACTING : AH_DRIFTING;
}

/* Of known signs; UNDECIDED where one is zero or not known. */
static ah_stability_verdict by_signs(const conditions *w, const int *sign)
{
    bool all = w->c->decided || w->c->degree == 0;
    for (size_t i = 0; i < w->count; i++) {
        if (sign[i] == -1) return AH_UNSTABLE;
        all = all && sign[i] == 1;
    }
    return all ? best_verdict(w) : AH_STABILITY_UNKNOWN;
}

static void signs_at(const conditions *w, ah_expr value, int *sign)
{
    ah_ctx *ctx = w->f->s->ctx;
    for (size_t i = 0; i < w->count; i++) {
        const ah_expr e = expr_subst(ctx, w->e[i], 1, &w->symbol, &value);
        sign[i] = algebra_sign(w->alg, algebra_simplify(w->alg, e));
    }
}

static bool is_own(const line *own, double cut)
{
    for (size_t i = 0; i < own->count; i++)
        if (fabs(own->cut[i] - cut) <= PARTS_SAME * fabs(cut)) return true;
    return false;
}

/* At a cut a condition that is not cut there has the sign of its neighbourhood. */
static ah_stability_verdict verdict_at_cut(const conditions *w, double cut, const int *below)
{
    int *sign = NEW_ARRAY(w->f->s->arena, int, w->count + 1);
    for (size_t i = 0; i < w->count; i++) sign[i] = is_own(&w->own[i], cut) ? 0 : below[i];
    return by_signs(w, sign);
}

typedef LIST(family_part) part_list;

/* One more part; like the one before it, with all that lies between, it is one with that. */
static void add(const conditions *w, part_list *list, double low, double high,
                ah_stability_verdict verdict)
{
    const family_part new = {.verdict = verdict, .symbol = w->symbol, .low = low, .high = high};
    family_part *last = list->count ? &list->at[list->count - 1] : NULL;
    if (last && last->verdict == verdict && verdict != AH_STABILITY_UNKNOWN && last->high == low)
        last->high = high;
    else
        LIST_PUSH(w->f->s->arena, list, new);
}

/* What stands under roots in the motions' values: where it is negative there are none. */
static void add_radicands(const conditions *w, expr_list *out)
{
    const problem *s = w->f->s;
    const expr_list nodes = expr_reachable(s->ctx, s->arena, w->c->state, s->m->kept);
    for (size_t i = 0; i < nodes.count; i++) {
        long whole;
        if (expr_get_op(s->ctx, nodes.at[i]) != EXPR_POWER) continue;
        const ah_expr *of = expr_get_children(s->ctx, nodes.at[i]);
        ah_expr radicand = of[0];
        if (expr_is_int(s->ctx, of[1], &whole)) continue;
        model_put_values(s->model, &radicand, 1);
        if (expr_depends(s->ctx, radicand, w->symbol)) LIST_PUSH(s->arena, out, radicand);
    }
}

/* The assumptions that speak of the parameter alone, and where there are motions at all. */
static expr_list own_facts(const conditions *w)
{
    const problem *s = w->f->s;
    const minimal *m = s->m;
    ah_expr *y = NEW_ARRAY(s->arena, ah_expr, m->kept);
    expr_list out = {0};
    for (uint32_t i = 0; i < m->kept; i++) y[i] = m->symbol[m->keep[i]];
    for (size_t i = 0; i < s->model->facts.count; i++) {
        ah_expr e = expr_subst(s->ctx, s->model->facts.at[i].e, m->kept, y, w->c->state);
        model_put_values(s->model, &e, 1);
        const expr_list symbols = expr_symbols(s->ctx, s->arena, &e, 1);
        if (s->model->facts.at[i].positive && !s->model->facts.at[i].border && symbols.count == 1 &&
            symbols.at[0] == w->symbol)
            LIST_PUSH(s->arena, &out, e);
    }
    add_radicands(w, &out);
    return out;
}

static bool is_assumed(const conditions *w, const expr_list *facts, ah_expr value)
{
    for (size_t i = 0; i < facts->count; i++) {
        const ah_expr e = expr_subst(w->f->s->ctx, facts->at[i], 1, &w->symbol, &value);
        if (algebra_sign(w->alg, algebra_simplify(w->alg, e)) < 1) return false;
    }
    return true;
}

/* The cuts of the conditions and of the assumptions. */
static bool cut_line(conditions *w, const expr_list *facts, line *all)
{
    const problem *s = w->f->s;
    expr_list e = {0};
    w->own = NEW_ARRAY(s->arena, line, w->count + 1);
    for (size_t i = 0; i < w->count; i++) {
        if (!line_cut(s->ctx, s->arena, w->alg, w->symbol, &w->e[i], 1, &w->own[i])) return false;
        LIST_PUSH(s->arena, &e, w->e[i]);
    }
    for (size_t i = 0; i < facts->count; i++) LIST_PUSH(s->arena, &e, facts->at[i]);
    return line_cut(s->ctx, s->arena, w->alg, w->symbol, e.at, e.count, all);
}

static bool along_a_line(conditions *w, part_list *out)
{
    const problem *s = w->f->s;
    line all;
    int *sign = NEW_ARRAY(s->arena, int, w->count + 1);
    const expr_list facts = own_facts(w);
    if (!cut_line(w, &facts, &all)) return false;
    bool before = false; /* was the last interval one of the model? */
    for (size_t i = 0; i <= all.count; i++) {
        const double low = i ? all.cut[i - 1] : -INFINITY;
        const double high = i < all.count ? all.cut[i] : INFINITY;
        const ah_expr between = line_between(s->ctx, low, high);
        if (between == AH_NONE) return false;
        const bool here = is_assumed(w, &facts, between);
        if (here) signs_at(w, between, sign);
        for (size_t k = 0; here && k < w->count; k++)
            if (sign[k] != 1 && sign[k] != -1) return false;
        if (here && before) add(w, out, low, low, verdict_at_cut(w, low, sign));
        if (here) add(w, out, low, high, by_signs(w, sign));
        before = here;
    }
    return true;
}

/* Signs that do not change along the family. */
static bool everywhere(const conditions *w, part_list *out)
{
    int *sign = NEW_ARRAY(w->f->s->arena, int, w->count + 1);
    for (size_t i = 0; i < w->count; i++) sign[i] = algebra_sign(w->alg, w->e[i]);
    const family_part all = {.verdict = by_signs(w, sign), .low = -INFINITY, .high = INFINITY};
    if (all.verdict == AH_STABILITY_UNKNOWN) return false;
    LIST_PUSH(w->f->s->arena, out, all);
    return true;
}

/* Numbers and symbols are two routes: no sampled motion may contradict. Counts the samples. */
static bool fits(const samples *list, part_list *found)
{
    for (size_t i = 0; i < list->count; i++) {
        const sampled *x = &list->at[i];
        for (size_t k = 0; k < found->count; k++) {
            family_part *p = &found->at[k];
            const bool inside = p->low == p->high
                                    ? fabs(x->at - p->low) <= PARTS_SAME * (1 + fabs(p->low))
                                    : x->at > p->low && x->at < p->high;
            if (p->symbol != AH_NONE && !inside) continue;
            if (x->verdict == AH_UNSTABLE && p->verdict != AH_UNSTABLE &&
                p->verdict != AH_STABILITY_UNKNOWN)
                return false;
            if (x->verdict == AH_ATTRACTING && p->verdict == AH_UNSTABLE) return false;
            p->members++;
            p->example = x->values;
        }
    }
    return true;
}

/* With the values of the parameters. */
static conditions conditions_of(members *f)
{
    const problem *s = f->s;
    conditions w = {.f = f, .c = f->of->symbolic, .symbol = AH_NONE};
    w.alg = w.c->reduced->alg;
    w.count = w.c->conditions;
    w.e = NEW_ARRAY(s->arena, ah_expr, w.count + 1);
    for (size_t i = 0; i < w.count; i++) w.e[i] = w.c->condition[i];
    model_put_values(s->model, w.e, w.count);
    for (size_t i = 0; i < w.count; i++) w.e[i] = algebra_simplify(w.alg, w.e[i]);
    if (f->parameters == 1) w.symbol = s->m->symbol[f->parameter[0]];
    return w;
}

void verdict_by_symbols(problem *s, stability_answer *of)
{
    members alone = {.s = s, .of = of};
    part_list found = {0};
    of->mirror = mirror_of(s, of, of->values);
    of->verdict = stability_judge(&of->spectrum, of);
    const conditions w = conditions_of(&alone);
    if (everywhere(&w, &found) && (of->verdict != AH_UNSTABLE || of->symbolic->never))
        of->verdict = found.at[0].verdict;
}

static bool prove(members *f, const samples *list, family_parts *out)
{
    const problem *s = f->s;
    part_list found = {0};
    if (!f->of->symbolic || !f->of->family_sure || s->fixed.symbol.count) return false;
    conditions w = conditions_of(f);
    if (!everywhere(&w, &found) && (f->parameters != 1 || !along_a_line(&w, &found))) return false;
    if (!fits(list, &found)) return false;
    *out = (family_parts){
        .proved = true, .sampled = list->count, .count = found.count, .at = found.at};
    return true;
}

void parts_find(members *f, family_parts *out)
{
    if (f->of->symbolic) verdict_by_symbols(f->s, f->of);
    const samples list = judge_members(f);
    *out = (family_parts){0};
    if (f->of->family == 0 || !prove(f, &list, out)) group(f, &list, out);
}
