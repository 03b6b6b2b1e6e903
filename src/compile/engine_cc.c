/* compile/engine_cc.c - code by the system's compiler, kept in the user's cache folder.
 *
 * A file is named by the hash of its content and never changes: two programs at once write the same
 * thing under names of their own and rename it. The source is kept beside the code and compared, so
 * a collision of hashes does no harm; so is the sum of the code, so a damaged file is not run but
 * made again. Whatever goes wrong, there is just no such engine. */
#include "engine_inside.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

/* Part of the hash: other options are other code. Of -O3 the stepper wants its short loops as straight lines (a step of Kepler's
 * problem takes a fifth less, of the pendulum an eighth), not what else it does to long programs. */
static const char *const options[] = {"-ffp-contract=off",
                                      "-fpeel-loops",
                                      "-fno-math-errno",
                                      "-fno-trapping-math",
                                      "-fPIC",
                                      "-shared",
                                      "-x",
                                      "c"};
enum { OPTIONS = sizeof options / sizeof *options };

/* Bytes of source from which on the compiler is asked for less: long programs run as fast at -O1 (the
 * bicycle's right-hand side of 3900 operations 1.00 us, at -O2 1.02), and are there in two thirds of the time. */
#define LONG_SOURCE 300000

static const char *level(const char *written)
{
    return strlen(written) >= LONG_SOURCE ? "-O1" : "-O2";
}

/* What this processor has beyond the least of its kind, up to a NULL. It is named, not "native": another processor that shares
 * the folder finds no code that it cannot run. Results are gathered in halves of a register: to make a whole one of four
 * scalars takes longer than to store it twice (the pendulum's right-hand side 6 %, motions 1 to 7 %). */
static const char *const *processor_options(void)
{
    static const char *const none[] = {NULL};
#if defined(__x86_64__) && defined(__GNUC__)
    static const char *const avx2[] = {"-mavx2", "-mprefer-vector-width=128", NULL};
    if (__builtin_cpu_supports("avx2")) return avx2;
#endif
    return none;
}

static uint64_t hash(uint64_t h, const char *s) /* FNV-1a */
{
    for (; *s; s++) h = (h ^ (unsigned char) *s) * 0x100000001b3u;
    return h;
}

/* ---- The cache folder ------------------------------------------------------------------------ */

/* Ours alone: what others can write is not run. */
static bool is_own(const char *path, mode_t kind, struct stat *s)
{
    return lstat(path, s) == 0 && (s->st_mode & S_IFMT) == kind && s->st_uid == geteuid() &&
           (s->st_mode & (S_IWGRP | S_IWOTH)) == 0;
}

/* Closed to others: cc makes its files as the umask says, which may let everybody write. */
static bool is_private_folder(const char *path)
{
    struct stat s;
    return is_own(path, S_IFDIR, &s) &&
           ((s.st_mode & (S_IRWXG | S_IRWXO)) == 0 || chmod(path, S_IRWXU) == 0);
}

enum { STICKY = 01000 }; /* S_ISVTX, which POSIX keeps for XSI */

/* Nobody else can put another folder in the place of ours between two looks. */
static bool is_safe_place(const char *path)
{
    struct stat s;
    return stat(path, &s) == 0 && (s.st_uid == geteuid() || s.st_uid == 0) &&
           (!(s.st_mode & S_IWOTH) || s.st_mode & STICKY);
}

static bool make_folder(const char *path)
{
    return mkdir(path, 0700) == 0 || errno == EEXIST;
}

static const char *cache_folder(ah_ctx *ctx)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    if (!cache || *cache != '/') {
        if (!home || *home != '/') return NULL;
        cache = arena_printf(&ctx->scratch, "%s/.cache", home);
    }
    const char *own = arena_printf(&ctx->scratch, "%s/anholo", cache);
    return make_folder(cache) && is_safe_place(cache) && make_folder(own) && is_private_folder(own)
               ? own
               : NULL;
}

/* Seconds after which what was not used is stale; what an ended process left is so after a day. */
#define STALE_AFTER     (90 * 24 * 3600.0)
#define ABANDONED_AFTER (24 * 3600.0)

enum { HASH_LENGTH = 32 };

