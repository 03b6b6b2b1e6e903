/* flow/stability.c - see stability.h. */
#include "stability.h"

#include "underflow.h"

#include "../lang/lang.h"
#include "verdicts.h"

#include <math.h>
#include <string.h>

/* ---- Ranges ---------------------------------------------------------------------------------- */

/* The value of one end. */
static bool end_of(ah_model *m, ah_expr e, double *out)
{
    arena *a = &m->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    model_put_values(m, &e, 1);
    expr_plan_run(expr_plan_create(m->ctx, a, &e, 1), probe_values(m, a), out);
    arena_release(a, mark);
    return isfinite(*out);
}

static bool can_vary(ah_model *m, ah_expr e)
{
    if (expr_get_op(m->ctx, e) != EXPR_SYMBOL) return false;
    const ah_symbol_kind kind = expr_get_kind(m->ctx, e);
    return kind == AH_PARAMETER || kind == AH_COORDINATE || kind == AH_VELOCITY || kind == AH_SPEED;
}

bool stability_read_range(ah_model *m, const char *option, const char *words, size_t count,
                          stability_range *out)
{
    lang_varied r;
    if (!lang_read_varied(m, option, words, &m->ctx->job, &r)) return false;
    *out =
        (stability_range){.name = r.name, .symbol = r.symbol, .count = r.count ? r.count : count};
    if (!can_vary(m, r.symbol)) {
        diag(m->ctx, A0622, r.name_span, "`%s` cannot be varied", r.name);
        diag_hint(m->ctx,
                  "coordinates, velocities, velocity parameters and parameters can be varied");
        return false;
    }
    if (!end_of(m, r.from, &out->from) || !end_of(m, r.to, &out->to)) {
        diag(m->ctx, A0622, r.span, "the ends of the range are not finite numbers");
        diag_hint(m->ctx, "write, for example, %s \"%s=0..10:201\"", option, r.name);
        return false;
    }
    out->parameter = expr_get_kind(m->ctx, out->symbol) == AH_PARAMETER;
    return true;
}

static double range_value(const stability_range *r, size_t i)
{
    if (r->count > 1 && i + 1 == r->count) return r->to;
    return r->from + (r->to - r->from) * (double) i / (double) (r->count > 1 ? r->count - 1 : 1);
}

/* ---- Parameters ------------------------------------------------------------------------------ */

/* Parameters that are defined through the one that is set follow it. */
static void set_parameter(problem *s, ah_expr symbol, double value, frame *values)
{
    bool behind = false;
    for (size_t i = 0; i < s->model->parameters.count; i++) {
        const model_parameter *a = &s->model->parameters.at[i];
        if (a->symbol == symbol) {
            frame_set(values, symbol, value);
            behind = true;
        } else if (behind && expr_depends_kind(s->ctx, a->value, AH_PARAMETER)) {
            point p = s->p;
            p.values = values;
            frame_set(values, a->symbol, point_eval(&p, a->value));
        }
    }
}

/* ---- Eigenvalues ----------------------------------------------------------------------------- */

/* For y and t in their units: what is as good as zero is so in these. */
static double *in_units(const problem *s, const double *B)
{
    const minimal *m = s->m;
    double *out = NEW_ARRAY(&s->ctx->scratch, double, (size_t) m->kept * m->kept + 1);
    for (uint32_t i = 0; i < m->kept; i++)
        for (uint32_t j = 0; j < m->kept; j++)
            out[(size_t) i * m->kept + j] = B[(size_t) i * m->kept + j] * s->flow->time *
                                            m->unit[m->keep[j]] / m->unit[m->keep[i]];
    return out;
}

static bool eigenvalues(problem *s, const double *B, const double *E, const spectrum *like,
                        spectrum *out)
{
    arena *scratch = &s->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    const double *wrong = E ? in_units(s, E) : NULL, time = s->flow->time;
    const bool good = spectrum_of(s->arena, scratch, s->m->kept, in_units(s, B), wrong, like, out);
    for (uint32_t i = 0; i < out->n; i++) {
        out->re[i] /= time;
        out->im[i] /= time;
        out->doubt[i] /= time;
    }
    arena_release(scratch, mark);
    return good;
}

/* ---- Along a range --------------------------------------------------------------------------- */

