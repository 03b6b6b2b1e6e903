/* tests/t_singular.c - motions that meet states where something is singular, and motions that only
 * seem to. */
#include "motions.h"

#include <math.h>
#include <stdio.h>

static answer run(const char *model, const char *to, const char *method, double rtol)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.rtol = rtol;
    o.atol = rtol / 10;
    o.to = to;
    o.method = method;
    o.most_steps = 100000;
    return simulate(model, &o, NULL, NULL);
}

/* ---- Turning points of Example 4 of [B11] ---------------------------------------------------- */

/* The mirror motions are those of a pendulum of length 1 from cos φ = 0.8 with speed 1:
 * t = ∫ dφ / √(2g (cos φ − c)) up to cos φ = c = 0.8 − 1/(2g); with φ = φm − u² it is regular. */
static double time_of_turning(double g)
{
    const double c = 0.8 - 0.5 / g, top = acos(c), length = sqrt(top - acos(0.8));
    double sum = 0;
    const int n = 2000;
    for (int i = 0; i <= n; i++) { /* Simpson */
        const double u = length * i / n, drop = cos(top - u * u) - c;
        const double f = u == 0 ? 2 / sqrt(2 * g * sin(top)) : 2 * u / sqrt(2 * g * drop);
        sum += f * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2);
    }
    return sum * length / (3 * n);
}

static const char mirror[] =
    "parameter m = 1.2, g = 4.9\ncoordinate x1, y1, x2, y2\n"
    "point P1 mass m at (x1, y1)\npoint P2 mass m at (x2, y2)\ngravity (g, 0)\n"
    "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n"
    "start x1 = 0.8, y1 = 0.6, x2 = 0.8, y2 = -0.6, x1' = -0.6, y1' = 0.8, x2' = -0.6, "
    "y2' = -0.8\nsimulate t = 0 .. 2\n";

TEST(turning_points_of_symmetric_motions)
{
    char bound[2000];
    snprintf(bound, sizeof bound, "%sconstraint mirror: (x2, y2) = (x1, -y1)\n", mirror);
    const char *const model[] = {mirror, bound};
    const char *const method[] = {"multipliers", "gauss", "maggi"};
    for (int i = 0; i < 6; i++) {
        rows r = {0};
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = 1e-12;
        o.method = method[i % 3];
        answer a = simulate(model[i / 3], &o, &r, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "the constraints lose rank") != NULL);
        CHECK(strstr(reason(&a), "`pivot`") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), time_of_turning(4.9), 1, 2e-5 * 0x1p52, o.method);
        CHECK_INT(r.count, 1 + 31); /* every 0.01 up to 0.30 */
        CHECK(r.at && r.at[r.length - 1] == '\n');
        free(r.at);
        forget(&a);
    }
}

/* Beside a fast oscillation steps are short: the rank is lost within one at whose ends D is 10⁻⁴ of what it was lately. */
TEST(a_rank_lost_between_small_determinants)
{
    static const char *const integrator[] = {"dop853", "taylor"};
    for (int i = 0; i < 12; i++) {
        char model[400];
        const double from = 1 + 0.0017 * i;
        snprintf(model, sizeof model,
                 "coordinate x, y, w\nkinetic 1/2*(x'^2 + y'^2 + w'^2)\npotential 5000*w^2\n"
                 "constraint c: x*y' = 0\nstart x = %.17g, y = 0, w = 1, x' = 1, y' = 0, w' = "
                 "0\nsimulate t = 0 .. 3\n",
                 -from);
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = i % 2 ? 1e-9 : 1e-11;
        o.integrator = integrator[i / 6];
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "the constraints lose rank") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), from, 1, 1e-6 * 0x1p52, integrator[i / 6]);
        forget(&a);
    }
}

/* ---- A regular state where printed formulas are 0/0 ------------------------------------------ */

static void double_pendulum(char *words, size_t size, const json_tree *final)
{
    const double q[] = {1, 0.2, 1.5, -0.4}, v[] = {-0.1, 0.8, 0, 0}; /* v2 = 0 */
    const json_tree *qs = final ? json_tree_get(final, "q") : NULL;
    const json_tree *vs = final ? json_tree_get(final, "qdot") : NULL;
    static const char *const name[] = {"x1", "y1", "x2", "y2"};
    snprintf(words, size,
             "parameter m1 = 1.3, m2 = 2, g = 9.81\ncoordinate x1, y1, x2, y2\n"
             "point P1 mass m1 at (x1, y1)\npoint P2 mass m2 at (x2, y2)\ngravity (g, 0)\n"
             "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n"
             "simulate t = %.17g .. 1\nstart x1 = %.17g",
             final ? json_tree_number(json_tree_get(final, "t")) : 0.0,
             qs ? json_tree_number(json_tree_at(qs, 0)) : q[0]);
    for (size_t i = 1; i < 8; i++) {
        const json_tree *from = i < 4 ? qs : vs;
        const double x = from    ? json_tree_number(json_tree_at(from, i % 4))
                         : i < 4 ? q[i]
                                 : v[i - 4];
        snprintf(words + strlen(words), size - strlen(words), ", %s%s = %.17g", name[i % 4],
                 i < 4 ? "" : "'", x);
    }
    strcat(words, "\n");
}

