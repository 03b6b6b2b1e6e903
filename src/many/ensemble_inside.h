/* many/ensemble_inside.h - inside the module: an ensemble.
 *
 * What varies is a parameter in the end: a coordinate at the start begins at a parameter of its own,
 * an input is one. So a run is a vector of parameters, and the equations are compiled once. */
#ifndef MANY_ENSEMBLE_INSIDE_H
#define MANY_ENSEMBLE_INSIDE_H
#include "../system/system.h"
#include "many.h"

typedef enum varied_kind { VARIED_GRID, VARIED_UNIFORM, VARIED_NORMAL, VARIED_LIST } varied_kind;

typedef struct varied {
    const char *name;  /* as it is written */
    ah_expr symbol;    /* what it is … */
    ah_expr parameter; /* … and which parameter of the model stands for it */
    varied_kind kind;
    double a, b;    /* ends; mean and standard deviation */
    uint64_t count; /* of a grid */
    size_t column;  /* of the list */
} varied;

/* Reductions: code, word, what stands in the brackets. */
#define KEPT_LIST(X)                                                                               \
    X(KEPT_FINAL, "final", false)                                                                  \
    X(KEPT_START, "start", false)                                                                  \
    X(KEPT_MIN, "min", false)                                                                      \
    X(KEPT_MAX, "max", false)                                                                      \
    X(KEPT_MEAN, "mean", false)                                                                    \
    X(KEPT_INTEGRAL, "integral", false)                                                            \
    X(KEPT_FIRST, "first", true)                                                                   \
    X(KEPT_LAST, "last", true)                                                                     \
    X(KEPT_EACH, "each", true)                                                                     \
    X(KEPT_COUNT, "count", true)
typedef enum kept_kind {
#define X(code, word, of_event) code,
    KEPT_LIST(X)
#undef X
        KEPT_KINDS
} kept_kind;

typedef struct kept {
    const char *name; /* as it is written */
    kept_kind kind;
    uint32_t formula;  /* which one; of a count: none */
    const char *event; /* its label, or NULL */
    uint64_t nth;      /* of `each`: which time, from 1 on */
} kept;

struct ah_ensemble {
    ah_model *model; /* a copy of the user's, in which things vary */
    arena arena;
    ah_ensemble_options options; /* its texts are ours */
    LIST(varied) varied;
    LIST(kept) kept;
    expr_list formulas; /* the outputs of the model, in order */
    double *table;      /* of the list, row after row */
    uint64_t rows;      /* 0: there is no list */
    size_t table_columns;
    bool closed;   /* nothing more can be said */
    uint64_t runs; /* from then on */
    struct ah_ensemble_outputs {
        model_output *at;
        size_t count, capacity;
    } outputs;             /* the model's own */
    struct worker *worker; /* of single runs, NULL: none yet */
    const lanes_kind
        *lanes; /* that were asked for by name or "on"; NULL: by the number of runs, or none */
};

/* Names of the model's outputs: one a formula. */
#define FORMULA_NAME "kept[%u]"

/* ---- varied.c -------------------------------------------------------------------------------- */
void varied_read(ah_ensemble *e, const char *option, const char *words, bool random);
void varied_list(ah_ensemble *e, size_t columns, const char *const *names, uint64_t rows,
                 const double *values);
/* How many runs there are; 0 after an error. */
uint64_t varied_count(ah_ensemble *e);
/* The values of a run. */
void varied_values(const ah_ensemble *e, uint64_t run, double *out);
/* All digits of it. */
ah_expr varied_number(ah_ctx *ctx, double x);
/* The start is replaced by what `at` says. */
void varied_start(ah_ensemble *e, const char *at);
/* The next piece of a list with commas between, outside brackets and quotes; NULL: there is none. */
const char *piece_of_list(arena *a, const char **rest);

/* ---- draws.c --------------------------------------------------------------------------------- */
/* Philox 4x32-10: 128 bits that depend on counter and key alone. */
void draw_bits(const uint32_t counter[4], const uint32_t key[2], uint32_t out[4]);
/* Uniform in [0, 1), and normal of deviation 1: of one seed, run and name. */
double draw_uniform(uint64_t seed, uint64_t run, const char *name);
double draw_normal(uint64_t seed, uint64_t run, const char *name);

/* ---- kept.c ---------------------------------------------------------------------------------- */
void kept_read(ah_ensemble *e, const char *words);
void kept_default(ah_ensemble *e);
const char *kept_word(kept_kind kind);

/* Ends what can be said; false after an error. */
bool ensemble_close(ah_ensemble *e);

#endif
