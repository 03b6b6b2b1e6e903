/* system/system_fork.h - where systems are made: forks of the model, one for all systems by one method.
 *
 * The equations that a fork holds are derived once, for the first of its systems; those that follow find
 * them, and where they are wanted with the same options they are the same system. What they find does not
 * change, and a system's own things are in its own arena: threads that use one system do not notice that
 * another is made. */
#ifndef SYSTEM_SYSTEM_FORK_H
#define SYSTEM_SYSTEM_FORK_H
#include "../model/model.h"
#include <anholo/system.h>

typedef struct system_fork system_fork;

/* For systems by this method (NULL: the model's default) of the model as it is now. In the thread of the
 * model, and so is the other. */
ah_status system_fork_open(ah_model *m, const char *method, bool driven, system_fork **out);
ah_model *system_fork_model(const system_fork *f);
/* Its systems, by `next`. */
ah_system *system_fork_first(const system_fork *f);
void system_fork_add(system_fork *f, ah_system *s);
void system_fork_remove(ah_system *s);
/* It goes with the last of its systems. `failed`: nobody should build on it any more. */
void system_fork_close(system_fork *f, bool failed);

#endif
