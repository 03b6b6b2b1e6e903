/* model/fork.c - a model copied into a context of its own, so that what a question makes of it can be
 * freed (docs/decisions/0014-answers.md).
 *
 * Expressions are copied handle by handle; what holds handles (lists, tables, names) is shared with
 * the model, but for what may change after it is finished: the values of parameters and
 * inputs. What others keep with a model, and the
 * algebra with its caches, begin anew. */
#include "model.h"

#include <string.h>

typedef struct forking {
    ah_model *of, *out;
} forking;

static void nothing(ah_ctx *ctx, void *unused)
{
    (void) ctx, (void) unused;
}

static void copy(ah_ctx *ctx, void *arg)
{
    forking *f = arg;
    expr_rest(f->of->ctx);
    expr_copy_all(f->of->ctx, ctx);
    ah_model *view = model_view(f->of, &ctx->job);
    view->ctx = ctx;
    memset(&view->functions, 0, sizeof view->functions);
    for (size_t i = 0; i < f->of->functions.count; i++)
        LIST_PUSH(&ctx->job, &view->functions, f->of->functions.at[i]);
    memset(&view->parameters, 0, sizeof view->parameters);
    for (size_t i = 0; i < f->of->parameters.count; i++)
        LIST_PUSH(&ctx->job, &view->parameters, f->of->parameters.at[i]);
    view->users = 0;
    view->doomed = false;
    view->fork_of = f->of;
    memset(view->last, 0, sizeof view->last);
    view->alg = algebra_create(ctx, view->facts.at, view->facts.count);
    f->out = view;
}

ah_status model_fork(ah_model *m, ah_model **out)
{
    return model_fork_into(m, m ? m->ctx : NULL, out);
}

ah_status model_fork_into(ah_model *m, ah_ctx *around, ah_model **out)
{
    forking f = {.of = m};
    ah_status status = model_guard(m, nothing, NULL);
    *out = NULL;
    if (status != AH_OK) return status;
    ah_ctx *ctx = ctx_create_inside(around);
    if (!ctx) return AH_E_MEMORY;
    status = ctx_guard(ctx, copy, &f);
    if (status != AH_OK) {
        ctx_destroy_inside(ctx);
        return status;
    }
    model_hold(m);
    *out = f.out;
    return AH_OK;
}

void model_fork_destroy(ah_model *fork)
{
    ah_model *of = fork->fork_of;
    ctx_destroy_inside(fork->ctx);
    model_let_go(of);
}

/* Handles that the model has got since are larger than all of the fork's: the same handle is the same
 * expression. */
static bool same_values(const ah_model *m, const ah_model *fork)
{
    if (m->parameters.count != fork->parameters.count ||
        m->functions.count != fork->functions.count)
        return false;
    for (size_t i = 0; i < m->parameters.count; i++)
        if (m->parameters.at[i].value != fork->parameters.at[i].value) return false;
    for (size_t i = 0; i < m->functions.count; i++)
        if (m->functions.at[i].body != fork->functions.at[i].body ||
            m->functions.at[i].input != fork->functions.at[i].input)
            return false;
    return true;
}

bool model_fork_is_like(const ah_model *fork)
{
    const ah_model *m = fork->fork_of;
    return same_values(m, fork) && m->T == fork->T && m->V == fork->V && m->t0 == fork->t0 &&
           m->t1 == fork->t1 && m->start.count == fork->start.count &&
           m->guesses.count == fork->guesses.count && m->ranges.count == fork->ranges.count &&
           m->facts.count == fork->facts.count && m->constraints.at == fork->constraints.at &&
           m->constraints.count == fork->constraints.count &&
           m->outputs.count == fork->outputs.count && m->events.count == fork->events.count &&
           m->units.count == fork->units.count && m->claims.count == fork->claims.count;
}

/* ---- Kept for a call ------------------------------------------------------------------------- */

/* Destroys those of the chain that are not in use (by a call out of whose callback this one came). */
static ah_model *without_idle(ah_model *fork)
{
    ah_model *kept = NULL;
    while (fork) {
        ah_model *older = fork->older;
        if (fork->busy) {
            fork->older = kept;
            kept = fork;
        } else {
            ctx_destroy_inside(fork->ctx);
        }
        fork = older;
    }
    return kept;
}

ah_status model_guard_fork(ah_model *m, model_call call, ah_format format, ah_model **fork,
                           void (*work)(ah_ctx *ctx, void *arg), void *arg)
{
    ah_status status = model_fork(m, fork);
    if (status != AH_OK) return status;
    ah_model *f = *fork;
    f->older = without_idle(m->last[call]);
    m->last[call] = f;
    f->busy = true;
    status = model_answer(f, format, work, arg);
    f->busy = false;
    model_let_go(m); /* from here on it goes with the model */
    return status;
}

void model_forks_destroy(ah_model *m)
{
    for (int i = 0; i < MODEL_CALLS; i++) m->last[i] = without_idle(m->last[i]);
}
