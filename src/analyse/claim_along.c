/* analyse/claim_along.c - `limit rho -> 0 along t = 0.1 .. 2: e1 = e2`: motions, as a parameter goes to its limit.
 *
 * No formula tells such a limit: after rho -> 0 in the equations the motions may tend to others, where a layer is unstable.
 * It is seen in numbers. The parameter goes from its declared value towards the limit, its distance halved each time; the
 * motion from `start` with it is integrated, and the largest difference d of the sides in the span is noted. They come
 * together where d falls steadily and L of d = L + c r^k does, too. That is found to hold, never
 * proved; and what stays apart is unknown, for it might come together later. */
#include "claim.h"

#include "../motion/motion.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ALONG_MOTIONS = 9, ALONG_ROWS = 64, ALONG_MOST_ROWS = 100000 };

/* Below this share of the sides a difference is that of the integration: far above its tolerances, for layers amplify. */
#define ALONG_ROUNDING 1e-7
/* The integration's own. */
#define ALONG_RTOL 1e-10
#define ALONG_ATOL 1e-12
/* Each difference is at most this share of the one before: less than (1/2)^0.3 cannot be told from a limit that is not 0 … */
#define ALONG_FALL 0.81
/* … and neither can this share of the last one, as L. */
#define ALONG_LEFT 0.2
/* L that falls by less than this has settled. */
#define ALONG_SETTLED 0.9

typedef struct course {
    verification *v;
    const model_claim *claim;
    expr_plan *plan; /* of the sides */
    double from;     /* rows count from here */
    double worst;    /* |left − right| */
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
    c->rows++;
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
    span->tolerance = (ivp_options){.rtol = ALONG_RTOL, .atol = ALONG_ATOL};
    span->every = (span->t1 - c->from) / ALONG_ROWS;
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

/* What is left when d = L + c r^k goes on for ever, by Aitken. */
static double left_over(const double *d)
{
    const double bend = d[0] + d[2] - 2 * d[1];
    return bend ? (d[0] * d[2] - d[1] * d[1]) / bend : d[2];
}

/* What is left by the last extrapolation is not less than by the one before. */
static bool stays_apart(const double *d, size_t count, double size)
{
    const double before = fabs(left_over(&d[count - 4])), last = fabs(left_over(&d[count - 3]));
    return last > ALONG_ROUNDING * size && last > ALONG_SETTLED * before;
}

/* The last four of the differences fall steadily, to nothing. */
static bool comes_together(const double *d, double size)
{
    size_t count = ALONG_MOTIONS;
    while (count && d[count - 1] <= ALONG_ROUNDING * size) count--;
    const bool lost = count < ALONG_MOTIONS; /* the rest is no difference at all */
    if (count < 5) return true;
    for (size_t k = count - 3; k < count; k++)
        if (!(d[k] <= ALONG_FALL * d[k - 1])) return false;
    return lost || (fabs(left_over(&d[count - 3])) <= ALONG_LEFT * d[count - 1] &&
                    !stays_apart(d, count, size));
}

static double value_at(const model_limit *l, double declared, double end, int k)
{
    return l->infinite ? ldexp(declared, k) : end + ldexp(declared - end, -k);
}

static const char *in_words(verification *v, const char *name, const double *value, const double *d)
{
    const size_t last = ALONG_MOTIONS - 1;
    return arena_printf(v->arena,
                        "from %s = %.3g to %.3g the largest difference goes from %.2g to %.2g, at "
                        "last by the factor %.2g "
                        "with every step",
                        name, value[0], value[last], d[0], d[last],
                        d[last] > 0 ? d[last] / d[last - 1] : 0);
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

void claim_along(verification *v, const model_claim *claim, verify_claim *out)
{
    const model_limit *l = claim->limit;
    const char *name = expr_get_name(v->ctx, l->symbol);
    double declared, end, value[ALONG_MOTIONS], d[ALONG_MOTIONS], size = 0;
    out->verdict = AH_VERDICT_UNKNOWN;
    out->why = v->branched              ? "the accelerations are one of several"
               : !v->model->start.count ? "motions are followed from `start`, which is not there"
                                        : find_ends(v, l, &declared, &end);
    if (out->why) return;
    for (int k = 0; k < ALONG_MOTIONS; k++) {
        value[k] = value_at(l, declared, end, k);
        course c = {.v = v, .claim = claim, .exists = true};
        const char *why = follow(&c, with_value(v, l->symbol, value[k]));
        if (why) {
            out->why = arena_printf(v->arena, "the motion with %s = %.6g: %s", name, value[k], why);
            return;
        }
        d[k] = c.worst;
        size = fmax(size, c.size);
    }
    out->why = in_words(v, name, value, d);
    if (!comes_together(d, size)) return;
    out->verdict = AH_VERDICT_HOLDS;
    out->motions = ALONG_MOTIONS;
}
