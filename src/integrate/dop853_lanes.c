/* integrate/dop853_lanes.c - DOP853 as C for several trajectories at once, one in each lane of a vector (compile/lanes.h
 * has the types), each with its own step size.
 *
 * A round tries one step in every lane. What a lane does depends on its own numbers alone: lanes that are
 * rejected, or empty, are carried along by selection. The first stage is evaluated at the beginning of a round, for
 * lanes that were filled, accepted or rejected alike, so that filling one costs nothing.
 *
 * A stage waits for the one before it, and a right-hand side for its own divisions and sines: one vector leaves the
 * processor idle a third of the time. So a round takes several, stage by stage in turns. */
#include "dop853_table.h"
#include "integrate.h"

static void weighted_sum(text *t, const double *coefficient, int count)
{
    if (!dop853_emit_sum(t, coefficient, count)) text_add(t, "K(0.0)");
}

/* Whether nobody but later stages reads k of a stage: neither the solution, its errors nor the continuous output does. */
static bool is_passing(int stage)
{
    bool read =
        stage >= DOP_STAGES || dop_b[stage] != 0 || dop_e3[stage] != 0 || dop_e5[stage] != 0;
    for (int j = DOP_STAGES; j < DOP_EXTENDED; j++) read = read || dop_a[j][stage] != 0;
    for (int d = 0; d < DOP_DENSE; d++) read = read || dop_d[d][stage] != 0;
    return !read;
}

/* x = (t, y + h Σ a k), where a stage looks: `void atN(V t, V h, const V *y, const V *k, V *x)`, from the first to the last number that
 * is read there; then k of the stage: `I stageN(const V *const *c, V t, V h, const V *y, V *k)`. */
static void emit_stage(text *t, int stage)
{
    text_printf(t,
                "INLINE void at%d(V t, V h, const V *restrict y, const V *restrict k, V *restrict "
                "x)\n{\n  for (int i = FIRST_READ; i < END_READ; i++) x[1 + i] = y[i] + h * (",
                stage);
    weighted_sum(t, dop_a[stage], stage);
    text_add(t, ");\n  x[0] = t + (");
    text_double(t, dop_c[stage], 17);
    text_printf(
        t,
        ") * h;\n}\n"
        "INLINE I stage%d(const V *const *c, V t, V h, const V *restrict y, V *restrict "
        "k)\n{\n  V x[N + 1];\n  at%d(t, h, y, k, x);\n  return f_%s(c, x, k + %d * N);\n}\n",
        stage, stage, is_passing(stage) ? "passing" : "near", stage);
}

static void emit_rows(text *t, const lanes_shape *w)
{
    text_printf(t, "#define N %u\n#define FIRST_READ %u\n#define END_READ %u\n", w->n,
                w->first_read, w->end_read);
#define X(row) text_printf(t, "#define " #row " %d\n", (int) LANE_##row);
    LANE_LIST(X)
#undef X
    text_add(t, "#define Y (s + ROWS)\n#define CARRY (Y + N)\n#define OLD (CARRY + N)\n"
                "#define STAGES (OLD + N)\n#define DENSE (STAGES + 16 * N)\n");
}

/* Beginning and stages of a step are copied where its continuous output is wanted: arrays of their own are quicker. */
static void emit_keep_step(text *t)
{
    text_add(t,
             "static __attribute__((noinline)) void keep_step(V *restrict s, const V *restrict y, "
             "const V *restrict k)\n{\n  for (int i = 0; i < N; i++) {\n    OLD[i] = y[i];\n");
    for (int stage = 0; stage < DOP_STAGES; stage++)
        if (!is_passing(stage))
            text_printf(t, "    STAGES[%d * N + i] = k[%d * N + i];\n", stage, stage);
    text_add(t, "  }\n}\n");
}

/* The coefficients of the continuous output of the last step of each lane, and the state at the part x of it
 * [HNW, II.6]. The state at its end is Y: it may have been moved. */
