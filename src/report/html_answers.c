/* report/html_answers.c - claims with their verdicts, first integrals, steady motions, and whether
 * the methods agree. */
#include "../flow/flow.h"
#include "../analyse/analyse.h"
#include "../answer/answer.h"
#include "html.h"

#include <math.h>
#include <string.h>

/* Seconds. Searches that take longer are left to their commands. */
#define CLAIMS_SECONDS    30.0
#define INTEGRALS_SECONDS 1.2
#define STEADY_SECONDS    0.5
#define AGREEMENT_SECONDS 0.6
#define AGREEMENT_STATES  20
#define CLAIMS_STATES     30
#define SEED              1
/* Steady motions that are shown. */
#define STEADY_MOST 6
/* Rounding of a sum that vanishes is written as zero. */
#define DUST 1e-14

static void not_found(html *h, const char *what, const char *why)
{
    html_printf(h, "<p>%s: ", what);
    html_text(h, why);
    html_add(h, ".</p>\n");
}

/* ---- Claims ---------------------------------------------------------------------------------- */

/* What it says, as it was written. */
static void statement(html *h, const model_claim *c)
{
    if (!c->words) {
        html_equals(h, c->left, c->right);
        return;
    }
    html_add(h, "<code>");
    html_text(h, c->words);
    html_add(h, "</code>");
}

/* The state, with the parameters that are free there. */
static void counterexample(html *h, const verify_claim *c)
{
    const ah_model *m = c->model;
    if (!c->values) return;
    html_add(h, "<details><summary>");
    if (c->claim->statement) {
        html_add(h, "A counter-example");
    } else {
        html_number(h, c->left, 6);
        html_add(h, " on the left, ");
        html_number(h, c->right, 6);
        html_add(h, " on the right");
    }
    html_add(h, "</summary><p>at ");
    for (uint32_t i = 0; i <= 2 * m->n; i++) {
        const ah_expr e = i == 0      ? expr_time(h->ctx)
                          : i <= m->n ? m->q.at[i - 1]
                                      : m->v.at[i - 1 - m->n];
        html_add(h, i ? ", " : "");
        html_value(h, e, frame_get(c->values, e), 6);
    }
    for (size_t i = 0; i < m->parameters.count; i++) {
        if (m->parameters.at[i].value != AH_NONE) continue;
        html_add(h, ", ");
        html_value(h, m->parameters.at[i].symbol, frame_get(c->values, m->parameters.at[i].symbol),
                   6);
    }
    html_add(h, "</p></details>");
}

static void verdict_cell(html *h, const verify_claim *c)
{
    const bool refuted = c->claim->refute && c->verdict == AH_VERDICT_FALSE;
    html_printf(h, "<td><span class=\"verdict %s\">%s %s</span>",
                c->pass                            ? "good"
                : c->verdict == AH_VERDICT_UNKNOWN ? "open"
                                                   : "bad",
                c->pass                            ? "✓"
                : c->verdict == AH_VERDICT_UNKNOWN ? "?"
                                                   : "✗",
                refuted ? "refuted" : ah_verdict_word(c->verdict));
    if (c->on_constraints) html_add(h, " on the constraints");
    if (c->verdict == AH_VERDICT_HOLDS && c->states)
        html_printf(h, " at %zu random states, not proved", c->states);
    else if (c->verdict == AH_VERDICT_HOLDS)
        html_add(h, " in general, not proved");
    html_add(h, "</td>");
}

static void claim_row(html *h, const verify_claim *c)
{
    html_add(h, "<tr>");
    verdict_cell(h, c);
    html_printf(h, "<td>%s <bdi><b>", c->claim->refute ? "Not so:" : "");
    html_text(h, c->claim->label);
    html_add(h, "</b></bdi><br/>");
    statement(h, c->claim);
    if (c->why) {
        html_add(h, "<p class=\"why\">");
        html_text(h, c->why);
        html_add(h, "</p>");
    }
    if (c->component) {
        html_add(h, "<p class=\"why\">on the component ");
        html_text(h, c->component);
        html_add(h, "</p>");
    }
    if (c->verdict == AH_VERDICT_FALSE) counterexample(h, c);
    html_add(h, "</td></tr>\n");
}

