/* model/probe.c - see probe.h: drawing states that respect the assumptions. */
#include "probe.h"
#include "../numeric/numeric.h"
#include "newton.h"
#include "inside.h"

#include <math.h>
#include <string.h>

/* Sizes of what is drawn. Coordinates are angles and lengths of order one; later attempts look
 * nearer and farther, for models whose charts or assumptions live elsewhere. */
static const double box_scales[] = {1, 1, 0.4, 3, 10};
enum {
    BOX_SCALES = sizeof box_scales / sizeof *box_scales,
    WISHES = 4,                     /* attempts at a state that was wished for */
    ATTEMPTS = 60,                  /* states tried before the answer is "none found"; … */
    ATTEMPTED_COORDINATES = 100000, /* … fewer of large models */
    LARGE = 1000, /* coordinates: where the first state is not found the next ones are not tried */
    REPAIRS = 60, /* rounds of redrawing what violates an assumption, … */
    UNAIDED = 30, /* … so many before bounds are looked at */
    QUESTIONS =
        4 /* random states at which an expression is looked at before the algebra is asked */
};
/* `assume e != 0` keeps this far away from e = 0. */
#define NONZERO 1e-4
/* A row below TINY_ROW is round-off if a step NUDGE of the state changes it by more than this share. */
#define TINY_ROW 1e-8
#define NUDGE    1e-12
#define NOISE    1e-3
/* Round-off of e on a set where e = 0, such as Newton's method finds: `assume e >= 0` holds there, `assume e > 0` does not. */
#define BORDER 1e-13
/* Velocities beside others differ from them by this share: far enough to leave a tangent plane, near enough to meet the same sheet. */
#define BESIDE 0.2

typedef struct drawn {
    uint32_t slot;
    ah_symbol_kind kind;
    double centre;    /* the start value, or 0 */
    double size;      /* of the variable in its units */
    double low, high; /* between which assumptions keep it, or infinite */
} drawn;

struct probe {
    ah_model *model;
    arena *arena;
    LIST(drawn) drawn;
    uint32_t *drawn_of; /* slot → 1 + index in `drawn` */
    size_t slots;

    const expr_plan *facts; /* of m->facts; and the slots each one depends on */
    expr_list *fact_symbols;
    double *fact_values,
        *fact_least; /* above which one is positive: of parameters alone 0, however small they are */

    const expr_plan *parameters, *psi, *omega; /* values of what follows from the rest */
    double *parameter_values, *psi_values, *omega_values;
    probe_newton *on_q, *on_v, *on_a;
    double start_time;
    const ah_expr *relation; /* that hold besides the constraints */
    size_t relations;
};

/* ---- Random numbers: splitmix64 -------------------------------------------------------------- */

probe_rng probe_seed(uint64_t seed)
{
    return (probe_rng){seed * 0x9e3779b97f4a7c15u + 0x243f6a8885a308d3u};
}

static uint64_t next(probe_rng *rng)
{
    uint64_t z = rng->state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

double probe_uniform(probe_rng *rng, double low, double high)
{
    return low + (high - low) * ((double) (next(rng) >> 11) * 0x1p-53);
}

enum { SHORT_BITS = 10 };

double probe_shortened(double x)
{
    int exponent;
    const double mantissa = frexp(x, &exponent);
    return ldexp(nearbyint(ldexp(mantissa, SHORT_BITS)), exponent - SHORT_BITS);
}

/* ---- Making ---------------------------------------------------------------------------------- */

static const expr_plan *plan_of(probe *p, const ah_expr *e, size_t count, double **values)
{
    ah_expr *roots = NEW_ARRAY(p->arena, ah_expr, count);
    if (count) memcpy(roots, e, count * sizeof *roots);
    model_put_values(p->model, roots, count);
    model_put_samples(p->model, roots, count);
    *values = NEW_ARRAY(p->arena, double, count);
    return expr_plan_create(p->model->ctx, p->arena, roots, count);
}

static void draw_symbol(probe *p, ah_expr symbol)
{
    const ah_ctx *ctx = p->model->ctx;
    LIST_PUSH(p->arena, &p->drawn,
              ((drawn){.slot = expr_slot(ctx, symbol),
                       .kind = expr_get_kind(ctx, symbol),
                       .size = model_size(p->model, symbol),
                       .low = -INFINITY,
                       .high = INFINITY}));
}

static void draw_symbols(probe *p)
{
    const ah_model *m = p->model;
    draw_symbol(p, expr_time(m->ctx));
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].value == AH_NONE) draw_symbol(p, m->parameters.at[i].symbol);
    for (uint32_t i = 0; i < m->n; i++) {
        draw_symbol(p, m->q.at[i]);
        draw_symbol(p, m->v.at[i]);
        draw_symbol(p, m->a.at[i]);
    }
    for (size_t i = 0; i < m->speeds.count; i++) draw_symbol(p, m->speeds.at[i].symbol);
}

