/* many/motion_lanes.c - several motions at once. */
#include "motion_lanes.h"

#include <math.h>
#include <string.h>

/* In the order in which the compiled code has their constants. */
static const motion_program used[] = {MOTION_RHS,  MOTION_PLACES,  MOTION_VELOCITIES,
                                      MOTION_RANK, MOTION_OUTPUTS, MOTION_EVENTS};
enum { USED = sizeof used / sizeof *used, PARAMETERS = 8 };
/* Two vectors go together while the stages of both have room in the fastest memory. */
enum { VECTORS_MOST = 2, VECTORS_BELOW = 28 };

typedef void lanes_rounds(double *memory, const double *const *c, const double *par, int most);
typedef unsigned lanes_which(const double *memory, int row);
typedef void lanes_call(double *memory, const double *const *c, const double *par);
typedef void lanes_formulas(double *memory, const double *const *c, const double *part,
                            double *out);

struct motion_lanes {
    const motion_code *code;
    const lanes_kind *kind;
    lanes_shape shape;
    double *memory; /* integrate.h */
    double
        *lane[MOTION_LANES_MOST];   /* the first number of each in it; the next is a width behind */
    double *c[VECTORS_MOST * USED]; /* constants, all lanes of one after the other */
    program_work *work[USED];
    uint64_t version[USED];                   /* of what is in `work`: counted when it changes */
    uint64_t filled[MOTION_LANES_MOST][USED]; /* the version that is in a lane's constants */
    double par[PARAMETERS];
    lanes_rounds *rounds;
    lanes_which *which;
    lanes_call *enter, *finish, *dense;
    lanes_formulas *look[USED];
};

/* ---- The code -------------------------------------------------------------------------------- */

static const program *program_of(const motion_code *c, int k)
{
    return c->program[used[k]];
}

/* Where the relative residuals of part k, `first` the place of what moves in y, are beyond the bound, one step of Newton's
 * method. Only the residuals are worked out where no lane is. */
static void emit_projection(const motion_code *c, text *t, int k, uint32_t first)
{
    const program *p = program_of(c, k);
    const uint32_t rows = c->residuals[used[k]];
    text_printf(t, "  {\n    V out[%zu];\n    I bad = ~ALL;\n    p%d_first(c[%d], x, out);\n",
                p->outputs + 1, k, k);
    for (uint32_t i = 0; i < rows; i++)
        text_printf(t, "    bad |= ~(out[%u] <= bound * out[%u]);\n", 2 * i, 2 * i + 1);
    text_printf(t,
                "    bad &= which;\n"
                "    if (any(bad)) {\n"
                "      const I good = p%d(c[%d], x, out);\n"
                "      for (int i = 0; i < %u; i++) {\n"
                "        Y[%u + i] = x[%u + i] = SELECT(bad, out[%u + i], Y[%u + i]);\n"
                "        CARRY[%u + i] = SELECT(bad, K(0.0), CARRY[%u + i]);\n"
                "      }\n      trouble |= bad & ~good;\n    }\n  }\n",
                k, k, c->n, first, first + 1, 2 * rows, first, first, first);
}

static bool moves(const motion_code *c, int k)
{
    return (k == 1 || k == 2) && program_of(c, k);
}

static void emit_project(const motion_code *c, text *t)
{
    text_add(t, "INLINE I project(V *s, const V *const *c, double bound, I which)\n{\n"
                "  V x[N + 1];\n  I trouble = ~ALL;\n  x[0] = s[T];\n"
                "  for (int i = 0; i < N; i++) x[1 + i] = Y[i];\n");
    if (moves(c, 1)) emit_projection(c, t, 1, 0);
    if (moves(c, 2)) emit_projection(c, t, 2, c->n);
    text_add(t, "  return trouble;\n}\n");
}

/* The largest residual of all: whether it is admissible. */
static void emit_admissible(const motion_code *c, text *t)
{
    text_add(t, "INLINE I admissible(V *s, const V *const *c, double bound)\n{\n"
                "  V x[N + 1];\n  I good = ALL;\n  x[0] = s[T];\n"
                "  for (int i = 0; i < N; i++) x[1 + i] = Y[i];\n");
    for (int k = 1; k <= 2; k++) {
        if (!moves(c, k)) continue;
        text_printf(t, "  V out%d[%zu];\n  p%d_first(c[%d], x, out%d);\n", k,
                    program_of(c, k)->outputs + 1, k, k, k);
        for (uint32_t i = 0; i < c->residuals[used[k]]; i++)
            text_printf(t, "  good &= out%d[%u] <= bound * out%d[%u];\n", k, 2 * i, k, 2 * i + 1);
    }
    text_add(t, "  return good;\n}\n");
}