TEST(a_point_that_comes_to_rest_for_a_moment)
{
    const char *const method[] = {"multipliers", "gauss", "gibbs-appell", "parametric", "kane"};
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        char words[2000];
        double_pendulum(words, sizeof words, NULL);
        answer before = run(words, "-0.2", method[k], 1e-12);
        answer direct = run(words, "0.2", method[k], 1e-12);
        CHECK_INT(before.status, AH_OK);
        REQUIRE(before.status == AH_OK);
        double_pendulum(words, sizeof words, json_tree_get(before.summary, "final"));
        answer through = run(words, "0.2", method[k], 1e-12);
        CHECK_INT(through.status, AH_OK);
        const json_tree *a = json_tree_get(json_tree_get(through.summary, "final"), "qdot");
        const json_tree *b = json_tree_get(json_tree_get(direct.summary, "final"), "qdot");
        for (size_t i = 0; i < 4; i++)
            CHECK_NEAR(json_tree_number(json_tree_at(a, i)), json_tree_number(json_tree_at(b, i)),
                       1, 1e-9 * 0x1p52, method[k]);
        forget(&before);
        forget(&direct);
        forget(&through);
    }
}

/* ---- Other ends ------------------------------------------------------------------------------ */

TEST(a_parametric_form_that_is_not_regular)
{
    /* x' = z², y' = z: falls freely along y until z = 0, where ∂ψ/∂z = (0, 1) is regular; the form
     * x' = z³, y' = z³ is not. */
    static const char folded[] = "parameter g = 9.81\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
                                 "potential g*y\nvelocity z: x' = z^3, y' = z^3\n"
                                 "start x = 0, y = 0, z = 1\nsimulate t = 0 .. 1\n";
    answer a = run(folded, NULL, "parametric", 1e-10);
    CHECK_INT(a.status, AH_E_NUMERIC);
    CHECK(strstr(reason(&a), "is not regular") != NULL);
    CHECK_NEAR(number(&a, "final", "t"), 2 / 9.81, 1, 1e-5 * 0x1p52, "v = 1 - g t/2");
    forget(&a);
}

/* A parallelogram of equal cranks goes flat, where it may go on crossed. Steps shorten before that, rounding errors grow, and the
 * place is missed by some 1e-8: what comes next would be chosen by them. The cranks are one pendulum:
 * 17/10 p'' = -2 g cos p. */
TEST(branches_that_meet)
{
    static const char *const method[] = {"hamel", "kane", "gauss"};
    static const char words[] =
        "parameter g = 9.81\ncoordinate p, q, x, y, th\n"
        "body A mass 1 inertia (0, 0, 0.1) at (cos(p), sin(p))/2 turn z p\n"
        "body B mass 1 inertia (0, 0, 0.1) at (2, 0) + (cos(q), sin(q))/2 turn z q\n"
        "body C mass 1 inertia (0, 0, 0.5) at (x, y) turn z th\ngravity (0, -g)\n"
        "marker a on A at (1/2, 0)\nmarker b on B at (1/2, 0)\n"
        "marker c1 on C at (-1, 0)\nmarker c2 on C at (1, 0)\nhinge a, c1\nhinge b, c2\n"
        "start p = 1, q near 1, x near 1.5, y near 0.84, th = 0, p' = 5\nsimulate t = 0 .. 0.6\n";
    const double pi = acos(-1.0);
    double until = 0;
    const int n = 1000;
    for (int i = 0; i <= n; i++) { /* Simpson: dp/p' from 1 to π */
        const double angle = 1 + (pi - 1) * i / n;
        const double speed = sqrt(25 - 4 * 9.81 / 1.7 * (sin(angle) - sin(1)));
        until += (i == 0 || i == n ? 1 : i % 2 ? 4 : 2) / speed * (pi - 1) / (3 * n);
    }
    for (size_t k = 0; k < sizeof method / sizeof *method; k++) {
        answer a = run(words, NULL, method[k], 1e-10);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "lose rank (3, expected 4)") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), until, 1, 1e-6 * 0x1p52, method[k]);
        forget(&a);
    }
}

/* x = 2 cos a or x = 0: at a = π/2, which is ∫ √((1 + 4 sin²a)/(1 + 4 sin² 0.3)) da away, motions went round the corner from one to the other,
 * back and at another speed. */
TEST(a_corner_where_branches_cross)
{
    static const char *const crank = "coordinate a, x\npoint P mass 1 at (cos(a), sin(a))\n"
                                     "point Q mass 1 at (x, 0)\n"
                                     "constraint r: (x - cos(a))^2 + sin(a)^2 = 1\n"
                                     "start a = 0.3, x near 1.9, a' = 1\nsimulate t = 0 .. 5\n";
    static const char *const rods = "coordinate x, y, u, v\npoint P mass 1 at (x, y)\n"
                                    "point Q mass 1 at (u, v)\nconstraint a: x^2 + y^2 = 1\n"
                                    "constraint b: (u - x)^2 + (v - y)^2 = 1\nconstraint c: v = 0\n"
                                    "start x = 0.6, y = 0.8, u near 1.2, v = 0, u' = 0.5\n"
                                    "simulate t = 0 .. 10\n";
    static const char *const by[] = {"auto", "dop853", "taylor", "adams", "bdf"};
    for (size_t i = 0; i < 2 * sizeof by / sizeof *by; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = by[i / 2];
        answer a = simulate(i % 2 ? rods : crank, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "lose rank") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), i % 2 ? 6.628312 : 1.995802, 1, 2e-6 * 0x1p52,
                   by[i / 2]);
        forget(&a);
    }
}

/* z' = √(1 + y²) x' or the other root: x'' (2 + y²) = -x - y y' x' with y = 0.2 + 0.3 t, and x' = 0 at 2.4029107. By Taylor's method a step ended
 * just beyond that place, and what the rows are there was taken for what they had been before it. */
