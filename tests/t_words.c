/* t_words.c - claims that say more than an equation: `solution`, `limit`, `singular`, `characteristic`. Their labels begin
 * with the verdict that they must get; what they say is known in closed form, or false on purpose. */
#include "harness/harness.h"
#include "harness/verdicts.h"

#include <anholo/anholo.h>

#include <stdio.h>
#include <string.h>

static void check(const char *system, const char *claims)
{
    char model[8192];
    snprintf(model, sizeof model, "%s%s", system, claims);
    check_verdicts(model, NULL);
}

/* ---- Functions of time ----------------------------------------------------------------------- */

static const char oscillator[] = "parameter m = 2, k = 3, A, b\ncoordinate x, y\n"
                                 "kinetic m*(x'^2 + y'^2)/2\npotential k*x^2/2\n";

TEST(solutions)
{
    check(oscillator,
          "claim \"proved 1\": solution x = A*cos(sqrt(k/m)*t + b), y = A*t\n"
          "claim \"false 2\": solution x = A*cos(k/m*t + b), y = A*t\n"
          "claim \"false 3: a little\": solution x = cos(sqrt(1.5)*t), y = t + 1e-13*t^2\n"
          "claim \"proved 4: k is free\": solution x = A*sin(sqrt(k/m)*t), y = 0 when k > 0\n"
          "claim \"false 5: k is free\": solution x = A*sin(sqrt(3/m)*t), y = 0 when k > 0\n"
          "claim \"proved 6\": solution x = 0, y' = A\n"
          "claim \"false 7\": solution x = 0, y' = A*y\n");
    check("coordinate x\nkinetic x'^2/2\nforce x = -1/(4*x^3)\n",
          "claim \"proved 1: where t > 0\": solution x = sqrt(t)\n"
          "claim \"false 2\": solution x = sqrt(2*t)\n");
    check("coordinate x, y\nparameter w\nkinetic (x'^2 + y'^2)/2\nconstraint ring: x^2 + y^2 = 1\n",
          "claim \"proved 1\": solution x = cos(w*t), y = sin(w*t)\n"
          "claim \"false 2: off the ring\": solution x = cos(w*t), y = 2*sin(w*t)\n"
          "claim \"false 3: on it, but faster\": solution x = cos(t^2), y = sin(t^2)\n"
          "claim \"unknown 4: y is bound\": solution x = cos(w*t), y' = w*cos(w*t)\n");
    /* every state on the way is singular: nothing is said */
    check("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint cone: x'^2 - 2*y'^2 = 0\n",
          "claim \"unknown 1\": solution x = 1, y = 2\n"
          "claim \"proved 2\": solution x = sqrt(2)*t, y = t\n");
    check("coordinate x, y, theta\nkinetic (x'^2 + y'^2 + theta'^2)/2\n"
          "velocity v, w: x' = v*cos(theta), y' = v*sin(theta), theta' = w\n",
          "claim \"proved 1\": solution x = sin(t), y = -cos(t), theta = t, v = 1, w = 1\n"
          "claim \"false 2\": solution x = sin(t), y = cos(t), theta = t, v = 1, w = 1\n"
          "claim \"false 3\": solution x' = t*cos(theta), y' = t*sin(theta), theta = 2, v = t, w = "
          "0\n");
    check("function f(t)\ninput u = 0\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nforce x = "
          "der(der(f(t)))\n"
          "constraint c: y = u\n",
          "claim \"proved 1\": solution x = f(t), y = u\n"
          "claim \"false 2\": solution x = 2*f(t), y = u\n");
}

/* A rate that should be zero, and is a difference of forces: doubles have some rounding error there. */
TEST(solutions_whose_forces_cancel)
{
    check("parameter mu\nassume mu > 0\ncoordinate r, th\nkinetic (r'^2 + r^2*th'^2)/2\n"
          "potential -mu/r\n",
          "claim \"proved 1\": solution r = 1, th = sqrt(mu)*t\n"
          "claim \"proved 2\": solution r = 2, th' = sqrt(mu/8)\n"
          "claim \"false 3\": solution r = 2, th = sqrt(mu)*t\n"
          "claim \"false 4\": solution r = 2, th' = sqrt(mu/8*(1 + 1e-9))\n");
    check("coordinate x\nkinetic x'^2/2\npotential -cos(x)\n",
          "claim \"proved 1\": solution x = pi\nclaim \"false 2\": solution x = 3\n"
          "claim \"proved 3: separatrix\": solution x = 4*atan(exp(t)) - pi\n"
          "claim \"false 4\": solution x = 4*atan(exp(t)) - pi + 1e-9\n");
}

