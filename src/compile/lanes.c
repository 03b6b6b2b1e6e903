/* compile/lanes.c - programs in C with vector types. */
#include "lanes.h"

#include "dialect.h"

#include <string.h>

/* Programs up to this many operations are inlined wherever they are called (see emit.c). */
#define INLINE_BELOW 400

static const lanes_kind kinds[] = {
    {"avx512", "8 (AVX-512)", "avx2,fma,avx512f,avx512dq,avx512vl", 8},
    {"avx2", "4 (AVX2)", "avx2,fma,tune=znver2", 4},
    {"plain", "4 (as the compiler can)", NULL, 4},
    {"plain8", "8 (as the compiler can)", NULL, 8},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

static bool is_here(const lanes_kind *k)
{
    if (!k->target) return true;
#if defined(__x86_64__) && defined(__GNUC__)
    if (!__builtin_cpu_supports("avx2") || !__builtin_cpu_supports("fma")) return false;
    return k->width == 4 ||
           (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512dq") &&
            __builtin_cpu_supports("avx512vl"));
#else
    return false;
#endif
}

const lanes_kind *lanes_find(const char *name, const char **why)
{
    *why = "there are no such lanes";
    for (int i = 0; i < KINDS; i++) {
        if (name && strcmp(name, kinds[i].name)) continue;
        *why = is_here(&kinds[i]) ? NULL : "this processor does not have them";
        if (!*why) return &kinds[i];
    }
    return NULL;
}

/* ---- What programs call ---------------------------------------------------------------------- */

static const char types[] =
    "typedef double V __attribute__((vector_size(8 * L), may_alias));\n"
    "typedef long long I __attribute__((vector_size(8 * L), may_alias));\n"
    "#define INLINE static inline __attribute__((always_inline))\n"
    "#define K(x) ((V){0} + (x))\n"
    "#define ALL ((I){0} - 1)\n"
    "#define SIGN (-0x7fffffffffffffffLL - 1)\n"
    "#if defined __AVX__ && L == 4\n"
    "INLINE V SELECT(I i, V a, V b) { return __builtin_ia32_blendvpd256(b, a, (V) i); }\n"
    "#define BY_SIGN SELECT\n"
    "INLINE int bits(I i) { return __builtin_ia32_movmskpd256((V) i); }\n"
    "INLINE int any(I i) { return bits(i); }\n"
    "INLINE V vsqrt(V x) { return __builtin_ia32_sqrtpd256(x); }\n"
    "INLINE V vmax(V a, V b) { return __builtin_ia32_maxpd256(a, b); }\n"
    "INLINE V vmin(V a, V b) { return __builtin_ia32_minpd256(a, b); }\n"
    "#else\n"
    "INLINE V SELECT(I i, V a, V b) { return (V) ((i & (I) a) | (~i & (I) b)); }\n"
    "INLINE V BY_SIGN(I i, V a, V b) { return SELECT(i >> 63, a, b); }\n"
    "INLINE int bits(I i)\n{\n  int all = 0;\n"
    "  for (int l = 0; l < L; l++) all |= (int) (i[l] & 1) << l;\n  return all;\n}\n"
    "#if defined __AVX512DQ__ && L == 8\n"
    "INLINE int any(I i) { return (unsigned char) __builtin_ia32_cvtq2mask512(i); }\n"
    "#else\n"
    "INLINE int any(I i)\n{\n  long long all = 0;\n"
    "  for (int l = 0; l < L; l++) all |= i[l];\n  return all != 0;\n}\n"
    "#endif\n"
    "INLINE V vsqrt(V x)\n{\n  V y;\n"
    "  for (int l = 0; l < L; l++) y[l] = __builtin_sqrt(x[l]);\n  return y;\n}\n"
    "INLINE V vmax(V a, V b) { return SELECT(a > b, a, b); }\n"
    "INLINE V vmin(V a, V b) { return SELECT(a < b, a, b); }\n"
    "#endif\n"
    "INLINE V vabs(V x) { return (V) ((I) x & 0x7fffffffffffffffLL); }\n"
    "INLINE V vsign(V x)\n"
    "{\n  return SELECT(x > 0, K(1.0), SELECT(x < 0, K(-1.0), x));\n}\n"
    "#define EACH(name, f) \\\n"
    "  static __attribute__((noinline, unused)) V name(V x) \\\n"
    "  { V y; for (int l = 0; l < L; l++) y[l] = f(x[l]); return y; }\n"
    "#define EACH2(name, f) \\\n"
    "  static __attribute__((noinline, unused)) V name(V x, V z) \\\n"
    "  { V y; for (int l = 0; l < L; l++) y[l] = f(x[l], z[l]); return y; }\n"
    "EACH(vasin, __builtin_asin)\nEACH(vacos, __builtin_acos)\nEACH(vatan, __builtin_atan)\n"
    "EACH(vsinh, __builtin_sinh)\nEACH(vcosh, __builtin_cosh)\nEACH(vtanh, __builtin_tanh)\n"
    "EACH(vexp, __builtin_exp)\nEACH(vlog, __builtin_log)\n"
    "EACH2(vpow, __builtin_pow)\nEACH2(vatan2, __builtin_atan2)\n";

/* x = n π/2 + r, |r| <= π/4: π/2 in three pieces, whose products with n are exact: fused with the difference, or because
 * they are short. Then polynomials through Chebyshev's points: (sin r − r)/r³ to 3e-17 and (cos r − 1 + r²/2)/r⁴ to 2e-18 of
 * the results. The number with which n is rounded is 1.5·2^52: n is in its last bits. Angles beyond, and what is not finite, are
 * far: the motion is then not for lanes. t_sine measures the errors. Up to 3.5e15 with fused products, 1.64e6 without, nothing changes:
 * a step that begins below the bound and follows its sines does not come that far. */
static const char sine[] =
    "#ifdef __FMA__\n"
    "#define ANGLES 1e13\n"
    "#define REDUCED ((x - n * 1.5707963267948966) - n * 6.123233995736766e-17)"
    " + n * 1.4973849048591698e-33\n"
    "#else\n"
    "#define ANGLES 1.6e6\n"
    "#define REDUCED ((x - n * 1.5707963267341256) - n * 6.077100506303966e-11)"
    " - n * 2.0222662487959506e-21\n"
    "#endif\n"
    "INLINE void near_sincos(V x, V *s, V *c, I *far)\n"
    "{\n"
    "  const V turned = x * 0.6366197723675814 + 0x1.8p52, n = turned - 0x1.8p52;\n"
    "  const V r = REDUCED, z = r * r;\n"
    "  const V a = z * (z * (z * (z * (z * 1.59153232122714e-10 - 2.5051092507061385e-08)"
    " + 2.755731591191116e-06) - 0.00019841269836387345) + 0.0083333333333307)"
    " - 0.16666666666666666;\n"
    "  const V b = z * (z * (z * (z * (z * -1.1380876948169717e-11 + 2.087612165887116e-09)"
    " - 2.755731715246704e-07) + 2.4801587298533456e-05) - 0.0013888888888887241)"
    " + 0.041666666666666664;\n"
    "  const V sine = r + (r * z) * a, cosine = 1.0 - z * (0.5 - z * b);\n"
    "  const I odd = (I) turned << 63, sign = (I) turned << 62 & SIGN;\n"
    "  *s = (V) ((I) BY_SIGN(odd, cosine, sine) ^ sign);\n"
    "  *c = (V) ((I) BY_SIGN(odd, sine, cosine) ^ sign ^ odd);\n"
    "  if (far) *far |= ~(vabs(x) < ANGLES);\n"
    "}\n"
    "INLINE V near_sin(V x, I *far) { V s, c; near_sincos(x, &s, &c, far); return s; }\n"
    "INLINE V near_cos(V x, I *far) { V s, c; near_sincos(x, &s, &c, far); return c; }\n"
    "INLINE V near_tan(V x, I *far) { V s, c; near_sincos(x, &s, &c, far); return s / c; }\n"
    "#define sincos(x, s, c) near_sincos(x, s, c, looks ? &far : 0)\n"
    "#define vsin(x) near_sin(x, looks ? &far : 0)\n"
    "#define vcos(x) near_cos(x, looks ? &far : 0)\n"
    "#define vtan(x) near_tan(x, looks ? &far : 0)\n";

void lanes_prelude(text *t, const lanes_kind *k)
{
    text_add(t, "#pragma GCC optimize(\"O3,fp-contract=fast\")\n");
    if (k->target) text_printf(t, "#pragma GCC target(\"%s\")\n", k->target);
    text_printf(t, "#define L %u\n", k->width);
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
    .good = "  return ~far",
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

/* Long programs are functions; their body is written once, and the compiler leaves out what a call does not use. */
static const char *kind_of(const program *p)
{
    return program_operations(p) <= INLINE_BELOW ? "always_inline" : "noinline";
}

void lanes_emit(const program *p, text *t, const char *name)
{
    text_printf(t,
                "INLINE I %s_body(const V *restrict c, const V *restrict x, V *restrict y, const "
                "int looks)\n"
                "{\n  I far = ~ALL;\n",
                name);
    program_write(p, t, &dialect_lanes, leaf, NULL);
    text_printf(
        t,
        "}\nstatic inline __attribute__((%s)) I %s(const V *restrict c, const V *restrict x, "
        "V *restrict y)\n{\n  return %s_body(c, x, y, 1);\n}\n",
        kind_of(p), name, name);
}

void lanes_emit_near(const program *p, text *t, const char *name)
{
    const bool small = program_operations(p) <= INLINE_BELOW; /* a long one is not written twice */
    text_printf(t,
                "INLINE I %s_near(const V *restrict c, const V *restrict x, V *restrict y)\n"
                "{\n  return %s%s;\n}\n",
                name, name, small ? "_body(c, x, y, 0)" : "(c, x, y)");
}

bool lanes_read(const program *p, size_t input)
{
    arena *scratch = &p->ctx->scratch;
    const arena_mark mark = arena_get_mark(scratch);
    bool *it = NEW_ARRAY(scratch, bool, p->code.count + 1), reads = false;
    for (size_t i = 0; i < p->code.count; i++) {
        const program_code *c = &p->code.at[i];
        it[i] = c->op == PROGRAM_INPUT && c->a == input;
        if (c->op != PROGRAM_INPUT && c->op != PROGRAM_CONSTANT)
            reads = reads || it[c->a] || it[c->b];
    }
    for (size_t i = 0; i < p->outputs; i++) reads = reads || it[p->output[i]];
    for (size_t i = 0; i < p->guards; i++)
        reads = reads || it[p->guard[i].pivot] || it[p->guard[i].bound];
    arena_release(scratch, mark);
    return reads;
}

void lanes_emit_passing(const program *p, text *t, const char *name, const bool *idle)
{
    text_printf(t,
                "INLINE I %s_passing(const V *restrict c, const V *restrict x, V *restrict y)\n"
                "{\n  V all[%zu];\n  const I good = %s_near(c, x, all);\n",
                name, p->outputs + 1, name);
    for (size_t i = 0; i < p->outputs; i++)
        if (!idle[i]) text_printf(t, "  y[%zu] = all[%zu];\n", i, i);
    text_add(t, "  return good;\n}\n");
}

void lanes_emit_first(const program *p, text *t, const char *name, size_t count)
{
    text_printf(
        t,
        "static inline __attribute__((%s)) I %s_first(const V *restrict c, const V *restrict "
        "x, V *restrict y)\n{\n  V all[%zu];\n  %s_body(c, x, all, 0);\n",
        kind_of(p), name, p->outputs + 1, name);
    for (size_t i = 0; i < count; i++) text_printf(t, "  y[%zu] = all[%zu];\n", i, i);
    text_add(t, "  return ALL;\n}\n");
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

/* Whether it is finite wherever its inputs are: sums, products, sines and cosines. */
static bool is_finite(const program *p, uint32_t i)
{
    for (uint32_t k = 0; k <= i; k++) { /* operands come before what is made of them */
        const program_code *c = &p->code.at[k];
        const bool call = c->op == PROGRAM_CALL;
        if (c->op == PROGRAM_DIV || c->op == PROGRAM_POW || c->op == PROGRAM_SQRT) return false;
        if (call && c->function != AH_SIN && c->function != AH_COS) return false;
    }
    return true;
}

bool lanes_keep_from_zero(const program *p, size_t output)
{
    for (uint32_t i = p->output[output];;) {
        const program_code *c = &p->code.at[i];
        if (c->op == PROGRAM_CONSTANT) return true;
        if (c->op == PROGRAM_NEG)
            i = c->a;
        else if (c->op == PROGRAM_DIV && is_finite(p, c->b))
            i = c->a;
        else if (c->op == PROGRAM_MUL && p->code.at[c->a].op == PROGRAM_CONSTANT)
            i = c->b;
        else if (c->op == PROGRAM_MUL && p->code.at[c->b].op == PROGRAM_CONSTANT)
            i = c->a;
        else
            return false;
    }
}
