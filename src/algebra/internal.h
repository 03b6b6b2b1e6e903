/* algebra/internal.h - inside the module, without FLINT: lowered expressions, generators, bounds.
 *
 * The way of an expression through the module:
 *
 *     e ──lower──► primitives ──gens──► generators ──ring──► fraction of polynomials ──show──► e'
 *
 * - lower rewrites functions to few primitive ones with normalised arguments (tan = sin/cos, roots
 * of products of known sign split, exp(log x) = x, …);
 * - gens finds the generators: symbols, sin and cos of base angles, roots, opaque functions;
 * - ring computes in Z[generators] modulo their relations (ring.h). */
#ifndef ALGEBRA_INTERNAL_H
#define ALGEBRA_INTERNAL_H
#include "algebra.h"

/* ---- Maps from handles to 32-bit values; 0 means absent -------------------------------------- */

typedef struct map {
    arena *arena;
    uint64_t *item; /* key << 32 | value */
    size_t count, capacity;
} map;

uint32_t map_get(const map *m, ah_expr key);
void map_put(map *m, ah_expr key, uint32_t value);

/* ---- The algebra ----------------------------------------------------------------------------- */

/* What the sign of a real number can be. */
typedef unsigned sign_mask;
#define SIGN_NEGATIVE 1u
#define SIGN_ZERO     2u
#define SIGN_POSITIVE 4u
#define SIGN_ANY      7u

/* What was found within some bounds: what was given up may succeed within others. */
typedef struct simplified_forms {
    double seconds;
    uint32_t terms;
    map of;
} simplified_forms;

#define NEST_LEVELS 2 /* collecting inside collected coefficients */
struct algebra {
    ah_ctx *ctx;
    double seconds; /* of one call */
    uint32_t terms; /* of one polynomial */
    unsigned depth; /* attempts inside each other */
    unsigned lowering;
    bool loose;      /* an argument could not be normalised: equal functions may look different */
    uint64_t random; /* state of the generator of sample points */

    size_t facts;
    algebra_fact *fact; /* as given */

    size_t relations;
    ah_expr *relation; /* lowered */

    map lowered, canonical;
    LIST(simplified_forms) simplified; /* one for each pair of bounds that were set */
    size_t current;                    /* of them: within today's bounds */
    map shown, cost; /* of expanded polynomials the best form; of anything what it costs to read */
    map nested[NEST_LEVELS + 1]; /* the best form without factors, by level */
    map fact_sign, sign;         /* handle → sign_mask: of facts, and found from them */
    map found_sign; /* handle → 1 + sign_mask: of all that was asked for, by its factors */
    map factored;   /* handle → 1 + index of `factors` */
    LIST(algebra_factors) factors;
};

/* Runs body within the bounds of one call; false: it gave up. Limits (AH_E_LIMIT) mean giving up,
 * other failures are passed on. What body leaves in the scratch arena is released. */
bool algebra_attempt(algebra *alg, void (*body)(ah_ctx *ctx, void *arg), void *arg);
_Noreturn void algebra_give_up(algebra *alg);
/* Forgets all simplified forms: other relations hold. */
void algebra_forget(algebra *alg);
uint64_t algebra_random(algebra *alg);

/* ---- Lowering (lower.c, root.c) -------------------------------------------------------------- */

/* An equal expression in which the functions are SIN, COS, SINH, COSH, EXP, LOG, ABS, inverse and
 * unspecified ones of normalised arguments, and powers whose non-integer exponents stand on
 * polynomials. */
ah_expr algebra_lower(algebra *alg, ah_expr e);
/* Normalised: a sum of rational multiples of terms; the same for all ways of writing a rational
 * function of independent generators. e is lowered. Returns e when it gave up. */
ah_expr algebra_canonical(algebra *alg, ah_expr e);

/* number * Π factor^exponent of a lowered e: irreducible factors where that is cheap to find, each
 * canonical, primitive, with positive leading coefficient. In the job arena. */
typedef struct factored {
    ah_expr content;
    size_t count;
    ah_expr *factor;
    long *exponent;
} factored;
bool algebra_factored(algebra *alg, ah_expr e, factored *out);

/* base^(p/q), |·|, log of lowered canonical expressions: split into factors of known sign. */
ah_expr lower_root(algebra *alg, ah_expr base, long p, long q);
ah_expr lower_abs(algebra *alg, ah_expr e);
ah_expr lower_log(algebra *alg, ah_expr e);

/* ---- Samples (sample.c) ---------------------------------------------------------------------- */

typedef enum sample_result {
    SAMPLE_NONZERO, /* proved at a point that satisfies the facts */
    SAMPLE_ZERO,    /* could not be told from zero at several points */
    SAMPLE_NONE     /* no point at which it is defined was found */
} sample_result;
/* Evaluates e in balls at random points. thorough: more points, more digits. The witness (may be
 * NULL) is set with SAMPLE_NONZERO. */