TEST(a_step_that_ends_just_beyond_a_singular_state)
{
    static const char words[] =
        "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x^2/2\n"
        "constraint c: z'^2 = x'^2*(1 + y^2)\n"
        "start x = 0, y = 0.2, z = 0, x' = 1, y' = 0.3, z' = sqrt(1.04)\nsimulate t = 0 .. 6\n";
    for (int k = 8; k <= 12; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = pow(10, -k);
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "lose rank") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), 2.4029107, 1, 1e-6 * 0x1p52, "by an independent step");
        forget(&a);
    }
}

/* A blade with a factor that vanishes where x = 1 or so, of any order, by all integrators. (x - 1)^3 was rounding errors long before x = 1: the blade
 * kept nothing, and the energy rose from 2 to 326. Taylor's long steps went over the others. */
TEST(factors_that_vanish_on_the_way)
{
    static const struct {
        const char *factor;
        double rtol, speed, x;
    } cases[] = {{"(x - 1)^3", 1e-10, 1.79, 1},
                 {"(1 - x)^2", 1e-7, 1.79, 1},
                 {"sin(3*x)", 1e-7, 1.48, 1.0471976}};
    static const char *const by[] = {"auto", "dop853", "taylor", "adams", "bdf", "ida"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
            char words[500];
            snprintf(words, sizeof words,
                     "coordinate x, y, th, z\nkinetic (x'^2 + y'^2 + th'^2 + z'^2)/2\n"
                     "potential 0.3*x*y + z^2/4\nforce th = 0.2*cos(t)\n"
                     "constraint a: %s*(x'*sin(th) - y'*cos(th)) = 0\n"
                     "start x = 0.3, y = 0.1, th = -0.24, z = 0, x' = %g, th' = 0.45\n"
                     "simulate t = 0 .. 1\n",
                     cases[i].factor, cases[i].speed);
            ah_simulate_options o = ah_simulate_defaults();
            o.integrator = by[k], o.rtol = cases[i].rtol;
            answer a = simulate(words, &o, NULL, NULL);
            CHECK_INT(a.status, AH_E_NUMERIC);
            CHECK(strstr(reason(&a), "lose rank") != NULL);
            const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
            CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), cases[i].x, 1, 1e-3 * 0x1p52, by[k]);
            forget(&a);
        }
}

/* The length of y = x²√(1 + x²) (or |x|³) from x = -1 to 0, as part of the speed's x' = 1 there: when the place is reached at which it touches its
 * mirror image. */
static double time_to_touch(int power)
{
    double sum = 0, first = 1;
    const int n = 20000;
    for (int i = 0; i <= n; i++) { /* Simpson */
        const double x = -1 + (double) i / n, root = sqrt(1 + x * x);
        const double slope = power == 3 ? -3 * x * x : 2 * x * root + x * x * x / root;
        const double f = sqrt(1 + slope * slope);
        if (i == 0) first = f;
        sum += f * (i == 0 || i == n ? 1 : i % 2 ? 4 : 2);
    }
    return sum / (3 * n) / first;
}

/* Where two branches of places touch all of J vanishes, and comes back with the sign that it had: Taylor's and Adams' method went on, the latter with
 * y² = x⁶ on the other branch. Two that pass each other at 1e-3 are no such place. */
TEST(branches_that_touch)
{
    static const char *const by[] = {"dop853", "taylor", "adams", "bdf", "ida"};
    static const char *const curve[] = {"x^4*(1 + x^2)", "x^6", "x^4 + 1e-6"};
    for (size_t i = 0; i < 3 * 3 * sizeof by / sizeof *by; i++) {
        const size_t of = i % 3, loose = i / 3 % 3;
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = by[i / 9];
        o.rtol = loose == 0 ? 1e-6 : loose == 1 ? 1e-8 : 1e-10;
        char words[300];
        snprintf(words, sizeof words,
                 "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: y^2 = %s\n"
                 "start x = -1, y near 1.2, x' = 1\nsimulate t = 0 .. 2\n",
                 curve[of]);
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, of < 2 ? AH_E_NUMERIC : AH_OK);
        if (of < 2) {
            CHECK(strstr(reason(&a), "lose rank") != NULL);
            CHECK_NEAR(number(&a, "final", "t"), time_to_touch(of == 0 ? 2 : 3), 1, 1e-4 * 0x1p52,
                       by[i / 9]);
        }
        forget(&a);
    }
}

/* x' = y' by a factor that rises to one and falls to 1e-229: velocities left the constraint where its squares lost their digits (x(3) was 4.04), and
 * what counts as a residual was measured by the factor's largest value. */
TEST(a_factor_that_becomes_small)
{
    static const char *const by[] = {"auto", "dop853", "taylor", "adams", "bdf", "ida"};
    static const char words[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"
                                "constraint c: exp(-50*(x - 1)^2)*(x' - y') = 0\n"
                                "start x = -1, y = 0, x' = 1, y' = 1\nsimulate t = 0 .. 3\n";
    for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = by[k];
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
        CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), 4.25, 1, 1e-7 * 0x1p52, by[k]);
        CHECK_NEAR(json_tree_number(json_tree_at(q, 1)), 5.25, 1, 1e-7 * 0x1p52, by[k]);
        forget(&a);
    }
}

/* The angle b turns at a rate of its own, and steps are as long as the tolerance of x and y lets them be: several zeros of a factor lie in one, and
 * the first ends the motion. Even ones leave the minors their sign. */
