/* lang/elab_counted.c - lets whose arguments count: let r(k) = sum(i = 1 .. k, l*cos(phi[i])).
 *
 * An argument that stands in an index, a bound or the number of an axis must be an integer while the body is read. Such a let has no
 * expression of its own: its body is read anew wherever it is used, with the arguments' values in place of their names. */
#include "elaborate.h"

#include <string.h>

enum { DEEPEST = 20 }; /* bodies within bodies: each has the depth that the parser allows */

static bool occurs(const syntax *s, const name *n)
{
    if (!s) return false;
    if ((s->kind == SYNTAX_NAME || s->kind == SYNTAX_INDEX) && s->name == n) return true;
    bool found = false;
    for (size_t i = 0; i < s->count && !found; i++) found = occurs(s->child[i], n);
    return found;
}

static bool is_counted(const elaborator *e, const char *called)
{
    const model_name *found = model_find(e->m, called);
    return found && found->what == MODEL_COUNTED_LET;
}

/* Is the i-th child of s a place for integers? */
static bool counts(const elaborator *e, const syntax *s, size_t i)
{
    switch (s->kind) {
    case SYNTAX_INDEX:
    case SYNTAX_RANGE: return true;
    case SYNTAX_COMPONENT: return i == 1;
    case SYNTAX_CALL:
        return (i == 1 && !strcmp(s->name->text, "axis")) || is_counted(e, s->name->text);
    default: return false;
    }
}

static bool counted_in(const elaborator *e, const syntax *s, const name *n)
{
    bool found = false;
    for (size_t i = 0; s && i < s->count && !found; i++)
        found = counts(e, s, i) ? occurs(s->child[i], n) : counted_in(e, s->child[i], n);
    return found;
}

bool elab_has_counted(const elaborator *e, const syntax *arguments, const syntax *body)
{
    bool found = false;
    for (size_t i = 0; i < arguments->count && !found; i++)
        found = counted_in(e, body, arguments->child[i]->name);
    return found;
}

/* ---- Use ------------------------------------------------------------------------------------- */

/* What the names in a body mean where it is read: an argument its value, all others what they mean outside of every loop. */
typedef struct hidden {
    name *n;
    local *local;
} hidden;
typedef LIST(hidden) hidden_list;

static void hide_locals(elaborator *e, const syntax *s, hidden_list *out)
{
    if (!s) return;
    if (s->name && s->name->local) {
        LIST_PUSH(&e->ctx->scratch, out, ((hidden){s->name, s->name->local}));
        s->name->local = NULL;
    }
    for (size_t i = 0; i < s->count; i++) hide_locals(e, s->child[i], out);
}

static bool may_be_read(elaborator *e, const syntax *s, const syntax *let)
{
    const syntax *arguments = let->child[1];
    if (s->primes) {
        diag(e->ctx, A0208, s->span, "`%s` counts by its arguments: it has no prime",
             s->name->text);
        diag_hint(e->ctx, "der(e) is the time derivative of an expression");
        return false;
    }
    if (s->count != arguments->count) {
        diag(e->ctx, A0206, s->span, "`%s` has %u argument%s, not %u", s->name->text,
             (unsigned) arguments->count, arguments->count == 1 ? "" : "s", (unsigned) s->count);
        diag_hint(e->ctx, "arguments are separated by `,`");
        return false;
    }
    return true;
}

static value read_body(elaborator *e, const syntax *s, const syntax *let, const value *given)
{
    const syntax *arguments = let->child[1], *body = let->child[2];
    hidden_list outer = {0};
    local *bound = NEW_ARRAY(&e->ctx->scratch, local, s->count);
    hide_locals(e, body, &outer);
    for (size_t i = 0; i < s->count; i++) {
        bound[i] = (local){.v = given[i], .outer = arguments->child[i]->name->local};
        arguments->child[i]->name->local = &bound[i];
    }
    e->depth++;
    const value v = elab_value(e, body);
    e->depth--;
    for (size_t i = s->count; i-- > 0;) arguments->child[i]->name->local = bound[i].outer;
    for (size_t i = outer.count; i-- > 0;) outer.at[i].n->local = outer.at[i].local;
    return v;
}

value elab_call_counted(elaborator *e, const syntax *s)
{
    const syntax *let = s->name->definition;
    if (!let || let->kind != SYNTAX_LET || !let->child[1]) {
        diag(e->ctx, A0207, s->span, "`%s` counts by its arguments and is known in the model alone",
             s->name->text);
        diag_hint(e->ctx, "let the model have an output with it: output a = %s(1)", s->name->text);
        return elab_poison();
    }
    if (!may_be_read(e, s, let)) return elab_poison();
    value *given = NEW_ARRAY(&e->ctx->scratch, value, s->count);
    bool good = true;
    for (size_t i = 0; i < s->count; i++) {
        given[i] = elab_value(e, s->child[i]);
        good &= given[i].type != VALUE_POISON;
    }
    if (!good) return elab_poison();
    e->l->at = s->span;
    elab_spend(e, s, 1, 1, 1);
    if (e->depth >= DEEPEST)
        ctx_raise_limit(e->ctx,
                        "lets with arguments are nested too deeply, or one is used in itself");
    const size_t errors = e->ctx->log->errors;
    const value v = read_body(e, s, let, given);
    if (e->ctx->log->errors > errors)
        diag_note(e->ctx, s->span, "where `%s` is used", s->name->text);
    return v;
}
