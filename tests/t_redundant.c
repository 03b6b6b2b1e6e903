/* tests/t_redundant.c - motions under constraints of which some follow from the others, against the
 * same systems in independent constraints. Which of them carry the motion changes on the way. */
#include "motions.h"
#include "lang/lang.h"

#include <math.h>
#include <stdio.h>

typedef struct pair {
    const char *name;
    const char *common;    /* all but the constraints */
    const char *redundant; /* as one writes them */
    const char *minimal;   /* as few as do */
    const char *to;
} pair;

/* ψ turns several times; forces keep it from being uniform. */
#define ROBOT                                                                                      \
    "parameter m = 2, mw = 0.4, R = 0.3, b = 0.5, J = 0.3, A = 0.02, C = 0.036\n"                  \
    "coordinate x, y, psi, f1, f2\n"                                                               \
    "body frame mass m inertia (J, J, J) at (x + 0.1*cos(psi), y + 0.1*sin(psi), R) turn z psi\n"  \
    "body W1 mass mw inertia (A, C, A) at (x - b*sin(psi), y + b*cos(psi), R) turn z psi, y f1\n"  \
    "body W2 mass mw inertia (A, C, A) at (x + b*sin(psi), y - b*cos(psi), R) turn z psi, y f2\n"
#define ROBOT_ROLLS                                                                                \
    "constraint roll1: velocity(W1, position(W1) - (0, 0, R)) = (0, 0, 0)\n"                       \
    "constraint roll2: velocity(W2, position(W2) - (0, 0, R)) = (0, 0, 0)\n"
#define ROBOT_MINIMAL                                                                              \
    "constraint side: -x'*sin(psi) + y'*cos(psi) = 0\n"                                            \
    "constraint left: x'*cos(psi) + y'*sin(psi) - b*psi' = R*f1'\n"                                \
    "constraint right: x'*cos(psi) + y'*sin(psi) + b*psi' = R*f2'\n"

static const pair robot = {
    "robot",
    ROBOT "force f1 = 0.05\nforce f2 = 0.03\n"
          "start x = 0, y = 0, psi = 0, f1 = 0, f2 = 0, f1' = 2, f2' = 6\nsimulate t = 0 .. 20\n",
    ROBOT_ROLLS, ROBOT_MINIMAL, "20"};

/* Steered to the heading of 90 degrees, where it stays. */
static const pair resting = {"resting robot",
                             ROBOT
                             "force f1 = 0.3*(psi - pi/2) + 0.2*psi' + 0.1\n"
                             "force f2 = -0.3*(psi - pi/2) - 0.2*psi' + 0.1\n"
                             "start x = 0, y = 0, psi = 0, f1 = 0, f2 = 0, f1' = 2, f2' = 2.5\n"
                             "simulate t = 0 .. 20\n",
                             ROBOT_ROLLS, ROBOT_MINIMAL, "20"};

#define BALL                                                                                       \
    "parameter m = 1, a = 0.2, R = 1, g = 9.81\ncoordinate x, y, z, e1, e2, e3\n"                  \
    "body B mass m inertia (2*m*a^2/5, 2*m*a^2/5, 2*m*a^2/5) at (x, y, z) turn z e1, x e2, z e3\n" \
    "gravity (0, 0, -g)\n"

static const pair cylinder = {
    "cylinder",
    BALL "let slip = velocity(B, (x, y, z) + a/(R - a)*(x, y, 0))\n"
         "constraint on: x^2 + y^2 = (R - a)^2\n"
         "start x = R - a, y = 0, z = 0, e1 = 0.2, e2 = 1.2, e3 = 0.3, y' = 2, z' = 0.1\n"
         "simulate t = 0 .. 6\n",
    "constraint roll: slip = (0, 0, 0)\n",
    "constraint round: -y*slip[1] + x*slip[2] = 0\nconstraint up: slip[3] = 0\n", "6"};

static const pair bowl = {
    "bowl",
    BALL "let slip = velocity(B, (x, y, z)*R/(R - a))\n"
         "constraint on: x^2 + y^2 + z^2 = (R - a)^2\n"
         "start x = 0.5, y = 0, z = -sqrt((R - a)^2 - 0.25), e1 = 0.2, e2 = 1.2, e3 = 0.3, "
         "x' = 0, y' = 1.5, z' = 0\nsimulate t = 0 .. 6\n",
    "constraint roll: slip = (0, 0, 0)\n",
    "constraint round: -y*slip[1] + x*slip[2] = 0\n"
    "constraint up: -x*z*slip[1] - y*z*slip[2] + (x^2 + y^2)*slip[3] = 0\n",
    "6"};

