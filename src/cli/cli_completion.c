/* cli/cli_completion.c - completion for shells from the table of commands.
 *
 * Every script answers by the table: commands, their options, the words of a choice, methods. Where
 * an option takes names of the model on the line, it asks the program for them
 * (`anholo dump --stage=names`). */
#include "cli.h"

#include <stdio.h>
#include <string.h>

/* Options whose values begin with names of the model: of these kinds. */
static const struct {
    const char *option, *kinds;
} named[] = {
    {"--set", "parameter|function"},
    {"--at", "coordinate|velocity|speed"},
    {"--input", "input"},
    {"--inputs", "input"},
    {"--outputs", "output"},
    {"--critical", "parameter"},
    {"--sweep", "parameter"},
};

static bool is_method(const option *o)
{
    return !strcmp(o->name, "--method");
}

static void put_methods(const char *between)
{
    for (size_t i = 0; i < ah_method_count(); i++)
        printf("%s%s", i ? between : "", ah_method_name(i));
}

/* "a|b" with something else between. */
static void put_words(const char *words, const char *between)
{
    for (; *words; words++)
        if (*words == '|')
            fputs(between, stdout);
        else
            putchar(*words);
}

/* In single quotes of sh and fish. */
static void put_quoted(const char *s)
{
    putchar('\'');
    for (; *s; s++)
        if (*s == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*s);
    putchar('\'');
}

/* ---- bash ------------------------------------------------------------------------------------ */

static void bash_values(const command *k)
{
    for (size_t i = 0; i < cli_option_count(k); i++) {
        const option *o = cli_option(k, i);
        if (o->kind != OPTION_CHOICE && !is_method(o)) continue;
        printf("        %s:%s) echo \"", k->name, o->name);
        if (is_method(o))
            put_methods(" ");
        else
            put_words(cli_option_value(o), " ");
        puts("\" ;;");
    }
}

static void bash_options(const command *k)
{
    printf("        %s) echo \"", k->name);
    for (size_t i = 0; i < cli_option_count(k); i++)
        printf("%s%s", i ? " " : "", cli_option(k, i)->name);
    puts("\" ;;");
}

static void bash_tables(void)
{
    fputs("_anholo_commands=\"", stdout);
    for (size_t i = 0; cli_commands[i]; i++) printf("%s%s", i ? " " : "", cli_commands[i]->name);
    fputs("\"\n_anholo_topics=\"", stdout);
    char name[40];
    for (size_t at = 0; cli_next_text(&at, ".txt", name);) printf("%s ", name);
    puts("\"\n\n# The options of a command.\n_anholo_options() {\n    case $1 in");
    for (size_t i = 0; cli_commands[i]; i++) bash_options(cli_commands[i]);
    puts("    esac\n}\n\n# The words that COMMAND:OPTION may be.\n_anholo_values() {\n    case $1 "
         "in");
    for (size_t i = 0; cli_commands[i]; i++) bash_values(cli_commands[i]);
    puts("    esac\n}\n\n# What stands before the model.\n_anholo_kinds() {\n    case $1 in");
    for (size_t i = 0; cli_commands[i]; i++)
        if (cli_commands[i]->kinds) {
            printf("        %s) echo \"", cli_commands[i]->name);
            put_words(cli_commands[i]->kinds(), " ");
            puts("\" ;;");
        }
    puts("    esac\n}\n\n# Kinds of names in the model that an option's value begins with.\n"
         "_anholo_named() {\n    case $1 in");
    for (size_t i = 0; i < sizeof named / sizeof *named; i++)
        printf("        %s) echo \"%s\" ;;\n", named[i].option, named[i].kinds);
    puts("    esac\n}\n");
}

