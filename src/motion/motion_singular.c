/* motion/motion_singular.c - ranks watched along a motion.
 *
 * D = det(A Aᵀ), the rows A of J (or of (∂ψ/∂s)ᵀ) measured by M: it is smooth, not negative, and
 * falls to zero like the square of the distance from a singular state. */
#include "motion_singular.h"

#include "../numeric/numeric.h"

#include <math.h>
#include <string.h>

enum { GLANCES = 4, LOOKS = 16, NARROWINGS = 60 };

struct motion_singular {
    motion_state *state;
    uint32_t n, rows, rank, *use; /* independent rows at the start */
    double *A, *gram, *y, *out;
    double last, recent; /* D at the end of the last step; its recent size */
    double step;         /* the largest lately: what time is forgotten by */
    double slope;        /* of √D lately */
    bool fell;           /* near zero at the end of the last step, and falling */
};

/* A at the state, columns measured: J by 1/√M, ∂ψ/∂s by √M. */
static bool fill(motion_singular *w, double t, const double *y)
{
    motion_code *c = &w->state->code;
    if (!motion_code_run(c, MOTION_RANK, t, y, w->out)) return false;
    const double *mass = w->out + (size_t) w->rows * w->n;
    for (uint32_t j = 0; j < w->n; j++) {
        const double root = mass[j] > 0 ? sqrt(mass[j]) : 1, scale = c->psi ? root : 1 / root;
        for (uint32_t i = 0; i < w->rows; i++)
            w->A[(size_t) i * w->n + j] = w->out[(size_t) i * w->n + j] * scale;
    }
    return true;
}

/* D by Cholesky; NAN where A does not exist. */
static double determinant(motion_singular *w, double t, const double *y)
{
    const uint32_t r = w->rank, n = w->n;
    double *G = w->gram, product = 1;
    if (!fill(w, t, y)) return NAN;
    for (uint32_t i = 0; i < r; i++)
        for (uint32_t k = 0; k <= i; k++) {
            const double *a = w->A + (size_t) w->use[i] * n, *b = w->A + (size_t) w->use[k] * n;
            double sum = 0;
            for (uint32_t j = 0; j < n; j++) sum += a[j] * b[j];
            for (uint32_t l = 0; l < k; l++) sum -= G[i * r + l] * G[k * r + l];
            if (i != k) {
                G[i * r + k] = sum / G[k * r + k];
            } else {
                if (!(sum > 0)) return isnan(sum) ? NAN : 0;
                product *= sum;
                G[i * r + i] = sqrt(sum);
            }
        }
    return product;
}

motion_singular *motion_singular_create(motion_state *s, double t, const double *y)
{
    const motion_code *c = &s->code;
    arena *a = s->p->arena;
    if (!c->program[MOTION_RANK]) return NULL;
    motion_singular *w = NEW(a, motion_singular);
    w->state = s;
    w->n = c->n;
    w->rows = c->rank_rows;
    w->use = NEW_ARRAY(a, uint32_t, w->rows);
    w->A = NEW_ARRAY(a, double, (size_t) w->rows * w->n);
    w->gram = NEW_ARRAY(a, double, (size_t) w->rows * w->rows);
    w->y = NEW_ARRAY(a, double, c->n + c->m);
    w->out = NEW_ARRAY(a, double, c->program[MOTION_RANK]->outputs);
    if (!fill(w, t, y)) return NULL;
    w->rank = linear_row_rank(&s->p->ctx->scratch, w->rows, w->n, w->A, w->use);
    w->last = w->recent = determinant(w, t, y);
    w->slope = NAN; /* not known yet */
    return w->rank && isfinite(w->last) ? w : NULL;
}

static double between(motion_singular *w, const ivp_step *step, double t)
{
    step->at(step->stepper, t, w->y);
    return determinant(w, t, w->y);
}

/* Whether a parabola through three of few values may dip towards zero inside the step: what need
 * not be looked at closely, which is nearly all. `ends`: D at both ends. */
