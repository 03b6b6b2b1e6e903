/* report/html_methods.c - equations of motion by the chosen methods, and reactive forces. */
#include "html.h"
#include "../typeset/typeset.h"

#include <string.h>

/* Seconds for one method, and for all those that nobody asked for. */
#define METHOD_SECONDS  10.0
#define METHODS_SECONDS 0.3
/* Methods beside the default one that are shown without being asked for, if their results are no
 * longer than so many characters of LaTeX. */
#define METHODS_MORE  3
#define METHODS_SHORT 1600
/* Bytes of a worksheet in the page; longer ones are left to `derive --steps`. */
#define STEPS_LARGEST 300000

typedef struct showing {
    const formalism *method;
    const char *refused; /* why it does not apply */
    bool only_short;
    bool shown;
} showing;

/* ---- One method ------------------------------------------------------------------------------ */

/* All formulas, for their length and to see whether two methods say the same. */
static const char *latex_of(const worksheet *w)
{
    text t = text_begin(w->arena);
    for (size_t i = 0; i < w->step.count; i++) {
        const sheet_step_kind kind = w->step.at[i].kind;
        if (kind != STEP_SECTION && kind != STEP_TEXT)
            text_add(&t, worksheet_step_latex(w, &w->step.at[i]));
    }
    return text_end(&t);
}

/* Whether the result says how the motion goes on, not only of which matrices it is made. */
static bool is_solved(const worksheet *w)
{
    for (size_t i = 0; i < w->step.count; i++) {
        const ws_step *s = &w->step.at[i];
        if (s->kind != STEP_EQUATIONS || !s->solved || !s->unknowns.rows) continue;
        const ah_symbol_kind kind = expr_get_kind(w->ctx, mat_get(w->ctx, s->unknowns, 0, 0));
        if (kind == AH_ACCELERATION || kind == AH_SPEED_DOT) return true;
    }
    return false;
}

/* Short, solved, and not what another method has said already. */
static bool is_worth_showing(const html *h, const worksheet *w, const char *latex)
{
    if (!is_solved(w) || strlen(latex) > METHODS_SHORT) return false;
    for (size_t i = 0; i < h->results.count; i++)
        if (!strcmp(h->results.at[i], latex)) return false;
    return true;
}

static void put_steps(html *h, void *arg)
{
    ah_equations *eq = arg;
    const char *steps = worksheet_html(worksheet_make(eq, WORKSHEET_STEPS), 4);
    html_add(h, "<details class=\"steps\">\n<summary>Show the steps</summary>\n");
    if (strlen(steps) <= STEPS_LARGEST) {
        html_add(h, steps);
    } else {
        html_printf(h,
                    "<p>The worksheet is long; <code>anholo derive --steps --method %s</code> "
                    "prints it.</p>\n",
                    eq->formalism->name);
    }
    html_add(h, "</details>\n");
}

static void put_method(html *h, void *arg)
{
    showing *s = arg;
    const char *why = NULL, *instead = NULL;
    ah_equations *eq = derive_equations(h->model, s->method, NULL, &why, &instead);
    if (!eq) {
        s->refused = why;
        return;
    }
    const worksheet *w = worksheet_make(eq, WORKSHEET_RESULT);
    const char *latex = latex_of(w);
    if (s->only_short && !is_worth_showing(h, w, latex)) return;
    LIST_PUSH(h->arena, &h->results, latex);
    html_printf(h, "<section class=\"method\" id=\"method-%s\">\n<h3>", s->method->name);
    html_text(h, s->method->title);
    html_add(h, "</h3>\n");
    html_add(h, worksheet_html(w, 4));
    const char *stopped = html_try(h, METHOD_SECONDS, put_steps, eq);
    if (stopped) {
        html_add(h, "<p>The steps are not shown: ");
        html_text(h, stopped);
        html_add(h, ".</p>\n");
    }
    html_add(h, "</section>\n");
    s->shown = true;
}

