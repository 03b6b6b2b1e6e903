/* t_conditions.c - claims about some states alone (`when`), and about objects of a method's worksheet (`by`).
 * Their labels begin with the verdict that they must get; what they say is known in closed form, or false on
 * purpose. */
#include "harness/harness.h"
#include "harness/verdicts.h"

#include <anholo/anholo.h>

#include <stdio.h>
#include <string.h>

static const char pendulum[] = "parameter m1 = 1, m2 = 1.6\ncoordinate x1, y1, x2, y2\n"
                               "point P1 mass m1 at (x1, y1)\npoint P2 mass m2 at (x2, y2)\n"
                               "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n"
                               "let v1sq = x1'^2 + y1'^2\nlet v2sq = x2'^2 + y2'^2\n";

static const char blade[] =
    "parameter m = 2, s = 0.3, I = 0.5, k = 3\ncoordinate x, y, theta\n"
    "kinetic m*(x'^2 + y'^2)/2 + m*s*theta'*(y'*cos(theta) - x'*sin(theta)) + I*theta'^2/2\n"
    "constraint edge: y'*cos(theta) - x'*sin(theta) = 0\n";

static void check(const char *system, const char *claims)
{
    char model[8192];
    snprintf(model, sizeof model, "%s%s", system, claims);
    check_verdicts(model, NULL);
}

/* The motion is the system's own: P1 moves straight while P2 stands, for the multiplier vanishes; with v2 = 0
 * as a constraint it would say nothing of the multiplier. */
TEST(values)
{
    check(pendulum,
          "claim \"proved 1\": x1'' = 0 when x2' = 0, y2' = 0\n"
          "claim \"proved 2\": lambda[1] = 0 when x2' = 0, y2' = 0\n"
          "claim \"proved 3\": G[1,1] = (x2^2*y1'^2 + (x1*x1' + (y1 - y2)*y1')^2)/m2 when x2' = 0, "
          "y2' = 0\n"
          "claim \"false 4\": x1'' = -y1'^2/x1 when x2' = 0, y2' = 0\n"
          "claim \"false 5\": x1'' = 0 when y2 = 0\n"
          "claim \"proved 6\": constant v1sq when y2 = x2, x2 = y1 + 1\n"
          "claim \"proved 7: they fall together\": x1'' = x2'' when x2 = x1, y2 = y1, x2' = x1', "
          "y2' = "
          "y1'\n");
    check(blade, "claim \"proved 1\": theta'' = 0 when theta' = 0\n"
                 "claim \"false 2\": theta'' = 0 when theta = 0\n"
                 "claim \"proved 3\": y' = 0 when theta = 0\n"
                 "claim \"false 4\": lambda[1] = 0 when theta' = x'\n"
                 "claim \"proved 5\": k*theta'' = 0 when theta' = 0, k > 1\n"
                 "claim \"false 6: k is free\": k*theta'' = 3*theta'' when k > 1\n"
                 "claim \"proved 7\": constant theta' when theta' = 0\n");
}

/* Equations beside them: the set may fall into components, and relations choose among these. */
TEST(equations)
{
    check(pendulum,
          "claim \"proved 1\": x1'' = 0 when y1'*v2sq = y2'*v1sq, y1' != 0, y2' != 0\n"
          "claim \"proved 2\": v1sq*(x1^2*y2'^2 + (y1*y2' - x2*x2')^2) = x1^2*v2sq^2 when y2 = 0, "
          "y1'*v2sq = y2'*v1sq, y1' != 0, y2' != 0\n"
          "claim \"false 3: where P1 stands\": v1sq*(x1^2*y2'^2 + (y1*y2' - x2*x2')^2) = "
          "x1^2*v2sq^2 when y2 = 0, y1'*v2sq = y2'*v1sq\n");
    check(blade, "claim \"false 1: or x' is\": theta' = 0 when theta'*x' = 0\n"
                 "claim \"proved 2\": theta'*x' = 0 when theta'*x' = 0\n");
}

