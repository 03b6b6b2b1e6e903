/* ah_files.h - language tests: .ah files that carry what is expected of them in comments.
 *
 *     # error A0207 14:12        an error with this code at this line and column
 *     # warning A0310 3:1        likewise a warning
 *     # expect KEY = VALUE       anything the test program understands
 *
 * A comment counts when it stands alone on its line. One that begins so but cannot be read is a
 * failed check: a misspelt expectation must not pass unseen. */
#ifndef AH_FILES_H
#define AH_FILES_H
#include <stdbool.h>
#include <stddef.h>

typedef struct ah_file_expectation {
    bool warning;
    char code[8];
    unsigned line, column;
} ah_file_expectation;

typedef struct ah_file_expect {
    const char *key, *value;
} ah_file_expect;

typedef struct ah_file {
    const char *path, *text; /* the text is NUL-terminated and may contain NULs */
    size_t length;
    size_t errors; /* of warnings too, in the order of the file */
    ah_file_expectation *error;
    size_t expects;
    ah_file_expect *expect;
} ah_file;

/* Calls f for each .ah file of the folder, by name; what it gets lives during the call. Returns
 * their number, -1 when the folder or a file cannot be read. */
int ah_files_each(const char *dir, void (*f)(const ah_file *file, void *user), void *user);

#endif
