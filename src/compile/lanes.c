/* compile/lanes.c - programs in C with vector types. */
#include "lanes.h"

#include "dialect.h"

/* Programs up to this many operations are inlined wherever they are called (see emit.c). */
#define INLINE_BELOW 400

typedef struct instructions {
    const char *words, *target;
    unsigned width;
} instructions;

static instructions find_instructions(void)
{
#if defined(__x86_64__) && defined(__GNUC__)
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
        __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("fma"))
        return (instructions){"8 (AVX-512)", "avx2,fma,avx512f,avx512dq,avx512vl", 8};
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
        return (instructions){"4 (AVX2)", "avx2,fma,tune=znver2", 4};
#endif
    return (instructions){"4 (as the compiler can)", NULL, 4};
}

unsigned lanes_width(void)
{
    return find_instructions().width;
}

const char *lanes_words(void)
{
    return find_instructions().words;
}

/* ---- What programs call ---------------------------------------------------------------------- */

static const char types[] =
    "typedef double V __attribute__((vector_size(8 * L), may_alias));\n"
    "typedef long long I __attribute__((vector_size(8 * L), may_alias));\n"
    "#define INLINE static inline __attribute__((always_inline))\n"
    "#define K(x) ((V){0} + (x))\n"
    "#define ALL ((I){0} - 1)\n"
    "#if defined __AVX__ && L == 4\n"
    "INLINE V SELECT(I i, V a, V b) { return __builtin_ia32_blendvpd256(b, a, (V) i); }\n"
    "INLINE int any(I i) { return __builtin_ia32_movmskpd256((V) i); }\n"
    "INLINE V vsqrt(V x) { return __builtin_ia32_sqrtpd256(x); }\n"
    "#else\n"
    "INLINE V SELECT(I i, V a, V b) { return (V) ((i & (I) a) | (~i & (I) b)); }\n"
    "INLINE int any(I i)\n{\n  long long all = 0;\n"
    "  for (int l = 0; l < L; l++) all |= i[l];\n  return all != 0;\n}\n"
    "INLINE V vsqrt(V x)\n{\n  V y;\n"
    "  for (int l = 0; l < L; l++) y[l] = __builtin_sqrt(x[l]);\n  return y;\n}\n"
    "#endif\n"
    "INLINE V vabs(V x) { return (V) ((I) x & 0x7fffffffffffffffLL); }\n"
    "INLINE V vmax(V a, V b) { return SELECT(a > b, a, b); }\n"
    "INLINE V vmin(V a, V b) { return SELECT(a < b, a, b); }\n"
    "INLINE V vsign(V x)\n"
    "{\n  return SELECT(x > 0, K(1.0), SELECT(x < 0, K(-1.0), x));\n}\n"
    "#define EACH(name, f) \\\n"
    "  static __attribute__((noinline, unused)) V name(V x) \\\n"
    "  { V y; for (int l = 0; l < L; l++) y[l] = f(x[l]); return y; }\n"
    "#define EACH2(name, f) \\\n"
    "  static __attribute__((noinline, unused)) V name(V x, V z) \\\n"
    "  { V y; for (int l = 0; l < L; l++) y[l] = f(x[l], z[l]); return y; }\n"
    "EACH(libsin, __builtin_sin)\nEACH(libcos, __builtin_cos)\n"
    "EACH(vasin, __builtin_asin)\nEACH(vacos, __builtin_acos)\nEACH(vatan, __builtin_atan)\n"
    "EACH(vsinh, __builtin_sinh)\nEACH(vcosh, __builtin_cosh)\nEACH(vtanh, __builtin_tanh)\n"
    "EACH(vexp, __builtin_exp)\nEACH(vlog, __builtin_log)\n"
    "EACH2(vpow, __builtin_pow)\nEACH2(vatan2, __builtin_atan2)\n";

/* x = n π/2 + r, |r| <= π/4: π/2 in three pieces of 33 bits, so that their products with |n| < 2^20 are exact. Then
 * polynomials through Chebyshev's points: (sin r − r)/r³ to 3e-17 and (cos r − 1 + r²/2)/r⁴ to 2e-18 of the results.
 * Beyond, and for what is not finite, libm's. The number with which n is rounded is 1.5·2^52: n is in its last bits. */