/* One blade and copies of it by factors that vanish in turn, or are small, or both. */
#define SKATE                                                                                      \
    "parameter m = 1.5, J = 0.4\ncoordinate x, y, theta\n"                                         \
    "kinetic m*(x'^2 + y'^2)/2 + J*theta'^2/2\nforce theta = 0.3*cos(t)\nforce x = 0.5\n"          \
    "let blade = x'*sin(theta) - y'*cos(theta)\n"                                                  \
    "start x = -0.5, y = 0.2, theta = 0.1, x' = cos(0.1), theta' = 0.5\n"                          \
    "simulate t = 0 .. 20\n"
static const pair copies[] = {
    {"sine and cosine", SKATE,
     "constraint a: sin(theta)*blade = 0\nconstraint b: cos(theta)*blade = 0\n",
     "constraint a: blade = 0\n", "20"},
    {"x and its cosine", SKATE, "constraint a: x*blade = 0\nconstraint b: cos(x)*blade = 0\n",
     "constraint a: blade = 0\n", "20"},
    {"small factors", SKATE,
     "constraint a: (x^2 + 1e-6)*blade = 0\nconstraint b: (y^2 + 1e-9)*blade = 0\n",
     "constraint a: blade = 0\n", "20"},
    {"a small factor alone", SKATE, "constraint a: (x^2 + 1e-8)*blade = 0\n",
     "constraint a: blade = 0\n", "20"},
    {"large and small", SKATE,
     "constraint a: exp(3*x)*blade = 0\nconstraint b: 1e-7*sin(t)*blade = 0\n"
     "constraint c: 1e5*y*blade = 0\n",
     "constraint a: blade = 0\n", "20"},
    {"of nothing but round-off", /* no acceleration, and none that the rows ask for */
     "coordinate x, y\nkinetic (3*x'^2 + 2*y'^2)/4\nlet cone = 16*y'^2 - 15*x'^2\n"
     "start x = -1.249, y = -0.157, x' = 4, y' = -sqrt(15)\nsimulate t = 0 .. 3\n",
     "constraint a: (sin(y) + 3)*cone + x' = x'\nconstraint b: (2 + sin(x)^2)*cone = 0\n"
     "constraint c: cone = 0\n",
     "constraint a: cone = 0\n", "3"},
    {"one that vanishes at the start", /* and twice in each turn; what is left of it there is rounding */
     "parameter m = 1.5, J = 0.4\ncoordinate x, y, theta\nkinetic m*(x'^2 + y'^2)/2 + "
     "J*theta'^2/2\n"
     "let blade = x'*sin(theta) - y'*cos(theta)\nforce x = cos(theta), y = sin(2*t)\n"
     "start x = 0, y = 0, theta = pi/2, theta' = 2, y' = 1\nsimulate t = 0 .. 5\n",
     "constraint a: cos(theta)*blade = 0\nconstraint b: sin(theta)*blade = 0\n",
     "constraint a: blade = 0\n", "5"},
    {"of time", SKATE, "constraint a: sin(t)*blade = 0\nconstraint b: cos(t)*blade = 0\n",
     "constraint a: blade = 0\n", "20"},
};

static answer run_constrained(const pair *p, const char *constraints, ah_simulate_options o)
{
    char words[4000];
    snprintf(words, sizeof words, "%s%s", p->common, constraints);
    o.samples = 2;
    return simulate(words, &o, NULL, NULL);
}

static ah_simulate_options exactly(void)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.rtol = 1e-13;
    o.atol = 1e-14;
    return o;
}

/* Places and velocities at the end; angles of a ball that rolls are left out: their own poles
 * enlarge what is a rounding error of the ball. */