TEST(zeros_inside_long_steps)
{
    static const struct {
        const char *factor;
        double until; /* 0: it never vanishes */
    } cases[] = {{"cos(b)", 1.5707963},          {"(1 + cos(b))", 3.1415927},
                 {"(cos(b) + 0.99)", 3.0000532}, {"cos(3*b)", 0.5235988},
                 {"cos(b)^2", 1.5707963},        {"(1.001 + cos(b))", 0},
                 {"(1.1 + cos(7*b))", 0}};
    static const char *const by[] = {"dop853", "taylor", "adams", "bdf", "ida"};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t k = 0; k < 2 * sizeof by / sizeof *by; k++) {
            char words[300];
            snprintf(words, sizeof words,
                     "coordinate x, y, b\nkinetic (x'^2 + y'^2 + b'^2)/2\nforce x = 1\n"
                     "constraint r: %s*(x' - y') = 0\n"
                     "start x = 0, y = 0, b = 0, b' = 1, x' = 1, y' = 1\nsimulate t = 0 .. 10\n",
                     cases[i].factor);
            ah_simulate_options o = ah_simulate_defaults();
            o.integrator = by[k / 2], o.rtol = k % 2 ? 1e-8 : 1e-10;
            answer a = simulate(words, &o, NULL, NULL);
            CHECK_INT(a.status, cases[i].until > 0 ? AH_E_NUMERIC : AH_OK);
            CHECK_NEAR(number(&a, "final", "t"), cases[i].until > 0 ? cases[i].until : 10, 1,
                       1e-3 * 0x1p52, by[k / 2]);
            forget(&a);
        }
}

/* A rotor that nothing depends on turns through thousands of radians in one step of Taylor's method: the first zero of a
 * factor is arcsin(0.99)/w all the same, and cos(b) = 1/3 is crossed once every half turn, however many of them a step has. */
TEST(steps_of_many_turns)
{
    static const double speeds[] = {0.3, 10, 1000, 1e5};
    static const char *const by[] = {"auto", "taylor", "adams", "ida"};
    static const char rotor[] =
        "coordinate b, x, y\nkinetic (b'^2 + x'^2 + y'^2)/2\n"
        "constraint r: %s*(x' - y') = 0\n%s\n"
        "start b = 0, x = 0, y = 0, b' = %g, x' = 1\nsimulate t = 0 .. %g\n";
    char words[400];
    for (size_t i = 0; i < sizeof speeds / sizeof *speeds; i++)
        for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
            ah_simulate_options o = ah_simulate_defaults();
            o.integrator = by[k], o.rtol = 1e-10;
            snprintf(words, sizeof words, rotor, "(sin(b) - 0.99)", "", speeds[i], 20.0);
            answer a = simulate(words, &o, NULL, NULL);
            CHECK_INT(a.status, AH_E_NUMERIC);
            CHECK_NEAR(number(&a, "final", "t"), asin(0.99) / speeds[i], 1 / speeds[i],
                       1e-6 * 0x1p52, by[k]);
            forget(&a);
            snprintf(words, sizeof words, rotor, "1", "record \"third\" when cos(b) = 1/3",
                     speeds[i], 200 / speeds[i]);
            a = simulate(words, &o, NULL, NULL);
            CHECK_INT(a.status, AH_OK);
            const json_tree *events = json_tree_get(a.summary, "events");
            CHECK_INT(json_tree_count(events), 64); /* 200 rad are 31.8 turns */
            const json_tree *first = json_tree_get(json_tree_at(events, 0), "t");
            CHECK_NEAR(json_tree_number(first), acos(1. / 3) / speeds[i], 1 / speeds[i],
                       1e-7 * 0x1p52, by[k]);
            forget(&a);
        }
}

/* The wheel w turns by many radians a step, but D does not depend on it: no step is looked into, and none takes more than the twelve stages and
 * the next one's first. */
TEST(steps_are_long_by_places_that_rows_depend_on)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.integrator = "dop853", o.rtol = 1e-8, o.samples = 2;
    answer a =
        simulate("coordinate x, y, b, w\nkinetic (x'^2 + y'^2 + b'^2 + w'^2)/2\nforce x = 1\n"
                 "potential b^2/2\nconstraint r: (1.5 + sin(b))*(x' - y') = 0\n"
                 "start x = 0, y = 0, b = 0, w = 0, b' = 0.5, w' = 100, x' = 1, y' = 1\n"
                 "simulate t = 0 .. 100\n",
                 &o, NULL, NULL);
    const double steps = number(&a, NULL, "steps");
    CHECK_INT(a.status, AH_OK);
    CHECK(steps > 0 && number(&a, NULL, "evaluations") < 14.2 * steps);
    forget(&a);
}

/* One that turns back within a step ends it where it began: b = 1000 cos(t - 1), from 540 to 1000 and back. */
TEST(steps_that_turn_back)
{
    static const char *const by[] = {"auto", "taylor", "dop853"};
    static const double ends[] = {1.7, 1.9, 2.0};
    const double whole = 2 * acos(-1), from = 1000 * cos(1), last = asin(0.99);
    const double once = last + whole * ceil((from - last) / whole);
    const double twice = acos(-1) - last + whole * ceil((from - (acos(-1) - last)) / whole);
    const double first = 1 - acos(fmin(once, twice) / 1000);
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        for (size_t k = 0; k < sizeof by / sizeof *by; k++) {
            ah_simulate_options o = ah_simulate_defaults();
            char words[400];
            o.integrator = by[k];
            snprintf(words, sizeof words,
                     "coordinate b, x, y\nkinetic (b'^2 + x'^2 + y'^2)/2\npotential b^2/2\n"
                     "constraint r: (sin(b) - 0.99)*(x' - y') = 0\n"
                     "start b = 1000*cos(1), x = 0, y = 0, b' = 1000*sin(1), x' = 1\n"
                     "simulate t = 0 .. %g\n",
                     ends[i]);
            answer a = simulate(words, &o, NULL, NULL);
            CHECK_INT(a.status, AH_E_NUMERIC);
            CHECK_NEAR(number(&a, "final", "t"), first, 1, 1e-7 * 0x1p52, by[k]);
            forget(&a);
        }
}