/* A critical value that is one of those looked at is found this near to it, as a part of their distance. */
#define STABILITY_NEXT 1e-6
/* One that is this small beside the ends of the range is zero: of a root, and of a place where numbers begin to tell that an eigenvalue is positive. */
#define STABILITY_ZERO 1e-15
#define STABILITY_TOLD 1e-11

/* Steady motions along a range: what parametrises the family besides is held. */
typedef struct walk {
    problem *s;
    const stability_range *range;
    steady *steady;
    given fixed;   /* what is held … */
    size_t varied; /* … which of it is varied, unless the range is a parameter's */
    frame *values;
    double at, first; /* the value that the state has, and that of the motion it began with */
    double *slope;    /* of the branch lately: x by the value */
} walk;

/* A step leads to another branch of the steady motions where x moves farther than this, relative to its units + |x|, … */
#define STABILITY_LEAP 0.5
/* … or is farther from the tangent of the branch than this share of the way along it (and this much, in units): */
#define STABILITY_BEND  0.25
#define STABILITY_ASIDE 1e-3
/* at its end, and at this part of it, where nothing repeats what the end says by accident. */
#define STABILITY_PART 0.3819660112501051
/* The tangent is found by a step of this part. */
#define STABILITY_PEEK 0.03125
/* How often a step is halved. */
enum { STABILITY_HALVINGS = 20 };

/* The value that it has at a state. */
static double range_at(problem *s, const stability_range *range, const frame *values)
{
    point p = s->p;
    p.values = (frame *) values;
    return point_eval(&p, range->symbol);
}

static walk walk_create(problem *s, const stability_range *range, const stability_answer *base)
{
    walk w = {.s = s, .range = range};
    given fixed = {0};
    for (size_t i = 0; i < s->fixed.symbol.count; i++)
        if (s->fixed.symbol.at[i] != range->symbol)
            problem_hold(s, &fixed, s->fixed.symbol.at[i], s->fixed.value.at[i]);
    w.varied = fixed.symbol.count;
    if (!range->parameter) problem_hold(s, &fixed, range->symbol, 0);
    w.values = frame_copy(s->arena, base->values);
    steady *part = steady_create(s->m, s->arena, fixed.symbol.count, fixed.symbol.at);
    uint32_t *free_y = NEW_ARRAY(s->arena, uint32_t, s->m->kept + 1);
    const uint32_t free_count = steady_free(part, w.values, free_y);
    for (uint32_t i = 0; i < free_count; i++)
        problem_hold(s, &fixed, s->m->symbol[free_y[i]], minimal_value(s->m, free_y[i], w.values));
    w.steady = steady_create(s->m, s->arena, fixed.symbol.count, fixed.symbol.at);
    w.fixed = fixed;
    w.slope = NEW_ARRAY(s->arena, double, s->flow->N);
    w.at = w.first = range_at(s, range, w.values);
    return w;
}

static bool is_ignored(const minimal *m, uint32_t place)
{
    for (uint32_t i = 0; i < m->ignorable; i++)
        if (m->place[m->ignored[i]] == place) return true;
    return false;
}

/* What is varied, at its value. Ignorable coordinates are not moved by the search. */
static void hold(walk *w, double value)
{
    const flow *f = w->s->flow;
    w->fixed.value.at[w->varied] = value;
    for (uint32_t k = 0; k < f->N; k++)
        if (f->x[k] == w->range->symbol && is_ignored(w->s->m, k))
            frame_set(w->values, f->x[k], value);
}

/* In variables that are good there. */
static bool step_to(walk *w, double value)
{
    problem *s = w->s;
    given *fixed = &w->fixed;
    if (w->range->parameter)
        set_parameter(s, w->range->symbol, value, w->values);
    else
        hold(w, value);
    for (int k = 0;; k++) {
        const bool found = steady_find(w->steady, fixed->value.at, w->values);
        if (k == STABILITY_CHARTS || !problem_rechart(s, w->values)) return found;
        w->steady = steady_create(s->m, s->arena, fixed->symbol.count, fixed->symbol.at);
    }
}

/* The state that the slope foretells, d from where it was. */
static void foretell(walk *w, const frame *from, double d)
{
    const flow *f = w->s->flow;
    for (uint32_t k = 0; k < f->N; k++)
        frame_set(w->values, f->x[k], frame_get(from, f->x[k]) + d * w->slope[k]);
    problem_put_velocities(w->s, w->values);
}

