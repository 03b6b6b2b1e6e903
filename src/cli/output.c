/* cli/output.c - files that are replaced as a whole.
 *
 * What goes to a regular file is written beside it, FILE.PID.partial, and renamed when it is whole:
 * whatever happens before that, Ctrl-C, a full disk, the machine going down, the earlier file is
 * what it was. Of two runs to one file one wins, whole. Links are followed and permissions kept.
 * Devices, pipes and what /proc calls a file (/dev/stdout) are written through. */
#include "cli.h"

#include <assert.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif
#include <unistd.h>

/* ---- Which file it is ------------------------------------------------------------------------ */

enum { LINKS_MOST = 40, PATH_MOST = 4096, LIST_MOST = 4096 }; /* as the kernel has them */

/* Links below /proc stand for open files, which have no name that could be replaced. */
static bool is_on_proc(const struct stat *s)
{
    struct stat proc;
    return stat("/proc", &proc) == 0 && proc.st_dev == s->st_dev;
}

/* Length of the folder in a path, its slash included; 0: there is none. */
static size_t folder_length(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t) (slash - path) + 1 : 0;
}

/* One link followed: an owned path, NULL with errno. Owns `path`. */
static char *follow_link(char *path)
{
    char to[PATH_MOST], joined[2 * PATH_MOST];
    const ssize_t n = readlink(path, to, sizeof to - 1);
    if (n < 0) {
        free(path);
        return NULL;
    }
    to[n] = '\0';
    const int folder = *to == '/' ? 0 : (int) folder_length(path);
    snprintf(joined, sizeof joined, "%.*s%s", folder, path, to);
    free(path);
    return strdup(joined);
}

/* What `path` leads to, there or not: an owned name, NULL with errno. *through: it is no regular
 * file, and the name is the given one. */
static char *find_target(const char *path, bool *through)
{
    struct stat s;
    char *at = strdup(path);
    *through = false;
    for (int links = 0; at && lstat(at, &s) == 0 && S_ISLNK(s.st_mode); links++) {
        *through = is_on_proc(&s);
        if (*through) break;
        at = follow_link(at);
        if (at && links == LINKS_MOST) {
            free(at);
            errno = ELOOP;
            return NULL;
        }
    }
    if (at && stat(at, &s) == 0 && !S_ISREG(s.st_mode)) *through = true;
    return at;
}

/* ---- Whether it may be written --------------------------------------------------------------- */

static bool is_same(const struct stat *a, const struct stat *b)
{
    return a->st_dev == b->st_dev && a->st_ino == b->st_ino;
}

/* Two names of one file; one that is not there yet has its name in the same folder. */
static bool same_file(const char *a, const char *b)
{
    struct stat s, t;
    const bool there = stat(a, &s) == 0;
    if (there) return stat(b, &t) == 0 && is_same(&s, &t);
    const size_t in_a = folder_length(a), in_b = folder_length(b);
    if (strcmp(a + in_a, b + in_b) != 0) return false;
    char *folder_a = strndup(in_a ? a : ".", in_a ? in_a : 1);
    char *folder_b = strndup(in_b ? b : ".", in_b ? in_b : 1);
    const bool same = folder_a && folder_b && stat(folder_a, &s) == 0 && stat(folder_b, &t) == 0 &&
                      is_same(&s, &t);
    free(folder_a);
    free(folder_b);
    return same;
}

/* A file that the program reads: "-" is standard input. */
static bool is_input(const char *path, const struct stat *target)
{
    struct stat s;
    if (!path) return false;
    const bool there = strcmp(path, "-") == 0 ? fstat(STDIN_FILENO, &s) == 0 : stat(path, &s) == 0;
    return there && S_ISREG(s.st_mode) && is_same(&s, target);
}

/* The journal `path`, there or not, or what SQLite keeps beside it: is `target` one of these, or, without one, the open file
 * of `s`? */
static bool is_journal(const char *path, const char *target, const struct stat *s)
{
    static const char *const beside[] = {"", "-journal", "-wal", "-shm"};
    bool through, same = false;
    char *journal = path ? find_target(path, &through) : NULL, name[PATH_MOST];
    for (size_t i = 0; journal && !same && i < sizeof beside / sizeof *beside; i++) {
        const int length = snprintf(name, sizeof name, "%s%s", journal, beside[i]);
        if (length < 0 || (size_t) length >= sizeof name) break;
        same = target ? same_file(target, name) : is_input(name, s);
    }
    free(journal);
    return same;
}

/* The same of the journals of a command, in words; NULL: of none. */
static const char *what_journal(const cli *c, const char *target, const struct stat *s)
{
    const size_t length = c->path ? strlen(c->path) : 0;
    if (is_journal(cli_get(c, "--journal"), target, s)) return "the file of `--journal`";
    return length >= 3 && !strcmp(c->path + length - 3, ".db") && is_journal(c->path, target, s)
               ? "a file of the journal"
               : NULL;
}

