/* tests/t_digits.c - eval --digits against the reference numbers, which have 25 digits. */
#include "harness.h"
#include "lang/lang.h"
#include "json_read.h"

#include "expr/ball.h"

#include <anholo/anholo.h>
#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 22 };

/* |a − b| ≤ 10^-digits · scale, all of them decimals. */
static bool near(const char *a, const char *b, const char *scale, int digits)
{
    arb_t x, y, bound;
    bool good = true;
    arb_init(x);
    arb_init(y);
    arb_init(bound);
    good = !arb_set_str(x, a, 400) && !arb_set_str(y, b, 400) && !arb_set_str(bound, scale, 400);
    arb_sub(x, x, y, 400);
    arb_abs(x, x);
    arb_ui_pow_ui(y, 10, (ulong) digits, 400);
    arb_div(bound, bound, y, 400);
    good = good && arb_le(x, bound);
    arb_clear(x);
    arb_clear(y);
    arb_clear(bound);
    return good;
}

/* The largest absolute value, as a decimal without its sign; at least 1e-3. */
static const char *largest(const json_tree *list)
{
    const char *best = "1e-3";
    double size = 1e-3;
    for (const json_tree *x = list->first; x; x = x->next) {
        const double value = json_tree_number(x), magnitude = value < 0 ? -value : value;
        if (magnitude <= size) continue;
        size = magnitude;
        best = x->text + (x->text[0] == '-');
    }
    return best;
}

typedef struct bench {
    const char *file;
    ah_ctx *ctx;
    ah_model *model;
    size_t numbers, states;
} bench;

static void compare(bench *b, const char *what, const json_tree *got, const json_tree *want,
                    const char *scale)
{
    const json_tree *x = got->first, *y = want->first;
    if (!scale) scale = largest(want);
    for (; x && y; x = x->next, y = y->next, b->numbers++)
        if (!CHECK(x->kind == JSON_STRING && near(x->text, y->text, scale, DIGITS)))
            printf("# %s, %s: got %s, wanted %s\n", b->file, what, x->text, y->text);
    CHECK(!x && !y);
}

/* t, q and q' as they stand in the reference; z too, where it selects the branch. */
static char *state_text(const json_tree *reference, const json_tree *state)
{
    static char at[20000];
    const json_tree *name = json_tree_get(reference, "coordinates")->first,
                    *q = json_tree_get(state, "q")->first, *v = json_tree_get(state, "qdot")->first;
    size_t n = (size_t) snprintf(at, sizeof at, "t=%s", json_tree_get(state, "t")->text);
    for (; name && n < sizeof at; name = name->next, q = q->next, v = v->next)
        n += (size_t) snprintf(at + n, sizeof at - n, ", %s=%s, %s'=%s", name->text, q->text,
                               name->text, v->text);
    return at;
}

static bool same_numbers(const json_tree *got, const json_tree *want)
{
    const json_tree *x = got->first, *y = want->first;
    while (x && y && near(x->text, y->text, largest(want), DIGITS)) {
        x = x->next;
        y = y->next;
    }
    return !x && !y;
}

/* One of the stationary points is the reference's. */
static void check_branches(bench *b, const json_tree *branches, const json_tree *want)
{
    bool found = false;
    for (const json_tree *i = branches->first; i; i = i->next) {
        found = found || same_numbers(json_tree_get(i, "qddot"), want);
        CHECK(json_tree_number(json_tree_get(i, "radius")) < 1e-15);
    }
    if (!CHECK(found)) printf("# %s: no stationary point is the reference's\n", b->file);
}

static void check_method(bench *b, const json_tree *method, const json_tree *state)
{
    const json_tree *reaction = json_tree_get(state, "reaction"),
                    *force = json_tree_get(method, "reaction");
    if (json_tree_get(method, "refused")) return;
    if (json_tree_get(method, "branches")) {
        check_branches(b, json_tree_get(method, "branches"), json_tree_get(state, "qddot"));
        return;
    }
    compare(b, method->key, json_tree_get(method, "qddot"), json_tree_get(state, "qddot"), NULL);
    if (reaction && force) compare(b, method->key, force, reaction, NULL);
    CHECK(json_tree_number(json_tree_get(method, "radius")) < 1e-15);
}

