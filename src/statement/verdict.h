/* statement/verdict.h - what is known of a claim: proved, holding at N states, false with a counter-example, unknown. */
#ifndef STATEMENT_VERDICT_H
#define STATEMENT_VERDICT_H
#include "../state/state.h"
#include <anholo/answer.h>

typedef struct verify_claim {
    const model_claim *claim;
    ah_verdict verdict;
    bool pass;           /* a claim that is proved or holds, a refute that is false */
    size_t states;       /* at which it was found to hold */
    size_t motions;      /* along which it was */
    const char *why;     /* unknown: why it could not be evaluated; a statement: how it is known */
    bool on_constraints; /* proved, but not as functions of all velocities */
    bool at_all_states;  /* proved of the singular ones, too */
    bool nowhere;        /* unknown: it speaks of no regular state at all */
    unsigned
        general; /* of free parameters and functions it is known for general ones: which special ones are not (VERDICT_…) */
    size_t sets; /* VERDICT_NAMED: where all of one of these sets vanish … */
    const expr_list *set;   /* … the states with the named values may be others */
    const char *with;       /* false: with these values of free parameters; or NULL */
    bool by_values;         /* proved for special values of the parameters one by one, too */
    const char *unseen;     /* a component of which few states or none could be tried; or NULL */
    const char *component;  /* on which it is false, of several; or NULL */
    const frame *values;    /* the counter-example */
    double left, right;     /* there … */
    const char *difference; /* … and left − right in decimals, where balls have told it */
    ah_model *model;        /* whose state it is: conditions of a claim make parameters free */
} verify_claim;

/* Special values of parameters and functions for which something may be otherwise than in general. */
enum {
    VERDICT_RANK = 1,     /* there are fewer constraints */
    VERDICT_BRACKETS = 2, /* brackets of what they leave span less */
    VERDICT_ANYTHING = 4, /* others */
    VERDICT_PARTS = 8,    /* the constraints have other components */
    VERDICT_NAMED = 16    /* there are other states with the values that a claim names */
};

#endif
