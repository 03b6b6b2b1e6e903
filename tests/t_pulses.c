/* tests/t_pulses.c - what comes and goes by time alone, or in places, within what would be one step, against closed forms. */
#include "motions.h"

#include <math.h>
#include <stdio.h>

/* What each reaches of 1 at 1e-10; what was stepped over moves ends by 1e-3. BDF and Adams lose digits where a pulse is 1e-4 of the time. */
static const struct by {
    const char *integrator;
    double reaches;
} by[] = {{NULL, 2e-8},    {"dop853", 2e-8}, {"taylor", 2e-8},
          {"adams", 3e-6}, {"bdf", 3e-6},    {"ida", 3e-6}};
enum { WAYS = sizeof by / sizeof *by };

#define WIDTH 1e-3
#define AREA  (1.7724538509055160273 * WIDTH) /* of exp(-s²) */
#define BELL  "exp(-((t - 5)/1e-3)^2)"
#define FREE  "coordinate x\nkinetic x'^2/2\n"
#define SPAN  "simulate t = 0 .. 10\n"

typedef struct pulsed {
    const char *name, *text, *what;
    double want;
    bool formulas; /* of constraints, for IDA */
} pulsed;

static void follows(const pulsed *c)
{
    ah_simulate_options o = ah_simulate_defaults();
    for (int i = 0; i < WAYS; i++) {
        o.integrator = by[i].integrator;
        if (!c->formulas && i == WAYS - 1) continue;
        answer a = simulate(c->text, &o, NULL, NULL);
        CHECK_STR(reason(&a), "");
        CHECK_NEAR(final(&a, c->what, 0), c->want, 1, by[i].reaches * 0x1p52, c->name);
        forget(&a);
    }
}

/* The velocity gains what the force sums up to. */
TEST(forces_of_all_shapes)
{
    const pulsed all[] = {
        {"bell", FREE "force x = " BELL "\nstart x = 0, x' = 1\n" SPAN, "qdot", 1 + AREA, true},
        {"backwards", FREE "force x = " BELL "\nstart x = 0, x' = 1\nsimulate t = 10 .. 0\n",
         "qdot", 1 - AREA, true},
        {"by a potential", FREE "potential -x*" BELL "\nstart x = 0, x' = 1\n" SPAN, "qdot",
         1 + AREA, true},
        {"by an input", "input u = " BELL "\n" FREE "force x = u\nstart x = 0, x' = 1\n" SPAN,
         "qdot", 1 + AREA, true},
        {"by the velocity", FREE "force x = -1000*x'*" BELL "\nstart x = 0, x' = 1\n" SPAN, "qdot",
         exp(-1000 * AREA), true},
        {"narrower", FREE "force x = 100*exp(-((t - 5)/1e-5)^2)\nstart x = 0, x' = 1\n" SPAN,
         "qdot", 1 + AREA, true},
        {"in a long time",
         FREE "force x = exp(-((t - 5e3)/1e-3)^2)\nstart x = 0, x' = 1\nsimulate t = 0 .. 1e4\n",
         "qdot", 1 + AREA, true},
        {"beside what is slow",
         FREE "force x = 3*exp(-t/20) + " BELL "\nstart x = 0, x' = 0\n" SPAN, "qdot",
         60 * (1 - exp(-0.5)) + AREA, true},
        {"two at once",
         FREE "force x = " BELL " - exp(-((t - 5.01)/2e-3)^2)\nstart x = 0, x' = 1\n" SPAN, "qdot",
         1 - AREA, true},
        {"a train",
         FREE "force x = 1/(1 + (sin(pi*t)/1e-3)^2)\nstart x = 0, x' "
              "= 0\n" SPAN,
         "qdot", 10e-3 / sqrt(1 + 1e-6), true},
        {"a quotient", FREE "force x = 1/(1 + ((t - 5)/1e-3)^2)\nstart x = 0, x' = 1\n" SPAN,
         "qdot", 1 + 2e-3 * atan(5e3), true},
        {"far terms overflow", FREE "force x = 1/cosh((t - 6)/1e-3)^2\nstart x = 0, x' = 1\n" SPAN,
         "qdot", 1.002, true},
        {"two that rise",
         FREE
         "force x = (tanh((t - 5)/1e-4) - tanh((t - 5.01)/1e-4))/2\nstart x = 0, x' = 1\n" SPAN,
         "qdot", 1.01, true},
        {"their product",
         FREE "force x = (1 + tanh((t - 5)/1e-4))*(1 - tanh((t - 5.01)/1e-4))/4\nstart x = 0, x' = "
              "1\n" SPAN,
         "qdot", 1.01, true},
        {"a high power", FREE "force x = sin(t)^200\nstart x = 0, x' = 0\nsimulate t = 0 .. 3*pi\n",
         "qdot", 3 * acos(-1) * exp(lgamma(201) - 2 * lgamma(101) - 200 * log(2)), true},
        {"what turns back", FREE "force x = 1 - tanh((t - 5)/1e-3)^2\nstart x = 0, x' = 1\n" SPAN,
         "qdot", 1.002, true},
        {"between two zeros",
         FREE "force x = max(0, 1 - ((t - 5)/1e-3)^2)\nstart x = 0, x' = 1\n" SPAN, "qdot",
         1 + 4e-3 / 3, true},
        {"up to its end",
         FREE
         "force x = max(0, 1 - ((t - 5)/1e-2)^2)\nstart x = 0, x' = 1\nsimulate t = 0 .. 5.01\n",
         "qdot", 1 + 4e-2 / 3, true},
        {"half a pulse", FREE "force x = if(t < 5, 0, 1)*" BELL "\nstart x = 0, x' = 1\n" SPAN,
         "qdot", 1 + AREA / 2, true},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) follows(&all[i]);
}