static void take_slope(walk *w, const frame *from, double d)
{
    const flow *f = w->s->flow;
    for (uint32_t k = 0; k < f->N; k++)
        w->slope[k] = (frame_get(w->values, f->x[k]) - frame_get(from, f->x[k])) / d;
}

/* Whether the state, d from where it was, is not where the slope has foretold it. */
static bool leaps(const walk *w, const frame *from, double d)
{
    const flow *f = w->s->flow;
    double way = 0, off = 0;
    for (uint32_t k = 0; k < f->N; k++) {
        if (is_ignored(w->s->m, k)) continue;
        const double x = frame_get(from, f->x[k]), now = frame_get(w->values, f->x[k]);
        if (fabs(now - x) > STABILITY_LEAP * (f->unit[k] + fabs(x))) return true;
        way = hypot(way, d * w->slope[k] / f->unit[k]);
        off = hypot(off, (now - x - d * w->slope[k]) / f->unit[k]);
    }
    return off > STABILITY_BEND * way + STABILITY_ASIDE;
}

/* In one step along the tangent. */
static bool follow(walk *w, const frame *from, double value)
{
    const double part[] = {STABILITY_PART, 1}, way = value - w->at;
    if (way == 0) return step_to(w, value);
    foretell(w, from, STABILITY_PEEK * way);
    if (!step_to(w, w->at + STABILITY_PEEK * way)) return false;
    take_slope(w, from, STABILITY_PEEK * way);
    for (int i = 0; i < 2; i++) {
        const double d = part[i] * way;
        foretell(w, from, d);
        if (!step_to(w, i ? value : w->at + d) || leaps(w, from, d)) return false;
    }
    take_slope(w, from, way);
    return true;
}

/* Along the branch: in shorter steps where one leaps. */
static bool go_to(walk *w, double value, int halvings)
{
    arena *a = &w->s->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const size_t bytes = w->s->flow->N * sizeof *w->slope;
    frame *from = frame_copy(a, w->values);
    double *slope = memcpy(NEW_ARRAY(a, double, w->s->flow->N), w->slope, bytes);
    ctx_tick(w->s->ctx);
    bool good = follow(w, from, value);
    if (!good) {
        frame_assign(w->values, from);
        memcpy(w->slope, slope, bytes);
    }
    if (!good && halvings > 0)
        good = go_to(w, w->at + (value - w->at) / 2, halvings - 1) && go_to(w, value, halvings - 1);
    if (good) w->at = value;
    arena_release(a, mark);
    return good;
}

static bool walk_to(walk *w, double value, const spectrum *like, spectrum *out)
{
    problem *s = w->s;
    if (!go_to(w, value, STABILITY_HALVINGS)) return false;
    return eigenvalues(s, s->m->B, NULL, like, out);
}

static void begin_anew(walk *w, const frame *first)
{
    frame_assign(w->values, first);
    memset(w->slope, 0, w->s->flow->N * sizeof *w->slope);
    w->at = w->first;
}

/* From the first steady motion again, where the way from the last one leads nowhere. */
static bool walk_anew(walk *w, const frame *first, double value, spectrum *out)
{
    begin_anew(w, first);
    if (walk_to(w, value, NULL, out)) return true;
    begin_anew(w, first);
    return false;
}

/* Rows like those before them: every eigenvalue next to the one it comes from, zeros apart. */
static void match(const spectrum *before, spectrum *now)
{
    const uint32_t zeros = before->zeros > now->zeros ? before->zeros : now->zeros;
    for (uint32_t i = 0; i < now->n - zeros; i++) {
        uint32_t best = i;
        double least = INFINITY;
        for (uint32_t j = i; j < now->n - zeros; j++) {
            const double d = hypot(now->re[j] - before->re[i], now->im[j] - before->im[i]);
            if (!(d < least)) continue;
            least = d;
            best = j;
        }
        const double re = now->re[best], im = now->im[best];
        now->re[best] = now->re[i];
        now->im[best] = now->im[i];
        now->re[i] = re;
        now->im[i] = im;
    }
}

static void run_sweep(problem *s, const stability_range *range, stability_answer *out)
{
    walk w = walk_create(s, range, out);
    out->range = range;
    out->row = NEW_ARRAY(s->arena, stability_row, range->count);
    const stability_row *last = NULL;
    for (size_t i = 0; i < range->count; i++) {
        stability_row *row = &out->row[i];
        ctx_progress(s->ctx, (double) i / (double) range->count);
        ctx_tick(s->ctx);
        row->value = range_value(range, i);
        row->found = walk_to(&w, row->value, NULL, &row->spectrum) ||
                     walk_anew(&w, out->values, row->value, &row->spectrum);
        if (!row->found) continue;
        if (last) match(&last->spectrum, &row->spectrum);
        last = row;
    }
}

