/* t_limits.c - limits of every function and operation: true ones are proved, each with another number is false, and
 * what has no limit, or does not exist near it, is never proved. */
#include "harness/harness.h"
#include "harness/verdicts.h"

#include <stdio.h>
#include <stdlib.h>

static const char *const right[] = {"inf: tanh(p) = 1",
                                    "-inf: tanh(p) = -1",
                                    "inf: sign(p) = 1",
                                    "-inf: sign(p) = -1",
                                    "inf: exp(-p) = 0",
                                    "inf: 1/exp(p) = 0",
                                    "-inf: exp(p) = 0",
                                    "inf: 1/sinh(p) = 0",
                                    "-inf: 1/sinh(p) = 0",
                                    "-inf: 1/cosh(p) = 0",
                                    "-inf: 1/abs(p) = 0",
                                    "inf: 1/log(p) = 0",
                                    "inf: 1/sqrt(p) = 0",
                                    "-inf: 1/sqrt(-p) = 0",
                                    "inf: f(1/p) = f(0)",
                                    "inf: f(x + 1/p) = f(x)",
                                    "0: sinh(p)/p = 1",
                                    "0: tanh(p)/p = 1",
                                    "0: atan(p)/p = 1",
                                    "0: (exp(p) - 1)/p = 1",
                                    "0: (cosh(p) - 1)/p^2 = 1/2",
                                    "0: (sqrt(c + p) - sqrt(c))/p = 1/(2*sqrt(c))",
                                    "inf: 1/(p + exp(p)) = 0",
                                    "inf: 1/(p*exp(p)) = 0",
                                    "inf: 1/(p*tanh(p)) = 0",
                                    "inf: 1/(p + tanh(p)) = 0",
                                    "inf: 1/(tanh(p) + exp(p) + p) = 0",
                                    "0: p*tanh(p) = 0",
                                    "0: acos(p) = pi/2",
                                    "0: asin(p) = 0",
                                    "0: sign(c + p) = 1",
                                    "0: (c + p)^(-1/2) = 1/sqrt(c)",
                                    "0: (p^2)^(1/3) = 0",
                                    "0: 1/(1 + (p^2)^(-1/3)) = 0",
                                    "0: log(c + p) = log(c)",
                                    "0: tan(x + p) = tan(x)",
                                    "0: (p^3 + p^2)/(p^2 + p^5) = 1",
                                    "inf: (p^3 + x)/(2*p^3 + 1) = 1/2",
                                    "inf: (p^2 + 1)/p^3 = 0",
                                    "inf: sin(1/p)*p = 1",
                                    "inf: exp(1/p) = 1",
                                    "0: p*f(p) = 0",
                                    "0: abs(x + p) = abs(x)",
                                    "-inf: 1/(p^2*exp(-p)) = 0",
                                    "0: (p*x^2 + p^2)/p = x^2",
                                    "0: sin(p*x)/p = x",
                                    "0: (1/sin(p))*p = 1"};

/* What vanishes beside what grows; worked out by hand, and by mpmath at p = 1e-8 … 1e-40. */
static const char *const orders[] = {"0: p*log(abs(p)) = 0",
                                     "0: x*p*log(p^2)^3 + x = x",
                                     "0: p^2*log(c*p^2) = 0",
                                     "0: sqrt(abs(p))*log(abs(p)) = 0",
                                     "0: abs(p)^p = 1",
                                     "0: sin(p)*log(p^2) = 0",
                                     "0: p*sin(1/p) = 0",
                                     "0: p^2*sin(1/p)/sin(p) = 0",
                                     "0: p/log(abs(p)) = 0",
                                     "0: exp(-1/p^2)/p^5 = 0",
                                     "0: exp(1/abs(p))*exp(-1/p^2)/p = 0",
                                     "inf: log(p)^3/p = 0",
                                     "inf: log(p)/sqrt(p) = 0",
                                     "inf: p^3*exp(-p) = 0",
                                     "-inf: p^3*exp(p) = 0",
                                     "inf: p^2/exp(p) = 0",
                                     "inf: log(p + 1) - log(p) = 0",
                                     "inf: log(c*p) - log(p) = log(c)",
                                     "inf: 2*log(p + 1) - log(p^2 + x) = 0",
                                     "inf: p*log(1 + x/p) = x",
                                     "inf: (1 + x/p)^p = exp(x)",
                                     "-inf: (1 + x/p)^p = exp(x)",
                                     "inf: p^(1/p) = 1",
                                     "inf: p^(1/log(p)) = exp(1)",
                                     "0: log(1 + p*x)/p = x",
                                     "inf: sin(p)*log(p)/p = 0"};

