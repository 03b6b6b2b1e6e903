/* many/journal.c - rows that outlive the program.
 *
 * Two tables: `sweep` says of what sweep it is, `runs` has a row for each run that is done. A row is
 * there whole or not at all, and once it has been called done it stays, through kill -9 and loss of
 * power: write-ahead log, full synchronisation. A lock of the file's own (flock) keeps other sweeps
 * out; it ends with the process, however that ends. */
#include "journal.h"
#include "identity.h"
#include "sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

/* Seconds between two batches: what a crash can cost, and a thousand times what one takes. */
#define BATCH_EVERY 1.0
/* Times of 10 ms that are waited for another program in the file; fewer where the call should have ended, for the last batch. */
#define WAITS       1000
#define WAITS_AFTER 50
/* Instructions of SQLite's machine, some ten milliseconds. */
#define STEPS_PER_LOOK 100000
/* In the header of the file: it is a journal of ours, of this form. */
#define APPLICATION  1097757807 /* "Anho" */
#define FORM_VERSION 1

enum { READ_ROWS = 256, REASON_MOST = 256 };

struct journal {
    sqlite sqlite;
    ah_ensemble *e;
    const char *file;
    int lock;
    sqlite3 *db;
    sqlite3_stmt *insert;
    bool open;     /* a batch is */
    double opened; /* when */
    bool broke;
    const char *why; /* it broke */
    uint64_t done, *bits;
};

/* ---- Errors ---------------------------------------------------------------------------------- */

static bool fail_because(journal *j, const char *why)
{
    if (!j->broke) j->why = arena_strdup(&j->e->arena, why);
    j->broke = true;
    return false;
}

static bool fail(journal *j)
{
    return fail_because(j, j->sqlite.errmsg(j->db));
}

/* Neither a crash nor a full disk does this; a bad disk or somebody's editor may. */
static const char damaged[] = "it is damaged: runs are missing, or there twice";

bool journal_broke(const journal *j)
{
    return j->broke;
}

void journal_complain(journal *j)
{
    ah_ctx *ctx = j->e->model->ctx;
    diag(ctx, A0643, NOWHERE, "the journal `%s` could not be written or read: %s", j->file,
         j->why ? j->why : "an unknown error");
    diag_hint(ctx, "nothing of it was removed: when the cause is gone, the same command goes on");
}

/* 0: no longer. A raise may not pass through SQLite. */
static int wait_for_others(void *ctx, int times)
{
    const struct timespec moment = {0, 10000000};
    if (times >= (ctx_must_end(ctx) ? WAITS_AFTER : WAITS)) return 0;
    nanosleep(&moment, NULL);
    return 1;
}

/* SQLite asks while it reads: a table may be large, and a view in its place without end. Not while it writes, for what is
 * interrupted then takes the rows of its batch with it. */
static int is_over(void *ctx)
{
    return ctx_must_end(ctx);
}

static void listen(const sqlite *q, sqlite3 *db, ah_ctx *ctx)
{
    q->busy_handler(db, wait_for_others, ctx);
    q->progress_handler(db, STEPS_PER_LOOK, is_over, ctx);
}

static bool execute(journal *j, const char *words)
{
    return j->sqlite.exec(j->db, words, NULL, NULL, NULL) == SQLITE_OK || fail(j);
}

static sqlite3_stmt *prepare(journal *j, const char *words)
{
    sqlite3_stmt *out = NULL;
    if (j->sqlite.prepare_v2(j->db, words, -1, &out, NULL) != SQLITE_OK) fail(j);
    return out;
}

/* ---- Names of columns ------------------------------------------------------------------------ */

static bool same_letters(const char *a, const char *b)
{
    for (; *a && *b; a++, b++) {
        const int x = *a >= 'A' && *a <= 'Z' ? *a + 32 : *a,
                  y = *b >= 'A' && *b <= 'Z' ? *b + 32 : *b;
        if (x != y) return false;
    }
    return *a == *b;
}

