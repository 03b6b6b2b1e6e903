/* t_plot - scales, ticks, thinning and paths of figures, against what they must satisfy. */
#include "failing.h"
#include "lang/lang.h"
#include "harness.h"

#include "figure/svg.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Ticks ----------------------------------------------------------------------------------- */

/* "−1.5", "10^{−3}" as a number: written another way than the program does. */
static double read_label(const char *label)
{
    char plain[64];
    size_t n = 0;
    for (; *label && n < sizeof plain - 1; label++) {
        if (!strncmp(label, "\u2212", 3)) {
            plain[n++] = '-';
            label += 2;
        } else if (!strncmp(label, "10^{", 4)) {
            plain[n++] = '1';
            plain[n++] = 'e';
            label += 3;
        } else if (*label != '}') {
            plain[n++] = *label;
        }
    }
    plain[n] = 0;
    return strtod(plain, NULL);
}

/* "×10^{−9} + 1.5" as a factor and a sum. */
static void read_factor(const char *factor, double *times, double *plus)
{
    *times = 1;
    *plus = 0;
    if (!factor) return;
    if (!strncmp(factor, "×", 2)) *times = read_label(factor + 2);
    const char *sign = strstr(factor, "+ "), *minus = strstr(factor, "\u2212 ");
    const char *number = sign ? sign + 2 : minus ? minus + 4 : NULL;
    if (!number) return;
    const char *exponent = strstr(number, "×");
    *plus = (sign ? 1 : -1) * strtod(number, NULL) * (exponent ? read_label(exponent + 2) : 1);
}

static svg_axis axis_of(ah_ctx *ctx, double low, double high, bool log, bool horizontal)
{
    svg_range r = {0};
    svg_axis a;
    const plot_axis what = {.log = log};
    svg_range_add(&r, low, log);
    svg_range_add(&r, high, log);
    svg_axis_init(&a, &r, &what, 0.05);
    a.from = horizontal ? 50 : 300;
    a.to = horizontal ? 450 : 20;
    svg_axis_ticks(&a, &ctx->job, horizontal);
    return a;
}

typedef struct ticks_job {
    double low, high;
    bool log;
} ticks_job;

/* Labels stand where their numbers are, are different, round, far enough apart, and neither too few
 * nor too many. */
static void check_ticks(ah_ctx *ctx, void *arg)
{
    const ticks_job *j = arg;
    for (int horizontal = 0; horizontal < 2; horizontal++) {
        const svg_axis a = axis_of(ctx, j->low, j->high, j->log, horizontal);
        size_t labels = 0;
        double times, plus, before = NAN;
        const char *last = "";
        read_factor(a.factor, &times, &plus);
        for (size_t i = 0; i < a.tick.count; i++) {
            const svg_tick *t = &a.tick.at[i];
            CHECK(t->place >= fmin(a.from, a.to) - 0.01 && t->place <= fmax(a.from, a.to) + 0.01);
            if (!t->label) continue;
            const double value = read_label(t->label) * times + plus;
            CHECK(fabs(svg_place(&a, value) - t->place) < 0.3);
            CHECK(isnan(before) || fabs(t->place - before) > (horizontal ? 20 : 14));
            CHECK(strcmp(last, t->label) != 0);
            CHECK(strlen(t->label) < 16);
            before = t->place;
            last = t->label;
            labels++;
        }
        if (!CHECK(labels >= 2 && labels <= 14))
            printf("# %zu labels of %g .. %g\n", labels, j->low, j->high);
    }
}

TEST(labels_stand_where_their_numbers_are)
{
    static const ticks_job jobs[] = {
        {0, 10, false},
        {-1, 1, false},
        {0.1, 0.3, false},
        {-3e-5, 7e-5, false},
        {0, 123456789, false},
        {1e-300, 3e-300, false},
        {-1e300, 1e300, false},
        {-9e306, 9e306, false},
        {1e9, 1e9 + 1e-3, false},
        {-41.1378401, -41.137839, false},
        {1.0735 - 6e-12, 1.0735, false},
        {5, 5, false},
        {0, 0, false},
        {-1e-320, 1e-320, false},
        {1e300, 1e300, false},
        {1e-18, 1e-3, true},
        {1e-300, 1e300, true},
        {2, 3, true},
        {0, 1e-9, true},
        {-5, 100, true},
        {7, 7, true},
        {0, 0, true},
    };
    for (size_t i = 0; i < sizeof jobs / sizeof *jobs; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ticks_job j = jobs[i];
        CHECK_INT(ctx_guard(ctx, check_ticks, &j), AH_OK);
        ah_ctx_destroy(ctx);
    }
}

