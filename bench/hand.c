/* bench/hand.c - motions by hand-written code: hand SYSTEM TOLERANCE SPAN ROUNDS
 *
 * Prints the least processor time of the rounds in microseconds, the steps, and the coordinates at the end.
 * bench/trajectories.py compiles and drives it. */
#include "../src/integrate/dop853_table.h"

#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

typedef double real;
#define REAL(f) f
#include "hand_systems.h"

#include "hand_others.h"

#define HAND_NAME pendulum
#define HAND_N    PENDULUM_N
#define HAND_RHS  pendulum_rhs
#include "hand_dop853.h"
#define HAND_NAME tire
#define HAND_N    TIRE_N
#define HAND_RHS  tire_rhs
#include "hand_dop853.h"
#define HAND_NAME top
#define HAND_N    TOP_N
#define HAND_RHS  top_rhs
#include "hand_dop853.h"
#define HAND_NAME rattleback
#define HAND_N    RATTLEBACK_N
#define HAND_RHS  rattleback_rhs
#include "hand_dop853.h"
#define HAND_NAME snakeboard
#define HAND_N    SNAKEBOARD_N
#define HAND_RHS  snakeboard_rhs
#include "hand_dop853.h"
#define HAND_NAME ball
#define HAND_N    BALL_N
#define HAND_RHS  ball_rhs
#include "hand_dop853.h"
#define HAND_NAME trailers
#define HAND_N    TRAILERS_N
#define HAND_RHS  trailers_rhs
#include "hand_dop853.h"
#define HAND_NAME kepler
#define HAND_N    KEPLER_N
#define HAND_RHS  kepler_rhs
#include "hand_dop853.h"
#define HAND_NAME spherical
#define HAND_N    SPHERICAL_N
#define HAND_RHS  spherical_rhs
#include "hand_dop853.h"
#define HAND_NAME bob
#define HAND_N    BOB_N
#define HAND_RHS  bob_rhs
#include "hand_dop853.h"
#define HAND_NAME links
#define HAND_N    LINKS_N
#define HAND_RHS  links_rhs
#include "hand_dop853.h"
#define HAND_NAME sphere
#define HAND_N    SPHERE_N
#define HAND_RHS  sphere_rhs
#include "hand_dop853.h"
#define HAND_NAME body
#define HAND_N    BODY_N
#define HAND_RHS  body_rhs
#include "hand_dop853.h"
#define HAND_NAME sleigh
#define HAND_N    SLEIGH_N
#define HAND_RHS  sleigh_rhs
#include "hand_dop853.h"
#define HAND_NAME angles
#define HAND_N    ANGLES_N
#define HAND_RHS  angles_rhs
#include "hand_dop853.h"
#define HAND_NAME heiles
#define HAND_N    HEILES_N
#define HAND_RHS  heiles_rhs
#include "hand_dop853.h"
#define HAND_NAME cart
#define HAND_N    CART_N
#define HAND_RHS  cart_rhs
#include "hand_dop853.h"
#define HAND_NAME three
#define HAND_N    THREE_N
#define HAND_RHS  three_rhs
#include "hand_dop853.h"
#define HAND_NAME swing
#define HAND_N    SWING_N
#define HAND_RHS  swing_rhs
#include "hand_dop853.h"
#define HAND_NAME gyro
#define HAND_N    GYRO_N
#define HAND_RHS  gyro_rhs
#include "hand_dop853.h"
#define HAND_NAME wave
#define HAND_N    WAVE_N
#define HAND_RHS  wave_rhs
#include "hand_dop853.h"
#define HAND_NAME car
#define HAND_N    CAR_N
#define HAND_RHS  car_rhs
#include "hand_dop853.h"
#define HAND_NAME bicycle
#define HAND_N    BICYCLE_N
#define HAND_RHS  bicycle_rhs
#include "hand_dop853.h"

typedef struct hand_system {
    const char *name;
    int n, q;
    hand_start *start;
    long (*run)(double span, double tolerance, double *y);
} hand_system;

static const hand_system systems[] = {
#define X(name, NAME) {#name, NAME##_N, NAME##_Q, name##_start, name##_run},
    HAND_SYSTEMS HAND_OTHERS
#undef X
};

static double microseconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return 1e6 * (double) t.tv_sec + 1e-3 * (double) t.tv_nsec;
}

int main(int argc, char **argv)
{
    if (argc != 5) return 2;
    for (size_t i = 0; i < sizeof systems / sizeof *systems; i++) {
        const hand_system *s = &systems[i];
        double y[TRAILERS_N], best = INFINITY;
        long steps = 0;
        if (strcmp(argv[1], s->name)) continue;
        for (int round = atoi(argv[4]); round > 0; round--) {
            s->start(y);
            const double begin = microseconds();
            steps = s->run(atof(argv[3]), atof(argv[2]), y);
            best = fmin(best, microseconds() - begin);
        }
        printf("%.3f %ld", best, steps);
        for (int k = 0; k < s->q; k++) printf(" %.17g", y[k]);
        puts("");
        return 0;
    }
    return 2;
}
