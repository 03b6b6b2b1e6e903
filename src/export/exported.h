/* export/exported.h - inside the module: a system as text in other languages, for its writers.
 *
 * A language is a row of languages.c: words for the emitter of programs (compile/dialect.h), words
 * that a name cannot be, and files, each a template (template.h). Everything that a template can
 * name is in `exported`: the same for all languages. */
#ifndef EXPORT_EXPORTED_H
#define EXPORT_EXPORTED_H
#include "../system/system.h"
#include <anholo/export.h>

typedef struct language {
    const char *name;
    dialect dialect;
    const char *real, *suffix;        /* the type, and what ends a number of it */
    const char *member, *open, *end;  /* "p->", "[", "]" */
    const char *infinity, *undefined; /* numbers that have no digits */
    const char *hook, *no_hook;       /* the function of the inputs, and none: "%s_drive", "0" */
    const char *table, *table_end, *row, *row_end, *next; /* "{", "}" … around rows of numbers */
    const char *matrix[6];       /* before it, before and behind a row, between rows, behind it; and
                                    one without numbers */
    const char *const *reserved; /* words that no name can be, up to NULL */
    const char *const *used;     /* what the files themselves use, and no module can be called */
    const char *const *files;    /* templates, up to NULL: "NAME.h" … */
    const char *part, *whole;    /* those of a part of a long program, and of its body */
} language;

/* Up to one without a name. C comes with its float. */
extern const language export_languages[];
extern const language export_float;

/* A file that the build put into the library: src/export/templates. */
typedef struct template_file {
    const char *name, *text;
    size_t length;
    const char *sha256;
} template_file;
extern const template_file export_templates[]; /* up to one without a name */

/* One of a list: a parameter, a state, an output, … */
typedef struct exported_item {
    const char *id;   /* an identifier of the language */
    const char *name; /* as the model has it */
    const char *unit; /* or NULL */
    double value;     /* the model's, or NAN; of an event its direction */
    bool stop;        /* of an event */
    bool tunable;     /* of a parameter: no constraint on the state depends on it */
    bool forced;      /* of an output: accelerations or forces stand in it */
    bool timed;       /* of a side: time alone changes it, and perhaps what steps do not hold */
    size_t place;     /* of an input: where in the structure, … */
    size_t root;      /* … which of the model's it belongs to … */
    unsigned order;   /* … and how often differentiated; MODEL_CLOCK: their time */
} exported_item;
typedef LIST(exported_item) exported_items;

/* Functions are programs of the motion, and this. */
enum { EXPORT_LINEAR = MOTION_PROGRAMS, EXPORT_FUNCTIONS };

/* A program as a function. */
typedef struct exported_function {
    const char *name, *doc;
    const program *p; /* NULL: it does not exist, and its count is 0 */
    size_t count;
    const uint32_t *constant; /* by constant of the program: a value of `prepare` */
    bool fed, sided;          /* it depends on inputs, on sides */
    program_writing *parts;   /* of a long one, where the language has words for it; or NULL */
} exported_function;

typedef struct exported {
    ah_ctx *ctx;
    arena *arena; /* of texts */
    const ah_system *system;
    const ah_model *model;
    const motion_code *code;
    const language *language;
    const char *name, *upper;
    bool inside; /* it becomes part of something, not a file: nothing is said to its readers */
    bool started;
    double t0, t1;
    exported_items parameters, states, velocities, accelerations, multipliers, reactions, outputs,
        residuals, events, units;
    /* What a caller hands in as time goes on: u, and where equations need its rates t(u), u', u''.
     * `signals` are those without the times, `clocks` the times, `roots` the model's inputs. */
    exported_items inputs, signals, clocks, roots;
    /* Of which side of a switch of its forces the motion is: held in a step (model_pieces_alone). */
    exported_items sides;
    exported_items corners;            /* what |u| and sign(u) of constraints switch at */
    bool driven;                       /* by themselves they are more than numbers: MOTION_DRIVE */
    const char *guid;                  /* of an FMU */
    const ah_linearise_values *linear; /* NULL: not asked for */
    const ah_ctx *linear_of; /* the context of its formulas; NULL: they are not asked for */
    exported_items linear_states, linear_inputs, linear_outputs;
    exported_function function[EXPORT_FUNCTIONS];
    /* What follows from the parameters alone, for all programs: its inputs are the parameters, its
     * outputs the numbers that programs use. */
    program *prepare;
    uint32_t *derived; /* by value of `prepare`: index + 1 of an output */
} exported;

/* The program with what depends on inputs and sides among its operations: those are read after the state, inputs first. */
const program *export_open_inputs(exported *e, const program *p, bool *fed, bool *sided);
/* Everything of the system, for a language. */
void export_create(exported *e, const ah_system *s, const language *l, const char *name);
/* A text that is an identifier of the language, and none of those that were made before. */
const char *export_identifier(ah_ctx *ctx, arena *a, const language *l, const char *name,
                              const exported_items *before);
/* The linear model: its names, and its matrices as a function where they are formulas. */
void export_linear(exported *e);
void export_linear_formulas(exported *e);
/* How many numbers A, …, D have; and the table of A, …, D, of the rate, and of y, u, o, from which
 * deviations are counted. False: there is none. */
size_t export_linear_count(const exported *e, const char *name);
bool export_linear_table(const exported *e, text *t, const char *name);
/* The common program of all constants; the functions are there. */
void export_merge_constants(exported *e);
bool export_is_taken(const exported_items *before, const char *id);
bool export_is_among(const char *const *words, const char *word);
/* A number in the language, the shortest that is read as the same. */
void export_number(const exported *e, text *t, double x);
/* Which parameters may change without moving the state off the constraints; the units in use. */
void export_fmu_lists(exported *e);
/* The body of a function that is not in parts, that of a part, or that of `prepare`. */
void export_body(const exported *e, text *t, const exported_function *f);
void export_part(const exported_function *f, text *t, size_t part);
void export_prepare_body(const exported *e, text *t);
/* Whether it has functions in parts: -O1 makes them as fast as -O2, in two thirds of the time. */
bool export_is_long(const exported *e);
/* What the template of this name gives. NULL: there is none. */
const char *export_template(exported *e, const char *name);

#endif
