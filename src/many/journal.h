/* many/journal.h - inside the module: rows that outlive the program, in an SQLite file.
 *
 * SQLite is loaded when a journal is asked for: neither building nor starting needs it. One process
 * writes, in batches by time, each made durable before the next; what a batch has not made durable is
 * computed again. */
#ifndef MANY_JOURNAL_H
#define MANY_JOURNAL_H
#include "ensemble_inside.h"

typedef struct journal journal;

/* Opens or makes the journal of this sweep. NULL after an error: it is another's (A0641), in use, or
 * cannot be read. */
journal *journal_open(ah_ensemble *e, const char *file, const char *by, const char *lanes);
void journal_close(journal *j);
uint64_t journal_done(const journal *j);
/* A bit for each run that is there. */
const uint64_t *journal_bits(const journal *j);
/* Keeps the rows; they are durable within a second, or at the end. false: it could not. */
bool journal_add(journal *j, const ah_ensemble_part *part);
/* Makes durable what has waited long enough; all of it with `now`. */
bool journal_commit(journal *j, bool now);
bool journal_broke(const journal *j);
/* What went wrong, as a diagnostic. */
void journal_complain(journal *j);
/* All rows in order. false: reading failed, or rows() did not want more. */
bool journal_read(journal *j, bool (*rows)(void *user, const ah_ensemble_part *part), void *user,
                  uint64_t *failed);

#endif