/* Of no state nothing is said. */
TEST(no_states)
{
    check(pendulum,
          "claim \"unknown 1: singular\": x1'' = 5 when x1' = 0, y1' = 0, x2' = 0, y2' = 0\n"
          "claim \"unknown 2: singular\": x1'' = x1'' when x1' = 0, y1' = 0, x2' = 0, y2' = 0\n"
          "claim \"unknown 3: thin\": x1'' = 5 when x1'^2 + y1'^2 = 0\n");
    check(blade, "claim \"unknown 1\": x' = 1 when theta' = 0, theta' > 1\n"
                 "claim \"unknown 2: special places\": x' = 1 when theta = 0, x' = 1, y' = 1\n"
                 "claim \"unknown 3: nothing is divided by zero\": x'/y' = 5*x'/y' when y' = 0\n"
                 "claim \"unknown 4: not even when it cancels\": y'*x'/y' = 5*x' when y' = 0\n"
                 "claim \"unknown 5\": x'' = x'' when x'^2 + theta'^2 = 0\n");
    check_verdicts("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nvelocity z: x' = z, y' = x*z\n"
                   "claim \"unknown 1: the form stands alone\": x'' = 0 when x' = 0\n",
                   NULL);
}

/* Velocity parameters are what the velocities say, where these are linear in them; of what the velocity form makes nothing
 * is said. */
TEST(velocity_parameters)
{
    check(blade, "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n"
                 "claim \"false 1\": v = 0 when theta' = 1\n"
                 "claim \"proved 2\": v' = s when w = 1\n"
                 "claim \"proved 7\": w' = 0 when v = 0\n"
                 "claim \"false 8\": v' = 0 when v = 0\n"
                 "claim \"false 9\": x' = v when w = 0\n"
                 "claim \"proved 10\": x' = v when theta = 0\n"
                 "claim \"unknown 3\": Gz[1,1] = m when theta' = 1\n"
                 "claim \"unknown 4\" by parametric: Psi[1,1] = cos(theta) when theta' = 1\n"
                 "claim \"proved 5\": theta'' = 0 when theta' = 0\n"
                 "claim \"proved 6\": x''*cos(theta) + y''*sin(theta) = s when theta' = 1\n");
}