static void check_state(bench *b, const json_tree *reference, const json_tree *state)
{
    const char *out = NULL;
    ah_eval_options o = ah_eval_defaults();
    o.at = state_text(reference, state);
    o.method = "all";
    o.digits = DIGITS + 1;
    if (!json_tree_get(state, "qddot")) return;
    ah_ctx_reset_status(b->ctx);
    if (ah_eval(b->model, &o, AH_JSON, &out) != AH_OK) {
        printf("# %s: %s\n", b->file, ah_diagnostics_text(b->ctx, false));
        return;
    }
    json_tree *answer = json_tree_parse(out);
    const json_tree *methods = json_tree_get(answer, "methods");
    CHECK_INT(json_tree_number(json_tree_get(answer, "digits")), DIGITS + 1);
    for (const json_tree *m = methods ? methods->first : NULL; m; m = m->next)
        check_method(b, m, state);
    b->states++;
    json_tree_free(answer);
}

static void check_file(bench *b, const char *folder, const char *file)
{
    char path[2000];
    size_t length;
    const char *end = strrchr(file, '.');
    if (!end || strcmp(end, ".ah")) return;
    snprintf(path, sizeof path, "%s/%.*s.json", folder, (int) (end - file), file);
    json_tree *reference = json_tree_read(path);
    const json_tree *states = json_tree_get(reference, "states");
    snprintf(path, sizeof path, "%s/%s", folder, file);
    char *content = harness_read_file(path, &length);
    b->file = file;
    b->ctx = ah_ctx_create(NULL);
    if (CHECK(content && lang_read(b->ctx, path, content, length, NULL, &b->model) == AH_OK) &&
        states && states->first)
        check_state(b, reference, states->first);
    ah_ctx_destroy(b->ctx);
    free(content);
    json_tree_free(reference);
}

TEST(digits_of_the_reference_systems)
{
    char folder[1000];
    struct dirent **files;
    bench b = {0};
    snprintf(folder, sizeof folder, "%s/tests/reference", harness_source_dir());
    const int count = scandir(folder, &files, NULL, alphasort);
    for (int i = 0; i < count; i++) {
        check_file(&b, folder, files[i]->d_name);
        free(files[i]);
    }
    if (count >= 0) free(files);
    printf("# %zu numbers with %d digits at %zu states\n", b.numbers, DIGITS, b.states);
    CHECK(b.states > 50 && b.numbers > 1000);
}

/* ---- By hand --------------------------------------------------------------------------------- */

static json_tree *answer_of(const char *model, const char *at, int digits, ah_status wanted)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m;
    const char *out = NULL;
    ah_eval_options o = ah_eval_defaults();
    o.at = at;
    o.digits = digits;
    json_tree *answer = NULL;
    if (CHECK(lang_read(ctx, "test", model, strlen(model), NULL, &m) == AH_OK)) {
        CHECK_INT(ah_eval(m, &o, AH_JSON, &out), wanted);
        if (out) answer = json_tree_parse(out);
    }
    ah_ctx_destroy(ctx);
    return answer;
}

/* x'' = sin(1/10) exactly, not the sine of the double nearest to 1/10. */
TEST(digits_take_the_state_exactly)
{
    json_tree *a =
        answer_of("coordinate x\nkinetic x'^2/2\nforce x = sin(x)\n", "x=0.1, x'=0", 60, AH_OK);
    const json_tree *method = json_tree_get(json_tree_get(a, "methods"), "multipliers");
    const json_tree *x = json_tree_at(json_tree_get(method, "qddot"), 0);
    REQUIRE(x != NULL);
    CHECK(
        near(x->text, "0.09983341664682815230681419841062202698991538801798225999276686", "1", 57));
    CHECK(json_tree_number(json_tree_get(method, "radius")) < 1e-58);
    json_tree_free(a);
}

/* z is solved for from the velocities: z³ + z = 10 has the root 2, the velocity 4 gives z² = 4. */
TEST(digits_solve_for_velocity_parameters)
{
    json_tree *a = answer_of("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = y\n"
                             "velocity z: x' = z^2, y' = z^3 + z\n",
                             "x=0, y=1/3, x'=4, y'=10", 50, AH_OK);
    const json_tree *method = json_tree_get(json_tree_get(a, "methods"), "parametric");
    const json_tree *z = json_tree_get(json_tree_get(method, "z"), "z");
    REQUIRE(z != NULL);
    CHECK(near(z->text, "2", "1", 48));
    /* Ψ = (2z, 3z² + 1) = (4, 13): z' = 13 y / (16 + 169) */
    const json_tree *dot = json_tree_get(json_tree_get(method, "zdot"), "z");
    CHECK(near(dot->text, "0.0234234234234234234234234234234234234234234234234234234", "1", 48));
    json_tree_free(a);
}

