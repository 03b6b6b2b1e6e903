/* tests/t_answers.c - answers as values: compared with closed forms, not with what is printed; what is
 * printed is what the program prints; memory stays where it was. */
#include "harness.h"
#include "harness/failing.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct session {
    ah_ctx *ctx, *e;
    ah_model *m;
    ah_answer *a;
} session;

static session begin(const char *words)
{
    session s = {.ctx = ah_ctx_create(NULL)};
    CHECK_INT(ah_read(s.ctx, "test.ah", words, strlen(words), NULL, &s.m), AH_OK);
    return s;
}

/* The model goes before its answer: that keeps what it needs. */
static bool has(session *s, ah_status made)
{
    if (!CHECK_INT(made, AH_OK) || !CHECK(s->a != NULL)) return false;
    ah_model_destroy(s->m);
    s->e = ah_answer_context(s->a);
    return true;
}

static void end(session *s)
{
    ah_answer_destroy(s->a);
    ah_ctx_destroy(s->ctx);
}

static double value_of(ah_ctx *e, const ah_values *v, const char *name)
{
    for (size_t i = 0; i < v->count; i++)
        if (!strcmp(ah_print(e, v->symbol[i], AH_ASCII), name)) return v->value[i];
    return NAN;
}

/* ---- Check ----------------------------------------------------------------------------------- */

#define SLEIGH                                                                                     \
    "parameter m = 1, J = 0.5\ncoordinate x, y, th\n"                                              \
    "kinetic m*(x'^2 + y'^2)/2 + J*th'^2/2\n"                                                      \
    "constraint blade: x'*sin(th) - y'*cos(th) = 0\n"

TEST(kind_of_the_sleigh)
{
    session s = begin(SLEIGH);
    if (has(&s, ah_check(s.m, &s.a))) {
        const ah_check_values *v = ah_answer_check(s.a);
        REQUIRE(v != NULL && ah_answer_question(s.a) == AH_CHECK && ah_answer_yes(s.a));
        CHECK(!ah_answer_verify(s.a) && !ah_answer_derive(s.a)); /* of other questions */
        CHECK(v->kind->n == 3 && v->kind->r == 1 && v->kind->rank == 1 && v->kind->m == 2);
        CHECK(v->kind->rank_exact && v->kind->mass_regular == AH_TRUE);
        const ah_constraint_class *c = &v->kind->constraints[0];
        CHECK_STR(c->label, "blade");
        CHECK(c->form == AH_FORM_LINEAR && c->order == 1 && !c->rheonomic && c->degree == 1);
        /* [X1, X2] points across the blade: everything can be reached */
        const ah_distribution *d = v->distribution;
        CHECK(d->found && d->steps == 2 && d->growth[0] == 2 && d->growth[1] == 3);
        CHECK(d->integrable == 0 && d->accessible == 3 && d->exact);
        CHECK(v->singular->listed && v->singular->cases == 0);
        CHECK(v->energy->conserved == AH_TRUE && v->energy->proved && v->energy->plain);
        size_t applies = 0;
        for (size_t i = 0; i < v->methods; i++) {
            CHECK(v->method[i].applies == !v->method[i].why);
            applies += v->method[i].applies;
        }
        CHECK(v->methods == ah_method_count() && applies > 5);
    }
    end(&s);
}

