/* system/system_inside.h - inside the module: systems and their work spaces.
 *
 * A system holds programs for what has formulas, and prototypes of what answers where a program
 * gives up (guards, compile/program.h) or where there is none: runners of worksheets and plans,
 * which every work space copies. Nothing here is written to after creation. */
#ifndef SYSTEM_SYSTEM_INSIDE_H
#define SYSTEM_SYSTEM_INSIDE_H
#include "system_fork.h"
#include "system.h"

/* What stands behind a name that the derivation makes: lambda[2], reaction[x], M[1,2]. */
typedef struct system_derived {
    uint32_t slot, index;
    bool reaction; /* else a multiplier */
} system_derived;

/* Constraints g(x) = 0 to be projected onto by [M −Jᵀ; J 0][d; λ] = [0; −g]. */
typedef struct system_newton {
    runner *runner; /* NULL: there are no such constraints */
    quantity step;  /* d, λ */
    expr_plan *g;
    size_t rows;
} system_newton;

/* Slots of symbols. */
typedef struct system_slots {
    uint32_t t, *q, *v, *a, *s, *s_dot, *omega, *omega_dot, *parameter, *given, *mass;
} system_slots;

struct ah_system {
    ah_model *model;   /* with its inputs as parameters, or driven, … */
    system_fork *fork; /* … of this one, a fork of the user's; NULL: of pieces */
    ah_system *next;   /* the others of the fork */
    size_t users;      /* how often it was created, not destroyed */
    ah_system_options options;
    engine_kind engine; /* as it was asked for */
    ah_system *pieces;  /* for motions, where forces switch (motion_switches.h); else NULL */
    arena arena;
    const formalism *method;
    eval_method equations, reactions;
    motion_code code;
    uint32_t n, m, r; /* q, s, constraints */
    size_t count[AH_QUANTITIES];
    const char *const *name[AH_QUANTITIES]; /* NULL: none */
    const char *const *unit[AH_QUANTITIES];
    bool started;
    double t0, t1, *y0; /* t1: where the model ends, or NAN */
    double *parameter;  /* the model's values */
    system_events events;

    /* Prototypes. */
    frame *values; /* for all symbols that there are */
    system_slots at;
    size_t omegas, givens, masses;
    runner *rates, *forces; /* forces: NULL where there are no multipliers */
    expr_plan **given;      /* of parameters that others give, one by one */
    expr_plan *psi, *omega, *omega_dot, *energy, *residual, *mass, *output, *event; /* NULL: none */
    size_t deriveds;
    system_derived *derived;
    system_newton places, velocities;
};

/* The programs that a motion does without. `outputs` and `events` are available. */
void system_programs(making *w, const eval_method *method, const eval_method *reactions,
                     expr_list outputs, expr_list events);
/* MOTION_SURE, unless the programs of the method are as good. */
void system_lasting(making *w, const eval_method *method, const eval_method *reactions);
/* MOTION_SWITCHES, MOTION_SIDES, MOTION_BREAKS, MOTION_KINKS. */
void system_switchings(making *w, const eval_method *method, const eval_method *reactions);
/* ∂y'/∂y, ∂y'/∂p, ∂y'/∂t. */
void system_jacobians(making *w, const eval_method *method);
/* Whether an output is a formula of the state: all of it is known there. */
bool system_has_output(making *w, const eval_method *reactions, ah_expr e);

#endif
