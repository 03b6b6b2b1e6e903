/* lang/elab_expression.c - expressions: arithmetic of scalars and vectors. */
#include "elaborate.h"

static const struct {
    const char *what;
    unsigned kinds;
} places[] = {
#define X(code, what, kinds) {what, kinds},
    PLACE_LIST(X)
#undef X
};

/* ---- What may stand where -------------------------------------------------------------------- */

static const struct {
    ah_symbol_kind kind;
    const char *one, *many;
} kind_names[] = {
    {AH_PARAMETER, "a parameter", "parameters"},
    {AH_TIME, "the time", "t"},
    {AH_COORDINATE, "a coordinate", "coordinates"},
    {AH_VELOCITY, "a velocity", "velocities"},
    {AH_ACCELERATION, "an acceleration", "accelerations"},
    {AH_SPEED, "a velocity parameter or quasi-velocity", "velocity parameters"},
    {AH_SPEED_DOT, "the derivative of a velocity parameter", "their derivatives"},
    {AH_DERIVED, "what the derivation makes", "what the derivation makes"},
};
enum { KIND_NAMES = sizeof kind_names / sizeof *kind_names };

/* `one` is what stands there, NULL: as its kind says. */
static bool allow(elaborator *e, ah_span span, unsigned kinds, const char *one)
{
    const unsigned wrong = kinds & ~places[e->in].kinds;
    e->met |= kinds;
    if (!wrong) return true;
    size_t k = KIND_NAMES;
    while (k-- > 1 && !(wrong >> kind_names[k].kind & 1u)) continue;
    diag(e->ctx, A0402, span, "%s cannot stand in %s", one ? one : kind_names[k].one,
         places[e->in].what);

    text may = text_begin(&e->ctx->scratch);
    for (size_t i = 0; i < KIND_NAMES; i++)
        if (places[e->in].kinds >> kind_names[i].kind & 1u)
            text_printf(&may, "%s%s", may.length ? ", " : "", kind_names[i].many);
    diag_hint(e->ctx, "%s may hold numbers, %s", places[e->in].what, text_end(&may));
    return false;
}

bool elab_allow(elaborator *e, ah_span span, unsigned kinds)
{
    return allow(e, span, kinds, NULL);
}

bool elab_allow_input(elaborator *e, ah_span span)
{
    return allow(e, span, KIND(TIME), "an input");
}

unsigned elab_kinds(elaborator *e, value v)
{
    const arena_mark mark = arena_get_mark(&e->ctx->scratch);
    const size_t count = v.type == VALUE_VECTOR ? 3 : v.type == VALUE_SCALAR;
    const expr_list symbols = expr_symbols(e->ctx, &e->ctx->scratch, v.v.c, count);
    unsigned kinds = 0;
    for (size_t i = 0; i < symbols.count; i++) kinds |= 1u << expr_get_kind(e->ctx, symbols.at[i]);
    arena_release(&e->ctx->scratch, mark);
    return kinds;
}

bool elab_want(elaborator *e, const syntax *s, value v, value_type type)
{
    if (v.type == type || v.type == VALUE_POISON) return v.type == type;
    if (type == VALUE_SCALAR) {
        diag(e->ctx, A0205, s->span, "a scalar is needed here, and this is a vector");
        diag_hint(e->ctx, "components are written u[1], products dot(u, v), lengths norm(u)");
    } else {
        diag(e->ctx, A0205, s->span, "a vector is needed here, and this is a scalar");
        diag_hint(e->ctx, "vectors are written (a, b) or (a, b, c)");
    }
    return false;
}

/* ---- Sums and products ----------------------------------------------------------------------- */

/* A row of `count` terms, component after component in `c`. */
typedef struct row {
    size_t count, room;
    value_type type;
    ah_expr *c;
    bool poisoned;
} row;

static row row_begin(elaborator *e, size_t room)
{
    return (row){.room = room, .c = NEW_ARRAY(&e->ctx->scratch, ah_expr, 3 * room)};
}

/* All terms of a sum are scalars, or all are vectors. */
static void row_add(elaborator *e, row *r, const syntax *s, value v)
{
    if (v.type == VALUE_POISON) r->poisoned = true;
    if (r->poisoned) return;
    if (r->count && v.type != r->type) {
        diag(e->ctx, A0205, s->span, "a %s cannot be added to a %s",
             v.type == VALUE_VECTOR ? "vector" : "scalar",
             r->type == VALUE_VECTOR ? "vector" : "scalar");
        diag_hint(e->ctx, "components of a vector are written u[1]");
        r->poisoned = true;
        return;
    }
    r->type = v.type;
    for (size_t k = 0; k < 3; k++) r->c[k * r->room + r->count] = v.v.c[k];
    r->count++;
}

static value row_sum(elaborator *e, const row *r)
{
    if (r->poisoned) return elab_poison();
    if (r->type == VALUE_POISON) return elab_from(expr_int(e->ctx, 0));
    value out = {.type = r->type};
    for (size_t k = 0; k < (r->type == VALUE_VECTOR ? 3 : 1); k++)
        out.v.c[k] = expr_sum(e->ctx, r->count, r->c + k * r->room);
    return out;
}