static void compare(const pair *p, const answer *a, const answer *b, double within,
                    const char *what)
{
    static const char *const part[] = {"q", "qdot"};
    const size_t count = strstr(p->common, "body B") ? 3 : 100;
    for (int k = 0; k < 2; k++) {
        const json_tree *x = json_tree_get(json_tree_get(a->summary, "final"), part[k]);
        const json_tree *y = json_tree_get(json_tree_get(b->summary, "final"), part[k]);
        for (size_t i = 0; i < count && i < json_tree_count(x); i++) {
            const double u = json_tree_number(json_tree_at(x, i));
            const double v = json_tree_number(json_tree_at(y, i));
            CHECK_NEAR(u, v, fmax(1, fabs(v)), within * 0x1p52, what);
        }
    }
}

static void check(const pair *p, const answer *reference, ah_simulate_options o, double within)
{
    char what[200];
    snprintf(what, sizeof what, "%s by %s, %s, %s", p->name, o.method ? o.method : "multipliers",
             o.integrator ? o.integrator : "auto", o.engine ? o.engine : "auto");
    answer a = run_constrained(p, p->redundant, o);
    CHECK_INT(a.status, AH_OK);
    if (a.status != AH_OK) printf("# %s: %s\n", what, reason(&a));
    if (a.status == AH_OK) compare(p, &a, reference, within, what);
    forget(&a);
}

/* By all integrators and so many engines: cc compiles longer than these motions take. */
static void check_integrators(const pair *p, size_t engines)
{
    static const struct {
        const char *name;
        double rtol, within;
    } by[] = {{"dop853", 1e-13, 1e-9}, {"taylor", 1e-13, 1e-9}, {"adams", 1e-12, 1e-8},
              {"bdf", 1e-10, 1e-5},    {"ida", 1e-9, 1e-4},     {NULL, 1e-13, 1e-9}};
    static const char *const engine[] = {"interpret", "tcc", "cc"};
    answer reference = run_constrained(p, p->minimal, exactly());
    CHECK_INT(reference.status, AH_OK);
    for (size_t i = 0; i < sizeof by / sizeof *by; i++)
        for (size_t k = 0; k < (i < 2 ? engines : 1); k++) {
            ah_simulate_options o = exactly();
            o.rtol = by[i].rtol;
            o.atol = by[i].rtol / 10;
            o.integrator = by[i].name;
            o.engine = engine[k];
            if (!o.integrator) o.engine = NULL;
            /* near the poles of Euler's angles Adams' methods lose digits, in either form */
            const bool poles = i == 2 && strstr(p->common, "body B");
            check(p, &reference, o, poles ? 1e-4 : by[i].within);
        }
    forget(&reference);
}

static size_t some_engines(void)
{
    return (size_t) harness_amount(2, 3, 3);
}

TEST(wheels_by_every_integrator)
{
    check_integrators(&robot, 3);
    check_integrators(&resting, some_engines());
}

TEST(balls_by_every_integrator)
{
    check_integrators(&cylinder, some_engines());
    if (harness_amount(0, 1, 1)) check_integrators(&bowl, some_engines());
}

TEST(copies_of_a_constraint)
{
    for (size_t i = 0; i < sizeof copies / sizeof *copies; i++)
        check_integrators(&copies[i], some_engines());
}

TEST(redundant_rows_by_every_method)
{
    static const char *const method[] = {
        "parametric", "gibbs-appell", "gauss",     "hamel", "hamel-nonlinear", "boltzmann-hamel",
        "maggi",      "voronets",     "chaplygin", "kane",  "massa-pagani"};
    const pair *const pairs[] = {&robot, &resting, &cylinder, &bowl, &copies[0]};
    for (size_t i = 0; i < 5; i++) {
        answer reference = run_constrained(pairs[i], pairs[i]->minimal, exactly());
        for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
            const bool bodies = strstr(pairs[i]->common, "body") != NULL;
            if (!bodies && k >= 9) continue; /* these work on points and bodies */
            if (i >= 1 && k == 8) continue;  /* forces or coefficients that Chaplygin excludes */
            ah_simulate_options o = exactly();
            o.method = method[k];
            /* near the poles of the angles Maggi's system loses digits, in either form */
            const bool poles = k == 6 && (i == 2 || i == 3);
            if (poles) o.rtol = 1e-11, o.atol = 1e-12;
            check(pairs[i], &reference, o, poles ? 1e-6 : 1e-9);
        }
        forget(&reference);
    }
}