/* x y' = y x' loses rank at x = y = 0; a factored constraint has two components. */
TEST(singular_states_and_components)
{
    session s = begin("coordinate x, y\nkinetic x'^2 + y'^2\nconstraint c: x*y' = y*x'\n");
    if (has(&s, ah_check(s.m, &s.a))) {
        const ah_singular *w = ah_answer_check(s.a)->singular;
        REQUIRE(w->listed && w->cases == 1 && w->at[0].equations == 2 && w->at[0].met);
        for (size_t i = 0; i < 2; i++)
            CHECK(ah_expr_kind(s.e, w->at[0].equation[i]) == AH_NODE_SYMBOL &&
                  ah_expr_symbol_kind(s.e, w->at[0].equation[i]) == AH_COORDINATE);
        CHECK(strcmp(ah_expr_name(s.e, w->at[0].equation[0]),
                     ah_expr_name(s.e, w->at[0].equation[1])) != 0);
    }
    end(&s);
    s = begin("coordinate x, y, z\nkinetic x'^2 + y'^2 + z'^2\n"
              "constraint c: (x' - 5)*(y' - z') = 0\n");
    if (has(&s, ah_check(s.m, &s.a))) {
        const ah_classification *k = ah_answer_check(s.a)->kind;
        REQUIRE(k->components == 2 && k->constraints[0].form == AH_FORM_NONLINEAR);
        CHECK(k->constraints[0].splits == AH_TRUE && k->constraints[0].factors == 2);
        for (size_t i = 0; i < 2; i++) {
            REQUIRE(k->component[i].equations == 1);
            CHECK(ah_expr_kind(s.e, k->component[i].equation[0]) == AH_NODE_SUM);
        }
        /* an inhomogeneous constraint may work: by λ 5 (y' − z') or so */
        const ah_energy *h = ah_answer_check(s.a)->energy;
        CHECK(h->powers == 1 && h->at[0].kind == AH_POWER_INHOMOGENEOUS && h->at[0].power);
    }
    end(&s);
}

/* ---- Integrals ------------------------------------------------------------------------------- */

/* x'' = −k x: what is said to be constant has no rate, ∂I/∂x x' − ∂I/∂x' k x. */
TEST(integrals_of_an_oscillator)
{
    session s = begin("parameter k = 3\ncoordinate x\nkinetic x'^2/2\npotential k*x^2/2\n");
    if (has(&s, ah_integrals(s.m, NULL, &s.a))) {
        const ah_integrals_values *v = ah_answer_integrals(s.a);
        REQUIRE(v != NULL && v->count >= 1);
        const ah_expr symbols[] = {ah_symbol(s.e, AH_COORDINATE, "x"),
                                   ah_symbol(s.e, AH_VELOCITY, "x"),
                                   ah_symbol(s.e, AH_PARAMETER, "k")};
        const double at[] = {0.3, -1.7, 3};
        size_t independent = 0;
        for (size_t i = 0; i < v->count; i++) {
            const ah_expr e = v->at[i].e;
            const double by_x = ah_evaluate(s.e, ah_diff(s.e, e, symbols[0]), 3, symbols, at);
            const double by_v = ah_evaluate(s.e, ah_diff(s.e, e, symbols[1]), 3, symbols, at);
            CHECK_NEAR(by_x * at[1] - by_v * at[2] * at[0], 0, 10, 16, "the rate vanishes");
            CHECK(fabs(by_x) + fabs(by_v) > 0.1 && v->at[i].verdict == AH_VERDICT_PROVED);
            independent += v->at[i].independent;
        }
        CHECK_INT(independent, 1); /* of two dimensions */
        CHECK(v->classes == 1 && v->searched[0].speeds == AH_SPEEDS_VELOCITIES);
        CHECK(v->measure_found && v->measure == AH_VERDICT_PROVED && v->variables == 2);
        CHECK(ah_expr_kind(s.e, v->density) == AH_NODE_NUMBER);
    }
    end(&s);
}

/* ---- Steady motions, stability --------------------------------------------------------------- */

/* A bead on a hoop turning fast: bottom and top, unstable; two places with cos q = g/(R W²). */
TEST(families_of_a_bead)
{
    session s = begin("parameter R = 0.4, g = 9.81, W = 6\ncoordinate q\n"
                      "kinetic 1/2*R^2*(q'^2 + W^2*sin(q)^2)\npotential -g*R*cos(q)\n");
    ah_steady_options o = ah_steady_defaults();
    o.starts = 60;
    if (has(&s, ah_steady(s.m, &o, &s.a))) {
        const ah_steady_values *v = ah_answer_steady(s.a);
        REQUIRE(v != NULL && v->count == 4 && ah_answer_yes(s.a));
        for (size_t i = 0; i < v->count; i++) {
            const ah_family *f = &v->at[i];
            const double q = value_of(s.e, &f->motion.state, "q");
            CHECK_NEAR(sin(q) * (0.4 * 36 * cos(q) - 9.81), 0, 10, 100, "equilibrium");
            CHECK(f->rest && f->motion.rest && f->motion.family == 0 && f->parts == 1);
            CHECK_INT(f->part[0].verdict, fabs(sin(q)) < 1e-6 ? AH_UNSTABLE : AH_SPECTRAL);
            CHECK(f->motion.variables.count == 2 &&
                  fabs(value_of(s.e, &f->motion.variables, "q'")) < 1e-12);
        }
    }
    end(&s);
}

