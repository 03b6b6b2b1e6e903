/* lang/elab_domain.c - where an expression exists, by its text.
 *
 * The graph simplifies: 0*sqrt(x) is 0 and x/x is 1. What was written exists only where x >= 0 and
 * x != 0 all the same, so every partial function is taken down with its arguments when it is read.
 */
#include "elaborate.h"

/* More than this are not kept: then it is not known where the expression exists. */
enum { MOST_NEEDS = 2000 };

/* Functions that do not exist, or are not smooth, somewhere. */
static bool is_partial(ah_function f)
{
    switch (f) {
    case AH_TAN:
    case AH_ASIN:
    case AH_ACOS:
    case AH_ATAN2:
    case AH_LOG:
    case AH_SQRT:
    case AH_ABS:
    case AH_SIGN:
    case AH_FUNCTIONS: return true;
    default: return false;
    }
}

static bool is_number(const elaborator *e, ah_expr x)
{
    return expr_get_op(e->ctx, x) == EXPR_NUMBER;
}

/* x^2, 1/2, sqrt(3): of these nothing needs to be asked. */
static bool exists_always(const elaborator *e, const model_need *n)
{
    long power;
    if (n->f == AH_FUNCTIONS && n->b == AH_NONE) return false;
    if (n->f == AH_FUNCTIONS && expr_is_int(e->ctx, n->b, &power) && power >= 0) return true;
    if (n->f == AH_FUNCTIONS && !is_number(e, n->b)) return false;
    const bool positive = is_number(e, n->a) && expr_number_sign(e->ctx, n->a) > 0;
    return positive && (n->f == AH_FUNCTIONS || n->f == AH_LOG || n->f == AH_SQRT);
}

static void keep(elaborator *e, model_need n)
{
    model_needs *list = e->needs;
    const bool differentiated = list == &e->m->needs && e->in != IN_FORCE; /* by the motion */
    n.smooth = n.smooth || e->smooth > 0 || differentiated;
    if (exists_always(e, &n)) return;
    for (size_t i = 0; i < list->count; i++) {
        model_need *old = &list->at[i];
        if (old->f != n.f || old->a != n.a || old->b != n.b) continue;
        old->smooth = old->smooth || n.smooth;
        return;
    }
    if (list->count < MOST_NEEDS)
        LIST_PUSH(&e->ctx->job, list, n);
    else
        list->at[0] = (model_need){.f = AH_FUNCTIONS, .a = list->at[0].a, .b = AH_NONE};
}

void elab_need(elaborator *e, ah_function f, ah_expr a, ah_expr b)
{
    if (e->needs && is_partial(f)) keep(e, (model_need){.f = f, .a = a, .b = b});
}

void elab_need_let(elaborator *e, const model_let *let, const ah_expr *values)
{
    for (size_t i = 0; e->needs && i < let->needs.count; i++) {
        model_need n = let->needs.at[i];
        if (let->count && n.a != AH_NONE)
            n.a = expr_subst(e->ctx, n.a, let->count, let->parameters, values);
        if (let->count && n.b != AH_NONE)
            n.b = expr_subst(e->ctx, n.b, let->count, let->parameters, values);
        keep(e, n);
    }
}
