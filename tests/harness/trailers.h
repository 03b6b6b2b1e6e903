/* trailers.h - the accelerations of models/trailers.ah, written by hand: elimination along the
 * chain.
 *
 * With the multipliers in the order blade 1, rod 2, blade 2, rod 3, … the matrix G = J M⁻¹ Jᵀ has
 * two diagonals on either side: LDLᵀ takes a few operations a body. A yardstick for the programs
 * that are made from the model. */
#ifndef HARNESS_TRAILERS_H
#define HARNESS_TRAILERS_H
#include <math.h>
#include <stddef.h>

typedef struct trailers {
    size_t n;
    double m, I, k;
    double *x, *y, *theta;                /* n each */
    double *vx, *vy, *w;                  /* their velocities */
    double *ax, *ay, *aw, *blade, *rod;   /* answers; rod[0] is not used */
    double *diagonal, *one, *two, *right; /* work space: 2 n each */
} trailers;

/* How many doubles the arrays take together, and sharing them out. */
static inline size_t trailers_room(size_t n)
{
    return 19 * n;
}

static inline void trailers_share(trailers *c, double *room)
{
    double **single[] = {&c->x,  &c->y,  &c->theta, &c->vx,    &c->vy, &c->w,
                         &c->ax, &c->ay, &c->aw,    &c->blade, &c->rod};
    double **twice[] = {&c->diagonal, &c->one, &c->two, &c->right};
    for (size_t i = 0; i < sizeof single / sizeof *single; i++, room += c->n) *single[i] = room;
    for (size_t i = 0; i < sizeof twice / sizeof *twice; i++, room += 2 * c->n) *twice[i] = room;
}

/* Accelerations without constraints: the springs alone. */
static inline void trailers_free(trailers *c)
{
    for (size_t i = 0; i < c->n; i++) c->ax[i] = c->ay[i] = c->aw[i] = 0;
    for (size_t i = 1; i < c->n; i++) {
        const double dx = c->x[i] - c->x[i - 1], dy = c->y[i] - c->y[i - 1];
        const double s = sin(c->theta[i]), e = cos(c->theta[i]), u = c->k * (dx * s - dy * e);
        c->ax[i] -= u * s / c->m, c->ay[i] += u * e / c->m;
        c->ax[i - 1] += u * s / c->m, c->ay[i - 1] -= u * e / c->m;
        c->aw[i] = -u * (dx * e + dy * s) / c->I;
    }
}

/* Rows of G: diagonal, the first and the second one below it; right = −(J a_free + γ). */
static inline void trailers_rows(trailers *c)
{
    double old_dx = 0, old_dy = 0;
    for (size_t i = 0; i < c->n; i++) {
        const size_t b = 2 * i, r = b - 1;
        const double s = sin(c->theta[i]), e = cos(c->theta[i]);
        c->diagonal[b] = 1 / c->m;
        c->right[b] = c->ax[i] * s - c->ay[i] * e + (c->vy[i] * s + c->vx[i] * e) * c->w[i];
        c->one[b] = c->two[b] = 0;
        if (i == 0) continue;
        const double dx = 2 * (c->x[i] - c->x[i - 1]), dy = 2 * (c->y[i] - c->y[i - 1]);
        const double ux = c->vx[i] - c->vx[i - 1], uy = c->vy[i] - c->vy[i - 1];
        c->diagonal[r] = 2 * (dx * dx + dy * dy) / c->m;
        c->right[r] = -dx * (c->ax[i] - c->ax[i - 1]) - dy * (c->ay[i] - c->ay[i - 1]) -
                      2 * (ux * ux + uy * uy);
        c->one[b] = (-s * dx + e * dy) / c->m; /* blade i and rod i */
        c->one[r] = (sin(c->theta[i - 1]) * dx - cos(c->theta[i - 1]) * dy) / c->m;
        c->two[r] = i > 1 ? -(dx * old_dx + dy * old_dy) / c->m : 0; /* rods i and i − 1 */
        old_dx = dx, old_dy = dy;
    }
}

/* right ← G⁻¹ right by LDLᵀ: `one` and `two` become L. */
static inline void trailers_eliminate(trailers *c)
{
    const size_t count = 2 * c->n - 1;
    double *d = c->diagonal, *p = c->one, *q = c->two, *z = c->right;
    for (size_t i = 1; i < count; i++) {
        if (i > 1) {
            const double below = q[i] / d[i - 2];
            p[i] -= below * d[i - 2] * p[i - 1];
            d[i] -= below * q[i];
            z[i] -= below * z[i - 2];
            q[i] = below;
        }
        const double below = p[i] / d[i - 1];
        d[i] -= below * p[i];
        z[i] -= below * z[i - 1];
        p[i] = below;
    }
    for (size_t i = count; i-- > 0;) {
        z[i] /= d[i];
        if (i + 1 < count) z[i] -= p[i + 1] * z[i + 1];
        if (i + 2 < count) z[i] -= q[i + 2] * z[i + 2];
    }
}

static inline void trailers_accelerations(trailers *c)
{
    trailers_free(c);
    trailers_rows(c);
    trailers_eliminate(c);
    for (size_t i = 0; i < c->n; i++) {
        const double blade = c->blade[i] = c->right[2 * i];
        c->ax[i] -= blade * sin(c->theta[i]) / c->m;
        c->ay[i] += blade * cos(c->theta[i]) / c->m;
        if (i == 0) continue;
        const double rod = c->rod[i] = c->right[2 * i - 1];
        const double dx = 2 * (c->x[i] - c->x[i - 1]), dy = 2 * (c->y[i] - c->y[i - 1]);
        c->ax[i] += rod * dx / c->m, c->ay[i] += rod * dy / c->m;
        c->ax[i - 1] -= rod * dx / c->m, c->ay[i - 1] -= rod * dy / c->m;
    }
}

#endif