static bool may_vanish(motion_singular *w, const ivp_step *step, const double *ends)
{
    const double h = (step->t1 - step->t0) / GLANCES;
    double D[GLANCES + 1] = {ends[0]};
    D[GLANCES] = ends[1];
    for (int i = 1; i < GLANCES; i++) D[i] = between(w, step, step->t0 + i * h);
    for (int i = 1; i < GLANCES; i++) {
        const double slope = (D[i + 1] - D[i - 1]) / 2, bend = D[i + 1] - 2 * D[i] + D[i - 1];
        const double least_seen = fmin(D[i], fmin(D[i - 1], D[i + 1]));
        if (!isfinite(bend) || least_seen < SINGULAR_GLANCE * w->recent) return true;
        if (bend <= 0 || fabs(slope) > 1.6 * bend) continue; /* the vertex is elsewhere */
        if (D[i] - slope * slope / (2 * bend) < 0.7 * least_seen) return true;
    }
    return false;
}

/* The least D of the step, by looks and golden section; √ of it is the distance. */
static double least(motion_singular *w, const ivp_step *step, double *where)
{
    const double h = (step->t1 - step->t0) / LOOKS, golden = 0.6180339887498949;
    double best = INFINITY, middle = step->t0;
    for (int i = 0; i <= LOOKS; i++) {
        const double t = i == LOOKS ? step->t1 : step->t0 + i * h, D = between(w, step, t);
        if (D < best) best = D, middle = t;
    }
    const double first = fmin(step->t0, step->t1), last = fmax(step->t0, step->t1);
    double a = fmax(first, middle - fabs(h)), b = fmin(last, middle + fabs(h));
    double x = b - golden * (b - a), y = a + golden * (b - a);
    double Dx = between(w, step, x), Dy = between(w, step, y);
    for (int i = 0; i < NARROWINGS; i++) {
        if (Dx < Dy) {
            b = y, y = x, Dy = Dx;
            x = b - golden * (b - a);
            Dx = between(w, step, x);
        } else {
            a = x, x = y, Dx = Dy;
            y = a + golden * (b - a);
            Dy = between(w, step, y);
        }
    }
    *where = (a + b) / 2;
    return fmin(Dx, Dy);
}

bool motion_singular_step(motion_singular *w, const ivp_step *step, double *t)
{
    const double before = w->last, D = determinant(w, step->t1, step->y1);
    const double h = fabs(step->t1 - step->t0);
    w->last = D;
    w->step = fmax(SINGULAR_MEMORY * w->step, h);
    w->recent = fmax(pow(SINGULAR_MEMORY, h / w->step) * w->recent, isfinite(D) ? D : 0);
    /* √D falls to zero and rises again as it has been changing: it cannot from far */
    const double roots = sqrt(before) + sqrt(D);
    w->slope = fmax(SINGULAR_MEMORY * w->slope, fabs(sqrt(D) - sqrt(before)) / h);
    if (!(fmin(before, D) < SINGULAR_SUSPECT * w->recent)) return false;
    const double ends[] = {before, D};
    const bool far =
        fmin(before, D) > SINGULAR_GLANCE * w->recent && roots > SINGULAR_STEEPER * w->slope * h;
    if (!w->fell && (far || !may_vanish(w, step, ends))) return false;
    const double found = least(w, step, t);
    const bool near = found <= SINGULAR_NEAR * SINGULAR_NEAR * w->recent, fell = w->fell;
    const double end = 0.01 * h / LOOKS;
    /* What falls up to the end of the step is not there yet: the next step tells. */
    w->fell = near && fabs(*t - step->t1) < end;
    return near && !w->fell && (fell || fabs(*t - step->t0) >= end);
}

const char *motion_singular_explain(motion_singular *w, double t, const double *y)
{
    const motion_state *s = w->state;
    arena *scratch = &s->p->ctx->scratch, *job = &s->p->ctx->job;
    const double D = determinant(w, t, y);
    if (!(D <= 1e-6 * w->recent)) return NULL; /* D goes with the square of the distance */
    if (s->code.psi)
        return "the parametric form q' = ψ(q, z, t) is not regular: its derivatives by the "
               "parameters become dependent";
    /* Which row is it? The one that vanishes, or that the others make superfluous. */
    const arena_mark mark = arena_get_mark(scratch);
    uint32_t last = w->use[0];
    double least_part = INFINITY;
    for (uint32_t i = 0; i < w->rank; i++) {
        double part = 0;
        for (uint32_t j = 0; j < w->n; j++) part += pow(w->A[(size_t) w->use[i] * w->n + j], 2);
        if (part < least_part) least_part = part, last = w->use[i];
    }
    arena_release(scratch, mark);
    return arena_printf(job, "the constraints lose rank (%u, expected %u) at `%s`", w->rank - 1,
                        w->rank, s->p->model->constraints.at[last].label);
}
