/* integrate/stiffness.c - see stiffness.h. */
#include "stiffness.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Steps between two looks while nothing is suspected. */
#define LOOK_EVERY 16
/* As many looks at the edge make it stiff, as many beside it in a row make it harmless again
 * (Hairer's numbers in his DOP853). */
#define LOOKS_STIFF    15
#define LOOKS_HARMLESS 6
/* Even: of a pair of complex eigenvalues every second iteration may be small. */
#define CONFIRMATIONS 4
/* A step of an implicit method costs a twelfth of one of DOP853, whose steps may be 5/|λ|. */
#define EXPLICIT_PAYS 0.2
#define LOOKS_GONE    30

void stiffness_init(stiffness *s, arena *a, const ivp *problem, const ivp_options *options)
{
    const size_t n = problem->n;
    *s = (stiffness){.problem = problem, .rest = LOOK_EVERY};
    s->floor = options->rtol > 0 ? options->atol / options->rtol : 1;
    s->direction = NEW_ARRAY(a, double, 3 * n + 1);
    s->f = s->direction + n;
    s->other = s->f + n;
}

void stiffness_restart(stiffness *s)
{
    s->rest = LOOK_EVERY;
    s->yes = s->no = 0;
}

static double norm(const stiffness *s, const double *y, const double *x)
{
    double sum = 0;
    for (uint32_t i = 0; i < s->problem->n; i++) {
        const double part = x[i] / (fabs(y[i]) + s->floor);
        sum += part * part;
    }
    return sqrt(sum);
}

/* How far apart the two arguments of a difference are: no further than the step went, for f may be linear
 * within that only, as friction x'/√(x'² + ε²) near rest. */
static double distance(const stiffness *s, const ivp_step *step)
{
    double *way = s->other;
    for (uint32_t i = 0; i < s->problem->n; i++) way[i] = step->y1[i] - step->y0[i];
    const double gone = norm(s, step->y1, way), usual = sqrt(DBL_EPSILON);
    return gone > DBL_EPSILON && gone < usual ? gone : usual;
}

/* One power iteration at the end of the step, s->f there: growth, or a NAN. */
static double iterate(stiffness *s, const ivp_step *step)
{
    const ivp *p = s->problem;
    const double *y = step->y1, apart = distance(s, step);
    if (!s->started) memcpy(s->direction, s->f, p->n * sizeof *s->f);
    s->started = true;
    const double length = norm(s, y, s->direction);
    const double scale = apart / length;
    if (!(length > 0) || !isfinite(scale)) {
        s->started = false;
        return 0;
    }
    for (uint32_t i = 0; i < p->n; i++) s->other[i] = y[i] + scale * s->direction[i];
    if (!p->rhs(p->user, step->t1, s->other, s->direction)) return NAN;
    for (uint32_t i = 0; i < p->n; i++) s->direction[i] -= s->f[i];
    const double rate = norm(s, y, s->direction) / apart;
    s->started = isfinite(rate) && rate > 0;
    return rate;
}

/* |λ| where it may be beyond `limit`, something smaller elsewhere; NAN: f does not exist. */
static double largest_rate(stiffness *s, const ivp_step *step, double limit)
{
    if (!s->problem->rhs(s->problem->user, step->t1, step->y1, s->f)) return NAN;
    const double first = iterate(s, step);
    if (!(first > limit)) return first;
    double logarithms = 0;
    for (int i = 0; i < CONFIRMATIONS; i++) logarithms += log(iterate(s, step));
    return exp(logarithms / CONFIRMATIONS);
}

/* Is it time to look? */
static bool is_due(stiffness *s)
{
    return s->yes > 0 || --s->rest == 0;
}

bool stiffness_seen(stiffness *s, const ivp_step *step, double limit)
{
    if (!is_due(s)) return false;
    s->rest = LOOK_EVERY;
    const double h = fabs(step->t1 - step->t0);
    if (h * largest_rate(s, step, limit / h) > limit) {
        s->no = 0;
        return ++s->yes >= LOOKS_STIFF;
    }
    if (++s->no >= LOOKS_HARMLESS) s->yes = 0;
    return false;
}

bool stiffness_gone(stiffness *s, const ivp_step *step)
{
    if (--s->rest > 0) return false;
    s->rest = LOOK_EVERY;
    const double h = fabs(step->t1 - step->t0);
    const bool small = h * largest_rate(s, step, EXPLICIT_PAYS / h) < EXPLICIT_PAYS;
    s->no = small ? s->no + 1 : 0;
    return s->no >= LOOKS_GONE;
}