sample_result sample_zero(algebra *alg, ah_expr e, bool thorough, algebra_witness *witness);

/* ---- Signs (sign.c) -------------------------------------------------------------------------- */

void sign_learn(algebra *alg, const algebra_fact *fact);
/* Of a lowered expression, from its structure and the facts. */
sign_mask sign_of(algebra *alg, ah_expr e);
sign_mask sign_product(sign_mask a, sign_mask b);
sign_mask sign_power(sign_mask a, long exponent);

/* ---- Linear forms (forms.c) ------------------------------------------------------------------ */

/* The terms of a lowered normalised argument: Σ p/q · base. */
typedef struct form_term {
    ah_expr base; /* 1 for a number */
    long p, q;
} form_term;
typedef struct form {
    ah_expr arg;
    size_t count;
    form_term *term;
    long turn_p, turn_q; /* multiple of π, taken out of an angle */
    long whole;          /* integer, taken out of an exponent */
} form;
typedef enum form_use { FORM_PLAIN, FORM_ANGLE, FORM_EXPONENT } form_use;
form form_read(ah_ctx *ctx, arena *a, ah_expr arg, form_use use);

/* A form as Σ times · base form, bases ascending. */
typedef struct form_part {
    size_t base;
    int times;
} form_part;
typedef struct form_sum {
    size_t count;
    form_part *at;
} form_sum;

/* Base forms of which all given forms are small integer combinations. */
typedef struct form_basis {
    size_t count;
    ah_expr *arg;
    form_sum *sum;    /* of every form */
    bool single;      /* the base forms are single terms */
    bool independent; /* linearly, over the rationals */
} form_basis;
/* canonical: bases are single terms, whatever else occurs. */
form_basis basis_choose(ah_ctx *ctx, arena *a, const form *forms, size_t count, bool canonical);
#define MULTIPLE_LIMIT 64 /* of a base angle, expanded */

/* ---- Generators (gens.c) --------------------------------------------------------------------- */

/* In the order of the ring, lexicographic, greatest first: a relation's leading term is the power
 * of its own generator, since what it is made of comes later. */
typedef enum gen_kind {
    GEN_ROOT, /* r^degree = base, outer radicals first */
    GEN_ABS,  /* r^2 = base^2 */
    GEN_PARAMETER,
    GEN_SYMBOL,
    GEN_OPAQUE,
    GEN_POWER, /* exp(base form), b^(base form) */
    GEN_COSH,  /* the next generator is SINH of the same */
    GEN_SINH,
    GEN_COS, /* the next generator is SIN of the same */
    GEN_SIN
} gen_kind;

typedef struct gen {
    ah_expr e;    /* what it stands for */
    ah_expr base; /* of ROOT and ABS */
    gen_kind kind;
    uint32_t degree; /* of its relation; 0: free */
} gen;

typedef enum family_kind { FAMILY_TRIG, FAMILY_HYPER, FAMILY_EXP, FAMILY_POWER } family_kind;
/* Functions of linear forms that have addition theorems. */
typedef struct family {
    family_kind kind;
    ah_expr base; /* of FAMILY_POWER */
    LIST(form) forms;
    map index; /* argument → place in forms + 1 */
    form_basis basis;
    size_t *gen; /* of each base form: that of cos, cosh or the power */
    bool by_exp; /* HYPER: sinh and cosh through exp, where its forms are then */
    long turn;   /* TRIG: some forms have multiples of π/turn that are not elementary; 0: none */
    size_t turn_gen; /* cos(π/turn) */
} family;

typedef struct gens {
    algebra *alg;
    arena *arena;
    size_t count;
    gen *gen;
    LIST(gen) found;
    LIST(family) families;
    expr_list nodes; /* the polynomial part of the graph, ascending: children first */
    map index;       /* expression → generator + 1; roots by their bases in */
    map root;
    /* While they are searched for: */
    LIST(ah_expr) stack;
    map root_degree; /* base → least common multiple of its roots' degrees */
    map visited;
    /* Symbols, functions of independent forms and unspecified functions: an element of the ring is
     * zero only if its function is. */
    bool independent;
    bool related; /* what is no root may be related to others: log, atan2, functions of constants */
    bool single;  /* all base forms are single terms */
} gens;

/* Of lowered roots; everything in scratch. */
gens *gens_find(algebra *alg, const ah_expr *roots, size_t count, bool canonical);
size_t gens_index(const gens *g, ah_expr e); /* of a generator that is there */
size_t gens_root(const gens *g, ah_expr base);
/* The family and form of a SIN, COS, SINH, COSH, EXP or symbolic POWER. */
family *gens_family(const gens *g, family_kind kind, ah_expr base);
size_t family_form(const family *f, ah_expr arg);

#endif
