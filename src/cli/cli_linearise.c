/* cli/cli_linearise.c - `anholo linearise`. */
#include "cli.h"
#include "linear_files.h"

#include <string.h>

static const option options[] = {
    {"--at", OPTION_LIST, "NAME=VALUE,…", "held in the steady motion; the rest is solved for"},
    {"--inputs", OPTION_TEXT, "NAME,…", "columns of B and D; all inputs of the model otherwise"},
    {"--outputs", OPTION_TEXT, "FORMULA,…", "rows of C and D; the model's outputs otherwise"},
    {"--whole", OPTION_FLAG, NULL, "keeps the ignorable coordinates"},
    {"--any-state", OPTION_FLAG, NULL, "about the state of --at or the start, steady or not"},
    {"-o", OPTION_TEXT, "FILE",
     "what its name ends with: .py, .m, .json, .tex, or X_A.npy … for X.npy"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

/* "py" of X.py; NULL: none that there is. */
static const char *kind_of(const char *path)
{
    static const char *const kinds[] = {"py", "m", "npy", "json", "tex"};
    const char *dot = strrchr(path, '.');
    for (size_t i = 0; dot && i < sizeof kinds / sizeof *kinds; i++)
        if (!strcmp(dot + 1, kinds[i])) return kinds[i];
    return NULL;
}

static int write_words(cli *c, output *o, ah_answer *answer, ah_format format)
{
    const char *words = NULL;
    const ah_status made = ah_answer_write(answer, format, &words);
    if (made != AH_OK) return cli_answer(c, made, NULL);
    cli_write_output(o, words, strlen(words));
    return 0;
}

/* All are on the disk beside their places before the first is put there. */
static int write_files(cli *c, ah_answer *answer, const char *kind)
{
    const ah_linearise_values *v = ah_answer_linearise(answer);
    const bool arrays = !strcmp(kind, "npy");
    const size_t files = arrays ? LINEAR_MATRICES : 1;
    int status = 0;
    for (size_t i = 0; i < files && !status; i++) {
        output *o = arrays ? cli_output_beside(c, "-o", linear_matrix_name(i), &status)
                           : cli_output(c, "-o", &status);
        if (status) break;
        if (arrays)
            linear_write_npy(o, v, i);
        else if (!strcmp(kind, "py") || !strcmp(kind, "m"))
            linear_write_text(o->file, kind, ah_answer_context(answer), v);
        else
            status = write_words(c, o, answer, strcmp(kind, "tex") ? AH_JSON : AH_LATEX);
    }
    return status ? status : cli_close_outputs(c);
}

ah_linearise_options cli_linearise_options(const cli *c)
{
    ah_linearise_options o = ah_linearise_defaults();
    o.at = cli_get(c, "--at");
    o.inputs = cli_get(c, "--inputs");
    o.outputs = cli_get(c, "--outputs");
    o.whole = cli_get(c, "--whole") != NULL;
    o.any_state = cli_flag(c, "--any-state");
    return o;
}

static int run(cli *c)
{
    int status;
    ah_answer *answer;
    const ah_linearise_options o = cli_linearise_options(c);
    const char *to = cli_get(c, "-o"), *kind = to ? kind_of(to) : NULL;
    if (to && !kind)
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "`%s`: a file ends with .py, .m, .npy, .json or .tex", to);
    ah_model *m = cli_read_model(c, &status);
    if (!m) return status;
    const ah_status made = ah_linearise(m, &o, &answer);
    if (made == AH_OK && kind) {
        status = write_files(c, answer, kind);
        if (status || !c->json) {
            ah_answer_destroy(answer);
            return status ? status : cli_answer(c, made, "");
        }
    }
    return cli_tell(c, made, answer, AH_TEXT);
}

const command command_linearise = {
    .name = "linearise",
    .summary = "A, B, C, D of the linear model near a steady motion",
    .about = "y' = A y + B u, o = C y + D u in minimal variables near the steady motion (or "
             "equilibrium) that\n"
             "`stability` takes, by exact derivatives. u are the model's inputs, held where they "
             "are at the\n"
             "beginning; o its outputs, or the variables themselves.\n",
    .example = "linearise models/bicycle.ah --at \"x'=5\"",
    .options = options,
    .run = run,
};
