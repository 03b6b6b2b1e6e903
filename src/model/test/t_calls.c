/* t_calls.c - the calls that build a model, one by one: AH_NONE and handles of nothing are turned away with an
 * error, by each of them and for each argument; and what a model says of itself is what it was told. */
#include "model_support.h"

#include <string.h>

typedef struct bag {
    ah_model *m;
    ah_expr x, one, bad; /* bad: AH_NONE or a handle of nothing */
    ah_vector v, w;      /* w has a bad component */
} bag;

typedef bool wrong(const bag *b);

/* Every call with every argument that can be bad, as an expression that is true where it is refused. */
#define WRONG_CALLS(X)                                                                             \
    X(b->bad == AH_NONE || ah_model_parameter(b->m, "p", b->bad) == AH_NONE)                       \
    X(ah_model_velocity(b->m, b->bad) == AH_NONE)                                                  \
    X(ah_model_acceleration(b->m, b->bad) == AH_NONE)                                              \
    X(ah_model_function(b->m, "f", 1, &b->bad, AH_NONE) == AH_E_INPUT)                             \
    X(ah_model_kinetic(b->m, b->bad) == AH_E_INPUT)                                                \
    X(ah_model_potential(b->m, b->bad) == AH_E_INPUT)                                              \
    X(ah_model_force(b->m, b->bad, b->one) == AH_E_INPUT)                                          \
    X(ah_model_force(b->m, b->x, b->bad) == AH_E_INPUT)                                            \
    X(ah_model_gravity(b->m, b->w) == AH_E_INPUT)                                                  \
    X(ah_model_point(b->m, "Q", b->bad, b->v) == AH_E_INPUT)                                       \
    X(ah_model_point(b->m, "Q", b->one, b->w) == AH_E_INPUT)                                       \
    X(ah_model_body(b->m, &(ah_body){.name = "C", .mass = b->bad, .place = b->v}) == AH_E_INPUT)   \
    X(ah_model_body(b->m, &(ah_body){.name = "C", .mass = b->one, .place = b->w}) == AH_E_INPUT)   \
    X(b->bad == AH_NONE ||                                                                         \
      ah_model_body(                                                                               \
          b->m,                                                                                    \
          &(ah_body){.name = "C", .mass = b->one, .place = b->v, .inertia = {b->one, b->bad}}) ==  \
          AH_E_INPUT)                                                                              \
    X(ah_model_body(b->m, &(ah_body){.name = "C",                                                  \
                                     .mass = b->one,                                               \
                                     .place = b->v,                                                \
                                     .turns = 1,                                                   \
                                     .turn = &(ah_turn){3, b->bad}}) == AH_E_INPUT)                \
    X(ah_model_force_on(b->m, "B", b->w, NULL) == AH_E_INPUT)                                      \
    X(ah_model_force_on(b->m, "B", b->v, &b->w) == AH_E_INPUT)                                     \
    X(ah_model_force_on(b->m, "nobody", b->v, NULL) == AH_E_INPUT)                                 \
    X(ah_model_force_on(b->m, "P", b->v, &b->v) == AH_E_INPUT)                                     \
    X(ah_model_torque_on(b->m, "B", b->w) == AH_E_INPUT)                                           \
    X(ah_model_torque_on(b->m, "P", b->v) == AH_E_INPUT)                                           \
    X(ah_model_constraint(b->m, "c", b->bad, b->one) == AH_E_INPUT)                                \
    X(ah_model_constraint(b->m, "c", b->x, b->bad) == AH_E_INPUT)                                  \
    X(ah_model_constraint_vector(b->m, "c", b->w, b->v) == AH_E_INPUT)                             \
    X(ah_model_constraint_vector(b->m, "c", b->v, b->w) == AH_E_INPUT)                             \
    X(ah_model_speed_equation(b->m, b->bad, b->one) == AH_E_INPUT)                                 \
    X(ah_model_speed_equation(b->m, b->x, b->bad) == AH_E_INPUT)                                   \
    X(ah_model_speed_equation(b->m, b->one, b->one) == AH_E_INPUT)                                 \
    X(ah_model_quasivelocity(b->m, "w", b->bad) == AH_NONE)                                        \
    X(ah_model_assume(b->m, b->bad, true) == AH_E_INPUT)                                           \
    X(ah_model_start(b->m, b->bad, b->one) == AH_E_INPUT)                                          \
    X(ah_model_start(b->m, b->x, b->bad) == AH_E_INPUT)                                            \
    X(ah_model_start(b->m, b->one, b->one) == AH_E_INPUT)                                          \
    X(ah_model_start(b->m, b->x, b->x) == AH_E_INPUT)                                              \
    X(ah_model_span(b->m, b->bad, b->one) == AH_E_INPUT)                                           \
    X(ah_model_span(b->m, b->one, b->bad) == AH_E_INPUT)                                           \
    X(ah_model_span(b->m, b->one, b->x) == AH_E_INPUT)                                             \
    X(ah_model_span(b->m, b->x, b->one) == AH_E_INPUT)                                             \
    X(ah_model_output(b->m, "o", b->bad) == AH_E_INPUT)                                            \
    X(ah_model_event(b->m, "e", b->bad, 0, false) == AH_E_INPUT)                                   \
    X(ah_model_claim(b->m, "c", b->bad, b->one, false) == AH_E_INPUT)                              \
    X(ah_model_claim(b->m, "c", b->one, b->bad, false) == AH_E_INPUT)                              \
    X(ah_model_set(b->m, "k", b->bad) == AH_E_INPUT)                                               \
    X(ah_model_set(b->m, "nobody", b->one) == AH_E_INPUT)                                          \
    X(ah_model_set(b->m, "x", b->one) == AH_E_INPUT)                                               \
    X(ah_model_set(b->m, "k", b->x) == AH_E_INPUT)                                                 \
    X(ah_model_set_input(b->m, "k", b->one) == AH_E_INPUT)                                         \
    X(ah_model_set_input(b->m, "k", b->bad) == AH_E_INPUT)                                         \
    X(ah_model_position(b->m, "nobody").c[0] == AH_NONE)                                           \
    X(ah_model_velocity_of(b->m, "nobody").c[0] == AH_NONE)                                        \
    X(ah_model_velocity_at(b->m, "B", b->w).c[0] == AH_NONE)                                       \
    X(ah_model_velocity_at(b->m, "P", b->v).c[0] == AH_NONE)                                       \
    X(ah_model_omega(b->m, "P").c[0] == AH_NONE)                                                   \
    X(ah_model_axis(b->m, "P", 1).c[0] == AH_NONE)                                                 \
    X(ah_model_axis(b->m, "B", 0).c[0] == AH_NONE)                                                 \
    X(ah_model_axis(b->m, "B", 4).c[0] == AH_NONE)                                                 \
    X(ah_model_kinetic(NULL, b->one) == AH_E_INPUT)