static const char sine[] =
    "#define sincos vsincos\n"
    "INLINE void sincos(V x, V *s, V *c)\n"
    "{\n"
    "  const V turned = x * 0.6366197723675814 + 0x1.8p52, n = turned - 0x1.8p52;\n"
    "  const V r = ((x - n * 1.5707963267341256) - n * 6.077100506303966e-11)"
    " - n * 2.0222662487111665e-21;\n"
    "  const V z = r * r;\n"
    "  const V a = z * (z * (z * (z * (z * 1.59153232122714e-10 - 2.5051092507061385e-08)"
    " + 2.755731591191116e-06) - 0.00019841269836387345) + 0.0083333333333307)"
    " - 0.16666666666666666;\n"
    "  const V b = z * (z * (z * (z * (z * -1.1380876948169717e-11 + 2.087612165887116e-09)"
    " - 2.755731715246704e-07) + 2.4801587298533456e-05) - 0.0013888888888887241)"
    " + 0.041666666666666664;\n"
    "  const V half = 0.5 * z, w = 1.0 - half;\n"
    "  const V sine = r + (r * z) * a, cosine = w + (((1.0 - w) - half) + (z * z) * b);\n"
    "  const I odd = ((I) turned & 1) != 0;\n"
    "  const V first = SELECT(odd, cosine, sine), second = SELECT(odd, sine, cosine);\n"
    "  *s = (V) ((I) first ^ (((I) turned & 2) << 62));\n"
    "  *c = (V) ((I) second ^ ((((I) turned + 1) & 2) << 62));\n"
    "  const I far = ~(vabs(x) < 1.6e6);\n"
    "  if (__builtin_expect(any(far), 0)) {\n"
    "    *s = SELECT(far, libsin(x), *s);\n"
    "    *c = SELECT(far, libcos(x), *c);\n"
    "  }\n"
    "}\n"
    "INLINE V vsin(V x) { V s, c; sincos(x, &s, &c); return s; }\n"
    "INLINE V vcos(V x) { V s, c; sincos(x, &s, &c); return c; }\n"
    "INLINE V vtan(V x) { V s, c; sincos(x, &s, &c); return s / c; }\n";

void lanes_prelude(text *t, unsigned width)
{
    const instructions i = find_instructions();
    text_add(t, "#pragma GCC optimize(\"O3,fp-contract=fast\")\n");
    if (i.target) text_printf(t, "#pragma GCC target(\"%s\")\n", i.target);
    text_printf(t, "#define L %u\n", width);
    text_add(t, types);
    text_add(t, sine);
}

/* ---- Programs -------------------------------------------------------------------------------- */

static const dialect dialect_lanes = {
    .value = "  const V v",
    .end = ";\n",
    .function = DIALECT_FUNCTIONS("v", "", "abs", "vsign"),
    .power = "vpow",
    .root = "vsqrt",
    .pairs = "V",
    .output = "  y[",
    .is = "] = ",
    .good = "  return ALL",
    .both = " & ",
};

/* Constants lie in c, but for small integers; inputs in x. */
static void leaf(const void *user, text *t, const program *p, const program_code *c)
{
    (void) user;
    if (c->op == PROGRAM_INPUT) {
        text_printf(t, "x[%u]", c->a);
        return;
    }
    for (int small = 0; small <= 9 && c->a < p->numbers; small++)
        if (p->constants.at[c->a] == small) {
            text_printf(t, "K(%d.0)", small);
            return;
        }
    text_printf(t, "c[%u]", c->a);
}

void lanes_emit(const program *p, text *t, const char *name)
{
    text_printf(t,
                "static inline __attribute__((%s)) I %s(const V *restrict c, const V *restrict x, "
                "V *restrict y)\n{\n",
                program_operations(p) <= INLINE_BELOW ? "always_inline" : "noinline", name);
    program_write(p, t, &dialect_lanes, leaf, NULL);
    text_add(t, "}\n");
}

bool lanes_are_smooth(const program *p)
{
    arena *scratch = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    bool *needed = NEW_ARRAY(scratch, bool, p->code.count + 1), smooth = true;
    for (size_t i = 0; i < p->outputs; i++) needed[p->output[i]] = true; /* guards need not be */
    for (size_t i = p->code.count; i-- > 0;) {
        const program_code *c = &p->code.at[i];
        if (!needed[i] || c->op == PROGRAM_INPUT || c->op == PROGRAM_CONSTANT) continue;
        needed[c->a] = needed[c->b] = true;
        if (c->op == PROGRAM_CALL && (c->function == AH_ABS || c->function == AH_SIGN))
            smooth = false;
    }
    arena_release(scratch, mark);
    return smooth;
}