static drawn *find_drawn(probe *p, ah_expr symbol)
{
    const uint32_t slot = expr_slot(p->model->ctx, symbol);
    return slot < p->slots && p->drawn_of[slot] ? &p->drawn.at[p->drawn_of[slot] - 1] : NULL;
}

static void index_drawn(probe *p)
{
    p->slots = expr_slots(p->model->ctx);
    p->drawn_of = NEW_ARRAY(p->arena, uint32_t, p->slots);
    for (size_t i = 0; i < p->drawn.count; i++) p->drawn_of[p->drawn.at[i].slot] = (uint32_t) i + 1;
}

/* Where the user starts is a sensible place: some states are drawn around it. */
static void centre_on_start(probe *p)
{
    ah_model *m = p->model;
    ah_expr *value = NEW_ARRAY(p->arena, ah_expr, m->start.count);
    for (size_t i = 0; i < m->start.count; i++) value[i] = m->start.at[i].value;
    double *number;
    const expr_plan *plan = plan_of(p, value, m->start.count, &number);
    frame *values = probe_values(m, p->arena);
    expr_plan_run(plan, values, number);
    for (size_t i = 0; i < m->start.count; i++) {
        drawn *d = find_drawn(p, m->start.at[i].symbol);
        if (d && isfinite(number[i])) d->centre = number[i];
    }
    if (m->t0 == AH_NONE) return;
    plan = plan_of(p, &m->t0, 1, &number);
    expr_plan_run(plan, values, number);
    if (isfinite(*number)) p->start_time = *number;
}

/* slope · s + rest > 0 with numbers: a bound of s. */
static void read_bound(probe *p, const algebra_fact *f, ah_expr s)
{
    ah_ctx *ctx = p->model->ctx;
    const ah_expr zero = expr_int(ctx, 0);
    drawn *d = find_drawn(p, s);
    if (!d || !f->positive) return;
    ah_expr e[2] = {expr_diff(ctx, f->e, s), expr_subst(ctx, f->e, 1, &s, &zero)};
    model_put_values(p->model, e, 2);
    if (expr_symbols(ctx, p->arena, e, 2).count) return;
    double number[2];
    expr_plan_run(expr_plan_create(ctx, p->arena, e, 2), probe_values(p->model, p->arena), number);
    const double bound = -number[1] / number[0];
    if (!isfinite(bound)) return;
    if (number[0] > 0)
        d->low = fmax(d->low, bound);
    else
        d->high = fmin(d->high, bound);
}

static void read_facts(probe *p)
{
    ah_model *m = p->model;
    ah_expr *fact = NEW_ARRAY(p->arena, ah_expr, m->facts.count);
    p->fact_symbols = NEW_ARRAY(p->arena, expr_list, m->facts.count);
    p->fact_least = NEW_ARRAY(p->arena, double, m->facts.count);
    for (size_t i = 0; i < m->facts.count; i++) {
        fact[i] = m->facts.at[i].e;
        p->fact_symbols[i] = expr_symbols(m->ctx, p->arena, &fact[i], 1);
        for (size_t k = 0; k < p->fact_symbols[i].count; k++)
            read_bound(p, &m->facts.at[i], p->fact_symbols[i].at[k]);
        const bool moves = expr_depends_kind(m->ctx, fact[i], AH_COORDINATE) ||
                           expr_depends_kind(m->ctx, fact[i], AH_VELOCITY);
        p->fact_least[i] = moves ? BORDER : 0;
    }
    p->facts = plan_of(p, fact, m->facts.count, &p->fact_values);
}