static void emit_dense(text *t)
{
    for (int stage = 1; stage < DOP_EXTENDED; stage++)
        if (stage != DOP_STAGES) emit_stage(t, stage);
    text_add(t, "static void make_dense(V *restrict s, const V *const *c)\n{\n"
                "  V *const k = STAGES, *const dense = DENSE, *const old = OLD, x[N + 1];\n"
                "  const V t = s[OLD_T], h = s[OLD_H];\n"
                "  x[0] = s[T];\n  for (int i = 0; i < N; i++) x[1 + i] = Y[i];\n");
    text_printf(t, "  f(c, x, k + %d * N);\n", DOP_STAGES);
    for (int stage = DOP_STAGES + 1; stage < DOP_EXTENDED; stage++)
        text_printf(t, "  stage%d(c, t, h, old, k);\n", stage);
    text_printf(t,
                "  for (int i = 0; i < N; i++) {\n"
                "    const V change = Y[i] - old[i];\n"
                "    dense[i] = change;\n"
                "    dense[N + i] = h * k[i] - change;\n"
                "    dense[2 * N + i] = 2.0 * change - h * (k[%d * N + i] + k[i]);\n",
                DOP_STAGES);
    for (int d = 0; d < DOP_DENSE; d++) {
        text_printf(t, "    dense[%d * N + i] = h * (", 3 + d);
        weighted_sum(t, dop_d[d], DOP_EXTENDED);
        text_add(t, ");\n");
    }
    text_printf(t,
                "  }\n}\n"
                "static void dense_at(const V *restrict s, V part, V *restrict x)\n{\n"
                "  const V *const dense = DENSE, rest = 1.0 - part;\n"
                "  x[0] = s[OLD_T] + part * s[OLD_H];\n"
                "  for (int i = 0; i < N; i++) {\n    V y = K(0.0);\n"
                "    for (int d = %d; d >= 0; d--)\n"
                "      y = (y + dense[d * N + i]) * (d %% 2 ? rest : part);\n"
                "    x[1 + i] = OLD[i] + y;\n  }\n}\n",
                3 + DOP_DENSE - 1);
}

/* What steers steps need not be exact. 1/x to 1.2e-4, for x > 0: the bits of a double are nearly its logarithm, and Newton's step
 * has the best numbers for what that leaves. (a/b)^(1/16) to 1 %, for a, b >= 0: the same, and the fraction bent into a power. Divisions and
 * roots took a tenth of a round of the tire. */
static const char rough[] =
    "typedef unsigned long long U __attribute__((vector_size(8 * L), may_alias));\n"
    "#define ONE 0x3ff0000000000000LL\n"
    "INLINE V rough_inverse(V x)\n{\n"
    "  const V r = (V) (0x7fe6a00000000000LL - (I) x);\n"
    "  return r * (1.3933788597789056 - 0.485321937292855 * (x * r));\n}\n"
    "INLINE V rough_root(V a, V b)\n{\n"
    "  const I bits = (I) (((U) a >> 4) - ((U) b >> 4)) + ONE;\n"
    "  const V m = (V) ((bits & 0xfffffffffffffLL) | ONE);\n"
    "  return (V) bits * (1.0 - 0.2354 * ((m - 1.0) * (2.0 - m)));\n}\n";

void dop853_lanes_begin(text *t, const lanes_shape *w)
{
    emit_rows(t, w);
    text_printf(t, "#define VECTORS %u\n#define SIZE %zu\n#define PROGRAMS %u\n", w->vectors,
                w->rows, w->programs);
    text_add(t, rough);
    emit_keep_step(t);
    emit_dense(t);
}