/* Cranks that are not quite equal: 1e-6 beside the flat place there is no singular state, and who cannot go on there does not
 * call it one. */
TEST(branches_that_nearly_meet)
{
    static const char words[] =
        "coordinate p, q, th\nkinetic (p'^2 + q'^2 + th'^2)/2\npotential 3*sin(p)\n"
        "constraint u: cos(p) + 2*cos(th) - (1 + 1e-12)*cos(q) = 2\n"
        "constraint v: sin(p) + 2*sin(th) - (1 + 1e-12)*sin(q) = 0\n"
        "start p = 1, q near 1, th near 0, p' = 5\nsimulate t = 0 .. 1\n";
    answer a = run(words, NULL, "multipliers", 1e-10), b = run(words, NULL, "hamel", 1e-12);
    CHECK_INT(a.status, AH_OK);
    CHECK_INT(b.status, AH_OK);
    const json_tree *x = json_tree_get(json_tree_get(a.summary, "final"), "q");
    const json_tree *y = json_tree_get(json_tree_get(b.summary, "final"), "q");
    for (size_t i = 0; i < 3; i++)
        CHECK_NEAR(json_tree_number(json_tree_at(x, i)), json_tree_number(json_tree_at(y, i)), 1,
                   1e-5 * 0x1p52, "errors grow a thousandfold there");
    forget(&a);
    forget(&b);
    ah_simulate_options o = ah_simulate_defaults();
    o.integrator = "bdf";
    answer c = simulate(words, &o, NULL, NULL);
    if (c.status != AH_OK)
        CHECK(!strncmp(reason(&c), "near a singular", 15) || strstr(reason(&c), "cannot reach"));
    forget(&c);
}

/* x' = y' by a factor whose square is no double: it runs as without it, or says that; no rank is lost. */
TEST(factors_beyond_double_precision)
{
    static const char *const engine[] = {"interpret", "tcc"};
    static const char *const integrator[] = {"dop853", "adams", "bdf", "ida"};
    static const char words[] =
        "parameter k\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = 1\n"
        "constraint b: exp(k*t)*(y' - x') = 0\n"
        "start x = 0, y = 0, x' = 1\nsimulate t = 0 .. 3\n";
    for (size_t i = 0; i < 8; i++) {
        for (int sign = -1; sign <= 1; sign += 2) {
            char model[400];
            snprintf(model, sizeof model, "parameter k = %d%s", sign * 230, words + 11);
            ah_simulate_options o = ah_simulate_defaults();
            o.engine = engine[i % 2];
            o.integrator = integrator[i / 2];
            answer a = simulate(model, &o, NULL, NULL);
            CHECK_INT(a.status, sign > 0 ? AH_OK : AH_E_NUMERIC);
            const json_tree *end = json_tree_get(json_tree_get(a.summary, "final"), "q");
            const double t = number(&a, "final", "t"), x = t + t * t / 4;
            for (size_t k = 0; k < 2; k++)
                CHECK_NEAR(json_tree_number(json_tree_at(end, k)), x, 1, 1e-7 * 0x1p52,
                           integrator[i / 2]);
            if (sign < 0) CHECK(strstr(reason(&a), "beyond double precision") != NULL);
            forget(&a);
        }
    }
}

/* On a straight line through the origin, where x y' = y x' says nothing: at t = 1, beside as many other rows as are given. */
TEST(large_systems_lose_their_rank_too)
{
    static const int others[] = {2, 14, 50};
    for (int i = 0; i < 3; i++) {
        char words[500];
        snprintf(words, sizeof words,
                 "parameter n = %d\ncoordinate x, y, u[1..n]\nkinetic (x'^2 + y'^2)/2\n"
                 "constraint radial: x*y' - y*x' = 0\nfor i = 1 .. n:\n    kinetic u[i]'^2/2\n"
                 "    constraint b[i]: u[i]' = i*x'/n\n    start u[i] = 0\n"
                 "start x = 1, y = 0.5, x' = -1\nsimulate t = 0 .. 2\n",
                 others[i]);
        answer a = run(words, NULL, NULL, 1e-10);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "the constraints lose rank") && strstr(reason(&a), "at `radial`"));
        CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-6 * 0x1p52, "x = 1 - t");
        forget(&a);
    }
}

TEST(a_motion_that_runs_away)
{
    /* x'' = 2 x³ from x = 1, x' = 1: x = 1/(1 − t). */
    answer a = run("coordinate x\nkinetic x'^2/2\npotential -x^4/2\nstart x = 1, x' = 1\n"
                   "simulate t = 0 .. 2\n",
                   NULL, NULL, 1e-10);
    CHECK_INT(a.status, AH_E_NUMERIC);
    CHECK(strstr(reason(&a), "collapsed") || strstr(reason(&a), "not defined"));
    CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-6 * 0x1p52, "1/(1 - t)");
    forget(&a);
}

TEST(forces_that_end)
{
    /* x' = 1, force √(1 − t) on y: not defined after t = 1. */
    answer a = run("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce y = sqrt(1 - t)\n"
                   "start x = 0, y = 0, x' = 1, y' = 0\nsimulate t = 0 .. 2\n",
                   NULL, NULL, 1e-10);
    CHECK_INT(a.status, AH_E_NUMERIC);
    CHECK(strstr(reason(&a), "the force on `y` is not a number: sqrt(1 - t)") != NULL);
    CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-6 * 0x1p52, "sqrt(1 - t)");
    forget(&a);
}