static const char *const none[] = {"0: sign(p) = 0",
                                   "0: p/abs(p) = 1",
                                   "inf: cos(p) = 1",
                                   "inf: f(p) = f(0)",
                                   "-inf: 1/log(p) = 0",
                                   "-inf: 1/sqrt(p) = 0",
                                   "0: asin(2 + p) = asin(2 - p)",
                                   "0: log(p - 1) = log(-1 - p)",
                                   "0: sqrt(p - c) = sqrt(-c - p)",
                                   "0: 1/p = 0",
                                   "0: 1/p = 1/p",
                                   "inf: p - exp(p) = 0",
                                   "0: log(p)*0 = 0",
                                   "0: p*log(p)*0 = 0",
                                   "0: p^(1/2) = 0",
                                   "0: exp(1/p) = 0",
                                   "0: tan(pi/2 + p)*p = 0",
                                   "inf: exp(p)/p = 1",
                                   "0: acos(1 + p) = 0",
                                   "0: p*log(p) = 0",
                                   "0: log(abs(p)) = 0",
                                   "0: sin(1/p)*log(abs(p)) = 0",
                                   "0: p*sin(1/p)/sin(p) = 0",
                                   "0: exp(1/p^2)*p^5 = 0",
                                   "0: exp(1/p)*p = 0",
                                   "0: p^p = 1",
                                   "inf: log(p)*sin(p) = 0",
                                   "inf: exp(x*p)/p = 0",
                                   "inf: p*exp(-p*x) = 0",
                                   "inf: log(p) - log(log(p)) = 0",
                                   "inf: log(-p)/p = 0",
                                   "inf: p*log(p)/(p*log(p) + p) = 0",
                                   "0: log(abs(p))/log(p^2) = 0",
                                   "0: p*log(p*x) = 0"};

#define COUNT(list) (sizeof(list) / sizeof *(list))

/* Claims with this word before and this text after each of them. */
static size_t add(char *to, size_t room, const char *verdict, const char *const *list, size_t count,
                  const char *after)
{
    size_t length = 0;
    for (size_t i = 0; i < count; i++)
        length += (size_t) snprintf(to + length, room - length,
                                    "claim \"%s %zu: %s%s\": limit p -> %s%s\n", verdict, i,
                                    list[i], after, list[i], after);
    return length;
}

TEST(limits)
{
    enum { ROOM = 60000 };
    char *model = malloc(ROOM);
    size_t length = (size_t) snprintf(model, ROOM,
                                      "parameter p, c\nassume c > 0\ncoordinate x\n"
                                      "function f(x)\nkinetic x'^2/2\n");
    length += add(model + length, ROOM - length, "proved", right, COUNT(right), "");
    length += add(model + length, ROOM - length, "false", right, COUNT(right), " + 1");
    length += add(model + length, ROOM - length, "proved", orders, COUNT(orders), "");
    length += add(model + length, ROOM - length, "false", orders, COUNT(orders), " + 1/100");
    add(model + length, ROOM - length, "not proved", none, COUNT(none), "");
    check_verdicts(model, NULL);
    free(model);
}

/* Motions: sqrt(k) x = sin(sqrt(k) t) tends to 0, its velocity does not; 0.001 + p tends to 0.001, p^0.1 too slowly to be told. */
TEST(limits_of_motions)
{
    check_verdicts(
        "parameter k = 10\ncoordinate x, y\nkinetic x'^2/2 + y'^2/2\npotential k*x^2/2\n"
        "start x = 0, x' = 1, y = 0, y' = 1\n"
        "claim \"holds 1\": limit k -> inf along t = 0 .. 1: x = 0\n"
        "claim \"unknown 2\": limit k -> inf along t = 0 .. 1: x' = 0\n"
        "claim \"holds 3\": limit k -> 0 along t = 0 .. 1: x = y\n"
        "claim \"unknown 4\": limit k -> 0 along t = 0 .. 1: x = 1.001*y\n"
        "claim \"holds 5: equal already\": limit k -> 0 along t = 0 .. 1: y = t\n"
        "claim \"unknown 6: it is on the other side\": limit k -> -inf along t = 0 .. 1: x = 0\n"
        "claim \"unknown 7: before the start\": limit k -> 0 along t = -1 .. 1: x = y\n"
        "claim \"unknown 8: no such side\": limit k -> 0 along t = 0.5 .. 1: log(-y) = 0\n",
        NULL);
    check_verdicts("parameter p = 0.1\nassume p > 0\ncoordinate x, y\nkinetic x'^2/2 + y'^2/2\n"
                   "start x = p, y = p^0.1\n"
                   "claim \"unknown 1\": limit p -> 0 along t = 0 .. 1: 0.001 + x = 0\n"
                   "claim \"holds 2\": limit p -> 0 along t = 0 .. 1: 0.001 + x = 0.001\n"
                   "claim \"unknown 3\": limit p -> 0 along t = 0 .. 1: y = 0\n"
                   "claim \"unknown 4\": limit p -> 0 along t = 0 .. 1: sin(1/x) = 0\n",
                   NULL);
}

