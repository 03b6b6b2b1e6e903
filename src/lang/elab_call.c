/* lang/elab_call.c - calls: built-in functions, vectors, geometry, lets, unspecified functions. */
#include "elaborate.h"

#include <string.h>

/* ---- Vectors --------------------------------------------------------------------------------- */

/* The arguments as values of one type; false after an error. */
static bool arguments(elaborator *e, const syntax *s, value_type type, value *out)
{
    bool good = true;
    for (size_t i = 0; i < s->count; i++) {
        out[i] = elab_value(e, s->child[i]);
        good &= elab_want(e, s->child[i], out[i], type);
    }
    return good;
}

static value call_dot(elaborator *e, const syntax *s)
{
    value u[2];
    if (!arguments(e, s, VALUE_VECTOR, u)) return elab_poison();
    return elab_from(vector_dot(e->ctx, u[0].v, u[1].v));
}

static value call_cross(elaborator *e, const syntax *s)
{
    value u[2];
    if (!arguments(e, s, VALUE_VECTOR, u)) return elab_poison();
    return elab_from_vector(vector_cross(e->ctx, u[0].v, u[1].v));
}

static value call_norm(elaborator *e, const syntax *s)
{
    value u;
    if (!arguments(e, s, VALUE_VECTOR, &u)) return elab_poison();
    elab_need(e, AH_SQRT, vector_dot(e->ctx, u.v, u.v), AH_NONE);
    return elab_from(vector_norm(e->ctx, u.v));
}

/* ---- Time derivatives ------------------------------------------------------------------------ */

value elab_derivative(elaborator *e, const syntax *s, value v)
{
    const unsigned kinds = elab_kinds(e, v);
    const char *why = kinds & KIND(DERIVED)        ? "of what the derivation makes"
                      : kinds & KIND(ACCELERATION) ? "of an acceleration"
                      : kinds & KIND(SPEED_DOT)    ? "of the derivative of a velocity parameter"
                      : kinds & KIND(LOCAL)        ? "of an argument"
                                                   : NULL;
    if (why) {
        diag(e->ctx, A0213, s->span, "the time derivative %s is not known", why);
        diag_hint(e->ctx, kinds & KIND(LOCAL)
                              ? "differentiate where the function is used: der(f(x))"
                              : "der(e) is for expressions in t, coordinates, velocities and "
                                "velocity parameters");
        return elab_poison();
    }
    for (int k = 0; k < (v.type == VALUE_VECTOR ? 3 : v.type == VALUE_SCALAR); k++)
        v.v.c[k] = expr_dt(e->ctx, v.v.c[k]);
    return elab_allow(e, s->span, elab_kinds(e, v)) ? v : elab_poison();
}

static value call_der(elaborator *e, const syntax *s)
{
    e->smooth++;
    const value v = elab_value(e, s->child[0]);
    e->smooth--;
    return elab_derivative(e, s->child[0], v);
}

/* ---- Geometry -------------------------------------------------------------------------------- */

static value allowed_vector(elaborator *e, const syntax *s, ah_vector u)
{
    const value v = elab_from_vector(u);
    return elab_allow(e, s->span, elab_kinds(e, v)) ? v : elab_poison();
}

static const model_part *body(elaborator *e, const syntax *s)
{
    const model_part *part = elab_part(e, s);
    if (!part || part->is_body) return part;
    diag(e->ctx, A0212, s->span, "`%s` is a point, and a body is needed here", part->name);
    diag_hint(e->ctx, "declare it: body B mass m inertia (A, B, C) at r turn z a");
    return NULL;
}

static value call_position(elaborator *e, const syntax *s)
{
    const model_part *part = elab_part(e, s->child[0]);
    return part ? allowed_vector(e, s, part->place) : elab_poison();
}

/* velocity(P), and velocity(B, r) of the point of the body that is now at r */
static value call_velocity(elaborator *e, const syntax *s)
{
    if (s->count == 1) {
        const model_part *part = elab_part(e, s->child[0]);
        return part ? allowed_vector(e, s, part->velocity) : elab_poison();
    }
    const value r = elab_value(e, s->child[1]);
    const model_part *part = body(e, s->child[0]);
    if (!elab_want(e, s->child[1], r, VALUE_VECTOR) || !part) return elab_poison();
    return allowed_vector(e, s, model_velocity_at(e->m, part, r.v));
}

