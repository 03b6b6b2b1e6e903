/* t_drawings.c - drawings built through the C interface: what is kept, what is refused. */
#include "model_support.h"

#include <string.h>

static ah_model *model(ah_ctx *ctx)
{
    ah_model *m = model_create_in(ctx, "");
    add_parameters(m, "r = 0.5");
    add_coordinates(m, "x, y, a");
    const ah_turn turn = {3, read_expr(m, "a")};
    const ah_body body = {.name = "B",
                          .mass = ah_int(ctx, 1),
                          .inertia = {ah_int(ctx, 1), ah_int(ctx, 2), ah_int(ctx, 1)},
                          .place = read_vector(m, "x", "y", "0"),
                          .turns = 1,
                          .turn = &turn};
    ah_model_body(m, &body);
    ah_model_point(m, "P", ah_int(ctx, 1), read_vector(m, "x", "0", "0"));
    ah_model_finish(m);
    return m;
}

TEST(drawings_are_kept_and_leave_the_model_finished)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model(ctx);
    char name[] = "B", label[] = "rim";
    const ah_drawing wheel = {.shape = AH_DRAW_WHEEL,
                              .body = name,
                              .size = {read_expr(m, "r")},
                              .label = label,
                              .colour = "green"};
    const ah_drawing arrow = {.shape = AH_DRAW_ARROW,
                              .at = read_vector(m, "x", "y", "0"),
                              .to = read_vector(m, "x''", "y'", "0")};
    CHECK_INT(ah_model_draw(m, &wheel), AH_OK);
    CHECK_INT(ah_model_draw(m, &arrow), AH_OK);
    memset(name, 'z', 1); /* the model keeps its own */
    memset(label, 'z', 3);
    CHECK(m->finished);
    CHECK_INT(m->drawings.count, 2);
    CHECK_STR(m->drawings.at[0].what.body, "B");
    CHECK_STR(m->drawings.at[0].what.label, "rim");
    CHECK_STR(model_colours[m->drawings.at[0].colour], "green");
    CHECK_INT(m->drawings.at[0].part, 0);
    CHECK_INT(m->drawings.at[1].part, -1);
    CHECK(strstr(model_print(m, &ctx->job), "draw wheel B\n    size = r\n    label \"rim\"\n"));
    ah_ctx_destroy(ctx);
}

TEST(wrong_drawings_are_refused)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model(ctx);
    const ah_vector at = read_vector(m, "x", "y", "0");
    const ah_expr u = ah_symbol(ctx, AH_LOCAL, "u"), one = ah_int(ctx, 1);
    const struct {
        ah_drawing d;
        const char *codes;
    } wrong[] = {
        {{.shape = AH_SHAPES, .at = at}, "A0310"},
        {{.shape = AH_DRAW_POINT}, "A0310"},
        {{.shape = AH_DRAW_LINE, .at = at}, "A0310"},
        {{.shape = AH_DRAW_DISC, .at = at}, "A0310"},
        {{.shape = AH_DRAW_BOX, .at = at, .size = {one, one}}, "A0310"},
        {{.shape = AH_DRAW_CURVE, .at = at}, "A0310"},
        {{.shape = AH_DRAW_WHEEL, .body = "P", .size = {one}}, "A0310"},
        {{.shape = AH_DRAW_WHEEL, .body = "nobody", .size = {one}}, "A0310"},
        {{.shape = AH_DRAW_WHEEL, .body = "B", .size = {one}, .axis = 4}, "A0310"},
        {{.shape = AH_DRAW_POINT, .at = at, .colour = "url(evil)"}, "A0310"},
        {{.shape = AH_DRAW_POINT, .at = {{u, one, one}}}, "A0402"},
        {{.shape = AH_DRAW_POINT, .at = read_vector(m, "nothing", "0", "0")}, "A0403"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        ah_ctx_reset_status(ctx);
        CHECK_INT(ah_model_draw(m, &wrong[i].d), AH_E_INPUT);
        CHECK_STR(codes(ctx), wrong[i].codes);
    }
    CHECK_INT(m->drawings.count, 0);
    ah_ctx_destroy(ctx);
}
