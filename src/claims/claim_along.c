/* claims/claim_along.c - `limit rho -> 0 along t = 0.1 .. 2: e1 = e2`: motions, as a parameter goes to its limit.
 *
 * No formula tells such a limit: after rho -> 0 in the equations the motions may tend to others, where a layer is unstable.
 * It is seen in numbers. The parameter goes from its declared value towards the limit, its distance halved each time; the
 * motion from `start` with it is integrated, and the sides are compared at rows of the span. With d, the largest
 * difference, and delta, that of a row with its sign, they come together where
 *
 *   - d falls steadily;
 *   - L of d = L + c r^k, after Aitken, is next to nothing beside the sides: what d itself is not, after few motions;
 *   - at no row the extrapolations of delta, once or twice, have settled at something else.
 *
 * As long as only L is too large, more motions are asked for. It is found to hold, never proved; and what stays apart is
 * unknown, for it might come together later. */
#include "claim.h"

#include "../motion/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum {
    ALONG_MOTIONS = 9,
    ALONG_MOST = 24, /* where the first do not tell enough */
    ALONG_ROWS = 256,
    ALONG_MOST_ROWS = 100000,
    ALONG_MOST_STEPS = 300000 /* of one motion */
};

/* Rows do not keep step with anything that is periodic in the span. */
#define ALONG_UNEVEN 0.6180339887498949
/* Below this share of the sides a difference is that of the integration: far above its tolerances, for layers amplify. */
#define ALONG_ROUNDING 1e-7
/* The integration's own. */
#define ALONG_RTOL 1e-10
#define ALONG_ATOL 1e-12
/* Each difference is at most this share of the one before: less than (1/2)^0.3 cannot be told from a limit that is not 0. */
#define ALONG_FALL 0.81
/* What may be left, as a share of the sides. */
#define ALONG_LEFT 1e-5
/* Extrapolations that differ by less than this share have settled; differences that fall by less do not fall. */
#define ALONG_SETTLED 0.05
/* A difference that stands at so few rows, of which each has half of the largest, may hide between them next time. */
#define ALONG_NARROW 2

typedef struct course {
    verification *v;
    const model_claim *claim;
    expr_plan *plan; /* of the sides */
    double from;     /* rows count from here */
    double *delta;   /* left − right of each row */
    double worst;    /* the largest |left − right| */
    double size;     /* largest |left| + |right| */
    size_t rows;
    bool exists;
} course;

static bool take_row(void *user, const motion_sample *sample)
{
    course *c = user;
    double side[2];
    const double t = point_get(sample->point, expr_time(c->v->ctx));
    if (t < c->from - 1e-9 * fabs(c->from)) return true;
    expr_plan_run(c->plan, sample->point->values, side);
    c->exists = c->exists && isfinite(side[0]) && isfinite(side[1]);
    c->worst = fmax(c->worst, fabs(side[0] - side[1]));
    c->size = fmax(c->size, fabs(side[0]) + fabs(side[1]));
    if (c->rows < ALONG_ROWS) c->delta[c->rows++] = side[0] - side[1];
    return c->exists;
}

/* The same system in which the parameter has this value; those that are given by it follow. */
static ah_model *with_value(verification *v, ah_expr symbol, double value)
{
    ah_model *m = v->model, *view = model_view(m, v->arena);
    char digits[40];
    snprintf(digits, sizeof digits, "%.17g", fabs(value));
    const ah_expr number = ah_number(v->ctx, digits);
    memset(&view->parameters, 0, sizeof view->parameters);
    for (size_t i = 0; i < m->parameters.count; i++) {
        LIST_PUSH(v->arena, &view->parameters, m->parameters.at[i]);
        if (m->parameters.at[i].symbol == symbol)
            view->parameters.at[i].value = value < 0 ? expr_neg(v->ctx, number) : number;
    }
    return view;
}

/* NULL, or why there is no such motion; "": it has been reported. */
static const char *prepare(course *c, ah_model *m, eval_method *equations, point *p,
                           motion_options *span)
{
    const model_limit *l = c->claim->limit;
    const ah_expr side[] = {c->claim->left, c->claim->right};
    *equations = eval_prepare(m, derive_default(derive_mechanics(m)), NULL, c->v->arena);
    if (equations->refused) return equations->refused;
    c->plan = expr_plan_create(c->v->ctx, c->v->arena, side, 2); /* all symbols before the point */
    motion_state_declare(m, equations);
    if (!point_create(m, c->v->arena, p) || !point_start(p) || !point_complete(p, false)) return "";
    c->from = point_eval(p, l->from);
    *span = (motion_options){.t0 = point_get(p, expr_time(c->v->ctx)), .t1 = point_eval(p, l->to)};
    span->tolerance =
        (ivp_options){.rtol = ALONG_RTOL, .atol = ALONG_ATOL, .most_steps = ALONG_MOST_STEPS};
    span->every = (span->t1 - c->from) / (ALONG_ROWS - 2 + ALONG_UNEVEN);
    LIST_PUSH(c->v->arena, &span->asked, side[0]);
    LIST_PUSH(c->v->arena, &span->asked, side[1]);
    if (!(span->every > 0) || !(c->from >= span->t0))
        return "the span lies before the start, or has no length";
    if ((span->t1 - span->t0) / span->every > ALONG_MOST_ROWS)
        return "the span is too short for its time";
    return NULL;
}