/* ---- Limits ---------------------------------------------------------------------------------- */

TEST(limits)
{
    check("parameter m = 2, rho = 1, a = 3\nassume rho > 0\ncoordinate x, y\n"
          "kinetic m*(x'^2 + rho^2*y'^2)/2\nforce x = rho*a*x' + a*y\nforce y = rho*x\n",
          "claim \"proved 1\": limit rho -> 0: m*x'' = a*y\n"
          "claim \"false 2\": limit rho -> 0: m*x'' = 2*a*y\n"
          "claim \"false 3\": limit rho -> 0: m*y'' = x\n"
          "claim \"proved 4\": limit rho -> 0: m*y''*rho = x\n"
          "claim \"proved 5\": limit rho -> inf: x''/rho = a/m*x'\n"
          "claim \"proved 6\": limit rho → inf: rho/(rho + x) = 1\n"
          "claim \"proved 7\": limit a -> 1: (a^2 - 1)/(a - 1) = 2\n"
          "claim \"false 8\": limit a -> 1: (a^2 - 1)/(a - 1) = 2 + 1e-14\n"
          "claim \"false 9: another from below\": limit a -> 0: abs(a)/a = 1\n"
          "claim \"proved 10\": limit t -> inf: exp(-t)*x = 0\n"
          "claim \"unknown 11\": limit t -> inf: sin(t) = 0\n"
          "claim \"false 12\": limit t -> inf: t*x = 0\n"
          "claim \"proved 13\": limit t -> -inf: atan(t) = -pi/2\n"
          "claim \"proved 14\": limit a -> 0: sin(a)/a = 1\n"
          "claim \"proved 15\": limit a -> 0: (1 - cos(a))/a^2 = 1/2\n"
          "claim \"false 16\": limit a -> 0: (1 - cos(a))/a^2 = 1\n"
          "claim \"proved 17\": limit rho -> 0: sqrt(rho) + rho*log(2 + rho) = 0\n"
          "claim \"unknown 18: both grow\": limit t -> inf: t = t\n"
          "claim \"proved 19\": limit a -> 0: (sqrt(1 + a) - 1)/a = 1/2\n");
    /* what stays fixed: the velocity parameters */
    static const char wheel[] =
        "parameter rho = 1, k = 2\nassume rho > 0\ncoordinate x, phi\n"
        "kinetic (x'^2 + rho*phi'^2)/2\npotential k*x\nconstraint rolling: x' = rho*phi'\n";
    check(wheel, "claim \"unknown 1\": limit rho -> 0: x' = 0\n");
    check(wheel, "velocity v: x' = v, phi' = v/rho\n"
                 "claim \"false 1: it turns ever faster\": limit rho -> 0: rho*phi' = 0\n"
                 "claim \"proved 2\": limit rho -> 0: v'/rho = -k\n"
                 "claim \"false 3\": limit rho -> 0: phi' = 0\n"
                 "claim \"proved 4\": limit rho -> inf: v' = -k\n");
}

/* Where the limit is another one, it is said. */
TEST(exceptions)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    json_tree *answer = verdicts_of(ctx,
                                    "parameter a = 3\ncoordinate x\nkinetic x'^2/2\n"
                                    "claim \"1\": limit a -> 0: a/(a + x) = 0\n",
                                    NULL);
    const json_tree *c = answer ? json_tree_get(answer, "claims")->first : NULL;
    CHECK_STR(c ? json_tree_get(c, "verdict")->text : "", "proved");
    CHECK_STR(c && json_tree_get(c, "why") ? json_tree_get(c, "why")->text : "",
              "where x² does not vanish");
    json_tree_free(answer);
    ah_ctx_destroy(ctx);
}

/* ---- Singular states ------------------------------------------------------------------------- */

