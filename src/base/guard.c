/* base/guard.c - failure by unwinding: docs/decisions/0002-failure-by-unwinding.md. */
#include "base.h"
#include "report.h"

#include <assert.h>
#include <math.h>
#include <stdlib.h>
#include <time.h>

typedef void job(ah_ctx *ctx, void *arg);

/* Seconds between two reports of progress. */
#define PROGRESS_EVERY 0.1

/* setjmp stands alone in a function that changes no variable, so nothing can be clobbered. */
static void run(ah_ctx *ctx, ctx_frame *frame, job *body, void *arg)
{
    if (setjmp(frame->jump) == 0) body(ctx, arg);
}

/* Runs the body in a frame of its own and returns what it raised, AH_OK if nothing; `keep` what it has left in scratch. */
static ah_status run_in_frame(ah_ctx *ctx, job *body, void *arg, bool keep)
{
    ctx_frame
        frame; /* member by member: an initialiser would clear the jump, 200 bytes at every call */
    frame.outer = ctx->frame;
    frame.outer_active = ctx->root->active;
    frame.raised = AH_OK;
    frame.scratch = arena_get_mark(&ctx->scratch);
    frame.held = ctx->held;
    frame.deadline = ctx->deadline;
    frame.share = ctx->share;
    frame.share_look = ctx->share_look;
    ctx->frame = &frame;
    ctx->root->active = ctx;
    run(ctx, &frame, body, arg);
    assert(ctx->held == frame.held && "held, never dropped");
    ctx->frame = frame.outer;
    ctx->root->active = frame.outer_active;
    ctx->deadline = frame.deadline;
    ctx->share = frame.share;
    ctx->share_look = frame.share_look;
    if (frame.raised != AH_OK || !keep) arena_release(&ctx->scratch, frame.scratch);
    return frame.raised;
}

static ah_status attempt(ah_ctx *ctx, job *body, void *arg, bool keep)
{
    const size_t errors = ctx->log->errors;
    const ah_status raised = run_in_frame(ctx, body, arg, keep);
    return raised == AH_OK && ctx->log->errors > errors ? AH_E_INPUT : raised;
}

ah_status ctx_try(ah_ctx *ctx, job *body, void *arg)
{
    return attempt(ctx, body, arg, true);
}

/* Of a call inside another's, in a context of its own, the interrupt stays pending: it was meant for the outer one. */
static ah_status tell_end(ah_ctx *ctx, ah_status status)
{
    diag_raised(ctx, status);
    if (status == AH_E_INTERRUPTED && !ctx->root->active) ctx->root->interrupted = false;
    if (ctx->log->status == AH_OK) ctx->log->status = status;
    return status;
}

static ah_status outermost(ah_ctx *ctx, job *body, void *arg)
{
    ctx->progress_part = -1;
    ctx->progress_told = false;
    ctx->progress_next = ctx->progress ? base_clock() + PROGRESS_EVERY : INFINITY;
    ctx->deadline = ctx->limits.seconds > 0 ? base_clock() + ctx->limits.seconds : INFINITY;
    const locale_t host = uselocale(ctx->root->locale);
    const ah_status status = reserve_begin() ? attempt(ctx, body, arg, false) : AH_E_MEMORY;
    uselocale(host);
    ctx->deadline = INFINITY;
    if (ctx->progress_told) ctx->progress(ctx->progress_user, ctx->progress_part, true);
    return status == AH_OK ? AH_OK : tell_end(ctx, status);
}

ah_status ctx_guard(ah_ctx *ctx, job *body, void *arg)
{
    if (!ctx) return AH_E_INPUT;
    if (!ctx->frame) return outermost(ctx, body, arg);
    const size_t errors = ctx->log->errors;
    body(ctx, arg);
    return ctx->log->errors > errors ? AH_E_INPUT : AH_OK;
}

/* Without a clock, a host that is told of progress, or another locale there is nothing to put back but what a frame holds: a
 * step of a motion takes as long as a few hundred instructions. */
ah_status ctx_guard_step(ah_ctx *ctx, job *body, void *arg)
{
    if (ctx->frame || ctx->progress || ctx->limits.seconds > 0 || !isinf(ctx->share.work) ||
        !reserve_begin())
        return ctx_guard(ctx, body, arg);
    const size_t errors = ctx->log->errors;
    const arena_mark scratch = arena_get_mark(&ctx->scratch);
    ctx_frame frame;
    frame.outer_active = ctx->root->active;
    frame.raised = AH_OK;
    frame.held = ctx->held;
    ctx->frame = &frame;
    ctx->root->active = ctx;
    run(ctx, &frame, body, arg);
    ctx->frame = NULL;
    ctx->root->active = frame.outer_active;
    if (!isinf(ctx->share.work)) ctx->share = (base_end){INFINITY, INFINITY};
    arena_release(&ctx->scratch, scratch);
    if (frame.raised == AH_OK && ctx->log->errors == errors) return AH_OK;
    return tell_end(ctx, frame.raised != AH_OK ? frame.raised : AH_E_INPUT);
}

/* What is held is destroyed here, before the jump: it lives in frames that the jump ends. What the
 * log or the outer context lack raises where the call is. */