static const char *column_name(ah_ensemble *e, size_t i)
{
    return i < e->varied.count ? e->varied.at[i].name : e->kept.at[i - e->varied.count].name;
}

/* In quotes; a number behind it where the same letters stood before: SQL does not tell m from M. */
static void add_name(text *out, ah_ensemble *e, size_t i)
{
    const char *name = column_name(e, i);
    size_t before = same_letters(name, "run") || same_letters(name, "failed");
    for (size_t k = 0; k < i; k++) before += same_letters(name, column_name(e, k));
    text_char(out, '"');
    for (const char *c = name; *c; c++) {
        if (*c == '"') text_char(out, '"');
        text_char(out, *c);
    }
    if (before) text_printf(out, " #%zu", before + 1);
    text_char(out, '"');
}

static size_t columns_of(const ah_ensemble *e)
{
    return e->varied.count + e->kept.count;
}

/* ---- A new one, or one that is there --------------------------------------------------------- */

static bool make_tables(journal *j, const identity *own)
{
    ah_ensemble *e = j->e;
    text t = text_begin(&e->arena);
    text_add(&t, "CREATE TABLE runs(run INTEGER PRIMARY KEY");
    for (size_t i = 0; i < columns_of(e); i++) {
        text_add(&t, ", ");
        add_name(&t, e, i);
        text_add(&t, " REAL");
    }
    text_add(&t, ", failed TEXT)");
    const char *head = arena_printf(&e->arena,
                                    "PRAGMA application_id=%d; PRAGMA user_version=%d;"
                                    "CREATE TABLE sweep(key TEXT PRIMARY KEY, value TEXT);",
                                    APPLICATION, FORM_VERSION);
    if (!execute(j, "BEGIN IMMEDIATE") || !execute(j, head) || !execute(j, text_end(&t)))
        return false;
    sqlite3_stmt *put = prepare(j, "INSERT INTO sweep VALUES(?, ?)");
    for (size_t i = 0; put && i < own->count; i++) {
        j->sqlite.bind_text(put, 1, own->at[i].key, -1, NULL);
        j->sqlite.bind_text(put, 2, own->at[i].value, -1, NULL);
        if (j->sqlite.step(put) != SQLITE_DONE) fail(j);
        j->sqlite.reset(put);
    }
    j->sqlite.finalize(put);
    return !j->broke && execute(j, "COMMIT");
}

/* The number that the words ask for, -1 if there is none; SQLITE_OK, or what went wrong. */
static int look_up(const sqlite *q, sqlite3 *db, const char *words, int64_t *out)
{
    sqlite3_stmt *s = NULL;
    *out = -1;
    int code = q->prepare_v2(db, words, -1, &s, NULL);
    if (code == SQLITE_OK) code = q->step(s);
    if (code == SQLITE_ROW) *out = q->column_int64(s, 0);
    q->finalize(s);
    return code == SQLITE_ROW || code == SQLITE_DONE ? SQLITE_OK : code;
}

/* Whether a file is a journal of sweeps. `tables`: there are any in it. */
static int look_up_kind(const sqlite *q, sqlite3 *db, int64_t *application, bool *tables)
{
    int64_t count;
    int code = look_up(q, db, "PRAGMA application_id", application);
    if (code == SQLITE_OK) code = look_up(q, db, "SELECT count(*) FROM sqlite_master", &count);
    *tables = code == SQLITE_OK && count > 0;
    return code;
}

/* What stands in it; each text is the arena's. */
static bool read_identity(journal *j, identity *out)
{
    arena *a = &j->e->arena;
    sqlite3_stmt *s = prepare(j, "SELECT key, value FROM sweep");
    int got = SQLITE_DONE;
    memset(out, 0, sizeof *out);
    while (s && (got = j->sqlite.step(s)) == SQLITE_ROW) {
        const char *key = (const char *) j->sqlite.column_text(s, 0);
        const char *value = (const char *) j->sqlite.column_text(s, 1);
        LIST_PUSH(a, out,
                  ((identity_item){arena_strdup(a, key ? key : ""),
                                   arena_strdup(a, value ? value : "")}));
    }
    j->sqlite.finalize(s);
    return s && (got == SQLITE_DONE || fail(j));
}