/* What the program reads from the file of `s`, in words; NULL: nothing. */
static const char *what_is_read(const cli *c, const struct stat *s)
{
    if (is_input(c->path, s)) return "the model itself";
    if (is_input(cli_get(c, "--from"), s)) return "the file of `--from`";
    char *table;
    for (size_t k = 0; (table = cli_input_table(c, k)); k++) {
        const bool same = is_input(table, s);
        free(table);
        if (same) return "a table of `--input`";
    }
    return is_input(cli_get(c, "--list"), s) ? "the file of `--list`" : NULL;
}

static bool is_standard_output(const struct stat *target)
{
    struct stat s;
    return fstat(STDOUT_FILENO, &s) == 0 && S_ISREG(s.st_mode) && is_same(&s, target);
}

/* What else is the file `target`, in words; NULL: nothing. What is written through may be standard output itself. */
static const char *conflict(const cli *c, const char *target, bool through)
{
    struct stat s;
    const bool there = stat(target, &s) == 0;
    const char *read = there ? what_is_read(c, &s) : NULL;
    if (read) return read;
    if (there && !through && is_standard_output(&s)) return "standard output";
    const char *journal = what_journal(c, target, NULL);
    if (journal) return journal;
    for (size_t i = 0; i < c->output_count; i++)
        if (c->outputs[i].target && same_file(target, c->outputs[i].target))
            return c->outputs[i].option;
    return NULL;
}

int cli_check_standard_output(const cli *c)
{
    struct stat s;
    if (fstat(STDOUT_FILENO, &s) != 0 || !S_ISREG(s.st_mode)) return 0;
    const char *same = what_is_read(c, &s);
    if (!same) same = what_journal(c, NULL, &s);
    return same ? cli_fail(false, EXIT_USAGE, NULL, "standard output is %s", same) : 0;
}

/* ---- Opening --------------------------------------------------------------------------------- */