/* The states of a kinematic model are coordinates and inputs; the rates of the inputs are free. */
TEST(kinematic)
{
    static const char unicycle[] =
        "parameter k = 3\ncoordinate x, y, theta\ninput v = 1, w = 0.3\n"
        "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n";
    check(unicycle,
          "claim \"proved 1\": y' = 0 when theta = 0\n"
          "claim \"proved 2\": x'' = v' when theta = 0\n"
          "claim \"proved 3\": y'' = v*w when theta = 0\n"
          "claim \"false 4\": y'' = v*w when theta = pi\n"
          "claim \"proved 5\": x' = 0 when v = 0\n"
          "claim \"proved 6\": x'' = v'*cos(theta) when w = 0\n"
          "claim \"false 7: v' is free\": x'' = 0 when v = 0\n"
          "claim \"proved 8\": x''*sin(theta) = y''*cos(theta) when v*w = 0\n"
          "claim \"false 9: on one component\": x' = 0 when v*w = 0\n"
          "claim \"proved 10\": theta' = 2*v when theta' = 2*v\n"
          "claim \"proved 11\": y''*cos(theta) - x''*sin(theta) = 2*v^2 when theta' = 2*v\n"
          "claim \"false 12\": y''*cos(theta) - x''*sin(theta) = (2 + 1e-9)*v^2 when theta' = 2*v\n"
          "claim \"false 13: no rate of what has a value\": theta' = 0 when theta = 0\n"
          "claim \"unknown 14: no state\": x' = 1 when v^2 + w^2 = 0\n"
          "claim \"unknown 15: no state\": x' = x' when v = 1, v < 0\n"
          "claim \"proved 16\": sqrt(x'^2 + y'^2) = v when v > 0\n"
          "claim \"false 17\": sqrt(x'^2 + y'^2) = v when v > -1\n"
          "claim \"proved 18: k is free\": k*y' = 0 when theta = 0, k > 1\n"
          "claim \"false 19: k is free\": k*x' = 3*x' when theta = 0, k > 1\n"
          "claim \"proved 20\": constant theta when w = 0\n"
          "claim \"false 21\": constant x when theta = 0\n"
          "claim \"unknown 22: special places\": y' = 0 when x'*y' = 0, x' != 0\n"
          "claim \"false 23: or v = 0\": cos(theta) = 0 when x' = 0\n");
    /* z is not linear in the velocities */
    check("coordinate x, y\ninput a = 1\nvelocity a: x' = cos(a), y' = sin(a)\n",
          "claim \"proved 1\": x' = 1 when a = 0\nclaim \"false 2\": x' = 1 when y' = 0\n"
          "claim \"proved 3\": x''*x' = -y''*y' when a = x\n"
          "claim \"false 4\": y'' = 0 when a = 0\nclaim \"unknown 5\": x' = x' when x' = 2\n"
          "claim \"proved 6\": x' = cos(x) when a = x\n");
    check("coordinate x, y\ninput v = 1\nvelocity v: x' = v, y' = x*v\n",
          "claim \"unknown 1: x = x*v\": v = 1 when x = y'\n"
          "claim \"proved 2\": y' = v*y when x = y\n");
    /* the velocity form gives nothing where cos(theta) = 0: the input counts, not what the velocities make of it */
    check("coordinate x, theta\ninput v = 1, w = 1\nvelocity v, w: x' = v*cos(theta), theta' = w\n",
          "claim \"proved 1\": v = 2 when v = 2\nclaim \"proved 2: at regular states\": v = 0 when "
          "x' = 0\n");
}

/* An assumption on velocities is one on the inputs; with functions that nobody knows. */
TEST(kinematic_assumptions)
{
    check("coordinate x\ninput v = 1\nvelocity v: x' = v\nassume x' > 0\n",
          "claim \"proved 1\": abs(v) = v\nclaim \"proved 2\": sqrt(x'^2) = v\n"
          "claim \"false 3\": abs(v) = -v\nclaim \"proved 4\": abs(v) = v when x = 1\n"
          "claim \"unknown 5: no state\": v = 1 when v = -1\n");
    check("function f(x)\ncoordinate x, y\ninput v = 1\nvelocity v: x' = v, y' = f(x)*v\n",
          "claim \"proved 1\": y' = f(x)*x'\nclaim \"false 2\": y' = x'\n"
          "claim \"false 3\": y' = x' when v = 1\nclaim \"proved 4\": constant x - x\n");
}

/* J a = −γ with J = (1 − k y', −y'²), γ = 0: the multiplier is 0.3 x' y'² / ((1 − k y')² + y'⁴). Such a constraint binds
 * no state; where the accelerations are one of several nothing is said. */
TEST(second_class)
{
    static const char linear[] =
        "parameter k = 0.7\ncoordinate x, y\nkinetic x'^2 + y'^2\nforce y = 0.3*x'\n"
        "constraint c: x'' - k*y'*x'' = y'^2*y''\n";
    check(linear, "claim \"proved 1\": x'' = 0 when y' = 0\n"
                  "claim \"proved 2\": lambda[1] = 0.3*y'^2/((1 - k*y')^2 + y'^4) when x' = 1\n"
                  "claim \"false 3\": x'' = 0 when x' = 1\n"
                  "claim \"proved 4\": y'' = 0.15 when x' = 1, y' = 0\n"
                  "claim \"false 5\": y'' = 0.15 when x' = 1\n"
                  "claim \"proved 6\": constant x' when x' = 0\n");
    check("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nforce z = 0.5\n"
          "constraint c: z'' = x''*y''\n",
          "claim \"unknown 1\": x'' = 0 when x' = 0\n");
}

