/* t_many_memory - sweeps where each allocation fails, once: rows or a status, and nothing left behind. */
#include "failing.h"
#include "harness.h"

#include <anholo/anholo.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* x = a cos(w t): at t = 1, and how often it is zero until then. */
static const char swing[] = "parameter w = 3, a = 1, twice = 2*w\n"
                            "coordinate x\n"
                            "kinetic x'^2/2\n"
                            "potential w^2*x^2/2\n"
                            "start x = a, x' = 0\n"
                            "simulate t = 0 .. 1\n"
                            "record \"zero\" when x = 0\n";

typedef struct sweeping {
    const char *engine, *lanes;
    char journal[64];
    size_t rows, whole; /* given; runs of all whose rows came to the end */
} sweeping;

static bool take(void *user, const ah_ensemble_part *part)
{
    sweeping *s = user;
    const size_t columns = 5; /* w, a; final.x, max(x), count */
    for (size_t i = 0; i < part->count; i++) {
        const double *row = part->values + columns * i, w = row[0], a = row[1];
        s->rows++;
        if (part->failed[i]) continue; /* for want of memory */
        CHECK_NEAR(row[2], a * cos(w), 1, 1e-8 * 0x1p52, "a cos w t, to the tolerance");
        CHECK_NEAR(row[3], a, 1, 1e-8 * 0x1p52, "it begins at its greatest");
        CHECK_INT((int) row[4], w > 1.5707963267948966 ? 1 : 0);
    }
    return true;
}

static void run(ah_ensemble *e, sweeping *s)
{
    ah_ensemble_run_options o = ah_ensemble_run_defaults();
    o.threads = 1;
    o.chunk = 2;
    o.journal = *s->journal ? s->journal : NULL;
    o.rows = take;
    o.user = s;
    s->rows = 0;
    if (ah_ensemble_run(e, &o, NULL) != AH_OK) return;
    CHECK_INT((int) s->rows, 6);
    s->whole += s->rows;
}

static void sweep(ah_ctx *ctx, void *arg)
{
    sweeping *s = arg;
    ah_model *m = NULL;
    ah_ensemble *e = NULL;
    ah_trajectory *t = NULL;
    ah_ensemble_options o = ah_ensemble_defaults();
    o.engine = s->engine;
    o.lanes = s->lanes;
    o.random = 1;
    if (*s->journal) unlink(s->journal);
    if (ah_read(ctx, "swing", swing, strlen(swing), NULL, &m) == AH_OK &&
        ah_ensemble_create(m, &o, &e) == AH_OK && ah_ensemble_over(e, "w=1..2:6") == AH_OK &&
        ah_ensemble_spread(e, "a=1..2") == AH_OK &&
        ah_ensemble_outputs(e, "final.x, max(x), count(\"zero\")") == AH_OK)
        run(e, s);
    if (e && ah_ensemble_trajectory(e, 3, 5, &t) == AH_OK)
        CHECK_INT((int) ah_trajectory_rows(t), 5);
    ah_trajectory_destroy(t);
    ah_ensemble_destroy(e);
    ah_journal_rows rows;
    if (*s->journal && ah_journal_read(ctx, s->journal, &rows) == AH_OK)
        CHECK(rows.rows <= 6 && rows.columns == 6);
}

static void fail_in(sweeping s)
{
    size_t tried = 0;
    CHECK(failing_run(sweep, &s, &tried));
    printf("# %zu allocations, %zu rows\n", tried, s.whole);
    CHECK(tried > 100 && s.whole >= 6);
    if (*s.journal) unlink(s.journal);
}

TEST(sweeps_without_memory)
{
    fail_in((sweeping){.engine = "interpret"});
}

TEST(journals_without_memory)
{
    if (!getenv("AH_FULL")) return; /* a thousand files that are written through to the disk */
    sweeping s = {.engine = "interpret"};
    snprintf(s.journal, sizeof s.journal, "t_many_memory.%ld.db", (long) getpid());
    fail_in(s);
}

TEST(lanes_without_memory)
{
    fail_in((sweeping){.engine = "cc", .lanes = "plain"});
}
