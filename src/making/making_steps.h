/* making/making_steps.h - how the programs of a motion are made. */
#ifndef MAKING_MAKING_STEPS_H
#define MAKING_MAKING_STEPS_H
#include "links.h"
#include "motion_code.h"

typedef struct making {
    motion_code *c;
    point *p;
    mechanics *mech;
    algebra *alg;
    frame *sample;
    expr_list inputs; /* t, q, s */
} making;

/* What all programs are made from; the variables are chosen. */
making making_of(motion_code *c, point *p);
/* Variables of the motion's own by one of state/attitudes.h, body_axes.h, independent.h; false: there are none. */
typedef bool making_choice(point *p, attitude_frame *out);
bool making_frame(motion_code *c, point *p, making_choice *choose);
/* A recipe in which parameters that others give are worked out and, unless it is to be simplified,
 * the velocities already stand for ψ(q, s, t). */
recipe making_begin(making *w, bool simplify);
void making_end(making *w, const recipe *r, motion_program which, expr_list outputs);
/* `adds`: see program_spec. NULL: it is none. */
program *making_program(making *w, const recipe *r, motion_program which, expr_list outputs,
                        bool adds);
/* The entries of a column to the list. */
void making_push(making *w, expr_list *out, mat column);
/* q' and s' from the worksheet. */
bool making_lower_rhs(making *w, const ah_equations *eq, recipe *r, expr_list *out);
/* The same in the writing that was chosen (making_rhs.c), and the program of the one that costs least. */
bool making_rhs(making *w, const ah_equations *eq, recipe *r, expr_list *out);
void making_rhs_program(making *w, const ah_equations *eq);
/* The same in writings that take longer to make, where it may be shortened so. */
void making_rhs_shorter(making *w, const ah_equations *eq);
/* Through frames, where equations are long. */
void making_rhs_by_frames(making *w, const ah_equations *eq);
bool making_is_long(const motion_code *c);
/* Whether simplifying the worksheet is not worth its while. */
bool making_is_short(const motion_code *c);
/* The shorter of m and its normal form, in a frame of the motion's own on the norms of attitudes. */
mat making_shorter(making *w, recipe *r, mat m);
/* q' and s' by points and bodies (making_parts.c); false: not these equations. */
bool making_lower_by_parts(making *w, recipe *r, expr_list *out);
/* The same through frames (making_frames.c). */
bool making_lower_by_frames(making *w, recipe *r, expr_list *out);
/* Of the speeds σ of frames (frames.h) those that are independent at the present state, as variables; false: there are no such frames. */
bool making_speeds_of_frames(point *p, attitude_frame *out);
/* How v moves to C = 0, the least in the metric of M: of A δσ = −g, g = C in the rows of A, by the same frames. */
bool making_move_by_frames(making *w, recipe *r, mat g, ah_expr *d);
/* What these are made of: the tensor in the axes of the body, g, and forces but for the weight of parts. */
mat making_inertia(const making *w, const model_part *p);
ah_vector making_gravity(const making *w);
mat making_other_forces(making *w, recipe *r);
/* The same where velocities follow from one another (making_links.c). */
bool making_lower_by_links(making *w, recipe *r, expr_list *out);
/* All variables of the links, the velocities among them, as steps of the recipe. */
void making_define_links(const links *l, recipe *r);
/* e with symbols for the sums that are variables of the links. */
ah_expr making_through_links(const making *w, ah_expr e);
/* The programs that every motion needs, but for the Jacobian. */
void making_all(making *w, const eval_method *method, const eval_method *reactions);
/* The program that moves x to g = 0, and that of the residuals alone (making_moves.c). */
void making_projection(making *w, motion_program which, motion_program left, mat g,
                       const ah_expr *x);
/* MOTION_KNOWN. */
void making_known(making *w);
/* Work space for the program of the most outputs. */
void making_room(motion_code *c, arena *a);
/* Whether the model gives a parameter by others. */
bool motion_parameter_depends(const ah_model *m, size_t i);

#endif