/* Ranks, as motion_singular.c has them: A, the weights of its columns, D; the rows' lengths at the start are in SCALE. While √D,
 * changing five times as fast as it did lately, cannot come down to zero and up again within a step, D at its ends is all that is
 * worked out. Otherwise a closer look: the minors cannot turn over between two places where A changes by less than its least
 * singular value; of few rows their angle is worked out. Where D does not dip between them, the places at which four stages of the step
 * looked will do. */
static const char rank_code[] =
    "#define RECENT (DENSE + 8 * N)\n#define LAST_D (RECENT + 1)\n#define SLOPE (RECENT + 2)\n"
    "#define SCALES (RECENT + 3)\n#define SCALE (RECENT + 4)\n#define LAST_A (SCALE + R)\n"
    /* what p3 gives: A, masses, D */
    "#define RANK (R * Q + Q + 1)\n#define MASS (R * Q)\n#define SQUARE (R * Q + Q)\n"
    "INLINE I rank_at(const V *s, const V *const *c, const V *x, V *r)\n{\n"
    "  const I good = p3(c[3], x, r);\n  r[SQUARE] *= *SCALES;\n  return good;\n}\n"
    "INLINE void weigh(const V *r, V *W)\n{\n"
    "  for (int j = 0; j < Q; j++) {\n    const V m = r[MASS + j];\n"
    "    W[j] = SELECT(m > 0.0, WEIGHT(m), K(1.0));\n  }\n}\n"
    "#if R == 1\n#define DETERMINANT g[0][0]\n"
    "#elif R == 2\n#define DETERMINANT (g[0][0] * g[1][1] - g[0][1] * g[1][0])\n"
    "#elif R == 3\n#define DETERMINANT \\\n"
    "  (g[0][0] * (g[1][1] * g[2][2] - g[1][2] * g[2][1]) - \\\n"
    "   g[0][1] * (g[1][0] * g[2][2] - g[1][2] * g[2][0]) + \\\n"
    "   g[0][2] * (g[1][0] * g[2][1] - g[1][1] * g[2][0]))\n#endif\n"
    /* from B, where D was as given, to A, the beginning of what p3 gave */
    "INLINE I may_turn(const V *s, const V *A, const V *B, V D)\n{\n"
    "  V W[Q], change = K(0.0), all = K(0.0), bound = 0.25 * D;\n  weigh(A, W);\n"
    "  for (int i = 0; i < R; i++)\n    for (int j = 0; j < Q; j++) {\n"
    "      const V d = A[i * Q + j] - B[i * Q + j], w = W[j] * SCALE[i];\n"
    "      change += w * d * d;\n      all += w * B[i * Q + j] * B[i * Q + j];\n    }\n"
    "  for (int i = 1; i < R; i++) bound *= (R - 1) / all;\n"
    "  const I may = ~(change <= bound);\n"
    "#if R <= 3\n"
    "  if (!any(may)) return may;\n"
    "  V g[3][3];\n"
    "  for (int i = 0; i < R; i++)\n    for (int k = 0; k < R; k++) {\n      g[i][k] = K(0.0);\n"
    "      for (int j = 0; j < Q; j++) g[i][k] += A[i * Q + j] * B[k * Q + j] * W[j];\n    }\n"
    "  return may & ~(DETERMINANT > 0.0);\n"
    "#else\n"
    "  return may;\n"
    "#endif\n}\n"
    "typedef struct look {\n  const V *A;\n  V D, least, r[2][RANK];\n  int next;\n} look;\n"
    "static __attribute__((noinline)) I look_once(const V *s, const V *const *c, const V *x, look "
    "*l)\n{\n"
    "  V *const r = l->r[l->next];\n"
    "  I lost = ~rank_at(s, c, x, r);\n"
    "  lost |= ~(r[SQUARE] > l->least) | may_turn(s, r, l->A, l->D);\n"
    "  l->A = r;\n  l->D = r[SQUARE];\n  l->next = !l->next;\n"
    "  return lost;\n}\n"
    "INLINE void look_first(const V *s, look *l)\n{\n"
    "  l->A = LAST_A;\n  l->D = *LAST_D * *LAST_D;\n  l->least = NEAR * *RECENT;\n  l->next = "
    "0;\n}\n"
    "INLINE I look_at(V *s, const V *const *c, I which)\n{\n"
    "  V x[N + 1];\n  look l;\n  I lost = ~ALL;\n  look_first(s, &l);\n"
    "  for (int i = 1; i <= LOOKS; i++) {\n"
    "    dense_at(s, K(i / (double) LOOKS), x);\n    lost |= look_once(s, c, x, &l);\n  }\n"
    "  return lost & which;\n}\n"
    "INLINE I glance(const V *s, const V *const *c, I which, const V *y, const V *k, V D)\n{\n"
    "  V x[N + 1];\n  look l;\n  look_first(s, &l);\n"
    "  l.least = vmax(l.least, 0.5 * vmin(l.D, D));\n"
    "#define GLANCE(stage) at##stage(s[OLD_T], s[OLD_H], y, k, x), look_once(s, c, x, &l)\n"
    "  I lost = (GLANCE(3));\n  lost |= (GLANCE(5));\n  lost |= (GLANCE(9));\n  lost |= "
    "(GLANCE(10));\n"
    "  x[0] = s[T];\n  for (int i = 0; i < N; i++) x[1 + i] = Y[i];\n"
    "  return which & (lost | look_once(s, c, x, &l));\n}\n"
    "static __attribute__((noinline)) I look_closely(V *s, const V *const *c, I which, const V *y, "
    "const V *k, V D)\n{\n"
    "  which = glance(s, c, which, y, k, D);\n  if (!any(which)) return which;\n"
    "  keep_step(s, y, k);\n  make_dense(s, c);\n"
    "  return look_at(s, c, which);\n}\n"
    "INLINE void keep_rank(V *s, const V *r, V root, I which)\n{\n"
    "  *LAST_D = SELECT(which, root, *LAST_D);\n"
    "  for (int j = 0; j < R * Q; j++) LAST_A[j] = SELECT(which, r[j], LAST_A[j]);\n}\n"
    /* LAST_D is √D; SLOPE < 0: this is the first step */
    "INLINE I watch_rank(V *s, const V *const *c, I accepted, const V *y, const V *k)\n{\n"
    "  V x[N + 1], r[RANK];\n  x[0] = s[T];\n"
    "  for (int i = 0; i < N; i++) x[1 + i] = Y[i];\n"
    "  const I lost = ~rank_at(s, c, x, r);\n"
    "  const V D = r[SQUARE], h = vabs(s[OLD_H]), a = *LAST_D, b = vsqrt(D);\n"
    "  const V slope = vmax(0.9 * *SLOPE, vabs(b - a) * rough_inverse(h)), recent = vmax(0.9 * "
    "*RECENT, D);\n"
    "  I suspect = accepted & (lost | ~(a + b > 5.0 * slope * h) | (*SLOPE < 0.0));\n"
    "  if (any(suspect))\n"
    "    suspect &= lost | may_turn(s, r, LAST_A, a * a) | ~(vmin(D, a * a) >= 0.2 * recent);\n"
    "  *RECENT = SELECT(accepted, recent, *RECENT);\n  *SLOPE = SELECT(accepted, slope, *SLOPE);\n"
    "  if (any(suspect)) suspect = look_closely(s, c, suspect, y, k, D);\n"
    "  keep_rank(s, r, b, accepted);\n"
    "  return suspect;\n}\n"
    "INLINE I begin_rank(V *s, const V *const *c, I fresh)\n{\n"
    "  V x[N + 1], r[RANK], W[Q], scales = K(1.0);\n  x[0] = s[T];\n"
    "  for (int i = 0; i < N; i++) x[1 + i] = Y[i];\n"
    "  *SCALES = SELECT(fresh, K(1.0), *SCALES);\n"
    "  const I good = rank_at(s, c, x, r);\n  weigh(r, W);\n"
    "  for (int i = 0; i < R; i++) {\n    V length = K(0.0);\n"
    "    for (int j = 0; j < Q; j++) length += W[j] * r[i * Q + j] * r[i * Q + j];\n"
    "    SCALE[i] = SELECT(fresh, 1.0 / length, SCALE[i]);\n    scales *= SCALE[i];\n  }\n"
    "  *SCALES = SELECT(fresh, scales, *SCALES);\n"
    "  const V D = r[SQUARE] * scales;\n"
    "  keep_rank(s, r, vsqrt(D), fresh);\n  *RECENT = SELECT(fresh, D, *RECENT);\n"
    "  *SLOPE = SELECT(fresh, K(-1.0), *SLOPE);\n"
    "  return ~(good & (D > 1e-20));\n}\n";