/* x = cos t from t = 0: zero at π/2, rows every 0.01; x + 2 stays positive, x + 1/4 does not. */
TEST(assumptions_that_a_motion_leaves)
{
    const double wanted[] = {acos(0), NAN, acos(-0.25)};
    answer a = run("parameter k = 1\nassume k > 0\ncoordinate x\nassume x != 0\nassume x + 2 > 0\n"
                   "assume x + 1/4 > 0\nkinetic x'^2/2\npotential k*x^2/2\nstart x = 1, x' = 0\n"
                   "simulate t = 0 .. 2\n",
                   NULL, NULL, 1e-10);
    const json_tree *told = json_tree_get(a.summary, "assumptions");
    CHECK_INT(a.status, AH_OK);
    CHECK_INT(json_tree_count(told), 3);
    for (size_t i = 0; i < 3; i++) {
        const json_tree *at = json_tree_get(json_tree_at(told, i), "broken_at");
        const double late = json_tree_number(at) - wanted[i];
        CHECK(isnan(wanted[i]) ? at->kind == JSON_NULL : late >= 0 && late <= 0.01);
    }
    forget(&a);
}

/* ---- Motions that do not get on -------------------------------------------------------------- */

/* x'' = −0.3 sign x' from x' = 0.5: rests from t = 5/3 on. x'' = −x − 0.3 sign x' likewise after two
 * half turns: x from 1 to −0.4 to … */
TEST(dry_friction_ends_with_a_reason)
{
    static const char *const force[] = {"-0.3*x'/abs(x')", "-0.3*x'/sqrt(x'^2)"};
    static const char *const integrator[] = {NULL, "dop853", "adams", "bdf"};
    for (size_t i = 0; i < 8; i++) {
        char words[300];
        ah_simulate_options o = ah_simulate_defaults();
        snprintf(words, sizeof words,
                 "coordinate x\nkinetic x'^2/2\nforce x = %s\nstart x = 1, x' = 0.5\n"
                 "simulate t = 0 .. 10\n",
                 force[i % 2]);
        o.integrator = integrator[i / 2];
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        if (!CHECK(strstr(reason(&a), "chattering") || strstr(reason(&a), "does not get on") ||
                   strstr(reason(&a), "collapsed")))
            printf("# %s\n", reason(&a));
        if (i < 4) CHECK(strstr(reason(&a), "chattering") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), 5.0 / 3, 1, 1e-4 * 0x1p52, force[i % 2]);
        forget(&a);
    }
}

/* x'' = −x − sign x': half turns about ∓1 until a turning point lies within (−1, 1); there it rests. The steps end
 * before the jump and never beyond it. */
TEST(dry_friction_with_a_spring_ends_where_it_sticks)
{
    const double start[] = {3, 2.4, 6.7, 11.2};
    static const char *const integrator[] = {NULL, "dop853", "adams", "bdf"};
    for (size_t i = 0; i < 16; i++) {
        const double x0 = start[i % 4], v0 = 0.1;
        double t = atan2(v0, x0 + 1), turn = hypot(x0 + 1, v0) - 1;
        for (; fabs(turn) >= 1; t += acos(-1)) turn = turn > 0 ? 2 - turn : -2 - turn;
        char words[300];
        ah_simulate_options o = ah_simulate_defaults();
        snprintf(words, sizeof words,
                 "coordinate x\nkinetic x'^2/2\nforce x = -x'/abs(x') - x\nstart x = %g, x' = %g\n"
                 "simulate t = 0 .. 60\n",
                 x0, v0);
        o.integrator = integrator[i / 4];
        answer a = simulate(words, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        if (i < 8) CHECK(strstr(reason(&a), "chattering") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), t, 1, 1e-3 * 0x1p52, words);
        forget(&a);
    }
}

/* Steps may grow ten thousand times shorter where a motion is smooth: ω = exp(10 t). */
TEST(fast_oscillations_are_no_chattering)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.integrator = "dop853";
    answer a = simulate("coordinate x\nkinetic x'^2/2\npotential exp(20*t)*x^2/2\n"
                        "start x = 1, x' = 0\nsimulate t = 0 .. 1\n",
                        &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    forget(&a);
}

TEST(steps_are_counted)
{
    ah_simulate_options o = ah_simulate_defaults();
    o.most_steps = 7;
    answer a = simulate("coordinate x\nkinetic x'^2/2\npotential x^2/2\nstart x = 1, x' = 0\n"
                        "simulate t = 0 .. 1000\n",
                        &o, NULL, NULL);
    CHECK_INT(a.status, AH_E_NUMERIC);
    CHECK(strstr(reason(&a), "number of steps") != NULL);
    CHECK_NEAR(number(&a, NULL, "steps"), 7, 1, 0, "steps");
    forget(&a);
}

/* x (y − 1)' = (y − 1) x' ends at x = 0, y = 1, which y = 1, x' = −1/2 reaches at t = 2: the last row has the velocities of the motion, not what
 * rows of rounding errors make of them. */