/* Ranks that are lost still are told, with redundant rows or without. */
TEST(ranks_that_are_lost_among_redundant_rows)
{
    static const char *const written[] = {
        "constraint a: x*blade = 0\n",
        "constraint a: x*blade = 0\nconstraint b: 2*x*blade = 0\n",
        "constraint a: x*blade = 0\nconstraint b: sin(x)*blade = 0\n",
        "constraint a: x^2*blade = 0\nconstraint b: x^3*blade = 0\n",
        "constraint a: x^2*blade = 0\n",
        "constraint a: blade + x*w' = 0\nconstraint b: blade = 0\n",
        "constraint a: blade + x^2*w' = 0\nconstraint b: blade = 0\nconstraint c: x^2*w' = 0\n",
    };
    /* x = −1/2 + t where the blade does not turn */
    static const char common[] = "coordinate x, y, theta, w\n"
                                 "kinetic (x'^2 + y'^2 + theta'^2 + w'^2)/2\n"
                                 "let blade = x'*sin(theta) - y'*cos(theta)\n"
                                 "start x = -0.5, y = 0, theta = 0, w = 0, x' = 1, theta' = 0, "
                                 "y' = 0, w' = 0\nsimulate t = 0 .. 3\n";
    for (size_t i = 0; i < sizeof written / sizeof *written; i++) {
        char words[2000];
        snprintf(words, sizeof words, "%s%s", common, written[i]);
        const ah_simulate_options o = ah_simulate_defaults();
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        if (!CHECK(strstr(reason(&a), "the constraints lose rank") != NULL))
            printf("# %zu: %s\n", i, reason(&a));
        CHECK_NEAR(number(&a, "final", "t"), 0.5, 1, 1e-6 * 0x1p52, written[i]);
        forget(&a);
    }
}

/* b agrees with a until t = 1/2, or at t = 0 alone: there is no motion beyond, by whatever method. */
TEST(rows_that_come_to_contradict)
{
    static const struct {
        const char *rows;
        double end;
    } cases[] = {{"constraint a: x' = 0\nconstraint b: x' = t\n", 0},
                 {"constraint a: x' = 0\nconstraint b: (x' - 1)*x' = t\n", 0},
                 {"constraint a: x' = 0\nconstraint b: x' = max(t - 1/2, 0)\n", 0.5}};
    static const char *const methods[] = {"", "multipliers", "parametric", "gibbs-appell", "maggi"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
            char words[500];
            snprintf(words, sizeof words,
                     "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n%s"
                     "start x = 0, y = 0, x' = 0, y' = 1\nsimulate t = 0 .. 1\n",
                     cases[i].rows);
            ah_simulate_options o = ah_simulate_defaults();
            if (*methods[k]) o.method = methods[k];
            answer a = simulate(words, &o, NULL, NULL);
            CHECK_INT(a.status, AH_E_NUMERIC);
            if (!CHECK(strstr(reason(&a), "contradict") || strstr(reason(&a), "keeps all")))
                printf("# %zu, %s: %s\n", i, methods[k], reason(&a));
            CHECK(fabs(number(&a, "final", "t") - cases[i].end) < 1e-4);
            forget(&a);
        }
}

/* They leave rest alone, and all terms of the last one are rounding errors of velocities. */
TEST(rest_under_redundant_rows)
{
    static const char words[] =
        "coordinate a, u, s, x\nkinetic (a'^2 + 5*u'^2 + 5*s'^2 + 3*x'^2)/2\npotential 7*s - x\n"
        "let slip = 2*s' - (1 - 7/6*cos(x))*(2 + sin(t))*x'\n"
        "constraint k1: slip = 0\nconstraint k2: a' + 5*x' = 0\nconstraint k3: (u', s') = (0, 0)\n"
        "constraint k4: u' + 6*slip = 0\n"
        "start a = 1.7, u = 1.5, s = 1.3, x = 0.3, a' = 0, u' = 0, s' = 0, x' = 0\n"
        "simulate t = 1.9 .. 20\n";
    static const char *const by[] = {"auto", "dop853", "taylor", "adams", "bdf", "ida"};
    for (size_t i = 0; i < sizeof by / sizeof *by; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = by[i];
        answer a = simulate(words, &o, NULL, NULL);
        if (!CHECK(a.status == AH_OK)) printf("# %s: %s\n", by[i], reason(&a));
        forget(&a);
    }
}

