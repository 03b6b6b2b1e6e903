/* many/ranks.h - inside the module: the processes that mpirun has started together, by OpenMPI, which is loaded at run time.
 *
 * Messages are bytes with a tag; rank 0 deals runs and writes, the others ask, compute and send rows. */
#ifndef MANY_RANKS_H
#define MANY_RANKS_H
#include "many.h"

/* Bytes of a message that goes at once. Of larger ones (4096 with OpenMPI's own part, between processes of one machine) the receiver
 * gets the beginning and, where it may not read the sender's memory itself, waits for the rest until that looks again. */
enum { RANKS_AT_ONCE = 3500 };

typedef enum ranks_tag { RANKS_ASK = 1, RANKS_DEAL, RANKS_ROWS, RANKS_END, RANKS_STOP } ranks_tag;

/* A message that has come, until the next call; NULL: none has. */
typedef struct ranks_message {
    int from;
    ranks_tag tag;
    const void *bytes;
    size_t count;
} ranks_message;

/* Rank 0 ends what the others do, unless they have ended. */
void ranks_dismiss(ah_ranks *r);
void ranks_have_ended(ah_ranks *r);
bool ranks_receive(ah_ranks *r, ranks_message *out);
void ranks_send(ah_ranks *r, int to, ranks_tag tag, const void *bytes, size_t count);

#endif