void cli_write_bash(void)
{
    puts("# bash completion for anholo; made by `anholo help --format bash`.\n");
    bash_tables();
    fputs("# Names of these kinds in the model on the line.\n"
          "_anholo_names() {\n"
          "    local word\n"
          "    for word in \"${line[@]}\"; do\n"
          "        [[ $word == *.ah && -f $word ]] || continue\n"
          "        anholo dump --max-time 2 --stage=names \"$word\" 2>/dev/null |\n"
          "            awk -v kinds=\"^($1)\\$\" '$1 ~ kinds { print $2 }'\n"
          "        return\n"
          "    done\n"
          "}\n"
          "\n"
          "_anholo() {\n"
          "    # Words as they were typed: bash cuts them at = and :, and so what it gets back has "
          "to be.\n"
          "    local typed=${COMP_LINE:0:COMP_POINT} line word option= prefix= candidates= files=\n"
          "    read -r -a line <<<\"$typed\"\n"
          "    [[ $typed == *[[:space:]] ]] && line+=(\"\")\n"
          "    word=${line[${#line[@]}-1]}\n"
          "    local command=${line[1]} before=${line[${#line[@]}-2]} count=${#line[@]}\n"
          "    COMPREPLY=()\n"
          "    if ((count <= 2)); then\n"
          "        candidates=\"$_anholo_commands --help --version\"\n"
          "    elif [[ $word == --*=* ]]; then\n"
          "        option=${word%%=*} prefix=${word%%=*}=\n"
          "    elif [[ $before == -* && $before != *=* ]]; then\n"
          "        option=$before\n"
          "    fi\n"
          "    if ((count > 2)) && [[ -n $option && -n $(_anholo_values \"$command:$option\") ]]; "
          "then\n"
          "        candidates=$(_anholo_values \"$command:$option\")\n"
          "    elif ((count > 2)) && [[ -n $option && -n $(_anholo_named \"$option\") ]]; then\n"
          "        local value=${word#\"$prefix\"}\n"
          "        [[ $value == *,* ]] && prefix+=${value%,*},\n"
          "        candidates=$(_anholo_names \"$(_anholo_named \"$option\")\" | sed 's/$/=/')\n"
          "        compopt -o nospace 2>/dev/null\n"
          "    elif ((count > 2)) && [[ $word == -* && -z $prefix ]]; then\n"
          "        candidates=$(_anholo_options \"$command\")\n"
          "    elif [[ $command == help ]] && ((count > 2)); then\n"
          "        candidates=\"$_anholo_commands $_anholo_topics\"\n"
          "    elif ((count == 3)) && [[ -n $(_anholo_kinds \"$command\") ]]; then\n"
          "        candidates=$(_anholo_kinds \"$command\")\n"
          "    elif ((count > 2)); then\n"
          "        files=yes\n"
          "    fi\n"
          "    local whole\n"
          "    if [[ -n $files ]]; then\n"
          "        compopt -o filenames 2>/dev/null\n"
          "        if [[ $option == -* ]]; then\n"
          "            mapfile -t COMPREPLY < <(compgen -f -- \"${word#\"$prefix\"}\")\n"
          "        else\n"
          "            mapfile -t COMPREPLY < <(compgen -f -X '!*.ah' -- \"$word\"; compgen -d -- "
          "\"$word\")\n"
          "        fi\n"
          "        return\n"
          "    fi\n"
          "    # What bash takes for the word begins after the last = or : of it.\n"
          "    local cut=\n"
          "    [[ $word == *[=:]* ]] && cut=${word%\"${word##*[=:]}\"}\n"
          "    for whole in $candidates; do\n"
          "        whole=$prefix$whole\n"
          "        [[ $whole == \"$word\"* ]] && COMPREPLY+=(\"${whole#\"$cut\"}\")\n"
          "    done\n"
          "}\n"
          "complete -F _anholo anholo\n",
          stdout);
}

/* ---- zsh ------------------------------------------------------------------------------------- */

/* In a specification of _arguments: brackets and colons are its own. */
static void put_zsh(const char *s)
{
    for (; *s; s++) {
        if (strchr("[]:\\", *s)) putchar('\\');
        if (*s == '\'')
            fputs("'\\''", stdout);
        else
            putchar(*s);
    }
}

static void zsh_option(const option *o)
{
    const char *value = cli_option_value(o);
    const bool joined = o->name[1] == '-'; /* --name=value, too */
    printf("            '%s%s%s[", o->kind == OPTION_LIST ? "*" : "", o->name,
           value && joined ? "=" : "");
    put_zsh(o->help);
    putchar(']');
    if (o->kind == OPTION_CHOICE || is_method(o)) {
        fputs(":one of:(", stdout);
        if (is_method(o))
            put_methods(" ");
        else
            put_words(value, " ");
        putchar(')');
    } else if (value) {
        bool names = false;
        for (size_t i = 0; i < sizeof named / sizeof *named; i++)
            if (!strcmp(o->name, named[i].option)) {
                printf(":names:{_anholo_names \"%s\"}", named[i].kinds);
                names = true;
            }
        if (!names) fputs(":value:_files", stdout);
    }
    puts("' \\");
}