/* A name that this file makes: a hash, then .c, .so or .sum, or the mark of a process before it. */
static bool is_ours(const char *name, bool *abandoned)
{
    if (strspn(name, "0123456789abcdef") != HASH_LENGTH) return false;
    const char *ending = strrchr(name, '.');
    *abandoned = ending != name + HASH_LENGTH;
    return ending && (!strcmp(ending, ".c") || !strcmp(ending, ".so") || !strcmp(ending, ".sum"));
}

/* Nobody else keeps the folder small. Runs when something new is compiled, which takes longer. */
static void prune(const char *folder)
{
    DIR *list = opendir(folder);
    const time_t now = time(NULL);
    for (struct dirent *d; list && (d = readdir(list));) {
        struct stat s;
        bool abandoned;
        if (!is_ours(d->d_name, &abandoned)) continue;
        if (fstatat(dirfd(list), d->d_name, &s, AT_SYMLINK_NOFOLLOW) != 0) continue;
        if (difftime(now, s.st_mtime) > (abandoned ? ABANDONED_AFTER : STALE_AFTER))
            unlinkat(dirfd(list), d->d_name, 0);
    }
    if (list) closedir(list);
}

/* What is used is young again. */
static void touch(const char *path)
{
    utimensat(AT_FDCWD, path, NULL, 0);
}

static bool write_file(const char *path, const char *content)
{
    FILE *f = fopen(path, "wx");
    if (!f) return false;
    const bool written = fputs(content, f) >= 0;
    return (fclose(f) == 0) && written;
}

/* What is no file is not waited for: a pipe would be, for ever. */
static FILE *open_file(const char *path)
{
    struct stat s;
    return lstat(path, &s) == 0 && S_ISREG(s.st_mode) ? fopen(path, "rb") : NULL;
}

static bool has_content(ah_ctx *ctx, const char *path, const char *content)
{
    const size_t length = strlen(content);
    FILE *f = open_file(path);
    if (!f) return false;
    char *stored = arena_alloc(&ctx->scratch, length + 2);
    const size_t got = fread(stored, 1, length + 1, f);
    fclose(f);
    return got == length && memcmp(stored, content, length) == 0;
}

/* The hash of a file as text; "" without the file. */
static const char *sum_of(ah_ctx *ctx, const char *path)
{
    uint64_t h = 0xcbf29ce484222325u;
    size_t length = 0;
    FILE *f = open_file(path);
    if (!f) return "";
    for (int c; (c = getc(f)) != EOF; length++) h = (h ^ (unsigned char) c) * 0x100000001b3u;
    fclose(f);
    return arena_printf(&ctx->scratch, "%016llx %zu\n", (unsigned long long) h, length);
}

/* ---- Compiling ------------------------------------------------------------------------------- */

extern char **environ;

/* Seconds between two looks at a child. */
#define LOOK_EVERY 0.002

/* Seconds in which a compiler that is told to end may throw away what it has in the folder of temporary files. Less where the
 * time of the call is over: who set its clock may interrupt what goes on (the program does after a tenth of a second), and the call
 * is to end with the better word. */
#define TIDY_SECONDS    0.2
#define OVERDUE_SECONDS 0.05

/* Has the child ended? Waits a little if not. */
static bool has_ended(pid_t child, int *status)
{
    const struct timespec pause = {0, (long) (1e9 * LOOK_EVERY)};
    const pid_t ended = waitpid(child, status, WNOHANG);
    if (ended == child || (ended < 0 && errno != EINTR)) return true;
    nanosleep(&pause, NULL);
    return false;
}

