/* report/html_page.c - the page as a whole: head, contents, sections, foot. */
#include "assets.h"
#include "html.h"
#include "html_aside.h"
#include "../figure/figure.h"
#include "../state/state.h"

#include <anholo/lang.h>

#include <math.h>
#include <string.h>

ah_report_options ah_report_defaults(void)
{
    return (ah_report_options){.size = sizeof(ah_report_options), .samples = 601};
}

/* ---- Scripts and styles ---------------------------------------------------------------------- */

static const asset *find_asset(const char *name)
{
    const asset *a = report_assets;
    while (strcmp(a->name, name) != 0) a++; /* it is there */
    return a;
}

static unsigned digit(char c)
{
    return (unsigned) (c <= '9' ? c - '0' : c - 'a' + 10);
}

/* The 32 bytes of a hash as the content-security policy wants them: in base 64. */
static void put_hash(html *h, const char *hex)
{
    static const char letters[] =
        "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    html_add(h, " 'sha256-");
    for (size_t i = 0; i < 64; i += 6) { /* three bytes, four letters; two bytes in the last */
        unsigned bits = 0;
        for (size_t k = 0; k < 6; k++) bits = bits << 4 | (i + k < 64 ? digit(hex[i + k]) : 0);
        for (int k = 3; k >= 0; k--)
            text_char(&h->out, i + 6 > 64 && k == 0 ? '=' : letters[bits >> (6 * k) & 63]);
    }
    html_add(h, "'");
}

static void put_policy(html *h, const char *const *scripts, size_t count)
{
    html_add(h, "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; "
                "style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; "
                "script-src");
    for (size_t i = 0; i < count; i++) put_hash(h, find_asset(scripts[i])->sha256);
    if (h->live_hash) put_hash(h, h->live_hash);
    html_add(h, "\"/>\n");
}

static void put_asset(html *h, const char *element, const char *name)
{
    const asset *a = find_asset(name);
    html_printf(h, "<%s>", element);
    text_add_n(&h->out, a->text, a->length);
    html_printf(h, "</%s>\n", element);
}

/* ---- Around the sections --------------------------------------------------------------------- */

static void put_head(html *h, const char *const *scripts, size_t count)
{
    html_add(h, "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n");
    put_policy(h, scripts, count);
    html_add(h, "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                "<meta name=\"color-scheme\" content=\"light dark\"/>\n");
    html_printf(h, "<meta name=\"generator\" content=\"Anholo %s\"/>\n<title>", ah_version());
    html_text(h, h->title);
    html_add(h, "</title>\n");
    put_asset(h, "style", "page.css");
    html_add(h, "<style>");
    plot_css(&h->out);
    html_add(h, "</style>\n");
    if (h->player) put_asset(h, "style", "player.css");
    if (h->live_hash) put_asset(h, "style", "live.css");
    html_add(h, "</head>\n");
}

static void put_header(html *h)
{
    html_add(h, "<header>\n<h1><bdi>");
    html_text(h, h->title);
    html_add(h, "</bdi></h1>\n");
    if (h->model->source && *h->model->source) {
        html_add(h, "<p class=\"source\"><bdi>");
        html_text(h, h->model->source);
        html_add(h, "</bdi></p>\n");
    }
    html_add(h, "</header>\n<nav aria-label=\"Contents\">\n<ol>\n");
    for (size_t i = 0; i < h->contents.count; i++)
        html_printf(h, "<li><a href=\"#%s\">%s</a></li>\n", h->contents.at[i].id,
                    h->contents.at[i].title);
    html_add(h, "</ol>\n</nav>\n");
}

static void put_footer(html *h)
{
    html_printf(h,
                "<footer>\n<p>Made by Anholo %s; every number on this page comes from its library.",
                ah_version());
    if (h->options->command) {
        html_add(h, " The same page again:</p>\n<pre tabindex=\"0\"><code>");
        html_text(h, h->options->command);
        html_add(h, "</code></pre>\n</footer>\n");
    } else {
        html_add(h, "</p>\n</footer>\n");
    }
}

/* ---- The whole ------------------------------------------------------------------------------- */