static void zsh_command(const command *k)
{
    printf("    %s)\n        _arguments \\\n", k->name);
    for (size_t i = 0; i < cli_option_count(k); i++) zsh_option(cli_option(k, i));
    if (k->kinds) {
        fputs("            ':kind:(", stdout);
        put_words(k->kinds(), " ");
        puts(")' \\");
    }
    puts(k->alone ? "            '*:file:_files' ;;"
                  : "            '*:model:_files -g \"*.ah\"' ;;");
}

void cli_write_zsh(void)
{
    puts("#compdef anholo\n# Made by `anholo help --format zsh`.\n\n"
         "# Names of these kinds in the model on the line, after a comma again.\n"
         "_anholo_names() {\n"
         "    local word names\n"
         "    for word in $words; do\n"
         "        [[ $word == *.ah && -f $word ]] || continue\n"
         "        names=(${(f)\"$(anholo dump --max-time 2 --stage=names $word 2>/dev/null |\n"
         "            awk -v kinds=\"^($1)\\$\" '$1 ~ kinds { print $2 \"=\" }')\"})\n"
         "        compset -P '*,'\n"
         "        compadd -S '' -a names\n"
         "        return\n"
         "    done\n"
         "}\n\n"
         "_anholo_commands() {\n    local commands=(");
    for (size_t i = 0; cli_commands[i]; i++) {
        printf("        '%s:", cli_commands[i]->name);
        put_zsh(cli_commands[i]->summary);
        puts("'");
    }
    puts("    )\n    _describe command commands\n}\n\n"
         "if ((CURRENT == 2)); then\n    _anholo_commands\n    return\nfi\n"
         "local command=$words[2]\nshift words\n((CURRENT--))\n\ncase $command in");
    for (size_t i = 0; cli_commands[i]; i++) zsh_command(cli_commands[i]);
    puts("esac");
}

/* ---- fish ------------------------------------------------------------------------------------ */

static void fish_option(const command *k, const option *o)
{
    printf("complete -c anholo -n '__fish_seen_subcommand_from %s' ", k->name);
    printf(o->name[1] == '-' ? "-l %s" : "-s %s", o->name + (o->name[1] == '-' ? 2 : 1));
    if (o->kind == OPTION_CHOICE || is_method(o)) {
        fputs(" -x -a '", stdout);
        if (is_method(o))
            put_methods(" ");
        else
            put_words(cli_option_value(o), " ");
        putchar('\'');
    } else if (o->kind == OPTION_TEXT) {
        fputs(" -r", stdout);
    } else if (o->kind != OPTION_FLAG) {
        fputs(" -x", stdout);
        for (size_t i = 0; i < sizeof named / sizeof *named; i++)
            if (!strcmp(o->name, named[i].option))
                printf(" -a '(__anholo_names \"%s\")'", named[i].kinds);
    }
    fputs(" -d ", stdout);
    put_quoted(o->help);
    putchar('\n');
}

void cli_write_fish(void)
{
    puts("# fish completion for anholo; made by `anholo help --format fish`.\n\n"
         "function __anholo_names --description 'Names of these kinds in the model on the line'\n"
         "    for word in (commandline -opc)\n"
         "        string match -q '*.ah' -- $word; and test -f $word; or continue\n"
         "        anholo dump --max-time 2 --stage=names $word 2>/dev/null |\n"
         "            awk -v kinds=\"^($argv[1])\\$\" '$1 ~ kinds { print $2 \"=\" }'\n"
         "        return\n"
         "    end\n"
         "end\n");
    for (size_t i = 0; cli_commands[i]; i++) {
        const command *k = cli_commands[i];
        printf("complete -c anholo -n __fish_use_subcommand -x -a %s -d ", k->name);
        put_quoted(k->summary);
        putchar('\n');
        for (size_t j = 0; j < cli_option_count(k); j++) fish_option(k, cli_option(k, j));
        if (k->kinds) {
            printf("complete -c anholo -n '__fish_seen_subcommand_from %s' -a '", k->name);
            put_words(k->kinds(), " ");
            puts("'");
        }
    }
}
