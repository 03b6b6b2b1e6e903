/* t_narrow.c - claims of known truth under limits that leave little room: fewer terms of a polynomial, fewer states. What is
 * known less may be unknown; it may not be wrong. A claim of a model is true, what it refutes is false. */
#include "harness/harness.h"

#include <anholo/anholo.h>

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct room {
    uint32_t terms;
    size_t states;
} room;

typedef struct tally {
    size_t claims, known;
} tally;

static void judge(const char *name, const room *r, const ah_verify_values *v, tally *t)
{
    for (size_t i = 0; i < v->count; i++) {
        const ah_claim_verdict *c = &v->at[i];
        const bool no = c->verdict == AH_VERDICT_FALSE;
        const bool yes = c->verdict == AH_VERDICT_PROVED || c->verdict == AH_VERDICT_HOLDS;
        char text[300];
        t->claims++;
        t->known += yes || no;
        snprintf(text, sizeof text, "%.80s, %u terms, %zu states: %.150s", name,
                 (unsigned) r->terms, r->states, c->label);
        if (c->refute ? yes : no) harness_check(false, __FILE__, __LINE__, text);
    }
}

static void verify_in(const char *name, const char *text, size_t length, const room *r, tally *t)
{
    ah_ctx_options o = ah_ctx_defaults();
    if (r->terms) o.limits.terms = r->terms;
    ah_ctx *ctx = ah_ctx_create(&o);
    ah_model *m = NULL;
    ah_answer *a = NULL;
    ah_verify_options how = ah_verify_defaults();
    how.states = r->states;
    if (ah_read(ctx, name, text, length, NULL, &m) == AH_OK && ah_verify(m, &how, &a) == AH_OK)
        judge(name, r, ah_answer_verify(a), t);
    ah_answer_destroy(a);
    ah_ctx_destroy(ctx);
}

static const room rooms[] = {{1, 3}, {40, 10}};
enum { ROOMS = sizeof rooms / sizeof *rooms };

/* ---- By hand ----------------------------------------------------------------------------------- */