static value call_omega(elaborator *e, const syntax *s)
{
    const model_part *part = body(e, s->child[0]);
    return part ? allowed_vector(e, s, part->omega) : elab_poison();
}

static value call_axis(elaborator *e, const syntax *s)
{
    const model_part *part = body(e, s->child[0]);
    long k;
    if (!elab_integer(e, s->child[1], &k) || !part) return elab_poison();
    if (k >= 1 && k <= 3) return allowed_vector(e, s, model_axis(part, (int) k));
    diag(e->ctx, A0209, s->child[1]->span, "a body has no axis %ld", k);
    diag_hint(e->ctx, "its axes are 1, 2 and 3");
    return elab_poison();
}

/* ---- Choices --------------------------------------------------------------------------------- */

/* a where x > 0, b where x < 0, their mean between: (a + b)/2 + (a - b) sign(x)/2, with each value
 * times an exact 0 or 1, so that a large one takes nothing from a small one. */
static value choose(elaborator *e, ah_expr x, value a, value b)
{
    ah_ctx *ctx = e->ctx;
    const ah_expr half = expr_rational(ctx, 1, 2), sign = expr_call1(ctx, AH_SIGN, x);
    const ah_expr first = expr_add(ctx, half, expr_mul(ctx, half, sign));
    const ah_expr second = expr_sub(ctx, half, expr_mul(ctx, half, sign));
    elab_need(e, AH_SIGN, x, AH_NONE);
    for (int k = 0; k < (a.type == VALUE_VECTOR ? 3 : 1); k++)
        a.v.c[k] = expr_add(ctx, expr_mul(ctx, first, a.v.c[k]), expr_mul(ctx, second, b.v.c[k]));
    return a;
}

static value smaller(elaborator *e, value a, value b)
{
    return choose(e, expr_sub(e->ctx, b.v.c[0], a.v.c[0]), a, b);
}

static value larger(elaborator *e, value a, value b)
{
    return choose(e, expr_sub(e->ctx, a.v.c[0], b.v.c[0]), a, b);
}

static value call_extreme(elaborator *e, const syntax *s, value (*of)(elaborator *, value, value))
{
    value *u = NEW_ARRAY(&e->ctx->scratch, value, s->count);
    if (!arguments(e, s, VALUE_SCALAR, u)) return elab_poison();
    for (size_t i = 1; i < s->count; i++) u[0] = of(e, u[0], u[i]);
    return u[0];
}

static value call_min(elaborator *e, const syntax *s)
{
    return call_extreme(e, s, smaller);
}

static value call_max(elaborator *e, const syntax *s)
{
    return call_extreme(e, s, larger);
}

static value call_clamp(elaborator *e, const syntax *s)
{
    value u[3];
    if (!arguments(e, s, VALUE_SCALAR, u)) return elab_poison();
    const ah_expr width = expr_sub(e->ctx, u[2].v.c[0], u[1].v.c[0]);
    long p, q;
    if (expr_is_rational(e->ctx, width, &p, &q) && p < 0) {
        diag(e->ctx, A0402, s->child[2]->span, "the upper bound is below the lower one");
        diag_hint(e->ctx, "clamp(x, a, b) is x, but not less than a and not more than b");
        return elab_poison();
    }
    return smaller(e, larger(e, u[0], u[1]), u[2]);
}

static value call_step(elaborator *e, const syntax *s)
{
    value u;
    if (!arguments(e, s, VALUE_SCALAR, &u)) return elab_poison();
    return choose(e, u.v.c[0], elab_from(expr_int(e->ctx, 1)), elab_from(expr_int(e->ctx, 0)));
}

/* if(l > r, a, b): its children are l, r, a, b. */
static value call_if(elaborator *e, const syntax *s)
{
    value u[4];
    for (int i = 0; i < 4; i++) u[i] = elab_value(e, s->child[i]);
    bool good = elab_want(e, s->child[0], u[0], VALUE_SCALAR);
    good &= elab_want(e, s->child[1], u[1], VALUE_SCALAR);
    good &= u[2].type != VALUE_POISON && elab_want(e, s->child[3], u[3], u[2].type);
    if (!good) return elab_poison();
    const bool less = s->relation == TOKEN_LESS || s->relation == TOKEN_LESS_EQUAL;
    return choose(e, expr_sub(e->ctx, u[less].v.c[0], u[!less].v.c[0]), u[2], u[3]);
}