static value negate(elaborator *e, value v)
{
    for (int k = 0; k < (v.type == VALUE_VECTOR ? 3 : v.type == VALUE_SCALAR); k++)
        v.v.c[k] = expr_neg(e->ctx, v.v.c[k]);
    return v;
}

static value sum(elaborator *e, const syntax *s)
{
    row r = row_begin(e, s->count);
    for (size_t i = 0; i < s->count; i++) row_add(e, &r, s->child[i], elab_value(e, s->child[i]));
    return row_sum(e, &r);
}

/* The scalar factors, and the one vector that may be among them. */
typedef struct factors {
    ah_expr *c;
    size_t count;
    value vector;
    bool poisoned;
} factors;

static void factor_add(elaborator *e, factors *f, const syntax *s, value v)
{
    if (v.type == VALUE_VECTOR && f->vector.type == VALUE_VECTOR && !f->poisoned) {
        diag(e->ctx, A0205, s->span, "a product of two vectors");
        diag_hint(e->ctx,
                  "write dot(u, v) for the scalar product, cross(u, v) for the vector product");
        v = elab_poison();
    }
    if (v.type == VALUE_POISON) f->poisoned = true;
    if (v.type == VALUE_VECTOR) f->vector = v;
    if (v.type == VALUE_SCALAR) f->c[f->count++] = v.v.c[0];
}

static value factors_product(elaborator *e, const factors *f)
{
    if (f->poisoned) return elab_poison();
    const ah_expr scalar = expr_product(e->ctx, f->count, f->c);
    if (f->vector.type != VALUE_VECTOR) return elab_from(scalar);
    return elab_from_vector(vector_scale(e->ctx, scalar, f->vector.v));
}

static value inverse(elaborator *e, const syntax *s)
{
    const value v = elab_value(e, s->child[0]);
    if (!elab_want(e, s->child[0], v, VALUE_SCALAR)) return elab_poison();
    elab_need(e, AH_FUNCTIONS, v.v.c[0], expr_int(e->ctx, -1));
    return elab_from(expr_div(e->ctx, expr_int(e->ctx, 1), v.v.c[0]));
}

static value product(elaborator *e, const syntax *s)
{
    factors f = {.c = NEW_ARRAY(&e->ctx->scratch, ah_expr, s->count)};
    for (size_t i = 0; i < s->count; i++)
        factor_add(e, &f, s->child[i], elab_value(e, s->child[i]));
    return factors_product(e, &f);
}

/* sum(i = a .. b, e), product(i = a .. b, e) */
static value fold(elaborator *e, const syntax *s)
{
    long from, to;
    if (!elab_range(e, s->child[0], &from, &to)) return elab_poison();
    const size_t room = to >= from ? (size_t) (to - from) + 1 : 0;
    const bool adds = s->kind == SYNTAX_SUM_OVER;
    row r = adds ? row_begin(e, room) : (row){0};
    factors f = {.c = adds ? NULL : NEW_ARRAY(&e->ctx->scratch, ah_expr, room)};
    local bound = {.outer = s->name->local};
    s->name->local = &bound;
    for (long i = from; i <= to && !r.poisoned && !f.poisoned; i++) {
        const arena_mark mark = arena_get_mark(&e->ctx->scratch);
        bound.v = elab_from(expr_int(e->ctx, i));
        const value v = elab_value(e, s->child[1]);
        arena_release(&e->ctx->scratch, mark);
        if (adds)
            row_add(e, &r, s->child[1], v);
        else
            factor_add(e, &f, s->child[1], v);
    }
    s->name->local = bound.outer;
    return adds ? row_sum(e, &r) : factors_product(e, &f);
}

/* ---- The rest -------------------------------------------------------------------------------- */

static value number(elaborator *e, const syntax *s)
{
    const source *file = source_get(e->ctx, s->span.file);
    const ah_expr n = expr_number(e->ctx, file->text + s->span.begin, s->span.end - s->span.begin);
    if (n != AH_NONE) return elab_from(n);
    diag(e->ctx, A0103, s->span, "this number cannot be read");
    diag_hint(e->ctx, "numbers look like 12, 0.5 or 1e-3");
    return elab_poison();
}

static value power(elaborator *e, const syntax *s)
{
    const value base = elab_value(e, s->child[0]), exponent = elab_value(e, s->child[1]);
    const bool scalars = elab_want(e, s->child[0], base, VALUE_SCALAR);
    if (!elab_want(e, s->child[1], exponent, VALUE_SCALAR) || !scalars) return elab_poison();
    e->l->at = s->span;
    elab_need(e, AH_FUNCTIONS, base.v.c[0], exponent.v.c[0]);
    return elab_from(expr_pow(e->ctx, base.v.c[0], exponent.v.c[0]));
}