/* At the start c is empty and a, b are used; they become parallel as s falls to 1e-13. x − z²/2 stays what it was, and
 * is kept to a few rounding errors if a, c take over in time (MOTION_BAD_ROWS); a hundred times worse otherwise. */
TEST(rows_that_become_parallel)
{
    static const char words[] =
        "coordinate x, y, z, s\nkinetic (x'^2 + y'^2 + 2*z'^2 + s'^2)/2\nforce z = -z\n"
        "constraint a: x' = z*z'\n"
        "constraint b: cos(s)*(x' - z*z') + sin(s)*(y' - z*x') = 0\n"
        "constraint c: cos(s)*(y' - z*x') = 0\nconstraint d: s' = -s\n"
        "start x = 0.5, y = 0, z = 1, s = 1.5707963267948966, s' = -1.5707963267948966,\n"
        "    x' = 1, y' = 1, z' = 1\nsimulate t = 0 .. 30\n";
    ah_simulate_options o = ah_simulate_defaults();
    o.integrator = "taylor";
    o.samples = 2;
    answer a = simulate(words, &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    const json_tree *q = a.summary ? json_tree_get(json_tree_get(a.summary, "final"), "q") : NULL;
    if (CHECK(q != NULL)) {
        const double x = json_tree_number(json_tree_at(q, 0));
        const double z = json_tree_number(json_tree_at(q, 2));
        CHECK_NEAR(x - z * z / 2, 0, 1, 2e-12 * 0x1p52, "x - z^2/2");
    }
    forget(&a);
}

/* Watt's governor: four rods of which three do once x2 = -x1. Away from the set all five rows are independent, and random places come
 * to it where rods fold up; its motion is that of the angle a. */
TEST(rods_of_a_governor)
{
    static const char *const by_rods =
        "coordinate phi, h, x1, z1, x2, z2\nparameter l = 0.3\n"
        "body shaft mass 0.5 inertia (0.01, 0.01, 0.02) at (0, 0, 0) turn z phi\n"
        "body sleeve mass 3 inertia (0.01, 0.01, 0.02) on shaft at (0, 0, -h)\n"
        "body b1 mass 1 inertia (0, 0, 0) on shaft at (x1, 0, z1)\n"
        "body b2 mass 1 inertia (0, 0, 0) on shaft at (x2, 0, z2)\n"
        "marker top on shaft at (0, 0, 0)\n"
        "rod top, b1 length l\nrod top, b2 length l\nrod sleeve, b1 length l\nrod sleeve, b2 "
        "length l\n"
        "gravity (0, 0, -9.81)\nconstraint x2 = -x1\n"
        "start phi = 0, x1 = 0.2, z1 near -0.2, x2 near -0.2, z2 near -0.2, h near 0.4, phi' = 8, "
        "x1' = 1\n"
        "simulate t = 0 .. 2\n";
    static const char *const by_angle =
        "coordinate phi, a\nparameter l = 0.3, g = 9.81\n"
        "kinetic 1/2*0.04*phi'^2 + l^2*(a'^2 + sin(a)^2*phi'^2) + 6*(l*sin(a)*a')^2\n"
        "potential -2*g*l*cos(a) - 6*g*l*cos(a)\n"
        "start phi = 0, a = asin(2/3), phi' = 8, a' = 1/(l*cos(asin(2/3)))\nsimulate t = 0 .. 2\n";
    ah_simulate_options o = ah_simulate_defaults();
    answer rods = simulate(by_rods, &o, NULL, NULL), angle = simulate(by_angle, &o, NULL, NULL);
    CHECK_INT(rods.status, AH_OK);
    CHECK_INT(angle.status, AH_OK);
    if (CHECK(rods.summary && angle.summary)) {
        const json_tree *q = json_tree_get(json_tree_get(rods.summary, "final"), "q");
        const json_tree *p = json_tree_get(json_tree_get(angle.summary, "final"), "q");
        const double a = json_tree_number(json_tree_at(p, 1));
        CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), json_tree_number(json_tree_at(p, 0)), 1,
                   1e-7 * 0x1p52, "phi");
        CHECK_NEAR(json_tree_number(json_tree_at(q, 2)), 0.3 * sin(a), 1, 1e-7 * 0x1p52, "x1");
        CHECK_NEAR(json_tree_number(json_tree_at(q, 1)), 0.6 * cos(a), 1, 1e-7 * 0x1p52, "h");
    }
    forget(&rods);
    forget(&angle);
}