TEST(singular_states)
{
    check("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x*x' + y*y' = 0\n",
          "claim \"proved 1\": singular x = 0, y = 0\n"
          "claim \"proved 2\": singular x + y = 0, x - y = 0\n"
          "claim \"false 3\": singular x = 0\n"
          "claim \"false 4\": singular nowhere\n"
          "claim \"false 5\": singular x = 0, y = 0, z = 0\n"
          "claim \"false 6\": singular x = 0, y = 0 or z = 0\n"
          "claim \"proved 7: the same twice\": singular x = 0, y = 0 or y = 0, x = 0, z = 0\n");
    check("coordinate x1, y1, x2, y2\nkinetic (x1'^2 + y1'^2 + x2'^2 + y2'^2)/2\n"
          "constraint pivot: x1*x1'*y2' - x2*x2'*y1' + (y1 - y2)*y1'*y2' = 0\n",
          "claim \"proved 1\": singular x1 = 0, y1' = 0, x2*x2' = y2'*(y1 - y2) or x1 = 0, x2 = 0, "
          "y1 = y2 "
          "or x2 = 0, y2' = 0, x1*x1' + y1'*(y1 - y2) = 0 or x1' = 0, y1' = 0, x2' = 0, y2' = 0\n"
          "claim \"false 2: one is missing\": singular x1 = 0, y1' = 0, x2*x2' = y2'*(y1 - y2) or "
          "x1 = 0, "
          "x2 = 0, y1 = y2 or x1' = 0, y1' = 0, x2' = 0, y2' = 0\n"
          "claim \"false 3: as printed\": singular x1 = 0, x2 = 0 or y1' = 0, y2' = 0\n");
    check("coordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x'*cos(x) + y'*sin(x) = 0\n",
          "claim \"proved 1\": singular nowhere\nclaim \"false 2\": singular x = 0\n");
}

/* ---- Polynomials ----------------------------------------------------------------------------- */

TEST(polynomials)
{
    check(
        "parameter m = 1, r = 0.5, g = 9.81, Omega = 2, c = 0.3\nassume m > 0, r > 0, g > 0, Omega "
        "> 0\n"
        "coordinate theta\nkinetic m*r^2*(theta'^2 + Omega^2*sin(theta)^2)/2\n"
        "potential -m*g*r*cos(theta)\nforce theta = -c*theta'\n",
        "claim \"proved 1\": characteristic m*r^2*s^2 + c*s + m*g*r - m*r^2*Omega^2 in s at theta "
        "= 0\n"
        "claim \"false 2\": characteristic m*r^2*s^2 + c*s + m*g*r + m*r^2*Omega^2 in s at theta = "
        "0\n"
        "claim \"false 3\": characteristic s^3 + 1 in s at theta = 0\n"
        "claim \"proved 4\": characteristic s*(m*r^2*s^2 + c*s + m*g*r - m*r^2*Omega^2) in s at "
        "theta = 0 "
        "when Omega > 0, c > 0\n"
        "claim \"proved 5\": characteristic m*r^2*s^2 + c*s - m*g*r - m*r^2*Omega^2 in s at theta "
        "= pi\n"
        "claim \"holds 6\": characteristic m*r^2*s^2 + c*s + m*r^2*Omega^2*sin(theta)^2 in s at "
        "theta = acos(g/(r*Omega^2)) when Omega > 8\n"
        "claim \"unknown 7\": characteristic m*r^2*s^2 + c*s + m*r^2*Omega^2*sin(theta)^3 in s at "
        "theta = acos(g/(r*Omega^2)) when Omega > 8\n"
        "claim \"not proved 8: no polynomial\": characteristic sin(s) in s at theta = 0\n");
}

/* ---- Wrong words ----------------------------------------------------------------------------- */

static void check_code(const char *says, const char *code)
{
    char model[512];
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    snprintf(model, sizeof model,
             "parameter m = 1\ncoordinate x, y\nkinetic m*(x'^2 + y'^2)/2\nclaim \"c\": %s\n",
             says);
    CHECK_INT(lang_read(ctx, "test", model, strlen(model), NULL, &m), AH_E_INPUT);
    harness_check(strstr(ah_diagnostics_text(ctx, false), code) != NULL, __FILE__, __LINE__, says);
    ah_ctx_destroy(ctx);
}

