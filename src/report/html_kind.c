/* report/html_kind.c - what kind of system it is: the parts of `check` as a table. */
#include "../answer/answer.h"
#include "html.h"

#include <string.h>

/* Seconds for the whole of it. */
#define KIND_SECONDS 5.0

static void put_lines(html *h, const char *words, const check_lines *lines)
{
    bool list = false;
    for (size_t i = 0; i < lines->at.count; i++) {
        const check_line *l = &lines->at.at[i];
        if (l->item != list) html_add(h, l->item ? "<ul>" : "</ul>");
        html_add(h, l->item ? "<li>" : "<p>");
        text_add_n(&h->out, words + l->begin, l->end - l->begin);
        html_add(h, l->item ? "</li>" : "</p>");
        list = l->item;
    }
    if (list) html_add(h, "</ul>");
}

static void put_part(html *h, const check_part *part, checked *c)
{
    check_lines lines;
    const char *words = check_write(part, c, &lines);
    if (!lines.at.count) return;
    html_printf(h, "<tr><th scope=\"row\">%s</th><td>", part->title);
    put_lines(h, words, &lines);
    html_add(h, "</td></tr>\n");
}

static void put_table(html *h, void *unused)
{
    (void) unused;
    checked c = {.m = h->model, .format = AH_MATHML};
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