/* Accelerations at headings at which some rows depend on the others. */
TEST(redundant_rows_at_special_states)
{
    static const char *const heading[] = {"0", "pi/2", "pi", "-pi/2", "1.5707", "0.7"};
    char words[4000];
    for (int k = 0; k < 2; k++)
        for (size_t i = 0; i < sizeof heading / sizeof *heading; i++) {
            char at[200];
            snprintf(words, sizeof words, "%s%s", robot.common,
                     k ? robot.minimal : robot.redundant);
            snprintf(at, sizeof at, "t=0.3,x=0.1,y=0.2,psi=%s,f1=0,f2=0,f1'=2,f2'=3", heading[i]);
            static double qddot[sizeof heading / sizeof *heading][5];
            ah_ctx *ctx = ah_ctx_create(NULL);
            ah_model *m = NULL;
            REQUIRE(lang_read(ctx, "model", words, strlen(words), NULL, &m) == AH_OK);
            const ah_eval_options o = {
                .size = sizeof(ah_eval_options), .at = at, .method = k ? "multipliers" : "all"};
            const char *out = NULL;
            REQUIRE(ah_eval(m, &o, AH_JSON, &out) == AH_OK);
            json_tree *tree = json_tree_parse(out);
            const json_tree *methods = json_tree_get(tree, "methods");
            static const char *const method[] = {"multipliers",     "parametric", "gibbs-appell",
                                                 "gauss",           "hamel",      "hamel-nonlinear",
                                                 "boltzmann-hamel", "maggi",      "voronets",
                                                 "chaplygin",       "kane",       "massa-pagani"};
            static double redundant[6][12][5];
            for (size_t j = 0; j < (k ? 1 : 12); j++)
                for (size_t l = 0; l < 5; l++) {
                    const json_tree *a = json_tree_get(json_tree_get(methods, method[j]), "qddot");
                    const double x = a ? json_tree_number(json_tree_at(a, l)) : NAN;
                    if (k)
                        qddot[i][l] = x;
                    else
                        redundant[i][j][l] = x;
                }
            for (size_t j = 0; k && j < 12; j++)
                for (size_t l = 0; l < 5; l++)
                    CHECK_NEAR(redundant[i][j][l], qddot[i][l], 1, 1e-12 * 0x1p52, method[j]);
            json_tree_free(tree);
            ah_ctx_destroy(ctx);
        }
}

/* Products that follow from the other rows, or whose rows vanish on some components: fewer rows are
 * independent on the constraints than beside them. The accelerations are those by hand of the rows
 * that bind; V = x + 2y + 3z. */
