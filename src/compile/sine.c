/* compile/sine.c - see sine.h. */
#include "sine.h"

#include <math.h>

#define STRING_OF(...) #__VA_ARGS__
#define STRING(...)    STRING_OF(__VA_ARGS__)

SINE_CODE

static bool is_near(double x)
{
    return fabs(x) < SINE_ANGLES;
}

double sine_sin(double x)
{
    return is_near(x) ? sine_near(x)[0] : sin(x);
}

double sine_cos(double x)
{
    return is_near(x) ? sine_near(x)[1] : cos(x);
}

void sine_sincos(double x, double *s, double *c)
{
    *s = sine_sin(x);
    *c = sine_cos(x);
}

const char *const sine_source =
    "double sin(double);\ndouble cos(double);\ndouble fabs(double);\n" STRING(
        SINE_CODE) "\n"
                   "#define SINE_NEAR(x) __builtin_expect(fabs(x) < " STRING(
                       SINE_ANGLES) ", 1)\n"
                                    "static __attribute__((noinline, cold, unused)) sine_two "
                                    "sine_far(double x)\n"
                                    "{\n  return (sine_two) {sin(x), cos(x)};\n}\n"
                                    "static inline __attribute__((always_inline, unused)) sine_two "
                                    "sine_any(double x)\n"
                                    "{\n  return SINE_NEAR(x) ? sine_near(x) : sine_far(x);\n}\n"
                                    "static inline __attribute__((always_inline, unused)) void "
                                    "sine_both(double x, double *s, double *c)\n"
                                    "{\n  const sine_two two = sine_any(x);\n  *s = two[0], *c = "
                                    "two[1];\n}\n"
                                    "#define sin(x) (sine_any(x)[0])\n"
                                    "#define cos(x) (sine_any(x)[1])\n"
                                    "#define sincos sine_both\n";