/* A constraint differentiated `times`: AH_NONE where it speaks of higher derivatives than that
 * level. */
static ah_expr differentiated(ah_ctx *ctx, const model_constraint *c, int level)
{
    ah_expr e = c->c;
    if ((int) c->order > level) return AH_NONE;
    for (int i = (int) c->order; i < level; i++) e = expr_dt(ctx, e);
    return e;
}

/* The equations of one level: f = 0 for the coordinates, f' = 0 and C = 0 for the velocities,
 * f'' = 0, C' = 0 and c = 0 for the accelerations. */
static probe_newton *on_level(probe *p, int level, const expr_list *unknowns)
{
    ah_model *m = p->model;
    ah_expr *e = NEW_ARRAY(p->arena, ah_expr, m->constraints.count + p->relations);
    uint32_t count = 0;
    for (size_t i = 0; i < m->constraints.count; i++) {
        e[count] = differentiated(m->ctx, &m->constraints.at[i], level);
        if (e[count] != AH_NONE) count++;
    }
    for (size_t i = 0; i < p->relations; i++) {
        const bool fast = expr_depends_kind(m->ctx, p->relation[i], AH_VELOCITY);
        const model_constraint c = {.c = p->relation[i],
                                    .order = fast ? MODEL_VELOCITY : MODEL_HOLONOMIC};
        e[count] = differentiated(m->ctx, &c, level);
        if (e[count] != AH_NONE) count++;
    }
    return count ? probe_newton_create(m, p->arena, e, count, unknowns) : NULL;
}

/* Only where the rows of J depend on the accelerations must these lie on the constraints. */
static bool needs_accelerations(const ah_model *m)
{
    for (size_t i = 0; i < m->constraints.count; i++)
        if (m->constraints.at[i].order == MODEL_ACCELERATION && !m->constraints.at[i].linear)
            return true;
    return false;
}

static void plan_speeds(probe *p)
{
    const ah_model *m = p->model;
    if (m->speeds.count) p->psi = plan_of(p, m->psi.at, m->n, &p->psi_values);
    ah_expr *omega = NEW_ARRAY(p->arena, ah_expr, m->quasivelocities.count);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        omega[i] = m->quasivelocities.at[i].definition;
    p->omega = plan_of(p, omega, m->quasivelocities.count, &p->omega_values);
}

probe *probe_create(ah_model *m, arena *a)
{
    return probe_create_on(m, a, NULL, 0);
}

probe *probe_create_on(ah_model *m, arena *a, const ah_expr *relation, size_t count)
{
    probe *p = NEW(a, probe);
    p->model = m;
    p->arena = a;
    expr_list all = {0};
    for (size_t i = 0; i < m->on.count; i++) LIST_PUSH(a, &all, m->on.at[i]);
    for (size_t i = 0; i < count; i++) LIST_PUSH(a, &all, relation[i]);
    p->relation = all.at;
    p->relations = all.count;
    ah_expr *value = NEW_ARRAY(a, ah_expr, m->parameters.count);
    for (size_t i = 0; i < m->parameters.count; i++) value[i] = m->parameters.at[i].symbol;
    p->parameters = plan_of(p, value, m->parameters.count, &p->parameter_values);
    draw_symbols(p);
    index_drawn(p);
    centre_on_start(p);
    read_facts(p);
    plan_speeds(p);
    p->on_q = on_level(p, MODEL_HOLONOMIC, &m->q);
    if (!m->speeds.count) p->on_v = on_level(p, MODEL_VELOCITY, &m->v);
    if (needs_accelerations(m)) p->on_a = on_level(p, MODEL_ACCELERATION, &m->a);
    return p;
}

frame *probe_values(const ah_model *m, arena *a)
{
    return frame_create(m->ctx, a, 0);
}