/* Nothing rests in free fall: an answer, and it is "no". */
TEST(no_is_an_answer)
{
    session s = begin("coordinate z\nkinetic 1/2*z'^2\npotential 9.81*z\n");
    if (has(&s, ah_steady(s.m, NULL, &s.a)))
        CHECK(!ah_answer_yes(s.a) && ah_answer_steady(s.a)->count == 0);
    CHECK_INT(ah_ctx_status(s.ctx), AH_OK);
    end(&s);
}

/* A pendulum: ±i √(g/l) below, ±√(g/l) above; λ² + (g/l) cos q. */
static void check_pendulum(const char *at, double sign)
{
    session s = begin("parameter g = 9.81, l = 0.7\ncoordinate q\n"
                      "kinetic l^2*q'^2/2\npotential -g*l*cos(q)\nstart q = 0, q' = 0\n");
    ah_stability_options o = ah_stability_defaults();
    o.at = at;
    if (has(&s, ah_stability(s.m, &o, &s.a))) {
        const ah_stability_values *v = ah_answer_stability(s.a);
        const double w = sqrt(9.81 / 0.7);
        REQUIRE(v != NULL && v->spectrum.count == 2 && v->motion.variables.count == 2);
        CHECK_NEAR(v->spectrum.re[0], sign < 0 ? w : 0, 4, 100, "real part");
        CHECK_NEAR(v->spectrum.im[0], sign < 0 ? 0 : w, 4, 100, "imaginary part");
        CHECK(v->verdict == (sign < 0 ? AH_UNSTABLE : AH_SPECTRAL));
        CHECK_INT(v->spectrum.unstable, sign < 0);
        CHECK_NEAR(v->jacobian[1], 1, 1, 4, "q' is q'");
        CHECK_NEAR(v->jacobian[2], -sign * w * w, 14, 4, "slope of q''");
        const ah_characteristic *c = v->characteristic;
        REQUIRE(c != NULL && c->degree == 2 && c->even && c->zeros == 0);
        const ah_expr symbols[] = {c->lambda, ah_symbol(s.e, AH_PARAMETER, "g"),
                                   ah_symbol(s.e, AH_PARAMETER, "l")};
        const double values[] = {2, 3, 5};
        CHECK_NEAR(ah_evaluate(s.e, c->polynomial, 3, symbols, values), 4 + sign * 0.6, 4, 4,
                   "for all g and l");
    }
    end(&s);
}

TEST(spectrum_of_a_pendulum)
{
    check_pendulum("q=0", 1);
    check_pendulum("q=pi", -1);
}

/* ---- Claims ---------------------------------------------------------------------------------- */

TEST(verdicts_with_states)
{
    session s = begin("parameter k = 3\ncoordinate x\nkinetic x'^2/2\npotential k*x^2/2\n"
                      "claim \"right\": constant x'^2 + k*x^2\n"
                      "claim \"wrong\": x'^2 = k*x^2\n"
                      "refute \"also wrong\": x = 1\n");
    ah_verify_options o = ah_verify_defaults();
    o.certificate = true;
    if (has(&s, ah_verify(s.m, &o, &s.a))) {
        const ah_verify_values *v = ah_answer_verify(s.a);
        REQUIRE(v != NULL && v->count == 3 && !v->pass && !ah_answer_yes(s.a));
        CHECK(v->at[0].verdict == AH_VERDICT_PROVED && v->at[0].pass && !v->at[0].refute);
        CHECK_STR(v->at[0].statement, "constant x'^2 + k*x^2");
        CHECK_STR(v->at[1].statement, "x'^2 = k*x^2");
        CHECK(v->at[1].verdict == AH_VERDICT_FALSE && !v->at[1].pass);
        CHECK_INT(ah_span_place(s.ctx, v->at[1].span).line, 6);
        const ah_claim_verdict *c = &v->at[1];
        const double x = value_of(s.e, &c->counterexample, "x");
        const double u = value_of(s.e, &c->counterexample, "x'");
        CHECK_NEAR(c->left_value, u * u, 10, 8, "left side there");
        CHECK_NEAR(c->right_value, 3 * x * x, 10, 8, "right side there");
        CHECK(fabs(u * u - 3 * x * x) > 1e-9);
        CHECK(v->at[2].refute && v->at[2].pass && v->at[2].verdict == AH_VERDICT_FALSE);
        CHECK(v->certificate && *v->certificate == '{' && v->proofs_written <= v->proofs);
    }
    end(&s);
}