/* ---- Critical values ------------------------------------------------------------------------- */

static const char *const crossings[] = {
    "an eigenvalue passes zero",
    "a pair crosses the imaginary axis",
    "two pairs on the imaginary axis meet",
};

/* A zero of the measure between a and b, by bisection and secants (the method of Ridders); false:
 * it does not change sign there. */
static bool find_root(walk *w, const spectrum *like, spectrum_test test, double a, double b,
                      double *root, spectrum *at_root)
{
    spectrum s;
    if (!walk_to(w, b, like, &s)) return false;
    double fb = spectrum_measure(&s, test);
    if (!walk_to(w, a, like, &s)) return false;
    double fa = spectrum_measure(&s, test);
    if (!(fa * fb < 0)) return false;
    for (int i = 0; i < 200; i++) {
        const double c = a + (b - a) / 2;
        if (!walk_to(w, c, like, &s)) return false;
        const double fc = spectrum_measure(&s, test), q = sqrt(fc * fc - fa * fb);
        double x = q > 0 ? c + (c - a) * (fa > fb ? fc : -fc) / q : c;
        if (!walk_to(w, x, like, &s)) return false;
        const double fx = spectrum_measure(&s, test);
        const double before = fabs(b - a);
        if (fc * fx < 0) {
            a = c;
            fa = fc;
            b = x;
            fb = fx;
        } else if (fa * fx < 0) {
            b = x;
            fb = fx;
        } else {
            a = x;
            fa = fx;
        }
        *root = x;
        *at_root = s;
        if (fx == 0 || fabs(b - a) <= STABILITY_CRITICAL * (fabs(a) + fabs(b)) ||
            fabs(b - a) >= before)
            break;
    }
    return true;
}

/* Halves the interval in which the number of unstable eigenvalues changes. */
static double bisect(walk *w, const spectrum *like, uint32_t below, double a, double b)
{
    for (int i = 0; i < 60; i++) {
        spectrum s;
        const double c = a + (b - a) / 2;
        if (!walk_to(w, c, like, &s)) break;
        if (s.unstable == below)
            a = c;
        else
            b = c;
    }
    return a + (b - a) / 2;
}

static double frequency_of(const spectrum *s)
{
    double best = INFINITY, frequency = 0;
    for (uint32_t i = 0; i < s->n - s->zeros; i++) {
        if (!(fabs(s->re[i]) < best)) continue;
        best = fabs(s->re[i]);
        frequency = fabs(s->im[i]);
    }
    return frequency;
}

/* By a simple root of a measure between a and b, which must lie between `before` and `value`, or next to them. */
static bool find_sharp(walk *w, const spectrum *like, double a, double b, double before,
                       double value, stability_critical *c)
{
    const double off = STABILITY_NEXT * fabs(value - before);
    const double low = fmin(before, value) - off, high = fmax(before, value) + off;
    for (int test = 0; test < SPECTRUM_TESTS; test++) {
        spectrum at;
        if (like->symmetric ? test == SPECTRUM_PAIR : test == SPECTRUM_MEETING) continue;
        if (!find_root(w, like, (spectrum_test) test, a, b, &c->value, &at)) continue;
        if (!(c->value >= low && c->value <= high)) continue;
        c->how = crossings[test];
        c->frequency = test == SPECTRUM_ZERO_CROSSING ? 0 : frequency_of(&at);
        return c->sharp = true;
    }
    return false;
}

/* Between two values with different numbers of unstable eigenvalues. Where one of the values is critical, its measures
 * may have either sign by rounding: then they change it beside it. */
static stability_critical find_critical(walk *w, const spectrum *last, const spectrum *now,
                                        double before, double value)
{
    stability_critical c = {.below = last->unstable, .above = now->unstable};
    const double way = value - before;
    if (find_sharp(w, last, before, value, before, value, &c) ||
        find_sharp(w, last, before - way, value, before, value, &c) ||
        find_sharp(w, last, before, value + way, before, value, &c))
        return c;
    c.value = bisect(w, last, last->unstable, before, value);
    c.how = "the number of unstable eigenvalues changes";
    c.frequency = NAN;
    return c;
}

