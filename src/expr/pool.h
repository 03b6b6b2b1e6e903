/* expr/pool.h - inside the module: the nodes, the numbers, and walks over the shared graph. */
#ifndef EXPR_POOL_H
#define EXPR_POOL_H
#include "expr.h"

/* Handles that every pool has, in this order. */
#define EXPR_ZERO      ((ah_expr) 1)
#define EXPR_ONE       ((ah_expr) 2)
#define EXPR_MINUS_ONE ((ah_expr) 3)
#define EXPR_HALF      ((ah_expr) 4)

/* Bits of numerator and denominator together. A power of numbers is folded up to EXPR_POWER_BITS
 * and stays a POWER beyond, so 2^(10^9) costs nothing; sums and products of numbers must be folded
 * (at most one NUMBER in each), so EXPR_NUMBER_BITS is where they end in AH_E_LIMIT. */
#define EXPR_POWER_BITS  4096
#define EXPR_NUMBER_BITS 65536

#define EXPR_COUNT_BITS 24

/* Large systems have millions of them, and memory that is touched for the first time is time: 16 bytes. */
typedef struct expr_node {
    uint32_t op : 3, code : 5;        /* code: ah_function, ah_symbol_kind, 1 of a closed sum */
    uint32_t count : EXPR_COUNT_BITS; /* children */
    /* SYMBOL: slot; UNKNOWN: index of its name and orders; PRODUCT with a number: the handle of the
     * product without it, so that like terms are found without comparing factors. */
    uint32_t aux;
    union {
        const ah_expr *children; /* never move: callers hold them while the pool grows */
        const void *number;      /* fmpq, see number.c */
    };
} expr_node;

_Static_assert(sizeof(expr_node) <= 16 && AH_FUNCTIONS <= 32, "nodes are small");

/* Of the last walk that met a node. */
typedef struct expr_mark {
    uint32_t stamp, place;
} expr_mark;

typedef struct expr_unknown_data {
    const char *name;
    const uint8_t *orders;
} expr_unknown_data;

/* Jacobians that are kept: of the constraints by their velocities, and the like, which all ask for. */
#define EXPR_JACOBIANS 6
typedef struct expr_jacobian expr_jacobian;
void expr_jacobian_destroy(ah_ctx *ctx, expr_jacobian *kept);

/* Integers up to this one are found without the table. */
#define EXPR_SMALL 8

typedef struct expr_chunk expr_chunk;     /* of children */
typedef struct expr_numbers expr_numbers; /* number.c */

typedef struct expr_pool {
    ah_ctx *ctx;
    expr_node *node;
    uint32_t count, capacity;
    expr_mark *mark; /* of the nodes below `marked`, which walks went over */
    uint32_t marked, mark_capacity;
    uint32_t *near;  /* entries of the nodes by their youngest child, see pool.c */
    uint64_t *table; /* entries that found no room there; linear probing, at most half full */
    uint32_t near_size, table_size, table_used;
    expr_chunk *chunks;
    const char **symbol; /* names by slot */
    uint32_t symbols, symbol_capacity;
    uint32_t *look;             /* symbols by how they look, see names.c */
    uint32_t look_size, looked; /* looked: nodes that were looked at */
    expr_unknown_data *unknown;
    uint32_t unknowns, unknown_capacity;
    expr_numbers *numbers;
    ah_expr small[2 * EXPR_SMALL + 1]; /* −EXPR_SMALL .. EXPR_SMALL, where they were asked for */
    expr_jacobian *jacobian[EXPR_JACOBIANS]; /* of the last ones, see mat.c */
    uint32_t jacobians;                      /* that were made */
    uint64_t *found;                         /* work space of walks */
    size_t found_capacity, met;              /* met: what the last walk found, … */
    ah_expr root;                            /* … if it began at one node; AH_NONE: it did not */
    uint32_t epoch;
} expr_pool;

static inline expr_node *expr_node_of(const ah_ctx *ctx, ah_expr e)
{
    return &ctx->pool->node[e];
}

static inline expr_op expr_op_of(const ah_ctx *ctx, ah_expr e)
{
    return (expr_op) ctx->pool->node[e].op;
}

/* The pool of a context, made at first use. */
expr_pool *expr_pool_made(ah_ctx *ctx);
static inline expr_pool *expr_pool_of(ah_ctx *ctx)
{
    return ctx->pool && ctx->pool->count > EXPR_HALF ? ctx->pool : expr_pool_made(ctx);
}