static void refusal(html *h, const formalism *f, const char *why)
{
    html_printf(h, "<section class=\"method\" id=\"method-%s\">\n<h3>", f->name);
    html_text(h, f->title);
    html_add(h, "</h3>\n<p>This method gives no equations here: ");
    html_text(h, why);
    html_add(h, ".</p>\n</section>\n");
}

static bool is_shown(const html *h, const formalism *f)
{
    for (size_t i = 0; i < h->methods.count; i++)
        if (!strcmp(h->methods.at[i], f->name)) return true;
    return false;
}

/* False: the method refuses, or is too long. */
static bool show(html *h, const formalism *f, bool asked, double seconds)
{
    showing s = {.method = f, .only_short = !asked};
    if (is_shown(h, f)) return true;
    const char *why = html_try(h, seconds, put_method, &s);
    if (s.refused) why = s.refused;
    if (s.shown && !why)
        LIST_PUSH(h->arena, &h->methods, f->name);
    else if (asked)
        refusal(h, f, why ? why : "it is too long");
    return s.shown && !why;
}

/* ---- Which methods --------------------------------------------------------------------------- */

static void show_asked(html *h, const char *names)
{
    while (*names) {
        const size_t length = strcspn(names, ", ");
        const char *name = arena_strndup(h->arena, names, length);
        if (length && !strcmp(name, "all"))
            for (size_t i = 0; derive_formalisms[i]; i++) {
                const char *instead = NULL;
                if (!derive_formalisms[i]->accepts(derive_mechanics(h->model), &instead))
                    show(h, derive_formalisms[i], true, METHOD_SECONDS);
            }
        else if (length && derive_find(name))
            show(h, derive_find(name), true, METHOD_SECONDS);
        names += length + (names[length] != '\0');
    }
}

/* Multipliers have a section of their own where there are constraints. */
static void show_chosen(html *h)
{
    const formalism *usual = derive_default(derive_mechanics(h->model));
    const double end = base_work() + html_spare(h, METHODS_SECONDS);
    show(h, usual, true, METHOD_SECONDS);
    if (h->model->kinematic) return;
    size_t more = 0;
    for (size_t i = 0; derive_formalisms[i] && more < METHODS_MORE; i++) {
        const formalism *f = derive_formalisms[i];
        const char *instead = NULL;
        const double left = end - base_work();
        if (f == usual || !strcmp(f->name, "multipliers") || left <= 0) continue;
        if (!f->accepts(derive_mechanics(h->model), &instead)) more += show(h, f, false, left);
    }
}

/* ---- Reactive forces ------------------------------------------------------------------------- */

static void put_reactions(html *h, void *arg)
{
    const char **refused = arg;
    const char *instead = NULL;
    ah_equations *eq =
        derive_equations(h->model, derive_find("multipliers"), NULL, refused, &instead);
    if (!eq) return;
    html_add(h, worksheet_html(worksheet_make(eq, WORKSHEET_REACTIONS), 3));
}

static void reactions(html *h)
{
    if (!h->model->constraints.count) return;
    html_section(h, "reactions", "Reactive forces");
    html_add(h,
             "<p>What the constraints exert, through the multipliers of Lagrange’s equations; one "
             "multiplier for each constraint, in the order in which they are written.</p>\n");
    if (is_shown(h, derive_find("multipliers"))) {
        html_add(h, "<p>They are <a href=\"#method-multipliers\">above, with the equations of "
                    "motion</a>.</p>\n");
    } else {
        const char *refused = NULL, *why = html_try(h, METHOD_SECONDS, put_reactions, &refused);
        if (refused || why) {
            html_add(h, "<p>They are not given: ");
            html_text(h, refused ? refused : why);
            html_add(h, ".</p>\n");
        }
    }
    html_section_end(h);
}

void html_methods(html *h)
{
    html_section(h, "equations", "Equations of motion");
    if (h->options->methods)
        show_asked(h, h->options->methods);
    else
        show_chosen(h);
    html_section_end(h);
    reactions(h);
}
