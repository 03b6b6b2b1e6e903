/* system/system.h - a model by one method, ready for numbers, and motions that others drive: what other modules see
 * of this one. */
#ifndef SYSTEM_SYSTEM_H
#define SYSTEM_SYSTEM_H
#include "../motion/motion.h"
#include <anholo/motion.h>

typedef LIST(const model_event *) system_events;

ah_model *system_model(const ah_system *s);
/* Its programs, with parameters that may change. */
const motion_code *system_code(const ah_system *s);
/* The method's equations. */
const eval_method *system_equations(const ah_system *s);
/* The one whose parameters end with the sides at which its forces switch (model_pieces_alone, model_pieces); itself where they do not. */
const ah_system *system_in_pieces(const ah_system *s);
/* Whether motions are of pieces between which forces switch. */
bool system_switches(const ah_system *s);
/* In the order of MOTION_EVENTS. */
const system_events *system_get_events(const ah_system *s);
/* Where the model's span ends; NAN: it does not say. */
double system_end(const ah_system *s);

/* Where a motion is to end, and the status of its end. */
double motion_end_of(const ah_motion *m);
ah_status motion_status_of(const ah_motion *m);

#endif
