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