void ctx_raise(ah_ctx *ctx, ah_status status)
{
    if (!ctx->frame && ctx->root->active) ctx = ctx->root->active;
    ctx_frame *frame = ctx->frame;
    assert(status != AH_OK);
    if (!frame) abort(); /* a raise outside ctx_guard: a mistake of the programmer */
    while (ctx->held != frame->held) ctx_drop(ctx, ctx->held);
    frame->raised = status;
    longjmp(frame->jump, 1);
}

void ctx_raise_limit(ah_ctx *ctx, const char *message)
{
    ctx->log->limit = message;
    ctx_raise(ctx, AH_E_LIMIT);
}

void ctx_hold(ah_ctx *ctx, ctx_held *held, void (*destroy)(void *data), void *data)
{
    *held = (ctx_held){ctx->held, destroy, data};
    ctx->held = held;
}

void ctx_drop(ah_ctx *ctx, ctx_held *held)
{
    assert(ctx->held == held && "dropped in another order than held");
    ctx->held = held->next;
    held->destroy(held->data);
}

/* ---- Time ------------------------------------------------------------------------------------ */

/* A tick stands for anything from a token to a polynomial product; a look at the clock costs some
 * 30 ns. */
enum { TICKS_PER_LOOK = 32 };
/* What lies between two ticks on the average, without the work of GMP and FLINT: see reserve.c. */
#define TICK_SECONDS 3e-7
/* Work counts a second as one, more or less, of the machine it was fitted on. What takes this many times as
 * long has loops without ticks, and ends by the processor's time; a slower machine does not, nor do the
 * sanitizers, so that both give the same answers. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define PROCESSOR_SLACK 60.0
#else
#define PROCESSOR_SLACK 8.0
#endif
/* Seconds of the processor that the shortest share has: caches are cold at its beginning. */
#define PROCESSOR_LEAST 0.05

static _Thread_local double ticked;

static double seconds_of(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (double) now.tv_sec + 1e-9 * (double) now.tv_nsec;
}

double base_clock(void)
{
    return seconds_of(CLOCK_MONOTONIC);
}

static double processor_time(void)
{
    return seconds_of(CLOCK_THREAD_CPUTIME_ID);
}

double base_work(void)
{
    return ticked + reserve_work();
}

static double processor_share(double seconds)
{
    return PROCESSOR_LEAST + PROCESSOR_SLACK * seconds;
}

base_end base_end_after(double seconds)
{
    return (base_end){base_work() + seconds, processor_time() + processor_share(seconds)};
}

bool base_is_past(const base_end *end)
{
    return base_work() > end->work || processor_time() > end->processor;
}

void ctx_share(ah_ctx *ctx, double seconds)
{
    const base_end end = base_end_after(seconds);
    if (end.work >= ctx->share.work) return;
    ctx->share = end;
    ctx->share_look = base_clock() + processor_share(seconds);
}

/* A thread cannot work faster than the clock, and the clock is the cheaper one to look at. */
static double processor_left(ah_ctx *ctx, double now)
{
    if (now < ctx->share_look) return ctx->share_look - now;
    const double left = ctx->share.processor - processor_time();
    ctx->share_look = now + left;
    return left;
}

double ctx_time_left(ah_ctx *ctx)
{
    const double now = base_clock(), left = ctx->deadline - now;
    if (isinf(ctx->share.work)) return left;
    return fmin(left, fmin(ctx->share.work - base_work(), processor_left(ctx, now)));
}

void ctx_progress(ah_ctx *ctx, double part)
{
    ctx->progress_part = part;
}

static void tell_progress(ah_ctx *ctx)
{
    const double now = base_clock();
    if (now < ctx->progress_next) return;
    ctx->progress_next = now + PROGRESS_EVERY;
    ctx->progress_told = true;
    ctx->progress(ctx->progress_user, ctx->progress_part, false);
}

static bool is_interrupted(const ah_ctx *ctx)
{
    const ah_ctx *root = ctx->root;
    return atomic_load_explicit(&root->interrupted, memory_order_relaxed) ||
           (root->beside && atomic_load_explicit(&root->beside->interrupted, memory_order_relaxed));
}

static bool is_overdue(ah_ctx *ctx)
{
    return (!isinf(ctx->deadline) || !isinf(ctx->share.work)) && ctx_time_left(ctx) < 0;
}

bool ctx_must_end(ah_ctx *ctx)
{
    if (ctx->progress) tell_progress(ctx);
    return is_interrupted(ctx) || is_overdue(ctx);
}

static void look(ah_ctx *ctx)
{
    if (ctx->progress) tell_progress(ctx);
    if (!is_overdue(ctx)) return;
    const bool all = base_clock() > ctx->deadline;
    ctx_raise_limit(ctx, all ? "the time allowed for one call is over" : NULL);
}

void ctx_tick(ah_ctx *ctx)
{
    if (is_interrupted(ctx)) ctx_raise(ctx, AH_E_INTERRUPTED);
    if (reserve_is_drawn()) ctx_raise(ctx, AH_E_MEMORY);
    ticked += TICK_SECONDS;
    if (++ctx->ticks % TICKS_PER_LOOK == 0) look(ctx);
}

void ctx_tick_now(ah_ctx *ctx)
{
    if (is_interrupted(ctx)) ctx_raise(ctx, AH_E_INTERRUPTED);
    look(ctx);
}
