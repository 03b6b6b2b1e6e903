/* t_cli.c - the program from outside: exit statuses, what goes where, and the classes of all
 * reference systems. */
#include <anholo/anholo.h>

#include "harness.h"
#include "harness/own_context.h"
#include "json_read.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- Running it ------------------------------------------------------------------------------ */

typedef struct answer {
    int status;
    char out[1 << 16], err[1 << 14];
} answer;

static void read_stream(FILE *stream, char *to, size_t room)
{
    size_t used = stream ? fread(to, 1, room - 1, stream) : 0;
    to[used] = '\0';
    while (stream && fgetc(stream) != EOF) continue;
}

/* Runs "anholo WORDS", `input` on its standard input; WORDS are for the shell. */
static const answer *ask(const char *words, const char *input)
{
    static answer a;
    char command[2000], in[] = "/tmp/ah_cli_XXXXXX", err[] = "/tmp/ah_cli_XXXXXX";
    const int in_file = mkstemp(in), err_file = mkstemp(err);
    if (in_file < 0 || err_file < 0 ||
        write(in_file, input ? input : "", input ? strlen(input) : 0) < 0)
        abort();
    snprintf(command, sizeof command, "'%s' %s <'%s' 2>'%s'", AH_PROGRAM, words, in, err);
    FILE *pipe = popen(command, "r");
    read_stream(pipe, a.out, sizeof a.out);
    const int ended = pclose(pipe);
    a.status = WIFEXITED(ended) ? WEXITSTATUS(ended) : -1;
    FILE *errors = fdopen(err_file, "r");
    read_stream(errors, a.err, sizeof a.err);
    fclose(errors);
    close(in_file);
    unlink(in);
    unlink(err);
    return &a;
}

static const char skate[] = "system \"Skate\"\n"
                            "parameter m = 2, I = 0.3\n"
                            "coordinate x, y, theta\n"
                            "kinetic 1/2*m*(x'^2 + y'^2) + 1/2*I*theta'^2\n"
                            "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n";

static bool has(const char *text, const char *part)
{
    return strstr(text, part) != NULL;
}

/* ---- Exit statuses --------------------------------------------------------------------------- */

TEST(version_and_help)
{
    const answer *a = ask("--version", NULL);
    CHECK_INT(a->status, 0);
    CHECK(has(a->out, "anholo ") && has(a->out, ah_version()) && !*a->err);
    a = ask("-h", NULL);
    CHECK(a->status == 0 && has(a->out, "check") && has(a->out, "dump") && !*a->err);
    a = ask("check -h", NULL);
    CHECK(a->status == 0 && has(a->out, "Example:") && has(a->out, "--set"));
    a = ask("dump --help", NULL);
    CHECK(a->status == 0 && has(a->out, "Example:") && has(a->out, "--stage"));
    CHECK_INT(ask("", NULL)->status, 2);
}

/* Every command that the program lists explains itself with an example. */
TEST(every_command_has_help)
{
    char list[sizeof((answer *) 0)->out], words[80];
    strcpy(list, ask("-h", NULL)->out);
    char *line = strstr(list, "Commands:\n");
    REQUIRE(line);
    int commands = 0;
    for (line = strtok(line + 10, "\n"); line && line[0] == ' ' && line[2] != ' ';
         line = strtok(NULL, "\n")) {
        char name[32];
        REQUIRE(sscanf(line, " %31s", name) == 1);
        snprintf(words, sizeof words, "%s -h", name);
        const answer *a = ask(words, NULL);
        CHECK(a->status == 0 && has(a->out, name) && has(a->out, "Example:"));
        commands++;
    }
    CHECK(commands >= 2);
}