TEST(agreement_by_method)
{
    session s = begin(SLEIGH);
    ah_crosscheck_options o = ah_crosscheck_defaults();
    o.states = 10;
    if (has(&s, ah_crosscheck(s.m, &o, &s.a))) {
        const ah_crosscheck_values *v = ah_answer_crosscheck(s.a);
        REQUIRE(v != NULL && v->agree && v->states == 10 && v->methods > 4);
        double worst = 0;
        for (size_t i = 0; i < v->methods; i++) worst = fmax(worst, v->at[i].difference);
        CHECK(worst == v->worst && worst < 1e-11);
        for (size_t i = 0; i < v->refusals; i++) CHECK(v->refused[i].why && v->refused[i].method);
        if (v->worst_method) { /* an admissible state */
            const double th = value_of(s.e, &v->worst_state, "th");
            const double across = value_of(s.e, &v->worst_state, "x'") * sin(th) -
                                  value_of(s.e, &v->worst_state, "y'") * cos(th);
            CHECK_NEAR(across, 0, 10, 100, "along the blade");
        }
    }
    end(&s);
}

/* ---- Equations ------------------------------------------------------------------------------- */

TEST(equations_as_expressions)
{
    session s = begin("parameter m = 2, g = 9.81, l = 0.7\ncoordinate q\n"
                      "kinetic m*l^2*q'^2/2\npotential -m*g*l*cos(q)\n");
    ah_derive_options o = ah_derive_defaults();
    o.method = "multipliers";
    o.steps = true;
    if (has(&s, ah_derive(s.m, &o, &s.a))) {
        const ah_derive_values *v = ah_answer_derive(s.a);
        REQUIRE(v != NULL && v->equations == 1 && v->variables == 2);
        CHECK_STR(v->method, "multipliers");
        const ah_equation *e = &v->equation[0];
        CHECK(ah_expr_symbol_kind(s.e, e->unknown) == AH_ACCELERATION);
        const ah_expr symbols[] = {v->variable[0], ah_symbol(s.e, AH_PARAMETER, "m"),
                                   ah_symbol(s.e, AH_PARAMETER, "g"),
                                   ah_symbol(s.e, AH_PARAMETER, "l")};
        const double values[] = {0.4, 3, 5, 7};
        CHECK_NEAR(ah_evaluate(s.e, e->value, 4, symbols, values), -5.0 / 7 * sin(0.4), 1, 4,
                   "q'' = -g/l sin q");
        bool mass = false;
        for (size_t i = 0; i < v->quantities; i++) {
            const ah_derived *x = &v->quantity[i];
            if (!x->name || strcmp(x->name, "gᵢⱼ") || !x->entry) continue;
            mass = CHECK(x->rows == 1 && x->columns == 1);
            CHECK_NEAR(ah_evaluate(s.e, x->entry[0], 4, symbols, values), 147, 147, 1, "m l²");
        }
        CHECK(mass);
    }
    end(&s);
}

/* ---- As written ------------------------------------------------------------------------------ */

