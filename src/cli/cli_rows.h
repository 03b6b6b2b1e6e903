/* cli/cli_rows.h - tables: the rows of a sweep, and tables that are read. */
#ifndef CLI_CLI_ROWS_H
#define CLI_CLI_ROWS_H
#include "cli.h"

/* Rows on their way: CSV, or an array of NumPy where the name ends in .npy. */
typedef struct rows_file {
    ah_ensemble *e;
    output *to; /* NULL: standard output */
    size_t columns, format;
    uint64_t rows; /* written */
} rows_file;

rows_file rows_to(ah_ensemble *e, output *to, const char *path);
bool rows_write(void *user, const ah_ensemble_part *part);
void rows_of_motion(output *to, const ah_trajectory *t); /* NULL: standard output */

/* A table with a line of names. Owns names and values; the names lie in the text. */
typedef struct rows_list {
    const char **names;
    size_t columns;
    uint64_t rows;
    double *values;
    size_t line;       /* of what is wrong */
    const char *wrong; /* NULL: nothing */
} rows_list;
bool rows_read(rows_list *l, char *text); /* changes the text, which has a NUL at its end */
void rows_free(rows_list *l);

/* The same line by line, for tables of any length. The names lie in `head`. */
typedef struct rows_reader {
    FILE *file;
    char *head, *line; /* the first line, the last one */
    size_t room;       /* of `line` */
    const char **names;
    size_t columns, number; /* of the last line */
    double *cells;          /* of the last row; NaN: no number */
    const char *wrong;      /* NULL: nothing */
} rows_reader;
bool rows_open(rows_reader *r, const char *path); /* rows_close in any case */
bool rows_next(rows_reader *r);                   /* false: the end, or something is wrong */
void rows_close(rows_reader *r);

#endif