/* (a, b), third component 0, and (a, b, c) */
static value vector(elaborator *e, const syntax *s)
{
    if (s->count > 3) {
        diag(e->ctx, A0205, s->span, "a vector of %u components", (unsigned) s->count);
        diag_hint(e->ctx, "vectors have two or three components, in space axes");
        return elab_poison();
    }
    value out = elab_from_vector(vector_zero(e->ctx));
    for (size_t k = 0; k < s->count; k++) {
        const value v = elab_value(e, s->child[k]);
        if (elab_want(e, s->child[k], v, VALUE_SCALAR))
            out.v.c[k] = v.v.c[0];
        else
            out.type = VALUE_POISON;
    }
    return out;
}

value elab_component(elaborator *e, value v, const syntax *index)
{
    long k;
    if (!elab_integer(e, index, &k) || v.type == VALUE_POISON) return elab_poison();
    if (k >= 1 && k <= 3) return elab_from(v.v.c[k - 1]);
    diag(e->ctx, A0209, index->span, "a vector has no component %ld", k);
    diag_hint(e->ctx, "components are 1, 2 and 3");
    return elab_poison();
}

static value component(elaborator *e, const syntax *s)
{
    const value v = elab_value(e, s->child[0]);
    if (!elab_want(e, s->child[0], v, VALUE_VECTOR)) return elab_poison();
    return elab_component(e, v, s->child[1]);
}

static value row_of_constraint(elaborator *e, const syntax *s)
{
    const name *n = elab_target(e, s);
    if (!n) return elab_poison();
    diag(e->ctx, A0214, s->span, "there is no constraint `%s` that is meant here", n->text);
    diag_hint(e->ctx, "rows of a vector's constraint are named in lambda[label.2]");
    return elab_poison();
}

value elab_value(elaborator *e, const syntax *s)
{
    ctx_tick(e->ctx);
    e->l->at = s->span;
    switch (s->kind) {
    case SYNTAX_NUMBER: return number(e, s);
    case SYNTAX_NAME: return elab_name(e, s);
    case SYNTAX_INDEX: return elab_element(e, s);
    case SYNTAX_ROW: return row_of_constraint(e, s);
    case SYNTAX_CALL: return elab_call(e, s);
    case SYNTAX_VECTOR: return vector(e, s);
    case SYNTAX_COMPONENT: return component(e, s);
    case SYNTAX_SUM: return sum(e, s);
    case SYNTAX_NEGATE: return negate(e, elab_value(e, s->child[0]));
    case SYNTAX_PRODUCT: return product(e, s);
    case SYNTAX_INVERT: return inverse(e, s);
    case SYNTAX_POWER: return power(e, s);
    case SYNTAX_SUM_OVER:
    case SYNTAX_PRODUCT_OVER: return fold(e, s);
    default: return elab_poison();
    }
}

value elab_value_in(elaborator *e, const syntax *s, place in)
{
    const place outer = e->in;
    e->in = in;
    const value v = elab_value(e, s);
    e->in = outer;
    return v;
}

ah_expr elab_scalar(elaborator *e, const syntax *s, place in)
{
    const value v = elab_value_in(e, s, in);
    return elab_want(e, s, v, VALUE_SCALAR) ? v.v.c[0] : AH_NONE;
}

bool elab_vector(elaborator *e, const syntax *s, place in, ah_vector *out)
{
    const value v = elab_value_in(e, s, in);
    *out = v.v;
    return elab_want(e, s, v, VALUE_VECTOR);
}

bool elab_integer(elaborator *e, const syntax *s, long *out)
{
    ah_expr i = elab_scalar(e, s, IN_INDEX);
    if (i == AH_NONE || expr_is_int(e->ctx, i, out)) return i != AH_NONE;
    model_put_values(e->m, &i, 1); /* a let or an argument may hold parameters */
    if (expr_is_int(e->ctx, i, out)) return true;
    diag(e->ctx, A0209, s->span, "an integer is needed here, and this is %s",
         expr_text(e->ctx, e->l->arena, i, AH_ASCII));
    diag_hint(e->ctx,
              "indices and bounds are made of integers, loop variables and integer parameters");
    return false;
}

unsigned long elab_spend(elaborator *e, const syntax *s, unsigned long times, long from, long to)
{
    if (to < from) return 0;
    const unsigned long most = e->ctx->limits.nodes / 10,
                        more = (unsigned long) to - (unsigned long) from;
    if (more >= most || times * (more + 1) > most - e->rounds) {
        e->l->at = s->span;
        ctx_raise_limit(e->ctx, "the loops and families are longer than the limit allows");
    }
    e->rounds += times * (more + 1);
    return times * (more + 1);
}

bool elab_range(elaborator *e, const syntax *s, long *from, long *to)
{
    const bool begins = elab_integer(e, s->child[0], from);
    if (!elab_integer(e, s->child[1], to) || !begins) return false;
    elab_spend(e, s, 1, *from, *to);
    return true;
}