/* NULL, or why the motion does not tell the difference. */
static const char *follow(course *c, ah_model *m)
{
    eval_method equations;
    point p;
    motion_options span;
    motion_summary summary = {0};
    const motion_sinks sinks = {.sample = take_row, .user = c};
    const diag_mark mark = diag_get_mark(c->v->ctx);
    const char *why = prepare(c, m, &equations, &p, &span);
    if (!why) {
        const eval_method reactions =
            eval_prepare(m, derive_find("multipliers"), NULL, c->v->arena);
        if (!motion_run(&equations, &reactions, &p, &span, &sinks, &summary)) why = "";
    }
    const char *said = diag_take(c->v->ctx, c->v->arena, mark);
    if (why) return *why ? why : said ? said : "it could not be integrated";
    if (!c->exists) return "the sides do not exist on it";
    if (summary.stopped) return arena_printf(c->v->arena, "it ends before: %s", summary.stopped);
    return c->rows ? NULL : "nothing of it lies in the span";
}

/* ---- Where it goes --------------------------------------------------------------------------- */

/* All motions so far. */
typedef struct courses {
    size_t count, rows;
    double d[ALONG_MOST], value[ALONG_MOST];
    double *delta[ALONG_MOST];
    double size;
} courses;

/* What is left when x = L + c r^k goes on for ever, by Aitken. */
static double left_over(double x0, double x1, double x2)
{
    const double bend = x0 + x2 - 2 * x1;
    return bend ? x2 - (x2 - x1) * (x2 - x1) / bend : x2;
}

/* The last three are one number, and not 0. */
static bool is_settled(const double *x, size_t count, double rounding)
{
    const double last = x[count - 1], near = ALONG_SETTLED * fabs(last);
    return fabs(last) > rounding && fabs(last - x[count - 2]) <= near &&
           fabs(last - x[count - 3]) <= near;
}

/* The steps of the last five fall, all to one side: else it is no sequence whose limit could be told. */
static bool is_smooth(const double *x, size_t count)
{
    for (size_t k = count - 3; k < count; k++) {
        const double ratio = (x[k] - x[k - 1]) / (x[k - 1] - x[k - 2]);
        if (!(ratio > 0 && ratio <= 1 - ALONG_SETTLED)) return false;
    }
    return true;
}

/* It tends to something else than 0: so say its extrapolations, or theirs. */
static bool stays_apart(const double *x, size_t count, double rounding)
{
    double once[ALONG_MOST], twice[ALONG_MOST];
    if (!is_smooth(x, count)) return false;
    for (size_t k = 2; k < count; k++) once[k - 2] = left_over(x[k - 2], x[k - 1], x[k]);
    for (size_t k = 4; k < count; k++)
        twice[k - 4] = left_over(once[k - 4], once[k - 3], once[k - 2]);
    return is_settled(once, count - 2, rounding) || is_settled(twice, count - 4, rounding);
}

static bool a_row_stays_apart(const courses *c)
{
    double x[ALONG_MOST];
    for (size_t i = 0; i < c->rows; i++) {
        for (size_t k = 0; k < c->count; k++) x[k] = c->delta[k][i];
        if (stays_apart(x, c->count, ALONG_ROUNDING * c->size)) return true;
    }
    return false;
}

/* Is the difference that of a row or two, the first one apart, which is looked at each time? */
static bool is_narrow(const courses *c, size_t k)
{
    size_t wide = 0;
    for (size_t i = 0; i < c->rows; i++) {
        const bool much = fabs(c->delta[k][i]) > c->d[k] / 2;
        if (much && i == 0) return false;
        wide += much;
    }
    return wide <= ALONG_NARROW && c->d[k] > ALONG_ROUNDING * c->size;
}

typedef enum course_end { COURSE_TOGETHER, COURSE_APART, COURSE_OPEN, COURSE_NARROW } course_end;