static bool watches_rank(const motion_code *c)
{
    return c->program[MOTION_RANK] != NULL;
}

/* Whether a rank that is there at the start is there for ever: D, the determinant, is a constant over what is finite. */
static bool keeps_rank(const motion_code *c)
{
    return lanes_keep_from_zero(c->program[MOTION_RANK], (size_t) c->rank_rows * c->n + c->n);
}

static void emit_rank(const motion_code *c, text *t)
{
    if (!watches_rank(c)) return;
    text_printf(
        t, "#define R %u\n#define Q %u\n#define WEIGHT(m) (%sm)\n#define LOOKS %d\n#define NEAR ",
        c->rank_rows, c->n, c->rank_of_psi ? "" : "1.0 / ", LANES_LOOKS);
    text_double(t, LANES_RANK, 17);
    text_char(t, '\n');
    text_add(t, rank_code);
}

static void emit_after(const motion_code *c, text *t)
{
    text_add(t, "INLINE I after(V *s, const V *const *c, const double *par, I accepted, const V "
                "*y, const V "
                "*k)\n{\n"
                "  I trouble = ~ALL;\n");
    if (moves(c, 1) || moves(c, 2)) text_add(t, "  trouble |= project(s, c, par[3], accepted);\n");
    if (watches_rank(c) && !keeps_rank(c))
        text_add(t, "  trouble |= watch_rank(s, c, accepted, y, k);\n");
    text_add(t, "  return trouble;\n}\n"
                "static void enter_vector(V *s, const V *const *c, const double *par)\n{\n"
                "  I trouble = ~admissible(s, c, par[4]);\n");
    if (watches_rank(c)) text_add(t, "  trouble |= begin_rank(s, c, (I) s[FRESH]);\n");
    text_add(t, "  s[TROUBLE] = (V) (trouble & (I) s[FRESH]);\n}\n"
                "static void finish_vector(V *s, const V *const *c, const double *par)\n{\n"
                "  I trouble = ~ALL;\n"
                "  for (int i = 0; i < 3 && any(~admissible(s, c, par[5]) & (I) s[DONE]); i++)\n"
                "    trouble |= project(s, c, par[5], (I) s[DONE]);\n"
                "  trouble |= ~admissible(s, c, par[4]);\n"
                "  s[TROUBLE] = (V) (trouble & (I) s[DONE]);\n}\n");
}

