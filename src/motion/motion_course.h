/* motion/motion_course.h - inside the module: a run as it goes. */
#ifndef MOTION_MOTION_COURSE_H
#define MOTION_MOTION_COURSE_H
#include "motion_assumed.h"
#include "motion_poles.h"
#include "motion_pulses.h"
#include "motion_run.h"
#include "motion_singular.h"
#include "motion_stall.h"
#include "motion_state.h"
#include "motion_switches.h"
#include "motion_turns.h"

struct motion_course {
    motion_state state;
    ivp problem;
    ivp_options tolerance; /* as they are wanted, in the model's units */
    ivp_drive *drive;
    ivp_step step;             /* the last; its continuous output is there until the next one */
    bool pending;              /* it is not taken over yet */
    motion_watch *watch;       /* NULL: no events */
    motion_switches *switches; /* NULL: the forces are smooth */
    motion_pulses *pulses;     /* NULL: nothing comes and goes by time alone */
    double halt;               /* the step that is under way is to end there; NAN: anywhere */
    arena *since;              /* what is watched since the start or the last restart: */
    motion_stall *stall;
    motion_singular *singular; /* NULL: no rank can be lost */
    motion_assumed *assumed;   /* NULL: nothing is assumed of states */
    motion_poles *poles;       /* NULL: nothing is divided by that could vanish */
    motion_turns *turns;       /* NULL: nothing of all these looks, or nothing turns */
    const motion_options *options;
    const motion_sinks *sinks;
    motion_summary *out;

    const ah_expr *constants;  /* NULL: none */
    expr_plan *constants_plan; /* made when the program does not take a state */
    motion_level constants_level;
    double *constant, *constant_size;
    double *y, *end; /* y: work space; end: the state of the integration */
    double *stop;    /* the state at the event that ended it */
    double t;        /* of the last accepted step … */
    ivp_kind kind;   /* … and its integrator */
    double *near;    /* another, of states near the constraints */
    double *place;   /* coordinates of a row */
    double last_row;
    size_t next_sample;
    uint64_t steps;
    const char *ended; /* why the motion ends inside a step; NULL: it goes on */
    bool judged;       /* the engine has been chosen for the length of the run */
};

/* How far the step counts; what ends the motion there is in w->ended, and the state in w->stop. */
double motion_valid_until(motion_course *w, const ivp_step *step);
/* NULL: it does not stall. Near a singular state accelerations grow beyond all bounds, and steps get short on the way. */
const char *motion_why_stalled(motion_course *w, const ivp_step *step);
/* Why the motion ended. Where angles are at their pole, they are the cause, whatever was noticed of it. */
const char *motion_explain_end(motion_course *w, ivp_end end);

#endif