/* P_mu = dT/dw_mu with all w kept; on w1 = 0 [H, 238]. */
TEST(objects)
{
    check(blade,
          "quasivelocity w1 = y'*cos(theta) - x'*sin(theta), w2 = x'*cos(theta) + y'*sin(theta), "
          "w3 = theta'\n"
          "claim \"proved 1\" by hamel: P[1] = m*s*w3\n"
          "claim \"proved 2\" by hamel: P[2] = m*w2\n"
          "claim \"proved 3\" by hamel: P[3] = I*w3\n"
          "claim \"false 4\" by hamel: P[1] = 0\n"
          "claim \"proved 5: with P and M alike\" by hamel: P[2]*M[1,1] = m^2*w2\n"
          "claim \"proved 6\" by multipliers: pi[1,1] + pi[2,2] + pi[3,3] = 1\n"
          "claim \"proved 7\" by multipliers: C[1,2] = cos(theta)\n"
          "claim \"proved 8\" by multipliers: C[1] = 0\n"
          "claim \"proved 9\" by gauss: L[1] = m*s*theta'^2*cos(theta)\n"
          "claim \"proved 10: a scalar without index\" by multipliers: K - kinetic = 0\n"
          "claim \"false 11\" by boltzmann-hamel: mu[1] = 0\n"
          "claim \"proved 12\" by hamel: P[1] = 0 when theta' = 0\n");
}

/* What depends on the choice of independent velocities, or of a basis, is what the worksheet shows: at states with x' = 0 nearly, a
 * run takes others than y' and z'. */
TEST(objects_of_a_choice)
{
    check_verdicts("parameter m = 1.25, k = 0.75, g = 9.81\ncoordinate x, y, z\nassume z' > 0\n"
                   "point P mass m at (x, y, z)\ngravity (0, 0, -g)\n"
                   "constraint cone: x'^2 + y'^2 - k^2*z'^2 = 0\n"
                   "claim \"proved 1\" by parametric: Psi[1,1] = -y'/x'\n"
                   "claim \"false 2\" by parametric: Psi[1,1] = -x'/y'\n"
                   "claim \"proved 3\" by massa-pagani: a_A_B[1,1] = m*y'^2/x'^2 + m\n"
                   "claim \"proved 4\" by massa-pagani: a_A_B[1,1]*y'' + a_A_B[1,2]*z'' = Z_B[1]\n"
                   "claim \"false 5\" by massa-pagani: a_A_B[1,1]*y'' = Z_B[1]\n",
                   NULL);
    check_verdicts("parameter m = 2, I = 0.3\ncoordinate x, y, th\n"
                   "kinetic m*(x'^2 + y'^2)/2 + I*th'^2/2\n"
                   "velocity v, w: x' = v*cos(th), y' = v*sin(th), th' = w\n"
                   "claim \"proved 1\" by multipliers: X[1,1] = -sin(th)*cos(th)\n"
                   "claim \"false 2\" by multipliers: X[1,1] = -sin(th)\n"
                   "claim \"proved 3\" by multipliers: pi[1,1] = sin(th)^2\n"
                   "claim \"false 4\" by multipliers: pi[1,1] = cos(th)^2\n",
                   NULL);
}

static void check_unknown(const char *claim, const char *code)
{
    char model[4096];
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    ah_answer *out = NULL;
    snprintf(model, sizeof model, "%s%s", blade, claim);
    REQUIRE(ah_read(ctx, "test", model, strlen(model), NULL, &m) == AH_OK);
    CHECK(ah_verify(m, NULL, &out) == AH_E_INPUT);
    REQUIRE(ah_diagnostic_count(ctx) > 0);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, code);
    CHECK(strstr(ah_diagnostics_text(ctx, false), "test:5:") != NULL);
    ah_ctx_destroy(ctx);
}