/* `void NAME(memory, c, par)` for the vectors in which a lane says `which`. */
static void emit_call(text *t, const char *name, const char *which)
{
    text_printf(
        t,
        "void %s(double *memory, const double *const *c, const double *par)\n{\n"
        "  EACH_VECTOR {\n    V *const s = (V *) memory + g * SIZE;\n"
        "    if (any((I) s[%s])) %s_vector(s, (const V *const *) c + g * PROGRAMS, par);\n  }\n}\n",
        name, which, name);
}

/* Program k at a part of the last step, or at the state where part is NULL. */
static void emit_look(const motion_code *c, text *t, int k)
{
    const size_t outputs = program_of(c, k)->outputs;
    text_printf(
        t,
        "void look%d(double *memory, const double *const *c, const double *part, double *out)\n{\n"
        "  EACH_VECTOR {\n    V x[N + 1], y[%zu];\n    V *const s = (V *) memory + g * SIZE;\n"
        "    if (part) {\n      dense_at(s, ((const V *) part)[g], x);\n    } else {\n"
        "      x[0] = s[T];\n      for (int i = 0; i < N; i++) x[1 + i] = Y[i];\n    }\n"
        "    const I good = p%d((const V *) c[g * PROGRAMS + %d], x, y);\n"
        "    for (int i = 0; i < %zu; i++)\n"
        "      ((V *) out)[i * VECTORS + g] = SELECT(good, y[i], K(__builtin_nan(\"\")));\n"
        "  }\n}\n",
        k, outputs + 1, k, k, outputs);
}