TEST(products_that_follow)
{
#define THREE "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x + 2*y + 3*z\n"
#define FOUR                                                                                       \
    "coordinate x, y, z, u\nkinetic (x'^2 + y'^2 + z'^2 + u'^2)/2\npotential x + 2*y + 3*z\n"
#define CIRCLE                                                                                     \
    FOUR "constraint a: x'*(y' - z') = 0\nconstraint b: (y' - z')*(z' - 3*u') = 0\n"               \
         "constraint c: (z' - 3*u')*x' = 0\n"
    static const struct {
        const char *words, *at;
        double qddot[4];
    } sample[] = {
        {THREE
         "constraint a: (x' + 2*y')*(y' - z') = 0\nconstraint b: y' = 0\nconstraint c: x' = 0\n",
         "x = 0, y = 0, z = 0, x' = 0, y' = 0, z' = 1",
         {0, 0, -3}},
        {THREE
         "constraint a: (x' + 2*y')*(y' - z') = 0\nconstraint b: y' = 0\nconstraint c: x' = 0\n",
         "x = 0, y = 0, z = 0, x' = 0, y' = 0, z' = 0",
         {0, 0, -3}},
        {THREE "constraint a: (x + 2*y)*(y - z) = 0\nconstraint b: y = 0\nconstraint c: x = 0\n",
         "x = 0, y = 0, z = 1, x' = 0, y' = 0, z' = 1",
         {0, 0, -3}},
        {THREE "constraint a: (x' + 2*y')*(y' - z')*(x' - 3) = 0\nconstraint b: y' = 0\n"
               "constraint c: x' = 0\n",
         "x = 0, y = 0, z = 0, x' = 0, y' = 0, z' = 1",
         {0, 0, -3}},
        {THREE
         "constraint a: (x' + 2*y')*(y' - x') = 0\nconstraint b: y' = 0\nconstraint c: x' = 0\n",
         "x = 0, y = 0, z = 0, x' = 0, y' = 0, z' = 1",
         {0, 0, -3}},
        {THREE "constraint a: x'^2*y' + z'*y'^2 + y'*x' = 0\nconstraint b: y' = 0\n",
         "x = 0, y = 0, z = 1, x' = 2, y' = 0, z' = 1",
         {-1, 0, -3}},
        {THREE "constraint a: (x'^2 + y'^2 - 1)*(y' - z') = 0\nconstraint b: x'^2 + y'^2 = 1\n",
         "x = 0, y = 0, z = 0, x' = 1, y' = 0, z' = 1",
         {0, -2, -3}},
        /* On each component another row vanishes. */
        {CIRCLE, "x = 0, y = 0, z = 0, u = 0, x' = 0, y' = 1, z' = 1, u' = 1", {0, -2.5, -2.5, 0}},
        {CIRCLE, "x = 0, y = 0, z = 0, u = 0, x' = 0, y' = 7, z' = 3, u' = 1", {0, -2, -2.7, -0.9}},
        {CIRCLE,
         "x = 0, y = 0, z = 0, u = 0, x' = 1, y' = 3, z' = 3, u' = 1",
         {-1, -45 / 19.0, -45 / 19.0, -15 / 19.0}},
        /* Both rows bind here, one of them where x' = y'. */
        {FOUR "constraint a: (x' - y')*(2 + z') = 0\nconstraint b: (x' - y')*(u' - 3) = 0\n",
         "x = 0, y = 0, z = 0, u = 0, x' = 5, y' = 1, z' = -2, u' = 3",
         {-1, -2, 0, 0}},
    };
    static const char *const method[] = {"multipliers", "parametric",      "gibbs-appell",
                                         "gauss",       "hamel-nonlinear", "maggi"};
    for (size_t i = 0; i < sizeof sample / sizeof *sample; i++) {
        char words[2000];
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        const char *out = NULL;
        snprintf(words, sizeof words, "%sstart %s\nsimulate t = 0 .. 0.3\n", sample[i].words,
                 sample[i].at);
        REQUIRE(lang_read(ctx, "model", words, strlen(words), NULL, &m) == AH_OK);
        const ah_eval_options o = {.size = sizeof(ah_eval_options), .method = "all"};
        REQUIRE(ah_eval(m, &o, AH_JSON, &out) == AH_OK);
        json_tree *tree = json_tree_parse(out);
        for (size_t j = 0; j < sizeof method / sizeof *method; j++) {
            const json_tree *a =
                json_tree_get(json_tree_get(json_tree_get(tree, "methods"), method[j]), "qddot");
            if (!CHECK(a != NULL)) continue;
            for (size_t l = 0; l < json_tree_count(a); l++)
                CHECK_NEAR(json_tree_number(json_tree_at(a, l)), sample[i].qddot[l], 1,
                           1e-12 * 0x1p52, method[j]);
        }
        json_tree_free(tree);
        ah_ctx_destroy(ctx);
        const ah_simulate_options to_the_end = ah_simulate_defaults();
        answer a = simulate(words, &to_the_end, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        CHECK_NEAR(number(&a, "final", "t"), 0.3, 1, 1e-12 * 0x1p52, "it goes on");
        forget(&a);
    }
#undef THREE
#undef FOUR
#undef CIRCLE
}

/* x' = y and x = sin t have y = cos t in common: nobody states it, and the message names it. Stated, the motion is known. */
TEST(a_place_that_velocities_ask_for)
{
    static const char hidden[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint a: x' = y\n"
                                 "constraint b: x = sin(t)\n%s"
                                 "start x = 0, y = 1\nsimulate t = 0 .. 3\n";
    char model[300];
    ah_simulate_options o = ah_simulate_defaults();
    snprintf(model, sizeof model, hidden, "");
    answer a = simulate(model, &o, NULL, NULL);
    CHECK_INT(a.status, AH_E_NUMERIC);
    const json_tree *stopped = json_tree_get(a.summary, "stopped");
    CHECK(stopped && strstr(json_tree_get(stopped, "reason")->text, "y - cos(t) = 0") != NULL);
    forget(&a);
    snprintf(model, sizeof model, hidden, "constraint c: y = cos(t)\n");
    a = simulate(model, &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
    CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), sin(3), 1, 64, "x = sin t");
    CHECK_NEAR(json_tree_number(json_tree_at(q, 1)), cos(3), 1, 64, "y = cos t");
    forget(&a);
}

/* Two rows are one, by factors 1e18 and 1e24 apart that vanish in turn: which of them is large says nothing. x'' = 0.15, as for x' = y'. */
TEST(factors_far_apart_that_vanish_in_turn)
{
    static const char *const factor[][2] = {{"1e9*cos(7*x)", "1e-9*sin(7*x)"},
                                            {"1e-12*cos(5*x)", "1e12*sin(5*x)"},
                                            {"1e12*cos(7*t + 1)", "1e-12*sin(7*t + 1)"}};
    static const char *const method[] = {"multipliers", "gauss", "hamel", "maggi", "voronets"};
    for (size_t i = 0; i < 15; i++) {
        char model[400];
        ah_simulate_options o = ah_simulate_defaults();
        o.method = method[i % 5];
        snprintf(model, sizeof model,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 0.3\nconstraint a: (%s)*(x' "
                 "- y') = 0\n"
                 "constraint b: (%s)*(x' - y') = 0\nstart x = -1, y = -1, x' = 1, y' = 1\nsimulate "
                 "t = 0 .. 3\n",
                 factor[i / 5][0], factor[i / 5][1]);
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
        CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), 2.675, 1, 1e-8 * 0x1p52, o.method);
        forget(&a);
    }
}