static void check_random_ticks(ah_ctx *ctx, void *arg)
{
    (void) arg;
    for (int i = 0; i < 400; i++) {
        const double u = (double) (harness_random() % 1000000) / 1e6;
        const double size = pow(10, (double) (harness_random() % 40) - 20);
        ticks_job j = {size * (u - 0.7), 0, i % 3 == 0};
        j.high = j.low + size * pow(10, -(double) (harness_random() % 9));
        check_ticks(ctx, &j);
    }
}

TEST(ticks_of_random_ranges)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, check_random_ticks, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- Thinning -------------------------------------------------------------------------------- */

static double to_segment(svg_point p, svg_point a, svg_point b)
{
    const double dx = b.x - a.x, dy = b.y - a.y, d = dx * dx + dy * dy;
    double s = d > 0 ? ((p.x - a.x) * dx + (p.y - a.y) * dy) / d : 0;
    s = fmin(1, fmax(0, s));
    return hypot(p.x - a.x - s * dx, p.y - a.y - s * dy);
}

/* The largest distance of a given point from the polyline. */
static double worst_distance(const svg_points *given, const svg_points *line)
{
    double worst = 0;
    for (size_t i = 0; i < given->count; i++) {
        double near = INFINITY;
        if (isnan(given->at[i].x)) continue;
        for (size_t k = 0; k < line->count; k++) {
            const bool joined = k && !isnan(line->at[k - 1].x);
            if (!isnan(line->at[k].x))
                near =
                    fmin(near, to_segment(given->at[i], line->at[joined ? k - 1 : k], line->at[k]));
        }
        worst = fmax(worst, near);
    }
    return worst;
}

static void check_cone(ah_ctx *ctx, void *arg)
{
    (void) arg;
    enum { N = 3000 };
    svg_points p = {.at = NEW_ARRAY(&ctx->job, svg_point, N), .count = N};
    for (int shape = 0; shape < 4; shape++) {
        for (size_t i = 0; i < N; i++) {
            const double s = (double) i / N * 40;
            const svg_point shapes[] = {
                {200 + 150 * cos(s), 150 + 100 * sin(1.1 * s)}, /* a curve in the plane */
                {100 * s / 8, 150 + 140 * sin(s * s / 20)},     /* a function, ever faster */
                {200 + 150 * sin(s), 100},                      /* to and fro on a line */
                {(double) (harness_random() % 400), (double) (harness_random() % 300)},
            };
            p.at[i] = shapes[shape];
        }
        p.at[N / 2] = (svg_point){NAN, NAN};
        const svg_points q = svg_thin_cone(&ctx->job, p);
        CHECK(worst_distance(&p, &q) <= SVG_THIN * 1.001);
        CHECK(worst_distance(&q, &p) <= 1e-9);
        CHECK(q.count <= p.count);
        if (shape < 2) CHECK(q.count < p.count / 2);
        if (shape == 2) CHECK(q.count > 12); /* the turning points */
    }
}

TEST(thinned_polylines_keep_within_their_tolerance)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, check_cone, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- Whole figures --------------------------------------------------------------------------- */

typedef struct figure_job {
    plot_figure figure;
    const char *svg;
} figure_job;

static void draw(ah_ctx *ctx, void *arg)
{
    figure_job *j = arg;
    text t = text_begin(&ctx->job);
    plot_svg(ctx, &t, &j->figure);
    j->svg = text_end(&t);
}

/* Least and greatest x and y of the paths of class "curve", from the numbers in the file. */
static void read_extremes(const char *svg, double *low_x, double *high_x, double *low_y,
                          double *high_y)
{
    *low_x = *low_y = INFINITY;
    *high_x = *high_y = -INFINITY;
    for (const char *s = strstr(svg, "class=\"curve"); s; s = strstr(s, "class=\"curve")) {
        double x = 0, y = 0;
        char command = 0;
        s = strstr(s, " d=\"") + 4;
        while (*s && *s != '"') {
            char *end;
            if (strchr("Mmlh", *s)) {
                command = *s++;
                continue;
            }
            const double a = strtod(s, &end), b = command == 'h' ? 0 : strtod(end, &end);
            if (end == s) break;
            s = end;
            x = command == 'M' ? a : x + a;
            y = command == 'M' ? b : y + b;
            *low_x = fmin(*low_x, x);
            *high_x = fmax(*high_x, x);
            *low_y = fmin(*low_y, y);
            *high_y = fmax(*high_y, y);
        }
    }
}