/* Forces that cancel exactly: the answer is zero, and says so. */
TEST(digits_of_nothing)
{
    json_tree *a = answer_of("coordinate x\nkinetic x'^2/2\nforce x = sin(x)^2 + cos(x)^2 - 1\n",
                             "x=0.3, x'=0", 40, AH_OK);
    const json_tree *method = json_tree_get(json_tree_get(a, "methods"), "multipliers");
    CHECK_STR(json_tree_at(json_tree_get(method, "qddot"), 0)->text, "0");
    json_tree_free(a);
}

TEST(digits_of_a_singular_state)
{
    json_tree *a = answer_of("coordinate x, y\nkinetic x'^2/2 + y'^2/2\n"
                             "constraint x*x' + y*y' = 0\n",
                             "x=0, y=0, x'=1, y'=2", 30, AH_E_NUMERIC);
    CHECK(a == NULL);
}

/* z'' = x'' y'' with the force K on z (Hamel, 252): x'' y'' = K − 1 and x''² = K − 1 for K > 1, and
 * rest; K = 1 is where they meet. */
TEST(digits_of_stationary_points)
{
    static const char model[] = "parameter K = 5/2\ncoordinate x, y, z\n"
                                "kinetic (x'^2 + y'^2 + z'^2)/2\nforce z = K\n"
                                "constraint product: z'' = x''*y''\n";
    static const char root[] = "1.2247448713915890490986420373529456959829737403283"; /* √(3/2) */
    static const char at[] = "x=0, y=0, z=0, x'=0, y'=0, z'=0";
    json_tree *a = answer_of(model, at, 45, AH_OK);
    const json_tree *method = json_tree_get(json_tree_get(a, "methods"), "second-class");
    const json_tree *branches = json_tree_get(method, "branches");
    CHECK_INT(json_tree_count(branches), 3);
    for (size_t i = 0; i < 2 && json_tree_count(branches) == 3; i++) {
        const json_tree *b = json_tree_at(branches, i), *x = json_tree_get(b, "qddot");
        const char *first = json_tree_at(x, 0)->text;
        CHECK(near(first + (first[0] == '-'), root, "1", 43));
        CHECK_STR(json_tree_at(x, 0)->text, json_tree_at(x, 1)->text);
        CHECK(near(json_tree_at(x, 2)->text, "1.5", "1", 43));
        CHECK(near(json_tree_at(json_tree_get(b, "multipliers"), 0)->text, "-1", "1", 43));
        CHECK(json_tree_number(json_tree_get(b, "radius")) < 1e-43);
    }
    json_tree_free(a);
    char degenerate[sizeof model];
    memcpy(degenerate, model, sizeof model);
    memcpy(strstr(degenerate, "5/2"), "1  ", 3);
    a = answer_of(degenerate, at, 30, AH_E_REFUSED);
    CHECK(a == NULL);
}

static const json_tree *stationary(const json_tree *a, size_t i)
{
    const json_tree *method = json_tree_get(json_tree_get(a, "methods"), "second-class");
    return json_tree_at(json_tree_get(method, "branches"), i);
}

/* Least ½(a − F)ᵀM(a − F) on a curve. x''² = y''³ under F = (0, 1): 3y²/2 + y − 1 = 0, y = (√7 − 1)/3, λ = 1/2. A circle of radius
 * 2 under (3, 4): the direction of F. M = diag(1, −1) under (3, 0): a² − 3a + 5/2 is least at 3/2. M = diag(1, 0): ½a² − 3a. */
