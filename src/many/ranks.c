/* many/ranks.c - OpenMPI, loaded at run time: the few functions that are called, declared by us. They and the layout of a status
 * have not changed since version 1.4. */
#include "ranks.h"

#include "../model/model.h"

#include <dlfcn.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>

static const char *const names[] = {"libmpi.so.40", "libmpi.so"};

typedef struct status {
    int source, tag, error, cancelled;
    size_t bytes;
} status;

enum { ANY = -1, FUNNELED = 1 };

#define MPI_LIST(X)                                                                                \
    X(Init_thread, (int *argc, char ***argv, int wanted, int *got))                                \
    X(Initialized, (int *yes))                                                                     \
    X(Finalize, (void) )                                                                           \
    X(Comm_rank, (void *communicator, int *out))                                                   \
    X(Comm_size, (void *communicator, int *out))                                                   \
    X(Iprobe, (int source, int tag, void *communicator, int *there, status *out))                  \
    X(Recv,                                                                                        \
      (void *to, int count, void *type, int source, int tag, void *communicator, status *out))     \
    X(Send, (const void *from, int count, void *type, int to, int tag, void *communicator))        \
    X(Isend, (const void *from, int count, void *type, int to, int tag, void *communicator,        \
              void **request))                                                                     \
    X(Test, (void **request, int *done, status *out))                                              \
    X(Wait, (void **request, status *out))

/* A message on its way. */
typedef struct sending {
    struct sending *next;
    void *request;
    char bytes[];
} sending;

struct ah_ranks {
    ah_ctx *ctx;
    void *library, *world, *byte;
    int rank, size;
    void *bytes;  /* of the last message … */
    size_t room;  /* … which has so much */
    sending *out; /* messages that have not arrived */
    bool ours;    /* we began it */
    bool ended;   /* the others have */
#define X(name, arguments) int(*name) arguments;
    MPI_LIST(X)
#undef X
};

/* ---- Life ------------------------------------------------------------------------------------ */

/* A pointer to data is no pointer to a function in C; POSIX makes them alike. */
static bool find(void *library, const char *name, void *function, size_t size)
{
    void *const found = dlsym(library, name);
    memcpy(function, &found, size);
    return found != NULL;
}

static bool load(ah_ranks *r)
{
    bool good = true;
    for (size_t i = 0; !r->library && i < sizeof names / sizeof *names; i++)
        r->library = dlopen(names[i], RTLD_NOW | RTLD_GLOBAL); /* its own parts look for it */
    if (!r->library) return false;
    r->world = dlsym(r->library, "ompi_mpi_comm_world");
    r->byte = dlsym(r->library, "ompi_mpi_byte");
#define X(name, arguments) good &= find(r->library, "MPI_" #name, &r->name, sizeof r->name);
    MPI_LIST(X)
#undef X
    return good && r->world && r->byte;
}

static long number(const char *name)
{
    const char *words = getenv(name);
    return words ? strtol(words, NULL, 10) : 0;
}

static void refuse(ah_ctx *ctx, const char *why)
{
    diag(ctx, A0645, NOWHERE, "started as one of several processes, but %s", why);
    diag_hint(ctx, "`mpirun` of OpenMPI (Debian: openmpi-bin) starts them");
}

static bool join(ah_ranks *r)
{
    int begun = 0, got;
    r->Initialized(&begun);
    r->ours = !begun;
    if (!begun && r->Init_thread(NULL, NULL, FUNNELED, &got)) return false;
    return !r->Comm_rank(r->world, &r->rank) && !r->Comm_size(r->world, &r->size);
}

typedef struct opening {
    ah_ranks *r;
} opening;

static void open_body(ah_ctx *ctx, void *arg)
{
    opening *w = arg;
    const long wanted = number("OMPI_COMM_WORLD_SIZE");
    if (wanted <= 1) {
        if (number("PMI_SIZE") > 1) refuse(ctx, "not by OpenMPI");
        return;
    }
    ah_ranks *r = w->r = ctx_realloc(ctx, NULL, 0, sizeof *r);
    *r = (ah_ranks){.ctx = ctx};
    if (!load(r))
        refuse(ctx, "OpenMPI's library cannot be loaded");
    else if (!join(r) || r->size != wanted)
        refuse(ctx, "they do not find each other");
}

ah_status ah_ranks_open(ah_ctx *ctx, ah_ranks **out)
{
    opening w = {NULL};
    if (out) *out = NULL;
    if (!ctx || !out) return AH_E_INPUT;
    const ah_status made = ctx_guard(ctx, open_body, &w);
    if (made == AH_OK)
        *out = w.r;
    else
        ah_ranks_close(w.r);
    return made;
}

/* Those that have arrived are forgotten; `wait`: until all have. */
static void forget_sent(ah_ranks *r, bool wait)
{
    for (sending **at = &r->out; *at;) {
        sending *s = *at;
        int done = 1;
        if (wait)
            r->Wait(&s->request, NULL);
        else
            r->Test(&s->request, &done, NULL);
        if (done) {
            *at = s->next;
            free(s);
        } else {
            at = &s->next;
        }
    }
}

void ah_ranks_close(ah_ranks *r)
{
    if (!r) return;
    if (r->size) ranks_dismiss(r);
    if (r->size) forget_sent(r, true);
    if (r->ours && r->size) r->Finalize();
    free(r->bytes);
    ctx_realloc(r->ctx, r, sizeof *r, 0); /* the library stays: it cannot be begun again */
}

size_t ah_ranks_count(const ah_ranks *r)
{
    return r ? (size_t) r->size : 1;
}

size_t ah_ranks_here(const ah_ranks *r)
{
    return r ? (size_t) r->rank : 0;
}

void ranks_have_ended(ah_ranks *r)
{
    r->ended = true;
}

/* They may be waiting for runs, or have failed as we have: nobody waits for their answer. */
void ranks_dismiss(ah_ranks *r)
{
    static const char nothing[64];
    for (int i = 1; !r->rank && !r->ended && i < r->size; i++)
        ranks_send(r, i, RANKS_STOP, nothing, sizeof nothing);
    r->ended = true;
}

/* ---- Messages -------------------------------------------------------------------------------- */

bool ranks_receive(ah_ranks *r, ranks_message *out)
{
    status s;
    int there = 0;
    forget_sent(r, false);
    if (r->Iprobe(ANY, ANY, r->world, &there, &s) || !there) return false;
    if (s.bytes > r->room || !r->bytes) {
        void *more = realloc(r->bytes, s.bytes + 1);
        if (!more) return false;
        r->bytes = more;
        r->room = s.bytes + 1;
    }
    if (r->Recv(r->bytes, (int) s.bytes, r->byte, s.source, s.tag, r->world, NULL)) return false;
    *out = (ranks_message){s.source, (ranks_tag) s.tag, r->bytes, s.bytes};
    return true;
}

/* MPI_Send waits at full speed until the receiver looks, a millisecond later, and takes a processor from those who compute: of two
 * ranks on two processors a tenth. So messages are left to go by themselves. */
void ranks_send(ah_ranks *r, int to, ranks_tag tag, const void *bytes, size_t count)
{
    if (count > INT_MAX) return;
    sending *s = malloc(sizeof *s + count);
    if (!s) {
        r->Send(bytes, (int) count, r->byte, to, (int) tag, r->world);
        return;
    }
    memcpy(s->bytes, bytes, count);
    s->next = r->out;
    r->out = s;
    r->Isend(s->bytes, (int) count, r->byte, to, (int) tag, r->world, &s->request);
}