/* Numbers of the state that nobody reads on the way are idle, such as where a wheel is. */
static bool is_idle(const motion_code *c, uint32_t i)
{
    const program *rank = c->program[MOTION_RANK];
    return !lanes_read(program_of(c, 0), 1 + i) && !(rank && lanes_read(rank, 1 + i));
}

/* Stages work out the numbers between the first and the last that is not idle (of the tire's eight six: a fourteenth of the time). */
static void find_read(const motion_code *c, lanes_shape *out)
{
    const uint32_t n = c->n + c->m;
    out->first_read = 0;
    out->end_read = n;
    while (out->first_read < n && is_idle(c, out->first_read)) out->first_read++;
    while (out->end_read > out->first_read && is_idle(c, out->end_read - 1)) out->end_read--;
}

/* Derivatives of idle numbers are idle in the stages that only later stages read. Of 24 sines and cosines in a step of the tire
 * that saves four. */
static void emit_rhs(const motion_code *c, text *t, arena *a)
{
    const program *rhs = program_of(c, 0);
    bool *idle = NEW_ARRAY(a, bool, c->n + c->m + 1);
    for (uint32_t i = 0; i < c->n + c->m; i++) idle[i] = is_idle(c, i);
    lanes_emit_near(rhs, t, "p0");
    lanes_emit_passing(rhs, t, "p0", idle);
    text_add(t, "INLINE I f(const V *const *c, const V *x, V *dy) { return p0(c[0], x, dy); }\n");
    static const char *const kinds[] = {"near", "passing"};
    for (int k = 0; k < 2; k++)
        text_printf(t,
                    "INLINE I f_%s(const V *const *c, const V *x, V *dy)\n{\n"
                    "  return p0_%s(c[0], x, dy);\n}\n",
                    kinds[k], kinds[k]);
}

static const char *write_code(const motion_lanes *w, arena *a)
{
    const motion_code *c = w->code;
    text t = text_begin(a);
    lanes_prelude(&t, w->kind);
    for (int k = 0; k < USED; k++) {
        char name[16];
        snprintf(name, sizeof name, "p%d", k);
        if (program_of(c, k)) lanes_emit(program_of(c, k), &t, name);
        if (moves(c, k)) lanes_emit_first(program_of(c, k), &t, name, 2 * c->residuals[used[k]]);
    }
    emit_rhs(c, &t, a);
    dop853_lanes_begin(&t, &w->shape);
    emit_project(c, &t);
    emit_admissible(c, &t);
    emit_rank(c, &t);
    emit_after(c, &t);
    dop853_lanes_end(&t, "after");
    emit_call(&t, "enter", "FRESH");
    emit_call(&t, "finish", "DONE");
    for (int k = 4; k < USED; k++)
        if (program_of(c, k)) emit_look(c, &t, k);
    return text_end(&t);
}

/* ---- Which systems --------------------------------------------------------------------------- */

static uint32_t expected_rank(const ah_system *s)
{
    const motion_code *c = system_code(s);
    return c->frame ? c->n : c->rank_of_psi ? c->m : system_equations(s)->eq->mech->rank;
}

/* sin φ of a coordinate is as smooth as its motion, which the steps follow. */
static bool is_narrow(const ah_model *m, ah_expr g)
{
    ah_ctx *ctx = m->ctx;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    for (uint32_t i = 0; i < m->n; i++) {
        const ah_expr of[] = {expr_call1(ctx, AH_SIN, m->q.at[i]),
                              expr_call1(ctx, AH_COS, m->q.at[i])};
        const ah_expr by[] = {m->q.at[i], m->q.at[i]};
        g = expr_subst(ctx, g, 2, of, by);
    }
    arena_release(&ctx->scratch, mark);
    return motion_narrow_may(ctx, g);
}

/* Variables far smaller than one: their motions have tolerances of their own (motion_run.c). */
static bool has_small_units(ah_model *m)
{
    for (uint32_t i = 0; i < m->n; i++)
        if (model_size(m, m->q.at[i]) < 1 || model_size(m, m->v.at[i]) < 1) return true;
    return false;
}