/* The last four of the differences fall steadily, to nothing but *left. */
static course_end where_it_goes(const courses *c, double *left)
{
    const double rounding = ALONG_ROUNDING * c->size, *d = c->d;
    size_t count = c->count;
    *left = 0;
    while (count && d[count - 1] <= rounding) count--;
    for (size_t k = 0; k < c->count; k++)
        if (is_narrow(c, k)) return COURSE_NARROW;
    if (count < 5) return COURSE_TOGETHER;
    for (size_t k = count - 3; k < count; k++)
        if (!(d[k] <= ALONG_FALL * d[k - 1])) return COURSE_APART;
    if (count < c->count) return COURSE_TOGETHER; /* the rest is no difference at all */
    if (stays_apart(d, count, rounding) || a_row_stays_apart(c)) return COURSE_APART;
    for (size_t k = count - 2; k < count; k++)
        *left = fmax(*left, fabs(left_over(d[k - 2], d[k - 1], d[k])));
    *left = fmin(*left, d[count - 1]);
    return *left <= ALONG_LEFT * c->size ? COURSE_TOGETHER : COURSE_OPEN;
}

static double value_at(const model_limit *l, double declared, double end, int k)
{
    return l->infinite ? ldexp(declared, k) : end + ldexp(declared - end, -k);
}

static const char *in_words(verification *v, const char *name, const courses *c, course_end end,
                            double left)
{
    const size_t last = c->count - 1;
    const char *but =
        end == COURSE_NARROW ? ", and stands at one moment alone: it may hide between others"
        : end == COURSE_OPEN
            ? arena_printf(v->arena, "; the %.1g that may be left is too much to tell", left)
        : end == COURSE_TOGETHER && left > 0
            ? arena_printf(v->arena, "; extrapolated, at most %.1g is left in the end",
                           fmax(left, ALONG_ROUNDING * c->size))
            : "";
    return arena_printf(v->arena,
                        "from %s = %.3g to %.3g the largest difference goes from %.2g to %.2g, at "
                        "last by the factor %.2g "
                        "with every step%s",
                        name, c->value[0], c->value[last], c->d[0], c->d[last],
                        c->d[last] > 0 ? c->d[last] / c->d[last - 1] : 0, but);
}

/* The declared value and the limit, which must be apart. */
static const char *find_ends(verification *v, const model_limit *l, double *declared, double *end)
{
    const diag_mark mark = diag_get_mark(v->ctx);
    point p;
    const bool known = point_create(v->model, v->arena, &p);
    const char *said = diag_take(v->ctx, v->arena, mark);
    if (!known) return said ? said : "a parameter has no value";
    *declared = point_eval(&p, l->symbol);
    *end = l->infinite ? 0 : point_eval(&p, l->value);
    if (!isfinite(*declared) || !isfinite(*end)) return "a parameter has no value";
    if (*declared == *end || (l->infinite && (*declared > 0) != (l->infinite > 0)))
        return "the declared value of what has a limit is where motions begin to be compared: it "
               "must lie before the limit";
    return NULL;
}

/* One more motion; NULL, or why there is none. */
static const char *follow_next(verification *v, const model_claim *claim, double value,
                               courses *all)
{
    const size_t k = all->count;
    course c = {.v = v, .claim = claim, .exists = true};
    c.delta = NEW_ARRAY(v->arena, double, ALONG_ROWS);
    const char *why = follow(&c, with_value(v, claim->limit->symbol, value));
    if (why)
        return arena_printf(v->arena, "the motion with %s = %.6g: %s",
                            expr_get_name(v->ctx, claim->limit->symbol), value, why);
    all->value[k] = value;
    all->d[k] = c.worst;
    all->delta[k] = c.delta;
    all->size = fmax(all->size, c.size);
    all->rows = k && all->rows < c.rows ? all->rows : c.rows;
    all->count++;
    return NULL;
}

void claim_along(verification *v, const model_claim *claim, verify_claim *out)
{
    const model_limit *l = claim->limit;
    const char *name = expr_get_name(v->ctx, l->symbol);
    double declared, end, left = 0;
    courses all = {0};
    course_end where = COURSE_OPEN;
    out->verdict = AH_VERDICT_UNKNOWN;
    const bool begins = v->model->start.count || v->model->guesses.count;
    out->why = v->branched ? "the accelerations are one of several"
               : !begins   ? "motions are followed from `start`, which is not there"
                           : find_ends(v, l, &declared, &end);
    if (out->why) return;
    while (where == COURSE_OPEN && all.count < ALONG_MOST) {
        out->why = follow_next(v, claim, value_at(l, declared, end, (int) all.count), &all);
        if (out->why) return;
        if (all.count >= ALONG_MOTIONS) where = where_it_goes(&all, &left);
    }
    out->why = in_words(v, name, &all, where, left);
    if (where != COURSE_TOGETHER) return;
    out->verdict = AH_VERDICT_HOLDS;
    out->motions = all.count;
}
