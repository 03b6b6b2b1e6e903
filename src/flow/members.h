/* flow/members.h - motions of a family of steady motions, all over it. */
#ifndef FLOW_MEMBERS_H
#define FLOW_MEMBERS_H
#include "stability.h"

/* Two motions whose variables differ by less than this (relative to 1 + |y|, angles modulo 2π) are
 * one. */
#define MEMBERS_SAME 1e-6

typedef struct members {
    problem *s;
    stability_answer *of; /* the motion that stands for the family */
    uint32_t parameters;  /* what may be chosen along it, besides what --at holds */
    uint32_t *parameter;  /* which y */
    bool *varies;         /* kept: differs along the family */
    int steps;            /* that may still be taken along it … */
    steady *follows;      /* … by these equations, with these parameters held */
    const uint32_t *followed;
    LIST(frame *) at; /* motions, the one that stands for it first */
} members;

bool members_same(const problem *s, const frame *a, const frame *b, double near);
/* Are there steady motions all along the straight way between them? */
bool members_linked(problem *s, const frame *a, const frame *b);
/* Do the kept variables leave several places to the coordinates that follow from them? */
bool members_sheets(const problem *s);
/* Parameters of all sizes and signs, angles all round; each motion is reached by steps along the
 * family. of->symbolic is made, and of->parameter chosen so that both agree. */
void members_create(problem *s, stability_answer *of, uint64_t seed, members *out);
/* Is the steady state one of the family? By its formulas, or by going there along it. False may
 * also mean that no way was found. */
bool members_has(members *f, const frame *values);

#endif