TEST(the_last_row_keeps_its_velocities)
{
    static const char *const integrators[] = {"dop853", "taylor", "bdf", "ida"};
    for (size_t i = 0; i < sizeof integrators / sizeof *integrators; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = integrators[i];
        answer a =
            simulate("coordinate x, y, z\nkinetic (x'^2 + y'^2 + 2*z'^2 + x'*y'/2)/2\n"
                     "potential y/3 + z^2\nconstraint c: x*y' - (y - 1)*x' = 0\n"
                     "start x = 1, y = 1, z = 0, x' = -0.5, z' = 0.2\nsimulate t = 0 .. 20\n",
                     &o, NULL, NULL);
        CHECK(strstr(reason(&a), "a singular state") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), 2, 1, 1e-8 * 0x1p52, "x = 0");
        CHECK_NEAR(number(&a, "energy", "relative_change"), 0, 1, 1e-6 * 0x1p52, "energy");
        forget(&a);
    }
}

/* IDA at a tolerance that it cannot reach: no singular state is spoken of, for there is none. */
TEST(a_tolerance_that_cannot_be_reached)
{
    char path[500];
    size_t length;
    snprintf(path, sizeof path, "%s/models/coaxial_discs_6.ah", harness_source_dir());
    char *words = harness_read_file(path, &length);
    REQUIRE(words != NULL);
    int failed = 0; /* at which of them it does is a matter of rounding */
    for (double rtol = 1e-12; rtol > 1e-15; rtol /= 10) {
        ah_simulate_options o = ah_simulate_defaults();
        o.rtol = rtol;
        o.atol = 1e-15;
        o.to = "0.5";
        o.integrator = "ida";
        answer a = simulate(words, &o, NULL, NULL);
        if (a.status != AH_OK && ++failed &&
            !CHECK(strstr(reason(&a), "ida cannot reach the tolerances rtol = 1e-1") != NULL))
            printf("# %s\n", reason(&a));
        forget(&a);
    }
    CHECK(failed > 0);
    ah_simulate_options o = ah_simulate_defaults();
    o.rtol = 1e-12;
    o.atol = 1e-15;
    o.to = "0.5";
    o.integrator = "dop853";
    answer a = simulate(words, &o, NULL, NULL);
    CHECK_INT(a.status, AH_OK);
    forget(&a);
    free(words);
}

/* A ball on a turntable in Euler's parameters, whose mass matrix is singular: its centre runs round a
 * circle with 2/7 of the table's angular velocity, and is back after 7 π/2. */
TEST(a_singular_mass_matrix_is_completed)
{
    static const char *const integrator[] = {"dop853", "taylor"};
    for (int i = 0; i < 2; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = integrator[i];
        o.most_steps = 5000;
        answer a =
            simulate("parameter m = 1, a = 0.2, Om = 2\ncoordinate x, y, e0, e1, e2, e3\n"
                     "let w1 = 2*(-e1*e0' + e0*e1' - e3*e2' + e2*e3')\n"
                     "let w2 = 2*(-e2*e0' + e3*e1' + e0*e2' - e1*e3')\n"
                     "let w3 = 2*(-e3*e0' - e2*e1' + e1*e2' + e0*e3')\n"
                     "kinetic m*(x'^2 + y'^2)/2 + m*a^2/5*(w1^2 + w2^2 + w3^2)\n"
                     "constraint unit: e0^2 + e1^2 + e2^2 + e3^2 = 1\n"
                     "constraint rx: x' - a*w2 = -Om*y\nconstraint ry: y' + a*w1 = Om*x\n"
                     "start x = 1, y = 0, e0 = 1, e1 = 0, e2 = 0, e3 = 0, x' = 0.5, y' = 0.3\n"
                     "simulate t = 0 .. 7*pi/2\n",
                     &o, NULL, NULL);
        CHECK_INT(a.status, AH_OK);
        const json_tree *q = json_tree_get(json_tree_get(a.summary, "final"), "q");
        CHECK_NEAR(json_tree_number(json_tree_at(q, 0)), 1, 1, 1e-7 * 0x1p52, "x");
        CHECK_NEAR(json_tree_number(json_tree_at(q, 1)), 0, 1, 1e-7 * 0x1p52, "y");
        forget(&a);
    }
}

/* ---- Quasi-velocities that become dependent -------------------------------------------------- */

#define SKATE                                                                                      \
    "coordinate x, y, theta\nkinetic (x'^2 + y'^2)/2 + theta'^2/4\nforce theta = 0.2\n"            \
    "potential x\nconstraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"                           \
    "quasivelocity a = x' + y', b = x'*sin(theta) - y'*cos(theta), c = theta'\n"                   \
    "start x = 0, y = 0, theta = 0.3, x' = cos(0.3), y' = sin(0.3), "

/* At θ = −π/4 the velocity along the blade has no part in x' + y'. θ = 0.3 − t + t²/5 is there at
 * t = (1 − √(1 − 0.8 (0.3 + π/4)))/0.4. */
TEST(quasi_velocities_that_do_not_determine_the_velocities)
{
    static const char *const method[] = {"hamel", "boltzmann-hamel", "hamel-nonlinear"};
    const double meeting = (1 - sqrt(1 - 0.8 * (0.3 + atan(1)))) / 0.4;
    for (size_t i = 0; i < 3; i++) {
        answer a = run(SKATE "theta' = -1\nsimulate t = 0 .. 3\n", NULL, method[i], 1e-10);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "quasi-velocities") != NULL);
        CHECK_NEAR(number(&a, "final", "t"), meeting, 1, 0.01 * 0x1p52, method[i]);

        forget(&a);
    }
    answer a = run(SKATE "theta' = -1\nsimulate t = 0 .. 3\n", NULL, "multipliers", 1e-10);
    CHECK_INT(a.status, AH_OK);
    forget(&a);
}