TEST(digits_of_the_least_on_curves)
{
    static const char at[] = "x=1, y=0, x'=0, y'=0";
    json_tree *a = answer_of("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = 1\n"
                             "constraint c: x''^2 = y''^3\n",
                             at, 30, AH_OK);
    for (size_t i = 0; i < 2; i++) {
        const json_tree *b = stationary(a, i);
        REQUIRE(b != NULL);
        CHECK(near(json_tree_at(json_tree_get(b, "qddot"), 1)->text,
                   "0.548583770354863530167205251213", "1", 28));
        CHECK(near(json_tree_at(json_tree_get(b, "multipliers"), 0)->text, "0.5", "1", 28));
    }
    json_tree_free(a);
    a = answer_of("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 3\nforce y = 4\n"
                  "constraint c: x''^2 + y''^2 = 4\n",
                  at, 30, AH_OK);
    REQUIRE(stationary(a, 1) != NULL);
    for (size_t i = 0; i < 2; i++) {
        const json_tree *x = json_tree_get(stationary(a, i), "qddot");
        CHECK(near(json_tree_at(x, 0)->text, i ? "-1.2" : "1.2", "1", 28));
        CHECK(near(json_tree_at(x, 1)->text, i ? "-1.6" : "1.6", "1", 28));
        CHECK_NEAR(json_tree_number(json_tree_get(stationary(a, i), "gauss")), i ? 24.5 : 4.5, 1,
                   64, "(5 - 2)^2/2 and (5 + 2)^2/2");
    }
    json_tree_free(a);
    a = answer_of("coordinate x, y\nkinetic (x'^2 - y'^2)/2\nforce x = 3\n"
                  "constraint c: x''^2 + y''^2 = 4\n",
                  at, 30, AH_OK);
    REQUIRE(stationary(a, 3) != NULL);
    CHECK(near(json_tree_at(json_tree_get(stationary(a, 0), "qddot"), 0)->text, "1.5", "1", 28));
    CHECK(near(json_tree_at(json_tree_get(stationary(a, 1), "qddot"), 1)->text,
               "1.322875655532295295250807876820", "1", 28)); /* √7/2 */
    CHECK(near(json_tree_at(json_tree_get(stationary(a, 3), "qddot"), 0)->text, "-2", "1", 28));
    json_tree_free(a);
    a = answer_of("coordinate x, y\nkinetic x'^2/2\nforce x = 3\n"
                  "constraint c: x''^2 + y''^2 = 4\n",
                  at, 0, AH_OK);
    REQUIRE(stationary(a, 1) != NULL);
    for (size_t i = 0; i < 2; i++) {
        const json_tree *x = json_tree_get(stationary(a, i), "qddot");
        CHECK_NEAR(json_tree_number(json_tree_at(x, 0)), i ? -2 : 2, 1, 64, "where y'' = 0");
        CHECK_NEAR(json_tree_number(json_tree_get(stationary(a, i), "gauss")), i ? 8 : -4, 1, 64,
                   "2 - 6 and 2 + 6");
    }
    json_tree_free(a);
}

/* With z = 2x besides: 4 = 3/x'' − 4/y'' on the circle. */
TEST(digits_of_a_curve_beside_a_place)
{
    json_tree *a = answer_of("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce x = 3\n"
                             "force y = 4\nconstraint p: z = 2*x\n"
                             "constraint c: x''^2 + y''^2 = 1\n",
                             "x=1, y=0, z=2, x'=0, y'=0, z'=0", 30, AH_OK);
    REQUIRE(stationary(a, 1) != NULL);
    for (size_t i = 0; i < 2; i++) {
        const json_tree *b = json_tree_get(stationary(a, i), "qddot");
        const double x = json_tree_number(json_tree_at(b, 0));
        const double y = json_tree_number(json_tree_at(b, 1));
        CHECK_NEAR(x * x + y * y, 1, 1, 16, "on the circle");
        CHECK_NEAR(3 / x - 4 / y, 4, 10, 64, "multipliers by hand");
        CHECK_NEAR(json_tree_number(json_tree_at(b, 2)), 2 * x, 1, 8, "z = 2x");
    }
    json_tree_free(a);
}

/* No accelerations, and more coordinates than are searched: no numbers. */
TEST(curves_without_points)
{
    char many[2000] = "coordinate a0";
    for (int i = 1; i < 41; i++) snprintf(many + strlen(many), 24, ", a%d", i);
    strcat(many, "\nkinetic (a0'^2");
    for (int i = 1; i < 41; i++) snprintf(many + strlen(many), 24, " + a%d'^2", i);
    strcat(many, ")/2\nconstraint c: a0''^2 + a1''^2 = 4\nstart a0 = 0");
    for (int i = 1; i < 41; i++) snprintf(many + strlen(many), 24, ", a%d = 0", i);
    strcat(many, "\n");
    const char *models[] = {"coordinate x, y\nkinetic (x'^2 + y'^2)/2\nstart x = 1, y = 0\n"
                            "constraint c: x''^2 + y''^2 = -4\n",
                            "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nstart x = 1, y = 0\n"
                            "constraint c: exp(x'') + y''^2 = -1\n",
                            many};
    for (size_t i = 0; i < sizeof models / sizeof *models; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m;
        const char *out = NULL;
        const ah_eval_options o = ah_eval_defaults();
        REQUIRE(lang_read(ctx, "test", models[i], strlen(models[i]), NULL, &m) == AH_OK);
        CHECK(ah_eval(m, &o, AH_JSON, &out) != AH_OK && !out);
        CHECK(ah_diagnostic_count(ctx) > 0);
        ah_ctx_destroy(ctx);
    }
}