TEST(wrong_options)
{
    static const struct {
        const char *words, *says;
    } cases[] = {
        {"chek -", "did you mean `check`"},
        {"check --jsn -", "did you mean `--json`"},
        {"check --set", "needs a value"},
        {"check --json=1 -", "takes no value"},
        {"check --max-time=soon -", "a positive number"},
        {"check --max-time=-1 -", "a positive number"},
        {"check", "which model"},
        {"check - another.ah", "one model"},
        {"dump -", "--stage"},
        {"dump --stage=nothing -", "tokens|syntax|model|expr|names|equations|program"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const answer *a = ask(cases[i].words, skate);
        CHECK_INT(a->status, 2);
        if (!CHECK(has(a->err, cases[i].says) && !*a->out))
            harness_check_str(a->err, cases[i].says, __FILE__, __LINE__);
    }
}

TEST(errors_have_places)
{
    const answer *a = ask("check -", "coordinate x\nkinetic x'^2/2 + nobody\n");
    CHECK(a->status == 1 && !*a->out);
    CHECK(has(a->err, "<stdin>:2:18: error[A") && has(a->err, "nobody") && !has(a->err, "\033["));
    a = ask("check /no/such/file.ah", NULL);
    CHECK(a->status == 1 && has(a->err, "/no/such/file.ah") && !*a->out);
    a = ask("check /tmp", NULL);
    CHECK(a->status == 1 && has(a->err, "/tmp"));
}

/* The first error as {"error":{…}}; nothing else on standard output. */
static json_tree *error_object(const char *words, const char *input, int status)
{
    const answer *a = ask(words, input);
    CHECK_INT(a->status, status);
    json_tree *t = json_tree_parse(a->out);
    const json_tree *e = json_tree_get(t, "error");
    static const char *const keys[] = {"code", "message", "file", "line", "column"};
    for (size_t i = 0; i < 5; i++) CHECK(json_tree_get(e, keys[i]));
    return t;
}

TEST(errors_as_json)
{
    json_tree *t = error_object("check --json -", "coordinate x\nkinetic x'^2/2 + nobody\n", 1);
    const json_tree *e = json_tree_get(t, "error");
    CHECK_INT(json_tree_number(json_tree_get(e, "line")), 2);
    CHECK_INT(json_tree_number(json_tree_get(e, "column")), 18);
    json_tree_free(t);
    json_tree_free(error_object("check --json /no/such/file.ah", NULL, 1));
    json_tree_free(error_object("check --json --wrong -", NULL, 2));
    json_tree_free(error_object("chek --json -", NULL, 2));
    json_tree_free(error_object("check --json --max-time=1e-9 -", skate, 4));
    json_tree_free(error_object("dump --json --stage=model -", "coordinate", 1));
}

TEST(limits)
{
    const answer *a = ask("check --max-time=1e-9 -", skate);
    CHECK(a->status == 4 && has(a->err, "A0901"));
}

TEST(settings)
{
    static const char turning[] = "parameter w = 0, v0 = 1\ncoordinate x, y\nkinetic x'^2 + y'^2\n"
                                  "constraint c: x' = y' + w*x\n";
    CHECK(has(ask("check -", turning)->out, "linear in the velocities"));
    CHECK(has(ask("check --set w=2 -", turning)->out, "affine in the velocities"));
    CHECK(has(ask("check --set=v0=3 --set w=2,v0=4 -", turning)->out, "affine in the velocities"));
    CHECK_INT(ask("check --set nobody=2 -", turning)->status, 1);
}

TEST(warnings_do_not_disturb_the_answer)
{
    const answer *a =
        ask("check --json -", "coordinate x, y\nkinetic x'^2 + y'^2\nconstraint a: x' = 2*y'\n"
                              "constraint b: 2*x' = 4*y'\n");
    json_tree *t = json_tree_parse(a->out);
    CHECK(a->status == 0 && t);
    CHECK(has(a->err, "A0416") && has(a->err, "`b`"));
    const json_tree *b = json_tree_at(json_tree_get(t, "constraints"), 1);
    CHECK(json_tree_get(b, "redundant") && json_tree_get(b, "redundant")->kind == JSON_TRUE);
    const json_tree *on = json_tree_at(json_tree_get(b, "depends_on"), 0);
    CHECK_STR(on ? on->text : NULL, "a");
    json_tree_free(t);
}

TEST(dumps)
{
    static const char *const stages[] = {"tokens", "syntax",    "model",
                                         "expr",   "equations", "program"};
    char model[500];
    snprintf(model, sizeof model, "%sstart x = 0, y = 0, theta = 0.3\n", skate);
    for (size_t i = 0; i < sizeof stages / sizeof *stages; i++) {
        char words[64];
        snprintf(words, sizeof words, "dump --stage=%s -", stages[i]);
        char plain[sizeof((answer *) 0)->out];
        const answer *a = ask(words, model);
        CHECK(a->status == 0 && *a->out);
        strcpy(plain, a->out);
        snprintf(words, sizeof words, "dump --json --stage %s -", stages[i]);
        json_tree *t = json_tree_parse(ask(words, model)->out);
        CHECK_STR(json_tree_get(t, "stage") ? json_tree_get(t, "stage")->text : NULL, stages[i]);
        CHECK_STR(json_tree_get(t, "text") ? json_tree_get(t, "text")->text : NULL, plain);
        json_tree_free(t);
    }
}

/* ---- Classes of the reference systems, found again by differences ---------------------------- */

enum { MOST = 40, POINTS = 4 };

typedef struct reference {
    ah_ctx *ctx;
    size_t n, count; /* coordinates; symbols */
    ah_expr symbol[4 * MOST];
    double value[4 * MOST]; /* t, q, v, a, parameters */
} reference;

static double *part(reference *r, int which) /* 0 q, 1 v, 2 a */
{
    return r->value + 1 + (size_t) which * r->n;
}

static void put_symbol(reference *r, ah_symbol_kind kind, const char *name, double value)
{
    r->symbol[r->count] = ah_symbol(r->ctx, kind, name);
    r->value[r->count++] = value;
}

static double fraction(const char *text)
{
    const char *slash = strchr(text, '/');
    return slash ? strtod(text, NULL) / strtod(slash + 1, NULL) : strtod(text, NULL);
}

static void list_symbols(reference *r, const json_tree *system)
{
    static const ah_symbol_kind kinds[] = {AH_COORDINATE, AH_VELOCITY, AH_ACCELERATION};
    const json_tree *names = json_tree_get(system, "coordinates");
    r->n = json_tree_count(names);
    put_symbol(r, AH_TIME, "t", 0.7);
    for (int k = 0; k < 3; k++)
        for (const json_tree *q = names->first; q; q = q->next) put_symbol(r, kinds[k], q->text, 0);
    const json_tree *parameters = json_tree_get(system, "parameters");
    for (const json_tree *p = parameters ? parameters->first : NULL; p; p = p->next)
        put_symbol(r, AH_PARAMETER, p->key, fraction(p->text));
}

static void randomise(reference *r)
{
    for (size_t i = 0; i < 1 + 3 * r->n; i++) r->value[i] = harness_uniform(0.2, 1.4);
}

static double at(reference *r, ah_expr c)
{
    return ah_evaluate(r->ctx, c, r->count, r->symbol, r->value);
}

/* Does c change when all of one part of the state (or t) changes? */
static bool depends(reference *r, ah_expr c, double *from, size_t count)
{
    for (int k = 0; k < POINTS; k++) {
        randomise(r);
        const double before = at(r, c);
        for (size_t i = 0; i < count; i++) from[i] += harness_uniform(0.1, 0.5);
        if (fabs(at(r, c) - before) > 1e-9) return true;
    }
    return false;
}

/* Second differences along a random direction. */
static bool is_linear(reference *r, ah_expr c, double *u)
{
    for (int k = 0; k < POINTS; k++) {
        double d[MOST], second = 0, size = 0;
        randomise(r);
        for (size_t i = 0; i < r->n; i++) {
            d[i] = harness_uniform(-0.3, 0.3);
            u[i] -= d[i];
        }
        for (int step = 0; step < 3; step++) {
            const double f = at(r, c);
            second += (step == 1 ? -2 : 1) * f;
            size += fabs(f);
            for (size_t i = 0; i < r->n; i++) u[i] += d[i];
        }
        if (fabs(second) > 1e-10 * (1 + size)) return false;
    }
    return true;
}

static bool vanishes_at_zero(reference *r, ah_expr c, double *u)
{
    randomise(r);
    for (size_t i = 0; i < r->n; i++) u[i] = 0;
    return fabs(at(r, c)) < 1e-12;
}

/* p with c(λu) = λ^p c(u), NaN where there is none. */
static double homogeneity(reference *r, ah_expr c, double *u)
{
    double p = NAN;
    for (int k = 0; k < POINTS; k++) {
        randomise(r);
        const double one = at(r, c);
        for (size_t i = 0; i < r->n; i++) u[i] *= 2;
        const double here = log2(fabs(at(r, c) / one));
        if (k && fabs(here - p) > 1e-9) return NAN;
        p = here;
    }
    return p;
}

/* Rank of J = ∂C/∂u at a state of the reference data, which lies on the constraints: by
 * differences. */
static size_t rank_at_state(reference *r, const ah_expr *c, const int *order, size_t count,
                            bool velocities_only)
{
    static double J[MOST][MOST];
    size_t rows = 0, rank = 0;
    for (size_t i = 0; i < count; i++) {
        if (velocities_only && order[i] == 2) continue;
        for (size_t j = 0; j < r->n; j++) {
            double *u = part(r, order[i]) + j, step = 1e-5, kept = *u;
            *u = kept + step;
            const double up = at(r, c[i]);
            *u = kept - step;
            J[rows][j] = (up - at(r, c[i])) / (2 * step);
            *u = kept;
        }
        rows++;
    }
    for (size_t j = 0; j < r->n && rank < rows; j++) {
        size_t best = rank;
        for (size_t i = rank; i < rows; i++)
            if (fabs(J[i][j]) > fabs(J[best][j])) best = i;
        if (fabs(J[best][j]) < 1e-6) continue;
        for (size_t k = 0; k < r->n; k++) {
            const double swap = J[best][k];
            J[best][k] = J[rank][k];
            J[rank][k] = swap;
        }
        for (size_t i = rank + 1; i < rows; i++)
            for (size_t k = r->n; k-- > j;) J[i][k] -= J[i][j] / J[rank][j] * J[rank][k];
        rank++;
    }
    return rank;
}

static void put_state(reference *r, const json_tree *system)
{
    const json_tree *state = json_tree_at(json_tree_get(system, "states"), 0);
    randomise(r);
    r->value[0] = json_tree_number(json_tree_get(state, "t"));
    for (size_t i = 0; i < r->n; i++) {
        part(r, 0)[i] = json_tree_number(json_tree_at(json_tree_get(state, "q"), i));
        part(r, 1)[i] = json_tree_number(json_tree_at(json_tree_get(state, "qdot"), i));
    }
}

static const char *want_class(reference *r, ah_expr c, int order)
{
    if (order == 0) return "holonomic";
    double *u = part(r, order);
    const bool linear = is_linear(r, c, u);
    if (order == 2) return linear ? "acceleration linear" : "acceleration nonlinear";
    return !linear ? "nonlinear" : vanishes_at_zero(r, c, u) ? "linear" : "affine";
}

static bool is_true(const json_tree *object, const char *key)
{
    const json_tree *t = json_tree_get(object, key);
    return t && t->kind == JSON_TRUE;
}

static int check_constraint(reference *r, ah_expr c, const json_tree *said)
{
    const int order = depends(r, c, part(r, 2), r->n) ? 2 : depends(r, c, part(r, 1), r->n) ? 1 : 0;
    CHECK_STR(json_tree_get(said, "class")->text, want_class(r, c, order));
    CHECK(is_true(said, "rheonomic") == depends(r, c, r->value, 1));
    if (order == 1) {
        const double p = homogeneity(r, c, part(r, 1));
        const json_tree *degree = json_tree_get(said, "homogeneity");
        if (isnan(p))
            CHECK_INT(degree->kind, JSON_NULL);
        else
            CHECK_NEAR(json_tree_number(degree), p, 1, 1e7, "degree of homogeneity");
    }
    return order;
}

static void check_system(const json_tree *system, const json_tree *said)
{
    reference r = {.ctx = ah_ctx_create(NULL)};
    const json_tree *constraints = json_tree_get(system, "constraints");
    ah_expr c[MOST];
    int order[MOST];
    ah_model *m = model_create_in(r.ctx, "names");
    list_symbols(&r, system);
    for (size_t i = 0; i < r.n; i++)
        ah_model_coordinate(m, json_tree_at(json_tree_get(system, "coordinates"), i)->text);
    for (size_t i = 1 + 3 * r.n; i < r.count; i++)
        ah_model_parameter(m, ah_print(r.ctx, r.symbol[i], AH_ASCII), AH_NONE);
    const size_t count = json_tree_count(constraints);
    for (size_t i = 0; i < count; i++) {
        CHECK_INT(ah_read_expression(m, "constraint", json_tree_at(constraints, i)->text, &c[i]),
                  AH_OK);
        order[i] = check_constraint(&r, c[i], json_tree_at(json_tree_get(said, "constraints"), i));
    }
    CHECK_INT(json_tree_number(json_tree_get(said, "n")), r.n);
    CHECK_INT(json_tree_number(json_tree_get(said, "r")), count);
    put_state(&r, system);
    CHECK_INT(json_tree_number(json_tree_get(said, "rank")),
              rank_at_state(&r, c, order, count, false));
    CHECK_INT(json_tree_number(json_tree_get(said, "m")),
              r.n - rank_at_state(&r, c, order, count, true));
    ah_ctx_destroy(r.ctx);
}

TEST(reference_systems_are_classified_rightly)
{
    char folder[1000], path[1400], words[1500];
    snprintf(folder, sizeof folder, "%s/tests/reference", harness_source_dir());
    DIR *dir = opendir(folder);
    REQUIRE(dir);
    int systems = 0;
    for (struct dirent *entry; (entry = readdir(dir));) {
        const char *end = strrchr(entry->d_name, '.');
        if (!end || strcmp(end, ".ah") != 0) continue;
        const int stem = (int) (end - entry->d_name);
        snprintf(path, sizeof path, "%s/%.*s.json", folder, stem, entry->d_name);
        json_tree *system = json_tree_read(path);
        snprintf(words, sizeof words, "check --json '%s/%s'", folder, entry->d_name);
        const answer *a = ask(words, NULL);
        json_tree *said = json_tree_parse(a->out);
        if (CHECK(a->status == 0 && system && said))
            check_system(system, said);
        else
            CHECK_STR(a->out, entry->d_name);
        CHECK_STR(a->err, "");
        json_tree_free(said);
        json_tree_free(system);
        systems++;
    }
    closedir(dir);
    CHECK_INT(systems, 66);
}
