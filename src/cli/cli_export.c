/* cli/cli_export.c - `anholo export`. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const option options[] = {
    {"-o", OPTION_TEXT, "WHERE", "the folder, which is made; of an FMU the file"},
    {"--name", OPTION_TEXT, "NAME",
     "what all names begin with (default: that of the model's file)"},
    {"--method", OPTION_TEXT, "NAME", "by which form of the equations (below)"},
    {"--real", OPTION_CHOICE, "double|float", "C: the type of all numbers (default double)"},
    {"--fmi", OPTION_CHOICE, "2|3", "FMU: which version of the standard (default 3)"},
    {"--sources", OPTION_FLAG, NULL, "FMU: sources alone, no binary"},
    {"--linear", OPTION_FLAG, NULL, "the linear model of `linearise`, too, with its options:"},
    {"--at", OPTION_LIST, "NAME=VALUE,…", "held in the steady motion; the rest is solved for"},
    {"--inputs", OPTION_TEXT, "NAME,…", "columns of B and D; all inputs of the model otherwise"},
    {"--outputs", OPTION_TEXT, "FORMULA,…", "rows of C and D; the model's outputs otherwise"},
    {"--whole", OPTION_FLAG, NULL, "keeps the ignorable coordinates"},
    {"--any-state", OPTION_FLAG, NULL, "about the state of --at or the start, steady or not"},
    {NULL, OPTION_FLAG, NULL, NULL},
};

/* skate of models/skate.ah: letters, digits and _. NULL: no memory. */
static char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/'), *from = slash ? slash + 1 : path;
    const size_t length = strcspn(from, ".");
    if (!strcmp(path, "-") || !length) return strdup("model");
    char *name = malloc(length + 2), *to = name;
    if (!name) return NULL;
    if (*from >= '0' && *from <= '9') *to++ = '_';
    for (size_t i = 0; i < length; i++) {
        const char c = from[i];
        const bool plain =
            (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9');
        *to++ = (char) (plain ? c : '_');
    }
    *to = '\0';
    return name;
}

/* All are written beside their places before the first is put there. */
static int write_files(cli *c, const ah_export *e, bool folder)
{
    int status = 0;
    for (size_t i = 0; i < e->files && !status; i++) {
        const ah_file *f = &e->file[i];
        output *o =
            folder ? cli_output_inside(c, "-o", f->name, &status) : cli_output(c, "-o", &status);
        if (o) cli_write_output(o, f->data, f->length);
    }
    return status ? status : cli_close_outputs(c);
}

static void list_text(const cli *c, const ah_export *e, bool folder)
{
    const char *to = cli_get(c, "-o");
    for (size_t i = 0; i < e->files; i++) {
        cli_write_printable(stdout, to);
        if (folder) printf("/%s", e->file[i].name);
        printf(": %zu bytes\n", e->file[i].length);
    }
    if (e->remark) printf("%s\n", e->remark);
}

static void list_json(const cli *c, const ah_export *e)
{
    printf("{\"to\":");
    cli_write_json_string(cli_get(c, "-o"));
    printf(",\"files\":[");
    for (size_t i = 0; i < e->files; i++) {
        printf("%s{\"name\":", i ? "," : "");
        cli_write_json_string(e->file[i].name);
        printf(",\"bytes\":%zu}", e->file[i].length);
    }
    printf("],\"remark\":");
    if (e->remark)
        cli_write_json_string(e->remark);
    else
        printf("null");
    printf("}\n");
}

/* What is for other languages, or for --linear. */
static int check_options(cli *c)
{
    const char *const linear[] = {"--at", "--inputs", "--outputs", "--whole", "--any-state"};
    const char *const fmu[] = {"--fmi", "--sources"};
    const char *real = cli_get(c, "--real");
    if (real && !strcmp(real, "float") && strcmp(c->kind, "c") != 0)
        return cli_fail(c->json, EXIT_USAGE, NULL, "`--real` is for `export c`");
    for (size_t i = 0; i < sizeof fmu / sizeof *fmu; i++)
        if (cli_get(c, fmu[i]) && strcmp(c->kind, "fmu") != 0)
            return cli_fail(c->json, EXIT_USAGE, NULL, "`%s` is for `export fmu`", fmu[i]);
    for (size_t i = 0; i < sizeof linear / sizeof *linear; i++)
        if (cli_get(c, linear[i]) && !cli_flag(c, "--linear"))
            return cli_fail(c->json, EXIT_USAGE, NULL, "`%s` is for `--linear`", linear[i]);
    return 0;
}

static ah_status export_model(cli *c, ah_model *m, ah_export_options *o, const ah_export **e)
{
    ah_answer *answer = NULL;
    ah_status made = AH_OK;
    if (cli_flag(c, "--linear")) {
        const ah_linearise_options l = cli_linearise_options(c);
        made = ah_linearise(m, &l, &answer);
        o->linear = ah_answer_linearise(answer);
        o->linear_of = ah_answer_context(answer);
    }
    if (made == AH_OK) made = ah_export_model(m, c->kind, o, e);
    ah_answer_destroy(answer);
    return made;
}

static int export_as(cli *c, const char *name)
{
    int status = 0;
    const ah_export *e = NULL;
    const char *real = cli_get(c, "--real"), *fmi = cli_get(c, "--fmi");
    const bool fmu = !strcmp(c->kind, "fmu");
    ah_export_options o = ah_export_defaults();
    o.name = name;
    o.method = cli_get(c, "--method");
    o.single = real && !strcmp(real, "float");
    o.sources_only = cli_flag(c, "--sources");
    if (fmi) o.fmi = (unsigned) (*fmi - '0');
    if (o.method && !cli_is_method(o.method)) return cli_unknown_method(c, o.method);
    if ((status = check_options(c))) return status;
    ah_model *m = cli_read_model(c, &status);
    if (!m) return status;
    const ah_status made = export_model(c, m, &o, &e);
    if (made != AH_OK) return cli_answer(c, made, NULL);
    status = write_files(c, e, !fmu);
    if (status) return status;
    if (c->json)
        list_json(c, e);
    else
        list_text(c, e, !fmu);
    return cli_answer(c, made, "");
}

static int run(cli *c)
{
    const char *given = cli_get(c, "--name");
    char *name = given ? strdup(given) : name_of(c->path);
    const int status =
        name ? export_as(c, name) : cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
    free(name);
    return status;
}

const command command_export = {
    .name = "export",
    .summary = "the equations as C, JavaScript, Python, Octave, or as an FMU",
    .about =
        "Writes the equations of motion as source text that needs nothing of this program:\n"
        "right-hand side, accelerations, multipliers, outputs, energy, residuals, projection,\n"
        "Jacobian, steps of RK4 and DOP853; parameters stay variables with the model's values.\n"
        "C: NAME.h, NAME.c, main.c and Makefile, C99 without allocation, for microcontrollers\n"
        "too. An FMU is for co-simulation and for model exchange. docs/export.md tells more.\n",
    .example = "export c models/tire.ah -o tire",
    .options = options,
    .required = "-o",
    .kinds = ah_export_languages,
    .details = cli_help_methods,
    .run = run,
};
