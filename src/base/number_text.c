/* base/number_text.c - doubles with 17 digits: the bytes of printf("%.17g"), several times as fast.
 *
 * x = m 2^e is to become D 10^(k − 16) with an integer D of 17 digits. For 10⁻²⁰ < x < 10¹⁷ both 10^(16 − k) and its
 * product with m are exact in 192 bits, so that D and what is left are exact, too: half goes to even, as in printf. */
#include "base.h"

#include <math.h>
#include <stdlib.h>

typedef unsigned __int128 wide;

enum { DIGITS = 17, MOST_POWER = 37 };
#define LEAST_NUMBER 2e-20 /* 1e-20 itself is a little less than that */
#define LARGEST      1e17
#define DIGITS_FROM  10000000000000000u  /* 10¹⁶ */
#define DIGITS_END   100000000000000000u /* 10¹⁷ */

static wide power_of_ten(int q)
{
    static const uint64_t small[] = {1u,
                                     10u,
                                     100u,
                                     1000u,
                                     10000u,
                                     100000u,
                                     1000000u,
                                     10000000u,
                                     100000000u,
                                     1000000000u,
                                     10000000000u,
                                     100000000000u,
                                     1000000000000u,
                                     10000000000000u,
                                     100000000000000u,
                                     1000000000000000u,
                                     10000000000000000u,
                                     100000000000000000u,
                                     1000000000000000000u};
    return q <= 18 ? small[q] : (wide) small[18] * small[q - 18];
}

/* The integer part of m 10^q 2^e, below 2⁶⁴; *rounded: to the nearest, half to even. */
static uint64_t scaled(uint64_t m, int e, int q, uint64_t *rounded)
{
    const wide power = power_of_ten(q);
    const wide low = (wide) m * (uint64_t) power, high = (wide) m * (uint64_t) (power >> 64);
    const wide middle = high + (low >> 64);
    uint64_t limb[4] = {(uint64_t) low, (uint64_t) middle, (uint64_t) (middle >> 64), 0};
    if (e >= 0) return *rounded = limb[0] << e;
    const int whole = -e / 64, bits = -e % 64;
    uint64_t out = limb[whole] >> bits, half = 0, below = 0;
    if (bits) out |= limb[whole + 1] << (64 - bits);
    if (bits) {
        half = limb[whole] >> (bits - 1) & 1;
        below = limb[whole] & (((uint64_t) 1 << (bits - 1)) - 1);
    } else {
        half = limb[whole - 1] >> 63;
        below = limb[whole - 1] << 1;
    }
    for (int i = 0; i < whole - !bits; i++) below |= limb[i];
    *rounded = out + (half && (below || (out & 1)));
    return out;
}

/* D and k of a positive number in the range. */
static uint64_t find_digits(double x, int *k)
{
    int e;
    const uint64_t m = (uint64_t) ldexp(frexp(x, &e), 53);
    e -= 53;
    *k = (int) floor(log10(x)); /* or one beside it */
    for (;;) {
        const int q = DIGITS - 1 - *k;
        uint64_t rounded = 0, D = q < 0 ? 0 : DIGITS_END; /* beyond the range: k is one off */
        if (q >= 0 && q < MOST_POWER) D = scaled(m, e, q, &rounded);
        if (D >= DIGITS_END) {
            ++*k;
        } else if (D < DIGITS_FROM) {
            --*k;
        } else if (rounded < DIGITS_END) {
            return rounded;
        } else {
            ++*k;
            return DIGITS_FROM;
        }
    }
}

static char *write_exponent(char *at, int k)
{
    *at++ = 'e';
    *at++ = k < 0 ? '-' : '+';
    *at++ = (char) ('0' + abs(k) / 10);
    *at++ = (char) ('0' + abs(k) % 10);
    return at;
}

size_t number_text(double x, char *to)
{
    char digit[DIGITS], *at = to;
    int k, count = DIGITS;
    if (signbit(x)) *at++ = '-', x = -x;
    if (x == 0) {
        *at++ = '0';
        return (size_t) (at - to);
    }
    if (!(x >= LEAST_NUMBER && x < LARGEST)) return 0;
    uint64_t D = find_digits(x, &k);
    for (int i = DIGITS; i-- > 0; D /= 10) digit[i] = (char) ('0' + D % 10);
    while (count > 1 && digit[count - 1] == '0') count--;
    const bool scientific = k < -4 || k >= DIGITS;
    const int point = scientific ? 1 : k + 1; /* digits before it */
    if (point <= 0) {
        *at++ = '0';
        *at++ = '.';
        for (int i = point; i < 0; i++) *at++ = '0';
    }
    for (int i = 0; i < count || i < point; i++) {
        if (i == point && point > 0) *at++ = '.';
        *at++ = i < count ? digit[i] : '0';
    }
    if (scientific) at = write_exponent(at, k);
    return (size_t) (at - to);
}