/* ---- Drawing --------------------------------------------------------------------------------- */

static double draw_one(const drawn *d, probe_rng *rng, double scale, bool centred)
{
    const double sign = next(rng) & 1 ? 1 : -1;
    switch (d->kind) {
    case AH_TIME: return d->size * probe_uniform(rng, 0.1, 2);
    case AH_PARAMETER: return sign * exp(probe_uniform(rng, -0.9, 0.9));
    default:
        return (centred ? d->centre : 0) + sign * scale * d->size * probe_uniform(rng, 0.1, 1.5);
    }
}

static double draw_size(probe_rng *rng, double low, double high)
{
    const double sign = next(rng) & 1 ? 1 : -1;
    return sign * pow(10, probe_uniform(rng, low, high));
}

static double draw_wished(const probe *p, const drawn *d, probe_rng *rng, probe_reach reach)
{
    const bool place = d->kind == AH_COORDINATE || d->kind == AH_TIME;
    switch (reach) {
    case PROBE_FAR:
        return d->kind == AH_PARAMETER ? draw_size(rng, -3, 3) : d->size * draw_size(rng, -6, 6);
    case PROBE_WIDE: return d->size * draw_size(rng, -1, 2);
    case PROBE_TURNS:
        return place ? d->size * probe_uniform(rng, -20, 20) : draw_one(d, rng, 1, false);
    case PROBE_START:
        if (d->kind == AH_TIME) return p->start_time;
        return d->kind == AH_PARAMETER ? draw_one(d, rng, 1, false) : d->centre;
    case PROBE_NEAR: break;
    }
    return draw_one(d, rng, 1, false);
}

static bool fact_holds(const probe *p, size_t i)
{
    const double e = p->fact_values[i];
    const algebra_fact *f = &p->model->facts.at[i];
    return f->border ? e >= -BORDER : f->positive ? e > p->fact_least[i] : fabs(e) > NONZERO;
}

/* Evaluates the assumptions; the number of those that fail. */
static size_t violations(probe *p, const frame *values)
{
    size_t count = 0;
    expr_plan_run(p->facts, values, p->fact_values);
    for (size_t i = 0; i < p->model->facts.count; i++) count += !fact_holds(p, i);
    return count;
}

static void put_parameters(probe *p, frame *values)
{
    const ah_model *m = p->model;
    expr_plan_run(p->parameters, values, p->parameter_values);
    for (size_t i = 0; i < m->parameters.count; i++)
        frame_set(values, m->parameters.at[i].symbol, p->parameter_values[i]);
}

/* Between the bounds; from one bound away as far as from zero, or nearer. */
static double draw_inside(const drawn *d, probe_rng *rng)
{
    const double share = probe_uniform(rng, 0.01, 0.99);
    if (isfinite(d->low) && isfinite(d->high)) return d->low + share * (d->high - d->low);
    const double bound = isfinite(d->low) ? d->low : d->high;
    const double step = fmax(1, fabs(bound)) * exp(probe_uniform(rng, -4, 1));
    return isfinite(d->low) ? bound + step : bound - step;
}

/* Redraws the variables of the assumptions that fail, now nearer, now farther. */
static bool repair(probe *p, probe_rng *rng, frame *values)
{
    for (int round = 0; round < REPAIRS; round++) {
        ctx_tick(p->model->ctx);
        if (!violations(p, values)) return true;
        const double scale = box_scales[round % BOX_SCALES];
        for (size_t i = 0; i < p->model->facts.count; i++) {
            if (fact_holds(p, i)) continue;
            for (size_t j = 0; j < p->fact_symbols[i].count; j++) {
                const drawn *d = find_drawn(p, p->fact_symbols[i].at[j]);
                if (!d) continue;
                const bool aided = round >= UNAIDED && (isfinite(d->low) || isfinite(d->high));
                frame_put(values, d->slot,
                          aided ? draw_inside(d, rng) : draw_one(d, rng, scale, round % 2));
            }
        }
        put_parameters(p, values);
    }
    return !violations(p, values);
}