/* ---- All built-in functions ------------------------------------------------------------------ */

typedef value call_fn(elaborator *e, const syntax *s);

/* sum and product are read by the parser: here they stand without `i = a .. b`. */
static value call_without_range(elaborator *e, const syntax *s)
{
    diag(e->ctx, A0206, s->span, "`%s` needs an index and its range", s->name->text);
    diag_hint(e->ctx, "write %s(i = 1 .. n, e)", s->name->text);
    return elab_poison();
}

static call_fn call_scalar;

/* The functions of scalars come first, in the order of ah_function. */
static const struct {
    const char *name;
    size_t least, most; /* arguments */
    call_fn *call;
} functions[] = {
#define X(code, name, arity) {name, arity, arity, call_scalar},
    AH_FUNCTION_LIST(X) /* sin, cos, … */
#undef X
    {"dot", 2, 2, call_dot},
    {"cross", 2, 2, call_cross},
    {"norm", 1, 1, call_norm},
    {"der", 1, 1, call_der},
    {"position", 1, 1, call_position},
    {"velocity", 1, 2, call_velocity},
    {"omega", 1, 1, call_omega},
    {"axis", 2, 2, call_axis},
    {"min", 2, 64, call_min},
    {"max", 2, 64, call_max},
    {"clamp", 3, 3, call_clamp},
    {"step", 1, 1, call_step},
    {"if", 4, 4, call_if},
    {"sum", 1, SIZE_MAX, call_without_range},
    {"product", 1, SIZE_MAX, call_without_range},
};
enum { FUNCTIONS = sizeof functions / sizeof *functions };

static size_t find_function(const char *word)
{
    size_t k = 0;
    while (k < FUNCTIONS && strcmp(functions[k].name, word)) k++;
    return k;
}

const char *elab_function_name(size_t k)
{
    return k < FUNCTIONS ? functions[k].name : NULL;
}

bool elab_is_function(const char *word)
{
    return find_function(word) < FUNCTIONS;
}

static value call_scalar(elaborator *e, const syntax *s)
{
    value u[2];
    if (!arguments(e, s, VALUE_SCALAR, u)) return elab_poison();
    const ah_expr c[2] = {u[0].v.c[0], s->count > 1 ? u[1].v.c[0] : AH_NONE};
    const ah_function f = (ah_function) find_function(s->name->text);
    e->l->at = s->span;
    elab_need(e, f, c[0], c[1]);
    return elab_from(expr_call(e->ctx, f, c));
}

static value wrong_count(elaborator *e, const syntax *s, size_t wanted)
{
    const bool more = !strcmp(s->name->text, "min") || !strcmp(s->name->text, "max");
    diag(e->ctx, A0206, s->span, "`%s` has %zu argument%s%s, not %u", s->name->text, wanted,
         wanted == 1 ? "" : "s", more ? " or more" : "", (unsigned) s->count);
    diag_hint(e->ctx, "arguments are separated by `,`");
    return elab_poison();
}

static value call_built_in(elaborator *e, const syntax *s, size_t k)
{
    if (s->primes) {
        diag(e->ctx, A0208, s->span, "`%s` is built in: it has no prime", s->name->text);
        diag_hint(e->ctx, "der(e) is the time derivative of an expression");
        return elab_poison();
    }
    if (s->count < functions[k].least) return wrong_count(e, s, functions[k].least);
    if (s->count > functions[k].most) return wrong_count(e, s, functions[k].most);
    return functions[k].call(e, s);
}

/* ---- Lets and unspecified functions ---------------------------------------------------------- */

/* A vector argument u is the three parameters u[1], u[2], u[3]. */
size_t elab_argument_width(ah_ctx *ctx, const model_let *let, size_t first)
{
    const char *last = expr_get_name(ctx, let->parameters[first]);
    return last[strlen(last) - 1] == ']' ? 3 : 1;
}