/* 10⁶ samples with single spikes: the file is small and the spikes, which make the range, are
 * there. */
static void check_million(bool function)
{
    enum { N = 1000000 };
    double *x = malloc(N * sizeof *x), *y = malloc(N * sizeof *y);
    uint64_t state = 1;
    for (size_t i = 0; i < N; i++) {
        state = state * 6364136223846793005u + 1442695040888963407u;
        const double noise = (double) (state >> 40) / (1 << 24), s = (double) i / N;
        x[i] = function ? s : cos(2000 * s) * (1 + 0.3 * sin(777 * s)) + 0.001 * noise;
        y[i] = function ? sin(3000 * s) + 0.2 * noise
                        : sin(2345 * s) * (1 + 0.3 * cos(555 * s)) + 0.001 * noise;
    }
    y[123456] = 7;
    y[765432] = -5;
    const plot_curve curve = {.x = x, .y = y, .count = N, .label = "y"};
    const plot_panel panel = {
        .x = {.label = "x"}, .y = {.label = "y"}, .curve = &curve, .curves = 1};
    figure_job j = {.figure = {.panel = &panel, .panels = 1}};
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, draw, &j), AH_OK);
    double low_x, high_x, low_y, high_y;
    read_extremes(j.svg, &low_x, &high_x, &low_y, &high_y);
    CHECK(strlen(j.svg) < 200000);
    /* the frame is 420 − 12 − 44 high with 6 % free above and below */
    const double height = 420 - 4 - 12 - 44;
    CHECK_NEAR((high_y - low_y) / height, 1 / 1.12, 1, 0.5 / height / 2.2e-16, "half a pixel");
    ah_ctx_destroy(ctx);
    free(x);
    free(y);
}

TEST(a_million_samples_of_a_function)
{
    check_million(true);
}

TEST(a_million_samples_in_a_plane)
{
    check_million(false);
}

TEST(odd_curves_are_drawn)
{
    static const double none[] = {NAN, NAN, NAN}, one[] = {1, 2, 3}, gap[] = {1, NAN, 2};
    static const double same[] = {4, 4, 4}, big[] = {1e300, -1e300, INFINITY}, zero[] = {0, 0, 0};
    static const double *const all[] = {none, one, gap, same, big, zero};
    for (int log = 0; log < 2; log++)
        for (size_t i = 0; i < 6; i++)
            for (size_t k = 0; k < 6; k++)
                for (size_t count = 0; count <= 3; count++) {
                    ah_ctx *ctx = ah_ctx_create(NULL);
                    const plot_curve curve[] = {{.x = all[i], .y = all[k], .count = count},
                                                {.x = one, .y = all[k], .count = count}};
                    const plot_panel panel = {.x = {.log = log},
                                              .y = {.log = log},
                                              .equal = !log,
                                              .curve = curve,
                                              .curves = k % 3};
                    figure_job j = {
                        .figure = {.panel = &panel, .panels = 1, .width = 90, .height = 80}};
                    CHECK_INT(ctx_guard(ctx, draw, &j), AH_OK);
                    CHECK(j.svg && !strstr(j.svg, "nan") && !strstr(j.svg, "inf"));
                    ah_ctx_destroy(ctx);
                }
}

/* ---- Labels ---------------------------------------------------------------------------------- */

static const char *label(ah_ctx *ctx, const char *s)
{
    text t = text_begin(&ctx->job);
    svg_label(&t, &ctx->job, (svg_words){.label = s}, 10);
    return text_end(&t);
}