TEST(wrong_words)
{
    check_code("solution x = t", "A0303");
    check_code("solution x = t, y = t, x' = 1", "A0303");
    check_code("solution x = y', y = t", "A0402");
    check_code("solution x = y, y = t", "A0402");
    check_code("solution", "A0303");
    check_code("limit q -> 0: x = 1", "A0201");
    check_code("limit x -> 0: x = 1", "A0303");
    check_code("limit m -> m: x = 1", "A0203");
    check_code("limit m -> 0: x", "A0106");
    check_code("limit m -> 0 x = 1", "A0106");
    check_code("limit m -> 0: x' = 1 when x = 0", "A0303");
    check_code("singular x", "A0106");
    check_code("singular x = 0 or", "A0106");
    check_code("characteristic s^2 in x at x = 0", "A0401");
    check_code("characteristic s^2 + u in s at x = 0", "A0201");
}

/* Poles and borders of functions at the limit: 0 times what grows is no 0. */
TEST(limits_at_poles)
{
    check_verdicts("parameter p = 1, c = 1\ncoordinate x\nkinetic x'^2/2\n"
                   "claim \"false 1\": limit p -> pi/2: tan(p)*cos(p) = 0\n"
                   "claim \"proved 2\": limit p -> pi/2: tan(p)*cos(p) = 1\n"
                   "claim \"false 3\": limit p -> 1: (p - 1)*tan(pi*p/2) = 0\n"
                   "claim \"proved 4\": limit p -> c: (p - c)*tan(pi*p/(2*c)) = -2*c/pi\n"
                   "claim \"not proved 5\": limit p -> 0: 1/log(abs(p)) = 1\n"
                   "claim \"not proved 6\": limit p -> 0: sqrt(-p^2) = 0\n"
                   "claim \"not proved 7\": limit p -> 0: asin(1 + p^2) = pi/2\n"
                   "claim \"proved 8\": limit p -> 0: sqrt(p^2*x^2)/abs(p) = abs(x)\n"
                   "claim \"not proved 9\": limit p -> 0: log(-1)*0 + p*x = 0\n"
                   "claim \"unknown 10\": limit p -> 0: log(-p^2)*0 = 0\n"
                   "claim \"unknown 11\": limit p -> 0: 0*sqrt(-1 - p) + p*x = 0\n"
                   "claim \"unknown 12\": limit p -> 0: (-1/p^2)^(-1/2) = 0\n"
                   "claim \"unknown 13\": limit p -> 0: sqrt(-1/p^2) = 0\n"
                   "claim \"unknown 14\": limit p -> 0: 0*asin(2 + p) = p\n"
                   "claim \"proved 15\": limit p -> 0: 0*log(1 + p) + 0/p = p\n"
                   "claim \"proved 16\": limit p -> 0: 0*sqrt(x^2 + p^2) = p*x\n",
                   NULL);
}

/* What solves the equations between its corners or jumps does not solve them. */
TEST(solutions_with_corners)
{
    check_verdicts("parameter w = 2\ncoordinate x\nkinetic x'^2/2\npotential w^2*x^2/2\n"
                   "claim \"not proved 1\": solution x = abs(sin(w*t))\n"
                   "claim \"not proved 2\": solution x = max(sin(w*t), 0)\n"
                   "claim \"not proved 3\": solution x = if(t < 1000, sin(w*t), 1)\n"
                   "claim \"not proved 4\": solution x = sqrt(sin(w*t)^2)\n"
                   "claim \"not proved 5\": solution x = sin(w*t)*sign(t)\n"
                   "claim \"proved 6\": solution x = sin(w*t)\n"
                   "claim \"proved 7\": solution x' = w*sqrt(1 - x^2)\n",
                   NULL);
    check_verdicts("coordinate x\nkinetic x'^2/2\n"
                   "claim \"not proved 1\": solution x = atan(tan(t))\n"
                   "claim \"not proved 2\": solution x = t + tanh(1/(1e6*t)^0)*sign(t - 5)\n"
                   "claim \"not proved 3\": solution x = t + atan(t) + atan(1/t)\n"
                   "claim \"proved 4\": solution x = 1 + (t^2 - 1)/(t - 1)\n"
                   "claim \"proved 5\": solution x = log(exp(2*t))\n",
                   NULL);
}