/* Claims and refutations of every kind, found by hand. */
static const struct {
    const char *name, *text;
} by_hand[] = {
    {"osc", "parameter k = 2, c = 1, m = 1\n"
            "assume k > 0, c > 0, m > 0\n"
            "coordinate x\n"
            "kinetic m*x'^2/2\n"
            "potential k*x^2/2\n"
            "force x = -c*x'\n"
            "claim \"t1\": limit c -> 0: x'' = -k*x/m\n"
            "refute \"f1\": limit c -> 0: x'' = -2*k*x/m\n"
            "claim \"t2\": limit c -> inf: x''/c = -x'/m\n"
            "refute \"f2\": limit c -> inf: x''/c = x'/m\n"
            "claim \"t3\": limit k -> 0: sqrt(k)*x'' = 0\n"
            "claim \"t4\": limit m -> inf: x'' = 0\n"
            "refute \"f4\": limit m -> inf: m*x'' = 0\n"
            "claim \"t5\": limit m -> 0: m*x'' = -k*x - c*x'\n"
            "refute \"f5\": limit m -> 0: x'' = 0\n"
            "claim \"t6\": limit c -> 0: sin(c)/c = 1\n"
            "refute \"f6\": limit c -> 0: sin(c)/c = 2\n"
            "claim \"t7\": limit t -> inf: exp(-t) = 0\n"
            "refute \"f7\": limit t -> inf: atan(t) = pi\n"
            "claim \"t8\": limit c -> 0: log(c)*0 = 0\n"
            "refute \"f8\": limit c -> 0: log(c) = 0\n"
            "refute \"f9\": limit t -> inf: sin(t) = 0\n"
            "claim \"t10\": limit c -> 1: abs(c)*x'' = -k*x/m - x'/m\n"
            "refute \"f11\": limit c -> 0: 1/c = 5\n"
            "refute \"f12\": limit c -> 0: x''/c = x'\n"
            "claim \"t13\": limit k -> inf: tanh(k) = 1\n"
            "claim \"t14\": limit c -> 0: (x'' + k*x/m)/c = -x'/m\n"
            "claim \"t15\": limit c -> 0: min(c, 1) = 0\n"
            "refute \"f16\": limit k -> -inf: k = 0\n"
            "claim \"t20\": stable at x = 0\n"
            "claim \"t21\": attracting at x = 0\n"
            "refute \"f22\": unstable at x = 0\n"
            "claim \"t23\": characteristic m*s^2 + c*s + k in s at x = 0\n"
            "refute \"f24\": characteristic m*s^2 - c*s + k in s at x = 0\n"
            "refute \"f25\": characteristic m*s + k in s at x = 0\n"
            "refute \"f26\": characteristic s^3 + k*s + 1 in s at x = 0\n"
            "claim \"t27\": attracting at x = 0 when c > 0\n"
            "claim \"t28\": stable at x = 0 when k >= 0\n"
            "refute \"f29\": attracting at x = 0 when k < 0\n"
            "claim \"t31\": equilibrium x = 0\n"
            "refute \"f32\": equilibrium x = 1\n"
            "claim \"t33\": unstable at x = 0 when k < 0\n"
            "refute \"f34\": solution x = exp(-t)\n"
            "refute \"f35\": solution x = 0*t + 1\n"
            "claim \"t36\": solution x = 0*t\n"},
    {"rollsing", "coordinate x, y, z\n"
                 "kinetic (x'^2 + y'^2 + z'^2)/2\n"
                 "constraint a: x*x' + y*y' = 0\n"
                 "claim \"t1\": singular x = 0, y = 0\n"
                 "refute \"f1\": singular x = 0\n"
                 "refute \"f2\": singular nowhere\n"
                 "refute \"f3\": singular x = 0, y = 0, z = 0\n"
                 "claim \"t4\": integral x^2 + y^2\n"
                 "refute \"f4\": integral x^2 - y^2\n"
                 "claim \"t5\": rank 1\n"
                 "refute \"f5\": rank 2\n"
                 "claim \"t6\": holonomic\n"
                 "refute \"f6\": nonholonomic\n"
                 "claim \"t7\": accessible 2\n"
                 "refute \"f7\": accessible 3\n"
                 "claim \"t8\": growth 2\n"
                 "refute \"f8\": growth 2, 3\n"
                 "claim \"t9\": x*x'' + y*y'' = -x'^2 - y'^2\n"
                 "refute \"f9\": x*x'' + y*y'' = 0\n"
                 "refute \"f10\": singular x = 0, y = 0 or z = 0\n"
                 "claim \"t11\": singular x = 0, y = 0 or x = 0, y = 0, z = 0\n"
                 "claim \"t12\": z'' = 0\n"},
    {"sec", "parameter K = 0.5\n"
            "coordinate x1, x2, x3\n"
            "point P mass 1 at (x1, x2, x3)\n"
            "force on P (0, 0, K)\n"
            "constraint second: x3'' - x1''*x2'' = 0\n"
            "start x1 = 0, x2 = 0, x3 = 0, x1' = 1, x2' = 0, x3' = 0\n"
            "claim \"t1\": x1'' = 0\n"
            "refute \"f1\": x1'' = 1\n"
            "claim \"t2\": x1''*x2'' = 0\n"
            "refute \"f2\": x3'' = K\n"
            "claim \"t3\": lambda[1] = -K\n"
            "refute \"f3\": lambda[1] = K\n"
            "claim \"t4\": reaction[x3] = -K\n"
            "refute \"f4\": reaction[x3] = 0\n"
            "claim \"t5\": x3'' - x1''*x2'' = 0\n"
            "refute \"f5\": x3'' = 1/3\n"
            "claim \"t6\": sin(x1'') = 0\n"
            "refute \"f6\": cos(x1'') = 0\n"
            "refute \"f7\": x1''/x2'' = 1\n"
            "refute \"f8\": x1' = 0\n"
            "claim \"t9\": x1' + x1'' = x1'\n"
            "refute \"f9\": sqrt(-1 - x1''^2) = 0\n"
            "claim \"t10\": holonomic\n"
            "claim \"t11\": constant x1'\n"
            "refute \"f11\": constant x1\n"},
    {"skate", "parameter m = 1.5, I = 0.7, A1 = 0.8, A2 = -0.6, A3 = 0.4\n"
              "coordinate x, y, theta\n"
              "body S mass m inertia (I, I, I) at (x, y) turn z theta\n"
              "force x = A1\n"
              "force y = A2\n"
              "force theta = A3\n"
              "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
              "velocity z1, z2:\n"
              "    x' = z1*cos(theta),  y' = z1*sin(theta),  theta' = z2\n"
              "start x = 0, y = 0, theta = 0.3, z1 = 1, z2 = 0.7\n"
              "simulate t = 0 .. 10\n"
              "claim \"t1\": measure 1\n"
              "refute \"f1\": measure x^2 + 1\n"
              "claim \"t2\": growth 2, 3\n"
              "refute \"f2\": growth 2\n"
              "claim \"t3\": singular nowhere\n"
              "refute \"f4\": singular theta = 0\n"
              "refute \"f5\": integral x'\n"
              "refute \"f7\": lambda[blade] = 0\n"
              "refute \"f8\": limit m -> inf: z1' = 1\n"
              "claim \"t8\": limit m -> inf: z1' = 0\n"
              "claim \"t9\": limit I -> inf: z2' = 0\n"
              "refute \"f9\": limit I -> 0: z2' = 0\n"
              "claim \"t10\": limit A3 -> 0: z2' = 0\n"
              "refute \"f11\": steady theta = 0\n"
              "refute \"f13\": solution theta = t, x' = cos(theta), y' = sin(theta), z1 = 1+0*t\n"},
    {"sqsing", "parameter p = 1\n"
               "assume p > 0\n"
               "coordinate x, y, z\n"
               "kinetic (x'^2 + y'^2 + z'^2)/2\n"
               "constraint a: x'^2 + y'^2 = p*z'^2\n"
               "claim \"t1\": singular x' = 0, y' = 0, z' = 0\n"
               "refute \"f1\": singular x' = 0\n"
               "refute \"f2\": singular nowhere\n"
               "claim \"t3\": constant energy\n"
               "refute \"f4\": x'' = 1\n"
               "claim \"t5\": constant z'\n"
               "refute \"f6\": singular x' = 0, y' = 0, z' = 1\n"
               "claim \"t7\": (x'*x'' + y'*y'') = p*z'*z''\n"
               "refute \"f9\": measure 1 + x^2\n"},
    {"two", "parameter a = 1, b = 2\n"
            "coordinate x, y\n"
            "kinetic (x'^2 + y'^2)/2\n"
            "potential a*x^2/2 + b*y^2/2\n"
            "claim \"t1\": stable at x = 0, y = 0\n"
            "refute \"f1\": unstable at x = 0, y = 0\n"
            "refute \"f2\": attracting at x = 0, y = 0\n"
            "claim \"t3\": characteristic (s^2 + a)*(s^2 + b) in s at x = 0, y = 0\n"
            "refute \"f3\": characteristic (s^2 + a)^2 in s at x = 0, y = 0\n"
            "claim \"t4\": unstable at x = 0, y = 0 when a < 0\n"
            "claim \"t5\": stable at x = 0, y = 0 when a > 0, b > 0\n"
            "refute \"f5\": stable at x = 0, y = 0 when a > -1, b > 0\n"
            "refute \"f6\": unstable at x = 0, y = 0 when a >= 0, b > 0\n"
            "claim \"t7\": solution x = cos(sqrt(a)*t), y = 0*t when a > 0\n"
            "claim \"t8\": measure 1\n"
            "refute \"f8\": measure 1 + x^2\n"
            "claim \"t9\": integral x'^2 + a*x^2\n"
            "refute \"f9\": integral x'^2 - a*x^2\n"
            "refute \"f10\": integral 3\n"
            "refute \"f11\": integral x*y' - y*x'\n"
            "claim \"t12\": accessible 2\n"
            "refute \"f12\": accessible 1\n"
            "claim \"t13\": growth 2\n"
            "refute \"f13\": growth 1, 2\n"
            "claim \"t14\": rank 0\n"
            "refute \"f14\": rank 1\n"
            "claim \"t15\": holonomic\n"
            "claim \"t16\": singular nowhere\n"
            "refute \"f16\": singular x = 0\n"
            "refute \"f17\": solution x = abs(t), y = 0*t\n"
            "refute \"f18\": solution x = t, y = t\n"
            "claim \"t19\": characteristic s^4 + 3*s^2 + 2 in s at x = 0, y = 0\n"},
    {"dup", "coordinate x, y, z\n"
            "kinetic (x'^2 + y'^2 + z'^2)/2\n"
            "potential x\n"
            "constraint a: x' = y\n"
            "constraint b: 2*x' - 2*y = 0\n"
            "claim \"t1\": rank 1\n"
            "refute \"f1\": rank 2\n"
            "claim \"t2\": x'' = y'\n"
            "claim \"t3\": singular nowhere\n"
            "claim \"t4\": nonholonomic\n"
            "refute \"f4\": holonomic\n"
            "refute \"f5\": growth 2\n"
            "claim \"t6\": accessible 3\n"
            "refute \"f7\": lambda[a] = 0\n"
            "claim \"t8\": reaction[y] = 0\n"
            "refute \"f8\": reaction[x] = 0\n"
            "claim \"t9\": z'' = 0\n"
            "claim \"t10\": y'' = 0\n"
            "refute \"f10\": constant energy\n"
            "claim \"t11\": x'*1 = y\n"},
    {"form", "parameter g = 1\n"
             "coordinate x, y\n"
             "kinetic (x'^2 + y'^2)/2\n"
             "potential g*y\n"
             "velocity u:\n"
             "    x' = u, y' = x*u\n"
             "start x = 1, y = 0, u = 1\n"
             "claim \"t1\": constant energy\n"
             "refute \"f1\": constant x'\n"
             "claim \"t2\": y' = x*x'\n"
             "claim \"t3\": y'' = x*x'' + x'^2\n"
             "refute \"f3\": y'' = x*x''\n"
             "claim \"t4\": integral y - x^2/2\n"
             "refute \"f4\": integral y + x^2/2\n"
             "claim \"t5\": holonomic\n"
             "claim \"t6\": u' = -(g*x + x*u^2)/(1 + x^2)\n"
             "refute \"f6\": u' = 0\n"
             "claim \"t7\": stable at x = 0, u = 0\n"
             "claim \"t8\": equilibrium x = 0\n"
             "claim \"t9\": (1+x^2)*u' = -(g*x + x*u^2)\n"
             "refute \"f10\": unstable at x = 0, u = 0\n"
             "claim \"t11\": x'' = u'\n"},
    {"form2", "coordinate x, y, z\n"
              "kinetic (x'^2 + y'^2 + z'^2)/2\n"
              "velocity u, w:\n"
              "    x' = u, y' = w, z' = u^2 + w*t\n"
              "start x = 1, y = 0, z = 0, u = 1, w = 1\n"
              "refute \"f1\": constant energy\n"
              "claim \"t2\": z' = x'^2 + y'*t\n"
              "refute \"f2\": z' = x'^2\n"
              "claim \"t3\": z'' = 2*u*u' + w + t*w'\n"
              "refute \"f4\": u' = 1\n"},
    {"gen", "parameter m, k, l\n"
            "assume m > 0, k > 0, l > 0\n"
            "coordinate th, ph\n"
            "kinetic m*l^2*(th'^2 + sin(th)^2*ph'^2)/2\n"
            "potential -m*k*l*cos(th)\n"
            "claim \"t1\": integral sin(th)^2*ph'\n"
            "refute \"f1\": integral ph'\n"
            "claim \"t2\": equilibrium th = 0\n"
            "claim \"t3\": equilibrium th = pi\n"
            "claim \"t5\": constant energy\n"
            "claim \"t6\": th'' = -k/l when th = pi/2, ph' = 0\n"
            "refute \"f6\": th'' = k/l when th = pi/2, ph' = 0\n"
            "refute \"f7\": steady th = 1, ph' = 0\n"
            "claim \"t8\": measure sin(th)^2\n"
            "refute \"f8\": measure sin(th)\n"},
    {"prod", "coordinate x, y, z\n"
             "kinetic (x'^2 + y'^2 + z'^2)/2\n"
             "constraint a: (x' - y')*(z' - y*x') = 0\n"
             "refute \"f1\": rank 2\n"
             "claim \"t1\": rank 1\n"
             "refute \"f2\": holonomic\n"
             "refute \"f3\": growth 2\n"
             "refute \"f4\": singular nowhere\n"
             "claim \"t5\": constant energy\n"
             "refute \"f6\": z'' = 0\n"
             "refute \"f7\": accessible 2\n"
             "refute \"f8\": measure 1 + x^2\n"
             "refute \"f9\": x' = y'\n"
             "claim \"t10\": (x' - y')*(z'' - y*x'' - y'*x') = 0\n"
             "refute \"f11\": nonholonomic\n"},
    {"rod", "parameter m = 1, g = 10\n"
            "coordinate x, y\n"
            "point P mass m at (x, y)\n"
            "gravity (0, -g)\n"
            "constraint rod: x^2 + y^2 = 1\n"
            "start x = 0, y = -1, x' = 0, y' = 0\n"
            "claim \"t1\": stable at x = 0, y = -1\n"
            "refute \"f1\": unstable at x = 0, y = -1\n"
            "claim \"t2\": unstable at x = 0, y = 1\n"
            "refute \"f2\": stable at x = 0, y = 1\n"
            "claim \"t3\": characteristic s^2 + g in s at x = 0, y = -1\n"
            "refute \"f3\": characteristic s^2 - g in s at x = 0, y = -1\n"
            "claim \"t4\": characteristic s^2 - g in s at x = 0, y = 1\n"
            "refute \"f5\": equilibrium x = 1, y = 0\n"
            "claim \"t6\": equilibrium x = 0, y = 1\n"
            "claim \"t7\": stable\n"
            "refute \"f7\": attracting\n"
            "claim \"t8\": characteristic s^2 + 10 in s\n"
            "refute \"f9\": stable at x = 0, y = 2\n"
            "claim \"t10\": singular nowhere\n"
            "claim \"t11\": holonomic\n"
            "claim \"t12\": rank 1\n"
            "claim \"t13\": solution x = 0*t, y = -1 + 0*t\n"
            "refute \"f13\": solution x = 0*t, y = t\n"
            "refute \"f14\": solution x = sin(t), y = cos(t)\n"
            "claim \"t15\": limit g -> 0: lambda[rod]^2 = (m*(x'^2 + y'^2)/2)^2\n"
            "claim \"t16\": limit m -> 0: lambda[rod] = 0\n"
            "refute \"f16\": limit m -> 0: lambda[rod] = 1\n"
            "claim \"t17\": x*x' + y*y' = 0 when y > 0\n"
            "refute \"f18\": x = 0 when y > 0\n"},
    {"when", "parameter m = 1.5, I = 0.7, A1 = 0.8, A2 = -0.6, A3 = 0.4\n"
             "coordinate x, y, theta\n"
             "body S mass m inertia (I, I, I) at (x, y) turn z theta\n"
             "force x = A1\n"
             "force y = A2\n"
             "force theta = A3\n"
             "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
             "velocity z1, z2:\n"
             "    x' = z1*cos(theta),  y' = z1*sin(theta),  theta' = z2\n"
             "start x = 0, y = 0, theta = 0.3, z1 = 1, z2 = 0.7\n"
             "simulate t = 0 .. 10\n"
             "claim \"t1\": x'' = A1/m when theta = 0, theta' = 0\n"
             "refute \"f1\": x'' = 0 when theta = 0\n"
             "claim \"t2\": z1' = A1/m when theta = 0\n"
             "refute \"f2\": z1' = A2/m when theta = 0\n"
             "claim \"t3\": z2' = A3/I when z1 = 1\n"
             "refute \"f3\": z1' = 0 when z1 = 1\n"
             "claim \"t4\": lambda[blade] = -A1*sin(theta) + A2*cos(theta) when theta' = 0\n"
             "refute \"f4\": lambda[blade] = 0 when theta' = 0\n"
             "claim \"t5\": y' = 0 when theta = 0\n"
             "refute \"f5\": y' = 1 when theta = pi/2, x = 2\n"
             "refute \"f6\": constant theta' when theta > 0\n"
             "claim \"t7\": x'^2 = z1^2 when y' = 0\n"},
};

