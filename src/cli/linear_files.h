/* cli/linear_files.h - linear models as files of other programs. */
#ifndef CLI_LINEAR_FILES_H
#define CLI_LINEAR_FILES_H
#include <anholo/linearise.h>

#include "cli.h"

#include <stdio.h>

enum { LINEAR_MATRICES = 4 };

/* kind "py" or "m". */
void linear_write_text(FILE *f, const char *kind, ah_ctx *ctx, const ah_linearise_values *v);
/* One of A, B, C, D as an array; and what the name of its file ends with: "_A". */
void linear_write_npy(output *o, const ah_linearise_values *v, size_t which);
const char *linear_matrix_name(size_t which);

#endif