static void run_critical(problem *s, const stability_range *range, stability_answer *out)
{
    LIST(stability_critical) list = {0};
    walk w = walk_create(s, range, out);
    const double size = fmax(fabs(range->from), fabs(range->to));
    spectrum last = {0}, now;
    double before = 0;
    bool have = false;
    for (size_t i = 0; i < range->count; i++) {
        const double value = range_value(range, i);
        ctx_progress(s->ctx, (double) i / (double) range->count);
        ctx_tick(s->ctx);
        if (!walk_to(&w, value, have ? &last : NULL, &now)) {
            have = false; /* what is found now may belong to others */
            if (!walk_anew(&w, out->values, value, &now)) {
                out->critical_lost++;
                continue;
            }
        }
        if (have && now.unstable != last.unstable) {
            stability_critical c = find_critical(&w, &last, &now, before, value);
            if (fabs(c.value) <= (c.sharp ? STABILITY_ZERO : STABILITY_TOLD) * size) c.value = 0;
            LIST_PUSH(s->arena, &list, c);
            walk_to(&w, value, &last, &now);
        }
        last = now;
        before = value;
        have = true;
    }
    out->critical_range = range;
    out->criticals = list.count;
    out->critical = list.at;
}

/* ---- The verdict ----------------------------------------------------------------------------- */

/* Numbers alone never tell that a real part is zero. An eigenvalue that is its own mirror image has none: one that is alone
 * where its error may take it. */
static bool is_on_axis(const spectrum *s, uint32_t i, double zero, problem_mirror mirror)
{
    if (mirror == MIRROR_NONE || !(fabs(s->im[i]) > fmax(zero, s->doubt[i]))) return false;
    if (mirror == MIRROR_SQUARES) return true;
    for (uint32_t j = 0; j < s->n - s->zeros; j++)
        if (j != i && hypot(s->re[i] - s->re[j], s->im[i] - s->im[j]) <= s->doubt[i] + s->doubt[j])
            return false;
    return fabs(s->re[i]) <= s->doubt[i];
}

ah_stability_verdict stability_judge(const spectrum *s, const stability_answer *of)
{
    if (s->surely) return AH_UNSTABLE;
    if (s->unstable) return AH_DOUBTFUL;
    if (s->zeros > of->family || !of->family_sure) return AH_DRIFTING;
    double size = 0;
    bool some = false;
    for (uint32_t i = 0; i < s->n; i++) size = fmax(size, hypot(s->re[i], s->im[i]));
    for (uint32_t i = 0; i < s->n - s->zeros; i++) {
        if (s->re[i] < -fmax(SPECTRUM_REAL * size, s->doubt[i])) continue;
        if (!is_on_axis(s, i, SPECTRUM_REAL * size, of->mirror)) return AH_DOUBTFUL;
        some = true;
    }
    return some ? AH_SPECTRAL : AH_ATTRACTING;
}

/* By how much B changes where the state's and the model's numbers do: each entry may be as wrong. Where steady motions are not regular this
 * one may be missed by more. */
static double *errors_of(problem *s, const frame *values, bool regular, const double *B)
{
    const size_t size = (size_t) s->m->kept * s->m->kept;
    double *E = NEW_ARRAY(s->arena, double, size + 1);
    frame *there = frame_copy(s->arena, values);
    states_rng rng = probe_seed(11);
    for (int k = 0; k < STABILITY_SHAKES; k++) {
        frame_assign(there, values);
        for (size_t i = 0; i < s->model->parameters.count; i++)
            *frame_ref(there, s->model->parameters.at[i].symbol) *=
                1 + STABILITY_KNOWN * probe_uniform(&rng, -1, 1);
        for (uint32_t i = 0; i < s->flow->N; i++) {
            double *x = frame_ref(there, s->flow->x[i]);
            const double aside =
                regular ? STABILITY_KNOWN * fabs(*x) : STEADY_ASIDE * (s->flow->unit[i] + fabs(*x));
            *x += aside * probe_uniform(&rng, -1, 1);
        }
        if (!minimal_at(s->m, there)) continue;
        for (size_t i = 0; i < size; i++) E[i] = fmax(E[i], fabs(s->m->B[i] - B[i]));
    }
    return E;
}