/* What drives places and velocities, and a mass: its rate is nothing where it is largest. */
TEST(constraints_and_masses)
{
    static const char two[] = "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n";
    char text[4][400];
    snprintf(text[0], sizeof *text, "%sconstraint c: x' = %s\nstart x = 0, y = 0, y' = 1\n%s", two,
             BELL, SPAN);
    snprintf(text[1], sizeof *text,
             "%sconstraint c: x = (tanh((t - 5)/1e-3) - tanh((t - 5.02)/1e-3))/2\nforce y = "
             "x\nstart y = 0, y' = 0\n%s",
             two, SPAN);
    snprintf(text[2], sizeof *text,
             "%svelocity v: x' = v*(1 + %s), y' = 0\nstart x = 0, y = 0, v = 1\n%s", two, BELL,
             SPAN);
    snprintf(text[3], sizeof *text,
             "coordinate x\nkinetic x'^2*(1 + %s)/2\nstart x = 0, x' = 1\n%s", BELL, SPAN);
    const pulsed all[] = {{"velocity", text[0], "q", AREA, true},
                          {"speed", text[2], "qdot", 1, false},
                          /* ∫ ds/(1 + exp(s²)) = √π η(1/2) */
                          {"mass", text[3], "q", 10 - AREA * 0.6048986434216303702, true}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) follows(&all[i]);
    for (int i = 0; i < WAYS; i++) {
        ah_simulate_options o = ah_simulate_defaults();
        o.integrator = by[i].integrator;
        answer a = simulate(text[1], &o, NULL, NULL);
        CHECK_NEAR(final(&a, "qdot", 1), 0.02, 1, by[i].reaches * 0x1p52, "place");
        forget(&a);
    }
}

#define PLACE "exp(-((x - 1)/1e-3)^2)"
#define PLANE "coordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
#define GOES  "start x = 0, x' = 1\n" SPAN

/* The energy gains what the force sums up to. */
TEST(forces_that_are_short_in_places)
{
    const double pi = acos(-1);
    const pulsed all[] = {
        {"bell", FREE "force x = " PLACE "\n" GOES, "qdot", sqrt(1 + 2 * AREA), true},
        {"backwards", FREE "force x = " PLACE "\nstart x = 2, x' = 1\nsimulate t = 10 .. 0\n",
         "qdot", sqrt(1 - 2 * AREA), true},
        {"narrower", FREE "force x = 1e4*exp(-((x - 1.0123)/1e-7)^2)\n" GOES, "qdot",
         sqrt(1 + 2 * AREA), true},
        {"a hill", FREE "potential 0.6*" PLACE "\n" GOES, "qdot", -1, true},
        {"a step", FREE "potential 0.1*tanh((x - 1)/1e-4)\n" GOES, "qdot", sqrt(0.6), true},
        {"two walls", FREE "force x = (tanh((x - 1)/1e-5) - tanh((x - 1.001)/1e-5))/2\n" GOES,
         "qdot", sqrt(1 + 2e-3), true},
        {"a quotient", FREE "force x = 1/(1 + ((x - 1)/1e-4)^2)^8\n" GOES, "qdot",
         sqrt(1 + 2e-4 * pi * 429 / 2048), true}, /* ∫ (1 + s²)^-8 ds = π C(14, 7)/4^7 */
        {"a quotient of long tails", FREE "force x = 1/(1 + ((x - 1)/1e-6)^2)\n" GOES, "qdot",
         sqrt(1 + 2e-6 * (atan(1e6) + atan(9e6))), true},
        {"a place that moves", FREE "force x = exp(-((x - 1 - t/2)/1e-3)^2)\n" GOES, "qdot",
         0.5 + sqrt(0.25 + 2 * AREA), true},
        {"a mass", "coordinate x\nkinetic x'^2*(1 + 3*" PLACE ")/2\nstart x = 0, x' = 1\n" SPAN,
         "qdot", 1, true},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) follows(&all[i]);
}