/* The length of the first step: a part of the time in which y changes by its own size [HNW, II.4]. */
static const char first_step[] =
    "  if (any((I) s[FRESH])) {\n"
    "    const I fresh = (I) s[FRESH];\n"
    "    V d0 = K(0.0), d1 = K(0.0);\n"
    "    for (int i = 0; i < N; i++) {\n"
    "      const V per = 1.0 / (atol + rtol * vabs(y[i])), a = y[i] * per, b = k[i] * per;\n"
    "      d0 += a * a;\n      d1 += b * b;\n    }\n"
    "    const V span = s[END] - t;\n"
    "    const V guess = SELECT((d0 > 1e-10) & (d1 > 1e-10), FIRST * vsqrt(d0 / d1), 1e-6 * "
    "vabs(span));\n"
    "    s[H] = SELECT(fresh, vmin(guess, vabs(span)) * vsign(span), s[H]);\n"
    "    s[FRESH] = K(0.0);\n  }\n";

/* The new state, what rounding took from it, and the square of the error, which the tolerance allows to be `most`. The error of third
 * order is what the weights of the solution give less three terms. */
static void emit_finish(text *t)
{
    double difference[DOP_STAGES];
    for (int j = 0; j < DOP_STAGES; j++) difference[j] = dop_b[j] - dop_e3[j];
    for (int j = 0; j < DOP_STAGES; j++)
        if (dop_b[j] != 0 && difference[j] < 1e-15 && difference[j] > -1e-15) difference[j] = 0;
    text_add(t,
             "  V e5 = K(0.0), e3 = K(0.0);\n  for (int i = 0; i < N; i++) {\n    const V sum = ");
    weighted_sum(t, dop_b, DOP_STAGES);
    text_add(t, ";\n    const V d5 = ");
    weighted_sum(t, dop_e5, DOP_STAGES);
    text_add(t, ";\n    const V d3 = sum - (");
    weighted_sum(t, difference, DOP_STAGES);
    text_add(t, ");\n    const V change = h * sum + CARRY[i];\n"
                "    next[i] = y[i] + change;\n"
                "    lost[i] = change - (next[i] - y[i]);\n"
                "    const V per = rough_inverse(atol + rtol * vmax(vabs(y[i]), vabs(next[i])));\n"
                "    const V a = d5 * per, b = d3 * per;\n    e5 += a * a;\n    e3 += b * b;\n  }\n"
                "  const V error = (h * e5) * (h * e5);\n"
                "  const V most = (e5 + 0.01 * e3 + 1e-300) * (double) N;\n");
}

/* What becomes of the lanes: [HNW, II.4], as dop853.c has it; but where the step that would just have met the tolerance
 * became shorter, the next one is expected to become so too [HNW2, IV.8]. With fewer steps that are tried in vain,
 * less need be kept in reserve (0.93, not 0.9): of ten sweeps four take 4 to 12 % fewer steps, three more. */
static const char judge[] =
    "  const I live = (I) s[LIVE], met = (error <= most) & (error < __builtin_inf());\n"
    "  const I accept = live & good & met, reject = live & ~accept;\n"
    "  const V factor = rough_root(most, error), wished = h * factor;\n"
    "  const V trend = vmax(K(0.8), vmin(wished / s[WISHED], K(1.0)));\n"
    "  const V change = vmax(K(0.333), vmin(K(6.0), 0.93 * factor * SELECT(accept, trend, "
    "K(1.0))));\n"
    "  s[WISHED] = SELECT(accept, wished, s[WISHED]);\n"
    "  const V grow = SELECT((I) s[REJECTED], vmin(change, K(1.0)), change);\n"
    "  const V shrink = SELECT(good & (error > most), change, K(0.1));\n"
    "  s[H] = SELECT(accept, h * grow, SELECT(reject, h * shrink, s[H]));\n"
    "  s[REJECTED] = (V) ((I) s[REJECTED] & ~accept | reject);\n"
    "  s[OLD_T] = SELECT(accept, t, s[OLD_T]);\n  s[OLD_H] = SELECT(accept, h, s[OLD_H]);\n"
    "  s[T] = SELECT(accept, SELECT(last, s[END], t + h), t);\n"
    "  for (int i = 0; i < N; i++) {\n"
    "    Y[i] = SELECT(accept, next[i], y[i]);\n"
    "    CARRY[i] = SELECT(accept, lost[i], CARRY[i]);\n  }\n"
    "  s[STEPS] += SELECT(live, K(1.0), K(0.0));\n"
    "  I trouble = reject & (vabs(s[H]) <= 2.3e-15 * vabs(t));\n"
    "  trouble |= live & ((s[STEPS] > limit) | ~(s[T] == s[T]));\n";

