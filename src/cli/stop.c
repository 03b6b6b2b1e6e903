/* cli/stop.c - what ends the program before its time: Ctrl-C, SIGTERM, SIGHUP, --max-time, a pipe whose reader has gone.
 *
 * The library looks at its clock and at the interrupt by itself. But its clock is that of one call, and a command makes several,
 * reads and writes: what goes on after its time is interrupted. What may wait without end here,
 * reading from a pipe and writing to one, is woken by the signal: without SA_RESTART these calls
 * return. A signal that comes just before such a call would not wake it, so a timer comes again and
 * again until the program has ended. */
#include "cli.h"

#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

/* Seconds between two wakings. */
#define WAKE_EVERY 0.1

/* For the signal handlers alone, which have no argument of ours. */
static ah_ctx *volatile running;
static volatile sig_atomic_t stop_status;
static timer_t timer;
static volatile sig_atomic_t has_timer;

static void set_timer(double seconds)
{
    const double soon = fmin(fmax(seconds, 1e-6), 1e9);
    const struct itimerspec when = {
        .it_value = {(time_t) soon, (long) (1e9 * (soon - floor(soon)))},
        .it_interval = {0, (long) (1e9 * WAKE_EVERY)},
    };
    if (has_timer) timer_settime(timer, 0, &when, NULL);
}

static void on_signal(int number)
{
    stop_status = 128 + number; /* as shells report it */
    if (running) ah_ctx_interrupt(running);
    set_timer(WAKE_EVERY);
}

/* The first time the library's own clock, which began a little later, may still end its call with the better word. */
static void on_timer(int number)
{
    (void) number;
    if (stop_status == EXIT_LIMIT && running) ah_ctx_interrupt(running);
    if (!stop_status) stop_status = EXIT_LIMIT;
}

/* What was ignored stays so: nohup, and shells that start something in the background. */
static void handle(int number, void (*handler)(int))
{
    struct sigaction old, new = {.sa_handler = handler};
    sigemptyset(&new.sa_mask);
    if (sigaction(number, NULL, &old) == 0 && old.sa_handler == SIG_IGN && handler != SIG_DFL)
        return;
    sigaction(number, &new, NULL);
}

void cli_stop_begin(ah_ctx *ctx, double seconds)
{
    struct sigevent event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGALRM};
    running = ctx;
    handle(SIGALRM, on_timer);
    handle(SIGINT, on_signal);
    handle(SIGTERM, on_signal);
    handle(SIGHUP, on_signal);
    handle(SIGPIPE, on_signal);
    handle(SIGXFSZ, SIG_IGN); /* a limit on the size of files is a full disk: the write fails */
    has_timer = timer_create(CLOCK_MONOTONIC, &event, &timer) == 0;
    if (seconds > 0) set_timer(seconds);
}

/* What nobody reads is not to hold up the exit. */
static void drop_answer(void)
{
    const int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere >= 0) dup2(nowhere, STDOUT_FILENO);
    if (nowhere >= 0) close(nowhere);
}

void cli_stop_end(void)
{
    if (stop_status && fflush(stdout) != 0) drop_answer();
    if (has_timer) timer_delete(timer);
    has_timer = 0;
    running = NULL;
}

int cli_stopped(void)
{
    return stop_status;
}

static const char *reason(void)
{
    return stop_status == EXIT_LIMIT ? "the time allowed is over" : "interrupted";
}

/* Who has closed the pipe wants to hear no more. */
static bool is_unheard(void)
{
    return stop_status == EXIT_UNHEARD;
}

int cli_tell_stopped(const cli *c)
{
    if (is_unheard()) return stop_status;
    return cli_fail(c->json, stop_status, NULL, "%s", reason());
}

int cli_abandon_answer(void)
{
    drop_answer();
    if (!is_unheard()) fprintf(stderr, "anholo: %s\n", reason());
    return stop_status;
}