/* Rows with factors, alone and beside each other: x'' = -1 + lambda, y'' = -z lambda, lambda = (1 + z'y')/(1 + z^2) = 3/4. */
TEST(factors_of_rows_say_nothing)
{
    static const char *const factor[][3] = {{"1", "1e-200", "1e200"},  {"1e9", "1e9", "1e9"},
                                            {"1e-200", "1e-200", "1"}, {"1", "1e7", "-3"},
                                            {"1e-9", "1e9", "1e-9"},   {"1e-100", "1", "1e100"}};
    for (size_t i = 0; i < sizeof factor / sizeof *factor; i++) {
        char words[600];
        int end = snprintf(words, sizeof words,
                           "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x\n");
        for (size_t k = 0; k < (i == 1 ? 1 : 3); k++)
            end += snprintf(words + end, sizeof words - (size_t) end,
                            "constraint c%zu: %s*x' = %s*z*y'\n", k, factor[i][k], factor[i][k]);
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        REQUIRE(lang_read(ctx, "model", words, strlen(words), NULL, &m) == AH_OK);
        const ah_eval_options o = {
            .size = sizeof(ah_eval_options), .at = "x=0,y=1,z=1,y'=1,z'=0.5", .method = "all"};
        const char *out = NULL;
        REQUIRE(ah_eval(m, &o, AH_JSON, &out) == AH_OK);
        json_tree *tree = json_tree_parse(out);
        static const double qddot[] = {-0.25, -0.75, 0}, reaction[] = {0.75, -0.75, 0};
        const json_tree *methods = json_tree_get(tree, "methods");
        size_t apply = 0;
        for (const json_tree *method = methods->first; method; method = method->next)
            for (size_t k = 0; k < 3 && json_tree_get(method, "qddot"); k++) {
                const json_tree *r = json_tree_get(method, "reaction");
                apply++;
                CHECK_NEAR(json_tree_number(json_tree_at(json_tree_get(method, "qddot"), k)),
                           qddot[k], 1, 1e-13 * 0x1p52, factor[i][0]);
                if (r)
                    CHECK_NEAR(json_tree_number(json_tree_at(r, k)), reaction[k], 1, 1e-13 * 0x1p52,
                               factor[i][0]);
            }
        CHECK(apply >= 3 * 10);
        json_tree_free(tree);
        ah_answer *asked = NULL;
        REQUIRE(ah_crosscheck(m, NULL, &asked) == AH_OK);
        const ah_crosscheck_values *v = ah_answer_crosscheck(asked);
        CHECK(v && v->agree && v->states == 100);
        ah_answer_destroy(asked);
        ah_ctx_destroy(ctx);
    }
}
