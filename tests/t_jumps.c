/* t_jumps.c - what may not be called constant, or a solution: it jumps across a pole that motions pass. The labels begin with the
 * verdict that they must get. */
#include "harness/harness.h"
#include "harness/tricks.h"

#include <stdio.h>

/* A pole of the system that a bounded function hides does not end a motion: V = atan(1/x) changes by pi. */
TEST(energies_across_hidden_poles)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential atan(1/x)\nclaim \"unknown 1\": constant energy\n"
                   "claim \"unknown 2\": integral energy\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential tanh(1/(x - y))\nclaim \"unknown 1\": constant energy\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential 1/x + 1/sqrt(x^2 + y^2)\nclaim \"proved 1\": constant energy\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential exp(-1/x^2) + atan(x)\nclaim \"proved 1\": constant energy\n",
                   NULL);
}

/* x uniform and y' = c x: under a force that is infinite in general all motions pass x = 0 with y' = 0. And so they do under
 * y' = z' x, under a force that is infinite for a moment with a finite impulse, and one that a function makes zero. */
TEST(poles_that_motions_pass)
{
    static const struct {
        const char *system, *jumps;
    } of[] = {{"force y = x'*y'/x\n", "atan(1/x) + atan(x) + y'/x"},
              {"force y = x'*y'/x\n", "y'/abs(x)"},
              {"constraint c: z' = y'/x\n", "sqrt(1 + x^2)*y'/x + atan(1/x) + atan(x)"},
              {"force x = -sign(x)/sqrt(abs(x))\n", "z'*x/abs(x)"},
              {"force y = exp(-1/x^2)/x\n", "x'*abs(x)/x"},
              {"potential 0\n", "x'*abs(x)/x"}};
    for (size_t i = 0; i < sizeof of / sizeof *of; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n%s"
                 "claim \"unknown 1\": constant %s\n",
                 of[i].system, of[i].jumps);
        check_verdicts(text, NULL);
    }
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = x'*y'/x\n"
                   "claim \"proved 1\": constant y'/x\nclaim \"proved 2\": constant x'\n",
                   NULL);
}

/* Along y = 0 these poles cancel, and a motion there passes x = 0; those of 1/x + 1/y push all motions aside. */
TEST(poles_that_meet)
{
    static const char *const potential[] = {"1/x - 1/(x + y^2)", "2/x - 1/(x - y^2) - 1/(x + y^2)",
                                            "1/x^2 - 1/(x^2 - y^4)"};
    for (size_t i = 0; i < sizeof potential / sizeof *potential; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential %s\n"
                 "claim \"unknown 1\": constant energy*abs(x)/x\n"
                 "claim \"proved 2\": constant energy\n",
                 potential[i]);
        check_verdicts(text, NULL);
    }
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "force x = 1/x^2 - 1/(x + y^2)^2\nforce y = -2*y/(x + y^2)^2\n"
                   "claim \"unknown 1\": constant ((x'^2 + y'^2)/2 + 1/x - 1/(x + y^2))*abs(x)/x\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 1/x + 1/y\n"
                   "claim \"proved 1\": constant energy*abs(x)/x\n",
                   NULL);
}

/* exp(-1/x^2)/x is smooth, and 1/x^2 infinite. */
TEST(poles_that_functions_take_away)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential exp(-1/x^2)/x\n"
                   "claim \"proved 1\": constant energy\n"
                   "claim \"unknown 2\": constant y'*abs(x)/x\n",
                   NULL);
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential 1/x^2\n"
                   "claim \"proved 1\": constant y'*abs(x)/x\n",
                   NULL);
}

/* The potential k/x ends motions, but for k = 0. */
TEST(poles_of_families)
{
    check_verdicts("parameter k\ncoordinate x\nkinetic x'^2/2\npotential k/x\n"
                   "claim \"proved 1\": constant energy\n"
                   "claim \"unknown 2\": constant energy*abs(x)/x\n",
                   NULL);
    check_verdicts("parameter k\nassume k > 0\ncoordinate x\nkinetic x'^2/2\npotential k/x\n"
                   "claim \"proved 1\": constant energy*abs(x)/x\n",
                   NULL);
    check_verdicts("parameter k, l\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential -k/sqrt(x^2 + y^2) - l/sqrt((x - 1)^2 + y^2)\n"
                   "claim \"proved 1\": constant energy\n",
                   NULL);
    check_verdicts("parameter k\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "potential -k/sqrt(x^2 + y^2)\n"
                   "claim \"proved 1\": constant y'*(x*y' - y*x') - k*x/sqrt(x^2 + y^2)\n",
                   NULL);
}

/* Velocities do not jump, where poles of the functions are hidden; where they are infinite the motion ends. */
TEST(solutions_across_poles)
{
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                   "claim \"unknown 1\": solution x' = atan(tan(t)) - t, y = t\n"
                   "claim \"unknown 2\": solution x' = atan(1/t) + atan(t), y' = 0\n"
                   "claim \"unknown 3\": solution x = t*(atan(1/t) + atan(t)), y = 0\n"
                   "claim \"proved 4\": solution x' = 2, y = 1 - t\n",
                   NULL);
    check_verdicts("coordinate x\nkinetic x'^2/2\nvelocity v: x' = v\n"
                   "claim \"unknown 1\": solution v = atan(tan(t)) - t, x' = atan(tan(t)) - t\n",
                   NULL);
    check_verdicts("parameter mu = 2\ncoordinate r, th\nassume r > 0\n"
                   "kinetic (r'^2 + r^2*th'^2)/2\npotential -mu/r\n"
                   "claim \"proved 1\": solution r = (9*mu/2)^(1/3)*t^(2/3), th = 0\n",
                   NULL);
    check_verdicts("coordinate x\nkinetic x'^2/2\nforce x = 2*x^3\n"
                   "claim \"proved 1\": solution x = 1/(t + 2)\n",
                   NULL);
}