static void check_labels(ah_ctx *ctx, void *arg)
{
    (void) arg;
    CHECK_STR(label(ctx, "x"), "<tspan font-style=\"italic\">x</tspan>");
    CHECK_STR(label(ctx, "speed"), "<tspan>speed</tspan>");
    CHECK_STR(label(ctx, "x₁"), "<tspan font-style=\"italic\">x</tspan>"
                                "<tspan font-size=\"7.2\" dy=\"2.4\">1</tspan>");
    CHECK_STR(label(ctx, "θ²+1"), "<tspan font-style=\"italic\">θ</tspan>"
                                  "<tspan font-size=\"7.2\" dy=\"-3.8\">2</tspan>"
                                  "<tspan dy=\"3.8\">+1</tspan>");
    /* the pen comes back to where the letter ends: dx and dy add up with the accent's 3.33 */
    CHECK_STR(label(ctx, "θ\u0307+"), "<tspan font-style=\"italic\">θ</tspan>"
                                      "<tspan dx=\"-3.41\" dy=\"-2.1\">\u02D9</tspan>"
                                      "<tspan dx=\"0.08\" dy=\"2.1\">+</tspan>");
    CHECK_STR(label(ctx, "λ_{rod}"), "<tspan font-style=\"italic\">λ</tspan>"
                                     "<tspan font-size=\"7.2\" dy=\"2.4\">rod</tspan>");
    CHECK_STR(label(ctx, "</svg><b>&\"\x01\xff"),
              "<tspan>&lt;/</tspan><tspan>svg</tspan><tspan>&gt;&lt;</tspan>"
              "<tspan font-style=\"italic\">b</tspan><tspan>&gt;&amp;&quot;\uFFFD\uFFFD</tspan>");
    text unit = text_begin(&ctx->job);
    svg_label(&unit, &ctx->job, (svg_words){"x", "m/s²"}, 10);
    CHECK_STR(text_end(&unit), "<tspan font-style=\"italic\">x</tspan><tspan> (m/s</tspan>"
                               "<tspan font-size=\"7.2\" dy=\"-3.8\">2</tspan>"
                               "<tspan dy=\"3.8\">)</tspan>");
    label(ctx, "_");
    label(ctx, "a_");
    label(ctx, "^{");
    label(ctx, "_{^{x}}}");
}

TEST(labels_are_set_and_escaped)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    CHECK_INT(ctx_guard(ctx, check_labels, NULL), AH_OK);
    ah_ctx_destroy(ctx);
}

/* ---- The whole command ----------------------------------------------------------------------- */

static void plot_model(ah_ctx *ctx, void *arg)
{
    static const char model[] = "coordinate x, y, theta\nkinetic x'^2 + y'^2 + theta'^2\n"
                                "force x = 1\nunit x, y = \"m\", t = \"s\"\n"
                                "constraint blade: x'*sin(theta) - y'*cos(theta) = 0\n"
                                "start x = 0, y = 0, theta = 0, x' = 1, theta' = 1\n"
                                "simulate t = 0 .. 1\n";
    static const char *const panels[] = {"x,y", "t,change(energy),lambda[blade]"};
    ah_model *m = NULL;
    const char *svg = NULL, *summary = NULL;
    ah_plot_options o = ah_plot_defaults();
    (void) arg;
    o.run.samples = 5;
    o.run.engine = "interpret";
    o.panels = panels;
    o.panel_count = 2;
    if (lang_read(ctx, "test", model, strlen(model), NULL, &m) != AH_OK) return;
    const ah_status status = ah_plot(m, &o, AH_JSON, &svg, &summary);
    CHECK((status == AH_OK) == (svg != NULL));
    CHECK(status == AH_OK || status == AH_E_MEMORY);
}

/* Points on a diagonal, again and again: what is kept of a call is its figure. */
TEST(maps_leave_nothing_but_figures)
{
    ah_ctx_options options = ah_ctx_defaults();
    options.limits.memory = (size_t) 32 << 20;
    ah_ctx *ctx = ah_ctx_create(&options);
    const double at[] = {1, 2, 3};
    const ah_map points = {.rows = 3, .x = at, .y = at, .names = {"x", "y"}};
    const char *first = NULL, *svg = NULL;
    CHECK(ah_map_draw(ctx, &points, &first) == AH_OK);
    for (int i = 0; i < 40; i++) CHECK(ah_map_draw(ctx, &points, &svg) == AH_OK);
    CHECK(first && svg && !strcmp(first, svg));
    ah_ctx_destroy(ctx);
}

TEST(plot_survives_failing_memory)
{
    size_t tried;
    CHECK(failing_run(plot_model, NULL, &tried));
    CHECK(tried > 10);
}

/* The same figure from the same motion, bit by bit. */
TEST(figures_repeat_themselves)
{
    char *first = NULL;
    for (int i = 0; i < 2; i++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = NULL;
        const char *svg = NULL, *summary = NULL;
        static const char model[] = "coordinate x\nkinetic x'^2/2\npotential x^4\nstart x = 1\n"
                                    "simulate t = 0 .. 5\n";
        REQUIRE(lang_read(ctx, "test", model, strlen(model), NULL, &m) == AH_OK);
        CHECK_INT(ah_plot(m, NULL, AH_TEXT, &svg, &summary), AH_OK);
        if (i)
            CHECK_STR(svg, first);
        else
            first = strdup(svg);
        ah_ctx_destroy(ctx);
    }
    free(first);
}