static bool draw(probe *p, probe_rng *rng, double scale, bool centred, frame *values)
{
    for (size_t i = 0; i < p->drawn.count; i++)
        frame_put(values, p->drawn.at[i].slot, draw_one(&p->drawn.at[i], rng, scale, centred));
    put_parameters(p, values);
    return repair(p, rng, values);
}

bool probe_draw(probe *p, probe_rng *rng, frame *values)
{
    return draw(p, rng, 1, false, values);
}

static bool all_finite(const double *x, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (!isfinite(x[i])) return false;
    return true;
}

/* v = ψ(q, z, t), or v on the constraints; then ω and, if need be, a. */
static bool settle_velocities(probe *p, frame *values)
{
    const ah_model *m = p->model;
    if (p->psi) {
        expr_plan_run(p->psi, values, p->psi_values);
        if (!all_finite(p->psi_values, m->n)) return false;
        for (uint32_t i = 0; i < m->n; i++) frame_set(values, m->v.at[i], p->psi_values[i]);
    }
    if (p->on_v && !probe_newton_run(p->on_v, values)) return false;
    if (p->on_a && !probe_newton_run(p->on_a, values)) return false;
    expr_plan_run(p->omega, values, p->omega_values);
    for (size_t i = 0; i < m->quasivelocities.count; i++)
        frame_set(values, m->quasivelocities.at[i].symbol, p->omega_values[i]);
    return all_finite(p->omega_values, m->quasivelocities.count);
}

/* States by attempts that look nearer and farther, now and then around the start. */
static bool attempt(probe *p, probe_rng *rng, int k, frame *values)
{
    ctx_tick(p->model->ctx);
    return draw(p, rng, box_scales[k % BOX_SCALES], k % 3 == 2, values) &&
           (!p->on_q || probe_newton_run(p->on_q, values));
}

static int attempts(const probe *p)
{
    const uint32_t affordable = 1 + ATTEMPTED_COORDINATES / p->model->n;
    return affordable < ATTEMPTS ? (int) affordable : ATTEMPTS;
}

bool probe_place(probe *p, probe_rng *rng, frame *values)
{
    for (int k = 0; k < attempts(p); k++)
        if (attempt(p, rng, k, values) && !violations(p, values)) return true;
    return false;
}

bool probe_admissible(probe *p, probe_rng *rng, frame *values)
{
    for (int k = 0; k < attempts(p); k++)
        if (attempt(p, rng, k, values) && settle_velocities(p, values) && !violations(p, values))
            return true;
    return false;
}

bool probe_settled(probe *p, const frame *values)
{
    return (!p->on_q || probe_newton_settled(p->on_q, values)) &&
           (!p->on_v || probe_newton_settled(p->on_v, values));
}

bool probe_wished(probe *p, probe_rng *rng, const probe_wish *wish, frame *values)
{
    for (int k = 0; k < WISHES; k++) {
        ctx_tick(p->model->ctx);
        for (size_t i = 0; i < p->drawn.count; i++)
            frame_put(values, p->drawn.at[i].slot,
                      draw_wished(p, &p->drawn.at[i], rng, wish->reach));
        put_parameters(p, values);
        if (wish->bend) wish->bend(wish->user, rng, values);
        if (repair(p, rng, values) && (!p->on_q || probe_newton_run(p->on_q, values)) &&
            settle_velocities(p, values) && !violations(p, values))
            return true;
    }
    return false;
}

bool probe_beside(probe *p, probe_rng *rng, const frame *base, frame *values)
{
    const ah_model *m = p->model;
    double size = 0;
    for (uint32_t i = 0; i < m->n; i++) size = fmax(size, fabs(frame_get(base, m->v.at[i])));
    for (int k = 0; k < attempts(p); k++) {
        ctx_tick(m->ctx);
        for (size_t i = 0; i < p->drawn.count; i++) {
            const drawn *d = &p->drawn.at[i];
            if (d->kind != AH_VELOCITY && d->kind != AH_SPEED) continue;
            const double around = frame_at(base, d->slot);
            const double step = BESIDE * (d->kind == AH_SPEED ? fabs(around) : size);
            frame_put(values, d->slot, around + probe_uniform(rng, -step, step));
        }
        if (settle_velocities(p, values) && !violations(p, values)) return true;
    }
    return false;
}