TEST(objects_that_are_not_there)
{
    check_unknown("claim \"a\" by nobody: P[1] = 0\n", "A0501");
    check_unknown("claim \"a\" by hamel: Y[1] = 0\n", "A0503");
    check_unknown("claim \"a\" by hamel: P[4] = 0\n", "A0503");
    check_unknown("claim \"a\" by hamel: P[1,1] = 0\n", "A0503");
    check_unknown("claim \"a\" by hamilton: H = 0\n", "A0503");
    check_unknown("output by nobody: a = P[1]\nclaim \"a\": x = x\n", "A0501");
    check_unknown("output by hamel: a = P[4]\nclaim \"a\": x = x\n", "A0503");
}

/* The hint fits: a method that does not apply lists nothing, and a coordinate has no limit. */
TEST(hints_of_objects_and_limits)
{
    static const struct {
        const char *claim, *hint;
    } all[] = {{"claim \"a\" by hamilton: H = 0\n", "say by another method"},
               {"claim \"a\" by hamel: Y[1] = 0\n", "--method hamel lists what it has"},
               {"claim \"a\": limit x -> 0: x = 0\n", "write: limit rho -> 0: e1 = e2"}};
    for (size_t i = 0; i < sizeof all / sizeof *all; i++) {
        char model[4096];
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        ah_answer *out = NULL;
        snprintf(model, sizeof model, "%s%s", blade, all[i].claim);
        if (ah_read(ctx, "test", model, strlen(model), NULL, &m) == AH_OK) ah_verify(m, NULL, &out);
        CHECK(strstr(ah_diagnostics_text(ctx, false), all[i].hint) != NULL);
        ah_ctx_destroy(ctx);
    }
}

/* Velocities that are not linear in their parameters; functions that are not specified can be refuted alone. */
TEST(no_way_back)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    static const char curved[] =
        "coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x'^2 + y'^2 = 1\n"
        "velocity a: x' = cos(a), y' = sin(a)\nclaim \"1\": x'' = 0 when a = 0\n";
    CHECK(ah_read(ctx, "test", curved, strlen(curved), NULL, &m) == AH_E_INPUT);
    REQUIRE(ah_diagnostic_count(ctx) > 0);
    CHECK_STR(ah_diagnostic_get(ctx, 0)->code, "A0402");
    ah_ctx_destroy(ctx);
    check_verdicts("function V(x, y)\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\npotential V(x, y)\n"
                   "claim \"unknown 1\": x' = 0 when x' = 0\n"
                   "claim \"false 2\": x'' = 0 when x' = 0\n",
                   NULL);
}

/* A power with a free exponent in the velocity form; values and equations for inputs together; a bound place. */
TEST(kinematic_powers)
{
    check("parameter h\ncoordinate x, y\ninput u = 1, w = 0\n"
          "velocity u, w: x' = u, y' = (x^2 + 1)^h*w\n",
          "claim \"proved 1\": x' = u when y = 1\n"
          "claim \"false 2\": y' = w when x = 1\n"
          "claim \"proved 3\": y' = w when x = 0\n"
          "claim \"proved 4\": y' = 2^h*w when x = 1, u*w = 1\n"
          "claim \"proved 5\": y' = 4*2^h when x = 1, w = 4, u + w = 5\n"
          "claim \"proved 6\": u = 1 when x = 1, w = 4, u + w = 5\n"
          "claim \"false 7\": u = 2 when x = 1, w = 4, u + w = 5\n");
    check("coordinate x, y\ninput u = 1, w = 0\nvelocity u, w: x' = u, y' = (x^2 + 1)^u*w\n",
          "claim \"proved 1\": y' = w when x = 0\n"
          "claim \"proved 2\": y' = 4*w when x = 1, u = 2\n"
          "claim \"false 3\": y' = 2*w when x = 1, u = 2\n"
          "claim \"proved 4\": y' = 2^u*w when x = 1\n");
    check("coordinate x, y\ninput u = 1\nvelocity u: x' = u*y, y' = -u*x\nconstraint c: x^2 + y^2 "
          "= 1\n",
          "claim \"not false 1\": x' = u*y when u > 0\nclaim \"not true 2\": x' = 0 when u > 0\n");
}