static void end_child(ah_ctx *ctx, pid_t child)
{
    const bool overdue = ctx_time_left(ctx) < 0;
    const double end = base_clock() + (overdue ? OVERDUE_SECONDS : TIDY_SECONDS);
    int status;
    bool ended = false;
    kill(-child, SIGTERM);
    while (!ended && base_clock() < end) ended = has_ended(child, &status);
    kill(-child, SIGKILL); /* what it has started, too */
    while (!ended && waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
}

/* Waits for the child, which has a process group of its own, and ends it when the call must end. */
static bool wait_for(ah_ctx *ctx, pid_t child)
{
    int status = -1;
    while (!has_ended(child, &status))
        if (ctx_must_end(ctx)) return end_child(ctx, child), false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool engine_run_cc(ah_ctx *ctx, const char *const *words)
{
    posix_spawn_file_actions_t silent;
    posix_spawnattr_t apart;
    sigset_t none;
    pid_t child;
    sigemptyset(&none);
    if (posix_spawn_file_actions_init(&silent)) return false;
    if (posix_spawnattr_init(&apart)) {
        posix_spawn_file_actions_destroy(&silent);
        return false;
    }
    /* threads of a sweep block all signals: a compiler that did likewise could not be told to end */
    posix_spawnattr_setflags(&apart, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    posix_spawnattr_setsigmask(&apart, &none);
    posix_spawn_file_actions_addopen(&silent, 0, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&silent, 1, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&silent, 2, "/dev/null", O_WRONLY, 0);
    const bool started = posix_spawnp(&child, "cc", &silent, &apart,
                                      (char *const *) (uintptr_t) words, environ) == 0;
    posix_spawn_file_actions_destroy(&silent);
    posix_spawnattr_destroy(&apart);
    return started && wait_for(ctx, child);
}

/* cc LEVEL OPTIONS c_file -o so_file -lm, silent. */
static bool run_compiler(ah_ctx *ctx, const char *optimise, const char *c_file, const char *so_file)
{
    const char *words[OPTIONS + 9] = {"cc", optimise};
    size_t count = 2;
    for (const char *const *own = processor_options(); *own; own++) words[count++] = *own;
    for (size_t i = 0; i < OPTIONS; i++) words[count++] = options[i];
    words[count++] = c_file;
    words[count++] = "-o";
    words[count++] = so_file;
    words[count++] = "-lm";
    return engine_run_cc(ctx, words);
}

/* The files of one entry. */
typedef struct entry {
    const char *source, *code, *sum;
} entry;

static entry entry_of(ah_ctx *ctx, const char *base)
{
    return (entry){arena_printf(&ctx->scratch, "%s.c", base),
                   arena_printf(&ctx->scratch, "%s.so", base),
                   arena_printf(&ctx->scratch, "%s.sum", base)};
}

static bool compile(ah_ctx *ctx, const char *base, const char *written, const entry *to)
{
    /* A name that no other process, and no other context of this one, uses. */
    const entry own = entry_of(ctx, arena_printf(&ctx->scratch, "%s.%ld.%lx", base, (long) getpid(),
                                                 (unsigned long) (uintptr_t) ctx));
    const bool good = write_file(own.source, written) &&
                      run_compiler(ctx, level(written), own.source, own.code) &&
                      chmod(own.code, S_IRUSR | S_IWUSR) == 0 &&
                      write_file(own.sum, sum_of(ctx, own.code)) &&
                      rename(own.code, to->code) == 0 && rename(own.sum, to->sum) == 0 &&
                      rename(own.source, to->source) == 0;
    if (!good) {
        unlink(own.source);
        unlink(own.code);
        unlink(own.sum);
        ctx_tick_now(ctx);
    }
    return good;
}

/* ---- Loading --------------------------------------------------------------------------------- */

static void *find(void *handle, const char *name)
{
    return dlsym(handle, name);
}

static void destroy(void *handle)
{
    dlclose(handle);
}

static bool load(const char *so_file, engine_code *out)
{
    struct stat s;
    if (!is_own(so_file, S_IFREG, &s)) return false;
    void *handle = dlopen(so_file, RTLD_NOW | RTLD_LOCAL);
    if (handle) *out = (engine_code){handle, find, destroy};
    return handle != NULL;
}

bool engine_cc(ah_ctx *ctx, const char *written, bool may_compile, engine_code *out)
{
    const char *folder = cache_folder(ctx);
    if (!folder) return false;
    uint64_t a = hash(0xcbf29ce484222325u, written), b = hash(0x6c62272e07bb0142u, written);
    a = hash(a, level(written));
    for (size_t i = 0; i < OPTIONS; i++) a = hash(a, options[i]), b = hash(b + 1, options[i]);
    for (const char *const *own = processor_options(); *own; own++) a = hash(a, *own);
    const char *base = arena_printf(&ctx->scratch, "%s/%016llx%016llx", folder,
                                    (unsigned long long) a, (unsigned long long) b);
    const entry e = entry_of(ctx, base);
    if (has_content(ctx, e.source, written) && has_content(ctx, e.sum, sum_of(ctx, e.code)) &&
        load(e.code, out)) {
        touch(e.source);
        touch(e.code);
        touch(e.sum);
        return true;
    }
    if (may_compile) prune(folder);
    return may_compile && compile(ctx, base, written, &e) && load(e.code, out);
}
