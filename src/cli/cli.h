/* cli/cli.h - the program: one table of commands (commands.def), one file a command.
 *
 * A command is a record: name, help, an example, its own options. Options that all commands share
 * (--json, --set,
 * --max-time, -h) are added by options.c. The command gets the model's text and writes its answer;
 * everything else (reading, errors, exit status) is done around it. */
#ifndef CLI_CLI_H
#define CLI_CLI_H
#include <anholo/anholo.h>
#include <stdio.h>

/* Exit statuses: docs/cli.md. */
enum {
    EXIT_YES = 0,
    EXIT_NO = 1,
    EXIT_USAGE = 2,
    EXIT_NUMERIC = 3,
    EXIT_LIMIT = 4,
    EXIT_INTERRUPTED = 130, /* as shells report Ctrl-C */
    EXIT_UNHEARD = 141,     /* SIGPIPE: who reads the answer has gone */
    EXIT_TERMINATED = 143   /* SIGTERM; 129 is SIGHUP */
};

typedef enum option_kind {
    OPTION_FLAG,
    OPTION_TEXT,
    OPTION_LIST,   /* may be repeated: joined by commas */
    OPTION_NUMBER, /* positive */
    OPTION_COUNT,  /* an integer, not negative */
    OPTION_CHOICE  /* one of the words in `value`, or that `choices` tells */
} option_kind;

typedef struct option {
    const char *name; /* "--set" */
    option_kind kind;
    const char
        *value; /* how the help calls it: "NAME=VALUE,…"; of a choice the words, "text|latex" */
    const char *help;
    const char *(*choices)(void); /* of a choice whose words the library knows */
} option;

struct cli;
typedef struct command {
    const char *name;
    const char *summary;   /* one line */
    const char *about;     /* the help's paragraph, lines ended by \n */
    const char *example;   /* after "anholo " */
    const option *options; /* up to one without a name; NULL: none of its own */
    const char *required;  /* an option that must be given, or NULL */
    const char *words;     /* how the help calls the words after the model; NULL: there are none */
    const char *(*kinds)(
        void);             /* "a|b": one of these stands before the model; NULL: nothing does */
    void (*details)(void); /* writes more help after the options, or NULL */
    int (*run)(struct cli *c);
    bool streams; /* writes rows as they come: without -o, to standard output */
    bool alone;   /* works without a model: every word is its own */
    bool reads;   /* its file itself: it may be no model, and large */
} command;

extern const command *const cli_commands[]; /* NULL-terminated */

/* A file that an option names (output.c). */
typedef struct output {
    const char *option, *path;
    char *inside;  /* the path of a file in the folder that the option names; NULL: there is none */
    char *target;  /* what is replaced; NULL: written through */
    char *beside;  /* where it is written meanwhile */
    char *earlier; /* of several files: a second name of what it replaces, until all are in place */
    bool fresh;    /* it replaces nothing */
    FILE *file;
    int error; /* the first that writing met */
} output;
enum { OUTPUTS_MOST = 8 };

/* What was asked for. */
typedef struct cli {
    const command *command;
    const char *kind; /* the word before the model, or NULL */
    const char *path; /* the model; "-" is standard input */
    const char *
        *values; /* one an option: the command's own first, then the shared ones; NULL: not given */
    const char **words; /* after the model */
    size_t word_count;
    bool json;

    ah_ctx *ctx;
    const char *file; /* the model's name for messages */
    char *text;       /* the model */
    size_t length;
    output outputs[OUTPUTS_MOST];
    size_t output_count;
    const char *made; /* a folder that was made for outputs, or NULL */
    uint64_t runs;    /* that the progress is of; 0: of something else */
} cli;

/* ---- options.c ------------------------------------------------------------------------------- */

/* Reads the words after the command. 0, or the exit status after the help or an error has been
 * written. */