#define X(call)                                                                                    \
    {                                                                                              \
        ah_ctx_reset_status(b->m->ctx);                                                            \
        harness_check(call, __FILE__, __LINE__, #call);                                            \
    }
static void call_all(const bag *b){WRONG_CALLS(X)}
#undef X

TEST(bad_arguments)
{
    for (int none = 0; none < 2; none++) {
        ah_ctx *ctx = ah_ctx_create(NULL);
        ah_model *m = model_create_in(ctx, "");
        add_parameters(m, "k = 1");
        const ah_expr x = ah_model_coordinate(m, "x"), one = ah_int(ctx, 1);
        const ah_expr bad = none ? AH_NONE : 1u << 30;
        bag b = {m, x, one, bad, {{x, one, one}}, {{x, bad, one}}};
        CHECK_INT(ah_model_point(m, "P", one, b.v), AH_OK);
        CHECK_INT(ah_model_body(m, &(ah_body){.name = "B", .mass = one, .place = b.v}), AH_OK);
        call_all(&b);
        /* and the model is as it was */
        ah_ctx_reset_status(ctx);
        CHECK_INT(ah_model_finish(m), AH_OK);
        CHECK_INT(ah_model_coordinates(m), 1);
        CHECK_INT(ah_model_constraints(m), 0);
        CHECK(ah_model_potential_energy(m) == ah_int(ctx, 0));
        CHECK(ah_model_generalised_force(m, 0) == ah_int(ctx, 0));
        CHECK(ah_model_generalised_force(m, 1) == AH_NONE);
        ah_ctx_destroy(ctx);
    }
}

/* ---- What it says of itself ------------------------------------------------------------------ */

static ah_item item(const ah_model *m, ah_item_kind kind, size_t i)
{
    ah_item out = {0};
    CHECK_INT(ah_model_item(m, kind, i, &out), AH_OK);
    return out;
}

TEST(items)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "all of it");
    const ah_expr k = ah_model_parameter(m, "k", ah_int(ctx, 3));
    const ah_expr x = ah_model_coordinate(m, "x"), y = ah_model_coordinate(m, "y");
    const ah_expr vx = ah_model_velocity(m, x), one = ah_int(ctx, 1),
                  s = ah_symbol(ctx, AH_LOCAL, "s");
    const ah_expr v = ah_model_speed(m, "v");
    CHECK(ah_model_acceleration(m, x) == ah_model_velocity(m, vx));
    CHECK_INT(ah_model_speed_equation(m, x, v), AH_OK);
    CHECK_INT(ah_model_speed_equation(m, y, ah_mul(ctx, v, k)), AH_OK);
    CHECK_INT(ah_model_function(m, "f", 1, &s, ah_mul(ctx, s, s)), AH_OK);
    const ah_expr u = ah_model_input(m, "u", one);
    CHECK(u != AH_NONE);
    CHECK_INT(ah_model_point(m, "P", k, (ah_vector){{x, y, one}}), AH_OK);
    CHECK_INT(ah_model_body(m, &(ah_body){.name = "B", .mass = one, .place = {{x, y, one}}}),
              AH_OK);
    CHECK_INT(ah_model_force(m, x, u), AH_OK);
    CHECK_INT(ah_model_constraint(m, "c", ah_model_velocity(m, y), ah_mul(ctx, k, vx)), AH_OK);
    CHECK_INT(ah_model_start(m, x, one), AH_OK);
    CHECK_INT(ah_model_start(m, v, k), AH_OK);
    CHECK_INT(ah_model_span(m, one, k), AH_OK);
    CHECK_INT(ah_model_output(m, "o", ah_mul(ctx, x, x)), AH_OK);
    CHECK_INT(ah_model_unit(m, "x", "m"), AH_OK);
    CHECK_INT(ah_model_event(m, "stops", x, 1, true), AH_OK);
    CHECK_INT(ah_model_event(m, "seen", y, -1, false), AH_OK);
    CHECK_INT(ah_model_claim(m, "right", vx, v, false), AH_OK);
    CHECK_INT(ah_model_claim(m, "wrong", x, y, true), AH_OK);
    for (int finished = 0; finished < 2; finished++) {
        static const size_t counts[] = {
            [AH_ITEM_PARAMETER] = 1,     [AH_ITEM_COORDINATE] = 2, [AH_ITEM_SPEED] = 1,
            [AH_ITEM_QUASIVELOCITY] = 0, [AH_ITEM_CONSTRAINT] = 1, [AH_ITEM_OUTPUT] = 1,
            [AH_ITEM_EVENT] = 2,         [AH_ITEM_CLAIM] = 2,      [AH_ITEM_FUNCTION] = 2,
            [AH_ITEM_PART] = 2};
        for (int kind = 0; kind < AH_ITEM_KINDS; kind++) {
            CHECK_INT(ah_model_count(m, (ah_item_kind) kind), counts[kind]);
            CHECK_INT(ah_model_count(NULL, (ah_item_kind) kind), 0);
            CHECK_INT(ah_model_item(m, (ah_item_kind) kind, counts[kind], &(ah_item){0}),
                      AH_E_INPUT);
        }
        CHECK_INT(ah_model_count(m, AH_ITEM_KINDS), 0);
        CHECK_INT(ah_model_item(m, AH_ITEM_PART, 0, NULL), AH_E_INPUT);
        CHECK_INT(ah_model_constraints(m), 1);
        const ah_item p = item(m, AH_ITEM_PARAMETER, 0), q = item(m, AH_ITEM_COORDINATE, 0);
        CHECK(p.symbol == k && p.value == ah_int(ctx, 3) && !strcmp(p.kind, "parameter"));
        CHECK(q.symbol == x && q.start == one && q.start_rate == AH_NONE && !strcmp(q.unit, "m"));
        CHECK(item(m, AH_ITEM_COORDINATE, 1).unit == NULL);
        const ah_item z = item(m, AH_ITEM_SPEED, 0), c = item(m, AH_ITEM_CONSTRAINT, 0);
        CHECK(z.symbol == v && z.start == k && !strcmp(z.kind, "speed"));
        CHECK_STR(c.name, "c");
        if (finished) CHECK_STR(c.kind, "velocity");
        CHECK(item(m, AH_ITEM_OUTPUT, 0).value == ah_mul(ctx, x, x));
        CHECK_STR(item(m, AH_ITEM_EVENT, 0).kind, "stop");
        CHECK_STR(item(m, AH_ITEM_EVENT, 1).kind, "record");
        CHECK_STR(item(m, AH_ITEM_CLAIM, 0).kind, "claim");
        CHECK_STR(item(m, AH_ITEM_CLAIM, 1).kind, "refute");
        const ah_item f = item(m, AH_ITEM_FUNCTION, 0), g = item(m, AH_ITEM_FUNCTION, 1);
        CHECK(!strcmp(f.kind, "function") && f.value == ah_mul(ctx, s, s));
        CHECK(!strcmp(g.kind, "input") && g.value == one);
        CHECK(item(m, AH_ITEM_PART, 0).value == k);
        CHECK_STR(item(m, AH_ITEM_PART, 0).kind, "point");
        CHECK_STR(item(m, AH_ITEM_PART, 1).kind, "body");
        CHECK(ah_model_span_from(m) == one && ah_model_span_to(m) == k);
        CHECK(ah_model_span_from(NULL) == AH_NONE && ah_model_span_to(NULL) == AH_NONE);
        if (!finished) CHECK_INT(ah_model_finish(m), AH_OK);
    }
    CHECK_STR(ah_model_title(m), "all of it");
    CHECK_STR(ah_model_label(m, 0), "c");
    CHECK(ah_model_label(m, 1) == NULL && ah_model_constraint_left(m, 1) == AH_NONE);
    CHECK(ah_model_constraint_left(m, 0) ==
          ah_sub(ctx, ah_model_velocity(m, y), ah_mul(ctx, k, vx)));
    CHECK(ah_model_generalised_force(m, 0) == u && ah_model_generalised_force(m, 7) == AH_NONE);
    ah_ctx_destroy(ctx);
}

/* The words that name what is wrong in an expression. */
TEST(every_kind_has_its_word)
{
    ah_ctx *ctx = ah_ctx_create(NULL);
    ah_model *m = model_create_in(ctx, "");
    const ah_expr x = ah_model_coordinate(m, "x"), k = ah_model_parameter(m, "k", AH_NONE);
    const ah_expr v = ah_model_speed(m, "v");
    const struct {
        ah_expr e;
        const char *word;
    } cases[] = {{ah_time(ctx), "it is time"},
                 {x, "it is a coordinate"},
                 {ah_model_velocity(m, x), "it is a velocity"},
                 {ah_model_acceleration(m, x), "it is an acceleration"},
                 {v, "it is a velocity parameter"},
                 {ah_model_velocity(m, v), "it is the derivative of a velocity parameter"}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        ah_ctx_reset_status(ctx);
        CHECK_INT(ah_model_start(m, x, cases[i].e), AH_E_INPUT);
        const char *said = ah_diagnostics_text(ctx, false);
        if (!strstr(said, cases[i].word)) CHECK_STR(said, cases[i].word);
    }
    ah_ctx_reset_status(ctx);
    CHECK_INT(ah_model_start(m, x, k), AH_OK);
    ah_ctx_destroy(ctx);
}