/* From one side alone; towards minus infinity; where what has a limit is in the velocity form. For y' = 0 the motion is
 * cos(th) (v' cos(th) − v w sin(th)) = −k v cos²(th). */
TEST(limits_from_one_side)
{
    check("parameter m = 2, a = 3, rho = -1\nassume rho < 0\ncoordinate x, y\n"
          "kinetic m*(x'^2 + y'^2)/2\nforce x = a*y + rho*x\n",
          "claim \"proved 1\": limit rho -> 0: abs(rho)/rho = -1\n"
          "claim \"false 2\": limit rho -> 0: abs(rho)/rho = 1\n"
          "claim \"proved 3\": limit rho -> -inf: m*x''/rho = x\n"
          "claim \"false 4: both ways\": limit a -> 0: 1/a = 0\n"
          "claim \"false 5\": limit a -> 0: x = 1/a^2\n"
          "claim \"false 6\": limit a -> 0: atan(1/a) = pi/2\n"
          "claim \"proved 7\": limit a -> 0: (a*x + a^2)/a = x\n");
    check("parameter a = 3, k = 1\nassume k > 0\ncoordinate x, y, th\n"
          "kinetic (x'^2 + y'^2 + th'^2)/2\nforce x = -k*x'\n"
          "velocity v, w: x' = v*cos(th), y' = v*sin(th)/a, th' = w\n",
          "claim \"proved 1\": limit a -> inf: y' = 0\n"
          "claim \"false 2\": limit a -> 0: y' = 0\n"
          "claim \"proved 3\": limit k -> 0: w' = 0\n"
          "claim \"proved 4\": limit a -> 1: v' = -k*v*cos(th)^2\n"
          "claim \"false 5\": limit a -> 1: v' = 0\n"
          "claim \"proved 6\": limit a -> inf: v'*cos(th) = -k*v*cos(th) + v*w*sin(th)\n"
          "claim \"proved 7\": limit a -> 1: (a*x^2 + 1)^k = (x^2 + 1)^k\n");
    /* lambda = (a y − m v²)/(2 r²); with two components what is written through both */
    check(
        "parameter m = 2, a = 3, r = 2\ncoordinate x, y\nkinetic m*(x'^2 + y'^2)/2\npotential a*y\n"
        "constraint rod: x^2 + y^2 = r^2\nstart x = 0, y = 2\n",
        "claim \"not false 1\": limit a -> 0: lambda[1] = -m*(x'^2 + y'^2)/(2*r^2)\n"
        "claim \"not true 2\": limit a -> 0: lambda[1] = 0\n");
    check("parameter a = 3\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\nconstraint c: x'*y' = 0\n",
          "claim \"proved 1\": limit a -> 0: a*x'' = 0\n"
          "claim \"proved 2\": limit a -> 0: (x' + a)*y' = 0\n"
          "claim \"not false 3\": limit a -> 0: x/(x + a) = 1\n");
}