/* It turns back a thousandth before. */
TEST(quasi_velocities_that_nearly_become_dependent)
{
    static const char *const method[] = {"hamel", "boltzmann-hamel", "hamel-nonlinear"};
    static const char near[] = SKATE "theta' = -0.931408\nsimulate t = 0 .. 5\n";
    answer b = run(near, NULL, "multipliers", 1e-12);
    const json_tree *y = json_tree_get(json_tree_get(b.summary, "final"), "q");
    for (size_t i = 0; i < 3; i++) {
        answer a = run(near, NULL, method[i], 1e-12);
        CHECK_INT(a.status, AH_OK);
        const json_tree *x = json_tree_get(json_tree_get(a.summary, "final"), "q");
        for (size_t k = 0; k < 3; k++)
            CHECK_NEAR(json_tree_number(json_tree_at(x, k)), json_tree_number(json_tree_at(y, k)),
                       1, 1e-7 * 0x1p52, method[i]);
        forget(&a);
    }
    forget(&b);
}

/* ---- Rows of nothing but round-off ----------------------------------------------------------- */

static const char *last_line(const rows *r)
{
    const char *end = r->at + r->length - 1;
    while (end > r->at && end[-1] != '\n') end--;
    return end;
}

/* On x' = 5 the velocity y' falls from 1; 1e-11 after t = 1 it meets y' = z', where no multiplier exists: the last row is so
 * near that it has none either. */
TEST(multipliers_where_components_meet)
{
    rows r = {0};
    ah_simulate_options o = ah_simulate_defaults();
    answer a =
        simulate("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x + y\n"
                 "constraint a: (x' - 5)*(y' - z') = 0\n"
                 "start x = 0, y = 0, z = 0, x' = 5, y' = 1 + 1e-11, z' = 0\nsimulate t = 0 .. 2\n",
                 &o, &r, NULL);
    CHECK(strstr(reason(&a), "lose rank") != NULL);
    CHECK_NEAR(number(&a, "final", "t"), 1, 1, 1e-6 * 0x1p52, "the meeting");
    CHECK(strstr(last_line(&r), ",,,,") != NULL);
    forget(&a);
    free(r.at);
}

/* sin π is 1.2e-16: that binds nothing. */
TEST(a_row_that_vanishes_but_for_round_off)
{
    rows r = {0};
    ah_simulate_options o = ah_simulate_defaults();
    answer a = simulate("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\npotential x + y\n"
                        "constraint h: x = pi\nconstraint a: sin(x)*(y' - z') = 0\n"
                        "start x = pi, y = 0, z = 0, y' = 1, z' = 1\nsimulate t = 0 .. 2\n",
                        &o, &r, NULL);
    CHECK(strstr(reason(&a), "lose rank") != NULL);
    CHECK_NEAR(number(&a, "final", "t"), 0, 1, 0, "it does not begin");
    CHECK(strstr(last_line(&r), ",,,,,") != NULL);
    forget(&a);
    free(r.at);
}

/* x'y' = y'z' = 0: rank 2 on x' = z' = 0, rank 1 on y' = 0, which is as regular, whether or not a quasi-velocity was made for
 * rank 2: x'' = -1 there. Only at rest both meet. */
TEST(a_component_of_lower_rank_is_not_singular)
{
    static const char *const starts[] = {"x' = 1, y' = 0, z' = 2\nquasivelocity o = y' + z'",
                                         "x' = 1, y' = 0, z' = 0\nquasivelocity o = y' + z'",
                                         "x' = 0, y' = 0, z' = 0"};
    for (size_t i = 0; i < 3; i++) {
        char model[400];
        snprintf(
            model, sizeof model,
            "coordinate x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential x\n"
            "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\nstart x = 0, y = 0, z = 0, %s\n",
            starts[i]);
        answer a = run(model, "1/2", NULL, 1e-10);
        CHECK_INT(a.status, i < 2 ? AH_OK : AH_E_NUMERIC);
        if (i < 2) CHECK_NEAR(final(&a, "q", 0), 0.375, 1, 1e-8 * 0x1p52, "x by the tolerances");
        if (i == 2) CHECK(strstr(reason(&a), "a singular state") != NULL);
        if (i == 2) CHECK(strstr(reason(&a), "on the component") == NULL);
        forget(&a);
    }
    answer a = run("coordinate x, y, z\nkinetic 1/2*(x'^2 + y'^2 + z'^2)\npotential x\n"
                   "constraint a: x'*y' = 0\nconstraint b: y'*z' = 0\nstart x = 0, y = 0, z = 0, "
                   "x' = 0, y' = 1, z' = 0\n",
                   "1", NULL, 1e-10);
    CHECK_INT(a.status, AH_OK);
    CHECK_NEAR(number(&a, "final", "t"), 1, 1, 0, "to the end");
    forget(&a);
}

/* A factor that never vanishes becomes so small that its squares are no doubles: that is said, and not that a rank is lost. */
TEST(a_factor_beyond_doubles_is_no_singular_state)
{
    static const char *const integrator[] = {"dop853", "taylor", "bdf", "adams"};
    static const char model[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = "
                                "0.3\nconstraint c: exp(-50*x^2)*(x' - y') = 0\n"
                                "start x = -1, y = -1, x' = 1, y' = 1\nsimulate t = 0 .. 4\n";
    for (int i = 0; i < 4; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = integrator[i];
        answer a = simulate(model, &o, NULL, NULL);
        CHECK_INT(a.status, AH_E_NUMERIC);
        CHECK(strstr(reason(&a), "beyond double precision") != NULL);
        CHECK(strstr(reason(&a), "singular") == NULL);
        forget(&a);
    }
}
