/* making/frames.h - points and bodies in axes that turn, each placed in those of one before.
 *
 * A frame has an origin X and axes E in those of the frame before it (space: none), and parts that are at rest in it, but for turning about
 * an axis about which they are round. How parts stand to each other is asked of their formulas: what is the same for all values of a
 * coordinate does not depend on it, whatever its formula says (of E = R_iᵀ R_j, the angles of both), as numbers at random states tell.
 *
 * The speeds σ are the velocities v, but for
 *
 *     Ω in the axes of a frame that turns in space by three angles, and U, the velocity of its origin there, where that is three coordinates,
 *     the whole rate W about its axis of a part that is round about it,
 *
 * σ = S v, v = Ψ σ. */
#ifndef MAKING_FRAMES_H
#define MAKING_FRAMES_H
#include "making_steps.h"

#define FRAMES_MOST  12
#define FRAMES_SPACE UINT32_MAX
/* States at which numbers are compared, and at how many of them there must be some. */
#define FRAMES_DRAWS       6
#define FRAMES_COMPARED    3
#define FRAMES_COORDINATES 24

/* H = inertia · rate along the axis, in the frame; rate is a speed. */
typedef struct frames_spin {
    uint32_t frame, speed;
    mat axis, centre;
    ah_expr inertia, rate;
} frames_spin;

typedef struct frames_axes {
    uint32_t before;
    mat R, place; /* in space … */
    mat turning;  /* … and the angular velocity in these axes, by v */
    mat E, X;     /* in `before` … */
    mat plain, T; /* … E = plain T: T the same at all states */
    mat V, W;     /* X' in `before`, and the angular velocity against it in these axes, by σ */
    bool turns, moves;    /* Ω, and U, are speeds: W, and V in these axes, are ones … */
    uint32_t place_of[3]; /* … of these coordinates, X */
    ah_expr mass;
    mat h, J; /* Σ m c, and the inertia about the origin */
} frames_axes;

typedef struct frames {
    making *w;
    recipe *r;
    ah_ctx *ctx;
    arena *a;
    uint32_t n;
    frames_axes at[FRAMES_MOST];
    uint32_t count;
    LIST(frames_spin) spins;
    ah_expr speed[FRAMES_COORDINATES];   /* σ … */
    ah_expr through[FRAMES_COORDINATES]; /* … by v */
    ah_expr psi[FRAMES_COORDINATES];     /* v by σ */
    mat Psi;
    frame *draw[FRAMES_DRAWS];
    uint32_t names; /* of directions */
} frames;

mat frames_add(const frames *k, mat x, mat y);
mat frames_column(const frames *k, mat m, uint32_t i);
mat frames_mul(const frames *k, mat x, mat y);
mat frames_back(const frames *k, mat E, mat x); /* Eᵀ x */
mat frames_cross(const frames *k, mat x, mat y);
/* false: parts of another kind. */
bool frames_find(frames *k);
bool frames_depends(const frames *k, mat m, uint32_t coordinate);
/* The coordinates on which m depends; how many. */
uint32_t frames_depend(const frames *k, mat m, uint32_t *which);
/* m with the shorter of each entry and its normal form. */
mat frames_simplified(const frames *k, mat m);
/* Under names. */
mat frames_named(const frames *k, mat m);
/* Powers, sines and cosines alone. What else a formula may call can be the same at all states that are looked at, and another elsewhere:
 * a cam by max, a bump by exp. */
bool frames_plain(const frames *k, mat m);
/* Are the entries of both the same numbers, at states where `where` (AH_NONE: everywhere) is positive? */
bool frames_same(const frames *k, mat x, mat y, ah_expr where);
/* m without the coordinates on which it does not depend. */
mat frames_shortened(frames *k, mat m);

/* ---- Velocities of places (touches.c) ---------------------------------------------------------- */

/* Three rows that are the velocity of a place in a frame, or of what spins there: V + W × c + (W − e eᵀW + e σ_s) × arm, in its axes. */
typedef struct touching {
    uint32_t row[3], frame;
    const frames_spin *spin; /* NULL: the place is one of the frame, c = 0 */
    mat inverse;             /* by which the rows are a vector in space */
    mat arm;                 /* by q, or by what the next are */
    /* How a direction of space stands in the axes of the root, were the joints at zero: s = turn u, with u that in the frame's axes. */
    bool leans;
    uint32_t i; /* q² = Σ s_j², wave = s_j/q of the other two */
    mat turn, u;
    ah_expr s[3], q, per, wave[2];
} touching;

typedef LIST(touching) touches;

/* Of the rows A σ, C_v v + c those that are such velocities. */
touches touches_find(frames *k, mat A, mat C_v, mat c);
/* By σ, of V and W of the frame. */
mat touches_velocity(const frames *k, const touching *x, mat V, mat W);
/* The vector of the rows' values in the axes. */
mat touches_value(const frames *k, const touching *x, mat values);
/* The rate of the arm in the axes, which turn with Ω. */
mat touches_slope(const frames *k, const touching *x, mat Omega);
/* What is beside the axis about which it spins. */
mat touches_beside(const frames *k, const touching *x, mat vector);
/* V and W of all frames in their axes; `names`: under names. */
void touches_frames(const frames *k, bool names, mat *V, mat *W);

#endif