/* Rows of the sweep, in order; others were not put there by us. */
static sqlite3_stmt *select_rows(journal *j, const char *what)
{
    return prepare(j, arena_printf(&j->e->arena,
                                   "SELECT %s FROM runs WHERE run BETWEEN 0 AND %llu ORDER BY run",
                                   what, (unsigned long long) (j->e->runs - 1)));
}

static bool read_done(journal *j)
{
    sqlite3_stmt *s = select_rows(j, "run");
    int64_t before = -1;
    int got = SQLITE_DONE;
    while (s && !j->broke && (got = j->sqlite.step(s)) == SQLITE_ROW) {
        const int64_t run = j->sqlite.column_int64(s, 0);
        if (run <= before || run >= (int64_t) j->e->runs) fail_because(j, damaged);
        if (j->broke) break;
        before = run;
        j->bits[run / 64] |= (uint64_t) 1 << (run % 64);
        j->done++;
    }
    j->sqlite.finalize(s);
    return s && !j->broke && (got == SQLITE_DONE || fail(j));
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* Loads it, or says why not: it may be there, and the memory to load it not. */
static bool load_sqlite(ah_ctx *ctx, sqlite *out)
{
    if (sqlite_load(out)) return true;
    diag(ctx, A0643, NOWHERE, "SQLite, which keeps journals, cannot be loaded: %s", out->why);
    diag_hint(
        ctx, "if it is missing, install libsqlite3 (Debian: libsqlite3-0), or leave --journal out");
    return false;
}

/* Before SQLite opens the file and until it has closed it: closing a descriptor of our own in between
 * would end SQLite's locks. */
static bool take_lock(journal *j)
{
    ah_ctx *ctx = j->e->model->ctx;
    j->lock = open(j->file, O_RDWR | O_CREAT | O_CLOEXEC, 0666);
    if (j->lock < 0) {
        diag(ctx, A0643, NOWHERE, "the journal `%s` cannot be opened: %s", j->file,
             strerror(errno));
        return false;
    }
    if (flock(j->lock, LOCK_EX | LOCK_NB) == 0) return true;
    diag(ctx, A0641, NOWHERE, "another sweep is at work on the journal `%s`", j->file);
    diag_hint(ctx, "wait for it, or take another file");
    return false;
}

static bool is_another(journal *j)
{
    ah_ctx *ctx = j->e->model->ctx;
    diag(ctx, A0641, NOWHERE, "`%s` is no journal of a sweep", j->file);
    diag_hint(ctx, "take another file: this one is left as it is");
    return false;
}

/* An empty file is a new journal. One of a single byte is empty to SQLite, and somebody's file all the same; a device or a
 * pipe is none, and SQLite would make files beside it. */
static bool open_tables(journal *j, const char *by, const char *lanes)
{
    struct stat s;
    identity own, there;
    identity_make(j->e, by, lanes, &own);
    if (fstat(j->lock, &s) != 0 || !S_ISREG(s.st_mode) || s.st_size == 1) return is_another(j);
    const bool new = s.st_size == 0;
    if (j->sqlite.open_v2(j->file, &j->db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, NULL) !=
        SQLITE_OK)
        return fail(j);
    listen(&j->sqlite, j->db, j->e->model->ctx);
    int64_t application = 0;
    bool tables = false;
    const int code = new ? SQLITE_OK : look_up_kind(&j->sqlite, j->db, &application, &tables);
    const bool foreign = application != APPLICATION && (tables || application != 0);
    if (code == SQLITE_NOTADB || (code == SQLITE_OK && foreign)) return is_another(j);
    if (code != SQLITE_OK) return fail(j);
    if (!execute(j, "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL")) return false;
    /* killed while it was made: it has no tables yet */
    if (application != APPLICATION) return make_tables(j, &own);
    return read_identity(j, &there) && identity_compare(j->e, j->file, &there, &own) &&
           read_done(j);
}

static bool prepare_insert(journal *j)
{
    text t = text_begin(&j->e->arena);
    text_add(&t, "INSERT INTO runs VALUES(?");
    for (size_t i = 0; i < columns_of(j->e) + 1; i++) text_add(&t, ", ?");
    text_add(&t, ")");
    j->insert = prepare(j, text_end(&t));
    return j->insert != NULL;
}

journal *journal_open(ah_ensemble *e, const char *file, const char *by, const char *lanes)
{
    arena *a = &e->arena;
    ah_ctx *ctx = e->model->ctx;
    journal *j = NEW(a, journal);
    *j = (journal){.e = e, .file = arena_strdup(a, file), .lock = -1};
    j->bits = NEW_ARRAY(a, uint64_t, (size_t) (e->runs / 64 + 1));
    if (!load_sqlite(ctx, &j->sqlite)) return NULL;
    if (take_lock(j) && open_tables(j, by, lanes) && prepare_insert(j)) {
        j->sqlite.progress_handler(j->db, 0, NULL, NULL);
        return j;
    }
    const bool over = j->broke && ctx_must_end(ctx); /* then that is what is told */
    if (j->broke && !over) journal_complain(j);
    journal_close(j);
    if (over) ctx_tick_now(ctx);
    return NULL;
}

void journal_close(journal *j)
{
    if (!j) return;
    if (j->insert) j->sqlite.finalize(j->insert);
    if (j->db) j->sqlite.close(j->db);
    if (j->lock >= 0) close(j->lock);
    sqlite_unload(&j->sqlite);
    *j = (journal){.lock = -1};
}

uint64_t journal_done(const journal *j)
{
    return j->done;
}

const uint64_t *journal_bits(const journal *j)
{
    return j->bits;
}

/* ---- Writing --------------------------------------------------------------------------------- */

static bool add_row(journal *j, const ah_ensemble_part *part, size_t i)
{
    const size_t columns = columns_of(j->e);
    const double *row = part->values + i * columns;
    const sqlite *q = &j->sqlite;
    q->bind_int64(j->insert, 1, (int64_t) (part->first + i));
    for (size_t k = 0; k < columns; k++) /* NaN becomes NULL */
        q->bind_double(j->insert, (int) k + 2, row[k]);
    if (part->failed[i])
        q->bind_text(j->insert, (int) columns + 2, part->failed[i], -1, NULL);
    else
        q->bind_null(j->insert, (int) columns + 2);
    const bool good = q->step(j->insert) == SQLITE_DONE || fail(j);
    q->reset(j->insert);
    return good;
}

bool journal_add(journal *j, const ah_ensemble_part *part)
{
    if (j->broke) return false;
    if (!j->open && !execute(j, "BEGIN IMMEDIATE")) return false;
    if (!j->open) j->opened = base_clock();
    j->open = true;
    for (size_t i = 0; i < part->count; i++)
        if (!add_row(j, part, i)) return false;
    return true;
}

bool journal_commit(journal *j, bool now)
{
    if (j->broke) return false;
    if (!j->open || (!now && base_clock() < j->opened + BATCH_EVERY)) return true;
    j->open = false;
    return execute(j, "COMMIT");
}

/* ---- Reading --------------------------------------------------------------------------------- */

typedef struct reading {
    double *values;
    char (*reason)[REASON_MOST];
    const char **failed;
} reading;

static void take_row(journal *j, sqlite3_stmt *s, const reading *r, size_t i)
{
    const size_t columns = columns_of(j->e);
    for (size_t k = 0; k < columns; k++)
        r->values[i * columns + k] = j->sqlite.column_type(s, (int) k + 1) == SQLITE_NULL
                                         ? NAN
                                         : j->sqlite.column_double(s, (int) k + 1);
    const char *why = (const char *) j->sqlite.column_text(s, (int) columns + 1);
    if (why) snprintf(r->reason[i], REASON_MOST, "%s", why);
    r->failed[i] = why ? r->reason[i] : NULL;
}

bool journal_read(journal *j, bool (*rows)(void *user, const ah_ensemble_part *part), void *user,
                  uint64_t *failed)
{
    arena *a = &j->e->arena;
    const reading r = {NEW_ARRAY(a, double, READ_ROWS *(columns_of(j->e) + 1)),
                       arena_alloc_array(a, REASON_MOST, READ_ROWS),
                       NEW_ARRAY(a, const char *, READ_ROWS)};
    sqlite3_stmt *s = select_rows(j, "*");
    ah_ensemble_part part = {0, 0, r.values, r.failed};
    uint64_t next = 0;
    bool good = s != NULL;
    for (int got = SQLITE_ROW; good && got == SQLITE_ROW;) {
        got = j->sqlite.step(s);
        const uint64_t run =
            got == SQLITE_ROW ? (uint64_t) j->sqlite.column_int64(s, 0) : j->e->runs;
        if (got != SQLITE_ROW && got != SQLITE_DONE) {
            good = fail(j);
        } else if (run != next) {
            good = fail_because(j, damaged);
        } else if (got == SQLITE_ROW) {
            if (!part.count) part.first = run;
            next++;
            take_row(j, s, &r, part.count);
            *failed += r.failed[part.count++] != NULL;
        }
        if (!good || (got == SQLITE_ROW && part.count < READ_ROWS) || !part.count) continue;
        good = !rows || rows(user, &part);
        part.count = 0;
    }
    j->sqlite.finalize(s);
    return good;
}

/* ---- From outside ---------------------------------------------------------------------------- */

typedef struct looking {
    const char *file;
    ah_journal_status *out;
} looking;

static bool is_busy(const char *file)
{
    const int lock = open(file, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    const bool busy = lock >= 0 && flock(lock, LOCK_SH | LOCK_NB) != 0;
    if (lock >= 0) close(lock);
    return busy;
}

/* SQLITE_NOTADB: it is no journal. */
static int look_inside(ah_ctx *ctx, const sqlite *q, sqlite3 *db, void *to)
{
    ah_journal_status *out = to;
    (void) ctx;
    int64_t application, runs, done, failed;
    bool tables;
    int code = look_up_kind(q, db, &application, &tables);
    if (code == SQLITE_OK && (application != APPLICATION || !tables)) return SQLITE_NOTADB;
    if (code == SQLITE_OK) code = look_up(q, db, "SELECT value FROM sweep WHERE key='runs'", &runs);
    if (code == SQLITE_OK) code = look_up(q, db, "SELECT count(*) FROM runs", &done);
    if (code == SQLITE_OK) code = look_up(q, db, "SELECT count(failed) FROM runs", &failed);
    if (code == SQLITE_OK && runs < 0) return SQLITE_NOTADB;
    if (code == SQLITE_OK)
        *out = (ah_journal_status){(uint64_t) runs, (uint64_t) done, (uint64_t) failed, out->busy};
    return code;
}

static void tell_why(ah_ctx *ctx, const char *file, int code, const char *why)
{
    if (code == SQLITE_NOTADB) {
        diag(ctx, A0641, NOWHERE, "`%s` is no journal of a sweep", file);
        diag_hint(ctx, "journals are made by anholo sweep --journal FILE");
    } else {
        diag(ctx, A0643, NOWHERE, "the journal `%s` could not be read: %s", file,
             code == SQLITE_CORRUPT ? damaged : why);
    }
}

/* A pipe would be waited for, and SQLite does not ask who wants to stop. */
static bool is_file(const char *path)
{
    struct stat s;
    return stat(path, &s) != 0 || S_ISREG(s.st_mode);
}

/* Opens a journal to read what a sweep has written, and may be writing; `inside` reads it. */
static void read_file(ah_ctx *ctx, const char *file,
                      int (*inside)(ah_ctx *ctx, const sqlite *q, sqlite3 *db, void *out),
                      void *out)
{
    sqlite q;
    sqlite3 *db = NULL;
    if (!is_file(file)) tell_why(ctx, file, SQLITE_NOTADB, NULL);
    if (!is_file(file) || !load_sqlite(ctx, &q)) return;
    int code = q.open_v2(file, &db, SQLITE_OPEN_READONLY, NULL);
    if (code == SQLITE_OK) {
        listen(&q, db, ctx);
        code = inside(ctx, &q, db, out);
    }
    const bool over = code != SQLITE_OK && ctx_must_end(ctx); /* then that is what is told */
    if (code != SQLITE_OK && !over) tell_why(ctx, file, code, q.errmsg(db));
    q.close(db);
    sqlite_unload(&q);
    if (over) ctx_tick_now(ctx);
}

static void look(ah_ctx *ctx, void *arg)
{
    const looking *w = arg;
    w->out->busy = is_busy(w->file);
    read_file(ctx, w->file, look_inside, w->out);
}

ah_status ah_journal_look(ah_ctx *ctx, const char *file, ah_journal_status *out)
{
    if (!ctx || !file || !out) return AH_E_INPUT;
    *out = (ah_journal_status){0};
    looking w = {file, out};
    return ctx_guard(ctx, look, &w);
}

typedef struct taking {
    const char *file;
    ah_journal_rows *out;
} taking;

/* false: runs do not ascend. */
static bool take_numbers(ah_ctx *ctx, const sqlite *q, sqlite3_stmt *s, size_t rows,
                         ah_journal_rows *out)
{
    arena *a = &ctx->job;
    const size_t columns = (size_t) q->column_count(s) - 1; /* `failed`, the last, is no number */
    const char **names = NEW_ARRAY(a, const char *, columns + 1);
    double *values = NEW_ARRAY(a, double, columns *rows + 1);
    size_t row = 0;
    for (size_t k = 0; k < columns; k++) names[k] = arena_strdup(a, q->column_name(s, (int) k));
    for (; row < rows && q->step(s) == SQLITE_ROW; row++)
        for (size_t k = 0; k < columns; k++)
            values[k * rows + row] =
                q->column_type(s, (int) k) == SQLITE_NULL ? NAN : q->column_double(s, (int) k);
    *out = (ah_journal_rows){row, columns, names, values};
    for (size_t i = 1; i < row; i++)
        if (!(values[i - 1] < values[i])) return false;
    return true;
}

/* One transaction: rows that come meanwhile are not seen. */
static int take_inside(ah_ctx *ctx, const sqlite *q, sqlite3 *db, void *to)
{
    ah_journal_rows *out = to;
    ah_journal_status status = {0};
    sqlite3_stmt *s = NULL;
    q->exec(db, "BEGIN", NULL, NULL, NULL);
    int code = look_inside(ctx, q, db, &status);
    if (code == SQLITE_OK)
        code = q->prepare_v2(db, "SELECT * FROM runs ORDER BY run", -1, &s, NULL);
    if (code != SQLITE_OK) return code;
    const bool ascend = take_numbers(ctx, q, s, (size_t) status.done, out);
    code = q->finalize(s);
    return code == SQLITE_OK && (!ascend || out->rows != status.done) ? SQLITE_CORRUPT : code;
}

static void take(ah_ctx *ctx, void *arg)
{
    const taking *w = arg;
    read_file(ctx, w->file, take_inside, w->out);
}

ah_status ah_journal_read(ah_ctx *ctx, const char *file, ah_journal_rows *out)
{
    if (!ctx || !file || !out) return AH_E_INPUT;
    *out = (ah_journal_rows){0};
    taking w = {file, out};
    return ctx_guard(ctx, take, &w);
}