static ah_status ask(ah_model *m, ah_question what, ah_answer **a)
{
    switch (what) {
    case AH_CHECK: return ah_check(m, a);
    case AH_INTEGRALS: return ah_integrals(m, NULL, a);
    case AH_STEADY: return ah_steady(m, NULL, a);
    case AH_STABILITY: return ah_stability(m, NULL, a);
    case AH_VERIFY: return ah_verify(m, NULL, a);
    case AH_CROSSCHECK: return ah_crosscheck(m, NULL, a);
    case AH_DERIVE: return ah_derive(m, NULL, a);
    case AH_LINEARISE: return ah_linearise(m, NULL, a);
    default: return AH_E_INPUT;
    }
}

static const char *const commands[] = {
#define X(code, name) name,
    AH_QUESTION_LIST(X)
#undef X
};

/* What the program prints, without its last line's end where the answer has none. */
static void check_printed(const char *path, ah_question what, const char *option, const char *out)
{
    static char printed[200000];
    char command[2000];
    snprintf(command, sizeof command, "%s %s %s %s 2>/dev/null", AH_PROGRAM, commands[what], option,
             path);
    FILE *f = popen(command, "r");
    REQUIRE(f != NULL);
    const size_t length = fread(printed, 1, sizeof printed - 1, f);
    pclose(f);
    printed[length] = '\0';
    const size_t own = strlen(out);
    if (length == own + 1 && own && out[own - 1] != '\n') printed[own] = '\0';
    CHECK_STR(out, printed);
}

TEST(written_as_the_program_writes)
{
    char path[1000];
    size_t length;
    snprintf(path, sizeof path, "%s/models/tire.ah", harness_source_dir());
    char *words = harness_read_file(path, &length);
    REQUIRE(words != NULL);
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    CHECK_INT(ah_read(ctx, path, words, length, NULL, &m), AH_OK);
    for (int what = 0; what < AH_QUESTIONS; what++) {
        ah_answer *a = NULL;
        const char *out = NULL, *again = NULL;
        if (!CHECK_INT(ask(m, (ah_question) what, &a), AH_OK)) continue;
        if (CHECK_INT(ah_answer_write(a, AH_TEXT, &out), AH_OK))
            check_printed(path, (ah_question) what, "", out);
        CHECK(ah_answer_write(a, AH_TEXT, &again) == AH_OK && again == out);
        if (CHECK_INT(ah_answer_write(a, AH_JSON, &out), AH_OK))
            check_printed(path, (ah_question) what, "--json", out);
        CHECK(ah_answer_write(a, AH_LATEX, &out) == AH_OK && strstr(out, "\\end{document}"));
        CHECK(ah_answer_write(a, AH_MATHML, &out) == AH_OK && strstr(out, "</section>"));
        CHECK(ah_answer_write(a, AH_C, &out) == AH_E_REFUSED && !out);
        ah_ctx_reset_status(ctx);
        ah_answer_destroy(a);
    }
    free(words);
    ah_ctx_destroy(ctx);
}

/* ---- Memory ---------------------------------------------------------------------------------- */

TEST(two_thousand_answers_leave_nothing)
{
    static const char words[] = "coordinate x\nkinetic x'^2/2\npotential 3*x^2/2\n"
                                "start x = 0, x' = 0\nclaim \"e\": constant x'^2 + 3*x^2\n";
    failing memory = {0};
    ah_ctx_options o = ah_ctx_defaults();
    o.realloc = failing_realloc;
    o.user = &memory;
    ah_ctx *ctx = ah_ctx_create(&o);
    ah_model *m = NULL;
    REQUIRE(ah_read(ctx, "test.ah", words, sizeof words - 1, NULL, &m) == AH_OK);
    size_t before = 0;
    for (int i = 0; i < 2000; i++) {
        /* searches take milliseconds: they come now and then */
        static const ah_question quick[] = {AH_DERIVE, AH_CHECK, AH_STABILITY};
        const ah_question what = i % 50 < 43 ? quick[i % 3] : (ah_question) (i % 50 - 43);
        ah_answer *a = NULL;
        const char *out;
        CHECK(ask(m, what, &a) == AH_OK && ah_answer_write(a, AH_JSON, &out) == AH_OK);
        ah_answer_destroy(a);
        if (i == 49) before = memory.bytes;
    }
    CHECK_INT(memory.bytes, before);
    ah_model_destroy(m);
    ah_ctx_destroy(ctx);
}