static size_t count_arguments(ah_ctx *ctx, const model_let *let)
{
    size_t count = 0;
    for (size_t i = 0; i < let->count; i += elab_argument_width(ctx, let, i)) count++;
    return count;
}

/* Primes on functions of one argument only: then it is clear what they differentiate by. */
static bool primes_fit(elaborator *e, const syntax *s, size_t parameters)
{
    if (!s->primes || parameters == 1) return true;
    diag(e->ctx, A0208, s->span,
         "`%s` has several arguments: by which one is to be differentiated?", s->name->text);
    diag_hint(e->ctx, "f'(t) is for functions of one argument");
    return false;
}

static value call_let(elaborator *e, const syntax *s, const model_let *let)
{
    const size_t wanted = count_arguments(e->ctx, let);
    if (s->count != wanted) return wrong_count(e, s, wanted);
    if (!primes_fit(e, s, let->count)) return elab_poison();
    ah_expr *values = NEW_ARRAY(&e->ctx->scratch, ah_expr, let->count);
    bool good = true;
    for (size_t i = 0, at = 0; i < s->count; i++) {
        const size_t width = elab_argument_width(e->ctx, let, at);
        const value v = elab_value(e, s->child[i]);
        good &= elab_want(e, s->child[i], v, width == 3 ? VALUE_VECTOR : VALUE_SCALAR);
        for (size_t k = 0; k < width; k++) values[at++] = v.v.c[k];
    }
    if (!good) return elab_poison();
    value out = {let->is_vector ? VALUE_VECTOR : VALUE_SCALAR, let->value};
    const size_t components = let->is_vector ? 3 : 1;
    for (size_t k = 0; k < components; k++)
        for (unsigned order = 0; order < s->primes; order++)
            out.v.c[k] = expr_diff(e->ctx, out.v.c[k], let->parameters[0]);
    e->l->at = s->span;
    e->smooth += s->primes;
    elab_need_let(e, let, values);
    e->smooth -= s->primes;
    expr_subst_all(e->ctx, out.v.c, components, let->count, let->parameters, values);
    return elab_allow(e, s->span, elab_kinds(e, out)) ? out : elab_poison();
}

/* What --set gives a body stands for it from here on, as a `let` would: text, equations and numbers
 * then speak of one thing. */
static value call_unspecified(elaborator *e, const syntax *s, const model_function *f)
{
    if (s->count != f->count) return wrong_count(e, s, f->count);
    if (!primes_fit(e, s, f->count)) return elab_poison();
    value *v = NEW_ARRAY(&e->ctx->scratch, value, s->count);
    ah_expr *c = NEW_ARRAY(&e->ctx->scratch, ah_expr, s->count);
    uint8_t *orders = NEW_ARRAY(&e->ctx->scratch, uint8_t, s->count);
    if (!arguments(e, s, VALUE_SCALAR, v)) return elab_poison();
    for (size_t i = 0; i < s->count; i++) c[i] = v[i].v.c[0];
    orders[0] = s->primes;
    ah_expr made = expr_unknown(e->ctx, f->name, f->count, c, orders);
    model_put_bodies(e->m, &made, 1);
    return elab_from(made);
}

value elab_call(elaborator *e, const syntax *s)
{
    const model_name *found = s->name->local ? NULL : model_find(e->m, s->name->text);
    if (found && found->what == MODEL_FUNCTION)
        return call_unspecified(e, s, &e->m->functions.at[found->index]);
    if (found && found->what == MODEL_LET && e->m->lets.at[found->index].count)
        return call_let(e, s, &e->m->lets.at[found->index]);
    if (found && found->what == MODEL_COUNTED_LET) return elab_call_counted(e, s);
    const size_t k = find_function(s->name->text);
    if (k < FUNCTIONS) return call_built_in(e, s, k);
    if (!found && !s->name->local) {
        elab_unknown(e, s, s->name, NULL);
        return elab_poison();
    }
    diag(e->ctx, A0207, s->span, "`%s` is %s, not a function", s->name->text,
         found ? elab_what(found) : "an argument or a loop variable");
    diag_hint(e->ctx, "a product needs its sign: %s*(…)", s->name->text);
    return elab_poison();
}
