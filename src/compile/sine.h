/* compile/sine.h - sine and cosine of the programs: the same bytes in every engine, and short enough to be inlined.
 *
 *     x = n π/2 + r + tail,  |r| <= π/4:
 *
 * π/2 in three pieces, of which two are so short that their products with n are exact; the tail is what rounding takes from r.
 * Both functions side by side in one register: polynomials through Chebyshev's points, (sin r − r)/r³ to 3e-17 and
 * (cos r − 1 + r²/2)/r⁴ to 2e-18 of the results. The number with which n is rounded is 1.5·2^52: n is in its last bits, by which
 * the two are exchanged and their signs changed, by shifts (compilers make a mask anew for every angle). Angles beyond SINE_ANGLES,
 * and what is not finite, are libm's.
 *
 * One text: compiled here for the interpreter and tcc, and handed to cc with every program. */
#ifndef COMPILE_SINE_H
#define COMPILE_SINE_H
#include "../base/base.h"

#define SINE_ANGLES 100000.0

/* clang-format off */
#define SINE_CODE                                                                                  \
typedef double sine_two __attribute__((vector_size(16)));                                          \
typedef long long sine_bits __attribute__((vector_size(16)));                                      \
typedef unsigned long long sine_count __attribute__((vector_size(16)));                            \
static inline sine_two sine_near(double x)                                                         \
{                                                                                                  \
    const double turned = x * 0.6366197723675814 + 6755399441055744.0;                             \
    const double n = turned - 6755399441055744.0;                                                  \
    const double y = x - n * 1.5707963267341256, w = n * 6.077100506303966e-11;                    \
    const double r = y - w, tail = ((y - r) - w) - n * 2.0222662487959506e-21;                     \
    const double z = r * r, zz = z * z, half = 0.5 * z, one = 1.0 - half;                          \
    const sine_two z2 = {z, z}, z4 = {zz, zz};                                                     \
    const sine_two a = {-0.16666666666666666, 0.041666666666666664};                               \
    const sine_two b = {0.0083333333333307, -0.0013888888888887241};                               \
    const sine_two c = {-0.00019841269836387345, 2.4801587298533456e-05};                          \
    const sine_two d = {2.755731591191116e-06, -2.755731715246704e-07};                            \
    const sine_two e = {-2.5051092507061385e-08, 2.087612165887116e-09};                           \
    const sine_two f = {1.59153232122714e-10, -1.1380876948169717e-11};                            \
    const sine_two sum = (a + z2 * b) + z4 * ((c + z2 * d) + z4 * (e + z2 * f));                   \
    const sine_two first = {r, one}, power = {r * z, zz};                                          \
    const sine_two more = {tail * one, ((1.0 - one) - half) - r * tail};                           \
    const sine_two both = first + (power * sum + more), other = {both[1], both[0]};                \
    const sine_two kept = {turned, turned};                                                        \
    const sine_count bits = (sine_count) kept, later = {0, 1};                                     \
    const sine_bits odd = (sine_bits) (bits << 63) < 0;                                            \
    const sine_bits sign = (sine_bits) (((bits + later) >> 1) << 63);                              \
    return (sine_two) ((((sine_bits) other & odd) | ((sine_bits) both & ~odd)) ^ sign);            \
}
/* clang-format on */

/* The definitions of sin, cos and sincos for cc, to stand before all others. */
extern const char *const sine_source;

double sine_sin(double x);
double sine_cos(double x);
void sine_sincos(double x, double *s, double *c);

#endif
