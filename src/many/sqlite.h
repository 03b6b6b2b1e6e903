/* many/sqlite.h - inside the module: the functions of SQLite that a journal needs, loaded when it does.
 *
 * Its interface of version 3 has not changed since 2004: the types are declared here, and neither its
 * header nor its library are needed to build or to start. */
#ifndef MANY_SQLITE_H
#define MANY_SQLITE_H
#include <stdbool.h>
#include <stdint.h>

typedef struct sqlite3 sqlite3;
typedef struct sqlite3_stmt sqlite3_stmt;

enum {
    SQLITE_OK = 0,
    SQLITE_BUSY = 5,
    SQLITE_CORRUPT = 11,
    SQLITE_FULL = 13,
    SQLITE_NOTADB = 26,
    SQLITE_ROW = 100,
    SQLITE_DONE = 101,
    SQLITE_NULL = 5, /* of a column */
    SQLITE_OPEN_READONLY = 1,
    SQLITE_OPEN_READWRITE = 2,
    SQLITE_OPEN_CREATE = 4
};

/* name, what it returns, its arguments */
#define SQLITE_LIST(X)                                                                             \
    X(open_v2, int, (const char *, sqlite3 **, int, const char *) )                                \
    X(close, int, (sqlite3 *) )                                                                    \
    X(busy_handler, int, (sqlite3 *, int (*)(void *, int), void *) )                               \
    X(progress_handler, void, (sqlite3 *, int, int (*)(void *), void *) )                          \
    X(exec, int,                                                                                   \
      (sqlite3 *, const char *, int (*)(void *, int, char **, char **), void *, char **) )         \
    X(errmsg, const char *, (sqlite3 *) )                                                          \
    X(prepare_v2, int, (sqlite3 *, const char *, int, sqlite3_stmt **, const char **) )            \
    X(step, int, (sqlite3_stmt *) )                                                                \
    X(reset, int, (sqlite3_stmt *) )                                                               \
    X(finalize, int, (sqlite3_stmt *) )                                                            \
    X(bind_int64, int, (sqlite3_stmt *, int, int64_t))                                             \
    X(bind_double, int, (sqlite3_stmt *, int, double) )                                            \
    X(bind_null, int, (sqlite3_stmt *, int) )                                                      \
    X(bind_text, int, (sqlite3_stmt *, int, const char *, int, void (*)(void *)))                  \
    X(column_count, int, (sqlite3_stmt *) )                                                        \
    X(column_name, const char *, (sqlite3_stmt *, int) )                                           \
    X(column_type, int, (sqlite3_stmt *, int) )                                                    \
    X(column_int64, int64_t, (sqlite3_stmt *, int) )                                               \
    X(column_double, double, (sqlite3_stmt *, int) )                                               \
    X(column_text, const unsigned char *, (sqlite3_stmt *, int) )

typedef struct sqlite {
    void *library;
    char why[200];
#define X(name, result, arguments) result(*name) arguments;
    SQLITE_LIST(X)
#undef X
} sqlite;

/* false: there is none, or it cannot be loaded; out->why says it. */
bool sqlite_load(sqlite *out);
void sqlite_unload(sqlite *s);

#endif