struct probe_drawing {
    probe *p;
    arena *arena;
    probe_rng rng;
    frame **at;
    size_t count, tried, most;
    bool admissible;
};

static void draw_next(probe_drawing *d)
{
    frame *values = probe_values(d->p->model, d->arena);
    d->tried++;
    if (d->admissible ? probe_admissible(d->p, &d->rng, values) : probe_draw(d->p, &d->rng, values))
        d->at[d->count++] = values;
    else if (d->admissible && !d->count && d->p->model->n > LARGE)
        d->tried = d->most;
}

static void draw_until(probe_drawing *d, size_t count)
{
    while (d->count < count && d->tried < d->most) draw_next(d);
}

probe_states probe_first_state(probe *p, arena *a, size_t count, uint64_t seed)
{
    probe_drawing *d = NEW(a, probe_drawing);
    *d = (probe_drawing){.p = p,
                         .arena = a,
                         .rng = probe_seed(seed),
                         .at = NEW_ARRAY(a, frame *, count),
                         .most = count,
                         .admissible = true};
    draw_until(d, 1);
    if (!d->count) {
        d->rng = probe_seed(seed);
        d->tried = 0;
        d->admissible = false;
        draw_until(d, 1);
    }
    return (probe_states){.at = d->at, .count = d->count, .admissible = d->admissible, .more = d};
}

const frame *probe_state(const probe_states *s, size_t k)
{
    if (k < s->count) return s->at[k];
    if (!s->more) return NULL;
    draw_until(s->more, k + 1);
    return k < s->more->count ? s->at[k] : NULL;
}

probe_states probe_some_states(probe *p, arena *a, size_t count, uint64_t seed)
{
    probe_states s = probe_first_state(p, a, count, seed);
    draw_until(s.more, count);
    s.count = s.more->count;
    s.more = NULL;
    return s;
}

/* ---- Zero or not ----------------------------------------------------------------------------- */

/* Larger than this, itself and as a share of its terms, a value at a random state of order one is
 * no round-off. What is smaller goes to the algebra. */
#define CLEARLY_NONZERO 1e-6
/* The share that counts as zero where the algebra gave up. */
#define ROUND_OFF 1e-11

typedef enum look { LOOK_NOWHERE, LOOK_TINY, LOOK_SMALL, LOOK_NONZERO } look;

static look look_at(double value, double scale)
{
    if (!isfinite(value) || !isfinite(scale)) return LOOK_NOWHERE;
    const double size = fabs(value), share = scale > 0 ? size / scale : 0;
    if (size > CLEARLY_NONZERO && share > CLEARLY_NONZERO) return LOOK_NONZERO;
    return share > ROUND_OFF && size > ROUND_OFF ? LOOK_SMALL : LOOK_TINY;
}

/* The largest look over random states of some sizes. */
static void look_around(probe *p, const ah_expr *e, size_t count, const double *sizes, int looks,
                        look *seen)
{
    arena *s = &p->model->ctx->scratch;
    double *out, *scale = NEW_ARRAY(s, double, count);
    const expr_plan *plan = plan_of(p, e, count, &out);
    frame *values = probe_values(p->model, s);
    probe_rng rng = probe_seed(count);
    for (int k = 0; k < looks; k++) {
        draw(p, &rng, sizes[k], false, values);
        expr_plan_run_scaled(plan, values, out, scale);
        for (size_t i = 0; i < count; i++) {
            const look now = look_at(out[i], scale[i]);
            if (now > seen[i]) seen[i] = now;
        }
    }
}

/* Where the algebra gives up: |9 − x| − 9 + x is zero at all states of ordinary size. */
static bool vanishes_far(probe *p, ah_expr e)
{
    static const double sizes[] = {4, 4, 4, 20, 20, 20, 100, 100, 1e3, 1e3, 1e5, 1e5, 1e7, 1e7};
    look seen = LOOK_NOWHERE;
    look_around(p, &e, 1, sizes, sizeof sizes / sizeof *sizes, &seen);
    return seen < LOOK_NONZERO;
}