static const char *unfit(const ah_system *s, bool formulas)
{
    const motion_code *c = system_code(s);
    ah_model *m = system_model(s);
    const ah_equations *eq = system_equations(s)->eq;
    const mechanics *mech = eq->mech;
    const chart *chosen = eq->independent_of;
    if (system_switches(s)) return "forces switch";
    if (motion_pulses_may(m)) return "a function of time or places may come and go within a step";
    if (engine_get_kind(c->engine) != ENGINE_CC) return "the equations are not compiled by cc";
    if (!c->program[MOTION_RHS] || eq->branches) return "the equations have no closed formula";
    if (!lanes_are_smooth(c->program[MOTION_RHS])) return "the equations are not smooth";
    if (chosen && !c->psi && chosen->m != c->n)
        return "the independent velocities are chosen on the way";
    if (mech->r > mech->rank) return "constraints are redundant";
    if (mech->holonomic && !c->program[MOTION_PLACES]) return "projection has no formula";
    if (mech->r && !c->psi && !c->program[MOTION_VELOCITIES]) return "projection has no formula";
    if (c->program[MOTION_RANK] && c->rank_rows != expected_rank(s)) return "ranks are redundant";
    if (formulas && !c->program[MOTION_OUTPUTS]) return "an output has no formula";
    if (m->events.count &&
        (!c->program[MOTION_EVENTS] || system_get_events(s)->count != m->events.count))
        return "an event has no formula";
    if (has_small_units(system_model(s))) return "units are far from ordinary ones";
    for (size_t i = 0; i < m->events.count; i++)
        if (is_narrow(m, m->events.at[i].e)) return "an event may come and go within a step";
    return NULL;
}

/* ---- Life ------------------------------------------------------------------------------------ */

/* On a place where vectors may lie. */
static double *aligned(arena *a, size_t count)
{
    char *at = arena_alloc(a, (count + 8) * sizeof(double));
    memset(at, 0, (count + 8) * sizeof(double));
    return (double *) (void *) (at + (64 - (uintptr_t) at % 64) % 64);
}

static void find_code(motion_lanes *w, const engine_library *l)
{
    union {
        void *object;
        lanes_rounds *rounds;
        lanes_which *which;
        lanes_call *call;
        lanes_formulas *formulas;
    } x; /* see compile/engine.c */
    x.object = engine_library_find(l, "rounds");
    w->rounds = x.rounds;
    x.object = engine_library_find(l, "which");
    w->which = x.which;
    x.object = engine_library_find(l, "enter");
    w->enter = x.call;
    x.object = engine_library_find(l, "finish");
    w->finish = x.call;
    x.object = engine_library_find(l, "dense");
    w->dense = x.call;
    for (int k = 4; k < USED; k++) {
        char name[16];
        snprintf(name, sizeof name, "look%d", k);
        x.object = engine_library_find(l, name);
        w->look[k] = x.formulas;
    }
}

static void make_constants(motion_lanes *w, arena *a)
{
    const unsigned width = w->kind->width;
    for (int k = 0; k < USED; k++) {
        const program *p = program_of(w->code, k);
        if (!p) continue;
        w->work[k] = program_work_create(p, a, 0);
        for (unsigned g = 0; g < w->shape.vectors; g++) {
            double *c = w->c[g * USED + (unsigned) k] =
                aligned(a, (p->constants.count + 1) * width);
            for (size_t i = 0; i < p->constants.count * width; i++)
                c[i] = p->constants.at[i / width];
        }
    }
}

motion_lanes *motion_lanes_create(const ah_system *s, arena *a, const lanes_kind *kind,
                                  const ivp_options *o, bool formulas, const char **why)
{
    *why = unfit(s, formulas);
    if (*why) return NULL;
    motion_lanes *w = NEW(a, motion_lanes);
    const motion_code *c = w->code = system_code(s);
    const uint32_t n = c->n + c->m;
    const size_t ranks = watches_rank(c) ? 4 + c->rank_rows * (1 + (size_t) c->n) : 0;
    w->kind = kind;
    w->shape = (lanes_shape){.n = n,
                             .vectors = n < VECTORS_BELOW ? VECTORS_MOST : 1,
                             .rows = LANE_ROWS + LANE_VECTORS(n) + ranks,
                             .programs = USED};
    find_read(c, &w->shape);
    const engine_library *l = engine_library_create(system_model(s)->ctx, a, write_code(w, a));
    *why = "the compiler does not know vectors";
    if (!l) return NULL;
    find_code(w, l);
    w->memory = aligned(a, w->shape.rows * motion_lanes_count(w));
    for (unsigned i = 0; i < motion_lanes_count(w); i++)
        w->lane[i] = w->memory + i / kind->width * w->shape.rows * kind->width + i % kind->width;
    make_constants(w, a);
    w->par[0] = o->rtol;
    w->par[1] = o->atol;
    w->par[2] = o->most_steps && o->most_steps < LANES_STEPS ? (double) o->most_steps : LANES_STEPS;
    w->par[3] = fmax(MOTION_RESIDUAL, LANES_RESIDUAL * o->rtol);
    w->par[4] = POINT_ADMISSIBLE;
    w->par[5] = MOTION_RESIDUAL;
    *why = NULL;
    return w;
}

