/* compile/cuts.h - a long program as functions of bounded size.
 *
 * The time to compile a function grows faster than its length: 50 000 operations in one take gcc a
 * minute, in parts seconds. A part does the operations up to its end, in their order; what later parts
 * need goes through a work array. Outputs are stored, and guards are tested, by the first part that
 * knows all they need. */
#ifndef COMPILE_CUTS_H
#define COMPILE_CUTS_H
#include "program.h"

/* How many operations a part has at most, unless a caller says otherwise. */
#define PROGRAM_PART 1000

typedef struct program_parts {
    size_t count;
    size_t *end;                      /* by part: behind its last operation */
    size_t section[PROGRAM_SECTIONS]; /* how many parts the sections up to this one have */
    uint32_t *place; /* by value: 1 + its place in the work array; 0: one part alone uses it */
    uint32_t *part;  /* by value: which part makes it; of leaves 0 */
    size_t work;     /* numbers in the work array */
} program_parts;

/* Parts of at most `most` operations: one, where the program has no more. `partner` (NULL: none) names
 * by value the one that is made together with it, or itself. With `sections` each of the program's
 * begins a part, what it leaves behind has a place for good, and outputs and guards are left to the
 * rest; other places are used again. */
program_parts parts_of(const program *p, arena *a, size_t most, const uint32_t *partner,
                       bool sections);
/* The part that stores output i, and the one that tests guard i. */
size_t parts_output(const program *p, const program_parts *w, size_t i);
size_t parts_guard(const program *p, const program_parts *w, size_t i);

#endif
