/* t_model_text.c - `dump --stage=model` says what was written: every kind of statement, read and printed. */
#include "harness.h"
#include "lang/lang.h"
#include "model/model.h"

#include <anholo/anholo.h>
#include <string.h>

/* Each of the lines (or several, one after the other) stands in the text of the model. */
static void check_lines(const char *model, const char *const *line)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = NULL;
    if (!harness_check(lang_read(ctx, "model", model, strlen(model), NULL, &m) == AH_OK, __FILE__,
                       __LINE__, ah_diagnostics_text(ctx, false))) {
        ah_ctx_destroy(ctx);
        return;
    }
    const char *all = model_print(m, &ctx->job);
    for (; *line; line++) {
        const char *at = strstr(all, *line);
        const char end = at ? at[strlen(*line)] : ' ';
        const bool alone = at && (at == all || at[-1] == '\n') && end == '\n';
        if (!harness_check(alone, __FILE__, __LINE__, *line))
            harness_check_str(all, "", __FILE__, 0);
    }
    ah_ctx_destroy(ctx);
}

TEST(every_statement)
{
    static const char model[] =
        "system \"everything\"\n"
        "source \"by hand\"\n"
        "parameter m = 2, a, k = 3\n"
        "coordinate x, y, z, u\n"
        "assume a > 0, k != 1, m >= 1\n"
        "input f = sin(t)\n"
        "function V(x), W(x, y)\n"
        "let speed = x'\n"
        "let twice(s) = 2*s\n"
        "let up = (0, 0, m)\n"
        "kinetic u'^2/2\n"
        "potential V(x)\n"
        "point P mass m at (x, y, z)\n"
        "body B mass a inertia (1, 2, 3) at (0, 0, z) turn z y\n"
        "force on P (f, 0, 0)\n"
        "torque on B (0, 0, k)\n"
        "constraint roll: x' = y'*u\n"
        "\n"
        "quasivelocity w1 = x' - y'*u, w2 = y', w3 = u', w4 = z'\n"
        "start x = 1, x' = 2\n"
        "simulate t = 0 .. 5\n"
        "output o = x*m\n"
        "unit x = \"m\"\n"
        "record \"one\" when x = 1\n"
        "record \"up\" when x = 2 rising\n"
        "stop \"down\" when y = 2 falling\n"
        "claim \"plain\" by multipliers: C[1] = 0\n"
        "claim \"same\": identically (x + y)^2 = x^2 + 2*x*y + y^2\n"
        "claim \"near\": limit a -> 2: a = 2\n"
        "claim \"far\": limit a -> inf: 1/a = 0\n"
        "claim \"back\": limit a -> -inf: 1/a = 0\n"
        "claim \"there\": x = y when x = 2, y'*z = 1, x > 0, y >= 0, z != 0\n"
        "refute \"not\": x = y\n"
        "claim \"cases\": singular x = 0, y = 0 or z = 0\n"
        "claim \"never\": singular nowhere\n"
        "claim \"ranks\": rank 2\n"
        "claim \"growing\": growth 2, 3\n"
        "claim \"some\": nonholonomic roll\n"
        "claim \"at rest\": stable at x = 0 when k >= 0, a != 3\n"
        "claim \"poly\": characteristic s^2 + k in s at x = 0\n"
        "draw line (0, 0, 0), (x, y, z) label \"way\" colour red\n"
        "draw wheel B radius m axis x\n"
        "draw wheel at (x, 0, 0) radius 1 turn y\n"
        "draw box B size (1, 2, 3)\n"
        "draw curve (s, s^2, 0) for s = 0 .. m\n";
    static const char *const lines[] = {
        "system \"everything\"",
        "source \"by hand\"",
        "parameter m = 2",
        "parameter a",
        "coordinate u",
        "input f = sin(t)",
        "function V(x) (unspecified)",
        "function W(x, y) (unspecified)",
        "let speed = x'",
        "let twice(s) = 2*s",
        "let up = (0, 0, m)",
        "assume a > 0",
        "assume k - 1 != 0",
        "assume m - 1 >= 0",
        "point P\n    mass = m\n    at (x, y, z)\n    velocity (x', y', z')\n    force (f(t), 0, "
        "0)",
        "body B\n    mass = a\n    at (0, 0, z)\n    velocity (0, 0, z')\n    inertia (1, 2, 3, 0, "
        "0, 0)",
        "    omega, body axes (0, 0, y')\n    torque (0, 0, k)",
        "potential V = V(x)",
        "force x = f(t)",
        "force y = k",
        "constraint roll: x' - u*y' = 0    # linear, scleronomic",
        "quasivelocity (vanishes) w1 = x' - u*y'",
        "quasivelocity w2 = y'",
        "start x' = 2",
        "simulate t = 0 .. 5",
        "output o = m*x",
        "unit x = \"m\"",
        "record \"one\" when x - 1 = 0",
        "record \"up\" when x - 2 = 0 rising",
        "stop \"down\" when y - 2 = 0 falling",
        "claim \"plain\" by multipliers: multipliers:C[1] = 0",
        "claim \"same\": identically (x + y)^2 = x^2 + 2*x*y + y^2",
        "claim \"near\": limit a -> 2: a = 2",
        "claim \"far\": limit a -> inf: 1/a = 0",
        "claim \"back\": limit a -> -inf: 1/a = 0",
        "claim \"there\": x = y when x = 2, z*y' - 1 = 0, 2 > 0, y >= 0, z != 0",
        "refute \"not\": x = y",
        "claim \"cases\": singular x = 0, y = 0 or z = 0",
        "claim \"never\": singular nowhere",
        "claim \"ranks\": rank 2",
        "claim \"growing\": growth 2, 3",
        "claim \"some\": nonholonomic roll",
        "claim \"at rest\": stable x = 0 when k > 0, a - 3 != 0, or with equality",
        "claim \"poly\": characteristic s^2 + k in s at x = 0",
        "draw line\n    at (0, 0, 0)\n    to (x, y, z)\n    label \"way\"\n    colour \"red\"",
        "draw wheel B\n    size = m\n    axis x",
        "draw wheel\n    at (x, 0, 0)\n    size = 1\n    turn = y",
        "draw box B\n    size = 1\n    size = 2\n    size = 3",
        "draw curve\n    at (s, s^2, 0)\n    from s = 0\n    until s = m",
        NULL};
    check_lines(model, lines);
}

TEST(kinds_of_constraints)
{
    static const char *const lines[] = {
        "constraint flat: z - x*t = 0    # holonomic, rheonomic",
        "constraint drift: y' - u*x' - x = 0    # affine, scleronomic",
        "constraint bend: x'*y' - z' = 0    # non-linear, scleronomic", NULL};
    check_lines("coordinate x, y, z, u\nkinetic (x'^2 + y'^2 + z'^2 + u'^2)/2\n"
                "constraint flat: z = x*t\nconstraint drift: y' = x + x'*u\n"
                "constraint bend: x'*y' = z'\n",
                lines);
    static const char *const later[] = {
        "constraint late: z'' - x'' = 0    # accelerations, linear, scleronomic",
        "constraint bent: y''*z'' - x = 0    # accelerations, non-linear, scleronomic",
        "velocity x' = a", "velocity z' = x*c", NULL};
    check_lines("coordinate x, y, z\nkinetic (x'^2 + y'^2 + z'^2)/2\n"
                "constraint late: z'' = x''\nconstraint bent: z''*y'' = x\n"
                "velocity a, b, c: x' = a, y' = b, z' = c*x\n",
                later);
}
