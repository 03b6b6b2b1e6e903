/* many/draws.c - random numbers by counting: no state, so a run has its numbers wherever it runs.
 *
 * Philox 4x32-10 [Salmon2011]: ten rounds of two products of 32 bits. The counter is the number of the
 * run and a hash of the name, so that what else varies does not change a draw. */
#include "ensemble_inside.h"

#include <math.h>

static const uint32_t multiplier[2] = {0xD2511F53u, 0xCD9E8D57u};
static const uint32_t weyl[2] = {0x9E3779B9u, 0xBB67AE85u};
enum { ROUNDS = 10 };

void draw_bits(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4])
{
    uint32_t c[4] = {counter[0], counter[1], counter[2], counter[3]}, k[2] = {key[0], key[1]};
    for (int i = 0; i < ROUNDS; i++) {
        const uint64_t p = (uint64_t) multiplier[0] * c[0], q = (uint64_t) multiplier[1] * c[2];
        const uint32_t next[4] = {(uint32_t) (q >> 32) ^ c[1] ^ k[0], (uint32_t) q,
                                  (uint32_t) (p >> 32) ^ c[3] ^ k[1], (uint32_t) p};
        for (int j = 0; j < 4; j++) c[j] = next[j];
        k[0] += weyl[0];
        k[1] += weyl[1];
    }
    for (int j = 0; j < 4; j++) out[j] = c[j];
}

static uint64_t hash(const char *s) /* FNV-1a */
{
    uint64_t h = 0xcbf29ce484222325u;
    for (; *s; s++) h = (h ^ (unsigned char) *s) * 0x100000001b3u;
    return h;
}

/* 53 bits. */
static double unit(uint32_t high, uint32_t low)
{
    return (double) ((((uint64_t) high << 32) | low) >> 11) * 0x1p-53;
}

static void draw(uint64_t seed, uint64_t run, const char *name, double u[2])
{
    const uint64_t h = hash(name);
    const uint32_t counter[4] = {(uint32_t) run, (uint32_t) (run >> 32), (uint32_t) h,
                                 (uint32_t) (h >> 32)};
    const uint32_t key[2] = {(uint32_t) seed, (uint32_t) (seed >> 32)};
    uint32_t bits[4];
    draw_bits(counter, key, bits);
    u[0] = unit(bits[0], bits[1]);
    u[1] = unit(bits[2], bits[3]);
}

double draw_uniform(uint64_t seed, uint64_t run, const char *name)
{
    double u[2];
    draw(seed, run, name, u);
    return u[0];
}

/* Box and Muller. */
double draw_normal(uint64_t seed, uint64_t run, const char *name)
{
    const double pi = 3.14159265358979323846;
    double u[2];
    draw(seed, run, name, u);
    return sqrt(-2 * log1p(-u[0])) * cos(2 * pi * u[1]);
}