void probe_zeros(probe *p, const ah_expr *e, size_t count, bool *zero)
{
    ah_model *m = p->model;
    const arena_mark mark = arena_get_mark(&m->ctx->scratch);
    look *seen = NEW_ARRAY(&m->ctx->scratch, look, count);
    look_around(p, e, count, box_scales, QUESTIONS, seen);
    for (size_t i = 0; i < count; i++) {
        zero[i] = false;
        if (expr_is_zero(m->ctx, e[i])) zero[i] = true;
        if (zero[i] || seen[i] == LOOK_NONZERO) continue;
        ah_expr valued = e[i];
        model_put_values(m, &valued, 1);
        const ah_truth truth = algebra_zero(m->alg, valued);
        zero[i] = truth == AH_TRUE ||
                  (truth == AH_UNKNOWN && seen[i] == LOOK_TINY && vanishes_far(p, e[i]));
    }
    arena_release(&m->ctx->scratch, mark);
}

/* ---- Matrices -------------------------------------------------------------------------------- */

probe_matrix probe_matrix_create(ah_model *m, arena *a, mat x)
{
    const uint32_t count = mat_entries(x);
    ah_expr *roots = NEW_ARRAY(a, ah_expr, count);
    if (count) memcpy(roots, x.val, count * sizeof *roots);
    model_put_values(m, roots, count);
    model_put_samples(m, roots, count);
    double *value = NEW_ARRAY(a, double, 2 * (size_t) count + 1);
    return (probe_matrix){.shape = x,
                          .plan = expr_plan_create(m->ctx, a, roots, count),
                          .value = value,
                          .size = value + count,
                          .model = m};
}

static double largest_in(const probe_matrix *x, uint32_t row)
{
    double largest = 0;
    for (uint32_t k = x->shape.start[row]; k < x->shape.start[row + 1]; k++)
        largest = fmax(largest, fabs(x->value[k]));
    return largest;
}

const double *probe_matrix_sizes(const probe_matrix *x)
{
    ah_model *m = x->model;
    arena *a = &m->ctx->scratch;
    const arena_mark mark = arena_get_mark(a);
    const uint32_t count = mat_entries(x->shape);
    double *there = NEW_ARRAY(a, double, count + 1);
    frame *near = frame_copy(a, x->at);
    const expr_list *part[] = {&m->q, &m->v, &m->a};
    for (int k = 0; k < 3; k++)
        for (uint32_t i = 0; i < m->n; i++) {
            double *to = frame_ref(near, part[k]->at[i]);
            *to += NUDGE * (fabs(*to) + model_size(m, part[k]->at[i])) * sin(3 * i + k + 1.0);
        }
    expr_plan_run(x->plan, near, there);
    expr_plan_run_scaled(x->plan, x->at, x->value, x->size);
    for (uint32_t i = 0; i < x->shape.rows; i++) {
        const double small =
            ELIMINATE_ZERO * largest_in(x, i); /* what is not may be beside a pole */
        for (uint32_t k = x->shape.start[i]; k < x->shape.start[i + 1]; k++) {
            const double change = fabs(there[k] - x->value[k]) / NUDGE;
            if (isfinite(change) && fabs(x->value[k]) < small) x->size[k] += change;
        }
    }
    arena_release(a, mark);
    return x->size;
}

bool probe_matrix_run(probe_matrix *x, const frame *values)
{
    expr_plan_run(x->plan, values, x->value);
    x->at = values;
    return all_finite(x->value, mat_entries(x->shape));
}

