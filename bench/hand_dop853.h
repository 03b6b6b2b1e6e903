/* bench/hand_dop853.h - DOP853 for one right-hand side, inlined, the dimension a constant: included once a system, with
 * HAND_NAME, HAND_N and HAND_RHS defined. It shares the coefficients with ours and nothing else. */
#define HAND_JOIN2(a, b) a##_##b
#define HAND_JOIN(a, b)  HAND_JOIN2(a, b)
#define OWN(name)        HAND_JOIN(HAND_NAME, name)
#define UNROLL           _Pragma("GCC unroll 16")

HAND void OWN(stage)(int stage, double t, double h, const double *restrict y,
                     double k[restrict][HAND_N])
{
    double x[HAND_N];
    for (int i = 0; i < HAND_N; i++) {
        double sum = 0;
        UNROLL for (int j = 0; j < stage; j++) if (dop_a[stage][j] != 0) sum +=
            dop_a[stage][j] * k[j][i];
        x[i] = y[i] + h * sum;
    }
    HAND_RHS(t + dop_c[stage] * h, x, k[stage]);
}

/* The new state with what rounding lost of it; the error relative to the tolerance. */
HAND double OWN(finish)(double h, const double *restrict y, double k[restrict][HAND_N],
                        const double *restrict carry, double *restrict next, double *restrict lost,
                        double tolerance)
{
    double e5 = 0, e3 = 0;
    for (int i = 0; i < HAND_N; i++) {
        double sum = 0, d5 = 0, d3 = 0;
        UNROLL for (int j = 0; j < DOP_STAGES; j++)
        {
            if (dop_b[j] != 0) sum += dop_b[j] * k[j][i];
            if (dop_e5[j] != 0) d5 += dop_e5[j] * k[j][i];
            if (dop_e3[j] != 0) d3 += dop_e3[j] * k[j][i];
        }
        const double change = h * sum + carry[i];
        next[i] = y[i] + change;
        lost[i] = change - (next[i] - y[i]);
        const double a = fabs(y[i]), b = fabs(next[i]), per = 1 / (1 + (a > b ? a : b));
        e5 += (d5 * per) * (d5 * per);
        e3 += (d3 * per) * (d3 * per);
    }
    const double mixed = e5 + 0.01 * e3;
    return mixed > 0 ? h * e5 / sqrt(mixed * HAND_N) / tolerance : 0;
}

static __attribute__((noinline)) long OWN(run)(double span, double tolerance, double *y)
{
    double k[DOP_STAGES][HAND_N], next[HAND_N], carry[HAND_N] = {0}, lost[HAND_N], t = 0, h = 1e-3;
    bool rejected = false;
    long steps = 0;
    HAND_RHS(t, y, k[0]);
    while (t < span) {
        const bool last = h >= span - t;
        if (last) h = span - t;
        UNROLL for (int s = 1; s < DOP_STAGES; s++) OWN(stage)(s, t, h, y, k);
        const double error = OWN(finish)(h, y, k, carry, next, lost, tolerance);
        const double eighth = sqrt(sqrt(sqrt(error)));
        const double factor = eighth > 0.15 ? fmax(0.333, 0.9 / eighth) : 6;
        if (!(error <= 1)) {
            h *= error > 1 ? factor : 0.1;
            rejected = true;
            continue;
        }
        t = last ? span : t + h;
        memcpy(y, next, sizeof next);
        memcpy(carry, lost, sizeof lost);
        HAND_RHS(t, y, k[0]);
        steps++;
        h *= rejected ? fmin(1, factor) : factor;
        rejected = false;
    }
    return steps;
}

#undef HAND_JOIN2
#undef HAND_JOIN
#undef OWN
#undef UNROLL
#undef HAND_NAME
#undef HAND_N
#undef HAND_RHS
