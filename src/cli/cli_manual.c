/* cli/cli_manual.c - manual pages from the table of commands, in the language of man(7). */
#include "cli.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Text, in which nothing is a request or an escape. */
static void put(const char *s)
{
    for (bool first = true; *s; s++) {
        if (first && (*s == '.' || *s == '\'')) fputs("\\&", stdout);
        first = *s == '\n';
        if (*s == '\\')
            fputs("\\e", stdout);
        else if (*s == '-')
            fputs("\\-", stdout);
        else
            putchar(*s);
    }
}

static void put_line(const char *request, const char *s)
{
    fputs(request, stdout);
    put(s);
    putchar('\n');
}

static void heading(const char *name, const char *summary)
{
    char upper[60];
    snprintf(upper, sizeof upper, "%s", name);
    for (char *p = upper; *p; p++) *p = (char) toupper((unsigned char) *p);
    printf(".\\\" Made by anholo help --format man.\n.TH \"");
    put(upper);
    printf("\" 1 \"\" \"anholo %s\" \"Anholo\"\n.SH NAME\n", ah_version());
    put(name);
    fputs(" \\- ", stdout);
    put_line("", summary);
}

static void put_options(const command *k)
{
    puts(".SH OPTIONS");
    for (size_t i = 0; i < cli_option_count(k); i++) {
        const option *o = cli_option(k, i);
        const char *value = cli_option_value(o);
        puts(".TP");
        fputs("\\fB", stdout);
        put(o->name);
        fputs("\\fR", stdout);
        if (value) {
            fputs(" \\fI", stdout);
            put(value);
            fputs("\\fR", stdout);
        }
        putchar('\n');
        put_line("", o->help);
    }
}

static void put_status(void)
{
    static const char *const status[][2] = {
        {"0", "done, and true"},
        {"1", "the answer is no, or the model has errors"},
        {"2", "wrong command or options"},
        {"3", "a numeric failure"},
        {"4", "a resource limit: time, memory, size"},
        {"129, 130, 143", "hung up, interrupted, terminated"},
        {"141", "nobody reads the answer any more"},
    };
    puts(".SH EXIT STATUS");
    for (size_t i = 0; i < sizeof status / sizeof *status; i++) {
        put_line(".TP\n", status[i][0]);
        put_line("", status[i][1]);
    }
}

static void put_command(const command *k)
{
    char name[60];
    snprintf(name, sizeof name, "anholo-%s", k->name);
    heading(name, k->summary);
    printf(".SH SYNOPSIS\n\\fBanholo %s\\fR", k->name);
    if (k->kinds) {
        putchar(' ');
        put(k->kinds());
    }
    fputs(k->alone ? "" : " \\fIMODEL\\fR", stdout);
    if (k->words) {
        fputs(" \\fI", stdout);
        put(k->words);
        fputs("\\fR", stdout);
    }
    puts(" [\\fIoptions\\fR]\n.SH DESCRIPTION");
    put(k->about);
    if (!k->alone)
        puts("MODEL is a file in the language that \\fBanholo help language\\fR shows, or \\- for "
             "standard input.");
    put_options(k);
    if (k->details) {
        puts(".SH DETAILS\n.nf");
        k->details();
        puts(".fi");
    }
    put_status();
    fputs(".SH EXAMPLES\n.nf\nanholo ", stdout);
    put(k->example);
    puts("\n.fi\n.SH SEE ALSO\n.BR anholo (1)");
}

static void put_program(void)
{
    heading("anholo", "equations of motion of mechanical systems, non-holonomic ones first");
    puts(".SH SYNOPSIS\n\\fBanholo\\fR \\fICOMMAND\\fR \\fIMODEL\\fR [\\fIoptions\\fR]\n"
         ".SH DESCRIPTION\n"
         "A model is a text that says what a paper would: coordinates, energies or bodies,\n"
         "forces, constraints on places, velocities or accelerations, and claims. The commands\n"
         "derive its equations of motion, say what kind of system it is, prove or refute the\n"
         "claims, compute motions, and write pages and code.\n"
         ".PP\n"
         "\\fBanholo new first.ah\\fR writes a model with comments to begin with.\n"
         ".SH COMMANDS");
    for (size_t i = 0; cli_commands[i]; i++) {
        printf(".TP\n.BR anholo\\-%s (1)\n", cli_commands[i]->name);
        put_line("", cli_commands[i]->summary);
    }
    put_status();
    puts(".SH ENVIRONMENT\n"
         ".TP\nANHOLO_MODELS\nthe folder of models that \\fBanholo models\\fR lists\n"
         ".TP\nNO_COLOR\nif set, errors are not coloured");
    fputs(".SH SEE ALSO\n", stdout);
    for (size_t i = 0; cli_commands[i]; i++)
        printf(".BR anholo\\-%s (1)%s\n", cli_commands[i]->name, cli_commands[i + 1] ? "," : "");
}

void cli_write_manual(const command *k)
{
    if (k)
        put_command(k);
    else
        put_program();
}
