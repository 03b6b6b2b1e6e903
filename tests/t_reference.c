/* Every state of every reference system, by every method that applies, against numbers that were
 * found by other programs to 25 digits (tests/reference/README.md). */
#include "harness/harness.h"
#include "harness/own_context.h"
#include "harness/json_read.h"

#include <anholo/anholo.h>

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Relative to the size of the vector; what vanishes is not asked to be smaller than 1e-3 of this. */
#define TOLERANCE 1e-10

typedef struct tally {
    size_t systems, states, methods;
} tally;

static double size_of(const json_tree *v, double floor)
{
    double size = floor;
    for (const json_tree *x = v ? v->first : NULL; x; x = x->next)
        size = fmax(size, fabs(json_tree_number(x)));
    return size;
}

/* Two arrays of numbers; `floor`: the size of the forces for multipliers, which may vanish. */
static bool close_to(const json_tree *got, const json_tree *want, double floor)
{
    if (!got || json_tree_count(got) != json_tree_count(want)) return false;
    const double scale = size_of(want, floor);
    const json_tree *x = got->first;
    for (const json_tree *y = want->first; y; y = y->next, x = x->next)
        if (!(fabs(json_tree_number(x) - json_tree_number(y)) <= TOLERANCE * scale)) return false;
    return true;
}

/* {"z1": …} against an array in the order of `names`; names that are not there are passed over. */
static bool named_close(const json_tree *got, const json_tree *names, const json_tree *want,
                        bool by_key)
{
    const double scale = size_of(want, 1e-3);
    const json_tree *y = want->first;
    for (const json_tree *name = names ? names->first : NULL; name && y;
         name = name->next, y = y->next) {
        const json_tree *x = json_tree_get(got, by_key ? name->key : name->text);
        if (x && !(fabs(json_tree_number(x) - json_tree_number(y)) <= TOLERANCE * scale))
            return false;
    }
    return true;
}

/* Transition coefficients: those listed, and no others; the program leaves out the partners with
 * time last. */
static bool beta_close(const json_tree *got, const json_tree *want)
{
    size_t count = 0;
    for (const json_tree *y = want->first; y; y = y->next) {
        if (y->key[strlen(y->key) - 1] == 't') continue;
        const json_tree *x = json_tree_get(got, y->key);
        if (!x || !(fabs(json_tree_number(x) - json_tree_number(y)) <= TOLERANCE)) return false;
        count++;
    }
    return json_tree_count(got) == count;
}

static bool fails(const char *system, size_t state, const char *method, const char *what)
{
    char text[256];
    snprintf(text, sizeof text, "%.80s, state %zu, %.40s: %.60s", system, state, method, what);
    return harness_check(false, __FILE__, __LINE__, text);
}

static void check_method(const json_tree *o, const json_tree *st, const json_tree *m, size_t i,
                         tally *t)
{
    const char *name = json_tree_get(o, "name")->text;
    const json_tree *velocity = json_tree_get(o, "velocity");
    const json_tree *speeds = json_tree_get(velocity, "parameters");
    const json_tree *quasi = json_tree_get(o, "quasivelocity");
    const double force = size_of(json_tree_get(st, "qddot"), 0) + 1;
    if (json_tree_get(m, "refused")) return;
    t->methods++;
    const json_tree *qddot = json_tree_get(m, "qddot");
    if (qddot && !close_to(qddot, json_tree_get(st, "qddot"), 1e-3))
        fails(name, i, m->key, "qddot");
    const json_tree *multipliers = json_tree_get(st, "multipliers");
    if (!strcmp(m->key, "multipliers") && json_tree_count(multipliers) &&
        !close_to(json_tree_get(m, "multipliers"), multipliers, force))
        fails(name, i, m->key, "multipliers");
    const json_tree *reaction = json_tree_get(st, "reaction");
    if (reaction && json_tree_get(m, "reaction") &&
        !close_to(json_tree_get(m, "reaction"), reaction, force))
        fails(name, i, m->key, "reaction");
    if (json_tree_get(m, "zdot") && speeds && json_tree_get(st, "zdot") &&
        !named_close(json_tree_get(m, "zdot"), speeds, json_tree_get(st, "zdot"), false))
        fails(name, i, m->key, "zdot");
    if (json_tree_get(m, "omegadot") && json_tree_get(st, "omegadot") &&
        !named_close(json_tree_get(m, "omegadot"), quasi, json_tree_get(st, "omegadot"), true))
        fails(name, i, m->key, "omegadot");
    if (!strcmp(m->key, "hamel") && json_tree_get(st, "beta") &&
        !beta_close(json_tree_get(m, "beta"), json_tree_get(st, "beta")))
        fails(name, i, m->key, "beta");
    /* the misprinted (17) of Talamucci must be refuted, where it is wrong at all */
    const json_tree *misprint = json_tree_get(st, "omegadot_by_printed_T17");
    if (misprint && json_tree_get(m, "omegadot") &&
        !close_to(misprint, json_tree_get(st, "omegadot"), 1e-3) &&
        named_close(json_tree_get(m, "omegadot"), quasi, misprint, true))
        fails(name, i, m->key, "agrees with a misprint");
}

