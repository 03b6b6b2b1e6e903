/* cli/npy.h - arrays of NumPy: a header that says what follows and ends at a multiple of 64 bytes, then numbers, the lowest
 * byte first, as x86 and ARM lay them out. Errors stay with the output. */
#ifndef CLI_NPY_H
#define CLI_NPY_H
#include "cli.h"

/* A list of columns as Python writes it: [('x', '<f8'), …]. The caller frees the text; NULL: there is no memory. */
typedef struct npy_columns {
    FILE *to;
    char *text;
    size_t length, count;
} npy_columns;
npy_columns npy_columns_begin(void);
void npy_column(npy_columns *c, const char *name, const char *type);
char *npy_columns_end(npy_columns *c);

/* `type` and `shape` as Python writes them: '<f8', (2, 3). Where the shape begins in the file. */
size_t npy_begin(output *o, const char *type, const char *shape);
void npy_integer(output *o, uint64_t bits);
void npy_number(output *o, double x);

#endif