/* A new file beside the target; -1 with errno. *name is owned. */
static int create_beside(const char *target, char **name)
{
    const size_t room = strlen(target) + 64;
    int file = -1;
    *name = malloc(room);
    errno = ENOMEM;
    /* what replaces a private file is nobody's to open, not even before it has its permissions */
    const mode_t mode = access(target, F_OK) == 0 ? 0600 : 0666;
    bool brief = false; /* the name itself may be as long as names can be */
    for (unsigned i = 0; *name && file < 0 && i < 1000; i++) {
        const int used = (int) (brief ? folder_length(target) : strlen(target));
        const size_t n = (size_t) snprintf(*name, room, "%.*s%s%ld", used, target,
                                           brief ? "anholo." : ".", (long) getpid());
        if (i)
            snprintf(*name + n, room - n, "-%u.partial", i);
        else
            snprintf(*name + n, room - n, ".partial");
        file = open(*name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
        if (file < 0 && errno == ENAMETOOLONG && !brief)
            brief = true;
        else if (file < 0 && errno != EEXIST)
            break;
    }
    return file;
}

/* The mode, and the list of who else may do what if there is one: the group's bits in the mode are then a bound of the
 * list, and more than the group has. A list that the folder gives to new files is not that of this one. */
static bool copy_mode(int file, const char *target, mode_t mode)
{
#ifdef __linux__
    static const char name[] = "system.posix_acl_access";
    char list[LIST_MOST];
    const ssize_t n = getxattr(target, name, list, sizeof list);
    const bool lost = n < 0 ? errno == ERANGE : fsetxattr(file, name, list, (size_t) n, 0) != 0;
    if (lost) return fchmod(file, mode & 0700) == 0;
    if (n >= 0) return true;
    fremovexattr(file, name);
#endif
    return fchmod(file, mode & 0777) == 0;
}

/* As the file that it will replace: permissions and, where that is allowed, the owner. */
static bool copy_permissions(int file, const char *target)
{
    struct stat s, own;
    if (stat(target, &s) != 0) return true;
    if (access(target, W_OK) != 0) return false; /* renaming would not ask */
    const bool others =
        fstat(file, &own) == 0 && (own.st_uid != s.st_uid || own.st_gid != s.st_gid);
    if (others && fchown(file, s.st_uid, s.st_gid) != 0) return fchmod(file, s.st_mode & 0700) == 0;
    return copy_mode(file, target, s.st_mode);
}

static void forget(output *o)
{
    if (o->file) fclose(o->file);
    if (o->beside) unlink(o->beside);
    if (o->earlier) unlink(o->earlier);
    free(o->beside);
    free(o->earlier);
    free(o->target);
    free(o->inside);
    o->file = NULL;
    o->beside = o->earlier = o->target = o->inside = NULL;
}

static bool open_output(output *o, char *target)
{
    o->target = target;
    const int file = create_beside(target, &o->beside);
    if (file < 0) {
        const int error = errno;
        free(o->beside); /* not ours */
        o->beside = NULL;
        errno = error;
        return false;
    }
    o->file = copy_permissions(file, target) ? fdopen(file, "w") : NULL;
    if (o->file) return true;
    const int error = errno;
    close(file);
    errno = error;
    return false;
}

/* What is no file of its own. One that is standard output shares its place there: rows and summary
 * would else be written over each other. */
static FILE *open_through(const char *path)
{
    struct stat s, standard;
    const bool regular = stat(path, &s) == 0 && S_ISREG(s.st_mode);
    for (int i = STDOUT_FILENO; regular && i <= STDERR_FILENO; i++)
        if (fstat(i, &standard) == 0 && is_same(&s, &standard)) {
            const int file = dup(i);
            return file < 0 ? NULL : fdopen(file, "w");
        }
    return fopen(path, regular ? "a" : "w");
}

static int refuse(const cli *c, const output *o, const char *same)
{
    const bool other = *same == '-';
    return cli_fail(c->json, EXIT_USAGE, o->path, "`%s` is %s%s%s", o->option,
                    other ? "the file of `" : "", same, other ? "` too" : "");
}

int cli_check_name(const cli *c, const char *name, const char *path, const char *what)
{
    if (!*path)
        return cli_fail(c->json, EXIT_USAGE, NULL, "`%s` wants the name of a %s", name, what);
    if (strcmp(path, "-") == 0)
        return cli_fail(c->json, EXIT_USAGE, NULL,
                        "`%s` wants the name of a %s, and `-` is none; one of that name is `./-`",
                        name, what);
    return 0;
}

/* Opens o->path. */
static output *open_path(cli *c, output *o, int *status)
{
    bool through, opened = false;
    if ((*status = cli_check_name(c, o->option, o->path, "file"))) return NULL;
    char *target = find_target(o->path, &through);
    const char *same = target ? conflict(c, through ? o->path : target, through) : NULL;
    if (same) {
        free(target);
        *status = refuse(c, o, same);
        forget(o);
        return NULL;
    }
    if (target && !through)
        opened = open_output(o, target);
    else if (target)
        opened = (o->file = open_through(o->path)) != NULL;
    const int error = errno;
    if (through) free(target);
    if (opened) return c->output_count++, o;
    *status = cli_stopped() ? cli_tell_stopped(c)
                            : cli_fail(c->json, EXIT_NO, o->path, "%s", strerror(error));
    forget(o);
    return NULL;
}

output *cli_output(cli *c, const char *name, int *status)
{
    const char *path = cli_get(c, name);
    if (!path) return NULL;
    assert(c->output_count < OUTPUTS_MOST);
    output *o = &c->outputs[c->output_count];
    *o = (output){.option = name, .path = path};
    return open_path(c, o, status);
}

/* ---- Folders --------------------------------------------------------------------------------- */

static bool make_folder(cli *c, const char *path)
{
    struct stat s;
    if (mkdir(path, 0777) == 0) {
        c->made = path;
        return true;
    }
    if (errno != EEXIST) return false;
    if (stat(path, &s) != 0) return false;
    errno = ENOTDIR;
    return S_ISDIR(s.st_mode);
}

output *cli_output_inside(cli *c, const char *name, const char *file, int *status)
{
    const char *folder = cli_get(c, name);
    assert(folder && c->output_count < OUTPUTS_MOST);
    if ((*status = cli_check_name(c, name, folder, "folder"))) return NULL;
    if (!make_folder(c, folder)) {
        *status = cli_fail(c->json, EXIT_NO, folder, "%s", strerror(errno));
        return NULL;
    }
    output *o = &c->outputs[c->output_count];
    const size_t room = strlen(folder) + strlen(file) + 2;
    *o = (output){.option = name, .inside = malloc(room)};
    if (!o->inside) {
        *status = cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
        return NULL;
    }
    snprintf(o->inside, room, "%s/%s", folder, file);
    o->path = o->inside;
    return open_path(c, o, status);
}

output *cli_output_beside(cli *c, const char *name, const char *suffix, int *status)
{
    const char *path = cli_get(c, name), *dot = path ? strrchr(path, '.') : NULL;
    assert(dot && c->output_count < OUTPUTS_MOST);
    const size_t stem = (size_t) (dot - path);
    const size_t room = strlen(path) + strlen(suffix) + 1;
    output *o = &c->outputs[c->output_count];
    *o = (output){.option = name, .inside = malloc(room)};
    if (!o->inside) {
        *status = cli_fail(c->json, EXIT_LIMIT, NULL, "out of memory");
        return NULL;
    }
    snprintf(o->inside, room, "%.*s%s%s", (int) stem, path, suffix, path + stem);
    o->path = o->inside;
    return open_path(c, o, status);
}

/* ---- Closing --------------------------------------------------------------------------------- */

/* The first error is the one that is told. */
static void note(output *o, bool good)
{
    if (!good && !o->error) o->error = errno;
}

void cli_write_output(output *o, const char *text, size_t length)
{
    note(o, fwrite(text, 1, length, o->file) == length);
}

/* Everything on its way to the disk, before the name is changed: a machine that goes down between
 * the two would else leave an empty file in place of the earlier one. */
static bool finish_file(output *o)
{
    note(o, fflush(o->file) == 0);
    note(o, o->error || !o->beside || fsync(fileno(o->file)) == 0);
    note(o, fclose(o->file) == 0);
    o->file = NULL;
    return !o->error;
}

static int tell_error(cli *c, const output *o)
{
    return cli_stopped() ? cli_tell_stopped(c)
                         : cli_fail(c->json, EXIT_NO, o->path, "it could not be written: %s",
                                    strerror(o->error));
}

/* Gives a whole file its name. */
static bool put_in_place(output *o)
{
    if (o->beside && rename(o->beside, o->target) != 0) {
        o->error = errno;
        return false;
    }
    free(o->beside); /* it stays */
    o->beside = NULL;
    return true;
}

/* The end of a file that is on the disk, if its writing was `good`. */
static int settle(cli *c, output *o, bool good, output_end end)
{
    int status = 0;
    if (good && end == OUTPUT_WHOLE) good = put_in_place(o);
    if (!good) status = tell_error(c, o);
    if (good && o->beside && end == OUTPUT_PARTIAL) {
        cli_say("what there was is in `%s`", o->beside);
        free(o->beside); /* it stays */
        o->beside = NULL;
    }
    forget(o);
    return status;
}

int cli_close_output(cli *c, output *o, output_end end)
{
    return settle(c, o, finish_file(o), end);
}

/* In a folder with the sticky bit somebody else's file can be given a second name, which then nobody here may take away; nor
 * may it be replaced. */
static bool is_stuck(const char *target)
{
    enum { STICKY = 01000 }; /* S_ISVTX, which POSIX alone does not have */
    struct stat s;
    const uid_t self = geteuid();
    if (self == 0 || stat(target, &s) != 0 || s.st_uid == self) return false;
    const size_t length = folder_length(target);
    char *folder = strndup(length ? target : ".", length ? length : 1);
    const bool stuck =
        !folder || (stat(folder, &s) == 0 && (s.st_mode & STICKY) && s.st_uid != self);
    free(folder);
    return stuck;
}

/* A second name of what is replaced, FILE.PID.earlier, until all are in place. Where files cannot have two, it is
 * not kept. */
static void keep_earlier(output *o)
{
    static const char written[] = ".partial", kept[] = ".earlier"; /* of one length */
    char *name = o->beside && !is_stuck(o->target) ? strdup(o->beside) : NULL;
    if (!name) return;
    memcpy(name + strlen(name) - strlen(written), kept, strlen(kept));
    if (link(o->target, name) == 0) {
        o->earlier = name;
        return;
    }
    o->fresh = errno == ENOENT;
    free(name); /* not ours */
}

/* As it was before put_in_place. */
static void take_back(const output *o)
{
    if (o->earlier)
        rename(o->earlier, o->target);
    else if (o->fresh)
        unlink(o->target);
}

int cli_close_outputs(cli *c)
{
    int status = 0;
    size_t placed = 0;
    for (size_t i = 0; i < c->output_count && !status; i++)
        if (!finish_file(&c->outputs[i])) status = tell_error(c, &c->outputs[i]);
    if (!status && cli_stopped()) status = cli_tell_stopped(c);
    if (status) return status; /* what is left is thrown away with the command */
    for (size_t i = 0; c->output_count > 1 && i < c->output_count; i++)
        keep_earlier(&c->outputs[i]);
    while (placed < c->output_count && put_in_place(&c->outputs[placed])) placed++;
    if (placed < c->output_count) status = tell_error(c, &c->outputs[placed]);
    while (status && placed) take_back(&c->outputs[--placed]);
    for (size_t i = 0; i < c->output_count; i++) forget(&c->outputs[i]);
    return status;
}

void cli_discard_outputs(cli *c)
{
    for (size_t i = 0; i < c->output_count; i++) forget(&c->outputs[i]);
    c->output_count = 0;
    if (c->made) rmdir(c->made); /* it stays unless it is empty */
}