static text sections(html *h, aside *beside)
{
    h->out = text_begin(h->arena);
    html_run_motion(h);
    html_scene(h);
    html_system(h);
    html_kind(h);
    html_methods(h);
    const html_answers *a = aside_end(beside, h->ctx);
    html_claims(h, a);
    html_constants(h, a);
    html_motion(h);
    html_agreement(h, a);
    return h->out;
}

static void put_page(html *h, aside *beside)
{
    static const char *const scripts[] = {"page.js", "scene.js", "player.js", "curves.js",
                                          "live.js"};
    h->end = base_work() + HTML_SECONDS;
    text body = sections(h, beside);
    if (!h->player) h->live_hash = NULL;
    const size_t count = !h->player ? 1 : h->live_hash ? 5 : 3;
    h->out = text_begin(h->arena);
    put_head(h, scripts, count);
    html_add(h, "<body>\n<a class=\"skip\" href=\"#main\">Skip to the content</a>\n");
    put_header(h);
    html_add(h, "<main id=\"main\">\n");
    html_add(h, text_end(&body));
    html_add(h, "</main>\n");
    put_footer(h);
    if (h->live_hash) {
        html_add(h, "<script>");
        html_add(h, h->live_code);
        html_add(h, "</script>\n");
    }
    for (size_t i = 0; i < count; i++) put_asset(h, "script", scripts[i]);
    html_add(h, "</body>\n</html>\n");
}

typedef struct request {
    ah_model *model;
    const ah_report_options *options;
    ah_page *page;
    aside beside;
} request;

/* Every name in the list of methods is one. */
static bool methods_exist(ah_ctx *ctx, const char *names)
{
    while (names && *names) {
        const size_t length = strcspn(names, ", ");
        const char *name = arena_strndup(&ctx->job, names, length);
        if (length && strcmp(name, "all") != 0 && !derive_find_or_report(ctx, name)) return false;
        names += length + (names[length] != '\0');
    }
    return true;
}

/* What was said of the motion can be read. Where parameters have no values there is none, and nothing to read it with. */
static bool motion_makes_sense(ah_ctx *ctx, const request *r)
{
    const ah_report_options *o = r->options;
    const diag_mark mark = diag_get_mark(ctx);
    point p;
    ah_expr to = AH_NONE;
    if (o->to && ah_read_expression(r->model, "--to", o->to, &to) != AH_OK) return false;
    if (!point_create(model_driven(r->model), &ctx->job, &p) || !point_start(&p)) {
        diag_take(ctx, &ctx->job, mark);
        return true;
    }
    if (o->at && !point_read(&p, o->at)) return false;
    if (to == AH_NONE || isfinite(point_eval(&p, to))) return true;
    diag(ctx, A0611, NOWHERE, "the end of the span is not a finite number");
    return false;
}

static bool options_make_sense(ah_ctx *ctx, const request *r)
{
    const ah_report_options *o = r->options;
    if (o->samples < 2) return diag_wrong_call(ctx, "samples are at least two: both ends");
    if ((o->at || o->to) && !motion_makes_sense(ctx, r)) return false;
    return methods_exist(ctx, o->methods);
}

static void run(ah_ctx *ctx, void *arg)
{
    request *r = arg;
    if (!options_make_sense(ctx, r)) return;
    r->page = NEW(&ctx->job, ah_page);
    html h = {
        .ctx = ctx, .arena = &ctx->job, .model = r->model, .options = r->options, .page = r->page};
    h.title = r->options->title ? r->options->title : r->model->title;
    if (!*h.title) h.title = "A mechanical system";
    aside_begin(&r->beside, ctx, r->model->fork_of, r->options->threads);
    put_page(&h, &r->beside);
    r->page->html = text_end(&h.out);
    r->page->length = h.out.length;
    r->page->methods = h.methods.count;
    r->page->method = h.methods.at;
}

ah_status ah_report(ah_model *m, const ah_report_options *options, const ah_page **out)
{
    if (!out) return AH_E_INPUT;
    ah_report_options o = ah_report_defaults();
    request r = {.options = &o};
    *out = NULL;
    if (!base_take_options(m ? m->ctx : NULL, &o, sizeof o, options)) return AH_E_INPUT;
    const ah_status status = model_guard_fork(m, MODEL_REPORT, AH_TEXT, &r.model, run, &r);
    aside_destroy(&r.beside);
    *out = status == AH_OK ? r.page : NULL;
    return status;
}