/* Singular states under assumptions, on a place, of accelerations, and where numbers are not rational. */
TEST(singular_states_and_assumptions)
{
    check("coordinate x, y, z\nassume y >= 0, z != 0, x > -100\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
          "constraint c: x*x' + y*y' = 0\n",
          "claim \"proved 1\": singular x = 0, y = 0\n"
          "claim \"false 2\": singular x = 0\n"
          "claim \"not true 3\": singular x = sin(y)\n"
          "claim \"not true 4\": singular x = sqrt(y)\n"
          "claim \"false 5\": singular nowhere\n"
          "claim \"not true 6: x = pi\": singular sin(x) = 0, y = 0\n"
          "claim \"not true 7: x = 2*pi\": singular cos(x) = 1, y = 0\n"
          "claim \"false 8\": singular y = 1/3\n"
          "claim \"false 9\": singular x = 3*y + 1\n"
          "claim \"not false 10\": singular x^2 + y^2 = 0\n"
          "claim \"false 11\": singular x = 0, y = 0 or y = 7*z\n"
          "claim \"not false 12\": singular exp(x) = 1, y = 0\n"
          "claim \"proved 13\": singular x = 0, 2 - cos(x) = 1 + 3*y\n");
    /* y does not vanish */
    check("coordinate x, y, z\nassume y > 1, cos(z) > -2, z^2 >= 0\n"
          "kinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x*x' + y*z*y' = 0\n",
          "claim \"proved 1\": singular x = 0, z = 0\n"
          "claim \"false 2\": singular x = 0, y = 0\n"
          "claim \"false 3\": singular z = 0\n"
          "claim \"false 4\": singular nowhere\n");
    /* with p = 0 all of x = 0 */
    check("parameter p\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
          "constraint c: x*x' + p*y*y' = 0\n",
          "claim \"not proved 1\": singular x = 0, y = 0\n"
          "claim \"false 2\": singular x = 0\n"
          "claim \"false 3\": singular x = p, y = 0\n"
          "claim \"false 4\": singular nowhere\n");
    /* (-2, 0, 1) and (x, y, 0) */
    check("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint place: z = 2*x\n"
          "constraint c: x*x' + y*y' = 0\n",
          "claim \"proved 1\": singular x = 0, y = 0\n"
          "claim \"false 2\": singular x = 0\n"
          "claim \"not false 3\": singular z = 0, y = 0\n"
          "claim \"not true 4: x' is free\": singular z = 0, y = 0, x' = 0\n"
          "claim \"false 5\": singular z = 1, y = 0\n"
          "claim \"false 6\": singular nowhere\n"
          "claim \"false 7\": singular y = 0\n");
    check("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\nconstraint c: x*x'' + y*y'' = z\n",
          "claim \"not true 1\": singular x = 0\nclaim \"not true 2\": singular z = 0\n");
}

/* A place that is free beside a ring; conditions of all three kinds; roots that end; x = sqrt(t − t²) solves, too, but its root
 * is not known to end where it vanishes. */
TEST(solutions_under_conditions)
{
    check("parameter k = 2\ncoordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
          "constraint ring: x^2 + y^2 = 1\n",
          "claim \"proved 1\": solution x = cos(t), y = sin(t), z' = 3\n"
          "claim \"false 2\": solution x = cos(t), y = sin(t), z' = t\n"
          "claim \"proved 3\": solution x = cos(t), y = sin(t), z = k*t when k >= 0\n"
          "claim \"false 4\": solution x = cos(t), y = sin(t), z = k*t^2 when k >= 0\n"
          "claim \"false 5\": solution x = cos(t), y = sin(t), z = k*t^2 when k != 0\n"
          "claim \"proved 6\": solution x = cos(t), y = sin(t), z = k when k != 0\n"
          "claim \"unknown 7: never\": solution x = cos(t), y = sin(t), z = log(-1 - k^2)*t when k "
          "> 0\n");
    check("coordinate x\nkinetic x'^2/2\nforce x = -1/(4*x^3)\n",
          "claim \"proved 1\": solution x = sqrt(1 - t)\n"
          "claim \"false 2\": solution x = sqrt(1 - 2*t)\n"
          "claim \"not false 3\": solution x = sqrt(t - t^2)\n"
          "claim \"proved 4\": solution x = -sqrt(1 - t)\n");
    check("coordinate x\nkinetic x'^2/2\n",
          "claim \"not true 1\": solution x = asin(sin(t))\n"
          "claim \"not true 2\": solution x = acos(cos(t))\n"
          "claim \"not true 3\": solution x = atan2(sin(t), cos(t))\n"
          "claim \"not true 4\": solution x = sign(t)\n"
          "claim \"proved 5\": solution x = sqrt(1 + t^2)^2 - t^2\n"
          "claim \"false 6\": solution x = t*sqrt(t^2)\n");
    /* thrown up it comes down at another rate */
    check("parameter g = 1\ncoordinate x\nassume x >= 0, x' != 7\nkinetic x'^2/2\n"
          "force x = -g*sign(x')\n",
          "claim \"false 1\": solution x = t - t^2/2\n"
          "claim \"false 2\": solution x = t + t^2/2\n"
          "claim \"proved 3\": solution x = 3\n");
    /* accelerations that are one of several */
    check("function f(t)\ncoordinate x, y\nkinetic (x'^2 + y'^2)/2\n"
          "constraint c: x''^2 + y''^2 = 1 + f(t)^2\n",
          "claim \"unknown 1\": solution x = t^2/2, y = 0\n"
          "claim \"unknown 2\": limit t -> 0: x'' = 1\n");
}