/* A node to be found or made. Sums and products must already be in canonical form. */
typedef struct expr_key {
    expr_op op;
    uint8_t code;
    uint32_t count, aux;
    const ah_expr *children;
    const void *number;
    const char *name;
    const uint8_t *orders;
} expr_key;
ah_expr expr_intern(ah_ctx *ctx, const expr_key *key);
/* Of the entries near the nodes those that are in use. */
size_t expr_near_used(const expr_pool *p);
/* expr_rebuild of an expression of another context. */
ah_expr expr_rebuild_of(ah_ctx *ctx, const ah_ctx *from, ah_expr e, const ah_expr *children);

/* Ascending; n below a few hundred is common, a million possible. `spare` has room for n. */
void expr_sort(uint64_t *a, uint64_t *spare, size_t n);

/* ---- Numbers (number.c: the only place that knows FLINT, besides balls) ---------------------- */

expr_numbers *expr_numbers_create(ah_ctx *ctx);
void expr_numbers_destroy(ah_ctx *ctx, expr_numbers *numbers);
void expr_numbers_seed(ah_ctx *ctx); /* EXPR_ZERO … EXPR_HALF */
bool expr_numbers_equal(const void *a, const void *b);
uint32_t expr_numbers_hash(const void *number);
void expr_numbers_reserve(ah_ctx *ctx, expr_numbers *numbers); /* room for one more */
const void *expr_numbers_keep(expr_numbers *numbers, const void *number);

/* One accumulator a pool: nothing that builds expressions may come between set and get. */
void expr_acc_set(ah_ctx *ctx, ah_expr number);
void expr_acc_add(ah_ctx *ctx, ah_expr number);
void expr_acc_mul(ah_ctx *ctx, ah_expr number);
ah_expr expr_acc_get(ah_ctx *ctx);
ah_expr expr_number_neg(ah_ctx *ctx, ah_expr number);
ah_expr expr_number_add(ah_ctx *ctx, ah_expr a, ah_expr b);
ah_expr expr_number_mul(ah_ctx *ctx, ah_expr a, ah_expr b);
bool expr_number_is_integer(const ah_ctx *ctx, ah_expr number);
/* number mod 2, in [0, 2). */
ah_expr expr_number_mod2(ah_ctx *ctx, ah_expr number);

/* base^exponent of numbers = factor * root^part; part is ZERO when all of it folds. */
typedef struct expr_split_power {
    ah_expr factor, root, part;
} expr_split_power;
expr_split_power expr_number_pow(ah_ctx *ctx, ah_expr base, ah_expr exponent);

/* ---- Building -------------------------------------------------------------------------------- */

/* The rational factor of a term and what it multiplies (ONE for a number). */
void expr_split(const ah_ctx *ctx, ah_expr term, ah_expr *coefficient, ah_expr *rest);
/* coefficient * rest, where rest has no rational factor. */
ah_expr expr_scaled(ah_ctx *ctx, ah_expr coefficient, ah_expr rest);
/* e = ±result, the same result for e and -e: arguments of odd and even functions. */
ah_expr expr_unsigned(ah_ctx *ctx, ah_expr e, bool *negative);
bool expr_is_closed(const ah_ctx *ctx, ah_expr e);
uint32_t expr_arity(ah_function f);
/* sin x or cos x where the other one is there: of its argument nothing is left to be folded. */
ah_expr expr_circular(ah_ctx *ctx, ah_function f, ah_expr x);

/* ---- Walks ----------------------------------------------------------------------------------- */

/* What is reachable from some roots, children first; positions instead of handles, so that several
 * walks may be open at a time. In the scratch arena. */
typedef struct expr_walk {
    size_t count;
    const ah_expr *node;
    const size_t *start;   /* children of position i: child[start[i] .. start[i+1]-1] */
    const uint32_t *child; /* positions */
    const expr_pool *pool;
    uint32_t epoch; /* as long as it is the pool's, nodes know their positions */
} expr_walk;
expr_walk expr_walk_begin(ah_ctx *ctx, const ah_expr *roots, size_t count);
#define EXPR_NOWHERE SIZE_MAX
size_t expr_walk_find(const expr_walk *w, ah_expr e); /* position or EXPR_NOWHERE */

/* ---- Calculus -------------------------------------------------------------------------------- */

/* Several roots at once, sharing the work; out may be roots. */
void expr_dt_all(ah_ctx *ctx, const ah_expr *roots, size_t count, ah_expr *out);

/* A large array has a chunk of its own. The passes take and release small pieces after it: with an
 * ordinary chunk open, that does not go through the host's allocator each time. */
static inline void expr_scratch_open(ah_ctx *ctx)
{
    arena_alloc(&ctx->scratch, 1);
}

/* Temporaries were taken from scratch since `mark`; the result (a text that grows meanwhile, above
 * all) may lie there too. */
static inline void expr_release(ah_ctx *ctx, const arena *result, arena_mark mark)
{
    if (result != &ctx->scratch) arena_release(&ctx->scratch, mark);
}

#endif
