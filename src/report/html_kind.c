/* report/html_kind.c - what kind of system it is: the parts of `check` as a table. */
#include "../answer/answer.h"
#include "html.h"

#include <string.h>

/* Seconds for the whole of it. */
#define KIND_SECONDS 5.0

static void put_part(html *h, const check_part *part, const checked *c)
{
    prose p = prose_begin(h->ctx, AH_MATHML);
    part->write(&p, c);
    const char *words = prose_finish(&p);
    if (!*words) return;
    html_printf(h, "<tr><th scope=\"row\">%s</th><td>", part->title);
    html_add(h, words);
    html_add(h, "</td></tr>\n");
}

static void put_table(html *h, void *unused)
{
    (void) unused;
    checked c = {.m = h->model};
    if (!check_find(&c)) return;
    html_add(h, "<table class=\"kind\">\n<tbody>\n");
    for (const check_part *p = check_parts; p->title; p++)
        if (strcmp(p->title, "Methods") != 0) put_part(h, p, &c);
    html_add(h, "</tbody>\n</table>\n");
}

void html_kind(html *h)
{
    html_section(h, "kind", "What kind of system it is");
    const char *why = html_try(h, KIND_SECONDS, put_table, NULL);
    if (why) {
        html_add(h, "<p>This was not found out: ");
        html_text(h, why);
        html_add(h, ".</p>\n");
    }
    html_section_end(h);
}
