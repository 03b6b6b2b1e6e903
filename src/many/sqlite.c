/* many/sqlite.c - SQLite, loaded at run time. */
#include "sqlite.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

static const char *const names[] = {"libsqlite3.so.0", "libsqlite3.so"};

/* A pointer to data is no pointer to a function in C; POSIX makes them alike. */
static bool find(void *library, const char *name, void *function, size_t size)
{
    void *const found = dlsym(library, name);
    memcpy(function, &found, size);
    return found != NULL;
}

bool sqlite_load(sqlite *out)
{
    *out = (sqlite){0};
    for (size_t i = 0; !out->library && i < sizeof names / sizeof *names; i++) {
        out->library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
        if (!out->library && i == 0) snprintf(out->why, sizeof out->why, "%s", dlerror());
    }
    if (!out->library) return false;
    bool good = true;
#define X(name, result, arguments)                                                                 \
    good &= find(out->library, "sqlite3_" #name, &out->name, sizeof out->name);
    SQLITE_LIST(X)
#undef X
    if (good) return true;
    sqlite_unload(out);
    snprintf(out->why, sizeof out->why, "functions of version 3 are missing");
    return false;
}

void sqlite_unload(sqlite *s)
{
    if (s->library) dlclose(s->library);
    *s = (sqlite){0};
}