unsigned motion_lanes_count(const motion_lanes *w)
{
    return w->kind->width * w->shape.vectors;
}

/* ---- Lanes ----------------------------------------------------------------------------------- */

static double *place(const motion_lanes *w, size_t row, unsigned lane)
{
    return w->lane[lane] + row * w->kind->width;
}

static void say(motion_lanes *w, lane_row what, unsigned lane, bool yes)
{
    const uint64_t bits = yes ? UINT64_MAX : 0;
    memcpy(place(w, what, lane), &bits, sizeof bits);
}

unsigned motion_lanes_which(const motion_lanes *w, lane_row what)
{
    return w->which(w->memory, (int) what);
}

double motion_lanes_get(const motion_lanes *w, lane_row what, unsigned lane)
{
    return *place(w, what, lane);
}

/* What depends on parameters alone; the next run often has the same ones, and other starts. false: no such system. */
static bool set_constants(motion_lanes *w, int k, const double *parameter)
{
    const program *p = program_of(w->code, k);
    if (w->version[k] && program_is_set(p, w->work[k], parameter)) return w->work[k]->valid;
    w->version[k]++;
    return program_prepare(p, w->work[k], parameter);
}

static bool fill_constants(motion_lanes *w, unsigned lane, const double *parameter)
{
    const unsigned width = w->kind->width, vector = lane / width, within = lane % width;
    for (int k = 0; k < USED; k++) {
        const program *p = program_of(w->code, k);
        if (!p) continue;
        if (!set_constants(w, k, parameter)) return false;
        if (w->filled[lane][k] == w->version[k]) continue;
        w->filled[lane][k] = w->version[k];
        double *c = w->c[vector * USED + (unsigned) k] + within;
        for (size_t i = p->numbers; i < p->constants.count; i++)
            c[i * width] = w->work[k]->constant[i];
    }
    return true;
}

bool motion_lanes_fill(motion_lanes *w, unsigned lane, const double *parameter, double t,
                       double end, const double *y)
{
    if (!fill_constants(w, lane, parameter)) return false;
    for (uint32_t i = 0; i < w->shape.n; i++) {
        *place(w, LANE_ROWS + i, lane) = y[i];
        *place(w, LANE_ROWS + w->shape.n + i, lane) = 0;
    }
    *place(w, LANE_T, lane) = *place(w, LANE_OLD_T, lane) = t;
    *place(w, LANE_END, lane) = end;
    *place(w, LANE_H, lane) = *place(w, LANE_OLD_H, lane) = *place(w, LANE_STEPS, lane) = 0;
    *place(w, LANE_WISHED, lane) = 0;
    say(w, LANE_FRESH, lane, true);
    say(w, LANE_LIVE, lane, true);
    say(w, LANE_REJECTED, lane, false);
    say(w, LANE_DONE, lane, false);
    say(w, LANE_TROUBLE, lane, false);
    return t != end;
}

void motion_lanes_enter(motion_lanes *w)
{
    w->enter(w->memory, (const double *const *) w->c, w->par);
}

void motion_lanes_empty(motion_lanes *w, unsigned lane)
{
    say(w, LANE_LIVE, lane, false);
    say(w, LANE_FRESH, lane, false);
    say(w, LANE_DONE, lane, false);
    say(w, LANE_TROUBLE, lane, false);
}

void motion_lanes_go(motion_lanes *w, int most, bool looked_at)
{
    w->par[6] = looked_at;
    w->rounds(w->memory, (const double *const *) w->c, w->par, most);
}

void motion_lanes_finish(motion_lanes *w)
{
    w->finish(w->memory, (const double *const *) w->c, w->par);
}

