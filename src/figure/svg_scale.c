/* figure/svg_scale.c - ends of axes, ticks at round numbers, their labels. */
#include "svg.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

bool svg_visible(double x)
{
    return fabs(x) <= SVG_MOST; /* false of NAN */
}

void svg_range_add(svg_range *r, double x, bool log)
{
    if (!svg_visible(x)) return;
    if (log) {
        r->negative = r->negative || x < 0;
        x = fabs(x);
        r->zeros = r->zeros || x < DBL_MIN;
        if (x < DBL_MIN) return;
    }
    r->low = r->any ? fmin(r->low, x) : x;
    r->high = r->any ? fmax(r->high, x) : x;
    r->any = true;
}

/* ---- Ends ------------------------------------------------------------------------------------ */

/* Whole decades where there are few. */
static void log_ends(svg_axis *a, const svg_range *r, double padding)
{
    a->log = true;
    a->zeros = r->zeros;
    a->low = log10(r->low);
    a->high = log10(r->high);
    if (a->high - a->low < 2) {
        a->low = floor(a->low);
        a->high = fmax(ceil(a->high), a->low + 1);
        return;
    }
    const double free = padding * (a->high - a->low);
    a->low -= free;
    a->high += free;
}

/* A constant lies in the middle of the axis. */
static void linear_ends(svg_axis *a, const svg_range *r, double flat, double padding)
{
    const double low = r->any ? r->low : 0, high = r->any ? r->high : 0;
    const double size = fmax(fabs(low), fabs(high)), range = high - low;
    if (range <= fmax(flat, SVG_ROUNDINGS) * size || range < SVG_LEAST) {
        const double middle = low / 2 + high / 2;
        const double half = size < SVG_LEAST ? 1 : size / 4;
        a->low = middle - half;
        a->high = middle + half;
        return;
    }
    a->low = low - padding * range;
    a->high = high + padding * range;
}

void svg_axis_init(svg_axis *a, const svg_range *r, const plot_axis *what, double padding)
{
    *a = (svg_axis){0};
    if (what->log && r->any)
        log_ends(a, r, padding);
    else
        linear_ends(a, r, what->flat, padding);
}

double svg_place(const svg_axis *a, double value)
{
    const double length = a->to - a->from;
    if (!svg_visible(value)) return NAN;
    if (!a->log) return a->from + length * ((value - a->low) / (a->high - a->low));
    const double band = a->zeros ? copysign(SVG_ZERO_BAND, length) : 0;
    if (fabs(value) < DBL_MIN) return a->zeros ? a->from : NAN;
    return a->from + band + (length - band) * ((log10(fabs(value)) - a->low) / (a->high - a->low));
}

/* ---- Ticks of a linear axis ------------------------------------------------------------------ */

/* step = m 10^k with m of 1, 2, 5. */
typedef struct step {
    int m, k;
} step;

static double step_value(step s)
{
    return s.m * pow(10, s.k);
}

static step step_above(double least)
{
    const int k = (int) floor(log10(least));
    const double f = least / pow(10, k);
    if (f <= 1) return (step){1, k};
    if (f <= 2) return (step){2, k};
    return f <= 5 ? (step){5, k} : (step){1, k + 1};
}

static step step_next(step s)
{
    return s.m == 1 ? (step){2, s.k} : s.m == 2 ? (step){5, s.k} : (step){1, s.k + 1};
}

/* N 10^shift in digits, exactly. */
static const char *decimal(arena *a, long long N, int shift)
{
    text t = text_begin(a);
    if (N == 0) return "0";
    if (N < 0) text_add(&t, "−");
    const char *digits = arena_printf(a, "%lld", llabs(N));
    int before = (int) strlen(digits) + (shift < 0 ? shift : 0); /* digits before the point */
    if (before <= 0) {
        text_add(&t, "0.");
        for (; before < 0; before++) text_char(&t, '0');
        text_add(&t, digits);
    } else {
        text_add_n(&t, digits, (size_t) before);
        if (digits[before]) text_printf(&t, ".%s", digits + before);
        for (int i = 0; i < shift; i++) text_char(&t, '0');
    }
    return text_end(&t);
}

static void superscript(text *t, int exponent)
{
    text_printf(t, "10^{%s%d}", exponent < 0 ? "−" : "", abs(exponent));
}

/* How the numbers of an axis are written: i m 10^k = origin + label · 10^n. */
typedef struct notation {
    long long origin; /* in steps */
    int n;
} notation;

enum { DIGITS = 6, LARGEST = 5, SMALLEST = -4 };

static notation choose_notation(const svg_axis *a, step s)
{
    notation w = {0};
    double most = fmax(fabs(a->low), fabs(a->high));
    if (log10(most) - s.k > DIGITS) { /* labels as they are would be long and nearly equal */
        const int p = (int) ceil(log10(a->high - a->low));
        const double unit = pow(10, p), whole = round((a->low / 2 + a->high / 2) / unit);
        w.origin = (long long) round(whole * (unit / step_value(s)));
        most = fmax(fabs(a->low - whole * unit), fabs(a->high - whole * unit));
    }
    const int size = (int) floor(log10(most));
    if (size >= LARGEST || size <= SMALLEST) w.n = size;
    return w;
}

