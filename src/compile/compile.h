/* compile/compile.h - from worksheets to programs, and engines that run them: what other modules
 * see of this one. */
#ifndef COMPILE_COMPILE_H
#define COMPILE_COMPILE_H
#include "dialect.h"
#include "engine.h"
#include "jets.h"
#include "lanes.h"
#include "program.h"

#endif