bool stability_spectrum(problem *s, frame *values, uint32_t family, const double **B, spectrum *out)
{
    const size_t size = (size_t) s->m->kept * s->m->kept;
    if (!minimal_at(s->m, values)) return false;
    double *own = NEW_ARRAY(s->arena, double, size + 1);
    const bool regular = steady_kernel(s->m) <= family;
    memcpy(own, s->m->B, size * sizeof *own);
    *B = own;
    const double *E = errors_of(s, values, regular, own);
    return eigenvalues(s, own, E, NULL, out);
}

/* ---- One motion ------------------------------------------------------------------------------ */

/* 2π make no difference: the place is the same. */
static void reduce_angles(const problem *s, frame *values)
{
    for (uint32_t i = 0; i < s->m->kept; i++) {
        double *x = frame_ref(values, s->m->symbol[s->m->keep[i]]);
        const double turn = problem_turns(s, s->m->keep[i]);
        if (turn > 0) *x = angles_reduced(*x, turn);
    }
}

/* In variables that are good where the search ends. */
static steady *find_steady(problem *s, frame *values)
{
    for (int k = 0;; k++) {
        steady *st = steady_create(s->m, s->arena, s->fixed.symbol.count, s->fixed.symbol.at);
        const bool found = steady_find(st, s->fixed.value.at, values);
        if (k < STABILITY_CHARTS && problem_rechart(s, values)) continue;
        return found && problem_condition(s, values) > STABILITY_CHARTED ? st : NULL;
    }
}

bool stability_settle(problem *s, const frame *start, stability_answer *out, const char **why)
{
    frame *values = frame_copy(s->arena, start);
    *out = (stability_answer){.model = s->model, .m = s->m};
    steady *st = find_steady(s, values);
    out->m = s->m;
    if (!st) {
        *why = "no steady motion was found near the state";
        return false;
    }
    if (!problem_assumed(s, values)) {
        *why = "the steady motion reached from the state contradicts an assumption of the model";
        return false;
    }
    out->values = values;
    const char *unsmooth = problem_unsmooth(s, values);
    if (unsmooth) {
        *why = unsmooth;
        return false;
    }
    const char *pole = problem_pole_text(s, values);
    if (pole) {
        *why = pole;
        out->pole = true;
        return false;
    }
    for (uint32_t k = 0; k < s->flow->N; k++) {
        const double x = frame_get(values, s->flow->x[k]), before = frame_get(start, s->flow->x[k]);
        if (fabs(x - before) > STEADY_FOUND * (s->flow->unit[k] + fabs(x))) out->moved = true;
    }
    reduce_angles(s, values);
    uint32_t *y = NEW_ARRAY(s->arena, uint32_t, s->m->kept + 1);
    out->family = steady_family(s->m, s->arena, values, y, &out->family_sure);
    if (!out->family_sure) {
        steady_snap(st, s->turn, s->fixed.value.at, values);
        out->family = steady_family(s->m, s->arena, values, y, &out->family_sure);
    }
    if (out->family && underflow_moves(s->m, values)) {
        *why = "forces are too small for doubles there: they cannot tell a steady motion from a "
               "slow one";
        return false;
    }
    out->parameter = y;
    out->regular = out->family_sure && steady_kernel(s->m) == out->family;
    for (uint32_t i = 0; i < s->m->count; i++) /* an ω is not part of x */
        frame_set(values, s->m->symbol[i], minimal_value(s->m, i, values));
    problem_put_velocities(s, values);
    out->rest = problem_rests(s, values);
    if (!stability_spectrum(s, values, out->family_sure ? out->family : 0, &out->B,
                            &out->spectrum)) {
        *why = "the eigenvalues could not be computed";
        return false;
    }
    out->mirror = problem_mirrors(s, values);
    out->verdict = stability_judge(&out->spectrum, out);
    return true;
}

bool stability_run(ah_model *m, const stability_question *question, stability_answer *out,
                   const char **why)
{
    problem s;
    if (!problem_open(m, question->at, &s, why)) return false;
    if (!stability_settle(&s, s.p.values, out, why)) return false;
    if (question->symbolic) out->symbolic = characteristic_create(s.m, s.arena, out->values, NULL);
    if (out->symbolic) verdict_by_symbols(&s, out);
    if (question->sweep) run_sweep(&s, question->sweep, out);
    if (question->critical) run_critical(&s, question->critical, out);
    return true;
}
