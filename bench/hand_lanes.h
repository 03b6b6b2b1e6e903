/* bench/hand_lanes.h - DOP853 in four lanes, written by hand for one right-hand side: included once a system, with HAND_NAME,
 * HAND_N, HAND_P and HAND_RHS defined. Each lane has its own step size, and is filled again when its trajectory ends. It shares
 * the coefficients with ours and nothing else. HAND_RHS(const V *p, const V *y, V *f), HAND_P parameters in p. */
#define HAND_JOIN2(a, b) a##_##b
#define HAND_JOIN(a, b)  HAND_JOIN2(a, b)
#define OWN(name)        HAND_JOIN(HAND_NAME, name)
#define UNROLL           _Pragma("GCC unroll 16")

HAND_INLINE void OWN(stage)(int stage, V h, const V *restrict p, const V *restrict y,
                            V k[restrict][HAND_N])
{
    V x[HAND_N];
    for (int i = 0; i < HAND_N; i++) {
        V sum = {0};
        UNROLL for (int j = 0; j < stage; j++) if (dop_a[stage][j] != 0) sum +=
            dop_a[stage][j] * k[j][i];
        x[i] = y[i] + h * sum;
    }
    HAND_RHS(p, x, k[stage]);
}

/* The new state with what rounding lost of it; the error relative to the tolerance. */
HAND_INLINE V OWN(finish)(V h, const V *restrict y, V k[restrict][HAND_N], const V *restrict carry,
                          V *restrict next, V *restrict lost, double tolerance)
{
    V e5 = {0}, e3 = {0};
    for (int i = 0; i < HAND_N; i++) {
        V sum = {0}, d5 = {0}, d3 = {0};
        UNROLL for (int j = 0; j < DOP_STAGES; j++)
        {
            if (dop_b[j] != 0) sum += dop_b[j] * k[j][i];
            if (dop_e5[j] != 0) d5 += dop_e5[j] * k[j][i];
            if (dop_b[j] != dop_e3[j]) d3 += (dop_b[j] - dop_e3[j]) * k[j][i];
        }
        d3 = sum - d3;
        const V change = h * sum + carry[i];
        next[i] = y[i] + change;
        lost[i] = change - (next[i] - y[i]);
        const V per = 1 / (1 + hand_max(hand_abs(y[i]), hand_abs(next[i])));
        e5 += (d5 * per) * (d5 * per);
        e3 += (d3 * per) * (d3 * per);
    }
    const V mixed = e5 + 0.01 * e3;
    return hand_select(mixed > 0, h * e5 / hand_sqrt(mixed * (double) HAND_N) * (1 / tolerance),
                       (V){0});
}

typedef struct OWN(memory) {
    V t, h, y[HAND_N], carry[HAND_N], p[HAND_P];
    I rejected, live, fresh;
    long run[4];
} OWN(memory);

/* The next trajectory into lane l; false: there is none. */
static bool OWN(fill)(OWN(memory) * s, int l, long *next, long runs, const double *start,
                      const double *parameter)
{
    s->live[l] = *next < runs ? -1 : 0;
    if (!s->live[l]) return false;
    s->run[l] = (*next)++;
    s->t[l] = 0;
    s->rejected[l] = 0;
    s->fresh[l] = -1;
    for (int i = 0; i < HAND_N; i++) {
        s->y[i][l] = start[s->run[l] * HAND_N + i];
        s->carry[i][l] = 0;
    }
    for (int i = 0; i < HAND_P; i++) s->p[i][l] = parameter[s->run[l] * HAND_P + i];
    return true;
}

/* `runs` trajectories from start (HAND_N numbers each) with their parameters (HAND_P); the first numbers of their ends. */
static __attribute__((noinline)) long OWN(run)(long runs, double span, double tolerance,
                                               const double *start, const double *parameter,
                                               double *first)
{
    V k[DOP_STAGES][HAND_N], next_y[HAND_N], lost[HAND_N];
    OWN(memory) s = {.h = (V){0} + 1e-3};
    long next = 0, left = 0, rounds = 0;
    for (int l = 0; l < 4; l++) left += OWN(fill)(&s, l, &next, runs, start, parameter);
    while (left) {
        HAND_RHS(s.p, s.y, k[0]);
        if (hand_any(s.fresh)) {
            V d0 = {0}, d1 = {0};
            for (int i = 0; i < HAND_N; i++) {
                const V per = 1 / (1 + hand_abs(s.y[i]));
                d0 += s.y[i] * per * (s.y[i] * per);
                d1 += k[0][i] * per * (k[0][i] * per);
            }
            s.h = hand_select(s.fresh, 0.01 * hand_sqrt(d0 / d1), s.h);
            s.fresh = (I){0};
        }
        const I last = s.h >= span - s.t;
        const V h = hand_select(last, span - s.t, s.h);
        UNROLL for (int i = 1; i < DOP_STAGES; i++) OWN(stage)(i, h, s.p, s.y, k);
        const V error = OWN(finish)(h, s.y, k, s.carry, next_y, lost, tolerance);
        const V change = hand_max(
            (V){0} + 0.333, hand_min((V){0} + 6.0, 0.9 / hand_sqrt(hand_sqrt(hand_sqrt(error)))));
        const I good = s.live & (error <= 1);
        s.h = hand_select(good, h * hand_select(s.rejected, hand_min(change, (V){0} + 1.0), change),
                          h * hand_select(error > 1, change, (V){0} + 0.1));
        s.rejected = ~good;
        s.t = hand_select(good, s.t + h, s.t);
        for (int i = 0; i < HAND_N; i++) {
            s.y[i] = hand_select(good, next_y[i], s.y[i]);
            s.carry[i] = hand_select(good, lost[i], s.carry[i]);
        }
        rounds++;
        const I done = good & last;
        for (int l = 0; hand_any(done) && l < 4; l++) {
            if (!done[l]) continue;
            first[s.run[l]] = s.y[0][l];
            left -= !OWN(fill)(&s, l, &next, runs, start, parameter);
        }
    }
    return rounds;
}

#undef HAND_JOIN2
#undef HAND_JOIN
#undef OWN
#undef UNROLL
#undef HAND_NAME
#undef HAND_N
#undef HAND_P
#undef HAND_RHS