/* Of what is passed across, and more than once: y' gains AREA over the speed across. */
TEST(places_on_the_way_of_others)
{
    const double pi = acos(-1);
    static const char circle[] = "coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                                 "force z = exp(-((x^2 + y^2 - 25)/1e-3)^2)\n"
                                 "start x = -9, y = 3, z = 0, x' = 1, y' = 0, z' = 0\n"
                                 "simulate t = 0 .. 18\n";
    const pulsed all[] = {
        {"swinging",
         PLANE "potential x^2/2\nforce y = exp(-((x - 1/2)/1e-4)^2)\n"
               "start x = 1, y = 0, x' = 0, y' = 0\nsimulate t = 0 .. 7*pi\n",
         "y'", 7 * AREA / 10 / sin(pi / 3), true},
        {"a ring", circle, "z'", 2 * AREA / 8, true},
    };
    for (size_t i = 0; i < sizeof all / sizeof *all; i++)
        for (int k = 0; k < WAYS; k++) {
            ah_simulate_options o = ah_simulate_defaults();
            o.integrator = by[k].integrator;
            answer a = simulate(all[i].text, &o, NULL, NULL);
            CHECK_STR(reason(&a), "");
            CHECK_NEAR(final(&a, "qdot", i + 1), all[i].want, 1, by[k].reaches * 0x1p52,
                       all[i].name);
            forget(&a);
        }
}

/* Tolerances that are coarser than the pulse: v grows from 1 to 1.16. */
TEST(pulses_at_coarse_tolerances)
{
    static const char *const way[] = {"dop853", "taylor", "adams"}, *const force[] = {
                                                                        "t - 0.01", "x - 0.01",
                                                                        "t - 1", "x - 0.1"};
    for (int k = 0; k < 3; k++)
        for (int i = 0; i < 4; i++) {
            char text[300];
            ah_simulate_options o = ah_simulate_defaults();
            o.integrator = way[k];
            o.rtol = 1e-2;
            o.atol = 1e-4;
            snprintf(text, sizeof text,
                     "coordinate x\nkinetic x'^2/2\nforce x = 100*exp(-((%s)/1e-3)^2)\n" GOES,
                     force[i]);
            answer a = simulate(text, &o, NULL, NULL);
            const double want = i % 2 ? sqrt(1 + 200 * AREA) : 1 + 100 * AREA;
            CHECK_NEAR(final(&a, "qdot", 0), want, 1, 0.06 * 0x1p52, way[k]);
            forget(&a);
        }
}

/* What is smooth costs no steps: as many as where a coordinate that time drives, s = t, is in its place. */
TEST(smooth_forces_take_the_same_steps)
{
    static const char *const force[] = {"exp(-u/10)*sin(u)", "1/(1 + u^2)", "tanh(u - 5)",
                                        "sin(3*u)", "exp(-(u - 5)^2)"};
    for (size_t i = 0; i < sizeof force / sizeof *force; i++)
        for (int k = 1; k < WAYS; k++) {
            double steps[2];
            for (int of_time = 0; of_time < 2; of_time++) {
                char text[300];
                ah_simulate_options o = ah_simulate_defaults();
                o.integrator = by[k].integrator;
                snprintf(text, sizeof text,
                         "coordinate x, s\nkinetic (x'^2 + s'^2)/2\npotential x^2/2\n"
                         "let u = %s\nforce x = %s\nstart x = 1, x' = 0, s = 0, s' = 1\n%s",
                         of_time ? "t" : "s", force[i], SPAN);
                answer a = simulate(text, &o, NULL, NULL);
                steps[of_time] = number(&a, NULL, "steps");
                forget(&a);
            }
            CHECK_NEAR(steps[1], steps[0], steps[0] + 40, 0.05 * 0x1p52, force[i]);
        }
}
