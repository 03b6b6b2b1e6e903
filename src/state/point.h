/* state/point.h - one state of a model as numbers: read, completed, made admissible.
 *
 * A point is a frame, so that any expression of the model can be evaluated there. */
#ifndef STATE_POINT_H
#define STATE_POINT_H
#include "../derive/derive.h"
#include "states.h"

/* A constraint holds when |C| ≤ this times the sum of the absolute values of its terms
 * (docs/language.md). */
#define POINT_ADMISSIBLE 1e-9
/* Terms below this share of the largest possible one (coefficient times velocity) are rounding
 * errors. */
#define POINT_NOISE 1e-7
/* Projection stops here, or where rounding stops it. */
#define POINT_PROJECTED 1e-15
/* Rounding errors between a time at which constraints change and what is taken for just after it. */
#define POINT_BEYOND 256
/* Relative residual of constraints that hold with the missing velocities at zero, but for rounding. */
#define POINT_RESTING 1e-14

/* A value that somebody gave: where, and as what (AH_NONE: as a number alone). */
typedef struct point_told {
    ah_span span;
    ah_expr exact;
} point_told;

typedef struct point {
    ah_ctx *ctx;
    ah_model *model;
    mechanics *mech;
    arena *arena;
    frame *values;
    frame *
        given; /* 0: not; else 1 + its place in `told`, of which the first is for what was solved for */
    LIST(point_told) told;
    double residual; /* largest |C_a| / Σ|terms|, after point_complete */
    double moved;    /* largest change that a projection made */
} point;

/* Parameters have their values; one without a value is an error (A0601). AH_E_INPUT is left in the
 * diagnostics; the function answers false. */
bool point_create(ah_model *m, arena *a, point *out);
/* Other values of some parameters; those that are given by others follow, and so does the beginning
 * of the span. */
void point_put_parameters(point *p, size_t count, const ah_expr *symbols, const double *values);
/* "t=0, x=1, x'=0.5, z1=…": names of time, coordinates, velocities, velocity parameters,
 * quasi-velocities. */
bool point_read(point *p, const char *at);
/* The point that these values (its own from now on) are. */
point point_around(ah_model *m, frame *values, arena *a);
/* The state of the point, accelerations aside: to judge pivots by. */
frame *point_sample(point *p);
/* A random admissible state. */
bool point_at_random(ah_model *m, states *random, states_rng *rng, arena *a, point *out);
bool point_wished(ah_model *m, states *random, states_rng *rng, const probe_wish *wish, arena *a,
                  point *out);
/* The model's `start`. */
bool point_start(point *p);
/* Attitudes of which nothing is given are those of the axes; point_complete does it. */
void point_upright(point *p);
/* Solves for what is missing, finds z and ω, checks the constraints (or moves to the nearest
 * admissible state when `project`). */
bool point_complete(point *p, bool project);
/* Where constraints change at t, as a table does in its first row: a little later, where velocities have their rates. */
double point_beyond_break(const point *p, double t);
/* After v has been set: finds z with ψ(q, z, t) = v (from the values of z as the first guess) and
 * ω. */
bool point_find_speeds(point *p);
bool point_speeds_given(const point *p); /* all z, by the model or the user */
/* z from v and z' from a, made once and used often: z is followed from the values it has. */
typedef struct speed_finder speed_finder;
speed_finder *speed_finder_create(point *p); /* NULL: the model has no z */
bool speed_finder_follow(speed_finder *f); /* z with ψ(q, z, t) = v; false: there are none near */
void speed_finder_rates(speed_finder *f);  /* z' with Ψ z' + drift = a, by least squares */
bool point_is_given(const point *p, ah_expr symbol);
point_told point_get_told(const point *p, ah_expr symbol); /* nowhere and AH_NONE: it was not */
double point_get(const point *p, ah_expr symbol);
void point_set(point *p, ah_expr symbol, double value);
double point_eval(point *p, ah_expr e);
/* What the equations are made of that is not a finite number at the point, in words ("the force on
 * `x` is not a number: log(x) (x = -1)"), in the job arena; NULL: all is. */
const char *point_undefined(point *p);
/* A constraint whose coefficients cannot be squared in doubles: it may have its rank, but not for the equations. NULL: none. In
 * the job arena. */
const char *point_beyond_doubles(point *p);
/* The state as one of the system on the component that it lies on, where the rows have a lower rank than elsewhere
 * and it is regular (components_view). False: it has the general rank, or is singular. */
bool point_lower(point *p, point *out);
/* A state that is regular on its component, where the rows have another rank than the equations were made for: which,
 * and what to do. NULL: it is not such a state. */
const char *point_elsewhere(point *p);
/* Moves the point to the component that is nearest to `from` of those that Newton's method reaches by their own
 * equations; false: none, and it is where it began. */
bool point_onto_component(point *p, const frame *from);
/* The body whose angles are near their pole at the state, where their rates do not determine it; NULL:
 * none is. */
const char *point_pole(point *p);
/* Near it: the time in which the body turns as far as it is away from it; 0 elsewhere. */
double point_pole_time(point *p);
/* Largest relative residual of the constraints on positions and velocities; *worst its index. */
double point_residual(point *p, uint32_t *worst);
/* The holonomic rows f. */
mat point_places(point *p);
/* To an admissible state nearby, with a word about what that changed; where none is found nothing is changed. */
void point_move_to_nearest(point *p);
/* Moves the point to the nearest q with all holonomic f = 0, then the nearest v with C = 0, in the
 * metric of M; made once, applied often. */
typedef struct projector projector;
projector *projector_create(point *p);
bool projector_apply(projector *w, point *p); /* p->moved: the largest change */
double projector_residual(projector *w);      /* largest |C| / Σ|terms| at the point */
/* Do all rows hold, up to this share of their terms, or by what unknowns of this size (in their units) make of them? At rest
 * the terms are rounding errors themselves. */
bool projector_holds(projector *w, double share, double resting);

#endif