int cli_parse(cli *c, int count, char **words, bool *done);
const char *cli_get(const cli *c, const char *option); /* NULL: not given */
bool cli_flag(const cli *c, const char *option);
bool cli_is_word(const char *words, const char *word); /* one of "a|b|c"? */
double cli_number(const cli *c, const char *option, double otherwise);
uint64_t cli_count(const cli *c, const char *option, uint64_t otherwise);
void cli_free_options(cli *c);
void cli_help(const command *k); /* NULL: of the program */
/* The options of a command, its own first, one after the other. */
size_t cli_option_count(const command *k);
const option *cli_option(const command *k, size_t i);
/* How the help calls an option's value; of a choice the words; NULL: it has none. */
const char *cli_option_value(const option *o);
const command *cli_find_command(const char *name); /* NULL: there is none */

/* ---- cli_manual.c, cli_completion.c: the table of commands for man and for shells ------------ */

void cli_write_manual(const command *k); /* NULL: of the program */
void cli_write_bash(void);
void cli_write_zsh(void);
void cli_write_fish(void);

/* ---- texts: files of src/cli/topics and src/cli/starters, put into the program --------------- */

typedef struct cli_text {
    const char *name, *text; /* "claims.txt" */
    size_t length;
    const char *sha256;
} cli_text;
extern const cli_text cli_texts[]; /* up to one without a name */
/* The text of that name and ending, "claims", ".txt"; NULL: there is none. */
const cli_text *cli_find_text(const char *name, const char *ending);
/* The next name with that ending after *at (begin with 0), in `name`; false: no more. */
bool cli_next_text(size_t *at, const char *ending, char name[40]);

/* ---- stop.c ---------------------------------------------------------------------------------- */

/* From here on Ctrl-C, SIGTERM and, after `seconds`, the clock end the work of `ctx` and wake what
 * reads or writes. */
void cli_stop_begin(ah_ctx *ctx, double seconds);
void cli_stop_end(void);
int cli_stopped(void); /* 0, or the exit status that belongs to what ended the work */
/* Says that it was ended; returns the exit status. The second for answers that nobody reads. */
int cli_tell_stopped(const cli *c);
int cli_abandon_answer(void);

/* ---- output.c -------------------------------------------------------------------------------- */

typedef enum output_end {
    OUTPUT_WHOLE,   /* it replaces the earlier file */
    OUTPUT_PARTIAL, /* it stays beside the earlier file, and is named */
    OUTPUT_NOTHING  /* it is thrown away */
} output_end;

/* 0, or the exit status after an error: standard output is a file that the program reads. It is told on standard
 * error alone. */
int cli_check_standard_output(const cli *c);
/* 0, or the exit status after an error: no name, or `-`, which is standard input or output elsewhere and
 * no file of that name. */
int cli_check_name(const cli *c, const char *name, const char *path, const char *what);
/* Opens the file of an option. NULL: the option was not given, or an error has been written and
 * *status is set. A file that is not closed is thrown away when the command ends. */
output *cli_output(cli *c, const char *name, int *status);
/* The same for a file in the folder that the option, which was given, names; the folder is made. */
output *cli_output_inside(cli *c, const char *name, const char *file, int *status);
/* The same for a file beside the one that the option names: X.npy with "_A" is X_A.npy. */
output *cli_output_beside(cli *c, const char *name, const char *suffix, int *status);
/* An error is kept, and told when the file is closed. */
void cli_write_output(output *o, const char *text, size_t length);
/* 0, or the exit status after an error has been written: the earlier file is as it was. */
int cli_close_output(cli *c, output *o, output_end end);
/* All that are open, whole: the first is put in its place after the last is on the disk. */
int cli_close_outputs(cli *c);
void cli_discard_outputs(cli *c);

/* ---- progress.c ------------------------------------------------------------------------------ */

/* On a terminal: a bar on standard error for calls that take more than a second, gone when they
 * end. */
typedef struct progress {
    const cli *of;
    double start; /* of the call, in seconds … */
    double first; /* … and the part that was done before; < 0: not known */
    bool begun, shown;
} progress;
bool cli_wants_progress(const cli *c);
void cli_show_progress(void *state, double part, bool over);

/* ---- cli_answer.c ---------------------------------------------------------------------------- */

/* Writes the answer and what was reported meanwhile; returns the exit status that belongs to
 * `status`. With AH_OK and with AH_E_REFUSED an answer may be there; NULL when there is none. */
