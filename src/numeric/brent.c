/* numeric/brent.c - see brent.h. */
#include "brent.h"

#include <float.h>
#include <math.h>

double root_between(root_function *f, void *user, double a, double fa, double b, double fb)
{
    double c = a, fc = fa, d = b - a, before = d;
    for (int i = 0; i < 200 && fb != 0; i++) {
        if ((fb > 0) == (fc > 0)) c = a, fc = fa, d = before = b - a;
        if (fabs(fc) < fabs(fb)) {
            a = b, b = c, c = a;
            fa = fb, fb = fc, fc = fa;
        }
        const double least = DBL_EPSILON * fabs(b), half = (c - b) / 2;
        if (fabs(half) <= least) break;
        if (fabs(before) >= least && fabs(fa) > fabs(fb)) {
            double p, q, s = fb / fa;
            if (a == c) {
                p = 2 * half * s;
                q = 1 - s;
            } else {
                const double r = fb / fc, u = fa / fc;
                p = s * (2 * half * u * (u - r) - (b - a) * (r - 1));
                q = (u - 1) * (r - 1) * (s - 1);
            }
            if (p > 0) q = -q;
            p = fabs(p);
            if (2 * p < fmin(3 * half * q - fabs(least * q), fabs(before * q)))
                before = d, d = p / q;
            else
                d = before = half;
        } else {
            d = before = half;
        }
        a = b, fa = fb;
        b += fabs(d) > least ? d : copysign(least, half);
        fb = f(user, b);
        if (isnan(fb)) break;
    }
    return b;
}