/* All stationary points of a non-linear second-class system. */
static void check_branches(const json_tree *o, const json_tree *m, size_t i)
{
    const json_tree *got = json_tree_get(m, "branches"),
                    *want = json_tree_get(o, "stationary_solutions");
    const char *name = json_tree_get(o, "name")->text;
    if (!got || !want) return;
    if (json_tree_count(got) != json_tree_count(want)) fails(name, i, m->key, "number of branches");
    for (const json_tree *w = want->first; w; w = w->next) {
        const json_tree *kind = json_tree_get(w, "kind");
        const double floor =
            kind && !strcmp(kind->text, "degenerate") ? 1e5 : 1; /* a multiple root */
        bool found = false;
        for (const json_tree *g = got->first; g; g = g->next)
            if (close_to(json_tree_get(g, "qddot"), json_tree_get(w, "qddot"), floor)) found = true;
        if (!found) fails(name, i, m->key, "a branch is missing");
    }
    const json_tree *unique = json_tree_get(m, "unique");
    const bool want_unique = json_tree_number(json_tree_get(o, "number_of_global_minima")) == 1;
    CHECK(unique && (unique->kind == JSON_TRUE) == want_unique);
}

static void state_text(const json_tree *o, const json_tree *st, char *out, size_t room)
{
    const json_tree *t = json_tree_get(st, "t"), *names = json_tree_get(o, "coordinates");
    const json_tree *parameters = json_tree_get(json_tree_get(o, "velocity"), "parameters");
    size_t n = (size_t) snprintf(out, room, "t=%s", t ? t->text : "0");
    const json_tree *lists[] = {json_tree_get(st, "q"), json_tree_get(st, "qdot"),
                                json_tree_get(st, "z")};
    const char *dots[] = {"", "'", ""};
    for (int k = 0; k < 3; k++) {
        const json_tree *name = k < 2 ? names->first : parameters ? parameters->first : NULL;
        const json_tree *x = lists[k] ? lists[k]->first : NULL;
        for (; x && name && n < room; x = x->next, name = name->next)
            n += (size_t) snprintf(out + n, room - n, ",%s%s=%s", name->text, dots[k], x->text);
    }
}

static void check_state(ah_ctx *ctx, ah_model *model, const json_tree *o, const json_tree *st,
                        size_t i, tally *t)
{
    static char at[8192];
    const char *out = NULL;
    state_text(o, st, at, sizeof at);
    const ah_eval_options options = {.size = sizeof(ah_eval_options), .at = at, .method = "all"};
    const ah_status status = ah_eval(model, &options, AH_JSON, &out);
    if (status != AH_OK) {
        fails(json_tree_get(o, "name")->text, i, "eval", ah_diagnostics_text(ctx, false));
        return;
    }
    json_tree *answer = json_tree_parse(out);
    REQUIRE(answer != NULL);
    const json_tree *methods = json_tree_get(answer, "methods");
    for (const json_tree *m = methods->first; m; m = m->next) {
        check_method(o, st, m, i, t);
        check_branches(o, m, i);
    }
    t->states++;
    json_tree_free(answer);
}

static void check_system(const char *path, tally *t)
{
    char model_path[1024];
    snprintf(model_path, sizeof model_path, "%.*s.ah", (int) (strlen(path) - 5), path);
    size_t length;
    char *text = harness_read_file(model_path, &length);
    if (!text) return; /* numbers about a limit, without a model of their own */
    json_tree *o = json_tree_read(path);
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *model = NULL;
    if (!CHECK(o != NULL) ||
        !CHECK(lang_read(ctx, model_path, text, length, NULL, &model) == AH_OK))
        goto done;
    t->systems++;
    const json_tree *states = json_tree_get(o, "states");
    size_t i = 0;
    for (const json_tree *st = states ? states->first : NULL; st; st = st->next, i++)
        if (json_tree_get(st, "qddot")) check_state(ctx, model, o, st, i, t);
done:
    ah_ctx_destroy(ctx);
    json_tree_free(o);
    free(text);
}

TEST(all_states_of_all_systems_by_every_method)
{
    char folder[1024], path[2048];
    tally t = {0};
    snprintf(folder, sizeof folder, "%s/tests/reference", harness_source_dir());
    DIR *d = opendir(folder);
    REQUIRE(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        const size_t n = strlen(e->d_name);
        if (n < 6 || strcmp(e->d_name + n - 5, ".json")) continue;
        snprintf(path, sizeof path, "%s/%s", folder, e->d_name);
        check_system(path, &t);
    }
    closedir(d);
    /* so that an empty folder does not pass */
    CHECK_INT(t.systems, 66);
    CHECK_INT(t.states, 336);
    CHECK(t.methods > 2600);
}