int cli_answer(cli *c, ah_status status, const char *answer);
/* Standard output to where it goes: 0, or the exit status after it has been told that `what` did not
 * arrive. */
int cli_flush(const char *what);
/* The answer of a question, written as --json or else `format` says, and destroyed; or why there is
 * none. Exit status 1 where it is "no". */
int cli_tell(cli *c, ah_status status, ah_answer *answer, ah_format format);
/* An error of the program itself: in words on standard error, as an object with --json. Returns
 * `exit_status`. */
int cli_fail(bool json, int exit_status, const char *file, const char *format, ...)
    __attribute__((format(printf, 4, 5)));
/* A remark on standard error, made printable. */
void cli_say(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A name or word of the user, made printable. */
void cli_write_printable(FILE *to, const char *s);
/* A string in JSON. */
void cli_write_json_string(const char *s);
/* Of the words (up to NULL) the one most like `word`, or NULL. */
const char *cli_nearest(const char *word, const char *const *words);

/* ---- cli_methods.c ------------------------------------------------------------------------------- */

/* --at, --inputs, --outputs, --whole, --any-state. */
ah_linearise_options cli_linearise_options(const cli *c);
bool cli_is_method(const char *name);
void cli_help_methods(void);
int cli_unknown_method(const cli *c, const char *name); /* writes the error; returns EXIT_USAGE */

/* ---- cli_motion.c ---------------------------------------------------------------------------- */

/* Rows for the option tables of commands that make a motion; how many samples they take. */
#define INPUT_OPTION                                                                               \
    {                                                                                              \
        "--input", OPTION_LIST, "NAME=…",                                                          \
            "drive an input: u=sin(t), u=FILE.csv:COLUMN, u=FILE.csv:COLUMN:smooth"                \
    }
/* Gives the model the inputs of --input. 0, or the exit status after an error has been written. */
int cli_inputs(const cli *c, ah_model *m);
/* The path of the k-th table of --input, from 0, to be freed; NULL: there are no more. */
char *cli_input_table(const cli *c, size_t k);

#define MOTION_OPTIONS(samples)                                                                    \
    {"--to", OPTION_TEXT, "T", "the end of the time span (default: the model's `simulate`)"},      \
        {"--at", OPTION_LIST, "NAME=VALUE,…", "begin there instead: x=1,x'=0.5,…"},                \
        {"--method", OPTION_TEXT, "NAME", "by which form of the equations (below)"},               \
        {"--rtol", OPTION_NUMBER, "X", "relative error of a step (default 1e-10)"},                \
        {"--atol", OPTION_NUMBER, "X", "absolute error of a step (default 1e-12)"},                \
        {"--integrator", OPTION_CHOICE, NULL, "what advances the motion (auto)", ah_integrators},  \
        {"--engine", OPTION_CHOICE, NULL, "how the equations run: interpreted or compiled",        \
         ah_engines},                                                                              \
        {"--samples", OPTION_COUNT, "N", "rows, both ends included (default " samples ")"},        \
        {"--every", OPTION_NUMBER, "DT", "a row at every DT instead"},                             \
        {"--max-steps", OPTION_COUNT, "N", "give up after so many steps (default: no limit)"},     \
        {"--branch", OPTION_COUNT, "N",                                                            \
         "second class: which of the accelerations that `eval` lists is followed"},                \
    {                                                                                              \
        "--project", OPTION_FLAG, NULL, "begin at a state nearby that the constraints admit"       \
    }
/* Reads them over the defaults that are there; 0, or the exit status after an error has been
 * written. */
int cli_motion(const cli *c, ah_simulate_options *o);

/* ---- input.c --------------------------------------------------------------------------------- */

/* The whole file with a NUL behind it; NULL after an error has been written (*exit_status is set). To be freed. */
char *cli_read_text(const cli *c, const char *path, size_t *length, int *exit_status);
/* Reads the model's text; false after an error has been written (*exit_status is set). */
bool cli_read_file(cli *c, int *exit_status);
/* The model, read and checked; on failure the answer has been written and *exit_status is set. */
ah_model *cli_read_model(cli *c, int *exit_status);

#endif