/* "×10⁻⁹ + 1.5" */
static const char *write_factor(arena *a, notation w, step s)
{
    text t = text_begin(a);
    if (w.n) {
        text_add(&t, "×");
        superscript(&t, w.n);
    }
    if (w.origin) {
        const double origin = (double) w.origin * step_value(s);
        text_printf(&t, "%s%s", w.n ? " " : "", origin < 0 ? "− " : "+ ");
        text number = text_begin(a);
        text_double(&number, fabs(origin), 15);
        const char *digits = text_end(&number), *e = strchr(digits, 'e');
        if (e) {
            text_add_n(&t, digits, (size_t) (e - digits));
            text_add(&t, "×");
            superscript(&t, (int) strtol(e + 1, NULL, 10));
        } else {
            text_add(&t, digits);
        }
    }
    return w.n || w.origin ? text_end(&t) : NULL;
}

static void push(svg_axis *a, arena *store, double place, const char *label)
{
    const svg_tick t = {.place = place, .major = label != NULL, .label = label};
    LIST_PUSH(store, &a->tick, t);
    if (label) a->widest = fmax(a->widest, svg_label_width(store, label, SVG_TICK_SIZE));
}

static void linear_majors(svg_axis *a, arena *store, step s)
{
    const double size = step_value(s), slack = 1e-9 * (a->high - a->low);
    const notation w = choose_notation(a, s);
    const double first = ceil((a->low - slack) / size), last = floor((a->high + slack) / size);
    a->tick.count = 0;
    a->widest = 0;
    a->factor = write_factor(store, w, s);
    for (double i = first; i <= last; i++) {
        const char *label = decimal(store, ((long long) i - w.origin) * s.m, s.k - w.n);
        push(a, store, svg_place(a, i * size), label);
    }
}

static void linear_minors(svg_axis *a, arena *store, step s)
{
    enum { LEAST_DISTANCE = 4 };
    const int parts = s.m == 2 ? 4 : 5;
    const double size = step_value(s) / parts, slack = 1e-9 * (a->high - a->low);
    if (fabs(a->to - a->from) * (size / (a->high - a->low)) < LEAST_DISTANCE) return;
    const double first = ceil((a->low - slack) / size), last = floor((a->high + slack) / size);
    for (double i = first; i <= last; i++)
        if (fmod(i, parts) != 0) push(a, store, svg_place(a, i * size), NULL);
}

static void linear_ticks(svg_axis *a, arena *store, bool horizontal)
{
    const double length = fabs(a->to - a->from), range = a->high - a->low;
    step s = step_above(range / length * (horizontal ? 36 : 25));
    for (int i = 0; i < 6; i++, s = step_next(s)) { /* coarser until the labels have room */
        linear_majors(a, store, s);
        const double apart = length * (step_value(s) / range);
        if (!horizontal || a->widest + 12 <= apart || a->tick.count <= 2) break;
    }
    linear_minors(a, store, s);
}

/* ---- Ticks of a logarithmic axis ------------------------------------------------------------- */

static double log_place(const svg_axis *a, double logarithm)
{
    const double length = a->to - a->from;
    const double band = a->zeros ? copysign(SVG_ZERO_BAND, length) : 0;
    return a->from + band + (length - band) * ((logarithm - a->low) / (a->high - a->low));
}

static void log_ticks(svg_axis *a, arena *store, bool horizontal)
{
    static const int strides[] = {1, 2, 3, 5, 10, 20, 50, 100, 200, 500};
    const double room = horizontal ? 44 : 26, slack = 1e-9;
    const double decade = fabs(log_place(a, 1) - log_place(a, 0));
    size_t k = 0;
    while (k < 9 && strides[k] * decade < room) k++;
    const int stride = strides[k];
    const int first = (int) ceil(a->low - slack), last = (int) floor(a->high + slack);
    if (a->zeros) push(a, store, a->from, "0");
    for (int d = first; d <= last; d++) {
        text t = text_begin(store);
        superscript(&t, d);
        push(a, store, log_place(a, d), d % stride == 0 ? text_end(&t) : NULL);
    }
    for (int d = first - 1; d <= last && decade >= 20; d++)
        for (int i = 2; i < 10; i++) {
            const double at = d + log10(i);
            if (at > a->low && at < a->high) push(a, store, log_place(a, at), NULL);
        }
}

void svg_axis_ticks(svg_axis *a, arena *store, bool horizontal)
{
    a->tick.count = 0;
    a->widest = 0;
    a->factor = NULL;
    if (a->log)
        log_ticks(a, store, horizontal);
    else
        linear_ticks(a, store, horizontal);
}