bool probe_matrix_noise(ah_ctx *ctx, const probe_matrix *x, uint32_t row)
{
    const double size = largest_in(x, row);
    if (size == 0 || size >= TINY_ROW || !x->at) return false;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    double *value = NEW_ARRAY(&ctx->scratch, double, mat_entries(x->shape) + 1), change = 0;
    probe_rng rng = probe_seed(1);
    frame *near = frame_copy(&ctx->scratch, x->at);
    for (uint32_t i = 0; i < near->count; i++)
        near->at[i] += NUDGE * (fabs(near->at[i]) + 1) * probe_uniform(&rng, -1, 1);
    expr_plan_run(x->plan, near, value);
    for (uint32_t k = x->shape.start[row]; k < x->shape.start[row + 1]; k++)
        change = fmax(change, fabs(value[k] - x->value[k]));
    arena_release(&ctx->scratch, mark);
    return change > NOISE * size;
}

bool probe_matrix_empty(const ah_model *m, const probe_matrix *x, uint32_t row)
{
    ah_ctx *ctx = m->ctx;
    if (!probe_matrix_noise(ctx, x, row)) return false;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    double *value = NEW_ARRAY(&ctx->scratch, double, mat_entries(x->shape) + 1), largest = 0;
    probe_rng rng = probe_seed(1);
    frame *other = frame_copy(&ctx->scratch, x->at);
    for (uint32_t i = 0; i < m->n; i++) frame_set(other, m->v.at[i], probe_uniform(&rng, -2, 2));
    expr_plan_run(x->plan, other, value);
    for (uint32_t k = x->shape.start[row]; k < x->shape.start[row + 1]; k++)
        largest = fmax(largest, fabs(value[k]));
    arena_release(&ctx->scratch, mark);
    return largest < TINY_ROW;
}

/* Entries measured by what was met in their columns, or by their rows. */
static uint32_t rank_measured(ah_ctx *ctx, const probe_matrix *x, const double *size,
                              bool *dependent)
{
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    eliminate *e = eliminate_create(ctx, &ctx->scratch, x->shape.cols);
    for (uint32_t i = 0; i < x->shape.rows; i++) {
        const uint32_t at = x->shape.start[i], count = x->shape.start[i + 1] - at;
        const uint32_t *col = x->shape.col + at;
        dependent[i] =
            (size ? eliminate_add_sized(e, count, col, x->value + at, size + at, 0, 0)
                  : eliminate_add(e, count, col, x->value + at, 0)) != ELIMINATE_INDEPENDENT;
    }
    const uint32_t rank = eliminate_rank(e);
    arena_release(&ctx->scratch, mark);
    return rank;
}

/* The larger of two: columns of their own sizes do not mind units, but may choose a pivot that is small beside the
 * rest of its row; rows do mind. */
uint32_t probe_matrix_rank(ah_ctx *ctx, const probe_matrix *x, bool *dependent)
{
    const uint32_t rows = x->shape.rows;
    const arena_mark mark = arena_get_mark(&ctx->scratch);
    bool *found = NEW_ARRAY(&ctx->scratch, bool, rows + 1),
         *by_rows = NEW_ARRAY(&ctx->scratch, bool, rows + 1);
    uint32_t rank = rank_measured(ctx, x, probe_matrix_sizes(x), found);
    const uint32_t other = rank < rows ? rank_measured(ctx, x, NULL, by_rows) : 0;
    if (other > rank) found = by_rows;
    if (other > rank) rank = other;
    if (dependent && rows) memcpy(dependent, found, rows * sizeof *found);
    arena_release(&ctx->scratch, mark);
    return rank;
}

uint32_t *probe_independent_rows(ah_model *m, arena *a, const probe_states *states, mat x,
                                 uint32_t *rank)
{
    probe_matrix p = probe_matrix_create(m, a, x);
    bool *dependent = NEW_ARRAY(a, bool, x.rows);
    uint32_t *rows = NEW_ARRAY(a, uint32_t, x.rows);
    *rank = 0;
    const frame *state;
    for (size_t k = 0; *rank < x.rows && (state = probe_state(states, k)); k++) {
        if (!probe_matrix_run(&p, state)) continue;
        if (probe_matrix_rank(m->ctx, &p, dependent) <= *rank) continue;
        *rank = 0;
        for (uint32_t i = 0; i < x.rows; i++)
            if (!dependent[i]) rows[(*rank)++] = i;
    }
    return rows;
}