/* Limits that are off by a little: beside powers that fall more slowly, at rows where the difference is not the largest, at
 * moments between the rows; and true ones, of which the first motions do not tell enough. */
TEST(limits_of_motions_that_are_nearly_right)
{
    check_verdicts(
        "parameter p = 0.1\nassume p > 0\ncoordinate x, y\nkinetic x'^2/2 + y'^2/2\n"
        "start x = p + 3*p^2, y = 0, y' = 1, x' = 0\n"
        "claim \"unknown 1\": limit p -> 0 along t = 0 .. 1: 0.00005 + x = 0\n"
        "claim \"unknown 2\": limit p -> 0 along t = 0 .. 1: x + sqrt(p) + 0.001 = 0\n"
        "claim \"unknown 3\": limit p -> 0 along t = 0 .. 1: x + p^0.4 + p^0.5 = 0.003\n"
        "claim \"unknown 4\": limit p -> 0 along t = 0 .. 1: y + x = 1.0001*y\n"
        "claim \"unknown 5\": limit p -> 0 along t = 0 .. 1: exp(-((t - 0.50371)/p)^2) = 0\n"
        "claim \"unknown 6\": limit p -> 0 along t = 0 .. 1: cos(2*pi*64*y) = 1\n"
        "claim \"unknown 7\": limit p -> 0 along t = 0 .. 1: sqrt(p)*sin(t/p) = 0.001\n"
        "claim \"holds 8\": limit p -> 0 along t = 0 .. 1: sqrt(p)*sin(t/p) = 0\n"
        "claim \"holds 9\": limit p -> 0 along t = 0 .. 1: x*log(p) = 0\n"
        "claim \"holds 10\": limit p -> 0 along t = 0 .. 1: x + p^0.4 = 0\n",
        NULL);
}

/* Without values, without a start, at a place that ends the motion: no motion, no answer. */
TEST(limits_of_motions_that_are_none)
{
    check_verdicts("parameter p\ncoordinate x\nkinetic x'^2/2\nstart x = 0\n"
                   "claim \"unknown 1\": limit p -> 0 along t = 0 .. 1: x = 0\n",
                   NULL);
    check_verdicts("parameter p = 1\ncoordinate x\nkinetic x'^2/2\n"
                   "claim \"unknown 1\": limit p -> 0 along t = 0 .. 1: x = 0\n",
                   NULL);
    check_verdicts("parameter p = 1\ncoordinate x\nkinetic x'^2/2\nstart x = 0, x' = 1\n"
                   "stop \"wall\" when x = 1/2\n"
                   "claim \"unknown 1\": limit p -> 0 along t = 0 .. 1: x = t\n"
                   "claim \"holds 2\": limit p -> 0 along t = 0 .. 0.4: x = t\n",
                   NULL);
}

/* x'' = −4 x − 2 e x' from below, e = −1 … 0: cos 2t in the end. Spans and limits that are none. */
TEST(limits_of_motions_from_below)
{
    check_verdicts(
        "parameter k = 4, m = 1, e = -1\ncoordinate x\nkinetic m*x'^2/2\npotential k*x^2/2\n"
        "force x = -2*e*x'\nstart x = 1, x' = 0\n"
        "claim \"holds 1\": limit e -> 0 along t = 0 .. 2: x = cos(2*t)\n"
        "claim \"holds 1b: e < 1\": limit e -> 0 along t = 0 .. 2: x + log(1 - e) = cos(2*t)\n"
        "claim \"unknown 2\": limit e -> 0 along t = 0 .. 2: x = cos(2*t) + 0.01\n"
        "claim \"unknown 3: before the start\": limit e -> 0 along t = -1 .. 2: x = 0\n"
        "claim \"unknown 4: no span\": limit e -> 0 along t = 2 .. 2: x = 0\n"
        "claim \"unknown 5: a short one\": limit e -> 0 along t = 1000 .. 1000.001: x = 0\n"
        "claim \"unknown 6: it goes away\": limit e -> inf along t = 0 .. 2: x = 0\n"
        "claim \"unknown 7: it is there\": limit e -> -1 along t = 0 .. 2: x = x\n"
        "claim \"unknown 8: no limit\": limit e -> log(-m) along t = 0 .. 2: x = x\n"
        "claim \"unknown 9: no side\": limit e -> 0 along t = 0 .. 2: 0 = log(x - 20)\n",
        NULL);
}