void motion_lanes_outputs(motion_lanes *w, double *out)
{
    if (w->look[4]) w->look[4](w->memory, (const double *const *) w->c, NULL, out);
}

void motion_lanes_dense(motion_lanes *w)
{
    w->dense(w->memory, (const double *const *) w->c, w->par);
}

void motion_lanes_look(motion_lanes *w, motion_program which, const double *part, double *out)
{
    for (int k = 4; k < USED; k++)
        if (used[k] == which && w->look[k])
            w->look[k](w->memory, (const double *const *) w->c, part, out);
}

/* ---- Beginnings ------------------------------------------------------------------------------ */

static ah_expr value_at_start(const ah_model *m, ah_expr symbol)
{
    for (size_t i = m->start.count; i-- > 0;)
        if (m->start.at[i].symbol == symbol) return m->start.at[i].value;
    return AH_NONE;
}

/* s_i, one of the state's own speeds, where all velocities are given: its definition. */
static ah_expr speed_by_velocities(const ah_system *s, ah_expr speed)
{
    const ah_model *m = system_model(s);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        if (m->quasivelocities.at[i].symbol == speed) return m->quasivelocities.at[i].definition;
    return AH_NONE;
}

static bool push(arena *a, expr_list *out, ah_expr e)
{
    LIST_PUSH(a, out, e);
    return e != AH_NONE;
}

/* t, q and s at the start: all of it is given, and nothing else that would have to agree with it; or the velocities are, and s
 * follows. Then what ψ(q, s, t) gives in their place comes behind the end of the span, with the velocities. */
static bool list_start(const ah_system *s, arena *a, expr_list *out)
{
    const ah_model *m = system_model(s);
    const motion_code *c = system_code(s);
    const ah_expr at = value_at_start(m, expr_time(m->ctx));
    const size_t known = c->n + c->m + (at != AH_NONE);
    const bool by_velocities = c->psi && value_at_start(m, c->second[0]) == AH_NONE;
    bool all = push(a, out, at != AH_NONE ? at : m->t0 != AH_NONE ? m->t0 : expr_int(m->ctx, 0));
    for (uint32_t i = 0; i < c->n; i++) all = push(a, out, value_at_start(m, m->q.at[i])) && all;
    for (uint32_t i = 0; i < c->m; i++)
        all = push(a, out,
                   by_velocities ? speed_by_velocities(s, c->second[i])
                                 : value_at_start(m, c->second[i])) &&
              all;
    all = push(a, out, m->t1) && all;
    for (uint32_t i = 0; by_velocities && i < c->n; i++) {
        all = value_at_start(m, m->v.at[i]) != AH_NONE && all;
        all = push(a, out, c->psi[i]) && push(a, out, m->v.at[i]) && all;
    }
    return all && m->start.count == (by_velocities ? 2 * (size_t) c->n + (at != AH_NONE) : known);
}

const program *motion_start_program(const ah_system *s, arena *a)
{
    const ah_model *m = system_model(s);
    const motion_code *c = system_code(s);
    const frame *none = frame_create(m->ctx, a, NAN);
    expr_list out = {0};
    recipe r;
    if (system_switches(s) || !list_start(s, a, &out)) return NULL;
    recipe_init(&r, m->ctx, a, NULL, none);
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].value != AH_NONE &&
            expr_depends_kind(m->ctx, m->parameters.at[i].value, AH_PARAMETER))
            recipe_define(&r, m->parameters.at[i].symbol, m->parameters.at[i].value);
    for (size_t i = 0; i < m->start.count; i++)
        recipe_define(&r, m->start.at[i].symbol, m->start.at[i].value);
    for (uint32_t i = 0; out.count > 2 + c->n + c->m && i < c->m; i++)
        recipe_define(&r, c->second[i], out.at[1 + c->n + i]);
    const program_spec spec = {.inputs = c->parameters.count,
                               .input = c->parameters.at,
                               .outputs = out.count,
                               .output = out.at,
                               .recipe = &r,
                               .parameter = none};
    return program_create(m->ctx, a, &spec);
}

bool motion_start_agrees(const program *start, size_t n, const double *out)
{
    double size = 0, off = 0;
    for (size_t i = n + 2; i + 1 < start->outputs; i += 2) {
        size = fmax(size, fabs(out[i + 1]));
        off = fmax(off, fabs(out[i] - out[i + 1]));
    }
    return off <= POINT_ADMISSIBLE * size;
}