TEST(claims_by_hand)
{
    static const room whole = {0, 100};
    tally t = {0};
    for (size_t k = 0; k < sizeof by_hand / sizeof *by_hand; k++) {
        const char *text = by_hand[k].text;
        const size_t before = t.claims;
        const bool branches = strstr(text, "x3'' - x1''*x2''"); /* which take long in little room */
        for (int i = -1; i < ROOMS && !(branches && i >= 0); i++)
            verify_in(by_hand[k].name, text, strlen(text), i < 0 ? &whole : &rooms[i], &t);
        CHECK(t.claims > before + 4); /* it could be read */
    }
    printf("# %zu claims, %zu of them known\n", t.claims, t.known);
    CHECK(t.known > t.claims * 4 / 5);
}

/* ---- The models ------------------------------------------------------------------------------ */

/* Those whose claims take long are for AH_ALL. */
static bool is_long(const char *name)
{
    static const char *const names[] = {"bicycle", "rattleback",  "second_class", "snakeboard",
                                        "robot",   "two_spheres", "four_bar",     "rolling_torus",
                                        "crane",   "tractor"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (!strncmp(name, names[i], strlen(names[i]))) return !getenv("AH_ALL");
    return false;
}

TEST(little_room_makes_no_word_wrong)
{
    tally t = {0};
    DIR *d = opendir(AH_SOURCE_DIR "/models");
    REQUIRE(d != NULL);
    for (struct dirent *e; (e = readdir(d));) {
        char path[600];
        size_t length;
        if (!strstr(e->d_name, ".ah") || is_long(e->d_name)) continue;
        snprintf(path, sizeof path, AH_SOURCE_DIR "/models/%s", e->d_name);
        char *text = harness_read_file(path, &length);
        const bool due = text && harness_is_due(e->d_name, text);
        for (int i = 0; due && i < ROOMS; i++) verify_in(e->d_name, text, length, &rooms[i], &t);
        free(text);
    }
    closedir(d);
    printf("# %zu claims, %zu of them known\n", t.claims, t.known);
    CHECK(t.claims > (size_t) harness_amount(300, 1000, 1000) && t.known > t.claims / 4);
}