static void put_claims(html *h, void *unused)
{
    (void) unused;
    verify_answer a;
    verify_run(h->model, CLAIMS_STATES, SEED, &a);
    size_t passed = 0;
    for (size_t i = 0; i < a.count; i++) passed += a.at[i].pass;
    h->page->claims = a.count;
    h->page->claims_passed = passed;
    html_printf(h,
                "<p>Statements about every admissible state and motion, put to the proof: %zu of "
                "%zu turn out as stated.</p>\n",
                passed, a.count);
    html_add(h, "<table class=\"claims\">\n<thead><tr><th scope=\"col\">Verdict</th>"
                "<th scope=\"col\">Statement</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < a.count; i++) claim_row(h, &a.at[i]);
    html_add(h, "</tbody>\n</table>\n");
}

void html_find_claims(html *h)
{
    if (!h->model->claims.count) return;
    const char *why = html_try(h, CLAIMS_SECONDS, put_claims, NULL);
    if (why) not_found(h, "The claims were not put to the proof", why);
}

void html_claims(html *h, const html_answers *a)
{
    if (!h->model->claims.count) return;
    html_section(h, "claims", "Claims");
    html_add(h, a->claims);
    html_section_end(h);
    h->page->claims = a->count;
    h->page->claims_passed = a->passed;
}

/* ---- First integrals ------------------------------------------------------------------------- */

static void integral_item(html *h, const ah_integral *x)
{
    html_add(h, "<li>");
    if (x->name) {
        html_text(h, x->name);
        html_add(h, ": ");
    }
    html_add(h, "<span class=\"wide\">");
    html_math(h, x->e);
    html_add(h, "</span>");
    if (!x->independent) html_add(h, " (a function of those above)");
    if (x->verdict != AH_VERDICT_PROVED) html_add(h, " (at random states, not proved)");
    html_add(h, "</li>\n");
}

static void put_integrals(html *h, void *arg)
{
    const char **refused = arg;
    ah_integrals_options o = ah_integrals_defaults();
    o.seed = SEED;
    ah_integrals_values a;
    if (!search_AH_INTEGRALS(h->model, &o, &a, refused)) return;
    if (!a.count) {
        html_add(
            h, "<p>None was found among polynomials of the second degree in the velocities.</p>\n");
        return;
    }
    html_add(h, "<ul>\n");
    for (size_t i = 0; i < a.count; i++) integral_item(h, &a.at[i]);
    html_add(h, "</ul>\n");
}

/* ---- Steady motions -------------------------------------------------------------------------- */

static void put_variables(html *h, const family *f)
{
    const stability_answer *s = &f->motion;
    const minimal *m = s->m;
    for (uint32_t i = 0; i < m->kept; i++) {
        const uint32_t y = m->keep[i];
        const ah_expr symbol = m->symbol[y];
        const bool in_symbols = s->symbolic && s->symbolic->state[i] != symbol;
        bool is_free = false;
        for (uint32_t k = 0; s->family_sure && k < s->family; k++)
            is_free = is_free || s->parameter[k] == y;
        html_add(h, i ? ", " : "");
        if (is_free) {
            html_math(h, symbol);
            html_add(h, " free");
        } else if (in_symbols) {
            html_equals(h, symbol, s->symbolic->state[i]);
        } else if (f->varies[i]) {
            html_math(h, symbol);
            html_add(h, " by these");
        } else {
            const double value = minimal_value(m, y, s->values);
            html_value(h, symbol, fabs(value) < DUST ? 0 : value, 6);
        }
    }
}

/* What holds for all of the family, or for which part of it. */
static void steady_stability(html *h, const family *f)
{
    for (size_t i = 0; i < f->stability.count; i++) {
        const family_part *p = &f->stability.at[i];
        const char *where = steady_part_where(f, p, AH_TEXT);
        if (where) {
            html_add(h, f->stability.proved ? "For " : "At ");
            html_text(h, where);
            html_add(h, ": ");
        }
        html_text(h, steady_verdict_text(p->verdict));
        html_add(h, ". ");
    }
}

static void put_steady(html *h, void *arg)
{
    const char **refused = arg;
    families_answer a;
    if (families_work(model_driven(h->model)) > STEADY_SECONDS)
        ctx_raise_limit(h->ctx, NULL); /* it would not come to an end */
    if (!families_run(model_driven(h->model), NULL, 30, SEED, &a, refused)) return;
    if (!a.count) {
        html_printf(h, "<p>None was found from %zu states.</p>\n", a.starts);
        return;
    }
    html_add(h, "<ul>\n");
    for (size_t i = 0; i < a.count && i < STEADY_MOST; i++) {
        html_add(h, a.at[i].rest ? "<li>Equilibrium" : "<li>Steady motion");
        if (a.at[i].component) {
            html_add(h, " on the component ");
            html_text(h, a.at[i].component);
        }
        html_add(h, ": ");
        put_variables(h, &a.at[i]);
        html_add(h, ". ");
        steady_stability(h, &a.at[i]);
        html_add(h, "</li>\n");
    }
    if (a.count > STEADY_MOST) html_printf(h, "<li>… and %zu more.</li>\n", a.count - STEADY_MOST);
    html_add(h, "</ul>\n<p>");
    for (size_t i = 0; i < a.poles; i++) {
        html_text(h, steady_pole(&a, &a.pole[i], AH_TEXT));
        html_add(h, "\n");
    }
    html_text(h, steady_components(&a));
    if (a.components) html_add(h, "\n");
    html_add(h, "There may be others.</p>\n");
}

static void search(html *h, const char *title, double seconds, void (*body)(html *, void *))
{
    const char *refused = NULL;
    html_printf(h, "<h3>%s</h3>\n", title);
    const char *why = html_try(h, html_spare(h, seconds), body, &refused);
    if (refused || why) not_found(h, "Not searched", refused ? refused : why);
}

void html_find_constants(html *h)
{
    search(h, "First integrals", INTEGRALS_SECONDS, put_integrals);
    search(h, "Steady motions", STEADY_SECONDS, put_steady);
}

void html_constants(html *h, const html_answers *a)
{
    html_section(h, "constants", "First integrals and steady motions");
    html_add(h, a->constants);
    html_section_end(h);
}

/* ---- Methods --------------------------------------------------------------------------------- */

static void put_agreement(html *h, void *unused)
{
    (void) unused;
    crosscheck_answer a;
    if (!crosscheck_run(model_driven(h->model), AGREEMENT_STATES, SEED, &a)) return;
    html_printf(h,
                "<p>%zu methods apply. At %zu random admissible states their accelerations %s: "
                "the largest relative difference is ",
                a.methods, a.states, a.pass ? "agree" : "<strong>do not agree</strong>");
    html_number(h, a.worst, 2);
    html_add(h, ".</p>\n");
}

static void method_row(html *h, const ah_applicability *k)
{
    bool shown = false;
    for (size_t i = 0; i < h->methods.count; i++)
        shown = shown || !strcmp(h->methods.at[i], k->name);
    html_add(h, "<tr><th scope=\"row\">");
    if (shown) html_printf(h, "<a href=\"#method-%s\">", k->name);
    html_text(h, k->title);
    html_add(h, shown ? "</a></th><td>" : "</th><td>");
    html_printf(h, "<code>%s</code></td><td>", k->name);
    if (k->applies)
        html_add(h, shown ? "shown above" : "applies");
    else
        html_add(h, "does not apply: "), html_text(h, k->why);
    html_add(h, "</td></tr>\n");
}

static void put_methods(html *h, void *unused)
{
    (void) unused;
    size_t count;
    const ah_applicability *k;
    if (kind_methods(h->model, &count, &k) != AH_OK) return;
    html_add(h,
             "<table class=\"methods\">\n<thead><tr><th scope=\"col\">Method</th><th scope=\"col\">"
             "Name</th><th scope=\"col\">Here</th></tr></thead>\n<tbody>\n");
    for (size_t i = 0; i < count; i++) method_row(h, &k[i]);
    html_add(h, "</tbody>\n</table>\n");
}

void html_find_agreement(html *h)
{
    if (h->model->kinematic) return;
    const char *why = html_try(h, html_spare(h, AGREEMENT_SECONDS), put_agreement, NULL);
    if (why) not_found(h, "The methods were not compared", why);
}

void html_agreement(html *h, const html_answers *a)
{
    if (h->model->kinematic) return;
    html_section(h, "methods", "Methods");
    html_add(h, a->agreement);
    html_try(h, AGREEMENT_SECONDS, put_methods, NULL);
    html_section_end(h);
}