/* What is known of a step while its stages are worked out. */
static const char step[] =
    "typedef struct step {\n  V k[12 * N], y[N], t, h;\n  I good, last;\n} step;\n";

static void emit_begin(text *t)
{
    text_add(t, "#define FIRST 0.03\n"
                "INLINE void begin_step(V *restrict s, const V *const *c, const double *par, step "
                "*restrict w)\n{\n"
                "  const double rtol = par[0], atol = par[1];\n"
                "  V *const k = w->k, *const y = w->y, x[N + 1];\n  const V t = s[T];\n"
                "  x[0] = t;\n  for (int i = 0; i < N; i++) x[1 + i] = y[i] = Y[i];\n"
                "  w->good = f(c, x, k);\n");
    text_add(t, first_step);
    text_add(t, "  const V left = s[END] - t;\n"
                "  const I last = vabs(s[H]) >= vabs(left) * (1 - 1e-12);\n"
                "  w->t = t;\n  w->last = last;\n  w->h = SELECT(last, left, s[H]);\n}\n");
}

static void emit_end(text *t, const char *after)
{
    text_add(t, "INLINE void end_step(V *restrict s, const V *const *c, const double *par, step "
                "*restrict w)\n{\n"
                "  const double rtol = par[0], atol = par[1], limit = par[2];\n"
                "  const V t = w->t, h = w->h, *const k = w->k, *const y = w->y;\n"
                "  const I good = w->good, last = w->last;\n  V next[N], lost[N];\n");
    emit_finish(t);
    text_add(t, judge);
    if (after) text_printf(t, "  trouble |= accept & %s(s, c, par, accept, y, k);\n", after);
    text_add(t, "  if (par[6] != 0) keep_step(s, y, k);\n"
                "  s[ACCEPTED] = (V) accept;\n  s[TROUBLE] = (V) trouble;\n"
                "  s[DONE] = (V) (accept & last & ~trouble);\n}\n");
}

void dop853_lanes_end(text *t, const char *after)
{
    text_add(t, step);
    emit_begin(t);
    emit_end(t, after);
    text_add(t, "#define EACH_VECTOR for (int g = 0; g < VECTORS; g++)\n"
                "static I round_of(V *restrict s, const V *const *c, const double *par)\n{\n"
                "  step w[VECTORS];\n  I ended = ~ALL;\n"
                "  EACH_VECTOR begin_step(s + g * SIZE, c + g * PROGRAMS, par, w + g);\n");
    for (int stage = 1; stage < DOP_STAGES; stage++)
        text_printf(t,
                    "  EACH_VECTOR w[g].good &= stage%d(c + g * PROGRAMS, w[g].t, w[g].h, w[g].y, "
                    "w[g].k);\n",
                    stage);
    text_add(
        t, "  EACH_VECTOR {\n    end_step(s + g * SIZE, c + g * PROGRAMS, par, w + g);\n"
           "    ended |= (I) s[g * SIZE + DONE] | (I) s[g * SIZE + TROUBLE];\n  }\n"
           "  return ended;\n}\n"
           "void rounds(double *memory, const double *const *c, const double *par, int most)\n{\n"
           "  while (most-- > 0 && !any(round_of((V *) memory, (const V *const *) c, par)));\n}\n"
           "unsigned which(const double *memory, int row)\n{\n  unsigned all = 0;\n"
           "  EACH_VECTOR all |= (unsigned) bits(((const I *) memory)[g * SIZE + row]) << g * L;\n"
           "  return all;\n}\n"
           "void dense(double *memory, const double *const *c, const double *par)\n{\n  (void) "
           "par;\n"
           "  EACH_VECTOR make_dense((V *) memory + g * SIZE, (const V *const *) c + g * "
           "PROGRAMS);\n}\n");
}
